"""Texts that begin alike, read together: what they share is computed once.

G groups, n texts in each, P length of what a group shares, R of what each text goes on with, D width, H heads, K head
width.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.layers.attention import MultiHeadAttention, scaled_dot_product_attention


def attention_in_branches(
    x: Tensor,
    *,
    module: MultiHeadAttention,
    groups: int,
    shared: int,
    branches: int,
    attention_mask: Tensor | None = None,
) -> Tensor:
    """Return the causal self-attention of G beginnings, and of n continuations of each, which lie below them.

    A continuation sees its beginning and itself. It gets what it would get behind a beginning of its own, and so do
    the gradients; but what becomes of a beginning is worked out once, not n times.

    Args:
        x: (1, G P + G n R, D): the beginnings one after the other, then the continuations, group by group.
        module: its projections, norms and positions.
        groups, shared, branches: G, P, n.
        attention_mask: (G, P) bool, False = padding, on the left of the beginnings.

    Returns:
        as x.

    Source: Juravsky et al., "Hydragen", 2024, section 3.1, for generation.
    """
    G, P, n, tokens = groups, shared, branches, groups * shared
    query, key, value = (part[0] for part in module.project(x, x))  # (G P + G n R, H K)

    def behind(projected: Tensor) -> Tensor:
        """Each continuation behind its beginning, (G n, P + R, H K)."""
        first = projected[:tokens].view(G, 1, P, -1).expand(-1, n, -1, -1)
        return torch.cat([first, projected[tokens:].view(G, n, -1, first.shape[-1])], dim=2).flatten(0, 1)

    first_q, first_k, first_v = (part[:tokens].view(G, P, -1) for part in (query, key, value))
    rest_q = query[tokens:].view(G * n, -1, query.shape[-1])
    first = _read(module, first_q, first_k, first_v, 0, attention_mask)
    attention_mask = None if attention_mask is None else attention_mask.repeat_interleave(n, 0)
    rest = _read(module, rest_q, behind(key), behind(value), P, attention_mask)
    return module.out_proj(torch.cat([first, rest])[None])


def _read(
    module: MultiHeadAttention, query: Tensor, key: Tensor, value: Tensor, offset: int, attention_mask: Tensor | None
) -> Tensor:
    """Return what queries (B, T, D) from place `offset` on read in keys and values (B, S, G K), (B T, D)."""
    (B, T, D), S = query.shape, key.shape[1]
    H, G, K = module.num_heads, module.num_kv_heads, module.head_dim
    query = query.view(B, T, H, K).transpose(1, 2)
    key, value = key.view(B, S, G, K).transpose(1, 2), value.view(B, S, G, K).transpose(1, 2)
    if module.q_norm is not None and module.k_norm is not None:
        query, key = module.q_norm(query), module.k_norm(key)
    if module.rotary is not None:
        query, key = module.rotary(query, offset), module.rotary(key)
    if attention_mask is not None:
        attention_mask = F.pad(attention_mask, (0, S - attention_mask.shape[1]), value=True)[
            :, None, None
        ]  # (B, 1, 1, S)
    dropout_p = module.dropout if module.training else 0.0
    context = scaled_dot_product_attention(query, key, value, attention_mask, causal=True, dropout_p=dropout_p)
    return context.transpose(1, 2).reshape(B * T, D)
