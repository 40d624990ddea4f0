"""Saving an object as one plain JSON file that states what it holds and in which version."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self

from lmcourse import atomic, checks


class JSONFormat:
    """A class whose objects can be turned into JSON values and back; it adds `save` and `load`.

    A subclass names its `FORMAT` and writes `_to_json` and `_from_json`. Reading such a file never runs code.
    """

    FORMAT: ClassVar[str]
    VERSION: ClassVar[int] = 1

    def _to_json(self) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def _from_json(cls, content: Mapping[str, Any]) -> Self:
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Everything that `from_dict` needs to build an equal object, as JSON values."""
        return {"format": self.FORMAT, "version": self.VERSION, **self._to_json()}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """The object that `to_dict` described.

        Raises:
            ValueError: `content` is of another format or version, or damaged.
        """
        try:
            return cls._checked(content)
        except _DamageError as error:
            raise ValueError(f"`content` must describe a {cls.__name__}: {error}") from error.__cause__

    @classmethod
    def _checked(cls, content: Mapping[str, Any]) -> Self:
        with _damage():
            if not isinstance(content, Mapping):
                raise ValueError(f"a JSON object is expected, got a {type(content).__name__}")
            if content.get("format") != cls.FORMAT:
                raise ValueError(f'its "format" must be {cls.FORMAT!r}, got {content.get("format")!r}')
            if content["version"] != cls.VERSION:
                raise ValueError(f"its version must be {cls.VERSION}, got {content['version']!r}")
            return cls._from_json(content)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one JSON file, whole or not at all: an old file at `path` survives a failure."""
        write_json(path, self.to_dict())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The object that `save` wrote.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the file is damaged or of another kind; the message names it and says what is wrong.
        """
        with blaming(path):
            return cls._checked(read_json(path))


def write_json(path: str | os.PathLike[str], content: Mapping[str, Any]) -> None:
    """Write `content` as JSON in UTF-8, whole or not at all."""
    checks.instance((str, os.PathLike), path=path)
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    try:
        data = text.encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form, but it has a JSON escape
        data = json.dumps(content, allow_nan=False).encode()
    atomic.write(path, data + b"\n")


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a file. Call it inside `blaming(path)`, which turns its errors into clear ones."""
    content = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    if not isinstance(content, dict):
        raise ValueError(f"a JSON object is expected, got a {type(content).__name__}")
    return content


@contextmanager
def blaming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn whatever goes wrong while a damaged file is read into a ValueError that names the file."""
    checks.instance((str, os.PathLike), path=path)
    try:
        with _damage():
            yield
    except _DamageError as error:
        raise ValueError(f"{os.fspath(path)} can't be read: {error}") from error.__cause__


class _DamageError(ValueError):
    """What is wrong with content that was read, as a sentence."""


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except _DamageError:
        raise
    except json.JSONDecodeError as error:
        raise _DamageError(f"it is not valid JSON, {error}.") from error
    except UnicodeDecodeError as error:
        raise _DamageError(f"it is not UTF-8 text, {error}.") from error
    except RecursionError as error:
        raise _DamageError("it is nested too deeply.") from error
    except KeyError as error:
        raise _DamageError(f"{error.args[0]!r} is missing.") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise _DamageError(f"{str(error).rstrip('.')}.") from error
