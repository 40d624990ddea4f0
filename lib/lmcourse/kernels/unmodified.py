"""Which modules compute what their class says, so that a fast twin may take their place.

torch has no public question whether a module has hooks: it has methods that add one, and each gives a handle that takes
that one away. So the dictionaries that hold them are looked at, under the names that a module of this torch gives them.
"""

import inspect
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook


def _names_of_registries() -> list[str]:
    """The attributes of a module that hold hooks: dictionaries that stay empty when all that it owns is there."""
    probe = nn.Module()
    probe.parameter = nn.Parameter(torch.empty(0))
    probe.register_buffer("buffer", torch.empty(0))
    probe.module = nn.Module()
    return [name for name, value in vars(probe).items() if isinstance(value, dict) and not value]


def _global_registries() -> list[Any]:
    """References to the dictionaries of the hooks of all modules: the handle of such a hook has one."""
    handles = [register_module_forward_pre_hook(lambda *_: None), register_module_forward_hook(lambda *_: None)]
    for handle in handles:
        handle.remove()
    return [handle.hooks_dict_ref for handle in handles]


def _names_of_call_registries() -> list[str]:
    """Those of the attributes that hold the hooks of a call, forward and backward, and not those of a state dict."""
    probe = nn.Module()
    probe.register_forward_pre_hook(lambda *_: None)
    probe.register_forward_hook(lambda *_: None)
    probe.register_full_backward_pre_hook(lambda *_: None)
    probe.register_full_backward_hook(lambda *_: None)
    return [name for name in _REGISTRIES if vars(probe)[name]]


_REGISTRIES, _GLOBAL_REGISTRIES = _names_of_registries(), _global_registries()
_CALL_REGISTRIES = _names_of_call_registries()


def is_called_as_written(module: nn.Module, method: str) -> bool:
    """Return whether a call of a module is the `forward` of the class that has a method, and nobody listens to it.

    It is not where a subclass has a `forward` of its own and inherits the method, where one is set on the instance, or
    where the module has hooks for its calls; those of torch.distributed, which shards a module, do not count.
    """
    own, classes = vars(module), type(module).__mro__
    hooks = [hook for name in _CALL_REGISTRIES for hook in own[name].values()]
    if not all((getattr(hook, "__module__", None) or "").startswith("torch.distributed") for hook in hooks):
        return False
    has_method = next((kind for kind in classes if method in vars(kind)), None)
    if has_method is None:  # a wrapper passes it on, as torch.compile's does, and calls what it wraps
        return True
    return "forward" not in own and issubclass(has_method, next(kind for kind in classes if "forward" in vars(kind)))


_OF_NO_EFFECT = ("__init__", "__setstate__")  # torch.compile wraps those of nn.Module, to follow what is made


def _functions(kind: type) -> dict[str, Any]:
    """The functions that a class itself defines."""
    return {
        name: value for name, value in vars(kind).items() if inspect.isfunction(value) and name not in _OF_NO_EFFECT
    }


class Unmodified:
    """Tells modules that compute what their class says from those that somebody has changed or listens to.

    A module is unmodified if all of this holds:

    - It is of the very class: no subclass, which may override anything. `torch.compile`, parametrizations and
      wrappers such as FSDP make a module of another class.
    - No attribute of its own hides one of its class: `forward` set on an instance, `module.compile()`.
    - It has no hooks of any kind, and there are none for all modules.
    - The functions of its class, inherited ones too, are those that they were when this object was made.

    Nothing is called on the module, and nothing is registered on it, so any number of threads may ask.

    Args:
        kinds: the classes whose modules will be asked about.
    """

    def __init__(self, kinds: Iterable[type[nn.Module]]) -> None:
        kinds = list(kinds)
        self._names: dict[type, frozenset[str]] = {kind: frozenset(dir(kind)) for kind in kinds}
        found = {base: _functions(base) for kind in kinds for base in kind.__mro__}
        self._functions = [(vars(base).get, list(each), list(each.values())) for base, each in found.items()]

    def classes(self) -> bool:
        """Return whether all classes are as they were, and no hooks are there for all modules."""
        return not any(registry() for registry in _GLOBAL_REGISTRIES) and all(
            list(map(now, names)) == functions for now, names, functions in self._functions
        )

    def __call__(self, module: nn.Module, kind: type[nn.Module]) -> bool:
        """Return whether a module is an unmodified `kind`, given that `classes()` is True."""
        if type(module) is not kind or kind not in self._names:
            return False
        own = vars(module)
        return self._names[kind].isdisjoint(own) and not any(own[name] for name in _REGISTRIES)
