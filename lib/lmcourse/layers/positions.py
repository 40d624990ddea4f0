"""Positions: attention by itself sees a set of tokens without an order; these say where each token stands.

Sinusoidal and learned positions are added to the embeddings; rotary positions rotate queries and keys, so that a
score depends on the distance of the two; ALiBi adds the distance to the score.

B batch, T length, S key length, D width, H heads, K head width.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor

from lmcourse import checks, tensor_checks


def sinusoidal_positions(
    length: int,
    embed_dim: int,
    *,
    base: float = 10000.0,
    device: torch.device | str | None = None,
    dtype: torch.dtype | None = None,
) -> Tensor:
    """Return PE[pos, 2i] = sin(pos / base^(2i / D)), PE[pos, 2i + 1] = cos(pos / base^(2i / D)).

    Each pair of columns is a point that goes round the unit circle, the first pair by one radian a step, the last
    nearly `base` times slower. A shift by n steps rotates every pair by a fixed angle, whatever the position.

    Args:
        length: number of positions, from 0.
        embed_dim: D, even.

    Returns:
        (length, D).

    Raises:
        ValueError: an odd or too small `embed_dim`, a negative length.

    Source: Vaswani et al., "Attention is all you need", 2017, section 3.5.
    """
    _check_angles(base, embed_dim=embed_dim)
    tensor_checks.sizes(length=length)
    angles = _angles(length, embed_dim, base)  # (length, D / 2)
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)  # sines at even columns, cosines at odd
    return table.to(device=device, dtype=torch.get_default_dtype() if dtype is None else dtype)


class SinusoidalPositions(nn.Module):
    """Adds `sinusoidal_positions` to its input; there is nothing to learn, and no limit on the length."""

    def __init__(self, embed_dim: int, *, base: float = 10000.0) -> None:
        super().__init__()
        _check_angles(base, embed_dim=embed_dim)
        self.embed_dim, self.base = embed_dim, base
        self._table = torch.empty(0, embed_dim, device="cpu")  # no buffer: it follows the dtype and the device of x

    def forward(self, x: Tensor, offset: int | Tensor = 0) -> Tensor:
        """Return x (B, T, D) with its positions added.

        Args:
            x: the embeddings.
            offset: the position of the first token, or the positions of all tokens, whole numbers (B, T).
        """
        _check_input(x, self.embed_dim, offset)
        if not isinstance(offset, Tensor):
            return x + self._first(offset + x.shape[1], x)[offset:]
        if tensor_checks.values_are_readable(offset):
            return x + self._first(int(offset.max()) + 1, x)[offset]
        angles = offset[:, :, None] * _rates(self.embed_dim, self.base).to(x.device, _exact(x))  # (B, T, D / 2)
        return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2).to(x.dtype)

    def _first(self, length: int, like: Tensor) -> Tensor:
        """Return the first `length` positions, (length, D), kept for the next call."""
        table = self._table
        if not _may_be_kept(like):
            return self._make_table(length, like)
        if len(table) < length or table.dtype != like.dtype or table.device != like.device:
            with torch.inference_mode(False):  # a later call may learn
                table = self._table = self._make_table(_grown(len(table), length), like)
        return table[:length]

    def _make_table(self, length: int, like: Tensor) -> Tensor:
        return sinusoidal_positions(length, self.embed_dim, base=self.base, device=like.device, dtype=like.dtype)

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
        checks.whole(max_length=max_length, embed_dim=embed_dim, at_least=1)
        self.weight = nn.Parameter(torch.empty(max_length, embed_dim, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the vectors anew, normal with standard deviation 0.02."""
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, x: Tensor, offset: int | Tensor = 0) -> Tensor:
        """Return x (B, T, D) with the vectors of its positions added.

        Args:
            x: the embeddings.
            offset: the position of the first token, or the positions of all tokens, whole numbers (B, T).

        Raises:
            ValueError: a position beyond `max_length`, or another width.
        """
        self._check(x, offset)
        if isinstance(offset, Tensor):
            return x + self.weight[offset]
        return x + self.weight[offset : offset + x.shape[1]]

    def _check(self, x: Tensor, offset: int | Tensor) -> None:
        max_length, embed_dim = self.weight.shape
        _check_input(x, embed_dim, offset)
        tensor_checks.on_device(self.weight.device, x=x)
        T = x.shape[1]
        if isinstance(offset, Tensor):
            tensor_checks.integers(offset=offset, below=max_length)
        elif offset + T > max_length:
            raise ValueError(
                f"`x` must end within max_length={max_length} learned positions, got T={T}, offset={offset}."
            )

    def extra_repr(self) -> str:
        return f"max_length={self.weight.shape[0]}, embed_dim={self.weight.shape[1]}"


