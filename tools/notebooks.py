"""Build the notebooks from their texts.

    python -m tools.notebooks            # what is out of step with its text; executed if its code has changed
    python -m tools.notebooks --force    # everything, executed anew (after a change in the library)
    python -m tools.notebooks 01         # only chapter 01

A text (MyST Markdown, `texts/`) becomes a notebook: chapters are executed and keep their outputs; solutions get
nbgrader's cell metadata from the tasks, are executed to see that they pass, and give the exercises through nbgrader.
The same text gives the same bytes. The passages that the project of chapter 09 searches are taken from the texts, too.
"""

import argparse
import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from lmcourse.exercises import Task, find_task
from lmcourse.exercises.task import answer_source
from tools import form, passages
from tools.form import ROOT, TEXTS

FIGURE_LIMIT = 100_000  # bytes
CELL_LIMIT, PROJECT_LIMIT = 25, 80  # lines
KERNEL = Path(__file__).parent / "kernel"  # an IPython profile
WIDGET = "application/vnd.jupyter.widget-view+json"
TASK_LINE = re.compile(r"^<!-- task: (\w+) -->$", re.MULTILINE)


def texts(*chapters: str) -> list[Path]:
    """The text of every page, chapters first, then their companions; `chapters` keeps those whose names start so."""
    folders = ("chapters", f"chapters/{form.MORE}", "solutions")
    found = [path for folder in folders for path in sorted((TEXTS / folder).glob("*.md"))]
    return [path for path in found if not chapters or path.stem.startswith(chapters)]


def target(text: Path) -> Path:
    """Where the notebook of a text lies."""
    if text.parent.name != "solutions":
        return ROOT / text.parent.relative_to(TEXTS) / f"{text.stem}.ipynb"
    return ROOT / "solutions" / text.stem / f"{text.stem}.ipynb"


def compose(text: Path) -> NotebookNode:
    """The notebook of a text, not yet executed: links, folded cells, fixed cell ids, task headlines, check cells."""
    source = jupytext.reads(text.read_text(encoding="utf-8"), fmt="md:myst")
    stated = {key: source.metadata["lmcourse"][key] for key in ("kind", "chapter")}
    cells = [cell for raw in source.cells for cell in _cells(raw, text)]
    cells = form.add_links(cells, stated["kind"], stated["chapter"])
    _number(cells)
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.nbformat_minor = 5
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
            "lmcourse": stated,
        }
    )
    return notebook


def _cells(raw: NotebookNode, text: Path) -> Iterable[NotebookNode]:
    """The cells that one cell of a text stands for."""
    if raw.cell_type == "markdown":
        raw.source = TASK_LINE.sub(lambda match: find_task(match[1]).headline(), raw.source)
        raw.source = form.fill_marks(raw.source, text.stem)
    elif raw.cell_type == "code":
        try:
            form.fold(raw)
        except ValueError as error:
            raise ValueError(f"{text.name}: {error}") from error
    if "task" not in raw.metadata:
        yield raw
        return
    task = find_task(raw.metadata.pop("task"))
    raw.source = answer_cell(task)
    raw.metadata["nbgrader"] = _nbgrader(f"{task.name}-answer", solution=True)
    yield raw
    yield _check_cell(task)


def answer_cell(task: Task) -> str:
    """The answer as the solution page has it: nbgrader takes out what stands between the marks, a function's body, or
    the body of each method of a class."""
    source = answer_source(*task.before, task.reference).rstrip()
    lines = source.splitlines()
    for definition in ast.parse(source).body:
        if not isinstance(definition, (ast.FunctionDef, ast.ClassDef)) or ast.get_docstring(definition) is None:
            raise ValueError(f"the answer of {task.name} must be a function or a class with a docstring.")
    bodies = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    outer = [one for one in bodies if not any(one is not other and one in ast.walk(other) for other in bodies)]
    for function in sorted(outer, key=lambda one: -one.lineno):
        first, explained = function.body[0], ast.get_docstring(function) is not None
        start = (first.end_lineno or 0) if explained else first.lineno - 1
        margin = " " * first.col_offset
        lines.insert(function.end_lineno or len(lines), f"{margin}### END SOLUTION")
        lines.insert(start, f"{margin}### BEGIN SOLUTION")
    return "\n".join(lines)


