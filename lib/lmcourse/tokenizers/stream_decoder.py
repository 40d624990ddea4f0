"""Decoding token by token: text as it is generated, without ever showing half a character."""

from __future__ import annotations

import codecs
import operator
from collections.abc import Callable, Iterable
from typing import SupportsIndex

from lmcourse import checks


class StreamDecoder:
    """Decodes ids one at a time and gives whole characters only; made by `BPETokenizer.stream_decoder`.

        "".join(decoder.feed(number) for number in ids) + decoder.end() == tokenizer.decode(ids)

    The bytes of one character may lie in several tokens: `feed` holds back an unfinished character until its last byte
    comes. Bytes that can no longer become valid UTF-8 are given as U+FFFD at once, as `decode` gives them.

    Args:
        decode_bytes: ids -> their bytes.
    """

    def __init__(self, decode_bytes: Callable[[Iterable[int]], bytes]) -> None:
        checks.function(decode_bytes=decode_bytes)
        self._decode_bytes = decode_bytes
        self._characters = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, number: SupportsIndex) -> str:
        """The characters that the id `number` completes, "" if there are none yet.

        Raises:
            TypeError: `number` is not a whole number.
            ValueError: it is not an id of the vocabulary.
        """
        checks.whole(number=number)
        return self._characters.decode(self._decode_bytes([operator.index(number)]))

    def end(self) -> str:
        """What is left when no more ids come: "" or U+FFFD for an unfinished character. The decoder begins anew."""
        rest = self._characters.decode(b"", final=True)
        self._characters.reset()
        return rest
