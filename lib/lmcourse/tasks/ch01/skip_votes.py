"""Exercise `skip_votes`."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch01.shared import Sentences, random_sentences


def skip_votes(sentences, prefix, keep=None):
    """Return the votes for the next word, from every pair (earlier word, last word) of the prefix.

    Args:
        sentences: what the model has seen: a list of lists of words.
        prefix: the words so far, a list with at least one.
        keep: the earlier words that may vote, a list; None lets all of them vote.

    Returns:
        A dict from word to votes (float) with every word that followed the last word in the sentences.

    Raises:
        ValueError: the prefix is empty.

    >>> seen = [["the", "program", "ran", "please"], ["the", "battery", "ran", "down", "please"]]
    >>> votes = skip_votes(seen, ["the", "program", "ran"])
    >>> votes["please"], votes["down"]
    (1.5, 0.5)
    >>> votes = skip_votes(seen, ["the", "program", "ran"], ["program", "battery"])
    >>> votes["please"], votes["down"]
    (1.0, 0.0)
    """
    if not prefix:
        raise ValueError("`prefix` must hold at least one word.")
    pairs, votes = defaultdict(Counter), {}
    for sentence in sentences:
        for t in range(len(sentence) - 1):
            if sentence[t] == prefix[-1]:
                votes[sentence[t + 1]] = 0.0
                for earlier in set(sentence[:t]):
                    pairs[earlier][sentence[t + 1]] += 1
    for earlier in set(prefix[:-1]):
        if keep is None or earlier in keep:
            for word, count in pairs[earlier].items():
                votes[word] += count / sum(pairs[earlier].values())
    return votes


_PROGRAM = ["check", "the", "program", "log", "and", "find", "out", "whether", "it", "ran", "please"]


_BATTERY = ["check", "the", "battery", "log", "and", "find", "out", "whether", "it", "ran", "down", "please"]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    both = [_PROGRAM, _BATTERY]
    text = random_sentences(rng, 29, 5)
    other = random_sentences(rng, 17, 3)
    return [
        case("the worked example", both, _PROGRAM[:10], None),
        case("the battery sentence", both, _BATTERY[:10], None),
        case("a mask that keeps program and battery", both, _PROGRAM[:10], ["program", "battery"]),
        border("a mask that keeps nothing", both, _BATTERY[:10], []),
        case("random sentences", text, ["sea", "moon", "sun"], None),
        case("random sentences and a mask", other, ["tea", "sea", "tea", "sun"], ["tea"]),
        case("pairs seen more than once", [_PROGRAM, _PROGRAM, _BATTERY], _BATTERY[:10], None),
        case(
            "an earlier word twice",
            [["tea", "tea", "sun", "moon"], ["sea", "sun", "rain"]],
            ["tea", "tea", "sun"],
            None,
        ),
        case("the last word among the earlier ones", [["tea", "sun", "tea", "moon"]], ["tea", "sun", "tea"], None),
        border(
            "the last word at the start of a sentence", [["sun", "rain"], ["tea", "sun", "moon"]], ["tea", "sun"], None
        ),
        case(
            "an earlier word twice in what was seen, once in the prefix",
            [["tea", "tea", "sun", "moon"], ["tea", "sun", "rain"]],
            ["tea", "sun"],
            None,
        ),
        case("an earlier word that was seen after the last one only", [["sun", "moon", "tea"]], ["tea", "sun"], None),
        case("a mask with a word that the prefix has not", both, _PROGRAM[:10], ["program", "battery", "down"]),
        border("a mask that names a word twice", both, _PROGRAM[:10], ["program", "program"]),
        border("capital letters", [["Tea", "sun", "moon"], ["tea", "sun", "rain"]], ["Tea", "sun"], None),
        border("a prefix of one word", both, ["ran"], None),
        border("a last word that was never seen", both, ["check", "the", "engine"], None),
        border("no sentences", [], ["check", "ran"], None),
        border("an empty prefix", both, [], None),
    ]


def _skips_gone_wrong(
    sentences: Sentences,
    prefix: Sequence[str],
    keep: Sequence[str] | None = None,
    *,
    raw: bool = False,
    mask: str = "keep",
    unique: bool = True,
    last_too: bool = False,
    reach: int | None = None,
) -> dict[str, float]:
    if not prefix:
        raise ValueError("empty prefix")
    pairs: defaultdict[str, Counter[str]] = defaultdict(Counter)
    votes: dict[str, float] = {}
    for sentence in sentences:
        for at, (word, after) in enumerate(pairwise(sentence)):
            if word == prefix[-1]:
                votes[after] = 0.0
                for earlier in set(sentence[: at + last_too]):
                    pairs[earlier][after] += 1
    before = list(prefix if last_too else prefix[:-1])[-reach if reach else None :]
    for earlier in set(before) if unique else before:
        allowed = keep is None or mask == "ignored" or (earlier in keep) == (mask == "keep")
        if allowed:
            for after, count in pairs[earlier].items():
                votes[after] += count if raw else count / pairs[earlier].total()
    return votes


def _skips_as_bigram(
    sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None
) -> dict[str, float]:
    if not prefix:
        raise ValueError("empty prefix")
    after = Counter(b for sentence in sentences for a, b in pairwise(sentence) if a == prefix[-1])
    return {word: count / after.total() for word, count in after.items()}


def _skips_normalised(
    sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None
) -> dict[str, float]:
    votes = skip_votes(sentences, prefix, keep)
    total = sum(votes.values())
    return {word: vote / total for word, vote in votes.items()} if total else votes


def _skips_positive(sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None) -> dict[str, float]:
    return {word: vote for word, vote in skip_votes(sentences, prefix, keep).items() if vote}


def _skips_by_tables(
    sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None
) -> dict[str, float]:
    if len(prefix) == 0:
        raise ValueError("the prefix is empty")
    *earlier_words, last = prefix
    found = [(s, t) for s in sentences for t in range(len(s) - 1) if s[t] == last]
    features = [word for word in dict.fromkeys(earlier_words) if keep is None or word in keep]
    seen = {word: [s[t + 1] for s, t in found if word in s[:t]] for word in features}
    return {
        after: sum(seen[word].count(after) / len(seen[word]) for word in features if seen[word])
        for after in {s[t + 1] for s, t in found}
    }


def _skips_by_matrix(
    sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None
) -> dict[str, float]:
    last = prefix[-1] if prefix else None
    if last is None:
        raise ValueError("the prefix is empty")
    words = sorted({word for sentence in sentences for word in sentence} | set(prefix))
    column = {word: at for at, word in enumerate(words)}
    table = np.zeros((len(words), len(words)))  # (earlier word, next word)
    followers = set()
    for sentence in sentences:
        for at in range(1, len(sentence)):
            if sentence[at - 1] == last:
                followers.add(sentence[at])
                table[sorted({column[word] for word in sentence[: at - 1]}), column[sentence[at]]] += 1
    features = np.array([word in prefix[:-1] for word in words], dtype=float)
    mask = np.array([keep is None or word in keep for word in words], dtype=float)
    votes = (features * mask) @ (table / np.maximum(table.sum(axis=1, keepdims=True), 1))
    return {word: float(votes[column[word]]) for word in followers}


task = Task(
    skip_votes,
    points=4,
    difficulty=4,
    minutes=30,
    cases=cases,
    slips=(
        Slip(
            "bigram",
            _skips_as_bigram,
            "Only the last word was used, so this is a bigram: it cannot distinguish the battery from the program. Let "
            "every pair (earlier word, last word) vote.",
        ),
        Slip(
            "raw_counts",
            partial(_skips_gone_wrong, raw=True),
            "Each pair gave as many votes as it has counts, so a frequent pair shouts the others down. A pair has one "
            "vote in all: divide its counts by their sum.",
        ),
        Slip(
            "neighbour_only",
            partial(_skips_gone_wrong, reach=1),
            "Only the word right before the last one voted. That is a trigram; skips let every earlier word of the "
            "prefix vote, however far back it is.",
        ),
        Slip(
            "mask_ignored",
            partial(_skips_gone_wrong, mask="ignored"),
            "The votes without a mask are right, but `keep` changes nothing. When it is given, only the earlier words "
            "in it may vote.",
        ),
        Slip(
            "mask_reversed",
            partial(_skips_gone_wrong, mask="drop"),
            "The mask works the wrong way round: the words in `keep` were silenced and the others voted. True in this "
            "course's masks means: takes part.",
        ),
        Slip(
            "repeats_vote_twice",
            partial(_skips_gone_wrong, unique=False),
            "An earlier word that occurs twice in the prefix voted twice. A feature is present or absent (1 or 0), so "
            "go through set(prefix[:-1]).",
        ),
        Slip(
            "last_word_votes",
            partial(_skips_gone_wrong, last_too=True),
            "The last word was paired with itself and got a vote of its own. Only the words before it vote: "
            "prefix[:-1] and sentence[:t].",
        ),
        Slip(
            "normalised",
            _skips_normalised,
            "The votes were divided by their sum. Votes are a raw score, 4 against 5 here; turning scores into "
            "probabilities is a later step.",
        ),
        Slip(
            "losers_left_out",
            _skips_positive,
            "Words with no votes are missing from the result. Every word that followed the last word in the sentences "
            "belongs in it, if need be with 0.0: 0 against 1 is the point of the mask.",
        ),
    ),
    alternatives=(_skips_by_tables, _skips_by_matrix),
    hints=(
        "Find every position in the sentences at which the prefix's last word occurs and is followed by a word. Which "
        "words are before it in that sentence, and which one follows?",
        "Keep a table pairs[earlier][after] of counts for those positions, with set(sentence[:t]) as the earlier "
        "words. Then each word of set(prefix[:-1]) that the mask keeps gives one vote, split by its counts.",
        "Start with votes = {every word seen after the last word: 0.0}. Then for earlier in set(prefix[:-1]): if keep "
        "is None or earlier in keep: for each after, votes[after] += pairs[earlier][after] / its row's sum.",
    ),
)
