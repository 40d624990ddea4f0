"""A training that was interrupted or killed: what is left of it, and that it resumes to the same result."""

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
from lmcourse.training import CheckpointError, History, adamw, example_batches, fit, token_batches
from lmcourse.training.schedules import linear_schedule
from lmcourse.training.states import load_training_state, save_training_state
from tests.training.test_loop import line, square_error

STEPS = 13


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
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
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
    save_training_state(path, {"score": 0.5})
    with pytest.raises(CheckpointError, match="state is no training state of `fit`: it has no accumulate, base_rates"):
        run(in_order, path)
    path.write_bytes(path.read_bytes()[:100])
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


# What is left after an interruption.


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
@pytest.mark.parametrize("where", ["loss", "schedule", "validate", "optimizer"])
def test_the_caller_keeps_the_history_of_an_interrupted_training(error, where):
    model, data = line()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    calls = {"loss": 0, "schedule": 0, "validate": 0, "optimizer": 0}

    def count(name, value):
        calls[name] += 1
        if name == where and calls[name] == 6:
            raise error
        return value

    optimizer.register_step_post_hook(lambda *_: count("optimizer", None))
    history = History()
    with pytest.raises(error):
        fit(
            model, [data], lambda m, b: count("loss", square_error(m, b)), optimizer=optimizer, max_steps=9,
            schedule=lambda step: count("schedule", 0.5), validate=lambda m: count("validate", 1.0), validate_every=1,
            history=history, progress=False,
        )  # fmt: skip
    done = 6 if where == "validate" else 5
    assert len(history.loss) == len(history.lr) == len(history.grad_norm) == done
    assert history.validation == [(step, 1.0) for step in range(1, 6)]
    assert optimizer.param_groups[0]["lr"] == 0.01  # restored
    assert not model.training


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interruption_carries_the_history(error):
    model, data = line()
    steps = []

    def loss(model, batch):
        steps.append(1)
        if len(steps) == 4:
            raise error
        return square_error(model, batch)

    with pytest.raises(error) as caught:
        fit(model, [data], loss, max_steps=9, progress=False)
    assert len(caught.value.history) == 3


def test_the_caller_keeps_the_history_of_a_training_that_met_nan():
    model, data = line()
    history = History()
    with pytest.raises(RuntimeError, match="stopped at step 4: the loss is nan"):
        fit(model, lambda step: data, lambda m, b: square_error(m, b) * (math.nan if len(history) == 3 else 1.0),
            max_steps=9, history=history, progress=False)  # fmt: skip
    assert len(history) == 3


def test_a_step_that_was_recorded_in_part_is_dropped():
    history = History()

    class Interrupted(list):
        def append(self, value):
            if len(self) == 2:
                raise KeyboardInterrupt
            super().append(value)

    history.lr = Interrupted()
    model, data = line()
    with pytest.raises(KeyboardInterrupt):
        fit(model, [data], square_error, max_steps=5, history=history, progress=False)
    assert len(history.loss) == len(history.lr) == len(history.grad_norm) == 2


def test_a_history_with_steps_is_continued():
    """Twice three steps are six steps: in the batches, the schedule and the validations."""
    results = []
    for parts in ([6], [3, 6]):
        model = lm(dropout=0.0)
        nn.init.normal_(model.embedding.weight, generator=torch.Generator().manual_seed(0))
        for parameter in list(model.parameters())[1:]:
            nn.init.uniform_(parameter, -0.1, 0.1, generator=torch.Generator().manual_seed(1))
        batches = token_batches(IDS, 3, 5, shuffle=True, generator=torch.Generator().manual_seed(2))
        history, optimizer = History(), adamw(model)
        for max_steps in parts:
            found = fit(
                model, batches, lambda m, b: m.loss(*b)[0], optimizer=optimizer, schedule=lambda step: 1 / step,
                validate=lambda m: 1.0, validate_every=2, max_steps=max_steps, history=history, progress=False,
            )  # fmt: skip
            assert found is history
        results.append((model, history))
    (whole, history), (parts, history2) = results
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), parts.parameters(), strict=True))
    assert history.loss == history2.loss
    assert history.lr == history2.lr
    assert history2.validation == [(2, 1.0), (3, 1.0), (4, 1.0), (6, 1.0)]


def test_a_checkpoint_replaces_what_the_history_holds(tmp_path):
    """After an interruption at step 6, with the checkpoint of step 4: steps 5 and 6 are done again."""
    model, data = line()
    history = History()

    def loss(model, batch):
        if len(history) == 6 and not loss.again:
            raise KeyboardInterrupt
        return square_error(model, batch)

    loss.again = False
    options = {"checkpoint": tmp_path / "s", "checkpoint_every": 4, "history": history, "progress": False}
    with pytest.raises(KeyboardInterrupt):
        fit(model, [data], loss, max_steps=9, **options)
    assert len(history) == 6
    interrupted = list(history.loss)
    loss.again = True
    fit(model, [data], loss, max_steps=9, **options)
    assert len(history) == 9
    assert history.resumed_from == 4
    assert history.loss[:6] == interrupted
