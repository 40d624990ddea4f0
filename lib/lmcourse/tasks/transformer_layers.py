"""Tasks of chapter 06, third part: the decoder's mask, the look at the source, a whole encoder layer."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.transformer import CHAPTER, CLOSE, double, draw

# ------------------------------------------------------------------------------------------------ decoder_attention_mask


def _keep(ids: Tensor, pad_id: int = 0) -> Tensor:
    T = ids.shape[1]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return causal & (ids != pad_id)[:, None, None, :]


def _keep_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def batch(B: int, T: int, pad: int = 0) -> Tensor:
        ids = torch.from_numpy(rng.integers(1, 9, size=(B, T)))
        for row in range(1, B):
            ids[row, T - int(rng.integers(1, T)) :] = pad
        return ids

    return [
        case("the worked example", torch.tensor([[5, 6, 0]])),
        case("three sentences", batch(3, 7)),
        case("as many sentences as places", batch(5, 5)),
        case("another id for padding, and zero is a word", torch.tensor([[3, 0, 4, 9, 9], [0, 7, 2, 1, 9]]), 9),
        case("no padding at all", torch.from_numpy(rng.integers(1, 9, size=(2, 3)))),
        case("one token", torch.tensor([[4], [7]])),
        case("padding first, so the first row is empty", torch.tensor([[0, 0, 3, 8]])),
    ]


def _keep_in_loops(ids: Tensor, pad_id: int = 0) -> Tensor:
    B, T = ids.shape
    keep = torch.zeros(B, 1, T, T, dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                keep[b, 0, t, s] = bool(ids[b, s] != pad_id)
    return keep


def _keep_by_numbers(ids: Tensor, pad_id: int = 0) -> Tensor:
    places = torch.arange(ids.size(1))
    hidden = (places[None, :] > places[:, None])[None, None] | ids.eq(pad_id)[:, None, None]
    return hidden.logical_not()


decoder_attention_mask = Task(
    name="decoder_attention_mask",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_keep_cases,
    reference=_keep,
    slips=(
        Slip(
            "polarity",
            lambda ids, pad_id=0: ~_keep(ids, pad_id),
            "Everything is the other way round: here True means hidden. In this course True means: takes part.",
        ),
        Slip(
            "causal_only",
            lambda ids, pad_id=0: torch.ones(len(ids), 1, ids.shape[1], ids.shape[1], dtype=torch.bool).tril(),
            "The future is hidden, but padding is not: it would get weight like a word. Join both masks with &.",
        ),
        Slip(
            "padding_only",
            lambda ids, pad_id=0: (ids != pad_id)[:, None, None, :].expand(-1, 1, ids.shape[1], -1).clone(),
            "Padding is hidden, but the future is not: the decoder reads the answer it has to give. Join it with a "
            "lower triangle.",
        ),
        Slip(
            "strict",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril(-1) & (ids != pad_id)[:, None, None, :]
            ),
            "A token may not look at itself here, so the first one has nothing to look at. The diagonal takes part.",
        ),
        Slip(
            "upper",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu() & (ids != pad_id)[:, None, None, :]
            ),
            "This is the upper triangle: each token sees the future and not the past. Rows are queries, columns keys: "
            "keep column s in row t if s <= t.",
        ),
        Slip(
            "rows",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril() & (ids != pad_id)[:, None, :, None]
            ),
            "Padding hides rows here, what padding itself would look at. It must hide columns: nobody looks at it, "
            "(ids != pad_id)[:, None, None, :].",
        ),
        Slip(
            "either",
            lambda ids, pad_id=0: (
                torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril() | (ids != pad_id)[:, None, None, :]
            ),
            "The two masks were joined with |: enough that one of them allows it. Both must: use &.",
        ),
        Slip(
            "no_head_dimension",
            lambda ids, pad_id=0: _keep(ids, pad_id)[:, 0],
            "The shape is (B, T, T). For (B, H, T, S) scores a mask needs a dimension for the heads, of size 1: "
            "(B, 1, T, T).",
        ),
        Slip(
            "pad_is_zero",
            lambda ids, pad_id=0: _keep(ids, 0),
            "0 is taken for padding whatever `pad_id` says. Compare with pad_id.",
        ),
    ),
    alternatives=(_keep_in_loops, _keep_by_numbers),
    hints=(
        "Two conditions: the key is not padding, and it is not in the query's future.",
        "A lower triangle (T, T) for the future, (ids != pad_id) for padding; the second must vary along the columns.",
        "return torch.ones(T, T, dtype=torch.bool).tril() & (ids != pad_id)[:, None, None, :]",
    ),
)


# -------------------------------------------------------------------------------------------------- cross_attention


def _cross(x: Tensor, memory: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, keep: Tensor | None = None) -> Tensor:
    scores = (x @ wq) @ (memory @ wk).transpose(-2, -1) / math.sqrt(wq.shape[1])  # (B, T, S)
    if keep is not None:
        scores = scores.masked_fill(~keep[:, None, :], -torch.inf)
    return scores.softmax(dim=-1) @ (memory @ wv)


def _cross_cases(seed: int) -> list[Case]:
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
        case("one source token, which gets everything", draw(rng, 2, 3, 5), draw(rng, 2, 1, 5), *weights(5, 2, 3)),
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


cross_attention = Task(
    name="cross_attention",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_cross_cases,
    reference=_cross,
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


# ---------------------------------------------------------------------------------------------------- encoder_block

Weights = dict[str, Tensor]


def _layer(x: Tensor, weights: Weights, num_heads: int) -> Tensor:
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[name]).view(B, T, num_heads, -1).transpose(1, 2) for name in ("q", "k", "v"))
    mixed = (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).softmax(dim=-1) @ v  # (B, H, T, K)
    x = x + mixed.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]


def _layer_cases(seed: int) -> list[Case]:
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
        case("one head", draw(rng, 2, 3, 5), weights(5, 13), 1),
        case("as many heads as tokens", draw(rng, 1, 2, 10), weights(10, 7), 2),
        case("one token, which attends to itself alone", draw(rng, 3, 1, 4), weights(4, 7), 2),
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


encoder_block = Task(
    name="encoder_block",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=35,
    cases=_layer_cases,
    reference=_layer,
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
