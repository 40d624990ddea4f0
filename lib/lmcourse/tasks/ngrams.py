"""Tasks of chapter 01, first part: a Markov chain, skips and a mask."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import chain, pairwise

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case

CHAPTER = "01_ngrams"
Sentences = Sequence[Sequence[str]]
WORDS = ("tea", "sea", "sun", "moon", "rain", "wind", "stone", "river", "bird", "leaf", "fire", "salt", "road")


def random_sentences(rng: np.random.Generator, n_sentences: int, n_words: int = 7) -> list[list[str]]:
    """Sentences of 1 to 8 words drawn from the first `n_words` of WORDS, for cases."""
    lengths = rng.integers(1, 9, size=n_sentences)
    return [[WORDS[int(word)] for word in rng.integers(0, n_words, size=int(length))] for length in lengths]


# ---------------------------------------------------------------------------------------------- transition_matrix

_SHOW_ME = "show me my {} please"
_COMMANDS = [
    _SHOW_ME.format(what).split()
    for what, times in (("directories", 2), ("files", 3), ("photos", 5))
    for _ in range(times)
]
_COMMAND_WORDS = ["directories", "files", "me", "my", "photos", "please", "show"]


def _transition_matrix(sentences: Sentences, vocabulary: Sequence[str]) -> np.ndarray:
    place = {word: row for row, word in enumerate(vocabulary)}
    unknown = [word for sentence in sentences for word in sentence if word not in place]
    if unknown:
        raise ValueError(f"every word must be in `vocabulary`, got {unknown[0]!r}.")
    counts = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for before, after in pairwise(sentence):
            counts[place[before], place[after]] += 1
    totals = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)


def _transition_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    ends_and_goes_on = [["sun", "moon"], ["moon", "sun"], ["sun"], ["sun", "rain"]]
    return [
        case("the worked example", _COMMANDS, _COMMAND_WORDS),
        case("random sentences", random_sentences(rng, 23), list(WORDS[:7])),
        case("a vocabulary with words that never occur", random_sentences(rng, 5, 3), list(WORDS[:11])),
        case("a word that ends one sentence and goes on in another", ends_and_goes_on, ["sun", "moon", "rain"]),
        case("a word after itself", [["sun", "sun", "sun", "moon"]], ["moon", "sun"]),
        case("one sentence of one word", [["sun"]], ["sun"]),
        case("no sentences", [], ["sun", "moon"]),
        case("a word outside the vocabulary", [["sun", "moon"]], ["sun", "rain"]),
    ]


def _transitions_gone_wrong(
    sentences: Sentences,
    vocabulary: Sequence[str],
    *,
    joined: bool = False,
    once: bool = False,
    strict: bool = True,
    scale: str = "rows",
) -> np.ndarray:
    place = {word: row for row, word in enumerate(vocabulary)}
    if strict and any(word not in place for word in chain.from_iterable(sentences)):
        raise ValueError("unknown word")
    known = [[word for word in sentence if word in place] for sentence in sentences]
    lines = [list(chain.from_iterable(known))] if joined else known
    counts = np.zeros((len(vocabulary), len(vocabulary)))
    for line in lines:
        for before, after in pairwise(line):
            counts[place[before], place[after]] = 1 if once else counts[place[before], place[after]] + 1
    occurrences = Counter(chain.from_iterable(known))
    totals = {
        "rows": counts.sum(axis=1, keepdims=True),
        "columns": counts.sum(axis=0, keepdims=True),
        "all": counts.sum(),
        "none": np.ones(()),
        "words": np.array([[occurrences[word]] for word in vocabulary], dtype=float),
        "uniform": counts.sum(axis=1, keepdims=True),
    }[scale]
    empty = 1 / len(vocabulary) if scale == "uniform" else 0.0
    return np.divide(counts, totals, out=np.full_like(counts, empty), where=np.broadcast_to(totals > 0, counts.shape))


def _transitions_divide_by_zero(sentences: Sentences, vocabulary: Sequence[str]) -> np.ndarray:
    counts = _transitions_gone_wrong(sentences, vocabulary, scale="none")
    return counts / counts.sum(axis=1, keepdims=True)


def _transitions_by_dictionaries(sentences: Sentences, vocabulary: Sequence[str]) -> np.ndarray:
    after: dict[str, Counter[str]] = {word: Counter() for word in vocabulary}
    for sentence in sentences:
        for at, word in enumerate(sentence):
            if word not in after:
                raise ValueError(f"{word!r} is not in the vocabulary")
            if at:
                after[sentence[at - 1]][word] += 1
    rows = [[after[word][other] / max(1, after[word].total()) for other in vocabulary] for word in vocabulary]
    return np.array(rows, dtype=float).reshape(len(vocabulary), len(vocabulary))


def _transitions_by_one_hot(sentences: Sentences, vocabulary: Sequence[str]) -> np.ndarray:
    counts = np.zeros((len(vocabulary), len(vocabulary)))
    words = list(vocabulary)
    for sentence in sentences:
        hot = np.eye(len(words))[[words.index(word) for word in sentence]]  # index raises ValueError when absent
        counts += hot[:-1].T @ hot[1:]
    return counts / np.maximum(counts.sum(axis=1), 1)[:, None]


transition_matrix = Task(
    name="transition_matrix",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_transition_cases,
    reference=_transition_matrix,
    slips=(
        Slip(
            "columns",
            partial(_transitions_gone_wrong, scale="columns"),
            "Here the columns sum to 1: that is the probability of the word before, given the word after. Divide each "
            "row by the sum of its row, so that a row answers: after this word, what comes?",
        ),
        Slip(
            "transposed",
            lambda sentences, vocabulary: _transition_matrix(sentences, vocabulary).T,
            "The numbers are right, but rows and columns are exchanged. The earlier word chooses the row, the later "
            "word the column: counts[before, after].",
        ),
        Slip(
            "counts",
            partial(_transitions_gone_wrong, scale="none"),
            "These are the counts of the pairs, a good half of the way. Now divide each row by its sum to make it a "
            "distribution.",
        ),
        Slip(
            "joint",
            partial(_transitions_gone_wrong, scale="all"),
            "Every pair is divided by the number of all pairs, so the whole matrix sums to 1. A transition is "
            "conditional: each row must sum to 1 by itself.",
        ),
        Slip(
            "across_sentences",
            partial(_transitions_gone_wrong, joined=True),
            "The last word of a sentence was paired with the first word of the next one. Count the pairs of each "
            "sentence apart.",
        ),
        Slip(
            "divided_by_occurrences",
            partial(_transitions_gone_wrong, scale="words"),
            "Each row is divided by how often its word occurs. At the end of a sentence a word has no successor, so "
            "such a row sums to less than 1; divide by the number of pairs that begin with the word.",
        ),
        Slip(
            "nan_rows",
            _transitions_divide_by_zero,
            "A word that nothing follows has a row that sums to 0, and 0 / 0 is NaN, which spreads into everything it "
            "touches. Leave such a row at zero.",
        ),
        Slip(
            "uniform_rows",
            partial(_transitions_gone_wrong, scale="uniform"),
            "A word that nothing follows was given a uniform row. That invents successors which were never seen; in "
            "this exercise its row stays zero.",
        ),
        Slip(
            "pairs_once",
            partial(_transitions_gone_wrong, once=True),
            "A pair that was seen five times counts no more here than one that was seen once. Add 1 for each "
            "occurrence; = 1 writes over the count.",
        ),
        Slip(
            "unknown_words_dropped",
            partial(_transitions_gone_wrong, strict=False),
            "A word outside the vocabulary was left out without a word, and its neighbours became a pair that was "
            "never written. Raise ValueError.",
        ),
    ),
    alternatives=(_transitions_by_dictionaries, _transitions_by_one_hot),
    hints=(
        "First a matrix of counts, then divide. Which of the two words picks the row?",
        "For each sentence, go through the pairs zip(sentence, sentence[1:]) and add 1 at [row of the earlier word, "
        "column of the later word].",
        "totals = counts.sum(axis=1, keepdims=True); then np.divide(counts, totals, out=np.zeros_like(counts), "
        "where=totals > 0) leaves the rows without successors at zero.",
    ),
)


# ----------------------------------------------------------------------------------------------------- skip_votes

_PROGRAM = ["check", "the", "program", "log", "and", "find", "out", "whether", "it", "ran", "please"]
_BATTERY = ["check", "the", "battery", "log", "and", "find", "out", "whether", "it", "ran", "down", "please"]


def _skip_votes(sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None) -> dict[str, float]:
    if not prefix:
        raise ValueError("`prefix` must hold at least one word, got none.")
    pairs: defaultdict[str, Counter[str]] = defaultdict(Counter)
    votes: dict[str, float] = {}
    for sentence in sentences:
        for at, (word, after) in enumerate(pairwise(sentence)):
            if word == prefix[-1]:
                votes[after] = 0.0
                for earlier in set(sentence[:at]):
                    pairs[earlier][after] += 1
    for earlier in set(prefix[:-1]):
        if keep is None or earlier in keep:
            for after, count in pairs[earlier].items():
                votes[after] += count / pairs[earlier].total()
    return votes


def _skip_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    both = [_PROGRAM, _BATTERY]
    text = random_sentences(rng, 29, 5)
    other = random_sentences(rng, 17, 3)
    return [
        case("the worked example", both, _PROGRAM[:10], None),
        case("the battery sentence", both, _BATTERY[:10], None),
        case("a mask that keeps program and battery", both, _PROGRAM[:10], ["program", "battery"]),
        case("a mask that keeps nothing", both, _BATTERY[:10], []),
        case("random sentences", text, ["sea", "moon", "sun"], None),
        case("random sentences and a mask", other, ["tea", "sea", "tea", "sun"], ["tea"]),
        case("pairs seen more than once", [_PROGRAM, _PROGRAM, _BATTERY], _BATTERY[:10], None),
        case(
            "an earlier word twice",
            [["tea", "tea", "sun", "moon"], ["sea", "sun", "rain"]],
            ["tea", "tea", "sun"],
            None,
        ),
        case("a prefix of one word", both, ["ran"], None),
        case("a last word that was never seen", both, ["check", "the", "engine"], None),
        case("no sentences", [], ["check", "ran"], None),
        case("an empty prefix", both, [], None),
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
    votes = _skip_votes(sentences, prefix, keep)
    total = sum(votes.values())
    return {word: vote / total for word, vote in votes.items()} if total else votes


def _skips_positive(sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None) -> dict[str, float]:
    return {word: vote for word, vote in _skip_votes(sentences, prefix, keep).items() if vote}


def _skips_by_tables(
    sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None
) -> dict[str, float]:
    if len(prefix) == 0:
        raise ValueError("the prefix is empty")
    *earlier_words, last = prefix
    places = [(s, t) for s in sentences for t in range(len(s) - 1) if s[t] == last]
    features = [word for word in dict.fromkeys(earlier_words) if keep is None or word in keep]
    seen = {word: [s[t + 1] for s, t in places if word in s[:t]] for word in features}
    return {
        after: sum(seen[word].count(after) / len(seen[word]) for word in features if seen[word])
        for after in {s[t + 1] for s, t in places}
    }


def _skips_by_matrix(
    sentences: Sentences, prefix: Sequence[str], keep: Sequence[str] | None = None
) -> dict[str, float]:
    last = prefix[-1] if prefix else None
    if last is None:
        raise ValueError("the prefix is empty")
    words = sorted({word for sentence in sentences for word in sentence} | set(prefix))
    place = {word: at for at, word in enumerate(words)}
    table = np.zeros((len(words), len(words)))  # (earlier word, next word)
    followers = set()
    for sentence in sentences:
        for at in range(1, len(sentence)):
            if sentence[at - 1] == last:
                followers.add(sentence[at])
                table[sorted({place[word] for word in sentence[: at - 1]}), place[sentence[at]]] += 1
    features = np.array([word in prefix[:-1] for word in words], dtype=float)
    mask = np.array([keep is None or word in keep for word in words], dtype=float)
    votes = (features * mask) @ (table / np.maximum(table.sum(axis=1, keepdims=True), 1))
    return {word: float(votes[place[word]]) for word in followers}


skip_votes = Task(
    name="skip_votes",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=30,
    cases=_skip_cases,
    reference=_skip_votes,
    slips=(
        Slip(
            "bigram",
            _skips_as_bigram,
            "Only the last word was used, so this is a bigram: it cannot tell the battery from the program. Let every "
            "pair (earlier word, last word) vote.",
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
            "prefix vote, however far back it stands.",
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
            "An earlier word that stands in the prefix twice voted twice. A feature is present or absent (1 or 0), so "
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
        "Find every place in the sentences where the prefix's last word stands with a word after it. What stood before "
        "it in that sentence, and what came after?",
        "Keep a table pairs[earlier][after] of counts for those places, with set(sentence[:t]) as the earlier words. "
        "Then each word of set(prefix[:-1]) that the mask keeps gives one vote, split by its counts.",
        "Start with votes = {every word seen after the last word: 0.0}. Then for earlier in set(prefix[:-1]): if keep "
        "is None or earlier in keep: for each after, votes[after] += pairs[earlier][after] / its row's sum.",
    ),
)
