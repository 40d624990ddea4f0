"""Saving and loading a tokenizer of any kind, so that a checkpoint needs to know none of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from lmcourse.json_format import blaming, read_json
from lmcourse.tokenizers.bpe import BPETokenizer
from lmcourse.tokenizers.vocabulary import Vocabulary
from lmcourse.tokenizers.wordpiece import WordPiece

Tokenizer = BPETokenizer | Vocabulary | WordPiece

_KINDS: dict[str, type[BPETokenizer] | type[Vocabulary] | type[WordPiece]] = {
    kind.FORMAT: kind for kind in (BPETokenizer, Vocabulary, WordPiece)
}


def save_tokenizer(tokenizer: Tokenizer, path: str | os.PathLike[str]) -> None:
    """Write a tokenizer or vocabulary to one JSON file, whole or not at all; the file says which kind it is.

    Raises:
        TypeError: `tokenizer` is none of BPETokenizer, Vocabulary, WordPiece.
    """
    _checked(tokenizer).save(path)


def load_tokenizer(path: str | os.PathLike[str]) -> Tokenizer:
    """The tokenizer or vocabulary that `save_tokenizer`, or its own `save`, wrote.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is damaged or of another kind; the message names it and says what is wrong.
    """
    with blaming(path):
        return tokenizer_from_dict(read_json(path))


def tokenizer_to_dict(tokenizer: Tokenizer) -> dict[str, Any]:
    """A tokenizer or vocabulary as JSON values, to be kept within a larger file (the recipe of a checkpoint, say)."""
    return _checked(tokenizer).to_dict()


def tokenizer_from_dict(content: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer or vocabulary that `tokenizer_to_dict` described.

    Raises:
        ValueError: `content` does not describe one.
    """
    kind = content.get("format") if isinstance(content, Mapping) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        listed = ", ".join(map(repr, _KINDS))
        raise ValueError(f'`content` must describe a tokenizer: its "format" must be one of {listed}, got {kind!r}')
    return _KINDS[kind].from_dict(content)


def _checked(tokenizer: Tokenizer) -> Tokenizer:
    if not isinstance(tokenizer, tuple(_KINDS.values())):
        raise TypeError(f"`tokenizer` must be a BPETokenizer, Vocabulary or WordPiece, got {type(tokenizer).__name__}.")
    return tokenizer
