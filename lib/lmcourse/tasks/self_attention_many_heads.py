"""Tasks of chapter 05, third part: splitting into heads, merging them, and attention with several of them."""

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.self_attention import CHAPTER, CLOSE, normal

# ------------------------------------------------------------------------------------------------------ split_heads


def _check_split(x: Tensor, num_heads: int) -> None:
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={x.shape[-1]}.")


def _split(x: Tensor, num_heads: int) -> Tensor:
    _check_split(x, num_heads)
    B, T, D = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def _split_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.arange(8.0).reshape(1, 2, 4), 2),
        case("three heads of width five", normal(rng, 2, 7, 15), 3),
        case("as many heads as words", normal(rng, 2, 3, 21), 3),
        case("as many heads as sentences", normal(rng, 5, 3, 10), 5),
        case("one head", normal(rng, 2, 3, 5), 1),
        case("heads of width one", normal(rng, 2, 5, 3), 3),
        case("one word", normal(rng, 3, 1, 14), 7),
        case("a number of heads that divides nothing, as no head may be narrower", normal(rng, 2, 3, 7), 3),
        case("zero heads", normal(rng, 2, 3, 7), 0),
    ]


def _split_by_chunks(x: Tensor, num_heads: int) -> Tensor:
    _check_split(x, num_heads)
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def _split_by_slices(x: Tensor, num_heads: int) -> Tensor:
    _check_split(x, num_heads)
    width = x.shape[-1] // num_heads
    heads = [x[:, :, head * width : (head + 1) * width] for head in range(num_heads)]
    return torch.stack(heads).permute(1, 0, 2, 3)


def _split_wrongly(cut: Callable[..., Tensor]) -> Callable[[Tensor, int], Tensor]:
    def answer(x: Tensor, num_heads: int) -> Tensor:
        _check_split(x, num_heads)
        return cut(x, num_heads, *x.shape, x.shape[-1] // num_heads)

    return answer


def _rest_dropped(x: Tensor, num_heads: int) -> Tensor:
    if num_heads < 1:
        raise ValueError("no heads")
    width = x.shape[-1] // num_heads
    return _split(x[..., : width * num_heads], num_heads)


split_heads = Task(
    name="split_heads",
    chapter=CHAPTER,
    points=1,
    difficulty=2,
    minutes=10,
    cases=_split_cases,
    reference=_split,
    slips=(
        Slip(
            "reshaped_only",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, H, T, K)),
            "The shape is right and the numbers are mixed up: reshape reads them in order, so a head got pieces of "
            "several words. First cut the width, (B, T, H, K), then exchange T and H.",
        ),
        Slip(
            "not_transposed",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, H, K)),
            "This is (B, T, H, K): cut, but not turned. The matrix product works on the last two axes, which must be T "
            "and K: exchange T and H.",
        ),
        Slip(
            "interleaved",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, K, H).permute(0, 3, 1, 2)),
            "Each head got every H-th number. Head 0 shall have the first K numbers, head 1 the next K.",
        ),
        Slip(
            "heads_first",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, H, K).permute(2, 0, 1, 3)),
            "The heads stand before the batch, (H, B, T, K). The course keeps the batch first: (B, H, T, K).",
        ),
        Slip(
            "width_before_words",
            _split_wrongly(lambda x, H, B, T, D, K: x.reshape(B, T, H, K).permute(0, 2, 3, 1)),
            "The last two axes are exchanged, (B, H, K, T). A word is a row: T before K.",
        ),
        Slip(
            "rest_dropped",
            _rest_dropped,
            "When the heads do not divide the width, the last numbers were left out without a word. Raise ValueError.",
        ),
    ),
    alternatives=(_split_by_chunks, _split_by_slices),
    hints=(
        "Two steps: cut the last axis in two, (B, T, H, K), then bring H before T.",
        "x.reshape(B, T, H, K) cuts; transpose(1, 2) exchanges. Why is reshape(B, H, T, K) alone not the same?",
        "After the check: B, T, D = x.shape, then return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2).",
    ),
)


# ------------------------------------------------------------------------------------------------------ merge_heads


def _merge(heads: Tensor) -> Tensor:
    B, H, T, K = heads.shape
    return heads.transpose(1, 2).reshape(B, T, H * K)


def _merge_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.arange(8.0).reshape(1, 2, 2, 2)),
        case("three heads of width five", normal(rng, 2, 3, 7, 5)),
        case("as many heads as words", normal(rng, 2, 3, 3, 5)),
        case("heads as wide as they are many", normal(rng, 2, 3, 7, 3)),
        case("one head", normal(rng, 2, 1, 3, 5)),
        case("one word", normal(rng, 2, 5, 1, 3)),
        case("heads that were split a moment before and are not contiguous", normal(rng, 2, 5, 3, 7).transpose(1, 2)),
        case("no words", normal(rng, 2, 3, 0, 5)),
    ]


