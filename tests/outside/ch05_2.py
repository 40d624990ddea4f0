"""Answers to chapter 05, written from its page alone: the second round."""

ANSWERS = [
    # soft_lookup
    {
        "task": "soft_lookup",
        "right": True,
        "why": "matrix times vector",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    weights = torch.softmax(sharpness * (keys @ query), dim=0)
    return weights @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "loop with python floats for the weights, then a sum of rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("sharpness must be at least 0")
    scores = [sharpness * torch.dot(key, query) for key in keys]
    top = max(scores)
    e = [torch.exp(s - top) for s in scores]
    total = sum(e)
    out = torch.zeros_like(values[0])
    for w, v in zip(e, values):
        out = out + w / total * v
    return out
""",
    },
    {
        "task": "soft_lookup",
        "right": True,
        "why": "broadcast products and log_softmax; the sharpness multiplies the query",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError
    logs = F.log_softmax((keys * (query * sharpness)).sum(-1), dim=-1)
    return (logs.exp().unsqueeze(1) * values).sum(0)
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "refuses 0: 'at least 0; 0 gives the plain mean'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness <= 0:
        raise ValueError("negative sharpness")
    weights = torch.softmax(sharpness * (keys @ query), dim=0)
    return weights @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "no ValueError for a negative sharpness",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if False:
        raise ValueError("negative sharpness")
    weights = torch.softmax(sharpness * (keys @ query), dim=0)
    return weights @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "0 is taken for 'not given': '0 gives the plain mean'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    sharpness = sharpness or 1.0
    weights = torch.softmax(sharpness * (keys @ query), dim=0)
    return weights @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "sharpness multiplied into the weights after the softmax (formula)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    weights = sharpness * torch.softmax(keys @ query, dim=0)
    return weights @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "cosines instead of dot products",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    weights = torch.softmax(sharpness * (F.normalize(keys, dim=1) @ F.normalize(query, dim=0)), dim=0)
    return weights @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "divides by the sharpness like a temperature",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    weights = torch.softmax((keys @ query) / max(sharpness, 1e-9), dim=0)
    return weights @ values
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "overflows: 'Large scores must not overflow'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    weights = torch.exp(sharpness * (keys @ query))
    return weights @ values / weights.sum()
""",
    },
    {
        "task": "soft_lookup",
        "right": False,
        "why": "scales by the root of the width, which the formula does not",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if sharpness < 0:
        raise ValueError("negative sharpness")
    weights = torch.softmax(sharpness * (keys @ query) / len(query) ** 0.5, dim=0)
    return weights @ values
""",
    },
    # scaled_dot_product
    {
        "task": "scaled_dot_product",
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

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "einsum, query scaled first, maximum subtracted by hand",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    width = key.size(-1)
    if query.size(-1) != width:
        raise ValueError("key and query differ in width")
    s = torch.einsum("...tk,...sk->...ts", query * width ** -0.5, key)
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return torch.einsum("...ts,...sv->...tv", e, value) / e.sum(-1, keepdim=True)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "torch's own function after the check",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"{query.shape[-1]} and {key.shape[-1]}")
    return F.scaled_dot_product_attention(query, key, value)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": True,
        "why": "recursion over the leading axes, works on key^T query",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("width")
    if query.dim() > 2:
        return torch.stack([scaled_dot_product(q, k, v) for q, k, v in zip(query, key, value)])
    s = key @ query.T / query.shape[-1] ** 0.5
    return torch.softmax(s, dim=0).T @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "divides by d_k, not its root",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / query.shape[-1]
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "divides by the root of the width of the values",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(value.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
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

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-2) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "softmax over axis 1: right for 2 axes only; 'any axes may stand before the last two'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "transposes axes 1 and 2: right for 3 axes only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ (key.transpose(1, 2) if key.dim() > 2 else key.T) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "no ValueError; torch raises RuntimeError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if False:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "ValueError when only the numbers of queries and keys differ",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape != key.shape:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "overflows for large scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.exp(scores) @ value / torch.exp(scores).sum(-1, keepdim=True)
""",
    },
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "root of the number of keys in place of the width",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-2])
    return torch.softmax(scores, dim=-1) @ value
