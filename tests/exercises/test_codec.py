"""Values come out of the sandbox as they were, and nothing that pretends to be a value does harm."""

import contextlib
import json
import math
from collections import Counter, OrderedDict, defaultdict, namedtuple
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse.exercises import Compare, Outcome, all_tasks, codec, difference, judge, run_answer
from lmcourse.grader.inside.submission import plain
from lmcourse.grader.marking import _outcome

EXACT = Compare(rtol=0.0, atol=0.0)


def through(value: Any) -> Any:
    return codec.loads(codec.dumps(value))


def same(left: Any, right: Any) -> bool:
    """Equal with kinds, signs of zero and nan: what `repr` shows, as deep as it goes."""
    return type(left) is type(right) and repr(left) == repr(right)


atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(), max_size=9),
    st.binary(max_size=9),
    st.integers(min_value=10**30, max_value=10**40),
)
keys = st.one_of(st.text(max_size=3), st.integers(), st.tuples(st.binary(max_size=2), st.binary(max_size=2)))
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(keys, inner, max_size=4),
        st.sets(keys, max_size=4),
        st.frozensets(st.binary(max_size=2), max_size=3),
    ),
    max_leaves=20,
)


@given(values)
@settings(max_examples=150, deadline=None)
def test_plain_values_come_back_as_they_were(value):
    back = through(value)
    assert difference(value, back, EXACT) is None
    if not isinstance(value, (set, frozenset)):
        assert type(back) is type(value)


def test_what_json_alone_would_change():
    for value in (
        -0.0,
        math.inf,
        -math.inf,
        math.nan,
        10**15,
        10**4400,
        -(2**64),
        True,
        1,
        1.0,
        (),
        [],
        "\ud800",
        "7",
        b"7",
    ):
        back = through(value)
        assert type(back) is type(value)
        if type(value) is int:
            assert back == value
        else:
            assert repr(back) == repr(value)
    assert repr(through({1: "a", "1": "b", True + 1: "c"})) == "{1: 'a', '1': 'b', 2: 'c'}"
    assert through({(b"a", b"b"): {3}}) == {(b"a", b"b"): {3}}


@pytest.mark.parametrize("dtype", sorted(codec._TENSOR_DTYPES))
@pytest.mark.parametrize("shape", [(), (1,), (0, 7), (3, 5), (2, 3, 5)])
def test_tensors_of_every_kind(dtype, shape):
    value = torch.arange(math.prod(shape) or 1).reshape(shape if 0 not in shape else (1,)).to(getattr(torch, dtype))
    value = value if 0 not in shape else value[:0].reshape(shape)
    back = through(value)
    assert (back.dtype, back.shape, back.device) == (value.dtype, value.shape, value.device)
    assert torch.equal(
        back.view(torch.uint8) if shape and 0 not in shape else back,
        value.view(torch.uint8) if shape and 0 not in shape else value,
    )


def test_a_single_number_of_a_strided_tensor():
    one = torch.arange(6).view(3, 2)[:1, 1]  # torch calls it contiguous, though its stride is 2
    assert same(through(one), torch.tensor([1]))


def test_tensors_in_other_clothes():
    base = torch.arange(15.0).reshape(3, 5)
    base[1, 2] = math.nan
    for value in (
        base.T,
        base[::2],
        base[:, 1:4],
        torch.nn.Parameter(base),
        base.clone().requires_grad_(),
        base.expand(2, 3, 5),
    ):
        assert torch.equal(through(value).nan_to_num(7), value.detach().nan_to_num(7))
        assert type(through(value)) is torch.Tensor
    conjugate = torch.tensor([1 + 2j]).conj()
    assert through(conjugate) == torch.tensor([1 - 2j])


@pytest.mark.parametrize("dtype", ["<f8", "<f4", "<f2", ">f8", "|b1", "<i8", "|u1", "<c16", "<U3", "|S2", "<f16"])
def test_arrays_and_their_numbers(dtype):
    value = np.arange(6).reshape(2, 3).astype(dtype)
    back = through(value)
    assert back.dtype.str == dtype
    assert (back == value).all()
    assert back.flags.writeable
    if value.dtype.kind in "biufc":
        number = value[1, 2]
        assert same(through(number), number)


def test_numpy_shapes():
    for value in (np.array(3.0), np.zeros((0, 7)), np.arange(6).reshape(2, 3).T, np.arange(10)[::3]):
        assert through(value).shape == value.shape
        assert (through(value) == value).all()


def test_subclasses_arrive_as_what_they_hold_or_not_at_all():
    assert type(through(Counter("aab"))) is dict
    assert through(Counter("aab")) == {"a": 2, "b": 1}
    assert through(OrderedDict(a=1)) == through(defaultdict(int, a=1)) == {"a": 1}
    pair = namedtuple("pair", "a b")
    assert same(through(pair(1, 2)), (1, 2))
    assert same(through(type("L", (list,), {})([1])), [1])
    assert same(through(np.str_("sea")), "sea")
    for value in (
        type("F", (float,), {})(1),
        np.ma.ones(2),
        object(),
        1j,
        bytearray(b"x"),
        {1}.__iter__(),
    ):
        back = through(value)
        assert isinstance(back, codec.Foreign)
        assert type(back).__name__ == type(value).__name__[:60]
    assert "sparse" in repr(through(torch.ones(2).to_sparse()))
    assert "meta" in repr(through(torch.ones(2, device="meta")))
    assert isinstance(through(np.array([object()])), codec.Foreign)


