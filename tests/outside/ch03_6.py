ANSWERS = [
    {
        "task": "leaky_step",
        "right": True,
        "why": "one formula with matrix products",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    candidate = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return (1 - leak) * hidden + leak * candidate
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "einsum, one sequence at a time in a list that is stacked",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    rows = []
    for i in range(x.shape[0]):
        total = bias.clone()
        total = total + torch.einsum("hi,i->h", weight_ih, x[i])
        total = total + torch.einsum("hk,k->h", weight_hh, hidden[i])
        rows.append(hidden[i] - leak * hidden[i] + leak * total.tanh())
    return torch.stack(rows)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "returns `hidden` itself for leak 0: not 'a new tensor', and no gradient to the other four",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    if leak == 0:
        return hidden
    new = torch.tanh(F.linear(x, weight_ih, bias) + F.linear(hidden, weight_hh))
    return torch.lerp(hidden, new, leak)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the matrices of the state are not transposed: wrong for a weight_hh that is not symmetric",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    s = x @ weight_ih.t() + hidden @ weight_hh + bias
    return (1 - leak) * hidden + leak * torch.tanh(s)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the old state is detached in the product with weight_hh: 'The gradient must flow through it to all five tensors', that to hidden is incomplete",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    old = hidden.detach()
    s = x @ weight_ih.T + old @ weight_hh.T + bias
    return (1 - leak) * hidden + leak * torch.tanh(s)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "result buffer is float32: with float64 arguments not 'of the element type of the arguments'",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    B, H = hidden.shape
    out = torch.zeros(B, H)
    act = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    for b in range(B):
        out[b] = (1 - leak) * hidden[b] + leak * act[b]
    return out
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "leak and 1 - leak exchanged",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return leak * hidden + (1 - leak) * new
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "loop over time with torch.where, padding replaced by zeros first",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    B, T, _ = x.shape
    alive = torch.arange(T)[None, :] < lengths[:, None]
    x = torch.where(alive[:, :, None], x, torch.zeros((), dtype=x.dtype))
    h = hidden.clone()
    for t in range(T):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where(alive[:, t, None], new, h)
    return h
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "one text after the other, only its own words",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    answers = []
    for row, state, n in zip(x, hidden, lengths.tolist()):
        for word in row[:n]:
            state = torch.tanh(weight_ih @ word + weight_hh @ state + bias)
        answers.append(state)
    return torch.stack(answers)
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "picks states[length - 1]: a length of 0 gives the last state of the padding instead of `hidden`",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h, states = hidden, []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        states.append(h)
    states = torch.stack(states, dim=1)
    return states[torch.arange(x.shape[0]), lengths - 1]
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "truncated: the state is detached before each step, so the gradient does not 'flow through all steps'",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden + 0
    for t in range(x.shape[1]):
        if t > 0:
            h = h.detach()
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where((lengths > t).unsqueeze(1), new, h)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "returns `hidden` itself, not 'a new tensor', if all lengths are 0",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden
    for t in range(int(lengths.max())):
        go = (lengths > t).unsqueeze(1)
        inp = torch.where(go, x[:, t], torch.zeros_like(x[:, t]))
        h = torch.where(go, torch.tanh(F.linear(inp, weight_ih, bias) + F.linear(h, weight_hh)), h)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "sorts the texts by length and forgets to put the rows back: right only for lengths that fall",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    order = torch.argsort(lengths, descending=True, stable=True)
    x, h, n = x[order], hidden[order], lengths[order]
    for t in range(x.shape[1]):
        k = int((n > t).sum())
        new = torch.tanh(x[:k, t] @ weight_ih.T + h[:k] @ weight_hh.T + bias)
        h = torch.cat([new, h[k:]])
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "a text of length 0 gets zeros instead of its own first state",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    result = []
    for b in range(x.shape[0]):
        h = hidden[b:b + 1]
        last = torch.zeros_like(hidden[b])
        for t in range(int(lengths[b])):
            h = torch.tanh(x[b, t] @ weight_ih.T + h @ weight_hh.T + bias)
            last = h[0]
        result.append(last)
    return torch.stack(result)
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "off by one: a text takes one word of padding too many (t <= length)",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        keep = (t <= lengths).to(x.dtype)[:, None]
        h = keep * new + (1 - keep) * h
    return h
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "as in the text: states in a list, then back",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    states = [0.0]
    for x in inputs:
        states.append(math.tanh(w * states[-1] + u * x))
    dw = du = 0.0
    if not inputs:
        return dw, du
    delta = states[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - states[t] ** 2)
        dw += a * states[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "forward mode (the derivatives of the state are carried along), NumPy numbers",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = np.float64(0)
    g = np.zeros(2)
    for x in inputs:
        g = np.array([h, x]) + w * g
        h = np.tanh(w * h + u * x)
        g = (1 - h * h) * g
    g = (h - target) * g
    return g[0], g[1]
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "IndexError for no inputs: 'if it is empty, both derivatives are 0'",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    hs = []
    h = 0.0
    for x in inputs:
        h = math.tanh(w * h + u * x)
        hs.append(h)
    d = hs[-1] - target
    dw, du = 0.0, 0.0
    for t in reversed(range(len(inputs))):
        a = d * (1 - hs[t] ** 2)
        dw += a * (hs[t - 1] if t > 0 else 0.0)
        du += a * inputs[t]
        d = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "reverses the list of the caller and leaves it so: 'A function leaves its arguments as they are'",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    hs = [0.0]
    for x in inputs:
        hs.append(math.tanh(w * hs[-1] + u * x))
    dw, du = 0.0, 0.0
    delta = hs[-1] - target
    inputs.reverse()
    for x in inputs:
        a = delta * (1 - hs.pop() ** 2)
        dw += a * hs[-1]
        du += a * x
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "forgets the slope of tanh on the way back (delta = delta * w instead of a * w): wrong from two inputs on",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    hs = [0.0]
    for x in inputs:
        hs.append(math.tanh(w * hs[-1] + u * x))
    dw, du, delta = 0.0, 0.0, hs[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - hs[t] ** 2)
        dw, du = dw + a * hs[t - 1], du + a * inputs[t - 1]
        delta *= w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "at index 0, hs[t - 1] is the last state: h_0 = 0 is forgotten, dL/dw gets a term too many",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    hs, h = [], 0.0
    for x in inputs:
        h = math.tanh(w * h + u * x)
        hs.append(h)
    dw = du = 0.0
    if len(hs) == 0:
        return dw, du
    d = hs[-1] - target
    for t in range(len(hs) - 1, -1, -1):
        a = d * (1 - hs[t] * hs[t])
        dw += a * hs[t - 1]
        du += a * inputs[t]
        d = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "derives with the last step only, the old state taken as a constant: right for one input",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    before, h, x = 0.0, 0.0, 0.0
    for x in inputs:
        before, h = h, math.tanh(w * h + u * x)
    a = (h - target) * (1 - h ** 2)
    return a * before, a * x
""",
    },
    {
        "task": "bptt_gradient",
        "right": None,
        "why": "autograd in float64: right numbers, but 'Write it with plain numbers, without autograd'",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    w = torch.tensor(float(w), dtype=torch.float64, requires_grad=True)
    u = torch.tensor(float(u), dtype=torch.float64, requires_grad=True)
    if not inputs:
        return 0.0, 0.0
    h = torch.zeros((), dtype=torch.float64)
    for x in inputs:
        h = torch.tanh(w * h + u * x)
    (0.5 * (h - target) ** 2).backward()
    return w.grad.item(), u.grad.item()
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "chunk, as in the formulas",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s_i, s_f, s_g, s_o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(s_i + p_i * cell)
    f = torch.sigmoid(s_f + p_f * cell)
    new_cell = f * cell + i * torch.tanh(s_g)
    o = torch.sigmoid(s_o + p_o * new_cell)
    return o * torch.tanh(new_cell), new_cell
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "einsum over the stacked weights as (4, H, I), result as a list",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    H = hidden.shape[1]
    sums = torch.einsum("ghi,bi->gbh", weight_ih.reshape(4, H, -1), x)
    sums = sums + torch.einsum("ghk,bk->gbh", weight_hh.reshape(4, H, H), hidden)
    sums = sums + bias.reshape(4, 1, H)
    early = torch.sigmoid(sums[:2] + peepholes[:2, None, :] * cell)
    c = early[1] * cell + early[0] * sums[2].tanh()
    h = torch.sigmoid(sums[3] + peepholes[2] * c) * c.tanh()
    return [h, c]
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the output gate sees the old cell state instead of the new one",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s = x @ weight_ih.T + hidden @ weight_hh.T + bias
    si, sf, sg, so = s.chunk(4, 1)
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
        "why": "changes the cell state of the caller in place: 'it stays as it is'",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    si, sf, sg, so = (F.linear(x, weight_ih, bias) + F.linear(hidden, weight_hh)).split(hidden.shape[1], dim=1)
    i = torch.sigmoid(si + peepholes[0] * cell)
    f = torch.sigmoid(sf + peepholes[1] * cell)
    if cell.requires_grad:
        cell = f * cell + i * torch.tanh(sg)
    else:
        cell *= f
        cell += i * torch.tanh(sg)
    o = torch.sigmoid(so + peepholes[2] * cell)
    return o * torch.tanh(cell), cell
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the gates look at a detached cell state: the gradient to `cell` and through the output peephole is incomplete ('The gradient must flow through both to all seven arguments')",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    si, sf, sg, so = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    pi, pf, po = peepholes
    look = cell.detach()
    i, f = torch.sigmoid(si + pi * look), torch.sigmoid(sf + pf * look)
    new = f * cell + i * torch.tanh(sg)
    o = torch.sigmoid(so + po * new.detach())
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "blocks taken in the order i, f, o, g: 'for i, f, g, o in this order'",
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
        "why": "takes the four sums as every fourth column ([:, 0::4] ...) instead of four blocks of H: right only for H = 1",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s = x @ weight_ih.T + hidden @ weight_hh.T + bias
    si, sf, sg, so = s[:, 0::4], s[:, 1::4], s[:, 2::4], s[:, 3::4]
    i = torch.sigmoid(si + peepholes[0] * cell)
    f = torch.sigmoid(sf + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(sg)
    o = torch.sigmoid(so + peepholes[2] * c)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "chunks",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=-1)
    hr, hz, hn = weight_hh.chunk(3)
    r = torch.sigmoid(xr + hidden @ hr.T)
    z = torch.sigmoid(xz + hidden @ hz.T)
    n = torch.tanh(xn + (r * hidden) @ hn.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "one row at a time with matrix-vector products and slices",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.size(1)
    part = [slice(0, H), slice(H, 2 * H), slice(2 * H, 3 * H)]

    def total(k, xb, hb):
        return torch.mv(weight_ih[part[k]], xb) + torch.mv(weight_hh[part[k]], hb) + bias[part[k]]

    out = []
    for b in range(x.size(0)):
        xb, hb = x[b], hidden[b]
        r = 1 / (1 + torch.exp(-total(0, xb, hb)))
        z = 1 / (1 + torch.exp(-total(1, xb, hb)))
        n = torch.tanh(total(2, xb, r * hb))
        out.append(n + z * (hb - n))
    return torch.stack(out, 0)
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "PyTorch's form: r multiplies the product W_hn h (same for one unit, so the example passes)",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    gx = x @ weight_ih.T + bias
    gh = hidden @ weight_hh.T
    xr, xz, xn = gx.chunk(3, 1)
    hr, hz, hn = gh.chunk(3, 1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    n = torch.tanh(xn + r * hn)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the bias of n goes into the reset: r * b_n is added",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    Wx, Wh, b = weight_ih.view(3, H, -1), weight_hh.view(3, H, H), bias.view(3, H)
    r = torch.sigmoid(x @ Wx[0].T + hidden @ Wh[0].T + b[0])
    z = torch.sigmoid(x @ Wx[1].T + hidden @ Wh[1].T + b[1])
    n = torch.tanh(x @ Wx[2].T + r * b[2] + (r * hidden) @ Wh[2].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "no gradient through the reset gate (r computed under no_grad): 'The gradient must flow through it to all five arguments'",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    gates = x @ weight_ih[:2 * H].T + hidden @ weight_hh[:2 * H].T + bias[:2 * H]
    r, z = torch.sigmoid(gates).split(H, dim=1)
    with torch.no_grad():
        scaled = r * hidden
    n = torch.tanh(x @ weight_ih[2 * H:].T + bias[2 * H:] + scaled @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the state is overwritten: `hidden` 'stays as it is' (rows filled in one after the other)",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = F.linear(x, weight_ih, bias).chunk(3, 1)
    wr, wz, wn = weight_hh.chunk(3, 0)
    r = (xr + hidden @ wr.T).sigmoid()
    z = (xz + hidden @ wz.T).sigmoid()
    n = (xn + (r * hidden) @ wn.T).tanh()
    new = hidden if not hidden.requires_grad else hidden.clone()
    new *= z
    new += (1 - z) * n
    return new
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "update gate the other way round: z * n + (1 - z) * h",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    wr, wz, wn = weight_hh.chunk(3, 0)
    r = torch.sigmoid(xr + hidden @ wr.T)
    z = torch.sigmoid(xz + hidden @ wz.T)
    n = torch.tanh(xn + (r * hidden) @ wn.T)
    return z * n + (1 - z) * hidden
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "float64 sum, min",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit must be positive")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    if norm <= limit:
        return [g.clone() for g in gradients], norm
    return [(g * (limit / norm)).to(g.dtype) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "one long vector, np.float64 as the norm, tuple of the parts cut out again",
        "source": r"""
def clip_gradients(gradients, limit):
    if not limit > 0:
        raise ValueError(f"bad limit {limit}")
    flat = np.concatenate([g.detach().to(torch.float64).numpy().ravel() for g in gradients])
    norm = np.linalg.norm(flat)
    factor = 1.0
    if norm > limit:
        factor = limit / norm
    scaled = torch.from_numpy(flat * factor)
    parts = scaled.split([g.numel() for g in gradients])
    return tuple(p.reshape(g.shape).to(g.dtype).clone() for p, g in zip(parts, gradients)), norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "the same tensors where nothing was clipped: 'new ones even where nothing was clipped'",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    if norm <= limit:
        return list(gradients), norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "scale = limit / max(norm, limit): NaN for an infinite limit ('it may be infinite')",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("the limit must be more than 0")
    total = 0.0
    for g in gradients:
        total += g.double().pow(2).sum().item()
    norm = total ** 0.5
    scale = limit / max(norm, limit)
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "ZeroDivisionError if all gradients are zero: 'Gradients of zero stay zero'",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit must be > 0")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm)
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "each tensor by its own norm instead of one common norm",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit must be > 0")
    norm = torch.cat([g.flatten() for g in gradients]).norm().item()
    out = []
    for g in gradients:
        n = g.norm().item()
        out.append(g * (limit / n) if n > limit else g.clone())
    return out, norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "a limit of 0 is accepted (only negative ones raise)",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit < 0:
        raise ValueError("negative limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    scale = limit / norm if norm > limit else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "scales short gradients up to the limit, too",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    if norm == 0 or math.isinf(limit):
        return [g.clone() for g in gradients], norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "slices",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("text too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        begins = [row * piece + start for row in range(n_rows)]
        batches.append(([ids[b:b + length] for b in begins], [ids[b + 1:b + length + 1] for b in begins]))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "clumsy, every token by its own number",
        "source": r"""
def reading_rows(ids, n_rows, length):
    if len(ids) < n_rows * length + 1:
        raise ValueError("too short for one batch")
    piece = (len(ids) - 1) // n_rows
    result = []
    k = 0
    while (k + 1) * length <= piece:
        inputs = []
        targets = []
        for row in range(n_rows):
            a = []
            b = []
            for j in range(length):
                place = row * piece + k * length + j
                a.append(ids[place])
                b.append(ids[place + 1])
            inputs.append(a)
            targets.append(b)
        result.append((inputs, targets))
        k = k + 1
    return result
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "a piece has len(ids) // n_rows tokens: with 12 tokens, 2 rows, windows of 3 the last target is missing",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = len(ids) // n_rows
    if piece < length or len(ids) < 2:
        raise ValueError("too short")
    out = []
    for s in range(0, piece - length + 1, length):
        inputs = [ids[r * piece + s:r * piece + s + length] for r in range(n_rows)]
        targets = [ids[r * piece + s + 1:r * piece + s + length + 1] for r in range(n_rows)]
        out.append((inputs, targets))
    return out
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "pieces shortened to whole windows, so that row 1 begins too early (16 tokens, 2 rows, windows of 3: row 1 must begin at 7, not 6)",
        "source": r"""
def reading_rows(ids, n_rows, length):
    n_batches = (len(ids) - 1) // n_rows // length
    if n_batches < 1:
        raise ValueError("too short")
    size = n_batches * length
    x = torch.tensor(ids[:n_rows * size]).view(n_rows, n_batches, length)
    y = torch.tensor(ids[1:n_rows * size + 1]).view(n_rows, n_batches, length)
    return [(x[:, k].tolist(), y[:, k].tolist()) for k in range(n_batches)]
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "returns an empty list for a text that is too short; ValueError only for an empty one",
        "source": r"""
def reading_rows(ids, n_rows, length):
    if not ids:
        raise ValueError("no text")
    piece = (len(ids) - 1) // n_rows
    return [([ids[r * piece + s:r * piece + s + length] for r in range(n_rows)],
             [ids[r * piece + s + 1:r * piece + s + 1 + length] for r in range(n_rows)])
            for s in range(0, piece - length + 1, length)]
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "off by one in the check: a text that is just long enough (n_rows * length + 1 tokens) raises",
        "source": r"""
def reading_rows(ids, n_rows, length):
    if len(ids) <= n_rows * length + 1:
        raise ValueError("text too short")
    piece = (len(ids) - 1) // n_rows
    out = []
    for k in range(piece // length):
        x, y = [], []
        for r in range(n_rows):
            p = r * piece + k * length
            x.append(ids[p:p + length])
            y.append(ids[p + 1:p + 1 + length])
        out.append((x, y))
    return out
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "windows that fill up row after row: row b of the next batch does not go on where row b stopped",
        "source": r"""
def reading_rows(ids, n_rows, length):
    per = n_rows * length
    if len(ids) < per + 1:
        raise ValueError("text too short")
    out = []
    for s in range(0, len(ids) - per, per):
        out.append(([ids[s + r * length:s + (r + 1) * length] for r in range(n_rows)],
                    [ids[s + r * length + 1:s + (r + 1) * length + 1] for r in range(n_rows)]))
    return out
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "log_softmax in float64 and gather",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("a text has at least one byte")
    logp = torch.log_softmax(logits.double(), dim=-1)
    nats = -logp.gather(1, targets.unsqueeze(1)).sum()
    return nats.item() / (math.log(2) * n_bytes)
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "plain Python, the largest logit subtracted, powers of 2",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes <= 0:
        raise ValueError("n_bytes must be 1 or more")
    bits = 0.0
    for row, target in zip(logits.tolist(), targets.tolist()):
        top = max(row)
        total = sum(math.exp(z - top) for z in row)
        bits += math.log2(total) - (row[target] - top) / math.log(2)
    return bits / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "mean over the positions, n_bytes ignored: fits the example, where both are 2",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    return F.cross_entropy(logits, targets).item() / math.log(2)
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "log of softmax: infinite for logits that differ by 1000 ('of any size')",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    p = torch.softmax(logits.double(), dim=1)
    picked = p[torch.arange(len(targets)), targets]
    return float(-torch.log2(picked).sum() / n_bytes)
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "probabilities get 1e-9 added 'for safety': no token costs more than 30 bits",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    p = F.softmax(logits.double(), dim=-1).gather(1, targets[:, None])
    return -(p + 1e-9).log().sum().item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "no ValueError for a negative n_bytes (only 0 is refused)",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if not n_bytes:
        raise ValueError("empty text")
    nll = F.cross_entropy(logits.double(), targets, reduction="sum").item()
    return nll / n_bytes / math.log(2)
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "returns a tensor: 'A float, not a tensor' (round() of a tensor passes for a moment)",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    nll = F.cross_entropy(logits.double(), targets, reduction="sum")
    return nll / (n_bytes * math.log(2))
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "largest logit subtracted before the division",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative temperature")
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter(-1, best, 1.0)
    z = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(z.double() / temperature, dim=-1).to(logits.dtype)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "row by row with Python floats",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("the temperature must not be negative")
    if logits.dim() == 2:
        if len(logits) == 0:
            return logits.clone()
        return torch.stack([tempered_probs(row, temperature) for row in logits])
    z = logits.tolist()
    top = max(z)
    if temperature == 0:
        e = [0.0] * len(z)
        e[z.index(top)] = 1.0
    else:
        e = [math.exp((value - top) / temperature) for value in z]
    total = sum(e)
    return torch.tensor([value / total for value in e], dtype=logits.dtype)
""",
    },
    {
        "task": "tempered_probs",
        "right": None,
        "why": "divides before anything is subtracted: 1e38 / 0.01 is infinite and the row becomes NaN, which the statement excludes by now",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    return F.softmax(logits / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at temperature 0 equal largest logits share the probability: 'the first of them if several are equal'",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    z = logits - logits.amax(-1, keepdim=True)
    if temperature == 0:
        hit = (z == 0).to(logits.dtype)
        return hit / hit.sum(-1, keepdim=True)
    return torch.softmax(z / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "one-hot of int64 at temperature 0: not the element type of the logits",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    z = logits - logits.amax(-1, keepdim=True)
    if temperature == 0:
        return F.one_hot(z.argmax(-1), z.shape[-1])
    return torch.softmax(z / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "softmax over the first axis: right for (V,), wrong for (B, V)",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        out = torch.zeros_like(logits)
        out.scatter_(-1, logits.argmax(-1, keepdim=True), 1)
        return out
    z = logits - logits.max()
    return torch.softmax(z / temperature, dim=0)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "argmax without an axis: with a batch only one row gets a 1 at temperature 0",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        out = torch.zeros_like(logits)
        out.view(-1)[torch.argmax(logits)] = 1
        return out
    z = logits - logits.max(-1, keepdim=True)[0]
    e = torch.exp(z / temperature)
    return e / e.sum(-1, keepdim=True)
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
        "why": "sets of positions that are seen, from the top down",
        "source": r"""
def stack_reach(layers):
    seen = {0}
    for kernel_size, dilation in reversed(layers):
        low = min(seen)
        seen.add(low - (kernel_size - 1) * dilation)
    return max(seen) - min(seen) + 1
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "adds the dilations only: right for kernels of 2",
        "source": r"""
def stack_reach(layers):
    reach = 1
    for kernel, dilation in layers:
        reach += dilation
    return reach
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "recursion that pops the layers off the list of the caller",
        "source": r"""
def stack_reach(layers):
    if not layers:
        return 1
    kernel, dilation = layers.pop()
    return (kernel - 1) * dilation + stack_reach(layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "starts with the first layer: IndexError for an empty list ('it may be empty')",
        "source": r"""
def stack_reach(layers):
    kernel, dilation = layers[0]
    reach = (kernel - 1) * dilation + 1
    for kernel, dilation in layers[1:]:
        reach += (kernel - 1) * dilation
    return reach
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "takes the dilation of layer n to be 2 ** n, whatever is given",
        "source": r"""
def stack_reach(layers):
    return 1 + sum((k - 1) * 2 ** n for n, (k, _) in enumerate(layers))
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "multiplies the kernels (2 * 2 * 2 = 8 fits the example) and ignores the dilations",
        "source": r"""
def stack_reach(layers):
    reach = 1
    for k, d in layers:
        reach *= k
    return reach
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "layers kept in a dict by dilation: of layers with the same dilation only the last one counts",
        "source": r"""
def stack_reach(layers):
    back = {}
    for k, d in layers:
        back[d] = (k - 1) * d
    return 1 + sum(back.values())
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "F.conv1d after padding on the left",
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
        "why": "a sum of shifted products over the kernel",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    out = bias.expand(B, T, len(bias))
    for j in range(weight.shape[-1]):
        back = (weight.shape[-1] - 1 - j) * dilation
        if back >= T:
            continue
        shifted = torch.cat([x.new_zeros(B, back, I), x[:, :T - back]], dim=1)
        out = out + torch.einsum("bti,oi->bto", shifted, weight[:, :, j])
    return out
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "pads on both sides and cuts [:-pad]: with k = 1, pad is 0 and nothing is left",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    y = F.conv1d(x.transpose(1, 2), weight, bias, padding=pad, dilation=dilation)
    return y[:, :, :-pad].transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "torch.roll: inputs from the end of the text come in at its start",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    y = bias + x @ weight[:, :, k - 1].T
    for j in range(k - 1):
        n = (k - 1 - j) * dilation
        rolled = torch.roll(x, n, dims=1)
        if n == 1:
            rolled = rolled.clone()
            rolled[:, 0] = 0
        y = y + rolled @ weight[:, :, j].T
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "reshape instead of transpose: right for I = 1 and O = 1 only",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    O, _, k = weight.shape
    z = F.pad(x.reshape(B, I, T), ((k - 1) * dilation, 0))
    return F.conv1d(z, weight, bias, dilation=dilation).reshape(B, T, O)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padding of k - 1 whatever the dilation is: output too short for a dilation above 1",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    padded = F.pad(x.permute(0, 2, 1), (k - 1, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation).permute(0, 2, 1)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "bias forgotten: 0 in the example",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    padded = F.pad(x.transpose(1, 2), ((k - 1) * dilation, 0))
    return F.conv1d(padded, weight, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "results written into a float32 tensor: float64 inputs come back as float32",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    O, _, k = weight.shape
    y = torch.zeros(B, T, O)
    for t in range(T):
        s = bias
        for j in range(k):
            p = t - (k - 1 - j) * dilation
            if p >= 0:
                s = s + x[:, p] @ weight[:, :, j].T
        y[:, t] = s
    return y
""",
    },
]
