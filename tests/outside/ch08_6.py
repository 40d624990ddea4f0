ANSWERS = [
    # ---------------------------------------------------------------- gpt_parameters
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "part by part",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    norm = 2 * D
    attention = 4 * (D * D + D)
    feed_forward = (D * 4 * D + 4 * D) + (4 * D * D + D)
    total = vocab_size * D + context_length * D
    for _ in range(num_layers):
        total += norm + attention + norm + feed_forward
    return total + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "builds the layers on torch's meta device and counts what they hold",
        "source": r"""
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim

    def count(*modules):
        return sum(p.numel() for module in modules for p in module.parameters())

    meta = {"device": "meta"}
    outside = count(nn.Embedding(vocab_size, D, **meta), nn.Embedding(context_length, D, **meta), nn.LayerNorm(D, **meta))
    layer = count(nn.LayerNorm(D, **meta), *(nn.Linear(D, D, **meta) for _ in range(4)), nn.LayerNorm(D, **meta),
                  nn.Linear(D, 4 * D, **meta), nn.Linear(4 * D, D, **meta))
    return outside + num_layers * layer
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the biases and norms of a layer as 13: 12 D^2 + 13 in the place of 12 D^2 + 13 D; agrees for D = 1",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return (vocab_size + context_length) * D + num_layers * (12 * D ** 2 + 13) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "counts the last LayerNorm once in each layer: it is one 'at the end'; agrees for L = 1",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    layer = 4 * (D * D + D) + 8 * D * D + 5 * D + 3 * 2 * D
    return (vocab_size + context_length) * D + num_layers * layer
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "0 layers are treated as 1: 'L, 0 or more'",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    num_layers = num_layers or 1
    return (vocab_size + context_length + 2) * D + num_layers * (12 * D * D + 13 * D)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the table of positions as C numbers: it is 'C learned positions, both D wide'",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    tables = vocab_size * D + context_length
    layer = 2 * D + 4 * (D * D + D) + 2 * D + D * 4 * D + 4 * D + 4 * D * D + D
    return tables + num_layers * layer + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "counts the head as a table of its own: 'The head is the token table again, so it adds nothing'",
        "source": r"""
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    head = D * vocab_size
    return (vocab_size + context_length) * D + num_layers * (12 * D * D + 13 * D) + 2 * D + head
""",
    },
    # ---------------------------------------------------------------- top_p_probs
    {
        "task": "top_p_probs",
        "right": True,
        "why": "sort, cumsum in float64, scatter",
        "source": r"""
import torch

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, order = probs.sort(dim=-1, descending=True)
    wide = ordered.double()
    before = wide.cumsum(-1) - wide
    ordered = torch.where(before < p, ordered, torch.zeros_like(ordered))
    kept = torch.zeros_like(probs).scatter(-1, order, ordered)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "row by row in plain Python, the tokens sorted by a key",
        "source": r"""
import torch

def top_p_probs(probs, p):
    if p <= 0 or p > 1:
        raise ValueError(p)
    V = probs.shape[-1]
    rows = []
    for row in probs.reshape(-1, V).tolist():
        total, chosen = 0.0, set()
        for token in sorted(range(V), key=lambda t: -row[t]):
            if total >= p:
                break
            chosen.add(token)
            total += row[token]
        rows.append([row[t] / total if t in chosen else 0.0 for t in range(V)])
    return torch.tensor(rows, dtype=probs.dtype).reshape(probs.shape)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "goes on when the sum is exactly p: (0.5, 0.25, 0.25) with p = 0.5 keeps the first alone, 'sum to at least p'",
        "source": r"""
import torch

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    values, order = probs.sort(dim=-1, descending=True)
    before = values.cumsum(-1) - values
    values = values.masked_fill(before > p, 0.0)
    out = torch.zeros_like(probs).scatter_(-1, order, values)
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "cuts by value, so all that are as likely as the last one are kept: four times 0.25 with p = 0.5 has a nucleus of two, 'the smallest set'",
        "source": r"""
import torch

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    values = probs.sort(dim=-1, descending=True).values
    before = values.cumsum(-1) - values
    number = (before < p).sum(-1, keepdim=True)
    threshold = values.gather(-1, number - 1)
    out = torch.where(probs >= threshold, probs, torch.zeros_like(probs))
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p = 1 raises: 'p: above 0, at most 1'",
        "source": r"""
import torch

def top_p_probs(probs, p):
    if p <= 0 or p >= 1:
        raise ValueError("p must lie between 0 and 1")
    values, order = torch.sort(probs, dim=-1, descending=True)
    keep = values.cumsum(-1) - values < p
    out = torch.zeros_like(probs).scatter(-1, order, values * keep)
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "sets the cut ones to 0 in the tensor that was given: 'A function must not change its arguments'",
        "source": r"""
import torch

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    values, order = torch.sort(probs, dim=-1, descending=True)
    cut = torch.zeros_like(probs, dtype=torch.bool).scatter(-1, order, values.cumsum(-1) - values >= p)
    probs[cut] = 0
    return probs / probs.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "sorts and adds along the first axis: right for one row, wrong for (B, V)",
        "source": r"""
import torch

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    values, order = torch.sort(probs, 0, descending=True)
    keep = torch.cumsum(values, 0) - values < p
    out = torch.zeros_like(probs).scatter(0, order, values * keep)
    return out / out.sum(0)
""",
    },
    # ---------------------------------------------------------------- cache_bytes
    {
        "task": "cache_bytes",
        "right": True,
        "why": "the product",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    per_token = 2 * num_layers * num_kv_heads * head_dim
    return per_token * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "math.prod of the shape of the cache",
        "source": r"""
import math

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    shape_of_keys = (batch_size, num_kv_heads, length, head_dim)
    keys = values = math.prod(shape_of_keys) * bytes_each
    return sum(keys + values for _ in range(num_layers))
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "batch_size is not used; agrees for one text",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "always two bytes a number; wrong for bytes_each = 4 or 1",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 4 * num_layers * num_kv_heads * head_dim * length * batch_size
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "bytes_each twice in the place of keys and values: agrees for bytes_each = 2 only",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    keys = num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
    return keys * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "32-bit integers overflow for a large model (80 layers, 64 heads of 128, 128,000 tokens)",
        "source": r"""
import numpy as np

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    sizes = np.array([2, num_layers, num_kv_heads, head_dim, length, batch_size, bytes_each], dtype=np.int32)
    return int(np.prod(sizes, dtype=np.int32))
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "a length of 0 counts as 1: 'tokens in each text, 0 or more'",
        "source": r"""
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * max(1, length) * batch_size * bytes_each
""",
    },
    # ---------------------------------------------------------------- alibi_bias
    {
        "task": "alibi_bias",
        "right": True,
        "why": "vectorised with masked_fill",
        "source": r"""
import torch

def alibi_bias(slopes, length):
    m = torch.tensor(slopes, dtype=torch.float64)
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t[None, :]
    return (-m[:, None, None] * distance).masked_fill(distance < 0, -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "filled entry by entry into a tensor of -inf",
        "source": r"""
import math
import torch

def alibi_bias(slopes, length):
    bias = torch.full((len(slopes), length, length), -math.inf, dtype=torch.float64)
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
        "why": "multiplies the slope by a distance of infinity: for a slope of 0 ('0 or more') the future is nan, not -inf",
        "source": r"""
import torch

def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t[None, :]
    distance[distance < 0] = torch.inf
    return -torch.tensor(slopes, dtype=torch.float64).view(-1, 1, 1) * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "float32: 'A tensor of float64'",
        "source": r"""
import torch

def alibi_bias(slopes, length):
    t = torch.arange(length)
    distance = t[:, None] - t[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float32)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "-1e9 in the future: it is minus infinity",
        "source": r"""
import torch

def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t.unsqueeze(1) - t.unsqueeze(0)
    rows = [torch.where(distance >= 0, -m * distance, -1e9) for m in slopes]
    return torch.stack(rows) if rows else torch.zeros(0, length, length, dtype=torch.float64)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the diagonal is -inf too: for s = t the bias is 0",
        "source": r"""
import torch

def alibi_bias(slopes, length):
    m = torch.tensor(slopes, dtype=torch.float64)
    t = torch.arange(length, dtype=torch.float64)
    bias = m[:, None, None] * (t[None, :] - t[:, None])
    future = torch.ones(length, length, dtype=torch.bool).triu()
    return bias.masked_fill(future, -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "torch.stack of no rows raises for length 0: 'T, 0 or more'",
        "source": r"""
import torch

def alibi_bias(slopes, length):
    m = torch.tensor(slopes, dtype=torch.float64)[:, None]
    rows = []
    for t in range(length):
        s = torch.arange(length, dtype=torch.float64)
        row = -m * (t - s)
        row[:, t + 1:] = -torch.inf
        rows.append(row)
    return torch.stack(rows, dim=1)
""",
    },
    # ---------------------------------------------------------------- rms_norm
    {
        "task": "rms_norm",
        "right": True,
        "why": "the formula",
        "source": r"""
import torch

def rms_norm(x, gain, eps=1e-5):
    mean_square = (x * x).mean(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "einsum and rsqrt, gain first",
        "source": r"""
import torch

def rms_norm(x, gain, eps=1e-5):
    scale = torch.rsqrt(torch.einsum("...d,...d->...", x, x) / x.size(-1) + eps)
    return torch.einsum("...d,d,...->...d", x, gain, scale)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "no_grad: 'The gradient must flow through it'",
        "source": r"""
import torch

@torch.no_grad()
def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "eps is added to the root: 'added under the root'; differs for small x or large eps",
        "source": r"""
import torch

def rms_norm(x, gain, eps=1e-5):
    rms = x.pow(2).mean(-1, keepdim=True).sqrt()
    return x / (rms + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the argument eps is not used, it is always 1e-5",
        "source": r"""
import torch

def rms_norm(x, gain, eps=1e-5):
    return gain * x / (x.square().mean(-1, keepdim=True) + 1e-5) ** 0.5
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "works in x itself: 'A function must not change its arguments'",
        "source": r"""
import torch

def rms_norm(x, gain, eps=1e-5):
    rms = torch.sqrt((x ** 2).mean(-1, keepdim=True) + eps)
    if x.requires_grad:
        return x / rms * gain
    x /= rms
    x *= gain
    return x
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "one mean square for all vectors together: 'each vector of x divided by the root of its mean square'; right for a single vector",
        "source": r"""
import torch

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt(torch.mean(x ** 2) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": None,
        "why": "the root is detached: values right, a gradient flows but it is not that of the formula; 'The gradient must flow through it' does not quite say so",
        "source": r"""
import torch

def rms_norm(x, gain, eps=1e-5):
    rms = torch.sqrt(x.detach().pow(2).mean(-1, keepdim=True) + eps)
    return x / rms * gain
""",
    },
]
