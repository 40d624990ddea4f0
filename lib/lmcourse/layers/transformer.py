"""The transformer's building blocks: the feed-forward block, the residual connection, encoder and decoder layer.

An encoder layer with `causal=True` and a cache is the layer of a decoder-only model (GPT). With
`norm_layer="rms"`, `activation="swiglu"`, rotary positions and grouped queries it is a layer of Llama's kind.

B batch, T target length, S source length, D width, H heads, F hidden width of the feed-forward block.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.kernels.shared_prefix import SharedPrefixCache
from lmcourse.layers.attention import KVCache, MultiHeadAttention
from lmcourse.layers.positions import ALiBi, RotaryPositionalEmbedding

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
    swiglu: W_2 (silu(W_g x) * W_1 x), where a third matrix is a gate for each hidden unit.

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
        checks.whole(embed_dim=embed_dim, hidden_size=hidden_size, at_least=1)
        checks.one_of(ACTIVATIONS, activation=activation)
        checks.number(dropout=dropout, at_least=0.0, below=1.0)
        self.activation = activation
        self.up = nn.Linear(embed_dim, hidden_size, bias=bias, device=device, dtype=dtype)
        self.gate = (
            nn.Linear(embed_dim, hidden_size, bias=bias, device=device, dtype=dtype) if activation == "swiglu" else None
        )
        self.down = nn.Linear(hidden_size, embed_dim, bias=bias, device=device, dtype=dtype)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Map x (..., D) to (..., D)."""
        tensor_checks.vectors(self.up.in_features, self.up.weight, x=x)
        f = ACTIVATIONS[self.activation]
        hidden = f(self.up(x)) if self.gate is None else f(self.gate(x)) * self.up(x)  # (..., D) -> (..., F)
        output: Tensor = self.down(self.dropout(hidden))  # (..., F) -> (..., D)
        return output

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        reset_parts(self)

    def extra_repr(self) -> str:
        return f"activation={self.activation}"


def make_norm(embed_dim: int, norm_layer: NormLayer = "layer", *, eps: float = 1e-5, **options: Any) -> nn.Module:
    """Return a LayerNorm ("layer") or an RMSNorm ("rms") over the last dimension."""
    checks.whole(embed_dim=embed_dim, at_least=1)
    checks.one_of(_NORM_LAYERS, norm_layer=norm_layer)
    checks.number(eps=eps, at_least=0.0, below=1.0)
    return _NORM_LAYERS[norm_layer](embed_dim, eps=eps, **options)


def reset_parts(module: nn.Module) -> None:
    """Draw the parameters of all parts of a module anew, each in its own way."""
    for part in module.children():
        if callable(reset := getattr(part, "reset_parameters", None)):
            reset()
        else:
            reset_parts(part)


@dataclass(frozen=True)
class AttentionConfig:
    """What may differ in the attention of a layer; see `MultiHeadAttention`."""

    num_kv_heads: int | None = None
    dropout: float = 0.0
    rotary: RotaryPositionalEmbedding | None = None
    alibi: ALiBi | None = None
    qk_norm: bool = False
    head_dim: int | None = None
    window: int | None = None

    def __post_init__(self) -> None:
        if self.num_kv_heads is not None:
            checks.whole(num_kv_heads=self.num_kv_heads, at_least=1)
        checks.number(dropout=self.dropout, at_least=0.0, below=1.0)
        checks.instance((RotaryPositionalEmbedding, NoneType), rotary=self.rotary)
        checks.instance((ALiBi, NoneType), alibi=self.alibi)
        for name in ("head_dim", "window"):
            if getattr(self, name) is not None:
                checks.whole(at_least=1, **{name: getattr(self, name)})


class _Layer(nn.Module):
    """What encoder and decoder layers share: the residual connection around a sublayer."""

    def __init__(self, norm: Norm, dropout: float) -> None:
        super().__init__()
        checks.one_of(("pre", "post"), norm=norm)
        checks.number(dropout=dropout, at_least=0.0, below=1.0)
        self.pre_norm = norm == "pre"
        self.dropout = nn.Dropout(dropout)

    def residual(self, x: Tensor, norm: nn.Module, sublayer: Callable[..., Tensor], **options: Any) -> Tensor:
        """Return x (B, T, D) with the output of a sublayer added.

        pre: x + dropout(sublayer(norm(x))); the stream is a plain sum, and a gradient reaches every layer unchanged.
        post: norm(x + dropout(sublayer(x))), as published in 2017; the stream itself is normalised again and again.

        Source: Vaswani et al., 2017, sections 3.1 and 5.4; Xiong et al., 2020, table 1.
        """
        if self.pre_norm:
            x = x + self.dropout(sublayer(norm(x), **options))
        else:
            x = norm(x + self.dropout(sublayer(x, **options)))
        return x

    def residual_and_weights(
        self, x: Tensor, norm: nn.Module, attention: nn.Module, **options: Any
    ) -> tuple[Tensor, Tensor]:
        """Return what `residual` does with an attention, and its weights, for those who look at them."""
        before, after = (norm, nn.Identity()) if self.pre_norm else (nn.Identity(), norm)
        update, weights = attention(before(x), return_weights=True, **options)
        return self.residual(x, after, lambda _: update), weights

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        reset_parts(self)

    def extra_repr(self) -> str:
        return "pre_norm" if self.pre_norm else "post_norm"


