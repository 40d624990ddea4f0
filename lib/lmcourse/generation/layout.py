"""How a model writes quickly: a few rows at a time, all weights are read for each token, and little is computed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.kernels.attention import fused_attention
from lmcourse.layers import EncoderLayer, FeedForward, KVCache, MultiHeadAttention
from lmcourse.layers.transformer import ACTIVATIONS

LARGE = 1 << 17  # weights of a matrix from which on oneDNN's blocks pay: below, its calls cost more than they save


@contextmanager
def laid_out(model: Any, batch_size: int) -> Iterator[None]:
    """Let a model write quickly, `batch_size` rows a step, inside the context.

    The matrices of queries, keys and values become one: memory is read fastest in long runs. One row times a wide
    matrix takes half the time if the matrix lies column by column. For a few rows oneDNN has blocks of its own, which
    also save half; torch compiles to them, and they are used here if they can be had. A layer lets one new token
    through without checks. The results are the same but for rounding. The model's weights are not touched: no optimizer
    ever sees the copies.
    """
    modules = list(model.modules()) if isinstance(model, nn.Module) else []
    layout = _by_column if batch_size == 1 else partial(_in_blocks, batch_size=batch_size)
    changed: list[tuple[nn.Module, str]] = []
    short = [layer for layer in modules if isinstance(layer, EncoderLayer) and is_plain(layer) and layer.pre_norm]

    def change(module: nn.Module, method: str, function: Callable[..., Any]) -> None:
        setattr(module, method, function)
        changed.append((module, method))

    try:
        together: set[nn.Module] = set()
        joined: dict[nn.Module, Product] = {}
        for attention in modules:
            if isinstance(attention, MultiHeadAttention):
                parts = [attention.q_proj, attention.k_proj, attention.v_proj]
                together.update(parts)
                if all(map(_is_plain, parts)):
                    joined[attention] = _joined(parts, layout)
        for block in modules:
            if isinstance(block, FeedForward) and (forward := _fed_forward(block, batch_size)):
                together.add(block.up)
                change(block, "forward", forward)
        for part in modules:
            if isinstance(part, nn.Linear) and _is_plain(part) and part not in together:
                product = layout(part.weight.detach(), part.bias)
                if product is not None:
                    change(part, "forward", product)
        for layer in short:
            change(layer, "forward", _one_token(layer, joined.get(layer.attention)))
        yield
    finally:
        for module, method in changed:
            delattr(module, method)


Product = Callable[[Tensor], Tensor]


def is_plain(layer: nn.Module) -> bool:
    """Whether a layer is an `EncoderLayer` as it is here, that nobody listens to: it can be computed in another way."""
    if type(layer) is not EncoderLayer or type(layer.attention) is not MultiHeadAttention or layer.attention.alibi:
        return False
    return not any(
        part._forward_hooks or part._forward_pre_hooks or "forward" in vars(part) for part in layer.modules()
    )


def _is_plain(part: nn.Linear) -> bool:
    return type(part) is nn.Linear and part.weight.device.type == "cpu" and part.weight.dtype == torch.float32


def _joined(parts: list[nn.Linear], layout: Callable[[Tensor, Tensor | None], Product | None]) -> Product:
    """Several products with one x as one, side by side."""
    weight = torch.cat([part.weight.detach() for part in parts])
    bias = None if parts[0].bias is None else torch.cat([part.bias.detach() for part in parts])
    return layout(weight, bias) or partial(F.linear, weight=weight, bias=bias)


def _fed_forward(block: FeedForward, batch_size: int) -> Product | None:
    """`FeedForward.forward` in evaluation, the first product and the non-linearity in one; None where there is none."""
    act = _IN_ONE.get(block.activation)
    if act is None or batch_size == 1 or not _is_plain(block.up):
        return None
    hidden = _in_blocks(block.up.weight.detach(), block.up.bias, batch_size=batch_size, act=act)
    return hidden and (lambda x: block.down(hidden(x)))


def _one_token(layer: EncoderLayer, joined: Product | None) -> Callable[..., Any]:
    """`EncoderLayer.forward`, in which one new token takes a short way: no checks, no calls through wrappers.

    A step of a few rows is over so soon that these are a fifth of its time. All else takes the general way.
    """
    general, attention = layer.forward, layer.attention
    first_norm, second_norm = _called(layer.attention_norm), _called(layer.feed_forward_norm)
    out, fed_forward = _called(attention.out_proj), _short_feed_forward(layer.feed_forward)
    H, G, K = attention.num_heads, attention.num_kv_heads, attention.head_dim
    q_norm, k_norm, rotary = attention.q_norm, attention.k_norm, attention.rotary
    projections = attention.q_proj, attention.k_proj, attention.v_proj
    project = joined or (lambda y: torch.cat([part(y) for part in projections], dim=-1))

    def forward(
        x: Tensor, attention_mask: Tensor | None = None, *, cache: KVCache | None = None, **options: Any
    ) -> Tensor | tuple[Tensor, Tensor]:
        B, T, D = x.shape
        learns = layer.training or torch.is_grad_enabled()
        asked = {name for name, value in options.items() if value is not None}
        if T > 1 or cache is None or attention_mask is not None or asked != {"causal"} or learns:
            return general(x, attention_mask, cache=cache, **options)
        x = x.view(B, D)
        projected = project(first_norm(x))  # (B, (H + 2 G) K)
        query = projected.narrow(1, 0, D).view(B, H, 1, K)
        both = projected.narrow(1, D, 2 * G * K).view(B, 2, G, 1, K).transpose(0, 1)  # keys and values
        if q_norm is not None and k_norm is not None:
            query, both = q_norm.forward(query), torch.stack([k_norm.forward(both[0]), both[1]])
        if rotary is not None:
            query = rotary.forward(query, cache.length)
            both = torch.stack([rotary.forward(both[0], cache.length), both[1]])
        end = cache.length = cache.length + 1
        cache.buffer.narrow(3, end - 1, 1).copy_(both)
        keys, values = cache.buffer.narrow(3, 0, end).unbind(0)  # (B, G, S, K)
        context = fused_attention(query, keys, values)  # the newest sees all
        x = x + out(context.view(B, D))
        return (x + fed_forward(second_norm(x))).view(B, 1, D)

    return forward


def _short_feed_forward(block: nn.Module) -> Product:
    """`FeedForward.forward` in evaluation."""
    if type(block) is not FeedForward or "forward" in vars(block):
        return block.forward
    up, down, act = _called(block.up), _called(block.down), ACTIVATIONS[block.activation]
    if block.gate is None:
        return lambda x: down(act(up(x)))
    gate = _called(block.gate)
    return lambda x: down(act(gate(x)) * up(x))


def _called(part: nn.Module) -> Product:
    """What a call of a part comes to."""
    if "forward" not in vars(part) and type(part) is nn.Linear:
        return partial(F.linear, weight=part.weight, bias=part.bias)
    if type(part) is nn.LayerNorm:
        shape, weight, bias, eps = list(part.normalized_shape), part.weight, part.bias, part.eps
        return lambda x: torch.layer_norm(x, shape, weight, bias, eps)
    return part.forward


def _by_column(weight: Tensor, bias: Tensor | None) -> Product | None:
    if weight.shape[0] <= weight.shape[1]:
        return None
    return partial(F.linear, weight=weight.t().contiguous().t(), bias=bias)


_IN_ONE = {"relu": ("relu", ""), "gelu": ("gelu", "none"), "gelu_tanh": ("gelu", "tanh")}  # oneDNN's names


def _in_blocks(
    weight: Tensor, bias: Tensor | None, *, batch_size: int, act: tuple[str, str] = ("none", "")
) -> Product | None:
    operators = torch.ops.mkldnn
    if weight.numel() < LARGE or torch.is_autocast_enabled("cpu") or not hasattr(operators, "_linear_pointwise"):
        return None
    try:
        packed = operators._reorder_linear_weight(weight, batch_size)
    except RuntimeError:  # a processor without it
        return None
    return lambda x: operators._linear_pointwise(x, packed, bias, act[0], [], act[1])
