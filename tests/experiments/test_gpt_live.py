"""Chapter 08's sweep of its live run: the recorded rows are those of the code, for the same time."""

from pathlib import Path

from experiments.gpt_live import BUDGET_S, LENGTH, START, SWEEP
from lmcourse.training import load_recorded

RECORDED = Path(__file__).parents[2] / "chapters" / "recorded"


def test_the_recorded_rows_are_the_sweep_and_took_the_same_time():
    run = load_recorded("gpt-live", RECORDED)
    assert {row["setting"]: row["changes"] for row in run["rows"]} == SWEEP
    for row in run["rows"]:
        assert row["tokens"] == row["steps"] * row["changes"].get("rows", START.rows) * LENGTH
        assert abs(row["seconds"] / BUDGET_S - 1) < 0.1, row
        assert 0 < row["valid_bits"] < row["test_bits"]
