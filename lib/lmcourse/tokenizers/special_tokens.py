"""Special tokens: their names and ids, checked, and finding them in a text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import regex

from lmcourse.tokenizers.bpe_ids import check_ids

#: Half of a UTF-16 pair: a code point that Python strings can hold and no valid Unicode text does.
LONE_SURROGATE = regex.compile(r"[\ud800-\udfff]")


def special_token_ids(special_tokens: Iterable[str] | Mapping[str, int], ids: Mapping[bytes, int]) -> dict[str, int]:
    """The id of each special token, checked against the ordinary tokens; names alone get the ids after all others.

    A mapping may name an ordinary token by its id: the tokenizers of others have such added tokens, which are found in
    a text before it is cut.

    Raises:
        TypeError: a name is not a str, or an id not a whole number.
        ValueError: a name is empty, given twice, not valid Unicode, or an ordinary token; an id is taken or negative.
    """
    if isinstance(special_tokens, str) or not isinstance(special_tokens, Iterable):
        raise TypeError(f"`special_tokens` must be a list of strings or a mapping, got {special_tokens!r}.")
    names = list(special_tokens)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"`special_tokens` must be strings, got {name!r}.")
        if not name:
            raise ValueError("`special_tokens` must not be empty strings, got ''.")
        if names.count(name) > 1:
            raise ValueError(f"`special_tokens` must differ, got {name!r} twice.")
        if LONE_SURROGATE.search(name):
            raise ValueError(f"`special_tokens` must be valid Unicode, got a lone surrogate in {name!r}.")
        own = special_tokens[name] if isinstance(special_tokens, Mapping) else None
        if ids.get(name.encode("utf-8"), own) != own:
            raise ValueError(f"`special_tokens` must not be ordinary tokens already, got {name!r}.")
    if isinstance(special_tokens, Mapping):
        result = dict(special_tokens)
        check_ids(result, "special_tokens")
        new = {name: number for name, number in result.items() if name.encode("utf-8") not in ids}
        check_ids({**dict(ids), **new}, "special_tokens and token ids")
        return result
    first = max(ids.values(), default=-1) + 1
    return {name: first + number for number, name in enumerate(names)}


def split_at_special_tokens(text: str, allowed_special: Collection[str], special_tokens: Collection[str]) -> list[str]:
    """Ordinary text and allowed special tokens in turn: [text, special token, text, ..., text].

    Args:
        text: any text; where one special token is part of another, the longest is taken.
        allowed_special: names of special tokens, or "all".
        special_tokens: those that the tokenizer has.

    Raises:
        TypeError: `allowed_special` is a single string other than "all", or no collection.
        ValueError: it holds an unknown name.
    """
    if isinstance(allowed_special, str):
        if allowed_special != "all":
            raise TypeError(f'`allowed_special` must be a collection of strings or "all", got {allowed_special!r}.')
        allowed_special = special_tokens
    if not isinstance(allowed_special, Collection):
        raise TypeError(f'`allowed_special` must be a collection of strings or "all", got {allowed_special!r}.')
    if not allowed_special:
        return [text]
    unknown = [name for name in allowed_special if name not in list(special_tokens)]
    if unknown:
        raise ValueError(
            f"`allowed_special` must be special tokens of this tokenizer, {list(special_tokens)}, got {unknown}."
        )
    longest_first = sorted(allowed_special, key=len, reverse=True)
    return regex.split("(" + "|".join(map(regex.escape, longest_first)) + ")", text)
