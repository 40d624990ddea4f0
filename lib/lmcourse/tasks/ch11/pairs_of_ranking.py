import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def pairs_of_ranking(replies, ranks):
    """Return the comparisons that a ranking holds.

    Args:
        replies: a list of str, in which a text may come twice; it may be empty.
        ranks: of each reply, whole numbers; the smallest is best.

    Returns:
        A list of (better, worse) pairs: first those of the first reply with later ones, then those of the second with
        later ones, and so on.

    >>> pairs_of_ranking(["a", "b", "c"], [2, 1, 2])
    [('b', 'a'), ('b', 'c')]
    """
    pairs = []
    for i in range(len(replies)):
        for j in range(i + 1, len(replies)):
            if ranks[i] < ranks[j]:
                pairs.append((replies[i], replies[j]))
            elif ranks[j] < ranks[i]:
                pairs.append((replies[j], replies[i]))
    return pairs


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def drawn(n: int, highest: int) -> tuple[list[str], list[int]]:
        names = torch.randperm(26, generator=generator)[:n].tolist()
        return [chr(97 + name) for name in names], torch.randint(1, highest + 1, (n,), generator=generator).tolist()

    order = (torch.randperm(5, generator=generator) + 1).tolist()
    return [
        case("the worked example", ["a", "b", "c"], [2, 1, 2]),
        case("five replies, all of different rank", list("pqrst"), order),
        border("seven replies with ties", *drawn(7, 3)),
        border("all of equal rank", ["x", "y", "z"], [1, 1, 1]),
        border("no replies", [], []),
        case("ranks with gaps", ["k", "m", "n"], [10, 3, 7]),
        case("ties among others", ["p", "q", "r", "s"], [2, 3, 2, 1]),
        border("two equal texts of different rank", ["a", "b", "a"], [1, 2, 3]),
        border("two equal texts of equal rank, below a third", ["a", "b", "a"], [2, 1, 2]),
        border("empty texts", ["", "x", ""], [2, 3, 1]),
        border("ranks of 0 and below", ["k", "m", "n"], [0, -5, 3]),
    ]


SLIPS = mistakes("""
ties: "of each reply, whole numbers"
    ranks[i] < ranks[j] => ranks[i] <= ranks[j]
  Replies of equal rank were paired. A tie says nothing of which is better: leave it out.
worse_first: "A list of (better, worse) pairs"
    ranks[i] < ranks[j] => ranks[i] > ranks[j]
    ranks[j] < ranks[i] => ranks[j] > ranks[i]
  The worse reply comes first. Rank 1 is the best, so the smaller rank wins.
adjacent
    range(i + 1, len(replies)) => range(i + 1, min(i + 2, len(replies)))
  Only replies that stand side by side in the list were compared. Compare every reply with every other.
sorted_first: "first those of the first reply with later ones"
    pairs = [] => order = sorted(range(len(replies)), key=lambda i: ranks[i])
    |    replies, ranks = [replies[i] for i in order], [ranks[i] for i in order]
    |    pairs = []
  The right pairs, but in the order of the ranks. Go through the replies as they are listed.
by_winner: "then those of the second with later ones"
    range(i + 1, len(replies)) => range(len(replies))
    ranks[j] < ranks[i] => False
  The right pairs, but grouped by the better reply. Go through the replies as they are listed: all pairs with the first
  one, then those of the second with later ones.
each_text_once: "a list of str, in which a text may come twice"
    if ranks[i] < ranks[j]: => if replies[i] == replies[j]:
    |                continue
    |            if ranks[i] < ranks[j]:
  Two replies of the same text were not compared. They are two replies, and their ranks may differ.
without_repeats
    return pairs => return list(dict.fromkeys(pairs))
  Pairs that read alike were made one. Every two replies of unequal rank give a pair of their own.
""")
HINTS = hints("""
- Every two of the replies are one comparison, unless they are tied. In which order do they come?
- Two loops, i and j > i. The smaller rank goes first; equal ranks are passed over.
- if ranks[i] < ranks[j]: pairs.append((replies[i], replies[j])); elif ranks[j] < ranks[i]: pairs.append((replies[j],
  replies[i]))
""")
task = Task(pairs_of_ranking, points=2, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