""",
    },
    # causal_attention_mask
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "tril with an offset",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "compares positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if T > S:
        raise ValueError
    queries = torch.arange(S - T, S)
    return torch.arange(S)[None, :] <= queries[:, None]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "the last T rows of the square mask, a view",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S is less than T")
    return ~torch.triu(torch.ones((S, S)), 1).bool()[S - T:]
""",
    },
    {
        "task": "causal_attention_mask",
        "right": True,
        "why": "lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S is less than T")
    rows = [[s <= t + S - T for s in range(S)] for t in range(T)]
    return torch.tensor(rows, dtype=torch.bool).reshape(T, S)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "no offset: right only if T = S; 'query t stands at position t + S - T'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.bool).tril()
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "does not see itself: 'up to its own position'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T - 1)
""",
    },
    {
        "task": "causal_attention_mask",
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

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("more queries than keys")
    return ~torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "not bool: 'a bool tensor'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.int64).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "no ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if False:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "refuses S = T: 'S: at least T'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S <= T:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "T = 0 gives shape (0,): 'A bool tensor (T, S)', T 0 or more",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S is less than T")
    return torch.tensor([[s <= t + S - T for s in range(S)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "refuses T = 0: 'number of queries, 0 or more'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T or T < 1:
        raise ValueError("more queries than keys")
    return torch.ones(T, S, dtype=torch.bool).tril(S - T)
""",
    },
    {
        "task": "causal_attention_mask",
        "right": False,
        "why": "the first T of S words, then shifted keys: rows see one key too many when S > T",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_attention_mask(T, S):
    if S < T:
        raise ValueError("S is less than T")
    return torch.arange(S)[None, :] <= torch.arange(T)[:, None] + (S - T + (1 if S > T else 0))
""",
    },
    # masked_softmax
    {
        "task": "masked_softmax",
        "right": True,
        "why": "minus infinity, empty rows set to 0 first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf")).masked_fill(~some, 0.0)
    return torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "exponentials by hand, where() before and after",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    keep = torch.broadcast_to(attention_mask, scores.shape)
    zero = torch.zeros((), dtype=scores.dtype)
    top = torch.where(keep, scores, torch.full_like(scores, -math.inf)).amax(-1, keepdim=True).detach()
    top = torch.where(top == -math.inf, zero, top)
    e = torch.exp(torch.where(keep, scores, top) - top)
    e = torch.where(keep, e, zero)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "row by row, softmax of the kept entries only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    size = scores.shape[-1]
    keep = attention_mask.expand_as(scores).reshape(-1, size)
    rows = []
    for row, kept in zip(scores.reshape(-1, size), keep):
        out = torch.zeros_like(row)
        if kept.any():
            out = out.masked_scatter(kept, torch.softmax(row[kept], dim=0))
        else:
            out = out + 0 * torch.where(kept, row, torch.zeros_like(row))
        rows.append(out)
    return torch.stack(rows).reshape(scores.shape)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "masks by where; empty rows are treated as if all were kept and then zeroed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    mask = attention_mask | torch.zeros_like(scores, dtype=torch.bool)
    used = mask | (mask.sum(-1, keepdim=True) == 0)
    logits = torch.where(mask, scores, torch.where(used, 0.0, -math.inf).to(scores.dtype))
    return torch.where(mask, logits.log_softmax(-1).exp(), torch.zeros_like(scores))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "empty rows give NaN: 'A row in which no key is left gets zeros'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(filled, dim=-1)
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "nan_to_num afterwards: NaN inside, but masked_fill's gradient is 0 wherever the mask is False, so values and gradients are right",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(filled, dim=-1).nan_to_num(0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "minus infinity added as a number and nan_to_num afterwards: values right, gradient NaN in empty rows ('never NaN')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    hidden = torch.zeros(attention_mask.shape, dtype=scores.dtype).masked_fill(~attention_mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores + hidden, dim=-1), nan=0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "softmax over all, masked afterwards, not normalised again: 'the others of a row sum to 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    return torch.softmax(scores, dim=-1) * attention_mask
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "normalised again after a softmax over all: kept weights underflow beside a large masked score ('right for large scores too, kept or masked')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    w = torch.softmax(scores, dim=-1) * attention_mask
    total = w.sum(-1, keepdim=True)
    return w / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "-1e9 as filling: empty rows are uniform, not zeros",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    return torch.softmax(scores.masked_fill(~attention_mask, -1e9), dim=-1)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "-1e4 as filling: wrong where kept scores are below it (large scores)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    w = torch.softmax(scores.masked_fill(~attention_mask, -1e4), dim=-1)
    return w * attention_mask
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "adds an eps to the sum and no maximum subtracted: overflow for large scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    e = torch.exp(scores) * attention_mask
    return e / (e.sum(-1, keepdim=True) + 1e-12)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "polarity: True = hidden",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    mask = (~attention_mask).expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf")).masked_fill(~some, 0.0)
    return torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "cuts the graph: 'so must the gradient with respect to the scores'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True)
    filled = scores.detach().masked_fill(~mask, float("-inf")).masked_fill(~some, 0.0)
    return scores * 0 + torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "an empty row empties its whole text: any() over the last two axes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    mask = attention_mask.expand(scores.shape)
    some = mask.any(dim=-1, keepdim=True).all(dim=-2, keepdim=True)
    filled = scores.masked_fill(~mask, float("-inf")).masked_fill(~some, 0.0)
    return torch.softmax(filled, dim=-1).masked_fill(~mask | ~some, 0.0)
""",
    },
    # split_heads
    {
        "task": "split_heads",
        "right": True,
        "why": "reshape and transpose (a view)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "chunks stacked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    if num_heads <= 0 or x.shape[2] % num_heads != 0:
        raise ValueError(num_heads)
    k = x.shape[2] // num_heads
    return torch.stack([x[:, :, h * k:(h + 1) * k] for h in range(num_heads)], dim=1)
""",
    },
    {
        "task": "split_heads",
        "right": True,
        "why": "unfold of the last axis",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.size()
    if num_heads < 1:
        raise ValueError("too few heads")
    k, rest = divmod(D, num_heads)
    if rest:
        raise ValueError("heads do not divide the width")
    out = x.new_empty((B, num_heads, T, k))
    for h in range(num_heads):
        for c in range(k):
            out[:, h, :, c] = x[:, :, h * k + c]
    return out
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "reshaped at once, which mixes words and heads when T > 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, num_heads, T, D // num_heads)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "interleaved: head 0 gets every H-th column ('head 0 on the first K')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, T, D // num_heads, num_heads).permute(0, 3, 1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "heads behind the words: result (B, T, H, K)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, T, num_heads, D // num_heads)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "0 gives ZeroDivisionError instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "negative numbers that divide D pass the check",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads == 0 or D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "a rest of columns is cut off, no ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1:
        raise ValueError("num_heads must divide the width")
    return x[..., :D // num_heads * num_heads].reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "refuses one head",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 2 or D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
""",
    },
    {
        "task": "split_heads",
        "right": False,
        "why": "heads in reverse order",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2).flip(1)
