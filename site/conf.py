"""Sphinx's settings for the course's pages; `tools/site.py` lays the sources out and runs it. See docs/site.md."""

import os
import sys
from pathlib import Path

ROOT = Path(os.environ["LMCOURSE_ROOT"])
sys.path[:0] = [str(ROOT), str(ROOT / "site")]

import lmcourse  # noqa: E402
from tools import front  # noqa: E402

project = "Language models, from n-grams to RLHF"
author = "the lmcourse authors"
copyright = "the lmcourse authors; text CC BY 4.0, code BSD 3-Clause"

extensions = ["myst_nb", "sphinx_copybutton", "hooks"]
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
nb_execution_mode = "off"  # the pages are executed when the notebooks are built
nb_render_markdown_format = "myst"  # tables and formulas in outputs, as in JupyterLab; the default knows neither
nb_ipywidgets_js = {}  # else a widget in a page loads scripts from outside
nb_code_prompt_hide = "Hide the code"
copybutton_selector = "div.highlight pre"
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type"]
exclude_patterns = ["**.ipynb_checkpoints"]

lmcourse_api_inventory = os.environ.get("LMCOURSE_API_INVENTORY", "")  # names that prose links to; "" links none

html_theme = "sphinx_book_theme"
html_title = project
html_static_path = [str(ROOT / "site" / "static")]
html_favicon = str(ROOT / "site" / "static" / "favicon.svg")
html_css_files = ["course.css"]
html_math_renderer = "mathml"
html_copy_source = True
html_sourcelink_suffix = ""
html_last_updated_fmt = None
html_show_sphinx = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "home_page_in_toc": True,
    "navbar_persistent": [],
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "use_download_button": True,
    "use_fullscreen_button": False,
    "use_sidenotes": False,
    "toc_title": "On this page",
    "extra_footer": f"lmcourse {lmcourse.__version__}, {lmcourse.__date__}",
} | front.buttons()
