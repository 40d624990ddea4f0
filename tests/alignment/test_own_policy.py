"""A policy of one's own, which is no GPT, goes through every trainer."""

import pytest
import torch
from torch import nn

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
from lmcourse.alignment.completions import RecordingPolicy, collate, completion_log_probs
from lmcourse.alignment.ppo import ActorCritic
from lmcourse.models import GPT, GPTConfig
from tests.alignment.worlds import LIKED, MAX_NEW_TOKENS, PROMPTS, STOP, V, liked_tokens, same, weights

PAIRS = collate_pairs([[4, 1]] * 8, [[LIKED, LIKED, STOP]] * 8, [[5, 6, STOP]] * 8)


class State:
    """What a recurrent network remembers."""

    def __init__(self):
        self.hidden = None

    def reorder(self, rows):
        self.hidden = self.hidden[:, rows]


class OwnPolicy(nn.Module):
    """A GRU that scores the words by its table of embeddings: its `head` is a method and holds no weight."""

    def __init__(self, width=13):
        super().__init__()
        self.table = nn.Embedding(V, width)
        self.gru = nn.GRU(width, width, batch_first=True)

    def head(self, hidden):
        return hidden @ self.table.weight.T

    def hidden(self, ids, *, cache=None, attention_mask=None):
        assert attention_mask is None or bool(attention_mask.all())
        hidden, state = self.gru(self.table(ids), None if cache is None else cache.hidden)
        if cache is not None:
            cache.hidden = state
        return hidden

    def forward(self, ids, *, cache=None, attention_mask=None, last_only=False):
        hidden = self.hidden(ids, cache=cache, attention_mask=attention_mask)
        return self.head(hidden[:, -1:] if last_only else hidden)

    def new_cache(self, batch_size, max_length):
        return State()


def own_policy(dtype=torch.float32):
    torch.manual_seed(0)
    return OwnPolicy().to(dtype)


def rollouts(trainer, config, policy, **settings):
    settings = config(max_new_tokens=MAX_NEW_TOKENS, stop_id=STOP, batch_size=48, lr=1e-2, **settings)
    return trainer(policy, liked_tokens, PROMPTS, settings, generator=torch.Generator().manual_seed(0))


def test_ppo():
    history = rollouts(PPOTrainer, PPOConfig, own_policy(), kl_coefficient=0.05).fit(10, progress=False)
    assert history["reward"][-1] > history["reward"][0] + 0.5


def test_grpo():
    history = rollouts(GRPOTrainer, GRPOConfig, own_policy(), group_size=8).fit(10, progress=False)
    assert history["reward"][-1] > history["reward"][0] + 0.5


def test_dpo():
    history = DPOTrainer(own_policy(), PAIRS, DPOConfig(batch_size=8, lr=1e-2)).fit(12, progress=False)
    assert history["margin"][-1] > 0.2


def test_reward_model():
    body = own_policy()
    before = weights(body)
    model = RewardModel(body)
    RewardTrainer(model, PAIRS, batch_size=4, lr=1e-2).fit(20, progress=False)
    assert (model.margins(PAIRS) > 0.5).all()
    assert same(body, before)


def test_sft():
    examples = [prompt_and_answer([4, 1], [LIKED, STOP])] * 4
    history = SFTTrainer(own_policy(), examples, batch_size=4, lr=1e-2).fit(20, progress=False)
    assert history.loss[-1] < 0.5 * history.loss[0]


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
@pytest.mark.parametrize("make", [lambda body: RewardModel(body).head, lambda body: ActorCritic(body).value_head])
def test_the_new_head_is_as_wide_as_the_hidden_states_and_of_their_dtype(make, dtype):
    body = own_policy(dtype)
    head = make(body)
    assert head.weight.shape == (1, 13)
    assert head.weight.dtype == dtype
    assert body.training  # as before
    assert make(own_policy().to("meta")).weight.is_meta


class Capped(GPT):
    """Its logits are not `head(hidden(ids))`."""

    def forward(self, ids, **options):
        return super().forward(ids, **options).tanh()


def hooked():
    model = GPT(CONFIG)
    model.register_forward_hook(lambda _, inputs, logits: -logits)
    return model


def with_own_forward():
    model = own_policy()
    model.forward = lambda ids, **options: OwnPolicy.forward(model, ids, **options).tanh()
    return model


CONFIG = GPTConfig(V, 16, 12, 2, 1)
USES = {
    "PPOTrainer": lambda model: rollouts(PPOTrainer, PPOConfig, model),
    "GRPOTrainer": lambda model: rollouts(GRPOTrainer, GRPOConfig, model, group_size=8),
    "DPOTrainer": lambda model: DPOTrainer(model, PAIRS, DPOConfig(batch_size=8)),
    "completion_log_probs": lambda model: completion_log_probs(model, collate([[4, 1]], [[LIKED, STOP]])),
    "RecordingPolicy": RecordingPolicy,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("changed", [lambda: Capped(CONFIG), hooked, with_own_forward])
def test_a_policy_whose_call_is_more_than_its_parts_is_refused(use, changed):
    with pytest.raises(TypeError, match=r"`(policy|model)` must have the logits `head\(hidden\(ids\)\)`"):
        USES[use](changed())


@pytest.mark.parametrize("use", USES)
def test_a_subclass_that_changes_the_parts_alone_is_taken(use):
    class Shifted(GPT):
        def hidden(self, ids, **options):
            return super().hidden(ids, **options) + 1.0

    model = Shifted(CONFIG)
    model.layers[0].register_forward_hook(lambda *_: None)
    model.register_state_dict_post_hook(lambda *_: None)
    USES[use](model)
