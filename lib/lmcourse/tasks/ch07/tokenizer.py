"""Project `Tokenizer`: any way to cut bytes into tokens, lossless and shorter than byte pairs within words.

A token is a fixed string of bytes, so the judge can put a text together from its ids by itself, and the table of tokens
is taken before the text to encode is given: what has not been learned cannot be in it. The language is drawn from the
seed.
"""

import operator
import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import regex

from lmcourse.exercises import Case, Task, evidence_is, hints, mistakes, probe, properties
from lmcourse.tasks.ch01.shared import invented_language


class Tokenizer:
    """A tokenizer of bytes that is trained on a text. How it finds its tokens, and how it cuts, is up to you.

    Args:
        vocab_size: the largest number of tokens, at least 256.

    Attributes:
        tokens: after `train` a list of bytes, none of them empty: the token with the id i is tokens[i].

    >>> tokenizer = Tokenizer(258)
    >>> tokenizer.train(b"to be or not to be")
    >>> len(tokenizer.tokens) <= 258
    True
    >>> tokenizer.decode(tokenizer.encode(b"to be, or \\xff?"))
    b'to be, or \\xff?'
    """

    def __init__(self, vocab_size):
        self.vocab_size = vocab_size

    def train(self, text):
        """Find tokens. Whatever was trained before is forgotten, and the same text always gives the same tokens.

        Args:
            text: UTF-8, bytes; it may be short, or empty.
        """
        self.tokens = [bytes([byte]) for byte in range(256)]
        self.merges = []
        lines = [line.decode("latin-1") for line in text.splitlines(keepends=True)]  # a character is a token: chr(id)
        while len(self.tokens) < self.vocab_size:
            counts = Counter()
            for line in lines:
                counts.update(pairwise(line))
            pair = max(counts, key=lambda pair: (counts[pair], pair), default=None)
            if pair is None or counts[pair] < 2:
                break
            new = chr(len(self.tokens))
            self.tokens.append(b"".join(self.tokens[ord(part)] for part in pair))
            self.merges.append(("".join(pair), new))
            lines = [line.replace("".join(pair), new) for line in lines]

    def encode(self, data):
        """Cut data into tokens.

        Args:
            data: any bytes, UTF-8 or not.

        Returns:
            A list of ids; their tokens, joined, are the data.
        """
        line = data.decode("latin-1")
        for pair, new in self.merges:
            line = line.replace(pair, new)
        return [ord(part) for part in line]

    def decode(self, ids):
        """Join tokens.

        Args:
            ids: any ids below len(tokens), in any order: a model may write what no text gives.

        Returns:
            bytes.
        """
        return b"".join(self.tokens[id_] for id_ in ids)


# ----------------------------------------------------------------------------------- what is asked, where the answer is


def use(answer: Callable[..., Any], asked: str, vocab_size: int, text: bytes, *given: Any) -> Any:
    """What a tokenizer that was trained on the text gives: its tokens, before it sees what it is to encode."""
    if asked == "same":
        return _twice(answer, vocab_size, text, *given)
    tokenizer = answer(vocab_size)
    tokenizer.train(text)
    tokens = _tokens(tokenizer, vocab_size)
    if asked == "tokens":
        return tokens
    if asked == "ids":
        return {"tokens": tokens, "ids": [_ids(tokenizer, data) for data in given[0]]}
    ids = [int(part * len(tokens)) for part in given[0]]
    return {"tokens": tokens, "decoded": [tokenizer.decode(part) for part in (ids, ids[:1], [])]}


def _twice(answer: Callable[..., Any], vocab_size: int, text: bytes, other: bytes, data: bytes) -> Any:
    """Two tokenizers of one text, the second after another text, and the first one once more."""
    random.seed(1)
    first = answer(vocab_size)
    first.train(text)
    evidence = {"first": _ids(first, data), "tokens of the first": _tokens(first, vocab_size)}
    random.seed(2)
    second = answer(vocab_size)
    second.train(other)
    evidence |= {"again": _ids(first, data), "tokens again": _tokens(first, vocab_size)}
    second.train(text)
    return evidence | {"second": _ids(second, data), "tokens of the second": _tokens(second, vocab_size)}


