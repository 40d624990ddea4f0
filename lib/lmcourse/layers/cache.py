"""The cache of keys and values for generation."""

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks


class KVCache:
    """Keys and values of the tokens so far, so that a new token costs one row of attention instead of all rows.

    A buffer of fixed length is filled in place. It carries no gradient: it is for generation, not for training.
    With a `window` it holds at most two windows: when it is full, the newest tokens move to its front.

    Args:
        batch_size: B.
        num_kv_heads: G.
        max_length: the most tokens that it can hold.
        head_dim: K.
        window: how many tokens a new one sees, itself included; by default all.

    Memory: 2 B G min(max_length, 2 window) K numbers for each layer.
    """

    def __init__(
        self,
        batch_size: int,
        num_kv_heads: int,
        max_length: int,
        head_dim: int,
        *,
        window: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        checks.whole(
            batch_size=batch_size, num_kv_heads=num_kv_heads, max_length=max_length, head_dim=head_dim, at_least=1
        )
        if window is not None:
            checks.whole(window=window, at_least=1)
        self.window, self.max_length, self.length, self._dropped = window, max_length, 0, 0
        room = self._room(max_length)
        self.buffer = torch.empty(2, batch_size, num_kv_heads, room, head_dim, device=device, dtype=dtype)

    @property
    def batch_size(self) -> int:
        return self.buffer.shape[1]

    @property
    def keys(self) -> Tensor:
        """The keys so far, (B, G, length, K); with a window, those that are still held."""
        return self.buffer[0].narrow(2, 0, self.length - self._dropped)

    @property
    def values(self) -> Tensor:
        """The values so far, (B, G, length, K); with a window, those that are still held."""
        return self.buffer[1].narrow(2, 0, self.length - self._dropped)

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add the keys and values of new tokens, each (B, G, T, K), and return those of all tokens so far.

        With a window, of the newest T + window - 1: the first of the T sees no others.

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
        return self.extend(k, v)

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Do what `append` does, without its checks."""
        T, held = k.shape[2], self.length - self._dropped
        seen = held if self.window is None else min(held, self.window - 1)
        self.length += T
        if held + T > self.buffer.shape[3]:
            before = self.buffer.narrow(3, held - seen, seen)
            both = torch.cat([before, torch.stack([k.detach(), v.detach()])], dim=3)  # (2, B, G, seen + T, K)
            held = min(both.shape[3], self.buffer.shape[3])
            self.buffer.narrow(3, 0, held).copy_(both.narrow(3, both.shape[3] - held, held))
            self._dropped = self.length - held
        else:
            both = self.buffer.narrow(3, held - seen, seen + T)
            both[0].narrow(2, seen, T).copy_(k.detach())
            both[1].narrow(2, seen, T).copy_(v.detach())
        return both[0], both[1]

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
        held = self.length - self._dropped
        longer = self.buffer.new_empty(2, B, G, max(self._room(max_length), held), K)
        longer[:, :, :, :held] = self.buffer[:, :, :, :held]
        self.buffer, self.max_length = longer, max_length

    def reset(self) -> None:
        """Forget all tokens; the memory is kept."""
        self.length = self._dropped = 0

    def _room(self, max_length: int) -> int:
        return max_length if self.window is None else min(max_length, 2 * self.window)
