"""Tasks of chapter 01, second part: counting n-grams, and the maximum likelihood estimate."""

from collections import Counter
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.ngrams import CHAPTER, Sentences, random_sentences

Counts = dict[tuple[str, ...], int]


def padded_counts(sentences: Sentences, order: int) -> Counts:
    """Count the windows of `order` tokens in <s> ... </s>; the reference of `ngram_counts`."""
    if order < 1:
        raise ValueError(f"`order` must be at least 1, got {order}.")
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        tokens = ["<s>", *sentence, "</s>"]
        counts.update(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))
    return dict(counts)


# --------------------------------------------------------------------------------------------------- ngram_counts


def _count_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", [["the", "sea", "the", "sea"], ["the", "sun"]], 2),
        case("random sentences, bigrams", random_sentences(rng, 19), 2),
        case("random sentences, trigrams", random_sentences(rng, 13, 3), 3),
        case("order 1, where <s> and </s> count too", random_sentences(rng, 7), 1),
        case("order 5", random_sentences(rng, 11, 2), 5),
        case("a sentence shorter than the order", [["sun"], ["sun", "moon", "sun"]], 4),
        case("one empty sentence", [[]], 2),
        case("no sentences", [], 3),
        case("order 0", [["sun", "moon"]], 0),
    ]


def _counts_gone_wrong(
    sentences: Sentences, order: int, *, start: str = "one", end: bool = True, least: int = 1
) -> Counts:
    if order < least:
        raise ValueError("order")
    counts: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        n_start = {"none": 0, "one": 1, "many": order - 1}[start]
        tokens = ["<s>"] * n_start + [*sentence] + ["</s>"] * end
        counts.update(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))
    return dict(counts)


def _counts_across_sentences(sentences: Sentences, order: int) -> Counts:
    if order < 1:
        raise ValueError("order")
    tokens = [token for sentence in sentences for token in ("<s>", *sentence, "</s>")]
    return dict(Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1)))


def _counts_of_all_orders(sentences: Sentences, order: int) -> Counts:
    if order < 1:
        raise ValueError("order")
    return {gram: count for n in range(1, order + 1) for gram, count in padded_counts(sentences, n).items()}


def _counts_by_shifts(sentences: Sentences, order: int) -> Counts:
    if order <= 0:
        raise ValueError("the order must be 1 or more")
    total: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        padded = ("<s>", *sentence, "</s>")
        total += Counter(zip(*(padded[shift:] for shift in range(order)), strict=False))
    return total


def _counts_by_sliding(sentences: Sentences, order: int) -> Counts:
    if not order > 0:
        raise ValueError("order")
    seen: dict[tuple[str, ...], int] = {}
    for sentence in sentences:
        window: tuple[str, ...] = ()
        for token in chain(["<s>"], sentence, ["</s>"]):
            window = (*window, token)[-order:]
            if len(window) == order:
                seen[window] = seen.get(window, 0) + 1
    return seen


