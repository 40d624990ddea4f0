"""The form of a page: the front matter of the texts, cells folded by role, links between pages, and its measure.

    python -m tools.form  # a line for each page, and what is not within its limits

What a chapter is called and what comes before and after it is stated once, in the front matter of its text
(`texts/chapters`, sorted by name); its hours are computed from the text (`tools.measure`). What the thread of a chapter
does not need is on its companion page (`texts/chapters/more`). The builder, the site, the slides and the tests all read
it here.
"""

import base64
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

ROOT = Path(__file__).parent.parent
TEXTS = ROOT / "texts"
MORE = "more"  # the folder of companion pages, in texts/chapters and in chapters
CONTENTS = "00_start_here"  # the page with the table of contents
LINKS_TAG = "links"  # on the first and the last cell of each page: the site keeps of them what it lacks
FOLDED_TAG = "hide-input"

#: What a folded cell's first line must begin with, by role. A cell without a role is taught: it is seen open.
FIRST_LINES = {"setup": "# set-up: ", "figure": "# figure: ", "table": "# table: ", "check": "# checks"}

_IMAGE = re.compile(r'<img alt="([^"]*)" width="(\d+)" src="data:image/png;base64,([^"]+)">')
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_HOURS_MARK = "<!-- hours -->"
_EXERCISE_HOURS_MARK = "<!-- exercise hours -->"
_CONTENTS_MARK = "<!-- contents -->"


@dataclass(frozen=True)
class Chapter:
    """What the front matter of a chapter's text says.

    Args:
        name: as the files are called, such as "05_self_attention".
        title: as links and contents call it.
        builds: what the reader builds, for the contents.
        done: whether the page is within the limits of `tools.measure`, to which the tests then hold it.
    """

    name: str
    title: str
    builds: str
    done: bool = False

    @property
    def text(self) -> Path:
        return TEXTS / "chapters" / f"{self.name}.md"

    @property
    def companion(self) -> Path | None:
        """The text of what the thread of this chapter does not need, if there is any."""
        path = TEXTS / "chapters" / MORE / f"{self.name}.md"
        return path if path.exists() else None

    @cached_property
    def hours(self) -> float:
        """For the page itself."""
        from tools.measure import measure  # jupytext is slow to import

        return measure(self.text).hours

    @cached_property
    def exercise_hours(self) -> float:
        """For the exercises: the sum of what each says of itself."""
        from lmcourse.exercises import all_tasks
        from tools.measure import rounded_hours

        return rounded_hours(sum(task.minutes for task in all_tasks(self.name)))

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def numbered_title(self) -> str:
        return f"{self.number} {self.title}"


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return all chapters in order."""
    return tuple(_read(path) for path in sorted((TEXTS / "chapters").glob("*.md")))


def chapter(name: str) -> Chapter:
    """Return the chapter of this name.

    Raises:
        ValueError: there is none.
    """
    found = [each for each in chapters() if each.name == name]
    if not found:
        raise ValueError(f"`name` must be a chapter ({', '.join(each.name for each in chapters())}), got {name!r}.")
    return found[0]


def _read(path: Path) -> Chapter:
    match = _FRONT_MATTER.match(path.read_text(encoding="utf-8"))
    if not match:
        raise ValueError(f"{path.name} must begin with front matter between lines of ---.")
    stated = dict(yaml.safe_load(match[1])["lmcourse"])
    kind, name = stated.pop("kind", None), stated.pop("chapter", None)
    if (kind, name) != ("chapter", path.stem):
        raise ValueError(f"{path.name} must state kind: chapter and chapter: {path.stem}, got {kind} and {name}.")
    try:
        return Chapter(name=name, **stated)
    except TypeError as error:
        raise ValueError(f"{path.name}: the front matter must state what tools.form.Chapter lists: {error}.") from error


def fold(cell: NotebookNode) -> None:
    """Turn the role of a code cell into what JupyterLab and the site read; the role stays in the cell's metadata.

    Raises:
        ValueError: an unknown role, or a folded cell whose first line does not say what it is.
    """
    role = cell.metadata.pop("role", None)
    if role is None:
        return
    if role not in FIRST_LINES:
        raise ValueError(f"`:role:` must be one of {', '.join(FIRST_LINES)}, got {role!r}.")
    first = cell.source.split("\n", 1)[0]
    if not first.startswith(FIRST_LINES[role]):
        raise ValueError(
            f"the first line of a cell with `:role: {role}` must begin with {FIRST_LINES[role]!r}, since it is what "
            f"a reader sees of the folded cell, got {first!r}."
        )
    cell.metadata["jupyter"] = {"source_hidden": True}
    cell.metadata["tags"] = [*cell.metadata.get("tags", []), FOLDED_TAG]
    cell.metadata["lmcourse"] = {"role": role}


def role(cell: NotebookNode) -> str:
    """Return the role of a code cell of a built page; "taught" if it has none."""
    return cell.metadata.get("lmcourse", {}).get("role", "taught")


def fill_marks(source: str, name: str) -> str:
    """Return a Markdown cell with the hours and the table of contents in place of their marks."""
    if _HOURS_MARK in source:
        present = chapter(name)
        sentence = f"{hours(present.hours)} for the page, {hours(present.exercise_hours)} for the exercises"
        source = source.replace(_HOURS_MARK, sentence)
    if _EXERCISE_HOURS_MARK in source:
        source = source.replace(_EXERCISE_HOURS_MARK, hours(chapter(name).exercise_hours))
    if _CONTENTS_MARK in source:
        source = source.replace(_CONTENTS_MARK, contents())
    return source


def hours(number: float) -> str:
    """Return a number of hours as people write it.

    >>> hours(2), hours(2.5), hours(1), hours(0.5)
    ('2 hours', '2½ hours', '1 hour', '½ hour')
    """
    whole, half = divmod(number, 1)
    figure = f"{int(whole) or ''}{'½' if half else ''}"
    return f"{figure} hour" if number <= 1 else f"{figure} hours"


def contents() -> str:
    """Return the table of contents, with links from a chapter's page."""
    lines = ["| chapter | what you build | page | exercises |", "|---|---|--:|--:|"]
    for each in chapters():
        link = f"[{each.numbered_title}]({each.name}.ipynb)"
        exercises = f"[{hours(each.exercise_hours)}](../exercises/{each.name}/{each.name}.ipynb)"
        more = f", [more]({MORE}/{each.name}.ipynb)" if each.companion else ""
        lines.append(f"| {link} | {each.builds} | {hours(each.hours)}{more} | {exercises} |")
    pages, exercise_hours = (sum(getattr(each, what) for each in chapters()) for what in ("hours", "exercise_hours"))
    return "\n".join([*lines, f"| all | | {hours(pages)} | {hours(exercise_hours)} |"])


