"""PPO, GRPO, DPO and best of n at work: they learn, they leave reference and reward model alone, and they stop."""

import math
from functools import cache

import pytest
import torch

from lmcourse.alignment import (
    DPOConfig,
    DPOTrainer,
    GRPOConfig,
    GRPOTrainer,
    PPOConfig,
    PPOTrainer,
    RewardModel,
    best_of_n,
    best_of_n_kl,
    collate,
    collate_pairs,
    completion_log_probs,
    grpo_loss,
    kl_penalized_rewards,
    ppo_policy_loss,
)
from lmcourse.alignment.ppo import ActorCritic, adapted_coefficient, is_clipped, whiten
from tests.alignment.worlds import LIKED, MAX_NEW_TOKENS, PROMPTS, STOP, liked_tokens, policy_of, same, weights

ONE_PAIR = collate_pairs([[4]], [[3]], [[5]])
TRAINERS = {"ppo": (PPOTrainer, PPOConfig), "grpo": (GRPOTrainer, GRPOConfig)}


def trainer_of(kind, policy, reward=liked_tokens, prompts=PROMPTS, reference=None, attention_mask=None, **changes):
    settings = {
        "max_new_tokens": MAX_NEW_TOKENS, "stop_id": STOP, "batch_size": 48, "lr": 1e-2, "kl_coefficient": 0.05,
        **({"group_size": 8} if kind == "grpo" else {}), **changes,
    }  # fmt: skip
    trainer, config = TRAINERS[kind]
    return trainer(
        policy, reward, prompts, config(**settings), reference=reference, attention_mask=attention_mask,
        generator=torch.Generator().manual_seed(0),
    )  # fmt: skip


# What they learn


@cache
def exact(kind):
    """Twelve iterations in float32."""
    return trainer_of(kind, policy_of()).fit(12, progress=False)


@pytest.mark.parametrize("kind", TRAINERS)
def test_the_liked_token_comes_more_often(kind):
    history = exact(kind)
    assert len(history) == 12
    assert history["reward"][0] < 0.8
    assert history["reward"][-1] > history["reward"][0] + 1.0
    assert history["kl"][0] == pytest.approx(0.0, abs=1e-6)
    assert history["kl"][-1] > 0.2
    assert history["entropy"][-1] < history["entropy"][0]
    assert all(0.0 <= share <= 1.0 for share in history["clip_fraction"])
    assert max(history["clip_fraction"]) > 0.0 or kind == "grpo"


@pytest.mark.parametrize("kind", TRAINERS)
def test_products_in_bfloat16_learn_the_same_thing(kind):
    history = trainer_of(kind, policy_of(), precision="bfloat16").fit(12, progress=False)
    assert history["kl"][0] == pytest.approx(0.0, abs=1e-3)  # the policy draws in float32, the reference is rounded
    assert history["kl"] != exact(kind)["kl"]  # it was rounded
    assert history["reward"][-1] > history["reward"][0] + 1.0


@pytest.mark.parametrize("kind", TRAINERS)
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_reward_reads_in_the_precision_asked_for_and_gives_float32(kind, precision):
    model, seen = RewardModel(policy_of(1)), []

    def reward(completions):
        seen.append((torch.is_autocast_enabled("cpu"), model.score(completions)))
        return seen[-1][1]

    trainer_of(kind, policy_of(), reward, precision=precision).fit(1, progress=False)
    (rounded, rewards), *_ = seen
    assert rounded == (precision == "bfloat16")
    assert rewards.dtype == torch.float32
    assert len(set(rewards.tolist())) > 20  # bfloat16 has 128 numbers between 1 and 2


def test_dpo_in_bfloat16_reads_reference_and_policy_alike():
    pairs = collate_pairs([[4, 1]] * 8, [[LIKED, LIKED, STOP]] * 8, [[5, 6, STOP]] * 8)
    config = DPOConfig(batch_size=8, lr=1e-2, precision="bfloat16")
    history = DPOTrainer(policy_of(), pairs, config).fit(12, progress=False)
    assert history["loss"][0] == pytest.approx(math.log(2.0), abs=2e-3)  # read by two kernels
    assert history["margin"][-1] > 0.2


