"""Exercise `multi_head_attention`."""

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch05.shared import CLOSE, check_split, merge, normal, split


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, causal=False):
    """Return multi-head self-attention without biases.

    Args:
        x: the words, a tensor (B, T, D).
        w_q, w_k, w_v, w_o: the projections, tensors (D, D), used as x @ w.
        num_heads: H, which divides D.
        causal: whether each word sees only itself and the words before it.

    Returns:
        A tensor (B, T, D).

    Raises:
        ValueError: H does not divide D.

    >>> x, eye = torch.tensor([[[1.0, 0, 0, 0], [0, 0, 1, 0]]]), torch.eye(4)
    >>> multi_head_attention(x, eye, eye, eye, eye, 2, True).numpy().round(2).tolist()[0][1]
    [0.5, 0.0, 0.6700000166893005, 0.0]
    """
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={D}.")
    parts = ((x @ w).reshape(B, T, num_heads, D // num_heads) for w in (w_q, w_k, w_v))
    query, key, value = (part.transpose(1, 2) for part in parts)  # (B, H, T, K)
    scores = query @ key.mT / (D // num_heads) ** 0.5
    if causal:
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(future, float("-inf"))
    context = scores.softmax(dim=-1) @ value
    return context.transpose(1, 2).reshape(B, T, D) @ w_o


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(B: int, T: int, D: int, num_heads: int, causal: bool, dtype: torch.dtype = torch.float64) -> tuple:
        weights = [normal(rng, D, D, dtype=dtype) / D**0.5 * 1.5 for _ in range(4)]
        return (normal(rng, B, T, D, dtype=dtype), *weights, num_heads, causal)

    eye = torch.eye(4, dtype=torch.float64)
    return [
        case(
            "the worked example", torch.tensor([[[1.0, 0, 0, 0], [0, 0, 1, 0]]]).double(), eye, eye, eye, eye, 2, True
        ),
        case("three heads", *draw(2, 5, 21, 3, False)),
        case("three heads, causal", *draw(2, 5, 21, 3, True)),
        case("as many heads as words", *draw(2, 7, 14, 7, True)),
        border("one head", *draw(3, 5, 7, 1, False)),
        border("one word", *draw(2, 1, 10, 5, True)),
        case("float32", *draw(2, 3, 10, 5, True, torch.float32)),
        border("heads that do not divide the width, which no cut makes equal", *draw(2, 3, 7, 2, False)),
    ]


def _multi_fused(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, causal: bool = False
) -> Tensor:
    check_split(x, num_heads)
    query, key, value = ((x @ w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for w in (w_q, w_k, w_v))
    context = F.scaled_dot_product_attention(query, key, value, is_causal=causal)
    return context.transpose(1, 2).flatten(2) @ w_o


def _multi_head_by_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, causal: bool = False
) -> Tensor:
    check_split(x, num_heads)
    width, T = x.shape[2] // num_heads, x.shape[1]
    hidden = torch.full((T, T), float("-inf"), dtype=x.dtype).triu(1) if causal else torch.zeros(T, T, dtype=x.dtype)
    out = torch.zeros_like(x)
    for head in range(num_heads):
        part = slice(head * width, (head + 1) * width)
        scores = (x @ w_q[:, part]) @ (x @ w_k[:, part]).mT / width**0.5 + hidden
        out = out + scores.softmax(dim=-1) @ (x @ w_v[:, part]) @ w_o[part]  # concatenation, as a sum
    return out


def _multi_wrongly(
    *, width: str = "head", project: bool = True, mask: str = "lower", heads: str = "split", transposed: bool = False
) -> Callable[..., Tensor]:
    def answer(
        x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, causal: bool = False
    ) -> Tensor:
        check_split(x, num_heads)
        weights = [w.T if transposed else w for w in (w_q, w_k, w_v)]
        query, key, value = (split(x @ w, 1 if heads == "one" else num_heads) for w in weights)
        scale = {"head": query.shape[-1], "model": x.shape[-1], "none": 1}[width]
        scores = query @ key.transpose(-2, -1) / scale**0.5
        T = x.shape[1]
        if causal and mask != "none":
            keep = torch.ones(T, T, dtype=torch.bool)
            keep = keep.triu() if mask == "upper" else keep.tril()
            scores = scores.masked_fill(~keep, 0.0 if mask == "zero" else float("-inf"))
        context = scores.softmax(dim=-1) @ value
        merged = context.reshape(x.shape) if heads == "reshaped" else merge(context)
        return merged @ (w_o.T if transposed else w_o) if project else merged

    return answer


task = Task(
    multi_head_attention,
    points=3,
    difficulty=4,
    minutes=25,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "scaled_by_model_width",
            _multi_wrongly(width="model"),
            "The scores are divided by the root of the whole width D. A head's queries and keys are only D / H wide, "
            "and that is the number of terms in its dot products.",
        ),
        Slip(
            "no_scale",
            _multi_wrongly(width="none"),
            "The scores are not scaled: divide them by the root of a head's width.",
        ),
        Slip(
            "one_head",
            _multi_wrongly(heads="one"),
            "All the width went into a single head. Split queries, keys and values into num_heads heads first.",
        ),
        Slip(
            "no_output_projection",
            _multi_wrongly(project=False),
            "The heads lie side by side and are not mixed yet: multiply by w_o.",
        ),
        Slip(
            "mask_forgotten",
            _multi_wrongly(mask="none"),
            "With causal=True the words still see the future. Fill minus infinity above the diagonal before the "
            "softmax.",
        ),
        Slip(
            "zeros_before",
            _multi_wrongly(mask="zero"),
            "The scores of the future were set to 0, and e to the power of 0 is 1. Use minus infinity.",
        ),
        Slip(
            "past_hidden",
            _multi_wrongly(mask="upper"),
            "The past is hidden and the future is seen: the wrong triangle. tril keeps the past.",
        ),
        Slip(
            "merged_by_reshape",
            _multi_wrongly(heads="reshaped"),
            "The heads were merged by reshape alone, which mixes words. Exchange heads and words first, as in "
            "merge_heads.",
        ),
        Slip(
            "transposed_weights",
            _multi_wrongly(transposed=True),
            "The weight matrices are used turned round. Here a projection is x @ w (torch's Linear stores the "
            "transpose).",
        ),
    ),
    alternatives=(_multi_fused, _multi_head_by_head),
    hints=(
        "You have written all its parts: three projections, split, scaled attention, merge, one more projection.",
        "split_heads gives (B, H, T, K), and everything until merge_heads works on the last two axes. How wide is a "
        "head?",
        "query, key, value = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v)); scores / root of their width; "
        "minus infinity where not torch.ones(T, T).tril(); then merge_heads(weights @ value) @ w_o.",
    ),
)
