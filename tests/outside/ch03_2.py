"""Answers to chapter 03, written from its page alone: the second round."""

ANSWERS = [
    # leaky_step
    {
        "task": "leaky_step",
        "right": True,
        "why": "the formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "F.linear and lerp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    content = F.linear(torch.cat([x, hidden], 1), torch.cat([weight_ih, weight_hh], 1), bias).tanh()
    return torch.lerp(hidden, content, leak)
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "einsum, difference form",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    s = torch.einsum("bi,hi->bh", x, weight_ih) + torch.einsum("bk,hk->bh", hidden, weight_hh)
    return hidden + leak * (torch.tanh(s + bias) - hidden)
""",
    },
    {
        "task": "leaky_step",
        "right": True,
        "why": "a loop over units",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    columns = []
    for j in range(bias.shape[0]):
        s = (x * weight_ih[j]).sum(1) + (hidden * weight_hh[j]).sum(1) + bias[j]
        columns.append(hidden[:, j] - leak * hidden[:, j] + leak * s.tanh())
    return torch.stack(columns, dim=1)
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "leak and 1 - leak swapped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return leak * hidden + (1 - leak) * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "weight_hh not transposed (it is square, so nothing crashes)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh + bias)
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "changes the old state in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    with torch.no_grad():
        hidden.mul_(1 - leak)
    return hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the old state is detached where it is kept: its gradient misses a path",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return (1 - leak) * hidden.detach() + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the old state inside tanh is detached",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden.detach() @ weight_hh.T + bias)
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "leak 0 returns the old tensor itself, not a new one, and no gradient reaches the weights",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

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
        "why": "leaks inside tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return torch.tanh((1 - leak) * hidden + leak * (x @ weight_ih.T + hidden @ weight_hh.T + bias))
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "bias outside of tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T) + bias
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "float32 whatever the arguments are",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return ((1 - leak) * hidden + leak * new).float()
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "sigmoid for tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.sigmoid(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return (1 - leak) * hidden + leak * new
""",
    },
    {
        "task": "leaky_step",
        "right": False,
        "why": "the old part is not shrunk: h + leak * new",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def leaky_step(x, hidden, weight_ih, weight_hh, bias, leak):
    new = torch.tanh(x @ weight_ih.T + hidden @ weight_hh.T + bias)
    return hidden + leak * new
""",
    },
    # last_states
    {
        "task": "last_states",
        "right": True,
        "why": "where in the loop over time",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t < lengths)[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "each text by itself: padding is never read",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    rows = []
    for b, n in enumerate(lengths.tolist()):
        h = hidden[b].clone()
        for t in range(int(n)):
            h = torch.tanh(weight_ih @ x[b, t] + weight_hh @ h + bias)
        rows.append(h)
    return torch.stack(rows)
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "all states in a list, the right one gathered",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    states = [hidden]
    for step in x.unbind(1):
        states.append(torch.tanh(F.linear(step, weight_ih, bias) + F.linear(states[-1], weight_hh)))
    table = torch.stack(states, dim=1)
    return table[torch.arange(len(x)), lengths.long()]
""",
    },
    {
        "task": "last_states",
        "right": True,
        "why": "only the texts that go on are computed, written into a copy",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden.clone()
    for t in range(x.size(1)):
        going = torch.nonzero(lengths > t).flatten()
        if len(going) == 0:
            break
        new = torch.tanh(x[going, t] @ weight_ih.T + state[going] @ weight_hh.T + bias)
        state = state.index_copy(0, going, new)
    return state
""",
    },
    {
        "task": "last_states",
        "right": None,
        "why": "mask times new plus rest times old: NaN in the padding would come through; is padding of NaN allowed?",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden.clone()
    for t in range(x.size(1)):
        m = (lengths > t).to(state.dtype).unsqueeze(1)
        state = m * torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias) + (1 - m) * state
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "one step too many: t <= length",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t <= lengths)[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "lengths are ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t < lengths + x.shape[1])[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "padding is set to 0 but the state goes on",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh((x[:, t] * (t < lengths)[:, None]) @ weight_ih.T + state @ weight_hh.T + bias)
        state = new
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "length 0 counts as 1: the state after a step of padding",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t < lengths.clamp(min=1))[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "states[lengths - 1]: a text of length 0 gets the LAST state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    states, h = [], hidden
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ weight_ih.T + h @ weight_hh.T + bias)
        states.append(h)
    return torch.stack(states)[lengths - 1, torch.arange(len(x))]
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "a text of length 0 gets zeros instead of its first state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t < lengths)[:, None], new, state)
    return torch.where((lengths > 0)[:, None], state, torch.zeros_like(state))
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "starts from zeros instead of `hidden`",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = torch.zeros_like(hidden)
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t < lengths)[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "the state is detached between the steps: the gradient does not flow through all steps",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state.detach() @ weight_hh.T + bias)
        state = torch.where((t < lengths)[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "writes into `hidden`",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden.detach()
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state[t < lengths] = new[t < lengths].detach()
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "weight_hh not transposed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh + bias)
        state = torch.where((t < lengths)[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "every text stops with the shortest",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t < lengths.min().expand_as(lengths))[:, None], new, state)
    return state
""",
    },
    {
        "task": "last_states",
        "right": False,
        "why": "a text that ended starts anew from its first state instead of keeping it",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    state = hidden
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((t < lengths)[:, None], new, hidden)
    return state
""",
    },
    # bptt_gradient
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "forwards, then backwards",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "forward mode: derivatives of the state are carried along",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = h_w = h_u = 0.0
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
        "right": True,
        "why": "NumPy, deltas from a cumulative product",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    T = len(inputs)
    h = np.zeros(T + 1)
    for t in range(T):
        h[t + 1] = np.tanh(w * h[t] + u * inputs[t])
    slopes = 1 - h[1:] ** 2
    a, run = np.zeros(T), h[-1] - target
    for t in reversed(range(T)):
        a[t] = run * slopes[t]
        run = a[t] * w
    return np.dot(a, h[:-1]), np.dot(a, np.asarray(inputs, dtype=float))
""",
    },
    {
        "task": "bptt_gradient",
        "right": True,
        "why": "recursion, returns delta on the way back",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    grads = [0.0, 0.0]
    def walk(t, h):
        if t == len(inputs):
            return h - target
        new = math.tanh(w * h + u * inputs[t])
        a = walk(t + 1, new) * (1 - new ** 2)
        grads[0] += a * h
        grads[1] += a * inputs[t]
        return a * w
    walk(0, 0.0)
    return grads[0], grads[1]
""",
    },
    {
        "task": "bptt_gradient",
        "right": None,
        "why": "right numbers by autograd in float64, which the statement asks not to use",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    W_, U_ = (torch.tensor(float(v), dtype=torch.float64, requires_grad=True) for v in (w, u))
    h = torch.zeros((), dtype=torch.float64) * W_ * U_
    for x in inputs:
        h = torch.tanh(W_ * h + U_ * x)
    (0.5 * (h - target) ** 2).backward()
    return W_.grad.item(), U_.grad.item()
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "derivative with respect to w uses the new state h_t",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "only the last step: the gradient is not carried back",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), max(len(inputs) - 1, 0), -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "delta is not multiplied with w",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "delta skips the slope of tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
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
        "why": "slope 1 - h instead of 1 - h^2",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t])
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "slope of the older state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t - 1] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "the loss without its one half: twice the gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = 2 * (h[-1] - target)
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "target minus state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = target - h[-1]
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "the first input is forgotten on the way back",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 1 if len(inputs) > 1 else 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "no inputs: ValueError instead of 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    if not inputs:
        raise ValueError
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "truncated at five steps",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), max(len(inputs) - 5, 0), -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "inputs in the wrong order (x from the front)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[len(inputs) - t]
        delta = a * w
    return dw, du
""",
    },
    {
        "task": "bptt_gradient",
        "right": False,
        "why": "du and dw swapped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def bptt_gradient(w, u, inputs, target):
    h = [0.0]
    for x in inputs:
        h.append(math.tanh(w * h[-1] + u * x))
    dw = du = 0.0
    delta = h[-1] - target
    for t in range(len(inputs), 0, -1):
        a = delta * (1 - h[t] ** 2)
        dw += a * h[t - 1]
        du += a * inputs[t - 1]
        delta = a * w
    return du, dw
""",
    },
    # peephole_step
    {
        "task": "peephole_step",
        "right": True,
        "why": "chunk",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "slices of weights, one sum at a time",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    H = hidden.shape[1]
    def s(k):
        part = slice(k * H, (k + 1) * H)
        return F.linear(x, weight_ih[part], bias[part]) + F.linear(hidden, weight_hh[part])
    forget = (s(1) + peepholes[1] * cell).sigmoid()
    write = (s(0) + peepholes[0] * cell).sigmoid()
    c = torch.addcmul(forget * cell, write, s(2).tanh())
    h = (s(3) + peepholes[2] * c).sigmoid() * c.tanh()
    return h, c
""",
    },
    {
        "task": "peephole_step",
        "right": True,
        "why": "view as (B, 4, H), einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    B, H = cell.shape
    z = torch.einsum("bi,ki->bk", torch.cat((x, hidden), -1), torch.cat((weight_ih, weight_hh), -1)).add(bias).view(B, 4, H)
    gates = torch.sigmoid(z[:, :2] + peepholes[None, :2] * cell[:, None])
    c_new = (torch.stack((z[:, 2].tanh(), cell), 1) * gates).sum(1)
    return torch.sigmoid(z[:, 3] + c_new * peepholes[2:3]) * c_new.tanh(), c_new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the output gate sees the old cell state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * cell)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "peepholes in the order i, o, f",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_o, p_f = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "sums in the order i, f, o, g",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, o, g = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "order of the pair: cell first",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return new, o * torch.tanh(new)
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "no tanh on the cell state at the end",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * new, new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "gates see a detached cell state: its gradient is not complete",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell.detach())
    f = torch.sigmoid(f + p_f * cell.detach())
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "output gate sees a detached new cell state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new.detach())
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "writes the new cell state into `cell`",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    cell.data.copy_(new.data)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the new content gets the peephole of i, too",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g + p_i * cell)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "input gate tied to the forget gate (1 - f)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + (1 - f) * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "peepholes are multiplied with the hidden state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * hidden)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new), new
""",
    },
    {
        "task": "peephole_step",
        "right": False,
        "why": "the hidden state does not carry a gradient to the cell (detached)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def peephole_step(x, hidden, cell, weight_ih, weight_hh, bias, peepholes):
    sums = x @ weight_ih.T + hidden @ weight_hh.T + bias
    i, f, g, o = sums.chunk(4, dim=1)
    p_i, p_f, p_o = peepholes
    i = torch.sigmoid(i + p_i * cell)
    f = torch.sigmoid(f + p_f * cell)
    new = f * cell + i * torch.tanh(g)
    o = torch.sigmoid(o + p_o * new)
    return o * torch.tanh(new.detach()), new
""",
    },
    # cho_gru_step
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "the formula",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "chunks of all three, F.linear, lerp",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    (ar, az, an), (br, bz, bn), (cr, cz, cn) = weight_ih.chunk(3), weight_hh.chunk(3), bias.chunk(3)
    r = (F.linear(x, ar, cr) + F.linear(hidden, br)).sigmoid()
    z = (F.linear(x, az, cz) + F.linear(hidden, bz)).sigmoid()
    n = (F.linear(x, an, cn) + F.linear(r * hidden, bn)).tanh()
    return torch.lerp(n, hidden, z)
