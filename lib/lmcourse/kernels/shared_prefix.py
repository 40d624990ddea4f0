"""Texts that begin alike, read together: what they share is computed once.

G groups, n texts in each, P length of what a group shares, R of what each text continues with, K head width.
"""

import torch
from torch import Tensor


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
