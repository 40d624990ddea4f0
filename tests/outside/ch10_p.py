"""Answers to the project of chapter 10, written from its page alone."""

from tests.outside.variants import but

PLAIN = """
import torch
import torch.nn.functional as F


class LowRankTuning:
    def __init__(self, weights, downs, alpha):
        self.W = [w.detach() for w in weights]
        self.A = [a.detach().clone().requires_grad_() for a in downs]
        self.B = [torch.zeros(len(w), len(a), dtype=w.dtype, requires_grad=True) for w, a in zip(weights, downs)]
        self.alpha = alpha

    def forward(self, x):
        for n, (w, a, b) in enumerate(zip(self.W, self.A, self.B)):
            if n:
                x = torch.relu(x)
            x = x @ w.T + self.alpha / len(a) * (x @ a.T) @ b.T
        return x

    def merged(self):
        return [(w + self.alpha / a.shape[0] * b @ a).detach() for w, a, b in zip(self.W, self.A, self.B)]

    def num_trained(self):
        return sum(p.numel() for p in self.A + self.B)

    def fit(self, x, targets, lr, steps):
        losses = []
        for _ in range(steps):
            loss = F.cross_entropy(self.forward(x), targets)
            losses.append(loss.item())
            grads = torch.autograd.grad(loss, self.A + self.B)
            with torch.no_grad():
                for p, g in zip(self.A + self.B, grads):
                    p -= lr * g
        return losses
"""

MERGING = """
import torch


class LowRankTuning:
    def __init__(self, weights, downs, alpha):
        self.weights, self.alpha = list(weights), float(alpha)
        self.A, self.B = [], []
        for weight, down in zip(weights, downs):
            self.A.append(torch.nn.Parameter(torch.clone(down.data)))
            self.B.append(torch.nn.Parameter(weight.new_zeros(weight.shape[0], down.shape[0])))

    def _whole(self):
        whole = []
        for weight, a, b in zip(self.weights, self.A, self.B):
            rank = a.size(0)
            whole.append(weight.detach() + torch.einsum("or,ri->oi", b, a) * (self.alpha / rank))
        return whole

    def forward(self, x):
        *inner, last = self._whole()
        for matrix in inner:
            x = (x @ matrix.t()).clamp(min=0)
        return x @ last.t()

    def merged(self):
        with torch.no_grad():
            return [matrix.clone() for matrix in self._whole()]

    def num_trained(self):
        total = 0
        for matrix in [*self.A, *self.B]:
            total += matrix.shape[0] * matrix.shape[1]
        return total

    def fit(self, x, targets, lr, steps):
        optimizer = torch.optim.SGD([*self.A, *self.B], lr=lr)
        losses = []
        for _ in range(steps):
            optimizer.zero_grad()
            log_probs = self.forward(x).log_softmax(-1)
            loss = -log_probs.gather(1, targets[:, None]).mean()
            loss.backward()
            optimizer.step()
            losses.append(float(loss))
        return losses
"""

COUNTED = """
import torch
import torch.nn.functional as F


class LowRankTuning:
    def __init__(self, weights, downs, alpha):
        self.layers = len(weights)
        self.frozen = [w.clone().detach() for w in weights]
        self.A = [torch.tensor(d.tolist(), dtype=d.dtype, requires_grad=True) for d in downs]
        self.B = [torch.zeros((w.shape[0], d.shape[0]), dtype=w.dtype).requires_grad_(True) for w, d in zip(weights, downs)]
        self.alpha = alpha

    def forward(self, x):
        for i in range(self.layers):
            change = F.linear(F.linear(x, self.A[i]), self.B[i])
            x = F.linear(x, self.frozen[i]) + change * self.alpha / self.A[i].shape[0]
            if i < self.layers - 1:
                x = F.relu(x)
        return x

    def merged(self):
        return [
            torch.addmm(w, b.detach(), a.detach(), alpha=self.alpha / a.shape[0])
            for w, a, b in zip(self.frozen, self.A, self.B)
        ]

    def num_trained(self):
        return sum(a.shape[0] * (a.shape[1] + b.shape[0]) for a, b in zip(self.A, self.B))

    def fit(self, x, targets, lr, steps):
        losses = []
        for _ in range(steps):
            for p in (*self.A, *self.B):
                p.grad = None
            loss = F.nll_loss(F.log_softmax(self.forward(x), dim=1), targets)
            loss.backward()
            for matrices in (self.A, self.B):
                for i in range(self.layers):
                    matrices[i] = (matrices[i].detach() - lr * matrices[i].grad).requires_grad_()
            losses.append(loss.item())
        return losses
"""

TASK = "LowRankTuning"
ANSWERS = [
    {"task": TASK, "right": True, "why": "two thin products, gradients by autograd.grad", "source": PLAIN},
    {"task": TASK, "right": True, "why": "the whole matrices each time, Parameters and SGD", "source": MERGING},
    {"task": TASK, "right": True, "why": "new leaf tensors after every step", "source": COUNTED},
    {
        "task": TASK,
        "right": False,
        "why": "the rank of the first matrix is taken for all",
        "source": but(PLAIN, ("self.alpha / len(a) *", "self.alpha / len(self.A[0]) *")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "merged adds to the frozen matrices themselves",
        "source": but(
            PLAIN,
            (
                "[(w + self.alpha / a.shape[0] * b @ a).detach() for",
                "[w.add_((self.alpha / a.shape[0] * b @ a).detach()) for",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "B steps by a gradient that was taken after the step of A",
        "source": but(
            PLAIN,
            (
                "            grads = torch.autograd.grad(loss, self.A + self.B)\n            with torch.no_grad():\n                for p, g in zip(self.A + self.B, grads):\n                    p -= lr * g\n",
                "            for part in (self.A, self.B):\n                grads = torch.autograd.grad(F.cross_entropy(self.forward(x), targets), part)\n                with torch.no_grad():\n                    for p, g in zip(part, grads):\n                        p -= lr * g\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the gradients of all steps add up",
        "source": but(MERGING, ("            optimizer.zero_grad()\n", "")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a relu after the last matrix, too",
        "source": but(
            COUNTED,
            ("            if i < self.layers - 1:\n                x = F.relu(x)\n", "            x = F.relu(x)\n"),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "A is the tensor that was given, not a copy",
        "source": but(PLAIN, ("a.detach().clone().requires_grad_()", "a.detach().requires_grad_()")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the loss is that after each step, not before it",
        "source": but(
            PLAIN,
            ("            losses.append(loss.item())\n", ""),
            (
                "                    p -= lr * g\n",
                "                    p -= lr * g\n            losses.append(F.cross_entropy(self.forward(x), targets).item())\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a matrix of which B is 0 is not copied by merged: it is the frozen one itself",
        "source": but(
            PLAIN,
            (
                "[(w + self.alpha / a.shape[0] * b @ a).detach() for",
                "[(w + self.alpha / a.shape[0] * b @ a).detach() if b.any() else w for",
            ),
        ),
    },
]
