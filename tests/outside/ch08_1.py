"""Answers to chapter 08, written from its page alone."""

ANSWERS = [
    # gpt_parameters
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "closed formula",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return D * (vocab_size + context_length + 2 + num_layers * (12 * D + 13))
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "builds one of each on the meta device and counts",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    def count(*modules):
        return sum(p.numel() for m in modules for p in m.parameters())
    with torch.device("meta"):
        tables = count(nn.Embedding(vocab_size, D), nn.Embedding(context_length, D), nn.LayerNorm(D))
        layer = count(nn.LayerNorm(D), nn.MultiheadAttention(D, 1), nn.LayerNorm(D), nn.Linear(D, 4 * D),
                      nn.Linear(4 * D, D))
    return tables + num_layers * layer
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "a list of shapes",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D, H = embed_dim, embed_dim * 4
    shapes = [(vocab_size, D), (context_length, D), (D,), (D,)]
    for _ in range(num_layers):
        shapes += [(D,)] * 4 + [(D, D), (D,)] * 4 + [(D, H), (H,), (H, D), (D,)]
    return sum(map(math.prod, shapes))
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'All linear layers have biases': the biases are counted as 4 + 4 + 1 numbers; D = 1 hides it",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + 1)
    feed_forward = (4 * D * D + 4) + (4 * D * D + 1)
    norms = 2 * 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed_forward + norms) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'An int': the half of an even number comes out as a float",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    layer = (24 * D * D + 26 * D) / 2
    return (vocab_size + context_length + 2) * D + num_layers * layer
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "adds in single precision: beyond 2**24 the count is rounded",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = torch.tensor(float(embed_dim))
    layer = 12 * D * D + 13 * D
    return int((vocab_size + context_length + 2) * D + num_layers * layer)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'a LayerNorm at the end' is there without layers, too",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    total = (vocab_size + context_length) * D
    for layer in range(num_layers):
        total += 2 * D + 4 * (D * D + D) + 2 * D + 8 * D * D + 5 * D
        if layer == num_layers - 1:
            total += 2 * D
    return total
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "D to 4 D and back: the inner width is taken as D + 3, which is 4 for D = 1",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D, H = embed_dim, embed_dim + 3
    layer = 4 * D + 4 * D * (D + 1) + D * H + H + H * D + D
    return vocab_size * D + context_length * D + num_layers * layer + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'num_layers: L, 0 or more': 0 is refused",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    if min(vocab_size, context_length, embed_dim, num_layers) < 1:
        raise ValueError("sizes must be positive")
    D = embed_dim
    return (vocab_size + context_length + 2) * D + num_layers * (12 * D * D + 13 * D)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the table of positions is counted in every layer",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    layer = context_length * D + 12 * D ** 2 + 13 * D
    return vocab_size * D + num_layers * layer + 2 * D
""",
    },
    # top_p_probs
    {
        "task": "top_p_probs",
        "right": True,
        "why": "sort, cumulative sum, scatter",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError(f"p must be in (0, 1], not {p}")
    ordered, order = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    kept = torch.zeros_like(probs).scatter(-1, order, ordered * (before < p))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "a loop with an early exit, row by row; an error class of its own",
        "source": """
class BadShare(ValueError):
    pass

