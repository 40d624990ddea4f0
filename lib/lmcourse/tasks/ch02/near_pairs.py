import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def near_pairs(words, window):
    """Return all pairs (centre, context) of words at most `window` positions apart.

    No position is paired with itself; equal words at two positions near each other are a pair like any other, and a
    pair that occurs several times is listed as often. The order is that of the centres in the text, and for each centre
    that of its context in the text.

    Args:
        words: the text, a list; it may be empty.
        window: the largest distance, an int; it may be larger than the text.

    Returns:
        A list of tuples (centre, context).

    Raises:
        ValueError: the window is below 1.

    >>> near_pairs(["to", "be", "or"], 1)
    [('to', 'be'), ('be', 'to'), ('be', 'or'), ('or', 'be')]
    """
    if window < 1:
        raise ValueError(f"`window` must be at least 1, got {window}.")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(i - window, 0), min(i + window + 1, len(words))):
            if j != i:
                pairs.append((centre, words[j]))
    return pairs


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    letters = [chr(97 + int(position)) for position in rng.permutation(26)]
    a, b = letters[:2]
    return [
        case("the worked example", ["to", "be", "or", "not"], 2),
        case("eleven words, window 3", letters[:11], 3),
        border("seven words, window 1", letters[:7], 1),
        case("a word that is next to itself", [letters[0], letters[0], letters[1]], 1),
        case("a word that comes twice within the window", [letters[2], letters[3], letters[2]], 2),
        case("two words in turn, so that pairs occur several times", [a, b, a, b, a], 2),
        case("a window wider than the text: shorter than the window", letters[:3], 7),
        border("a window that just reaches from the first word to the last", letters[:4], 3),
        border("a window that is one too small for that", letters[:4], 2),
        case("two words", letters[:2], 1),
        border("one word", letters[:1], 3),
        border("no words", [], 2),
        border("window 0 and no words", [], 0),
        border("window 0 and one word", letters[:1], 0),
        border("a window below 0", letters[:3], -1),
        border("a window far below 0", letters[:3], -3),
    ]


SLIPS = mistakes("""
with_itself: "No position is paired with itself"
    if j != i: => if True:
  Each word is paired with itself. A word is not its own context: leave its own position out.
one_short: "Return all pairs (centre, context) of words at most `window` positions apart"
    min(i + window + 1, len(words)) => min(i + window, len(words))
  On the right one word is missing: range(a, b) stops before b, so the end has to be i + window + 1.
equal_words: "equal words at two positions near each other are a pair like any other"
    if j != i: => if words[j] != centre:
  Two equal words near each other were left out. Compare positions, not words: a word can be near another occurrence of
  itself.
negative_start: "Return all pairs (centre, context) of words at most `window` positions apart"
    for j in range(max(i - window, 0), min(i + window + 1, len(words))): =>
        for j in [*range(len(words))[i - window : i], *range(len(words))[i : i + window + 1]]:
  Near the beginning the left side is wrong: words[i - window : i] starts at a negative number there, which Python
  counts from the end. Use max(i - window, 0).
negative_index
    max(i - window, 0) => i - window
  Near the beginning the last words of the text got in: words[-1] is the last one. Start at max(i - window, 0).
swapped: "(centre, context)"
    (centre, words[j]) => (words[j], centre)
  Each pair is turned round. The centre comes first, then the word of its context.
nearest_first: "for each centre that of its context in the text"
    return pairs => nearest = [(i, j) for i in range(len(words)) for j in sorted(range(len(words)), key=lambda j: abs(i
        - j)) if 0 < abs(i - j) <= window]
    |    return [(words[i], words[j]) for i, j in nearest]
  These are the right pairs in another order. Each centre's context goes from left to right, not from the nearest word
  to the farthest.
each_once: "a pair that occurs several times is listed as often"
    return pairs => return list(dict.fromkeys(pairs))
  A pair that occurs several times is listed once. List it as often as it occurs: skip-gram learns from every
  occurrence.
only_negative_refused: "the window is below 1"
    if window < 1: => if window < 0:
  A window below 0 is refused, but 0 is not. Raise ValueError for every window below 1.
""")
HINTS = hints("""
- For the word at position i: which is the first position of its context, and which the last, near the ends too?
- Two loops: i over all positions, j over range(max(i - window, 0), min(i + window + 1, len(words))).
- if window < 1: raise ValueError(...); return [(words[i], words[j]) for i in range(len(words)) for j in range(max(i -
  window, 0), min(i + window + 1, len(words))) if j != i]
""")
task = Task(near_pairs, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
