"""The record of what is done: whole or old, never half; damaged files are kept; several notebooks at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lmcourse import progress as module
from lmcourse.exercises import CheckFailedError, Progress, check, find_task, hint

right = find_task("softmax").reference


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "state" / "progress.json"
    monkeypatch.setenv("LMCOURSE_STATE", str(path))
    monkeypatch.delenv("LMCOURSE_VERDICTS", raising=False)
    return path


def test_nothing_done_yet() -> None:
    assert Progress().read() == {}


def test_attempts_are_counted_and_passed_stays_passed(path: Path) -> None:
    progress = Progress()
    progress.attempt("softmax", passed=False)
    progress.attempt("softmax", passed=True)
    progress.attempt("softmax", passed=False)
    assert Progress(path).read() == {"softmax": {"passed": True, "attempts": 3, "hints": 0}}


def test_a_part_of_the_points_counts_until_the_task_is_passed(path: Path) -> None:
    progress = Progress()
    for earned in (1.5, 2.25, 1.0):
        progress.attempt("softmax", passed=False, earned=earned)
    assert progress.read()["softmax"]["part"] == 2.25
    (softmax,) = [each for each in progress.tasks() if each.task.name == "softmax"]
    assert (softmax.passed, softmax.earned) == (False, 2.25 if softmax.task.points > 2 else softmax.task.points)
    done, points = module.points_done(progress.tasks())
    assert (done, points > done) == (softmax.earned, True)
    progress.attempt("softmax", passed=True, earned=softmax.task.points)
    assert module.points_done(progress.tasks())[0] == softmax.task.points


def test_what_could_not_be_read_again_is_not_written(path: Path) -> None:
    progress = Progress()
    progress.attempt("softmax", passed=False, earned=1.5)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="`earned` must be finite"):
        progress.attempt("softmax", passed=False, earned=float("inf"))
    with pytest.raises(TypeError, match="`n_hints` must be a whole number"):
        progress.next_hint("softmax", 2.5)  # type: ignore[arg-type]
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", ["1", True, -1.0, None])
def test_a_damaged_part_is_an_error(path: Path, part: object) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"softmax": {"passed": False, "attempts": 1, "hints": 0, "part": part}}))
    with pytest.raises(ValueError, match="damaged at 'softmax'"):
        Progress().read()


def test_check_keeps_the_record() -> None:
    with pytest.raises(CheckFailedError):
        check("softmax", lambda scores, banned: scores)
    check("softmax", right)
    assert Progress().read()["softmax"] == {"passed": True, "attempts": 2, "hints": 0}


def test_a_path_given_goes_before_the_environment(tmp_path: Path, path: Path) -> None:
    Progress(tmp_path / "mine.json").attempt("softmax", passed=True)
    assert (tmp_path / "mine.json").exists()
    assert not path.exists()


def test_a_write_that_fails_leaves_the_old_file_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Progress().attempt("softmax", passed=True)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        Progress().attempt("softmax", passed=True)
    assert path.read_bytes() == before
    assert [other.name for other in path.parent.iterdir() if other.suffix != ".lock"] == ["progress.json"]


def test_a_full_disk_does_not_break_check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "replace", full)
    assert check("softmax", right).passed
    assert "progress is not recorded" in capsys.readouterr().out
    hint("softmax")
    assert "Hint 1 of 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b'"done"',
        b'{"softmax": 3}',
        b'{"softmax": {"attempts": 1}}',
        b'{"softmax": {"passed": true, "attempts": "many", "hints": 0}}',
    ],
)
def test_a_damaged_file_is_told_and_kept(path: Path, content: bytes, capsys: pytest.CaptureFixture) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"progress\.json"):
        Progress().read()
    assert check("softmax", right).passed
    told = capsys.readouterr().out
    assert "progress is not recorded" in told
    assert "progress.json" in told
    hint("softmax")
    assert "Hint 1 of 3" in capsys.readouterr().out
    assert path.read_bytes() == content


def test_nowhere_to_write_does_not_break_check_or_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "file" / "progress.json"))
    assert check("softmax", right).passed
    assert "progress is not recorded" in capsys.readouterr().out
    hint("softmax")
    hint("softmax")
    assert capsys.readouterr().out.count("Hint 1 of 3") == 2


def test_a_read_only_folder_does_not_break_check_or_hint(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    if hasattr(os, "geteuid") and os.geteuid() != 0:
        path.parent.mkdir()
        path.parent.chmod(0o500)
    else:  # root may write anywhere: let the lock be refused as the system would

        def refused(*_: object, **__: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(module.FileLock, "acquire", refused)
    assert check("softmax", right).passed
    assert "progress is not recorded" in capsys.readouterr().out
    hint("softmax")
    assert "Hint 1 of 3" in capsys.readouterr().out


_WORK = """
import os, sys, types
room = sys.argv[1]
package = types.ModuleType("lmcourse.exercises")  # the module alone, without torch: this test is about two writers
package.__path__ = [room]
sys.modules["lmcourse.exercises"] = package
from lmcourse.progress import Progress
print("ready", flush=True)
sys.stdin.readline()
for _ in range(40):
    Progress().attempt("softmax", passed=False)
    Progress().attempt(f"own_{os.getpid()}", passed=True)
"""


def test_two_processes_at_once_lose_nothing() -> None:
    command = [sys.executable, "-c", _WORK, str(Path(module.__file__).parent)]
    workers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:  # both are waiting: now they write at the same time
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0]
    record = Progress().read()
    assert record["softmax"]["attempts"] == 80
    assert len(record) == 3
    for worker in workers:
        worker.stdout.close()  # type: ignore[union-attr]
        worker.stdin.close()  # type: ignore[union-attr]


def test_hints_come_in_order_and_the_last_one_stays(capsys: pytest.CaptureFixture, path: Path) -> None:
    for _ in range(5):
        hint("softmax")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"Hint {number} of 3" for number in (1, 2, 3, 3, 3)]
    assert len(set(lines)) == 3
    hint("phrase_matrix")
    assert capsys.readouterr().out.startswith("Hint 1 of 3")
    assert json.loads(path.read_text())["softmax"] == {"passed": False, "attempts": 0, "hints": 3}


def test_hint_of_an_unknown_task() -> None:
    with pytest.raises(ValueError, match="do you mean softmax"):
        hint("sofmax")
