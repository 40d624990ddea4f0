"""Judge answers that were written from the exercise pages alone, by people who had seen neither tasks nor slips.

    python -m tools.outside 02 08             # the answers to chapters 02 and 08: what was judged wrongly
    python -m tools.outside 02 --reasons      # and what each refused answer was told

The answers stand in `tests/outside/chNN_R.py`, R being the round, or p for those to the project: a list `ANSWERS` of
dicts with `task`, `right` (True, False, or None where the statement leaves it open), `why` (what is different about it,
or wrong with it) and `source`.
"""

import argparse
import itertools
import linecache
import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.registry import all_tasks, find_task
from lmcourse.exercises.running import Outcome, run_in_time
from lmcourse.exercises.verdict import Judge, Verdict
from tools.mutants import SHORT_S

FOLDER = Path(__file__).parents[1] / "tests" / "outside"
_NUMBER = itertools.count()


@dataclass(frozen=True)
class Judged:
    """An answer from outside and what it was told; `right` as its author says."""

    task: str
    right: bool | None
    why: str
    verdict: Verdict

    @property
    def justly(self) -> bool:
        """Whether it was judged as its author says."""
        return self.right is None or self.verdict.passed == self.right


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
        yield Judged(task.name, item["right"], item["why"], judge.verdict(outcomes))


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
    exec("import math, random, itertools\nimport numpy as np\nimport torch", space)
    exec("from collections import Counter, defaultdict\nimport torch.nn.functional as F\nfrom torch import nn", space)
    exec(compile(source, name, "exec"), space)
    return space[item["task"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chapters", nargs="*", help="such as 02; default: all")
    parser.add_argument("--reasons", action="store_true", help="show what each refused answer was told")
    options = parser.parse_args()
    chapters = options.chapters or sorted({task.chapter[:2] for task in all_tasks()})
    for chapter in chapters:
        done = list(judged(chapter))
        for item in done:
            if not item.justly:
                state = "ACCEPTED, but wrong" if item.verdict.passed else "REFUSED, but right"
                print(f"{item.task}: {state}: {item.why}")
            if not item.verdict.passed and (options.reasons or item.right):
                print(f"    {item.why}\n        -> {item.verdict.reason} {item.verdict.seen}\n")
        right = [item for item in done if item.right]
        wrong = [item for item in done if item.right is False]
        told = [item for item in wrong if not item.verdict.passed]
        print(
            f"{chapter}: {len(right)} right, {sum(not item.justly for item in right)} refused; {len(wrong)} wrong, "
            f"{sum(not item.justly for item in wrong)} accepted; of {len(told)} refused, "
            f"{sum(bool(item.verdict.slip) for item in told)} were told the very mistake"
        )


if __name__ == "__main__":
    main()
