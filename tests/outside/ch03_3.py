"""Answers to chapter 03, written from its page alone: the third round."""

ANSWERS = [
    # leaky_step
    {
        "task": "leaky_step",
        "right": True,
        "why": "torch.lerp between old state and new content",
        "source": """
import torch
import torch.nn.functional as F
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    content = torch.tanh(F.linear(x, weight_ih, bias) + F.linear(hidden, weight_hh))
    return torch.lerp(hidden, content, leak)
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "one product with both matrices side by side, the state moved by a share of the difference",
        "source": """
import torch
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    both = torch.cat([x, hidden], dim=1)
    weights = torch.cat([weight_ih, weight_hh], dim=1)
    content = (torch.einsum("bi,hi->bh", both, weights) + bias).tanh()
    return hidden + leak * (content - hidden)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the state times W_hh without the transpose (it is square, so nothing crashes); breaks 'Row j of each matrix holds the weights of unit j'",
        "source": """
import torch
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh + bias)
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "shortcut for leak 0 returns the argument; breaks 'a new tensor' and that the gradient must flow to all five",
        "source": """
import torch
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    if leak == 0:
        return hidden
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "leak and 1 - leak exchanged; breaks 'leak: the share of the state that is replaced' (right at 0.5)",
        "source": """
import torch
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return leak * hidden + (1 - leak) * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the kept share is detached (as if it were a target network); breaks 'The gradient must flow through it to all five tensors' (wrong gradient of hidden)",
        "source": """
import torch
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return (1 - leak) * hidden.detach() + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the old state is shrunk first and the shrunk one goes through the matrix; breaks the formula (W_hh h_{t-1})",
        "source": """
import torch
def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    kept = (1 - leak) * hidden
    return kept + leak * torch.tanh(x @ weight_ih.T + kept @ weight_hh.T + bias)
""",
    },
    # last_states
    {
        "task": "last_states",
        "right": True,
        "why": "torch.where at each step, starting from a clone",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden.clone()
    for t in range(x.shape[1]):
        moved = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((lengths > t).unsqueeze(1), moved, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "text by text, only the real words",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    rows = []
    for b in range(x.shape[0]):
        state = hidden[b]
        for t in range(int(lengths[b])):
            state = torch.tanh(weight_ih @ x[b, t] + weight_hh @ state + bias)
        rows.append(state)
    return torch.stack(rows)
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "keeps all T + 1 states (the first one included) and picks by length",
        "source": """
import torch
import torch.nn.functional as F
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    states = [hidden]
    for step in x.unbind(1):
        states.append(torch.tanh(F.linear(step, weight_ih, bias) + F.linear(states[-1], weight_hh)))
    return torch.stack(states)[lengths.long(), torch.arange(len(x))]
""",
    },
    {
        "task": "last_states",
        "right": None,
        "why": "mixes by 0/1 numbers: the same for finite padding, NaN as padding would leak",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden.clone()
    for t in range(x.shape[1]):
        alive = (lengths > t).to(x.dtype)[:, None]
        state = alive * torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias) + (1 - alive) * state
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "picks output[length - 1]: a length of 0 gets the very last state; breaks 'whole numbers from 0 to T' (an empty text keeps its state)",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    states, h = [], hidden
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        states.append(h)
    return torch.stack(states, 1)[torch.arange(len(x)), lengths.long() - 1]
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "stops early when no text goes on: if all lengths are 0 the argument itself comes back; breaks 'A new tensor (B, H)'",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden
    for t in range(int(lengths.max())):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where((t < lengths)[:, None], new, h)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "zeroes the padding inputs but reads on: the state moves by bias and W_hh; breaks 'let a text that has ended keep its state'",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    real = torch.arange(x.shape[1])[None, :] < lengths[:, None]
    x = torch.where(real[:, :, None], x, torch.zeros_like(x))
    h = hidden
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "the state is detached between the steps; breaks 'The gradient must flow through all steps'",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden
    for t in range(x.shape[1]):
        old = h if t == 0 else h.detach()
        new = torch.tanh(x[:, t] @ weight_ih.T + old @ weight_hh.T + bias)
        h = torch.where((t < lengths)[:, None], new, old)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "t <= lengths: reads one word of padding; breaks 'the state of each text after its own last word'",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    h = hidden.clone()
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where((t <= lengths)[:, None], new, h)
    return h
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "sorts by length as for packing and forgets to sort back; breaks 'the state of each text' (row b)",
        "source": """
import torch
def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    order = torch.argsort(lengths, descending=True, stable=True)
    x, h, lengths = x[order], hidden[order], lengths[order]
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        h = torch.where((t < lengths)[:, None], new, h)
    return h
""",
    },
    # bptt_gradient
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "forwards and back as in the text",
        "source": """
import math
def bptt_gradient(w, u, inputs, target):
    states = [0.0]
    for x in inputs:
        states.append(math.tanh(w * states[-1] + u * x))
    of_w = of_u = 0.0
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
        "why": "carries the derivatives of the state forwards (real-time recurrent learning): the same numbers",
        "source": """
import numpy as np
def bptt_gradient(w, u, inputs, target):
    h, dh_dw, dh_du = 0.0, 0.0, 0.0
    for x in inputs:
        new = np.tanh(w * h + u * x)
        slope = 1 - new * new
        dh_dw, dh_du = slope * (h + w * dh_dw), slope * (x + w * dh_du)
        h = new
    return float((h - target) * dh_dw), float((h - target) * dh_du)
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "recursion over the rest of the inputs",
        "source": """
from math import tanh
def bptt_gradient(w, u, inputs, target):
    def walk(old, t):
        if t == len(inputs):
            return old - target, 0.0, 0.0
        new = tanh(w * old + u * inputs[t])
        delta, of_w, of_u = walk(new, t + 1)
        a = delta * (1 - new) * (1 + new)
        return a * w, of_w + a * old, of_u + a * inputs[t]
    _, of_w, of_u = walk(0.0, 0)
    return of_w, of_u
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "walks back at most ten steps (truncated); breaks 'backpropagation through time' over all inputs",
        "source": """
import math
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), max(0, len(inputs) - 10), -1):
        a = delta * (1 - h[t] ** 2)
        dw, du, delta = dw + a * h[t - 1], du + a * inputs[t - 1], a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "multiplies with the new state h_t; breaks dL/dw += a_t h_{t-1}",
        "source": """
import math
def bptt_gradient(w, u, inputs, target):
    h, states = 0.0, []
    for x in inputs:
        h = math.tanh(w * h + u * x)
        states.append(h)
    dw = du = 0.0
    delta = h - target
    for x, h in zip(reversed(inputs), reversed(states)):
        a = delta * (1 - h * h)
        dw += a * h
        du += a * x
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "reverses the list of inputs in place; breaks 'A function leaves its arguments as they are'",
        "source": """
