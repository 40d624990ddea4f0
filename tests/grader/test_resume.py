"""Killed, out of room, not allowed to write: what is finished is kept, what is not is done again, once."""

import csv
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from lmcourse.cli import main
from lmcourse.grader import classroom
from lmcourse.grader.classroom import Classroom, GradingError, mark_class
from lmcourse.grader.grade import grade_class
from lmcourse.grader.submissions import find_submissions
from tests.grader.classes import ROOT, answered, hand_in, needs_sandbox, points_of, solutions

pytestmark = needs_sandbox

CHAPTER = "00_start_here"
KINDS = (".json", ".published", ".html", ".ipynb", ".csv", ".db", ".py", ".txt", ".log")  # of the files of a run
#: Right but for scores so large or so small that exp overflows or gives 0: the borders are lost, no more.
OVERFLOWS = """def softmax(scores, banned):
    if len(set(banned)) == len(scores):
        raise ValueError("no word is left")
    e = np.exp(scores)
    e[banned] = 0
    return e / e.sum()"""
WRONG = {"softmax": OVERFLOWS, "lookup_rows": "x = 1"}


def make_class(folder: Path, students: int) -> Path:
    right = solutions(CHAPTER)
    for number in range(students):
        answers = {task: WRONG.get(task, code) if number % 3 == 1 else code for task, code in right.items()}
        content = answered(CHAPTER, answers if number % 4 != 3 else {}) if number % 7 != 5 else "no notebook"
        hand_in(folder / "submitted", f"student {number:02}", CHAPTER, content, time="2026-11-20 10:00:00 UTC")
    return folder / "submitted"


def tables(out: Path) -> tuple[bytes, list[dict[str, str]]]:
    """Both tables, without the seconds, which no two runs share."""
    with (out / "marks.csv").open(newline="") as file:
        marks = [{name: value for name, value in row.items() if name != "seconds"} for row in csv.DictReader(file)]
    return (out / "grades.csv").read_bytes(), marks


def command(submitted: Path, out: Path, seed: Path, jobs: int = 2) -> list[str]:
    line = [sys.executable, "-m", "lmcourse.cli", "grade", str(submitted), "--out", str(out)]
    return [*line, "--seed-file", str(seed), "--jobs", str(jobs)]


