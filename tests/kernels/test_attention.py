"""Fused attention beside the plain one: outputs and gradients, odd sizes, masks, every dtype."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse.kernels import attention as module
from lmcourse.kernels.attention import fused_attention
from lmcourse.layers import ALiBi, attention_weights, naive_attention, scaled_dot_product_attention

TOLERANCES = {
    torch.float64: (1e-13, 1e-12),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (0.01, 0.03),
    torch.bfloat16: (0.05, 0.15),
}


def run(function, tensors, **options):
    leaves = [tensor.detach().clone().requires_grad_() for tensor in tensors]
    output = function(*leaves, **options)
    mix = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view_as(output)
    return output.detach(), torch.autograd.grad((output.sin() * mix).sum(), leaves)


def assert_equal(tensors, **options):
    dtype = tensors[0].dtype
    atol, grad_atol = TOLERANCES[dtype]
    got, grads = run(fused_attention, tensors, **options)
    exact = [tensor.double() for tensor in tensors]  # the plain one, in all its digits
    if options.get("bias") is not None:
        options["bias"] = options["bias"].double()
    want, wanted = run(naive_attention, exact, **options)
    assert got.dtype == dtype
    torch.testing.assert_close(got.double(), want, atol=atol, rtol=0)
    for grad, right in zip(grads, wanted, strict=True):
        torch.testing.assert_close(grad.double(), right, atol=grad_atol, rtol=0)


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_the_twins_are_equal(data):
    draw = data.draw
    B, G, times = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    T, S, K, Kv = draw(st.integers(1, 7)), draw(st.integers(1, 9)), draw(st.integers(1, 11)), draw(st.integers(1, 5))
    H, dtype = G * times, draw(st.sampled_from(list(TOLERANCES)))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 999)))
    tensors = [
        torch.randn(shape, generator=generator).to(dtype) for shape in ((B, H, T, K), (B, G, S, K), (B, G, S, Kv))
    ]
    mask = None
    if draw(st.booleans()):
        shape = [(B, H, T, S), (B, 1, 1, S), (H, T, S), (T, S), (1, S), (S,)][draw(st.integers(0, 5))]
        mask = torch.rand(shape, generator=generator) < draw(st.sampled_from([0.0, 0.3, 0.8]))
    bias = torch.randn(H, T, S, generator=generator).to(dtype) if draw(st.booleans()) else None
    assert_equal(
        tensors,
        attention_mask=mask,
        causal=draw(st.booleans()),
        scale=draw(st.sampled_from([None, 0.0, -0.7, 0.3])),
        bias=bias,
    )


@pytest.mark.parametrize("scale", [0.0, -1.0])
@pytest.mark.parametrize("dtype", TOLERANCES)
def test_causal_with_a_scale_of_zero_or_less(scale, dtype):
    """torch's kernels give NaN here: they multiply the -inf of their causal mask by the scale."""
    x = torch.randn(2, 3, 5, 7).to(dtype)
    output = fused_attention(x, x, x, causal=True, scale=scale)
    assert output.isfinite().all()
    if scale == 0.0:  # all scores are equal: the mean of the values so far
        means = x.double().cumsum(2) / torch.arange(1, 6)[:, None]
        torch.testing.assert_close(output.double(), means, atol=TOLERANCES[dtype][0], rtol=0)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("length", [29, 531])
def test_bfloat16_in_steps_and_by_torch(causal, length, monkeypatch):
    """Below and above the size up to which the table of weights is kept."""
    calls = []
    steps = module._attention_in_steps
    monkeypatch.setattr(module, "_attention_in_steps", lambda *a: (calls.append(1), steps(*a))[1])
    tensors = [torch.randn(1, 2, length, 8, generator=torch.Generator().manual_seed(i)).bfloat16() for i in range(3)]
    got = fused_attention(*tensors, causal=causal)
    assert bool(calls) == (length == 29)
    want = naive_attention(*[tensor.double() for tensor in tensors], causal=causal)
    torch.testing.assert_close(got.double(), want, atol=0.03, rtol=0)


def test_dropout_zeroes_weights_and_scales_the_rest():
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.bfloat16):
        query, key = torch.zeros(1, 1, 400, 4, dtype=dtype), torch.zeros(1, 1, 2, 4, dtype=dtype)
        value = torch.tensor([[[[1.0, 0.0], [0.0, 1.0]]]], dtype=dtype)
        output = fused_attention(query, key, value, dropout_p=0.5)[0, 0]  # weights 1/2 each, kept ones 1
        assert set(output.flatten().tolist()) == {0.0, 1.0}
        assert 0.4 < float(output.float().mean()) < 0.6


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("other", TOLERANCES)
@pytest.mark.parametrize("attend", [naive_attention, scaled_dot_product_attention])
def test_a_bias_of_another_dtype_is_refused_by_both(attend, dtype, other):
    x, bias = torch.randn(2, 3, 5, 7).to(dtype), torch.randn(3, 5, 5).to(other)
    if dtype == other:
        assert attend(x, x, x, bias=bias).dtype == dtype
        return
    with pytest.raises(TypeError, match=f"`query`, `bias` must have the same dtype, got query {dtype}, bias {other}"):
        attend(x, x, x, bias=bias)


def test_under_autocast_a_bias_in_float32_fits_queries_in_bfloat16():
    x, bias = torch.randn(2, 3, 5, 7).bfloat16(), torch.randn(3, 5, 5)
    want = naive_attention(*[x.double()] * 3, bias=bias.double())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for attend in (naive_attention, scaled_dot_product_attention):
            torch.testing.assert_close(attend(x, x, x, bias=bias).double(), want, atol=0.05, rtol=0)


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_with_alibi(dtype):
    tensors = [torch.randn(2, 3, 5, 7, generator=torch.Generator().manual_seed(i)).to(dtype) for i in range(3)]
    bias = ALiBi(3)(*tensors[:2])
    assert bias.dtype == dtype
    assert_equal(tensors, causal=True, bias=bias)
    weights = attention_weights(*[tensor.double() for tensor in tensors[:2]], causal=True, bias=bias.double())
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 5, dtype=torch.float64))
