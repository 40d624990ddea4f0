"""The loop: it learns, it accumulates, and it stops at NaN."""

import math
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lmcourse.training import History, adamw, distributed, fit
from lmcourse.training.states import load_training_state


def line(seed=0):
    """Return a model and data for least squares: y = 2 x1 - x2 + 1."""
    torch.manual_seed(seed)
    x = torch.randn(31, 2)
    return nn.Linear(2, 1), (x, x @ torch.tensor([[2.0], [-1.0]]) + 1)


def square_error(model, batch):
    x, y = batch
    return ((model(x) - y) ** 2).mean()


def test_it_learns_and_records_what_it_did():
    model, data = line()
    history = fit(
        model,
        [data],
        square_error,
        optimizer=torch.optim.Adam(model.parameters(), lr=0.1),
        max_steps=200,
        validate=lambda m: square_error(m, data),
        validate_every=80,
        progress=False,
    )
    assert len(history) == 200
    assert history.loss[-1] < 1e-3 < history.loss[0]
    assert [step for step, _ in history.validation] == [80, 160, 200]
    assert history.lr == [0.1] * 200
    assert len(history.grad_norm) == 200
    assert not model.training
    torch.testing.assert_close(model.weight, torch.tensor([[2.0, -1.0]]), atol=0.01, rtol=0)


def test_one_step_by_hand():
    # w = 3, x = 2, y = 0: loss (w x)^2 = 36, gradient 2 w x x = 24; clipped to norm 6, SGD with 0.5 * 0.1:
    # w = 3 - 0.05 * 6 = 2.7
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 3.0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = fit(
        model,
        lambda step: (torch.tensor([[2.0]]), torch.tensor([[0.0]])),
        square_error,
        optimizer=optimizer,
        schedule=lambda step: 0.5,
        max_steps=1,
        clip_norm=6.0,
        progress=False,
    )
    assert history.loss == [36.0]
    assert history.grad_norm == [24.0]  # before clipping
    assert history.lr == [0.05]
    assert model.weight.item() == pytest.approx(2.7, abs=1e-5)
    assert optimizer.param_groups[0]["lr"] == 0.1  # put back
    nn.init.constant_(model.weight, 3.0)
    fit(model, [(torch.tensor([[2.0]]), torch.tensor([[0.0]]))], square_error, optimizer=optimizer, max_steps=1,
        clip_norm=None, progress=False)  # fmt: skip
    assert model.weight.item() == pytest.approx(3 - 0.1 * 24, abs=1e-5)


def test_steps_count_from_one_and_an_iterable_is_begun_again():
    seen, steps = [], []
    model, _ = line()

    def loss(model, batch):
        seen.append(batch)
        return model.weight.sum()

    fit(model, ["a", "b", "c"], loss, max_steps=7, progress=False, schedule=lambda step: steps.append(step) or 1.0)
    assert "".join(seen) == "abcabca"
    assert steps == [1, 2, 3, 4, 5, 6, 7]
    seen.clear()
    fit(model, lambda step: step, loss, max_steps=3, progress=False)
    assert seen == [1, 2, 3]


def test_batches_go_to_the_device_of_the_model_whatever_holds_them():
    model = nn.Linear(2, 1, device="meta")  # a device with shapes and no numbers: enough to see where things go
    seen = []

    def loss(model, batch):
        seen.append((batch["ids"][0].device.type, batch["ids"][1].device.type, batch["name"]))
        raise StopIteration

    with pytest.raises(StopIteration):
        fit(model, [{"ids": (torch.zeros(1), [torch.zeros(1)][0]), "name": "x"}], loss, max_steps=1, progress=False)
    assert seen == [("meta", "meta", "x")]


def test_default_optimizer_decays_matrices_only():
    model = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3))
    groups = adamw(model, lr=0.01, weight_decay=0.3).param_groups
    decayed = {id(p) for group in groups if group["weight_decay"] == 0.3 for p in group["params"]}
    assert decayed == {id(model[0].weight)}
    assert sum(len(group["params"]) for group in groups) == 4


def test_bfloat16_by_autocast_keeps_parameters_in_float32():
    model, data = line()
    kinds = []

    def loss(model, batch):
        output = model(batch[0])
        kinds.append(output.dtype)
        return ((output.float() - batch[1]) ** 2).mean()

    for precision in ("bfloat16", "float32", "auto"):
        fit(model, [data], loss, max_steps=1, precision=precision, progress=False)
    assert kinds == [torch.bfloat16, torch.float32, torch.float32]  # auto on a CPU
    assert model.weight.dtype == torch.float32


