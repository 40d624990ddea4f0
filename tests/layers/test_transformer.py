"""The transformer's layers against torch.nn's, outputs and all gradients; caches; bad input."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lmcourse.layers.attention import causal_mask, padding_mask
from lmcourse.layers.positions import RotaryPositionalEmbedding
from lmcourse.layers.transformer import AttentionConfig, DecoderLayer, EncoderLayer, FeedForward, make_norm
from tests.layers.weights import from_torch, ours_by_their_names

B, T, S, H, K, FF = 3, 5, 7, 2, 11, 13  # every size another prime
D = H * K


def draw(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def twins(kind, norm, activation="relu", bias=True):
    """Return torch's layer and ours with the same weights, none of them at its starting value."""
    torch.manual_seed(5)
    options = {"norm_first": norm == "pre", "batch_first": True, "dropout": 0.0, "bias": bias, "dtype": torch.float64}
    theirs_class = {"encoder": nn.TransformerEncoderLayer, "decoder": nn.TransformerDecoderLayer}[kind]
    ours_class = {"encoder": EncoderLayer, "decoder": DecoderLayer}[kind]
    theirs = theirs_class(D, H, FF, activation=activation, **options)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    ours = ours_class(D, H, FF, norm=norm, activation=activation, dtype=torch.float64)
    from_torch(ours, theirs)
    return theirs, ours


def outputs_and_gradients(module, ours, call, *inputs):
    leaves = [tensor.clone().requires_grad_() for tensor in inputs]
    output = call(module, *leaves)
    mix = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).view_as(output)
    (output.sin() * mix).sum().backward()
    grads = ours_by_their_names(module, grads=True) if ours else {n: p.grad for n, p in module.named_parameters()}
    return output.detach(), [leaf.grad for leaf in leaves], grads


def assert_twins_agree(theirs, ours, their_call, our_call, *inputs):
    output, inputs_grads, grads = outputs_and_gradients(ours, True, our_call, *inputs)
    wanted, wanted_inputs, wanted_grads = outputs_and_gradients(theirs, False, their_call, *inputs)
    torch.testing.assert_close(output, wanted, rtol=0, atol=1e-11)
    for got, want in zip(inputs_grads, wanted_inputs, strict=True):
        torch.testing.assert_close(got, want, rtol=0, atol=1e-10)
    assert grads.keys() == wanted_grads.keys()
    for name, want in wanted_grads.items():
        assert want.abs().max() > 0 or name.endswith("in_proj_bias"), name
        torch.testing.assert_close(grads[name], want, rtol=0, atol=1e-10, msg=lambda m, name=name: f"{name}: {m}")


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("padded", [False, True])
def test_encoder_layer_equals_torch(norm, activation, causal, padded):
    theirs, ours = twins("encoder", norm, activation)
    keep = padding_mask(torch.tensor([T, 2, 3]), T)
    assert_twins_agree(
        theirs,
        ours,
        lambda layer, x: layer(
            x,
            src_mask=~causal_mask(T) if causal else None,
            src_key_padding_mask=~keep if padded else None,
        ),
        lambda layer, x: layer(x, keep[:, None, None, :] if padded else None, causal=causal),
        draw(B, T, D),
    )


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("padded", [False, True])
def test_decoder_layer_equals_torch(norm, activation, padded):
    theirs, ours = twins("decoder", norm, activation)
    keep = padding_mask(torch.tensor([T, 2, 3]), T)
    memory_mask = padding_mask(torch.tensor([4, S, 1]), S)
    assert_twins_agree(
        theirs,
        ours,
        lambda layer, x, memory: layer(
            x,
            memory,
            tgt_mask=~causal_mask(T),
            tgt_key_padding_mask=~keep if padded else None,
            memory_key_padding_mask=~memory_mask if padded else None,
        ),
        lambda layer, x, memory: layer(
            x,
            memory,
            keep[:, None, None, :] if padded else None,
            memory_mask[:, None, None, :] if padded else None,
        ),
        draw(B, T, D),
        draw(B, S, D, seed=1),
    )


def test_weights_are_given_without_a_change_of_the_output():
    _, encoder = twins("encoder", "pre")
    _, decoder = twins("decoder", "post")
    x, memory = draw(B, T, D), draw(B, S, D, seed=1)
    output, weights = encoder(x, causal=True, return_weights=True)
    torch.testing.assert_close(output, encoder(x, causal=True), rtol=0, atol=1e-12)
    assert weights.shape == (B, H, T, T)
    assert (weights.triu(1) == 0).all()
    output, own, cross = decoder(x, memory, return_weights=True)
    torch.testing.assert_close(output, decoder(x, memory), rtol=0, atol=1e-12)
    assert (own.shape, cross.shape) == ((B, H, T, T), (B, H, T, S))
    torch.testing.assert_close(cross.sum(-1), torch.ones(B, H, T, dtype=torch.float64))


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_for_the_weights_no_part_runs_twice(norm):
    for layer, given in (
        (EncoderLayer(D, H, FF, norm=norm, dtype=torch.float64), (draw(B, T, D),)),
        (DecoderLayer(D, H, FF, norm=norm, dtype=torch.float64), (draw(B, T, D), draw(B, S, D))),
    ):
        calls = []
        for name, part in layer.named_children():
            part.register_forward_hook(lambda *_, name=name: calls.append(name))  # noqa: B023
        layer(*given)
        plain, calls[:] = calls.copy(), []
        layer(*given, return_weights=True)
        assert calls == plain