def _tokens(tokenizer: Any, vocab_size: int) -> list[Any]:
    """The tokens; of too many, one too many, for a sandbox lets no more out than is right."""
    return [tokenizer.tokens[number] for number in range(min(len(tokenizer.tokens), vocab_size + 1))]


def _ids(tokenizer: Any, data: bytes) -> np.ndarray:
    return np.array([operator.index(number) for number in tokenizer.encode(data)], dtype=np.int64)


# ----------------------------------------------------------------------------------------------- what is judged outside


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with the evidence of a case, or None."""
    kind = list if item.of == "size" else dict
    evidence_is(kind, evidence)
    by = {"size": _judge_size, "lossless": _judge_lossless, "decode": _judge_decode, "same": _judge_same}
    return (by | {"learns": _judge_bar, "beats": _judge_bar})[item.of](item, evidence)


def _table(tokens: Any) -> list[bytes]:
    """The tokens.

    Raises:
        TypeError: they are no list of bytes.
    """
    if type(tokens) is not list or any(type(token) is not bytes for token in tokens):
        raise TypeError("no list of bytes")
    return tokens


def _spelled(tokens: Any, ids: Any) -> bytes | str:
    """What ids stand for, or what is wrong with them."""
    table = _table(tokens)
    if type(ids) is not np.ndarray or ids.dtype != np.int64 or ids.ndim != 1:
        raise TypeError("no ids")
    beyond = [number for number in ids.tolist() if not 0 <= number < len(table)]
    if beyond:
        return f"`encode` gave the id {beyond[0]}, and there are {len(table)} tokens, from 0 on"
    return b"".join(table[number] for number in ids.tolist())


def _judge_size(item: Case, evidence: Any) -> str | None:
    tokens, vocab_size = _table(evidence), item.args[1]
    if len(tokens) > vocab_size:
        return f"there are {vocab_size + 1} tokens or more, and at most {vocab_size} are allowed"
    if b"" in tokens:
        return f"the token {tokens.index(b'')} is empty"
    missing = [byte for byte in range(256) if bytes([byte]) not in tokens]
    if missing:
        return (
            f"no token is the single byte 0x{missing[0]:02X} ({len(missing)} bytes have none): data that hold nothing "
            "else could not be encoded"
        )
    return None


def _judge_lossless(item: Case, evidence: Any) -> str | None:
    texts = item.args[3]
    if len(evidence["ids"]) != len(texts):
        raise ValueError("not ids for each")
    for data, ids in zip(texts, evidence["ids"], strict=True):
        spelled = _spelled(evidence["tokens"], ids)
        if isinstance(spelled, str):
            return spelled
        if spelled != data:
            at = next((at for at, (a, b) in enumerate(zip(data, spelled, strict=False)) if a != b), -1)
            at = at if at >= 0 else min(len(data), len(spelled))
            return (
                f"the tokens of {data[:30]!r}{' ...' if len(data) > len(data[:30]) else ''} ({len(data)} bytes), "
                f"joined, are {len(spelled)} bytes, and other ones from byte {at} on: there "
                f"{data[at : at + 8]!r} became {spelled[at : at + 8]!r}"
            )
    return None


def _judge_decode(item: Case, evidence: Any) -> str | None:
    tokens = _table(evidence["tokens"])
    ids = [int(part * len(tokens)) for part in item.args[3]]
    for given, decoded in zip((ids, ids[:1], []), evidence["decoded"], strict=True):
        wanted = b"".join(tokens[number] for number in given)
        if type(decoded) is not bytes:
            return f"`decode` should return bytes, got {type(decoded).__name__}"
        if decoded != wanted:
            return (
                f"`decode` of {len(given)} ids in any order gave {decoded[:40]!r}, and their tokens, joined, are "
                f"{wanted[:40]!r}"
            )
    return None


def _judge_same(item: Case, evidence: Any) -> str | None:
    first, second, again = (evidence[name] for name in ("first", "second", "again"))
    tokens = _table(evidence["tokens of the first"])
    spelled = _spelled(tokens, first)
    if isinstance(spelled, str):
        return spelled
    if spelled != item.args[4]:
        return "the tokens of the text, joined, are not the text"
    if not np.array_equal(first, again) or tokens != _table(evidence["tokens again"]):
        return (
            "a tokenizer encodes the same text differently after another one was trained: what it learned must be its "
            "own, in `self`"
        )
    if not np.array_equal(first, second) or tokens != _table(evidence["tokens of the second"]):
        return (
            "a second tokenizer, trained on another text and then on the same as the first, is not the same: `train` "
            "must forget what was there before, and nothing may be left to chance"
        )
    return None


def _judge_bar(item: Case, evidence: Any) -> str | None:
    (data,), (counted, share) = item.args[3], item.truth
    spelled = _spelled(evidence["tokens"], evidence["ids"][0])
    if isinstance(spelled, str):
        return spelled
    if spelled != data:
        return "the tokens of the text, joined, are not the text, so their number says nothing"
    got, bar = len(data) / len(evidence["ids"][0]), share * counted
    if got < bar:
        return (
            f"on text that it has not seen, {got:.3f} bytes per token; at least {bar:.3f} are asked for, {share:g} "
            f"times the {counted:.3f} of byte pairs within GPT-2's pieces"
        )
    return None


# ------------------------------------------------------------------------------------------------------------ the cases

_SMALL, _LARGE = (384, 3_000), (512, 8_000)  # tokens, and characters to train on
_UNSEEN, _LEAST, _SHARE, _SAYINGS = 5_000, 0.75, 1.07, 4
_GPT2 = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


@lru_cache(maxsize=8)
def _texts(seed: int, vocab_size: int, n_chars: int) -> tuple[bytes, bytes, float]:
    """A text to train on, an unseen one, and the bytes per token that byte pairs within GPT-2's pieces reach on it."""
    write = invented_language(seed, n_sayings=_SAYINGS)
    read, unseen = (write(random.Random(f"{seed} {what}"), n) for what, n in (("read", n_chars), ("unseen", _UNSEEN)))
    read = (
        "".join(f"{word}\n" for word in read.split()[:12]) + read
    )  # the first lines alone are too short to learn from
    pieces = [(piece.encode().decode("latin-1"), n) for piece, n in Counter(_GPT2.findall(read)).items()]
    cut = [piece.encode().decode("latin-1") for piece in _GPT2.findall(unseen)]
    for new in map(chr, range(256, vocab_size)):
        counts: Counter[str] = Counter()
        for piece, n in pieces:
            for left, right in pairwise(piece):
                counts[left + right] += n
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        pieces = [(piece.replace(best, new), n) for piece, n in pieces]
        cut = [piece.replace(best, new) for piece in cut]
    return read.encode(), unseen.encode(), len(unseen.encode()) / sum(map(len, cut))