def test_smoothed_history():
    history = History(loss=[1.0, 3.0, 5.0, 7.0])
    assert history.smoothed(2) == [1.0, 2.0, 4.0, 6.0]
    assert history.smoothed(9) == [1.0, 2.0, 3.0, 4.0]
    assert history.to_dict()["loss"] == [1.0, 3.0, 5.0, 7.0]
    with pytest.raises(ValueError, match="`window` must be at least 1, got window=0"):
        history.smoothed(0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_nan_stops_with_the_step_and_keeps_the_last_good_state(tmp_path, bad):
    model, data = line()
    weights = {}

    def loss(model, batch):
        step = loss.step = loss.step + 1
        weights[step] = model.weight.detach().clone()
        return square_error(model, batch) * (bad if step == 6 else 1.0)

    loss.step = 0
    path = tmp_path / "state"
    with pytest.raises(RuntimeError, match=r"stopped at step 6: the loss is (nan|inf)"):
        fit(model, [data], loss, max_steps=20, checkpoint=path, checkpoint_every=4, progress=False)
    assert torch.equal(model.weight, weights[6])  # as step 5 left it
    state = load_training_state(path)
    assert len(state["history"]["loss"]) == 4
    assert torch.equal(state["model"]["weight"], weights[5])


def test_losses_that_are_gathered_later_are_the_same_and_a_nan_is_still_told(tmp_path, monkeypatch):
    asked, gathered = [], distributed.gathered
    monkeypatch.setattr(distributed, "gathered", lambda *a, **k: (asked.append(len(a)), gathered(*a, **k))[1])
    histories = []
    for every in (1, 4):
        model, data = line()
        asked.clear()
        histories.append(fit(model, [data], square_error, max_steps=10, gather_every=every, progress=False))
    assert histories[0] == histories[1]
    assert asked == [13, 13, 7]  # three numbers a step, and whether to stop

    calls = []

    def spoiled(model, batch):
        calls.append(0)
        return square_error(model, batch) * (float("nan") if len(calls) == 6 else 1.0)

    path = tmp_path / "state"
    with pytest.raises(RuntimeError, match=r"stopped at step 6: the loss is nan. The model has been spoiled by 2 more"):
        fit(model, [data], spoiled, max_steps=20, gather_every=8, checkpoint=path, checkpoint_every=4, progress=False)
    assert len(load_training_state(path)["history"]["loss"]) == 4


def test_an_infinite_gradient_of_a_finite_loss_stops_too():
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)  # 10 * w * 3e38 is 0 at w = 0, and its slope is beyond float32
    with pytest.raises(RuntimeError, match="stopped at step 1: the norm of the gradient is inf"):
        fit(model, [torch.full((1, 1), 3e38)], lambda m, x: 10 * m(x).sum(), max_steps=2, progress=False)
    assert model.weight.item() == 0.0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_steps": 0}, ValueError, "`max_steps` must be at least 1, got max_steps=0"),
        ({"validate_every": 0}, ValueError, "`validate_every` must be at least 1, got validate_every=0"),
        ({"checkpoint_every": -1}, ValueError, "`checkpoint_every` must be at least 1, got checkpoint_every=-1"),
        ({"clip_norm": 0.0}, ValueError, "`clip_norm` must be more than 0"),
        ({"clip_norm": math.nan}, ValueError, "`clip_norm` must be finite, got clip_norm=nan"),
        ({"accumulate": 0}, ValueError, "`accumulate` must be at least 1, got accumulate=0"),
        ({"max_steps": 2.5}, TypeError, "`max_steps` must be a whole number, got max_steps=2.5"),
        ({"history": History(loss=[1.0] * 5)}, ValueError, "more than the 5 steps in `history`, got 5"),
        ({"history": []}, TypeError, "`history` must be of type History, got list"),
        ({"optimizer": adamw(line()[0])}, ValueError, "`optimizer` must hold parameters of `model` only, got 2 of 2"),
        ({"optimizer": "adam"}, TypeError, "`optimizer` must be of type Optimizer, got str"),
        ({"precision": "fp16"}, ValueError, "`precision` must be one of .*, got precision='fp16'"),
        ({"model": nn.ReLU()}, ValueError, "`model` must have parameters to train, ReLU has none"),
        ({"batches": 3}, TypeError, "`batches` must be an iterable or a function of the step, got int"),
        ({"batches": []}, RuntimeError, "`batches` ran out before batch 1"),
        ({"batches": iter([1, 2])}, RuntimeError, "`batches` ran out before batch 3"),
        ({"loss": lambda m, b: 1.0}, TypeError, "`loss` must return a scalar tensor, got float"),
        (
            {"loss": lambda m, b: m.weight},
            TypeError,
            r"`loss` must return a scalar tensor, got a tensor of shape \(1, 2\)",
        ),
        ({"loss": lambda m, b: torch.tensor(1.0)}, ValueError, "has no gradient"),
    ],
)
def test_bad_arguments(options, error, message):
    arguments = {"model": line()[0], "batches": [1], "loss": lambda m, b: m.weight.sum(), "max_steps": 5, **options}
    with pytest.raises(error, match=message):
        fit(**arguments, progress=False)


