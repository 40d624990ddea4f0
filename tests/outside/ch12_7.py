ANSWERS = [
    {
        "task": "lens_ranks",
        "right": True,
        "why": "vectorised, as the formula says",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    x = states.double()
    normed = x / x.pow(2).mean(dim=-1, keepdim=True).sqrt() * gain.double()
    logits = normed @ unembedding.double().T
    return 1 + (logits > logits[:, answer : answer + 1]).sum(dim=1)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "plain loops over layers, tokens and columns",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    gain, U = gain.tolist(), unembedding.tolist()
    ranks = []
    for x in states.tolist():
        root = math.sqrt(sum(v * v for v in x) / len(x))
        y = [v / root * g for v, g in zip(x, gain)]
        logits = [sum(a * b for a, b in zip(y, row)) for row in U]
        ranks.append(1 + len([l for l in logits if l > logits[answer]]))
    return torch.tensor(ranks, dtype=torch.long)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "leaves the division out: a positive factor changes no rank",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    logits = torch.einsum("ld,d,vd->lv", states.double(), gain.double(), unembedding.double())
    best_first = logits - logits[:, answer].unsqueeze(1)
    return torch.count_nonzero(best_first > 0, dim=1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": '>= : tokens with the same logit count as better; rule: they "do not count as better"',
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return (logits >= logits[:, [answer]]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "multiplies by 1 + gain, as another model family does; agrees on the example",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    normed = states * states.pow(2).mean(-1, keepdim=True).rsqrt() * (1 + gain)
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, [answer]]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "normalises the caller's states in place",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    states /= states.pow(2).mean(-1, keepdim=True).sqrt()
    logits = (states * gain) @ unembedding.T
    return 1 + (logits > logits[:, [answer]]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "counts from 0, so that the likeliest has rank 0",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    normed = F.rms_norm(states, states.shape[-1:], gain)
    logits = normed @ unembedding.T
    return (logits > logits[:, [answer]]).sum(-1)
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "both views by head, one einsum",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if num_heads < 1 or width % num_heads:
        raise ValueError("the heads do not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "a loop: everything but one head's columns is 0",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    width = mixed.shape[1]
    if num_heads <= 0 or width % num_heads != 0:
        raise ValueError(f"{num_heads} heads in a width of {width}")
    K = width // num_heads
    parts = []
    for h in range(num_heads):
        alone = torch.zeros_like(mixed)
        alone[:, h * K : h * K + K] = mixed[:, h * K : h * K + K]
        parts.append(F.linear(alone, weight))
    return torch.stack(parts)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "takes every H-th column for a head; right only for heads of width 1",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("H does not divide the width")
    return torch.stack([mixed[:, h::num_heads] @ weight[:, h::num_heads].T for h in range(num_heads)])
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": 'assert instead of "ValueError: H does not divide the width"',
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    assert width % num_heads == 0
    K = width // num_heads
    return torch.stack([a @ b.T for a, b in zip(mixed.split(K, 1), weight.split(K, 1))])
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "takes the weight for (H K, D): reshape mixes its rows, right only for D = 1",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("H does not divide the width")
    K = width // num_heads
    by_head = mixed.reshape(T, num_heads, K).transpose(0, 1)
    return by_head @ weight.reshape(num_heads, K, -1)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "shape (T, H, D) instead of (H, T, D)",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError("H does not divide the width")
    K = width // num_heads
    return torch.einsum("thk,dhk->thd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "a diagonal without its first entry",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period < T:
        raise ValueError("period must be from 1 to T - 1")
    return weights.diagonal(offset=1 - period, dim1=1, dim2=2)[:, 1:].mean(dim=1)
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "sum of single entries in a loop",
        "source": r"""
def induction_score(weights, period):
    H, T, _ = weights.shape
    if period < 1 or period >= T:
        raise ValueError(period)
    total = torch.zeros(H, dtype=weights.dtype)
    for t in range(period, T):
        total = total + weights[:, t, t - period + 1]
    return total / (T - period)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "takes the whole diagonal, the query period - 1 of the first round too; agrees on the example",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError("period")
    return weights.diagonal(1 - period, 1, 2).mean(-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "only the second round counts: with three rounds the queries from 2 period on are missing",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError("period")
    t = torch.arange(period, min(2 * period, T))
    return weights[:, t, t - period + 1].mean(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "no ValueError for a period outside 1 to T - 1",
        "source": r"""
def induction_score(weights, period):
    t = torch.arange(period, max(weights.shape[1], period))
    return weights[:, t, t - period + 1].mean(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "looks at t - period, the earlier copy itself, not at the token after it",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if period < 1 or period > T - 1:
        raise ValueError("period")
    t = torch.arange(period, T)
    return weights[:, t, t - period].mean(1)
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "a clone whose columns are written over",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    mean = reference.mean(dim=(0, 1))
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for h in heads:
        out[..., h * K : (h + 1) * K] = mean[h * K : (h + 1) * K]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "torch.where with a mask of columns",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    width = mixed.shape[-1]
    owner = torch.arange(width) // (width // num_heads)
    silent = torch.tensor([int(h) in list(heads) for h in owner])
    return torch.where(silent, reference.flatten(0, 1).mean(0), mixed)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": 'writes into mixed, which must be "left as it is"',
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    B, T, width = mixed.shape
    view = mixed.view(B, T, num_heads, width // num_heads)
    mean = reference.mean((0, 1)).view(num_heads, -1)
    for h in heads:
        view[:, :, h] = mean[h]
    return view.view(B, T, width)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": 'without heads mixed itself comes back; rule: "A new tensor"',
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed
    K = mixed.shape[-1] // num_heads
    mean = reference.mean((0, 1))
    for h in heads:
        out = torch.cat([out[..., : h * K], mean[h * K : h * K + K].expand(*out.shape[:2], K), out[..., h * K + K :]], -1)
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": 'columns h, h + H, ... ; rule: "head h owns the columns h K to (h + 1) K"',
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    out, mean = mixed.clone(), reference.mean((0, 1))
    for h in heads:
        out[..., h::num_heads] = mean[h::num_heads]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "one mean for all columns of a head instead of one for each column; right for heads of width 1",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    K = mixed.shape[-1] // num_heads
    for h in heads:
        out[..., h * K : (h + 1) * K] = reference[..., h * K : (h + 1) * K].mean()
    return out
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "one helper for a layer with cumsum, the run split at the layer",
        "source": r"""
def _layer(x, W):
    count = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x + x.cumsum(0) / count @ W


def patched_states(clean, other, weights, layer, position):
    for W in weights[: layer + 1]:
        clean, other = _layer(clean, W), _layer(other, W)
    other = other.clone()
    other[position] = clean[position]
    for W in weights[layer + 1 :]:
        other = _layer(other, W)
    return other
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "loops over positions, all states kept",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    def step(x, W):
        return torch.stack([x[t] + x[: t + 1].mean(0) @ W for t in range(x.shape[0])])

    states = [clean]
    for W in weights:
        states.append(step(states[-1], W))
    x = other
    for i, W in enumerate(weights):
        x = step(x, W)
        if i == layer:
            x = torch.cat([x[:position], states[i + 1][position : position + 1], x[position + 1 :]])
    return x
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "adds into the caller's texts in place",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    count = torch.arange(1, len(other) + 1)[:, None]
    for i, W in enumerate(weights):
        clean += (clean.cumsum(0) / count) @ W
        other += (other.cumsum(0) / count) @ W
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "times the transposed matrix; right for symmetric ones only",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    a, b = clean.clone(), other.clone()
    count = torch.arange(1, len(other) + 1)[:, None]
    for i, W in enumerate(weights):
        a = a + F.linear(a.cumsum(0) / count, W)
        b = b + F.linear(b.cumsum(0) / count, W)
        if i == layer:
            b[position] = a[position]
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanges at the start of the next layer, so never after the last layer",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    a, b = clean.clone(), other.clone()
    count = torch.arange(1, len(other) + 1)[:, None]
    for i, W in enumerate(weights):
        if i == layer + 1:
            b[position] = a[position]
        a = a + a.cumsum(0) / count @ W
        b = b + b.cumsum(0) / count @ W
    return b
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": 'exchanges again after every later layer; rule: "one vector, after one layer"',
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    a, b = clean.clone(), other.clone()
    count = torch.arange(1, len(other) + 1)[:, None]
    for i, W in enumerate(weights):
        a = a + a.cumsum(0) / count @ W
        b = b + b.cumsum(0) / count @ W
        if i >= layer:
            b[position] = a[position]
    return b
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "torch, a helper for one accuracy",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    def accuracy(y, new_y):
        X = x.double()
        w = torch.linalg.solve(X.T @ X + penalty * torch.eye(X.shape[1], dtype=X.dtype), X.T @ y.double())
        says_plus = new_x.double() @ w > 0
        return (says_plus == (new_y > 0)).double().mean().item()

    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "NumPy, both probes at once as two columns, answers counted in a loop",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    X = x.detach().numpy().astype(float)
    Y = np.stack([labels.numpy(), coins.numpy()], axis=1).astype(float)
    W = np.linalg.inv(X.T @ X + penalty * np.identity(X.shape[1])) @ (X.T @ Y)
    scores = new_x.detach().numpy().astype(float) @ W
    right = [0, 0]
    for i in range(len(scores)):
        for j, truth in enumerate([new_labels[i], new_coins[i]]):
            said = 1.0 if scores[i, j] > 0 else -1.0
            right[j] += said == float(truth)
    return (right[0] - right[1]) / len(scores)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": 'sign(0) is 0 and never right; rule: "+1 where x . w is above 0, else -1" (a vector of zeros)',
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    gram = x.T @ x + penalty * torch.eye(x.shape[1])
    def accuracy(y, new_y):
        return (torch.sign(new_x @ torch.linalg.solve(gram, x.T @ y)) == new_y).float().mean().item()
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "the probe of the property is scored on the coins, too: no probe is fitted to the coins",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    w = torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1]), x.T @ labels)
    said = torch.where(new_x @ w > 0, 1.0, -1.0)
    return ((said == new_labels).float().mean() - (said == new_coins).float().mean()).item()
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": 'the property is scored on the vectors of training; rule: "fitted on x and scored on new_x"',
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    gram = x.T @ x + penalty * torch.eye(x.shape[1])
    def accuracy(y, on, truth):
        said = torch.where(on @ torch.linalg.solve(gram, x.T @ y) > 0, 1.0, -1.0)
        return (said == truth).float().mean().item()
    return accuracy(labels, x, labels) - accuracy(coins, new_x, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": 'centres the vectors; rule: "no constant and no scaling"',
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    mean = x.mean(0)
    a, b = x - mean, new_x - mean
    gram = a.T @ a + penalty * torch.eye(x.shape[1])
    def accuracy(y, truth):
        said = torch.where(b @ torch.linalg.solve(gram, a.T @ y) > 0, 1.0, -1.0)
        return (said == truth).float().mean().item()
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": 'a negative selectivity is cut to 0; rule: "The accuracy for the property less the accuracy for the coins"',
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    gram = x.T @ x + penalty * torch.eye(x.shape[1])
    def accuracy(y, new_y):
        said = torch.where(new_x @ torch.linalg.solve(gram, x.T @ y) > 0, 1.0, -1.0)
        return (said == new_y).float().mean().item()
    return max(0.0, accuracy(labels, new_labels) - accuracy(coins, new_coins))
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "comparisons of two ranges",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width must be at least 1, num_sinks at least 0")
    t = torch.arange(T).unsqueeze(1)
    s = torch.arange(T).unsqueeze(0)
    return (s <= t) & ((t - s < width) | (s < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "fills row by row with slices",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width")
    if num_sinks < 0:
        raise ValueError("num_sinks")
    mask = torch.zeros((T, T), dtype=torch.bool)
    for t in range(T):
        mask[t, max(0, t - width + 1) : t + 1] = True
        mask[t, : min(num_sinks, t + 1)] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": 'early queries see later sinks; rule: "but nothing of the future" (two sinks or more)',
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width, num_sinks")
    ones = torch.ones(T, T, dtype=torch.bool)
    mask = ones.tril() & ones.triu(1 - width)
    mask[:, :num_sinks] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": 'whole numbers instead of "A bool tensor"',
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width, num_sinks")
    mask = torch.ones(T, T, dtype=torch.long).tril()
    window = mask.triu(1 - width)
    window[:, :num_sinks] = mask[:, :num_sinks]
    return window
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": 'T = 0 gives the shape (0,) instead of (0, 0); rule: "T: tokens, 0 or more"',
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width, num_sinks")
    rows = [[s <= t and (t - s < width or s < num_sinks) for s in range(T)] for t in range(T)]
    return torch.tensor(rows, dtype=torch.bool)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "no ValueError for negative num_sinks",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width must be at least 1")
    d = torch.arange(T)[:, None] - torch.arange(T)
    return (d >= 0) & ((d < width) | (torch.arange(T) < num_sinks))
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "the recurrence",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "all at once: scores times a triangle of powers",
        "source": r"""
def decayed_attention(q, k, v, decay):
    T = q.shape[0]
    gap = torch.arange(T).unsqueeze(1) - torch.arange(T)
    powers = torch.pow(torch.tensor(float(decay), dtype=v.dtype), gap.clamp(min=0)).tril()
    outputs = (q @ k.transpose(0, 1) * powers) @ v
    return outputs, torch.einsum("t,tk,tv->kv", powers[-1], k, v)
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "the state has the shape (Kv, K) instead of (K, Kv)",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = torch.zeros(v.shape[1], k.shape[1], dtype=v.dtype)
    ys = []
    for a, b, c in zip(q, k, v):
        S = decay * S + c[:, None] * b
        ys.append(S @ a)
    return torch.stack(ys), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": 'powers by exp and log: fails for decay 0; rule: "decay: from 0 to 1"',
        "source": r"""
def decayed_attention(q, k, v, decay):
    T = len(q)
    gap = (torch.arange(T)[:, None] - torch.arange(T)).to(v.dtype)
    powers = torch.exp(gap.clamp(min=0) * math.log(decay)).tril()
    return (q @ k.T * powers) @ v, (k * powers[-1, :, None]).T @ v
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "divides the scores by the root of K as attention does; rule: y_t = q_t S_t",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    ys = []
    for t in range(q.shape[0]):
        S = decay * S + k[t][:, None] @ v[t][None]
        ys.append(q[t] @ S / math.sqrt(q.shape[1]))
    return torch.stack(ys), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "a square state (K, K): fails where Kv differs from K",
        "source": r"""
def decayed_attention(q, k, v, decay):
    K = q.shape[1]
    S = torch.zeros(K, K, dtype=v.dtype)
    outputs = torch.zeros_like(v)
    for t in range(len(q)):
        S = decay * S
        S += k[t].unsqueeze(1) * v[t].unsqueeze(0)
        outputs[t] = q[t] @ S
    return outputs, S
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "differences of minus infinities are replaced",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    base = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a, b = torch.exp(m1 - base), torch.exp(m2 - base)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "query by query",
        "source": r"""
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m, l, o = m1.clone(), l1.clone(), o1.clone()
    for t in range(len(m1)):
        if l2[t, 0] == 0:
            continue
        if l1[t, 0] == 0:
            m[t], l[t], o[t] = m2[t], l2[t], o2[t]
            continue
        top = max(m1[t, 0].item(), m2[t, 0].item())
        a, b = math.exp(m1[t, 0].item() - top), math.exp(m2[t, 0].item() - top)
        m[t], l[t], o[t] = top, a * l1[t] + b * l2[t], a * o1[t] + b * o2[t]
    return m, l, o
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": 'a query that sees no key in both blocks gets NaN (inf - inf); "l and o are 0"',
        "source": r"""
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
        "why": 'exp of the scores themselves; rule: "Large scores must not overflow"',
        "source": r"""
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m = torch.maximum(m1, m2)
    e1, e2 = m1.exp(), m2.exp()
    e = torch.where(torch.isinf(m), torch.ones_like(m), torch.maximum(e1, e2))
    return m, (e1 * l1 + e2 * l2) / e, (e1 * o1 + e2 * o2) / e
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": 'm is a very negative number where a query sees no key; rule: "m is minus infinity"',
        "source": r"""
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m1, m2 = m1.clamp(min=-1e9), m2.clamp(min=-1e9)
    m = torch.maximum(m1, m2)
    a, b = (m1 - m).exp(), (m2 - m).exp()
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": 'one largest score for all queries; rule: "for each query: m, the largest score"',
        "source": r"""
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    top = torch.maximum(m1.max(), m2.max())
    if torch.isinf(top):
        return m1.clone(), l1.clone(), o1.clone()
    a, b = (m1 - top).exp(), (m2 - top).exp()
    return top.expand_as(m1), a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "reshape and permute",
        "source": r"""
def patch_tokens(images, size):
    B, C, height, width = images.shape
    if height % size or width % size:
        raise ValueError("the size does not divide both sides")
    rows, columns = height // size, width // size
    cut = images.reshape(B, C, rows, size, columns, size).permute(0, 2, 4, 1, 3, 5)
    return cut.reshape(B, rows * columns, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "cuts one patch after the other out of the pictures",
        "source": r"""
def patch_tokens(images, size):
    B, C, height, width = images.shape
    if height % size != 0 or width % size != 0:
        raise ValueError(f"{size} does not divide {height} x {width}")
    tokens = []
    for top in range(0, height, size):
        for left in range(0, width, size):
            patch = images[:, :, top : top + size, left : left + size]
            tokens.append(patch.flatten(1))
    return torch.stack(tokens, dim=1)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": 'channels last in each patch; rule: "the first channel row by row, then the second"',
        "source": r"""
def patch_tokens(images, size):
    B, C, h, w = images.shape
    if h % size or w % size:
        raise ValueError("size")
    x = images.reshape(B, C, h // size, size, w // size, size).permute(0, 2, 4, 3, 5, 1)
    return x.reshape(B, (h // size) * (w // size), size * size * C)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": 'patches column by column; rule: "the patches row by row, from left to right"',
        "source": r"""
def patch_tokens(images, size):
    B, C, h, w = images.shape
    if h % size or w % size:
        raise ValueError("size")
    x = images.unfold(2, size, size).unfold(3, size, size).permute(0, 3, 2, 1, 4, 5)
    return x.reshape(B, (h // size) * (w // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": 'reshape with -1 is ambiguous without pictures; rule: "B may be 0"',
        "source": r"""
def patch_tokens(images, size):
    B, C, h, w = images.shape
    if h % size or w % size:
        raise ValueError("size")
    x = images.unfold(2, size, size).unfold(3, size, size).permute(0, 2, 3, 1, 4, 5)
    return x.reshape(B, -1, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": 'looks at the area only: 2 x 8 pixels in patches of 4 must raise ValueError ("does not divide both sides")',
        "source": r"""
def patch_tokens(images, size):
    B, C, h, w = images.shape
    if (h * w) % (size * size):
        raise ValueError("size")
    rows, columns = h // size, w // size
    out = torch.zeros(B, rows * columns, C * size * size, dtype=images.dtype)
    for r in range(rows):
        for c in range(columns):
            out[:, r * columns + c] = images[:, :, r * size : (r + 1) * size, c * size : (c + 1) * size].flatten(1)
    return out
""",
    },
]
