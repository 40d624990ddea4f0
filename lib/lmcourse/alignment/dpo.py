"""Direct preference optimisation: the same objective as PPO's, learned from the comparisons without a reward model."""

from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.alignment.completions import completion_log_probs
from lmcourse.alignment.policies import Policy, check_policy, check_predicts_by_head, frozen
from lmcourse.alignment.reward import Pairs, deinterleave
from lmcourse.alignment.rollouts import PolicyHistory
from lmcourse.kernels.switch import eager
from lmcourse.training import History, adamw, autocast, example_batches, fit


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

    h = (log pi(chosen) - log ref(chosen)) - (log pi(rejected) - log ref(rejected)). The optimal policy for a reward r
    with a KL penalty beta has beta log(pi / ref) = r + constant, so beta h stands for the difference of rewards in
    Bradley and Terry's model. At the start pi = ref: h = 0 and the loss is log 2.

    Args:
        policy_chosen, policy_rejected: log-probabilities of whole completions (sums over their tokens), (B,).
        reference_chosen, reference_rejected: the same under the frozen reference, (B,); they get no gradient.
        beta: strength of the tie to the reference, more than 0.
        label_smoothing: eps, the fraction of comparisons assumed to be wrong; at least 0 and less than 1/2.

    Raises:
        TypeError: log-probabilities that are not floating-point.
        ValueError: unequal or empty shapes, `beta` or `label_smoothing` out of range.

    Source: Rafailov et al., "Direct preference optimization", 2023, equation 7; eps from Mitchell, "A note on DPO
    with noisy preferences", 2023, equation 3.
    """
    log_probs = {
        "policy_chosen": policy_chosen, "policy_rejected": policy_rejected,
        "reference_chosen": reference_chosen, "reference_rejected": reference_rejected,
    }  # fmt: skip
    tensor_checks.floating(**log_probs)
    tensor_checks.same_shape(**log_probs)
    tensor_checks.same_device(**log_probs)
    tensor_checks.not_empty(policy_chosen=policy_chosen)
    checks.number(beta=beta, above=0.0)
    checks.number(label_smoothing=label_smoothing, at_least=0.0, below=0.5)
    h = (policy_chosen - reference_chosen.detach()) - (policy_rejected - reference_rejected.detach())
    losses = -(1.0 - label_smoothing) * F.logsigmoid(beta * h) - label_smoothing * F.logsigmoid(-beta * h)
    return losses.mean()


@dataclass(frozen=True, kw_only=True)
class DPOConfig:
    """Settings of `DPOTrainer`.

    Attributes:
        beta, label_smoothing: see `dpo_loss`.
        sft_weight: of an added cross-entropy on the chosen completions, nats per token, which keeps them likely: the
            loss alone only requires that they be likelier than the rejected.
        batch_size: pairs per step.
        lr: of AdamW, without weight decay.
        clip_norm: of the gradient.
        precision: of the matrix products, for policy and reference alike: "float32", "bfloat16" or "auto"; see
            `training.fit`.

    Raises:
        TypeError, ValueError: a setting of another kind, or out of range.
    """

    beta: float = 0.1
    label_smoothing: float = 0.0
    sft_weight: float = 0.0
    batch_size: int = 64
    lr: float = 1e-3
    clip_norm: float = 1.0
    precision: str = "float32"

    def __post_init__(self) -> None:
        checks.number(beta=self.beta, clip_norm=self.clip_norm, above=0.0)
        checks.number(label_smoothing=self.label_smoothing, at_least=0.0, below=0.5)
        checks.number(sft_weight=self.sft_weight, lr=self.lr, at_least=0.0)
        checks.whole(batch_size=self.batch_size, at_least=1)
        autocast(self.precision, torch.device("cpu"))


class DPOTrainer:
    """Tunes a policy on comparisons: no completions are sampled, and there is no reward model.

    Args:
        policy: a `GPT` (see `Policy`), tuned in place. Dropout stays off.
        pairs: the comparisons. A pair of equal completions costs log 2 and teaches nothing.
        config: the settings; by default `DPOConfig()`.
        reference: by default the policy as it is now. Its log-probabilities of the pairs are computed once, here, and
            only they are kept.
        generator: seeds the order.

    Attributes:
        history: a row per step: loss, accuracy (the fraction of pairs with beta h > 0), margin (the mean of beta h),
            chosen and rejected (the mean change of their log-probability, nats per completion).

    Raises:
        TypeError: an argument of another kind.
        ValueError: more pairs in a batch than there are.

    Source: Rafailov et al., 2023, section 4; the added term from Pang et al., "Iterative reasoning preference
    optimization", 2024, equation 1.
    """

    def __init__(
        self,
        policy: nn.Module,
        pairs: Pairs,
        config: DPOConfig | None = None,
        *,
        reference: nn.Module | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        config = DPOConfig() if config is None else config
        checks.instance(DPOConfig, config=config)
        checks.instance(Pairs, pairs=pairs)
        reference = policy if reference is None else reference
        check_policy(policy=policy, reference=reference)
        check_predicts_by_head(policy=policy, reference=reference)
        device = next(policy.parameters()).device
        self.policy = policy
        self.pairs, self.config = pairs.to(device), config
        self.batches = example_batches((torch.arange(len(pairs)),), config.batch_size, generator=generator)
        self.optimizer = adamw(policy, config.lr, weight_decay=0.0)
        self.history = PolicyHistory()
        fixed = frozen(reference)
        with torch.no_grad(), autocast(config.precision, device)():
            parts = (self.pairs[start : start + 256].interleaved() for start in range(0, len(pairs), 256))
            self.reference_log_probs = torch.cat(
                [torch.stack(deinterleave(completion_log_probs(fixed, part)), 1) for part in parts]
            )

    def fit(self, steps: int, *, progress: bool = True) -> PolicyHistory:
        """Train for `steps` more steps; return the history of all so far.

        Raises:
            TypeError, ValueError: `steps` is not an integer of at least 1.
            RuntimeError: a loss or gradient that is not finite; the policy is as the step before left it.
        """
        checks.whole(steps=steps, at_least=1)
        done, taken = len(self.history), History()
        try:
            fit(self.policy, lambda step: self.batches(done + step), self._loss, optimizer=self.optimizer,
                max_steps=steps, clip_norm=self.config.clip_norm, precision=self.config.precision, progress=progress,
                history=taken)  # fmt: skip
        finally:
            del self.history.rows[done + len(taken) :]  # of a step that was not taken
        return self.history

    def _loss(self, policy: nn.Module, batch: tuple[Tensor]) -> Tensor:
        """Return the loss of a batch of pairs, given by their indices, and add a row to the history."""
        policy.eval()
        config, pairs = self.config, self.pairs[batch[0]]
        reference_chosen, reference_rejected = self.reference_log_probs[batch[0]].unbind(1)
        chosen, rejected = deinterleave(completion_log_probs(cast(Policy, policy), pairs.interleaved()))
        loss = dpo_loss(
            chosen,
            rejected,
            reference_chosen,
            reference_rejected,
            beta=config.beta,
            label_smoothing=config.label_smoothing,
        )
        if config.sft_weight:
            loss = loss - config.sft_weight * chosen.sum() / pairs.chosen.lengths.sum()
        with torch.no_grad():
            changes = torch.stack([(chosen - reference_chosen).mean(), (rejected - reference_rejected).mean()])
            h = (chosen - reference_chosen) - (rejected - reference_rejected)
            numbers = torch.stack([loss.detach(), (h > 0).to(h.dtype).mean(), config.beta * h.mean(), *changes])
        if eager(numbers):  # and not on the meta device, where there are no numbers
            names = ("loss", "accuracy", "margin", "chosen", "rejected")
            self.history.rows.append(dict(zip(names, numbers.tolist(), strict=True)))
        return loss
