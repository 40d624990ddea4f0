"""What pages write by hand computes what the library or torch computes: outputs and gradients, sizes all prime."""

import math
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lmcourse import layers
from lmcourse.alignment import RewardModel, collate, completion_log_probs, ppo, ppo_value_loss
from lmcourse.alignment.lora import LoRALinear
from lmcourse.generation import translate
from lmcourse.layers.recurrent import CausalConv
from lmcourse.layers.rnn_attention import BahdanauAttention, LuongDotAttention, LuongGeneralAttention
from lmcourse.models import GPT, BERTConfig, GPTConfig, MaskedLM, Seq2Seq, Seq2SeqConfig, embeddings
from lmcourse.tokenizers import BPETokenizer, WordPiece
from lmcourse.tokenizers.wordpiece import fewest_pieces
from tests.notebooks.by_hand import defined


@pytest.fixture(autouse=True)
def _seeded_and_exact():
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def from_page(page: str, *names: str) -> SimpleNamespace:
    return SimpleNamespace(**defined(page, *names))


def same(ours: torch.Tensor, theirs: torch.Tensor, *pairs: tuple[torch.Tensor, torch.Tensor], atol=1e-9) -> None:
    """Outputs are equal, and so are the gradients of each pair of parameters."""
    torch.testing.assert_close(ours, theirs, atol=atol, rtol=0)
    weights = torch.randn_like(ours)
    for out, number in ((ours, 0), (theirs, 1)):
        (out * weights).sum().backward()
        assert all(pair[number].grad is not None for pair in pairs)
    for one, other in pairs:
        torch.testing.assert_close(one.grad, other.grad, atol=atol, rtol=0)


