"""What runs in the sandbox before a learner's code does: cases packed for every submission anew."""

import types
from dataclasses import replace

import numpy as np
import pytest
import torch

from lmcourse.exercises.compare import Compare
from lmcourse.exercises.task import Case
from lmcourse.grader.inside import submission
from lmcourse.grader.inside.submission import Page, TaskSpec, pack


def packed(*arguments):
    item = Case("a case", arguments, {})
    task = TaskSpec("answer", lambda answer, *args: answer(*args), Compare(), [item])
    pack(Page({"answer": task}))
    return item, task


def unpacked(*arguments):
    item, task = packed(*arguments)
    return item, task.fresh


def test_every_call_gets_tensors_of_its_own():
    given = [torch.arange(6.0).reshape(2, 3).requires_grad_(), torch.tensor([1, 2]), torch.tensor(True), torch.empty(0)]
    item, fresh = unpacked(*given)
    (first, _), (second, _) = fresh(item), fresh(item)
    for got, want in zip(first, given, strict=True):
        assert torch.equal(got, want)
        assert (got.dtype, got.requires_grad) == (want.dtype, want.requires_grad)
    (first[0].sum() * 2).backward()
    assert first[0].grad is not None
    with torch.no_grad():
        first[0].mul_(7)
    first[1].zero_()
    assert torch.equal(second[0], given[0])
    assert torch.equal(fresh(item)[0][1], given[1])


def test_what_lies_otherwise_in_memory_comes_out_as_it_lies():
    table, half = torch.arange(6.0).reshape(2, 3), torch.ones(2, dtype=torch.bfloat16)
    parameter = torch.nn.Parameter(torch.ones(2))
    item, fresh = unpacked(table.t(), [table, table[1]], half, parameter, np.arange(3))
    ((turned, (whole, row), short, weight, array), _) = fresh(item)
    assert turned.stride() == (1, 3)
    whole[1, 0] = -1.0
    assert row[0] == -1.0, "a row of it is still a row of it"
    assert short.dtype == torch.bfloat16
    assert type(weight) is torch.nn.Parameter
    array[0] = 5
    assert item.args[4][0] == 0


def test_one_tensor_twice_is_one_within_an_argument_and_two_as_two_arguments():
    shared = torch.zeros(3)
    item, fresh = unpacked([shared, shared.view(3, 1)], shared)
    ((first, second), other), _ = fresh(item)
    first[0] = 4.0
    assert second[0, 0] == 4.0
    assert other[0] == 0.0


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        ([1, [2.0, "three"]], lambda value: value[1].append(4)),
        ({"a": {1, 2}}, lambda value: value["a"].add(3)),
        (np.arange(3.0), lambda value: value.__setitem__(0, 1e-300)),
        (np.arange(6).reshape(2, 3), lambda value: value.resize(3, 2, refcheck=False)),
        (torch.arange(3.0), lambda value: value.mul_(2)),
        ([torch.arange(3)], lambda value: value.append(torch.arange(3))),
        ([1], lambda value: value.__setitem__(0, lambda: 1)),  # cannot be packed
    ],
)
def test_what_a_call_changed_is_told_from_what_it_left(value, changes):
    item, task = packed(value, 3)
    (args, kwargs), (other, _) = task.fresh(item), task.fresh(item)
    assert task.unchanged(item, args, kwargs)
    changes(args[0])
    assert not task.unchanged(item, args, kwargs)
    assert task.unchanged(item, other, kwargs)


def test_a_change_is_told_of_by_its_argument():
    _, task = packed(3, [1, 2])
    task = replace(task, name="take")
    names = types.ModuleType("answers")
    names.take = lambda number, items: items.pop()
    assert [each.get("changed") for each in submission._outcomes(task, names)["outcomes"]] == ["argument 2"]
    names.take = lambda number, items: items[number - 1 : number]
    assert [each.get("changed") for each in submission._outcomes(task, names)["outcomes"]] == [None]
