"""The transformer against nn.Transformer, against itself with a cache and on padded batches, and on bad input."""

import math
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmcourse.generation import beam_search_batch, translate
from lmcourse.layers.attention import causal_mask
from lmcourse.layers.positions import sinusoidal_positions
from lmcourse.models.transformer import Transformer, TransformerConfig
from tests.layers.weights import from_torch, ours_by_their_names

B, S, T, V_SOURCE, V_TARGET, D, FF = 3, 7, 5, 17, 19, 22, 13
PAD, START, STOP = 0, 1, 2
SIZES = {
    "source_vocab_size": V_SOURCE,
    "target_vocab_size": V_TARGET,
    "embed_dim": D,
    "num_heads": 2,
    "num_encoder_layers": 2,
    "num_decoder_layers": 3,
    "hidden_size": FF,
}


def model(**options):
    torch.manual_seed(0)
    built = Transformer(TransformerConfig(**{**SIZES, **options})).double().eval()
    with torch.no_grad():
        for parameter in built.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return built


def ids(seed=0):
    generator = torch.Generator().manual_seed(seed)
    source = torch.randint(3, V_SOURCE, (B, S), generator=generator)
    source[0, 4:], source[2, 1:] = PAD, PAD
    return source, torch.randint(3, V_TARGET, (B, T), generator=generator)


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("tie", [True, False])
def test_outputs_and_gradients_equal_torch(norm, tie):
    ours = model(norm=norm, final_norm=True, tie_embeddings=tie)
    theirs = nn.Transformer(
        D, 2, 2, 3, FF, dropout=0.0, batch_first=True, norm_first=norm == "pre", dtype=torch.float64
    )
    pairs = [(ours.encoder_layers, theirs.encoder.layers), (ours.decoder_layers, theirs.decoder.layers)]
    for mine, other in pairs:
        for one, two in zip(mine, other, strict=True):
            from_torch(one, two)
    ours.encoder_norm.load_state_dict(theirs.encoder.norm.state_dict())
    ours.decoder_norm.load_state_dict(theirs.decoder.norm.state_dict())
    source, target = ids()
    tables = [ours.source_embedding.weight, ours.target_embedding.weight, ours.head.weight, ours.head.bias]
    copies = [table.detach().clone().requires_grad_() for table in tables]
    if tie:
        copies[2] = copies[1]

    def embed(table, chosen):
        positions = sinusoidal_positions(chosen.shape[1], D, dtype=torch.float64)
        return math.sqrt(D) * table[chosen] + positions

    padding = source == PAD
    decoded = theirs(
        embed(copies[0], source),
        embed(copies[1], target),
        tgt_mask=~causal_mask(T),
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    wanted = decoded @ copies[2].T + copies[3]
    logits = ours(source, target)
    assert logits.shape == (B, T, V_TARGET)
    torch.testing.assert_close(logits, wanted, rtol=0, atol=1e-10)
    mix = torch.linspace(-1, 1, logits.numel(), dtype=torch.float64).view_as(logits)
    (logits.sin() * mix).sum().backward()
    (wanted.sin() * mix).sum().backward()
    for table, copy in zip(tables, copies, strict=True):
        torch.testing.assert_close(table.grad, copy.grad, rtol=0, atol=1e-9)
    for mine, other in pairs:
        for one, two in zip(mine, other, strict=True):
            grads = ours_by_their_names(one, grads=True)
            for name, parameter in two.named_parameters():
                torch.testing.assert_close(grads[name], parameter.grad, rtol=0, atol=1e-9)
    torch.testing.assert_close(ours.encoder_norm.weight.grad, theirs.encoder.norm.weight.grad, rtol=0, atol=1e-9)
    torch.testing.assert_close(ours.decoder_norm.bias.grad, theirs.decoder.norm.bias.grad, rtol=0, atol=1e-9)


def test_the_papers_model_has_no_final_norm_and_the_pre_norm_one_has():
    assert isinstance(model(norm="post").decoder_norm, nn.Identity)
    assert isinstance(model(norm="pre").decoder_norm, nn.LayerNorm)


def test_the_base_model_has_the_papers_63_million_parameters():
    # table 3 says 65 million; 37,000 shared tokens x 512 + 6 x 3,152,384 + 6 x 4,204,032 + 37,000 biases of the scores
    with torch.device("meta"):
        paper = Transformer(
            TransformerConfig(37000, embed_dim=512, num_heads=8, num_encoder_layers=6, num_decoder_layers=6,
                              norm="post", share_embeddings=True)
        )  # fmt: skip
    count = sum(parameter.numel() for parameter in paper.parameters())
    assert count == 37000 * 513 + 6 * 3_152_384 + 6 * 4_204_032


def test_an_earlier_output_does_not_change_when_the_future_does():
    ours = model()
    source, target = ids()
    for t in range(T - 1):
        other = target.clone()
        other[:, t + 1 :] = (other[:, t + 1 :] + 1) % V_TARGET
        before, after = ours(source, target), ours(source, other)
        assert torch.equal(before[:, : t + 1], after[:, : t + 1])
        assert not torch.allclose(before[:, t + 1], after[:, t + 1])


def test_a_padded_source_gives_what_it_gives_alone():
    ours = model()
    source, target = ids()
    for b, length in enumerate((4, S, 1)):
        alone = ours(source[b : b + 1, :length], target[b : b + 1])
        torch.testing.assert_close(ours(source, target)[b : b + 1], alone, rtol=0, atol=1e-12)


@pytest.mark.parametrize("norm", ["pre", "post"])
@settings(max_examples=15, deadline=None)
@given(pieces=st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_cached_logits_equal_uncached_over_random_splits(norm, pieces):
    ours = model(norm=norm)
    source, _ = ids()
    target = torch.randint(3, V_TARGET, (B, sum(pieces)), generator=torch.Generator().manual_seed(3))
    state = ours.start_decoding(source, sum(pieces))
    got = [ours.decode(part, state.memory, state.attention_mask, state=state) for part in target.split(pieces, dim=1)]
    torch.testing.assert_close(torch.cat(got, dim=1), ours(source, target), rtol=0, atol=1e-11)


def test_steps_of_sources_without_padding_need_no_mask():
    ours = model()
    source, target = torch.full((B, S), 5), ids()[1]
    state = ours.start_decoding(source, T)
    assert state.attention_mask is None
    got = torch.stack([ours.step(target[:, t], state) for t in range(T)], dim=1)
    torch.testing.assert_close(got, ours(source, target), rtol=0, atol=1e-11)
    state.reorder(torch.tensor([2, 0, 0]))
    padded = torch.cat([source, torch.zeros(B, 1).long()], dim=1)
    assert torch.equal(ours.start_decoding(padded, T).attention_mask, padded != 0)


def test_steps_after_a_reordering_go_on_from_the_chosen_rows():
    ours, rows = model(), torch.tensor([2, 0, 0])
    source, target = ids()
    state = ours.start_decoding(source, T)
    for t in range(3):
        ours.step(target[:, t], state)
    state.reorder(rows)
    got = ours.step(target[:, 3], state)
    mixed = torch.cat([target[rows, :3], target[:, 3:4]], dim=1)
    torch.testing.assert_close(got, ours(source[rows], mixed)[:, 3], rtol=0, atol=1e-11)


def writer():
    """A model whose greedy translations of `ids()` differ: one stops at token 2, one at 3, one never. Stop is 9."""
    ours = model(tie_embeddings=False, stop_id=9)
    with torch.no_grad():
        ours.head.weight.mul_(5)
    return ours


@pytest.mark.parametrize("capacity", [1, 4, 32])
def test_greedy_search_writes_the_likeliest_token_and_stops(capacity, monkeypatch):
    ours, (source, _) = writer(), ids()
    monkeypatch.setattr(ours, "stepper", partial(ours.stepper, capacity=capacity))
    found = translate(ours, source, max_length=11)
    assert [hypothesis.finished for hypothesis in found] == [True, True, False]
    for b, hypothesis in enumerate(found):
        so_far, log_prob = [START], 0.0
        while len(so_far) < 12 and so_far[-1] != 9:
            best = ours(source[b : b + 1], torch.tensor([so_far]))[0, -1].log_softmax(-1).max(-1)
            so_far.append(int(best.indices))
            log_prob += best.values.item()
        assert list(hypothesis.ids) == [token for token in so_far[1:] if token != 9]
        assert hypothesis.log_prob == pytest.approx(log_prob, abs=1e-5)


def test_beam_search_over_cached_steps_equals_that_without_a_cache():
    ours, (source, _) = writer(), ids()
    with_cache = beam_search_batch(ours.stepper(source), START, 9, batch_size=B, beam_size=3, max_length=6)
    for b in range(B):

        def step(so_far, rows, b=b):
            return ours(source[b : b + 1].expand(len(so_far), -1), so_far)[:, -1].detach()

        plain = beam_search_batch(step, START, 9, batch_size=1, beam_size=3, max_length=6)[0]
        assert [h.ids for h in plain] == [h.ids for h in with_cache[b]]
        assert [h.log_prob for h in plain] == pytest.approx([h.log_prob for h in with_cache[b]], abs=1e-5)
    assert len({h.ids for h in with_cache[0]}) == 3


def test_loss_is_the_mean_over_true_tokens_of_targets_shifted_right():
    ours, (source, target) = model(), ids()
    whole = torch.cat([torch.full((B, 1), START), target, torch.full((B, 1), STOP)], dim=1)
    whole[1, 3:] = torch.tensor([STOP, PAD, PAD, PAD])
    total, count = 0.0, 0
    for b in range(B):
        true = whole[b, : 4 if b == 1 else T + 2]
        log_probs = ours(source[b : b + 1], true[None, :-1])[0].log_softmax(-1)
        total -= log_probs[torch.arange(len(true) - 1), true[1:]].sum().item()
        count += len(true) - 1
    assert ours.loss(source, whole).item() == pytest.approx(total / count, abs=1e-12)


def test_attention_maps_are_the_weights_of_every_layer():
    ours = model()
    source, target = ids()
    maps = ours.attention_maps(source, target)
    assert [len(part) for part in maps] == [2, 3, 3]
    assert maps.encoder[0].shape == (B, 2, S, S)
    assert maps.decoder[2].shape == (B, 2, T, T)
    assert maps.cross[1].shape == (B, 2, T, S)
    assert (maps.encoder[1][0, :, :, 4:] == 0).all()  # padding
    assert (maps.cross[0][2, :, :, 1:] == 0).all()
    assert (maps.decoder[1].triu(1) == 0).all()
    # the last layer's map, put to use by hand, gives the model's own logits
    values = ours.decoder_layers[2].cross_attention.v_proj(ours.encode(source)).view(B, S, 2, D // 2).transpose(1, 2)
    seen = []
    ours.decoder_layers[2].cross_attention.out_proj.register_forward_hook(lambda _, given, out: seen.append(given[0]))
    ours(source, target)
    by_hand = (maps.cross[2] @ values).transpose(1, 2).flatten(2)
    torch.testing.assert_close(seen[0], by_hand, rtol=0, atol=1e-11)


def test_tied_and_shared_tables_are_one_parameter():
    tied = model()
    assert tied.head.weight is tied.target_embedding.weight
    loose = model(tie_embeddings=False)
    assert loose.head.weight is not loose.target_embedding.weight
    shared = model(target_vocab_size=V_SOURCE, share_embeddings=True)
    assert shared.source_embedding.weight is shared.head.weight


def test_scaled_embeddings_start_with_variance_one():
    torch.manual_seed(0)
    fresh = Transformer(TransformerConfig(1000, embed_dim=64, share_embeddings=True))
    stream = math.sqrt(64) * fresh.source_embedding.weight.detach()
    assert 0.95 < float(stream.std()) < 1.05
    logits = fresh(torch.arange(1, 9)[None], torch.arange(1, 9)[None]).detach()
    assert float(logits.std()) < 2.0  # scores of a fresh model are small: its loss is near log V
    assert abs(float(nn.functional.cross_entropy(logits[0], torch.arange(2, 10))) - math.log(1000)) < 1.5


def test_dropout_in_training_only():
    ours = model(dropout=0.3)
    source, target = ids()
    assert torch.equal(ours(source, target), ours(source, target))
    ours.train()
    assert not torch.equal(ours(source, target), ours(source, target))


def test_a_mask_of_ones_own_takes_the_place_of_the_padding():
    ours = model()
    source, target = ids()
    keep = torch.ones(B, S, dtype=torch.bool)
    keep[1, 3:] = False
    memory = ours.encode(source, keep)
    cut = ours.encode(source[1:2, :3])
    torch.testing.assert_close(memory[1:2, :3], cut, rtol=0, atol=1e-12)
    torch.testing.assert_close(
        ours.decode(target, memory, keep)[1:2], ours.decode(target[1:2], cut), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda m, s, t: m(s.float(), t),
            TypeError,
            "`source` must be a tensor of whole numbers, got a tensor of torch.float32",
        ),
        (lambda m, s, t: m(s, t[0]), ValueError, r"`target` must have shape \(B, T\).*got \(5,\)"),
        (lambda m, s, t: m(s, t[:, :0]), ValueError, r"at least 1, got \(3, 0\)"),
        (lambda m, s, t: m(s + 17, t), ValueError, r"`source` must be in 0\.\.16, got values from 17 to"),
        (
            lambda m, s, t: m(s * 0, t),
            ValueError,
            "`attention_mask` must be True for at least one token .*none in row 0",
        ),
        (lambda m, s, t: m.encode(s, s == PAD), ValueError, "none in row 1: is True the padding"),
        (
            lambda m, s, t: m.encode(s, (s != PAD).float()),
            TypeError,
            "`attention_mask` must be a bool tensor, got a tensor of torch.float32",
        ),
        (
            lambda m, s, t: m.encode(s, s.T != PAD),
            ValueError,
            r"`attention_mask` must have shape \(3, 7\), got \(7, 3\)",
        ),
        (
            lambda m, s, t: m.decode(t[:2], m.encode(s)),
            ValueError,
            r"`memory` must have shape \(2, S, 22\), got \(3, 7, 22\)",
        ),
        (
            lambda m, s, t: m.decode(t, m.encode(s), t != PAD),
            ValueError,
            r"`attention_mask` must have shape \(3, 7\), got \(3, 5\)",
        ),
    ],
)
def test_bad_input(call, error, message):
    source, target = ids()
    with pytest.raises(error, match=message):
        call(model(), source, target)


def test_decoding_beyond_the_cache():
    ours = model()
    source, target = ids()
    state = ours.start_decoding(source, 2)
    ours.step(target[:, 0], state)
    ours.step(target[:, 1], state)
    with pytest.raises(RuntimeError, match="max_length=2, length=2, new tokens=1"):
        ours.step(target[:, 2], state)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"source_vocab_size": 0}, "`source_vocab_size` must be at least 1, got source_vocab_size=0"),
        ({"target_vocab_size": 0}, "`target_vocab_size` must be at least 1, got target_vocab_size=0"),
        ({"num_heads": 4}, "even and divisible by `num_heads`, got embed_dim=22, num_heads=4"),
        ({"embed_dim": 21, "num_heads": 3}, "even and divisible by `num_heads`, got embed_dim=21, num_heads=3"),
        ({"num_decoder_layers": 0}, "`num_decoder_layers` must be at least 1, got num_decoder_layers=0"),
        ({"pad_id": 1}, r"three ids below target_vocab_size=19, got \(1, 1, 2\)"),
        ({"stop_id": 19}, r"three ids below target_vocab_size=19, got \(0, 1, 19\)"),
        ({"norm": "both"}, "`norm` must be one of 'pre', 'post', got norm='both'"),
        ({"dropout": 1.0}, "`dropout` must be at least 0 and less than 1, got dropout=1"),
        ({"share_embeddings": True}, "one vocabulary, got source_vocab_size=17, target_vocab_size=19"),
    ],
)
def test_bad_sizes(sizes, message):
    with pytest.raises(ValueError, match=message):
        TransformerConfig(**{**SIZES, **sizes})


@pytest.mark.gpu
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-4), (torch.bfloat16, 0.3)])
def test_on_a_gpu_equal_to_the_cpu(dtype, tolerance):
    ours = model()
    source, target = ids()
    want = ours(source, target)
    ours.to("cuda", dtype)
    got = ours(source.cuda(), target.cuda())
    torch.testing.assert_close(got.cpu().double(), want, atol=tolerance, rtol=0)
    state = ours.start_decoding(source.cuda(), T)
    steps = torch.stack([ours.step(target[:, t].cuda(), state) for t in range(T)], dim=1)
    torch.testing.assert_close(steps.cpu().double(), want, atol=tolerance, rtol=0)
