"""`difference`: what counts as the same result, kind by kind, and what the learner is told."""

import math
from collections import Counter, defaultdict
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from lmcourse.exercises import Compare, difference
from lmcourse.exercises.compare import identical, short

LOOSE = Compare()


class Named(NamedTuple):
    first: int
    second: int


class Row(list):
    pass


class Rows(np.ndarray):
    pass


class Weights(torch.Tensor):
    pass


NAN = float("nan")

SAME = [
    (None, None),
    (True, True),
    (True, np.True_),
    ("sea", "sea"),
    (b"sea", b"sea"),
    (3, 3),
    (3, np.int64(3)),
    (3.0, 3),
    ("sea", np.str_("sea")),
    (torch.tensor([-2.0]), torch.tensor([1 + 2j]).conj().imag),
    ((1, 2), Named(1, 2)),
    ([1], Row([1])),
    (np.ones(2), np.ones(2).view(Rows)),
    (torch.ones(2), torch.ones(2).as_subclass(Weights)),
    (0.5, np.float32(0.5)),
    (0.5, 0.5 + 1e-10),
    (1e9, 1e9 + 1),
    (NAN, NAN),
    (math.inf, math.inf),
    ([], []),
    ([1, "a"], (1, "a")),
    ((1, [2.0, {"x": NAN}]), (1, [2.0, {"x": NAN}])),
    ({}, {}),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({"a": 1}, Counter("a")),
    ({"a": [1]}, defaultdict(list, {"a": [1]})),
    ({1, 2}, {2, 1}),
    ({1, 2}, frozenset({1, 2})),
    (np.zeros((0, 3)), np.zeros((0, 3))),
    (np.array(1.5), np.array(1.5)),
    (np.array([1.0, NAN, np.inf]), np.array([1.0 + 1e-9, NAN, np.inf])),
    (np.array(["a", "b"]), np.array(["a", "b"])),
    (np.array([True, False]), np.array([True, False])),
    (torch.tensor([1, 2]), torch.tensor([1, 2])),
    (torch.tensor([1.0, NAN]), torch.tensor([1.0, NAN])),
    (torch.ones(2), torch.nn.Parameter(torch.ones(2))),
    (torch.ones(3, dtype=torch.bfloat16), torch.ones(3, dtype=torch.bfloat16)),
    (torch.tensor([1 + 2j]), torch.tensor([1 - 2j]).conj().requires_grad_()),
]

DIFFERENT = [
    (None, 0, "should be None, got an int: 0"),
    (0, None, "should be a number, got None (is a `return` missing?)"),
    (True, 1, "should be True, got an int: 1"),
    (1, True, "should be a number, got a bool: True"),
    (False, True, "should be False, got True"),
    ("sea", "tea", "should be 'sea', got 'tea'"),
    ("sea", b"sea", "should be 'sea', got a bytes"),
    (3, 3.0, "should be the whole number 3, got a float: 3.0"),
    (10**9, 10**9 + 1, "should be 1000000000, got 1000000001"),
    (0.1986012, 0.1986015, "should be 0.1986012, got 0.1986015"),
    (torch.ones(2), torch.nested.nested_tensor([torch.ones(2)]), "got a nested tensor"),
    (0.5, "0.5", "should be a number, got a str: '0.5'"),
    (0.5, np.array(0.5), "got an ndarray of shape ()"),
    (0.5, torch.tensor(0.5), "got a Tensor of shape ()"),
    (0.5, 0.5 + 1e-5, "should be 0.5, got 0.50001"),
    (0.0, 1e-8, "should be 0, got 1e-08"),
    (1.0, NAN, "should be 1, got nan"),
    (1.0, np.complex128(1 + 5j), "should be a number, got a complex128"),
    (1.0, 1 + 0j, "should be a number, got a complex"),
    (NAN, 1.0, "should be nan, got 1"),
    (math.inf, 1e308, "should be inf"),
    (math.inf, -math.inf, "should be inf, got -inf"),
    (1.0, 10**400, "should be 1, got inf"),
    ([1, 2], [1, 2, 3], "should have 2 items, got 3: [1, 2, 3]"),
    ([1, 2], {1, 2}, "should be a list, got a set"),
    ([1, 2], np.array([1, 2]), "should be a list, got an ndarray of shape (2,)"),
    ([1, [2, 3]], [1, [2, 4]], "the result[1][1] should be 3, got 4"),
    ({"a": {"b": 1}}, {"a": {"b": 2}}, "the result['a']['b'] should be 1, got 2"),
    ({"a": 1}, [("a", 1)], "should be a dict, got a list"),
    ({"a": 1, "b": 2, "c": 3}, {"a": 1}, "lacks the key 'b' (and 1 more)"),
    ({"a": 1}, {"a": 1, "z": 0}, "has a key it should not have: 'z'"),
    ({1, 2}, {2, 3}, "lacks {1} and has {3} too much"),
    ({1}, [1], "should be a set, got a list"),
    (np.zeros(2), [0.0, 0.0], "should be an ndarray, got a list"),
    (np.zeros(2), np.ma.zeros(2), "should be an ndarray"),
    (np.zeros((2, 3)), np.zeros((3, 2)), "should have shape (2, 3), got (3, 2)"),
    (np.zeros(2), np.zeros(2, dtype=np.float32), "should have element type float64, got float32"),
    (np.zeros((2, 2)), np.eye(2), "the result[0, 0] should be 0, got 1 (2 of 4 entries differ)"),
    (np.array([1.0, 2.0]), np.array([1.0, NAN]), "the result[1] should be 2, got nan"),
    (np.array([NAN]), np.array([1.0]), "the result[0] should be nan, got 1"),
    (np.array(1.0), np.array(2.0), "the result should be 1, got 2"),
    (np.array([True, False]), np.array([True, True]), "the result[1] should be False, got True"),
    (np.array(["a", "b"]), np.array(["a", "c"]), "the result[1] should be 'b', got 'c'"),
    (np.array([1 + 2j]), np.array([1 - 2j]), "the result[0] should be 1+2j, got 1-2j"),
    (torch.zeros(2), np.zeros(2, dtype=np.float32), "should be a Tensor, got an ndarray"),
    (torch.zeros(2), torch.zeros(2, dtype=torch.float64), "should have element type torch.float32"),
    (torch.zeros(2), torch.zeros(2, device="meta"), "should be on cpu, got meta"),
    (torch.zeros(2), torch.zeros(2).to_sparse(), "layout"),
    (torch.tensor([True, False]), torch.tensor([True, True]), "the result[1] should be False, got True"),
    (torch.tensor([1, 2]), torch.tensor([1, 3]), "the result[1] should be 2, got 3"),
]


