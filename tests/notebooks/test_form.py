"""The form of the pages: folded cells, quiet checks, links, plumbing, figures with sound layouts, measure."""

import ast
import re

import jupytext
import nbformat
import pytest

from lmcourse.exercises import all_tasks
from tests.notebooks.reading import code_cells, composed
from tools import form, measure, notebooks, plumbing

TEXTS = notebooks.texts()
CHAPTERS = [chapter.text for chapter in form.chapters()]
PAGES = [*CHAPTERS, *(chapter.companion for chapter in form.chapters() if chapter.companion)]


def name(path):
    return f"{path.parent.name}/{path.stem}"


def page_of(*sources):
    """A notebook of code cells, as the builder hands it to `execute`."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


# ------------------------------------------------------------------------------------------------ front matter, links


@pytest.mark.parametrize("chapter", form.chapters(), ids=lambda chapter: chapter.name)
def test_a_page_is_headed_by_the_title_of_its_front_matter(chapter):
    text = (form.TEXTS / "chapters" / f"{chapter.name}.md").read_text(encoding="utf-8")
    heading = re.search(r"^# (.*)$", text, re.MULTILINE)[1]
    title = re.sub(r"^(from|the) ", "", chapter.title, flags=re.IGNORECASE)
    assert heading.startswith(chapter.number)
    assert title.lower() in heading.lower()


def test_front_matter_that_says_something_else_is_refused(tmp_path):
    text = tmp_path / "05_other.md"
    text.write_text("---\nlmcourse:\n  kind: chapter\n  chapter: 05_self_attention\n---\n")
    with pytest.raises(
        ValueError, match=r"05_other\.md must state kind: chapter and chapter: 05_other, got chapter and 05"
    ):
        form._read(text)
    text.write_text("---\nlmcourse:\n  kind: chapter\n  chapter: 05_other\n  hour: 3\n---\n")
    with pytest.raises(ValueError, match=r"must state what tools\.form\.Chapter lists: .*'hour'"):
        form._read(text)
    with pytest.raises(ValueError, match=r"`name` must be a chapter .*, got '55'"):
        form.chapter("55")


@pytest.mark.parametrize("text", TEXTS, ids=name)
def test_every_link_of_a_page_leads_to_a_page(text):
    page, folder = composed(text), notebooks.target(text).parent
    markdown = "\n\n".join(cell.source for cell in page.cells if cell.cell_type == "markdown")
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", markdown)
    assert len(targets) >= 4
    for target in targets:
        assert (folder / target).resolve().is_file(), target


@pytest.mark.parametrize("kind", ["chapter", "solution"])
def test_the_links_walk_through_the_course_and_back(kind):
    names = [chapter.name for chapter in form.chapters()]
    steps = {name: dict(form.links(kind, name)) for name in names}

    def go(name, arrow):
        found = [target for text, target in steps[name].items() if arrow in text]
        return found[0].split("/")[-1].removesuffix(".ipynb") if found else None

    assert [go(name, "→") for name in names] == [*names[1:], None]
    assert [go(name, "←") for name in names] == [None, *names[:-1]]
    assert all(("Contents" in links) == (kind != "chapter" or name != form.CONTENTS) for name, links in steps.items())


def test_links_stand_first_and_last_and_are_marked_for_the_site():
    page = composed(form.TEXTS / "chapters" / "05_self_attention.md")
    marked = [number for number, cell in enumerate(page.cells) if form.LINKS_TAG in cell.metadata.get("tags", [])]
    assert marked == [0, len(page.cells) - 1]


def test_hours_and_contents_stand_in_place_of_their_marks():
    page = composed(form.TEXTS / "chapters" / f"{form.CONTENTS}.md")
    text = "\n".join(cell.source for cell in page.cells)
    assert "<!-- contents -->" not in text
    for chapter in form.chapters():
        row = re.search(rf"^\| \[{chapter.numbered_title}\]\({chapter.name}.ipynb\).*$", text, re.MULTILINE)[0]
        assert form.hours(chapter.exercise_hours) in row
    chapter = form.chapter("08_gpt")
    plan = f"Plan {form.hours(chapter.hours)} for the page, {form.hours(chapter.exercise_hours)} for the exercises."
    assert form.fill_marks("Plan <!-- hours -->.", "08_gpt") == plan
    for path in (form.TEXTS / "solutions").glob("*.md"):
        assert "Time: about <!-- exercise hours -->" in path.read_text(encoding="utf-8"), "said once, by the chapter"
    minutes = sum(task.minutes for task in all_tasks("05_self_attention"))
    assert form.chapter("05_self_attention").exercise_hours == pytest.approx(minutes / 60, abs=0.25)
    told = form.hours(form.chapter("05_self_attention").exercise_hours)
    assert form.fill_marks("Time: about <!-- exercise hours -->.", "05_self_attention") == f"Time: about {told}."


# ------------------------------------------------------------------------------------------------ folded cells


def folded(source, **metadata):
    cell = nbformat.v4.new_code_cell(source, metadata=metadata)
    form.fold(cell)
    return cell


def test_a_role_folds_a_cell_in_jupyterlab_and_on_the_site():
    cell = folded("# figure: the loss\nplot()", role="figure", tags=["nbval-check-output"])
    assert cell.metadata == {
        "jupyter": {"source_hidden": True},
        "tags": ["nbval-check-output", "hide-input"],
        "lmcourse": {"role": "figure"},
    }
    assert (form.role(cell), form.role(folded("x = 1"))) == ("figure", "taught")
    assert folded("x = 1").metadata == {}


@pytest.mark.parametrize(
    ("role", "source", "message"),
    [
        ("figure", "plot()", r"must begin with '# figure: ', .* got 'plot\(\)'"),
        ("check", "# figure: a\nclaim()", "must begin with '# checks'"),
        ("drawing", "# drawing", "must be one of setup, figure, table, check, got 'drawing'"),
    ],
)
def test_a_folded_cell_says_what_it_is(role, source, message):
    with pytest.raises(ValueError, match=message):
        folded(source, role=role)


def test_a_folded_cell_of_a_solution_is_folded_in_the_exercise(tmp_path):
    page = nbformat.v4.new_notebook(cells=[folded("# set-up: imports\nimport math", role="setup")])
    page.cells[0].id = "setup"
    page.metadata["lmcourse"] = {"kind": "solution"}
    notebooks.write(page, tmp_path / "solutions" / "a" / "a.ipynb")
    notebooks.release(tmp_path / "solutions", tmp_path / "exercises")
    made = nbformat.read(tmp_path / "exercises" / "a" / "a.ipynb", as_version=4)
    assert made.cells[0].metadata.jupyter.source_hidden
    assert made.cells[0].metadata.tags == ["hide-input"]
    assert made.metadata.lmcourse.kind == "exercise"


# ------------------------------------------------------------------------------------------------ outputs


def test_claims_of_a_cell_are_one_quiet_line_that_opens(tmp_path):
    first = "from lmcourse.runtime import claim\nclaim('1 < 2', 1 < 2)\nprint('said')\nclaim('b', True)"
    second = "claim('c', False, on='a', present='other')\nclaim('d', True)"
    page = notebooks.execute(page_of(first, second, "1 + 1"), tmp_path)
    said, report = page.cells[0].outputs
    assert said.text == "said\n"
    assert report.data["text/plain"] == "checked: 2 statements\n- 1 < 2\n- b"
    items = "<ul><li>1 &lt; 2</li><li>b</li></ul>"
    summary = "<summary><small>checked: 2 statements</small></summary>"
    assert report.data["text/html"] == f"<details>{summary}{items}</details>"
    (report,) = page.cells[1].outputs
    assert report.data["text/plain"].split("\n") == [
        "not checked (other stands in for a): 1 statement", "- c", "checked: 1 statement", "- d"
    ]  # fmt: skip
    assert [output.output_type for output in page.cells[2].outputs] == ["execute_result"]


def test_a_claim_that_fails_stops_the_page_and_the_next_report_begins_anew(tmp_path):
    source = "from lmcourse.runtime import claim\nclaim('a', True)\nclaim('b', False)"
    page = notebooks.execute(page_of(source, "claim('c', True)"), tmp_path, allow_errors=True)
    assert [output.output_type for output in page.cells[0].outputs] == ["error", "display_data"]
    assert "this claim does not hold: b" in notebooks.faults(page)[0]
    assert page.cells[1].outputs[0].data["text/plain"] == "checked: 1 statement\n- c"


def test_of_a_widget_the_still_picture_is_kept_and_of_a_progress_bar_nothing():
    def output(**data):
        return nbformat.v4.new_output("display_data", data={notebooks.WIDGET: {"model_id": "1"}} | data)

    bar, explorer = output(), output(**{"text/html": "<img>", "text/plain": "a figure"})
    assert [each.data for each in notebooks._merged([bar, explorer])] == [
        {"text/html": "<img>", "text/plain": "a figure"}
    ]


def test_figures_must_be_light_have_words_and_a_sound_layout(tmp_path):
    overlapping = """
