"""Tokens on disk: text files are encoded once, and a training reads the ids from memory-mapped files.

    DIR/tokens.json       what was encoded, and what the shards hold
    DIR/tokenizer.json    the tokenizer
    DIR/train-00000.npy   ids, two bytes each where the vocabulary allows it
    DIR/valid-00000.npy

The text is read block by block, so that its size does not matter to memory. A shard is written whole, then noted in
tokens.json: a process that is killed at any moment goes on after the last shard.
"""

import hashlib
import math
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import regex
from tqdm.auto import tqdm

from lmcourse import atomic, checks, data, json_files
from lmcourse.tokenizers import GPT2_PATTERN, BPETokenizer, load_tokenizer, save_tokenizer

FORMAT = "lmcourse-tokens-1"
END_OF_TEXT = "<|endoftext|>"
BLOCK = 1 << 18  # bytes read at a time
LONGEST = 1 << 24  # of a block without a place to cut
TRAINED_ON = 20_000_000  # bytes of the text that a new tokenizer learns from, in blocks from all over it

# Where the text may be cut so that the ids stay those of the whole: GPT-2's pattern always cuts between a visible
# character and white space. Other patterns are taken to cut after the end of a line.
_CUT = {GPT2_PATTERN: regex.compile(r"\S(?=\s)")}
_CUT_OF_OTHERS = regex.compile(r"\n(?=\S)")


class TokensError(RuntimeError):
    """A folder of tokens is missing, incomplete, damaged, or of another text."""


@dataclass(frozen=True)
class _Part:
    """Bytes `start` to `stop` of a file, which belong to the train or the valid split."""

    path: Path
    start: int
    stop: int
    split: str


def tokenize(
    texts: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    tokenizer: BPETokenizer | int,
    *,
    valid: Sequence[str | os.PathLike[str]] = (),
    valid_share: float = 0.01,
    shard_tokens: int = 10_000_000,
    progress: bool = False,
) -> dict[str, int]:
    """Encode text files into a folder of shards; if it was interrupted, go on where it stopped.

    After each text comes the special token <|endoftext|>, if the tokenizer has it. A folder may get more texts: called
    with those that it has and further ones after them, this encodes the further ones, with the folder's tokenizer.

    Args:
        texts: UTF-8 files.
        out: the folder; made if need be.
        tokenizer: what encodes, or a number: the vocabulary of one that is trained on up to 20 MB of the text, with
            <|endoftext|> as its last token. It is smaller where the text has no more pairs to join.
        valid: files for validation.
        valid_share: without such files, this share of the text is kept for it, from the end.
        shard_tokens: a shard is closed when it holds so many.
        progress: show a bar.

    Returns:
        The number of tokens in "train" and in "valid".

    Raises:
        TokensError: the folder has the tokens of other texts, or of another tokenizer.
        ValueError: no text, a file that is missing, empty or not UTF-8, or a number out of range.
        OSError: a file cannot be read, or the folder not be written.
    """
    for name, files in (("texts", texts), ("valid", valid)):
        if isinstance(files, str | bytes) or not isinstance(files, Sequence):
            raise TypeError(f"`{name}` must be a sequence of paths, got {type(files).__name__}.")
        checks.file_path(**{f"{name}[...]": file for file in files})
    checks.not_empty(texts=texts)
    checks.file_path(out=out)
    checks.instance((BPETokenizer, int), tokenizer=tokenizer)
    if not isinstance(tokenizer, BPETokenizer):
        checks.whole(tokenizer=tokenizer, at_least=257, at_most=1 << 20)
    checks.number(valid_share=valid_share, at_least=0.0, below=1.0)
    checks.whole(shard_tokens=shard_tokens, at_least=1)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    sources = [_source(Path(file), name) for name, files in (("texts", texts), ("valid", valid)) for file in files]
    wanted = {"sources": sources, "valid_files": len(valid), "valid_share": valid_share, "shard_tokens": shard_tokens,
              "runs": [[len(texts), len(valid)]]}  # fmt: skip
    paths = [Path(file) for file in texts]
    manifest = _begun(folder, wanted)
    encoder = _encoder(folder, tokenizer, paths, manifest, progress=progress)
    if manifest is None:
        width = 2 if encoder.vocab_size <= 1 << 16 else 4
        asked = tokenizer if isinstance(tokenizer, int) else None
        manifest = {"format": FORMAT, **wanted, "asked": asked, "vocab_size": encoder.vocab_size,
                    "tokenizer": digest(encoder), "dtype": f"uint{8 * width}", "at": [0, 0],
                    "shards": {"train": [], "valid": []}, "complete": False}  # fmt: skip
        json_files.write(folder / "tokens.json", manifest)
    if not manifest["complete"]:
        parts, at, held_out = [], 0, 0
        for more, more_valid in manifest["runs"]:
            texts_now, valid_now = paths[at : at + more], valid[held_out : held_out + more_valid]
            at, held_out = at + more, held_out + more_valid
            share = 0.0 if held_out else valid_share
            parts += _parts(texts_now, [Path(file) for file in valid_now], share, encoder.pattern)
        _write_shards(folder, manifest, parts, encoder, progress)
    return {split: sum(shard["tokens"] for shard in manifest["shards"][split]) for split in ("train", "valid")}


