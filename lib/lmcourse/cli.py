"""The `lmcourse` command."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

import lmcourse
from lmcourse import course, data
from lmcourse.doctor import doctor as examine_and_print
from lmcourse.exercises import Progress, all_tasks
from lmcourse.exercises import hint as print_hint
from lmcourse.exercises.notebook import check_notebook


class _Told(click.ClickException):
    """An error whose message is all the user needs; exit status 2, no traceback."""

    exit_code = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(lmcourse.__version__, prog_name="lmcourse")
def main() -> None:
    """Language models, from n-grams to RLHF: the course's command."""


@main.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--no-start", is_flag=True, help="Make or update the folder, but do not start JupyterLab.")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
@click.option("--port", type=int, default=8888, show_default=True, help="The first port to try.")
def lab(folder: Path | None, no_start: bool, browser: bool, port: int) -> None:
    """Open the course in JupyterLab.

    With FOLDER, the course is copied there first (a file you changed is never overwritten). Without it, the course in
    the present folder is opened, or a copy is made in ./lmcourse.
    """
    if folder is None and (Path.cwd() / course.START).is_file():
        folder = Path.cwd()
    else:
        folder = (folder or Path("lmcourse")).resolve()
        try:
            click.echo(f"{folder}: {course.deliver(folder)}")
        except (OSError, RuntimeError, ValueError) as error:
            raise _Told(f"the course cannot be put into {folder}: {error}") from error
    if no_start:
        return
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}", f"--port={port}"]
    command += [f"--LabApp.default_url=/lab/tree/{course.START.as_posix()}"]
    command += [] if browser else ["--no-browser"]
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    try:
        sys.exit(subprocess.run(command, env=_jupyter_environment(), check=False).returncode)
    except KeyboardInterrupt:
        click.echo("JupyterLab has stopped.")


def _jupyter_environment() -> dict[str, str]:
    """With a configuration folder of ours, which keeps JupyterLab from greeting learners with a question."""
    folders = [str(Path(lmcourse.__file__).parent / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return os.environ | {"JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, folders))}


@main.command()
def doctor() -> None:
    """Say whether this machine is ready for the course."""
    sys.exit(0 if examine_and_print(details=True) else 1)


@main.group("data")
def data_group() -> None:
    """The corpora: what they are, and fetching them."""


@data_group.command("list")
def data_list() -> None:
    """List every corpus with its size, licence and source."""
    for entry in data.available():
        place = ("here" if entry.here else "to fetch") if entry.kind == "package" else entry.kind
        size = f"{entry.size / 1e6:.1f} MB" if entry.size else ""
        click.echo(f"{entry.name:<16} {place:<17} {size:<8} {entry.about}")
        click.echo(f"{'':<16} {'':<17} {'':<8} {entry.licence}; from {entry.source}")


@data_group.command("fetch")
@click.argument("names", nargs=-1, required=True)
@click.option("--optional", is_flag=True, help="Only say so when a corpus cannot be fetched; exit status 0.")
def data_fetch(names: tuple[str, ...], optional: bool) -> None:
    """Fetch corpora by name into the cache folder (LMCOURSE_CACHE)."""
    for name in names:
        try:
            data.fetch(name)
            click.echo(f"{name}: here")
        except data.DataUnavailableError as error:
            if not optional:
                raise _Told(str(error)) from error
            click.echo(str(error))
        except ValueError as error:
            raise _Told(str(error)) from error


@main.command()
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option("--cell-timeout", type=click.IntRange(1), default=120, show_default=True, help="Seconds a cell may run.")
def check(notebook: Path, cell_timeout: int) -> None:
    """Run NOTEBOOK and mark its tasks. The file is not changed. Exit status 0: all right, 1: not yet, 2: unusable."""
    try:
        marks = check_notebook(notebook, cell_timeout_s=cell_timeout)
    except FileNotFoundError as error:
        raise _Told(f"there is no file {notebook}.") from error
    except (ValueError, OSError) as error:
        raise _Told(str(error)) from error
    for mark in marks:
        click.echo(f"{mark.earned}/{mark.task.points}  {mark.task.name}")
        if mark.earned < mark.task.points:
            click.echo(f"     {mark.reason}")
    earned, points = sum(mark.earned for mark in marks), sum(mark.task.points for mark in marks)
    click.echo(f"{earned} of {points} points")
    sys.exit(0 if earned == points else 1)


@main.command()
@click.argument("task")
def hint(task: str) -> None:
    """Print the next hint for TASK: three of them, from a nudge to nearly the answer."""
    try:
        print_hint(task)
    except ValueError as error:
        raise _Told(str(error)) from error


@main.command()
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The folder for marks, feedback, grade book."
)
@click.option("--chapter", metavar="NN", help="Only assignments whose names start so.")
@click.option("--jobs", type=click.IntRange(1, 64), default=None, help="Submissions at a time.  [default: the cores]")
@click.option("--seed-file", type=click.Path(path_type=Path), help="A file with the secret seed; else one is made.")
@click.option("--due", metavar="TIME", help='When --chapter was due, as "2026-12-01 23:59 Europe/Berlin".')
@click.option("--task-seconds", type=click.FloatRange(0.1), default=10.0, show_default=True, help="Time for one task.")
@click.option("--memory-mb", type=click.IntRange(100), default=1000, show_default=True, help="Memory of a submission.")
@click.option("--report", is_flag=True, help="Say how the class did: a table, a figure, the commonest mistakes.")
@click.option("--unsafe", is_flag=True, help="Run answers without a sandbox, as you, with all that you may do.")
def grade(
    submissions: Path,
    out: Path,
    jobs: int | None,
    due: str | None,
    task_seconds: float,
    memory_mb: int,
    report: bool,
    **options: Any,
) -> None:
    """Mark the class in SUBMISSIONS/STUDENT/ASSIGNMENT/.

    Answers run in a sandbox and are judged outside of it, on cases of a secret seed. A run that was broken off goes on
    where it stopped. Exit status 0: every submission was dealt with, 2: the class cannot be marked.
    """
    from lmcourse.grader import classroom, grade, sandbox  # what only a teacher needs is read only here

    limits = sandbox.Limits(task_s=task_seconds, memory=memory_mb * 1_000_000)
    try:
        room = classroom.Classroom(
            submissions, out, course.source_folder(), limits=limits, jobs=jobs or _cores(), **options
        )
        grade.grade_class(room, due=due, report=report, tell=_tell)
    except (classroom.GradingError, RuntimeError) as error:
        raise _Told(str(error)) from error


def _tell(text: str) -> None:
    """Print for any terminal: a student's folder may have any name."""
    shown = "".join(character if character.isprintable() or character == "\n" else "?" for character in text)
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(shown.encode(encoding, "backslashreplace").decode(encoding))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@main.command()
def progress() -> None:
    """Show which tasks are done."""
    try:
        record = Progress().read()
    except ValueError as error:
        raise _Told(str(error)) from error
    chapter, done, points = "", 0, 0
    for task in all_tasks():
        if task.chapter != chapter:
            chapter = task.chapter
            click.echo(chapter)
        entry = record.get(task.name, {})
        passed = bool(entry.get("passed"))
        done, points = done + passed * task.points, points + task.points
        tries, hints = entry.get("attempts", 0), entry.get("hints", 0)
        note = f"{tries} tries, {hints} hints" if tries or hints else ""
        click.echo(f"  [{'x' if passed else ' '}] {task.name:<24} {task.points} points  {note}".rstrip())
    click.echo(f"{done} of {points} points")


if __name__ == "__main__":
    main()
