"""Encoder and decoder against a loop over torch.nn's cells in float64; padding, search, and bad input."""

import itertools

import pytest
import torch
from torch import nn

from lmcourse.generation import beam_search, greedy_search, translate
from lmcourse.models.seq2seq import Seq2Seq, Seq2SeqConfig
from lmcourse.training import pad, scheduled_sampling_logits

VS, VT, D, H = 17, 13, 5, 6
PAD, START, STOP = 0, 1, 2
SOURCES = [[5, 3, 16, 7, 4], [9], [11, 8, 3]]
TARGETS = [[START, 4, 6, STOP], [START, 12, 3, 3, 9, 5, STOP], [START, STOP]]
KINDS = [None, "additive", "dot", "general"]
CELLS = {"lstm": nn.LSTMCell, "gru": nn.GRUCell}

every_kind = pytest.mark.parametrize("attention", KINDS)
every_cell = pytest.mark.parametrize("cell", CELLS)


def make(attention, *, seed=0, **options):
    torch.manual_seed(seed)
    model = Seq2Seq(Seq2SeqConfig(VS, VT, D, H, **options), attention).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2.0)  # sharper than a fresh model, so that a swapped part shows
    return model


def cell_of(layer, number, way):
    """torch.nn's cell with the very weights of one layer and way, so that gradients meet in the same leaves."""
    w_ih, w_hh, b_ih, b_hh = layer.weights(number, way)
    kind = CELLS[layer.kind](w_ih.shape[1], w_hh.shape[1]).double()
    named = {"weight_ih": w_ih, "weight_hh": w_hh, "bias_ih": b_ih, "bias_hh": b_hh}
    return lambda x, state: torch.func.functional_call(kind, named, (x[None], state))


def first(state):
    return state[0] if isinstance(state, tuple) else state


def concatenated(one, other):
    if isinstance(one, tuple):
        return tuple(torch.cat([a, b], dim=1) for a, b in zip(one, other, strict=True))
    return torch.cat([one, other], dim=1)


def by_loop(model, source, target):
    """Logits (T, V) and weights (T, S) of one pair: one token, one layer, one way at a time."""
    config, inputs = model.config, [model.source_embedding.weight[i] for i in source]
    width = H // 2 if config.bidirectional else H
    zero = torch.zeros(1, width).double()
    zero = (zero, zero) if config.cell == "lstm" else zero
    states = []
    for number in range(config.num_layers):
        ways, finals = [], []
        for way in range(2 if config.bidirectional else 1):
            cell, state, outputs = cell_of(model.encoder, number, way), zero, {}
            for j in range(len(source)) if way == 0 else reversed(range(len(source))):
                state = cell(inputs[j], state)
                outputs[j] = first(state)[0]
            ways.append(outputs)
            finals.append(state)
        inputs = [torch.cat([outputs[j] for outputs in ways]) for j in range(len(source))]
        states.append(concatenated(*finals) if config.bidirectional else finals[0])
    memory, attended = inputs, torch.zeros(H).double()
    logits, weights = [], []
    for token in target:
        x = model.target_embedding.weight[token]
        if config.input_feeding:
            x = torch.cat([x, attended])
        for number in range(config.num_layers):
            states[number] = cell_of(model.decoder, number, 0)(x, states[number])
            x = first(states[number])[0]
        if model.attention is not None:
            scores = torch.stack([score(model, x, h) for h in memory])
            share = scores.exp() / scores.exp().sum()
            context = sum(a * h for a, h in zip(share, memory, strict=True))
            attended = x = torch.tanh(model.combine.weight @ torch.cat([context, x]))
            weights.append(share)
        logits.append(model.head.weight @ x + model.head.bias)
    return torch.stack(logits), torch.stack(weights) if weights else None


def score(model, query, key):
    layer = model.attention
    kind = type(layer).__name__
    if kind == "LuongDotAttention":
        return (query * key).sum()
    if kind == "LuongGeneralAttention":
        return query @ layer.key_projection.weight @ key
    hidden = layer.query_projection.weight @ query + layer.key_projection.weight @ key
    return (layer.energy.weight[0] * hidden.tanh()).sum()


