"""Cutting text into pre-tokens before byte-pair encoding, so that no merge crosses from one word into the next.

Splitting bounds the speed of a tokenizer in Python from below: what follows is one dictionary look-up a pre-token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

#: GPT-2's split: contractions, words and numbers with the space before them, other signs, runs of white space.
#: The last blank of a run is left to the word after it. Source: Radford et al. 2019, section 2.2 (released code).
GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

# The same split for text known to be ASCII, where the three Unicode classes are short lists that the standard library's
# `re` matches about twice as fast. `re`'s own \s won't do: it counts the separators 0x1C to 0x1F as white space.
# Alternatives that begin with different characters may change places: the commonest stand first. ++ never backtracks.
_GPT2_ASCII = (
    r" [A-Za-z]++|[A-Za-z]++|'(?:[stmd]|re|ve|ll)| ?[^\t-\r A-Za-z0-9]++| ?[0-9]++"
    r"|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]+"
)

# Between a visible character and white space GPT2_PATTERN always cuts, and neither side depends on the other.
_GPT2_SAFE_CUT = regex.compile(r"\S(?=\s)")

#: Characters split at a time where a safe cut is known: bounds the memory of the pre-tokens, however long the text.
BLOCK = 1 << 14


class PreTokenizer:
    """Cuts text into pre-tokens by a regular expression of the `regex` package; nothing of the text is lost.

    The pre-tokens are the pattern's matches, left to right. What no match covers becomes a pre-token of its own (as in
    Hugging Face's `Split(..., "isolated")`; tiktoken drops it), so that `"".join(split(text)) == text` for any text.

    What counts as a letter (`\\p{L}`) or a number is set by the Unicode tables of the installed `regex`. tiktoken and
    Hugging Face have tables of their own, of other years, so that a character that is newer than one of them may be
    cut differently beside an apostrophe.

    Args:
        pattern: a regular expression without capturing groups.

    Raises:
        TypeError: `pattern` is not a str.
        ValueError: `pattern` does not compile, or has capturing groups.
    """

    def __init__(self, pattern: str = GPT2_PATTERN) -> None:
        if not isinstance(pattern, str):
            raise TypeError(f"`pattern` must be a str, got {type(pattern).__name__}.")
        try:
            self._compiled = regex.compile(pattern)
        except regex.error as error:
            raise ValueError(
                f"`pattern` must be a regular expression of the regex package, got {pattern!r}: {error}."
            ) from error
        if self._compiled.groups:
            raise ValueError(
                f"`pattern` must have no capturing groups (write (?:...)), got {self._compiled.groups} in {pattern!r}."
            )
        self.pattern = pattern
        self._is_gpt2 = pattern == GPT2_PATTERN
        self._ascii = re.compile(_GPT2_ASCII)

    def split(self, text: str) -> list[str]:
        """The pre-tokens of `text`, in order, as one list."""
        if self._is_gpt2:
            return self._ascii.findall(text) if text.isascii() else self._compiled.findall(text)
        pre_tokens: list[str] = self._compiled.findall(text)
        if sum(map(len, pre_tokens)) != len(text):
            pre_tokens = [part for part, _ in self._with_gaps(text)]
        return pre_tokens

    def blocks(self, text: str) -> Iterator[list[str]]:
        """The pre-tokens of `text`, in order: under GPT2_PATTERN a bounded list at a time, else all in one list.

        So a few foreign letters slow down their own block alone, and a long text is never held as a million strings.
        """
        start, length = 0, len(text)
        while self._is_gpt2 and length - start > BLOCK:
            cut = _GPT2_SAFE_CUT.search(text, start + BLOCK - 1)
            if cut is None:
                break
            yield self.split(text[start : cut.end()])
            start = cut.end()
        yield self.split(text[start:] if start else text)

    def gaps(self, text: str) -> Iterator[str]:
        """The parts of `text` that no match of the pattern covers, in order."""
        return (part for part, matched in self._with_gaps(text) if not matched)

    def _with_gaps(self, text: str) -> Iterator[tuple[str, bool]]:
        """The matches, and what lies between them; each part with whether it is a match. Empty matches are left out."""
        end = 0
        for match in self._compiled.finditer(text):
            if match.start() > end:
                yield text[end : match.start()], False
            if match.end() > match.start():
                yield match.group(), True
            end = match.end()
        if end < len(text):
            yield text[end:], False
