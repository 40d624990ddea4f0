"""Answers to chapter 05, written from its page alone."""

ANSWERS = [
    # soft_lookup
    {
        "task": "soft_lookup",
        "right": True,
        "why": "a subclass of ValueError; softmax of the library",
        "source": """
class BadSharpness(ValueError):
    pass


def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise BadSharpness(f"the sharpness must be at least 0, not {sharpness}")
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "sums by hand, each value times its weight",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    if not sharpness >= 0:
        raise ValueError("negative")
    scores = [sharpness * (k * query).sum() for k in keys]
    top = max(scores)
    weights = [torch.exp(s - top) for s in scores]
    return sum(w * v for w, v in zip(weights, values)) / sum(weights)
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "the library's attention with one query and the sharpness as its scale",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError(sharpness)
    logs = F.log_softmax(torch.mv(keys, query).mul(float(sharpness)), dim=-1)
    return torch.einsum("s,sv->v", logs.exp(), values)
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "a sharpness of 0 counts as not given; '0 gives the plain mean'",
        "source": """
def soft_lookup(query, keys, values, sharpness=None):
    sharpness = sharpness or 1.0
    if sharpness < 0:
        raise ValueError("sharpness")
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "the power is taken of softmax weights that may already be 0; softmax(sharpness times the scores)",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    w = torch.softmax(keys @ query, dim=0) ** sharpness
    return w @ values / w.sum()
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "squeeze also drops an axis V of 1; 'A tensor (V,)'",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    w = torch.softmax(sharpness * query[None] @ keys.T, dim=-1)
    return (w @ values).squeeze()
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "a ValueError for a sharpness of 0, which is legal ('at least 0')",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness <= 0:
        raise ValueError("sharpness must be positive")
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "when it is sharp, only the first of equally good keys is taken; the better matches have more weight",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    scores = sharpness * (keys @ query)
    if scores.max() > 80:
        return values[scores.argmax()]
    e = torch.exp(scores)
    return e @ values / e.sum()
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "no ValueError for a negative sharpness: 'Raises ValueError: the sharpness is negative'",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    return torch.softmax(abs(sharpness) * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "the largest score is taken away before the sharpness is applied to the raw ones: exp overflows",
        "source": """
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    scores = keys @ query
    e = torch.exp(sharpness * scores - scores.max())
    return e @ values / e.sum()
""",
    },
    # scaled_dot_product
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "the library's function, with the check before it",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"queries of width {query.shape[-1]}, keys of width {key.shape[-1]}")
    return F.scaled_dot_product_attention(query, key, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "einsum with an ellipsis; the query is scaled, not the scores",
        "source": """
def scaled_dot_product(query, key, value):
    k = query.size(-1)
    if key.size(-1) != k:
        raise ValueError("widths")
    s = torch.einsum("...tk,...sk->...ts", query / math.sqrt(k), key)
    w = torch.exp(s - s.logsumexp(-1, keepdim=True))
    return torch.einsum("...ts,...sv->...tv", w, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "recursion over the axes in front, one matrix at a time",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    if query.dim() > 2:
        return torch.stack([scaled_dot_product(q, k, v) for q, k, v in zip(query, key, value)])
    return torch.softmax(query @ key.T / query.shape[1] ** 0.5, dim=1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "divided by the root of the values' width; 'scores divided by the root of their width' k, of the keys",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    scores = query @ key.transpose(-2, -1) / value.shape[-1] ** 0.5
    return scores.softmax(-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "axes 1 and 2 are exchanged: right without heads only; 'any axes may stand before the last two'",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    if query.dim() == 2:
        return torch.softmax(query @ key.T / math.sqrt(key.shape[-1]), dim=-1) @ value
    return torch.softmax(query @ key.transpose(1, 2) / math.sqrt(key.shape[-1]), dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "keys or queries of width 1 are broadcast silently; 'ValueError: key and query differ in width'",
        "source": """
def scaled_dot_product(query, key, value):
    try:
        scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)
    except RuntimeError:
        raise ValueError("key and query differ in width") from None
    return torch.softmax(scores / key.shape[-1] ** 0.5, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "a ValueError where there are more keys than queries; they need the same width only",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape != key.shape:
        raise ValueError("query and key must match")
    return torch.softmax(query @ key.mT / key.shape[-1] ** 0.5, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "no check, so torch's RuntimeError instead of the ValueError",
        "source": """
def scaled_dot_product(query, key, value):
    return F.scaled_dot_product_attention(query, key, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "exp before anything is taken away: 'Large scores must not overflow'",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    e = (query @ key.mT / key.shape[-1] ** 0.5).exp()
    return (e @ value) / e.sum(-1, keepdim=True)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "the softmax runs over the queries, so the weights of a query do not sum to 1; softmax(QK/sqrt k) V",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    scores = key @ query.transpose(-1, -2) / key.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1).transpose(-1, -2) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": None,
        "why": "the query is divided in place: the statement does not say that the arguments stay as they are",
        "source": """
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    query /= query.shape[-1] ** 0.5
    return torch.softmax(query @ key.mT, dim=-1) @ value
""",
    },
    # causal_attention_mask
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "a loop over the queries that sets a slice",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError(f"{S} keys for {T} queries")
    mask = torch.zeros(T, S, dtype=torch.bool)
    for t in range(T):
        mask[t, : t + S - T + 1] = True
    return mask
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "positions compared by broadcasting",
        "source": """
def causal_attention_mask(T, S):
    if not T <= S:
        raise ValueError("T > S")
    return torch.arange(S).unsqueeze(0).le(torch.arange(S - T, S).unsqueeze(1))
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "the last T rows of the whole square triangle",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.ones(S, S, dtype=torch.bool).tril()[S - T :]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "the queries are taken as the first T words; 'the last T are queries'",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.tril(torch.ones(T, S)).bool()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "for T = 0 a list without rows gives the shape (0,); 'A bool tensor (T, S)', T 0 or more",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.tensor([[s <= t + S - T for s in range(S)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "the query's own word is hidden; 'may see the keys up to its own position'",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.arange(S)[None, :] < torch.arange(S - T, S)[:, None]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "True is what is hidden; 'True = takes part'",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.triu(torch.ones(T, S, dtype=torch.bool), diagonal=S - T + 1)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "ones and zeros of float instead of a bool tensor",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.ones(T, S).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "no ValueError for S below T: tril accepts a negative diagonal",
        "source": """
def causal_attention_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "each query sees a window of S - T + 1 keys only, not all 'keys up to its own position'",
        "source": """
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    ones = torch.ones(T, S, dtype=torch.bool)
    return ones.tril(S - T) & ones.triu()
""",
    },
    # masked_softmax
    {
        "task": "masked_softmax",
        "right": True,
        "why": "minus infinity, and rows without keys replaced before the softmax",
        "source": """
def masked_softmax(scores, attention_mask):
    keep = attention_mask.expand_as(scores)
    safe = scores.masked_fill(~keep, float("-inf"))
    safe = torch.where(keep.any(-1, keepdim=True), safe, torch.zeros_like(safe))
    return safe.softmax(-1).masked_fill(~keep, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "the smallest number of the type instead of minus infinity, then zeros where masked",
        "source": """
def masked_softmax(scores, attention_mask):
    low = torch.finfo(scores.dtype).min
    weights = torch.softmax(torch.where(attention_mask, scores, low), dim=-1)
    return torch.where(attention_mask, weights, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "exp by hand: masked scores are replaced before exp, an empty row is divided by 1",
        "source": """
def masked_softmax(scores, attention_mask):
    mask = torch.broadcast_to(attention_mask, scores.shape)
    with torch.no_grad():
        top = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)
        top = torch.where(top.isinf(), torch.zeros_like(top), top)
    shifted = torch.where(mask, scores - top, 0.0)
    e = shifted.exp() * mask
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "minus infinity is added: the gradient of an empty row is NaN; 'never NaN'",
        "source": """
def masked_softmax(scores, attention_mask):
    bias = torch.zeros(attention_mask.shape, dtype=scores.dtype).masked_fill(~attention_mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores + bias, dim=-1))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "softmax first, mask after: a large masked score leaves 0 for the kept ones; they sum to 1",
        "source": """
def masked_softmax(scores, attention_mask):
    weights = torch.softmax(scores, dim=-1) * attention_mask
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-12)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "exp of a large masked score is inf; where hides it forward, but its gradient is 0 times inf",
        "source": """
def masked_softmax(scores, attention_mask):
    top = scores.masked_fill(~attention_mask, float("-inf")).amax(-1, keepdim=True).clamp(min=-1e30)
    e = torch.where(attention_mask, torch.exp(scores - top.detach()), 0.0)
    total = e.sum(-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "kept scores below -10000 lose against the fill value; 'right for large scores too, kept or masked'",
        "source": """
def masked_softmax(scores, attention_mask):
    weights = torch.softmax(scores.masked_fill(~attention_mask, -1e4), dim=-1)
    return weights * attention_mask
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "a row in which nothing is kept becomes uniform; it 'gets zeros'",
        "source": """
def masked_softmax(scores, attention_mask):
    return torch.softmax(scores.masked_fill(attention_mask.logical_not(), torch.finfo(scores.dtype).min), dim=-1)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "indexing with the mask needs the scores' own shape; 'The mask is broadcast to the scores'",
        "source": """
def masked_softmax(scores, attention_mask):
    filled = scores.clone()
    filled[~attention_mask] = -torch.inf
    return torch.softmax(filled, dim=-1).nan_to_num(0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "the largest kept score of the whole tensor is taken away, so that far smaller rows become 0",
        "source": """
def masked_softmax(scores, attention_mask):
    keep = attention_mask.expand(scores.shape)
    if not keep.any():
        return scores * 0
    e = (scores.masked_fill(~keep, -torch.inf) - scores[keep].max().detach()).exp()
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    # split_heads
    {
        "task": "split_heads",
        "right": True,
        "why": "reshape, then the heads before the words",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError(f"{num_heads} heads do not divide a width of {D}")
    return x.reshape(B, T, num_heads, D // num_heads).permute(0, 2, 1, 3)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "slices of columns, stacked on a new axis",
        "source": """
def split_heads(x, num_heads):
    D = x.shape[2]
    if num_heads not in range(1, D + 1) or D % num_heads != 0:
        raise ValueError("heads")
    K = D // num_heads
    return torch.stack([x[..., h * K : (h + 1) * K] for h in range(num_heads)], dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "unflatten and movedim",
        "source": """
def split_heads(x, num_heads):
    if num_heads <= 0 or x.size(-1) % num_heads > 0:
        raise ValueError
    return x.unflatten(-1, (num_heads, x.size(-1) // num_heads)).movedim(2, 1).contiguous()
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "reshaped without exchanging axes: a head gets whole words instead of its own columns",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    return x.reshape(B, num_heads, T, D // num_heads)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "head h takes every H-th column; 'head 0 on the first K, head 1 on the next K'",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    return x.reshape(B, T, D // num_heads, num_heads).permute(0, 3, 1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "view fails for an x whose memory is in another order, which is 'a tensor (B, T, D)' all the same",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    flat = x.view(B * T, num_heads, D // num_heads)
    return flat.view(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "ZeroDivisionError for 0 heads; 'ValueError: H is below 1'",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads or num_heads < 1:
        raise ValueError("heads")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "-2 divides 4 for Python, so no ValueError; 'H is below 1'",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads == 0 or D % num_heads:
        raise ValueError("heads")
    H = abs(num_heads)
    return x.reshape(B, T, H, D // H).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "a ValueError where each head has one column; H = D divides D",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if not 1 <= num_heads < D or D % num_heads:
        raise ValueError("heads")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "chunk gives fewer or uneven heads where H does not divide D, and no ValueError",
        "source": """
def split_heads(x, num_heads):
    if num_heads < 1:
        raise ValueError("heads")
    chunks = x.chunk(num_heads, dim=-1)
    return torch.stack([c for c in chunks if c.shape == chunks[0].shape], dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": None,
        "why": "-1 for the words fails when there are none; the page allows T = 0 for merge_heads, says nothing here",
        "source": """
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    return x.reshape(B, -1, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    # merge_heads
    {
        "task": "merge_heads",
        "right": True,
        "why": "words before heads, then the last two axes made one",
        "source": """
def merge_heads(heads):
    return heads.transpose(1, 2).flatten(2)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "the heads laid side by side with cat",
        "source": """
def merge_heads(heads):
    return torch.cat(heads.unbind(dim=1), dim=-1)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "loops over words and heads, into a new tensor of the same type",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    out = heads.new_empty(B, T, H * K)
    for t in range(T):
        for h in range(H):
            out[:, t, h * K : (h + 1) * K] = heads[:, h, t]
    return out
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "-1 cannot be worked out when there are no words; 'T may be 0'",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 1, 3).reshape(B, T, -1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshaped without exchanging axes; 'for each word, the K numbers of head 0, then those of head 1'",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.contiguous().view(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "view after transpose raises for more than one head and word",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).view(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "the numbers of the heads alternate; first all K of head 0, then all of head 1",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 3, 1).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "collected in float32: numbers of float64 and large whole numbers are rounded",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    out = torch.zeros(B, T, H * K)
    for h in range(H):
        out[..., h * K : h * K + K] = heads[:, h]
    return out
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "the axes of texts and words are mixed: right for one text only; 'A tensor (B, T, H K)'",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(0, 2).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "the axis of a single text is dropped; 'A tensor (B, T, H K)'",
        "source": """
def merge_heads(heads):
    B, H, T, K = heads.shape
    merged = heads.transpose(1, 2).reshape(B, T, H * K)
    return merged.squeeze(0)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "stack has nothing to stack when there are no words; 'T may be 0'",
        "source": """
def merge_heads(heads):
    words = [heads[:, :, t].flatten(1) for t in range(heads.size(2))]
    return torch.stack(words, dim=1)
""",
    },
    # multi_head_attention
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "a loop over the heads, on slices of columns",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError(f"{num_heads} heads, width {D}")
    K = D // num_heads
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    heads = []
    for h in range(num_heads):
        columns = slice(h * K, (h + 1) * K)
        scores = q[..., columns] @ k[..., columns].mT / math.sqrt(K)
        if causal:
            scores = scores.masked_fill(future, -math.inf)
        heads.append(scores.softmax(-1) @ v[..., columns])
    return torch.cat(heads, -1) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "the library's attention between unflatten and flatten",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    if num_heads < 1 or x.shape[-1] % num_heads != 0:
        raise ValueError("heads")
    K = x.shape[-1] // num_heads
    q, k, v = ((x @ w).unflatten(-1, (num_heads, K)).transpose(1, 2) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))
    return y.transpose(1, 2).flatten(2) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "einsum with the weights cut into heads instead of the projections; log of the mask added",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    D = x.size(2)
    if num_heads <= 0 or D % num_heads:
        raise ValueError("heads")
    cut = lambda w: w.reshape(D, num_heads, D // num_heads)
    q, k, v = (torch.einsum("btd,dhk->bhtk", x, cut(w)) for w in (w_q, w_k, w_v))
    s = torch.einsum("bhtk,bhsk->bhts", q, k) * (D // num_heads) ** -0.5
    if causal:
        s = s + torch.ones_like(s).tril().log()
    y = torch.einsum("bhts,bhsk->bhtk", (s - s.logsumexp(-1, keepdim=True)).exp(), v)
    return torch.einsum("bhtk,hkd->btd", y, w_o.reshape(num_heads, D // num_heads, D))
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "scaled by the root of D; 'scaled by the root of the head's width'",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    cut = lambda y: y.reshape(B, T, num_heads, -1).transpose(1, 2)
    scores = cut(x @ w_q) @ cut(x @ w_k).mT / D**0.5
    if causal:
        scores = scores.masked_fill(~torch.ones(T, T).tril().bool(), -torch.inf)
    return (scores.softmax(-1) @ cut(x @ w_v)).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "the weights are used as those of nn.Linear, transposed; 'used as x @ w'",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = (F.linear(x, w).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return F.linear(y.transpose(1, 2).reshape(B, T, D), w_o)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "masked after the softmax, so the weights of the words seen do not sum to 1",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    weights = torch.softmax(q @ k.transpose(2, 3) / K**0.5, dim=-1)
    if causal:
        weights = weights.tril()
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "future scores become -10000, perhaps more than the others; 'sees only itself and the words before'",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / K**0.5
    if causal:
        s = s.masked_fill(torch.ones(T, T).triu(1) > 0, -1e4)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "the heads are laid end to end without going back to words first: head 0 and 1 of a word are torn apart",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return y.reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "0 heads: ZeroDivisionError; -1 head: torch's RuntimeError. 'ValueError: H is below 1'",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("heads")
    q, k, v = ((x @ w).view(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return y.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "exp of raw scores, divided by their sum: 'Large scores must not overflow'",
        "source": """
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    e = torch.exp(q @ k.mT / K**0.5)
    if causal:
        e = e.tril()
    return (e / e.sum(-1, keepdim=True) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    # is_equivariant
    {
        "task": "is_equivariant",
        "right": True,
        "why": "the two sides compared with torch.allclose",
        "source": """
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "the rule of allclose written out, row by row",
        "source": """
def is_equivariant(layer, x, permutation):
    first, after = layer(x[permutation]), layer(x)
    for t, p in enumerate(permutation.tolist()):
        if ((first[t] - after[p]).abs() > 1e-6 + 1e-5 * after[p].abs()).any():
            return False
    return True
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "the shuffled outputs by a permutation matrix; isclose and all",
        "source": """
def is_equivariant(layer, x, permutation):
    P = torch.eye(len(x), dtype=x.dtype)[permutation]
    wanted = P @ layer(x)
    return bool(torch.isclose(layer(P @ x), wanted, rtol=1e-5, atol=1e-6).all())
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "the outputs are shuffled back with the wrong order: right only if the permutation is its own inverse",
        "source": """
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation])[permutation], layer(x), atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "compared exactly; 'Numbers that differ by rounding only count as the same'",
        "source": """
def is_equivariant(layer, x, permutation):
    return torch.equal(layer(x[permutation]), layer(x)[permutation])
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "asks whether the outputs stay the same (invariant), not whether they are shuffled likewise",
        "source": """
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x), atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "the absolute difference only: 'compare as torch.allclose with atol=1e-6 does' (it adds rtol)",
        "source": """
def is_equivariant(layer, x, permutation):
    difference = layer(x[permutation]) - layer(x)[permutation]
    return bool((difference.abs() <= 1e-6).all())
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "tries all orders although 'No other order is asked about'",
        "source": """
def is_equivariant(layer, x, permutation):
    orders = [permutation] + [torch.tensor(p) for p in itertools.islice(itertools.permutations(range(len(x))), 200)]
    y = layer(x)
    return all(torch.allclose(layer(x[p]), y[p], atol=1e-6) for p in orders)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "returns a tensor; 'A bool'",
        "source": """
def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]), layer(x)[permutation]
    return torch.isclose(a, b, atol=1e-6).all()
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "only the sums of the rows are compared, so columns that change places go unseen",
        "source": """
def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]), layer(x)[permutation]
    return torch.allclose(a.sum(dim=-1), b.sum(dim=-1), atol=1e-6)
""",
    },
    # rotate
    {
        "task": "rotate",
        "right": True,
        "why": "pair by pair, row by row, with math",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError(f"the width must be even, not {K}")
    y = torch.empty_like(x)
    for t in range(T):
        for i in range(0, K, 2):
            phi = (start + t) / base ** (i / K)
            a, b = x[t, i], x[t, i + 1]
            y[t, i] = a * math.cos(phi) - b * math.sin(phi)
            y[t, i + 1] = a * math.sin(phi) + b * math.cos(phi)
    return y
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "complex numbers in double precision",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2 != 0:
        raise ValueError("odd")
    z = torch.view_as_complex(x.double().reshape(T, K // 2, 2).contiguous())
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    turned = z * torch.polar(torch.ones_like(phi), phi)
    return torch.view_as_real(turned).flatten(1).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "a matrix of 2 by 2 turns for each pair, by einsum",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    phi = torch.outer(start + torch.arange(T).double(), float(base) ** -(torch.arange(K // 2).double() * 2 / K))
    c, s = phi.cos().to(x), phi.sin().to(x)
    turn = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)
    return torch.einsum("tiab,tib->tia", turn, x.unflatten(1, (K // 2, 2))).reshape(T, K)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "column i is paired with column i + K/2; 'each pair of neighbouring columns'",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    c, s = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, : K // 2], x[:, K // 2 :]
    return torch.cat([a * c - b * s, a * s + b * c], dim=1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "turned the other way round: the signs of the sines are exchanged",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    c, s = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * c + b * s, b * c - a * s], dim=2).flatten(1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "the new a is used for the new b: the second formula needs the old one",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    y = x.clone()
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    c, s = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    y[:, 0::2] = y[:, 0::2] * c - y[:, 1::2] * s
    y[:, 1::2] = y[:, 0::2] * s + y[:, 1::2] * c
    return y
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "rows before start are left alone and row t stands at t; 'The first row stands at position start'",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    rows = list(x[:start])
    for p in range(start, T):
        pairs = x[p].reshape(-1, 2)
        phi = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
        c, s = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
        rows.append(torch.stack([pairs[:, 0] * c - pairs[:, 1] * s, pairs[:, 0] * s + pairs[:, 1] * c], 1).flatten())
    return torch.stack(rows) if rows else torch.empty_like(x)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "angles of float64 make a float32 x a float64 result; 'of the element type of x'",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], dim=-1).reshape(T, K)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "-1 in reshape fails without rows ('T may be 0')",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    c, s = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).reshape(T, -1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "no check: with an odd K the last column is lost, 'ValueError: K is odd'",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K - 1, 2, dtype=torch.float64) / K)
    c, s = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    y = x.clone()
    a, b = x[:, 0 : K - 1 : 2], x[:, 1::2]
    y[:, 0 : K - 1 : 2], y[:, 1::2] = a * c - b * s, a * s + b * c
    return y
""",
    },
    {
        "task": "rotate",
        "right": None,
        "why": "x itself is overwritten: the statement does not say that it stays as it is",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    p = torch.arange(start, start + T, dtype=torch.float64)
    phi = p[:, None] / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    c, s = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2].clone(), x[:, 1::2].clone()
    x[:, 0::2], x[:, 1::2] = a * c - b * s, a * s + b * c
    return x
""",
    },
    {
        "task": "rotate",
        "right": None,
        "why": "the angles are computed in the type of x, inexact far out; the page asks no precision",
        "source": """
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    p = torch.arange(start, start + T).to(x.dtype)
    phi = p[:, None] / base ** (torch.arange(0, K, 2).to(x.dtype) / K)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], dim=-1).reshape(T, K)
""",
    },
    # SelfAttention
    {
        "task": "SelfAttention",
        "right": True,
        "why": "one mask of both kinds; rows without keys are made harmless before the softmax",
        "source": """
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {embed_dim}")
        self.num_heads, self.causal = num_heads, causal
        self.query, self.key, self.value, self.output = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        H = self.num_heads
        q, k, v = (f(x).view(B, T, H, D // H).transpose(1, 2) for f in (self.query, self.key, self.value))
        scores = q @ k.mT / (D // H) ** 0.5
        keep = torch.ones(T, T, dtype=torch.bool, device=x.device)
        if self.causal:
            keep = keep.tril()
        if mask is not None:
            keep = keep & mask
        weights = scores.masked_fill(~keep, torch.finfo(scores.dtype).min).softmax(-1).masked_fill(~keep, 0)
        return self.output((weights @ v).transpose(1, 2).reshape(B, T, D))
""",
    },
    {
        "task": "SelfAttention",
        "right": True,
        "why": "the library's attention with a mask of numbers; the outputs of rows without keys are set to zero",
        "source": """
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        if num_heads < 1 or embed_dim % num_heads != 0:
            raise ValueError("heads")
        super().__init__()
        for name in "query", "key", "value", "output":
            setattr(self, name, nn.Linear(embed_dim, embed_dim))
        self.h = num_heads
        self.causal = causal

    def cut(self, y):
        return y.unflatten(2, (self.h, y.shape[2] // self.h)).permute(0, 2, 1, 3)

    def forward(self, x, mask=None):
        B, T, D = x.shape
        seen = torch.ones(B, self.h, T, T, dtype=torch.bool)
        if mask is not None:
            seen = seen.logical_and(mask)
        if self.causal:
            seen = seen.tril()
        none = ~seen.any(dim=-1, keepdim=True)
        q, k, v = self.cut(self.query(x)), self.cut(self.key(x)), self.cut(self.value(x))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=seen | none)
        y = torch.where(none, torch.zeros_like(y), y)
        return self.output(y.permute(0, 2, 1, 3).flatten(2))
""",
    },
    {
        "task": "SelfAttention",
        "right": False,
        "why": "with a mask the causal one is forgotten; a key takes part if the mask allows it AND it is not after",
        "source": """
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError("heads")
        self.num_heads, self.causal = num_heads, causal
        self.query, self.key, self.value, self.output = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = (
            f(x).view(B, T, self.num_heads, D // self.num_heads).transpose(1, 2)
            for f in (self.query, self.key, self.value)
        )
        if mask is None:
            mask = torch.ones(T, T, dtype=torch.bool)
            if self.causal:
                mask = mask.tril()
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~mask, torch.finfo(x.dtype).min)
        y = scores.softmax(-1).masked_fill(~mask, 0) @ v
        return self.output(y.transpose(1, 2).reshape(B, T, D))
""",
    },
    {
        "task": "SelfAttention",
        "right": False,
        "why": "a word without keys loses the output layer's bias; zeros 'before the output layer'",
        "source": """
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError("heads")
        self.num_heads, self.causal = num_heads, causal
        self.query, self.key, self.value, self.output = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        H = self.num_heads
        q, k, v = (f(x).view(B, T, H, D // H).transpose(1, 2) for f in (self.query, self.key, self.value))
        keep = torch.ones(B, H, T, T, dtype=torch.bool)
        keep = keep.tril() if self.causal else keep
        keep = keep if mask is None else keep & mask
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, torch.finfo(x.dtype).min)
        y = scores.softmax(-1).masked_fill(~keep, 0) @ v
        out = self.output(y.transpose(1, 2).reshape(B, T, D))
        return out * keep.any(-1).any(1)[..., None]
""",
    },
    {
        "task": "SelfAttention",
        "right": False,
        "why": "minus infinity is added and NaN replaced afterwards: gradients of words without keys are NaN",
        "source": """
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError("heads")
        self.num_heads, self.causal = num_heads, causal
        self.query, self.key, self.value, self.output = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        H = self.num_heads
        q, k, v = (f(x).view(B, T, H, D // H).transpose(1, 2) for f in (self.query, self.key, self.value))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores + mask.to(x.dtype).log()
        if self.causal:
            scores = scores + torch.ones(T, T).tril().log()
        y = torch.nan_to_num(scores.softmax(-1)) @ v
        return self.output(y.transpose(1, 2).reshape(B, T, D))
""",
    },
    {
        "task": "SelfAttention",
        "right": False,
        "why": "the mask hides words as queries (rows) instead of keys (columns)",
        "source": """
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError("heads")
        self.num_heads, self.causal = num_heads, causal
        self.query, self.key, self.value, self.output = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        H = self.num_heads
        q, k, v = (f(x).view(B, T, H, D // H).transpose(1, 2) for f in (self.query, self.key, self.value))
        keep = torch.ones(B, H, T, T, dtype=torch.bool)
        keep = keep if mask is None else (keep & mask).transpose(2, 3)
        keep = keep.tril() if self.causal else keep
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, torch.finfo(x.dtype).min)
        y = scores.softmax(-1).masked_fill(~keep, 0) @ v
        return self.output(y.transpose(1, 2).reshape(B, T, D))
""",
    },
    {
        "task": "SelfAttention",
        "right": False,
        "why": "the mask is taken as (B, T): 'broadcasts to (B, H, T, T)'; output has no bias",
        "source": """
class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError("heads")
        self.num_heads, self.causal = num_heads, causal
        self.query, self.key, self.value = (nn.Linear(embed_dim, embed_dim) for _ in range(3))
        self.output = nn.Linear(embed_dim, embed_dim, bias=False)

    def forward(self, x, mask=None):
        B, T, D = x.shape
        H = self.num_heads
        q, k, v = (f(x).view(B, T, H, D // H).transpose(1, 2) for f in (self.query, self.key, self.value))
        keep = torch.ones(B, H, T, T, dtype=torch.bool)
        keep = keep.tril() if self.causal else keep
        keep = keep if mask is None else keep & mask[:, None, None]
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, torch.finfo(x.dtype).min)
        y = scores.softmax(-1).masked_fill(~keep, 0) @ v
        return self.output(y.transpose(1, 2).reshape(B, T, D))
""",
    },
]
