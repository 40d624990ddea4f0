"""Good arguments for what `lmcourse.layers` makes public."""

import torch

from lmcourse import layers
from tests.fuzz.examples.things import ANY_LENGTH, ANY_SIZE, META, NO_DROPOUT, VALUES, floats, ids, yes
from tests.fuzz.judge import Example

PLACE = {"device": "cpu", "dtype": torch.float32}
EPS = ("norm_eps", "zero, tiny", "no floor under the variance, as torch.nn.LayerNorm takes it")
ON_META = ("device", "other text", "another device")
MASK = ("*attention_mask", "one dimension less, longer 1, transposed", "it broadcasts to (B, H, T, S)")
ANY_OFFSET = ("offset", "zero", "the beginning of a text")


def _rotary():
    return layers.RotaryPositionalEmbedding(4)


def _attention():
    return layers.MultiHeadAttention(8, 2, num_kv_heads=1)


def _cache():
    return layers.KVCache(2, 1, 9, 4)


def _heads(*names):
    """Query (2, 3, 5, 4), key and value (2, 3, 7, 4)."""
    sizes = {"query": (2, 3, 5, 4), "key": (2, 3, 7, 4), "value": (2, 3, 7, 4)}
    return {name: floats(*sizes[name]) for name in names}


_MASKED = {"attention_mask": yes(2, 1, 5, 7), "causal": True, "scale": 0.5}
_SCALE = ("scale", "zero, negative, huge, tiny", "any finite number: the scores times it")
_ATTENTION = (
    ("*", *VALUES),
    ("value", "longer 3, empty 3", "values may have another width"),
    ("bias", "one dimension *", "it broadcasts to (B, H, T, S)"),
    ("attention_mask", "one dimension less, longer 1, transposed", "it broadcasts to (B, H, T, S)"),
    _SCALE,
    ("dropout_p", "zero, tiny", "no dropout"),
)


def _recurrent(kind, state):
    name = f"layers.{kind.__name__}"
    sizes = {"input_size": 5, "hidden_size": 7, "num_layers": 1, "dropout": 0.0, "bidirectional": True, "fused": True}
    steps = {"x": floats(2, 6, 5), "state": state, "lengths": torch.tensor([6, 4])}
    return {
        name: Example(lambda: (kind, {**sizes, **PLACE}), accepts=(NO_DROPOUT,)),
        f"{name}.forward": Example(
            lambda: (kind(5, 7), dict(steps)),
            accepts=(
                ("x", *VALUES),
                ("state", *VALUES),
                ("x", "longer 1", ANY_LENGTH),
                ("lengths", "kind: list", "a list of lengths is as good as a tensor"),
            ),
        ),
        f"{name}.weights": Example(
            lambda: (kind(5, 7, 2, bidirectional=True).weights, {"layer": 1, "direction": 1}),
            accepts=(("layer", "zero", "the first layer"), ("direction", "zero", "forward")),
        ),
    }


def _rnn_attention(kind, *sizes):
    name = f"layers.{kind.__name__}"
    call = {"query": floats(2, 3, 5), "keys": floats(2, 4, 5), "attention_mask": yes(2, 4)}
    taken = (("query", *VALUES), ("keys", *VALUES), ("query", "longer 1, empty 1", "any number of queries"))
    return {f"{name}.forward": Example(lambda: (kind(*sizes), dict(call)), accepts=taken)}


