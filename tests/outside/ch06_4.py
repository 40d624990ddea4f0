ANSWERS = [
    # ---------------------------------------------------------------- group_normalise
    {
        "task": "group_normalise",
        "right": True,
        "why": "one more axis for the groups, mean and biased variance over the last one",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("G must divide D")
    groups = x.reshape(*x.shape[:-1], num_groups, D // num_groups)
    mean = groups.mean(dim=-1, keepdim=True)
    variance = groups.var(dim=-1, unbiased=False, keepdim=True)
    normal = (groups - mean) / torch.sqrt(variance + eps)
    return gain * normal.reshape(x.shape) + bias
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "cuts the features into pieces, each through F.layer_norm with its own slice of gain and bias, then torch.cat",
        "source": r"""
import torch
import torch.nn.functional as F

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    width = x.size(-1)
    if num_groups < 1:
        raise ValueError("at least one group")
    size, rest = divmod(width, num_groups)
    if rest:
        raise ValueError(f"{num_groups} does not divide {width}")
    pieces = []
    for start in range(0, width, size):
        part = slice(start, start + size)
        pieces.append(F.layer_norm(x[..., part], (size,), gain[part], bias[part], eps))
    return torch.cat(pieces, dim=-1)
""",
    },
    {
        "task": "group_normalise",
        "right": True,
        "why": "a block matrix (D, D) takes the means over each group, twice, without any reshaping",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = len(gain)
    if num_groups not in [g for g in range(1, D + 1) if D % g == 0]:
        raise ValueError("no such groups")
    size = D // num_groups
    member = torch.arange(D) // size
    together = (member[:, None] == member[None, :]).to(x.dtype)
    away = x - x @ together / size
    variance = (away ** 2) @ together / size
    return away * torch.rsqrt(variance + eps) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": None,
        "why": "the variance as mean of squares minus square of the mean: equal on paper, loses digits when the mean is large, of which the statement says nothing",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    if num_groups < 1 or x.shape[-1] % num_groups:
        raise ValueError("groups")
    g = x.unflatten(-1, (num_groups, x.shape[-1] // num_groups))
    mean = g.mean(-1, keepdim=True)
    variance = ((g * g).mean(-1, keepdim=True) - mean * mean).clamp(min=0)
    return ((g - mean) / (variance + eps).sqrt()).flatten(-2) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "torch.var's default divides by size - 1 ('the mean square deviation'); nan for groups of one feature",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("G must divide D")
    groups = x.reshape(*x.shape[:-1], num_groups, D // num_groups)
    mean = groups.mean(dim=-1, keepdim=True)
    normal = (groups - mean) / torch.sqrt(groups.var(dim=-1, keepdim=True) + eps)
    return gain * normal.reshape(x.shape) + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "-1 in the reshape is ambiguous for a tensor without elements: RuntimeError ('there may be no tokens at all')",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    if num_groups < 1 or x.shape[-1] % num_groups != 0:
        raise ValueError("G must divide D")
    groups = x.reshape(*x.shape[:-1], num_groups, -1)
    away = groups - groups.mean(-1, keepdim=True)
    away = away / (away.square().mean(-1, keepdim=True) + eps) ** 0.5
    return away.reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "F.layer_norm for each piece is called without eps, so always 1e-5 ('eps: added to the variance')",
        "source": r"""
import torch
import torch.nn.functional as F

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups:
        raise ValueError("G must divide D")
    pieces = [F.layer_norm(piece, piece.shape[-1:]) for piece in x.split(D // num_groups, dim=-1)]
    return torch.cat(pieces, dim=-1) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "F.group_norm with the features moved to axis 1 also averages over the tokens of a text: right for (D,) and (N, D), wrong for (B, T, D) ('that token's D numbers alone')",
        "source": r"""
import torch
import torch.nn.functional as F

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("G must divide D")
    if x.ndim <= 2:
        g = x.unflatten(-1, (num_groups, D // num_groups))
        g = (g - g.mean(-1, keepdim=True)) / (g.var(-1, correction=0, keepdim=True) + eps).sqrt()
        return g.flatten(-2) * gain + bias
    if x.numel() == 0:
        return x.clone()
    return F.group_norm(x.movedim(-1, 1), num_groups, gain, bias, eps).movedim(1, -1)
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "reshape gives a view and -= writes the difference into the caller's x ('A function leaves its arguments as they are')",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("G must divide D")
    groups = x.reshape(x.shape[:-1] + (num_groups, D // num_groups))
    groups -= groups.mean(dim=-1, keepdim=True)
    scale = torch.sqrt(groups.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (groups / scale).reshape(x.shape) * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "tests only the remainder: D % -2 is 0, so a negative G gives torch's RuntimeError or numbers, not ValueError ('G is below 1')",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups == 0 or D % num_groups != 0:
        raise ValueError("G must divide D")
    size = abs(D // num_groups)
    out = torch.empty_like(x)
    for start in range(0, D, size):
        part = x[..., start:start + size]
        mean = part.mean(-1, keepdim=True)
        var = ((part - mean) ** 2).mean(-1, keepdim=True)
        out[..., start:start + size] = (part - mean) / torch.sqrt(var + eps)
    return out * gain + bias
""",
    },
    {
        "task": "group_normalise",
        "right": False,
        "why": "eps goes to the standard deviation, outside the root ('eps: added to the variance')",
        "source": r"""
import torch

def group_normalise(x, gain, bias, num_groups, eps=1e-5):
    D = x.shape[-1]
    if num_groups < 1 or D % num_groups != 0:
        raise ValueError("G must divide D")
    groups = x.view(*x.shape[:-1], num_groups, D // num_groups) if x.is_contiguous() else x.unflatten(-1, (num_groups, D // num_groups))
    mean = groups.mean(-1, keepdim=True)
    std = groups.std(-1, correction=0, keepdim=True)
    return ((groups - mean) / (std + eps)).flatten(-2) * gain + bias
""",
    },
    # ---------------------------------------------------------------- shift_rotation
    {
        "task": "shift_rotation",
        "right": True,
        "why": "four diagonal blocks put together with np.block",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2 != 0:
        raise ValueError("D must be even and at least 2")
    i = np.arange(D // 2)
    b = n / 10000.0 ** (2 * i / D)
    C, S = np.diag(np.cos(b)), np.diag(np.sin(b))
    return np.block([[C, S], [-S, C]])
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "plain loop with the math module; nested lists made an array at the end",
        "source": r"""
import math
import numpy as np

def shift_rotation(n, D):
    half = D // 2
    if half < 1 or half * 2 != D:
        raise ValueError(f"bad width {D}")
    rows = [[0.0] * D for _ in range(D)]
    for i in range(half):
        b = n / math.pow(10000, 2 * i / D)
        rows[i][i] = rows[half + i][half + i] = math.cos(b)
        rows[i][half + i] = math.sin(b)
        rows[half + i][i] = -rows[i][half + i]
    return np.array(rows, dtype=np.float64)
""",
    },
    {
        "task": "shift_rotation",
        "right": True,
        "why": "the matrix of the page's layout (pairs side by side), its rows and columns put in the other order by fancy indexing; complex numbers for the turn",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D % 2 == 1 or D < 2:
        raise ValueError("an even width of at least 2, please")
    turns = np.exp(1j * n * 10000.0 ** -(np.arange(0, D, 2) / D))
    page = np.zeros((D, D))
    for i, z in enumerate(turns):
        page[2 * i:2 * i + 2, 2 * i:2 * i + 2] = [[z.real, z.imag], [-z.imag, z.real]]
    order = np.concatenate([np.arange(0, D, 2), np.arange(1, D, 2)])
    return page[np.ix_(order, order)]
""",
    },
    {
        "task": "shift_rotation",
        "right": None,
        "why": "a np.matrix, a subclass of the array: a product with it behaves a little differently, M @ vector has two axes",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D")
    b = n * 10000.0 ** (-np.arange(0, D, 2) / D)
    C, S = np.diag(np.cos(b)), np.diag(np.sin(b))
    return np.asmatrix(np.vstack([np.hstack([C, S]), np.hstack([-S, C])]))
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "D = 2 raises as well ('ValueError: D is odd or below 2')",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D % 2 or D <= 2:
        raise ValueError("D must be even and at least 2")
    b = n / 10000.0 ** (2 * np.arange(D // 2) / D)
    C, S = np.diag(np.cos(b)), np.diag(np.sin(b))
    return np.block([[C, S], [-S, C]])
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "only an odd D raises: D = 0 gives an empty array, D = -2 another error or an empty array ('or below 2')",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D % 2 != 0:
        raise ValueError("D is odd")
    half = max(D // 2, 0)
    M = np.zeros((2 * half, 2 * half))
    for i in range(half):
        b = n / 10000 ** (2 * i / D)
        M[i, i] = M[i + half, i + half] = np.cos(b)
        M[i, i + half], M[i + half, i] = np.sin(b), -np.sin(b)
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "applies the step of one position n times in a loop: for a negative n the loop is empty, the identity comes back ('below 0 it goes back')",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D is odd or below 2")
    b = 1 / 10000.0 ** (2 * np.arange(D // 2) / D)
    C, S = np.diag(np.cos(b)), np.diag(np.sin(b))
    step = np.block([[C, S], [-S, C]])
    M = np.eye(D)
    for _ in range(n):
        M = step @ M
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "the sine as root of 1 - cos^2 loses its sign: wrong for n below 0 and when an angle is beyond pi, n = 4 ('for every position', 'below 0 it goes back')",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D is odd or below 2")
    half = D // 2
    cosine = np.cos(n / np.power(10000.0, np.arange(half) / half))
    sine = np.sqrt(1 - cosine ** 2)
    M = np.diag(np.concatenate([cosine, cosine]))
    M[np.arange(half), np.arange(half) + half] = sine
    M[np.arange(half) + half, np.arange(half)] = -sine
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "every pair is a hundred times slower than the one before, as in the example with D = 4; for other widths that is not 'b = n / 10000^(2i/D)'",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D is odd or below 2")
    half = D // 2
    M = np.zeros((D, D))
    b = float(n)
    for i in range(half):
        M[i, i] = M[half + i, half + i] = np.cos(b)
        M[i, half + i] = np.sin(b)
        M[half + i, i] = -np.sin(b)
        b /= 100
    return M
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "made with torch's default type: the array is float32 ('A NumPy array of float64')",
        "source": r"""
import torch

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D is odd or below 2")
    b = n / 10000 ** (torch.arange(0, D, 2) / D)
    C, S = torch.diag(b.cos()), torch.diag(b.sin())
    return torch.cat([torch.cat([C, S], dim=1), torch.cat([-S, C], dim=1)]).numpy()
""",
    },
    {
        "task": "shift_rotation",
        "right": False,
        "why": "fits M by least squares to the positions 0 to D - 1: exact for D = 2, fair for 4, but for wider vectors the slow pairs cannot be told apart and far positions come out wrong ('for every position p')",
        "source": r"""
import numpy as np

def shift_rotation(n, D):
    if D < 2 or D % 2:
        raise ValueError("D is odd or below 2")
    rates = 10000.0 ** (-np.arange(0, D, 2) / D)

    def vectors(p):
        return np.concatenate([np.sin(p[:, None] * rates), np.cos(p[:, None] * rates)], axis=1)

    p = np.arange(D, dtype=np.float64)
    turned, *_ = np.linalg.lstsq(vectors(p), vectors(p + n), rcond=1e-12)
    return turned.T
""",
    },
]
