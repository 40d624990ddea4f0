"""Tasks of chapter 04, second part: attention and what it looks at."""

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.layers.rnn_attention import attention_pooling
from lmcourse.tasks.seq2seq import CHAPTER, generator_of

# ------------------------------------------------------------------------------------------------- source_weights


def _check_scores(scores: Tensor, attention_mask: Tensor) -> None:
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("`attention_mask` must be bool and of the shape of `scores`.")


def _source_weights(scores: Tensor, attention_mask: Tensor) -> Tensor:
    _check_scores(scores, attention_mask)
    return attention_pooling(scores, torch.zeros(*scores.shape, 1, dtype=scores.dtype), attention_mask)[1]


def _mask(B: int, S: int, lengths: Sequence[int]) -> Tensor:
    return torch.arange(S) < torch.tensor(lengths)[:B, None]


def _weights_cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, S: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return (2 * torch.randn(B, S, generator=generator, dtype=torch.float64)).to(dtype).requires_grad_()

    holes = torch.rand(5, 7, generator=generator) < 0.6
    holes[:, 3] = True
    return [
        case("the worked example", torch.tensor([[0.2, 0.1, 0.1, 1.0, 3.0]]), torch.tensor([[True] * 4 + [False]])),
        case("nothing masked", draw(3, 5), torch.ones(3, 5, dtype=torch.bool)),
        case("sources of 7, 4 and 1 tokens", draw(3, 7), _mask(3, 7, [7, 4, 1])),
        case("a mask with holes", draw(5, 7), holes),
        case("float64", draw(2, 11, torch.float64), _mask(2, 11, [11, 3])),
        case("scores that overflow exp", draw(2, 5).detach() * 100 + 200, _mask(2, 5, [5, 2])),
        case("a row that is fully masked", draw(3, 5), _mask(3, 5, [5, 0, 2])),
        case("one token", draw(1, 1), torch.ones(1, 1, dtype=torch.bool)),
        case("a mask of floats, which is no mask", draw(2, 3), torch.ones(2, 3)),
    ]


def _weights_wrong(scores: Tensor, attention_mask: Tensor, *, how: str) -> Tensor:
    if how == "unchecked":
        attention_mask = attention_mask.bool()
    _check_scores(scores, attention_mask)
    filled = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    if how == "zeroed_before":
        return (scores * attention_mask).softmax(-1)
    if how == "zeroed_after":
        return scores.softmax(-1) * attention_mask
    if how == "over_the_batch":
        return torch.nan_to_num(filled.softmax(0)) * attention_mask
    if how == "reversed":
        return scores.masked_fill(attention_mask, torch.finfo(scores.dtype).min).softmax(-1) * ~attention_mask
    if how == "nan":
        return scores.masked_fill(~attention_mask, -torch.inf).softmax(-1)
    if how == "overflows":
        exp = scores.exp() * attention_mask
        return exp / exp.sum(-1, keepdim=True).clamp(min=1e-30)
    if how == "uniform":
        return filled.softmax(-1)
    return attention_pooling(scores, torch.zeros(*scores.shape, 1, dtype=scores.dtype), attention_mask)[
        1
    ]  # "unchecked"


def _weights_by_rows(scores: Tensor, attention_mask: Tensor) -> Tensor:
    if attention_mask.dtype is not torch.bool or tuple(attention_mask.shape) != tuple(scores.shape):
        raise ValueError("mask")
    rows = []
    for row, keep in zip(scores, attention_mask, strict=True):
        out = torch.zeros_like(row)
        if keep.any():
            out = out.masked_scatter(keep, torch.softmax(row[keep], dim=0))
        rows.append(out)
    return torch.stack(rows)


def _weights_by_exp(scores: Tensor, attention_mask: Tensor) -> Tensor:
    if attention_mask.dtype != torch.bool or attention_mask.size() != scores.size():
        raise ValueError("mask")
    low = torch.finfo(scores.dtype).min
    largest = torch.where(attention_mask, scores, low).max(dim=1, keepdim=True).values.clamp(min=low / 2).detach()
    exp = torch.where(attention_mask, scores - largest, -torch.inf).exp()
    return exp / exp.sum(dim=1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny)


