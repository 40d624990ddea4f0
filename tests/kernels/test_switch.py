"""The switch between fast twins and plain code, and that each twin is what it is switched for."""

import threading

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from lmcourse import kernels
from lmcourse.kernels.switch import enabled_eagerly
from lmcourse.layers import attention


def test_plain_is_on_inside_and_ends_after_an_error():
    assert kernels.enabled()
    with kernels.plain():
        assert not kernels.enabled()
        with kernels.plain():
            assert not kernels.enabled()
        assert not kernels.enabled()
    with pytest.raises(KeyError), kernels.plain():
        raise KeyError
    assert kernels.enabled()


def test_threads_that_overlap_leave_it_as_it_was():
    entered, may_leave = threading.Barrier(3), [threading.Event(), threading.Event()]

    def work(i):
        with kernels.plain():
            entered.wait(10)
            may_leave[i].wait(10)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    entered.wait(10)
    may_leave[0].set()  # the first to come in goes first
    threads[0].join(10)
    assert not kernels.enabled()
    may_leave[1].set()
    threads[1].join(10)
    assert kernels.enabled()


def test_attention_takes_the_fast_twin_outside_of_plain_only(monkeypatch):
    called = []
    fused = attention.fused_attention
    monkeypatch.setattr(attention, "fused_attention", lambda *a, **o: (called.append(1), fused(*a, **o))[1])
    x = torch.randn(2, 3, 5, 7)
    fast = attention.scaled_dot_product_attention(x, x, x, causal=True)
    assert called == [1]
    with kernels.plain():
        plain = attention.scaled_dot_product_attention(x, x, x, causal=True)
    assert called == [1]
    torch.testing.assert_close(fast, plain)


def test_what_torch_only_traces_is_left_to_plain_code():
    x = torch.ones(2)
    assert enabled_eagerly(x)
    assert not enabled_eagerly(x, x.to("meta"))
    with FakeTensorMode():
        assert not enabled_eagerly(torch.ones(2))
    seen = []
    torch.func.grad(lambda y: (seen.append(enabled_eagerly(y)), y.sum())[1])(x)
    assert seen == [False]
    torch.compile(lambda y: (seen.append(enabled_eagerly(y)), y)[1], backend="eager")(x)
    assert seen == [False, False]


def test_compiled_code_follows_the_switch():
    @torch.compile(fullgraph=True, backend="eager")
    def choose(x):
        return x + 1 if kernels.enabled() else x - 1

    x = torch.zeros(2)
    assert choose(x).tolist() == [1, 1]
    with kernels.plain():
        assert choose(x).tolist() == [-1, -1]
    assert choose(x).tolist() == [1, 1]
