import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.best_pair import best_pair
from lmcourse.tasks.ch07.count_pairs import count_pairs
from lmcourse.tasks.ch07.merge_pair import merge_pair
from lmcourse.tasks.ch07.shared import Pair, random_pieces


def train_bpe(piece_counts, vocab_size, min_count=2, max_length=16):
    """Learn the merges of a tokenizer with at most vocab_size tokens: the 256 bytes, and one token for each merge.

    Args:
        piece_counts: a dict from piece (str) to how often it occurs, at least once.
        vocab_size: 256 or more.
        min_count: a pair that occurs less often than this is not merged; 1 or more.
        max_length: no token has more bytes than this; 2 or more.

    Returns:
        A list of pairs, tuples of two tokens (bytes), in the order learned; the training stops early if there is no
        pair left that may be merged.

    Raises:
        ValueError: vocab_size is below 256.

    >>> train_bpe({"aaabdaaabac": 1}, 259)
    [(b'a', b'a'), (b'a', b'b'), (b'aa', b'ab')]
    >>> train_bpe({"aaabdaaabac": 1}, 300, max_length=3)
    [(b'a', b'a'), (b'a', b'b')]
    """
    if vocab_size < 256:
        raise ValueError(f"`vocab_size` must be 256 or more, got {vocab_size}.")
    words = [[bytes([byte]) for byte in piece.encode("utf-8")] for piece in piece_counts]
    merges = []
    while 256 + len(merges) < vocab_size:
        best = best_pair(count_pairs(words, list(piece_counts.values())), min_count, max_length)
        if best is None:
            break
        merges.append(best)
        words = [merge_pair(word, best) for word in words]
    return merges


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    return [
        case("the worked example", {"aaabdaaabac": 1}, 259),
        case("thirteen random pieces", random_pieces(rng, 13), 267),
        case("nineteen random pieces", random_pieces(rng, 19), 263),
        case("random pieces, every token at most three bytes", random_pieces(rng, 17), 290, 3, 3),
        case("random pieces, every pair at least 40 times", random_pieces(rng, 17), 290, 40),
        case("words with their space", {" low": 5 + n, " lower": 2, " newest": 6, " widest": 3}, 266),
        case("the most frequent pair becomes too long, others do not", {"abcd": 9, "xy": 4, "zy": 3}, 300, 1, 2),
        case("letters of two bytes", {"\u00e9t\u00e9": n, "\u0434\u0430": 2, "\u00e9": 3}, 261),
        border("a rare word of many pairs, a frequent one of few", {"xyxyxyxy": 1, "ab": 50 + n}, 258),
        border("pairs that occur once are not merged", {"abcd": 1, "xy": 2}, 300),
        border("a pair that occurs just often enough", {"ab": 7, "bc": 6}, 300, 7),
        border("the pair gets too rare while others are merged", {"abc": 3, "bcd": 3, "xab": 3}, 300, 4),
        border("a token of 16 bytes is just allowed, one of 17 is not", {"ab" * 8 + "c": 3}, 300),
        border("a long run of equal letters: no token is longer than five bytes", {"a" * 40: n}, 300, 1, 5),
        border("characters of three bytes and tokens of two", {"\u20ac": n, "\u20ad": n}, 300, 1, 2),
        border("a tie at every step", {"da": n, "cb": n, "ab": n}, 259),
        border("a tie that the right token decides", {"ad": 2, "ac": 2, "ab": 2}, 258),
        border("a tie between a letter and a byte that is no text", {"\u00e9": 2, "zz": 2, " a": 2}, 259),
        border("one run of equal letters", {"aaaaaaa": n}, 260),
        border("three equal letters: pairs overlap", {"aaa": 2, "bc": 3}, 258),
        border("the last of one piece and the first of the next", {"ab": n, "bc": n, "b": 2 * n, "c": n}, 258),
        border("fewer pairs than merges: stop when none is left", {"abc": n, "d": 4}, 1000),
        border("no room for a merge", {"abc": 2}, 256),
        border("no pieces", {}, 259),
        border("a vocabulary smaller than the bytes", {"abc": 2}, 255),
        border("a vocabulary far below 256", {"abc": 2}, -100),
        border("a vocabulary smaller than the bytes, and no pieces", {}, 255),
    ]


def _short(counts: dict[Pair, int], min_count: int, max_length: int) -> dict[Pair, int]:
    return {pair: n for pair, n in counts.items() if n >= min_count and sum(map(len, pair)) <= max_length}


def _first_seen(counts: dict[Pair, int], min_count: int, max_length: int) -> Pair | None:
    found = _short(counts, min_count, max_length)
    return max(found, key=found.__getitem__, default=None)


SLIPS = mistakes("""
vocab_size_merges: "Learn the merges of a tokenizer with at most vocab_size tokens: the 256 bytes, and one token"
    256 + len(merges) => len(merges)
  vocab_size merges were learned. The vocabulary has the 256 bytes, too: that leaves vocab_size - 256.
stops_at_a_long_one: "no token has more bytes than this"
    max_length) => 10**6)
    |        best = None if best and len(best[0] + best[1]) > max_length else best
  The training stopped when the most frequent pair would have made too long a token. Leave that pair out and go on with
  the next.
unweighted: "a dict from piece (str) to how often it occurs, at least once"
    list(piece_counts.values()) => [1] * len(words)
  Each piece was counted once, whatever its count. Add piece_counts[piece] for each of its pairs.
first_seen
    best_pair => _first_seen
  Of equally frequent pairs the one seen first was taken, so the merges depend on the order of the text. Of equals, take
  the first in byte order.
characters
    [bytes([byte]) for byte in piece.encode("utf-8")] => [character.encode() for character in piece]
  The pieces were cut into characters. Start from bytes, piece.encode(): a letter outside ASCII is two or more of them.
one_too_many: "Learn the merges of a tokenizer with at most vocab_size tokens: the 256 bytes, and one token"
    len(merges) < vocab_size => len(merges) <= vocab_size
  There is one merge too many: the 256 bytes and the merges together make vocab_size tokens.
unchecked: "vocab_size is below 256"
    if vocab_size < 256: => if False:
  The merges are right, but a vocab_size below 256 was accepted. Raise ValueError.
bytes_alone_refused: "256 or more"
    if vocab_size < 256: => if vocab_size <= 256:
  A vocab_size of 256 was refused. It leaves no room for a merge: return an empty list.
""")
HINTS = hints("""
- Use what you have: count the pairs, choose the best, merge it in every word. When does that stop?
- There are two ends: the 256 bytes and the merges fill the vocabulary, or best_pair returns None. Keep the words as a
  list of lists; count_pairs wants list(piece_counts.values()) beside it.
- while 256 + len(merges) < vocab_size: best = best_pair(count_pairs(words, list(piece_counts.values())), min_count,
  max_length); if best is None: break; merges.append(best); words = [merge_pair(word, best) for word in words].
  ValueError first if vocab_size < 256.
""")
task = Task(train_bpe, points=4, difficulty=4, minutes=30, cases=cases, slips=SLIPS, hints=HINTS)
