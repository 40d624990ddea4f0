"""Answers to chapter 06, written from its page alone: the second round."""

ANSWERS = [
    # feed_forward
    {
        "task": "feed_forward",
        "right": True,
        "why": "formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "F.linear with transposed weights, clamp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    hidden = F.linear(x, w1.T, b1).clamp(min=0)
    return F.linear(hidden, w2.T, b2)
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "neuron by neuron",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    out = b2.expand(x.shape).clone()
    for f in range(w1.shape[1]):
        pre = (x * w1[:, f]).sum(-1) + b1[f]
        on = torch.where(pre > 0, pre, torch.zeros_like(pre))
        out = out + on.unsqueeze(-1) * w2[f]
    return out
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "no ReLU",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return (x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "bias added after the ReLU",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return (torch.relu(x @ w1) + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "second bias forgotten",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "GELU in place of max(0, .)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return F.gelu(x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "a second ReLU after the collapse",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "absolute value",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return torch.abs(x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "fails if there are no positions (reshape with -1 of an empty tensor): 'there may be no positions at all'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    rows = [torch.relu(row @ w1 + b1) @ w2 + b2 for row in x.reshape(-1, x.shape[-1])]
    return torch.stack(rows).reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "residual added: it is no part of the block",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def feed_forward(x, w1, b1, w2, b2):
    return x + F.relu(x.matmul(w1).add(b1)).matmul(w2).add(b2)
""",
    },
    # embed_with_positions
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "indexing, stacked pairs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "F.embedding, slices",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    D = table.size(-1)
    out = F.embedding(ids, table) * D ** 0.5
    pos = torch.zeros(ids.size(-1), D, dtype=torch.float64)
    where = start + torch.arange(ids.size(-1)).double().unsqueeze(-1)
    rates = torch.exp(-math.log(10000.0) * torch.arange(0, D, 2).double() / D)
    pos[:, 0::2] = (where * rates).sin()
    pos[:, 1::2] = (where * rates).cos()
    return out + pos.type_as(table)
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "loops over positions and pairs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    rows = table.index_select(0, ids.reshape(-1)).reshape(*ids.shape, table.shape[1])
    D = table.shape[1]
    out = rows * D ** 0.5
    for t in range(ids.shape[-1]):
        for i in range(D // 2):
            a = (start + t) / 10000 ** (2 * i / D)
            out[..., t, 2 * i] += math.sin(a)
            out[..., t, 2 * i + 1] += math.cos(a)
    return out
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "no sqrt(D)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids] + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "divides by sqrt(D)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids] / math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "start ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "the scale also multiplies the positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return (table[ids] + pe.to(table.dtype)) * math.sqrt(D)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "cosines and sines exchanged",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.cos(), angle.sin()], dim=-1).reshape(T, D)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "sines first, then cosines: right for D = 2",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.cat([angle.sin(), angle.cos()], dim=1)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "the result is float64 for a float32 table: 'of the table's element type'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids] * math.sqrt(D) + pe
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "T taken from the first axis: right for one row only ('ids (..., T)')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[0], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "positions numbered through the whole batch, not by row",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    D = table.shape[1]
    flat = ids.reshape(-1)
    p = start + torch.arange(len(flat), dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(len(flat), D).to(table.dtype)
    return (table[flat] * D ** 0.5 + pe).reshape(*ids.shape, D)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "whole-number root",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(T, D)
    return table[ids] * math.isqrt(D) + pe.to(table.dtype)
""",
    },
    # residual_block
    {
        "task": "residual_block",
        "right": True,
        "why": "two branches",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "layer norm by hand",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    def norm(y):
        y = y - y.mean(-1, keepdim=True)
        return y / torch.sqrt((y * y).mean(-1, keepdim=True) + 1e-5)
    if order not in ("pre", "post"):
        raise ValueError("order must be pre or post")
    read = norm(x) if order == "pre" else x
    stream = x + torch.matmul(read, w)
    return stream if order == "pre" else norm(stream)
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "a table of functions, einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    norm = nn.LayerNorm(x.shape[-1], elementwise_affine=False)
    layer = lambda y: torch.einsum("...d,de->...e", y, w)
    ways = {"pre": lambda: layer(norm(x)) + x, "post": lambda: norm(layer(x) + x)}
    try:
        way = ways[order]
    except KeyError:
        raise ValueError(f"no such order: {order}") from None
    return way()
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "post: x not added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return F.layer_norm(x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "pre: the normed stream is added, not x",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return F.layer_norm(x, x.shape[-1:]) @ w + F.layer_norm(x, x.shape[-1:])
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "every other order is taken for post: no ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if True:
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "pre and post exchanged",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "post":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "pre":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "another order gives KeyError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise KeyError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "eps of 1e-6 (torch's is 1e-5): shows for small numbers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:], eps=1e-6) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:], eps=1e-6)
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "w transposed: 'the sublayer of y is y @ w'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w.T
    if order == "post":
        return F.layer_norm(x + x @ w.T, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "normalises over all axes: right for a single vector",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape)
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "post: the sublayer's output is normed before it is added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return x + F.layer_norm(x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    # decoder_attention_mask
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "broadcast and",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids != pad_id)[:, None, None, :] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "loops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    keep = torch.zeros(B, 1, T, T, dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                keep[b, 0, t, s] = bool(ids[b, s] != pad_id)
    return keep
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "tril of the expanded padding mask",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    real = ids.ne(pad_id).unsqueeze(1).expand(-1, ids.size(1), -1)
    return torch.tril(real.long()).bool().unsqueeze(1)
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "positions compared",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    p = torch.arange(ids.size(-1))
    future = p.reshape(1, 1, 1, -1) > p.reshape(1, 1, -1, 1)
    return torch.logical_not(future | (ids == pad_id).reshape(len(ids), 1, 1, -1))
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "padding hides rows, not columns",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids != pad_id)[:, None, :, None] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "both rows and columns of padding are hidden: 'row 2, padding itself, at 0 and 1 too'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    keep = ids != pad_id
    return keep[:, None, None, :] & keep[:, None, :, None] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "True = hidden",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return ~(ids != pad_id)[:, None, None, :] | ~causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "padding counted from the end only (lengths): 'Padding may stand anywhere in a row'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    n = (ids != pad_id).sum(1)
    keep = torch.arange(T)[None, :] < n[:, None]
    return keep[:, None, None, :] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "always padding 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids != 0)[:, None, None, :] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "no axis for the heads",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids != pad_id)[:, None, :] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "does not see itself",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril(-1)
    return (ids != pad_id)[:, None, None, :] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "ids below the padding are hidden as well (> instead of !=)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids > pad_id)[:, None, None, :] & causal
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "integers, not bool",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids != pad_id)[:, None, None, :] * causal.int()
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "each row always sees itself, even padding",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (ids != pad_id)[:, None, None, :] & causal | torch.eye(T, dtype=torch.bool)
""",
    },
    # cross_attention
    {
        "task": "cross_attention",
        "right": True,
        "why": "textbook",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "torch's function with a mask",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    mask = None if attention_mask is None else attention_mask.unsqueeze(1)
    return F.scaled_dot_product_attention(x @ wq, memory @ wk, memory @ wv, attn_mask=mask)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "text by text, padding cut out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    out = []
    for b in range(x.shape[0]):
        m = memory[b] if attention_mask is None else memory[b][attention_mask[b]]
        w = F.softmax((x[b] @ wq) @ (m @ wk).T * wk.shape[1] ** -0.5, dim=1)
        out.append(w @ m @ wv)
    return torch.stack(out)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "einsum, log weights, bilinear form",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    s = torch.einsum("btd,dk,ek,bse->bts", x, wq, wk, memory) / wq.size(1) ** 0.5
    if attention_mask is None:
        attention_mask = torch.ones(memory.shape[:2], dtype=torch.bool)
    s = torch.where(attention_mask[:, None], s, torch.full_like(s, -math.inf))
    w = torch.exp(s - torch.logsumexp(s, dim=2, keepdim=True))
    return torch.einsum("bts,bsd,dv->btv", w, memory, wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "scaled by the root of D: right where K = D ('d_k the width of queries and keys')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "keys and values of the stream: no cross-attention (right only where x is memory)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, x @ wv if x.shape == memory.shape else memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "mask ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if False:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "polarity of the mask",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None and not attention_mask.all():
        scores = scores.masked_fill(attention_mask[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "masked scores 0, not minus infinity: padding still gets weight",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], 0.0)
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "masked after the softmax, not normalised again",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        v = v * attention_mask[:, :, None]
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "softmax over the queries",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "-1e4 as filling: padding wins where scores are below it ('Large scores', 'gets no weight')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], -1e4)
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "overflow",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wq.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return (scores.exp() / scores.exp().sum(-1, keepdim=True)) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "scaled by the width of the values",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(wv.shape[1])
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    # encoder_block
    {
        "task": "encoder_block",
        "right": True,
        "why": "all heads at once",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "heads in a loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    D = x.shape[-1]
    width = D // num_heads
    normed = F.layer_norm(x, (D,))
    q, k, v = normed @ weights["q"], normed @ weights["k"], normed @ weights["v"]
    gathered = []
    for h in range(num_heads):
        part = slice(h * width, (h + 1) * width)
        a = (q[..., part] @ k[..., part].mT * width ** -0.5).softmax(-1)
        gathered.append(a @ v[..., part])
    stream = x + torch.cat(gathered, -1) @ weights["o"]
    return stream + F.linear(F.linear(F.layer_norm(stream, (D,)), weights["up"].T).clamp_min(0), weights["down"].T)
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "text by text with helper functions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def norm(x):
    d = x - x.mean(-1, keepdim=True)
    return d / (d.square().mean(-1, keepdim=True) + 1e-5).sqrt()

def attend(y, weights, H):
    q, k, v = [(y @ weights[n]).chunk(H, dim=1) for n in ("q", "k", "v")]
    heads = [torch.softmax(a @ b.T / a.shape[1] ** 0.5, 1) @ c for a, b, c in zip(q, k, v)]
    return torch.hstack(heads) @ weights["o"]

def encoder_block(x, weights, num_heads):
    out = torch.empty_like(x)
    for i, text in enumerate(x):
        text = text + attend(norm(text), weights, num_heads)
        out[i] = text + torch.relu(norm(text) @ weights["up"]) @ weights["down"]
    return out
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "scaled by the root of D: right for one head",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(D)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "post-norm at the second half",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return F.layer_norm(x + torch.relu(x @ weights["up"]) @ weights["down"], (D,))
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "no second norm",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = x
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "values from the stream itself, not from LN(x)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = (((x if name == 'v' else y) @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "heads laid back without a transpose",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "heads interleaved: 'head h reads columns h K to (h + 1) K'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, K, num_heads).permute(0, 3, 1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "adds the normed stream",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = y + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "output projection forgotten",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D)
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "causal, which an encoder is not",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = (q @ k.transpose(-2, -1) / math.sqrt(K)).masked_fill(torch.ones(T, T).triu(1).bool(), float('-inf'))
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "no ReLU",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = torch.softmax(scores, dim=-1) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + (y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "overflow in the softmax",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).reshape(B, T, num_heads, K).transpose(1, 2) for name in "qkv")
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    heads = (scores.exp() / scores.exp().sum(-1, keepdim=True)) @ v
    x = x + heads.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + torch.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    # smoothed_kl
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "xlogy, padding cut out first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "F.kl_div",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets.ne(pad_id).nonzero().flatten()
    if len(real) == 0:
        return torch.zeros((), dtype=logits.dtype)
    V = logits.size(-1)
    q = F.one_hot(targets[real], V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    return F.kl_div(F.log_softmax(logits[real], -1), q, reduction="batchmean")
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "cross-entropy with label_smoothing minus the entropy of the target",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    n = int(keep.sum())
    if n == 0:
        return torch.tensor(0.0, dtype=logits.dtype)
    V = logits.shape[1]
    low, high = smoothing / V, 1 - smoothing + smoothing / V
    entropy = -high * math.log(high) - ((V - 1) * low * math.log(low) if low > 0 else 0.0)
    return F.cross_entropy(logits[keep], targets[keep], label_smoothing=smoothing) - entropy
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "token by token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    total, n = torch.zeros((), dtype=logits.dtype), 0
    for row, target in zip(logits, targets.tolist()):
        if target == pad_id:
            continue
        n += 1
        log_p = row - torch.logsumexp(row, dim=0)
        for k in range(len(row)):
            q = smoothing / len(row) + (1 - smoothing if k == target else 0.0)
            if q > 0:
                total = total + q * (math.log(q) - log_p[k])
    return total / max(n, 1)
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "the right word gets 1 - eps in all, without its share of eps / V: '1 - eps more'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "eps spread over the V - 1 others",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / max(V - 1, 1))
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing - smoothing / max(V - 1, 1), dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "cross-entropy: the entropy of q is missing (right only for smoothing 0)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (-q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "0 ln 0 is NaN at smoothing 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (q * q.log() - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "divided by all tokens, padding included: 'the mean is over the other tokens'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / len(targets)
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "NaN when nothing counts: 'If nothing counts, the loss is 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if False:
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "log of a softmax: minus infinity for large scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log(torch.softmax(logits[keep], dim=-1))
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "log of a softmax plus 1e-9: wrong for large scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log(torch.softmax(logits[keep], dim=-1) + 1e-9)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "padding is any negative id: a word's id as pad_id counts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets >= 0
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "mean over the words as well",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "KL the other way round: p || q",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (log_p.exp() * (log_p - q.clamp(min=1e-30).log())).sum() / keep.sum()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "in bits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = torch.full_like(log_p, smoothing / V)
    q.scatter_add_(1, targets[keep][:, None], torch.full((len(q), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum() / keep.sum() / math.log(2)
""",
    },
    # warmup_rate
    {
        "task": "warmup_rate",
        "right": True,
        "why": "formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "two branches, square roots",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if min(step, warmup) < 1:
        raise ValueError
    if step <= warmup:
        return step / (warmup * math.sqrt(warmup) * math.sqrt(D))
    return 1 / math.sqrt(step * D)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "numpy; logs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step <= 0 or warmup <= 0:
        raise ValueError("too small")
    a = -0.5 * math.log(step)
    b = math.log(step) - 1.5 * math.log(warmup)
    return float(np.exp(np.minimum(a, b) - 0.5 * np.log(D)))
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "max in place of min",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * max(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "warmup ** -0.5",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -0.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "no check of the warm-up",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "no check of the step: step 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 0 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "D's root forgotten",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "steps counted from 0: uses step + 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min((step + 1) ** -0.5, (step + 1) * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "refuses warm-up 1: 'at least 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup <= 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "constant after the warm-up",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(warmup ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "rounded to seven places as in the example",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return round(D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5), 7)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "an int division in the rise: step // warmup",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step // warmup * warmup ** -0.5)
""",
    },
    # transformer_parameters
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "added up",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "one polynomial",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    per_pair = 12 * D * (D + 1) + 2 * (hidden * (2 * D + 1) + D) + 10 * D
    return layers * per_pair + V * (1 + D * (1 if shared else 3))
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "shapes listed and multiplied",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = [(D, D), (D,)] * 4
    feed = [(D, hidden), (hidden,), (hidden, D), (D,)]
    norm = [(D,), (D,)]
    shapes = [(V, D)] * (1 if shared else 3) + [(V,)]
    for _ in range(layers):
        shapes += attention + feed + norm * 2
        shapes += attention * 2 + feed + norm * 3
    return sum(math.prod(shape) for shape in shapes)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "two tables if not shared",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 2 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "bias of the scores forgotten",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "a norm after the last layers: 'no norm after the last'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V + 2 * norm
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "decoder with two norms",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 2 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "one attention in the decoder",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "no biases in the attention",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * D * D
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "feed-forward biases exchanged: two of the hidden width",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + hidden
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "norms have a gain only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "hidden is taken to be 4 D",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 8 * D * D + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": None,
        "why": "layer 0's stack counted at least once",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return max(layers, 1) * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "a float",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed + 2 * norm
    decoder = 2 * attention + feed + 3 * norm
    tables = V * D if shared else 3 * V * D
    return 1.0 * layers * (encoder + decoder) + tables + V
""",
    },
    # layer_cost
    {
        "task": "layer_cost",
        "right": True,
        "why": "formulas",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "a helper for products, other order of keys",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    def product(a, b, c):
        return a * b * c
    cost = dict(feed_forward=product(n, D, hidden) + product(n, hidden, D))
    cost["values"] = product(n, n, D)
    cost["scores"] = product(n, D, n)
    cost["projections"] = sum(product(n, D, D) for _ in ("q", "k", "v", "o"))
    return cost
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "zip",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    names = "projections scores values feed_forward".split()
    return dict(zip(names, (n * D * D << 2, D * n ** 2, D * n ** 2, n * D * hidden + n * hidden * D)))
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "three projections",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 3 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "feed-forward counted one way",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "only the causal half of the scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * (n + 1) // 2 * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "values cost n D D",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * D * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "multiplications and additions counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": 2 * n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "floats",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D ** 2.0, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "scores and values in one",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": 2 * n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "0 tokens are taken for one: 'n: tokens, 0 or more'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def layer_cost(n, D, hidden):
    n = n or 1
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    # decoder_attention_mask
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "without padding the batch axis is 1: 'A bool tensor (B, 1, T, T)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(1, 1, T, T, dtype=torch.bool).tril()
    if (ids != pad_id).all():
        return causal
    return causal & (ids != pad_id)[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "rows without any key are given the first one: row t may look at padding",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    keep = (ids != pad_id)[:, None, None, :] & torch.ones(T, T, dtype=torch.bool).tril()
    empty = ~keep.any(-1)
    keep[..., 0] |= empty
    return keep
""",
    },
    # cross_attention
    {
        "task": "cross_attention",
        "right": False,
        "why": "the mask is laid along the queries where T = S",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if attention_mask is not None:
        if x.shape[1] == memory.shape[1]:
            keep = attention_mask[:, :, None].expand_as(scores).clone()
            keep = keep | ~keep.any(-1, keepdim=True)
        else:
            keep = attention_mask[:, None, :]
        scores = scores.masked_fill(~keep, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "the mask of the first text serves all",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if attention_mask is not None:
        scores[:, :, ~attention_mask[0]] = float("-inf")
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    # smoothed_kl
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "pad_id is ignored: always -1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = (targets != -1) & (targets < logits.shape[1])
    if not keep.any():
        return logits.sum() * 0.0
    log_p = torch.log_softmax(logits[keep], dim=-1)
    V = logits.shape[1]
    q = F.one_hot(targets[keep], V).to(log_p.dtype) * (1 - smoothing) + smoothing / V
    return (torch.xlogy(q, q) - q * log_p).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "numpy for the targets; logsumexp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    N, V = logits.shape
    q = np.full((N, V), smoothing / V)
    counts = np.zeros(N)
    for n, target in enumerate(targets.tolist()):
        if target != pad_id:
            q[n, target] += 1 - smoothing
            counts[n] = 1
    own = np.where(q > 0, q * np.log(np.where(q > 0, q, 1)), 0).sum(1)
    q, own, counts = (torch.tensor(a, dtype=logits.dtype) for a in (q, own, counts))
    each = own - (q * (logits - torch.logsumexp(logits, 1, keepdim=True))).sum(1)
    return (each * counts).sum() / counts.sum().clamp(min=1)
""",
    },
    # transformer_parameters
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "the scores have a table of their own although shared",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    tables = (2 if shared else 3) * V * D
    return layers * (3 * attention + 2 * feed + 5 * norm) + tables + V
""",
    },
    # residual_block
    {
        "task": "residual_block",
        "right": None,
        "why": "adds to x in place; the statement does not say that x stays",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def residual_block(x, w, order="pre"):
    if order == "pre":
        x += F.layer_norm(x, x.shape[-1:]) @ w
        return x
    if order == "post":
        x += x @ w
        return F.layer_norm(x, x.shape[-1:])
    raise ValueError(order)
""",
    },
    # embed_with_positions
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "position by the token's first occurrence: a token that comes again gets the position where it stood first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def embed_with_positions(ids, table, start=0):
    D = table.shape[1]
    out = table[ids] * D ** 0.5
    flat, rows = out.reshape(-1, ids.shape[-1], D), ids.reshape(-1, ids.shape[-1]).tolist() if ids.numel() else []
    for b, row in enumerate(rows):
        for t, i in enumerate(row):
            for c in range(D // 2):
                a = (start + row.index(i)) / 10000 ** (2 * c / D)
                flat[b, t, 2 * c] += math.sin(a)
                flat[b, t, 2 * c + 1] += math.cos(a)
    return flat.reshape(out.shape)
""",
    },
]