def test_a_foreign_object_equals_nothing_and_is_named_in_the_reason():
    liar = type("Right", (), {"__eq__": lambda *_: True, "__class__": property(lambda _: list)})()
    for wanted in (1.0, [1], {"a": 1}, np.zeros(2), torch.zeros(2), None, "x", True, {1}):
        told = difference(wanted, through(liar), Compare())
        assert told
        assert "Right" in told


class Lying(dict):
    def items(self):
        return []

    def __iter__(self):
        return iter(())


def test_a_lying_dict_arrives_with_what_it_really_holds():
    assert through(Lying(a=1)) == {"a": 1}


def test_cycles_and_depth_end():
    cycle: list[Any] = []
    cycle.append(cycle)
    deep: Any = 1
    for _ in range(10_000):
        deep = [deep]
    for value in (cycle, deep):
        assert "nested too deep" in repr(through(value))


DAMAGED = [
    [],
    ["list"] + [["list"]] * 3 + [{}],
    ["nonsense"],
    ["int"],
    ["int", 7],
    ["int", "0xzz"],
    ["dict", "a"],
    ["dict", ["list"], 1],
    ["set", ["list"]],
    ["bytes", "###"],
    ["bytes", 7],
    ["bytes", "é"],
    ["array", "<f8", [2], "AAAA"],
    ["array", "|O8", [1], "AAAAAAAAAAA="],
    ["array", "<f8", [-1], ""],
    ["array", "<f8", [2**40, 0], ""],
    ["array", "<f8", [True], "AAAAAAAAAAA="],
    ["array", "<f8", "x", ""],
    ["array", "<f8,<f8", [1], "AAAAAAAAAAAAAAAAAAAAAA=="],
    ["array", "<f8", [0] * 40, ""],
    ["array", "<f8", [2**30, 2**30, 2**30, 0], ""],
    ["tensor", "float64", [2], "AAAA"],
    ["tensor", "qint8", [1], "AA=="],
    ["tensor", "Tensor", [1], "AA=="],
    ["tensor", ["x"], [1], "AA=="],
    ["number", "<U1", "YQAAAA=="],
    ["number", "<f8", ""],
    ["foreign"],
    ["foreign", 7],
    {"a": 1},
    ["list", {"a": 1}],
]


@pytest.mark.parametrize("node", DAMAGED, ids=repr)
def test_damage_is_told_and_nothing_else_happens(node):
    with pytest.raises(codec.CodecError):
        codec.loads(json.dumps(node).encode())


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xff", b"[" * 200_000, b"1" * 5000, b"nul"])
def test_no_json(content):
    with pytest.raises(codec.CodecError):
        codec.loads(content)


def test_too_many_parts():
    content = codec.dumps(list(range(1000)))
    assert codec.loads(content, max_parts=1000) == list(range(1000))
    with pytest.raises(codec.CodecError, match="far more parts"):
        codec.loads(content, max_parts=999)
    assert codec.parts({"a": [1, 2], "b": (3,)}) == 1 + 1 + 3 + 1 + 2


@given(
    st.recursive(
        st.one_of(
            st.none(),
            st.text(max_size=8),
            st.integers(),
            st.floats(),
            st.sampled_from(["list", "dict", "array", "<f8", "tensor", "int"]),
        ),
        lambda x: st.lists(x, max_size=5),
        max_leaves=20,
    )
)
@settings(max_examples=300, deadline=None)
def test_any_json_gives_a_value_or_a_codec_error(node):
    with contextlib.suppress(codec.CodecError):
        codec.loads(json.dumps(node).encode())


def _shipped(outcome: Outcome) -> Outcome:
    """An outcome as the marking side gets it."""
    return _outcome(json.loads(json.dumps(plain(outcome))), codec.Budget(1_000_000))


ODD = [
    None,
    1,
    1.5,
    "x",
    b"x",
    [],
    (),
    {},
    set(),
    [None],
    np.float32(2),
    np.zeros(3),
    torch.zeros(2),
    torch.zeros(2, dtype=torch.bfloat16),
    float("nan"),
]


TASKS = [task for task in all_tasks() if not (task.properties and task.judge)]  # those train a model
DAILY = {task.name for task in TASKS if task.chapter == TASKS[0].chapter and not task.properties}
EACH = [pytest.param(task, marks=() if task.name in DAILY else pytest.mark.slow, id=task.name) for task in TASKS]


@pytest.mark.parametrize("task", EACH)
def test_marking_says_what_check_says(task):
    cases = task.cases(1)
    for answer in (task.reference, *(slip.answer for slip in task.slips)):
        outcomes = run_answer(task, answer, cases)
        assert judge(task, cases, [_shipped(outcome) for outcome in outcomes]) == judge(task, cases, outcomes)
    for value in ODD:
        outcomes = [Outcome(value=value)] * len(cases)
        assert judge(task, cases, [_shipped(outcome) for outcome in outcomes]) == judge(task, cases, outcomes)
