"""Take the paragraphs out of the chapters' texts: the project `CourseSearch` of chapter 09 searches them.

    python -m tools.passages       # python -m tools.notebooks does it, too

They lie in the package as JSON, because the wheel holds no texts: a list of pairs [page, passage].
"""

import json
import re
from collections.abc import Iterator

from lmcourse import atomic
from tools.form import ROOT, TEXTS

PASSAGES = ROOT / "lib" / "lmcourse" / "tasks" / "ch09" / "course_passages.json"
SHORTEST = 160  # characters: what is shorter mostly introduces the cell or the formula below it

_LEFT_OUT = re.compile(
    r"\A---\n.*?\n---\n"  # front matter
    r"|^(?P<fence>`{3,}).*?^(?P=fence)[ \t]*$"  # code
    r"|<details>.*?</details>"  # answers to questions of the page
    r"|\$\$.*?\$\$"  # formulas on lines of their own
    r"|<!--.*?-->",
    re.DOTALL | re.MULTILINE,
)
_NO_PARAGRAPH = re.compile(r"\s*(?:[#|>]|[-*+] |\d+\. |!\[)|\s{4}")  # headings, tables, quotes, lists, pictures, code
_TAGS = re.compile(r"</?(?:a|b|br|code|details|div|em|i|img|p|span|strong|sub|summary|sup)\b[^<>]*>")
_LINKS = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_FORMULAS = re.compile(r"\$([^$]+)\$")
_MARKS = re.compile(r"\*+|`|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")


def passages_of(text: str) -> Iterator[str]:
    """The paragraphs of a page, in order, without Markdown's marks and without formulas that need TeX."""
    for block in re.split(r"\n[ \t]*\n", _LEFT_OUT.sub("\n\n", text)):
        if not _NO_PARAGRAPH.match(block.lstrip("\n")):
            passage = _plain(block)
            if len(passage) >= SHORTEST:
                yield passage


def _plain(block: str) -> str:
    plain = _LINKS.sub(r"\1", _TAGS.sub("", block))
    plain = _FORMULAS.sub(lambda found: "" if "\\" in found[1] else found[1], plain)
    return " ".join(_MARKS.sub("", plain).split())


def course_passages() -> list[list[str]]:
    """The passages of all chapters, each beside the name of its page; a companion page has its chapter's name."""
    pages = sorted((TEXTS / "chapters").rglob("*.md"), key=lambda page: (page.stem, len(page.parts)))
    return [[page.stem, passage] for page in pages for passage in passages_of(page.read_text(encoding="utf-8"))]


def composed() -> str:
    """What the file should hold: a passage a line, so that a change of a page is a change of a few lines."""
    rows = ",\n".join(json.dumps(pair, ensure_ascii=False) for pair in course_passages())
    return f"[\n{rows}\n]\n"


def build() -> None:
    """Write the file if it is out of step."""
    fresh = composed()
    if not PASSAGES.exists() or PASSAGES.read_text(encoding="utf-8") != fresh:
        print(f"new passages in {PASSAGES.relative_to(ROOT)}", flush=True)
        atomic.write(PASSAGES, fresh)


if __name__ == "__main__":
    build()
