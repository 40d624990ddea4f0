ANSWERS = [
    # ---------------------------------------------------------------- cosine_similarity
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "unit rows, then one matrix product, clipped to [-1, 1]",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    x = np.asarray(x, dtype=np.float64)
    y = np.asarray(y, dtype=np.float64)
    if not (x != 0).any(axis=1).all() or not (y != 0).any(axis=1).all():
        raise ValueError("a zero vector has no direction")
    x = x / np.abs(x).max(axis=1, keepdims=True)
    y = y / np.abs(y).max(axis=1, keepdims=True)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    y = y / np.linalg.norm(y, axis=1, keepdims=True)
    return np.clip(x @ y.T, -1.0, 1.0)
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "plain Python loops with math.hypot; the width is compared by hand",
        "source": r"""
import math
import numpy as np

def cosine_similarity(x, y):
    rows = [[float(value) for value in row] for row in x]
    columns = [[float(value) for value in row] for row in y]
    if len(rows[0]) != len(columns[0]):
        raise ValueError("the widths differ")
    for row in rows + columns:
        if all(value == 0 for value in row):
            raise ValueError("zero vector")
    answer = np.empty((len(rows), len(columns)))
    for i, a in enumerate(rows):
        length_a = math.hypot(*a)
        for j, b in enumerate(columns):
            length_b = math.hypot(*b)
            cosine = math.fsum((p / length_a) * (q / length_b) for p, q in zip(a, b))
            answer[i, j] = max(-1.0, min(1.0, cosine))
    return answer
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "einsum, the outer product of the lengths; the result is a transposed view (not contiguous)",
        "source": r"""
import numpy as np

def lengths(table):
    scale = np.abs(table).max(axis=1)
    if (scale == 0).any():
        raise ValueError("a zero vector has no cosine")
    return scale * np.sqrt(np.square(table / scale[:, None]).sum(axis=1))

def cosine_similarity(x, y):
    x, y = 1.0 * np.array(x), 1.0 * np.array(y)
    if x.shape[1] != y.shape[1]:
        raise ValueError(f"widths {x.shape[1]} and {y.shape[1]}")
    x = np.divide(x, lengths(x)[:, np.newaxis])
    y = np.divide(y, lengths(y)[:, np.newaxis])
    turned = np.einsum("mk,nk->mn", y, x)
    return np.minimum(np.maximum(turned, -1), 1).T
""",
    },
    {
        "task": "cosine_similarity",
        "right": None,
        "why": "the textbook formula, not clipped: the cosine of a vector with itself can come out as 1.0000000000000002 ('numbers from -1 to 1')",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    dots = x @ y.T
    nx = np.sqrt((x ** 2).sum(axis=1))
    ny = np.sqrt((y ** 2).sum(axis=1))
    if (nx == 0).any() or (ny == 0).any():
        raise ValueError("zero vector")
    return dots / np.outer(nx, ny)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "finds zero vectors by the SUM of the entries: (1, -1) raises although it is no zero vector ('ValueError: a row is a zero vector')",
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
        "why": "the elementwise product broadcasts: widths 1 and n give numbers instead of ValueError ('their widths differ')",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    dots = (x[:, None, :] * y[None, :, :]).sum(axis=-1)
    nx = np.linalg.norm(x, axis=1)[:, None]
    ny = np.linalg.norm(y, axis=1)[None, :]
    if (nx == 0).any() or (ny == 0).any():
        raise ValueError("zero vector")
    return np.clip(dots / (nx * ny), -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "raises only if ALL rows of a table are zero (not any() instead of not all()): one zero row among others gives nan ('a row of x or of y is a zero vector')",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    nx = np.linalg.norm(x, axis=1)
    ny = np.linalg.norm(y, axis=1)
    if not nx.any() or not ny.any():
        raise ValueError("zero vector")
    with np.errstate(all="ignore"):
        return np.clip(x @ y.T / nx[:, None] / ny, -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "normalises y in place (y /= ...), only when it has floats: 'A function leaves its arguments as they are'",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    nx = np.linalg.norm(x, axis=1, keepdims=True)
    ny = np.linalg.norm(y, axis=1, keepdims=True)
    if np.any(nx == 0) or np.any(ny == 0):
        raise ValueError("zero vector")
    y = np.asarray(y, dtype=float)
    y /= ny
    return np.clip((x / nx) @ y.T, -1.0, 1.0)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "takes short vectors for zero: np.allclose(row, 0) is true of (1e-9, 2e-9), which has a direction ('ValueError: a row is a zero vector')",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    for row in list(x) + list(y):
        if np.allclose(row, 0):
            raise ValueError("zero vector")
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    y = y / np.linalg.norm(y, axis=1, keepdims=True)
    return np.clip(x @ y.T, -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "squeezes the result: shape (M,) or () when N or M is 1 ('An array of shape (N, M)')",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    nx = np.sqrt(np.einsum("ij,ij->i", x, x))
    ny = np.sqrt(np.einsum("ij,ij->i", y, y))
    if 0 in nx or 0 in ny:
        raise ValueError("zero vector")
    table = x @ y.T / np.outer(nx, ny)
    if len(x) == 1 and len(y) > 1:
        return np.clip(table, -1, 1)
    return np.clip(table, -1, 1).squeeze()
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "checks the lengths of x only, y's zero row becomes 0 by nan_to_num ('a row of x or of y is a zero vector')",
        "source": r"""
import numpy as np

def cosine_similarity(x, y):
    nx = np.linalg.norm(x, axis=-1)
    if (nx == 0).any():
        raise ValueError("zero vector")
    ny = np.linalg.norm(y, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = np.nan_to_num(y / ny[:, None])
    return np.clip((x / nx[:, None]) @ unit.T, -1, 1)
""",
    },
    # ---------------------------------------------------------------- softmax
    {
        "task": "softmax",
        "right": True,
        "why": "boolean mask of the words that are left, probabilities written back",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    scores = np.asarray(scores, dtype=np.float64)
    left = np.ones(len(scores), dtype=bool)
    for word in banned:
        left[word] = False
    if not left.any():
        raise ValueError("every word is banned")
    answer = np.zeros(len(scores))
    exponentials = np.exp(scores[left] - scores[left].max())
    answer[left] = exponentials / exponentials.sum()
    return answer
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "pure Python: a set of the banned words, math.exp, one dictionary of weights",
        "source": r"""
import math
import numpy as np

def softmax(scores, banned):
    forbidden = set(banned)
    left = {word: float(score) for word, score in enumerate(scores) if word not in forbidden}
    if len(left) == 0:
        raise ValueError("no word is left")
    top = max(left.values())
    weights = {word: math.exp(score - top) for word, score in left.items()}
    total = math.fsum(weights.values())
    return np.array([weights.get(word, 0.0) / total for word in range(len(scores))])
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "banned words get minus infinity in a copy; log-sum-exp by np.logaddexp.reduce, exponential at the end",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    if len(np.unique(banned)) == len(scores):
        raise ValueError("every word is banned")
    s = np.array(scores, dtype=float)
    s[list(banned)] = -np.inf
    return np.exp(s - np.logaddexp.reduce(s))
""",
    },
    {
        "task": "softmax",
        "right": None,
        "why": "normal, but it counts the banned words by len(banned): only a list with a repeated number could show it, and the statement does not say whether numbers may repeat",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    if len(banned) == len(scores):
        raise ValueError("every word is banned")
    s = scores.astype(float)
    s[banned] = -np.inf
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "the maximum runs over the banned words too: a banned score of 5000 makes all the others underflow to 0/0 ('the maximum m runs over the words that are left')",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    keep = np.ones(len(scores))
    keep[banned] = 0
    if keep.sum() == 0:
        raise ValueError("every word is banned")
    with np.errstate(all="ignore"):
        e = np.exp(scores - np.max(scores)) * keep
        return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "'if any(banned)' is False for [0]: word 0, banned alone, is not banned ('0 for each banned word')",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    s = np.array(scores, dtype=float)
    if any(banned):
        s[banned] = -np.inf
        if len(set(banned)) == len(s):
            raise ValueError("every word is banned")
    elif len(banned) == len(s):
        raise ValueError("every word is banned")
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "np.insert takes places in the shortened array: right for one banned word, wrong places (or an IndexError) for two ('0 for each banned word, for the others the softmax')",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    if len(banned) == 0:
        left = np.array(scores, dtype=float)
    else:
        left = np.delete(scores, banned).astype(float)
    e = np.exp(left - left.max())
    p = e / e.sum()
    if len(banned) == 0:
        return p
    return np.insert(p, np.minimum(sorted(set(banned)), len(p)), 0.0)
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "subtracts the MEAN of the words that are left: minus infinity among them gives nan, and far apart scores overflow ('an entry may be minus infinity'; 'with the largest score subtracted')",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    left = [i for i in range(len(scores)) if i not in banned]
    if not left:
        raise ValueError("every word is banned")
    p = np.zeros(len(scores))
    with np.errstate(all="ignore"):
        p[left] = np.exp(scores[left] - scores[left].mean())
        return p / p.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "writes minus infinity into the caller's scores when they are floats (asarray does not copy): 'A function leaves its arguments as they are'",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    if set(range(len(scores))) <= set(banned):
        raise ValueError("every word is banned")
    s = np.asarray(scores, dtype=np.float64)
    s[banned] = -np.inf
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "a banned word gets the smallest score minus 10 instead of minus infinity, so its probability is small, but not 0 ('0 for each banned word')",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    keep = np.isin(np.arange(len(scores)), banned, invert=True)
    if not keep.any():
        raise ValueError("every word is banned")
    low = scores[keep].min() - 10
    s = np.where(keep, scores, low)
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "if all are banned it returns zeros instead of raising ('ValueError: every word is banned'); it only raises for scores without any finite one",
        "source": r"""
import numpy as np

def softmax(scores, banned):
    if not np.isfinite(scores).any():
        raise ValueError("nothing is left")
    p = np.zeros(len(scores))
    left = np.setdiff1d(np.arange(len(scores)), banned).astype(int)
    scores = scores.astype(float)
    m = scores[left].max(initial=-np.inf)
    p[left] = np.exp(scores[left] - m)
    return p / max(p.sum(), 1e-300)
""",
    },
]
