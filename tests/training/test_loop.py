"""The loop: it learns, it stops at NaN, and a killed training goes on to the same result."""

import hashlib
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from lmcourse.models.recurrent import RecurrentConfig, RecurrentLM, TruncatedBPTTLoss
from lmcourse.training import History, adamw, example_batches, fit, token_batches
from lmcourse.training.checkpoints import CheckpointError, load_training_state
from lmcourse.training.schedules import linear_schedule

STEPS = 13


def line(seed=0):
    """Return a model and data for least squares: y = 2 x1 - x2 + 1."""
    torch.manual_seed(seed)
    x = torch.randn(31, 2)
    return nn.Linear(2, 1), (x, x @ torch.tensor([[2.0], [-1.0]]) + 1)


def square_error(model, batch):
    x, y = batch
    return ((model(x) - y) ** 2).mean()


def test_it_learns_and_tells_what_it_did():
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
    with pytest.raises(ValueError, match="`window` must be at least 1, got 0"):
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


def test_an_infinite_gradient_of_a_finite_loss_stops_too():
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)  # 10 * w * 3e38 is 0 at w = 0, and its slope is beyond float32
    with pytest.raises(RuntimeError, match="stopped at step 1: the norm of the gradient is inf"):
        fit(model, [torch.full((1, 1), 3e38)], lambda m, x: 10 * m(x).sum(), max_steps=2, progress=False)
    assert model.weight.item() == 0.0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_steps": 0}, ValueError, "`max_steps` must be at least 1, got 0"),
        ({"validate_every": 0}, ValueError, "`validate_every` must be at least 1, got 0"),
        ({"checkpoint_every": -1}, ValueError, "`checkpoint_every` must be at least 1, got -1"),
        ({"clip_norm": 0.0}, ValueError, "`clip_norm` must be more than 0"),
        ({"clip_norm": math.nan}, ValueError, "`clip_norm` must be more than 0"),
        ({"precision": "fp16"}, ValueError, "`precision` must be .*, got 'fp16'"),
        ({"model": nn.ReLU()}, ValueError, "`model` must have parameters to train, ReLU has none"),
        ({"batches": 3}, TypeError, "`batches` must be an iterable or a function of the step, got int"),
        ({"batches": []}, RuntimeError, "`batches` ran out before step 1"),
        ({"batches": iter([1, 2])}, RuntimeError, "`batches` ran out before step 3"),
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


# Batches.


def test_token_batches_in_order_by_hand():
    # 13 tokens have 12 places; two rows start at 0 and 6, four tokens a step, and go round
    batch = token_batches(torch.arange(100, 113), batch_size=2, length=4)
    inputs, targets = batch(1)
    assert (inputs - 100).tolist() == [[0, 1, 2, 3], [6, 7, 8, 9]]
    assert torch.equal(targets, inputs + 1)
    assert (batch(2)[0] - 100).tolist() == [[4, 5, 6, 7], [10, 11, 0, 1]]
    assert (batch(2)[1] - 100).tolist() == [[5, 6, 7, 8], [11, 12, 1, 2]]
    seen = torch.cat([batch(step)[0].flatten() for step in (1, 2, 3)])
    assert sorted((seen - 100).tolist()) == sorted([*range(12), *range(12)])  # 24 tokens are two rounds


def test_token_batches_at_random():
    batch = token_batches(torch.arange(50), 7, 5, shuffle=True, generator=torch.Generator().manual_seed(1))
    again = token_batches(torch.arange(50), 7, 5, shuffle=True, generator=torch.Generator().manual_seed(1))
    other = token_batches(torch.arange(50), 7, 5, shuffle=True, generator=torch.Generator().manual_seed(2))
    again(3)
    inputs, targets = batch(9)
    assert torch.equal(inputs, again(9)[0])  # a function of the step, not of what was asked before
    assert not torch.equal(inputs, other(9)[0])
    assert not torch.equal(inputs, batch(10)[0])
    assert torch.equal(targets, inputs + 1)
    places = {int(batch(step)[0][row, 0]) for step in range(1, 200) for row in range(7)}
    assert places == set(range(45))  # every window that has a next token, the last one too


