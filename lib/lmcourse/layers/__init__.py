"""Layers, as the pages teach them: modules and pure functions that run on CPU and GPU."""

from lmcourse.layers.attention import (
    MultiHeadAttention,
    attention_weights,
    naive_attention,
    scaled_dot_product_attention,
)
from lmcourse.layers.cache import KVCache
from lmcourse.layers.losses import linear_cross_entropy
from lmcourse.layers.masks import causal_mask, padding_mask
from lmcourse.layers.positions import (
    ALiBi,
    LearnedPositionalEmbedding,
    RotaryPositionalEmbedding,
    SinusoidalPositions,
    alibi_slopes,
    sinusoidal_positions,
)
from lmcourse.layers.recurrent import GRU, LSTM, RNN, CausalConv
from lmcourse.layers.rnn_attention import BahdanauAttention, LuongDotAttention, LuongGeneralAttention
from lmcourse.layers.transformer import AttentionConfig, DecoderLayer, EncoderLayer, FeedForward

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "ALiBi",
    "AttentionConfig",
    "BahdanauAttention",
    "CausalConv",
    "DecoderLayer",
    "EncoderLayer",
    "FeedForward",
    "KVCache",
    "LearnedPositionalEmbedding",
    "LuongDotAttention",
    "LuongGeneralAttention",
    "MultiHeadAttention",
    "RotaryPositionalEmbedding",
    "SinusoidalPositions",
    "alibi_slopes",
    "attention_weights",
    "causal_mask",
    "linear_cross_entropy",
    "naive_attention",
    "padding_mask",
    "scaled_dot_product_attention",
    "sinusoidal_positions",
]