def top_p_probs(probs, p):
    if p <= 0 or p > 1:
        raise BadShare(p)
    out = torch.zeros_like(probs)
    V = probs.shape[-1]
    for row, new in zip(probs.reshape(-1, V), out.view(-1, V)):
        total = 0.0
        for i in sorted(range(V), key=lambda i: row[i].item(), reverse=True):
            new[i] = row[i]
            total += row[i].item()
            if total >= p:
                break
        new /= new.sum()
    return out
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "recursion over dimensions, sizes by counting",
        "source": """
def top_p_probs(probs, p):
    if not (p > 0 and p <= 1):
        raise ValueError("p")
    if probs.dim() > 1:
        return torch.stack([top_p_probs(row, p) for row in probs.unbind()])
    values, order = torch.sort(probs, descending=True)
    size = min(int((values.cumsum(0) < p).sum()) + 1, len(values))
    out = probs.new_zeros(probs.shape)
    out[order[:size]] = values[:size] / values[:size].sum()
    return out
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'sum to at least p': goes on where the sum is exactly p, and keeps one token too many",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, order = probs.sort(dim=-1, descending=True)
    ordered = ordered * (ordered.cumsum(-1) - ordered <= p)
    kept = torch.zeros_like(probs).scatter(-1, order, ordered)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'the smallest set': keeps all tokens as likely as the last one that is needed",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered = probs.sort(dim=-1, descending=True).values
    size = (ordered.cumsum(-1) - ordered < p).sum(-1, keepdim=True)
    limit = ordered.gather(-1, size - 1)
    kept = torch.where(probs >= limit, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'p: above 0, at most 1': refuses p = 1",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p < 1:
        raise ValueError("p must be between 0 and 1")
    ordered, order = probs.sort(dim=-1, descending=True)
    ordered = ordered * (ordered.cumsum(-1) - ordered < p)
    kept = torch.zeros_like(probs).scatter(-1, order, ordered)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'ValueError: p outside (0, 1]': 0 passes and gives the likeliest token",
        "source": """
def top_p_probs(probs, p):
    if p < 0 or p > 1:
        raise ValueError("p is a probability")
    ordered, order = probs.sort(dim=-1, descending=True)
    keep = ordered.cumsum(-1) - ordered < p
    keep[..., 0] = True
    kept = torch.zeros_like(probs).scatter(-1, order, ordered * keep)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'The nucleus of a row': every row gets as many tokens as the first one",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    V = probs.shape[-1]
    first = probs.reshape(-1, V)[0].sort(descending=True).values
    size = min(int((first.cumsum(0) < p).sum()) + 1, V)
    values, where = probs.topk(size, dim=-1)
    return torch.zeros_like(probs).scatter(-1, where, values / values.sum(-1, keepdim=True))
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "the mask of the sorted row is carried back with the permutation itself, not its inverse",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, order = probs.sort(dim=-1, descending=True)
    keep = (ordered.cumsum(-1) - ordered < p).gather(-1, order)
    kept = probs * keep
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'summing to 1': divides by the sum of the whole tensor, not of each row",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, order = probs.sort(dim=-1, descending=True)
    inside = ordered * (ordered.cumsum(-1) - ordered < p)
    kept = torch.zeros_like(probs).scatter(-1, order, inside)
    return kept / kept.sum()
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'ValueError': an assertion is another error",
        "source": """
def top_p_probs(probs, p):
    assert 0 < p <= 1, "p outside (0, 1]"
    ordered, order = probs.sort(dim=-1, descending=True)
    ordered = ordered * (ordered.cumsum(-1) - ordered < p)
    kept = torch.zeros_like(probs).scatter(-1, order, ordered)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    # cache_bytes
    {
        "task": "cache_bytes",
        "right": True,
        "why": "product",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return math.prod([2, num_layers, num_kv_heads, head_dim, length, batch_size, bytes_each])
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "loops over layers",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    total = 0
    for _layer in range(num_layers):
        for _kind in ("keys", "values"):
            total += num_kv_heads * head_dim * length * batch_size * bytes_each
    return total
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "counts numbers of a tensor without storage",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    one = torch.empty(batch_size, num_kv_heads, length, head_dim, device="meta")
    return 2 * num_layers * one.numel() * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'bytes_each: of one number': two numbers of two bytes are written down as 4",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 4 * num_layers * num_kv_heads * head_dim * length * batch_size
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'a key and a value': the 2 is taken for the bytes, so other sizes lose a factor",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each ** 2
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'batch_size: texts': the batch is forgotten, the default hides it",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    per_token = 2 * num_layers * num_kv_heads * head_dim * bytes_each
    return per_token * length
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'length: ... 0 or more': an empty cache has 0 bytes, not those of one token",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * max(length, 1) * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "multiplies in 32 bits: a large model's cache overflows",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    sizes = torch.tensor([2, num_layers, num_kv_heads, head_dim, length, batch_size, bytes_each])
    return sizes.prod(dtype=torch.int32).item()
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'An int': counts bits and divides by 8 with a float as result",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    bits = 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each * 8
    return bits / 8
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'length: tokens in each text, 0 or more': refuses 0",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    if length <= 0:
        raise ValueError("length")
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    # alibi_bias
    {
        "task": "alibi_bias",
        "right": True,
        "why": "broadcasting and a mask",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64).view(-1, 1, 1) * distance
    return bias.masked_fill(distance < 0, -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "loops over entries",
        "source": """
