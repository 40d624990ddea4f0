"""Tasks of chapter 06, first part: feed-forward, and what goes in."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case

CHAPTER = "06_transformer"
CLOSE = Compare(rtol=1e-5, atol=1e-6)  # float32 sums differ by the order of their terms


def draw(rng: np.random.Generator, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Draw a tensor of standard normal numbers, for cases."""
    return torch.from_numpy(rng.normal(size=shape)).to(dtype)


def double(rows: list) -> Tensor:
    return torch.tensor(rows, dtype=torch.float64)


# ----------------------------------------------------------------------------------------------------- feed_forward


def _feed(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    return torch.relu(x @ w1 + b1) @ w2 + b2


def _feed_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def weights(D: int, F: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
        shapes = ((D, F), (F,), (F, D), (D,))
        return [draw(rng, *shape, dtype=dtype) for shape in shapes]

    pairs = [
        double([[1, -1], [-1, 1], [1, 1]]),
        double([-1, -1]),
        double([[1, 0, 0], [0, 1, 0]]),
        double([0, 0, 0]),
    ]
    return [
        case("the worked example", double([[1, 0, 1]]), *pairs),
        case("seven positions, 3 wide, 5 hidden", draw(rng, 7, 3), *weights(3, 5)),
        case("a batch of sentences", draw(rng, 2, 5, 3), *weights(3, 11)),
        case("one position as a vector", draw(rng, 5), *weights(5, 2)),
        case("an empty sentence", torch.zeros(0, 3, dtype=torch.float64), *weights(3, 7)),
        case("hidden width 1", draw(rng, 5, 3), *weights(3, 1)),
        case("float32", draw(rng, 5, 3, dtype=torch.float32), *weights(3, 13, torch.float32)),
    ]


def _feed_by_linear(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    return F.linear(F.linear(x, w1.T, b1).clamp(min=0), w2.T, b2)


def _feed_by_neurons(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    out = torch.zeros_like(x) + b2
    for j in range(len(b1)):
        activity = ((x * w1[:, j]).sum(-1, keepdim=True) + b1[j]).clamp(min=0)
        out = out + activity * w2[j]
    return out


feed_forward = Task(
    name="feed_forward",
    chapter=CHAPTER,
    points=1,
    difficulty=1,
    minutes=10,
    cases=_feed_cases,
    reference=_feed,
    compare=CLOSE,
    slips=(
        Slip(
            "no_relu",
            lambda x, w1, b1, w2, b2: (x @ w1 + b1) @ w2 + b2,
            "There is no ReLU between the two matrices, so they are one matrix in disguise and find no pairs. Cut the "
            "hidden numbers at 0 first.",
        ),
        Slip(
            "relu_twice",
            lambda x, w1, b1, w2, b2: torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2),
            "The output went through a ReLU too. What is handed to the stream may be negative: only the hidden "
            "numbers are cut.",
        ),
        Slip(
            "relu_before_bias",
            lambda x, w1, b1, w2, b2: (torch.relu(x @ w1) + b1) @ w2 + b2,
            "The bias b1 was added after the ReLU. It sets the threshold of each neuron, so it belongs inside: "
            "relu(x @ w1 + b1).",
        ),
        Slip(
            "no_second_bias",
            lambda x, w1, b1, w2, b2: torch.relu(x @ w1 + b1) @ w2,
            "The second bias, b2, is missing: it is added after the second matrix.",
        ),
        Slip(
            "no_first_bias",
            lambda x, w1, b1, w2, b2: torch.relu(x @ w1) @ w2 + b2,
            "The first bias, b1, is missing, so no neuron has a threshold and none can ask for two facts at once.",
        ),
        Slip(
            "residual",
            lambda x, w1, b1, w2, b2: x + torch.relu(x @ w1 + b1) @ w2 + b2,
            "The input was added. The transformer does that, outside of this block; here return the block's own part.",
        ),
        Slip(
            "sigmoid",
            lambda x, w1, b1, w2, b2: torch.sigmoid(x @ w1 + b1) @ w2 + b2,
            "This is a sigmoid. The paper's block cuts at 0: max(0, .), the ReLU.",
        ),
    ),
    alternatives=(_feed_by_linear, _feed_by_neurons),
    hints=(
        "Expand, cut, collapse: three steps, each a line at most.",
        "The hidden numbers are x @ w1 + b1 with everything below 0 set to 0 (torch.relu).",
        "return torch.relu(x @ w1 + b1) @ w2 + b2",
    ),
)


# --------------------------------------------------------------------------------------------- embed_with_positions


def _embed(ids: Tensor, table: Tensor, start: int = 0) -> Tensor:
    D = table.shape[1]
    position = torch.arange(start, start + ids.shape[-1], dtype=torch.float64)[:, None]
    angle = position / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    waves = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2).to(table.dtype)
    return math.sqrt(D) * table[ids] + waves


def _embed_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def ids(V: int, *shape: int) -> Tensor:
        return torch.from_numpy(rng.integers(0, V, size=shape))

    return [
        case("the worked example", torch.tensor([2, 0]), double([[1, 0], [0, 1], [0.5, 0.5]])),
        case("seven tokens, 6 wide", ids(11, 7), draw(rng, 11, 6)),
        case("a batch of sentences", ids(5, 3, 7), draw(rng, 5, 10)),
        case("the same token twice, whose vectors differ", torch.tensor([3, 3]), draw(rng, 5, 4)),
        case("one token further on, as when writing", ids(7, 2, 1), draw(rng, 7, 6), 13),
        case("a start in the middle", ids(7, 5), draw(rng, 7, 8), start=3),
        case("an empty sentence", ids(5, 0), draw(rng, 5, 4)),
        case("float32", ids(13, 5), draw(rng, 13, 6, dtype=torch.float32)),
    ]


def _embed_in_loops(ids: Tensor, table: Tensor, start: int = 0) -> Tensor:
    V, D = table.shape
    out = F.one_hot(ids.long(), V).to(table.dtype) @ table * D**0.5
    for t in range(ids.shape[-1]):
        for j in range(0, D, 2):
            angle = (start + t) / 10000 ** (j / D)
            out[..., t, j] += math.sin(angle)
            out[..., t, j + 1] += math.cos(angle)
    return out


def _embed_by_exp(ids: Tensor, table: Tensor, start: int = 0) -> Tensor:
    D, T = table.shape[1], ids.shape[-1]
    rates = torch.exp(-math.log(10000.0) * torch.arange(D).div(2, rounding_mode="floor").double() * 2 / D)
    angle = (start + torch.arange(T).double())[:, None] * rates
    even = torch.arange(D) % 2 == 0
    return F.embedding(ids, table).mul(D**0.5).add(torch.where(even, angle.sin(), angle.cos()).to(table.dtype))


def _embed_wrong(
    ids: Tensor,
    table: Tensor,
    start: int = 0,
    *,
    scale: float | None = None,
    halves: bool = False,
    first: int = 0,
    swapped: bool = False,
    step: int = 2,
    use_start: bool = True,
    add: bool = True,
) -> Tensor:
    D = table.shape[1]
    begin = first + (start if use_start else 0)
    position = torch.arange(begin, begin + ids.shape[-1], dtype=torch.float64)[:, None]
    angle = position / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D * step / 2)
    parts = [angle.cos(), angle.sin()] if swapped else [angle.sin(), angle.cos()]
    waves = torch.cat(parts, dim=-1) if halves else torch.stack(parts, dim=-1).flatten(-2)
    word = table[ids] * (math.sqrt(D) if scale is None else scale)
    return word + waves.to(table.dtype) if add else word


embed_with_positions = Task(
    name="embed_with_positions",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_embed_cases,
    reference=_embed,
    compare=CLOSE,
    slips=(
        Slip(
            "unscaled",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, scale=1.0),
            "The embedding was not multiplied by the root of D, so the position drowns the word.",
        ),
        Slip(
            "divided",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, scale=table.shape[1] ** -0.5),
            "The embedding was divided by the root of D. That is what scores of attention need; here the word must "
            "become longer, not shorter: multiply.",
        ),
        Slip(
            "from_one",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, first=1),
            "The first position is 1 here. It is 0 (plus `start`): its sines are 0 and its cosines 1.",
        ),
        Slip(
            "halves",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, halves=True),
            "All sines come first and then all cosines. In the paper they alternate: sine in column 2i, cosine in "
            "column 2i + 1.",
        ),
        Slip(
            "swapped",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, swapped=True),
            "Cosines stand in the even columns and sines in the odd ones; it is the other way round.",
        ),
        Slip(
            "start_ignored",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, use_start=False),
            "`start` is ignored: every call begins at position 0. A decoder that writes one token at a time would "
            "believe that each is the first.",
        ),
        Slip(
            "exponent",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, step=1),
            "The exponent is i / D; it must be 2i / D, so that the last pair is nearly 10,000 times slower than the "
            "first, not 100 times.",
        ),
        Slip(
            "no_positions",
            lambda ids, table, start=0: _embed_wrong(ids, table, start, add=False),
            "The positions are missing: the same token has the same vector wherever it stands.",
        ),
    ),
    alternatives=(_embed_in_loops, _embed_by_exp),
    hints=(
        "Two things are added: the token's row of the table, made longer, and a vector that only the position decides.",
        "table[ids] times sqrt(D). For the positions: a column of start .. start + T - 1, divided by the row "
        "10000 ** (arange(0, D, 2) / D), gives the angles (T, D / 2).",
        "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) interleaves the two; add it to the scaled rows "
        "and keep the table's dtype.",
    ),
)


