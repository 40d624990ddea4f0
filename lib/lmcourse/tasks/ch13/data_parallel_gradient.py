import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch13.shared import CLOSE, drawer


def data_parallel_gradient(gradients, token_counts):
    """Return the gradient of the mean loss over the tokens of all processes.

    Args:
        gradients: (n, P): row r is the gradient of the mean loss over the tokens of process r. The row of a process
            without tokens may hold anything, NaN too, and must not count.
        token_counts: n whole numbers, 0 or more: the tokens of each process, a list.

    Returns:
        A tensor (P,).

    Raises:
        ValueError: no process has a token.

    >>> data_parallel_gradient(torch.tensor([[1.0, 0.0], [5.0, 4.0]]), [3, 1])
    tensor([2., 1.])
    """
    if sum(token_counts) == 0:
        raise ValueError("`token_counts` must not all be 0.")
    counts = torch.tensor(token_counts)
    some = counts > 0
    weights = counts[some].to(gradients) / counts.sum()
    return weights @ gradients[some]


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    counts = [2 + abs(int(7 * number)) for number in draw(7).tolist()]
    nothing = draw(3, 2)
    nothing[1] = float("nan")
    endless = draw(3, 4)
    endless[0] = float("inf")
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [5.0, 4.0]]), [3, 1]),
        case("seven processes", draw(7, 3), counts),
        case("three processes, one with most of the tokens", draw(3, 5), [1, 100, 2]),
        border("a process without tokens, whose gradient is not a number", nothing, [3, 0, 5]),
        border("the first process has no tokens, and an infinite gradient", endless, [0, 2, 3]),
        border("one process has all the tokens", draw(3, 2), [0, 6, 0]),
        border("no tokens at all", draw(3, 2), [0, 0, 0]),
        border("one parameter", draw(5, 1), [1, 2, 3, 4, 5]),
        case("float32", draw(3, 4).float(), [5, 3, 1]),
        case("counts in a fixed order", torch.tensor([[8.0], [0.0], [2.0]]).double(), [1, 4, 3]),
    ]


SLIPS = mistakes("""
plain_mean: "Return the gradient of the mean loss over the tokens of all processes"
    return weights @ gradients[some] => return gradients[some].mean(dim=0)
  The plain mean over the processes was taken. It is right only if all have equally many tokens: weight each gradient
  with its process's share of the tokens.
not_divided: "(n, P): row r is the gradient of the mean loss over the tokens of process r"
    / counts.sum() =>
  Each gradient was multiplied by its number of tokens, but the sum was not divided by all the tokens.
divided_by_processes: "A tensor (P,)"
    / counts.sum() => / len(counts)
  The sum was divided by the number of processes. Divide by the number of all tokens.
nothing_counts: "The row of a process without tokens may hold anything, NaN too, and must not count"
    counts[some] => counts
    gradients[some] => gradients
  A process without tokens has the weight 0, but 0 times NaN is NaN, and 0 times infinity is, too. Leave its row out.
shares_of_nothing: "no process has a token"
    if sum(token_counts) == 0: => if False:
  No process has a token, and a result was returned all the same. Raise ValueError.
refuses_empty_processes: "The row of a process without tokens may hold anything, NaN too, and must not count"
    if sum(token_counts) == 0: => if 0 in token_counts:
  A single process without tokens was refused. Its row does not count; only if nobody has a token is there nothing to
  return.
""")
HINTS = hints("""
- A mean over all tokens is the sum over all tokens, divided by how many there are. What is the sum of process r?
- Row r times its count is the sum over its tokens. Leave out the rows of processes without tokens first: 0 * NaN is
  NaN.
- counts = torch.tensor(token_counts); some = counts > 0; return counts[some].to(gradients) / counts.sum() @
  gradients[some]
""")
task = Task(
    data_parallel_gradient, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
