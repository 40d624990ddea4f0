import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import random_sentences


def ngram_counts(sentences, order):
    """Count the n-grams of padded sentences.

    Args:
        sentences: a list of sentences, each a list of tokens (str).
        order: the length n of the n-grams, 1 or more.

    Returns:
        A dict from n-gram, a tuple of `order` tokens, to its count. Each sentence is padded with one "<s>" and one
        "</s>", which are tokens like the others.

    Raises:
        ValueError: the order is below 1.

    >>> sorted(ngram_counts([["the", "sea", "the", "sea"]], 2).items())
    [(('<s>', 'the'), 1), (('sea', '</s>'), 1), (('sea', 'the'), 1), (('the', 'sea'), 2)]
    """
    if order < 1:
        raise ValueError(f"`order` must be at least 1, got {order}.")
    counts = {}
    for sentence in sentences:
        tokens = ["<s>", *sentence, "</s>"]
        for start in range(len(tokens) - order + 1):
            gram = tuple(tokens[start : start + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", [["the", "sea", "the", "sea"], ["the", "sun"]], 2),
        case("random sentences, bigrams", random_sentences(rng, 19), 2),
        case("random sentences, trigrams", random_sentences(rng, 13, 3), 3),
        border("order 1, where <s> and </s> count too", random_sentences(rng, 7), 1),
        case("order 5", random_sentences(rng, 11, 2), 5),
        case("a sentence shorter than the order", [["sun"], ["sun", "moon", "sun"]], 4),
        border("one empty sentence", [[]], 2),
        border("no sentences", [], 3),
        border("a sentence of one word less than the order", [["sun"], ["sun", "moon"]], 4),
        border("order 0", [["sun", "moon"]], 0),
        border("order 0 and no sentences", [], 0),
        border("an order below 0", [["sun", "moon"]], -1),
    ]


SLIPS = mistakes("""
no_padding: "one "</s>""
    ["<s>", *sentence, "</s>"] => [*sentence]
  The words are counted, but <s> and </s> are missing, so the model could not know how sentences begin and when they
  end. Count over ["<s>", *sentence, "</s>"].
many_starts: "one "<s>""
    ["<s>", *sentence => ["<s>"] * (order - 1) + [*sentence
  The sentence was padded with order - 1 start marks. Some toolkits do; here, as in KenLM, each sentence gets exactly
  one <s>, whatever the order.
no_end: "one "</s>""
    , "</s>"] => ]
  The n-grams that end with </s> are missing: there is no end mark, or the window stops one position early. Without it a
  model never learns to stop. There are len(tokens) - order + 1 windows.
across_sentences: "Count the n-grams of padded sentences"
    for sentence in sentences: => for sentence in [[token for row in sentences for token in ("<s>", *row, "</s>")]]:
    ["<s>", *sentence, "</s>"] => sentence
  Some n-grams run over the end of a sentence, such as (</s>, <s>). Pad and count each sentence by itself.
all_orders: "the length n of the n-grams, 1 or more"
    for start in => for n in range(1, order + 1):
    |            for start in
    len(tokens) - order => len(tokens) - n
    :
    |            gram = tuple(tokens[start : start + order])
    |            counts => :
    |                gram = tuple(tokens[start : start + n])
    |                counts
  Shorter n-grams were counted too. The result holds n-grams of exactly `order` tokens; the shorter ones come from
  another call.
order_zero: "the order is below 1"
    if order < 1 => if order < 0
  Order 0 gave a count of the empty tuple. An n-gram has at least one token: raise ValueError when order is below 1.
""")
HINTS = hints("""
- Pad the sentence first, and slide a window of `order` tokens over the padded list.
- tokens = ['<s>', *sentence, '</s>'] has len(tokens) - order + 1 windows; tuple(tokens[i : i + order]) is one.
- for i in range(len(tokens) - order + 1): gram = tuple(tokens[i : i + order]); counts[gram] = counts.get(gram, 0) + 1.
  Raise ValueError first if order < 1.
""")
task = Task(ngram_counts, points=3, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
