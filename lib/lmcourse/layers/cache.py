"""The cache of keys and values for generation."""

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks


class KVCache:
    """Keys and values of the tokens so far, so that a new token costs one row of attention instead of all rows.

    A buffer of fixed length is filled in place. It carries no gradient: it is for generation, not for training.

    Args:
        batch_size: B.
        num_kv_heads: G.
        max_length: the most tokens that it can hold.
        head_dim: K.

    Memory: 2 B G max_length K numbers for each layer.
    """

    def __init__(
        self,
        batch_size: int,
        num_kv_heads: int,
        max_length: int,
        head_dim: int,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        checks.whole(
            batch_size=batch_size, num_kv_heads=num_kv_heads, max_length=max_length, head_dim=head_dim, at_least=1
        )
        self.buffer = torch.empty(2, batch_size, num_kv_heads, max_length, head_dim, device=device, dtype=dtype)
        self.length = 0

    @property
    def batch_size(self) -> int:
        return self.buffer.shape[1]

    @property
    def max_length(self) -> int:
        return self.buffer.shape[3]

    @property
    def keys(self) -> Tensor:
        """The keys so far, (B, G, length, K)."""
        return self.buffer[0].narrow(2, 0, self.length)

    @property
    def values(self) -> Tensor:
        """The values so far, (B, G, length, K)."""
        return self.buffer[1].narrow(2, 0, self.length)

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add the keys and values of new tokens, each (B, G, T, K), and return those of all tokens so far.

        Raises:
            ValueError: another shape, or another device.
            TypeError: another dtype.
            RuntimeError: the cache is too short.
        """
        _, B, G, _, K = self.buffer.shape
        tensor_checks.floating(k=k, v=v)
        for name, new in (("k", k), ("v", v)):
            if new.dim() != 4 or (new.shape[0], new.shape[1], new.shape[3]) != (B, G, K):
                raise ValueError(
                    f"`{name}` must have shape (B, G, T, K) with B={B}, G={G}, K={K} as the cache, "
                    f"got {tuple(new.shape)}."
                )
            if new.dtype != self.buffer.dtype:
                raise TypeError(f"`{name}` must have the cache's dtype, got {new.dtype}, cache {self.buffer.dtype}.")
            if new.device != self.buffer.device:
                raise ValueError(f"`{name}` must be on the cache's device, got {new.device} and {self.buffer.device}.")
        tensor_checks.same_shape(k=k, v=v)
        end = self.length + k.shape[2]
        if end > self.max_length:
            raise RuntimeError(
                f"`cache` must be long enough for the new tokens, got max_length={self.max_length}, "
                f"length={self.length}, new tokens={k.shape[2]}."
            )
        new = self.buffer.narrow(3, self.length, k.shape[2])
        new[0].copy_(k.detach())
        new[1].copy_(v.detach())
        self.length = end
        return self.keys, self.values

    def reorder(self, rows: Tensor) -> None:
        """Make row b a copy of what was row rows[b]: beam search drops some hypotheses and splits others.

        Args:
            rows: whole numbers, one for each row afterwards.

        Raises:
            TypeError: not a tensor of whole numbers.
            ValueError: not one-dimensional, empty, or (checked on the CPU) a row that there is not.
        """
        tensor_checks.integers(rows=rows, at_least=0, below=self.buffer.shape[1])
        tensor_checks.shape(("B",), rows=rows)
        checks.not_empty(rows=rows)
        tensor_checks.same_device(rows=rows, cache=self.buffer)
        self.buffer = self.buffer[:, rows.long()]

    def grow(self, max_length: int) -> None:
        """Change the capacity to `max_length` tokens; those that it holds stay.

        Raises:
            TypeError: not a whole number.
            ValueError: a smaller capacity than the tokens that it holds, or than 1.
        """
        checks.whole(max_length=max_length, at_least=max(self.length, 1))
        _, B, G, _, K = self.buffer.shape
        longer = self.buffer.new_empty(2, B, G, max_length, K)
        longer[:, :, :, : self.length] = self.buffer[:, :, :, : self.length]
        self.buffer = longer

    def reset(self) -> None:
        """Forget all tokens; the memory is kept."""
        self.length = 0
