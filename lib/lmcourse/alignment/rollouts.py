"""What PPO and GRPO share: draw completions from the policy, have them judged, learn from them, again.

The gradient steps are those of the course's one loop; this module feeds it. B completions of an iteration, R length.
"""

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from lmcourse.alignment.completions import (
    Completions,
    RecordingPolicy,
    completion_logits,
    divergence_and_entropy,
    generate_completions,
)
from lmcourse.training import adamw, autocast, fit

Reward = Callable[[Completions], Tensor]


@dataclass
class PolicyHistory:
    """What a training of a policy did: one row of numbers an iteration (or, for DPO, a step)."""

    rows: list[dict[str, float]] = field(default_factory=list)

    def __getitem__(self, name: str) -> list[float]:
        """Return one column, such as "reward" or "kl"."""
        return [row[name] for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Rollout:
    """Completions as they were drawn, with all that was known then.

    Attributes:
        completions: B of them.
        rewards: of the whole completions, (B,).
        log_probs, reference_log_probs: of their tokens, under the policy that drew them and the reference, (B, R).
        kl: KL(policy || reference) of the next token at each place, (B, R).
        entropy: of the policy's next token, (B, R).
        hidden: what the policy's head read, (B, R, D).
    """

    completions: Completions
    rewards: Tensor
    log_probs: Tensor
    reference_log_probs: Tensor
    kl: Tensor
    entropy: Tensor
    hidden: Tensor


class RolloutTrainer:
    """Draws, judges and learns; `PPOTrainer` and `GRPOTrainer` say how.

    Args:
        policy: a `GPT`, tuned in place. Dropout stays off: it would pass for a change of the policy.
        reward: gives a reward for each of B completions, (B,): `RewardModel.score`, or any function of `Completions`.
        prompts: (N, P) token ids, padded on the left; they take turns in random order.
        attention_mask: (N, P) bool, False at padding.
        max_new_tokens: R at most.
        stop_id: ends a completion.
        reference: what the policy is kept near to; by default a frozen copy of the policy as it is now.
        batch_size: completions an iteration.
        minibatch_size: completions a gradient step; for GRPO best a multiple of the group's size.
        epochs: how often each completion is learned from.
        lr: of AdamW, without weight decay.
        clip_norm: of the gradient.
        temperature: of the draws.
        precision: of the matrix products with which policy, reference and `reward` read completions, "float32",
            "bfloat16" or "auto"; see `training.fit`. Completions are drawn in the precision of the parameters: in bfloat16
            the ratio of the two is off by the rounding from the first step on.
        max_kl: nats a completion. Beyond it the training stops, and the policy is put back.
        metrics_fn: `metrics_fn(completions)` gives more numbers for the history, say a true reward.
        generator: seeds prompts and draws, on the policy's device.

    Attributes:
        history: of all iterations so far, those before an error too.
        reference: frozen.
    """

    group_size = 1  # completions to one prompt, side by side

    def __init__(
        self,
        policy: nn.Module,
        reward: Reward,
        prompts: Tensor,
        *,
        attention_mask: Tensor | None = None,
        max_new_tokens: int,
        stop_id: int,
        reference: nn.Module | None = None,
        batch_size: int = 256,
        minibatch_size: int | None = None,
        epochs: int = 1,
        lr: float = 1e-3,
        clip_norm: float = 1.0,
        temperature: float = 1.0,
        precision: str = "float32",
        max_kl: float = 100.0,
        metrics_fn: Callable[[Completions], dict[str, float]] | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        minibatch_size = batch_size if minibatch_size is None else minibatch_size
        for name, value in (("batch_size", batch_size), ("minibatch_size", minibatch_size), ("epochs", epochs)):
            if value < 1:
                raise ValueError(f"`{name}` must be at least 1, got {value}.")
        if batch_size % minibatch_size:
            raise ValueError(f"`minibatch_size` must divide `batch_size`, got {minibatch_size} and {batch_size}.")
        if not temperature > 0.0 or not max_kl > 0.0:
            raise ValueError(f"`temperature` and `max_kl` must be more than 0, got {temperature} and {max_kl}.")
        self.policy: Any = policy
        device = next(policy.parameters()).device
        self.precision, self._in_precision = precision, autocast(precision, device)
        self.prompts = prompts.to(device)
        self.attention_mask = None if attention_mask is None else attention_mask.to(device)
        room = getattr(getattr(policy, "config", None), "context_length", math.inf) - prompts.shape[1]
        if not 1 <= max_new_tokens <= room:
            raise ValueError(
                f"`max_new_tokens` must be at least 1 and fit behind the prompts, of {prompts.shape[1]} tokens, in the "
                f"policy's context_length, which leaves {room}; got {max_new_tokens}."
            )
        self.reward, self.metrics_fn = reward, metrics_fn
        self.max_new_tokens, self.stop_id, self.temperature = max_new_tokens, stop_id, temperature
        self.batch_size, self.minibatch_size, self.epochs = batch_size, minibatch_size, epochs
        self.clip_norm, self.max_kl, self.generator = clip_norm, max_kl, generator
        self.reference: Any = copy.deepcopy(policy if reference is None else reference).eval().requires_grad_(False)
        self.history = PolicyHistory()
        self.trained = self.module()
        self.optimizer = adamw(self.trained, lr, weight_decay=0.0)
        self._waiting = torch.empty(0, dtype=torch.long, device=device)
        self._order = torch.empty(0, dtype=torch.long)
        self._clipped: list[Tensor] = []
        self._good: dict[str, Tensor] = {}

    # What a method adds

    def module(self) -> nn.Module:
        """Return what is trained: the policy, and whatever a method needs beside it."""
        return self.policy

    def prepare(self, rollout: Rollout) -> dict[str, float]:
        """Take up a rollout before it is learned from; return numbers for the history."""
        raise NotImplementedError

    def rollout_loss(self, rows: Tensor) -> Tensor:
        """Return the loss of some completions of the present rollout."""
        raise NotImplementedError

    # The loop

    def fit(self, iterations: int, *, progress: bool = True) -> PolicyHistory:
        """Go on for so many iterations and return the history of all so far.

        Raises:
            RuntimeError: a reward, loss or gradient that is not finite (nothing was learned from it), or a KL beyond
                `max_kl` (the policy is put back to the last one within it). The message says which.
            ValueError: rewards of another shape than (B,).
        """
        updates = self.epochs * (self.batch_size // self.minibatch_size)

        def batch(step: int) -> Tensor:
            place = (step - 1) % updates
            if place == 0:
                self.trained.eval()
                self._close()
                self._begin()
            per_epoch = self.batch_size // self.minibatch_size
            if place % per_epoch == 0:
                self._order = self._shuffled()
            start = place % per_epoch * self.minibatch_size
            return self._order[start : start + self.minibatch_size]

        def loss(_: nn.Module, rows: Tensor) -> Tensor:
            return self.rollout_loss(rows)

        steps = iterations * updates
        try:
            fit(self.trained, batch, loss, optimizer=self.optimizer, max_steps=steps, clip_norm=self.clip_norm,
                precision=self.precision, progress=progress)  # fmt: skip
        finally:
            self._close()
        return self.history

    def note_clipped(self, ratio_clipped: Tensor, mask: Tensor) -> None:
        """Note which tokens of a gradient step were clipped, for the history."""
        self._clipped.append((ratio_clipped & mask).sum() / mask.sum().clamp(min=1))

    def _close(self) -> None:
        """Write down of the last iteration what was known only after its steps."""
        if self._clipped:
            self.history.rows[-1]["clip_fraction"] = float(torch.stack(self._clipped).mean())
            self._clipped = []

    @torch.no_grad()
    def _begin(self) -> None:
        rollout = self.draw()
        iteration = len(self.history) + 1
        if not bool(rollout.rewards.isfinite().all()):
            bad = rollout.rewards[~rollout.rewards.isfinite()]
            raise RuntimeError(
                f"training stopped at iteration {iteration}: {len(bad)} of {len(rollout.rewards)} rewards are not "
                f"finite, such as {float(bad[0])}. Nothing was learned from them: the policy is the one that iteration "
                f"{iteration - 1} left."
            )
        mask = rollout.completions.completion_mask
        kl = float(rollout.kl.masked_fill(~mask, 0.0).sum(1).mean())
        if not kl <= self.max_kl:
            before = f"put back to the one that iteration {iteration - 1} began with" if self._good else "as it came"
            if self._good:
                self.trained.load_state_dict(self._good)
            raise RuntimeError(
                f"training stopped at iteration {iteration}: the KL to the reference is {kl:.1f} nats a completion, more "
                f"than max_kl={self.max_kl:g}. The policy is {before}. A larger KL coefficient or a smaller learning "
                "rate may help."
            )
        self._good = {name: value.clone() for name, value in self.trained.state_dict().items()}
        row = {
            "iteration": float(iteration),
            "reward": float(rollout.rewards.mean()),
            "kl": kl,
            "entropy": float(rollout.entropy[mask].mean()),
            "length": float(rollout.completions.lengths.double().mean()),
            **(self.metrics_fn(rollout.completions) if self.metrics_fn else {}),
        }
        self.history.rows.append(row | self.prepare(rollout))

    @torch.no_grad()
    def draw(self) -> Rollout:
        """Draw a batch of completions; the policy's numbers are kept as it draws, the reference reads them once."""
        rows = self._next_prompts()
        drawing = RecordingPolicy(self.policy, samples=self.group_size)
        completions = generate_completions(
            drawing,
            self.prompts[rows],
            self.max_new_tokens,
            stop_id=self.stop_id,
            attention_mask=None if self.attention_mask is None else self.attention_mask[rows],
            temperature=self.temperature,
            samples=self.group_size,
            generator=self.generator,
        )
        with self._in_precision():
            rewards = torch.as_tensor(self.reward(completions)).detach().to(self.prompts.device)
        if rewards.shape != (len(completions),):
            raise ValueError(
                f"`reward` must give one number a completion, ({len(completions)},), got {tuple(rewards.shape)}."
            )
        logits = drawing.logits()
        if self.temperature != 1.0:
            logits = logits / self.temperature
        with self._in_precision():
            theirs, _ = completion_logits(self.reference, completions, temperature=self.temperature)
        log_p, log_q = logits.log_softmax(-1), theirs.log_softmax(-1)
        kl, entropy = divergence_and_entropy(log_p, log_q)
        drawn = completions.completion_ids.unsqueeze(-1)
        return Rollout(
            completions, rewards.to(log_p.dtype), log_p.gather(-1, drawn).squeeze(-1), log_q.gather(-1, drawn).squeeze(-1),
            kl, entropy, drawing.hidden(),
        )  # fmt: skip

    def _shuffled(self) -> Tensor:
        """The completions in random order; those of a prompt stay together where gradient steps have room for them."""
        n = 1 if self.minibatch_size % self.group_size else self.group_size
        device = None if self.generator is None else self.generator.device
        groups = torch.randperm(self.batch_size // n, generator=self.generator, device=device)
        return (groups[:, None] * n + torch.arange(n, device=device)).flatten()

    def _next_prompts(self) -> Tensor:
        """The rows of the next prompts: every prompt once before any comes again."""
        n = self.batch_size // self.group_size
        while len(self._waiting) < n:
            generator = self.generator
            device = self.prompts.device if generator is None else generator.device
            order = torch.randperm(len(self.prompts), generator=generator, device=device)
            self._waiting = torch.cat([self._waiting, order.to(self.prompts.device)])
        rows, self._waiting = self._waiting[:n], self._waiting[n:]
        return rows