def _merge_by_cat(heads: Tensor) -> Tensor:
    return torch.cat(list(heads.unbind(dim=1)), dim=-1)


def _merge_by_flatten(heads: Tensor) -> Tensor:
    return heads.permute(0, 2, 1, 3).contiguous().flatten(-2)


merge_heads = Task(
    name="merge_heads",
    chapter=CHAPTER,
    points=1,
    difficulty=2,
    minutes=8,
    cases=_merge_cases,
    reference=_merge,
    slips=(
        Slip(
            "reshaped_only",
            lambda heads: heads.reshape(heads.shape[0], heads.shape[2], -1) if heads.numel() else _merge(heads),
            "The shape is right, but reshape alone reads one head after the other, so a word got numbers of several "
            "words. Exchange heads and words first.",
        ),
        Slip(
            "averaged",
            lambda heads: heads.mean(dim=1),
            "The heads are averaged, and what each of them found is blurred again. Lay them end to end.",
        ),
        Slip(
            "added",
            lambda heads: heads.sum(dim=1),
            "The heads are added up. Lay them end to end; mixing them is the output projection's work.",
        ),
        Slip(
            "interleaved",
            lambda heads: heads.permute(0, 2, 3, 1).flatten(-2),
            "The numbers of the heads alternate. All K numbers of head 0 come first, then those of head 1.",
        ),
        Slip(
            "words_last",
            lambda heads: heads.transpose(2, 3).flatten(1, 2),
            "This is (B, H K, T): the words ended up in the last axis. A word is a row: (B, T, H K).",
        ),
        Slip(
            "heads_reversed",
            lambda heads: _merge(heads.flip(1)),
            "The last head comes first. Whatever order the heads were cut in, lay them down in the same.",
        ),
    ),
    alternatives=(_merge_by_cat, _merge_by_flatten),
    hints=(
        "It is split_heads backwards, step by step in the opposite order.",
        "First exchange heads and words, (B, T, H, K), then join the last two axes.",
        "B, H, T, K = heads.shape; return heads.transpose(1, 2).reshape(B, T, H * K)",
    ),
)


# --------------------------------------------------------------------------------------------- multi_head_attention


def _multi_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, causal: bool = False
) -> Tensor:
    query, key, value = (_split(x @ w, num_heads) for w in (w_q, w_k, w_v))
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if causal:
        keep = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(~keep, float("-inf"))
    return _merge(scores.softmax(dim=-1) @ value) @ w_o


def _multi_cases(seed: int) -> list[Case]:
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
        case("one head", *draw(3, 5, 7, 1, False)),
        case("one word", *draw(2, 1, 10, 5, True)),
        case("float32", *draw(2, 3, 10, 5, True, torch.float32)),
        case("heads that do not divide the width, which no cut makes equal", *draw(2, 3, 7, 2, False)),
    ]


def _multi_fused(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, causal: bool = False
) -> Tensor:
    _check_split(x, num_heads)
    query, key, value = ((x @ w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for w in (w_q, w_k, w_v))
    context = F.scaled_dot_product_attention(query, key, value, is_causal=causal)
    return context.transpose(1, 2).flatten(2) @ w_o


def _multi_head_by_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int, causal: bool = False
) -> Tensor:
    _check_split(x, num_heads)
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
        _check_split(x, num_heads)
        weights = [w.T if transposed else w for w in (w_q, w_k, w_v)]
        query, key, value = (_split(x @ w, 1 if heads == "one" else num_heads) for w in weights)
        scale = {"head": query.shape[-1], "model": x.shape[-1], "none": 1}[width]
        scores = query @ key.transpose(-2, -1) / scale**0.5
        T = x.shape[1]
        if causal and mask != "none":
            keep = torch.ones(T, T, dtype=torch.bool)
            keep = keep.triu() if mask == "upper" else keep.tril()
            scores = scores.masked_fill(~keep, 0.0 if mask == "zero" else float("-inf"))
        context = scores.softmax(dim=-1) @ value
        merged = context.reshape(x.shape) if heads == "reshaped" else _merge(context)
        return merged @ (w_o.T if transposed else w_o) if project else merged

    return answer


multi_head_attention = Task(
    name="multi_head_attention",
    chapter=CHAPTER,
    points=3,
    difficulty=4,
    minutes=25,
    cases=_multi_cases,
    reference=_multi_head,
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
