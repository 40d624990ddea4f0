"""Make a lecture of each chapter: `python -m tools.slides`, into build/slides. See docs/site.md.

A lecture is made from the built page: its headings with their first sentences, its questions, its displayed formulas,
its figures with their captions, its modules, the short code and the results that a sentence announces with a colon,
and the ideas of its summary; no plumbing. What the page says beside them becomes the speaker's notes. A cell can say
more itself, by the metadata that slide shows have everywhere: `slideshow.slide_type` is "skip" to
leave it out, or "slide" to show all of it.
"""

import argparse
import html
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools import form
from tools.form import ROOT
from tools.formulas import font, mathml

OUT = ROOT / "build" / "slides"
WORDS = 55  # of running text on a slide
FEWEST_WORDS = 6
CODE_LINES = 24
SHOWN_LINES = 9  # of code that a sentence announces
RESULT_LINES = 13  # of such code and its result
COLUMNS = 95
_REVEAL = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js")
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z*`$(])")
_DETAILS = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]+\.ipynb[^)]*\)")
_markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
_markdown.use(
    dollarmath_plugin, renderer=lambda latex, options: mathml(latex, display=bool(options.get("display_mode")))
)


@dataclass
class Slide:
    """A slide: what is shown, in Markdown or as HTML, and what is said."""

    title: str
    shown: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    kind: str = "text"

    def html(self) -> str:
        level = "h1" if self.kind == "title" else "h2"
        notes = "".join(f"<p>{html.escape(' '.join(text.split()))}</p>" for text in self.said)
        title = _markdown.renderInline(self.title)
        return (
            f'<section class="{self.kind}"><{level}>{title}</{level}>{"".join(self.shown)}'
            f'<aside class="notes">{notes}</aside></section>'
        )


def lecture(notebook: NotebookNode) -> list[Slide]:
    """Return the slides of a page."""
    slides: list[Slide] = []
    heading = ""
    announcement = ""  # the paragraph before this cell, if it ends in a colon
    for cell in notebook.cells:
        wish = cell.metadata.get("slideshow", {}).get("slide_type")
        if wish == "skip" or form.LINKS_TAG in cell.metadata.get("tags", []):
            continue
        if cell.cell_type == "code":
            made = list(_of_code(cell, heading, everything=wish == "slide", announced=bool(announcement)))
            if made and made[0].kind == "listing" and announcement:
                made[0].shown[:0] = _announced(slides, announcement)
                made[0].said.append(announcement)
            slides += made
            announcement = ""
            continue
        words = _LINK.sub(r"\1", _COMMENT.sub("", cell.source)).strip().split("\n\n")[-1]
        announcement = words if words.endswith(":") else ""
        for block in _blocks(_LINK.sub(r"\1", _COMMENT.sub("", cell.source))):
            if match := re.match(r"(#{1,3}) (.+)", block):
                heading = match[2]
                slides.append(Slide(heading, kind="title" if match[1] == "#" else "text"))
            else:
                _add(slides, heading, block, everything=wish == "slide")
    return [slide for slide in slides if slide.kind == "title" or _says_something(slide)]


def _says_something(slide: Slide) -> bool:
    shown = "".join(slide.shown)
    return slide.kind != "text" or "<math" in shown or len(re.sub(r"<[^>]+>", " ", shown).split()) >= FEWEST_WORDS


def _blocks(source: str) -> Iterator[str]:
    """The paragraphs of a Markdown cell; boxes that open are one each."""
    rest = source
    while match := _DETAILS.search(rest):
        yield from (part for part in re.split(r"\n\s*\n", rest[: match.start()].strip()) if part.strip())
        yield match[0]
        rest = rest[match.end() :]
    yield from (part for part in re.split(r"\n\s*\n", rest.strip()) if part.strip())


def _add(slides: list[Slide], heading: str, block: str, *, everything: bool) -> None:
    """Put a paragraph on a slide, or into the notes of the last one."""
    last = slides[-1] if slides else Slide(heading)
    if not slides:
        slides.append(last)
    if match := _DETAILS.fullmatch(block.strip()):
        answers = last.kind == "question"
        if answers:
            last.shown.append(f'<div class="fragment answer">{_render(_cut(match[2]))}</div>')
        last.said.append(match[2])
    elif "predict first" in block.lower()[:40] or everything:
        slides.append(Slide(heading, [_render(block)], kind="text" if everything else "question"))
    elif block.startswith("$$"):
        formulas = sum("<math" in shown for shown in last.shown)
        if last.kind != "text" or formulas > 1:
            slides.append(last := Slide(heading))
        last.shown.append(f'<div class="formula">{_render(block)}</div>')
    elif block.startswith(">") and last.kind == "figure" and len(last.shown) == 1:
        last.shown.append(f'<div class="caption">{_render(_cut(re.sub(r"^> ?", "", block, flags=re.M)))}</div>')
    elif heading == "Summary" and block.startswith("|"):
        slides.append(Slide(heading, [_render(_two_columns(block))], [block], kind="ideas"))
    elif not last.shown and not block.startswith(("|", "<", "```", "---")):
        last.shown.append(_render(_cut(block)))
        last.said.append(block)
    else:
        last.said.append(re.sub(r"<[^>]+>", "", block))


def _announced(slides: list[Slide], announcement: str) -> list[str]:
    """The words above what they announce: the slide that holds nothing else, which goes, or their last sentence."""
    if slides and slides[-1].kind == "text" and slides[-1].said == [announcement]:
        return slides.pop().shown
    return [_render(_SENTENCE_END.split(" ".join(announcement.split()))[-1])]


