"""Answers that were written from the exercise pages alone, by people who had seen neither tasks nor slips.

They are data: `assay/answers/NN.txt` for a chapter, in it for each answer a heading and then its code, which is run
after `IMPORTS`. The heading says how it has to be judged ("open" where the statement leaves that open) and what is
special about it, or wrong with it:

    ### softmax: wrong: exp overflows for large scores
    def softmax(scores):
        ...

"ours" are the course's own second ways to write an answer.
"""

import copy
import importlib
import itertools
import linecache
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from assay.mutants import SHORT_S
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.registry import find_task
from lmcourse.exercises.running import Outcome, run_in_time
from lmcourse.exercises.task import Task
from lmcourse.exercises.verdict import Judge, Verdict
from lmcourse.grader.marking import Marker, TaskResult
from lmcourse.grader.page import Page, answered, load_page
from lmcourse.grader.sandbox import Limits
from lmcourse.grader.submissions import Answers

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "assay" / "answers"
IMPORTS = (
    "import itertools, math, random, re\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\n"
    "from collections import Counter, defaultdict\nfrom itertools import pairwise\nfrom torch import nn\n"
    "random.seed(0); np.random.seed(0); torch.manual_seed(0)\n"  # one that draws draws the same twice
)
#: Of processor time, for all cases: right answers take hundredths.
SECONDS = (0.5, 4.0)
_NUMBER = itertools.count()
_LIMITS = Limits(total_s=600)  # by the clock: a busy machine is no difference
_HEADING = re.compile(r"### (\w+): (right|wrong|open): (\S.*)")
_RIGHT = {"right": True, "wrong": False, "open": None}


@dataclass(frozen=True)
class Answer:
    """An answer as it stands in its file; `right` is True, False, or None where the statement leaves it open."""

    task: str
    right: bool | None
    why: str
    source: str

    def function(self) -> Any:
        """Run the cell; return the function or class that it defines. Its lines can be shown in a reason."""
        name = f"<answer {next(_NUMBER)}>"
        linecache.cache[name] = (len(self.source), None, self.source.splitlines(keepends=True), name)
        space: dict[str, Any] = {"__name__": "__main__"}
        exec(IMPORTS, space)
        exec(compile(self.source, name, "exec"), space)
        return space[self.task]


class AnswersError(ValueError):
    """A file of answers cannot be read."""


