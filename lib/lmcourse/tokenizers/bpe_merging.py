"""Applying learnt merges to one pre-token, and remembering the pre-tokens already encoded.

Source: Sennrich, Haddow and Birch 2016, section 3.2: at test time the merges are applied in the order they were learnt.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable
from itertools import islice
from operator import add
from sys import getsizeof

#: Longer pre-tokens are merged with a heap, in O(n log n); up to this length the short loop is quicker.
LONG_PRE_TOKEN = 256

#: Longer pre-tokens (runs of dashes, URLs) are not remembered, so that the cache is bounded in bytes as well.
LONGEST_CACHED = 32

_NEVER = chr(0x10FFFF)  # made by a pair that no merge joins; above every symbol


class MergeTable:
    """The merges in order, indexed so that a pre-token is encoded by string operations.

    A *symbol* is one character: `chr(byte)` for the 256 bytes, `chr(256 + k)` for what merge k makes. A pre-token is a
    string of symbols, a pair is two characters, and a lower character is an earlier merge: "the earliest merge that
    applies" is the `min` of what the pairs of a pre-token make.

    Args:
        merges: pairs of tokens in order; each token must be a single byte or made by an earlier merge.

    Raises:
        TypeError: a merge is not a pair of bytes objects.
        ValueError: a token comes before the merge that makes it, or a merge is given twice.
    """

    def __init__(self, merges: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self.tokens: list[bytes] = [bytes([value]) for value in range(256)]  # by symbol number
        self._symbol_of: dict[bytes, str] = {token: chr(number) for number, token in enumerate(self.tokens)}
        self._made_by: dict[str, str] = {}  # pair -> the character of its merge
        self._pair_of: dict[str, str] = {}  # the reverse
        # Two merges may make the same bytes (a b+c, a+b c). The later one then stands for the earlier one's symbol.
        self._same_as: dict[str, str] = {}
        for left, right in merges:
            self.add(left, right)

    def add(self, left: bytes, right: bytes) -> None:
        """Append one merge."""
        number = len(self.tokens)
        if not isinstance(left, bytes) or not isinstance(right, bytes):
            raise TypeError(f"`merges` must be pairs of bytes, got {(left, right)!r} as merge {number - 256}.")
        for token in (left, right):
            if token not in self._symbol_of:
                raise ValueError(
                    "`merges` must be in order: each token a single byte or made by an earlier merge, "
                    f"got merge {number - 256} = {(left, right)!r}, and nothing before it makes {token!r}."
                )
        pair = self._symbol_of[left] + self._symbol_of[right]
        if pair in self._made_by:
            raise ValueError(f"`merges` must not repeat, got {(left, right)!r} again as merge {number - 256}.")
        symbol = chr(number)
        self.tokens.append(left + right)
        self._made_by[pair] = symbol
        self._pair_of[symbol] = pair
        if left + right in self._symbol_of:
            self._same_as[symbol] = self._symbol_of[left + right]
        else:
            self._symbol_of[left + right] = symbol

    def apply(self, data: bytes) -> str:
        """The symbols of one pre-token after all merges: the earliest applicable merge first, from left to right.

        Cost: O(n^2) for n bytes with a very small constant while n is small; O(n log n) for a long pre-token, so that
        a million letters without a space are encoded in seconds.
        """
        pre_token = data.decode("latin-1")  # byte b -> chr(b)
        if len(pre_token) > LONG_PRE_TOKEN or self._same_as:
            return self._apply_with_heap(pre_token)
        made_by = self._made_by.get
        symbols = list(pre_token)
        made = [made_by(pair, _NEVER) for pair in map(add, pre_token, pre_token[1:])]  # what each pair would make
        while made:
            earliest = min(made)
            if earliest == _NEVER:
                break
            at = made.index(earliest)
            symbols[at] = earliest
            del symbols[at + 1], made[at]
            if at:
                made[at - 1] = made_by(symbols[at - 1] + earliest, _NEVER)
            if at < len(made):
                made[at] = made_by(earliest + symbols[at + 1], _NEVER)
        return "".join(symbols)

    def _apply_with_heap(self, pre_token: str) -> str:
        """The same by a heap of (merge, position) over a doubly linked list."""
        symbols: list[str] = list(pre_token)  # "" where a symbol was absorbed by its left neighbour
        after = [*range(1, len(symbols)), -1]
        before = list(range(-1, len(symbols) - 1))
        heap = [
            (made, position)
            for position, made in enumerate(map(self._made_by.get, map(add, pre_token, pre_token[1:])))
            if made is not None
        ]
        heapq.heapify(heap)
        while heap:
            made, left = heapq.heappop(heap)
            right = after[left]
            if right < 0 or symbols[left] + symbols[right] != self._pair_of[made]:
                continue  # one of the two was merged with another neighbour meanwhile
            symbols[left] = self._same_as.get(made, made)
            symbols[right] = ""
            after[left] = after[right]
            if after[right] >= 0:
                before[after[right]] = left
            for start, end in ((before[left], left), (left, after[left])):
                new = self._made_by.get(symbols[start] + symbols[end]) if start >= 0 and end >= 0 else None
                if new is not None:
                    heapq.heappush(heap, (new, start))
        return "".join(symbols)


class PreTokenCache(dict[str, tuple[int, ...]]):
    """Pre-token -> ids, filled on first use by `encode`; at most `limit` pre-tokens of at most 32 characters.

    A dictionary whose `__missing__` does the work, so that a look-up that hits runs no Python code at all. When it is
    full, the older half is dropped. Several threads may use it: only one at a time changes it.
    """

    def __init__(self, encode: Callable[[bytes], tuple[int, ...]], limit: int) -> None:
        super().__init__()
        self._encode = encode
        self._changing = threading.Lock()
        self.limit = limit

    def __missing__(self, pre_token: str) -> tuple[int, ...]:
        ids = self._encode(pre_token.encode("utf-8"))
        if self.limit and len(pre_token) <= LONGEST_CACHED:
            with self._changing:
                if len(self) >= self.limit:
                    for old in list(islice(self, (self.limit + 1) // 2)):
                        del self[old]
                self[pre_token] = ids
        return ids

    def clear(self) -> None:
        with self._changing:
            super().clear()

    def memory(self) -> int:
        """Bytes held: the table, its pre-tokens and its id tuples (the numbers in them are shared, not copied)."""
        with self._changing:
            return getsizeof(self) + sum(getsizeof(pre_token) + getsizeof(ids) for pre_token, ids in self.items())
