"""The figures of chapter 03: they keep to the page, and show what they are given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch

from lmcourse.plots import recurrent
from lmcourse.plots.style import COLOURS
from tests.plots.page import drawing_functions, keeps_to_the_page, written

ACROSS, UP = np.linspace(4, 6, 17), np.linspace(-3, -2, 13)
LOSS = np.add.outer(UP**2, ACROSS)
INSIDE = np.array([[5.0, -2.5], [5.1, -2.4], [5.2, -2.3]])
THROWN = np.array([[5.0, -2.5], [5.1, -2.4], [90.0, 12.0], [5.5, -2.5]])
CURVES = {"RNN": [(4, 1.0), (8, 0.4), (16, 0.12)], "LSTM": [(4, 1.0), (8, 1.0), (16, 0.9)]}
TEXT = "To be,\nor not to be"
VALUES = np.linspace(-1, 1, len(TEXT))

DRAW = {
    "unrolled": lambda: recurrent.unrolled(["deep", "blue"], ["blue", "sea"], "finding"),
    "back_through_time": lambda: recurrent.back_through_time(3, "finding"),
    "character_model": lambda: recurrent.character_model("deep b", "eep bl", "finding"),
    "kept": lambda: recurrent.kept(2.0, "finding"),
    "clipping": lambda: recurrent.clipping(
        {"clipped": ([6.0, 4.0, 3.0], [0.5, 2.0, 1.0]), "not": ([6.0, 40.0, 15.0], [0.5, 300.0, 9.0])}, 1.0, "finding"
    ),
    "lstm_cell": lambda: recurrent.lstm_cell("finding"),
    "gradients": lambda: recurrent.gradients({"RNN": [1.0, 0.1, 0.0], "LSTM": [1.0, 0.9, 0.8]}, "finding"),
    "cliff": lambda: recurrent.cliff(ACROSS, UP, LOSS, {"clipped": INSIDE, "not": THROWN}, ("w", "b"), "finding"),
    "reach": lambda: recurrent.reach({"conv": np.tril(np.ones((5, 5))), "LSTM": np.tril(np.eye(5))}, "finding"),
    "training": lambda: recurrent.training(
        {"long": ([1e3, 1e4], [4.0, 2.5]), "live": ([5e3], [3.0])}, ("6-gram", 2.1), "finding"
    ),
    "context": lambda: recurrent.context([1, 4], {"live": [3.0, 2.0]}, ("6-gram", 2.1, 5), "finding"),
    "cell_text": lambda: recurrent.cell_text(TEXT, VALUES, "finding"),
    "recall": lambda: recurrent.recall({"recall": CURVES, "copy": CURVES}, 0.125, ("steps", "symbols"), "finding"),
    "time_by_length": lambda: recurrent.time_by_length({"loop": [(64, 3.0), (128, 6.0)]}, "finding"),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_drawing_function_is_tested():
    assert set(DRAW) == drawing_functions(recurrent)


def test_unrolled_has_a_copy_of_the_cell_for_each_word_and_hands_the_state_on():
    fig = DRAW["unrolled"]()
    assert written(fig).count("cell") == 2
    arrows = [patch for patch in fig.axes[0].patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 2 * 2 + 3
    assert [text for text in written(fig) if text.startswith("$h")] == ["$h_{0}$", "$h_{1}$", "$h_{2}$"]


def test_each_gradient_comes_back_the_way_of_its_state():
    fig = DRAW["back_through_time"]()
    texts = written(fig)
    assert [text for text in texts if "delta" in text] == ["$\\delta_{1}$", "$\\delta_{2}$", "$\\delta_{3}$"]
    assert texts.count("× slope × $w$") == 2
    assert len([patch for patch in fig.axes[0].patches if isinstance(patch, FancyArrowPatch)]) == 3 + 4 + 3


def test_a_model_has_one_colour_and_one_marker_in_all_figures():
    norms = {name: [1.0, 0.5] for name in ("RNN", "GRU", "LSTM, forget bias 0", "LSTM, forget bias 1")}
    shares = dict.fromkeys(("RNN", "GRU", "LSTM, forget bias 0"), CURVES["RNN"])
    marks = [
        {line.get_label(): line.get_marker() for line in fig.axes[0].lines}
        for fig in (
            recurrent.gradients(norms, "finding"),
            recurrent.recall({"recall": shares}, 0.1, ["steps"], "finding"),
        )
    ]
    assert all(marks[0][name] == marks[1][name] for name in shares)


def test_a_gradient_of_zero_leaves_a_gap_and_not_a_bottom():
    line = DRAW["gradients"]().axes[0].lines[0]
    assert np.isnan(line.get_ydata()[2])
    assert line.get_ydata()[1] == 0.1


def test_a_path_that_leaves_the_map_is_drawn_to_where_it_leaves():
    fig = DRAW["cliff"]()
    clipped, thrown = fig.axes[0].lines
    assert len(clipped.get_xdata()) == 3
    assert list(thrown.get_xdata()) == [5.0, 5.1, 90.0]
    assert fig.axes[0].get_xlim() == (4, 6)
    assert fig.axes[0].collections[0].get_array().shape == (13, 17)


def test_reach_leaves_white_what_is_not_seen():
    images = [axes.images[0] for axes in DRAW["reach"]().axes[:2]]
    shown = images[0].get_array()
    assert np.isnan(np.ma.filled(shown.astype(float), np.nan)[0, 4])
    assert shown[4, 0] == 1
    assert images[0].norm is not None
    assert images[0].get_clim() == images[1].get_clim()


def test_cell_text_writes_each_sign_on_its_value():
    fig = DRAW["cell_text"]()
    shown = [text.get_text() for text in fig.axes[0].texts]
    assert "".join(shown) == TEXT.replace(" ", "").replace("\n", "\u21b5")
    grid = np.asarray(fig.axes[0].images[0].get_array())
    assert grid[0, 0] == -1
    assert grid[1, 0] == pytest.approx(VALUES[7])
    assert grid[1, 11] == 1
    assert fig.axes[0].images[0].get_clim() == (-1, 1)


def test_cell_text_wants_a_value_a_sign_and_few_lines():
    with pytest.raises(ValueError, match="one value a character, got 2 for 3"):
        recurrent.cell_text("abc", [0, 1], "finding")
    with pytest.raises(ValueError, match="inches"):
        recurrent.cell_text("a\n" * 40, np.zeros(80), "finding")


def test_recall_keeps_a_models_colour_in_both_panels_and_shows_guessing():
    left, right = DRAW["recall"]().axes
    assert [to_hex(line.get_color()).upper() for line in left.lines[:2]] == [COLOURS[3], COLOURS[1]]
    assert [line.get_color() for line in left.lines] == [line.get_color() for line in right.lines]
    assert left.lines[2].get_ydata()[0] == 12.5
    assert list(left.lines[0].get_ydata()) == [100, 40, 12]


def test_context_marks_the_window_that_is_fixed():
    lines = DRAW["context"]().axes[0].lines
    assert lines[2].get_xdata()[0] == 5
    assert lines[1].get_ydata()[0] == 2.1


def test_the_character_model_moves_its_targets_by_one_and_hands_on_its_state():
    fig = DRAW["character_model"]()
    shown = [text for text in written(fig) if len(text) == 1]
    assert "".join(shown) == "deeeepp\u2423\u2423bbl"  # by column: a character below, its target above
    arrows = [patch for patch in fig.axes[0].patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 6 * 4 + 7


def test_a_training_of_one_value_is_a_point():
    curve, point, _ = DRAW["training"]().axes[0].lines
    assert (curve.get_linestyle(), point.get_linestyle()) == ("-", "None")
    assert list(point.get_ydata()) == [3.0]


def test_clipping_has_the_loss_on_the_left_and_the_norm_and_its_limit_on_the_right():
    left, right = DRAW["clipping"]().axes
    assert list(left.lines[1].get_ydata()) == [6.0, 40.0, 15.0]
    assert list(right.lines[1].get_ydata()) == [0.5, 300.0, 9.0]
    assert right.lines[2].get_ydata()[0] == 1.0


def test_kept_is_the_power_of_the_gate():
    *others, chosen = DRAW["kept"]().axes[0].lines
    assert len(others) == 4
    assert chosen.get_ydata()[2] == pytest.approx((1 / (1 + np.exp(-2.0))) ** 2)
    assert others[0].get_ydata()[3] == 0.5**3
