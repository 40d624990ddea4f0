"""The site in Chromium: nothing from outside, nothing broken, readable narrow, wide, dark and by a screen reader.

Daily it is built with one chapter, of the others the prose, and one room of the library: a page of each kind is looked
at, and what is static (links, formulas, MyST) is checked on all. `-m slow` builds the whole and looks at every page.
"""

import functools
import http.server
import os
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.accessibility import accessibility_tree
from tools import form, site

ROOMS = "alignment data exercises generation hub kernels layers models plots pretraining runtime tokenizers training"
PAGES = [
    *("index.html", "library.html", "search.html", "genindex.html"),
    *(f"docs/{name}.html" for name in site.DOCUMENTS),
    *(path.with_suffix(".html").as_posix() for each in form.chapters() for path in site.pages_of(each)),
    *(path.with_suffix(".html").as_posix() for path in site.companions(*form.chapters())),
    *(f"library/{page}.html" for page in ("index", "genindex", "py-modindex", "search", "reference/lmcourse/index")),
    *(f"library/reference/lmcourse/{room}/index.html" for room in ROOMS.split()),
]
CHAPTER = form.chapter("05_self_attention")  # formulas, tables, figures, and views that are alive
PAGE = f"chapters/{CHAPTER.name}.html"
PACKAGE = "library/reference/lmcourse/index.html"
REFERENCE = "library/reference/lmcourse/layers/index.html"
#: One page of each kind, looked at daily; on those marked True the contrast of every word with its ground is computed
#: too, which takes minutes where formulas make 12,000 elements: of all pages in `make test-slow`.
KINDS = {
    "index.html": True,
    "search.html": False,
    "docs/teaching.html": True,
    PAGE: False,
    f"exercises/{CHAPTER.name}/{CHAPTER.name}.html": False,
    "library/index.html": True,
    REFERENCE: False,
}
SHOTS = os.environ.get("LMCOURSE_SHOTS")  # a folder for screenshots, to be looked at
FIRST_PAGE_LIMIT = 1_600_000  # bytes
# Hidden halves of the theme's menus are there twice, once for narrow screens.
AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], "preload": False, "iframes": False}


@dataclass(frozen=True)
class Site:
    """A built site: its folder, and the chapters of which it has more than the prose."""

    html: Path
    chapters: Sequence[form.Chapter]


@pytest.fixture(scope="module")
def sites(tmp_path_factory) -> Callable[[str], Site]:
    """Each kind of site is built once: pytest sets a fixture with parameters up again at each change of them."""

    @functools.cache
    def build(kind: str) -> Site:
        folder = tmp_path_factory.mktemp(kind)
        if kind == "whole":
            return Site(site.build(folder), form.chapters())
        return Site(site.build(folder, whole=[CHAPTER], rooms=["layers"]), [CHAPTER])

    return build


@pytest.fixture(scope="module", params=["daily", pytest.param("whole", marks=pytest.mark.slow)])
def built(request, sites) -> Site:
    """The site as `make site` builds it; daily with one chapter and one room of the library alone."""
    return sites(request.param)


@pytest.fixture(scope="module")
def html(built) -> Path:
    return built.html


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments) -> None:
        pass


@pytest.fixture(scope="module")
def address(html):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=html))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


class Watched:
    """A page of the browser, with what it asked for and complained of."""

    def __init__(self, browser, home: str, **context) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **context)
        self.page = self.context.new_page()
        self.outside, self.broken, self.errors = [], [], []
        self.page.on("request", lambda request: self._asked(request.url, home))
        self.page.on("requestfailed", lambda request: self.broken.append(request.url))
        self.page.on("response", self._answered)
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _asked(self, url: str, home: str) -> None:
        if not url.startswith((home, "data:", "blob:", "about:")):
            self.outside.append(url)

    def _answered(self, response) -> None:
        if response.status >= 400:
            self.broken.append(f"{response.status} {response.url}")

    def complaints(self) -> list[str]:
        return [*self.outside, *self.broken, *self.errors]


