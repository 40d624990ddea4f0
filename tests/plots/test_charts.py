"""Bars, bars in groups and curves: they keep to the page and show what they are given."""

import pytest
from matplotlib.colors import to_hex

from lmcourse.plots import charts
from lmcourse.plots.style import COLOURS
from tests.plots.page import drawing_functions, keeps_to_the_page, written

POINTS = [(1e3, 3.0), (1e4, 2.5), (1e5, 2.1)]
GROUPS = {"one way": [0.7, 0.25], "another": [0.5, 0.0], "a third": [0.1, 0.2]}
DRAW = {
    "bars": lambda: charts.bars({"nothing": 0.01, "all": 3.5}, "finding", "loss (nats)"),
    "grouped_bars": lambda: charts.grouped_bars(
        GROUPS, ["capitals", "plurals"], "finding", ylabel="answered right", number=".0%"
    ),
    "lines": lambda: charts.lines(
        {"a": POINTS, "b": POINTS[:2]},
        "finding",
        labels=("x", "y"),
        mark=("here", 2e3),
        level=("there", 2.2),
        logarithmic="x",
    ),
    "lines with errors": lambda: charts.lines(
        {"a": POINTS, "b": POINTS},
        "finding",
        labels=("x", "y"),
        level=("there", 2.2),
        errors={"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]},
        height=3.0,
    ),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_chart_is_tested():
    assert drawing_functions(charts) <= set(DRAW)


def test_bars_end_with_their_value():
    assert {"0.01", "3.50"} <= set(written(DRAW["bars"]()))


def test_grouped_bars_are_as_high_as_their_numbers_beneath_the_legend():
    fig = DRAW["grouped_bars"]()
    heights = [bar.get_height() for bars in fig.axes[0].containers for bar in bars]
    assert heights == [0.7, 0.25, 0.5, 0.0, 0.1, 0.2]
    assert {"70%", "25%", "50%", "0%"} <= set(written(fig))
    fig.canvas.draw()
    axes = fig.axes[0]
    assert axes.get_legend().get_window_extent().y0 >= axes.get_window_extent().y1 - 4


def test_grouped_bars_take_the_colours_that_they_are_given():
    fig = charts.grouped_bars({"a": [0.1], "b": [0.2]}, ["one"], "finding", ylabel="share", shades=(0, 5))
    assert [to_hex(bars[0].get_facecolor()).upper() for bars in fig.axes[0].containers] == [COLOURS[0], COLOURS[5]]


def test_curves_and_levels_are_where_the_numbers_are():
    (axes,) = DRAW["lines"]().axes
    assert axes.lines[0].get_xydata().tolist() == [list(point) for point in POINTS]
    assert axes.lines[2].get_xdata()[0] == 2e3
    assert axes.lines[3].get_ydata()[0] == 2.2


def test_bars_of_errors_reach_as_far_as_they_say():
    (axes,) = DRAW["lines with errors"]().axes
    (bars, _) = (container.lines[2][0].get_segments() for container in axes.containers)
    assert [(top - bottom).round(6) for (_, bottom), (_, top) in bars] == [0.2, 0.4, 0.6]
