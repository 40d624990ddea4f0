"""Bits per byte by hand, and recorded runs."""

import json
import math

import pytest

from lmcourse.training import bits_per_byte, load_recorded, recorded_seconds


def test_bits_per_byte_by_hand():
    # 8 bytes at probability 1/4 each: 8 x 2 bits over 8 bytes
    assert math.isclose(bits_per_byte(8 * math.log(4), 8), 2.0)
    # the same text in 4 tokens of 2 bytes, 1/16 each, costs the same
    assert math.isclose(bits_per_byte(4 * math.log(16), 8), 2.0)
    assert bits_per_byte(math.inf, 3) == math.inf
    for nats, n in ((1.0, 0), (-1.0, 5), (math.nan, 5)):
        with pytest.raises(ValueError, match="must be"):
            bits_per_byte(nats, n)


def test_recorded_runs(tmp_path):
    rows = [
        {"what": "fit", "who": who, "value": value, "unit": "s"} for who, value in (("a peer", 9.0), ("lmcourse", 1.5))
    ]
    run = {"name": "x", "command": "c", "machine": "m", "date": "d", "seed": 0, "rows": rows}
    (tmp_path / "x.json").write_text(json.dumps(run))
    assert load_recorded("x", tmp_path) == run
    assert recorded_seconds("x", "fit", tmp_path) == 1.5
    assert recorded_seconds("x", "walk", tmp_path) is None
    assert recorded_seconds("y", "fit", tmp_path) is None
    with pytest.raises(FileNotFoundError, match="there is no 'y'"):
        load_recorded("y", tmp_path)
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(ValueError, match=r"x\.json is damaged"):
        load_recorded("x", tmp_path)
