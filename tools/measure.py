"""Measure the form of a page: how long it is, how much of it is folded, whether its visible code can be run alone.

    python -m tools.form  # a table for all pages

The limits are those of docs/writing-pages.md. They are held where the front matter says `done: true`; the other pages
are only listed.
"""

import ast
import builtins
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

#: What a page that is done may have at most, and of predictions at least.
LIMITS = {
    "cells": 100,
    "words": 5_000,
    "sections": 8,
    "folded_share": 0.25,
    "checks_in_a_section": 1,
    "folded_in_a_row": 0,
    "names_from_folds": 0,
    "hours": 3.0,
    "long_lines": 0,
    "raw_outputs": 0,
}
FEWEST_PREDICTIONS = 4
WORDS_A_MINUTE, FIGURE_MIN, CODE_MIN, ACT_MIN = 100, 2, 3, 5  # an act: a prediction, or a widget that is played with
LINE = 88  # characters of visible code

_WIDGETS = re.compile(r"^\s*(?:explore|draw.guess_the_next|head_view|model_view)\(", re.MULTILINE)
_PREDICTION = re.compile(r"\*\*(?:Predict|Try it) first")
_NO_WORDS = re.compile(r"<!--.*?-->|\$\$.*?\$\$|</?\w[^>]*>|(?<=\])\([^)\s]*\)", re.DOTALL)
_RAW = re.compile(r"\d\.\d{12}|\btensor\([^)]*dtype=", re.DOTALL)


def rounded_hours(minutes: float) -> float:
    """Return hours to the half.

    >>> rounded_hours(100), rounded_hours(10)
    (1.5, 0.5)
    """
    return max(round(minutes / 30) / 2, 0.5)


@dataclass(frozen=True)
class Measure:
    """What is counted on a page; each name is a limit's, or explains itself."""

    cells: int
    words: int
    sections: int
    folded_share: float
    checks_in_a_section: int
    folded_in_a_row: int
    names: tuple[str, ...]
    figures: int
    visible_code: int
    predictions: int
    widgets: int
    long_lines: int
    raw_outputs: int

    @property
    def names_from_folds(self) -> int:
        return len(self.names)

    @property
    def minutes(self) -> float:
        """How long a reader needs, by one formula for all pages."""
        acts = self.predictions + self.widgets
        return self.words / WORDS_A_MINUTE + FIGURE_MIN * self.figures + CODE_MIN * self.visible_code + ACT_MIN * acts

    @property
    def hours(self) -> float:
        return rounded_hours(self.minutes)

    def over(self) -> list[str]:
        """The limits that the page does not keep, each with what was counted."""
        found = [
            f"{name} {getattr(self, name):.3g} of {limit}"
            for name, limit in LIMITS.items()
            if getattr(self, name) > limit
        ]
        few = self.predictions < FEWEST_PREDICTIONS
        return found + ([f"predictions {self.predictions}, at least {FEWEST_PREDICTIONS}"] if few else [])


def measure(text: Path, page: Path | None = None) -> Measure:
    """Return the measure of a text; with the built page, of its outputs too."""
    cells = jupytext.reads(text.read_text(encoding="utf-8"), fmt="md:myst").cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    visible = [cell for cell in code if "role" not in cell.metadata]
    prose = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    widgets = sum(bool(_WIDGETS.search(cell.source)) for cell in code)
    figures = sum(cell.metadata.get("role") == "figure" for cell in code)
    return Measure(
        cells=len(cells),
        words=sum(bool(re.search(r"\w", word)) for word in _NO_WORDS.sub(" ", prose).split()),
        sections=len(re.findall(r"^## \d+\.", prose, re.MULTILINE)),
        folded_share=(len(code) - len(visible)) / max(len(cells), 1),
        checks_in_a_section=_checks_in_a_section(cells),
        folded_in_a_row=sum("role" in one.metadata and "role" in other.metadata for one, other in pairwise(cells)),
        names=names_from_folds(cells),
        figures=max(figures - widgets, 0),  # a widget is a figure too
        visible_code=len(visible),
        predictions=len(_PREDICTION.findall(prose)),
        widgets=widgets,
        long_lines=sum(len(line) > LINE for cell in visible for line in cell.source.splitlines()),
        raw_outputs=_raw_outputs(page) if page else 0,
    )


def _checks_in_a_section(cells: list[NotebookNode]) -> int:
    """The most cells of checks between two headings of sections."""
    counts = [0]
    for cell in cells:
        if cell.cell_type == "markdown" and re.search(r"^## ", cell.source, re.MULTILINE):
            counts.append(0)
        counts[-1] += cell.metadata.get("role") == "check"
    return max(counts)


def names_from_folds(cells: list[NotebookNode]) -> tuple[str, ...]:
    """The names that visible cells use and only folded cells, above or below, define or import."""
    seen: set[str] = set(dir(builtins))
    folded: set[str] = set()
    wanted: dict[str, int] = {}
    for number, cell in enumerate(cells):
        if cell.cell_type != "code":
            continue
        defined, loaded = _names(ast.parse(cell.source))
        if "role" in cell.metadata:
            folded |= defined
            continue
        wanted |= {name: number for name in loaded - seen - defined if name not in wanted}
        seen |= defined
    return tuple(sorted(set(wanted) & folded))


def _names(tree: ast.Module) -> tuple[set[str], set[str]]:
    """The names that a cell defines in any way, and those that it reads."""
    defined: set[str] = set()
    loaded: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            defined |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.Name):
            (loaded if isinstance(node.ctx, ast.Load) else defined).add(node.id)
    return defined, loaded


def _raw_outputs(page: Path) -> int:
    """Outputs with a number of twelve decimals and more, or with a tensor that says its kind."""
    found = 0
    for cell in nbformat.read(page, as_version=4).cells:
        for output in cell.get("outputs", []):
            said = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            found += bool(_RAW.search(said))
    return found
