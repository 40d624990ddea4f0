"""Byte-level byte-pair encoding: text to token ids and back, exactly.

In reading order: `bpe_pretokenize` cuts text into pieces, `bpe_training` learns merges from counted pieces, `bpe_merging`
applies them to one piece, this module is the tokenizer made of the three, `bpe_io` is its file formats.

Sources: Sennrich, Haddow and Birch 2016 ("Neural machine translation of rare words with subword units"); Radford et al.
2019 ("Language models are unsupervised multitask learners"), section 2.2, for bytes and the split pattern.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

import regex

from lmcourse.tokenizers import bpe_gguf, bpe_io
from lmcourse.tokenizers.bpe_ids import LONE_SURROGATE, check_ids, special_ids, token_ids
from lmcourse.tokenizers.bpe_merging import MergeTable, WordCache
from lmcourse.tokenizers.bpe_pretokenize import GPT2_PATTERN, PreTokenizer
from lmcourse.tokenizers.bpe_training import count_pre_tokens, train_merges


class BPETokenizer:
    """A byte-level BPE tokenizer: a split pattern, merges in order, an id for each token, and special tokens.

    - `decode(encode(text)) == text` for every valid Unicode text, and `decode_bytes(encode_bytes(data)) == data` for
      every bytes object. No text is unknown: in the worst case each byte is its own token.
    - **Specials**: text that looks like a special token is ordinary text unless `encode` is told otherwise with
      `allowed_special`; so a user can't smuggle one in.
    - **Lone surrogates** (half of a UTF-16 pair, such as "\\ud800") are no text and have no UTF-8 form: `encode` raises
      ValueError. To keep such data exactly: `encode_bytes(text.encode("utf-8", "surrogatepass"))`.
    - **Cache**: the ids of up to `cache_size` words of up to 32 characters are remembered (at most 64 Ki words by
      default, some 10 MB for English; `cache_info()` says how much it is now). It changes speed, never ids.

    Args:
        merges: pairs of tokens (bytes, bytes) in the order learnt.
        pattern: how text is cut before merging, a regular expression for the `regex` package without groups.
        special_tokens: names of special tokens, which then get the ids after all others, or a mapping of names to ids.
        ids: id of each of the 256 bytes and of each merged token; by default byte b has id b and merge k has 256 + k.
        cache_size: words remembered by the encoder; 0 for none.

    Attributes:
        merges: as given.
        pattern: as given.
        special_tokens: name -> id.
        training_note: "" or, after `train`, a sentence that says why there are fewer tokens than asked for.

    Raises:
        TypeError: an argument of the wrong kind.
        ValueError: merges out of order or repeated; a bad pattern; a special that is empty, given twice, or equal to an
            ordinary token; ids that miss a token, name an unknown one, repeat, or are negative.
    """

    def __init__(
        self,
        merges: Iterable[tuple[bytes, bytes]] = (),
        *,
        pattern: str = GPT2_PATTERN,
        special_tokens: Iterable[str] | Mapping[str, int] = (),
        ids: Mapping[bytes, int] | None = None,
        cache_size: int = 1 << 16,
    ) -> None:
        if not isinstance(cache_size, int) or cache_size < 0:
            raise ValueError(f"cache_size must be a whole number of words, 0 or more, got {cache_size!r}.")
        self.merges: list[tuple[bytes, bytes]] = [(left, right) for left, right in merges]
        self.training_note = ""
        self._pre_tokenizer = PreTokenizer(pattern)
        self._table = MergeTable(self.merges)
        self._id_of_token = token_ids(self._table.tokens, ids)
        self.special_tokens: dict[str, int] = special_ids(special_tokens, self._id_of_token)
        self._ids = [self._id_of_token[token] for token in self._table.tokens]  # by symbol number
        self._bytes_of: dict[int, bytes] = {number: token for token, number in self._id_of_token.items()}
        self._bytes_of.update((number, name.encode("utf-8")) for name, number in self.special_tokens.items())
        self._cache = WordCache(self._encode_piece, cache_size)

    # Making one -------------------------------------------------------------------------------------------------------

    @classmethod
    def train(
        cls,
        text: str | Iterable[str],
        vocab_size: int,
        *,
        pattern: str = GPT2_PATTERN,
        special_tokens: Sequence[str] = (),
        progress: bool = False,
    ) -> BPETokenizer:
        """Learns `vocab_size - 256 - len(special_tokens)` merges from text.

        The commonest pair is merged first; of equally common ones, the first in byte order (left token, then right).
        An iterable is read once, item by item; pieces don't cross items. Special tokens in the text are ordinary text.

        If the text runs out of pairs, training stops there, prints one line that says so and keeps it as
        `training_note`; `vocab_size` of the result is then smaller than asked for.

        Args:
            text: what to learn from, a string or an iterable of strings.
            vocab_size: tokens in all: 256 bytes, the merges, the special_tokens.
            pattern: how text is cut before merging.
            special_tokens: special tokens; they get the last ids, in this order.
            progress: show progress bars.

        Raises:
            TypeError: text is not made of str; special_tokens are not str.
            ValueError: the text is empty or holds a lone surrogate; vocab_size is below 256 + len(special_tokens).

        Source: Sennrich et al. 2016, algorithm 1, on the bytes of pieces with counts. Cost: see `train_merges`.
        """
        if not isinstance(vocab_size, int) or isinstance(vocab_size, bool):
            raise TypeError(f"vocab_size must be an int, got {vocab_size!r}.")
        names = list(special_ids(special_tokens, {bytes([b]): b for b in range(256)}))
        num_merges = vocab_size - 256 - len(names)
        if num_merges < 0:
            raise ValueError(
                "vocab_size must be at least 256 (one token for each byte) plus the number of special_tokens, "
                f"got vocab_size={vocab_size} with {len(names)} special_tokens."
            )
        counts = count_pre_tokens(text, PreTokenizer(pattern), progress=progress)
        if not any(counts):
            raise ValueError("text must hold at least one character to learn from, got an empty text.")
        merges = train_merges(counts, num_merges, progress=progress)
        tokenizer = cls(merges, pattern=pattern, special_tokens=names)
        if len(merges) < num_merges:
            tokenizer.training_note = (
                f"BPE training stopped early: the text has no pair left after {len(merges)} of {num_merges} merges; "
                f"the vocabulary has {tokenizer.vocab_size} tokens instead of {vocab_size}."
            )
            print(tokenizer.training_note)
        return tokenizer

    @classmethod
    def from_ranks(
        cls,
        ranks: Mapping[bytes, int],
        *,
        pattern: str = GPT2_PATTERN,
        special_tokens: Mapping[str, int] | None = None,
    ) -> BPETokenizer:
        """From tiktoken's form: token -> rank, the rank being both its id and its priority.

        tiktoken merges any neighbours whose bytes together are a token. The merge that makes each token is found again
        by encoding its bytes with the tokens of lower rank, which leaves exactly two parts; ids are then tiktoken's.

        Raises:
            TypeError: a key is not bytes or a rank not an int.
            ValueError: a single byte is missing; ranks repeat; a token is not made of two of lower rank.
        """
        missing = [value for value in range(256) if bytes([value]) not in ranks]
        if missing:
            raise ValueError(f"ranks must hold all 256 single bytes, got none for {bytes(missing[:8])!r}.")
        check_ids(ranks, "ranks")
        table = MergeTable()
        merges = []
        for token in sorted((token for token in ranks if len(token) != 1), key=ranks.__getitem__):
            parts = [table.tokens[ord(symbol)] for symbol in table.apply(token)]
            if len(parts) != 2:
                raise ValueError(
                    "ranks must be those of a byte-pair tokenizer, each token made of two of lower rank, "
                    f"but {token!r} (rank {ranks[token]}) is made of {len(parts)}: {parts!r}."
                )
            table.add(parts[0], parts[1])
            merges.append((parts[0], parts[1]))
        return cls(merges, pattern=pattern, special_tokens=special_tokens or {}, ids=ranks)

    @classmethod
    def from_gpt2_files(cls, vocab_bpe: str | os.PathLike, encoder_json: str | os.PathLike) -> BPETokenizer:
        """GPT-2's own tokenizer from the two files it was published as; ids as in `encoder.json`.

        Args:
            vocab_bpe: the merges, one a line.
            encoder_json: token -> id; what is in it and no merge makes is a special ("<|endoftext|>" is 50256).

        Raises:
            FileNotFoundError: a file is not there.
            ValueError: a file is damaged, with its name and what is wrong.
        """
        return cls._from_parts(bpe_io.read_gpt2_files(vocab_bpe, encoder_json))

    @classmethod
    def load(cls, path: str | os.PathLike) -> BPETokenizer:
        """The tokenizer that `save` wrote.

        Raises:
            FileNotFoundError: no such file.
            ValueError: the file is damaged or of another kind, with its name and what is wrong.
        """
        return cls._from_parts(bpe_io.read_json(path))

    @classmethod
    def from_tokenizer_json(cls, path: str | os.PathLike) -> BPETokenizer:
        """From a `tokenizer.json` of Hugging Face tokenizers, if it is byte-level BPE.

        Added tokens become special_tokens. Ids agree with theirs for `encode(text, add_special_tokens=False)` with
        `allowed_special="all"` here, since their encoder takes added tokens in text for what they look like.

        Raises:
            FileNotFoundError: no such file.
            ValueError: the file is damaged, or uses something this class does not do (a normalizer, dropout, unknown
                tokens, another pre-tokenizer), with its name.
        """
        return cls._from_parts(bpe_io.read_tokenizer_json(path))

    @classmethod
    def from_gguf(cls, path: str | os.PathLike) -> BPETokenizer:
        """The tokenizer that a GGUF file holds beside a model's weights; its control tokens become special_tokens.

        Raises:
            FileNotFoundError: no such file.
            ValueError: no GGUF file, a damaged one, or a tokenizer that is not byte-level BPE with a known split.
        """
        return cls._from_parts(bpe_gguf.read_gguf(path))

    @classmethod
    def _from_parts(cls, parts: bpe_io.Parts) -> BPETokenizer:
        try:
            return cls(parts.merges, pattern=parts.pattern, special_tokens=parts.special_tokens, ids=parts.ids)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{parts.path} is damaged: {error}") from error

    # Writing it -------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike) -> None:
        """Writes a plain JSON file with merges, pattern, special_tokens and ids, whole or not at all."""
        bpe_io.write_json(self._parts(path))

    def to_tokenizer_json(self, path: str | os.PathLike) -> None:
        """Writes a `tokenizer.json` which Hugging Face tokenizers read and give the same ids with.

        They take special_tokens in any text for what they look like, unless `encode_special_tokens` of their tokenizer is
        set to True. A pattern other than GPT2_PATTERN must mean the same in Oniguruma, their regular-expression engine.
        """
        bpe_io.write_tokenizer_json(self._parts(path))

    def to_ranks(self) -> dict[bytes, int]:
        """tiktoken's form, token -> rank, without special_tokens: `tiktoken.Encoding(name, pat_str=tokenizer.pattern,
        mergeable_ranks=tokenizer.to_ranks(), special_tokens=tokenizer.special_tokens)`.

        Raises:
            ValueError: the ids do not follow the order of the merges, which ranks can't express.
        """
        order = self._ids[256:]
        if order != sorted(set(order)):
            raise ValueError("to_ranks needs ids that rise with the order of the merges; these do not.")
        return dict(self._id_of_token)

    def _parts(self, path: str | os.PathLike) -> bpe_io.Parts:
        return bpe_io.Parts(os.fspath(path), self.merges, self.pattern, self.special_tokens, self._id_of_token)

    # Using it ---------------------------------------------------------------------------------------------------------

    @property
    def pattern(self) -> str:
        return self._pre_tokenizer.pattern

    @property
    def vocab_size(self) -> int:
        """One more than the highest id, the rows an embedding table needs: the number of tokens if no id is skipped."""
        return max(self._bytes_of) + 1

    def encode(self, text: str, *, allowed_special: Collection[str] = ()) -> list[int]:
        """The ids of `text`.

        Args:
            text: any valid Unicode text; "" gives [].
            allowed_special: the special tokens that may be recognised in the text, or "all". Where one is part of
                another, the longest is taken.

        Raises:
            TypeError: text is not a str; allowed_special is a single string other than "all".
            ValueError: text holds a lone surrogate; allowed_special holds an unknown name.

        Cost: O(length): one regular-expression match and one dictionary look-up a piece seen before.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str (for bytes there is encode_bytes), got {type(text).__name__}.")
        if len(allowed_special) == 0:
            return self._encode_ordinary(text)
        ids: list[int] = []
        parts = self._special_finder(allowed_special).split(text)
        for number, part in enumerate(parts):
            if number % 2:  # a pattern of one group: what it matched stands between what it did not
                ids.append(self.special_tokens[part])
            elif part:
                ids.extend(self._encode_ordinary(part))
        return ids

    def encode_bytes(self, data: bytes) -> list[int]:
        """The ids of any bytes: those of `encode` where the bytes are UTF-8, and exact where they are not."""
        if not isinstance(data, bytes | bytearray):
            raise TypeError(f"data must be bytes, got {type(data).__name__}.")
        text = bytes(data).decode("utf-8", "surrogateescape")  # a bad byte b becomes the lone surrogate 0xDC00 + b
        if LONE_SURROGATE.search(text) is None:
            return self._encode_ordinary(text)
        ids: list[int] = []
        for pieces in self._pre_tokenizer.blocks(text):
            for piece in pieces:  # past the cache, which knows valid text only
                ids.extend(self._encode_piece(piece.encode("utf-8", "surrogateescape")))
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`. Bytes that are no valid UTF-8 (half a character) become U+FFFD; this never fails.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The exact bytes of `ids`, a list or a one-dimensional array or tensor of whole numbers.

        Raises:
            TypeError: ids is not a sequence of whole numbers.
            ValueError: an id is not in the vocabulary.
        """
        return b"".join(self._lookup(ids))

    def tokens(self, text: str, *, allowed_special: Collection[str] = ()) -> list[bytes]:
        """The bytes of each token of `text`, in order: what each id of `encode` stands for."""
        return self._lookup(self.encode(text, allowed_special=allowed_special))

    def cache_info(self) -> dict[str, int]:
        """Words remembered now, the most there can be, and the memory they take: {"words", "limit", "bytes"}."""
        return {"words": len(self._cache), "limit": self._cache.limit, "bytes": self._cache.memory()}

    def clear_cache(self) -> None:
        """Forgets the remembered words (for timing a cold start)."""
        self._cache.clear()

    def __len__(self) -> int:
        return self.vocab_size

    def __repr__(self) -> str:
        return f"BPETokenizer(vocab_size={self.vocab_size}, merges={len(self.merges)}, special_tokens={list(self.special_tokens)})"

    def __reduce__(self) -> tuple:
        return _rebuild, (self._parts(""), self._cache.limit, self.training_note)

    def _encode_ordinary(self, text: str) -> list[int]:
        ids: list[int] = []
        lookup = self._cache.__getitem__
        try:
            for pieces in self._pre_tokenizer.blocks(text):
                ids.extend(chain.from_iterable(map(lookup, pieces)))
        except UnicodeEncodeError:
            at = next(LONE_SURROGATE.finditer(text)).start()
            raise ValueError(
                f"text must be valid Unicode, got the lone surrogate {text[at]!r} at position {at}; "
                'to keep its bytes: encode_bytes(text.encode("utf-8", "surrogatepass")).'
            ) from None
        return ids

    def _encode_piece(self, data: bytes) -> tuple[int, ...]:
        return tuple(map(self._ids.__getitem__, map(ord, self._table.apply(data))))

    def _lookup(self, ids: Iterable[int]) -> list[bytes]:
        listed = ids.tolist() if hasattr(ids, "tolist") else ids  # an array's or tensor's own numbers
        try:
            return list(map(self._bytes_of.__getitem__, listed))
        except KeyError as error:
            number = error.args[0]
            if not isinstance(number, int):
                raise TypeError(f"ids must be whole numbers, got {number!r}.") from None
            raise ValueError(
                f"ids must be ids of this vocabulary (0 to {self.vocab_size - 1}), got {number}."
            ) from None
        except TypeError:
            raise TypeError(f"ids must be a flat sequence of whole numbers, got {type(ids).__name__}.") from None

    def _special_finder(self, allowed: Collection[str]) -> regex.Pattern:
        if isinstance(allowed, str):
            if allowed != "all":
                raise TypeError(f'allowed_special must be a collection of strings or "all", got {allowed!r}.')
            allowed = self.special_tokens
        unknown = [name for name in allowed if name not in self.special_tokens]
        if unknown:
            raise ValueError(
                f"allowed_special must be special_tokens of this tokenizer, {list(self.special_tokens)}, got {unknown}."
            )
        longest_first = sorted(allowed, key=len, reverse=True)
        nothing = r"(?!)"
        return regex.compile("(" + ("|".join(map(regex.escape, longest_first)) or nothing) + ")")


def _rebuild(parts: bpe_io.Parts, cache_size: int, note: str) -> BPETokenizer:
    _, merges, pattern, special_tokens, ids = parts
    tokenizer = BPETokenizer(merges, pattern=pattern, special_tokens=special_tokens, ids=ids, cache_size=cache_size)
    tokenizer.training_note = note
    return tokenizer