@pytest.mark.slow
def test_killed_at_twenty_moments_it_ends_with_the_same_table(tmp_path):
    submitted = make_class(tmp_path, 16)
    seed = tmp_path / "seed"
    seed.write_text("271828182845904")
    begun = time.monotonic()
    subprocess.run(command(submitted, tmp_path / "whole", seed), check=True, capture_output=True)
    whole_s = time.monotonic() - begun
    wanted = tables(tmp_path / "whole")
    draw = random.Random(20)
    for number in range(5):
        out = tmp_path / f"killed {number}"
        moments = [draw.uniform(0.1, 1.0) * whole_s for _ in range(4)]
        written: dict[Path, int] = {}
        for moment in moments:
            running = subprocess.Popen(
                command(submitted, out, seed), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            try:
                running.wait(moment)
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGKILL)
                running.wait()
            finished = {path: path.stat().st_mtime_ns for path in (out / "state").rglob("*.json")}
            assert written.items() <= finished.items(), "finished work was done again"
            written = finished
        done = subprocess.run(command(submitted, out, seed), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert tables(out) == wanted, f"killed after {moments} s"
        finished = {path: path.stat().st_mtime_ns for path in (out / "state").rglob("*.json")}
        assert written.items() <= finished.items(), "finished work was done again"
        parts = [path for path in out.rglob("*.part") if path.stat().st_mtime > time.time() - 1]
        assert not parts
        shutil.rmtree(out)


def test_a_run_broken_off_between_submissions_repeats_nothing(tmp_path, monkeypatch):
    submitted = make_class(tmp_path, 4)
    room = Classroom(submitted, tmp_path / "out", ROOT)
    marked = []
    real = classroom._Worker.mark

    def stops_after_two(self, submission):
        if len(marked) == 2:
            raise KeyboardInterrupt
        marked.append(submission.student)
        return real(self, submission)

    monkeypatch.setattr(classroom._Worker, "mark", stops_after_two)
    with pytest.raises(KeyboardInterrupt):
        mark_class(room, tell=lambda _: None)

    def goes_on(self, submission):
        marked.append(submission.student)
        return real(self, submission)

    monkeypatch.setattr(classroom._Worker, "mark", goes_on)
    results = mark_class(room, tell=lambda _: None)
    assert marked == [f"student {number:02}" for number in range(4)]
    assert [result.student for result in results] == marked
    hand_in(submitted, "student 01", CHAPTER, answered(CHAPTER, solutions(CHAPTER)))
    again = {result.student: result for result in mark_class(room, tell=lambda _: None)}
    assert marked[4:] == ["student 01"]
    assert (again["student 01"].attempt, again["student 01"].earned) == (2, points_of(CHAPTER))
    assert [attempt["earned"] for attempt in again["student 01"].earlier] == [points_of(CHAPTER) - 2.5]
    assert again["student 00"].attempt == 1
    (room.out / "state" / "seed").write_text("7")
    marked.clear()
    third = {result.student: result for result in mark_class(room, tell=lambda _: None)}
    assert len(marked) == 4, "another seed marks everything anew"
    assert third["student 01"].attempt == 2, "but it is the same attempt"


def test_a_fault_in_judging_one_costs_nobody_else_anything(tmp_path, monkeypatch):
    room = Classroom(make_class(tmp_path, 3), tmp_path / "out", ROOT)
    real = classroom.Marker.mark

    def stumbles_over_the_second(self, answers):
        if len(list((room.out / "state" / CHAPTER).glob("*.json"))) == 1:
            raise TypeError("can't convert meta device type tensor")
        return real(self, answers)

    monkeypatch.setattr(classroom.Marker, "mark", stumbles_over_the_second)
    one, two, three = mark_class(room, tell=lambda _: None)
    assert (one.status, two.status, three.status) == ("marked", "ungradable", "marked")
    assert two.why == "its answers could not be judged (TypeError: can't convert meta device type tensor)"


def test_the_folder_of_marks_is_the_teachers_alone(tmp_path):
    old = os.umask(0)
    try:
        with pytest.raises(GradingError):
            mark_class(Classroom(tmp_path / "nobody", tmp_path / "out", ROOT))
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700


@pytest.mark.slow
def test_a_submission_that_kills_the_command_is_left_at_last_and_the_others_are_marked(tmp_path):
    submitted, out = make_class(tmp_path, 3), tmp_path / "out"
    seed = tmp_path / "seed"
    seed.write_text("7")
    killer = (
        "import os, signal, sys\n"
        "from lmcourse.grader import classroom\n"
        "real = classroom.Marker.mark\n"
        "def mark(self, answers):\n"
        "    if answers.sources.get('lookup_rows') == 'x = 1':\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return real(self, answers)\n"
        "classroom.Marker.mark = mark\n"
        "from lmcourse.cli import main\n"
        "main(sys.argv[1:])"
    )
    line = [sys.executable, "-c", killer, *command(submitted, out, seed, jobs=1)[3:]]
    for done_by_then in (1, 2, 2):  # on the second run it comes last
        assert subprocess.run(line, check=False, capture_output=True).returncode == -signal.SIGKILL
        assert len(list((out / "state").rglob("*.json"))) == done_by_then
    told = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    assert "student 01: ungradable: `lmcourse grade` was killed 3 times while this was at work" in told
    assert "2 marked, 1 ungradable" in told
    again = subprocess.run(
        [*command(submitted, out, seed), "--only", "student 01"], check=True, capture_output=True, text=True
    )
    assert f"student 01: {points_of(CHAPTER) - 2.5:g} of" in again.stdout
    assert "3 submissions: 2 marked, 1 with answers to look at." in again.stdout
    assert not list(out.rglob("*.begun"))


def test_the_same_answers_in_another_notebook_keep_what_was_decided(tmp_path, monkeypatch):
    submitted = make_class(tmp_path, 2)
    room = Classroom(submitted, tmp_path / "out", ROOT)
    before = mark_class(room, tell=lambda _: None)
    monkeypatch.setattr(classroom.Marker, "mark", lambda *_: pytest.fail("it was judged again"))
    again = answered(CHAPTER, solutions(CHAPTER))
    again["cells"][0]["metadata"]["collapsed"] = True
    hand_in(submitted, "student 00", CHAPTER, again)
    after = mark_class(room, tell=lambda _: None)
    assert (after[0].tasks, after[0].status) == (before[0].tasks, before[0].status)
    assert [result.attempt for result in after] == [2, 1]


def test_one_student_is_marked_anew_and_the_others_stay(tmp_path, monkeypatch):
    submitted = make_class(tmp_path, 3)
    told: list[str] = []
    grade_class(Classroom(submitted, tmp_path / "out", ROOT), tell=told.append)
    hand_in(submitted, "student 02", CHAPTER, "no notebook")  # new, but not asked for
    told.clear()
    grade_class(Classroom(submitted, tmp_path / "out", ROOT, only="student 01"), tell=told.append)
    assert [line.split(":")[0] for line in told if line.startswith("  ")] == ["  student 01"]
    with (tmp_path / "out" / "grades.csv").open(newline="") as file:
        assert [row["status"] for row in csv.DictReader(file)] == ["marked", "look", "marked"]
    log = (tmp_path / "out" / "state" / CHAPTER / "student%2001.log").read_text()
    assert log.count("attempt 1, ") == 2
    assert "  softmax: marked, 1.5 of 2" in log
    with pytest.raises(GradingError, match=r"`--only` must name a student's folder .*, got 'student 9'"):
        mark_class(Classroom(submitted, tmp_path / "out", ROOT, only="student 9"))


def test_what_killed_runs_left_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    dead = subprocess.Popen(["true"])
    dead.wait()
    left = tmp_path / "scratch" / f"lmcourse-grade-{dead.pid}-abc"
    alive = tmp_path / "scratch" / f"lmcourse-grade-{os.getppid()}-abc"
    part = tmp_path / "out" / "feedback" / ".page.html.0123abcd.part"
    for folder in (left / "bundle", alive, part.parent):
        folder.mkdir(parents=True)
    part.write_text("half")
    mark_class(Classroom(make_class(tmp_path, 1), tmp_path / "out", ROOT), tell=lambda _: None)
    assert [left.exists(), alive.exists(), part.exists()] == [False, True, False]


def test_nbgraders_commands_make_the_private_folder_private(tmp_path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    program = (
        "import runpy, sys; from traitlets.config import Config; runpy.run_path(sys.argv[1], {'get_config': Config})"
    )
    line = ["sh", "-c", 'umask 0 && exec "$@"', "sh", sys.executable, "-c", program, tmp_path / "nbgrader_config.py"]
    subprocess.run(line, check=True)
    assert stat.S_IMODE((tmp_path / ".grading").stat().st_mode) == 0o700


def test_two_folders_never_share_a_key(tmp_path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/ann\xff"), CHAPTER).mkdir(parents=True)
    for _ in range(2):  # a folder named like what is shown of the first, and one like what is shown of that
        shown = {submission.student for submission in find_submissions(tmp_path)}
        (tmp_path / max(shown, key=len) / CHAPTER).mkdir(parents=True)
    submissions = find_submissions(tmp_path)
    assert len({submission.key for submission in submissions}) == len(submissions) == 3


def test_two_at_once_are_refused(tmp_path):
    submitted = make_class(tmp_path, 1)
    (tmp_path / "out" / "state").mkdir(parents=True)
    with classroom.FileLock(tmp_path / "out" / "state" / "lock"), pytest.raises(GradingError, match="another"):
        mark_class(Classroom(submitted, tmp_path / "out", ROOT))


@pytest.mark.parametrize("text", ["", "x", "-1", "9" * 40, "1 2"])
def test_a_seed_file_that_is_none(text, tmp_path):
    (tmp_path / "seed").write_text(text)
    room = Classroom(make_class(tmp_path, 1), tmp_path / "out", ROOT, seed_file=tmp_path / "seed")
    with pytest.raises(GradingError, match="whole number below"):
        mark_class(room)


def test_the_seed_that_is_made_is_large_and_private(tmp_path):
    room = Classroom(make_class(tmp_path, 1), tmp_path / "out", ROOT)
    (tmp_path / "out" / "state").mkdir(parents=True)
    assert classroom._seed(room) == classroom._seed(room)
    path = tmp_path / "out" / "state" / "seed"
    assert path.stat().st_mode & 0o077 == 0
    other = Classroom(room.submissions, tmp_path / "other", ROOT)
    (tmp_path / "other" / "state").mkdir(parents=True)
    assert classroom._seed(other) != classroom._seed(room)


# --------------------------------------------------------------------------------- no room, no permission, no folder


def mounted(tmp_path: Path, options: str) -> Path:
    """A small file system of its own, where this test may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a file system here")
    return folder


@pytest.mark.slow
def test_a_full_disk_is_said_and_what_was_done_is_kept(tmp_path):
    submitted = make_class(tmp_path, 4)
    disk = mounted(tmp_path, "size=16k")
    line = ["grade", str(submitted), "--out", str(disk / "out"), "--jobs", "1"]
    told: list[str] = []
    try:
        kept: dict[Path, bytes] = {}
        for size_kb in (
            16,
            64,
            320,
            *range(360, 480, 10),
            *range(480, 720, 40),
        ):  # the results; the grade book, new, then filled; pages, tables
            subprocess.run(["mount", "-o", f"remount,size={size_kb}k", disk], check=True)
            done = CliRunner().invoke(main, line)
            assert done.exit_code in (0, 2), done.output
            told += [done.output.splitlines()[-1]] if done.exit_code else []
            assert all(path.read_bytes() == content for path, content in kept.items()), "finished work was done again"
            kept = {path: path.read_bytes() for path in (disk / "out" / "state").rglob("*.json")}
            assert kept
            left = {path.name for path in (disk / "out").rglob("*") if path.is_file() and path.suffix not in KINDS}
            assert left <= {"lock", "seed"}, f"half-written with {size_kb} kB"
            for log in (disk / "out").rglob("*.log"):
                assert log.read_text(encoding="utf-8").endswith("\n"), f"half a log with {size_kb} kB"
        assert done.exit_code == 0
        assert any("cannot be used: No space left on device" in line for line in told)
        assert any("the grade book" in line for line in told)
        assert all("Traceback" not in line for line in told)
        grade_class(Classroom(submitted, tmp_path / "roomy", ROOT, seed_file=disk / "out" / "state" / "seed"))
        assert tables(disk / "out") == tables(tmp_path / "roomy")
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_read_only_folder_is_said(tmp_path):
    submitted = make_class(tmp_path, 1)
    disk = mounted(tmp_path, "size=1m,ro")
    try:
        done = CliRunner().invoke(main, ["grade", str(submitted), "--out", str(disk / "out")])
        assert done.exit_code == 2
        assert "Read-only file system" in done.output
        assert not list(disk.iterdir())
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_folders_that_are_none(tmp_path):
    for folder, words in ((tmp_path / "none", "there is no folder"), (tmp_path, "holds no submissions")):
        done = CliRunner().invoke(main, ["grade", str(folder), "--out", str(tmp_path.parent / "elsewhere")])
        assert done.exit_code == 2
        assert words in done.output
    submitted = make_class(tmp_path, 1)
    done = CliRunner().invoke(main, ["grade", str(submitted), "--out", str(tmp_path / "o"), "--chapter", "88"])
    assert (done.exit_code, "nobody handed in an assignment 88" in done.output) == (2, True)
    done = CliRunner().invoke(main, ["grade", str(submitted), "--out", str(tmp_path / "o"), "--due", "2026-12-01"])
    assert (done.exit_code, "name it with --chapter" in done.output) == (2, True)
    line = ["grade", str(submitted), "--out", str(tmp_path / "o"), "--chapter", "00", "--due", "tomorrow"]
    assert "`--due` must be a time" in CliRunner().invoke(main, line).output


@pytest.mark.slow
def test_a_submission_on_which_the_sandbox_dies_twice_does_not_stop_the_others(tmp_path, monkeypatch):
    submitted = make_class(tmp_path, 3)
    real = classroom.Marker.mark

    def dies_on_the_second(self, answers):
        if answers.sources.get("lookup_rows") == "x = 1":
            self.sandbox._worker.kill()
        return real(self, answers)

    monkeypatch.setattr(classroom.Marker, "mark", dies_on_the_second)
    results = grade_class(Classroom(submitted, tmp_path / "out", ROOT), tell=lambda _: None)
    assert [result.status for result in results] == ["marked", "ungradable", "marked"]
    assert "broke down twice" in results[1].why


def test_a_course_whose_own_answers_fail_marks_nobody(tmp_path, monkeypatch):
    from lmcourse.grader.page import Page

    submitted = make_class(tmp_path, 1)
    broken = property(lambda self: solutions(CHAPTER) | {"softmax": "def softmax(scores, banned):\n    return scores"})
    monkeypatch.setattr(Page, "solution", broken)
    with pytest.raises(GradingError, match="the course's own answers do not pass here; nothing is marked"):
        grade_class(Classroom(submitted, tmp_path / "out", ROOT), tell=lambda _: None)
    assert not list((tmp_path / "out" / "state").rglob("*.json"))


@pytest.mark.slow
def test_a_program_that_has_used_torchs_threads_marks_in_several_processes(tmp_path):
    """Its threads are not there in the processes that it forks, and a product in them would wait for ever."""
    chapter = "05_self_attention"
    for number in range(2):
        hand_in(tmp_path / "submitted", f"student {number}", chapter, answered(chapter, solutions(chapter)))
    program = f"""
import sys, torch
from pathlib import Path
from lmcourse.grader.classroom import Classroom, mark_class
torch.set_num_threads(2)
for _ in range(3):
    torch.randn(700, 700) @ torch.randn(700, 700)
    torch.randn(2_000_000).exp()
room = Classroom(Path("submitted"), Path("out"), Path({str(ROOT)!r}), jobs=2)
results = mark_class(room, tell=lambda _: None)
print(len(results), "marked")
"""
    Path(tmp_path / "out").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, timeout=120, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "2 marked", done.stderr[-2000:]
