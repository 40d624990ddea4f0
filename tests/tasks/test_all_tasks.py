"""What must hold for every task of the course, now and later. Nothing here knows a task by name.

Projects are judged by properties, and have tests of their own in test_projects.py.
"""

import ast
import doctest
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lmcourse.exercises import (
    Case,
    Compare,
    Outcome,
    Task,
    Verdict,
    all_tasks,
    difference,
    find_task,
    judge,
    run_answer,
    verdict,
)
from lmcourse.exercises.check import PUBLIC_SEED
from tools.notebooks import answer_cell

TEXTS = Path(__file__).parents[2] / "texts" / "solutions"
SEEDS = (PUBLIC_SEED, 1, 40_503, 2_147_483_659)
EXACT = Compare(rtol=0.0, atol=0.0)
TASKS = [task for task in all_tasks() if not task.properties]
FIRST_LABEL = "the worked example"
EDGE = re.compile(
    r"\b(empty|no|none|one|single|zero|0|1|never|unseen|unknown|outside|equal|same|tie|border|shorter|shortest|longer|"
    r"masked|fully|below|above|negative|infinity|infinite|overflow|float16|bfloat16|float32|float64|first|last|twice)\b"
)


@pytest.fixture(autouse=True)
def own_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "progress.json"))
    monkeypatch.delenv("LMCOURSE_VERDICTS", raising=False)


@pytest.fixture(scope="module", autouse=True)
def remembered_runs() -> Iterator[None]:
    """Let `judge` run each slip once per seed, not once for each answer that it judges: the same results, sooner."""
    runs: dict[tuple[Any, ...], tuple[Any, list[Outcome]]] = {}

    def remember(task: Task, answer: Callable[..., Any], cases: Any) -> list[Outcome]:
        key = (task.name, id(answer), id(cases))
        if key not in runs:
            runs[key] = (
                (answer, cases),
                run_answer(task, answer, cases),
            )  # both kept alive, so that the ids stay theirs
        return runs[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdict, "run_answer", remember)
        yield


@cache
def cases_of(name: str, seed: int) -> list[Case]:
    return next(task for task in TASKS if task.name == name).cases(seed)


def judged(task: Task, answer: Callable[..., Any], seed: int) -> Verdict:
    cases = cases_of(task.name, seed)
    return judge(task, cases, verdict.run_answer(task, answer, cases))


each_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


def test_there_are_tasks_and_their_names_are_unique() -> None:
    names = [task.name for task in TASKS]
    assert len(names) >= 2
    assert len(names) == len(set(names))


# ------------------------------------------------------------------------------------------- answers and their marks


@each_task
def test_the_reference_earns_everything(task: Task) -> None:
    for seed in SEEDS:
        result = judged(task, task.reference, seed)
        assert result.earned == task.points, (seed, result.reason)
        right = verdict.run_answer(task, task.reference, cases_of(task.name, seed))
        assert not any(outcome.shared for outcome in right), "then an answer that shares nothing would be refused"


def _raises(*_: Any, **__: Any) -> Any:
    raise NotImplementedError


def _returns_none(*_: Any, **__: Any) -> None:
    return None


@each_task
def test_an_empty_stub_earns_nothing(task: Task) -> None:
    for seed in SEEDS:
        unanswered = judged(task, _raises, seed)
        assert unanswered.earned == 0
        assert unanswered.reason.startswith("It is not answered yet")
        nothing = judged(task, _returns_none, seed)
        assert (nothing.earned, nothing.slip) == (0, "no_return")


@each_task
def test_each_slip_loses_the_points_with_its_own_reason(task: Task) -> None:
    for seed in SEEDS:
        for slip in task.slips:
            result = judged(task, slip.answer, seed)
            assert (result.passed, result.slip) == (False, slip.name), (seed, result.reason)
            assert result.reason == slip.reason
            assert result.seen


@each_task
def test_no_slip_fails_by_an_oversight_of_its_author(task: Task) -> None:
    cases = cases_of(task.name, PUBLIC_SEED)
    right = verdict.run_answer(task, task.reference, cases)
    for slip in task.slips:
        outcomes = verdict.run_answer(task, slip.answer, cases)
        errors = {outcome.error for outcome in outcomes}
        assert not errors & {"NameError", "UnboundLocalError", "SyntaxError"}, slip.name
        wrong_by_value = [got for want, got in zip(right, outcomes, strict=True) if not got.error and not want.error]
        assert wrong_by_value, f"{slip.name} gives no result at all"


@each_task
def test_slips_are_five_or_more_with_reasons_of_their_own(task: Task) -> None:
    assert len(task.slips) >= 5
    assert len({slip.name for slip in task.slips}) == len(task.slips)
    assert len({slip.reason for slip in task.slips}) == len(task.slips)
    for slip in task.slips:
        assert len(slip.reason) >= 40, slip.name
        assert slip.reason.rstrip().endswith((".", "?", "!")), slip.name


