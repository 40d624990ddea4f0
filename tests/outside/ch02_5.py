ANSWERS = [
    {
        "task": "encode_decode",
        "right": True,
        "why": "one-hot matrix times the two tables",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    V = encoder.shape[0]
    x = np.zeros((len(ids), V))
    for t, i in enumerate(ids):
        if i < 0 or i >= V:
            raise ValueError("id out of range")
        x[t, i] = 1.0
    return x @ encoder @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": True,
        "why": "V x V table of all scores first, then rows",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    index = np.array(ids, dtype=np.intp)
    if np.any((index < 0) | (index >= len(encoder))):
        raise ValueError("ids must be from 0 to V - 1")
    return (encoder @ decoder)[index]
""",
    },
    {
        "task": "encode_decode",
        "right": True,
        "why": "loops over numbers, list of lists with a reshape",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    V, D = encoder.shape
    rows = []
    for i in ids:
        if i not in range(V):
            raise ValueError("unknown id")
        row = []
        for v in range(V):
            score = 0.0
            for d in range(D):
                score += encoder[i][d] * decoder[d][v]
            row.append(score)
        rows.append(row)
    return np.array(rows, dtype=np.float64).reshape(len(ids), V)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "negative ids wrap around: only IndexError becomes ValueError",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    try:
        h = encoder[np.array(ids, dtype=int)]
    except IndexError:
        raise ValueError("id")
    return h @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "an empty list gives shape (0,), not (0, V)",
        "source": r"""
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
        "why": "V taken from decoder.shape[0], which is D: right for square tables only, legal ids raise when D < V",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    V = decoder.shape[0]
    for i in ids:
        if i < 0 or i >= V:
            raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "an id that comes more than once is listed once only (unique ids)",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    V = len(encoder)
    if any(i < 0 or i >= V for i in ids):
        raise ValueError("id")
    unique = list(dict.fromkeys(ids))
    return encoder[np.array(unique, dtype=int)] @ decoder
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "float32 instead of float64: digits are lost",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    if any(i < 0 or i >= len(encoder) for i in ids):
        raise ValueError("id")
    E = encoder.astype(np.float32)
    return E[np.array(ids, dtype=int)] @ decoder.astype(np.float32)
""",
    },
    {
        "task": "encode_decode",
        "right": False,
        "why": "an id that is too large raises IndexError",
        "source": r"""
import numpy as np


def encode_decode(ids, encoder, decoder):
    if any(i < 0 for i in ids):
        raise ValueError("id")
    return encoder[np.array(ids, dtype=int)] @ decoder
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "softmax minus one-hot by fancy indexing",
        "source": r"""
import numpy as np


def logits_gradient(scores, targets):
    B = scores.shape[0]
    if B == 0 or len(targets) != B:
        raise ValueError("rows and targets")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[np.arange(B), targets] -= 1
    return p / B
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "torch autograd on F.cross_entropy in float64",
        "source": r"""
import torch
import torch.nn.functional as F


def logits_gradient(scores, targets):
    if len(scores) == 0 or len(scores) != len(targets):
        raise ValueError("one target for each row")
    s = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    F.cross_entropy(s, torch.tensor(targets)).backward()
    return s.grad.numpy()
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "loops in plain Python",
        "source": r"""
import math
import numpy as np


def logits_gradient(scores, targets):
    if len(targets) == 0 or len(scores) != len(targets):
        raise ValueError("no rows or not as many targets")
    rows = []
    for row, t in zip(scores.tolist(), targets):
        m = max(row)
        e = [math.exp(s - m) for s in row]
        total = sum(e)
        new = []
        for j in range(len(row)):
            y = 1 if j == t else 0
            new.append((e[j] / total - y) / len(targets))
        rows.append(new)
    return np.array(rows)
""",
    },
    {
        "task": "logits_gradient",
        "right": True,
        "why": "identity matrix rows as one-hot, np.logaddexp.reduce",
        "source": r"""
import numpy as np


def logits_gradient(scores, targets):
    if not targets or len(targets) != len(scores):
        raise ValueError("targets")
    log_p = scores - np.logaddexp.reduce(scores, axis=1)[:, None]
    return (np.exp(log_p) - np.eye(scores.shape[1])[targets]) / len(targets)
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "not divided by the number of rows: right for one row only",
        "source": r"""
import numpy as np


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
        "why": "p[:, targets] -= 1 takes 1 from the target columns of every row: right for one row only",
        "source": r"""
import numpy as np


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
    {
        "task": "logits_gradient",
        "right": False,
        "why": 'works in place: scores is changed ("scores stays as it is", "A new array")',
        "source": r"""
import numpy as np


def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) != B:
        raise ValueError("rows")
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    scores[np.arange(B), targets] -= 1
    scores /= B
    return scores
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "maximum of the whole table: rows around -1000 beside one of 1000 become 0 / 0",
        "source": r"""
import numpy as np


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
        "why": "no maximum subtracted: exp(1000) overflows",
        "source": r"""
import numpy as np


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
        "why": "number of targets is not checked: one target for three rows is broadcast",
        "source": r"""
import numpy as np


def logits_gradient(scores, targets):
    B = len(scores)
    if B == 0 or len(targets) == 0:
        raise ValueError("rows")
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    y = np.eye(scores.shape[1])[np.array(targets)]
    return (p - y) / B
""",
    },
    {
        "task": "logits_gradient",
        "right": False,
        "why": "no rows: returns an empty array instead of ValueError",
        "source": r"""
import numpy as np


def logits_gradient(scores, targets):
    B = len(scores)
    if len(targets) != B:
        raise ValueError("rows")
    out = np.zeros_like(scores)
    for n in range(B):
        e = np.exp(scores[n] - scores[n].max())
        out[n] = e / e.sum()
        out[n, targets[n]] -= 1
    return out / max(B, 1)
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "padded copy and slices",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + ids
    return [padded[t:t + order - 1] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "sliding window that is copied",
        "source": r"""
def context_windows(ids, order, pad):
    if order <= 0:
        raise ValueError("the order must be at least 1")
    window = [pad] * (order - 1)
    contexts = []
    predicted = []
    for word in ids:
        contexts.append(window.copy())
        predicted.append(word)
        window.append(word)
        window.pop(0)
    return contexts, predicted
""",
    },
    {
        "task": "context_windows",
        "right": True,
        "why": "nested comprehension over distances",
        "source": r"""
def context_windows(ids, order, pad):
    if not order >= 1:
        raise ValueError(order)
    contexts = [[ids[t - k] if t >= k else pad for k in range(order - 1, 0, -1)] for t in range(len(ids))]
    return contexts, ids[:]
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": 'the predicted ids are the argument itself: "Both are new lists"',
        "source": r"""
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
        "why": "with order 1 the slice [-0:] gives all words before instead of an empty list",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    contexts = [([pad] * (order - 1) + ids[:t])[-(order - 1):] for t in range(len(ids))]
    return contexts, list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": 'skips words with the id of the padding: "a word may have the same id as the padding"',
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + ids
    contexts, predicted = [], []
    for t, word in enumerate(ids):
        if word != pad:
            contexts.append(padded[t:t + order - 1])
            predicted.append(word)
    return contexts, predicted
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "pads with 0 whatever pad is",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    padded = [0] * (order - 1) + list(ids)
    return [padded[t:t + order - 1] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "order 1 raises: the border is below 1",
        "source": r"""
def context_windows(ids, order, pad):
    if order <= 1:
        raise ValueError("order")
    padded = [pad] * (order - 1) + list(ids)
    return [padded[t:t + order - 1] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "no padding: the first order - 1 words are not predicted",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    places = range(order - 1, len(ids))
    return [ids[t - order + 1:t] for t in places], [ids[t] for t in places]
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "puts the padding into ids itself: the argument is changed",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    predicted = list(ids)
    for _ in range(order - 1):
        ids.insert(0, pad)
    return [ids[t:t + order - 1] for t in range(len(predicted))], predicted
""",
    },
    {
        "task": "context_windows",
        "right": False,
        "why": "nearest word first",
        "source": r"""
def context_windows(ids, order, pad):
    if order < 1:
        raise ValueError("order")
    return [[ids[t - k] if t >= k else pad for k in range(1, order)] for t in range(len(ids))], list(ids)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "lookup, flatten, two products",
        "source": r"""
import torch


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "F.embedding and F.linear",
        "source": r"""
import torch.nn.functional as F


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = F.embedding(contexts, embedding).reshape(contexts.shape[0], -1)
    return F.linear(F.linear(x, H, d).tanh(), U, b)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "one block of H for each position, einsum over one-hot words",
        "source": r"""
import torch
import torch.nn.functional as F


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    V, D = embedding.shape
    blocks = H.reshape(H.shape[0], contexts.shape[1], D)
    words = F.one_hot(contexts, V).to(embedding.dtype)
    hidden = torch.einsum("bpv,vd,hpd->bh", words, embedding, blocks) + d
    return torch.einsum("bh,vh->bv", torch.tanh(hidden), U) + b
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": True,
        "why": "clumsy: example by example with cat and stack; tanh z = 2 sigmoid(2 z) - 1",
        "source": r"""
import torch


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    results = []
    for context in contexts.tolist():
        vectors = []
        for word in context:
            vectors.append(embedding[word])
        x = torch.cat(vectors)
        z = d + torch.mv(H, x)
        h = 2 * torch.sigmoid(2 * z) - 1
        results.append(b + torch.mv(U, h))
    return torch.stack(results)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "joins the vectors number by number (transposed before the reshape): right for D = 1 only",
        "source": r"""
import torch


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].transpose(1, 2).reshape(len(contexts), -1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "nn.Embedding.from_pretrained freezes the table: no gradient reaches embedding",
        "source": r"""
import torch


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    layer = nn.Embedding.from_pretrained(embedding)
    x = layer(contexts).flatten(1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "padding_idx=0: row 0 of the embedding gets no gradient",
        "source": r"""
import torch
import torch.nn.functional as F


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = F.embedding(contexts, embedding, padding_idx=0).flatten(1)
    return F.linear(torch.tanh(F.linear(x, H, d)), U, b)
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": 'casts to float32: tables of float64 give float32, not "of the element type of the tables"',
        "source": r"""
import torch


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1).float()
    return b.float() + torch.tanh(d.float() + x @ H.float().T) @ U.float().T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "max_norm=1 shortens long rows of the embedding, and does it in place: wrong scores, argument changed",
        "source": r"""
import torch
import torch.nn.functional as F


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = F.embedding(contexts, embedding, max_norm=1.0).flatten(1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "under no_grad: no gradient at all",
        "source": r"""
import torch


@torch.no_grad()
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].flatten(1)
    return b + torch.tanh(d + x @ H.T) @ U.T
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "the biases are read with .data: no gradient for d and b",
        "source": r"""
import torch


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].reshape(len(contexts), -1)
    return b.data + torch.tanh(d.data + x @ H.t()) @ U.t()
""",
    },
    {
        "task": "neural_ngram_logits",
        "right": False,
        "why": "forgets tanh",
        "source": r"""
def neural_ngram_logits(contexts, embedding, H, d, U, b):
    x = embedding[contexts].reshape(len(contexts), -1)
    return b + (d + x @ H.t()) @ U.t()
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "two loops and a dict of columns",
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    column = {word: j for j, word in enumerate(vocabulary)}
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
        "why": "list.count, reshaped",
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    rows = [[document.count(word) for word in vocabulary] for document in documents]
    return np.array(rows, dtype=float).reshape(len(documents), len(vocabulary))
""",
    },
    {
        "task": "bag_of_words",
        "right": True,
        "why": "bincount over flattened cell numbers",
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    V = len(vocabulary)
    place = dict(zip(vocabulary, range(V)))
    cells = [i * V + place[w] for i, doc in enumerate(documents) for w in doc if w in place]
    flat = np.bincount(np.array(cells, dtype=np.int64), minlength=len(documents) * V)
    return flat.astype(np.float64).reshape(-1, V)
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "no documents: shape (0,) instead of (0, V)",
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    return np.array([[float(document.count(word)) for word in vocabulary] for document in documents])
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": 'counts in the joined text: "the" is found in "other"',
        "source": r"""
import numpy as np


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
        "why": 'lower case: \'"The" is not "the"\'',
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            word = word.lower()
            if word in vocabulary:
                X[i, vocabulary.index(word)] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "a word outside the vocabulary raises (list.index); it must be left out",
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        for word in document:
            X[i, vocabulary.index(word)] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "float32 instead of float64",
        "source": r"""
from collections import Counter
import numpy as np


def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)), dtype="f")
    for i, document in enumerate(documents):
        c = Counter(document)
        X[i] = [c[word] for word in vocabulary]
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "only whether the word is there (fancy index += 1 counts repeated words once)",
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    X = np.zeros((len(documents), len(vocabulary)))
    for i, document in enumerate(documents):
        columns = [vocabulary.index(w) for w in document if w in vocabulary]
        X[i, columns] += 1
    return X