class TokenShards:
    """The ids of one split, as one array that stays on disk: `tokens[positions]` reads what is asked for.

    Args:
        folder: what `tokenize` has written.
        split: "train" or "valid".

    Attributes:
        tokenizer: what encoded the text.
        vocab_size: of the tokenizer.
        digest: of the tokenizer, to compare it with another.

    Raises:
        TokensError: there is no such folder, it is incomplete, or shards are missing or damaged (all are named).
    """

    def __init__(self, folder: str | os.PathLike[str], split: str) -> None:
        checks.file_path(folder=folder)
        checks.one_of(("train", "valid"), split=split)
        self.folder, self.split = Path(folder), split
        manifest = _manifest(self.folder)
        if manifest is None:
            raise TokensError(
                f"`folder` must hold tokens, {folder} has no tokens.json: write it with "
                f"`lmcourse data tokenize TEXT --out {folder}`."
            )
        if not manifest["complete"]:
            raise TokensError(f"{folder} is incomplete: run the same `lmcourse data tokenize` again to go on.")
        self.vocab_size, self.digest = int(manifest["vocab_size"]), str(manifest["tokenizer"])
        self.dtype = np.dtype(manifest["dtype"])
        self._shards = []
        faults = []
        for shard in manifest["shards"][split]:
            try:
                array = np.load(self.folder / shard["file"], mmap_mode="r")
            except FileNotFoundError:
                faults.append(f"{shard['file']} is missing")
                continue
            except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
                faults.append(f"{shard['file']} is damaged ({error})")
                continue
            if array.shape != (shard["tokens"],) or array.dtype != self.dtype:
                faults.append(f"{shard['file']} is damaged: it must hold {shard['tokens']} ids of {self.dtype}")
            self._shards.append(array)
        if faults:
            raise TokensError(f"{folder} is not whole: {'; '.join(faults)}.")
        self._ends = np.cumsum([0, *(len(shard) for shard in self._shards)])

    @property
    def tokenizer(self) -> BPETokenizer:
        found = _saved_tokenizer(self.folder)
        if not isinstance(found, BPETokenizer) or digest(found) != self.digest:
            raise TokensError(f"{self.folder} has another tokenizer.json than its tokens were made with.")
        return found

    def __len__(self) -> int:
        return int(self._ends[-1])

    def __getitem__(self, positions: np.ndarray | slice) -> np.ndarray:
        """Return the ids at some positions, int64, in the same shape.

        Raises:
            TypeError: `positions` is neither a slice nor an array of whole numbers.
            IndexError: a position that the text does not have; none is counted from the end.
        """
        if isinstance(positions, slice):
            positions = np.arange(*positions.indices(len(self)))
        checks.instance(np.ndarray, positions=positions)
        if positions.dtype.kind not in "iu":
            raise TypeError(f"`positions` must be whole numbers, got {positions.dtype}.")
        if positions.size and (positions.min() < 0 or positions.max() >= len(self)):
            raise IndexError(
                f"`positions` must be 0 to {len(self) - 1}, got {int(positions.min())} to {int(positions.max())}."
            )
        found = np.empty(positions.shape, dtype=np.int64)
        which = np.searchsorted(self._ends, positions, side="right") - 1
        for number in np.unique(which):
            here = which == number
            found[here] = self._shards[number][positions[here] - self._ends[number]]
        return found