def _check_cell(task: Task) -> NotebookNode:
    call = f'check("{task.name}", {task.name}'
    lines = [
        f"{call})",
        "### BEGIN HIDDEN TESTS",
        "from lmcourse.exercises import secret_seed",
        f"{call}, seed=secret_seed())",
        "### END HIDDEN TESTS",
    ]
    metadata = {"nbgrader": _nbgrader(f"{task.name}-check", grade=True, points=task.points)}
    return nbformat.v4.new_code_cell("\n".join(lines), metadata=metadata)


def _nbgrader(grade_id: str, *, solution: bool = False, grade: bool = False, points: int | None = None) -> dict:
    record = {"grade": grade, "grade_id": grade_id, "locked": grade, "schema_version": 3, "solution": solution}
    return record | {"task": False} | ({} if points is None else {"points": points})


def _number(cells: list[NotebookNode]) -> None:
    """Ids from what a cell says, so that an edit changes no other cell's id."""
    seen: dict[str, int] = {}
    for cell in cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:10]
        seen[digest] = seen.get(digest, 0) + 1
        cell.id = cell.metadata.get("nbgrader", {}).get("grade_id") or f"{digest}-{seen[digest]}"
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []


def execute(
    notebook: NotebookNode,
    folder: Path,
    *,
    allow_errors: bool = False,
    check_figures: bool = False,
    **environment: str,
) -> NotebookNode:
    """Run a notebook in `folder` and take out of it what varies from run to run.

    With `check_figures`, figures with overlapping words write to stderr, which is one of the `faults`.
    """
    with tempfile.TemporaryDirectory() as scratch:
        if check_figures:
            shutil.copytree(KERNEL, Path(scratch) / "profile_default")
        state = {"LMCOURSE_STATE": str(Path(scratch) / "progress.json"), "IPYTHONDIR": scratch, "TQDM_DISABLE": "1"}
        client = NotebookClient(
            notebook,
            timeout=600,
            kernel_name="python3",
            record_timing=False,
            allow_errors=allow_errors,
            resources={"metadata": {"path": str(folder)}},
        )
        fixed = {"LMCOURSE_PRESET": "laptop", "OMP_NUM_THREADS": "1"}  # the last digits depend on the number of threads
        client.execute(env=os.environ | fixed | state | environment, stderr=subprocess.DEVNULL)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = _merged(cell.outputs)
            cell.metadata.pop("execution", None)
    notebook.metadata.pop("widgets", None)
    notebook.metadata.language_info = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"}
    return notebook


