"""WordPiece, BERT's way to cut words with a given vocabulary, and for contrast the fewest pieces a vocabulary allows.

Byte-pair encoding replays its merges; WordPiece takes the longest piece that fits, again and again; neither always
gives the fewest pieces. Sources: Schuster and Nakajima 2012 (vocabulary); Devlin et al. 2019, released code (cutting).
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any

import regex

from lmcourse import checks
from lmcourse.json_format import JSONFormat, blaming
from lmcourse.tokenizers.special_tokens import split_at_special_tokens

#: A longer word becomes one [UNK]. Source: Devlin et al. 2019, released code.
MAX_WORD_LENGTH = 100

#: The names of BERT's special tokens; those that a vocabulary holds are its special tokens.
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

#: Words remembered by `encode`.
CACHE_SIZE = 1 << 16

# The CJK blocks whose characters are words of their own in BERT; kana and hangul are not among them.
_CJK = r"\u4E00-\u9FFF\u3400-\u4DBF\U00020000-\U0002A6DF\U0002A700-\U0002CEAF\uF900-\uFAFF\U0002F800-\U0002FA1F"
# Unicode punctuation, and every ASCII sign that is no letter, digit or space (so "$" and "^" too).
_SIGNS = r"\p{P}!-/:-@\[-`{-~"
_WORDS = regex.compile(rf"[{_CJK}{_SIGNS}]|[^\s{_CJK}{_SIGNS}]+")
# Control (but for tab and line ends, which are white space), format, private and surrogate characters, and U+FFFD.
_DROPPED = regex.compile(r"[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\p{Cf}\p{Co}\p{Cs}\uFFFD]")
_ACCENTS = regex.compile(r"\p{Mn}+")


class WordPiece(JSONFormat):
    """BERT's tokenizer: words, lower-cased and without accents, cut into the longest pieces of a fixed vocabulary.

    Text is first cut into words: white space separates them, and a punctuation sign or a Chinese character is a word
    of its own. Each word is then cut from the left, always taking the longest piece in the vocabulary; a piece that
    does not start the word is written with "##". A word that can't be cut in this way, or is longer than 100
    characters, is "[UNK]" as a whole.

    Unlike byte-level BPE this loses spaces, case and accents, and some words: `decode(encode(text))` is not `text`.

    Args:
        vocabulary: the pieces, in order of their ids; "[UNK]" must be among them.
        lower_case: lower-case and strip accents first ("uncased" vocabularies), or neither.

    Attributes:
        vocabulary: piece -> id.
        special_tokens: those of [PAD], [UNK], [CLS], [SEP], [MASK] that the vocabulary holds -> id.

    Raises:
        TypeError: `vocabulary` is a str, or holds something that is not a str.
        ValueError: "[UNK]" is missing, or a piece is empty or given twice.
    """

    FORMAT = "lmcourse-wordpiece"

    def __init__(self, vocabulary: Sequence[str], *, lower_case: bool = True) -> None:
        if isinstance(vocabulary, str) or not isinstance(vocabulary, Iterable):
            raise TypeError(f"`vocabulary` must be a sequence of str, got {vocabulary!r}.")
        self.vocabulary: dict[str, int] = {}
        for number, piece in enumerate(vocabulary):
            if not isinstance(piece, str):
                raise TypeError(f"`vocabulary` must hold str, got {piece!r} as id {number}.")
            if not piece or piece in self.vocabulary:
                raise ValueError(f"`vocabulary` must hold no piece twice and none empty, got {piece!r} as id {number}.")
            self.vocabulary[piece] = number
        if "[UNK]" not in self.vocabulary:
            raise ValueError(f"`vocabulary` must hold '[UNK]', got {len(self.vocabulary)} pieces without it.")
        if not isinstance(lower_case, bool):
            raise TypeError(f"`lower_case` must be True or False, got {lower_case!r}.")
        self.lower_case = lower_case
        self.special_tokens = {name: self.vocabulary[name] for name in SPECIAL_TOKENS if name in self.vocabulary}
        self._pieces = list(self.vocabulary)
        self._longest = max(map(len, self._pieces))
        self._cache: dict[str, list[str]] = {}

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, lower_case: bool | None = None) -> WordPiece:
        """Read BERT's `vocab.txt`, one piece a line with ids from 0, or the JSON file that `save` wrote.

        Args:
            path: the file.
            lower_case: as for the class; None takes what `save` wrote, and True for `vocab.txt`, which can't say.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is not UTF-8, not a vocabulary, or damaged; the message names it.
        """
        with blaming(path):
            text = Path(path).read_text(encoding="utf-8")
        if text.startswith('{"format"'):
            saved = super().load(path)
            return saved if lower_case is None else cls(list(saved.vocabulary), lower_case=lower_case)
        lines = text.split("\n")
        if lines and not lines[-1]:
            lines.pop()  # the end of the last line
        with blaming(path):
            return cls([line.rstrip("\r") for line in lines], lower_case=True if lower_case is None else lower_case)

    def _to_json(self) -> dict[str, Any]:
        return {"lower_case": self.lower_case, "vocabulary": list(self.vocabulary)}

    @classmethod
    def _from_json(cls, content: Mapping[str, Any]) -> WordPiece:
        return cls(content["vocabulary"], lower_case=content["lower_case"])

    @property
    def vocab_size(self) -> int:
        return len(self._pieces)

    def __len__(self) -> int:
        return self.vocab_size

    def __repr__(self) -> str:
        return f"WordPiece(vocab_size={self.vocab_size}, lower_case={self.lower_case})"

    def words(self, text: str) -> list[str]:
        """The words of `text` before they are cut into pieces."""
        if not isinstance(text, str):
            raise TypeError(f"`text` must be a str, got {type(text).__name__}.")
        text = _DROPPED.sub("", text)
        if self.lower_case:
            if not text.isascii():
                text = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
                # Letter by letter, as BERT's tokenizers in use do it: str.lower alone would write a final sigma.
                text = text.replace("\u03a3", "\u03c3")
            text = text.lower()
        return _WORDS.findall(text)

    def tokens(self, text: str, *, allowed_special: Collection[str] = ()) -> list[str]:
        """The pieces of `text`, "##" before those that continue a word.

        Args:
            text: any text.
            allowed_special: the special tokens that may be recognised in the text ("[MASK]", say), or "all"; others are
                ordinary text, that is a bracket, a word and a bracket.

        Raises:
            TypeError: `text` is not a str; `allowed_special` is a single string other than "all".
            ValueError: `allowed_special` holds an unknown name.
        """
        if not isinstance(text, str):
            raise TypeError(f"`text` must be a str, got {type(text).__name__}.")
        pieces: list[str] = []
        for number, part in enumerate(split_at_special_tokens(text, allowed_special, self.special_tokens)):
            if number % 2:
                pieces.append(part)
            else:
                pieces.extend(piece for word in self.words(part) for piece in self._cut(word))
        return pieces

    def encode(self, text: str, *, allowed_special: Collection[str] = ()) -> list[int]:
        """The ids of the pieces of `text`; no [CLS] or [SEP] is added. Arguments and errors as for `tokens`."""
        return [self.vocabulary[piece] for piece in self.tokens(text, allowed_special=allowed_special)]

    def encode_pair(
        self, first: str, second: str | None = None, *, allowed_special: Collection[str] = ()
    ) -> tuple[list[int], list[int]]:
        """What BERT is fed: [CLS] first [SEP], or [CLS] first [SEP] second [SEP].

        Returns:
            ids and segments, of one length; segments are 0 up to the first [SEP] and 1 after it.

        Raises:
            ValueError: the vocabulary has no [CLS] or [SEP].

        Source: Devlin et al. 2019, figure 2.
        """
        checks.instance(str, first=first)
        checks.instance((str, NoneType), second=second)
        missing = [name for name in ("[CLS]", "[SEP]") if name not in self.special_tokens]
        if missing:
            raise ValueError(f"`vocabulary` must hold [CLS] and [SEP] for encode_pair, got one without {missing}.")
        separator = self.special_tokens["[SEP]"]
        ids = [self.special_tokens["[CLS]"], *self.encode(first, allowed_special=allowed_special), separator]
        segments = [0] * len(ids)
        if second is not None:
            more = [*self.encode(second, allowed_special=allowed_special), separator]
            ids, segments = ids + more, segments + [1] * len(more)
        return ids, segments

    def decode(self, ids: Iterable[int]) -> str:
        """The pieces of `ids` with a space between words; "##" pieces are joined to what stands before.

        Raises:
            ValueError: an id is out of range.
            TypeError: `ids` is not a flat sequence of whole numbers.
        """
        if not isinstance(ids, Iterable):
            raise TypeError(f"`ids` must be a flat sequence of whole numbers, got {ids!r}.")
        listed = ids.tolist() if hasattr(ids, "tolist") else list(ids)
        words: list[str] = []
        for number in listed:
            if not hasattr(number, "__index__"):
                raise TypeError(f"`ids` must be whole numbers, got {number!r}.")
            if not 0 <= number < len(self._pieces):
                raise ValueError(f"`ids` must be between 0 and {len(self._pieces) - 1}, got {number}.")
            piece = self._pieces[number]
            if piece.startswith("##") and words:
                words[-1] += piece[2:]
            else:
                words.append(piece)
        return " ".join(words)

    def _cut(self, word: str) -> list[str]:
        """Longest piece first, from the left; ["[UNK]"] if that gets stuck."""
        known = self._cache.get(word)
        if known is not None:
            return known
        pieces: list[str] = []
        start = 0 if len(word) <= MAX_WORD_LENGTH else len(word) + 1
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                if prefix + word[start:end] in self.vocabulary:
                    pieces.append(prefix + word[start:end])
                    start = end
                    break
            else:
                start = len(word) + 1  # nothing fits here
        if start > len(word):
            pieces = ["[UNK]"]
        if len(self._cache) >= CACHE_SIZE:
            self._cache.clear()
        self._cache[word] = pieces
        return pieces


def fewest_pieces(word: str, vocabulary: Container[str], *, continuation: str = "") -> list[str]:
    """The fewest pieces of `vocabulary` that spell `word`, by dynamic programming from its end.

    best(i) = 1 + min over j of best(j), for every piece word[i:j] in the vocabulary; best(len(word)) = 0. Of several
    ways with equally few pieces, the one with the longest first piece is taken, then with the longest second piece.

    Args:
        word: what to cut; "" gives [].
        vocabulary: anything that supports `piece in vocabulary`.
        continuation: written before each piece but the first, as in the vocabulary ("##" for WordPiece).

    Raises:
        TypeError: `word` or `continuation` is not a str.
        ValueError: no sequence of pieces spells the word.

    Cost: O(n^2) look-ups for n characters.
    """
    for name, value in (("word", word), ("continuation", continuation)):
        if not isinstance(value, str):
            raise TypeError(f"`{name}` must be a str, got {value!r}.")
    checks.instance(Container, vocabulary=vocabulary)
    length = len(word)
    unreachable = length + 1
    best = [unreachable] * length + [0]  # pieces needed from here to the end
    step = [0] * length  # where the best first piece from here ends
    for start in range(length - 1, -1, -1):
        for end in range(length, start, -1):
            piece = (continuation if start else "") + word[start:end]
            if best[end] + 1 < best[start] and piece in vocabulary:
                best[start], step[start] = best[end] + 1, end
    if best[0] >= unreachable:
        raise ValueError(
            f"`vocabulary` must be able to spell `word`, got {word!r}, which none of its pieces combine to."
        )
    pieces, start = [], 0
    while start < length:
        pieces.append((continuation if start else "") + word[start : step[start]])
        start = step[start]
    return pieces
