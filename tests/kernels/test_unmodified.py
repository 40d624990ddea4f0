"""That each kind of addition to a module is seen; what follows from it for a model is in `models/test_decoder`."""

import copy

import pytest
import torch
from torch import nn
from torch.nn.modules import module as of_all_modules
from torch.nn.utils import parametrize

from lmcourse.kernels.unmodified import AsMade, is_called_as_written

CALLS = ("forward_pre", "forward", "full_backward_pre", "full_backward")
as_made = AsMade([nn.Linear, nn.Sequential])


class Halved(nn.Module):
    def forward(self, weight):
        return weight / 2


def another_parameter(layer):
    class Mine(nn.Parameter):
        pass

    layer.weight = Mine(layer.weight)


ADDITIONS = {
    "a parametrization": lambda layer: parametrize.register_parametrization(layer, "weight", Halved()),
    "a forward of its own": lambda layer: setattr(layer, "forward", lambda x: x),
    "compiled in place": lambda layer: layer.compile(backend="eager"),
    "another class": lambda layer: setattr(layer, "__class__", type("Mine", (nn.Linear,), {})),
    "another kind of parameter": another_parameter,
}


@pytest.mark.parametrize("name", CALLS)
def test_each_kind_of_hook_for_calls_is_seen_until_it_is_removed(name):
    layer = nn.Linear(3, 2)
    for seen in (as_made, lambda layer: is_called_as_written(layer, "reset_parameters")):
        handle = getattr(layer, f"register_{name}_hook")(lambda *_: None)
        assert not seen(layer)
        handle.remove()
        assert seen(layer)


@pytest.mark.parametrize("name", CALLS)
def test_a_hook_for_all_modules_is_seen(name):
    layer = nn.Linear(3, 2)
    handle = getattr(of_all_modules, f"register_module_{name}_hook")(lambda *_: None)
    try:
        assert not as_made(layer)
    finally:
        handle.remove()
    assert as_made(layer)


@pytest.mark.parametrize("what", ADDITIONS)
def test_each_other_addition_is_seen_in_a_part_too(what):
    model = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 3))
    assert as_made(model)
    ADDITIONS[what](model[1])
    assert not as_made(model)
    assert as_made(model[0])


def test_what_is_only_copied_cast_or_in_another_mode_is_as_made():
    layer = nn.Linear(3, 2)
    for same in (copy.deepcopy(layer), copy.copy(layer), layer.double(), layer.train(), layer.requires_grad_(False)):
        assert as_made(same)


def test_a_forward_of_its_own_is_not_the_call_of_the_class():
    layer = nn.Linear(3, 2)
    ADDITIONS["a forward of its own"](layer)
    assert not is_called_as_written(layer, "reset_parameters")
    assert not is_called_as_written(type("Mine", (nn.Linear,), {"forward": lambda x: x})(3, 2), "reset_parameters")


def test_a_hook_of_torch_distributed_is_no_change_of_the_call():
    layer = nn.Linear(3, 2)

    def hook(*_):
        return None

    hook.__module__ = "torch.distributed.fsdp.somewhere"
    layer.register_forward_hook(hook)
    assert is_called_as_written(layer, "reset_parameters")
    layer.register_forward_hook(lambda *_: None)
    assert not is_called_as_written(layer, "reset_parameters")


def test_a_wrapper_that_passes_a_method_on_counts_as_what_it_wraps():
    assert is_called_as_written(torch.compile(nn.Linear(3, 2), backend="eager"), "reset_parameters")
