"""Project `CourseSearch`: a search over the course's own pages that puts the right one among the first three."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lmcourse import json_files
from lmcourse.exercises import Case, Task, hints, mistakes, probe, properties

_PASSAGES = Path(__file__).with_name("course_passages.json")  # tools/passages.py writes it
#: Page -> questions of a learner that it answers, and no other page. They are asked as people talk: with few of the
#: page's words, in other forms, among many that say nothing about the subject.
QUESTIONS: dict[str, list[str]] = json_files.read(Path(__file__).with_name("course_questions.json"))


class CourseSearch:
    """A search over the passages of several pages.

    Args:
        passages: a list of pairs (page, text). A page has one passage or more, not always in a row.

    >>> passages = [("ducks", "Ducks swim."), ("owls", "Owls hunt at night."), ("ducks", "A duck quacks at night.")]
    >>> CourseSearch(passages).search("Which duck is quacking?", k=1)
    ['ducks']
    >>> sorted(CourseSearch(passages).search("Who hunts?", k=5))
    ['ducks', 'owls']
    """

    def __init__(self, passages):
        self.pages = [page for page, _ in passages]
        self.counts = [Counter(self.stems(text)) for _, text in passages]
        lengths = [counts.total() for counts in self.counts]
        self.sizes = 0.25 + np.array(lengths) * (0.75 / np.average(lengths))
        self.found_in = Counter(stem for counts in self.counts for stem in counts)

    def stems(self, text):
        """Return the words of a text without capital letters, marks and most endings."""
        words = re.findall(r"[a-z0-9]+", text.lower())
        words = [re.sub(r"(ing|ings|ed|es|s|e|ly)$", "", word) if len(word) > 4 else word for word in words]
        return [re.sub(r"([^aeiou0-9])\1$", r"\1", word).replace("ies", "y") for word in words]

    def weight(self, stem):
        """Return how much a stem tells: more, the fewer passages have it."""
        return math.log(1 + (len(self.pages) - self.found_in[stem] + 0.5) / (self.found_in[stem] + 0.5))

    def score(self, asked, number):
        """Return how well a passage answers (Okapi BM25)."""
        counts, size = self.counts[number], self.sizes[number]
        return sum(self.weight(s) * 2.2 * counts[s] / (counts[s] + 1.2 * size) for s in asked if s in counts)

    def search(self, question, k):
        """Return the `k` pages that answer a question best: a list of different pages, the best first.

        A page is as good as its best passage. If there are fewer than `k` pages, all of them come back.
        """
        asked = set(self.stems(question))
        best = {}
        for number, page in enumerate(self.pages):
            best[page] = max(best.get(page, 0.0), self.score(asked, number))
        return sorted(best, key=best.get, reverse=True)[:k]


# ----------------------------------------------------------------------------------- what is asked, where the answer is


def use(answer: Callable[..., Any], passages: list[tuple[str, str]], questions: list[str], k: int) -> list[Any]:
    """What is found for each question, in one search."""
    model = answer([tuple(passage) for passage in passages])
    return [list(model.search(question, k)) for question in questions]


# ----------------------------------------------------------------------------------------------- what is judged outside

_BAR = 0.85  # good searches find 90 % and more of all questions, others 80 % at most


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with what was found, or None."""
    passages, questions, k = item.args
    pages = {page for page, _ in passages}
    found = [[str(page) for page in pages_found] for pages_found in evidence]
    if len(found) != len(questions):
        raise ValueError("not one list a question")
    if item.of == "pages":
        for question, listed in zip(questions, found, strict=True):
            if len(set(listed)) < len(listed):
                return (
                    f"for {question!r} a page comes back more than once: {listed}. List it once, however many of its "
                    "passages fit"
                )
            if len(listed) != min(k, len(pages)) or not set(listed) <= pages:
                return f"for {question!r} {min(k, len(pages))} of the pages are asked for, got {listed}"
        return None
    found = [list(dict.fromkeys(listed))[:k] for listed in found]
    right = [page in listed for page, listed in zip(item.truth, found, strict=True)]
    bar = _BAR if item.of == "finds" else 1.0
    if sum(right) >= bar * len(right):
        return None
    missed = right.index(False)
    question, page, got = questions[missed], item.truth[missed], found[missed]
    if item.of != "finds":
        return f"for {question!r} the page {page!r} should come first, got {got}. {_WHY[item.of]}"
    return (
        f"the right page is among the first three for {sum(right)} of {len(right)} questions; at least "
        f"{math.ceil(bar * len(right))} are asked for. One that fails is {question!r}: the page is {page!r}, got "
        f"{got}. See which words question and passage share, and which of them tell something"
    )


