"""Texts that begin alike, read together: what they share is computed once.

G groups, n texts in each, P length of what a group shares, R of what each text continues with, K head width.
"""

from typing import Protocol, runtime_checkable

import torch
from torch import Tensor


@runtime_checkable
class ReadsSharedPrefixes(Protocol):
    """A model that can read a prefix once for several continuations, such as `GPT`."""

    def hidden_with_shared_prefix(
        self, prefixes: Tensor, continuations: Tensor, *, attention_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the hidden states of the prefixes (G, P, D) and of their continuations (G, n, R, D)."""


class HasHidden(Protocol):
    """A model whose hidden states can be had."""

    def hidden(self, ids: Tensor, *, attention_mask: Tensor | None = None) -> Tensor:
        """Return the hidden states (B, T, D)."""


def hidden_from_prefix_on(
    model: HasHidden, ids: Tensor, prefix_length: int, *, samples: int, attention_mask: Tensor | None = None
) -> Tensor:
    """Return `model.hidden(ids, attention_mask=attention_mask)[:, prefix_length - 1 :]`, (B, T - P + 1, D).

    Where reading each prefix once saves a tenth of the tokens, and the model can do it, that is done; the result is the
    same but for rounding, and so is the gradient.

    Args:
        model: see `HasHidden`.
        ids: (B, T).
        prefix_length: P, at least 1.
        samples: n, consecutive rows with one prefix.
        attention_mask: (B, T) bool, False at padding on the left of the prefixes.
    """
    P, n, T = prefix_length, samples, ids.shape[1]
    read_apart, read_together = n * T, P + n * (T - P)  # tokens for each group
    if T > P and 10 * (read_apart - read_together) >= read_apart and isinstance(model, ReadsSharedPrefixes):
        mask = None if attention_mask is None else attention_mask[::n, :P]
        continuations = ids[:, P:].unflatten(0, (-1, n))  # (G, n, R)
        of_prefixes, hidden = model.hidden_with_shared_prefix(ids[::n, :P], continuations, attention_mask=mask)
        last = of_prefixes[:, None, -1:].expand(-1, n, -1, -1)  # (G, n, 1, D)
        return torch.cat([last, hidden], dim=2).flatten(0, 1)
    return model.hidden(ids, attention_mask=attention_mask)[:, P - 1 :]


class SharedPrefixCache:
    """The keys and values of prefixes, for several continuations of each, with their gradients.

    It is what a layer's `cache` is in generation: the first call of `append` brings the prefixes, the second the
    continuations, n for each prefix. A continuation gets the keys and values that it would find behind a prefix of
    its own, and so do the gradients; but the prefix goes through the model once, not n times.

    Source: Juravsky et al., "Hydragen", 2024, section 3.1, for generation.
    """

    def __init__(self) -> None:
        self.length = 0
        self.keys = self.values = torch.empty(0)

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Return all keys and values for those of the prefixes (G, H, P, K), then of the continuations (G n, H, R, K).

        The continuations are not kept: a third call would continue the prefixes too.
        """
        if self.length == 0:
            self.keys, self.values, self.length = k, v, k.shape[2]
            return k, v
        n = len(k) // len(self.keys)
        keys = torch.cat([self.keys.repeat_interleave(n, 0), k], dim=2)  # (G n, H, P + R, K)
        return keys, torch.cat([self.values.repeat_interleave(n, 0), v], dim=2)
