ANSWERS = [
    {
        "task": "encode_decode",
        "right": True,
        "why": "rows of E by index, then times U",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    V = len(encoder)
    for i in ids:
        if not 0 <= i < V:
            raise ValueError(f"no word {i}")
    return encoder[np.asarray(ids, dtype=np.intp)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": True,
        "why": "table of all scores first (E U), rows picked in a loop",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    every = np.einsum("vd,dw->vw", encoder, decoder)
    out = np.zeros((len(ids), decoder.shape[1]))
    for t in range(len(ids)):
        if ids[t] < 0 or ids[t] >= every.shape[0]:
            raise ValueError("id outside the vocabulary")
        out[t, :] = every[ids[t], :]
    return out
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "empty list of ids: np.array([]) is float and indexing raises IndexError instead of (0, V)",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    ids = np.array(ids)
    if (ids < 0).any() or (ids >= encoder.shape[0]).any():
        raise ValueError("id")
    return encoder[ids] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "negative ids count from the end",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    x = np.zeros((len(ids), V))
    for t, i in enumerate(ids):
        if i >= V:
            raise ValueError("id")
        x[t, i] = 1
    return x @ encoder @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "one row for each different word: equal ids come once, sorted",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    ids = np.unique(np.asarray(ids, dtype=int))
    if ids.size and (ids.min() < 0 or ids.max() >= len(encoder)):
        raise ValueError("id")
    return encoder[ids] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "bound checked against D, the width, and not V",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    V, D = encoder.shape
    if any(i < 0 or i > D for i in ids):
        raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "stable softmax minus one-hot, divided by B",
        "source": r"""
def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows and targets")
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "torch autograd does the work, back to NumPy",
        "source": r"""
def logits_gradient(scores, targets):
    if scores.shape[0] < 1 or scores.shape[0] != len(targets):
        raise ValueError("need as many targets as rows")
    s = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    F.cross_entropy(s, torch.tensor(targets, dtype=torch.int64)).backward()
    return s.grad.numpy()
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "not divided by B",
        "source": r"""
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError
    p = np.exp(scores - scores.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    p[range(len(targets)), targets] -= 1
    return p
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "subtracts the maximum in place: scores is changed",
        "source": r"""
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p = p / p.sum(axis=1, keepdims=True)
    p[np.arange(len(p)), targets] -= 1
    return p / len(p)
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "one maximum for the whole table: a row of -1000 beside one of 1000 gives 0/0",
        "source": r"""
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError
    p = np.exp(scores - scores.max())
    p = p / p.sum(axis=1, keepdims=True)
    return (p - np.eye(scores.shape[1])[targets]) / len(scores)
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "more targets than rows are not noticed (only the first ones are used)",
        "source": r"""
def logits_gradient(scores, targets):
    B, V = scores.shape
    if B == 0 or len(targets) < B:
        raise ValueError
    p = np.exp(scores - scores.max(1, keepdims=True))
    p = p / p.sum(1, keepdims=True)
    for b in range(B):
        p[b, targets[b]] -= 1.0
    return p / B
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "padded text and slices",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order below 1")
    n = order - 1
    padded = [pad] * n + list(ids)
    return [padded[t:t + n] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "a rolling window, copied at each word",
        "source": r"""
def context_windows(ids, order, pad):
    if not order > 0:
        raise ValueError(order)
    window = [pad for _ in range(order - 1)]
    contexts, wanted = [], []
    for i in ids:
        contexts.append(window[:])
        wanted.append(i)
        window = (window + [i])[1:]
    return (contexts, wanted)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "ids[t-n:t] with padding in front: negative slices, wrong at the start for order 3 up",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError
    n = order - 1
    contexts = []
    for t in range(len(ids)):
        c = ids[t - n:t]
        contexts.append([pad] * (n - len(c)) + c)
    return contexts, ids[:]
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "the same list is returned for the predicted ids, not a new one",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError
    p = [pad] * (order - 1) + ids
    return [p[t:t + order - 1] for t in range(len(ids))], ids
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "order 1 raises as well",
        "source": r"""
def context_windows(ids, order, pad):
    if order <= 1:
        raise ValueError("order")
    p = [pad] * (order - 1) + ids
    return [p[t:t + order - 1] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "p[-n:] with n = 0 is the whole list: order 1 gives contexts that are not empty",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError
    n = order - 1
    p = [pad] * n
    contexts = []
    for i in ids:
        contexts.append(p[-n:])
        p = p + [i]
    return contexts, list(ids)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "lookup, flatten, two linear layers",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    return F.linear(torch.tanh(F.linear(x, H, d)), U, b)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "einsum over position and entry, H split in blocks",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    n = contexts.shape[1]
    D = embedding.shape[1]
    blocks = H.view(H.shape[0], n, D)
    vectors = F.embedding(contexts, embedding)
    hidden = torch.tanh(torch.einsum("bnd,hnd->bh", vectors, blocks) + d)
    return b + torch.einsum("bh,vh->bv", hidden, U)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "the vectors are interleaved (transposed before the reshape): same for D = 1 only",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].transpose(1, 2).reshape(len(contexts), -1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "embedding is detached: no gradient reaches it",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = torch.cat([embedding.detach()[contexts[:, i]] for i in range(contexts.shape[1])], dim=1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "x is cast to float32: double tables fail or lose their type",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1).float()
    return b.float() + torch.tanh(d.float() + x @ H.float().T) @ U.float().T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "computed under torch.no_grad: the values are right, no gradient reaches any table",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    with torch.no_grad():
        x = embedding[contexts].reshape(contexts.shape[0], -1)
        return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "index dict and loops",
        "source": r"""
def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    X = np.zeros((len(documents), len(vocabulary)))
    for i, doc in enumerate(documents):
        for w in doc:
            if w in column:
                X[i, column[w]] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "list.count in nested comprehensions, reshaped for no documents",
        "source": r"""
def bag_of_words(documents, vocabulary):
    return np.array([[float(list(d).count(w)) for w in vocabulary] for d in documents], dtype=np.float64).reshape(-1, len(vocabulary))
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "presence instead of the count: 1 for a word that occurs twice",
        "source": r"""
def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, d in enumerate(documents):
        for w in d:
            if w in vocabulary:
                X[i, vocabulary.index(w)] = 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "whole numbers: the array is int64 and not float64",
        "source": r"""
def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)), dtype=int)
    for i, d in enumerate(documents):
        c = Counter(d)
        X[i] = [c[w] for w in vocabulary]
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "no documents give shape (0,) instead of (0, V)",
        "source": r"""
def bag_of_words(documents, vocabulary):
    return np.array([[d.count(w) for w in vocabulary] for d in documents], dtype=float)
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "words are lowered before they are compared",
        "source": r"""
def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, d in enumerate(documents):
        low = [w.lower() for w in d]
        for j, w in enumerate(vocabulary):
            X[i, j] = low.count(w)
    return X
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "whole columns, words of none guarded with maximum",
        "source": r"""
def tf_idf(counts):
    N = counts.shape[0]
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * np.log(N / np.maximum(holds, 1)) * (holds > 0)
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "loops with math.log",
        "source": r"""
def tf_idf(counts):
    rows = counts.tolist()
    if len(rows) == 0:
        raise ValueError("no documents")
    V = counts.shape[1]
    out = np.zeros((len(rows), V))
    for v in range(V):
        n = 0
        for row in rows:
            if row[v] > 0:
                n += 1
        for i, row in enumerate(rows):
            if row[v] > 0:
                out[i, v] = row[v] * math.log(len(rows) / n)
    return out
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "a word of no document gives 0 * log(N/0) = nan",
        "source": r"""
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError
    with np.errstate(all="ignore"):
        return counts * np.log(len(counts) / (counts > 0).sum(axis=0))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "N_v is the sum of the counts, not the number of documents that hold the word",
        "source": r"""
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError
    n = counts.sum(axis=0)
    return counts * np.log(len(counts) / np.where(n == 0, 1, n))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "weights written into the argument",
        "source": r"""
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError
    n = np.count_nonzero(counts, axis=0)
    counts *= np.log(len(counts) / np.maximum(n, 1))
    return counts
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "smoothed denominator 1 + N_v",
        "source": r"""
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError
    n = np.count_nonzero(counts, axis=0)
    return counts * np.log(len(counts) / (1 + n))
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "ranges clipped at the ends",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window below 1")
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
        "why": "all pairs of positions with itertools.product, filtered",
        "source": r"""
def near_pairs(words, window):
    if not window >= 1:
        raise ValueError(window)
    n = range(len(words))
    return [(words[i], words[j]) for i, j in itertools.product(n, n) if 0 < abs(i - j) <= window]
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "compares words and not positions: equal neighbours are left out",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError
    return [(c, o) for i, c in enumerate(words) for o in words[max(0, i - window):i + window + 1] if o != c]
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "the right end is off by one: the neighbour at distance window on the right is missing when window > 1",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError
    pairs = []
    for i, c in enumerate(words):
        right = words[i + 1:i + max(window, 2)]
        for o in words[max(0, i - window):i] + right:
            pairs.append((c, o))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "by distance, the nearest neighbours first: wrong order",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError
    pairs = []
    for i, c in enumerate(words):
        for k in range(1, window + 1):
            for j in (i - k, i + k):
                if 0 <= j < len(words):
                    pairs.append((c, words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "a pair that occurs several times is listed once (dict.fromkeys)",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError
    n = len(words)
    pairs = [(words[i], words[j]) for i in range(n) for j in range(n) if i != j and abs(i - j) <= window]
    return list(dict.fromkeys(pairs))
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "powers of the counts above 0, then shares",
        "source": r"""
def noise_shares(counts, power=0.75):
    raised = {w: c ** power if c > 0 else 0.0 for w, c in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "NumPy with where, zip back into a dict",
        "source": r"""
def noise_shares(counts, power=0.75):
    if not any(counts.values()):
        raise ValueError("every count is 0")
    c = np.array(list(counts.values()), dtype=np.float64)
    p = np.where(c > 0, np.power(c, power), 0.0)
    p = p / p.sum()
    return dict(zip(counts.keys(), p.tolist()))
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "0 ** 0 is 1: with power 0 a word with count 0 gets a share",
        "source": r"""
def noise_shares(counts, power=0.75):
    total = sum(c ** power for c in counts.values())
    if not any(counts.values()):
        raise ValueError
    return {w: c ** power / total for w, c in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "words with the count 0 are left out of the result",
        "source": r"""
def noise_shares(counts, power=0.75):
    kept = {w: c ** power for w, c in counts.items() if c > 0}
    if not kept:
        raise ValueError
    total = sum(kept.values())
    return {w: r / total for w, r in kept.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "every count 0 ends in ZeroDivisionError; only the empty dict gives ValueError",
        "source": r"""
def noise_shares(counts, power=0.75):
    if not counts:
        raise ValueError
    r = {w: (c ** power if c else 0.0) for w, c in counts.items()}
    s = sum(r.values())
    return {w: x / s for w, x in r.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "counts replaced by their powers in the given dict",
        "source": r"""
def noise_shares(counts, power=0.75):
    if not any(counts.values()):
        raise ValueError
    for w in counts:
        counts[w] = counts[w] ** power if counts[w] else 0.0
    s = sum(counts.values())
    return {w: x / s for w, x in counts.items()}
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "logsigmoid of einsum products",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "softplus, one bmm over the near word and the noise together",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    words = torch.cat([context.unsqueeze(1), -noise], dim=1)
    scores = torch.bmm(words, centre.unsqueeze(2)).squeeze(2)
    return F.softplus(-scores).sum() / centre.shape[0]
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "log of sigmoid: a score of -1000 gives infinity",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(1)
    far = (noise * centre[:, None, :]).sum(2)
    return -(torch.log(torch.sigmoid(near)) + torch.log(torch.sigmoid(-far)).sum(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "mean over the noise words instead of the sum",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(1)
    far = (noise @ centre[:, :, None])[:, :, 0]
    return -F.logsigmoid(near).mean() - F.logsigmoid(-far).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "sum over the batch, not the mean: agrees for B = 1",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(1)
    far = (noise @ centre[:, :, None])[:, :, 0]
    return -F.logsigmoid(near).sum() - F.logsigmoid(-far).sum()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "noise is detached: no gradient reaches the noise vectors",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    near = torch.sum(centre * context, dim=1)
    far = torch.matmul(noise.detach(), centre.unsqueeze(-1)).squeeze(-1)
    return (-F.logsigmoid(near) - F.logsigmoid(-far).sum(1)).mean()
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "matrix, zero lengths replaced by 1, banned to minus infinity",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    i, j, k = (words.index(w) for w in (a, b, c))
    goal = vectors[j] - vectors[i] + vectors[k]
    lengths = np.linalg.norm(vectors, axis=1)
    scores = vectors @ goal / np.where(lengths == 0, 1, lengths)
    scores[[i, j, k]] = -np.inf
    if len(words) == len({i, j, k}):
        raise ValueError("no other word")
    return words[int(scores.argmax())]
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "loop over the candidates with plain floats",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    place = {w: n for n, w in enumerate(words)}
    for w in (a, b, c):
        if w not in place:
            raise ValueError(f"unknown word {w!r}")
    goal = [float(q - p + r) for p, q, r in zip(vectors[place[a]], vectors[place[b]], vectors[place[c]])]
    def cosine(v):
        top = sum(float(x) * g for x, g in zip(v, goal))
        below = math.sqrt(sum(float(x) ** 2 for x in v)) * math.sqrt(sum(g * g for g in goal))
        return top / below if below else 0.0
    rest = [w for w in words if w not in (a, b, c)]
    if not rest:
        raise ValueError("no other word")
    return max(rest, key=lambda w: cosine(vectors[place[w]]))
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "by dot product instead of cosine: a long vector wins",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    s = vectors @ (vectors[j] - vectors[i] + vectors[k])
    s[[i, j, k]] = -np.inf
    if np.isneginf(s).all():
        raise ValueError
    return words[s.argmax()]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "a vector of zeros gives nan and argmax picks it",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    goal = vectors[j] - vectors[i] + vectors[k]
    with np.errstate(all="ignore"):
        s = vectors @ goal / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(goal))
    s[[i, j, k]] = -np.inf
    if len({i, j, k}) == len(words):
        raise ValueError
    return words[s.argmax()]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "best score starts at 0: with negative cosines only nothing is found and None returned",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    if len({i, j, k}) == len(words):
        raise ValueError
    goal = vectors[j] - vectors[i] + vectors[k]
    best, answer = 0, None
    for n, w in enumerate(words):
        size = np.linalg.norm(vectors[n]) * np.linalg.norm(goal)
        cos = vectors[n] @ goal / size if size else 0
        if n not in (i, j, k) and cos > best:
            best, answer = cos, w
    return answer
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "raises when the list has fewer than four words, though a, b and c may be the same",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    if len(words) < 4:
        raise ValueError("no other word")
    goal = vectors[j] - vectors[i] + vectors[k]
    n = np.linalg.norm(vectors, axis=1)
    s = vectors @ goal / np.where(n == 0, 1, n)
    s[[i, j, k]] = -np.inf
    return words[s.argmax()]
""",
    },
]
