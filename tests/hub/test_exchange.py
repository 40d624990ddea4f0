"""The exchange of a class, with people who are plain users of this system: nobody takes what is not theirs."""

import os
import pwd
import shlex
import shutil
import stat
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from lmcourse.grader.submissions import CLAIMED, TIMESTAMP
from lmcourse.hub import doctor
from lmcourse.hub.init import init

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="it needs root to become other users")

TEACHER, ADA, BEN = "mail", "news", "games"  # users that every Debian has
NAME = "00_start_here"
WORK = "2026-11-27 10:00:00.000000 UTC"


def run_as(user, action):
    """The name of the error that stops a user who calls a function in a process of their own; "" when none does."""
    entry, (end, begin) = pwd.getpwnam(user), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(entry.pw_gid)
            os.setuid(entry.pw_uid)
            action()
        except BaseException as error:
            os.write(begin, type(error).__name__.encode())
        os._exit(0)
    os.close(begin)
    os.waitpid(child, 0)
    with os.fdopen(end) as answer:
        return answer.read()


def submit(inbound, user, content="work", *, name="", stamp=WORK):
    """Hand in as nbgrader's submit does it; return the folder's path."""
    folder = inbound / (name or f"{user}+{NAME}+{WORK}+{user}-random")

    def put():
        folder.mkdir()
        (folder / f"{NAME}.ipynb").write_text(content)
        (folder / "submission_secret.txt").write_text(f"{user}'s")
        if stamp:
            (folder / TIMESTAMP).write_text(stamp)
        folder.chmod(0o777)

    assert run_as(user, put) == ""
    return folder


@pytest.fixture
def exchange():
    folder = Path(tempfile.mkdtemp(prefix="lmcourse-exchange-"))  # pytest's own folders let nobody else in
    try:
        folder.chmod(0o755)
        init(folder / "class", [TEACHER], [ADA, BEN])
        yield folder / "class" / "exchange"
    finally:
        shutil.rmtree(folder)


def release(exchange):
    """What nbgrader's release_assignment and release_feedback make, run as the teacher, by its own code."""
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeReleaseFeedback
    from traitlets.config import Config

    config = Config({"Exchange": {"root": str(exchange)}, "CourseDirectory": {"course_id": "lmcourse"}})
    where = CourseDirectory(config=config)
    where.assignment_id = NAME

    def prepare():
        assignments = ExchangeReleaseAssignment(coursedir=where, config=config)
        assignments.ensure_root()
        assignments.init_dest()
        ExchangeReleaseFeedback(coursedir=where, config=config).init_dest()
        (exchange / "lmcourse" / "outbound" / NAME).mkdir()
        (exchange / "lmcourse" / "outbound" / NAME / "page").write_text("handed out")
        (exchange / "lmcourse" / "feedback" / "secret.html").write_text("for Ada")

    assert run_as(TEACHER, prepare) == ""


def test_nobody_takes_what_is_not_theirs(exchange):
    release(exchange)
    course = exchange / "lmcourse"
    inbound = course / "inbound"
    work = submit(inbound, ADA)
    attacks = {
        "take the course's folder": lambda: course.rename(exchange / "gone"),
        "take the inbound folder": lambda: inbound.rename(course / "gone"),
        "list what was handed in": lambda: next(inbound.iterdir()),
        "rename a submission whose name is known": lambda: work.rename(inbound / "gone"),
        "list feedback": lambda: next((course / "feedback").iterdir()),
        "replace feedback whose name is known": lambda: (course / "feedback" / "secret.html").write_text("mine"),
        "fill feedback": lambda: (course / "feedback" / "more.html").write_text("mine"),
        "replace what is handed out": lambda: (course / "outbound" / NAME / "page").write_text("mine"),
        "fill what is handed out": lambda: (course / "outbound" / "more").mkdir(),
        "open the inbound folder": lambda: inbound.chmod(0o777),
    }
    said = {what: run_as(BEN, attack) for what, attack in attacks.items()}
    assert said == dict.fromkeys(attacks, "PermissionError")
    assert run_as(ADA, lambda: work.rename(inbound / "mine")) == "", "one's own work is one's own"


def test_the_teacher_did_not_release_yet(exchange):
    assert run_as(BEN, lambda: (exchange / "lmcourse" / "outbound").mkdir()) == "PermissionError"
    assert run_as(BEN, lambda: (exchange / "lmcourse").rename(exchange / "gone")) == "PermissionError"
    submit(exchange / "lmcourse" / "inbound", BEN)