def read_tokenizer(path: str | os.PathLike[str]) -> BPETokenizer:
    """Return the byte-level BPE in a file of `save_tokenizer` or a tokenizer.json; "gpt2" is that of GPT-2.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged or of another kind.
        DataUnavailableError: GPT-2's tokenizer is not on this machine, and cannot be fetched.
    """
    checks.file_path(path=path)
    if os.fspath(path) == "gpt2":
        folder = data.fetch("gpt2-merges")
        return BPETokenizer.from_gpt2_files(folder / "vocab.bpe", folder / "encoder.json")
    try:
        found = load_tokenizer(path)
    except ValueError:
        return BPETokenizer.from_tokenizer_json(path)
    if not isinstance(found, BPETokenizer):
        raise ValueError(f"`path` must be that of a byte-level BPE, {path} has a {type(found).__name__}.")
    return found


def digest(tokenizer: BPETokenizer) -> str:
    """Return the SHA-256 of what a tokenizer does: merges, ids, pattern, special tokens."""
    checks.instance(BPETokenizer, tokenizer=tokenizer)
    return hashlib.sha256(repr(sorted(tokenizer.to_dict().items())).encode("utf-8", "surrogatepass")).hexdigest()


def _manifest(folder: Path) -> dict[str, Any] | None:
    try:
        found = json_files.read(folder / "tokens.json")
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise TokensError(f"`folder` must be a folder, {folder} is a file.") from error
    except ValueError as error:
        raise TokensError(f"{error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise TokensError(f"{folder / 'tokens.json'} must be of format {FORMAT!r}, as `lmcourse data tokenize` writes.")
    found = {"runs": None, "asked": None, **found}  # which folders of before have not
    wrong = [name for name, fits in _FIELDS.items() if name not in found or not fits(found[name])]
    if wrong:
        raise TokensError(f"{folder / 'tokens.json'} is damaged: {', '.join(wrong)} must be as it was written.")
    return found


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_count, value))


def _is_shard(value: Any) -> bool:
    """A file of the folder itself, and how many tokens it has."""
    if not isinstance(value, dict) or not isinstance(value.get("file"), str):
        return False
    return _SHARD.fullmatch(value["file"]) is not None and _is_count(value.get("tokens"))


_SHARD = regex.compile(r"(train|valid)-\d+\.npy")
_FIELDS: dict[str, Callable[[Any], bool]] = {  # of tokens.json -> whether a value can be right
    "sources": lambda value: isinstance(value, list),
    "valid_files": _is_count,
    "valid_share": lambda value: isinstance(value, int | float),
    "shard_tokens": _is_count,
    "runs": lambda value: value is None or (isinstance(value, list) and all(map(_is_pair, value))),
    "asked": lambda value: value is None or _is_count(value),
    "vocab_size": _is_count,
    "tokenizer": lambda value: isinstance(value, str),
    "dtype": lambda value: value in ("uint16", "uint32"),
    "shards": lambda value: (
        isinstance(value, dict)
        and all(
            isinstance(value.get(split), list) and all(map(_is_shard, value[split])) for split in ("train", "valid")
        )
    ),
    "at": lambda value: _is_pair(value),
    "complete": lambda value: isinstance(value, bool),
}


def _saved_tokenizer(folder: Path) -> Any:
    """The tokenizer beside the tokens, of whatever kind."""
    try:
        return load_tokenizer(folder / "tokenizer.json")
    except FileNotFoundError as error:
        raise TokensError(f"{folder} is not whole: tokenizer.json is missing.") from error
    except ValueError as error:
        raise TokensError(f"{error}") from error


