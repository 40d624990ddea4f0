import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch04.shared import generator_of


def sampled_inputs(target, sampled, coins, ratio):
    """Return the tokens that the decoder reads under scheduled sampling.

    Args:
        target: the teacher's tokens, int64 (B, T), T at least 1; column 0 is the start token.
        sampled: the model's own tokens for the same positions, int64 (B, T).
        coins: numbers in [0, 1), (B, T); a coin below the ratio takes the teacher's token.
        ratio: the teacher forcing ratio, which is the probability of the teacher's token, 0 to 1.

    Returns:
        A new tensor, int64 (B, T).

    Raises:
        ValueError: the ratio is outside 0 to 1, or the shapes of target, sampled and coins differ.

    >>> target, sampled = torch.tensor([[1, 7, 9, 4]]), torch.tensor([[5, 6, 8, 3]])
    >>> sampled_inputs(target, sampled, torch.tensor([[0.9, 0.2, 0.7, 0.4]]), 0.5).tolist()
    [[1, 7, 8, 4]]
    """
    if not 0 <= ratio <= 1 or not target.shape == sampled.shape == coins.shape:
        raise ValueError(f"`ratio` must be in 0..1 and the shapes must be alike, got ratio={ratio}.")
    mixed = torch.where(coins < ratio, target, sampled)
    mixed[:, 0] = target[:, 0]
    return mixed


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, T: int) -> tuple[Tensor, Tensor, Tensor]:
        target = torch.randint(3, 31, (B, T), generator=generator)
        target[:, 0] = 1
        sampled = target + torch.randint(40, 60, (B, T), generator=generator)
        coins = torch.rand(B, T, generator=generator)
        coins[:, 0] = 0.9 + 0.09 * torch.rand(B, generator=generator)  # the start would be sampled, were it not kept
        return target, sampled, coins

    worked = (torch.tensor([[1, 7, 9, 4]]), torch.tensor([[5, 6, 8, 3]]), torch.tensor([[0.9, 0.2, 0.7, 0.4]]))
    target, sampled, coins = draw(3, 5)
    coins[1, 2] = 0.5
    zeros = torch.zeros(2, 3)
    large = torch.tensor([[1, 2**53 + 1, 2**53 + 3]]), torch.tensor([[5, 2**53 + 5, 2**53 + 7]])
    return [
        case("the worked example", *worked, 0.5),
        case("half from the teacher, 5 rows of 13", *draw(5, 13), 0.5),
        case("a small ratio", *draw(7, 11), 0.13),
        case("a large ratio, as many rows as columns", *draw(5, 5), 0.8),
        border("a coin equal to the ratio", target, sampled, coins, 0.5),
        border("a ratio of 1: teacher forcing", *draw(3, 7), 1.0),
        border("a ratio of 0: all its own but the first", *draw(3, 7), 0.0),
        border("a ratio of 0 and coins of 0", *draw(2, 3)[:2], zeros, 0.0),
        border("a ratio of 1, the whole number", *draw(2, 3), 1),
        border("numbers of tokens that float32 does not hold", 2**24 + target, 2**24 + sampled, coins, 0.5),
        border("numbers of tokens that float64 does not hold", *large, torch.tensor([[0.9, 0.2, 0.7]]), 0.5),
        border("a ratio above 1", *draw(2, 3), 1.5),
        border("a ratio a little above 1", *draw(2, 3), 1.0001),
        border("a ratio below 0", *draw(2, 3), -0.1),
        border("one coin for each row", *draw(3, 5)[:2], draw(3, 1)[2], 0.5),
        border("one row of coins for all rows", *draw(3, 5)[:2], draw(1, 5)[2], 0.5),
        border("as many tokens in other shapes", torch.ones(2, 3).long(), torch.ones(3, 2).long(), zeros, 0.5),
        border("shapes that differ, and a ratio of 1", torch.ones(2, 3).long(), torch.ones(2, 4).long(), zeros, 1.0),
    ]


SLIPS = mistakes("""
reversed: "the teacher forcing ratio, which is the probability of the teacher's token, 0 to 1"
    coins < ratio, target, sampled => coins < ratio, sampled, target
  Teacher and model are exchanged: `ratio` is the probability of the teacher's token, so a coin below it takes the token
  of `target`.
start_mixed: "column 0 is the start token"
    mixed[:, 0] = target[:, 0] => pass
  The first column was mixed too. It is the start token, before which the model has said nothing: it is always the
  target's.
one_coin_a_row_of_the_last
    coins < ratio => coins[:, -1:] < ratio
  One coin decided for the whole row. Scheduled sampling throws a coin for every token, and each has its own.
at_most: "a coin below the ratio takes the teacher's token"
    coins < ratio => coins <= ratio
  A coin equal to the ratio took the teacher's token. Coins lie in [0, 1), so `coin < ratio` is true with probability
  exactly `ratio`; with <= a ratio of 0 could still let the teacher in.
shifted: "the model's own tokens for the same positions, int64 (B, T)"
    target, sampled) => target, sampled.roll(1, 1))
  The model's tokens were moved by one position. sampled[:, t] is already what the model would put at position t.
drawn_changed: "A new tensor"
    mixed = torch.where(coins < ratio, target, sampled) => mixed = sampled
    |    mixed[coins < ratio] = target[coins < ratio]
  The tokens are right, but they were written into `sampled`, the caller's tensor. Make a new one: torch.where, or
  .clone() first.
target_changed: "A new tensor"
    mixed = torch.where(coins < ratio, target, sampled)
    |    mixed[:, 0] = target[:, 0] => start = target[:, 0].clone()
    |    mixed = target
    |    mixed[coins >= ratio] = sampled[coins >= ratio]
    |    mixed[:, 0] = start
  The tokens are right, but they were written into `target`, the caller's tensor. Make a new one: torch.where, or
  .clone() first.
coins_unchecked: "the shapes of target, sampled and coins differ"
    == coins.shape =>
  The shape of the coins was not compared, and torch stretches one coin over a whole row. Raise ValueError where it
  differs.
ends_refused: "the ratio is outside 0 to 1"
    0 <= ratio <= 1 => 0 < ratio < 1
  A ratio of 0 or of 1 was refused. Both are allowed: all tokens its own but the first, or teacher forcing.
""")
HINTS = hints("""
- For every position there is a coin. When does it choose the teacher, and which position needs no coin?
- torch.where(condition, a, b) chooses elementwise. The condition is coins < ratio; afterwards put the first column of
  the target back.
- Check ratio and shapes; mixed = torch.where(coins < ratio, target, sampled); mixed[:, 0] = target[:, 0]; return mixed.
""")
task = Task(
    sampled_inputs, points=2, difficulty=2, minutes=15, cases=cases, compare=Compare(new=True), slips=SLIPS, hints=HINTS
)
