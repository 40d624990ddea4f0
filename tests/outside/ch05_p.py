"""Answers to the project of chapter 05, written from its page alone."""

from tests.outside.variants import but

EINSUM = """
import math
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError("H must divide D")
        self.query, self.key, self.value, self.output = (nn.Linear(embed_dim, embed_dim) for _ in range(4))
        self.num_heads, self.causal = num_heads, causal

    def forward(self, x, mask=None):
        B, T, D = x.shape
        H = self.num_heads
        q, k, v = (layer(x).view(B, T, H, D // H) for layer in (self.query, self.key, self.value))
        scores = torch.einsum("bqhk,bphk->bhqp", q, k) / math.sqrt(D // H)
        seen = torch.ones(B, H, T, T, dtype=torch.bool, device=x.device)
        if self.causal:
            seen = seen.tril()
        if mask is not None:
            seen = seen & mask
        scores = scores.masked_fill(~seen, torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1) * seen
        return self.output(torch.einsum("bhqp,bphk->bqhk", weights, v).reshape(B, T, D))
"""

HEADS = """
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        if num_heads <= 0 or embed_dim % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not divide {embed_dim}")
        super().__init__()
        self.width = embed_dim // num_heads
        self.heads = num_heads
        self.causal = causal
        self.query = nn.Linear(embed_dim, embed_dim)
        self.key = nn.Linear(embed_dim, embed_dim)
        self.value = nn.Linear(embed_dim, embed_dim)
        self.output = nn.Linear(embed_dim, embed_dim)

    def _allowed(self, x, mask):
        B, T, _ = x.shape
        allowed = torch.ones(T, T, dtype=torch.bool)
        if self.causal:
            allowed = torch.arange(T)[:, None] >= torch.arange(T)[None]
        allowed = allowed.expand(B, self.heads, T, T)
        return allowed if mask is None else torch.logical_and(allowed, mask)

    def forward(self, x, mask=None):
        allowed = self._allowed(x, mask)
        gathered = []
        for head in range(self.heads):
            columns = slice(head * self.width, (head + 1) * self.width)
            q, k, v = self.query(x)[..., columns], self.key(x)[..., columns], self.value(x)[..., columns]
            scores = q @ k.transpose(1, 2) * self.width**-0.5
            ok = allowed[:, head]
            top = scores.masked_fill(~ok, -1e30).amax(-1, keepdim=True).detach()
            powers = torch.where(ok, scores - top, torch.zeros_like(scores)).exp() * ok
            total = powers.sum(-1, keepdim=True)
            gathered.append(powers / torch.where(total > 0, total, torch.ones_like(total)) @ v)
        return self.output(torch.cat(gathered, dim=-1))
"""

FUSED = """
import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if not (num_heads >= 1 and embed_dim % num_heads == 0):
            raise ValueError("embed_dim must be a multiple of num_heads")
        self.h, self.causal = num_heads, causal
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(embed_dim, embed_dim))

    def forward(self, x, mask=None):
        def split(layer):
            return layer(x).unflatten(-1, (self.h, -1)).transpose(1, 2)

        B, T, _ = x.shape
        keep = x.new_ones(T, T).bool()
        if self.causal:
            keep = keep.tril()
        if mask is not None:
            keep = keep & mask
        keep = keep.expand(B, self.h, T, T)
        some = keep.any(-1, keepdim=True)
        out = F.scaled_dot_product_attention(split(self.query), split(self.key), split(self.value), keep | ~some)
        return self.output(torch.where(some, out, 0.0).transpose(1, 2).flatten(2))
"""

TASK = "SelfAttention"
ANSWERS = [
    {"task": TASK, "right": True, "why": "einsum over all heads at once", "source": EINSUM},
    {"task": TASK, "right": True, "why": "a loop over the heads, a softmax of its own", "source": HEADS},
    {
        "task": TASK,
        "right": True,
        "why": "PyTorch's attention; words without a key see all, and are zeroed",
        "source": FUSED,
    },
    {
        "task": TASK,
        "right": True,
        "why": "NaN for a word without a key is replaced; its gradient ends where the scores were filled",
        "source": but(
            EINSUM,
            ("torch.finfo(scores.dtype).min", "-math.inf"),
            ("scores.softmax(-1) * seen", "scores.softmax(-1).nan_to_num(0.0)"),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a word without a key gets the mean of all values",
        "source": but(EINSUM, (" * seen", "")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "scaled by the root of D, not of the width of a head",
        "source": but(EINSUM, ("math.sqrt(D // H)", "math.sqrt(D)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a word without a key gives zeros after the output layer, not before it",
        "source": but(
            FUSED,
            (
                "self.output(torch.where(some, out, 0.0).transpose(1, 2).flatten(2))",
                "self.output(out.transpose(1, 2).flatten(2)) * some.any(1)",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "where a mask is given, the causal one is forgotten",
        "source": but(EINSUM, ("if self.causal:", "if self.causal and mask is None:")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the largest score is taken of all keys, hidden ones too: what is seen may underflow to nothing",
        "source": but(HEADS, ("scores.masked_fill(~ok, -1e30).amax", "scores.amax")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "no ValueError for a number of heads below 0",
        "source": but(
            EINSUM, ("if num_heads < 1 or embed_dim % num_heads:", "if num_heads == 0 or embed_dim % num_heads:")
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the heads are interleaved: head h has every H-th column",
        "source": but(
            EINSUM,
            (".view(B, T, H, D // H) for", ".view(B, T, D // H, H).transpose(2, 3) for"),
            ("v).reshape(B, T, D)", "v).transpose(2, 3).reshape(B, T, D)"),
        ),
    },
]
