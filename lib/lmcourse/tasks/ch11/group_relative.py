import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer, numbers


def group_relative(rewards, prompts):
    """Return by how much each reply did better than the other replies to its prompt, in the mean.

    Args:
        rewards: of replies in any order, (B,).
        prompts: which prompt each reply answers, whole numbers, (B,). The groups may be of different sizes.

    Returns:
        The advantages, (B,): the reward minus the mean reward of the others in the group. A reply that is the only one
        to its prompt has nothing to be compared with: 0.

    >>> rewards, prompts = torch.tensor([1.0, 5.0, 2.0, 6.0, 7.0]), torch.tensor([4, 0, 4, 4, 9])
    >>> group_relative(rewards, prompts).tolist()
    [-3.0, 0.0, -1.5, 4.5, 0.0]
    """
    same = prompts.unsqueeze(1) == prompts  # (B, B)
    others = same.sum(dim=1) - 1
    mean = (same * rewards).sum(dim=1).sub(rewards) / others.clamp(min=1)
    return (rewards - mean).where(others > 0, 0.0)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def groups(n: int, replies: int) -> Tensor:
        return torch.randint(n, (replies,), generator=generator)

    def apart(n: int, replies: int) -> tuple[Tensor, Tensor]:
        """Rewards in float32 and their prompts, such that no reward nearly is the mean of the others in its group.

        The difference of two nearly equal numbers is their rounding.
        """
        while True:
            rewards, prompts = single(replies), groups(n, replies)
            found = group_relative(rewards, prompts)
            if (found[found != 0].abs() > 0.25).all():
                return rewards, prompts

    def ids(*values: int) -> Tensor:
        return torch.tensor(values)

    return [
        case("the worked example", numbers(1, 5, 2, 6, 7), ids(4, 0, 4, 4, 9)),
        case("seventeen replies to five prompts", draw(17), groups(5, 17)),
        case("groups of four, one after the other", draw(12), torch.arange(12) // 4),
        case("groups of unlike difficulty", draw(9) + torch.arange(9) // 3 * 10, torch.arange(9) // 3),
        case("groups of two, three and five", numbers(1, 2, 3, 4, 6, 8, 1, 0, 0, 1), ids(0, 0, 1, 1, 1, 2, 2, 2, 2, 2)),
        case("rewards of 0 and 1", numbers(0, 0, 0, 1, 1, 1, 0, 1), ids(3, 3, 3, 3, 7, 7, 7, 7)),
        case("prompts with large numbers and negative ones", numbers(1, 2, 3, 5), ids(-7, 10**12, -7, 10**12)),
        case("float32", *apart(3, 9)),
        border("one prompt", draw(5), torch.zeros(5, dtype=torch.long)),
        border("one prompt, two replies", numbers(3.0, -1.0), ids(2, 2)),
        border("one reply alone, among groups", numbers(4.0, 1.0, 9.0, 2.0), ids(1, 1, 5, 1)),
        border("equal rewards", numbers(0.7, 0.7, 0.7, 0.7), ids(1, 1, 1, 1)),
        border("no replies", numbers(), torch.zeros(0, dtype=torch.long)),
        border("groups of different magnitudes", numbers(1e4, -1e4, 0, 1e-6, 3e-6, 2e-6), ids(0, 0, 0, 1, 1, 1)),
        border("prompts beyond the digits of a float", numbers(1, 2, 5), ids(2**53, 2**53 + 1, 2**53)),
    ]


SLIPS = mistakes("""
with_itself: "Return by how much each reply did better than the other replies to its prompt, in the mean"
    (same * rewards).sum(dim=1).sub(rewards) / others.clamp(min=1) => (same * rewards).sum(dim=1) / (others + 1)
  Each reply was compared with the mean of its whole group, itself among them. Leave it out: then its own reward does
  not move what it is measured by.
divided_by_all: "the reward minus the mean reward of the others in the group"
    others.clamp(min=1) => (others + 1)
  The sum of the others was divided by the size of the group. There is one fewer of them.
over_all: "which prompt each reply answers"
    prompts.unsqueeze(1) == prompts => prompts.unsqueeze(1) * 0 == prompts * 0
  All prompts were thrown together. Then an easy prompt's worst reply beats a hard prompt's best: compare within the
  group.
alone_keeps_its_reward: "A reply that is the only one to its prompt has nothing to be compared with: 0"
    .where(others > 0, 0.0) =>
  A reply alone in its group kept its reward as its advantage. There is nothing to compare it with: 0.
nan: "A reply that is the only one to its prompt has nothing to be compared with: 0"
    .clamp(min=1) =>
    .where(others > 0, 0.0) =>
  A reply alone in its group gave 0 / 0, which is not a number. Its advantage is 0.
sign
    rewards - mean => mean - rewards
  The sign is turned round: a reply that earned more than the others has a positive advantage.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-9)
HINTS = hints("""
- Which replies have the same prompt as reply b? Leave out b itself: what did the rest earn in the mean?
- same = prompts.unsqueeze(1) == prompts is a (B, B) matrix: row b is True where the prompt is that of b. It gives the
  sum of each group, and how many are in it. Take off the reply's own reward and its own count.
- others = same.sum(1) - 1; mean = ((same * rewards).sum(1) - rewards) / others.clamp(min=1); return (rewards -
  mean).where(others > 0, 0.0)
""")
task = Task(group_relative, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
