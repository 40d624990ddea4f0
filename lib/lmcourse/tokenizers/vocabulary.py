"""Tokens and their ids.

A model computes with integers; a `Vocabulary` is the two-way table between them and the tokens of a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from lmcourse import checks
from lmcourse.json_format import JSONFormat

UNKNOWN = "<unk>"


class Vocabulary(JSONFormat):
    """The tokens that a model knows, each with its id.

    Made by `Vocabulary.build` from a text, or directly from a list of tokens, whose order gives the ids. If
    `"<unk>"` is among them, it stands for every token that is not; without it, an unknown token is an error.
    `save(path)` and `Vocabulary.load(path)` keep it in a JSON file.

    Args:
        tokens: distinct strings; the token at index i gets the id i.

    Attributes:
        tokens: the tokens by id, a tuple.
        unk_id: the id of `"<unk>"`, or None.
        counts: how often each token of the text occurred, if the vocabulary was built from one; else empty.

    Raises:
        TypeError: `tokens` is a str, or holds something that is not a str.
        ValueError: a token is given twice.
    """

    FORMAT = "lmcourse-vocabulary"

    def __init__(self, tokens: Sequence[str]) -> None:
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise TypeError(f"`tokens` must be a sequence of str, got {type(tokens).__name__} {str(tokens)[:40]!r}.")
        self.tokens: tuple[str, ...] = tuple(tokens)
        _check_tokens(self.tokens)
        self._ids = _Ids((token, number) for number, token in enumerate(self.tokens))
        if len(self._ids) != len(self.tokens):
            twice = next(token for token, n in Counter(self.tokens).items() if n > 1)
            raise ValueError(f"`tokens` must be distinct, got {twice!r} more than once.")
        self.unk_id: int | None = self._ids.get(UNKNOWN)
        self.counts: dict[str, int] = {}

    @classmethod
    def build(
        cls, tokens: Iterable[str], *, min_count: int = 1, special_tokens: Sequence[str] = (UNKNOWN,)
    ) -> Vocabulary:
        """Count the tokens of a text and give ids to those that are frequent enough.

        The special tokens get the first ids, in the order given; then come the others by falling count. Of two tokens
        with the same count, the one that appears first in the text comes first. A special token that occurs in the
        text keeps its position among the special tokens.

        Args:
            tokens: the text, token by token. A str is read as its characters.
            min_count: a token that occurs fewer times is left out (and so becomes `<unk>`).
            special_tokens: tokens that the vocabulary always holds, whatever the text.

        Returns:
            The vocabulary; `.counts` holds how often each token occurred, those left out included.

        Raises:
            TypeError: a token is not a str, or `min_count` is not an int.
            ValueError: `min_count` is below 1, or a special token is given twice.

        Cost: one pass over the text and a sort of its distinct tokens.
        """
        return cls.from_counts(count_tokens(tokens), min_count=min_count, special_tokens=special_tokens)

    @classmethod
    def from_counts(
        cls, counts: Mapping[str, int], *, min_count: int = 1, special_tokens: Sequence[str] = (UNKNOWN,)
    ) -> Vocabulary:
        """`build` for a text whose tokens have been counted; ties keep the order of `counts`."""
        checks.whole(min_count=min_count, at_least=1)
        checks.instance(Mapping, counts=counts)
        _check_counts(counts)
        if isinstance(special_tokens, str) or not isinstance(special_tokens, Iterable):
            raise TypeError(f"`special_tokens` must be a sequence of str, got {special_tokens!r}.")
        special_tokens = list(special_tokens)
        for token in special_tokens:
            _check_token(token, "special_tokens")
        special = set(special_tokens)
        kept = [token for token, n in counts.items() if n >= min_count and token not in special]
        kept.sort(key=counts.__getitem__, reverse=True)  # stable: ties stay in the order of appearance
        vocabulary = cls([*special_tokens, *kept])
        vocabulary.counts = dict(counts)
        return vocabulary

    def encode(self, tokens: Iterable[str]) -> list[int]:
        """The ids of the tokens; an unknown token gets the id of `<unk>`.

        Raises:
            TypeError: a token is not a str.
            ValueError: a token is unknown and the vocabulary has no `<unk>`.
        """
        if not isinstance(tokens, Iterable):
            raise TypeError(f"`tokens` must be an iterable of str, got {tokens!r}.")
        tokens = list(tokens)
        try:
            return list(map(self.lookup, tokens))
        except TypeError:  # a list, say, can't even be looked up
            for token in tokens:
                _check_token(token)
            raise

    @property
    def lookup(self) -> Callable[[str], int]:
        """The id of one token, as a function that is fast to call many times; raises what `encode` does."""
        return self._ids.__getitem__

    def decode(self, ids: Iterable[int]) -> list[str]:
        """The tokens that the ids stand for.

        Raises:
            TypeError: an id is not an integer.
            ValueError: an id is negative or not below `len(self)`.
        """
        if not isinstance(ids, Iterable):
            raise TypeError(f"`ids` must be an iterable of integers, got {ids!r}.")
        tokens = []
        for number in ids:
            try:
                index = number.__index__()
            except (AttributeError, TypeError):
                raise TypeError(f"`ids` must hold integers, got {number!r}.") from None
            if not 0 <= index < len(self.tokens):
                raise ValueError(f"`ids` must be between 0 and {len(self.tokens) - 1}, got {index}.")
            tokens.append(self.tokens[index])
        return tokens

    def index(self, token: str) -> int:
        """The id of one token; that of `<unk>` for an unknown token, an error if there is none."""
        _check_token(token, "token")
        return self.lookup(token)

    def _to_json(self) -> dict[str, Any]:
        return {"tokens": list(self.tokens), "counts": self.counts}

    @classmethod
    def _from_json(cls, content: Mapping[str, Any]) -> Vocabulary:
        vocabulary = cls(content["tokens"])
        _check_counts(content["counts"])
        vocabulary.counts = dict(content["counts"])
        return vocabulary

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self.tokens)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self.tokens[:6]))
        return f"Vocabulary({len(self)} tokens: {shown}{', ...' if len(self) > 6 else ''})"


class _Ids(dict[str, int]):
    """Token -> id; an unknown token gives the id of `<unk>`, or is an error if there is none."""

    def __missing__(self, token: object) -> int:
        _check_token(token)
        if UNKNOWN not in self:
            raise ValueError(
                f"`tokens` must be in the vocabulary of {len(self)} tokens, which has no {UNKNOWN!r}, got {token!r}."
            )
        return self[UNKNOWN]


def count_tokens(tokens: Iterable[str]) -> Counter[str]:
    """How often each token occurs, in the order of first appearance.

    Raises:
        TypeError: `tokens` is not iterable, or holds something that is not a str.
    """
    if not isinstance(tokens, Iterable):
        raise TypeError(f"`tokens` must be an iterable of str, got {tokens!r}.")
    try:
        counts = Counter(tokens)
    except TypeError as error:
        raise TypeError(f"`tokens` must be an iterable of str: {error}.") from None
    _check_tokens(counts)
    return counts


def _check_tokens(tokens: Collection[object]) -> None:
    if not set(map(type, tokens)) <= {str}:
        for token in tokens:
            _check_token(token)


def _check_counts(counts: Mapping[str, int]) -> None:
    if set(map(type, counts.values())) <= {int} and min(counts.values(), default=0) >= 0:
        return  # a call of `checks.whole` for each would take longer than the rest of `from_counts`
    for token, count in counts.items():
        checks.whole(at_least=0, **{f"counts[{token!r}]": count})


def _check_token(token: object, name: str = "tokens") -> None:
    if not isinstance(token, str):
        raise TypeError(f"`{name}` must hold str, got {token!r} of type {type(token).__name__}.")
