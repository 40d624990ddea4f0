"""Chapter 09's n-gram models that fill gaps: both sides by hand, and the recorded run whole."""

import math
from pathlib import Path

from experiments.bert_gaps import Counted, first_letters, rows_of
from lmcourse.training import load_recorded

RECORDED = Path(__file__).parents[2] / "chapters" / "recorded"
TEXT = "the cat sat on the mat. the dog sat on the log. a cat and a dog ran to the mat and on to the log. " * 3


def test_both_sides_take_the_letter_that_makes_the_row_most_probable():
    counted = Counted(3, TEXT)
    letters = [sign for sign in counted.model.vocabulary.tokens if not sign.startswith("<")]
    for row in rows_of(TEXT, 11, 13):
        for at in (2, 5, 10):

            def nats(letter, row=row, at=at):
                filled = [*row[:at], letter, *row[at + 1 :]]
                return sum(math.log(counted.model.prob(filled[t], filled[max(0, t - 2) : t])) for t in range(len(row)))

            best = counted.both(row, at)
            assert math.isclose(nats(best), max(map(nats, letters)), rel_tol=1e-9)


def test_the_left_side_is_the_models_own_distribution():
    counted = Counted(2, TEXT)
    first = counted.left(list("the c"), 4)
    probs = [counted.model.prob(letter, [" "]) for letter in first]
    assert probs == sorted(probs, reverse=True)
    assert len(first) == len(set(first))


def test_gaps_are_filled_one_after_the_other():
    counted = Counted(4, TEXT)
    assert counted.fill("the c_t sat on _he mat.") == "the cat sat on the mat."


def test_of_every_second_word_the_first_letter_is_hidden_in_lines_of_one_length():
    line = "a cat and 12 dogs ran to a mat"
    test = f"too short\n{line}\n  {line[2:]}\n{line}"
    known = {"a _at and 12 dogs _an to _ mat": line}
    rows, examples = first_letters(lambda text: known[text], lambda text: text.replace("_", "x"), test, n=1)
    assert [(row["model"], row["right"], row["hidden"], row["lines"]) for row in rows] == [
        ("6-gram, left", 0.0, 6, 2), ("masked model", 1.0, 6, 2),
    ]  # fmt: skip
    assert [row["text"] for row in examples] == list(known)


def test_the_recorded_run_has_every_model_and_examples_of_the_right_length():
    rows = load_recorded("bert-gaps", RECORDED)["rows"]
    scores = {(row["unit"], row["model"]): row["right"] for row in rows if row["unit"] != "example"}
    assert set(scores) == {
        ("first letters", "6-gram, left"), ("first letters", "masked model"),
        ("letters", "6-gram, left"), ("letters", "6-gram, both sides"), ("letters", "masked model"),
        ("words", "3-gram, left"), ("words", "3-gram, both sides"), ("words", "masked model"),
    }  # fmt: skip
    examples = [row for row in rows if row["unit"] == "example"]
    assert len(examples) >= 4
    assert all(len({len(row[key]) for key in ("text", "meant", "left", "masked model")}) == 1 for row in examples)
