"""What an experiment has found stays found: it goes on where it was killed."""

import pytest

from experiments.recording import Kept


def test_a_run_is_made_once_also_after_another_start(tmp_path):
    path = tmp_path / "state" / "runs.json"
    assert Kept(path).once("a", lambda: {"bits": 2.5}) == {"bits": 2.5}
    assert Kept(path).once("a", lambda: pytest.fail("made again")) == {"bits": 2.5}
    assert Kept(path).once("b", lambda: [1]) == [1]
    assert Kept(path).found == {"a": {"bits": 2.5}, "b": [1]}
