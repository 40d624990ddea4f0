"""The doors: each rule lets its border in and refuses what lies beyond, naming argument, rule and value."""

import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from lmcourse import checks, tensor_checks


def test_what_fits_passes():
    checks.whole(n=1, k=np.int64(3), at_least=1, at_most=3)
    checks.number(x=0, y=0.5, z=np.float32(0.25), at_least=0.0, below=1.0)
    checks.number(x=1.0, above=0.0, at_most=1.0)
    checks.one_of(("pre", "post"), norm="pre")
    checks.not_empty(words=["a"])
    tensor_checks.floating(x=torch.zeros(1), y=torch.zeros(1, dtype=torch.bfloat16))
    tensor_checks.integers(ids=torch.tensor([0, 4], dtype=torch.int32), at_least=0, below=5)
    tensor_checks.integers(ids=torch.zeros(0, dtype=torch.uint8), at_least=0, below=5)
    tensor_checks.shape(("B", 3), x=torch.zeros(2, 3))
    tensor_checks.same_shape(a=torch.zeros(2), b=torch.ones(2))
    tensor_checks.attention_mask(torch.ones(7, dtype=torch.bool), (2, 3, 5, 7), torch.device("cpu"))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: checks.whole(n=0, at_least=1), ValueError, r"`n` must be at least 1, got n=0\."),
        (lambda: checks.whole(n=9, at_least=1, at_most=8), ValueError, "`n` must be at least 1 and at most 8, got n=9"),
        (lambda: checks.whole(n=1.0), TypeError, "`n` must be a whole number, got n=1.0"),
        (lambda: checks.whole(n=True), TypeError, "got n=True"),
        (lambda: checks.whole(n="3"), TypeError, "got n='3'"),
        (lambda: checks.whole(n=None), TypeError, "got n=None"),
        (lambda: checks.number(p=float("nan")), ValueError, "`p` must be finite, got p=nan"),
        (lambda: checks.number(p=float("inf")), ValueError, "`p` must be finite, got p=inf"),
        (lambda: checks.number(p=1.0, below=1.0), ValueError, "`p` must be less than 1, got p=1"),
        (lambda: checks.number(p=0.0, above=0.0), ValueError, "`p` must be more than 0, got p=0"),
        (lambda: checks.number(p="0.5"), TypeError, "`p` must be a number, got p='0.5'"),
        (lambda: checks.number(p=False), TypeError, "got p=False"),
        (lambda: checks.one_of(("pre", "post"), norm="mid"), ValueError, "`norm` must be one of 'pre', 'post', got"),
        (lambda: checks.one_of((1, 2), n=True), ValueError, "got n=True"),
        (lambda: checks.not_empty(words=[]), ValueError, r"`words` must not be empty, got \[\]"),
        (lambda: tensor_checks.floating(x=torch.zeros(1, dtype=torch.long)), TypeError, "`x` must be a floating-point"),
        (lambda: tensor_checks.floating(x=[0.5]), TypeError, "got list"),
        (lambda: tensor_checks.boolean(mask=torch.ones(2)), TypeError, "`mask` must be a bool tensor, got a tensor of"),
        (lambda: tensor_checks.integers(ids=torch.ones(2)), TypeError, "`ids` must be a tensor of whole numbers"),
        (lambda: tensor_checks.integers(ids=torch.ones(2, dtype=torch.bool)), TypeError, "torch.bool"),
        (lambda: tensor_checks.integers(ids=torch.tensor([5]), at_least=0, below=5), ValueError, r"in 0\.\.4, got"),
        (lambda: tensor_checks.integers(ids=torch.tensor([-1]), at_least=0), ValueError, "at least 0, got values from"),
        (lambda: tensor_checks.shape(("B", 3), x=torch.zeros(2, 4)), ValueError, r"shape \(B, 3\), got \(2, 4\)"),
        (lambda: tensor_checks.shape(("N",), x=torch.zeros(2, 4)), ValueError, r"shape \(N,\), got \(2, 4\)"),
        (lambda: tensor_checks.same_shape(a=torch.zeros(2), b=torch.zeros(3)), ValueError, r"a \(2,\), b \(3,\)"),
        (
            lambda: tensor_checks.same_device(a=torch.zeros(2), b=torch.zeros(2, device="meta")),
            ValueError,
            "a cpu, b meta",
        ),
        (
            lambda: tensor_checks.attention_mask(torch.ones(2, 7).bool(), (2, 3, 5, 7), torch.device("cpu")),
            ValueError,
            r"broadcastable to \(B, H, T, S\) = \(2, 3, 5, 7\), got \(2, 7\)",
        ),
    ],
)
def test_what_does_not_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_values_are_read_only_where_that_is_free():
    def door(ids):
        tensor_checks.integers(ids=ids, at_least=0, below=5)
        return ids + 1

    wrong = torch.tensor([9])
    with pytest.raises(ValueError, match=r"in 0\.\.4"):
        door(wrong)
    door(wrong.to("meta"))
    with FakeTensorMode() as mode:
        door(mode.from_tensor(wrong))
    torch.func.vmap(door)(wrong)
    torch.compile(door, fullgraph=True, backend="eager")(wrong)
    torch.export.export(type("M", (torch.nn.Module,), {"forward": lambda self, ids: door(ids)})(), (wrong,))
