"""The nets that hold an exercise. Each yields a line for whatever is wrong with it, and nothing if all is well.

A mark must depend on the answer alone, so answers of which it is known how they must be judged are judged: the
reference, a stub, the known mistakes, mutants, answers from outside; with several seeds, at home and in the sandbox. Of
a project only the properties that take no training are tried.
"""

import ast
import contextlib
import doctest
import inspect
import io
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import jupytext
import numpy as np
import torch

from assay import mutants, outside
from lmcourse.exercises import Case, Compare, Outcome, Slip, Task, difference
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.task import answer_source
from lmcourse.exercises.verdict import UNANSWERED, Judge, Verdict
from lmcourse.grader.page import load_page
from tools.notebooks import answer_cell

TEXTS = Path(__file__).parents[1] / "texts"
SEEDS = (PUBLIC_SEED, 1, 40_503, 2_147_483_659)
FIRST_LABEL = "the worked example"
EDGE = re.compile(
    r"\b(empty|no|none|one|single|zero|0|1|never|unseen|unknown|outside|equal|same|tie|border|shorter|shortest|longer|"
    r"masked|fully|below|above|negative|infinity|infinite|overflow|float16|bfloat16|float32|float64|first|last|twice)\b"
)
_EXACT = Compare(rtol=0.0, atol=0.0)
_PASTED_S = 2.0  # of processor time, for a function of the page that is tried as an answer
#: The most that a reader is given at once: lines of an answer, characters of a hint, of a reason.
_ANSWER_LINES, _HINT, _REASON = 25, 400, 300
_OVERSIGHTS = {"NameError", "UnboundLocalError", "SyntaxError"}


@dataclass(frozen=True)
class Trial:
    """An answer of which it is known how it must be judged."""

    who: str
    answer: Callable[..., Any]
    as_wanted: Callable[[Verdict], bool]
    mistake: Slip | None = None


def _raises(*_: Any, **__: Any) -> Any:
    raise NotImplementedError


def trials(task: Task) -> Iterator[Trial]:
    """The task's own: its reference, two stubs, its mistakes."""
    yield Trial("the reference", task.reference, lambda told: told.passed)
    yield Trial(
        "a stub", _raises, lambda told: not told.earned and (bool(task.properties) or told.reason == UNANSWERED)
    )
    if not task.properties:
        yield Trial("None", lambda *_, **__: None, lambda told: (told.earned, told.slip) == (0, "no_return"))
    for slip in task.slips:
        yield Trial(f"mistake {slip.name}", slip.answer, _makes(task, slip), slip)


def _makes(task: Task, slip: Slip) -> Callable[[Verdict], bool]:
    if task.properties:
        return lambda told: set(told.wrong) == set(slip.loses) and slip.reason in told.reason
    return lambda told: not told.passed and (told.slip, told.reason) == (slip.name, slip.reason) and bool(told.seen)


def without_training(task: Task) -> Task:
    """The task with the properties that take no training; one that is no project is as it was."""
    names = {prop.name for prop in task.properties if prop.seconds <= mutants.SHORT_S}
    if len(names) == len(task.properties):
        return task
    kept = [prop for prop in task.properties if prop.name in names]
    slips = (replace(slip, loses=tuple(name for name in slip.loses if name in names)) for slip in task.slips)
    return replace(
        task,
        properties=tuple(replace(prop, needs=prop.needs if prop.needs in names else "") for prop in kept),
        points=sum(prop.points for prop in kept),
        cases=lambda seed: [item for item in task.cases(seed) if item.of in names],
        slips=tuple(slip for slip in slips if slip.loses),
    )


def misjudged(task: Task, tried: Sequence[Trial], seeds: Sequence[int], *, quick: bool = False) -> Iterator[str]:
    """The loop: each answer with each seed. The reference keeps its arguments as they are, and the judge the cases.

    Args:
        quick: try a mistake in a project only on the properties that it costs.
    """
    for seed in seeds:
        judge = outside.public_judge(task) if seed == PUBLIC_SEED else Judge(task, task.cases(seed))
        own = list(judge.cases)
        right = run_in_time(task, task.reference, own)
        for item, outcome in zip(own, right, strict=True):
            if outcome.shared or (task.compare.inputs_unchanged and outcome.changed):
                yield f"seed {seed}, {item.label}: the reference shares or changes its argument"
        for trial in tried:
            outcomes = _outcomes(task, trial, own, right, quick=quick)
            if not trial.as_wanted(told := judge.verdict(outcomes)):
                yield f"seed {seed}: {trial.who}: {told}"
            if trial.mistake and not task.properties:
                yield from (f"{trial.who}: {said}" for said in _oversights(outcomes))
        if not _same(own, task.cases(seed)):
            yield f"seed {seed}: judging changes the cases"


def _outcomes(task: Task, trial: Trial, own: list[Case], right: list[Outcome], *, quick: bool) -> list[Outcome]:
    """What an answer gives; a mistake that is tried quickly is right, unseen, where it costs nothing."""
    if trial.answer is task.reference:
        return right
    lost = trial.mistake.loses if quick and trial.mistake else ()
    given = iter(run_in_time(task, trial.answer, [item for item in own if not lost or item.of in lost]))
    return [next(given) if not lost or item.of in lost else kept for item, kept in zip(own, right, strict=True)]


