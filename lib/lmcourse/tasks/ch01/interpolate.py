import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import WEATHER, count_tables, random_sentences


def interpolate(tables, context, word, weights):
    """Return the weighted mean of the maximum likelihood estimates of all orders.

    Args:
        tables: tables[0] holds the counts of unigrams, tables[1] of bigrams, and so on: dicts as in `ngram_counts`.
        context: a tuple of tokens, at most len(tables) - 1.
        word: the next word.
        weights: one positive number for each table, the unigrams first.

    Returns:
        A float from 0 to 1. Orders whose context is too short or was never seen are left out, and the rest divided by
        the sum of their weights.

    Raises:
        ValueError: the weights do not sum to 1 (to within 1e-9).

    >>> unigrams = {("red",): 3, ("sun",): 2, ("sky",): 2, ("blue",): 1, ("</s>",): 4}
    >>> bigrams = {("red", "sun"): 2, ("red", "sky"): 1, ("blue", "sky"): 1}
    >>> round(interpolate([unigrams, bigrams], ("red",), "sun", [0.4, 0.6]), 4)
    0.4667
    """
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError(f"`weights` must sum to 1, got {sum(weights)}.")
    mixed = used = 0.0
    for length, (table, weight) in enumerate(zip(tables, weights)):
        if length > len(context):
            break
        recent = context[len(context) - length :]
        total = sum(count for gram, count in table.items() if gram[:-1] == recent)
        if total:
            mixed += weight * table.get((*recent, word), 0) / total
            used += weight
    return mixed / used


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    text = count_tables(random_sentences(rng, 41, 3), 3)
    pairs = count_tables(random_sentences(rng, 29), 2)
    seen = list(text[2])[int(rng.integers(len(text[2])))]
    share = [float(part) for part in rng.dirichlet([2.0, 2.0, 2.0])]
    weather = count_tables(WEATHER, 2)
    three = count_tables([["old", "red", "sun"], ["old", "red", "sky"], ["red", "sun"], ["new", "blue", "sky"]], 3)
    return [
        case("the worked example", weather, ("red",), "sun", [0.4, 0.6]),
        case("three orders by hand", three, ("old", "red"), "sun", [0.2, 0.3, 0.5]),
        case("random text, three orders", text, seen[:-1], seen[-1], share),
        case("random text, two orders", pairs, ("<s>",), "sea", [0.25, 0.75]),
        border("a word that never follows the context", weather, ("blue",), "sun", [0.4, 0.6]),
        border("a context that was never seen", weather, ("green",), "sun", [0.4, 0.6]),
        border("only the longest context unseen", three, ("new", "red"), "sky", [0.2, 0.3, 0.5]),
        case("the start of a sentence: a shorter context", three, ("<s>",), "old", [0.5, 0.3, 0.2]),
        border("no context and two orders", weather, (), "sun", [0.4, 0.6]),
        border("a context that is too short for the highest of three orders", three, ("red",), "sun", [0.5, 0.3, 0.2]),
        border("a word that was never seen", three, ("old", "red"), "moon", [0.2, 0.3, 0.5]),
        border("weights 0.7, 0.2 and 0.1, whose sum rounds", three, ("old", "red"), "sun", [0.7, 0.2, 0.1]),
        border("weights that sum to 1 + 5e-10", weather, ("red",), "sun", [0.4, 0.6 + 5e-10]),
        border("weights that sum to less than 1", weather, ("red",), "sun", [0.5, 0.4]),
        border("no context, and weights that sum to 1.5", weather, (), "sun", [0.5, 1.0]),
        border("weights that sum to 1 and a millionth", weather, ("red",), "sun", [0.4, 0.600001]),
        border("weights that sum to 1 + 1e-8", weather, ("red",), "sun", [0.4, 0.6 + 1e-8]),
    ]


SLIPS = mistakes("""
backwards: "one positive number for each table, the unigrams first"
    zip(tables, weights) => zip(tables, weights[::-1])
  The weights are given to the orders in reverse. weights[0] belongs to tables[0], the unigrams; the last weight to the
  longest context.
first_words: "a tuple of tokens, at most len(tables) - 1"
    context[len(context) - length :] => context[:length]
  The shorter orders look at the first words of the context. The words nearest to the next one tell most: cut the
  context from the left, and keep its end.
minus_zero: "Orders whose context is too short or was never seen are left out"
    context[len(context) - length :] => context[-length:]
    mixed / used => mixed / used if used else 0.0
  For the unigrams this took context[-0:], which is the whole context and not the empty one, so the unigrams never took
  part. Write context[len(context) - n :].
minus_zero_unseen: "Orders whose context is too short or was never seen are left out"
    context[len(context) - length :] => context[-length:]
  For the unigrams this takes context[-0:], which is the whole context and not the empty one, so the unigrams never take
  part, and with an unseen context nothing is left to divide by. Write context[len(context) - n :].
not_rescaled: "the rest divided by the sum of their weights"
    mixed / used => mixed
  When a context was never seen, its weight was lost and the probabilities sum to less than 1. Divide by the sum of the
  weights that were used.
longest_only: "Return the weighted mean of the maximum likelihood estimates of all orders"
    mixed += weight * table.get((*recent, word), 0) / total => mixed = table.get((*recent, word), 0) / total
    mixed / used => mixed
  Only the longest context that was seen is used, so a word it never saw gets 0. Interpolation always mixes all orders,
  each with its weight.
equal_weights: "Return the weighted mean of the maximum likelihood estimates of all orders"
    weight * table => table
    used += weight => used += 1
  All orders count alike: this is the plain average. Multiply each order's probability by its own weight before the sum.
weights_unchecked: "the weights do not sum to 1 (to within 1e-9)"
    abs(sum(weights) - 1) > 1e-9 => False
  The mixture is right, but weights that do not sum to 1 were accepted. Raise ValueError when abs(sum(weights) - 1) >
  1e-9.
""")
HINTS = hints("""
- One maximum likelihood estimate for each order, each from its own table and its own end of the context; then a
  weighted sum.
- Order n looks at the last n - 1 words: context[len(context) - (n - 1):]. Skip an order when the context is too short
  or was never seen in its table, and keep the sum of the weights you did use.
- Loop over n, table and weight: recent = the last n - 1 words; total = counts that begin with recent; if total: mixed
  += weight * table.get(recent + (word,), 0) / total; used += weight. Return mixed / used.
""")
task = Task(interpolate, points=4, difficulty=3, minutes=25, cases=cases, slips=SLIPS, hints=HINTS)
