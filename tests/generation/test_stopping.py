import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcourse.generation.stopping import until_stop
from lmcourse.generation.tools import calculate


def first_stop(text, stops):
    """The obvious twin: cut where the first stop is complete."""
    for end in range(len(text) + 1):
        begins = [end - len(stop) for stop in stops if text[:end].endswith(stop)]
        if begins:
            return text[: min(begins)]
    return text


@given(st.lists(st.text("ab", max_size=4), max_size=9), st.lists(st.text("ab", min_size=1, max_size=4), max_size=3))
def test_however_a_text_is_cut_it_ends_at_the_first_stop(pieces, stops):
    given_out = list(until_stop(pieces, stops))
    assert "".join(given_out) == first_stop("".join(pieces), stops)
    assert all(given_out)


def test_nothing_is_shown_too_early_and_nothing_read_too_late():
    seen = []

    def pieces():
        for piece in ("Hi", "\nUs", "er", ":", "never"):
            seen.append(piece)
            yield piece

    stream = until_stop(pieces(), ["\nUser:"])
    assert next(stream) == "Hi"
    assert list(stream) == []
    assert "never" not in seen


@pytest.mark.parametrize("stops", [[""], "User:", ["a", ""]])
def test_empty_stops_are_refused(stops):
    if stops == "User:":
        stops = ""
        assert list(until_stop(["a"], [])) == ["a"]
    with pytest.raises(ValueError, match="stops"):
        until_stop(["a"], stops or [""])


@pytest.mark.parametrize(
    ("expression", "value"),
    [("47 + 38", 85), ("(15-8)*5", 35), ("2+3*4", 14), ("8-3-2", 3), ("-3*-(2+1)", 9), (" 7 ", 7), ("((1))", 1)],
)
def test_sums_by_hand(expression, value):
    assert calculate(expression) == value


@given(
    st.recursive(
        st.integers(0, 99).map(str),
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        max_leaves=8,
    )
)
def test_sums_are_pythons(expression):
    assert calculate(expression) == eval(expression)  # ours is written by hypothesis, of digits and signs alone


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "1 +",
        "(1",
        "1)",
        "1 2",
        "2**3",
        "__import__('os')",
        "1/2",
        "a",
        "1" * 31,
        "1+" * 150 + "1",
        "[0]*3",
        "0x1",
        "*1",
    ],
)
def test_all_else_is_refused(expression):
    with pytest.raises(ValueError, match="expression"):
        calculate(expression)