ngram_counts = Task(
    name="ngram_counts",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_count_cases,
    reference=padded_counts,
    slips=(
        Slip(
            "no_padding",
            partial(_counts_gone_wrong, start="none", end=False),
            "The words are counted, but <s> and </s> are missing, so the model could not know how sentences begin and "
            'when they end. Count over ["<s>", *sentence, "</s>"].',
        ),
        Slip(
            "many_starts",
            partial(_counts_gone_wrong, start="many"),
            "The sentence was padded with order - 1 start marks. Some toolkits do; here, as in KenLM, each sentence "
            "gets exactly one <s>, whatever the order.",
        ),
        Slip(
            "no_end",
            partial(_counts_gone_wrong, end=False),
            "The n-grams that end with </s> are missing: there is no end mark, or the window stops one place early. "
            "Without it a model never learns to stop. There are len(tokens) - order + 1 windows.",
        ),
        Slip(
            "across_sentences",
            _counts_across_sentences,
            "Some n-grams run over the end of a sentence, such as (</s>, <s>). Pad and count each sentence by itself.",
        ),
        Slip(
            "no_start",
            partial(_counts_gone_wrong, start="none"),
            "The end mark </s> is there, the start mark <s> is not. With it, a sentence's first word has a context "
            "like every other word.",
        ),
        Slip(
            "all_orders",
            _counts_of_all_orders,
            "Shorter n-grams were counted too. The result holds n-grams of exactly `order` tokens; the shorter ones "
            "come from another call.",
        ),
        Slip(
            "joined_keys",
            lambda sentences, order: {" ".join(gram): n for gram, n in padded_counts(sentences, order).items()},
            "The counts are right, but the keys are strings with spaces. Use tuples of tokens: a token may hold a "
            "space itself, and a context is then gram[:-1].",
        ),
        Slip(
            "seen_or_not",
            lambda sentences, order: dict.fromkeys(padded_counts(sentences, order), 1),
            "Every n-gram has the count 1, however often it was seen. Add 1 at each occurrence: "
            "counts[gram] = counts.get(gram, 0) + 1.",
        ),
        Slip(
            "order_zero",
            partial(_counts_gone_wrong, least=0),
            "Order 0 gave a count of the empty tuple. An n-gram has at least one token: raise ValueError when order is "
            "below 1.",
        ),
    ),
    alternatives=(_counts_by_shifts, _counts_by_sliding),
    hints=(
        "Pad the sentence first, and slide a window of `order` tokens over the padded list.",
        "tokens = ['<s>', *sentence, '</s>'] has len(tokens) - order + 1 windows; tuple(tokens[i : i + order]) is one.",
        "for i in range(len(tokens) - order + 1): gram = tuple(tokens[i : i + order]); counts[gram] = counts.get(gram, "
        "0) + 1. Raise ValueError first if order < 1.",
    ),
)


# ------------------------------------------------------------------------------------------------ mle_probability

_WEATHER = [["red", "sun"], ["red", "sun"], ["red", "sky"], ["blue", "sky"]]


def relative_frequency(counts: Counts, context: tuple[str, ...], word: str) -> float:
    """The reference of `mle_probability`."""
    total = sum(count for gram, count in counts.items() if gram[:-1] == context)
    if total == 0:
        raise ValueError(f"`context` must occur in `counts`, got {context!r}.")
    return counts.get((*context, word), 0) / total


def _mle_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    bigrams = padded_counts(random_sentences(rng, 31), 2)
    trigrams = padded_counts(random_sentences(rng, 37, 3), 3)
    seen = list(bigrams)[int(rng.integers(len(bigrams)))]
    longer = list(trigrams)[int(rng.integers(len(trigrams)))]
    return [
        case("the worked example", padded_counts(_WEATHER, 2), ("red",), "sun"),
        case("random bigrams", bigrams, seen[:-1], seen[-1]),
        case("random trigrams", trigrams, longer[:-1], longer[-1]),
        case("the start of a sentence", bigrams, ("<s>",), "tea"),
        case("a word that never follows the context", padded_counts(_WEATHER, 2), ("blue",), "sun"),
        case("a context with several followers", padded_counts(_WEATHER, 2), ("red",), "sky"),
        case(
            "two contexts that end alike",
            {("old", "red", "sun"): 3, ("new", "red", "sun"): 1, ("new", "red", "sky"): 4},
            ("new", "red"),
            "sun",
        ),
        case("no context: unigrams", {("sun",): 3, ("sky",): 4, ("</s>",): 4}, (), "sky"),
        case("one n-gram in all", {("sun", "sky"): 5}, ("sun",), "sky"),
        case("a context that was never seen", padded_counts(_WEATHER, 2), ("green",), "sun"),
        case("no counts", {}, ("red",), "sun"),
    ]


def _mle_shortened(counts: Counts, context: tuple[str, ...], word: str) -> float:
    shorter: Counter[tuple[str, ...]] = Counter()
    for gram, count in counts.items():
        shorter[gram[-2:]] += count
    return relative_frequency(shorter, context[-1:], word)


def _mle_unseen(counts: Counts, context: tuple[str, ...], word: str, *, answer: Any = None) -> float:
    total = sum(count for gram, count in counts.items() if gram[:-1] == context)
    return answer if total == 0 and answer is not None else counts.get((*context, word), 0) / total


def _mle_key_error(counts: Counts, context: tuple[str, ...], word: str) -> float:
    relative_frequency(counts, context, word)
    return counts[(*context, word)] / sum(count for gram, count in counts.items() if gram[:-1] == context)


