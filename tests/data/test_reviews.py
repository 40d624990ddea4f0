"""Reviews in which the order decides: half of every bag of words is good, and no bag is in two splits."""

import re
from collections import Counter, defaultdict

import pytest

from lmcourse import data
from lmcourse.data import reviews
from lmcourse.data.text import SPLITS

KINDS = pytest.mark.parametrize("kind", reviews.KINDS)
GOOD, BAD = (frozenset(words) for words in zip(*reviews._PAIRS, strict=True))


def bag(text):
    return tuple(sorted(text.split()))


def verdict(text):
    """What a reader would say, from the words' order alone, form by form: another way than the grammar's."""
    words = text.split()
    judged = [word for word in words if word in GOOD | BAD]
    if "while" in words or (len(judged) == 2 and text.count(" was ") == 2):  # two things, one "not"
        said = {(word in GOOD) != (words[words.index(word) - 1] == "not") for word in judged}
        assert len(said) == 1, f"the two judgements do not agree: {text}"
        return int(said.pop())
    first, second = judged
    counted = first if re.search(f"(was|more) {first}", text) else second
    return int(counted in GOOD)


@KINDS
def test_labels_follow_from_the_order_of_the_words(kind):
    found = data.load_reviews(kind, n=2_000)
    assert all(verdict(text) == label for text, label in found)


@KINDS
@pytest.mark.parametrize("split", [*SPLITS, None])
def test_half_of_every_bag_is_good_so_that_order_alone_decides(kind, split):
    found = data.load_reviews(kind, split=split, n=1_000)
    assert len(found) == len({text for text, _ in found}) == 1_000
    labels = defaultdict(Counter)
    for text, label in found:
        labels[bag(text)][label] += 1
    assert all(counts[0] == counts[1] > 0 for counts in labels.values())


@KINDS
def test_splits_share_no_bag_whatever_the_seed(kind):
    bags = {
        split: {bag(text) for seed in range(3) for text, _ in data.load_reviews(kind, split=split, seed=seed)}
        for split in SPLITS
    }
    assert not bags["train"] & bags["test"]
    assert not bags["train"] & bags["valid"]
    assert not bags["valid"] & bags["test"]


@KINDS
def test_a_seed_fixes_the_reviews_and_another_draws_others(kind):
    assert data.load_reviews(kind, seed=3) == data.load_reviews(kind, seed=3)
    assert data.load_reviews(kind, seed=3) != data.load_reviews(kind, seed=4)
    assert data.load_reviews(kind, n=100) == data.load_reviews(kind, n=100)


def form(text):
    return " ".join("GOOD" if word in GOOD else "BAD" if word in BAD else word for word in text.split())


def test_the_forms_of_the_docstring_are_of_the_grammar():
    order = {(form(text), label) for text, label in data.load_reviews("order", n=8_000)}
    assert {("the food was GOOD not BAD at all", 1), ("the food was BAD not GOOD at all", 0)} <= order
    negation = {(form(text), label) for text, label in data.load_reviews("negation", n=2_000)}
    patterns = {(re.sub(r"the \w+ (was|is)", "X", text), label) for text, label in negation}
    assert {("X not BAD and X GOOD", 1), ("X BAD and X not GOOD", 0)} <= patterns
    assert {("X GOOD and X not BAD", 1), ("X not GOOD and X BAD", 0)} <= patterns


def test_the_smallest_and_the_largest_number_can_be_had():
    assert len(data.load_reviews("negation", split="valid", n=2)) == 2
    assert len(data.load_reviews("order", split="test", n=20_000)) == 20_000  # the kind with the fewest bags


@KINDS
def test_the_vocabulary_is_known_and_every_word_is_used(kind):
    texts = [text.split() for text, _ in data.load_reviews(kind, n=4_000)]
    used = {word for words in texts for word in words}
    assert used <= set(data.review_words())
    only_there = {"order": {"while"}, "negation": set(" ".join(reviews._FRAMES).split())}[kind]
    assert set(data.review_words()) - used <= only_there
    assert max(map(len, texts)) <= 24


def test_no_word_gives_the_verdict_away():
    found = data.load_reviews("negation", n=4_000)
    for word in ("not", "terrible", "great", "and"):
        labels = [label for text, label in found if word in text.split()]
        assert sum(labels) == len(labels) / 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"kind": "irony"}, ValueError, "`kind` must be one of 'order', 'negation', got kind='irony'"),
        ({"split": "dev"}, ValueError, "`split` must be one of 'train', 'valid', 'test', None, got split='dev'"),
        ({"n": 3}, ValueError, "`n` must be even, since every review has a twin, got n=3"),
        ({"n": 0}, ValueError, "`n` must be at least 2 and at most 20000, got n=0"),
        ({"n": 20_002}, ValueError, "got n=20002"),
        ({"n": 10.0}, TypeError, "`n` must be a whole number, got n=10.0"),
        ({"n": True}, TypeError, "got n=True"),
        ({"seed": 1.5}, TypeError, "`seed` must be a whole number, got seed=1.5"),
    ],
)
def test_bad_arguments_are_told(arguments, error, message):
    with pytest.raises(error, match=message):
        data.load_reviews(**arguments)
