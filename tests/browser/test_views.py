"""bertviz's views drawn by a browser that reaches no network: in JupyterLab after Run All, and in an exported page."""

import os

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from lmcourse.plots import head_explorer
from tests.accessibility import accessibility_tree
from tests.browser.test_lab import address, open_page, run_all

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("LMCOURSE_SHOTS")
CODE = """
import torch
from lmcourse.plots import head_view, model_view

def weights(*shape):
    return torch.softmax(3 * torch.randn(*shape, generator=torch.Generator().manual_seed(1)), dim=-1)

words, source = "the owl saw it".split(), "die Eule sah".split()
alt = "Four words look at each other, with weights drawn at random."
""".strip()
SELF = "head_view(weights(2, 3, 4, 4), words, title='Random weights', alt=alt)"
MODEL = "model_view(weights(2, 3, 4, 4), words, title='Random weights', alt=alt)"
CROSS = """
head_view(encoder_attention=weights(2, 3, 3, 3), decoder_attention=weights(2, 3, 4, 4), title="Random weights", alt=alt,
          cross_attention=weights(2, 3, 4, 3), encoder_tokens=source, decoder_tokens=words, layer=1)
""".strip()


def notebook():
    cells = [nbformat.v4.new_markdown_cell("# Views")]
    cells += [nbformat.v4.new_code_cell(source) for source in (CODE, SELF, MODEL, CROSS)]
    page = nbformat.v4.new_notebook(cells=cells)
    page.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return page


@pytest.fixture
def tab(browser):
    """A tab that can reach this machine and files only, and the addresses that it was refused."""
    page = browser.new_page(viewport={"width": 1280, "height": 1500})
    page.refused = []

    def only_here(route):
        if route.request.url.startswith(("http://127.0.0.1", "file:", "data:", "about:", "blob:")):
            route.continue_()
        else:
            page.refused.append(route.request.url)
            route.abort()

    page.route("**/*", only_here)
    yield page
    page.close()


def views_of(page, name):
    """The frames of the three views, in order, when each has drawn."""
    frames = page.locator("iframe[title='Four words look at each other, with weights drawn at random.']")
    frames.nth(2).wait_for(state="attached", timeout=300_000)  # the last run may be over before its output is drawn
    assert frames.count() == 3
    inside = []
    for place in range(3):
        frames.nth(place).scroll_into_view_if_needed()
        frame = frames.nth(place).element_handle().content_frame()
        frame.wait_for_selector("svg", timeout=300_000)
        if SHOTS:
            page.screenshot(path=f"{SHOTS}/views-{name}-{place}.png")
        inside.append(frame)
    return inside


def see_that_all_is_drawn(page, name):
    self_attention, model, cross = views_of(page, name)
    assert self_attention.locator("svg line").count() == 3 * 4 * 4  # heads, queries, keys
    assert self_attention.locator("#layer option").count() == 2
    assert self_attention.locator("svg text").all_text_contents().count("owl") == 2
    assert model.locator("svg rect.attn_background").count() == 2 * 3  # layers, heads
    assert model.locator("svg line").count() == 2 * 3 * 4 * 4
    assert cross.locator("#filter option").all_inner_texts() == ["Encoder", "Decoder", "Cross"]
    assert cross.locator("#layer").input_value() == "1"
    assert self_attention.locator("#layer").input_value() == "0"
    assert cross.locator("svg line").count() == 3 * 4 * 3, "it opens on what the still picture shows: the last"
    cross.locator("#filter").select_option("0")
    assert cross.locator("svg line").count() == 3 * 3 * 3
    for frame in (self_attention, model, cross):
        inner, outer = frame.locator("body").bounding_box(), frame.frame_element().bounding_box()
        drawn = frame.locator("svg").bounding_box()
        assert drawn["height"] > 50
        assert drawn["y"] + drawn["height"] <= outer["y"] + outer["height"], "the frame cuts the drawing off"
        assert inner["width"] <= outer["width"]
        assert drawn["x"] + drawn["width"] <= outer["x"] + outer["width"], "the frame cuts the drawing off"


def test_views_are_drawn_in_jupyterlab_on_the_first_run_all(lab, lab_folder, tab):
    nbformat.write(notebook(), lab_folder / "views.ipynb")
    tab.goto(address(lab, "views.ipynb"))
    open_page(tab, "views")
    run_all(tab, "views")
    see_that_all_is_drawn(tab, "lab")


def test_views_are_drawn_in_an_exported_page(tab, tmp_path):
    page = notebook()
    NotebookClient(page, timeout=600, kernel_name="python3").execute()
    exported, _ = HTMLExporter().from_notebook_node(page)
    (tmp_path / "views.html").write_text(exported, encoding="utf-8")
    tab.goto((tmp_path / "views.html").as_uri())
    see_that_all_is_drawn(tab, "html")
    assert all("cdnjs" in url or "jsdelivr" in url for url in tab.refused), "the export's own MathJax and require.js"


@pytest.mark.slow  # daily in JupyterLab (test_outputs) and on the site
def test_a_figure_in_an_exported_page_has_its_words(tab, tmp_path):
    line = "fig, (axes,) = figure()\naxes.plot([1, 2])\nshow(fig, alt='A line that rises from 1 to 2.')"
    page = notebook()
    page.cells[1:] = [nbformat.v4.new_code_cell(f"from lmcourse.plots import figure, show\n{line}")]
    NotebookClient(page, timeout=600, kernel_name="python3").execute()
    exported, _ = HTMLExporter().from_notebook_node(page)
    (tmp_path / "figure.html").write_text(exported, encoding="utf-8")
    tab.goto((tmp_path / "figure.html").as_uri())
    assert ("image", "A line that rises from 1 to 2.") in accessibility_tree(tab)


def test_a_click_on_the_map_of_heads_shows_that_head(tab, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(head_explorer.style, "display", lambda data, raw: shown.append(data["text/html"]))
    monkeypatch.setattr(head_explorer, "show", lambda fig, alt: None)
    maps = np.zeros((2, 3, 2, 2))
    maps[..., 0], maps[1, 2] = 1, np.eye(2)  # all look at the first token, but one head at itself
    head_explorer.head_explorer(
        maps,
        ["a", "b"],
        {"first": maps[..., 1, 0], "itself": maps[..., 1, 1]},
        "finding",
        alt="Two maps of two layers and three heads.",
        chosen=(0, 0),
    )
    (tmp_path / "heads.html").write_text(f"<!doctype html>{shown[0]}", encoding="utf-8")
    tab.goto((tmp_path / "heads.html").as_uri())
    frame = tab.frames[1]
    look = frame.locator("#map td").nth(2)  # from b to a
    assert look.get_attribute("title") == "b → a: 1.00"
    frame.get_by_role("button", name="layer 1, head 2").click()
    assert frame.locator("#name").inner_text().startswith("Layer 1, head 2")
    assert look.get_attribute("title") == "b → a: 0.00"
    before = frame.locator("button.head").last.evaluate("button => button.style.background")
    frame.locator("#by").select_option("itself")
    assert frame.locator("button.head").last.evaluate("button => button.style.background") != before
    assert tab.refused == []
