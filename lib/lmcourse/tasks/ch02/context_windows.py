import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def context_windows(ids, order, pad):
    """Return each word's context, the order - 1 words before it, and the words themselves.

    Args:
        ids: the text, a list of int; it may be empty, and a word may have the same id as the padding.
        order: the length of the n-gram, the predicted word included.
        pad: the id that is put where there is no word, any int.

    Returns:
        contexts, a list of lists of order - 1 ids, the nearest word last; and the predicted ids, a list. Both are new
        lists; for an empty text both are empty. With order 1 every context is an empty list.

    Raises:
        ValueError: the order is below 1.

    >>> context_windows([5, 6, 7], 3, 0)
    ([[0, 0], [0, 5], [5, 6]], [5, 6, 7])
    """
    if order < 1:
        raise ValueError(f"`order` must be at least 1, got {order}.")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[start : start + order - 1] for start in range(len(ids))]
    return contexts, list(ids)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def text(n_tokens: int) -> list[int]:
        return [int(word) for word in rng.permutation(50)[:n_tokens] + 1]

    return [
        case("the worked example", [5, 6, 7], 3, 0),
        case("eleven words, order 4", text(11), 4, 0),
        case("another padding token", text(7), 3, 99),
        border("order 2: one word before", text(5), 2, 0),
        case("a text shorter than the window", text(2), 7, 0),
        case("as many words as the context has", text(3), 4, 0),
        case("words with the id of the padding", [0, 7, 0, 0, 3], 3, 0),
        case("a padding token below 0", text(4), 3, -1),
        border("order 1: no words before", text(5), 1, 0),
        border("one word", text(1), 3, 0),
        border("ids above 2 ** 53, which a float rounds", [2**53 + 1, 2**53 + 3], 3, 2**53 + 5),
        border("no words", [], 3, 0),
        border("no words, order 1", [], 1, 0),
        border("order 0", text(3), 0, 0),
        border("an order below 0", text(3), -2, 0),
        border("order 0 and no words", [], 0, 0),
    ]


SLIPS = mistakes("""
unpadded: "a word may have the same id as the padding"
    return contexts, list(ids) => return contexts[order - 1 :], list(ids)[order - 1 :]
  The first words are predicted nowhere, since they have too few words before them. Fill the missing positions with the
  padding token, so that every word is predicted once.
reversed: "the nearest word last"
    padded[start : start + order - 1] => padded[start : start + order - 1][::-1]
  The words of each context are in reverse order. Keep the order of the text, the nearest word last: the network has its
  own weights for each position.
with_target: "the order - 1 words before it"
    start + order - 1] => start + order]
  The context ends with the word that is to be predicted. A model that sees the answer learns to copy it.
padded_right: "the nearest word last"
    padded[start : start + order - 1] for => [*ids[max(0, start - order + 1) : start], *[pad] * (order - 1 - start)] for
  The padding tokens are at the end of the context. Put them at the front; the nearest word is always last.
unfilled: "the id that is put where there is no word, any int"
    padded[start : start + order - 1] => list(ids[max(0, start - order + 1) : start])
  The contexts of the first words are too short. Fill the front with the padding token, so that each holds order - 1
  ids: the network needs all of one length.
zero_padding: "the id that is put where there is no word, any int"
    [pad] * => [0] *
  The padding is always 0. Use the argument `pad`.
one_pad: "the id that is put where there is no word, any int"
    [pad] * (order - 1) => [pad]
  There is one padding token in front of the text, whatever the order. The first word has order - 1 of them before it.
same_list: "Both are new lists"
    return contexts, list(ids) => return contexts, ids
  The list of predicted words is `ids` itself. If it is changed later, so is the text: return a new list, list(ids).
no_unigrams: "With order 1 every context is an empty list"
    if order < 1: => if order < 2:
  Order 1 was refused. It is allowed: each word is then predicted from an empty context.
""")
CLOSE = Compare(new=True)
HINTS = hints("""
- How many padding tokens does the very first word need before it?
- padded = [pad] * (order - 1) + list(ids). Where in `padded` does the context of word 0 begin?
- return [padded[i : i + order - 1] for i in range(len(ids))], list(ids), after a check of the order
""")
task = Task(context_windows, points=2, difficulty=2, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
