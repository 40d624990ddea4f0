"""Links between pages, clicked in JupyterLab: through all chapters forwards, through all exercises backwards."""

import os
import re

import pytest

from tests.browser.test_lab import address, open_page
from tools import form, notebooks

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("LMCOURSE_SHOTS")
OPEN = ".jp-NotebookPanel:not(.lm-mod-hidden)"
PROSE_LINK = re.compile(r"\]\(([^)\s#]+\.ipynb)(?:#[^)\s]*)?\)")


@pytest.fixture(scope="module")
def course(lab, lab_folder):
    """All pages as their texts say, not executed, beside the delivered ones."""
    for text in notebooks.texts():
        folder = text.relative_to(form.TEXTS).parts[0]
        kind = "exercises" if folder == "solutions" else "chapters"
        path = notebooks.target(text).relative_to(form.ROOT / folder)
        page = notebooks.compose(text)
        for cell in page.cells:
            cell.source = cell.source if cell.cell_type == "markdown" else "pass"
        notebooks.write(page, lab_folder / "walk" / kind / path)
    return lab_folder / "walk"


@pytest.fixture
def tab(lab, browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    yield page
    page.close()


def click(tab, link, expected, *, last=False):
    """Click a link of the page that is open, in its first or last line, and wait for the page that it leads to."""
    line = tab.locator(f"{OPEN} .jp-MarkdownOutput", has=tab.get_by_role("link", name=link))
    line = line.last if last else line.first
    line.scroll_into_view_if_needed()
    line.get_by_role("link", name=link).click()
    tab.wait_for_function("name => window.location.pathname.endsWith(name)", arg=f"/{expected}.ipynb", timeout=300_000)
    open_page(tab, f"link-{expected.replace('/', '-')}")


@pytest.mark.slow  # links that lead nowhere are found on the site, daily
def test_a_learner_can_click_through_the_whole_course(lab, course, tab):
    chapters = form.chapters()
    first, *others = chapters
    tab.goto(address(lab, f"walk/chapters/{first.name}.ipynb"))
    open_page(tab, "walk")
    for number, chapter in enumerate(others):
        click(tab, f"{chapter.numbered_title} →", f"chapters/{chapter.name}", last=number % 2 == 1)
    exercises = f"exercises/{chapter.name}/{chapter.name}"
    click(tab, "Exercises", exercises)
    for number, chapter in enumerate(reversed(chapters[:-1])):
        exercises = f"exercises/{chapter.name}/{chapter.name}"
        click(tab, f"← Exercises {chapter.number}", exercises, last=number % 2 == 1)
    click(tab, f"Chapter {first.numbered_title}", f"chapters/{first.name}")
    row = tab.get_by_role("row", name=re.compile(others[-1].numbered_title))
    row.get_by_role("link").first.click()
    tab.wait_for_function("name => window.location.pathname.endsWith(name)", arg=f"/chapters/{others[-1].name}.ipynb")
    click(tab, f"← {others[-2].numbered_title}", f"chapters/{others[-2].name}")
    click(tab, "Contents", f"chapters/{form.CONTENTS}")


def prose_links(chapter):
    """Where the sentences of a chapter lead, each place once, as they are written."""
    page = notebooks.compose(form.TEXTS / "chapters" / f"{chapter.name}.md")
    sources = [cell.source for cell in page.cells if form.LINKS_TAG not in cell.metadata.get("tags", [])]
    return sorted({link for source in sources for link in PROSE_LINK.findall(source)})


@pytest.mark.slow
@pytest.mark.parametrize("chapter", form.chapters(), ids=lambda chapter: chapter.number)
def test_every_place_that_a_sentence_leads_to_opens(lab, course, tab, chapter):
    links = prose_links(chapter)
    assert links
    for link in links:
        last = link.rsplit("/", 1)[-1]
        tab.goto(address(lab, f"walk/chapters/{chapter.name}.ipynb"))
        open_page(tab, f"prose-{chapter.name}")
        found = tab.locator(f'{OPEN} .jp-MarkdownOutput:not(:has-text("Contents")) a[href*="{last}"]')
        found.first.scroll_into_view_if_needed()
        found.first.click()
        there = f"/walk/chapters/{link}" if "/" not in link else link.lstrip("./")
        tab.wait_for_function("name => window.location.pathname.endsWith(name)", arg=there, timeout=300_000)
        open_page(tab, f"prose-{chapter.name}-{last}")
