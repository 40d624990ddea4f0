"""Batches of a long text and of examples: as a function of the step, from memory and from disk."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from lmcourse.training import example_batches, token_batches


def test_token_batches_in_order_by_hand():
    # 13 tokens have 12 positions with a next one; two rows start at 0 and 6, four tokens a step, and go round
    batch = token_batches(torch.arange(100, 113), batch_size=2, length=4)
    inputs, targets = batch(1)
    assert (inputs - 100).tolist() == [[0, 1, 2, 3], [6, 7, 8, 9]]
    assert torch.equal(targets, inputs + 1)
    assert (batch(2)[0] - 100).tolist() == [[4, 5, 6, 7], [10, 11, 0, 1]]
    assert (batch(2)[1] - 100).tolist() == [[5, 6, 7, 8], [11, 12, 1, 2]]
    seen = torch.cat([batch(step)[0].flatten() for step in (1, 2, 3)])
    assert sorted((seen - 100).tolist()) == sorted([*range(12), *range(12)])  # 24 tokens are two rounds


def test_token_batches_at_random():
    batch = token_batches(torch.arange(50), 7, 5, shuffle=True, generator=torch.Generator().manual_seed(1))
    again = token_batches(torch.arange(50), 7, 5, shuffle=True, generator=torch.Generator().manual_seed(1))
    other = token_batches(torch.arange(50), 7, 5, shuffle=True, generator=torch.Generator().manual_seed(2))
    again(3)
    inputs, targets = batch(9)
    assert torch.equal(inputs, again(9)[0])  # a function of the step, not of what was asked before
    assert not torch.equal(inputs, other(9)[0])
    assert not torch.equal(inputs, batch(10)[0])
    assert torch.equal(targets, inputs + 1)
    firsts = {int(batch(step)[0][row, 0]) for step in range(1, 200) for row in range(7)}
    assert firsts == set(range(45))  # every window that has a next token, the last one too


@pytest.mark.parametrize("dtype", [np.uint16, np.int32, np.uint8])
@pytest.mark.parametrize("shuffle", [False, True])
def test_ids_of_any_integer_dtype_in_a_tensor_an_array_or_a_file_give_the_same_batches(tmp_path, dtype, shuffle):
    numbers = np.arange(101, dtype=dtype)
    numbers.tofile(tmp_path / "ids")
    kind = torch.from_numpy(numbers).dtype
    held = [
        torch.arange(101), numbers, list(range(101)), np.memmap(tmp_path / "ids", dtype, mode="r"),
        torch.from_file(str(tmp_path / "ids"), size=101, dtype=kind),
    ]  # fmt: skip
    found = [token_batches(ids, 3, 7, shuffle=shuffle, generator=torch.Generator().manual_seed(0))(5) for ids in held]
    for inputs, targets in found:
        assert inputs.dtype == targets.dtype == torch.int64
        assert torch.equal(inputs, found[0][0])
        assert torch.equal(targets, found[0][1])


PEAK = """
import resource, sys
import numpy as np, torch
from lmcourse.training import token_batches
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
n = 60_000_000
if sys.argv[2] == "numpy":
    ids = np.memmap(sys.argv[1], np.uint16, mode="r")
else:
    ids = torch.from_file(sys.argv[1], size=n, dtype=torch.uint16)
token_batches(torch.arange(99), 16, 64, shuffle=True)(1)  # what torch loads at its first use
before = peak()
batch = token_batches(ids, 16, 64, shuffle=True, generator=torch.Generator().manual_seed(0))
total = sum(int(batch(step)[0].sum()) for step in range(1, 21))
print(peak() - before, total)
"""


@pytest.mark.parametrize("kind", ["numpy", pytest.param("torch", marks=pytest.mark.slow)])
def test_a_memory_map_stays_on_disk(tmp_path, kind):
    """120 MB of ids: 20 batches of 1,024 tokens need a few MB, not the 480 MB of the whole as int64."""
    with (tmp_path / "ids").open("wb") as file:
        file.truncate(120_000_000)
    command = [sys.executable, "-c", PEAK, str(tmp_path / "ids"), kind]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    megabytes, total = done.stdout.split()
    assert float(megabytes) < 40.0
    assert total == "0"


def test_ids_that_are_not_integers():
    for ids in (torch.zeros(5), np.zeros(5), [0.5, 1.5]):
        with pytest.raises(TypeError, match=r"`ids` must be integers, got .*float"):
            token_batches(ids, 1, 1)


def test_example_batches_give_each_example_once_an_epoch():
    x, y = torch.arange(11), torch.arange(11) * 2
    batch = example_batches((x, y), 3, generator=torch.Generator().manual_seed(0))
    epochs = [torch.cat([batch(3 * epoch + i)[0] for i in (1, 2, 3)]).tolist() for epoch in range(3)]
    assert all(len(set(epoch)) == 9 for epoch in epochs)
    assert epochs[0] != epochs[1]
    assert {example for epoch in epochs for example in epoch} == set(range(11))  # those left over have their turn
    again = example_batches((x, y), 3, generator=torch.Generator().manual_seed(0))
    assert torch.equal(again(8)[1], batch(8)[0] * 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: token_batches(torch.arange(5), 2, 5), "at least 6 tokens for batch_size=2, length=5"),
        (lambda: token_batches(torch.arange(5), 5, 2), "at least 6 tokens"),
        (
            lambda: token_batches(torch.zeros(5, 5, dtype=torch.int), 1, 1),
            r"`ids` must have shape \(N,\), got \(5, 5\)",
        ),
        (lambda: token_batches(torch.arange(5), 0, 1), "`batch_size` must be at least 1, got batch_size=0"),
        (lambda: token_batches(torch.arange(5), 1, 0), "`length` must be at least 1, got length=0"),
        (lambda: example_batches((), 1), "must be tensors of one first dimension, got"),
        (lambda: example_batches((torch.zeros(3), torch.zeros(4)), 1), r"got \[3, 4\]"),
        (lambda: example_batches((torch.zeros(3),), 4), "1..N with N=3 examples, got batch_size=4"),
    ],
)
def test_bad_batches(call, message):
    with pytest.raises(ValueError, match=message):
        call()