def cases(seed: int) -> list[Case]:
    rng = random.Random(seed)
    (little, unseen, learned), (read, _, counted) = (_texts(seed, *sizes) for sizes in (_SMALL, _LARGE))
    other = invented_language(seed + 1, n_sayings=_SAYINGS)(random.Random(f"{seed} other"), 1_500).encode()
    short = read[:1_500].decode("utf-8", "ignore").encode()
    word = "".join(rng.sample("abcdefgh", 5)).encode()
    mixed = "na\u00efve \u0434\u0430 \u65e5\u672c \U0001f642\U0001f642 e\u0301\u2003\u00ad".encode()
    spaces = b"  a\t\tb \r\n\r\n   c\n\n\n d  \x0b\x0c\x00\xc2\xa0e   "
    odd = [b"", b"\xff\xfe" + word + b"\xc3", bytes(range(256)), bytes(rng.randrange(256) for _ in range(300)), b"\n"]
    signs = b"<|endoftext|> I'll don't!! __init__ ..., 1234.5 " + word.upper()
    return [
        probe("size", "300 tokens", "tokens", 300, short),
        probe("size", "256 tokens: the bytes alone", "tokens", 256, short),
        probe("size", "a text that is too short for 400 tokens", "tokens", 400, word + b" " + word),
        probe("size", "one letter over and over", "tokens", 300, word[:1] * 40),
        probe("lossless", "bytes that are no text", "ids", 300, short, odd),
        probe("lossless", "other scripts, spaces and signs", "ids", 300, short, [mixed, spaces, signs]),
        probe("lossless", "the text of the training, and words it has not seen", "ids", 300, short,
              [short, word * 3, word[:1] * 50, b" " + word + b".\n" + short[:40]]),
        probe("lossless", "after an empty text", "ids", 300, b"", [short[:80], *odd[:2]]),
        probe("decode", "40 ids in any order", "decoded", 300, short, [rng.random() for _ in range(40)]),
        probe("decode", "ids in any order of a vocabulary of bytes", "decoded", 256, short,
              [rng.random() for _ in range(20)]),
        probe("same", "two texts", "same", 320, short, other, unseen[:400].decode("utf-8", "ignore").encode()),
        probe("learns", f"{_SMALL[0]} tokens", "ids", _SMALL[0], little, [unseen], truth=(learned, _LEAST)),
        probe("beats", f"{_LARGE[0]} tokens", "ids", _LARGE[0], read, [unseen], truth=(counted, _SHARE)),
    ]  # fmt: skip


