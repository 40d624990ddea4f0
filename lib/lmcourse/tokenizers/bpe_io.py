"""File formats of byte-pair tokenizers: our own JSON, GPT-2's two files, Hugging Face's `tokenizer.json`.

Plain data in, plain data out (`Parts`); the tokenizer itself is in `bpe`. Files are written whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import regex

from lmcourse import atomic
from lmcourse.tokenizers.bpe_pretokenize import GPT2_PATTERN

FORMAT, VERSION = "lmcourse-bpe", 1

#: GPT-2's split after each digit was cut off, as one pattern: a digit stands alone, takes no space before it, and white
#: space before a digit counts as white space at an end. `tokenizer.json` files of Llama-style models ask for it.
SINGLE_DIGITS_PATTERN = r"\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+"


class Parts(NamedTuple):
    """What a tokenizer is made of, and the file it comes from or goes to."""

    path: str
    merges: list[tuple[bytes, bytes]]
    pattern: str
    special_tokens: dict[str, int]
    ids: dict[bytes, int]


# The visible alphabet -------------------------------------------------------------------------------------------------


def _byte_alphabet() -> dict[int, str]:
    """One visible character for each byte, so that any token can be written in a text file.

    The 188 bytes that Latin-1 prints keep their character; the other 68 (controls, blanks, the soft hyphen) get the
    characters from U+0100 on, in order: the space becomes U+0120. Source: Radford et al. 2019, released code.
    """
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = count(0x100)
    return {byte: chr(byte if byte in visible else next(spare)) for byte in range(256)}


_TO_TEXT = _byte_alphabet()
_TO_BYTE = {character: byte for byte, character in _TO_TEXT.items()}


def token_to_text(token: bytes) -> str:
    """A token's bytes in GPT-2's visible alphabet: b" the" is written with U+0120 in place of the space."""
    return token.decode("latin-1").translate(_TO_TEXT)


def text_to_token(text: str) -> bytes:
    """The reverse of `token_to_text`; ValueError if a character is outside the alphabet."""
    try:
        return bytes(map(_TO_BYTE.__getitem__, text))
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} in {text!r} is outside GPT-2's byte alphabet") from None


def merge_from_text(merge: Any) -> tuple[bytes, bytes]:
    """A merge written "left right" or ["left", "right"]."""
    sides = merge.split(" ") if isinstance(merge, str) else merge
    if not isinstance(sides, list) or len(sides) != 2 or not all(isinstance(side, str) for side in sides):
        raise ValueError(f"a merge must be two tokens, got {merge!r}")
    return text_to_token(sides[0]), text_to_token(sides[1])


def _merges_to_text(merges: Iterable[tuple[bytes, bytes]]) -> list[str]:
    return [f"{token_to_text(left)} {token_to_text(right)}" for left, right in merges]


# Reading and writing safely -------------------------------------------------------------------------------------------


@contextmanager
def _blaming(path: str | os.PathLike) -> Iterator[None]:
    """Turns whatever goes wrong while reading a damaged file into a ValueError that names it."""
    try:
        yield
    except json.JSONDecodeError as error:
        raise ValueError(f"{os.fspath(path)} is damaged: not valid JSON, {error}.") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{os.fspath(path)} is damaged: not UTF-8, {error}.") from error
    except KeyError as error:
        raise ValueError(f"{os.fspath(path)} is damaged: {error.args[0]!r} is missing.") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{os.fspath(path)} can't be read: {error}.") from error


def _read_json(path: str | os.PathLike) -> dict[str, Any]:
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"a JSON object is expected, got a {type(content).__name__}")
    return content


# Our own format -------------------------------------------------------------------------------------------------------


def write_json(parts: Parts) -> None:
    """Our format: all readable, tokens in the visible alphabet, ids in the order bytes 0 to 255, then merges."""
    tokens = [bytes([value]) for value in range(256)] + [left + right for left, right in parts.merges]
    content = {
        "format": FORMAT,
        "version": VERSION,
        "pattern": parts.pattern,
        "special_tokens": parts.special_tokens,
        "num_merges": len(parts.merges),
        "ids": [parts.ids[token] for token in tokens],
        "merges": _merges_to_text(parts.merges),
    }
    atomic.write(parts.path, json.dumps(content, ensure_ascii=False) + "\n")


def read_json(path: str | os.PathLike) -> Parts:
    """What `write_json` wrote."""
    with _blaming(path):
        content = _read_json(path)
        if content.get("format") != FORMAT:
            raise ValueError(f'its "format" must be {FORMAT!r}, got {content.get("format")!r}')
        if content["version"] != VERSION:
            raise ValueError(f"its version must be {VERSION}, got {content['version']!r}")
        merges = [merge_from_text(merge) for merge in content["merges"]]
        if len(merges) != content["num_merges"]:
            raise ValueError(f"it must hold {content['num_merges']} merges, got {len(merges)}")
        numbers = content["ids"]
        if len(numbers) != 256 + len(merges):
            raise ValueError(f"it must hold {256 + len(merges)} ids, got {len(numbers)}")
        tokens = [bytes([value]) for value in range(256)] + [left + right for left, right in merges]
        return Parts(
            os.fspath(path), merges, content["pattern"], dict(content["special_tokens"]), dict(zip(tokens, numbers))
        )


# GPT-2's files --------------------------------------------------------------------------------------------------------


def read_gpt2_files(vocab_bpe: str | os.PathLike, encoder_json: str | os.PathLike) -> Parts:
    """`vocab.bpe` (a version line, then "left right" a line) and `encoder.json` (token -> id)."""
    with _blaming(vocab_bpe):
        lines = Path(vocab_bpe).read_text(encoding="utf-8").split("\n")
        first = 1 if lines[0].startswith("#version") else 0
        merges = [merge_from_text(line.rstrip("\r")) for line in lines[first:] if line.strip()]
    with _blaming(encoder_json):
        ids, special_tokens = split_vocabulary(_read_json(encoder_json), merges)
    return Parts(os.fspath(encoder_json), merges, GPT2_PATTERN, special_tokens, ids)


def split_vocabulary(
    vocabulary: dict[str, int], merges: list[tuple[bytes, bytes]]
) -> tuple[dict[bytes, int], dict[str, int]]:
    """Ids of bytes and merged tokens, and of whatever else is in the vocabulary: the special_tokens."""
    remaining = dict(vocabulary)
    ids: dict[bytes, int] = {}
    tokens = [bytes([value]) for value in range(256)] + [left + right for left, right in merges]
    for token in dict.fromkeys(tokens):
        ids[token] = remaining.pop(token_to_text(token))
    return ids, remaining


# Hugging Face's tokenizer.json ----------------------------------------------------------------------------------------


def write_tokenizer_json(parts: Parts) -> None:
    """One file that Hugging Face tokenizers reads with `Tokenizer.from_file`, and we with `read_tokenizer_json`."""
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    pre_tokenizer: dict[str, Any]
    if parts.pattern == GPT2_PATTERN:
        pre_tokenizer = {**byte_level, "use_regex": True}
    else:
        split = {"type": "Split", "pattern": {"Regex": parts.pattern}, "behavior": "Isolated", "invert": False}
        pre_tokenizer = {"type": "Sequence", "pretokenizers": [split, {**byte_level, "use_regex": False}]}
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    in_order = sorted(parts.special_tokens.items(), key=lambda item: item[1])
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": number, "content": name, **flags} for name, number in in_order],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": {**byte_level, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            # Specials stand here too, as in GPT-2's own file: so their ids need not follow the others.
            "vocab": {token_to_text(token): number for token, number in parts.ids.items()} | dict(in_order),
            "merges": _merges_to_text(parts.merges),
        },
    }
    atomic.write(parts.path, json.dumps(content, ensure_ascii=False) + "\n")


def read_tokenizer_json(path: str | os.PathLike) -> Parts:
    """A byte-level BPE `tokenizer.json`; ValueError names whatever in it this library does not do."""
    with _blaming(path):
        content = _read_json(path)
        model = content["model"]
        if model.get("type", "BPE") != "BPE":
            raise ValueError(f"its model must be BPE, got {model['type']!r}")
        for option in ("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"):
            if model.get(option):
                raise ValueError(f"its model option {option!r} = {model[option]!r} is not supported here")
        if model.get("ignore_merges"):
            raise ValueError("its model option 'ignore_merges' is not supported here")
        normalizer = content.get("normalizer")
        if normalizer is not None and normalizer != {"type": "Sequence", "normalizers": []}:
            raise ValueError(f"its normalizer must be null, got {normalizer.get('type')!r}")
        pattern = _pattern_of(content.get("pre_tokenizer"))
        merges = [merge_from_text(merge) for merge in model["merges"]]
        special_tokens = {added["content"]: added["id"] for added in content.get("added_tokens") or ()}
        vocabulary = {token: number for token, number in model["vocab"].items() if token not in special_tokens}
        ids, left_over = split_vocabulary(vocabulary, merges)
        if left_over:
            some = ", ".join(map(repr, list(left_over)[:3]))
            raise ValueError(f"its vocabulary must hold bytes, merged tokens and added tokens only, got also {some}")
        return Parts(os.fspath(path), merges, pattern, special_tokens, ids)


def _pattern_of(pre_tokenizer: Any) -> str:
    """The split pattern that a `pre_tokenizer` entry amounts to."""
    stages = [pre_tokenizer] if pre_tokenizer and pre_tokenizer["type"] != "Sequence" else []
    if pre_tokenizer and not stages:
        stages = pre_tokenizer["pretokenizers"]
    kinds = [stage["type"] for stage in stages]
    if not stages or kinds[-1] != "ByteLevel":
        raise ValueError(f"its pre-tokenizer must end in ByteLevel, got {kinds}")
    byte_level = stages[-1]
    if byte_level.get("add_prefix_space"):
        raise ValueError("its ByteLevel option 'add_prefix_space' is not supported here")
    use_regex = byte_level.get("use_regex", True)
    if kinds == ["ByteLevel"]:
        return GPT2_PATTERN if use_regex else r"[\s\S]+"
    if kinds == ["Digits", "ByteLevel"] and stages[0].get("individual_digits") and use_regex:
        return SINGLE_DIGITS_PATTERN
    if kinds == ["Split", "ByteLevel"] and not use_regex:
        split = stages[0]
        # What matches is a piece; "Removed" with invert also makes pieces of the matches, and drops what lies between.
        if (split.get("behavior"), split.get("invert", False)) in {("Isolated", False), ("Removed", True)}:
            kind, text = next(iter(split["pattern"].items()))
            return text if kind == "Regex" else regex.escape(text)
    raise ValueError(f"its pre-tokenizer is not supported here: {json.dumps(pre_tokenizer)}")