def add_links(cells: list[NotebookNode], kind: str, name: str) -> list[NotebookNode]:
    """Return the cells of a page between its two lines of links.

    Args:
        cells: the page.
        kind: "chapter", "more" (its companion) or "solution" (from which the exercises are made).
        name: the chapter's name.
    """
    line = " · ".join(f"[{text}]({target})" for text, target in links(kind, name))
    top, bottom = (new_markdown_cell(text, metadata={"tags": [LINKS_TAG]}) for text in (line, f"---\n\n{line}"))
    return [top, *cells, bottom]


def links(kind: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text and the target, relative to the page, of each link in a page's line of links."""
    names = [each.name for each in chapters()]
    position = names.index(name)
    before = chapters()[position - 1] if position else None
    after = chapters()[position + 1] if position + 1 < len(names) else None
    if kind == "chapter":
        if before:
            yield f"← {before.numbered_title}", f"{before.name}.ipynb"
        if name != CONTENTS:
            yield "Contents", f"{CONTENTS}.ipynb"
        yield "Exercises", f"../exercises/{name}/{name}.ipynb"
        if chapter(name).companion:
            yield "More", f"{MORE}/{name}.ipynb"
        if after:
            yield f"{after.numbered_title} →", f"{after.name}.ipynb"
        return
    if kind == "more":
        yield f"Chapter {chapter(name).numbered_title}", f"../{name}.ipynb"
        yield "Contents", f"../{CONTENTS}.ipynb"
        yield "Exercises", f"../../exercises/{name}/{name}.ipynb"
        return
    if before:
        yield f"← Exercises {before.number}", f"../{before.name}/{before.name}.ipynb"
    yield f"Chapter {chapter(name).numbered_title}", f"../../chapters/{name}.ipynb"
    yield "Contents", f"../../chapters/{CONTENTS}.ipynb"
    if after:
        yield f"Exercises {after.number} →", f"../{after.name}/{after.name}.ipynb"


@dataclass(frozen=True)
class Image:
    """A figure of a built page, as `lmcourse.plots.show` displayed it.

    Args:
        png: twice as many pixels as the page shows.
        alt: the alternative text.
        width: on the page, in CSS pixels.
    """

    png: bytes
    alt: str
    width: int


def image(output: NotebookNode) -> Image | None:
    """Return the figure in an output of a code cell, if it is one."""
    match = _IMAGE.search(output.get("data", {}).get("text/html", ""))
    return Image(base64.b64decode(match[3]), html.unescape(match[1]), int(match[2])) if match else None


def main() -> None:
    from tools.measure import FEWEST_PREDICTIONS, LIMITS, measure

    print("page                     cells words sect folded checks rows names long raw predict  hours")
    for chapter in chapters():
        counted = measure(chapter.text, ROOT / "chapters" / f"{chapter.name}.ipynb")
        row = f"{counted.cells:>5} {counted.words:>5} {counted.sections:>4} {counted.folded_share:>6.0%}"
        row += f" {counted.checks_in_a_section:>6} {counted.folded_in_a_row:>4} {counted.names_from_folds:>5}"
        row += f" {counted.long_lines:>4} {counted.raw_outputs:>3} {counted.predictions:>7} {counted.hours:>6}"
        over = counted.over()
        print(f"{chapter.name:<24} {row}  {'done' if chapter.done else f'{len(over)} over' if over else 'within'}")
    limits = ", ".join(f"{name.replace('_', ' ')} {limit}" for name, limit in LIMITS.items())
    print(f"At most: {limits}; at least {FEWEST_PREDICTIONS} predictions.")


if __name__ == "__main__":
    main()
