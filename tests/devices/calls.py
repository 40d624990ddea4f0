"""Calls the library on the device that is not there: every public callable of the fuzz test, layers and models.

`python -m tests.devices.calls` prints what fails as JSON, {call: what is wrong}. It is a process of its own, since the
device is installed for good. `--plant` adds a layer that makes a tensor on the CPU, which must be found. `--cuda` calls
all of it on a GPU instead.
"""

import copy
import json
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import NoneType
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves

from lmcourse.alignment.world import ReplyWorld
from lmcourse.generation import SamplingConfig, generate, translate
from lmcourse.layers import LSTM
from lmcourse.models.embeddings import NeuralBigram
from tests.devices.move import Move
from tests.devices.pretend import NAME, Device, generator_of_device, install, to_device
from tests.fuzz.examples import EXAMPLES, things
from tests.fuzz.examples.things import floats, ids
from tests.fuzz.judge import call
from tests.layers.test_tracing import LAYERS
from tests.layers.test_tracing import make as make_layer
from tests.models.test_every_model import MODELS, inputs_of

ROOMS = ("layers", "kernels", "models", "generation", "training", "alignment")


@dataclass
class Place:
    """Where everything is called: its name, how a tensor and a generator get there, what to be inside meanwhile."""

    name: str = NAME
    tensor: Callable[[Tensor], Tensor] = to_device
    generator: Callable[[torch.Generator], Any] = generator_of_device
    inside: Callable[[], AbstractContextManager[Any]] = Device

    def move(self) -> Move:
        return Move(self.tensor, self.generator)


PRETEND = Place()
CUDA = Place(
    "cuda",
    lambda tensor: tensor if tensor.is_cuda else tensor.detach().cuda(),
    lambda each: torch.Generator("cuda").manual_seed(0),
    nullcontext,
)
place = PRETEND


def public_calls() -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield each public callable's good call, on the device; what comes of tensors must be there, gradients too."""
    for name, example in EXAMPLES.items():
        if name.split(".")[0] in ROOMS:
            yield name, lambda example=example: _public_call(*example.make())


def _public_call(function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    move = place.move()
    function, arguments = move(function), move(arguments)
    moved = (torch.device, NoneType)  # another value is no device to compute on, but the name of a GPU in a table
    arguments = {
        key: torch.device(place.name) if key == "device" and (value == "cpu" or isinstance(value, moved)) else value
        for key, value in arguments.items()
    }
    with place.inside():
        result = call(function, arguments)
        tensors = [each for each in tree_leaves(result) if isinstance(each, Tensor) and each.dim() > 0]
        astray = [each for each in tensors if each.device.type != place.name]
        if astray and move.num_tensors > 0:
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
    there, there_inputs, there_options = place.move()(copy.deepcopy((module, inputs, options)))
    expected = _outputs_and_gradients(module, inputs, options)
    with place.inside():
        found = _outputs_and_gradients(there, there_inputs, there_options)
    for got, want in zip(found, expected, strict=True):
        if got.device.type != place.name:
            raise AssertionError(f"an output or gradient is on the CPU: {tuple(got.shape)}")
        got = got.inner if place is PRETEND else got.cpu()
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-4)


def _outputs_and_gradients(module: nn.Module, inputs: list[Tensor], options: dict[str, Any]) -> list[Tensor]:
    outputs = [each for each in tree_leaves(module(*inputs, **options)) if isinstance(each, Tensor)]
    losses = [each.float().square().sum() for each in outputs if each.requires_grad]
    if losses:
        torch.stack(losses).sum().backward()
    gradients = [parameter.grad for parameter in module.parameters() if parameter.grad is not None]
    return [each.detach() for each in (*outputs, *gradients)]


def further_calls() -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield what the calls above leave out: other settings, functions that are returned, methods without arguments."""
    config = SamplingConfig(0.8, top_k=5, top_p=0.9, min_p=0.01, repetition_penalty=1.2)
    settings = {"max_new_tokens": 3, "config": config}
    calls = {
        "a loop over texts of unequal length": (
            LSTM(5, 7, fused=False),
            {"x": floats(2, 3, 5), "lengths": ids(2) * 0 + 2},
        ),
        "a table": (NeuralBigram(5).table, {}),
        "rewards by a judge": (_judged, {"model": things.gpt(vocab_size=85, context_length=64)}),
        "generation with every setting": (generate, {"model": things.gpt(), "ids": ids(2, 5)} | settings),
        "beam search with a Transformer": (translate, {"model": things.transformer(), "source": ids(2, 4)} | _BEAMS),
        "greedy search": (translate, {"model": things.seq2seq(), "source": ids(2, 4), "max_length": 4, "beam_size": 1}),
        "steps of a Transformer": (_steps, {"stepper": things.transformer().stepper, "source": ids(2, 4)}),
        "steps of a Seq2Seq": (_steps, {"stepper": things.seq2seq().stepper, "source": ids(2, 4)}),
    }
    for name, call_of in calls.items():
        yield f"further: {name}", lambda call_of=call_of: _public_call(*call_of)


_BEAMS = {"max_length": 4, "beam_size": 2}


def _judged(model: nn.Module) -> Tensor:
    world = ReplyWorld()
    replies = world.sample(model, 1)
    return world.true_rewards(replies) + world.judge(lambda prompt, reply: 1.0)(replies)


def _steps(stepper: Callable[[Tensor], Any], source: Tensor) -> Tensor:
    step = stepper(source)
    start = torch.ones(len(source), 1, dtype=torch.long, device=source.device)
    first = step(start, torch.arange(len(source), device=source.device))
    following = torch.cat([start, first.argmax(-1, keepdim=True)], 1)
    return step(following, torch.arange(len(source), device=source.device).flip(0))


class Planted(nn.Module):
    """A layer with the fault that all of this looks for."""

    def forward(self, x: Tensor) -> Tensor:
        return x + torch.zeros(x.shape[-1])


def main() -> None:
    global place
    if "--cuda" in sys.argv:
        place = CUDA
        torch.backends.cudnn.allow_tf32 = False  # else an LSTM's products keep 10 bits
    else:
        install()
    warnings.simplefilter("ignore")
    calls = [*public_calls(), *modules(), *further_calls()]
    if "--plant" in sys.argv:
        calls.append(("planted", lambda: _public_call(Planted(), {"x": torch.ones(2, 3)})))
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
