"""The figures of chapter 07: they keep to the page, show every token, and make what cannot be seen visible."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from lmcourse.plots import tokens
from tests.plots.page import drawing_functions, keeps_to_the_page, written

ROWS = {"characters\n5 tokens": list("a man"), "pieces": [b"a", b" man", b"\n", b"\xf0\x9f", b"\x99\x82"]}
DRAW = {
    "boxes": lambda: tokens.boxes(ROWS, "finding"),
    "vocabulary_growth": lambda: tokens.vocabulary_growth(
        {"words": ([0, 1e6, 4e6], [0, 20_000, 33_000]), "characters": ([0, 1e6, 4e6], [1, 84, 84])}, "finding"
    ),
    "work": lambda: tokens.work([1, 30, 60], {"naive": [3e4, 6e4, 9e4], "incremental": [3e4, 3.1e4, 3.2e4]}, "finding"),
    "training_time": lambda: tokens.training_time([(3e5, 0.1), (5e6, 0.7)], [(500, 0.6), (16_000, 0.9)], "finding"),
    "prices": lambda: tokens.prices(["English", "Tamil"], {"bytes": [71, 193], "tokens": [15, 193]}, "finding"),
    "vocabulary_sizes": lambda: tokens.vocabulary_sizes(
        [256, 512, 1_024], [1.0, 1.9, 2.3], {"order 2": [3.6, 2.8, 2.6], "order 4": [2.6, 2.3, 2.4]}, "finding"
    ),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_drawing_function_is_tested():
    assert set(DRAW) | {"visible"} == drawing_functions(tokens)


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (b" the", "\u2423the"),
        ("a\tb\n", "a\u21e5b\u21b5"),
        (b"\xf0\x9f", "F0 9F"),  # half a character
        ("\U0001f642".encode(), "F0 9F 99 82"),  # a whole one that the font cannot draw
        ("\u0ba4", "E0 AE A4"),
        ("\u0436", "\u0436"),
        (b"\x00", "00"),
        (b"", ""),
    ],
)
def test_what_cannot_be_seen_is_made_visible(token, shown):
    assert tokens.visible(token) == shown


def boxes_of(fig):
    return [patch for patch in fig.axes[0].patches if isinstance(patch, Rectangle)]


def test_boxes_show_each_token_in_order_inside_its_box():
    fig = DRAW["boxes"]()
    expected = [tokens.visible(token) for row in ROWS.values() for token in row]
    inside = [text for text in fig.axes[0].texts if text.get_ha() == "center"]
    assert [text.get_text() for text in inside] == expected
    fig.canvas.draw()
    for text, box in zip(inside, boxes_of(fig), strict=True):
        outer, inner = box.get_window_extent(), text.get_window_extent()
        assert outer.x0 <= inner.x0
        assert inner.x1 <= outer.x1
    assert {"characters", "5 tokens", "pieces"} <= set(written(fig))


def test_neighbouring_boxes_differ_in_grey_and_have_a_border():
    boxes = boxes_of(DRAW["boxes"]())[:5]
    greys = [np.dot(to_rgb(box.get_facecolor()), [0.299, 0.587, 0.114]) for box in boxes]
    assert all(abs(left - right) > 0.03 for left, right in itertools.pairwise(greys))
    assert all(box.get_linewidth() > 0.5 for box in boxes)


def test_a_long_row_is_wrapped_and_does_not_leave_the_page():
    fig = tokens.boxes({"long": list("abcdefghij" * 6)}, "finding")
    rows = {round(box.get_y(), 3) for box in boxes_of(fig)}
    assert len(rows) > 1
    assert max(box.get_x() + box.get_width() for box in boxes_of(fig)) < 6.0


def test_too_many_rows_are_refused():
    with pytest.raises(ValueError, match="inches"):
        tokens.boxes({str(n): ["a"] for n in range(30)}, "finding")


def test_vocabulary_sizes_ring_the_best_one_of_each_order():
    right = DRAW["vocabulary_sizes"]().axes[1]
    rings = [(line.get_xdata()[0], line.get_ydata()[0]) for line in right.lines if line.get_markersize() == 11]
    assert rings == [(1_024, 2.6), (512, 2.3)]


def test_prices_write_every_number():
    assert {"71", "193", "15"} <= set(written(DRAW["prices"]()))
