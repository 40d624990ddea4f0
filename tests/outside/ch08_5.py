ANSWERS = [
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "part by part",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "closed formula",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    return embed_dim * (vocab_size + context_length + 2 + num_layers * (12 * embed_dim + 13))
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "shapes of all tensors, a loop over the layers",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    shapes = [(vocab_size, D), (context_length, D)]
    for layer in range(num_layers):
        shapes += [(D,), (D,)]
        for name in ("q", "k", "v", "o"):
            shapes += [(D, D), (D,)]
        shapes += [(D,), (D,)]
        shapes += [(D, 4 * D), (4 * D,), (4 * D, D), (D,)]
    shapes += [(D,), (D,)]
    total = 0
    for shape in shapes:
        size = 1
        for side in shape:
            size *= side
        total += size
    return total
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "one number for each bias of the projections, right for D = 1",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + 1)
    feed_forward = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the norm at the end counted in each layer, right for L = 1 only",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + 3 * norm)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "a feed-forward layer from D to 4 and back, right for D = 1",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 + 4 + 4 * D + D
    norm = 2 * D
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the head is counted again",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return (2 * vocab_size + context_length) * D + num_layers * (attention + feed_forward + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the tables are D by D wide for positions (C D^2), right for D = 1",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + context_length * D * D + num_layers * (attention + feed_forward + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "at least one layer: wrong for L = 0 ('0 or more')",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return (vocab_size + context_length) * D + max(num_layers, 1) * (attention + feed_forward + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the norm's gain and bias are one number each, right for D = 1",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + 2 * norm) + norm
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "sort, sum before each, scatter",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be above 0 and at most 1")
    ranked, order = probs.sort(dim=-1, descending=True)
    before = ranked.cumsum(-1) - ranked
    ranked = ranked.masked_fill(before >= p, 0)
    kept = torch.zeros_like(probs).scatter(-1, order, ranked)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "loop over the rows, plain Python",
        "source": r"""
def top_p_probs(probs, p):
    if p <= 0 or p > 1:
        raise ValueError(f"p = {p}")
    flat = probs.reshape(-1, probs.shape[-1])
    out = torch.zeros_like(flat)
    for r in range(flat.shape[0]):
        row = flat[r].tolist()
        order = sorted(range(len(row)), key=lambda i: -row[i])
        total = 0.0
        kept = []
        for i in order:
            kept.append(i)
            total += row[i]
            if total >= p:
                break
        for i in kept:
            out[r, i] = flat[r, i] / total
    return out.reshape(probs.shape)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "number of tokens counted, ranks by a double argsort",
        "source": r"""
def top_p_probs(probs, p):
    if p <= 0:
        raise ValueError("too small")
    if p > 1:
        raise ValueError("too large")
    order = torch.argsort(probs, dim=-1, descending=True, stable=True)
    rank = torch.argsort(order, dim=-1)
    sums = torch.gather(probs, -1, order).cumsum(-1)
    need = (sums < p).sum(-1, keepdim=True) + 1
    kept = torch.where(rank < need, probs, torch.zeros((), dtype=probs.dtype))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "all tokens as likely as the last one kept are kept: 'the smallest set'",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    ranked = probs.sort(dim=-1, descending=True).values
    before = ranked.cumsum(-1) - ranked
    limit = ranked.masked_fill(before >= p, 2.0).amin(-1, keepdim=True)
    kept = probs * (probs >= limit)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "goes on where the sum is exactly p: 'sum to at least p'",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be above 0 and at most 1")
    ranked, order = probs.sort(dim=-1, descending=True)
    before = ranked.cumsum(-1) - ranked
    ranked = ranked.masked_fill(before > p, 0)
    kept = torch.zeros_like(probs).scatter(-1, order, ranked)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p = 0 and below are let through",
        "source": r"""
def top_p_probs(probs, p):
    if p > 1:
        raise ValueError("p must be above 0 and at most 1")
    ranked, order = probs.sort(dim=-1, descending=True)
    before = ranked.cumsum(-1) - ranked
    ranked = ranked.masked_fill(before >= p, 0)
    kept = torch.zeros_like(probs).scatter(-1, order, ranked)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p = 1 is refused: 'at most 1'",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p < 1:
        raise ValueError("p must be above 0 and at most 1")
    ranked, order = probs.sort(dim=-1, descending=True)
    before = ranked.cumsum(-1) - ranked
    ranked = ranked.masked_fill(before >= p, 0)
    kept = torch.zeros_like(probs).scatter(-1, order, ranked)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "the token that reaches p is not kept",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be above 0 and at most 1")
    ranked, order = probs.sort(dim=-1, descending=True)
    before = ranked.cumsum(-1)
    ranked = ranked.masked_fill(before >= p, 0)
    kept = torch.zeros_like(probs).scatter(-1, order, ranked)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "cuts in the caller's probs",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be above 0 and at most 1")
    ranked, order = probs.sort(dim=-1, descending=True)
    cut = (ranked.cumsum(-1) - ranked) >= p
    probs[torch.zeros_like(cut).scatter(-1, order, cut)] = 0
    return probs / probs.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "one set for all rows: the mask of the first row is used for every row",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be above 0 and at most 1")
    first = probs.reshape(-1, probs.shape[-1])[0]
    total, keep = 0.0, torch.zeros_like(first)
    for i in first.argsort(descending=True).tolist():
        keep[i] = 1
        total += first[i].item()
        if total >= p:
            break
    kept = probs * keep
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "a threshold on each probability (min-p), which happens to fit the example",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be above 0 and at most 1")
    kept = torch.where(probs > (1 - p) * probs.amax(-1, keepdim=True) * 2, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "one product",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "keys and values apart",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    per_token = 0
    for layer in range(num_layers):
        keys = num_kv_heads * head_dim
        values = num_kv_heads * head_dim
        per_token += keys + values
    tokens = length * batch_size
    return tokens * per_token * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "math.prod over a tuple",
        "source": r"""
def cache_bytes(*args, **kwargs):
    def shape(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
        return (2, batch_size, num_layers, num_kv_heads, length, head_dim, bytes_each)

    return math.prod(shape(*args, **kwargs))
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "2 for the bytes always, bytes_each not used",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * 2
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "batch_size not used",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "an empty text counts as one token (length or 1): 'length: 0 or more'",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * (length or 1) * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "the product holds bytes_each squared in place of the 2 for key and value: right for two bytes a number",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return bytes_each * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "keys only",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "layers squared in place of layers times key/value heads (12 and 12 in the example)",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_layers * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "a float: 'an int'",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * (bytes_each * 8 / 8)
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "distances, masked_fill",
        "source": r"""
def alibi_bias(slopes, length):
    place = torch.arange(length)
    distance = place[:, None] - place[None, :]
    m = torch.tensor(slopes, dtype=torch.float64).reshape(-1, 1, 1)
    return (-m * distance).masked_fill(distance < 0, -math.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "three loops",
        "source": r"""
def alibi_bias(slopes, length):
    bias = torch.empty(len(slopes), length, length, dtype=torch.float64)
    for h, slope in enumerate(slopes):
        for t in range(length):
            for s in range(length):
                bias[h, t, s] = -slope * (t - s) if s <= t else float("-inf")
    return bias
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "NumPy, outer product, where; a torch view of its memory",
        "source": r"""
def alibi_bias(slopes, length):
    t, s = np.indices((length, length))
    penalty = np.multiply.outer(np.asarray(slopes, dtype=float), s - t)
    return torch.from_numpy(np.where(s > t, -np.inf, penalty))
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "minus infinity above the diagonal by triu, added",
        "source": r"""
def alibi_bias(slopes, length):
    future = torch.full((length, length), -math.inf, dtype=torch.float64).triu(1)
    s = torch.arange(length, dtype=torch.float64)
    back = (s[None, :] - s[:, None]).tril()
    return torch.einsum("h,ts->hts", torch.tensor(slopes, dtype=torch.float64), back) + future
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "slope 0 times minus infinity is nan: slopes are '0 or more'",
        "source": r"""
def alibi_bias(slopes, length):
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place[None, :]
    distance = distance.masked_fill(distance < 0, math.inf)
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "float32: 'a tensor of float64'",
        "source": r"""
def alibi_bias(slopes, length):
    place = torch.arange(length, dtype=torch.float32)
    distance = place[:, None] - place[None, :]
    m = torch.tensor(slopes, dtype=torch.float32)[:, None, None]
    return torch.where(distance < 0, -torch.inf, -m * distance)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "-1e9 for the future, not minus infinity",
        "source": r"""
def alibi_bias(slopes, length):
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place[None, :]
    m = torch.tensor(slopes, dtype=torch.float64)[:, None, None]
    return torch.where(distance < 0, -1e9, -m * distance)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the future is penalised, not hidden (absolute distance)",
        "source": r"""
def alibi_bias(slopes, length):
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place[None, :]
    m = torch.tensor(slopes, dtype=torch.float64)[:, None, None]
    return -m * distance.abs()
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "slopes are 1/2, 1/4, ... by the number of the head; the given ones are not used",
        "source": r"""
def alibi_bias(slopes, length):
    place = torch.arange(length, dtype=torch.float64)
    distance = place[:, None] - place[None, :]
    m = torch.tensor([2.0 ** -(h + 1) for h in range(len(slopes))], dtype=torch.float64)[:, None, None]
    return torch.where(distance < 0, -torch.inf, -m * distance)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "stack of the heads and rows fails for length 0: '0 or more'",
        "source": r"""
def alibi_bias(slopes, length):
    heads = []
    for m in slopes:
        rows = []
        for t in range(length):
            row = [-m * (t - s) if s <= t else -math.inf for s in range(length)]
            rows.append(torch.tensor(row, dtype=torch.float64))
        heads.append(torch.stack(rows))
    return torch.stack(heads)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "heads in the last dimension, (T, T, H)",
        "source": r"""
def alibi_bias(slopes, length):
    place = torch.arange(length, dtype=torch.float64)
    distance = (place[:, None] - place[None, :])[..., None]
    m = torch.tensor(slopes, dtype=torch.float64)
    return torch.where(distance < 0, -torch.inf, -m * distance)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "the formula",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "torch's own",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return F.rms_norm(x, (x.shape[-1],), weight=gain, eps=eps)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "einsum and rsqrt",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    square = torch.einsum("...d,...d->...", x, x) / x.size(-1)
    return torch.einsum("...d,...,d->...d", x, (square + eps).rsqrt(), gain)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "beginner: recursion down to vectors, sum of a list",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    if x.dim() > 1:
        if x.shape[0] == 0:
            return x * gain
        return torch.stack([rms_norm(part, gain, eps) for part in x])
    D = len(x)
    total = 0
    for i in range(D):
        total = total + x[i] ** 2
    root = (total / D + eps) ** 0.5
    return torch.stack([x[i] / root * gain[i] for i in range(D)])
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the root is detached: the gradient with regard to x misses a part",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).detach().mean(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "under no_grad: no gradient flows",
        "source": r"""
@torch.no_grad()
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "eps is added outside the root: 'added under the root'",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / (torch.sqrt((x * x).mean(-1, keepdim=True)) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the mean square of the whole tensor, right for one vector",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the eps given is not used",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "divides the caller's x in place",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    root = torch.sqrt(x.detach().pow(2).mean(-1, keepdim=True) + eps)
    x.data /= root
    return x * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "sum over dim=0, the batch: right for a vector only",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(0, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the gain made a new tensor: gradient for x but none for gain",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * torch.tensor(gain.tolist(), dtype=x.dtype)
""",
    },
]
