import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import count_tables, random_sentences


def stupid_backoff(tables, context, word, alpha=0.4):
    """Return the score of a word after a context.

    Args:
        tables: tables[0] holds the counts of unigrams, tables[1] of bigrams, and so on; every count at least 1.
        context: a tuple of tokens, at most len(tables) - 1; its table is tables[len(context)].
        word: the next word.
        alpha: the factor for each word of the context that is given up, above 0 and at most 1.

    Returns:
        A float from 0 to 1.

    Raises:
        ValueError: alpha is not above 0, or it is above 1.

    >>> unigrams = {("red",): 3, ("sun",): 2, ("sky",): 5}
    >>> bigrams = {("red", "sun"): 2, ("red", "sky"): 1}
    >>> round(stupid_backoff([unigrams, bigrams], ("red",), "sun"), 4)
    0.6667
    >>> round(stupid_backoff([unigrams, bigrams], ("blue",), "sky"), 4)
    0.2
    """
    if not 0 < alpha <= 1:
        raise ValueError(f"`alpha` must be above 0 and at most 1, got {alpha}.")
    table = tables[len(context)]
    count = table.get((*context, word), 0)
    if count > 0:
        return count / sum(n for gram, n in table.items() if gram[:-1] == context)
    return alpha * stupid_backoff(tables, context[1:], word, alpha) if context else 0.0


_SKY = [["old", "red", "sun"], ["old", "red", "sky"], ["red", "sun"], ["new", "blue", "sky"]]


_ENDS = [{("red",): 5, ("sun",): 2, ("sky",): 1}, {("red", "sun"): 2, ("red", "sky"): 1}]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    text = count_tables(random_sentences(rng, 41, 3), 3)
    seen = list(text[2])[int(rng.integers(len(text[2])))]
    longer = count_tables(random_sentences(rng, 13), 5)
    alpha = float(rng.uniform(0.1, 0.9))
    three = count_tables(_SKY, 3)
    return [
        case("the worked example", three, ("new", "red"), "sky"),
        border("seen with the whole context: no backing off", three, ("old", "red"), "sun"),
        case("backed off twice, to the unigram", three, ("old", "red"), "new", 0.5),
        case("random text, a trigram that was seen", text, seen[:-1], seen[-1], alpha),
        case("random text, order 5", longer, ("salt", "tea", "sea", "sun"), "moon", alpha),
        border("a context of one word", three, ("<s>",), "sun", 0.3),
        border("no context", three, (), "sky", 0.3),
        border("a word that was never seen", three, ("old", "red"), "moon"),
        border("alpha = 1", three, ("blue", "red"), "</s>", 1.0),
        case("a context that also ends a text, with nothing after it", _ENDS, ("red",), "sun"),
        border("alpha = 0 and an n-gram that was seen", three, ("old", "red"), "sun", 0.0),
        border("alpha below 0", three, ("new", "red"), "sky", -0.4),
        border("alpha below 0 and no context", three, (), "sky", -0.4),
        border("alpha = 0", three, ("new", "red"), "sky", 0.0),
        border("alpha above 1", three, ("old", "red"), "sun", 1.5),
        border("alpha above 1 and no context", three, (), "sky", 1.5),
    ]


SLIPS = mistakes("""
no_alpha: "the factor for each word of the context that is given up, above 0 and at most 1"
    return alpha * stupid => return stupid
  Backing off cost nothing: the shorter context's share came back at full size. Multiply it by alpha, once for each word
  that was dropped.
alpha_once: "the factor for each word of the context that is given up, above 0 and at most 1"
    return alpha * stupid_backoff(tables, context[1:], word, alpha) if context else 0.0 =>
        score = stupid_backoff(tables, context[1:], word, 1.0) if context else 0.0
    |    return alpha * score
  alpha was applied once, though two words of the context were dropped. Each step down costs another alpha: two steps,
  alpha * alpha.
alpha_always: "the factor for each word of the context that is given up, above 0 and at most 1"
    return count / sum => return alpha * count / sum
  An n-gram that was seen was multiplied by alpha as well. Nothing was backed off there: its score is its plain share.
drops_the_last_word: "a tuple of tokens, at most len(tables) - 1"
    context[1:] => context[:-1]
  The context was shortened at the wrong end. Drop its first word, the one farthest from the next word: context[1:].
context_decides: "its table is tables[len(context)]"
    if count > 0 => if any(gram[:-1] == context for gram in table)
  This backs off only when the context was never seen, and gives 0 to a new word after a known context. What decides is
  the count of the whole n-gram, context and word.
any_alpha: "alpha is not above 0, or it is above 1"
    if not 0 < alpha <= 1 => if False
  The scores are right, but an alpha outside (0, 1] was accepted: above 1 a guess would outweigh what was seen. Raise
  ValueError.
""")
HINTS = hints("""
- Was the whole n-gram seen? Then its share is the score. If not, ask the same question with a shorter context.
- tables[len(context)] is the table to look in. Drop the first word with context[1:] and multiply by alpha; with an
  empty context and a word that was never seen, the score is 0.
- count = table.get(context + (word,), 0); if count: return count / total of the context; if not context: return 0.0;
  return alpha * stupid_backoff(tables, context[1:], word, alpha).
""")
task = Task(stupid_backoff, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
