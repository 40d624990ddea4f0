import math

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch01.shared import WORDS


def bits_per_byte(log_probs, text):
    """Return what a text costs under a model, in bits for each of its bytes.

    Args:
        log_probs: the natural logarithms of the probabilities of the tokens that make up the text, a list of floats.
        text: the text itself, a str.

    Returns:
        A float, 0 or above; lower is better.

    Raises:
        ValueError: the text is empty.

    >>> round(bits_per_byte([math.log(1 / 2), math.log(1 / 8)], "sun."), 4)
    1.0
    """
    if not text:
        raise ValueError("`text` must hold at least one character.")
    n_bytes = len(text.encode("utf-8"))
    return -sum(log_probs) / math.log(2) / n_bytes


@drawn(2)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def nats(n_tokens: int) -> list[float]:
        return [-float(value) for value in rng.exponential(2.0, size=n_tokens)]

    words = " ".join(WORDS[int(word)] for word in rng.integers(0, len(WORDS), size=17))
    return [
        case("the worked example", [math.log(0.5), math.log(0.125)], "sun."),
        case("17 words", nats(17), " ".join(WORDS[int(word)] for word in rng.integers(0, len(WORDS), size=17))),
        border("one token a character", nats(len(words)), words),
        case("a character of four bytes", nats(2), "ok \N{SLIGHTLY SMILING FACE}"),
        case("tokens of equal probability", [math.log(0.5)] * 3, "sun"),
        border("a token whose probability is below the smallest float", [-800.0, -1.0], "tea"),
        case("blanks and newlines count", nats(3), "  sea \n\n"),
        border("a text of blanks", nats(1), "  "),
        case("letters and accents apart", nats(2), "cafe\N{COMBINING ACUTE ACCENT} \N{ANGSTROM SIGN}"),
        border("an empty text", [], ""),
        border("an empty text with tokens", nats(2), ""),
    ]


SLIPS = mistakes("""
per_character: "for each of its bytes"
    len(text.encode("utf-8")) => len(text)
  This divides by the number of characters. Outside ASCII a character takes two to four bytes in UTF-8: divide by
  len(text.encode("utf-8")).
stripped: "the text itself"
    text.encode("utf-8") => text.strip().encode("utf-8")
  The text was stripped first. Blanks and line breaks are bytes of the text, too, and the model paid for them.
per_token: "for each of its bytes"
    len(text.encode("utf-8")) => len(log_probs)
  This divides by the number of tokens, so it is bits per token. Models that cut the text into different tokens can only
  be compared per byte.
per_word: "for each of its bytes"
    len(text.encode("utf-8")) => len(text.split())
  This divides by the number of words in the text. Bytes are wanted, for they are the same for every way of cutting the
  text.
nats: "in bits"
    / math.log(2) =>
  These are nats per byte: the logarithms have base e. A bit is log(2) = 0.693 nats, so divide by math.log(2).
times_log_two: "in bits"
    / math.log(2) => * math.log(2)
  This multiplies by log(2). A bit is smaller than a nat, so the number of bits is larger: divide by math.log(2).
negative: "0 or above"
    return -sum => return sum
  The sign is the wrong way round. Log-probabilities are 0 or below, and the cost in bits is their sum with a minus.
empty_text: "the text is empty"
    if not text => if False
  An empty text has no bytes to divide by, and the division stops. Raise ValueError with a message that says so.
""")
HINTS = hints("""
- What does the whole text cost, in bits? And how many bytes is it long?
- The cost in nats is -sum(log_probs); one bit is math.log(2) nats. UTF-8 bytes are counted on text.encode().
- return -sum(log_probs) / math.log(2) / len(text.encode("utf-8")), after ValueError for an empty text.
""")
task = Task(bits_per_byte, points=2, difficulty=2, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