""",
    },
    # merge_heads
    {
        "task": "merge_heads",
        "right": True,
        "why": "transpose and reshape",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "cat of the heads",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    return torch.cat([heads[:, h] for h in range(heads.shape[1])], dim=-1)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "permute, flatten",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    return heads.permute(0, 2, 1, 3).flatten(start_dim=2)
""",
    },
    {
        "task": "merge_heads",
        "right": True,
        "why": "filled column by column",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    out = torch.zeros(B, T, H * K, dtype=heads.dtype)
    for h in range(H):
        out[:, :, h * K:(h + 1) * K] = heads[:, h]
    return out
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "no transpose: wrong if T > 1 and H > 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "fails for T = 0 (the -1 cannot be worked out): 'T may be 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, -1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "interleaved numbers of the heads",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.permute(0, 2, 3, 1).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "drops the batch axis of a single text",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K).squeeze(0)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "heads in reverse order",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.flip(1).transpose(1, 2).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "drops the word axis if there is one word: 'A tensor (B, T, H K)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K).squeeze(1)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "transposes the wrong axes: right only by luck",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.transpose(2, 3).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": None,
        "why": "float32 result whatever the heads are: the statement does not name the element type, but float64 numbers are rounded",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    return heads.float().transpose(1, 2).reshape(B, T, H * K)
