"""What a beginner is told of a dozen broken notebooks, word for word: by `check()` in the notebook, by `lmcourse check`
and by `lmcourse grade`. The table is beginner.txt."""

import json
import re
from pathlib import Path
from textwrap import indent

import nbformat
from click.testing import CliRunner
from nbformat import NotebookNode

from lmcourse.cli import main
from lmcourse.exercises import Progress
from lmcourse.grader.marking import Marker
from lmcourse.grader.page import load_page
from lmcourse.grader.submissions import read_answers
from tests.grader.classes import ROOT, answered, needs_sandbox, solutions

CHAPTER = "00_start_here"
TABLE = Path(__file__).with_name("beginner.txt")
SET_UP = "import numpy as np\n\nfrom lmcourse.exercises import check, hint"
#: Notebook -> its set-up cell, and task -> what is wrong, the answer cell; "" where a cell was deleted.
BROKEN = {
    "its set-up is as it was": (
        SET_UP,
        {
            "phrase_matrix": (
                "a bracket that is never closed",
                "def phrase_matrix(p, v):\n    rows = [0\n    return rows",
            ),
            "cosine_similarity": (
                "a line moved in",
                "def cosine_similarity(x, y):\n    x = x / 2\n      return x @ y.T",
            ),
            "lookup_rows": (
                "an import that fails",
                "import scipyy\n\ndef lookup_rows(table, ids):\n    return table[ids]",
            ),
            "softmax": (
                "changes its argument and does not mask",
                "def softmax(scores, banned):\n    scores[banned] = 0\n    e = np.exp(scores)\n    return e / e.sum()",
            ),
            "cross_entropy": ("renamed", "def cross_entropy_2(*arguments):\n    return 0.0"),
            "gradient_step": ("prints, returns nothing", "def gradient_step(*arguments):\n    print(arguments)"),
        },
    ),
    "its set-up stops": (SET_UP.replace("numpy", "numpyy"), {"softmax": ("right", solutions(CHAPTER)["softmax"])}),
    "its set-up was deleted": ("", {"softmax": ("right", solutions(CHAPTER)["softmax"])}),
    "its set-up lost a line": (
        "from lmcourse.exercises import check",
        {
            "phrase_matrix": ("raises", "def phrase_matrix(phrase, vocabulary):\n    return {}[phrase[0]]"),
            "cosine_similarity": ("asks for input", "def cosine_similarity(x, y):\n    return input('x?')"),
            "lookup_rows": ("leaves", "import sys\ndef lookup_rows(table, ids):\n    sys.exit(0)"),
            "softmax": ("right", solutions(CHAPTER)["softmax"]),
            "cross_entropy": ("deleted", ""),
            "gradient_step": ("calls a helper that was not run", "def gradient_step(*a):\n    return helper(*a)"),
        },
    ),
}


def broken(set_up: str, answers: dict[str, tuple[str, str]]) -> NotebookNode:
    content = json.dumps(answered(CHAPTER, {task: source for task, (_, source) in answers.items()}))
    page = nbformat.reads(content, as_version=4)
    at = next(number for number, cell in enumerate(page.cells) if cell.cell_type == "code")
    page.cells[at].source = set_up
    page.cells = [cell for cell in page.cells if cell.cell_type != "code" or cell.source]
    if not set_up:  # and a check cell
        page.cells = [cell for cell in page.cells if cell.id != "cross_entropy-check"]
    return page


def in_the_notebook(page: NotebookNode, task: str) -> str:
    """What stands under the check cell once the notebook was run."""
    outputs = [output for cell in page.cells if cell.id == f"{task}-check" for output in cell.outputs]
    shown = [
        "\n".join(output.traceback) if output.ename == "CheckFailedError" else f"{output.ename}: {output.evalue}"
        for output in outputs
        if output.output_type == "error"
    ]
    return shown[0] if shown else "(there is no such cell)"


@needs_sandbox
def test_what_a_beginner_is_told(tmp_path, monkeypatch) -> None:
    course_page = load_page(ROOT, CHAPTER)
    told = []
    with Marker(course_page, seed=0) as marker:
        for name, (set_up, answers) in BROKEN.items():
            page = broken(set_up, answers)
            content = json.dumps(page).encode()
            graded = {one.task: one for one in marker.mark(read_answers(content, course_page))}
            monkeypatch.setattr("lmcourse.notebook.read_notebook", lambda path, page=page: page)
            output = CliRunner().invoke(main, ["check", str(tmp_path / "a.ipynb")]).output
            _, *parts = re.split(r"^[\d.]+/\d+  (\w+)\n", output, flags=re.MULTILINE)
            at_home = dict(zip(parts[::2], parts[1::2], strict=True))
            at_home = {task: re.sub(r"(?m)^[\d.]+ of \d+ points\n", "", words) for task, words in at_home.items()}
            for task in [*answers, *(() if told else ["SoftmaxClassifier"]), *(() if set_up else ["cross_entropy"])]:
                what = answers[task][0] if task in answers else "untouched"
                told.append(f"# {task}: {what}; the notebook: {name}\n")
                told.append(f"check():\n{indent(in_the_notebook(page, task), '     ')}\n")
                told.append(f"lmcourse check:\n{at_home[task]}")
                told.append(f"lmcourse grade, {graded[task].status}:\n{indent(graded[task].reason, '     ')}\n\n")
    assert "".join(told) == TABLE.read_text(encoding="utf-8")
    untouched = {each.task.name for each in Progress().tasks() if not each.attempts}
    assert "SoftmaxClassifier" in untouched
    assert "softmax" not in untouched
