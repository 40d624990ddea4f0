"""The registry of recorded runs: whatever the pages show is written by one command, and each record names it."""

import importlib.util
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from experiments.__main__ import chosen, registry

CHAPTERS = Path(__file__).parents[2] / "chapters"
ENTRIES = registry()
RECORDED = sorted(path.stem for path in (CHAPTERS / "recorded").glob("*.json"))


def test_every_recorded_run_and_checkpoint_is_written_by_one_entry():
    written = Counter(name for entry in ENTRIES for name in entry.writes)
    checkpoints = {path.name.split(".")[0] for path in (CHAPTERS / "checkpoints").iterdir()}
    assert set(written) == {f"recorded/{name}" for name in RECORDED} | {f"checkpoints/{name}" for name in checkpoints}
    assert set(written.values()) == {1}


@pytest.mark.parametrize("name", RECORDED)
def test_a_record_names_the_command_of_its_entry(name):
    (entry,) = [entry for entry in ENTRIES if entry.is_called(name)]
    said = json.loads((CHAPTERS / "recorded" / f"{name}.json").read_text(encoding="utf-8"))["command"]
    assert set(entry.command.split()) <= set(said.removeprefix("python -m ").split())
    assert importlib.util.find_spec(entry.command.split()[0])


def test_what_is_named_runs_once_in_the_order_of_the_registry():
    commands = [entry.command for entry in chosen(ENTRIES, ["recall", "gpt-live", "gpt-live-steps"], None)]
    assert commands == ["experiments.recall", "experiments.gpt_live"]
    assert [entry.command for entry in chosen(ENTRIES, ["checkpoints/gpt"], None)] == ["experiments.gpt"]
    assert {entry.kind for entry in chosen(ENTRIES, [], "benchmark")} == {"benchmark"}
    with pytest.raises(ValueError, match="nothing writes 'gpt-part'"):
        chosen(ENTRIES, ["gpt-part"], None)


def test_a_benchmark_is_told_where_to_write():
    (entry,) = chosen(ENTRIES, ["bpe-scaling"], None)
    assert entry.arguments() == ["benchmarks.bpe", "--scaling", "--out", "chapters/recorded/bpe-scaling.json"]


def test_a_line_that_is_no_entry_is_refused(tmp_path):
    (tmp_path / "registry.txt").write_text("# a comment\n\nexperiment | experiments.recall | ten | recorded/recall\n")
    with pytest.raises(ValueError, match=r"line 3: must be `kind \| command \| minutes \| files`"):
        registry(tmp_path / "registry.txt")


def test_the_command_lists_all_and_refuses_what_it_does_not_know():
    command = [sys.executable, "-m", "experiments"]
    listed = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True, cwd=CHAPTERS.parent)
    assert len(listed.stdout.splitlines()) == len(ENTRIES)
    refused = subprocess.run([*command, "no-such"], capture_output=True, text=True, check=False, cwd=CHAPTERS.parent)
    assert refused.returncode == 2
    assert "nothing writes 'no-such'" in refused.stderr