class RotaryPositionalEmbedding(nn.Module):
    """Rotates each pair of dimensions of a query or key by an angle in proportion to its position.

    With theta_i = base^(-2i / K), pair i at position m is rotated by m * theta_i:
    (a, b) -> (a cos - b sin, a sin + b cos). The dot product of a query at m and a key at n then depends on m and n
    through m - n alone.

    Args:
        head_dim: K, even.
        base: the greater, the slower the last pairs rotate.
        interleaved: pairs are neighbours (0, 1), (2, 3), ... as in the paper and in GGUF files; False: they lie half
            a head apart (0, K/2), (1, K/2 + 1), ... as in most checkpoints of Llama's kind. Weights trained with one
            order are useless with the other.
        scaling: how Llama 3.1 stretches a trained context: (factor, low, high, length). A pair that turns less than
            `low` times within `length` tokens turns `factor` times slower, one that turns more than `high` times as
            before, and those between them by a mean of the two.

    Source: Su et al., "RoFormer", 2021, equations 15 and 34; for `scaling`, the code released with Grattafiori et al.,
    "The Llama 3 herd of models", 2024.
    """

    def __init__(
        self,
        head_dim: int,
        *,
        base: float = 10000.0,
        interleaved: bool = False,
        scaling: Sequence[float] | None = None,
    ) -> None:
        super().__init__()
        _check_angles(base, head_dim=head_dim)
        check_scaling(scaling=scaling)
        self.scaling = scaling
        self.head_dim, self.base, self.interleaved = head_dim, base, interleaved
        # no buffer: `.to(bfloat16)` must not round the angles
        self._table = torch.empty(2, 0, head_dim // 2, device="cpu")

    def forward(self, x: Tensor, offset: int | Tensor = 0) -> Tensor:
        """Return x (B, H, T, K), rotated as positions offset .. offset + T - 1.

        Args:
            x: queries or keys.
            offset: the position of the first token, or the positions of all tokens, whole numbers (B, T).

        Raises:
            TypeError: `x` is not floating point.
            ValueError: another width than `head_dim`, a negative offset, positions of another shape.
        """
        self._check(x, offset)
        cos, sin = self._cos_sin(x, offset)  # each (T, K / 2), or (B, 1, T, K / 2)
        if self.interleaved:
            a, b = x[..., 0::2], x[..., 1::2]  # (B, H, T, K / 2)
            rotated = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)
        else:
            a, b = x.chunk(2, dim=-1)
            rotated = torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
        return rotated.to(x.dtype)

    def _cos_sin(self, x: Tensor, offset: int | Tensor) -> Tensor:
        if not isinstance(offset, Tensor):
            return self._first(offset + x.shape[-2], x)[:, offset:]
        if tensor_checks.values_are_readable(offset):
            return self._first(int(offset.max()) + 1, x)[:, offset[:, None]]  # (2, B, 1, T, K / 2)
        angles = offset[:, None, :, None] * self.rates().to(x.device, _exact(x))
        return torch.stack([angles.cos(), angles.sin()])

    def rates(self) -> Tensor:
        """Return the angle of each pair at position 1, (K / 2,), in float64 on the CPU."""
        rates = _rates(self.head_dim, self.base)
        if self.scaling is None:
            return rates
        factor, low, high, length = self.scaling
        kept = ((length * rates / (2 * math.pi) - low) / (high - low)).clamp(0, 1)  # by how often a pair turns
        return rates * (kept + (1 - kept) / factor)

    def _first(self, length: int, x: Tensor) -> Tensor:
        """Return cosines and sines of positions 0 .. length - 1, (2, length, K / 2), kept for the next call."""
        table = self._table
        if not _may_be_kept(x):
            return self._make_table(length, x)
        if table.shape[1] < length or table.dtype != _exact(x) or table.device != x.device:
            with torch.inference_mode(False):  # a later call may learn
                table = self._table = self._make_table(_grown(table.shape[1], length), x)
        return table[:, :length]

    def _make_table(self, length: int, x: Tensor) -> Tensor:
        angles = torch.arange(length, dtype=torch.float64, device="cpu")[:, None] * self.rates()
        return torch.stack([angles.cos(), angles.sin()]).to(device=x.device, dtype=_exact(x))

    def _check(self, x: Tensor, offset: int | Tensor) -> None:
        tensor_checks.floating(x=x)
        if x.dim() < 2 or x.shape[-1] != self.head_dim:
            raise ValueError(f"`x` must have shape (B, H, T, K) with K={self.head_dim}, got {tuple(x.shape)}.")
        _check_offset(offset, x.shape[0], x.shape[-2])

    def extra_repr(self) -> str:
        return f"head_dim={self.head_dim}, base={self.base}, interleaved={self.interleaved}"