def _mle_over(counts: Counts, context: tuple[str, ...], word: str, *, what: str) -> float:
    relative_frequency(counts, context, word)
    below = {
        "all": sum(counts.values()),
        "types": sum(gram[:-1] == context for gram in counts),
        "word": sum(count for gram, count in counts.items() if gram[-1] == word) or 1,
        "vocabulary": len({gram[-1] for gram in counts}),
    }[what]
    return counts.get((*context, word), 0) / below


def _mle_plus_one(counts: Counts, context: tuple[str, ...], word: str) -> float:
    relative_frequency(counts, context, word)
    total = sum(count for gram, count in counts.items() if gram[:-1] == context)
    return (counts.get((*context, word), 0) + 1) / (total + len({gram[-1] for gram in counts}))


def _mle_by_followers(counts: Counts, context: tuple[str, ...], word: str) -> float:
    followers: Counter[str] = Counter()
    for (*before, after), count in counts.items():
        if tuple(before) == tuple(context):
            followers[after] += count
    if not followers:
        raise ValueError("unseen context")
    return followers[word] / followers.total()


def _mle_by_arrays(counts: Counts, context: tuple[str, ...], word: str) -> float:
    n_tokens = np.array(list(counts.values()), dtype=float)
    here = np.array([list(gram[: len(gram) - 1]) == list(context) for gram in counts], dtype=bool)
    hit = here & np.array([gram[-1] == word for gram in counts], dtype=bool)
    if not here.any():
        raise ValueError("nothing begins with this context")
    return float(n_tokens[hit].sum() / n_tokens[here].sum())


mle_probability = Task(
    name="mle_probability",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_mle_cases,
    reference=relative_frequency,
    slips=(
        Slip(
            "joint",
            partial(_mle_over, what="all"),
            "This divides by the sum of all counts: how often the whole n-gram occurs in the text. The question is "
            "conditional: given the context, so divide by the n-grams that begin with it.",
        ),
        Slip(
            "types_not_tokens",
            partial(_mle_over, what="types"),
            "This divides by the number of different n-grams that begin with the context. Divide by the sum of their "
            "counts, or the result can exceed 1.",
        ),
        Slip(
            "backwards",
            partial(_mle_over, what="word"),
            "This divides by how often the word occurs after anything: the probability of the context given the word. "
            "Turn it round: divide by the counts of the context.",
        ),
        Slip(
            "vocabulary",
            partial(_mle_over, what="vocabulary"),
            "This divides by the number of different words. The size of the vocabulary plays no part in the maximum "
            "likelihood estimate; divide by the count of the context.",
        ),
        Slip(
            "plus_one",
            _mle_plus_one,
            "One was added to every count. That is smoothing, and it comes next; the maximum likelihood estimate is "
            "the plain share, 0 for what was never seen.",
        ),
        Slip(
            "context_cut",
            _mle_shortened,
            "Only the last word of the context was used. Two contexts that end alike are still two contexts: compare "
            "the whole gram[:-1].",
        ),
        Slip(
            "unseen_context_is_zero",
            partial(_mle_unseen, answer=0.0),
            "A context that was never seen got probability 0 for every word, which sums to 0, not to 1. There is no "
            "maximum likelihood estimate here: raise ValueError.",
        ),
        Slip(
            "zero_division",
            _mle_unseen,
            "A context that was never seen makes the sum 0, and the division stops with ZeroDivisionError. Look at the "
            "sum first, and raise ValueError with a message that names the context.",
        ),
        Slip(
            "key_error",
            _mle_key_error,
            "counts[gram] stops with KeyError when the n-gram was never seen. Its count is 0: use counts.get(gram, 0).",
        ),
    ),
    alternatives=(_mle_by_followers, _mle_by_arrays),
    hints=(
        "A share: how many of the times that the context was seen did this word come next?",
        "The denominator is the sum of the counts of all n-grams with gram[:-1] == context.",
        "total = sum(n for gram, n in counts.items() if gram[:-1] == context); raise ValueError if it is 0, else "
        "return counts.get(context + (word,), 0) / total.",
    ),
)
