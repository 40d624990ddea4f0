"""The doors of the library: every public callable of the rooms that are fuzzed, by name.

A public callable is what the `__all__` of a room, or of one of its modules, lists: functions, classes, and of each
class the public methods that this library wrote; and what is `UNLISTED`. Three kinds of thing need no example: what
takes no argument, the `RECORDS`, which hold what they are given, and methods that are called from `INSIDE`.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from fnmatch import fnmatchcase
from types import ModuleType
from typing import Any

ROOMS = ("runtime", "data", "tokenizers", "layers", "kernels", "models", "generation", "training", "alignment",
         "pretraining", "plots", "exercises")  # fmt: skip

# What the pages import although no `__all__` lists it: `test_doors` compares. Not the figures of one chapter alone.
UNLISTED = (
    "alignment.sft.Rows",
    "models.pretrained.read_gpt",
    "plots.attention.heat_maps",
    "plots.charts.bars",
    "plots.charts.grouped_bars",
    "plots.charts.lines",
    "plots.text.passage",
    "training.launching.torchrun",
    "training.scaling_layouts.layout_rows",
    "training.scaling_layouts.layout_table",
)

RECORDS = {
    "data.Aligned": "a record",
    "data.Comparison": "a record",
    "data.Corpus": "a record of the registry, which only this library fills",
    "data.Rating": "a record",
    "data.chains.Chain": "a record: what `draw_chain` returns",
    "data.replies.Reading": "a record: what `read_reply` returns",
    "data.sentences.Heard": "a record: what `load_sentences` returns",
    "data.town.Question": "a record: what `ask` returns",
    "data.town.Turn": "a record: what `load_turns` returns",
    "generation.Hypothesis": "a record: what a search returns",
    "alignment.labels.Choice": "a record: what `LabelFile` holds",
    "alignment.Example": "a record: token ids, and which of them are an answer; `pack` checks them",
    "alignment.sft.Rows": "a record: what `pack` returns",
    "training.History": "a record: what `fit` returns",
    "exercises.Outcome": "a record: what `run_answer` returns",
    "exercises.Verdict": "a record: what `judge` returns",
    "pretraining.PretrainingConfig": "a record: what `read_config` returns",
    "pretraining.TrainingSettings": "a record: what `read_config` builds; tests/pretraining/test_config.py",
    "training.scaling.Cost": "a record: what `training_cost` returns",
    "training.scaling.Device": "a record of published figures",
    "training.scaling.Layout": "a record: `training_cost` checks how it fits",
    "training.scaling.TransformerSize": "a record: `training_cost` checks how it fits",
    "training.Rung": "a record: a row of the ladder; `Ladder.record` checks it",
}

# Methods that only their own class calls, on what its public door has checked.
INSIDE = {
    "exercises.Task.call": "the default of a field: called by `run_answer` with a case's arguments",
    "layers.*.residual*": "called by `forward` of the layer",
    "layers.*.scores": "called by `forward` of the layer",
    "layers.KVCache.extend": "`append` without its checks, called by it and by the fast decoder",
    "layers.LuongDotAttention": "takes no argument: the signature is that of nn.Module",
    "layers.MultiHeadAttention.queries": "called by `forward` of the layer",
    "layers.MultiHeadAttention.keys_and_values": "called by `forward` of the layer",
    "models.ngram.*.check": "called by NGramModel, which has checked its order",
    "models.ngram.*.estimate": "called by `NGramModel.fit`, with the counts it made",
}


def doors() -> dict[str, Callable[..., Any]]:
    """Return the public callables that need an example, by name."""
    return {name: door for name, door in public_callables().items() if not is_left_out(name)}


def public_callables() -> dict[str, Callable[..., Any]]:
    """Return what takes arguments by its name: "models.GPT" for a class, "models.GPT.forward" for a method.

    What a room makes public is called by the room's name alone, other things by their module's, as they are imported.
    """
    found: dict[str, Callable[..., Any]] = {}
    seen: set[int] = set()
    for module in _modules():
        place = module.__name__.removeprefix("lmcourse.")
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if id(value) in seen:
                continue
            seen.add(id(value))
            if inspect.isclass(value):
                if not _is_only_a_kind(value):
                    found |= {f"{place}.{name}": value}
                    found |= {f"{place}.{name}.{key}": each for key, each in _methods(value)}
            elif inspect.isroutine(value):
                found[f"{place}.{name}"] = value
    for name in UNLISTED:
        module, _, function = name.rpartition(".")
        found[name] = getattr(importlib.import_module(f"lmcourse.{module}"), function)
    return {name: door for name, door in found.items() if parameters(door)}


def is_left_out(name: str) -> bool:
    """Return whether a public callable is a record, or a method that its own class calls."""
    return name in RECORDS or any(fnmatchcase(name, pattern) for pattern in INSIDE)


def _modules() -> list[ModuleType]:
    """The rooms, and after each its modules."""
    found = []
    for room in ROOMS:
        module = importlib.import_module(f"lmcourse.{room}")
        if not hasattr(module, "__path__"):  # a room of one file
            found.append(module)
            continue
        names = sorted(each.name for each in pkgutil.iter_modules(module.__path__) if not each.name.startswith("_"))
        found += [module, *(importlib.import_module(f"lmcourse.{room}.{name}") for name in names)]
    return found


def parameters(door: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a public callable, `self`, `cls` and **kwargs left out; *args are called "*args"."""
    found = {}
    for name, parameter in inspect.signature(door).parameters.items():
        if name in ("self", "cls") or parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        found["*" + name if parameter.kind is inspect.Parameter.VAR_POSITIONAL else name] = parameter
    return found


def takes_any_keyword(door: Callable[..., Any]) -> bool:
    """Return whether a public callable has **kwargs: its example then gives some of them by name."""
    kinds = [parameter.kind for parameter in inspect.signature(door).parameters.values()]
    return inspect.Parameter.VAR_KEYWORD in kinds


def _is_only_a_kind(value: type) -> bool:
    return issubclass(value, BaseException) or getattr(value, "_is_protocol", False)


def _methods(kind: type) -> list[tuple[str, Callable[..., Any]]]:
    """The public methods of a class, `__call__` and `__getitem__` among them, that a class of this library defines."""
    found: dict[str, Callable[..., Any]] = {}
    for base in kind.__mro__:
        if not base.__module__.startswith("lmcourse"):
            continue
        for name, value in vars(base).items():
            if name.startswith("_") and name not in ("__call__", "__getitem__"):
                continue
            if inspect.isfunction(value) or isinstance(value, classmethod | staticmethod):
                found.setdefault(name, getattr(kind, name))
    return sorted(found.items())
