"""Several processes train as one would: same losses at the same global batch, one error, one state."""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
import torch

from lmcourse.training import distributed, process_group
from tests.training import together

ROOT = Path(__file__).parents[2]
EXACT = 1e-6  # sums in another order
#: What two of the others do one at a time: run with four processes alone, which is slow.
WITH_FOUR = ("accumulated", "sharded, accumulated", "rounded muon", "sharded, rounded muon")
ROUNDED = 2e-4  # in bfloat16 the last digit of a gradient can become the third digit of an update


@cache
def processes(number: int) -> list[dict]:
    """What each of some processes has found in all cases."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(number),
               "-m", "tests.training.together"]  # fmt: skip
    names = [name for name in together.CASES if number > 2 or name not in WITH_FOUR]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, folder, *names],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"LMCOURSE_DEVICE": "cpu"},
        )
    assert done.returncode == 0, done.stderr[-5000:]
    return json.loads(done.stdout.splitlines()[-1])


@cache
def alone(case: str) -> dict:
    """What one process finds."""
    with tempfile.TemporaryDirectory() as folder:
        return together.CASES[case](Path(folder))


NUMBERS = [2, pytest.param(4, marks=pytest.mark.slow)]


def with_numbers(cases):
    daily = [(case, 2) for case in cases if case not in WITH_FOUR]
    return [*daily, *(pytest.param(case, 4, marks=pytest.mark.slow) for case in cases)]


SAME = {
    "plain": ("plain", EXACT),
    "accumulated": ("plain", EXACT),
    "counted": ("counted", EXACT),
    "counted, accumulated": ("counted", EXACT),
    "sharded": ("plain", EXACT),
    "sharded, accumulated": ("plain", EXACT),
    "wrapped": ("plain", EXACT),
    "muon": ("muon", EXACT),
    "sharded, muon": ("muon", EXACT),
    "rounded muon": ("rounded muon", ROUNDED),
    "sharded, rounded muon": ("rounded muon", ROUNDED),
}


@pytest.mark.parametrize(("case", "number"), with_numbers(SAME))
def test_losses_are_those_of_one_process(case, number):
    twin, rel = SAME[case]
    found = processes(number)
    for each in found:
        assert each[case]["loss"] == pytest.approx(alone(twin)["loss"], rel=rel)
        if rel == EXACT:
            assert each[case]["grad_norm"] == pytest.approx(alone(twin)["grad_norm"], rel=10 * rel)
        assert each[case] == found[0][case]  # one history


@pytest.mark.parametrize("number", NUMBERS)
def test_a_validation_is_the_mean_over_the_processes(number):
    mean = (number - 1) / 2
    assert all(each["validated"]["validation"] == [[6, mean], [12, mean]] for each in processes(number))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_loss_that_goes_round_the_wrapper_is_refused(number):
    for each in processes(number):
        assert each["round forward"]["error"].startswith(
            "ValueError: `loss` must call `model(...)`, got a loss that goes round the forward of Distributed"
        )


@pytest.mark.parametrize("number", NUMBERS)
def test_nan_in_one_process_stops_all_with_one_message(number):
    messages = {each["nan"]["error"] for each in processes(number)}
    assert len(messages) == 1
    assert f"training stopped at step 4: the loss is nan in process {number - 1} of {number}." in messages.pop()


@pytest.mark.parametrize("number", NUMBERS)
def test_a_request_to_stop_in_one_process_stops_all_after_that_step(number):
    assert {len(each["stopped"]["loss"]) for each in processes(number)} == {5}


def test_processes_that_were_called_differently_are_refused():
    for each in processes(2):
        assert each["unequal"]["error"] == "ValueError: `max_steps` must be the same in all processes, got [5, 6]."


@pytest.mark.parametrize(("case", "number"), with_numbers(["carried", "sharded, resumed", "sharded, muon, resumed"]))
def test_a_stopped_training_goes_on_as_if_it_had_not_been_stopped(case, number):
    """To the same bits in two processes; four add their gradients in an order that differs from run to run."""
    for each in processes(number):
        whole, parts = each[case]["whole"], each[case]["parts"]
        assert len(whole["loss"]) == together.STEPS
        if number == 2:
            assert parts == whole
        assert parts["loss"] == pytest.approx(whole["loss"], rel=1e-4)


def test_without_a_group_there_is_one_process():
    assert (distributed.rank(), distributed.world_size()) == (0, 1)
    assert distributed.gathered(2.5, torch.tensor(3), device=torch.device("cpu")) == [[2.5, 3.0]]
    assert distributed.gathered_objects("x") == ["x"]
    distributed.check_same(name=1)


def test_a_group_of_one_trains_and_leaves_nothing_behind():
    with process_group():
        assert distributed.is_running()
        with process_group():  # of the one that is there
            assert distributed.world_size() == 1
        assert distributed.is_running()
        sharded = together.train(together.shard(together.gpt()))
    assert not distributed.is_running()
    assert sharded["loss"] == pytest.approx(alone("plain")["loss"], rel=EXACT)


def test_more_processes_than_gpus_are_refused(monkeypatch):
    monkeypatch.setattr(distributed.runtime, "device", lambda: torch.device("cuda"))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    message = "needs a GPU of its own, got 2 processes and 1 GPU on this machine: give torchrun a smaller --nproc-per-"
    with pytest.raises(RuntimeError, match=message), process_group():
        pass
    assert not distributed.is_running()


def test_gradients_that_differ_are_refused():
    with pytest.raises(RuntimeError, match="stopped at step 3: the gradients of the processes differ"):
        distributed.check_norms(3, [1.0, 1.1])
    distributed.check_norms(3, [1.0, 1.0 + 1e-6])
