"""Attention against torch's own modules, its readable twin, the formula by hand, and bad input."""

import contextlib
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmcourse import kernels
from lmcourse.layers.attention import (
    KVCache,
    MultiHeadAttention,
    attention_weights,
    causal_mask,
    naive_attention,
    padding_mask,
    scaled_dot_product_attention,
)
from lmcourse.layers.masks import masked_softmax
from lmcourse.layers.positions import ALiBi, RotaryPositionalEmbedding

B, H, T, S, K, V = 2, 3, 5, 7, 11, 13  # every size another prime
D = H * K
TOLERANCES = {torch.float64: 1e-12, torch.float32: 2e-5, torch.bfloat16: 3e-2}


def draw(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def run(function, *tensors, **options):
    """Return the output and the gradient of every tensor, for a loss that uses each output differently."""
    leaves = [tensor.detach().clone().requires_grad_() for tensor in tensors]
    output = function(*leaves, **options)
    mix = torch.linspace(-1, 1, output.numel(), dtype=output.dtype, device=output.device).view_as(output)
    return output.detach(), torch.autograd.grad((output.sin() * mix).sum(), leaves)


def masks(T=T, S=S):
    """One of each kind that is allowed, one with rows that keep nothing."""
    keep = torch.rand(B, H, T, S, generator=torch.Generator().manual_seed(1)) < 0.6
    keep[0, 1, 2] = False
    keep[1, :, 4] = False
    return {
        "none": None,
        "causal": causal_mask(T, S),
        "padding": padding_mask(torch.tensor([3, S]), S)[:, None, None, :],
        "empty rows": keep,
        "nothing": torch.zeros(B, 1, 1, S, dtype=torch.bool),
        "3 dimensions": keep[0],
    }


# --- the function -----------------------------------------------------------------------------------------------


def test_masked_softmax_by_hand():
    # exp(ln 3) = 3, exp(0) = 1, the third is masked: 3/4, 1/4, 0
    scores = torch.tensor([[0.0, 0.0, 5.0], [0.0, 0.0, 0.0]])
    scores[0, 0] = torch.tensor(3.0).log()
    mask = torch.tensor([[True, True, False], [False, False, False]])
    torch.testing.assert_close(masked_softmax(scores, mask), torch.tensor([[0.75, 0.25, 0.0], [0.0, 0.0, 0.0]]))
    assert torch.equal(masked_softmax(scores[:1], mask[:1], False), masked_softmax(scores[:1], mask[:1]))
    assert torch.equal(masked_softmax(scores, None), scores.softmax(-1))


@pytest.mark.parametrize(
    ("scores", "mask", "error", "message"),
    [
        (3, None, TypeError, "`scores` must be a floating-point tensor, got int"),
        (torch.zeros(2, 3), torch.zeros(2, 3), TypeError, "`mask` must be a bool tensor"),
        (torch.zeros(2, 3), torch.ones(2, 2).bool(), ValueError, r"`mask` must be broadcastable to \(2, 3\), got"),
        (torch.zeros(2, 3), torch.ones(1, 2, 3).bool(), ValueError, "`mask` must be broadcastable to"),
        (torch.zeros(2, 3), torch.ones(2, 3, device="meta").bool(), ValueError, "`mask` must be on cpu, got meta"),
    ],
)
def test_masked_softmax_refuses(scores, mask, error, message):
    with pytest.raises(error, match=message):
        masked_softmax(scores, mask)


@pytest.mark.parametrize(("length", "keys"), [(T, T), (T, S), (S, T)])
def test_the_weights_of_the_naive_twin_are_exactly_0_where_masked(length, keys):
    query, key = 100 * draw(B, H, length, K), 100 * draw(B, H, keys, K, seed=1)
    weights = naive_attention(query, key, None, causal=True)
    assert torch.equal(weights, attention_weights(query, key, causal=True))
    assert (weights[..., ~causal_mask(length, keys)] == 0).all()
    torch.testing.assert_close(weights.sum(-1), causal_mask(length, keys).any(-1).double().expand(B, H, length))


def test_by_hand():
    # q = (1, 0), keys (2, 0) and (0, 2), scale 1/2: scores 1 and 0, weights e/(e+1) = .7311 and .2689
    query = torch.tensor([[[[1.0, 0.0]]]])
    key = torch.tensor([[[[2.0, 0.0], [0.0, 2.0]]]])
    value = torch.tensor([[[[10.0], [20.0]]]])
    weights = attention_weights(query, key, scale=0.5)
    torch.testing.assert_close(weights, torch.tensor([[[[0.731059, 0.268941]]]]), atol=1e-6, rtol=0)
    expected = torch.tensor([[[[10 * 0.731059 + 20 * 0.268941]]]])
    for function in (scaled_dot_product_attention, naive_attention):
        torch.testing.assert_close(function(query, key, value, scale=0.5), expected, atol=1e-4, rtol=0)


def test_the_default_scale_is_one_over_the_root_of_the_width():
    query, key = draw(B, H, T, K), draw(B, H, S, K, seed=1)
    torch.testing.assert_close(attention_weights(query, key), attention_weights(query, key, scale=K**-0.5))
    assert not torch.allclose(attention_weights(query, key), attention_weights(query, key, scale=1.0))


@pytest.mark.parametrize("name", masks())
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("groups", [1, H])
def test_fused_equals_readable_with_all_gradients(name, causal, groups):
    keep = masks()[name]
    tensors = draw(B, H, T, K), draw(B, groups, S, K, seed=1), draw(B, groups, S, V, seed=2)
    fused, grads = run(scaled_dot_product_attention, *tensors, attention_mask=keep, causal=causal)
    readable, wanted = run(naive_attention, *tensors, attention_mask=keep, causal=causal)
    assert fused.shape == (B, H, T, V)
    torch.testing.assert_close(fused, readable, rtol=0, atol=1e-13)
    for got, want in zip(grads, wanted, strict=True):
        torch.testing.assert_close(got, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("function", [scaled_dot_product_attention, naive_attention])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_a_query_with_nothing_to_attend_to_gets_zeros_and_zero_gradients(function, dtype):
    keep = masks()["empty rows"]
    empty = ~keep.any(-1)  # (B, H, T)
    assert int(empty.sum()) == 1 + H
    tensors = [draw(B, H, T, K).to(dtype), draw(B, H, S, K, seed=1).to(dtype), draw(B, H, S, K, seed=2).to(dtype)]
    output, grads = run(function, *tensors, attention_mask=keep)
    assert (output[empty] == 0).all()
    assert (output[~empty] != 0).any(-1).all()
    assert all(torch.isfinite(grad).all() for grad in grads)
    assert (grads[0][empty] == 0).all()
    _, (_, key_grad, value_grad) = run(function, *tensors, attention_mask=torch.zeros(T, S, dtype=torch.bool))
    assert (key_grad == 0).all()
    assert (value_grad == 0).all()
    weights = attention_weights(tensors[0], tensors[1], keep)
    assert (weights[empty] == 0).all()
    ones = weights.float().sum(-1)[~empty]
    torch.testing.assert_close(ones, torch.ones_like(ones), atol=1e-2, rtol=0)


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
@pytest.mark.parametrize("function", [scaled_dot_product_attention, naive_attention])
def test_no_nan_arises_on_the_way_either(function):
    tensors = draw(B, H, T, K), draw(B, H, S, K, seed=1), draw(B, H, S, K, seed=2)
    with torch.autograd.detect_anomaly():
        run(function, *tensors, attention_mask=masks()["empty rows"])


@pytest.mark.parametrize("function", [scaled_dot_product_attention, naive_attention])
def test_a_scale_of_zero_gives_the_mean_of_what_is_seen(function):
    """0 times the minus infinity of a masked score would be NaN."""
    query, key, value = draw(B, H, T, K), draw(B, H, T, K, seed=1), draw(B, H, T, K, seed=2)
    means = value.cumsum(2) / torch.arange(1, T + 1).view(T, 1)
    torch.testing.assert_close(function(query, key, value, causal=True, scale=0.0), means, atol=1e-12, rtol=0)
    weights = attention_weights(query, key, causal=True, scale=0.0)
    assert weights[0, 0, 1, :3].tolist() == [0.5, 0.5, 0.0]


def test_no_keys_at_all_give_zeros():
    query, none = draw(B, H, T, K), draw(B, H, 0, K)
    for function in (scaled_dot_product_attention, naive_attention):
        for causal in (False, True):
            output = function(query, none, none, causal=causal)
            assert output.shape == (B, H, T, K)
            assert (output == 0).all()


@pytest.mark.parametrize("function", [scaled_dot_product_attention, naive_attention])
@pytest.mark.parametrize("keys", [T - 2, T, S])
def test_causal_is_aligned_at_the_bottom_right(function, keys):
    query, key, value = draw(B, H, T, K), draw(B, H, keys, K, seed=1), draw(B, H, keys, K, seed=2)
    output = function(query, key, value, causal=True)
    for t in range(T):
        seen = max(0, t + 1 + keys - T)
        alone = naive_attention(query[:, :, t : t + 1], key[:, :, :seen], value[:, :, :seen])
        torch.testing.assert_close(output[:, :, t : t + 1], alone, rtol=0, atol=1e-13)


def test_scores_far_beyond_the_range_of_exp_stay_finite():
    query, key, value = 1e4 * draw(B, H, T, K), 1e4 * draw(B, H, S, K, seed=1), draw(B, H, S, K, seed=2)
    keep = masks()["empty rows"]
    fused, readable = scaled_dot_product_attention(query, key, value, keep), naive_attention(query, key, value, keep)
    assert torch.isfinite(fused).all()
    torch.testing.assert_close(fused, readable)


def test_grouped_heads_equal_repeated_ones():
    query, key, value = draw(B, 6, T, K), draw(B, 2, S, K, seed=1), draw(B, 2, S, K, seed=2)
    repeated = [torch.stack([shared[:, h // 3] for h in range(6)], dim=1) for shared in (key, value)]
    for function in (scaled_dot_product_attention, naive_attention):
        torch.testing.assert_close(function(query, key, value), function(query, *repeated), rtol=0, atol=1e-14)


def test_inputs_and_masks_are_left_alone():
    tensors = [draw(B, H, T, K), draw(B, H, S, K, seed=1), draw(B, H, S, K, seed=2), masks()["empty rows"]]
    before = [tensor.clone() for tensor in tensors]
    scaled_dot_product_attention(*tensors)
    naive_attention(*tensors)
    assert all(torch.equal(old, new) for old, new in zip(before, tensors, strict=True))


def test_dropout_keeps_the_mean():
    query, key = draw(1, 1, 1, K), draw(1, 1, 64, K, seed=1)
    value = torch.ones(1, 1, 64, 1, dtype=torch.float64)
    for function in (scaled_dot_product_attention, naive_attention):
        torch.manual_seed(0)
        draws = torch.stack([function(query, key, value, dropout_p=0.25) for _ in range(400)])
        assert 0.9 < float(draws.mean()) < 1.1
        assert float(draws.std()) > 0.02


# --- masks ------------------------------------------------------------------------------------------------------


def test_masks_by_hand():
    assert causal_mask(3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert causal_mask(2, 4).int().tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert causal_mask(3, 1).int().tolist() == [[0], [0], [1]]
    assert causal_mask(0, 3).shape == (0, 3)
    assert padding_mask(torch.tensor([2, 0, 3])).int().tolist() == [[1, 1, 0], [0, 0, 0], [1, 1, 1]]
    assert padding_mask(torch.tensor([1]), 4).int().tolist() == [[1, 0, 0, 0]]


@pytest.mark.parametrize(
    ("lengths", "options", "error", "message"),
    [
        (torch.tensor([1.0]), {}, TypeError, "whole numbers, got a tensor of torch.float32"),
        (torch.tensor([[1]]), {}, ValueError, r"shape \(B,\), got \(1, 1\)"),
        (torch.tensor([3, 5]), {"max_length": 4}, ValueError, r"`lengths` must be in 0\.\.4, got values from 3 to 5"),
        (torch.tensor([-1, 5]), {}, ValueError, r"`lengths` must be in 0\.\.5, got values from -1 to 5"),
    ],
)
def test_bad_lengths(lengths, options, error, message):
    with pytest.raises(error, match=message):
        padding_mask(lengths, **options)


def test_bad_causal_mask():
    with pytest.raises(ValueError, match="`T` must be at least 0, got T=-1"):
        causal_mask(-1)


# --- many heads -------------------------------------------------------------------------------------------------


def twins(bias=True, dropout=0.0, num_kv_heads=None):
    """Return torch's module and ours with the same weights."""
    torch.manual_seed(3)
    theirs = nn.MultiheadAttention(D, H, dropout=dropout, bias=bias, batch_first=True, dtype=torch.float64)
    ours = MultiHeadAttention(D, H, bias=bias, dropout=dropout, dtype=torch.float64)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.normal_(std=0.3)
        for i, part in enumerate((ours.q_proj, ours.k_proj, ours.v_proj)):
            part.weight.copy_(theirs.in_proj_weight[i * D : (i + 1) * D])
            if bias:
                part.bias.copy_(theirs.in_proj_bias[i * D : (i + 1) * D])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())
    return theirs, ours


def packed_grads(module):
    """Return the gradients of our parameters as torch packs them."""
    grads = {}
    for kind in ("weight", "bias"):
        if getattr(module.q_proj, kind) is not None:
            parts = [getattr(part, kind).grad for part in (module.q_proj, module.k_proj, module.v_proj)]
            grads[f"in_proj_{kind}"] = torch.cat(parts)
            grads[f"out_proj.{kind}"] = getattr(module.out_proj, kind).grad
    return grads


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("mask", ["none", "causal", "padding", "both"])
@pytest.mark.parametrize("return_weights", [False, True])
def test_outputs_weights_and_gradients_equal_torch(bias, cross, mask, return_weights):
    theirs, ours = twins(bias)
    x, memory = draw(B, T, D), draw(B, S, D, seed=1)
    length = S if cross else T
    lengths = torch.tensor([length - 2, length])
    keep_pad = padding_mask(lengths, length) if mask in ("padding", "both") else None
    keep_causal = causal_mask(T, length) if mask in ("causal", "both") else None
    results = []
    for module in (theirs, ours):
        one, two = x.clone().requires_grad_(), memory.clone().requires_grad_()
        source = two if cross else one
        if module is theirs:
            output, weights = module(
                one,
                source,
                source,
                key_padding_mask=None if keep_pad is None else ~keep_pad,
                attn_mask=None if keep_causal is None else ~keep_causal,
                average_attn_weights=False,
            )
        else:
            keep = None if keep_pad is None else keep_pad[:, None, None, :]
            if keep_causal is not None and cross:
                keep = keep_causal if keep is None else keep & keep_causal
            output = module(
                one,
                two if cross else None,
                keep,
                causal=keep_causal is not None and not cross,
                return_weights=return_weights,
            )
            if return_weights:
                output, weights = output
        mix = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view_as(output)
        (output.sin() * mix).sum().backward()
        grads = {name: p.grad for name, p in module.named_parameters()} if module is theirs else packed_grads(module)
        results.append((output.detach(), weights.detach(), one.grad, two.grad if cross else one.grad, grads))
    (their_out, their_weights, *their_inputs, their_grads), (out, weights, *inputs, grads) = results
    torch.testing.assert_close(out, their_out, rtol=0, atol=1e-12)
    if return_weights:
        assert weights.shape == (B, H, T, length)
        torch.testing.assert_close(weights, their_weights, rtol=0, atol=1e-12)
    for got, want in zip(inputs, their_inputs, strict=True):
        torch.testing.assert_close(got, want, rtol=0, atol=1e-12)
    assert grads.keys() == their_grads.keys()
    for name, want in their_grads.items():
        torch.testing.assert_close(grads[name], want, rtol=0, atol=1e-11, msg=lambda m, name=name: f"{name}: {m}")


def test_grouped_queries_equal_a_layer_with_repeated_heads():
    torch.manual_seed(0)
    grouped = MultiHeadAttention(6 * K, 6, num_kv_heads=2, dtype=torch.float64)
    full = MultiHeadAttention(6 * K, 6, dtype=torch.float64)
    with torch.no_grad():
        for name in ("q_proj", "out_proj"):
            getattr(full, name).load_state_dict(getattr(grouped, name).state_dict())
        for name in ("k_proj", "v_proj"):
            shared, own = getattr(grouped, name), getattr(full, name)
            own.weight.copy_(shared.weight.view(2, K, -1).repeat_interleave(3, dim=0).flatten(0, 1))
            own.bias.copy_(shared.bias.view(2, K).repeat_interleave(3, dim=0).flatten())
    x = draw(B, T, 6 * K)
    torch.testing.assert_close(grouped(x, causal=True), full(x, causal=True), rtol=0, atol=1e-13)
    assert sum(p.numel() for p in grouped.k_proj.parameters()) * 3 == sum(p.numel() for p in full.k_proj.parameters())


def test_rotary_positions_turn_queries_and_keys_but_not_values():
    torch.manual_seed(0)
    layer = MultiHeadAttention(24, 6, rotary=RotaryPositionalEmbedding(4), dtype=torch.float64)
    x = draw(B, T, 24)
    query, key, value = (
        part(x).view(B, T, 6, 4).transpose(1, 2) for part in (layer.q_proj, layer.k_proj, layer.v_proj)
    )
    context = naive_attention(layer.rotary(query), layer.rotary(key), value)
    want = layer.out_proj(context.transpose(1, 2).reshape(B, T, 24))
    torch.testing.assert_close(layer(x), want, rtol=0, atol=1e-13)


@pytest.mark.parametrize("rotary", [False, True])
def test_qk_norm_is_its_formula_with_all_gradients(rotary):
    K = 6  # rotary positions ask for an even one
    D, turn = H * K, RotaryPositionalEmbedding(K, base=100.0) if rotary else None
    torch.manual_seed(11)
    layer = MultiHeadAttention(D, H, num_kv_heads=1, rotary=turn, qk_norm=True, norm_eps=0.1, dtype=torch.float64)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.add_(torch.randn_like(parameter))
    x = torch.randn(B, T, D, dtype=torch.float64)

    def by_formula(x):
        def normed(projected, gain):  # the root mean square of a head is 1, then the gain
            return projected / (projected.pow(2).mean(-1, keepdim=True) + 0.1).sqrt() * gain

        query = normed(layer.q_proj(x).view(B, T, H, K), layer.q_norm.weight).transpose(1, 2)
        key = normed(layer.k_proj(x).view(B, T, 1, K), layer.k_norm.weight).transpose(1, 2)
        value = layer.v_proj(x).view(B, T, 1, K).transpose(1, 2)
        if turn is not None:
            query, key = turn(query), turn(key)
        scores = query @ key.transpose(-2, -1) / K**0.5  # the one key/value head is shared
        hidden = torch.ones(T, T, dtype=torch.bool).triu(1)
        context = scores.masked_fill(hidden, -torch.inf).softmax(-1) @ value
        return layer.out_proj(context.transpose(1, 2).reshape(B, T, D))

    parameters = list(layer.parameters())
    results = []
    for function in (lambda x: layer(x, causal=True), by_formula):
        output = function(x)
        results.append((output.detach(), torch.autograd.grad(output.sin().sum(), parameters)))
    torch.testing.assert_close(results[0][0], results[1][0])
    for got, want in zip(results[0][1], results[1][1], strict=True):
        torch.testing.assert_close(got, want)
    torch.testing.assert_close(layer(50 * x).norm(), layer(5000 * x).norm() / 100, rtol=1e-2, atol=0)


@pytest.mark.parametrize("causal", [False, True])
def test_bfloat16_with_gradients_is_near_float32(causal):
    generator = torch.Generator().manual_seed(12)
    exact = [torch.randn(B, H, T, K, generator=generator).requires_grad_() for _ in range(3)]
    coarse = [part.detach().bfloat16().requires_grad_() for part in exact]
    for parts in (exact, coarse):
        scaled_dot_product_attention(*parts, causal=causal).float().sin().sum().backward()
    torch.testing.assert_close(
        scaled_dot_product_attention(*coarse, causal=causal).float(),
        scaled_dot_product_attention(*exact, causal=causal),
        atol=0.03,
        rtol=0,
    )
    for got, want in zip(coarse, exact, strict=True):
        torch.testing.assert_close(got.grad.float(), want.grad, atol=0.05, rtol=0.05)


@pytest.mark.parametrize("rotary", [False, True])
def test_causal_no_output_changes_when_the_future_changes(rotary):
    torch.manual_seed(0)
    layer = MultiHeadAttention(6 * 4, 6, rotary=RotaryPositionalEmbedding(4) if rotary else None, dtype=torch.float64)
    x = draw(B, T, 24)
    for t in range(T - 1):
        other = x.clone()
        other[:, t + 1 :] = draw(B, T - t - 1, 24, seed=t + 5)
        before, after = layer(x, causal=True), layer(other, causal=True)
        assert torch.equal(before[:, : t + 1], after[:, : t + 1])
        assert not torch.allclose(before[:, t + 1 :], after[:, t + 1 :])


POSITIONS = {
    "none": {},
    "rotary": {"rotary": RotaryPositionalEmbedding(4)},
    "rotary, interleaved": {"rotary": RotaryPositionalEmbedding(4, interleaved=True)},
    "ALiBi": {"alibi": ALiBi(6)},
}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=5), st.sampled_from([1, 2, 6]), st.sampled_from(list(POSITIONS))
)
def test_cached_equals_uncached_over_random_splits(pieces, num_kv_heads, positions):
    torch.manual_seed(0)
    layer = MultiHeadAttention(24, 6, num_kv_heads=num_kv_heads, **POSITIONS[positions], dtype=torch.float64)
    x = draw(B, sum(pieces), 24)
    cache = layer.new_cache(B, sum(pieces))
    outputs = [layer(part, causal=True, cache=cache) for part in x.split(pieces, dim=1)]
    torch.testing.assert_close(torch.cat(outputs, dim=1), layer(x, causal=True), rtol=0, atol=1e-12)
    assert cache.length == sum(pieces)
    cache.reset()
    assert torch.equal(layer(x[:, : pieces[0]], causal=True, cache=cache), outputs[0])


def test_a_cache_of_the_memory_is_filled_once():
    torch.manual_seed(0)
    layer = MultiHeadAttention(D, H, dtype=torch.float64)
    x, memory = draw(B, T, D), draw(B, S, D, seed=1)
    keep = padding_mask(torch.tensor([4, S]))[:, None, None, :]
    cache = layer.new_cache(B, S)
    outputs = [layer(x[:, t : t + 1], memory, keep, cache=cache) for t in range(T)]
    torch.testing.assert_close(torch.cat(outputs, dim=1), layer(x, memory, keep), rtol=0, atol=1e-12)
    assert cache.length == S
    with pytest.raises(RuntimeError, match="S=6 tokens of `memory`, got 7"):
        layer(x, memory[:, 1:], cache=cache)


def test_reordered_cache_goes_on_from_the_chosen_rows():
    torch.manual_seed(0)
    layer = MultiHeadAttention(D, H, dtype=torch.float64)
    x, more, rows = draw(3, T, D), draw(3, 1, D, seed=1), torch.tensor([2, 0, 2])
    cache = layer.new_cache(3, T + 1)
    layer(x, causal=True, cache=cache)
    cache.reorder(rows)
    got = layer(more, causal=True, cache=cache)
    want = layer(torch.cat([x[rows], more], dim=1), causal=True)[:, -1:]
    torch.testing.assert_close(got, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_alibi_is_its_formula_with_all_gradients(causal):
    torch.manual_seed(0)
    layer = MultiHeadAttention(24, 6, num_kv_heads=2, alibi=ALiBi(6), dtype=torch.float64)
    x = draw(B, T, 24)

    def by_formula(x):
        query = layer.q_proj(x).view(B, T, 6, 4).transpose(1, 2)
        key, value = (
            p(x).view(B, T, 2, 4).transpose(1, 2).repeat_interleave(3, 1) for p in (layer.k_proj, layer.v_proj)
        )
        t = torch.arange(T)
        slopes = torch.tensor([2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]).double()
        scores = query @ key.transpose(-2, -1) / 2 - slopes[:, None, None] * (t[:, None] - t).abs()
        scores = scores.masked_fill(t[:, None] < t, -torch.inf) if causal else scores
        return layer.out_proj((scores.softmax(-1) @ value).transpose(1, 2).reshape(B, T, 24)), scores.softmax(-1)

    parameters, results = list(layer.parameters()), []
    for output, weights in (layer(x, causal=causal, return_weights=True), by_formula(x)):
        results.append([output.detach(), weights.detach(), *torch.autograd.grad(output.sin().sum(), parameters)])
    for got, want in zip(*results, strict=True):
        torch.testing.assert_close(got, want, rtol=0, atol=1e-12)


def test_dropout_in_training_only():
    torch.manual_seed(0)
    layer = MultiHeadAttention(D, H, dropout=0.5, dtype=torch.float64)
    x = draw(B, T, D)
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))


def test_autocast_runs_close_to_float32():
    torch.manual_seed(0)
    layer, x = MultiHeadAttention(D, H, rotary=None), draw(B, T, D).float()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = layer(x, causal=True)
        with_weights, _ = layer(x, causal=True, return_weights=True)
    exact = layer(x, causal=True)
    torch.testing.assert_close(outputs.float(), exact, atol=TOLERANCES[torch.bfloat16], rtol=0)
    torch.testing.assert_close(with_weights.float(), exact, atol=TOLERANCES[torch.bfloat16], rtol=0)


# --- bad input --------------------------------------------------------------------------------------------------

Q, KEY = torch.zeros(B, H, T, K), torch.zeros(B, H, S, K)


@pytest.mark.parametrize("function", [scaled_dot_product_attention, naive_attention])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"attention_mask": torch.ones(T, S)},
            TypeError,
            "`attention_mask` must be a bool tensor, got a tensor of torch.float32",
        ),
        ({"attention_mask": [[True]]}, TypeError, "`attention_mask` must be a bool tensor, got list"),
        (
            {"attention_mask": torch.ones(B, S, dtype=torch.bool)},
            ValueError,
            r"\(B, H, T, S\) = \(2, 3, 5, 7\), got \(2, 7\).*mask\[:, None, None, :\]",
        ),
        ({"attention_mask": torch.ones(S, T, dtype=torch.bool)}, ValueError, r"got \(7, 5\)"),
        ({"attention_mask": torch.ones(1, B, H, T, S, dtype=torch.bool)}, ValueError, r"got \(1, 2, 3, 5, 7\)"),
        ({"attention_mask": torch.ones(T, S, dtype=torch.bool, device="meta")}, ValueError, "got meta and cpu"),
        ({"query": Q.double()}, TypeError, "same dtype, got query torch.float64, key torch.float32"),
        ({"query": Q.to("meta")}, ValueError, "one device, got query meta, key cpu"),
        ({"query": Q.long()}, TypeError, "`query` must be a floating-point tensor, got a tensor of torch.int64"),
        ({"query": Q[0]}, ValueError, r"`query` must have 4 dimensions .*got \(3, 5, 11\)"),
        ({"key": KEY[..., 1:]}, ValueError, r"K=11, got query \(2, 3, 5, 11\), key \(2, 3, 7, 10\)"),
        (
            {"key": KEY[:, :2], "value": KEY[:, :2]},
            ValueError,
            r"heads that divides the query's, got .*key \(2, 2, 7, 11\)",
        ),
        ({"value": KEY[:, :, 1:]}, ValueError, r"key's B, G and S, got .*value \(2, 3, 6, 11\)"),
        ({"dropout_p": 1.5}, ValueError, "`dropout_p` must be at least 0 and at most 1, got dropout_p=1.5"),
        ({"dropout_p": float("nan")}, ValueError, "`dropout_p` must be finite, got dropout_p=nan"),
        ({"scale": float("inf")}, ValueError, "`scale` must be finite, got scale=inf"),
    ],
)
def test_bad_input(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(**{"query": Q, "key": KEY, "value": KEY, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"x": torch.zeros(B, T, D + 1)}, ValueError, r"`x` must have shape \(..., 33\), got \(2, 5, 34\)"),
        ({"x": torch.zeros(T, D)}, ValueError, r"`x` must have shape \(B, T, 33\), got \(5, 33\)"),
        (
            {"x": torch.zeros(B, T, D).long()},
            TypeError,
            "`x` must be a floating-point tensor, got a tensor of torch.int64",
        ),
        ({"x": torch.zeros(B, T, D).double()}, TypeError, "`x` must be a tensor of torch.float32, .*got torch.float64"),
        (
            {"x": torch.zeros(B, T, D, device="meta")},
            ValueError,
            "`x` must be on the device of the parameters, cpu, got meta",
        ),
        ({"memory": torch.zeros(B + 1, S, D)}, ValueError, r"`memory` must have shape \(2, S, 33\), got \(3, 7, 33\)"),
        ({"memory": torch.zeros(B, S, D), "causal": True}, ValueError, "`memory` must come without `causal`"),
        ({"cache": KVCache(B, H, T - 1, K)}, RuntimeError, "max_length=4, length=0, new tokens=5"),
        ({"cache": KVCache(B, H - 1, T, K)}, ValueError, r"\(B, G, K\) = \(2, 3, 11\), got one for \(2, 2, 11\)"),
        ({"cache": KVCache(B, H, T, K, dtype=torch.float64)}, TypeError, "got torch.float32, cache torch.float64"),
        ({"cache": KVCache(B, H, T, K, device="meta")}, ValueError, "cache's device, got cpu and meta"),
        ({"attention_mask": torch.ones(B, T, dtype=torch.bool)}, ValueError, r"= \(2, 3, 5, 5\), got \(2, 5\)"),
    ],
)
@pytest.mark.parametrize("return_weights", [False, True])
def test_bad_input_of_the_layer(arguments, error, message, return_weights):
    layer = MultiHeadAttention(D, H)
    with pytest.raises(error, match=message):
        layer(**{"x": torch.zeros(B, T, D), **arguments}, return_weights=return_weights)


