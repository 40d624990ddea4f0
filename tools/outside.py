"""Judge answers that were written from the exercise pages alone, by people who had seen neither tasks nor slips.

    python -m tools.outside 02 08             # the answers to chapters 02 and 08: what was judged wrongly
    python -m tools.outside 02 --reasons      # and what each refused answer was told
    python -m tools.outside 02 --grade        # and where `lmcourse grade` and `check` do not agree

The answers stand in `tests/outside/chNN_R.py`, R being the round, or p for those to the project: a list `ANSWERS` of
dicts with `task`, `right` (True, False, or None where the statement leaves it open), `why` (what is different about it,
or wrong with it) and `source`.
"""

import argparse
import copy
import itertools
import linecache
import runpy
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.registry import all_tasks, find_task
from lmcourse.exercises.running import Outcome, run_in_time
from lmcourse.exercises.verdict import Judge, Verdict
from lmcourse.grader.marking import Marker, TaskResult
from lmcourse.grader.page import Page, answered, load_page
from lmcourse.grader.sandbox import Limits
from lmcourse.grader.submissions import Answers
from tools.mutants import SHORT_S

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "outside"
_NUMBER = itertools.count()
_LIMITS = Limits(total_s=600)  # by the clock: a busy machine is no difference
_IMPORTS = (
    "import math, random, itertools\nimport numpy as np\nimport torch\n"
    "from collections import Counter, defaultdict\nimport torch.nn.functional as F\nfrom torch import nn\n"
    "random.seed(0); np.random.seed(0); torch.manual_seed(0)\n"  # one that draws draws the same twice
)
#: What a refused answer is told, by how its reason begins; the first case that went wrong follows each of them.
_KINDS = {
    "Right for ": "right but for ...",
    "Right wherever ": "right but for ...",
    "Probably": "probably",
    "Right: ": "by property",
    "It is not answered": "not answered",
    "Seen": "nothing",
    "On ": "nothing",
}
#: What the first case says by itself: the learner's own line, or what the call did besides giving a result.
_BESIDES = ("(in the line `", "work on a copy", "return a new one", "no gradient reaches")


@dataclass(frozen=True)
class Judged:
    """An answer from outside and what it was told; `right` as its author says."""

    task: str
    right: bool | None
    why: str
    source: str
    verdict: Verdict

    @property
    def justly(self) -> bool:
        """Whether it was judged as its author says."""
        return self.right is None or self.verdict.passed == self.right

    @property
    def told(self) -> str:
        """The kind of reason that it was told; "nothing" where it was shown the first wrong case and no more."""
        if self.verdict.passed:
            return ""
        if self.verdict.slip and not self.verdict.reason.startswith("Right: "):
            return "the very mistake"
        kinds = (kind for begin, kind in _KINDS.items() if self.verdict.reason.startswith(begin))
        kind = next(kinds, "kind of difference")
        said = kind == "nothing" and any(words in self.verdict.reason for words in _BESIDES)
        return "crash or side effect" if said else kind


def answers(chapter: str) -> list[dict[str, Any]]:
    """All answers to a chapter ("02"), of all rounds."""
    found = []
    for file in sorted(FOLDER.glob(f"ch{chapter}_*.py")):
        found += runpy.run_path(str(file))["ANSWERS"]
    return found


def judged(chapter: str) -> Iterator[Judged]:
    """Judge each answer to a chapter as `check` does."""
    judges: dict[str, Judge] = {}
    for item in answers(chapter):
        task = find_task(item["task"])
        judge = judges.setdefault(task.name, Judge(task, task.cases(PUBLIC_SEED)))
        try:
            outcomes = _outcomes(judge, _function(item))
        except Exception as error:  # the cell itself fails
            outcomes = [Outcome(error=type(error).__name__, message=str(error))] * len(judge.cases)
        yield Judged(task.name, item["right"], item["why"], item["source"], judge.verdict(outcomes))