""",
    },
    {
        "task": "bag_of_words",
        "right": False,
        "why": "empty documents get no row",
        "source": r"""
import numpy as np


def bag_of_words(documents, vocabulary):
    rows = [[document.count(word) for word in vocabulary] for document in documents if document]
    return np.array(rows, dtype=float).reshape(-1, len(vocabulary))
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "vectorised, N_v of at least 1",
        "source": r"""
import numpy as np


def tf_idf(counts):
    N = counts.shape[0]
    if N == 0:
        raise ValueError("no documents")
    holds = (counts > 0).sum(axis=0)
    return counts * np.log(N / np.maximum(holds, 1))
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "column by column in Python",
        "source": r"""
import math
import numpy as np


def tf_idf(counts):
    N = len(counts)
    if N < 1:
        raise ValueError("there are no documents")
    result = np.zeros(counts.shape)
    for v in range(counts.shape[1]):
        documents = 0
        for d in range(N):
            if counts[d, v] != 0:
                documents += 1
        for d in range(N):
            if counts[d, v] != 0:
                result[d, v] = counts[d, v] * math.log(N / documents)
    return result
""",
    },
    {
        "task": "tf_idf",
        "right": True,
        "why": "logs subtracted, only in columns that occur; einsum",
        "source": r"""
import numpy as np


