"""Build the course as a web site: `python -m tools.site`, into build/site/html. See docs/site.md.

The pages and the library's reference are two Sphinx projects, because the reference takes much longer and changes less:
it is built first, and only if the library has changed; the pages then link to its names. Nothing in the site asks for
anything outside it, so that it works from a folder as from a server.
"""

import argparse
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools import form
from tools.form import ROOT
from tools.formulas import font

OUT = ROOT / "build" / "site"
DOCUMENTS = (
    "glossary",
    "troubles",
    "running-elsewhere",
    "teaching",
    "hub",
    "scale-class",
    "scale",
    "papers",
    "architecture",
    "curriculum",
    "writing-pages",
    "writing-exercises",
    "site",
)
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
_LINK = re.compile(r"\[[^]]*\]\([^)]*\)")
_RUN = re.compile(r"Run this cell to (?!see)")  # what is to be seen, a site shows: its frames hold their own scripts
_FONT_AWESOME = re.compile(r'\s*<script[^>]*src="[^"]*fontawesome\.js[^"]*"[^>]*></script>')
_PRELOAD = re.compile(r'\s*<link rel="preload" as="script"[^>]*>')


def lay_out(out: Path, whole: Collection[form.Chapter]) -> None:
    """Put the pages' sources where Sphinx finds them, in folders as in the repository, so that links hold."""
    source = out / "source"
    if source.exists():
        shutil.rmtree(source)
    for page in ("index.md", "library.md"):
        _write(source / page, _filled((ROOT / "site" / page).read_text(encoding="utf-8")))
    for chapter in form.chapters():
        for path in (*pages_of(chapter), *companions(chapter)):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            notebook = nbformat.read(ROOT / path, as_version=4)
            if chapter not in whole:
                notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
            nbformat.write(for_site(notebook), source / path)
    for name in DOCUMENTS:
        _write(source / "docs" / f"{name}.md", (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8"))


def pages_of(chapter: form.Chapter) -> tuple[Path, Path]:
    """A chapter's page and its exercises, relative to the repository."""
    return Path("chapters") / f"{chapter.name}.ipynb", Path("exercises") / chapter.name / f"{chapter.name}.ipynb"


def companions(*chapters: form.Chapter) -> list[Path]:
    """The pages with what the threads of these chapters do not need, relative to the repository."""
    return [Path("chapters") / form.MORE / f"{each.name}.ipynb" for each in chapters if each.companion]


def for_site(notebook: NotebookNode) -> NotebookNode:
    """A page without views that need a kernel; its lines of links hold what the site's own lack; the code of cells that
    JupyterLab folds is folded, and named by its first line."""
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if form.LINKS_TAG in tags:
            cell.source = _other_links(cell.source)
        if cell.cell_type != "code":
            continue
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["tags"] = [*(tag for tag in tags if tag != form.FOLDED_TAG), form.FOLDED_TAG]
            first = cell.source.split("\n", 1)[0].removeprefix("# ")
            cell.metadata["mystnb"] = {"code_prompt_show": f"Show the code: {first}"}
        for output in cell.outputs:
            data = output.get("data", {})
            data.pop(WIDGET_VIEW, None)
            if "text/html" in data:
                data["text/html"] = _RUN.sub("In JupyterLab you can ", data["text/html"])
    return notebook


def _other_links(line: str) -> str:
    """A page's line of links without the previous and the next page, which the theme's footer has."""
    kept = [link for link in _LINK.findall(line) if not link.startswith("[←") and "→](" not in link]
    return "\n".join([":::{container} page-links", " · ".join(kept), ":::"])


def _filled(page: str) -> str:
    """The front page with the samples, the map of chapters and the tree of contents."""
    rows = []
    for each in form.chapters():
        rows.append(
            f"| [{each.numbered_title}](chapters/{each.name}.ipynb) | {each.builds} | {form.hours(each.hours)} |"
        )
    table = "\n".join(["| chapter | what you build | reading |", "|---|---|--:|", *rows])
    for mark, lines in {
        "<!-- samples -->": _samples(),
        "<!-- map -->": table,
        "<!-- chapters -->": "\n".join(f"chapters/{each.name}" for each in form.chapters()),
        "<!-- more -->": "\n".join(str(path.with_suffix("")) for path in companions(*form.chapters())),
        "<!-- exercises -->": "\n".join(f"exercises/{each.name}/{each.name}" for each in form.chapters()),
        "<!-- documents -->": "\n".join(f"docs/{name}" for name in DOCUMENTS),
    }.items():
        page = page.replace(mark, lines)
    return page


def _samples() -> str:
    """One sentence, continued by each model of the ladder."""
    run = json.loads((ROOT / "chapters" / "recorded" / "ladder-samples.json").read_text(encoding="utf-8"))
    figures = [
        f"<figure><figcaption>chapter {row['chapter']}: {html.escape(row['model'])}</figcaption>"
        f"<blockquote><b>{html.escape(run['prompt'])}</b>{html.escape(short(row['text']))}</blockquote></figure>"
        for row in run["rows"]
    ]
    return "\n".join(['<div class="samples">', *figures, "</div>"])


def short(text: str, limit: int = 80) -> str:
    """The beginning of a sample, up to the end of a word, without empty lines."""
    lines = "\n".join(line for line in text.splitlines() if line.strip())
    return lines if len(lines) <= limit else f"{lines[:limit].rsplit(' ', 1)[0]} …"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def library_digest() -> str:
    """Changes whenever the reference has to be built anew."""
    digest = hashlib.sha256()
    files = [*(ROOT / "lib" / "lmcourse").rglob("*.py"), *(ROOT / "site").rglob("*.*")]
    for path in sorted(files):
        if "__pycache__" not in path.parts:
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def build_api(out: Path, rooms: Collection[str] = ()) -> None:
    """The library's reference, of all rooms or of some, into html/library; not again while the library is the same."""
    target, stamp = out / "api" / "html", out / "api" / "digest"
    digest = " ".join([library_digest(), *rooms])
    if not (stamp.exists() and stamp.read_text() == digest and (target / "objects.inv").exists()):
        shutil.rmtree(out / "api", ignore_errors=True)
        source = out / "api" / "source"
        shutil.copytree(ROOT / "site" / "api", source)
        _sphinx(source, target, out / "api" / "doctrees", LMCOURSE_ROOMS=" ".join(rooms))
        _tidy(target)
        stamp.write_text(digest)
    shutil.copytree(target, out / "html" / "library", dirs_exist_ok=True)


def build(
    out: Path = OUT, *, api: bool = True, rooms: Collection[str] = (), whole: Collection[form.Chapter] | None = None
) -> Path:
    """Build the site and return the folder with its start page.

    Args:
        out: the folder to build in.
        api: whether to build the library's reference.
        rooms: those of the library that it has; all if none are named.
        whole: the chapters that are built whole, of the others the prose alone; None builds all whole.
    """
    shutil.rmtree(out / "html", ignore_errors=True)
    lay_out(out, form.chapters() if whole is None else whole)
    if api:
        build_api(out, rooms)
    inventory = str(out / "html" / "library" / "objects.inv") if api else ""
    _sphinx(out / "source", out / "html", out / "doctrees", LMCOURSE_API_INVENTORY=inventory)
    _tidy(out / "html")
    font(out / "html" / "_static" / "math.woff2")
    for chapter in form.chapters():  # what is downloaded is the notebook as it is in the course
        for path in (*pages_of(chapter), *companions(chapter)):
            shutil.copy(ROOT / path, out / "html" / "_sources" / path)
    (out / "html" / ".nojekyll").touch()  # else GitHub Pages leaves out the folders that begin with "_"
    return out / "html"


def _sphinx(source: Path, target: Path, doctrees: Path, **environment: str) -> None:
    conf = ROOT / "site" / ("api" if "api" in target.parts else "")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-a", "-b", "html", "-c", str(conf)]
    command += ["-d", str(doctrees), str(source), str(target)]
    subprocess.run(command, check=True, env=os.environ | {"LMCOURSE_ROOT": str(ROOT)} | environment)


def _tidy(folder: Path) -> None:
    """Without what the theme brings and the pages do not use: half of a page's weight is a script for icons."""
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_PRELOAD.sub("", _FONT_AWESOME.sub("", text)), encoding="utf-8")
    for useless in {*folder.rglob("fontawesome.js*"), *folder.rglob("*.map"), *folder.rglob("*webpack-macros.html")}:
        useless.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, help="the folder to build in")
    parser.add_argument("--no-api", action="store_true", help="leave out the library's reference")
    options = parser.parse_args()
    print(build(options.out.resolve(), api=not options.no_api) / "index.html")


if __name__ == "__main__":
    main()
