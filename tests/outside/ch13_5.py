ANSWERS = [
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "topk, gather of the chosen matrices, einsum",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    scores, chosen = (x @ router).topk(k, dim=-1)
    shares = scores.softmax(-1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[chosen])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "all experts on all tokens, shares scattered into zeros",
        "source": r"""
import torch
import torch.nn.functional as F

def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    best = scores.topk(k, dim=1).indices
    hidden = torch.full_like(scores, float("-inf")).scatter(1, best, 0.0)
    shares = F.softmax(scores + hidden, dim=1)
    answers = torch.relu(x @ up) @ down              # (E, N, D)
    return (shares.T.unsqueeze(-1) * answers).sum(0)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "a loop over the experts, each with its own tokens, index_add",
        "source": r"""
import torch

def mixture_of_experts(x, router, up, down, k):
    values, indices = torch.topk(x @ router, k)
    weights = torch.softmax(values, dim=-1)
    y = x * 0.0
    for e in range(router.size(1)):
        token, place = torch.where(indices == e)
        mine = torch.clamp(x[token] @ up[e], min=0) @ down[e]
        y = y.index_add(0, token, mine * weights[token, place].unsqueeze(1))
    return y
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "softmax over all E experts, not renormalised over the k; the -9 of the example hides it",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    shares, chosen = torch.softmax(x @ router, dim=-1).topk(k, dim=-1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[chosen])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the shares are detached: 'The gradient must flow through it, to the router too'",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    with torch.no_grad():
        scores, chosen = (x @ router).topk(k, dim=-1)
        shares = scores.softmax(-1)
    hidden = F.relu(torch.einsum("nd,nkdf->nkf", x, up[chosen]))
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[chosen])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "torch.stack of a list of tokens: N = 0 raises RuntimeError ('N may be 0')",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    rows = []
    for token in x:
        scores, chosen = (token @ router).topk(k)
        y = 0
        for share, e in zip(torch.softmax(scores, 0), chosen.tolist()):
            y = y + share * (torch.relu(token @ up[e]) @ down[e])
        rows.append(y)
    return torch.stack(rows)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "exp of the scores without their maximum: 'Large scores must not overflow'",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    scores, chosen = (x @ router).topk(k, dim=-1)
    shares = scores.exp()
    shares = shares / shares.sum(dim=-1, keepdim=True)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[chosen]).relu()
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[chosen])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "hides the others with a score of -1000: if the k best scores lie below that, the others win",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    kth = scores.topk(k, dim=-1).values[:, -1:]
    shares = scores.masked_fill(scores < kth, -1000.0).softmax(-1)
    answers = torch.einsum("enf,efd->end", torch.einsum("nd,edf->enf", x, up).relu(), down)
    return torch.einsum("ne,end->nd", shares, answers)
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "argmax, one-hot",
        "source": r"""
def load_balancing_loss(logits):
    N, E = logits.shape
    shares = F.one_hot(logits.argmax(-1), E).to(logits.dtype).mean(0)
    return E * (shares * logits.softmax(-1).mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "bincount, dot product",
        "source": r"""
import torch

def load_balancing_loss(logits):
    probabilities = torch.softmax(logits, dim=1)
    experts = logits.shape[1]
    counts = torch.bincount(logits.detach().max(dim=1).indices, minlength=experts)
    return experts * torch.dot(counts.to(logits.dtype) / len(logits), probabilities.mean(dim=0))
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "plain loops; every token looks up the mean probability of its expert",
        "source": r"""
import torch

def load_balancing_loss(logits):
    N = len(logits)
    E = len(logits[0])
    means = []
    for e in range(E):
        total = 0
        for n in range(N):
            total = total + torch.exp(logits[n][e] - torch.logsumexp(logits[n], dim=0))
        means.append(total / N)
    loss = 0
    for row in logits.tolist():
        loss = loss + means[row.index(max(row))]
    return E * loss / N
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "E is fixed at 2",
        "source": r"""
