"""The figures of chapter 13: they keep to the page, name their axes, and draw what they are given."""

import numpy as np
import pytest

from lmcourse.plots import scaling as draw
from tests.plots.page import drawing_functions, keeps_to_the_page, written

LINES = {"AdamW": [(0.001, 2.7), (0.01, 2.6)], "Muon": [(0.01, 2.5), (0.04, 2.4)]}
MOMENTS = [[[1, 1, 1]] * 3, [[3, 1, 2], [2, 3, 1], [1, 2, 3]], [[3, 3, 3]] * 3]
DRAW = {
    "model_sizes": lambda: draw.model_sizes(
        {"ours": (4e6, 7e6, "right"), "GPT-3": (175e9, 3e11, "right"), "BERT": (3e8, 1e11, "left")}, "finding"
    ),
    "blocks": lambda: draw.blocks("finding"),
    "changes": lambda: draw.changes({"as GPT-2": [2.6, 2.7], "Muon": [2.4, 2.5]}, "bits per byte", "finding"),
    "curves": lambda: draw.curves(
        LINES, "finding", labels=("rate", "bits"), level=("before", 2.65), ticks=[0.001, 0.01]
    ),
    "laws": lambda: draw.laws(
        {"1,000": [(1e5, 3.0), (6e5, 2.5)], "9,000": [(1e5, 2.8), (6e5, 2.2)]},
        {"1,000": lambda D: 4 - 0.2 * np.log10(D), "9,000": lambda D: 3.8 - 0.2 * np.log10(D)},
        (1.0, 1.5, 1.8),
        "finding",
    ),
    "roofline": lambda: draw.roofline(
        {"product": [(0.5, 8e9), (200, 6e10)]}, 16e9, 66e9, {"writing": (0.5, 4e9)}, "finding"
    ),
    "tiles": lambda: draw.tiles(8, 2, (2, 1), "finding"),
    "ring": lambda: draw.ring(MOMENTS, "finding", ["at the start", "after 2 steps", "after 4 steps"]),
    "shards": lambda: draw.shards(
        {
            "data parallel": {"weights": (2, 1), "optimizer": (12, 1)},
            "sharded": {"weights": (2, 4), "optimizer": (12, 4)},
        },
        4,
        "finding",
    ),
    "rounding": lambda: draw.rounding([0.1, -0.3, 0.2], [0.0, -0.25, 0.25], "finding"),
    "lost": lambda: draw.lost({"8 bits": (3.7, 0.0), "2 bits": (1.4, 0.06)}, "finding"),
    "calls": lambda: draw.calls(["a", " b", "\n", "c", "d"], [3, 1, 1], "finding", columns=4),
    "predicted": lambda: draw.predicted(["32", "64"], [137, 138], [137, 130], ("GPUs", "TFLOP/s"), "finding"),
    "shares": lambda: draw.shares(
        {"work": [1.0, 0.5], "wait": [0.0, 0.5]}, ["1 GPU", "8 GPUs"], "finding", "share (%)"
    ),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_drawing_function_is_tested():
    assert set(DRAW) == drawing_functions(draw)


def test_the_ring_shows_how_many_gradients_are_in_each_chunk():
    middle = DRAW["ring"]().axes[1]
    assert sorted(written(middle))[:9].count("3") == 3


def test_each_panel_of_shards_says_what_one_process_holds():
    assert [axes.get_title(loc="left").split("\n")[1] for axes in DRAW["shards"]().axes] == [
        "14 bytes each",
        "3.5 bytes each",
    ]


def test_a_prediction_shows_its_error():
    assert {"+0%", "-6%"} <= set(written(DRAW["predicted"]().axes[0]))


def test_a_new_call_begins_at_an_orange_line():
    axes = DRAW["calls"]().axes[0]
    assert [tuple(line.get_xdata()) for line in axes.lines] == [(0, 0), (3, 3), (0, 0)]