def _oversights(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What shows that a mistake is one of its author."""
    if found := {outcome.error for outcome in outcomes} & _OVERSIGHTS:
        yield f"an oversight of its author: {found}"
    if all(outcome.error for outcome in outcomes):
        yield "it gives no result at all"


# ------------------------------------------------------------------------------------------------------------ the nets


def cases(task: Task) -> Iterator[str]:
    """A seed fixes the cases, another one changes them; labels tell them apart; no seed changes the worked example."""
    state: Any = np.random.get_state()  # noqa: NPY002 - the global state, to see it untouched
    numbers, of_torch = state[1].copy(), torch.get_rng_state()
    drawn = {seed: task.cases(seed) for seed in SEEDS[: 2 if task.properties else None]}  # a project's take long
    for number, (seed, own) in enumerate(drawn.items()):
        if (number == 0 or not task.properties) and not _same(own, task.cases(seed)):
            yield f"seed {seed} does not fix the cases"
        if any(_same(own, drawn[other]) for other in SEEDS[:number]):
            yield f"seed {seed} gives the same cases as another"
        labels = [(item.of, item.label) for item in own]
        if len(labels) != len(set(labels)):
            yield f"seed {seed}: the learner is told the label, and two are alike: {labels}"
        if task.properties:
            continue
        if own[0].label != FIRST_LABEL or not _same(own[:1], drawn[PUBLIC_SEED][:1]):
            yield f"seed {seed}: the first case must be {FIRST_LABEL!r}, the same for every seed, got {own[0]}"
        if not any(EDGE.search(item.label) for item in own[1:]):
            yield f"seed {seed}: no edge case among {labels}"
    state = np.random.get_state()  # noqa: NPY002
    if (state[1] != numbers).any() or not torch.equal(torch.get_rng_state(), of_torch):
        yield "`cases` draws from a global random state"
    if task.properties and {item.of for item in drawn[PUBLIC_SEED]} != {prop.name for prop in task.properties}:
        yield "not every property has cases"


def _same(left: list[Case], right: list[Case]) -> bool:
    return [(item.of, item.label) for item in left] == [(item.of, item.label) for item in right] and not any(
        difference(list(a.args), list(b.args), _EXACT) or difference(a.kwargs, b.kwargs, _EXACT)
        for a, b in zip(left, right, strict=True)
    )


def judging(task: Task) -> Iterator[str]:
    """The reference earns all, a stub nothing, and each mistake hears its own reason; cases and arguments stay."""
    task = without_training(task)
    yield from misjudged(task, list(trials(task)), [PUBLIC_SEED], quick=True)


def seeds(task: Task, n_seeds: int = 30) -> Iterator[str]:
    """The same, and right answers from outside, with many seeds, most of them as long as a secret one."""
    draw = random.Random(task.name)
    many = [PUBLIC_SEED, *(draw.getrandbits(62) for _ in range(n_seeds - 1))]
    right = [one for one in outside.answers_to(task) if one.right]
    tried = [Trial(f"right answer: {one.why}", one.function(), lambda told: told.passed) for one in right]
    task = without_training(task)
    yield from misjudged(task, [*trials(task), *tried], many)


def mistakes(task: Task) -> Iterator[str]:
    """Known mistakes have each a reason of its own and, where they break a clause, its very words."""
    least = 8 if task.properties else 5
    if len(task.slips) < least:
        yield f"at least {least} known mistakes are asked for, got {len(task.slips)}"
    for kind in ("name", "reason"):  # in a project with a judge a reason is a part of its words
        told = [getattr(slip, kind) for slip in task.slips if kind == "name" or not task.judge]
        if len(set(told)) != len(told):
            yield f"two mistakes have the same {kind}: {sorted({one for one in told if told.count(one) > 1})}"
    said = " ".join((inspect.getdoc(task.reference) or "").split(">>>")[0].split())
    for slip in task.slips:
        if not task.properties and (len(slip.reason) < 40 or slip.reason[-1] not in ".?!"):
            yield f"{slip.name}: a reason is a sentence, got {slip.reason!r}"
        if slip.says and " ".join(slip.says.split()) not in said:
            yield f"{slip.name}: the statement does not say {slip.says!r}"
        if task.properties and (not slip.loses or set(slip.loses) - {prop.name for prop in task.properties}):
            yield f"{slip.name}: `loses` must name properties, got {slip.loses}"


def text(task: Task) -> Iterator[str]:
    """The page asks for it; the answer is short, its worked example is true; hints and reasons are not too long."""
    page = (TEXTS / "solutions" / f"{task.chapter}.md").read_text(encoding="utf-8")
    for form in (rf"^:task:\s*{task.name}$", rf"^<!-- task: {task.name} -->$"):
        if len(re.findall(form, page, re.MULTILINE)) != 1:
            yield f"{task.chapter}.md must hold once {form.strip('^$')!r}"
    cell = answer_cell(task)
    defined = [node for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    names = [node.name for node in defined]
    if names != [*(part.__name__ for part in task.before), task.name]:
        yield f"the answer cell must define the task's name, and what stands before it, got {names}"
    solution = re.findall(r"### BEGIN SOLUTION\n(.*?)^\s*### END SOLUTION", cell, re.MULTILINE | re.DOTALL)
    if (
        not task.properties
        and sum(bool(line.strip()) for part in solution for line in part.splitlines()) > _ANSWER_LINES
    ):
        yield f"the answer has more than {_ANSWER_LINES} lines"
    if len(set(task.hints)) != 3 or not all(map(str.strip, task.hints)):
        yield "three different hints are asked for"
    for limit, words in ((_HINT, task.hints), (_REASON, [slip.reason for slip in task.slips])):
        yield from (f"more than {limit} characters: {one}" for one in words if len(one) > limit)
    yield from _examples(task)


def _examples(task: Task) -> Iterator[str]:
    """What the docstring shows must come out, with the names that the page has imported by then."""
    names = _page(TEXTS / "solutions" / f"{task.chapter}.md")[0] | {task.name: task.reference}
    example = doctest.DocTestParser().get_doctest(task.reference.__doc__ or "", names, task.name, None, None)
    report: list[str] = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=report.append)
    if failed or not tried:
        yield f"the docstring needs a worked example that is true: {''.join(report)}"


@cache
def _page(path: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The names that a page's imports, constants and functions define, and the functions that its reader sees."""
    names: dict[str, Any] = {"__name__": "page"}
    shown = []
    for cell in jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst").cells:
        if cell.cell_type != "code":
            continue
        source = "\n".join(line for line in cell.source.splitlines() if not line.startswith(("%", "!")))
        for node in ast.parse(source).body:
            constant = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Lambda)
            if constant or isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
                with contextlib.suppress(Exception):  # a decorator or a base that only a run of the page makes
                    exec(compile(ast.Module([node], []), path.stem, "exec"), names)
                    if isinstance(node, ast.FunctionDef) and "role" not in cell.metadata:
                        shown.append(node.name)
    return names, tuple(shown)