_WHY = {
    "rare words": "A word that few passages have tells more than one that most have: weigh words by their rarity",
    "length": (
        "A passage must win neither because it is long nor because it is short: relate what is shared to its length, "
        "but do not divide by all of it"
    ),
    "forms": "Words must match whatever their capital letters, marks and endings: 'Merging' and 'merges,' are one word",
    "passages": "A page is as good as its best passage. Added up, many weak passages beat a good one",
}


# ------------------------------------------------------------------------------------------------------------ the cases

_VERBS = str.split("paint melt jump count filter print walk plant shift wander hunt follow reward limit")
_NOUNS = str.split("lamp river garden ladder window basket hammer pillow engine bottle marker saddle pocket rocket")
_COMMON = str.split("all of it was there and then some more went on with what they had")
_FILLERS = str.split("kazun polim derag tibor nusal vomek halid ruken sopal gimet barun lodek")


def _sentence(rng: np.random.Generator, words: Sequence[str], common: int) -> str:
    mixed = [*words, *(str(word) for word in rng.choice(_COMMON, common))]
    return " ".join(str(word) for word in rng.permutation(mixed))


_N_ASKED = sum(len(told) - 1 for told in QUESTIONS.values())  # each seed leaves out one of each page


@cache
def course_passages() -> list[tuple[str, str]]:
    """The paragraphs of all chapters, each behind the name of its page."""
    return [(page, text) for page, text in json_files.read(_PASSAGES)]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def pick(words: Sequence[str], n: int) -> list[str]:
        return [str(word) for word in rng.permutation(list(words))[:n]]

    def mixed(passages: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [passages[i] for i in rng.permutation(len(passages))]

    names = [f"page {letter}" for letter in "ABCDEFGH"]

    def rare() -> Case:
        told = pick(_FILLERS, 8)
        # the other pages have more of the question's frequent words
        texts = [f"{_sentence(rng, [word], 12)} what was with all of them there" for word in told]
        passages = [*zip(names, [f"{told[0]} went on", *texts[1:]], strict=True)]
        asked = [f"what was there with all of the {word}" for word in told]
        return probe("rare words", "eight pages of frequent words", passages, asked, 1, truth=names)

    def lengths() -> list[Case]:
        told, other = pick(_FILLERS, 6), pick(_NOUNS, 6)
        asked = [f"{word} {thing}" for word, thing in zip(told, other, strict=True)]
        everything = ("a long page", _sentence(rng, [*told, *other, *_NOUNS], 60))
        with_long = mixed([*zip(names, asked, strict=False), everything])
        both = [(name, _sentence(rng, pair, 10)) for name, *pair in zip(names, told, other, strict=False)]
        one = [(f"a short page, {word}", _sentence(rng, [word], 4)) for word in told]
        return [
            probe("length", "short pages and a long one", with_long, asked, 1, truth=names[:6]),
            probe("length", "short pages with one word of two", mixed(both + one), asked, 1, truth=names[:6]),
        ]

    def forms() -> Case:
        verbs, fillers = pick(_VERBS, 8), pick(_FILLERS, 8)
        endings = zip(verbs, ("ing", "ed", "s", "", "ing", "s", "", "ed"), strict=True)
        others = zip(verbs, ("s", "ing", "ed", "ing", "", "ing", "s", ""), strict=True)
        shown = [f"The {filler} {verb}{one}." for filler, (verb, one) in zip(fillers, endings, strict=True)]
        asked = [f"{(verb + other).capitalize()}, is it?" for verb, other in others]
        return probe("forms", "verbs with other endings", list(zip(names, shown, strict=True)), asked, 1, truth=names)

    def marks() -> Case:
        nouns = pick(_NOUNS, 8)
        shown = [f'"{noun.capitalize()}s," they said' for noun in nouns]
        shown[1::2] = [f"Look ({noun.upper()})!" for noun in nouns[1::2]]
        asked = [f"{noun}?" for noun in nouns]
        return probe("forms", "capital letters and marks", list(zip(names, shown, strict=True)), asked, 1, truth=names)

    def several() -> Case:
        told, weak, strong = pick(_FILLERS, 4), pick(_NOUNS, 4), pick(_VERBS, 4)
        passages = []
        for i in range(4):
            passages.append((names[i], f"{told[i]} {weak[i]} {strong[i]} often"))
            passages += [(names[i], f"{_FILLERS[-1]} {_sentence(rng, [], 3)}") for _ in range(2)]
        for i in range(4):
            passages += [(names[4 + i], f"the {weak[i]} of {_sentence(rng, [], 2)}") for _ in range(9)]
        passages, asked = mixed(passages), [f"{told[i]} {strong[i]} {weak[i]}" for i in range(4)]
        return probe("passages", "one good passage against nine weak ones", passages, asked, 1, truth=names[:4])

    def course() -> Case:
        asked = {question: page for page, told in QUESTIONS.items() for question in pick(told, len(told) - 1)}
        passages, truth = mixed(course_passages()), list(asked.values())
        return probe("finds", "questions to the course", passages, list(asked), 3, truth=truth)

    two = [(names[0], "kazun went on"), (names[1], "polim went on")]
    many = [(str(name), _sentence(rng, pick(_NOUNS, 3), 4)) for name in rng.permutation(names) for _ in range(3)]
    return [
        probe("pages", "three of eight pages", many, [f"the {noun}" for noun in pick(_NOUNS, 5)], 3),
        probe("pages", "fewer pages than are asked for", many[:6], ["a lamp", "nothing of this"], 5),
        probe("pages", "a question without a known word", many, ["zzz"], 2),
        rare(),
        probe("rare words", "two pages, and a word of the second", two, ["polim"], 1, truth=names[1:2]),
        *lengths(),
        forms(),
        marks(),
        several(),
        course(),
    ]


SLIPS = mistakes("""
all_words_alike: loses rare words, finds
    math.log(1 + (len(self.pages) - self.found_in[stem] + 0.5) / (self.found_in[stem] + 0.5)) => 1.0
  weigh words by their rarity
length_ignored: loses length
    0.25 + np.array(lengths) * (0.75 / np.average(lengths)) => np.ones(len(passages))
  relate what is shared to its length
capitals_kept: loses forms
    text.lower() => text
  whatever their capital letters
endings_kept: loses forms
    re.sub(r"(ing|ings|ed|es|s|e|ly)$", "", word) => word
  whatever their capital letters
marks_kept: loses forms, finds
    re.findall(r"[a-z0-9]+", text.lower()) => text.lower().split()
  whatever their capital letters
pages_twice: loses pages, finds
    return sorted(best, key=best.get, reverse=True)[:k] => return sorted(self.pages, key=best.get, reverse=True)[:k]
  a page comes back more than once
all_pages: loses pages
    reverse=True)[:k] => reverse=True)
  of the pages are asked for
worst_first: loses rare words, length, forms, passages, finds
    reverse=True => reverse=False
  should come first
last_passage: loses passages, finds
    max(best.get(page, 0.0), self.score(asked, number)) => self.score(asked, number)
  A page is as good as its best passage
""")
HINTS = hints("""
- Begin with TF-IDF from chapter 02: cut both texts into words, lower-case, and add up the rarity of the words that they
  share. Then look at each property that fails.
- Endings: cutting -s, -ed and -ing off long words is enough, and so is comparing only the first five letters. Length:
  divide by the length of the passage's vector, or use BM25.
- The score of a page is the largest score of its passages: best[page] = max(best.get(page, 0), score). Then
  sorted(best, key=best.get, reverse=True)[:k].
""")
PROPERTIES = properties(f"""
pages, 1: `search` returns k different pages, or all if there are fewer, whatever the question.
rare words, 2: A word that few passages have counts more than words that most of them have.
length, 1: A long passage does not win because it is long, nor a short one because it is short.
forms, 2: Words match whatever their capital letters, marks and endings -s, -ed, -ing.
passages, 1: A page with one good passage comes before a page with many weak ones.
finds, 3, 10 s: On the paragraphs of this course's {len(QUESTIONS)} chapters, the right chapter is among the first three
  for at least {100 * _BAR:.0f} % of {_N_ASKED} questions, which you do not know.
""")
task = Task(
    CourseSearch,
    points=10,
    difficulty=4,
    minutes=60,
    cases=cases,
    call=use,
    judge=judge,
    seconds=40.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
