"""The table of models on 1 to 1,024 GPUs: what fits, what a row says, and that the document has it."""

from pathlib import Path

import pytest

from lmcourse.training.scaling import DEVICES, Layout
from lmcourse.training.scaling_layouts import COUNTS, SIZES, Row, layout_rows, layout_table

ROOT = Path(__file__).parents[2]


def test_sizes_are_those_of_the_models():
    assert [round(size.parameters / 1e9, 2) for size in SIZES.values()] == [1.55, 6.74, 68.98]


@pytest.mark.parametrize("device", ["A100", "H100"])
def test_every_row_fits_and_more_devices_are_faster(device):
    rows = layout_rows(device)
    assert len(rows) == len(SIZES) * len(COUNTS)
    for name, size in SIZES.items():
        own = [row for row in rows if row.name == name]
        fitting = [row for row in own if row.cost is not None]
        assert own == [row for row in own if row.cost is None] + fitting  # what does not fit has too few devices
        for row in own[: len(own) - len(fitting)]:  # 18 bytes a weight, sharded, leave no room for activations
            assert 18 * size.parameters / row.devices > 0.9 * DEVICES[device].memory_bytes
        speeds = [row.cost.tokens_per_s for row in fitting]
        assert speeds == sorted(speeds)
        assert all(row.layout.devices == row.devices for row in fitting)
        assert all(row.cost.memory_bytes <= DEVICES[device].memory_bytes for row in fitting)


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        (Layout(), "whole"),
        (Layout(1, 2, 3), "tensor 2, pipeline 3"),
        (Layout(1_024, sharded=True, recompute="full"), "data 1,024, sharded, activations computed again"),
        (None, "does not fit"),
    ],
)
def test_a_layout_in_words(layout, words):
    assert Row("7 B", 8, layout, None).divided == words


def test_the_document_has_the_table():
    assert layout_table("H100") in (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")


def test_an_unknown_device_is_refused():
    with pytest.raises(ValueError, match="`device` must be one of"):
        layout_rows("abacus")
