"""Pages run where nbval does not run them: unanswered, with an empty cache, twice. All but one page take turns."""

import re

import nbformat
import pytest

from lmcourse.exercises import all_tasks
from tests.notebooks.reading import code_cells
from tests.notebooks.test_pages import CHAPTERS, EXERCISES, MORE, ROOT, TEXTS, name, read
from tools import notebooks


def daily(pages):
    """Of each kind one page in every run, of a text alone; the others are slow."""
    return [page if page.stem.startswith("01") else pytest.param(page, marks=pytest.mark.slow) for page in pages]


def test_a_progress_bar_leaves_nothing_in_a_page_and_cuts_no_stream(tmp_path):
    source = "from tqdm.auto import tqdm\nfor step in tqdm([1, 2], disable=False):\n    print(step, flush=True)"
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    outputs = notebooks.execute(page, tmp_path).cells[0].outputs
    assert [(output.output_type, output.get("text")) for output in outputs] == [("stream", "1\n2\n")]
    assert "widgets" not in page.metadata


@pytest.mark.parametrize("answered", ["none", pytest.param("some", marks=pytest.mark.slow)])
@pytest.mark.parametrize("page", daily(EXERCISES), ids=name)
def test_the_student_edition_fails_exactly_at_unanswered_checks(page, answered):
    exercise, solution = read(page), read(ROOT / "solutions" / page.parent.name / page.name)
    tasks = [task.name for task in all_tasks(exercise.metadata.lmcourse.chapter)]
    solved = set(tasks[::2]) if answered == "some" else set()
    answers = {cell.id: cell.source for cell in solution.cells}
    for task in [*solved]:  # a project may be put together from other answers
        solved |= {other for other in tasks if re.search(rf"\b{other}\(", answers[f"{task}-answer"])}
    for cell in exercise.cells:
        if cell.id in {f"{task}-answer" for task in solved}:
            cell.source = answers[cell.id]
    notebooks.execute(exercise, page.parent, allow_errors=True)
    failed = {cell.id for cell in code_cells(exercise) if any(output.output_type == "error" for output in cell.outputs)}
    assert failed == {f"{task}-check" for task in tasks if task not in solved}
    for cell in code_cells(exercise):
        for output in cell.outputs:
            assert output.get("name") != "stderr", cell.source
            if output.output_type == "error":
                assert "It is not answered yet" in output.evalue


@pytest.mark.parametrize("page", daily([*CHAPTERS, *MORE]), ids=name)
def test_chapters_run_with_no_network_and_an_empty_cache(page, tmp_path):
    """Every chapter with python-docs standing in, at the smoke size."""
    notebook = _smoke(page, tmp_path)
    assert [fault for fault in notebooks.faults(notebook) if "path" not in fault] == []
    written = nbformat.writes(notebook)
    if "load_text" in written:
        assert "python-docs stands in" in written
        assert "not checked" in written


@pytest.mark.slow
@pytest.mark.parametrize("page", [*CHAPTERS, *MORE], ids=name)
def test_a_second_run_with_no_network_changes_no_byte(page, tmp_path):
    assert _smoke(page, tmp_path) == _smoke(page, tmp_path)


def _smoke(page, cache):
    """A chapter built at the smoke size, with no network and nothing in its cache."""
    notebook = notebooks.compose(ROOT / "texts" / page.relative_to(ROOT).with_suffix(".md"))
    environment = {"LMCOURSE_OFFLINE": "1", "LMCOURSE_CACHE": str(cache), "LMCOURSE_PRESET": "smoke"}
    notebooks.execute(notebook, page.parent, allow_errors=True, **environment)
    return notebook


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text in TEXTS if text.parent.name != "solutions"], ids=name)
def test_a_second_build_changes_no_byte(text, tmp_path):
    editions = []
    for _ in range(2):
        notebook = notebooks.compose(text)
        notebooks.execute(notebook, notebooks.target(text).parent)
        notebooks.write(notebook, tmp_path / "page.ipynb")
        editions.append((tmp_path / "page.ipynb").read_bytes())
    assert editions[0] == editions[1]
