"""Answers that are alike are found whatever their names and comments; common and short ones are left out."""

import csv

import pytest

from lmcourse.grader.alike import alike_rows, tokens_of, write_alike
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


def test_names_comments_and_layout_do_not_count():
    one = tokens_of("def f(x):\n    # why\n    return x + y\n")
    assert one == tokens_of("def g(a): return a + b")
    assert one != tokens_of("def g(a): return a + a")
    assert tokens_of("def g(a") == ()


def test_two_that_are_alike_are_shown_and_no_others(page, tmp_path):
    results = handed_in(ann=ODD, ben=DISGUISED, cleo=OTHER, dan=solutions(CHAPTER)["softmax"], eve=ODD[:40])
    write_alike(tmp_path / "alike.csv", page, results)
    with (tmp_path / "alike.csv").open(newline="") as file:
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
