"""The doors: each rule lets its border in and refuses what lies beyond, naming argument, rule and value."""

import numpy as np
import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

from lmcourse import checks, tensor_checks


def token_ids(ids):
    tensor_checks.token_ids(nn.Embedding(5, 3), ids=ids)


def vectors(x):
    tensor_checks.vectors(3, torch.zeros(7, 3), x=x)


def test_what_fits_passes():
    checks.whole(n=1, k=np.int64(3), at_least=1, at_most=3)
    checks.number(x=0, y=0.5, z=np.float32(0.25), at_least=0.0, below=1.0)
    checks.number(x=1.0, above=0.0, at_most=1.0)
    checks.one_of(("pre", "post"), norm="pre")
    checks.not_empty(words=["a"])
    checks.whole(n=2, below=3)
    checks.whole_items(stop_ids=(0, np.int64(4)), other={1}, at_least=0, below=5)
    checks.divides(num_heads=3, embed_dim=12)
    checks.instance((str, bytes), text="a", data=b"")
    checks.function(loss=len)
    checks.items(int, sizes=[1, 2], others=())
    tensor_checks.floating(x=torch.zeros(1), y=torch.zeros(1, dtype=torch.bfloat16))
    tensor_checks.integers(ids=torch.tensor([0, 4], dtype=torch.int32), at_least=0, below=5)
    tensor_checks.integers(ids=torch.zeros(0, dtype=torch.uint8), at_least=0, below=5)
    tensor_checks.token_ids(nn.Embedding(5, 3), ids=torch.tensor([[0, 4]], dtype=torch.uint8))
    tensor_checks.vectors(3, torch.zeros(7, 3), x=torch.zeros(2, 0, 3), y=torch.zeros(3))
    with torch.autocast("cpu", torch.bfloat16):
        tensor_checks.vectors(3, torch.zeros(7, 3), x=torch.zeros(2, 3, dtype=torch.bfloat16))
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
        (lambda: checks.whole(n=5, below=5), ValueError, "`n` must be less than 5, got n=5"),
        (lambda: checks.whole_items(stop_ids=5), TypeError, "`stop_ids` must be a collection of whole numbers, got"),
        (lambda: checks.whole_items(stop_ids="12"), TypeError, "`stop_ids` must be a collection of whole numbers, got"),
        (lambda: checks.whole_items(stop_ids=(1, 2.5)), TypeError, r"`stop_ids\[\.\.\.\]` must be a whole number, got"),
        (lambda: checks.whole_items(stop_ids=(1, 5), below=5), ValueError, r"`stop_ids\[\.\.\.\]` must be less than 5"),
        (lambda: checks.divides(num_heads=5, embed_dim=64), ValueError, "`num_heads` must divide `embed_dim`, got num"),
        (lambda: checks.instance((str, bytes), text=5), TypeError, "`text` must be of type str or bytes, got int"),
        (lambda: checks.items(int, sizes=5), TypeError, "`sizes` must be a sequence of int, got int"),
        (lambda: checks.items(str, words="ab"), TypeError, "`words` must be a sequence of str, got str"),
        (lambda: checks.items(int, sizes=[1, "2"]), TypeError, "`sizes` must be a sequence of int, got '2' at index 1"),
        (lambda: checks.function(loss=5), TypeError, "`loss` must be a function, got int"),
        (lambda: token_ids([[0, 4]]), TypeError, "`ids` must be a tensor of whole numbers, got list"),
        (lambda: token_ids(torch.zeros(2, 0, dtype=torch.long)), ValueError, r"shape \(B, T\) with B and T at least 1"),
        (lambda: token_ids(torch.tensor([[5]])), ValueError, r"`ids` must be in 0\.\.4, got values from 5 to 5"),
        (lambda: token_ids(torch.zeros(2, 3, device="meta").long()), ValueError, "of the parameters, cpu, got meta"),
        (lambda: vectors(torch.zeros(2, 4)), ValueError, r"`x` must have shape \(\.\.\., 3\), got \(2, 4\)"),
        (
            lambda: vectors(torch.zeros(3).double()),
            TypeError,
            "of torch.float32, as the weights are, got torch.float64",
        ),
        (lambda: vectors(torch.zeros(3, device="meta")), ValueError, "`x` must be on the device of the parameters"),
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