class EncoderLayer(_Layer):
    """Self-attention, then the feed-forward block, each with a residual connection and a norm.

    Args:
        embed_dim: D.
        num_heads: H.
        hidden_size: F, of the feed-forward block.
        norm: "post" as in the paper, or "pre"; see `residual`.
        norm_layer: "layer" for LayerNorm, "rms" for RMSNorm, which neither subtracts the mean nor adds a bias.
        norm_eps: added to the variance.
        activation: see `FeedForward`.
        dropout: on the output of each sublayer, where the paper puts it, in training.
        bias: of all linear layers.
        attention: what is left to choose in the attention. (Dropout of its weights takes the fused kernel away on a
            CPU.)

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
        bias: bool = True,
        attention: AttentionConfig = AttentionConfig(),
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(norm, dropout)
        checks.instance(AttentionConfig, attention=attention)
        made: dict[str, Any] = {"device": device, "dtype": dtype}
        self.attention = MultiHeadAttention(
            embed_dim, num_heads, bias=bias, norm_eps=norm_eps, **vars(attention), **made
        )
        self.feed_forward = FeedForward(embed_dim, hidden_size, activation=activation, bias=bias, **made)
        self.attention_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **made)
        self.feed_forward_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **made)

    def forward(
        self,
        x: Tensor,
        attention_mask: Tensor | None = None,
        *,
        causal: bool = False,
        cache: KVCache | SharedPrefixCache | None = None,
        positions: Tensor | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Map x (B, T, D) to (B, T, D); with `return_weights` also return the weights (B, H, T, S).

        The arguments and errors are those of `MultiHeadAttention.forward`.
        """
        options = {"attention_mask": attention_mask, "causal": causal, "cache": cache, "positions": positions}
        if return_weights:
            x, weights = self.residual_and_weights(x, self.attention_norm, self.attention, **options)
            return self.residual(x, self.feed_forward_norm, self.feed_forward), weights
        x = self.residual(x, self.attention_norm, self.attention, **options)
        return self.residual(x, self.feed_forward_norm, self.feed_forward)


class DecoderLayer(_Layer):
    """Causal self-attention, attention to the encoder's output, feed-forward, each with a residual and a norm.

    In cross-attention the queries come from the decoder, keys and values from the encoder.

    Args: as `EncoderLayer`; the positions in `attention` are for the self-attention alone.

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
        bias: bool = True,
        attention: AttentionConfig = AttentionConfig(),
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(norm, dropout)
        checks.instance(AttentionConfig, attention=attention)
        made: dict[str, Any] = {"device": device, "dtype": dtype}
        heads: dict[str, Any] = {"bias": bias, "norm_eps": norm_eps, **made}
        across = replace(attention, rotary=None, alibi=None, window=None)
        self.attention = MultiHeadAttention(embed_dim, num_heads, **vars(attention), **heads)
        self.cross_attention = MultiHeadAttention(embed_dim, num_heads, **vars(across), **heads)
        self.feed_forward = FeedForward(embed_dim, hidden_size, activation=activation, bias=bias, **made)
        self.attention_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **made)
        self.cross_attention_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **made)
        self.feed_forward_norm = make_norm(embed_dim, norm_layer, eps=norm_eps, **made)

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
            x: the target so far.
            memory: what the encoder returned.
            attention_mask: of the self-attention, broadcastable to (B, H, T, T).
            memory_attention_mask: of the cross-attention, broadcastable to (B, H, T, S).
            causal: hide the future in the self-attention.
            cache: one for the self-attention, one for the cross-attention.
            return_weights: also return those of the self-attention (B, H, T, T) and the cross-attention (B, H, T, S).
        """
        own_cache, memory_cache = self._check(memory, memory_attention_mask, cache)
        own = {"attention_mask": attention_mask, "causal": causal, "cache": own_cache}
        across = {"memory": memory, "attention_mask": memory_attention_mask, "cache": memory_cache}
        if return_weights:
            return self._forward_with_weights(x, own, across)
        x = self.residual(x, self.attention_norm, self.attention, **own)
        x = self.residual(x, self.cross_attention_norm, self.cross_attention, **across)
        return self.residual(x, self.feed_forward_norm, self.feed_forward)

    def _forward_with_weights(
        self, x: Tensor, own: dict[str, Any], across: dict[str, Any]
    ) -> tuple[Tensor, Tensor, Tensor]:
        x, weights = self.residual_and_weights(x, self.attention_norm, self.attention, **own)
        x, of_memory = self.residual_and_weights(x, self.cross_attention_norm, self.cross_attention, **across)
        return self.residual(x, self.feed_forward_norm, self.feed_forward), weights, of_memory

    def new_cache(self, batch_size: int, max_length: int, memory_length: int) -> tuple[KVCache, KVCache]:
        """Return empty caches for `max_length` target tokens and a memory of `memory_length` tokens."""
        checks.whole(at_least=1, memory_length=memory_length)
        return (
            self.attention.new_cache(batch_size, max_length),
            self.cross_attention.new_cache(batch_size, memory_length),
        )

    @staticmethod
    def _check(
        memory: Tensor, memory_attention_mask: Tensor | None, cache: tuple[KVCache, KVCache] | None
    ) -> tuple[KVCache | None, KVCache | None]:
        """Raise what the attentions cannot say by these names; return the two caches."""
        tensor_checks.floating(memory=memory)
        if memory_attention_mask is not None:
            tensor_checks.boolean(memory_attention_mask=memory_attention_mask)
        return (None, None) if cache is None else checks.pair(cache=cache)