def randomised(module: nn.Module) -> nn.Module:
    """No weight is zero or one, as fresh ones may be."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn_like(parameter) / 3)
    return module


def alike(ours: nn.Module, theirs: nn.Module, *given: torch.Tensor) -> None:
    """Two modules whose weights have the same names compute the same, gradients included."""
    theirs.load_state_dict(randomised(ours).state_dict())
    same(ours(*given), theirs(*given), *zip(ours.parameters(), theirs.parameters(), strict=True))


def with_weights_of(cell: nn.Module, kind: type[nn.RNNBase]) -> tuple[nn.RNNBase, list[tuple]]:
    """torch's layer with the weights of a page's cell, and the pairs of parameters."""
    layer = kind(cell.from_input.in_features, cell.from_state.in_features, batch_first=True)
    pairs = []
    for name, part in (("ih", cell.from_input), ("hh", cell.from_state)):
        pairs.append((part.weight, getattr(layer, f"weight_{name}_l0")))
        bias = getattr(layer, f"bias_{name}_l0")
        if part.bias is None:
            nn.init.zeros_(bias)
        else:
            pairs.append((part.bias, bias))
    with torch.no_grad():
        for ours, theirs in pairs:
            theirs.copy_(ours)
    return layer, pairs


def test_softmax_in_numpy_is_that_of_torch_for_small_scores_and_for_large_ones():
    softmax = from_page("00_start_here", "softmax").softmax
    scores = np.random.default_rng(0).normal(size=(3, 7))
    for large in (0.0, 1000.0):
        expected = torch.softmax(torch.tensor(scores + large), dim=-1)
        np.testing.assert_allclose(softmax(scores + large), expected, rtol=1e-9)


def test_the_networks_of_word_vectors_are_the_librarys():
    page = from_page("02_embeddings", "NeuralBigram", "NeuralNGram", "SkipGram", "CBOW")
    alike(page.NeuralBigram(11, 5), embeddings.NeuralBigram(11, 5), torch.arange(11))
    sizes = {"vocab_size": 11, "order": 4, "embed_dim": 5, "hidden_size": 7}
    alike(page.NeuralNGram(**sizes), embeddings.NeuralNGram(**sizes), torch.randint(11, (13, 3)))
    centre, context, negatives = torch.randint(11, (13,)), torch.randint(11, (13,)), torch.randint(11, (13, 3))
    alike(page.SkipGram(11, 5), embeddings.SkipGram(11, 5), centre, context, negatives)
    around = torch.randint(-1, 11, (13, 6))  # -1: no word
    alike(page.CBOW(11, 5), embeddings.CBOW(11, 5), centre, around, negatives)


@pytest.mark.parametrize(("ours", "theirs"), [("RNNCell", nn.RNN), ("GRUCell", nn.GRU)])
def test_the_cells_unrolled_are_those_of_torch(ours, theirs):
    page = from_page("03_recurrent", ours, "unroll")
    cell, x = getattr(page, ours)(5, 7), torch.randn(3, 11, 5)
    layer, pairs = with_weights_of(cell, theirs)
    same(page.unroll(cell, x, torch.zeros(3, 7)), layer(x)[0], *pairs)


def test_the_lstm_cell_is_that_of_torch():
    cell, x = from_page("03_recurrent", "LSTMCell").LSTMCell(5, 7), torch.randn(3, 11, 5)
    layer, pairs = with_weights_of(cell, nn.LSTM)
    h = c = torch.zeros(3, 7)
    states = []
    for t in range(11):
        h, c = cell(x[:, t], (h, c))
        states.append(h)
    theirs, (last_h, last_c) = layer(x)
    torch.testing.assert_close(torch.stack([h, c]), torch.stack([last_h[0], last_c[0]]))
    same(torch.stack(states, dim=1), theirs, *pairs)


def test_the_convolution_is_that_of_the_library():
    make = from_page("03_recurrent", "CausalConv").CausalConv
    ours, theirs = make(5, 7, kernel_size=3, dilation=2), CausalConv(5, 7, kernel_size=3, dilation=2)
    theirs.load_state_dict(ours.state_dict())
    x = torch.randn(2, 13, 5)
    same(ours(x), theirs(x), *zip(ours.parameters(), theirs.parameters(), strict=True))


@pytest.mark.parametrize(("ours", "attention"), [("Translator", None), ("AttentionTranslator", "dot")])
def test_the_translators_are_the_librarys_in_loss_and_in_what_they_say(ours, attention):
    page = from_page("04_seq2seq_attention", "PAD", "Translator", "AttentionTranslator", "loss_of", "translate")
    model = randomised(getattr(page, ours)(23, 19, hidden_size=6))
    theirs = Seq2Seq(Seq2SeqConfig(23, 19, embed_dim=6, hidden_size=6), attention)
    theirs.load_state_dict(model.state_dict())
    source, target = torch.randint(3, 23, (5, 7)), torch.randint(3, 19, (5, 11))
    source[1:3, 4:], target[2:, 9:] = page.PAD, page.PAD
    target[:, 0], target[:2, -1], target[2:, 8] = page.START, page.STOP, page.STOP
    by_name = dict(theirs.named_parameters())
    pairs = [(parameter, by_name[name]) for name, parameter in model.named_parameters()]
    same(page.loss_of(model, source, target), theirs.loss(source, target), *pairs)
    said = page.translate(model, source, max_length=13)[:, 1:].tolist()
    found = translate(theirs, source, max_length=13)
    assert [row[: len(one.ids)] for row, one in zip(said, found, strict=True)] == [list(one.ids) for one in found]


def test_three_ways_to_score_are_those_of_the_librarys_attention():
    page = from_page("04_seq2seq_attention", "dot", "general", "additive")
    query, memory = torch.randn(2, 3, 6), torch.randn(2, 5, 6)
    keep = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    general, additive = LuongGeneralAttention(6, 6), BahdanauAttention(6, 6, 4)
    weights = (additive.query_projection.weight, additive.key_projection.weight, additive.energy.weight[0])
    for layer, scores in (
        (LuongDotAttention(), page.dot(query, memory)),
        (general, page.general(query, memory, general.key_projection.weight)),
        (additive, page.additive(query, memory, *weights)),
    ):
        context = scores.masked_fill(~keep[:, None], -math.inf).softmax(-1) @ memory
        torch.testing.assert_close(context, layer(query, memory, keep)[0])


def test_positions_are_those_of_the_library():
    page = from_page("05_self_attention", "sinusoids", "rotate")
    torch.testing.assert_close(page.sinusoids(13, 22), layers.sinusoidal_positions(13, 22).double(), atol=1e-6, rtol=0)
    x = torch.randn(2, 3, 13, 22)
    torch.testing.assert_close(page.rotate(x), layers.RotaryPositionalEmbedding(22)(x), atol=1e-5, rtol=0)


def test_attention_in_numpy_is_that_of_the_library_for_a_sentence_and_for_a_batch():
    attend = from_page("05_self_attention", "softmax", "attention_numpy").attention_numpy
    query, key, value = np.random.default_rng(0).normal(size=(3, 2, 7, 5))
    theirs = layers.scaled_dot_product_attention(*(torch.tensor(part)[:, None] for part in (query, key, value)))[:, 0]
    np.testing.assert_allclose(attend(query, key, value), theirs, atol=1e-12)
    np.testing.assert_allclose(attend(query[0], key[0], value[0]), theirs[0], atol=1e-12)


def test_byte_pairs_are_those_of_the_library_when_learned_and_when_applied():
    names = ("merge", "split_into_bytes", "most_frequent", "naive_train", "count_pairs", "merge_everywhere")
    page = from_page("07_bpe", "regex", "GPT2_PATTERN", *names, "incremental_train", "encode_word", "tokenize")
    text = "the cat sat on the mat; the rat that sat there ate. Größe, größer! " * 3
    theirs = BPETokenizer.train(text, 256 + 29)
    pre_tokens = page.regex.findall(page.GPT2_PATTERN, text)
    assert page.naive_train(pre_tokens, 29) == page.incremental_train(pre_tokens, 29) == theirs.merges
    rank = {pair: number for number, pair in enumerate(theirs.merges)}
    for said in (text, "a heathen in a sheath", "Fußmatte 🐈"):
        assert page.tokenize(said, rank) == theirs.tokens(said)


def test_longest_match_and_fewest_tokens_are_the_librarys():
    page = from_page("07_bpe", "longest_match", "cheapest", "fewest")
    pieces = {*"cares", "ar", "car", "care", "es", "ess"}
    names = ["[UNK]", *sorted(pieces), *sorted("##" + piece for piece in pieces)]
    strings = ["".join(letters) for n in range(1, 7) for letters in product("care", repeat=n)]
    for word in [*strings[::7], "caress", "caresses", "scarce", "x", "cox"]:
        assert page.longest_match(word, set(names), "##") == WordPiece(names, lower_case=False).tokens(word)
        if set(word) <= pieces:
            assert len(page.fewest(word, pieces)) == len(fewest_pieces(word, pieces))


@pytest.mark.parametrize("key_value_heads", [None, 2])
def test_the_gpt_is_the_librarys_also_with_grouped_queries(key_value_heads):
    names = ("CausalSelfAttention", "FeedForward", "Block", "GPT")
    page = from_page("08_gpt", *names)  # the second class, with a cache and grouped queries
    ours = randomised(page.GPT(53, 24, num_heads=6, num_layers=2, num_kv_heads=key_value_heads))
    config = GPTConfig(53, 16, 24, 6, 2, num_kv_heads=key_value_heads, positions="rotary", norm="rms", bias=False)
    theirs = GPT(config)
    theirs.load_state_dict(ours.state_dict())
    ids = torch.randint(53, (2, 11))
    by_name = dict(theirs.named_parameters())
    pairs = [(parameter, by_name[name]) for name, parameter in ours.named_parameters() if name in by_name]
    assert len(pairs) > 10
    loss = F.cross_entropy(ours(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    torch.testing.assert_close(ours(ids), theirs(ids), atol=1e-5, rtol=0)
    same(loss, theirs.loss(ids[:, :-1], ids[:, 1:]), *pairs, atol=1e-5)


def test_five_rounds_of_the_polynomial_do_what_torchs_muon_does():
    update = torch.randn(17, 11)
    weight = nn.Parameter(torch.zeros(17, 11))
    weight.grad = update.clone()
    torch.optim.Muon([weight], lr=1.0, momentum=0.0, weight_decay=0.0, nesterov=False).step()
    ours = from_page("08_gpt", "orthogonalise").orthogonalise(update)
    assert float(F.cosine_similarity(ours.flatten(), -weight.detach().flatten(), dim=0)) > 0.999


def masked_twin(ours: nn.Module) -> tuple[MaskedLM, list[tuple]]:
    """The library's masked model with the weights of the page's, and pairs of parameters of both."""
    part = ours.encoder
    (vocab_size, embed_dim), length = part.tokens.weight.shape, len(part.positions)
    config = BERTConfig(vocab_size, length, embed_dim, part.blocks[0].num_heads, len(part.blocks), norm_eps=1e-5)
    theirs = MaskedLM(config).eval()
    state = {
        "encoder.embedding.weight": part.tokens.weight,
        "encoder.positions.weight": part.positions,
        "encoder.segment_embedding.weight": part.segments.weight,
        "bias": ours.bias,
    }
    parts = {"encoder.norm": part.norm, "transform": ours.transform, "norm": ours.norm}
    chunks = {}
    for number, block in enumerate(part.blocks):
        at = f"encoder.layers.{number}."
        for name, weight, bias in zip("qkv", block.qkv.weight.chunk(3), block.qkv.bias.chunk(3), strict=True):
            chunks |= {f"{at}attention.{name}_proj.weight": weight, f"{at}attention.{name}_proj.bias": bias}
        inner = [key.rsplit(".", 1)[0] for key in theirs.state_dict() if key.startswith(at + "feed_forward.")]
        parts |= dict(zip(dict.fromkeys(inner), (block.feed_forward[0], block.feed_forward[2]), strict=True))
        parts |= {at + "attention.out_proj": block.out, at + "attention_norm": block.attention_norm}
        parts |= {at + "feed_forward_norm": block.feed_forward_norm}
    state |= {f"{name}.{key}": value for name, each in parts.items() for key, value in each.named_parameters()}
    theirs.load_state_dict(state | chunks)
    by_name = dict(theirs.named_parameters())
    return theirs, [(parameter, by_name[name]) for name, parameter in state.items() if name in by_name]


def test_the_masked_model_is_the_librarys():
    page = from_page("09_bert", "MASK", "IGNORE_INDEX", "Block", "BERT", "MaskedLM")
    ours = randomised(page.MaskedLM(23, 11, 12, num_heads=3, num_layers=2))
    theirs, pairs = masked_twin(ours)
    ids, labels = torch.randint(5, 23, (3, 11)), torch.randint(5, 23, (3, 11))
    labels[:, ::2] = page.IGNORE_INDEX
    torch.testing.assert_close(ours(ids), theirs(ids))
    loss = F.cross_entropy(ours(ids).transpose(1, 2), labels, ignore_index=page.IGNORE_INDEX)
    same(loss, theirs.loss(ids, labels).double(), *pairs, atol=1e-5)


def test_the_adapter_is_that_of_the_library():
    ours = from_page("10_instruction_tuning", "LoRALinear").LoRALinear(nn.Linear(11, 7), 3, 6)
    theirs = LoRALinear(nn.Linear(11, 7), 3, alpha=6)
    theirs.load_state_dict(randomised(ours).state_dict())
    same(ours(x := torch.randn(2, 5, 11)), theirs(x), (ours.lora_A, theirs.lora_A), (ours.lora_B, theirs.lora_B))


def test_rewards_and_log_probabilities_of_replies_are_those_of_the_library():
    page = from_page("11_rlhf", "RewardModel", "log_probs_of", "reply_log_probs")
    body = randomised(GPT(GPTConfig(23, 16, 12, 3, 2))).eval()
    replies = collate([[3, 5], [7, 11]], [[2, 4, 6], [8]])
    ours, theirs = randomised(page.RewardModel(body)).eval(), RewardModel(body)
    theirs.load_state_dict(ours.state_dict())
    torch.testing.assert_close(ours(replies), theirs.score(replies))
    torch.testing.assert_close(page.reply_log_probs(body, replies), completion_log_probs(body, replies))


def test_ppos_whitening_and_value_loss_are_those_of_the_library():
    page = from_page("11_rlhf", "whiten", "value_loss")
    values, old_values, returns, advantages = torch.randn(4, 3, 7)
    mask = torch.arange(7)[None] < torch.tensor([7, 4, 1])[:, None]
    torch.testing.assert_close(page.whiten(advantages, mask), ppo.whiten(advantages, mask))
    ours = page.value_loss(values, old_values, returns, mask)
    torch.testing.assert_close(ours, ppo_value_loss(values, old_values, returns, mask))
