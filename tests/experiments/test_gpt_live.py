"""Chapter 08's sweeps of its live run: the recorded rows are those of the code, for the same time or tokens."""

from pathlib import Path

from experiments.gpt_live import (
    BUDGET_S,
    FEWER_STEPS,
    LATER,
    LENGTH,
    PAGE_CHANGES,
    PAGE_STEPS,
    START,
    STEPS,
    SWEEP,
    TOKENS,
)
from lmcourse.training import load_recorded

ROOT = Path(__file__).parents[2]
RECORDED, PAGE = ROOT / "chapters" / "recorded", ROOT / "texts" / "chapters" / "08_gpt.md"


def test_the_recorded_rows_are_the_sweep_and_took_the_same_time():
    run = load_recorded("gpt-live", RECORDED)
    assert {row["setting"]: row["changes"] for row in run["rows"]} == SWEEP
    for row in run["rows"]:
        assert row["tokens"] == row["steps"] * row["changes"].get("rows", START.rows) * LENGTH
        assert abs(row["seconds"] / BUDGET_S - 1) < 0.1, row
        assert 0 < row["valid_bits"] < row["test_bits"]


def test_the_later_rows_read_as_many_tokens_and_the_page_has_the_recorded_run():
    *rows, shorter, of_page = load_recorded("gpt-live-steps", RECORDED)["rows"]
    assert {row["setting"]: row["changes"] for row in rows} == STEPS
    assert {row["tokens"] for row in rows} == {TOKENS}
    assert [(row["steps"], row["changes"]) for row in (shorter, of_page)] == [
        (FEWER_STEPS, PAGE_CHANGES),
        (PAGE_STEPS, PAGE_CHANGES),
    ]
    page = PAGE.read_text(encoding="utf-8")
    assert f"laptop={PAGE_STEPS:_})" in page
    assert f"lr={LATER.rate}, momentum={PAGE_CHANGES['momentum']}, adamw_lr={LATER.adamw_rate}," in page
    assert f'token_batches(tokens["train"], {LATER.rows}, {LATER.length}, shuffle=True)' in page
