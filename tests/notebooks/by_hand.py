"""What a page defines, without the page: its imports and the definitions that are asked for run, nothing else does."""

import ast
from collections.abc import Iterator
from typing import Any

import jupytext

from tools import form

_DRAWING = ("figures", "IPython", "ipywidgets", "lmcourse.plots")


def defined(page: str, *names: str) -> dict[str, Any]:
    """Return the namespace in which a page's imports and the definitions of these names have run, in their order.

    Only cells that a reader sees open are looked at. What a page defines twice, grown or mended, is the last one.

    Args:
        page: the name of the chapter, such as "03_recurrent".
        names: functions, classes and values.

    Raises:
        LookupError: the page's visible cells do not define one of them.
    """
    text = (form.TEXTS / "chapters" / f"{page}.md").read_text(encoding="utf-8")
    cells = jupytext.reads(text, fmt="md:myst").cells
    namespace: dict[str, Any] = {"__name__": page}
    for cell in (cell for cell in cells if cell.cell_type == "code"):
        for statement in ast.parse(cell.source).body:
            is_import = isinstance(statement, ast.Import | ast.ImportFrom)
            if (is_import and not _draws(statement)) or (
                "role" not in cell.metadata and {*_bound(statement)} & {*names}
            ):
                exec(compile(ast.Module([statement], []), page, "exec"), namespace)
    if missing := set(names) - set(namespace):
        raise LookupError(f"no visible cell of {page} defines {', '.join(sorted(missing))}.")
    return namespace


def _draws(statement: ast.stmt) -> bool:
    module = statement.module if isinstance(statement, ast.ImportFrom) else ast.unparse(statement).split()[1]
    return f"{module}.".startswith(tuple(f"{name}." for name in _DRAWING))


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign):
        yield from (node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name))