@pytest.fixture
def watched(browser, address):
    opened = Watched(browser, address)
    yield opened
    opened.context.close()


@pytest.fixture(scope="module")
def page_05(browser, address):
    """The chapter's page, opened once for those who only look."""
    opened = Watched(browser, address)
    opened.page.goto(f"{address}/{PAGE}", wait_until="networkidle")
    yield opened.page
    opened.context.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("built", "name"),
    [("daily", name) for name in KINDS] + [pytest.param("whole", name, marks=pytest.mark.slow) for name in PAGES],
    indirect=["built"],
)
def test_a_page_is_whole_and_everybody_can_read_it(watched, address, name) -> None:
    page = watched.page
    page.goto(f"{address}/{name}", wait_until="load")
    assert watched.complaints() == []
    assert page.locator("img:not([alt])").count() == 0
    assert page.locator(".bd-article img[alt='']").count() == 0
    assert page.locator("merror, .math:not(math)").count() == 0, "a formula is not rendered"
    contrast = KINDS.get(name, False)
    if contrast or not name.startswith("library/reference/"):  # these are long, and of one form
        assert _serious(page, contrast=contrast) == []
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert beyond <= 0, f"the page is {beyond} pixels wider than a screen of {width}"
            if SHOTS:
                page.wait_for_timeout(600)  # the side bars slide
                page.screenshot(path=f"{SHOTS}/{name.replace('/', '-')}-{theme}-{width}.png")
    if contrast:  # what else axe looks at is the same by night and on a narrow screen
        page.wait_for_timeout(400)  # colours change slowly
        assert _serious(page, contrast=True) == []
    assert watched.complaints() == []


def test_every_page_is_opened(built) -> None:
    """Daily: every page but the rooms of the library that are left out."""
    found = {path.relative_to(built.html).as_posix() for path in built.html.rglob("*.html")}
    left_out = {page for page in PAGES if page.startswith("library/reference/lmcourse/")} - {REFERENCE, PACKAGE}
    assert found == set(PAGES) - (set() if built.chapters == form.chapters() else left_out)


@pytest.mark.browser
def test_a_screen_reader_gets_the_words_of_every_figure(page_05) -> None:
    notebook = nbformat.read(site.ROOT / site.pages_of(CHAPTER)[0], as_version=4)
    figures = [form.image(output) for cell in notebook.cells for output in cell.get("outputs", [])]
    named = {" ".join(name.split()) for role, name in accessibility_tree(page_05) if role == "image"}
    words = {" ".join(figure.alt.split()) for figure in figures if figure}
    assert len(words) > 10
    assert words - named == set()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("built", ["whole"], indirect=True)
def test_everybody_can_read_every_page_at_every_width_by_day_and_by_night(watched, address, html) -> None:
    """Contrast too: half an hour of pages that differ little, so not for every day."""
    found = {}
    for path in sorted(html.rglob("*.html")):
        name = path.relative_to(html).as_posix()
        watched.page.goto(f"{address}/{name}", wait_until="load")
        for theme in ("light", "dark"):
            watched.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            for width in (1280, 390):
                watched.page.set_viewport_size({"width": width, "height": 900})
                watched.page.wait_for_timeout(400)  # colours change slowly
                if serious := _serious(watched.page, contrast=True):
                    found[name, theme, width] = serious
    assert found == {}


def _serious(page, *, contrast: bool) -> list[str]:
    """What axe calls critical or serious."""
    from axe_playwright_python.sync_playwright import Axe

    options = AXE if contrast else AXE | {"rules": {"color-contrast": {"enabled": False}}}
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{item['id']}: {item['help']}: {item['nodes'][0]['html'][:200]}"
        for item in found
        if item["impact"] in ("critical", "serious")
    ]


