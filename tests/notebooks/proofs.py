"""What the kernels recorded while `tools/pages.py` ran the pages: each ran, and in full its claims can fail."""

import json
import os
from pathlib import Path

import nbformat
import pytest

from tests.notebooks.breaks import BREAKS
from tests.notebooks.reading import claims, code_cells
from tools import ledger

PAGES = [Path(name) for name in os.environ["LMCOURSE_PAGES"].split(os.pathsep)]
NAMES_IN_FULL = os.environ["LMCOURSE_IN_FULL"].split(os.pathsep)
IN_FULL = [page for page in PAGES if page.as_posix() in NAMES_IN_FULL and "chapters" in page.parts]
A_PAGE_S = 90  # what Run All should take at most, with nothing beside it


def record_of(page: Path) -> dict:
    cells = {cell.source for cell in code_cells(nbformat.read(page, as_version=4))}
    records = [json.loads(path.read_text()) for path in Path(os.environ["LMCOURSE_PROOF"]).glob("*.json")]
    found = [record for record in records if cells <= set(record["cells"])]
    assert found, f"no kernel ran all cells of {page.name}"
    return found[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_page_ran(page):
    record = record_of(page)
    told = "too long: " if record["seconds"] > A_PAGE_S else ""
    print(f"{told}{page.stem}: {record['seconds']:.1f} s;", *(f"{s:.1f} s {cell!r}" for s, cell in record["slowest"]))


@pytest.mark.parametrize("page", IN_FULL, ids=lambda page: page.stem)
def test_every_claim_fails_on_a_broken_model(page):
    stated = claims(nbformat.read(page, as_version=4))
    record = record_of(page)
    assert stated or page.parent.name != "chapters", f"{page.name} claims nothing"
    assert {statement: record["fired"].get(statement) for statement in stated} == dict.fromkeys(stated, "fired")
    if os.environ["LMCOURSE_PASSED"]:
        ledger.write(ledger.read() | {page.as_posix(): ledger.passed_now(record["processor_s"])})


def test_no_break_is_left_over():
    everywhere = [claims(nbformat.read(page, as_version=4)) for page in Path("chapters").glob("**/[0-9]*.ipynb")]
    assert set(BREAKS) <= {statement for page in everywhere for statement in page}
