"""The three kinds of attention against plain loops in float64, gradients too; masks, and bad input."""

import math

import pytest
import torch

from lmcourse.layers.rnn_attention import BahdanauAttention, LuongDotAttention, LuongGeneralAttention, attention_pooling

B, T, S, DQ, DK, HIDDEN = 3, 2, 5, 7, 11, 13
KINDS = ("additive", "dot", "general")
every_kind = pytest.mark.parametrize("kind", KINDS)


def make(kind):
    torch.manual_seed(3)
    layer = {
        "additive": lambda: BahdanauAttention(DQ, DK, HIDDEN),
        "dot": LuongDotAttention,
        "general": lambda: LuongGeneralAttention(DQ, DK),
    }[kind]()
    return layer.double()


def inputs(kind, steps=T):
    generator = torch.Generator().manual_seed(5)
    query = torch.randn(B, steps, DK if kind == "dot" else DQ, generator=generator, dtype=torch.float64)
    keys = torch.randn(B, S, DK, generator=generator, dtype=torch.float64)
    keep = torch.tensor([[True] * 5, [True, True, False, True, False], [False, False, True, False, False]])
    return query.requires_grad_(), keys.requires_grad_(), keep


def by_loops(layer, kind, query, keys, keep):
    """One number at a time, with nothing but sums, exp and tanh; of the layer only its weights are used."""
    contexts, weights = [], []
    for b in range(B):
        for t in range(query.shape[1]):
            scores = {}
            for j in range(S):
                if not keep[b, j]:
                    continue
                q, h = query[b, t], keys[b, j]
                if kind == "dot":
                    scores[j] = sum(q[i] * h[i] for i in range(DK))
                elif kind == "general":
                    W = layer.key_projection.weight  # (DQ, DK)
                    scores[j] = sum(q[i] * W[i, k] * h[k] for i in range(DQ) for k in range(DK))
                else:
                    W, U = layer.query_projection.weight, layer.key_projection.weight
                    v = layer.energy.weight[0]
                    scores[j] = sum(v[m] * torch.tanh((W[m] * q).sum() + (U[m] * h).sum()) for m in range(HIDDEN))
            total = sum(score.exp() for score in scores.values())
            row = [scores[j].exp() / total if j in scores else torch.zeros(()).double() for j in range(S)]
            weights.append(torch.stack(row))
            contexts.append(sum(row[j] * keys[b, j] for j in range(S)))
    shape = (B, query.shape[1])
    return torch.stack(contexts).view(*shape, DK), torch.stack(weights).view(*shape, S)


def gradients(layer, query, keys, context, weights):
    mix = torch.linspace(-1, 1, context.numel(), dtype=torch.float64).view_as(context)
    loss = (context.sin() * mix).sum() + (weights**2 * torch.arange(S).double()).sum()
    return torch.autograd.grad(loss, [query, keys, *layer.parameters()])


@every_kind
def test_outputs_and_gradients_equal_a_loop(kind):
    layer = make(kind)
    query, keys, keep = inputs(kind)
    ours, wanted = layer(query, keys, keep), by_loops(layer, kind, query, keys, keep)
    for got, want in zip(ours, wanted, strict=True):
        torch.testing.assert_close(got, want, rtol=1e-12, atol=1e-12)
    for got, want in zip(gradients(layer, query, keys, *ours), gradients(layer, query, keys, *wanted), strict=True):
        torch.testing.assert_close(got, want, rtol=1e-11, atol=1e-12)


@every_kind
def test_one_query_is_a_row_of_many(kind):
    layer = make(kind)
    query, keys, keep = inputs(kind)
    context, weights = layer(query, keys, keep)
    for t in range(T):
        one_context, one_weights = layer(query[:, t], keys, keep)
        assert one_context.shape == (B, DK)
        assert one_weights.shape == (B, S)
        torch.testing.assert_close(one_context, context[:, t], rtol=0, atol=1e-14)
        torch.testing.assert_close(one_weights, weights[:, t], rtol=0, atol=1e-14)


