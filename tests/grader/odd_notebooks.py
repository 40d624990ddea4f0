"""Notebooks as other programs and other people leave them, each with the points that it has to earn unsaid."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.grader.classes import answered, solutions

CHAPTER = "00_start_here"
Notebook = dict[str, Any]
Change = Callable[[Notebook], None]


def cell_of(notebook: Notebook, label: str) -> Any:
    """The cell with nbgrader's name for it."""
    return next(
        cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id", cell["id"]) == label
    )


# ----------------------------------------------------------------------------------- what other programs write


def jupyterlab(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    notebook["metadata"]["language_info"] |= {"version": "3.12.3", "codemirror_mode": {"name": "ipython", "version": 3}}


def vscode(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"] = {"display_name": ".venv (3.12.3)", "language": "python", "name": "python3"}
    for cell in notebook["cells"]:
        cell["metadata"]["vscode"] = {"languageId": "python"}


def colab(notebook: Notebook) -> None:
    notebook["metadata"] |= {"accelerator": "GPU", "colab": {"provenance": [], "gpuType": "T4"}}
    notebook["metadata"]["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] |= {"id": f"aB{number:010d}", "outputId": "4f1c", "colab": {"base_uri": "https://localhost/"}}


def deepnote(notebook: Notebook) -> None:
    notebook["metadata"] = {"deepnote_notebook_id": "9f", "deepnote_execution_queue": [], "deepnote": {}}
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] |= {"cell_id": f"00{number}", "deepnote_cell_type": cell["cell_type"], "source_hash": "b6"}


def kaggle(notebook: Notebook) -> None:
    notebook["metadata"]["kaggle"] = {"accelerator": "none", "dataSources": []}
    for cell in notebook["cells"]:
        cell["metadata"] |= {"execution": {"iopub.status.busy": "2026-11-01T10:00:00Z"}, "trusted": True}


def jupyterlite(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"] = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}


def other_names(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"] = {"display_name": "torch-2", "language": "python", "name": "conda-env-torch-py"}


PROGRAMS: tuple[Change, ...] = (jupyterlab, vscode, colab, deepnote, kaggle, jupyterlite, other_names)

# ------------------------------------------------------------------------------------ what IPython alone understands

SYNTAX = (  # before and after an answer's lines
    ("", ""),
    ("np.dot?\n", ""),
    ("x = !echo one two\n", ""),
    ("t = %timeit -o -n1 -r1 sum([1])\n", "\nprint(t)"),
    ("async def later():\n    return 2\n\nwaited = await later()\n", "\nassert waited == 2"),
    ("%time FACTOR = 2\n", "\nassert FACTOR == 2"),
    ("%time total = sum([1, \\\n  2])\n", "\nassert total == 3"),
    ("%%time\n", ""),
    ("%%capture said\n", "\nprint('said')"),
    ("if True:\n    %pwd\n    !echo in a block\n", ""),
    (">>> seen = 1\n", ""),
    ("\n\n", "\nlen?"),
    ("import math as m; m.pi\n", "\n/len [1]"),
    ("get_ipython().run_line_magic('precision', '3')\n", ""),
    ("%%timeit\n", ""),  # defines nothing
    ("!ls /nowhere | head -1\n", "\n%who"),
)


def in_syntax(number: int, task: str) -> Change:
    """Put lines of the row `number` of `SYNTAX` around an answer; two more rows change all of its lines."""

    def change(notebook: Notebook) -> None:
        cell = cell_of(notebook, f"{task}-answer")
        if number == len(SYNTAX):
            cell["source"] = "".join(f"    {line}" for line in cell["source"].splitlines(keepends=True))
        elif number > len(SYNTAX):
            first, *more = cell["source"].split("\n")
            cell["source"] = "\n".join([f"In [3]: {first}", *(f"   ...: {line}" for line in more)])
        else:
            before, after = SYNTAX[number]
            cell["source"] = f"{before}{cell['source']}{after}"

    return change


# ---------------------------------------------------------------------------------------------- what people do to it


def as_it_is(_: Notebook) -> None: ...


def split(notebook: Notebook) -> None:
    """As JupyterLab does: both halves keep the name."""
    place = notebook["cells"].index(cell_of(notebook, "cosine_similarity-answer"))
    second = copy.deepcopy(notebook["cells"][place])
    first, second["id"] = notebook["cells"][place], "second-half"
    first["source"], second["source"] = f"EPSILON = 0\n\n{first['source']}", "assert EPSILON == 0"
    notebook["cells"].insert(place + 1, second)


def split_in_a_function(notebook: Notebook) -> None:
    place = notebook["cells"].index(cell_of(notebook, "lookup_rows-answer"))
    second = copy.deepcopy(notebook["cells"][place])
    lines = notebook["cells"][place]["source"].split("\n")
    notebook["cells"][place]["source"], second["source"] = "\n".join(lines[:-1]), lines[-1]
    second["id"] = "second-half"
    notebook["cells"].insert(place + 1, second)


def copied_behind(notebook: Notebook) -> None:
    """An answer's cell once more, at the end, where it is tried out."""
    twin = copy.deepcopy(cell_of(notebook, "softmax-answer"))
    twin["source"], twin["id"] = "def softmax(scores):\n    return scores", "tried-out"
    notebook["cells"].append(twin)


def copied_before(notebook: Notebook) -> None:
    """An old answer above the new one."""
    place = notebook["cells"].index(cell_of(notebook, "gradient_step-answer"))
    old = copy.deepcopy(notebook["cells"][place])
    old["source"], old["id"] = "def gradient_step(:\n    oh", "old-answer"
    notebook["cells"].insert(place, old)


def doubled_ids(notebook: Notebook) -> None:
    notebook["cells"][0]["id"] = notebook["cells"][1]["id"]


def merged_with_check(notebook: Notebook) -> None:
    cell, check = cell_of(notebook, "softmax-answer"), cell_of(notebook, "softmax-check")
    cell["source"] += f"\n\n{check['source']}"
    notebook["cells"].remove(check)


def merged_answers(notebook: Notebook) -> None:
    first, check = cell_of(notebook, "phrase_matrix-answer"), cell_of(notebook, "phrase_matrix-check")
    second = cell_of(notebook, "cosine_similarity-answer")
    first["source"] = "\n\n".join([first["source"], check["source"], second["source"]])
    notebook["cells"].remove(check)
    notebook["cells"].remove(second)


def text_to_code(notebook: Notebook) -> None:
    texts = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    for cell in texts[1:4]:
        cell |= {"cell_type": "code", "outputs": [], "execution_count": None}


def code_to_text(notebook: Notebook) -> None:
    cell = cell_of(notebook, "cross_entropy-answer")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]


def big_outputs(notebook: Notebook) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": "spam and eggs\n" * 300_000}
    for cell in [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][:5]:
        cell["outputs"] = [output]


def windows_lines(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")


def lines_in_lists(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)


def without_names(notebook: Notebook) -> None:
    notebook["nbformat_minor"] = 4
    for cell in notebook["cells"]:
        cell["metadata"].pop("nbgrader", None)
        del cell["id"]


def unanswered(notebook: Notebook) -> None:
    cell_of(notebook, "gradient_step-answer")["source"] = "def gradient_step(*_):\n    raise NotImplementedError"


def wrong(notebook: Notebook) -> None:
    cell_of(notebook, "softmax-answer")["source"] = "def softmax(scores):\n    return np.exp(scores)"


PEOPLE: tuple[Change, ...] = (
    *(as_it_is, split, split_in_a_function, copied_behind, copied_before, doubled_ids, merged_with_check),
    *(merged_answers, text_to_code, code_to_text, windows_lines, lines_in_lists, without_names, unanswered, wrong),
)


def odd_notebooks(number: int) -> Iterator[tuple[str, bytes]]:
    """Name and content of notebooks; the parts of a name tell what was done to it."""
    right = solutions(CHAPTER)
    tasks = list(right)[:-1]
    for one in range(number):
        notebook = answered(CHAPTER, {task: right[task] for task in (tasks if one % 16 else right)})  # it trains
        for cell in notebook["cells"]:
            cell["source"] = "".join(cell["source"])
        program, person = PROGRAMS[one % len(PROGRAMS)], PEOPLE[one % len(PEOPLE)]
        row, task = one % (len(SYNTAX) + 2), tasks[one // 3 % len(tasks)]
        in_syntax(row, task)(notebook)
        program(notebook)
        person(notebook)
        if one == number - 1:
            big_outputs(notebook)
        text = json.dumps(notebook, indent=1)
        if one % 11 == 3:
            text = text.replace("\n", "\r\n")
        content = text.encode("utf-8-sig" if one % 13 == 5 else "utf-8")
        yield f"{one:03d} {program.__name__}, {person.__name__}, syntax {row} in {task}", content
