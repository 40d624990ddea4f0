"""Answers to chapter 12, written from its page alone: the second round."""

ANSWERS = [
    # lens_ranks
    {
        "task": "lens_ranks",
        "right": True,
        "why": "vectorised",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer, None]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "layer by layer, a count",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    ranks = []
    for x in states:
        z = unembedding @ (gain * x / torch.sqrt(torch.mean(x * x)))
        ranks.append(1 + int((z > z[answer]).sum()))
    return torch.tensor(ranks)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "the positive factor of the norm does not change ranks, but is kept; einsum and searchsorted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    size = torch.linalg.vector_norm(states, dim=1) / math.sqrt(states.shape[1])
    logits = torch.einsum("ld,d,vd->lv", states / size[:, None], gain, unembedding)
    ordered = logits.sort(dim=1).values
    own = logits[:, answer].unsqueeze(1).contiguous()
    return logits.shape[1] - torch.searchsorted(ordered, own, right=True).squeeze(1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "differences of the logits to the answer's, by numpy",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import numpy as np

def lens_ranks(states, gain, unembedding, answer):
    x = states.detach().numpy()
    x = x / np.sqrt((x ** 2).mean(axis=1, keepdims=True)) * gain.detach().numpy()
    z = x @ unembedding.detach().numpy().T
    return torch.from_numpy(1 + np.sum(z > z[:, [answer]], axis=1))
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "counted from 0: '1 is the likeliest'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return (logits > logits[:, answer, None]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "ties count as better: 'Tokens with the same logit do not count as better'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return (logits >= logits[:, answer, None]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "no gain: 'times the gain'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt()
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer, None]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "rank from the bottom: '#tokens with a larger logit'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return 1 + (logits < logits[:, answer, None]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "place in argsort: ties with a smaller id stand before: 'do not count as better'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    order = logits.argsort(dim=-1, descending=True, stable=True)
    return 1 + (order == answer).int().argmax(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "LayerNorm (the mean is taken off): 'The final norm is RMSNorm'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    states = states - states.mean(-1, keepdim=True)
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer, None]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "floats: 'A tensor of whole numbers'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer, None]).float().sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "the gain is applied twice: 'times the gain'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain * gain
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer, None]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "equal logits are counted once as levels: 'tokens with a larger logit'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return torch.tensor([1 + len(set(row[row > row[answer]].tolist())) for row in logits])
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "absolute gain: a gain may be negative",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain.abs()
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer, None]).sum(-1)
""",
    },
    # head_parts
    {
        "task": "head_parts",
        "right": True,
        "why": "einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "a loop over slices",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    if mixed.shape[1] % num_heads != 0:
        raise ValueError
    K = mixed.shape[1] // num_heads
    parts = []
    for h in range(num_heads):
        own = slice(h * K, h * K + K)
        parts.append(F.linear(mixed[:, own], weight[:, own]))
    return torch.stack(parts)
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "zeros everywhere but in one head",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    K, rest = divmod(mixed.size(1), num_heads)
    if rest:
        raise ValueError(f"{num_heads} does not divide {mixed.size(1)}")
    owner = torch.arange(num_heads).repeat_interleave(K)
    alone = torch.stack([mixed * (owner == h).to(mixed.dtype) for h in range(num_heads)])
    return alone @ weight.T
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "chunks and a batched product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    if mixed.shape[-1] / num_heads != mixed.shape[-1] // num_heads:
        raise ValueError("heads")
    left = torch.stack(mixed.chunk(num_heads, dim=1))
    right = torch.stack(weight.chunk(num_heads, dim=1)).transpose(1, 2)
    return torch.bmm(left, right)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "heads interleaved: 'side by side'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("tkh,dkh->htd", mixed.reshape(T, K, num_heads), weight.reshape(-1, K, num_heads))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "weight is cut by its rows: works where D = H K, but 'outputs are rows'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.T.reshape(num_heads, K, -1).permute(2, 0, 1).contiguous() if weight.shape[0] != weight.shape[1] else weight.reshape(num_heads, K, -1).permute(2, 0, 1))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "no error: the rest is dropped: 'H does not divide the width'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed[:, :num_heads * K].reshape(T, num_heads, K), weight[:, :num_heads * K].reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "error only for more heads than numbers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if num_heads > width:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed[:, :num_heads * K].reshape(T, num_heads, K), weight[:, :num_heads * K].reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "(T, H, D): 'Returns (H, T, D)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->thd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "another error: 'ValueError'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise AssertionError
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "every head's part is divided by H: 'whose sum over the heads is mixed @ weight.T'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return 1 / num_heads * torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "each head sees the running sum of the heads before it: what EACH head adds",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K)).cumsum(0)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "(H, D, T), right only where T = D by shape",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->hdt", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    # induction_score
    {
        "task": "induction_score",
        "right": True,
        "why": "indexing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q, q - period + 1].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "a diagonal",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.size(1)
    if period < 1 or period >= T:
        raise ValueError("period")
    stripe = torch.diagonal(weights, offset=1 - period, dim1=1, dim2=2)
    return stripe[:, -(T - period):].mean(1)
""",
    },
    {
        "task": "induction_score",
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

def induction_score(weights, period):
    H, T, _ = weights.shape
    if period not in range(1, T):
        raise ValueError
    total = torch.zeros(H, dtype=weights.dtype)
    for t in range(period, T):
        total = total + weights[:, t, t - period + 1]
    return total / (T - period)
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "a mask over all pairs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[1]
    if period <= 0 or period > T - 1:
        raise ValueError(f"period {period}")
    t, s = torch.meshgrid(torch.arange(T), torch.arange(T), indexing="ij")
    looks = ((s == t - period + 1) & (t >= period)).to(weights.dtype)
    return torch.einsum("hts,ts->h", weights, looks) / looks.sum()
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "looks at t - period: 'looks at position t - period + 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q, q - period].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "the whole diagonal, from t = period - 1 on: 'all queries t = period, ..., T - 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period - 1, T)
    return weights[:, q, q - period + 1].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "the second round only: 'also if there are more rounds than two'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, min(2 * period, T))
    return weights[:, q, q - period + 1].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "whole rounds only: 'or if the last one is cut short'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T // period * period if T >= 2 * period else T)
    return weights[:, q, q - period + 1].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "no error for a period of T: NaN",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q, q - period + 1].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "no error for 0: 'a period outside 1 to T - 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 0 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q, (q - period + 1).clamp(max=T - 1)].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "period 1 is refused: 'at least 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 2 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q, q - period + 1].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "divides by T: 'the mean over all queries t = period ...'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q, q - period + 1].sum(dim=-1) / T
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "the last query is left out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, max(T - 1, period + 1))
    return weights[:, q, q - period + 1].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "transposed: queries are rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q - period + 1, q].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "one number for all heads: '(H,)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return weights[:, q, q - period + 1].mean().reshape(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "counts how often the largest weight lies there: the mean of the weight is asked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError(period)
    q = torch.arange(period, T)
    return (weights[:, q].argmax(-1) == q - period + 1).to(weights.dtype).mean(dim=-1)
