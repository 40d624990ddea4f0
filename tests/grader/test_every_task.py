"""Every task of the course through the sandbox: solution all, stub none, each slip its reason."""

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmcourse.exercises import Task, all_tasks, codec
from lmcourse.exercises.verdict import UNANSWERED, Judge
from lmcourse.grader.bundle import imports, library_modules, write_bundle
from lmcourse.grader.marking import Marker, _outcome
from lmcourse.grader.page import load_page
from lmcourse.grader.sandbox import Cell, Limits, Sandbox
from lmcourse.grader.submissions import Answers
from tests.grader.classes import ROOT, needs_sandbox

pytestmark = needs_sandbox
CHAPTERS = sorted({task.chapter for task in all_tasks()})
SEED = 3_141_592_653_589_793  # a secret seed is as long
SAMPLE = CHAPTERS[:1]


def ordinary(chapter: str) -> list[Task]:
    """The tasks that are no projects: those train models, and have tests of their own in test_projects.py."""
    return [task for task in all_tasks(chapter) if not task.properties]


@pytest.fixture(scope="module")
def markers() -> Iterator[dict[str, Marker]]:
    """A marker a chapter, opened when first asked for; opening it marks the solution."""
    opened: dict[str, Marker] = {}

    class Markers(dict):
        def __missing__(self, chapter: str) -> Marker:
            opened[chapter] = Marker(load_page(ROOT, chapter), SEED, Limits(task_s=60, total_s=600)).__enter__()
            return opened[chapter]

    yield Markers()
    for marker in opened.values():
        marker.__exit__()


def chapters(*chosen: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("chapter", chosen)


def _check_solution_and_stub(marker: Marker) -> None:
    page = marker.page
    for result in marker.mark(Answers(sources=page.solution)):
        assert (result.status, result.earned, result.reason) == ("marked", result.points, "right"), result
    for result in marker.mark(Answers(sources=page.given)):
        assert (result.status, result.earned, result.reason) == ("marked", 0, UNANSWERED), result
    renamed = {task: source + "\n# changed" for task, source in page.given.items()}  # so that the stubs really run
    for result in marker.mark(Answers(sources=renamed)):
        assert (result.status, result.earned, result.reason) == ("marked", 0, UNANSWERED), result


@chapters(*SAMPLE)
def test_solution_earns_all_and_stub_nothing(chapter, markers):
    _check_solution_and_stub(markers[chapter])


@pytest.mark.slow
@chapters(*[chapter for chapter in CHAPTERS if chapter not in SAMPLE])
def test_solution_earns_all_and_stub_nothing_in_every_chapter(chapter, markers):
    _check_solution_and_stub(markers[chapter])


_ENGINE_OF_TASKS = """
from lmcourse.contents import hints
from lmcourse.exercises.compare import Compare, difference
from lmcourse.exercises.mistakes import mistakes, properties
from lmcourse.exercises.task import Case, Slip, Task, border, case, evidence_is, probe
"""


@pytest.fixture
def with_answers(monkeypatch):
    """Opens a sandbox that can import the tasks' modules, so that slips run in it as they are."""

    def write_with_tasks(folder: Path, *arguments: Any, tensors: bool) -> bool:
        write_bundle(folder, *arguments, tensors=True)
        package = ROOT / "lib" / "lmcourse"
        for path in package.rglob("*.py"):
            target = folder / "lmcourse" / path.relative_to(package)
            if not target.exists() and path.relative_to(package).parts[0] not in ("exercises", "grader"):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
        for name in ("evidence.py", "mistakes.py", "seeds.py"):  # what the tasks' modules are written with
            (folder / "lmcourse" / "exercises" / name).write_bytes((package / "exercises" / name).read_bytes())
        (folder / "lmcourse" / "exercises" / "__init__.py").write_text(_ENGINE_OF_TASKS)
        exercises = (package / "grader" / "inside" / "exercises.py").read_text()
        with (folder / "lmcourse" / "exercises" / "__init__.py").open("a") as stub:
            stub.write(exercises)
        return True

    monkeypatch.setattr("lmcourse.grader.sandbox.write_bundle", write_with_tasks)

    def open_for(chapter: str) -> Sandbox:
        page = load_page(ROOT, chapter)
        drawn = [(task, task.cases(SEED)) for task in page.tasks]
        return Sandbox(drawn, page.own_code, Limits(task_s=60, total_s=600))

    return open_for


def _check_slips(chapter: str, box: Sandbox) -> None:
    for task in ordinary(chapter):
        home = task.cases.__module__
        judge = Judge(task, task.cases(SEED))
        for number, slip in enumerate(task.slips):
            source = (
                f"import {home} as home\n"
                f"task = next(one for one in vars(home).values() if getattr(one, 'name', '') == {task.name!r})\n"
                f"{task.name} = task.slips[{number}].answer"
            )
            words = box.run([Cell(source, task.name)]).results[task.name]
            assert "outcomes" in words, (slip, words)
            verdict = judge.verdict([_outcome(one, codec.Budget(10**6)) for one in words["outcomes"]])
            assert not verdict.passed, (slip, verdict)
            assert verdict.slip == slip.name, (slip, verdict)


@chapters(*SAMPLE)
def test_slips_come_out_as_themselves(chapter, with_answers):
    with with_answers(chapter) as box:
        _check_slips(chapter, box)


@pytest.mark.slow
@chapters(*[chapter for chapter in CHAPTERS if chapter not in SAMPLE])
def test_slips_of_every_chapter_come_out_as_themselves(chapter, with_answers):
    with with_answers(chapter) as box:
        _check_slips(chapter, box)


@chapters(*CHAPTERS)
def test_a_pages_own_cells_ask_for_nothing_that_holds_an_answer(chapter):
    page = load_page(ROOT, chapter)
    brought = library_modules(imports(page.own_code))
    for task in page.tasks:
        answer = task.reference.func if isinstance(task.reference, functools.partial) else task.reference
        assert getattr(answer, "__module__", "") not in brought, f"{task.name}: its answer could be imported"