""",
    },
    {
        "task": "merge_heads",
        "right": False,
        "why": "one head is given back as it is, (B, 1, T, K): 'A tensor (B, T, H K)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_heads(heads):
    B, H, T, K = heads.shape
    if H == 1:
        return heads
    return heads.transpose(1, 2).reshape(B, T, H * K)
""",
    },
    # multi_head_attention
    {
        "task": "multi_head_attention",
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

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "a loop over the heads with slices of the weights, outputs added through rows of w_o",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    D = x.shape[-1]
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError(num_heads)
    width, out = D // num_heads, 0
    for h in range(num_heads):
        c = slice(h * width, (h + 1) * width)
        q, k, v = x @ w_q[:, c], x @ w_k[:, c], x @ w_v[:, c]
        s = torch.bmm(q, k.transpose(1, 2)) * width ** -0.5
        if causal:
            T = x.shape[1]
            s = torch.where(torch.tril(torch.ones(T, T, dtype=torch.bool)), s, torch.tensor(-math.inf, dtype=s.dtype))
        out = out + torch.bmm(s.softmax(-1), v) @ w_o[c]
    return out
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "torch's function, causal flag",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    if num_heads < 1 or x.shape[2] % num_heads:
        raise ValueError("bad number of heads")
    def cut(y):
        return torch.stack(y.chunk(num_heads, dim=-1), dim=1)
    heads = F.scaled_dot_product_attention(cut(x @ w_q), cut(x @ w_k), cut(x @ w_v), is_causal=causal)
    return torch.cat(heads.unbind(1), dim=-1) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "word by word: each query attends to a slice of the keys",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("heads")
    K = D // num_heads
    q = torch.einsum("btd,de->bte", x, w_q).unflatten(-1, (num_heads, K))
    k = torch.einsum("btd,de->bte", x, w_k).unflatten(-1, (num_heads, K))
    v = torch.einsum("btd,de->bte", x, w_v).unflatten(-1, (num_heads, K))
    rows = []
    for t in range(T):
        end = t + 1 if causal else T
        w = (torch.einsum("bhk,bshk->bhs", q[:, t], k[:, :end]) / K ** 0.5).softmax(-1)
        rows.append(torch.einsum("bhs,bshk->bhk", w, v[:, :end]).flatten(1))
    return torch.stack(rows, dim=1) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "scaled by the root of the whole width: 'the root of the head's width'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "no output projection",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D)
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "interleaved columns: 'Head 0 works on the first D / H columns'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, K, num_heads).permute(0, 3, 1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "heads not laid back (no transpose before the reshape)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "the mask hides the past: triu and tril exchanged",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).tril(-1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "masks after the softmax, without normalising again",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf")) if False else scores
    w = torch.softmax(scores, dim=-1)
    heads = (w.tril() if causal else w) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "always causal",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if True:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "0 heads: ZeroDivisionError; negative numbers pass",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "weights used as a Linear layer does, x @ w.T",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w.T).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "overflow: no maximum subtracted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), float("-inf"))
    heads = scores.exp() / scores.exp().sum(-1, keepdim=True) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    {
        "task": "multi_head_attention",
        "right": False,
        "why": "-1e4 for hidden keys: they win back weight where scores are below -1e4 (large scores)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads:
        raise ValueError("num_heads must divide D")
    K = D // num_heads
    q, k, v = ((x @ w).reshape(B, T, num_heads, K).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(K)
    if causal:
        scores = scores.masked_fill(torch.ones(T, T).triu(1).bool(), -1e4)
    heads = torch.softmax(scores, dim=-1) @ v
    return heads.transpose(1, 2).reshape(B, T, D) @ w_o
""",
    },
    # is_equivariant
    {
        "task": "is_equivariant",
        "right": True,
        "why": "allclose",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "the inequality written out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    before = layer(torch.index_select(x, 0, permutation))
    after = torch.index_select(layer(x), 0, permutation)
    return bool(((before - after).abs() <= 1e-6 + 1e-5 * after.abs()).all())
""",
    },
    {
        "task": "is_equivariant",
        "right": True,
        "why": "undoes the shuffle instead of doing it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    back = torch.empty_like(permutation)
    back[permutation] = torch.arange(len(permutation))
    plain = layer(x)
    return bool(torch.isclose(layer(x[permutation])[back], plain, atol=1e-6).all())
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "exactly equal: 'numbers that differ by rounding only count as the same'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.equal(layer(x[permutation]), layer(x)[permutation])
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "no relative tolerance: 'compare as torch.allclose with atol=1e-6 does'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], rtol=0, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "tolerance 1e-2: small differences are missed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-2)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "outputs shuffled back the other way: right only for permutations that are their own inverse",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation.argsort()], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "a tensor, not a bool",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.isclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6).all()
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "asks about a random order: 'No other order is asked about'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    p = torch.randperm(len(x))
    return torch.allclose(layer(x[p]), layer(x)[p], atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "tests invariance: the outputs are not shuffled",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x), atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "compares sorted columns: order of the outputs is lost",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]), layer(x)
    return torch.allclose(a.sort(dim=0).values, b.sort(dim=0).values, atol=1e-6)
