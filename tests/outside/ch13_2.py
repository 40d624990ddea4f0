"""Answers to chapter 13, written from its page alone: the second round."""

ANSWERS = [
    # mixture_of_experts
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "gathers the matrices of the chosen",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "all experts on all tokens, shares 0 for the others",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    keep = torch.zeros_like(scores, dtype=torch.bool)
    keep.scatter_(1, scores.topk(k, dim=-1).indices, True)
    shares = scores.masked_fill(~keep, float("-inf")).softmax(dim=-1)
    answers = F.relu(torch.einsum("nd,edf->enf", x, up)) @ down
    return torch.einsum("ne,end->nd", shares, answers)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "a loop over experts, index_add of their tokens",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    values, experts = torch.sort(torch.matmul(x, router), dim=1, descending=True)
    values, experts = values[:, :k], experts[:, :k]
    shares = torch.exp(values - torch.logsumexp(values, 1, keepdim=True))
    out = x.new_zeros(x.shape)
    for e in range(router.shape[1]):
        rows, place = torch.where(experts == e)
        answer = torch.relu(x[rows] @ up[e]) @ down[e]
        out = out.index_add(0, rows, shares[rows, place][:, None] * answer)
    return out
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "a loop over tokens",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    rows = []
    for token in x:
        scores = token @ router
        best = sorted(range(len(scores)), key=lambda e: -scores[e].item())[:k]
        e = torch.exp(scores[best] - scores[best].max().detach())
        e = e / e.sum()
        rows.append(sum(share * (torch.clamp(token @ up[i], min=0) @ down[i]) for share, i in zip(e, best)))
    return torch.stack(rows) if rows else x * 0
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "softmax over all experts, not renormalised: 'with the softmax of these k scores as shares'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    shares, chosen = (x @ router).softmax(dim=1).topk(k, dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "exp / sum: 'Large scores must not overflow'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.exp() / top.exp().sum(dim=1, keepdim=True)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "shares detached: 'The gradient must flow through it, to the router too'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.detach().softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the plain mean of the k answers: 'with the softmax of these k scores as shares'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = torch.full_like(top, 1 / k) + 0 * top
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "no ReLU",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen])
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "softmax over the tokens: the shares of one token are over its experts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.softmax(dim=0)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "k smallest scores",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1, largest=False)
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "ReLU after the second matrix, too",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen]).relu()
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the experts chosen for the first token work on all: 'the k best experts of each token'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    if len(x):
        chosen = chosen[:1].expand_as(chosen)
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the chosen are sorted by number, the shares not",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    chosen = chosen.sort(dim=1).values
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "no tokens crash: 'N may be 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return torch.stack([s @ a for s, a in zip(shares, answers)])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "renormalised from the softmax over all, with 1e-2 in the denominator: the shares are the softmax of these k scores, and sum to 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    probs, chosen = (x @ router).softmax(dim=1).topk(k, dim=1)
    shares = probs / (probs.sum(dim=1, keepdim=True) + 1e-2)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] * answers).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the shares are put in twice (squared): 'their answers are added with the softmax of these k scores as shares'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def mixture_of_experts(x, router, up, down, k):
    top, chosen = (x @ router).topk(k, dim=1)
    shares = top.softmax(dim=1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    answers = torch.einsum("nkf,nkfd->nkd", hidden, down[chosen])
    return (shares[:, :, None] ** 2 * answers).sum(dim=1)
""",
    },
    # load_balancing_loss
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "one-hot means",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "bincount",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    E = logits.size(1)
    counts = torch.bincount(logits.detach().max(dim=1).indices, minlength=E)
    P = torch.softmax(logits, -1).sum(0) / len(logits)
    return E * torch.dot(counts.to(P.dtype) / len(logits), P)
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "loops over experts",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    probs = (logits - logits.logsumexp(dim=1, keepdim=True)).exp()
    goes = [int(row.argmax()) for row in logits]
    n, e = logits.shape
    loss = 0
    for expert in range(e):
        loss = loss + goes.count(expert) / n * probs[:, expert].mean()
    return loss * e
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "the shares' matrix as a comparison with the row's maximum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    first = (logits == logits.amax(dim=1, keepdim=True)).to(logits.dtype).detach()
    return logits.shape[1] / logits.shape[0] ** 2 * torch.einsum("ne,me->", first, logits.softmax(1))
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "no factor E",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "P also for f: 'f_e be the share of the tokens that go to expert e' (counts)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = P
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "per token, then the mean: f_e and P_e are means over all tokens before the product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    hot = F.one_hot(logits.argmax(dim=1), E).to(P.dtype)
    return E * (hot * logits.softmax(dim=1)).sum(dim=1).mean()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "P detached: 'Its gradient flows through the probabilities'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.detach().softmax(dim=1).mean(dim=0) + 0 * logits.sum()
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "counts, not shares: 'the share of the tokens'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).sum(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "f through a straight-through estimator: 'The shares are counts and have no gradient'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    f = f + P - P.detach()
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "mean over the experts in place of the sum: E times a sum is asked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).mean()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "log-probabilities for P",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.log_softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "squared shares of the tokens, as another loss: E sum f^2",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * f).sum() + 0 * P.sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "softmax of the mean logits: 'the mean of its probability over all tokens'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.mean(dim=0).softmax(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "one token or one expert gives 1: 'N and E are at least 1'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    if N == 1:
        return logits.sum() * 0 + 1
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "probabilities by exp / sum (dim 0): over tokens",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=0).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": None,
        "why": "one number of shape (1,), 'A tensor of one number'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=1), E).to(P.dtype).mean(dim=0)
    return E * (f * P).sum(dim=0, keepdim=True)
""",
    },
    # fit_power_law
    {
        "task": "fit_power_law",
        "right": True,
        "why": "covariance over variance",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "np.polyfit",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) <= 1:
        raise ValueError
    slope, intercept = np.polyfit([math.log(s) for s in sizes], [math.log(l) for l in losses], deg=1)
    return math.exp(intercept), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "torch.linalg.lstsq",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if min(sizes, default=0) == max(sizes, default=0):
        raise ValueError("one size")
    X = torch.stack([torch.ones(len(sizes), dtype=torch.float64), torch.tensor([float(s) for s in sizes], dtype=torch.float64).log()], dim=1)
    y = torch.tensor(losses, dtype=torch.float64).log().unsqueeze(1)
    log_a, minus_b = torch.linalg.lstsq(X, y).solution.flatten().tolist()
    return math.exp(log_a), -minus_b
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "sums by hand, Cramer's rule around the first size",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if not any(size != sizes[0] for size in sizes):
        raise ValueError("sizes")
    n = len(sizes)
    shift = math.log(sizes[0])
    sx = sy = sxx = sxy = 0.0
    for size, loss in zip(sizes, losses):
        x, y = math.log(size) - shift, math.log(loss)
        sx, sy, sxx, sxy = sx + x, sy + y, sxx + x * x, sxy + x * y
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return math.exp((sy - slope * sx) / n - slope * shift), -slope
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "the sign of b: 'a * size^-b'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "log a is returned",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(y.mean() - slope * x.mean()), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "through the first and the last point: 'by least squares on the logarithms'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    i, j = x.argmin(), x.argmax()
    slope = (y[j] - y[i]) / (x[j] - x[i])
    return float(np.exp(y[i] - slope * x[i])), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "fewer than two points, not two different sizes, is the error",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(sizes) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "b is never below 0: 'b is below 0 where the losses rise'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(abs(slope))
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "log10 for the sizes only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log10(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "log10 and exp: a is wrong",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log10(np.array(sizes, dtype=float))
    y = np.log10(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "a from the mean of the ratios: least squares on the logarithms",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.mean(np.exp(y - slope * x))), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "least squares of the losses themselves against log size: 'on the logarithms'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.array(losses, dtype=float)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(y.mean() - slope * x.mean()), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "x on y: the line is of log loss on log size",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    slope = 1 / (((x - x.mean()) * (y - y.mean())).sum() / ((y - y.mean()) ** 2).sum()) if y.std() > 1e-9 else slope
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "a point that stands twice counts once: least squares over the points",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    sizes, losses = zip(*sorted(set(zip(sizes, losses))))
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "both lists are sorted, each by itself: the points come apart where they do not stand in order; 'a power law through the points'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    sizes, losses = sorted(sizes), sorted(losses, reverse=True)
    x = np.log(np.array(sizes, dtype=float))
    y = np.log(np.array(losses, dtype=float))
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    return float(np.exp(y.mean() - slope * x.mean())), float(-slope)
""",
    },
    # data_parallel_gradient
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "a loop that skips",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + n * row
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "boolean rows and a product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    n = torch.tensor(token_counts, dtype=gradients.dtype)
    works = n > 0
    if not bool(works.any()):
        raise ValueError
    return (n[works] / n[works].sum()) @ gradients[works]
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "where, einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    if not any(token_counts):
        raise ValueError("no process has a token")
    weights = torch.tensor([count / sum(token_counts) for count in token_counts], dtype=gradients.dtype)
    clean = torch.where(weights[:, None] > 0, gradients, torch.zeros_like(gradients))
    return torch.einsum("n,np->p", weights, clean)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "Python's running mean",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    mean, seen = None, 0
    for r in range(len(token_counts)):
        n = token_counts[r]
        if not n:
            continue
        seen += n
        mean = gradients[r].clone() if mean is None else mean + (gradients[r] - mean) * (n / seen)
    if mean is None:
        raise ValueError("nothing to learn")
    return mean
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "the plain mean of those with tokens",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + row
    return out / sum(n > 0 for n in token_counts)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "NaN times 0 is NaN: 'may hold anything, NaN too, and must not count'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        out = out + n * row
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": None,
        "why": "nan_to_num on all rows: differs only for a NaN gradient of a process that has tokens, of which the statement says nothing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        out = out + n * row.nan_to_num()
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "rows with NaN entries are dropped only if they are all NaN: a row without tokens may hold infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if not row.isnan().any():
            out = out + n * row
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "no error if no process has a token: zeros",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        return torch.zeros_like(gradients[0])
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + n * row
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "sum, not divided",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + n * row
    return out
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "divided by the number of processes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + n * row
    return out / len(token_counts)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "a process without tokens counts as one with 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(max(1, n) for n in token_counts)
    if not any(token_counts):
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + n * row
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "in place: gradients are changed: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + row.mul_(n)
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "an error as soon as one process is empty: 'A process may have no tokens at all'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if 0 in token_counts:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + n * row
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "whole-number weights: counts divided by the smallest one, rounded down",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    least = min(n for n in token_counts if n)
    token_counts = [n // least for n in token_counts]
    total = sum(token_counts)
    out = torch.zeros_like(gradients[0])
    for row, n in zip(gradients, token_counts):
        if n > 0:
            out = out + n * row
    return out / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "the last row without tokens is dropped, others are not",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no tokens")
    out = torch.zeros_like(gradients[0])
    for row, n in list(zip(gradients, token_counts))[:len(token_counts) - (token_counts[-1] == 0)]:
        if True:
            out = out + n * row
    return out / total
""",
    },
    # zero_bytes
    {
        "task": "zero_bytes",
        "right": True,
        "why": "ceiling by negation",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "a table of stages",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    whole, divided = {0: (16, 0), 1: (4, 12), 2: (2, 14), 3: (0, 16)}.get(stage, (None, None))
    if whole is None:
        raise ValueError("stage")
    return whole * num_parameters + divided * ((num_parameters + processes - 1) // processes)
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "divmod, if after if",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    shard, rest = divmod(num_parameters, processes)
    if rest:
        shard += 1
    if stage == 0:
        return 16 * num_parameters
    if stage == 1:
        return 4 * num_parameters + 12 * shard
    if stage == 2:
        return 2 * num_parameters + 14 * shard
    if stage == 3:
        return 16 * shard
    raise ValueError(f"there is no stage {stage}")
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "a list cut",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage < 0 or stage > 3:
        raise ValueError
    bytes_each = [12, 2, 2]
    largest = 1 + (num_parameters - 1) // processes
    return sum(bytes_each[:stage]) * largest + sum(bytes_each[stage:]) * num_parameters
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "rounds down: 'the last one padded'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = num_parameters // processes
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "bytes are divided and rounded, not parameters: 'a shard has as many parameters as the largest of them'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += (-(-size * num_parameters // processes) if stage >= first else size * num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "a float: 'An int'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = num_parameters / processes
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "ceil of a float quotient: wrong for huge numbers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = math.ceil(num_parameters / processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "a padding even where it divides",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = num_parameters // processes + (1 if processes > 1 else 0)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "the optimizer's 12 are divided from stage 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 0), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "weights before gradients: 2 bytes each, so no difference, but stage 2 divides both",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 2)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "another stage counts as 3: 'Raises ValueError'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "a negative stage is 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage > 3:
        raise ValueError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "KeyError: 'ValueError'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise KeyError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "4 bytes of weights (no mixed precision)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((12, 1), (2, 2), (4, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "only 8 bytes of the optimizer",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(stage)
    shard = -(-num_parameters // processes)
    total = 0
    for size, first in ((8, 1), (2, 2), (2, 3)):
        total += size * (shard if stage >= first else num_parameters)
    return total
""",
    },
    # merge_attention
    {
        "task": "merge_attention",
        "right": True,
        "why": "logaddexp and safe weights",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "maximum taken off by hand",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    top = torch.maximum(lse_a, lse_b)
    none = top == float("-inf")
    top = top.masked_fill(none, 0.0)
    a, b = torch.exp(lse_a - top), torch.exp(lse_b - top)
    total = (a + b).masked_fill(none, 1.0)
    out = (a / total).unsqueeze(1) * out_a + (b / total).unsqueeze(1) * out_b
    return out, (top + total.log()).masked_fill(none, float("-inf"))
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "softmax of the two, NaN made 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    both = torch.stack([lse_a, lse_b])
    weights = torch.nan_to_num(both.softmax(dim=0), nan=0.0)
    return torch.einsum("st,stk->tk", weights, torch.stack([out_a, out_b])), both.logsumexp(dim=0)
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "sigmoid of the difference, query by query where something is seen",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    out, lse = torch.zeros_like(out_a), torch.full_like(lse_a, -math.inf)
    for t in range(len(lse_a)):
        a, b = lse_a[t], lse_b[t]
        if a == -math.inf and b == -math.inf:
            continue
        share = torch.sigmoid(a - b)
        out[t] = share * out_a[t] + torch.sigmoid(b - a) * out_b[t]
        lse[t] = torch.maximum(a, b) - torch.log(torch.maximum(share, torch.sigmoid(b - a)))
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "NaN for a query without keys: 'gets 0 and minus infinity'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = lse
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "plain exp: large sums overflow, small ones become 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = (lse_a.exp() + lse_b.exp()).log()
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "lse of a query without keys is 0: 'minus infinity'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, safe_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, safe
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "the plain mean of the outputs",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return (out_a + out_b) / 2 + 0 * wa[:, None], lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "weights lse, not exp(lse)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return (lse_a[:, None] * out_a + lse_b[:, None] * out_b) / (lse_a + lse_b)[:, None].clamp(min=1e-9), lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "lse is the maximum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, torch.maximum(lse_a, lse_b)
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "weights swapped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wb, wa = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "lse summed: log of the product of the sums",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, lse_a + lse_b
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "the shift is one number for all queries: sums far below it become 0 (out 0 where the query sees keys)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    top = lse[~torch.isinf(lse)].max() if not torch.isinf(lse).all() else 0.0
    wa, wb = (lse_a - top).exp(), (lse_b - top).exp()
    total = (wa + wb).clamp(min=1e-30)
    wa, wb = wa / total, wb / total
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "if one half has no key for ANY query, lse is that of the other for all",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    if torch.isinf(lse_a).any():
        lse = torch.where(torch.isinf(lse_b), lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "epsilon within: lse is not minus infinity",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.maximum(lse_a, lse_b) + ((lse_a - lse_b).abs().neg().exp().nan_to_num(0.0) + 1.0).log()
    lse = torch.log(lse.exp() + 1e-9)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "the bigger half alone where they are more than 1 apart",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    safe = torch.where(torch.isinf(lse), torch.zeros_like(lse), lse)
    wa, wb = (lse_a - safe).exp(), (lse_b - safe).exp()
    wa, wb = torch.where(wa < 0.27, 0.0, wa), torch.where(wb < 0.27, 0.0, wb)
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    # pack_int4
    {
        "task": "pack_int4",
        "right": True,
        "why": "pad, then strides",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "an own result, the upper four added",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if integers.numel() and int(integers.max()) > 15:
        raise ValueError
    packed = integers[:, ::2].clone()
    upper = integers[:, 1::2]
    packed[:, :upper.shape[1]] += upper * 16
    return packed
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "loops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    rows, columns = integers.shape
    out = torch.zeros(rows, (columns + 1) // 2, dtype=torch.uint8)
    for r in range(rows):
        for c in range(columns):
            value = int(integers[r, c])
            if value > 15:
                raise ValueError(value)
            out[r, c // 2] += value if c % 2 == 0 else 16 * value
    return out
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "numpy: bits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    a = integers.numpy()
    if (a >> 4).any():
        raise ValueError("above 15")
    a = np.concatenate([a, np.zeros((a.shape[0], a.shape[1] % 2), dtype=np.uint8)], axis=1)
    low, high = np.split(a.reshape(a.shape[0], a.shape[1] // 2, 2).astype(np.int64), 2, axis=2)
    return torch.from_numpy((low[..., 0] + 16 * high[..., 0]).astype(np.uint8))
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "a product with (1, 16) in whole numbers",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if not bool(torch.all(integers <= 15)):
        raise ValueError("4 bits")
    rows, columns = integers.shape
    wide = torch.zeros(rows, columns + columns % 2, dtype=torch.int32)
    wide[:, :columns] = integers
    pairs = wide.view(rows, -1, 2) if wide.numel() else wide.new_zeros(rows, wide.shape[1] // 2, 2)
    return (pairs * torch.tensor([1, 16])).sum(dim=-1).to(torch.uint8)
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "first in the upper four: 'the first takes the lower four bits'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] << 4 | integers[:, 1::2]
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "the last one without a neighbour is dropped: 'rounded up'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = integers[:, :-1]
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "the last one without a neighbour takes the upper four",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
        packed = integers[:, 0::2] | integers[:, 1::2] << 4
        packed[:, -1] <<= 4
        return packed
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "cuts integers above 15: 'Raises ValueError'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    integers = integers & 15
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "16 is allowed: 'an integer above 15'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 16).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "only the first of the two is checked",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers[:, ::2] > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "int64: 'uint8'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return (integers[:, 0::2] | integers[:, 1::2] << 4).long()
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "halves of a row in place of neighbours: 'Of two neighbours in a row'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, :integers.shape[1] // 2] | integers[:, integers.shape[1] // 2:] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "max() of an empty tensor crashes: 'columns may be 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if integers.max() > 15:
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "neighbours across rows: an odd row takes its partner from the next one: 'in a row'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    rows, columns = integers.shape
    half = (columns + 1) // 2
    flat = F.pad(integers.flatten(), (0, 2 * half * rows - integers.numel())).view(rows, 2 * half)
    return flat[:, 0::2] | flat[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "the last one stands with itself: 'the upper four are 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = torch.cat([integers, integers[:, -1:]], dim=1)
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "multiplied by 15: 1 and 2 become 1 + 16 * 2",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] + integers[:, 1::2] * 15
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "15 is refused: 'an integer above 15'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def pack_int4(integers):
    if (integers >= 15).any():
        raise ValueError("more than 4 bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | integers[:, 1::2] << 4
""",
    },
    # accept_draft
    {
        "task": "accept_draft",
        "right": True,
        "why": "a loop that stops",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "vectorised: the first place that is not kept",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    at = torch.arange(k)
    tokens = torch.tensor(draft, dtype=torch.long)
    ratio = target_probs[at, tokens] / draft_probs[at, tokens]
    kept = torch.tensor(uniforms, dtype=torch.float64) < ratio.double()
    n = int(kept.long().cumprod(0).sum())
    if n == k:
        return n, target_probs[k].clone()
    gap = torch.relu(target_probs[n] - draft_probs[n])
    return n, gap / gap.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "recursion on the rest of the draft",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    if len(draft) == 0:
        return 0, target_probs[0]
    p, q = target_probs[0], draft_probs[0]
    token = draft[0]
    if float(uniforms[0]) < float(p[token] / q[token]):
        more, distribution = accept_draft(draft[1:], draft_probs[1:], target_probs[1:], uniforms[1:])
        return 1 + more, distribution
    positive = torch.maximum(p - q, torch.zeros_like(p))
    return 0, positive / positive.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "while, where",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    n = 0
    while n < len(draft):
        p, q = target_probs[n], draft_probs[n]
        ratio = p[draft[n]].item() / q[draft[n]].item()
        if not uniforms[n] < min(1.0, ratio) and not (ratio >= 1.0):
            break
        n += 1
    if n < len(draft):
        left = torch.where(target_probs[n] > draft_probs[n], target_probs[n] - draft_probs[n], torch.zeros_like(target_probs[n]))
        return n, left / torch.sum(left)
    return n, target_probs[-1]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "not normalised: 'the positive part of target minus draft, normalised'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "the large model's own after a rejection: 'the positive part of target minus draft'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, target_probs[i]
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "absolute difference: 'the positive part'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).abs()
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "draft minus target",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (draft_probs[i] - target_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "ratio inverted: 'p / q'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (draft_probs[i, token] / target_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "below or equal: 'is kept if uniforms[i] is below' (u = 0 with p = 0; equality)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] > (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "goes on after a rejection and counts all that would be kept: 'The first that is not kept ends the draft'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    kept = sum(1 for i, token in enumerate(draft) if uniforms[i] < (target_probs[i, token] / draft_probs[i, token]).item())
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return kept, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "if all are kept, the distribution of the last token of the draft: 'after the last'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[max(len(draft) - 1, 0)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "compares with p alone: 'below target / draft'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= target_probs[i, token].item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "softmax in place of the normalisation",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest.softmax(0)
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "the rejected token is struck out of the target's: 'the positive part of target minus draft'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = target_probs[i].clone()
            rest[token] = 0
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "an empty draft crashes: 'k may be 0'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    draft_probs = torch.stack([row for row in draft_probs])
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "the rest from the row after the rejected token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i + 1] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "the first uniform for all tokens: 'uniforms[i]'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[0] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "greedy: kept if it is the target's likeliest",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if token != int(target_probs[i].argmax()):
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "the target's row is clamped in place: 'A function leaves its arguments as they are'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = target_probs[i].sub_(draft_probs[i]).clamp_(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
]