def test_example_batches_give_each_example_once_an_epoch():
    x, y = torch.arange(11), torch.arange(11) * 2
    batch = example_batches((x, y), 3, generator=torch.Generator().manual_seed(0))
    epochs = [torch.cat([batch(3 * epoch + i)[0] for i in (1, 2, 3)]).tolist() for epoch in range(3)]
    assert all(len(set(epoch)) == 9 for epoch in epochs)
    assert epochs[0] != epochs[1]
    assert {example for epoch in epochs for example in epoch} == set(range(11))  # those left over have their turn
    again = example_batches((x, y), 3, generator=torch.Generator().manual_seed(0))
    assert torch.equal(again(8)[1], batch(8)[0] * 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: token_batches(torch.arange(5), 2, 5), "at least 6 tokens for batch_size=2, length=5"),
        (lambda: token_batches(torch.arange(5), 5, 2), "at least 6 tokens"),
        (lambda: token_batches(torch.zeros(5, 5), 1, 1), "whole numbers of shape"),
        (lambda: token_batches(torch.arange(5), 0, 1), "must be at least 1, got 0 and 1"),
        (lambda: example_batches((), 1), "must be tensors of one first dimension, got"),
        (lambda: example_batches((torch.zeros(3), torch.zeros(4)), 1), r"got \[3, 4\]"),
        (lambda: example_batches((torch.zeros(3),), 4), "1..N with N=3 examples, got 4"),
    ],
)
def test_bad_batches(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# Resuming.


class KilledError(Exception):
    """Stands for kill -9 within one process."""


IDS = torch.randint(5, (200,), generator=torch.Generator().manual_seed(0))


def lm(dropout=0.3):
    return RecurrentLM(RecurrentConfig(5, embed_dim=3, hidden_size=7, num_layers=2, cell="lstm", dropout=dropout))


def in_order():
    return lm(), token_batches(IDS, 3, 5), TruncatedBPTTLoss()


def at_random():
    model = lm()
    return model, token_batches(IDS, 3, 5, shuffle=True), lambda m, b: m.loss(*b)[0]


def from_a_loader():
    model = nn.Sequential(nn.Linear(2, 3), nn.Dropout(0.4), nn.Linear(3, 1))
    data = line()[1]
    torch.manual_seed(5)
    return model, DataLoader(TensorDataset(*data), batch_size=7, shuffle=True), square_error


def from_a_noisy_generator():
    model = nn.Linear(2, 1)

    def batches():
        while True:
            yield torch.randn(3, 2) + float(np.random.rand()), torch.full((3, 1), random.random())  # noqa: NPY002

    return model, batches(), square_error


def run(make, path, *, kill_at=None, every=1, seed=3, max_steps=STEPS, kind="adamw", clear=False):
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)
    model, batches, loss = make()
    if clear:  # a new process starts from other numbers than the killed one had reached
        for parameter in model.parameters():
            nn.init.zeros_(parameter)
    optimizer = {
        "adamw": lambda: adamw(model, lr=0.02),
        "sgd": lambda: torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9),
    }[kind]()
    calls = 0

    def counted(model, batch):
        nonlocal calls
        calls += 1
        if kill_at is not None and calls == kill_at:
            raise KilledError
        return loss(model, batch)

    if hasattr(loss, "state_dict"):
        counted.state_dict, counted.load_state_dict = loss.state_dict, loss.load_state_dict
    history = fit(
        model,
        batches,
        counted,
        optimizer=optimizer,
        schedule=lambda step: linear_schedule(step, max_steps=max_steps, warmup=3),
        max_steps=max_steps,
        validate=lambda m: float(torch.rand(())),  # a validation that draws random numbers
        validate_every=4,
        checkpoint=path,
        checkpoint_every=every,
        progress=False,
    )
    return model, history


def assert_same(one, other):
    (model, history), (model2, history2) = one, other
    for (name, mine), theirs in zip(model.state_dict().items(), model2.state_dict().values(), strict=True):
        assert torch.equal(mine, theirs), name
    for name in ("loss", "lr", "grad_norm", "validation"):
        assert getattr(history, name) == getattr(history2, name), name


@pytest.mark.parametrize("make", [in_order, at_random, from_a_loader, from_a_noisy_generator])
@pytest.mark.parametrize("every", [1, 3])
def test_killed_at_any_step_and_resumed_gives_the_same_bits(tmp_path, make, every):
    whole = run(make, None)
    for first_kill in [1, *random.Random(every).sample(range(2, STEPS), 3), STEPS]:
        path = tmp_path / f"state-{first_kill}"
        with pytest.raises(KilledError):
            run(make, path, kill_at=first_kill, every=every)
        with pytest.raises(KilledError):
            run(make, path, kill_at=1, every=every)  # killed again, before it had done a step
        resumed = run(make, path, every=every, clear=path.exists())
        assert_same(resumed, whole)
        assert resumed[1].resumed_from == (first_kill - 1) // every * every


def test_other_optimizers_resume_too(tmp_path):
    whole = run(from_a_loader, None, kind="sgd")
    with pytest.raises(KilledError):
        run(from_a_loader, tmp_path / "state", kill_at=8, kind="sgd")
    assert_same(run(from_a_loader, tmp_path / "state", kind="sgd"), whole)


