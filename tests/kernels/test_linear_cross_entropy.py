"""The head and its loss in one, beside torch's two steps."""

from contextlib import nullcontext

import pytest
import torch
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode

from lmcourse import kernels
from lmcourse.kernels import linear_cross_entropy as module
from lmcourse.kernels.linear_cross_entropy import rows_at_once
from lmcourse.layers import linear_cross_entropy


def inputs(n: int = 23, d: int = 8, v: int = 31, dtype: torch.dtype = torch.float64) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(0)
    hidden = torch.randn(n, d, generator=generator, dtype=dtype).requires_grad_()
    weight = torch.randn(v, d, generator=generator, dtype=dtype).requires_grad_()
    return hidden, weight, torch.randint(v, (n,), generator=generator)


def gradients(loss: torch.Tensor, *leaves: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.autograd.grad(3.0 * loss, leaves)  # a factor: the gradient that comes in counts


@pytest.mark.parametrize("rows", [1, 5, 256], ids=["a row at a time", "five, the last part short", "all"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 1e-6)])
def test_it_equals_torchs_two_steps(
    rows: int, dtype: torch.dtype, tolerance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "rows_at_once", lambda *_: rows)
    monkeypatch.setattr(module, "CACHED", 2 * 31 // torch.get_num_threads())  # two rows, and then one
    hidden, weight, targets = inputs(dtype=dtype)
    ours = linear_cross_entropy(hidden, weight, targets)
    theirs = F.cross_entropy(F.linear(hidden, weight), targets)
    assert ours.dtype == dtype
    torch.testing.assert_close(ours, theirs, rtol=tolerance, atol=tolerance)
    for own, other in zip(gradients(ours, hidden, weight), gradients(theirs, hidden, weight), strict=True):
        torch.testing.assert_close(own, other, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("rows", [1, 5, 256], ids=["a row at a time", "five, the last part short", "all"])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float16, 2e-3), (torch.bfloat16, 2e-2)])
def test_in_half_precision_it_equals_the_two_steps_in_double(
    rows: int, dtype: torch.dtype, tolerance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "rows_at_once", lambda *_: rows)
    monkeypatch.setattr(module, "CACHED", 2 * 31 // torch.get_num_threads())  # two rows, and then one
    hidden, weight, targets = (part.detach() for part in inputs())
    hidden, weight = hidden.to(dtype).requires_grad_(), weight.to(dtype).requires_grad_()
    ours = linear_cross_entropy(hidden, weight, targets)
    exact = expected_loss(hidden.double(), weight.double(), targets)
    with kernels.plain():
        assert linear_cross_entropy(hidden, weight, targets).dtype == ours.dtype
    torch.testing.assert_close(ours.double(), exact, rtol=tolerance, atol=tolerance)
    for own, other in zip(gradients(ours, hidden, weight), gradients(exact, hidden, weight), strict=True):
        assert own.dtype == dtype
        assert (own - other).norm() < 4 * tolerance * other.norm()


def test_a_large_vocabulary_is_not_read_for_every_few_rows() -> None:
    assert rows_at_once("cpu", 128, 50_257) == 256
    assert rows_at_once("cpu", 768, 50_257) == 768
    assert rows_at_once("cpu", 128, 65) == (1 << 20) // 65


def test_the_gradients_by_finite_differences() -> None:
    hidden, weight, targets = inputs(5, 3, 4)
    assert torch.autograd.gradcheck(lambda x, w: linear_cross_entropy(x, w, targets), (hidden, weight))


def test_a_tied_matrix_gets_both_gradients() -> None:
    _, weight, targets = inputs()
    by_two_steps = F.cross_entropy(F.linear(F.embedding(targets, weight), weight), targets)
    in_one = linear_cross_entropy(F.embedding(targets, weight), weight, targets)
    torch.testing.assert_close(gradients(in_one, weight), gradients(by_two_steps, weight))


def test_large_logits_stay_finite() -> None:
    hidden, weight, targets = inputs(dtype=torch.float32)
    loss = linear_cross_entropy(1e4 * hidden, weight, targets)
    torch.testing.assert_close(loss, F.cross_entropy(F.linear(1e4 * hidden, weight), targets))
    assert all(bool(part.isfinite().all()) for part in gradients(loss, hidden, weight))


def test_autocast_takes_products_in_bfloat16_and_the_rest_in_float32() -> None:
    hidden, weight, targets = inputs(64, 32, 97, torch.float32)
    exact = F.cross_entropy(F.linear(hidden, weight), targets)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = linear_cross_entropy(hidden, weight, targets)
    assert loss.dtype == torch.float32
    assert 0.0 < abs(loss.item() - exact.item()) < 0.02 * exact.item()  # rounded, and no more than that
    for own, other in zip(gradients(loss, hidden, weight), gradients(exact, hidden, weight), strict=True):
        assert own.dtype == torch.float32
        assert (own - other).norm() < 0.02 * other.norm()


def test_without_gradients_none_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden, weight, targets = inputs()
    asked = []
    compute = module._sum_and_gradients
    monkeypatch.setattr(module, "_sum_and_gradients", lambda *a: (asked.append(a[3:]), compute(*a))[1])
    expected = F.cross_entropy(F.linear(hidden, weight), targets).detach()
    with torch.no_grad():
        loss = linear_cross_entropy(hidden, weight, targets)
    assert not loss.requires_grad
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(linear_cross_entropy(hidden.detach(), weight.detach(), targets), expected)
    assert asked == [(False, False), (False, False)]
    linear_cross_entropy(hidden, weight.detach(), targets).backward()  # a frozen head
    assert asked[2:] == [(True, False)]
    torch.testing.assert_close(hidden.grad, gradients(expected_loss(hidden, weight, targets), hidden)[0] / 3.0)


def expected_loss(hidden: torch.Tensor, weight: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(F.linear(hidden, weight), targets)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_both_twins_reduce_as_torch(plain: bool, reduction: str) -> None:
    hidden, weight, targets = inputs()
    with kernels.plain() if plain else nullcontext():
        loss = linear_cross_entropy(hidden, weight, targets, reduction=reduction)  # type: ignore[arg-type]
    expected = F.cross_entropy(F.linear(hidden, weight), targets, reduction=reduction)
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(gradients(loss, hidden, weight), gradients(expected, hidden, weight))


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.uint8])
def test_targets_of_any_integer_dtype(dtype: torch.dtype) -> None:
    hidden, weight, targets = inputs()
    expected = linear_cross_entropy(hidden, weight, targets)
    torch.testing.assert_close(linear_cross_entropy(hidden, weight, targets.to(dtype)), expected)
    with kernels.plain():
        torch.testing.assert_close(linear_cross_entropy(hidden, weight, targets.to(dtype)), expected)


