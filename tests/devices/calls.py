"""Calls the library on the device that is not there: every public callable of the fuzz test, layers and models.

`python -m tests.devices.calls` prints what fails as JSON, {call: what is wrong}. It is a process of its own, since the
device is installed for good. `--plant` adds a layer that makes a tensor on the CPU, which must be found.
"""

import copy
import json
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves

from tests.devices.pretend import NAME, Device, Pretend, install
from tests.fuzz.examples import EXAMPLES
from tests.fuzz.judge import call
from tests.layers.test_tracing import LAYERS
from tests.layers.test_tracing import make as make_layer
from tests.models.test_every_model import MODELS, inputs_of

ROOMS = ("layers", "kernels", "models", "generation", "training", "alignment")


def public_calls() -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield each public callable's good call, on the device; what comes of tensors must be there, gradients too."""
    for name, example in EXAMPLES.items():
        if name.split(".")[0] in ROOMS:
            yield name, lambda example=example: _public_call(*example.make())


def _public_call(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    seen: dict[int, Any] = {}
    function, arguments = moved(function, seen), moved(arguments, seen)
    arguments = {key: torch.device(NAME) if key == "device" else value for key, value in arguments.items()}
    with Device():
        result = call(function, arguments)
        tensors = [each for each in tree_leaves(result) if isinstance(each, Tensor) and each.dim() > 0]
        astray = [each for each in tensors if not isinstance(each, Pretend)]
        if astray and any(isinstance(made, Pretend) for made, _ in seen.values()):
            raise AssertionError(f"the result is on the CPU: {[tuple(each.shape) for each in astray]}")
        for each in tensors:
            if each.requires_grad and each.grad_fn is not None:
                each.float().square().sum().backward(retain_graph=True)


def modules() -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield each layer and model: outputs and gradients on the device are those on the CPU."""
    for name in LAYERS:
        yield f"layer {name}", lambda name=name: _module_call(*make_layer(name))
    for name, make in MODELS.items():
        yield f"model {name}", lambda make=make: _model_call(make)


def _model_call(make: Callable[[], nn.Module]) -> None:
    torch.manual_seed(0)
    model = make().eval()
    _module_call(model, list(inputs_of(model)), {})


def _module_call(module: nn.Module, inputs: list[Tensor], options: dict[str, Any]) -> None:
    there, there_inputs, there_options = moved(copy.deepcopy((module, inputs, options)))
    expected = _outputs_and_gradients(module, inputs, options)
    with Device():
        found = _outputs_and_gradients(there, there_inputs, there_options)
    for got, want in zip(found, expected, strict=True):
        if not isinstance(got, Pretend):
            raise AssertionError(f"an output or gradient is on the CPU: {tuple(got.shape)}")
        torch.testing.assert_close(got.inner, want, rtol=1e-4, atol=1e-4)


def _outputs_and_gradients(module: nn.Module, inputs: list[Tensor], options: dict[str, Any]) -> list[Tensor]:
    outputs = [each for each in tree_leaves(module(*inputs, **options)) if isinstance(each, Tensor)]
    losses = [each.float().square().sum() for each in outputs if each.requires_grad]
    if losses:
        torch.stack(losses).sum().backward()
    gradients = [parameter.grad for parameter in module.parameters() if parameter.grad is not None]
    return [each.detach() for each in (*outputs, *gradients)]


class Planted(nn.Module):
    """A layer with the fault that all of this looks for."""

    def forward(self, x: Tensor) -> Tensor:
        return x + torch.zeros(x.shape[-1])


def moved(thing: Any, seen: dict[int, Any] | None = None) -> Any:
    """Return `thing` with every tensor in it on the device: containers are rebuilt, objects changed in place.

    What is held twice, such as a tied weight or the model of an optimizer, is held twice afterwards.
    """
    seen = {} if seen is None else seen
    if id(thing) in seen:
        return seen[id(thing)][0]
    if isinstance(thing, Pretend):
        made = thing
    elif isinstance(thing, Tensor):
        made = _moved_tensor(thing)
    elif isinstance(thing, torch.Generator):
        made = None  # the device has none of its own: its numbers come from torch's
    elif isinstance(thing, nn.Module):
        made = thing
        seen[id(thing)] = (made, thing)
        for each in thing.modules():
            for name, parameter in each._parameters.items():
                each._parameters[name] = moved(parameter, seen)
            for name, buffer in each._buffers.items():
                each._buffers[name] = moved(buffer, seen)
            seen[id(each)] = (each, each)
            _move_attributes(each, seen)
    elif isinstance(thing, types.MethodType):
        made = types.MethodType(thing.__func__, moved(thing.__self__, seen))
    elif isinstance(thing, types.FunctionType) and thing.__module__.startswith("tests"):
        made = _on_the_device(thing)  # a caller's function, which answers where it is asked
    elif isinstance(thing, types.FunctionType):
        made = thing
        for cell in thing.__closure__ or ():
            cell.cell_contents = moved(cell.cell_contents, seen)
    elif isinstance(thing, tuple):
        items = [moved(item, seen) for item in thing]
        made = type(thing)(*items) if hasattr(thing, "_fields") else tuple(items)
    elif isinstance(thing, list):
        made = thing
        thing[:] = [moved(item, seen) for item in thing]
    elif isinstance(thing, dict):
        made = thing
        for key, value in thing.items():
            thing[key] = moved(value, seen)
    elif not isinstance(thing, type) and type(thing).__module__.startswith(("lmcourse", "torch.optim", "tests")):
        made = thing
        seen[id(thing)] = (made, thing)
        _move_attributes(thing, seen)
    else:
        made = thing
    seen[id(thing)] = (made, thing)  # kept, so that no other thing gets its id
    return made


def _on_the_device(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: moved(function(*args, **kwargs))


def _moved_tensor(tensor: Tensor) -> Tensor:
    inner = tensor.detach()
    if isinstance(tensor, nn.Parameter):
        return nn.Parameter(Pretend(inner), requires_grad=tensor.requires_grad)
    return Pretend(inner)


def _move_attributes(thing: Any, seen: dict[int, Any]) -> None:
    attributes = getattr(thing, "__dict__", {})
    names = [*attributes, *(name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ()))]
    for name in names:
        if name in ("_parameters", "_buffers", "_modules") or name.startswith("__"):
            continue
        value = getattr(thing, name, None)
        new = moved(value, seen)
        if new is not value:
            object.__setattr__(thing, name, new)


def main() -> None:
    install()
    warnings.simplefilter("ignore")
    calls = [*public_calls(), *modules()]
    if "--plant" in sys.argv:
        calls = [("planted", lambda: _public_call(Planted(), {"x": torch.ones(2, 3)}))]
    faults, counts = {}, Counter()
    for name, run in calls:
        counts[name.split(".")[0].split()[0]] += 1
        try:
            run()
        except Exception as error:
            faults[name] = f"{type(error).__name__}: {error}"[:400]
    print(json.dumps({"faults": faults, "counts": counts}))


if __name__ == "__main__":
    main()
