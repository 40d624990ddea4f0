"""The labelling widget in JupyterLab: clicked in Chromium, kept in the file, gone on with after the page was closed."""

import json
import os

import nbformat
import pytest
from playwright.sync_api import TimeoutError

from tests.browser.test_lab import address, open_page, run_all

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("LMCOURSE_SHOTS")
CODE = """
from lmcourse.alignment.labels import LabelFile, label_widget

questions = [("film brief :", "the plot was good .", "go away .")]
questions += [("trip full :", "how dull the bus was .", "i love the bus .")]
label_widget(questions, LabelFile("mine.json"))
""".strip()


def shown(button, tab, timeout):
    """Wait until a button is there; if it does not come, say what stands in its place."""
    try:
        button.wait_for(timeout=timeout)
    except TimeoutError as error:
        raise AssertionError(f"in its place: {tab.locator('.jp-OutputArea-output').all_inner_texts()}") from error


@pytest.mark.slow  # daily without a browser (alignment/test_labels), and another widget with one (test_outputs)
def test_two_clicks_are_kept_and_the_page_goes_on(lab, lab_folder, browser):
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Labels"), nbformat.v4.new_code_cell(CODE)])
    page.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    nbformat.write(page, lab_folder / "labels.ipynb")
    kept = lab_folder / "mine.json"
    for visit, (first, second) in enumerate(
        [("the plot was good .", "how dull the bus was ."), ("", "i love the bus .")]
    ):
        tab = browser.new_page(viewport={"width": 1400, "height": 1000})
        tab.goto(address(lab, "labels.ipynb"))
        open_page(tab, "labels")
        tab.wait_for_timeout(3000)  # a page that is run before its widget manager has met the kernel shows no widget
        run_all(tab, f"labels-{visit}")
        if first:
            button = tab.get_by_role("button", name=first, exact=True)
            shown(button, tab, timeout=300_000)
            assert tab.get_by_role("button", name="go away .", exact=True).is_visible()
            assert button.bounding_box()["width"] > 300
            if SHOTS:
                tab.screenshot(path=f"{SHOTS}/labels-before.png")
            button.click()
            tab.wait_for_selector("text=1 of 2 judged", timeout=120_000)
            assert [row["preferred"] for row in json.loads(kept.read_text())] == ["a"]
            tab.get_by_role("button", name=second, exact=True).wait_for(timeout=120_000)
        else:  # opened again: the second question is next, and its answer the last
            button = tab.get_by_role("button", name=second, exact=True)
            shown(button, tab, timeout=300_000)
            button.click()
            tab.wait_for_selector("text=All are judged", timeout=120_000)
            if SHOTS:
                tab.screenshot(path=f"{SHOTS}/labels-after.png")
        tab.close()
    assert [row["preferred"] for row in json.loads(kept.read_text())] == ["a", "b"]
