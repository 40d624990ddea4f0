"""Layers: `nn.Module`s and pure functions that run on CPU and GPU.

The function `attention` is in the module of its name, `lmcourse.layers.attention`.
"""

from lmcourse.layers.attention import KVCache, MultiHeadAttention, attention_weights, causal_mask, padding_mask
from lmcourse.layers.positions import LearnedPositionalEmbedding, RotaryPositionalEmbedding, sinusoidal_positions
from lmcourse.layers.recurrent import GRU, LSTM, RNN
from lmcourse.layers.transformer import DecoderLayer, EncoderLayer, FeedForward

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "DecoderLayer",
    "EncoderLayer",
    "FeedForward",
    "KVCache",
    "LearnedPositionalEmbedding",
    "MultiHeadAttention",
    "RotaryPositionalEmbedding",
    "attention_weights",
    "causal_mask",
    "padding_mask",
    "sinusoidal_positions",
]
