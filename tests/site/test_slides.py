"""Lectures: what of a page is on a slide, and that every slide of every chapter fits."""

import os

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import form, slides

SHOTS = os.environ.get("LMCOURSE_SHOTS")  # a folder for screenshots, to be looked at
FIGURE = '<img alt="a rising line" width="300" src="data:image/png;base64,iVBORw0KGgo=">'


def of(*cells) -> list[slides.Slide]:
    return slides.lecture(new_notebook(cells=list(cells)))


def figure(**metadata):
    output = new_output("display_data", {"text/html": FIGURE})
    return new_code_cell("# figure: a line\nshow()", outputs=[output], metadata=metadata)


def test_headings_questions_figures_and_formulas_are_shown_and_the_rest_is_said() -> None:
    title, text, question, picture = of(
        new_markdown_cell("# 05 Attention\n\nYou will build it in forty lines."),
        new_markdown_cell(
            "## 1. Mixing words\n\nEvery word is a vector of numbers. Take means.\n\n$$ y = Wx $$\n\nMore of it."
        ),
        new_markdown_cell(
            "**Predict first.** Which is larger?\n\n<details><summary>Answer</summary>\n\nThe first one.\n</details>"
        ),
        figure(),
        new_markdown_cell("> **What to look at.** The line rises."),
    )
    assert (title.kind, title.title) == ("title", "05 Attention")
    assert "Every word is a vector" in text.shown[0]
    assert "<math" in text.shown[1]
    assert text.said[-1] == "More of it."
    assert "Which is larger?" in question.shown[0]
    assert "fragment" in question.shown[1]
    assert "The first one." in question.shown[1]
    assert 'alt="a rising line"' in picture.shown[0]
    assert "The line rises" in picture.shown[1]
    assert picture.title == "1. Mixing words"


def test_plumbing_is_not_shown_and_modules_are() -> None:
    taught = "class Block(nn.Module):\n    def forward(self, x):\n        return x"
    made = of(
        new_markdown_cell("# 05 Attention"),
        new_code_cell("# set-up: imports\nimport torch", metadata={"lmcourse": {"role": "setup"}}),
        new_code_cell("x = 1"),
        new_code_cell(taught),
        new_code_cell(f"# checks\n{taught}", metadata={"lmcourse": {"role": "check"}}),
        new_markdown_cell("[next](x.ipynb)", metadata={"tags": [form.LINKS_TAG]}),
    )
    assert [slide.kind for slide in made] == ["title", "listing"]


def test_what_a_sentence_announces_stands_under_it() -> None:
    long = "\n".join(f"y = {n}" for n in range(20))
    printed = new_output("stream", text="0.25\n")
    title, whole, last, bare = of(
        new_markdown_cell("# 05 Attention\n\nYou will build it."),
        new_markdown_cell("## 1. Means\n\nThe mean of four numbers is taken here:"),
        new_code_cell("print(1 / 4)", outputs=[printed]),
        new_markdown_cell("Nothing is announced, so nothing of this is shown."),
        new_code_cell("print(1 / 4)", outputs=[printed]),
        new_markdown_cell("It is longer now. The result is the same:"),
        new_code_cell(long, outputs=[printed]),
        new_markdown_cell("## Summary\n\n| idea | in one line | measured |\n|---|---|---|\n| mean | a sum | 0.25 |"),
    )
    assert title.kind == "title"
    assert (whole.kind, "taken here:" in whole.shown[0], len(whole.shown)) == ("listing", True, 3)
    assert "0.25" in whole.shown[2]
    assert "longer now" not in last.shown[0]
    assert "y = 3" not in "".join(last.shown)
    assert ("a sum" in bare.shown[0], "0.25" in bare.shown[0]) == (True, False)


def test_a_cell_may_wish_to_be_shown_or_left_out() -> None:
    show, skip = ({"slideshow": {"slide_type": kind}} for kind in ("slide", "skip"))
    made = of(
        new_code_cell("x = 1\nprint(x)", metadata=show),
        figure(**skip),
        new_markdown_cell("A remark that has to be read as a whole.", metadata=show),
        new_markdown_cell("A remark that nobody needs to see in a lecture.", metadata=skip),
    )
    assert [slide.kind for slide in made] == ["listing", "text"]


def test_long_paragraphs_are_cut_at_the_end_of_a_sentence() -> None:
    paragraph = " ".join(f"This is sentence number {n} of them all." for n in range(30))
    [slide] = of(new_markdown_cell(f"## Heading\n\n{paragraph}"))
    words = slide.shown[0].split()
    assert 40 < len(words) <= slides.WORDS + 1
    assert slide.shown[0].strip().endswith("all.</p>")
    assert slide.said == [paragraph]


@pytest.mark.slow
@pytest.mark.browser
def test_every_slide_of_every_chapter_fits_and_nothing_comes_from_outside(browser, tmp_path) -> None:
    folder = slides.build(tmp_path / "slides")
    complaints = []
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url) if "http" in request.url[:4] else None)
    for chapter in form.chapters():
        page.goto((folder / f"{chapter.name}.html").as_uri())
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        number = page.evaluate("Reveal.getTotalSlides()")
        assert number > 15, chapter.name
        for index in range(number):
            page.evaluate(f"Reveal.slide({index}, 0, 99)")
            height, width = page.evaluate(
                "[Reveal.getCurrentSlide().scrollHeight, Reveal.getCurrentSlide().scrollWidth]"
            )
            assert (height <= 720, width <= 1280) == (True, True), f"{chapter.name}, slide {index}: {width}x{height}"
            if SHOTS and chapter.name.startswith("05"):
                page.screenshot(path=f"{SHOTS}/slide-{index:02d}.png")
        assert page.locator("section img:not([alt])").count() == 0
        assert page.locator("section merror").count() == 0
    page.close()
    assert complaints == []