# --------------------------------------------------------------------------------------------------- shift_rotation


def _shift(n: int, D: int) -> np.ndarray:
    if D < 2 or D % 2:
        raise ValueError(f"`D` must be even and at least 2, got {D}.")
    matrix = np.zeros((D, D))
    for j in range(0, D, 2):
        angle = n / 10000 ** (j / D)
        matrix[j : j + 2, j : j + 2] = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    return matrix


def _shift_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 1, 2),
        case("a few words further", int(rng.integers(2, 9)), 6),
        case("far", int(rng.integers(100, 1_000)), 10),
        case("a shift of zero, which changes nothing", 0, 2 * int(rng.integers(2, 6))),
        case("backwards, below zero", -int(rng.integers(1, 20)), 4),
        case("a wide model", int(rng.integers(1, 9)), 34),
        case("an odd width", 3, 5),
        case("no width", 3, 0),
    ]


def _shift_by_parts(n: int, D: int) -> np.ndarray:
    if D % 2 or D <= 0:
        raise ValueError("`D`")
    angles = n * 10000.0 ** (-np.arange(0, D, 2) / D)
    matrix = np.diag(np.repeat(np.cos(angles), 2))
    rows = np.arange(0, D, 2)
    matrix[rows, rows + 1], matrix[rows + 1, rows] = np.sin(angles), -np.sin(angles)
    return matrix


