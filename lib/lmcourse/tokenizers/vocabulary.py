"""Words and their numbers.

A model computes with integers; a `Vocabulary` is the two-way table between them and the tokens of a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

UNKNOWN = "<unk>"


class Vocabulary:
    """The tokens a model knows, each with its number.

    Made by `Vocabulary.build` from a text, or directly from a list of tokens, whose order gives the numbers. If
    `"<unk>"` is one of them it stands for every token that is not; without it an unknown token is an error.

    Args:
        tokens: distinct strings; the token at place i gets the number i.

    Raises:
        TypeError: `tokens` is a str, or holds something that is not a str.
        ValueError: a token comes twice.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        if isinstance(tokens, str):
            raise TypeError(f"`tokens` must be a sequence of str, not one str, got {tokens[:40]!r}.")
        self.tokens: tuple[str, ...] = tuple(tokens)
        for token in self.tokens:
            _check_token(token)
        self._ids: dict[str, int] = {token: number for number, token in enumerate(self.tokens)}
        if len(self._ids) != len(self.tokens):
            twice = next(token for token, n in Counter(self.tokens).items() if n > 1)
            raise ValueError(f"`tokens` must be distinct, got {twice!r} more than once.")
        self.unk_id: int | None = self._ids.get(UNKNOWN)
        self.counts: dict[str, int] = {}

    @classmethod
    def build(
        cls, tokens: Iterable[str], *, min_count: int = 1, special_tokens: Sequence[str] = (UNKNOWN,)
    ) -> Vocabulary:
        """Counts the tokens of a text and numbers those that are frequent enough.

        Numbers go to the special_tokens first, in their order, then to the tokens by falling count; of two tokens with the
        same count the one that appears first in the text comes first. A special that occurs in the text keeps its
        place among the special_tokens.

        Args:
            tokens: the text, token by token. A str is read as its characters.
            min_count: a token that occurs fewer times is left out (and so becomes `<unk>`).
            special_tokens: tokens that are always there, whatever the text holds.

        Returns:
            The vocabulary; `.counts` holds how often each token occurred, those left out included.

        Raises:
            TypeError: a token is not a str, or `min_count` is not an int.
            ValueError: `min_count` is below 1, or a special comes twice.

        Cost: one pass over the text and a sort of its distinct tokens.
        """
        if isinstance(special_tokens, str):
            raise TypeError(f"`special_tokens` must be a sequence of str, not one str, got {special_tokens!r}.")
        return cls.from_counts(count_tokens(tokens), min_count=min_count, special_tokens=special_tokens)

    @classmethod
    def from_counts(
        cls, counts: Counter[str], *, min_count: int = 1, special_tokens: Sequence[str] = (UNKNOWN,)
    ) -> Vocabulary:
        """`build` for a text that has been counted already; ties go by the order of the counter."""
        if isinstance(min_count, bool) or not isinstance(min_count, int):
            raise TypeError(f"`min_count` must be an int, got {min_count!r}.")
        if min_count < 1:
            raise ValueError(f"`min_count` must be at least 1, got min_count={min_count}.")
        special = set(special_tokens)
        kept = [token for token, n in counts.items() if n >= min_count and token not in special]
        kept.sort(key=counts.__getitem__, reverse=True)  # stable: ties stay in the order of appearance
        vocabulary = cls([*special_tokens, *kept])
        vocabulary.counts = dict(counts)
        return vocabulary

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The tokens' numbers; an unknown token gives `<unk>`'s number.

        Raises:
            TypeError: a token is not a str.
            ValueError: a token is unknown and the vocabulary has no `<unk>`.
        """
        tokens = list(tokens)
        try:
            ids = list(map(self._ids.get, tokens, repeat(-1)))
        except TypeError:  # a list, say, cannot even be looked up
            for token in tokens:
                _check_token(token)
            raise
        if -1 in ids:
            for place, number in enumerate(ids):
                if number < 0:
                    ids[place] = self._unknown(tokens[place])
        return ids

    def _unknown(self, token: object) -> int:
        _check_token(token)
        if self.unk_id is None:
            raise ValueError(f"{token!r} is not in the vocabulary of {len(self)} tokens, and it has no {UNKNOWN!r}.")
        return self.unk_id

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens that the numbers stand for.

        Raises:
            TypeError: a number is not an integer.
            ValueError: a number is negative or not below `len(self)`.
        """
        tokens = []
        for number in ids:
            try:
                place = number.__index__()
            except AttributeError:
                raise TypeError(f"`ids` must hold integers, got {number!r}.") from None
            if not 0 <= place < len(self.tokens):
                raise ValueError(f"`ids` must lie in 0 .. {len(self.tokens) - 1}, got {place}.")
            tokens.append(self.tokens[place])
        return tokens

    def index(self, token: str) -> int:
        """The number of one token; `<unk>`'s for an unknown one, an error if there is none."""
        return self.encode((token,))[0]

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self.tokens)

    def __repr__(self) -> str:
        return (
            f"Vocabulary({len(self)} tokens: {', '.join(map(repr, self.tokens[:6]))}{', ...' if len(self) > 6 else ''})"
        )


def count_tokens(tokens: Iterable[str]) -> Counter[str]:
    """How often each token occurs, in the order of first appearance; a token that is not a str is a TypeError."""
    try:
        counts = Counter(tokens)
    except TypeError as error:
        raise TypeError(f"`tokens` must be an iterable of str: {error}.") from None
    for token in counts:
        _check_token(token)
    return counts


def _check_token(token: object) -> None:
    if not isinstance(token, str):
        raise TypeError(f"A token must be a str, got {token!r} of type {type(token).__name__}.")
