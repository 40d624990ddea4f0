from collections.abc import Sequence

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def pseudo_log_likelihood(ids, log_probs, special_ids):
    """Return the sum of the log-probabilities of each word given all others.

    Args:
        ids: T token ids, a list of int; it may be empty.
        log_probs: an array of float64, shape (T, T, V): log_probs[t, s] is what the model says at position s in the
            run in which position t was hidden; some may be minus infinity.
        special_ids: ids that are not scored.

    Returns:
        A float, in nats; 0 if nothing is scored.

    >>> log_probs = np.log(np.full((3, 3, 5), 0.25))
    >>> log_probs[1, 1, 4] = np.log(0.5)
    >>> round(pseudo_log_likelihood([2, 4, 3], log_probs, [2, 3]), 4)
    -0.6931
    """
    words = [(t, word) for t, word in enumerate(ids) if word not in special_ids]
    return float(sum(log_probs[t, t, word] for t, word in words))


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, T: int, V: int, special_tokens: Sequence[int] = (2, 3)) -> Case:
        scores = rng.normal(size=(T, T, V)) * 2
        log_probs = scores - np.log(np.exp(scores).sum(-1, keepdims=True))
        inner = [int(i) for i in rng.integers(4, V, T)]
        if special_tokens and T > 1:
            inner[0], inner[-1] = 2, 3
        return case(label, inner, log_probs, list(special_tokens))

    def where(impossible: np.ndarray, T: int) -> np.ndarray:
        return np.where(impossible, -np.inf, -0.25) * np.ones((T, T, 5))

    four = np.log(rng.dirichlet(np.ones(7), size=(4, 4)))
    table = np.log(np.full((3, 3, 5), 0.25))
    table[1, 1, 4] = np.log(0.5)
    return [
        case("the worked example", [2, 4, 3], table, [2, 3]),
        draw("seven tokens", 7, 11),
        draw("thirteen tokens", 13, 7),
        draw("no special tokens", 5, 13, ()),
        draw("one token alone", 1, 7, ()),
        border("an empty sentence", [], np.zeros((0, 0, 5)), [2, 3]),
        case("a special token in the middle, none at the ends", [4, 2, 5, 4], four, [2, 3]),
        case("every entry different", [0, 2, 1], -np.arange(1.0, 37.0).reshape(3, 3, 4), [2]),
        border("special tokens with probability 0", [2, 4, 3], where(np.arange(5) < 4, 3), [2, 3]),
        border("a word with almost no chance", [2, 4, 3], np.full((3, 3, 5), -1e4), [2, 3]),
        border("a word with probability 0", [2, 4, 1, 3], where(np.arange(5) == 4, 4), [2, 3]),
    ]


SLIPS = mistakes("""
with_specials: "ids that are not scored"
    if word not in special_ids =>
  [CLS] and [SEP] were scored too. They are no words of the sentence: leave them out.
not_hidden: "Return the sum of the log-probabilities of each word given all others"
    log_probs[t, t, word] => log_probs[0, t, word]
  All words were read from the run in which the first position is hidden, so most of them were in sight. Position t has
  a run of its own, log_probs[t].
product: "it may be empty"
    sum(log_probs[t, t, word] for t, word in words => np.exp(sum(log_probs[t, t, word] for t, word in words)
  This is the product of the probabilities. The sum of their logarithms is wanted.
mean: "Return the sum of the log-probabilities of each word given all others"
    float(sum(log_probs[t, t, word] for t, word in words)) =>
        float(np.mean([log_probs[t, t, word] for t, word in words])) if words else 0.0
  This is the mean over the words. The sum is wanted.
counted_without_specials
    enumerate(ids) if word not in special_ids => enumerate([word for word in ids if word not in special_ids])
  The special tokens were taken out before the positions were counted, so that the words are looked up one position too
  early. Keep each word's position in the whole row.
without_the_ends
    word not in special_ids => 0 < t < len(ids) - 1
  The first and the last token were left out, whatever they are. Leave out the tokens whose ids are in special_ids.
each_word_once: "T token ids, a list of int"
    for t, word in words)) => for t, word in {word: (t, word) for t, word in words}.values()))
  A word that comes twice was scored once. Every position counts.
impossible_left_out: "some may be minus infinity"
    if word not in special_ids => if word not in special_ids and np.isfinite(log_probs[t, t, word])
  A word of probability 0 was left out. Its log-probability, minus infinity, belongs to the sum.
""")
HINTS = hints("""
- One run for each position: log_probs[t] was computed with position t hidden. What does it say at position t?
- log_probs[t, t, ids[t]] is the log-probability of the hidden word. Sum over the words that are not special.
- float(sum(log_probs[t, t, word] for t, word in enumerate(ids) if word not in special_ids))
""")
task = Task(pseudo_log_likelihood, points=2, difficulty=3, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
