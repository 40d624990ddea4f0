"""What stands for the package `lmcourse` inside the sandbox: the library's own answers are missing there."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import NoReturn


class _Missing:
    """The last finder: a module of the library that is not here is missing on purpose, and the learner is told."""

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.startswith("lmcourse."):
            message = f"while answers are marked, {name} is missing: it may hold the library's own answer. Write yours."
            raise ModuleNotFoundError(message)
        return None


sys.meta_path.append(_Missing())


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"while answers are marked, lmcourse.{name} is missing: the library may hold the answer.")
