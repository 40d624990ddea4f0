import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def encode_decode(ids, encoder, decoder):
    """Return the scores that a linear encoder and decoder give to every word.

    Args:
        ids: T word ids from 0 to V - 1, a list of int; an id may come more than once, and the list may be empty.
        encoder: an array of float64, shape (V, D).
        decoder: an array of float64, shape (D, V).

    Returns:
        An array of float64, shape (T, V): row t holds the scores for ids[t]; (0, V) for an empty list. Which of the two
        products is computed first is up to you.

    Raises:
        ValueError: an id is below 0, or V or more.

    >>> encoder = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> encode_decode([2], encoder, np.array([[2.0, 0.0, -1.0], [0.0, 3.0, 1.0]])).tolist()
    [[2.0, 3.0, 0.0]]
    """
    if any(not 0 <= word < len(encoder) for word in ids):
        raise ValueError(f"`ids` must be in 0..V-1 with V={len(encoder)}, got {ids}.")
    return encoder[np.asarray(ids, dtype=int)] @ decoder


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def machine(n_words: int, width: int) -> tuple[np.ndarray, np.ndarray]:
        return rng.normal(size=(n_words, width)), rng.normal(size=(width, n_words))

    def ids(n_tokens: int, n_words: int) -> list[int]:
        return [int(word) for word in rng.integers(0, n_words, size=n_tokens)]

    small = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[2.0, 0.0, -1.0], [0.0, 3.0, 1.0]])
    encoder, decoder = machine(3, 7)
    sizes = np.array([[30.0], [-1e-4], [1.0]])
    return [
        case("the worked example", [2, 0], *small),
        case("five words of seven, three numbers each", ids(5, 7), *machine(7, 3)),
        case("a hidden vector wider than the vocabulary", ids(3, 5), *machine(5, 11)),
        case("as many words as there are, each with as many numbers", ids(5, 5), *machine(5, 5)),
        border("one word", ids(1, 7), *machine(7, 2)),
        border("one number a word", ids(3, 5), *machine(5, 1)),
        case("the same word twice", [3, 1, 3], *machine(5, 2)),
        case("ids in descending order", [4, 3, 1, 0], *machine(5, 2)),
        case("more ids than words", [0, 2, 1, 0, 2, 2, 1], *machine(3, 2)),
        case("rows of different magnitudes", [1, 0, 2], sizes * encoder, decoder),
        border("the last word of a vocabulary that is larger than D", [4, 0], *machine(5, 2)),
        border("one word in the vocabulary", [0, 0], *machine(1, 3)),
        border("no words", [], *machine(5, 2)),
        case("an id as large as the vocabulary", [1, 5], *machine(5, 2)),
        border("an id beyond the vocabulary, but below D", [3], *machine(3, 7)),
        border("the first id beyond the vocabulary", [17, 1], *machine(5, 2)),
        border("a negative id", [1, -1], *machine(5, 2)),
        border("a negative id first", [-5, 0], *machine(5, 2)),
    ]


SLIPS = mistakes("""
probabilities: "Return the scores that a linear encoder and decoder give to every word"
    return encoder[np.asarray(ids, dtype=int)] @ decoder => scores = encoder[np.asarray(ids, dtype=int)] @ decoder
    |    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    |    return powers / powers.sum(axis=1, keepdims=True)
  These are probabilities. Scores are asked for: leave the softmax out.
each_word_once: "an id may come more than once"
    np.asarray(ids, dtype=int) => np.asarray(list(dict.fromkeys(ids)), dtype=int)
  A word that comes twice got one row only. Row t of the result belongs to ids[t], so there are T rows.
sorted_ids: "row t holds the scores for ids[t]"
    np.asarray(ids, dtype=int) => np.asarray(sorted(ids), dtype=int)
  The rows come in the order of the vocabulary. Row t of the result belongs to ids[t].
distinct_and_sorted
    np.asarray(ids, dtype=int) => np.unique(np.asarray(ids, dtype=int))
  Each word got one row, in the order of the vocabulary. Row t of the result belongs to ids[t], so there are T rows.
negative: "an id is below 0"
    not 0 <= word < len(encoder) => word >= len(encoder)
  The scores are right, but an id of -1 silently took the last word: that is how NumPy indexes. Raise ValueError for ids
  below 0 and for those of V or more.
one_past_the_end: "V or more"
    word < len(encoder) => word <= len(encoder)
  An id equal to V was let through. Counted from 0 the last word is V - 1: raise ValueError for V, too.
too_large: "V or more"
    not 0 <= word < len(encoder) => word < 0
  Ids of V or more are not refused with a ValueError. NumPy raises an IndexError there: check both ends first.
checked_against_the_width: "an array of float64, shape (V, D)"
    0 <= word < len(encoder) => 0 <= word < encoder.shape[1]
  The ids were compared with D, the width of the encoder. The vocabulary has V words, one for each row: len(encoder).
no_empty_list: "(0, V) for an empty list"
    np.asarray(ids, dtype=int) => np.asarray(ids)
  An empty list fails: np.array([]) holds floats, and floats are no row numbers. Say dtype=int.
empty_is_an_error: "the list may be empty"
    if any( => if not ids or any(
  An empty list was refused. It may be empty: the result is then an array of shape (0, V).
""")
HINTS = hints("""
- A one-hot row times a table picks a row. You need no one-hot row to pick one.
- encoder[ids] picks the rows, shape (T, D); `@ decoder` makes scores of them, (T, V). An empty list needs
  np.asarray(ids, dtype=int).
- if any(not 0 <= i < len(encoder) for i in ids): raise ValueError(...); return encoder[np.asarray(ids, dtype=int)] @
  decoder
""")
task = Task(encode_decode, points=2, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