@each_task
def test_hints_are_three_different_ones(task: Task) -> None:
    assert len(task.hints) == len(set(task.hints)) == 3
    assert all(hint.strip() for hint in task.hints)


# --------------------------------------------------------------------------------------------------------- the cases


def _same(left: list[Case], right: list[Case]) -> bool:
    if [item.label for item in left] != [item.label for item in right]:
        return False
    return all(
        difference(list(a.args), list(b.args), EXACT) is None and difference(a.kwargs, b.kwargs, EXACT) is None
        for a, b in zip(left, right, strict=True)
    )


@each_task
def test_a_seed_fixes_the_cases_and_another_changes_them(task: Task) -> None:
    state = np.random.get_state()[1].copy(), torch.get_rng_state()  # noqa: NPY002 - the global state, to see it untouched
    for seed in SEEDS:
        assert _same(cases_of(task.name, seed), task.cases(seed)), f"seed {seed} does not fix the cases"
    drawn = [cases_of(task.name, seed) for seed in SEEDS]
    for number, cases in enumerate(drawn):
        assert not any(_same(cases, other) for other in drawn[:number]), "two seeds gave the same cases"
    assert (np.random.get_state()[1] == state[0]).all()  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), state[1])


@each_task
def test_the_worked_example_comes_first_and_edge_cases_follow(task: Task) -> None:
    for seed in SEEDS:
        labels = [item.label for item in cases_of(task.name, seed)]
        assert labels[0] == FIRST_LABEL
        assert len(labels) == len(set(labels)), "the learner is told the label: no two alike"
        assert any(EDGE.search(label) for label in labels[1:]), f"no edge case among {labels}"
    worked = [cases_of(task.name, seed)[:1] for seed in SEEDS]
    assert all(_same(worked[0], other) for other in worked), "the worked example is in the text: no seed changes it"


@each_task
def test_right_answers_leave_their_inputs_alone(task: Task) -> None:
    if not task.compare.inputs_unchanged:
        pytest.skip("this task asks for a change in place")
    for seed in SEEDS:
        cases = cases_of(task.name, seed)
        for item, outcome in zip(cases, verdict.run_answer(task, task.reference, cases), strict=True):
            assert outcome.changed == "", item.label


@each_task
def test_judging_leaves_the_cases_alone(task: Task) -> None:
    cases = task.cases(PUBLIC_SEED)
    judge(task, cases, run_answer(task, task.slips[0].answer, cases))
    assert _same(cases, task.cases(PUBLIC_SEED))


# ----------------------------------------------------------------------------------------------- answers that lie


