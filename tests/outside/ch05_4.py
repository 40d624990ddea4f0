ANSWERS = [
    # ---------------------------------------------------------------- simple_self_attention
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "diagonal masked with minus infinity, softmax, the lonely word is a case of its own",
        "source": r"""
import torch

def simple_self_attention(x):
    T = x.shape[0]
    if T < 2:
        return torch.zeros_like(x)
    scores = (x @ x.T).masked_fill(torch.eye(T, dtype=torch.bool), float("-inf"))
    return torch.softmax(scores, dim=-1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "a loop over the words; the others are cut out with torch.cat, so nothing is masked",
        "source": r"""
import torch

def simple_self_attention(x):
    answer = torch.zeros(x.shape, dtype=x.dtype)
    if len(x) == 1:
        return answer
    for i in range(len(x)):
        others = torch.cat([x[:i], x[i + 1:]])
        scores = torch.mv(others, x[i])
        e = torch.exp(scores - scores.max())
        answer[i] = (e / e.sum()) @ others
    return answer
""",
    },
    {
        "task": "simple_self_attention",
        "right": True,
        "why": "a table (T, T - 1) of the numbers of the others, gathered, with einsum; T = 0 and T = 1 need no case of their own except for the empty table",
        "source": r"""
import torch

def simple_self_attention(x):
    T, D = x.shape
    if T == 0:
        return x.clone()
    numbers = torch.arange(T).repeat(T, 1)
    others = numbers[~torch.eye(T, dtype=torch.bool)].reshape(T, T - 1)
    rows = x[others]                                  # (T, T - 1, D)
    scores = torch.einsum("td,tod->to", x, rows)
    weights = torch.log_softmax(scores, dim=1).exp()
    return torch.einsum("to,tod->td", weights, rows).to(x.dtype)
""",
    },
    {
        "task": "simple_self_attention",
        "right": None,
        "why": "right in all the statement names, but returns x itself (an alias) when T is 0",
        "source": r"""
import torch

def simple_self_attention(x):
    if len(x) == 0:
        return x
    if len(x) == 1:
        return x * 0
    scores = x @ x.T
    scores.fill_diagonal_(-torch.inf)
    return scores.softmax(-1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "masks after the softmax and divides again: with a long word itself has weight 1, the others underflow and 0/0 is nan ('Large scores must not overflow', 'the weights of a word sum to 1')",
        "source": r"""
import torch

def simple_self_attention(x):
    if len(x) < 2:
        return torch.zeros_like(x)
    weights = torch.softmax(x @ x.T, dim=-1)
    weights = weights * (1 - torch.eye(len(x), dtype=x.dtype))
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "'itself' is found by equality: a second word with the same numbers is left out too ('all words but itself', m != i)",
        "source": r"""
import torch

def simple_self_attention(x):
    same = (x[:, None, :] == x[None, :, :]).all(dim=-1)
    scores = (x @ x.T).masked_fill(same, float("-inf"))
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return weights @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "the diagonal gets the score -1e4 instead of minus infinity: with two long opposite words the other's score is lower still and the word hears itself ('w_ii = 0')",
        "source": r"""
import torch

def simple_self_attention(x):
    T = len(x)
    if T <= 1:
        return torch.zeros_like(x)
    scores = x @ x.T
    scores[range(T), range(T)] = -1e4
    return torch.softmax(scores, dim=1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "a word that is alone gets itself back ('zeros for a word that is alone')",
        "source": r"""
import torch

def simple_self_attention(x):
    T = x.size(0)
    if T <= 1:
        return x.clone()
    mask = torch.eye(T, dtype=torch.bool)
    scores = torch.where(mask, torch.tensor(-torch.inf, dtype=x.dtype), x @ x.T)
    return torch.softmax(scores, dim=-1) @ x
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "one maximum for the whole table instead of one a row: a row with far lower scores than the largest one underflows to 0/0 ('Large scores must not overflow')",
        "source": r"""
import torch

def simple_self_attention(x):
    T = len(x)
    if T <= 1:
        return torch.zeros_like(x)
    scores = x @ x.T
    scores.fill_diagonal_(float("-inf"))
    e = torch.exp(scores - scores.max())
    return e @ x / e.sum(dim=1, keepdim=True)
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "the rows are put together in a float32 buffer: float64 words come back as float32 ('of the element type of x')",
        "source": r"""
import torch

def simple_self_attention(x):
    T, D = x.shape
    y = torch.zeros(T, D)
    for i in range(T):
        rest = [j for j in range(T) if j != i]
        if rest:
            weights = torch.softmax(x[rest] @ x[i], dim=0)
            y[i] = weights @ x[rest]
    return y
""",
    },
    {
        "task": "simple_self_attention",
        "right": False,
        "why": "T = 0: torch.stack of an empty list raises ('T may be 0')",
        "source": r"""
import torch

def simple_self_attention(x):
    rows = []
    for i in range(len(x)):
        rest = torch.arange(len(x)) != i
        if not rest.any():
            rows.append(torch.zeros_like(x[i]))
            continue
        weights = torch.softmax(x[rest] @ x[i], dim=0)
        rows.append((weights[:, None] * x[rest]).sum(dim=0))
    return torch.stack(rows)
""",
    },
    # ---------------------------------------------------------------- sinusoidal_table
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "stack of sine and cosine, reshaped so that they alternate",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 != 0:
        raise ValueError("D must be even")
    exponent = torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim
    angles = positions.to(torch.float64).unsqueeze(-1) / base ** exponent
    pairs = torch.stack((angles.sin(), angles.cos()), dim=-1)
    return pairs.reshape(*positions.shape, embed_dim)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "Python loops with math.sin and math.cos over the flat list of positions",
        "source": r"""
import math
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2 == 1:
        raise ValueError(f"odd width {embed_dim}")
    rows = []
    for p in positions.flatten().tolist():
        row = []
        for i in range(embed_dim // 2):
            angle = p / math.pow(base, 2 * i / embed_dim)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    table = torch.tensor(rows, dtype=torch.float64)
    return table.reshape(tuple(positions.shape) + (embed_dim,))
""",
    },
    {
        "task": "sinusoidal_table",
        "right": True,
        "why": "NumPy with a buffer filled by strides; the rates come from exp(-log(base) * ...)",
        "source": r"""
import numpy as np
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    half, odd = divmod(embed_dim, 2)
    if odd:
        raise ValueError("sine and cosine come in pairs")
    p = np.asarray(positions.detach().double().numpy())
    table = np.zeros(p.shape + (embed_dim,), dtype=np.float64)
    for i in range(half):
        rate = np.exp(-np.log(float(base)) * (2 * i / embed_dim))
        table[..., 2 * i] = np.sin(p * rate)
        table[..., 2 * i + 1] = np.cos(p * rate)
    return torch.from_numpy(table)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "the rates are computed in float32 (arange / D is float32) and only then made float64: far positions are off by 1e-4 and more ('computed in float64')",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D is odd")
    rates = 1.0 / base ** (torch.arange(0, embed_dim, 2) / embed_dim)
    angles = positions.double()[..., None] * rates.double()
    table = torch.zeros(*positions.shape, embed_dim, dtype=torch.float64)
    table[..., 0::2] = torch.sin(angles)
    table[..., 1::2] = torch.cos(angles)
    return table
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "divides the angle in place from pair to pair; .double() of a float64 tensor is no copy, so the caller's positions are destroyed ('leaves its arguments as they are')",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D is odd")
    angle = positions.double()
    columns = torch.empty(tuple(positions.shape) + (embed_dim,), dtype=torch.float64)
    for i in range(0, embed_dim, 2):
        columns[..., i] = angle.sin()
        columns[..., i + 1] = angle.cos()
        angle /= base ** (2 / embed_dim)
    return columns
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "positions are made whole numbers: 0.5 becomes 0 ('a position may lie between two whole numbers')",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D is odd")
    whole = positions.long()
    i = torch.arange(embed_dim // 2, dtype=torch.float64)
    angles = whole.unsqueeze(-1) / torch.pow(torch.tensor(base, dtype=torch.float64), 2 * i / embed_dim)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "no positions: it returns before the width is checked, so an odd D raises nothing ('ValueError: D is odd')",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if positions.numel() == 0:
        return torch.zeros(*positions.shape, embed_dim, dtype=torch.float64)
    if embed_dim % 2:
        raise ValueError("D is odd")
    exponents = torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim
    angles = positions[..., None].double() * base ** -exponents
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "a single position without axes gives (1, D) ('a tensor of any shape', 'the shape of positions with a last axis of D more')",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D is odd")
    p = torch.atleast_1d(positions).double()
    out = p.new_zeros(p.shape + (embed_dim,))
    for k in range(embed_dim):
        angle = p / base ** (2 * (k // 2) / embed_dim)
        out[..., k] = angle.cos() if k % 2 else angle.sin()
    return out
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "works in float64, but float positions get the table back in their own type: float32 ('of float64')",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D is odd")
    exponents = torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim
    angles = positions.double()[..., None] / base ** exponents
    table = torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)
    return table.to(positions.dtype) if positions.is_floating_point() else table
""",
    },
    {
        "task": "sinusoidal_table",
        "right": False,
        "why": "looks the rows up in a table of 0, 1, ..., max: a negative whole position counts from the table's end (floats are computed, rightly) ('a position may be negative')",
        "source": r"""
import torch

def sinusoidal_table(positions, embed_dim, base=10000.0):
    if embed_dim % 2:
        raise ValueError("D is odd")
    rates = base ** (-torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim)

    def vectors(p):
        angles = p.double()[..., None] * rates
        return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)

    if positions.is_floating_point() or positions.numel() == 0:
        return vectors(positions)
    longest = int(positions.abs().max())
    return vectors(torch.arange(longest + 1))[positions.long()]
""",
    },
    # ---------------------------------------------------------------- graph_attention
    {
        "task": "graph_attention",
        "right": True,
        "why": "a loop over the nodes that hear somebody; edges gathered by receiver in a dictionary",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    arrives = {}
    for e, (sender, receiver) in enumerate(edges):
        arrives.setdefault(receiver, []).append((e, sender))
    answer = torch.zeros_like(values)
    for node, pairs in arrives.items():
        numbers = [e for e, _ in pairs]
        senders = [s for _, s in pairs]
        weights = torch.softmax(scores[numbers], dim=0).to(values.dtype)
        answer[node] = weights @ values[senders]
    return answer
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "vectorised: scatter_reduce for the maximum of each node, index_add for the sums",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    N, D = values.shape
    pairs = torch.tensor(edges, dtype=torch.long).reshape(-1, 2)
    sender, receiver = pairs[:, 0], pairs[:, 1]
    top = torch.full((N,), -torch.inf, dtype=scores.dtype)
    top = top.scatter_reduce(0, receiver, scores, reduce="amax")
    e = torch.exp(scores - top[receiver])
    total = torch.zeros(N, dtype=scores.dtype).index_add(0, receiver, e)
    weights = (e / total[receiver]).to(values.dtype)
    return torch.zeros_like(values).index_add(0, receiver, weights[:, None] * values[sender])
""",
    },
    {
        "task": "graph_attention",
        "right": True,
        "why": "one pass over the edges with a running maximum, sum and mean a node (online softmax), computed in float64 and cast at the end",
        "source": r"""
import math
import torch

def graph_attention(values, scores, edges):
    N = values.shape[0]
    top = [-math.inf] * N
    total = [0.0] * N
    mixed = torch.zeros(values.shape, dtype=torch.float64)
    wide = values.double()
    for score, (sender, receiver) in zip(scores.tolist(), edges):
        if score > top[receiver]:
            shrink = math.exp(top[receiver] - score)
            total[receiver] *= shrink
            mixed[receiver] *= shrink
            top[receiver] = score
        weight = math.exp(score - top[receiver])
        total[receiver] += weight
        mixed[receiver] += weight * wide[sender]
    divisor = torch.tensor([t if t > 0 else 1.0 for t in total], dtype=torch.float64)
    return (mixed / divisor[:, None]).to(values.dtype)
""",
    },
    {
        "task": "graph_attention",
        "right": None,
        "why": "right numbers, but through an (N, E) table: the statement says only of an (N, N) table that there is no room",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    if not edges:
        return torch.zeros_like(values)
    sender, receiver = torch.tensor(edges).T
    here = receiver == torch.arange(len(values))[:, None]
    weights = torch.softmax(torch.where(here, scores, -torch.inf), dim=1).nan_to_num(0.0)
    return weights.to(values.dtype) @ values[sender]
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "a table (N, N) of scores, filled by assignment: of two edges with the same ends the last one wins ('then both count')",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    N = len(values)
    table = torch.full((N, N), float("-inf"), dtype=scores.dtype)
    for score, (sender, receiver) in zip(scores, edges):
        table[receiver, sender] = score
    weights = torch.softmax(table, dim=1).nan_to_num(0.0)
    return weights.to(values.dtype) @ values
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "the maxima start from 0: at a node whose scores are all very negative every exponential is 0 and 0/0 gives nan ('the softmax of the scores of the edges that arrive there')",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    N, D = values.shape
    if len(edges) == 0:
        return torch.zeros_like(values)
    sender = torch.tensor([s for s, _ in edges])
    receiver = torch.tensor([r for _, r in edges])
    top = torch.zeros(N, dtype=scores.dtype).scatter_reduce(0, receiver, scores, reduce="amax")
    e = torch.exp(scores - top[receiver])
    total = torch.zeros(N, dtype=scores.dtype).index_add(0, receiver, e)
    weights = (e / total[receiver]).to(values.dtype)
    return torch.zeros_like(values).index_add(0, receiver, weights[:, None] * values[sender])
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "subtracts one maximum of all the edges: a node with much lower scores than the largest one has only zeros, and the clamp hides it ('the weights of a node are the softmax', 'Large scores must not overflow')",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    if not edges:
        return out
    e = torch.exp(scores - scores.max()).to(values.dtype)
    total = torch.zeros(len(values), dtype=values.dtype)
    for weight, (sender, receiver) in zip(e, edges):
        out[receiver] += weight * values[sender]
        total[receiver] += weight
    return out / total.clamp(min=1e-30)[:, None]
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "groupby without sorting: edges of one receiver that do not stand together form two groups, the later one overwrites ('in any order')",
        "source": r"""
from itertools import groupby
import torch

def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    for receiver, group in groupby(range(len(edges)), key=lambda e: edges[e][1]):
        numbers = list(group)
        weights = torch.softmax(scores[numbers], dim=0).to(values.dtype)
        out[receiver] = weights @ values[[edges[e][0] for e in numbers]]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "leaves out the edges from a node to itself, as the others-only attention of exercise 1 did ('every node takes a weighted mean of the values that arrive along its edges')",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    out = torch.zeros_like(values)
    for node in range(len(values)):
        numbers = [e for e, (s, r) in enumerate(edges) if r == node and s != node]
        if numbers:
            weights = torch.softmax(scores[numbers], dim=0).to(values.dtype)
            for w, e in zip(weights, numbers):
                out[node] += w * values[edges[e][0]]
    return out
""",
    },
    {
        "task": "graph_attention",
        "right": None,
        "why": "the weights keep the scores' type and the sum is float64 when the scores are, even if the values are float32 ('of the element type of the values')",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    rows = []
    for node in range(values.shape[0]):
        numbers = [e for e, edge in enumerate(edges) if edge[1] == node]
        weights = torch.softmax(scores[numbers], dim=0)[:, None]
        rows.append((weights * values[[edges[e][0] for e in numbers]]).sum(dim=0))
    return torch.stack(rows) if rows else torch.zeros_like(values)
""",
    },
    {
        "task": "graph_attention",
        "right": False,
        "why": "a node at which no edge arrives keeps its own values ('gets zeros')",
        "source": r"""
import torch

def graph_attention(values, scores, edges):
    out = values.clone()
    heard = sorted({receiver for _, receiver in edges})
    for node in heard:
        here = torch.tensor([receiver == node for _, receiver in edges])
        senders = torch.tensor([sender for sender, _ in edges])[here]
        weights = torch.softmax(scores[here], dim=0).to(values.dtype)
        out[node] = (weights.unsqueeze(1) * values[senders]).sum(0)
    return out
""",
    },
]
