"""Exercise `source_weights`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.layers.rnn_attention import attention_pooling
from lmcourse.tasks.ch04.shared import generator_of, mask


def source_weights(scores, attention_mask):
    """Return the softmax of the scores over the kept tokens of each source.

    Args:
        scores: a floating-point tensor (B, S).
        attention_mask: a bool tensor (B, S), True = takes part.

    Returns:
        The weights (B, S), of the scores' dtype. A row sums to 1, or is all zeros when nothing is kept.

    Raises:
        ValueError: the mask is not bool, or has another shape than the scores.

    >>> weights = source_weights(torch.tensor([[0.2, 0.1, 0.1, 1.0, 3.0]]), torch.tensor([[True] * 4 + [False]]))
    >>> [round(weight, 2) for weight in weights[0].tolist()]
    [0.2, 0.18, 0.18, 0.44, 0.0]
    """
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError(f"`attention_mask` must be bool of shape {tuple(scores.shape)}, got {attention_mask.dtype}.")
    filled = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    return filled.softmax(-1) * attention_mask  # the product matters only where nothing is kept


def _check_scores(scores: Tensor, attention_mask: Tensor) -> None:
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("`attention_mask` must be bool and of the shape of `scores`.")


def cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, S: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return (2 * torch.randn(B, S, generator=generator, dtype=torch.float64)).to(dtype).requires_grad_()

    holes = torch.rand(5, 7, generator=generator) < 0.6
    holes[:, 3] = True
    return [
        case("the worked example", torch.tensor([[0.2, 0.1, 0.1, 1.0, 3.0]]), torch.tensor([[True] * 4 + [False]])),
        border("nothing masked", draw(3, 5), torch.ones(3, 5, dtype=torch.bool)),
        border("sources of 7, 4 and 1 tokens", draw(3, 7), mask(3, 7, [7, 4, 1])),
        case("a mask with holes", draw(5, 7), holes),
        case("float64", draw(2, 11, torch.float64), mask(2, 11, [11, 3])),
        border("scores that overflow exp", draw(2, 5).detach() * 100 + 200, mask(2, 5, [5, 2])),
        border("a row that is fully masked", draw(3, 5), mask(3, 5, [5, 0, 2])),
        border("one token", draw(1, 1), torch.ones(1, 1, dtype=torch.bool)),
        border("a mask of floats, which is no mask", draw(2, 3), torch.ones(2, 3)),
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


task = Task(
    source_weights,
    points=3,
    difficulty=2,
    minutes=20,
    cases=cases,
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
