"""Time to mark a class: `lmcourse grade` beside one bare run of the same answers, and beside nbgrader's autograde.

    python -m benchmarks.grading                                  # 200 submissions of chapter 01 on two cores
    python -m benchmarks.grading --students 20 --autograde 2

- bare run: what the answers take by themselves. In one process that has imported everything, the answer cells of each
  submission are executed and its answers called on the same cases. No sandbox, and nothing is judged.
- bare check: the same, and each answer judged as `check` does it.
- one process with its sandbox: read, run in the sandbox, and judged.
- lmcourse grade: the whole command; start-up (imports, the course's own solution, which is marked as a proof) is taken
  apart: it is the time of a class of one.
- nbgrader autograde: a kernel for each submission, no sandbox; its tests see two seeds.

CPU seconds are of all processes together; they say more than the clock when a machine is busy.
"""

import argparse
import json
import math
import os
import platform
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from lmcourse.course import source_folder
from lmcourse.grading import Task, judge, run_answer
from lmcourse.grading.classroom import Classroom, mark_class
from lmcourse.grading.marking import Marker
from lmcourse.grading.page import Page, load_page
from lmcourse.grading.submissions import Handed, read_answers, read_handed

SEED = 271_828_182_845_904
WRONG = "def {task}(*arguments, **options):\n    return None\n"


def make_class(folder: Path, page: Page, students: int) -> Path:
    """A class in which seven tasks of ten are right, two not answered and one wrong, drawn with a fixed seed."""
    draw = random.Random(SEED)
    exercise = source_folder() / "exercises" / page.name / f"{page.name}.ipynb"
    for number in range(students):
        notebook = json.loads(exercise.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            task = cell["id"].removesuffix("-answer")
            kind = draw.random()
            if cell["id"].endswith("-answer") and kind < 0.8:
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


def bare(page: Page, submitted: Path, *, judged: bool) -> None:
    """Run all answers in this process."""
    drawn: list[tuple[Task, list[Any]]] = [(task, task.cases(SEED)) for task in page.tasks]
    for home in sorted(submitted.iterdir()):
        answers = read_answers(read_handed(Handed(home.name, page.name, home / page.name)), page)
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(page.own_code, names)
        for task, cases in drawn:
            exec(answers.sources[task.name], names)
            outcomes = run_answer(task, names[task.name], cases)
            if judged:
                judge(task, cases, outcomes)


def marked(page: Page, submitted: Path) -> tuple[float, float]:
    """Read, run in the sandbox and judge each submission, in one process; the sandbox counts its own CPU time."""
    with Marker(page, SEED) as marker:
        before = marker.sandbox_cpu_s
        clock, cpu = timed(
            lambda: [
                marker.mark(read_answers(read_handed(Handed(home.name, page.name, home / page.name)), page))
                for home in sorted(submitted.iterdir())
            ]
        )
        return clock, cpu + marker.sandbox_cpu_s - before


def graded(submitted: Path, out: Path, jobs: int) -> None:
    """Mark the class with an empty memory."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "seed").write_text(str(SEED))
    room = Classroom(submitted, out, source_folder(), jobs=jobs, seed_file=out / "seed")
    mark_class(room, tell=lambda _: None)


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


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--assignment", default="01_ngrams")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--autograde", type=int, default=3, metavar="N", help="submissions for nbgrader; 0: none")
    parser.add_argument("--out", type=Path, help="also write the rows to this file")
    args = parser.parse_args(arguments)
    page = load_page(source_folder(), args.assignment)
    rows: list[dict[str, Any]] = []

    def row(what: str, seconds: tuple[float, float], number: int) -> None:
        rows.append({"what": what, "clock_ms": 1e3 * seconds[0] / number, "cpu_ms": 1e3 * seconds[1] / number})

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        submitted = make_class(folder, page, args.students)
        one = make_class(folder / "one", page, 1)
        bare(page, one, judged=True)  # what is read the first time
        row("bare run", timed(lambda: bare(page, submitted, judged=False)), args.students)
        row("bare check", timed(lambda: bare(page, submitted, judged=True)), args.students)
        row("one process with its sandbox", marked(page, submitted), args.students)
        start, _ = timed(lambda: graded(one, folder / "out one", 1))
        whole, _ = timed(lambda: graded(submitted, folder / "out", args.jobs))
        row(f"lmcourse grade, {args.jobs} at a time", (whole - start, math.nan), args.students - 1)
        rows.append({"what": "start-up, once", "clock_ms": 1e3 * start, "cpu_ms": math.nan})
        if args.autograde:
            row(
                "nbgrader autograde", timed(lambda: autograded(folder, page, submitted, args.autograde)), args.autograde
            )
    base = rows[0]
    print(f"{'a submission of ' + page.name:<34} {'clock ms':>9} {'x bare':>7} {'CPU ms':>9} {'x bare':>7}")
    for each in rows:
        clock, cpu = each["clock_ms"], each["cpu_ms"]
        ratios = f"{clock / base['clock_ms']:>7.2f}", f"{cpu / base['cpu_ms']:>7.2f}"
        print(f"{each['what']:<34} {clock:>9.1f} {ratios[0]} {cpu:>9.1f} {ratios[1]}")
    largest_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process: {largest_mb:.0f} MB")
    if args.out:
        record = {
            "name": "grading",
            "command": f"python -m benchmarks.grading --students {args.students} --assignment {page.name}",
            "machine": f"{os.cpu_count()}-core {platform.machine()} CPU",
            "date": date.today().isoformat(),
            "seed": SEED,
            "rows": [{name: value if value == value else None for name, value in each.items()} for each in rows],
        }
        args.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