class ALiBi(nn.Module):
    """A bias of attention's scores that grows with the distance: -m_h * |t - s| for head h, query t and key s.

    Nothing is added to the tokens, and there is nothing to learn. Each head has a slope m_h of its own: heads with a
    steep one attend to what is near, the others far back. A model with this bias reads texts that are longer than
    those it was trained on.

    Args:
        num_heads: H. For a power of 2 the slopes are 2^(-8/H), 2^(-16/H), ..., 2^(-8). Otherwise they are those of
            the next lower power of 2, and then every second one of the next higher.

    Source: Press, Smith and Lewis, "Train short, test long", 2022, section 3 (there for causal attention alone, where
    no key comes after its query), and the authors' code for other numbers of heads.
    """

    def __init__(self, num_heads: int) -> None:
        super().__init__()
        checks.whole(num_heads=num_heads, at_least=1)
        self.num_heads = num_heads

    def forward(self, query: Tensor, key: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return the bias of the scores of a query (B, H, T, K) and a key (B, G, S, K), in their dtype.

        Args:
            query, key: the T queries belong to the last T of the S keys.
            positions: (B, S), those of the keys; by default 0 .. S-1.

        Returns:
            (H, T, S), or with positions (B, H, T, S).
        """
        self._check(query, key, positions)
        T, S = query.shape[2], key.shape[2]
        positions = torch.arange(S, device=query.device) if positions is None else positions[:, None]  # or (B, 1, S)
        distances = (positions[..., S - T :, None] - positions[..., None, :]).abs()  # (T, S), or (B, 1, T, S)
        slopes = alibi_slopes(self.num_heads, device=query.device)[:, None, None]  # (H, 1, 1)
        return (-slopes * distances).to(query.dtype)

    def _check(self, query: Tensor, key: Tensor, positions: Tensor | None) -> None:
        tensor_checks.floating(query=query, key=key)
        tensor_checks.same_device(query=query, key=key)
        tensor_checks.shape(("B", self.num_heads, "T", "K"), query=query)
        tensor_checks.shape((query.shape[0], "G", "S", query.shape[3]), key=key)
        if key.shape[2] < query.shape[2]:
            raise ValueError(
                f"`key` must have at least as many tokens as `query`, got S={key.shape[2]}, T={query.shape[2]}."
            )
        if positions is not None:
            tensor_checks.integers(positions=positions, at_least=0)
            tensor_checks.same_device(query=query, positions=positions)
            tensor_checks.shape((query.shape[0], key.shape[2]), positions=positions)

    def extra_repr(self) -> str:
        return f"num_heads={self.num_heads}"


def alibi_slopes(num_heads: int, *, device: torch.device | str | None = None) -> Tensor:
    """Return the slope of each head, float32 (H,); see `ALiBi`."""
    checks.whole(num_heads=num_heads, at_least=1)
    power = 1 << (num_heads.bit_length() - 1)  # the greatest power of 2 that is at most H
    exponents = torch.arange(1, power + 1, device=device) * (8.0 / power)
    between = (2 * torch.arange(num_heads - power, device=device) + 1) * (4.0 / power)
    return torch.exp2(-torch.cat([exponents, between]))


def check_scaling(**named: Sequence[float] | None) -> None:
    """Raise unless the argument holds numbers by which `RotaryPositionalEmbedding` can scale."""
    ((name, scaling),) = named.items()
    if scaling is None:
        return
    checks.instance((tuple, list), **named)
    if len(scaling) != 4:
        raise ValueError(f"`{name}` must be (factor, low, high, length), got {scaling!r}.")
    factor, low, high, length = scaling
    checks.number(at_least=1.0, **{f"{name}[0]": factor})
    checks.number(above=0.0, **{f"{name}[1]": low, f"{name}[3]": length})
    checks.number(above=low, **{f"{name}[2]": high})


def _rates(width: int, base: float) -> Tensor:
    """Return base^(-2i / width), (width / 2,), in float64 on the CPU, where every device can have it."""
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64, device="cpu") / width)


def _angles(length: int, width: int, base: float) -> Tensor:
    """Return pos * base^(-2i / width), (length, width / 2), in float64 on the CPU."""
    return torch.arange(length, dtype=torch.float64, device="cpu")[:, None] * _rates(width, base)


def _exact(x: Tensor) -> torch.dtype:
    """Return the dtype of the cosines and sines for x: half precision has too few digits for them."""
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def _may_be_kept(x: Tensor) -> bool:
    """Return whether a table made for x may serve a later call: not while torch only traces what would be computed."""
    return not torch.compiler.is_compiling() and not isinstance(x, FakeTensor)


def _grown(length: int, needed: int) -> int:
    """Return the length of a new table: doubled if it was too short, so that a growing text seldom asks for one."""
    return length if needed <= length else max(needed, 2 * length)


def _check_angles(base: float, **width: int) -> None:
    checks.whole(**width, at_least=2)
    ((name, size),) = width.items()
    if size % 2:
        raise ValueError(f"`{name}` must be even, got {name}={size}.")
    checks.number(base=base, at_least=1.0)


def _check_input(x: Tensor, embed_dim: int, offset: int | Tensor) -> None:
    tensor_checks.floating(x=x)
    tensor_checks.shape(("B", "T", embed_dim), x=x)
    _check_offset(offset, *x.shape[:2])


def _check_offset(offset: int | Tensor, B: int, T: int) -> None:
    if isinstance(offset, Tensor):
        tensor_checks.integers(offset=offset, at_least=0)
        tensor_checks.shape((B, T), offset=offset)
    else:
        tensor_checks.sizes(offset=offset)
