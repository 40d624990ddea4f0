"""Answers to chapter 02, written from its page alone: the third round."""

ANSWERS = [
    # encode_decode
    {
        "task": "encode_decode",
        "right": True,
        "why": "the product of both tables first, rows picked after",
        "source": """
import numpy as np
def encode_decode(ids, encoder, decoder):
    if any(not 0 <= i < len(encoder) for i in ids):
        raise ValueError("id")
    return (encoder @ decoder)[np.asarray(ids, dtype=np.int64)]
""",
    },
    {
        "task": "encode_decode",
        "right": True,
        "why": "filled row by row, each row a weighted sum of the decoder's rows",
        "source": """
import numpy as np
def encode_decode(ids, encoder, decoder):
    scores = np.zeros((len(ids), decoder.shape[1]))
    for t, i in enumerate(ids):
        if i < 0 or i > encoder.shape[0] - 1:
            raise ValueError("id")
        for weight, row in zip(encoder[i], decoder):
            scores[t] += weight * row
    return scores
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "negative ids wrap around; breaks 'ValueError: an id is below 0'",
        "source": """
import numpy as np
def encode_decode(ids, encoder, decoder):
    if len(ids) and max(ids) >= len(encoder):
        raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "compares with the width D instead of V: with D < V valid ids raise; breaks 'ids from 0 to V - 1'",
        "source": """
import numpy as np
def encode_decode(ids, encoder, decoder):
    V = len(decoder)
    for i in ids:
        if not 0 <= i < V:
            raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "an empty list gives shape (0,); breaks '(0, V) for an empty list'",
        "source": """
import numpy as np
def encode_decode(ids, encoder, decoder):
    rows = []
    for i in ids:
        if not 0 <= i < len(encoder):
            raise ValueError("id")
        rows.append(encoder[i] @ decoder)
    return np.array(rows)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "one row per different id, in sorted order; breaks 'row t holds the scores for ids[t]' (an id may come more than once)",
        "source": """
import numpy as np
def encode_decode(ids, encoder, decoder):
    V = len(encoder)
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    one_hot = np.eye(V)[np.unique(np.array(ids, dtype=int))]
    return one_hot @ encoder @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "the id V passes the check and raises IndexError; breaks 'ValueError: ... or V or more'",
        "source": """
import numpy as np
def encode_decode(ids, encoder, decoder):
    if any(i < 0 or i > len(encoder) for i in ids):
        raise ValueError("id")
    return np.matmul(np.take(encoder, np.array(ids, dtype=int), axis=0), decoder)
""",
    },
    # logits_gradient
    {
        "task": "logits_gradient",
        "right": True,
        "why": "autograd of torch's cross_entropy in float64 on a copy",
        "source": """
import numpy as np
import torch
import torch.nn.functional as F
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("sizes")
    s = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    F.cross_entropy(s, torch.tensor(targets)).backward()
    return s.grad.numpy()
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "row loop: softmax, one subtracted, divided",
        "source": """
import numpy as np
def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or B != len(targets):
        raise ValueError("sizes")
    out = np.empty_like(scores)
    for b in range(B):
        e = np.exp(scores[b] - max(scores[b]))
        out[b] = e / (B * e.sum())
        out[b, targets[b]] -= 1 / B
    return out
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "subtracts the largest score in place; breaks '`scores` stays as it is'",
        "source": """
import numpy as np
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("sizes")
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(p)), targets] -= 1
    return p / len(p)
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "not divided by B; breaks 'gradient of the mean' (right for B = 1 only)",
        "source": """
import numpy as np
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("sizes")
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(p)), targets] -= 1
    return p
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "one target for many rows broadcasts silently; breaks 'ValueError: ... not as many targets as rows'",
        "source": """
