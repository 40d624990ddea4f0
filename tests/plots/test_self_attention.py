"""The figures of chapter 05: they keep to the page, name their axes, and draw what they are given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from lmcourse.plots import self_attention as draw
from lmcourse.plots.style import COLOURS
from tests.plots.page import drawing_functions, keeps_to_the_page, written

WEIGHTS = np.array([[0.7, 0.3, 0.0], [0.2, 0.5, 0.3], [0.0, 0.0, 1.0]])
CURVES = {"none": [(50, 0.5), (100, 0.5)], "rotary": [(50, 0.6), (100, 0.99)]}
WIDTHS = [4, 16, 64]
RISING, LEVEL = [4.0, 16.0, 64.0], [1.0, 1.0, 1.0]
DRAW = {
    "arcs": lambda: draw.arcs(list("abcd"), 3, [0.1, 0.6, 0.2, 0.1], "finding"),
    "reach": lambda: draw.reach([1, 10, 100], {"LSTM": [1, 1e-9, 0.0], "attention": [1, 1, 1]}, "finding"),
    "module": lambda: draw.module("finding"),
    "saturation": lambda: draw.saturation(
        WIDTHS,
        {"plain": RISING, "scaled": LEVEL},
        {"plain": [0.4, 0.6, 0.9], "scaled": [0.2, 0.2, 0.2]},
        {"plain": [0.3, 0.2, 0.1], "scaled": [0.3, 0.3, 0.3]},
        "finding",
    ),
    "probabilities": lambda: draw.probabilities(
        ["be", "saw"], {"before": [0.25, 0.75], "after": [0.9, 0.1]}, "finding", bold=["saw"]
    ),
    "positions": lambda: draw.positions(
        np.sin(np.arange(24.0).reshape(6, 4)), [0, 1, 2], {"rotary": [[1, 0.5, 0.2]] * 3}, "finding"
    ),
    "learning": lambda: draw.learning(CURVES, "finding", chance=0.5),
    "graph": lambda: draw.graph(list("abc"), {"one": WEIGHTS, "two": np.eye(3)}, "finding"),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_drawing_function_is_tested():
    assert set(DRAW) == drawing_functions(draw)


def test_arcs_are_wider_for_more_weight_and_say_how_much():
    axes = DRAW["arcs"]().axes[0]
    assert [line.get_linewidth() for line in axes.lines] == pytest.approx([0.4 + 7 * w for w in (0.1, 0.6, 0.2)])
    assert {"10%", "60%", "20%"} <= set(written(axes))


def test_a_graph_has_an_arrow_from_each_key_to_each_query_that_looks_at_it():
    full, empty = DRAW["graph"]().axes
    assert sum(text.arrow_patch is not None for text in full.findobj(Annotation)) == 3  # above 0, off the diagonal
    assert not empty.findobj(Annotation)


def test_the_words_that_matter_have_a_colour_of_their_own():
    for axes in DRAW["probabilities"]().axes:
        colours = [to_hex(bar.get_facecolor()).upper() for bar in axes.patches]
        assert colours == [COLOURS[0], COLOURS[1]]
        assert all(label in written(axes) for label in ("be", "saw"))


def test_learning_curves_are_in_percent_and_show_chance():
    axes = DRAW["learning"]().axes[0]
    assert [line.get_ydata().tolist() for line in axes.lines[:2]] == [[50, 50], [60, 99]]
    assert axes.lines[2].get_ydata() == [50, 50]
    assert "guessing" in written(axes)