def _outcomes(judge: Judge, answer: Any) -> list[Outcome]:
    """What an answer gives on all cases; a model is trained only if everything that takes no training is right."""
    task, cases = judge.task, judge.cases
    long = {prop.name for prop in task.properties if prop.seconds > SHORT_S}
    left = Outcome(error="TimeLimitError", message="it was not tried")
    given = iter(run_in_time(task, answer, [item for item in cases if item.of not in long]))
    outcomes = [left if item.of in long else next(given) for item in cases]
    if long and set(judge.verdict(outcomes).wrong) == long:
        given = iter(run_in_time(task, answer, [item for item in cases if item.of in long]))
        outcomes = [next(given) if item.of in long else outcome for item, outcome in zip(cases, outcomes, strict=True)]
    return outcomes


def _function(item: dict[str, Any]) -> Any:
    name = f"<answer {next(_NUMBER)}>"
    source = item["source"]
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(_IMPORTS, space)
    exec(compile(source, name, "exec"), space)
    return space[item["task"]]


def differing(chapter: str, done: Iterable[Judged]) -> Iterator[tuple[Judged, TaskResult, str]]:
    """Mark each answer as `lmcourse grade` does, in the sandbox, and yield those that it and `check` tell otherwise.

    Yields:
        what `check` said, what `grade` said, and where they part: "points", "slip" or "words".
    """
    done = [item for item in done if not find_task(item.task).properties]  # a project's training takes its time twice
    name = next(task.chapter for task in all_tasks() if task.chapter.startswith(chapter))
    with Marker(_with_tasks(load_page(ROOT, name), {item.task for item in done}), PUBLIC_SEED, _LIMITS) as marker:
        others = {task.name: "not tried" for task in marker.page.tasks}
        for item in done:
            missing = {task: why for task, why in others.items() if task != item.task}
            results = marker.mark(Answers(sources={item.task: _IMPORTS + item.source}, missing=missing))
            graded = next(result for result in results if result.task == item.task)
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
    words = "\n".join(filter(None, [verdict.reason, verdict.seen]))
    return "" if words == graded.reason else "words"


def line(done: list[Judged]) -> str:
    """What became of answers, in one line."""
    right = [item for item in done if item.right]
    wrong = [item for item in done if item.right is False]
    told = Counter(item.told for item in done if not item.verdict.passed)
    reasons = ", ".join(f"{number} {kind}" for kind, number in told.most_common())
    return (
        f"{len(right)} right, {sum(not item.justly for item in right)} refused; {len(wrong)} wrong, "
        f"{sum(not item.justly for item in wrong)} accepted; {len(done) - len(right) - len(wrong)} left open; "
        f"{sum(told.values())} refused were told: {reasons}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chapters", nargs="*", help="such as 02; default: all")
    parser.add_argument("--reasons", action="store_true", help="show what each refused answer was told")
    parser.add_argument("--grade", action="store_true", help="take them through the sandbox as well, and compare")
    options = parser.parse_args()
    chapters = options.chapters or sorted({task.chapter[:2] for task in all_tasks()})
    everything: list[Judged] = []
    parted: Counter[str] = Counter()
    for chapter in chapters:
        done = list(judged(chapter))
        for item in done:
            if not item.justly:
                state = "ACCEPTED, but wrong" if item.verdict.passed else "REFUSED, but right"
                print(f"{item.task}: {state}: {item.why}")
            if not item.verdict.passed and (options.reasons or item.right):
                print(f"    {item.why}\n        -> [{item.told}] {item.verdict.reason} {item.verdict.seen}\n")
        print(f"{chapter}: {line(done)}", flush=True)
        for item, graded, where in differing(chapter, done) if options.grade else ():
            parted[where] += 1
            print(f"{item.task}: {where} differ: {item.why}\n    check: {item.verdict!r}\n    grade: {graded}")
        everything += done
    print(f"all: {line(everything)}")
    if options.grade:
        where = ", ".join(f"{number} in {kind}" for kind, number in parted.items())
        print(f"check and grade differ on {sum(parted.values())} of {len(everything)} answers ({where or 'none'})")


if __name__ == "__main__":
    main()
