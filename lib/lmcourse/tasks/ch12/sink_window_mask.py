import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def sink_window_mask(T, width, num_sinks):
    """Return the mask of a causal window that keeps the first tokens in sight.

    Query t sees the last `width` tokens, itself included, and the first `num_sinks` tokens of the text, but nothing
    of the future.

    Args:
        T: tokens, 0 or more.
        width: at least 1.
        num_sinks: 0 or more, perhaps more than T.

    Returns:
        A bool tensor (T, T), True = may be seen.

    Raises:
        ValueError: `width` below 1, `num_sinks` below 0.

    >>> sink_window_mask(5, 2, 1).int().tolist()
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 0, 1, 1, 0], [1, 0, 0, 1, 1]]
    """
    if width < 1 or num_sinks < 0:
        raise ValueError(f"`width` must be at least 1 and `num_sinks` 0, got {width} and {num_sinks}.")
    query, key = torch.arange(T)[:, None], torch.arange(T)
    return (key <= query) & ((query - key < width) | (key < num_sinks))


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    T = int(rng.integers(11, 31))
    return [
        case("the worked example", 5, 2, 1),
        case("a drawn length", T, int(rng.integers(2, 6)), int(rng.integers(1, 5))),
        case("more sinks than the window is wide", 13, 2, 5),
        border("no sinks", 7, 3, 0),
        border("a window of one", 7, 1, 2),
        border("a window as long as the text", 7, 7, 0),
        border("more sinks than tokens: the whole past", 5, 1, 9),
        border("no tokens", 0, 2, 1),
        border("a width of zero", 5, 0, 1),
        border("a negative number of sinks", 5, 2, -1),
        border("a width below zero", 5, -3, 2),
        border("a width of zero and no tokens", 0, 0, 1),
        border("a negative number of sinks and no tokens", 0, 2, -1),
    ]


SLIPS = mistakes("""
one_too_wide: "Query t sees the last `width` tokens, itself included, and the first `num_sinks` tokens of the"
    query - key < width => query - key <= width
  The window is one token too wide. It counts the token itself: with a width of 1 a token sees only itself.
future_sinks: "Query t sees the last `width` tokens, itself included, and the first `num_sinks` tokens of the"
    (key <= query) & ((query - key < width) | (key < num_sinks)) =>
        ((key <= query) & (query - key < width)) | (key < num_sinks)
  The early queries see sinks that come after them. Sinks are kept in sight, but never from the future.
no_sinks: "Return the mask of a causal window that keeps the first tokens in sight"
    ) | (key < num_sinks) => )
  The sinks are missing: the first tokens stay in sight, however far back they are.
both_sides: "Query t sees the last `width` tokens, itself included, and the first `num_sinks` tokens of the"
    (key <= query) & ((query - key < width) | (key < num_sinks)) =>
        ((query - key).abs() < width) | ((key < num_sinks) & (key <= query))
  The window reaches into the future. It ends at the token itself.
turned: "A bool tensor (T, T), True = may be seen"
    torch.arange(T)[:, None], torch.arange(T) => torch.arange(T), torch.arange(T)[:, None]
  Rows and columns are exchanged. A row belongs to the query.
inverted: "A bool tensor (T, T), True = may be seen"
    return (key <= query) & ((query - key < width) | (key < num_sinks)) =>
        return ~((key <= query) & ((query - key < width) | (key < num_sinks)))
  True and False are exchanged. In this course True means: may be seen.
""")
HINTS = hints("""
- Three conditions on a pair of query and key: not in the future, near enough, or a sink.
- With the query as a column and the key as a row, comparisons give the whole mask at once.
- query, key = torch.arange(T)[:, None], torch.arange(T); return (key <= query) & ((query - key < width) | ...)
""")
task = Task(sink_window_mask, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
