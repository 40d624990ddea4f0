"""Time to mark a class: `lmcourse grade` beside one bare run of the same answers, and beside nbgrader's autograde.

    python -m benchmarks.grading                                  # 200 submissions of chapter 01 on two cores
    python -m benchmarks.grading --students 20 --autograde 2
    python -m benchmarks.grading --without-project                # a class that answers the exercises alone

- bare run: what the answers take by themselves. In one process that has imported everything, the answer cells of each
  submission are executed and its answers called on the same cases. No sandbox, nothing is read, nothing is judged.
- bare page: the same, and each answer judged as its `check` cell does it: what "Run All" takes a learner.
- empty sandbox: a fork, shut in, and ended, with nothing to run.
- one at a time: a submission read, run in the sandbox, and judged.
- lmcourse grade: the class, marked by the command; start-up (imports, the course's own solution, which is marked as a
  proof) is taken apart: it is the time of a class of as many as there are processes. CPU time of processes at work side
  by side is not counted.
- feedback and grade book: what the command does after that, with nbgrader's database.
- nbgrader autograde: a kernel for each submission, no sandbox; its tests see two seeds.

The limit is 1.2 bare runs a submission on two cores. All but the last three are measured in turns, and each is
compared with the bare run of its own turn, for the machine's pace changes. `within`: the time by the clock holds it.

CPU seconds are of all processes together; they say more than the clock when a machine is busy. A project takes several
times as long as all the other exercises of its page together, so that a class is comparable with another one only where
both answer it or neither does.
"""

import argparse
import json
import math
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import torch

from benchmarks.rounds import write_record
from lmcourse.course import source_folder
from lmcourse.exercises import Task, judge, run_answer
from lmcourse.grader.classroom import Classroom, mark_class
from lmcourse.grader.marking import Marker
from lmcourse.grader.page import Page, load_page
from lmcourse.grader.publishing import publish
from lmcourse.grader.submissions import Answers, Submission, read_answers, read_submission

SEED = 271_828_182_845_904
LIMIT = 1.2
WRONG = "def {task}(*arguments, **options):\n    return 'no known mistake'\n"


