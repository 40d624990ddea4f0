import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    """Return the bytes of a full cache of keys and values.

    Args:
        num_layers, num_kv_heads, head_dim: of the model.
        length: tokens in each text, 0 or more.
        batch_size: texts.
        bytes_each: of one number.

    Returns:
        An int.

    >>> cache_bytes(12, 12, 64, 1024)
    37748736
    """
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each


def cases(seed: int) -> list[Case]:
    layers, heads, width, length, batch = (3 + 2 * int(n) for n in torch.randint(
        60, (5,), generator=torch.Generator().manual_seed(seed)
    ))  # fmt: skip
    return [
        case("the worked example", 12, 12, 64, 1_024),
        case("some sizes", layers, heads, width, length, batch, 4),
        case("a batch", layers, heads, width, length, batch_size=batch),
        border("numbers of one byte", layers, heads, width, length, bytes_each=1),
        case("GPT-3 over its whole context", 96, 96, 128, 2_048),
        border("one key/value head for all queries", layers, 1, width, length),
        border("no tokens yet", layers, heads, width, 0, batch),
        case("sizes in a fixed order", 2, 3, 5, 7, 11, 13),
        border("one of everything", 1, 1, 1, 1, 1, 1),
        border("more bytes than a float can count", 3, 5, 10**15 + 1, 7, 11, 1),
    ]


SLIPS = mistakes("""
keys_only: "Return the bytes of a full cache of keys and values"
    2 * =>
  Only the keys, or only the values, were counted. Both are kept: twice as much.
one_layer: "of the model"
    num_layers * =>
  This is the cache of a single layer. Every layer has keys and values of its own.
no_batch: "texts"
    * batch_size =>
  The batch was left out: every text that is being written needs a cache of its own.
queries_too: "Return the bytes of a full cache of keys and values"
    2 * => 3 *
  Queries were counted too. No later token asks for an old query: only keys and values are kept.
table_of_scores
    * length => * length * length
  This grows with the square of the length, like the table of scores. The cache has one row a token.
one_head: "of the model"
    * num_kv_heads =>
  This is the cache of a single key/value head. Each of the heads has keys and values of its own.
always_two_bytes: "of one number"
    * bytes_each => * 2
  Every number was counted as 2 bytes. Multiply by bytes_each, the argument.
""")
HINTS = hints("""
- Begin with one token in one layer: which vectors does a later token need of it?
- A key and a value, each num_kv_heads * head_dim numbers. Then times layers, tokens, texts, bytes.
- return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""")
task = Task(cache_bytes, points=1, difficulty=1, minutes=10, cases=cases, slips=SLIPS, hints=HINTS)
