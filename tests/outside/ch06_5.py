ANSWERS = [
    {
        "task": "feed_forward",
        "right": True,
        "why": "F.linear and clamp",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    hidden = F.linear(x, w1.T, b1).clamp(min=0)
    return F.linear(hidden, w2.T, b2)
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "flat einsum, where in place of relu, shape put back",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    D = x.shape[-1]
    flat = x.reshape(math.prod(x.shape[:-1]), D)
    h = torch.einsum("nd,df->nf", flat, w1) + b1
    h = torch.where(h > 0, h, torch.zeros_like(h))
    y = torch.einsum("nf,fd->nd", h, w2) + b2
    return y.reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "beginner: recursion over leading dimensions, neuron by neuron",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    if x.dim() == 1:
        out = b2
        for f in range(w1.shape[1]):
            a = (x * w1[:, f]).sum() + b1[f]
            a = torch.maximum(a, torch.zeros((), dtype=a.dtype))
            out = out + a * w2[f]
        return out
    if x.numel() == 0:
        return torch.zeros_like(x)
    return torch.stack([feed_forward(row, w1, b1, w2, b2) for row in x])
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "forgets b2 (zeros in the example)",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "ReLU on the output too: negative results are cut",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    h = torch.relu(x @ w1 + b1)
    return torch.relu(h @ w2 + b2)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "addmm takes matrices only: x (D,) or (B, T, D) raises; statement: x is (..., D)",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    h = torch.addmm(b1, x, w1).relu()
    return torch.addmm(b2, h, w2)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "stack of an empty list: 'there may be no positions at all'",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        rows.append(torch.relu(row @ w1 + b1) @ w2 + b2)
    return torch.stack(rows).reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "result stays flat (N, D); statement: a tensor (..., D) for x (..., D)",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    x = x.reshape(-1, x.shape[-1])
    return (x @ w1 + b1).relu() @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "ReLU before b1 is added",
        "source": r"""
def feed_forward(x, w1, b1, w2, b2):
    return (F.relu(x @ w1) + b1) @ w2 + b2
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "vectorised, angles in float64, stacked pairs",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    rate = 10000.0 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
    angle = p * rate
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids.long()] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "beginner: Python loops fill the table of positions",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    D = table.shape[1]
    T = ids.shape[-1]
    pos = torch.zeros(T, D, dtype=table.dtype)
    for t in range(T):
        for j in range(D):
            i = j // 2
            a = (start + t) / 10000 ** (2 * i / D)
            if j % 2 == 0:
                pos[t, j] = math.sin(a)
            else:
                pos[t, j] = math.cos(a)
    return math.sqrt(D) * F.embedding(ids.long(), table) + pos
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "NumPy and index_select, cosine as a shifted sine",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    D = table.shape[1]
    j = np.arange(D)
    p = start + np.arange(ids.shape[-1])
    a = p[:, None] / np.power(10000.0, (j - j % 2) / D)
    pe = np.where(j % 2 == 0, np.sin(a), np.cos(a))
    e = table.index_select(0, ids.reshape(-1).long()).reshape(tuple(ids.shape) + (D,))
    return e * D ** 0.5 + torch.from_numpy(pe).to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "start is ignored",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(T, dtype=torch.float64)[:, None]
    a = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.zeros(T, D, dtype=torch.float64)
    pe[:, 0::2] = a.sin()
    pe[:, 1::2] = a.cos()
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "all sines first, then the cosines; right for D = 2 only",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    a = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.cat([a.sin(), a.cos()], dim=-1)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "the result is float64 for a float32 table: 'of the table's element type'",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    a = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([a.sin(), a.cos()], -1).flatten(-2)
    return table[ids] * math.sqrt(D) + pe
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "scales the caller's table in place",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    table *= math.sqrt(D)
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    a = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([a.sin(), a.cos()], -1).flatten(-2)
    return table[ids] + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "T taken from the first dimension: wrong for a batch (B, T) with B != T",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    T, D = len(ids), table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    a = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([a.sin(), a.cos()], -1).flatten(-2)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "position start * t in place of start + t",
        "source": r"""
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(T, dtype=torch.float64)[:, None]
    if start:
        p = p * start
    a = p / 10000.0 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([a.sin(), a.cos()], -1).flatten(-2)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "blocks of diagonals",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D must be even and at least 2")
    b = n / 10000.0 ** (np.arange(0, D, 2) / D)
    c, s, m = np.diag(np.cos(b)), np.diag(np.sin(b)), np.diag(-np.sin(b))
    return np.block([[c, s], [m, c]])
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "loop over pairs, four entries each",
        "source": r"""
def shift_rotation(n, D):
    if D < 2:
        raise ValueError("too narrow")
    if D % 2 == 1:
        raise ValueError("D is odd")
    half = D // 2
    M = np.zeros((D, D))
    for i in range(half):
        b = n / 10000 ** (2 * i / D)
        M[i, i] = math.cos(b)
        M[i, half + i] = math.sin(b)
        M[half + i, i] = -math.sin(b)
        M[half + i, half + i] = math.cos(b)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "built in the page's layout by complex numbers, then permuted: a view of another order in memory",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D & 1:
        raise ValueError(f"width {D}")
    z = np.exp(1j * n * 10000.0 ** (-np.arange(0, D, 2) / D))
    M = np.zeros((2, D // 2, 2, D // 2))
    k = np.arange(D // 2)
    M[0, k, 0, k] = M[1, k, 1, k] = z.real
    M[0, k, 1, k] = z.imag
    M[1, k, 0, k] = -z.imag
    return np.asfortranarray(M.reshape(D, D))
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "-s of a whole matrix: its zeros are -0.0, equal to 0 (printed by the doctest as -0.0)",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2 != 0:
        raise ValueError("D must be an even number from 2")
    i = np.arange(D // 2)
    b = n / np.power(10000.0, 2 * i / D)
    c, s = np.eye(D // 2) * np.cos(b), np.eye(D // 2) * np.sin(b)
    return np.vstack([np.hstack([c, s]), np.hstack([-s, c])])
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "D = 0 is even and is let through: 'ValueError: D is odd or below 2'",
        "source": r"""
def shift_rotation(n, D):
    if D % 2 != 0:
        raise ValueError("D must be even")
    b = n / 10000.0 ** (np.arange(0, D, 2) / D)
    k = np.arange(D // 2)
    M = np.zeros((D, D))
    M[k, k] = M[k + D // 2, k + D // 2] = np.cos(b)
    M[k, k + D // 2] = np.sin(b)
    M[k + D // 2, k] = -np.sin(b)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "float32: 'a NumPy array of float64'",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D")
    b = n / 10000.0 ** (np.arange(0, D, 2) / D)
    c, s, m = np.diag(np.cos(b)), np.diag(np.sin(b)), np.diag(-np.sin(b))
    return np.block([[c, s], [m, c]]).astype(np.float32)
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "exponent i / 2, right for D = 4 only",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D")
    h = D // 2
    M = np.zeros((D, D))
    for i in range(h):
        b = n / 10000 ** (i / 2)
        M[i, i] = M[h + i, h + i] = math.cos(b)
        M[i, h + i] = math.sin(b)
        M[h + i, i] = -math.sin(b)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "a shift below 0 is refused: 'below 0 it goes back'",
        "source": r"""
def shift_rotation(n, D):
    if n < 0 or D < 2 or D % 2:
        raise ValueError("n or D")
    b = n / 10000.0 ** (np.arange(0, D, 2) / D)
    c, s, m = np.diag(np.cos(b)), np.diag(np.sin(b)), np.diag(-np.sin(b))
    return np.block([[c, s], [m, c]])
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "neighbouring pairs, the layout of the page",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D")
    M = np.zeros((D, D))
    for i in range(D // 2):
        b = n / 10000 ** (2 * i / D)
        M[2*i:2*i+2, 2*i:2*i+2] = [[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]]
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "transposed: turns back by n",
        "source": r"""
def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D")
    b = n / 10000.0 ** (np.arange(0, D, 2) / D)
    c, s = np.diag(np.cos(b)), np.diag(np.sin(b))
    return np.block([[c, 0 - s], [s, c]])
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "reshape to groups, biased variance",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError("num_groups must divide D")
    g = x.reshape(*x.shape[:-1], num_groups, D // num_groups)
    mu = g.mean(-1, keepdim=True)
    var = ((g - mu) ** 2).mean(-1, keepdim=True)
    return ((g - mu) / (var + eps).sqrt()).reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "each group by F.layer_norm with its part of gain and bias",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    if num_groups < 1:
        raise ValueError("no groups")
    size, rest = divmod(x.shape[-1], num_groups)
    if rest:
        raise ValueError("G does not divide D")
    parts = [F.layer_norm(p, (size,), gain[k * size:(k + 1) * size], bias[k * size:(k + 1) * size], eps)
             for k, p in enumerate(x.split(size, dim=-1))]
    return torch.cat(parts, dim=-1)
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "beginner: slices filled into an empty result",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.size(-1)
    if num_groups <= 0:
        raise ValueError("num_groups")
    if D % num_groups != 0:
        raise ValueError("num_groups")
    n = D // num_groups
    out = torch.zeros_like(x)
    for start in range(0, D, n):
        piece = x[..., start:start + n]
        m = piece.sum(dim=-1, keepdim=True) / n
        v = ((piece - m) * (piece - m)).sum(dim=-1, keepdim=True) / n
        out[..., start:start + n] = (piece - m) * torch.rsqrt(v + eps)
    return gain * out + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "F.group_norm raises ValueError for one token with groups of one feature (G = D), which is legal",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("bad number of groups")
    flat = x.reshape(math.prod(x.shape[:-1]), D)
    return F.group_norm(flat, num_groups, gain, bias, eps).reshape(x.shape)
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "G = 0 gives ZeroDivisionError, not ValueError; G below 0 that divides is not refused by the check",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if D % num_groups != 0:
        raise ValueError("G must divide D")
    g = x.unflatten(-1, (num_groups, D // num_groups))
    g = (g - g.mean(-1, keepdim=True)) / torch.sqrt(g.var(-1, unbiased=False, keepdim=True) + eps)
    return g.flatten(-2) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "eps is added to the deviation, not to the variance: 'eps: added to the variance'",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError("G must divide D")
    g = x.unflatten(-1, (num_groups, D // num_groups))
    g = (g - g.mean(-1, keepdim=True)) / (g.std(-1, unbiased=False, keepdim=True) + eps)
    return g.flatten(-2) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "mean and variance over all tokens together, not of each token",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError("G must divide D")
    out = []
    for part in x.chunk(num_groups, dim=-1):
        mu = part.mean()
        var = ((part - mu) ** 2).mean()
        out.append((part - mu) / torch.sqrt(var + eps))
    return torch.cat(out, -1) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "changes x in place through a view",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError("G must divide D")
    g = x.view(*x.shape[:-1], num_groups, D // num_groups)
    g -= g.mean(-1, keepdim=True)
    g = g / torch.sqrt((g ** 2).mean(-1, keepdim=True) + eps)
    return g.view(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "variance with n - 1",
        "source": r"""
def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError("G must divide D")
    g = x.unflatten(-1, (num_groups, D // num_groups))
    g = (g - g.mean(-1, keepdim=True)) / torch.sqrt(g.var(-1, keepdim=True) + eps)
    return g.flatten(-2) * gain + bias
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "the formulas",
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
        "why": "own norm, einsum",
        "source": r"""
def residual_block(x, w, order="pre"):
    def norm(y):
        c = y - y.mean(-1, keepdim=True)
        return c / torch.sqrt((c * c).mean(-1, keepdim=True) + 1e-5)

    if order not in ("pre", "post"):
        raise ValueError("order is pre or post")
    pre = order == "pre"
    y = norm(x) if pre else x
    y = x + torch.einsum("...d,de->...e", y, w)
    return y if pre else norm(y)
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "nn.LayerNorm without learned parts, match",
        "source": r"""
def residual_block(x, w, order="pre"):
    ln = nn.LayerNorm(x.size(-1), elementwise_affine=False)
    match order:
        case "pre":
            out = ln(x).matmul(w).add(x)
        case "post":
            out = ln(x.matmul(w).add(x))
        case _:
            raise ValueError(order)
    return out
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "every other order is taken for post: no ValueError",
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
        "why": "'PRE' and 'Post' are accepted, though they are another order",
        "source": r"""
def residual_block(x, w, order="pre"):
    order = str(order).lower()
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    elif order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError("order must be pre or post")
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
        x += x @ w
        return F.layer_norm(x, x.shape[-1:])
    raise ValueError("order must be pre or post")
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "w transposed (F.linear); the example's w is symmetric",
        "source": r"""
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.linear(F.layer_norm(x, x.shape[-1:]), w)
    if order == "post":
        return F.layer_norm(x + F.linear(x, w), x.shape[-1:])
    raise ValueError("order must be pre or post")
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "normalises the whole tensor; right for one token only",
        "source": r"""
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape)
    raise ValueError("order must be pre or post")
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "post: norm of the sublayer only, x added outside",
        "source": r"""
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return x + F.layer_norm(x @ w, x.shape[-1:])
    raise ValueError("order must be pre or post")
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "tril and broadcast",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return causal[None, None] & (ids != pad_id)[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "triple loop",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    mask = torch.zeros(B, 1, T, T, dtype=torch.bool)
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
        "right": True,
        "why": "positions compared, logical_and, masked_fill",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    place = torch.arange(ids.size(-1))
    future = place.unsqueeze(0) > place.unsqueeze(1)
    keep = ids.ne(pad_id).unsqueeze(1).unsqueeze(1).repeat(1, 1, ids.size(1), 1)
    return keep.masked_fill(future, False)
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "padding queries are hidden too: row 2 of the example would be 0",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    keep = ids != pad_id
    pair = keep[:, None, :, None] & keep[:, None, None, :]
    return pair & torch.ones(T, T, dtype=torch.bool).tril()
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "padding is taken to stand at the end: 'may stand anywhere in a row'",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    lengths = (ids != pad_id).sum(1)
    keep = torch.arange(T)[None, :] < lengths[:, None]
    return keep[:, None, None, :] & torch.tril(torch.ones(T, T)).bool()
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "pad_id ignored, 0 always",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    keep = ids.bool()
    return keep[:, None, None, :] & torch.ones(T, T, dtype=torch.bool).tril()
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "rows with nothing to look at get themselves (against nan in the softmax): wrong with padding at the beginning",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    mask = (ids != pad_id)[:, None, None, :] & torch.ones(T, T, dtype=torch.bool).tril()
    empty = ~mask.any(-1, keepdim=True)
    return mask | (empty & torch.eye(T, dtype=torch.bool))
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "not bool but int64: 'a bool tensor'",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    keep = (ids != pad_id).long()
    return keep[:, None, None, :] * torch.ones(T, T, dtype=torch.long).tril()
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "ids > pad_id: wrong when words have ids below that of padding",
        "source": r"""
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    keep = ids > pad_id
    return keep[:, None, None, :] & torch.ones(T, T, dtype=torch.bool).tril()
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "softmax with masked_fill of minus infinity",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], -math.inf)
    return scores.softmax(-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "torch's own scaled_dot_product_attention",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    mask = None
    if attention_mask is not None:
        mask = attention_mask.unsqueeze(1).expand(-1, x.shape[1], -1)
    return F.scaled_dot_product_attention(x @ wq, memory @ wk, memory @ wv, attn_mask=mask)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "loop over texts, padding cut out of the memory, stable exponentials by hand",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    outs = []
    for b in range(x.shape[0]):
        m = memory[b]
        if attention_mask is not None:
            m = m[attention_mask[b]]
        q = torch.einsum("td,dk->tk", x[b], wq)
        k = torch.einsum("sd,dk->sk", m, wk)
        v = torch.einsum("sd,dv->sv", m, wv)
        s = torch.einsum("tk,sk->ts", q, k) / wq.shape[1] ** 0.5
        e = torch.exp(s - s.max(dim=1, keepdim=True).values)
        outs.append((e / e.sum(1, keepdim=True)) @ v)
    return torch.stack(outs)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "divides by the root of D, not of the width K of the queries",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], -math.inf)
    return scores.softmax(-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "exp without the maximum: 'large scores must not overflow'",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    e = torch.exp(q @ k.mT / math.sqrt(wq.shape[1]))
    if attention_mask is not None:
        e = e * attention_mask[:, None, :]
    return (e / e.sum(-1, keepdim=True)) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "weights of padding are set to 0 after the softmax, the rest no longer sums to 1",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    w = torch.softmax(q @ k.mT / math.sqrt(wq.shape[1]), dim=-1)
    if attention_mask is not None:
        w = w * attention_mask[:, None, :]
    return w @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "padding gets the score -10000: with real scores of -20000 it gets all the weight ('gets no weight')",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.mT / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(attention_mask[:, None, :] == False, -1e4)
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "the mask is put on the queries (B, T, 1): wrong positions, fails unless T = S",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.mT / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, :, None], -1e30)
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "scores of padding become 0 by multiplication, which is not no weight",
        "source": r"""
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.mT / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores * attention_mask[:, None, :].to(scores.dtype)
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "view and transpose, softmax",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads

    def heads(y):
        return y.view(B, T, num_heads, K).transpose(1, 2)

    y = F.layer_norm(x, (D,))
    q, k, v = (heads(y @ weights[n]) for n in "qkv")
    w = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(K), dim=-1)
    a = (w @ v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "loop over heads with slices, cat",
        "source": r"""
def encoder_block(x, weights, num_heads):
    D = x.shape[-1]
    K = D // num_heads
    n = F.layer_norm(x, (D,))
    Q = n @ weights["q"]
    KK = n @ weights["k"]
    V = n @ weights["v"]
    outs = []
    for h in range(num_heads):
        a, b = h * K, (h + 1) * K
        s = torch.bmm(Q[:, :, a:b], KK[:, :, a:b].transpose(1, 2)) * K ** -0.5
        s = s - s.amax(dim=2, keepdim=True)
        e = s.exp()
        outs.append(torch.bmm(e / e.sum(dim=2, keepdim=True), V[:, :, a:b]))
    x = x + torch.cat(outs, dim=2) @ weights["o"]
    n = F.layer_norm(x, (D,))
    return x + (n @ weights["up"]).clamp_min(0) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "einsum and sums over heads through rows of o",
        "source": r"""
def encoder_block(x, weights, num_heads):
    D = x.shape[-1]
    split = lambda y: y.unflatten(-1, (num_heads, -1))
    y = F.layer_norm(x, (D,))
    q, k, v = [split(torch.einsum("btd,de->bte", y, weights[c])) for c in ("q", "k", "v")]
    logw = torch.log_softmax(torch.einsum("bthk,bshk->bhts", q, k) / math.sqrt(D / num_heads), -1)
    o = weights["o"].unflatten(0, (num_heads, -1))
    x = x + torch.einsum("bhts,bshk,hkd->btd", logw.exp(), v, o)
    up = F.relu(F.layer_norm(x, (D,)) @ weights["up"])
    return torch.add(x, up @ weights["down"])
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "scaled by the root of D, not of the head's K",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = [(y @ weights[n]).view(B, T, num_heads, K).transpose(1, 2) for n in "qkv"]
    w = torch.softmax(q @ k.mT / math.sqrt(D), dim=-1)
    a = (w @ v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "view straight to (B, H, T, K) without a transpose: heads mix tokens",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = [(y @ weights[n]).view(B, num_heads, T, K) for n in "qkv"]
    w = torch.softmax(q @ k.mT / math.sqrt(K), dim=-1)
    a = (w @ v).reshape(B, T, D) @ weights["o"]
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the output projection is forgotten",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = [(y @ weights[n]).view(B, T, num_heads, K).transpose(1, 2) for n in "qkv"]
    w = torch.softmax(q @ k.mT / math.sqrt(K), dim=-1)
    a = (w @ v).transpose(1, 2).reshape(B, T, D)
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "exp without the maximum: 'large scores must not overflow'",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = [(y @ weights[n]).view(B, T, num_heads, K).transpose(1, 2) for n in "qkv"]
    e = torch.exp(q @ k.mT / math.sqrt(K))
    w = e / e.sum(-1, keepdim=True)
    a = (w @ v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "head h reads every H-th column, not h K to (h + 1) K",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = [(y @ weights[n]).view(B, T, K, num_heads).permute(0, 3, 1, 2) for n in "qkv"]
    w = torch.softmax(q @ k.mT / math.sqrt(K), dim=-1)
    a = (w @ v).permute(0, 2, 3, 1).reshape(B, T, D) @ weights["o"]
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "softmax over the queries (the example is symmetric)",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = [(y @ weights[n]).view(B, T, num_heads, K).transpose(1, 2) for n in "qkv"]
    w = torch.softmax(q @ k.mT / math.sqrt(K), dim=-2)
    a = (w @ v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "in place: x += changes the caller's stream",
        "source": r"""
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = [(y @ weights[n]).view(B, T, num_heads, K).transpose(1, 2) for n in "qkv"]
    w = torch.softmax(q @ k.mT / math.sqrt(K), dim=-1)
    a = (w @ v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x += a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "log_softmax and xlogy over the tokens that count",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.new_zeros(())
    log_p = F.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q[torch.arange(len(q)), targets[keep].long()] += 1 - smoothing
    return (torch.xlogy(q, q) - q * log_p).sum(1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "torch's cross-entropy with label smoothing minus the entropy of q, which is the same for all tokens",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    count = int((targets != pad_id).sum())
    if count == 0:
        return (logits * 0).sum()
    V = logits.shape[1]
    ce = F.cross_entropy(logits, targets.long(), ignore_index=pad_id, reduction="sum", label_smoothing=smoothing)
    low = smoothing / V
    high = low + 1 - smoothing
    neg_entropy = high * math.log(high)
    if low > 0:
        neg_entropy += (V - 1) * low * math.log(low)
    return ce / count + neg_entropy
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "beginner: one row at a time, plain loops",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    N, V = logits.shape
    total = torch.tensor(0.0, dtype=logits.dtype)
    n = 0
    for i in range(N):
        right = int(targets[i])
        if right == pad_id:
            continue
        n += 1
        row = logits[i] - logits[i].max()
        logp = row - torch.log(torch.exp(row).sum())
        for k in range(V):
            q = smoothing / V
            if k == right:
                q = q + (1 - smoothing)
            if q > 0:
                total = total + q * (math.log(q) - logp[k])
    if n == 0:
        return torch.tensor(0.0, dtype=logits.dtype)
    return total / n
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "smoothing 0 gives nan: 'with 0 ln 0 = 0'",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if keep.sum() == 0:
        return torch.zeros((), dtype=logits.dtype)
    logits, targets = logits[keep], targets[keep]
    log_p = torch.log_softmax(logits, dim=-1)
    V = logits.shape[1]
    q = (1 - smoothing) * F.one_hot(targets, V) + smoothing / V
    return (q * q.log() - q * log_p).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "nan if nothing counts: 'if nothing counts, the loss is 0'",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    logits, targets = logits[keep], targets[keep]
    log_p = torch.log_softmax(logits, dim=-1)
    V = logits.shape[1]
    q = (1 - smoothing) * F.one_hot(targets, V) + smoothing / V
    return (torch.xlogy(q, q) - q * log_p).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "log of softmax is minus infinity for far scores",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if keep.sum() == 0:
        return torch.zeros((), dtype=logits.dtype)
    logits, targets = logits[keep], targets[keep]
    log_p = torch.log(torch.softmax(logits, dim=-1))
    V = logits.shape[1]
    q = (1 - smoothing) * F.one_hot(targets, V) + smoothing / V
    return (torch.xlogy(q, q) - q * log_p).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "padding is taken to be any negative target; pad_id may be a word's id",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets >= 0
    if keep.sum() == 0:
        return torch.zeros((), dtype=logits.dtype)
    logits, targets = logits[keep], targets[keep]
    log_p = torch.log_softmax(logits, dim=-1)
    V = logits.shape[1]
    q = (1 - smoothing) * F.one_hot(targets, V) + smoothing / V
    return (torch.xlogy(q, q) - q * log_p).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "divides by all N tokens, padding too",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if keep.sum() == 0:
        return torch.zeros((), dtype=logits.dtype)
    N = len(targets)
    logits, targets = logits[keep], targets[keep]
    log_p = torch.log_softmax(logits, dim=-1)
    V = logits.shape[1]
    q = (1 - smoothing) * F.one_hot(targets, V) + smoothing / V
    return (torch.xlogy(q, q) - q * log_p).sum() / N
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "writes 0 into the caller's targets where they are padding",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = (targets != pad_id).to(logits.dtype)
    targets[targets == pad_id] = 0
    log_p = torch.log_softmax(logits, dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[:, None], torch.full_like(log_p[:, :1], 1 - smoothing))
    kl = (torch.xlogy(q, q) - q * log_p).sum(-1)
    return (kl * keep).sum() / keep.sum().clamp(min=1)
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "eps / (V - 1) on the wrong words, 1 - eps on the right one",
        "source": r"""
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if keep.sum() == 0:
        return torch.zeros((), dtype=logits.dtype)
    logits, targets = logits[keep], targets[keep]
    log_p = torch.log_softmax(logits, dim=-1)
    V = logits.shape[1]
    q = (1 - smoothing) * F.one_hot(targets, V) + smoothing / (V - 1) * (1 - F.one_hot(targets, V))
    return (torch.xlogy(q, q) - q * log_p).sum(-1).mean()
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
        "why": "two branches",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1:
        raise ValueError("step")
    if warmup < 1:
        raise ValueError("warmup")
    if step <= warmup:
        rate = step / (warmup * math.sqrt(warmup))
    else:
        rate = 1 / math.sqrt(step)
    return rate / math.sqrt(D)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "a NumPy float64, which is a float (only the doctest prints it as np.float64(...))",
        "source": r"""
def warmup_rate(step, D, warmup):
    if min(step, warmup) < 1:
        raise ValueError("below 1")
    s, w = np.float64(step), np.float64(warmup)
    return np.minimum(1 / np.sqrt(s), s / np.sqrt(w) ** 3) / np.sqrt(np.float64(D))
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "a warm-up below 1 is not refused: warmup 0 gives ZeroDivisionError, -1 a complex number",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1:
        raise ValueError("step must be at least 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "rounded to 7 places, as in the example",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("below 1")
    return round(D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5), 7)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "after the warm-up counts the steps from its end",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("below 1")
    if step < warmup:
        return D ** -0.5 * step * warmup ** -1.5
    return D ** -0.5 * (step - warmup + 1) ** -0.5
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "asserts: AssertionError, not ValueError",
        "source": r"""
def warmup_rate(step, D, warmup):
    assert step >= 1 and warmup >= 1, "below 1"
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "max instead of min",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("below 1")
    return D ** -0.5 * max(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "a step of 0 is let through (only negative ones refused): ZeroDivisionError",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 0 or warmup < 1:
        raise ValueError("negative")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "small sums",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    ff = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + ff + 2 * norm
    decoder = 2 * attention + ff + 3 * norm
    tables = 1 if shared else 3
    return layers * (encoder + decoder) + tables * V * D + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "one closed formula",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    return V * (D * (1 if shared else 3) + 1) + layers * (12 * D * (D + 1) + 2 * (hidden * (2 * D + 1) + D) + 10 * D)
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "lists the shapes and multiplies them out",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    def linear(a, b):
        return [(a, b), (b,)]

    attention = 4 * linear(D, D)
    ff = linear(D, hidden) + linear(hidden, D)
    norm = [(D,), (D,)]
    shapes = [(V, D), (V,)]
    if not shared:
        shapes += [(V, D)] * 2
    for _ in range(layers):
        shapes += attention + ff + norm * 2
        shapes += attention * 2 + ff + norm * 3
    return sum(math.prod(s) for s in shapes)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "not shared: two tables, the scores' one forgotten",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    ff = D * hidden + hidden + hidden * D + D
    norm = 2 * D
    encoder = attention + ff + 2 * norm
    decoder = 2 * attention + ff + 3 * norm
    total = layers * (encoder + decoder) + V * D + V
    if not shared:
        total += V * D
    return total
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "the table is counted once a layer",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    ff = D * hidden + hidden + hidden * D + D
    norm = 2 * D
    encoder = attention + ff + 2 * norm
    decoder = 2 * attention + ff + 3 * norm
    total = layers * (encoder + decoder + V * D + V)
    if not shared:
        total += 2 * V * D
    return total
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "a norm as D * D, the same for D = 2",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    ff = D * hidden + hidden + hidden * D + D
    norm = D ** 2
    encoder = attention + ff + 2 * norm
    decoder = 2 * attention + ff + 3 * norm
    total = layers * (encoder + decoder) + V * D + V
    if not shared:
        total += 2 * V * D
    return total
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "three biases of the scores when nothing is shared",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    ff = D * hidden + hidden + hidden * D + D
    norm = 2 * D
    encoder = attention + ff + 2 * norm
    decoder = 2 * attention + ff + 3 * norm
    total = layers * (encoder + decoder) + V * D + V
    if not shared:
        total += 2 * (V * D + V)
    return total
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "final norm after each stack counted",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    ff = D * hidden + hidden + hidden * D + D
    norm = 2 * D
    encoder = attention + ff + 2 * norm
    decoder = 2 * attention + ff + 3 * norm
    total = layers * (encoder + decoder) + V * D + V + 2 * norm
    if not shared:
        total += 2 * V * D
    return total
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "shared ignored",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    ff = D * hidden + hidden + hidden * D + D
    norm = 2 * D
    encoder = attention + ff + 2 * norm
    decoder = 2 * attention + ff + 3 * norm
    total = layers * (encoder + decoder) + V * D + V
    return total
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "the formulas",
        "source": r"""
def layer_cost(n, D, hidden):
    return {
        "projections": 4 * n * D * D,
        "scores": n * n * D,
        "values": n * n * D,
        "feed_forward": 2 * n * D * hidden,
    }
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "a helper for a product",
        "source": r"""
def layer_cost(n, D, hidden):
    def product(a, b, c):
        return a * b * c

    cost = {}
    cost["projections"] = sum(product(n, D, D) for _ in "qkvo")
    cost["scores"] = product(n, D, n)
    cost["values"] = product(n, n, D)
    cost["feed_forward"] = product(n, D, hidden) + product(n, hidden, D)
    return cost
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "dict(zip) of math.prod",
        "source": r"""
def layer_cost(n, D, hidden):
    names = ("projections", "scores", "values", "feed_forward")
    factors = ((4, n, D, D), (n, D, n), (n, n, D), (2, n, D, hidden))
    return dict(zip(names, map(math.prod, factors)))
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "feed-forward with 4 D for F (in the example F = 4 D)",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 8 * n * D * D}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "n = 0 raises: 'n: tokens, 0 or more'",
        "source": r"""
def layer_cost(n, D, hidden):
    if n <= 0 or D < 1:
        raise ValueError('n')
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": n * D * hidden * 2}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "projections as n * D * F (in the example F = 4 D)",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": n * D * hidden, "scores": n * n * D, "values": n * n * D, "feed_forward": n * D * hidden * 2}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "floats: 'a dict of ints'",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n ** 2.0 * D, "values": n ** 2.0 * D, "feed_forward": n * D * hidden * 2}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "counts biases in the feed-forward block: 'leave out biases'",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": n * D * hidden * 2 + n * (hidden + D)}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "n * D * D for scores and values, (D, n) by (n, D): right for n = D only",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * D * D, "values": n * D * D, "feed_forward": n * D * hidden * 2}
""",
    },
]