def _source(path: Path, argument: str) -> dict[str, Any]:
    """How a text is known again: its size and its first bytes."""
    if not path.is_file():
        raise ValueError(f"`{argument}` must be files, there is no file {path}.")
    size = path.stat().st_size
    if size == 0:
        raise ValueError(f"`{argument}` must be files with text, {path} is empty.")
    with path.open("rb") as stream:
        return {"name": path.name, "bytes": size, "begins": hashlib.sha256(stream.read(1 << 16)).hexdigest()}


def _begun(folder: Path, wanted: dict[str, Any]) -> dict[str, Any] | None:
    """Return what earlier runs have noted, if they were of the same texts or of the first of them."""
    manifest = _manifest(folder)
    if manifest is None:
        return None
    (texts, valid), (had, had_valid) = (
        (each["sources"][:border], each["sources"][border:])
        for each in (wanted, manifest)
        for border in [len(each["sources"]) - each["valid_files"]]
    )
    differ = [name for name in ("valid_share", "shard_tokens") if manifest[name] != wanted[name]]
    if texts[: len(had)] != had or valid[: len(had_valid)] != had_valid:
        differ.insert(0, "sources")
    if differ:
        raise TokensError(f"{folder} has the tokens of another run: {', '.join(differ)} differ. Choose another folder.")
    runs = manifest["runs"] or [[len(had), len(had_valid)]]
    if len(texts) + len(valid) > len(had) + len(had_valid):
        more = [len(texts) - len(had), len(valid) - len(had_valid)]
        return manifest | wanted | {"runs": [*runs, more], "complete": False}
    return manifest | {"runs": runs}


def _encoder(
    folder: Path, tokenizer: BPETokenizer | int, paths: Sequence[Path], manifest: dict[str, Any] | None, progress: bool
) -> BPETokenizer:
    """Return the tokenizer, after it was trained if need be; it is in the folder then."""
    path = folder / "tokenizer.json"
    if manifest is not None:
        found = _saved_tokenizer(folder)
        asked = tokenizer if isinstance(tokenizer, int) else digest(tokenizer)
        size = manifest["asked"] or manifest["vocab_size"]
        if not isinstance(found, BPETokenizer) or asked not in (size, digest(found)):
            raise TokensError(f"{folder} has the tokens of another tokenizer. Choose another folder.")
        return found
    if not isinstance(tokenizer, BPETokenizer):
        total = sum(path.stat().st_size for path in paths)
        every = max(1, math.ceil(total / TRAINED_ON))
        whole = [_Part(path, 0, path.stat().st_size, "train") for path in paths]
        blocks = (text for part in whole for text, _ in _blocks(part, part.start, GPT2_PATTERN))
        some = (text for number, text in enumerate(blocks) if number % every == 0)
        tokenizer = BPETokenizer.train(some, tokenizer, special_tokens=[END_OF_TEXT], progress=progress)
    save_tokenizer(tokenizer, path)
    return tokenizer


def _parts(paths: Sequence[Path], valid: Sequence[Path], share: float, pattern: str) -> list[_Part]:
    """Divide the texts between the splits: the last share of the bytes, from a place where it may be cut."""
    sizes = [path.stat().st_size for path in paths]
    border = sum(sizes) if valid else round(sum(sizes) * (1 - share))
    train, held_out, before = [], [], 0
    for path, size in zip(paths, sizes, strict=True):
        cut = min(max(border - before, 0), size)
        if 0 < cut < size:
            cut = _first_cut(path, cut, pattern)
        if cut > 0:
            train.append(_Part(path, 0, cut, "train"))
        if cut < size:
            held_out.append(_Part(path, cut, size, "valid"))
        before += size
    return [*train, *held_out, *(_Part(path, 0, path.stat().st_size, "valid") for path in valid)]