def test_on_the_meta_device_with_fake_tensors_and_under_torch_func() -> None:
    hidden, weight, targets = inputs()
    loss = linear_cross_entropy(*(part.to("meta") for part in (hidden, weight, targets)))
    assert loss.is_meta
    assert loss.shape == ()
    real = [part.detach() for part in (hidden, weight, targets)]
    with FakeTensorMode() as mode:
        assert linear_cross_entropy(*(mode.from_tensor(part) for part in real)).shape == ()
    by_func = torch.func.grad(linear_cross_entropy, argnums=(0, 1))(hidden.detach(), weight.detach(), targets)
    wanted = torch.autograd.grad(linear_cross_entropy(hidden, weight, targets), (hidden, weight))
    torch.testing.assert_close(by_func, wanted)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda x, w, t: (x, w, t.double()), TypeError, "`targets` must be a tensor of whole numbers"),
        (lambda x, w, t: (x[None], w, t), ValueError, r"`hidden` must have shape \(N, D\), got \(1, 23, 8\)"),
        (lambda x, w, t: (x[:, :3], w, t), ValueError, r"`weight` must have shape \(V, 3\), got \(31, 8\)"),
        (lambda x, w, t: (x[:0], w, t[:0]), ValueError, "N at least 1"),
        (lambda x, w, t: (x, w, t[:4]), ValueError, r"`targets` must have shape \(23,\), got \(4,\)"),
        (lambda x, w, t: (x, w, t + 30), ValueError, r"`targets` must be in 0\.\.30, got values from"),
        (lambda x, w, t: (x, w, t - 100), ValueError, r"`targets` must be in 0\.\.30, got values from"),
    ],
)
def test_bad_input(change: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        linear_cross_entropy(*change(*inputs()))  # type: ignore[operator]


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_on_a_gpu_as_on_the_cpu(dtype: torch.dtype) -> None:
    hidden, weight, targets = inputs(64, 32, 97, torch.float32)
    at_home = linear_cross_entropy(hidden, weight, targets)
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=dtype == torch.bfloat16):
        there = linear_cross_entropy(hidden.cuda(), weight.cuda(), targets.cuda())
    torch.testing.assert_close(there.cpu(), at_home, rtol=2e-2 if dtype == torch.bfloat16 else 1e-5, atol=1e-5)