@pytest.mark.browser
def test_dark_pages_are_dark(page_05) -> None:
    page_05.emulate_media(color_scheme="dark")
    page_05.wait_for_timeout(400)
    ground = page_05.evaluate("getComputedStyle(document.body).backgroundColor")
    page_05.emulate_media(color_scheme="light")
    assert max(map(int, re.findall(r"\d+", ground)[:3])) < 60


@pytest.mark.browser
def test_the_first_page_is_light(watched, address) -> None:
    sizes = []
    watched.page.on("response", lambda answer: answer.url.startswith("http") and sizes.append(len(answer.body())))
    watched.page.goto(f"{address}/index.html", wait_until="networkidle")
    assert 0 < sum(sizes) < FIRST_PAGE_LIMIT


@pytest.mark.browser
@pytest.mark.parametrize("served", [True, False], ids=["served", "from a folder"])
def test_search_finds_a_word(browser, address, html, served) -> None:
    home = address if served else html.as_uri()
    watched = Watched(browser, home)
    watched.page.goto(f"{home}/search.html?q=perplexity")
    watched.page.wait_for_selector("#search-results li a", timeout=20_000)
    found = watched.page.locator("#search-results li a").all_inner_texts()
    assert any("N-grams" in title for title in found)
    assert watched.outside == []
    if served:  # a folder gives no page to a script, so the results stand there without their first lines
        assert watched.complaints() == []
    watched.context.close()


@pytest.mark.browser
def test_it_works_from_a_folder(browser, html) -> None:
    watched = Watched(browser, html.as_uri())
    for name in ("index.html", PAGE, "library/index.html"):
        watched.page.goto(f"{html.as_uri()}/{name}", wait_until="networkidle")
    assert watched.complaints() == []
    watched.context.close()


def see_that_views_are_alive(page) -> None:
    """bertviz' views, and the map of heads, draw what they have without a kernel and without a network."""
    frames = page.locator("iframe")
    assert frames.count() > 0
    for index in range(frames.count()):
        frame = page.frame_locator("iframe").nth(index)
        frame.locator("svg line, button.head").first.wait_for(state="attached", timeout=20_000)


@pytest.mark.browser
def test_views_are_alive(page_05) -> None:
    see_that_views_are_alive(page_05)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("built", ["whole"], indirect=True)
@pytest.mark.parametrize("name", ["06_transformer", "12_looking_inside"])
def test_views_of_other_chapters_are_alive(watched, address, name) -> None:
    watched.page.goto(f"{address}/chapters/{name}.html")
    see_that_views_are_alive(watched.page)


@pytest.mark.browser
def test_formulas_have_the_fonts_tall_braces(page_05) -> None:
    assert page_05.evaluate("document.fonts.check('16px \"Course Math\"', '∑')")
    assert page_05.locator("math").count() > 10


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        given = dict(attrs)
        self.ids |= {given[key] for key in ("id", "name") if given.get(key)}
        target = given.get("href") if tag in ("a", "link") else given.get("src")
        if target:
            self.hrefs.append(target)


def test_no_link_leads_nowhere(html) -> None:
    read = {path: _Links(path.read_text(encoding="utf-8")) for path in html.rglob("*.html")}
    assert len(read) > 40
    nowhere = []
    for path, links in read.items():
        for href in links.hrefs:
            address, anchor = urldefrag(href)
            if urlparse(address).scheme:
                continue
            target = (path.parent / unquote(address).partition("?")[0]).resolve() if address else path
            if not target.exists() or (anchor and target in read and unquote(anchor) not in read[target].ids):
                nowhere.append(f"{path.relative_to(html)}: {href}")
    assert nowhere == []


def test_a_page_asks_for_nothing_outside(html) -> None:
    for path in html.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|img|iframe|source)[^>]* src="https?://[^"]*', text), path
        assert not re.findall(r'<link(?=[^>]*rel="(?:stylesheet|preload|preconnect)")[^>]*href="https?://[^"]*', text)


def test_the_notebook_that_is_downloaded_is_the_courses(html) -> None:
    for path in site.pages_of(CHAPTER):
        assert (html / "_sources" / path).read_bytes() == (site.ROOT / path).read_bytes()
        page = (html / path).with_suffix(".html").read_text(encoding="utf-8")
        assert f"_sources/{path.as_posix()}" in page


