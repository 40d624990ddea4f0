"""Exercise `grouped_attention`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch08.shared import drawer


def grouped_attention(query, key, value):
    """Return causal attention in which groups of neighbouring heads share keys and values.

    Large scores must not overflow.

    Args:
        query: (B, H, T, K).
        key, value: (B, G, T, K).

    Returns:
        (B, H, T, K). The gradient must flow through it.

    Raises:
        ValueError: G does not divide H.

    >>> ones = torch.ones(1, 2, 2, 1)
    >>> grouped_attention(0 * ones, ones[:, :1], torch.tensor([4.0, 8.0]).view(1, 1, 2, 1)).flatten().tolist()
    [4.0, 6.0, 4.0, 6.0]
    """
    H, G, T = query.shape[1], key.shape[1], query.shape[2]
    if H % G:
        raise ValueError(f"the key/value heads must divide the query heads, got {G} and {H}.")
    key, value = (part.repeat_interleave(H // G, dim=1) for part in (key, value))
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    return scores.masked_fill(future, float("-inf")).softmax(dim=-1) @ value


GRADIENTS = Compare(rtol=1e-5, atol=1e-6, gradient=True)  # in float32 a sum near 0 has an error of that size


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def drawn(B: int, H: int, G: int, T: int, K: int, grad: bool = False) -> tuple[Tensor, ...]:
        return draw(B, H, T, K, grad=grad), draw(B, G, T, K, grad=grad), draw(B, G, T, K, grad=grad)

    ones = torch.ones(1, 2, 2, 1, dtype=torch.float64)
    worked = (0 * ones, ones[:, :1], torch.tensor([4.0, 8.0], dtype=torch.float64).view(1, 1, 2, 1))
    single = drawer(seed, torch.float32)
    return [
        case("the worked example", *worked),
        case("six heads in two groups", *drawn(2, 6, 2, 5, 3)),
        case("four heads in two groups", *drawn(3, 4, 2, 7, 5)),
        case("the gradients", *drawn(1, 6, 3, 5, 2, grad=True)),
        border("one key/value head for all", *drawn(2, 3, 1, 5, 7)),
        case("as many as queries: ordinary attention", *drawn(2, 3, 3, 5, 7)),
        border("one token", *drawn(2, 4, 2, 1, 3)),
        case("float32", single(2, 4, 5, 3), single(2, 2, 5, 3), single(2, 2, 5, 3)),
        border("two heads that no group of three divides: none fits", *drawn(1, 2, 3, 5, 3)),
        border(
            "scores of different magnitudes",
            torch.tensor([[1e-30], [1.0], [1e4], [1e2]]).double()[:, :, None] * draw(2, 4, 5, 3),
            draw(2, 2, 5, 3),
            draw(2, 2, 5, 3),
        ),
        case(
            "heads of two groups, told by their values",
            torch.zeros(1, 4, 2, 1),
            torch.zeros(1, 2, 2, 1),
            torch.tensor([[[1.0], [2.0]], [[30.0], [50.0]]])[None],
        ),
        border("one query head", *drawn(2, 1, 1, 3, 5)),
        border("heads of width one", *drawn(1, 4, 2, 5, 1)),
        border("tensors whose parts do not lie in a row", *(part.mT.contiguous().mT for part in drawn(2, 4, 2, 5, 3))),
        border("two key/value heads for three queries: they do not divide", *drawn(1, 3, 2, 5, 3)),
        border("four key/value heads for two queries: they do not divide", *drawn(1, 2, 4, 5, 3)),
        border(
            "a future with a far larger score than the past",
            torch.tensor([1e5, 1.0]).double().view(1, 1, 2, 1),
            torch.tensor([-1.0, 1.0]).double().view(1, 1, 2, 1),
            torch.tensor([3.0, 7.0]).double().view(1, 1, 2, 1),
        ),
        border(
            "a head with scores near 10,000 beside one near -10,000",
            torch.tensor([1e4, 1e4, -1e4, -1e4]).double().view(1, 2, 2, 1),
            torch.tensor([1.0, 0.9999]).double().view(1, 1, 2, 1),
            torch.tensor([3.0, 7.0]).double().view(1, 1, 2, 1),
        ),
    ]


def _grouped_by_view(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    (B, H, T, K), G = query.shape, key.shape[1]
    if H // G * G != H:
        raise ValueError("heads do not divide")
    asked = query.reshape(B, G, H // G, T, K)
    scores = torch.einsum("bgntk,bgsk->bgnts", asked, key) * K**-0.5
    lower = torch.arange(T)[:, None] >= torch.arange(T)
    weights = torch.where(lower, scores, torch.tensor(-torch.inf, dtype=scores.dtype)).softmax(-1)
    return torch.einsum("bgnts,bgsk->bgntk", weights, value).reshape(B, H, T, K)


def _grouped_by_heads(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    H, G = query.shape[1], key.shape[1]
    if H % G != 0:
        raise ValueError("not a whole number of heads a group")
    heads = []
    for h in range(H):
        g = h * G // H
        heads.append(F.scaled_dot_product_attention(query[:, h], key[:, g], value[:, g], is_causal=True))
    return torch.stack(heads, dim=1)


task = Task(
    grouped_attention,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=GRADIENTS,
    slips=(
        Slip(
            "tiled",
            ("part.repeat_interleave(H // G, dim=1)", "part.repeat(1, H // G, 1, 1)"),
            "The key/value heads were laid side by side in turn (repeat), so that neighbouring heads got different "
            "ones. Heads of one group are neighbours: use repeat_interleave.",
        ),
        Slip(
            "first_group",
            ("part.repeat_interleave(H // G, dim=1)", "part[:, :1].expand(-1, H, -1, -1)"),
            "All heads read the first key/value head. Head h belongs to group h // (H // G).",
        ),
        Slip(
            "averaged",
            ("part.repeat_interleave(H // G, dim=1)", "part.mean(1, keepdim=True).expand(-1, H, -1, -1)"),
            "The key/value heads were averaged. Each group of queries has one of its own, as it is.",
        ),
        Slip(
            "not_scaled",
            (" / query.shape[-1] ** 0.5", ""),
            "The scores were not divided by the root of the head's width.",
        ),
        Slip(
            "no_mask",
            ('.masked_fill(future, float("-inf"))', ""),
            "Every token sees the whole text, the future too. In a decoder, token t sees the tokens up to t.",
        ),
        Slip(
            "cut",
            (
                ("if H % G", "if False"),
                ("part.repeat_interleave(H // G, dim=1)", "part.repeat_interleave(-(-H // G), dim=1)[:, :H]"),
            ),
            "When the key/value heads do not divide the query heads, some were dropped without a word. Raise "
            "ValueError.",
        ),
        Slip(
            "unchecked",
            ("if H % G", "if False"),
            "Where G does not divide H, torch stopped with an error of its own. Check H % G first and raise "
            "ValueError.",
        ),
        Slip(
            "only_too_many",
            ("if H % G", "if H < G"),
            "Only more key/value heads than query heads were refused. Two of them do not divide three query heads "
            "either: check H % G.",
        ),
        Slip(
            "itself_hidden",
            ("triu(1)", "triu(0)"),
            "The mask hides the token itself, so that the first one sees nothing, and its softmax is not a number. "
            "Token t sees the tokens up to and with t: triu(1).",
        ),
        Slip(
            "mask_turned",
            ("triu(1)", "tril(-1)"),
            "The mask is the wrong way round: a token sees the later ones. Hide the entries above the diagonal: "
            "triu(1).",
        ),
        Slip(
            "zeros_as_scores",
            ('float("-inf")', "0.0"),
            "The scores of the future were set to 0, and exp(0) is 1: it is still seen. Set them to minus infinity.",
        ),
        Slip(
            "masked_after",
            ('.masked_fill(future, float("-inf")).softmax(dim=-1)', ".softmax(dim=-1).masked_fill(future, 0.0)"),
            "The future was taken out after the softmax, so that the weights no longer sum to 1. Mask the scores "
            "before it.",
        ),
        Slip(
            "over_queries",
            ("softmax(dim=-1)", "softmax(dim=-2)"),
            "The softmax runs over the queries. It must run over the keys, the last axis of the scores.",
        ),
        Slip(
            "scaled_by_width",
            ("** 0.5", "** 1.0"),
            "The scores were divided by the head's width. Divide by its square root.",
        ),
        Slip(
            "overflow",
            (
                'return scores.masked_fill(future, float("-inf")).softmax(dim=-1) @ value',
                'weights = scores.masked_fill(future, float("-inf")).exp()\n'
                "    return weights / weights.sum(-1, keepdim=True) @ value",
            ),
            "exp of a large score is infinite, and infinity divided by infinity is not a number. softmax subtracts the "
            "maximum first.",
        ),
        Slip(
            "lowered_future",
            ('masked_fill(future, float("-inf"))', "masked_fill(future, -1000.0)"),
            "The scores of the future were set to -1000, which is not low enough where those of the past are lower "
            "still. Set them to minus infinity.",
        ),
        Slip(
            "subtracted",
            ('scores.masked_fill(future, float("-inf"))', "(scores - 1e4 * future)"),
            "10,000 was taken off the scores of the future, so that a larger one is still seen. Set them to minus "
            "infinity.",
        ),
    ),
    alternatives=(_grouped_by_view, _grouped_by_heads),
    hints=(
        "Make it ordinary attention first: how often must each key/value head be repeated, and in which order?",
        "key.repeat_interleave(H // G, dim=1) puts the copies of one head next to each other. The rest is attention "
        "with a causal mask.",
        "After the check: key, value = (x.repeat_interleave(H // G, dim=1) for x in (key, value)); then scores, mask "
        "the upper triangle with -inf, softmax, times value.",
    ),
)
