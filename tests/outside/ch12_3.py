"""Answers to chapter 12, written from its page alone: the third round."""

ANSWERS = [
    # lens_ranks
    {
        "task": "lens_ranks",
        "right": True,
        "why": "layer by layer with the formula as it stands",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    ranks = []
    for x in states:
        z = unembedding @ (x / torch.sqrt(torch.mean(x ** 2)) * gain)
        ranks.append(1 + int((z > z[answer]).sum()))
    return torch.tensor(ranks)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "gain folded into the output matrix; sort and searchsorted instead of counting",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    normed = states * states.square().mean(dim=1, keepdim=True).rsqrt()
    logits = torch.einsum("ld,vd->lv", normed, unembedding * gain)
    mine = logits[:, answer].unsqueeze(1).contiguous()
    ascending = logits.sort(dim=1).values.contiguous()
    not_larger = torch.searchsorted(ascending, mine, right=True).squeeze(1)
    return logits.shape[1] - not_larger + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "leaves the division out: a positive factor for each layer changes no rank",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    logits = (states * gain) @ unembedding.t()
    better = logits.gt(logits[:, answer:answer + 1])
    return better.long().sum(dim=-1).add(1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": ">= counts equal logits: 'Tokens with the same logit as the answer do not count as better'",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    x = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = x @ unembedding.T
    return (logits >= logits[:, [answer]]).sum(dim=1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "place in a stable sort: an equal token with a smaller id counts as better",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    x = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    order = torch.sort(x @ unembedding.T, dim=1, descending=True, stable=True).indices
    return (order == answer).int().argmax(dim=1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "counts different larger logits, not tokens (two equal ones above count once): '#{tokens with a larger logit}'",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    x = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = x @ unembedding.T
    return torch.tensor([1 + len({v for v in row if v > row[answer]}) for row in logits.tolist()])
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "LayerNorm: takes off the mean, which RMSNorm does not",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    c = states - states.mean(-1, keepdim=True)
    x = c / c.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = x @ unembedding.T
    return (logits > logits[:, answer, None]).sum(dim=1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "the gain is left out: 'times the gain'; right where all gains are equal",
        "source": """
import torch
def lens_ranks(states, gain, unembedding, answer):
    x = states / states.pow(2).mean(-1, keepdim=True).sqrt()
    logits = x @ unembedding.T
    return (logits > logits[:, answer, None]).sum(dim=1) + 1
""",
    },
    # head_parts
    {
        "task": "head_parts",
        "right": True,
        "why": "reshape both, einsum",
        "source": """
import torch
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads != 0:
        raise ValueError("heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "silences all other columns, one product for each head",
        "source": """
import torch
def head_parts(mixed, weight, num_heads):
    width = mixed.size(-1)
    K, rest = divmod(width, num_heads)
    if rest:
        raise ValueError(f"{num_heads} does not divide {width}")
    owner = torch.arange(width) // K
    parts = [(mixed * (owner == h)) @ weight.T for h in range(num_heads)]
    return torch.stack(parts, dim=0)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "columns of the heads interleaved (T, K, H): 'side by side'; the sum is right all the same",
        "source": """
import torch
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("H")
    K = width // num_heads
    return torch.einsum("tkh,dkh->htd", mixed.reshape(T, K, num_heads), weight.reshape(-1, K, num_heads))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "tensor_split makes unequal heads without an error: 'ValueError: H does not divide the width'",
        "source": """
import torch
def head_parts(mixed, weight, num_heads):
    xs = torch.tensor_split(mixed, num_heads, dim=1)
    ws = torch.tensor_split(weight, num_heads, dim=1)
    return torch.stack([x @ w.T for x, w in zip(xs, ws)])
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "asks whether H divides D, not the width of mixed: raises for allowed D and does not where it must",
        "source": """
import torch
def head_parts(mixed, weight, num_heads):
    D, width = weight.shape
    if D % num_heads:
        raise ValueError("H")
    K = width // num_heads
    return torch.stack([mixed[:, h * K:(h + 1) * K] @ weight[:, h * K:(h + 1) * K].T for h in range(num_heads)])
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "result (T, H, D) instead of (H, T, D)",
        "source": """
import torch
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("H")
    K = width // num_heads
    return torch.einsum("thk,dhk->thd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "takes the heads of the weight along its rows (outputs); shapes fit if weight is square",
        "source": """
import torch
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("H")
    K = width // num_heads
    return torch.einsum("thk,hkd->htd", mixed.reshape(T, num_heads, K), weight.reshape(num_heads, K, -1))
""",
    },
    # induction_score
    {
        "task": "induction_score",
        "right": True,
        "why": "one advanced index",
        "source": """
import torch
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError("period")
    t = torch.arange(period, T)
    return weights[:, t, t - period + 1].mean(dim=1)
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "a lower diagonal of the part from the second round on",
        "source": """
import torch
def induction_score(weights, period):
    T = weights.size(1)
    if period < 1 or period >= T:
        raise ValueError(f"period {period}")
    return torch.diagonal(weights[:, period:, 1:], dim1=1, dim2=2).mean(-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "takes the query at period - 1 (position 0) in: 'over all queries t = period, ..., T - 1'",
        "source": """
import torch
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period < T:
        raise ValueError("period")
    return weights.diagonal(offset=1 - period, dim1=1, dim2=2).mean(-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "only the second round: 'also if there are more rounds than two'",
        "source": """
import torch
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period < T:
        raise ValueError("period")
    t = torch.arange(period, min(2 * period, T))
    return weights[:, t, t - period + 1].mean(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "only whole rounds: 'or if the last one is cut short'",
        "source": """
import torch
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period < T:
        raise ValueError("period")
    end = max(T // period * period, period + 1)
    t = torch.arange(period, end)
    return weights[:, t, t - period + 1].mean(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "period 0 and negative ones raise nothing: 'ValueError: a period outside 1 to T - 1' (-1 is computed on some wrong diagonal)",
        "source": """
import torch
def induction_score(weights, period):
    T = weights.shape[-1]
    if period >= T:
        raise ValueError("period")
    t = torch.arange(max(period, 0), T)
    return weights[:, t, (t - period + 1) % T].mean(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "sum divided by T, not by the number of queries",
        "source": """
import torch
def induction_score(weights, period):
    H, T, _ = weights.shape
    if not 1 <= period < T:
        raise ValueError("period")
    total = torch.zeros(H)
    for t in range(period, T):
        total += weights[:, t, t - period + 1]
    return total / T
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "a period of T passes and gives NaN (> instead of >=)",
        "source": """
import torch
def induction_score(weights, period):
    T = weights.shape[-1]
    if period < 1 or period > T:
        raise ValueError("period")
    t = torch.arange(period, T)
    return weights[:, t, t - period + 1].mean(1)
""",
    },
    # mean_ablate
    {
        "task": "mean_ablate",
        "right": True,
        "why": "a mask over the columns and where",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    width = mixed.shape[-1]
    K = width // num_heads
    silenced = torch.zeros(num_heads, dtype=torch.bool)
    for h in heads:
        silenced[h] = True
    columns = silenced.repeat_interleave(K)
    average = reference.reshape(-1, width).mean(dim=0)
    return torch.where(columns, average, mixed)
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "splits into heads, exchanges them in a list, joins",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    parts = list(torch.chunk(mixed, num_heads, dim=-1))
    theirs = torch.chunk(reference, num_heads, dim=-1)
    for h in heads:
        parts[h] = theirs[h].mean(dim=(0, 1)).expand_as(parts[h])
    return torch.cat(parts, dim=-1)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "without heads it returns mixed itself: 'A new tensor'",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    if not heads:
        return mixed
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for h in heads:
        out[..., h * K:(h + 1) * K] = reference[..., h * K:(h + 1) * K].mean(dim=(0, 1))
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "view, not a copy: changes mixed; 'mixed is left as it is'",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    B, T, W = mixed.shape
    out = mixed.reshape(B, T, num_heads, W // num_heads)
    mean = reference.reshape(-1, num_heads, W // num_heads).mean(0)
    for h in heads:
        out[:, :, h] = mean[h]
    return out.reshape(B, T, W)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "one number for the whole head (mean over its columns too)",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for h in heads:
        out[..., h * K:(h + 1) * K] = reference[..., h * K:(h + 1) * K].mean()
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "mean of the present texts, not of the reference",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for h in heads:
        out[..., h * K:(h + 1) * K] = mixed[..., h * K:(h + 1) * K].mean(dim=(0, 1))
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "columns h, h + H, h + 2H ... : 'head h owns the columns h K to (h + 1) K'; right for K = 1",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    mean = reference.flatten(0, 1).mean(0)
    for h in heads:
        out[..., h::num_heads] = mean[h::num_heads]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "the mean of the first reference text only: 'the average is taken over all of their tokens'",
        "source": """
import torch
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for h in heads:
        out[..., h * K:(h + 1) * K] = reference[0, :, h * K:(h + 1) * K].mean(dim=0)
    return out
""",
    },
    # patched_states
    {
        "task": "patched_states",
        "right": True,
        "why": "both runs side by side as a batch of two, cumsum",
        "source": """
import torch
def patched_states(clean, other, weights, layer, position):
    x = torch.stack([clean, other])
    n = torch.arange(1, clean.shape[0] + 1).view(1, -1, 1)
    for i, W in enumerate(weights):
        x = x + (x.cumsum(dim=1) / n) @ W
        if i == layer:
            x[1, position] = x[0, position]
    return x[1]
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "a matrix of averages, first the clean run up to the layer, then the other",
        "source": """
import torch
def patched_states(clean, other, weights, layer, position):
    T = len(clean)
    average = torch.tril(torch.ones(T, T, dtype=clean.dtype))
    average = average / average.sum(dim=1, keepdim=True)
    def step(x, W):
        return x + average @ x @ W
    donor = clean
    for W in weights[:layer + 1]:
        donor = step(donor, W)
    x = other
    for number, W in enumerate(weights):
        x = step(x, W)
        if number == layer:
            rows = [donor[t] if t == position else x[t] for t in range(T)]
            x = torch.stack(rows)
    return x
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanges before the layer instead of after it",
        "source": """
import torch
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, len(clean) + 1).view(-1, 1)
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        if i == layer:
            b[position] = a[position]
        a = a + (a.cumsum(0) / n) @ W
        b = b + (b.cumsum(0) / n) @ W
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanges after every layer from `layer` on: 'exchange one vector, after one layer ... The later layers go on from there'",
        "source": """
import torch
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, len(clean) + 1).view(-1, 1)
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        a = a + (a.cumsum(0) / n) @ W
        b = b + (b.cumsum(0) / n) @ W
        if i >= layer:
            b[position] = a[position]
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanges all positions up to it",
        "source": """
import torch
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, len(clean) + 1).view(-1, 1)
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        a = a + (a.cumsum(0) / n) @ W
        b = b + (b.cumsum(0) / n) @ W
        if i == layer:
            b[:position + 1] = a[:position + 1]
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "x W^T (as nn.Linear): right for symmetric matrices only",
        "source": """
import torch
import torch.nn.functional as F
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, len(clean) + 1).view(-1, 1)
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        a = a + F.linear(a.cumsum(0) / n, W)
        b = b + F.linear(b.cumsum(0) / n, W)
        if i == layer:
            b[position] = a[position]
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "the mean over all positions, later ones too: 'the mean of all positions up to it'",
        "source": """
import torch
def patched_states(clean, other, weights, layer, position):
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        a = a + a.mean(0, keepdim=True) @ W
        b = b + b.mean(0, keepdim=True) @ W
        if i == layer:
            b[position] = a[position]
    return b
""",
    },
    {
        "task": "patched_states",
        "right": None,
        "why": "x += changes `other` and `clean`; this notebook, unlike its neighbours, does not say that arguments stay as they are",
        "source": """
import torch
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, len(clean) + 1).view(-1, 1)
    for i, W in enumerate(weights):
        clean += (clean.cumsum(0) / n) @ W
        other += (other.cumsum(0) / n) @ W
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    # selectivity
    {
        "task": "selectivity",
        "right": True,
        "why": "both probes in one solve, two columns",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    y, new_y = torch.stack([labels, coins], 1), torch.stack([new_labels, new_coins], 1)
    D = x.shape[1]
    w = torch.linalg.solve(x.T @ x + penalty * torch.eye(D, dtype=x.dtype), x.T @ y)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    property_, coin = (says == new_y).double().mean(dim=0).tolist()
    return property_ - coin
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "least squares with extra rows sqrt(penalty) I",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    D = x.shape[1]
    rows = torch.cat([x.double(), penalty ** 0.5 * torch.eye(D, dtype=torch.double)])
    def accuracy(y, truth):
        target = torch.cat([y.double(), torch.zeros(D, dtype=torch.double)])
        w = torch.linalg.lstsq(rows, target[:, None]).solution[:, 0]
        right = [(v > 0) == (t > 0) for v, t in zip((new_x.double() @ w).tolist(), truth.tolist())]
        return sum(right) / len(right)
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "torch.sign says 0 where x . w is 0: 'else -1'",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    def accuracy(y, truth):
        w = torch.linalg.solve(A, x.T @ y)
        return (torch.sign(new_x @ w) == truth).float().mean().item()
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "+1 where x . w is 0 (>=): 'says +1 where x . w is above 0, else -1'",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    def accuracy(y, truth):
        w = torch.linalg.solve(A, x.T @ y)
        return ((new_x @ w >= 0) == (truth > 0)).float().mean().item()
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "adds the penalty to every entry of X^T X, not to the diagonal; right for D = 1",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    A = x.double().T @ x.double() + penalty
    def accuracy(y, truth):
        w = torch.linalg.pinv(A) @ x.double().T @ y.double()
        return torch.where(new_x.double() @ w > 0, 1.0, -1.0).eq(truth).double().mean().item()
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "centres the vectors and uses a constant: 'no constant and no scaling'",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    middle = x.mean(0)
    c = x - middle
    A = c.T @ c + penalty * torch.eye(x.shape[1], dtype=x.dtype)
    def accuracy(y, truth):
        w = torch.linalg.solve(A, c.T @ (y - y.mean()))
        says = torch.where((new_x - middle) @ w + y.mean() > 0, 1.0, -1.0)
        return (says == truth).float().mean().item()
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "the probe of the property is scored on the coins, none is fitted to the coins",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    w = torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype), x.T @ labels)
    says = torch.where(new_x @ w > 0, 1.0, -1.0)
    return (says == new_labels).float().mean().item() - (says == new_coins).float().mean().item()
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "no penalty (pseudo-inverse): differs where it is large",
        "source": """
import torch
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    P = torch.linalg.pinv(x)
    def accuracy(y, truth):
        return torch.where(new_x @ (P @ y) > 0, 1.0, -1.0).eq(truth).float().mean().item()
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    # sink_window_mask
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "two loops over a matrix of False",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or num_sinks")
    mask = torch.zeros((T, T), dtype=torch.bool)
    for t in range(T):
        mask[t, max(0, t - width + 1):t + 1] = True
        mask[t, :min(num_sinks, t + 1)] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "tril and triu, sinks set before the triangle is cut",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width below 1")
    if num_sinks < 0:
        raise ValueError("num_sinks below 0")
    mask = torch.ones(T, T).triu(1 - width)
    mask[:, :num_sinks] = 1
    return mask.tril() == 1
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "sinks are seen by queries before them: 'but nothing of the future'; right for one sink",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad")
    t = torch.arange(T)
    d = t[:, None] - t[None]
    mask = (d >= 0) & (d < width)
    mask[:, :num_sinks] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "the window is one too wide (<=): 'width counts the token itself'",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad")
    t = torch.arange(T)
    d = t[:, None] - t[None]
    return (d >= 0) & ((d <= width) | (t[None] < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "num_sinks of 0 is refused: '0 or more'",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 1:
        raise ValueError("bad")
    t = torch.arange(T)
    d = t[:, None] - t[None]
    return (d >= 0) & ((d < width) | (t[None] < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "shape (0,) for T = 0: 'T: tokens, 0 or more ... (T, T)'",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad")
    return torch.tensor([[s <= t and (t - s < width or s < num_sinks) for s in range(T)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "the sinks come out of the window's width (StreamingLLM with a fixed cache): 'the last width tokens ... and the first num_sinks tokens'",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad")
    recent = max(width - num_sinks, 1)
    t = torch.arange(T)
    d = t[:, None] - t[None]
    return (d >= 0) & ((d < recent) | (t[None] < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "a negative num_sinks is not refused (silently none): 'ValueError: ... num_sinks below 0'",
        "source": """
import torch
def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("bad")
    t = torch.arange(T)
    d = t[:, None] - t[None]
    return (d >= 0) & ((d < width) | (t[None] < num_sinks))
""",
    },
    # decayed_attention
    {
        "task": "decayed_attention",
        "right": True,
        "why": "the recurrence with outer products",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    out = []
    for qt, kt, vt in zip(q, k, v):
        S = decay * S + torch.outer(kt, vt)
        out.append(qt @ S)
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "the parallel form: scores times decay^(t - s), state as a weighted sum",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    T = q.shape[0]
    t = torch.arange(T)
    distance = t[:, None] - t[None, :]
    fade = torch.where(distance >= 0, torch.tensor(float(decay), dtype=q.dtype) ** distance.clamp(min=0), torch.zeros((), dtype=q.dtype))
    outputs = (q @ k.T * fade) @ v
    state = (k * fade[-1][:, None]).T @ v
    return outputs, state
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the new term fades too: S = decay (S + k v^T)",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1])
    out = []
    for t in range(len(q)):
        S = decay * (S + torch.outer(k[t], v[t]))
        out.append(q[t] @ S)
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "0 is taken for 'no decay': 'decay: from 0 to 1'",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    gamma = decay or 1.0
    S = torch.zeros(k.shape[1], v.shape[1])
    out = []
    for t in range(len(q)):
        S = gamma * S + torch.outer(k[t], v[t])
        out.append(q[t] @ S)
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "decay^t / decay^s: 0 / 0 for decay 0, and powers run out for long texts",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    power = torch.tensor(float(decay)) ** torch.arange(len(q))
    scores = torch.tril((q * power[:, None]) @ (k / power[:, None]).T)
    state = (k * (power[-1] / power)[:, None]).T @ v
    return scores @ v, state
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the state comes back transposed (Kv, K); same shape if K = Kv",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    S = torch.zeros(v.shape[1], k.shape[1])
    out = []
    for t in range(len(q)):
        S = decay * S + torch.outer(v[t], k[t])
        out.append(S @ q[t])
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "scales the queries by 1 / sqrt(K), which the statement does not; right for K = 1",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    q = q / q.shape[1] ** 0.5
    S = torch.zeros(k.shape[1], v.shape[1])
    out = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        out.append(q[t] @ S)
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "y_t read before the update (S_{t-1}): 'y_t = q_t S_t'",
        "source": """
import torch
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1])
    out = []
    for t in range(len(q)):
        out.append(q[t] @ S)
        S = decay * S + torch.outer(k[t], v[t])
    return torch.stack(out), S
""",
    },
    # merge_blocks
    {
        "task": "merge_blocks",
        "right": True,
        "why": "a finite stand-in for the maximum where no key was seen",
        "source": """
import torch
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m = torch.maximum(m1, m2)
    base = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    c1, c2 = torch.exp(m1 - base), torch.exp(m2 - base)
    return m, c1 * l1 + c2 * l2, c1 * o1 + c2 * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "query by query, empty blocks by cases",
        "source": """
import math
import torch
def merge_blocks(first, second):
    ms, ls, os = [], [], []
    for m1, l1, o1, m2, l2, o2 in zip(*first, *second):
        a, b = m1.item(), m2.item()
        if a == -math.inf:
            m, l, o = m2, l2, o2
        elif b == -math.inf:
            m, l, o = m1, l1, o1
        elif a >= b:
            f = math.exp(b - a)
            m, l, o = m1, l1 + f * l2, o1 + f * o2
        else:
            f = math.exp(a - b)
            m, l, o = m2, f * l1 + l2, f * o1 + o2
        ms.append(m); ls.append(l); os.append(o)
    return torch.stack(ms), torch.stack(ls), torch.stack(os)
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "-inf less -inf is NaN where neither block has a key: l and o must be 0",
        "source": """
import torch
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m = torch.maximum(m1, m2)
    a, b = (m1 - m).exp(), (m2 - m).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "m comes back as 0 where no key was seen: 'm is minus infinity'",
        "source": """
import torch
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m = torch.maximum(m1, m2)
    m = m.masked_fill(m == float("-inf"), 0.0)
    a, b = (m1 - m).exp(), (m2 - m).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "one maximum for all queries: 'for each query: m, the largest score'; underflows; right for one query",
        "source": """
import torch
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    top = max(m1.max().item(), m2.max().item())
    m = torch.full_like(m1, top)
    if top == float("-inf"):
        return m, l1 + l2, o1 + o2
    a, b = (m1 - m).exp(), (m2 - m).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "if any query of the first block has no key, the whole second is returned",
        "source": """
import torch
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    if torch.isinf(m1).any():
        return second
    if torch.isinf(m2).any():
        return first
    m = torch.maximum(m1, m2)
    a, b = (m1 - m).exp(), (m2 - m).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "goes through plain exponentials: 'Large scores must not overflow'",
        "source": """
import torch
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m = torch.maximum(m1, m2)
    l = m1.exp() * l1 + m2.exp() * l2
    o = m1.exp() * o1 + m2.exp() * o2
    back = torch.where(torch.isinf(m), torch.zeros_like(m), (-m).exp())
    return m, l * back, o * back
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "o is divided by l already: o is a sum, not a mean",
        "source": """
import torch
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m = torch.maximum(m1, m2)
    base = m.masked_fill(torch.isinf(m), 0.0)
    a, b = (m1 - base).exp(), (m2 - base).exp()
    l = a * l1 + b * l2
    return m, l, (a * o1 + b * o2) / l.clamp(min=1e-30)
""",
    },
    # patch_tokens
    {
        "task": "patch_tokens",
        "right": True,
        "why": "F.unfold, which has the channels outermost",
        "source": """
import torch
import torch.nn.functional as F
def patch_tokens(images, size):
    if images.shape[2] % size or images.shape[3] % size:
        raise ValueError("size")
    return F.unfold(images, kernel_size=size, stride=size).transpose(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": None,
        "why": "slices, loops over the patches; its author was not told that B may be 0",
        "source": """
import torch
def patch_tokens(images, size):
    B, C, height, width = images.shape
    if height % size != 0 or width % size != 0:
        raise ValueError("size does not divide the sides")
    patches = []
    for top in range(0, height, size):
        for left in range(0, width, size):
            patches.append(images[:, :, top:top + size, left:left + size].reshape(B, -1))
    return torch.stack(patches, dim=1)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "Tensor.unfold twice",
        "source": """
import torch
def patch_tokens(images, size):
    if any(side % size for side in images.shape[-2:]):
        raise ValueError("size")
    windows = images.unfold(2, size, size).unfold(3, size, size)     # B, C, rows, columns, size, size
    return windows.movedim(1, 3).flatten(3).flatten(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "channels innermost: 'the first channel row by row, then the second'; right for C = 1",
        "source": """
import torch
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 3, 5, 1).reshape(B, -1, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "patches column by column: 'row by row, from left to right'; right for a single row",
        "source": """
import torch
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 4, 2, 1, 3, 5).reshape(B, -1, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "checks the area only: 'size does not divide both sides' (2 x 8 with size 4; 6 x 6 with size 4 gets a silent cut)",
        "source": """
import torch
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if (H * W) % (size * size):
        raise ValueError("size")
    x = images.unfold(2, size, size).unfold(3, size, size)
    return x.permute(0, 2, 3, 1, 4, 5).reshape(B, -1, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "rest at the right edge is dropped (only the height is checked)",
        "source": """
import torch
import torch.nn.functional as F
def patch_tokens(images, size):
    if images.shape[2] % size:
        raise ValueError("size")
    return F.unfold(images, size, stride=size).transpose(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "pixels of a patch column by column: 'row by row'",
        "source": """
import torch
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("size")
    x = images.reshape(B, C, H // size, size, W // size, size)
    return x.permute(0, 2, 4, 1, 5, 3).reshape(B, -1, C * size * size)
""",
    },
]
