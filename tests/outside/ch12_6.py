ANSWERS = [
    {
        "task": "lens_ranks",
        "right": True,
        "why": "the formula, vectorised",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(dim=-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer:answer + 1]).sum(dim=-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "without the norm: a positive factor of a row changes no rank; loop over the layers, counted in Python",
        "source": r"""
import torch


def lens_ranks(states, gain, unembedding, answer):
    ranks = []
    for x in states:
        x = x / x.abs().max()
        logits = torch.mv(unembedding, x * gain).tolist()
        better = [score for score in logits if score > logits[answer]]
        ranks.append(len(better) + 1)
    return torch.tensor(ranks, dtype=torch.int64)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": '"Tokens with the same logit as the answer do not count as better": counted with >=, wrong where two tokens have equal logits',
        "source": r"""
import torch


def lens_ranks(states, gain, unembedding, answer):
    rms = torch.sqrt((states ** 2).mean(1, keepdim=True))
    logits = (states / rms * gain) @ unembedding.T
    return (logits >= logits[:, [answer]]).sum(1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "LayerNorm instead of RMSNorm: the mean is taken off, too",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    centred = states - states.mean(dim=1, keepdim=True)
    normed = centred / centred.pow(2).mean(dim=1, keepdim=True).sqrt()
    logits = (normed * gain) @ unembedding.T
    return (logits > logits[:, answer].unsqueeze(1)).sum(1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "ranks of different values: several tokens with one and the same larger logit count once",
        "source": r"""
import torch


def lens_ranks(states, gain, unembedding, answer):
    ranks = []
    for x in states:
        logits = unembedding @ (x / x.square().mean().sqrt() * gain)
        ranks.append(1 + len(torch.unique(logits[logits > logits[answer]])))
    return torch.tensor(ranks)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "the rank of the probabilities: with large logits the softmax makes them equal (0), and tokens with a larger logit are not counted",
        "source": r"""
import torch


def lens_ranks(states, gain, unembedding, answer):
    normed = states * torch.rsqrt(states.pow(2).mean(-1, keepdim=True))
    probs = torch.softmax((normed * gain) @ unembedding.T, dim=-1)
    return (probs > probs[:, answer:answer + 1]).sum(-1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "the norm over the layers (dim 0) instead of over the numbers of a state",
        "source": r"""
import torch.nn.functional as F


def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(dim=0).sqrt()
    logits = F.linear(normed * gain, unembedding)
    return (logits > logits[:, answer][:, None]).sum(dim=1) + 1
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "loop over slices of columns",
        "source": r"""
import torch


def head_parts(mixed, weight, num_heads):
    width = mixed.shape[1]
    if width % num_heads != 0:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    parts = []
    for h in range(num_heads):
        columns = slice(h * K, (h + 1) * K)
        parts.append(mixed[:, columns] @ weight[:, columns].T)
    return torch.stack(parts)
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "einsum over reshaped heads",
        "source": r"""
import torch


def head_parts(mixed, weight, num_heads):
    K, rest = divmod(mixed.shape[-1], num_heads)
    if rest:
        raise ValueError(f"{num_heads} heads do not divide {mixed.shape[-1]}")
    gathered = mixed.unflatten(-1, (num_heads, K))
    columns = weight.unflatten(-1, (num_heads, K))
    return torch.einsum("thk,dhk->htd", gathered, columns)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "head h owns the columns h, h + H, h + 2H ... instead of K side by side; the same for heads of width 1",
        "source": r"""
import torch


def head_parts(mixed, weight, num_heads):
    if mixed.shape[1] % num_heads:
        raise ValueError("H does not divide the width")
    return torch.stack([mixed[:, h::num_heads] @ weight[:, h::num_heads].T for h in range(num_heads)])
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": '"Raises ValueError": view raises RuntimeError if H does not divide the width',
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, D = mixed.shape[0], weight.shape[0]
    a = mixed.reshape(T, num_heads, -1).transpose(0, 1)
    w = weight.reshape(D, num_heads, -1).permute(1, 2, 0)
    return a @ w
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": '"(H, T, D)": the first two dimensions are exchanged, (T, H, D); the same for T = H or in the sum',
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("H does not divide the width")
    K = width // num_heads
    parts = mixed.view(T, num_heads, 1, K) * weight.view(1, weight.shape[0], num_heads, K).transpose(1, 2)
    return parts.sum(-1)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "mixed is viewed as (H, T, K) without transposing, which mixes tokens and heads; the same for one token",
        "source": r"""
import torch


def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads != 0:
        raise ValueError("H does not divide the width")
    K = width // num_heads
    a = mixed.reshape(num_heads, T, K)
    w = weight.T.reshape(num_heads, K, -1)
    return torch.bmm(a, w)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": '"Raises ValueError: H does not divide the width": the columns that are left over are dropped in silence',
        "source": r"""
import torch


def head_parts(mixed, weight, num_heads):
    K = mixed.shape[1] // num_heads
    parts = torch.zeros(num_heads, mixed.shape[0], weight.shape[0], dtype=mixed.dtype)
    for h in range(num_heads):
        for k in range(h * K, h * K + K):
            parts[h] += torch.outer(mixed[:, k], weight[:, k])
    return parts
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "index arrays",
        "source": r"""
import torch


def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period < T:
        raise ValueError("the period must be from 1 to T - 1")
    t = torch.arange(period, T)
    return weights[:, t, t - period + 1].mean(dim=1)
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "a diagonal without its first number",
        "source": r"""
import torch


def induction_score(weights, period):
    T = weights.size(1)
    if period < 1 or period > T - 1:
        raise ValueError(f"period {period} is outside 1 to {T - 1}")
    line = torch.diagonal(weights, offset=1 - period, dim1=1, dim2=2)   # queries period - 1 to T - 1
    return line[:, 1:].sum(dim=1) / (T - period)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": '"all queries t = period, ..., T - 1": the whole diagonal, the query period - 1 (which looks at token 0) included',
        "source": r"""
def induction_score(weights, period):
    if period < 1 or period >= weights.shape[-1]:
        raise ValueError("period outside 1 to T - 1")
    return weights.diagonal(1 - period, 1, 2).mean(-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": '"also if there are more rounds than two": only the second round is scored',
        "source": r"""
import torch


def induction_score(weights, period):
    T = weights.shape[1]
    if period < 1 or period >= T:
        raise ValueError("period outside 1 to T - 1")
    found = [weights[:, t, t - period + 1] for t in range(period, min(2 * period, T))]
    return torch.stack(found).mean(0)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": '"or if the last one is cut short": only whole rounds are scored',
        "source": r"""
import torch


def induction_score(weights, period):
    T = weights.shape[1]
    if period < 1 or period >= T:
        raise ValueError("period outside 1 to T - 1")
    end = max(T // period * period, period + 1)
    t = torch.arange(period, end)
    return weights[:, t, t - period + 1].mean(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "looks at t - p, the earlier copy itself, instead of the token after it",
        "source": r"""
import torch


def induction_score(weights, period):
    T = weights.shape[1]
    if not 0 < period < T:
        raise ValueError("period outside 1 to T - 1")
    total = torch.zeros(weights.shape[0])
    for t in range(period, T):
        total = total + weights[:, t, t - period]
    return total / (T - period)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": '"Raises ValueError: a period outside 1 to T - 1": only a period below 1 raises; T gives nan',
        "source": r"""
import torch


def induction_score(weights, period):
    if period < 1:
        raise ValueError("the period must be at least 1")
    T = weights.shape[1]
    t = torch.arange(min(period, T), T)
    return weights[:, t, t - period + 1].mean(dim=1)
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "clone and slices",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    result = mixed.clone()
    for h in heads:
        result[:, :, h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return result
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "a mask of columns and where",
        "source": r"""
import torch


def mean_ablate(mixed, heads, num_heads, reference):
    width = mixed.shape[-1]
    owner = torch.arange(width) // (width // num_heads)
    silent = torch.zeros(width, dtype=torch.bool)
    for h in heads:
        silent |= owner == h
    average = reference.flatten(0, 1).mean(dim=0)
    return torch.where(silent, average, mixed)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": '"A new tensor; mixed is left as it is": writes into mixed',
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    split = mixed.view(mixed.shape[0], mixed.shape[1], num_heads, K)
    for h in heads:
        split[:, :, h] = mean[h * K:(h + 1) * K]
    return mixed
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": '"A new tensor": with an empty list of heads mixed itself comes back',
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    if len(heads) == 0:
        return mixed
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for h in heads:
        out[..., h * K:h * K + K] = reference[..., h * K:h * K + K].mean(dim=(0, 1))
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "one number for the head: the average over its K columns, too; the same for width 1",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    B, T, width = mixed.shape
    K = width // num_heads
    out = mixed.clone().view(B, T, num_heads, K)
    means = reference.reshape(-1, num_heads, K).mean(dim=(0, 2))
    for h in heads:
        out[:, :, h, :] = means[h]
    return out.view(B, T, width)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": '"head h owns the columns h K to (h + 1) K": takes the columns h, h + H, h + 2H ...',
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    mean = reference.mean(0).mean(0)
    for h in heads:
        out[..., h::num_heads] = mean[h::num_heads]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": '"the average is taken over all of their tokens": over the last text of the reference only',
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for text in reference:
        mean = text.mean(dim=0)
        for h in heads:
            out[:, :, h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
    return out
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "cumsum for the means",
        "source": r"""
import torch


def patched_states(clean, other, weights, layer, position):
    def step(x, W):
        counts = torch.arange(1, len(x) + 1, dtype=x.dtype).unsqueeze(1)
        return x + (x.cumsum(dim=0) / counts) @ W

    for number, W in enumerate(weights):
        clean, other = step(clean, W), step(other, W)
        if number == layer:
            other = other.clone()
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "two runs one after the other, loops over positions",
        "source": r"""
import torch


def patched_states(clean, other, weights, layer, position):
    def run(x, matrices):
        rows = [row for row in x]
        for W in matrices:
            new = []
            for t in range(len(rows)):
                mean = sum(rows[:t + 1]) / (t + 1)
                new.append(rows[t] + mean @ W)
            rows = new
        return rows

    early = weights[:layer + 1]
    late = weights[layer + 1:]
    states = run(other, early)
    states[position] = run(clean, early)[position]
    return torch.stack(run(states, late))
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": '"one vector taken": exchanged after every layer from `layer` on; the same at position 0',
        "source": r"""
import torch


def patched_states(clean, other, weights, layer, position):
    counts = torch.arange(1, clean.shape[0] + 1).view(-1, 1)
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        a = a + (a.cumsum(0) / counts) @ W
        b = b + (b.cumsum(0) / counts) @ W
        if i >= layer:
            b[position] = a[position]
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanges before the layer instead of after it",
        "source": r"""
import torch


def patched_states(clean, other, weights, layer, position):
    T = clean.shape[0]
    mean = torch.tril(torch.ones(T, T)) / torch.arange(1, T + 1)[:, None]
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        if i == layer:
            b[position] = a[position]
        a = a + mean @ a @ W
        b = b + mean @ b @ W
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": '"a function leaves its arguments as they are": += changes both texts',
        "source": r"""
import torch


def patched_states(clean, other, weights, layer, position):
    T = len(clean)
    mean = torch.tril(torch.ones(T, T)) / torch.arange(1, T + 1)[:, None]
    for i, W in enumerate(weights):
        clean += mean @ clean @ W
        other += mean @ other @ W
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": '"mean(x_0 .. x_t) W": multiplies by the transposed matrix, right for symmetric ones only',
        "source": r"""
import torch
import torch.nn.functional as F


def patched_states(clean, other, weights, layer, position):
    counts = torch.arange(1, len(clean) + 1).unsqueeze(-1)
    a, b = clean, other
    for i, W in enumerate(weights):
        a = a + F.linear(a.cumsum(0) / counts, W)
        b = b + F.linear(b.cumsum(0) / counts, W)
        if i == layer:
            b = torch.cat([b[:position], a[position:position + 1], b[position + 1:]])
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanges all positions up to `position`, not one; the same for position 0",
        "source": r"""
import torch


def patched_states(clean, other, weights, layer, position):
    counts = torch.arange(1.0, len(clean) + 1).unsqueeze(-1)
    a, b = clean.clone(), other.clone()
    for i, W in enumerate(weights):
        a = a + (a.cumsum(0) / counts) @ W
        b = b + (b.cumsum(0) / counts) @ W
        if i == layer:
            b[:position + 1] = a[:position + 1]
    return b
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "solve, where, mean",
        "source": r"""
import torch


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    def accuracy(y, new_y):
        eye = torch.eye(x.shape[1], dtype=x.dtype)
        w = torch.linalg.solve(x.T @ x + penalty * eye, x.T @ y)
        said = torch.where(new_x @ w > 0, 1.0, -1.0)
        return (said == new_y).double().mean().item()

    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "both probes at once, w from the dual form x^T (x x^T + penalty I)^-1 y",
        "source": r"""
import torch


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    y = torch.stack([labels, coins], dim=1)
    gram = x @ x.T
    gram = gram + torch.diag(torch.full((len(x),), float(penalty), dtype=x.dtype))
    w = x.T @ torch.linalg.inv(gram) @ y
    positive = (new_x @ w) > 0
    wanted = torch.stack([new_labels, new_coins], dim=1) > 0
    right = (positive == wanted).sum(dim=0).tolist()
    return (right[0] - right[1]) / len(new_x)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": '"says +1 where x . w is above 0, else -1": torch.sign says 0 where x . w is 0, and is never right there',
        "source": r"""
import torch


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1])
    scores = []
    for y, new_y in ((labels, new_labels), (coins, new_coins)):
        w = torch.linalg.solve(A, x.T @ y)
        scores.append((torch.sign(new_x @ w) == new_y).float().mean().item())
    return scores[0] - scores[1]
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": '"above 0": says +1 at 0, too (>=)',
        "source": r"""
import torch


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    A = x.T @ x + penalty * torch.eye(x.shape[1])

    def score(y, new_y):
        w = torch.linalg.solve(A, x.T @ y)
        said = (new_x @ w >= 0).float() * 2 - 1
        return float((said == new_y).float().mean())

    return score(labels, new_labels) - score(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": '"no constant and no scaling": the vectors are centred first',
        "source": r"""
import torch


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    mean = x.mean(dim=0)
    x, new_x = x - mean, new_x - mean
    A = x.T @ x + penalty * torch.eye(x.shape[1])

    def score(y, new_y):
        w = torch.inverse(A) @ x.T @ y
        said = torch.where(new_x @ w > 0, 1.0, -1.0)
        return (said == new_y).float().mean().item()

    return score(labels, new_labels) - score(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": '"The accuracy for the property less the accuracy for the coins": its absolute value, so never below 0',
        "source": r"""
import torch


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    A = torch.linalg.inv(x.T @ x + penalty * torch.eye(x.shape[1])) @ x.T
    first = ((new_x @ (A @ labels) > 0) == (new_labels > 0)).float().mean()
    second = ((new_x @ (A @ coins) > 0) == (new_coins > 0)).float().mean()
    return (first - second).abs().item()
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "X^T X is divided by the number of vectors (a mean), so that the penalty is n times as strong",
        "source": r"""
import torch


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    n = len(x)

    def accuracy(y, new_y):
        w = torch.linalg.solve(x.T @ x / n + penalty * torch.eye(x.shape[1]), x.T @ y / n)
        return ((new_x @ w > 0) == (new_y > 0)).float().mean().item()

    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "comparisons of two aranges",
        "source": r"""
import torch


def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width at least 1, num_sinks at least 0")
    t = torch.arange(T).unsqueeze(1)
    s = torch.arange(T).unsqueeze(0)
    return (s <= t) & ((t - s < width) | (s < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "filled row by row with slices",
        "source": r"""
import torch


def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("the window holds the token itself")
    if num_sinks < 0:
        raise ValueError("no negative sinks")
    mask = torch.zeros((T, T), dtype=torch.bool)
    for t in range(T):
        mask[t, max(0, t - width + 1):t + 1] = True
        mask[t, :min(num_sinks, t + 1)] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": '"nothing of the future": with two sinks or more the first queries see sinks behind them',
        "source": r"""
import torch


def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or num_sinks too small")
    mask = torch.ones(T, T, dtype=torch.bool).tril().triu(1 - width)
    mask[:, :num_sinks] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": '"Raises ValueError: num_sinks below 0" is forgotten',
        "source": r"""
import torch


def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width below 1")
    t, s = torch.arange(T)[:, None], torch.arange(T)[None, :]
    window = (t - s >= 0) & (t - s < width)
    return window | ((s < num_sinks) & (s <= t))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "`width` raises only below 0, so that width 0 gives queries that see only sinks",
        "source": r"""
import torch


def sink_window_mask(T, width, num_sinks):
    if width < 0 or num_sinks < 0:
        raise ValueError("negative width or num_sinks")
    t, s = torch.arange(T)[:, None], torch.arange(T)[None, :]
    return (s <= t) & ((s > t - width) | (s < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": '"perhaps more than T": indexes each sink and fails with IndexError where there are more sinks than tokens',
        "source": r"""
import torch


def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or num_sinks too small")
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        for s in range(max(0, t - width + 1), t + 1):
            mask[t, s] = True
    for s in range(num_sinks):
        mask[s:, s] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": '"the last `width` tokens, itself included": itself and width more',
        "source": r"""
import torch


def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width or num_sinks too small")
    full = torch.ones(T, T, dtype=torch.bool).tril()
    far = torch.ones(T, T, dtype=torch.bool).tril(-width - 1)
    sinks = torch.arange(T) < num_sinks
    return full & (~far | sinks)
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "the recurrence",
        "source": r"""
import torch


def decayed_attention(q, k, v, decay):
    state = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        state = decay * state + torch.outer(k[t], v[t])
        outputs.append(q[t] @ state)
    return torch.stack(outputs), state
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "in parallel: scores times a triangle of powers; a named tuple",
        "source": r"""
import torch
from collections import namedtuple


Retention = namedtuple("Retention", "outputs state")


def decayed_attention(q, k, v, decay):
    T = q.shape[0]
    steps = torch.arange(T)
    distance = (steps[:, None] - steps[None, :]).clamp(min=0)
    powers = torch.tril(torch.tensor(float(decay), dtype=q.dtype) ** distance)
    outputs = (q @ k.T * powers) @ v
    state = torch.einsum("t,tk,tv->kv", powers[-1], k, v)
    return Retention(outputs, state)
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": 'factors decay^t and decay^-t: with decay 0 (allowed: "from 0 to 1") nan',
        "source": r"""
import torch


def decayed_attention(q, k, v, decay):
    T = q.shape[0]
    t = torch.arange(T, dtype=q.dtype).unsqueeze(1)
    qs = q * decay ** t
    ks = k * decay ** (-t)
    outputs = torch.tril(qs @ ks.T) @ v
    state = (ks * decay ** (T - 1)).T @ v
    return outputs, state
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": '"Nothing is normalised": divides the queries by the root of K, the same for K = 1',
        "source": r"""
import math
import torch


def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1])
    ys = []
    for t in range(q.shape[0]):
        S = decay * S + k[t].unsqueeze(1) * v[t].unsqueeze(0)
        ys.append((q[t] / math.sqrt(q.shape[1])) @ S)
    return torch.stack(ys), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the state is v_t k_t^T, of shape (Kv, K), and comes back so; the outputs are right",
        "source": r"""
import torch


def decayed_attention(q, k, v, decay):
    S = torch.zeros(v.shape[1], k.shape[1])
    ys = []
    for t in range(q.shape[0]):
        S = decay * S + torch.outer(v[t], k[t])
        ys.append(S @ q[t])
    return torch.stack(ys), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the last state fades once more after the last token",
        "source": r"""
import torch


def decayed_attention(q, k, v, decay):
    T = len(q)
    S = torch.zeros(k.shape[1], v.shape[1])
    outputs = torch.zeros(T, v.shape[1])
    for t in range(T):
        S = S + k[t][:, None] * v[t][None, :]
        outputs[t] = q[t] @ S
        S = S * decay
    return outputs, S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "y_t is read from the state before the token was added",
        "source": r"""
import torch


def decayed_attention(q, k, v, decay):
    S = k.new_zeros(k.shape[1], v.shape[1])
    rows = []
    for qt, kt, vt in zip(q, k, v):
        rows.append(qt @ S)
        S = decay * S + torch.outer(kt, vt)
    return torch.stack(rows), S
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "where for the queries that see no key",
        "source": r"""
import torch


def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    base = torch.where(torch.isinf(m) & (m < 0), torch.zeros_like(m), m)
    a, b = torch.exp(m1 - base), torch.exp(m2 - base)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "the differences with nan_to_num: what is nan is multiplied with 0 anyway; stacked",
        "source": r"""
import math
import torch


def merge_blocks(first, second):
    m, l, o = (torch.stack(pair) for pair in zip(first, second))
    top = m.max(dim=0).values
    factor = torch.exp(torch.nan_to_num(m - top, nan=0.0, neginf=-math.inf))
    return top, (factor * l).sum(0), (factor * o).sum(0)
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "a query that sees no key in either block: minus infinity less minus infinity is nan, l and o must be 0",
        "source": r"""
import torch


def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    a, b = (m1 - m).exp(), (m2 - m).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": '"Large scores must not overflow": goes back to exp(m) l before adding',
        "source": r"""
import math
import torch


def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.max(m1, m2)
    scale = torch.where(m == -math.inf, 0.0, torch.exp(-m))
    l = (torch.exp(m1) * l1 + torch.exp(m2) * l2) * scale
    o = (torch.exp(m1) * o1 + torch.exp(m2) * o2) * scale
    return m, l, o
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": 'm is the largest over all queries, not "for each query"; the same for one query',
        "source": r"""
import math
import torch


def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    top = torch.max(m1.max(), m2.max())
    m = torch.full_like(m1, top.item())
    if top == -math.inf:
        return m, l1 + l2, o1 + o2
    a, b = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": '"m is minus infinity" where no key is seen: the m that comes back was filled with -1e9',
        "source": r"""
import torch


def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m1 = m1.clamp(min=-1e9)
    m2 = m2.clamp(min=-1e9)
    m = torch.maximum(m1, m2)
    return m, torch.exp(m1 - m) * l1 + torch.exp(m2 - m) * l2, torch.exp(m1 - m) * o1 + torch.exp(m2 - m) * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "if any query sees no key in one block, the whole other block comes back",
        "source": r"""
import torch


def merge_blocks(first, second):
    if torch.isinf(first[0]).any():
        return second
    if torch.isinf(second[0]).any():
        return first
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.where(m1 > m2, m1, m2)
    w1, w2 = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, w1 * l1 + w2 * l2, w1 * o1 + w2 * o2
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "reshape and permute with all sizes written out",
        "source": r"""
def patch_tokens(images, size):
    B, C, height, width = images.shape
    if height % size or width % size:
        raise ValueError("the size does not divide the picture")
    rows, columns = height // size, width // size
    x = images.reshape(B, C, rows, size, columns, size)
    x = x.permute(0, 2, 4, 1, 3, 5)
    return x.reshape(B, rows * columns, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "loop over the patches, cut out and flattened",
        "source": r"""
import torch


def patch_tokens(images, size):
    B, C, height, width = images.shape
    if height % size != 0 or width % size != 0:
        raise ValueError(f"{size} does not divide {height} x {width}")
    tokens = []
    for top in range(0, height, size):
        for left in range(0, width, size):
            tokens.append(images[:, :, top:top + size, left:left + size].flatten(start_dim=1))
    return torch.stack(tokens, dim=1)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": '"B may be 0": reshape with -1 fails with RuntimeError on an empty batch',
        "source": r"""
def patch_tokens(images, size):
    B, C, height, width = images.shape
    if height % size or width % size:
        raise ValueError("the size does not divide the picture")
    x = images.unfold(2, size, size).unfold(3, size, size)      # B, C, rows, columns, size, size
    return x.permute(0, 2, 3, 1, 4, 5).reshape(B, -1, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": '"the first channel row by row, then the second": the channels of each pixel stand together',
        "source": r"""
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("the size does not divide the picture")
    x = images.view(B, C, H // size, size, W // size, size).permute(0, 2, 4, 3, 5, 1)
    return x.reshape(B, (H // size) * (W // size), size * size * C)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": '"does not divide both sides": only the height is looked at; surplus columns are cut off',
        "source": r"""
import torch


def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size != 0:
        raise ValueError("the size does not divide the picture")
    tokens = [images[:, :, i * size:(i + 1) * size, j * size:(j + 1) * size].reshape(B, C * size * size)
              for i in range(H // size) for j in range(W // size)]
    if not tokens:
        return images.new_zeros(B, 0, C * size * size)
    return torch.stack(tokens, 1)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": '"row by row, from left to right": the patches column by column; the same where there is one row of patches',
        "source": r"""
import torch


def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("the size does not divide the picture")
    x = images.reshape(B, C, H // size, size, W // size, size)
    x = torch.einsum("bcrpsq->bsrcpq", x)
    return x.reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": '"Raises ValueError: size does not divide both sides": asks for the product of the sides, 4 divides 2 x 6',
        "source": r"""
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if (H * W) % (size * size):
        raise ValueError("the size does not divide the picture")
    r, c = H // size, W // size
    x = images[:, :, :r * size, :c * size].reshape(B, C, r, size, c, size).transpose(3, 4)
    return x.flatten(4).transpose(1, 2).transpose(2, 3).reshape(B, r * c, C * size * size)
""",
    },
]
