"""The exercises by name, as the pages order them; none is imported before it is asked for."""

import ast
import importlib
import pkgutil
from functools import cache
from pathlib import Path

from assay.mutants import SHORT_S
from lmcourse import tasks
from lmcourse.exercises.registry import find_task
from lmcourse.exercises.task import Task


@cache
def modules() -> dict[str, str]:
    """The name of each exercise's module, with its package: {"softmax": "lmcourse.tasks.ch00", ...}."""
    packages = sorted(f"{tasks.__name__}.{info.name}" for info in pkgutil.iter_modules(tasks.__path__))
    return {name: package for package in packages for name in importlib.import_module(package).ORDER}


def load(name: str) -> Task:
    """Import one exercise.

    Args:
        name: its module's, or its own where that is another one: "self_attention" and "SelfAttention" are the same.

    Raises:
        ValueError: there is none; the message names the nearest ones.
    """
    if package := modules().get(name):
        task: Task = importlib.import_module(f"{package}.{name}").task
        return task
    return find_task(name)


def source(name: str) -> str:
    """The text of an exercise's module."""
    folder = modules()[name].rpartition(".")[2]
    return (Path(tasks.__path__[0]) / folder / f"{name}.py").read_text(encoding="utf-8")


@cache
def projects() -> list[str]:
    return [name for name in modules() if "properties=" in source(name)]


def ordinary() -> list[str]:
    return [name for name in modules() if name not in projects()]


def training() -> list[str]:
    """The projects of which a right answer trains a model for long."""
    return [name for name in projects() if any(seconds > SHORT_S for seconds in _seconds(source(name)))]


def _seconds(text: str) -> list[float]:
    """What the properties of a project may take, where its text says so."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    of_properties = [call for call in calls if ast.unparse(call.func) == "Property"]
    given = [option.value for call in of_properties for option in call.keywords if option.arg == "seconds"]
    return [float(ast.literal_eval(value)) for value in given]
