"""Exercise `encoder_block`."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def encoder_block(x, weights, num_heads):
    """Return the output of a pre-norm encoder layer.

    Args:
        x: the stream, a tensor (B, T, D).
        weights: a dict of tensors: "q", "k", "v", "o" (D, D), "up" (D, F), "down" (F, D).
        num_heads: H, which divides D.

    Returns:
        A tensor (B, T, D).

    >>> eye = torch.eye(2)
    >>> weights = {name: eye for name in ("q", "k", "v", "o", "up", "down")}
    >>> out = encoder_block(torch.tensor([[[1.0, 3.0], [3.0, 1.0]]]), weights, 1)
    >>> [round(value, 3) for value in out[0, 0].tolist()]
    [0.112, 4.888]
    """
    B, T, D = x.shape
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).view(B, T, num_heads, K).transpose(1, 2) for name in ("q", "k", "v"))
    shares = (q @ k.transpose(-2, -1) / math.sqrt(K)).softmax(dim=-1)  # (B, H, T, T)
    joined = (shares @ v).transpose(1, 2).reshape(B, T, D)
    x = x + joined @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]


Weights = dict[str, Tensor]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def weights(D: int, hidden: int, dtype: torch.dtype = torch.float64) -> Weights:
        shapes = {"q": (D, D), "k": (D, D), "v": (D, D), "o": (D, D), "up": (D, hidden), "down": (hidden, D)}
        return {name: draw(rng, *shape, dtype=dtype) / shape[0] ** 0.5 for name, shape in shapes.items()}

    eye = torch.eye(2, dtype=torch.float64)
    simple = dict.fromkeys(("q", "k", "v", "o", "up", "down"), eye)
    return [
        case("the worked example", double([[[1, 3], [3, 1]]]), simple, 1),
        case("five tokens, two heads", draw(rng, 1, 5, 6), weights(6, 11), 2),
        case("a batch, three heads", 2 * draw(rng, 2, 7, 6) + 1, weights(6, 5), 3),
        border("one head", draw(rng, 2, 3, 5), weights(5, 13), 1),
        case("as many heads as tokens", draw(rng, 1, 2, 10), weights(10, 7), 2),
        border("one token, which attends to itself alone", draw(rng, 3, 1, 4), weights(4, 7), 2),
        case("float32", draw(rng, 2, 5, 6, dtype=torch.float32), weights(6, 7, torch.float32), 2),
    ]


def _layer_head_by_head(x: Tensor, weights: Weights, num_heads: int) -> Tensor:
    D = x.shape[-1]
    K = D // num_heads
    norm = torch.nn.LayerNorm(D, elementwise_affine=False, dtype=x.dtype)
    y, notes = norm(x), []
    for h in range(num_heads):
        own = slice(h * K, (h + 1) * K)
        q, k, v = y @ weights["q"][:, own], y @ weights["k"][:, own], y @ weights["v"][:, own]
        notes.append(torch.softmax(q @ k.mT * K**-0.5, dim=2) @ v)
    x = x + torch.cat(notes, dim=-1) @ weights["o"]
    return x + (norm(x) @ weights["up"]).clamp(min=0) @ weights["down"]


def _layer_by_torch(x: Tensor, weights: Weights, num_heads: int) -> Tensor:
    def normed(z: Tensor) -> Tensor:
        centred = z - z.mean(-1, keepdim=True)
        return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()

    parts = torch.cat([weights["q"], weights["k"], weights["v"]], dim=1)
    q, k, v = (normed(x) @ parts).unflatten(-1, (3, num_heads, -1)).permute(2, 0, 3, 1, 4)
    joined = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
    x = torch.baddbmm(x, joined, weights["o"].expand(len(x), -1, -1))
    return x + F.relu(normed(x) @ weights["up"]) @ weights["down"]


def _layer_wrong(x: Tensor, weights: Weights, num_heads: int, *, how: str) -> Tensor:
    B, T, D = x.shape
    y = x if how == "no_first_norm" else F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).view(B, T, num_heads, -1).transpose(1, 2) for name in ("q", "k", "v"))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D if how == "scaled_by_width" else D // num_heads)
    if how == "causal":
        scores = scores.masked_fill(~torch.ones(T, T, dtype=torch.bool).tril(), -torch.inf)
    mixed = scores.softmax(dim=-1) @ v
    joined = mixed.reshape(B, T, D) if how == "not_transposed" else mixed.transpose(1, 2).reshape(B, T, D)
    note = joined if how == "no_output" else joined @ weights["o"]
    if how == "one_stream":  # the second sublayer reads and extends the stream from before the first
        return x + note + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
    x = {"no_first_sum": note, "stream_normalised": y + note}.get(how, x + note)
    z = x if how == "no_second_norm" else F.layer_norm(x, (D,))
    hidden = z @ weights["up"] if how == "no_relu" else torch.relu(z @ weights["up"])
    return hidden @ weights["down"] if how == "no_second_sum" else x + hidden @ weights["down"]


task = Task(
    encoder_block,
    points=4,
    difficulty=4,
    minutes=35,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "no_first_sum",
            lambda *a: _layer_wrong(*a, how="no_first_sum"),
            "The first sum is missing: attention's note has overwritten the stream. x = x + note.",
        ),
        Slip(
            "no_second_sum",
            lambda *a: _layer_wrong(*a, how="no_second_sum"),
            "The second sum is missing: the feed-forward part was returned alone. Add it to the stream.",
        ),
        Slip(
            "no_first_norm",
            lambda *a: _layer_wrong(*a, how="no_first_norm"),
            "Attention reads the stream as it is. In pre-norm its working copy is normalised first.",
        ),
        Slip(
            "no_second_norm",
            lambda *a: _layer_wrong(*a, how="no_second_norm"),
            "The feed-forward block reads the stream as it is. It too gets a normalised working copy.",
        ),
        Slip(
            "stream_normalised",
            lambda *a: _layer_wrong(*a, how="stream_normalised"),
            "Attention's note was added to the normalised copy, so the official copy is lost. Add it to x itself.",
        ),
        Slip(
            "one_stream",
            lambda *a: _layer_wrong(*a, how="one_stream"),
            "Both sublayers read the same x, side by side. The second must read the stream after the first has added "
            "its note.",
        ),
        Slip(
            "scaled_by_width",
            lambda *a: _layer_wrong(*a, how="scaled_by_width"),
            "The scores are divided by the root of D. Each head is K = D / H wide, and that is what counts.",
        ),
        Slip(
            "not_transposed",
            lambda *a: _layer_wrong(*a, how="not_transposed"),
            "The heads were joined without swapping heads and places back: (B, H, T, K) must become (B, T, H, K) before"
            " it is reshaped to (B, T, D), or words get mixed up.",
        ),
        Slip(
            "no_output",
            lambda *a: _layer_wrong(*a, how="no_output"),
            "The output projection weights['o'] is missing: the heads' results must be mixed before they are added.",
        ),
        Slip(
            "causal",
            lambda *a: _layer_wrong(*a, how="causal"),
            "A causal mask was used. An encoder may look both ways.",
        ),
        Slip(
            "no_relu",
            lambda *a: _layer_wrong(*a, how="no_relu"),
            "There is no ReLU between weights['up'] and weights['down'].",
        ),
    ),
    alternatives=(_layer_head_by_head, _layer_by_torch),
    hints=(
        "Two sublayers, each: normalise a working copy, compute a note, add it to x. Then the second, on the new x.",
        "(y @ weights['q']).view(B, T, H, K).transpose(1, 2) gives (B, H, T, K). After the weighted values go back: "
        ".transpose(1, 2).reshape(B, T, D), then @ weights['o'].",
        "y = F.layer_norm(x, (D,)); attention from y; x = x + joined @ weights['o']; then return x + torch.relu("
        "F.layer_norm(x, (D,)) @ weights['up']) @ weights['down'].",
    ),
)
