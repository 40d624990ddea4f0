"""Exercise `dot_attention`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.layers.rnn_attention import attention_pooling
from lmcourse.tasks.ch04.shared import generator_of, mask


def dot_attention(query, keys, attention_mask):
    """Return what a query finds among the states of the encoder, and where.

    Args:
        query: the decoder's states, (B, D).
        keys: the encoder's states, (B, S, D).
        attention_mask: bool (B, S), True = takes part.

    Returns:
        context (B, D) and weights (B, S). Where nothing is kept, both are zeros.

    >>> states = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    >>> context, weights = dot_attention(torch.tensor([[1.0, 0.0]]), states, torch.tensor([[True, True, False]]))
    >>> [round(number, 2) for number in context[0].tolist()]
    [0.73, 0.27]
    """
    scores = (query[:, None] * keys).sum(-1)  # (B, S)
    filled = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    weights = filled.softmax(-1) * attention_mask
    context = (weights[:, :, None] * keys).sum(1)  # (B, D)
    return context, weights


def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)

    worked = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    return [
        case("the worked example", torch.tensor([[1.0, 0.0]]), worked, torch.tensor([[True, True, False]])),
        case("3 sentences of 5 states, 7 wide", draw(3, 7), draw(3, 5, 7), mask(3, 5, [5, 4, 2])),
        case("as many sentences as states", draw(5, 5), draw(5, 5, 5), mask(5, 5, [5, 3, 1, 2, 4])),
        case(
            "float64",
            draw(2, 3, dtype=torch.float64),
            draw(2, 11, 3, dtype=torch.float64),
            mask(2, 11, [7, 11]),
        ),
        border("one state", draw(2, 5), draw(2, 1, 5), torch.ones(2, 1, dtype=torch.bool)),
        border("a sentence that is fully masked", draw(2, 3), draw(2, 7, 3), mask(2, 7, [0, 5])),
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


task = Task(
    dot_attention,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
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
        "scores = (query[:, None] * keys).sum(-1); weights = source_weights(scores, attention_mask); "
        "context = (weights[:, "
        ":, None] * keys).sum(1); return context, weights",
    ),
)
