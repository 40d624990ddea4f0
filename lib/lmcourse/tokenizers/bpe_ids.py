"""The ids of ordinary tokens (bytes), checked."""

from __future__ import annotations

from collections.abc import Mapping

from lmcourse import checks


def check_ids(ids: Mapping, name: str) -> None:
    """Raise unless the ids are whole numbers, none negative, no two equal."""
    seen: dict[int, object] = {}
    for token, number in ids.items():
        checks.whole(at_least=0, **{f"{name}[{token!r}]": number})
        if number in seen:
            raise ValueError(f"`{name}` must differ, got {number} for both {seen[number]!r} and {token!r}.")
        seen[number] = token


def token_ids(tokens: list[bytes], ids: Mapping[bytes, int] | None, *, others: bool = False) -> dict[bytes, int]:
    """The id of each ordinary token, in order of ids; by default the tokens are numbered as they stand.

    Args:
        tokens: the bytes and what merges make.
        ids: their ids.
        others: whether `ids` may name further tokens.
    """
    if ids is None:
        return {token: number for number, token in enumerate(dict.fromkeys(tokens))}
    if not isinstance(ids, Mapping):
        raise TypeError(f"`ids` must be a mapping of tokens to ids, got {ids!r}.")
    known = set(tokens)
    missing = next((token for token in tokens if token not in ids), None)
    extra = next((token for token in ids if token not in known and not (others and isinstance(token, bytes))), None)
    if missing is not None:
        raise ValueError(f"`ids` must give an id to every byte and merged token, got none for {missing!r}.")
    if extra is not None:
        raise ValueError(f"`ids` must name only bytes and merged tokens, but no merge makes {extra!r}.")
    check_ids(ids, "ids")
    return dict(sorted(ids.items(), key=lambda item: item[1]))
