"""The naive trainer of byte-pair merges: it says what is meant and nothing else.

`bpe_training` learns the same merges hundreds of times faster, and is tested against this module.

Source: Sennrich, Haddow and Birch 2016, algorithm 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from lmcourse import checks


def naive_train_merges(pre_tokens: Iterable[str], num_merges: int) -> list[tuple[bytes, bytes]]:
    """The first `num_merges` merges, commonest pair first; fewer if the pre-tokens run out of pairs.

    Args:
        pre_tokens: the text, cut into pre-tokens; a merge never crosses from one into the next.
        num_merges: how many merges are asked for.

    Raises:
        TypeError, ValueError: `num_merges` is not a whole number, or negative.

    Cost: two walks through the whole text for each merge.
    """
    checks.whole(num_merges=num_merges, at_least=0)
    words = [[bytes([b]) for b in pre_token.encode()] for pre_token in pre_tokens]
    merges: list[tuple[bytes, bytes]] = []
    while len(merges) < num_merges:
        counts = Counter(pair for word in words for pair in pairwise(word))
        if not counts:
            break
        merges.append(commonest(counts))
        words = [merge(word, merges[-1]) for word in words]
    return merges


def commonest(counts: Mapping[tuple[bytes, bytes], int]) -> tuple[bytes, bytes]:
    """The pair with the highest count; of several, the first in byte order, left token before right token."""
    return min(counts, key=lambda pair: (-counts[pair], pair))


def merge(tokens: Sequence[bytes], pair: tuple[bytes, bytes]) -> list[bytes]:
    """`tokens` with every occurrence of `pair` joined into one token, from the left.

    >>> merge([b"a", b"a", b"a", b"b"], (b"a", b"a"))
    [b'aa', b'a', b'b']
    """
    merged, at = [], 0
    while at < len(tokens):
        found = tuple(tokens[at : at + 2]) == pair
        merged.append(b"".join(pair) if found else tokens[at])
        at += 2 if found else 1
    return merged