""",
    },
    {
        "task": "is_equivariant",
        "right": False,
        "why": "compares only the sum of each word's numbers: differences that cancel are missed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    return torch.allclose(layer(x[permutation]).sum(dim=1), layer(x)[permutation].sum(dim=1), atol=1e-6)
""",
    },
    # rotate
    {
        "task": "rotate",
        "right": True,
        "why": "even and odd columns, stacked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "complex numbers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2 != 0:
        raise ValueError("K must be even")
    z = torch.view_as_complex(x.double().reshape(T, K // 2, 2).contiguous())
    rates = base ** (-2 * torch.arange(K // 2, dtype=torch.float64) / K)
    angles = torch.outer(torch.arange(T, dtype=torch.float64) + start, rates)
    turned = z * torch.exp(1j * angles)
    return torch.view_as_real(turned).reshape(T, K).type_as(x)
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "row by row with a matrix of blocks",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("K is odd")
    out = torch.zeros_like(x)
    for t in range(T):
        m = torch.zeros(K, K, dtype=torch.float64)
        for i in range(0, K, 2):
            phi = (start + t) / base ** (i / K)
            m[i, i] = m[i + 1, i + 1] = math.cos(phi)
            m[i, i + 1], m[i + 1, i] = -math.sin(phi), math.sin(phi)
        out[t] = (m @ x[t].double()).to(x.dtype)
    return out
""",
    },
    {
        "task": "rotate",
        "right": True,
        "why": "x cos + (partner) sin, with repeated angles",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    if x.size(1) % 2:
        raise ValueError
    K = x.size(1)
    freq = torch.tensor([base ** (-(2 * (c // 2)) / K) for c in range(K)], dtype=torch.float64)
    phi = (start + torch.arange(x.size(0), dtype=torch.float64)).unsqueeze(1) * freq
    partner = torch.empty_like(x)
    partner[:, ::2] = -x[:, 1::2]
    partner[:, 1::2] = x[:, ::2]
    return x * phi.cos().to(x.dtype) + partner * phi.sin().to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "pairs column i with column i + K/2 (Llama's layout): 'each pair of neighbouring columns'; right for K = 2",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[:, :K // 2], x[:, K // 2:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=1)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "turned pairs laid as halves, not neighbours",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "turned the other way round",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), -angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
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

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(0, T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "positions from start + 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start + 1, start + T + 1, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "float64 result for float32 x: 'of the element type of x'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "base ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / 10000.0 ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "rate base^(-i/K) instead of base^(-2i/K)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K // 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "odd K: RuntimeError from torch, no ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K == 1:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "fails for T = 0: 'T may be 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.arange(0, K, 2, dtype=torch.float64) / K)
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    out = torch.stack(list(out))
    return out.reshape(T, K).to(x.dtype)
""",
    },
    {
        "task": "rotate",
        "right": False,
        "why": "one angle for all pairs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd width")
    p = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = p / base ** (torch.zeros(K // 2, dtype=torch.float64))
    cos, sin = angle.cos(), angle.sin()
    a, b = x[:, 0::2].double(), x[:, 1::2].double()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.reshape(T, K).to(x.dtype)
""",
    },
    # soft_lookup
    {
        "task": "soft_lookup",
        "right": True,
        "why": "as attention of one query, sharpness as its scale",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def soft_lookup(query, keys, values, sharpness=1.0):
    if not sharpness >= 0:
        raise ValueError(f"sharpness {sharpness}")
    return F.scaled_dot_product_attention(query[None, None], keys[None], values[None], scale=float(sharpness))[0, 0] if sharpness > 0 else values.mean(0)
""",
    },
    # scaled_dot_product
    {
        "task": "scaled_dot_product",
        "right": False,
        "why": "one maximum for all rows: rows with much smaller scores underflow to 0 / 0 ('Large scores')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def scaled_dot_product(query, key, value):
    if query.shape[-1] != key.shape[-1]:
        raise ValueError("widths differ")
    s = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    e = (s - s.max()).exp()
    return e / e.sum(-1, keepdim=True) @ value
""",
    },
    # masked_softmax
    {
        "task": "masked_softmax",
        "right": False,
        "why": "indexes with the mask, so it must have the full shape: 'broadcastable to the scores'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    some = attention_mask.any(-1, keepdim=True)
    filled = torch.where(attention_mask, scores, torch.full_like(scores, -math.inf))
    filled = torch.where(some, filled, torch.zeros_like(filled))
    out = torch.softmax(filled, -1).clone()
    out[~attention_mask] = 0
    return out
""",
    },
    {
        "task": "masked_softmax",
        "right": False,
        "why": "float32 result for float64 scores: 'A tensor like the scores'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def masked_softmax(scores, attention_mask):
    s = scores.float()
    some = attention_mask.any(-1, keepdim=True)
    filled = s.masked_fill(~attention_mask, -math.inf).masked_fill(~some, 0)
    return torch.softmax(filled, -1) * attention_mask
""",
    },
    {
        "task": "masked_softmax",
        "right": True,
        "why": "an autograd function of its own",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, mask):
        top = scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)
        top = top.masked_fill(top == -math.inf, 0)
        e = torch.exp((scores - top).masked_fill(~mask, -math.inf))
        w = e / e.sum(-1, keepdim=True).clamp(min=torch.finfo(e.dtype).tiny)
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, grad):
        w, = ctx.saved_tensors
        return w * (grad - (grad * w).sum(-1, keepdim=True)), None

def masked_softmax(scores, attention_mask):
    return _Softmax.apply(scores, attention_mask)
""",
    },
    # is_equivariant
    {
        "task": "is_equivariant",
        "right": False,
        "why": "shuffles x in place and then asks the layer for the 'plain' outputs of the shuffled words",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    plain = x
    shuffled = x
    shuffled[:] = x[permutation]
    return torch.allclose(layer(shuffled), layer(plain)[permutation], atol=1e-6)
""",
    },
    # multi_head_attention
    {
        "task": "multi_head_attention",
        "right": True,
        "why": "numpy, scores of all heads in one einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    B, T, D = x.shape
    if num_heads < 1 or D % num_heads != 0:
        raise ValueError("num_heads")
    a, q, k, v, o = (m.detach().numpy() for m in (x, w_q, w_k, w_v, w_o))
    q, k, v = ((a @ m).reshape(B, T, num_heads, -1) for m in (q, k, v))
    s = np.einsum("bthk,bshk->bhts", q, k) / np.sqrt(np.array(D // num_heads, dtype=a.dtype))
    if causal:
        s = np.where(np.arange(T) <= np.arange(T)[:, None], s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    e = e / e.sum(-1, keepdims=True)
    return torch.from_numpy(np.einsum("bhts,bshk->bthk", e, v).reshape(B, T, D) @ o)
""",
    },
    # rotate
    {
        "task": "rotate",
        "right": False,
        "why": "turns x in place of the copy: the first column is already new when the second is worked out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rotate(x, start=0, base=10000.0):
    T, K = x.shape
    if K % 2:
        raise ValueError("odd")
    out = x.clone()
    for t in range(T):
        for i in range(0, K, 2):
            phi = (start + t) / base ** (i / K)
            out[t, i] = out[t, i] * math.cos(phi) - out[t, i + 1] * math.sin(phi)
            out[t, i + 1] = out[t, i] * math.sin(phi) + out[t, i + 1] * math.cos(phi)
    return out
""",
    },
    # is_equivariant
    {
        "task": "is_equivariant",
        "right": None,
        "why": "numpy's bool",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def is_equivariant(layer, x, permutation):
    a, b = layer(x[permutation]).detach().numpy(), layer(x)[permutation].detach().numpy()
    return np.isclose(a, b, rtol=1e-5, atol=1e-6).all()
""",
    },
]
