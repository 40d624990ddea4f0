"""Tasks of chapter 08, second part: attention with a cache, the cache's size, and grouped queries."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.gpt import CHAPTER, drawer

GRADIENTS = Compare(rtol=1e-5, atol=1e-6, gradient=True)  # in float32 a sum near 0 has an error of that size

# ----------------------------------------------------------------------------------------------- attend_with_cache

Cached = tuple[Tensor, Tensor, Tensor]


def _attend_with_cache(query: Tensor, key: Tensor, value: Tensor, old_keys: Tensor, old_values: Tensor) -> Cached:
    keys, values = torch.cat([old_keys, key], dim=-2), torch.cat([old_values, value], dim=-2)
    weights = (query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1)
    return weights @ values, keys, values


def _cache_cases(seed: int) -> list[Case]:
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
        case("nothing in the cache: the first token", *drawn(2, 3, 0, 5)),
        case("one token before it", *drawn(1, 2, 1, 3)),
        case("heads of width one", *drawn(2, 2, 5, 1)),
        case("float32", *(single(2, 3, 1, 5) for _ in range(3)), single(2, 3, 7, 5), single(2, 3, 7, 5)),
    ]


def _cached_wrong(
    query: Tensor, key: Tensor, value: Tensor, old_keys: Tensor, old_values: Tensor, *, how: str
) -> Cached:
    keys, values = torch.cat([old_keys, key], dim=-2), torch.cat([old_values, value], dim=-2)
    scale = query.shape[-1] ** -0.5
    if how == "not_appended":
        return _attend_with_cache(query, key, value, old_keys, old_values)[0], old_keys, old_values
    if how == "only_itself":
        return value, keys, values
    if how == "in_front":
        keys, values = torch.cat([key, old_keys], dim=-2), torch.cat([value, old_values], dim=-2)
    if how == "not_scaled":
        scale = 1.0
    scores = query @ keys.transpose(-2, -1) * scale
    if how == "not_itself":
        seen = old_keys.shape[-2]
        return (scores[..., :seen].softmax(-1) @ old_values), keys, values
    if how == "causal_top_left":  # the mask of a first token: it sees one key
        scores = scores.masked_fill(torch.ones(1, keys.shape[-2], dtype=torch.bool).triu(1), -torch.inf)
    if how == "keys_as_values":
        return scores.softmax(-1) @ keys, keys, values
    return scores.softmax(-1) @ values, keys, values


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


attend_with_cache = Task(
    name="attend_with_cache",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_cache_cases,
    reference=_attend_with_cache,
    compare=Compare(rtol=1e-5, atol=1e-6),
    slips=(
        Slip(
            "not_appended",
            partial(_cached_wrong, how="not_appended"),
            "The output is right, but the old cache was returned: the next token will not see this one. Return the "
            "keys and values with the new ones at their end.",
        ),
        Slip(
            "not_itself",
            partial(_cached_wrong, how="not_itself"),
            "The new token looked only at those before it. It attends to itself too: append first, then attend.",
        ),
        Slip(
            "only_itself",
            partial(_cached_wrong, how="only_itself"),
            "The new token looked only at itself. Its query meets all keys of the cache.",
        ),
        Slip(
            "in_front",
            partial(_cached_wrong, how="in_front"),
            "The new key and value were put before the old ones. The output is the same, since attention knows no "
            "order, but the cache's is lost: new ones go to the end.",
        ),
        Slip(
            "not_scaled",
            partial(_cached_wrong, how="not_scaled"),
            "The scores were not divided by the root of the head's width.",
        ),
        Slip(
            "causal_top_left",
            partial(_cached_wrong, how="causal_top_left"),
            "A causal mask was laid from the top left, so that the one new query saw only the first key. The new token "
            "is the last: it sees everything, and needs no mask.",
        ),
        Slip(
            "keys_as_values",
            partial(_cached_wrong, how="keys_as_values"),
            "The weighted mean was taken over the keys. Keys say where to look, values are what is read there.",
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


# ----------------------------------------------------------------------------------------------------- cache_bytes


def _cache_bytes(
    num_layers: int, num_kv_heads: int, head_dim: int, length: int, batch_size: int = 1, bytes_each: int = 2
) -> int:
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each


def _bytes_cases(seed: int) -> list[Case]:
    layers, heads, width, length, batch = (3 + 2 * int(n) for n in torch.randint(
        60, (5,), generator=torch.Generator().manual_seed(seed)
    ))  # fmt: skip
    return [
        case("the worked example", 12, 12, 64, 1_024),
        case("some sizes", layers, heads, width, length, batch, 4),
        case("a batch", layers, heads, width, length, batch_size=batch),
        case("numbers of one byte", layers, heads, width, length, bytes_each=1),
        case("GPT-3 over its whole context", 96, 96, 128, 2_048),
        case("one key/value head for all queries", layers, 1, width, length),
        case("no tokens yet", layers, heads, width, 0, batch),
    ]


def _bytes_wrong(
    num_layers: int,
    num_kv_heads: int,
    head_dim: int,
    length: int,
    batch_size: int = 1,
    bytes_each: int = 2,
    *,
    how: str,
) -> int:
    right = 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
    if how == "keys_only":
        return right // 2
    if how == "one_layer":
        return right // num_layers
    if how == "no_batch":
        return right // batch_size
    if how == "numbers":
        return right // bytes_each
    if how == "bits":
        return right * 8
    if how == "queries_too":
        return right // 2 * 3
    return right * length


def _bytes_by_shapes(
    num_layers: int, num_kv_heads: int, head_dim: int, length: int, batch_size: int = 1, bytes_each: int = 2
) -> int:
    shape = (2, batch_size, num_kv_heads, length, head_dim)
    numbers = 1
    for size in shape:
        numbers *= size
    return num_layers * numbers * bytes_each


def _bytes_by_adding(
    num_layers: int, num_kv_heads: int, head_dim: int, length: int, batch_size: int = 1, bytes_each: int = 2
) -> int:
    a_token = sum(num_kv_heads * head_dim * bytes_each for _ in ("keys", "values"))
    return sum(a_token for _ in range(num_layers)) * length * batch_size


cache_bytes = Task(
    name="cache_bytes",
    chapter=CHAPTER,
    points=1,
    difficulty=1,
    minutes=10,
    cases=_bytes_cases,
    reference=_cache_bytes,
    slips=(
        Slip(
            "keys_only",
            partial(_bytes_wrong, how="keys_only"),
            "Only the keys, or only the values, were counted. Both are kept: twice as much.",
        ),
        Slip(
            "one_layer",
            partial(_bytes_wrong, how="one_layer"),
            "This is the cache of a single layer. Every layer has keys and values of its own.",
        ),
        Slip(
            "no_batch",
            partial(_bytes_wrong, how="no_batch"),
            "The batch was left out: every text that is being written needs a cache of its own.",
        ),
        Slip(
            "numbers",
            partial(_bytes_wrong, how="numbers"),
            "This counts numbers, not bytes. Multiply by the bytes that each takes.",
        ),
        Slip(
            "bits",
            partial(_bytes_wrong, how="bits"),
            "This is in bits, eight times too much. Return bytes.",
        ),
        Slip(
            "queries_too",
            partial(_bytes_wrong, how="queries_too"),
            "Queries were counted too. No later token asks for an old query: only keys and values are kept.",
        ),
        Slip(
            "table_of_scores",
            partial(_bytes_wrong, how="squared"),
            "This grows with the square of the length, like the table of scores. The cache has one row a token.",
        ),
    ),
    alternatives=(_bytes_by_shapes, _bytes_by_adding),
    hints=(
        "Begin with one token in one layer: which vectors does a later token need of it?",
        "A key and a value, each num_kv_heads * head_dim numbers. Then times layers, tokens, texts, bytes.",
        "return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each",
    ),
)


# ----------------------------------------------------------------------------------------------- grouped_attention


def _grouped_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    H, G, T = query.shape[1], key.shape[1], query.shape[2]
    if H % G:
        raise ValueError(f"the key/value heads must divide the query heads, got {G} and {H}.")
    key, value = (part.repeat_interleave(H // G, dim=1) for part in (key, value))
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -torch.inf).softmax(-1) @ value


def _grouped_cases(seed: int) -> list[Case]:
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
        case("one key/value head for all", *drawn(2, 3, 1, 5, 7)),
        case("as many as queries: ordinary attention", *drawn(2, 3, 3, 5, 7)),
        case("one token", *drawn(2, 4, 2, 1, 3)),
        case("float32", single(2, 4, 5, 3), single(2, 2, 5, 3), single(2, 2, 5, 3)),
        case("two heads that no group of three divides: none fits", *drawn(1, 2, 3, 5, 3)),
    ]


def _grouped_wrong(query: Tensor, key: Tensor, value: Tensor, *, how: str) -> Tensor:
    H, G, T = query.shape[1], key.shape[1], query.shape[2]
    if H % G and how != "cut":
        raise ValueError("groups")
    if H % G:
        key, value = key[:, :H], value[:, :H]
    elif how == "tiled":
        key, value = (part.repeat(1, H // G, 1, 1) for part in (key, value))
    elif how == "first_group":
        key, value = (part[:, :1].expand(-1, H, -1, -1) for part in (key, value))
    elif how == "averaged":
        key, value = (part.mean(1, keepdim=True).expand(-1, H, -1, -1) for part in (key, value))
    else:
        key, value = (part.repeat_interleave(H // G, dim=1) for part in (key, value))
    scores = query @ key.transpose(-2, -1)
    if how != "not_scaled":
        scores = scores / query.shape[-1] ** 0.5
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    if how == "no_mask":
        future = torch.zeros_like(future)
    return scores.masked_fill(future, -torch.inf).softmax(-1) @ value


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


grouped_attention = Task(
    name="grouped_attention",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_grouped_cases,
    reference=_grouped_attention,
    compare=GRADIENTS,
    slips=(
        Slip(
            "tiled",
            partial(_grouped_wrong, how="tiled"),
            "The key/value heads were laid side by side in turn (repeat), so that neighbouring heads got different "
            "ones. Heads of one group are neighbours: use repeat_interleave.",
        ),
        Slip(
            "first_group",
            partial(_grouped_wrong, how="first_group"),
            "All heads read the first key/value head. Head h belongs to group h // (H // G).",
        ),
        Slip(
            "averaged",
            partial(_grouped_wrong, how="averaged"),
            "The key/value heads were averaged. Each group of queries has one of its own, as it is.",
        ),
        Slip(
            "not_scaled",
            partial(_grouped_wrong, how="not_scaled"),
            "The scores were not divided by the root of the head's width.",
        ),
        Slip(
            "no_mask",
            partial(_grouped_wrong, how="no_mask"),
            "Every token sees the whole text, the future too. In a decoder, token t sees the tokens up to t.",
        ),
        Slip(
            "cut",
            partial(_grouped_wrong, how="cut"),
            "When the key/value heads do not divide the query heads, some were dropped without a word. Raise "
            "ValueError.",
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
