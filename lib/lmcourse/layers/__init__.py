"""Layers: `nn.Module`s and pure functions that run on CPU and GPU."""

from lmcourse.layers.recurrent import GRU, LSTM, RNN

__all__ = ["GRU", "LSTM", "RNN"]
