ANSWERS = [
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "loop over the words, the others taken out by index",
        "source": r"""
def simple_self_attention(x):
    T = x.shape[0]
    if T < 2:
        return torch.zeros_like(x)
    rows = []
    for i in range(T):
        others = torch.cat([x[:i], x[i + 1:]])
        weights = torch.softmax(others @ x[i], dim=0)
        rows.append(weights @ others)
    return torch.stack(rows)
""",
    },
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "einsum, exponentials by hand after the row maximum is taken away",
        "source": r"""
def simple_self_attention(x):
    n = len(x)
    if n <= 1:
        return x * 0
    s = torch.einsum("id,jd->ij", x, x)
    me = torch.eye(n, dtype=torch.bool)
    s = torch.where(me, torch.full_like(s, -math.inf), s)
    e = (s - s.max(dim=1, keepdim=True).values).exp()
    return torch.einsum("ij,jd->id", e / e.sum(dim=1, keepdim=True), x)
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": '-1e9 instead of leaving out: a word that is alone gives itself, not "zeros for a word that is alone"',
        "source": r"""
def simple_self_attention(x):
    scores = x @ x.T
    scores = scores + torch.eye(len(x), dtype=x.dtype) * -1e9
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": 'weight of the word itself set to 0 after the softmax, the rest not renormalised ("The weights of a word sum to 1")',
        "source": r"""
def simple_self_attention(x):
    w = torch.softmax(x @ x.T, dim=-1)
    w = w * (1 - torch.eye(len(x), dtype=x.dtype))
    return w @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "one maximum for the whole table: rows of small scores underflow to 0/0 beside a row of large ones",
        "source": r"""
def simple_self_attention(x):
    T = x.shape[0]
    if T < 2:
        return torch.zeros_like(x)
    s = x @ x.T
    e = torch.exp(s - s.max()) * (1 - torch.eye(T, dtype=x.dtype))
    return (e / e.sum(dim=1, keepdim=True)) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "exp of the plain scores: overflow with large scores",
        "source": r"""
def simple_self_attention(x):
    out = torch.zeros_like(x)
    for i in range(len(x)):
        e = torch.exp(x @ x[i])
        e[i] = 0
        if len(x) > 1:
            out[i] = (e / e.sum()) @ x
    return out
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "short, library softmax",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness must not be negative")
    return (sharpness * (keys @ query)).softmax(0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "loops over keys, running sum with the maximum subtracted",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if not sharpness >= 0:
        raise ValueError("negative sharpness")
    scores = []
    for k in keys:
        scores.append(sharpness * (k * query).sum())
    biggest = scores[0].detach()
    for s in scores:
        if s > biggest:
            biggest = s.detach()
    total = 0
    result = torch.zeros_like(values[0])
    for s, v in zip(scores, values):
        w = torch.exp(s - biggest)
        total = total + w
        result = result + w * v
    return result / total
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "compares by cosine: keys that are not of length 1 give other weights",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError
    scores = F.cosine_similarity(keys, query[None], dim=1)
    return torch.softmax(sharpness * scores, 0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": 'sharpness 0 raises too ("at least 0; 0 gives the plain mean")',
        "source": r"""
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
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    weights = torch.softmax((keys * query).sum(1) * sharpness, dim=0)
    return (weights[:, None] * values).sum(0)
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "exp without subtracting the maximum overflows",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError
    e = torch.exp(sharpness * (keys @ query))
    return (e / e.sum()) @ values
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "matmul on the last two axes",
        "source": r"""
def scaled_dot_product(query, key, value):
    width = query.shape[-1]
    if key.shape[-1] != width:
        raise ValueError(f"widths differ: {width} and {key.shape[-1]}")
    scores = query @ key.transpose(-2, -1) / math.sqrt(width)
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "einsum and logsumexp",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.size(-1) != key.size(-1):
        raise ValueError("key and query differ in width")
    s = torch.einsum("...tk,...sk->...ts", query * query.size(-1) ** -0.5, key)
    w = (s - torch.logsumexp(s, dim=-1, keepdim=True)).exp()
    return torch.einsum("...ts,...sv->...tv", w, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "key.permute of all axes: right only without axes before the last two",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError
    turned = key.permute(*reversed(range(key.dim())))
    return torch.softmax(query @ turned / query.shape[-1] ** 0.5, -1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "assert gives an AssertionError where a ValueError is asked for",
        "source": r"""
