"""Direct preference optimisation: the same objective as PPO's, learned from the comparisons without a reward model."""

import copy
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.alignment._checks import same_shape
from lmcourse.alignment.completions import completion_log_probs
from lmcourse.alignment.reward import Pairs, apart
from lmcourse.alignment.rollouts import PolicyHistory
from lmcourse.training import adamw, autocast, example_batches, fit


def dpo_loss(
    policy_chosen: Tensor,
    policy_rejected: Tensor,
    reference_chosen: Tensor,
    reference_rejected: Tensor,
    *,
    beta: float = 0.1,
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return the mean of -(1 - eps) log sigmoid(beta h) - eps log sigmoid(-beta h), in nats.

    h = (log pi(chosen) - log ref(chosen)) - (log pi(rejected) - log ref(rejected)). The policy that is best for a
    reward r with a KL penalty beta has beta log(pi / ref) = r + constant, so beta h takes the place of the
    difference of rewards in Bradley and Terry's model. At the start pi = ref: h = 0 and the loss is log 2.

    Args:
        policy_chosen, policy_rejected: log-probabilities of whole completions (sums over their tokens), (B,).
        reference_chosen, reference_rejected: the same under the frozen reference, (B,); no gradient goes there.
        beta: strength of the tie to the reference, more than 0.
        label_smoothing: eps, the share of comparisons taken to be wrong; at least 0 and less than 1/2.

    Raises:
        ValueError: unequal shapes, `beta` or `label_smoothing` out of range.

    Source: Rafailov et al., "Direct preference optimization", 2023, equation 7; eps from Mitchell, "A note on DPO
    with noisy preferences", 2023, equation 3.
    """
    same_shape(
        policy_chosen=policy_chosen,
        policy_rejected=policy_rejected,
        reference_chosen=reference_chosen,
        reference_rejected=reference_rejected,
    )
    if not beta > 0.0:
        raise ValueError(f"`beta` must be more than 0, got {beta}.")
    if not 0.0 <= label_smoothing < 0.5:
        raise ValueError(f"`label_smoothing` must be at least 0 and less than 0.5, got {label_smoothing}.")
    h = (policy_chosen - reference_chosen.detach()) - (policy_rejected - reference_rejected.detach())
    losses = -(1.0 - label_smoothing) * F.logsigmoid(beta * h) - label_smoothing * F.logsigmoid(-beta * h)
    return losses.mean()


class DPOTrainer:
    """Tunes a policy on comparisons: no completions are drawn, and there is no reward model.

    Args:
        policy: a `GPT`, tuned in place. Dropout stays off.
        pairs: the comparisons. A pair of equal completions costs log 2 and teaches nothing.
        reference: by default the policy as it is now. What it says of the pairs is worked out once, here, and only
            that is kept.
        beta, label_smoothing: see `dpo_loss`.
        sft_weight: of an added cross-entropy on the chosen completions, nats a token, which keeps them likely: the loss
            alone only asks that they be likelier than the rejected.
        batch_size: pairs a step.
        lr: of AdamW, without weight decay.
        precision: of the matrix products, for policy and reference alike: "float32", "bfloat16" or "auto"; see
            `training.fit`.
        generator: seeds the order.

    Attributes:
        history: a row a step: loss, accuracy (the share of pairs where beta h > 0), margin (the mean of beta h),
            chosen and rejected (the mean change of their log-probability, nats a completion).

    Source: Rafailov et al., 2023, section 4; the added term from Pang et al., "Iterative reasoning preference
    optimization", 2024, equation 1.
    """

    def __init__(
        self,
        policy: nn.Module,
        pairs: Pairs,
        *,
        reference: nn.Module | None = None,
        beta: float = 0.1,
        label_smoothing: float = 0.0,
        sft_weight: float = 0.0,
        batch_size: int = 64,
        lr: float = 1e-3,
        clip_norm: float = 1.0,
        precision: str = "float32",
        generator: torch.Generator | None = None,
    ) -> None:
        if not beta > 0.0:
            raise ValueError(f"`beta` must be more than 0, got {beta}.")
        if not sft_weight >= 0.0:
            raise ValueError(f"`sft_weight` must be at least 0, got {sft_weight}.")
        self.policy: Any = policy
        self.pairs = pairs.to(next(policy.parameters()).device)
        self.beta, self.label_smoothing, self.sft_weight = beta, label_smoothing, sft_weight
        self.clip_norm, self.precision = clip_norm, precision
        in_precision = autocast(precision, next(policy.parameters()).device)
        self.steps_per_epoch = len(pairs) // batch_size
        self.batches = example_batches((torch.arange(len(pairs)),), batch_size, generator=generator)
        self.optimizer = adamw(policy, lr, weight_decay=0.0)
        self.history = PolicyHistory()
        frozen = copy.deepcopy(policy if reference is None else reference).eval().requires_grad_(False)
        with torch.no_grad(), in_precision():
            parts = (self.pairs[start : start + 256].both() for start in range(0, len(pairs), 256))
            self.reference_log_probs = torch.cat(
                [torch.stack(apart(completion_log_probs(frozen, part)), 1) for part in parts]
            )

    def fit(self, max_steps: int, *, progress: bool = True) -> PolicyHistory:
        """Train for `max_steps` more steps; return the history of all so far.

        Raises:
            RuntimeError: a loss or gradient that is not finite; the policy is as the step before left it.
        """
        done = len(self.history)
        fit(
            self.policy,
            lambda step: self.batches(done + step),
            self.loss,
            optimizer=self.optimizer,
            max_steps=max_steps,
            clip_norm=self.clip_norm,
            precision=self.precision,
            progress=progress,
        )
        return self.history

    def loss(self, policy: nn.Module, batch: tuple[Tensor]) -> Tensor:
        """Return the loss of a batch of pairs, given by their numbers, and note it in the history."""
        policy.eval()
        pairs = self.pairs[batch[0]]
        reference_chosen, reference_rejected = self.reference_log_probs[batch[0]].unbind(1)
        chosen, rejected = apart(completion_log_probs(policy, pairs.both()))
        loss = dpo_loss(
            chosen,
            rejected,
            reference_chosen,
            reference_rejected,
            beta=self.beta,
            label_smoothing=self.label_smoothing,
        )
        if self.sft_weight:
            loss = loss - self.sft_weight * chosen.sum() / pairs.chosen.lengths.sum()
        with torch.no_grad():
            changes = torch.stack([(chosen - reference_chosen).mean(), (rejected - reference_rejected).mean()])
            h = (chosen - reference_chosen) - (rejected - reference_rejected)
            numbers = torch.stack([loss.detach(), (h > 0).to(h.dtype).mean(), self.beta * h.mean(), *changes]).tolist()
        names = ("loss", "accuracy", "margin", "chosen", "rejected")
        self.history.rows.append(dict(zip(names, numbers, strict=True)))
        return loss
