ANSWERS = [
    # ---------------------------------------------------------------- phrase_matrix
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "beginner: nested loops over lists, list.index raises ValueError by itself, reshape for the empty phrase",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    rows = []
    for word in phrase:
        position = vocabulary.index(word)
        row = []
        for v in range(len(vocabulary)):
            if v == position:
                row.append(1.0)
            else:
                row.append(0.0)
        rows.append(row)
    return np.array(rows, dtype=np.float64).reshape(len(phrase), len(vocabulary))
""",
    },
    {
        "task": "phrase_matrix",
        "right": True,
        "why": "vectorised: comparison of object arrays, broadcast; a row without a match raises",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    left = np.empty(len(phrase), dtype=object)
    left[:] = phrase
    right = np.empty(len(vocabulary), dtype=object)
    right[:] = vocabulary
    equal = (left[:, None] == right[None, :]).astype(np.float64)
    if np.any(equal.sum(axis=1) == 0):
        raise ValueError("a word of the phrase is not in the vocabulary")
    return equal
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "uses phrase.index for the row, so a word that comes twice in the phrase has a row of zeros the second time: ['my', 'my']",
        "source": r"""
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
        "why": "sorts the vocabulary; 'the first one has column 0' breaks for an unsorted vocabulary",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    number = {w: i for i, w in enumerate(sorted(vocabulary))}
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        if word not in number:
            raise ValueError(word)
        X[t, number[word]] = 1.0
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "raises KeyError for a word that is not in the vocabulary, the statement says ValueError",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    column = dict(zip(vocabulary, range(len(vocabulary))))
    X = np.zeros((len(phrase), len(vocabulary)))
    for t, word in enumerate(phrase):
        X[t][column[word]] = 1
    return X
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "the empty phrase gives shape (0,) and not (0, V)",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    for w in phrase:
        if w not in vocabulary:
            raise ValueError("unknown word " + w)
    return np.array([[1.0 if w == v else 0.0 for v in vocabulary] for w in phrase], dtype=np.float64)
""",
    },
    {
        "task": "phrase_matrix",
        "right": False,
        "why": "float32 and not float64",
        "source": r"""
def phrase_matrix(phrase, vocabulary):
    ids = [vocabulary.index(w) for w in phrase]
    X = np.zeros((len(ids), len(vocabulary)), dtype=np.float32)
    X[np.arange(len(ids)), np.array(ids, dtype=int)] = 1
    return X
""",
    },
    # ---------------------------------------------------------------- cosine_similarity
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "plain loops with math.fsum and math.hypot, clipped to [-1, 1]",
        "source": r"""
def cosine_similarity(x, y):
    if x.shape[1] != y.shape[1]:
        raise ValueError("the widths differ")
    def unit(row):
        row = [float(a) for a in row]
        length = math.hypot(*row)
        if length == 0:
            raise ValueError("a zero vector has no direction")
        return [a / length for a in row]
    xs = [unit(r) for r in x]
    ys = [unit(r) for r in y]
    out = []
    for p in xs:
        out.append([min(1.0, max(-1.0, math.fsum(a * b for a, b in zip(p, q)))) for q in ys])
    return np.array(out)
""",
    },
    {
        "task": "cosine_similarity",
        "right": True,
        "why": "careful engineer: scales rows by the largest entry first, so that squares neither overflow nor underflow; einsum; clip",
        "source": r"""
def _unit_rows(a):
    a = np.asarray(a, dtype=np.float64)
    largest = np.abs(a).max(axis=1, keepdims=True)
    if not largest.all():
        raise ValueError("a row is a zero vector")
    a = a / largest
    return a / np.sqrt(np.einsum("ij,ij->i", a, a))[:, None]

def cosine_similarity(x, y):
    u, v = _unit_rows(x), _unit_rows(y)
    return np.clip(u @ v.T, -1.0, 1.0)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "broadcasts instead of a matrix product: x of width 1 and y of width 3 give numbers, not the ValueError for different widths",
        "source": r"""
def cosine_similarity(x, y):
    nx = np.sqrt((x ** 2).sum(axis=1))
    ny = np.sqrt((y ** 2).sum(axis=1))
    if (nx == 0).any() or (ny == 0).any():
        raise ValueError("zero vector")
    dots = (x[:, None, :] * y[None, :, :]).sum(axis=-1)
    return np.clip(dots / (nx[:, None] * ny[None, :]), -1, 1)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "takes a row that sums to 0 for a zero vector: (1, -1) raises ValueError",
        "source": r"""
def cosine_similarity(x, y):
    if np.any(x.sum(axis=1) == 0) or np.any(y.sum(axis=1) == 0):
        raise ValueError("zero vector")
    return (x @ y.T) / np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1))
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "normalises the rows of the caller's arrays in place: 'A function leaves its arguments as they are'",
        "source": r"""
def cosine_similarity(x, y):
    for table in (x, y):
        for i in range(len(table)):
            length = np.linalg.norm(table[i])
            if length == 0:
                raise ValueError("zero vector")
            table[i] = table[i] / length
    return np.clip(np.dot(x, y.T), -1.0, 1.0)
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "divides by the length of the whole table instead of each row",
        "source": r"""