source_weights = Task(
    name="source_weights",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=20,
    cases=_weights_cases,
    reference=_source_weights,
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True),
    slips=(
        Slip(
            "zeroed_before_softmax",
            partial(_weights_wrong, how="zeroed_before"),
            "Masked scores were set to 0. exp(0) is 1, so padding still gets weight. Set them to minus infinity (or "
            "the smallest number there is).",
        ),
        Slip(
            "zeroed_after_softmax",
            partial(_weights_wrong, how="zeroed_after"),
            "The padding was zeroed after the softmax, so the weights that are left sum to less than 1. Mask the "
            "scores before the softmax.",
        ),
        Slip(
            "over_the_batch",
            partial(_weights_wrong, how="over_the_batch"),
            "This is the softmax over the batch: columns sum to 1. The weights of one sentence must sum to 1: dim=-1.",
        ),
        Slip(
            "mask_reversed",
            partial(_weights_wrong, how="reversed"),
            "The mask was read the wrong way round: padding got all the weight. True means that a token takes part.",
        ),
        Slip(
            "nan_where_all_is_masked",
            partial(_weights_wrong, how="nan"),
            "In a row with nothing to look at this gives NaN: the softmax of minus infinities is 0 / 0. Such a row "
            "must be all zeros, and so must its gradient.",
        ),
        Slip(
            "uniform_where_all_is_masked",
            partial(_weights_wrong, how="uniform"),
            "In a row with nothing to look at the weights came out equal, so padding is averaged. Multiply with the "
            "mask after the softmax, too: such a row must be all zeros.",
        ),
        Slip(
            "exp_overflows",
            partial(_weights_wrong, how="overflows"),
            "exp of a large score is infinite, and infinity / infinity is NaN. Subtract the largest score first, or "
            "use softmax, which does it for you.",
        ),
        Slip(
            "unchecked",
            partial(_weights_wrong, how="unchecked"),
            "The weights are right, but a mask of floats was taken for one of bools. 1.0 and 0.0 could as well be "
            "meant to be added: raise ValueError when the mask is not bool or has another shape.",
        ),
    ),
    alternatives=(_weights_by_rows, _weights_by_exp),
    hints=(
        "What must a masked score be, so that exp of it is 0? And what happens when every score of a row is that?",
        "Fill the masked scores with torch.finfo(scores.dtype).min, take the softmax over the last dimension, and then "
        "multiply with the mask: that changes nothing but the rows that are fully masked.",
        "filled = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min); return filled.softmax(-1) * "
        "attention_mask, after a check of dtype and shape.",
    ),
)

# -------------------------------------------------------------------------------------------------- dot_attention


def _dot_attention(query: Tensor, keys: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
    return attention_pooling(torch.einsum("bd,bsd->bs", query, keys), keys, attention_mask)


def _dot_cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)

    worked = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    return [
        case("the worked example", torch.tensor([[1.0, 0.0]]), worked, torch.tensor([[True, True, False]])),
        case("3 sentences of 5 states, 7 wide", draw(3, 7), draw(3, 5, 7), _mask(3, 5, [5, 4, 2])),
        case("as many sentences as states", draw(5, 5), draw(5, 5, 5), _mask(5, 5, [5, 3, 1, 2, 4])),
        case(
            "float64",
            draw(2, 3, dtype=torch.float64),
            draw(2, 11, 3, dtype=torch.float64),
            _mask(2, 11, [7, 11]),
        ),
        case("one state", draw(2, 5), draw(2, 1, 5), torch.ones(2, 1, dtype=torch.bool)),
        case("a sentence that is fully masked", draw(2, 3), draw(2, 7, 3), _mask(2, 7, [0, 5])),
    ]


def _dot_wrong(query: Tensor, keys: Tensor, attention_mask: Tensor, *, how: str) -> tuple[Tensor, Tensor]:
    scores = (keys @ query[:, :, None]).squeeze(-1)  # (B, S)
    if how == "scaled":
        return attention_pooling(scores / query.shape[-1] ** 0.5, keys, attention_mask)
    if how == "cosine":
        return attention_pooling(torch.cosine_similarity(query[:, None], keys, dim=-1), keys, attention_mask)
    if how == "unmasked":
        return attention_pooling(scores, keys)
    context, weights = attention_pooling(scores, keys, attention_mask)
    if how == "scores_returned":
        return context, scores
    if how == "best_only":
        hard = torch.zeros_like(weights).scatter(-1, weights.argmax(-1, keepdim=True), 1.0) * attention_mask
        return (hard[:, None] @ keys)[:, 0], hard
    if how == "sum":
        return (keys * attention_mask[:, :, None]).sum(1), weights
    if how == "mean":
        return context / attention_mask.sum(-1, keepdim=True).clamp(min=1), weights
    return (weights[:, None] @ (keys * query[:, None]))[:, 0], weights  # "query_in_the_average"


