"""Answers to the project of chapter 02, written from its page alone."""

from tests.outside.variants import but

ARRAYS = """
class WordVectors:
    def __init__(self, words, inputs):
        self.words = list(words)
        self.index = {word: i for i, word in enumerate(self.words)}
        self.inputs = np.array(inputs, dtype=float)
        self.outputs = np.zeros_like(self.inputs)

    def count(self, sentences, window):
        counts = np.zeros((len(self.words), len(self.words)))
        for sentence in sentences:
            ids = [self.index[word] for word in sentence]
            for i, centre in enumerate(ids):
                for j in range(max(0, i - window), min(len(ids), i + window + 1)):
                    if i != j:
                        counts[centre, ids[j]] += 1
        return counts

    def _expected(self, counts, num_negatives):
        a = counts / counts.sum()
        noise = counts.sum(axis=0) ** 0.75
        noise = noise / noise.sum()
        b = num_negatives * np.outer(a.sum(axis=1), noise)
        return a, b

    def loss(self, counts, num_negatives):
        a, b = self._expected(counts, num_negatives)
        scores = self.inputs @ self.outputs.T
        return float((a * np.logaddexp(0, -scores) + b * np.logaddexp(0, scores)).sum())

    def fit(self, counts, num_negatives, lr, steps):
        a, b = self._expected(counts, num_negatives)
        losses = [self.loss(counts, num_negatives)]
        for _ in range(steps):
            p = 0.5 * (1 + np.tanh(0.5 * (self.inputs @ self.outputs.T)))
            slope = b * p - a * (1 - p)
            for_inputs, for_outputs = slope @ self.outputs, slope.T @ self.inputs
            self.inputs = self.inputs - lr * for_inputs
            self.outputs = self.outputs - lr * for_outputs
            losses.append(self.loss(counts, num_negatives))
        return losses

    def analogy(self, a, b, c):
        unit = self.inputs / np.linalg.norm(self.inputs, axis=1, keepdims=True)
        target = self.inputs[self.index[b]] - self.inputs[self.index[a]] + self.inputs[self.index[c]]
        scores = unit @ target
        for word in (a, b, c):
            scores[self.index[word]] = -np.inf
        return self.words[int(scores.argmax())]
"""

SHIFTS = """
class WordVectors:
    def __init__(self, words, inputs):
        self.words, V = words, len(words)
        self.inputs = np.asarray(inputs, dtype=np.float64).copy()
        self.outputs = np.zeros((V, self.inputs.shape[1]))

    def count(self, sentences, window):
        V = len(self.words)
        table = np.zeros((V, V))
        for sentence in sentences:
            ids = np.array([self.words.index(word) for word in sentence], dtype=int)
            for distance in range(1, window + 1):
                left, right = ids[:-distance], ids[distance:]
                np.add.at(table, (left, right), 1)
                np.add.at(table, (right, left), 1)
        return table

    def _expected(self, counts, num_negatives):
        share = np.asarray(counts, dtype=float) / np.sum(counts)
        q = np.power(share.sum(0), 3 / 4)
        return share, num_negatives * share.sum(1)[:, None] * (q / q.sum())[None, :]

    @staticmethod
    def _softplus(s):
        return np.maximum(s, 0) + np.log1p(np.exp(-np.abs(s)))

    def loss(self, counts, num_negatives):
        yes, no = self._expected(counts, num_negatives)
        s = np.einsum("cd,od->co", self.inputs, self.outputs)
        return np.sum(yes * self._softplus(-s)) + np.sum(no * self._softplus(s))

    def fit(self, counts, num_negatives, lr, steps):
        losses = []
        yes, no = self._expected(counts, num_negatives)
        for step in range(steps + 1):
            losses.append(self.loss(counts, num_negatives))
            if step == steps:
                break
            s = self.inputs @ self.outputs.T
            slope = (yes + no) * np.exp(-self._softplus(-s)) - yes
            old = self.inputs.copy()
            self.inputs -= lr * (slope @ self.outputs)
            self.outputs -= lr * (slope.T @ old)
        return losses

    def analogy(self, a, b, c):
        at = self.words.index
        target = self.inputs[at(b)] - self.inputs[at(a)] + self.inputs[at(c)]
        best, name = -2.0, None
        for word, vector in zip(self.words, self.inputs):
            if word in (a, b, c):
                continue
            cosine = vector @ target / (np.linalg.norm(vector) * np.linalg.norm(target))
            if cosine > best:
                best, name = cosine, word
        return name
"""

