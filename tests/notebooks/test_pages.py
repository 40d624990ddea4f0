"""What nbval does not see: pages in step with their texts, fit to be shown, exercises made from solutions."""

import json
import platform
import re
from pathlib import Path

import nbformat
import pytest

from lmcourse.exercises import all_tasks
from tests.notebooks.reading import claims, code_cells, composed
from tools import notebooks

ROOT = notebooks.ROOT
TEXTS = notebooks.texts()
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
MORE = sorted((ROOT / "chapters" / "more").glob("*.ipynb"))  # their companions
EXERCISES = sorted((ROOT / "exercises").glob("*/*.ipynb"))
BY_A_PERSON = {"12_looking_inside": {"claim": 14}}  # cells for a written answer: their points, as in docs/teaching.md


def name(path):
    return f"{path.parent.name}/{path.stem}"


def read(path):
    return nbformat.read(path, as_version=4)


@pytest.mark.parametrize("text", TEXTS, ids=name)
def test_text_and_notebook_say_the_same(text):
    assert notebooks.in_step(read(notebooks.target(text)), composed(text)), "run `make notebooks`"


def test_every_notebook_has_a_text():
    written = {notebooks.target(text) for text in TEXTS}
    assert {*CHAPTERS, *MORE, *(ROOT / "solutions").glob("*/*.ipynb")} == written


@pytest.mark.parametrize("text", TEXTS, ids=name)
def test_outputs_are_there_and_fit_to_be_shown(text):
    page = read(notebooks.target(text))
    assert notebooks.faults(page) == []
    assert [cell.execution_count for cell in code_cells(page)] == list(range(1, len(code_cells(page)) + 1))
    assert sum(bool(cell.outputs) for cell in code_cells(page)) > len(code_cells(page)) / 3


@pytest.mark.parametrize("page", [*CHAPTERS, *MORE, *EXERCISES], ids=name)
def test_no_line_of_a_paragraph_becomes_a_list_by_the_way_it_is_wrapped(page):
    for cell in read(page).cells:
        for block in re.split(r"\n\s*\n", cell.source) if cell.cell_type == "markdown" else []:
            first, *others = block.strip().split("\n")
            if not re.match(r"[-+*] |\d+[.)] |[#|>]", first):
                assert not [line for line in others if re.match(r"[-+*] |\d+[.)] ", line)], block


@pytest.mark.parametrize("page", [*CHAPTERS, *MORE], ids=name)
def test_cells_with_claims_hold_nothing_that_is_shown(page):
    for cell in code_cells(read(page)):
        if "claim(" in cell.source and "import claim" not in cell.source:
            reports = [output for output in cell.outputs if "<details>" in output.get("data", {}).get("text/html", "")]
            streams = [output for output in cell.outputs if output.output_type == "stream"]
            assert len(reports) + len(streams) == len(cell.outputs), cell.source


def test_claims_are_unique_in_the_course():
    stated = [claim for page in [*CHAPTERS, *MORE] for claim in claims(read(page))]
    assert len(stated) == len(set(stated))


def test_exercises_are_what_nbgrader_makes_of_the_solutions(tmp_path):
    notebooks.release(ROOT / "solutions", tmp_path)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.ipynb")}
    kept = {path.relative_to(ROOT / "exercises"): path.read_bytes() for path in EXERCISES}
    assert made == kept, "run `make notebooks`"


@pytest.mark.parametrize("page", EXERCISES, ids=name)
def test_exercises_ask_every_task_of_their_chapter_and_give_nothing_away(page):
    text = page.read_text(encoding="utf-8")
    chapter = read(page).metadata.lmcourse.chapter
    tasks = {task.name for task in all_tasks(chapter)}
    assert set(re.findall(r'check\(\\"(\w+)\\"', text)) == tasks
    assert "SOLUTION" not in text
    assert "secret_seed" not in text
    points = {
        cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points
        for cell in read(page).cells
        if "points" in cell.metadata.get("nbgrader", {})
    }
    assert points == {f"{task.name}-check": task.points for task in all_tasks(chapter)} | BY_A_PERSON.get(chapter, {})


def test_every_curriculum_line_of_these_chapters_is_covered():
    """docs/curriculum.md lists the lines; a chapter or its companion marks where with <!-- c:CODE -->."""
    lines = re.findall(r"^- `(\d\d\.\d+)`", (ROOT / "docs" / "curriculum.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == len(set(lines)) > 80
    covered: list[str] = []
    for page in CHAPTERS:
        cells = [
            cell for each in (page, *(more for more in MORE if more.stem == page.stem)) for cell in read(each).cells
        ]
        marks = re.findall(r"<!-- c:(\d\d\.\d+) -->", "\n".join(cell.source for cell in cells))
        wanted = [line for line in lines if line.startswith(page.stem[:2])]
        assert wanted, page.stem
        assert sorted(set(marks)) == sorted(wanted), page.stem
        covered += wanted
    print(f"{len(covered)} of {len(lines)} curriculum lines are covered by {len(CHAPTERS)} chapters")


def test_no_notebook_is_heavy_or_names_a_machine():
    for page in [*CHAPTERS, *MORE, *EXERCISES, *(ROOT / "solutions").glob("*/*.ipynb")]:
        assert page.stat().st_size < 2_000_000, page.name
        text = json.dumps(json.loads(page.read_text(encoding="utf-8")))
        assert str(Path.home()) not in text or str(Path.home()) == "/"
        assert platform.node() not in text or len(platform.node()) < 4
