"""Where a statement leaves a choice, every choice is right, and what looks like one is not."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from lmcourse.exercises import find_task, judge, run_answer


def passes(name: str, answer: Callable[..., Any]) -> bool:
    task = find_task(name)
    return all(judge(task, cases := task.cases(seed), run_answer(task, answer, cases)).passed for seed in (0, 3))


def top_p(probs: Tensor, p: float, *, last: bool, backwards: bool = False, more: float = 0.0) -> Tensor:
    """Add up from the likeliest, or backwards from all; of equals the first, or the last."""
    if not 0 < p <= 1:
        raise ValueError
    flipped = probs.flip(-1) if last else probs
    ordered, order = flipped.sort(dim=-1, descending=True, stable=True)
    before = 1 - ordered.flip(-1).cumsum(-1).flip(-1) if backwards else ordered.cumsum(-1) - ordered
    kept = torch.zeros_like(flipped).scatter(-1, order, ordered * (before < p + more))
    kept = kept.flip(-1) if last else kept
    return kept / kept.sum(-1, keepdim=True)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
def test_of_equally_likely_tokens_any_may_be_kept_and_rounding_decides_nothing(last: bool, backwards: bool) -> None:
    tenths = torch.tensor([0.1, 0.3, 0.6], dtype=torch.float64)
    kept = {int((top_p(tenths, 0.9, last=last, backwards=way) > 0).sum()) for way in (False, True)}
    assert kept == {2, 3}, "the case is one where rounding decides"
    assert passes("top_p_probs", lambda probs, p: top_p(probs, p, last=last, backwards=backwards))


def test_more_tokens_than_reach_p_are_too_many() -> None:
    assert not passes("top_p_probs", lambda probs, p: top_p(probs, p, last=False, more=1e-12))

    def all_of_equals(probs: Tensor, p: float) -> Tensor:
        some = top_p(probs, p, last=False)
        least = probs.masked_fill(some == 0, torch.inf).amin(-1, keepdim=True)
        kept = probs * (probs >= least)
        return kept / kept.sum(-1, keepdim=True)

    assert not passes("top_p_probs", all_of_equals)


def beam(totals: Tensor, log_probs: Tensor, size: int, *, last: bool) -> tuple[Tensor, Tensor, Tensor]:
    if size < 1 or len(totals) != len(log_probs):
        raise ValueError
    every = (totals[:, None] + log_probs).flatten()
    n, V = len(every), log_probs.shape[1]
    order = (
        n - 1 - every.flip(0).argsort(dim=0, descending=True, stable=True) if last else every.argsort(descending=True)
    )
    kept = order[:size]
    return every[kept].to(totals.dtype), kept // V, kept % V


@pytest.mark.parametrize("last", [False, True])
def test_of_equal_candidates_any_may_be_kept(last: bool) -> None:
    assert passes("beam_step", lambda *arguments: beam(*arguments, last=last))


def test_one_candidate_kept_twice_is_wrong() -> None:
    def twice(totals: Tensor, log_probs: Tensor, size: int) -> tuple[Tensor, Tensor, Tensor]:
        best, parents, tokens = beam(totals, log_probs, size, last=False)
        for place in range(1, len(best)):
            if best[place] == best[place - 1]:
                parents[place], tokens[place] = parents[place - 1], tokens[place - 1]
        return best, parents, tokens

    assert not passes("beam_step", twice)