def alibi_bias(slopes, length):
    bias = torch.full((len(slopes), length, length), float("-inf"), dtype=torch.double)
    for h, slope in enumerate(slopes):
        for t in range(length):
            for s in range(t + 1):
                bias[h, t, s] = slope * (s - t)
    return bias
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "NumPy, handed over",
        "source": """
def alibi_bias(slopes, length):
    back = np.subtract.outer(np.arange(length), np.arange(length))
    bias = np.where(back >= 0, -np.multiply.outer(np.asarray(slopes, float), back), -np.inf)
    return torch.from_numpy(bias)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "slope 0 times an infinite distance is nan: slopes are '0 or more'",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t
    distance[distance < 0] = torch.inf
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'A tensor of float64': the slopes are rounded to single precision first",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length)
    distance = t[:, None] - t
    bias = -torch.tensor(slopes)[:, None, None] * distance
    return bias.masked_fill(distance < 0, -torch.inf).double()
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'A tensor of float64': it is float32",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length).float()
    distance = t[:, None] - t
    bias = -torch.tensor(slopes)[:, None, None] * distance
    return bias.masked_fill(distance < 0, -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'-inf where s > t': the future is penalised by its distance only",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = (t[:, None] - t).abs()
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "a large negative number is not -inf",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, torch.finfo(torch.float64).min)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the penalty counts from the start of the text: the same softmax, but not t - s times the slope",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    bias = torch.tensor(slopes, dtype=torch.float64)[:, None, None] * (t - (length - 1)).expand(length, length)
    return bias.masked_fill(t > t[:, None], -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'length: T, 0 or more': stacking no rows fails",
        "source": """
def alibi_bias(slopes, length):
    heads = []
    for m in slopes:
        rows = [[-m * (t - s) if s <= t else -math.inf for s in range(length)] for t in range(length)]
        heads.append(torch.stack([torch.tensor(row, dtype=torch.float64) for row in rows]))
    return torch.stack(heads)
""",
    },
    # rms_norm
    {
        "task": "rms_norm",
        "right": True,
        "why": "the formula",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "library call",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return F.rms_norm(x, x.shape[-1:], weight=gain, eps=eps)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "sums by einsum",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    squares = torch.einsum("...d,...d->...", x, x) / x.shape[-1]
    return torch.einsum("...d,d,...->...d", x, gain, (squares + eps) ** -0.5)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'eps: added under the root': it is added to the root",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / (x.pow(2).mean(-1, keepdim=True).sqrt() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'each vector of x': the mean square is that of the whole tensor",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the mean runs over the first dimension, which is D for one vector only",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(dim=0) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'The gradient must flow': the root is treated as a constant",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    with torch.no_grad():
        scale = torch.rsqrt((x * x).mean(-1, keepdim=True) + eps)
    return x * scale * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'added under the root': eps is only a lower limit",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / (x * x).mean(-1, keepdim=True).clamp(min=eps).sqrt() * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the caller's eps is not used",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "changes x in place, which fails where x itself wants a gradient",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    x /= torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return x * gain
""",
    },
]