class EqualsAll:
    """Equal to everything, true, and of every size."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0

    def __len__(self) -> int:
        return 0

    def __float__(self) -> float:
        return float("nan")

    def __sub__(self, other: object) -> "EqualsAll":
        return self

    __rsub__ = __abs__ = __call__ = __getitem__ = __getattr__ = lambda self, *_: self  # type: ignore[assignment]

    def __le__(self, other: object) -> bool:
        return True

    __lt__ = __ge__ = __gt__ = __contains__ = __le__

    def __deepcopy__(self, memo: Any) -> "EqualsAll":
        return self

    def __repr__(self) -> str:
        return "whatever you want"


def _pretender(kind: type) -> Any:
    """Equal to everything, and says that it is a `kind`."""
    return type("Pretender", (EqualsAll,), {"__class__": property(lambda self: kind), "__module__": "numpy"})()


class LyingDict(dict):
    """Has every key, shows none, and equals everything."""

    __eq__, __ne__, __hash__ = EqualsAll.__eq__, EqualsAll.__ne__, EqualsAll.__hash__  # type: ignore[assignment]

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __getitem__(self, key: object) -> Any:
        return EqualsAll()


class HidingDict(dict):
    """Holds one key more than it shows."""

    def __iter__(self) -> Iterator[Any]:
        return (key for key in super().__iter__() if key != "hidden")

    def keys(self) -> Any:
        return list(self)


class LyingList(list):
    __eq__, __ne__, __hash__ = EqualsAll.__eq__, EqualsAll.__ne__, EqualsAll.__hash__  # type: ignore[assignment]
    __len__ = EqualsAll.__len__
    __getitem__ = EqualsAll.__getitem__  # type: ignore[assignment]


class LyingArray(np.ndarray):
    __eq__ = EqualsAll.__eq__  # type: ignore[assignment]
    __ne__ = EqualsAll.__ne__  # type: ignore[assignment]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return True


class LyingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return True


def _liars(wanted: Any) -> list[Any]:
    """Wrong results dressed up as the one that is wanted."""
    liars: list[Any] = [EqualsAll(), LyingDict(hidden=1), LyingList([1])]
    liars += [_pretender(kind) for kind in (bool, float, np.float64, str, dict, list, set, np.ndarray, torch.Tensor)]
    if isinstance(wanted, dict):
        liars += [HidingDict({**wanted, "hidden": 1})]
        liars += [dict.fromkeys(wanted, EqualsAll())] if wanted else []
    if isinstance(wanted, (list, tuple)) and len(wanted):
        liars += [[EqualsAll()] * len(wanted), type(wanted)(EqualsAll() for _ in wanted)]
    if isinstance(wanted, np.ndarray):
        objects = np.empty(wanted.shape, dtype=object)
        objects.fill(EqualsAll())
        liars += [objects, np.ma.masked_all(wanted.shape)]
        if wanted.size and wanted.dtype.kind in "biuf" and not (wanted.dtype.kind == "f" and np.isnan(wanted).all()):
            liars += [(1 - wanted.astype(float)).astype(wanted.dtype).view(LyingArray)]
        if wanted.size and wanted.dtype.kind == "f" and np.isfinite(wanted).all():
            liars += [np.full_like(wanted, np.nan), np.full_like(wanted, np.inf)]
    if isinstance(wanted, torch.Tensor):
        liars += [wanted.detach().to("meta")]
        if wanted.numel() and not wanted.is_complex():
            other = ~wanted if wanted.dtype == torch.bool else (1 - 3 * wanted.detach().double()).to(wanted.dtype)
            liars += [other.as_subclass(LyingTensor)]
        if wanted.numel() and wanted.is_floating_point() and wanted.isfinite().all():
            liars += [torch.full_like(wanted, float("nan")), wanted.detach().to_sparse() * float("nan")]
    return liars


@pytest.mark.course
@each_task
def test_an_answer_that_lies_about_itself_earns_nothing(task: Task) -> None:
    cases = cases_of(task.name, PUBLIC_SEED)
    right = verdict.run_answer(task, task.reference, cases)
    without_reasons = replace(task, slips=())
    for place, outcome in enumerate(right):
        for liar in [EqualsAll()] if outcome.error else _liars(outcome.value):
            outcomes = [*right[:place], Outcome(value=liar), *right[place + 1 :]]  # all right but for one lie
            assert not judge(without_reasons, cases, outcomes).passed, (cases[place].label, type(liar))


# ---------------------------------------------------------------------------------------------- the exercise's text

_CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
_SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)^\s*### END SOLUTION", re.MULTILINE | re.DOTALL)


@cache
def _cells(chapter: str) -> tuple[tuple[str, str], ...]:
    """The code cells of a chapter's exercises: (task or "", source)."""
    text = (TEXTS / f"{chapter}.md").read_text(encoding="utf-8")
    found = []
    for options, source in _CELL.findall(text):
        named = re.search(r"^:task:\s*(\S+)", options, re.MULTILINE)
        if named:
            assert not source.strip(), f"the answer of {named[1]} stands in its task, not in the text"
        found.append((named[1], answer_cell(find_task(named[1]))) if named else ("", source))
    return tuple(found)


@cache
def _solved(chapter: str) -> dict[str, Any]:
    """The names that exist when all code cells of the solution have run, without IPython's own lines."""
    names: dict[str, Any] = {"__name__": "solution"}
    for _, source in _cells(chapter):
        plain = "\n".join(line for line in source.splitlines() if not line.startswith(("%", "!")))
        exec(compile(plain, f"{chapter}.md", "exec"), names)
    return names


@pytest.mark.parametrize("chapter", sorted({task.chapter for task in TASKS}))
def test_a_text_asks_for_each_task_once_in_the_order_of_its_package(chapter: str) -> None:
    asked = [name for name, _ in _cells(chapter) if name]
    assert asked == [task.name for task in all_tasks(chapter)]
    text = (TEXTS / f"{chapter}.md").read_text(encoding="utf-8")
    assert re.findall(r"<!-- task: (\w+) -->", text) == asked


@each_task
def test_the_answer_cell_defines_the_task_with_a_short_answer(task: Task) -> None:
    source = next(source for name, source in _cells(task.chapter) if name == task.name)
    defined = [node for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    assert [node.name for node in defined] == [task.name], "the answer cell defines the task's name and nothing else"
    assert ">>>" in (ast.get_docstring(defined[0]) or ""), "the docstring has no worked example"
    answers = [line for part in _SOLUTION.findall(source) for line in part.splitlines() if line.strip()]
    limit = 15 if isinstance(defined[0], ast.FunctionDef) else 25
    assert 1 <= len(answers) <= limit, f"{len(answers)} lines of answer"


@each_task
def test_the_answer_in_the_text_earns_everything_and_its_docstring_is_true(task: Task) -> None:
    names = _solved(task.chapter)
    answer = names[task.name]
    for seed in SEEDS[:2]:
        assert judged(task, answer, seed).earned == task.points, judged(task, answer, seed).reason
    example = doctest.DocTestParser().get_doctest(answer.__doc__, dict(names), task.name, None, None)
    report: list[str] = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=report.append)
    assert tried, f"no worked example in the docstring of {task.name}"
    assert not failed, "".join(report)