@pytest.mark.parametrize(("expected", "actual"), SAME, ids=lambda value: short(value)[:24])
def test_the_same(expected: Any, actual: Any) -> None:
    assert difference(expected, actual, LOOSE) is None


@pytest.mark.parametrize(("expected", "actual", "words"), DIFFERENT, ids=lambda value: short(value)[:24])
def test_different_and_said_how(expected: Any, actual: Any, words: str) -> None:
    found = difference(expected, actual, LOOSE)
    assert found is not None
    assert words in found


def test_tolerance_is_relative_and_absolute() -> None:
    compare = Compare(rtol=0.1, atol=1.0)
    for kind in (float, lambda value: np.array([value]), lambda value: torch.tensor([value])):
        assert difference(kind(10.0), kind(11.9), compare) is None
        assert difference(kind(10.0), kind(8.1), compare) is None
        assert difference(kind(10.0), kind(12.1), compare) is not None


def test_exact_means_exact() -> None:
    exact = Compare(rtol=0.0, atol=0.0)
    assert difference(0.5, 0.5 + 1e-15, exact) is not None
    assert difference(np.array([0.5]), np.array([0.5 + 1e-15]), exact) is not None


def test_element_type_can_be_left_open() -> None:
    open_type = Compare(dtype=False)
    assert difference(np.zeros(2), np.zeros(2, dtype=np.float32), open_type) is None
    assert difference(np.zeros(2), np.zeros(2, dtype=int), open_type) is None
    assert difference(torch.zeros(2), torch.zeros(2, dtype=torch.float64), open_type) is None
    for wrong in (np.array(["0", "0"]), np.array([0.0, 0.0], dtype=object)):
        assert "should hold elements of type float64" in str(difference(np.zeros(2), wrong, open_type))
    assert difference(np.array(["a"]), np.array(["a"], dtype=object), open_type) is not None


def test_an_objects_own_word_for_equality_counts_for_nothing() -> None:
    class Liar:
        __class__ = property(lambda self: bool)  # type: ignore[assignment]

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    for expected in (True, 1, "a", None, [], {}, set(), np.zeros(0), torch.zeros(0)):
        assert difference(expected, Liar(), LOOSE) is not None


def test_a_value_that_cannot_be_shown_stops_nothing() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise RuntimeError

    assert "(Shy that cannot be shown)" in str(difference("a", Shy(), LOOSE))
    assert "int that cannot be shown" in str(difference("a", 10**5000, LOOSE))


def test_long_values_are_cut() -> None:
    assert len(short(list(range(1000)))) == 120
    assert "\n" not in short(np.zeros((5, 5)))


def test_spaces_in_a_string_are_shown_as_they_are() -> None:
    assert difference("a  b", "a b", LOOSE) == "the result should be 'a  b', got 'a b'"
    assert difference(["a\n b"], ["a\nb"], LOOSE) == r"the result[0] should be 'a\n b', got 'a\nb'"


def test_a_reference_must_give_plain_values() -> None:
    with pytest.raises(TypeError, match="plain values, got object"):
        difference(object(), 1, LOOSE)


def test_tensors_are_identical_where_all_that_counts_is() -> None:
    numbers = torch.arange(6.0).reshape(2, 3)
    assert identical([numbers], [numbers.clone()])
    assert identical(numbers, numbers.t().contiguous().t())
    others = [numbers + 1, numbers.double(), numbers.reshape(3, 2), numbers.to("meta"), numbers.to_sparse(), None]
    others += [torch.nn.Parameter(numbers), numbers.numpy(), torch.nested.nested_tensor([numbers])]
    assert not any(identical(numbers, other) for other in others)
    assert not any(identical(other, numbers) for other in others)


@pytest.mark.parametrize("inference", [False, True])
def test_tensors_that_only_read_like_others_are_looked_at_closely(inference) -> None:
    pair = torch.tensor([1 + 2j, 3 - 1j])
    with torch.inference_mode(inference):
        for view in (pair.conj(), pair.conj().imag, torch.tensor([math.nan])):
            assert not identical(view, view.clone())
            assert difference(view.clone(), view, Compare()) is None
