"""Exercise `sampled_inputs`."""

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch04.shared import generator_of


def sampled_inputs(target, drawn, coins, share):
    """Return the tokens that the decoder reads under scheduled sampling.

    Args:
        target: the teacher's tokens, int64 (B, T), T at least 1; column 0 is the start token.
        drawn: the model's own tokens for the same positions, int64 (B, T).
        coins: numbers in [0, 1), (B, T); a coin below the share takes the teacher's token.
        share: the probability of the teacher's token, 0 to 1.

    Returns:
        A new tensor, int64 (B, T).

    Raises:
        ValueError: the share is outside 0 to 1, or the shapes of target, drawn and coins differ.

    >>> target, drawn = torch.tensor([[1, 7, 9, 4]]), torch.tensor([[5, 6, 8, 3]])
    >>> sampled_inputs(target, drawn, torch.tensor([[0.9, 0.2, 0.7, 0.4]]), 0.5).tolist()
    [[1, 7, 8, 4]]
    """
    if not 0 <= share <= 1 or not target.shape == drawn.shape == coins.shape:
        raise ValueError(f"`share` must be in 0..1 and the shapes must be alike, got share={share}.")
    mixed = torch.where(coins < share, target, drawn)
    mixed[:, 0] = target[:, 0]
    return mixed


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
    zeros = torch.zeros(2, 3)
    return [
        case("the worked example", *worked, 0.5),
        case("half from the teacher, 5 rows of 13", *draw(5, 13), 0.5),
        case("a small share", *draw(7, 11), 0.13),
        case("a large share, as many rows as columns", *draw(5, 5), 0.8),
        border("a coin equal to the share", target, drawn, coins, 0.5),
        border("a share of 1: teacher forcing", *draw(3, 7), 1.0),
        border("a share of 0: all its own but the first", *draw(3, 7), 0.0),
        border("a share of 0 and coins of 0", *draw(2, 3)[:2], zeros, 0.0),
        border("a share of 1, the whole number", *draw(2, 3), 1),
        border("one row of one token", *draw(1, 1), 0.3),
        border("rows of one token", *draw(3, 1), 0.3),
        border("a share above 1", *draw(2, 3), 1.5),
        border("a share a little above 1", *draw(2, 3), 1.0001),
        border("a share below 0", *draw(2, 3), -0.1),
        border("shapes that differ by one", draw(2, 3)[0], draw(2, 4)[1], draw(2, 3)[2], 0.5),
        border("one coin for each row", *draw(3, 5)[:2], draw(3, 1)[2], 0.5),
        border("one row of coins for all rows", *draw(3, 5)[:2], draw(1, 5)[2], 0.5),
        border("one row of drawn tokens for all rows", draw(3, 5)[0], draw(1, 5)[1], draw(3, 5)[2], 0.5),
    ]


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
    compare=Compare(new=True),
    slips=(
        Slip(
            "reversed",
            ("coins < share, target, drawn", "coins < share, drawn, target"),
            "Teacher and model are exchanged: `share` is the probability of the teacher's token, so a coin below it "
            "takes the token of `target`.",
        ),
        Slip(
            "above",
            ("coins < share", "coins > share"),
            "A coin above the share took the teacher's token. `share` is the probability of the teacher's token: "
            "coins < share.",
        ),
        Slip(
            "start_mixed",
            ("mixed[:, 0] = target[:, 0]", "pass"),
            "The first column was mixed too. It is the start token, before which the model has said nothing: it is "
            "always the target's.",
        ),
        Slip(
            "start_drawn",
            ("= target[:, 0]", "= drawn[:, 0]"),
            "The first column was taken from `drawn`. It is the start token, before which the model has said "
            "nothing: it is always the target's.",
        ),
        Slip(
            "first_row_kept",
            ("mixed[:, 0] = target[:, 0]", "mixed[0] = target[0]"),
            "The first row was kept. What is always the target's is the first column: mixed[:, 0].",
        ),
        Slip(
            "one_coin_a_row",
            ("coins < share", "coins[:, :1] < share"),
            "One coin decided for the whole row. Scheduled sampling throws a coin for every token.",
        ),
        Slip(
            "one_coin_a_row_of_the_last",
            ("coins < share", "coins[:, -1:] < share"),
            "One coin decided for the whole row. Scheduled sampling throws a coin for every token, and each has its "
            "own.",
        ),
        Slip(
            "one_coin_for_all",
            ("coins < share", "coins[0] < share"),
            "The coins of the first row decided for all rows. Every token has a coin of its own.",
        ),
        Slip(
            "at_most",
            ("coins < share", "coins <= share"),
            "A coin equal to the share took the teacher's token. Coins lie in [0, 1), so `coin < share` is true with "
            "probability exactly `share`; with <= a share of 0 could still let the teacher in.",
        ),
        Slip(
            "coins_rounded",
            ("coins < share", "coins.round() < share"),
            "The coins were rounded, so that the share plays hardly a part. Compare the coins as they are: coins < "
            "share.",
        ),
        Slip(
            "fixed_half",
            ("coins < share", "coins < 0.5"),
            "The share plays no part: the coins were compared with 0.5. Compare them with `share`.",
        ),
        Slip(
            "shifted",
            ("target, drawn)", "target, drawn.roll(1, 1))"),
            "The model's tokens were moved by one position. drawn[:, t] is already what the model would put at "
            "position t.",
        ),
        Slip(
            "coins_shifted",
            ("coins < share", "coins.roll(1, 1) < share"),
            "The coins were moved by one position. coins[:, t] decides for position t; the first one decides nothing.",
        ),
        Slip(
            "averaged",
            ("torch.where(coins < share, target, drawn)", "(share * target + (1 - share) * drawn).long()"),
            "The ids were averaged. Ids are labels, their mean is some third word: choose one of the two at every "
            "position.",
        ),
        Slip(
            "all_of_the_teacher",
            ("torch.where(coins < share, target, drawn)", "target.clone()"),
            "These are the teacher's tokens alone. Where the coin is not below the share, the decoder reads its own "
            "token.",
        ),
        Slip(
            "all_its_own",
            ("torch.where(coins < share, target, drawn)", "drawn.clone()"),
            "These are the model's tokens alone, but for the first. Where the coin is below the share, the decoder "
            "reads the teacher's.",
        ),
        Slip(
            "as_floats",
            ("return mixed", "return mixed.float()"),
            "The tokens are right, but they came back as floats. Ids are whole numbers: int64.",
        ),
        Slip(
            "drawn_changed",
            (
                "mixed = torch.where(coins < share, target, drawn)",
                "mixed = drawn\n    mixed[coins < share] = target[coins < share]",
            ),
            "The tokens are right, but they were written into `drawn`, the caller's tensor. Make a new one: "
            "torch.where, or .clone() first.",
        ),
        Slip(
            "target_changed",
            (
                "mixed = torch.where(coins < share, target, drawn)\n    mixed[:, 0] = target[:, 0]",
                "start = target[:, 0].clone()\n"
                "    mixed = target\n"
                "    mixed[coins >= share] = drawn[coins >= share]\n"
                "    mixed[:, 0] = start",
            ),
            "The tokens are right, but they were written into `target`, the caller's tensor. Make a new one: "
            "torch.where, or .clone() first.",
        ),
        Slip(
            "share_unchecked",
            ("not 0 <= share <= 1 or ", ""),
            "The mixture is right, but a share outside 0 to 1 went through. It is a probability: raise ValueError.",
        ),
        Slip(
            "shapes_unchecked",
            (" or not target.shape == drawn.shape == coins.shape", ""),
            "The mixture is right, but shapes that differ went through, or raised another error: torch stretches a "
            "row or column of one. Raise ValueError.",
        ),
        Slip(
            "coins_unchecked",
            (" == coins.shape", ""),
            "The shape of the coins was not compared, and torch stretches one coin over a whole row. Raise "
            "ValueError where it differs.",
        ),
        Slip(
            "unchecked",
            ("if not 0 <= share <= 1 or not target.shape == drawn.shape == coins.shape:", "if False:"),
            "The mixture is right, but neither a share outside 0 to 1 nor shapes that differ are refused. Raise "
            "ValueError for both.",
        ),
        Slip(
            "ends_refused",
            ("0 <= share <= 1", "0 < share < 1"),
            "A share of 0 or of 1 was refused. Both are allowed: all tokens its own but the first, or teacher forcing.",
        ),
    ),
    alternatives=(_mix_by_loop, _mix_by_product),
    hints=(
        "For every position there is a coin. When does it choose the teacher, and which position needs no coin?",
        "torch.where(condition, a, b) chooses elementwise. The condition is coins < share; afterwards put the first "
        "column of the target back.",
        "Check share and shapes; mixed = torch.where(coins < share, target, drawn); mixed[:, 0] = target[:, 0]; return "
        "mixed.",
    ),
)
