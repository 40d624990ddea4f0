ANSWERS = [
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "closed formula",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return (vocab_size + context_length) * D + num_layers * (12 * D * D + 13 * D) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "part by part, with a helper for linear layers",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    def linear(a, b):
        return a * b + b

    norm = embed_dim + embed_dim
    total = vocab_size * embed_dim
    total += context_length * embed_dim
    for _ in range(num_layers):
        total += norm
        for projection in ("query", "key", "value", "output"):
            total += linear(embed_dim, embed_dim)
        total += norm
        total += linear(embed_dim, 4 * embed_dim)
        total += linear(4 * embed_dim, embed_dim)
    return total + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the positions are counted C, not C times D: right for D = 1 only",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return vocab_size * D + context_length + num_layers * (12 * D * D + 13 * D) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the last norm counted in each layer: right for one layer only",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return (vocab_size + context_length) * D + num_layers * (12 * D * D + 15 * D)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "biases counted as constants (4 and 4 + 1): right for D = 1 only",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    layer = 2 * D + 4 * D * D + 4 + 2 * D + 8 * D * D + 5
    return (vocab_size + context_length) * D + num_layers * layer + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the head counted as a table of its own",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return (2 * vocab_size + context_length) * D + num_layers * (12 * D * D + 13 * D) + 2 * D
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "sort, sum before each token, scatter back",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, index = probs.sort(dim=-1, descending=True)
    sums = ordered.cumsum(-1)
    before = torch.cat([torch.zeros_like(sums[..., :1]), sums[..., :-1]], dim=-1)
    kept = ordered * (before < p)
    kept = kept / kept.sum(-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, index, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "row after row, token after token",
        "source": r"""
def top_p_probs(probs, p):
    if p <= 0 or p > 1:
        raise ValueError
    V = probs.shape[-1]
    result = torch.zeros_like(probs).reshape(-1, V)
    for row, out in zip(probs.reshape(-1, V), result):
        total = 0.0
        for token in sorted(range(V), key=lambda k: -row[k].item()):
            out[token] = row[token]
            total += row[token].item()
            if total >= p:
                break
        out /= out.sum()
    return result.reshape(probs.shape)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": 'keeps all tokens as likely as the last one: with ties the set is not "the smallest"',
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    ordered = probs.sort(dim=-1, descending=True).values
    before = ordered.cumsum(-1) - ordered
    last = torch.where(before < p, ordered, torch.full_like(ordered, 2.0)).amin(-1, keepdim=True)
    kept = torch.where(probs >= last, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": 'a sum that reaches p exactly is not enough ("at least p"): 0.5 of 0.5, 0.25, 0.25 keeps two',
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    sums = ordered.cumsum(-1)
    before = torch.cat([torch.zeros_like(sums[..., :1]), sums[..., :-1]], dim=-1)
    kept = ordered * (before <= p)
    return torch.zeros_like(probs).scatter(-1, index, kept / kept.sum(-1, keepdim=True))
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "zeros are written into the caller's probabilities",
        "source": r"""
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    flat = probs.view(-1, probs.shape[-1])
    for row in flat:
        ordered, index = row.sort(descending=True)
        sums = ordered.cumsum(0)
        count = int((sums[:-1] < p).sum()) + 1
        row[index[count:]] = 0
    return probs / probs.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p above 1 is not refused",
        "source": r"""
def top_p_probs(probs, p):
    if p <= 0:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    sums = ordered.cumsum(-1)
    before = torch.cat([torch.zeros_like(sums[..., :1]), sums[..., :-1]], dim=-1)
    kept = ordered * (before < p)
    return torch.zeros_like(probs).scatter(-1, index, kept / kept.sum(-1, keepdim=True))
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
        "why": "keys and values added up, math.prod of the shape",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    shape = (batch_size, num_kv_heads, length, head_dim)
    total = 0
    for layer in range(num_layers):
        for what in ("keys", "values"):
            total += math.prod(shape) * bytes_each
    return total
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "number of layers squared instead of layers times heads: both are 12 in the example",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_layers * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "batch size forgotten",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "two bytes always",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 4 * num_layers * num_kv_heads * head_dim * length * batch_size
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": 'length 0 is refused ("0 or more")',
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    if length <= 0:
        raise ValueError
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "distances, then masked_fill",
        "source": r"""
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t[None, :]
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
    bias = torch.full((len(slopes), length, length), -float("inf"), dtype=torch.float64)
    for h, slope in enumerate(slopes):
        for t in range(length):
            for s in range(t + 1):
                bias[h, t, s] = slope * (s - t)
    return bias
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": 'slope 0 ("0 or more") times infinity gives NaN in the future',
        "source": r"""
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t[None, :]
    distance = distance.masked_fill(distance < 0, math.inf)
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "float32 instead of float64",
        "source": r"""
def alibi_bias(slopes, length):
    t = torch.arange(length)
    distance = (t[:, None] - t[None, :]).float()
    return (-torch.tensor(slopes)[:, None, None] * distance).masked_fill(distance < 0, -math.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "-1e9 in the place of minus infinity",
        "source": r"""
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t[None, :]
    m = torch.tensor(slopes, dtype=torch.float64)[:, None, None]
    return torch.where(distance >= 0, -m * distance, torch.tensor(-1e9, dtype=torch.float64))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the future is not hidden, but punished by its distance",
        "source": r"""
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = (t[:, None] - t[None, :]).abs()
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "the formula",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "einsum and rsqrt",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    square = torch.einsum("...d,...d->...", x, x) / x.size(-1)
    return torch.einsum("...d,...,d->...d", x, torch.rsqrt(square + eps), gain)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": 'eps added to the root, not "under the root"',
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return gain * x / (x.pow(2).mean(-1, keepdim=True).sqrt() + eps)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the root is detached: the values are right, the gradient of x is not",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    with torch.no_grad():
        scale = torch.rsqrt((x * x).mean(-1, keepdim=True) + eps)
    return x * scale * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "one mean square for all vectors",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "x is changed in place",
        "source": r"""
def rms_norm(x, gain, eps=1e-5):
    with torch.no_grad():
        root = torch.sqrt((x ** 2).mean(-1, keepdim=True) + eps)
    x.data /= root
    return x * gain
""",
    },
]