def test_what_a_hook_makes_of_the_attention_counts_with_and_without_weights():
    layer, x = EncoderLayer(D, H, FF, norm="pre", dtype=torch.float64), draw(B, T, D)
    layer.attention.out_proj.register_forward_hook(lambda _, inputs, output: torch.zeros_like(output))
    without_attention = layer.residual(x, layer.feed_forward_norm, layer.feed_forward)
    assert torch.equal(layer(x), without_attention)
    assert torch.equal(layer(x, return_weights=True)[0], without_attention)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_cached_equals_uncached(norm):
    _, encoder = twins("encoder", norm)
    _, decoder = twins("decoder", norm)
    x, memory = draw(B, T, D), draw(B, S, D, seed=1)
    keep = padding_mask(torch.tensor([4, S, 1]), S)[:, None, None, :]
    cache, caches = encoder.attention.new_cache(B, T), decoder.new_cache(B, T, S)
    pieces = [1, 3, 1]
    own = [encoder(part, causal=True, cache=cache) for part in x.split(pieces, dim=1)]
    both = [decoder(part, memory, None, keep, cache=caches) for part in x.split(pieces, dim=1)]
    torch.testing.assert_close(torch.cat(own, dim=1), encoder(x, causal=True), rtol=0, atol=1e-12)
    torch.testing.assert_close(torch.cat(both, dim=1), decoder(x, memory, None, keep), rtol=0, atol=1e-12)


def test_padding_in_the_input_changes_nothing_before_it():
    _, encoder = twins("encoder", "pre")
    lengths = torch.tensor([T, 2, 3])
    x = draw(B, T, D)
    output = encoder(x, padding_mask(lengths, T)[:, None, None, :])
    for b, length in enumerate(lengths):
        alone = encoder(x[b : b + 1, :length])
        torch.testing.assert_close(output[b : b + 1, :length], alone, rtol=0, atol=1e-12)


def test_all_the_parts_of_a_llama_layer_together():
    torch.manual_seed(0)
    layer = EncoderLayer(
        6 * 4,
        6,
        FF,
        norm="pre",
        norm_layer="rms",
        activation="swiglu",
        bias=False,
        attention=AttentionConfig(num_kv_heads=2, rotary=RotaryPositionalEmbedding(4)),
        dtype=torch.float64,
    )
    assert not any("bias" in name for name, _ in layer.named_parameters())
    assert sum(p.numel() for p in layer.parameters()) == 24 * 24 * 2 + 2 * 24 * 8 + 3 * 24 * FF + 2 * 24
    x = draw(B, T, 24)
    other = x.clone()
    other[:, 3:] = 1.0
    assert torch.equal(layer(x, causal=True)[:, :3], layer(other, causal=True)[:, :3])
    # by hand, from the formulas of RMSNorm and SwiGLU
    y = layer.attention(x / (x**2).mean(-1, keepdim=True).add(1e-5).sqrt(), causal=True)
    z = x + y
    n = z / (z**2).mean(-1, keepdim=True).add(1e-5).sqrt()
    up, gate, down = (getattr(layer.feed_forward, name).weight for name in ("up", "gate", "down"))
    gated = n @ gate.T
    want = z + (gated * torch.sigmoid(gated) * (n @ up.T)) @ down.T
    torch.testing.assert_close(layer(x, causal=True), want, rtol=0, atol=1e-12)


def test_feed_forward_by_hand():
    # W_1 = (1, -1)^T, b_1 = (0, 1), W_2 = (2, 3), b_2 = 1
    # x = 2: relu(2, -1) = (2, 0), 2 * 2 + 1 = 5; x = -1: relu(-1, 2) = (0, 2), 3 * 2 + 1 = 7
    layer = FeedForward(1, 2)
    with torch.no_grad():
        layer.up.weight.copy_(torch.tensor([[1.0], [-1.0]]))
        layer.up.bias.copy_(torch.tensor([0.0, 1.0]))
        layer.down.weight.copy_(torch.tensor([[2.0, 3.0]]))
        layer.down.bias.fill_(1.0)
    assert layer(torch.tensor([[2.0], [-1.0]])).tolist() == [[5.0], [7.0]]
    gelu = FeedForward(D, FF, activation="gelu_tanh", dtype=torch.float64)
    x = draw(T, D)
    torch.testing.assert_close(gelu(x), gelu.down(F.gelu(gelu.up(x), approximate="tanh")))
    gelu.activation = "gelu"
    assert not torch.equal(gelu(x), gelu.down(F.gelu(gelu.up(x), approximate="tanh")))


