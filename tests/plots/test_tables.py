"""Tables: numbers are rounded as their column says and stand at the right, texts cannot break the table."""

import numpy as np
import pytest

from lmcourse.plots import as_table


def test_numbers_are_written_as_their_column_says_and_stand_at_the_right():
    columns = {"smoothing": "", "order 1": ",.1f", "known": ".0%"}
    rows = [("add 1", np.float32(1234.56), 0.255), ("none", None, 1)]
    assert as_table(rows, columns).data.splitlines() == [
        "| smoothing | order 1 | known |",
        "|---|--:|--:|",
        "| add 1 | 1,234.6 | 26% |",
        "| none |  | 100% |",
    ]


def test_a_column_with_words_among_its_numbers_stands_at_the_left():
    assert as_table([(1, True), ("never", False)], ["steps", "right"]).data.splitlines()[1] == "|---|---|"


def test_a_bar_or_a_line_break_in_a_cell_stays_in_it():
    assert as_table([("a|b\nc",)], ["text"]).data.splitlines()[-1] == r"| a\|b<br>c |"


def test_a_table_without_rows_has_its_head():
    assert as_table([], ["a", "b"]).data == "| a | b |\n|---|---|"


def test_what_is_no_table_is_refused():
    with pytest.raises(ValueError, match=r"`rows` must hold 2 cells each, one for each of `columns`, got \[1\]"):
        as_table([(1,)], ["a", "b"])
    with pytest.raises(ValueError, match=r"`columns` must say how numbers are written, as in \".2f\", got 'two'"):
        as_table([(1,)], {"a": "two"})
    with pytest.raises(ValueError, match="`columns` must"):
        as_table([], [])