def load_balancing_loss(logits):
    shares = F.one_hot(logits.argmax(-1), logits.shape[-1]).float().mean(0)
    return 2 * (shares * logits.softmax(-1).mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "an expert counts where its probability is above 1/2: with three experts the largest may be below",
        "source": r"""
def load_balancing_loss(logits):
    p = logits.softmax(dim=-1)
    shares = (p > 0.5).float().mean(dim=0)
    return logits.size(1) * torch.sum(shares * p.mean(dim=0))
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "the wrong factor detached: probabilities without gradient",
        "source": r"""
def load_balancing_loss(logits):
    E = logits.shape[1]
    with torch.no_grad():
        p = logits.softmax(-1).mean(0)
        f = torch.bincount(logits.argmax(-1), minlength=E) / len(logits)
    return E * (f * p).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "the shares are soft (softmax of 100 times the logits) and carry gradient; nearly the same only for logits far apart",
        "source": r"""
def load_balancing_loss(logits):
    E = logits.shape[1]
    f = torch.softmax(100 * logits, dim=-1).mean(dim=0)
    p = torch.softmax(logits, dim=-1).mean(dim=0)
    return E * (f * p).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "E taken from the largest expert used: bincount without minlength, cut to that length",
        "source": r"""
def load_balancing_loss(logits):
    used = torch.bincount(logits.argmax(-1))
    E = max(len(used), 2)
    p = logits.softmax(-1).mean(0)[:len(used)]
    return E * (used / len(logits) * p).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": None,
        "why": "the result has the shape (1,): 'A tensor of one number' does not say that it has no dimensions",
        "source": r"""
def load_balancing_loss(logits):
    N, E = logits.shape
    shares = F.one_hot(logits.argmax(-1), E).to(logits.dtype).mean(0, keepdim=True)
    return E * (shares * logits.softmax(-1).mean(0, keepdim=True)).sum(1)
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "np.polyfit of degree 1 on the logarithms",
        "source": r"""
import numpy as np

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("needs at least two different sizes")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(intercept)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "sums by hand",
        "source": r"""
import math

def fit_power_law(sizes, losses):
    distinct = []
    for size in sizes:
        if size not in distinct:
            distinct.append(size)
    if len(distinct) < 2:
        raise ValueError("fewer than two different sizes")
    xs = [math.log(size) for size in sizes]
    ys = [math.log(loss) for loss in losses]
    mx, my = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    sxy = math.fsum((x - mx) * (y - my) for x, y in zip(xs, ys))
    sxx = math.fsum((x - mx) ** 2 for x in xs)
    b = -sxy / sxx
    return math.exp(my + b * mx), b
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "torch.linalg.lstsq in doubles",
        "source": r"""
import torch

def fit_power_law(sizes, losses):
    if not sizes or min(sizes) == max(sizes):
        raise ValueError("there must be two different sizes")
    x = torch.tensor(sizes, dtype=torch.float64).log()
    y = torch.tensor(losses, dtype=torch.float64).log()
    design = torch.stack([torch.ones_like(x), -x], dim=1)
    log_a, b = torch.linalg.lstsq(design, y.unsqueeze(1)).solution.flatten().tolist()
    return math.exp(log_a), b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "checks the number of points, not of different sizes: [5, 5] gives ZeroDivisionError",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(sizes) < 2:
        raise ValueError("fewer than two sizes")
    x = [math.log(s) for s in sizes]
    y = [math.log(l) for l in losses]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    b = -sum((u - mx) * (v - my) for u, v in zip(x, y)) / sum((u - mx) ** 2 for u in x)
    return math.exp(my + b * mx), b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "the line through the first and the last point only; right for two points",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    points = sorted(zip(sizes, losses))
    (s0, l0), (s1, l1) = points[0], points[-1]
    b = math.log(l0 / l1) / math.log(s1 / s0)
    return l0 * s0 ** b, b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "abs(slope): 'b is below 0 where the losses rise'",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), 1)
    return math.exp(intercept), abs(float(slope))
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "sorts sizes and losses apart from one another; right only where larger sizes have smaller losses",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(np.array(sorted(sizes), dtype=float))
    y = np.log(np.array(sorted(losses, reverse=True), dtype=float))
    slope, intercept = np.polyfit(x, y, 1)
    return float(np.exp(intercept)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "least squares on the losses themselves (Gauss-Newton steps), not on the logarithms",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x, y = np.log(np.array(sizes, dtype=float)), np.array(losses, dtype=float)
    slope, log_a = np.polyfit(x, np.log(y), 1)
    a, b = math.exp(log_a), -slope
    for _ in range(20):
        guess = a * np.exp(-b * x)
        J = np.stack([guess / a, -x * guess], axis=1)
        step = np.linalg.lstsq(J, y - guess, rcond=None)[0]
        a, b = a + 0.5 * step[0], b + 0.5 * step[1]
    return float(a), float(b)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "only the rows with tokens, weights times matrix",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    counts = torch.tensor(token_counts, dtype=gradients.dtype)
    busy = counts > 0
    if not busy.any():
        raise ValueError("no process has a token")
    return counts[busy] @ gradients[busy] / counts.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "a loop that skips processes without tokens",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no process has a token")
    result = torch.zeros(gradients.shape[1], dtype=gradients.dtype)
    for row, count in zip(gradients, token_counts):
        if count == 0:
            continue
        result += row * (count / total)
    return result
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "masked_fill, then a weighted sum over dim 0",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    n = torch.as_tensor(token_counts)
    if int(n.sum()) < 1:
        raise ValueError("all processes are empty")
    clean = gradients.masked_fill((n == 0).unsqueeze(1), 0)
    return torch.einsum("n,np->p", n.to(gradients.dtype) / n.sum(), clean)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "only NaN is taken out; infinity times 0 is NaN ('may hold anything')",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    counts = torch.tensor(token_counts, dtype=gradients.dtype)
    if counts.sum() == 0:
        raise ValueError("no tokens")
    clean = torch.where(gradients.isnan(), torch.zeros_like(gradients), gradients)
    return (clean * counts[:, None]).sum(0) / counts.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "sets the rows of empty processes to 0 in the caller's tensor",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    counts = torch.tensor(token_counts)
    if counts.sum() == 0:
        raise ValueError("no tokens")
    gradients[counts == 0] = 0
    return (gradients * counts[:, None]).sum(0) / counts.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "no process has a token: returns zeros, no ValueError",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    total = gradients.new_zeros(gradients.shape[1])
    for r, count in enumerate(token_counts):
        if count:
            total = total + count * gradients[r]
    return total / max(sum(token_counts), 1)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "the running sum starts from row 0, also where that process is empty: NaN * 0",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    if not any(token_counts):
        raise ValueError("no process has a token")
    total = gradients[0] * token_counts[0]
    for r in range(1, len(token_counts)):
        if token_counts[r] > 0:
            total = total + gradients[r] * token_counts[r]
    return total / sum(token_counts)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "raises a ValueError as soon as one process is empty",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    if min(token_counts) == 0:
        raise ValueError("a process has no token")
    counts = torch.tensor(token_counts, dtype=gradients.dtype)
    return counts @ gradients / counts.sum()
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "-(-a // b)",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(f"no stage {stage}")
    shard = -(-num_parameters // processes)
    optimizer = 12 * (shard if stage >= 1 else num_parameters)
    gradients = 2 * (shard if stage >= 2 else num_parameters)
    weights = 2 * (shard if stage >= 3 else num_parameters)
    return optimizer + gradients + weights
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "table of whole and divided bytes, divmod",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    table = {0: (16, 0), 1: (4, 12), 2: (2, 14), 3: (0, 16)}
    if stage not in table:
        raise ValueError("stage must be 0, 1, 2 or 3")
    whole, divided = table[stage]
    quotient, rest = divmod(num_parameters, processes)
    return whole * num_parameters + divided * (quotient + bool(rest))
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "match statement",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    largest = (num_parameters + processes - 1) // processes
    match stage:
        case 0:
            return 16 * num_parameters
        case 1:
            return 4 * num_parameters + 12 * largest
        case 2:
            return 2 * num_parameters + 14 * largest
        case 3:
            return 16 * largest
        case _:
            raise ValueError(stage)
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "a stage below 0 is taken for 0: only stage > 3 raises",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage > 3:
        raise ValueError("another stage")
    shard = -(-num_parameters // processes)
    total = 0
    for needed, size in ((1, 12), (2, 2), (3, 2)):
        total += size * (shard if stage >= needed else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "stages 1 and 2 round the shard down; only stage 3 rounds it up",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage == 0:
        return 16 * num_parameters
    if stage == 1:
        return 4 * num_parameters + 12 * (num_parameters // processes)
    if stage == 2:
        return 2 * num_parameters + 14 * (num_parameters // processes)
    if stage == 3:
        return 16 * math.ceil(num_parameters / processes)
    raise ValueError("another stage")
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "stage 2 counts the gradients twice: divided, but also among the 4 bytes that stay whole",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in range(4):
        raise ValueError("another stage")
    shard = math.ceil(num_parameters / processes)
    whole = [16, 4, 4, 0][stage]
    divided = [0, 12, 14, 16][stage]
    return whole * num_parameters + divided * shard
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "math.ceil of a float division: one parameter is lost above 2**53",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("another stage")
    shard = math.ceil(num_parameters / processes)
    divided = (0, 12, 14, 16)[stage]
    return (16 - divided) * num_parameters + divided * shard
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "another stage falls through to stage 0: no ValueError",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    shard = (num_parameters - 1) // processes + 1
    divided = {1: 12, 2: 14, 3: 16}.get(stage, 0)
    return (16 - divided) * num_parameters + divided * shard
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "the larger lse taken off, and where() for queries that see nothing",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    top = torch.maximum(lse_a, lse_b).detach()
    blind = top == float("-inf")
    top = top.masked_fill(blind, 0.0)
    a, b = (lse_a - top).exp(), (lse_b - top).exp()
    total = (a + b).masked_fill(blind, 1.0)
    out = (a / total)[:, None] * out_a + (b / total)[:, None] * out_b
    lse = (total.log() + top).masked_fill(blind, float("-inf"))
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "query by query, skipping what is not seen",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    outs, lses = [], []
    for t in range(len(lse_a)):
        a_sees = lse_a[t] > -float("inf")
        b_sees = lse_b[t] > -float("inf")
        if a_sees and b_sees:
            both = torch.stack([lse_a[t], lse_b[t]])
            share = torch.softmax(both, dim=0)
            outs.append(share[0] * out_a[t] + share[1] * out_b[t])
            lses.append(torch.logsumexp(both, dim=0))
        elif b_sees:
            outs.append(out_b[t])
            lses.append(lse_b[t])
        elif a_sees:
            outs.append(out_a[t])
            lses.append(lse_a[t])
        else:
            outs.append(out_a[t] * 0)
            lses.append(lse_a[t])
    if not outs:
        return out_a + out_b, lse_a + lse_b
    return torch.stack(outs), torch.stack(lses)
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "sigmoid of the difference, computed on the queries that see both halves",
        "source": r"""
import torch
import torch.nn.functional as F

def merge_attention(out_a, lse_a, out_b, lse_b):
    no_a, no_b = torch.isneginf(lse_a), torch.isneginf(lse_b)
    both = ~(no_a | no_b)
    difference = torch.where(both, lse_b, 0.0) - torch.where(both, lse_a, 0.0)
    share_b = torch.where(both, torch.sigmoid(difference), no_a.to(lse_a.dtype))
    out = torch.lerp(out_a, out_b, share_b.unsqueeze(-1))
    out = out * ~(no_a & no_b).unsqueeze(-1)
    lse = torch.where(both, torch.where(both, lse_a, 0.0) + F.softplus(difference), torch.where(no_a, lse_b, lse_a))
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "logaddexp without care for queries that see nothing: -inf - -inf is NaN",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    out = (lse_a - lse).exp()[:, None] * out_a + (lse_b - lse).exp()[:, None] * out_b
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": None,
        "why": "values right by nan_to_num, but the gradient is NaN for a query that sees nothing: left open",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    share_a = torch.nan_to_num((lse_a - lse).exp(), nan=0.0)
    share_b = torch.nan_to_num((lse_b - lse).exp(), nan=0.0)
    return share_a[:, None] * out_a + share_b[:, None] * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "exp of the lse without a maximum: 'Large scores must not overflow'",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    a, b = lse_a.exp().unsqueeze(1), lse_b.exp().unsqueeze(1)
    total = a + b
    seen = total > 0
    out = (a * out_a + b * out_b) / torch.where(seen, total, 1.0)
    lse = torch.where(seen, torch.where(seen, total, 1.0).log(), -float("inf")).squeeze(1)
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "minus infinity replaced by -10000: a query without keys gets lse of about -9999",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    both = torch.stack([lse_a, lse_b]).clamp(min=-1e4)
    shares = torch.softmax(both, dim=0)
    out = torch.einsum("ht,htk->tk", shares, torch.stack([out_a, out_b]))
    return out, torch.logsumexp(both, dim=0)
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "the lse is made under no_grad; 'The gradient flows through both'",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    with torch.no_grad():
        top = torch.maximum(lse_a, lse_b)
        top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
        lse = torch.log(torch.exp(lse_a - top) + torch.exp(lse_b - top)) + top
    a, b = torch.exp(lse_a - top), torch.exp(lse_b - top)
    total = (a + b).clamp(min=1e-30)
    return (a[:, None] * out_a + b[:, None] * out_b) / total[:, None], lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "shares without unsqueeze: right for one query only, wrong for T = K, an error otherwise",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    top = torch.maximum(lse_a, lse_b).detach()
    top = torch.where(top == -float("inf"), torch.zeros_like(top), top)
    a, b = (lse_a - top).exp(), (lse_b - top).exp()
    total = a + b
    safe = torch.where(total == 0, torch.ones_like(total), total)
    lse = torch.where(total == 0, torch.full_like(total, -float("inf")), safe.log() + top)
    return a / safe * out_a + b / safe * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": None,
        "why": "as the sigmoid answer, but for a query that sees nothing the result is out_b itself (0), so out_b gets a gradient of 1 there, not 0; finite, and the statement does not say",
        "source": r"""
import torch
import torch.nn.functional as F

def merge_attention(out_a, lse_a, out_b, lse_b):
    no_a, no_b = torch.isneginf(lse_a), torch.isneginf(lse_b)
    both = ~(no_a | no_b)
    difference = torch.where(both, lse_b, 0.0) - torch.where(both, lse_a, 0.0)
    share_b = torch.where(both, torch.sigmoid(difference), no_a.to(lse_a.dtype))
    out = torch.lerp(out_a, out_b, share_b.unsqueeze(-1))
    lse = torch.where(both, torch.where(both, lse_a, 0.0) + F.softplus(difference), torch.where(no_a, lse_b, lse_a))
    return out, lse
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "pad, slices, shift",
        "source": r"""
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer does not fit into four bits")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | (integers[:, 1::2] << 4)
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "a new tensor filled by slices, += 16 times the second",
        "source": r"""
import torch

def pack_int4(integers):
    rows, columns = integers.shape
    if columns and rows and integers.max() > 15:
        raise ValueError("more than 15")
    packed = integers[:, ::2].clone()
    packed[:, :columns // 2] += 16 * integers[:, 1::2]
    return packed
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "loops over plain numbers",
        "source": r"""
import torch

def pack_int4(integers):
    rows, columns = integers.shape
    packed = torch.zeros(rows, (columns + 1) // 2, dtype=torch.uint8)
    table = integers.tolist()
    for r in range(rows):
        for c in range(columns):
            number = table[r][c]
            if number > 15:
                raise ValueError(f"{number} in row {r} needs more than 4 bits")
            packed[r, c // 2] += number if c % 2 == 0 else number * 16
    return packed
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "integers.max() of a tensor without columns raises RuntimeError ('columns may be 0')",
        "source": r"""
def pack_int4(integers):
    if integers.max().item() > 15:
        raise ValueError("an integer above 15")
    padded = F.pad(integers, (0, integers.shape[1] % 2))
    return padded[:, 0::2] + padded[:, 1::2] * 16
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "pairs across the end of a row: the whole tensor is flattened; wrong for several rows with an odd number of columns",
        "source": r"""
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    rows, columns = integers.shape
    half = (columns + 1) // 2
    flat = F.pad(integers.flatten(), (0, 2 * rows * half - rows * columns)).view(-1, 2)
    return (flat[:, 0] + 16 * flat[:, 1]).view(rows, half)
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "16 is let through (> 16)",
        "source": r"""
def pack_int4(integers):
    if (integers > 16).any():
        raise ValueError("an integer above 15")
    rows, columns = integers.shape
    low = integers[:, 0::2]
    high = torch.zeros_like(low)
    high[:, :columns // 2] = integers[:, 1::2]
    return low + high * 16
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "shifts the second ones in the caller's tensor",
        "source": r"""
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    integers[:, 1::2] <<= 4
    low, high = integers[:, 0::2], integers[:, 1::2]
    return low | F.pad(high, (0, low.shape[1] - high.shape[1]))
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "looks for bytes above 255 after packing, which uint8 never is: an integer above 15 raises nothing",
        "source": r"""
def pack_int4(integers):
    padded = F.pad(integers, (0, integers.shape[1] % 2))
    packed = padded[:, 0::2] + (padded[:, 1::2] << 4)
    if (packed > 255).any():
        raise ValueError("an integer above 15")
    return packed
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "a loop that returns at the first rejection",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if not uniforms[i] < (target_probs[i, token] / draft_probs[i, token]).item():
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "vectorised: the length of the run of accepted tokens by cumprod",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    tokens = torch.tensor(draft, dtype=torch.long).unsqueeze(1)
    p = target_probs[:k].gather(1, tokens).squeeze(1)
    q = draft_probs.gather(1, tokens).squeeze(1)
    kept = torch.tensor(uniforms, dtype=p.dtype) < p / q
    n = int(kept.long().cumprod(0).sum())
    if n == k:
        return n, target_probs[-1].clone()
    surplus = torch.relu(target_probs[n] - draft_probs[n])
    return n, surplus / surplus.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "a zero row behind the draft makes both cases one: max(p - 0, 0) normalised",
        "source": r"""
import itertools
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    accepted = (u < float(target_probs[i][t]) / float(draft_probs[i][t])
                for i, (t, u) in enumerate(zip(draft, uniforms)))
    n = sum(1 for _ in itertools.takewhile(bool, accepted))
    padded = torch.cat([draft_probs.reshape(k, -1) if k else draft_probs.new_zeros(0, target_probs.shape[1]),
                        target_probs.new_zeros(1, target_probs.shape[1])])
    residual = torch.maximum(target_probs[n] - padded[n], torch.tensor(0.0))
    return n, residual / residual.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "counts all tokens that pass, also behind the first rejection ('The first that is not kept ends the draft')",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    kept = [u < (target_probs[i, t] / draft_probs[i, t]).item() for i, (t, u) in enumerate(zip(draft, uniforms))]
    if all(kept):
        return len(draft), target_probs[-1]
    i = kept.index(False)
    rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
    return sum(kept), rest / rest.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "after a rejection the target without the rejected token, normalised; the same for two words",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= target_probs[i, token] / draft_probs[i, token]:
            rest = target_probs[i].clone()
            rest[token] = 0
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "subtracts in place: target_probs is changed by a rejection",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, (token, u) in enumerate(zip(draft, uniforms)):
        if u >= (target_probs[i, token] / draft_probs[i, token]).item():
            rest = target_probs[i]
            rest -= draft_probs[i]
            rest = rest.clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "divides by the largest, not by the sum: no distribution where two words get too little",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    n = 0
    while n < len(draft) and uniforms[n] < (target_probs[n, draft[n]] / draft_probs[n, draft[n]]).item():
        n += 1
    if n == len(draft):
        return n, target_probs[n]
    rest = F.relu(target_probs[n] - draft_probs[n])
    return n, rest / rest.max()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "u <= p/q: a token that the large model rules out (p = 0) is kept where u is 0 ('is below')",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i in range(len(draft)):
        p = target_probs[i][draft[i]].item()
        q = draft_probs[i][draft[i]].item()
        if uniforms[i] <= min(1.0, p / q):
            continue
        rest = torch.clamp(target_probs[i] - draft_probs[i], min=0.0)
        return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "an empty draft is not handled: torch.stack of an empty list raises ('k may be 0')",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    ratios = torch.stack([target_probs[i, t] / draft_probs[i, t] for i, t in enumerate(draft)])
    rejected = (torch.tensor(uniforms) >= ratios).nonzero().flatten()
    if len(rejected) == 0:
        return len(draft), target_probs[len(draft)]
    i = rejected[0].item()
    rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
    return i, rest / rest.sum()
""",
    },
]
