"""The course as a person meets it: JupyterLab in Chromium, a chapter open, Run All, and look."""

import os
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parent.parent.parent
CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))
INDICATOR = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook-ExecutionIndicator"
SHOTS = os.environ.get("LMCOURSE_SHOTS")  # a folder for screenshots, to be looked at
RUN_ALL = """() => {
    window.ran = null;
    window.jupyterapp.commands.execute('notebook:run-all-cells').then(
        good => { window.ran = good ? 'to the end' : 'to an error'; }, error => { window.ran = String(error); });
}"""  # what the menu's entry does: a menu that is drawn anew under the pointer would lose the click


def address(lab, notebook):
    """Where the lab shows a notebook, with nothing of an earlier visit."""
    server, token = re.fullmatch(r"(.*)/lab\S*\?(token=\w+)", lab).groups()
    return f"{server}/lab/tree/{notebook}?reset&{token}"


def open_page(page, name):
    """Wait until a notebook is there to be read."""
    try:
        page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-MarkdownOutput h1", timeout=300_000)
    finally:
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/{name}-opened.png")


def run_all(page, name, ends="to the end"):
    """Run All Cells when the kernel is there, and wait until the last cell has run."""
    page.wait_for_selector(f"{INDICATOR}[data-status='idle']", timeout=180_000, state="attached")
    try:
        page.evaluate(RUN_ALL)
        page.wait_for_function("window.ran", timeout=1_200_000)  # on a busy machine too
        assert page.evaluate("window.ran") == ends
    except Exception as error:
        status = page.locator(INDICATOR).first.get_attribute("data-status")
        asked = page.locator(".jp-Dialog").all_inner_texts()
        raise AssertionError(f"{name}: the kernel is {status}, dialogs: {asked}") from error
    finally:
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/{name}-after-run.png")


def see_that_it_runs_to_the_end(page, name):
    """Run All, and no cell ends in an error or complains."""
    run_all(page, name)
    errors = page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.error']")
    assert errors.count() == 0, errors.all_inner_texts()[:3]
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0


def test_the_course_greets_a_learner_with_its_first_page_which_runs_to_the_end(lab, browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(f"{lab}&reset")  # as on the first day: another test's page would be opened again beside it
    open_page(page, "00")
    assert "00_start_here" in page.title() or "00_start_here" in page.url
    assert page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) h1").first.inner_text().startswith("00")
    page.wait_for_timeout(3000)
    assert page.locator(".jp-Dialog, .Toastify__toast").count() == 0, "a question greets the learner"
    see_that_it_runs_to_the_end(page, "00")
    page.close()


@pytest.mark.slow  # daily: the pages are signed (test_jupyterlab), and a signed page shows its view (test_outputs)
def test_a_view_is_there_before_anything_has_run(lab, browser):
    """`lmcourse lab` signs the pages that it delivers, so that JupyterLab trusts them."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(address(lab, "chapters/05_self_attention.ipynb"))
    open_page(page, "05")
    for _ in range(60):  # JupyterLab draws a cell when it comes near the window
        if page.locator("iframe").count():
            break
        page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer").evaluate(
            "e => e.scrollBy(0, 800)"
        )
        page.wait_for_timeout(250)
    page.frame_locator("iframe").first.locator("svg line").first.wait_for(state="attached", timeout=120_000)
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/view-before-a-run.png")
    page.close()


@pytest.mark.slow  # daily the first
@pytest.mark.parametrize("name", CHAPTERS[1:])
def test_a_chapter_opens_and_runs_to_the_end(lab, browser, name):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(address(lab, f"chapters/{name}.ipynb"))
    open_page(page, name)
    see_that_it_runs_to_the_end(page, name)
    page.close()


@pytest.mark.slow  # daily a page of exercises is executed as it is given out (notebooks/test_running)
def test_an_exercise_says_that_it_is_not_answered_yet(lab, browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(address(lab, "exercises/00_start_here/00_start_here.ipynb"))
    open_page(page, "exercise")
    run_all(page, "exercise", ends="to an error")
    page.wait_for_selector("text=It is not answered yet", timeout=300_000)
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/exercise.png")
    page.close()


@pytest.mark.slow  # daily what keeps it so (test_jupyterlab)
def test_a_page_that_was_only_opened_is_not_changed(lab, lab_folder, browser):
    """So git sees no change, and an update replaces it, though JupyterLab saves a page to which it gave a kernel."""
    name = "exercises/01_ngrams/01_ngrams.ipynb"
    opened = lab_folder / name
    before = opened.stat().st_mtime_ns, opened.read_bytes()
    page = browser.new_page()
    page.goto(address(lab, name))
    open_page(page, "only-opened")
    page.wait_for_selector(f"{INDICATOR}[data-status='idle']", timeout=180_000, state="attached")
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")  # as it does by itself every two minutes
    assert opened.stat().st_mtime_ns > before[0]
    assert opened.read_bytes() == before[1]
    page.close()
