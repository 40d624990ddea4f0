ANSWERS = [
    {
        "task": "leaky_step",
        "right": True,
        "why": "one line, as the formula",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    return (1 - leak) * hidden + leak * torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "F.linear on concatenated inputs, and torch.lerp",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    both = torch.cat([x, hidden], dim=1)
    weight = torch.cat([weight_ih, weight_hh], dim=1)
    return torch.lerp(hidden, F.linear(both, weight, bias).tanh(), leak)
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "beginner: one unit after the other, columns stacked",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    columns = []
    n_units = hidden.shape[1]
    for j in range(n_units):
        total = bias[j]
        for i in range(x.shape[1]):
            total = total + weight_ih[j, i] * x[:, i]
        for k in range(n_units):
            total = total + weight_hh[j, k] * hidden[:, k]
        columns.append(hidden[:, j] * (1.0 - leak) + torch.tanh(total) * leak)
    return torch.stack(columns, dim=1)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": 'the leak the wrong way round: leak is "the share of the state that is replaced", here it is the share that is kept',
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(F.linear(x, weight_ih) + F.linear(hidden, weight_hh, bias))
    return leak * hidden + (1 - leak) * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "weight_hh not transposed: row j must hold the weights of unit j; wrong for every non-symmetric weight_hh with H > 1",
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    return (1 - leak) * hidden + leak * torch.tanh(x @ weight_ih.T + hidden @ weight_hh + bias)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": 'changes its argument hidden in place: "A function leaves its arguments as they are", and it must be a new tensor',
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    with torch.no_grad():
        hidden *= 1 - leak
        hidden += leak * new
    return hidden
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": 'the gradient to hidden goes only through the tanh, not through the kept share: "The gradient must flow through it to all five tensors"',
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    kept = (1 - leak) * hidden.detach()
    return kept + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": 'result in a float32 buffer: with float64 arguments it is not "of the element type of the arguments"',
        "source": r"""
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    out = torch.zeros(hidden.shape)
    for b in range(len(x)):
        out[b] = (1 - leak) * hidden[b] + leak * torch.tanh(weight_ih @ x[b] + weight_hh @ hidden[b] + bias)
    return out
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": 'shortcut for leak 0 gives back the argument itself: "a new tensor"',
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
        "why": "steps with torch.where; padding replaced by zeros first, so that even NaN there means nothing",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    steps = x.shape[1]
    alive = torch.arange(steps) < lengths.unsqueeze(1)
    x = x.masked_fill(~alive.unsqueeze(2), 0.0)
    for t in range(steps):
        new = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)
        hidden = torch.where(alive[:, t, None], new, hidden)
    return hidden
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "every text by itself, only as many steps as it has words",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    rows = []
    for text, h, n in zip(x, hidden, lengths.tolist()):
        for word in text[:int(n)]:
            h = torch.tanh(weight_ih @ word + weight_hh @ h + bias)
        rows.append(h)
    return torch.stack(rows)
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "all states with the first in front, then gather at the lengths",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    B, T, _ = x.shape
    H = hidden.shape[1]
    clean = torch.where((torch.arange(T)[None, :] < lengths[:, None])[..., None], x, torch.zeros_like(x))
    from_input = torch.einsum("bti,hi->bth", clean, weight_ih) + bias
    states = [hidden]
    for t in range(T):
        states.append((from_input[:, t] + states[-1] @ weight_hh.t()).tanh())
    states = torch.stack(states, dim=1)
    where = lengths.long().view(B, 1, 1).expand(B, 1, H)
    return states.gather(1, where).squeeze(1)
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "recursion over the steps: texts that go on are picked by index and put back out of place",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    def go(t, state):
        rows = (lengths > t).nonzero().flatten()
        if len(rows) == 0:
            return state
        new = torch.tanh(x[rows, t] @ weight_ih.T + state[rows] @ weight_hh.T + bias)
        return go(t + 1, state.index_copy(0, rows, new))
    return go(0, hidden.clone())
""",
    },
    {
        "task": "last_states",
        "right": None,
        "why": 'torch.where alone: right for every finite padding, but if padding is NaN or infinite the gradients become NaN; the statement says only that padding "means nothing"',
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)
        hidden = torch.where((t < lengths)[:, None], new, hidden)
    return hidden
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": 'states[lengths - 1] without the first state: a text of length 0 gets the state after the last step instead of its old state ("lengths ... from 0 to T")',
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    states = []
    h = hidden
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        states.append(h)
    states = torch.stack(states, dim=1)
    return states[torch.arange(len(x)), lengths - 1]
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": 'begins with zeros and ignores the given hidden: "the states before the first step"',
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = torch.zeros_like(hidden)
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where((t < lengths)[:, None], new, h)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": 'the state is detached at each step: "The gradient must flow through all steps"',
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    for t in range(x.shape[1]):
        old = hidden if t == 0 else hidden.detach()
        new = torch.tanh(x[:, t] @ weight_ih.T + old @ weight_hh.T + bias)
        hidden = torch.where((t < lengths)[:, None], new, hidden)
    return hidden
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": 'goes on only to the longest text and so gives back the argument hidden itself if all lengths are 0: "A new tensor"',
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    longest = int(lengths.max())
    for t in range(longest):
        new = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)
        hidden = torch.where((t < lengths)[:, None], new, hidden)
    return hidden
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "zeroes the padding inputs but goes on stepping: a text that has ended does not keep its state (length 1 gives 0.407, not 0.462)",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    x = x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
    for t in range(x.shape[1]):
        hidden = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)
    return hidden
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "the mask is off by one (t <= length), each text reads one word of padding",
        "source": r"""
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    for t in range(x.shape[1]):
        new = torch.tanh(F.linear(x[:, t], weight_ih, bias) + F.linear(hidden, weight_hh))
        go_on = (t <= lengths).unsqueeze(1)
        hidden = torch.where(go_on, new, hidden)
    return hidden
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "the formulas of the page, plain floats",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    states = [0.0]
    for x in inputs:
        states.append(math.tanh(w * states[-1] + u * x))
    of_w = of_u = 0.0
    if not inputs:
        return of_w, of_u
    delta = states[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - states[t] ** 2)
        of_w += a * states[t - 1]
        of_u += a * inputs[t - 1]
        delta = a * w
    return of_w, of_u
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "NumPy arrays and np.dot, returns two np.float64 (the doctest then prints np.True_, but \"Python's or NumPy's\" floats are allowed)",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    x = np.array(inputs, dtype=np.float64)
    T = len(x)
    h = np.zeros(T + 1)
    for t in range(T):
        h[t + 1] = np.tanh(w * h[t] + u * x[t])
    slope = 1 - h[1:] ** 2
    a = np.zeros(T)
    factor = h[T] - target
    for t in reversed(range(T)):
        a[t] = factor * slope[t]
        factor = a[t] * w
    return np.dot(a, h[:-1]), np.dot(a, x)
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "derivatives carried forwards with the state (forward mode): the same numbers",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h, h_w, h_u = 0.0, 0.0, 0.0
    for x in inputs:
        new = math.tanh(w * h + u * x)
        slope = 1 - new * new
        h_w, h_u = slope * (h + w * h_w), slope * (x + w * h_u)
        h = new
    return (h - target) * h_w, (h - target) * h_u
""",
    },
    {
        "task": "bptt_gradient",
        "right": None,
        "why": '(0, 0) as ints for no inputs: "both derivatives are 0", but "A tuple of two floats"',
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    if len(inputs) == 0:
        return 0, 0
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw, du, delta = 0, 0, h[-1] - target
    for x, new, old in zip(inputs[::-1], h[:0:-1], h[-2::-1]):
        a = delta * (1 - new ** 2)
        dw, du, delta = dw + a * old, du + a * x, a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "walks back without the slope of tanh (delta = delta * w instead of a * w); right for one input only",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw, du = 0.0, 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = delta * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": 'IndexError if there are no inputs ("if it is empty, both derivatives are 0")',
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    states, h = [], 0.0
    for x in inputs:
        h = math.tanh(w * h + u * x)
        states.append(h)
    delta = states[-1] - target
    of_w = of_u = 0.0
    for t in reversed(range(len(inputs))):
        a = delta * (1 - states[t] ** 2)
        if t > 0:
            of_w += a * states[t - 1]
        of_u += a * inputs[t]
        delta = a * w
    return of_w, of_u
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": 'empties the list of inputs by pop(): "A function leaves its arguments as they are"',
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    delta = h[-1] - target
    dw = du = 0.0
    while inputs:
        now = h.pop()
        a = delta * (1 - now * now)
        dw += a * h[-1]
        du += a * inputs.pop()
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "overwrites instead of adding up over the steps: only the first step's share remains",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    delta = h[-1] - target
    of_w = of_u = 0.0
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        of_w = a * h[t - 1]
        of_u = a * inputs[t - 1]
        delta = a * w
    return of_w, of_u
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": 'skips the first step since "h_0 = 0 adds nothing": true for w, but u loses x_1 when there are several inputs',
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    delta = h[-1] - target
    of_w = of_u = 0.0
    last = len(inputs)
    for t in range(last, 1 if last > 1 else 0, -1):
        a = delta * (1 - h[t] ** 2)
        of_w += a * h[t - 1]
        of_u += a * inputs[t - 1]
        delta = a * w
    return of_w, of_u
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "derivative of (h_T - y)^2 without the factor 1/2: twice too large",
        "source": r"""
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    delta = 2 * (h[-1] - target)
    of_w = of_u = 0.0
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        of_w += a * h[t - 1]
        of_u += a * inputs[t - 1]
        delta = a * w
    return of_w, of_u
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "one product, chunk",
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
        "why": "einsum over gates, units and inputs; a named tuple as result",
        "source": r"""
from collections import namedtuple
State = namedtuple("State", "hidden cell")
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    H = hidden.size(-1)
    sums = (torch.einsum("bi,ghi->gbh", x, weight_ih.reshape(4, H, -1))
            + torch.einsum("bk,ghk->gbh", hidden, weight_hh.reshape(4, H, H)) + bias.reshape(4, 1, H))
    gate = (sums[:2] + peepholes[:2, None] * cell).sigmoid()
    c = gate[1] * cell + gate[0] * sums[2].tanh()
    h = (sums[3] + peepholes[2] * c).sigmoid() * c.tanh()
    return State(h, c)
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "beginner: every sequence and unit by itself",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    B, H = hidden.shape
    hs, cs = [], []
    for b in range(B):
        for j in range(H):
            s = []
            for gate in range(4):
                row = gate * H + j
                s.append((weight_ih[row] * x[b]).sum() + (weight_hh[row] * hidden[b]).sum() + bias[row])
            i = 1 / (1 + torch.exp(-(s[0] + peepholes[0, j] * cell[b, j])))
            f = 1 / (1 + torch.exp(-(s[1] + peepholes[1, j] * cell[b, j])))
            c = f * cell[b, j] + i * torch.tanh(s[2])
            o = 1 / (1 + torch.exp(-(s[3] + peepholes[2, j] * c)))
            hs.append(o * torch.tanh(c))
            cs.append(c)
    return torch.stack(hs).reshape(B, H), torch.stack(cs).reshape(B, H)
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": 'the output gate looks at the old cell state; it "sees the new one"',
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s_i, s_f, s_g, s_o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    i = torch.sigmoid(s_i + peepholes[0] * cell)
    f = torch.sigmoid(s_f + peepholes[1] * cell)
    o = torch.sigmoid(s_o + peepholes[2] * cell)
    c = f * cell + i * torch.tanh(s_g)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the peephole is a sum over all units instead of one weight per unit; agrees for H = 1",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s_i, s_f, s_g, s_o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    look = cell @ peepholes.T
    i = torch.sigmoid(s_i + look[:, 0:1])
    f = torch.sigmoid(s_f + look[:, 1:2])
    c = f * cell + i * torch.tanh(s_g)
    o = torch.sigmoid(s_o + (c @ peepholes[2])[:, None])
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": 'the cell state is detached where the gates look at it: "The gradient must flow through both to all seven arguments"',
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s = x @ weight_ih.T + hidden @ weight_hh.T + bias
    s_i, s_f, s_g, s_o = s.chunk(4, dim=1)
    seen = cell.detach()
    i = torch.sigmoid(s_i + peepholes[0] * seen)
    f = torch.sigmoid(s_f + peepholes[1] * seen)
    c = f * cell + i * torch.tanh(s_g)
    o = torch.sigmoid(s_o + peepholes[2] * c)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": 'the old cell state is overwritten: "the old cell state, (B, H); it stays as it is"',
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s_i, s_f, s_g, s_o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    i = torch.sigmoid(s_i + peepholes[0] * cell)
    f = torch.sigmoid(s_f + peepholes[1] * cell)
    if not (cell.requires_grad or f.requires_grad):
        cell.mul_(f).add_(i * torch.tanh(s_g))
    else:
        cell = f * cell + i * torch.tanh(s_g)
    o = torch.sigmoid(s_o + peepholes[2] * cell)
    return o * torch.tanh(cell), cell
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": 'the sums taken in the order i, f, o, g instead of "i, f, g, o in this order"',
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    H = hidden.shape[1]
    s = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i = torch.sigmoid(s[:, :H] + peepholes[0] * cell)
    f = torch.sigmoid(s[:, H:2 * H] + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(s[:, 3 * H:])
    o = torch.sigmoid(s[:, 2 * H:3 * H] + peepholes[2] * c)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the peepholes are interleaved (reshaped as (H, 3)); agrees for H = 1 only",
        "source": r"""
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    p = peepholes.reshape(-1, 3)
    s_i, s_f, s_g, s_o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, dim=1)
    i = torch.sigmoid(s_i + p[:, 0] * cell)
    f = torch.sigmoid(s_f + p[:, 1] * cell)
    c = f * cell + i * torch.tanh(s_g)
    o = torch.sigmoid(s_o + p[:, 2] * c)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "chunks of the stacked matrices",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    x_r, x_z, x_n = (x @ weight_ih.T + bias).chunk(3, dim=1)
    w_r, w_z, w_n = weight_hh.chunk(3)
    r = torch.sigmoid(x_r + hidden @ w_r.T)
    z = torch.sigmoid(x_z + hidden @ w_z.T)
    n = torch.tanh(x_n + (r * hidden) @ w_n.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "einsum, stacked gates, lerp between new content and old state",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[-1]
    from_x = torch.einsum("bi,gi->bg", x, weight_ih) + bias
    gates = torch.sigmoid(from_x[:, :2 * H] + torch.einsum("bh,gh->bg", hidden, weight_hh[:2 * H]))
    r, z = gates[:, :H], gates[:, H:]
    n = torch.tanh(from_x[:, 2 * H:] + torch.einsum("bh,bh,gh->bg", r, hidden, weight_hh[2 * H:]))
    return torch.lerp(n, hidden, z)
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "row after row with matrix-vector products and a helper",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    size = hidden.shape[1]

    def part(which, row, state):
        a, e = which * size, (which + 1) * size
        return torch.mv(weight_ih[a:e], row) + bias[a:e] + torch.mv(weight_hh[a:e], state)

    rows = []
    for row, old in zip(x.unbind(0), hidden.unbind(0)):
        r = part(0, row, old).sigmoid()
        z = part(1, row, old).sigmoid()
        n = part(2, row, r * old).tanh()
        rows.append(n - z * n + z * old)
    return torch.stack(rows)
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "PyTorch's form, the reset gate after the matrix; the same for one unit, wrong for H > 1",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    x_r, x_z, x_n = (x @ weight_ih.T + bias).chunk(3, dim=1)
    h_r, h_z, h_n = (hidden @ weight_hh.T).chunk(3, dim=1)
    r = torch.sigmoid(x_r + h_r)
    z = torch.sigmoid(x_z + h_z)
    n = torch.tanh(x_n + r * h_n)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "z and 1 - z exchanged",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    x_r, x_z, x_n = (x @ weight_ih.T + bias).chunk(3, dim=1)
    w_r, w_z, w_n = weight_hh.chunk(3)
    r = torch.sigmoid(x_r + hidden @ w_r.T)
    z = torch.sigmoid(x_z + hidden @ w_z.T)
    n = torch.tanh(x_n + (r * hidden) @ w_n.T)
    return z * n + (1 - z) * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "W_hn not transposed; agrees for one unit or a symmetric matrix",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    x_r, x_z, x_n = (x @ weight_ih.T + bias).chunk(3, dim=1)
    w_r, w_z, w_n = weight_hh.chunk(3)
    r = torch.sigmoid(x_r + hidden @ w_r.T)
    z = torch.sigmoid(x_z + hidden @ w_z.T)
    n = torch.tanh(x_n + (r * hidden) @ w_n)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": 'the gates are computed without gradient: "The gradient must flow through it to all five arguments"',
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    x_r, x_z, x_n = (x @ weight_ih.T + bias).chunk(3, dim=1)
    w_r, w_z, w_n = weight_hh.chunk(3)
    with torch.no_grad():
        r = torch.sigmoid(x_r + hidden @ w_r.T)
        z = torch.sigmoid(x_z + hidden @ w_z.T)
    n = torch.tanh(x_n + (r * hidden) @ w_n.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the reset gate also scales the old state that is kept: z * (r * h) instead of z * h, by using one variable for both",
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xs = x @ weight_ih.T + bias
    r = torch.sigmoid(xs[:, :H] + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xs[:, H:2 * H] + hidden @ weight_hh[H:2 * H].T)
    hidden = r * hidden
    n = torch.tanh(xs[:, 2 * H:] + hidden @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": 'the state is multiplied by r in place: "the old state, (B, H); it stays as it is"',
        "source": r"""
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    x_r, x_z, x_n = (x @ weight_ih.T + bias).chunk(3, dim=1)
    w_r, w_z, w_n = weight_hh.chunk(3)
    r = torch.sigmoid(x_r + hidden @ w_r.T)
    z = torch.sigmoid(x_z + hidden @ w_z.T)
    old = hidden.clone()
    state = hidden.data
    state *= r.detach()
    n = torch.tanh(x_n + (r * old) @ w_n.T)
    return (1 - z) * n + z * old
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "norm of all squares in float64",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit must be more than 0")
    norm = math.sqrt(sum(g.double().square().sum().item() for g in gradients))
    scale = limit / norm if norm > limit else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "one long vector, cut again; the results are views of one new vector",
        "source": r"""
def clip_gradients(gradients, limit):
    if not limit > 0:
        raise ValueError(limit)
    flat = torch.cat([g.reshape(-1).to(torch.float64) for g in gradients])
    norm = torch.linalg.vector_norm(flat)
    flat = flat * torch.clamp(limit / norm, max=1.0) if norm > 0 else flat.clone()
    parts = flat.split([g.numel() for g in gradients])
    return [part.view(g.shape).to(g.dtype) for part, g in zip(parts, gradients)], float(norm)
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "math.hypot over all numbers, clone and scale",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("the limit must be positive")
    numbers = []
    for g in gradients:
        numbers.extend(g.flatten().tolist())
    norm = math.hypot(*numbers)
    clipped = []
    for g in gradients:
        new = g.clone()
        if norm > limit:
            new *= limit / norm
        clipped.append(new)
    return clipped, norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": 'every tensor is clipped by its own norm: "taken together as one long vector"',
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError
    total = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    out = []
    for g in gradients:
        n = g.double().norm().item()
        out.append(g * min(1.0, limit / n) if n > 0 else g.clone())
    return out, total
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": 'below the limit the very same tensors are given back: "new ones even where nothing was clipped"',
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    if norm <= limit:
        return list(gradients), norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "limit / (norm + 1e-6) as in torch.nn.utils: with a norm of 1e-6 and a limit of 1e-7 the new norm is half of what it should be",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    scale = min(1.0, limit / (norm + 1e-6))
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": 'a limit of 0 is accepted: "ValueError: the limit is 0 or negative"',
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
        "why": 'ZeroDivisionError for gradients of zero: "Gradients of zero stay zero"',
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    scale = min(1, limit / norm)
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "scaled to the limit even if they are shorter (min forgotten)",
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    if norm == 0 or limit == math.inf:
        return [g.clone() for g in gradients], norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": 'scaled in place (mul_): "they stay as they are"',
        "source": r"""
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    if norm > limit:
        for g in gradients:
            g.mul_(limit / norm)
    return [g.clone() for g in gradients], norm
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
        raise ValueError("the text is too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[r * piece + start:r * piece + start + length] for r in range(n_rows)]
        targets = [ids[r * piece + start + 1:r * piece + start + length + 1] for r in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "NumPy: reshape to (rows, windows, length), transpose, tolist",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    n_batches = piece // length
    if n_batches < 1:
        raise ValueError(f"{len(ids)} tokens are too few for {n_rows} rows of {length}")
    text = np.array(ids, dtype=np.int64)

    def cut(first):
        table = text[first:first + n_rows * piece].reshape(n_rows, piece)[:, :n_batches * length]
        return table.reshape(n_rows, n_batches, length).transpose(1, 0, 2).tolist()

    return list(zip(cut(0), cut(1)))
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "index by index, clumsy",
        "source": r"""
def reading_rows(ids, n_rows, length):
    n = len(ids)
    if n == 0:
        raise ValueError("empty")
    per_piece = (n - 1) // n_rows
    result = []
    done = 0
    while done + length <= per_piece:
        ins = []
        outs = []
        for row in range(n_rows):
            a = []
            b = []
            for k in range(length):
                position = row * per_piece + done + k
                a.append(ids[position])
                b.append(ids[position + 1])
            ins.append(a)
            outs.append(b)
        result.append((ins, outs))
        done += length
    if result == []:
        raise ValueError("too short")
    return result
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "piece of N // n_rows instead of (N - 1) // n_rows: with N divisible by n_rows a piece is too long (6 tokens, 2 rows)",
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = len(ids) // n_rows
    if piece < length:
        raise ValueError
    batches = []
    for s in range(0, piece - length + 1, length):
        inputs = [ids[r * piece + s:r * piece + s + length] for r in range(n_rows)]
        targets = [ids[r * piece + s + 1:r * piece + s + length + 1] for r in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": 'keeps a shorter last window: "What fills no window is left out"',
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for s in range(0, piece, length):
        e = min(s + length, piece)
        inputs = [ids[r * piece + s:r * piece + e] for r in range(n_rows)]
        targets = [ids[r * piece + s + 1:r * piece + e + 1] for r in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "the text is tested as N < n_rows * length, without the last target: for N = n_rows * length it returns [] instead of a ValueError",
        "source": r"""
def reading_rows(ids, n_rows, length):
    if len(ids) < n_rows * length or len(ids) == 0:
        raise ValueError("too short")
    piece = (len(ids) - 1) // n_rows
    batches = []
    for s in range(0, piece - length + 1, length):
        inputs = [ids[r * piece + s:r * piece + s + length] for r in range(n_rows)]
        targets = [ids[r * piece + s + 1:r * piece + s + length + 1] for r in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "the rows follow each other within a batch: row b of the next batch does not go on where row b stopped",
        "source": r"""
def reading_rows(ids, n_rows, length):
    size = n_rows * length
    n_batches = (len(ids) - 1) // size
    if n_batches < 1:
        raise ValueError("too short")
    batches = []
    for k in range(n_batches):
        starts = [k * size + r * length for r in range(n_rows)]
        batches.append(([ids[s:s + length] for s in starts], [ids[s + 1:s + length + 1] for s in starts]))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": 'the target of the last token of a piece wraps to the start of the piece: "The target of a token is the token after it in the text"',
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    rows = torch.tensor(ids)[:n_rows * piece].reshape(n_rows, piece)
    after = rows.roll(-1, dims=1)
    return [(rows[:, s:s + length].tolist(), after[:, s:s + length].tolist())
            for s in range(0, piece - length + 1, length)]
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": 'a generator instead of a list: "A list of batches", and the ValueError comes only when it is read',
        "source": r"""
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    for s in range(0, piece - length + 1, length):
        inputs = [ids[r * piece + s:r * piece + s + length] for r in range(n_rows)]
        targets = [ids[r * piece + s + 1:r * piece + s + length + 1] for r in range(n_rows)]
        yield inputs, targets
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "cross entropy, summed, in float64",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes must be at least 1")
    nats = F.cross_entropy(logits.double(), targets, reduction="sum").item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "logsumexp minus the picked logits, NumPy",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError(n_bytes)
    z = logits.detach().double().numpy()
    z = z - z.max(axis=1, keepdims=True)
    lse = np.log(np.exp(z).sum(axis=1))
    picked = np.take_along_axis(z, targets.numpy()[:, None], axis=1)[:, 0]
    return float((lse - picked).sum() / np.log(2.0) / n_bytes)
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "plain Python, position after position, base 2",
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if int(n_bytes) <= 0:
        raise ValueError("a text has at least one byte")
    bits = 0.0
    for row, target in zip(logits.tolist(), targets.tolist()):
        top = max(row)
        total = sum(math.exp(value - top) for value in row)
        bits += math.log2(total) - (row[target] - top) / math.log(2)
    return bits / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "the mean over the tokens instead of the sum divided by the bytes; agrees when there are as many tokens as bytes",
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
        "why": 'softmax and then log: a probability that underflows gives inf, for example logits 0 and 2000, target 0 ("finite, but of any size")',
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    probs = torch.softmax(logits.double(), dim=1)
    picked = probs[torch.arange(len(targets)), targets]
    return -picked.log2().sum().item() / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": 'exp of the logits overflows: "finite, but of any size: exp of them may be infinite"',
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    z = logits.double()
    log_probs = z - z.exp().sum(dim=1, keepdim=True).log()
    return -log_probs.gather(1, targets[:, None]).sum().item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": 'only 0 bytes are rejected, a negative number is not: "ValueError: `n_bytes` is below 1"',
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if not n_bytes:
        raise ValueError("no bytes")
    return F.cross_entropy(logits.double(), targets, reduction="sum").item() / n_bytes / math.log(2)
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": 'returns a tensor: "A float, not a tensor"',
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    return F.cross_entropy(logits, targets, reduction="sum") / n_bytes / math.log(2)
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": 'shifts the targets once more although they are "the tokens that came next"',
        "source": r"""
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    log_probs = F.log_softmax(logits.double(), dim=-1)[:-1]
    picked = log_probs[torch.arange(len(targets) - 1), targets[1:]]
    return -picked.sum().item() / n_bytes / math.log(2)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "in float64, the largest logit subtracted first",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative temperature")
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.shape[-1]).to(logits.dtype)
    z = logits.double()
    z = (z - z.max(dim=-1, keepdim=True).values) / temperature
    return torch.softmax(z, dim=-1).to(logits.dtype)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": 'NumPy, boolean "first maximum" by cumsum',
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("the temperature must not be negative")
    z = logits.detach().to(torch.float64).numpy()
    z = z - z.max(axis=-1, keepdims=True)
    if temperature == 0:
        top = z == 0
        p = (top & (top.cumsum(axis=-1) == 1)).astype(np.float64)
    else:
        p = np.exp(z / temperature)
        p = p / p.sum(axis=-1, keepdims=True)
    return torch.from_numpy(p).to(logits.dtype)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "plain lists, one row after the other, recursion for a batch",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError

    def row(z):
        if temperature == 0:
            p = [0.0] * len(z)
            p[z.index(max(z))] = 1.0
            return p
        top = max(z)
        e = [math.exp((v - top) / temperature) for v in z]
        return [v / sum(e) for v in e]

    def go(z):
        return [go(part) for part in z] if isinstance(z[0], list) else row(z)

    return torch.tensor(go(logits.tolist()), dtype=logits.dtype)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": 'at temperature 0 equal maxima share the probability: "the first of them if several are equal"',
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    top = logits.max(dim=-1, keepdim=True).values
    if temperature == 0:
        best = (logits == top).to(logits.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax((logits - top) / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": 'a small temperature is raised to 0.1 "for stability": "one that is not 0 is at least 0.01"',
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    t = max(temperature, 0.1)
    return torch.softmax((logits - logits.max(-1, keepdim=True).values) / t, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": 'exp without subtracting the maximum: NaN for large logits ("exp of them may be infinite")',
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    e = torch.exp(logits / temperature)
    return e / e.sum(dim=-1, keepdim=True)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at temperature 0 the argmax is taken over the whole batch: only one row gets its 1",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        probs.view(-1)[logits.argmax()] = 1
        return probs
    z = (logits - logits.amax(dim=-1, keepdim=True)) / temperature
    return z.softmax(dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "softmax over the first axis: for (B, V) it normalises the columns",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    return torch.softmax((logits - logits.max()) / temperature, dim=0)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "temperature 0 raises a ValueError: only a negative one may",
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature <= 0:
        raise ValueError("the temperature must be positive")
    z = logits - logits.amax(dim=-1, keepdim=True)
    return torch.softmax(z / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": 'float32 at temperature 0 (one_hot(...).float()): not "the element type of `logits`" for float64',
        "source": r"""
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    z = logits - logits.amax(dim=-1, keepdim=True)
    return torch.softmax(z / temperature, dim=-1)
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "sum",
        "source": r"""
def stack_reach(layers):
    return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "recursion from the top",
        "source": r"""
def stack_reach(layers):
    if not layers:
        return 1
    *below, (k, d) = layers
    return stack_reach(below) + (k - 1) * d
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "follows the earliest position downwards",
        "source": r"""
def stack_reach(layers):
    earliest = 0
    for layer in reversed(layers):
        earliest = min(earliest - j * layer[1] for j in range(layer[0]))
    return 0 - earliest + 1
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "product of the kernel sizes; agrees for kernels of 2 with dilations 1, 2, 4",
        "source": r"""
def stack_reach(layers):
    return math.prod(k for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "only the top layer: k * d; agrees with the example",
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
        "why": "takes every kernel to be 2",
        "source": r"""
def stack_reach(layers):
    reach = 1
    for k, d in layers:
        reach += d
    return reach
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "the present input is not counted if there are no layers: 0 instead of 1",
        "source": r"""
def stack_reach(layers):
    reach = 0
    for n, (k, d) in enumerate(layers):
        reach += (k - 1) * d
        if n == 0:
            reach += 1
    return reach
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "sum of k * d, without the - 1",
        "source": r"""
def stack_reach(layers):
    return 1 + sum(k * d for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": 'takes the layers off the list by pop(): "A function leaves its arguments as they are"',
        "source": r"""
def stack_reach(layers):
    reach = 1
    while layers:
        k, d = layers.pop()
        reach += (k - 1) * d
    return reach
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "F.conv1d with padding on the left",
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
        "why": "a shifted copy of the input for every entry of the kernel",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    k = weight.shape[-1]
    y = bias
    for j in range(k):
        back = min((k - 1 - j) * dilation, T)
        shifted = torch.cat([x.new_zeros(B, back, I), x[:, :T - back]], dim=1)
        y = y + shifted @ weight[:, :, j].T
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "gathers all inputs of the kernel by index, one einsum",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    T, k = x.shape[1], weight.shape[2]
    source = torch.arange(T)[:, None] - torch.arange(k - 1, -1, -1) * dilation
    seen = x[:, source.clamp(min=0)] * (source >= 0)[None, :, :, None]
    return torch.einsum("btki,oik->bto", seen, weight) + bias
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "clumsy loops over the steps",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    outputs = []
    k = weight.shape[2]
    for t in range(x.shape[1]):
        y = bias.unsqueeze(0).repeat(x.shape[0], 1)
        for j in range(k):
            place = t - (k - 1 - j) * dilation
            if place >= 0:
                y = y + torch.matmul(x[:, place, :], weight[:, :, j].t())
        outputs.append(y)
    return torch.stack(outputs, dim=1)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "the dilation is ignored",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    padded = F.pad(x.transpose(1, 2), (k - 1, 0))
    return F.conv1d(padded, weight, bias).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "reshape instead of transpose for (B, T, I) -> (B, I, T): right for one input channel only",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    k = weight.shape[2]
    padded = F.pad(x.reshape(B, I, T), ((k - 1) * dilation, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "shape (B, O, T): not transposed back; the example is flattened and does not show it",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    padded = F.pad(x.transpose(1, 2), ((k - 1) * dilation, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "the bias is forgotten (no gradient to it either)",
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
        "why": "shifted slices without a limit: if (k - 1) * dilation exceeds T (T = 1, k = 3), the slice x[:, :T - back] with a negative end does not fit and raises a RuntimeError",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    O, _, k = weight.shape
    y = bias.expand(B, T, O).clone()
    for j in range(k):
        back = (k - 1 - j) * dilation
        y[:, back:] = y[:, back:] + x[:, :T - back] @ weight[:, :, j].T
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": 'padding on both sides ("same"): outputs depend on later inputs',
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    total = (k - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (total // 2, total - total // 2))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "before the start the first input is repeated instead of 0",
        "source": r"""
def causal_convolution(x, weight, bias, dilation=1):
    T, k = x.shape[1], weight.shape[2]
    source = torch.arange(T)[:, None] - torch.arange(k - 1, -1, -1) * dilation
    seen = x[:, source.clamp(min=0)]
    return torch.einsum("btki,oik->bto", seen, weight) + bias
""",
    },
]
