"""Answers to chapter 00, written from its page alone: the second round."""

ANSWERS = [
    # phrase_matrix
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "loop with a dict of columns",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    column = {word: i for i, word in enumerate(vocabulary)}
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        if word not in column:
            raise ValueError(f"unknown word {word!r}")
        X[t, column[word]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "rows of the identity matrix, list.index raises ValueError by itself",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    ids = np.array([vocabulary.index(w) for w in phrase], dtype=int)
    return np.eye(len(vocabulary))[ids]
""",
    },
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "compares every pair of words in a nested comprehension, reshape for the empty phrase",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    if set(phrase) - set(vocabulary):
        raise ValueError("word outside the vocabulary")
    rows = [[w == v for v in vocabulary] for w in phrase]
    return np.array(rows, dtype=np.float64).reshape(len(phrase), len(vocabulary))
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "an unknown word gets a row of zeros: no ValueError for a word outside the vocabulary",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    return np.array([[float(w == v) for v in vocabulary] for w in phrase]).reshape(len(phrase), len(vocabulary))
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "unknown word: KeyError of the dict instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    column = {word: i for i, word in enumerate(vocabulary)}
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        X[t, column[word]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "shape (0,) for an empty phrase instead of (0, V)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    rows = []
    for word in phrase:
        row = [0.0] * len(vocabulary)
        row[vocabulary.index(word)] = 1.0
        rows.append(row)
    return np.array(rows)
""",
    },
    {
        "task": "phrase_matrix",
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

def phrase_matrix(phrase, vocabulary):
    column = {word: i for i, word in enumerate(vocabulary)}
    X = np.zeros((len(phrase), len(vocabulary)), dtype=int)
    for t, word in enumerate(phrase):
        if word not in column:
            raise ValueError(f"unknown word {word!r}")
        X[t, column[word]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "float32 instead of float64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    column = {word: i for i, word in enumerate(vocabulary)}
    X = np.zeros((len(phrase), len(vocabulary)), dtype=np.float32)
    for t, word in enumerate(phrase):
        if word not in column:
            raise ValueError(f"unknown word {word!r}")
        X[t, column[word]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "columns in alphabetical order: 'the first one has column 0' means the order of the list",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    column = {word: i for i, word in enumerate(sorted(vocabulary))}
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        if word not in column:
            raise ValueError(f"unknown word {word!r}")
        X[t, column[word]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "a repeated word has only one row: T rows are asked for",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    unique = list(dict.fromkeys(phrase))
    ids = np.array([vocabulary.index(w) for w in unique], dtype=int)
    return np.eye(len(vocabulary))[ids]
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "substring test: 1 too where the word is only a part of a vocabulary word",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    for w in phrase:
        if w not in vocabulary:
            raise ValueError(w)
    return np.array([[1.0 if w in v else 0.0 for v in vocabulary] for w in phrase]).reshape(len(phrase), len(vocabulary))
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "a word that comes a second time has a row of zeros there: X_tv is 1 if word t is word v",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def phrase_matrix(phrase, vocabulary):
    column = {word: i for i, word in enumerate(vocabulary)}
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        if word not in column:
            raise ValueError(f"unknown word {word!r}")
        X[phrase.index(word), column[word]] = 1.0
    return X
""",
    },
    # lookup_rows
    {
        "task": "lookup_rows",
        "right": True,
        "why": "fancy indexing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("no such row")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "really the one-hot product, in the type of the table",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = table.shape[0]
    one_hot = np.zeros((len(ids), V), dtype=table.dtype)
    for t, i in enumerate(ids):
        if not 0 <= i <= V - 1:
            raise ValueError("id out of range")
        one_hot[t, i] = 1
    return one_hot @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "copies row by row into an empty array; IndexError turned into ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    out = np.empty((len(ids), table.shape[1]), table.dtype)
    for t, i in enumerate(ids):
        if i < 0:
            raise ValueError("negative")
        try:
            out[t] = table[i]
        except IndexError as error:
            raise ValueError("too large") from error
    return out
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "np.take along axis 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    ids = np.asarray(ids, dtype=np.int64)
    if ids.size and (ids.min() < 0 or ids.max() >= table.shape[0]):
        raise ValueError("id")
    return np.take(table, ids, axis=0)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "negative ids count from the end: no ValueError below 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i >= V:
            raise ValueError("no such row")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "V itself passes the test: IndexError instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i < 0 or i > V:
            raise ValueError("no such row")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "one-hot matrix of float64: the result of a float32 table is float64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    if any(i < 0 or i > V - 1 for i in ids):
        raise ValueError("id")
    return np.eye(V)[np.array(ids, dtype=int)] @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "empty ids: shape (0,) instead of (0, D)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("no such row")
    return np.array([table[i] for i in ids], dtype=table.dtype)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "ids are clipped into the table instead of raising",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i < 0 or i >= V:
            ids = np.clip(ids, 0, V - 1)
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "checks against the number of columns instead of rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = table.shape[1]
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("no such row")
    return np.array([table[i] for i in ids], dtype=table.dtype).reshape(len(ids), table.shape[1])
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "repeated ids are looked up once: not T rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("no such row")
    return table[np.unique(np.array(ids, dtype=int))]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "always float64",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("no such row")
    return table[np.array(ids, dtype=int)].astype(np.float64)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "only the first id is checked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids[:1]:
        if i < 0 or i >= V:
            raise ValueError("no such row")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "id 0 raises (ids taken as 1..V-1)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def lookup_rows(ids, table):
    V = len(table)
    for i in ids:
        if i <= 0 or i >= V:
            raise ValueError("no such row")
    return table[np.array(ids, dtype=int)]
""",
    },
    # cross_entropy
    {
        "task": "cross_entropy",
        "right": True,
        "why": "vectorised log-softmax",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    m = scores.max(axis=1, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "loop over the rows with math",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if not len(targets) or len(targets) != scores.shape[0]:
        raise ValueError("count")
    total = 0.0
    for row, y in zip(scores.tolist(), targets):
        m = max(row)
        total += m + math.log(sum(math.exp(s - m) for s in row)) - row[y]
    return total / len(targets)
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "logaddexp.reduce and take_along_axis",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    targets = np.asarray(targets, dtype=int)
    if targets.size == 0 or targets.shape != (scores.shape[0],):
        raise ValueError("count")
    log_z = np.logaddexp.reduce(scores, axis=1)
    hit = np.take_along_axis(scores, targets[:, None], axis=1)[:, 0]
    return np.mean(log_z - hit)
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "one-hot mask, differences to the target's score, so that the target's own term is e^0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    N = len(targets)
    if N == 0 or N != len(scores):
        raise ValueError
    losses = []
    for n in range(N):
        d = scores[n] - scores[n][targets[n]]
        top = d.max()
        losses.append(top + np.log(np.sum(np.exp(d - top))))
    return float(np.sum(losses) / N)
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "logarithm of the rounded probability: infinite for a probability of e^-800, 'never takes the logarithm of a rounded probability'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return float(-np.log(p[np.arange(len(targets)), targets]).mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "probabilities are clipped at 1e-12: a loss of 800 becomes 27.6",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return float(-np.log(np.maximum(p[np.arange(len(targets)), targets], 1e-12)).mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "one maximum of the whole table: rows far below it underflow, log 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    m = scores.max()
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "sum instead of mean",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    m = scores.max(axis=1, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].sum())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "bits instead of nats",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    m = scores.max(axis=1, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].mean() / np.log(2))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "fewer targets than rows are accepted (only more of them raise)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) > len(scores):
        raise ValueError("targets")
    m = scores.max(axis=1, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[:len(targets)][np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "more targets than rows are accepted and the rest ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) < len(scores):
        raise ValueError("targets")
    m = scores.max(axis=1, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(scores)), targets[:len(scores)]].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "no check of the number: one target is broadcast over all rows",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0:
        raise ValueError("targets")
    m = scores.max(axis=1, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(scores)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "no targets: 0.0 instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0:
        return 0.0
    if len(targets) != len(scores):
        raise ValueError("targets")
    m = scores.max(axis=1, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "normalised over the rows (axis 0) instead of the words",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    m = scores.max(axis=0, keepdims=True)
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=0, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "maximum not subtracted: scores of 1000 give NaN or inf",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    m = 0.0
    log_p = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].mean())
""",
    },
    # gradient_step
    {
        "task": "gradient_step",
        "right": True,
        "why": "the formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "plain loops over examples and weights",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    N, D = inputs.shape
    grad = [0.0] * D
    for n in range(N):
        e = sum(float(inputs[n, d]) * float(weights[d]) for d in range(D)) - float(targets[n])
        for d in range(D):
            grad[d] += 2 * e * float(inputs[n, d])
    return np.array([float(weights[d]) - lr * grad[d] / N for d in range(D)])
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "mean of the per-example gradients, updates a copy in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0.0:
        raise ValueError("lr")
    new = np.array(weights, dtype=float)
    residual = targets - np.einsum("nd,d->n", inputs, new)
    new += lr * np.mean(2 * residual[:, None] * inputs, axis=0)
    return new
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "changes the weights that it was given: 'it is not changed', 'a new array'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    weights -= lr * gradient
    return weights
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "lr 0 returns the same array, not a new one",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    if lr == 0:
        return weights
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "lr 0 raises, though it is allowed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr <= 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "negative lr is made positive instead of raising",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        lr = -lr
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "the factor 2 of the derivative is missing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 1 / len(targets) * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "divides by the number of weights instead of examples",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 2 / len(weights) * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "sum instead of mean over the examples",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 2 * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "weights are updated one after another, so later ones see the changed earlier ones",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    new = weights.astype(float).copy()
    for d in range(len(new)):
        error = inputs @ new - targets
        new[d] -= lr * 2 * np.mean(error * inputs[:, d])
    return new
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "uphill: the gradient is added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    return weights + lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "lr is ignored when it is above 1 (set to 1)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("negative learning rate")
    lr = min(lr, 1.0)
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "the default lr is 0.01 instead of 0.1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def gradient_step(weights, inputs, targets, lr=0.01):
    if lr < 0:
        raise ValueError("negative learning rate")
    error = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ error
    return weights - lr * gradient
""",
    },
]
