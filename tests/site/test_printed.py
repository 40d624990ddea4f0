"""A chapter as a PDF: paged, with an outline, tagged, and the book that holds it."""

import re
import unicodedata

import pytest

from tools import form, printed, site


@pytest.mark.slow  # two minutes of typesetting
@pytest.mark.browser
def test_chapters_and_the_book(browser, tmp_path) -> None:
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed")
    chosen = form.chapters()[4:6]
    html = site.build(tmp_path / "site", api=False, whole=chosen)
    book = pypdf.PdfReader(printed.build(browser, html, tmp_path / "print", chosen))
    parts = [pypdf.PdfReader(tmp_path / "print" / f"{each.name}.pdf") for each in chosen]
    assert len(book.pages) == sum(len(part.pages) for part in parts) > 20
    assert [entry.title for entry in book.outline if not isinstance(entry, list)] == [
        each.numbered_title for each in chosen
    ]
    assert book.trailer["/Root"]["/Lang"] == "en"
    assert [target for target in map(_targets, [book, *parts]) if "127.0.0.1" in target] == []
    for part, chapter in zip(parts, chosen, strict=True):
        assert part.trailer["/Root"]["/MarkInfo"]["/Marked"]  # tagged: a screen reader knows headings and alt texts
        assert len(_titles(part.outline)) > 8
        text = "".join(page.extract_text() for page in part.pages)
        assert chapter.title.split(":")[0] in text
        assert "127.0.0.1" not in text
        assert "checked: " not in text
        letters = re.sub(r"\W", "", unicodedata.normalize("NFKC", text))  # "fi" may be one sign
        answers = _answers(chapter)
        assert answers
        assert [answer for answer in answers if answer not in letters] == []


def _targets(document) -> str:
    """The addresses of all links of a PDF that lead out of it."""
    links = [note.get_object() for page in document.pages for note in page.get("/Annots", [])]
    return " ".join(link["/A"]["/URI"] for link in links if "/URI" in link.get("/A", {}))


def _answers(chapter: form.Chapter) -> list[str]:
    """The first letters of each folded answer."""
    text = (form.ROOT / "texts" / "chapters" / f"{chapter.name}.md").read_text(encoding="utf-8")
    answers = re.findall(r"<summary>Answer</summary>\n\n([^$<`]{12,40})", text)
    return [re.sub(r"\W", "", answer) for answer in answers]


def _titles(outline) -> list[str]:
    return [title for entry in outline for title in (_titles(entry) if isinstance(entry, list) else [entry.title])]
