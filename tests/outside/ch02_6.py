ANSWERS = [
    # ---------------------------------------------------------------- encode_decode
    {
        "task": "encode_decode",
        "right": True,
        "why": "decoder applied to the whole encoder first, then rows picked",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError(f"id {i} is not from 0 to {V - 1}")
    return (encoder @ decoder)[np.array(ids, dtype=np.int64)]
""",
    },
    {
        "task": "encode_decode",
        "right": True,
        "why": "beginner: three loops that fill a table of zeros",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    V, D = encoder.shape
    scores = np.zeros((len(ids), V), dtype=np.float64)
    for t in range(len(ids)):
        if ids[t] not in range(V):
            raise ValueError("no such word")
        for v in range(V):
            s = 0.0
            for k in range(D):
                s += encoder[ids[t], k] * decoder[k, v]
            scores[t, v] = s
    return scores
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "negative ids count from the end; 'ValueError: an id is below 0'",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    if len(ids) > 0 and max(ids) >= encoder.shape[0]:
        raise ValueError("id too large")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "an empty list gives shape (0,), not (0, V)",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    out = []
    for i in ids:
        if not 0 <= i < len(encoder):
            raise ValueError("id out of range")
        out.append(encoder[i] @ decoder)
    return np.array(out, dtype=np.float64)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "off by one: id V passes the check and raises IndexError, not ValueError",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    if any(i < 0 or i > V for i in ids):
        raise ValueError("id out of range")
    x = np.zeros((len(ids), V))
    for t, i in enumerate(ids):
        x[t, i] = 1.0
    return x @ encoder @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "ids.index: an id that comes more than once has a row of zeros the second time",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    x = np.zeros((len(ids), V))
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("id out of range")
        x[ids.index(i)][i] = 1.0
    return np.dot(np.dot(x, encoder), decoder)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "rows in the order of the sorted ids, not in the order of the list",
        "source": r"""
def encode_decode(ids, encoder, decoder):
    ids = sorted(ids)
    if ids and (ids[0] < 0 or ids[-1] >= encoder.shape[0]):
        raise ValueError("id out of range")
    return np.einsum("td,dv->tv", encoder[np.array(ids, dtype=int)], decoder)
""",
    },
    # ---------------------------------------------------------------- logits_gradient
    {
        "task": "logits_gradient",
        "right": True,
        "why": "softmax with the row's maximum subtracted, 1 taken from the targets",
        "source": r"""
def logits_gradient(scores, targets):
    B = scores.shape[0]
    if B == 0 or len(targets) != B:
        raise ValueError("one target for each row, at least one row")
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1.0
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "torch's autograd of F.cross_entropy on a copy",
        "source": r"""
import torch
import torch.nn.functional as F

def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("no rows, or not as many targets as rows")
    s = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    F.cross_entropy(s, torch.tensor(list(targets))).backward()
    return s.grad.numpy()
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "not divided by B; the example has one row",
        "source": r"""
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("bad shapes")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    y = np.eye(scores.shape[1])[targets]
    return e / e.sum(axis=1, keepdims=True) - y
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "changes the caller's scores: '`scores` stays as it is'",
        "source": r"""
def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or B != len(targets):
        raise ValueError("bad shapes")
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    for b, t in enumerate(targets):
        p[b, t] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "one maximum for the whole matrix: rows at 1000 and at -1000 together give 0 / 0",
        "source": r"""
def logits_gradient(scores, targets):
    B, V = scores.shape
    if B == 0 or B != len(targets):
        raise ValueError("bad shapes")
    e = np.exp(scores - scores.max())
    p = e / e.sum(axis=1)[:, None]
    return (p - np.eye(V)[np.array(targets)]) / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "one target for several rows is broadcast and raises nothing; 'not as many targets as rows'",
        "source": r"""
def logits_gradient(scores, targets):
    B = scores.shape[0]
    if B == 0 or len(targets) == 0:
        raise ValueError("nothing to do")
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    try:
        p[np.arange(B), targets] -= 1.0
    except IndexError:
        raise ValueError("not as many targets as rows")
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "p[:, targets] -= 1 takes 1 from the targets of all rows in every row; right for one row only",
        "source": r"""
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("bad shapes")
    p = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    p = p / np.sum(p, axis=1, keepdims=True)
    p[:, targets] -= 1
    return p / len(scores)
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "overflows for scores of 1000, which are allowed",
        "source": r"""
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("bad shapes")
    out = np.zeros(scores.shape)
    for b in range(len(scores)):
        e = np.exp(scores[b])
        out[b] = e / e.sum()
        out[b, targets[b]] -= 1
    return out / len(scores)
""",
    },
    # ---------------------------------------------------------------- context_windows
    {
        "task": "context_windows",
        "right": True,
        "why": "pads a copy on the left and cuts windows",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("the order is below 1")
    padded = [pad] * (order - 1) + list(ids)
    return [padded[i:i + order - 1] for i in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "beginner: asks for each position whether there is a word; a list of both lists",
        "source": r"""
def context_windows(ids, order, pad):
    if order <= 0:
        raise ValueError("order must be at least 1")
    contexts = []
    predicted = []
    for i in range(len(ids)):
        context = []
        for back in range(order - 1, 0, -1):
            if i - back >= 0:
                context.append(ids[i - back])
            else:
                context.append(pad)
        contexts.append(context)
        predicted.append(ids[i])
    return contexts, predicted
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "with order 1 the slice [-0:] is the whole history, not an empty list",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("the order is below 1")
    history = [pad] * (order - 1)
    contexts, predicted = [], []
    for i in ids:
        contexts.append(history[-(order - 1):])
        predicted.append(i)
        history = history + [i]
    return contexts, predicted
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "returns the caller's list as the predicted ids: 'Both are new lists'",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("the order is below 1")
    padded = [pad] * (order - 1) + ids
    contexts = [padded[i:i + order - 1] for i in range(len(ids))]
    return contexts, ids
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "does not predict words with the id of the padding: 'a word may have the same id as the padding', 'every word is predicted exactly once'",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("the order is below 1")
    text = [pad] * (order - 1) + list(ids)
    contexts, predicted = [], []
    for end in range(order - 1, len(text)):
        if text[end] == pad:
            continue
        contexts.append(text[end - order + 1:end])
        predicted.append(text[end])
    return contexts, predicted
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "inserts the padding into the caller's list",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("the order is below 1")
    predicted = ids[:]
    for _ in range(order - 1):
        ids.insert(0, pad)
    return [ids[i:i + order - 1] for i in range(len(predicted))], predicted
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "order 0 raises nothing; 'the order is below 1'",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 0:
        raise ValueError("negative order")
    n = max(order - 1, 0)
    padded = [pad for _ in range(n)] + list(ids)
    return [padded[t:t + n] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "pads at most len(ids) positions: for a text shorter than the order the contexts are too short",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("the order is below 1")
    n = min(order - 1, len(ids))
    padded = [pad] * n + list(ids)
    return [padded[t:t + n] for t in range(len(ids))], list(ids)
""",
    },
    # ---------------------------------------------------------------- neural_ngram_logits
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "lookup, flatten, two linear layers",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(start_dim=1)
    return F.linear(torch.tanh(F.linear(x, H, d)), U, b)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "one-hot product and a sum over H's blocks with einsum, no joined vector",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    V, D = embedding.shape
    one_hot = F.one_hot(contexts, V).to(embedding.dtype)
    vectors = torch.einsum("bpv,vd->bpd", one_hot, embedding)
    blocks = H.reshape(H.shape[0], contexts.shape[1], D)
    hidden = (torch.einsum("bpd,hpd->bh", vectors, blocks) + d).tanh()
    return torch.einsum("bh,vh->bv", hidden, U) + b
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "the vectors are detached, no gradient reaches the embedding",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = torch.stack([torch.cat([embedding[i].detach() for i in row]) for row in contexts])
    return torch.tanh(x @ H.T + d) @ U.T + b
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "always float32: 'of the element type of the tables' breaks for float64",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].reshape(contexts.shape[0], -1).float()
    hidden = torch.tanh(x @ H.float().T + d.float())
    return hidden @ U.float().T + b.float()
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "joins the vectors entry by entry instead of word by word; H has one block of D columns for each position. The example has D = 1",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].transpose(1, 2).reshape(len(contexts), -1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "only contexts of two words, as in the example",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = torch.cat([embedding[contexts[:, 0]], embedding[contexts[:, 1]]], dim=1)
    return b + torch.tanh(d + x @ H.t()) @ U.t()
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "padding_idx=0: the scores are right, but no gradient reaches row 0 of the embedding",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    vectors = F.embedding(contexts, embedding, padding_idx=0)
    x = vectors.view(contexts.size(0), -1)
    return torch.addmm(b, torch.tanh(torch.addmm(d, x, H.t())), U.t())
""",
    },
    # ---------------------------------------------------------------- bag_of_words
    {
        "task": "bag_of_words",
        "right": True,
        "why": "a Counter for each document, reshape for no documents",
        "source": r"""
def bag_of_words(documents, vocabulary):
    rows = [[counts[w] for w in vocabulary] for counts in map(Counter, documents)]
    return np.array(rows, dtype=np.float64).reshape(len(documents), len(vocabulary))
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "bincount of the column numbers, a row each",
        "source": r"""
def bag_of_words(documents, vocabulary):
    V = len(vocabulary)
    column = {w: j for j, w in enumerate(vocabulary)}
    out = np.empty((len(documents), V))
    for i, document in enumerate(documents):
        ids = np.fromiter((column[w] for w in document if w in column), dtype=np.int64)
        out[i] = np.bincount(ids, minlength=V)
    return out
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "small letters: 'The' is counted as 'the'",
        "source": r"""
def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            if word.lower() in vocabulary:
                X[i, vocabulary.index(word.lower())] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "no documents give shape (0,), not (0, V)",
        "source": r"""
def bag_of_words(documents, vocabulary):
    return np.array([[document.count(w) for w in vocabulary] for document in documents], dtype=np.float64)
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "counts inside the joined text: 'the' is found in 'then'",
        "source": r"""
def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        text = " ".join(document)
        for j, word in enumerate(vocabulary):
            X[i, j] = text.count(word)
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "[row] * N is N times the same list: every document gets the counts of all",
        "source": r"""
def bag_of_words(documents, vocabulary):
    table = [[0.0] * len(vocabulary)] * len(documents)
    for i, document in enumerate(documents):
        for word in document:
            if word in vocabulary:
                table[i][vocabulary.index(word)] += 1.0
    return np.array(table, dtype=np.float64).reshape(len(documents), len(vocabulary))
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "leaves out empty documents, which must be rows of zeros",
        "source": r"""
def bag_of_words(documents, vocabulary):
    rows = []
    for document in documents:
        if document:
            rows.append(np.array([sum(w == v for w in document) for v in vocabulary], dtype=float))
    return np.array(rows).reshape(-1, len(vocabulary))
""",
    },
    # ---------------------------------------------------------------- tf_idf
    {
        "task": "tf_idf",
        "right": True,
        "why": "vectorised, the words of no document kept out of the division",
        "source": r"""
def tf_idf(counts):
    N = counts.shape[0]
    if N == 0:
        raise ValueError("there are no documents")
    holders = np.count_nonzero(counts, axis=0)
    return counts * np.log(N / np.maximum(holders, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "beginner: loops word by word",
        "source": r"""
def tf_idf(counts):
    N, V = counts.shape
    if N < 1:
        raise ValueError("no documents")
    result = np.zeros((N, V))
    for v in range(V):
        n = 0
        for d in range(N):
            if counts[d][v] > 0:
                n += 1
        for d in range(N):
            if counts[d][v] > 0:
                result[d][v] = counts[d][v] * math.log(N / n)
    return result
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "a word of no document gives nan (0 times infinity), must be 0",
        "source": r"""
def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    with np.errstate(all="ignore"):
        idf = np.log(N / (counts > 0).sum(axis=0))
        return counts * idf
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "multiplies into the caller's array and returns it: 'A new array'",
        "source": r"""
def tf_idf(counts):
    N = len(counts)
    if N == 0:
        raise ValueError("no documents")
    Nv = (counts > 0).sum(axis=0)
    Nv[Nv == 0] = N
    counts *= np.log(N / Nv)
    return counts
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "N counts only documents that are not empty; 'N is the number of documents'",
        "source": r"""
def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    N = int((counts.sum(axis=1) > 0).sum())
    Nv = (counts > 0).sum(axis=0)
    idf = np.zeros(counts.shape[1])
    idf[Nv > 0] = np.log(N / Nv[Nv > 0])
    return counts * idf
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "weights presence and not the count: a word three times in one of three documents gets ln 3, not 3 ln 3",
        "source": r"""
def tf_idf(counts):
    N = counts.shape[0]
    if N == 0:
        raise ValueError("no documents")
    present = (counts > 0).astype(np.float64)
    return present * np.log(N / np.clip(present.sum(axis=0), 1, None))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "integer division N // Nv: a word in 2 of 3 documents gets ln 1 = 0",
        "source": r"""
def tf_idf(counts):
    N = counts.shape[0]
    if N == 0:
        raise ValueError("no documents")
    Nv = np.maximum((counts > 0).sum(axis=0), 1)
    return counts * np.log(N // Nv)
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "no documents raise nothing: an empty array comes back",
        "source": r"""
def tf_idf(counts):
    N, V = counts.shape
    out = np.zeros_like(counts)
    for v in range(V):
        n = np.count_nonzero(counts[:, v])
        if n:
            out[:, v] = counts[:, v] * np.log(N / n)
    return out
""",
    },
    # ---------------------------------------------------------------- near_pairs
    {
        "task": "near_pairs",
        "right": True,
        "why": "a comprehension over all positions, clipped ranges",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("the window is below 1")
    n = len(words)
    return [(words[i], words[j])
            for i in range(n)
            for j in range(max(0, i - window), min(n, i + window + 1))
            if j != i]
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "beginner: two slices, left and right of the centre, named tuples",
        "source": r"""
from collections import namedtuple

Pair = namedtuple("Pair", ["centre", "context"])

def near_pairs(words, window):
    if window < 1:
        raise ValueError("window must be at least 1")
    pairs = []
    for position, centre in enumerate(words):
        start = position - window
        if start < 0:
            start = 0
        for other in words[start:position]:
            pairs.append(Pair(centre, other))
        for other in words[position + 1:position + 1 + window]:
            pairs.append(Pair(centre, other))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "skips equal words at two positions, which 'are a pair like any other': ['a', 'a']",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("the window is below 1")
    out = []
    for i, centre in enumerate(words):
        for word in words[max(0, i - window):i + window + 1]:
            if word != centre:
                out.append((centre, word))
    return out
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "the slice starts at a negative number near the start: with window 2 the second word loses the first one",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("the window is below 1")
    out = []
    for i in range(len(words)):
        around = words[i - window:i] + words[i + 1:i + 1 + window]
        out.extend((words[i], w) for w in around)
    return out
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "lists every pair once, 'a pair that occurs several times is listed as often'",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("the window is below 1")
    seen = {}
    for i in range(len(words)):
        for j in range(len(words)):
            if i != j and abs(i - j) <= window:
                seen[(words[i], words[j])] = True
    return list(seen)
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "the context from the nearest to the farthest (left, right, left, right), not in the order of the text",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("the window is below 1")
    out = []
    for i in range(len(words)):
        for distance in range(1, window + 1):
            if i - distance >= 0:
                out.append((words[i], words[i - distance]))
            if i + distance < len(words):
                out.append((words[i], words[i + distance]))
    return out
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "finds the centre with words.index, so a word that comes again has the context of its first place",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("the window is below 1")
    out = []
    for centre in words:
        i = words.index(centre)
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                out.append((centre, words[j]))
    return out
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "a window of 0 raises nothing",
        "source": r"""
def near_pairs(words, window):
    if window < 0:
        raise ValueError("the window is negative")
    return [(words[i], words[j]) for i in range(len(words)) for j in range(len(words))
            if 0 < abs(i - j) <= window]
""",
    },
    # ---------------------------------------------------------------- noise_shares
    {
        "task": "noise_shares",
        "right": True,
        "why": "powers only of counts above 0",
        "source": r"""
def noise_shares(counts, power=0.75):
    raised = {w: (c ** power if c > 0 else 0.0) for w, c in counts.items()}
    total = sum(raised.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: r / total for w, r in raised.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "in logarithms with NumPy, minus the largest, so that no power overflows; NumPy floats as values",
        "source": r"""
def noise_shares(counts, power=0.75):
    c = np.array(list(counts.values()), dtype=float)
    if c.size == 0 or not c.any():
        raise ValueError("no word occurs")
    share = np.zeros(c.shape)
    logs = power * np.log(c[c > 0])
    e = np.exp(logs - logs.max())
    share[c > 0] = e / e.sum()
    return dict(zip(counts, share))
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "0 ** 0 is 1: with power 0 a word with the count 0 gets a share ('0, whatever the power')",
        "source": r"""
def noise_shares(counts, power=0.75):
    if sum(counts.values()) == 0:
        raise ValueError("no word occurs")
    total = sum(c ** power for c in counts.values())
    return {w: c ** power / total for w, c in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "leaves out the words with the count 0: 'for all words'",
        "source": r"""
def noise_shares(counts, power=0.75):
    weights = {w: c ** power for w, c in counts.items() if c > 0}
    if not weights:
        raise ValueError("no word occurs")
    total = sum(weights.values())
    return {w: x / total for w, x in weights.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "the argument power is ignored, always 0.75",
        "source": r"""
def noise_shares(counts, power=0.75):
    if not any(counts.values()):
        raise ValueError("no word occurs")
    total = sum(c ** 0.75 for c in counts.values())
    return {w: c ** 0.75 / total for w, c in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "overwrites the caller's counts and returns them: 'A new dict'",
        "source": r"""
def noise_shares(counts, power=0.75):
    total = sum(c ** power for c in counts.values() if c > 0)
    if total == 0:
        raise ValueError("no word occurs")
    for w in counts:
        counts[w] = counts[w] ** power / total if counts[w] > 0 else 0.0
    return counts
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "if every count is 0, ZeroDivisionError instead of ValueError",
        "source": r"""
def noise_shares(counts, power=0.75):
    if not counts:
        raise ValueError("the dict is empty")
    raised = [c ** power if c else 0 for c in counts.values()]
    return {w: r / sum(raised) for w, r in zip(counts, raised)}
""",
    },
    # ---------------------------------------------------------------- negative_sampling_loss
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "einsum and F.logsigmoid",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    positive = torch.einsum("bd,bd->b", centre, context)
    negative = torch.einsum("bkd,bd->bk", noise, centre)
    return -(F.logsigmoid(positive) + F.logsigmoid(-negative).sum(dim=1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "loops over pairs and noise words, softplus as logaddexp with 0",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    B, K, _ = noise.shape
    total = 0
    for b in range(B):
        v = centre[b]
        s = torch.dot(context[b], v)
        total = total + torch.logaddexp(-s, torch.zeros_like(s))
        for k in range(K):
            s = torch.dot(noise[b, k], v)
            total = total + torch.logaddexp(s, torch.zeros_like(s))
    return total / B
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "log of sigmoid: a score of -2000 gives ln 0 = -inf; 'Scores of some thousands must not overflow'",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    pos = (centre * context).sum(-1)
    neg = (noise * centre.unsqueeze(1)).sum(-1)
    return (-torch.log(torch.sigmoid(pos)) - torch.log(torch.sigmoid(-neg)).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "sum over the batch instead of the mean; the example has one pair",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    pos = F.logsigmoid((centre * context).sum(dim=1))
    neg = F.logsigmoid(-torch.bmm(noise, centre[:, :, None])[:, :, 0])
    return -(pos.sum() + neg.sum())
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "the noise vectors are detached: no gradient reaches them ('gradients reach all three')",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    pos = (centre * context).sum(dim=1)
    neg = (noise.detach() @ centre.unsqueeze(2)).squeeze(2)
    return (F.softplus(-pos) + F.softplus(neg).sum(dim=1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "squeeze() without a dimension: with K = 1 the sum over the last axis is the sum over the batch",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    pos = F.logsigmoid((centre * context).sum(dim=-1))
    neg = F.logsigmoid(-torch.bmm(noise, centre.unsqueeze(-1)).squeeze()).sum(-1)
    return -(pos + neg).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "every centre is asked about the noise words of all pairs; right for one pair only",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    pos = (centre * context).sum(dim=-1)
    neg = centre @ noise.reshape(-1, noise.shape[-1]).T
    return -(F.logsigmoid(pos) + F.logsigmoid(-neg).sum(dim=1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "shape (1,) and not ()",
        "source": r"""
def negative_sampling_loss(centre, context, noise):
    pos = F.logsigmoid((centre * context).sum(dim=1, keepdim=True))
    neg = F.logsigmoid(-(noise * centre[:, None]).sum(dim=2)).sum(dim=1, keepdim=True)
    return (-pos - neg).mean(dim=0)
""",
    },
    # ---------------------------------------------------------------- solve_analogy
    {
        "task": "solve_analogy",
        "right": True,
        "why": "vectorised: cosines with safe lengths, minus infinity for the three words",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    words = list(words)
    question = [words.index(w) for w in (a, b, c)]
    if len(set(question)) == len(words):
        raise ValueError("no other word is left")
    i, j, k = question
    target = vectors[j] - vectors[i] + vectors[k]
    lengths = np.linalg.norm(vectors, axis=1)
    lengths[lengths == 0] = 1.0
    cosine = vectors @ target / lengths
    cosine[question] = -np.inf
    return words[int(cosine.argmax())]
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "plain Python with a dict and max over the candidates",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    table = {w: [float(x) for x in row] for w, row in zip(words, vectors)}
    for w in (a, b, c):
        if w not in table:
            raise ValueError(f"{w} is not in the list")
    goal = [y - x + z for x, y, z in zip(table[a], table[b], table[c])]

    def cosine(w):
        lengths = math.hypot(*table[w]) * math.hypot(*goal)
        if lengths == 0:
            return 0.0
        return math.fsum(p * q for p, q in zip(table[w], goal)) / lengths

    candidates = [w for w in words if w not in (a, b, c)]
    if not candidates:
        raise ValueError("no other word")
    return max(candidates, key=cosine)
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "the dot product instead of the cosine: a long vector wins",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    rest = [n for n in range(len(words)) if n not in (i, j, k)]
    if not rest:
        raise ValueError("no other word")
    target = vectors[j] - vectors[i] + vectors[k]
    return max(((vectors[n] @ target, -n, words[n]) for n in rest))[2]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "the words of the question are not left out; often the nearest is b or c itself",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    if len({i, j, k}) == len(words):
        raise ValueError("no other word")
    target = vectors[j] - vectors[i] + vectors[k]
    lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-300)
    return words[int(np.argmax(vectors @ target / lengths))]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "a vector of zeros has the cosine nan, and argmax takes nan for the largest",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    if set(range(len(words))) == set(ids):
        raise ValueError("no other word")
    target = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    with np.errstate(all="ignore"):
        cos = vectors @ target / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(target))
    cos[ids] = -2
    return words[np.argmax(cos)]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "if no other word is left it returns one of the three, where ValueError is asked",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    target = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    lengths = np.linalg.norm(vectors, axis=1)
    cos = vectors @ target / np.where(lengths == 0, 1, lengths)
    cos[ids] = -np.inf
    return words[int(np.argmax(cos))]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "brings all vectors to length 1 before b - a + c; the statement takes them as they are",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths == 0, 1, lengths)
    cos = unit @ (unit[ids[1]] - unit[ids[0]] + unit[ids[2]])
    cos[ids] = -np.inf
    return words[int(np.argmax(cos))]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "the best so far starts at 0: if all cosines are negative (or 0) there is no answer but None",
        "source": r"""
def solve_analogy(a, b, c, words, vectors):
    target = vectors[words.index(b)] - vectors[words.index(a)] + vectors[words.index(c)]
    best, answer, others = 0.0, None, 0
    for word, v in zip(words, vectors):
        if word in (a, b, c):
            continue
        others += 1
        length = np.sqrt(v @ v) * np.sqrt(target @ target)
        cos = v @ target / length if length > 0 else 0.0
        if cos > best:
            best, answer = cos, word
    if others == 0:
        raise ValueError("no other word")
    return answer
""",
    },
]