from lmcourse.plots import figure, show
fig, (axes,) = figure()
axes.text(0.5, 0.5, "one label")
axes.text(0.51, 0.51, "another")
show(fig, alt="Two labels, one upon the other, in the middle.")
"""
    plain = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    page = notebooks.execute(page_of(overlapping, plain), tmp_path, check_figures=True)
    first, second = notebooks.faults(page)
    assert "the figure's layout: 'one label' and 'another' overlap" in first
    assert second == "code cell 1 has a figure without alt text: show it with lmcourse.plots.show"
    figures = [image for output in page.cells[0].outputs if (image := form.image(output))]
    assert [(image.alt, image.width) for image in figures] == [("Two labels, one upon the other, in the middle.", 660)]
    heavy = page.cells[0].outputs[-1]
    heavy.data["text/html"] = re.sub(r"base64,\w{8}", lambda match: match[0] * 15_000, heavy.data["text/html"])
    assert re.search(r"has a figure of 1\d\d kB", notebooks.faults(page)[1])


# ------------------------------------------------------------------------------------------------ pages in this form


@pytest.mark.parametrize("text", PAGES, ids=name)
def test_of_the_visible_code_at_most_a_tenth_is_plumbing(text):
    counted = plumbing.count(text)
    assert counted.visible > 30
    assert counted.share <= plumbing.LIMIT, "\n".join(counted.plumbing)


@pytest.mark.parametrize("text", PAGES, ids=name)
def test_figures_and_checks_are_in_folded_cells(text):
    page = composed(text)
    for cell in code_cells(page):
        calls = {node.func.id for node in ast.walk(ast.parse(cell.source))
                 if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
        if "claim" in calls:
            assert form.role(cell) == "check", cell.source
        if calls & {"show", "head_view", "model_view"}:
            assert form.role(cell) == "figure", cell.source


@pytest.mark.parametrize("text", CHAPTERS, ids=name)
def test_the_first_screen_shows_the_thing_itself(text):
    first = code_cells(composed(text))[0]
    assert form.role(first) in ("figure", "table"), "a picture, or text that a model wrote"
    before = "".join(cell.source for cell in jupytext.reads(text.read_text(encoding="utf-8"), fmt="md:myst").cells[:1])
    assert len(before) < 900, "title and promise come first, not a table of contents"


SAMPLE = """
import torch
from lmcourse.plots import self_attention as draw, show

