"""Exercise `answer_labels`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch10.shared import IGNORE_INDEX, draw_ids, draw_marks


def answer_labels(ids, answer):
    """Return the labels of the T - 1 predictions.

    Args:
        ids: the tokens of conversations, (B, T), T at least 2.
        answer: (B, T) bool, True at the tokens of answers.

    Returns:
        (B, T - 1), the next token where it is part of an answer, -100 elsewhere.

    >>> answer = torch.tensor([[False, False, True, True]])
    >>> answer_labels(torch.tensor([[5, 6, 7, 8]]), answer).tolist()
    [[-100, 7, 8]]
    """
    return ids[:, 1:].masked_fill(~answer[:, 1:], -100)


def cases(seed: int) -> list[Case]:
    prompt_then_answer = torch.arange(7).repeat(3, 1) >= torch.tensor([[2], [3], [5]])
    return [
        case("the worked example", torch.tensor([[5, 6, 7, 8]]), torch.tensor([[False, False, True, True]])),
        case("three conversations of seven tokens", draw_ids(seed, 3, 7), prompt_then_answer),
        case("several answers a row", draw_ids(seed + 1, 2, 11), draw_marks(seed, 2, 11)),
        case("all of it is learned", draw_ids(seed + 2, 2, 5), torch.ones(2, 5, dtype=torch.bool)),
        border("nothing is learned: all masked", draw_ids(seed + 3, 3, 5), torch.zeros(3, 5, dtype=torch.bool)),
        border("two tokens, one prediction", draw_ids(seed + 4, 5, 2), torch.tensor([[False, True]]).repeat(5, 1)),
        border("id 0 in an answer counts", torch.zeros(2, 3, dtype=torch.long), draw_marks(seed + 5, 2, 3)),
        border("the first token marked: nothing predicts it", draw_ids(seed + 6, 1, 5), torch.arange(5)[None] < 2),
    ]


def _labels_wrong(ids: Tensor, answer: Tensor, *, how: str) -> Tensor:
    if how == "not_shifted":
        return ids.masked_fill(~answer, IGNORE_INDEX)
    if how == "mask_not_shifted":
        return ids[:, 1:].masked_fill(~answer[:, :-1], IGNORE_INDEX)
    if how == "prompt_learned":
        return ids[:, 1:].masked_fill(answer[:, 1:], IGNORE_INDEX)
    if how == "zero":
        return ids[:, 1:].masked_fill(~answer[:, 1:], 0)
    if how == "rolled":
        return ids.roll(-1, dims=1).masked_fill(~answer.roll(-1, dims=1), IGNORE_INDEX)
    if how == "all":
        return ids[:, 1:].clone()
    if how == "last_left_out":
        return ids[:, 1:].masked_fill(~(answer[:, 1:] & answer.roll(-1, dims=1)[:, 1:]), IGNORE_INDEX)
    return ids[:, :-1].masked_fill(~answer[:, :-1], IGNORE_INDEX)


def _labels_by_where(ids: Tensor, answer: Tensor) -> Tensor:
    return torch.where(answer, ids, torch.full_like(ids, -100))[:, 1:]


def _labels_by_product(ids: Tensor, answer: Tensor) -> Tensor:
    kept = answer.narrow(1, 1, answer.shape[1] - 1).to(ids.dtype)
    return ids.narrow(1, 1, ids.shape[1] - 1) * kept - 100 * (1 - kept)


task = Task(
    answer_labels,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "not_shifted",
            partial(_labels_wrong, how="not_shifted"),
            "The labels are not shifted: the logits at place t are about token t + 1, so there are T - 1 labels, from "
            "the second token on.",
        ),
        Slip(
            "mask_not_shifted",
            partial(_labels_wrong, how="mask_not_shifted"),
            "The tokens were shifted and the marks were not. What counts is whether the token that is predicted "
            "is part "
            "of an answer.",
        ),
        Slip(
            "prompt_learned",
            partial(_labels_wrong, how="prompt_learned"),
            "The other way round: the prompts are learned and the answers are left out.",
        ),
        Slip(
            "zero",
            partial(_labels_wrong, how="zero"),
            "0 is a token like any other, and would be learned. cross_entropy leaves out the label -100.",
        ),
        Slip(
            "rolled",
            partial(_labels_wrong, how="rolled"),
            "After roll, the last place is asked for the first token. It has no next token: there are T - 1 labels.",
        ),
        Slip(
            "all",
            partial(_labels_wrong, how="all"),
            "All tokens are learned, the prompts too. Set those that are no part of an answer to -100.",
        ),
        Slip(
            "last_left_out",
            partial(_labels_wrong, how="last_left_out"),
            "The last token of each answer was left out. It is the end mark: a model that never learns it never stops.",
        ),
        Slip(
            "present",
            partial(_labels_wrong, how="present"),
            "Each place is asked for the token that it has just read. Take ids[:, 1:], not ids[:, :-1].",
        ),
    ),
    alternatives=(_labels_by_where, _labels_by_product),
    hints=(
        "How many predictions does a row of T tokens hold, and about which tokens are they?",
        "Both ids and marks lose their first column. Where the mark is False the label is -100.",
        "return ids[:, 1:].masked_fill(~answer[:, 1:], -100)",
    ),
)
