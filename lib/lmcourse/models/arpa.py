r"""The ARPA file: how n-gram models travel between programs.

A text file. A header says how many n-grams of each order there are; then each order has a section with one n-gram a
line: log10 of its probability, a tab, its words, and, if longer n-grams can begin with it, a tab and log10 of its
back-off weight:

    \data\
    ngram 1=5
    ngram 2=7

    \1-grams:
    -0.69897<tab>the<tab>-0.30103
    ...
    \end\

The probability of an n-gram that is not listed is its context's back-off weight (1 if the context is not listed
either) times the probability after the shorter context. Probability 0 is written as -99.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn, TextIO

import numpy as np

from lmcourse import atomic, checks
from lmcourse.models.ngram_counts import END, START
from lmcourse.models.ngram_tables import Table
from lmcourse.models.smoothing import Floats
from lmcourse.tokenizers.vocabulary import UNKNOWN, Vocabulary

_LN10 = math.log(10)
_LOG10_ZERO = -99.0
_BLANKS = re.compile(r"[\0\t\n\v\f\r ]")  # what separates words for KenLM; other Unicode blanks are letters there
_UNKNOWN_TOO = "<UNK>"  # KenLM reads it as <unk>


# ------------------------------------------------------------------------ writing


def write_arpa(path: str | os.PathLike[str], vocabulary: Vocabulary, tables: Sequence[Table]) -> None:
    """Write a model's tables; see `NGramModel.to_arpa`."""
    for token in vocabulary:
        if not token or _BLANKS.search(token):
            raise ValueError(f"`vocabulary` must hold no blanks, which separate words in an ARPA file, got {token!r}.")
        if token == _UNKNOWN_TOO:
            raise ValueError(
                f"`vocabulary` must not hold {_UNKNOWN_TOO!r} for an ARPA file, where programs read it as {UNKNOWN!r}."
            )
    checks.instance((str, os.PathLike), path=path)
    with atomic.replacing(path) as file:
        _write(file, vocabulary, tables)