def loss_of(logits_by_pair):
    """A loss that uses every logit differently."""
    return sum((row.sin() * torch.linspace(-1, 1, row.numel()).double().view_as(row)).sum() for row in logits_by_pair)


@every_kind
@every_cell
@pytest.mark.parametrize(
    "options",
    [{}, {"bidirectional": False}, {"num_layers": 2}, {"input_feeding": True}],
    ids=["both ways", "one way", "two layers", "fed back"],
)
def test_logits_weights_and_gradients_equal_a_loop_over_cells(attention, cell, options):
    if options.get("input_feeding") and attention is None:
        pytest.skip("nothing to feed back without attention")
    model = make(attention, cell=cell, **options)
    source, target = pad(SOURCES), pad([row[:-1] for row in TARGETS])
    logits = model(source, target)
    assert logits.shape == (3, 6, VT)
    wanted = [by_loop(model, s, t[:-1]) for s, t in zip(SOURCES, TARGETS, strict=True)]
    ours = [logits[b, : len(t) - 1] for b, t in enumerate(TARGETS)]
    for got, (want, _) in zip(ours, wanted, strict=True):
        torch.testing.assert_close(got, want, rtol=1e-11, atol=1e-12)
    if attention:
        weights = model.alignment(source, target)
        for b, (_, want) in enumerate(wanted):
            torch.testing.assert_close(weights[b, : len(want), : len(SOURCES[b])], want, rtol=1e-11, atol=1e-12)
            assert (weights[b, :, len(SOURCES[b]) :] == 0).all()
    names = [name for name, _ in model.named_parameters()]
    parameters = list(model.parameters())
    got = torch.autograd.grad(loss_of(ours), parameters)
    want = torch.autograd.grad(loss_of([rows for rows, _ in wanted]), parameters)
    for name, one, other in zip(names, got, want, strict=True):
        if "embedding" in name:
            one, other = one[1:], other[1:]  # the row of padding has no gradient in ours, and is not used in the loop
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-10, msg=name)


@every_kind
def test_padding_changes_nothing(attention):
    model = make(attention)
    wide = torch.cat([pad(SOURCES), torch.full((3, 4), PAD)], dim=1)
    target = pad(TARGETS)
    logits = model(wide, target[:, :-1])
    for b in range(3):
        alone = model(torch.tensor([SOURCES[b]]), torch.tensor([TARGETS[b][:-1]]))
        torch.testing.assert_close(logits[b, : len(TARGETS[b]) - 1], alone[0], rtol=0, atol=1e-12)
    losses = [
        model.loss(torch.tensor([s]), torch.tensor([t])) * (len(t) - 1) for s, t in zip(SOURCES, TARGETS, strict=True)
    ]
    mean = sum(losses) / sum(len(t) - 1 for t in TARGETS)
    torch.testing.assert_close(model.loss(wide, target), mean, rtol=1e-12, atol=1e-12)


@every_kind
def test_a_logit_does_not_see_the_tokens_after_it(attention):
    model, source = make(attention), pad(SOURCES)
    target = torch.randint(3, VT, (3, 7))
    changed = target.clone()
    changed[:, 4:] = 3 + (changed[:, 4:] - 2) % (VT - 3)
    assert torch.equal(model(source, target)[:, :4], model(source, changed)[:, :4])
    assert not torch.allclose(model(source, target)[:, 4:], model(source, changed)[:, 4:])


@every_kind
@pytest.mark.parametrize("feeding", [False, True])
def test_a_target_in_pieces_equals_the_target_in_one(attention, feeding):
    if feeding and attention is None:
        pytest.skip("nothing to feed back without attention")
    model, source = make(attention, input_feeding=feeding), pad(SOURCES)
    target = torch.randint(3, VT, (3, 7))
    encoded, state, attended, pieces = model.encode(source), None, None, []
    for piece in target.split([1, 2, 4], dim=1):
        decoded = model.decode(piece, encoded, state, attended)
        state, attended = decoded.state, decoded.attended
        pieces.append(decoded.logits)
    torch.testing.assert_close(torch.cat(pieces, dim=1), model(source, target), rtol=0, atol=1e-12)


