ANSWERS = [
    # ------------------------------------------------------------ lens_ranks
    {
        "task": "lens_ranks",
        "right": True,
        "why": "the formula, vectorised",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    normed = states / states.pow(2).mean(dim=-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T
    return 1 + (logits > logits[:, answer:answer + 1]).sum(dim=1)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "layer by layer, Python loop over the vocabulary",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    ranks = []
    for x in states:
        rms = torch.sqrt((x * x).mean())
        h = (x / rms) * gain
        logits = (unembedding @ h).tolist()
        rank = 1
        for value in logits:
            if value > logits[answer]:
                rank += 1
        ranks.append(rank)
    return torch.tensor(ranks, dtype=torch.long)
""",
    },
    {
        "task": "lens_ranks",
        "right": True,
        "why": "leaves out the division: a positive factor for each layer changes no rank; einsum",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    scores = torch.einsum("ld,d,vd->lv", states, gain, unembedding)
    better = scores.gt(scores.select(1, answer).unsqueeze(1))
    return better.count_nonzero(dim=1).add(1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "subtle: >= without the 1: tokens with the same logit count as better",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    x = states / states.square().mean(-1, keepdim=True).sqrt()
    logits = (x * gain) @ unembedding.T
    return (logits >= logits[:, [answer]]).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "the gain is forgotten",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    x = states / states.square().mean(-1, keepdim=True).sqrt()
    logits = x @ unembedding.T
    return (logits > logits[:, answer, None]).sum(-1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "LayerNorm: the mean is subtracted (RMSNorm does not)",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    x = F.layer_norm(states, states.shape[-1:], weight=gain, eps=0.0)
    logits = x @ unembedding.T
    return (logits > logits[:, answer].unsqueeze(1)).sum(-1) + 1
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "counts from 0 (number of better tokens)",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    rms = (states ** 2).mean(1, keepdim=True) ** 0.5
    logits = (states / rms * gain) @ unembedding.t()
    return (logits > logits[:, answer].unsqueeze(1)).sum(1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "subtle: compares probabilities, which are 0 for all tokens far below the best (no better ones are seen there): logits 0, -200, -300",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    x = states * torch.rsqrt(states.pow(2).mean(-1, keepdim=True)) * gain
    p = torch.softmax(x @ unembedding.T, dim=-1)
    return 1 + (p > p[:, answer].unsqueeze(-1)).sum(-1)
""",
    },
    {
        "task": "lens_ranks",
        "right": False,
        "why": "subtle: several better tokens with the same logit count once (rank among the different values)",
        "source": r"""
def lens_ranks(states, gain, unembedding, answer):
    ranks = []
    for x in states:
        logits = (x / x.pow(2).mean().sqrt() * gain) @ unembedding.T
        values = sorted(set(logits.tolist()), reverse=True)
        ranks.append(values.index(logits[answer].item()) + 1)
    return torch.tensor(ranks)
""",
    },
    # ------------------------------------------------------------ head_parts
    {
        "task": "head_parts",
        "right": True,
        "why": "einsum over views",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {width}")
    K = width // num_heads
    return torch.einsum("thk,dhk->htd", mixed.reshape(T, num_heads, K), weight.reshape(-1, num_heads, K))
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "loop over slices, stack",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    if mixed.shape[1] % num_heads != 0:
        raise ValueError("heads do not fit")
    k = mixed.shape[1] // num_heads
    parts = []
    for h in range(num_heads):
        parts.append(mixed[:, h * k:(h + 1) * k] @ weight[:, h * k:(h + 1) * k].T)
    return torch.stack(parts)
""",
    },
    {
        "task": "head_parts",
        "right": True,
        "why": "masks all other heads and calls F.linear",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    K, rest = divmod(mixed.size(-1), num_heads)
    if rest:
        raise ValueError("not divisible")
    owner = torch.arange(mixed.size(-1)) // K
    alone = (owner[None] == torch.arange(num_heads)[:, None]).to(mixed.dtype)      # (H, H K)
    return F.linear(mixed[None] * alone[:, None], weight)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "subtle: head h gets the columns h, h + H, ... (right at width 1)",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    if mixed.shape[1] % num_heads:
        raise ValueError("H does not divide the width")
    return torch.stack([mixed[:, h::num_heads] @ weight[:, h::num_heads].T for h in range(num_heads)])
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "(T, H, D) instead of (H, T, D): passes only if T = H or so",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    T, W = mixed.shape
    if W % num_heads:
        raise ValueError("H does not divide the width")
    m = mixed.view(T, num_heads, -1)
    w = weight.view(weight.shape[0], num_heads, -1)
    return torch.einsum("thk,dhk->thd", m, w)
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "subtle: no ValueError, but torch's RuntimeError from view",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    m = mixed.view(mixed.shape[0], num_heads, -1).transpose(0, 1)       # H T K
    w = weight.view(weight.shape[0], num_heads, -1).permute(1, 2, 0)     # H K D
    return m @ w
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "subtle: rounds the width down, without an error: the last columns are lost",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    K = mixed.shape[1] // num_heads
    out = mixed.new_zeros(num_heads, mixed.shape[0], weight.shape[0])
    for h in range(num_heads):
        cols = slice(h * K, h * K + K)
        out[h] = mixed[:, cols] @ weight[:, cols].T
    return out
""",
    },
    {
        "task": "head_parts",
        "right": False,
        "why": "takes weight for (H K, D): splits its rows; fails if D is not H K, wrong numbers if it is",
        "source": r"""
def head_parts(mixed, weight, num_heads):
    if mixed.shape[1] % num_heads:
        raise ValueError("H does not divide the width")
    if weight.shape[0] != mixed.shape[1]:
        weight = weight.T
    m = mixed.chunk(num_heads, dim=1)
    w = weight.chunk(num_heads, dim=0)
    return torch.stack([a @ b for a, b in zip(m, w)])
""",
    },
    # ------------------------------------------------------------ induction_score
    {
        "task": "induction_score",
        "right": True,
        "why": "diagonal without its first entry",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period <= T - 1:
        raise ValueError("period outside 1 to T - 1")
    return weights.diagonal(1 - period, dim1=-2, dim2=-1)[:, 1:].mean(dim=-1)
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "two loops",
        "source": r"""
def induction_score(weights, period):
    H, T, _ = weights.shape
    if period < 1 or period >= T:
        raise ValueError(period)
    out = torch.zeros(H, dtype=weights.dtype)
    for h in range(H):
        total = 0.0
        for t in range(period, T):
            total += weights[h, t, t - period + 1].item()
        out[h] = total / (T - period)
    return out
""",
    },
    {
        "task": "induction_score",
        "right": True,
        "why": "fancy indexing",
        "source": r"""
def induction_score(weights, period):
    T = weights.size(1)
    if period not in range(1, T):
        raise ValueError(f"a text of {T} tokens has no period {period}")
    t = torch.arange(period, T)
    return weights[:, t, t + 1 - period].mean(1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "subtle: the whole diagonal, with the query at period - 1, which is in the first round (the example gives 0.5 all the same)",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if period < 1 or period > T - 1:
        raise ValueError("bad period")
    return torch.diagonal(weights, offset=-(period - 1), dim1=1, dim2=2).mean(-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "looks at t - period, the earlier copy itself",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if period < 1 or period > T - 1:
        raise ValueError("bad period")
    return weights.diagonal(-period, 1, 2).mean(-1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "subtle: only the second round ('also if there are more rounds than two')",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 0 < period < T:
        raise ValueError("bad period")
    t = torch.arange(period, min(2 * period, T))
    return weights[:, t, t - period + 1].mean(dim=1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "subtle: period T gives nan instead of ValueError",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if period < 1 or period > T:
        raise ValueError("bad period")
    t = torch.arange(period, T)
    return weights[:, t, t - period + 1].mean(dim=1)
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "divides the sum by T, not by the number of queries (example: 0.25)",
        "source": r"""
def induction_score(weights, period):
    H, T, _ = weights.shape
    if period < 1 or period >= T:
        raise ValueError("bad period")
    total = torch.zeros(H)
    for t in range(period, T):
        total = total + weights[:, t, t - period + 1]
    return total / T
""",
    },
    {
        "task": "induction_score",
        "right": False,
        "why": "subtle: one number for all heads ('(H,)'); the example has one head",
        "source": r"""
def induction_score(weights, period):
    T = weights.shape[-1]
    if not 1 <= period < T:
        raise ValueError("bad period")
    picked = torch.stack([weights[:, t, t - period + 1] for t in range(period, T)])
    return picked.mean().reshape(1)
""",
    },
    # ------------------------------------------------------------ mean_ablate
    {
        "task": "mean_ablate",
        "right": True,
        "why": "clone and column slices",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    mean = reference.mean(dim=(0, 1))
    out = mixed.clone()
    for h in heads:
        out[..., h * K:(h + 1) * K] = mean[h * K:(h + 1) * K]
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
    silenced = torch.zeros(num_heads, dtype=torch.bool)
    silenced[list(heads)] = True
    columns = silenced.repeat_interleave(width // num_heads)
    return torch.where(columns, reference.flatten(0, 1).mean(0), mixed)
""",
    },
    {
        "task": "mean_ablate",
        "right": True,
        "why": "splits into heads and concatenates again",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    parts = []
    for h, (own, other) in enumerate(zip(mixed.chunk(num_heads, -1), reference.chunk(num_heads, -1))):
        if h in heads:
            count = other.shape[0] * other.shape[1]
            own = (other.sum(0).sum(0) / count).expand_as(own)
        parts.append(own)
    return torch.cat(parts, dim=-1).clone()
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "the mean of the present texts, not of the reference",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.shape[-1] // num_heads
    out = mixed.clone()
    for h in heads:
        cols = slice(h * K, (h + 1) * K)
        out[:, :, cols] = mixed[:, :, cols].mean(dim=(0, 1))
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "writes into mixed ('mixed is left as it is')",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    B, T, W = mixed.shape
    view = mixed.view(B, T, num_heads, W // num_heads)
    mean = reference.view(-1, num_heads, W // num_heads).mean(0)
    view[:, :, heads] = mean[heads]
    return mixed
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "subtle: without heads mixed itself comes back, not a new tensor",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    if len(heads) == 0:
        return mixed
    B, T, W = mixed.shape
    out = mixed.reshape(B, T, num_heads, -1).clone()
    mean = reference.reshape(-1, num_heads, W // num_heads).mean(dim=0)
    for h in heads:
        out[:, :, h, :] = mean[h]
    return out.reshape(B, T, W)
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "subtle: head h is taken for the columns h, h + H, ... (right at width 1)",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    out = mixed.clone()
    mean = reference.mean(dim=1).mean(dim=0)
    for h in heads:
        out[..., h::num_heads] = mean[h::num_heads]
    return out
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "subtle: one mean for each head, over its columns too (right at width 1)",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.size(-1) // num_heads
    result = mixed.detach().clone()
    for h in heads:
        result[:, :, h * K:h * K + K] = reference[:, :, h * K:h * K + K].mean()
    return result
""",
    },
    {
        "task": "mean_ablate",
        "right": False,
        "why": "subtle: the mean over the tokens of the first reference text only ('over all of their tokens')",
        "source": r"""
def mean_ablate(mixed, heads, num_heads, reference):
    K = mixed.size(-1) // num_heads
    out = mixed.clone()
    mean = reference[0].mean(0)
    for h in heads:
        out[:, :, h * K:h * K + K] = mean[h * K:h * K + K]
    return out
""",
    },
    # ------------------------------------------------------------ patched_states
    {
        "task": "patched_states",
        "right": True,
        "why": "cumsum divided by the count; both runs side by side",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    counts = torch.arange(1, len(clean) + 1, dtype=clean.dtype).unsqueeze(1)
    def step(x, W):
        return x + (x.cumsum(dim=0) / counts) @ W
    for number, W in enumerate(weights):
        clean, other = step(clean, W), step(other, W)
        if number == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "a lower triangular matrix of weights, the clean run first and as far as needed, torch.where",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    T = other.shape[0]
    average = torch.tril(torch.ones(T, T, dtype=other.dtype))
    average = average / average.sum(1, keepdim=True)
    def run(x, matrices):
        for W in matrices:
            x = x + average @ x @ W
        return x
    donor = run(clean, weights[:layer + 1])
    x = run(other, weights[:layer + 1])
    here = (torch.arange(T) == position)[:, None]
    return run(torch.where(here, donor, x), weights[layer + 1:])
""",
    },
    {
        "task": "patched_states",
        "right": True,
        "why": "loops over positions, lists of states",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    def run(text, patch=None):
        x = [row for row in text]
        history = []
        for l in range(len(weights)):
            new = []
            for t in range(len(x)):
                total = x[0]
                for s in range(1, t + 1):
                    total = total + x[s]
                new.append(x[t] + (total / (t + 1)) @ weights[l])
            x = new
            if patch is not None and l == layer:
                x[position] = patch
            history.append(list(x))
        return history
    patch = run(clean)[layer][position]
    return torch.stack(run(other, patch)[-1])
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "subtle: W @ mean instead of mean @ W (right for symmetric matrices)",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, clean.shape[0] + 1).view(-1, 1)
    for i, W in enumerate(weights):
        clean = clean + (clean.cumsum(0) / n) @ W.T
        other = other + (other.cumsum(0) / n) @ W.T
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "exchanges before the layer, not after it",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    other = other.clone()
    n = torch.arange(1, clean.shape[0] + 1).view(-1, 1)
    for i, W in enumerate(weights):
        if i == layer:
            other[position] = clean[position]
        clean = clean + (clean.cumsum(0) / n) @ W
        other = other + (other.cumsum(0) / n) @ W
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "the mean over all positions, later ones too",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    for i, W in enumerate(weights):
        clean = clean + clean.mean(0, keepdim=True) @ W
        other = other + other.mean(0, keepdim=True) @ W
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "x += changes the two texts that were given",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, clean.shape[0] + 1).view(-1, 1)
    for i, W in enumerate(weights):
        clean += (clean.cumsum(0) / n) @ W
        other += (other.cumsum(0) / n) @ W
        if i == layer:
            other[position] = clean[position]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "subtle: exchanges all positions up to the one asked ('one vector'); right at position 0",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, clean.shape[0] + 1).view(-1, 1)
    for i, W in enumerate(weights):
        clean = clean + (clean.cumsum(0) / n) @ W
        other = other + (other.cumsum(0) / n) @ W
        if i == layer:
            other[:position + 1] = clean[:position + 1]
    return other
""",
    },
    {
        "task": "patched_states",
        "right": False,
        "why": "subtle: the vector is exchanged again after each later layer, too ('The later layers go on from there'); right if the layer is the last",
        "source": r"""
def patched_states(clean, other, weights, layer, position):
    n = torch.arange(1, clean.shape[0] + 1).view(-1, 1)
    for i, W in enumerate(weights):
        clean = clean + (clean.cumsum(0) / n) @ W
        other = other + (other.cumsum(0) / n) @ W
        if i >= layer:
            other[position] = clean[position]
    return other
""",
    },
    # ------------------------------------------------------------ selectivity
    {
        "task": "selectivity",
        "right": True,
        "why": "torch.linalg.solve for both at once",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    y = torch.stack([labels, coins], dim=1)
    w = torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype), x.T @ y)
    said = torch.where(new_x @ w > 0, 1.0, -1.0)
    right = (said == torch.stack([new_labels, new_coins], dim=1)).double().mean(dim=0)
    return (right[0] - right[1]).item()
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "a helper with the inverse in double precision, counts in Python",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    def accuracy(y, new_y):
        X = x.double()
        A = X.T @ X
        for i in range(A.shape[0]):
            A[i, i] += penalty
        w = torch.inverse(A) @ X.T @ y.double()
        hits = 0
        for row, wanted in zip(new_x.double(), new_y.tolist()):
            score = float(row @ w)
            guess = 1.0 if score > 0 else -1.0
            if guess == wanted:
                hits += 1
        return hits / len(new_y)
    return accuracy(labels, new_labels) - accuracy(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": True,
        "why": "NumPy least squares with sqrt(penalty) rows below X (the same w)",
        "source": r"""
import numpy as np

def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    X, Z = x.numpy().astype(float), new_x.numpy().astype(float)
    D = X.shape[1]
    tall = np.vstack([X, np.sqrt(penalty) * np.eye(D)])
    scores = []
    for y, new_y in [(labels, new_labels), (coins, new_coins)]:
        target = np.concatenate([y.numpy().astype(float), np.zeros(D)])
        w = np.linalg.lstsq(tall, target, rcond=None)[0]
        scores.append(np.mean((Z @ w > 0) == (new_y.numpy() > 0)))
    return float(scores[0] - scores[1])
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "subtle: sign(): says 0 where x . w is 0, never right ('above 0, else -1')",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    def score(y, new_y):
        w = torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1]).to(x), x.T @ y)
        return (torch.sign(new_x @ w) == new_y).float().mean().item()
    return score(labels, new_labels) - score(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "subtle: adds the penalty to every entry of X^T X, not only on the diagonal",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    def score(y, new_y):
        w = torch.linalg.pinv(x.T @ x + penalty) @ (x.T @ y)
        said = (new_x @ w > 0).float() * 2 - 1
        return (said == new_y).float().mean().item()
    return score(labels, new_labels) - score(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "subtle: one probe, that of the property, is scored against the property and the coins ('Fit a ridge probe for each of the two')",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    w = torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1]).to(x), x.T @ labels)
    said = torch.where(new_x @ w > 0, 1.0, -1.0)
    return ((said == new_labels).float().mean() - (said == new_coins).float().mean()).item()
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "centres the vectors and the labels first, which is a constant ('no constant and no scaling')",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    mean = x.mean(0)
    a, b = x - mean, new_x - mean
    def score(y, new_y):
        w = torch.linalg.solve(a.T @ a + penalty * torch.eye(a.shape[1]).to(a), a.T @ (y - y.mean()))
        said = torch.where(b @ w + y.mean() > 0, 1.0, -1.0)
        return (said == new_y).float().mean().item()
    return score(labels, new_labels) - score(coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "subtle: >= 0 says +1 at exactly 0",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    G = torch.linalg.inv(x.T @ x + penalty * torch.eye(x.size(1)).to(x)) @ x.T
    def accuracy(w, y):
        s = new_x @ w
        return ((s >= 0) == (y > 0)).float().mean().item()
    return accuracy(G @ labels, new_labels) - accuracy(G @ coins, new_coins)
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "no penalty: ordinary least squares by pinv",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    P = torch.linalg.pinv(x)
    acc = []
    for y, new_y in ((labels, new_labels), (coins, new_coins)):
        said = torch.where(new_x @ (P @ y) > 0, 1.0, -1.0)
        acc.append((said == new_y).float().mean().item())
    return acc[0] - acc[1]
""",
    },
    {
        "task": "selectivity",
        "right": False,
        "why": "the amount of the difference: never negative, though the coins may be read better",
        "source": r"""
def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    def score(y, new_y):
        w = torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1]).to(x), x.T @ y)
        return (((new_x @ w) > 0) == (new_y == 1)).float().mean().item()
    return abs(score(labels, new_labels) - score(coins, new_coins))