def test_the_progress_bar_needs_no_jupyter():
    script = (
        "import sys, torch\n"
        "from lmcourse.training import fit\n"
        "fit(torch.nn.Linear(1, 1), [torch.ones(2, 1)], lambda m, x: m(x).mean(), max_steps=5)\n"
        "print(sorted({'IPython', 'ipywidgets', 'jupyter_client', 'ipykernel', 'notebook'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "[]\n"
    assert "5/5" in done.stderr
    assert "loss" in done.stderr


# Accumulation.


def mean_and_count(model, batch):
    """Cross-entropy over the targets that count, and how many they are."""
    x, y = batch
    return F.cross_entropy(model(x), y, ignore_index=-1), (y >= 0).sum()


def mean_alone(model, batch):
    return mean_and_count(model, batch)[0]


def accumulated(batches, loss, **options):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 7), nn.Tanh(), nn.Linear(7, 5)).double()
    history = fit(model, batches, loss, max_steps=4, optimizer=adamw(model, lr=0.1), progress=False, **options)
    return model, history


def micro_batches(counts):
    """Four steps of micro-batches with these numbers of targets that count, and the steps' whole batches."""
    generator = torch.Generator().manual_seed(3)
    small = []
    for count in counts * 4:
        y = torch.randint(5, (7,), generator=generator)
        y[count:] = -1
        small.append((torch.randn(7, 3, generator=generator, dtype=torch.float64), y))
    n = len(counts)
    whole = [tuple(torch.cat(part) for part in zip(*small[s : s + n], strict=True)) for s in range(0, 4 * n, n)]
    return small, whole


def assert_equal_up_to_rounding(one, other):
    (model, history), (model2, history2) = one, other
    for mine, theirs in zip(model.parameters(), model2.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-9, atol=1e-9)
    assert history.loss == pytest.approx(history2.loss)
    assert history.grad_norm == pytest.approx(history2.grad_norm)


OPTIONS = [{}, {"clip_norm": 0.05}, {"schedule": lambda step: 1 / step}]


@pytest.mark.parametrize("options", OPTIONS)
def test_accumulated_batches_of_equal_size_are_one_large_batch(options):
    small, whole = micro_batches([4, 4, 4])
    large = accumulated(whole, mean_alone, **options)
    assert_equal_up_to_rounding(accumulated(small, mean_alone, accumulate=3, **options), large)
    assert_equal_up_to_rounding(accumulated(small, mean_and_count, accumulate=3, **options), large)


@pytest.mark.parametrize("options", OPTIONS)
def test_accumulated_batches_of_unequal_token_counts_are_one_large_batch_if_the_loss_tells_its_count(options):
    small, whole = micro_batches([7, 1, 3])
    large = accumulated(whole, mean_and_count, **options)
    assert_equal_up_to_rounding(accumulated(small, mean_and_count, accumulate=3, **options), large)


def test_without_counts_the_mean_of_the_means_is_taken():
    small, whole = micro_batches([7, 1, 3])
    _, history = accumulated(small, mean_alone, accumulate=3)
    torch.manual_seed(0)
    fresh = nn.Sequential(nn.Linear(3, 7), nn.Tanh(), nn.Linear(7, 5)).double()
    assert history.loss[0] == pytest.approx(float(sum(mean_alone(fresh, batch).detach() for batch in small[:3]) / 3))
    assert history.loss[0] != pytest.approx(accumulated(whole, mean_alone)[1].loss[0], rel=1e-3)


def test_a_count_changes_nothing_without_accumulation():
    small, _ = micro_batches([7])
    (model, history), (model2, history2) = accumulated(small, mean_and_count), accumulated(small, mean_alone)
    assert history.loss == history2.loss
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), model2.parameters(), strict=True))


def test_accumulation_counts_the_batches_of_a_function_on():
    seen = []
    model, _ = line()

    def loss(model, batch):
        seen.append(batch)
        return model.weight.sum()

    history = fit(model, lambda number: number, loss, max_steps=3, accumulate=2, progress=False)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert len(history) == 3


def test_a_part_that_the_loss_keeps_in_evaluation_mode_stays_so_after_a_validation():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Dropout(0.5))
    modes = []

    def loss(model, batch):
        modes.append(model[1].training)
        model[1].eval()
        return model(batch).sum()

    fit(
        model,
        lambda step: torch.ones(1, 2),
        loss,
        max_steps=4,
        validate=lambda m: 0.0,
        validate_every=1,
        progress=False,
    )
    assert modes == [True, False, False, False]
