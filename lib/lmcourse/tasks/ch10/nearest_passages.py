import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double


def nearest_passages(query, passages, k):
    """Return the numbers of the k most similar passages, best first; of equals the one that stands first.

    Args:
        query: (D,).
        passages: (N, D).
        k: 0 or more; if it is more than N, all come back.

    Returns:
        A list of int, counted from 0.

    >>> nearest_passages(torch.tensor([1.0, 0.2]), torch.tensor([[3.0, 0.0], [1.0, 1.0], [0.0, 9.0]]), 2)
    [0, 1]
    """
    lengths = passages.norm(dim=1) * query.norm()
    cosines = passages @ query / lengths.masked_fill(lengths == 0, 1.0)
    return cosines.argsort(descending=True, stable=True)[:k].tolist()


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=torch.float64)

    long = draw(7, 5)
    stretched = torch.cat([long, 23 * long[:1].flip(1)])
    alike = double([[1.0, 1.0], [0.0, -1.0], [1.0, 1.0]])
    empty_one = torch.cat([torch.zeros(1, 3).double(), draw(4, 3)])
    lengths = double([[1e4, 0.0], [1e-3, 5e-4], [1e-4, 1e-4], [0.25, -0.05], [-1e-4, 1e-4]])
    zeros = double([[-2.0, 0.0], [0.0, 0.0], [0.0, 5.0], [0.0, 0.0], [3.0, 1.0]])
    return [
        case("the worked example", double([1.0, 0.2]), double([[3.0, 0.0], [1.0, 1.0], [0.0, 9.0]]), 2),
        case("three of eleven", draw(7), draw(11, 7), 3),
        case("a long passage that points elsewhere", long[0] + 0.3 * draw(5), stretched, 2),
        case("all of them, in order", draw(3), draw(5, 3), 5),
        case("k beyond their number", draw(3), draw(2, 3), 11),
        border("two of equal cosine: the first one first", draw(2).abs(), alike, 2),
        border("a passage of no words, all zeros", draw(3), empty_one, 5),
        border("k is 0: none", draw(3), draw(5, 3), 0),
        border("passages of very different lengths", double([0.5, 0.25]), lengths, 4),
        case("float32", torch.tensor([1.0, 2.0]), torch.tensor([[3.0, 1.0], [0.1, 0.2], [-1.0, 5.0], [-1.0, -2.0]]), 3),
        border("forty passages in two directions", double([3.0, 4.0]), double([[4, 3], [3, 4]]).repeat(20, 1), 25),
        border("passages of zeros above and below others", double([1.0, 0.0]), zeros, 5),
        border("a query of zeros", torch.zeros(3).double(), draw(4, 3), 2),
        border("one number a vector", double([-2.0]), double([[3.0], [-0.5], [-7.0], [0.0]]), 3),
        border("k beyond the number of equal passages", double([1.0, 0.0]), double([[2.0, 0.0], [2.0, 0.0]]), 3),
    ]


SLIPS = mistakes("""
dot
    / lengths.masked_fill(lengths == 0, 1.0) =>
  The passages were ranked by the plain dot product, so long vectors win. Divide by their lengths: cosine.
distance
    passages @ query / lengths.masked_fill(lengths == 0, 1.0) => -(passages - query).norm(dim=1)
  This ranks by distance, in which length plays a part too. Rank by the cosine of the angle.
farthest: "Return the numbers of the k most similar passages, best first"
    descending=True => descending=False
  The least similar passages came first. The largest cosine is the most similar.
absolute
    cosines.argsort => cosines.abs().argsort
  A cosine near -1 is the opposite of similar. Do not take the absolute value.
zero_divided: "(N, D)"
    lengths.masked_fill(lengths == 0, 1.0) => lengths
  A passage of zeros came before all others, as 0 / 0, which is not a number, does when it is sorted. Its cosine is 0.
zeros_last
    cosines.argsort => cosines.masked_fill(lengths == 0, float("-inf")).argsort
  A passage of zeros was put behind all others. Its cosine is 0, which is more than a negative one.
last_of_equals: "of equals the one that stands first"
    cosines.argsort(descending=True, stable=True) => cosines.argsort(stable=True).flip(0)
  Of equal passages the last one came first: turning an ascending order round turns the ties round, too. Sort with
  descending=True, stable=True.
k_unlimited: "if it is more than N, all come back"
    cosines.argsort(descending=True, stable=True)[:k] => cosines.topk(k).indices
  topk fails when k is larger than the number of passages. All of them come back then: take the smaller of the two.
no_zero_k: "0 or more"
    [:k] => [: max(k, 1)]
  With k = 0 a passage came back. None is wanted then: an empty list.
a_tensor: "A list of int, counted from 0"
    .tolist() =>
  A tensor came back. A list of Python's ints is asked for: .tolist().
""")
HINTS = hints("""
- Which number says how alike two vectors are, whatever their lengths?
- cosines = passages @ query / (lengths of the passages * length of the query); clamp the lengths, for zeros.
- return cosines.argsort(descending=True, stable=True)[:k].tolist()
""")
task = Task(nearest_passages, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
