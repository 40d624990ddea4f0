import math

import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch07.shared import random_word, random_wordpieces


def word_log_prob(word, log_probs):
    """Return the log-probability of a word: the sum of the probabilities of all its cuttings into tokens.

    The probability of a cutting is the product of the probabilities of its tokens. A word of a thousand letters must
    take a second at most, and its probability may be too small for a float: add logarithms.

    Args:
        word: a str.
        log_probs: a dict from token (str, not empty) to its log-probability in nats, a finite number.

    Returns:
        A float, in nats. An empty word has one cutting, that of no tokens: 0. A word that cannot be made of the tokens
        has none: -math.inf.

    >>> log_probs = {"a": math.log(0.5), "b": math.log(0.3), "ab": math.log(0.2)}
    >>> round(math.exp(word_log_prob("ab", log_probs)), 6)
    0.35
    """
    total = [-math.inf] * len(word) + [0.0]  # total[start]: the log-probability of word[start:]
    for start in range(len(word) - 1, -1, -1):
        ends = [end for end in range(start + 1, len(word) + 1) if word[start:end] in log_probs]
        ways = [log_probs[word[start:end]] + total[end] for end in ends]
        most = max(ways, default=-math.inf)
        if most > -math.inf:
            total[start] = most + math.log(sum(math.exp(way - most) for way in ways))
    return total[0]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def drawn(tokens: set[str]) -> dict[str, float]:
        return {token: float(np.log(share)) for token, share in zip(sorted(tokens), rng.dirichlet([1.0] * len(tokens)))}

    def logs(**probs: float) -> dict[str, float]:
        return {token: math.log(prob) for token, prob in probs.items()}

    caress = logs(c=0.1, a=0.1, r=0.1, e=0.1, s=0.15, car=0.2, care=0.1, es=0.1, ess=0.05)
    runs = logs(a=0.5, aa=0.3, aaa=0.2)
    pairs = logs(a=0.25, b=0.25, ab=0.2, ba=0.1, aba=0.1, bab=0.1)
    return [
        case("the worked example", "ab", logs(a=0.5, b=0.3, ab=0.2)),
        case("three equal letters, with four cuttings", "aaa", runs),
        *(
            case(f"a random word of {n} letters", random_word(rng, n), drawn(random_wordpieces(rng, 13)))
            for n in (5, 13)
        ),
        case("the longest first token gets stuck", "abcd", logs(abc=0.5, ab=0.25, cd=0.125)),
        case("the longest last token gets stuck", "abcd", logs(bcd=0.5, ab=0.25, cd=0.125)),
        case("capital letters, which are other letters", "Aab", logs(a=0.3, b=0.2, A=0.1, ab=0.2, Aa=0.2)),
        border("one letter that is no token", "x", caress),
        border("an empty word", "", caress),
        border("an empty word and no tokens", "", {}),
        border("no tokens", "car", {}),
        border("a word that can never be made of the tokens", "carex", caress),
        border("a first letter that no token begins with", "xcare", caress),
        border("a letter in the middle that is in no token", "caxre", caress),
        border("a token of log-probability 0", "aa", {"a": 0.0}),
        border("two certain tokens: a sum above 1", "aa", {"a": 0.0, "aa": 0.0}),
        border("tokens of probability e to the power of -900", "aaa", {"a": -900.0, "aa": -901.0}),
        border("tokens of log-probability 900, where exp overflows", "aaa", {"a": 900.0, "aa": 1799.0}),
        border("a cutting far less probable than the other", "ab", {"a": -2000.0, "b": -1.0, "ab": -1.0}),
        border(
            "a word of 1,000 letters, whose probability is no float", "a" * 1000, {"a": -3.0, "aa": -5.0, "aaa": -8.0}
        ),
        border("a token of 30 letters", "ab" * 20, pairs | {"ab" * 15: -9.0}),
        border("a word of 100 letters that can never be made of the tokens", "a" * 99 + "b", runs),
        border("tokens of log-probability -1e12 and below", "ab", {"a": -1e12, "b": -1e12, "ab": -3e12}),
    ]


SLIPS = mistakes("""
best_cutting, as on the page: "the sum of the probabilities of all its cuttings into"
    most + math.log(sum(math.exp(way - most) for way in ways)) => most
  That is the log-probability of the best cutting alone. A word has the probability of all its cuttings together.
logarithms_added: "The probability of a cutting is the product of the probabilities of its tokens"
    most + math.log(sum(math.exp(way - most) for way in ways)) => sum(way for way in ways if way > -math.inf)
  The logarithms of the ways were added, which multiplies their probabilities. The probabilities are added: log of the
  sum of exp.
underflow: "its probability may be too small for a float"
    most + math.log(sum(math.exp(way - most) for way in ways)) => math.log(sum(math.exp(way) for way in ways) or 5e-324)
  exp of a very negative number is 0, and that of a large one overflows. Take the largest way out first: most + log of
  the sum of exp(way - most).
probability: "A float, in nats"
    return total[0] => return math.exp(min(total[0], 700.0))
  That is the probability. Return its logarithm.
bits: "a dict from token (str, not empty) to its log-probability in nats, a finite number"
    return total[0] => return total[0] / math.log(2)
  That is in bits. The logarithms are natural.
empty_impossible: "An empty word has one cutting, that of no tokens: 0"
    return total[0] => return total[0] if word else -math.inf
  An empty word was impossible. It has one cutting, that of no tokens, whose probability is 1: return 0.0.
""")
CLOSE = Compare(rtol=1e-6, atol=1e-6)
HINTS = hints("""
- Suppose you knew the probability of every shorter rest of the word. Which tokens can stand first, and how does each of
  them contribute?
- Let total[len(word)] = 0 and go from the end to the front: total[start] is the log of the sum over all end of
  exp(log_probs[word[start:end]] + total[end]). Take the largest of these numbers out before exp.
- ways = [log_probs[word[start:end]] + total[end] for each end with that token]; most = max(ways); total[start] = most +
  math.log(sum(math.exp(way - most) for way in ways)); where there is no way, or every way is -math.inf, total[start] =
  -math.inf.
""")
task = Task(
    word_log_prob, points=4, difficulty=4, minutes=30, cases=cases, compare=CLOSE, seconds=5.0, slips=SLIPS, hints=HINTS
)