def _dot_by_sums(query: Tensor, keys: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
    scores = (query[:, None, :] * keys).sum(-1)
    weights = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min).softmax(-1) * attention_mask
    return (weights[..., None] * keys).sum(1), weights


def _dot_by_rows(query: Tensor, keys: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
    contexts, rows = [], []
    for q, h, keep in zip(query, keys, attention_mask, strict=True):
        row = h.new_zeros(len(h))
        if bool(keep.any()):
            row[keep] = (h[keep] @ q).softmax(0)
        rows.append(row)
        contexts.append(row @ h)
    return torch.stack(contexts), torch.stack(rows)


dot_attention = Task(
    name="dot_attention",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_dot_cases,
    reference=_dot_attention,
    compare=Compare(rtol=1e-4, atol=1e-6),
    slips=(
        Slip(
            "scaled",
            partial(_dot_wrong, how="scaled"),
            "The scores were divided by the root of the width. That is the transformer's form (chapter 05); here it is "
            "the plain dot product of Luong et al.",
        ),
        Slip(
            "cosine",
            partial(_dot_wrong, how="cosine"),
            "This is the cosine: the lengths of query and state were divided away. The dot product keeps them, and so "
            "can say how sure it is.",
        ),
        Slip(
            "unmasked",
            partial(_dot_wrong, how="unmasked"),
            "The padding got weight: `attention_mask` was not used.",
        ),
        Slip(
            "scores_returned",
            partial(_dot_wrong, how="scores_returned"),
            "The context is right, but what is returned beside it are the scores before the softmax. Return the "
            "weights.",
        ),
        Slip(
            "best_only",
            partial(_dot_wrong, how="best_only"),
            "Only the best state was taken: an arg max, which has no gradient. Take the average of all with the "
            "softmax's weights.",
        ),
        Slip(
            "sum_without_weights",
            partial(_dot_wrong, how="sum"),
            "The context is the plain sum of the states: the weights were computed and not used.",
        ),
        Slip(
            "divided_again",
            partial(_dot_wrong, how="mean"),
            "The weighted sum was divided by the number of states once more. The weights sum to 1 already, so it is an "
            "average as it stands.",
        ),
        Slip(
            "query_in_the_average",
            partial(_dot_wrong, how="query_in_the_average"),
            "The states were multiplied with the query before they were averaged. The query only makes the scores; "
            "what is averaged are the states themselves.",
        ),
    ),
    alternatives=(_dot_by_sums, _dot_by_rows),
    hints=(
        "Three steps: a score for each state, weights that sum to 1, an average. Which shape has each of them?",
        "Scores (B, S): (query[:, None] * keys).sum(-1). Weights: as in source_weights. Context (B, D): the states "
        "times their weights, summed over S.",
        "scores = (query[:, None] * keys).sum(-1); weights = source_weights(scores, attention_mask); context = (weights[:, "
        ":, None] * keys).sum(1); return context, weights",
    ),
)

# ------------------------------------------------------------------------------------------------ additive_scores


def _additive_scores(query: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor) -> Tensor:
    return ((query @ W.T)[:, None] + keys @ U.T).tanh() @ v


def _additive_cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, S: int, Dq: int, Dk: int, A: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
        shapes = [(B, Dq), (B, S, Dk), (A, Dq), (A, Dk), (A,)]
        return [torch.randn(*s, generator=generator, dtype=torch.float64).to(dtype).requires_grad_() for s in shapes]

    worked = [torch.tensor(x) for x in ([[1.0]], [[[0.0], [2.0]]], [[1.0], [-1.0]], [[0.0], [1.0]], [2.0, 1.0])]
    return [
        case("the worked example", *worked),
        case("3 sentences of 5 states; widths 7, 11 and 13", *draw(3, 5, 7, 11, 13)),
        case("all widths equal", *draw(5, 5, 5, 5, 5)),
        case("float64", *draw(2, 3, 5, 7, 11, torch.float64)),
        case("one state of width 1", *draw(1, 1, 1, 1, 1)),
    ]


def _additive_wrong(query: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor, *, how: str) -> Tensor:
    q, k = (query @ W.T)[:, None], keys @ U.T
    if how == "no_tanh":
        return (q + k) @ v
    if how == "tanh_apart":
        return (q.tanh() + k.tanh()) @ v
    if how == "multiplied":
        return (q * k).tanh() @ v
    if how == "no_v":
        return (q + k).tanh().sum(-1)
    if how == "tanh_last":
        return ((q + k) @ v).tanh()
    if how == "softmaxed":
        return ((q + k).tanh() @ v).softmax(-1)
    return (q + k).sigmoid() @ v  # "sigmoid"


def _additive_by_einsum(query: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor) -> Tensor:
    hidden = torch.einsum("aq,bq->ba", W, query).unsqueeze(1) + torch.einsum("ak,bsk->bsa", U, keys)
    return torch.einsum("a,bsa->bs", v, torch.tanh(hidden))


def _additive_by_joining(query: Tensor, keys: Tensor, W: Tensor, U: Tensor, v: Tensor) -> Tensor:
    both = torch.cat([query[:, None].expand(-1, keys.shape[1], -1), keys], dim=-1)  # (B, S, Dq + Dk)
    return (torch.tanh(both @ torch.cat([W, U], dim=1).T) * v).sum(-1)


additive_scores = Task(
    name="additive_scores",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_additive_cases,
    reference=_additive_scores,
    compare=Compare(rtol=1e-4, atol=1e-5, gradient=True),  # float32: sums of many terms that cancel
    slips=(
        Slip(
            "no_tanh",
            partial(_additive_wrong, how="no_tanh"),
            "The tanh is missing. Without it the score is a sum of a part for the query and a part for the state, and "
            "the query's part is the same for every state: the softmax would not see the query at all.",
        ),
        Slip(
            "tanh_apart",
            partial(_additive_wrong, how="tanh_apart"),
            "The tanh was taken of the two parts apart. Add first: then the query moves every state's place on the "
            "tanh. Apart, its part is the same for every state and drops out of the softmax.",
        ),
        Slip(
            "multiplied",
            partial(_additive_wrong, how="multiplied"),
            "The two projections were multiplied. Bahdanau's score adds them; that is where its name comes from.",
        ),
        Slip(
            "no_v",
            partial(_additive_wrong, how="no_v"),
            "The hidden numbers were summed as they are. Weight them by `v`: the score is v . tanh(W q + U h).",
        ),
        Slip(
            "tanh_last",
            partial(_additive_wrong, how="tanh_last"),
            "The tanh was taken of the score, at the end. It belongs on the hidden layer, before `v`.",
        ),
        Slip(
            "softmax_taken",
            partial(_additive_wrong, how="softmaxed"),
            "These are the weights. The task asks for the scores; the softmax comes after them.",
        ),
        Slip(
            "sigmoid",
            partial(_additive_wrong, how="sigmoid"),
            "A sigmoid stands where the tanh should be.",
        ),
    ),
    alternatives=(_additive_by_einsum, _additive_by_joining),
    hints=(
        "W q is one vector a sentence, U h_j one a state. Which dimension must the first one get, so that they add?",
        "query @ W.T has shape (B, A); [:, None] makes it (B, 1, A). keys @ U.T has shape (B, S, A). Add, tanh, and "
        "then `@ v` leaves (B, S).",
        "return torch.tanh((query @ W.T)[:, None] + keys @ U.T) @ v",
    ),
)

# ------------------------------------------------------------------------------------------------ alignment_share

Gold = Sequence[Sequence[int] | None]


def _alignment_share(weights: Tensor, gold: Gold) -> float:
    hits = [best in places for best, places in zip(weights.argmax(-1).tolist(), gold, strict=True) if places]
    if not hits:
        raise ValueError("`gold` must name a source word for at least one target word.")
    return sum(hits) / len(hits)


def _share_cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(T: int, S: int, sharpness: float = 3.0) -> tuple[Tensor, list[list[int] | None]]:
        weights = (sharpness * torch.randn(T, S, generator=generator)).softmax(-1)
        best, other = weights.argmax(-1), torch.randint(S, (T, 2), generator=generator)
        gold: list[list[int] | None] = []
        for t in range(T):
            places = [int(best[t]), int(other[t, 0])] if t % 3 else [(int(best[t]) + 1) % S]
            gold.append(None if t % 5 == 4 else sorted(set(places)))
        return weights, gold

    worked = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.9, 0.1]])
    all_right = torch.eye(5)
    return [
        case("the worked example", worked, [[1], None, [1]]),
        case("13 target words, 11 source words", *draw(13, 11)),
        case("7 target words, 17 source words", *draw(7, 17)),
        case("23 target words, weights that are nearly equal", *draw(23, 19, 0.4)),
        case("all right", all_right, [[0], [1, 2], [2], None, [4]]),
        case("one target word", torch.tensor([[0.3, 0.5, 0.2]]), [[0, 1]]),
        case("words that come from nowhere only", worked, [None, None, None]),
        case("no place named, which counts as nowhere", worked, [[], [0], [1]]),
    ]


