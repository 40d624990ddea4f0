ANSWERS = [
    {
        "task": "feed_forward",
        "right": True,
        "why": "matrix products and relu",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "F.linear with turned matrices and a where",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    hidden = F.linear(x, w1.t(), b1)
    hidden = torch.where(hidden > 0, hidden, torch.zeros_like(hidden))
    return F.linear(hidden, w2.t(), b2)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "a second ReLU at the end cuts negative results",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    return F.relu(F.relu(x @ w1 + b1) @ w2 + b2)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "b2 forgotten (zeros in the example)",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    return F.relu(x @ w1 + b1) @ w2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": '"there may be no positions at all": torch.stack of an empty list fails',
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    flat = x.reshape(-1, x.shape[-1])
    rows = [torch.relu(row @ w1 + b1) @ w2 + b2 for row in flat]
    return torch.stack(rows).reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "ReLU before b1 is added",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    return (torch.relu(x @ w1) + b1) @ w2 + b2
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "vectorised, angles in float64, cast to the table's type",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    V, D = table.shape
    T = ids.shape[-1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angles = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(T, D)
    return table[ids.long()] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "F.embedding and a table of positions filled by loops",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    D = table.shape[1]
    T = ids.shape[-1]
    pe = torch.zeros(T, D, dtype=table.dtype)
    for t in range(T):
        for i in range(D // 2):
            angle = (start + t) / 10000 ** (2 * i / D)
            pe[t, 2 * i] = math.sin(angle)
            pe[t, 2 * i + 1] = math.cos(angle)
    return F.embedding(ids.to(torch.int64), table) * D ** 0.5 + pe
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "start ignored",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    p = torch.arange(T, dtype=torch.float64)[:, None]
    angles = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(T, D)
    return table[ids.long()] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "sines first, then cosines: the same only for D = 2",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angles = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1)
    return table[ids.long()] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "multiplies the caller's table in place",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    table *= math.sqrt(D)
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angles = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(T, D)
    return table[ids.long()] + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": 'float64 comes back for a float32 table ("of the table\'s element type")',
        "source": r"""
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angles = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([torch.sin(angles), torch.cos(angles)], dim=-1).reshape(T, D)
    return table[ids.long()] * math.sqrt(D) + pe
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "four diagonal blocks",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D must be even and at least 2")
    b = n / 10000.0 ** (2 * np.arange(D // 2) / D)
    c, s, t = np.diag(np.cos(b)), np.diag(np.sin(b)), np.diag(-np.sin(b))
    return np.block([[c, s], [t, c]])
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "loop over the pairs",
        "source": r"""
def shift_rotation(n, D):
    if D % 2 == 1 or D < 2:
        raise ValueError
    half = D // 2
    M = np.zeros((D, D))
    for i in range(half):
        angle = n / 10000 ** (2 * i / D)
        M[i, i] = M[half + i, half + i] = math.cos(angle)
        M[i, half + i] = math.sin(angle)
        M[half + i, i] = -math.sin(angle)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": 'the shift\'s sign is lost: abs(n) ("below 0 it goes back")',
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError
    b = abs(n) / 10000.0 ** (2 * np.arange(D // 2) / D)
    c, s, t = np.diag(np.cos(b)), np.diag(np.sin(b)), np.diag(-np.sin(b))
    return np.block([[c, s], [t, c]])
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": 'D = 0 is not refused ("D is odd or below 2")',
        "source": r"""
def shift_rotation(n, D):
    if D % 2 or D < 0:
        raise ValueError
    M = np.zeros((D, D))
    for i in range(D // 2):
        angle = n / 10000 ** (2 * i / D)
        M[i, i] = M[D // 2 + i, D // 2 + i] = math.cos(angle)
        M[i, D // 2 + i] = math.sin(angle)
        M[D // 2 + i, i] = -math.sin(angle)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "transposed, goes back instead of forwards",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError
    b = n / 10000.0 ** (2 * np.arange(D // 2) / D)
    c, s = np.diag(np.cos(b)), np.diag(np.sin(b))
    return np.block([[c, -s], [s, c]])
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "sine and cosine of a pair as neighbours, the page's layout",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError
    M = np.zeros((D, D))
    for i in range(D // 2):
        a = n / 10000 ** (2 * i / D)
        M[2 * i:2 * i + 2, 2 * i:2 * i + 2] = [[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]]
    return M
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "one more axis for the groups",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError("num_groups must divide D")
    g = x.unflatten(-1, (num_groups, D // num_groups))
    centred = g - g.mean(dim=-1, keepdim=True)
    variance = (centred * centred).mean(dim=-1, keepdim=True)
    return (centred / torch.sqrt(variance + eps)).flatten(-2) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "F.layer_norm of each slice of columns",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    width = x.shape[-1]
    if num_groups < 1:
        raise ValueError
    if width % num_groups != 0:
        raise ValueError
    size = width // num_groups
    parts = []
    for start in range(0, width, size):
        end = start + size
        parts.append(F.layer_norm(x[..., start:end], (size,), gain[start:end], bias[start:end], eps))
    return torch.cat(parts, dim=-1)
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": 'eps added to the standard deviation ("added to the variance")',
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError
    g = x.unflatten(-1, (num_groups, D // num_groups))
    g = (g - g.mean(-1, keepdim=True)) / (g.std(-1, keepdim=True, unbiased=False) + eps)
    return g.flatten(-2) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "the argument eps is ignored",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError
    g = x.unflatten(-1, (num_groups, D // num_groups))
    g = F.layer_norm(g, (D // num_groups,))
    return g.flatten(-2) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "g is a view of x and is changed in place: the argument is changed",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError
    g = x.reshape(*x.shape[:-1], num_groups, D // num_groups)
    g -= g.mean(-1, keepdim=True)
    g = g / torch.sqrt(g.var(-1, keepdim=True, unbiased=False) + eps)
    return g.reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "groups cut from the whole tensor: several tokens share a mean",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError
    g = x.reshape(num_groups, -1)
    g = (g - g.mean(1, keepdim=True)) / torch.sqrt(g.var(1, keepdim=True, unbiased=False) + eps)
    return g.reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "library layer norm",
        "source": r"""
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(f"unknown order {order!r}")
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "layer norm by hand, the order looked up in a dictionary",
        "source": r"""
def residual_block(x, w, order="pre"):
    def norm(y):
        mean = y.sum(-1, keepdim=True) / y.shape[-1]
        var = ((y - mean) ** 2).sum(-1, keepdim=True) / y.shape[-1]
        return (y - mean) / (var + 1e-5) ** 0.5

    ways = {"pre": lambda: x + torch.matmul(norm(x), w), "post": lambda: norm(x + torch.matmul(x, w))}
    try:
        way = ways[order]
    except (KeyError, TypeError):
        raise ValueError("order must be pre or post") from None
    return way()
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": 'w.T instead of w ("the sublayer of y is y @ w")',
        "source": r"""
def residual_block(x, w, order="pre"):
    if order not in ("pre", "post"):
        raise ValueError
    shape = x.shape[-1:]
    return x + F.linear(F.layer_norm(x, shape), w) if order == "pre" else F.layer_norm(x + F.linear(x, w), shape)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": 'every other order is taken for "post", no ValueError',
        "source": r"""
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    else:
        return F.layer_norm(x + x @ w, x.shape[-1:])
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "x += changes the caller's stream",
        "source": r"""
def residual_block(x, w, order="pre"):
    if order == "pre":
        x += F.layer_norm(x, x.shape[-1:]) @ w
        return x
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "one norm over all tokens together (x.shape instead of the last axis)",
        "source": r"""
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape)
    raise ValueError
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "tril and broadcasting",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return causal & (ids != pad_id)[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "four nested loops",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    mask = torch.zeros(B, 1, T, T).bool()
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                if ids[b, s].item() != pad_id:
                    mask[b, 0, t, s] = True
    return mask
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": 'counts the tokens and takes all padding to be at the end ("Padding may stand anywhere in a row")',
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    length = (ids != pad_id).sum(dim=1)
    keys = torch.arange(T)[None, :] < length[:, None]
    return torch.ones(T, T, dtype=torch.bool).tril() & keys[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "pad_id ignored, 0 always",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    return torch.ones(T, T).tril().bool() & ids.bool()[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "int64 instead of bool",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    return torch.ones(T, T, dtype=torch.long).tril() * (ids != pad_id).long()[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "each position may look at itself, even padding",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    mask = torch.ones(T, T, dtype=torch.bool).tril() & (ids != pad_id)[:, None, None, :]
    return mask | torch.eye(T, dtype=torch.bool)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "-inf at padding, library softmax",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], -math.inf)
    return scores.softmax(dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "row by row, padding taken out of the memory first",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    out = []
    for b in range(x.shape[0]):
        m = memory[b]
        if attention_mask is not None:
            m = m[attention_mask[b]]
        s = torch.einsum("td,sd->ts", x[b] @ wq, m @ wk) * wk.shape[-1] ** -0.5
        s = torch.exp(s - s.amax(dim=1, keepdim=True))
        out.append(s @ (m @ wv) / s.sum(dim=1, keepdim=True))
    return torch.stack(out)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "scaled by the width of the stream, not of queries and keys",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    scores = (x @ wq) @ (memory @ wk).mT / math.sqrt(x.shape[-1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], -math.inf)
    return scores.softmax(dim=-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "-1e4 is no minus infinity: with kept scores of -2e4 padding gets weight",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    scores = (x @ wq) @ (memory @ wk).mT / math.sqrt(wq.shape[-1])
    if attention_mask is not None:
        scores = torch.where(attention_mask[:, None, :], scores, torch.full_like(scores, -1e4))
    return scores.softmax(dim=-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "padding set to 0 after the softmax: the other weights no longer sum to 1",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    scores = (x @ wq) @ (memory @ wk).mT / math.sqrt(wq.shape[-1])
    w = scores.softmax(dim=-1)
    if attention_mask is not None:
        w = w * attention_mask[:, None, :]
    return w @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "exp of plain scores overflows",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    e = torch.exp((x @ wq) @ (memory @ wk).mT / math.sqrt(wq.shape[-1]))
    if attention_mask is not None:
        e = e * attention_mask[:, None, :]
    return e / e.sum(-1, keepdim=True) @ (memory @ wv)
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "all heads at once",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).reshape(B, T, num_heads, K).transpose(1, 2) for n in "qkv")
    a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(K), dim=-1) @ v
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": 'a loop over the heads, each adds its rows of "o"',
        "source": r"""
def encoder_block(x, weights, num_heads):
    D = x.shape[-1]
    K = D // num_heads
    normed = F.layer_norm(x, (D,))
    stream = x
    for h in range(num_heads):
        cols = slice(h * K, (h + 1) * K)
        q = normed @ weights["q"][:, cols]
        k = normed @ weights["k"][:, cols]
        v = normed @ weights["v"][:, cols]
        stream = stream + F.scaled_dot_product_attention(q, k, v) @ weights["o"][cols]
    hidden = (F.layer_norm(stream, (D,)) @ weights["up"]).clamp(min=0)
    return stream + hidden @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "scores divided by the root of D, not of K: the same for one head",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).reshape(B, T, num_heads, K).transpose(1, 2) for n in "qkv")
    a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(D), dim=-1) @ v
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the feed-forward block reads the norm of the old stream, the example does not show it",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).reshape(B, T, num_heads, K).transpose(1, 2) for n in "qkv")
    a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(K), dim=-1) @ v
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "head h reads every H-th column, not columns h K to (h + 1) K",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).reshape(B, T, K, num_heads).permute(0, 3, 1, 2) for n in "qkv")
    a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(K), dim=-1) @ v
    x = x + a.permute(0, 2, 3, 1).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "post-norm",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    q, k, v = ((x @ weights[n]).reshape(B, T, num_heads, K).transpose(1, 2) for n in "qkv")
    a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(K), dim=-1) @ v
    x = F.layer_norm(x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"], (D,))
    return F.layer_norm(x + torch.relu(x @ weights["up"]) @ weights["down"], (D,))
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "vectorised: log_softmax, xlogy, rows that count picked first",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    counts = targets != pad_id
    if not counts.any():
        return (logits * 0).sum()
    logits, targets = logits[counts], targets[counts].long()
    V = logits.shape[1]
    q = torch.full_like(logits, smoothing / V)
    q = q.scatter_add(1, targets[:, None], torch.full_like(logits[:, :1], 1 - smoothing)).detach()
    log_p = torch.log_softmax(logits, dim=1)
    return (torch.xlogy(q, q) - q * log_p).sum(dim=1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "loop over tokens and words, terms of q = 0 left out",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    V = logits.shape[-1]
    losses = []
    for row, target in zip(logits, targets.tolist()):
        if target == pad_id:
            continue
        log_p = row - torch.logsumexp(row, dim=0)
        loss = row.new_zeros(())
        for k in range(V):
            q = smoothing / V + (1 - smoothing if k == target else 0)
            if q > 0:
                loss = loss + q * (math.log(q) - log_p[k])
        losses.append(loss)
    if not losses:
        return logits.new_zeros(())
    return torch.stack(losses).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "smoothing 0 gives NaN: 0 ln 0 is not taken as 0",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    counts = targets != pad_id
    if not counts.any():
        return torch.zeros((), dtype=logits.dtype)
    logits, targets = logits[counts], targets[counts]
    q = F.one_hot(targets, logits.shape[1]) * (1 - smoothing) + smoothing / logits.shape[1]
    return (q * (q.log() - logits.log_softmax(1))).sum(1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "log of softmax gives minus infinity with large scores",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    counts = targets != pad_id
    if not counts.any():
        return torch.zeros((), dtype=logits.dtype)
    logits, targets = logits[counts], targets[counts]
    q = F.one_hot(targets, logits.shape[1]) * (1 - smoothing) + smoothing / logits.shape[1]
    return (torch.xlogy(q, q) - q * torch.log(torch.softmax(logits, 1))).sum(1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "only padding gives NaN, not 0",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    counts = targets != pad_id
    logits, targets = logits[counts], targets[counts]
    q = F.one_hot(targets, logits.shape[1]) * (1 - smoothing) + smoothing / logits.shape[1]
    return (torch.xlogy(q, q) - q * logits.log_softmax(1)).sum(1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": 'divides by all tokens, padding included ("the mean is over the other tokens")',
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    counts = targets != pad_id
    if not counts.any():
        return torch.zeros((), dtype=logits.dtype)
    kept, right = logits[counts], targets[counts]
    q = F.one_hot(right, logits.shape[1]) * (1 - smoothing) + smoothing / logits.shape[1]
    return (torch.xlogy(q, q) - q * kept.log_softmax(1)).sum() / len(logits)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "the formula",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "two cases, with square roots; a NumPy float comes back",
        "source": r"""
def warmup_rate(step, D, warmup):
    if min(step, warmup) < 1:
        raise ValueError
    if step >= warmup:
        return 1.0 / np.sqrt(float(D) * float(step))
    return step / (np.sqrt(float(D)) * float(warmup) * np.sqrt(float(warmup)))
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "a warm-up below 1 is not refused",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1:
        raise ValueError
    if warmup <= 0 or step > warmup:
        return (D * step) ** -0.5
    return D ** -0.5 * step * warmup ** -1.5
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": 'a warm-up of 1 is refused ("at least 1")',
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup <= 1:
        raise ValueError
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "step 0 gives 0.0 instead of a ValueError",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 0 or warmup < 1:
        raise ValueError
    if step == 0:
        return 0.0
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "stays at the top after the warm-up instead of falling",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError
    return D ** -0.5 * min(step, warmup) * warmup ** -1.5
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "formula",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    return layers * (encoder + decoder) + (V * D if shared else 3 * V * D) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "a list of shapes, added up with math.prod",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    shapes = [(V,)]
    for _ in range(1 if shared else 3):
        shapes.append((V, D))
    attention = [(D, D), (D,)] * 4
    feed = [(D, hidden), (hidden,), (hidden, D), (D,)]
    norm = [(D,), (D,)]
    for _ in range(layers):
        shapes += attention + norm + feed + norm
        shapes += attention + norm + attention + norm + feed + norm
    return sum(math.prod(shape) for shape in shapes)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "two tables instead of three if not shared",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    return layers * (3 * attention + 2 * feed + 5 * norm) + V * D * (1 if shared else 2) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "table and bias counted once for each layer: right for one layer only",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    return layers * (3 * attention + 2 * feed + 5 * norm + V * D * (1 if shared else 3) + V)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "each of three tables gets a bias, only the scores have one",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    return layers * (3 * attention + 2 * feed + 5 * norm) + (V * D + V) * (1 if shared else 3)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "the decoder's cross-attention forgotten",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    return layers * (2 * attention + 2 * feed + 5 * norm) + V * D * (1 if shared else 3) + V
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "formulas",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * D * n, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "a helper for one product, parts added one by one",
        "source": r"""
def layer_cost(n, D, hidden):
    def product(a, b, c):
        return a * b * c

    cost = dict.fromkeys(("projections", "scores", "values", "feed_forward"), 0)
    for _ in ("q", "k", "v", "o"):
        cost["projections"] += product(n, D, D)
    cost["scores"] += product(n, D, n)
    cost["values"] += product(n, n, D)
    cost["feed_forward"] += product(n, D, hidden)
    cost["feed_forward"] += product(n, hidden, D)
    return cost
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "takes the hidden width to be 4 D, as in the example",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 8 * n * D * D}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": 'no tokens are refused ("n: tokens, 0 or more")',
        "source": r"""
def layer_cost(n, D, hidden):
    if n < 1:
        raise ValueError
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "counts multiplications and additions of the scores, 2 n n, and forgets D: fits D = 2 only",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": 2 * n * n, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "the output projection forgotten",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 3 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
]
