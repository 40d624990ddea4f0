"""The exercises by name, and which of them are projects; their texts tell, so that none is imported to know it."""

import importlib.util
import re
from functools import cache
from pathlib import Path

from assay.mutants import SHORT_S
from lmcourse.contents import contents, entry


def names(chapter: str = "") -> list[str]:
    """The exercises of a chapter ("05"), or of the whole course, in the order of the pages."""
    return [one.name for one in contents().values() if one.chapter.startswith(chapter)]


@cache
def projects() -> list[str]:
    return [name for name in names() if "properties=" in _text(name)]


@cache
def training() -> list[str]:
    """The projects of which a right answer trains a model for long."""
    return [name for name in projects() if any(seconds > SHORT_S for seconds in _seconds(_text(name)))]


def _text(name: str) -> str:
    spec = importlib.util.find_spec(entry(name).module)
    assert spec
    assert spec.origin
    return Path(spec.origin).read_text(encoding="utf-8")


def _seconds(text: str) -> list[float]:
    """What the properties of a project may take, where its text says so: `learns, 3, needs causal, 60 s: ...`."""
    return [float(seconds) for seconds in re.findall(r"^\w[^:\n]*, (\d+) s: ", text, re.MULTILINE)]
