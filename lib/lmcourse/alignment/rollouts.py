"""What PPO and GRPO share: sample completions from the policy, have them rewarded, learn from them, repeat.

The gradient steps are those of the course's one loop; this module feeds it. B completions per iteration, R their
length, D width.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, Generic, TypeVar, cast

import torch
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.alignment.completions import (
    Completions,
    RecordingPolicy,
    completion_logits,
    generate_completions,
    kl_and_entropy,
)
from lmcourse.alignment.policies import Policy, check_policy, check_predicts_by_head, frozen
from lmcourse.training import adamw, autocast, fit

RewardFunction = Callable[[Completions], Tensor]


@dataclass(frozen=True, kw_only=True)
class RolloutConfig:
    """Settings that PPO and GRPO share.

    Attributes:
        max_new_tokens: R at most.
        stop_id: the token that ends a completion.
        batch_size: completions per iteration.
        minibatch_size: completions per gradient step, by default the whole batch; for GRPO best a multiple of the
            group's size.
        epochs: how often each completion is learned from.
        lr: of AdamW, without weight decay.
        clip_norm: of the gradient.
        temperature: of the sampling.
        precision: of the matrix products with which policy, reference and reward model read completions, "float32",
            "bfloat16" or "auto"; see `training.fit`. Completions are sampled in the precision of the parameters: with
            bfloat16 the ratio of the two policies is off by the rounding from the first step on.
        max_kl: nats per completion. If the KL to the reference exceeds it, training stops and the policy is restored.

    Raises:
        TypeError, ValueError: a setting of another kind, or out of range.
    """

    max_new_tokens: int
    stop_id: int
    batch_size: int = 256
    minibatch_size: int | None = None
    epochs: int = 1
    lr: float = 1e-3
    clip_norm: float = 1.0
    temperature: float = 1.0
    precision: str = "float32"
    max_kl: float = 100.0

    def __post_init__(self) -> None:
        checks.whole(max_new_tokens=self.max_new_tokens, batch_size=self.batch_size, epochs=self.epochs, at_least=1)
        checks.whole(minibatch_size=self.rows_per_step, at_least=1)
        checks.whole(stop_id=self.stop_id, at_least=0)
        checks.divides(minibatch_size=self.rows_per_step, batch_size=self.batch_size)
        checks.number(lr=self.lr, at_least=0.0)
        checks.number(clip_norm=self.clip_norm, temperature=self.temperature, above=0.0)
        if self.max_kl != math.inf:
            checks.number(max_kl=self.max_kl, above=0.0)
        autocast(self.precision, torch.device("cpu"))

    @property
    def rows_per_step(self) -> int:
        """Completions per gradient step."""
        return self.batch_size if self.minibatch_size is None else self.minibatch_size


C = TypeVar("C", bound=RolloutConfig)


@dataclass
class PolicyHistory:
    """What a training of a policy did: one row of numbers per iteration (for DPO, per step)."""

    rows: list[dict[str, float]] = field(default_factory=list)

    def __getitem__(self, name: str) -> list[float]:
        """Return one column, such as "reward" or "kl"."""
        return [row[name] for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Rollout:
    """Sampled completions, with everything that was known when they were sampled.

    Attributes:
        completions: B of them.
        rewards: of the whole completions, (B,).
        log_probs, reference_log_probs: of their tokens, under the policy that sampled them and the reference, (B, R).
        kl: KL(policy || reference) of each token's distribution, (B, R).
        entropy: of the policy's distribution of each token, (B, R).
        hidden: the hidden states from which the policy predicted each token, (B, R, D).
    """

    completions: Completions
    rewards: Tensor
    log_probs: Tensor
    reference_log_probs: Tensor
    kl: Tensor
    entropy: Tensor
    hidden: Tensor


class RolloutTrainer(Generic[C]):
    """Samples, has rewarded and learns; `PPOTrainer` and `GRPOTrainer` define how.

    Args:
        policy: a `GPT` (see `Policy`), tuned in place. Dropout stays off: it would look like a change of the policy.
        reward: gives a reward for each of B completions, (B,): `RewardModel.score`, or any function of `Completions`.
        prompts: (N, P) token ids, padded on the left; each is used once, in random order, before any is used again.
        config: the settings.
        attention_mask: (N, P) bool, False at padding.
        reference: the model that the policy is kept close to; by default a frozen copy of the policy as it is now.
        metrics_fn: `metrics_fn(completions)` gives more numbers for the history, a true reward, say.
        generator: seeds prompts and samples, on the policy's device.

    Attributes:
        history: of all iterations so far, including those before an error or an interruption.
        reference: frozen.

    Raises:
        TypeError: an argument of another kind.
        ValueError: no prompts, a mask of another shape, or completions that do not fit behind the prompts.
    """

    config_class: type[RolloutConfig] = RolloutConfig

    def __init__(
        self,
        policy: nn.Module,
        reward: RewardFunction,
        prompts: Tensor,
        config: C,
        *,
        attention_mask: Tensor | None = None,
        reference: nn.Module | None = None,
        metrics_fn: Callable[[Completions], dict[str, float]] | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        checks.instance(self.config_class, config=config)
        reference = policy if reference is None else reference
        check_policy(policy=policy, reference=reference)
        check_predicts_by_head(policy=policy, reference=reference)
        checks.function(reward=reward, metrics_fn=metrics_fn or len)
        tensor_checks.integers(prompts=prompts)
        tensor_checks.shape(("N", "P"), prompts=prompts)
        tensor_checks.not_empty(prompts=prompts)
        tensor_checks.has_values(prompts=prompts)
        checks.instance((torch.Generator, NoneType), generator=generator)
        if attention_mask is not None:
            tensor_checks.boolean(attention_mask=attention_mask)
            tensor_checks.same_shape(prompts=prompts, attention_mask=attention_mask)
            tensor_checks.has_values(attention_mask=attention_mask)
        device = next(policy.parameters()).device
        left = getattr(getattr(policy, "config", None), "context_length", math.inf) - prompts.shape[1]
        if config.max_new_tokens > left:
            raise ValueError(
                f"`max_new_tokens` must fit behind the prompts of {prompts.shape[1]} tokens in the policy's "
                f"context_length, which leaves {left}, got max_new_tokens={config.max_new_tokens}."
            )
        self.config = config
        self.policy = cast(Policy, policy)
        self.reference = frozen(reference)
        self.reward, self.metrics_fn, self.generator = reward, metrics_fn, generator
        self.prompts = prompts.to(device)
        self.attention_mask = None if attention_mask is None else attention_mask.to(device)
        self.history = PolicyHistory()
        self.trained = self._set_up()
        self.optimizer = adamw(self.trained, config.lr, weight_decay=0.0)
        self._in_precision = autocast(config.precision, device)
        self._waiting = torch.empty(0, dtype=torch.long, device=device)
        self._order = torch.empty(0, dtype=torch.long)
        self._clipped: list[Tensor] = []
        self._last_good: dict[str, Tensor] = {}

    # What a method adds

    @property
    def group_size(self) -> int:
        """Consecutive completions of one prompt."""
        return 1

    def _set_up(self) -> nn.Module:
        """Make what a method needs besides the policy; return the module that is trained."""
        return cast(nn.Module, self.policy)

    def _prepare(self, rollout: Rollout) -> dict[str, float]:
        """Compute from a rollout what the losses need; return numbers for the history."""
        raise NotImplementedError

    def _rollout_loss(self, rows: Tensor) -> Tensor:
        """Return the loss of some completions of the present rollout."""
        raise NotImplementedError

    # The loop

    def fit(self, iterations: int, *, progress: bool = True) -> PolicyHistory:
        """Train for `iterations` more iterations; return the history of all so far.

        Raises:
            TypeError, ValueError: `iterations` is not an integer of at least 1; rewards of another shape than (B,).
            RuntimeError: a reward, loss or gradient that is not finite (nothing was learned from it), or a KL above
                `max_kl` (the policy is restored to the last one below it). The message tells which.
        """
        checks.whole(iterations=iterations, at_least=1)
        size = self.config.rows_per_step
        per_epoch = self.config.batch_size // size
        updates = self.config.epochs * per_epoch

        def batch(step: int) -> Tensor:
            update = (step - 1) % updates
            if update == 0:
                self.trained.eval()
                self._end_iteration()
                self._begin_iteration()
            if update % per_epoch == 0:
                self._order = self._shuffled()
            start = update % per_epoch * size
            return self._order[start : start + size]

        def loss(_: nn.Module, rows: Tensor) -> Tensor:
            return self._rollout_loss(rows)

        try:
            fit(self.trained, batch, loss, optimizer=self.optimizer, max_steps=iterations * updates,
                clip_norm=self.config.clip_norm, precision=self.config.precision, progress=progress)  # fmt: skip
        finally:
            self._end_iteration()
        return self.history

    def _record_clipping(self, clipped: Tensor, mask: Tensor) -> None:
        """Record for the history which tokens of a gradient step were clipped."""
        self._clipped.append((clipped & mask).sum() / mask.sum().clamp(min=1))

    def _end_iteration(self) -> None:
        """Add to the last row what is known only after the gradient steps."""
        if self._clipped:
            self.history.rows[-1]["clip_fraction"] = float(torch.stack(self._clipped).mean())
            self._clipped = []

    @torch.no_grad()
    def _begin_iteration(self) -> None:
        rollout = self.sample_rollout()
        iteration = len(self.history) + 1
        finite = rollout.rewards.isfinite()
        if not bool(finite.all()):
            bad = rollout.rewards[~finite]
            raise RuntimeError(
                f"training stopped at iteration {iteration}: {len(bad)} of {len(finite)} rewards are not finite, such "
                f"as {float(bad[0])}. Nothing was learned from them: the policy is the one that iteration "
                f"{iteration - 1} left."
            )
        mask = rollout.completions.completion_mask
        kl = float(rollout.kl.masked_fill(~mask, 0.0).sum(1).mean())
        if not kl <= self.config.max_kl:
            restored = "the one with which training began"
            if self._last_good:
                self.trained.load_state_dict(self._last_good)
                restored = f"restored to the one with which iteration {iteration - 1} began"
            raise RuntimeError(
                f"training stopped at iteration {iteration}: the KL to the reference is {kl:.1f} nats per completion, "
                f"more than max_kl={self.config.max_kl:g}. The policy is {restored}. A larger KL coefficient or a "
                "smaller learning rate may help."
            )
        self._last_good = {name: value.clone() for name, value in self.trained.state_dict().items()}
        row = {
            "iteration": float(iteration),
            "reward": float(rollout.rewards.mean()),
            "kl": kl,
            "entropy": float(rollout.entropy[mask].mean()),
            "length": float(rollout.completions.lengths.double().mean()),
            **(self.metrics_fn(rollout.completions) if self.metrics_fn else {}),
        }
        self.history.rows.append(row | self._prepare(rollout))

    @torch.no_grad()
    def sample_rollout(self) -> Rollout:
        """Sample a batch of completions. What the policy computes meanwhile is kept; the reference reads them once."""
        rows, temperature = self._next_prompts(), self.config.temperature
        recording = RecordingPolicy(self.policy, samples=self.group_size)
        completions = generate_completions(
            recording,
            self.prompts[rows],
            self.config.max_new_tokens,
            stop_id=self.config.stop_id,
            attention_mask=None if self.attention_mask is None else self.attention_mask[rows],
            temperature=temperature,
            samples=self.group_size,
            generator=self.generator,
        )
        with self._in_precision():
            rewards = check_rewards(self.reward(completions), completions)
        logits = recording.logits()
        if temperature != 1.0:
            logits = logits / temperature
        with self._in_precision():
            reference_logits, _ = completion_logits(self.reference, completions, temperature=temperature)
        log_p, log_q = logits.log_softmax(-1), reference_logits.log_softmax(-1)
        kl, entropy = kl_and_entropy(log_p, log_q)
        tokens = completions.completion_ids.long().unsqueeze(-1)
        return Rollout(
            completions,
            rewards.to(log_p.dtype),
            log_probs=log_p.gather(-1, tokens).squeeze(-1),
            reference_log_probs=log_q.gather(-1, tokens).squeeze(-1),
            kl=kl,
            entropy=entropy,
            hidden=recording.hidden(),
        )

    def _shuffled(self) -> Tensor:
        """The completions in random order; those of a prompt stay together where a gradient step can hold them."""
        n = 1 if self.config.rows_per_step % self.group_size else self.group_size
        device = None if self.generator is None else self.generator.device
        groups = torch.randperm(self.config.batch_size // n, generator=self.generator, device=device)
        return (groups[:, None] * n + torch.arange(n, device=device)).flatten()

    def _next_prompts(self) -> Tensor:
        """The rows of the next prompts: every prompt once before any is used again."""
        n = self.config.batch_size // self.group_size
        while len(self._waiting) < n:
            generator = self.generator
            device = self.prompts.device if generator is None else generator.device
            order = torch.randperm(len(self.prompts), generator=generator, device=device)
            self._waiting = torch.cat([self._waiting, order.to(self.prompts.device)])
        rows, self._waiting = self._waiting[:n], self._waiting[n:]
        return rows


def check_rewards(rewards: Any, completions: Completions) -> Tensor:
    """Return what a reward function gave as a tensor (B,) beside the completions, without gradient.

    Raises:
        ValueError: another shape, or what is no number.
    """
    try:
        found = torch.as_tensor(rewards).detach().to(completions.ids.device)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"`reward` must return a tensor of numbers, got {type(rewards).__name__}.") from error
    if found.shape != (len(completions),):
        raise ValueError(
            f"`reward` must return one number per completion, ({len(completions)},), got {tuple(found.shape)}."
        )
    return found
