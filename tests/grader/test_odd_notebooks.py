"""What people hand in is marked as `check` saw it, whichever program wrote the notebook, in whatever syntax."""

import asyncio
import io
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from lmcourse.grader.bubblewrap import missing_sandbox
from lmcourse.grader.classroom import Classroom, mark_class
from lmcourse.grader.ipython import to_python
from lmcourse.grader.marking import Marker
from lmcourse.grader.page import load_page
from lmcourse.grader.submissions import UngradableError, find_submissions, read_answers, read_submission
from lmcourse.notebook import check_notebook, read_notebook
from tests.grader.classes import ROOT, answered, hand_in, needs_sandbox, solutions
from tests.grader.odd_notebooks import CHAPTER, odd_notebooks

NUMBER, DAILY = 112, 28  # the first 28 have each thing that is done to a notebook at least once


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """Run a notebook's cells in IPython in this process, as `lmcourse check` does in a kernel; task -> points."""
    verdicts = tmp_path / "verdicts.jsonl"
    monkeypatch.setenv("LMCOURSE_VERDICTS", str(verdicts))
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "progress.json"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell(config=config)
    awaits = ThreadPoolExecutor(1)  # a browser's test before this one may have left a loop in this thread
    shell.loop_runner = lambda cell: awaits.submit(asyncio.run, cell).result()

    def check(path: Path) -> dict[str, float]:
        verdicts.unlink(missing_ok=True)
        shell.reset(new_session=False)
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            for cell in read_notebook(path).cells:
                if cell.cell_type == "code":
                    shell.run_cell(cell.source)
        lines = verdicts.read_text(encoding="utf-8").splitlines()
        return {record["task"]: record["earned"] for record in map(json.loads, lines)}

    return check


@pytest.mark.filterwarnings("ignore::nbformat.validator.DuplicateCellId")
@pytest.mark.parametrize("number", [DAILY, pytest.param(NUMBER, marks=pytest.mark.slow)])
def test_check_and_grade_agree_on_odd_notebooks(checked, tmp_path, number) -> None:
    page = load_page(ROOT, CHAPTER)
    paths = {name: hand_in(tmp_path / "in", name, CHAPTER, content) for name, content in odd_notebooks(number)}
    given, different = set(), []
    with Marker(page, 0, unsafe=missing_sandbox() is not None) as marker:
        for submission in find_submissions(tmp_path / "in"):
            answers = read_answers(read_submission(submission), page)
            results = marker.mark(answers)
            graded = {result.task: result.earned for result in results}
            at_home = dict.fromkeys(graded, 0) | checked(paths[submission.student])
            given.add(sum(graded.values()))
            different += [
                f"{submission.student}: {result.task} earns {at_home[result.task]} in `check`, not in `grade`: {result}"
                for result in results
                if result.earned != at_home[result.task]
            ]
    assert not different, "\n".join(different)
    assert len(given) > 3  # some earn everything, some do not


@needs_sandbox
@pytest.mark.slow
def test_the_commands_agree_too(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "progress.json"))
    seed = tmp_path / "seed"
    seed.write_text("0")
    odd = list(odd_notebooks(NUMBER))[5::9]
    paths = {name: hand_in(tmp_path / "in", name, CHAPTER, content) for name, content in odd}
    for result in mark_class(Classroom(tmp_path / "in", tmp_path / "out", ROOT, seed_file=seed), lambda _: None):
        at_home = {mark.task.name: mark.earned for mark in check_notebook(paths[result.student])}
        assert {task.task: task.earned for task in result.tasks} == at_home, (result.student, result.notes)


@pytest.mark.parametrize(
    ("source", "python", "left_out"),
    [
        ("np.dot?\nx = 1", "None\nx = 1\n", ["?"]),
        ("x = !ls -l", "x = []\n", ["!ls -l"]),
        ("%time FACTOR = 2", "FACTOR = 2\n", []),
        ("%%time\n%matplotlib inline\nx = 1", "\nNone\nx = 1\n", ["%matplotlib"]),
        ("%%bash\nrm -rf /", "None\n", ["%%bash"]),
        ("for i in range(3):\n    !echo $i\n", "for i in range(3):\n    None\n", ["!echo $i"]),
        ("é = 7\nß = %timeit -o é; ö = 1", "é = 7\nß = None\n", ["%timeit"]),
        ("x = = 1\n!ls", "x = = 1\n!ls", []),
        ('s = """\n!ls\n"""', 's = """\n!ls\n"""', []),
    ],
)
def test_what_ipython_alone_knows_is_left_out_and_told(source, python, left_out) -> None:
    assert to_python(source) == (python, left_out)


def test_a_cell_of_nothing_but_commands_takes_no_time() -> None:
    source = "!ls\n" * 50_000
    assert to_python(source) == (source, [])


def test_what_was_left_out_is_told_to_the_teacher() -> None:
    source = f"!rm -rf ~\n{solutions(CHAPTER)['softmax']}"
    answers = read_answers(json.dumps(answered(CHAPTER, {"softmax": source})).encode(), load_page(ROOT, CHAPTER))
    assert answers.notes == ["softmax: left out, as only IPython knows it: !rm -rf ~"]
    assert answers.sources["softmax"] == source  # what is shown is what was handed in


def test_the_notebook_of_another_chapter_is_named_as_that() -> None:
    with pytest.raises(UngradableError, match=r"^this is the notebook of 01_ngrams, handed in as 00_start_here$"):
        read_answers(json.dumps(answered("01_ngrams", {})).encode(), load_page(ROOT, CHAPTER))
