"""The figures of chapter 04: they build without a warning, keep to the page's size and weight, and show their data."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from lmcourse.plots import seq2seq as draw
from lmcourse.plots.style import COLOURS, FAINT
from tests.plots.page import drawing_functions, keeps_to_the_page, written

MAP = np.array([[0.1, 0.9], [0.5, 0.5], [0.8, 0.2]])
WORDS = (["vier", "und", "dreißig"], ["thirty", "four"])
LINES = {"LSTM alone": {3: 1.0, 5: 0.6, 9: 0.1}, "LSTM with attention": {3: 1.0, 5: 1.0, 9: 0.99}}
RUNS = {"no attention": {1: [(10, 0.2), (20, 0.5)], 2: [(10, 0.0), (20, 0.1)]}, "dot": {1: [(10, 0.9), (20, 1.0)]}}
TREE = {("a",): 0.6, ("b",): 0.4, ("a", "</s>"): 0.3, ("a", "c"): 0.3, ("b", "</s>"): 0.36}
SPIKES = np.eye(25)[[21, 21, 22, 23]]

DRAW = {
    "no attention": lambda: draw.encoder_decoder(WORDS[1], [*WORDS[0], "</s>"], "finding"),
    "attention": lambda: draw.encoder_decoder(WORDS[1], [*WORDS[0], "</s>"], "finding", weights=[0.1, 0.9]),
    "alignment_lines": lambda: draw.alignment_lines(WORDS[1], WORDS[0], MAP, "finding"),
    "lines of letters": lambda: draw.alignment_lines("Samstag, 9. November 2024", "2024", SPIKES, "finding"),
    "search_tree": lambda: draw.search_tree(TREE, [("a",), ("b", "</s>")], ("b", "</s>"), "finding"),
    "accuracy_lines": lambda: draw.accuracy_lines(LINES, "finding", xlabel="digits", trained_to=6.5),
    "one map": lambda: draw.alignment_maps([("", MAP, *WORDS)], "finding"),
    "two maps": lambda: draw.alignment_maps([("a", MAP, *WORDS), ("b", MAP, *WORDS)], "finding"),
    "weighted_average": lambda: draw.weighted_average(
        np.array([[1.0, 0.0], [0.0, 1.0]]), [0.25, 0.75], [0.25, 0.75], "finding"
    ),
    "by_step": lambda: draw.by_step(RUNS, "finding"),
    "bars": lambda: draw.bars({"a": {"x": [0.5, 0.6], "y": [0.7]}, "b": {"x": [0.9]}}, "finding", xlabel="right (%)"),
}
each_figure = pytest.mark.parametrize("name", DRAW)


@each_figure
def test_figures_keep_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_function_is_drawn_here():
    tried = {name for draw_one in DRAW.values() for name in draw_one.__code__.co_names}
    assert drawing_functions(draw) <= tried


def test_the_diagram_has_attention_only_if_it_is_asked_for():
    plain, attends = (written(DRAW[name]()) for name in ("no attention", "attention"))
    plt.close("all")
    assert not {"context", "h1", "0.90"} & set(plain)
    assert {"context", "h1", "h2", "0.10", "0.90", "memory\n(B, S, H)"} <= set(attends)
    assert {"thirty", "<s>", "vier", "</s>", "s4"} <= set(plain) & set(attends)


def test_a_line_is_as_wide_as_its_weight_and_joins_the_right_words():
    fig = draw.alignment_lines(["aa", "bb"], ["A", "B", "C"], np.array([[0.0, 1.0], [0.5, 0.5], [0.99, 0.01]]), "t")
    places = {text.get_text(): text.get_position()[0] for text in fig.axes[0].texts}
    lines = [(line.get_xdata(), line.get_linewidth()) for line in fig.axes[0].lines]
    plt.close(fig)
    joined = [("bb", "A"), ("aa", "B"), ("bb", "B"), ("aa", "C")]
    assert [list(ends) for ends, _ in lines] == [[places[s], places[t]] for s, t in joined]
    widths = [width for _, width in lines]
    assert widths[0] > widths[3] > widths[1] == widths[2]


def test_a_search_tree_marks_what_was_kept_and_what_was_found():
    fig = DRAW["search_tree"]()
    edges = {text.get_text(): to_hex(text.get_bbox_patch().get_edgecolor()).upper() for text in fig.axes[0].texts}
    plt.close(fig)
    assert edges == {
        "<s>": COLOURS[1],
        "a  0.60": COLOURS[0],
        "b  0.40": COLOURS[1],
        "</s>  0.30": FAINT,
        "c  0.30": FAINT,
        "</s>  0.36": COLOURS[1],
    }


def test_lines_show_percent_of_their_data():
    fig = draw.accuracy_lines(LINES, "t", xlabel="digits")
    first, second = fig.axes[0].lines
    plt.close(fig)
    assert first.get_xdata().tolist() == [3, 5, 9]
    assert first.get_ydata().tolist() == pytest.approx([100, 60, 10])
    assert second.get_ydata().tolist() == pytest.approx([100, 100, 99])
    assert [to_hex(line.get_color()).upper() for line in (first, second)] == [COLOURS[1], COLOURS[0]]


def test_a_map_has_queries_as_rows_and_keys_as_columns_on_one_scale():
    fig = draw.alignment_maps([("", MAP, *WORDS)], "t")
    axes = fig.axes[0]
    image = axes.images[0]
    plt.close(fig)
    np.testing.assert_array_equal(image.get_array(), MAP)
    assert image.get_clim() == (0, 1)
    assert [label.get_text() for label in axes.get_yticklabels()] == WORDS[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == WORDS[1]


def test_bars_are_means_with_a_dot_for_each_seed():
    fig = DRAW["bars"]()
    axes = fig.axes[0]
    widths = [bar.get_width() for bar in axes.patches]
    dots = [line.get_xdata().tolist() for line in axes.lines]
    plt.close(fig)
    assert widths == pytest.approx([55, 70, 90])
    assert dots == [pytest.approx([50, 60]), pytest.approx([70]), pytest.approx([90])]
