"""Every loss without values: on the meta device and with fake tensors, gradients included. Layers and models have such
tests of their own (`layers/test_tracing`, `models/test_every_model`); a trainer looks at values, see `calls`."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_leaves

from tests.devices.move import Move
from tests.fuzz.examples import EXAMPLES

LOSSES = [
    "layers.linear_cross_entropy",
    "training.label_smoothed_kl",
    "alignment.preference_loss",
    "alignment.dpo_loss",
    "alignment.grpo_loss",
    "alignment.ppo_policy_loss",
    "alignment.ppo_value_loss",
    *sorted(name for name in EXAMPLES if name.startswith("models.") and name.endswith(".loss")),
    "models.SkipGram.forward",
    "models.CBOW.forward",
]
each_loss = pytest.mark.parametrize("name", LOSSES)


def test_no_loss_is_left_out():
    assert {name for name in EXAMPLES if name.endswith("_loss") and name.startswith("alignment.")} <= set(LOSSES)
    assert len(LOSSES) == 16


def tensors_of(name, move):
    function, arguments = (move(part) for part in EXAMPLES[name].make())
    for each in tree_leaves(arguments):
        if isinstance(each, torch.Tensor) and each.is_floating_point():
            each.requires_grad_()
    return [each for each in tree_leaves(function(**arguments)) if isinstance(each, torch.Tensor)]


@pytest.mark.parametrize("name", [*LOSSES, "alignment.RewardModel.forward"])  # its copy of a model, torch cannot fake
def test_on_the_meta_device(name):
    loss, *others = tensors_of(name, Move(lambda tensor: tensor if tensor.is_meta else tensor.detach().to("meta")))
    assert {each.device.type for each in (loss, *others)} == {"meta"}
    loss.mean().backward()


@each_loss
def test_with_fake_tensors(name):
    with FakeTensorMode() as mode:
        loss, *others = tensors_of(
            name, Move(lambda tensor: tensor if isinstance(tensor, FakeTensor) else mode.from_tensor(tensor.detach()))
        )
        assert all(isinstance(each, FakeTensor) for each in (loss, *others))
        loss.mean().backward()
