"""Answers to chapter 08, written from its page alone: the second round."""

ANSWERS = [
    # gpt_parameters
    {
        "task": "gpt_parameters",
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

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "polynomial",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    return embed_dim * (vocab_size + context_length + 2 + num_layers * (12 * embed_dim + 13))
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "torch modules on the meta device, counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    with torch.device("meta"):
        parts = [nn.Embedding(vocab_size, D), nn.Embedding(context_length, D), nn.LayerNorm(D)]
        layer = [nn.LayerNorm(D), nn.Linear(D, 3 * D), nn.Linear(D, D), nn.LayerNorm(D), nn.Linear(D, 4 * D), nn.Linear(4 * D, D)]
    count = lambda modules: sum(p.numel() for m in modules for p in m.parameters())
    return count(parts) + num_layers * count(layer)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the head is counted again: 'it adds nothing'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return 2 * vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "no last norm",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm)
""",
    },
    {
        "task": "gpt_parameters",
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

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * D * D
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "one norm a layer",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "feed-forward bias of the way back has 4 D",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + 4 * D
    norm = 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
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

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 3 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "a norm has a gain only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "no layers: the last norm is left out ('L, 0 or more')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + (norm if num_layers else 0)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "positions are not counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return vocab_size * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "exact only in floats: a float",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + D)
    feed = D * 4 * D + 4 * D + 4 * D * D + D
    norm = 2 * D
    return 1.0 * vocab_size * D + context_length * D + num_layers * (attention + feed + 2 * norm) + norm
""",
    },
    # top_p_probs
    {
        "task": "top_p_probs",
        "right": True,
        "why": "sort, cumsum, scatter",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "row by row with a loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if p <= 0 or p > 1:
        raise ValueError(p)
    rows = []
    for row in probs.reshape(-1, probs.shape[-1]):
        out, total = torch.zeros_like(row), 0.0
        for i in torch.argsort(row, descending=True).tolist():
            if total >= p:
                break
            out[i] = row[i]
            total = total + row[i]
        rows.append(out / out.sum())
    return torch.stack(rows).reshape(probs.shape)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "ranks by double argsort and a count of what is needed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not (p > 0 and p <= 1):
        raise ValueError("p")
    order = torch.argsort(probs, dim=-1, descending=True, stable=True)
    sums = torch.gather(probs, -1, order).cumsum(-1)
    needed = (sums < p).sum(-1, keepdim=True) + 1
    rank = torch.argsort(order, dim=-1)
    cut = probs * (rank < needed)
    return cut / cut.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "the token that reaches p is cut, the first one kept always",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    sums = ordered.cumsum(dim=-1)
    keep = sums <= p
    keep[..., 0] = True
    kept = torch.where(keep, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "one token too many where the sum is exactly p: 'stop when the sum has reached p'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before <= p, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "all equally likely tokens are kept: 'the smallest set'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    last = torch.where(kept > 0, kept, torch.ones_like(kept)).amin(-1, keepdim=True)
    out = torch.where(probs >= last, probs, torch.zeros_like(probs))
    return out / out.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "not divided again: 'summing to 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    return torch.zeros_like(probs).scatter(-1, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "result in sorted order: 'in the order of the tokens'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return kept
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p = 1 is refused",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p < 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p = 0 passes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 <= p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "p above 1 passes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(probs).scatter(-1, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "sorts along the first axis: right for one row",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=0, descending=True)
    before = ordered.cumsum(dim=0) - ordered
    kept = torch.where(before < p, ordered, torch.zeros_like(ordered))
    kept = kept / kept.sum(dim=0, keepdim=True)
    return torch.zeros_like(probs).scatter(0, where, kept)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "changes its argument: 'A function must not change its arguments'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    drop = torch.zeros_like(probs, dtype=torch.bool).scatter(-1, where, ordered.cumsum(-1) - ordered >= p)
    probs[drop] = 0
    return probs / probs.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "one number of tokens for all rows (the largest that any needs)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    k = int((ordered.cumsum(-1) - ordered < p).sum(-1).max())
    kept = ordered.clone()
    kept[..., k:] = 0
    return torch.zeros_like(probs).scatter(-1, where, kept / kept.sum(-1, keepdim=True))
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "softmax of the kept probabilities instead of a division",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    ordered, where = probs.sort(dim=-1, descending=True)
    kept = ordered.masked_fill(ordered.cumsum(-1) - ordered >= p, float("-inf"))
    return torch.zeros_like(probs).scatter(-1, where, kept.softmax(-1))
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "keeps tokens of at least p times the largest (min-p)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p outside (0, 1]")
    kept = probs * (probs >= (1 - p) * probs.amax(-1, keepdim=True))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    # cache_bytes
    {
        "task": "cache_bytes",
        "right": True,
        "why": "product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "math.prod",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    keys = values = math.prod((num_layers, num_kv_heads, head_dim, length, batch_size))
    return (keys + values) * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "an empty tensor's size on the meta device",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    total = 0
    for _ in range(num_layers):
        for _ in ("key", "value"):
            total += torch.empty(batch_size, num_kv_heads, length, head_dim, device="meta").numel() * bytes_each
    return total
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "keys only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "batch ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "two bytes always",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * 2
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "one layer less",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * (num_layers - 1) * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "the width is head_dim alone",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "a length of 0 is taken for one token: '0 or more'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * max(length, 1) * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "in float: numbers beyond 2^53 lose digits, and it is no int",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2.0 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "in numpy's int32: overflows for large models",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return int(np.prod([2, 1], dtype=np.int32) * np.array([num_layers], dtype=np.int32)[0] * num_kv_heads * head_dim * length * batch_size * bytes_each) % 2 ** 32
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "the square of the length",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * length * length * batch_size * bytes_each
""",
    },
    # alibi_bias
    {
        "task": "alibi_bias",
        "right": True,
        "why": "broadcast, masked_fill",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
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

def alibi_bias(slopes, length):
    out = torch.full((len(slopes), length, length), -math.inf, dtype=torch.float64)
    for h, m in enumerate(slopes):
        for t in range(length):
            for s in range(t + 1):
                out[h, t, s] = -m * (t - s)
    return out
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "numpy, a sum with a mask of minus infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    t, s = np.indices((length, length))
    hidden = np.where(s > t, -np.inf, 0.0)
    penalty = np.stack([np.tril(s - t) * float(m) for m in slopes]) if slopes else np.zeros((0, length, length))
    return torch.from_numpy((penalty + hidden).astype(np.float64))
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "key positions times the slope relative to the diagonal, triu of minus infinity added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    m = torch.as_tensor(slopes, dtype=torch.float64).reshape(-1, 1, 1)
    row = torch.arange(length, dtype=torch.float64)
    future = torch.triu(torch.full((length, length), float("-inf"), dtype=torch.float64), diagonal=1)
    return m * (row - row.unsqueeze(1)).clamp(max=0) + future
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "a reward instead of a penalty",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "float32: 'A tensor of float64'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.float().masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the future gets a penalty by distance, too, instead of minus infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance.abs()
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "-1e9 instead of minus infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, -1e9)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the word itself is hidden",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance <= 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "slope times minus infinity: NaN for slope 0 ('0 or more')",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    d = distance.masked_fill(distance < 0, float("inf"))
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * d
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "slopes along the rows where H = T",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance if len(slopes) != length else -torch.tensor(slopes, dtype=torch.float64)[None, :, None] * distance.expand(length, length, length)
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the usual slopes 2^(-8h/H), not those given",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor([2.0 ** (-8 * (h + 1) / len(slopes)) for h in range(len(slopes))], dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "transposed: rows are keys",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf")).transpose(1, 2)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "length 0 fails: 'T, 0 or more'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    heads = []
    for m in slopes:
        rows = [torch.tensor([-m * (t - s) if s <= t else -math.inf for s in range(length)], dtype=torch.float64) for t in range(length)]
        heads.append(torch.stack(rows))
    return torch.stack(heads)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "distance counted from 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * (distance + 1)
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    {
        "task": "alibi_bias",
        "right": None,
        "why": "slopes rounded to float32 first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    p = torch.arange(length, dtype=torch.float64)
    distance = p[:, None] - p[None, :]
    bias = -torch.tensor(slopes)[:, None, None] * distance
    return bias.masked_fill(distance < 0, float("-inf"))
""",
    },
    # rms_norm
    {
        "task": "rms_norm",
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

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean(dim=-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "torch's function",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return F.rms_norm(x, (x.shape[-1],), weight=gain, eps=eps)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "rsqrt and a dot product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    square = torch.einsum("...d,...d->...", x, x) / x.size(-1)
    return torch.einsum("...,...d,d->...d", torch.rsqrt(square + eps), x, gain)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "the norm, squared",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    D = x.shape[-1]
    length = (x.square().sum(-1, True) + eps * D).pow(0.5)
    return gain * (x * math.sqrt(D) / length)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "subtracts the mean, as LayerNorm does",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    x = x - x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt((x ** 2).mean(dim=-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "eps outside the root: 'added under the root'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / (torch.sqrt((x ** 2).mean(dim=-1, keepdim=True)) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "sum, not mean: right for D = 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).sum(dim=-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "mean over all numbers: right for one vector",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the scale is cut out of the graph: 'The gradient must flow through it'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x.detach() ** 2).mean(dim=-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "eps is always 1e-5",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean(dim=-1, keepdim=True) + 1e-5) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "no gain",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean(dim=-1, keepdim=True) + eps)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "gain plus 1 (as in Gemma)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean(dim=-1, keepdim=True) + eps) * (1 + gain)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the gain's gradient is cut",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean(dim=-1, keepdim=True) + eps) * gain.detach()
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "changes x in place: 'A function must not change its arguments'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    scale = torch.rsqrt((x ** 2).mean(dim=-1, keepdim=True) + eps)
    with torch.no_grad():
        x *= scale
    return x * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "eps as a lower limit (max) instead of a sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x ** 2).mean(dim=-1, keepdim=True).clamp(min=eps)) * gain
""",
    },
    # top_p_probs
    {
        "task": "top_p_probs",
        "right": True,
        "why": "of equally likely tokens the last: 'any may be kept'; the tail is cut from below",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    flipped = probs.flip(-1)
    order = torch.argsort(flipped, dim=-1, descending=True, stable=True)
    ranked = flipped.gather(-1, order)
    before = ranked.cumsum(-1) - ranked
    before[..., 0] = 0
    ranked = ranked * (before < p)
    out = torch.empty_like(flipped).scatter_(-1, order, ranked)
    return (out / out.sum(-1, keepdim=True)).flip(-1)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "for more than two axes all rows share the nucleus of the first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p")
    row = probs.reshape(-1, probs.shape[-1])[0]
    ordered, where = row.sort(descending=True)
    keep = torch.zeros_like(row)
    keep[where[ordered.cumsum(0) - ordered < p]] = 1
    out = probs * keep
    return out / out.sum(-1, keepdim=True)
""",
    },
    # alibi_bias
    {
        "task": "alibi_bias",
        "right": True,
        "why": "expanded views, no copies until the product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def alibi_bias(slopes, length):
    H = len(slopes)
    grid = torch.arange(length).double()
    back = (grid.view(1, -1, 1) - grid.view(1, 1, -1)).expand(H, length, length)
    m = torch.tensor(list(slopes), dtype=torch.float64).view(H, 1, 1)
    return torch.where(back >= 0, -(m * back), torch.tensor(-math.inf, dtype=torch.float64))
""",
    },
    # gpt_parameters
    {
        "task": "gpt_parameters",
        "right": None,
        "why": "numpy's int64, which is no int",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = np.int64(embed_dim)
    return D * (vocab_size + context_length + 2) + num_layers * D * (12 * D + 13)
""",
    },
    # rms_norm
    {
        "task": "rms_norm",
        "right": False,
        "why": "the root mean square of the gained vector",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    y = x * gain
    return y / torch.sqrt((y ** 2).mean(-1, keepdim=True) + eps)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "numpy inside: the gradient does not flow",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def rms_norm(x, gain, eps=1e-5):
    a = x.detach().numpy()
    return torch.from_numpy(np.asarray(a / np.sqrt((a * a).mean(-1, keepdims=True) + np.array(eps, a.dtype)))) * gain
""",
    },
]