def _share_wrong(weights: Tensor, gold: Gold, *, how: str) -> float:
    best = weights.argmax(-1).tolist()
    if not any(gold):
        if how == "zero":
            return 0.0
        raise ValueError("nothing to count")
    known = [(t, list(places)) for t, places in enumerate(gold) if places]
    if how == "links_counted":
        return sum(best[t] in (places or ()) for t, places in enumerate(gold)) / len(gold)
    if how == "links_right":
        return sum(best[t] in (places or (best[t],)) for t, places in enumerate(gold)) / len(gold)
    if how == "first_place":
        return sum(best[t] == places[0] for t, places in known) / len(known)
    if how == "mass":
        return float(sum(weights[t, places].sum() for t, places in known) / len(known))
    if how == "over_targets":
        columns = weights.argmax(0).tolist()
        return sum(any(columns[j] == t for j in places) for t, places in known) / len(known)
    if how == "half":
        return sum(float(weights[t, places].max()) > 0.5 for t, places in known) / len(known)
    return sum(best[t] in places for t, places in known) / len(known)  # "zero"


def _share_by_tensor(weights: Tensor, gold: Gold) -> float:
    known = torch.tensor([bool(places) for places in gold])
    if not known.any():
        raise ValueError("nothing to count")
    right = torch.zeros_like(weights, dtype=torch.bool)
    for t, places in enumerate(gold):
        right[t, list(places or [])] = True
    return right.gather(-1, weights.argmax(-1, keepdim=True))[:, 0][known].double().mean().item()


