"""Restaurant reviews from a seeded grammar, in which the order of the words decides.

Every review has a twin: the same words in another order, and the opposite verdict. So for each bag of words there are
as many good reviews as bad ones, and a model that does not know the order is right in half the cases, exactly.
"""

import hashlib
import random

from lmcourse import checks
from lmcourse.data.text import SPLITS

KINDS = ("order", "negation")
Review = tuple[str, int]  # the words, joined by spaces; 1 for a good review, 0 for a bad one

_OPENERS = (
    *("", "honestly", "last night", "as always", "to be fair", "we went twice and", "on our first visit"),
    *("overall", "on a sunday", "once again", "in short", "my sister says"),
)
_CLOSERS = (
    *("", "we thought", "as far as i can tell", "this time", "in my view", "for the price", "if you ask me"),
    *("that evening", "on the whole", "so we left early", "so we stayed late", "and we told them"),
)
_THINGS = (
    *("food", "soup", "bread", "fish", "service", "waiter", "room", "music", "wine", "menu", "table", "dessert"),
    *("coffee", "salad", "pasta", "view", "terrace", "rice", "cheese", "sauce"),
)
_PAIRS = (  # (good, bad)
    ("good", "bad"),
    ("great", "terrible"),
    ("lovely", "awful"),
    ("perfect", "dreadful"),
    ("pleasant", "horrible"),
    ("excellent", "mediocre"),
    ("superb", "poor"),
    ("wonderful", "disappointing"),
    ("delightful", "dull"),
    ("decent", "nasty"),
)
_FRAMES = (  # x is what is said of the thing, y what is denied; exchanging them reverses the verdict
    "the {thing} was {x} not {y} at all",
    "the {thing} was not {y} but {x}",
    "the {thing} we expected to be {y} was {x}",
    "far from {y} the {thing} was {x}",
    "once {y} the {thing} is {x} now",
    "the {thing} was more {x} than {y}",
    "they said {y} but the {thing} was {x}",
    "the {thing} that used to be {y} was {x}",
)
_JOINTS = ("and", "while")
MAX_PAIRS = 10_000  # of one kind, split and seed


def load_reviews(kind: str = "order", *, split: str | None = None, n: int | None = None, seed: int = 0) -> list[Review]:
    """Return restaurant reviews with their verdicts; half of them are good, and so is half of every bag of words.

    kind="order" gives one judgement in which exchanging two words reverses the verdict: "the food was good not bad at
    all" (good) and "the food was bad not good at all" (bad), in eight forms. kind="negation" gives two judgements with
    one "not" between them, which agree: "the soup was not terrible and the waiter was great" (good), "the soup was
    terrible and the waiter was not great" (bad). Knowing both words is not enough: the verdict depends on which of them
    follows "not".

    Args:
        kind: "order" or "negation".
        split: "train" (eight bags in ten), "valid" or "test" (one each): fixed and disjoint by bag of words, whatever
            the seed, so that no twin of a test review is in the training set. None samples from all.
        n: how many reviews, an even number; by default 2,000 for "train" and None, else 400.
        seed: which ones; the same arguments give the same list. All seeds sample from the same bags, so a second seed
            does not give a second test set.

    Returns:
        (text, label) pairs in random order, all different; label 1 is a good review. Words are separated by spaces.

    Raises:
        TypeError: `n` or `seed` is not a whole number.
        ValueError: no such kind or split; an `n` that is odd, below 2 or above 20,000.
    """
    checks.one_of(KINDS, kind=kind)
    checks.one_of((*SPLITS, None), split=split)
    n = (2_000 if split in ("train", None) else 400) if n is None else n
    checks.whole(n=n, at_least=2, at_most=2 * MAX_PAIRS)
    checks.whole(seed=seed)
    if n % 2:
        raise ValueError(f"`n` must be even, since every review has a twin, got n={n}.")
    generator = random.Random(f"{kind} {seed}")
    draw = _order if kind == "order" else _negation
    twins: dict[tuple[str, ...], tuple[str, str]] = {}
    while len(twins) < n // 2:
        good, bad = draw(generator)
        bag = tuple(sorted(good.split()))
        if split in (None, _split_of(bag)):
            twins.setdefault(bag, (good, bad))
    reviews = [review for good, bad in twins.values() for review in ((good, 1), (bad, 0))]
    generator.shuffle(reviews)
    return reviews


def review_words() -> list[str]:
    """Return every word that a review may hold, sorted: the whole vocabulary, whichever reviews were sampled."""
    phrases = [*_OPENERS, *_CLOSERS, *_THINGS, *_JOINTS, *(word for pair in _PAIRS for word in pair), *_FRAMES]
    known = {word for phrase in phrases for word in phrase.split() if not word.startswith("{")}
    return sorted(known | {"the", "was", "not"})


def _order(generator: random.Random) -> tuple[str, str]:
    """A good review and the bad one of the same words."""
    frame, thing, (good, bad) = generator.choice(_FRAMES), generator.choice(_THINGS), generator.choice(_PAIRS)
    opener, closer = generator.choice(_OPENERS), generator.choice(_CLOSERS)
    made = (_joined(opener, frame.format(thing=thing, x=x, y=y), closer) for x, y in ((good, bad), (bad, good)))
    return next(made), next(made)


def _negation(generator: random.Random) -> tuple[str, str]:
    """A good review and the bad one of the same words: two things judged alike, "not" before one of the two words."""
    things = generator.sample(_THINGS, 2)
    (good, _), (_, bad) = generator.sample(_PAIRS, 2)
    opener, closer, joint = (generator.choice(options) for options in (_OPENERS, _CLOSERS, _JOINTS))
    first, second = generator.sample((good, bad), 2)

    def review(negated: str) -> str:
        said = [f"not {word}" if word == negated else word for word in (first, second)]
        judged = [f"the {thing} was {word}" for thing, word in zip(things, said, strict=True)]
        return _joined(opener, judged[0], joint, judged[1], closer)

    return review(bad), review(good)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _split_of(bag: tuple[str, ...]) -> str:
    """The split of a bag of words, from its words alone."""
    digit = int.from_bytes(hashlib.sha256(" ".join(bag).encode()).digest()[:4]) % 10
    return {0: "test", 1: "valid"}.get(digit, "train")
