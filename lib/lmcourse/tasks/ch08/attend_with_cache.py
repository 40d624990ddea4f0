"""Exercise `attend_with_cache`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch08.shared import drawer


def attend_with_cache(query, key, value, old_keys, old_values):
    """Return what the new token reads, and the cache with it.

    Large scores must not overflow.

    Args:
        query, key, value: of the new token, each (B, H, 1, K).
        old_keys, old_values: of the S tokens before it, each (B, H, S, K); S may be 0.

    Returns:
        The context (B, H, 1, K), the keys (B, H, S + 1, K) and the values (B, H, S + 1, K).

    >>> one = torch.ones(1, 1, 1, 1)
    >>> context, keys, values = attend_with_cache(one, 0 * one, 10 * one, math.log(3) * one, 2 * one)
    >>> round(context.item(), 3), values.flatten().tolist()
    (4.0, [2.0, 10.0])
    """
    keys = torch.cat([old_keys, key], dim=-2)
    values = torch.cat([old_values, value], dim=-2)
    weights = (query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ values, keys, values


Cached = tuple[Tensor, Tensor, Tensor]


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)

    def drawn(B: int, H: int, S: int, K: int) -> tuple[Tensor, ...]:
        return *(draw(B, H, 1, K) for _ in range(3)), draw(B, H, S, K), draw(B, H, S, K)

    def plain(*numbers: float) -> Tensor:
        return torch.tensor(numbers, dtype=torch.float64).view(1, 1, -1, 1)

    single = drawer(seed, torch.float32)
    worked = (plain(1.0), plain(0.0), plain(10.0), plain(1.0986122886681098), plain(2.0))
    return [
        case("the worked example", *worked),
        case("five tokens before it", *drawn(2, 3, 5, 7)),
        case("as many heads as tokens before it", *drawn(2, 3, 3, 5)),
        case("as many texts as heads", *drawn(3, 3, 2, 5)),
        border("nothing in the cache: the first token", *drawn(2, 3, 0, 5)),
        border("one token before it", *drawn(1, 2, 1, 3)),
        border("heads of width one", *drawn(2, 2, 5, 1)),
        case("float32", *(single(2, 3, 1, 5) for _ in range(3)), single(2, 3, 7, 5), single(2, 3, 7, 5)),
        border(
            "scores of different magnitudes",
            torch.tensor([[1e-30], [1.0], [1e4]]).double()[:, :, None] * draw(2, 3, 1, 5),
            *drawn(2, 3, 7, 5)[1:],
        ),
        border("large scores, whose exp overflows", 1e4 * draw(2, 3, 1, 5), *drawn(2, 3, 5, 5)[1:]),
        border("one text, one head", *drawn(1, 1, 3, 5)),
        border("tensors whose parts do not lie in a row", *(part.mT.contiguous().mT for part in drawn(2, 3, 5, 7))),
        border(
            "a head with scores near 10,000 beside one near -10,000",
            torch.tensor([1e4, -1e4]).double().view(1, 2, 1, 1),
            torch.ones(1, 2, 1, 1).double(),
            torch.full((1, 2, 1, 1), 3.0).double(),
            torch.full((1, 2, 1, 1), 0.9999).double(),
            torch.full((1, 2, 1, 1), 7.0).double(),
        ),
    ]


def _cached_by_torch(query: Tensor, key: Tensor, value: Tensor, old_keys: Tensor, old_values: Tensor) -> Cached:
    keys, values = torch.cat((old_keys, key), 2), torch.cat((old_values, value), 2)
    return F.scaled_dot_product_attention(query, keys, values), keys, values


def _cached_by_buffer(query: Tensor, key: Tensor, value: Tensor, old_keys: Tensor, old_values: Tensor) -> Cached:
    B, H, S, K = old_keys.shape
    buffer = key.new_empty(2, B, H, S + 1, K)
    for part, (old, new) in zip(buffer, ((old_keys, key), (old_values, value)), strict=True):
        part[:, :, :S], part[:, :, S:] = old, new
    scores = torch.einsum("bhtk,bhsk->bhts", query, buffer[0]) * K**-0.5
    raised = (scores - scores.amax(-1, keepdim=True)).exp()
    context = torch.einsum("bhts,bhsk->bhtk", raised / raised.sum(-1, keepdim=True), buffer[1])
    return context, buffer[0].clone(), buffer[1].clone()


task = Task(
    attend_with_cache,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-6),
    slips=(
        Slip(
            "not_appended",
            ("values, keys, values", "values, old_keys, old_values"),
            "The output is right, but the old cache was returned: the next token will not see this one. Return the "
            "keys and values with the new ones at their end.",
        ),
        Slip(
            "not_itself",
            (("query @ keys.transpose", "query @ old_keys.transpose"), ("weights @ values", "weights @ old_values")),
            "The new token looked only at those before it. It attends to itself too: append first, then attend.",
        ),
        Slip(
            "only_itself",
            ("weights @ values", "value"),
            "The new token looked only at itself. Its query meets all keys of the cache.",
        ),
        Slip(
            "in_front",
            (("[old_keys, key]", "[key, old_keys]"), ("[old_values, value]", "[value, old_values]")),
            "The new key and value were put before the old ones. The output is the same, since attention knows no "
            "order, but the cache's is lost: new ones go to the end.",
        ),
        Slip(
            "not_scaled",
            (" / query.shape[-1] ** 0.5", ""),
            "The scores were not divided by the root of the head's width.",
        ),
        Slip(
            "causal_top_left",
            ("weights @ values", "values[..., :1, :]"),
            "A causal mask was laid from the top left, so that the one new query saw only the first key. The new token "
            "is the last: it sees everything, and needs no mask.",
        ),
        Slip(
            "keys_as_values",
            ("weights @ values", "weights @ keys"),
            "The weighted mean was taken over the keys. Keys say where to look, values are what is read there.",
        ),
        Slip(
            "scaled_by_width",
            ("** 0.5", "** 1.0"),
            "The scores were divided by the head's width. Divide by its square root.",
        ),
        Slip(
            "over_queries",
            ("softmax(dim=-1)", "softmax(dim=-2)"),
            "The softmax runs over the queries, of which there is only one, so that all weights are 1. It must run "
            "over the keys, the last axis.",
        ),
        Slip(
            "no_softmax",
            (".softmax(dim=-1)", ""),
            "The scores themselves were used as weights. Take their softmax over the keys first.",
        ),
        Slip(
            "plain_mean",
            ("weights @ values", "values.mean(dim=-2, keepdim=True)"),
            "This is the plain mean of all values. Each value counts as much as the softmax of its key's score says.",
        ),
        Slip(
            "values_turned",
            (("[old_values, value]", "[value, old_values]"),),
            "The new value was put before the old ones, but the new key after them, so that keys and values no longer "
            "belong together.",
        ),
        Slip(
            "overflow",
            (
                (").softmax(dim=-1)", ").exp()"),
                ("weights @ values", "weights / weights.sum(-1, keepdim=True) @ values"),
            ),
            "exp of a large score is infinite, and infinity divided by infinity is not a number. softmax subtracts the "
            "maximum first.",
        ),
        Slip(
            "root_of_heads",
            ("query.shape[-1] ** 0.5", "query.shape[1] ** 0.5"),
            "The scores were divided by the root of the number of heads. It is the root of the heads' width, the last "
            "axis.",
        ),
        Slip(
            "one_softmax",
            (".softmax(dim=-1)", ".flatten(1).softmax(dim=1).view(*query.shape[:3], -1)"),
            "One softmax runs over the keys of all heads. Each head has its own: softmax(dim=-1).",
        ),
    ),
    alternatives=(_cached_by_torch, _cached_by_buffer),
    hints=(
        "What does the new token need of the old ones, and what will later tokens need of it?",
        "torch.cat([old_keys, key], dim=-2), the same with the values; then plain attention of one query, no mask.",
        "keys = torch.cat([old_keys, key], dim=-2); values = ...; weights = (query @ keys.transpose(-2, -1) / "
        "query.shape[-1] ** 0.5).softmax(-1); return weights @ values, keys, values",
    ),
)