EXAMPLES = {
    **_recurrent(layers.RNN, floats(1, 2, 7)),
    **_recurrent(layers.GRU, floats(1, 2, 7)),
    **_recurrent(layers.LSTM, (floats(1, 2, 7), floats(1, 2, 7))),
    **_rnn_attention(layers.BahdanauAttention, 5, 5, 7),
    **_rnn_attention(layers.LuongGeneralAttention, 5, 5),
    **_rnn_attention(layers.LuongDotAttention),
    "layers.BahdanauAttention": Example(lambda: {"query_dim": 5, "key_dim": 7, "hidden_size": 3}),
    "layers.LuongGeneralAttention": Example(lambda: {"query_dim": 5, "key_dim": 7}),
    "layers.CausalConv": Example(
        lambda: {"in_channels": 3, "out_channels": 5, "kernel_size": 2, "dilation": 2, **PLACE}
    ),
    "layers.CausalConv.forward": Example(
        lambda: (layers.CausalConv(3, 5, 2), {"x": floats(2, 6, 3)}),
        accepts=(("x", *VALUES), ("x", "longer 0, longer 1", ANY_SIZE)),
    ),
    "layers.ALiBi": Example(lambda: {"num_heads": 3}),
    "layers.ALiBi.forward": Example(
        lambda: (
            layers.ALiBi(3),
            {"query": floats(2, 3, 5, 4), "key": floats(2, 3, 7, 4), "positions": ids(2, 7, low=0, high=7)},
        ),
        accepts=(
            ("query", *VALUES),
            ("key", *VALUES),
            ("positions", "huge", "any position"),
            ("query", "longer 2, empty 2", "any number of queries"),
            ("key", "longer 1, empty 1", "any number of key heads"),
            ("[qk]*", "dtype, float16", "only their shapes and dtype count"),
        ),
    ),
    "layers.alibi_slopes": Example(lambda: {"num_heads": 3, "device": "cpu"}),
    "layers.AttentionConfig": Example(
        lambda: (
            {"num_kv_heads": 1, "dropout": 0.1, "rotary": _rotary(), "alibi": None, "qk_norm": True}
            | {"head_dim": 4, "window": 3}
        ),
        accepts=(NO_DROPOUT,),
    ),
    "layers.FeedForward": Example(
        lambda: {"embed_dim": 8, "hidden_size": 5, "activation": "swiglu", "dropout": 0.1, "bias": True, **PLACE},
        accepts=(NO_DROPOUT,),
    ),
    "layers.FeedForward.forward": Example(
        lambda: (layers.FeedForward(8, 5), {"x": floats(2, 3, 8)}),
        accepts=(
            ("x", *VALUES),
            ("x", "longer 0, longer 1, one dimension *, empty 0, empty 1", "vectors of any shape"),
        ),
    ),
    "layers.EncoderLayer": Example(lambda: _layer(layers.EncoderLayer), accepts=(NO_DROPOUT, EPS)),
    "layers.EncoderLayer.forward": Example(
        lambda: (
            layers.EncoderLayer(8, 2, 5),
            {"x": floats(2, 3, 8), "attention_mask": yes(2, 1, 1, 3), "causal": True, "cache": None}
            | {"positions": None, "return_weights": True},
        ),
        accepts=(
            ("x", *VALUES),
            ("attention_mask", "one dimension less, longer 1, transposed", "it broadcasts to (B, H, T, S)"),
        ),
    ),
    "layers.DecoderLayer": Example(lambda: _layer(layers.DecoderLayer), accepts=(NO_DROPOUT, EPS)),
    "layers.DecoderLayer.forward": Example(
        lambda: (
            layers.DecoderLayer(8, 2, 5),
            {"x": floats(2, 3, 8), "memory": floats(2, 7, 8), "attention_mask": yes(2, 1, 1, 3), "causal": True}
            | {"memory_attention_mask": yes(2, 1, 1, 7), "cache": None, "return_weights": True},
        ),
        accepts=(("x", *VALUES), ("memory", *VALUES), MASK),
    ),
    "layers.DecoderLayer.new_cache": Example(
        lambda: (layers.DecoderLayer(8, 2, 5).new_cache, {"batch_size": 2, "max_length": 7, "memory_length": 3})
    ),
    "layers.MultiHeadAttention": Example(
        lambda: (
            {"embed_dim": 8, "num_heads": 2, "num_kv_heads": 1, "bias": True, "dropout": 0.1, "rotary": _rotary()}
            | {"alibi": None, "qk_norm": True, "norm_eps": 1e-5, "head_dim": 4, "window": 3, **PLACE}
        ),
        accepts=(NO_DROPOUT, EPS),
    ),
    "layers.MultiHeadAttention.forward": Example(
        lambda: (
            _attention(),
            {"x": floats(2, 3, 8), "memory": None, "attention_mask": yes(2, 1, 3, 3), "causal": True}
            | {"cache": _cache(), "positions": None, "return_weights": True},
        ),
        accepts=(
            ("x", *VALUES),
            ("attention_mask", "one dimension less, longer 1, transposed", "it broadcasts to (B, H, T, S)"),
        ),
    ),
    "layers.MultiHeadAttention.new_cache": Example(
        lambda: (_attention().new_cache, {"batch_size": 2, "max_length": 7})
    ),
    "layers.KVCache": Example(
        lambda: {"batch_size": 2, "num_kv_heads": 1, "max_length": 9, "head_dim": 4, "window": 3, **PLACE}
    ),
    "layers.KVCache.append": Example(
        lambda: (_cache().append, {"k": floats(2, 1, 3, 4), "v": floats(2, 1, 3, 4)}), accepts=(("[kv]", *VALUES),)
    ),
    "layers.KVCache.grow": Example(lambda: (_cache().grow, {"max_length": 12})),
    "layers.KVCache.reorder": Example(
        lambda: (_cache().reorder, {"rows": torch.tensor([1, 0])}),
        accepts=(("rows", "longer 0, empty 0", "as many rows as are wanted"),),
    ),
    "layers.LearnedPositionalEmbedding": Example(lambda: {"max_length": 9, "embed_dim": 4, **PLACE}),
    "layers.LearnedPositionalEmbedding.forward": Example(
        lambda: (layers.LearnedPositionalEmbedding(9, 4), {"x": floats(2, 3, 4), "offset": 1}),
        accepts=(("x", *VALUES), ("x", "longer 0, longer 1, empty 0, empty 1", ANY_SIZE), ANY_OFFSET),
    ),
    "layers.SinusoidalPositions": Example(
        lambda: {"embed_dim": 4, "base": 100.0}, accepts=(("base", "huge, tiny", "any rate above 0"),)
    ),
    "layers.SinusoidalPositions.forward": Example(
        lambda: (layers.SinusoidalPositions(4), {"x": floats(2, 3, 4), "offset": 1}),
        accepts=(
            ("x", *VALUES),
            ("x", "longer 0, longer 1, empty 0, empty 1", ANY_SIZE),
            ("x", "device", META),
            ANY_OFFSET,
        ),
    ),
    "layers.sinusoidal_positions": Example(
        lambda: {"length": 5, "embed_dim": 4, "base": 100.0, **PLACE},
        accepts=(("length", "zero", "no positions"), ("base", "huge, tiny", "any rate above 0")),
    ),
    "layers.RotaryPositionalEmbedding": Example(
        lambda: {"head_dim": 4, "base": 100.0, "interleaved": True, "scaling": (8.0, 1.0, 4.0, 16.0)},
        accepts=(
            ("base", "huge, tiny", "any rate above 0"),
            ("scaling", "item huge", "the slow pairs then hardly rotate"),
        ),
    ),
    "layers.RotaryPositionalEmbedding.forward": Example(
        lambda: (_rotary(), {"x": floats(2, 3, 5, 4), "offset": 1}),
        accepts=(
            ("x", *VALUES),
            ("x", "longer 0, longer 1, longer 2, empty 0, empty 1, empty 2, one dimension *", ANY_SIZE),
            ("x", "device", META),
            ANY_OFFSET,
        ),
    ),
    "layers.scaled_dot_product_attention": Example(
        lambda: {**_heads("query", "key", "value"), **_MASKED, "dropout_p": 0.1, "bias": floats(3, 5, 7)},
        accepts=_ATTENTION,
    ),
    "layers.naive_attention": Example(
        lambda: {**_heads("query", "key", "value"), **_MASKED, "dropout_p": 0.1, "bias": floats(3, 5, 7)},
        accepts=_ATTENTION,
    ),
    "layers.attention_weights": Example(
        lambda: {**_heads("query", "key"), **_MASKED, "bias": floats(3, 5, 7)}, accepts=_ATTENTION
    ),
    "layers.causal_mask": Example(
        lambda: {"T": 3, "S": 5, "device": "cpu"}, accepts=(("[TS]", "zero", "no queries, or no keys"),)
    ),
    "layers.padding_mask": Example(
        lambda: {"lengths": torch.tensor([3, 5]), "max_length": 6},
        accepts=(
            ("lengths", "longer 0", ANY_SIZE),
            ("lengths", "device", META),
            ("lengths", "kind: list", "a list of lengths is as good as a tensor"),
        ),
        frees=(("lengths", "device", "lengths without values are compared with nothing"),),
    ),
    "layers.masks.masked_softmax": Example(
        lambda: {"scores": floats(2, 5, 7), "mask": yes(5, 7), "empty_rows": True},
        accepts=(
            ("scores", *VALUES),
            ("scores", "longer 0, empty 0, one dimension *", ANY_SIZE),
            ("mask", "longer 1, one dimension *, no dimension", "it broadcasts to the scores"),
        ),
    ),
    "layers.recurrent.rnn_cell": Example(
        lambda: {"gates": floats(2, 7)},
        accepts=(
            ("gates", *VALUES),
            ("gates", "longer *, empty *, transposed, one dimension *, no dimension", ANY_SIZE),
            ("gates", "device", META),
        ),
    ),
    "layers.recurrent.lstm_cell": Example(
        lambda: {"gates": floats(2, 28), "cell": floats(2, 7)},
        accepts=(("*", *VALUES), ("*", "float64", "the wider of two dtypes, as torch has it")),
    ),
    "layers.recurrent.gru_cell": Example(
        lambda: {"input_gates": floats(2, 21), "hidden_gates": floats(2, 21), "hidden": floats(2, 7)},
        accepts=(("*", *VALUES), ("*", "float64", "the wider of two dtypes, as torch has it")),
    ),
    "layers.recurrent.unroll": Example(
        lambda: {
            "kind": "rnn",
            "x": floats(2, 6, 5),
            "state": floats(2, 7),
            "weight_ih": floats(7, 5),
            "weight_hh": floats(7, 7),
            "bias_ih": floats(7),
            "bias_hh": floats(7),
            "reverse": True,
            "mask": yes(2, 6),
        },
        accepts=(("*", *VALUES),),
    ),
    "layers.recurrent.init_forget_bias": Example(
        lambda: {"lstm": layers.LSTM(5, 7), "value": 1.0},
        accepts=(("value", "zero, negative, tiny", "a gate may start half open or shut"),),
    ),
    "layers.recurrent.receptive_field": Example(
        lambda: {"layers": [layers.CausalConv(3, 3, 2)]},
        accepts=(("layers", "empty", "no layers: an output is its own input"),),
    ),
    "layers.rnn_attention.attention_pooling": Example(
        lambda: {"scores": floats(2, 3, 4), "keys": floats(2, 4, 5), "attention_mask": yes(2, 4)},
        accepts=(
            ("scores", *VALUES),
            ("keys", *VALUES),
            ("scores", "longer 1, empty 1", "any number of queries"),
            ("keys", "longer 2, empty 2", "any width"),
        ),
    ),
    "layers.linear_cross_entropy": Example(
        lambda: {"hidden": floats(5, 4), "weight": floats(7, 4), "targets": ids(5, low=0, high=7), "reduction": "sum"},
        accepts=(("hidden", *VALUES), ("weight", *VALUES), ("weight", "longer 0", "a larger vocabulary")),
    ),
}


def _layer(kind):
    return kind, {
        "embed_dim": 8, "num_heads": 2, "hidden_size": 5, "norm": "pre", "norm_layer": "rms", "norm_eps": 1e-5,
        "activation": "gelu", "dropout": 0.1, "bias": True, "attention": layers.AttentionConfig(), **PLACE,
    }  # fmt: skip
