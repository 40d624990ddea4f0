"""Exercise `group_relative`."""

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer


def group_relative(rewards, epsilon=1e-4):
    """Return the advantages of groups of replies.

    Args:
        rewards: (n_prompts, group_size), group_size at least 2.
        epsilon: added to the standard deviation, which is a sample's (divided by group_size - 1).

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
        case("rewards in a fixed order", torch.tensor([[1.0, 0.0, 0.0, 3.0], [-2.0, 5.0, 0.5, 0.5]]).double()),
        border(
            "groups of different magnitudes",
            torch.tensor([[1e4, -1e4, 0.0], [1e-30, 3e-30, 2e-30], [1e-4, 2e-4, 4e-4]]).double(),
        ),
        case("epsilon 0", draw(2, 3), 0.0),
        border("two prompts with two replies each", torch.tensor([[1.0, 0.0], [0.0, 0.5]]).double()),
        border("one group of equal rewards", torch.full((1, 4), 0.7, dtype=torch.float64)),
        border("one prompt, two replies", torch.tensor([[3.0, -1.0]]).double(), 0.1),
        border(
            "rewards of 0 and 1",
            torch.tensor([[0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]]).double(),
        ),
        border("a tensor whose rows do not lie in a row", draw(7, 3).T),
    ]


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
            (
                ("rewards.mean(dim=1, keepdim=True)", "rewards.mean()"),
                ("rewards.std(dim=1, keepdim=True)", "rewards.std()"),
            ),
            "All prompts were thrown together. Then an easy prompt's worst reply beats a hard prompt's best: compare "
            "within a row.",
        ),
        Slip(
            "over_prompts",
            (
                ("rewards.mean(dim=1, keepdim=True)", "rewards.mean(dim=0, keepdim=True)"),
                ("rewards.std(dim=1, keepdim=True)", "rewards.std(dim=0, keepdim=True)"),
            ),
            "Columns were compared, replies to different prompts. A group is a row: dim=1.",
        ),
        Slip(
            "not_divided",
            (" / (rewards.std(dim=1, keepdim=True) + epsilon)", ""),
            "The group's mean was taken off, but the spread is still in it. Divide by standard deviation plus epsilon.",
        ),
        Slip(
            "not_centred",
            ("rewards - rewards.mean(dim=1, keepdim=True)", "rewards"),
            "The rewards were divided, but the group's mean was not taken off. It is what stands in for a value.",
        ),
        Slip(
            "no_epsilon",
            (" + epsilon", ""),
            "A group of equal rewards gives 0 / 0. With epsilon in the divisor it gives 0: nothing to be "
            "learned there.",
        ),
        Slip(
            "population",
            ("std(dim=1,", "std(dim=1, correction=0,"),
            "The standard deviation was divided by G. It is a sample's: divided by G - 1, as torch.std does.",
        ),
        Slip(
            "variance",
            ("rewards.std(", "rewards.var("),
            "That divides by the variance. Divide by its root, the standard deviation.",
        ),
        Slip(
            "best",
            ("rewards.mean(dim=1, keepdim=True)", "rewards.amax(dim=1, keepdim=True)"),
            "The best of the group was taken off, so that nothing is ever good. Take off the mean.",
        ),
        Slip(
            "epsilon_under_the_root",
            ("(rewards.std(dim=1, keepdim=True) + epsilon)", "(rewards.var(dim=1, keepdim=True) + epsilon).sqrt()"),
            "epsilon was added to the variance, under the root. It is added to the standard deviation.",
        ),
        Slip(
            "always_the_same_epsilon",
            ("+ epsilon", "+ 1e-4"),
            "epsilon is 1e-4 whatever was passed. Use the argument; 1e-4 is only its default.",
        ),
        Slip(
            "spread_of_all",
            ("rewards.std(dim=1, keepdim=True)", "rewards.std()"),
            "All prompts share one standard deviation here. Each row is divided by its own.",
        ),
        Slip(
            "without_itself",
            ("return centred", "centred = centred * rewards.shape[1] / (rewards.shape[1] - 1)\n    return centred"),
            "Each reply was compared with the mean of the others. The mean of the whole row is asked for.",
        ),
        Slip(
            "mean_deviation",
            ("rewards.std(dim=1, keepdim=True)", "centred.abs().mean(dim=1, keepdim=True)"),
            "The rewards were divided by their mean distance from the mean. Divide by the standard deviation, the root "
            "of the mean square.",
        ),
        Slip(
            "range",
            (
                "rewards.std(dim=1, keepdim=True)",
                "(rewards.amax(dim=1, keepdim=True) - rewards.amin(dim=1, keepdim=True))",
            ),
            "The rewards were divided by the distance from the best to the worst. Divide by the standard deviation.",
        ),
        Slip(
            "sign",
            ("return centred", "return -centred"),
            "The sign is turned round: a reply that earned more than its group has a positive advantage.",
        ),
        Slip(
            "largest_distance",
            ("rewards.std(dim=1, keepdim=True)", "centred.abs().amax(dim=1, keepdim=True)"),
            "The rewards were divided by their largest distance from the mean. Divide by the standard deviation.",
        ),
        Slip(
            "epsilon_as_a_limit",
            ("(rewards.std(dim=1, keepdim=True) + epsilon)", "rewards.std(dim=1, keepdim=True).clamp(min=epsilon)"),
            "epsilon is only a lower limit of the standard deviation here. It is added to it, whatever its size.",
        ),
        Slip(
            "epsilon_without_spread",
            (
                "(rewards.std(dim=1, keepdim=True) + epsilon)",
                "rewards.std(dim=1, keepdim=True).where(centred.any(dim=1, keepdim=True), epsilon)",
            ),
            "epsilon was used only where all rewards are equal. It is added to the standard deviation of every row.",
        ),
    ),
    alternatives=(_group_by_rows, _group_transposed),
    hints=(
        "The other replies to the same prompt say what was to be expected of it.",
        "Take off the mean of the row, divide by its standard deviation plus epsilon; keepdim=True keeps the shapes.",
        "return (rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + epsilon)",
    ),
)