@pytest.mark.parametrize("kind", TRAINERS)
def test_dropout_is_off_while_it_learns(kind):
    policy = policy_of()
    policy.dropout.p = 0.5  # of the embeddings
    trainer, modes = trainer_of(kind, policy, epochs=2, minibatch_size=24), []
    learn = trainer._rollout_loss
    trainer._rollout_loss = lambda rows: (modes.append(any(m.training for m in policy.modules())), learn(rows))[1]
    trainer.fit(2, progress=False)
    assert modes == [False] * 8
    assert trainer.history["kl"][0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("minibatch_size", "samples"), [(48, 8), (16, 8), (12, 1)])
def test_a_group_is_learned_from_as_one_where_a_step_can_hold_it(minibatch_size, samples):
    trainer, seen = trainer_of("grpo", policy_of(), epochs=2, minibatch_size=minibatch_size), []
    learn = trainer._rollout_loss

    def noted(rows):
        seen.append((trainer.rollout.completions[rows].samples, rows.tolist()))
        return learn(rows)

    trainer._rollout_loss = noted
    trainer.fit(1, progress=False)
    assert [found for found, _ in seen] == [samples] * (2 * 48 // minibatch_size)
    half = len(seen) // 2
    for epoch in (seen[:half], seen[half:]):
        assert sorted(row for _, rows in epoch for row in rows) == list(range(48))
    assert seen[0] != seen[half]  # in another order


@pytest.mark.parametrize("kind", TRAINERS)
def test_a_larger_coefficient_keeps_it_closer(kind):
    kl = [
        trainer_of(kind, policy_of(), kl_coefficient=coefficient).fit(10, progress=False)["kl"][-1]
        for coefficient in (0.0, 2.0)
    ]
    assert kl[1] < 0.5 * kl[0]


@pytest.mark.parametrize("kind", TRAINERS)
def test_reference_and_reward_model_never_change(kind):
    policy = policy_of()
    model = RewardModel(policy_of(1))
    trainer = trainer_of(kind, policy, model.score)
    before = weights(policy), weights(trainer.reference), weights(model)
    trainer.fit(2, progress=False)
    assert same(trainer.reference, before[1])
    assert same(model, before[2])
    assert not same(policy, before[0])
    assert all(parameter.grad is None for parameter in (*trainer.reference.parameters(), *model.parameters()))


def test_training_continues_where_it_stopped_and_is_reproducible():
    def run(*parts):
        trainer = trainer_of("ppo", policy_of())
        for part in parts:
            trainer.fit(part, progress=False)
        return trainer.history.rows

    assert run(2, 2) == run(4)


def test_every_prompt_is_used_once_before_any_is_used_again():
    trainer = trainer_of("grpo", policy_of(), batch_size=32)  # 4 groups of 8, of 3 prompts
    firsts = [trainer._next_prompts().tolist() for _ in range(3)]
    flat = [row for part in firsts for row in part]
    assert [len(part) for part in firsts] == [4, 4, 4]
    assert all(sorted(flat[start : start + 3]) == [0, 1, 2] for start in range(0, 12, 3))


def test_prompts_padded_on_the_left():
    prompts, keep = torch.tensor([[0, 4], [5, 1]]), torch.tensor([[False, True], [True, True]])
    trainer = trainer_of("ppo", policy_of(), prompts=prompts, attention_mask=keep, batch_size=32)
    history = trainer.fit(6, progress=False)
    assert history["reward"][-1] > history["reward"][0] + 0.4


# Parts of PPO


def test_kl_penalized_rewards_by_hand():
    keep = torch.tensor([[True, True, False], [True, True, True]])
    log_probs = torch.tensor([[-1.0, -2.0, 9.0], [-1.0, -1.0, -1.0]])
    reference = torch.tensor([[-2.0, -1.5, 0.0], [-1.0, -1.0, -3.0]])
    # row 0: -0.5 * (1, -0.5) = (-0.5, 0.25), the reward 2 on its second token; row 1: (0, 0, -1), 3 on its third
    found = kl_penalized_rewards(torch.tensor([2.0, 3.0]), log_probs, reference, keep, 0.5)
    torch.testing.assert_close(found, torch.tensor([[-0.5, 2.25, 0.0], [0.0, 0.0, 2.0]]))


def test_whiten_by_hand():
    keep = torch.tensor([[True, True, False]])
    # 1 and 5: mean 3, standard deviation 2
    torch.testing.assert_close(whiten(torch.tensor([[1.0, 5.0, 70.0]]), keep), torch.tensor([[-1.0, 1.0, 0.0]]))


def test_the_coefficient_follows_the_kl():
    assert adapted_coefficient(0.2, kl=12.0, target=6.0) == pytest.approx(0.2 * 1.02)  # 1 is cut to 0.2
    assert adapted_coefficient(0.2, kl=5.4, target=6.0) == pytest.approx(0.2 * 0.99)
    assert adapted_coefficient(0.2, kl=0.0, target=6.0) == pytest.approx(0.2 * 0.98)
    trainer = trainer_of("ppo", policy_of(), kl_coefficient=0.01, target_kl=0.05)
    history = trainer.fit(8, progress=False)
    assert history["kl_coefficient"][0] == 0.01
    assert history["kl_coefficient"][-1] > history["kl_coefficient"][1]


def test_clipped_tokens_have_no_gradient_and_the_others_have():
    policy = policy_of()
    trainer = trainer_of("ppo", policy, epochs=3, value_weight=0.0)
    trainer.fit(1, progress=False)
    rows = torch.arange(48)
    rollout, adv = trainer.rollout, trainer.advantages
    completions = rollout.completions[rows]
    logits = policy(completions.ids[:, :-1])[:, 1:]
    logits.retain_grad()
    drawn = completions.completion_ids
    log_probs = logits.log_softmax(-1).gather(-1, drawn.unsqueeze(-1)).squeeze(-1)
    ppo_policy_loss(log_probs, rollout.log_probs, adv, completions.completion_mask).backward()
    clipped = is_clipped(log_probs, rollout.log_probs, adv, 0.2) & completions.completion_mask
    moving = completions.completion_mask & ~clipped & (adv != 0)
    assert clipped.any()
    assert (logits.grad[clipped] == 0).all()
    assert (logits.grad[moving] != 0).any(-1).all()
    assert (logits.grad[~completions.completion_mask] == 0).all()


def test_the_first_step_is_plain_policy_gradient():
    """At ratio 1 the gradient of the loss is that of -mean(A log pi)."""
    policy = policy_of()
    trainer = trainer_of("ppo", policy, value_weight=0.0)
    trainer._begin_iteration()
    rows = torch.arange(48)
    found = torch.autograd.grad(trainer._rollout_loss(rows), list(policy.parameters()))
    completions = trainer.rollout.completions
    log_probs = (
        policy(completions.ids[:, :-1])[:, 1:]
        .log_softmax(-1)
        .gather(-1, completions.completion_ids.unsqueeze(-1))
        .squeeze(-1)
    )
    keep = completions.completion_mask
    plain = -(trainer.advantages * log_probs)[keep].sum() / keep.sum()
    for gradient, expected in zip(found, torch.autograd.grad(plain, list(policy.parameters())), strict=True):
        torch.testing.assert_close(gradient, expected, rtol=1e-4, atol=1e-6)


def test_values_learn_to_predict_the_returns():
    history = trainer_of("ppo", policy_of(), value_weight=1.0, value_clip=None, lr=3e-3).fit(25, progress=False)
    assert history["explained_variance"][0] == pytest.approx(0.0, abs=1e-6)  # values begin at 0
    assert history["explained_variance"][-1] > 0.3


@pytest.mark.parametrize("options", [{"clip": None}, {"use_value": False, "lam": 1.0}, {"kl_coefficient": 0.0}])
def test_each_term_can_be_switched_off(options):
    history = trainer_of("ppo", policy_of(), **options).fit(8, progress=False)
    assert history["reward"][-1] > history["reward"][0] + 0.5
    if "clip" in options:
        assert history["clip_fraction"] == [0.0] * 8


# GRPO


def naive_grpo(log_probs, old, reference, advantages, keep, clip, beta):
    total = 0.0
    for b in range(len(advantages)):
        per_completion, positions = 0.0, [t for t in range(len(keep[b])) if keep[b][t]]
        for t in positions:
            ratio = math.exp(log_probs[b][t] - old[b][t])
            gain = min(ratio * advantages[b], max(1 - clip, min(1 + clip, ratio)) * advantages[b])
            x = math.exp(reference[b][t] - log_probs[b][t])
            per_completion += gain - beta * (x - math.log(x) - 1)
        total += per_completion / max(1, len(positions))
    return -total / len(advantages)


def test_grpo_loss_equals_a_plain_loop_and_finite_differences():
    generator = torch.Generator().manual_seed(0)
    log_probs, old, reference = -torch.rand(3, 3, 7, generator=generator, dtype=torch.float64)
    advantages = torch.randn(3, generator=generator, dtype=torch.float64)
    keep = torch.tensor([[True] * 7, [True] * 4 + [False] * 3, [False] * 7])
    found = grpo_loss(log_probs, old, reference, advantages, keep, clip=0.3, kl_coefficient=0.7)
    plain = naive_grpo(*(x.tolist() for x in (log_probs, old, reference, advantages)), keep, 0.3, 0.7)
    assert found.item() == pytest.approx(plain, rel=1e-12)
    assert torch.autograd.gradcheck(
        lambda x: grpo_loss(x, old, reference, advantages, keep, clip=0.3, kl_coefficient=0.7),
        (log_probs.clone().requires_grad_(),),
    )


def test_grpo_loss_by_hand():
    # one completion of two tokens, A = 2, ratio 1 and 1.5 (clipped to 1.2): gains 2 and 2.4, mean 2.2
    log_probs = torch.tensor([[-1.0, -1.0]], dtype=torch.float64, requires_grad=True)
    old = torch.tensor([[-1.0, -1.0 - math.log(1.5)]], dtype=torch.float64)
    keep, one = torch.ones(1, 2, dtype=torch.bool), torch.tensor([2.0], dtype=torch.float64)
    loss = grpo_loss(log_probs, old, old, one, keep, kl_coefficient=0.0)
    assert loss.item() == pytest.approx(-2.2)
    (gradient,) = torch.autograd.grad(loss, log_probs)
    assert gradient.tolist() == [[-1.0, 0.0]]  # 2 / 2 tokens; clipped
    # x = exp(ref - log pi) = 2 at the first token: 2 - ln 2 - 1 = 0.307; beta 0.5 costs 0.5 * 0.307 / 2 = 0.0767
    reference = log_probs.detach() + torch.tensor([[math.log(2), 0.0]])
    tied = grpo_loss(log_probs.detach(), old, reference, one, keep, kl_coefficient=0.5)
    assert tied.item() == pytest.approx(-2.2 + 0.25 * (1 - math.log(2)))


def test_groups_of_equal_reward_teach_nothing():
    policy = policy_of()
    before = weights(policy)
    trainer = trainer_of("grpo", policy, lambda completions: torch.full((len(completions),), 1.7), kl_coefficient=0.0)
    history = trainer.fit(2, progress=False)
    assert history["zero_std_fraction"] == [1.0, 1.0]
    assert same(policy, before)


# DPO


def test_dpo_learns_from_the_pairs_and_keeps_no_reference_model():
    policy = policy_of()
    prompts = [row.tolist() for row in PROMPTS.repeat(6, 1)]
    chosen = [[LIKED, n % 8 + 3, STOP] for n in range(18)]
    rejected = [[6, n % 8 + 3, 9, STOP] for n in range(18)]
    pairs = collate_pairs(prompts, chosen, rejected)
    start = completion_log_probs(policy, pairs.chosen).detach(), completion_log_probs(policy, pairs.rejected).detach()
    config = DPOConfig(beta=0.5, batch_size=6, lr=3e-3)
    trainer = DPOTrainer(policy, pairs, config, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(trainer.reference_log_probs, torch.stack(start, 1))
    history = trainer.fit(40, progress=False)
    assert history["loss"][0] == pytest.approx(math.log(2), rel=1e-4)
    assert history["accuracy"][-1] == 1.0
    assert history["margin"][-1] > 1.0
    h = (completion_log_probs(policy, pairs.chosen) - start[0]) - (
        completion_log_probs(policy, pairs.rejected) - start[1]
    )
    assert (h > 0).all()
    trainer.fit(5, progress=False)
    assert len(trainer.history) == 45


def test_dpo_with_an_sft_term_keeps_the_chosen_likely():
    changes = []
    for weight in (0.0, 1.0):
        policy = policy_of()
        pairs = collate_pairs([[4, 1]] * 4, [[LIKED, 5, STOP]] * 4, [[LIKED, 6, STOP]] * 4)
        DPOTrainer(policy, pairs, DPOConfig(sft_weight=weight, batch_size=4, lr=3e-3)).fit(30, progress=False)
        changes.append(float(completion_log_probs(policy, pairs.chosen).detach()[0]))
    assert changes[1] > changes[0] + 0.5


def test_a_pair_of_equal_completions_teaches_nothing():
    policy = policy_of(double=True)
    before = weights(policy)
    pairs = collate_pairs([[4, 1]] * 2, [[5, 2]] * 2, [[5, 2]] * 2)
    trainer = DPOTrainer(policy, pairs, DPOConfig(batch_size=2))
    history = trainer.fit(2, progress=False)
    assert history["loss"] == pytest.approx([math.log(2)] * 2)
    after = policy.state_dict()
    assert all((after[name] - value).abs().max() < 1e-9 for name, value in before.items())


# Best of n


def test_the_best_of_n_is_the_best_of_them():
    policy = policy_of()
    drawn = []

    def reward(completions):
        drawn.append(liked_tokens(completions))
        return drawn[-1]

    best = best_of_n(
        policy, reward, PROMPTS, 7, MAX_NEW_TOKENS, stop_id=STOP, generator=torch.Generator().manual_seed(3)
    )
    assert liked_tokens(best).tolist() == drawn[0].view(3, 7).max(1).values.tolist()
    assert best.prompts() == PROMPTS.tolist()
    one = best_of_n(
        policy, reward, PROMPTS, 1, MAX_NEW_TOKENS, stop_id=STOP, generator=torch.Generator().manual_seed(3)
    )
    assert len(one) == 3


def test_kl_of_the_best_of_n_by_simulation():
    # of n equally likely, all different rewards: the best has density n u^(n-1); KL = log n - (n - 1) / n
    assert best_of_n_kl(1) == 0.0
    assert best_of_n_kl(8) == pytest.approx(math.log(8) - 7 / 8)
    u = (torch.arange(1_000_000, dtype=torch.float64) + 0.5) / 1_000_000
    density = 8 * u**7
    assert best_of_n_kl(8) == pytest.approx(float((density * density.log()).mean()), rel=1e-4)


# Trouble


@pytest.mark.parametrize("kind", TRAINERS)
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_reward_that_is_no_number_stops_and_the_last_policy_is_kept(kind, bad):
    policy, states = policy_of(), []

    def reward(completions):
        states.append(weights(policy))
        rewards = liked_tokens(completions)
        if len(states) == 3:
            rewards[5] = bad
        return rewards

    trainer = trainer_of(kind, policy, reward)
    with pytest.raises(RuntimeError, match=rf"stopped at iteration 3: 1 of 48 rewards are not finite, such as {bad}"):
        trainer.fit(9, progress=False)
    assert same(policy, states[-1])
    assert not same(policy, states[0])
    assert len(trainer.history) == 2
    assert "clip_fraction" in trainer.history.rows[-1]


@pytest.mark.parametrize("kind", TRAINERS)
def test_an_exploding_kl_stops_and_the_policy_is_restored(kind):
    policy = policy_of()
    trainer = trainer_of(kind, policy, kl_coefficient=0.0, max_kl=0.3, lr=3e-2)
    with pytest.raises(
        RuntimeError, match=r"the KL to the reference is \d+\.\d nats per completion, more than max_kl=0.3"
    ):
        trainer.fit(50, progress=False)
    assert 1 <= len(trainer.history) < 50
    assert max(trainer.history["kl"]) <= 0.3
    again = trainer_of(kind, policy, reference=trainer.reference).sample_rollout()
    kl = again.kl.masked_fill(~again.completions.completion_mask, 0.0).sum(1).mean()
    assert float(kl) < 0.5


def test_completions_of_only_a_stop_token():
    """A policy that always stops at once: nothing breaks, and there is nothing to prefer."""
    policy = policy_of()

    with torch.no_grad():
        policy.norm.weight.zero_()
        policy.norm.bias.copy_(1e3 * policy.embedding.weight[STOP])
    history = trainer_of("ppo", policy).fit(2, progress=False)
    assert history["length"] == [1.0, 1.0]
    assert history["reward"] == [0.0, 0.0]
    assert all(math.isfinite(value) for row in history.rows for value in row.values())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: trainer_of("ppo", policy_of(), max_new_tokens=6), "leaves 5, got max_new_tokens=6"),
        (lambda: trainer_of("ppo", policy_of(context_length=2), max_new_tokens=1), "leaves 0, got max_new_tokens=1"),
        (lambda: trainer_of("grpo", policy_of(), max_new_tokens=0), "at least 1"),
        (lambda: trainer_of("ppo", policy_of(), minibatch_size=7), "got minibatch_size=7, batch_size=48"),
        (lambda: trainer_of("ppo", policy_of(), kl_coefficient=-1.0), "at least 0, got kl_coefficient=-1"),
        (lambda: trainer_of("ppo", policy_of(), target_kl=0.0), "`target_kl`"),
        (lambda: trainer_of("ppo", policy_of(), epochs=0), "`epochs` must be at least 1, got epochs=0"),
        (lambda: trainer_of("ppo", policy_of(), precision="int8"), "`precision` must be"),
        (lambda: trainer_of("grpo", policy_of(), group_size=1), "`group_size` must be at least 2"),
        (lambda: trainer_of("grpo", policy_of(), group_size=7), "divide `batch_size`, got group_size=7, batch_size=48"),
        (lambda: trainer_of("ppo", policy_of(), lambda r: torch.zeros(3)).fit(1), r"\(48,\), got \(3,\)"),
        (lambda: trainer_of("grpo", policy_of(), temperature=0.0), "`temperature` must be more than 0"),
        (lambda: trainer_of("grpo", policy_of(), max_kl=math.nan), "`max_kl` must be finite"),
        (lambda: trainer_of("grpo", policy_of(), prompts=PROMPTS[:0]), "`prompts` must not be empty"),
        (lambda: trainer_of("ppo", policy_of(), prompts=PROMPTS[:, :0]), "`prompts` must not be empty"),
        (lambda: trainer_of("ppo", policy_of(), prompts=PROMPTS[0]), r"`prompts` must have shape \(N, P\), got \(2,\)"),
        (
            lambda: trainer_of("grpo", policy_of(), attention_mask=torch.ones(2, 2, dtype=torch.bool)),
            r"must have the same shape, got prompts \(3, 2\), attention_mask \(2, 2\)",
        ),
        (lambda: trainer_of("grpo", policy_of()).fit(0), "`iterations` must be at least 1, got iterations=0"),
        (lambda: trainer_of("ppo", policy_of(), lambda r: ["good"] * 48).fit(1), "`reward` must return"),
        (lambda: DPOConfig(beta=0.0), "`beta` must be more than 0"),
        (lambda: DPOConfig(sft_weight=-1.0), "`sft_weight`"),
        (lambda: DPOConfig(batch_size=0), "`batch_size` must be at least 1, got batch_size=0"),
        (lambda: DPOConfig(label_smoothing=0.5), "`label_smoothing` must be at least 0 and less than 0.5"),
        (lambda: DPOTrainer(policy_of(), ONE_PAIR), "1..N with N=1 examples, got batch_size=64"),
        (lambda: DPOTrainer(policy_of(), ONE_PAIR, DPOConfig(batch_size=1)).fit(0), "`steps` must be at least 1"),
        (lambda: PPOConfig(max_new_tokens=5, stop_id=2, clip=0.0), "`clip` must be more than 0"),
        (lambda: PPOConfig(max_new_tokens=5, stop_id=2, lam=1.5), "`lam` must be at least 0 and at most 1"),
        (lambda: best_of_n(policy_of(), liked_tokens, PROMPTS, 0, 3, stop_id=STOP), "`n` must be at least 1, got n=0"),
        (lambda: best_of_n(policy_of(), lambda r: torch.full((len(r),), math.nan), PROMPTS, 2, 3, stop_id=STOP), "NaN"),
        (lambda: best_of_n_kl(0), "`n` must be at least 1, got n=0"),
    ],
)  # fmt: skip
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: GRPOTrainer(policy_of(), liked_tokens, PROMPTS, PPOConfig(max_new_tokens=5, stop_id=2)),
            "GRPOConfig",
        ),
        (lambda: trainer_of("ppo", torch.nn.Linear(2, 2)), "`policy` must be an nn.Module with `hidden`, `head` and"),
        (lambda: trainer_of("ppo", policy_of(), reference=torch.nn.Linear(2, 2)), "`reference` must be an nn.Module"),
        (lambda: trainer_of("ppo", policy_of(), reward=1.0), "`reward` must be a function"),
        (
            lambda: trainer_of("ppo", policy_of(), prompts=PROMPTS.float()),
            "`prompts` must be a tensor of",
        ),
        (lambda: trainer_of("ppo", policy_of(), attention_mask=PROMPTS), "`attention_mask` must be a bool tensor"),
        (lambda: trainer_of("ppo", policy_of()).fit(2.5), "`iterations` must be a whole number"),
        (lambda: DPOTrainer(policy_of(), [1, 2]), "`pairs` must be of type Pairs"),
    ],
)
def test_arguments_of_the_wrong_kind(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_prompts_of_int32_are_sampled_from_too():
    rows = [trainer_of("grpo", policy_of(), prompts=PROMPTS.to(dtype)).fit(2, progress=False).rows
            for dtype in (torch.int64, torch.int32)]  # fmt: skip
    assert rows[0] == rows[1]


def test_the_history_of_dpo_holds_the_steps_that_were_taken():
    policy = policy_of()
    pairs = collate_pairs([[4, 1]] * 6, [[LIKED, n, STOP] for n in range(3, 9)], [[6, n, STOP] for n in range(3, 9)])
    trainer = DPOTrainer(policy, pairs, DPOConfig(batch_size=2))
    learn = trainer._loss

    def loss(policy, batch):
        value = learn(policy, batch)
        return value * math.nan if len(trainer.history) == 5 else value

    trainer._loss = loss
    with pytest.raises(RuntimeError, match="stopped at step 5"):
        trainer.fit(9, progress=False)
    assert len(trainer.history) == 4


def test_collating_gives_what_the_trainers_sample():
    sampled = trainer_of("ppo", policy_of()).sample_rollout().completions
    again = collate(sampled.prompts(), sampled.tokens())
    assert torch.equal(again.attention_mask, sampled.attention_mask)


def test_an_actor_critic_is_made_of_a_policy():
    with pytest.raises(TypeError, match=r"`policy` must be an nn.Module with `hidden`, `head` and .*, got int"):
        ActorCritic(3)
