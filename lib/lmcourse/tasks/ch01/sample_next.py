import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch01.shared import WORDS


def sample_next(probs, u):
    """Return the word that a random number picks from a distribution.

    Args:
        probs: a dict from word to probability; the probabilities are 0 or above and sum to 1, up to rounding.
        u: a float, 0 <= u < 1.

    Returns:
        The first word, in the order of the dict, whose running sum is above u.

    Raises:
        ValueError: the dict is empty, or u is not in [0, 1).

    >>> sample_next({"directories": 0.2, "files": 0.3, "photos": 0.5}, 0.4)
    'files'
    """
    if not probs or not 0 <= u < 1:
        raise ValueError(f"`probs` must not be empty and `u` must be in [0, 1), got {len(probs)} words and u={u}.")
    reached = 0.0
    for word, prob in probs.items():
        reached += prob
        if u < reached:
            return word
    return [word for word, prob in probs.items() if prob > 0][-1]


_NEXT = {"directories": 0.2, "files": 0.3, "photos": 0.5}


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(13))
    many = {word: float(share) for word, share in zip(WORDS, shares, strict=True)}
    quarters = {"sun": 0.25, "moon": 0.25, "rain": 0.5}
    tenths = dict.fromkeys(WORDS[:10], 0.1) | {"never": 0.0}
    return [
        case("the worked example", _NEXT, 0.4),
        *(case(f"13 words, sample {number}", many, float(rng.random())) for number in (1, 2, 3, 5, 7)),
        case("the smallest u", _NEXT, 0.0),
        border("u on the border of two words", quarters, 0.25),
        border("u on the next border", quarters, 0.5),
        border("u on the border of ten times 0.1", tenths, 0.5),
        border("a first word with probability 0", {"never": 0.0, "sun": 0.5, "moon": 0.5}, 0.0),
        border("a sum that rounds to less than 1", tenths, 1 - 2**-53),
        border("one word", {"sun": 1.0}, float(rng.random())),
        border("a running sum a little below u", {"sun": 0.1 - 1e-9, "moon": 0.9 + 1e-9}, 0.1),
        case("words in no alphabetical order, not by probability", {"sun": 0.2, "moon": 0.5, "air": 0.3}, 0.1),
        border("u = 1", _NEXT, 1.0),
        border("u = 1 and one word", {"sun": 1.0}, 1.0),
        border("u above 1", _NEXT, 1.5),
        border("u below 0", _NEXT, -0.1),
        border("no words", {}, 0.5),
    ]


SLIPS = mistakes("""
likeliest: "Return the word that a random number picks from a distribution"
    reached = 0.0 => u = -1.0
    |    probs = {max(probs, key=lambda word: probs[word]): 1.0}
    |    reached = 0.0
  This returns the likeliest word whatever u is. That is greedy choice; a sample takes each word as often as its
  probability says.
not_cumulative: "whose running sum is above u"
    if u < reached => if u < prob
    return [word for word, prob in probs.items() if prob > 0][-1] => return word
  u was compared with each probability alone. Compare it with the running sum: the first word whose running sum is above
  u.
sorted_by_probability: "in the order of the dict"
    reached = 0.0 => probs = dict(sorted(probs.items(), key=lambda item: -item[1]))
    |    reached = 0.0
  The words were sorted by probability first. As a sampler that is fair, but the exercise fixes the order: that of the
  dict, so that the same u gives everyone the same word.
border: "whose running sum is above u"
    u < reached => u <= reached
  On a border between two words the earlier one was taken, and at u = 0 a word of probability 0 can come. An interval is
  [left, right): take the first word with u < running sum.
u_times_the_sum: "whose running sum is above u"
    if u < reached => if u * sum(probs.values()) < reached
  u was multiplied by the sum of the probabilities, which may round to a little less than 1. Then a u on a border falls
  into the interval before it. Compare u itself with the running sum.
falls_off_the_end: "up to rounding"
    return [word for word, prob in probs.items() if prob > 0][-1] => return None
  Ten times 0.1 sums to a little less than 1 in floating point, so no running sum was above u and the function returned
  None. After the loop, return the last word with a probability above 0.
last_of_all: "up to rounding"
    return [word for word, prob in probs.items() if prob > 0][-1] => return word
  After the loop the last word was returned although its probability is 0. Return the last one with a probability above
  0.
unchecked: "the dict is empty, or u is not in [0, 1)"
    not probs or not 0 <= u < 1 => False
  Right samples, but u outside [0, 1), or an empty dict, was accepted. Check the arguments first and raise ValueError.
""")
HINTS = hints("""
- Lay the words on a line from 0 to 1, each with an interval as long as its probability. Whose interval contains u?
- Keep a running sum of the probabilities, in the order of the dict; the first word with u < running sum is it. Mind
  sums that round to a little less than 1.
- reached = 0.0; for word, p in probs.items(): reached += p; if u < reached: return word. After the loop return the last
  word with p > 0. Before it, ValueError unless probs and 0 <= u < 1.
""")
task = Task(sample_next, points=3, difficulty=3, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
