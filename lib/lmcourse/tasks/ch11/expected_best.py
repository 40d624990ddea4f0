import math

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch11.shared import drawer


def expected_best(proxy, true, n):
    """Return the expected true reward of the best of n by proxy.

    Args:
        proxy: the judge's rewards, a list of N floats, all different.
        true: the true rewards, a list of N floats.
        n: how many are drawn, without putting back.

    Returns:
        A float.

    Raises:
        ValueError: n is not in 1..N.

    >>> round(expected_best([0.0, 1.0, 2.0], [5.0, 7.0, 6.0], 2), 3)
    6.333
    """
    N = len(proxy)
    if not 1 <= n <= N:
        raise ValueError(f"n must be in 1..{N}, got {n}")
    order = sorted(range(N), key=lambda reply: proxy[reply])
    return sum(math.comb(i, n - 1) / math.comb(N, n) * true[reply] for i, reply in enumerate(order))


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def rewards(count: int) -> tuple[list[float], list[float]]:
        return draw(count).tolist(), draw(count).tolist()

    return [
        case("the worked example", [0.0, 1.0, 2.0], [5.0, 7.0, 6.0], 2),
        case("eleven replies, best of three", *rewards(11), 3),
        case("seven replies, best of five", *rewards(7), 5),
        border("n = 1: the mean", *rewards(5), 1),
        border("all of them: the one that the proxy likes best", *rewards(7), 7),
        border("one reply", *rewards(1), 1),
        border("equal true rewards", draw(5).tolist(), [2.5] * 5, 3),
        border("n = 0", *rewards(3), 0),
        border("n above the number of replies", *rewards(3), 4),
        border("rewards of different magnitudes", [1e-30, 2e-30, -1e4, 1e4], [1e4, -1e4, 1e-30, 5.0], 2),
        case("true rewards below 0", [1.0, 2.0, 3.0], [-1.0, -5.0, -2.0], 2),
        border("proxies that differ in the ninth place", [1.0 + 1e-9, 1.0, 0.5], [3.0, 7.0, 1.0], 3),
        border("n below 0", *rewards(3), -1),
        border("no replies", [], [], 1),
        border("no replies and n = 0", [], [], 0),
    ]


SLIPS = mistakes("""
by_true: "the true rewards, a list of N floats"
    proxy[reply] => true[reply]
  The winner was picked by its true reward. Nobody knows that one: the proxy picks, the truth is what you get.
proxy: "Return the expected true reward of the best of n by proxy"
    * true[reply] => * proxy[reply]
  What came back is the proxy reward of the winner. The proxy picks; report the true reward of its pick.
put_back: "how many are drawn, without putting back"
    math.comb(i, n - 1) => ((i + 1) ** n - i**n)
    math.comb(N, n) => N**n
  That draws with replacement, so that a reply can meet itself. Choose n different ones of the N: C(i, n - 1) / C(N, n).
worst
    key=lambda reply: proxy[reply] => key=lambda reply: -proxy[reply]
  The order is turned around: this is the worst of n. The reply at position i, counted from 0 at the worst, wins if the
  other n - 1 are below it.
unchecked: "n is not in 1..N"
    raise ValueError(f"n must be in 1..{N}, got {n}") => n = min(max(n, 1), N)
  The value is right, but an n of 0 or beyond the number of replies went through. Raise ValueError.
unsorted: "the judge's rewards, a list of N floats, all different"
    sorted(range(N), key=lambda reply: proxy[reply]) => list(range(N))
  The replies were taken in the order in which they stand. Sort them by their proxy rewards first.
n_below
    math.comb(i, n - 1) => math.comb(i, n)
  n replies were chosen below the winner. It is one of the n itself: the other n - 1 stand below it.
neighbours
    sum(math.comb(i, n - 1) / math.comb(N, n) * true[reply] for i, reply in enumerate(order)) =>
        sum(true[max(range(k, k + n), key=lambda i: proxy[i])] for k in range(N - n + 1)) / (N - n + 1)
  Only replies that stand side by side were drawn together. Any n of the N may be drawn.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6)
HINTS = hints("""
- Sort the replies by proxy. In how many of the choices of n does the reply at position i win?
- It wins if the other n - 1 all stand below it: math.comb(i, n - 1) choices, i counted from 0 at the worst, of
  math.comb(N, n).
- ordered = true rewards sorted by proxy; return sum(math.comb(i, n - 1) * r for i, r in enumerate(ordered)) /
  math.comb(N, n)
""")
task = Task(expected_best, points=3, difficulty=4, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