def read(path: Path) -> list[Answer]:
    """Read the answers of a file.

    Raises:
        AnswersError: a heading of another form, or code that does not define what its heading names.
    """
    found: list[tuple[int, re.Match[str], list[str]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("###"):
            if not (heading := _HEADING.fullmatch(line)):
                form = "`### task: right, wrong or open: why`"
                raise AnswersError(f"{path.name}, line {number}: a heading must be {form}, got {line!r}.")
            found.append((number, heading, []))
        elif found:
            found[-1][2].append(line)
        elif line:
            raise AnswersError(f"{path.name}, line {number}: a file must begin with a heading, got {line!r}.")
    answers = []
    for number, heading, lines in found:
        task, right, why = heading.groups()
        source = "\n".join(lines).strip("\n") + "\n"
        if not re.search(rf"^(def |class )?{task}\b", source, re.MULTILINE):
            raise AnswersError(f"{path.name}, line {number}: the code below must define `{task}`, got {source[:60]!r}.")
        answers.append(Answer(task, _RIGHT[right], why, source))
    return answers


def answers_to(task: Task) -> list[Answer]:
    """All answers to a task."""
    path = FOLDER / f"{task.chapter[:2]}.txt"
    return [answer for answer in (read(path) if path.exists() else []) if answer.task == task.name]


@dataclass(frozen=True)
class Judged:
    """An answer and what it was told."""

    answer: Answer
    verdict: Verdict

    @property
    def justly(self) -> bool:
        """Whether it was judged as its heading says."""
        return self.answer.right is None or self.verdict.passed == self.answer.right

    def __str__(self) -> str:
        state = "ACCEPTED, but wrong" if self.verdict.passed else "REFUSED, but right"
        return f"{self.answer.task}: {state}: {self.answer.why}"


@lru_cache(maxsize=1)
def public_judge(task: Task) -> Judge:
    """The judge of the public seed: nets that run one after the other share what it knows of the mistakes."""
    return Judge(task, task.cases(PUBLIC_SEED))


def judged(task: Task, seconds: Sequence[float] = SECONDS) -> Iterator[Judged]:
    """Judge each answer to a task as `check` does, which waits for an endless loop longer than these seconds.

    Args:
        seconds: of processor time; one that is not judged justly in the first is given the next.
    """
    importlib.import_module("torch._dynamo")  # some answers wake it: an import that is stopped is never whole again
    judge = public_judge(task)
    for answer in answers_to(task):
        for allowed in [task.seconds] if task.properties else seconds:
            try:
                outcomes = _outcomes(judge, answer.function(), allowed)
            except Exception as error:  # the cell itself fails
                outcomes = [Outcome(error=type(error).__name__, message=str(error))] * len(judge.cases)
            told = Judged(answer, judge.verdict(outcomes))
            if told.justly:
                break
        yield told


def trains(task: Task) -> bool:
    """Whether right answers to it train a model for long."""
    return any(prop.seconds > SHORT_S for prop in task.properties)


def _outcomes(judge: Judge, answer: Any, seconds: float) -> list[Outcome]:
    """What an answer gives on all cases; a model is trained only if everything that takes no training is right."""
    task, cases = replace(judge.task, seconds=min(judge.task.seconds, seconds)), judge.cases
    long = {prop.name for prop in task.properties if prop.seconds > SHORT_S}
    left = Outcome(error="TimeLimitError", message="it was not tried")
    given = iter(run_in_time(task, answer, [item for item in cases if item.of not in long]))
    outcomes = [left if item.of in long else next(given) for item in cases]
    if long and set(judge.verdict(outcomes).wrong) == long:
        given = iter(run_in_time(task, answer, [item for item in cases if item.of in long]))
        outcomes = [next(given) if item.of in long else outcome for item, outcome in zip(cases, outcomes, strict=True)]
    return outcomes


def differing(chapter: str, done: Iterable[Judged]) -> Iterator[tuple[Judged, TaskResult, str]]:
    """Mark each answer as `lmcourse grade` does, in the sandbox, and yield those that it and `check` tell otherwise.

    Args:
        chapter: its folder, "02_word2vec".
        done: answers that were given all the time that their task allows.

    Yields:
        what `check` said, what `grade` said, and where they part: "points", "slip" or "words".
    """
    done = [item for item in done if not find_task(item.answer.task).properties]  # training would take its time twice
    page = _with_tasks(load_page(ROOT, chapter), {item.answer.task for item in done})
    with Marker(page, PUBLIC_SEED, _LIMITS) as marker:
        others = {task.name: "not tried" for task in page.tasks}
        for item in done:
            name = item.answer.task
            missing = {task: why for task, why in others.items() if task != name}
            results = marker.mark(Answers(sources={name: IMPORTS + item.answer.source}, missing=missing))
            graded = next(result for result in results if result.task == name)
            if where := _parted(item.verdict, graded):
                yield item, graded, where


def _with_tasks(page: Page, names: Collection[str]) -> Page:
    """The page without the tasks that nobody answered: before any mark the course's own answers are marked."""
    notebooks = copy.deepcopy((page.notebook, page.solved))
    for notebook in notebooks:
        notebook.cells = [cell for cell in notebook.cells if not (task := answered(cell)) or task in names]
    return replace(
        page,
        notebook=notebooks[0],
        solved=notebooks[1],
        tasks=tuple(task for task in page.tasks if task.name in names),
    )


def _parted(verdict: Verdict, graded: TaskResult) -> str:
    if verdict.earned != graded.earned:
        return "points"
    if verdict.slip != graded.slip:
        return "slip"
    words = verdict.why
    return "" if words == graded.reason else "words"
