"""Exercise `group_relative`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer


def group_relative(rewards, epsilon=1e-4):
    """Return the advantages of groups of replies.

    Args:
        rewards: (n_prompts, group_size), group_size at least 2.
        epsilon: added to the standard deviation.

    Returns:
        (n_prompts, group_size).

    >>> found = group_relative(torch.tensor([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]]))
    >>> [[round(value, 2) for value in row] for row in found.tolist()]
    [[-1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """
    centred = rewards - rewards.mean(dim=1, keepdim=True)
    return centred / (rewards.std(dim=1, keepdim=True) + epsilon)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    return [
        case("the worked example", torch.tensor([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]], dtype=torch.float64)),
        case("five prompts, seven replies each", draw(5, 7)),
        case("as many prompts as replies", draw(3, 3)),
        border("one prompt", draw(1, 5)),
        case("two replies each", draw(5, 2)),
        border("all rewards equal", torch.full((2, 3), 2.0, dtype=torch.float64)),
        case("groups of unlike difficulty", draw(3, 5) + torch.arange(3).unsqueeze(1) * 10),
        case("another epsilon", draw(2, 5), 0.5),
        case("float32", single(2, 7)),
    ]


def _group_wrong(rewards: Tensor, epsilon: float = 1e-4, *, how: str) -> Tensor:
    dim = 0 if how == "over_prompts" else 1
    mean, spread = rewards.mean(dim, keepdim=True), rewards.std(dim, keepdim=True, correction=int(how != "population"))
    if how == "over_prompts" and len(rewards) == 1:
        spread = torch.zeros_like(mean)
    if how == "over_all":
        mean, spread = rewards.mean(), rewards.std()
    if how == "variance":
        spread = spread**2
    if how == "not_divided":
        return rewards - mean
    if how == "not_centred":
        return rewards / (spread + epsilon)
    if how == "no_epsilon":
        return (rewards - mean) / spread
    if how == "best":
        return (rewards - rewards.max(1, keepdim=True).values) / (spread + epsilon)
    return (rewards - mean) / (spread + epsilon)


def _group_by_rows(rewards: Tensor, epsilon: float = 1e-4) -> Tensor:
    rows = []
    for row in rewards:
        difference = row - row.sum() / len(row)
        spread = torch.sqrt((difference**2).sum() / (len(row) - 1))
        rows.append(difference / (spread + epsilon))
    return torch.stack(rows)


def _group_transposed(rewards: Tensor, epsilon: float = 1e-4) -> Tensor:
    columns = rewards.T
    spread, mean = torch.std_mean(columns, dim=0)
    return ((columns - mean) / (spread + epsilon)).T.contiguous()


task = Task(
    group_relative,
    points=2,
    difficulty=2,
    minutes=10,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "over_all",
            partial(_group_wrong, how="over_all"),
            "All prompts were thrown together. Then an easy prompt's worst reply beats a hard prompt's best: compare "
            "within a row.",
        ),
        Slip(
            "over_prompts",
            partial(_group_wrong, how="over_prompts"),
            "Columns were compared, replies to different prompts. A group is a row: dim=1.",
        ),
        Slip(
            "not_divided",
            partial(_group_wrong, how="not_divided"),
            "The group's mean was taken off, but the spread is still in it. Divide by standard deviation plus epsilon.",
        ),
        Slip(
            "not_centred",
            partial(_group_wrong, how="not_centred"),
            "The rewards were divided, but the group's mean was not taken off. It is what stands in for a value.",
        ),
        Slip(
            "no_epsilon",
            partial(_group_wrong, how="no_epsilon"),
            "A group of equal rewards gives 0 / 0. With epsilon in the divisor it gives 0: nothing to be "
            "learned there.",
        ),
        Slip(
            "population",
            partial(_group_wrong, how="population"),
            "The standard deviation was divided by G. It is a sample's: divided by G - 1, as torch.std does.",
        ),
        Slip(
            "variance",
            partial(_group_wrong, how="variance"),
            "That divides by the variance. Divide by its root, the standard deviation.",
        ),
        Slip(
            "best",
            partial(_group_wrong, how="best"),
            "The best of the group was taken off, so that nothing is ever good. Take off the mean.",
        ),
    ),
    alternatives=(_group_by_rows, _group_transposed),
    hints=(
        "The other replies to the same prompt say what was to be expected of it.",
        "Take off the mean of the row, divide by its standard deviation plus epsilon; keepdim=True keeps the shapes.",
        "return (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + epsilon)",
    ),
)
