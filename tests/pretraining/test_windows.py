"""Windows of a text: each is read once an epoch, and by one process."""

from collections import Counter

import numpy as np
import pytest
import torch

from lmcourse.pretraining import TokenShards, window_batches
from lmcourse.pretraining.windows import prefetched, shuffled


class Numbers(TokenShards):
    """A text whose tokens are their own positions."""

    def __init__(self, n):
        self._shards, self._ends = [np.arange(n, dtype=np.int64)], np.array([0, n])


@pytest.mark.parametrize("n", [1, 2, 3, 5, 16, 17, 100, 1009])
def test_an_order_has_every_number_once(n):
    orders = [[shuffled(i, n, seed) for i in range(n)] for seed in range(3)]
    assert all(sorted(order) == list(range(n)) for order in orders)
    if n > 16:
        assert orders[0] != orders[1] != orders[2]


def test_an_order_looks_random():
    n = 1009
    places = np.array([[shuffled(i, n, seed) for i in range(n)] for seed in range(40)])
    steps = np.diff(places, axis=1)
    assert abs(np.corrcoef(np.arange(n), places.mean(0))[0, 1]) < 0.1
    assert len(np.unique(steps[0])) > 500  # not the same step again and again
    first = Counter((places[:, 0] * 4 // n).tolist())
    assert all(count > 3 for count in first.values())
    assert len(first) == 4


@pytest.mark.parametrize("world_size", [1, 2, 3])
def test_an_epoch_reads_each_window_once_without_overlap(world_size):
    T, B, n = 7, 6, 7 * 30 + 5
    batches = [window_batches(Numbers(n), B, T, rank=rank, world_size=world_size) for rank in range(world_size)]
    read = []
    for number in range(1, 6):  # 30 windows are 5 batches
        for batch in batches:
            inputs, targets = batch(number)
            assert inputs.shape == targets.shape == (B // world_size, T)
            assert inputs.dtype == torch.int64
            assert torch.equal(targets, inputs + 1)
            read += inputs.flatten().tolist()
    assert max(Counter(read).values()) == 1
    assert len(read) == 30 * 7


def test_processes_read_together_what_one_would():
    for number in (1, 4, 9):
        whole = window_batches(Numbers(500), 12, 5, seed=3)(number)
        parts = [window_batches(Numbers(500), 12, 5, seed=3, rank=r, world_size=4)(number) for r in range(4)]
        for one, several in zip(whole, zip(*parts, strict=True), strict=True):
            assert torch.equal(one, torch.cat(several))


def test_epochs_differ_in_order_and_cuts():
    batch = window_batches(Numbers(7 * 10 + 5), 10, 7)
    first, second = (batch(number)[0][:, 0] for number in (1, 2))
    assert first.tolist() != second.tolist()
    assert len({int(start) % 7 for start in torch.cat([batch(n)[0][:, 0] for n in range(1, 9)])}) > 1


def test_too_little_text_and_bad_numbers_are_refused():
    with pytest.raises(ValueError, match="must hold at least 43 tokens for batch_size=6, length=7, got 42"):
        window_batches(Numbers(42), 6, 7)
    assert window_batches(Numbers(43), 6, 7)(1)[0].shape == (6, 7)
    with pytest.raises(ValueError, match="`world_size` must divide `batch_size`"):
        window_batches(Numbers(100), 5, 7, world_size=2)
    with pytest.raises(ValueError, match="`rank` must be"):
        window_batches(Numbers(100), 4, 7, rank=2, world_size=2)
    with pytest.raises(TypeError, match="`tokens` must be of type TokenShards"):
        window_batches([1, 2], 4, 7)


def test_the_next_batch_is_read_ahead_and_another_one_is_what_was_asked_for():
    plain, asked = window_batches(Numbers(100), 4, 5), []
    ahead = prefetched(lambda number: (asked.append(number), plain(number))[1])
    for number in (1, 2, 3, 9, 2):  # a resumed training begins anywhere
        assert all(torch.equal(a, b) for a, b in zip(ahead(number), plain(number), strict=True))
    assert asked[:6] == [1, 2, 3, 4, 9, 10]
    with pytest.raises(ZeroDivisionError):
        prefetched(lambda number: 1 // 0)(1)
