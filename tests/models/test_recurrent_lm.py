"""The recurrent language model: shapes, the carried state, the cost of a text, sampling, learning."""

import math

import pytest
import torch
import torch.nn.functional as F

from lmcourse.generation import generate
from lmcourse.models.recurrent import RecurrentConfig, RecurrentLM, TruncatedBPTTLoss
from lmcourse.training import adamw, fit, token_batches

V, D, H, B, T = 11, 5, 7, 3, 13

every_cell = pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])


def model(cell="lstm", **options):
    torch.manual_seed(0)
    return RecurrentLM(RecurrentConfig(V, D, H, cell=cell, **options)).double()


def text(length, seed=1):
    return torch.randint(V, (length,), generator=torch.Generator().manual_seed(seed))


@every_cell
@pytest.mark.parametrize("fused", [True, False])
def test_state_carried_over_pieces_gives_the_logits_of_the_whole(cell, fused):
    lm, ids = model(cell, num_layers=2, fused=fused), text(B * T).view(B, T)
    whole, final = lm(ids)
    assert whole.shape == (B, T, V)
    state, pieces = None, []
    for piece in ids.split([1, 5, 7], dim=1):
        logits, state = lm(piece, state)
        pieces.append(logits)
    torch.testing.assert_close(torch.cat(pieces, 1), whole, rtol=0, atol=1e-13)
    for part, wanted in zip(state if cell == "lstm" else [state], final if cell == "lstm" else [final], strict=True):
        assert part.shape == (2, B, H)
        torch.testing.assert_close(part, wanted, rtol=0, atol=1e-13)


def test_a_prediction_does_not_see_what_comes_after_it():
    lm, ids = model(), text(B * T).view(B, T)
    changed = ids.clone()
    changed[:, 6:] = (changed[:, 6:] + 1) % V
    assert torch.equal(lm(ids)[0][:, :6], lm(changed)[0][:, :6])
    assert not torch.allclose(lm(ids)[0][:, 6], lm(changed)[0][:, 6])


def test_equals_the_composition_of_torch_modules():
    lm, ids = model(), text(B * T).view(B, T)
    reference = torch.nn.LSTM(D, H, batch_first=True).double()
    reference.load_state_dict(lm.recurrent.state_dict())
    wanted = reference(lm.embedding.weight[ids])[0] @ lm.head.weight.T + lm.head.bias
    torch.testing.assert_close(lm(ids)[0], wanted, rtol=1e-12, atol=1e-12)


def test_tied_embeddings_are_one_table():
    torch.manual_seed(0)
    lm = RecurrentLM(RecurrentConfig(V, H, H, tie_embeddings=True))
    assert lm.head.weight is lm.embedding.weight
    untied = RecurrentLM(RecurrentConfig(V, H, H))
    assert sum(p.numel() for p in untied.parameters()) - sum(p.numel() for p in lm.parameters()) == V * H


def test_forget_bias_of_a_fresh_lstm():
    lm = model(forget_bias=2.0)
    assert (lm.recurrent.bias_ih_l0[H : 2 * H] + lm.recurrent.bias_hh_l0[H : 2 * H] == 2.0).all()


@every_cell
@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_total_nll_is_the_cost_of_the_text(cell, chunk):
    lm, ids = model(cell), text(101)
    log_probs = lm(ids[None, :-1])[0][0].log_softmax(-1)
    wanted = -log_probs[torch.arange(100), ids[1:]].sum().item()
    assert lm.total_nll(ids, chunk=chunk) == pytest.approx(wanted, rel=1e-6)


def test_total_nll_of_two_parts_with_the_state_between_is_that_of_the_whole():
    lm, ids = model(), text(101)
    _, state = lm(ids[None, :40])
    parts = lm.total_nll(ids[:41]) + lm.total_nll(ids[40:], state)
    assert parts == pytest.approx(lm.total_nll(ids), rel=1e-6)