""",
    },
    {
        "task": "cho_gru_step",
        "right": True,
        "why": "stacked matrices, batched products",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.size(1)
    A, C = weight_ih.reshape(3, H, -1), weight_hh.reshape(3, H, H)
    s = torch.einsum("khi,bi->kbh", A, x) + bias.reshape(3, 1, H)
    gates = torch.sigmoid(s[:2] + torch.einsum("khj,bj->kbh", C[:2], hidden))
    content = torch.tanh(s[2] + torch.einsum("hj,bj->bh", C[2], gates[0] * hidden))
    return content + gates[1] * (hidden - content)
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "reset gate after the matrix, as in PyTorch",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + r * (hidden @ weight_hh[2 * H:].T))
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "z and 1 - z swapped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T)
    return z * n + (1 - z) * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "blocks in the order z, r, n",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xz, xr, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[H:2 * H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[:H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the kept share uses the reset state",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * (r * hidden)
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the reset gate acts on the input part and the bias as well",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(r * xn + (r * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "z multiplies the state in the new content instead of r",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (z * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "reset state detached: r gets no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r.detach() * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "old state detached in the last line",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden.detach()
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the matrix of the new content not transposed",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:])
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "the old state is overwritten",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    before = hidden.clone()
    hidden.data.mul_(r.data)
    hidden, before = before, None
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "old state is clamped into -1..1 in the last line",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + bias).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T)
    return (1 - z) * n + z * hidden.clamp(-1, 1)
""",
    },
    {
        "task": "cho_gru_step",
        "right": False,
        "why": "bias of n is added after tanh",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def cho_gru_step(x, hidden, weight_ih, weight_hh, bias):
    H = hidden.shape[1]
    xr, xz, xn = (x @ weight_ih.T + torch.cat([bias[:2 * H], torch.zeros_like(bias[2 * H:])])).chunk(3, dim=1)
    r = torch.sigmoid(xr + hidden @ weight_hh[:H].T)
    z = torch.sigmoid(xz + hidden @ weight_hh[H:2 * H].T)
    n = torch.tanh(xn + (r * hidden) @ weight_hh[2 * H:].T) + bias[2 * H:]
    return (1 - z) * n + z * hidden
""",
    },
    # clip_gradients
    {
        "task": "clip_gradients",
        "right": True,
        "why": "sum of squares",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "norm of the norms, clone where nothing is clipped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if not limit > 0:
        raise ValueError("the limit must be positive")
    norms = [torch.linalg.vector_norm(g, dtype=torch.float64) for g in gradients]
    norm = float(torch.linalg.vector_norm(torch.stack(norms)))
    if norm <= limit:
        return [g.clone() for g in gradients], norm
    return [(g * (limit / norm)).to(g.dtype) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": True,
        "why": "one long vector, cut apart again",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError
    long = torch.cat([g.reshape(-1).to(torch.float64) for g in gradients])
    norm = long.norm().item()
    if norm > limit:
        long = long / norm * limit
    parts = long.split([g.numel() for g in gradients])
    return [p.reshape(g.shape).to(g.dtype, copy=True) for p, g in zip(parts, gradients)], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "each tensor is clipped by its own norm",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * min(1.0, limit / max(g.double().norm().item(), 1e-300)) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "entries are clamped instead of scaled: the direction changes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g.clamp(-limit, limit) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "changes the gradients in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g.mul_(scale) for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "the same tensors where nothing is clipped: 'new ones even where nothing was clipped'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    if norm <= limit:
        return list(gradients), norm
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "scaled up to the limit where they are shorter",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = limit / norm if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "returns the norm after clipping",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], min(norm, limit)
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "zeros become NaN (0 / 0)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = torch.tensor(limit / 1.0) / torch.tensor(norm)
    scale = scale if scale < 1 else (torch.tensor(1.0) if norm > 0 else scale * 0)
    scale = scale.item()
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "limit 0 is accepted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit < 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "an infinite limit raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if not 0 < limit < math.inf:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "sum of the norms instead of the common norm",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = sum(g.double().norm().item() for g in gradients)
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "norm as a tensor instead of a float",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], torch.tensor(norm)
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "element type always float32",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [(g * scale).float() for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "eps of 1e-2 in the denominator: shorter than the limit",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(g.double().pow(2).sum().item() for g in gradients))
    scale = min(1.0, limit / (norm + 1e-2)) if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    {
        "task": "clip_gradients",
        "right": False,
        "why": "maximum norm",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = max(g.double().abs().max().item() for g in gradients)
    scale = min(1.0, limit / norm) if norm > 0 else 1.0
    return [g * scale for g in gradients], norm
""",
    },
    # reading_rows
    {
        "task": "reading_rows",
        "right": True,
        "why": "slices",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "NumPy reshape",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = max(len(ids) - 1, 0) // n_rows
    steps = piece // length
    if steps == 0:
        raise ValueError("the text is too short for a batch")
    a = np.array(ids)
    x = a[:n_rows * piece].reshape(n_rows, piece)[:, :steps * length].reshape(n_rows, steps, length)
    y = a[1:n_rows * piece + 1].reshape(n_rows, piece)[:, :steps * length].reshape(n_rows, steps, length)
    return [(x[:, s].tolist(), y[:, s].tolist()) for s in range(steps)]
""",
    },
    {
        "task": "reading_rows",
        "right": True,
        "why": "pairs (token, next) first, torch",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    pairs = list(pairwise(ids))
    piece = len(pairs) // n_rows
    rows = [pairs[b * piece:(b + 1) * piece] for b in range(n_rows)]
    batches = []
    while rows[0] and len(rows[0]) >= length:
        window = [row[:length] for row in rows]
        batches.append(([[a for a, _ in row] for row in window], [[b for _, b in row] for row in window]))
        rows = [row[length:] for row in rows]
    if len(batches) == 0:
        raise ValueError
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "a piece has N // n_rows tokens: the last target may be missing and rows begin elsewhere",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = len(ids) // n_rows
    if len(ids) - 1 < n_rows * length or piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "a shorter last window is kept: 'What fills no window is left out'",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece, length):
        inputs = [ids[b * piece + start:b * piece + min(start + length, piece)] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1][:min(length, piece - start)] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "the last full window is missing when it just fits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, max(piece - length, 1), length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "rows do not read on: row b + 1 of a batch follows row b in the text",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[start * n_rows + b * length:start * n_rows + b * length + length] for b in range(n_rows)]
        targets = [ids[start * n_rows + b * length + 1:start * n_rows + b * length + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "too short: an empty list instead of ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        return []
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "a text for exactly one batch raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece <= length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "the target of the last token of a window is the first of the same window",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length] + ids[b * piece + start:b * piece + start + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "the target of a piece's last token is the piece's first token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        if start + length == piece:
            for b in range(n_rows):
                targets[b][-1] = ids[b * piece]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "windows overlap by one token",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, max(length - 1, 1)):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "batches are lists [inputs, targets] with rows and columns swapped: `length` lists of `n_rows`",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append(([list(c) for c in zip(*inputs)], [list(c) for c in zip(*targets)]))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "pieces are cut from the end: the first tokens are left out",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    ids = ids[len(ids) - 1 - n_rows * piece:]
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 1:b * piece + start + length + 1] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    {
        "task": "reading_rows",
        "right": False,
        "why": "duplicate: the targets two ahead",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def reading_rows(ids, n_rows, length):
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    for start in range(0, piece - length + 1, length):
        inputs = [ids[b * piece + start:b * piece + start + length] for b in range(n_rows)]
        targets = [ids[b * piece + start + 2:b * piece + start + length + 2] for b in range(n_rows)]
        batches.append((inputs, targets))
    return batches
""",
    },
    # text_bits
    {
        "task": "text_bits",
        "right": True,
        "why": "log_softmax and indexing",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "F.cross_entropy, in the logits' own precision (rough for half precision, of which the statement says nothing)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes <= 0:
        raise ValueError("n_bytes")
    return F.cross_entropy(logits, targets, reduction="sum").item() / math.log(2) / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "logsumexp minus the target's logit, gather",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if not n_bytes >= 1:
        raise ValueError
    z = logits.to(torch.float64)
    cost = torch.logsumexp(z, 1) - z.gather(1, targets[:, None])[:, 0]
    return float(cost.div(math.log(2)).sum()) / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": True,
        "why": "plain Python loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("too few bytes")
    bits = 0.0
    for row, y in zip(logits.tolist(), targets.tolist()):
        top = max(row)
        bits += (top - row[y] + math.log(sum(math.exp(v - top) for v in row))) / math.log(2)
    return bits / n_bytes
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "logarithm of the softmax: infinite where the probability rounds to 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().softmax(dim=-1).log()
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "exp without the maximum: infinite for large logits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double() - logits.double().exp().sum(-1, keepdim=True).log()
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "mean over the tokens instead of the sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].mean().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "nats instead of bits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes)
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "a tensor instead of a float",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].sum()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "0 bytes: ZeroDivisionError; only negative numbers raise ValueError",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 0:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "1 byte raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes <= 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "divided by the number of tokens, not of bytes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (len(targets) * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "normalised over time (dim 0) instead of the vocabulary",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=0)
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "logits clamped to -50..50",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().clamp(-50, 50).log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "the first token is skipped (targets taken for the whole text)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = -log_p[torch.arange(len(targets)), targets][1:].sum().item()
    return nats / (n_bytes * math.log(2))