def test_a_mask_that_is_refused_leaves_the_cache_as_it_was():
    layer, memory = MultiHeadAttention(D, H), torch.zeros(B, S, D)
    own, of_memory = KVCache(B, H, 2 * T, K), KVCache(B, H, S, K)
    x, mask = torch.zeros(B, T, D), torch.ones(T, 3, dtype=torch.bool)
    for _ in range(2):
        before = own.length
        with pytest.raises(ValueError, match=rf"`attention_mask` .* = \(2, 3, 5, {before + T}\), got \(5, 3\)"):
            layer(x, attention_mask=mask, cache=own)
        with pytest.raises(ValueError, match=r"`attention_mask` .* = \(2, 3, 5, 7\), got \(5, 3\)"):
            layer(x, memory, attention_mask=mask, cache=of_memory)
        assert own.length == before
        layer(x, cache=own)
        layer(x, memory, cache=of_memory)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_heads": 5}, "`num_heads` must divide `embed_dim`, got num_heads=5, embed_dim=33"),
        ({"num_kv_heads": 2}, "`num_kv_heads` must divide `num_heads`, got num_kv_heads=2, num_heads=3"),
        ({"num_heads": 0}, "`num_heads` must be at least 1, got num_heads=0"),
        ({"dropout": 1.0}, "`dropout` must be at least 0 and less than 1, got dropout=1"),
        ({"dropout": float("nan")}, "`dropout` must be finite, got dropout=nan"),
        ({"norm_eps": -1e-5}, "`norm_eps` must be at least 0 and less than 1, got norm_eps=-1e-05"),
        ({"norm_eps": float("nan")}, "`norm_eps` must be finite, got norm_eps=nan"),
        ({"alibi": ALiBi(4)}, "`alibi` must have num_heads=3 as the layer, got 4"),
        ({"window": 0}, "`window` must be at least 1, got window=0"),
        ({"rotary": RotaryPositionalEmbedding(4)}, "head_dim = embed_dim / num_heads = 11, got 4"),
    ],
)
def test_bad_sizes(arguments, message):
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(**{"embed_dim": D, "num_heads": H, **arguments})


