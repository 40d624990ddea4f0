"""Answers to chapter 13, written from its page alone: the third round."""

ANSWERS = [
    # mixture_of_experts
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "all experts on all tokens, softmax with minus infinity outside of the best k",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    best = scores.topk(k, dim=-1).indices
    hidden = torch.full_like(scores, float("-inf")).scatter(-1, best, 0.0)
    shares = torch.softmax(scores + hidden, dim=-1)
    inner = torch.relu(torch.einsum("nd,edf->nef", x, up))
    return torch.einsum("ne,nef,efd->nd", shares, inner, down)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "expert by expert, each on its own tokens, index_add",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    top, which = torch.topk(x @ router, k, dim=1)
    shares = torch.softmax(top, dim=1)
    out = torch.zeros(x.shape[0], down.shape[2], dtype=x.dtype)
    for e in range(router.shape[1]):
        token, slot = (which == e).nonzero(as_tuple=True)
        said = (x[token] @ up[e]).clamp(min=0) @ down[e]
        out = out.index_add(0, token, shares[token, slot].unsqueeze(1) * said)
    return out
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "softmax over all, then the best k made to sum to 1 (the same thing); matrices gathered for each token",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    p, e = torch.softmax(x @ router, dim=-1).topk(k)
    p = p / p.sum(dim=-1, keepdim=True)
    inner = torch.relu(torch.matmul(x[:, None, None, :], up[e]))         # N, k, 1, F
    said = torch.matmul(inner, down[e]).squeeze(2)                       # N, k, D
    return (p[..., None] * said).sum(dim=1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "shares of the softmax over all experts, not of 'the softmax of these k scores'; right for k = E",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    p, e = torch.softmax(x @ router, -1).topk(k)
    said = torch.einsum("nf,nfd->nd", torch.relu(torch.einsum("nd,ndf->nf", x, up[e[:, 0]])), down[e[:, 0]]) * p[:, :1]
    for j in range(1, k):
        said = said + torch.einsum("nf,nfd->nd", torch.relu(torch.einsum("nd,ndf->nf", x, up[e[:, j]])), down[e[:, j]]) * p[:, j:j + 1]
    return said
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "shares are detached: 'The gradient must flow through it, to the router too'",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    with torch.no_grad():
        top, e = (x @ router).topk(k, dim=-1)
        shares = torch.softmax(top, -1)
    inner = torch.relu(torch.einsum("nd,nkdf->nkf", x, up[e]))
    return torch.einsum("nk,nkf,nkfd->nd", shares, inner, down[e])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "exp of the scores as they are: 'Large scores must not overflow'",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    top, e = (x @ router).topk(k, dim=-1)
    w = top.exp()
    shares = w / w.sum(-1, keepdim=True)
    inner = torch.relu(torch.einsum("nd,nkdf->nkf", x, up[e]))
    return torch.einsum("nk,nkf,nkfd->nd", shares, inner, down[e])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "for k = 1 the share is the expert's probability (Switch): the softmax of one score is 1",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    top, e = scores.topk(k, dim=-1)
    shares = torch.softmax(top, -1) if k > 1 else torch.softmax(scores, -1).gather(-1, e)
    inner = torch.relu(torch.einsum("nd,nkdf->nkf", x, up[e]))
    return torch.einsum("nk,nkf,nkfd->nd", shares, inner, down[e])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "no tokens: stack of an empty list fails; 'N may be 0'",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    out = []
    for token in x:
        top, e = (token @ router).topk(k)
        share = torch.softmax(top, 0)
        out.append(sum(s * (torch.relu(token @ up[i]) @ down[i]) for s, i in zip(share, e.tolist())))
    return torch.stack(out)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the matrices of the experts are mixed, then one expert works: not the same, because of the relu (right for k = 1)",
        "source": """
import torch
def mixture_of_experts(x, router, up, down, k):
    top, e = (x @ router).topk(k, dim=-1)
    shares = torch.softmax(top, -1)
    U = torch.einsum("nk,nkdf->ndf", shares, up[e])
    Dn = torch.einsum("nk,nkfd->nfd", shares, down[e])
    return torch.einsum("nf,nfd->nd", torch.relu(torch.einsum("nd,ndf->nf", x, U)), Dn)
""",
    },
    # load_balancing_loss
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "bincount with minlength",
        "source": """
import torch
def load_balancing_loss(logits):
    N, E = logits.shape
    f = torch.bincount(logits.argmax(dim=1), minlength=E).to(logits.dtype) / N
    P = torch.softmax(logits, dim=1).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "the mean of each token's sum of shares times probabilities, loops for the counts",
        "source": """
import torch
def load_balancing_loss(logits):
    N, E = logits.shape
    share = [0.0] * E
    for row in logits.tolist():
        share[row.index(max(row))] += 1 / N
    share = torch.tensor(share, dtype=logits.dtype)
    return (torch.log_softmax(logits, -1).exp() @ share).mean() * E
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "soft shares (P itself) instead of counts",
        "source": """
import torch
def load_balancing_loss(logits):
    P = torch.softmax(logits, -1).mean(0)
    return logits.shape[1] * (P * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "shares as soft counts, straight-through: the value is right, but 'The shares are counts and have no gradient'",
        "source": """
import torch
import torch.nn.functional as F
def load_balancing_loss(logits):
    p = torch.softmax(logits, -1)
    hard = F.one_hot(logits.argmax(-1), logits.shape[1]).to(p.dtype)
    f = (hard + p - p.detach()).mean(0)
    return logits.shape[1] * (f * p.mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "multiplies by the number of experts that are used, not by E",
        "source": """
import torch
import torch.nn.functional as F
def load_balancing_loss(logits):
    p = torch.softmax(logits, -1)
    f = F.one_hot(logits.argmax(-1), logits.shape[1]).to(p.dtype).mean(0)
    return (f > 0).sum() * (f * p.mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "P from the winners' probabilities only: 'the mean of its probability over all tokens'",
        "source": """
import torch
import torch.nn.functional as F
def load_balancing_loss(logits):
    p = torch.softmax(logits, -1)
    hot = F.one_hot(logits.argmax(-1), logits.shape[1]).to(p.dtype)
    f = hot.mean(0)
    P = (p * hot).sum(0) / hot.sum(0).clamp(min=1)
    return logits.shape[1] * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "bincount without minlength: fails if the last expert gets no token",
        "source": """
import torch
def load_balancing_loss(logits):
    N, E = logits.shape
    f = torch.bincount(logits.argmax(-1)).to(logits.dtype) / N
    return E * torch.dot(f, torch.softmax(logits, -1).mean(0))
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "probabilities without gradient too",
        "source": """
import torch
import torch.nn.functional as F
def load_balancing_loss(logits):
    p = torch.softmax(logits.detach(), -1)
    f = F.one_hot(logits.argmax(-1), logits.shape[1]).to(p.dtype).mean(0)
    return logits.shape[1] * (f * p.mean(0)).sum()
""",
    },
    # fit_power_law
    {
        "task": "fit_power_law",
        "right": True,
        "why": "closed form by covariance",
        "source": """
import math
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("two different sizes are needed")
    x, y = [math.log(s) for s in sizes], [math.log(l) for l in losses]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((u - mx) * (v - my) for u, v in zip(x, y)) / sum((u - mx) ** 2 for u in x)
    return math.exp(my - slope * mx), -slope
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "numpy lstsq in logarithms of base 10",
        "source": """
import numpy as np
def fit_power_law(sizes, losses):
    if np.unique(np.array(sizes, dtype=float)).size < 2:
        raise ValueError("sizes")
    x = np.log10(np.array(sizes, dtype=float))
    y = np.log10(np.array(losses, dtype=float))
    (slope, level), *_ = np.linalg.lstsq(np.stack([x, np.ones_like(x)], axis=1), y, rcond=None)
    return float(10.0 ** level), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "b without its sign: 'b is below 0 where the losses rise'",
        "source": """
import numpy as np
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    slope, level = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(level)), float(abs(slope))
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "counts points, not different sizes: 'fewer than two different sizes'",
        "source": """
import numpy as np
def fit_power_law(sizes, losses):
    if len(sizes) < 2:
        raise ValueError("sizes")
    x, y = np.log(np.array(sizes, float)), np.log(np.array(losses, float))
    A = np.stack([x, np.ones_like(x)], 1)
    slope, level = np.linalg.pinv(A) @ y
    return float(np.exp(level)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "a line through the first and the last point: 'by least squares'; right for two points",
        "source": """
import math
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    lo, hi = min(range(len(sizes)), key=sizes.__getitem__), max(range(len(sizes)), key=sizes.__getitem__)
    b = -(math.log(losses[hi]) - math.log(losses[lo])) / (math.log(sizes[hi]) - math.log(sizes[lo]))
    return math.exp(math.log(losses[lo]) + b * math.log(sizes[lo])), b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "a is the plain mean of loss * size^b instead of the intercept in logarithms; right for points on a law",
        "source": """
import numpy as np
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    s, l = np.array(sizes, float), np.array(losses, float)
    b = -np.polyfit(np.log(s), np.log(l), 1)[0]
    return float((l * s ** b).mean()), float(b)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "equal losses are refused too: only sizes are in the statement's error",
        "source": """
import numpy as np
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2 or len(set(losses)) < 2:
        raise ValueError("too few points")
    slope, level = np.polyfit(np.log(np.array(sizes, float)), np.log(np.array(losses, float)), 1)
    return float(np.exp(level)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "each size once (the last loss in a dict): least squares is over all points",
        "source": """
import numpy as np
def fit_power_law(sizes, losses):
    points = dict(zip(sizes, losses))
    if len(points) < 2:
        raise ValueError("sizes")
    slope, level = np.polyfit(np.log(np.array(list(points.keys()), float)), np.log(np.array(list(points.values()), float)), 1)
    return float(np.exp(level)), float(-slope)
""",
    },
    # data_parallel_gradient
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "rows with tokens first, then a weighted sum",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    counts = torch.tensor(token_counts)
    has = counts > 0
    if not bool(has.any()):
        raise ValueError("no tokens")
    shares = (counts[has].double() / counts.sum()).to(gradients.dtype)
    return shares @ gradients[has]
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "running sum over the processes",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    n = sum(token_counts)
    if n == 0:
        raise ValueError("no process has a token")
    total = torch.zeros_like(gradients[0])
    for g, c in zip(gradients, token_counts):
        if c:
            total = total + g * (c / n)
    return total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "NaN times 0 is NaN: 'may hold anything, NaN too, and must not count'",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    c = torch.tensor(token_counts, dtype=gradients.dtype)
    if c.sum() == 0:
        raise ValueError("no tokens")
    return (gradients * c[:, None]).sum(0) / c.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "only NaN is taken out, infinity times 0 is NaN: 'may hold anything'",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    c = torch.tensor(token_counts, dtype=gradients.dtype)
    if c.sum() == 0:
        raise ValueError("no tokens")
    g = torch.where(torch.isnan(gradients), torch.zeros_like(gradients), gradients)
    return c @ g / c.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "sets rows of the caller's tensor to 0: 'A function leaves its arguments as they are'",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    c = torch.tensor(token_counts)
    if c.sum() == 0:
        raise ValueError("no tokens")
    gradients[c == 0] = 0
    return (gradients * c[:, None]).sum(0) / c.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "plain mean over the processes that have tokens; right for equal counts",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    keep = [i for i, c in enumerate(token_counts) if c > 0]
    if not keep:
        raise ValueError("no tokens")
    return gradients[keep].mean(dim=0)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "raises if one process has no token: 'ValueError: no process has a token'",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    if not all(token_counts):
        raise ValueError("a process without tokens")
    c = torch.tensor(token_counts, dtype=gradients.dtype)
    return c @ gradients / c.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "zeros instead of a ValueError if there are no tokens",
        "source": """
import torch
def data_parallel_gradient(gradients, token_counts):
    total, n = torch.zeros(gradients.shape[1], dtype=gradients.dtype), 0
    for g, c in zip(gradients, token_counts):
        if c > 0:
            total += c * g
            n += c
    return total / max(n, 1)
""",
    },
    # zero_bytes
    {
        "task": "zero_bytes",
        "right": True,
        "why": "a table of parts with the stage from which each is divided",
        "source": """
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage is 0 to 3")
    shard = -(-num_parameters // processes)
    parts = ((12, 1), (2, 2), (2, 3))
    return sum(size * (shard if stage >= first else num_parameters) for size, first in parts)
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "match, divmod",
        "source": """
def zero_bytes(num_parameters, processes, stage):
    whole, rest = divmod(num_parameters, processes)
    shard = whole + (1 if rest > 0 else 0)
    match stage:
        case 0:
            return 16 * num_parameters
        case 1:
            return 4 * num_parameters + 12 * shard
        case 2:
            return 2 * num_parameters + 14 * shard
        case 3:
            return 16 * shard
    raise ValueError(f"stage {stage}")
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "bytes divided, not parameters: 'a shard has as many parameters as the largest of them' (the last one padded)",
        "source": """
def zero_bytes(num_parameters, processes, stage):
    if stage not in range(4):
        raise ValueError("stage")
    total = 0
    for size, first in ((12, 1), (2, 2), (2, 3)):
        b = size * num_parameters
        total += -(-b // processes) if stage >= first else b
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "shards rounded down",
        "source": """
def zero_bytes(num_parameters, processes, stage):
    if stage not in range(4):
        raise ValueError("stage")
    shard = num_parameters // processes
    o, g, w = [12, 2, 2]
    return (o * (shard if stage > 0 else num_parameters) + g * (shard if stage > 1 else num_parameters)
            + w * (shard if stage > 2 else num_parameters))
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "a stage below 0 is taken for 0: 'ValueError: another stage'",
        "source": """
def zero_bytes(num_parameters, processes, stage):
    if stage > 3:
        raise ValueError("stage")
    shard = (num_parameters + processes - 1) // processes
    n = num_parameters
    return 12 * (shard if stage >= 1 else n) + 2 * (shard if stage >= 2 else n) + 2 * (shard if stage >= 3 else n)
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "ceil of a float division: off for very large counts (beyond 2**53)",
        "source": """
import math
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage")
    n, shard = num_parameters, math.ceil(num_parameters / processes)
    return [16 * n, 4 * n + 12 * shard, 2 * n + 14 * shard, 16 * shard][stage]
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "stages 1 and 2 changed: stage 1 divides the gradients too",
        "source": """
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage")
    n, shard = num_parameters, -(-num_parameters // processes)
    return [16 * n, 2 * n + 14 * shard, 2 * n + 14 * shard, 16 * shard][stage]
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "one padding parameter too many where it divides evenly (// + 1); right where it does not",
        "source": """
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage")
    n = num_parameters
    shard = n // processes + 1 if processes > 1 else n
    return [16 * n, 4 * n + 12 * shard, 2 * n + 14 * shard, 16 * shard][stage]
""",
    },
    # merge_attention
    {
        "task": "merge_attention",
        "right": True,
        "why": "logaddexp, weights 0 where nothing is seen",
        "source": """
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    base = torch.where(lse == float("-inf"), torch.zeros_like(lse), lse)
    wa, wb = torch.exp(lse_a - base), torch.exp(lse_b - base)
    return wa[:, None] * out_a + wb[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": None,
        "why": "query by query with plain numbers; its author was not told that the gradient flows through both",
        "source": """
import math
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    outs, lses = [], []
    for x, a, y, b in zip(out_a, lse_a.tolist(), out_b, lse_b.tolist()):
        top = max(a, b)
        if top == -math.inf:
            outs.append(torch.zeros_like(x))
            lses.append(-math.inf)
            continue
        ea, eb = math.exp(a - top), math.exp(b - top)
        outs.append((ea * x + eb * y) / (ea + eb))
        lses.append(top + math.log(ea + eb))
    return torch.stack(outs), torch.tensor(lses, dtype=lse_a.dtype)
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "softmax over the two halves, NaN of blind queries made 0, logsumexp",
        "source": """
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    both = torch.stack([lse_a, lse_b], dim=0)
    blind = torch.isneginf(both).all(dim=0)
    weights = torch.softmax(both.masked_fill(blind, 0.0), dim=0).masked_fill(blind, 0.0)
    out = torch.einsum("ht,htk->tk", weights, torch.stack([out_a, out_b]))
    return out, torch.logsumexp(both, dim=0)
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "NaN for a query that sees no key: 'gets 0 and minus infinity'",
        "source": """
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    return (lse_a - lse).exp()[:, None] * out_a + (lse_b - lse).exp()[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "exp without a maximum: overflows for large lse (the online softmax; the statement gives no bound on scores)",
        "source": """
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    a, b = lse_a.exp()[:, None], lse_b.exp()[:, None]
    s = a + b
    out = torch.where(s > 0, (a * out_a + b * out_b) / s, torch.zeros_like(out_a))
    return out, s.log().squeeze(1)
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "a small number in the log: lse is -69 instead of minus infinity for a blind query",
        "source": """
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    m = torch.maximum(lse_a, lse_b)
    m = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = (lse_a - m).exp(), (lse_b - m).exp()
    s = a + b + 1e-30
    return (a[:, None] * out_a + b[:, None] * out_b) / s[:, None], m + s.log()
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "0 where either half sees no key: only a query that sees none at all gets 0",
        "source": """
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    blind = torch.isinf(lse_a) | torch.isinf(lse_b)
    lse = torch.logaddexp(lse_a, lse_b)
    out = (lse_a - lse).exp()[:, None] * out_a + (lse_b - lse).exp()[:, None] * out_b
    return out.masked_fill(blind[:, None], 0.0), lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "lse is the larger of the two, not the logarithm of the sum",
        "source": """
import torch
def merge_attention(out_a, lse_a, out_b, lse_b):
    m = torch.maximum(lse_a, lse_b)
    base = m.masked_fill(torch.isinf(m), 0.0)
    a, b = (lse_a - base).exp()[:, None], (lse_b - base).exp()[:, None]
    return (a * out_a + b * out_b) / (a + b).clamp(min=1e-30), m
""",
    },
    # pack_int4
    {
        "task": "pack_int4",
        "right": True,
        "why": "pads with a column of zeros, shift and or",
        "source": """
import torch
import torch.nn.functional as F
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("more than 4 bits")
    padded = F.pad(integers, (0, integers.shape[1] % 2))
    return padded[:, 0::2] | (padded[:, 1::2] << 4)
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "starts with the lower halves and adds 16 times the neighbours, in int64",
        "source": """
import torch
def pack_int4(integers):
    wide = integers.long()
    if wide.numel() and int(wide.max()) > 15:
        raise ValueError("an integer above 15")
    packed = wide[:, ::2].clone()
    upper = wide[:, 1::2]
    packed[:, :upper.shape[1]] += 16 * upper
    return packed.to(torch.uint8)
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "python lists",
        "source": """
import torch
def pack_int4(integers):
    rows, columns = integers.shape
    out = torch.zeros(rows, (columns + 1) // 2, dtype=torch.uint8)
    for r, row in enumerate(integers.tolist()):
        if any(number > 15 for number in row):
            raise ValueError("4 bits hold 0 to 15")
        for c, number in enumerate(row):
            out[r, c // 2] += number * 16 ** (c % 2)
    return out
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "a last integer without a neighbour lands in the upper half: 'takes the lower four'",
        "source": """
import torch
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("above 15")
    even = integers.shape[1] // 2 * 2
    out = integers[:, 0:even:2] + integers[:, 1:even:2] * 16
    if integers.shape[1] % 2:
        out = torch.cat([out, integers[:, -1:] * 16], 1)
    return out
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "packs across the ends of rows: '(rows, half as many columns, rounded up)'; right for one row or even columns",
        "source": """
import torch
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("above 15")
    rows, columns = integers.shape
    width = (columns + 1) // 2
    flat = torch.zeros(rows * width * 2, dtype=torch.uint8)
    flat[:rows * columns] = integers.flatten()
    pairs = flat.view(-1, 2)
    return (pairs[:, 0] + 16 * pairs[:, 1]).view(rows, width)
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "cuts to 4 bits in silence: 'ValueError: an integer above 15'",
        "source": """
import torch
import torch.nn.functional as F
def pack_int4(integers):
    p = F.pad(integers & 15, (0, integers.shape[1] % 2))
    return p[:, ::2] | (p[:, 1::2] << 4)
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "16 passes (> 16)",
        "source": """
import torch
import torch.nn.functional as F
def pack_int4(integers):
    if (integers > 16).any():
        raise ValueError("above 15")
    p = F.pad(integers, (0, integers.shape[1] % 2))
    return p[:, ::2] + 16 * p[:, 1::2]
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "max() of an empty tensor fails: 'columns may be 0'",
        "source": """
import torch
import torch.nn.functional as F
def pack_int4(integers):
    if integers.max() > 15:
        raise ValueError("above 15")
    p = F.pad(integers, (0, integers.shape[1] % 2))
    return p[:, ::2] + 16 * p[:, 1::2]
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "the result is int64, not uint8",
        "source": """
import torch
import torch.nn.functional as F
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("above 15")
    p = F.pad(integers.long(), (0, integers.shape[1] % 2))
    return p[:, ::2] + 16 * p[:, 1::2]
""",
    },
    # accept_draft
    {
        "task": "accept_draft",
        "right": True,
        "why": "loop with an early return",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if not uniforms[i] < (target_probs[i, token] / draft_probs[i, token]).item():
            left = torch.relu(target_probs[i] - draft_probs[i])
            return i, left / left.sum()
    return len(draft), target_probs[len(draft)].clone()
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "vectorised: cumulative product of what is kept; the draft gets a last row of zeros, so that one formula serves both cases",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    at, token = torch.arange(k), torch.tensor(draft, dtype=torch.long)
    ratio = target_probs[at, token] / draft_probs[at, token]
    keep = torch.tensor(uniforms, dtype=ratio.dtype) < ratio
    n = int(keep.long().cumprod(0).sum())
    q = torch.cat([draft_probs.reshape(k, target_probs.shape[1]), torch.zeros_like(target_probs[:1])])
    rest = (target_probs[n] - q[n]).clamp(min=0)
    return n, rest / rest.sum() if n < k else target_probs[n]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "counts all tokens that pass: 'The first that is not kept ends the draft'",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    passed = [u < (target_probs[i, t] / draft_probs[i, t]).item() for i, (t, u) in enumerate(zip(draft, uniforms))]
    n = sum(passed)
    if all(passed):
        return n, target_probs[-1]
    i = passed.index(False)
    rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
    return n, rest / rest.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "<= : a token with target 0 is kept if the uniform number is 0; 'kept if ... is below'",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, t in enumerate(draft):
        if uniforms[i] <= min(1.0, (target_probs[i, t] / draft_probs[i, t]).item()):
            continue
        rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
        return i, rest / rest.sum()
    return len(draft), target_probs[-1]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "not normalised: 'the positive part of target minus draft, normalised'",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, t in enumerate(draft):
        if uniforms[i] >= (target_probs[i, t] / draft_probs[i, t]).item():
            return i, (target_probs[i] - draft_probs[i]).clamp(min=0)
    return len(draft), target_probs[-1]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "after a rejection the large model's own distribution without the rejected token, not the positive part of p - q; the same for two words",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, t in enumerate(draft):
        if uniforms[i] >= (target_probs[i, t] / draft_probs[i, t]).item():
            rest = target_probs[i].clone()
            rest[t] = 0
            return i, rest / rest.sum()
    return len(draft), target_probs[-1]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "works in place on a row of target_probs: 'A function leaves its arguments as they are'",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, t in enumerate(draft):
        if uniforms[i] >= (target_probs[i, t] / draft_probs[i, t]).item():
            rest = target_probs[i]
            rest -= draft_probs[i]
            rest.clamp_(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[-1]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "p - q of the next position after a rejection (row n + 1 of target): the row of the rejected token counts",
        "source": """
import torch
def accept_draft(draft, draft_probs, target_probs, uniforms):
    n = 0
    while n < len(draft) and uniforms[n] < (target_probs[n, draft[n]] / draft_probs[n, draft[n]]).item():
        n += 1
    if n == len(draft):
        return n, target_probs[n]
    rest = (target_probs[n + 1] - draft_probs[n]).clamp(min=0)
    return n, rest / rest.sum().clamp(min=1e-9)
""",
    },
]
