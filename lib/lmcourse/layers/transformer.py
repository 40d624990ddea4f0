"""The transformer's building blocks: add and norm, feed-forward, encoder layer, decoder layer.

An encoder layer with `causal=True` and a cache is the layer of a decoder-only model (GPT). With
`norm_layer="rms"`, `activation="swiglu"`, rotary positions and grouped queries it is a layer of Llama's kind.

B batch, T target length, S source length, D width, H heads, F hidden width of the feed-forward block.
"""

from collections.abc import Callable
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.layers.attention import KVCache, MultiHeadAttention
from lmcourse.layers.positions import RotaryPositionalEmbedding

Norm = Literal["pre", "post"]
NormLayer = Literal["layer", "rms"]
Activation = Literal["relu", "relu2", "gelu", "gelu_tanh", "swiglu"]

_NORM_LAYERS: dict[str, Callable[..., nn.Module]] = {"layer": nn.LayerNorm, "rms": nn.RMSNorm}
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "relu2": lambda x: F.relu(x).square(),
    "gelu": F.gelu,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "swiglu": F.silu,
}


class FeedForward(nn.Module):
    """Two linear layers with a non-linearity between them, applied to each position alone.

    relu, relu2, gelu, gelu_tanh: W_2 f(W_1 x + b_1) + b_2; relu2 is relu's square, gelu_tanh GPT-2's approximation.
    swiglu: W_2 (silu(W_g x) * W_1 x), where a third matrix opens and shuts each hidden unit.

    Args:
        embed_dim: D.
        hidden_size: F; the paper has 4 D. With swiglu, 8/3 D costs as many parameters as 4 D without.
        activation: see above.
        dropout: on the hidden units, in training. The paper has none here, `nn.TransformerEncoderLayer` has.
        bias: of the linear layers; Llama has none.

    Cost: 2 D F products a position (swiglu: 3 D F), whatever the length.
    Source: Vaswani et al., 2017, equation 2; Shazeer, "GLU variants improve transformer", 2020, equation 6; So et al.,
    "Primer", 2021, section 4.1 (relu's square).
    """

    def __init__(
        self,
        embed_dim: int,
        hidden_size: int,
        *,
        activation: Activation = "relu",
        dropout: float = 0.0,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        for name, size in (("embed_dim", embed_dim), ("hidden_size", hidden_size)):
            if size < 1:
                raise ValueError(f"`{name}` must be at least 1, got {name}={size}.")
        if activation not in ACTIVATIONS:
            raise ValueError(f"`activation` must be one of {', '.join(ACTIVATIONS)}, got {activation!r}.")
        self.activation = activation
        self.up = nn.Linear(embed_dim, hidden_size, bias=bias, device=device, dtype=dtype)
        self.gate = (
            nn.Linear(embed_dim, hidden_size, bias=bias, device=device, dtype=dtype) if activation == "swiglu" else None
        )
        self.down = nn.Linear(hidden_size, embed_dim, bias=bias, device=device, dtype=dtype)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Map x (..., D) to (..., D)."""
        f = ACTIVATIONS[self.activation]
        hidden = f(self.up(x)) if self.gate is None else f(self.gate(x)) * self.up(x)  # (..., D) -> (..., F)
        return self.down(self.dropout(hidden) if self.training else hidden)

    def extra_repr(self) -> str:
        return f"activation={self.activation}"


def make_norm(embed_dim: int, norm_layer: NormLayer = "layer", *, eps: float = 1e-5, **options: Any) -> nn.Module:
    """Return a LayerNorm ("layer") or an RMSNorm ("rms") over the last dimension."""
    if norm_layer not in _NORM_LAYERS:
        raise ValueError(f"`norm_layer` must be one of {', '.join(_NORM_LAYERS)}, got {norm_layer!r}.")
    return _NORM_LAYERS[norm_layer](embed_dim, eps=eps, **options)


class _Layer(nn.Module):
    """What encoder and decoder layers share: the residual connection around a sublayer."""

    def __init__(self, norm: Norm, dropout: float) -> None:
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f'`norm` must be "pre" or "post", got {norm!r}.')
        self.pre_norm = norm == "pre"
        self.dropout = nn.Dropout(dropout)

    def residual(
        self, x: Tensor, norm: nn.Module, sublayer: Callable[..., Any], *args: Any, **options: Any
    ) -> tuple[Tensor, Tensor | None]:
        """Return x (B, T, D) with the output of a sublayer added, and the weights that the sublayer returns, if any.

        post: norm(x + dropout(sublayer(x))), as published in 2017; the stream itself is normalised again and again.
        pre: x + dropout(sublayer(norm(x))); the stream is a plain sum, and a gradient reaches every layer unchanged.

        Source: Vaswani et al., 2017, sections 3.1 and 5.4; Xiong et al., 2020, table 1.
        """
        result = sublayer(norm(x) if self.pre_norm else x, *args, **options)
        update, weights = result if isinstance(result, tuple) else (result, None)
        x = x + self.dropout(update)
        return (x if self.pre_norm else norm(x)), weights

    def extra_repr(self) -> str:
        return "pre_norm" if self.pre_norm else "post_norm"


class EncoderLayer(_Layer):
    """Self-attention, then the feed-forward block, each with add and norm.

    Args:
        embed_dim: D.
        num_heads: H.
        hidden_size: F, of the feed-forward block.
        norm: "post" as in the paper, or "pre".
        norm_layer: "layer" for LayerNorm, "rms" for RMSNorm, which neither subtracts the mean nor adds a bias.
        norm_eps: added to the variance.
        activation: see `FeedForward`.
        dropout: on the output of each sublayer, where the paper puts it.
        attention_dropout, hidden_dropout: on the weights of attention and on the hidden units, where torch.nn also
            puts it. On a CPU the first takes the fused kernel away.
        num_kv_heads, rotary, qk_norm: see `MultiHeadAttention`.
        bias: of all linear layers.

    Source: Vaswani et al., 2017, section 3.1 and the left half of figure 1; Zhang and Sennrich, 2019 (RMSNorm).
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        hidden_size: int,
        *,
        norm: Norm = "post",
        norm_layer: NormLayer = "layer",
        norm_eps: float = 1e-5,
        activation: Activation = "relu",
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
        hidden_dropout: float = 0.0,
        num_kv_heads: int | None = None,
        rotary: RotaryPositionalEmbedding | None = None,
        qk_norm: bool = False,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(norm, dropout)
        place: dict[str, Any] = {"device": device, "dtype": dtype}
        self.attention = MultiHeadAttention(
            embed_dim,
            num_heads,
            num_kv_heads=num_kv_heads,
            bias=bias,
            dropout=attention_dropout,
            rotary=rotary,
            qk_norm=qk_norm,
            norm_eps=norm_eps,
            **place,
        )
        self.feed_forward = FeedForward(
            embed_dim, hidden_size, activation=activation, dropout=hidden_dropout, bias=bias, **place
        )
        self.attention_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **place)
        self.feed_forward_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **place)

    def forward(
        self,
        x: Tensor,
        attention_mask: Tensor | None = None,
        *,
        causal: bool = False,
        cache: KVCache | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Map x (B, T, D) to (B, T, D); with `return_weights` also give the weights (B, H, T, S).

        The arguments and errors are those of `MultiHeadAttention.forward`.
        """
        x, weights = self.residual(
            x, self.attention_norm, self.attention, None, attention_mask,
            causal=causal, cache=cache, return_weights=return_weights,
        )  # fmt: skip
        x, _ = self.residual(x, self.feed_forward_norm, self.feed_forward)
        return (x, weights) if weights is not None else x


class DecoderLayer(_Layer):
    """Causal self-attention, attention to the encoder's output, feed-forward, each with add and norm.

    In cross-attention the queries come from the decoder, keys and values from the encoder.

    Args: as `EncoderLayer`; `rotary` is for the self-attention alone.

    Source: Vaswani et al., 2017, section 3.1 and the right half of figure 1.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        hidden_size: int,
        *,
        norm: Norm = "post",
        norm_layer: NormLayer = "layer",
        norm_eps: float = 1e-5,
        activation: Activation = "relu",
        dropout: float = 0.0,
        attention_dropout: float = 0.0,
        hidden_dropout: float = 0.0,
        num_kv_heads: int | None = None,
        rotary: RotaryPositionalEmbedding | None = None,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(norm, dropout)
        place: dict[str, Any] = {"device": device, "dtype": dtype}
        heads: dict[str, Any] = {
            "num_kv_heads": num_kv_heads, "bias": bias, "dropout": attention_dropout, **place
        }  # fmt: skip
        self.attention = MultiHeadAttention(embed_dim, num_heads, rotary=rotary, **heads)
        self.cross_attention = MultiHeadAttention(embed_dim, num_heads, **heads)
        self.feed_forward = FeedForward(
            embed_dim, hidden_size, activation=activation, dropout=hidden_dropout, bias=bias, **place
        )
        self.attention_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **place)
        self.cross_attention_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **place)
        self.feed_forward_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **place)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        attention_mask: Tensor | None = None,
        memory_attention_mask: Tensor | None = None,
        *,
        causal: bool = True,
        cache: tuple[KVCache, KVCache] | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor, Tensor]:
        """Map x (B, T, D) and the encoder's memory (B, S, D) to (B, T, D).

        Args:
            attention_mask: of the self-attention, broadcastable to (B, H, T, T).
            memory_attention_mask: of the cross-attention, broadcastable to (B, H, T, S).
            causal: hide the future in the self-attention.
            cache: one for the self-attention, one for the cross-attention.
            return_weights: also return those of the self-attention (B, H, T, T) and the cross-attention (B, H, T, S).
        """
        own, of_memory = (None, None) if cache is None else cache
        x, weights = self.residual(
            x, self.attention_norm, self.attention, None, attention_mask,
            causal=causal, cache=own, return_weights=return_weights,
        )  # fmt: skip
        x, memory_weights = self.residual(
            x, self.cross_attention_norm, self.cross_attention, memory, memory_attention_mask,
            cache=of_memory, return_weights=return_weights,
        )  # fmt: skip
        x, _ = self.residual(x, self.feed_forward_norm, self.feed_forward)
        return (x, weights, memory_weights) if weights is not None and memory_weights is not None else x

    def new_cache(self, batch_size: int, max_length: int, memory_length: int) -> tuple[KVCache, KVCache]:
        """Return empty caches for `max_length` target tokens and a memory of `memory_length` places."""
        return (
            self.attention.new_cache(batch_size, max_length),
            self.cross_attention.new_cache(batch_size, memory_length),
        )


def is_plain(layer: nn.Module) -> bool:
    """Whether a layer is an `EncoderLayer` as it is here, that nobody listens to: it can be computed in another way."""
    if type(layer) is not EncoderLayer or type(layer.attention) is not MultiHeadAttention:
        return False
    return not any(
        part._forward_hooks or part._forward_pre_hooks or "forward" in vars(part) for part in layer.modules()
    )