def _write(file: IO[str], vocabulary: Vocabulary, tables: Sequence[Table]) -> None:
    width = len(vocabulary)
    file.write("\\data\\\n")
    for n, table in enumerate(tables, start=1):
        file.write(f"ngram {n}={len(table)}\n")
    words = list(vocabulary.tokens)
    ngrams: list[str] = []
    for n, table in enumerate(tables, start=1):
        if n == 1:
            ngrams = words
        else:
            contexts, lasts = (table.keys // width).tolist(), (table.keys % width).tolist()
            ngrams = [f"{ngrams[context]} {words[last]}" for context, last in zip(contexts, lasts)]
        probs = _log10(table.logprobs)
        if n == 1:
            probs[vocabulary.index(START)] = 0.0  # never predicted; lmplz writes 0 too
        file.write(f"\n\\{n}-grams:\n")
        if table.backoffs is None:
            file.writelines(f"{p:.10g}\t{ngram}\n" for p, ngram in zip(probs.tolist(), ngrams))
        else:
            rows = zip(probs.tolist(), ngrams, _log10(table.backoffs).tolist())
            file.writelines(f"{p:.10g}\t{ngram}\t{b:.10g}\n" for p, ngram, b in rows)
    file.write("\n\\end\\\n")


def _log10(nats: Floats) -> Floats:
    return np.where(np.isneginf(nats), _LOG10_ZERO, nats / _LN10) + 0.0  # + 0.0 turns -0 into 0


# ------------------------------------------------------------------------ reading


class _Lines:
    """The lines of a file that are not empty, with their numbers."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path, self._lines = path, enumerate(file, start=1)
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        try:
            for number, line in self._lines:
                self.number = number
                text = line.rstrip("\r\n")
                if text.strip(" \t"):
                    yield text
        except UnicodeDecodeError as error:
            self.fail(f"not UTF-8 text ({error.reason})", after=True)

    def error(self, what: str, *, after: bool = False) -> ValueError:
        where = f"after line {self.number}" if after else f"line {self.number}"
        return ValueError(f"{self.path.name}, {where}: damaged ARPA file: {what}.")

    def fail(self, what: str, *, after: bool = False) -> NoReturn:
        raise self.error(what, after=after) from None


def read_arpa(path: str | os.PathLike[str]) -> tuple[Vocabulary, list[Table]]:
    """Read a model's vocabulary and tables; see `NGramModel.from_arpa`.

    `<unk>`, `<s>` and `</s>` are added with probability 0 if the file lacks them.
    """
    checks.instance((str, os.PathLike), path=path)
    path = Path(path)
    with path.open(encoding="utf-8", newline="\n") as file:
        lines = _Lines(path, file)
        stream = iter(lines)
        sizes, line = _read_header(lines, stream)
        known: dict[str, int] = {}
        tables: list[Table] = []
        for n, size in enumerate(sizes, start=1):
            if line != f"\\{n}-grams:":
                lines.fail(f"expected \\{n}-grams:, got {line[:60]!r}")
            section, line = _read_section(lines, stream, n, size, n == len(sizes), known)
            tables.append(_table(lines, section, list(known), tables, n == len(sizes)))
        if line != "\\end\\":
            lines.fail(f"expected \\end\\, got {line[:60]!r}")
    return Vocabulary(list(known)), tables


def _read_header(lines: _Lines, stream: Iterator[str]) -> tuple[list[int], str]:
    for line in stream:
        if line.strip() == "\\data\\":
            break
    else:
        lines.fail("no \\data\\ line", after=True)
    sizes: list[int] = []
    for line in stream:
        match = re.fullmatch(r"ngram\s+(\d+)\s*=\s*(\d+)\s*", line)
        if match is None:
            if not sizes:
                lines.fail(f"expected 'ngram 1=...', got {line[:60]!r}")
            return sizes, line
        if int(match[1]) != len(sizes) + 1:
            lines.fail(f"expected the number of {len(sizes) + 1}-grams, got {line[:60]!r}")
        sizes.append(int(match[2]))
    raise lines.error("it ends in the header", after=True)


@dataclass
class _Section:
    """One order's n-grams as read: word numbers in a row, then one entry an n-gram."""

    n: int
    ids: list[int]
    log10_probs: list[float]
    log10_backoffs: list[float]
    line_numbers: list[int]


def _read_section(
    lines: _Lines, stream: Iterator[str], n: int, size: int, highest: bool, known: dict[str, int]
) -> tuple[_Section, str]:
    """Read one order's n-grams and the line after them; the unigrams fill `known`."""
    section = _Section(n, [], [], [], [])
    for line in stream:
        if line[0] == "\\" and "\t" not in line:
            break
        prob_text, words, *rest = _fields(line, n)
        words = [UNKNOWN if word == _UNKNOWN_TOO else word for word in words]
        if len(words) != n or len(rest) > 1:
            lines.fail(f"a line of the {n}-grams must have {n} words and their numbers, got {line[:60]!r}")
        try:
            prob, backoff = float(prob_text), float(rest[0]) if rest else 0.0
        except ValueError:
            lines.fail(f"expected a number, got {line[:60]!r}")
        if not prob <= 0:
            lines.fail(f"log10 of a probability must not be above 0, got {prob_text}")
        if highest and backoff != 0:
            lines.fail(f"{n}-grams, the longest, must have no back-off weight but 0, got {rest[0]}")
        if not backoff < math.inf:
            lines.fail(f"a back-off weight must be finite, got {rest[0]}")
        if len(section.line_numbers) == size:
            lines.fail(f"more {n}-grams than the {size} the header promises")
        if n == 1 and known.setdefault(words[0], len(known)) < len(section.ids):
            lines.fail(f"the word {words[0]!r} comes twice")
        try:
            section.ids.extend([known[word] for word in words])
        except KeyError as error:
            lines.fail(f"the word {error.args[0]!r} is not among the unigrams")
        section.log10_probs.append(prob)
        section.log10_backoffs.append(backoff)
        section.line_numbers.append(lines.number)
    else:
        lines.fail(f"it ends among the {n}-grams, after {len(section.line_numbers)} of {size}", after=True)
    if len(section.line_numbers) != size:
        lines.fail(f"{len(section.line_numbers)} {n}-grams, the header promises {size}")
    if n == 1:
        for special in (UNKNOWN, START, END):
            if special not in known:
                known[special] = len(known)
                section.ids.append(known[special])
                section.log10_probs.append(_LOG10_ZERO)
                section.log10_backoffs.append(0.0)
        section.log10_probs[known[START]] = _LOG10_ZERO  # given, never predicted, whatever the file says
    return section, line


def _fields(line: str, n: int) -> tuple[Any, ...]:
    """The probability, the words, and what follows; programs other than lmplz may separate them by any blanks."""
    prob, *fields = filter(None, _BLANKS.split(line))
    return prob, fields[:n], *fields[n:]


def _table(lines: _Lines, section: _Section, words: list[str], tables: list[Table], highest: bool) -> Table:
    """Sort an order's n-grams by key; their contexts must have been read before."""
    width, n = len(words), section.n
    ids = np.array(section.ids, np.int64).reshape(-1, n)

    def fail(row: int, what: str) -> NoReturn:
        lines.number = section.line_numbers[row]
        lines.fail(f"{' '.join(words[number] for number in ids[row])!r} {what}")

    index = ids[:, 0]
    for column, table in enumerate(tables[1:], start=1):
        found = table.find(np.maximum(index, 0) * width + ids[:, column])
        index = np.where(index >= 0, found, -1)
    if n > 1:
        if (index < 0).any():
            fail(int(np.argmax(index < 0)), "has a context that is not listed")
        index = index * width + ids[:, -1]
    by_key = np.argsort(index, kind="stable")
    keys = index[by_key]
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        fail(int(by_key[twice[0] + 1]), "comes twice")
    probs, backoffs = (_nats(values)[by_key] for values in (section.log10_probs, section.log10_backoffs))
    return Table(keys, None, None, probs, None if highest else backoffs)


def _nats(log10: list[float]) -> Floats:
    values = np.asarray(log10, np.float64)
    return np.where(values <= _LOG10_ZERO, -np.inf, values * _LN10)
