ANSWERS = [
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "plain loops, list.index raises the ValueError by itself",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        X[t, vocabulary.index(word)] = 1
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "broadcast comparison of object arrays, check by row sums",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    missing = set(phrase).difference(vocabulary)
    if missing:
        raise ValueError("unknown words: %s" % sorted(missing))
    left = np.empty((len(phrase), 1), dtype=object)
    left[:, 0] = phrase
    right = np.empty((1, len(vocabulary)), dtype=object)
    right[0, :] = vocabulary
    return np.equal(left, right).astype(np.float64).reshape(len(phrase), len(vocabulary))
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "np.array of a list of rows: an empty phrase gives shape (0,) and not (0, V)",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    rows = []
    for word in phrase:
        if word not in vocabulary:
            raise ValueError(word)
        rows.append([1.0 if word == v else 0.0 for v in vocabulary])
    return np.array(rows)
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "a word outside the vocabulary raises KeyError, the statement says ValueError",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    position = {word: i for i, word in enumerate(vocabulary)}
    X = np.zeros((len(phrase), len(vocabulary)), dtype=np.float64)
    X[range(len(phrase)), [position[word] for word in phrase]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "bag of words filled by columns with phrase.index: a repeated word is marked only at its first place",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    if any(word not in vocabulary for word in phrase):
        raise ValueError("word outside the vocabulary")
    X = np.zeros((len(phrase), len(vocabulary)))
    for v, word in enumerate(vocabulary):
        if word in phrase:
            X[phrase.index(word), v] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": 'compares in lower case, so "Files" counts as "files" instead of raising ValueError',
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    low = [w.lower() for w in vocabulary]
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        X[t, low.index(word.lower())] = 1.0
    return X
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "rows scaled to length 1 first, result clipped to [-1, 1]",
        "source": r"""
def cosine_similarity(x, y):
    def unit(a):
        a = np.asarray(a, dtype=np.float64)
        biggest = np.abs(a).max(axis=1, keepdims=True)
        if (biggest == 0).any():
            raise ValueError("a zero vector has no direction")
        a = a / biggest
        return a / np.sqrt((a * a).sum(axis=1, keepdims=True))
    return np.clip(unit(x) @ unit(y).T, -1.0, 1.0)
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "beginner's double loop with math.hypot and math.fsum",
        "source": r"""
def cosine_similarity(x, y):
    N, n = x.shape
    M, m = y.shape
    if n != m:
        raise ValueError("widths differ")
    answer = np.zeros((N, M))
    for i in range(N):
        for j in range(M):
            a = [float(v) for v in x[i]]
            b = [float(v) for v in y[j]]
            la = math.hypot(*a)
            lb = math.hypot(*b)
            if la == 0 or lb == 0:
                raise ValueError("zero vector")
            c = math.fsum((p / la) * (q / lb) for p, q in zip(a, b))
            answer[i, j] = min(1.0, max(-1.0, c))
    return answer
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "no check for zero vectors in y: nan and a warning instead of ValueError",
        "source": r"""
def cosine_similarity(x, y):
    lx = np.linalg.norm(x, axis=1)
    ly = np.linalg.norm(y, axis=1)
    if np.any(lx == 0):
        raise ValueError("zero row")
    return np.clip(x @ y.T / np.outer(lx, ly), -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "divides by the length of the whole table y (axis forgotten): right only when y has one row",
        "source": r"""
def cosine_similarity(x, y):
    lx = np.sqrt((x ** 2).sum(axis=1, keepdims=True))
    ly = np.sqrt((y ** 2).sum())
    if (lx == 0).any() or (y ** 2).sum(1).min() == 0:
        raise ValueError("zero vector")
    return np.clip(x @ y.T / (lx * ly), -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "einsum over elementwise pairs: only row i of x with row i of y, shape (N,)",
        "source": r"""
def cosine_similarity(x, y):
    if x.shape[1] != y.shape[1]:
        raise ValueError("widths")
    lx = np.linalg.norm(x, axis=1)
    ly = np.linalg.norm(y, axis=1)
    if 0 in lx or 0 in ly:
        raise ValueError("zero")
    return (x * y).sum(axis=1) / (lx * ly)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": 'takes "not all rows are zero" as check (.all instead of .any): one zero row among others gives nan',
        "source": r"""
def cosine_similarity(x, y):
    if not x.any() or not y.any():
        raise ValueError("zero vector")
    xn = x / np.linalg.norm(x, axis=1, keepdims=True)
    yn = y / np.linalg.norm(y, axis=1, keepdims=True)
    return np.clip(xn @ yn.T, -1.0, 1.0)
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "really multiplies with the one-hot matrix in the type of the table",
        "source": r"""
def lookup_rows(ids, table):
    V = table.shape[0]
    hot = np.zeros((len(ids), V), dtype=table.dtype)
    for t, i in enumerate(ids):
        if i < 0 or i > V - 1:
            raise ValueError("no such row")
        hot[t, i] = 1
    return hot @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "fancy indexing with an int array (np.take), checked first",
        "source": r"""
def lookup_rows(ids, table):
    index = np.asarray(ids, dtype=np.int64).reshape(-1)
    if index.size and not (0 <= index.min() and index.max() < len(table)):
        raise ValueError("id outside 0..V-1")
    return np.take(table, index, axis=0)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "negative ids count from the end instead of raising ValueError",
        "source": r"""
def lookup_rows(ids, table):
    if any(i >= len(table) for i in ids):
        raise ValueError("id too large")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "one-hot in float64: a float32 table comes back as float64",
        "source": r"""
def lookup_rows(ids, table):
    V = len(table)
    if any(not 0 <= i < V for i in ids):
        raise ValueError("bad id")
    hot = np.zeros((len(ids), V))
    for t, i in enumerate(ids):
        hot[t, i] = 1.0
    return hot @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "np.stack of rows, with an empty list handled as shape (0,) and not (0, D)",
        "source": r"""
def lookup_rows(ids, table):
    for i in ids:
        if i < 0 or i >= table.shape[0]:
            raise ValueError(i)
    if not ids:
        return np.array([], dtype=table.dtype)
    return np.stack([table[i] for i in ids])
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "bound is off by one: the id V is not caught as ValueError (IndexError)",
        "source": r"""
def lookup_rows(ids, table):
    V, D = table.shape
    out = np.empty((len(ids), D), dtype=table.dtype)
    for t, i in enumerate(ids):
        if i < 0 or i > V:
            raise ValueError("id out of range")
        out[t] = table[i]
    return out
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "masked in a copy with minus infinity",
        "source": r"""
def softmax(scores, banned):
    s = np.array(scores, dtype=np.float64)
    keep = np.ones(len(s), dtype=bool)
    keep[np.array(banned, dtype=int)] = False
    if not keep.any():
        raise ValueError("all words are banned")
    s[~keep] = -np.inf
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "plain Python loops over the words that are left",
        "source": r"""
def softmax(scores, banned):
    banned = set(banned)
    left = [i for i in range(len(scores)) if i not in banned]
    if len(left) == 0:
        raise ValueError("nothing left")
    m = max(float(scores[i]) for i in left)
    total = 0.0
    for i in left:
        total += math.exp(float(scores[i]) - m)
    return np.array([0.0 if i in banned else math.exp(float(scores[i]) - m) / total for i in range(len(scores))])
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "the maximum runs over all words, the banned one too: banned 1000 with the others near 0 gives 0/0",
        "source": r"""
def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    e = np.exp(scores - scores.max())
    e[list(banned)] = 0.0
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "bans by writing into the argument scores",
        "source": r"""
def softmax(scores, banned):
    if len(set(banned)) >= len(scores):
        raise ValueError("every word is banned")
    for i in banned:
        scores[i] = -np.inf
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e)
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "softmax over all, banned entries set to 0 afterwards without sharing the rest: does not sum to 1",
        "source": r"""
def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError
    e = np.exp(scores - scores.max())
    p = e / e.sum()
    for b in banned:
        p[b] = 0
    return p
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "every word banned: gives zeros instead of ValueError",
        "source": r"""
def softmax(scores, banned):
    p = np.zeros(len(scores))
    left = [i for i in range(len(scores)) if i not in banned]
    if left:
        e = np.exp(scores[left] - max(scores[left]))
        p[left] = e / e.sum()
    return p
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "log-sum-exp by rows, fancy index",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("need one target for each row, at least one")
    m = scores.max(axis=1, keepdims=True)
    logp = scores - m - np.log(np.exp(scores - m).sum(axis=1, keepdims=True))
    return float(-logp[np.arange(len(targets)), np.asarray(targets)].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "loops, np.logaddexp.reduce, NumPy float returned",
        "source": r"""
def cross_entropy(scores, targets):
    n = 0
    losses = []
    if not len(targets):
        raise ValueError("no targets")
    if scores.shape[0] != len(targets):
        raise ValueError("lengths differ")
    for row, y in zip(scores, targets):
        losses.append(np.logaddexp.reduce(row.astype(float)) - row[y])
    return max(np.float64(0.0), np.mean(losses))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "logarithm of a rounded probability: a score 800 below the largest gives infinity",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != scores.shape[0]:
        raise ValueError("targets")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return float(-np.log(p[np.arange(len(targets)), targets]).mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "one maximum for the whole table: a row that lies 1000 below another gives log 0",
        "source": r"""
def cross_entropy(scores, targets):
    if not targets or len(targets) != len(scores):
        raise ValueError("targets")
    s = scores - scores.max()
    logp = s - np.log(np.exp(s).sum(axis=1))[:, None]
    return float(-np.mean([logp[n, y] for n, y in enumerate(targets)]))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "zip stops at the shorter one: fewer targets than rows give no ValueError",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0:
        raise ValueError("no targets")
    total = 0.0
    for row, y in zip(scores, targets):
        m = row.max()
        total += m + np.log(np.exp(row - m).sum()) - row[y]
    return float(total / len(targets))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "the loss is in bits (log2)",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(scores) != len(targets):
        raise ValueError("targets")
    s = scores - scores.max(1, keepdims=True)
    logp = s - np.log(np.exp(s).sum(1, keepdims=True))
    return float(-logp[range(len(targets)), targets].mean() / math.log(2))
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "the formula as matrices",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr below 0")
    error = inputs @ weights - targets
    return weights - lr * (2 / len(targets)) * (inputs.T @ error)
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "plain Python loops",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("the learning rate is negative")
    N, D = inputs.shape
    slope = [0.0] * D
    for n in range(N):
        guess = sum(float(weights[d]) * float(inputs[n, d]) for d in range(D))
        for d in range(D):
            slope[d] += 2.0 * (guess - float(targets[n])) * float(inputs[n, d]) / N
    return np.array([float(weights[d]) - lr * slope[d] for d in range(D)])
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "in-place subtraction: the argument weights is changed",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    weights -= lr * 2 / len(inputs) * inputs.T @ (inputs @ weights - targets)
    return weights
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "with lr 0 the same array is returned, not a new one",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr must not be negative")
    if lr == 0:
        return weights
    return weights - lr * 2 * np.mean((inputs @ weights - targets)[:, None] * inputs, axis=0)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "also lr = 0 raises, though 0 is allowed",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr <= 0:
        raise ValueError("lr must be positive")
    g = 2 * inputs.T.dot(inputs.dot(weights) - targets) / inputs.shape[0]
    return weights - lr * g
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "divides by 4 always, the N of the example: wrong for other numbers of examples",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr")
    grad = 0.5 * inputs.T @ (inputs @ weights - targets)
    return weights - lr * grad
""",
    },
]
