"""Exercise `sampled_inputs`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch04.shared import generator_of


def sampled_inputs(target, drawn, coins, share):
    """Return the tokens that the decoder reads under scheduled sampling.

    Args:
        target: the teacher's tokens, int64 (B, T); column 0 is the start token.
        drawn: the model's own tokens for the same places, int64 (B, T).
        coins: numbers in [0, 1), (B, T).
        share: the probability of the teacher's token, 0 to 1.

    Returns:
        int64 (B, T).

    Raises:
        ValueError: the share is outside 0 to 1, or the shapes differ.

    >>> target, drawn = torch.tensor([[1, 7, 9, 4]]), torch.tensor([[5, 6, 8, 3]])
    >>> sampled_inputs(target, drawn, torch.tensor([[0.9, 0.2, 0.7, 0.4]]), 0.5).tolist()
    [[1, 7, 8, 4]]
    """
    if not 0 <= share <= 1 or not target.shape == drawn.shape == coins.shape:
        raise ValueError(f"`share` must be in 0..1 and the shapes must be alike, got share={share}.")
    mixed = torch.where(coins < share, target, drawn)
    mixed[:, 0] = target[:, 0]
    return mixed


def _check_mix(target: Tensor, drawn: Tensor, coins: Tensor, share: float) -> None:
    if not 0.0 <= share <= 1.0 or not target.shape == drawn.shape == coins.shape:
        raise ValueError(f"`share` must be in 0..1 and the three shapes alike, got {share}.")


def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, T: int) -> tuple[Tensor, Tensor, Tensor]:
        target = torch.randint(3, 31, (B, T), generator=generator)
        target[:, 0] = 1
        drawn = target + torch.randint(40, 60, (B, T), generator=generator)
        coins = torch.rand(B, T, generator=generator)
        coins[:, 0] = 0.9 + 0.09 * torch.rand(B, generator=generator)  # the start would be drawn, were it not kept
        return target, drawn, coins

    worked = (torch.tensor([[1, 7, 9, 4]]), torch.tensor([[5, 6, 8, 3]]), torch.tensor([[0.9, 0.2, 0.7, 0.4]]))
    target, drawn, coins = draw(3, 5)
    coins[1, 2] = 0.5
    return [
        case("the worked example", *worked, 0.5),
        case("half from the teacher, 5 rows of 13", *draw(5, 13), 0.5),
        case("a small share", *draw(7, 11), 0.13),
        border("a coin equal to the share", target, drawn, coins, 0.5),
        border("a share of 1: teacher forcing", *draw(3, 7), 1.0),
        border("a share of 0: all its own but the first", *draw(3, 7), 0.0),
        border("one row of one token", *draw(1, 1), 0.3),
        border("a share above 1", *draw(2, 3), 1.5),
        border("shapes that differ by one", draw(2, 3)[0], draw(2, 4)[1], draw(2, 3)[2], 0.5),
    ]


def _mix_wrong(target: Tensor, drawn: Tensor, coins: Tensor, share: float, *, how: str) -> Tensor:
    if how == "unchecked":
        T = min(target.shape[1], drawn.shape[1])
        mixed = torch.where(coins[:, :T] < share, target[:, :T], drawn[:, :T])
        mixed[:, 0] = target[:, 0]
        return mixed
    right = sampled_inputs(target, drawn, coins, share)
    if how == "reversed":
        right = torch.where(coins < share, drawn, target)
        right[:, 0] = target[:, 0]
    elif how == "start_mixed":
        right = torch.where(coins < share, target, drawn)
    elif how == "one_coin_a_row":
        right = torch.where(coins[:, 1:2] < share if coins.shape[1] > 1 else coins < share, target, drawn)
        right[:, 0] = target[:, 0]
    elif how == "at_most":
        right = torch.where(coins <= share, target, drawn)
        right[:, 0] = target[:, 0]
    elif how == "shifted":
        right = torch.where(coins < share, target, drawn.roll(1, dims=1))
        right[:, 0] = target[:, 0]
    elif how == "averaged":
        right = (share * target + (1 - share) * drawn).round().long()
        right[:, 0] = target[:, 0]
    return right


def _mix_by_loop(target: Tensor, drawn: Tensor, coins: Tensor, share: float) -> Tensor:
    if share < 0 or share > 1 or len({tuple(part.shape) for part in (target, drawn, coins)}) > 1:
        raise ValueError("share or shapes")
    rows = []
    for right, own, row in zip(target.tolist(), drawn.tolist(), coins, strict=True):
        rows.append([r if t == 0 or row[t] < share else o for t, (r, o) in enumerate(zip(right, own, strict=True))])
    return torch.tensor(rows)


def _mix_by_product(target: Tensor, drawn: Tensor, coins: Tensor, share: float) -> Tensor:
    if not (0 <= share <= 1 and target.shape == drawn.shape and drawn.shape == coins.shape):
        raise ValueError("share or shapes")
    teacher = (coins < share).long()
    teacher[:, 0] = 1
    return teacher * target + (1 - teacher) * drawn


task = Task(
    sampled_inputs,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "reversed",
            partial(_mix_wrong, how="reversed"),
            "Teacher and model are exchanged: `share` is the probability of the teacher's token, so a coin below it "
            "takes the token of `target`.",
        ),
        Slip(
            "start_mixed",
            partial(_mix_wrong, how="start_mixed"),
            "The first column was mixed too. It is the start token, before which the model has said nothing: it is "
            "always the target's.",
        ),
        Slip(
            "one_coin_a_row",
            partial(_mix_wrong, how="one_coin_a_row"),
            "One coin decided for the whole row. Scheduled sampling throws a coin for every token.",
        ),
        Slip(
            "at_most",
            partial(_mix_wrong, how="at_most"),
            "A coin equal to the share took the teacher's token. Coins lie in [0, 1), so `coin < share` is true with "
            "probability exactly `share`; with <= a share of 0 could still let the teacher in.",
        ),
        Slip(
            "shifted",
            partial(_mix_wrong, how="shifted"),
            "The model's tokens were moved by one place. drawn[:, t] is already what the model would put at place t.",
        ),
        Slip(
            "averaged",
            partial(_mix_wrong, how="averaged"),
            "The ids were averaged. Ids are labels, their mean is some third word: choose one of the two for every "
            "place.",
        ),
        Slip(
            "unchecked",
            partial(_mix_wrong, how="unchecked"),
            "The mixture is right, but a share outside 0 to 1, or shapes that do not fit, went through. Raise "
            "ValueError.",
        ),
    ),
    alternatives=(_mix_by_loop, _mix_by_product),
    hints=(
        "For every place there is a coin. When does it choose the teacher, and which place needs no coin?",
        "torch.where(condition, a, b) chooses elementwise. The condition is coins < share; afterwards put the first "
        "column of the target back.",
        "Check share and shapes; mixed = torch.where(coins < share, target, drawn); mixed[:, 0] = target[:, 0]; return "
        "mixed.",
    ),
)
