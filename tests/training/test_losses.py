"""Label smoothing against torch's, by hand, and at its ends."""

import math

import pytest
import torch
import torch.nn.functional as F

from lmcourse.training.losses import label_smoothed_kl, smoothed_entropy

B, T, V = 3, 5, 7


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.37])
@pytest.mark.parametrize("ignore_index", [None, 2, -100])
def test_equals_torch_less_the_entropy_of_the_target(smoothing, ignore_index):
    torch.manual_seed(0)
    logits = torch.randn(B, T, V, dtype=torch.float64, requires_grad=True)
    targets = torch.randint(V, (B, T))
    if ignore_index is not None:
        targets[0, :3] = ignore_index
    theirs = F.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        label_smoothing=smoothing,
        ignore_index=-1 if ignore_index is None else ignore_index,
    )
    ours = label_smoothed_kl(logits, targets, smoothing=smoothing, ignore_index=ignore_index)
    assert ours.item() == pytest.approx(theirs.item() - smoothed_entropy(V, smoothing), abs=1e-12)
    (grad,) = torch.autograd.grad(ours, logits)
    (grad_theirs,) = torch.autograd.grad(theirs, logits)
    torch.testing.assert_close(grad, grad_theirs, rtol=1e-12, atol=1e-12)


def test_by_hand():
    # V = 2, eps = 0.2: q = (0.9, 0.1); a model that says (1/2, 1/2): KL = ln 2 - H(q) = 0.693147 - 0.325083
    loss = label_smoothed_kl(torch.zeros(1, 2, dtype=torch.float64), torch.tensor([0]), smoothing=0.2)
    assert loss.item() == pytest.approx(0.368064, abs=1e-6)
    assert smoothed_entropy(2, 0.2) == pytest.approx(0.325083, abs=1e-6)


def test_is_zero_exactly_at_the_smoothed_target():
    eps = 0.1
    q = torch.full((1, V), eps / V, dtype=torch.float64)
    q[0, 3] += 1 - eps
    assert label_smoothed_kl(q.log(), torch.tensor([3]), smoothing=eps).item() == pytest.approx(0.0, abs=1e-15)
    sharper = label_smoothed_kl(2 * q.log(), torch.tensor([3]), smoothing=eps).item()
    assert sharper > 0.01  # more certain than the target is punished too


def test_nothing_to_count_is_zero_and_padding_has_no_gradient():
    logits = torch.randn(2, 3, V, requires_grad=True)
    targets = torch.tensor([[1, 2, 0], [0, 0, 0]])
    label_smoothed_kl(logits, targets, ignore_index=0).backward()
    assert (logits.grad[targets == 0] == 0).all()
    assert (logits.grad[targets != 0] != 0).any()
    assert label_smoothed_kl(logits, torch.zeros(2, 3, dtype=torch.long), ignore_index=0).item() == 0.0


def test_half_precision_is_computed_in_float32():
    logits = torch.randn(B, V, dtype=torch.bfloat16)
    targets = torch.randint(V, (B,))
    loss = label_smoothed_kl(logits, targets)
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(label_smoothed_kl(logits.double(), targets).item(), abs=1e-5)


@pytest.mark.parametrize(
    ("logits", "targets", "options", "error", "message"),
    [
        ((2, V), torch.tensor([1, V]), {}, ValueError, r"`targets` must be in 0\.\.6, got values from 1 to 7"),
        ((2, V), torch.tensor([-1, 1]), {}, ValueError, r"`targets` must be in 0\.\.6, got values from -1 to 1"),
        ((2, V), torch.tensor([1, 2, 3]), {}, ValueError, r"got \(2, 7\) and \(3,\)"),
        ((0, V), torch.zeros(0, dtype=torch.long), {}, ValueError, "not empty"),
        (
            (2, V),
            torch.tensor([0.1, 0.2]),
            {},
            TypeError,
            "`targets` must be a tensor of whole numbers, got a tensor of torch.float32",
        ),
        (
            (2, V),
            torch.tensor([1, 2]),
            {"smoothing": 1.0},
            ValueError,
            "`smoothing` must be at least 0 and less than 1, got smoothing=1",
        ),
        ((2, V), torch.tensor([1, 2]), {"smoothing": -0.1}, ValueError, "at least 0"),
        (
            (2, V),
            torch.tensor([1, 2]),
            {"smoothing": math.nan},
            ValueError,
            "`smoothing` must be finite, got smoothing=nan",
        ),
    ],
)
def test_bad_input(logits, targets, options, error, message):
    with pytest.raises(error, match=message):
        label_smoothed_kl(torch.zeros(logits), targets, **options)


@pytest.mark.parametrize("ignore_index", [None, 0])
def test_a_logit_of_minus_infinity_is_a_token_of_probability_zero(ignore_index):
    """Without smoothing the loss is that of the other tokens, as in torch; with it the divergence is infinite."""
    torch.manual_seed(0)
    logits = torch.randn(B, V, dtype=torch.float64)
    logits[:, 5] = -math.inf
    targets = torch.tensor([0, 2, 4])
    ours, theirs = (logits.clone().requires_grad_() for _ in range(2))
    loss = label_smoothed_kl(ours, targets, smoothing=0.0, ignore_index=ignore_index)
    expected = F.cross_entropy(theirs, targets, ignore_index=-100 if ignore_index is None else ignore_index)
    torch.testing.assert_close(loss, expected)
    loss.backward()
    expected.backward()
    torch.testing.assert_close(ours.grad, theirs.grad)
    assert label_smoothed_kl(logits, targets, smoothing=0.1).item() == math.inf


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.uint8])
def test_targets_of_any_integer_dtype(dtype):
    logits, targets = torch.randn(B, V), torch.tensor([1, 6, 2])
    assert label_smoothed_kl(logits, targets.to(dtype)) == label_smoothed_kl(logits, targets)


def test_entropy_of_no_smoothing_is_zero():
    assert smoothed_entropy(V, 0.0) == 0.0
    assert smoothed_entropy(V, 0.999999) == pytest.approx(math.log(V), abs=1e-4)
