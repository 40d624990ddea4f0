"""File formats of byte-pair tokenizers: our own JSON, GPT-2's two files, Hugging Face's `tokenizer.json`.

Plain data in, plain data out (`Parts`); the tokenizer itself is in `bpe`. Files are written whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import regex

from lmcourse import checks
from lmcourse.json_format import blaming, read_json, write_json
from lmcourse.tokenizers.bpe_pretokenize import GPT2_PATTERN, PreTokenizer

#: GPT-2's split of what is left when every digit has been cut off, as one pattern: a digit stands alone and takes no
#: space before it, and white space before a digit is treated as white space at the end of a text. The `tokenizer.json`
#: files of Llama-style models ask for it.
SINGLE_DIGITS_PATTERN = r"\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+"

UnicodeForm = Literal["NFC", "NFD", "NFKC", "NFKD"]


class Parts(NamedTuple):
    """What a tokenizer is made of."""

    merges: list[tuple[bytes, bytes]]
    pattern: str
    special_tokens: dict[str, int]
    ids: dict[bytes, int]
    ignore_merges: bool = False
    normalizer: UnicodeForm | None = None


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


# Our own format -------------------------------------------------------------------------------------------------------


def to_json(parts: Parts) -> dict[str, Any]:
    """Our format: readable, tokens in the visible alphabet, ids in the order bytes 0 to 255, then merges."""
    made = _tokens(parts.merges)
    content = {
        "pattern": parts.pattern,
        "special_tokens": parts.special_tokens,
        "num_merges": len(parts.merges),
        "ids": [parts.ids[token] for token in made],
        "merges": _merges_to_text(parts.merges),
    }
    if parts.ignore_merges:
        others = {token_to_text(token): number for token, number in parts.ids.items() if token not in set(made)}
        content |= {"ignore_merges": True, "other_ids": others}
    return content if parts.normalizer is None else content | {"normalizer": parts.normalizer}


def from_json(content: Mapping[str, Any]) -> Parts:
    """The reverse of `to_json`."""
    merges = [merge_from_text(merge) for merge in content["merges"]]
    if len(merges) != content["num_merges"]:
        raise ValueError(f"it must hold {content['num_merges']} merges, got {len(merges)}")
    numbers = content["ids"]
    if len(numbers) != 256 + len(merges):
        raise ValueError(f"it must hold {256 + len(merges)} ids, got {len(numbers)}")
    ids = dict(zip(_tokens(merges), numbers))
    ids |= {text_to_token(text): number for text, number in content.get("other_ids", {}).items()}
    ignore_merges, normalizer = content.get("ignore_merges", False), content.get("normalizer")
    return Parts(merges, content["pattern"], dict(content["special_tokens"]), ids, ignore_merges, normalizer)


def _tokens(merges: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    """All ordinary tokens: the bytes, then what each merge makes."""
    return [bytes([value]) for value in range(256)] + [left + right for left, right in merges]


# GPT-2's files --------------------------------------------------------------------------------------------------------


def read_gpt2_files(vocab_bpe: str | os.PathLike, encoder_json: str | os.PathLike) -> Parts:
    """`vocab.bpe` (a version line, then "left right" a line) and `encoder.json` (token -> id)."""
    checks.file_path(vocab_bpe=vocab_bpe, encoder_json=encoder_json)
    with blaming(vocab_bpe):
        lines = Path(vocab_bpe).read_text(encoding="utf-8").split("\n")
        first = 1 if lines[0].startswith("#version") else 0
        merges = [merge_from_text(line.rstrip("\r")) for line in lines[first:] if line.strip()]
    with blaming(encoder_json):
        ids, special_tokens = split_vocabulary(read_json(encoder_json), merges)
    return Parts(merges, GPT2_PATTERN, special_tokens, ids)


def split_vocabulary(
    vocabulary: Mapping[str, int], merges: list[tuple[bytes, bytes]], beyond: int = 0
) -> tuple[dict[bytes, int], dict[str, int]]:
    """Ids of bytes and merged tokens, and of whatever else is in the vocabulary: the special tokens.

    Some vocabularies lack bytes (SmolLM2's has no token for 21: control characters, and bytes that are rare or
    impossible in UTF-8; one that is trained without `ByteLevel.alphabet()` lacks all that its text had not). These get
    ids after all others, from `beyond` on, so that no text is lost; a model refuses such an id.

    Raises:
        ValueError: a merged token is not in the vocabulary.
    """
    remaining = dict(vocabulary)
    spare = count(max([beyond, *(number + 1 for number in vocabulary.values())]))
    ids: dict[bytes, int] = {}
    for token in dict.fromkeys(_tokens(merges)):
        text = token_to_text(token)
        if text not in remaining and len(token) > 1:
            raise ValueError(f"its vocabulary must hold what its merges make, but {text!r} is not in it")
        ids[token] = remaining.pop(text) if text in remaining else next(spare)
    return ids, remaining


def check_spelling(parts: Parts, others: Iterable[str] = ()) -> None:
    """Raise if a special token has the same text in a file as another token: it would be read as that one.

    Raises:
        ValueError: the first such name, and what is spelled like it.
    """
    spelled = {token_to_text(token): token for token in parts.ids} | {text: text.encode() for text in others}
    for name, number in parts.special_tokens.items():
        token = spelled.get(name)
        if token is not None and (token != name.encode() or parts.ids.get(token) != number):
            raise ValueError(
                f"`special_tokens` must not be spelled as the file spells another token, {token!r}, got {name!r}."
            )


# Hugging Face's tokenizer.json ----------------------------------------------------------------------------------------


def write_tokenizer_json(path: str | os.PathLike[str], parts: Parts) -> None:
    """One file that Hugging Face tokenizers reads with `Tokenizer.from_file`, and we with `read_tokenizer_json`.

    Raises:
        ValueError: what would be read back is not what is written.
    """
    checks.file_path(path=path)
    check_spelling(parts)
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
        "normalizer": None if parts.normalizer is None else {"type": parts.normalizer},
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
            "ignore_merges": parts.ignore_merges,
            # Special tokens stand here too, as in GPT-2's own file, so that their ids need not follow the others.
            "vocab": {token_to_text(token): number for token, number in parts.ids.items()} | dict(in_order),
            "merges": _merges_to_text(parts.merges),
        },
    }
    if _parts_of(content) != parts:
        raise ValueError("`tokenizer` must be one that a tokenizer.json can hold: it would be read back as another.")
    write_json(path, content)


def read_tokenizer_json(path: str | os.PathLike[str]) -> Parts:
    """A byte-level BPE `tokenizer.json`; a ValueError names whatever in it this library does not support."""
    with blaming(path):
        return _parts_of(read_json(path))


def _parts_of(content: Mapping[str, Any]) -> Parts:
    """What the content of a tokenizer.json amounts to."""
    model = content["model"]
    if model.get("type", "BPE") != "BPE":
        raise ValueError(f"its model must be BPE, got {model['type']!r}")
    # What is for unknown bytes changes nothing where all are known.
    for_unknown = () if set(_TO_BYTE) <= model["vocab"].keys() else ("unk_token", "byte_fallback")
    for option in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", *for_unknown):
        if model.get(option):
            raise ValueError(f"its model option {option!r} = {model[option]!r} is not supported here")
    for option in ("truncation", "padding"):
        if content.get(option) is not None:
            raise ValueError(f"its {option!r} must be null, since it is not supported here, got {content[option]}")
    normalizer, ignore_merges = _unicode_form(content.get("normalizer")), bool(model.get("ignore_merges"))
    decoder = content.get("decoder")
    if decoder is not None and decoder["type"] != "ByteLevel":
        raise ValueError(f"its decoder must be ByteLevel, got {decoder['type']!r}")
    pattern = _pattern_of(content.get("pre_tokenizer"))
    merges = [merge_from_text(merge) for merge in model["merges"]]
    special_tokens = {added["content"]: added["id"] for added in _added_tokens(content, normalizer)}
    ids, left_over = split_vocabulary(model["vocab"], merges, max(special_tokens.values(), default=-1) + 1)
    left_over = {token: number for token, number in left_over.items() if token not in special_tokens}
    if ignore_merges:
        ids |= {text_to_token(token): number for token, number in left_over.items()}
    elif left_over:
        some = ", ".join(map(repr, list(left_over)[:3]))
        raise ValueError(f"its vocabulary must hold bytes, merged tokens and added tokens only, got also {some}")
    for name in special_tokens:
        token = text_to_token(name) if name in model["vocab"] and set(name) <= _TO_BYTE.keys() else None
        if (token in ids or (token is not None and ignore_merges)) and token != name.encode():
            raise ValueError(f"its added token {name!r} is spelled like its ordinary token for {token!r}")
    return Parts(merges, pattern, special_tokens, ids, ignore_merges, normalizer)


def _unicode_form(normalizer: Any) -> UnicodeForm | None:
    """The form that a `normalizer` entry amounts to, alone or as the one stage of a sequence."""
    stages = [] if normalizer is None else [normalizer]
    if normalizer is not None and normalizer["type"] == "Sequence":
        stages = normalizer["normalizers"]
    kinds = [stage["type"] for stage in stages]
    if len(kinds) > 1 or not set(kinds) <= set(get_args(UnicodeForm)):
        raise ValueError(f"its normalizer must be null or one of {', '.join(get_args(UnicodeForm))}, got {kinds}")
    return kinds[0] if kinds else None


def _added_tokens(content: Mapping[str, Any], normalizer: UnicodeForm | None) -> list[dict[str, Any]]:
    """The added tokens, none of which may take in the white space beside it or ask for a word boundary."""
    refused = ("lstrip", "rstrip", "single_word", *(() if normalizer is None else ("normalized",)))
    added = list(content.get("added_tokens") or ())
    for token in added:
        for option in refused:
            if token.get(option):
                raise ValueError(
                    f"its added token {token['content']!r} has the option {option!r}, which is not supported here"
                )
    return added


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
        kind, text = next(iter(split["pattern"].items()))
        pattern = text if kind == "Regex" else regex.escape(text)
        behavior = split.get("behavior"), split.get("invert", False)
        if behavior == ("Isolated", False):  # pre-tokens are the matches, and what lies between them
            return pattern
        if behavior == ("Removed", True):  # pre-tokens are the matches; what lies between them is dropped
            lost = _unmatched(pattern)
            if lost is None:
                return pattern
            raise ValueError(
                f"its Split drops what its pattern does not match, {lost!r} for example, which is not supported here"
            )
    raise ValueError(f"its pre-tokenizer is not supported here: {json.dumps(pre_tokenizer)}")


def _unmatched(pattern: str) -> str | None:
    """A character that the pattern leaves out, None if there seems to be none.

    Tried are the Basic Multilingual Plane and one in 64 of the characters above it, each as a whole text, between
    letters, between spaces, and between a line end and a digit: no proof, but all that a split of text could miss.
    """
    matcher = PreTokenizer(pattern)
    characters = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x110000, 64))]
    texts = ["".join(before + character + after for character in characters) for before, after in ("aa", "  ", "\n1")]
    return next((gap for text in (*texts, *characters) for gap in matcher.gaps(text)), None)
