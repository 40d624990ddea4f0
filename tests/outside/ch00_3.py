"""Answers to chapter 00, written from its page alone: the third round."""

ANSWERS = [
    # phrase_matrix
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "identity matrix indexed with list.index (which raises ValueError itself), index array typed int for the empty phrase",
        "source": """
import numpy as np
def phrase_matrix(phrase, vocabulary):
    positions = np.array([vocabulary.index(word) for word in phrase], dtype=np.intp)
    return np.identity(len(vocabulary), dtype=np.float64)[positions]
""",
    },
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "broadcast comparison of two object arrays, then a check of the row sums",
        "source": """
import numpy as np
def phrase_matrix(phrase, vocabulary):
    left = np.empty((len(phrase), 1), dtype=object)
    left[:, 0] = phrase
    right = np.empty((1, len(vocabulary)), dtype=object)
    right[0, :] = vocabulary
    hits = np.asarray(left == right, dtype=np.float64).reshape(len(phrase), len(vocabulary))
    if (hits.sum(axis=1) != 1).any():
        raise ValueError("a word is not in the vocabulary")
    return hits
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "an unknown word gives a row of zeros; breaks 'ValueError: a word of the phrase is not in the vocabulary'",
        "source": """
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
        "task": "phrase_matrix",
        "right": False,
        "why": "builds a list of rows: for an empty phrase the shape is (0,), not (0, V); breaks 'shape (T, V)' with 'it may be empty'",
        "source": """
import numpy as np
def phrase_matrix(phrase, vocabulary):
    rows = []
    for word in phrase:
        row = [0.0] * len(vocabulary)
        row[vocabulary.index(word)] = 1.0
        rows.append(row)
    return np.array(rows, dtype=np.float64)
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "phrase.index finds the first occurrence only: a repeated word leaves its later row zero; breaks X_tv = 1 if word t is word v",
        "source": """
import numpy as np
def phrase_matrix(phrase, vocabulary):
    X = np.zeros((len(phrase), len(vocabulary)))
    for word in phrase:
        X[phrase.index(word), vocabulary.index(word)] = 1
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "float32 to save memory; breaks 'An array of float64'",
        "source": """
import numpy as np
def phrase_matrix(phrase, vocabulary):
    X = np.zeros((len(phrase), len(vocabulary)), dtype=np.float32)
    column = {word: v for v, word in enumerate(vocabulary)}
    for t, word in enumerate(phrase):
        if word not in column:
            raise ValueError(word)
        X[t, column[word]] = 1
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "columns in sorted order; breaks 'the first one has column 0' when the vocabulary is not sorted",
        "source": """
import numpy as np
def phrase_matrix(phrase, vocabulary):
    words = sorted(vocabulary)
    X = np.zeros((len(phrase), len(words)))
    for t, word in enumerate(phrase):
        X[t, words.index(word)] = 1.0
    return X
""",
    },
    # lookup_rows
    {
        "task": "lookup_rows",
        "right": True,
        "why": "really the one-hot product, with the one-hot matrix in the table's element type",
        "source": """
import numpy as np
def lookup_rows(ids, table):
    size = table.shape[0]
    one_hot = np.zeros((len(ids), size), dtype=table.dtype)
    for row, number in zip(one_hot, ids):
        if not 0 <= number <= size - 1:
            raise ValueError(f"{number} is no row")
        row[number] = 1
    return (one_hot @ table).astype(table.dtype)
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "np.take with an integer array after a check of smallest and largest",
        "source": """
import numpy as np
def lookup_rows(ids, table):
    rows = np.array(list(ids), dtype=np.int64)
    if rows.size and (rows.min() < 0 or rows.max() >= len(table)):
        raise ValueError("id out of range")
    return np.take(table, rows, axis=0)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "negative ids count from the end, as always in NumPy; breaks 'ValueError: an id is below 0'",
        "source": """
import numpy as np
def lookup_rows(ids, table):
    if any(i >= len(table) for i in ids):
        raise ValueError("id too large")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "> V instead of > V - 1: the id V raises IndexError; breaks 'ValueError: ... above V - 1'",
        "source": """
import numpy as np
def lookup_rows(ids, table):
    V = table.shape[0]
    for i in ids:
        if i < 0 or i > V:
            raise ValueError("id out of range")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "a float64 one-hot matrix makes a float32 table float64; breaks 'with the element type of the table'",
        "source": """
import numpy as np
def lookup_rows(ids, table):
    X = np.zeros((len(ids), len(table)))
    for t, i in enumerate(ids):
        if i < 0 or i >= len(table):
            raise ValueError("id out of range")
        X[t, i] = 1.0
    return X @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "list of rows: for no ids the shape is (0,); breaks 'shape (T, D)' with 'it may be empty'",
        "source": """
import numpy as np
def lookup_rows(ids, table):
    rows = []
    for i in ids:
        if not 0 <= i < len(table):
            raise ValueError("id out of range")
        rows.append(table[i])
    return np.array(rows, dtype=table.dtype)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "clips ids into the table instead of complaining; breaks 'ValueError: an id is below 0 or above V - 1'",
        "source": """
