"""The figures of chapter 04: they build without a warning, keep to the page's size and weight, and show their data."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from lmcourse.plots import seq2seq as draw
from lmcourse.plots.style import COLOURS, GREY
from tests.plots.page import keeps_to_the_page

MAP = np.array([[0.1, 0.9], [0.5, 0.5], [0.8, 0.2]])
WORDS = (["vier", "und", "dreißig"], ["thirty", "four"])
LINES = {"no attention": {3: 1.0, 5: 0.6, 9: 0.1}, "dot attention": {3: 1.0, 5: 1.0, 9: 0.99}}
RUNS = {"no attention": {1: [(10, 0.2), (20, 0.5)], 2: [(10, 0.0), (20, 0.1)]}, "dot": {1: [(10, 0.9), (20, 1.0)]}}

DRAW = {
    "crossing": lambda: draw.crossing(WORDS[1], WORDS[0], [(1, 0), (0, 2)], "finding"),
    "accuracy_lines": lambda: draw.accuracy_lines(LINES, "finding", xlabel="digits", trained_to=6.5),
    "loss_curves": lambda: draw.loss_curves({"one": [2.0, 1.0, 0.1], "other": [2.0, 1.5, 1.2]}, "finding"),
    "one map": lambda: draw.alignment_maps([("", MAP, *WORDS)], "finding"),
    "two maps": lambda: draw.alignment_maps([("a", MAP, *WORDS), ("b", MAP, *WORDS)], "finding"),
    "weighted_average": lambda: draw.weighted_average(
        np.array([[1.0, 0.0], [0.0, 1.0]]), [0.25, 0.75], [0.25, 0.75], "finding"
    ),
    "shares": lambda: draw.shares({"linear": [1.0, 0.5, 0.25]}, "finding"),
    "by_step": lambda: draw.by_step(RUNS, "finding"),
    "bars": lambda: draw.bars({"a": {"x": [0.5, 0.6], "y": [0.7]}, "b": {"x": [0.9]}}, "finding", xlabel="right (%)"),
}
each_figure = pytest.mark.parametrize("name", DRAW)


@each_figure
def test_figures_keep_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_only_lines_that_cross_are_marked():
    fig = draw.crossing(["a", "b", "c"], ["B", "A", "C"], [(0, 1), (1, 0), (2, 2)], "t")
    colours = [to_hex(line.get_color()).upper() for line in fig.axes[0].lines]
    plt.close(fig)
    assert colours == [COLOURS[1], COLOURS[1], GREY]


def test_lines_show_percent_of_their_data():
    fig = draw.accuracy_lines(LINES, "t", xlabel="digits")
    first, second = fig.axes[0].lines
    plt.close(fig)
    assert first.get_xdata().tolist() == [3, 5, 9]
    assert first.get_ydata().tolist() == pytest.approx([100, 60, 10])
    assert second.get_ydata().tolist() == pytest.approx([100, 100, 99])


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