def test_a_finished_training_is_not_done_again_and_can_be_lengthened(tmp_path):
    path = tmp_path / "state"
    first = run(in_order, path)
    again = run(in_order, path, kill_at=1, clear=True)  # would be killed at its first step, but there is none
    assert_same(again, first)
    assert again[1].resumed_from == STEPS
    _, history = run(in_order, path, max_steps=STEPS + 4)
    assert len(history) == STEPS + 4
    with pytest.raises(CheckpointError, match=f"at step {STEPS + 4}, beyond max_steps={STEPS}"):
        run(in_order, path)


def test_checkpoints_of_something_else_are_refused(tmp_path):
    path = tmp_path / "state"
    run(in_order, path)
    with pytest.raises(CheckpointError, match="is of another model than this Sequential: they differ in"):
        run(from_a_loader, path)
    with pytest.raises(CheckpointError, match="a training with AdamW, `optimizer` is SGD"):
        run(in_order, path, kind="sgd")
    with pytest.raises(CheckpointError, match="another `loss`"):
        run(at_random, path)
    model = lm()
    one_group = torch.optim.AdamW(model.parameters())
    with pytest.raises(CheckpointError, match="does not fit `optimizer`"):
        fit(model, [1], TruncatedBPTTLoss(), optimizer=one_group, max_steps=STEPS, checkpoint=path, progress=False)
    larger = RecurrentLM(RecurrentConfig(6, embed_dim=3, hidden_size=7, num_layers=2))
    with pytest.raises(CheckpointError, match=r"'embedding.weight'.*\(5, 3\).*there, .*\(6, 3\)"):
        fit(larger, [1], TruncatedBPTTLoss(), max_steps=STEPS, checkpoint=path, progress=False)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match="damaged"):
        run(in_order, path)


SCRIPT = """
import hashlib, sys, torch
from lmcourse.models.recurrent import TruncatedBPTTLoss, RecurrentConfig, RecurrentLM
from lmcourse.training import adamw, fit, token_batches

torch.manual_seed(0)
ids = torch.randint(11, (5000,))
model = RecurrentLM(RecurrentConfig(11, embed_dim=16, hidden_size=32, num_layers=2, dropout=0.2))
history = fit(model, token_batches(ids, 8, 32), TruncatedBPTTLoss(), optimizer=adamw(model, lr=0.01), max_steps=400,
              checkpoint=sys.argv[1], checkpoint_every=int(sys.argv[2]), progress=False)
digest = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in model.parameters()))
digest.update(repr(history.loss).encode())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_a_process_killed_for_good_goes_on_to_the_same_bits(tmp_path):
    def start(path, every):
        lib = Path(__file__).parents[2] / "lib"
        environment = {**os.environ, "PYTHONPATH": str(lib), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-c", SCRIPT, str(path), str(every)]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(process):
        out, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        return out.strip()

    whole = finish(start(tmp_path / "whole", 400))
    draw = random.Random(0)
    kills, path = 0, tmp_path / "killed"
    while kills < 4:
        before = path.read_bytes() if path.exists() else b""
        process = start(path, 3)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            if path.exists() and path.read_bytes() != before:
                break
            time.sleep(0.01)
        time.sleep(draw.random() * 0.3)  # into the middle of something, a write perhaps
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
    assert kills >= 2
    assert 0 < len(load_training_state(path)["history"]["loss"]) < 400
    assert finish(start(path, 3)) == whole
    assert len(whole) == hashlib.sha256().digest_size * 2


@pytest.mark.gpu
def test_on_a_gpu_auto_precision_is_bfloat16_and_a_resumption_is_exact(tmp_path):
    def make():
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(16, 32), nn.Dropout(0.5), nn.Linear(32, 5)).cuda()
        data = torch.randn(64, 16), torch.randint(5, (64,))
        return model, example_batches(data, 16, generator=torch.Generator().manual_seed(1))

    kinds = []

    def loss(model, batch):
        logits = model(batch[0])
        kinds.append(logits.dtype)
        return F.cross_entropy(logits.float(), batch[1])

    model, batches = make()
    whole = fit(model, batches, loss, max_steps=10, progress=False)
    assert set(kinds) == {torch.bfloat16}
    other, batches = make()

    def killed(model, batch):
        if killed.left == 0:
            raise KilledError
        killed.left -= 1
        return loss(model, batch)

    killed.left = 6
    with pytest.raises(KilledError):
        fit(other, batches, killed, max_steps=10, checkpoint=tmp_path / "s", checkpoint_every=2, progress=False)
    other, batches = make()
    history = fit(other, batches, loss, max_steps=10, checkpoint=tmp_path / "s", progress=False)
    assert history.resumed_from == 6
    assert history.loss == whole.loss
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), other.parameters(), strict=True))