import numpy as np
def lookup_rows(ids, table):
    return np.take(table, np.array(ids, dtype=int), axis=0, mode="clip")
""",
    },
    # cross_entropy
    {
        "task": "cross_entropy",
        "right": True,
        "why": "vectorised with logaddexp.reduce and take_along_axis",
        "source": """
import numpy as np
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("one target for each row")
    scores = np.asarray(scores, dtype=np.float64)
    total = np.logaddexp.reduce(scores, axis=1)
    picked = np.take_along_axis(scores, np.array(targets)[:, None], axis=1)[:, 0]
    return float(np.mean(total - picked))
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "row by row, running mean",
        "source": """
import math
import numpy as np
def cross_entropy(scores, targets):
    if not len(targets) or len(targets) != scores.shape[0]:
        raise ValueError("sizes")
    mean = 0.0
    for n, (row, target) in enumerate(zip(scores.tolist(), targets), start=1):
        top = max(row)
        shifted = [s - top for s in row]
        loss = math.log(sum(math.exp(s) for s in shifted)) - shifted[target]
        mean += (loss - mean) / n
    return mean
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "logarithm of the probability plus 1e-12: the loss never exceeds 27.6; breaks 'never takes the logarithm of a rounded probability: ... its logarithm -800 is not'",
        "source": """
import numpy as np
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("sizes")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(p[np.arange(len(targets)), targets] + 1e-12)))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "one largest score for the whole matrix: a row 1000 below it gives log 0; breaks the formula (m is of the row)",
        "source": """
import numpy as np
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("sizes")
    s = scores - scores.max()
    with np.errstate(all="ignore"):
        logp = s - np.log(np.exp(s).sum(axis=1, keepdims=True))
    return float(-logp[range(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "logp[:, targets] is an N x N matrix, its mean is not that of the targets; breaks 'the mean of minus the log-probability of the targets' (right only for N = 1 or equal rows)",
        "source": """
import numpy as np
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("sizes")
    m = scores.max(axis=1, keepdims=True)
    logp = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-logp[:, targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "zip stops at the shorter one: fewer or more targets than rows are not noticed; breaks 'ValueError: ... not as many as rows'",
        "source": """
import numpy as np
def cross_entropy(scores, targets):
    if len(targets) == 0:
        raise ValueError("no targets")
    losses = []
    for row, t in zip(scores, targets):
        m = row.max()
        losses.append(m + np.log(np.exp(row - m).sum()) - row[t])
    return float(np.mean(losses))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "no targets give 0.0; breaks 'ValueError: there are no targets'",
        "source": """
import numpy as np
def cross_entropy(scores, targets):
    if len(targets) != len(scores):
        raise ValueError("sizes")
    total = 0.0
    for n, t in enumerate(targets):
        total += np.logaddexp.reduce(scores[n]) - scores[n, t]
    return float(total / max(len(targets), 1))
""",
    },
    # gradient_step
    {
        "task": "gradient_step",
        "right": True,
        "why": "einsum, and the step from X'X w - X'y",
        "source": """
import numpy as np
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    gram = np.einsum("nd,ne->de", inputs, inputs)
    moment = np.einsum("nd,n->d", inputs, targets)
    gradient = 2.0 * (gram.dot(weights) - moment) / len(targets)
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "plain loops over examples and weights",
        "source": """
import numpy as np
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    n, d = inputs.shape
    slope = [0.0] * d
    for row, y in zip(inputs, targets):
        error = sum(float(a) * float(b) for a, b in zip(row, weights)) - float(y)
        for j in range(d):
            slope[j] += 2 * error * float(row[j]) / n
    return np.array([float(w) - lr * s for w, s in zip(weights, slope)])
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "in-place subtraction; breaks 'it is not changed' and 'A new array'",
        "source": """
import numpy as np
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    weights -= lr * 2 / len(targets) * inputs.T @ (inputs @ weights - targets)
    return weights
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "shortcut for lr = 0 returns the argument itself; breaks 'A new array of shape (D,)'",
        "source": """
import numpy as np
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    if lr == 0:
        return weights
    return weights - lr * 2 / len(targets) * inputs.T @ (inputs @ weights - targets)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "lr = 0 raises; breaks 'lr: how long the step is, 0 or above'",
        "source": """
import numpy as np
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr <= 0:
        raise ValueError("lr must be positive")
    errors = inputs @ weights - targets
    return weights - lr * (2 / len(targets)) * (inputs.T @ errors)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "weight after weight with the new errors (coordinate descent); breaks the formula: all weights move by one gradient. Right only for D = 1",
        "source": """
import numpy as np
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    new = np.array(weights, dtype=float)
    for j in range(len(new)):
        errors = inputs @ new - targets
        new[j] -= lr * 2 * np.mean(errors * inputs[:, j])
    return new
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "averages over all entries (N * D) instead of the N examples; breaks the factor 2/N, right only for D = 1",
        "source": """
import numpy as np
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    errors = inputs @ weights - targets
    return weights - lr * 2 * (inputs * errors[:, None]).sum(axis=0) / inputs.size
""",
    },
]
