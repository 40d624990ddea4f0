"""Answers to chapter 08, written from its page alone: the third round."""

ANSWERS = [
    # gpt_parameters
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "closed form",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return D * (vocab_size + context_length + num_layers * (12 * D + 13) + 2)
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "sum of shapes",
        "source": """
import math
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    linear = lambda a, b: a * b + b
    norm = 2 * D
    layer = norm + sum(linear(D, D) for _ in range(4)) + norm + linear(D, 4 * D) + linear(4 * D, D)
    return math.prod((vocab_size, D)) + math.prod((context_length, D)) + num_layers * layer + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the head is counted again ('it adds nothing')",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return 2 * vocab_size * D + context_length * D + num_layers * (12 * D * D + 13 * D) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "no LayerNorm at the end for a model without layers",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    tables = (vocab_size + context_length) * D
    if num_layers == 0:
        return tables
    return tables + num_layers * (12 * D * D + 13 * D) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the three input projections of the attention have no biases",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return (vocab_size + context_length) * D + num_layers * (12 * D * D + 10 * D) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the feed-forward layer has one bias of D for both parts",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed_forward = D * 4 * D + D + 4 * D * D + D
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + 4 * D) + 2 * D
""",
    },
    # top_p_probs
    {
        "task": "top_p_probs",
        "right": True,
        "why": "exclusive cumulative sum, scattered back",
        "source": """
import torch
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    ordered, index = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    ordered = torch.where(before < p, ordered, torch.zeros_like(ordered))
    out = torch.zeros_like(probs).scatter(-1, index, ordered)
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "row by row, python loop",
        "source": """
import torch
def top_p_probs(probs, p):
    if p <= 0 or p > 1:
        raise ValueError(f"p = {p}")
    rows = probs.reshape(-1, probs.shape[-1])
    out = torch.zeros_like(rows)
    for r in range(rows.shape[0]):
        total = 0.0
        for k in torch.argsort(rows[r], descending=True).tolist():
            out[r, k] = rows[r, k]
            total += rows[r, k].item()
            if total >= p:
                break
        out[r] /= out[r].sum()
    return out.reshape(probs.shape)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "counts the kept ones, ranks by a double argsort; ties last index first",
        "source": """
import torch
def top_p_probs(probs, p):
    if not (p > 0 and p <= 1):
        raise ValueError
    order = torch.flip(torch.argsort(probs, dim=-1, stable=True), [-1])
    rank = torch.argsort(order, dim=-1)
    sums = torch.gather(probs, -1, order).cumsum(-1)
    kept = (sums < p).sum(-1, keepdim=True) + 1
    cut = probs * (rank < kept)
    return cut / cut.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "drops the token that reaches p (keeps while the sum is at most p); the likeliest is always kept",
        "source": """
import torch
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    keep = ordered.cumsum(-1) <= p
    keep[..., 0] = True
    out = torch.zeros_like(probs).scatter(-1, index, ordered * keep)
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "keeps every token as likely as the last one: with equal ones more than the smallest set",
        "source": """
import torch
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    ordered = probs.sort(dim=-1, descending=True).values
    before = ordered.cumsum(-1) - ordered
    least = ordered.masked_fill(before >= p, 2.0).amin(-1, keepdim=True)
    out = torch.where(probs >= least, probs, torch.zeros_like(probs))
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "sets the cut ones to 0 in the tensor that it is given ('A function must not change its arguments')",
        "source": """
import torch
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    cut = (ordered.cumsum(-1) - ordered) >= p
    probs[torch.zeros_like(cut).scatter(-1, index, cut)] = 0
    return probs / probs.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p = 1 is refused ('above 0, at most 1')",
        "source": """
import torch
def top_p_probs(probs, p):
    if not 0 < p < 1:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    out = torch.zeros_like(probs).scatter(-1, index, ordered * (before < p))
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "not divided by the kept sum ('summing to 1')",
        "source": """
import torch
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    return torch.zeros_like(probs).scatter(-1, index, ordered * (before < p))
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p = 0 is let through, and gives NaN (nothing is kept)",
        "source": """
import torch
def top_p_probs(probs, p):
    if p < 0 or p > 1:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    out = torch.zeros_like(probs).scatter(-1, index, ordered * (before < p))
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "the number of kept tokens is that of the longest nucleus of the batch (one k for all rows)",
        "source": """
import torch
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError
    ordered, index = probs.sort(dim=-1, descending=True)
    k = int(((ordered.cumsum(-1) - ordered) < p).sum(-1).max())
    values, places = probs.topk(k, dim=-1)
    out = torch.zeros_like(probs).scatter(-1, places, values)
    return out / out.sum(-1, keepdim=True)
""",
    },
    # cache_bytes
    {
        "task": "cache_bytes",
        "right": True,
        "why": "keyword-minded, math.prod",
        "source": """
import math
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    key_and_value = 2
    return math.prod([key_and_value, num_layers, num_kv_heads, head_dim, length, batch_size, bytes_each])
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "bytes of a token, then of a text, then of the batch",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    key = num_kv_heads * head_dim * bytes_each
    token = num_layers * (key + key)
    return sum(token * length for _ in range(batch_size))
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "keys only: the 2 for bytes is taken to be the 2 for keys and values (right only for bytes_each = 2? no: half)",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "bytes_each ignored, two bytes always",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * 2
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "batch_size forgotten",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "an empty cache counts one token ('length: 0 or more')",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * max(length, 1) * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "a float ('An int')",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    bits = 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each * 8
    return bits / 8
""",
    },
    # alibi_bias
    {
        "task": "alibi_bias",
        "right": True,
        "why": "broadcast and masked_fill",
        "source": """
import torch
def alibi_bias(slopes, length):
    position = torch.arange(length, dtype=torch.float64)
    distance = position[:, None] - position[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "three loops",
        "source": """
import math, torch
def alibi_bias(slopes, length):
    bias = torch.full((len(slopes), length, length), -math.inf, dtype=torch.float64)
    for h, m in enumerate(slopes):
        for t in range(length):
            for s in range(t + 1):
                bias[h, t, s] = m * (s - t)
    return bias
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "numpy, subtract.outer, where",
        "source": """
import numpy as np, torch
def alibi_bias(slopes, length):
    back = np.subtract.outer(np.arange(length), np.arange(length)).astype(float)
    table = np.einsum("h,ts->hts", np.asarray(slopes, dtype=float), -back)
    return torch.as_tensor(np.where(back >= 0, table, -np.inf))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "future as an infinite distance times the slope: NaN at a slope of 0 ('0 or more')",
        "source": """
import torch
def alibi_bias(slopes, length):
    position = torch.arange(length, dtype=torch.float64)
    distance = position[:, None] - position[None, :]
    distance[distance < 0] = float("inf")
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "float32",
        "source": """
import torch
def alibi_bias(slopes, length):
    position = torch.arange(length)
    distance = position[:, None] - position[None, :]
    bias = -torch.tensor(slopes)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": None,
        "why": "computed in float32 and converted: the type is right, the slopes lose digits from the eighth on",
        "source": """
import torch
def alibi_bias(slopes, length):
    position = torch.arange(length)
    distance = position[:, None] - position[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float32)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf")).double()
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the diagonal is hidden, too ('0 at s = t')",
        "source": """
import torch
def alibi_bias(slopes, length):
    position = torch.arange(length, dtype=torch.float64)
    distance = position[:, None] - position[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance <= 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the usual saving of memory: only s m_h, the same for every row (equal after a softmax, but not the bias)",
        "source": """
import torch
def alibi_bias(slopes, length):
    position = torch.arange(length, dtype=torch.float64)
    bias = torch.tensor(slopes, dtype=torch.float64)[:, None, None] * (position - (length - 1)).expand(length, length)
    return bias.masked_fill(position[None, :] > position[:, None], float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "rows are keys and columns queries: transposed",
        "source": """
import torch
def alibi_bias(slopes, length):
    position = torch.arange(length, dtype=torch.float64)
    distance = position[None, :] - position[:, None]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "built by stacking rows: length 0 fails",
        "source": """
import torch
def alibi_bias(slopes, length):
    heads = []
    for m in slopes:
        rows = [torch.tensor([-m * (t - s) if s <= t else float("-inf") for s in range(length)], dtype=torch.float64)
                for t in range(length)]
        heads.append(torch.stack(rows))
    return torch.stack(heads)
""",
    },
    # rms_norm
    {
        "task": "rms_norm",
        "right": True,
        "why": "rsqrt",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "einsum for the sum of squares, division",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    squares = torch.einsum("...d,...d->...", x, x)
    root = torch.sqrt(squares / x.shape[-1] + eps)
    return torch.einsum("...d,d->...d", x, gain) / root.unsqueeze(-1)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "torch's function",
        "source": """
import torch
import torch.nn.functional as F
def rms_norm(x, gain, eps=1e-5):
    return F.rms_norm(x, (x.shape[-1],), gain, eps)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "eps added to the root, not under it",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    return x / (x.pow(2).mean(-1, keepdim=True).sqrt() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the root is detached: wrong gradient ('The gradient must flow through it')",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    with torch.no_grad():
        scale = (x.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
    return x * scale * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "mean over the whole tensor: mixes the vectors (right for one vector)",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "standard deviation: subtracts the mean inside the root",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt(x.var(-1, correction=0, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "sum of squares, not the mean (length instead of root mean square)",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).sum(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "eps is ignored: torch's default, the machine's epsilon",
        "source": """
import torch
import torch.nn.functional as F
def rms_norm(x, gain, eps=1e-5):
    return F.rms_norm(x, x.shape[-1:], gain)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "gain as 1 + gain (as some models store it)",
        "source": """
import torch
def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * (1 + gain)
""",
    },
]
