ANSWERS = [
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "topk, softmax of the k scores, a loop over the experts",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    best, which = (x @ router).topk(k, dim=-1)
    shares = best.softmax(dim=-1)
    y = torch.zeros_like(x)
    for e in range(router.shape[1]):
        share = (shares * (which == e)).sum(-1, keepdim=True)
        y = y + share * (F.relu(x @ up[e]) @ down[e])
    return y
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "all experts at once, minus infinity for those that are not among the best",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    rank = scores.argsort(dim=1, descending=True).argsort(dim=1)
    shares = torch.softmax(scores.masked_fill(rank >= k, -math.inf), dim=1)
    hidden = torch.einsum("nd,edf->nef", x, up).clamp(min=0)
    return torch.einsum("ne,nef,efd->nd", shares, hidden, down)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "softmax over all experts before the best are taken: the shares do not add to 1 (the example hides it by a score of -9)",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    shares, which = (x @ router).softmax(-1).topk(k, dim=-1)
    y = torch.zeros_like(x)
    for e in range(up.shape[0]):
        share = (shares * (which == e)).sum(-1, keepdim=True)
        y = y + share * (F.relu(x @ up[e]) @ down[e])
    return y
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the ReLU is forgotten; the example has positive numbers only",
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    best, which = (x @ router).topk(k, dim=-1)
    shares = torch.zeros_like(x @ router).scatter(1, which, best.softmax(-1))
    return torch.einsum("ne,nd,edf,efg->ng", shares, x, up, down)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": 'exp of the scores: "Large scores must not overflow"',
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    which = scores.topk(k, dim=-1).indices
    e = scores.exp() * torch.zeros_like(scores).scatter(1, which, 1.0)
    shares = e / e.sum(-1, keepdim=True)
    answers = F.relu(torch.einsum("nd,edf->enf", x, up)) @ down
    return torch.einsum("ne,end->nd", shares, answers)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": 'shares as plain numbers: no gradient "to the router too"',
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    with torch.no_grad():
        best, which = (x @ router).topk(k, dim=-1)
        shares = torch.zeros(len(x), up.shape[0], dtype=x.dtype).scatter(1, which, best.softmax(-1))
    answers = F.relu(torch.einsum("nd,edf->enf", x, up)) @ down
    return torch.einsum("ne,end->nd", shares, answers)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": 'stacks token by token: fails without tokens ("N may be 0")',
        "source": r"""
def mixture_of_experts(x, router, up, down, k):
    rows = []
    for token in x:
        best, which = (token @ router).topk(k)
        shares = best.softmax(0)
        rows.append(sum(s * (F.relu(token @ up[e]) @ down[e]) for s, e in zip(shares, which)))
    return torch.stack(rows)
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "one_hot of the argmax",
        "source": r"""
def load_balancing_loss(logits):
    N, E = logits.shape
    P = logits.softmax(dim=-1).mean(dim=0)
    f = F.one_hot(logits.argmax(dim=-1), E).to(logits.dtype).mean(dim=0)
    return E * (f * P).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": True,
        "why": "counts in a loop, a sum that grows",
        "source": r"""
def load_balancing_loss(logits):
    N, E = logits.shape
    counts = [0] * E
    for row in logits.tolist():
        counts[row.index(max(row))] += 1
    p = torch.softmax(logits, dim=1)
    loss = 0
    for e in range(E):
        loss = loss + counts[e] / N * p[:, e].sum() / N
    return loss * E
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": 'no gradient: "Its gradient flows through the probabilities"',
        "source": r"""
def load_balancing_loss(logits):
    N, E = logits.shape
    p = logits.detach().softmax(-1)
    f = torch.bincount(p.argmax(-1), minlength=E) / N
    return E * torch.dot(f.to(p.dtype), p.mean(0))
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "the constant 2 instead of E",
        "source": r"""
def load_balancing_loss(logits):
    p = logits.softmax(-1)
    f = F.one_hot(p.argmax(-1), logits.shape[1]).to(p.dtype).mean(0)
    return 2 * (f * p.mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "a token goes to an expert with a probability above 1/2; with three experts it may go to none",
        "source": r"""
def load_balancing_loss(logits):
    p = logits.softmax(-1)
    f = (p > 0.5).to(p.dtype).mean(0)
    return logits.shape[1] * (f * p.mean(0)).sum()
""",
    },
    {
        "task": "load_balancing_loss",
        "right": False,
        "why": "mean of the products instead of the product of the means",
        "source": r"""
def load_balancing_loss(logits):
    p = logits.softmax(-1)
    chosen = F.one_hot(p.argmax(-1), logits.shape[1])
    return logits.shape[1] * (chosen * p).sum(-1).mean()
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "np.polyfit on the logarithms",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("two different sizes are needed")
    slope, constant = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(constant)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "sums by hand",
        "source": r"""
def fit_power_law(sizes, losses):
    xs = [math.log(s) for s in sizes]
    ys = [math.log(l) for l in losses]
    if len(set(sizes)) <= 1:
        raise ValueError("fewer than two different sizes")
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    top = bottom = 0.0
    for x, y in zip(xs, ys):
        top += (x - mx) * (y - my)
        bottom += (x - mx) ** 2
    b = -top / bottom
    return math.exp(my + b * mx), b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": 'a line through the first and the last point only; rule: "by least squares"',
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("two different sizes are needed")
    small, large = min(range(len(sizes)), key=lambda i: sizes[i]), max(range(len(sizes)), key=lambda i: sizes[i])
    b = -math.log(losses[large] / losses[small]) / math.log(sizes[large] / sizes[small])
    return losses[small] * sizes[small] ** b, b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "counts sizes, not different ones: [2, 2] gives no ValueError",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(sizes) < 2:
        raise ValueError("two sizes are needed")
    A = np.stack([np.ones(len(sizes)), -np.log(sizes)], axis=1)
    (log_a, b), *_ = np.linalg.lstsq(A, np.log(losses), rcond=None)
    return float(np.exp(log_a)), float(b)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": 'b is always positive; rule: "b is below 0 where the losses rise"',
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("two different sizes are needed")
    slope, constant = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(constant)), abs(float(slope))
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "fits log size by log loss and turns the line round: the same for two points only",
        "source": r"""
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("two different sizes are needed")
    x, y = np.log(sizes), np.log(losses)
    dx, dy = x - x.mean(), y - y.mean()
    b = -float((dy @ dy) / (dx @ dy))
    return float(np.exp(y.mean() + b * x.mean())), b
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "the rows with tokens only, weighted by their counts",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    counts = torch.tensor(token_counts)
    if counts.sum() == 0:
        raise ValueError("no process has a token")
    used = counts > 0
    weights = counts[used].to(gradients.dtype)
    return weights @ gradients[used] / weights.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": True,
        "why": "a loop with continue",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    total = sum(token_counts)
    if not total:
        raise ValueError("nothing to take the mean of")
    out = torch.zeros(gradients.shape[1], dtype=gradients.dtype)
    for row, n in zip(gradients, token_counts):
        if n == 0:
            continue
        out = out + row * (n / total)
    return out
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": '0 times NaN is NaN: the row of a process without tokens "must not count"',
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    if sum(token_counts) == 0:
        raise ValueError("no process has a token")
    n = torch.tensor(token_counts, dtype=gradients.dtype)
    return (n[:, None] * gradients).sum(0) / n.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "no ValueError where no process has a token",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    n = torch.tensor(token_counts, dtype=gradients.dtype)
    return torch.where(n[:, None] > 0, n[:, None] * gradients, 0.0).sum(0) / n.sum().clamp(min=1)
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "sets rows of the caller's gradients to 0",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    n = torch.tensor(token_counts, dtype=gradients.dtype)
    if n.sum() == 0:
        raise ValueError("no process has a token")
    gradients[n == 0] = 0.0
    return n @ gradients / n.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": 'only NaN is taken out: a row without tokens "may hold anything", infinity too',
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    n = torch.tensor(token_counts, dtype=gradients.dtype)
    if n.sum() == 0:
        raise ValueError("no process has a token")
    weighted = n[:, None] * gradients.masked_fill(gradients.isnan(), 0.0)
    return weighted.sum(0) / n.sum()
""",
    },
    {
        "task": "data_parallel_gradient",
        "right": False,
        "why": "the plain mean of the processes that have tokens",
        "source": r"""
def data_parallel_gradient(gradients, token_counts):
    used = torch.tensor(token_counts) > 0
    if not used.any():
        raise ValueError("no process has a token")
    return gradients[used].mean(0)
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "sums with comparisons of the stage",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError(f"there is no stage {stage}")
    shard = -(-num_parameters // processes)
    weights = 2 * (shard if stage >= 3 else num_parameters)
    gradients = 2 * (shard if stage >= 2 else num_parameters)
    optimizer = 12 * (shard if stage >= 1 else num_parameters)
    return weights + gradients + optimizer
""",
    },
    {
        "task": "zero_bytes",
        "right": True,
        "why": "a table of whole and divided bytes, divmod",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    table = {0: (16, 0), 1: (4, 12), 2: (2, 14), 3: (0, 16)}
    if stage not in table:
        raise ValueError(stage)
    whole, divided = table[stage]
    shard, rest = divmod(num_parameters, processes)
    if rest > 0:
        shard += 1
    return whole * num_parameters + divided * shard
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": "rounds to the nearest instead of up: 5 parameters, 4 processes need shards of 2",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage < 0 or stage > 3:
        raise ValueError("stage")
    shard = int(num_parameters / processes + 0.5)
    parts = [(12, 1), (2, 2), (2, 3)]
    return sum(size * (shard if stage >= first else num_parameters) for size, first in parts)
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": 'divides the gradients at stage 3 only; rule: "2: the gradients, too"',
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in range(4):
        raise ValueError("stage")
    shard = (num_parameters + processes - 1) // processes
    if stage == 0:
        return 16 * num_parameters
    if stage < 3:
        return 4 * num_parameters + 12 * shard
    return 16 * shard
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": 'no ValueError for stage -1; rule: "ValueError: another stage"',
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage > 3:
        raise ValueError("stage")
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
        "why": "cuts a shard more than is needed where it divides evenly (N // n + 1): 8 parameters, 4 processes",
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage")
    shard = num_parameters // processes + 1
    return sum(b * (shard if stage >= s else num_parameters) for b, s in ((12, 1), (2, 2), (2, 3)))
""",
    },
    {
        "task": "zero_bytes",
        "right": False,
        "why": 'each process holds the last, smallest shard: rounded down; rule: "the largest of them"',
        "source": r"""
def zero_bytes(num_parameters, processes, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage")
    shard = num_parameters // processes
    return sum(b * (shard if stage >= s else num_parameters) for b, s in ((12, 1), (2, 2), (2, 3)))
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "largest taken off, masks for queries without a key",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    top = torch.maximum(lse_a, lse_b).detach()
    sees = top > -math.inf
    base = torch.where(sees, top, torch.zeros_like(top))
    a, b = (lse_a - base).exp(), (lse_b - base).exp()
    total = torch.where(sees, a + b, torch.ones_like(a))
    out = (a[:, None] * out_a + b[:, None] * out_b) / total[:, None]
    return out, torch.where(sees, base + total.log(), torch.full_like(top, -math.inf))
""",
    },
    {
        "task": "merge_attention",
        "right": True,
        "why": "only the queries that see a key, softmax and logsumexp of the two",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    both = torch.stack([lse_a, lse_b])
    live = (both > -math.inf).any(0)
    shares = both[:, live].softmax(0)
    out = torch.zeros_like(out_a)
    lse = torch.full_like(lse_a, -math.inf)
    out[live] = shares[0][:, None] * out_a[live] + shares[1][:, None] * out_b[live]
    lse[live] = torch.logsumexp(both[:, live], dim=0)
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": 'NaN for a query that sees no key in either half; rule: "gets 0 and minus infinity"',
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    out = (lse_a - lse).exp()[:, None] * out_a + (lse_b - lse).exp()[:, None] * out_b
    return out, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": 'sums of exponentials as they are: "Large scores must not overflow"',
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    a, b = lse_a.exp()[:, None], lse_b.exp()[:, None]
    total = a + b
    out = (a * out_a + b * out_b) / torch.where(total > 0, total, torch.ones_like(total))
    return out, total[:, 0].log()
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": 'the shares have no gradient; rule: "The gradient flows through both"',
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    lse = torch.logaddexp(lse_a, lse_b)
    with torch.no_grad():
        base = lse.masked_fill(lse == -math.inf, 0.0)
        a, b = (lse_a - base).exp()[:, None], (lse_b - base).exp()[:, None]
    return a * out_a + b * out_b, lse
""",
    },
    {
        "task": "merge_attention",
        "right": False,
        "why": "the logarithm is 0 where a query sees no key at all; it must be minus infinity",
        "source": r"""
def merge_attention(out_a, lse_a, out_b, lse_b):
    top = torch.maximum(lse_a, lse_b).detach().nan_to_num(neginf=0.0)
    a, b = (lse_a - top).exp(), (lse_b - top).exp()
    total = a + b
    total = torch.where(total > 0, total, torch.ones_like(total))
    return (a[:, None] * out_a + b[:, None] * out_b) / total[:, None], top + total.log()
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "pads with a column of zeros, then shifts",
        "source": r"""
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    if integers.shape[1] % 2:
        integers = F.pad(integers, (0, 1))
    return integers[:, 0::2] | (integers[:, 1::2] << 4)
""",
    },
    {
        "task": "pack_int4",
        "right": True,
        "why": "loops over plain numbers",
        "source": r"""
def pack_int4(integers):
    rows, columns = integers.shape
    packed = torch.zeros(rows, (columns + 1) // 2, dtype=torch.uint8)
    for r, row in enumerate(integers.tolist()):
        for c, number in enumerate(row):
            if number > 15:
                raise ValueError(f"{number} needs more than 4 bits")
            packed[r, c // 2] += number * (16 if c % 2 else 1)
    return packed
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "no ValueError: an integer above 15 overflows",
        "source": r"""
def pack_int4(integers):
    rows, columns = integers.shape
    out = torch.zeros(rows, (columns + 1) // 2, dtype=torch.uint8)
    out += integers[:, ::2]
    out[:, : columns // 2] += integers[:, 1::2] * 16
    return out
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": 'max of nothing fails; rule: "columns may be 0"',
        "source": r"""
def pack_int4(integers):
    if integers.max() > 15:
        raise ValueError("an integer above 15")
    if integers.shape[1] % 2 == 1:
        integers = torch.cat([integers, torch.zeros_like(integers[:, :1])], dim=1)
    return integers[:, ::2] + 16 * integers[:, 1::2]
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "shifts the caller's integers in place",
        "source": r"""
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    integers[:, 1::2] <<= 4
    packed = integers[:, ::2].clone()
    packed[:, : integers.shape[1] // 2] |= integers[:, 1::2]
    return packed
""",
    },
    {
        "task": "pack_int4",
        "right": False,
        "why": "pads every row, as if the number of columns were odd: one byte too many for even columns",
        "source": r"""
def pack_int4(integers):
    if (integers > 15).any():
        raise ValueError("an integer above 15")
    wide = F.pad(integers, (0, 2))
    n = integers.shape[1] // 2 + 1
    return wide[:, : 2 * n : 2] + wide[:, 1 : 2 * n : 2] * 16
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "a loop that returns at the first rejection",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        ratio = (target_probs[i, token] / draft_probs[i, token]).item()
        if not uniforms[i] < ratio:
            left = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, left / left.sum()
    return len(draft), target_probs[len(draft)].clone()
""",
    },
    {
        "task": "accept_draft",
        "right": True,
        "why": "vectorised: cumulative product of the decisions",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    rows = torch.arange(k)
    tokens = torch.tensor(draft, dtype=torch.long)
    ratio = target_probs[rows, tokens] / draft_probs[rows, tokens]
    keep = torch.tensor(uniforms, dtype=torch.float64) < ratio.double()
    n = int(keep.long().cumprod(0).sum())
    if n == k:
        return n, target_probs[k]
    return n, F.normalize(F.relu(target_probs[n] - draft_probs[n]), p=1, dim=0)
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": 'goes on after a rejection and counts all that pass; rule: "The first that is not kept ends the draft"',
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    kept, rejected = 0, None
    for i, token in enumerate(draft):
        if uniforms[i] < (target_probs[i, token] / draft_probs[i, token]).item():
            kept += 1
        elif rejected is None:
            rejected = i
    if rejected is None:
        return kept, target_probs[-1].clone()
    left = (target_probs[rejected] - draft_probs[rejected]).clamp(min=0)
    return kept, left / left.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "the target without the rejected token instead of the positive part of target minus draft; the same for two words",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    for i, token in enumerate(draft):
        if uniforms[i] >= (target_probs[i, token] / draft_probs[i, token]).item():
            left = target_probs[i].clone()
            left[token] = 0.0
            return i, left / left.sum()
    return len(draft), target_probs[len(draft)].clone()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": 'an empty list becomes an index of floats and fails; rule: "k may be 0"',
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    tokens = torch.tensor(draft)
    ratio = target_probs[torch.arange(k), tokens] / draft_probs[torch.arange(k), tokens]
    n = 0
    while n < k and uniforms[n] < ratio[n].item():
        n += 1
    if n == k:
        return n, target_probs[n].clone()
    left = (target_probs[n] - draft_probs[n]).clamp(min=0)
    return n, left / left.sum()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": 'kept also if the uniform number equals the ratio; rule: "kept if uniforms[i] is below"',
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    n = 0
    for token, u, p, q in zip(draft, uniforms, target_probs, draft_probs):
        if u > (p[token] / q[token]).item():
            left = torch.relu(p - q)
            return n, left / left.sum()
        n += 1
    return n, target_probs[n].clone()
""",
    },
    {
        "task": "accept_draft",
        "right": False,
        "why": "the rest is taken at the last place of the draft, not at the rejected token",
        "source": r"""
def accept_draft(draft, draft_probs, target_probs, uniforms):
    k = len(draft)
    n = 0
    while n < k and uniforms[n] < (target_probs[n, draft[n]] / draft_probs[n, draft[n]]).item():
        n += 1
    if n == k:
        return k, target_probs[k].clone()
    left = (target_probs[k - 1] - draft_probs[k - 1]).clamp(min=0)
    return n, left / left.sum()
""",
    },
]