def _share_by_loop(weights: Tensor, gold: Gold) -> float:
    hits, words = 0, 0
    for row, places in zip(weights, gold, strict=True):
        if places is not None and len(places) > 0:
            words += 1
            hits += int(torch.argmax(row)) in set(places)
    if words == 0:
        raise ValueError("no words")
    return hits / words


alignment_share = Task(
    name="alignment_share",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_share_cases,
    reference=_alignment_share,
    slips=(
        Slip(
            "links_counted_wrong",
            partial(_share_wrong, how="links_counted"),
            "Words that come from nowhere (None), such as und, were counted as wrong. They have no right place: leave "
            "them out.",
        ),
        Slip(
            "links_counted_right",
            partial(_share_wrong, how="links_right"),
            "Words that come from nowhere (None), such as und, were counted as right. They have no right place: leave "
            "them out.",
        ),
        Slip(
            "first_place_only",
            partial(_share_wrong, how="first_place"),
            "Only the first of several right places was accepted. Onze in quatre vingt onze comes from ninety and from "
            "one: either will do.",
        ),
        Slip(
            "weight_on_the_right_place",
            partial(_share_wrong, how="mass"),
            "This is the mean weight on the right places. Asked is how often the largest weight lies on one.",
        ),
        Slip(
            "over_the_targets",
            partial(_share_wrong, how="over_targets"),
            "For each source word the target word with the largest weight was looked up. It is the other way: each "
            "row, a target word, looks along its source words.",
        ),
        Slip(
            "more_than_half",
            partial(_share_wrong, how="half"),
            "A weight counted only when it was above one half. The largest of the row counts, however large it is.",
        ),
        Slip(
            "zero_for_nothing",
            partial(_share_wrong, how="zero"),
            "With no word to count this says 0. A share of nothing is not 0: raise ValueError.",
        ),
    ),
    alternatives=(_share_by_tensor, _share_by_loop),
    hints=(
        "Row t is target word t. Where is its largest weight, and is that one of the places in gold[t]?",
        "best = weights.argmax(-1).tolist(). Keep only the t for which gold[t] names a place, and take the share of "
        "those with best[t] in gold[t].",
        "hits = [best[t] in places for t, places in enumerate(gold) if places]; raise ValueError if hits is empty; "
        "return sum(hits) / len(hits)",
    ),
)