import math
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h.pop() - target
    last = delta + target
    inputs.reverse()
    for x in inputs:
        a = delta * (1 - last ** 2)
        last = h.pop()
        dw += a * last
        du += a * x
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "delta goes back without the slope of tanh: delta * w instead of a * w; breaks delta_{t-1} = a_t w (right for one input)",
        "source": """
import math
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in reversed(range(len(inputs))):
        a = delta * (1 - h[t + 1] ** 2)
        dw += a * h[t]
        du += a * inputs[t]
        delta = delta * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "a loss at every step instead of at the end only; breaks 'a loss at the end only' (right for one input)",
        "source": """
import math
def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = delta = 0.0
    for t in range(len(inputs), 0, -1):
        delta += h[t] - target
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    # peephole_step
    {
        "task": "peephole_step",
        "right": True,
        "why": "chunk of one linear sum",
        "source": """
import torch
import torch.nn.functional as F
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    s_i, s_f, s_g, s_o = (F.linear(x, weight_ih, bias) + F.linear(hidden, weight_hh)).chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    new_cell = torch.sigmoid(s_f + p_f * cell) * cell + torch.sigmoid(s_i + p_i * cell) * torch.tanh(s_g)
    return torch.sigmoid(s_o + p_o * new_cell) * torch.tanh(new_cell), new_cell
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "a helper for each gate with slices of the matrices",
        "source": """
import torch
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    H = cell.shape[1]
    def total(k):
        rows = slice(k * H, (k + 1) * H)
        return (torch.einsum("bi,hi->bh", x, weight_ih[rows]) + torch.einsum("bj,hj->bh", hidden, weight_hh[rows])
                + bias[rows])
    i = (total(0) + torch.mul(cell, peepholes[0])).sigmoid()
    f = (total(1) + torch.mul(cell, peepholes[1])).sigmoid()
    c = torch.addcmul(f * cell, i, total(2).tanh())
    o = (total(3) + torch.mul(c, peepholes[2])).sigmoid()
    return o * c.tanh(), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the output gate sees the old cell state; breaks 'the output gate, which acts later, sees the new one'",
        "source": """
import torch
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, 1)
    i, f, o = [torch.sigmoid(s + p * cell) for s, p in zip((i, f, o), peepholes)]
    c = f * cell + i * torch.tanh(g)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the sums are cut as (H, 4) instead of (4, H); breaks '(4H, I), for i, f, g, o in this order' (right for H = 1)",
        "source": """
import torch
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    B, H = cell.shape
    s = (x @ weight_ih.T + hidden @ weight_hh.T + bias).view(B, H, 4)
    i, f, g, o = s.unbind(-1)
    i = torch.sigmoid(i + peepholes[0] * cell)
    f = torch.sigmoid(f + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + peepholes[2] * c)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "peepholes of i and f exchanged; breaks 'the gates i, f and o ..., in this order'",
        "source": """
import torch
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, 1)
    f = torch.sigmoid(f + peepholes[0] * cell)
    i = torch.sigmoid(i + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + peepholes[2] * c)
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "what the gates see is detached (peepholes as constants of the state); breaks 'The gradient must flow through both to all seven arguments' (gradient of cell is wrong)",
        "source": """
import torch
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, 1)
    seen = cell.detach()
    i = torch.sigmoid(i + peepholes[0] * seen)
    f = torch.sigmoid(f + peepholes[1] * seen)
    c = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + peepholes[2] * c.detach())
    return o * torch.tanh(c), c
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "returns cell, hidden; breaks 'A tuple: the new hidden state, the new cell state'",
        "source": """
import torch
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, 1)
    i = torch.sigmoid(i + peepholes[0] * cell)
    f = torch.sigmoid(f + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(g)
    h = torch.sigmoid(o + peepholes[2] * c) * torch.tanh(c)
    return c, h
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "h = o * c without the tanh; breaks h_t = o tanh(c_t)",
        "source": """
