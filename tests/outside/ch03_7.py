ANSWERS = [
    {
        "task": "leaky_step",
        "right": True,
        "why": "F.linear and torch.lerp",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(F.linear(x, weight_ih, bias) + F.linear(hidden, weight_hh))
    return torch.lerp(hidden, new, leak)
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "einsum, term by term",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    total = torch.einsum("bi,hi->bh", x, weight_ih)
    total = total + torch.einsum("bg,hg->bh", hidden, weight_hh)
    total = total + bias[None, :]
    return hidden * (1 - leak) + total.tanh() * leak
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "weight_hh is not transposed: same for one unit or a symmetric matrix",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh + bias)
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the shares are exchanged: leak is what is kept",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return leak * hidden + (1 - leak) * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the old state is detached, as between batches: its gradient is lost",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    h = hidden.detach()
    new = torch.tanh(x @ weight_ih.T + h @ weight_hh.T + bias)
    return (1 - leak) * h + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "with leak 0 the old tensor itself is returned, not a new one",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    if leak == 0:
        return hidden
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return hidden + leak * (new - hidden)
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "all rows at once, where keeps the states of ended texts; padding zeroed first",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    B, T, _ = x.shape
    going = torch.arange(T, device=x.device)[None, :] < lengths.to(x.device)[:, None]
    x = x.masked_fill(~going[:, :, None], 0)
    h = hidden.clone()
    for t in range(T):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where(going[:, t, None], new, h)
    return h
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "row by row, each only to its own length",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    rows = []
    for b, n in enumerate(lengths.tolist()):
        h = hidden[b]
        for t in range(int(n)):
            h = torch.tanh(weight_ih @ x[b, t] + weight_hh @ h + bias)
        rows.append(h)
    return torch.stack(rows)
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "padding is set to zero but the cell runs on to the end",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden
    for t in range(x.shape[1]):
        keep = (t < lengths).to(x.dtype)[:, None]
        h = torch.tanh((x[:, t] * keep) @ weight_ih.T + h @ weight_hh.T + bias)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "all states stacked, picked at lengths - 1: a length of 0 takes the last state and not the first",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    states, h = [], hidden
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        states.append(h)
    return torch.stack(states, 1)[torch.arange(len(x)), lengths - 1]
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "writes into hidden in place: the states before the first step are changed",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden.clone()
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where((t < lengths)[:, None], new, h)
    hidden.data.copy_(h.detach())
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "truncated: the state is detached at each step, so that no gradient flows to earlier steps",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden.clone()
    for t in range(x.shape[1]):
        before = h if t == 0 else h.detach()
        new = torch.tanh(x[:, t] @ weight_ih.T + before @ weight_hh.T + bias)
        h = torch.where((t < lengths)[:, None], new, h)
    return h
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "forwards with a list of states, backwards with zip",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    states = [0.0]
    for x in inputs:
        states.append(math.tanh(w * states[-1] + u * x))
    delta = states[-1] - target
    dw = du = 0.0
    for h, before, x in zip(states[:0:-1], states[-2::-1], reversed(inputs)):
        a = delta * (1 - h * h)
        dw += a * before
        du += a * x
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "recursion: each level returns what it adds; NumPy floats",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    def walk(t, before):
        if t == len(inputs):
            return before - target, np.float64(0.0), np.float64(0.0)
        h = np.tanh(w * before + u * inputs[t])
        delta, dw, du = walk(t + 1, h)
        a = delta * (1 - h ** 2)
        return a * w, dw + a * before, du + a * inputs[t]
    _, dw, du = walk(0, np.float64(0.0))
    return (dw, du)
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "delta is not multiplied by w on the way back",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    d, dw, du = h[-1] - target, 0.0, 0.0
    for t in range(len(inputs), 0, -1):
        a = d * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        d = a
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "only the last step is differentiated (truncated after one): right for one input",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    if not inputs:
        return 0.0, 0.0
    h = before = 0.0
    for x in inputs:
        before, h = h, math.tanh(w * h + u * x)
    a = (h - target) * (1 - h * h)
    return a * before, a * inputs[-1]
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "the state of the same step instead of the one before in dL/dw",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = []
    s = 0.0
    for x in inputs:
        s = math.tanh(w * s + u * x)
        h.append(s)
    d, dw, du = s - target, 0.0, 0.0
    for t in reversed(range(len(inputs))):
        a = d * (1 - h[t] ** 2)
        dw += a * h[t] if t else 0.0
        du += a * inputs[t]
        d = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "empty list of inputs: IndexError, where both derivatives are 0",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = [math.tanh(u * inputs[0])]
    for x in inputs[1:]:
        h.append(math.tanh(w * h[-1] + u * x))
    d, dw, du = h[-1] - target, 0.0, 0.0
    for t in range(len(inputs) - 1, -1, -1):
        a = d * (1 - h[t] ** 2)
        dw += a * (h[t - 1] if t > 0 else 0.0)
        du += a * inputs[t]
        d = a * w
    return dw, du
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "chunk in four, as in the formula",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    si, sf, sg, so = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    pi, pf, po = peepholes
    i = torch.sigmoid(si + pi * cell)
    f = torch.sigmoid(sf + pf * cell)
    new = f * cell + i * torch.tanh(sg)
    o = torch.sigmoid(so + po * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "the weights seen as (4, H, .), named tuple returned",
        "source": r"""
from collections import namedtuple
LSTMState = namedtuple("LSTMState", "hidden cell")
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    H = hidden.shape[1]
    sums = torch.einsum("bi,ghi->gbh", x, weight_ih.reshape(4, H, -1)) + torch.einsum("bk,ghk->gbh", hidden, weight_hh.reshape(4, H, H))
    sums = sums + bias.reshape(4, 1, H)
    gates = torch.sigmoid(sums[:2] + peepholes[:2, None, :] * cell)
    c = gates[1].mul(cell).addcmul(gates[0], sums[2].tanh())
    o = (sums[3] + peepholes[2] * c).sigmoid()
    return LSTMState(hidden=c.tanh().mul(o), cell=c)
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the output gate sees the old cell state, not the new one",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    si, sf, sg, so = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    i = torch.sigmoid(si + peepholes[0] * cell)
    f = torch.sigmoid(sf + peepholes[1] * cell)
    o = torch.sigmoid(so + peepholes[2] * cell)
    c = f * cell + i * torch.tanh(sg)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "blocks read in the order i, f, o, g",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    si, sf, so, sg = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    i = torch.sigmoid(si + peepholes[0] * cell)
    f = torch.sigmoid(sf + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(sg)
    o = torch.sigmoid(so + peepholes[2] * c)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "new cell state computed in place in cell (.data), the old one is lost",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    si, sf, sg, so = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    i = torch.sigmoid(si + peepholes[0] * cell)
    f = torch.sigmoid(sf + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(sg)
    o = torch.sigmoid(so + peepholes[2] * c)
    cell.data = c.detach().clone()
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the cell state in the peepholes is detached: gradients of cell and peepholes are wrong by its part",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    si, sf, sg, so = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    seen = cell.detach()
    i = torch.sigmoid(si + peepholes[0] * seen)
    f = torch.sigmoid(sf + peepholes[1] * seen)
    c = f * cell + i * torch.tanh(sg)
    o = torch.sigmoid(so + peepholes[2] * c.detach())
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "split matrices with chunk",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = F.linear(x, weight_ih, bias).chunk(3, dim=-1)
    Whr, Whz, Whn = weight_hh.chunk(3)
    r = torch.sigmoid(xr + hidden @ Whr.T)
    z = torch.sigmoid(xz + hidden @ Whz.T)
    n = torch.tanh(xn + (r * hidden) @ Whn.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "unit by unit index slices, sigmoid written out by tanh, new state as n + z (h - n)",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.size(1)
    def part(k, state):
        rows = slice(k * H, (k + 1) * H)
        return torch.addmm(bias[rows], x, weight_ih[rows].t()) + state.mm(weight_hh[rows].t())
    squash = lambda s: 0.5 + 0.5 * torch.tanh(s / 2)
    r = squash(part(0, hidden))
    z = squash(part(1, hidden))
    n = torch.tanh(part(2, r * hidden))
    return n + z * (hidden - n)
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "reset gate after the matrix (PyTorch's form): same for H = 1",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    hr, hz, hn = (hidden @ weight_hh.T).chunk(3, 1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "z and 1 - z exchanged",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    a, b, c = weight_hh.chunk(3)
    r, z = torch.sigmoid(xr + hidden @ a.T), torch.sigmoid(xz + hidden @ b.T)
    n = torch.tanh(xn + (r * hidden) @ c.T)
    return z * n + (1 - z) * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the bias of the new content inside the reset: r acts on b_n, too",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    a, b, c = weight_hh.chunk(3)
    xr, xz, xn = (x @ weight_ih.T).chunk(3, 1)
    br, bz, bn = bias.chunk(3)
    r, z = torch.sigmoid(xr + hidden @ a.T + br), torch.sigmoid(xz + hidden @ b.T + bz)
    n = torch.tanh(xn + r * bn + (r * hidden) @ c.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the gate r is detached: no gradient to its weights",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    a, b, c = weight_hh.chunk(3)
    r, z = torch.sigmoid(xr + hidden @ a.T).detach(), torch.sigmoid(xz + hidden @ b.T)
    n = torch.tanh(xn + (r * hidden) @ c.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "norm in double, factor at most 1",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit must be above 0")
    norm = math.sqrt(sum(g.double().square().sum().item() for g in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * factor for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "torch.linalg norm of norms, clones where nothing is clipped",
        "source": r"""
def clip_gradients(gradients, limit):
    if not limit > 0:
        raise ValueError(limit)
    norms = torch.stack([torch.linalg.vector_norm(g.to(torch.float64)) for g in gradients])
    norm = float(torch.linalg.vector_norm(norms))
    out = [g.clone() for g in gradients]
    if norm > limit:
        for g in out:
            g.mul_(limit / norm)
    return out, norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "each gradient is clipped by its own norm",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    out = []
    for g in gradients:
        n = float(g.double().norm())
        out.append(g * min(1.0, limit / n) if n > 0 else g.clone())
    return out, norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "always scaled to the limit, short gradients are made longer",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    if norm == 0 or limit == math.inf:
        return [g.clone() for g in gradients], norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "the same tensors are returned when nothing is clipped",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    if norm <= limit:
        return list(gradients), norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "gradients of zero: 0/0 raises ZeroDivisionError",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    scale = min(1.0, limit / norm)
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "offsets in two loops",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    batches = []
    for start in range(0, piece - length + 1, length):
        begins = [r * piece + start for r in range(n_rows)]
        batches.append(([ids[b:b + length] for b in begins], [ids[b + 1:b + length + 1] for b in begins]))
    if not batches:
        raise ValueError("text too short")
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "torch view and split, back to lists",
        "source": r"""
def reading_rows(ids, n_rows, length):
    n = max(len(ids) - 1, 0) // n_rows
    k = n // length
    if k == 0:
        raise ValueError("too short for a single batch")
    t = torch.tensor(ids, dtype=torch.int64)
    x = t[:n * n_rows].view(n_rows, n)[:, :k * length]
    y = t[1:n * n_rows + 1].view(n_rows, n)[:, :k * length]
    return [(a.tolist(), b.tolist()) for a, b in zip(x.split(length, 1), y.split(length, 1))]
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "pieces of N // n_rows tokens: the last target may be missing, other rows begin elsewhere",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = len(ids) // n_rows
    out = []
    for s in range(0, piece - length + 1, length):
        x = [ids[r * piece + s:r * piece + s + length] for r in range(n_rows)]
        y = [ids[r * piece + s + 1:r * piece + s + length + 1] for r in range(n_rows)]
        out.append((x, y))
    if not out:
        raise ValueError
    return out
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "a piece is shortened to whole windows first, so that row 1 begins there: differs when something is left over",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows // length * length
    if piece <= 0:
        raise ValueError
    return [([ids[r * piece + s:r * piece + s + length] for r in range(n_rows)],
             [ids[r * piece + s + 1:r * piece + s + length + 1] for r in range(n_rows)]) for s in range(0, piece, length)]
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "too short a text gives an empty list and no ValueError",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    return [([ids[r * piece + s:r * piece + s + length] for r in range(n_rows)],
             [ids[r * piece + s + 1:r * piece + s + length + 1] for r in range(n_rows)])
            for s in range(0, piece - length + 1, length)]
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "the rest of a piece is given as a shorter last batch: what fills no window has to be left out",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError
    out = []
    for s in range(0, piece, length):
        e = min(s + length, piece)
        out.append(([ids[r * piece + s:r * piece + e] for r in range(n_rows)],
                    [ids[r * piece + s + 1:r * piece + e + 1] for r in range(n_rows)]))
    return out
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "F.cross_entropy with sum, in double",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("no bytes")
    return F.cross_entropy(logits.double(), targets, reduction="sum").item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "gather and logsumexp, log2 by hand",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if not n_bytes >= 1:
        raise ValueError(n_bytes)
    z = logits.detach().to(torch.float64)
    picked = z.gather(1, targets.view(-1, 1)).squeeze(1)
    nats = torch.logsumexp(z, dim=1) - picked
    return math.fsum(nats.tolist()) / math.log(2) / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "log of softmax: a very unlikely token gives infinity",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError
    p = torch.softmax(logits.double(), dim=-1)
    return -p[torch.arange(len(targets)), targets].log().sum().item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "bits per token, n_bytes only checked: agrees when there are as many tokens as bytes",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError
    return F.cross_entropy(logits, targets).item() / math.log(2)
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "a tensor of shape () instead of a float",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError
    return F.cross_entropy(logits, targets, reduction="sum") / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "n_bytes 0 ends in ZeroDivisionError, negative ones in a negative number",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    logp = F.log_softmax(logits.double(), dim=-1)
    return -logp.gather(1, targets[:, None]).sum().item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "softmax, one-hot at 0",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative temperature")
    if temperature == 0:
        best = logits.argmax(dim=-1)
        return F.one_hot(best, logits.shape[-1]).to(logits.dtype)
    return torch.softmax(logits / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "exponentials after the largest is subtracted; at 0 the first maximum by a loop",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError(temperature)
    if temperature == 0:
        flat = logits.reshape(-1, logits.shape[-1])
        out = torch.zeros_like(flat)
        for b, row in enumerate(flat.tolist()):
            out[b, row.index(max(row))] = 1
        return out.reshape(logits.shape)
    z = logits / temperature
    e = (z - z.amax(dim=-1, keepdim=True)).exp()
    return e / e.sum(dim=-1, keepdim=True)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at 0 equal largest logits share the probability",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError
    if temperature == 0:
        best = (logits == logits.max(dim=-1, keepdim=True).values).to(logits.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(logits / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "softmax over dim 0: wrong for a batch",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError
    if temperature == 0:
        out = torch.zeros_like(logits)
        return out.scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    return torch.softmax(logits / temperature, dim=0)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "one-hot at 0 stays int64, not the type of the logits",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.size(-1))
    return F.softmax(logits / temperature, -1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "divides in place: the logits are changed",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError
    if temperature == 0:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    with torch.no_grad():
        logits /= temperature
    return torch.softmax(logits, dim=-1)
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "sum",
        "source": r"""
def stack_reach(layers):
    return 1 + sum((k - 1) * d for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "walks back from the top, layer by layer, NumPy int",
        "source": r"""
def stack_reach(layers):
    earliest = np.int64(0)
    for kernel_size, dilation in layers[::-1]:
        taps = np.arange(kernel_size) * dilation
        earliest = earliest - taps.max()
    return -earliest + 1
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "product of the kernels: fits dilations that double with kernels of 2",
        "source": r"""
def stack_reach(layers):
    return math.prod(k for k, _ in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "one more than the last dilation times kernel: right when dilations double",
        "source": r"""
def stack_reach(layers):
    if not layers:
        return 1
    k, d = layers[-1]
    return k * d
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "assumes kernels of 2",
        "source": r"""
def stack_reach(layers):
    return 1 + sum(d for _, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "no layers: 0 instead of 1",
        "source": r"""
def stack_reach(layers):
    if len(layers) == 0:
        return 0
    reach = 1
    for k, d in layers:
        reach += (k - 1) * d
    return reach
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "F.conv1d on a text padded on the left",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    padded = F.pad(x.transpose(1, 2), ((k - 1) * dilation, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "one matrix product for each entry of the kernel, shifted by cat with zeros",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    O, _, k = weight.shape
    y = bias.expand(B, T, O)
    for j in range(k):
        back = (k - 1 - j) * dilation
        if back >= T:
            continue
        shifted = torch.cat([x.new_zeros(B, back, I), x[:, :T - back]], dim=1)
        y = y + torch.einsum("bti,oi->bto", shifted, weight[:, :, j])
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padding of k - 1 without the dilation: too short an output for dilation 2",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    padded = F.pad(x.transpose(1, 2), (k - 1, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "the kernel is applied in reverse (a true convolution)",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    padded = F.pad(x.transpose(1, 2), ((k - 1) * dilation, 0))
    return F.conv1d(padded, weight.flip(2), bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padded on both sides by half: outputs see later inputs when k is above 2",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    span = (weight.shape[2] - 1) * dilation
    left = (span + 1) // 2
    padded = F.pad(x.transpose(1, 2), (left, span - left))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "result stays in (B, O, T)",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    padded = F.pad(x.transpose(1, 2), ((weight.shape[2] - 1) * dilation, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation)
""",
    },
]
