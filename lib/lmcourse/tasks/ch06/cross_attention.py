"""Exercise `cross_attention`."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def cross_attention(x, memory, wq, wk, wv, keep=None):
    """Return one head of attention from the decoder to the encoder's output.

    Args:
        x: the decoder's stream, a tensor (B, T, D).
        memory: the encoder's output, a tensor (B, S, D).
        wq, wk: tensors (D, K).
        wv: a tensor (D, V).
        keep: a bool tensor (B, S), True at tokens, False at padding; None keeps all. Each row keeps at least one.

    Returns:
        A tensor (B, T, V).

    >>> eye, memory = torch.eye(2), torch.tensor([[[2.0, 0.0], [0.0, 2.0]]])
    >>> looked = cross_attention(torch.tensor([[[1.0, 0.0]]]), memory, eye, eye, eye)
    >>> [round(value, 3) for value in looked[0, 0].tolist()]
    [1.609, 0.391]
    """
    scores = (x @ wq) @ (memory @ wk).transpose(-2, -1) / math.sqrt(wq.shape[1])  # (B, T, S)
    if keep is not None:
        scores = scores.masked_fill(~keep[:, None, :], -math.inf)
    return scores.softmax(dim=-1) @ (memory @ wv)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def weights(D: int, K: int, V: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
        return [draw(rng, D, width, dtype=dtype) / D**0.5 for width in (K, K, V)]

    eye = torch.eye(2, dtype=torch.float64)
    lengths = torch.tensor([[True] * 5, [True, True, False, False, False]])
    return [
        case("the worked example", double([[[1, 0]]]), double([[[2, 0], [0, 2]]]), eye, eye, eye),
        case("3 target tokens, 7 source tokens", draw(rng, 1, 3, 5), draw(rng, 1, 7, 5), *weights(5, 2, 3)),
        case("a padded batch", draw(rng, 2, 3, 7), draw(rng, 2, 5, 7), *weights(7, 3, 2), lengths),
        case("as many target as source tokens", draw(rng, 2, 5, 3), draw(rng, 2, 5, 3), *weights(3, 3, 3), lengths),
        border("one source token, which gets everything", draw(rng, 2, 3, 5), draw(rng, 2, 1, 5), *weights(5, 2, 3)),
        case("strong scores", 5 * draw(rng, 1, 2, 3), 5 * draw(rng, 1, 3, 3), *weights(3, 11, 3)),
        case(
            "float32",
            draw(rng, 2, 3, 5, dtype=torch.float32),
            draw(rng, 2, 7, 5, dtype=torch.float32),
            *weights(5, 3, 2, torch.float32),
        ),
    ]


def _cross_by_torch(
    x: Tensor, memory: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, keep: Tensor | None = None
) -> Tensor:
    mask = None if keep is None else keep.unsqueeze(1).expand(-1, x.shape[1], -1)
    return F.scaled_dot_product_attention(x @ wq, memory @ wk, memory @ wv, attn_mask=mask)


def _cross_in_loops(
    x: Tensor, memory: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, keep: Tensor | None = None
) -> Tensor:
    rows = []
    for b in range(len(x)):
        chosen = memory[b] if keep is None else memory[b][keep[b]]
        for query in x[b] @ wq:
            weights = ((chosen @ wk) @ query * wq.shape[1] ** -0.5).softmax(0)
            rows.append(weights @ (chosen @ wv))
    return torch.stack(rows).view(*x.shape[:2], -1)


def _cross_wrong(
    x: Tensor, memory: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, keep: Tensor | None = None, *, how: str
) -> Tensor:
    asks, answers = (memory, x) if how == "exchanged" else (x, memory)
    source = x if how == "self" else answers
    query, key, value = asks @ wq, source @ wk, source @ wv
    if how == "queries_from_memory_weights":
        query, key = x @ wk, memory @ wq
    scores = query @ key.transpose(-2, -1)
    scale = {"unscaled": 1.0, "scaled_by_width": x.shape[-1] ** -0.5, "scaled_by_k": 1 / wq.shape[1]}
    scores = scores * scale.get(how, wq.shape[1] ** -0.5)
    if keep is not None and how not in ("self", "exchanged", "unmasked", "zeroed_after"):
        scores = scores.masked_fill(keep[:, None, :] if how == "polarity" else ~keep[:, None, :], -torch.inf)
    weights = scores.softmax(dim=-1)
    if keep is not None and how == "zeroed_after":
        weights = weights * keep[:, None, :]
    return weights @ value


task = Task(
    cross_attention,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "exchanged",
            lambda *a: _cross_wrong(*a, how="exchanged"),
            "The roles are exchanged: the source asks and the target answers. Queries come from x (the decoder), keys "
            "and values from memory.",
        ),
        Slip(
            "self_attention",
            lambda *a: _cross_wrong(*a, how="self"),
            "Keys and values come from x, so this is self-attention: the decoder never sees the source. Take them from "
            "memory.",
        ),
        Slip(
            "unscaled",
            lambda *a: _cross_wrong(*a, how="unscaled"),
            "The scores are not divided by the root of K, the width of the queries.",
        ),
        Slip(
            "scaled_by_model_width",
            lambda *a: _cross_wrong(*a, how="scaled_by_width"),
            "The scores are divided by the root of D. It is the width of queries and keys that counts: K = "
            "wq.shape[1].",
        ),
        Slip(
            "scaled_by_k",
            lambda *a: _cross_wrong(*a, how="scaled_by_k"),
            "The scores are divided by K itself; divide by its square root.",
        ),
        Slip(
            "weights_exchanged",
            lambda *a: _cross_wrong(*a, how="queries_from_memory_weights"),
            "wq and wk are exchanged: queries are x @ wq, keys are memory @ wk.",
        ),
        Slip(
            "unmasked",
            lambda *a: _cross_wrong(*a, how="unmasked"),
            "`keep` is ignored, so padding in the source gets weight. Its scores must be minus infinity before the "
            "softmax.",
        ),
        Slip(
            "polarity",
            lambda *a: _cross_wrong(*a, how="polarity"),
            "The mask works the wrong way round: the words were hidden and the padding kept. True means takes part, so "
            "fill where ~keep.",
        ),
        Slip(
            "zeroed_after",
            lambda *a: _cross_wrong(*a, how="zeroed_after"),
            "Padding got weight 0 after the softmax, and the rest no longer sums to 1. Mask the scores before it.",
        ),
    ),
    alternatives=(_cross_by_torch, _cross_in_loops),
    hints=(
        "Who asks, who answers? Only the queries come from the decoder.",
        "scores = (x @ wq) @ (memory @ wk).transpose(-2, -1) / sqrt(K), (B, T, S). Where do padded columns go?",
        "scores.masked_fill(~keep[:, None, :], -inf).softmax(-1) @ (memory @ wv), the mask only if keep is given.",
    ),
)
