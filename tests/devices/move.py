"""Moves whatever a call is made of to another device: tensors, models, optimizers, trainers, the caller's functions."""

import types
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

OWN = ("lmcourse", "torch.optim", "tests")  # modules whose objects are looked into


class Move:
    """Gives things with every tensor in them on another device; containers are rebuilt, objects changed in place.

    What is held twice, such as a tied weight or the parameters of an optimizer, is held twice afterwards, if the same
    `Move` moves both.

    Args:
        place: gives the tensor for a tensor, and one that is there already as it is.
        generator: gives the generator for a generator.
    """

    def __init__(
        self, place: Callable[[Tensor], Tensor], generator: Callable[[torch.Generator], Any] = lambda each: each
    ) -> None:
        self.place, self.generator = place, generator
        self._seen: dict[int, tuple[Any, Any]] = {}  # id -> what it has become, and itself, so that it lives on
        self._made: set[int] = set()
        self.num_tensors = 0

    def __call__(self, thing: Any) -> Any:
        if id(thing) in self._seen:
            return self._seen[id(thing)][0]
        if id(thing) in self._made:
            return thing
        self._seen[id(thing)] = (thing, thing)  # for what holds itself
        made = self._moved(thing)
        self._seen[id(thing)] = (made, thing)
        self._made.add(id(made))
        return made

    def _moved(self, thing: Any) -> Any:
        if isinstance(thing, Tensor):
            self.num_tensors += 1
            made = self.place(thing)
            is_new_parameter = isinstance(thing, nn.Parameter) and made is not thing
            return nn.Parameter(made, thing.requires_grad) if is_new_parameter else made
        if isinstance(thing, torch.Generator):
            return self.generator(thing)
        if isinstance(thing, nn.Module):
            for table in (thing._parameters, thing._buffers, thing._modules):
                self._move_items(table)
            self._move_attributes(thing)
        elif isinstance(thing, types.MethodType):
            return types.MethodType(thing.__func__, self(thing.__self__))
        elif isinstance(thing, types.FunctionType) and thing.__module__.startswith("tests"):
            return lambda *args, **kwargs: Move(self.place, self.generator)(
                thing(*args, **kwargs)
            )  # it answers where it is asked
        elif isinstance(thing, types.FunctionType):
            for cell in thing.__closure__ or ():
                cell.cell_contents = self(cell.cell_contents)
        elif isinstance(thing, tuple):
            items = [self(item) for item in thing]
            return type(thing)(*items) if hasattr(thing, "_fields") else tuple(items)
        elif isinstance(thing, list):
            thing[:] = [self(item) for item in thing]
        elif isinstance(thing, dict):
            self._move_items(thing)
        elif not isinstance(thing, type) and type(thing).__module__.startswith(OWN):
            self._move_attributes(thing)
        return thing

    def _move_items(self, table: dict[Any, Any]) -> None:
        for key, value in table.items():
            table[key] = self(value)

    def _move_attributes(self, thing: Any) -> None:
        slots = (name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ()))
        for name in [*getattr(thing, "__dict__", {}), *slots]:
            if name not in ("_parameters", "_buffers", "_modules") and not name.startswith("__"):
                value = getattr(thing, name, None)
                if (new := self(value)) is not value:
                    object.__setattr__(thing, name, new)
