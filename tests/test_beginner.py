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
from lmcourse.grader.bubblewrap import missing_sandbox
from lmcourse.grader.marking import Marker
from lmcourse.grader.page import load_page
from lmcourse.grader.results import TaskResult
from lmcourse.grader.submissions import read_answers
from tests.grader.classes import ROOT, answered, solutions

SANDBOX = missing_sandbox() is None
CHAPTER = "01_ngrams"
TABLE = Path(__file__).with_name("beginner.txt")
SET_UP = "from lmcourse.exercises import check, hint"
RIGHT = solutions(CHAPTER)["perplexity"]
UNTOUCHED = "untouched"
#: Notebook -> its set-up cell, and task -> what is wrong, the answer cell; "" where a cell was deleted.
BROKEN = {
    "its set-up lacks `import math`": (
        SET_UP,
        {
            "transition_matrix": (
                "a bracket that is never closed",
                "def transition_matrix(sentences, vocabulary):\n    rows = [0\n    return rows",
            ),
            "skip_votes": (
                "a line moved in",
                "def skip_votes(sentences, prefix, keep=None):\n    votes = {}\n      return votes",
            ),
            "ngram_counts": (
                "changes its argument and forgets the end mark",
                "def ngram_counts(sentences, order):\n    counts = {}\n    for words in sentences:\n"
                "        words.insert(0, '<s>')\n        for i in range(len(words) - order + 1):\n"
                "            gram = tuple(words[i : i + order])\n            counts[gram] = counts.get(gram, 0) + 1\n"
                "    return counts",
            ),
            "mle_probability": (
                "an import that fails",
                "import scipyy\n\ndef mle_probability(counts, context, word):\n    return 0.0",
            ),
            "add_k": ("renamed", "def add_one(*arguments):\n    return 0.0"),
            "interpolate": ("prints, returns nothing", "def interpolate(*arguments):\n    print(arguments)"),
            "stupid_backoff": ("raises", "def stupid_backoff(*arguments):\n    return {}[arguments[2]]"),
            "continuation_counts": ("asks for input", "def continuation_counts(bigrams):\n    return input('x?')"),
            "kneser_ney_bigram": ("leaves", "import sys\ndef kneser_ney_bigram(*arguments):\n    sys.exit(0)"),
            "perplexity": ("right", RIGHT),
            "bits_per_byte": ("deleted", ""),
            "sample_next": ("calls a function that is not there", "def sample_next(*a):\n    return helper(*a)"),
            "SmoothedModel": (UNTOUCHED, UNTOUCHED),
        },
    ),
    "its set-up stops": (SET_UP.replace("lmcourse", "lmcurse"), {"perplexity": ("right", RIGHT)}),
    "its set-up was deleted, and one check cell": (
        "",
        {"perplexity": ("right", RIGHT), "sample_next": (UNTOUCHED, UNTOUCHED)},
    ),
}


def broken(set_up: str, answers: dict[str, tuple[str, str]]) -> NotebookNode:
    content = json.dumps(
        answered(CHAPTER, {task: source for task, (what, source) in answers.items() if what != UNTOUCHED})
    )
    page = nbformat.reads(content, as_version=4)
    at = next(number for number, cell in enumerate(page.cells) if cell.cell_type == "code")
    page.cells[at].source = set_up
    page.cells = [cell for cell in page.cells if cell.cell_type != "code" or cell.source]
    if not set_up:  # and a check cell
        page.cells = [cell for cell in page.cells if cell.id != "sample_next-check"]
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


def marked(pages: dict[str, NotebookNode]) -> dict[str, dict[str, TaskResult]]:
    """Notebook -> task -> what `lmcourse grade` says."""
    course_page = load_page(ROOT, CHAPTER)
    with Marker(course_page, seed=0) as marker:
        answers = {name: read_answers(json.dumps(page).encode(), course_page) for name, page in pages.items()}
        return {name: {one.task: one for one in marker.mark(given)} for name, given in answers.items()}


def test_what_a_beginner_is_told(tmp_path, monkeypatch) -> None:
    pages = {name: broken(set_up, answers) for name, (set_up, answers) in BROKEN.items()}
    graded = marked(pages) if SANDBOX else {}
    told = []
    for name, page in pages.items():
        monkeypatch.setattr("lmcourse.notebook.read_notebook", lambda path, page=page: page)
        output = CliRunner().invoke(main, ["check", str(tmp_path / "a.ipynb")]).output
        _, *parts = re.split(r"^[\d.]+/\d+  (\w+)\n", output, flags=re.MULTILINE)
        at_home = dict(zip(parts[::2], parts[1::2], strict=True))
        for task, (what, _) in BROKEN[name][1].items():
            told.append(f"# {task}: {what}; the notebook: {name}\n")
            told.append(f"check():\n{indent(in_the_notebook(page, task), '     ')}\n")
            told.append("lmcourse check:\n" + re.sub(r"(?m)^[\d.]+ of \d+ points\n", "", at_home[task]))
            if SANDBOX:
                result = graded[name][task]
                told.append(f"lmcourse grade, {result.status}:\n{indent(result.reason, '     ')}\n")
            told.append("\n")
    table = TABLE.read_text(encoding="utf-8")
    assert "".join(told) == (table if SANDBOX else re.sub(r"(?m)^lmcourse grade.*\n(     .*\n)*", "", table))
    tried = {each.task.name for each in Progress().tasks() if each.attempts}
    assert "perplexity" in tried
    assert "SmoothedModel" not in tried