""",
    },
    {
        "task": "text_bits",
        "right": False,
        "why": "each token costs at least a rounded bit (whole bits)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def text_bits(logits, targets, n_bytes):
    if n_bytes < 1:
        raise ValueError("bytes")
    log_p = logits.double().log_softmax(dim=-1)
    nats = (-log_p[torch.arange(len(targets)), targets] / math.log(2)).ceil().sum().item() * math.log(2)
    return nats / (n_bytes * math.log(2))
""",
    },
    # tempered_probs
    {
        "task": "tempered_probs",
        "right": True,
        "why": "maximum first, then the temperature, scatter at 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "exp and sum by hand, one_hot at 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if not temperature >= 0:
        raise ValueError("temperature")
    top, first = logits.max(dim=-1)
    if temperature == 0:
        return F.one_hot(first, logits.shape[-1]).to(logits.dtype)
    e = ((logits - top.unsqueeze(-1)) / temperature).exp()
    return e / e.sum(-1, keepdim=True)
""",
    },
    {
        "task": "tempered_probs",
        "right": True,
        "why": "in float64, rows in a loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError
    rows = logits.reshape(-1, logits.shape[-1])
    out = torch.zeros(rows.shape, dtype=torch.float64)
    for b, row in enumerate(rows.double()):
        if temperature == 0:
            out[b, row.tolist().index(row.max().item())] = 1
        else:
            out[b] = F.softmax((row - row.max()) / temperature, dim=0)
    return out.reshape(logits.shape).to(logits.dtype)
""",
    },
    {
        "task": "tempered_probs",
        "right": None,
        "why": "softmax(logits / temperature): logits near the largest number of their type divided by 0.01 become infinite, then NaN",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    return torch.softmax(logits / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at 0 equal logits share the probability",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        best = (logits == logits.max(dim=-1, keepdim=True).values).to(logits.dtype)
        return best / best.sum(-1, keepdim=True)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at 0 the last of equal logits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.shape[-1] - 1 - logits.flip(-1).argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at 0 only one token of the whole batch",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        probs.view(-1)[logits.argmax()] = 1.0
        return probs
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "at 0 whole numbers instead of the element type of the logits",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits, dtype=torch.int64)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "temperature 0 is replaced by a small one: equal logits share",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    temperature = max(temperature, 1e-6)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "temperatures up to 0.1 count as 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature <= 0.1:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "temperature 0 raises",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature <= 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "a negative temperature counts as 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature <= 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "multiplied with the temperature",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted * temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "exp without the maximum: large logits give NaN",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return (logits / temperature).exp() / (logits / temperature).exp().sum(-1, keepdim=True)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "normalised over the first dimension: wrong for a batch",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=0)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "changes the logits in place",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits.sub_(logits.max(dim=-1, keepdim=True).values)
    return torch.softmax(shifted / temperature, dim=-1)
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "always float32",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    return torch.softmax(shifted / temperature, dim=-1).float()
""",
    },
    {
        "task": "tempered_probs",
        "right": False,
        "why": "one maximum for the batch: a row far below it becomes 0 / 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        probs = torch.zeros_like(logits)
        return probs.scatter(-1, logits.argmax(dim=-1, keepdim=True), 1.0)
    e = ((logits - logits.max()) / temperature).exp()
    return e / e.sum(-1, keepdim=True)
""",
    },
    # stack_reach
    {
        "task": "stack_reach",
        "right": True,
        "why": "the sum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 1 + sum((k - 1) * d for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "follows one output down: set of positions",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    seen = {0}
    for kernel, dilation in reversed(layers):
        seen = {p - j * dilation for p in seen for j in range(kernel)}
    return max(seen) - min(seen) + 1
""",
    },
    {
        "task": "stack_reach",
        "right": True,
        "why": "loop",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    reach = 1
    for layer in layers:
        reach = reach + layer[1] * (layer[0] - 1)
    return reach
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "kernel times dilation",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 1 + sum(k * d for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "the present input is not counted",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return sum((k - 1) * d for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "an empty list gives 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 0 if not layers else 1 + sum((k - 1) * d for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "product of the layers' reaches",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return math.prod((k - 1) * d + 1 for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "kernel less one plus dilation less one",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 1 + sum((k - 1) + (d - 1) for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "dilation outside: k * d - 1 (right for a dilation of 1 and for a kernel of 1 wrong)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 1 + sum(k * d - 1 for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "widest layer only",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 1 + max(((k - 1) * d for k, d in layers), default=0)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "all kernels taken for 2",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 1 + sum(d for k, d in layers)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "number of inputs read, without those between (different positions)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    seen = {0}
    for k, d in layers:
        seen = {p + j * d for p in seen for j in range(k)}
    return len(seen)
""",
    },
    {
        "task": "stack_reach",
        "right": False,
        "why": "kernel and dilation swapped",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def stack_reach(layers):
    return 1 + sum((k - 1) * d for d, k in layers)
""",
    },
    # causal_convolution
    {
        "task": "causal_convolution",
        "right": True,
        "why": "padded on the left, F.conv1d, result a view",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "sum of shifted products",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    B, T, _ = x.shape
    k = weight.shape[-1]
    y = bias.expand(B, T, -1)
    for j in range(k):
        shift = (k - 1 - j) * dilation
        if shift < T:
            part = x[:, :T - shift] @ weight[:, :, j].T
            y = y + torch.cat([x.new_zeros(B, shift, weight.shape[0]), part], dim=1)
    return y
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "gathered windows and einsum",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    B, T, I = x.shape
    k = weight.size(2)
    back = (k - 1) * dilation
    padded = torch.cat((torch.zeros(B, back, I, dtype=x.dtype), x), 1)
    index = torch.arange(T)[:, None] + torch.arange(k)[None] * dilation
    return torch.einsum("btki,oik->bto", padded[:, index], weight) + bias
""",
    },
    {
        "task": "causal_convolution",
        "right": True,
        "why": "loops over time and kernel",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    outputs = []
    for t in range(x.size(1)):
        y = bias.unsqueeze(0).repeat(x.size(0), 1)
        for j in range(weight.size(2)):
            s = t - (weight.size(2) - 1 - j) * dilation
            if s >= 0:
                y = y + F.linear(x[:, s], weight[..., j])
        outputs.append(y)
    return torch.stack(outputs, 1)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padding on both sides, the tail cut off with [:-pad]: empty for a kernel of 1",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    return F.conv1d(x.transpose(1, 2), weight, bias, padding=pad, dilation=dilation)[:, :, :-pad].transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "kernel reversed: the first entry belongs to the present input",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    return F.conv1d(padded, weight.flip(2), bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padding on the right: sees the future",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (0, pad))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padding on both sides alike ('same'): sees the future",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad // 2, pad - pad // 2))
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "padding without the dilation",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1)
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    y = F.conv1d(F.pad(padded, (0, pad * (dilation - 1))), weight, bias, dilation=dilation)
    return y.transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "the dilation is ignored",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) 
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    return F.conv1d(padded, weight, bias, dilation=1).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "before the start the first input is repeated instead of 0",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad, 0), mode='replicate')
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "before the start the end of the text comes round again",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = x.transpose(1, 2)[:, :, torch.arange(-pad, x.shape[1]) % x.shape[1]]
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "shape (B, O, T)",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    return F.conv1d(padded, weight, bias, dilation=dilation)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "the present input is not seen: shifted one step too far",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad + 1, 0))[:, :, :-1]
    return F.conv1d(padded, weight, bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "no bias where the kernel reaches before the start",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    y = F.conv1d(padded, weight, None, dilation=dilation).transpose(1, 2)
    return y + bias * (torch.arange(y.shape[1]) >= pad)[:, None].to(y.dtype)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "weight gets no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    return F.conv1d(padded, weight.detach(), bias, dilation=dilation).transpose(1, 2)
""",
    },
    {
        "task": "causal_convolution",
        "right": False,
        "why": "bias gets no gradient",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def causal_convolution(x, weight, bias, dilation=1):
    pad = (weight.shape[2] - 1) * dilation
    padded = F.pad(x.transpose(1, 2), (pad, 0))
    return F.conv1d(padded, weight, bias.detach(), dilation=dilation).transpose(1, 2)
""",
    },
    # stack_reach
    {
        "task": "stack_reach",
        "right": True,
        "why": "reduce from the top to the bottom",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from functools import reduce
def stack_reach(layers):
    return reduce(lambda reach, layer: reach + layer[0] * layer[1] - layer[1], layers, 1)
""",
    },
    # tempered_probs
    {
        "task": "tempered_probs",
        "right": True,
        "why": "logsumexp, where for temperature 0, cumsum to keep only the first of the largest",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def tempered_probs(logits, temperature):
    if temperature < 0:
        raise ValueError("temperature")
    z = logits - logits.amax(-1, keepdim=True)
    if temperature == 0:
        top = z == 0
        return (top & (top.cumsum(-1) == 1)).to(logits.dtype)
    z = z / temperature
    return torch.exp(z - z.logsumexp(-1, keepdim=True))
""",
    },
    # clip_gradients
    {
        "task": "clip_gradients",
        "right": False,
        "why": "results come back as flat tensors, not of the same shapes",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def clip_gradients(gradients, limit):
    if limit <= 0:
        raise ValueError("limit")
    norm = math.sqrt(sum((g.double() ** 2).sum().item() for g in gradients))
    scale = min(1.0, limit / norm) if norm else 1.0
    return [(g * scale).reshape(-1) for g in gradients], norm
""",
    },
    # last_states
    {
        "task": "last_states",
        "right": False,
        "why": "texts are sorted by length but not put back in order",
        "source": """
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

def last_states(x, hidden, weight_ih, weight_hh, bias, lengths):
    order = torch.argsort(lengths, descending=True, stable=True)
    x, state, n = x[order], hidden[order], lengths[order]
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ weight_ih.T + state @ weight_hh.T + bias)
        state = torch.where((n > t)[:, None], new, state)
    return state
""",
    },
]
