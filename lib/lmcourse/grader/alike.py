"""Answers that are alike, for a person to look at: alike answers to a short exercise are no evidence of anything."""

import io
import itertools
import keyword
import token
import tokenize
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lmcourse.grader.page import Page
from lmcourse.grader.results import Result, write_table

COLUMNS = ("assignment", "student", "other student", "answers alike", "of", "tokens alike", "tasks", "same comments")
OWN_COLUMNS = ("assignment", "student", "answers", "of", "tasks")
_RUN = 5  # tokens that are compared together
_ALIKE = 0.7  # share of the runs of two answers that both have
_SHORTEST = 20  # tokens: there are too few ways to write less
_TELLING = 20  # characters of a comment that two people do not write by chance
_SILENT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Words:
    """An answer as it is compared.

    Attributes:
        tokens: without comments, layout and what texts say; names begin with "@".
        comments: those that are long enough to tell something.
    """

    tokens: tuple[str, ...] = ()
    comments: frozenset[str] = frozenset()

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        """All that stand together, with names numbered in each, so that a line added elsewhere changes none."""
        return frozenset(map(_numbered, zip(*(self.tokens[start:] for start in range(_RUN)), strict=False)))

    def is_alike(self, other: "Words") -> bool:
        """Whether both have most runs in common."""
        return len(self.runs & other.runs) >= _ALIKE * len(self.runs | other.runs) > 0


def words_of(source: str) -> Words:
    """Read an answer; one that is no Python has no words."""
    tokens, comments = [], set()
    try:
        for each in tokenize.generate_tokens(io.StringIO(source).readline):
            if each.type == token.STRING:
                tokens.append("text")
            elif each.type == token.NAME and not keyword.iskeyword(each.string):
                tokens.append(f"@{each.string}")
            elif each.type == tokenize.COMMENT:
                comments.add(" ".join(each.string.strip("# ").split()))
            elif each.type not in _SILENT:
                tokens.append(each.string)
    except (tokenize.TokenError, SyntaxError):
        return Words()
    return Words(tuple(tokens), frozenset(comment for comment in comments if len(comment) >= _TELLING))


def _numbered(run: tuple[str, ...]) -> tuple[str, ...]:
    names: dict[str, str] = {}
    return tuple(names.setdefault(word, f"@{len(names)}") if word.startswith("@") else word for word in run)


def alike_rows(page: Page, results: Iterable[Result]) -> list[dict[str, Any]]:
    """A row for each two students who have an alike answer, those with the most alike tokens first.

    Alike are two answers with most runs of tokens in common, or with a comment in common that is not the page's. Left
    out are answers of fewer than twenty tokens, those alike to the page's start or to the course's own, which learners
    may read, and those that more than a quarter of the class have (of a class of eight or more).
    """
    mine = sorted((result for result in results if result.assignment == page.name), key=lambda result: result.student)
    most = max(2, len(mine) // 4)
    pairs: dict[tuple[str, str], dict[str, int]] = {}
    said: Counter[tuple[str, str]] = Counter()
    for task in (task.name for task in page.tasks):
        shown = [words_of(source.get(task, "")) for source in (page.solution, page.given)]
        told = frozenset().union(*(words.comments for words in shown))
        found = {}
        for result in mine:
            words = words_of(result.answers.get(task, ""))
            if len(words.tokens) >= _SHORTEST and not any(words.is_alike(known) for known in shown):
                found[result.student] = words
        pairs_of_all = itertools.combinations(found, 2)
        same = {(one, other): found[one].comments & found[other].comments - told for one, other in pairs_of_all}
        together = [pair for pair in same if same[pair] or found[pair[0]].is_alike(found[pair[1]])]
        common = {student for student in found if sum(student in pair for pair in together) >= most}
        for one, other in together:
            if not (len(mine) >= 8 and {one, other} <= common):
                fewest = min(len(found[one].tokens), len(found[other].tokens))
                pairs.setdefault((one, other), {})[task] = fewest
                said[one, other] += len(same[one, other])
    rows = [
        (page.name, one, other, len(tasks), len(page.tasks), sum(tasks.values()), ", ".join(tasks), said[one, other])
        for (one, other), tasks in pairs.items()
    ]
    rows.sort(key=lambda row: (-row[7], -row[5], row[1], row[2]))
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def own_rows(page: Page, results: Iterable[Result]) -> list[dict[str, Any]]:
    """A row for each student with answers that are the course's own, word for word, layout and comments aside."""
    own = {task: words_of(source).tokens for task, source in page.solution.items()}
    rows = []
    for result in sorted(results, key=lambda result: result.student):
        if result.assignment == page.name:
            copied = [
                task
                for task, source in result.answers.items()
                if len(own.get(task, ())) >= _SHORTEST and words_of(source).tokens == own[task]
            ]
            if copied:
                rows.append((page.name, result.student, len(copied), len(page.tasks), ", ".join(copied)))
    rows.sort(key=lambda row: (-row[2], row[1]))
    return [dict(zip(OWN_COLUMNS, row, strict=True)) for row in rows]


def write_alike(folder: Path, page: Page, results: Iterable[Result]) -> None:
    """Write both lists as tables, `NAME-alike.csv` and `NAME-own.csv`.

    Raises:
        OSError: one cannot be written.
    """
    results = list(results)
    write_table(folder / f"{page.name}-alike.csv", COLUMNS, alike_rows(page, results))
    write_table(folder / f"{page.name}-own.csv", OWN_COLUMNS, own_rows(page, results))
