"""Which id each token has, checked: ordinary tokens (bytes) on one side, special_tokens (names) on the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import regex

#: Half of a UTF-16 pair: a code point that Python strings can hold and no valid Unicode text does.
LONE_SURROGATE = regex.compile(r"[\ud800-\udfff]")


def check_ids(ids: Mapping, name: str) -> None:
    """Ids are whole numbers from 0, no two the same."""
    seen: dict[int, object] = {}
    for token, number in ids.items():
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"{name} must map to whole numbers, got {number!r} for {token!r}.")
        if number < 0:
            raise ValueError(f"{name} must not be negative, got {number} for {token!r}.")
        if number in seen:
            raise ValueError(f"{name} must differ, got {number} for both {seen[number]!r} and {token!r}.")
        seen[number] = token


def token_ids(tokens: list[bytes], ids: Mapping[bytes, int] | None) -> dict[bytes, int]:
    """The id of each ordinary token, in order of ids."""
    if ids is None:
        return {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    known = set(tokens)
    missing = next((token for token in tokens if token not in ids), None)
    extra = next((token for token in ids if token not in known), None)
    if missing is not None:
        raise ValueError(f"ids must give an id to every byte and merged token, got none for {missing!r}.")
    if extra is not None:
        raise ValueError(f"ids must name only bytes and merged tokens, but no merge makes {extra!r}.")
    check_ids(ids, "ids")
    return dict(sorted(ids.items(), key=lambda item: item[1]))


def special_ids(special_tokens: Iterable[str] | Mapping[str, int], ids: Mapping[bytes, int]) -> dict[str, int]:
    """The id of each special token, checked against the ordinary ones."""
    if isinstance(special_tokens, str):
        raise TypeError(f"special_tokens must be a list of strings, got the single string {special_tokens!r}.")
    names = list(special_tokens)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"special_tokens must be strings, got {name!r}.")
        if not name:
            raise ValueError("special_tokens must not be empty strings.")
        if names.count(name) > 1:
            raise ValueError(f"special_tokens must differ, got {name!r} twice.")
        if LONE_SURROGATE.search(name):
            raise ValueError(f"special_tokens must be valid Unicode, got a lone surrogate in {name!r}.")
        if name.encode("utf-8") in ids:
            raise ValueError(f"special_tokens must not be ordinary tokens already, got {name!r}.")
    if isinstance(special_tokens, Mapping):
        result = dict(special_tokens)
        check_ids({**dict(ids), **result}, "special_tokens and token ids")
        return result
    first = max(ids.values(), default=-1) + 1
    return {name: first + number for number, name in enumerate(names)}
