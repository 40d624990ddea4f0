"""The file in which an n-gram model is kept whole: a NumPy archive (.npz) of plain arrays and one JSON header.

NumPy and a zip program can read it; nothing in it is pickled, so that reading it never runs code. The zip format keeps
a checksum of every array.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmcourse import atomic, checks
from lmcourse.json_format import blaming
from lmcourse.models.ngram_counts import END, START
from lmcourse.models.ngram_tables import Table
from lmcourse.models.smoothing import (
    MLE,
    AbsoluteDiscounting,
    AddK,
    Interpolated,
    KneserNey,
    Smoothing,
    StupidBackoff,
)
from lmcourse.tokenizers.vocabulary import UNKNOWN, Vocabulary

FORMAT, VERSION = "lmcourse-ngram", 1

_SMOOTHINGS = {kind.__name__: kind for kind in (MLE, AddK, Interpolated, StupidBackoff, AbsoluteDiscounting, KneserNey)}
_ARRAYS = ("keys", "counts", "continuation_counts", "logprobs", "backoffs")


@dataclass
class State:
    """All that a fitted model holds."""

    smoothing: Smoothing | None
    discounts: tuple[tuple[float, ...], ...]
    fell_back: tuple[int, ...]
    vocabulary: Vocabulary
    tables: list[Table]


def write(path: str | os.PathLike[str], state: State) -> None:
    """Write a model's state, whole or not at all."""
    smoothing = state.smoothing
    if smoothing is not None and type(smoothing) not in _SMOOTHINGS.values():
        raise TypeError(f"`smoothing` must be one of {', '.join(_SMOOTHINGS)} to be saved, got {smoothing!r}.")
    header = {
        "format": FORMAT,
        "version": VERSION,
        "order": len(state.tables),
        "smoothing": None if smoothing is None else {"name": type(smoothing).__name__, **vars(smoothing)},
        "discounts": state.discounts,
        "fell_back": state.fell_back,
        "vocabulary": state.vocabulary.to_dict(),
    }
    arrays = {
        f"{name}_{n}": array
        for n, table in enumerate(state.tables, start=1)
        for name in _ARRAYS
        if (array := getattr(table, name)) is not None
    }
    checks.instance((str, os.PathLike), path=path)
    with atomic.replacing(path, binary=True) as file:
        np.savez(file, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays)


def read(path: str | os.PathLike[str]) -> State:
    """What `write` wrote; see `NGramModel.load`."""
    with blaming(path):
        arrays = _arrays(Path(path))
        header = json.loads(arrays.pop("header").tobytes())
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise ValueError(f"its format must be {FORMAT!r}")
        if header["version"] != VERSION:
            raise ValueError(f"its version must be {VERSION}, got {header['version']!r}")
        vocabulary = Vocabulary.from_dict(header["vocabulary"])
        for token in (UNKNOWN, START, END):
            if token not in vocabulary:
                raise ValueError(f"its vocabulary must hold {token!r}")
        return State(
            _smoothing(header["smoothing"]),
            tuple(tuple(values) for values in header["discounts"]),
            tuple(header["fell_back"]),
            vocabulary,
            _tables(arrays, header["order"], len(vocabulary)),
        )


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise ValueError(f"it is not a whole NumPy archive, {error}") from error


def _smoothing(settings: Mapping[str, Any] | None) -> Smoothing | None:
    if settings is None:
        return None
    kinds, settings = _SMOOTHINGS, dict(settings)
    name = settings.pop("name")
    if name not in kinds:
        raise ValueError(f"its smoothing must be one of {', '.join(kinds)}, got {name!r}")
    smoothing: Smoothing = kinds[name](**settings)
    return smoothing


def _tables(arrays: Mapping[str, NDArray[Any]], order: int, width: int) -> list[Table]:
    """The tables, after a check that no search in them can go astray."""
    tables: list[Table] = []
    for n in range(1, order + 1):
        keys = arrays[f"keys_{n}"]
        for name in _ARRAYS:
            array, kind = arrays.get(f"{name}_{n}", keys), "f" if name in ("logprobs", "backoffs") else "i"
            if f"{name}_{n}" in arrays and (array.dtype.kind != kind or array.shape != (len(keys),)):
                raise ValueError(f"its {name}_{n} must be {len(keys)} numbers, got {array.dtype}, {array.shape}")
            if array.dtype.kind == "f" and not np.all(array < np.inf):
                raise ValueError(f"its {name}_{n} must be finite or minus infinity")
        below = width if n == 1 else len(tables[-1]) * width
        if not (np.all(np.diff(keys) > 0) and np.all((keys >= 0) & (keys < below))) or (n == 1 and len(keys) != width):
            raise ValueError(f"its keys_{n} must rise, from 0 or more to less than {below}")
        counts, continuation_counts = arrays.get(f"counts_{n}"), arrays.get(f"continuation_counts_{n}")
        backoffs = None if n == order else arrays[f"backoffs_{n}"]
        tables.append(Table(keys, counts, continuation_counts, arrays[f"logprobs_{n}"], backoffs))
    return tables
