"""The command, as a person types it."""

import json
import os
import re
import subprocess
import sys

import nbformat
import pytest
from click.testing import CliRunner

from lmcourse import course
from lmcourse.cli import main
from lmcourse.exercises import Progress, find_task


def run(*arguments):
    return CliRunner().invoke(main, list(arguments))


def notebook(path, *cells, chapter=None):
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    if chapter:
        page.metadata["lmcourse"] = {"chapter": chapter}
    nbformat.write(page, path)
    return str(path)


SET_UP = "import numpy as np\nfrom lmcourse.exercises import check"
RIGHT = """def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("no word is left")
    e = np.where(np.isin(np.arange(len(scores)), banned), -np.inf, scores)
    e = np.exp(e - e.max())
    return e / e.sum()"""
UNDIVIDED = """def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("no word is left")
    e = np.where(np.isin(np.arange(len(scores)), banned), -np.inf, scores)
    return np.exp(e - e.max())"""


def test_help_names_every_command():
    shown = run("--help").output
    for command in ("lab", "doctor", "data", "check", "hint", "progress", "train"):
        assert command in shown


def test_the_commands_that_only_tell_something_do_without_torch(tmp_path):
    commands = [["--help"], ["hint", "masked_softmax"], ["progress"], ["data", "list"], ["doctor"]]
    code = f"""
import sys
sys.modules["torch"] = None  # whoever imports it meets an ImportError
from click.testing import CliRunner
from lmcourse.cli import main
for command in {commands}:
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0 and result.output, (command, result)
"""
    environment = os.environ | {"LMCOURSE_STATE": str(tmp_path / "progress.json")}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_doctor_says_what_is_wrong_with_a_torch_that_cannot_be_imported(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    result = run("doctor", "--device")
    assert result.exit_code == 1
    assert "MISSING a device to compute on  (ModuleNotFoundError: " in result.output


def test_doctor_and_data():
    result = run("doctor", "--device")
    assert re.search(r"ok +a device to compute on +\(\w+, \d+ threads\)", result.output)
    result = run("doctor")
    assert result.exit_code == 0, result.output
    assert "ok      package torch" in result.output
    listed = run("data", "list").output
    assert "shakespeare" in listed
    assert "CC BY 2.5" in listed
    assert "Apache-2.0" in listed


def test_text_to_tokens_to_a_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("one two three four five six seven eight nine ten\n" * 200)
    done = run("data", "tokenize", "text.txt", "--out", "tokens", "--vocab-size", "280", "--valid-share", "0.1")
    assert done.exit_code == 0, done.output
    assert "tokens to train on" in done.output
    example = run("train", "--example", "tiny").output
    (tmp_path / "config.toml").write_text(
        example.replace("= 128", "= 16").replace("= 500", "= 3").replace("= 50", "= 1")
    )
    done = run("train", "config.toml", "--no-progress")
    assert done.exit_code == 0, done.output
    assert "bits per byte on" in done.output
    assert (tmp_path / "run" / "model.safetensors").exists()


def test_what_a_training_would_cost(tmp_path):
    (tmp_path / "config.toml").write_text(run("train", "--example", "gpt2_small_8_gpus").output)
    shown = run("train", str(tmp_path / "config.toml"), "--expect", "H100", "--processes", "8").output
    assert "23.4 GB on each" in shown
    assert "48% of the peak" in shown
    result = run("train", str(tmp_path / "config.toml"), "--expect", "B1", "--processes", "8")
    assert (result.exit_code, "`device` must be one of" in result.output) == (2, True)


def test_tokenizing_and_training_say_what_is_wrong(tmp_path):
    for arguments, message in (
        (("data", "tokenize", "none.txt", "--out", str(tmp_path / "x")), "there is no file none.txt"),
        (
            ("data", "tokenize", "a", "--out", "b", "--vocab-size", "300", "--tokenizer", "gpt2"),
            "leave out --tokenizer",
        ),
        (("train", "--example", "huge"), "`name` must be one of 'gpt2_small_1_gpu'"),
        (("train",), "Give a config file, or --example."),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert message in result.output
        assert "Traceback" not in result.output


def test_fetching_what_does_not_exist():
    result = run("data", "fetch", "hamlet")
    assert result.exit_code == 2
    assert "there are shakespeare, python-docs" in result.output
    assert "Traceback" not in result.output


def test_fetching_offline(monkeypatch, tmp_path):
    monkeypatch.setenv("LMCOURSE_CACHE", str(tmp_path))
    monkeypatch.setenv("LMCOURSE_OFFLINE", "1")
    monkeypatch.setattr("lmcourse.data.fetching._failed", {})
    assert run("data", "fetch", "minilm").exit_code == 2
    result = run("data", "fetch", "--optional", "minilm")
    assert result.exit_code == 0
    assert "minilm is not on this machine" in result.output


def test_hints_come_one_after_another():
    texts = [run("hint", "softmax").output for _ in range(4)]
    assert [text.split(":")[0] for text in texts] == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"]
    result = run("hint", "sotfmax")
    assert result.exit_code == 2
    assert "do you mean softmax" in result.output


def test_progress():
    assert "[ ] softmax" in run("progress").output
    Progress().attempt("softmax", passed=True)
    Progress().attempt("softmax", passed=False)
    shown = run("progress").output
    assert "[x] softmax" in shown
    assert "2 tries" in shown
    Progress().attempt("SelfAttention", passed=False, earned=7)
    assert "[ ] SelfAttention            7 of 10 points  1 tries" in run("progress").output
    Progress().path.write_text("{broken")
    result = run("progress")
    assert result.exit_code == 2
    assert "is damaged" in result.output
    assert Progress().path.read_text() == "{broken"


def test_checking_a_notebook(tmp_path):
    path = notebook(tmp_path / "a.ipynb", SET_UP, RIGHT, 'check("softmax", softmax)')
    before = (tmp_path / "a.ipynb").read_bytes()
    result = run("check", path)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == f"{find_task('softmax').points} of {find_task('softmax').points} points"
    assert (tmp_path / "a.ipynb").read_bytes() == before
    assert [child.name for child in tmp_path.iterdir() if child.suffix == ".ipynb"] == ["a.ipynb"]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([SET_UP, UNDIVIDED, 'check("softmax", softmax)'], "not divided by their sum"),
        ([SET_UP, RIGHT, 'check("softmax", 3)'], "the answer must be a function"),
        ([SET_UP, "import os\nos._exit(3)", RIGHT, 'check("softmax", softmax)'], "the kernel died"),
        (["import time\ntime.sleep(60)", SET_UP, RIGHT, 'check("softmax", softmax)'], "a cell ran longer than 5 s"),
    ],
)
def test_what_is_wrong_with_a_notebook_is_told(tmp_path, cells, reason):
    path = notebook(tmp_path / "a.ipynb", *cells, chapter="00_start_here")
    result = run("check", path, "--cell-timeout", "5" if "sleep" in cells[0] else "60")
    assert result.exit_code == 1, result.output
    lines = result.output.splitlines()
    at = lines.index(next(line for line in lines if line.endswith("  softmax")))
    assert reason in " ".join(lines[at + 1 : at + 3])  # the second line is of the same task


