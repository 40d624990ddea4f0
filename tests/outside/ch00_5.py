ANSWERS = [
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "plain loop, fills zeros, explicit check",
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    X = np.zeros((len(phrase), len(vocabulary)))
    for t in range(len(phrase)):
        if phrase[t] not in vocabulary:
            raise ValueError("unknown word: " + phrase[t])
        X[t, vocabulary.index(phrase[t])] = 1
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "rows of the identity matrix; list.index raises the ValueError by itself; an int array of ids so that [] works",
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    ids = np.array([vocabulary.index(word) for word in phrase], dtype=int)
    return np.eye(len(vocabulary))[ids]
""",
    },
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "broadcast comparison of object arrays, check afterwards by row sums",
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    rows = np.array(phrase, dtype=object).reshape(-1, 1)
    columns = np.array(vocabulary, dtype=object).reshape(1, -1)
    X = np.equal(rows, columns).astype(np.float64)
    if (X.sum(axis=1) != 1).any():
        raise ValueError("a word is not in the vocabulary")
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": 'list comprehension without reshape: "it may be empty", then shape must be (0, V), here (0,)',
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    for word in phrase:
        if word not in vocabulary:
            raise ValueError(word)
    return np.array([[1.0 if v == word else 0.0 for v in vocabulary] for word in phrase])
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "an unknown word raises KeyError of the dict, which is no ValueError",
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    column = {word: v for v, word in enumerate(vocabulary)}
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        X[t, column[word]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": 'float32 instead of "An array of float64"',
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    X = np.zeros((len(phrase), len(vocabulary)), dtype=np.float32)
    for t, word in enumerate(phrase):
        X[t, vocabulary.index(word)] = 1
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "row found by phrase.index: a word that comes twice leaves its second row at zero",
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    X = np.zeros((len(phrase), len(vocabulary)))
    for word in phrase:
        X[phrase.index(word), vocabulary.index(word)] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": 'sorts the vocabulary: "the first one has column 0" is broken for unsorted lists',
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    words = sorted(vocabulary)
    X = np.zeros((len(phrase), len(words)))
    for t, word in enumerate(phrase):
        X[t, words.index(word)] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "an unknown word gets a row of zeros, no ValueError",
        "source": r"""
import numpy as np


def phrase_matrix(phrase, vocabulary):
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        for v, other in enumerate(vocabulary):
            if word == other:
                X[t, v] = 1.0
    return X
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "normalise copies, matrix product, clip",
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    nx = np.linalg.norm(x, axis=1, keepdims=True)
    ny = np.linalg.norm(y, axis=1, keepdims=True)
    if (nx == 0).any() or (ny == 0).any():
        raise ValueError("zero vector")
    return np.clip((x / nx) @ (y / ny).T, -1.0, 1.0)
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "double loop in plain Python with math, list into an array",
        "source": r"""
import math
import numpy as np


def cosine_similarity(x, y):
    def length(v):
        total = 0.0
        for e in v:
            total += float(e) * float(e)
        return math.sqrt(total)

    result = []
    for row in x:
        line = []
        for other in y:
            if len(row) != len(other):
                raise ValueError("widths differ")
            a, b = length(row), length(other)
            if a == 0 or b == 0:
                raise ValueError("a zero vector has no direction")
            dot = 0.0
            for p, q in zip(row, other):
                dot += float(p) * float(q)
            line.append(max(-1.0, min(1.0, dot / a / b)))
        result.append(line)
    return np.array(result)
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "careful: rows scaled by their largest entry first so that nothing overflows, einsum, clip",
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    if x.shape[1] != y.shape[1]:
        raise ValueError(f"widths differ: {x.shape[1]} and {y.shape[1]}")

    def unit(table):
        table = np.asarray(table, dtype=np.float64)
        largest = np.abs(table).max(axis=1, keepdims=True)
        if not largest.all():
            raise ValueError("a row is a zero vector")
        table = table / largest
        return table / np.sqrt(np.einsum("ij,ij->i", table, table))[:, None]

    return np.einsum("id,jd->ij", unit(x), unit(y)).clip(-1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": None,
        "why": 'no clip: rounding may give 1.0000000000000002, "numbers from -1 to 1" does not say up to rounding',
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    dots = x @ y.T
    lengths = np.outer(np.sqrt((x ** 2).sum(1)), np.sqrt((y ** 2).sum(1)))
    if np.any(lengths == 0):
        raise ValueError("zero vector")
    return dots / lengths
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "only x is checked for zero vectors: a zero row of y gives nan instead of ValueError",
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    nx = np.sqrt((x ** 2).sum(axis=1))
    ny = np.sqrt((y ** 2).sum(axis=1))
    if np.any(nx == 0):
        raise ValueError("zero vector")
    return np.clip(x @ y.T / (nx[:, None] * ny[None, :]), -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": 'broadcasting product: widths 1 and 3 do not raise ValueError ("or their widths differ")',
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    dots = (x[:, None, :] * y[None, :, :]).sum(axis=-1)
    nx = np.linalg.norm(x, axis=1)
    ny = np.linalg.norm(y, axis=1)
    if (nx == 0).any() or (ny == 0).any():
        raise ValueError("zero vector")
    return np.clip(dots / nx[:, None] / ny, -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "zero vector recognised by its sum: (1, -1) raises ValueError though it is not zero",
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    if (x.sum(axis=1) == 0).any() or (y.sum(axis=1) == 0).any():
        raise ValueError("zero vector")
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    y = y / np.linalg.norm(y, axis=1, keepdims=True)
    return np.clip(x @ y.T, -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": 'normalises x and y in place: "A function leaves its arguments as they are" (and int arrays fail)',
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    nx = np.linalg.norm(x, axis=1, keepdims=True)
    ny = np.linalg.norm(y, axis=1, keepdims=True)
    if (nx == 0).any() or (ny == 0).any():
        raise ValueError("zero vector")
    x /= nx
    y /= ny
    return np.clip(x @ y.T, -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "one length for the whole table (norm without axis): wrong with several rows",
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    nx, ny = np.linalg.norm(x), np.linalg.norm(y)
    if nx == 0 or ny == 0:
        raise ValueError("zero vector")
    return x @ y.T / (nx * ny)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "small epsilon against division by zero: a zero vector gets 0 instead of ValueError",
        "source": r"""
import numpy as np


def cosine_similarity(x, y):
    nx = np.linalg.norm(x, axis=1)
    ny = np.linalg.norm(y, axis=1)
    return np.clip(x @ y.T / (np.outer(nx, ny) + 1e-12), -1, 1)
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "one-hot matrix of the table's type times the table",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    V = table.shape[0]
    one_hot = np.zeros((len(ids), V), dtype=table.dtype)
    for t, i in enumerate(ids):
        if i < 0 or i >= V:
            raise ValueError("id out of range")
        one_hot[t, i] = 1
    return one_hot @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "fancy indexing after a check with all()",
        "source": r"""
def lookup_rows(ids, table):
    if not all(0 <= i < len(table) for i in ids):
        raise ValueError("ids must be from 0 to V - 1")
    return table[list(ids)] if ids else table[:0]
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "np.take with an int array, min and max checked",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    index = np.asarray(ids, dtype=np.int64)
    if index.size and (index.min() < 0 or index.max() > table.shape[0] - 1):
        raise ValueError("bad id")
    return np.take(table, index, axis=0)
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "clumsy beginner: copies number by number",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    rows = len(table)
    columns = table.shape[1]
    answer = np.empty((len(ids), columns), dtype=table.dtype)
    for t in range(len(ids)):
        number = ids[t]
        if number in range(rows):
            for d in range(columns):
                answer[t][d] = table[number][d]
        else:
            raise ValueError("there is no row " + str(number))
    return answer
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "negative ids wrap around to the end: only IndexError is turned into ValueError",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    try:
        return table[np.array(ids, dtype=int)]
    except IndexError:
        raise ValueError("id out of range")
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": 'float64 one-hot rows: a float32 table gives float64, not "the element type of the table"',
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    V = len(table)
    X = np.zeros((len(ids), V))
    for t, i in enumerate(ids):
        if not 0 <= i < V:
            raise ValueError("id")
        X[t, i] = 1.0
    return X @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "np.array of a list of rows: an empty list gives shape (0,) instead of (0, D)",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    rows = []
    for i in ids:
        if i < 0 or i > len(table) - 1:
            raise ValueError("id")
        rows.append(table[i])
    return np.array(rows, dtype=table.dtype)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "checks against the number of columns: right for square tables only",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    V = table.shape[1]
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("id")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "clips ids out of range instead of raising ValueError",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    return np.take(table, np.array(ids, dtype=int), axis=0, mode="clip")
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "border off by one: the id V passes the check and raises IndexError",
        "source": r"""
import numpy as np


def lookup_rows(ids, table):
    V = table.shape[0]
    for i in ids:
        if i < 0 or i > V:
            raise ValueError("id")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "boolean mask, compute on the words that are left",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    keep = np.ones(len(scores), dtype=bool)
    keep[np.array(banned, dtype=int)] = False
    if not keep.any():
        raise ValueError("every word is banned")
    result = np.zeros(len(scores))
    left = scores[keep]
    e = np.exp(left - left.max())
    result[keep] = e / e.sum()
    return result
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "plain Python with a set and math.exp; max() of an empty list raises ValueError by itself",
        "source": r"""
import math
import numpy as np


def softmax(scores, banned):
    out = set(banned)
    m = max(float(s) for i, s in enumerate(scores) if i not in out)
    weights = [0.0 if i in out else math.exp(float(s) - m) for i, s in enumerate(scores)]
    total = sum(weights)
    return np.array([w / total for w in weights])
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "float copy with minus infinity for the banned ones",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("no word left")
    s = np.array(scores, dtype=np.float64)
    for b in banned:
        s[b] = -np.inf
    s -= np.max(s)
    p = np.exp(s)
    p /= np.sum(p)
    return p
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "len(banned) against V: a number listed twice counts double, so [1, 1] of two words raises (and [0, 1, 0] of two does not)",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    if len(banned) == len(scores):
        raise ValueError("every word is banned")
    s = np.array(scores, dtype=float)
    s[np.array(banned, dtype=int)] = -np.inf
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "writes minus infinity into the argument: scores is changed",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    for b in banned:
        scores[b] = -np.inf
    e = np.exp(scores - scores.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": 'maximum over all words, the banned ones too: "the maximum m run over the words that are left"; banned score 5000 gives 0 / 0',
        "source": r"""
import numpy as np


def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    e = np.exp(scores - np.max(scores))
    e[np.array(banned, dtype=int)] = 0.0
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "banned probabilities set to 0 but the others do not share the rest: the sum is below 1",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    e = np.exp(scores - np.max(scores))
    p = e / e.sum()
    for b in banned:
        p[b] = 0.0
    return p
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "no maximum subtracted: scores of 1000 give nan",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    e = np.exp(scores)
    for b in banned:
        e[b] = 0.0
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "raises ValueError for a score of minus infinity, which the statement allows with probability 0",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    left = [i for i in range(len(scores)) if i not in banned]
    if not left or not np.isfinite(scores[left]).all():
        raise ValueError("no finite score")
    p = np.zeros(len(scores))
    e = np.exp(scores[left] - scores[left].max())
    p[left] = e / e.sum()
    return p
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "all banned: returns zeros (0 / 1) instead of ValueError",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    left = [i for i in range(len(scores)) if i not in banned]
    p = np.zeros(len(scores))
    if left:
        e = np.exp(scores[left] - scores[left].max())
        p[left] = e / e.sum()
    return p
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "banned words get the score -1e9, not minus infinity: when the others are lower still, the banned one gets probability 1",
        "source": r"""
import numpy as np


def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    s = np.array(scores, dtype=float)
    s[list(set(banned))] = -1e9
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "vectorised log-softmax with row maxima",
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    N = scores.shape[0]
    if len(targets) == 0 or len(targets) != N:
        raise ValueError("targets")
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return float(-log_probs[np.arange(N), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "loop in plain Python, row by row",
        "source": r"""
import math


def cross_entropy(scores, targets):
    if not targets or len(scores) != len(targets):
        raise ValueError("one target for each row, and at least one row")
    loss = 0.0
    for row, y in zip(scores.tolist(), targets):
        m = max(row)
        loss += m + math.log(sum(math.exp(s - m) for s in row)) - row[y]
    return loss / len(targets)
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "np.logaddexp.reduce and take_along_axis; returns a NumPy float64, which is a float (only its repr differs from the doctest)",
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    y = np.array(targets, dtype=np.int64)
    if y.size == 0 or y.size != len(scores):
        raise ValueError(f"{y.size} targets for {len(scores)} rows")
    scores = np.asarray(scores, dtype=np.float64)
    picked = np.take_along_axis(scores, y[:, None], axis=1)[:, 0]
    return np.mean(np.logaddexp.reduce(scores, axis=1) - picked)
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "logarithm of the rounded softmax: a probability of e^-800 gives inf",
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return float(np.mean([-np.log(p[n, y]) for n, y in enumerate(targets)]))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "one maximum for all rows: a row far below another gives log 0",
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    s = scores - scores.max()
    logp = s - np.log(np.exp(s).sum(axis=1))[:, None]
    return float(-logp[np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "subtracts the maximum in place: scores is changed",
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    scores -= scores.max(axis=1, keepdims=True)
    logp = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return float(-logp[np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": 'zip stops at the shorter one: fewer targets than rows raise nothing ("or not as many as rows")',
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    if len(targets) == 0:
        raise ValueError("no targets")
    losses = []
    for row, y in zip(scores, targets):
        m = row.max()
        losses.append(m + np.log(np.exp(row - m).sum()) - row[y])
    return float(sum(losses) / len(targets))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "divides by the number of words, N * V: a mean over all entries of the one-hot product",
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("targets")
    s = scores - scores.max(axis=1, keepdims=True)
    logp = s - np.log(np.exp(s).sum(axis=1, keepdims=True))
    return float(-(logp * np.eye(scores.shape[1])[targets]).mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "no target at all: returns 0.0 instead of ValueError",
        "source": r"""
import numpy as np


def cross_entropy(scores, targets):
    if len(targets) != len(scores):
        raise ValueError("targets")
    total = 0.0
    for row, y in zip(scores, targets):
        m = row.max()
        total += m + np.log(np.exp(row - m).sum()) - row[y]
    return float(total / max(1, len(targets)))
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "the formula with matrix products",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr must not be negative")
    gradient = 2 / len(targets) * inputs.T @ (inputs @ weights - targets)
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "three loops, numbers only",
        "source": r"""
import numpy as np


def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("learning rate below 0")
    N = len(inputs)
    D = len(weights)
    errors = []
    for n in range(N):
        prediction = 0.0
        for d in range(D):
            prediction = prediction + inputs[n][d] * weights[d]
        errors.append(prediction - targets[n])
    new = []
    for d in range(D):
        slope = 0.0
        for n in range(N):
            slope = slope + 2 * errors[n] * inputs[n][d]
        new.append(weights[d] - lr * slope / N)
    return np.array(new)
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "lets torch compute the gradient of the loss in float64",
        "source": r"""
import numpy as np
import torch


def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    w = torch.tensor(np.array(weights), dtype=torch.float64, requires_grad=True)
    X = torch.tensor(np.array(inputs), dtype=torch.float64)
    y = torch.tensor(np.array(targets), dtype=torch.float64)
    ((X @ w - y) ** 2).mean().backward()
    with torch.no_grad():
        return (w - lr * w.grad).numpy()
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": 'weights -= ...: the argument is changed ("it is not changed"), and the result is not new',
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    error = inputs @ weights - targets
    weights -= lr * 2 * (inputs.T @ error) / len(targets)
    return weights
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": 'lr = 0 raises ValueError though "0 or above" is legal',
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr <= 0:
        raise ValueError("lr")
    error = inputs @ weights - targets
    return weights - lr * 2 * (inputs.T @ error) / len(targets)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": 'for lr = 0 the same array is returned, not "A new array"',
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    if lr == 0:
        return weights
    error = inputs @ weights - targets
    return weights - lr * 2 * (inputs.T @ error) / len(targets)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "divides by D * D instead of N: in the example both are 4",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    D = inputs.shape[1]
    error = inputs @ weights - targets
    return weights - lr * 2 / (D * D) * (inputs.T @ error)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "updates one weight after the other and computes the errors anew in between",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    w = weights.copy()
    for d in range(len(w)):
        error = inputs @ w - targets
        w[d] = w[d] - lr * 2 * (inputs[:, d] * error).mean()
    return w
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "forgets the factor 2",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    return weights - lr * (inputs.T @ (inputs @ weights - targets)) / len(targets)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "the default of lr is 0.01, the statement's is 0.1",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.01):
    if lr < 0:
        raise ValueError("lr")
    gradient = 2 * (inputs * (inputs @ weights - targets)[:, None]).mean(axis=0)
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "no check of a negative learning rate: it walks uphill",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    gradient = 2 * (inputs * (inputs @ weights - targets)[:, None]).mean(axis=0)
    return weights - lr * gradient
""",
    },
]
