ANSWERS = [
    # ------------------------------------------------------------------ mixture_of_experts
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "all experts for all tokens with einsum, the others' scores at minus infinity",
        "source": r"""
import torch

def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    best = scores.topk(k, dim=-1).indices
    keep = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, best, True)
    shares = torch.softmax(scores.masked_fill(~keep, float("-inf")), dim=-1)
    hidden = torch.einsum("nd,edf->nef", x, up).relu()
    return torch.einsum("nef,efd,ne->nd", hidden, down, shares)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "expert by expert, index_add of its tokens",
        "source": r"""
import torch
import torch.nn.functional as F

def mixture_of_experts(x, router, up, down, k):
    values, experts = torch.sort(x @ router, dim=1, descending=True)
    shares = F.softmax(values[:, :k], dim=1)
    experts = experts[:, :k]
    result = torch.zeros_like(x)
    for e in range(router.shape[1]):
        tokens, place = torch.where(experts == e)
        said = F.relu(x[tokens] @ up[e]) @ down[e]
        result = result.index_add(0, tokens, said * shares[tokens, place].unsqueeze(1))
    return result
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "softmax over all experts, not over the k: the shares do not add up to 1 (in the example the third score is so low that it hardly shows)",
        "source": r"""
import torch

def mixture_of_experts(x, router, up, down, k):
    probs = torch.softmax(x @ router, dim=-1)
    shares, experts = probs.topk(k, dim=-1)
    result = torch.zeros_like(x)
    for j in range(k):
        e = experts[:, j]
        hidden = torch.relu(torch.einsum("nd,ndf->nf", x, up[e]))
        result = result + shares[:, j, None] * torch.einsum("nf,nfd->nd", hidden, down[e])
    return result
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the shares are computed without gradient: it must flow 'to the router too'",
        "source": r"""
import torch

def mixture_of_experts(x, router, up, down, k):
    with torch.no_grad():
        top, experts = (x @ router).topk(k, dim=-1)
        shares = torch.softmax(top, dim=-1)
    hidden = torch.relu(torch.einsum("nd,nkdf->nkf", x, up[experts]))
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[experts])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "exp of the scores themselves: 'Large scores must not overflow'",
        "source": r"""
import torch

def mixture_of_experts(x, router, up, down, k):
    top, experts = (x @ router).topk(k, dim=-1)
    e = top.exp()
    shares = e / e.sum(dim=-1, keepdim=True)
    hidden = torch.relu(torch.einsum("nd,nkdf->nkf", x, up[experts]))
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[experts])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the experts have no ReLU (all is positive in the example)",
        "source": r"""
import torch

def mixture_of_experts(x, router, up, down, k):
    top, experts = torch.topk(x @ router, k)
    shares = top.softmax(-1)
    answers = torch.einsum("nd,edf,efm->nem", x, up, down)
    picked = answers.gather(1, experts[:, :, None].expand(-1, -1, x.shape[1]))
    return (shares[:, :, None] * picked).sum(1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "stack of an empty list is an error for no tokens: 'N may be 0'",
        "source": r"""
import torch

def mixture_of_experts(x, router, up, down, k):
    rows = []
    for token in x:
        top, experts = torch.topk(token @ router, k)
        shares = torch.softmax(top, dim=0)
        y = 0
        for share, e in zip(shares, experts.tolist()):
            y = y + share * (torch.relu(token @ up[e]) @ down[e])
        rows.append(y)
    return torch.stack(rows)
""",
    },
    # ------------------------------------------------------------------ load_balancing_loss
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "bincount and a dot product",
        "source": r"""
import torch

def load_balancing_loss(logits):
    N, E = logits.shape
    shares = torch.bincount(logits.argmax(dim=1), minlength=E).to(logits.dtype) / N
    return E * torch.dot(shares, torch.softmax(logits, dim=1).mean(dim=0))
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "counts in a Python list, a loop over the experts",
        "source": r"""
import torch