def _two_columns(table: str) -> str:
    """A table's idea and its one line; what was measured is said."""
    return "\n".join("|".join(re.split(r"(?<!\\)\|", row)[:3]) + "|" for row in table.splitlines())


def _of_code(cell: NotebookNode, heading: str, *, everything: bool, announced: bool) -> Iterator[Slide]:
    """Slides of a code cell: a module that it defines, what was announced of it, and its figures."""
    role = form.role(cell)
    lines = cell.source.count("\n") + 1
    module = role == "taught" and "class " in cell.source and "nn.Module" in cell.source
    short = role == "taught" and announced and lines <= SHOWN_LINES
    shown = [_code(cell.source)] if short or ((module or everything) and lines <= CODE_LINES) else []
    if announced and role in ("taught", "table"):
        room = RESULT_LINES - (lines if shown else 0)
        shown += [result for output in cell.outputs if (result := _result(output, room))][:1]
    if shown:
        yield Slide(heading, shown, kind="listing")
    for output in cell.outputs:
        if figure := form.image(output):
            found = re.search(r"<img [^>]*>", output["data"]["text/html"])
            yield Slide(heading, [found[0] if found else ""], [figure.alt], kind="figure")


def _code(source: str) -> str:
    code = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True))
    return f'<pre class="code"><code>{code}</code></pre>'


def _result(output: NotebookNode, room: int) -> str:
    """A table or some lines of text that a cell printed, if a slide has room for them."""
    data = output.get("data", {})
    if "text/markdown" in data:
        table = data["text/markdown"]
        return _render(table) if table.startswith("|") and table.count("\n") <= min(room, SHOWN_LINES) else ""
    text = output.get("text", "" if "text/html" in data else data.get("text/plain", "")).rstrip()
    lines = text.splitlines()
    if not lines or len(lines) > room or max(map(len, lines)) > COLUMNS:
        return ""
    return f'<pre class="result">{html.escape(text)}</pre>'


def _cut(text: str) -> str:
    """The first sentences of a paragraph, as many as a slide has room for; at least one."""
    sentences = _SENTENCE_END.split(" ".join(text.split()))
    kept = sentences[:1]
    for sentence in sentences[1:]:
        if len(" ".join([*kept, sentence]).split()) > WORDS:
            break
        kept.append(sentence)
    return " ".join(kept)


def _render(text: str) -> str:
    return str(_markdown.render(text))


def page(chapter: form.Chapter) -> str:
    """Return the lecture of a chapter as a page of reveal.js."""
    notebook = nbformat.read(ROOT / "chapters" / f"{chapter.name}.ipynb", as_version=4)
    sections = "\n".join(slide.html() for slide in lecture(notebook))
    return _PAGE.replace("TITLE", html.escape(chapter.numbered_title)).replace("SECTIONS", sections)


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>TITLE</title>
<link rel="stylesheet" href="assets/reset.css"><link rel="stylesheet" href="assets/reveal.css">
<link rel="stylesheet" href="assets/slides.css"><link rel="stylesheet" href="assets/code.css"></head>
<body><div class="reveal"><div class="slides">
SECTIONS
</div></div>
<script src="assets/reveal.js"></script><script src="assets/notes.js"></script>
<script>Reveal.initialize({width: 1280, height: 720, margin: 0.04, hash: true, slideNumber: "c/t", transition: "none",
center: false, plugins: [RevealNotes]});
function fit() {  // formulas and code that are wider than the slide become smaller, and what is higher
  const slide = Reveal.getCurrentSlide();
  for (const part of slide.querySelectorAll(".formula, pre.code")) {
    const share = slide.clientWidth / part.scrollWidth;
    if (share < 1) part.style.fontSize = parseFloat(getComputedStyle(part).fontSize) * share * 0.98 + "px";
  }
  for (const part of slide.querySelectorAll("table, pre")) {
    for (let size = parseFloat(getComputedStyle(part).fontSize); slide.scrollHeight > 720 && size > 14; size -= 1)
      part.style.fontSize = size + "px";
  }
}
Reveal.on("ready", fit);
Reveal.on("slidechanged", fit);</script></body></html>
"""


def build(out: Path = OUT) -> Path:
    """Build all lectures and return the folder."""
    package = find_spec("sphinx_revealjs")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("reveal.js comes with the package sphinx-revealjs: pip install 'lmcourse[site]'")
    shutil.rmtree(out, ignore_errors=True)
    (out / "assets").mkdir(parents=True)
    for name in _REVEAL:
        shutil.copy(Path(package.origin).parent / "_static" / "revealjs" / name, out / "assets")
    shutil.copy(ROOT / "site" / "static" / "slides.css", out / "assets")
    (out / "assets" / "code.css").write_text(HtmlFormatter(style="friendly").get_style_defs(".code"), encoding="utf-8")
    font(out / "assets" / "math.woff2")
    links = []
    for chapter in form.chapters():
        (out / f"{chapter.name}.html").write_text(page(chapter), encoding="utf-8")
        links.append(f'<li><a href="{chapter.name}.html">{html.escape(chapter.numbered_title)}</a></li>')
    (out / "index.html").write_text(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Lectures</title></head><body>'
        f"<h1>Lectures</h1><p>S opens the speaker's notes.</p><ul>{''.join(links)}</ul></body></html>",
        encoding="utf-8",
    )
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to build in")
    print(build(parser.parse_args().out.resolve()) / "index.html")


if __name__ == "__main__":
    main()