def _shift_by_complex(n: int, D: int) -> np.ndarray:
    if D < 1 or D & 1:
        raise ValueError("D is not even")
    turns = np.exp(1j * n * np.power(10000.0, -np.arange(D // 2) * 2 / D))
    matrix = np.zeros((D // 2, 2, D // 2, 2))
    for i, turn in enumerate(turns):
        matrix[i, :, i, :] = [[turn.real, turn.imag], [-turn.imag, turn.real]]
    return matrix.reshape(D, D)


def _shift_wrong(n: int, D: int, *, how: str) -> np.ndarray:
    if how != "unchecked" and (D < 2 or D % 2):
        raise ValueError("D")
    matrix = np.zeros((D, D))
    for j in range(0, D - 1, 2):
        angle = {"one_speed": float(n), "exponent": n / 10000 ** (j / 2 / D)}.get(how, n / 10000 ** (j / D))
        c, s = math.cos(angle), math.sin(angle)
        block = {"backwards": [[c, -s], [s, c]], "mirror": [[c, s], [s, -c]], "no_minus": [[c, s], [s, c]]}
        matrix[j : j + 2, j : j + 2] = block.get(how, [[c, s], [-s, c]])
    if how == "halves":
        order = np.concatenate([np.arange(0, D, 2), np.arange(1, D, 2)])
        return matrix[np.ix_(order, order)]
    return matrix


shift_rotation = Task(
    name="shift_rotation",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_shift_cases,
    reference=_shift,
    compare=Compare(rtol=1e-9, atol=1e-9),
    slips=(
        Slip(
            "backwards",
            lambda n, D: _shift_wrong(n, D, how="backwards"),
            "This turns the wrong way: it gives position pos - n. With (sine, cosine) in a pair, sin(a + b) = sin a "
            "cos b + cos a sin b puts a plus on the sine in the first row.",
        ),
        Slip(
            "one_speed",
            lambda n, D: _shift_wrong(n, D, how="one_speed"),
            "Every pair is turned by the same angle n. Pair i turns by n / 10000^(2i / D): the later, the slower.",
        ),
        Slip(
            "exponent",
            lambda n, D: _shift_wrong(n, D, how="exponent"),
            "The exponent is i / D for pair i; it must be 2i / D, the column's number over D.",
        ),
        Slip(
            "mirror",
            lambda n, D: _shift_wrong(n, D, how="mirror"),
            "Each block is a reflection, not a rotation: its determinant is -1. The second row is (-sin, cos).",
        ),
        Slip(
            "no_minus",
            lambda n, D: _shift_wrong(n, D, how="no_minus"),
            "A minus sign is missing, so lengths change: cos(a + b) = cos a cos b - sin a sin b gives the second row.",
        ),
        Slip(
            "halves",
            lambda n, D: _shift_wrong(n, D, how="halves"),
            "The pairs lie half a vector apart here. In the paper's table a pair is two neighbouring columns, so the "
            "matrix has 2 by 2 blocks on its diagonal.",
        ),
        Slip(
            "unchecked",
            lambda n, D: _shift_wrong(n, D, how="unchecked"),
            "The matrix is right, but an odd width went through, where one column has no partner. Raise ValueError "
            "unless D is even and at least 2.",
        ),
    ),
    alternatives=(_shift_by_parts, _shift_by_complex),
    hints=(
        "How do you get from (sin a, cos a) to (sin(a + b), cos(a + b))? Write the two addition formulas as a 2 by 2 "
        "matrix.",
        "For pair i the angle is b = n / 10000 ** (2 * i / D), and its block stands at rows and columns 2i and 2i + 1.",
        "matrix = np.zeros((D, D)); for j in range(0, D, 2): angle = n / 10000 ** (j / D); matrix[j:j+2, j:j+2] = "
        "[[cos, sin], [-sin, cos]]. Check D first.",
    ),
)