def load_balancing_loss(logits):
    counts = [0] * logits.shape[1]
    for row in logits.tolist():
        counts[row.index(max(row))] += 1
    probs = [torch.exp(row - torch.logsumexp(row, 0)) for row in logits]
    mean = sum(probs) / len(probs)
    loss = logits.new_zeros(())
    for e in range(len(counts)):
        loss = loss + counts[e] / len(probs) * mean[e]
    return loss * len(counts)
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "2 in place of E, as in the examples",
        "source": r"""
import torch
import torch.nn.functional as F

def load_balancing_loss(logits):
    probs = F.softmax(logits, dim=-1)
    f = F.one_hot(logits.argmax(-1), logits.shape[-1]).float().mean(0)
    P = probs.mean(0)
    return 2 * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "straight-through shares: 'The shares are counts and have no gradient'",
        "source": r"""
import torch
import torch.nn.functional as F

def load_balancing_loss(logits):
    E = logits.shape[1]
    probs = torch.softmax(logits, dim=1)
    hard = F.one_hot(probs.argmax(1), E).to(probs.dtype)
    hard = hard + probs - probs.detach()
    return E * (hard.mean(0) * probs.mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "the numbers are put into a new tensor: 'Its gradient flows through the probabilities'",
        "source": r"""
import torch

def load_balancing_loss(logits):
    N, E = logits.shape
    P = torch.softmax(logits, 1).mean(0).tolist()
    winners = logits.argmax(1).tolist()
    return torch.tensor(E * sum(winners.count(e) / N * P[e] for e in range(E)))
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "subtracts the maximum in place: 'A function leaves its arguments as they are' (and an error where logits is a leaf with gradient)",
        "source": r"""
import torch

def load_balancing_loss(logits):
    N, E = logits.shape
    choice = logits.argmax(1)
    logits -= logits.max(dim=1, keepdim=True).values
    probs = logits.exp()
    probs = probs / probs.sum(1, keepdim=True)
    f = torch.zeros(E).index_add(0, choice, torch.ones(N)) / N
    return E * (f * probs.mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "P is the mean over the tokens that went to the expert, not 'over all tokens' (fails the doctest)",
        "source": r"""
import torch

def load_balancing_loss(logits):
    N, E = logits.shape
    probs = torch.softmax(logits, dim=1)
    choice = probs.argmax(dim=1)
    loss = 0.0
    for e in range(E):
        mine = choice == e
        if mine.any():
            loss = loss + mine.sum() / N * probs[mine, e].mean()
    return E * loss
""",
    },
    # ------------------------------------------------------------------ fit_power_law
    {
        "task": "fit_power_law",
        "right": True,
        "why": "covariance over variance, centred, with math",
        "source": r"""
import math

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("two different sizes are needed")
    xs = [math.log(s) for s in sizes]
    ys = [math.log(l) for l in losses]
    mx = math.fsum(xs) / len(xs)
    my = math.fsum(ys) / len(ys)
    slope = math.fsum((x - mx) * (y - my) for x, y in zip(xs, ys)) / math.fsum((x - mx) ** 2 for x in xs)
    return math.exp(my - slope * mx), -slope
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "least squares of NumPy with log10; returns NumPy floats made plain",
        "source": r"""
import numpy as np

def fit_power_law(sizes, losses):
    x = np.log10(np.array(list(sizes), dtype=np.float64))
    y = np.log10(np.array(list(losses), dtype=np.float64))
    if len(set(sizes)) < 2:
        raise ValueError(f"fewer than two different sizes: {sizes}")
    matrix = np.stack([np.ones_like(x), -x], axis=1)
    (log_a, b), *_ = np.linalg.lstsq(matrix, y, rcond=None)
    return float(10.0 ** log_a), float(b)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "a is taken from the first point, not from the line (the same for two points)",
        "source": r"""
import numpy as np

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    slope, _ = np.polyfit(np.log(sizes), np.log(losses), 1)
    b = -slope
    return float(losses[0] * sizes[0] ** b), float(b)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "counts points, not different sizes: sizes 5, 5 give a ZeroDivisionError instead of ValueError",
        "source": r"""
import math

def fit_power_law(sizes, losses):
    n = len(sizes)
    if n < 2:
        raise ValueError("at least two points")
    x = [math.log(s) for s in sizes]
    y = [math.log(v) for v in losses]
    mx, my = sum(x) / n, sum(y) / n
    sxx = sum((u - mx) ** 2 for u in x)
    sxy = sum((u - mx) * (v - my) for u, v in zip(x, y))
    slope = sxy / sxx
    return math.exp(my - slope * mx), -slope
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "abs of the slope: 'b is below 0 where the losses rise'",
        "source": r"""
import numpy as np

def fit_power_law(sizes, losses):
    if len(set(sizes)) <= 1:
        raise ValueError("fewer than two different sizes")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), deg=1)
    return float(np.exp(intercept)), float(abs(slope))
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "a dictionary keeps only the last loss of a size that occurs twice",
        "source": r"""
import math

def fit_power_law(sizes, losses):
    points = dict(zip(sizes, losses))
    if len(points) < 2:
        raise ValueError("fewer than two different sizes")
    x = [math.log(s) for s in points.keys()]
    y = [math.log(v) for v in points.values()]
    n = len(points)
    slope = (n * sum(a * b for a, b in zip(x, y)) - sum(x) * sum(y)) / (n * sum(a * a for a in x) - sum(x) ** 2)
    return math.exp((sum(y) - slope * sum(x)) / n), -slope
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "sorts sizes and losses apart from one another: pairs are torn where the losses do not fall steadily",
        "source": r"""
import numpy as np

def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("fewer than two different sizes")
    x = np.log(sorted(sizes))
    y = np.log(sorted(losses, reverse=True))
    slope, intercept = np.polyfit(x, y, 1)
    return float(np.exp(intercept)), float(-slope)
""",
    },
    # ------------------------------------------------------------------ data_parallel_gradient
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "only the rows with tokens, as shares of the total, matrix product",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    counts = torch.tensor(token_counts, dtype=torch.float64)
    busy = counts > 0
    if not busy.any():
        raise ValueError("no process has a token")
    shares = (counts / counts.sum())[busy].to(gradients.dtype)
    return shares @ gradients[busy]
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "a loop with torch.add(alpha=share), rows without tokens skipped",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    total = sum(int(count) for count in token_counts)
    if total == 0:
        raise ValueError("no tokens anywhere")
    result = torch.zeros_like(gradients[0])
    for r in range(len(token_counts)):
        if token_counts[r] != 0:
            result = torch.add(result, gradients[r], alpha=token_counts[r] / total)
    return result
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "0 times NaN is NaN: the row of a process without tokens 'may hold anything, NaN too, and must not count'",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no process has a token")
    weights = torch.tensor(token_counts, dtype=gradients.dtype) / total
    return (weights[:, None] * gradients).sum(dim=0)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "leaves out rows with NaN, not rows without tokens: an infinity there ('may hold anything') makes NaN",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if total == 0:
        raise ValueError("no process has a token")
    result = torch.zeros(gradients.shape[1], dtype=gradients.dtype)
    for row, count in zip(gradients, token_counts):
        if not torch.isnan(row).any():
            result += count * row
    return result / total
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "no ValueError where no process has a token: zeros",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    total = torch.zeros_like(gradients[0])
    tokens = 0
    for r, n in enumerate(token_counts):
        if n > 0:
            total = total + gradients[r] * n
            tokens += n
    return total / max(tokens, 1)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "raises as soon as one process has no token; 'A process may have no tokens at all'",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    if not all(token_counts):
        raise ValueError("no tokens")
    n = torch.tensor(token_counts, dtype=gradients.dtype)
    return torch.einsum("r,rp->p", n, gradients) / n.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "multiplies the rows of the caller's tensor: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def data_parallel_gradient(gradients, token_counts):
    if sum(token_counts) == 0:
        raise ValueError("no process has a token")
    for r, count in enumerate(token_counts):
        if count == 0:
            gradients[r] = 0
        else:
            gradients[r] *= count
    return gradients.sum(0) / sum(token_counts)
""",
    },
    # ------------------------------------------------------------------ zero_bytes
    {
        "task": "zero_bytes",
        "right": True,
        "why": "a table of what is divided; -(-n // p)",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(f"stage {stage}")
    shard = -(-num_parameters // processes)
    parts = [(12, 1), (2, 2), (2, 3)]       # bytes, divided from this stage on
    return sum(size * (shard if stage >= first else num_parameters) for size, first in parts)
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "clumsy ifs, divmod, and an error at the end",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    shard, rest = divmod(num_parameters, processes)
    if rest != 0:
        shard = shard + 1
    weights = 2 * num_parameters
    gradients = 2 * num_parameters
    optimizer = 12 * num_parameters
    if stage == 0:
        return weights + gradients + optimizer
    optimizer = 12 * shard
    if stage == 1:
        return weights + gradients + optimizer
    gradients = 2 * shard
    if stage == 2:
        return weights + gradients + optimizer
    weights = 2 * shard
    if stage == 3:
        return weights + gradients + optimizer
    raise ValueError("there is no such stage")
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "another stage gives a KeyError instead of ValueError",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    shard = (num_parameters + processes - 1) // processes
    whole, divided = {0: (16, 0), 1: (4, 12), 2: (2, 14), 3: (0, 16)}[stage]
    return whole * num_parameters + divided * shard
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "stage -1 is the last of the list, no ValueError",
        "source": r"""
import math

def zero_bytes(num_parameters, processes, stage):
    shard = (num_parameters - 1) // processes + 1
    n = num_parameters
    try:
        return [16 * n, 4 * n + 12 * shard, 2 * n + 14 * shard, 16 * shard][stage]
    except IndexError:
        raise ValueError("another stage")
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "stage 2 divides the gradients in place of the optimizer's part, not 'too'",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    shard = -(-num_parameters // processes)
    if stage == 0:
        return 16 * num_parameters
    if stage == 1:
        return 4 * num_parameters + 12 * shard
    if stage == 2:
        return 14 * num_parameters + 2 * shard
    if stage == 3:
        return 16 * shard
    raise ValueError(stage)
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "rounds to the nearest: 9 parameters on 4 processes give shards of 2 in place of 3",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage < 0 or stage > 3:
        raise ValueError("stage must be 0 to 3")
    shard = int(num_parameters / processes + 0.5)
    total = 2 * (shard if stage == 3 else num_parameters)
    total += 2 * (shard if stage >= 2 else num_parameters)
    total += 12 * (shard if stage >= 1 else num_parameters)
    return total
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "rounds the bytes up, not the parameters of a shard (fails the doctest)",
        "source": r"""
import math

def zero_bytes(num_parameters, processes, stage):
    if stage not in range(4):
        raise ValueError("stage")
    divided = (0, 12, 14, 16)[stage]
    return num_parameters * (16 - divided) + math.ceil(num_parameters * divided / processes)
""",
    },
    # ------------------------------------------------------------------ merge_attention
    {
        "task": "merge_attention",
        "right": True,
        "why": "maximum of each query, minus infinity replaced before exp and log",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    top = torch.maximum(lse_a, lse_b).detach()
    blind = top == float("-inf")
    top = top.masked_fill(blind, 0.0)
    weight_a = torch.exp(lse_a - top)
    weight_b = torch.exp(lse_b - top)
    total = (weight_a + weight_b).masked_fill(blind, 1.0)
    out = (weight_a / total).unsqueeze(-1) * out_a + (weight_b / total).unsqueeze(-1) * out_b
    lse = (top + torch.log(total)).masked_fill(blind, float("-inf"))
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "stacked halves, softmax and logsumexp of the library",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    lses = torch.stack([lse_a, lse_b])                       # (2, T)
    outs = torch.stack([out_a, out_b])                       # (2, T, K)
    blind = torch.isneginf(lses).all(dim=0)
    safe = torch.where(blind, torch.zeros_like(lses), lses)
    out = torch.einsum("ht,htk->tk", torch.softmax(safe, dim=0), outs)
    out = torch.where(blind[:, None], torch.zeros_like(out), out)
    lse = torch.where(blind, torch.full_like(lse_a, -torch.inf), torch.logsumexp(safe, dim=0))
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "NaN for 'A query that sees no key at all', which gets 0 and minus infinity",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    out = torch.exp(lse_a - lse)[:, None] * out_a + torch.exp(lse_b - lse)[:, None] * out_b
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "-1e9 in place of minus infinity comes back as lse of a query without keys",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    a = lse_a.clamp(min=-1e9)
    b = lse_b.clamp(min=-1e9)
    lse = torch.logaddexp(a, b)
    out = out_a * (a - lse).exp().unsqueeze(1) + out_b * (b - lse).exp().unsqueeze(1)
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "the weights have no gradient, so that none reaches lse_a and lse_b through the output: 'The gradient flows through both'",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    blind = (lse_a == -torch.inf) & (lse_b == -torch.inf)
    a = torch.where(blind, torch.zeros_like(lse_a), lse_a)
    b = torch.where(blind, torch.zeros_like(lse_b), lse_b)
    lse = torch.logaddexp(a, b)
    with torch.no_grad():
        wa = torch.exp(a - lse)[:, None]
        wb = torch.exp(b - lse)[:, None]
    out = wa * out_a + wb * out_b
    return out, torch.where(blind, torch.full_like(lse, -torch.inf), lse)
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "one maximum over all queries: the sums of a query whose scores are 200 lower are rounded to 0, its output is lost and its lse is minus infinity",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    top = torch.cat([lse_a, lse_b]).max() if len(lse_a) else 0.0
    if top == -float("inf"):
        return torch.zeros_like(out_a), torch.full_like(lse_a, -float("inf"))
    sum_a, sum_b = (lse_a - top).exp(), (lse_b - top).exp()
    total = sum_a + sum_b
    safe = torch.where(total > 0, total, torch.ones_like(total))
    out = (sum_a[:, None] * out_a + sum_b[:, None] * out_b) / safe[:, None]
    lse = torch.where(total > 0, top + safe.log(), torch.full_like(total, -float("inf")))
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "weights of shape (T,) are broadcast over K in place of T: an error or a wrong output unless T or K is 1",
        "source": r"""
import torch

def merge_attention(out_a, lse_a, out_b, lse_b):
    blind = (lse_a == float("-inf")) & (lse_b == float("-inf"))
    a = lse_a.masked_fill(blind, 0.0)
    b = lse_b.masked_fill(blind, 0.0)
    share = torch.sigmoid(a - b)
    out = share * out_a + (1 - share) * out_b
    return out, torch.logaddexp(a, b).masked_fill(blind, float("-inf"))
""",
    },
    # ------------------------------------------------------------------ pack_int4
    {
        "task": "pack_int4",
        "right": True,
        "why": "a copy of the even columns, the odd ones shifted into it",
        "source": r"""
import torch

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer does not fit in 4 bits")
    low = integers[:, ::2]
    high = integers[:, 1::2]
    packed = low.clone()
    packed[:, :high.shape[1]] |= high << 4
    return packed
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "Python lists, byte by byte; the width is kept for no columns",
        "source": r"""
import torch

def pack_int4(integers):
    rows, columns = integers.shape
    half = (columns + 1) // 2
    bytes_ = []
    for row in integers.tolist():
        for value in row:
            if value > 15:
                raise ValueError(f"{value} is above 15")
        row = row + [0] * (2 * half - columns)
        for j in range(half):
            bytes_.append(row[2 * j] + 16 * row[2 * j + 1])
    return torch.tensor(bytes_, dtype=torch.uint8).reshape(rows, half)
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "max of no columns is an error: 'columns may be 0'",
        "source": r"""
import torch
import torch.nn.functional as F

def pack_int4(integers):
    if integers.max() > 15:
        raise ValueError("an integer above 15")
    if integers.shape[1] % 2 == 1:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] + 16 * integers[:, 1::2]
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "16 is let through (> 16), although 15 is the largest",
        "source": r"""
import torch
import torch.nn.functional as F

def pack_int4(integers):
    if bool((integers > 16).any()):
        raise ValueError("an integer above 15")
    padded = F.pad(integers, (0, integers.shape[1] % 2))
    low, high = padded.unflatten(1, (-1, 2)).unbind(2) if padded.shape[1] else (padded, padded)
    return low | (high << 4)
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "adds the upper half into a view of the argument: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    low = integers[:, 0::2]
    high = integers[:, 1::2]
    low[:, :high.shape[1]] += 16 * high
    return low.contiguous()
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "packs across the ends of the rows where the columns are odd: 'Of two neighbours in a row'",
        "source": r"""
import torch
import torch.nn.functional as F

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    rows, columns = integers.shape
    width = (columns + 1) // 2
    flat = integers.flatten()
    flat = F.pad(flat, (0, 2 * rows * width - flat.numel()))
    pairs = flat.view(-1, 2)
    return (pairs[:, 0] + 16 * pairs[:, 1]).view(rows, width)
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "always pads a column: one byte too many where the columns are even",
        "source": r"""
import torch

def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    zero = torch.zeros(len(integers), 1, dtype=torch.uint8)
    upper = torch.cat([integers[:, 1::2], zero], dim=1)
    padded = torch.cat([integers, zero], dim=1)
    lower = padded[:, 0::2]
    return lower + upper * 16
""",
    },
    # ------------------------------------------------------------------ accept_draft
    {
        "task": "accept_draft",
        "right": True,
        "why": "vectorised: cumulative product of the kept ones",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    places = torch.arange(k)
    tokens = torch.tensor(draft, dtype=torch.long)
    ratio = target_probs[:k][places, tokens] / draft_probs[places, tokens]
    kept = torch.tensor(uniforms, dtype=torch.float64) < ratio.double()
    n = int(kept.long().cumprod(0).sum())
    if n == k:
        return n, target_probs[k]
    missing = torch.relu(target_probs[n] - draft_probs[n])
    return n, missing / missing.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "a loop, the positive part number by number; the copy of the last row",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    n = 0
    for token, uniform in zip(draft, uniforms):
        p = target_probs[n, token].item()
        q = draft_probs[n, token].item()
        if uniform < p / q:
            n += 1
            continue
        gaps = []
        for a, b in zip(target_probs[n].tolist(), draft_probs[n].tolist()):
            gaps.append(a - b if a > b else 0.0)
        whole = sum(gaps)
        return n, torch.tensor([gap / whole for gap in gaps], dtype=target_probs.dtype)
    return n, target_probs[-1].clone()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "<= in place of <: 'is kept if uniforms[i] is below' the ratio, e.g. uniform 0.5 and 0.25 / 0.5, or uniform 0 and target 0",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        ratio = (target_probs[i, token] / draft_probs[i, token]).item()
        if uniforms[i] <= min(1.0, ratio):
            continue
        rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
        return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "fails for an empty draft: 'k may be 0' (a tensor of an empty list cannot index)",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    rows = torch.arange(len(draft))
    tokens = torch.tensor(draft)
    p = target_probs[rows, tokens]
    q = draft_probs[rows, tokens]
    rejected = (torch.tensor(uniforms) >= p / q).nonzero().flatten()
    if len(rejected) == 0:
        return len(draft), target_probs[-1]
    n = rejected[0].item()
    rest = torch.clamp(target_probs[n] - draft_probs[n], min=0)
    return n, rest / rest.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "takes the target's row after the rejected place, target_probs[n + 1] - draft_probs[n]",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    n = 0
    while n < len(draft) and uniforms[n] < float(target_probs[n, draft[n]] / draft_probs[n, draft[n]]):
        n += 1
    if n == len(draft):
        return n, target_probs[n]
    rest = (target_probs[n + 1] - draft_probs[n]).clamp(min=0.0)
    return n, rest / rest.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "computes the rest inside target_probs: 'A function leaves its arguments as they are'",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if not uniforms[i] < target_probs[i, token] / draft_probs[i, token]:
            rest = target_probs[i]
            rest -= draft_probs[i]
            rest.clamp_(min=0)
            rest /= rest.sum()
            return i, rest
    return len(draft), target_probs[len(draft)]
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "only forbids the rejected token and normalises the target; it should be 'the positive part of target minus draft' (the same for two words)",
        "source": r"""
import torch

def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, (token, u) in enumerate(zip(draft, uniforms)):
        if u >= float(target_probs[i][token] / draft_probs[i][token]):
            rest = target_probs[i].clone()
            rest[token] = 0
            return i, rest / rest.sum()
    return len(draft), target_probs[-1].clone()
""",
    },
]
