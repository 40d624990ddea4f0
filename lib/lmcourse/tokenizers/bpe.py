"""Byte-level byte-pair encoding: text to token ids and back, exactly.

In reading order: `bpe_pretokenize` cuts text into pre-tokens; `bpe_naive` learns merges from them in the obvious way,
`bpe_training` in a fast one; `bpe_merging` applies merges to one pre-token; this module is the tokenizer made of these;
`bpe_io` holds its file formats.

Sources: Sennrich, Haddow and Birch 2016 ("Neural machine translation of rare words with subword units"); Radford et al.
2019 ("Language models are unsupervised multitask learners"), section 2.2, for bytes and the split pattern.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args

from lmcourse import checks
from lmcourse.json_format import JSONFormat, blaming
from lmcourse.tokenizers import bpe_gguf, bpe_io
from lmcourse.tokenizers.bpe_ids import check_ids, token_ids
from lmcourse.tokenizers.bpe_merging import MergeTable, PreTokenCache
from lmcourse.tokenizers.bpe_pretokenize import GPT2_PATTERN, PreTokenizer
from lmcourse.tokenizers.bpe_training import MAX_MERGES, count_pre_tokens, train_merges
from lmcourse.tokenizers.special_tokens import LONE_SURROGATE, special_token_ids, split_at_special_tokens
from lmcourse.tokenizers.stream_decoder import StreamDecoder

if TYPE_CHECKING:
    from gguf import GGUFWriter


class BPETokenizer(JSONFormat):
    """A byte-level BPE tokenizer: a split pattern, merges in order, an id for each token, and special tokens.

    - `decode(encode(text)) == text` for every valid Unicode text, and `decode_bytes(encode_bytes(data)) == data` for
      every bytes object, but for a `normalizer`. No text is unknown: in the worst case each byte is its own token.
    - **Special tokens**: text that looks like a special token is ordinary text unless `allowed_special` names it, so
      that a user can't smuggle one in.
    - **Lone surrogates** (half of a UTF-16 pair, such as "\\ud800") are not valid text and have no UTF-8 form: `encode`
      raises ValueError. To keep such data exactly: `encode_bytes(text.encode("utf-8", "surrogatepass"))`.
    - **Cache**: the ids of up to `cache_size` pre-tokens of up to 32 characters are remembered (at most 64 Ki by
      default, some 10 MB for English; `cache_info()` gives the present size). It changes speed, never ids.
    - **Threads** may share a tokenizer.
    - **Files**: `save(path)` writes one plain JSON file with everything, `load(path)` reads it.

    Args:
        merges: pairs of tokens (bytes, bytes) in the order learnt.
        pattern: how text is cut before merging, a regular expression for the `regex` package without groups.
        special_tokens: names of special tokens, which then get the ids after all others, or a mapping of names to ids.
        ids: id of each of the 256 bytes and of each merged token; by default byte b has id b and merge k has 256 + k.
        cache_size: how many pre-tokens the encoder remembers; 0 for none.
        ignore_merges: a pre-token that is a token is encoded as that one, whatever its merges would make of it (Llama
            3). `ids` may then hold tokens that no merge makes.
        normalizer: "NFC", "NFD", "NFKC" or "NFKD": text is brought into this Unicode form before it is cut (Qwen's is
            NFC), and `decode` gives that form.

    Attributes:
        merges: as given.
        pattern, ignore_merges, normalizer: as given.
        special_tokens: name -> id.
        training_note: "" or, after `train`, a sentence that says why there are fewer tokens than asked for.

    Raises:
        TypeError: an argument of the wrong kind.
        ValueError: merges out of order or repeated; a bad pattern; a special token that is empty, given twice, or equal
            to an ordinary token; ids that miss a token, name an unknown one, repeat, or are negative.
    """

    FORMAT = "lmcourse-bpe"

    def __init__(
        self,
        merges: Iterable[tuple[bytes, bytes]] = (),
        *,
        pattern: str = GPT2_PATTERN,
        special_tokens: Iterable[str] | Mapping[str, int] = (),
        ids: Mapping[bytes, int] | None = None,
        cache_size: int = 1 << 16,
        ignore_merges: bool = False,
        normalizer: bpe_io.UnicodeForm | None = None,
    ) -> None:
        checks.whole(cache_size=cache_size, at_least=0)
        checks.instance(bool, ignore_merges=ignore_merges)
        checks.one_of((None, *get_args(bpe_io.UnicodeForm)), normalizer=normalizer)
        self.ignore_merges, self.normalizer = ignore_merges, normalizer
        self.merges: list[tuple[bytes, bytes]] = _pairs(merges)
        self.training_note = ""
        self._pre_tokenizer = PreTokenizer(pattern)
        self._table = MergeTable(self.merges)
        self._id_of_token = token_ids(self._table.tokens, ids, others=ignore_merges)
        self.special_tokens: dict[str, int] = special_token_ids(special_tokens, self._id_of_token)
        self._id_of_symbol = {chr(n): self._id_of_token[token] for n, token in enumerate(self._table.tokens)}
        self._bytes_of: dict[int, bytes] = {number: token for token, number in self._id_of_token.items()}
        self._bytes_of.update((number, name.encode("utf-8")) for name, number in self.special_tokens.items())
        self._cache = PreTokenCache(self._encode_pre_token, cache_size)

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
        """Learn `vocab_size - 256 - len(special_tokens)` merges from text.

        The commonest pair is merged first; of equally common ones, the first in byte order (left token, then right).
        An iterable is read once, item by item; pre-tokens don't cross items. What looks like a special token in the
        text is ordinary text.

        If the text runs out of pairs, training stops there, prints one line that says so and keeps it as
        `training_note`; `vocab_size` of the result is then smaller than asked for.

        Args:
            text: what to learn from, a string or an iterable of strings.
            vocab_size: tokens in all: 256 bytes, the merges, the special tokens.
            pattern: how text is cut before merging.
            special_tokens: names of special tokens; they get the last ids, in this order.
            progress: show progress bars.

        Raises:
            TypeError: `text` is not made of str; `special_tokens` are not str; `vocab_size` is not a whole number.
            ValueError: the text is empty or holds a lone surrogate; `vocab_size` is below 256 + len(special_tokens);
                a special token stands within a pre-token of the text, so that training could make it an ordinary one.

        Source: Sennrich et al. 2016, algorithm 1, on the bytes of pre-tokens with counts. Cost: see `train_merges`.
        """
        names = list(special_token_ids(special_tokens, {bytes([b]): b for b in range(256)}))
        checks.whole(vocab_size=vocab_size, at_most=256 + MAX_MERGES + len(names))
        num_merges = vocab_size - 256 - len(names)
        if num_merges < 0:
            raise ValueError(
                "`vocab_size` must be at least 256 (one token for each byte) plus the number of special tokens, "
                f"got vocab_size={vocab_size} with {len(names)} special tokens."
            )
        counts = count_pre_tokens(text, PreTokenizer(pattern), progress=progress)
        if not any(counts):
            raise ValueError("`text` must hold at least one character to learn from, got an empty text.")
        _refuse_learnable(names, counts)
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
        """A tokenizer from tiktoken's form: token -> rank, the rank being both its id and its priority.

        tiktoken merges any neighbours whose bytes together are a token. The merge that makes each token is found again
        by encoding its bytes with the tokens of lower rank, which leaves exactly two parts; ids are then tiktoken's.

        Raises:
            TypeError: a key is not bytes, or a rank not a whole number.
            ValueError: a single byte is missing; ranks repeat; a token is not made of two of lower rank.
        """
        if not isinstance(ranks, Mapping) or not all(isinstance(token, bytes) for token in ranks):
            raise TypeError(f"`ranks` must be a mapping of bytes to whole numbers, got {str(ranks)[:60]}.")
        missing = [value for value in range(256) if bytes([value]) not in ranks]
        if missing:
            raise ValueError(f"`ranks` must hold all 256 single bytes, got none for {bytes(missing[:8])!r}.")
        check_ids(ranks, "ranks")
        table = MergeTable()
        merges = []
        for token in sorted((token for token in ranks if len(token) != 1), key=ranks.__getitem__):
            parts = [table.tokens[ord(symbol)] for symbol in table.apply(token)]
            if len(parts) != 2:
                raise ValueError(
                    "`ranks` must be those of a byte-pair tokenizer, each token made of two of lower rank, "
                    f"but {token!r} (rank {ranks[token]}) is made of {len(parts)}: {parts!r}."
                )
            table.add(parts[0], parts[1])
            merges.append((parts[0], parts[1]))
        return cls(merges, pattern=pattern, special_tokens={} if special_tokens is None else special_tokens, ids=ranks)

    @classmethod
    def from_gpt2_files(cls, vocab_bpe: str | os.PathLike, encoder_json: str | os.PathLike) -> BPETokenizer:
        """GPT-2's own tokenizer from the two files it was published as; ids as in `encoder.json`.

        Args:
            vocab_bpe: the merges, one a line.
            encoder_json: token -> id; a token in it that no merge makes is a special one ("<|endoftext|>" is 50256).

        Raises:
            FileNotFoundError: a file is not there.
            ValueError: a file is damaged, with its name and what is wrong.
        """
        return cls._from_parts(bpe_io.read_gpt2_files(vocab_bpe, encoder_json), encoder_json)

    @classmethod
    def from_tokenizer_json(cls, path: str | os.PathLike) -> BPETokenizer:
        """A tokenizer from a `tokenizer.json` of Hugging Face tokenizers, if it is byte-level BPE.

        Added tokens become special tokens. Ids agree with theirs for `encode(text, add_special_tokens=False)` with
        `allowed_special="all"` here, since their encoder takes added tokens in text for what they look like. Bytes
        that the file has no token for, which theirs leaves out, get ids after all others. Their post-processor, which
        adds special tokens, is not read.

        Raises:
            FileNotFoundError: no such file.
            ValueError: the file is damaged, or asks for something that this class does not support, which is named: a
                normalizer that is no Unicode form, truncation, padding, dropout, unknown tokens, another pre-tokenizer
                or decoder, a split that drops text, added tokens with `lstrip`, `rstrip` or `single_word`, or that are
                looked for in normalized text.
        """
        return cls._from_parts(bpe_io.read_tokenizer_json(path), path)

    @classmethod
    def from_gguf(cls, path: str | os.PathLike) -> BPETokenizer:
        """The tokenizer that a GGUF file holds beside a model's weights; its control tokens become special tokens.

        Raises:
            FileNotFoundError: no such file.
            ValueError: no GGUF file, a damaged one, or a tokenizer that is not byte-level BPE with a known split.
        """
        return cls._from_parts(bpe_gguf.read_gguf(path), path)

    @classmethod
    def _from_parts(cls, parts: bpe_io.Parts, path: str | os.PathLike) -> BPETokenizer:
        with blaming(path):
            return cls(**parts._asdict())

    @classmethod
    def _from_json(cls, content: Mapping[str, Any]) -> BPETokenizer:
        return cls(**bpe_io.from_json(content)._asdict())

    # Writing it -------------------------------------------------------------------------------------------------------

    def _to_json(self) -> dict[str, Any]:
        return bpe_io.to_json(self._parts())

    def to_tokenizer_json(self, path: str | os.PathLike) -> None:
        """Write a `tokenizer.json` with which Hugging Face tokenizers gives the same ids.

        It takes special tokens in any text for what they look like, unless `encode_special_tokens` of its tokenizer is
        set to True. A pattern other than GPT2_PATTERN must mean the same in Oniguruma, its regular-expression engine.

        Raises:
            ValueError: a special token that the file would spell like an ordinary one ("Ġ" is how it writes a space).
        """
        bpe_io.write_tokenizer_json(path, self._parts())

    def add_to_gguf(self, writer: GGUFWriter, vocab_size: int) -> None:
        """Add the tokenizer to a GGUF file that is being written; see `models.export.export_gguf`.

        Args:
            writer: of the gguf package.
            vocab_size: of the model, above every id; ids without a token are marked as unused.

        Raises:
            ValueError: a `vocab_size` that is too small; a split pattern, `ignore_merges` and `normalizer` that have
                no name together in the format; no merges; a special token that the file would spell like another one.
        """
        bpe_gguf.add_to_gguf(writer, self._parts(), vocab_size)

    def to_ranks(self) -> dict[bytes, int]:
        """tiktoken's form, token -> rank, without special tokens: `tiktoken.Encoding(name, pat_str=tokenizer.pattern,
        mergeable_ranks=tokenizer.to_ranks(), special_tokens=tokenizer.special_tokens)`.

        Raises:
            ValueError: a normalizer, a token that no merge makes, or ids that do not follow the order of the merges,
                which ranks can't express.
        """
        if self.normalizer is not None:
            raise ValueError(f"`normalizer` must be None for ranks, which hold none, got {self.normalizer!r}.")
        unmade = self._id_of_token.keys() - self._table.tokens
        if unmade:
            raise ValueError(f"`ids` must name only what merges make to be ranks, got also {min(unmade)!r}.")
        order = list(self._id_of_symbol.values())[256:]
        if order != sorted(set(order)):
            raise ValueError(f"`ids` must rise with the order of the merges to be ranks, got {order[:3]} and so on.")
        return dict(self._id_of_token)

    def _parts(self) -> bpe_io.Parts:
        return bpe_io.Parts(
            self.merges, self.pattern, self.special_tokens, self._id_of_token, self.ignore_merges, self.normalizer
        )

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
            TypeError: `text` is not a str; `allowed_special` is a single string other than "all".
            ValueError: `text` holds a lone surrogate; `allowed_special` holds an unknown name.

        Cost: O(length): one regular-expression match and one dictionary look-up for a pre-token seen before.
        """
        ids: list[int] = []
        for block in self._blocks_of_ids(text, allowed_special):
            ids += block
        return ids

    def encode_iter(self, lines: Iterable[str], *, allowed_special: Collection[str] = ()) -> Iterator[int]:
        """The ids of many texts, one after another, without ever holding them all.

        Each string is a text of its own, as in `train`: first come the ids of `encode` for the first string, then those
        for the second, and so on. So an open file may be encoded line by line, and
        `np.fromiter(tokenizer.encode_iter(lines), np.uint16)` takes two bytes a token. A single str is one text.

        Args:
            lines: an iterable of strings (a generator, an open text file), read as the ids are taken; or one str.
            allowed_special: as for `encode`.

        Raises:
            TypeError, ValueError: at once, `lines` is not an iterable, or `allowed_special` is not what `encode` takes;
                what `encode` raises for a string, as soon as that string is reached.

        Memory: the longest string and the ids of one block of it (16 Ki characters under GPT2_PATTERN).
        """
        if not isinstance(lines, Iterable):
            raise TypeError(f"`lines` must be an iterable of str, got {type(lines).__name__}.")
        split_at_special_tokens("", allowed_special, self.special_tokens)  # refuses bad names now, not at the first id
        texts = [lines] if isinstance(lines, str) else lines
        return chain.from_iterable(ids for text in texts for ids in self._blocks_of_ids(text, allowed_special))

    def encode_bytes(self, data: bytes) -> list[int]:
        """The ids of any bytes: those of `encode` where they are UTF-8; where they are not, exact, not normalized."""
        if not isinstance(data, bytes | bytearray):
            raise TypeError(f"`data` must be bytes, got {type(data).__name__}.")
        text = bytes(data).decode("utf-8", "surrogateescape")  # a bad byte b becomes the lone surrogate 0xDC00 + b
        if LONE_SURROGATE.search(text) is None:
            return self.encode(text)
        ids: list[int] = []
        for pre_tokens in self._pre_tokenizer.blocks(text):
            for pre_token in pre_tokens:  # past the cache, which knows valid text only
                ids.extend(self._encode_pre_token(pre_token.encode("utf-8", "surrogateescape")))
        return ids

    def decode(self, ids: Iterable[int]) -> str:
        """The text of `ids`. Bytes that are not valid UTF-8 (half a character) become U+FFFD.

        Raises:
            TypeError: `ids` is not a sequence of whole numbers.
            ValueError: an id is not in the vocabulary.
        """
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """The exact bytes of `ids`, a list or a one-dimensional array or tensor of whole numbers.

        Raises:
            TypeError: `ids` is not a sequence of whole numbers.
            ValueError: an id is not in the vocabulary.
        """
        return b"".join(self._lookup(ids))

    def stream_decoder(self) -> StreamDecoder:
        """A decoder for ids that come one at a time: it gives whole characters only."""
        return StreamDecoder(self.decode_bytes)

    def tokens(self, text: str, *, allowed_special: Collection[str] = ()) -> list[bytes]:
        """The bytes of each token of `text`, in order: what each id of `encode` stands for."""
        return self._lookup(self.encode(text, allowed_special=allowed_special))

    def cache_info(self) -> dict[str, int]:
        """Pre-tokens remembered now, the most there can be, and their memory: {"pre_tokens", "limit", "bytes"}."""
        return {"pre_tokens": len(self._cache), "limit": self._cache.limit, "bytes": self._cache.memory()}

    def clear_cache(self) -> None:
        """Forget the remembered pre-tokens (to time a cold start)."""
        self._cache.clear()

    def __len__(self) -> int:
        return self.vocab_size

    def __repr__(self) -> str:
        names = list(self.special_tokens)
        return f"BPETokenizer(vocab_size={self.vocab_size}, merges={len(self.merges)}, special_tokens={names})"

    def __reduce__(self) -> tuple:
        return _rebuild, (self._parts(), self._cache.limit, self.training_note)

    def _blocks_of_ids(self, text: str, allowed_special: Collection[str] = ()) -> Iterator[list[int]]:
        """The ids of `text`, a bounded list at a time where the pattern allows it."""
        if not isinstance(text, str):
            raise TypeError(f"`text` must be a str (for bytes there is encode_bytes), got {type(text).__name__}.")
        lookup = self._cache.__getitem__
        for number, part in enumerate(split_at_special_tokens(text, allowed_special, self.special_tokens)):
            if number % 2:
                yield [self.special_tokens[part]]
                continue
            normal = part if self.normalizer is None else unicodedata.normalize(self.normalizer, part)
            try:
                for pre_tokens in self._pre_tokenizer.blocks(normal):
                    yield list(chain.from_iterable(map(lookup, pre_tokens)))
            except UnicodeEncodeError:
                at = next(LONE_SURROGATE.finditer(text)).start()
                raise ValueError(
                    f"`text` must be valid Unicode, got the lone surrogate {text[at]!r} at position {at}; "
                    'to keep its bytes: encode_bytes(text.encode("utf-8", "surrogatepass")).'
                ) from None

    def _encode_pre_token(self, data: bytes) -> tuple[int, ...]:
        if self.ignore_merges and data in self._id_of_token:
            return (self._id_of_token[data],)
        return tuple(map(self._id_of_symbol.__getitem__, self._table.apply(data)))

    def _lookup(self, ids: Iterable[int]) -> list[bytes]:
        listed = ids.tolist() if hasattr(ids, "tolist") else ids  # an array's or tensor's own numbers
        try:
            return list(map(self._bytes_of.__getitem__, listed))
        except KeyError as error:
            number = error.args[0]
            if not isinstance(number, int):
                raise TypeError(f"`ids` must be whole numbers, got {number!r}.") from None
            raise ValueError(
                f"`ids` must be ids of this vocabulary (0 to {self.vocab_size - 1}), got {number}."
            ) from None
        except TypeError:
            raise TypeError(f"`ids` must be a flat sequence of whole numbers, got {type(ids).__name__}.") from None


def _pairs(merges: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    try:
        return [(left, right) for left, right in merges]
    except (TypeError, ValueError):
        raise TypeError(f"`merges` must be an iterable of pairs of bytes, got {str(merges)[:60]}.") from None


def _refuse_learnable(names: Iterable[str], counts: Iterable[str]) -> None:
    """Raise if a special token stands within a pre-token, where training could make its bytes an ordinary token."""
    for name in names:
        inside = next((pre_token for pre_token in counts if name in pre_token), None)
        if inside is not None:
            raise ValueError(
                f"`special_tokens` must not stand within a pre-token of `text`, got {name!r} in {inside!r}; give one "
                "that `pattern` takes apart, such as '<|end|>' under GPT2_PATTERN."
            )


def _rebuild(parts: bpe_io.Parts, cache_size: int, note: str) -> BPETokenizer:
    tokenizer = BPETokenizer(**parts._asdict(), cache_size=cache_size)
    tokenizer.training_note = note
    return tokenizer