generator = torch.Generator().manual_seed(1)
x = torch.randn(3, generator=generator)

def f(x):
    # half of it
    return x / 2

for row in x:
    y = f(row)
    print(y)
for row in x:
    print(row)
print(
    x,
)
print(y)
show(draw.arcs(x),
     alt="...")
""".strip()


def test_what_counts_as_plumbing(tmp_path):
    text = tmp_path / "page.md"
    hidden = "```{code-cell} ipython3\n:role: check\n# checks\nclaim('a', True)\n```\n"
    text.write_text(f"# A page\n\n```{{code-cell}} ipython3\n{SAMPLE}\n```\n\n{hidden}")
    counted = plumbing.count(text)
    assert (counted.visible, counted.folded) == (17, 1)
    assert list(counted.plumbing) == [
        "from lmcourse.plots import self_attention as draw, show",
        "generator = torch.Generator().manual_seed(1)",
        "for row in x:",
        "    print(row)",
        "print(",
        "    x,",
        ")",
        "show(draw.arcs(x),",
        '     alt="...")',
    ]


MEASURED = """
## 1. Two words here

A [link](far/away.ipynb) and $$x + y$$ <!-- no word --> a formula. **Predict first.** What?

```{code-cell} ipython3
:role: setup
# set-up: a helper
from math import pi
def helper(): return pi
```

