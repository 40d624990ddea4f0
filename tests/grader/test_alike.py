"""Answers that are alike are found whatever their names and comments; common and short ones are left out."""

import csv
import itertools

import pytest

from assay.outside import FOLDER, read
from lmcourse.grader.alike import alike_rows, own_rows, words_of, write_alike
from lmcourse.grader.page import load_page
from lmcourse.grader.results import Result
from tests.grader.classes import ROOT, solutions

CHAPTER = "00_start_here"
ODD = """def softmax(scores):
    # as everybody does it
    total = 0.0
    out = []
    for score in scores:
        out.append(2.718281828459045 ** (score - max(scores)))
        total = total + out[-1]
    return np.array([value / total for value in out])
"""
DISGUISED = """def softmax(x):
    s=0.0
    r =  []  # mine
    for y in x:
        r.append(2.718281828459045 ** (y - max(x)))
        s = s + r[-1]

    return np.array([z / s for z in r])
"""
OTHER = """def softmax(scores):
    shifted = scores - np.max(scores)
    powers = np.exp(shifted, dtype=np.float64)
    assert powers.ndim == 1 and powers.size
    return powers / powers.sum()
"""


@pytest.fixture(scope="module")
def page():
    return load_page(ROOT, CHAPTER)


def handed_in(**answers: str) -> list[Result]:
    return [Result(student, CHAPTER, "marked", answers={"softmax": code}) for student, code in answers.items()]


def test_names_and_layout_do_not_count():
    one = words_of("def f(x):\n    # why\n    return x + y\n")
    assert one.runs == words_of("def g(a): return a + b").runs
    assert one.runs != words_of("def g(a): return a + a").runs
    assert words_of("def g(a").tokens == ()


@pytest.mark.parametrize("junk", ["_ = None\n", "import numpy as numbers\n", "def softmax(x):\n    unused = 7\n"])
def test_a_line_of_no_use_hides_no_copy(page, junk):
    """A line at the top, or after the first: names after it are the same as before."""
    first = DISGUISED.split("\n", 1)[0] + "\n"
    copied = DISGUISED.replace(first, junk) if junk.startswith("def") else junk + DISGUISED
    assert len(alike_rows(page, handed_in(ann=ODD, ben=copied))) == 1


def test_a_comment_that_two_have_is_told(page):
    comment = "    # my grandmother's way to sum\n"
    one, other = (source.replace("\n", f"\n{comment}", 1) for source in (ODD, OTHER))
    (row,) = alike_rows(page, handed_in(ann=one, ben=other))
    assert row["same comments"] == 1
    assert alike_rows(page, handed_in(ann=ODD, ben=OTHER)) == []


def test_what_is_not_answered_is_alike_to_nothing(page):
    task = page.tasks[-1].name
    blank = [Result(student, CHAPTER, "marked", answers=dict(page.given)) for student in ("dana", "kim")]
    assert len(words_of(page.given[task]).tokens) > 20
    assert alike_rows(page, blank) == own_rows(page, blank) == []


def test_right_answers_that_many_people_wrote_are_not_alike():
    """Those of `assay/answers`: of 1,000 pairs of right answers to one task about five are; names changed or not."""
    pairs = alike = 0
    for path in sorted(FOLDER.glob("*.txt")):
        by_task: dict[str, list] = {}
        for answer in read(path):
            words = words_of(answer.source)
            if answer.right and len(words.tokens) >= 20:
                by_task.setdefault(answer.task, []).append(words)
        for one, other in (pair for words in by_task.values() for pair in itertools.combinations(words, 2)):
            pairs += 1
            alike += one.is_alike(other)
    assert pairs > 900
    assert alike <= pairs // 100


def test_two_that_are_alike_are_shown_and_no_others(page, tmp_path):
    results = handed_in(ann=ODD, ben=DISGUISED, cleo=OTHER, dan=solutions(CHAPTER)["softmax"], eve=ODD[:40])
    write_alike(tmp_path, page, results)
    with (tmp_path / f"{CHAPTER}-own.csv").open(newline="") as file:
        (own,) = csv.DictReader(file)
    assert (own["student"], own["tasks"]) == ("dan", "softmax")
    with (tmp_path / f"{CHAPTER}-alike.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["student"], row["other student"], row["answers alike"], row["tasks"]) == ("ann", "ben", "1", "softmax")
    assert int(row["tokens alike"]) > 50


def test_what_learners_may_read_and_what_many_have_is_left_out(page):
    right = solutions(CHAPTER)["softmax"]
    assert alike_rows(page, handed_in(ann=right, ben=right)) == []
    common = handed_in(**{f"student{number}": ODD for number in range(9)})
    assert alike_rows(page, common) == []
    pair = handed_in(student0=ODD, student1=ODD) + handed_in(**{f"x{number}": OTHER for number in range(7)})
    assert [(row["student"], row["other student"]) for row in alike_rows(page, pair)] == [("student0", "student1")]
