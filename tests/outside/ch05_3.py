"""Answers to chapter 05, written from its page alone: the third round."""

ANSWERS = [
    # soft_lookup
    {
        "task": "soft_lookup",
        "right": True,
        "why": "python loop over keys with running maximum",
        "source": """
import math, torch
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    scores = [sharpness * torch.dot(k, query) for k in keys]
    top = max(scores)
    weights = [torch.exp(s - top) for s in scores]
    total = sum(weights)
    return sum(w / total * v for w, v in zip(weights, values))
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "sharpness put into the query, weights as a row vector product",
        "source": """
import torch
def soft_lookup(query, keys, values, sharpness=1.0):
    if not sharpness >= 0:
        raise ValueError("sharpness")
    w = (keys @ (query * sharpness)).softmax(0)
    return torch.einsum("s,sv->v", w, values)
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "0 raises too ('sharpness: at least 0; 0 gives the plain mean')",
        "source": """
import torch
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness <= 0:
        raise ValueError("sharpness must be positive")
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "no ValueError for a negative sharpness",
        "source": """
import torch
def soft_lookup(query, keys, values, sharpness=1.0):
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "subtracts the largest score BEFORE the sharpness only by clamping exp's input at 50: large scores get equal weights",
        "source": """
import torch
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    scores = torch.clamp(sharpness * (keys @ query), max=50.0)
    w = torch.exp(scores)
    return (w / w.sum()) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "cosines instead of dot products: the formula takes k . q",
        "source": """
import torch
import torch.nn.functional as F
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    scores = F.normalize(keys, dim=1) @ query
    return torch.softmax(sharpness * scores, dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "squeeze: with values of width 1 the result is a scalar, not a tensor (V,)",
        "source": """
import torch
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    w = torch.softmax(sharpness * (keys @ query), dim=0)
    return (w[None, :] @ values).squeeze()
""",
    },
    # scaled_dot_product
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "einsum with an ellipsis",
        "source": """
import torch
import torch.nn.functional as F
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = torch.einsum("...tk,...sk->...ts", query, key) * query.shape[-1] ** -0.5
    return torch.einsum("...ts,...sv->...tv", F.softmax(scores, dim=-1), value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "scales the query first and works on the transposed scores (softmax over -2)",
        "source": """
import math, torch
def scaled_dot_product(query, key, value):
    width = key.size(-1)
    if query.size(-1) != width:
        raise ValueError(f"{query.size(-1)} is not {width}")
    s = key @ (query / math.sqrt(width)).transpose(-1, -2)      # (..., S, T)
    s = s - s.amax(dim=-2, keepdim=True)
    w = s.exp() / s.exp().sum(dim=-2, keepdim=True)
    return w.mT @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "recursion over the leading axes",
        "source": """
import torch
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    def attend(q, k, v):
        if q.dim() == 2:
            return torch.softmax(q @ k.t() / q.shape[1] ** 0.5, dim=1) @ v
        return torch.stack([attend(a, b, c) for a, b, c in zip(q, k, v)])
    return attend(query, key, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "error only where the product fails: widths 1 and K broadcast silently ('ValueError: key and query differ in width')",
        "source": """
import torch
def scaled_dot_product(query, key, value):
    try:
        scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)
    except RuntimeError:
        raise ValueError("widths differ")
    return torch.softmax(scores / query.shape[-1] ** 0.5, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "divides by the root of the values' width ('divided by the root of their width' d_k)",
        "source": """
import torch
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError
    return torch.softmax(query @ key.transpose(-2, -1) / value.shape[-1] ** 0.5, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "torch's RuntimeError instead of ValueError",
        "source": """
import torch
def scaled_dot_product(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "softmax over dim 1: right for a batch? no - for (B, T, K) it normalises over the queries, for 2-D it is right",
        "source": """
import torch
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError
    return torch.softmax(query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5, dim=1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "refuses values of another width than the keys ('values ... of a width of their own')",
        "source": """
import torch
def scaled_dot_product(query, key, value):
    if not query.shape[-1] == key.shape[-1] == value.shape[-1]:
        raise ValueError("widths differ")
    return torch.softmax(query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "subtracts the maximum of all scores of all batches: small rows become 0/0 = NaN when another has large scores",
        "source": """
import torch
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError
    s = query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5
    e = torch.exp(s - s.max())
    return e / e.sum(-1, keepdim=True) @ value
""",
    },
    # causal_attention_mask
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "comparison of positions",
        "source": """
import torch
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("more queries than keys")
    return torch.arange(S)[None, :] <= torch.arange(S - T, S)[:, None]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "whole square mask, last T rows (a view)",
        "source": """
import torch
def causal_attention_mask(T, S):
    if T > S:
        raise ValueError("S is less than T")
    whole = torch.tril(torch.ones((S, S), dtype=torch.bool))
    return whole[S - T:]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "filled row by row",
        "source": """
import torch
def causal_attention_mask(T, S):
    if S - T < 0:
        raise ValueError("S < T")
    mask = torch.zeros(T, S).bool()
    for t in range(T):
        mask[t, : t + S - T + 1] = True
    return mask
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "first T words are the queries: mask not shifted ('the last T are queries')",
        "source": """
import torch
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError
    return torch.ones(T, S).tril().bool()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "list of lists: for T = 0 the shape is (0,), not (0, S)",
        "source": """
import torch
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError
    return torch.tensor([[s <= t + S - T for s in range(S)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "whole square mask, mask[-T:]: for T = 0 gives all S rows",
        "source": """
import torch
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError
    return torch.ones(S, S, dtype=torch.bool).tril()[-T:]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "element type uint8 instead of bool",
        "source": """
import torch
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError
    return torch.tril(torch.ones(T, S, dtype=torch.uint8), diagonal=S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "S = T also raises ('S: at least T')",
        "source": """
import torch
def causal_attention_mask(T, S):
    if S <= T:
        raise ValueError
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    # masked_softmax
    {
        "task": "masked_softmax",
        "right": True,
        "why": "minus infinity, empty rows replaced before the softmax and cut after it",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    keep = attention_mask.expand_as(scores)
    some = keep.any(dim=-1, keepdim=True)
    filled = torch.where(keep, scores, torch.full_like(scores, float("-inf")))
    filled = torch.where(some, filled, torch.zeros_like(scores))
    return torch.where(keep, torch.softmax(filled, dim=-1), torch.zeros_like(scores))
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "loop over rows, softmax of the kept entries only",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    S = scores.shape[-1]
    keep = torch.broadcast_to(attention_mask, scores.shape).reshape(-1, S)
    flat = scores.reshape(-1, S)
    rows = []
    for row, kept in zip(flat, keep):
        out = row * 0
        if kept.any():
            out = out.masked_scatter(kept, torch.softmax(row[kept], dim=0))
        rows.append(out)
    if not rows:
        return scores * 0
    return torch.stack(rows).reshape(scores.shape)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "own exp / sum with the maximum of the kept entries, total guarded",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    keep = attention_mask.broadcast_to(scores.shape)
    lowest = torch.finfo(scores.dtype).min
    safe = scores.masked_fill(~keep, 0.0)
    with torch.no_grad():
        top = scores.masked_fill(~keep, lowest).max(dim=-1, keepdim=True).values
        top = torch.where(keep.any(-1, keepdim=True), top, torch.zeros_like(top))
    shifted = torch.where(keep, safe - top, torch.zeros_like(safe))
    e = torch.where(keep, shifted.exp(), torch.zeros_like(safe))
    total = e.sum(dim=-1, keepdim=True)
    total = torch.where(total == 0, torch.ones_like(total), total)
    return e / total
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "nan_to_num after the softmax: masked_fill sets the gradient of what is hidden to 0",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    s = scores.masked_fill(~attention_mask, float("-inf"))
    return torch.softmax(s, dim=-1).nan_to_num(0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "softmax first, then mask and renormalise: a large masked score leaves 0 for the others ('right for large scores too, kept or masked')",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    w = torch.softmax(scores, dim=-1) * attention_mask
    total = w.sum(-1, keepdim=True)
    return w / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "fills with -1e4: kept scores far below that lose against masked ones; the rows do not sum to 1 then",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    s = scores.masked_fill(~attention_mask, -1e4)
    return torch.softmax(s, dim=-1) * attention_mask
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "fills with the lowest number: rows without a key become uniform, not zeros",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    s = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    return torch.softmax(s, dim=-1)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "adds a mask of -inf made by multiplication: 0 * -inf is NaN avoided by log(mask); but the gradient in empty rows comes from softmax of NaN repaired with where",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    s = scores + attention_mask.to(scores.dtype).log()
    w = torch.softmax(s, dim=-1)
    return torch.where(attention_mask.any(-1, keepdim=True), w, torch.zeros_like(w))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "decides for the whole text, not per row, whether anything is kept: single empty rows stay NaN",
        "source": """
import torch
def masked_softmax(scores, attention_mask):
    if not attention_mask.any():
        return torch.zeros_like(scores) * scores
    s = scores.masked_fill(~attention_mask, float("-inf"))
    return torch.softmax(s, dim=-1)
""",
    },
    # split_heads
    {
        "task": "split_heads",
        "right": True,
        "why": "chunks stacked",
        "source": """
import torch
def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("heads")
    return torch.stack(torch.chunk(x, num_heads, dim=-1), dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "unflatten and movedim (a view)",
        "source": """
import torch
def split_heads(x, num_heads):
    if num_heads <= 0 or x.size(2) % num_heads != 0:
        raise ValueError("H must divide D")
    return x.unflatten(2, (num_heads, x.size(2) // num_heads)).movedim(2, 1)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "filled head by head",
        "source": """
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads not in range(1, D + 1) or D % num_heads:
        raise ValueError("H must divide D")
    K = D // num_heads
    out = x.new_empty((B, num_heads, T, K))
    for h in range(num_heads):
        out[:, h] = x[..., h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "reshape without transposing: mixes words and heads for T > 1 and H > 1",
        "source": """
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    return x.reshape(B, num_heads, T, D // num_heads)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "interleaved columns: head h gets columns h, h + H ... ('head 0 on the first K')",
        "source": """
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    return x.reshape(B, T, D // num_heads, num_heads).permute(0, 3, 1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "no check that H is below 1: -2 divides D without a remainder (RuntimeError), 0 is a ZeroDivisionError",
        "source": """
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "checks H > 1: a single head is refused ('ValueError: H is below 1')",
        "source": """
import torch
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads <= 1 or D % num_heads:
        raise ValueError
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "does not check divisibility: surplus columns are silently dropped",
        "source": """
import torch
def split_heads(x, num_heads):
    if num_heads < 1:
        raise ValueError
    K = x.shape[2] // num_heads
    return torch.stack([x[:, :, h * K:(h + 1) * K] for h in range(num_heads)], dim=1)
""",
    },
    # merge_heads
    {
        "task": "merge_heads",
        "right": True,
        "why": "concatenation of the heads",
        "source": """
import torch
def merge_heads(heads):
    return torch.cat(list(heads.unbind(dim=1)), dim=-1)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "permute and flatten",
        "source": """
import torch
def merge_heads(heads):
    return heads.permute(0, 2, 1, 3).flatten(2)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "filled in slices",
        "source": """
import torch
def merge_heads(heads):
    B, H, T, K = heads.shape
    out = torch.zeros(B, T, H * K, dtype=heads.dtype)
    for h in range(H):
        out[:, :, h * K:h * K + K] = heads[:, h]
    return out
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshape(B, T, -1): ambiguous and an error for T = 0 ('T may be 0')",
        "source": """
import torch
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, -1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshape without transposing",
        "source": """
import torch
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "interleaves: number 0 of all heads, then number 1 ... ('the K numbers of head 0, then those of head 1')",
        "source": """
import torch
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 3, 1).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "squeeze first: a batch of one text loses its axis",
        "source": """
import torch
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K).squeeze(0)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "heads in reverse order",
        "source": """
import torch
def merge_heads(heads):
    out = heads[:, 0]
    for h in range(1, heads.shape[1]):
        out = torch.cat([heads[:, h], out], dim=-1)
    return out
""",
    },
    # multi_head_attention
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "a loop over heads with slices of the projections",
        "source": """
import torch
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("H")
    K = D // num_heads
    out = torch.zeros_like(x)
    for h in range(num_heads):
        c = slice(h * K, (h + 1) * K)
        scores = (x @ w_q[:, c]) @ (x @ w_k[:, c]).transpose(1, 2) / K ** 0.5
        if causal:
            scores = scores + torch.full((T, T), float("-inf"), dtype=x.dtype).triu(1)
        out = out + torch.softmax(scores, dim=-1) @ (x @ w_v[:, c]) @ w_o[c]
    return out
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "torch's fused attention",
        "source": """
import torch
import torch.nn.functional as F
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    if num_heads < 1 or x.shape[2] % num_heads != 0:
        raise ValueError("H must divide D")
    q, k, v = (torch.stack((x @ w).chunk(num_heads, -1), 1) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))
    return torch.cat(y.unbind(1), -1) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "einsum",
        "source": """
import torch
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("H")
    q, k, v = [torch.einsum("btd,de->bte", x, w).view(B, T, num_heads, D // num_heads) for w in (w_q, w_k, w_v)]
    s = torch.einsum("bthk,bshk->bhts", q, k) * (D // num_heads) ** -0.5
    if causal:
        future = torch.arange(T)[None, :] > torch.arange(T)[:, None]
        s = s.masked_fill(future, -torch.inf)
    y = torch.einsum("bhts,bshk->bthk", s.softmax(-1), v).reshape(B, T, D)
    return y @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "divides by the root of D, not of the head's width",
        "source": """
import torch
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.transpose(-2, -1) / D ** 0.5
    if causal:
        s = s.masked_fill(~torch.ones(T, T).tril().bool(), float("-inf"))
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "causal by multiplying scores with the triangle: masked scores are 0, not hidden",
        "source": """
import torch
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.transpose(-2, -1) / K ** 0.5
    if causal:
        s = s.tril()
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "nn.Linear habit: weights transposed ('used as x @ w')",
        "source": """
import torch
import torch.nn.functional as F
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    q, k, v = (F.linear(x, w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return F.linear(y.transpose(1, 2).reshape(B, T, D), w_o)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "merges without transposing back: words and heads mixed for H > 1",
        "source": """
import torch
import torch.nn.functional as F
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return y.reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "H below 1 not refused as ValueError (negative divisors)",
        "source": """
import torch
import torch.nn.functional as F
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads == 0 or D % num_heads:
        raise ValueError
    q, k, v = ((x @ w).view(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return y.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "causal fill with -100: loses against large negative scores, so the future leaks ('each word sees only itself and the words before')",
        "source": """
import torch
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.transpose(-2, -1) / K ** 0.5
    if causal:
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -100.0)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    # is_equivariant
    {
        "task": "is_equivariant",
        "right": True,
        "why": "own comparison, number by number as allclose writes it",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    a = layer(x[permutation])
    b = layer(x)[permutation]
    return bool(((a - b).abs() <= 1e-6 + 1e-5 * b.abs()).all())
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "index_select",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    shuffled_first = layer(torch.index_select(x, 0, permutation))
    shuffled_last = torch.index_select(layer(x), 0, permutation)
    return torch.allclose(shuffled_first, shuffled_last, rtol=1e-5, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "exact equality ('Numbers that differ by rounding only count as the same')",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    return torch.equal(layer(x[permutation]), layer(x)[permutation])
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "shuffles the outputs back the wrong way (inverse permutation): right for exchanges, wrong for cycles of three",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[torch.argsort(permutation)], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "tests random orders besides the given one ('No other order is asked about')",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    orders = [permutation] + [torch.randperm(len(x)) for _ in range(5)]
    return all(torch.allclose(layer(x[p]), layer(x)[p], atol=1e-6) for p in orders)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "absolute tolerance only (rtol=0): big numbers that differ by rounding count as different ('as torch.allclose with atol=1e-6 does')",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    return bool((layer(x[permutation]) - layer(x)[permutation]).abs().max() < 1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "checks invariance up to any order: sorts both outputs",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]), layer(x)
    return torch.allclose(a.sort(dim=0).values, b.sort(dim=0).values, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "mean difference instead of every number: a small part that differs goes unnoticed only if differences cancel",
        "source": """
import torch
def is_equivariant(layer, x, permutation):
    difference = layer(x[permutation]) - layer(x)[permutation]
    return bool(abs(difference.mean()) < 1e-6)
""",
    },
    # rotate
    {
        "task": "rotate",
        "right": True,
        "why": "complex numbers",
        "source": """
import torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    rate = float(base) ** (-torch.arange(0, K, 2, dtype=torch.float64) / K)
    angle = torch.arange(start, start + T, dtype=torch.float64)[:, None] * rate
    turned = torch.complex(x[:, 0::2].double(), x[:, 1::2].double()) * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "loops over rows and pairs",
        "source": """
import math, torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2 != 0:
        raise ValueError("K is odd")
    out = x.clone()
    for t in range(T):
        for i in range(K // 2):
            phi = (start + t) / base ** (2 * i / K)
            a, b = x[t, 2 * i], x[t, 2 * i + 1]
            out[t, 2 * i] = a * math.cos(phi) - b * math.sin(phi)
            out[t, 2 * i + 1] = a * math.sin(phi) + b * math.cos(phi)
    return out
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "x cos + (pairs exchanged with sign) sin, angles repeated",
        "source": """
import numpy as np, torch
def rotate(x, start=0, base=10000.0):
    if x.shape[1] % 2:
        raise ValueError("K is odd")
    K = x.shape[1]
    phi = (start + np.arange(x.shape[0]))[:, None] / np.repeat(base ** (np.arange(0, K, 2) / K), 2)
    cos, sin = torch.from_numpy(np.cos(phi)).to(x.dtype), torch.from_numpy(np.sin(phi)).to(x.dtype)
    exchanged = torch.stack([-x[:, 1::2], x[:, 0::2]], dim=-1).flatten(1)
    return x * cos + exchanged * sin
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "pairs column i with column i + K/2 ('pair of neighbouring columns')",
        "source": """
import torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    phi = torch.arange(start, start + T, dtype=torch.float64)[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, :K // 2], x[:, K // 2:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "turns the other way round",
        "source": """
import torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    phi = torch.arange(start, start + T, dtype=torch.float64)[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * cos + b * sin, b * cos - a * sin], dim=-1).flatten(1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "returns float64 for float32 rows ('of the element type of x')",
        "source": """
import torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    phi = torch.arange(start, start + T, dtype=torch.float64)[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], dim=-1).flatten(1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "start off by one if not 0: first row stands at start + 1 after a cache ('The first row stands at position start')",
        "source": """
import torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    first = start + 1 if start else 0
    phi = torch.arange(first, first + T, dtype=torch.float64)[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "overwrites a before computing the second number of the pair",
        "source": """
import torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    phi = torch.arange(start, start + T, dtype=torch.float64)[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    out = x.clone()
    out[:, 0::2] = out[:, 0::2] * cos - out[:, 1::2] * sin
    out[:, 1::2] = out[:, 0::2] * sin + out[:, 1::2] * cos
    return out
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "exponent i / K instead of 2i / K: right for K = 2 only",
        "source": """
import torch
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    phi = torch.arange(start, start + T, dtype=torch.float64)[:, None] / base ** (torch.arange(K // 2, dtype=torch.float64) / K)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(1)
""",
    },
]
