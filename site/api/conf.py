"""Sphinx's settings for the library's reference; `tools/site.py` runs it."""

import os
import re
from pathlib import Path
from typing import Any

ROOT = Path(os.environ["LMCOURSE_ROOT"])
#: Modules beside the rooms that are of use to those who use the library.
MODULES = ("lmcourse.runtime",)
_RESULT = re.compile(r" {4}(\w+): ")
HIDDEN = ("tasks", "grader", "cli", "jupyter", "atomic", "extras")

project = "lmcourse: the library"
author = "the lmcourse authors"
copyright = "the lmcourse authors; text CC BY 4.0, code BSD 3-Clause"

extensions = ["autoapi.extension", "sphinx.ext.napoleon"]
autoapi_dirs = [str(ROOT / "lib" / "lmcourse")]
autoapi_root = "reference"
autoapi_add_toctree_entry = False
autoapi_keep_files = True
autoapi_python_class_content = "class"
autoapi_member_order = "bysource"
autoapi_options = ["members", "undoc-members", "imported-members", "show-module-summary"]
ROOMS = os.environ.get("LMCOURSE_ROOMS", "").split()  # of which alone the reference is made; none named: of all
if ROOMS:
    HIDDEN += tuple({path.stem for path in (ROOT / "lib" / "lmcourse").glob("[a-z]*")} - {*ROOMS})
autoapi_ignore = [f"*/lmcourse/{name}/*" for name in HIDDEN] + [f"*/lmcourse/{name}.py" for name in HIDDEN]
default_role = "code"
napoleon_use_ivar = True
napoleon_use_rtype = False
suppress_warnings = ["toc.not_included", "autoapi.python_import_resolution", "ref.python"]
suppress_warnings += ["toc.not_readable"] if ROOMS else []

html_theme = "sphinx_book_theme"
html_title = "The library"
html_static_path = [str(ROOT / "site" / "static")]
html_favicon = str(ROOT / "site" / "static" / "favicon.svg")
html_css_files = ["course.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_persistent": [],
    "use_download_button": False,
    "use_fullscreen_button": False,
    "navigation_depth": 1,
    "show_toc_level": 2,
}


def skip(app: Any, what: str, name: str, item: Any, is_skipped: bool, options: Any) -> bool:
    """Show the rooms, what they name, and a few modules; not the files within a room, whose names are its own."""
    if what in ("module", "package") and name not in MODULES:
        return name.count(".") > 1 or what == "module"
    return is_skipped or name.rsplit(".", 1)[-1].startswith("_")


def plain_bars(app: Any, what: str, name: str, item: Any, options: Any, lines: list[str]) -> None:
    """`|` stands for an absolute value or a special token in our docstrings, never for a substitution."""
    lines[:] = [re.sub(r"(?<!\\)\|", r"\\|", line) for line in lines]


def list_returns(app: Any, what: str, name: str, item: Any, options: Any, lines: list[str]) -> None:
    """Several named results below `Returns:` become a list, which napoleon would take for one type and its text."""
    if "Returns:" not in lines:
        return
    start = lines.index("Returns:") + 1
    length = next((n for n, line in enumerate(lines[start:]) if line[:1].strip()), len(lines) - start)
    part = lines[start : start + length]
    if sum(bool(_RESULT.match(line)) for line in part) > 1:
        part = [
            _RESULT.sub(r"    - *\1*, ", line) if _RESULT.match(line) else line.replace("  ", "", 1) for line in part
        ]
        lines[start : start + length] = part


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", list_returns, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", plain_bars, priority=400)
    app.connect("autoapi-skip-member", skip)