def test_relu_squared_by_hand():
    # W_1 = (1, -1)^T, W_2 = (2, 3): x = 2: relu(2, -2)^2 = (4, 0), 2 * 4 = 8; x = -3: (0, 9), 3 * 9 = 27.
    # The slope of relu(z)^2 is 2 relu(z): at x = 2 the output's is 2 * 2 * 2 * 1 = 8.
    layer = FeedForward(1, 2, activation="relu2", bias=False)
    with torch.no_grad():
        layer.up.weight.copy_(torch.tensor([[1.0], [-1.0]]))
        layer.down.weight.copy_(torch.tensor([[2.0, 3.0]]))
    x = torch.tensor([[2.0], [-3.0]], requires_grad=True)
    y = layer(x)
    assert y.tolist() == [[8.0], [27.0]]
    assert torch.autograd.grad(y.sum(), x)[0].tolist() == [[8.0], [-18.0]]


def test_residual_by_hand():
    # x = (1, 3), the sublayer gives (1, -1). post: the sum (2, 2) has variance 0: (0, 0). pre: norm(1, 3) = (-1, 1);
    # the sublayer here doubles it: (1, 3) + (-2, 2) = (-1, 5)
    x = torch.tensor([[1.0, 3.0]])
    post, pre = EncoderLayer(2, 1, 3, norm="post"), EncoderLayer(2, 1, 3, norm="pre", norm_eps=0.0)
    y = post.residual(x, post.attention_norm, lambda _: torch.tensor([[1.0, -1.0]]))
    assert y.abs().max() < 1e-6
    y = pre.residual(x, pre.attention_norm, lambda y, times: times * y, times=2)
    torch.testing.assert_close(y, torch.tensor([[-1.0, 5.0]]))


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_dropout_acts_on_the_sublayers_output_in_training_only(norm):
    torch.manual_seed(0)
    layer = EncoderLayer(D, H, FF, norm=norm, dropout=0.5, dtype=torch.float64)
    x = draw(400, 1, D)

    def ones_added():
        return layer.residual(x, layer.attention_norm, torch.ones_like)

    dropped = ones_added()
    if norm == "pre":
        added = (dropped - x).round(decimals=6)
        assert set(added.unique().tolist()) == {0.0, 2.0}
        assert 0.45 < float((added == 0).double().mean()) < 0.55
    layer.eval()
    assert torch.equal(ones_added(), ones_added())
    layer = EncoderLayer(D, H, FF, attention=AttentionConfig(dropout=0.5), dtype=torch.float64)
    assert not torch.equal(layer(draw(B, T, D)), layer(draw(B, T, D)))
    block = FeedForward(D, FF, dropout=0.5, dtype=torch.float64)
    assert not torch.equal(block(draw(B, T, D)), block(draw(B, T, D)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FeedForward(4, 0), "`hidden_size` must be at least 1, got hidden_size=0"),
        (lambda: FeedForward(4, 8, activation="tanh"), "`activation` must be one of 'relu', .*got activation='tanh'"),
        (lambda: EncoderLayer(6, 4, 8), "`num_heads` must divide `embed_dim`, got num_heads=4, embed_dim=6"),
        (lambda: EncoderLayer(6, 3, 8, norm="none"), "`norm` must be one of 'pre', 'post', got norm='none'"),
        (
            lambda: DecoderLayer(6, 3, 8, norm_layer="batch"),
            "`norm_layer` must be one of 'layer', 'rms', got norm_layer='batch'",
        ),
        (lambda: make_norm(4, "x"), "`norm_layer` must be one of 'layer', 'rms', got norm_layer='x'"),
    ],
)
def test_bad_sizes(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.gpu
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-4), (torch.bfloat16, 8e-2)])
def test_on_a_gpu_equal_to_torch_on_the_cpu(dtype, tolerance):
    theirs, ours = twins("decoder", "pre")
    x, memory = draw(B, T, D), draw(B, S, D, seed=1)
    keep = padding_mask(torch.tensor([4, S, 1]), S)
    want = theirs(x, memory, tgt_mask=~causal_mask(T), memory_key_padding_mask=~keep)
    ours.to("cuda", dtype)
    got = ours(x.to("cuda", dtype), memory.to("cuda", dtype), None, keep[:, None, None, :].cuda())
    torch.testing.assert_close(got.cpu().double(), want, atol=tolerance, rtol=0)