def collect(exchange, folder, monkeypatch):
    """Collect as the teacher's configuration says; student -> file name -> content."""
    from nbgrader.api import MissingEntry
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange import ExchangeFactory
    from traitlets.config import Config, PyFileConfigLoader

    settings = exchange.parent / "etc" / "teacher"
    config = PyFileConfigLoader("nbgrader_config.py", path=str(settings)).load_config()
    config.merge(Config({"Exchange": {"root": str(exchange)}}))
    config.CourseDirectory = Config({"course_id": "lmcourse", "root": str(folder)})
    where = CourseDirectory(config=config)
    where.assignment_id = NAME
    book = MagicMock()  # it is asked for the due date alone, and takes seconds to be made
    book.return_value.__enter__.return_value.find_assignment.side_effect = MissingEntry
    monkeypatch.setattr("nbgrader.exchange.default.collect.Gradebook", book)
    ExchangeFactory(config=config).Collect(coursedir=where, config=config, update=True).start()
    return {
        home.name: {path.name: path.read_text() for path in (home / NAME).glob("*")}
        for home in (folder / "submitted").iterdir()
    }


def test_a_submission_is_its_owners_and_its_time_the_servers(exchange, tmp_path, monkeypatch):
    inbound = exchange / "lmcourse" / "inbound"
    begun = time.time()
    work = submit(inbound, ADA, "ada's", stamp="0001-01-01 00:00:00 Asia/Tokyo")
    submit(inbound, BEN, "ben's", name=f"{ADA}+{NAME}+2099-01-01 00:00:00 UTC+later")
    private = tmp_path / "solution"
    private.write_text("the solution")
    run_as(BEN, lambda: (work / "link").symlink_to(private))
    found = collect(exchange, tmp_path, monkeypatch)
    assert found[ADA][f"{NAME}.ipynb"] == "ada's"
    assert found[ADA][CLAIMED] == "0001-01-01 00:00:00 Asia/Tokyo"
    assert found[BEN][f"{NAME}.ipynb"] == "ben's"
    assert "link" not in found[ADA]
    seen = datetime.strptime(found[ADA][TIMESTAMP], "%Y-%m-%d %H:%M:%S.%f UTC").replace(tzinfo=UTC).timestamp()
    assert begun - 1 <= seen <= time.time()

    # the same again is not taken again; what was changed is, at the time of the change
    assert collect(exchange, tmp_path, monkeypatch) == found
    run_as(ADA, lambda: (work / f"{NAME}.ipynb").write_text("mended"))
    run_as(ADA, lambda: os.utime(work / f"{NAME}.ipynb", (0, 0)))
    again = collect(exchange, tmp_path, monkeypatch)[ADA]
    assert again[f"{NAME}.ipynb"] == "mended"
    assert again[TIMESTAMP] > found[ADA][TIMESTAMP]


def test_what_stops_nbgraders_collecting_stops_nobody(exchange, tmp_path, monkeypatch):
    inbound = exchange / "lmcourse" / "inbound"
    submit(inbound, ADA, "ada's", stamp="")
    submit(inbound, BEN, name=f"{BEN}+{NAME}+no time+x")
    work = submit(inbound, TEACHER)
    run_as(BEN, lambda: (work / f"{NAME}.ipynb").unlink())
    run_as(BEN, lambda: (work / f"{NAME}.ipynb").write_text("put there by another"))
    run_as(BEN, lambda: os.mkfifo(inbound / f"{BEN}+{NAME}+{WORK}+pipe"))
    found = collect(exchange, tmp_path, monkeypatch)
    assert found[ADA][f"{NAME}.ipynb"] == "ada's"
    assert CLAIMED not in found[ADA]
    assert f"{NAME}.ipynb" not in found[TEACHER]


def test_doctor_says_whose_the_exchange_is(exchange):
    def faults():
        return {one.text: one.detail for one in doctor.examine(exchange.parent) if not one.good}

    whole = faults()
    course, inbound = exchange / "lmcourse", exchange / "lmcourse" / "inbound"
    exchange.chmod(0o777)
    inbound.chmod(0o733)
    course.rename(exchange / "gone")
    run_as(BEN, course.mkdir)
    now = faults()
    assert f"install -d -o root -m 1777 {exchange}" in now["everybody may hand in"]
    assert "is not mail's" in now["the course's folder in the exchange is the teacher's"]
    assert f"-m 3733 {inbound}" in now["nobody may take what others hand in"]
    course.rmdir()
    for text, advice in now.items():
        if text not in whole:
            subprocess.run(shlex.split(advice.rpartition("; then ")[2]), check=True)
    assert faults() == whole
    assert stat.S_IMODE(inbound.stat().st_mode) == 0o3733
