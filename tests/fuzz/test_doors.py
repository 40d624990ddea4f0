"""What the pages import from the fuzzed rooms is fuzzed, or left out for a stated reason."""

import ast
import inspect
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import jupytext

from tests.fuzz.doors import ROOMS, UNLISTED, parameters, public_callables

TEXTS = Path(__file__).parents[2] / "texts"


@cache
def used_by_pages() -> dict[str, set[str]]:
    """What the pages use of each room by name: "plots.charts.lines" -> the pages."""
    used = defaultdict(set)
    for page in sorted(TEXTS.glob("*/*.md")):
        for name in _used_by(page):
            used[name].add(page.stem)
    return used


def _used_by(page: Path) -> Iterator[str]:
    """What a page imports from the rooms, and what it takes from the modules that it imports."""
    cells = jupytext.reads(page.read_text(encoding="utf-8"), fmt="md:myst").cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    tree = ast.parse("\n".join(line for line in code.splitlines() if not line.lstrip().startswith(("%", "!"))))
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("lmcourse."):
            for each in node.names:
                name = f"{node.module}.{each.name}".removeprefix("lmcourse.")
                if name.split(".")[0] not in ROOMS:
                    continue
                if inspect.ismodule(_value(name)):
                    modules[each.asname or each.name] = name
                yield name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield f"{modules[node.value.id]}.{node.attr}"


def _value(name: str) -> object:
    place, _, last = f"lmcourse.{name}".rpartition(".")
    found = getattr(import_module(place), last, None)
    return import_module(f"lmcourse.{name}") if found is None else found


def _needs_an_example(value: object) -> bool:
    if inspect.isclass(value):
        is_called = not issubclass(value, BaseException) and not getattr(value, "_is_protocol", False)
        return is_called and value.__module__.startswith("lmcourse.") and bool(parameters(value))
    return inspect.isroutine(value) and bool(parameters(value))


def _is_of_one_chapter(name: str, pages: set[str]) -> bool:
    """Whether it is a figure that no two chapters share; a chapter's page and its exercises have one name."""
    return name.startswith("plots.") and len(pages) == 1


def test_the_pages_are_read():
    used = used_by_pages()
    assert {"data.load_text", "models.pretrained.read_gpt", "plots.attention.heat_maps"} <= set(used)
    assert len(used["plots.show"]) > 10


def test_what_pages_use_is_a_door_or_a_figure_of_one_chapter():
    doors = public_callables()
    known = {id(getattr(value, "__func__", value)) for value in doors.values()}
    forgotten = [
        name
        for name, pages in used_by_pages().items()
        if _needs_an_example(_value(name)) and id(_value(name)) not in known and not _is_of_one_chapter(name, pages)
    ]
    assert sorted(forgotten) == []


def test_what_is_unlisted_is_used_by_pages():
    assert sorted(set(UNLISTED) - set(used_by_pages())) == []