SLIPS = mistakes("""
within_words: loses beats
    text.splitlines(keepends=True) => regex.findall(rb" ?[^ ]+", text)
  of byte pairs within GPT-2's pieces
not_merged_in_training: loses lossless, decode, same, learns, beats
    line.replace("".join(pair), new) => line
  bytes per token; at least
rarest: loses lossless, decode, same, learns, beats
    max(counts, key => min(counts, key
  bytes per token; at least
one_too_many: loses size, learns, beats
    < self.vocab_size => <= self.vocab_size
  tokens or more, and at most
small_letters: loses lossless
    line = data.decode("latin-1") => line = data.lower().decode("latin-1")
  and other ones from byte
next_id: loses lossless, decode, same, learns, beats
    [ord(part) for part in line] => [(ord(part) + 1) % len(self.tokens) for part in line]
  joined, are not the text
decoded_as_text: loses decode
    in ids => in ids).decode("utf-8", "replace").encode(
  ids in any order gave
str_returned: loses decode
    b"".join(self.tokens[id_] for id_ in ids) => b"".join(self.tokens[id_] for id_ in ids).decode("utf-8", "replace")
  `decode` should return bytes
shared_by_all: loses same
    self.tokens = [ => type(self).tokens = [
    self.merges = [] => type(self).merges = []
  must be its own, in `self`
merges_kept: loses same
    self.merges = [] => self.merges = getattr(self, "merges", [])
  must forget what was there before
ties_by_chance: loses same
    (counts[pair], pair) => (counts[pair], random.random())
  nothing may be left to chance
""")
HINTS = hints("""
- Begin with byte pairs: a list of tokens that starts with the 256 bytes, and a loop that merges the most frequent pair
  of ids and appends the joined token. With one piece for the whole text, `train_bpe` of exercise 6 is nearly that loop.
- Why do byte pairs stop at the end of a word? Only because the text was cut into words first. In a small language many
  words come in company, and a token may be a word and a half. Cut the text into lines instead, or not at all. Break
  ties by a rule, never by chance or by the order of a set.
- A trick that is fast and short: data.decode("latin-1") makes a character of each byte; chr(256) and on stand for new
  tokens, and line.replace(old, new) merges. collections.Counter with itertools.pairwise counts the pairs. More is
  gained by cutting a text into the fewest tokens (exercise 12), and by dropping tokens that are hardly used, to make
  way for others.
""")
PROPERTIES = properties(f"""
size, 1: There are at most `vocab_size` tokens, and each single byte is one of them.
lossless, 2, needs learns: The tokens that `encode` gives, joined, are the data, for any bytes, whatever it was trained
  on.
decode, 1, needs learns: `decode` joins the tokens of any ids, in any order.
same, 1, needs learns: The same text always gives the same tokenizer; a second `train` forgets the first text, and two
  tokenizers share nothing.
learns, 2, needs size, 10 s: Trained with {_SMALL[0]} tokens on {_SMALL[1]:,} characters of a language that is made up
  for the check: on unseen text at least {_LEAST:g} times the bytes per token of byte pairs within GPT-2's pieces (those
  of exercises 2 to 8).
beats, 3, needs size, 10 s: With {_LARGE[0]} tokens, on {_LARGE[1]:,} characters: at least {_SHARE:g} times the bytes
  per token of byte pairs within GPT-2's pieces.
""")
task = Task(
    Tokenizer,
    points=10,
    difficulty=4,
    minutes=60,
    cases=cases,
    call=use,
    judge=judge,
    seconds=60.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
