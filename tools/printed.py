"""Print the chapters: `python -m tools.printed`, a PDF each and one of the whole course, into build/print.

Chromium prints the pages of the site (`make site`) with their outlines. Answers and detours are unfolded, since paper
cannot be opened; folded code, the lists of checks, and views that need a script are left out.
"""

import argparse
import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from pypdf import PdfWriter
from pypdf.generic import NameObject, TextStringObject

from tools import form, site
from tools.form import ROOT

OUT = ROOT / "build" / "print"
BOOK = "language-models.pdf"
_FOOTER = (
    '<div style="font-size: 8px; width: 100%; padding: 0 15mm; display: flex; justify-content: space-between">'
    '<span class="title"></span><span class="pageNumber"></span></div>'
)

_PREPARE = """title => {
    document.documentElement.dataset.theme = 'light'
    document.title = title
    for (const folded of document.querySelectorAll('details:not(.above-input)'))
        if (folded.querySelector(':scope > summary > small')) folded.remove()  // a list of checks
        else folded.open = true
    for (const link of document.querySelectorAll('a[href]'))  // to other pages of a server that is gone by then
        if (link.origin === location.origin && link.pathname !== location.pathname) link.removeAttribute('href')
}"""


def chromium() -> str:
    """Return where Chromium lies.

    Raises:
        FileNotFoundError: it is not installed.
    """
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        raise FileNotFoundError("printing needs Chromium: install the system's package chromium")
    return found


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine alone, and give the address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


def build(browser: Browser, html: Path, out: Path, chapters: tuple[form.Chapter, ...]) -> Path:
    """Print chapters of a built site; return the book.

    Args:
        browser: a Chromium.
        html: the site.
        out: the folder for the PDFs.
        chapters: which.
    """
    out.mkdir(parents=True, exist_ok=True)
    with served(html) as address:
        page = browser.new_page(color_scheme="light")
        for chapter in chapters:
            page.goto(f"{address}/chapters/{chapter.name}.html", wait_until="networkidle")
            page.evaluate(_PREPARE, chapter.numbered_title)
            page.pdf(
                path=str(out / f"{chapter.name}.pdf"),
                format="A4",
                margin={"top": "18mm", "bottom": "18mm", "left": "15mm", "right": "15mm"},
                print_background=True,
                outline=True,
                tagged=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=_FOOTER,
            )
        page.close()
    book = PdfWriter()
    for chapter in chapters:
        book.append(out / f"{chapter.name}.pdf", outline_item=chapter.numbered_title, import_outline=True)
    book.add_metadata({"/Title": "Language models, from n-grams to RLHF"})
    book.root_object[NameObject("/Lang")] = TextStringObject("en")
    book.compress_identical_objects()
    book.write(out / BOOK)
    return out / BOOK


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chapters", nargs="*", help="such as 05; default: all")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder for the PDFs")
    options = parser.parse_args()
    chosen = tuple(each for each in form.chapters() if not options.chapters or each.number in options.chapters)
    html = site.OUT / "html"
    if not (html / "index.html").exists():
        site.build(api=False)
    with sync_playwright() as api:
        browser = api.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        print(build(browser, html, options.out.resolve(), chosen))
        browser.close()


if __name__ == "__main__":
    main()