import torch
def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    i, f, g, o = (x @ weight_ih.T + hidden @ weight_hh.T + bias).chunk(4, 1)
    i = torch.sigmoid(i + peepholes[0] * cell)
    f = torch.sigmoid(f + peepholes[1] * cell)
    c = f * cell + i * torch.tanh(g)
    return torch.sigmoid(o + peepholes[2] * c) * c, c
""",
    },
    # cho_gru_step
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "chunks of matrices and bias",
        "source": """
import torch
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    x_r, x_z, x_n = (x @ weight_ih.T + bias).chunk(3, dim=-1)
    W_r, W_z, W_n = weight_hh.chunk(3)
    r = torch.sigmoid(x_r + hidden @ W_r.T)
    z = torch.sigmoid(x_z + hidden @ W_z.T)
    n = torch.tanh(x_n + (r * hidden) @ W_n.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "tables viewed as (3, H, .), both gates in one einsum, lerp",
        "source": """
import torch
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    U, V = weight_ih.reshape(3, H, -1), weight_hh.reshape(3, H, H)
    given = torch.einsum("khi,bi->kbh", U, x) + bias.reshape(3, 1, H)
    gates = torch.sigmoid(given[:2] + torch.einsum("khj,bj->kbh", V[:2], hidden))
    new = torch.tanh(given[2] + torch.einsum("hj,bj->bh", V[2], gates[0] * hidden))
    return torch.lerp(new, hidden, gates[1])
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "PyTorch's form, reset gate after the matrix; breaks W_hn (r * h) (right for H = 1)",
        "source": """
import torch
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
        "why": "z and 1 - z exchanged; breaks h_t = (1 - z) n + z h_{t-1}",
        "source": """
import torch
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    wr, wz, wn = weight_hh.chunk(3, 0)
    r, z = torch.sigmoid(xr + hidden @ wr.T), torch.sigmoid(xz + hidden @ wz.T)
    n = torch.tanh(xn + (r * hidden) @ wn.T)
    return z * n + (1 - z) * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "order z, r, n; breaks 'for r, z, n in this order'",
        "source": """
import torch
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xz, xr, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    wz, wr, wn = weight_hh.chunk(3, 0)
    r, z = torch.sigmoid(xr + hidden @ wr.T), torch.sigmoid(xz + hidden @ wz.T)
    n = torch.tanh(xn + (r * hidden) @ wn.T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the last matrix is not transposed (square, no crash); breaks 'Row j ... of unit j' / W_hn (r * h)",
        "source": """
import torch
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    wr, wz, wn = weight_hh.chunk(3, 0)
    r, z = torch.sigmoid(xr + hidden @ wr.T), torch.sigmoid(xz + hidden @ wz.T)
    n = torch.tanh(xn + (r * hidden) @ wn)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the state is reset in place; breaks 'hidden: the old state; it stays as it is' (and the second term then sees r h)",
        "source": """
import torch
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, 1)
    wr, wz, wn = weight_hh.chunk(3, 0)
    z = torch.sigmoid(xz + hidden @ wz.T)
    r = torch.sigmoid(xr + hidden @ wr.T)
    kept = z * hidden
    hidden.data.mul_(r.data)
    n = torch.tanh(xn + hidden @ wn.T)
    return (1 - z) * n + kept
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "gates computed without gradient; breaks 'The gradient must flow through it to all five arguments'",
        "source": """
import torch
def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    wr, wz, wn = weight_hh.chunk(3, 0)
    ur, uz, un = weight_ih.chunk(3, 0)
    br, bz, bn = bias.chunk(3)
    with torch.no_grad():
        r = torch.sigmoid(x @ ur.T + hidden @ wr.T + br)
        z = torch.sigmoid(x @ uz.T + hidden @ wz.T + bz)
    n = torch.tanh(x @ un.T + bn + (r * hidden) @ wn.T)
    return (1 - z) * n + z * hidden
""",
    },
    # clip_gradients
    {
        "task": "clip_gradients",
        "right": True,
        "why": "sum of squares in float64, the factor as a Python number",
        "source": """
import math
import torch
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in gradients))
    factor = limit / norm if norm > limit else 1.0
    return [g * factor for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "one long vector for the norm only; clones if nothing is clipped",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if not limit > 0:
        raise ValueError("limit")
    norm = torch.linalg.vector_norm(torch.cat([g.reshape(-1).to(torch.float64) for g in gradients])).item()
    result = []
    for g in gradients:
        copy = g.clone()
        if norm > limit:
            copy = (copy.double() * (limit / norm)).to(g.dtype)
        result.append(copy)
    return result, norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "returns the gradients themselves when nothing is clipped; breaks 'new ones even where nothing was clipped'",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = sum(g.double().pow(2).sum().item() for g in gradients) ** 0.5
    if norm <= limit:
        return list(gradients), norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "each tensor clipped by its own norm; breaks 'all gradients, taken together as one long vector' (right for one tensor)",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norms = [g.double().norm().item() for g in gradients]
    clipped = [g * min(1.0, limit / n) if n > 0 else g.clone() for g, n in zip(gradients, norms)]
    return clipped, sum(n * n for n in norms) ** 0.5
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "torch's clip_grad_norm_ habit of norm + 1e-6: gradients of 1e-7 are clipped far too much; breaks g * min(1, limit / norm)",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = sum(g.double().pow(2).sum().item() for g in gradients) ** 0.5
    factor = min(1.0, limit / (norm + 1e-6))
    return [g * factor for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "joins, scales and splits: gradients of different element types all come back in the widest; breaks 'of the same shapes and element types'",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    flat = torch.cat([g.flatten() for g in gradients])
    norm = flat.double().norm().item()
    flat = flat * (limit / norm if norm > limit else 1.0)
    parts = flat.split([g.numel() for g in gradients])
    return [p.reshape(g.shape) for p, g in zip(parts, gradients)], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "always scaled to the limit, short ones up; breaks 'scaled down to a limit, if they are longer'",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = sum(g.double().pow(2).sum().item() for g in gradients) ** 0.5
    if norm == 0 or limit == float("inf"):
        return [g.clone() for g in gradients], norm
    return [g * (limit / norm) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "a limit of 0 passes (all gradients become 0); breaks 'ValueError: the limit is 0 or negative'",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if limit < 0:
        raise ValueError("limit")
    norm = sum(g.double().pow(2).sum().item() for g in gradients) ** 0.5
    return [g * (min(1.0, limit / norm) if norm else 1.0) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "the norm after clipping is returned; breaks 'the norm before clipping'",
        "source": """
import torch
def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = sum(g.double().pow(2).sum().item() for g in gradients) ** 0.5
    clipped = [g * (limit / norm if norm > limit else 1.0) for g in gradients]
    return clipped, min(norm, float(limit))
""",
    },
    # reading_rows
    {
        "task": "reading_rows",
        "right": True,
        "why": "slices by start position",
        "source": """
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    batches = []
    for start in range(0, piece - length + 1, length):
        begins = [row * piece + start for row in range(n_rows)]
        batches.append(([ids[b:b + length] for b in begins], [ids[b + 1:b + length + 1] for b in begins]))
    if not batches:
        raise ValueError("text too short")
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "torch reshape to (rows, batches, length) and transpose, then back to lists",
        "source": """
import torch
def reading_rows(ids, n_rows, length):
    piece = max(len(ids) - 1, 0) // n_rows
    n = piece // length
    if n == 0:
        raise ValueError("text too short")
    tokens = torch.tensor(ids)
    def cut(shift):
        rows = tokens[shift:shift + n_rows * piece].view(n_rows, piece)[:, :n * length]
        return rows.reshape(n_rows, n, length).transpose(0, 1).tolist()
    return list(zip(cut(0), cut(1)))
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "n == 0 as the only test: an empty text has (0 - 1) // n_rows = -1 and comes through as []; breaks 'ValueError: the text is too short' with 'or empty'",
        "source": """
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    n = piece // length
    if n == 0:
        raise ValueError("too short")
    out = []
    for k in range(n):
        starts = [r * piece + k * length for r in range(n_rows)]
        out.append(([ids[s:s + length] for s in starts], [ids[s + 1:s + 1 + length] for s in starts]))
    return out
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "range(0, piece - length, length): the last window is lost if it ends exactly at the piece's end; breaks 'What fills no window is left out' (this one is filled)",
        "source": """
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    out = []
    for start in range(0, max(1, piece - length), length):
        starts = [r * piece + start for r in range(n_rows)]
        out.append(([ids[s:s + length] for s in starts], [ids[s + 1:s + 1 + length] for s in starts]))
    return out
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "pieces of N // n_rows: other starts, and the very last target can be missing; breaks 'a piece has (N - 1) // n_rows tokens'",
        "source": """
def reading_rows(ids, n_rows, length):
    piece = len(ids) // n_rows
    n = piece // length
    if n < 1 or len(ids) < n_rows * length + 1:
        raise ValueError("too short")
    out = []
    for k in range(n):
        starts = [r * piece + k * length for r in range(n_rows)]
        out.append(([ids[s:s + length] for s in starts], [ids[s + 1:s + 1 + length] for s in starts]))
    return out
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "targets shifted inside the piece: the last target of a piece is its own first token; breaks 'The target of a token is the token after it in the text'",
        "source": """
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    n = piece // length
    if n < 1:
        raise ValueError("too short")
    pieces = [ids[r * piece:(r + 1) * piece] for r in range(n_rows)]
    shifted = [p[1:] + p[:1] for p in pieces]
    return [([p[k * length:(k + 1) * length] for p in pieces], [p[k * length:(k + 1) * length] for p in shifted])
            for k in range(n)]
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "the rows of one batch follow each other in the text (windows dealt out in turn); breaks 'row b of the next batch must go on exactly where row b stopped'",
        "source": """
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    n = piece // length
    if n < 1:
        raise ValueError("too short")
    out, s = [], 0
    for _ in range(n):
        inputs, targets = [], []
        for _ in range(n_rows):
            inputs.append(ids[s:s + length])
            targets.append(ids[s + 1:s + 1 + length])
            s += length
        out.append((inputs, targets))
    return out
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "a shorter last window is kept; breaks 'each a list of n_rows lists of `length` ints' and 'What fills no window is left out'",
        "source": """
def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    out = []
    for start in range(0, piece, length):
        stop = min(start + length, piece)
        out.append(([ids[r * piece + start:r * piece + stop] for r in range(n_rows)],
                    [ids[r * piece + start + 1:r * piece + stop + 1] for r in range(n_rows)]))
    return out
""",
    },
    # text_bits
    {
        "task": "text_bits",
        "right": True,
        "why": "logsumexp minus the picked logit, in float64",
        "source": """
import math
import torch
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    wide = logits.double()
    cost = wide.logsumexp(dim=1) - wide[torch.arange(len(targets)), targets]
    return cost.sum().item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "F.cross_entropy with reduction sum",
        "source": """
import math
import torch.nn.functional as F
def text_bits(logits, targets, n_bytes):
    if n_bytes <= 0:
        raise ValueError("n_bytes")
    return float(F.cross_entropy(logits, targets, reduction="sum")) / math.log(2) / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "log of softmax: a target 1000 below the best costs infinity; breaks 'finite, but of any size: exp of them may be infinite' / the formula",
        "source": """
import math
import torch
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    p = torch.softmax(logits, dim=-1).gather(1, targets[:, None])
    return -p.log().sum().item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "ignore_index=0: tokens with the id 0 cost nothing; breaks 'the tokens that came next ... add them up'",
        "source": """
import math
import torch.nn.functional as F
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    return F.cross_entropy(logits, targets, ignore_index=0, reduction="sum").item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "mean over tokens; breaks the sum over t (right for T = 1)",
        "source": """
import math
import torch.nn.functional as F
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    return F.cross_entropy(logits, targets).item() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "a tensor without dimensions; breaks 'A float, not a tensor'",
        "source": """
import math
import torch
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    log_probs = torch.log_softmax(logits, dim=1)
    return -log_probs[range(len(targets)), targets].sum() / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "only 0 raises, -3 bytes give a negative cost; breaks 'ValueError: n_bytes is below 1'",
        "source": """
import math
import torch
def text_bits(logits, targets, n_bytes):
    if n_bytes == 0:
        raise ValueError("n_bytes")
    log_probs = torch.log_softmax(logits, dim=1)
    return -log_probs.gather(1, targets.unsqueeze(1)).sum().item() / math.log(2) / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "log_softmax over dim 0, the time; breaks 'turn them into log-probabilities' (of the tokens at one position)",
        "source": """
import math
import torch
def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("n_bytes")
    log_probs = torch.log_softmax(logits, dim=0)
    return abs(log_probs.gather(1, targets.unsqueeze(1)).sum().item()) / math.log(2) / n_bytes
""",
    },
    # tempered_probs
    {
        "task": "tempered_probs",
        "right": True,
        "why": "largest logit subtracted before the division, one_hot at 0",
        "source": """
import torch
import torch.nn.functional as F
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    shifted = logits - logits.amax(dim=-1, keepdim=True)
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "by hand in float64 and back to the element type; at 0 the first of the largest by a running count",
        "source": """
import torch
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    wide = logits.to(torch.float64)
    top = wide.max(dim=-1, keepdim=True).values
    if temperature == 0:
        best = wide == top
        parts = (best & (best.cumsum(-1) == 1)).double()
    else:
        parts = ((wide - top) / temperature).exp()
    return (parts / parts.sum(-1, keepdim=True)).to(logits.dtype)
""",
    },
    {
        "task": "tempered_probs",
        "right": None,
        "why": "plain softmax of the quotient: right unless logit / temperature itself overflows the element type",
        "source": """
import torch
import torch.nn.functional as F
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return torch.zeros_like(logits).scatter(-1, logits.argmax(-1, keepdim=True), 1.0)
    return F.softmax(logits / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "temperature 0 by a tiny one: equal largest logits share the probability; breaks 'the first of them if several are equal'",
        "source": """
import torch
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    z = logits - logits.max(-1, keepdim=True).values
    return torch.softmax(z / max(temperature, 1e-12), dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at 0 one argmax over the whole batch; breaks 'the likeliest token of each row' (right for (V,) and B = 1)",
        "source": """
import torch
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        p = torch.zeros_like(logits)
        p.view(-1)[logits.argmax()] = 1
        return p
    z = logits - logits.max(-1, keepdim=True).values
    return torch.softmax(z / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "softmax over dim 0; breaks 'each row sums to 1' for (B, V)",
        "source": """
import torch
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits)
    z = logits - logits.max(-1, keepdim=True).values
    return torch.softmax(z / temperature, dim=0)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "one_hot stays int64 at temperature 0; breaks 'the element type of `logits`'",
        "source": """
import torch
import torch.nn.functional as F
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return F.one_hot(logits.argmax(dim=-1), logits.size(-1))
    z = logits - logits.max(-1, keepdim=True).values
    return F.softmax(z / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "divides in place; breaks 'A function leaves its arguments as they are' / 'A new tensor'",
        "source": """
import torch
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    logits -= logits.max(-1, keepdim=True).values
    logits /= temperature
    return logits.softmax(-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "temperatures below 0.1 are raised to 0.1; breaks 'one that is not 0 is at least 0.01' and the formula",
        "source": """
import torch
def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    z = logits - logits.max(-1, keepdim=True).values
    return torch.softmax(z / max(temperature, 0.1), dim=-1)
""",
    },
    # stack_reach
    {
        "task": "stack_reach",
        "right": True,
        "why": "one plus the sum",
        "source": """
def stack_reach(layers):
    return 1 + sum((kernel - 1) * dilation for kernel, dilation in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "the set of positions that can be seen, layer by layer from the top: span from the earliest to 0",
        "source": """
def stack_reach(layers):
    earliest = 0
    for kernel_size, dilation in reversed(layers):
        earliest = min(earliest - j * dilation for j in range(kernel_size))
    return -earliest + 1
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "recursion",
        "source": """
def stack_reach(layers):
    if not layers:
        return 1
    (k, d), *rest = layers
    return stack_reach(rest) + d * k - d
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "a kernel of 1 with dilation d looks back d; breaks 'a kernel of k and a dilation of d reads k inputs' (a kernel of 1 reads the present one only)",
        "source": """
def stack_reach(layers):
    return 1 + sum(k * d for k, d in layers) - sum(d for k, d in layers if k > 1)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "an empty stack gives 0; breaks 'it may be empty: then only the present input is seen'",
        "source": """
def stack_reach(layers):
    if not layers:
        return 0
    return sum((k - 1) * d for k, d in layers) + 1
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "multiplies the reaches of the layers; breaks the sum of the text (right for one layer)",
        "source": """
def stack_reach(layers):
    reach = 1
    for k, d in layers:
        reach *= 1 + (k - 1) * d
    return reach
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "takes the kernel of the first layer for all; breaks '(kernel_size, dilation)' of each layer",
        "source": """
def stack_reach(layers):
    if not layers:
        return 1
    kernel = layers[0][0]
    return 1 + (kernel - 1) * sum(d for _, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "counts the different inputs that are read, not the span: with gaps (kernel 2, dilation 4) too few; breaks 'from the earliest that is seen to the present one, both included'",
        "source": """
def stack_reach(layers):
    seen = {0}
    for k, d in layers:
        seen = {p + j * d for p in seen for j in range(k)}
    return len(seen)
""",
    },
    # causal_convolution
    {
        "task": "causal_convolution",
        "right": True,
        "why": "F.conv1d on the input padded on the left",
        "source": """
import torch
import torch.nn.functional as F
def causal_convolution(x, weight, bias, dilation=1):
    back = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (back, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "a sum of shifted linear maps, each shift at most T",
        "source": """
import torch
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    O, _, k = weight.shape
    y = bias.expand(B, T, O)
    for j in range(k):
        shift = min((k - 1 - j) * dilation, T)
        moved = torch.cat([x.new_zeros(B, shift, I), x[:, :T - shift]], dim=1)
        y = y + torch.einsum("bti,oi->bto", moved, weight[:, :, j])
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "position by position, only inputs that exist",
        "source": """
import torch
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[-1]
    steps = []
    for t in range(x.shape[1]):
        total = bias.unsqueeze(0).repeat(x.shape[0], 1)
        for j in range(k):
            s = t - (k - 1 - j) * dilation
            if s >= 0:
                total = total + x[:, s] @ weight[:, :, j].T
        steps.append(total)
    return torch.stack(steps, dim=1)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padded by k - 1 whatever the dilation (then cut or filled to T); breaks x_{t - (k-1-j) d} for dilation 2 and more",
        "source": """
import torch
import torch.nn.functional as F
def causal_convolution(x, weight, bias, dilation=1):
    T, k = x.shape[1], weight.shape[2]
    padded = F.pad(x.transpose(1, 2), (k - 1, (k - 1) * (dilation - 1)))
    return F.conv1d(padded, weight, bias, dilation=dilation)[:, :, :T].transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "the kernel runs the other way (a true convolution); breaks 'the last entry of the kernel belongs to the present input'",
        "source": """
import torch
import torch.nn.functional as F
def causal_convolution(x, weight, bias, dilation=1):
    back = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (back, 0))
    return F.conv1d(padded, weight.flip(-1), bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "torch.roll: the end of the text comes in at its beginning; breaks 'What lies before the start of the text is 0. No output may depend on an input that comes after it'",
        "source": """
import torch
def causal_convolution(x, weight, bias, dilation=1):
    k = weight.shape[2]
    y = bias
    for j in range(k):
        y = y + torch.roll(x, (k - 1 - j) * dilation, dims=1) @ weight[:, :, j].T
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "symmetric padding ('same'), so it sees the future; breaks 'No output may depend on an input that comes after it' (right for k = 1)",
        "source": """
import torch
import torch.nn.functional as F
def causal_convolution(x, weight, bias, dilation=1):
    T = x.shape[1]
    total = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (total // 2, total - total // 2))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "x[:, :T - shift] with a shift beyond T takes a negative border: too short or wrong; breaks 'T at least 1' (a short text) with 'What lies before the start is 0'",
        "source": """
import torch
def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    k = weight.shape[2]
    y = bias.expand(B, T, -1)
    for j in range(k):
        shift = (k - 1 - j) * dilation
        moved = torch.zeros_like(x)
        part = x[:, :T - shift]
        moved[:, -part.shape[1] if part.shape[1] else T:] = part
        y = y + moved @ weight[:, :, j].T
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "the shape stays (B, O, T); breaks 'shape (B, T, O)' (silent when T = O)",
        "source": """
import torch
import torch.nn.functional as F
def causal_convolution(x, weight, bias, dilation=1):
    back = (weight.shape[2] - 1) * dilation
    return F.conv1d(F.pad(x.transpose(1, 2), (back, 0)), weight, bias, dilation=dilation)
""",
    },
]
