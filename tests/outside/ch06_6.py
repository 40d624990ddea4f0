ANSWERS = [
    # ---------------------------------------------------------------- feed_forward
    {
        "task": "feed_forward",
        "right": True,
        "why": "plain loop over the hidden neurons, each adds its row of w2",
        "source": r"""
import torch

def feed_forward(x, w1, b1, w2, b2):
    out = torch.zeros_like(x) + b2
    for f in range(w1.shape[1]):
        neuron = (x * w1[:, f]).sum(dim=-1, keepdim=True) + b1[f]
        neuron = torch.where(neuron > 0, neuron, torch.zeros_like(neuron))
        out = out + neuron * w2[f]
    return out
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "einsum and clamp",
        "source": r"""
import torch

def feed_forward(x, w1, b1, w2, b2):
    hidden = (torch.einsum("...d,df->...f", x, w1) + b1).clamp(min=0)
    return torch.einsum("...f,fd->...d", hidden, w2) + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "b2 is forgotten: 'max(0, x W1 + b1) W2 + b2'; the example has b2 = 0",
        "source": r"""
import torch

def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(x @ w1 + b1) @ w2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "the ReLU is also put on the result: negative outputs become 0, 'max(0, x W1 + b1) W2 + b2'",
        "source": r"""
import torch
import torch.nn.functional as F

def feed_forward(x, w1, b1, w2, b2):
    for w, b in ((w1, b1), (w2, b2)):
        x = F.relu(x @ w + b)
    return x
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "'there may be no positions at all': torch.stack of an empty list raises for x of shape (0, D)",
        "source": r"""
import torch

def feed_forward(x, w1, b1, w2, b2):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        rows.append(torch.relu(row @ w1 + b1) @ w2 + b2)
    return torch.stack(rows).reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "torch.mm takes matrices only: x is 'a tensor (..., D)', so (B, T, D) and (D,) must work, here they raise",
        "source": r"""
import torch

def feed_forward(x, w1, b1, w2, b2):
    h = torch.mm(x, w1) + b1
    h[h < 0] = 0
    return torch.mm(h, w2) + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "cuts before b1 is added: relu(x W1) + b1 in the place of max(0, x W1 + b1)",
        "source": r"""
import torch

def feed_forward(x, w1, b1, w2, b2):
    return (torch.relu(x @ w1) + b1) @ w2 + b2
""",
    },
    # ---------------------------------------------------------------- embed_with_positions
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "vectorised, angles in float64, sine and cosine stacked and flattened",
        "source": r"""
import math
import torch

def embed_with_positions(ids, table, start=0):
    D = table.shape[1]
    T = ids.shape[-1]
    p = torch.arange(start, start + T, dtype=torch.float64).unsqueeze(1)
    angle = p / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)
    return F.embedding(ids.long(), table) * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "a beginner's: a list of lists of positions with math.sin and math.cos, table made into a scaled copy",
        "source": r"""
import math
import torch

def embed_with_positions(ids, table, start=0):
    D = len(table[0])
    T = ids.size(-1)
    positions = torch.zeros(T, D, dtype=table.dtype)
    for t in range(T):
        for k in range(D):
            i = k // 2
            angle = (start + t) / 10000 ** (2 * i / D)
            if k % 2 == 0:
                positions[t, k] = math.sin(angle)
            else:
                positions[t, k] = math.cos(angle)
    scaled = table * D ** 0.5
    return scaled[ids.to(torch.int64)] + positions
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "the exponent is i / D in the place of 2i / D: agrees for D = 2 only",
        "source": r"""
import math
import torch

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    pos = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    i = torch.arange(D // 2, dtype=torch.float64)
    angle = pos / 10000 ** (i / D)
    pe = torch.zeros(T, D, dtype=torch.float64)
    pe[:, 0::2] = torch.sin(angle)
    pe[:, 1::2] = torch.cos(angle)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "gives float64 for a float32 table: 'of the table's element type'",
        "source": r"""
import math
import numpy as np
import torch

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    angle = np.arange(start, start + T)[:, None] / 10000 ** (np.arange(0, D, 2) / D)
    pe = np.zeros((T, D))
    pe[:, 0::2], pe[:, 1::2] = np.sin(angle), np.cos(angle)
    return table[ids] * math.sqrt(D) + torch.from_numpy(pe)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "table *= sqrt(D) changes the argument: 'A function leaves its arguments as they are'",
        "source": r"""
import math
import torch

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    table *= math.sqrt(D)
    pos = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = pos / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D)
    return table[ids] + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "counts positions along the first axis: right for ids (T,), wrong for (B, T)",
        "source": r"""
import math
import torch

def embed_with_positions(ids, table, start=0):
    T, D = len(ids), table.shape[1]
    out = table[ids] * math.sqrt(D)
    for t in range(T):
        for i in range(D // 2):
            angle = (start + t) / 10000 ** (2 * i / D)
            out[t, ..., 2 * i] += math.sin(angle)
            out[t, ..., 2 * i + 1] += math.cos(angle)
    return out
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "all sines first and then the cosines (the layout of exercise 3): 'PE_{p,2i} = sin, PE_{p,2i+1} = cos'; agrees for D = 2",
        "source": r"""
import math
import torch

def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    pos = torch.arange(start, start + T, dtype=torch.float64)[:, None]
    angle = pos / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.cat([angle.sin(), angle.cos()], dim=1)
    return table[ids] * math.sqrt(D) + pe.to(table.dtype)
""",
    },
    # ---------------------------------------------------------------- shift_rotation
    {
        "task": "shift_rotation",
        "right": True,
        "why": "loop over the pairs, four entries each",
        "source": r"""
import math
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D must be even and at least 2")
    M = np.zeros((D, D))
    half = D // 2
    for i in range(half):
        b = n / 10000 ** (2 * i / D)
        M[i, i] = math.cos(b)
        M[i, half + i] = math.sin(b)
        M[half + i, i] = -math.sin(b)
        M[half + i, half + i] = math.cos(b)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "blocks of diagonal matrices, the real and imaginary part of one complex vector",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    half, rest = divmod(D, 2)
    if rest != 0 or half < 1:
        raise ValueError(D)
    turn = np.exp(1j * (n * 10000.0 ** (-np.arange(half) / half)))
    c, s = np.diag(turn.real), np.diag(turn.imag)
    return np.block([[c, s], [-s, c]]) + 0.0
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "hstack and vstack; the minus makes some zeros -0.0, which equal 0.0 (only the print differs from the example)",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D")
    b = n / np.power(10000.0, 2 * np.arange(D // 2) / D)
    return np.vstack([np.hstack([np.diag(np.cos(b)), np.diag(np.sin(b))]),
                      np.hstack([-np.diag(np.sin(b)), np.diag(np.cos(b))])])
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "the angle is n / 100^i: agrees for D = 4 (and 2) only, must be n / 10000^(2i/D)",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2 == 1:
        raise ValueError
    b = n / 100.0 ** np.arange(D // 2)
    c, s = np.diag(np.cos(b)), np.diag(np.sin(b))
    return np.block([[c, s], [-s, c]]) + 0.0
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "float32: 'A NumPy array of float64'",
        "source": r"""
import numpy as np
import torch

def shift_rotation(n, D):
    if D < 2 or D % 2 == 1:
        raise ValueError("D")
    b = n / 10000 ** (torch.arange(0, D, 2).float() / D)
    c, s = torch.diag(b.cos()), torch.diag(b.sin())
    return torch.cat([torch.cat([c, s], 1), torch.cat([-s, c], 1)]).numpy() + np.float32(0)
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "checks only that D is even: D = 0 gives an empty matrix, but 'ValueError: D is odd or below 2'",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D % 2 != 0:
        raise ValueError("D must be even")
    h = D // 2
    M = np.zeros((D, D))
    i = np.arange(h)
    b = n / 10000 ** (2 * i / max(D, 1))
    M[i, i] = M[i + h, i + h] = np.cos(b)
    M[i, i + h] = np.sin(b)
    M[i + h, i] = -np.sin(b)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "multiplies n times by the turn of one step: for n below 0 the loop does not run, 'below 0 it goes back'",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2 != 0:
        raise ValueError("D must be even")
    h = D // 2
    one = np.zeros((D, D))
    for i in range(h):
        b = 1 / 10000 ** (2 * i / D)
        one[i, i] = one[h + i, h + i] = np.cos(b)
        one[i, h + i], one[h + i, i] = np.sin(b), -np.sin(b)
    M = np.eye(D)
    for _ in range(n):
        M = one @ M
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "pairs as neighbours (the layout of the page), not sines first and then cosines",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2 != 0:
        raise ValueError("D must be even")
    M = np.zeros((D, D))
    for k in range(0, D, 2):
        b = n / 10000 ** (k / D)
        M[k:k + 2, k:k + 2] = [[np.cos(b), np.sin(b)], [-np.sin(b), np.cos(b)]]
    return M
""",
    },
    # ---------------------------------------------------------------- group_normalise
    {
        "task": "group_normalise",
        "right": True,
        "why": "slices, one group after the other, joined with cat; own mean and variance",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("num_groups must divide D")
    size = D // num_groups
    parts = []
    for g in range(num_groups):
        part = x[..., g * size:(g + 1) * size]
        centred = part - part.sum(-1, keepdim=True) / size
        variance = (centred ** 2).sum(-1, keepdim=True) / size
        parts.append(centred / (variance + eps) ** 0.5)
    return torch.cat(parts, dim=-1) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "unflatten, F.layer_norm on the groups, flatten",
        "source": r"""
import torch
import torch.nn.functional as F

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.size(-1)
    if num_groups < 1 or D % num_groups:
        raise ValueError(f"{num_groups} groups do not fit {D} features")
    groups = x.unflatten(-1, (num_groups, D // num_groups))
    normal = F.layer_norm(groups, groups.shape[-1:], eps=eps).flatten(-2)
    return torch.addcmul(bias, gain, normal)
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "'there may be no tokens at all': reshape with -1 raises for x of shape (0, D)",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    if num_groups < 1 or x.shape[-1] % num_groups != 0:
        raise ValueError("bad number of groups")
    g = x.reshape(*x.shape[:-1], num_groups, -1)
    g = (g - g.mean(-1, keepdim=True)) / torch.sqrt(g.var(-1, unbiased=False, keepdim=True) + eps)
    return g.reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "eps is added to the standard deviation: 'eps: added to the variance'; differs for small variances",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("bad number of groups")
    g = x.reshape(x.shape[:-1] + (num_groups, D // num_groups))
    g = (g - g.mean(-1, keepdim=True)) / (g.std(-1, unbiased=False, keepdim=True) + eps)
    return g.reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "no test for G below 1: G = 0 raises ZeroDivisionError and G = -2 RuntimeError, not ValueError",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if D % num_groups != 0:
        raise ValueError("num_groups does not divide D")
    g = x.reshape(x.shape[:-1] + (num_groups, D // num_groups))
    mean = g.mean(dim=-1, keepdim=True)
    var = ((g - mean) ** 2).mean(dim=-1, keepdim=True)
    return ((g - mean) / (var + eps).sqrt()).reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "centres the groups in place through views of x: the argument x is changed",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("bad number of groups")
    out = []
    for part in x.split(D // num_groups, dim=-1):
        part -= part.mean(-1, keepdim=True)
        out.append(part / torch.sqrt((part * part).mean(-1, keepdim=True) + eps))
    return torch.cat(out, -1) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "mean and variance of a group over all tokens together: 'that token's D numbers alone'; right for one token only",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("bad number of groups")
    parts = []
    for part in torch.chunk(x, num_groups, dim=-1):
        parts.append((part - part.mean()) / torch.sqrt(part.var(unbiased=False) + eps))
    return torch.cat(parts, -1) * gain + bias
""",
    },
    # ---------------------------------------------------------------- residual_block
    {
        "task": "residual_block",
        "right": True,
        "why": "short, with F.layer_norm",
        "source": r"""
import torch.nn.functional as F

def residual_block(x, w, order="pre"):
    def norm(y):
        return F.layer_norm(y, y.shape[-1:])
    if order == "pre":
        return x + norm(x) @ w
    if order == "post":
        return norm(x + x @ w)
    raise ValueError(f"order must be 'pre' or 'post', not {order!r}")
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "own layer norm, einsum, a dict of the two ways",
        "source": r"""
import torch

def residual_block(x, w, order="pre"):
    def sub(y):
        return torch.einsum("...i,ij->...j", y, w)

    def ln(y):
        c = y - y.mean(-1, keepdim=True)
        return c * torch.rsqrt(c.square().mean(-1, keepdim=True) + 1e-5)

    ways = {"pre": lambda: x + sub(ln(x)), "post": lambda: ln(x + sub(x))}
    try:
        way = ways[order]
    except (KeyError, TypeError):
        raise ValueError("unknown order")
    return way()
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "F.linear multiplies by the transposed w: 'the sublayer of y is y @ w'; the example's w is symmetric",
        "source": r"""
import torch.nn.functional as F

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.linear(F.layer_norm(x, x.shape[-1:]), w)
    elif order == "post":
        return F.layer_norm(x + F.linear(x, w), x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "post-norm also normalises before the sublayer: LN(x + LN(x) w) in the place of LN(x + x w)",
        "source": r"""
import torch.nn.functional as F

def residual_block(x, w, order="pre"):
    if order not in ("pre", "post"):
        raise ValueError(order)
    y = x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        y = F.layer_norm(y, y.shape[-1:])
    return y
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "every order that is not 'pre' is taken as post: 'ValueError: another order'",
        "source": r"""
import torch.nn.functional as F

def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    else:
        return F.layer_norm(x + x @ w, x.shape[-1:])
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "x += changes the stream that was given: a function leaves its arguments as they are",
        "source": r"""
import torch.nn.functional as F

def residual_block(x, w, order="pre"):
    if order == "pre":
        x += F.layer_norm(x, x.shape[-1:]) @ w
        return x
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError("order")
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "eps of 1e-8: 'with torch's eps of 1e-5'; x = (0.001, 0.002) differs clearly",
        "source": r"""
import torch

def residual_block(x, w, order="pre"):
    def norm(y):
        mean = y.mean(-1, keepdim=True)
        var = y.var(-1, keepdim=True, unbiased=False)
        return (y - mean) / torch.sqrt(var + 1e-8)
    if order == "pre":
        return x + norm(x) @ w
    if order == "post":
        return norm(x + x @ w)
    raise ValueError("order")
""",
    },
    # ---------------------------------------------------------------- decoder_attention_mask
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "comparison of positions, broadcast with the mask of padding",
        "source": r"""
import torch

def decoder_attention_mask(ids, pad_id=0):
    steps = torch.arange(ids.shape[1], device=ids.device)
    past = steps[None, :] <= steps[:, None]
    return past[None, None] & (ids != pad_id)[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "four plain loops",
        "source": r"""
import torch

def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    mask = torch.zeros((B, 1, T, T), dtype=torch.bool)
    for b in range(B):
        row = ids[b].tolist()
        for t in range(T):
            for s in range(t + 1):
                if row[s] != pad_id:
                    mask[b, 0, t, s] = True
    return mask
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "pad_id is not used: ids == 0 is always the padding; wrong for pad_id = 9",
        "source": r"""
import torch

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return causal & ids.bool()[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "counts the tokens of a row and takes the padding to be at the end: 'Padding may stand anywhere in a row'",
        "source": r"""
import torch

def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    lengths = (ids != pad_id).sum(dim=1)
    pos = torch.arange(T)
    keep = pos[None, :] < lengths[:, None]
    return (pos[None, :] <= pos[:, None])[None, None] & keep[:, None, None]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "a float tensor: 'A bool tensor'",
        "source": r"""
import torch

def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    mask = torch.tril(torch.ones(T, T)).expand(B, 1, T, T)
    return mask * (ids != pad_id).view(B, 1, 1, T)
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "a row that may look nowhere is allowed to look at itself: with padding at the beginning, (0, 5), mask[0,0] must be (False, False); padding is hidden",
        "source": r"""
import torch

def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    mask = torch.ones(T, T).tril().bool()[None, None] & (ids != pad_id)[:, None, None, :]
    nothing = ~mask.any(-1, keepdim=True)
    return mask | (nothing & torch.eye(T, dtype=torch.bool))
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "the queries that are padding are hidden too: row 2 of the example must be 1 1 0",
        "source": r"""
import torch

def decoder_attention_mask(ids, pad_id=0):
    token = ids != pad_id
    T = ids.shape[1]
    mask = token[:, :, None] & token[:, None, :]
    return (mask & torch.ones(T, T, dtype=torch.bool).tril()).unsqueeze(1)
""",
    },
    # ---------------------------------------------------------------- cross_attention
    {
        "task": "cross_attention",
        "right": True,
        "why": "loop over the texts, padding is cut out of the memory before the scores",
        "source": r"""
import math
import torch

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    outs = []
    for b in range(x.shape[0]):
        m = memory[b]
        if attention_mask is not None:
            m = m[attention_mask[b]]
        q, k, v = x[b] @ wq, m @ wk, m @ wv
        scores = q @ k.T / math.sqrt(wq.shape[1])
        outs.append(torch.softmax(scores, dim=-1) @ v)
    return torch.stack(outs)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "library: F.scaled_dot_product_attention with a broadcast mask",
        "source": r"""
import torch
import torch.nn.functional as F

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    mask = None if attention_mask is None else attention_mask[:, None, :].expand(-1, x.shape[1], -1)
    return F.scaled_dot_product_attention(x @ wq, memory @ wk, memory @ wv, attn_mask=mask)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "scales by the root of D, the width of x: 'd_k the width of queries and keys'; agrees where wq is square",
        "source": r"""
import torch

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    B, T, D = x.shape
    scores = (x @ wq) @ (memory @ wk).transpose(1, 2) / D ** 0.5
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return scores.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "exp without taking away the maximum: nan for large scores, 'Large scores must not overflow'",
        "source": r"""
import torch

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    e = torch.exp(torch.einsum("btk,bsk->bts", q, k) / q.shape[-1] ** 0.5)
    if attention_mask is not None:
        e = e * attention_mask[:, None, :]
    return (e / e.sum(-1, keepdim=True)) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "padding is cut after the softmax and the weights do not sum to 1 any more",
        "source": r"""
import torch

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)
    if attention_mask is not None:
        weights = weights * attention_mask[:, None, :]
    return weights @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "the scores of padding become -100: when the scores of the tokens are lower than that, padding gets all the weight, 'gets no weight'",
        "source": r"""
import torch

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
    if attention_mask is not None:
        scores[~attention_mask[:, None, :].expand_as(scores)] = -100.0
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "the mask of the first text is used for all texts",
        "source": r"""
import torch

def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
    if attention_mask is not None:
        for s in range(memory.shape[1]):
            if not attention_mask[0, s]:
                scores[:, :, s] = -torch.inf
    return torch.softmax(scores, dim=-1) @ v
""",
    },
    # ---------------------------------------------------------------- encoder_block
    {
        "task": "encoder_block",
        "right": True,
        "why": "heads as slices of columns, one after the other",
        "source": r"""
import math
import torch
import torch.nn.functional as F

def encoder_block(x, weights, num_heads):
    D = x.shape[-1]
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = y @ weights["q"], y @ weights["k"], y @ weights["v"]
    heads = []
    for h in range(num_heads):
        columns = slice(h * K, (h + 1) * K)
        scores = q[:, :, columns] @ k[:, :, columns].transpose(1, 2) / math.sqrt(K)
        scores = scores - scores.max(dim=-1, keepdim=True).values
        e = scores.exp()
        heads.append(e / e.sum(dim=-1, keepdim=True) @ v[:, :, columns])
    x = x + torch.cat(heads, dim=-1) @ weights["o"]
    y = F.layer_norm(x, (D,))
    return x + (y @ weights["up"]).clamp(min=0) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "all heads at once with unflatten and einsum",
        "source": r"""
import torch
import torch.nn.functional as F

def encoder_block(x, weights, num_heads):
    D = x.size(-1)

    def norm(z):
        return F.layer_norm(z, (D,))

    q, k, v = (torch.matmul(norm(x), weights[name]).unflatten(-1, (num_heads, D // num_heads)) for name in "qkv")
    scores = torch.einsum("bthk,bshk->bhts", q, k) * (D // num_heads) ** -0.5
    mixed = torch.einsum("bhts,bshk->bthk", scores.softmax(-1), v).flatten(-2)
    x = x + mixed @ weights["o"]
    return x + F.relu(norm(x) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "scales by the root of D instead of K = D / H; agrees for one head",
        "source": r"""
import torch
import torch.nn.functional as F

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q = (y @ weights["q"]).view(B, T, num_heads, K).transpose(1, 2)
    k = (y @ weights["k"]).view(B, T, num_heads, K).transpose(1, 2)
    v = (y @ weights["v"]).view(B, T, num_heads, K).transpose(1, 2)
    a = torch.softmax(q @ k.transpose(-2, -1) / D ** 0.5, dim=-1) @ v
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "view(B, H, T, K) without transposing: mixes tokens and heads, 'head h reads columns h K to (h + 1) K'; agrees for one head",
        "source": r"""
import torch
import torch.nn.functional as F

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).reshape(B, num_heads, T, D // num_heads) for n in "qkv")
    a = F.scaled_dot_product_attention(q, k, v)
    x = x + a.reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the output projection 'o' is forgotten; in the example it is the identity",
        "source": r"""
import torch
import torch.nn.functional as F

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).view(B, T, num_heads, -1).transpose(1, 2) for n in "qkv")
    a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D)
    x = x + a
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "exp without taking away the maximum: nan for large weights, 'Large scores must not overflow'",
        "source": r"""
import torch
import torch.nn.functional as F

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).view(B, T, num_heads, -1).transpose(1, 2) for n in "qkv")
    e = torch.exp(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
    a = (e / e.sum(-1, keepdim=True)) @ v
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "x += twice changes the stream that was given: a function leaves its arguments as they are",
        "source": r"""
import torch
import torch.nn.functional as F

def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).view(B, T, num_heads, -1).transpose(1, 2) for n in "qkv")
    a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D)
    x += a @ weights["o"]
    x += torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
    return x
""",
    },
    # ---------------------------------------------------------------- smoothed_kl
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "plain loops over tokens and words, math.log for the targets",
        "source": r"""
import math
import torch

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    V = logits.shape[1]
    total = logits.new_zeros(())
    number = 0
    for row, target in zip(logits, targets.tolist()):
        if target == pad_id:
            continue
        number += 1
        log_p = row - torch.logsumexp(row, dim=0)
        for k in range(V):
            q = smoothing / V
            if k == target:
                q += 1 - smoothing
            if q > 0:
                total = total + q * (math.log(q) - log_p[k])
    return total / number if number else total
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "selects the rows that count, scatter and xlogy",
        "source": r"""
import torch

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return torch.zeros((), dtype=logits.dtype)
    logits, targets = logits[keep], targets[keep].long()
    log_p = logits.log_softmax(dim=-1)
    q = torch.full_like(log_p, smoothing / logits.shape[-1])
    q.scatter_add_(1, targets[:, None], torch.full((len(targets), 1), 1 - smoothing, dtype=q.dtype))
    return (torch.xlogy(q, q) - q * log_p).sum(dim=-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "divides by all N tokens: 'Padding does not count: the mean is over the other tokens'",
        "source": r"""
import torch

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    N, V = logits.shape
    if N == 0:
        return torch.zeros(())
    keep = targets != pad_id
    log_p = torch.log_softmax(logits, dim=-1)
    q = torch.full_like(log_p, smoothing / V)
    q[keep, targets[keep]] += 1 - smoothing
    kl = (torch.xlogy(q, q) - q * log_p).sum(-1)
    return (kl * keep).sum() / N
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "nan when every target is padding: 'If nothing counts, the loss is 0'",
        "source": r"""
import torch

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    V = logits.shape[1]
    keep = targets != pad_id
    log_p = torch.log_softmax(logits[keep], dim=-1)
    q = torch.full_like(log_p, smoothing / V)
    q[torch.arange(len(q)), targets[keep]] += 1 - smoothing
    return (torch.xlogy(q, q) - q * log_p).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "smoothing = 0 gives 0 * log 0 = nan: 'with 0 ln 0 = 0'",
        "source": r"""
import torch

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    V = logits.shape[1]
    keep = targets != pad_id
    if keep.sum() == 0:
        return torch.tensor(0.0)
    log_p = torch.log_softmax(logits[keep], dim=-1)
    q = torch.full_like(log_p, smoothing / V)
    q[torch.arange(len(q)), targets[keep]] += 1 - smoothing
    return (q * (q.log() - log_p)).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "log of softmax: minus infinity for scores such as (1000, 0), 'Large scores must neither overflow nor give minus infinity'",
        "source": r"""
import torch

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    V = logits.shape[1]
    keep = targets != pad_id
    if keep.sum() == 0:
        return torch.tensor(0.0, dtype=logits.dtype)
    log_p = torch.log(torch.softmax(logits[keep], dim=-1))
    q = torch.full_like(log_p, smoothing / V)
    q[torch.arange(len(q)), targets[keep]] += 1 - smoothing
    return (torch.xlogy(q, q) - q * log_p).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "takes negative targets as padding and never looks at pad_id: 'It may be any whole number, a word's or not'",
        "source": r"""
import torch
import torch.nn.functional as F

def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    V = logits.shape[1]
    keep = (targets >= 0) & (targets < V)
    if not keep.any():
        return logits.new_zeros(())
    q = F.one_hot(targets[keep], V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    return F.kl_div(logits[keep].log_softmax(-1), q, reduction="sum") / keep.sum()
""",
    },
    # ---------------------------------------------------------------- warmup_rate
    {
        "task": "warmup_rate",
        "right": True,
        "why": "the formula as it stands",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("step and warmup start at 1")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "two branches, roots with NumPy, a NumPy float returned (its repr is not that of the example)",
        "source": r"""
import numpy as np

def warmup_rate(step, D, warmup):
    if min(step, warmup) < 1:
        raise ValueError((step, warmup))
    if step >= warmup:
        return 1.0 / np.sqrt(float(D) * step)
    top = 1.0 / np.sqrt(float(D) * warmup)
    return top * step / warmup
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "only the rise: after the warm-up the rate must fall, min is missing",
        "source": r"""
import math

def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("below 1")
    return 1 / math.sqrt(D) * step * warmup ** -1.5
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "stays at its top after the warm-up: 'falls with the root of the step'",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("below 1")
    step = min(step, warmup)
    return D ** -0.5 * step * warmup ** -1.5
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "assert raises AssertionError, not 'ValueError: a step or a warm-up below 1'",
        "source": r"""
def warmup_rate(step, D, warmup):
    assert step >= 1 and warmup >= 1, "below 1"
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "a warm-up of 0 is taken as no warm-up: it must raise ValueError",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 0:
        raise ValueError("step or warmup too small")
    if warmup == 0:
        return (D * step) ** -0.5
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "rounds to 7 digits: step 1, D = 512, warm-up 4000 gives 2e-07 in the place of 1.7469e-07",
        "source": r"""
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("below 1")
    return round(D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5), 7)
""",
    },
    # ---------------------------------------------------------------- transformer_parameters
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "small helper functions, named parts",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    def linear(a, b):
        return a * b + b

    attention = 4 * linear(D, D)
    forward = linear(D, hidden) + linear(hidden, D)
    norm = D + D
    encoder = attention + forward + 2 * norm
    decoder = 2 * attention + forward + 3 * norm
    tables = V * D if shared else 3 * V * D
    return layers * (encoder + decoder) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "one closed formula",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    return V * (1 + D * (3 - 2 * bool(shared))) + 2 * layers * (D * (6 * D + 12 + 2 * hidden) + hidden)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "two tables if not shared: 'Source, target and scores use one table of V by D if shared, else three'",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    att = 4 * (D * D + D)
    ffn = 2 * D * hidden + hidden + D
    enc = att + ffn + 2 * 2 * D
    dec = 2 * att + ffn + 3 * 2 * D
    tables = V * D
    if not shared:
        tables += V * D
    return layers * (enc + dec) + tables + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "only the encoder layers are multiplied by L; agrees for one layer",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    att = 4 * (D * D + D)
    ffn = 2 * D * hidden + hidden + D
    enc = att + ffn + 2 * 2 * D
    dec = 2 * att + ffn + 3 * 2 * D
    return layers * enc + dec + (1 if shared else 3) * V * D + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "4 (2 D + D) for an attention: agrees for D = 2 only, a projection has D * D + D",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    att = 4 * (2 * D + D)
    ffn = 2 * D * hidden + hidden + D
    enc = att + ffn + 2 * 2 * D
    dec = 2 * att + ffn + 3 * 2 * D
    return layers * (enc + dec) + (1 if shared else 3) * V * D + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "with three tables there are three times V biases too: only the scores have a bias",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    att = 4 * (D * D + D)
    ffn = 2 * D * hidden + hidden + D
    layer = 3 * att + 2 * ffn + 5 * 2 * D
    return layers * layer + (1 if shared else 3) * (V * D + V)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "two norms in a decoder layer: it has three",
        "source": r"""
def transformer_parameters(V, D, hidden, layers, shared=True):
    att = 4 * (D * D + D)
    ffn = 2 * D * hidden + hidden + D
    enc = att + ffn + 4 * D
    dec = 2 * att + ffn + 4 * D
    return layers * (enc + dec) + (1 if shared else 3) * V * D + V
""",
    },
    # ---------------------------------------------------------------- layer_cost
    {
        "task": "layer_cost",
        "right": True,
        "why": "a helper for one product of matrices",
        "source": r"""
def layer_cost(n, D, hidden):
    def product(a, b, c):
        return a * b * c

    return {
        "projections": sum(product(n, D, D) for _ in range(4)),
        "scores": product(n, D, n),
        "values": product(n, n, D),
        "feed_forward": product(n, D, hidden) + product(n, hidden, D),
    }
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "a subclass of dict, filled step by step",
        "source": r"""
from collections import Counter

class Costs(dict):
    pass

def layer_cost(n, D, hidden):
    costs = Costs(projections=0, scores=0, values=0, feed_forward=0)
    parts = [("projections", n, D, D)] * 4
    parts += [("scores", n, D, n), ("values", n, n, D), ("feed_forward", n, D, hidden), ("feed_forward", n, hidden, D)]
    for name, a, b, c in parts:
        costs[name] += a * b * c
    return costs
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "takes the hidden width to be 4 D: agrees for hidden = 4 D only",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D ** 2, "scores": n ** 2 * D, "values": n ** 2 * D,
            "feed_forward": 8 * n * D ** 2}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "the projections as 8 n D: agrees for D = 2 only, a product (n x D)(D x D) takes n D D",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * (D + D), "scores": n * n * D, "values": n * n * D,
            "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "raises for n = 0: 'n: tokens, 0 or more'",
        "source": r"""
def layer_cost(n, D, hidden):
    if n <= 0 or D <= 0 or hidden <= 0:
        raise ValueError("sizes must be positive")
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D,
            "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "computes in float32: large costs (n = 4097, D = 511) are not exact, 'a dict of ints'",
        "source": r"""
import torch

def layer_cost(n, D, hidden):
    def cost(a, b, c):
        return int(torch.tensor([a, b, c], dtype=torch.float32).prod())
    return {"projections": 4 * cost(n, D, D), "scores": cost(n, D, n), "values": cost(n, n, D),
            "feed_forward": cost(n, D, hidden) + cost(n, hidden, D)}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "scores and values as n D D: they are (n x D)(D x n), and (n x n)(n x D)",
        "source": r"""
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * D * D, "values": n * D * D,
            "feed_forward": 2 * n * D * hidden}
""",
    },
]