def _blocks(part: _Part, start: int, pattern: str) -> Iterator[tuple[str, int]]:
    """Yield the text of a part from byte `start` on, a block at a time, with the byte after each."""
    with part.path.open("rb") as stream:
        stream.seek(start)
        at, pending = start, b""
        while at < part.stop:
            left = part.stop - at - len(pending)
            pending += stream.read(min(BLOCK, left))
            is_end = at + len(pending) >= part.stop
            size = len(pending) if is_end else _whole_characters(pending)
            try:
                text = pending[:size].decode("utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(f"`texts` must be UTF-8, {part.path} is not at byte {at + error.start}.") from error
            if not is_end:
                size = _last_cut(text, pattern)
                if not size and len(pending) < LONGEST:
                    continue
                size = size or len(text.encode())
                text = pending[:size].decode("utf-8")
            pending, at = pending[size:], at + size
            yield text, at


def _whole_characters(data: bytes) -> int:
    """Return how many bytes the whole characters at the start of UTF-8 bytes have."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:  # the first byte of a character of 2 to 4
            wanted = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(data) if wanted == back else len(data) - back
        if byte < 0x80:
            break
    return len(data)


def _first_cut(path: Path, start: int, pattern: str) -> int:
    """Return the first byte from `start` on at which a file may be cut; its size if there is none nearby."""
    with path.open("rb") as stream:
        stream.seek(start)
        data = stream.read(BLOCK)
    skipped = next((at for at, byte in enumerate(data) if not 0x80 <= byte < 0xC0), len(data))
    text = data[skipped:].decode("utf-8", "ignore")
    found = _CUT.get(pattern, _CUT_OF_OTHERS).search(text)
    return path.stat().st_size if found is None else start + skipped + len(text[: found.end()].encode())


def _last_cut(text: str, pattern: str) -> int:
    """Return the last byte of a text at which it may be cut; 0 if there is none."""
    cut = _CUT.get(pattern, _CUT_OF_OTHERS)
    for tail in (1 << 12, len(text)):
        start = max(0, len(text) - tail)
        ends = [found.end() for found in cut.finditer(text, start)]
        if ends:
            return len(text[: ends[-1]].encode("utf-8"))
    return 0


def _write_shards(
    folder: Path, manifest: dict[str, Any], parts: Sequence[_Part], encoder: BPETokenizer, progress: bool
) -> None:
    dtype, limit = np.dtype(manifest["dtype"]), manifest["shard_tokens"]
    end = encoder.special_tokens.get(END_OF_TEXT)
    number, offset = manifest["at"]
    if number >= len(parts):
        raise TokensError(f"{folder / 'tokens.json'} is damaged: at must be before the end of the text.")
    done = sum(part.stop - part.start for part in parts[:number]) + max(0, offset - parts[number].start)
    held: list[np.ndarray] = []
    with tqdm(total=sum(part.stop - part.start for part in parts), initial=done, unit="B", unit_scale=True,
              disable=not progress, desc="encoding") as bar:  # fmt: skip

        def close(split: str, at: list[int], *, complete: bool = False) -> None:
            shards = manifest["shards"][split]
            if held:
                ids = np.concatenate(held)
                name = f"{split}-{len(shards):05}.npy"
                with atomic.replacing(folder / name, binary=True) as out:
                    np.save(out, ids)
                shards.append({"file": name, "tokens": len(ids)})
                held.clear()
            manifest["at"], manifest["complete"] = at, complete
            json_files.write(folder / "tokens.json", manifest)

        for at in range(number, len(parts)):
            part = parts[at]
            for text, stop in _blocks(part, max(offset, part.start), encoder.pattern):
                bar.update(len(text.encode()))
                held.append(np.fromiter(encoder.encode_iter(text), dtype))
                if sum(map(len, held)) >= limit and stop < part.stop:
                    close(part.split, [at, stop])
            if end is not None:
                held.append(np.array([end], dtype))
            offset = 0
            last = at + 1 == len(parts)
            if last or parts[at + 1].split != part.split or sum(map(len, held)) >= limit:
                close(part.split, [at + 1, 0], complete=last)
