"""Answers to the project of chapter 00, written from its page alone."""

from tests.outside.variants import but

WHOLE = """
class SoftmaxClassifier:
    def __init__(self, num_features, num_classes):
        self.weights = np.zeros((num_features, num_classes))
        self.bias = np.zeros(num_classes)

    def log_probs(self, X):
        scores = np.asarray(X) @ self.weights + self.bias
        scores = scores - scores.max(axis=1, keepdims=True)
        return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))

    def loss(self, X, y):
        return -self.log_probs(X)[np.arange(len(y)), y].mean()

    def gradients(self, X, y):
        error = np.exp(self.log_probs(X))
        error[np.arange(len(y)), y] -= 1
        return X.T @ error / len(y), error.mean(axis=0)

    def fit(self, X, y, goal, lr=0.5, max_steps=1_000):
        losses = [self.loss(X, y)]
        while losses[-1] > goal:
            if len(losses) > max_steps:
                raise ValueError("not enough steps")
            for_weights, for_bias = self.gradients(X, y)
            self.weights = self.weights - lr * for_weights
            self.bias = self.bias - lr * for_bias
            losses.append(self.loss(X, y))
        return losses
"""

LOOPS = """
import math


class SoftmaxClassifier:
    def __init__(self, num_features, num_classes):
        self.D, self.V = num_features, num_classes
        self.weights = np.zeros([self.D, self.V], dtype=float)
        self.bias = np.zeros([self.V], dtype=float)

    def log_probs(self, X):
        table = np.empty((len(X), self.V))
        for n, row in enumerate(X):
            scores = [
                math.fsum(float(row[d]) * float(self.weights[d, v]) for d in range(self.D)) + float(self.bias[v])
                for v in range(self.V)
            ]
            top = max(scores)
            total = top + math.log(math.fsum(math.exp(s - top) for s in scores))
            for v, s in enumerate(scores):
                table[n, v] = s - total
        return table

    def loss(self, X, y):
        table = self.log_probs(X)
        return sum(-float(table[n, v]) for n, v in enumerate(y)) / len(y)

    def gradients(self, X, y):
        table = self.log_probs(X)
        dW, db = np.zeros((self.D, self.V)), np.zeros(self.V)
        for n, right in enumerate(y):
            for v in range(self.V):
                slope = math.exp(table[n, v]) - (1.0 if v == right else 0.0)
                db[v] += slope / len(y)
                for d in range(self.D):
                    dW[d, v] += slope * X[n][d] / len(y)
        return dW, db

    def fit(self, X, y, goal, lr=0.5, max_steps=1_000):
        losses = [self.loss(X, y)]
        for _ in range(max_steps):
            if losses[-1] <= goal:
                return losses
            dW, db = self.gradients(X, y)
            self.weights -= lr * dW
            self.bias -= lr * db
            losses.append(self.loss(X, y))
        if losses[-1] <= goal:
            return losses
        raise ValueError(f"the loss is {losses[-1]} after {max_steps} steps")
"""

ONE_HOT = """
class SoftmaxClassifier:
    def __init__(self, num_features, num_classes):
        self.weights, self.bias = np.zeros((num_features, num_classes)), np.zeros((num_classes,))

    def log_probs(self, X):
        scores = np.einsum("nd,dv->nv", X, self.weights) + self.bias[None]
        return scores - np.logaddexp.reduce(scores, axis=-1)[:, None]

    def loss(self, X, y):
        truth = np.eye(len(self.bias))[y]
        return float(-np.where(truth == 1, self.log_probs(X), 0.0).sum() / len(truth))

    def gradients(self, X, y):
        truth = np.eye(len(self.bias))[y]
        slope = (np.exp(self.log_probs(X)) - truth) / len(truth)
        return np.tensordot(X, slope, axes=(0, 0)), np.ones(len(truth)) @ slope

    def fit(self, X, y, goal, lr=0.5, max_steps=1_000):
        losses, taken = [], 0
        while True:
            losses.append(self.loss(X, y))
            if losses[-1] <= goal:
                return losses
            if taken >= max_steps:
                raise ValueError("max_steps is too small")
            taken += 1
            steps = self.gradients(X, y)
            self.weights, self.bias = (p - lr * g for p, g in zip((self.weights, self.bias), steps))
"""

TASK = "SoftmaxClassifier"
ANSWERS = [
    {"task": TASK, "right": True, "why": "vectorised", "source": WHOLE},
    {"task": TASK, "right": True, "why": "plain loops over examples, features and classes", "source": LOOPS},
    {"task": TASK, "right": True, "why": "one-hot truth, logaddexp, einsum", "source": ONE_HOT},
    {
        "task": TASK,
        "right": False,
        "why": "subtracts the largest score of all examples: the others underflow to log 0",
        "source": but(WHOLE, ("scores.max(axis=1, keepdims=True)", "scores.max()")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the bias steps by a gradient that was taken after the step of the weights",
        "source": but(
            WHOLE,
            ("self.bias = self.bias - lr * for_bias", "self.bias = self.bias - lr * self.gradients(X, y)[1]"),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the gradient of the bias is the sum over the examples, not the mean",
        "source": but(WHOLE, ("error.mean(axis=0)", "error.sum(axis=0)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a goal that is met by the last allowed step is refused",
        "source": but(
            LOOPS, ("        if losses[-1] <= goal:\n            return losses\n        raise", "        raise")
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "where the goal is met at once, a step is made nevertheless",
        "source": but(WHOLE, ("while losses[-1] > goal:", "while len(losses) == 1 or losses[-1] > goal:")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "gradients changes the labels' entries of the wrong example where a class comes twice",
        "source": but(WHOLE, ("error[np.arange(len(y)), y] -= 1", "error[:, y] -= np.eye(len(y))[:, :]")),
    },
]