def test_a_window_is_for_causal_self_attention_and_caches_of_its_own():
    layer, x = MultiHeadAttention(D, H, window=3), torch.ones(B, T, D)
    for arguments, message in [
        ({}, "`causal` must be True, and `memory` None, where window=3, got causal=False"),
        ({"memory": x}, "`causal` must be True, and `memory` None, where window=3"),
        ({"causal": True, "cache": KVCache(B, H, T, K, window=2)}, "`cache` must have window=3 .* got window=2"),
    ]:
        with pytest.raises(ValueError, match=message):
            layer(x, **arguments)
    with pytest.raises(ValueError, match="`cache` must have window=None as the layer, got window=3"):
        MultiHeadAttention(D, H)(x, cache=layer.new_cache(B, T))
    everything = layer(x, causal=True, cache=KVCache(B, H, T, K))
    torch.testing.assert_close(layer(x, causal=True, cache=layer.new_cache(B, T)), everything)


def test_bad_cache():
    with pytest.raises(ValueError, match="`max_length` must be at least 1, got max_length=0"):
        KVCache(1, 1, 0, 1)
    cache = KVCache(B, H, S, K)
    with pytest.raises(ValueError, match="`k`, `v` must have the same shape"):
        cache.append(Q, KEY)
    cache.append(Q, Q)
    with pytest.raises(RuntimeError, match="max_length=7, length=5, new tokens=5"):
        cache.append(Q, Q)
    assert cache.length == T  # a refused append leaves it as it was
    with pytest.raises(ValueError, match="`max_length` must be at least 5, got max_length=4"):
        cache.grow(4)
    for rows, error, message in [
        (torch.tensor([0, B]), ValueError, r"`rows` must be in 0\.\.1, got values from 0 to 2"),
        (torch.tensor([[0]]), ValueError, r"`rows` must have shape \(B,\), got \(1, 1\)"),
        (torch.tensor([0.0]), TypeError, "`rows` must be a tensor of whole numbers"),
        ([0, 1], TypeError, "`rows` must be a tensor of whole numbers, got list"),
    ]:
        with pytest.raises(error, match=message):
            cache.reorder(rows)
    with pytest.raises(TypeError, match=r"`max_length` must be a whole number, got max_length=7\.5"):
        cache.grow(7.5)
    cache.grow(2 * T)
    assert torch.equal(cache.append(KEY[:, :, :T] + 1, Q)[0], torch.cat([Q, KEY[:, :, :T] + 1], dim=2))


