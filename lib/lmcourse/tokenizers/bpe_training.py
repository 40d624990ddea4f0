"""Learning byte-pair merges: count the pre-tokens of the text once, then merge the commonest pair again and again.

`bpe_naive` says the same in twenty lines.

Source: Gage 1994 ("A new algorithm for data compression"); Sennrich, Haddow and Birch 2016, algorithm 1, for words with
counts; Radford et al. 2019, section 2.2, for bytes as the first alphabet.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from operator import add
from typing import Literal

from tqdm.auto import tqdm

from lmcourse import checks
from lmcourse.tokenizers.bpe_io import token_to_text
from lmcourse.tokenizers.bpe_pretokenize import PreTokenizer

#: A symbol is a Unicode code point here: one for each byte and merge, and the last one is never used.
MAX_MERGES = 0x10FFFF - 256


def count_pre_tokens(text: str | Iterable[str], pre_tokenizer: PreTokenizer, *, progress: bool = False) -> Counter[str]:
    """How often each pre-token of the text occurs.

    The text is read once and never held twice: one block of pre-tokens is in memory at a time, and of an iterable
    one string. Each string of an iterable is a document of its own; no pre-token reaches from one into the next.

    Args:
        text: a string, or an iterable of strings (a list, a generator, an open text file).
        pre_tokenizer: what cuts each string into pre-tokens.
        progress: show a bar of characters read.

    Raises:
        TypeError: `text` or one of its items is not a string.
    """
    counts: Counter[str] = Counter()
    if isinstance(text, bytes | bytearray) or not isinstance(text, Iterable):
        raise TypeError(f"`text` must be a str or an iterable of str, got {type(text).__name__}.")
    documents = [text] if isinstance(text, str) else text
    with tqdm(desc="counting pre-tokens", unit=" chars", unit_scale=True, disable=not progress) as bar:
        for number, document in enumerate(documents):
            if not isinstance(document, str):
                raise TypeError(f"`text` must hold only str, got {type(document).__name__} as item {number}.")
            for pre_tokens in pre_tokenizer.blocks(document):
                counts.update(pre_tokens)
                if progress:
                    bar.update(sum(map(len, pre_tokens)))
    return counts


def train_merges(
    counts: Mapping[str, int],
    num_merges: int,
    *,
    ties: Literal["bytes", "ids"] = "bytes",
    progress: bool = False,
) -> list[tuple[bytes, bytes]]:
    """The first `num_merges` merges, commonest pair first; fewer if the pre-tokens run out of pairs.

    **Ties are broken on bytes**: of the pairs with the highest count, the one whose left token comes first in byte
    order is merged; among those, the one whose right token does. So merges depend on the counts alone, not on the
    order of the text. Occurrences within a run overlap when counted ("aaa" has "aa" twice) and merge from the left.

    Why it is fast: each distinct pre-token is kept once with its count, as a Python string whose characters are symbols
    (`chr(byte)`, then `chr(256 + merge)`), so that merging a pair in it is `str.split` and `str.join`, at C speed.
    `where` remembers which pre-tokens hold a pair, so that a merge touches only those, and only the counts of the pairs
    beside it change. The best pair comes from a heap whose counts may be out of date (too high, never too low) and are
    corrected when they reach the top. Only pairs at or above a threshold are in the heap; it is lowered when the heap
    is empty, so that the many rare pairs cost nothing.

    Cost: O(text) to count the pre-tokens, which is most of the time, then one visit for each pre-token that a merge
    changes: more text adds visits, more merges add few, since later pairs are rarer.

    Args:
        counts: occurrences of each pre-token, as from `count_pre_tokens`.
        num_merges: how many merges are asked for, at most 1,113,855.
        ties: "bytes", or "ids" for the rule of Hugging Face's trainer, to compare with it: the pair of lowest ids,
            where bytes are numbered as their characters in GPT-2's visible alphabet are ordered ("!" is 0, the space
            220), and merges in order after them.
        progress: show a bar of merges.

    Returns:
        pairs (left token, right token), in order of training.

    Raises:
        TypeError: `num_merges` is not a whole number.
        ValueError: `num_merges` is out of range, `ties` is unknown, or a pre-token holds a lone surrogate.
    """
    checks.one_of(("bytes", "ids"), ties=ties)
    checks.whole(num_merges=num_merges, at_least=0, at_most=MAX_MERGES)
    words, weights = _as_symbols(counts)
    pair_counts: defaultdict[str, int] = defaultdict(int)
    where: defaultdict[str, list[int]] = defaultdict(list)
    for index, word in enumerate(words):
        weight = weights[index]
        for pair in map(add, word, word[1:]):
            pair_counts[pair] += weight
            where[pair].append(index)

    token_of = [bytes([value]) for value in range(256)]  # symbol number -> its bytes
    rank: list = list(token_of)  # symbol number -> what ties are broken on
    if ties == "ids":
        visible = sorted(range(256), key=lambda value: token_to_text(token_of[value]))
        rank = [visible.index(value) for value in range(256)]
    merges: list[tuple[bytes, bytes]] = []
    heap: list[tuple] = []  # (-count, rank of the left token, rank of the right token, pair)
    threshold = max(pair_counts.values(), default=0) + 1

    with tqdm(total=num_merges, desc="learning merges", unit=" merges", disable=not progress) as bar:
        while len(merges) < num_merges:
            if not heap:
                if threshold <= 1:
                    break
                threshold //= 2
                heap = [
                    (-count, rank[ord(pair[0])], rank[ord(pair[1])], pair)
                    for pair, count in pair_counts.items()
                    if count >= threshold
                ]
                heapq.heapify(heap)
                continue
            promised, *ranks, pair = heapq.heappop(heap)
            count = pair_counts.get(pair, 0)
            if count != -promised:  # out of date: it goes back with its true count, if that is high enough
                if count >= threshold:
                    heapq.heappush(heap, (-count, *ranks, pair))
                continue

            left, right = token_of[ord(pair[0])], token_of[ord(pair[1])]
            merges.append((left, right))
            symbol = chr(len(token_of))
            rank.append(left + right if ties == "bytes" else len(token_of))
            token_of.append(left + right)
            created = _merge_everywhere(pair, symbol, words, weights, pair_counts, where)
            for new_pair, new_count in created.items():
                pair_counts[new_pair] = new_count
                if new_count >= threshold:
                    ranks = [rank[ord(new_pair[0])], rank[ord(new_pair[1])]]
                    heapq.heappush(heap, (-new_count, *ranks, new_pair))
            bar.update()
    return merges


def _as_symbols(counts: Mapping[str, int]) -> tuple[list[str], list[int]]:
    """The pre-tokens of two bytes or more, one character a byte (Latin-1 does just that), and their counts."""
    words: list[str] = []
    weights: list[int] = []
    for pre_token, count in counts.items():
        try:
            word = pre_token if pre_token.isascii() else pre_token.encode("utf-8").decode("latin-1")
        except UnicodeEncodeError:
            raise ValueError(f"`text` must be valid Unicode, but {pre_token!r} in it holds a lone surrogate.") from None
        if len(word) > 1 and count > 0:
            words.append(word)
            weights.append(count)
    return words, weights


def _merge_everywhere(
    pair: str,
    symbol: str,
    words: list[str],
    weights: list[int],
    pair_counts: dict[str, int],
    where: defaultdict[str, list[int]],
) -> dict[str, int]:
    """Write `symbol` for `pair` in every word that holds it; return the counts of the pairs that this creates.

    `word.split(pair)` gives what stands before, between and after the occurrences, so that the neighbours of each
    are the ends of those parts. The count of a pair beside the occurrence falls; that of the pair with `symbol` in it
    rises.
    """
    first, last = pair[0], pair[1]
    created: defaultdict[str, int] = defaultdict(int)
    for index in dict.fromkeys(where.pop(pair)):  # a word is listed once for every time that it holds the pair
        parts = words[index].split(pair)
        if len(parts) == 1:  # an earlier merge took this pair apart here
            continue
        words[index] = symbol.join(parts)
        weight = weights[index]
        before = parts[0]
        touching = False  # does the occurrence follow another one directly?
        for after in parts[1:]:
            if before:
                neighbour = before[-1]
                pair_counts[neighbour + first] -= weight
                created[neighbour + symbol] += weight
                where[neighbour + symbol].append(index)
            elif touching:
                pair_counts[last + first] -= weight
                created[symbol + symbol] += weight
                where[symbol + symbol].append(index)
            if after:
                neighbour = after[0]
                pair_counts[last + neighbour] -= weight
                created[symbol + neighbour] += weight
                where[symbol + neighbour].append(index)
            before, touching = after, True
    del pair_counts[pair]
    return created