import numpy as np
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(targets) == 0:
        raise ValueError("no rows")
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    try:
        p[np.arange(len(p)), targets] -= 1
    except IndexError:
        raise ValueError("sizes")
    return p / len(p)
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "one maximum for all rows: a row of -1000 beside one of 1000 is 0/0; breaks 'entries may be as large as 1000, or as low as -1000'",
        "source": """
import numpy as np
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("sizes")
    with np.errstate(all="ignore"):
        p = np.exp(scores - scores.max())
        p = p / p.sum(axis=1, keepdims=True)
    p[np.arange(len(p)), targets] -= 1
    return p / len(p)
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "subtracts 1 in the columns of all targets for every row; breaks y_j = 1 for j = t of the row",
        "source": """
import numpy as np
def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("sizes")
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[:, targets] -= 1
    return p / len(p)
""",
    },
    # context_windows
    {
        "task": "context_windows",
        "right": True,
        "why": "slices of one padded list",
        "source": """
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    n = order - 1
    padded = [pad] * n + list(ids)
    return [padded[t:t + n] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "a history that is carried on and never changed in place",
        "source": """
def context_windows(ids, order, pad):
    if order <= 0:
        raise ValueError("order")
    contexts, wanted = [], []
    history = tuple(pad for _ in range(order - 1))
    for token in ids:
        contexts.append([*history])
        wanted.append(token)
        history = (history + (token,))[1:]
    return contexts, wanted
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "padded[-0:] for order 1 is everything before, not nothing; breaks 'With order 1 every context is an empty list'",
        "source": """
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    contexts = []
    for t in range(len(ids)):
        before = [pad] * (order - 1) + ids[:t]
        contexts.append(before[-(order - 1):])
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "the second result is the argument itself; breaks 'Both are new lists'",
        "source": """
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + ids
    return [padded[t:t + order - 1] for t in range(len(ids))], ids
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "words with the padding's id are not predicted; breaks 'every word is predicted exactly once' / 'a word may have the same id as the padding'",
        "source": """
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    pairs = [(padded[t:t + order - 1], w) for t, w in enumerate(ids) if w != pad]
    return [c for c, _ in pairs], [w for _, w in pairs]
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "the padding stands behind the words; breaks 'a padding token is put in each missing position' (nearest word last)",
        "source": """
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    contexts = []
    for t in range(len(ids)):
        context = list(ids[max(0, t - order + 1):t])
        while len(context) < order - 1:
            context.append(pad)
        contexts.append(context)
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "order 0 gives empty contexts like order 1; breaks 'ValueError: the order is below 1'",
        "source": """
def context_windows(ids, order, pad):
    if order < 0:
        raise ValueError("order")
    n = max(order - 1, 0)
    padded = [pad] * n + list(ids)
    return [padded[t:t + n] for t in range(len(ids))], list(ids)
""",
    },
    # neural_ngram_logits
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "F.embedding, flatten, two F.linear",
        "source": """
import torch
import torch.nn.functional as F
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = F.embedding(contexts, embedding).flatten(start_dim=1)
    return F.linear(torch.tanh(F.linear(x, H, d)), U, b)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "one block of H per position, summed with einsum",
        "source": """
import torch
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    blocks = H.reshape(H.shape[0], contexts.shape[1], embedding.shape[1])
    hidden = torch.tanh(d + torch.einsum("hpd,bpd->bh", blocks, embedding[contexts]))
    return torch.einsum("vh,bh->bv", U, hidden) + b
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "padding_idx=0: no gradient reaches the vector of word 0; breaks 'gradients reach embedding'",
        "source": """
import torch
import torch.nn.functional as F
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = F.embedding(contexts, embedding, padding_idx=0).reshape(len(contexts), -1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "joins number by number, not word by word; breaks 'H has one block of D columns for each position' (right for D = 1 or one position)",
        "source": """
import torch
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].transpose(1, 2).reshape(len(contexts), -1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "squeeze: for a batch of one the result is (V,); breaks 'A tensor of shape (B, V)'",
        "source": """
import torch
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1).unsqueeze(-1)
    hidden = torch.tanh(d + (H @ x).squeeze())
    return b + hidden @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "everything as float32; breaks 'of the element type of the tables' for float64",
        "source": """
import torch
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].float().flatten(1)
    hidden = torch.tanh(d.float() + x @ H.float().T)
    return b.float() + hidden @ U.float().T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "the looked-up vectors are detached ('only lookups'); breaks 'gradients reach embedding'",
        "source": """
import torch
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = torch.stack([torch.cat([embedding.data[i] for i in row]) for row in contexts])
    return torch.addmm(b, torch.tanh(torch.addmm(d, x, H.t())), U.t())
""",
    },
    # bag_of_words
    {
        "task": "bag_of_words",
        "right": True,
        "why": "list.count for each cell, reshaped so that no document is (0, V)",
        "source": """
import numpy as np
def bag_of_words(documents, vocabulary):
    cells = [float(document.count(word)) for document in documents for word in vocabulary]
    return np.array(cells, dtype=np.float64).reshape(len(documents), len(vocabulary))
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "np.bincount of known ids for each row",
        "source": """
import numpy as np
def bag_of_words(documents, vocabulary):
    V = len(vocabulary)
    column = dict(zip(vocabulary, range(V)))
    out = np.zeros((len(documents), V))
    for i, document in enumerate(documents):
        known = np.array([column[w] for w in document if w in column], dtype=np.int64)
        out[i] = np.bincount(known, minlength=V)
    return out
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "an unknown word gets the column -1, which is the last; breaks 'Words outside the vocabulary are left out'",
        "source": """
import numpy as np
def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    out = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for w in document:
            out[i, column.get(w, -1)] += 1
    return out
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "fancy += counts a word once per document; breaks 'how often each word ... is in each document'",
        "source": """
import numpy as np
def bag_of_words(documents, vocabulary):
    column = {w: j for j, w in enumerate(vocabulary)}
    out = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        ids = np.array([column[w] for w in document if w in column], dtype=int)
        out[i, ids] += 1
    return out
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": 'lower case; breaks \'Words are compared as they are: "The" is not "the"\'',
        "source": """
import numpy as np
def bag_of_words(documents, vocabulary):
    out = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for w in document:
            for j, v in enumerate(vocabulary):
                if w.lower() == v.lower():
                    out[i, j] += 1
    return out
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "counts in the joined text: 'the' is found in 'other'; breaks 'Words are compared as they are'",
        "source": """
import numpy as np
def bag_of_words(documents, vocabulary):
    out = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        text = " ".join(document)
        for j, v in enumerate(vocabulary):
            out[i, j] = text.count(v)
    return out
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "no documents: shape (0,); breaks 'shape (N, V)' with 'the list ... may be empty'",
        "source": """
import numpy as np
from collections import Counter
def bag_of_words(documents, vocabulary):
    counts = [Counter(document) for document in documents]
    return np.array([[c[w] for w in vocabulary] for c in counts], dtype=float)
""",
    },
    # tf_idf
    {
        "task": "tf_idf",
        "right": True,
        "why": "log only where a word occurs, by out/where",
        "source": """
import numpy as np
def tf_idf(counts):
    N = counts.shape[0]
    if N == 0:
        raise ValueError("no documents")
    df = np.count_nonzero(counts, axis=0).astype(np.float64)
    idf = np.zeros(counts.shape[1])
    np.log(N / np.maximum(df, 1), out=idf, where=df > 0)
    return counts * idf
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "column by column in plain Python",
        "source": """
import math
import numpy as np
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError("no documents")
    N, V = counts.shape
    result = np.zeros((N, V))
    for v in range(V):
        holding = [n for n in range(N) if counts[n, v] > 0]
        for n in holding:
            result[n, v] = counts[n, v] * (math.log(N) - math.log(len(holding)))
    return result
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "a word of no document: 0 * inf = nan; breaks '0 ... for one of none'",
        "source": """
import numpy as np
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError("no documents")
    with np.errstate(all="ignore"):
        return counts * np.log(len(counts) / (counts > 0).sum(axis=0))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "N_v is how often the word occurs in all, not in how many documents; breaks 'N_v the number of those that hold the word v'",
        "source": """
import numpy as np
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError("no documents")
    total = np.maximum(counts.sum(axis=0), 1)
    return counts * np.log(len(counts) / total)
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "smoothed: 1 + N_v in the denominator; breaks ln(N / N_v), '0 for a word of all documents'",
        "source": """
import numpy as np
def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    df = (counts != 0).sum(0)
    return counts * np.log(counts.shape[0] / (1 + df))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "multiplies in place; breaks 'A new array' / 'A function leaves its arguments as they are'",
        "source": """
import numpy as np
def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    df = np.maximum((counts > 0).sum(axis=0), 1)
    counts *= np.log(counts.shape[0] / df)
    return counts
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "relative term frequencies; breaks w = c ln(N / N_v) with the count c",
        "source": """
import numpy as np
def tf_idf(counts):
    if len(counts) == 0:
        raise ValueError("no documents")
    tf = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return tf * np.log(len(counts) / df)
""",
    },
    # near_pairs
    {
        "task": "near_pairs",
        "right": True,
        "why": "all positions filtered by their distance",
        "source": """
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    T = range(len(words))
    return [(words[i], words[j]) for i in T for j in T if 0 < abs(i - j) <= window]
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "slices left and right of the centre",
        "source": """
def near_pairs(words, window):
    if window <= 0:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        context = list(words[max(i - window, 0):i]) + list(words[i + 1:i + 1 + window])
        pairs.extend(zip([centre] * len(context), context))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "words[i - window:i] with a negative start: contexts at the beginning are lost or wrong; breaks 'at most window positions apart'",
        "source": """
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for other in words[i - window:i] + words[i + 1:i + window + 1]:
            pairs.append((centre, other))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "compares words instead of positions: equal words are no pair; breaks 'equal words at two positions near each other are a pair like any other'",
        "source": """
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for other in words[max(0, i - window):i + window + 1]:
            if other != centre:
                pairs.append((centre, other))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "context by distance (left 1, right 1, left 2 ...); breaks 'for each centre that of its context in the text' for window 2 and more",
        "source": """
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i in range(len(words)):
        for distance in range(1, window + 1):
            for j in (i - distance, i + distance):
                if 0 <= j < len(words):
                    pairs.append((words[i], words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "right border one short: range(..., i + window); breaks 'at most window positions from it'",
        "source": """
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    return [(words[i], words[j]) for i in range(len(words))
            for j in range(max(0, i - window), min(len(words), i + window)) if j != i]
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "each pair once, doubles removed; breaks 'a pair that occurs several times is listed as often'",
        "source": """
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = [(words[i], words[j]) for i in range(len(words))
             for j in range(max(0, i - window), min(len(words), i + window + 1)) if j != i]
    return list(dict.fromkeys(pairs))
""",
    },
    # noise_shares
    {
        "task": "noise_shares",
        "right": True,
        "why": "lifted in a dict comprehension with 0 treated by itself, shares in relation to the largest count",
        "source": """
def noise_shares(counts, power=0.75):
    top = max(counts.values(), default=0)
    if top == 0:
        raise ValueError("no word occurs")
    lifted = {word: (n / top) ** power if n else 0.0 for word, n in counts.items()}
    total = sum(lifted.values())
    return {word: value / total for word, value in lifted.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "NumPy softmax of power times log count, minus infinity for a count of 0",
        "source": """
import numpy as np
def noise_shares(counts, power=0.75):
    values = np.array(list(counts.values()), dtype=np.float64)
    if not values.any():
        raise ValueError("no word occurs")
    logs = np.full(values.shape, -np.inf)
    logs[values > 0] = power * np.log(values[values > 0])
    e = np.exp(logs - logs.max())
    return dict(zip(counts, (e / e.sum()).tolist()))
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "0 ** 0 is 1: with power 0 a word that never occurs gets a share; breaks 'the share 0, whatever the power'",
        "source": """
def noise_shares(counts, power=0.75):
    if not any(counts.values()):
        raise ValueError("no word occurs")
    total = sum(n ** power for n in counts.values())
    return {w: n ** power / total for w, n in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "'power or 0.75' ignores a power of 0; breaks 'power: what counts are raised to, 0 or more'",
        "source": """
def noise_shares(counts, power=0.75):
    power = power or 0.75
    lifted = {w: float(n) ** power for w, n in counts.items()}
    total = sum(lifted.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: v / total for w, v in lifted.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "words with the count 0 are dropped; breaks 'for all words'",
        "source": """
def noise_shares(counts, power=0.75):
    lifted = {w: n ** power for w, n in counts.items() if n > 0}
    if not lifted:
        raise ValueError("no word occurs")
    total = sum(lifted.values())
    return {w: v / total for w, v in lifted.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "shares first, power after, not normalised again; breaks 'The shares sum to 1'",
        "source": """
def noise_shares(counts, power=0.75):
    total = sum(counts.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {w: (n / total) ** power if n else 0.0 for w, n in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "writes into the argument; breaks 'A new dict'",
        "source": """
def noise_shares(counts, power=0.75):
    if not sum(counts.values()):
        raise ValueError("no word occurs")
    total = sum(n ** power for n in counts.values() if n)
    for w in counts:
        counts[w] = counts[w] ** power / total if counts[w] else 0.0
    return counts
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "all counts 0: ZeroDivisionError instead of ValueError; breaks 'or every count is 0'",
        "source": """
def noise_shares(counts, power=0.75):
    if len(counts) == 0:
        raise ValueError("no word occurs")
    lifted = {w: n ** power if n > 0 else 0.0 for w, n in counts.items()}
    total = sum(lifted.values())
    return {w: v / total for w, v in lifted.items()}
""",
    },
    # negative_sampling_loss
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "bmm and softplus of the negated scores",
        "source": """
import torch
import torch.nn.functional as F
def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(dim=-1)
    far = torch.bmm(noise, centre.unsqueeze(2)).squeeze(2)
    return (F.softplus(-near) + F.softplus(far).sum(dim=1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "all K + 1 questions in one table, binary cross-entropy with logits, sum over B",
        "source": """
import torch
import torch.nn.functional as F
def negative_sampling_loss(centre, context, noise):
    rows = torch.cat([context[:, None, :], noise], dim=1)
    scores = torch.einsum("bkd,bd->bk", rows, centre)
    labels = torch.zeros_like(scores)
    labels[:, 0] = 1
    return F.binary_cross_entropy_with_logits(scores, labels, reduction="sum") / len(centre)
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "pair by pair with logsigmoid",
        "source": """
import torch
import torch.nn.functional as F
def negative_sampling_loss(centre, context, noise):
    losses = []
    for v, u, others in zip(centre, context, noise):
        loss = -F.logsigmoid(u.dot(v))
        for other in others:
            loss = loss - F.logsigmoid(-other.dot(v))
        losses.append(loss)
    return torch.stack(losses).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "averages over the noise words; breaks the sum over k (right for K = 1)",
        "source": """
import torch
import torch.nn.functional as F
def negative_sampling_loss(centre, context, noise):
    near = F.logsigmoid((centre * context).sum(-1))
    far = F.logsigmoid(-(noise * centre[:, None]).sum(-1))
    return -(near + far.mean(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "log of the sigmoid plus 1e-10: the cost is capped at 23 and has no gradient; breaks 'Scores of some thousands must not overflow' / the formula",
        "source": """
import torch
def negative_sampling_loss(centre, context, noise):
    near = torch.sigmoid((centre * context).sum(-1))
    far = torch.sigmoid(-torch.einsum("bkd,bd->bk", noise, centre))
    return -(torch.log(near + 1e-10) + torch.log(far + 1e-10).sum(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "the noise words are detached; breaks 'gradients reach all three'",
        "source": """
import torch
import torch.nn.functional as F
def negative_sampling_loss(centre, context, noise):
    near = (centre * context).sum(-1)
    far = torch.einsum("bkd,bd->bk", noise.detach(), centre)
    return -(F.logsigmoid(near) + F.logsigmoid(-far).sum(-1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "squeeze() on (B, K, 1) and sum over the last dimension: for B = 1 fine, but for K = 1 the noise is summed over the batch; breaks 'the loss of a batch is the mean over its pairs'",
        "source": """
import torch
import torch.nn.functional as F
def negative_sampling_loss(centre, context, noise):
    near = F.logsigmoid((centre * context).sum(-1))
    far = F.logsigmoid(-(noise @ centre.unsqueeze(-1))).squeeze().sum(-1)
    return -(near + far).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "all centres against the noise of all pairs (matrix product over the batch); breaks 'u_1 ... u_K those of the noise words' of the pair (right for B = 1)",
        "source": """
import torch
import torch.nn.functional as F
def negative_sampling_loss(centre, context, noise):
    near = F.logsigmoid((centre * context).sum(-1))
    scores = torch.einsum("ckd,bd->bck", noise, centre)
    far = F.logsigmoid(-scores).sum(-1).mean(-1)
    return -(near + far).mean()
""",
    },
    # solve_analogy
    {
        "task": "solve_analogy",
        "right": True,
        "why": "loop over candidates with a running best",
        "source": """
import math
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    point = vectors[j] - vectors[i] + vectors[k]
    best, answer = -math.inf, None
    for word, vector in zip(words, vectors):
        if word in (a, b, c):
            continue
        lengths = math.sqrt(float(vector @ vector)) * math.sqrt(float(point @ point))
        cosine = float(vector @ point) / lengths if lengths else 0.0
        if cosine > best:
            best, answer = cosine, word
    if answer is None:
        raise ValueError("no other word")
    return answer
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "vectorised: unit rows with 0 left 0, sorted by cosine, first that is allowed",
        "source": """
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    target = np.array([-1.0, 1.0, 1.0]) @ vectors[ids]
    norms = np.linalg.norm(vectors, axis=1)
    unit = np.divide(vectors, norms[:, None], out=np.zeros_like(vectors), where=norms[:, None] > 0)
    for i in np.argsort(unit @ target)[::-1]:
        if i not in ids:
            return words[i]
    raise ValueError("no other word")
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "a vector of zeros gives nan, and argmax takes the nan; breaks 'A vector of zeros has the cosine 0 with all'",
        "source": """
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    p = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    with np.errstate(all="ignore"):
        cos = vectors @ p / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(p))
    cos[ids] = -np.inf
    return words[int(np.argmax(cos))]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "starts its search at the best cosine 0: a best answer with a negative cosine is not found; breaks 'the nearest to b - a + c by cosine'",
        "source": """
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    p = vectors[words.index(b)] - vectors[words.index(a)] + vectors[words.index(c)]
    rest = [w for w in words if w not in (a, b, c)]
    if not rest:
        raise ValueError("no other word")
    answer, best = rest[0], 0.0
    for w in rest:
        v = vectors[words.index(w)]
        n = np.linalg.norm(v) * np.linalg.norm(p)
        cos = v @ p / n if n > 0 else 0.0
        if cos > best:
            answer, best = w, cos
    return answer
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "dot product instead of cosine: long vectors win; breaks 'by cosine'",
        "source": """
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    score = vectors @ (vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]])
    score[ids] = -np.inf
    return words[int(score.argmax())]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "unit vectors before the difference is taken (3CosAdd of word2vec); breaks 'nearest to b - a + c', the vectors as given",
        "source": """
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(norms == 0, 1, norms)
    cos = unit @ (unit[ids[1]] - unit[ids[0]] + unit[ids[2]])
    cos[ids] = -np.inf
    return words[int(cos.argmax())]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "no other word: argmax of all -inf returns the first word; breaks 'ValueError: ... or no other word is'",
        "source": """
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(w) for w in (a, b, c)]
    p = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    norms = np.linalg.norm(vectors, axis=1)
    cos = vectors @ p / np.where(norms == 0, 1, norms)
    cos[ids] = -np.inf
    return words[int(cos.argmax())]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "excludes a and c but not b; breaks 'but none of the three'",
        "source": """
import numpy as np
def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    rest = [n for n in range(len(words)) if n not in (i, k)]
    if set(rest) <= {j}:
        raise ValueError("no other word")
    p = vectors[j] - vectors[i] + vectors[k]
    norms = np.linalg.norm(vectors, axis=1)
    cos = vectors @ p / np.where(norms == 0, 1, norms)
    return words[max(rest, key=lambda n: cos[n])]
""",
    },
]
