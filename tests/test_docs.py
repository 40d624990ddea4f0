"""What the documents say of the code is so."""

import importlib
import inspect
import re
from pathlib import Path

import pytest
from torch import nn

from lmcourse import alignment, layers, models, training
from tools import form

ROOT = Path(__file__).parent.parent
ROWS = re.findall(
    r"^\| (.+?) \| `([\w.]+)` \| `([\w/.]+)::(\w+)` \|$",
    (ROOT / "docs" / "papers.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
LONG_TABLES = ("hub.md", "papers.md", "running-elsewhere.md", "teaching.md", "troubles.md")


def test_the_table_of_papers_is_read():
    assert len(ROWS) >= 10


@pytest.mark.parametrize(("paper", "function", "file", "test"), ROWS, ids=[row[1] for row in ROWS])
def test_each_paper_has_its_function_and_its_test(paper, function, file, test):
    assert re.search(r"\d{4}", paper), f"{paper} has no year"
    module, _, name = function.rpartition(".")
    try:
        found = getattr(importlib.import_module(f"lmcourse.{module}"), name)
    except ModuleNotFoundError:  # a method: lmcourse.module.Class.method
        module, _, owner = module.rpartition(".")
        found = getattr(getattr(importlib.import_module(f"lmcourse.{module}"), owner), name)
    assert found.__doc__
    assert re.search(rf"def {test}\b", (ROOT / file).read_text(encoding="utf-8")), f"{file} has no {test}"


#: Public layers, models and losses that no row of papers.md names, and why.
NO_PAPER = {
    "SinusoidalPositions": "adds `sinusoidal_positions`, which has a row",
    "MaskedLM": "BERT with the head of its training; the row is BERT's",
    "sft_loss": "what `SFTTrainer` lowers, which has a row",
}


def test_every_public_layer_model_and_loss_is_in_the_table_of_papers():
    public = {
        name
        for room in (layers, models, training, alignment)
        for name in room.__all__
        for value in [getattr(room, name)]
        if "loss" in name.lower() or (inspect.isclass(value) and issubclass(value, nn.Module))
    }
    named = {part for _, function, *_ in ROWS for part in function.split(".")}
    assert public - named == set(NO_PAPER)


def test_lines_of_the_documents_are_at_most_120_characters():
    """But for rows of tables where names of tests or commands stand."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            in_long_table = page.name in LONG_TABLES and line.startswith("|")
            assert len(line) <= 120 or in_long_table, f"{page.name}:{number} has {len(line)} characters"


def test_the_map_names_every_room():
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Outside")[0]
    named = set(re.findall(r"`(\w+)(?:/|\.py)`", table))
    rooms = {
        path.stem
        for path in (ROOT / "lib" / "lmcourse").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert rooms - {"__init__"} <= named


def test_links_in_the_documents_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_start_page_calls_the_chapters_as_they_call_themselves():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    titles = re.findall(r"^\| (\d\d .+?) \|", readme, re.MULTILINE)
    assert titles == [each.numbered_title for each in form.chapters()]


def test_every_make_target_of_the_documents_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in ("README.md", "CONTRIBUTING.md", "docs/architecture.md"):
        for target in re.findall(r"`?make ([a-z-]+)", (ROOT / page).read_text(encoding="utf-8")):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE) or target in ("or", "and"), (
                f"{page}: make {target}"
            )


def test_both_plans_of_a_course_and_its_notes_know_every_chapter():
    text = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    weeks = [line.split("|")[2:4] for line in text.splitlines() if re.match(r"\| \d+ \|", line)]
    plans = [" ".join(column) for column in zip(*weeks, strict=True)]
    assert len(weeks) == 12
    for number in range(13):
        chapter = f"{number:02}"
        assert all(re.search(rf"\b{chapter}\b", plan.replace("00 to 05 by hand", "")) for plan in plans), chapter
        section = re.search(rf"^### {chapter} .*?(?=^### |\Z)", text, re.MULTILINE | re.DOTALL)
        assert section, chapter
        assert all(f"**{part}.**" in section[0] for part in ("Outcomes", "Reading", "Misconceptions")), chapter
