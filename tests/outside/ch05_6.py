ANSWERS = [
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "diagonal filled with minus infinity",
        "source": r"""
def simple_self_attention(x):
    T = len(x)
    if T < 2:
        return torch.zeros_like(x)
    scores = (x @ x.T).masked_fill(torch.eye(T, dtype=torch.bool), float("-inf"))
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "for each word a list of the others",
        "source": r"""
def simple_self_attention(x):
    result = torch.zeros_like(x)
    for i in range(x.shape[0]):
        others = torch.cat([x[:i], x[i + 1:]])
        if len(others) == 0:
            continue
        scores = others @ x[i]
        weights = torch.exp(scores - scores.max())
        result[i] = (weights[:, None] * others).sum(0) / weights.sum()
    return result
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "NaN for a word that is alone: 'it becomes zeros'",
        "source": r"""
def simple_self_attention(x):
    scores = x @ x.T
    scores.fill_diagonal_(float("-inf"))
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "-1e9 on the diagonal: not hidden when the scores with the others are -1e10",
        "source": r"""
def simple_self_attention(x):
    if len(x) < 2:
        return torch.zeros_like(x)
    scores = x @ x.T
    scores.fill_diagonal_(-1e9)
    return torch.softmax(scores, dim=-1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "softmax over all words, own weight set to 0, divided anew: 0 / 0 for long words whose own score is far above the others",
        "source": r"""
def simple_self_attention(x):
    if len(x) < 2:
        return torch.zeros_like(x)
    w = torch.softmax(x @ x.T, dim=1)
    w = w * (1 - torch.eye(len(x), dtype=x.dtype))
    return (w / w.sum(1, keepdim=True)) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "leaves out all words equal to the word, not only itself (a word that comes twice)",
        "source": r"""
def simple_self_attention(x):
    same = (x[:, None, :] == x[None, :, :]).all(dim=2)
    scores = torch.where(same, torch.full((), -math.inf, dtype=x.dtype), x @ x.T)
    w = torch.softmax(scores, dim=1)
    w = torch.where(same, torch.zeros_like(w), w)
    return w @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "own score set to 0 instead of minus infinity: the word keeps a weight of itself",
        "source": r"""
def simple_self_attention(x):
    if len(x) < 2:
        return torch.zeros_like(x)
    scores = x @ x.T
    scores.fill_diagonal_(0)
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "softmax",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "running sums with a running maximum (online softmax)",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness must be at least 0")
    top, total, mean = None, None, None
    for k, v in zip(keys, values):
        score = sharpness * (k * query).sum()
        if top is None:
            top, total, mean = score, torch.ones_like(score), v
            continue
        new_top = torch.maximum(top, score)
        old, new = torch.exp(top - new_top) * total, torch.exp(score - new_top)
        mean = (old * mean + new * v) / (old + new)
        top, total = new_top, old + new
    return mean * 1
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "`sharpness or 1.0`: sharpness 0 becomes 1 ('0 gives the plain mean')",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    sharpness = sharpness or 1.0
    if sharpness < 0:
        raise ValueError("negative")
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "ValueError for sharpness 0, too ('at least 0')",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness <= 0:
        raise ValueError("sharpness must be positive")
    return (F.softmax(keys.mv(query) * sharpness, 0).unsqueeze(1) * values).sum(0)
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "no maximum subtracted: NaN for scores of 1000 ('Large scores must not overflow')",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative")
    e = torch.exp(sharpness * (keys @ query))
    return (e / e.sum()) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "multiplies the keys of the caller in place",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative")
    keys *= sharpness
    return torch.softmax(keys @ query, dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "scores divided by the root of K as well",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative")
    scores = sharpness * (keys @ query) / math.sqrt(len(query))
    return torch.softmax(scores, dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "no ValueError for a negative sharpness",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    scores = keys @ query * sharpness
    w = torch.exp(scores - scores.max())
    return w @ values / w.sum()
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "transpose(-2, -1)",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "einsum with an ellipsis, logsumexp",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.size(-1) != key.size(-1):
        raise ValueError("key and query must have one width")
    scores = torch.einsum("...tk,...sk->...ts", query, key) * query.size(-1) ** -0.5
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return torch.einsum("...ts,...sv->...tv", weights, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "transposes axes 1 and 2: right for three axes, not for heads (B, H, T, K) ('Any axes may stand before the last two')",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    kt = key.T if key.dim() == 2 else key.transpose(1, 2)
    return torch.softmax(query @ kt / math.sqrt(key.shape[-1]), dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "whole-number root: int(sqrt(8)) = 2, right for square widths",
        "source": r"""
def scaled_dot_product(query, key, value):
    d = key.shape[-1]
    if query.shape[-1] != d:
        raise ValueError("widths differ")
    return torch.softmax(query @ key.mT / max(1, int(math.sqrt(d))), dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "RuntimeError from torch instead of a ValueError if key and query differ in width",
        "source": r"""
def scaled_dot_product(query, key, value):
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "softmax over the queries (dim=-2)",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-2) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "divides the query of the caller in place",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    query /= math.sqrt(query.shape[-1])
    return torch.softmax(query @ key.transpose(-1, -2), dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "one maximum for the whole tensor: rows far below it become 0 / 0 = NaN with large scores",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    e = torch.exp(scores - scores.max())
    return e / e.sum(-1, keepdim=True) @ value
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "tril with an offset",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("fewer keys than queries")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "loops into a zero tensor",
        "source": r"""
def causal_attention_mask(T, S):
    if T > S:
        raise ValueError("S is less than T")
    mask = torch.zeros((T, S), dtype=torch.bool)
    for t in range(T):
        for s in range(S):
            mask[t, s] = s <= t + S - T
    return mask
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "queries counted from the start: tril without the offset S - T (right for T = S)",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S < T")
    return torch.tril(torch.ones(T, S)).bool()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "nested lists: shape (0,) instead of (0, S) for T = 0",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S < T")
    return torch.tensor([[s <= t + S - T for s in range(S)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "int64 instead of bool",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S < T")
    return (torch.arange(S)[None, :] <= torch.arange(S - T, S)[:, None]).long()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "S = T raises, too ('S is less than T' only)",
        "source": r"""
def causal_attention_mask(T, S):
    if S <= T:
        raise ValueError("S must be more than T")
    return torch.arange(S) <= torch.arange(S - T, S).unsqueeze(1)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "no ValueError for S < T",
        "source": r"""
def causal_attention_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(diagonal=S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "True for what is hidden (the wrong way round)",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S < T")
    return torch.triu(torch.ones(T, S, dtype=torch.bool), diagonal=S - T + 1)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "where before and after",
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand_as(scores)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf")).masked_fill(~some, 0.0)
    return torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "exp by hand, masked scores replaced by the row's largest kept one, masked weights out, safe division",
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = torch.broadcast_to(attention_mask, scores.shape)
    top = scores.detach().masked_fill(~mask, float("-inf")).amax(dim=-1, keepdim=True)
    top = torch.nan_to_num(top, neginf=0.0)
    e = torch.where(mask, torch.exp(torch.where(mask, scores - top, torch.zeros_like(scores))), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "adds a mask of 0 and -inf, NaN replaced afterwards: NaN in the gradient of a row with no key left",
        "source": r"""
def masked_softmax(scores, attention_mask):
    bias = torch.zeros(attention_mask.shape, dtype=scores.dtype)
    bias = bias.masked_fill(~attention_mask, float("-inf"))
    w = torch.softmax(scores + bias, dim=-1)
    return torch.nan_to_num(w)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "-1e9: a kept score of -1e10 is not above it ('It must be right for large scores too, kept or masked')",
        "source": r"""
def masked_softmax(scores, attention_mask):
    filled = scores.masked_fill(~attention_mask, -1e9)
    w = torch.softmax(filled, dim=-1)
    return w * attention_mask
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "mask used as an index: fails or is wrong where it must be broadcast ('broadcastable to the scores')",
        "source": r"""
def masked_softmax(scores, attention_mask):
    filled = torch.full_like(scores, float("-inf"))
    filled[attention_mask] = scores[attention_mask]
    some = attention_mask.any(-1, keepdim=True)
    filled = torch.where(some, filled, torch.zeros_like(filled))
    return torch.where(some, torch.softmax(filled, -1), torch.zeros_like(filled))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "computed on scores.detach(): no gradient with respect to the scores",
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand_as(scores)
    s = scores.detach().numpy().copy()
    keep = mask.numpy()
    s[~keep] = -np.inf
    top = s.max(axis=-1, keepdims=True)
    top[np.isinf(top)] = 0
    e = np.exp(s - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return torch.from_numpy(e / total)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "softmax of everything, masked and divided anew with an epsilon: a large masked score leaves zeros",
        "source": r"""
def masked_softmax(scores, attention_mask):
    w = torch.softmax(scores, dim=-1) * attention_mask
    return w / (w.sum(dim=-1, keepdim=True) + 1e-12)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "one maximum for the whole tensor: a row far below another one gets 0 / 0 -> zeros",
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand_as(scores)
    if not mask.any():
        return scores * 0
    top = scores.detach()[mask].max()
    e = torch.where(mask, torch.exp(torch.where(mask, scores - top, torch.zeros_like(scores))), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "reshape and transpose (a view)",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "slices of columns, stacked",
        "source": r"""
def split_heads(x, num_heads):
    D = x.shape[2]
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError(f"{num_heads} heads do not fit the width {D}")
    K = D // num_heads
    return torch.stack([x[:, :, h * K:(h + 1) * K] for h in range(num_heads)], dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "reshaped to (B, H, T, K) without a transposition: right for one word",
        "source": r"""
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
        "why": "columns dealt out in turn: head 0 gets columns 0, H, 2H, ...",
        "source": r"""
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
        "why": "negative H slips through (D % -2 == 0) and no ValueError is raised for it",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads == 0 or D % num_heads != 0:
        raise ValueError("heads")
    n = abs(num_heads)
    return x.view(B, T, n, D // n).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "H = 0 raises ZeroDivisionError instead of ValueError",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads != 0 or num_heads < 1:
        raise ValueError("heads")
    return torch.stack(x.split(D // num_heads, dim=-1), dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "heads after the words: (B, T, H, K)",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    return x.reshape(B, T, num_heads, D // num_heads)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "chunk: if H does not divide D it cuts unequal or fewer heads or fails without a ValueError",
        "source": r"""
def split_heads(x, num_heads):
    if num_heads < 1:
        raise ValueError("heads")
    return torch.stack(torch.chunk(x, num_heads, dim=2), dim=1)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "transpose and flatten",
        "source": r"""
def merge_heads(heads):
    return heads.transpose(1, 2).flatten(2)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "numbers put in place one column at a time",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    out = heads.new_zeros(B, T, H * K)
    for h in range(H):
        for k in range(K):
            out[:, :, h * K + k] = heads[:, h, :, k]
    return out
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshape(B, T, -1): fails for T = 0 ('T may be 0')",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 1, 3).reshape(B, T, -1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshape without a transposition: words and heads are mixed up",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "joins the first two heads only (fits the example)",
        "source": r"""
def merge_heads(heads):
    return torch.cat([heads[:, 0], heads[:, 1]], dim=-1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "the numbers of the heads alternate: for each column k the numbers of all heads",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 3, 1).reshape(B, T, K * H)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "view after a transposition that is not contiguous: RuntimeError for more than one head and word",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).view(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "joins the texts of the batch, too: right for B = 1 only",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return torch.cat([h for h in heads.transpose(0, 1).reshape(H, B * T, K)], dim=-1).unsqueeze(0)
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "batched heads",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-1, -2) / K ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
    out = torch.softmax(scores, dim=-1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "one word of one head at a time; heads added up through the rows of w_o",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    D = x.shape[-1]
    if num_heads <= 0 or D % num_heads != 0:
        raise ValueError("num_heads must divide the width")
    K = D // num_heads
    answer = torch.zeros_like(x)
    for h in range(num_heads):
        cols = slice(h * K, h * K + K)
        q, k, v = x @ w_q[:, cols], x @ w_k[:, cols], x @ w_v[:, cols]
        for b in range(x.shape[0]):
            rows = []
            for t in range(x.shape[1]):
                end = t + 1 if causal else x.shape[1]
                weights = torch.softmax((k[b, :end] @ q[b, t]) / math.sqrt(K), 0)
                rows.append(weights @ v[b, :end])
            update = torch.stack(rows) @ w_o[cols]
            answer = torch.cat([answer[:b], (answer[b] + update)[None], answer[b + 1:]])
    return answer
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "divided by the root of D instead of the head's width",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-1, -2) / math.sqrt(D)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
    return (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "last projection forgotten (the identity in the example)",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    K = D // num_heads
    heads = []
    for q, k, v in zip((x @ w_q).split(K, -1), (x @ w_k).split(K, -1), (x @ w_v).split(K, -1)):
        s = q @ k.mT / math.sqrt(K)
        if causal:
            s = s.masked_fill(~torch.ones(T, T).tril().bool(), -math.inf)
        heads.append(s.softmax(-1) @ v)
    return torch.cat(heads, dim=-1)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "matrices used as in nn.Linear, x @ w.T",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = (F.linear(x, w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return F.linear(out.transpose(1, 2).reshape(B, T, D), w_o)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "heads laid side by side without a transposition (reshape of (B, H, T, K))",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return out.reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "causal as a mask after the softmax, divided anew: NaN when a later word's score is far larger ('Large scores must not overflow')",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    w = torch.softmax(q @ k.mT / math.sqrt(D // num_heads), dim=-1)
    if causal:
        w = torch.tril(w)
        w = w / w.sum(-1, keepdim=True)
    return (w @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "num_heads below 0 gives no ValueError: D % -2 is 0, then the heads are taken as abs",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads == 0 or D % num_heads:
        raise ValueError("heads")
    K = abs(D // num_heads)
    q, k, v = ((x @ w).view(B, T, -1, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return out.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "torch.allclose",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "a copy for the layer, row by row",
        "source": r"""
def is_equivariant(layer, x, permutation):
    plain = layer(x.clone())
    shuffled = layer(x.clone().index_select(0, permutation))
    for new, old in enumerate(permutation.tolist()):
        difference = (shuffled[new] - plain[old]).abs()
        if not bool((difference <= 1e-6 + 1e-5 * plain[old].abs()).all()):
            return False
    return True
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "torch.equal: numbers that differ by rounding count as different",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.equal(layer(x[permutation]), layer(x)[permutation])
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "puts the output back with the permutation instead of its inverse: right for exchanges, wrong for a cycle of three",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation])[permutation], layer(x), atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "compares sorted outputs: a layer that also shuffles its rows passes",
        "source": r"""
def is_equivariant(layer, x, permutation):
    a = layer(x[permutation]).sort(dim=0).values
    b = layer(x).sort(dim=0).values
    return torch.allclose(a, b, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "tries random orders of its own: 'No other order is asked about' (the identity, on a layer that knows the order, is True)",
        "source": r"""
def is_equivariant(layer, x, permutation):
    for p in [permutation, torch.arange(len(x)).flip(0)]:
        if not torch.allclose(layer(x[p]), layer(x)[p], atol=1e-6):
            return False
    return True
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "compares the sums of the outputs only",
        "source": r"""
def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]), layer(x)[permutation]
    return bool((a - b).sum().abs() < 1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "absolute difference only: for outputs around 1000 rounding alone is more than 1e-6 ('compare as torch.allclose with atol=1e-6 does', which has a relative part)",
        "source": r"""
def is_equivariant(layer, x, permutation):
    difference = layer(x[permutation]) - layer(x)[permutation]
    return difference.abs().max().item() < 1e-6
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "sin and cos into the columns",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D must be even")
    exponents = torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim
    angles = positions.to(torch.float64).unsqueeze(-1) / base ** exponents
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "plain numbers over the flat list of positions",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 == 1:
        raise ValueError("D is odd")
    flat = []
    for p in positions.to(torch.float64).reshape(-1).tolist():
        for i in range(embed_dim // 2):
            angle = p / base ** (2 * i / embed_dim)
            flat += [math.sin(angle), math.cos(angle)]
    return torch.tensor(flat, dtype=torch.float64).reshape(*positions.shape, embed_dim)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "positions counted 0, 1, ... along the last axis instead of those that are given",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    p = torch.arange(positions.shape[-1], dtype=torch.float64).expand(positions.shape)
    angles = p[..., None] / base ** (torch.arange(0, embed_dim, 2).double() / embed_dim)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "positions cut to whole numbers: 'a position may ... lie between two whole numbers'",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    rates = torch.tensor([base ** (-2 * i / embed_dim) for i in range(embed_dim // 2)], dtype=torch.float64)
    angles = positions.long().unsqueeze(-1) * rates
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "angles in float32, result converted: 'computed in float64'",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    rates = base ** (torch.arange(0, embed_dim, 2) / embed_dim)
    angles = positions.float().unsqueeze(-1) / rates
    out = torch.zeros(*positions.shape, embed_dim, dtype=torch.float64)
    out[..., 0::2] = torch.sin(angles)
    out[..., 1::2] = torch.cos(angles)
    return out
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "all sines first, then all cosines: right for D = 2",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    angles = positions.double().unsqueeze(-1) / base ** (torch.arange(0, embed_dim, 2).double() / embed_dim)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "base fixed at 10000",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 != 0:
        raise ValueError("odd")
    i = torch.arange(embed_dim // 2, dtype=torch.float64)
    angles = positions.double()[..., None] * torch.exp(-2 * i / embed_dim * math.log(10000.0))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(*positions.shape, embed_dim)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "takes the absolute value of the positions for a look-up table: the sines of negative positions have the wrong sign ('or be negative')",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 != 0:
        raise ValueError("odd")
    rates = base ** (torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim)
    values, where = torch.unique(positions.abs(), return_inverse=True)
    angles = values.double()[:, None] / rates
    table = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)
    return table[where]
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "sines and cosines in float64, pairs stacked",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K must be even")
    position = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = position / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=2).reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "multiplication of complex numbers",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2 != 0:
        raise ValueError("an even number of columns is needed")
    pairs = torch.complex(x[:, ::2].double(), x[:, 1::2].double())
    rates = torch.tensor([base ** (-2 * i / K) for i in range(K // 2)], dtype=torch.float64)
    angles = torch.outer(torch.arange(T, dtype=torch.float64) + start, rates)
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(1).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "pairs are column i and column i + K / 2 (as in some models), not neighbours: same for K = 2",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    angle = (start + torch.arange(T).double())[:, None] / base ** (torch.arange(0, K, 2).double() / K)
    a, b = x[:, :K // 2], x[:, K // 2:]
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], 1).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "overwrites a before it is used for b: the second column is turned with the new first one",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    angle = (start + torch.arange(T).double())[:, None] / base ** (torch.arange(0, K, 2).double() / K)
    out = x.clone()
    a, b = out[:, 0::2], out[:, 1::2]
    a.copy_(a * angle.cos() - b * angle.sin())
    b.copy_(a * angle.sin() + b * angle.cos())
    return out
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "start is not used: the first row always stands at position 0",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    out = x.clone()
    for p in range(T):
        for i in range(K // 2):
            phi = p / base ** (2 * i / K)
            a, b = x[p, 2 * i], x[p, 2 * i + 1]
            out[p, 2 * i] = a * math.cos(phi) - b * math.sin(phi)
            out[p, 2 * i + 1] = a * math.sin(phi) + b * math.cos(phi)
    return out
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "rows collected in a list and stacked: fails for T = 0 ('T may be 0')",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    K = x.shape[1]
    if K % 2:
        raise ValueError("odd")
    rates = base ** (-torch.arange(0, K, 2).double() / K)
    rows = []
    for t, row in enumerate(x):
        c, s = torch.cos((start + t) * rates), torch.sin((start + t) * rates)
        a, b = row[0::2], row[1::2]
        rows.append(torch.stack([a * c - b * s, a * s + b * c], dim=1).flatten())
    return torch.stack(rows).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "returns float64 whatever x is: 'of the element type of x'",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    angle = (start + torch.arange(T).double())[:, None] / base ** (torch.arange(0, K, 2).double() / K)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], 2).flatten(1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "writes the turned columns into x itself",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    angle = (start + torch.arange(T).double())[:, None] / base ** (torch.arange(0, K, 2).double() / K)
    a, b = x[:, 0::2].clone(), x[:, 1::2].clone()
    x[:, 0::2] = (a * angle.cos() - b * angle.sin()).to(x.dtype)
    x[:, 1::2] = (a * angle.sin() + b * angle.cos()).to(x.dtype)
    return x
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "lists of arriving edges for each node",
        "source": r"""
def graph_attention(values, scores, edges):
    arriving = defaultdict(list)
    for e, (sender, receiver) in enumerate(edges):
        arriving[receiver].append((e, sender))
    out = torch.zeros_like(values)
    for node, pairs in arriving.items():
        weights = torch.softmax(scores[[e for e, _ in pairs]], dim=0).to(values.dtype)
        out[node] = weights @ values[[s for _, s in pairs]]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "scatter_reduce and index_add",
        "source": r"""
def graph_attention(values, scores, edges):
    N = values.shape[0]
    pairs = torch.tensor(edges, dtype=torch.int64).reshape(-1, 2)
    sender, receiver = pairs.unbind(1)
    scores = scores.to(values.dtype)
    top = values.new_full((N,), float("-inf")).scatter_reduce(0, receiver, scores, "amax")
    e = torch.exp(scores - top[receiver])
    total = values.new_zeros(N).index_add(0, receiver, e)
    return torch.zeros_like(values).index_add(0, receiver, (e / total[receiver])[:, None] * values[sender])
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "edges in a dict by (sender, receiver): of two equal edges one is lost ('then both count')",
        "source": r"""
def graph_attention(values, scores, edges):
    table = {}
    for e, edge in enumerate(edges):
        table[tuple(edge)] = scores[e]
    out = torch.zeros_like(values)
    for node in range(len(values)):
        came = [(s, score) for (s, r), score in table.items() if r == node]
        if came:
            w = torch.softmax(torch.stack([score for _, score in came]), 0)
            for (s, _), weight in zip(came, w):
                out[node] += weight * values[s]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "one maximum for all edges: a node whose scores are all far below it gets 0 / 0",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    if not edges:
        return out
    e = torch.exp(scores - scores.max())
    total = torch.zeros(len(values), dtype=e.dtype)
    for i, (s, r) in enumerate(edges):
        out[r] += e[i] * values[s]
        total[r] += e[i]
    some = torch.tensor(sorted({r for _, r in edges}))
    out[some] = out[some] / total[some, None]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "out[receiver] += ... with an index tensor: of several edges into one node only one is added",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    if len(edges) == 0:
        return out
    sender, receiver = torch.tensor(edges).T
    w = torch.zeros_like(scores)
    for node in range(len(values)):
        here = receiver == node
        w[here] = torch.softmax(scores[here], 0)
    out[receiver] += w[:, None] * values[sender]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "senders and receivers exchanged: values go to the sender",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    for node in range(len(values)):
        here = [i for i, (a, b) in enumerate(edges) if a == node]
        if here:
            w = torch.softmax(scores[here], 0)
            out[node] = w @ values[[edges[i][1] for i in here]]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "fails for an empty list of edges: 'it may be empty'",
        "source": r"""
def graph_attention(values, scores, edges):
    sender, receiver = zip(*edges)
    out = torch.zeros_like(values)
    receiver = torch.tensor(receiver)
    for node in receiver.unique().tolist():
        here = (receiver == node).nonzero().flatten()
        w = torch.softmax(scores[here], 0)
        out[node] = w @ values[[sender[i] for i in here.tolist()]]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "maxima start from 0 (include_self with zeros): scores of -1000 become 0 / 0",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    if len(edges) == 0:
        return out
    sender, receiver = torch.tensor(edges).T
    top = torch.zeros(len(values), dtype=scores.dtype).scatter_reduce(0, receiver, scores, "amax")
    e = torch.exp(scores - top[receiver])
    total = torch.zeros(len(values), dtype=scores.dtype).index_add(0, receiver, e)
    return out.index_add(0, receiver, (e / total[receiver])[:, None] * values[sender])
""",
    },
    {
        "task": "graph_attention",
        "right": None,
        "why": "a dense table (N, N) of scores combined with logsumexp: right numbers, but 'A graph of a million nodes has no room for a table of all scores'",
        "source": r"""
def graph_attention(values, scores, edges):
    N = len(values)
    table = torch.full((N, N), -math.inf, dtype=values.dtype)
    for e, (s, r) in enumerate(edges):
        table[r, s] = torch.logaddexp(table[r, s], scores[e].to(values.dtype))
    some = torch.isfinite(table).any(1, keepdim=True)
    table = torch.where(some, table, torch.zeros_like(table))
    return (torch.softmax(table, dim=1) * some) @ values
""",
    },
]
