"""Losses beside TRL's own, on random tensors; skipped where TRL is not installed."""

from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest
import torch

from lmcourse.alignment import dpo_loss, grpo_loss, token_log_probs

B, P, R, V = 6, 3, 7, 13


ONE_PROCESS = SimpleNamespace(
    device=torch.device("cpu"),
    gather=lambda x: x,
    gather_for_metrics=lambda x: x,
    reduce=lambda x, **_: x,
    num_processes=1,
    sync_gradients=True,
)


def drawn():
    generator = torch.Generator().manual_seed(0)
    lengths = torch.tensor([7, 2, 5, 1, 7, 3])
    ids = torch.randint(V, (B, P + R), generator=generator)
    keep = torch.arange(R) < lengths.unsqueeze(1)
    return generator, ids, keep


@pytest.mark.parametrize("beta", [0.0, 0.3])
def test_grpo_loss_and_gradient_are_trls(beta):
    trl = pytest.importorskip("trl")
    generator, ids, keep = drawn()
    log_probs, old, reference = -torch.rand(3, B, R, generator=generator)
    advantages = torch.randn(B, generator=generator)
    ours, theirs = (log_probs.clone().requires_grad_(True) for _ in range(2))
    them = MagicMock(
        beta=beta, loss_type="grpo", importance_sampling_level="token", epsilon_low=0.2, epsilon_high=0.2,
        top_entropy_quantile=1.0, off_policy_mask_threshold=None, use_vllm=False, aux_loss_enabled=False,
        _entropy_bonus_enabled=False, accelerator=ONE_PROCESS, current_gradient_accumulation_steps=1,
        args=SimpleNamespace(delta=None, use_bias_correction_kl=False),
    )  # fmt: skip
    them._get_per_token_logps_and_entropies = lambda *_, **__: (theirs, torch.zeros(B, R), None)
    inputs = {
        "prompt_ids": ids[:, :P], "prompt_mask": torch.ones(B, P), "completion_ids": ids[:, P:],
        "completion_mask": keep.long(), "advantages": advantages, "old_per_token_logps": old,
        "ref_per_token_logps": reference,
    }  # fmt: skip
    loss = trl.GRPOTrainer._compute_loss(them, None, inputs)
    found = grpo_loss(ours, old, reference, advantages, keep, clip=0.2, kl_coefficient=beta)
    torch.testing.assert_close(found, loss)
    torch.testing.assert_close(*(torch.autograd.grad(*pair)[0] for pair in ((found, ours), (loss, theirs))))


def test_dpo_loss_and_gradient_are_trls():
    trl = pytest.importorskip("trl")
    generator, ids, keep = drawn()
    logits = torch.randn(B, P + R, V, generator=generator)  # 3 chosen above 3 rejected
    reference = -20 * torch.rand(2, B // 2, generator=generator)
    ours, theirs = (logits.clone().requires_grad_(True) for _ in range(2))
    args = SimpleNamespace(use_liger_kernel=False, gradient_checkpointing_kwargs=None, label_smoothing=0.0)
    them = MagicMock(
        beta=0.3, loss_types=["sigmoid"], loss_weights=[1.0], f_divergence_type="reverse_kl", label_smoothing=0.0,
        ld_alpha=None, precompute_ref_logps=True, use_weighting=False, aux_loss_enabled=False, args=args,
        accelerator=ONE_PROCESS, _total_train_tokens=0,
    )  # fmt: skip
    completion = torch.cat([torch.zeros(B, P), keep], dim=1).long()
    inputs = {
        "input_ids": ids, "attention_mask": torch.ones_like(ids), "completion_mask": completion,
        "ref_chosen_logps": reference[0], "ref_rejected_logps": reference[1],
    }  # fmt: skip
    loss = trl.DPOTrainer._compute_loss(them, lambda **_: SimpleNamespace(logits=theirs), inputs, False)
    sums = token_log_probs(ours[:, P - 1 : -1], ids[:, P:]).masked_fill(~keep, 0.0).sum(1)
    found = dpo_loss(*sums.chunk(2), *reference, beta=0.3)
    torch.testing.assert_close(found, loss)
    torch.testing.assert_close(*(torch.autograd.grad(*pair)[0] for pair in ((found, ours), (loss, theirs))))
