"""Answers to chapter 02, written from its page alone: the second round."""

ANSWERS = [
    # encode_decode
    {
        "task": "encode_decode",
        "right": True,
        "why": "rows of the encoder times the decoder",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": True,
        "why": "the big table encoder times decoder first, then its rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    table = np.matmul(encoder, decoder)
    index = np.array(list(ids)).astype(np.int64)
    if index.size and not (index.min() >= 0 and index.max() < len(table)):
        raise ValueError("unknown id")
    return table[index, :]
""",
    },
    {
        "task": "encode_decode",
        "right": True,
        "why": "one-hot rows and einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    T, V = len(ids), len(encoder)
    x = np.zeros((T, V))
    for t, i in enumerate(ids):
        if i not in range(V):
            raise ValueError(i)
        x[t, i] = 1.0
    return np.einsum("tv,vd,dw->tw", x, encoder, decoder)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "negative ids count from the end",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i >= V for i in ids):
        raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "id V: IndexError instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i > V for i in ids):
        raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "an empty list gives shape (0,)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    return np.array([encoder[i] @ decoder for i in ids])
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "each id once and sorted: row t is not ids[t]",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    return encoder[np.array(sorted(set(ids)), dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "probabilities instead of scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    s = encoder[np.array(ids, dtype=int)] @ decoder
    e = np.exp(s - s.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "float32",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    return encoder.astype(np.float32)[np.array(ids, dtype=int)] @ decoder.astype(np.float32)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "no ids allowed: ValueError for an empty list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if not ids or any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "an id that is repeated is marked only where it comes first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    x = np.zeros((len(ids), V))
    for i in ids:
        x[ids.index(i), i] = 1
    return x @ encoder @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "ids outside are clipped instead of raising",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i >= V for i in ids):
        ids = np.clip(ids, 0, V - 1)
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    # logits_gradient
    {
        "task": "logits_gradient",
        "right": True,
        "why": "softmax minus one-hot",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "loops with math.exp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    if len(targets) == 0 or len(targets) != scores.shape[0]:
        raise ValueError("no rows or wrong number")
    B, V = scores.shape
    out = np.zeros((B, V))
    for b in range(B):
        top = max(scores[b])
        z = sum(math.exp(s - top) for s in scores[b])
        for j in range(V):
            out[b, j] = (math.exp(scores[b, j] - top) / z - (j == targets[b])) / B
    return out
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "torch's own autograd",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("rows")
    s = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    F.cross_entropy(s, torch.tensor(targets)).backward()
    return s.grad.numpy()
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "logaddexp and an identity matrix",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    n = scores.shape[0]
    if not n or n != len(targets):
        raise ValueError
    log_p = scores - np.logaddexp.reduce(scores, axis=-1)[:, np.newaxis]
    return (np.exp(log_p) - np.eye(scores.shape[1])[targets]) / n
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "changes scores in place by subtracting the maximum: 'scores stays as it is'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    scores -= scores.max(axis=1, keepdims=True)
    e = np.exp(scores)
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "not divided by B",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "divided by B times V",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / p.size
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "no maximum subtracted: scores of 1000 overflow",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    e = np.exp(scores)
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "one maximum for the whole table: a row at -1000 beside one at 1000 underflows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    e = np.exp(scores - scores.max())
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "truth minus probability",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return -p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "a single target for many rows is broadcast instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) not in (1, B):
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "too many targets are accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) < B:
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets[:B]] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "no rows: an empty array instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if len(targets) != B:
        raise ValueError("rows")
    if B == 0:
        return scores.copy()
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "scores are clipped to -500..500: gradient wrong for scores 600 and 1000",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    scores = np.clip(scores, -500, 500)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "1 is taken from the target's column in all rows (wrong index)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[:, targets] -= 1
    return p / B
""",
    },
    # context_windows
    {
        "task": "context_windows",
        "right": True,
        "why": "windows of the padded text",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "each context filled up by itself",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if not order >= 1:
        raise ValueError("the order is at least 1")
    n, contexts, words = order - 1, [], []
    for i, word in enumerate(ids):
        known = ids[max(0, i - n):i]
        contexts.append([pad] * (n - len(known)) + known)
        words.append(word)
    return contexts, words
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "a rolling context",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order <= 0:
        raise ValueError
    context, contexts = (pad,) * (order - 1), []
    for word in ids:
        contexts.append(list(context))
        context = (context + (word,))[1:]
    return contexts, ids[:]
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "the predicted ids are the argument itself, not a new list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    return contexts, ids
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "nearest word first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1][::-1] for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "the padding is added to the argument in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    words = list(ids)
    ids[:0] = [pad] * (order - 1)
    padded = ids
    contexts = [padded[i:i + order - 1] for i in range(len(words))]
    return contexts, words
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "no padding: the first contexts are shorter",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [list(ids[max(0, i - order + 1):i]) for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "words before which there is no full context are not predicted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(order - 1, len(ids))]
    return contexts, list(ids)[order - 1:]
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "tokens that have the id of the padding are skipped, though a word may have it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    ids = [i for i in ids if i != pad]
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "order 1 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 2:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "order 0 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 0:
        raise ValueError("order")
    padded = [pad] * max(order - 1, 0) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "order 1: the contexts are the whole text so far (slice -0)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[:i + order - 1][-(order - 1):] for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": None,
        "why": "contexts are tuples instead of lists",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [tuple(padded[i:i + order - 1]) for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "the padding is always 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [0] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "an empty text gets one context of padding instead of none",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    if not ids:
        return [padded], []
    return contexts, list(ids)
""",
    },
    # neural_ngram_logits
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "indexing and flatten",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "F.embedding and F.linear",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    B = contexts.shape[0]
    x = F.embedding(contexts, embedding).reshape(B, -1)
    return F.linear(F.linear(x, H, d).tanh(), U, b)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "one block of H for each position, summed in a loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    D = embedding.size(1)
    total = d.unsqueeze(0)
    for j in range(contexts.size(1)):
        block = H[:, j * D:(j + 1) * D]
        total = total + embedding.index_select(0, contexts[:, j]) @ block.t()
    return torch.addmm(b, total.tanh(), U.t())
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "one-hot product, einsum over position and width",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    V, D = embedding.shape
    one_hot = F.one_hot(contexts, V).to(embedding.dtype)
    blocks = H.view(H.shape[0], contexts.shape[1], D)
    a = torch.einsum("bnv,vd,hnd->bh", one_hot, embedding, blocks) + d
    return torch.einsum("bh,vh->bv", torch.tanh(a), U) + b
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "row by row with cat and stack",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    rows = []
    for context in contexts.tolist():
        x = torch.cat([embedding[i] for i in context])
        rows.append(torch.mv(U, torch.tanh(torch.mv(H, x) + d)) + b)
    return torch.stack(rows)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "no gradient to the embedding (looked up in a detached table)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding.detach()[contexts].flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "joins by number instead of by position: H has one block of D columns for each position",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].transpose(1, 2).flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "context reversed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts.flip(1)].flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "result always float32",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return (b + hidden @ U.T).float()
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "shape (V,) for a batch of one",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return (b + hidden @ U.T).squeeze(0)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "bias d is added after tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = d + torch.tanh(x @ H.T)
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "b is not added to the gradient's path",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return b.detach() + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "log-probabilities instead of scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = torch.tanh(d + x @ H.T)
    return (b + hidden @ U.T).log_softmax(-1)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "hidden layer with a ReLU",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = torch.relu(d + x @ H.T)
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "hidden layer computed without gradient, so H, d and embedding get none",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    with torch.no_grad():
        hidden = torch.tanh(d + x @ H.T)
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "sigmoid of twice the sum less a half: scale of tanh missing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    hidden = torch.sigmoid(d + x @ H.T) * 2 - 1
    return b + hidden @ U.T
""",
    },
    # bag_of_words
    {
        "task": "bag_of_words",
        "right": True,
        "why": "loop with a dict",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if word in column:
                X[i, column[word]] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "list.count in a comprehension",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    counts = [[float(list(d).count(w)) for w in vocabulary] for d in documents]
    return np.array(counts, dtype=float).reshape(-1, len(vocabulary))
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "Counter and bincount",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    at = {w: j for j, w in enumerate(vocabulary)}
    V = len(vocabulary)
    rows = [np.bincount(np.array([at[w] for w in d if w in at], dtype=int), minlength=V) for d in documents]
    return np.vstack([np.zeros((0, V)), *rows]).astype(np.float64)
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "lower case: 'The' is counted as 'the'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if word.lower() in column:
                X[i, column[word.lower()]] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "0 or 1 instead of how often",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if word in column:
                X[i, column[word]] = 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "words outside the vocabulary raise",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if True:
                X[i, column[word]] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "whole numbers instead of float64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)), dtype=int)
    for i, document in enumerate(documents):
        for word in document:
            if word in column:
                X[i, column[word]] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "no documents: shape (0,)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    return np.array([[d.count(w) for w in vocabulary] for d in documents], dtype=float)
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "counts in the joined text: parts of words are found, too",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, d in enumerate(documents):
        text = " ".join(d)
        for j, w in enumerate(vocabulary):
            X[i, j] = text.count(w)
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "divided by the length of the document",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if word in column:
                X[i, column[word]] += 1
    return X / np.maximum([[len(d)] for d in documents], 1) if documents else X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "columns in alphabetical order",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(sorted(vocabulary))}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if word in column:
                X[i, column[word]] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "empty documents have no row",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    documents = [d for d in documents if d]
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if word in column:
                X[i, column[word]] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "words outside are counted in the last column (as unknown)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            X[i, column.get(word, -1)] += 1
    return X
""",
    },
    # tf_idf
    {
        "task": "tf_idf",
        "right": True,
        "why": "maximum(holds, 1) for words of none",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * np.log(N / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
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

def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("N is 0")
    N, V = counts.shape
    out = np.zeros((N, V))
    for v in range(V):
        n = sum(1 for d in range(N) if counts[d, v] != 0)
        for d in range(N):
            if n:
                out[d, v] = counts[d, v] * math.log(N / n)
    return out
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "difference of logarithms, masked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    if not len(counts):
        raise ValueError
    n_v = np.count_nonzero(counts, axis=0)
    idf = np.zeros(counts.shape[1])
    seen = n_v > 0
    idf[seen] = np.log(len(counts)) - np.log(n_v[seen])
    return np.einsum("dv,v->dv", counts, idf)
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "changes counts in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    counts *= np.log(N / np.maximum(holds, 1))
    return counts
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "a word of no document: 0 times infinity is NaN",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * np.log(N / holds)
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "N_v is the sum of the counts instead of the number of documents",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = counts.sum(axis=0)
    return counts * np.log(N / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "base 10",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * np.log10(N / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "smoothed: ln((1 + N) / (1 + N_v))",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * np.log((1 + N) / (1 + holds))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "1 is added to the logarithm: a word of all documents is not 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * (1 + np.log(N / np.maximum(holds, 1)))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "counts are divided by the length of the document",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(N / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "no documents: an empty array instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        return counts.copy()
    holds = (counts > 0).sum(axis=0)
    return counts * np.log(N / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "0 or 1 instead of the count",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return (counts > 0) * np.log(N / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "N is the number of documents that are not empty",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * np.log(max((counts.sum(axis=1) > 0).sum(), 1) / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "a word counts as held from 2 on",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 1).sum(axis=0)
    return counts * np.log(N / np.maximum(holds, 1))
""",
    },
    # near_pairs
    {
        "task": "near_pairs",
        "right": True,
        "why": "two loops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "slices left and right",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if not window >= 1:
        raise ValueError("window below 1")
    return [(w, other)
            for i, w in enumerate(words)
            for other in words[max(i - window, 0):i] + words[i + 1:i + 1 + window]]
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "all pairs of positions, filtered by distance",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window <= 0:
        raise ValueError
    n = len(words)
    return [(words[i], words[j]) for i in range(n) for j in range(n) if 0 < abs(i - j) <= window]
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "the negative start wraps: at the left end contexts are missing or wrong",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(len(words))[i - window:i + window + 1]:
            if j != i:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "the farthest word on the right is missing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window)):
            if j != i:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "equal words at two positions are not paired",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if words[j] != centre:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "nearest first instead of left to right",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in sorted(range(max(0, i - window), min(len(words), i + window + 1)), key=lambda j: abs(j - i)):
            if j != i:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "each pair once",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i and (centre, words[j]) not in pairs:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "only contexts on the right, the mirrored pair right after",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(i + 1, min(len(words), i + window + 1)):
            pairs += [(centre, words[j]), (words[j], centre)]
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "window 0 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 0:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "position found with list.index: repeated words get the context of the first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        i = words.index(centre)
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "window larger than the text raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1 or window > len(words) > 0:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                pairs.append((centre, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "(context, centre) in place of (centre, context)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                pairs.append((words[j], centre))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": None,
        "why": "pairs are lists instead of tuples",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                pairs.append([centre, words[j]])
    return pairs
""",
    },
    # noise_shares
    {
        "task": "noise_shares",
        "right": True,
        "why": "dict of powers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "NumPy, masked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    n = np.array(list(counts.values()), dtype=float)
    if not (n > 0).any():
        raise ValueError("no word occurs")
    p = np.zeros_like(n)
    p[n > 0] = n[n > 0] ** power
    return dict(zip(counts, (p / p.sum()).tolist()))
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "logarithms, softmax of power times ln n",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    logs = {w: power * math.log(n) for w, n in counts.items() if n}
    if not logs:
        raise ValueError
    top = max(logs.values())
    z = math.fsum(math.exp(l - top) for l in logs.values())
    return {w: math.exp(logs[w] - top) / z if w in logs else 0.0 for w in counts}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "power 0: 0 ** 0 is 1, so words that do not occur get a share",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "words with the count 0 are left out: 'for all words'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items() if n}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "the power is always 0.75",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** 0.75 if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "an empty dict gives an empty dict",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if counts and total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "all counts 0: zeros instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if counts and total == 0:
        return raised
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "ZeroDivisionError instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "any count of 0 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0 or 0 in counts.values():
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "power of the sum: the shares do not sum to 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(counts.values()) ** power
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "changes the dict that it was given and returns it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    for w in raised:
        counts[w] = raised[w] / total
    return counts
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "plain frequency",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** 1.0 if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "words seen once are left at power 1 less: counts below 2 give 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    raised = {w: n ** power if n > 1 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "power 0 is taken for 'not given'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def noise_shares(counts, power=0.75):
    power = power or 0.75
    raised = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    # negative_sampling_loss
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "logsigmoid and einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "softplus and bmm",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    v = centre.unsqueeze(2)
    positive = torch.bmm(context.unsqueeze(1), v).view(-1)
    negative = torch.bmm(noise, v).squeeze(2)
    return F.softplus(-positive).mean() + F.softplus(negative).sum(dim=1).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "binary cross-entropy with logits, one table of K + 1 questions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    words = torch.cat([context[:, None], noise], dim=1)
    scores = (words @ centre[:, :, None])[..., 0]
    truth = torch.zeros_like(scores)
    truth[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, truth, reduction="sum") / len(centre)
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "loops and logaddexp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    B, K, _ = noise.shape
    total = centre.new_zeros(())
    zero = centre.new_zeros(())
    for b in range(B):
        total = total + torch.logaddexp(zero, -(centre[b] @ context[b]))
        for k in range(K):
            total = total + torch.logaddexp(zero, noise[b, k] @ centre[b])
    return total / B
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "log of sigmoid: scores of some thousands give infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(torch.log(torch.sigmoid(near)) + torch.log(torch.sigmoid(-far)).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "a small number inside the logarithm: large scores cost at most 23",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(torch.log(torch.sigmoid(near) + 1e-10) + torch.log(torch.sigmoid(-far) + 1e-10).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "mean over the noise words instead of their sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).mean(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "sum over the batch instead of the mean",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).sum()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "sign of the noise scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(near) + F.logsigmoid(far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "noise gets no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise.detach(), centre)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "centre gets no gradient from the noise",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre.detach())
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "squeeze without a dimension: with K = 1 the noise of the whole batch is added to each pair",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.bmm(noise, centre.unsqueeze(2)).squeeze()
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "noise scored with the context instead of the centre",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, context)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "scores are clamped to -10..10: 'Scores of some thousands' get a wrong loss and no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    near, far = near.clamp(-10, 10), far.clamp(-10, 10)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "shape (1,) instead of ()",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean().reshape(1)
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "1 - sigmoid inside a log: overflows for the noise only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(near) + torch.log(1 - torch.sigmoid(far)).sum(-1)).mean()
""",
    },
    # solve_analogy
    {
        "task": "solve_analogy",
        "right": True,
        "why": "all cosines at once",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "max with a key function",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    row = {w: vectors[n] for n, w in enumerate(words)}
    if not {a, b, c} <= row.keys():
        raise ValueError("unknown word")
    goal = row[b] - row[a] + row[c]
    def cosine(w):
        size = math.sqrt((row[w] ** 2).sum()) * math.sqrt((goal ** 2).sum())
        return float(row[w] @ goal) / size if size else 0.0
    return max((w for w in words if w not in (a, b, c)), key=cosine)   # max of nothing: ValueError
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "normalised table, sorted from best to worst",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    goal = np.array([-1.0, 1.0, 1.0]) @ vectors[ids]
    norms = np.sqrt(np.einsum("vd,vd->v", vectors, vectors))
    unit = vectors / np.where(norms == 0, 1.0, norms)[:, None]
    for n in np.argsort(-(unit @ goal)):
        if n not in ids:
            return words[n]
    raise ValueError("all words are in the question")
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "the three words of the question are not excluded",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    best = int(np.argmax(cosine))
    if len({i, j, k}) == len(words):
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "only c is excluded",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "the three get the score 0: wins if all other cosines are negative",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[i, j, k]] = 0
    best = int(np.argmax(cosine))
    if len({i, j, k}) == len(words):
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "dot product instead of cosine",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = vectors @ goal
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "Euclidean distance",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = -np.linalg.norm(vectors - goal, axis=1)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "vectors are brought to length 1 before b - a + c",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    n = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors / np.where(n > 0, n, 1)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "a - b + c",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[i] - vectors[j] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "a vector of zeros: NaN, and argmax takes it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = vectors @ goal / length
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "a vector of zeros can never be the answer, though its cosine is 0 and others may be negative",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.full(len(words), -2.0), where=length > 0)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "no other word: returns None instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        return None
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "two equal words in the question raise",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    if len({i, j, k}) < 3:
        raise ValueError
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "writes the normalised vectors into the argument: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "absolute cosine: a word in the opposite direction wins",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    length = np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal)
    cosine = np.divide(vectors @ goal, length, out=np.zeros(len(words)), where=length > 0)
    cosine = np.abs(cosine)
    cosine[[i, j, k]] = -np.inf
    best = int(np.argmax(cosine))
    if cosine[best] == -np.inf:
        raise ValueError("no other word")
    return words[best]
""",
    },
]
