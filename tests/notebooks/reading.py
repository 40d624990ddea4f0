"""Read what a notebook holds."""

import ast
from functools import cache

from nbformat import NotebookNode

from tools import notebooks

composed = cache(notebooks.compose)  # for tests that change nothing of it: a text takes half a second


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def claims(notebook: NotebookNode) -> list[str]:
    """The statements of every `claim(...)` call of a page, in order."""
    found = []
    for cell in code_cells(notebook):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "claim":
                assert isinstance(node.args[0], ast.Constant), f"a claim's statement must be a constant: {cell.source}"
                found.append(node.args[0].value)
    return found
