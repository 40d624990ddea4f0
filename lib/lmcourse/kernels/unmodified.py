"""Which modules compute what their classes say, so that a fast twin may take their place."""

from collections.abc import Iterable

from torch import nn
from torch.nn.modules.module import _has_any_global_hook  # torch has no public question for hooks

_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")


class AsMade:
    """Tells whether a module, with all its parts, computes what these classes say, and nobody listens to it.

    Each part is of one of the classes: no subclass, which may override anything (a parametrization, an adapter,
    `torch.compile` and FSDP make one, too). The class has the `forward` that it had, the part has no attribute that
    hides one of its class (`forward` set on it, `module.compile()`), no hooks, and plain parameters.
    """

    def __init__(self, kinds: Iterable[type[nn.Module]]) -> None:
        self._kinds = {kind: (kind.forward, frozenset(dir(kind))) for kind in kinds}

    def __call__(self, module: nn.Module) -> bool:
        return not _has_any_global_hook() and all(map(self._is_as_made, module.modules()))

    def _is_as_made(self, part: nn.Module) -> bool:
        kind, own = type(part), vars(part)
        forward, names = self._kinds.get(kind, (None, frozenset()))
        parameters = part.parameters(recurse=False)
        return (
            forward is kind.forward
            and names.isdisjoint(own)
            and not any(own[hooks] for hooks in _HOOKS)
            and all(type(parameter) is nn.Parameter for parameter in parameters)
        )


def is_called_as_written(module: nn.Module, method: str) -> bool:
    """Return whether a call of a module is the `forward` of the class that has a method, and nobody listens to it.

    It is not where a subclass has a `forward` of its own and inherits the method, where one is set on the instance, or
    where the module has hooks for its calls; those of torch.distributed, which shards a module, do not count.
    """
    own, classes = vars(module), type(module).__mro__
    hooks = [hook for name in _HOOKS for hook in own[name].values()]
    if not all((getattr(hook, "__module__", None) or "").startswith("torch.distributed") for hook in hooks):
        return False
    has_method = next((kind for kind in classes if method in vars(kind)), None)
    if has_method is None:  # a wrapper passes it on, as torch.compile's does, and calls what it wraps
        return True
    return "forward" not in own and issubclass(has_method, next(kind for kind in classes if "forward" in vars(kind)))