def cosine_similarity(x, y):
    if not x.any(axis=1).all() or not y.any(axis=1).all():
        raise ValueError("zero vector")
    return x @ y.T / (np.linalg.norm(x) * np.linalg.norm(y))
""",
    },
    {
        "task": "cosine_similarity",
        "right": False,
        "why": "looks for zero vectors in x only; a zero row of y gives nan instead of ValueError",
        "source": r"""
def cosine_similarity(x, y):
    lx = np.linalg.norm(x, axis=1, keepdims=True)
    if np.any(lx == 0):
        raise ValueError("zero vector")
    ly = np.linalg.norm(y, axis=1, keepdims=True)
    return (x / lx) @ (y / ly).T
""",
    },
    # ---------------------------------------------------------------- lookup_rows
    {
        "task": "lookup_rows",
        "right": True,
        "why": "the one-hot matrix times the table, in the table's element type",
        "source": r"""
def lookup_rows(ids, table):
    V = table.shape[0]
    one_hot = np.zeros((len(ids), V), dtype=table.dtype)
    for t, i in enumerate(ids):
        if not 0 <= i < V:
            raise ValueError(f"id {i} is not from 0 to {V - 1}")
        one_hot[t, i] = 1
    return one_hot @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": True,
        "why": "np.take with an index array of whole numbers, checks with all()",
        "source": r"""
def lookup_rows(ids, table):
    index = np.asarray(list(ids), dtype=np.intp)
    if not np.all((index >= 0) & (index < len(table))):
        raise ValueError("an id is out of range")
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
        raise ValueError("no such row")
    return table[np.array(ids, dtype=int)]
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "an id that is too large raises IndexError, not ValueError",
        "source": r"""
def lookup_rows(ids, table):
    out = np.empty((len(ids), table.shape[1]), dtype=table.dtype)
    for t, i in enumerate(ids):
        if i < 0:
            raise ValueError("negative id")
        out[t] = table[i]
    return out
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "always float64: 'An array with the element type of the table' breaks for a float32 table",
        "source": r"""
def lookup_rows(ids, table):
    V, D = table.shape
    if len(ids) > 0 and (min(ids) < 0 or max(ids) >= V):
        raise ValueError("id out of range")
    one_hot = np.eye(V)[np.array(ids, dtype=int)]
    return one_hot @ table
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "an empty list gives shape (0,), not (0, D)",
        "source": r"""
def lookup_rows(ids, table):
    rows = []
    for i in ids:
        if i < 0 or i > len(table) - 1:
            raise ValueError("id out of range")
        rows.append(table[i])
    return np.array(rows, dtype=table.dtype)
""",
    },
    {
        "task": "lookup_rows",
        "right": False,
        "why": "ids.index puts the 1 of a repeated id into the first row again: the second [1, 1] row is zeros",
        "source": r"""