def pasted(task: Task) -> Iterator[str]:
    """No function that the chapter shows is an answer."""
    if task.properties:
        return
    names, shown = _page(TEXTS / "chapters" / f"{task.chapter}.md")
    judge, quick = outside.public_judge(task), replace(task, seconds=_PASTED_S)
    for name in shown:
        with contextlib.suppress(TypeError, ValueError), contextlib.redirect_stdout(io.StringIO()):
            inspect.signature(names[name]).bind(*judge.cases[0].args, **judge.cases[0].kwargs)
            if judge.verdict(run_in_time(quick, names[name], judge.cases)).passed:
                yield f"`{name}`, which the chapter shows, is an answer"


def mutated(task: Task) -> Iterator[str]:
    """No mutant of the answer passes but those that mean the same; and those that are noted do pass."""
    passed, noted = set(mutants.survivors(task)), mutants.noted().get(task.name, set())
    yield from (f"this changed answer passes: {change}" for change in sorted(passed - noted))
    yield from (f"noted as equivalent, but refused: {change}" for change in sorted(noted - passed))


def answers(task: Task) -> Iterator[str]:
    """Answers from outside are judged as their headings say; those that train a model are left out."""
    own = without_training(task)
    if own is task:
        yield from (str(item) for item in outside.judged(task) if not item.justly)
    else:
        right = [one for one in outside.answers_to(task) if one.right]
        tried = [Trial(f"right answer: {one.why}", one.function(), lambda told: told.passed) for one in right]
        yield from misjudged(own, tried, [PUBLIC_SEED])


def sandbox(task: Task) -> Iterator[str]:
    """`lmcourse grade` tells an answer what `check` tells it; a project's are tried in tests/grader."""
    if task.properties:
        return
    try:
        load_page(outside.ROOT, task.chapter)
    except ValueError as error:  # the page was not built with it
        yield f"{error} Build it: `python -m tools.notebooks {task.chapter[:2]}`"
        return
    judge = outside.public_judge(task)
    told = judge.verdict(run_in_time(task, task.reference, judge.cases))
    reference = outside.Answer(task.name, True, "the reference", answer_source(task.reference))
    done = [outside.Judged(reference, told), *outside.judged(task, (task.seconds,))]
    yield from (str(item) for item in done if not item.justly)
    for item, graded, where in outside.differing(task.chapter, done):
        yield f"{where} differ: {item.answer.why}\n  check: {item.verdict!r}\n  grade: {graded}"


#: What `python -m assay NAME` runs, the quick ones first.
NETS: dict[str, Callable[[Task], Iterator[str]]] = {
    **{"cases": cases, "mistakes": mistakes, "text": text, "judging": judging, "answers": answers},
    **{"mutants": mutated, "seeds": seeds, "pasted": pasted, "sandbox": sandbox},
}
