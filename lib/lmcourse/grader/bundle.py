"""The little `lmcourse` that the sandbox sees: the engine that calls answers, and what a page needs of the rest."""

import ast
import io
import pickle
import pickletools
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lmcourse.exercises.task import Case, Task
from lmcourse.grader.inside.submission import Page, TaskSpec

_HERE = Path(__file__).parent
_LIBRARY = _HERE.parent
_ENGINE = (
    *("exercises/compare.py", "exercises/task.py", "exercises/running.py"),
    *("exercises/limit.py", "exercises/codec.py", "checks.py"),
)
PAGE = "page.pickle"
_TASKS = "lmcourse.tasks"


def write_bundle(
    folder: Path, tasks: Iterable[tuple[Task, list[Case]]], page_code: str, *, tensors: bool = False
) -> bool:
    """Write the package and the page's cases into an empty folder.

    Of a task go its name, its cases, how its answer is called and what is compared: never the reference or the slips.
    A function of a task's module that puts an answer to use (`Task.call`) is sent by value, the module stays out.

    Args:
        folder: becomes importable: FOLDER/lmcourse, and FOLDER/page.pickle.
        tasks: the tasks with their cases.
        page_code: the code of the page's own cells; what they import from the library is there.
        tensors: have torch in the engine even if neither the cases nor the page's code speak of it.

    Returns:
        whether torch is in the engine.
    """
    page = _page(tasks)
    package = folder / "lmcourse"
    for name in _ENGINE:
        _copy(_LIBRARY / name, package / name)
    for path in (_HERE / "inside").glob("*.py"):
        _copy(path, package / "grader" / "inside" / path.name)
    _copy(_HERE / "__init__.py", package / "grader" / "__init__.py")
    _copy(_HERE / "inside" / "library.py", package / "__init__.py")
    _copy(_HERE / "inside" / "exercises.py", package / "exercises" / "__init__.py")
    modules = library_modules(imports(page_code) | _named(page))
    for module in modules:
        _copy_module(module, folder)
    (folder / PAGE).write_bytes(page)
    tensors = tensors or b"torch" in page or any(map(speaks_of_torch, [page_code, *map(_text, modules)]))
    _copy(_HERE / "inside" / f"{'with' if tensors else 'no'}_tensors.py", package / "exercises" / "tensors.py")
    return tensors


def _without_truth(item: Case) -> Case:
    """What the judge knows of a case stays outside."""
    return item if getattr(item, "truth", None) is None else replace(item, truth=None)


def speaks_of_torch(code: str) -> bool:
    """Whether code may import torch by its name."""
    return "torch" in code


def _page(tasks: Iterable[tuple[Task, list[Case]]]) -> bytes:
    specs = {
        task.name: TaskSpec(
            task.name,
            task.call,
            task.compare,
            [_without_truth(item) for item in cases],
            task.seconds,
            task.properties,
            task.libraries,
        )
        for task, cases in tasks
    }
    try:
        import cloudpickle
    except ImportError:
        return pickle.dumps(Page(specs))
    modules = [module for name, module in sys.modules.items() if name.startswith(_TASKS)]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        return cloudpickle.dumps(Page(specs))
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def library_modules(names: set[str]) -> set[str]:
    """The modules of the library among `names`, and all that they import from it; the engine is left out."""
    found: set[str] = set()
    todo = [name for name in names if name.startswith("lmcourse.")]
    while todo:
        name = todo.pop()
        if name in found or name.startswith(("lmcourse.exercises", "lmcourse.grader", _TASKS)) or not _path(name):
            continue
        found.add(name)
        todo += [part for part in imports(_text(name)) if part.startswith("lmcourse.")]
        todo.append(name.rpartition(".")[0])
    return found - {"lmcourse"}


def _path(module: str) -> Path | None:
    stem = _LIBRARY.joinpath(*module.split(".")[1:])
    return next((path for path in (stem.with_suffix(".py"), stem / "__init__.py") if path.is_file()), None)


def _text(module: str) -> str:
    path = _path(module)
    return path.read_text(encoding="utf-8") if path else ""


def imports(code: str) -> set[str]:
    """Every module that code may import by name: `from a import b` counts as a and as a.b."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return names


def _named(pickled: bytes) -> set[str]:
    """The modules that a pickle refers to."""
    strings = (argument for _, argument, _ in pickletools.genops(io.BytesIO(pickled)) if isinstance(argument, str))
    return {string for string in strings if string.startswith("lmcourse.")}


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())


def _copy_module(module: str, folder: Path) -> None:
    path = _path(module)
    if path is not None:
        _copy(path, folder / "lmcourse" / path.relative_to(_LIBRARY))