def scaled_dot_product(query, key, value):
    assert query.shape[-1] == key.shape[-1], "widths differ"
    scores = query @ key.mT / math.sqrt(key.shape[-1])
    return scores.softmax(-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "softmax over the queries instead of the keys",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-2) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "one maximum for the whole tensor: rows far below it become 0/0",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError
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
        "why": "beginner's nested loops",
        "source": r"""
def causal_attention_mask(T, S):
    if T > S:
        raise ValueError
    mask = torch.zeros((T, S), dtype=torch.bool)
    for t in range(T):
        for s in range(S):
            if s <= t + S - T:
                mask[t, s] = True
    return mask
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": 'T = S is refused ("S: number of keys, at least T")',
        "source": r"""
def causal_attention_mask(T, S):
    if S <= T:
        raise ValueError
    return torch.arange(S)[None, :] <= torch.arange(T)[:, None] + S - T
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "the queries are taken for the first T words, not the last",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError
    return torch.tril(torch.ones(T, S)).bool()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "int64 instead of a bool tensor",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError
    return torch.ones(T, S, dtype=torch.int64).tril(diagonal=S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": 'T = 0 ("0 or more") gives a tensor (0,), not (0, S)',
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError
    return torch.tensor([[s <= t + S - T for s in range(S)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "-inf, rows without a key made harmless first",
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, -math.inf)
    filled = torch.where(some, filled, torch.zeros_like(scores))
    return torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "by hand: maximum over the kept only, exponentials, sum",
        "source": r"""
def masked_softmax(scores, attention_mask):
    if scores.numel() == 0:
        return scores.clone()
    keep = torch.broadcast_to(attention_mask, scores.shape)
    with torch.no_grad():
        top = torch.where(keep, scores, torch.tensor(-math.inf, dtype=scores.dtype)).amax(-1, keepdim=True)
        top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    safe = torch.where(keep, scores, top)
    e = torch.where(keep, torch.exp(safe - top), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "a row in which no key is left gets equal weights, not zeros",
        "source": r"""
def masked_softmax(scores, attention_mask):
    return scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min).softmax(-1)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "-1e9 for the masked: wrong where the kept scores are large and negative (-1e10)",
        "source": r"""
def masked_softmax(scores, attention_mask):
    w = torch.softmax(torch.where(attention_mask, scores, torch.full_like(scores, -1e9)), dim=-1)
    return w * attention_mask
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "the maximum is taken over the masked entries too: a large masked score makes all kept weights 0",
        "source": r"""
def masked_softmax(scores, attention_mask):
    e = torch.exp(scores - scores.amax(-1, keepdim=True)) * attention_mask
    total = e.sum(-1, keepdim=True)
    return torch.where(total > 0, e / total.clamp(min=1e-30), torch.zeros_like(e))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "no gradient: result computed from scores.detach()",
        "source": r"""
def masked_softmax(scores, attention_mask):
    s = scores.detach().masked_fill(~attention_mask, -math.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1))
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
        raise ValueError(f"{num_heads} heads do not divide {D}")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "slices of columns, stacked",
        "source": r"""
def split_heads(x, num_heads):
    width = x.shape[2]
    if num_heads < 1:
        raise ValueError
    if width % num_heads != 0:
        raise ValueError
    k = width // num_heads
    return torch.stack([x[:, :, h * k:(h + 1) * k] for h in range(num_heads)], dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "heads and columns mixed up: right only if H = D / H",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    return x.reshape(B, T, D // num_heads, num_heads).permute(0, 2, 1, 3)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "reshaped straight to (B, H, T, K): numbers of different words are mixed",
        "source": r"""
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
        "why": "H = 0 gives a ZeroDivisionError instead of a ValueError",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError
    return x.reshape(B, T, num_heads, D // num_heads).permute(0, 2, 1, 3)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "only H > D is refused; D = 6, H = 4 cuts the last columns off instead of a ValueError",
        "source": r"""
def split_heads(x, num_heads):
    if num_heads < 1 or num_heads > x.shape[-1]:
        raise ValueError
    k = x.shape[-1] // num_heads
    return torch.stack([x[..., h * k:h * k + k] for h in range(num_heads)], 1)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "transpose and reshape",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "cat of the heads",
        "source": r"""
def merge_heads(heads):
    return torch.cat(heads.unbind(dim=1), dim=-1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshape(B, T, -1): T = 0 fails",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 1, 3).reshape(B, T, -1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "K * K instead of H * K: right only if H = K",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 1, 3).reshape(B, T, K * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshaped without exchanging the axes",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "works for the first text of the batch alone",
        "source": r"""
def merge_heads(heads):
    return torch.cat(tuple(heads[0]), dim=-1).unsqueeze(0)
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "all heads at once",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-1, -2) / math.sqrt(K)
    if causal:
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(future, -math.inf)
    out = torch.softmax(scores, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "clumsy loops over texts, heads and words",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    D = x.shape[-1]
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError
    K = D // num_heads
    texts = []
    for text in x:
        q, k, v = text @ w_q, text @ w_k, text @ w_v
        words = []
        for t in range(len(text)):
            last = t + 1 if causal else len(text)
            parts = []
            for h in range(num_heads):
                c = slice(h * K, h * K + K)
                s = k[:last, c] @ q[t, c] / K ** 0.5
                parts.append(torch.softmax(s, 0) @ v[:last, c])
            words.append(torch.cat(parts))
        texts.append(torch.stack(words) @ w_o)
    return torch.stack(texts)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "future scores set to 0 instead of minus infinity; the last word hides it",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-1, -2) / math.sqrt(K)
    if causal:
        scores = scores.tril()
    out = torch.softmax(scores, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": 'uses x @ w.T as nn.Linear does ("used as x @ w")',
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    K = D // num_heads
    q, k, v = (F.linear(x, w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return F.linear(out.transpose(1, 2).reshape(B, T, D), w_o)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "scaled by the root of D, not of the head's width",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    K = D // num_heads
    q, k, v = ((x @ w).view(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=D ** -0.5)
    return out.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "the output projection is applied to each head's rows of the identity: w_o forgotten",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError
    K = D // num_heads
    heads = []
    for h in range(num_heads):
        c = slice(h * K, (h + 1) * K)
        heads.append(F.scaled_dot_product_attention(x @ w_q[:, c], x @ w_k[:, c], x @ w_v[:, c], is_causal=causal))
    return torch.cat(heads, -1)
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "torch.allclose",
        "source": r"""
def is_equivariant(layer, x, permutation):
    first = layer(x[permutation])
    afterwards = layer(x.clone())[permutation]
    return torch.allclose(first, afterwards, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "the rule of allclose written out, a Python loop over rows",
        "source": r"""
def is_equivariant(layer, x, permutation):
    order = permutation.tolist()
    a = layer(torch.stack([x[i] for i in order])) if order else layer(x.clone())
    b = layer(x.clone())
    for row, i in enumerate(order):
        if not ((a[row] - b[i]).abs() <= 1e-6 + 1e-5 * b[i].abs()).all():
            return False
    return True
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "the outputs are shuffled by the inverse permutation; a swap does not show it",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[torch.argsort(permutation)], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "exact comparison, rounding counts as a difference",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.equal(layer(x[permutation]), layer(x)[permutation])
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": 'tries the reversed order, not the permutation that is given ("No other order is asked about")',
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "absolute difference only, without the relative part of allclose: large outputs that differ by rounding are refused",
        "source": r"""
def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]), layer(x)[permutation]
    return bool(((a - b).abs() <= 1e-6).all())
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "vectorised, stack and flatten",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("the width must be even")
    rates = float(base) ** -(torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim)
    angles = positions.double().unsqueeze(-1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "math.sin in loops, NumPy in between",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 != 0:
        raise ValueError
    flat = positions.reshape(-1).tolist()
    table = np.zeros((len(flat), embed_dim))
    for row, p in enumerate(flat):
        for i in range(embed_dim // 2):
            angle = p / base ** (2 * i / embed_dim)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return torch.from_numpy(table).reshape(tuple(positions.shape) + (embed_dim,))
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": 'computed in float32 and made float64 at the end ("computed in float64")',
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError
    i = torch.arange(embed_dim // 2)
    angles = positions.float()[..., None] / base ** (2 * i / embed_dim)
    out = torch.zeros(*positions.shape, embed_dim, dtype=torch.float64)
    out[..., 0::2] = torch.sin(angles)
    out[..., 1::2] = torch.cos(angles)
    return out
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": 'positions cut to whole numbers ("lie between two whole numbers")',
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError
    i = torch.arange(embed_dim // 2, dtype=torch.float64)
    angles = positions.long()[..., None] / base ** (2 * i / embed_dim)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "base ignored: 10000 always",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError
    i = torch.arange(embed_dim // 2, dtype=torch.float64)
    angles = positions.double()[..., None] / 10000 ** (2 * i / embed_dim)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "all sines first, then all cosines",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError
    i = torch.arange(embed_dim // 2, dtype=torch.float64)
    angles = positions.double()[..., None] / base ** (2 * i / embed_dim)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "even and odd columns, angles in float64",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K must be even")
    rates = float(base) ** (-torch.arange(0, K, 2, dtype=torch.float64) / K)
    phi = torch.arange(start, start + T, dtype=torch.float64)[:, None] * rates
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "complex numbers in double precision, back to the type of x",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    rows, width = x.shape
    if width % 2 == 1:
        raise ValueError
    if rows == 0 or width == 0:
        return x.clone()
    pairs = torch.view_as_complex(x.double().reshape(rows, width // 2, 2).contiguous())
    turn = torch.tensor([[(start + t) / base ** (2 * i / width) for i in range(width // 2)] for t in range(rows)],
                        dtype=torch.float64)
    turned = pairs * torch.polar(torch.ones_like(turn), turn)
    return torch.view_as_real(turned).reshape(rows, width).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "pairs column i with column K/2 + i, not neighbours; the same for K = 2",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    rates = float(base) ** (-torch.arange(0, K, 2, dtype=torch.float64) / K)
    phi = (start + torch.arange(T, dtype=torch.float64))[:, None] * rates
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, :K // 2], x[:, K // 2:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": 'writes into x ("A function leaves its arguments as they are")',
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    for t in range(T):
        for i in range(0, K, 2):
            phi = (start + t) / base ** (i / K)
            a, b = x[t, i].item(), x[t, i + 1].item()
            x[t, i] = a * math.cos(phi) - b * math.sin(phi)
            x[t, i + 1] = a * math.sin(phi) + b * math.cos(phi)
    return x
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "exponent i / K instead of 2 i / K: wrong for every pair but the first",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    i = torch.arange(K // 2, dtype=torch.float64)
    phi = (start + torch.arange(T, dtype=torch.float64))[:, None] / float(base) ** (i / K)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "start multiplied on, the first row always at position 0",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError
    rates = float(base) ** (-torch.arange(0, K, 2, dtype=torch.float64) / K)
    phi = torch.arange(T, dtype=torch.float64)[:, None] * max(start, 1) * rates
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K)
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "scatter_reduce and index_add",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    if len(edges) == 0:
        return out
    pairs = torch.tensor([list(e) for e in edges], dtype=torch.long)
    senders, receivers = pairs[:, 0], pairs[:, 1]
    N = values.shape[0]
    top = torch.full((N,), -math.inf, dtype=scores.dtype).scatter_reduce(0, receivers, scores.detach(), "amax")
    e = torch.exp(scores - top[receivers])
    total = torch.zeros(N, dtype=scores.dtype).index_add(0, receivers, e)
    w = (e / total[receivers]).to(values.dtype)
    return out.index_add(0, receivers, w[:, None] * values[senders])
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "a dictionary of the edges that arrive at each node, then one softmax a node",
        "source": r"""
def graph_attention(values, scores, edges):
    arriving = defaultdict(list)
    for e, (sender, receiver) in enumerate(edges):
        arriving[int(receiver)].append((e, int(sender)))
    rows = []
    for node in range(values.shape[0]):
        if node not in arriving:
            rows.append(torch.zeros_like(values[node]))
            continue
        numbers = [e for e, _ in arriving[node]]
        who = [s for _, s in arriving[node]]
        w = torch.softmax(scores[numbers], dim=0).to(values.dtype)
        rows.append(w @ values[who])
    return torch.stack(rows) if rows else torch.zeros_like(values)
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "a table of scores (N, N): of two edges with the same ends only the last counts",
        "source": r"""
def graph_attention(values, scores, edges):
    N = len(values)
    table = torch.full((N, N), -math.inf, dtype=values.dtype)
    for s, (sender, receiver) in zip(scores, edges):
        table[receiver, sender] = s
    return torch.nan_to_num(torch.softmax(table, dim=1)) @ values
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "one maximum for all edges: a node whose scores are far below it gets 0/0",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    total = torch.zeros(len(values), dtype=values.dtype)
    if not edges:
        return out
    e = torch.exp(scores - scores.max())
    for w, (sender, receiver) in zip(e, edges):
        out[receiver] += w * values[sender]
        total[receiver] += w
    has = sorted({r for _, r in edges})
    out[has] = out[has] / total[has][:, None]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "softmax over the edges that leave a node, not those that arrive",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    for node in range(len(values)):
        mine = [e for e, (s, r) in enumerate(edges) if s == node]
        if mine:
            w = torch.softmax(scores[mine], dim=0)
            for k, e in enumerate(mine):
                out[edges[e][1]] += w[k] * values[node]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": 'no edges at all ("it may be empty") raises an error',
        "source": r"""
def graph_attention(values, scores, edges):
    senders, receivers = zip(*edges)
    senders, receivers = torch.tensor(senders), torch.tensor(receivers)
    out = torch.zeros_like(values)
    for node in receivers.unique():
        here = receivers == node
        out[node] = torch.softmax(scores[here], 0).to(values.dtype) @ values[senders[here]]
    return out
""",
    },
]
