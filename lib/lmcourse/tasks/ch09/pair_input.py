import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def pair_input(first, second, cls_id, sep_id, max_length):
    """Return the ids and the segments of one or two sentences.

    Args:
        first: token ids, a list of int; it may be empty.
        second: the same, or None for a sentence alone; an empty list is a second sentence without tokens.
        cls_id, sep_id: ids of [CLS] and [SEP], which are in neither sentence.
        max_length: of the finished row, special tokens included.

    Returns:
        ids and segments, two lists of equal length.

    Raises:
        ValueError: not even the special tokens fit.

    >>> pair_input([11, 12], [21, 22, 23], 2, 3, 16)
    ([2, 11, 12, 3, 21, 22, 23, 3], [0, 0, 0, 0, 1, 1, 1, 1])
    """
    a, b = list(first), list(second or [])
    room = max_length - (2 if second is None else 3)
    if room < 0:
        raise ValueError(f"`max_length` must leave room for the special tokens, got {max_length}.")
    while len(a) + len(b) > room:
        (a if len(a) > len(b) else b).pop()
    ids = [cls_id, *a, sep_id]
    segments = [0] * len(ids)
    if second is not None:
        ids += [*b, sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(n: int) -> list[int]:
        return [int(i) for i in rng.integers(5, 97, n)]

    return [
        case("the worked example", [11, 12], [21, 22, 23], 2, 3, 16),
        case("two sentences with room to spare", draw(7), draw(5), 2, 3, 31),
        border("one sentence alone", draw(7), None, 2, 3, 31),
        border("one sentence that is too long", draw(13), None, 2, 3, 11),
        case("a first sentence that is too long", draw(17), draw(3), 2, 3, 13),
        case("a longer second sentence", draw(3), draw(17), 2, 3, 13),
        border("both too long, of equal length", draw(11), draw(11), 2, 3, 17),
        border("just enough room, none to spare", draw(5), draw(3), 1, 4, 11),
        border("an empty second sentence", draw(5), [], 2, 3, 11),
        border("two empty sentences", [], [], 2, 3, 3),
        border("no room for the special tokens", draw(3), draw(2), 2, 3, 2),
        border("sentences that become equally long", [11, 12, 13, 14, 15], [21, 22], 2, 3, 6),
        border("the same token throughout", [7, 7, 7, 7], [7, 7, 7], 2, 3, 8),
        border("one sentence, just enough room", draw(5), None, 2, 3, 7),
        border("an empty first sentence", [], draw(5), 2, 3, 7),
        border("an empty sentence alone", [], None, 2, 3, 2),
        border("room for the special tokens of one sentence only", draw(3), None, 2, 3, 2),
        border("room for the special tokens of a pair only", draw(3), draw(2), 2, 3, 3),
        border("no room for the special tokens of one sentence", draw(3), None, 2, 3, 1),
        border("two empty sentences and no room for the special tokens", [], [], 2, 3, 2),
        border("a length below 0", [], None, 2, 3, -1),
    ]


SLIPS = mistakes("""
one_sep: "Return the ids and the segments of one or two sentences"
    [cls_id, *a, sep_id] => [cls_id, *a, *([sep_id] if second is None else [])]
  There is no [SEP] between the sentences. Each of the two ends with one of its own.
sep_is_second: "Return the ids and the segments of one or two sentences"
    [1] * (len(b) + 1) => [1] * (len(b) + 1)
    |        segments[len(a) + 1] = 1
  The first [SEP] belongs to the first sentence: its segment is 0. The 1s begin after it.
cut_the_end: "of the finished row, special tokens included"
    len(a) + len(b) > room => False
    return ids, segments => return ids[:max_length], segments[:max_length]
  The finished row was cut, and with it the last [SEP]. Shorten the sentences first, then put the special tokens around
  them.
second_first
    a if len(a) > len(b) else b => b or a
  Only the second sentence was shortened until nothing was left of it. Take a token from the longer one at a time, from
  the second when both are equally long.
first_of_equals
    len(a) > len(b) => len(a) >= len(b)
  Where both sentences are equally long, the first one lost a token. The statement takes it from the second then.
from_the_front: "token ids, a list of int"
    .pop() => .pop(0)
  Tokens were taken away from the beginning of a sentence. Take them from its end.
no_empty_sentences: "it may be empty"
    room < 0 => room <= 0
  A row that holds the special tokens alone was refused. They fit, so it is right, if not of much use.
never_an_empty_second: "an empty list is a second sentence without tokens"
    a, b = => second = second or None
    |    a, b =
  An empty second sentence was taken for none. Only None means that there is no second one: `if second is not None`.
""")
HINTS = hints("""
- First make the two sentences short enough: max_length less the special tokens, two for one sentence, three for a pair.
- while len(a) + len(b) > room: take the last token from a if len(a) > len(b), else from b.
- ids = [cls_id, *a, sep_id, *b, sep_id]; segments = [0] * (len(a) + 2) + [1] * (len(b) + 1). Without a second sentence:
  [cls_id, *a, sep_id] and zeros. Raise ValueError if room is below 0.
""")
task = Task(pair_input, points=3, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