def lookup_rows(ids, table):
    one_hot = np.zeros((len(ids), len(table)), dtype=table.dtype)
    for i in ids:
        if i not in range(len(table)):
            raise ValueError("id out of range")
        one_hot[ids.index(i), i] = 1.0
    return one_hot.dot(table)
""",
    },
    # ---------------------------------------------------------------- softmax
    {
        "task": "softmax",
        "right": True,
        "why": "plain Python over the words that are left, a set for the banned",
        "source": r"""
def softmax(scores, banned):
    banned = set(banned)
    left = [i for i in range(len(scores)) if i not in banned]
    if not left:
        raise ValueError("every word is banned")
    m = max(float(scores[i]) for i in left)
    out = [0.0] * len(scores)
    total = 0.0
    for i in left:
        out[i] = math.exp(float(scores[i]) - m)
        total += out[i]
    return np.array([e / total for e in out])
""",
    },
    {
        "task": "softmax",
        "right": True,
        "why": "a boolean mask and np.where with minus infinity on a float copy",
        "source": r"""
def softmax(scores, banned):
    allowed = np.ones(scores.shape, dtype=bool)
    allowed[np.array(banned, dtype=int)] = False
    if not allowed.any():
        raise ValueError("every word is banned")
    s = np.where(allowed, scores.astype(np.float64), -np.inf)
    e = np.exp(s - s.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "the maximum runs over the banned words, too: scores [0, 1, 2000] with [2] banned give 0 / 0",
        "source": r"""
def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    e = np.exp(scores - np.max(scores))
    for i in banned:
        e[i] = 0.0
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "writes minus infinity into the caller's scores: 'A function leaves its arguments as they are'",
        "source": r"""
def softmax(scores, banned):
    if len(set(banned)) >= len(scores):
        raise ValueError("every word is banned")
    scores[banned] = -np.inf
    e = np.exp(scores - scores.max())
    return e / e.sum()
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "the maximum is not subtracted: a score of 1000 overflows to nan",
        "source": r"""
def softmax(scores, banned):
    e = np.exp(np.asarray(scores, dtype=float))
    e[np.array(banned, dtype=int)] = 0
    if len(set(banned)) == len(e):
        raise ValueError("every word is banned")
    return e / np.sum(e)
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "bans every word that has the same score as a banned one: [1, 1, 0] with [0] banned gives word 1 probability 0",
        "source": r"""
def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    bad = [scores[i] for i in banned]
    left = [s for s in scores if s not in bad]
    m = max(left, default=0.0)
    total = sum(math.exp(s - m) for s in left)
    return np.array([0.0 if s in bad else math.exp(s - m) / total for s in scores])
""",
    },
    {
        "task": "softmax",
        "right": False,
        "why": "softmax of all words, the banned set to 0, but not divided by what is left: the numbers do not sum to 1",
        "source": r"""
def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("every word is banned")
    e = np.exp(scores - np.max(scores))
    p = e / e.sum()
    p[np.array(banned, dtype=int)] = 0
    return p
""",
    },
    # ---------------------------------------------------------------- cross_entropy
    {
        "task": "cross_entropy",
        "right": True,
        "why": "loops with math.log and fsum, the formula on the right",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("one target for each row, at least one")
    losses = []
    for row, t in zip(scores.tolist(), targets):
        m = max(row)
        log_total = math.log(math.fsum(math.exp(s - m) for s in row))
        losses.append(log_total - (row[t] - m))
    return math.fsum(losses) / len(losses)
""",
    },
    {
        "task": "cross_entropy",
        "right": True,
        "why": "torch's cross_entropy in double precision",
        "source": r"""
import torch
import torch.nn.functional as F

def cross_entropy(scores, targets):
    N = scores.shape[0]
    if N == 0 or len(targets) != N:
        raise ValueError("there must be one target for each row")
    s = torch.tensor(scores, dtype=torch.float64)
    return F.cross_entropy(s, torch.tensor(targets, dtype=torch.long)).item()
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "adds 1e-12 to the probability before the logarithm: a loss of 800 becomes 27.6",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("bad targets")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(p[np.arange(len(targets)), targets] + 1e-12)))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "subtracts the largest score of the whole matrix, not of the row: a row far below the others underflows to log 0",
        "source": r"""
def cross_entropy(scores, targets):
    if not len(targets) or len(targets) != scores.shape[0]:
        raise ValueError("bad targets")
    s = scores - np.max(scores)
    log_p = s - np.log(np.exp(s).sum(axis=1, keepdims=True))
    return float(-log_p[np.arange(len(targets)), targets].mean())
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "zip cuts off: more rows than targets (or the other way round) raise no ValueError",
        "source": r"""
def cross_entropy(scores, targets):
    if not targets:
        raise ValueError("no targets")
    total = 0.0
    for row, t in zip(scores, targets):
        m = row.max()
        total -= row[t] - m - np.log(np.exp(row - m).sum())
    return float(total / len(targets))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "subtracts the maximum in the caller's array: 'A function leaves its arguments as they are'",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("bad targets")
    loss = 0.0
    for n, row in enumerate(scores):
        row -= row.max()
        loss += math.log(np.exp(row).sum()) - row[targets[n]]
    return float(loss / len(scores))
""",
    },
    {
        "task": "cross_entropy",
        "right": False,
        "why": "the sum over the predictions, not the mean",
        "source": r"""
def cross_entropy(scores, targets):
    if len(targets) == 0 or len(targets) != len(scores):
        raise ValueError("bad targets")
    m = scores.max(axis=1)
    lse = m + np.log(np.exp(scores - m[:, None]).sum(axis=1))
    return float(sum(lse[n] - scores[n, t] for n, t in enumerate(targets)))
""",
    },
    # ---------------------------------------------------------------- gradient_step
    {
        "task": "gradient_step",
        "right": True,
        "why": "double loop over examples and weights, lists",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("the learning rate is below 0")
    N, D = inputs.shape
    gradient = [0.0] * D
    for n in range(N):
        error = -float(targets[n])
        for d in range(D):
            error += float(inputs[n][d]) * float(weights[d])
        for d in range(D):
            gradient[d] += 2 * error * float(inputs[n][d]) / N
    return np.array([float(weights[d]) - lr * gradient[d] for d in range(D)])
""",
    },
    {
        "task": "gradient_step",
        "right": True,
        "why": "torch's autograd works the gradient out on copies",
        "source": r"""
import torch

def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr must not be negative")
    w = torch.tensor(weights, dtype=torch.float64, requires_grad=True)
    X = torch.tensor(inputs, dtype=torch.float64)
    y = torch.tensor(targets, dtype=torch.float64)
    loss = ((X @ w - y) ** 2).mean()
    (g,) = torch.autograd.grad(loss, w)
    return (w - lr * g).detach().numpy()
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "changes the caller's weights in place and returns them: 'it is not changed', 'A new array'",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr below 0")
    error = inputs @ weights - targets
    weights -= lr * 2 / len(targets) * (inputs.T @ error)
    return weights
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "refuses a learning rate of 0, which the statement allows ('0 or above')",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr <= 0:
        raise ValueError("the learning rate must be positive")
    gradient = 2 * np.mean(inputs * (inputs @ weights - targets)[:, None], axis=0)
    return weights - lr * gradient
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "the factor 0.5 = 2 / 4 fits only for four examples",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr below 0")
    errors = inputs @ weights - targets
    return weights - lr * 0.5 * (errors @ inputs)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "the default learning rate is 0.05, the signature says 0.1",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.05):
    if lr < 0:
        raise ValueError("lr below 0")
    N = inputs.shape[0]
    return weights - lr * (2 / N) * inputs.T @ (inputs @ weights - targets)
""",
    },
    {
        "task": "gradient_step",
        "right": False,
        "why": "with lr 0 it returns the very array of the weights, the statement asks for a new one",
        "source": r"""
def gradient_step(weights, inputs, targets, lr=0.1):
    if lr < 0:
        raise ValueError("lr below 0")
    if lr == 0:
        return weights
    N = inputs.shape[0]
    return weights - lr * (2 / N) * inputs.T @ (inputs @ weights - targets)
""",
    },
]
