"""How the marking side and a submission's process talk: each message is its length, in four bytes, and then JSON."""

import json
import math
import socket
import struct
import time
from typing import Any

from lmcourse.exercises.codec import CodecError

_LENGTH = struct.Struct(">I")


def send(job: socket.socket, payload: dict[str, Any]) -> None:
    """Send a message."""
    content = json.dumps(payload, separators=(",", ":")).encode()
    job.sendall(_LENGTH.pack(len(content)) + content)


class Frames:
    """What comes out of a socket, message by message; they are read as many at a time as have come.

    Args:
        job: the socket; a timeout that it has is one for each part.
        largest: bytes of the largest message that is read.
    """

    def __init__(self, job: socket.socket, largest: float = math.inf) -> None:
        self._job, self._largest, self._come = job, largest, bytearray()
        self._length: int | None = None  # of the message that is on its way

    def next(self, end: float = math.inf) -> bytes:
        """Return the next message, without its length.

        Args:
            end: when it is too late, by the monotonic clock.

        Raises:
            TimeoutError, EOFError, ConnectionResetError: it does not come; after the first one may wait on.
            CodecError: it is too large.
        """
        if self._length is None:
            (self._length,) = _LENGTH.unpack(self._exactly(_LENGTH.size, end))
        if self._length > self._largest:
            raise CodecError(f"its results take more than {self._largest / 1e6:.0f} MB")
        content = self._exactly(self._length, end)
        self._length = None
        return content

    def _exactly(self, length: int, end: float) -> bytes:
        while len(self._come) < length:
            if time.monotonic() > end:
                raise TimeoutError
            part = self._job.recv(min(max(length - len(self._come), 1 << 16), 1 << 20))
            if not part:
                raise EOFError
            self._come += part
        taken = bytes(self._come[:length])
        del self._come[:length]
        return taken
