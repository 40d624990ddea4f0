"""The tokenizer of a GGUF file, which holds a quantised model and all it needs: reading and writing it."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmcourse import checks
from lmcourse.extras import needs
from lmcourse.json_format import blaming
from lmcourse.tokenizers.bpe_io import (
    SINGLE_DIGITS_PATTERN,
    Parts,
    UnicodeForm,
    check_spelling,
    merge_from_text,
    split_vocabulary,
    text_to_token,
    token_to_text,
)
from lmcourse.tokenizers.bpe_pretokenize import GPT2_PATTERN

if TYPE_CHECKING:
    import gguf

_NORMAL, _CONTROL, _USER_DEFINED, _UNUSED = 1, 3, 4, 5  # types of tokens: text, special, added, an id without a token

#: The split patterns of Llama 3 and of Qwen2: contractions in any case, words with the one sign before them, signs with
#: the line ends after them. Llama 3 cuts numbers into three digits at most, Qwen2 into single ones.
LLAMA3_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2_PATTERN = LLAMA3_PATTERN.replace(r"\p{N}{1,3}", r"\p{N}")
# What a name says: pattern, `ignore_merges`, normalizer. (llama.cpp itself leaves Qwen's normalizer out.)
_SPLITS: dict[str, tuple[str, bool, UnicodeForm | None]] = {
    "default": (GPT2_PATTERN, False, None),
    "gpt-2": (GPT2_PATTERN, False, None),
    "smollm": (SINGLE_DIGITS_PATTERN, False, None),
    "llama3": (LLAMA3_PATTERN, True, None),
    "llama-bpe": (LLAMA3_PATTERN, True, None),
    "qwen2": (QWEN2_PATTERN, False, "NFC"),
}
_NAMES = {split: name for name, split in _SPLITS.items()}


def open_gguf(path: str | os.PathLike) -> gguf.GGUFReader:
    """The reader of a GGUF file, kept for the next call: the header alone takes seconds, and models read it too.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a GGUF file.
    """
    checks.instance((str, os.PathLike), path=path)
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"`path` must be a GGUF file, there is none at {path.name}.")
    try:
        return _reader(str(path), path.stat().st_mtime_ns)
    except (ValueError, IndexError) as error:
        raise ValueError(f"{path.name} must be a GGUF file, got one that cannot be read: {error}.") from error


@lru_cache(maxsize=1)
def _reader(path: str, changed_ns: int) -> gguf.GGUFReader:  # another time of change is another file
    with needs("lab", "reading a GGUF file"):
        import gguf
        import numpy as np

    class Reader(gguf.GGUFReader):
        """One that cuts the header out of a plain array: cutting a memory map takes several times as long."""

        @property
        def data(self) -> Any:  # an array, where gguf says memmap
            return self._data

        @data.setter
        def data(self, mapped: np.memmap) -> None:
            self._data = mapped.view(np.ndarray)

    return Reader(path)


def read_gguf(path: str | os.PathLike) -> Parts:
    """The byte-level BPE tokenizer of a GGUF file: merges, split pattern by its name, special tokens, ids.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a GGUF file, or holds a tokenizer of another kind.
    """
    reader = open_gguf(path)
    name = Path(path).name

    def field(key: str) -> object:
        found = reader.get_field(f"tokenizer.ggml.{key}")
        if found is None:
            raise ValueError(f"{name} must hold the field tokenizer.ggml.{key}.")
        return found.contents()

    kind, split = field("model"), field("pre")
    if kind != "gpt2":
        raise ValueError(f"`tokenizer.ggml.model` of {name} must be gpt2, byte-level BPE, got {kind!r}.")
    if split not in _SPLITS:
        raise ValueError(f"`tokenizer.ggml.pre` of {name} must be one of {', '.join(_SPLITS)}, got {split!r}.")
    pattern, ignore_merges, normalizer = _SPLITS[str(split)]
    tokens, types = field("tokens"), field("token_type")
    merges = [merge_from_text(merge) for merge in field("merges")]  # type: ignore[attr-defined]
    numbered = list(zip(tokens, types, strict=True))  # type: ignore[call-overload]
    special_tokens = {
        token: number for number, (token, kind) in enumerate(numbered) if kind in (_CONTROL, _USER_DEFINED)
    }
    vocabulary = {token: number for number, (token, kind) in enumerate(numbered) if kind not in (_CONTROL, _UNUSED)}
    with blaming(path):
        ids, left_over = split_vocabulary(vocabulary, merges, len(numbered))
        left_over = {token: number for token, number in left_over.items() if token not in special_tokens}
        if ignore_merges:
            ids |= {text_to_token(token): number for token, number in left_over.items()}
    if left_over and not ignore_merges:
        raise ValueError(
            f"{name} must hold bytes, merged tokens and special tokens only, got also {list(left_over)[:3]}."
        )
    return Parts(merges, pattern, special_tokens, ids, ignore_merges, normalizer)


def add_to_gguf(writer: gguf.GGUFWriter, parts: Parts, vocab_size: int) -> None:
    """Add a tokenizer to a GGUF file that is being written, with one token for each of the model's `vocab_size` ids.

    Raises:
        ValueError: an id that is not below `vocab_size`, a split pattern that has no name in the format, no merges
            (which no reader takes), or a special token that the file would spell like another one.
    """
    with needs("lab", "writing a GGUF file"):
        import gguf
    checks.instance(gguf.GGUFWriter, writer=writer)
    checks.whole(at_least=1, vocab_size=vocab_size)
    split = (parts.pattern, parts.ignore_merges, parts.normalizer)
    if split not in _NAMES:
        raise ValueError(
            "`pattern`, `ignore_merges` and `normalizer` must be those that a name in GGUF stands for "
            f"({', '.join(_NAMES.values())}), got {split!r}."
        )
    texts = {number: token_to_text(token) for token, number in parts.ids.items()}
    texts |= {number: name for name, number in parts.special_tokens.items()}
    if max(texts) >= vocab_size:
        raise ValueError(f"`vocab_size` must be above the highest id, {max(texts)}, got vocab_size={vocab_size}.")
    if not parts.merges:
        raise ValueError("`merges` must hold at least one to be written to a GGUF file: none is read without.")
    unused = {number: f"[UNUSED{number}]" for number in range(vocab_size) if number not in texts}
    check_spelling(parts._replace(ids=dict.fromkeys(parts.ids, -1)), unused.values())
    special = set(parts.special_tokens.values())
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(_NAMES[split])
    writer.add_token_list([(texts | unused)[number] for number in range(vocab_size)])
    writer.add_token_types(
        [_CONTROL if number in special else _NORMAL if number in texts else _UNUSED for number in range(vocab_size)]
    )
    writer.add_token_merges([f"{token_to_text(left)} {token_to_text(right)}" for left, right in parts.merges])
    writer.add_add_bos_token(False)