@every_kind
@every_cell
@pytest.mark.parametrize("feeding", [False, True])
def test_a_beam_finds_what_enumeration_finds_and_a_beam_of_one_is_greedy(attention, cell, feeding):
    if feeding and attention is None:
        pytest.skip("nothing to feed back without attention")
    torch.manual_seed(1)
    model = Seq2Seq(Seq2SeqConfig(VS, 6, D, H, cell=cell, input_feeding=feeding), attention).double().eval()
    with torch.no_grad():
        model.head.weight.mul_(6.0)
    source, max_length = torch.tensor([SOURCES[0]]), 4
    best = (-torch.inf, ())
    tokens = [token for token in range(6) if token != STOP]
    for n in range(max_length + 1):
        bodies = list(itertools.product(tokens, repeat=n))
        chosen = torch.tensor([[*body, STOP][:max_length] for body in bodies])
        before = torch.cat([torch.full((len(bodies), 1), START), chosen[:, :-1]], dim=1)
        log_probs = model(source.expand(len(bodies), -1), before).log_softmax(-1)
        totals = log_probs.gather(-1, chosen[:, :, None]).sum((1, 2)).tolist()
        best = max(best, *zip(totals, bodies, strict=True))
    found = beam_search(model.stepper(source), START, STOP, beam_size=6**4, max_length=max_length)
    assert found[0].ids == best[1]
    assert found[0].log_prob == pytest.approx(best[0], rel=1e-6)
    one = beam_search(model.stepper(source), START, STOP, beam_size=1, max_length=max_length)[0]
    assert one.ids == greedy_search(model.stepper(source), START, STOP, max_length=max_length)[0].ids


@every_kind
@pytest.mark.parametrize("beam_size", [1, 3])
def test_translations_of_a_batch_are_those_of_each_source_alone(attention, beam_size):
    model = make(attention, input_feeding=attention is not None)
    together = translate(model, pad(SOURCES), max_length=9, beam_size=beam_size, length_penalty=0.3)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = translate(model, torch.tensor([source]), max_length=9, beam_size=beam_size, length_penalty=0.3)
        assert alone.ids == found.ids
        assert alone.log_prob == pytest.approx(found.log_prob, rel=1e-6)
        assert len(found.ids) == 9 or found.finished


@every_kind
def test_with_the_teacher_alone_scheduled_sampling_logits_are_those_of_teacher_forcing(attention):
    model, source, target = make(attention), pad(SOURCES), pad(TARGETS)
    mixed = scheduled_sampling_logits(model, source, target[:, :-1], 1.0)
    torch.testing.assert_close(mixed, model(source, target[:, :-1]), rtol=0, atol=1e-12)


def test_without_the_teacher_the_model_goes_on_from_its_own_draws():
    model, source, target = make("dot"), pad(SOURCES), pad(TARGETS)[:, :-1]
    with torch.no_grad():
        model.head.bias[:] = -1e3
        model.head.bias[7] = 0.0  # whatever it reads, it says 7
    mixed = scheduled_sampling_logits(model, source, target, 0.0)
    own = torch.full_like(target, 7)
    own[:, 0] = START
    torch.testing.assert_close(mixed, model(source, own), rtol=0, atol=1e-12)
    again = torch.Generator().manual_seed(3)
    half = scheduled_sampling_logits(model, source, target.repeat(1, 60), 0.5, generator=again)
    assert not torch.allclose(half, model(source, target.repeat(1, 60)))


def test_the_share_of_the_teacher_is_the_share_of_kept_tokens():
    torch.manual_seed(0)
    model = Seq2Seq(Seq2SeqConfig(VS, VT, D, H)).eval()
    seen = []
    model.decoder.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0][:, 0]))
    with torch.no_grad():
        model.head.bias[:] = -1e3
        model.head.bias[7] = 0.0
    target = torch.full((50, 61), 4)
    target[:, 0] = START
    scheduled_sampling_logits(model, torch.full((50, 3), 5), target, 0.3, generator=torch.Generator().manual_seed(1))
    teacher = torch.stack([(x == model.target_embedding.weight[4]).all(1) for x in seen[1:]]).float().mean().item()
    assert teacher == pytest.approx(0.3, abs=0.03)  # 3,000 coins: standard deviation .008


