from dataclasses import replace

import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, drawer


def mean_ablate(mixed, heads, num_heads, reference):
    """Return what the heads have gathered, with some heads replaced by what they gather on average.

    Args:
        mixed: of the texts that are looked at, (B, T, H K): head h owns the columns h K to (h + 1) K.
        heads: the heads to silence, a list of numbers from 0 to H - 1, perhaps empty.
        num_heads: H.
        reference: the same of other texts, (B', T', H K): the average is taken over all of their tokens.

    Returns:
        A new tensor (B, T, H K); `mixed` is left as it is.

    >>> mixed, reference = torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[3.0, 4.0], [5.0, 8.0]]])
    >>> mean_ablate(mixed, [1], 2, reference).tolist()
    [[[1.0, 6.0]]]
    """
    K = mixed.shape[-1] // num_heads
    average = reference.mean(dim=(0, 1))  # (H K,)
    result = mixed.clone()
    for head in heads:
        result[..., head * K : (head + 1) * K] = average[head * K : (head + 1) * K]
    return result


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = torch.tensor([[[1.0, 2.0]]]), [1], 2, torch.tensor([[[3.0, 4.0], [5.0, 8.0]]])
    return [
        case("the worked example", *worked),
        case("one head of three", draw(2, 5, 21), [1], 3, draw(3, 7, 21)),
        case("two heads of five", draw(3, 2, 15), [4, 0], 5, draw(2, 11, 15)),
        case("as many texts as heads", draw(3, 5, 9), [2], 3, draw(5, 3, 9)),
        border("no head", draw(2, 3, 10), [], 2, draw(2, 5, 10)),
        border("all heads", draw(2, 3, 6), [0, 1, 2], 3, draw(3, 5, 6)),
        border("the last head", draw(2, 3, 14), [6], 7, draw(3, 5, 14)),
        border("a single head as wide as the model", draw(2, 3, 5), [0], 1, draw(3, 7, 5)),
        border("one text of one token", draw(1, 1, 6), [1], 2, draw(1, 1, 6)),
        border("the same head twice", draw(2, 3, 10), [1, 1], 2, draw(3, 5, 10)),
    ]


SLIPS = mistakes("""
zeros: "Return what the heads have gathered, with some heads replaced by what they gather on average"
    = average[head * K : (head + 1) * K] => = 0.0
  The heads were set to zero. Put their average there.
own_mean: "Return what the heads have gathered, with some heads replaced by what they gather on average"
    reference.mean(dim=(0, 1)) => mixed.mean(dim=(0, 1))
  The average was taken over the texts that are looked at, so it still says something about them. Take it over the
  reference texts.
in_place: "`mixed` is left as it is"
    mixed.clone() => mixed
  The result is right, but `mixed` itself was changed. Work on a copy.
the_others: "the heads to silence, a list of numbers from 0 to H - 1, perhaps empty"
    for head in heads: => for head in set(range(num_heads)) - set(heads):
  The heads that were named are left, and all others are silenced. It is the other way round.
first_text: "the same of other texts, (B', T', H K): the average is taken over all of their tokens"
    reference.mean(dim=(0, 1)) => reference[0].mean(dim=0)
  The average is that of the first reference text. Take it over all texts and all their tokens.
every_hth_column: "of the texts that are looked at, (B, T, H K): head h owns the columns h K to (h + 1) K"
    * K : (head + 1) * K] = average[head * K : (head + 1) * K => ::num_heads] = average[head::num_heads
  Every H-th column was replaced. The columns of a head stand side by side: h K to (h + 1) K.
one_number: "A new tensor (B, T, H K)"
    = average[head * K : (head + 1) * K] => = average[head * K : (head + 1) * K].mean()
  One number was put into all columns of a head. Each column has an average of its own.
first_head_only: "the heads to silence, a list of numbers from 0 to H - 1, perhaps empty"
    for head in heads: => for head in heads[:1]:
  Only the first of the named heads was silenced.
""")
HINTS = hints("""
- Which columns belong to head h? And over which two axes of `reference` is the average taken?
- Copy first; then write the average's columns h K to (h + 1) K into those of the copy, for each named head.
- average = reference.mean(dim=(0, 1)); result = mixed.clone(); for h in heads: part = slice(h * K, (h + 1) * K);
  result[..., part] = average[part]
""")
task = Task(
    mean_ablate,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=replace(CLOSE, new=True),
    slips=SLIPS,
    hints=HINTS,
)
