"""Exercise `near_pairs`."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def near_pairs(words, window):
    """Return all pairs (centre, context) of words that stand at most `window` places apart.

    Args:
        words: the text, a list; it may be empty.
        window: the largest distance, an int.

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
    for place, centre in enumerate(words):
        for other in range(max(place - window, 0), min(place + window + 1, len(words))):
            if other != place:
                pairs.append((centre, words[other]))
    return pairs


Pairs = list[tuple[str, str]]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    letters = [chr(97 + int(place)) for place in rng.permutation(26)]
    return [
        case("the worked example", ["to", "be", "or", "not"], 2),
        case("eleven words, window 3", letters[:11], 3),
        border("seven words, window 1", letters[:7], 1),
        case("a word that stands beside itself", [letters[0], letters[0], letters[1]], 1),
        case("a word that comes twice within the window", [letters[2], letters[3], letters[2]], 2),
        case("a window wider than the text: shorter than the window", letters[:3], 7),
        case("two words", letters[:2], 1),
        border("one word", letters[:1], 3),
        border("no words", [], 2),
        border("window 0", letters[:3], 0),
    ]


def _pairs_wrong(words: Sequence[str], window: int, *, how: str) -> Pairs:
    pairs = near_pairs(words, window)
    n = len(words)
    if how == "swapped":
        return [(context, centre) for centre, context in pairs]
    if how == "by_distance":
        both = ((i, i + sign * far) for far in range(1, window + 1) for i in range(n) for sign in (-1, 1))
        return [(words[i], words[j]) for i, j in both if 0 <= j < n]
    keep = {
        "right_only": lambda i, j: i < j <= i + window,
        "with_itself": lambda i, j: abs(i - j) <= window,
        "one_short": lambda i, j: i != j and i - window <= j < i + window,
        "exactly": lambda i, j: abs(i - j) == window,
        "everywhere": lambda i, j: i != j,
        "equal_words": lambda i, j: words[i] != words[j] and abs(i - j) <= window,
        # words[i - window : i] is empty when i - window is negative
        "negative_start": lambda i, j: i < j <= i + window or (j < i and i >= window and j >= i - window),
    }[how]
    return [(words[i], words[j]) for i in range(n) for j in range(n) if keep(i, j)]


def _pairs_by_slices(words: Sequence[str], window: int) -> Pairs:
    if window <= 0:
        raise ValueError("window")
    found: Pairs = []
    for place, centre in enumerate(words):
        around = [*words[max(0, place - window) : place], *words[place + 1 : place + 1 + window]]
        found.extend((centre, other) for other in around)
    return found


def _pairs_by_padding(words: Sequence[str], window: int) -> Pairs:
    if not window > 0:
        raise ValueError("window")
    padded: list[str | None] = [None] * window + list(words) + [None] * window
    found: Pairs = []
    for place in range(window, window + len(words)):
        for step in [*range(-window, 0), *range(1, window + 1)]:
            centre, other = padded[place], padded[place + step]
            if centre is not None and other is not None:
                found += [(centre, other)]
    return found


task = Task(
    near_pairs,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "right_only",
            partial(_pairs_wrong, how="right_only"),
            "Only the words after each centre are here. The window reaches to both sides.",
        ),
        Slip(
            "with_itself",
            partial(_pairs_wrong, how="with_itself"),
            "Each word is paired with itself. A word is not its own context: leave its own place out.",
        ),
        Slip(
            "one_short",
            partial(_pairs_wrong, how="one_short"),
            "On the right one word is missing: range(a, b) stops before b, so the end has to be place + window + 1.",
        ),
        Slip(
            "exactly",
            partial(_pairs_wrong, how="exactly"),
            "Only words exactly `window` apart are paired. All that are at most that far apart belong together.",
        ),
        Slip(
            "everywhere",
            partial(_pairs_wrong, how="everywhere"),
            "All words were paired with all others. Only those at most `window` places apart belong together.",
        ),
        Slip(
            "equal_words",
            partial(_pairs_wrong, how="equal_words"),
            "Two equal words near each other were left out. Compare places, not words: a word can stand near itself.",
        ),
        Slip(
            "negative_start",
            partial(_pairs_wrong, how="negative_start"),
            "Near the beginning the left side is empty: words[place - window : place] starts at a negative number "
            "there, which Python counts from the end. Use max(place - window, 0).",
        ),
        Slip(
            "swapped",
            partial(_pairs_wrong, how="swapped"),
            "Each pair is turned round. The centre comes first, then the word of its context.",
        ),
        Slip(
            "by_distance",
            partial(_pairs_wrong, how="by_distance"),
            "These are the right pairs in another order. Go through the centres from left to right, and for each "
            "centre through its context from left to right.",
        ),
    ),
    alternatives=(_pairs_by_slices, _pairs_by_padding),
    hints=(
        "For the word at place i: which is the first place of its context, and which the last, near the ends too?",
        "Two loops: i over all places, j over range(max(i - window, 0), min(i + window + 1, len(words))).",
        "if window < 1: raise ValueError(...); return [(words[i], words[j]) for i in range(len(words)) "
        "for j in range(max(i - window, 0), min(i + window + 1, len(words))) if j != i]",
    ),
)
