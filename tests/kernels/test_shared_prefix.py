"""Texts that begin alike: read together they give what each gives alone, and only where that saves work."""

import pytest
import torch

from lmcourse.kernels.shared_prefix import SharedPrefixCache, hidden_from_prefix_on
from lmcourse.layers import ALiBi, MultiHeadAttention, RotaryPositionalEmbedding
from lmcourse.models import GPT, GPTConfig

V, C, D = 13, 29, 12


def model_of(seed=0):
    torch.manual_seed(seed)
    model = GPT(GPTConfig(V, C, D, 3, 2)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def texts(groups, samples, prefix, rest):
    prefixes = torch.randint(V, (groups, prefix)).repeat_interleave(samples, 0)
    return torch.cat([prefixes, torch.randint(V, (groups * samples, rest))], dim=1)


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(("samples", "prefix", "rest"), [(5, 7, 3), (2, 3, 11), (1, 7, 3), (5, 7, 0), (2, 2, 23)])
def test_it_is_what_each_text_gives_alone_and_so_are_the_gradients(padded, samples, prefix, rest):
    model, ids = model_of(), texts(3, samples, prefix, rest)
    mask = None
    if padded:
        mask = torch.ones_like(ids, dtype=torch.bool)
        mask[:samples, 0] = False
    found = hidden_from_prefix_on(model, ids, prefix, samples=samples, attention_mask=mask)
    expected = model.hidden(ids, attention_mask=mask)[:, prefix - 1 :]
    torch.testing.assert_close(found, expected)
    parameters, weight = list(model.layers.parameters()), torch.randn_like(expected)
    ours, theirs = (torch.autograd.grad((hidden * weight).sum(), parameters) for hidden in (found, expected))
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize(
    ("samples", "prefix", "rest", "together"),
    [
        (5, 7, 3, True),  # 50 tokens apart, 22 together
        (2, 4, 16, True),  # 40 and 36: exactly a tenth is saved
        (2, 4, 17, False),  # 42 and 38: less
        (1, 7, 3, False),  # nothing to share
        (5, 7, 0, False),  # nothing behind the prefix
    ],
)
def test_it_reads_together_where_a_tenth_of_the_tokens_is_saved(samples, prefix, rest, together, monkeypatch):
    model, calls = model_of(), []
    shared = model.hidden_with_shared_prefix
    monkeypatch.setattr(model, "hidden_with_shared_prefix", lambda *a, **o: (calls.append(1), shared(*a, **o))[1])
    hidden_from_prefix_on(model, texts(3, samples, prefix, rest), prefix, samples=samples)
    assert bool(calls) == together


# --- the cache ---------------------------------------------------------------------------------------------------

G, P, n, R, K, H = 3, 5, 2, 4, 6, 4
WIDTH = H * K
POSITIONS = {"none": {}, "rotary": {"rotary": RotaryPositionalEmbedding(K)}, "alibi": {"alibi": ALiBi(H)}}


def test_each_continuation_finds_its_own_prefix():
    cache = SharedPrefixCache()
    first = torch.arange(G * P, dtype=torch.float32).view(G, 1, P, 1)
    assert torch.equal(cache.append(first, -first)[1], -first)
    assert cache.length == P
    rest = 100 + torch.arange(G * n * R, dtype=torch.float32).view(G * n, 1, R, 1)
    keys, values = cache.append(rest, -rest)
    assert keys.shape == (G * n, 1, P + R, 1)
    for row in range(G * n):
        assert torch.equal(keys[row, :, :P], first[row // n])
        assert torch.equal(keys[row, :, P:], rest[row])
    assert torch.equal(values, -keys)


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("kv_heads", [1, H])
@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [(torch.float64, 1e-12), (torch.float32, 1e-5), (torch.float16, 0.01), (torch.bfloat16, 0.05)],
)
def test_attention_to_a_shared_prefix_is_attention_in_each_text(positions, kv_heads, dtype, tolerance):
    torch.manual_seed(0)
    layer = MultiHeadAttention(WIDTH, H, num_kv_heads=kv_heads, qk_norm=True, dtype=dtype, **POSITIONS[positions])
    prefixes, rest = torch.randn(G, P, WIDTH, dtype=dtype), torch.randn(G, n, R, WIDTH, dtype=dtype)
    results = []
    for shared in (True, False):
        leaves = [prefixes.clone().requires_grad_(), rest.clone().requires_grad_()]
        if shared:
            cache = SharedPrefixCache()
            of_prefix = layer(leaves[0], causal=True, cache=cache)
            of_rest = layer(leaves[1].flatten(0, 1), causal=True, cache=cache)
        else:
            whole = torch.cat([leaves[0].repeat_interleave(n, 0), leaves[1].flatten(0, 1)], dim=1)
            output = layer(whole, causal=True)
            of_prefix, of_rest = output[::n, :P], output[:, P:]
        mix = torch.linspace(-1, 1, of_rest.numel(), dtype=dtype).view_as(of_rest)
        loss = (of_rest.sin() * mix).sum() + of_prefix.cos().sum()
        grads = torch.autograd.grad(loss, [*leaves, *layer.parameters()])
        results.append([of_prefix.detach(), of_rest.detach(), *grads])
    for got, want in zip(*results, strict=True):
        scale = max(1.0, float(want.abs().max()))
        assert float((got - want).abs().max()) <= tolerance * scale
