"""Device, seeds, preset, claims."""

import random

import numpy as np
import pytest
import torch

from lmcourse import runtime
from lmcourse.runtime import ClaimFailedError, claim


def test_device_follows_the_environment(monkeypatch):
    monkeypatch.setenv("LMCOURSE_DEVICE", "cpu")
    assert runtime.device("cuda") == torch.device("cpu")
    monkeypatch.delenv("LMCOURSE_DEVICE")
    assert runtime.device("cpu") == torch.device("cpu")
    assert (
        runtime.device().type == ("cuda" if torch.cuda.is_available() else "cpu") or torch.backends.mps.is_available()
    )


def test_a_device_that_is_not_there_is_told(monkeypatch):
    monkeypatch.delenv("LMCOURSE_DEVICE", raising=False)
    with pytest.raises(ValueError, match=r"`prefer` must be a device that is present, got 'cuda:97'"):
        runtime.device("cuda:97")
    with pytest.raises(ValueError, match=r"`prefer` must name a device .* got 'gpu'"):
        runtime.device("gpu")


def test_seeds_repeat():
    def draws():
        generator = runtime.seed_everything(7)
        own = torch.rand(1, generator=generator).item()
        return random.random(), np.random.random_sample(), torch.rand(1).item(), own  # noqa: NPY002

    assert draws() == draws()
    for bad, error in ((-1, ValueError), (2**32, ValueError), (1.0, TypeError), (True, TypeError)):
        with pytest.raises(error, match="`seed`"):
            runtime.seed_everything(bad)


def test_preset_picks(monkeypatch):
    for name, value in (("smoke", 1), ("laptop", 2), ("gpu", 3)):
        monkeypatch.setenv("LMCOURSE_PRESET", name)
        assert runtime.preset() == name
        assert runtime.pick(smoke=1, laptop=2, gpu=3) == value
        assert runtime.pick(laptop=2) == 2
    monkeypatch.setenv("LMCOURSE_PRESET", "huge")
    with pytest.raises(ValueError, match="LMCOURSE_PRESET must be one of smoke, laptop, gpu, got 'huge'"):
        runtime.preset()
    monkeypatch.delenv("LMCOURSE_PRESET")
    assert runtime.preset() == "laptop"


def test_claims(capsys, monkeypatch):
    claim("water is wet", True)
    assert capsys.readouterr().out == "checked: water is wet\n"
    with pytest.raises(ClaimFailedError, match="does not hold: fire is wet"):
        claim("fire is wet", lambda: False)
    claim("of another text", False, on="shakespeare", present="python-docs")
    assert capsys.readouterr().out == "not checked (python-docs stands in for shakespeare): of another text\n"
    with pytest.raises(ClaimFailedError):
        claim("of this text", np.bool_(False), on="shakespeare", present="shakespeare")
    monkeypatch.setenv("LMCOURSE_PRESET", "smoke")
    claim("too small to tell", False, on="shakespeare", present="shakespeare")
    assert "smoke run" in capsys.readouterr().out
    with pytest.raises(ClaimFailedError):
        claim("true at any size", False)
