"""Tasks of chapter 01, third part: smoothing a count with shorter contexts, up to interpolation of the orders."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.ngrams import CHAPTER, Sentences, random_sentences
from lmcourse.tasks.ngrams_counts import Counts, padded_counts

_WEATHER = [["red", "sun"], ["red", "sun"], ["red", "sky"], ["blue", "sky"]]


def count_tables(sentences: Sentences, order: int) -> list[Counts]:
    """Unigrams, bigrams, ... up to `order`; <s> is left out of the unigrams, for it is never predicted."""
    tables = [padded_counts(sentences, n) for n in range(1, order + 1)]
    tables[0].pop(("<s>",), None)
    return tables


def _followers(table: Counts, context: tuple[str, ...]) -> Counter[str]:
    after: Counter[str] = Counter()
    for gram, count in table.items():
        if gram[:-1] == context:
            after[gram[-1]] += count
    return after


# ---------------------------------------------------------------------------------------------------------- add_k


def _add_k(counts: Counts, context: tuple[str, ...], word: str, vocabulary_size: int, k: float = 1.0) -> float:
    if k <= 0:
        raise ValueError(f"`k` must be above 0, got {k}.")
    total = sum(count for gram, count in counts.items() if gram[:-1] == context)
    return (counts.get((*context, word), 0) + k) / (total + k * vocabulary_size)


def _add_k_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    bigrams = padded_counts(random_sentences(rng, 31), 2)
    trigrams = padded_counts(random_sentences(rng, 37, 3), 3)
    seen = list(bigrams)[int(rng.integers(len(bigrams)))]
    longer = list(trigrams)[int(rng.integers(len(trigrams)))]
    weather = padded_counts(_WEATHER, 2)
    return [
        case("the worked example", weather, ("red",), "sun", 5, 0.5),
        case("random bigrams", bigrams, seen[:-1], seen[-1], 11, float(rng.uniform(0.01, 0.9))),
        case("random trigrams", trigrams, longer[:-1], longer[-1], 1009, float(rng.uniform(0.01, 0.9))),
        case("a word that never follows the context", weather, ("blue",), "sun", 5, 0.1),
        case("a context that was never seen", weather, ("green",), "sun", 5, 0.25),
        case("a word that was never seen", weather, ("red",), "moon", 5, 2.0),
        case("k left out", weather, ("red",), "sky", 5),
        case("no context: unigrams", {("sun",): 3, ("sky",): 4, ("</s>",): 4}, (), "sky", 3, 0.5),
        case("no counts: every word alike", {}, ("red",), "sun", 7, 0.5),
        case("k = 0, which smooths nothing", weather, ("red",), "sun", 5, 0.0),
        case("k below 0", weather, ("red",), "sun", 5, -0.5),
    ]


def _add_k_wrong(
    counts: Counts,
    context: tuple[str, ...],
    word: str,
    vocabulary_size: int,
    k: float = 1.0,
    *,
    below: str = "kV",
    above: str = "k",
    strict: bool = True,
    ignore_k: bool = False,
) -> float:
    if strict and k <= 0:
        raise ValueError("k")
    k = 1.0 if ignore_k else k
    after = _followers(counts, context)
    extra = {
        "kV": k * vocabulary_size,
        "V": vocabulary_size,
        "k": k,
        "seen": k * len(after),
        "types": k * len({gram[-1] for gram in counts}),
    }[below]
    total = sum(counts.values()) if above == "joint" else after.total()
    count = after[word]
    return (count + k) / (total + extra)


def _add_k_only_seen(
    counts: Counts, context: tuple[str, ...], word: str, vocabulary_size: int, k: float = 1.0
) -> float:
    value = _add_k(counts, context, word, vocabulary_size, k)
    return value if word in _followers(counts, context) else 0.0


def _add_k_as_average(
    counts: Counts, context: tuple[str, ...], word: str, vocabulary_size: int, k: float = 1.0
) -> float:
    if not k > 0:
        raise ValueError("k must be positive")
    total, count = 0, 0
    for (*before, after), times in counts.items():
        if before == list(context):
            total += times
            count += times * (after == word)
    trust = total / (total + k * vocabulary_size)  # add-k is a mixture of the MLE and the uniform distribution
    return trust * (count / total if total else 0.0) + (1 - trust) / vocabulary_size


def _add_k_by_loop(counts: Counts, context: tuple[str, ...], word: str, vocabulary_size: int, k: float = 1.0) -> float:
    if k <= 0.0:
        raise ValueError("nothing is added")
    row = np.full(vocabulary_size, k)  # one entry a word; the counts go anywhere, only the sum matters
    mine = k
    for gram, times in counts.items():
        if gram[:-1] == context:
            row[0] += times
            mine += times if gram[-1] == word else 0
    return float(mine / row.sum())


add_k = Task(
    name="add_k",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_add_k_cases,
    reference=_add_k,
    slips=(
        Slip(
            "denominator_without_v",
            partial(_add_k_wrong, below="k"),
            "k is added once below the line. Each of the V words was given k above the line, so below it must grow by "
            "k * V, or the probabilities sum to more than 1.",
        ),
        Slip(
            "k_only_above",
            partial(_add_k_wrong, below="V"),
            "Below the line V was added, above it k. That is right for k = 1 only; with another k the sum is not 1. "
            "Add k * V.",
        ),
        Slip(
            "seen_words_only",
            partial(_add_k_wrong, below="seen"),
            "V was taken to be the number of words seen after this context. The unseen words get k as well: use "
            "`vocabulary_size`.",
        ),
        Slip(
            "words_of_the_counts",
            partial(_add_k_wrong, below="types"),
            "V was counted from the table. A vocabulary may hold words that the table does not; use the "
            "`vocabulary_size` that is given.",
        ),
        Slip(
            "always_one",
            partial(_add_k_wrong, ignore_k=True),
            "This is add-one (Laplace) whatever k says. Replace the 1 by k above and below the line: 1 takes far too "
            "much from the words that were seen.",
        ),
        Slip(
            "joint",
            partial(_add_k_wrong, above="joint"),
            "The denominator holds the sum of all counts. The probability is conditional: only the n-grams that begin "
            "with the context count.",
        ),
        Slip(
            "unseen_stay_zero",
            _add_k_only_seen,
            "A word that was never seen after the context still gets 0. Those are the words add-k is for: their count "
            "is 0, and 0 + k is above the line.",
        ),
        Slip(
            "any_k",
            partial(_add_k_wrong, strict=False),
            "The formula is right, but k = 0 or below was let through: it smooths nothing, and a negative k gives "
            "negative probabilities. Raise ValueError unless k > 0.",
        ),
    ),
    alternatives=(_add_k_as_average, _add_k_by_loop),
    hints=(
        "Pretend that every word of the vocabulary was seen k more times after this context. What is its share now?",
        "Above the line: the count of the n-gram, plus k. Below: the sum of the counts of the context, plus k for each "
        "of the V words.",
        "return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size), with total as in "
        "mle_probability; raise ValueError first unless k > 0.",
    ),
)


# ---------------------------------------------------------------------------------------------------- interpolate


def _interpolate(tables: Sequence[Counts], context: tuple[str, ...], word: str, weights: Sequence[float]) -> float:
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError(f"`weights` must sum to 1, got {sum(weights)}.")
    mixed, used = 0.0, 0.0
    for length, (table, weight) in enumerate(zip(tables, weights, strict=True)):
        recent = context[len(context) - length :] if length <= len(context) else None
        total = sum(count for gram, count in table.items() if gram[:-1] == recent)
        if recent is not None and total:
            mixed += weight * table.get((*recent, word), 0) / total
            used += weight
    return mixed / used


def _interpolation_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    text = count_tables(random_sentences(rng, 41, 3), 3)
    pairs = count_tables(random_sentences(rng, 29), 2)
    seen = list(text[2])[int(rng.integers(len(text[2])))]
    share = [float(part) for part in rng.dirichlet([2.0, 2.0, 2.0])]
    weather = count_tables(_WEATHER, 2)
    three = count_tables([["old", "red", "sun"], ["old", "red", "sky"], ["red", "sun"], ["new", "blue", "sky"]], 3)
    return [
        case("the worked example", weather, ("red",), "sun", [0.4, 0.6]),
        case("three orders by hand", three, ("old", "red"), "sun", [0.2, 0.3, 0.5]),
        case("random text, three orders", text, seen[:-1], seen[-1], share),
        case("random text, two orders", pairs, ("<s>",), "sea", [0.25, 0.75]),
        case("a word that never follows the context", weather, ("blue",), "sun", [0.4, 0.6]),
        case("a context that was never seen", weather, ("green",), "sun", [0.4, 0.6]),
        case("only the longest context unseen", three, ("new", "red"), "sky", [0.2, 0.3, 0.5]),
        case("the start of a sentence: a shorter context", three, ("<s>",), "old", [0.5, 0.3, 0.2]),
        case("one order", weather[:1], (), "sky", [1.0]),
        case("a word that was never seen", three, ("old", "red"), "moon", [0.2, 0.3, 0.5]),
        case("weights that sum to 1.5", weather, ("red",), "sun", [0.5, 1.0]),
    ]


def _interpolation_wrong(
    tables: Sequence[Counts],
    context: tuple[str, ...],
    word: str,
    weights: Sequence[float],
    *,
    backwards: bool = False,
    mix: str = "sum",
    rescale: bool = True,
    strict: bool = True,
    cut: str = "recent",
) -> float:
    if strict and abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    weights = list(weights)[::-1] if backwards else list(weights)
    parts, used = [], 0.0
    for length, table in enumerate(tables):
        if length > len(context):
            continue
        recent = {
            "recent": context[len(context) - length :],
            "first": context[:length],
            "minus_zero": context[-length:],
        }[cut]
        after = _followers(table, recent)
        if after.total():
            parts.append((weights[length], after[word] / after.total()))
            used += weights[length]
    if mix == "longest":
        return float(parts[-1][1])
    if mix == "product":
        return float(np.prod([share ** (weight / used) for weight, share in parts]))
    if mix == "equal":
        return sum(share for _, share in parts) / len(parts)
    if mix == "maximum":
        return max(share for _, share in parts)
    if not parts:
        return 0.0
    return sum(weight * share for weight, share in parts) / (used if rescale else 1.0)


def _interpolation_by_arrays(
    tables: Sequence[Counts], context: tuple[str, ...], word: str, weights: Sequence[float]
) -> float:
    if not np.isclose(np.sum(weights), 1.0, rtol=0, atol=1e-9):
        raise ValueError("weights must sum to 1")
    orders = range(1, min(len(tables), len(context) + 1) + 1)
    ends = [tuple(context)[len(context) - order + 1 :] for order in orders]
    totals = np.array([_followers(table, end).total() for table, end in zip(tables, ends, strict=False)], dtype=float)
    hits = np.array([table.get((*end, word), 0) for table, end in zip(tables, ends, strict=False)], dtype=float)
    use = totals > 0
    chosen = np.array(weights)[: len(orders)][use]
    return float(chosen @ (hits[use] / totals[use]) / chosen.sum())


def _interpolation_recursive(
    tables: Sequence[Counts], context: tuple[str, ...], word: str, weights: Sequence[float]
) -> float:
    if abs(1 - sum(weights)) > 1e-9:
        raise ValueError("the weights do not sum to 1")

    def up_to(order: int) -> tuple[float, float]:
        """The weighted sum over the orders 1 to `order`, and the weight that went into it."""
        if order == 0:
            return 0.0, 0.0
        value, weight = up_to(order - 1)
        at = len(context) - (order - 1)
        after = _followers(tables[order - 1], tuple(context[at:])) if at >= 0 else Counter()
        if not after:
            return value, weight
        return value + weights[order - 1] * after[word] / sum(after.values()), weight + weights[order - 1]

    value, weight = up_to(len(tables))
    return value / weight


interpolate = Task(
    name="interpolate",
    chapter=CHAPTER,
    points=4,
    difficulty=3,
    minutes=25,
    cases=_interpolation_cases,
    reference=_interpolate,
    slips=(
        Slip(
            "backwards",
            partial(_interpolation_wrong, backwards=True),
            "The weights are given to the orders in reverse. weights[0] belongs to tables[0], the unigrams; the last "
            "weight to the longest context.",
        ),
        Slip(
            "first_words",
            partial(_interpolation_wrong, cut="first"),
            "The shorter orders look at the first words of the context. The words nearest to the next one tell most: "
            "cut the context from the left, and keep its end.",
        ),
        Slip(
            "minus_zero",
            partial(_interpolation_wrong, cut="minus_zero"),
            "For the unigrams this took context[-0:], which is the whole context and not the empty one, so the "
            "unigrams never took part. Write context[len(context) - n :].",
        ),
        Slip(
            "not_rescaled",
            partial(_interpolation_wrong, rescale=False),
            "When a context was never seen, its weight was lost and the probabilities sum to less than 1. Divide by "
            "the sum of the weights that were used.",
        ),
        Slip(
            "longest_only",
            partial(_interpolation_wrong, mix="longest"),
            "Only the longest context that was seen is used, so a word it never saw gets 0. Interpolation always mixes "
            "all orders, each with its weight.",
        ),
        Slip(
            "equal_weights",
            partial(_interpolation_wrong, mix="equal"),
            "All orders count alike: this is the plain average. Multiply each order's probability by its own weight "
            "before the sum.",
        ),
        Slip(
            "product",
            partial(_interpolation_wrong, mix="product"),
            "The probabilities were multiplied (each to the power of its weight). One 0 then makes everything 0 again; "
            "add weight times probability instead.",
        ),
        Slip(
            "maximum",
            partial(_interpolation_wrong, mix="maximum"),
            "This takes the largest of the probabilities. Over all words such maxima sum to more than 1; a weighted "
            "sum of distributions is a distribution.",
        ),
        Slip(
            "weights_unchecked",
            partial(_interpolation_wrong, strict=False),
            "The mixture is right, but weights that do not sum to 1 were accepted. Raise ValueError when "
            "abs(sum(weights) - 1) > 1e-9.",
        ),
    ),
    alternatives=(_interpolation_by_arrays, _interpolation_recursive),
    hints=(
        "One maximum likelihood estimate for each order, each from its own table and its own end of the context; then "
        "a weighted sum.",
        "Order n looks at the last n - 1 words: context[len(context) - (n - 1):]. Skip an order when the context is "
        "too short or was never seen in its table, and keep the sum of the weights you did use.",
        "Loop over n, table and weight: recent = the last n - 1 words; total = counts that begin with recent; if "
        "total: mixed += weight * table.get(recent + (word,), 0) / total; used += weight. Return mixed / used.",
    ),
)