""",
    },
    # ------------------------------------------------------------ sink_window_mask
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "broadcast comparisons",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("width must be at least 1 and num_sinks at least 0")
    t = torch.arange(T)[:, None]
    s = torch.arange(T)[None, :]
    return (s <= t) & ((s > t - width) | (s < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "loops into a zero matrix",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width")
    if num_sinks < 0:
        raise ValueError("num_sinks")
    mask = torch.zeros((T, T), dtype=torch.bool)
    for t in range(T):
        for s in range(t + 1):
            if t - s < width or s < num_sinks:
                mask[t, s] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": True,
        "why": "tril and triu of ones, slice for the sinks",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if not (width >= 1 and num_sinks >= 0):
        raise ValueError
    mask = torch.ones(T, T, dtype=torch.bool).triu(1 - width)
    mask[:, :num_sinks] = True
    return mask.tril()
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "subtle: the sinks are seen by earlier queries, too ('nothing of the future'): wrong from two sinks on",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad sizes")
    i = torch.arange(T)
    d = i[:, None] - i[None, :]
    return ((d >= 0) & (d < width)) | (i[None, :] < num_sinks)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "the window is one too wide (itself not counted)",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad sizes")
    i = torch.arange(T)
    d = i[:, None] - i[None, :]
    return (d >= 0) & ((d <= width) | (i[None, :] < num_sinks))
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "subtle: no tokens give the shape (0,), not (0, 0)",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad sizes")
    return torch.tensor([[s <= t and (s > t - width or s < num_sinks) for s in range(T)] for t in range(T)], dtype=torch.bool)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "subtle: no ValueError for num_sinks below 0",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1:
        raise ValueError("width below 1")
    causal = torch.ones(T, T).tril().bool()
    near = torch.ones(T, T).triu(1 - width).bool()
    sink = (torch.arange(T) < num_sinks).expand(T, T)
    return causal & (near | sink)
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "subtle: IndexError if there are more sinks than tokens ('perhaps more than T')",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad sizes")
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        mask[t, max(0, t - width + 1):t + 1] = True
    for s in range(num_sinks):
        mask[s:, s] = True
    return mask
""",
    },
    {
        "task": "sink_window_mask",
        "right": False,
        "why": "the sinks take places of the window: the window shrinks by num_sinks",
        "source": r"""
def sink_window_mask(T, width, num_sinks):
    if width < 1 or num_sinks < 0:
        raise ValueError("bad sizes")
    t, s = torch.arange(T).view(-1, 1), torch.arange(T).view(1, -1)
    return (s <= t) & ((t - s < max(1, width - num_sinks)) | (s < num_sinks))
""",
    },
    # ------------------------------------------------------------ decayed_attention
    {
        "task": "decayed_attention",
        "right": True,
        "why": "the recurrence",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    outputs = []
    for t in range(q.shape[0]):
        S = decay * S + torch.outer(k[t], v[t])
        outputs.append(q[t] @ S)
    return torch.stack(outputs), S
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "parallel form with a lower triangular matrix of powers",
        "source": r"""
def decayed_attention(q, k, v, decay):
    T = len(q)
    t = torch.arange(T)
    distance = (t[:, None] - t[None, :])
    powers = torch.where(distance >= 0, torch.tensor(float(decay), dtype=q.dtype) ** distance.clamp(min=0), 0.0)
    outputs = (q @ k.T * powers) @ v
    state = (k * powers[-1].unsqueeze(1)).T @ v
    return outputs, state
""",
    },
    {
        "task": "decayed_attention",
        "right": True,
        "why": "recursion on halves: state of the first half, faded, goes into the second",
        "source": r"""
def decayed_attention(q, k, v, decay):
    def go(lo, hi, S):
        if hi - lo == 1:
            S = S * decay + k[lo, :, None] * v[lo, None, :]
            return torch.einsum("k,kv->v", q[lo], S)[None], S
        mid = (lo + hi) // 2
        first, S = go(lo, mid, S)
        second, S = go(mid, hi, S)
        return torch.cat([first, second]), S
    return go(0, len(q), v.new_zeros(k.size(1), v.size(1)))
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "fades the new entry as well: decay (S + k v^T)",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    out = []
    for qt, kt, vt in zip(q, k, v):
        S = decay * (S + torch.outer(kt, vt))
        out.append(qt @ S)
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "reads the state before it is brought up to date (y_t = q_t S_(t-1))",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype)
    out = torch.zeros(len(q), v.shape[1], dtype=v.dtype)
    for t in range(len(q)):
        out[t] = q[t] @ S
        S = decay * S + torch.outer(k[t], v[t])
    return out, S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "subtle: divides keys by decay^t: nan at decay 0, and overflow in long texts ('from 0 to 1')",
        "source": r"""
def decayed_attention(q, k, v, decay):
    T = len(q)
    f = decay ** torch.arange(T, dtype=q.dtype).unsqueeze(1)
    qs, ks = q * f, k / f
    outputs = (qs @ ks.T).tril() @ v
    return outputs, ks.T @ v * f[-1]
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "subtle: the state is (Kv, K), the wrong way round (right in the example, where both are 1)",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = v.new_zeros(v.shape[1], k.shape[1])
    out = []
    for t in range(len(q)):
        S = decay * S + v[t].unsqueeze(1) @ k[t].unsqueeze(0)
        out.append(S @ q[t])
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "divides by the sum of the (faded) weights ('Nothing is normalised')",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = v.new_zeros(k.shape[1], v.shape[1])
    z = k.new_zeros(k.shape[1])
    out = []
    for t in range(len(q)):
        S = decay * S + torch.outer(k[t], v[t])
        z = decay * z + k[t]
        out.append(q[t] @ S / (q[t] @ z))
    return torch.stack(out), S
""",
    },
    {
        "task": "decayed_attention",
        "right": False,
        "why": "subtle: elementwise k * v with one number for each width (needs K = Kv), right at width 1",
        "source": r"""
def decayed_attention(q, k, v, decay):
    S = torch.zeros_like(v[0])
    out = []
    for t in range(len(q)):
        S = decay * S + k[t] * v[t]
        out.append(q[t] * S)
    return torch.stack(out), torch.diag(S)
""",
    },
    # ------------------------------------------------------------ merge_blocks
    {
        "task": "merge_blocks",
        "right": True,
        "why": "a finite m where no key was seen",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = torch.where(m == -torch.inf, torch.zeros_like(m), m)
    a, b = torch.exp(m1 - safe), torch.exp(m2 - safe)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "loop over the queries with math.exp and if",
        "source": r"""
def merge_blocks(first, second):
    (m1, l1, o1), (m2, l2, o2) = first, second
    m, l, o = torch.zeros_like(m1), torch.zeros_like(l1), torch.zeros_like(o1)
    for t in range(m1.shape[0]):
        a, b = m1[t, 0].item(), m2[t, 0].item()
        top = max(a, b)
        m[t, 0] = top
        if top == float("-inf"):
            continue
        fa, fb = math.exp(a - top), math.exp(b - top)
        l[t] = fa * l1[t] + fb * l2[t]
        o[t] = fa * o1[t] + fb * o2[t]
    return m, l, o
""",
    },
    {
        "task": "merge_blocks",
        "right": True,
        "why": "stacks both, weights by exp with nan_to_num on the factor alone",
        "source": r"""
def merge_blocks(first, second):
    m, l, o = (torch.stack(pair) for pair in zip(first, second))
    top = m.amax(dim=0)
    factor = torch.nan_to_num((m - top).exp(), nan=0.0)
    return top, (factor * l).sum(dim=0), (factor * o).sum(dim=0)
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "subtle: a query that sees no key in both blocks gets nan ('Mind the queries that see no key')",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.max(m1, m2)
    a = torch.exp(m1 - m)
    b = torch.exp(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "subtle: the formula rearranged, e^m by itself: overflows for large scores",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    e1, e2 = m1.exp(), m2.exp()
    scale = torch.where(m == -torch.inf, torch.ones_like(m), m.exp())
    return m, (e1 * l1 + e2 * l2) / scale, (e1 * o1 + e2 * o2) / scale
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "subtle: m becomes the smallest float instead of minus infinity where no key was seen",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2).clamp(min=torch.finfo(m1.dtype).min)
    a, b = torch.exp(m1 - m), torch.exp(m2 - m)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "subtle: one m for all queries (the largest of all): with queries far apart l and o underflow, and m is wrong; right for one query",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    top = torch.maximum(m1, m2).max()
    m = torch.full_like(m1, top.item())
    base = m if top > -torch.inf else torch.zeros_like(m)
    a, b = torch.exp(m1 - base), torch.exp(m2 - base)
    return m, a * l1 + b * l2, a * o1 + b * o2
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "returns the mean o / l instead of the sum o",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    safe = m.masked_fill(m == -torch.inf, 0.0)
    a, b = (m1 - safe).exp(), (m2 - safe).exp()
    l = a * l1 + b * l2
    return m, l, (a * o1 + b * o2) / l.clamp(min=1e-30)
""",
    },
    {
        "task": "merge_blocks",
        "right": False,
        "why": "scales only the second block: wrong where the second has the larger score, as in the example",
        "source": r"""
def merge_blocks(first, second):
    m1, l1, o1 = first
    m2, l2, o2 = second
    m = torch.maximum(m1, m2)
    b = torch.exp(m2 - m).nan_to_num(0.0)
    return m, l1 + b * l2, o1 + b * o2
""",
    },
    # ------------------------------------------------------------ patch_tokens
    {
        "task": "patch_tokens",
        "right": True,
        "why": "reshape and permute with all sizes named",
        "source": r"""
def patch_tokens(images, size):
    B, C, height, width = images.shape
    if height % size or width % size:
        raise ValueError("size does not divide the sides")
    rows, columns = height // size, width // size
    x = images.reshape(B, C, rows, size, columns, size).permute(0, 2, 4, 1, 3, 5)
    return x.reshape(B, rows * columns, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "loops over patches, flatten and stack",
        "source": r"""
def patch_tokens(images, size):
    height, width = images.shape[2], images.shape[3]
    if height % size != 0 or width % size != 0:
        raise ValueError("patches do not fit")
    tokens = []
    for top in range(0, height, size):
        for left in range(0, width, size):
            patch = images[:, :, top:top + size, left:left + size]
            tokens.append(patch.flatten(start_dim=1))
    return torch.stack(tokens, dim=1)
""",
    },
    {
        "task": "patch_tokens",
        "right": True,
        "why": "Tensor.unfold twice",
        "source": r"""
def patch_tokens(images, size):
    if any(side % size for side in images.shape[-2:]):
        raise ValueError(f"{size} does not divide {tuple(images.shape[-2:])}")
    windows = images.unfold(2, size, size).unfold(3, size, size)         # B C rows columns size size
    return windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "subtle: the channels vary fastest ('the first channel row by row, then the second'); right for one channel",
        "source": r"""
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = images.reshape(B, C, H // size, size, W // size, size)
    x = x.permute(0, 2, 4, 3, 5, 1)
    return x.reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "subtle: the patches column by column ('row by row, from left to right'); the example has one row of patches",
        "source": r"""
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    out = [images[:, :, i:i + size, j:j + size].reshape(B, C * size * size)
           for j in range(0, W, size) for i in range(0, H, size)]
    return torch.stack(out, 1)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "subtle: -1 cannot be found for no pictures: RuntimeError for B = 0",
        "source": r"""
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    x = images.view(B, C, H // size, size, W // size, size).permute(0, 2, 4, 1, 3, 5)
    return x.reshape(B, -1, C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "subtle: F.unfold leaves out the rest without an error (no ValueError)",
        "source": r"""
def patch_tokens(images, size):
    return F.unfold(images, kernel_size=size, stride=size).transpose(1, 2)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "reshape alone: takes the numbers in the order of the memory",
        "source": r"""
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H % size or W % size:
        raise ValueError("does not fit")
    return images.reshape(B, (H // size) * (W // size), C * size * size)
""",
    },
    {
        "task": "patch_tokens",
        "right": False,
        "why": "subtle: tests the number of pixels, not the sides: 2 x 8 in patches of 4 gives a RuntimeError",
        "source": r"""
def patch_tokens(images, size):
    B, C, H, W = images.shape
    if H * W % (size * size):
        raise ValueError("does not fit")
    x = images.reshape(B, C, H // size, size, W // size, size).transpose(3, 4)
    return x.permute(0, 2, 3, 1, 4, 5).reshape(B, (H // size) * (W // size), C * size ** 2)
""",
    },
]
