"""Answers that are alike, for a person to look at: alike answers to a short exercise are no evidence of anything."""

import io
import itertools
import keyword
import token
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lmcourse.grader.page import Page
from lmcourse.grader.results import Result, write_table

COLUMNS = ("assignment", "student", "other student", "answers alike", "of", "tokens alike", "tasks")
_RUN = 5  # tokens that are compared together
_ALIKE = 0.8  # share of the runs of two answers that both have
_SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def tokens_of(source: str) -> tuple[str, ...]:
    """The tokens of an answer without comments, layout and texts; a name counts as the how-manieth new name it is."""
    names: dict[str, str] = {}
    found = []
    try:
        for each in tokenize.generate_tokens(io.StringIO(source).readline):
            if each.type == token.STRING:
                found.append("text")
            elif each.type == token.NAME and not keyword.iskeyword(each.string):
                found.append(names.setdefault(each.string, f"name {len(names)}"))
            elif each.type not in _SILENT:
                found.append(each.string)
    except (tokenize.TokenError, SyntaxError):
        return ()
    return tuple(found)


def alike_rows(page: Page, results: Iterable[Result]) -> list[dict[str, Any]]:
    """A row for each two students who have an alike answer, those with the most alike tokens first.

    Left out are answers of fewer than twenty tokens, those that are alike to the course's own, which learners may read,
    and those that more than a quarter of the class have (of a class of eight or more).
    """
    mine = sorted((result for result in results if result.assignment == page.name), key=lambda result: result.student)
    most = max(2, len(mine) // 4)
    pairs: dict[tuple[str, str], dict[str, int]] = {}
    for task in (task.name for task in page.tasks):
        own = _runs(tokens_of(page.solution.get(task, "")))
        found = {}
        for result in mine:
            tokens = tokens_of(result.answers.get(task, ""))
            if len(tokens) >= 20 and not _are_alike(_runs(tokens), own):
                found[result.student] = (len(tokens), _runs(tokens))
        together = [
            (one, other)
            for one, other in itertools.combinations(found, 2)
            if _are_alike(found[one][1], found[other][1])
        ]
        common = {student for student in found if sum(student in pair for pair in together) >= most}
        for one, other in together:
            if not (len(mine) >= 8 and {one, other} <= common):
                pairs.setdefault((one, other), {})[task] = min(found[one][0], found[other][0])
    rows = [
        (page.name, one, other, len(tasks), len(page.tasks), sum(tasks.values()), ", ".join(tasks))
        for (one, other), tasks in pairs.items()
    ]
    rows.sort(key=lambda row: (-row[5], row[1], row[2]))
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def write_alike(path: Path, page: Page, results: Iterable[Result]) -> None:
    """Write the rows as a table.

    Raises:
        OSError: it cannot be written.
    """
    write_table(path, COLUMNS, alike_rows(page, results))


def _runs(tokens: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {tokens[start : start + _RUN] for start in range(len(tokens) - _RUN + 1)}


def _are_alike(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> bool:
    return len(one & other) >= _ALIKE * len(one | other) > 0