AUTOGRAD = """
import torch


class WordVectors:
    def __init__(self, words, inputs):
        self.words = list(words)
        self.inputs = np.array(inputs, dtype=float)
        self.outputs = 0.0 * self.inputs

    def count(self, sentences, window):
        near = {}
        for sentence in sentences:
            for i in range(len(sentence)):
                for j in range(i + 1, min(i + window, len(sentence) - 1) + 1):
                    for pair in ((sentence[i], sentence[j]), (sentence[j], sentence[i])):
                        near[pair] = near.get(pair, 0) + 1
        return np.array([[near.get((c, o), 0) for o in self.words] for c in self.words])

    def _expected(self, counts, num_negatives):
        a = torch.tensor(np.array(counts, dtype=float))
        a = a / a.sum()
        q = torch.tensor(np.array(counts, dtype=float)).sum(0) ** 0.75
        return a, num_negatives * a.sum(1, keepdim=True) * q / q.sum()

    def _loss(self, v, u, counts, num_negatives):
        a, b = self._expected(counts, num_negatives)
        s = v @ u.T
        return -(a * torch.nn.functional.logsigmoid(s) + b * torch.nn.functional.logsigmoid(-s)).sum()

    def loss(self, counts, num_negatives):
        return self._loss(torch.tensor(self.inputs), torch.tensor(self.outputs), counts, num_negatives).item()

    def fit(self, counts, num_negatives, lr, steps):
        v = torch.tensor(self.inputs, requires_grad=True)
        u = torch.tensor(self.outputs, requires_grad=True)
        losses = []
        for _ in range(steps):
            loss = self._loss(v, u, counts, num_negatives)
            losses.append(loss.item())
            grads = torch.autograd.grad(loss, (v, u))
            with torch.no_grad():
                v -= lr * grads[0]
                u -= lr * grads[1]
        self.inputs, self.outputs = v.detach().numpy().copy(), u.detach().numpy().copy()
        return losses + [self.loss(counts, num_negatives)]

    def analogy(self, a, b, c):
        i, j, k = (self.words.index(w) for w in (a, b, c))
        target = self.inputs[j] - self.inputs[i] + self.inputs[k]
        cosines = self.inputs @ target / np.sqrt((self.inputs**2).sum(1) * (target**2).sum())
        order = np.argsort(-cosines)
        return next(self.words[w] for w in order if self.words[w] not in {a, b, c})
"""

TASK = "WordVectors"
ANSWERS = [
    {"task": TASK, "right": True, "why": "arrays, the sigmoid by tanh", "source": ARRAYS},
    {"task": TASK, "right": True, "why": "counts by shifted rows, a softplus of its own", "source": SHIFTS},
    {"task": TASK, "right": True, "why": "counts as whole numbers, gradients by PyTorch", "source": AUTOGRAD},
    {
        "task": TASK,
        "right": False,
        "why": "a word is not counted near itself, though it stands twice in a window",
        "source": but(ARRAYS, ("if i != j:", "if centre != ids[j]:")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "noise by the count as a centre (the row's sum)",
        "source": but(ARRAYS, ("counts.sum(axis=0) ** 0.75", "counts.sum(axis=1) ** 0.75")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the outputs step by inputs that have stepped already",
        "source": but(SHIFTS, ("slope.T @ old", "slope.T @ self.inputs")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "an analogy may be answered with b",
        "source": but(ARRAYS, ("for word in (a, b, c):", "for word in (a, c):")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "dot product for cosine",
        "source": but(ARRAYS, ("scores = unit @ target", "scores = self.inputs @ target")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the vectors at the start are the caller's own array",
        "source": but(SHIFTS, ("np.asarray(inputs, dtype=np.float64).copy()", "np.asarray(inputs, dtype=np.float64)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the last loss is missing",
        "source": but(AUTOGRAD, ("return losses + [self.loss(counts, num_negatives)]", "return losses")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the window reaches into the next sentence",
        "source": but(ARRAYS, ("for sentence in sentences:", "for sentence in [[w for s in sentences for w in s]]:")),
    },
]
