"""Every loss without values: on the meta device and with fake tensors, gradients included. Layers and models have such
tests of their own (`layers/test_tracing`, `models/test_every_model`).

A whole step of a trainer needs numbers: completions are sampled, and `fit` stops at a loss that is not finite. What it
does with them runs on the pretended device (`calls`); here are its loss, the gradients and the optimizer's step."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_leaves

from lmcourse.alignment import (
    DPOConfig,
    DPOTrainer,
    GRPOConfig,
    GRPOTrainer,
    PPOConfig,
    PPOTrainer,
    RewardModel,
    RewardTrainer,
    SFTTrainer,
    collate_pairs,
    prompt_and_answer,
)
from tests.devices.move import Move
from tests.fuzz.examples import EXAMPLES, things

LOSSES = [
    "layers.linear_cross_entropy",
    "training.label_smoothed_kl",
    "alignment.preference_loss",
    "alignment.dpo_loss",
    "alignment.grpo_loss",
    "alignment.ppo_policy_loss",
    "alignment.ppo_value_loss",
    "alignment.sft_loss",
    *sorted(name for name in EXAMPLES if name.startswith("models.") and name.endswith(".loss")),
    "alignment.RewardModel.forward",
    "models.SkipGram.forward",
    "models.CBOW.forward",
]
each_loss = pytest.mark.parametrize("name", LOSSES)


def test_no_loss_is_left_out():
    assert {name for name in EXAMPLES if name.endswith("_loss") and name.startswith("alignment.")} <= set(LOSSES)
    assert len(LOSSES) == 18


def tensors_of(made, move):
    function, arguments = (move(part) for part in made)
    for each in tree_leaves(arguments):
        if isinstance(each, torch.Tensor) and each.is_floating_point():
            each.requires_grad_()
    return [each for each in tree_leaves(function(**arguments)) if isinstance(each, torch.Tensor)]


def to_meta(tensor):
    return tensor if tensor.is_meta else tensor.detach().to("meta")


def to_fake(mode):
    return lambda tensor: tensor if isinstance(tensor, FakeTensor) else mode.from_tensor(tensor)


@each_loss
def test_on_the_meta_device(name):
    loss, *others = tensors_of(EXAMPLES[name].make(), Move(to_meta))
    assert {each.device.type for each in (loss, *others)} == {"meta"}
    loss.mean().backward()


@each_loss
def test_with_fake_tensors(name):
    made = EXAMPLES[name].make()  # outside: a fake tensor cannot be copied, and RewardModel copies its body
    with FakeTensorMode() as mode:
        loss, *others = tensors_of(made, Move(to_fake(mode)))
        assert all(isinstance(each, FakeTensor) for each in (loss, *others))
        loss.mean().backward()


EXAMPLE = prompt_and_answer([4, 5], [6, 2])
PAIRS = collate_pairs([[4, 5]] * 4, [[6, 7, 2]] * 4, [[8, 2]] * 4)
ROLLOUTS = {"max_new_tokens": 3, "stop_id": 2, "batch_size": 4}


def rewards(completions):
    return completions.lengths.float()


def rolled_out(trainer):
    trainer._begin_iteration()
    return trainer, trainer.trained, lambda: trainer._rollout_loss(torch.arange(4))


def learning(trainer, model):
    return trainer, model, lambda: trainer._loss(model, trainer.batches(1))


def sft(length):
    trainer = SFTTrainer(things.gpt(), [EXAMPLE] * 8, length=length, batch_size=2)
    return learning(trainer, trainer.model)


def reward(pool):
    trainer = RewardTrainer(RewardModel(things.gpt(), pool=pool), PAIRS, batch_size=3)
    return learning(trainer, trainer.model)


def dpo():
    trainer = DPOTrainer(things.gpt(), PAIRS, DPOConfig(batch_size=3, sft_weight=0.1))
    return learning(trainer, trainer.policy)


STEPS = {
    "SFT": lambda: sft(None),
    "SFT, packed": lambda: sft(8),
    "Reward": lambda: reward("mean"),
    "Reward, last token": lambda: reward("last"),
    "DPO": dpo,
    "PPO": lambda: rolled_out(PPOTrainer(things.gpt(), rewards, things.ids(4, 3), PPOConfig(**ROLLOUTS))),
    "GRPO": lambda: rolled_out(
        GRPOTrainer(things.gpt(), rewards, things.ids(4, 3), GRPOConfig(**ROLLOUTS, group_size=2))
    ),
}


def step_without_values(trainer, model, loss_of, place):
    Move(place)((trainer, model))
    optimizer = torch.optim.AdamW(model.parameters())
    loss = loss_of()
    loss = loss[0] if isinstance(loss, tuple) else loss
    loss.backward()
    optimizer.step()
    return [loss, *(parameter.grad for parameter in model.parameters() if parameter.grad is not None)]


@pytest.mark.parametrize("kind", STEPS)
def test_a_trainers_step_on_the_meta_device(kind):
    made = step_without_values(*STEPS[kind](), to_meta)
    assert {each.device.type for each in made} == {"meta"}
    assert len(made) > 5


@pytest.mark.parametrize("kind", STEPS)
def test_a_trainers_step_with_fake_tensors(kind):
    step = STEPS[kind]()
    with FakeTensorMode() as mode:
        made = step_without_values(*step, to_fake(mode))
    assert all(isinstance(each, FakeTensor) for each in made)
    assert len(made) > 5