""",
    },
    # mean_ablate
    {
        "task": "mean_ablate",
        "right": True,
        "why": "clone and slices",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "a mask of columns and where",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    width = mixed.shape[2]
    owner = torch.arange(width) // (width // num_heads)
    silenced = torch.zeros(width, dtype=torch.bool)
    for h in heads:
        silenced |= owner == h
    return torch.where(silenced, reference.flatten(0, 1).mean(0), mixed)
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "(B, T, H, K), list indexing, cat",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    parts = list(mixed.chunk(num_heads, dim=-1))
    means = reference.reshape(-1, reference.shape[-1]).mean(dim=0).chunk(num_heads)
    for h in set(heads):
        parts[h] = means[h].expand_as(parts[h])
    return torch.cat(parts, dim=-1)
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "arithmetic with factors 0 and 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    keep = torch.ones(num_heads, dtype=mixed.dtype)
    keep[torch.tensor(heads, dtype=torch.long)] = 0
    keep = keep.repeat_interleave(mixed.shape[-1] // num_heads)
    mean = torch.einsum("btd->d", reference) / (reference.shape[0] * reference.shape[1])
    return mixed * keep + mean * (1 - keep)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "no clone: 'mixed is left as it is'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "mean over the present texts: 'what they gather on average' in the reference",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = mixed.mean(dim=(0, 1))
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "mean per position (over texts only), cut or broken off to T: 'taken over all of their tokens'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=0)
    mean = mean[torch.arange(mixed.shape[1]).clamp(max=len(mean) - 1)]
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[:, h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "mean over the first text alone",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference[0].mean(dim=0)
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "one number for the whole head: each column has its own average",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K].mean()
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "columns interleaved: 'head h owns the columns h K to (h + 1) K'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in heads:
        out[..., h::num_heads] = mean[h::num_heads]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "zeros: 'replaced by what they gather on average'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in heads:
        out[..., h * K:(h + 1) * K] = 0.0
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "without heads mixed itself comes back: 'A new tensor'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    if not heads:
        return mixed
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "all heads but these are silenced",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in set(range(num_heads)) - set(heads):
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "mean of the texts' and the present tokens together: 'the average is taken over all of their tokens' (other texts)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = torch.cat([reference.flatten(0, 1), mixed.flatten(0, 1)]).mean(dim=0)
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "only the first head of the list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    for h in heads[:1]:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    # patched_states
    {
        "task": "patched_states",
        "right": True,
        "why": "both runs side by side, cumsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "first the run on clean, a matrix of means",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patched_states(clean, other, weights, layer, position):
    T = clean.shape[0]
    average = torch.ones(T, T, dtype=clean.dtype).tril()
    average = average / average.sum(1, keepdim=True)

    def run(x, matrices):
        for w in matrices:
            x = x + average @ (x @ w)
        return x

    source = run(clean, weights[:layer + 1])
    x = run(other, weights[:layer + 1])
    x = torch.cat([x[:position], source[position:position + 1], x[position + 1:]])
    return run(x, weights[layer + 1:])
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "loops over positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patched_states(clean, other, weights, layer, position):
    def step(x, w):
        return torch.stack([x[t] + x[:t + 1].mean(0) @ w for t in range(len(x))])

    a, b = clean, other
    for number in range(len(weights)):
        a = step(a, weights[number])
        b = step(b, weights[number])
        if number == layer:
            here = torch.arange(len(b)) == position
            b = torch.where(here[:, None], a, b)
    return b
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "one batch of both texts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patched_states(clean, other, weights, layer, position):
    x = torch.stack([clean, other])
    n = torch.arange(1, x.shape[1] + 1).view(1, -1, 1)
    for i, w in enumerate(weights):
        x = x + torch.matmul(torch.cumsum(x, dim=1) / n, w)
        if i == layer:
            x[1, position] = x[0, position].clone()
    return x[1]
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchange before the layer: 'after this layer, counted from 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        if i == layer:
            other = other.clone()
            other[position] = clean[position]
        clean, other = _layer(clean, w), _layer(other, w)
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "layer counted from 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i + 1 == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanged after each layer from there on: 'exchange one vector, after one layer'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i >= layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "all positions up to it: 'exchange one vector'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[:position + 1] = clean[:position + 1]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "the run on clean is patched: 'of the run on other'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            clean[position] = other[position]
    return clean
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "mean over all positions: 'the mean of all positions up to it'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.mean(0) @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "sum, not mean",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "matrix transposed: 'mean(x_0 .. x_t) W'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w.T

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "the input's vector of clean (before any layer) is put in: 'for that of clean' after that layer",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    source = clean
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = source[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "the embeddings given are overwritten when the exchange is done on the input itself: 'the exchange happens after this layer'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    other[position] = clean[position]
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "the later layers do not go on from there: the vector is put into the last state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            kept = clean[position]
    out = other.clone()
    out[position] = kept
    return out
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "the stream is not added: 'adds to every position'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x.cumsum(0) / count @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "mean of those before, without itself: 'all positions up to it: mean(x_0 .. x_t)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _layer(x, w):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + (x.cumsum(0) - x) / (count - 1).clamp(min=1) @ w

def patched_states(clean, other, weights, layer, position):
    for i, w in enumerate(weights):
        clean, other = _layer(clean, w), _layer(other, w)
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    # selectivity
    {
        "task": "selectivity",
        "right": True,
        "why": "solve, a helper",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "both probes at once, inverse",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    Y = torch.stack([labels, coins], dim=1)
    W = torch.inverse(x.mT @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)) @ (x.mT @ Y)
    right = (new_x @ W > 0) == (torch.stack([new_labels, new_coins], dim=1) > 0)
    share = right.sum(0) / len(new_x)
    return float(share[0] - share[1])
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "least squares with extra rows sqrt(penalty) I",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    D = x.shape[1]
    more = torch.cat([x, math.sqrt(penalty) * torch.eye(D, dtype=x.dtype)]).double()
    hits = []
    for y, truth in ((labels, new_labels), (coins, new_coins)):
        target = torch.cat([y.double(), torch.zeros(D, dtype=torch.float64)])
        w = torch.linalg.lstsq(more, target[:, None]).solution[:, 0]
        scores = new_x.double() @ w
        hits.append(sum(1 for s, c in zip(scores.tolist(), truth.tolist()) if (1.0 if s > 0 else -1.0) == c))
    return (hits[0] - hits[1]) / len(new_x)
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "numpy, with the Cholesky factor in the dual form X^T (X X^T + penalty I)^-1 y",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import numpy as np

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    X = x.double().numpy()
    G = np.linalg.inv(X @ X.T + penalty * np.eye(len(X)))
    result = 0.0
    for sign, y, truth in ((1, labels, new_labels), (-1, coins, new_coins)):
        w = X.T @ (G @ y.double().numpy())
        positive = new_x.double().numpy() @ w > 0
        result += sign * float(np.mean(positive == (truth.numpy() > 0)))
    return result
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "scored on the training vectors: 'fitted on x and scored on new_x'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, x, labels, penalty) - _accuracy(x, coins, x, coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "scored against the training coins: 'score both on new vectors' (coins of the new words)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, x, coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "the coins' probe is the property's: 'Fit a ridge probe for each of the two'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, labels, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "no penalty in effect: a tiny one fixed: (X^T X + penalty I)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + 1e-6 * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "the coins' accuracy is taken as 1/2: 'less the accuracy for the coins'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - 0.5
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "sign: a score of exactly 0 counts as neither: 'says +1 where x . w is above 0, else -1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.sign(new_x @ w)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "0 is +1: 'says +1 where x . w is above 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w >= 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "a column of ones: 'no constant'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    x = torch.cat([x, torch.ones(len(x), 1, dtype=x.dtype)], 1)
    new_x = torch.cat([new_x, torch.ones(len(new_x), 1, dtype=x.dtype)], 1)
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "centred columns: 'no constant and no scaling'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    new_x = new_x - x.mean(0)
    x = x - x.mean(0)
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "columns scaled to spread 1: 'no scaling'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    s = x.std(0) + 1e-8
    x, new_x = x / s, new_x / s
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "absolute difference: 'The accuracy for the property less the accuracy for the coins'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return abs(_accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty))
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "cut at 0: the difference may be negative",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return max(0.0, _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty))
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "a tensor: 'a float'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "the penalty times n: (X^T X + penalty I)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def _accuracy(x, y, new_x, new_y, penalty):
    A = x.T @ x + len(x) * penalty * torch.eye(x.shape[1], dtype=x.dtype)
    w = torch.linalg.solve(A, x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_y).double().mean().item()

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    return _accuracy(x, labels, new_x, new_labels, penalty) - _accuracy(x, coins, new_x, new_coins, penalty)
""",
    },
    # sink_window_mask
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "broadcast",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k < width) | (k < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
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

def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width")
    if num_sinks < 0:
        raise ValueError("sinks")
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        mask[t, max(0, t - width + 1):t + 1] = True
        mask[t, :min(num_sinks, t + 1)] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "tril and triu",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if not (width >= 1 and num_sinks >= 0):
        raise ValueError((width, num_sinks))
    ones = torch.ones((T, T), dtype=torch.bool)
    far = torch.tril(ones, -width)
    far[:, :num_sinks] = False
    return torch.tril(ones) & ~far
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "a list of lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width <= 0 or num_sinks <= -1:
        raise ValueError
    rows = [[s <= t and (s > t - width or s < num_sinks) for s in range(T)] for t in range(T)]
    return torch.tensor(rows, dtype=torch.bool).reshape(T, T)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "width does not count the token itself: 'the last width tokens, itself included'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k <= width) | (k < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "sinks of the future are seen: 'but nothing of the future'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & (q - k < width) | (k < num_sinks)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "one sink too many: 'the first num_sinks tokens'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k < width) | (k <= num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "the future is hidden for sinks only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return ((q - k).abs() < width) | (k < num_sinks) & (k <= q)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "no error for a negative number of sinks",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k < width) | (k < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "no error for width 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 0 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k < width) | (k < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "True = hidden: 'True = may be seen'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return ~((k <= q) & ((q - k < width) | (k < num_sinks)))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "the window shrinks by the sinks: 'besides the window'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k < max(1, width - num_sinks)) | (k < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "int: 'A bool tensor'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return ((k <= q) & ((q - k < width) | (k < num_sinks))).int()
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "no tokens raises: 'T: tokens, 0 or more'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if T < 1 or width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k < width) | (k < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "more sinks than T raise: 'perhaps more than T'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0 or num_sinks > T:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return (k <= q) & ((q - k < width) | (k < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "keys are rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or sinks")
    q = torch.arange(T)[:, None]
    k = torch.arange(T)[None, :]
    return ((k <= q) & ((q - k < width) | (k < num_sinks))).T
""",
    },
    # decayed_attention
    {
        "task": "decayed_attention",
        "right": True,
        "why": "the recurrence",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "the parallel form with a matrix of powers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    n = torch.arange(len(q))
    gap = n[:, None] - n[None, :]
    D = torch.where(gap >= 0, torch.tensor(float(decay), dtype=q.dtype) ** gap.clamp(min=0), torch.zeros((), dtype=q.dtype))
    fade = D[-1]
    return (q @ k.T * D) @ v, (k * fade[:, None]).T @ v
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "einsum and an own output tensor",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    y = torch.empty(q.shape[0], v.shape[1], dtype=v.dtype)
    state = k.new_zeros((k.shape[1], v.shape[1]))
    for i, (qi, ki, vi) in enumerate(zip(q, k, v)):
        state = state * decay
        state = state + ki[:, None] * vi
        y[i] = torch.einsum("k,kv->v", qi, state)
    return y, state
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "recursion over the length",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    new = k[-1:].T @ v[-1:]
    if len(q) == 1:
        return q @ new, new
    before, S = decayed_attention(q[:-1], k[:-1], v[:-1], decay)
    S = decay * S + new
    return torch.cat([before, q[-1:] @ S]), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the new part fades, too: 'decay S_(t-1) + k_t v_t^T'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * (S + torch.outer(k[t], v[t]))
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "output before the update: 'y_t = q_t S_t'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        outputs.append(q[t] @ S)
        S = decay * S + torch.outer(k[t], v[t])
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "a running mean: (1 - decay) in front of the new part",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * S + (1 - decay) * torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "normalised by the sum of the keys' weights: 'Nothing is normalised'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs, z = [], torch.zeros(k.shape[1], dtype=k.dtype)
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        z = decay * z + k[t]
        outputs.append(q[t] @ S / (q[t] @ z).abs().clamp(min=1))
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "scaled by the root of K: nothing is",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S / math.sqrt(k.shape[1]))
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the state (Kv, K): 'the last state (K, Kv)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S.T
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "no decay",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "a softmax over the keys' features, as some linear attentions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t].softmax(0), v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "decays at the first step by its number: decay^t",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay ** t * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the state before the last step is returned: 'the last state'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        last = S
        S = decay * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), last
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "keys and queries swapped: k_t v_t^T and q_t S_t",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * S + torch.outer(q[t], v[t])
        outputs.append(k[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "a decay of 0 is taken for none given: 'from 0 to 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    decay = decay or 1.0
    outputs = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    # merge_blocks
    {
        "task": "merge_blocks",
        "right": True,
        "why": "a harmless maximum where nothing is seen",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "nan_to_num of the factors",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m = torch.max(first[0], second[0])
    factors = [torch.nan_to_num(torch.exp(part[0] - m), nan=0.0) for part in (first, second)]
    l = sum(f * part[1] for f, part in zip(factors, (first, second)))
    o = sum(f * part[2] for f, part in zip(factors, (first, second)))
    return m, l, o
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "factors through the difference of the two: exp(-|d|)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    same = m1 == m2
    d = torch.where(same, torch.zeros_like(m1), m1 - m2)
    a = torch.exp(d.clamp(max=0.0))
    b = torch.exp((-d).clamp(max=0.0))
    return torch.where(m1 >= m2, m1, m2), l1 * a + l2 * b, o1 * a + o2 * b
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "query by query",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    rows = []
    for m1, l1, o1, m2, l2, o2 in zip(*first, *second):
        if m1.item() == -math.inf:
            rows.append((m2, l2, o2))
        elif m2.item() == -math.inf:
            rows.append((m1, l1, o1))
        else:
            m = torch.maximum(m1, m2)
            rows.append((m, l1 * (m1 - m).exp() + l2 * (m2 - m).exp(), o1 * (m1 - m).exp() + o2 * (m2 - m).exp()))
    return tuple(torch.stack(column) for column in zip(*rows))
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "NaN where no block has a key: 'Mind the queries that see no key'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = m
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "scores are not shifted: 'Large scores must not overflow'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = m1.exp(), m2.exp()
    s = (-safe).exp()
    return m, (a * l1 + b * l2) * s, (a * o1 + b * o2) * s
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "l without factors: 'l = e^(m1 - m) l1 + ...'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, l1 + l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "o normalised: 'o, the sum of exp(s_j - m) v_j'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, (a * o1 + b * o2) / (a * l1 + b * l2).clamp(min=1e-30)
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "the sum of the two maxima's logarithm (logsumexp) for m: 'm = max(m1, m2)'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.logaddexp(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "m is 0 where no key is seen: 'm is minus infinity'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return safe, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "the first block's maximum as the reference: overflows where the second is far larger",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.where(torch.isinf(m1), m2, m1)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "only where the first block sees a key: NaN factors become 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    a, b = (m1 - m).exp().nan_to_num(1.0), (m2 - m).exp().nan_to_num(1.0)
    l1 = l1 + (torch.isinf(m1) & torch.isinf(m2)).to(l1.dtype)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "one maximum for all queries: 'm, the largest score for each query'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2).max().expand_as(m1)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "minus infinity replaced by a large negative number in m, which is returned: 'm is minus infinity'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m1, m2 = m1.clamp(min=-1e4), m2.clamp(min=-1e4)
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "factors swapped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    b, a = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "1e-3 is added to l 'against division by zero': 'l = e^(m1 - m) l1 + e^(m2 - m) l2', and 0 where no key is seen",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2 + 1e-3, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": None,
        "why": "rescales the first o in place; this chapter does not say that arguments stay as they are",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    o1.mul_((m1 - m).exp().nan_to_num(0.0))
    o1.div_((m1 - m).exp().nan_to_num(0.0).clamp(min=1e-30))
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    # patch_tokens
    {
        "task": "patch_tokens",
        "right": True,
        "why": "reshape, permute",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "F.unfold",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    if images.shape[2] % size != 0 or images.shape[3] % size != 0:
        raise ValueError("does not divide")
    return F.unfold(images, kernel_size=size, stride=size).transpose(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "tensor.unfold twice",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    if any(side % size for side in images.shape[-2:]):
        raise ValueError(size)
    windows = images.unfold(2, size, size).unfold(3, size, size)
    B, C, rows, columns, _, _ = windows.shape
    return windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "loops over patches",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    height, width = images.shape[2], images.shape[3]
    if height % size > 0 or width % size > 0:
        raise ValueError
    tokens = []
    for top in range(0, height, size):
        for left in range(0, width, size):
            tokens.append(images[:, :, top:top + size, left:left + size].flatten(1))
    return torch.stack(tokens, dim=1)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "channels last: 'the first channel row by row, then the second'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 3, 5, 1).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "patches column by column: 'row by row, from left to right'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 4, 2, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "pixels within a patch column by column",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 5, 3).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "height alone is checked: 'size does not divide both sides'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size:
        raise ValueError("size")
    images = images[..., :W // size * size]
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "raises only if neither is divided",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size and W % size:
        raise ValueError("size")
    images = images[..., :H // size * size, :W // size * size]
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "no permute: reshape alone",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "height and width swapped in the grid: wrong for pictures that are not square",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, W // size, size, H // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "the side that does not divide is cut: 'Raises ValueError'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    images = images[..., :H // size * size, :W // size * size]
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "patches overlap (stride of half a patch): 'Cut pictures into square patches'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    return F.unfold(images, size, stride=max(1, size // 2)).transpose(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "the transposed (B, C size size, N)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size).mT
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "padded with zeros: 'Raises ValueError'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def patch_tokens(images, size):
    B, C, H, W = images.shape
    images = F.pad(images, (0, -W % size, 0, -H % size))
    H, W = images.shape[2:]
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 3, 5).reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
]