def make_class(folder: Path, page: Page, students: int, left_out: Collection[str] = ()) -> Path:
    """A class in which seven tasks of ten are right, two not answered and one wrong, drawn with a fixed seed; nobody
    answers those that are left out."""
    draw = random.Random(SEED)
    exercise = source_folder() / "exercises" / page.name / f"{page.name}.ipynb"
    for number in range(students):
        notebook = json.loads(exercise.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            task = cell["id"].removesuffix("-answer")
            kind = draw.random()
            if cell["id"].endswith("-answer") and kind < 0.8 and task not in left_out:
                cell["source"] = page.solution[task] if kind < 0.7 else WRONG.format(task=task)
        home = folder / "submitted" / f"student-{number:03}" / page.name
        home.mkdir(parents=True)
        (home / f"{page.name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return folder / "submitted"


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock, and CPU seconds of this process and of those that it started and that ended."""
    before, clock = os.times(), time.perf_counter()
    work()
    after = os.times()
    return time.perf_counter() - clock, sum(after[:4]) - sum(before[:4])


def read(page: Page, submitted: Path) -> list[Answers]:
    """What everybody handed in."""
    homes = sorted(submitted.iterdir())
    return [read_answers(read_submission(Submission(home.name, page.name, home / page.name)), page) for home in homes]


def bare(page: Page, everything: list[Answers], *, judged: bool) -> None:
    """Run all answers in this process."""
    drawn: list[tuple[Task, list[Any]]] = [(task, task.cases(SEED)) for task in page.tasks]
    for answers in everything:
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(page.own_code, names)
        for task, cases in drawn:
            exec(answers.sources[task.name], names)
            outcomes = run_answer(task, names[task.name], cases)
            if judged:
                judge(task, cases, outcomes)


def marked(page: Page, submitted: Path, number: int) -> dict[str, tuple[float, float]]:
    """Empty runs, then each submission read, run and judged, in one process; the sandbox counts its own CPU time."""
    with Marker(page, SEED) as marker:
        found = {}
        for what, work in {
            "empty sandbox": lambda: [marker.sandbox.run([]) for _ in range(number)],
            "one at a time": lambda: [marker.mark(answers) for answers in read(page, submitted)],
        }.items():
            before = marker.sandbox.cpu_s
            clock, cpu = timed(work)
            found[what] = clock, cpu + marker.sandbox.cpu_s - before
        return found


def graded(submitted: Path, out: Path, jobs: int) -> None:
    """Mark the class with an empty memory."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "seed").write_text(str(SEED))
    mark_class(_room(submitted, out, jobs), tell=lambda _: None)


def published(submitted: Path, out: Path) -> None:
    """Everything is marked: what is left is to write it down."""
    room = _room(submitted, out, 1)
    publish(room, mark_class(room, tell=lambda _: None), {}, tell=lambda _: None)


def _room(submitted: Path, out: Path, jobs: int) -> Classroom:
    return Classroom(submitted, out, source_folder(), jobs=jobs, seed_file=out / "seed")


def autograded(folder: Path, page: Page, submitted: Path, students: int) -> None:
    """Stock nbgrader on the first students."""
    course = folder / "stock"
    shutil.copytree(source_folder() / "solutions", course / "source")
    for home in sorted(submitted.iterdir())[:students]:
        shutil.copytree(home, course / "submitted" / home.name)
    program = str(Path(sys.executable).parent / "nbgrader")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    options = [f"--course-dir={course}", "--CourseDirectory.course_id=x", f"--db=sqlite:///{course}/gradebook.db"]
    for step in ("generate_assignment", "autograde"):
        line = [program, step, page.name, *options]
        done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False, cwd=course)
        if step == "generate_assignment" and done.returncode:
            raise RuntimeError(done.stderr[-500:])


def summary(what: str, rounds: list[dict[str, tuple[float, float]]]) -> dict[str, Any]:
    """The median of the rounds, and of each round's ratio to its own bare run."""
    found = [turn for turn in rounds if what in turn]
    row: dict[str, Any] = {"what": what}
    for index, name in enumerate(("clock", "cpu")):
        row[f"{name}_ms"] = 1e3 * statistics.median(turn[what][index] for turn in found)
        row[name] = statistics.median(turn[what][index] / turn["bare run"][index] for turn in found)
    return row | {"within": row["clock"] <= LIMIT}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--assignment", default="01_ngrams")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--autograde", type=int, default=3, metavar="N", help="submissions for nbgrader; 0: none")
    parser.add_argument("--without-project", action="store_true", help="nobody answers the page's project")
    parser.add_argument("--out", type=Path, help="also write the rows to this file")
    args = parser.parse_args(arguments)
    page = load_page(source_folder(), args.assignment)
    left_out = [task.name for task in page.tasks if task.properties and args.without_project]
    torch.set_num_threads(1)  # as in the sandbox: what is compared runs on one core
    rounds: list[dict[str, tuple[float, float]]] = []  # what -> seconds a submission, by the clock and of CPU
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        submitted = make_class(folder, page, args.students, left_out)
        few = make_class(folder / "few", page, args.jobs, left_out)  # one for each process: what is left is start-up
        everything = read(page, submitted)
        bare(page, everything[:1], judged=True)  # what is read the first time
        for _ in range(args.rounds):
            found = {"bare run": timed(lambda: bare(page, everything, judged=False))}
            found["bare page"] = timed(lambda: bare(page, everything, judged=True))
            found |= marked(page, submitted, args.students)
            found = {what: (clock / args.students, cpu / args.students) for what, (clock, cpu) in found.items()}
            start = timed(lambda: graded(few, folder / "out few", args.jobs))
            whole = timed(lambda: graded(submitted, folder / "out", args.jobs))
            each = (whole[0] - start[0]) / (args.students - args.jobs)
            rounds.append(found | {f"lmcourse grade, {args.jobs} at a time": (each, math.nan)})
        publishing = timed(lambda: published(submitted, folder / "out"))
        rounds[-1] |= {"feedback and grade book": (publishing[0] / args.students, publishing[1] / args.students)}
        rounds[-1] |= {"start-up, once": (start[0], math.nan)}
        if args.autograde:
            stock = timed(lambda: autograded(folder, page, submitted, args.autograde))
            rounds[-1] |= {"nbgrader autograde": (stock[0] / args.autograde, stock[1] / args.autograde)}
    rows = [summary(what, rounds) for what in rounds[-1]]
    print(f"{'a submission of ' + page.name:<30} {'clock ms':>9} {'x bare':>8} {'CPU ms':>9} {'x bare':>8}")
    for row in rows:
        times = f"{row['clock']:>7.2f}x", f"{row['cpu']:>7.2f}x"
        within = f"  within {LIMIT}" if row["within"] else ""
        print(f"{row['what']:<30} {row['clock_ms']:>9.1f} {times[0]} {row['cpu_ms']:>9.1f} {times[1]}{within}")
    largest_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process: {largest_mb:.0f} MB")
    recorded = [{name: None if value != value else value for name, value in each.items()} for each in rows]
    write_record(args.out, "grading", recorded, seed=SEED, largest_process_mb=round(largest_mb))


if __name__ == "__main__":
    main()
