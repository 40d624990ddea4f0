import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes


def noise_shares(counts, power=0.75):
    """Return the probability with which each word is sampled as noise.

    Args:
        counts: a dict from word to how often it occurs, an int, 0 or more.
        power: what counts are raised to, 0 or more; you need not check it.

    Returns:
        A new dict from word to its share, for all words. The shares sum to 1; a word with the count 0 has the share 0,
        whatever the power.

    Raises:
        ValueError: no word occurs: the dict is empty, or every count is 0.

    >>> {word: round(share, 4) for word, share in noise_shares({"the": 16, "sword": 1}).items()}
    {'the': 0.8889, 'sword': 0.1111}
    """
    weights = {word: count**power if count > 0 else 0.0 for word, count in counts.items()}
    total = sum(weights.values())
    if total == 0:
        raise ValueError("`counts` must hold a word that occurs, got none.")
    return {word: weight / total for word, weight in weights.items()}


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def counts(n_words: int) -> dict[str, int]:
        return {chr(97 + number): int(count) for number, count in enumerate(rng.zipf(1.5, size=n_words) % 1000 + 1)}

    return [
        case("the worked example", {"the": 16, "sword": 1}),
        case("seven words", {**counts(7), "the": 5000}),
        case("another power", counts(5) | {"x": 100}, power=0.5),
        case("a power above 1", {"a": 2, "b": 3, "c": 5}, power=2),
        case("words in no order, neither by letter nor by count", {"sea": 3, "air": 8, "the": 5}),
        border("power 1: the plain shares", counts(5) | {"x": 100}, power=1.0),
        border(
            "power 0: all words that occur alike, the others never",
            {"a": 0, "b": 3, "c": int(rng.integers(5, 99))},
            power=0.0,
        ),
        border("a count of zero first, and one last", {"unicorn": 0, "king": 3, "lord": 5, "ghost": 0}),
        border("one word", {"king": int(rng.integers(1, 99))}),
        border("one word that occurs once", {"king": 1}),
        border("equal counts", {"king": 5, "lord": 5, "sword": 5}),
        border("counts of 1 and of a thousand million", {"the": 10**9, "sword": 1}),
        border("no words", {}),
        border("only zero counts", {"king": 0}),
        border("only zero counts, two words and power 0", {"king": 0, "lord": 0}, power=0),
    ]


SLIPS = mistakes("""
plain: "Return the probability with which each word is sampled as noise"
    count**power => float(count)
  These are the plain shares. Raise each count to the power first, so that rare words are sampled more often.
not_divided: "The shares sum to 1"
    weight / total => float(weight)
  The powers are right, but they do not sum to 1. Divide each by the sum of all.
power_last: "The shares sum to 1"
    count**power if count > 0 else 0.0 => count
    weight / total => (weight / total) ** power if weight else 0.0
  The power was taken of the shares, and then nothing was divided: these do not sum to 1. Take the power, then divide by
  the sum.
always_three_quarters: "what counts are raised to, 0 or more"
    count**power => count**0.75
  The power is always 0.75. Use the argument.
zero_to_zero: "a word with the count 0 has the share 0, whatever the power"
    count**power if count > 0 else 0.0 => float(count) ** power
  With power 0 a word that never occurs is sampled, because 0 ** 0 is 1. A count of 0 must keep the share 0.
dropped: "for all words"
    for word, weight in weights.items()} => for word, weight in weights.items() if weight}
  Words with a count of 0 were dropped. Keep them, with the share 0.
in_place: "A new dict"
    return {word: weight / total for word, weight in weights.items()} =>
        counts.update({word: weight / total for word, weight in weights.items()})
    |    return counts
  The shares are right, but the dict that was given now holds them: the counts are lost. Return a new dict.
zeros_unrefused: "every count is 0"
    if total == 0: => if not counts:
  A dict whose counts are all 0 is not refused with a ValueError: dividing by the sum 0 raises another error. Check the
  sum, not only whether there are words.
unchecked: "the dict is empty"
    if total == 0: => if False:
  The shares are right, but where no word occurs no ValueError is raised. Check the sum before you divide by it.
zeros_refused: "a word with the count 0 has the share 0, whatever the power"
    if total == 0: => if total == 0 or 0 in counts.values():
  A count of 0 was refused. It is allowed as long as some word occurs: its share is 0.
""")
HINTS = hints("""
- Two steps: a weight for each word, then all weights divided by their sum.
- count ** power is the weight; but 0 ** 0 is 1, so a count of 0 needs a case of its own.
- weights = {w: c**power if c else 0.0 for w, c in counts.items()}; total = sum(weights.values()); raise ValueError if
  it is 0; return {w: x / total for w, x in weights.items()}
""")
task = Task(
    noise_shares, points=2, difficulty=1, minutes=10, cases=cases, compare=Compare(new=True), slips=SLIPS, hints=HINTS
)
