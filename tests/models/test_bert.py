"""BERT beside transformers', and the masking of words."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from lmcourse import data
from lmcourse.layers import sinusoidal_positions
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.models import weight_names
from lmcourse.models.bert import BERT, BERTConfig, MaskedLM, mask_tokens, small_start
from lmcourse.tokenizers.wordpiece import WordPiece

V, T, D, H, L = 59, 23, 24, 4, 3


@pytest.fixture
def pair(tmp_path):
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=V,
        hidden_size=D,
        num_hidden_layers=L,
        num_attention_heads=H,
        intermediate_size=41,
        max_position_embeddings=T,
        type_vocab_size=3,
    )
    reference = transformers.BertModel(config).eval()
    with torch.no_grad():
        for parameter in reference.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    reference.save_pretrained(tmp_path)
    return BERT.from_pretrained(tmp_path), reference


def test_vectors_and_gradients_equal_transformers(pair):
    ours, theirs = pair
    ids, segments = torch.randint(1, V, (5, 17)), torch.randint(3, (5, 17))  # 0 is padding there: no gradient
    keep = torch.arange(17) < torch.tensor([17, 1, 9, 13, 4])[:, None]
    expected = theirs(ids, attention_mask=keep.long(), token_type_ids=segments).last_hidden_state
    result = ours(ids, keep, segments)
    torch.testing.assert_close(result[keep], expected[keep], atol=1e-5, rtol=1e-5)
    weight = torch.randn(int(keep.sum()), D)
    (result[keep] * weight).sum().backward()
    (expected[keep] * weight).sum().backward()
    grads = {name: p.grad for name, p in theirs.named_parameters() if not name.startswith("pooler")}
    expected_grads = weight_names.renamed(grads, weight_names.BERT)
    for name, parameter in ours.named_parameters():
        torch.testing.assert_close(parameter.grad, expected_grads[name], atol=1e-4, rtol=1e-3, msg=name)


def test_the_states_of_every_layer_equal_transformers(pair):
    ours, theirs = pair
    ids = torch.randint(1, V, (2, 13))
    expected = theirs(ids, output_hidden_states=True).hidden_states
    result = ours.hidden_states(ids)
    assert len(result) == len(expected) == L + 1
    for mine, other in zip(result, expected, strict=True):
        torch.testing.assert_close(mine, other, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(result[-1], ours(ids), rtol=0, atol=0)


def test_padding_at_the_beginning_equals_transformers_and_shifts_the_positions(pair):
    ours, theirs = pair
    ids = torch.randint(1, V, (1, 7))
    padded, keep = torch.cat([torch.zeros(1, 6, dtype=torch.long), ids], dim=1), torch.arange(13)[None] >= 6
    expected = theirs(padded, attention_mask=keep.long()).last_hidden_state
    torch.testing.assert_close(ours(padded, keep)[keep], expected[keep], atol=1e-5, rtol=1e-5)
    assert (ours(padded, keep)[keep] - ours(ids)[0]).abs().max() > 1e-2  # so a batch is padded at the end


def test_padding_changes_nothing():
    torch.manual_seed(0)
    model = BERT(BERTConfig(V, T, D, H, L)).double().eval()
    ids = torch.randint(V, (1, 7))
    padded = torch.cat([ids, torch.randint(V, (1, 6))], dim=1)
    keep = torch.arange(13)[None] < 7
    torch.testing.assert_close(model(padded, keep)[:, :7], model(ids))


def test_masked_lm_scores_the_chosen_places_only():
    torch.manual_seed(0)
    model = MaskedLM(BERTConfig(V, T, D, H, L)).double()
    ids, labels = torch.randint(V, (3, 11)), torch.full((3, 11), IGNORE_INDEX)
    labels[0, 4], labels[2, 9] = 17, 23
    log_probs = model(ids).log_softmax(-1)
    by_hand = -(log_probs[0, 4, 17] + log_probs[2, 9, 23]) / 2
    torch.testing.assert_close(model.loss(ids, labels), by_hand, check_dtype=False)
    assert model.loss(ids, torch.full_like(labels, IGNORE_INDEX)).item() == 0.0


@pytest.mark.parametrize("kind", [BERT, MaskedLM])
def test_a_small_start_is_wide_and_its_positions_are_waves(kind):
    torch.manual_seed(0)
    model = kind(BERTConfig(1_009, 64, 96, 4, 2))
    small_start(model)
    encoder = model if kind is BERT else model.encoder
    assert encoder.embedding.weight.std().item() == pytest.approx(0.1, rel=0.02)
    assert encoder.layers[1].attention.k_proj.weight.std().item() == pytest.approx(0.8 / 96**0.5, rel=0.03)
    torch.testing.assert_close(encoder.positions.weight.detach(), 0.3 * sinusoidal_positions(64, 96))
    with pytest.raises(TypeError, match="`model` must be of type BERT or MaskedLM, got Linear"):
        small_start(torch.nn.Linear(2, 3))


def test_shares_of_masking():
    n, share = 200_000, 0.15
    ids = torch.randint(5, V, (1, n), generator=torch.Generator().manual_seed(1))
    inputs, labels = mask_tokens(ids, 4, V, special_ids=(0, 1), generator=torch.Generator().manual_seed(2))
    chosen = labels != IGNORE_INDEX
    assert chosen.float().mean().item() == pytest.approx(share, abs=0.004)  # five standard deviations
    torch.testing.assert_close(labels[chosen], ids[chosen])
    assert (inputs[~chosen] == ids[~chosen]).all()
    masked = (inputs[chosen] == 4).float().mean().item()
    kept = (inputs[chosen] == ids[chosen]).float().mean().item()
    drawn = 1.0 - masked - kept
    assert masked == pytest.approx(0.8, abs=0.012)
    # a random token is the old one in 1 of the V - 3 that may be drawn
    assert kept == pytest.approx(0.1 + 0.1 / (V - 3), abs=0.009)
    assert drawn == pytest.approx(0.1 - 0.1 / (V - 3), abs=0.009)
    replaced = inputs[chosen & (inputs != ids) & (inputs != 4)]
    assert set(replaced.tolist()) <= set(range(V)) - {0, 1, 4}
    assert len(set(replaced.tolist())) == V - 3


def test_special_tokens_are_never_chosen():
    ids = torch.tensor([[1, 7, 2, 8, 2, 0, 0]])
    inputs, labels = mask_tokens(ids, 3, V, special_ids=(0, 1, 2), share=1.0)
    assert labels.tolist() == [[IGNORE_INDEX, 7, IGNORE_INDEX, 8, IGNORE_INDEX, IGNORE_INDEX, IGNORE_INDEX]]
    assert inputs[0, [0, 2, 4, 5, 6]].tolist() == [1, 2, 2, 0, 0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m, ids: m(ids.float()), TypeError, "`ids` must be a tensor of whole numbers"),
        (lambda m, ids: m(ids[:, :0]), ValueError, r"`ids` must have shape \(B, T\)"),
        (lambda m, ids: m(ids, segments=ids[:, :2]), ValueError, "`ids`, `segments` must have the same shape"),
        (
            lambda m, ids: m(ids, torch.ones(2, 4, dtype=torch.bool)),
            ValueError,
            r"`ids`, `attention_mask` must have the same shape, got ids \(2, 5\), attention_mask \(2, 4\)",
        ),
        (lambda m, ids: m(ids, torch.ones(2, 5)), TypeError, "bool"),
        (lambda m, ids: m(ids + V), ValueError, rf"`ids` must be in 0\.\.{V - 1}, got values from {V} to {V}"),
        (lambda m, ids: m(ids, segments=ids + 2), ValueError, r"`segments` must be in 0\.\.1, got values from 2 to 2"),
        (
            lambda m, ids: m(torch.zeros(1, T + 1, dtype=torch.long)),
            ValueError,
            f"`ids` must not be longer than context_length={T}, got T={T + 1}",
        ),
        (
            lambda m, ids: mask_tokens(ids, V, V),
            ValueError,
            f"`mask_id` must be at least 0 and less than {V}, got mask_id={V}",
        ),
        (
            lambda m, ids: mask_tokens(ids, 0, V, share=0.0),
            ValueError,
            "`share` must be more than 0 and at most 1, got share=0",
        ),
        (
            lambda m, ids: mask_tokens(ids, 0, 2, special_ids=(1,)),
            ValueError,
            "`special_ids` must leave tokens to sample from",
        ),
    ],
)
def test_bad_input(call, error, message):
    model = BERT(BERTConfig(V, T, D, H, 1))
    with pytest.raises(error, match=message):
        call(model, torch.zeros(2, 5, dtype=torch.long))


def changed_weights(folder, change):
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors")


def changed_config(folder, **settings):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | settings))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda folder: changed_weights(folder, lambda w: w.pop("encoder.layer.1.attention.self.key.weight")),
            r"missing: layers.1.attention.k_proj.weight; surplus: none",
        ),
        (
            lambda folder: changed_weights(folder, lambda w: w.update({"encoder.extra": torch.zeros(2)})),
            "missing: none; surplus: encoder.extra",
        ),
        (
            lambda folder: changed_config(folder, max_position_embeddings=T - 2),
            rf"positions.weight \({T}, {D}\) instead of \({T - 2}, {D}\)",
        ),
        (lambda folder: changed_config(folder, num_hidden_layers=L - 1), r"surplus: layers.2.*and 12 more"),
        (
            lambda folder: changed_config(folder, model_type="roberta"),
            "`model_type` .* must be one of bert, got 'roberta'",
        ),
        (lambda folder: changed_config(folder, hidden_act="relu"), "`hidden_act` .* must be 'gelu', got 'relu'"),
        (
            lambda folder: changed_config(folder, position_embedding_type="relative_key"),
            "`position_embedding_type` .* must be 'absolute'",
        ),
        (
            lambda folder: (folder / "config.json").write_text('{"model_type": "bert"}'),
            "config.json must hold 'vocab_size', got model_type",
        ),
        (lambda folder: (folder / "config.json").write_text("[1, 2"), "config.json is damaged"),
        (lambda folder: (folder / "config.json").write_text("[1, 2]"), "config.json is damaged"),
        (
            lambda folder: (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-8]),
            "model.safetensors is damaged",
        ),
    ],
)
def test_a_folder_that_does_not_fit(pair, tmp_path, spoil, message):
    spoil(tmp_path)
    with pytest.raises(ValueError, match=message):
        BERT.from_pretrained(tmp_path)


def test_no_folder_and_no_weights(tmp_path):
    with pytest.raises(FileNotFoundError, match="`path` must be a folder"):
        BERT.from_pretrained(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError, match="must hold config"):
        BERT.from_pretrained(tmp_path)


def test_the_heads_of_a_folder_are_left_out(pair, tmp_path):
    """A folder of a masked language model or a classifier: names begin with "bert.", and there is more on top."""
    weights = {f"bert.{name}": tensor for name, tensor in load_file(tmp_path / "model.safetensors").items()}
    save_file(weights | {"cls.predictions.bias": torch.zeros(V)}, tmp_path / "model.safetensors")
    ids = torch.randint(V, (2, 5))
    torch.testing.assert_close(BERT.from_pretrained(tmp_path)(ids), pair[0](ids))


@pytest.mark.slow
def test_minilm_equals_transformers_in_every_layer():
    transformers = pytest.importorskip("transformers")
    if not data.is_cached("minilm"):
        pytest.skip("the model `minilm` is not on this machine")
    folder = data.fetch("minilm")
    ours, theirs = BERT.from_pretrained(folder), transformers.BertModel.from_pretrained(folder).eval()
    pieces, tokenizer = WordPiece.load(folder / "vocab.txt"), transformers.AutoTokenizer.from_pretrained(folder)
    texts = ["She robbed the bank.", "Unbreakable smartphones, naïve façades & 2,023 emoji: ok?", "a", "时间 flies"]
    rows = [pieces.encode_pair(text)[0] for text in texts]
    assert rows == tokenizer(texts)["input_ids"]
    width = max(map(len, rows))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    keep = ids != 0
    with torch.no_grad():
        expected = theirs(ids, attention_mask=keep.long(), output_hidden_states=True).hidden_states
        result = ours.hidden_states(ids, keep)
    for mine, other in zip(result, expected, strict=True):
        torch.testing.assert_close(mine[keep], other[keep], atol=1e-5, rtol=1e-5)
