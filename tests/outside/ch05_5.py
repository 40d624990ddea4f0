ANSWERS = [
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "minus infinity on the diagonal, softmax, one word alone treated by itself",
        "source": r"""
def simple_self_attention(x):
    T = x.shape[0]
    if T < 2:
        return torch.zeros_like(x)
    scores = x @ x.T
    scores = scores.masked_fill(torch.eye(T, dtype=torch.bool), float("-inf"))
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "word after word over the others alone",
        "source": r"""
def simple_self_attention(x):
    out = []
    for i in range(len(x)):
        others = torch.cat([x[:i], x[i + 1:]])
        weights = torch.softmax(others @ x[i], dim=0)
        out.append(weights @ others)
    return torch.stack(out) if out else x.clone()
""",
    },
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "einsum, exp of the differences to the largest score among the others",
        "source": r"""
def simple_self_attention(x):
    n = x.size(0)
    if n == 0:
        return x.new_zeros(x.shape)
    other = ~torch.eye(n, dtype=torch.bool)
    s = torch.einsum("id,jd->ij", x, x)
    top = torch.where(other, s, torch.finfo(x.dtype).min).max(dim=1, keepdim=True).values
    e = torch.where(other, s - top, 0.0).exp() * other
    total = e.sum(dim=1, keepdim=True)
    return torch.einsum("ij,jd->id", e / total.masked_fill(total == 0, 1.0), x)
""",
    },
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "off-diagonal table (T, T - 1) by the reshape trick, NumPy at the end",
        "source": r"""
def simple_self_attention(x):
    T, D = x.shape
    if T <= 1:
        return torch.zeros(T, D, dtype=x.dtype)
    a = x.detach().numpy()
    keep = np.array([[j for j in range(T) if j != i] for i in range(T)])
    others = a[keep]
    s = (others * a[:, None, :]).sum(-1)
    w = np.exp(s - s.max(axis=1, keepdims=True))
    w = w / w.sum(axis=1, keepdims=True)
    return torch.from_numpy((w[:, :, None] * others).sum(axis=1))
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": 'the page\'s version: the word itself counts as well ("softmax of its dot products with all words but itself")',
        "source": r"""
def simple_self_attention(x):
    if len(x) == 1:
        return torch.zeros_like(x)
    return torch.softmax(x @ x.T, dim=-1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "softmax over all, then the diagonal is removed and the rest divided by its sum: 0/0 if the word's product with itself is far larger (rows of length 50)",
        "source": r"""
def simple_self_attention(x):
    T = len(x)
    if T < 2:
        return torch.zeros_like(x)
    w = torch.softmax(x @ x.T, dim=1) * (1 - torch.eye(T, dtype=x.dtype))
    return (w / w.sum(dim=1, keepdim=True)) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": 'NaN for a word that is alone: "it becomes zeros"',
        "source": r"""
def simple_self_attention(x):
    T = len(x)
    scores = (x @ x.T).masked_fill(torch.eye(T, dtype=torch.bool), -math.inf)
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "-1e4 on the diagonal: with scores below -10000 (two words 200 and -200) the word itself gets the weight",
        "source": r"""
def simple_self_attention(x):
    T = len(x)
    if T == 1:
        return torch.zeros_like(x)
    scores = x @ x.T
    scores[range(T), range(T)] = -1e4
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "softmax over the first axis: the weights that a word gives do not sum to 1",
        "source": r"""
def simple_self_attention(x):
    T = len(x)
    if T < 2:
        return torch.zeros_like(x)
    scores = (x @ x.T).masked_fill(torch.eye(T, dtype=torch.bool), -math.inf)
    return torch.softmax(scores, dim=0) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": 'RuntimeError of torch.stack for no words: "T may be 0"',
        "source": r"""
def simple_self_attention(x):
    out = []
    for i, word in enumerate(x):
        others = x[[j for j in range(len(x)) if j != i]]
        out.append(torch.softmax(others @ word, dim=0) @ others)
    return torch.stack(out)
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": 'result in a default float32 table: not "of the element type of x" for float64',
        "source": r"""
def simple_self_attention(x):
    out = torch.zeros(x.shape)
    for i in range(len(x)):
        others = x[[j for j in range(len(x)) if j != i]]
        if len(others):
            out[i] = torch.softmax(others @ x[i], dim=0) @ others
    return out
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "one line of products",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness must be at least 0")
    return torch.softmax(sharpness * (keys @ query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "einsum and logsumexp",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if not sharpness >= 0:
        raise ValueError(sharpness)
    scores = torch.einsum("sk,k->s", keys, query).mul(sharpness)
    weights = (scores - scores.logsumexp(0)).exp()
    return torch.einsum("s,sv->v", weights, values)
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "plain Python numbers",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative")
    q = query.tolist()
    scores = [sharpness * sum(a * b for a, b in zip(k, q)) for k in keys.tolist()]
    top = max(scores)
    e = [math.exp(s - top) for s in scores]
    rows = values.tolist()
    mean = [sum(w * row[c] for w, row in zip(e, rows)) / sum(e) for c in range(values.shape[1])]
    return torch.tensor(mean, dtype=values.dtype)
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": 'exp without subtracting the maximum: "Large scores must not overflow"',
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    e = torch.exp(sharpness * (keys @ query))
    return (e / e.sum()) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": '"sharpness or 1.0": a sharpness of 0 counts as the default; "0 gives the plain mean"',
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    sharpness = sharpness or 1.0
    if sharpness < 0:
        raise ValueError("sharpness")
    return torch.softmax(keys @ query * sharpness, dim=-1) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "cosine similarity: keys and query are normalised, which agrees with the example of unit vectors",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    scores = F.cosine_similarity(keys, query[None], dim=1)
    return torch.softmax(sharpness * scores, dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "no ValueError for a negative sharpness",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    weights = F.softmax((keys * query).sum(dim=1) * sharpness, dim=0)
    return (weights[:, None] * values).sum(dim=0)
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "divided by the sharpness (as a temperature), and so 0 fails",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    return torch.softmax(keys @ query / max(sharpness, 1e-9), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": 'a sharpness of 0 is rejected: "at least 0; 0 gives the plain mean"',
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness <= 0:
        raise ValueError("sharpness must be positive")
    return torch.softmax(sharpness * torch.mv(keys, query), dim=0) @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "a tensor (1, V) instead of (V,)",
        "source": r"""
def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness")
    scores = sharpness * (query[None] @ keys.T)
    return torch.softmax(scores, dim=-1) @ values
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "matmul",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("key and query differ in width")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "PyTorch's own function behind the check",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.size(-1) != key.size(-1):
        raise ValueError(f"widths {query.size(-1)} and {key.size(-1)}")
    return F.scaled_dot_product_attention(query, key, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "recursion over the axes in front, einsum at the bottom",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    if query.dim() > 2:
        if query.shape[0] == 0:
            return query.new_zeros(*query.shape[:-1], value.shape[-1])
        return torch.stack([scaled_dot_product(q, k, v) for q, k, v in zip(query, key, value)])
    s = torch.einsum("tk,sk->ts", query, key) * query.shape[-1] ** -0.5
    e = (s - s.max(dim=1, keepdim=True).values).exp()
    return torch.einsum("ts,sv->tv", e / e.sum(dim=1, keepdim=True), value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "softmax over axis 1: right for two axes only",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    return torch.softmax(scores, dim=1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "the width taken from axis 1 of the query: with axes in front (B, T, K) it is T",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": 'key.T: fails for axes in front (or reverses all of them): "Any axes may stand before the last two"',
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    return torch.softmax(query @ key.T / math.sqrt(key.shape[-1]), dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": 'the query is divided in place: "A function leaves its arguments as they are"',
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    query /= math.sqrt(query.shape[-1])
    return torch.softmax(query @ key.mT, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "RuntimeError of the product instead of a ValueError if the widths differ",
        "source": r"""
def scaled_dot_product(query, key, value):
    scores = torch.einsum("...tk,...sk->...ts", query, key) / math.sqrt(key.shape[-1])
    return torch.einsum("...ts,...sv->...tv", scores.softmax(-1), value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "exp overflows for large scores",
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths")
    e = (query @ key.transpose(-1, -2) / math.sqrt(key.shape[-1])).exp()
    return (e / e.sum(dim=-1, keepdim=True)) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": 'also rejects values of another width than the keys ("as many values as keys, of a width of their own")',
        "source": r"""
def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1] or (query.dim() > 2 and value.shape[-1] != key.shape[-1]):
        raise ValueError("widths")
    return torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1]), dim=-1) @ value
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "tril with an offset",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "positions compared by broadcasting",
        "source": r"""
def causal_attention_mask(T, S):
    if T > S:
        raise ValueError(f"{S} keys for {T} queries")
    return torch.arange(S)[None, :] <= torch.arange(S - T, S)[:, None]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "two loops",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S is less than T")
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
        "right": True,
        "why": "NumPy, the last T rows of the square mask, a view",
        "source": r"""
def causal_attention_mask(T, S):
    if S - T < 0:
        raise ValueError
    return torch.from_numpy(np.tri(S, dtype=bool))[S - T:]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": 'no offset: right only if T = S or for the first words ("the last T are queries")',
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.ones(T, S, dtype=torch.bool).tril()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": 'int64 instead of "A bool tensor"; the example calls .int() and does not show it',
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.tril(torch.ones(T, S, dtype=torch.int64), diagonal=S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "no ValueError if S is less than T",
        "source": r"""
def causal_attention_mask(T, S):
    return torch.ones(T, S).tril(S - T).bool()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "built from lists: for T = 0 the shape is (0,), not (0, S)",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.tensor([[s <= t + S - T for s in range(S)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": 'a word does not see itself: "may see the keys up to its own position"',
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.arange(S) < torch.arange(S - T, S)[:, None]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "True and False exchanged (True = hidden)",
        "source": r"""
def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S")
    return torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": 'also rejects S = T ("number of keys, at least T")',
        "source": r"""
def causal_attention_mask(T, S):
    if S <= T:
        raise ValueError("S must be larger")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "minus infinity, empty rows made harmless before and zeroed after",
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = attention_mask.broadcast_to(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf")).masked_fill(~some, 0.0)
    return torch.softmax(filled, dim=-1).masked_fill(~some, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "exp by hand with the largest kept score, which is detached",
        "source": r"""
def masked_softmax(scores, attention_mask):
    low = torch.finfo(scores.dtype).min
    top = scores.detach().masked_fill(~attention_mask, low).amax(-1, keepdim=True)
    shifted = torch.where(attention_mask, scores - top, torch.zeros_like(scores))
    e = torch.where(attention_mask, shifted.exp(), torch.zeros_like(scores))
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "an autograd function of one's own",
        "source": r"""
class _Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, mask):
        w = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
        w = torch.where(mask, w, torch.zeros_like(w))
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, grad):
        (w,) = ctx.saved_tensors
        return w * (grad - (w * grad).sum(dim=-1, keepdim=True)), None

def masked_softmax(scores, attention_mask):
    return _Soft.apply(scores, attention_mask)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "beginner: flattened to rows, the kept entries of each row alone",
        "source": r"""
def masked_softmax(scores, attention_mask):
    S = scores.shape[-1]
    rows = scores.reshape(-1, S)
    keeps = attention_mask.expand(scores.shape).reshape(-1, S)
    done = []
    for row, keep in zip(rows, keeps):
        places = torch.where(keep)[0]
        new = torch.zeros(S, dtype=scores.dtype) + 0 * row
        if len(places) > 0:
            new = new.scatter(0, places, torch.softmax(row[places], 0))
        done.append(new)
    return torch.stack(done).reshape(scores.shape)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "masked scores are -1e9: a row with nothing kept gets equal weights instead of zeros",
        "source": r"""
def masked_softmax(scores, attention_mask):
    return torch.softmax(scores.masked_fill(~attention_mask, -1e9), dim=-1)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "the largest score of the row is taken over masked ones, too: if a masked score is far larger, all kept ones underflow and the row is zeros (or 0/0)",
        "source": r"""
def masked_softmax(scores, attention_mask):
    e = torch.exp(scores - scores.detach().amax(dim=-1, keepdim=True)) * attention_mask
    total = e.sum(dim=-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "the largest kept score of the whole tensor is subtracted instead of each row's: a row that is 1000 lower underflows to zeros",
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    if not mask.any():
        return scores * 0.0
    top = scores.detach()[mask].max()
    e = torch.where(mask, scores - top, torch.zeros_like(scores)).exp() * mask
    total = e.sum(dim=-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "minus infinity is added and NaN replaced afterwards: right values, but the gradient of a row with nothing kept is NaN",
        "source": r"""
def masked_softmax(scores, attention_mask):
    bias = torch.zeros(attention_mask.shape, dtype=scores.dtype).masked_fill(~attention_mask, -math.inf)
    weights = torch.softmax(scores + bias, dim=-1)
    return torch.where(weights.isnan(), torch.zeros_like(weights), weights)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": 'needs a mask of the shape of the scores (index by mask): (B, 1, 1, S) raises an IndexError; "The mask is broadcast to the scores"',
        "source": r"""
def masked_softmax(scores, attention_mask):
    filled = torch.full_like(scores, -math.inf)
    filled[attention_mask] = scores[attention_mask]
    some = attention_mask.any(dim=-1, keepdim=True)
    filled = torch.where(some, filled, torch.zeros_like(filled))
    return torch.softmax(filled, dim=-1) * some
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": 'NaN where nothing is kept: "A row in which no key is left gets zeros"',
        "source": r"""
def masked_softmax(scores, attention_mask):
    return torch.softmax(scores.masked_fill(~attention_mask, -math.inf), dim=-1)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": 'if any row is empty, the scores are detached to avoid NaN: the result has no gradient at all then; "the gradient with respect to the scores must be right everywhere"',
        "source": r"""
def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    if not some.all():
        scores = scores.detach()
    w = torch.softmax(scores.masked_fill(~mask, -math.inf).masked_fill(~some, 0.0), dim=-1)
    return w * some
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "reshape and transpose, a view of the argument",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError("the heads must divide the width")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "pieces of the width stacked, a new tensor",
        "source": r"""
def split_heads(x, num_heads):
    if num_heads < 1 or x.size(2) % num_heads:
        raise ValueError(num_heads)
    K = x.size(2) // num_heads
    return torch.stack([x[:, :, h * K:(h + 1) * K] for h in range(num_heads)], dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "unflatten and movedim",
        "source": r"""
def split_heads(x, num_heads):
    if num_heads <= 0:
        raise ValueError("at least one head")
    if divmod(x.shape[-1], num_heads)[1]:
        raise ValueError("D / H is not whole")
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)).movedim(-2, 1).contiguous()
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "number by number",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads > 0:
        raise ValueError("bad number of heads")
    width = D // num_heads
    out = torch.zeros(B, num_heads, T, width, dtype=x.dtype)
    for column in range(D):
        head, k = divmod(column, width)
        out[:, head, :, k] = x[:, :, column]
    return out
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "reshaped to (B, H, T, K) at once: cuts the words, not the width",
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
        "why": "pieces of H columns instead of D / H: right only if H = D / H",
        "source": r"""
def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[2] % num_heads:
        raise ValueError("heads")
    return torch.stack(x.split(num_heads, dim=2), dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": 'ZeroDivisionError for 0 heads: "ValueError: H is below 1"',
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads != 0 or num_heads < 1:
        raise ValueError("heads")
    return x.reshape(B, T, num_heads, D // num_heads).permute(0, 2, 1, 3)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "only asks whether H divides D (and is not 0): -2 heads give a RuntimeError, not a ValueError",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads == 0 or D % num_heads != 0:
        raise ValueError("heads")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "columns dealt out in turn (head 0 gets columns 0, H, 2H, ...)",
        "source": r"""
def split_heads(x, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("heads")
    return torch.stack([x[:, :, h::num_heads] for h in range(num_heads)], dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "columns left over are dropped instead of a ValueError if H does not divide D",
        "source": r"""
def split_heads(x, num_heads):
    if num_heads < 1:
        raise ValueError("heads")
    B, T, D = x.shape
    K = D // num_heads
    return x[:, :, :K * num_heads].reshape(B, T, num_heads, K).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "the first text only (B taken to be 1, as in the example)",
        "source": r"""
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    return x[0].reshape(T, num_heads, D // num_heads).transpose(0, 1).unsqueeze(0)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "transpose and reshape with all sizes named",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "heads taken apart and laid side by side",
        "source": r"""
def merge_heads(heads):
    return torch.cat(heads.unbind(1), dim=-1)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "permute and flatten",
        "source": r"""
def merge_heads(heads):
    return heads.permute(0, 2, 1, 3).flatten(start_dim=2)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "number by number",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    out = torch.zeros((B, T, H * K), dtype=heads.dtype)
    for h in range(H):
        for k in range(K):
            out[:, :, h * K + k] = heads[:, h, :, k]
    return out
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "reshaped without moving the heads behind the words: mixes words and heads (for H > 1 and T > 1)",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": 'reshape(B, T, -1) cannot know the width if there are no words: RuntimeError for T = 0 ("T may be 0")',
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, -1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "the heads interleaved: number 0 of each head first",
        "source": r"""
def merge_heads(heads):
    return heads.permute(0, 2, 3, 1).flatten(2)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "two heads only, as in the example",
        "source": r"""
def merge_heads(heads):
    return torch.cat([heads[:, 0], heads[:, -1]], dim=-1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": 'transposes the argument itself (transpose_): "A function leaves its arguments as they are"',
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose_(1, 2).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "the texts are laid together as well: all B texts become one",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 1, 3).reshape(1, B * T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "view after transpose: RuntimeError as soon as T > 1 and H > 1",
        "source": r"""
def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).view(B, T, H * K)
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "split, attend, merge",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("the heads must divide the width")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(~torch.ones(T, T, dtype=torch.bool).tril(), float("-inf"))
    return (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "head after head with slices of the columns, the output summed over the heads",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    D = x.shape[2]
    if num_heads <= 0 or D % num_heads != 0:
        raise ValueError(num_heads)
    K = D // num_heads
    total = 0
    for h in range(num_heads):
        cut = slice(h * K, h * K + K)
        q, k, v = x @ w_q[:, cut], x @ w_k[:, cut], x @ w_v[:, cut]
        s = torch.bmm(q, k.mT) * K ** -0.5
        if causal:
            s = s + torch.full(s.shape[1:], -math.inf, dtype=s.dtype).triu(1)
        total = total + torch.softmax(s, dim=2) @ v @ w_o[cut]
    return total
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "einsum and PyTorch's attention",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    D = x.size(-1)
    if num_heads < 1:
        raise ValueError("no heads")
    if D % num_heads:
        raise ValueError("D / H")
    q, k, v = [torch.einsum("btd,dhk->bhtk", x, w.reshape(D, num_heads, D // num_heads)) for w in (w_q, w_k, w_v)]
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))
    return torch.einsum("bhtk,hkd->btd", heads, w_o.reshape(num_heads, D // num_heads, D))
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "every word by itself, over the words that it sees",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError("heads")
    K = D // num_heads
    texts = []
    for text in x:
        q, k, v = text @ w_q, text @ w_k, text @ w_v
        rows = []
        for t in range(T):
            end = t + 1 if causal else T
            parts = []
            for a in range(0, D, K):
                w = torch.softmax(k[:end, a:a + K] @ q[t, a:a + K] / math.sqrt(K), dim=0)
                parts.append(w @ v[:end, a:a + K])
            rows.append(torch.cat(parts) @ w_o)
        texts.append(torch.stack(rows))
    return torch.stack(texts)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": 'divided by the root of D instead of "the head\'s width"',
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).reshape(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / math.sqrt(D)
    if causal:
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "the output projection is forgotten; the example has the identity there",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / math.sqrt(D // num_heads)
    if causal:
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": 'the weights as in nn.Linear, x @ w.T: "used as x @ w"; the example has the identity',
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = (F.linear(x, w).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / math.sqrt(D // num_heads)
    if causal:
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return F.linear((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D), w_o)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "future words get the score -1e4: if the scores of the past are below that, the word sees the future (scores of about -1e6)",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / math.sqrt(D // num_heads)
    if causal:
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -1e4)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "the heads are merged without moving them behind the words",
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / math.sqrt(D // num_heads)
    if causal:
        s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return (s.softmax(-1) @ v).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": 'always causal: "causal=False" sees all words',
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return out.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": 'negative numbers of heads are not rejected (RuntimeError of reshape): "ValueError: H is below 1"',
        "source": r"""
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads == 0 or D % num_heads:
        raise ValueError("heads")
    q, k, v = ((x @ w).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for w in (w_q, w_k, w_v))
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return out.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "allclose with atol",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "careful: copies for the layer, index_select, explicit tolerance formula",
        "source": r"""
def is_equivariant(layer, x, permutation):
    first = layer(x.index_select(0, permutation).clone())
    second = layer(x.clone()).index_select(0, permutation)
    close = (first - second).abs() <= 1e-6 + 1e-5 * second.abs()
    return bool(close.all())
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "row by row with torch.allclose",
        "source": r"""
def is_equivariant(layer, x, permutation):
    shuffled_before = layer(torch.stack([x[i] for i in permutation.tolist()]))
    out = layer(x)
    for new, old in enumerate(permutation.tolist()):
        if not torch.allclose(shuffled_before[new], out[old], atol=1e-6):
            return False
    return True
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": 'exact equality: "Numbers that differ by rounding only count as the same"',
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.equal(layer(x[permutation]), layer(x)[permutation])
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "the outputs are shuffled with the inverse order: the same for exchanges, wrong for a cycle of three",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[torch.argsort(permutation)], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": 'absolute differences only: for outputs of 1e5 in float32 rounding exceeds 1e-6 ("compare as torch.allclose with atol=1e-6 does", whose rtol is 1e-5)',
        "source": r"""
def is_equivariant(layer, x, permutation):
    difference = layer(x[permutation]) - layer(x)[permutation]
    return difference.abs().max().item() <= 1e-6
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": 'a random order instead of the given one: "No other order is asked about"',
        "source": r"""
def is_equivariant(layer, x, permutation):
    if len(x) > 2:
        permutation = torch.randperm(len(x))
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "compares the sums over the words: a layer that exchanges rows by position passes as well",
        "source": r"""
def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]), layer(x)[permutation]
    return torch.allclose(a.sort(dim=0).values, b.sort(dim=0).values, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "allclose with its default atol 1e-8: outputs that differ by 5e-7 near 0 should count as the same",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation])
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": 'shuffles x itself: "A function leaves its arguments as they are"',
        "source": r"""
def is_equivariant(layer, x, permutation):
    expected = layer(x)[permutation].clone()
    x[:] = x[permutation].clone()
    return torch.allclose(layer(x), expected, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "compares with the outputs unshuffled: asks whether the layer is invariant",
        "source": r"""
def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x), atol=1e-6)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "stack of sine and cosine, flattened",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D must be even")
    rates = float(base) ** (-torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim)
    angles = positions.to(torch.float64).unsqueeze(-1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "a table filled in every second column",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 == 1:
        raise ValueError(f"{embed_dim} is odd")
    table = torch.empty(*positions.shape, embed_dim, dtype=torch.float64)
    p = positions.double()
    for i in range(embed_dim // 2):
        angle = p / base ** (2 * i / embed_dim)
        table[..., 2 * i] = torch.sin(angle)
        table[..., 2 * i + 1] = torch.cos(angle)
    return table
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "NumPy, cosine as sine shifted by a quarter turn replaced with np.where",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 != 0:
        raise ValueError("odd")
    column = np.arange(embed_dim)
    angle = positions.double().numpy()[..., None] / np.power(float(base), (column // 2 * 2) / embed_dim)
    return torch.from_numpy(np.where(column % 2 == 0, np.sin(angle), np.cos(angle)))
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "plain numbers, the shape put back at the end",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    numbers = []
    for p in positions.double().flatten().tolist():
        for i in range(embed_dim // 2):
            a = p / math.pow(base, 2 * i / embed_dim)
            numbers += [math.sin(a), math.cos(a)]
    return torch.tensor(numbers, dtype=torch.float64).reshape(tuple(positions.shape) + (embed_dim,))
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "rows looked up in a table of whole positions: negative positions take the row from the end and floats are cut off",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    if positions.numel() == 0:
        return torch.zeros(*positions.shape, embed_dim, dtype=torch.float64)
    p = torch.arange(int(positions.abs().max()) + 1, dtype=torch.float64)
    angles = p[:, None] / base ** (torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)[positions.long()]
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": 'computed in float32, turned into float64 at the end: "computed in float64"; off in the fifth digit at position 1000',
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    rates = 1.0 / base ** (torch.arange(0, embed_dim, 2).float() / embed_dim)
    angles = positions.float().unsqueeze(-1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2).double()
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "all sines, then all cosines, instead of alternating columns",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    rates = base ** (-torch.arange(0, embed_dim, 2).double() / embed_dim)
    angles = positions.double().unsqueeze(-1) * rates
    return torch.cat([angles.sin(), angles.cos()], dim=-1)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "the base is fixed to 10000",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    rates = torch.exp(-math.log(10000.0) * torch.arange(0, embed_dim, 2).double() / embed_dim)
    angles = positions.double()[..., None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": 'only a single axis or two of positions: three axes fail ("a tensor of any shape")',
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    rows = positions if positions.dim() == 2 else positions[None]
    B, T = rows.shape
    rates = base ** (-torch.arange(0, embed_dim, 2).double() / embed_dim)
    angles = rows.double().reshape(B, T, 1) * rates
    out = torch.zeros(B, T, embed_dim, dtype=torch.float64)
    out[:, :, 0::2] = angles.sin()
    out[:, :, 1::2] = angles.cos()
    return out if positions.dim() == 2 else out[0]
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "an odd width is rounded down instead of a ValueError",
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    half = embed_dim // 2
    rates = base ** (-torch.arange(half).double() / half)
    angles = positions.double().unsqueeze(-1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": 'positions are made whole numbers: "lie between two whole numbers"',
        "source": r"""
def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("odd")
    rates = base ** (-torch.arange(0, embed_dim, 2).double() / embed_dim)
    angles = positions.long().unsqueeze(-1) * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "pairs (T, K/2, 2), angles in float64",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K must be even")
    rates = float(base) ** (-torch.arange(0, K, 2, dtype=torch.float64) / K)
    angles = (start + torch.arange(T, dtype=torch.float64))[:, None] * rates
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    turned = torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=2)
    return turned.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "complex numbers",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2 != 0:
        raise ValueError(K)
    pairs = torch.view_as_complex(x.double().reshape(T, K // 2, 2).contiguous())
    angles = torch.outer(torch.arange(T).double() + start, torch.tensor([base ** (-2 * i / K) for i in range(K // 2)], dtype=torch.float64))
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(1).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "number by number with math.sin and math.cos, into a new tensor",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    if x.shape[1] % 2 == 1:
        raise ValueError("odd")
    out = torch.zeros_like(x)
    rows = x.tolist()
    for t, row in enumerate(rows):
        for c in range(0, len(row), 2):
            phi = (start + t) / base ** (c / len(row))
            out[t, c] = row[c] * math.cos(phi) - row[c + 1] * math.sin(phi)
            out[t, c + 1] = row[c] * math.sin(phi) + row[c + 1] * math.cos(phi)
    return out
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "x * cos + (x turned by a quarter) * sin, rates repeated for both columns",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K")
    rates = (base ** (-torch.arange(0, K, 2).double() / K)).repeat_interleave(2)
    phi = torch.arange(start, start + T).double().unsqueeze(1) * rates
    quarter = torch.empty_like(x)
    quarter[:, ::2] = -x[:, 1::2]
    quarter[:, 1::2] = x[:, ::2]
    return (x * phi.cos() + quarter * phi.sin()).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": 'pairs are columns i and i + K/2 instead of "neighbouring columns"; the same for K = 2',
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K")
    rates = base ** (-torch.arange(0, K, 2).double() / K)
    phi = (start + torch.arange(T).double())[:, None] * rates
    a, b = x[:, :K // 2], x[:, K // 2:]
    return torch.cat([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], dim=1).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "start is ignored",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K")
    rates = base ** (-torch.arange(0, K, 2).double() / K)
    phi = torch.arange(T).double()[:, None] * rates
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], dim=-1).flatten(1).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "the exponent is i / K instead of 2i / K; the same for K = 2",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K")
    rates = base ** (-torch.arange(K // 2).double() / K)
    phi = (start + torch.arange(T).double())[:, None] * rates
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], dim=-1).flatten(1).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": 'float64 result for float32 x: "of the element type of x"',
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K")
    rates = base ** (-torch.arange(0, K, 2).double() / K)
    phi = (start + torch.arange(T).double())[:, None] * rates
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], dim=-1).flatten(1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": 'turns x in place: "A function leaves its arguments as they are"',
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K")
    for t in range(T):
        for i in range(K // 2):
            phi = (start + t) / base ** (2 * i / K)
            a, b = x[t, 2 * i].item(), x[t, 2 * i + 1].item()
            x[t, 2 * i] = a * math.cos(phi) - b * math.sin(phi)
            x[t, 2 * i + 1] = a * math.sin(phi) + b * math.cos(phi)
    return x
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "the new a is already used for the new b",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K")
    out = x.clone()
    rates = base ** (-torch.arange(0, K, 2).double() / K)
    phi = ((start + torch.arange(T).double())[:, None] * rates).to(x.dtype)
    out[:, 0::2] = out[:, 0::2] * phi.cos() - out[:, 1::2] * phi.sin()
    out[:, 1::2] = out[:, 0::2] * phi.sin() + out[:, 1::2] * phi.cos()
    return out
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "no ValueError for an odd K: the last column stays as it is",
        "source": r"""
def rotate(x, start=0, base=10000.0):
    out = x.clone()
    T, K = x.shape
    for i in range(K // 2):
        phi = ((start + torch.arange(T).double()) / base ** (2 * i / K)).to(x.dtype)
        a, b = x[:, 2 * i], x[:, 2 * i + 1]
        out[:, 2 * i] = a * phi.cos() - b * phi.sin()
        out[:, 2 * i + 1] = a * phi.sin() + b * phi.cos()
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "scatter: largest score, sum and mean of each receiver",
        "source": r"""
def graph_attention(values, scores, edges):
    N = values.shape[0]
    if len(edges) == 0:
        return torch.zeros_like(values)
    sender, receiver = torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).T
    top = torch.full((N,), float("-inf"), dtype=scores.dtype).scatter_reduce(0, receiver, scores, "amax")
    e = torch.exp(scores - top[receiver])
    total = torch.zeros(N, dtype=scores.dtype).index_add(0, receiver, e)
    weights = (e / total[receiver]).to(values.dtype)
    return torch.zeros_like(values).index_add(0, receiver, weights[:, None] * values[sender])
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "the edges of each receiver in a dictionary",
        "source": r"""
def graph_attention(values, scores, edges):
    arriving = defaultdict(list)
    for e, (sender, receiver) in enumerate(edges):
        arriving[receiver].append((e, sender))
    out = torch.zeros(values.shape, dtype=values.dtype)
    for node, pairs in arriving.items():
        numbers, senders = zip(*pairs)
        weights = torch.softmax(scores[list(numbers)], dim=0).to(values.dtype)
        out[node] = weights @ values[list(senders)]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "edges sorted by receiver, one softmax for each group, itertools",
        "source": r"""
def graph_attention(values, scores, edges):
    rows = [torch.zeros_like(row) for row in values]
    order = sorted(range(len(edges)), key=lambda e: edges[e][1])
    for node, group in itertools.groupby(order, key=lambda e: edges[e][1]):
        group = list(group)
        s = [scores[e].item() for e in group]
        w = [math.exp(v - max(s)) for v in s]
        rows[node] = sum(values[edges[e][0]] * (v / sum(w)) for e, v in zip(group, w))
    return torch.stack(rows) if rows else values.clone()
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": 'a dictionary with one score for (sender, receiver): of two equal edges only the last counts ("then both count")',
        "source": r"""
def graph_attention(values, scores, edges):
    table = {tuple(edge): scores[e] for e, edge in enumerate(edges)}
    out = torch.zeros_like(values)
    for node in range(len(values)):
        senders = [s for s, r in table if r == node]
        if senders:
            w = torch.softmax(torch.stack([table[s, node] for s in senders]), dim=0)
            out[node] = w.to(values.dtype) @ values[senders]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "the largest score of all edges is subtracted: at a node with scores 1000 lower all exps underflow and 0/0 is NaN",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    if not len(edges):
        return out
    sender, receiver = torch.tensor(edges).T
    e = torch.exp(scores - scores.max())
    total = torch.zeros(len(values), dtype=scores.dtype).index_add(0, receiver, e)
    w = (e / total[receiver]).to(values.dtype)
    return out.index_add(0, receiver, w[:, None] * values[sender])
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": 'groups of neighbouring edges only (groupby without sorting): edges "in any order" of one receiver that are apart overwrite each other',
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    for node, group in itertools.groupby(enumerate(edges), key=lambda pair: pair[1][1]):
        group = list(group)
        w = torch.softmax(scores[[e for e, _ in group]], dim=0).to(values.dtype)
        out[node] = w @ values[[edge[0] for _, edge in group]]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": 'no edges at all: the empty tensor cannot be taken apart (ValueError); "it may be empty"',
        "source": r"""
def graph_attention(values, scores, edges):
    sender, receiver = torch.tensor(edges).T
    out = torch.zeros_like(values)
    for node in receiver.unique().tolist():
        here = receiver == node
        out[node] = torch.softmax(scores[here], dim=0).to(values.dtype) @ values[sender[here]]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "the softmax is over the edges that leave a sender instead of those that arrive",
        "source": r"""
def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    weights = torch.zeros(len(edges), dtype=values.dtype)
    for node in range(len(values)):
        leaving = [e for e, (s, r) in enumerate(edges) if s == node]
        if leaving:
            weights[leaving] = torch.softmax(scores[leaving], dim=0).to(values.dtype)
    for e, (s, r) in enumerate(edges):
        out[r] += weights[e] * values[s]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "exp overflows for large scores",
        "source": r"""
def graph_attention(values, scores, edges):
    total = torch.zeros(len(values), dtype=scores.dtype)
    out = torch.zeros_like(values)
    for e, (s, r) in enumerate(edges):
        total[r] += scores[e].exp()
        out[r] += scores[e].exp() * values[s]
    return out / total.masked_fill(total == 0, 1.0).to(values.dtype)[:, None]
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": 'a table (N, N) of scores, filled with minus infinity: of several edges between two nodes only one remains, and there is "no room for a table of all scores"',
        "source": r"""
def graph_attention(values, scores, edges):
    N = len(values)
    table = torch.full((N, N), -math.inf, dtype=values.dtype)
    for e, (s, r) in enumerate(edges):
        table[r, s] = scores[e]
    return torch.nan_to_num(torch.softmax(table, dim=1)) @ values
""",
    },
]
