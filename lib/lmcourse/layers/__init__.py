"""Layers: `nn.Module`s and pure functions that run on CPU and GPU."""
