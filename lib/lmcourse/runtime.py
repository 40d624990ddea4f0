"""Where and how big to run: device, seeds, the size preset, and claims that are checked."""

import html
import os
import random
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import NoneType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import nn

from lmcourse import checks

__all__ = ["ClaimFailedError", "claim", "device", "evaluation_mode", "pick", "preset", "seed_everything"]

PRESETS = ("smoke", "laptop", "gpu")
Value = TypeVar("Value")

_mode_lock = threading.Lock()
_in_evaluation: WeakKeyDictionary[nn.Module, int] = WeakKeyDictionary()  # by how many contexts, of all threads


class ClaimFailedError(AssertionError):
    """A statement of a chapter did not hold for what was just computed."""


def device(prefer: str | None = None) -> torch.device:
    """Return the device to compute on: CUDA, else Apple's MPS, else the CPU.

    Args:
        prefer: a device name such as "cpu" or "cuda:1". The environment variable LMCOURSE_DEVICE overrides it.

    Returns:
        A device that is present on this machine.

    Raises:
        TypeError: `prefer` is not a str.
        ValueError: the name is no device of torch, or that device is not present here.
    """
    checks.instance((str, NoneType), prefer=prefer)
    name = os.environ.get("LMCOURSE_DEVICE") or prefer
    if name is None:
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    try:
        chosen = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f'`prefer` must name a device such as "cpu", "cuda" or "mps", got {name!r}.') from error
    present = {
        "cpu": 1,
        "cuda": torch.cuda.device_count(),
        "mps": int(torch.backends.mps.is_available()),
    }.get(chosen.type, 0)
    if (chosen.index or 0) >= present:
        raise ValueError(
            f"`prefer` must be a device that is present, got {name!r}; {chosen.type} devices here: {present}."
        )
    return chosen


def seed_everything(seed: int) -> torch.Generator:
    """Seed Python, NumPy and torch, and return a CPU generator of the same seed.

    The same seed gives the same numbers at every run on one machine and version of torch.

    Raises:
        TypeError: `seed` is not a whole number.
        ValueError: `seed` is outside 0 .. 2**32 - 1 (NumPy's range).
    """
    checks.whole(seed=seed, at_least=0, below=2**32)
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - third-party code may draw from the global state
    torch.manual_seed(seed)
    return torch.Generator().manual_seed(seed)


def preset() -> str:
    """Return the size of the runs: "smoke" (seconds, for tests), "laptop" (the course) or "gpu".

    LMCOURSE_PRESET sets it; without it, "laptop", on a machine with a GPU too, so that pages read alike everywhere.

    Raises:
        ValueError: LMCOURSE_PRESET is none of the three.
    """
    name = os.environ.get("LMCOURSE_PRESET") or "laptop"
    if name not in PRESETS:
        raise ValueError(f"LMCOURSE_PRESET must be one of {', '.join(PRESETS)}, got {name!r}.")
    return name


def pick(*, laptop: Value, smoke: Value | None = None, gpu: Value | None = None) -> Value:
    """Return the value for the present preset; a size that is not given is the laptop's."""
    chosen = {"smoke": smoke, "laptop": laptop, "gpu": gpu}[preset()]
    return laptop if chosen is None else chosen


@contextmanager
def evaluation_mode(modules: Iterable[nn.Module]) -> Iterator[None]:
    """Put modules into evaluation mode inside the context, and those that were in training mode back afterwards.

    Each module is put back to the mode that it had, so a frozen part of a model in training stays frozen. Several
    threads may evaluate one model: a module goes back to training mode when the last of them has finished. A module
    that is in evaluation mode already is not touched.

    Args:
        modules: each is switched by itself: for a whole model, `model.modules()`.

    Raises:
        TypeError: something else than modules.
    """
    checks.instance(Iterable, modules=modules)
    modules = list(modules)
    for module in modules:
        checks.instance(nn.Module, **{"modules[...]": module})
    with _mode_lock:
        switched = [module for module in modules if module.training or module in _in_evaluation]
        for module in switched:
            _in_evaluation[module] = _in_evaluation.get(module, 0) + 1
            module.training = False
    try:
        yield
    finally:
        with _mode_lock:
            for module in switched:
                _in_evaluation[module] -= 1
                if not _in_evaluation[module]:
                    del _in_evaluation[module]
                    module.training = True


def claim(
    statement: str, holds: bool | Callable[[], bool], *, on: str | None = None, present: str | None = None
) -> None:
    """Check a statement of a chapter; a statement that does not hold raises.

    In a notebook the statements of a cell are shown together when the cell ends, as one quiet line that opens to the
    list. Elsewhere each is printed.

    A claim is made for one corpus and one size of run. When another corpus was read instead (`present` differs from
    `on`), or in a smoke run, it is reported as not checked, and nothing is raised.

    Args:
        statement: the sentence, as the reader sees it.
        holds: the result of the check, or a function that gives it.
        on: the corpus that the claim was made for; None for a claim that holds for any text, at every size.
        present: the corpus that was read.

    Raises:
        TypeError: `statement` is not a str, or `on` or `present` neither a str nor None.
        ClaimFailedError: the check ran and gave False.
    """
    checks.instance(str, statement=statement)
    checks.instance((str, NoneType), on=on, present=present)
    if on is not None and present is not None and on != present:
        _report(f"not checked ({present} stands in for {on})", statement)
        return
    if on is not None and preset() == "smoke":
        _report("not checked (smoke run)", statement)
        return
    if not bool(holds() if callable(holds) else holds):
        raise ClaimFailedError(f"this claim does not hold: {statement}")
    _report("checked", statement)


_reported: list[tuple[str, str]] = []  # (outcome, statement) of the cell that is running


def _report(outcome: str, statement: str) -> None:
    ipython = sys.modules.get("IPython")  # a script has no use for it
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        print(f"{outcome}: {statement}")
        return
    if not _reported:
        shell.events.register("post_run_cell", _show_report)
    _reported.append((outcome, statement))


def _show_report(_: Any) -> None:
    """Show what the cell's claims reported, after all else that the cell shows."""
    from IPython import get_ipython
    from IPython.display import display

    get_ipython().events.unregister("post_run_cell", _show_report)
    by_outcome: dict[str, list[str]] = {}
    for outcome, statement in _reported:
        by_outcome.setdefault(outcome, []).append(statement)
    _reported.clear()
    pages, texts = [], []
    for outcome, statements in by_outcome.items():
        summary = f"{outcome}: {len(statements)} statement{'s' if len(statements) > 1 else ''}"
        items = "".join(f"<li>{html.escape(statement)}</li>" for statement in statements)
        pages.append(f"<details><summary><small>{summary}</small></summary><ul>{items}</ul></details>")
        texts.append("\n".join([summary, *(f"- {statement}" for statement in statements)]))
    display({"text/html": "\n".join(pages), "text/plain": "\n".join(texts)}, raw=True)