@pytest.mark.parametrize("warm_up", [0, 4, 17, 1000])
@pytest.mark.parametrize(("length", "rows"), [(101, 4), (101, 7), (100, 9), (12, 11), (12, 20), (2, 3)])
def test_total_nll_in_rows_counts_each_token_once_after_its_warm_up(length, rows, warm_up):
    lm, ids = model(), text(length)
    piece = -(-(length - 1) // rows)
    wanted = 0.0
    for start in range(0, length - 1, piece):
        before = 0 if start == 0 else min(warm_up, piece)
        span = ids[start - before : min(start + piece, length - 1) + 1]
        log_probs = lm(span[None, :-1])[0][0].log_softmax(-1)
        costs = -log_probs[torch.arange(len(span) - 1), span[1:]]
        wanted += costs[before:].sum().item()
    for chunk in (3, 512):
        assert lm.total_nll(ids, rows=rows, warm_up=warm_up, chunk=chunk) == pytest.approx(wanted, rel=1e-6)


def test_total_nll_drops_nothing_and_leaves_the_mode_alone():
    lm = model(dropout=0.5)
    assert lm.training
    assert lm.total_nll(text(50)) == lm.total_nll(text(50))
    assert lm.training
    lm.eval()
    lm.total_nll(text(50))
    assert not lm.training


def test_total_nll_puts_every_module_back_into_its_mode():
    lm = model(dropout=0.5)
    lm.recurrent.eval()  # a frozen part
    modes = [module.training for module in lm.modules()]
    lm.total_nll(text(50))
    assert [module.training for module in lm.modules()] == modes
    lm.head.register_forward_hook(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        lm.total_nll(text(50))
    assert [module.training for module in lm.modules()] == modes


def test_sampling_follows_the_distribution_and_its_temperature():
    lm = model()
    with torch.no_grad():
        lm.head.weight.zero_()  # the same distribution everywhere
        lm.head.bias.copy_(torch.arange(V) * 0.3)
    ids = torch.zeros(4000, 1, dtype=torch.long)
    for temperature in (0.5, 1.0, 2.0):
        draws = generate(lm, ids, 2, temperature=temperature, generator=torch.Generator().manual_seed(0))[:, 1:]
        share = torch.bincount(draws.flatten(), minlength=V) / draws.numel()
        wanted = (lm.head.bias / temperature).softmax(-1)
        assert (share - wanted).abs().max() < 0.02  # 4 standard errors of a share of 0.36
    assert (generate(lm, ids[:2], 3, temperature=0.0)[:, 1:] == V - 1).all()


def test_greedy_sampling_is_the_argmax_of_the_uncached_logits():
    lm, ids = model(), text(2 * 4).view(2, 4)
    out = generate(lm, ids, 6, temperature=0.0)
    assert out.shape == (2, 10)
    assert torch.equal(out[:, :4], ids)
    for t in range(4, 10):
        assert torch.equal(out[:, t], lm(out[:, :t])[0][:, -1].argmax(-1))


@every_cell
def test_a_cache_holds_the_state_between_calls(cell):
    lm, ids = model(cell, num_layers=2), text(B * T).view(B, T)
    cache = lm.new_cache(B, T)
    parts = [lm(part, cache=cache) for part in ids.split([1, 5, 7], dim=1)]
    whole, _ = lm(ids)
    torch.testing.assert_close(torch.cat(parts, 1), whole, rtol=0, atol=1e-13)
    last = lm(ids, cache=lm.new_cache(B, T), last_only=True)
    torch.testing.assert_close(last, whole[:, -1:], rtol=0, atol=1e-13)


@every_cell
@pytest.mark.parametrize("fused", [True, False])
def test_padding_on_the_left_is_not_read(cell, fused):
    lm, ids = model(cell, num_layers=2, fused=fused), text(B * T).view(B, T)
    mask = torch.arange(T) >= torch.tensor([0, 3, 12])[:, None]
    cache = lm.new_cache(B, T)
    logits = torch.cat([lm(ids, cache=cache, attention_mask=mask), lm(ids[:, :2], cache=cache)], dim=1)
    for row, padding in enumerate([0, 3, 12]):
        alone, _ = lm(torch.cat([ids[row, padding:], ids[row, :2]])[None])
        torch.testing.assert_close(logits[row, padding:], alone[0], rtol=0, atol=1e-13)


@every_cell
@pytest.mark.parametrize("use_cache", [True, False])
def test_generate_samples_from_it(cell, use_cache):
    lm, ids = model(cell), text(2 * 5).view(2, 5)
    greedy = generate(lm, ids, 9, temperature=0.0, use_cache=use_cache)
    for t in range(5, 14):
        assert torch.equal(greedy[:, t], lm(greedy[:, :t])[0][:, -1].argmax(-1))
    mask = torch.tensor([[False, False, True, True, True], [True] * 5])
    options = {"top_k": 3, "samples": 2, "attention_mask": mask, "use_cache": use_cache}
    texts = generate(lm, ids, 9, generator=torch.Generator().manual_seed(3), **options)
    rows = torch.tensor([0, 0, 1, 1])
    options |= {"samples": 1, "attention_mask": mask[rows]}
    assert torch.equal(texts, generate(lm, ids[rows], 9, generator=torch.Generator().manual_seed(3), **options))
    alone = generate(lm, ids[:1, 2:], 9, temperature=0.0)
    padded = generate(lm, ids, 9, temperature=0.0, attention_mask=mask, use_cache=use_cache)
    assert torch.equal(padded[0, 5:], alone[0, 3:])
    stop = int(greedy[0, 8])
    assert (generate(lm, ids[:1], 9, temperature=0.0, stop_ids=[stop])[0, 5:] == stop).sum() == 1
    assert lm.training


def test_truncated_bptt_carries_the_state_and_cuts_the_gradient():
    lm, ids = model(), text(41)
    batch = token_batches(ids, 1, 10)
    loss = TruncatedBPTTLoss()
    values = [loss(lm, batch(step)) for step in (1, 2, 3, 4)]
    mean = torch.stack(values).mean().item()
    assert mean * 40 == pytest.approx(lm.total_nll(ids), rel=1e-6)
    lm.zero_grad()
    values[0].backward()
    values[1].backward()  # a graph that reached into the first batch would be gone by now
    fresh = F.cross_entropy(lm(batch(2)[0])[0][0], batch(2)[1][0])
    assert fresh.item() != values[1].item()
    again = TruncatedBPTTLoss()
    again.load_state_dict(loss.state_dict())
    assert again(lm, batch(5)).item() == loss(lm, batch(5)).item()


@every_cell
def test_it_learns_what_a_bigram_cannot(cell):
    # after "a b" comes c, after "b b" comes d: the last token alone leaves one bit
    ids = torch.tensor([0, 1, 2, 3, 1, 4] * 60)
    torch.manual_seed(0)
    lm = RecurrentLM(RecurrentConfig(5, 8, 16, cell=cell))
    assert lm.total_nll(ids) / len(ids) > 1.2
    fit(lm, token_batches(ids, 4, 12), TruncatedBPTTLoss(), optimizer=adamw(lm, lr=0.02), max_steps=80, progress=False)
    assert lm.total_nll(ids) / len(ids) < 0.1 < math.log(2) / 3  # what the bigram pays for its one bit in three


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vocab_size": 0}, "`vocab_size` must be at least 1, got vocab_size=0"),
        ({"num_layers": 0}, "`num_layers` must be at least 1, got num_layers=0"),
        ({"cell": "elman"}, "`cell` must be one of 'rnn', 'gru', 'lstm', got cell='elman'"),
        ({"dropout": 1.0}, "`dropout` must be at least 0 and less than 1, got dropout=1"),
        ({"tie_embeddings": True}, "embed_dim = hidden_size, got embed_dim=5, hidden_size=7"),
    ],
)
def test_bad_configs(options, message):
    with pytest.raises(ValueError, match=message):
        RecurrentConfig(**{"vocab_size": V, "embed_dim": D, "hidden_size": H, **options})


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: m(torch.zeros(0, 4, dtype=torch.long)), ValueError, r"B and T at least 1, got \(0, 4\)"),
        (lambda m: m(torch.zeros(4, 0, dtype=torch.long)), ValueError, r"B and T at least 1, got \(4, 0\)"),
        (lambda m: m(torch.zeros(4, dtype=torch.long)), ValueError, r"shape \(B, T\)"),
        (
            lambda m: m(torch.zeros(4, 4)),
            TypeError,
            "`ids` must be a tensor of whole numbers, got a tensor of torch.float32",
        ),
        (lambda m: m(torch.full((1, 2), V)), ValueError, r"`ids` must be in 0\.\.10, got values from 11 to 11"),
        (lambda m: m(torch.full((1, 2), -1)), ValueError, r"`ids` must be in 0\.\.10, got values from -1 to -1"),
        (lambda m: m(torch.zeros(1, 2).long(), torch.zeros(1, 1, H)), TypeError, "must be a pair"),
        (lambda m: m(torch.zeros(1, 2).long(), (torch.zeros(2, 1, H),) * 2), ValueError, "`state` must have shape"),
        (lambda m: m.loss(text(6).view(2, 3), text(6).view(3, 2)), ValueError, r"inputs \(2, 3\), targets \(3, 2\)"),
        (lambda m: m.total_nll(text(9) + V), ValueError, r"`ids` must be in 0\.\.10"),
        (lambda m: m(text(2)[None], last_only=True), ValueError, "must come with a `cache`, got None"),
        (
            lambda m: m(text(2)[None], attention_mask=text(2)[None] > 0),
            ValueError,
            "must come with a `cache`, got None",
        ),
        (lambda m: m(text(2)[None], cache={}), TypeError, "`cache` must be of type RecurrentCache, got dict"),
        (
            lambda m: m(text(2)[None], (torch.zeros(1, 1, H),) * 2, cache=m.new_cache(1, 2)),
            ValueError,
            "`state` must be None where a `cache` holds it",
        ),
        (lambda m: _masked(m, torch.ones(1, 2)), TypeError, "`attention_mask` must be a bool tensor"),
        (lambda m: _masked(m, torch.ones(2, 2) > 0), ValueError, r"`attention_mask` must have shape \(B, S\) with B=1"),
        (lambda m: _masked(m, torch.ones(1, 1) > 0), ValueError, "and S at least T=2, got"),
        (lambda m: _masked(m, torch.tensor([[True, False]])), ValueError, "padding, False, on the left"),
        (lambda m: m.new_cache(0, 2), ValueError, "`batch_size` must be at least 1"),
        (lambda m: m.total_nll(text(1)), ValueError, "N at least 2, got"),
        (lambda m: m.total_nll(text(9), rows=0), ValueError, "`rows` must be at least 1, got rows=0"),
        (lambda m: m.total_nll(text(9), (torch.zeros(1, 1, H),) * 2, rows=2), ValueError, "rows=1 only, got rows=2"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call(model())


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.uint8])
def test_ids_of_every_integer_dtype(dtype):
    lm, ids = model(), text(B * T).view(B, T)
    torch.testing.assert_close(lm.loss(ids.to(dtype), ids.to(dtype))[0], lm.loss(ids, ids)[0], rtol=0, atol=0)
    assert lm.total_nll(ids[0].to(dtype)) == lm.total_nll(ids[0])
    assert torch.equal(generate(lm, ids.to(dtype), 2, temperature=0.0), generate(lm, ids, 2, temperature=0.0))


def _masked(lm, mask):
    return lm(text(2)[None], cache=lm.new_cache(1, 2), attention_mask=mask)


@pytest.mark.gpu
def test_on_a_gpu_the_text_costs_the_same():
    lm, ids = model().float(), text(300)
    on_cpu = lm.total_nll(ids)
    lm = lm.cuda()
    assert lm.total_nll(ids.cuda(), chunk=100) == pytest.approx(on_cpu, rel=1e-4)
    assert lm.total_nll(ids.cuda(), rows=3, warm_up=100) == pytest.approx(on_cpu, rel=1e-2)
    assert generate(lm, ids[None, :3].cuda(), 4).shape == (1, 7)