@every_kind
def test_padding_changes_nothing(kind):
    layer = make(kind)
    query, keys, _ = inputs(kind)
    lengths = [5, 3, 1]
    keep = torch.arange(S) < torch.tensor(lengths)[:, None]
    changed = keys.detach().clone()
    changed[~keep] = 1e6  # whatever stands in the padding
    context, weights = layer(query, changed, keep)
    for b, length in enumerate(lengths):
        alone, alone_weights = layer(query[b : b + 1], keys[b : b + 1, :length])
        torch.testing.assert_close(context[b], alone[0], rtol=0, atol=1e-12)
        torch.testing.assert_close(weights[b, :, :length], alone_weights[0], rtol=0, atol=1e-12)
        assert (weights[b, :, length:] == 0).all()


@every_kind
def test_with_nothing_to_look_at_all_is_zero_and_so_are_the_gradients(kind):
    layer = make(kind)
    query, keys, keep = inputs(kind)
    keep = keep.clone()
    keep[1] = False
    context, weights = layer(query, keys, keep)
    assert (context[1] == 0).all()
    assert (weights[1] == 0).all()
    grad_query, grad_keys, *rest = gradients(layer, query, keys, context, weights)
    assert (grad_query[1] == 0).all()
    assert (grad_keys[1] == 0).all()
    assert all(grad.isfinite().all() for grad in (grad_query, grad_keys, *rest))


def test_small_numbers_by_hand():
    # softmax(.2, .1, .1, 1) = .20 .18 .18 .44: e^.2 = 1.2214, e^.1 = 1.1052 (twice), e^1 = 2.7183; sum 6.1500
    keys = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0]]])
    context, weights = attention_pooling(torch.tensor([[0.2, 0.1, 0.1, 1.0]]), keys)
    assert [round(w, 2) for w in weights[0].tolist()] == [0.20, 0.18, 0.18, 0.44]
    # context: .1986 + .1797 + 2 x .4420 = 1.2623, and .1797 + .1797 = .3594
    assert context[0].tolist() == pytest.approx([1.2623, 0.3594], abs=2e-4)
    context, weights = attention_pooling(
        torch.tensor([[0.2, 0.1, 0.1, 1.0]]), keys, torch.tensor([[True, True, True, False]])
    )
    total = math.exp(0.2) + 2 * math.exp(0.1)
    assert weights[0].tolist() == pytest.approx(
        [math.exp(0.2) / total, math.exp(0.1) / total, math.exp(0.1) / total, 0]
    )


def test_parameters():
    sizes = {kind: sum(p.numel() for p in make(kind).parameters()) for kind in KINDS}
    assert sizes == {"dot": 0, "general": DQ * DK, "additive": HIDDEN * (DQ + DK + 1)}


def test_bad_input():
    general = make("general")
    query, keys, keep = inputs("general")
    with pytest.raises(ValueError, match=r"`query` must have shape \(B, 7\) or \(B, T, 7\) with B=3.*got \(3, 2, 11\)"):
        general(torch.zeros(B, T, DK).double(), keys)
    with pytest.raises(ValueError, match=r"`keys` must have shape \(B, S, 11\), got \(3, 5, 7\)"):
        general(query, torch.zeros(B, S, DQ).double())
    with pytest.raises(ValueError, match=r"`query` must have shape"):
        make("dot")(query, keys)
    with pytest.raises(TypeError, match=r"`attention_mask` must be a bool tensor, got a tensor of torch.float64"):
        general(query, keys, keep.double())
    with pytest.raises(ValueError, match=r"`attention_mask` must have shape \(3, 5\), got \(3, 2\)"):
        general(query, keys, keep[:, :2])
    with pytest.raises(ValueError, match=r"`hidden_size` must be at least 1, got hidden_size=0"):
        BahdanauAttention(DQ, DK, 0)
