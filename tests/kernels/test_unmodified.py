"""What torch holds hooks in, and that each kind of addition to a module is seen.

torch has no public question whether a module has hooks, so this says whether the answer found still holds for the torch
that is installed; what follows from it for a whole model is in `models/test_decoder`.
"""

import copy
import inspect

import pytest
import torch
from torch import nn
from torch.nn.modules import module as of_all_modules
from torch.nn.utils import parametrize

from lmcourse.kernels import unmodified
from lmcourse.kernels.unmodified import Unmodified, is_called_as_written

ADDS_A_HOOK = [name for name in dir(nn.Module) if "register" in name and name.endswith("hook")]
ADDS_A_HOOK_TO_ALL = [name for name in dir(of_all_modules) if name.startswith("register_module_") and "_hook" in name]
CALLS = {"forward", "forward_pre", "full_backward", "full_backward_pre"}


class Halved(nn.Module):
    def forward(self, weight):
        return weight / 2


def compiled_in_place(layer):
    layer.compile(backend="eager")


def with_a_forward_of_its_own(layer):
    layer.forward = lambda x: x


ADDITIONS = {
    "a parametrization": lambda layer: parametrize.register_parametrization(layer, "weight", Halved()),
    "another forward": with_a_forward_of_its_own,
    "compiled in place": compiled_in_place,
    "another class": lambda layer: setattr(layer, "__class__", type("Mine", (nn.Linear,), {})),
}


def test_the_dictionaries_of_hooks_are_known():
    assert {"_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks"} <= set(
        unmodified._REGISTRIES
    )
    assert {name.removeprefix("_").removesuffix("_hooks") for name in unmodified._CALL_REGISTRIES} == {
        "forward",
        "forward_pre",
        "backward",
        "backward_pre",
    }


def test_torch_still_has_as_many_kinds_of_hooks():
    assert len(ADDS_A_HOOK) >= 8
    assert len(ADDS_A_HOOK_TO_ALL) >= 5


@pytest.mark.parametrize("name", ADDS_A_HOOK)
def test_each_kind_of_hook_is_seen_until_it_is_removed(name):
    layer, unchanged = nn.Linear(3, 2), Unmodified([nn.Linear])
    assert unchanged(layer, nn.Linear)
    handle = getattr(layer, name)(lambda *_, **__: None)
    assert not unchanged(layer, nn.Linear)
    is_of_calls = name.removeprefix("register_").removesuffix("_hook") in {*CALLS, "backward"}
    assert is_called_as_written(layer, "reset_parameters") != is_of_calls
    if handle is not None:
        handle.remove()
        assert unchanged(layer, nn.Linear)


@pytest.mark.parametrize("name", [name for name in ADDS_A_HOOK_TO_ALL if "forward" in name])
def test_a_hook_for_all_modules_is_seen(name):
    unchanged = Unmodified([nn.Linear])
    assert unchanged.classes()
    handle = getattr(of_all_modules, name)(lambda *_, **__: None)
    try:
        assert not unchanged.classes()
    finally:
        handle.remove()
    assert unchanged.classes()


@pytest.mark.parametrize("what", ADDITIONS)
def test_each_other_addition_is_seen(what):
    layer, unchanged = nn.Linear(3, 2), Unmodified([nn.Linear])
    ADDITIONS[what](layer)
    assert not unchanged(layer, nn.Linear)


def test_what_is_only_copied_cast_or_in_another_mode_is_unmodified():
    layer, unchanged = nn.Linear(3, 2), Unmodified([nn.Linear])
    for same in (copy.deepcopy(layer), copy.copy(layer), layer.double(), layer.train(), layer.requires_grad_(False)):
        assert unchanged(same, nn.Linear)


def test_asking_adds_nothing_to_the_module():
    layer = nn.Linear(3, 2)
    before = {name: copy.copy(value) for name, value in vars(layer).items()}
    Unmodified([nn.Linear])(layer, nn.Linear)
    is_called_as_written(layer, "reset_parameters")
    assert vars(layer).keys() == before.keys()
    assert all(not vars(layer)[name] for name in unmodified._REGISTRIES)


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


def test_the_methods_that_add_hooks_are_public():
    assert all(inspect.isfunction(getattr(nn.Module, name)) for name in ADDS_A_HOOK)