def _merged(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Neighbouring pieces of a stream as one: how a stream is cut depends on timing. No widgets, whose ids differ from
    run to run: of `plots.explore` the still picture remains, of a progress bar nothing."""
    merged: list[NotebookNode] = []
    for output in outputs:
        if output.get("data", {}).pop(WIDGET, None) and "text/html" not in output.data:
            continue
        last = merged[-1] if merged else None
        if last is not None and output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            merged.append(output)
    return merged


def faults(notebook: NotebookNode) -> list[str]:
    """What may not stand in a page's outputs: errors, warnings, machine paths, heavy figures, figures without words."""
    found = []
    for number, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        limit = PROJECT_LIMIT if cell.metadata.get("nbgrader", {}).get("solution") else CELL_LIMIT
        if _code_lines(cell.source) > limit:
            found.append(f"code cell {number} has more than {limit} lines")
        for output in cell.outputs:
            if output.output_type == "error":
                found.append(f"code cell {number} ended in {output.ename}: {output.evalue[:200]}")
            if output.get("name") == "stderr":
                found.append(f"code cell {number} wrote to stderr: {output.text[:200]}")
            if re.search(
                r"(?<![\w.])/(?:root|home|work|tmp|Users)/\w", str(output.get("text", "")) + str(output.get("data", ""))
            ):
                found.append(f"code cell {number} shows a path of this machine")
            figure = form.image(output)
            if figure and len(figure.png) > FIGURE_LIMIT:
                found.append(f"code cell {number} has a figure of {len(figure.png) / 1e3:.0f} kB")
            if "image/png" in output.get("data", {}):
                found.append(f"code cell {number} has a figure without alt text: show it with lmcourse.plots.show")
    return found


def _code_lines(source: str) -> int:
    """The lines of a cell, docstrings not counted: an answer cell explains its task in one."""
    tree = ast.parse(source)
    functions = (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    texts = [node.body[0] for node in functions if ast.get_docstring(node)]
    return len(source.splitlines()) - sum((text.end_lineno or 0) - text.lineno + 1 for text in texts)


def in_step(notebook: NotebookNode, built: NotebookNode) -> bool:
    """Whether a notebook on disk says what its text says, cell by cell, ids and metadata included."""

    def plain(page: NotebookNode) -> list[tuple]:
        return [(cell.id, cell.cell_type, cell.source, dict(cell.metadata)) for cell in page.cells]

    return plain(notebook) == plain(built) and notebook.metadata == built.metadata


def keep_outputs(before: NotebookNode, notebook: NotebookNode) -> bool:
    """Give a page the outputs that it had, if only its words have changed; return whether that is so."""
    pages = [[cell for cell in page.cells if cell.cell_type == "code"] for page in (before, notebook)]
    if [cell.source for cell in pages[0]] != [cell.source for cell in pages[1]] or before.metadata != notebook.metadata:
        return False
    for old, new in zip(*pages, strict=True):
        new.outputs, new.execution_count = old.outputs, old.execution_count
    return True


def write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook as nbformat does, whole or not at all."""
    nbformat.validate(notebook)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n", encoding="utf-8", newline="\n")
    os.replace(fresh, path)


def release(solutions: Path, exercises: Path) -> None:
    """Make the students' edition of every solution with nbgrader, in a folder of its own."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(solutions, Path(folder) / "source")
        config = Config()
        config.CourseDirectory.root = folder
        config.CourseDirectory.course_id = "lmcourse"
        config.CourseDirectory.db_url = f"sqlite:///{folder}/gradebook.db"
        config.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("write your answer here")'}
        config.Application.log_level = "ERROR"
        os.environ["PATH"] = (
            f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # it calls alembic by name
        )
        api = NbGraderAPI(config=config)
        for assignment in sorted(path.name for path in solutions.iterdir() if path.is_dir()):
            result = api.generate_assignment(assignment, force=True, create=True)
            if not result["success"]:
                raise RuntimeError(
                    f"nbgrader made no exercise of {assignment}: {result.get('error') or result.get('log')}"
                )
            made = Path(folder) / "release" / assignment / f"{assignment}.ipynb"
            page = nbformat.read(made, as_version=4)
            page.metadata.lmcourse.kind = "exercise"
            write(page, exercises / assignment / f"{assignment}.ipynb")


def build(chosen: list[Path], *, force: bool = False) -> bool:
    """Build the notebooks of these texts; return whether every page is fit to be shown."""
    clean = True
    for text in chosen:
        path, notebook = target(text), compose(text)
        before = nbformat.read(path, as_version=4) if path.exists() and not force else None
        if before is not None and in_step(before, notebook):
            continue
        if before is not None and keep_outputs(before, notebook):
            print(f"new words for {path.relative_to(ROOT)}", flush=True)
            write(notebook, path)
            continue
        print(f"building {path.relative_to(ROOT)}", flush=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        execute(notebook, path.parent, allow_errors=True, check_figures=True, LMCOURSE_BUILD="1")
        found = faults(notebook)
        clean = clean and not found
        print("".join(f"  {fault}\n" for fault in found), end="")
        write(notebook, path)
    release(ROOT / "solutions", ROOT / "exercises")
    return clean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", help="chapters to build, by the start of their names; all by default")
    parser.add_argument("--force", action="store_true", help="execute pages that are in step with their text too")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    passages.build()
    sys.exit(not build(texts(*arguments.chapters), force=arguments.force))


if __name__ == "__main__":
    main()