```{code-cell} ipython3
:role: figure
# figure: drawn
show(helper())
```

Words.

```{code-cell} ipython3
y = helper() + sum(pi for _ in range(2))
"a line of visible code that is a little longer than a reader's screen may be wide, which is 88"
```

```{code-cell} ipython3
:role: check
# checks: one
claim("a", True)
```

```{code-cell} ipython3
:role: figure
# figure: a widget
explore(helper)
```
""".strip()


def test_what_is_measured_on_a_page(tmp_path):
    text, page = tmp_path / "page.md", tmp_path / "page.ipynb"
    text.write_text(MEASURED + "\n")
    cell = nbformat.v4.new_code_cell("y", outputs=[nbformat.v4.new_output("execute_result", {"text/plain": "(0.1,)"})])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), page)
    counted = measure.measure(text, page)
    assert (counted.cells, counted.words, counted.sections, counted.predictions) == (7, 13, 1, 1)
    assert (counted.folded_share, counted.checks_in_a_section, counted.folded_in_a_row) == (4 / 7, 1, 2)
    assert (counted.names, counted.long_lines, counted.raw_outputs) == (("helper", "pi"), 1, 0)
    assert (counted.figures, counted.widgets, counted.visible_code) == (1, 1, 1)
    assert counted.minutes == pytest.approx(13 / 100 + 2 + 3 + 5 + 5)
    assert counted.over() == [
        "folded_share 0.571 of 0.25",
        "folded_in_a_row 2 of 0",
        "names_from_folds 2 of 0",
        "long_lines 1 of 0",
        "predictions 1, at least 4",
    ]


@pytest.mark.parametrize("said", ["(0.1234567890123456, 1)", "tensor([1.,\n 2.], dtype=torch.float64)"])
def test_a_raw_output_is_seen(tmp_path, said):
    text, page = tmp_path / "page.md", tmp_path / "page.ipynb"
    text.write_text(MEASURED + "\n")
    cell = nbformat.v4.new_code_cell("y", outputs=[nbformat.v4.new_output("execute_result", {"text/plain": said})])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), page)
    assert measure.measure(text, page).raw_outputs == 1


def test_pages_that_are_done_keep_the_limits_and_the_others_are_listed(capsys):
    form.main()
    listed = capsys.readouterr().out
    for chapter in form.chapters():
        assert chapter.name in listed
        if chapter.done:
            built = notebooks.target(chapter.text)
            assert measure.measure(chapter.text, built).over() == [], f"{chapter.name}: python -m tools.form"


def test_a_page_and_its_companion_lead_to_each_other_and_the_contents_to_both():
    for chapter in (chapter for chapter in form.chapters() if chapter.companion):
        assert dict(form.links("chapter", chapter.name))["More"] == f"more/{chapter.name}.ipynb"
        assert f"../{chapter.name}.ipynb" in dict(form.links("more", chapter.name)).values()
        assert f"[more](more/{chapter.name}.ipynb)" in form.contents()


def test_a_page_whose_words_alone_have_changed_keeps_its_outputs():
    text = form.TEXTS / "chapters" / "05_self_attention.md"
    before, page = nbformat.read(notebooks.target(text), as_version=4), notebooks.compose(text)
    before.cells[1].source = "other words"
    assert notebooks.keep_outputs(before, page)
    assert [cell.outputs for cell in page.cells if "outputs" in cell] == [
        cell.outputs for cell in before.cells if "outputs" in cell
    ]
    next(cell for cell in before.cells if cell.cell_type == "code").source += "\n"
    assert not notebooks.keep_outputs(before, notebooks.compose(text))


def test_every_module_of_figures_is_of_one_page_that_draws_all_of_it():
    pages: dict[str, str] = {}  # a companion page draws with its chapter's module
    for path in (form.TEXTS / "chapters").rglob("*.md"):
        pages[path.stem[3:]] = pages.get(path.stem[3:], "") + path.read_text(encoding="utf-8")
    for path in (form.ROOT / "chapters" / "figures").glob("[!_]*.py"):
        assert path.stem in pages, f"{path.name} must be named like its page"
        source = path.read_text(encoding="utf-8")
        public = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        unused = [name for name in public if name[0] != "_" and f"draw.{name}(" not in pages[path.stem]]
        assert unused == [], f"nothing on the page of {path.name} draws {unused}"