def test_names_of_the_library_lead_to_its_reference(html) -> None:
    page = (html / PAGE).read_text(encoding="utf-8")
    assert 'href="../library/reference/lmcourse/layers/index.html#lmcourse.layers.MultiHeadAttention"' in page
    assert 'id="lmcourse.layers.MultiHeadAttention"' in (html / REFERENCE).read_text(encoding="utf-8")


def test_folded_code_is_folded(built) -> None:
    for path in [path for each in built.chapters for path in site.pages_of(each)]:
        cells = nbformat.read(site.ROOT / path, as_version=4).cells
        folded = sum(cell.metadata.get("jupyter", {}).get("source_hidden", False) for cell in cells)
        page = (built.html / path).with_suffix(".html").read_text(encoding="utf-8")
        assert page.count("hide above-input") == folded, path


def test_tables_that_a_cell_prints_are_tables(built) -> None:
    for each in built.chapters:
        page = (built.html / "chapters" / f"{each.name}.html").read_text(encoding="utf-8")
        assert not re.findall(r"<p>\|[^<]{,60}", page), each.name


def test_what_is_folded_in_jupyterlab_and_views_for_kernels_are_prepared() -> None:
    cell = new_code_cell("# figure: a line\npass", metadata={"jupyter": {"source_hidden": True}})
    cell.outputs = [new_output("display_data", {site.WIDGET_VIEW: {}, "text/html": "<p>still</p>"})]
    [made] = site.for_site(new_notebook(cells=[cell])).cells
    assert made.metadata["tags"] == [form.FOLDED_TAG]
    assert made.metadata["mystnb"] == {"code_prompt_show": "Show the code: figure: a line"}
    assert made.outputs[0].data == {"text/html": "<p>still</p>"}


def test_of_a_pages_links_those_remain_that_the_site_lacks() -> None:
    line = "---\n\n[← 01 A](a) · [Contents](b) · [Exercises](c) · [03 D →](d)"
    [made] = site.for_site(new_notebook(cells=[new_markdown_cell(line, metadata={"tags": [form.LINKS_TAG]})])).cells
    assert made.source.splitlines()[1] == "[Contents](b) · [Exercises](c)"


def test_a_still_picture_says_where_it_can_be_changed() -> None:
    said = ("Run this cell to change it: a.", "(Run this cell to choose.)", "Run this cell to see the map.")
    cell = new_code_cell("", outputs=[new_output("display_data", {"text/html": text}) for text in said])
    [made] = site.for_site(new_notebook(cells=[cell])).cells
    assert [output.data["text/html"] for output in made.outputs] == [
        "In JupyterLab you can change it: a.",
        "(In JupyterLab you can choose.)",
        "Run this cell to see the map.",  # within a frame, which a site fills
    ]


def test_a_chapter_and_its_exercises_lead_to_each_other_at_top_and_bottom(html) -> None:
    for each in form.chapters():
        there, back = f"../exercises/{each.name}/{each.name}.html", f"../../chapters/{each.name}.html"
        for path, target in zip(site.pages_of(each), (there, back), strict=True):
            page = (html / path).with_suffix(".html").read_text(encoding="utf-8")
            lines = re.findall(r'<div class="page-links.*?</div>', page, re.DOTALL)
            assert [f'href="{target}"' in line for line in lines] == [True, True], path


def test_folded_code_is_named_by_its_first_line(html) -> None:
    page = (html / PAGE).read_text(encoding="utf-8")
    named = re.findall(r"Show the code: ([\w-]+)", page)
    assert set(named) <= {"set-up", "figure", "table", "checks"}
    assert len(named) == page.count("hide above-input")


def test_nothing_of_the_machine_is_in_it(html) -> None:
    for path in html.rglob("*.html"):
        assert str(Path.home()) not in path.read_text(encoding="utf-8")
