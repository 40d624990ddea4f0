"""The figures of chapter 08: they keep to the page, and show what they are given."""

import numpy as np
import pytest

from lmcourse.plots import gpt
from tests.plots.page import keeps_to_the_page, written

POINTS = [(1e3, 3.0), (1e4, 2.5), (1e5, 2.1)]
DRAW = {
    "every_position": lambda: gpt.every_position(["to", "be", "or"], ["be", "or", "not"], "finding"),
    "training": lambda: gpt.training({"live": POINTS}, {"6-gram": 2.12, "LSTM": 1.88}, "finding"),
    "distributions": lambda: gpt.distributions({"as it is": [0.6, 0.3], "top-k": [1.0, 0.0]}, [" a", "\n"], "finding"),
    "lines": lambda: gpt.lines(
        {"a": POINTS, "b": POINTS[:2]}, "finding", labels=("x", "y"),
        mark=("here", 2e3), level=("there", 2.2), logarithmic="x",
    ),
    "lines with bars": lambda: gpt.lines(
        {"a": POINTS, "b": POINTS}, "finding", labels=("x", "y"), level=("there", 2.2),
        errors={"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]}, height=3.0,
    ),
    "changes": lambda: gpt.changes({"plain": [2.3, 2.5], "other": [2.2, 2.1]}, "bits per byte", "finding"),
    "scaling": lambda: gpt.scaling({"parameters": (POINTS, (4.0, 0.05)), "FLOPs": (POINTS, (5.0, 0.06))}, "finding"),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_curves_and_lines_are_where_the_numbers_are():
    (axes,) = DRAW["training"]().axes
    assert axes.lines[0].get_xydata().tolist() == [list(point) for point in POINTS]
    assert [line.get_ydata()[0] for line in axes.lines[1:]] == [2.12, 1.88]
    assert axes.get_ylabel() == "bits per byte"
    (axes,) = DRAW["lines"]().axes
    assert axes.lines[2].get_xdata()[0] == 2e3
    assert axes.lines[3].get_ydata()[0] == 2.2
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")


def test_bars_reach_as_far_as_their_errors():
    (axes,) = DRAW["lines with bars"]().axes
    (bars, _) = (container.lines[2][0].get_segments() for container in axes.containers)
    assert [(top - bottom).round(6) for (_, bottom), (_, top) in bars] == [0.2, 0.4, 0.6]


def test_a_decoder_has_an_arrow_from_every_place_to_itself_and_to_those_on_its_right():
    (axes,) = DRAW["every_position"]().axes
    assert len(axes.patches) == (1 + 2 + 3) + 3
    assert {"to", "be", "or", "not"} <= set(written(axes.figure))


def test_bars_are_the_probabilities():
    first, second = DRAW["distributions"]().axes
    assert [bar.get_width() for bar in first.patches] == [0.6, 0.3]
    assert [bar.get_width() for bar in second.patches] == [1.0, 0.0]
    assert {"\u2423a", "\u21b5"} <= set(written(first.figure))


def test_the_line_of_the_changes_is_the_mean_of_the_first_row():
    (axes,) = DRAW["changes"]().axes
    assert axes.lines[-1].get_xdata()[0] == pytest.approx(2.4)


def test_a_power_law_is_drawn_through_its_points():
    first = DRAW["scaling"]().axes[0]
    x, y = first.lines[1].get_data()
    np.testing.assert_allclose(y, 4.0 * np.array(x) ** -0.05)
