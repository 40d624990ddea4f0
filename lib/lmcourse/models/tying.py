"""Tied weights: the last layer of a language model uses its embedding table.

Source: Press and Wolf, "Using the output embedding to improve language models", 2017.
"""

from torch import nn


def tie(head: nn.Module, embedding: nn.Module) -> None:
    """Give a head the weight of an embedding; `to_empty` gives the two one weight each.

    Nothing is done where one of them has no such weight: it is parametrized or pruned, or a user replaced the layer.
    """
    weight, table = getattr(head, "weight", None), getattr(embedding, "weight", None)
    if isinstance(weight, nn.Parameter) and isinstance(table, nn.Parameter) and weight.shape == table.shape:
        head.weight = table
