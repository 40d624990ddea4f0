"""Each rule that a statement makes has a case that fails without it: the tables in `rules/`."""

import importlib
import inspect
import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lmcourse.exercises import Case, Compare, Slip, Task, all_tasks, difference, run_answer
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.verdict import Judge

TABLES = sorted(path.stem for path in (Path(__file__).parent / "rules").glob("ch*.py"))
NOTHING = r"(?!)"  # a pattern that matches nowhere
EXACT = Compare(rtol=0.0, atol=0.0)
Broken = str | tuple[str, str] | tuple[tuple[str, str], ...]


def table(chapter: str) -> ModuleType:
    return importlib.import_module(f"tests.tasks.rules.{chapter}")


def tasks_of(chapter: str) -> dict[str, Task]:
    return {task.name: task for task in all_tasks() if task.chapter[:2] == chapter[2:] and not task.properties}


def one_line(text: str) -> str:
    return " ".join(text.split())


def statement(task: Task) -> str:
    return (inspect.getdoc(task.reference) or "").split(">>>")[0]


def clauses(task: Task) -> list[str]:
    """What the statement says, clause by clause, without the names of arguments and errors."""
    items, named = [""], NOTHING
    for line in statement(task).splitlines():
        if line in ("Args:", "Raises:", "Returns:"):
            named = r" {4}\w[\w, ]*: " if line != "Returns:" else NOTHING
            items.append("")
        elif not line:
            named = NOTHING
            items.append("")
        elif re.match(named, line):
            items.append(re.sub(named, "", line, count=1))
        else:
            items[-1] += f" {line.strip()}"
    parts = [part for item in items for part in re.split(r"(?<=[.;])\s+", item.strip())]
    return [part.rstrip(".;") for part in parts if part]


def rules(chapter: str) -> list[tuple[str, str, str, Broken]]:
    return [(name, *rule) for name, rules in table(chapter).RULES.items() for rule in rules]


@cache
def fixed_cases(task_name: str) -> dict[str, Case]:
    """The cases of a task whose arguments are the same for every seed, by label."""
    task = next(task for task in all_tasks() if task.name == task_name)
    drawn = {item.label: item for item in task.cases(1)}

    def same(left: Any, right: Any) -> bool:
        return difference(left, right, EXACT) is None

    return {
        item.label: item
        for item in task.cases(PUBLIC_SEED)
        if item.label in drawn
        and same(list(item.args), list(drawn[item.label].args))
        and same(item.kwargs, drawn[item.label].kwargs)
    }


def test_every_chapter_has_its_table() -> None:
    assert sorted({f"ch{task.chapter[:2]}" for task in all_tasks()}) == TABLES


@pytest.mark.parametrize("chapter", TABLES)
def test_every_exercise_of_the_chapter_is_listed(chapter: str) -> None:
    assert list(table(chapter).RULES) == list(tasks_of(chapter))


@pytest.mark.parametrize("chapter", TABLES)
def test_what_is_quoted_is_said(chapter: str) -> None:
    tasks, noted = tasks_of(chapter), table(chapter).NO_RULE
    quoted = [(name, says) for name, says, *_ in rules(chapter)]
    quoted += [(name, says) for name, notes in noted.items() for says in notes]
    assert [pair for pair in quoted if pair[1] not in one_line(statement(tasks[pair[0]]))] == []
    assert all(why for notes in noted.values() for why in notes.values())


@pytest.mark.parametrize("chapter", TABLES)
def test_every_clause_of_a_statement_has_a_rule_or_needs_none(chapter: str) -> None:
    missing = []
    for name, task in tasks_of(chapter).items():
        quoted = [says for says, *_ in table(chapter).RULES[name]] + list(table(chapter).NO_RULE.get(name, {}))
        missing += [(name, part) for part in clauses(task) if not any(q in part or part in q for q in quoted)]
    assert missing == []


@pytest.mark.parametrize("chapter", TABLES)
def test_without_the_rule_its_case_fails(chapter: str) -> None:
    tasks, kept = tasks_of(chapter), []
    judge_of = cache(lambda name, label: Judge(tasks[name], [fixed_cases(name)[label]]))
    for name, says, label, broken in rules(chapter):
        task = tasks[name]
        slips = {slip.name: slip for slip in task.slips}
        slip = slips[broken] if isinstance(broken, str) else Slip("broken", broken, says, reference=(task.reference,))
        assert label in fixed_cases(name), f"{name}: no case {label!r} that is the same for every seed"
        judge, item = judge_of(name, label), fixed_cases(name)[label]
        if judge.verdict(run_answer(task, slip.answer, [item])).passed:
            kept.append((name, says, label, broken))
    assert kept == []


@pytest.mark.slow
@pytest.mark.parametrize("chapter", TABLES)
def test_a_fixed_case_tells_each_known_mistake(chapter: str) -> None:
    kept = []
    for name, task in tasks_of(chapter).items():
        judge = Judge(task, list(fixed_cases(name).values()))
        kept += [
            (name, slip.name) for slip in task.slips if judge.verdict(run_answer(task, slip.answer, judge.cases)).passed
        ]
    assert kept == []
