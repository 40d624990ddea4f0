"""What a reader meets in JupyterLab before a cell is run: figures that screen readers can name, folded cells, checks.

The notebook is opened as it was delivered: once not trusted, as a downloaded one is, and once trusted.
"""

import os
import subprocess
import sys

import nbformat
import pytest

from tests.accessibility import accessibility_tree
from tests.browser.test_lab import address, open_page, run_all
from tools import form, notebooks

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("LMCOURSE_SHOTS")
ALT = 'A line from 1 to 3: "it" rises & does not fall.'
CELLS = {
    "# figure: a line\nfrom lmcourse.plots import figure, head_view, show\nfig, (axes,) = figure()\n"
    f"axes.plot([1, 2, 3])\nshow(fig, alt={ALT!r})": "figure",
    "x = 1\nx": None,
    "# checks\nfrom lmcourse.runtime import claim\nclaim('one is one', x == 1)\nclaim('and not two', x != 2)": "check",
    "# figure: a view\nimport torch\nhead_view(torch.eye(3)[None, None], list('abc'), title='A view', "
    "alt='Three words, each of which looks at itself.')": "figure",
}  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A page as the builder leaves it."""
    cells = [
        nbformat.v4.new_code_cell(source, metadata={"role": role} if role else {}) for source, role in CELLS.items()
    ]
    for cell in cells:
        form.fold(cell)
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A page"), *cells])
    page.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebooks.execute(page, tmp_path_factory.mktemp("built"))
    assert notebooks.faults(page) == []
    return page


@pytest.fixture(params=["untrusted", "trusted"])
def tab(request, built, lab, lab_folder, browser):
    """The page open in JupyterLab."""
    path = lab_folder / f"{request.param}.ipynb"
    nbformat.write(built, path)
    if request.param == "trusted":
        environment = os.environ | {"JUPYTER_DATA_DIR": str(lab_folder.parent / "data")}
        trust = [sys.executable, "-m", "nbformat.sign", str(path)]
        subprocess.run(trust, env=environment, check=True, capture_output=True)
    page = browser.new_page(viewport={"width": 1280, "height": 1400})
    page.goto(address(lab, path.name))
    open_page(page, request.param)
    page.trusted = request.param == "trusted"
    yield page
    page.close()


def test_a_page_reads_well_before_it_is_run(tab):
    image = tab.locator(".jp-OutputArea img").first
    image.wait_for(timeout=120_000)
    assert image.evaluate("image => [image.naturalWidth, image.width]") == [1320, 660]
    assert ("image", ALT) in accessibility_tree(tab)
    folded = tab.locator(".jp-InputPlaceholder .jp-PlaceholderText")
    folded.nth(2).wait_for(timeout=120_000)  # cells are drawn one after another
    folded = folded.all_inner_texts()
    assert folded == ["# figure: a line", "# checks", "# figure: a view"]
    assert tab.locator(".jp-CodeCell .cm-content").count() == 1, "one cell is taught, and seen"
    summary = tab.locator("summary", has_text="checked: 2 statements")
    assert not tab.get_by_text("one is one").is_visible()
    summary.click()
    assert tab.get_by_text("one is one").is_visible()
    assert tab.locator("iframe").count() == (1 if tab.trusted else 0)
    advice = ("StaticText", "Run this cell to see the interactive view.")
    assert (advice in accessibility_tree(tab)) == (not tab.trusted)
    if tab.trusted:
        assert tab.frame_locator("iframe").locator("svg line").count() == 9
    if SHOTS:
        tab.screenshot(path=f"{SHOTS}/{'trusted' if tab.trusted else 'untrusted'}.png")


EXPLORE = """
import ipywidgets
from lmcourse.plots import explore, figure

def line(height):
    fig, (axes,) = figure()
    axes.plot([0, height])
    return fig

explore(line, lambda height: f"A straight line from 0 to a height of {height}.", height=ipywidgets.IntText(value=2))
""".strip()


def test_a_figure_with_a_control_is_still_before_the_run_and_moves_after_it(lab, lab_folder, browser, tmp_path):
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# A"), nbformat.v4.new_code_cell(EXPLORE)])
    page.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebooks.execute(page, tmp_path)
    assert "widget" not in nbformat.writes(page).replace("ipywidgets", "")
    nbformat.write(page, lab_folder / "explore.ipynb")
    tab = browser.new_page(viewport={"width": 1280, "height": 1000})
    tab.goto(address(lab, "explore.ipynb"))
    open_page(tab, "explore")
    tab.get_by_role("img", name="to a height of 2.").wait_for(timeout=120_000)
    assert tab.get_by_text("Run this cell to change it: height.").is_visible()
    run_all(tab, "explore")
    field = tab.get_by_role("spinbutton", name="height")
    field.wait_for(timeout=300_000)
    assert not tab.get_by_text("Run this cell").is_visible()
    field.fill("7")
    field.press("Enter")
    tab.get_by_role("img", name="to a height of 7.").wait_for(timeout=120_000)
    if SHOTS:
        tab.screenshot(path=f"{SHOTS}/explore.png")
    tab.close()
