"""No tensor is made on the wrong device: all of the library runs on a device whose tensors refuse those of the CPU."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@cache
def run(*options: str) -> dict:
    command = [sys.executable, "-m", "tests.devices.calls", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("where", ["--plant", pytest.param("--cuda", marks=pytest.mark.gpu)], ids=["pretended", "GPU"])
def test_every_call_layer_and_model_stays_on_its_device(where):
    found = run(where)
    assert found["faults"].keys() <= {"planted"}, found["faults"]
    least = {
        "layers": 45,
        "models": 110,
        "generation": 10,
        "training": 30,
        "alignment": 50,
        "layer": 20,
        "model": 20,
        "further:": 8,
    }
    assert all(found["counts"][kind] >= count for kind, count in least.items()), found["counts"]


def test_a_tensor_made_on_the_cpu_is_found():
    """`Planted` makes one without `device`, as a layer with the fault would."""
    message = run("--plant")["faults"]["planted"]
    assert "DeviceMixError" in message
    assert "add.Tensor" in message