def test_files_that_are_no_notebooks(tmp_path):
    (tmp_path / "text.ipynb").write_text("my essay")
    (tmp_path / "list.ipynb").write_text(json.dumps([1, 2]))
    (tmp_path / "cells.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 3}))
    (tmp_path / "binary.ipynb").write_bytes(b"\xff\xfe\x00")
    notebook(tmp_path / "other.ipynb", "1 + 1")
    for name in ("text", "list", "cells", "binary"):
        result = run("check", str(tmp_path / f"{name}.ipynb"))
        assert result.exit_code == 2, (name, result.output, result.exception)
        assert "is not a notebook" in result.output, name
    assert "holds no task of the course" in run("check", str(tmp_path / "other.ipynb")).output
    assert "there is no file" in run("check", str(tmp_path / "none.ipynb")).output
    assert run("check", str(tmp_path)).exit_code == 2


def test_lab_makes_a_folder_without_starting(tmp_path):
    result = run("lab", str(tmp_path / "course"), "--no-start")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "course" / course.START).is_file()


def test_lab_in_a_place_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("mine")
    result = run("lab", str(tmp_path / "file" / "course"), "--no-start")
    assert result.exit_code == 2
    assert "the course cannot be copied into" in result.output
    assert (tmp_path / "file").read_text() == "mine"