def tf_idf(counts):
    if not len(counts):
        raise ValueError("N is 0")
    df = np.count_nonzero(counts, axis=0)
    occurs = df > 0
    weight = np.zeros(counts.shape[1])
    weight[occurs] = np.log(len(counts)) - np.log(df[occurs])
    return np.einsum("dv,v->dv", counts, weight)
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "a word of no document: 0 * inf = nan instead of 0",
        "source": r"""
import numpy as np


def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    with np.errstate(all="ignore"):
        return counts * np.log(counts.shape[0] / (counts > 0).sum(axis=0))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "empty documents are not counted in N",
        "source": r"""
import numpy as np


def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    N = max(1, int((counts.sum(axis=1) > 0).sum()))
    return counts * np.log(N / np.maximum((counts > 0).sum(axis=0), 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": 'multiplies in place: counts is changed, "A new array"',
        "source": r"""
import numpy as np


def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    counts *= np.log(counts.shape[0] / np.maximum((counts > 0).sum(axis=0), 1))
    return counts
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "a table of zeros is returned itself, not as a new array",
        "source": r"""
import numpy as np


def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    if not counts.any():
        return counts
    return counts * np.log(counts.shape[0] / np.maximum((counts > 0).sum(axis=0), 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "all counts 0 raises ValueError, though documents and words may be empty",
        "source": r"""
import numpy as np


def tf_idf(counts):
    if counts.sum() == 0:
        raise ValueError("no documents")
    return counts * np.log(counts.shape[0] / np.maximum((counts > 0).sum(axis=0), 1))
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "no check: without documents an empty array comes back instead of ValueError",
        "source": r"""
import numpy as np


def tf_idf(counts):
    N = counts.shape[0]
    holds = np.maximum((counts > 0).sum(axis=0), 1)
    return counts * np.log(max(N, 1) / holds)
""",
    },
    {
        "task": "tf_idf",
        "right": False,
        "why": "smoothed: ln(N / (1 + N_v))",
        "source": r"""
import numpy as np


def tf_idf(counts):
    if counts.shape[0] == 0:
        raise ValueError("no documents")
    return counts * np.log(counts.shape[0] / (1 + (counts > 0).sum(axis=0)))
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "two ranges",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i in range(len(words)):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if i != j:
                pairs.append((words[i], words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "comprehension over all pairs of positions",
        "source": r"""
def near_pairs(words, window):
    if not window >= 1:
        raise ValueError(window)
    return [(a, b) for i, a in enumerate(words) for j, b in enumerate(words) if 0 < abs(i - j) <= window]
""",
    },
    {
        "task": "near_pairs",
        "right": True,
        "why": "slices left and right of the centre",
        "source": r"""
import itertools


def near_pairs(words, window):
    if window <= 0:
        raise ValueError("at least 1")
    result = []
    for place, centre in enumerate(words):
        left = words[:place][-window:]
        right = words[place + 1:][:window]
        result.extend(itertools.product([centre], left + right))
    return result
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "words[i - window:i] with a negative start is empty: contexts near the beginning are missing for window 2",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for other in words[i - window:i] + words[i + 1:i + 1 + window]:
            pairs.append((centre, other))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": 'equal words are no pair here: "equal words at two positions near each other are a pair like any other"',
        "source": r"""
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
        "why": "context in the order of the distance, not of the text: the same for window 1",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i, centre in enumerate(words):
        for k in range(1, min(window, len(words)) + 1):
            if i - k >= 0:
                pairs.append((centre, words[i - k]))
            if i + k < len(words):
                pairs.append((centre, words[i + k]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "each pair is followed by its mirror: right order for window 1 only",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i in range(len(words)):
        for j in range(i + 1, min(len(words), i + window + 1)):
            pairs.append((words[i], words[j]))
            pairs.append((words[j], words[i]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": 'a pair is listed once only: "a pair that occurs several times is listed as often"',
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    pairs = []
    for i in range(len(words)):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if i != j and (words[i], words[j]) not in pairs:
                pairs.append((words[i], words[j]))
    return pairs
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "window 0 returns [] instead of ValueError",
        "source": r"""
def near_pairs(words, window):
    if window < 0:
        raise ValueError("window")
    return [(words[i], words[j]) for i in range(len(words)) for j in range(len(words)) if i != j and abs(i - j) <= window]
""",
    },
    {
        "task": "near_pairs",
        "right": False,
        "why": "an empty text returns before the window is checked",
        "source": r"""
def near_pairs(words, window):
    if len(words) == 0:
        return []
    if window < 1:
        raise ValueError("window")
    return [(words[i], words[j]) for i in range(len(words)) for j in range(len(words)) if i != j and abs(i - j) <= window]
""",
    },
    {
        "task": "near_pairs",
        "right": None,
        "why": "lists instead of tuples",
        "source": r"""
def near_pairs(words, window):
    if window < 1:
        raise ValueError("window")
    return [[words[i], words[j]] for i in range(len(words)) for j in range(len(words)) if i != j and abs(i - j) <= window]
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "powers of the counts above 0, then shares",
        "source": r"""
def noise_shares(counts, power=0.75):
    weights = {word: c ** power if c > 0 else 0.0 for word, c in counts.items()}
    total = sum(weights.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {word: w / total for word, w in weights.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "shares first, relative to the largest count, so that nothing overflows",
        "source": r"""
import math


def noise_shares(counts, power=0.75):
    largest = max(counts.values(), default=0)
    if largest == 0:
        raise ValueError("empty")
    raised = dict.fromkeys(counts, 0.0)
    for word in counts:
        if counts[word]:
            raised[word] = (counts[word] / largest) ** power
    total = math.fsum(raised.values())
    for word in raised:
        raised[word] /= total
    return raised
""",
    },
    {
        "task": "noise_shares",
        "right": True,
        "why": "NumPy, zip; the shares are NumPy floats (only their repr differs from the doctest)",
        "source": r"""
import numpy as np


def noise_shares(counts, power=0.75):
    c = np.array(list(counts.values()), dtype=float)
    if not (c > 0).any():
        raise ValueError("every count is 0")
    w = np.where(c > 0, c ** power, 0.0)
    return dict(zip(counts, w / w.sum()))
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": '0 ** 0 is 1: with power 0 a word with the count 0 gets a share ("whatever the power")',
        "source": r"""
def noise_shares(counts, power=0.75):
    if sum(counts.values()) == 0:
        raise ValueError("no word occurs")
    total = sum(c ** power for c in counts.values())
    return {word: c ** power / total for word, c in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": 'words with the count 0 are missing: "for all words"',
        "source": r"""
def noise_shares(counts, power=0.75):
    seen = {word: c ** power for word, c in counts.items() if c > 0}
    if not seen:
        raise ValueError("no word occurs")
    total = sum(seen.values())
    return {word: w / total for word, w in seen.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "0.75 is written into the formula: another power has no effect",
        "source": r"""
def noise_shares(counts, power=0.75):
    total = sum(c ** 0.75 for c in counts.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {word: c ** 0.75 / total for word, c in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": 'writes the shares into counts itself: the argument is changed, "A new dict"',
        "source": r"""
def noise_shares(counts, power=0.75):
    total = sum(c ** power for c in counts.values() if c > 0)
    if total == 0:
        raise ValueError("no word occurs")
    for word in counts:
        counts[word] = counts[word] ** power / total if counts[word] > 0 else 0.0
    return counts
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "only the empty dict raises: all counts 0 gives ZeroDivisionError",
        "source": r"""
def noise_shares(counts, power=0.75):
    if not counts:
        raise ValueError("no word occurs")
    weights = {word: c ** power if c else 0.0 for word, c in counts.items()}
    total = sum(weights.values())
    return {word: w / total for word, w in weights.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "any count of 0 raises, though a single 0 is legal",
        "source": r"""
def noise_shares(counts, power=0.75):
    if not counts or min(counts.values()) == 0:
        raise ValueError("no word occurs")
    total = sum(c ** power for c in counts.values())
    return {word: c ** power / total for word, c in counts.items()}
""",
    },
    {
        "task": "noise_shares",
        "right": False,
        "why": "raises the shares to the power but does not normalise again: they do not sum to 1",
        "source": r"""
def noise_shares(counts, power=0.75):
    total = sum(counts.values())
    if total == 0:
        raise ValueError("no word occurs")
    return {word: (c / total) ** power if c else 0.0 for word, c in counts.items()}
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "logsigmoid and einsum",
        "source": r"""
import torch
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = torch.einsum("bd,bd->b", centre, context)
    negative = torch.einsum("bd,bkd->bk", centre, noise)
    return -(F.logsigmoid(positive) + F.logsigmoid(-negative).sum(dim=1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "softplus: -ln sigma(z) = softplus(-z); bmm",
        "source": r"""
import torch
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    s = (centre * context).sum(-1)
    n = torch.bmm(noise, centre.unsqueeze(2)).squeeze(2)
    return F.softplus(-s).mean() + F.softplus(n).sum() / len(centre)
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "K + 1 questions in one table and binary cross-entropy with logits",
        "source": r"""
import torch
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    questions = torch.cat([context[:, None, :], noise], dim=1)
    scores = (questions * centre[:, None, :]).sum(dim=2)
    truth = torch.zeros_like(scores)
    truth[:, 0] = 1
    losses = F.binary_cross_entropy_with_logits(scores, truth, reduction="none")
    return losses.sum(dim=1).mean(dim=0)
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": True,
        "why": "loops, torch.logaddexp(0, -z) for each question",
        "source": r"""
import torch


def negative_sampling_loss(centre, context, noise):
    zero = torch.zeros((), dtype=centre.dtype)
    total = 0
    for i in range(centre.shape[0]):
        total = total + torch.logaddexp(zero, -torch.dot(context[i], centre[i]))
        for k in range(noise.shape[1]):
            total = total + torch.logaddexp(zero, torch.dot(noise[i, k], centre[i]))
    return total / centre.shape[0]
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": 'log of sigmoid: a score of -1000 gives infinity ("must not overflow")',
        "source": r"""
import torch


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(1)
    negative = (noise * centre[:, None]).sum(2)
    return -(torch.log(torch.sigmoid(positive)) + torch.log(torch.sigmoid(-negative)).sum(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "sum over the batch, not the mean: right for one pair",
        "source": r"""
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(1)
    negative = (noise * centre[:, None]).sum(2)
    return -F.logsigmoid(positive).sum() - F.logsigmoid(-negative).sum()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "the noise vectors are detached: no gradient reaches them",
        "source": r"""
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(1)
    negative = (noise.detach() * centre[:, None]).sum(2)
    return -(F.logsigmoid(positive) + F.logsigmoid(-negative).sum(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "every centre against the noise of all pairs: right for B = 1",
        "source": r"""
import torch
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(1)
    negative = torch.einsum("bd,ckd->bck", centre, noise).flatten(1)
    return -(F.logsigmoid(positive) + F.logsigmoid(-negative).sum(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "scores are clamped to -20 and 20: wrong loss and no gradient for large ones",
        "source": r"""
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(1).clamp(-20, 20)
    negative = (noise * centre[:, None]).sum(2).clamp(-20, 20)
    return -(F.logsigmoid(positive) + F.logsigmoid(-negative).sum(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "shape (1,) instead of ()",
        "source": r"""
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(1)
    negative = (noise * centre[:, None]).sum(2)
    return -(F.logsigmoid(positive) + F.logsigmoid(-negative).sum(1)).mean(dim=0, keepdim=True)
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "mean over the K noise words instead of their sum",
        "source": r"""
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(1)
    negative = (noise * centre[:, None]).sum(2)
    return -(F.logsigmoid(positive) + F.logsigmoid(-negative).mean(1)).mean()
""",
    },
    {
        "task": "negative_sampling_loss",
        "right": False,
        "why": "dot products over the batch (axis 0) instead of over the numbers of a vector: the same for B = D = 1",
        "source": r"""
import torch.nn.functional as F


def negative_sampling_loss(centre, context, noise):
    positive = (centre * context).sum(0)
    negative = (noise * centre[:, None]).sum(2)
    return -F.logsigmoid(positive).mean() - F.logsigmoid(-negative).sum(1).mean()
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "cosines of all, the three at minus infinity, argmax",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    i, j, k = words.index(a), words.index(b), words.index(c)
    if len(words) <= len({i, j, k}):
        raise ValueError("no other word")
    query = vectors[j] - vectors[i] + vectors[k]
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    cosines = vectors @ query / np.where(lengths == 0, 1.0, lengths)
    cosines[[i, j, k]] = -np.inf
    return words[int(np.argmax(cosines))]
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "max with a key function over the candidates; max() of none raises ValueError by itself",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    query = vectors[words.index(b)] - vectors[words.index(a)] + vectors[words.index(c)]

    def cosine(word):
        v = vectors[words.index(word)]
        product = np.sqrt(v @ v) * np.sqrt(query @ query)
        return v @ query / product if product > 0 else 0.0

    return max((word for word in words if word not in (a, b, c)), key=cosine)
""",
    },
    {
        "task": "solve_analogy",
        "right": True,
        "why": "beginner's loop with numbers and a best so far",
        "source": r"""
import math


def solve_analogy(a, b, c, words, vectors):
    for asked in (a, b, c):
        if asked not in words:
            raise ValueError("unknown word: " + asked)
    D = len(vectors[0])
    point = []
    for d in range(D):
        point.append(float(vectors[words.index(b)][d] - vectors[words.index(a)][d] + vectors[words.index(c)][d]))
    best = None
    best_cosine = None
    for n in range(len(words)):
        if words[n] == a or words[n] == b or words[n] == c:
            continue
        dot = sum(float(vectors[n][d]) * point[d] for d in range(D))
        length = math.hypot(*vectors[n]) * math.hypot(*point)
        cosine = 0.0
        if length != 0:
            cosine = dot / length
        if best is None or cosine > best_cosine:
            best = words[n]
            best_cosine = cosine
    if best is None:
        raise ValueError("there is no other word")
    return best
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "a vector of zeros has nan as its cosine and argmax picks it",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(a), words.index(b), words.index(c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    q = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    with np.errstate(all="ignore"):
        cosines = vectors @ q / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(q))
    cosines[ids] = -np.inf
    return words[int(np.argmax(cosines))]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "best so far begins at 0: when all cosines are negative (or 0) None comes back",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    q = vectors[words.index(b)] - vectors[words.index(a)] + vectors[words.index(c)]
    if set(words) <= {a, b, c}:
        raise ValueError("no other word")
    best, answer = 0.0, None
    for w, v in zip(words, vectors):
        size = np.linalg.norm(v) * np.linalg.norm(q)
        cosine = v @ q / size if size > 0 else 0.0
        if w not in (a, b, c) and cosine > best:
            best, answer = cosine, w
    return answer
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "dot product instead of cosine: long vectors win",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(a), words.index(b), words.index(c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    scores = vectors @ (vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]])
    scores[ids] = -np.inf
    return words[int(scores.argmax())]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "Euclidean distance instead of cosine",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(a), words.index(b), words.index(c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    q = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    distances = np.linalg.norm(vectors - q, axis=1)
    distances[ids] = np.inf
    return words[int(distances.argmin())]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "leaves words with a vector of zeros out, though their cosine 0 may be the largest",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    q = vectors[words.index(b)] - vectors[words.index(a)] + vectors[words.index(c)]
    best = {}
    for w, v in zip(words, vectors):
        if w not in (a, b, c) and v.any():
            best[w] = v @ q / np.linalg.norm(v)
    if not best:
        raise ValueError("no other word")
    return max(best, key=best.get)
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "no other word: one of the three comes back instead of ValueError",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(a), words.index(b), words.index(c)]
    q = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    size = np.linalg.norm(vectors, axis=1) * np.linalg.norm(q)
    cosines = vectors @ q / np.where(size > 0, size, 1)
    cosines[ids] = -np.inf
    return words[int(np.argmax(cosines))]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "makes the vectors unit vectors before the difference is taken: another point",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(a), words.index(b), words.index(c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(size > 0, size, 1)
    cosines = unit @ (unit[ids[1]] - unit[ids[0]] + unit[ids[2]])
    cosines[ids] = -np.inf
    return words[int(np.argmax(cosines))]
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "an unknown word raises KeyError",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    at = {w: i for i, w in enumerate(words)}
    q = vectors[at[b]] - vectors[at[a]] + vectors[at[c]]
    others = [w for w in words if w not in (a, b, c)]
    if not others:
        raise ValueError("no other word")
    def cosine(w):
        size = np.linalg.norm(vectors[at[w]]) * np.linalg.norm(q)
        return vectors[at[w]] @ q / size if size else 0.0
    return max(others, key=cosine)
""",
    },
    {
        "task": "solve_analogy",
        "right": False,
        "why": "overwrites the rows of the three words so that they cannot win: vectors is changed",
        "source": r"""
import numpy as np


def solve_analogy(a, b, c, words, vectors):
    ids = [words.index(a), words.index(b), words.index(c)]
    if len(set(ids)) == len(words):
        raise ValueError("no other word")
    q = vectors[ids[1]] - vectors[ids[0]] + vectors[ids[2]]
    vectors[ids] = -q
    size = np.linalg.norm(vectors, axis=1) * np.linalg.norm(q)
    cosines = vectors @ q / np.where(size > 0, size, 1)
    cosines[ids] = -2
    return words[int(np.argmax(cosines))]
""",
    },
]