# --- on a GPU ---------------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("name", masks())
@pytest.mark.parametrize("causal", [False, True])
def test_on_a_gpu_equal_to_the_cpu(dtype, name, causal):
    keep = masks()[name]
    tensors = draw(B, H, T, 16), draw(B, H, S, 16, seed=1), draw(B, H, S, 16, seed=2)
    wanted, wanted_grads = run(naive_attention, *tensors, attention_mask=keep, causal=causal)
    on_gpu = [tensor.to("cuda", dtype) for tensor in tensors]
    for function in (scaled_dot_product_attention, naive_attention):
        got, grads = run(function, *on_gpu, attention_mask=None if keep is None else keep.cuda(), causal=causal)
        torch.testing.assert_close(got.cpu().double(), wanted, atol=TOLERANCES[dtype], rtol=0)
        for grad, want in zip(grads, wanted_grads, strict=True):
            torch.testing.assert_close(grad.cpu().double(), want, atol=4 * TOLERANCES[dtype], rtol=0)
        if name == "nothing":
            assert (got == 0).all()
            assert all((grad == 0).all() for grad in grads)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_layer_decodes_on_a_gpu_without_waiting_for_it(dtype):
    torch.manual_seed(0)
    layer = MultiHeadAttention(96, 6, num_kv_heads=2, rotary=RotaryPositionalEmbedding(16)).to("cuda", dtype)
    x = torch.randn(B, S, 96, device="cuda", dtype=dtype)
    with torch.no_grad():
        whole, cache = layer(x, causal=True), layer.new_cache(B, S)
        torch.cuda.set_sync_debug_mode("error")
        try:
            parts = [layer(x[:, t : t + 1], causal=True, cache=cache) for t in range(S)]
        finally:
            torch.cuda.set_sync_debug_mode("default")
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, atol=TOLERANCES[dtype], rtol=0)


@pytest.mark.parametrize("path", [contextlib.nullcontext, kernels.plain], ids=["fused", "plain"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("of", ["key", "value"])
@pytest.mark.parametrize("hidden_by", ["mask", "causal"])
def test_what_a_mask_hides_may_be_huge_but_not_nan(path, dtype, of, hidden_by):
    """NaN is not hidden: 0 times NaN is NaN. It never gives another number, whichever path computes."""
    torch.manual_seed(0)
    query, key, value = (torch.randn(2, 3, 5, 7).to(dtype) for _ in range(3))
    seen = torch.ones(5, 5, dtype=torch.bool).tril()
    options = {"causal": True} if hidden_by == "causal" else {"attention_mask": seen}
    with path():
        clean = scaled_dot_product_attention(query, key, value, **options)
        for hidden in (1e30, math.nan, math.inf, -math.inf):
            changed = {"key": key.clone(), "value": value.clone()}
            changed[of][:, :, 4] = hidden
            found = scaled_dot_product_attention(query, **changed, **options)[:, :, :4]  # none of which sees it
            if hidden == 1e30:
                assert torch.equal(found, clean[:, :, :4])
            else:
                assert (found.isnan() | (found == clean[:, :, :4])).all()
                assert of == "key" or found.isnan().all()
