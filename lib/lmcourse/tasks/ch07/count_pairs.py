import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.shared import random_bytes, split_bytes


def count_pairs(words, counts):
    """Count the pairs of neighbouring tokens.

    Args:
        words: a list of words, each a list of tokens (bytes).
        counts: how often each word occurs, a list of ints of the same length, each at least 1.

    Returns:
        A dict from pair, a tuple of two tokens, to its count.

    Raises:
        ValueError: the two lists differ in length.

    >>> count_pairs([[b"a", b"a", b"a", b"b"], [b"a", b"b"]], [1, 10])
    {(b'a', b'a'): 2, (b'a', b'b'): 11}
    """
    if len(words) != len(counts):
        raise ValueError(f"`words` and `counts` must have the same length, got {len(words)} and {len(counts)}.")
    total = {}
    for word, count in zip(words, counts):
        for pair in zip(word, word[1:]):
            total[pair] = total.get(pair, 0) + count
    return total


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def words(n_words: int, longest: int) -> list[list[bytes]]:
        return [split_bytes(random_bytes(rng, int(n))) for n in rng.integers(1, longest, size=n_words)]

    return [
        case("the worked example", [[b"a", b"a", b"a", b"b"], [b"a", b"b"]], [1, 10]),
        case("seven random words", words(7, 11), [int(n) for n in rng.integers(2, 20, size=7)]),
        case("tokens of several bytes", [[b"th", b"e", b"re"], [b"t", b"he", b"re"]], [3, int(rng.integers(4, 9))]),
        case(
            "the same word twice in the list", [split_bytes(b"ab"), split_bytes(b"bc"), split_bytes(b"ab")], [3, 4, 5]
        ),
        case("bytes that are no text", [[b"\xe2", b"\x82", b"\xac"], [b"\xe2", b"\x82"]], [2, 3]),
        border("a pair that comes twice in one word", [split_bytes(b"banana")], [5]),
        border("three equal tokens: pairs overlap", [split_bytes(b"aaa")], [2]),
        border("five equal tokens", [split_bytes(b"aaaaa")], [3]),
        border("words of one token have no pair", [[b"a"], [b"b"]], [3, 4]),
        border("an empty word", [[], [b"a", b"b"]], [3, 1]),
        border("no words", [], []),
        border("one count too many", [[b"a", b"b"], [b"b", b"c"]], [1, 2, 3]),
        border("no counts", [[b"a", b"b"]], []),
        border("no words, one count", [], [2]),
        border("one count missing, and no word has a pair", [[b"a"], [b"b"]], [1]),
        border("a count beyond the digits of a float", [split_bytes(b"ab"), split_bytes(b"ab")], [2**53, 1]),
    ]


SLIPS = mistakes("""
unweighted: "how often each word occurs, a list of ints of the same length, each at least 1"
    total.get(pair, 0) + count => total.get(pair, 0) + 1
  Each word was counted once. A word that occurs ten times brings each of its pairs ten times: add its count, not 1.
last_word_only
    total.get(pair, 0) + count => count
  The count of a pair is that of the last word that holds it: the old number was overwritten. Add to it.
across_words: "Count the pairs of neighbouring tokens"
    for word, count in zip(words, counts): => every = [(token, n) for word, n in zip(words, counts) for token in word]
    |    for word, count in [([a, b], n) for (a, n), (b, _) in zip(every, every[1:])]:
  A pair was made of the last token of one word and the first of the next. Count inside each word.
apart: "Count the pairs of neighbouring tokens"
    for pair in zip(word, word[1:]): => skip = False
    |        for number, pair in enumerate(zip(word, word[1:])):
    |            skip = not skip and number > 0 and pair == (word[number - 1], word[number])
    |            if skip:
    |                continue
  In a run of equal tokens the overlapping pairs were left out. By the rule here aaa holds (a, a) twice; only merging,
  later, cannot use both.
every_second: "a list of words, each a list of tokens (bytes)"
    zip(word, word[1:]) => zip(word[::2], word[1::2])
  Every second pair is missing: after (a, b) comes (b, c), not (c, d). Move on by one token.
once_a_word
    zip(word, word[1:]) => set(zip(word, word[1:]))
  A pair that stands twice in a word was counted once there. banana holds (a, n) twice.
last_pair_lost
    zip(word, word[1:]) => zip(word, word[1:-1])
  The last pair of each word is missing. A word of n tokens has n - 1 pairs.
any_order
    total[pair] = total.get(pair, 0) => pair = tuple(sorted(pair))
    |            total[pair] = total.get(pair, 0)
  (a, b) and (b, a) were counted as one pair. The order matters: they are merged into different tokens.
joined: "A dict from pair, a tuple of two tokens, to its count"
    total[pair] = total.get(pair, 0) => pair = pair[0] + pair[1]
    |            total[pair] = total.get(pair, 0)
  The keys are joined bytes. (th, e) and (t, he) are different pairs, and joined they are the same: use a tuple of the
  two tokens.
unchecked
    len(words) != len(counts) => False
  The counting is right, but a list of words and a list of counts of different lengths were accepted, and zip dropped
  the rest. Raise ValueError.
more_counts_accepted: "the two lists differ in length"
    len(words) != len(counts) => len(words) > len(counts)
  More counts than words were accepted. Raise ValueError wherever the lengths differ.
""")
HINTS = hints("""
- Which pairs does one word hold, and how much does each of them count?
- zip(word, word[1:]) gives the pairs of a word; zip(words, counts, strict=True) gives the words with their counts and
  raises ValueError when the lengths differ.
- for word, count in zip(words, counts, strict=True): for pair in zip(word, word[1:]): total[pair] = total.get(pair, 0)
  + count
""")
task = Task(count_pairs, points=2, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
