"""Mark a notebook at home: run it in a kernel of its own, collect the verdicts of its check cells, change nothing."""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from lmcourse.contents import Entry, contents

UNDEFINED = re.compile(r"name '(\w+)' is not defined")  # a NameError's message
_ANSI = re.compile(r"\x1b\[[\d;]*m")
_PLACE = re.compile(r" \([^()]*, line (\d+)\)$")  # what Python adds to a SyntaxError's message
_CHECK = re.compile(r"""^\s*check\(\s*["'](\w+)["']""", re.MULTILINE)


@dataclass(frozen=True)
class Mark:
    """One task's result in a notebook."""

    task: Entry
    earned: float
    reason: str

    @property
    def is_full(self) -> bool:
        """Whether the task earned all its points."""
        return self.earned == self.task.points


def total_points(marks: Iterable[Mark]) -> tuple[float, int]:
    """Return the points earned and the points there are."""
    marks = list(marks)
    return sum(mark.earned for mark in marks), sum(mark.task.points for mark in marks)


def read_notebook(path: str | os.PathLike[str]) -> NotebookNode:
    """Read a notebook.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a notebook, with the place of the fault.
    """
    try:
        notebook = nbformat.reads(Path(path).read_text(encoding="utf-8-sig"), as_version=4)
        nbformat.validate(notebook)
    except (json.JSONDecodeError, nbformat.reader.NotJSONError) as error:
        raise ValueError(f"{path} is not a notebook: it is not JSON ({' '.join(str(error).split())[:120]}).") from error
    except (nbformat.ValidationError, AttributeError, KeyError, TypeError, UnicodeDecodeError) as error:
        first = str(error).strip().splitlines()[0]
        raise ValueError(f"{path} is not a notebook of nbformat 4: {first[:160]}.") from error
    return notebook


def check_notebook(path: str | os.PathLike[str], *, cell_timeout_s: int = 120) -> list[Mark]:
    """Run a notebook's cells and return a mark for every task of its chapter. The file is only read.

    A task gets its points when its check cell ran and passed. When the check cell is missing, or failed before it
    could check (the answer was renamed, say), the reason tells which.

    Raises:
        FileNotFoundError, ValueError: see `read_notebook`; or it holds no tasks of the course.
    """
    notebook = read_notebook(path)
    tasks = _tasks_of(notebook, path)
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "verdicts.jsonl"
        client = NotebookClient(
            notebook,
            timeout=cell_timeout_s,
            kernel_name="python3",
            allow_errors=True,
            resources={"metadata": {"path": str(Path(path).resolve().parent)}},
        )
        stopped = ""
        try:
            client.execute(env=os.environ | {"LMCOURSE_VERDICTS": str(report)}, stderr=subprocess.DEVNULL)
        except CellTimeoutError:
            stopped = f"a cell ran longer than {cell_timeout_s} s, and the run was stopped there"
        except DeadKernelError:
            stopped = "the kernel died while a cell ran (out of memory?)"
        lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
    verdicts = {record["task"]: record for record in map(json.loads, lines)}  # the last check of a task counts
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [_mark(task, verdicts.get(task.name), code, stopped) for task in tasks]


def _tasks_of(notebook: NotebookNode, path: str | os.PathLike[str]) -> list[Entry]:
    named = set(_CHECK.findall("\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")))
    chapter = notebook.metadata.get("lmcourse", {}).get("chapter")
    tasks = [task for task in contents().values() if task.chapter == chapter or task.name in named]
    if not tasks:
        raise ValueError(f"{path} holds no task of the course: no chapter in its metadata, and no check cell.")
    return tasks


def _mark(task: Entry, verdict: dict | None, code: list[NotebookNode], stopped: str) -> Mark:
    if verdict is not None:
        undefined = UNDEFINED.search(verdict["reason"])
        reasons = [verdict["reason"], _never_made(undefined[1], code) if undefined else ""]
        return Mark(task, verdict["earned"], "\n".join(filter(None, reasons)))
    cells = [cell for cell in code if task.name in _CHECK.findall(cell.source)]
    if not cells:
        return Mark(task, 0, f'the check cell is missing: add a cell with check("{task.name}", {task.name})')
    errors = [output for cell in cells for output in cell.outputs if output.output_type == "error"]
    if not errors:
        return Mark(task, 0, stopped or "the check cell did not run")
    undefined = UNDEFINED.search(errors[0].evalue) if errors[0].ename == "NameError" else None
    if undefined is None:
        return Mark(task, 0, _stops(code, cells)[0])
    name = undefined[1]
    found_none = "is the set-up cell, the first one, missing?"
    if name != "check":
        found_none = "is the answer cell missing, or was the name changed?"
    return Mark(task, 0, _never_made(name, code) or f"nothing named {name} was found: {found_none}")


def makes(name: str, source: str) -> bool:
    """Whether code makes something of this name, by the look of it: it may be no Python."""
    definition = rf"^(?:def|class)\s+{name}\b|^{name}\s*=|^(?:import|from)\b.*\b{name}\b"
    return re.search(definition, source, re.MULTILINE) is not None


def _never_made(name: str, code: list[NotebookNode]) -> str:
    """What to tell of a name that is not defined where a cell that would make it stopped; "" where none did."""
    stops = _stops(code, [cell for cell in code if makes(name, cell.source)])
    return f"nothing named {name} was found: {stops[-1]}" if stops else ""


def _stops(code: list[NotebookNode], cells: list[NotebookNode]) -> list[str]:
    """Where and why cells stopped, of those that did."""
    return [
        f"code cell {number} stopped {_how(cell, output)}"
        for number, cell in enumerate(code, 1)
        for output in cell.outputs
        if output.output_type == "error" and any(cell is one for one in cells)
    ]


def _how(cell: NotebookNode, error: NotebookNode) -> str:
    """In which line, and with what: a SyntaxError's line is in its message, that of others in the trace."""
    trace = _ANSI.sub("", "\n".join(error.traceback))
    lines = _PLACE.findall(error.evalue) or re.findall(rf"Cell In\[{cell.execution_count}\], line (\d+)", trace)
    line = f"in line {lines[-1]}, `{cell.source.splitlines()[int(lines[-1]) - 1].strip()}`, " if lines else ""
    return f"{line}with {error.ename}: {_PLACE.sub('', error.evalue)}"