@every_kind
def test_a_small_reversal_is_learned(attention):
    torch.manual_seed(0)
    model = Seq2Seq(Seq2SeqConfig(VS, VT, 16, 16, cell="gru"), attention)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    source = torch.randint(3, VT, (64, 3))
    target = torch.cat([torch.full((64, 1), START), source.flip(1), torch.full((64, 1), STOP)], dim=1)
    for _ in range(120):
        optimizer.zero_grad()
        model.loss(source, target).backward()
        optimizer.step()
    found = translate(model.eval(), source, max_length=6)
    assert sum(list(h.ids) == row for h, row in zip(found, source.flip(1).tolist(), strict=True)) > 48


def test_bad_input():
    model = make("dot")
    source, target = pad(SOURCES), pad(TARGETS)
    with pytest.raises(ValueError, match=r"`source` must hold a token in each row, got padding only in row 1"):
        model(torch.tensor([[3, 4], [PAD, PAD]]), target[:2])
    with pytest.raises(ValueError, match=r"`source` must have shape \(B, T\) with B and T at least 1, got \(2, 0\)"):
        model(torch.zeros(2, 0).long(), target[:2])
    with pytest.raises(ValueError, match=r"`source` must be padded at its end"):
        model(torch.tensor([[3, PAD, 4]]), target[:1])
    with pytest.raises(ValueError, match=r"`source` must be in 0\.\.16, got values from 3 to 17"):
        model(torch.tensor([[3, 17]]), target[:1])
    with pytest.raises(TypeError, match=r"`target` must be a tensor of whole numbers, got a tensor of torch.float64"):
        model(source, target.double())
    with pytest.raises(ValueError, match=r"stop_id=2 once in each row.*got \[1, 4, 5\] in row 1"):
        model.loss(source[:2], torch.tensor([[START, 4, STOP], [START, 4, 5]]))
    for row in ([START, 4, STOP, 5], [START, 4, STOP, STOP], [START, PAD, 4, STOP]):
        with pytest.raises(ValueError, match=r"`target` must have stop_id=2 once in each row, and padding only after"):
            model.loss(source[:1], torch.tensor([row]))
    with pytest.raises(ValueError, match=r"`target` must have shape \(3, T\), got \(2, "):
        model(source[:3], target[:2])
    with pytest.raises(ValueError, match=r"begin with start_id=1"):
        model.loss(source[:1], torch.tensor([[4, 5, STOP]]))
    with pytest.raises(RuntimeError, match="`alignment` needs attention"):
        make(None).alignment(source, target)
    with pytest.raises(ValueError, match="`beam_size` must be at least 1, got beam_size=0"):
        translate(model, source, max_length=5, beam_size=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hidden_size": 7}, "`hidden_size` must be even"),
        ({"cell": "rnn"}, "`cell` must be one of 'gru', 'lstm', got cell='rnn'"),
        ({"dropout": 1.0}, "`dropout`"),
        ({"embed_dim": 0}, "`embed_dim` must be at least 1"),
        ({"stop_id": 1}, "`pad_id`, `start_id`, `stop_id` must be three different ids, got 0, 1, 1"),
        ({"stop_id": VT}, f"`stop_id` must be at least 0 and less than {VT}, got stop_id={VT}"),
        ({"source_vocab_size": 5, "pad_id": 10}, "`pad_id` must be less than 5, got pad_id=10"),
    ],
)
def test_bad_configs(options, message):
    with pytest.raises(ValueError, match=message):
        Seq2SeqConfig(**{"source_vocab_size": VS, "target_vocab_size": VT, **options})


def test_bad_attention():
    with pytest.raises(ValueError, match="`attention` must be"):
        Seq2Seq(Seq2SeqConfig(VS, VT), "cosine")
    with pytest.raises(ValueError, match="`input_feeding` needs attention"):
        Seq2Seq(Seq2SeqConfig(VS, VT, input_feeding=True))


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.uint8])
def test_ids_of_every_integer_dtype(dtype):
    model, source, target = make("dot"), pad(SOURCES), pad(TARGETS)
    torch.testing.assert_close(model.loss(source.to(dtype), target.to(dtype)), model.loss(source, target))
