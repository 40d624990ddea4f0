"""Positions: attention itself sees a set of tokens without an order, these tell it where each one stands.

Sinusoidal and learned positions are added to the embeddings; rotary positions turn queries and keys, so that a score
depends on the distance of the two.

B batch, T length, D width, H heads, K head width.
"""

import torch
from torch import Tensor, nn


def sinusoidal_positions(
    length: int,
    embed_dim: int,
    *,
    base: float = 10000.0,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
) -> Tensor:
    """Return PE[pos, 2i] = sin(pos / base^(2i / D)), PE[pos, 2i + 1] = cos(pos / base^(2i / D)).

    Each pair of columns is a point that goes round the unit circle, the first pair one radian a step, the last
    nearly `base` times slower. A shift by n steps turns every pair by a fixed angle, whatever the position.

    Args:
        length: number of positions, from 0.
        embed_dim: D, even.

    Returns:
        (length, D).

    Raises:
        ValueError: an odd or too small `embed_dim`, a negative length.

    Source: Vaswani et al., "Attention is all you need", 2017, section 3.5.
    """
    if length < 0:
        raise ValueError(f"`length` must be at least 0, got length={length}.")
    angles = _angles(length, embed_dim, base, "embed_dim")  # (length, D / 2)
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)  # sines at even columns, cosines at odd
    return table.to(device=device, dtype=torch.get_default_dtype() if dtype is None else dtype)


class SinusoidalPositions(nn.Module):
    """Adds `sinusoidal_positions` to its input; there is nothing to learn, and no limit on the length."""

    def __init__(self, embed_dim: int, *, base: float = 10000.0) -> None:
        super().__init__()
        _angles(1, embed_dim, base, "embed_dim")
        self.embed_dim, self.base = embed_dim, base
        self._table = torch.empty(0, embed_dim)  # no buffer: it is made anew in the dtype and on the device of x

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """Return x (B, T, D) with the positions offset .. offset + T - 1 added."""
        _check_width(x, self.embed_dim, offset)
        end = offset + x.shape[1]
        if len(self._table) < end or self._table.dtype != x.dtype or self._table.device != x.device:
            length = max(end, 2 * len(self._table))
            with torch.inference_mode(False):  # a later call may learn
                table = sinusoidal_positions(length, self.embed_dim, base=self.base, device=x.device, dtype=x.dtype)
            self._table = table
        return x + self._table[offset:end]

    def extra_repr(self) -> str:
        return f"embed_dim={self.embed_dim}, base={self.base}"


class LearnedPositionalEmbedding(nn.Module):
    """Adds a learned vector for each position: x[:, t] + P[t].

    Args:
        max_length: positions that there are; a longer text is an error.
        embed_dim: D.

    Source: Gehring et al., 2017, section 3.1; used by GPT and BERT.
    """

    def __init__(
        self,
        max_length: int,
        embed_dim: int,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        for name, size in (("max_length", max_length), ("embed_dim", embed_dim)):
            if size < 1:
                raise ValueError(f"`{name}` must be at least 1, got {name}={size}.")
        self.weight = nn.Parameter(torch.empty(max_length, embed_dim, device=device, dtype=dtype))
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """Return x (B, T, D) with the vectors of positions offset .. offset + T - 1 added.

        Raises:
            ValueError: a position beyond `max_length`, or another width.
        """
        max_length, embed_dim = self.weight.shape
        _check_width(x, embed_dim, offset)
        T = x.shape[1]
        if offset + T > max_length:
            raise ValueError(
                f"`x` must end within max_length={max_length} learned positions, got T={T}, offset={offset}."
            )
        return x + self.weight[offset : offset + T]

    def extra_repr(self) -> str:
        return f"max_length={self.weight.shape[0]}, embed_dim={self.weight.shape[1]}"


class RotaryPositionalEmbedding(nn.Module):
    """Turns each pair of dimensions of a query or key by an angle in proportion to its position.

    With theta_i = base^(-2i / K), pair i at position m is turned by m * theta_i:
    (a, b) -> (a cos - b sin, a sin + b cos). The dot product of a query at m and a key at n then depends on m and n
    through m - n alone.

    Args:
        head_dim: K, even.
        base: the greater, the slower the last pairs turn.
        interleaved: pairs are neighbours (0, 1), (2, 3), ... as in the paper and in GGUF files; False: they lie half
            a head apart (0, K/2), (1, K/2 + 1), ... as in most checkpoints of Llama's kind. Weights trained with one
            order are useless with the other.

    Source: Su et al., "RoFormer", 2021, equations 15 and 34.
    """

    def __init__(self, head_dim: int, *, base: float = 10000.0, interleaved: bool = False) -> None:
        super().__init__()
        _angles(1, head_dim, base, "head_dim")
        self.head_dim, self.base, self.interleaved = head_dim, base, interleaved
        self._table = torch.empty(2, 0, head_dim // 2)  # no buffer: `.to(bfloat16)` must not round the angles

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """Return x (B, H, T, K), turned as positions offset .. offset + T - 1.

        Raises:
            ValueError: another width than `head_dim`, a negative offset.
        """
        if x.dim() < 2 or x.shape[-1] != self.head_dim:
            raise ValueError(f"`x` must have shape (B, H, T, K) with K={self.head_dim}, got {tuple(x.shape)}.")
        if offset < 0:
            raise ValueError(f"`offset` must be at least 0, got offset={offset}.")
        cos, sin = self._cos_sin(x, offset + x.shape[-2])[:, offset:]  # each (T, K / 2)
        if self.interleaved:
            a, b = x[..., 0::2], x[..., 1::2]  # (B, H, T, K / 2)
            turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)
        else:
            a, b = x.chunk(2, dim=-1)
            turned = torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
        return turned.to(x.dtype)

    def _cos_sin(self, x: Tensor, end: int) -> Tensor:
        """Return cosines and sines of positions 0 .. end - 1, (2, end, K / 2), kept for the next call."""
        dtype = x.dtype if x.dtype == torch.float64 else torch.float32  # half precision has too few digits for them
        if self._table.shape[1] < end or self._table.dtype != dtype or self._table.device != x.device:
            with torch.inference_mode(False):  # a later call may learn
                angles = _angles(max(end, 2 * self._table.shape[1]), self.head_dim, self.base, "head_dim")
                self._table = torch.stack([angles.cos(), angles.sin()]).to(device=x.device, dtype=dtype)
        return self._table[:, :end]

    def extra_repr(self) -> str:
        return f"head_dim={self.head_dim}, base={self.base}, interleaved={self.interleaved}"


def _angles(length: int, width: int, base: float, name: str) -> Tensor:
    """Return pos * base^(-2i / width), (length, width / 2), in float64 on the CPU, where every device can have it."""
    if width < 2 or width % 2:
        raise ValueError(f"`{name}` must be even and at least 2, got {name}={width}.")
    if not base > 0.0:
        raise ValueError(f"`base` must be more than 0, got base={base}.")
    rates = base ** (-torch.arange(0, width, 2, dtype=torch.float64, device="cpu") / width)
    return torch.arange(length, dtype=torch.float64, device="cpu")[:, None] * rates


def _check_width(x: Tensor, embed_dim: int, offset: int) -> None:
    if x.dim() != 3 or x.shape[-1] != embed_dim:
        raise ValueError(f"`x` must have shape (B, T, D) with D={embed_dim}, got {tuple(x.shape)}.")
    if offset < 0:
        raise ValueError(f"`offset` must be at least 0, got offset={offset}.")
