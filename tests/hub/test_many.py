"""Thirty students hand in at once, by nbgrader's command, and one `lmcourse grade` marks them; what it takes is told.

LMCOURSE_HUB_RECORD=tests/hub/thirty.json pytest -m hub tests/hub/test_many.py    # keeps the table
"""

import csv
import json
import os
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from examples import make_class
from tests.hub.conftest import Hub, running_hub

pytestmark = [pytest.mark.hub, pytest.mark.slow]

NAME, STUDENTS = "00_start_here", 30
KINDS = ("right", {"softmax": make_class.OVERFLOWS}, "empty")


@pytest.fixture(scope="module")
def big_hub():
    with running_hub([f"s{number:02}" for number in range(STUDENTS)]) as one:
        yield one


def memory_of(pids: list[int]) -> float:
    """MB held by processes; what they share counts in part."""
    held = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        held += next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return held / 1000


def processes_of(*words: str) -> list[int]:
    done = subprocess.run(["pgrep", *words], capture_output=True, text=True, check=False)
    return [int(word) for word in done.stdout.split()]


def all_servers(hub: Hub, names: list[str]) -> float:
    """Start everybody's server at once, wait until all answer; how long that took."""
    begun = time.monotonic()
    for name in names:
        hub.ask(f"users/{name}/server", "POST")
    waiting = set(names)
    while waiting:
        assert time.monotonic() - begun < 900, f"these servers do not start: {sorted(waiting)}"
        time.sleep(1)
        waiting -= {user["name"] for user in hub.ask("users?limit=200") if user["server"]}
    return time.monotonic() - begun


def finished(running: dict[str, subprocess.Popen]) -> dict[str, str]:
    said = {}
    for name, process in running.items():
        said[name] = process.communicate(timeout=900)[0]
        assert process.returncode == 0, said[name]
    return said


def test_thirty_at_once(big_hub):
    hub, table = big_hub, {}
    table["servers of 30 students start (s)"] = all_servers(hub, [hub.teacher, *hub.students])
    table["hub (MB)"] = memory_of([hub.process.pid])
    table["its proxy (MB)"] = memory_of([int((hub.folder / "state" / "proxy.pid").read_text().split()[0])])
    users = ",".join([hub.teacher, *hub.students])
    table["31 idle servers (MB)"] = memory_of(processes_of("-u", users))

    release = f"nbgrader generate_assignment {NAME} --force && nbgrader release_assignment {NAME}"
    finished({hub.teacher: hub.begin_as(hub.teacher, release)})
    for number, student in enumerate(hub.students):
        page = hub.home(student) / "course" / "exercises" / NAME / f"{NAME}.ipynb"
        page.write_text(make_class.filled_in(NAME, KINDS[number % len(KINDS)]), encoding="utf-8")

    begun = time.monotonic()
    running = {name: hub.begin_as(name, f"nbgrader submit {NAME}") for name in hub.students}
    time.sleep(5)
    table["hub while 30 hand in (MB)"] = memory_of([hub.process.pid])
    finished(running)
    table["30 hand in at once (s)"] = time.monotonic() - begun

    begun = time.monotonic()
    finished({hub.teacher: hub.begin_as(hub.teacher, f"nbgrader collect {NAME}")})
    table["nbgrader collect (s)"] = time.monotonic() - begun
    begun = time.monotonic()
    grade = "lmcourse grade .grading/submitted --out .grading --chapter 00 --report"
    finished({hub.teacher: hub.begin_as(hub.teacher, grade)})
    table["lmcourse grade, with report and grade book (s)"] = time.monotonic() - begun
    begun = time.monotonic()
    finished({hub.teacher: hub.begin_as(hub.teacher, f"nbgrader release_feedback {NAME}")})
    table["nbgrader release_feedback (s)"] = time.monotonic() - begun

    with (hub.home(hub.teacher) / "course" / ".grading" / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert sorted(rows) == sorted(hub.students)
    full = float(rows[hub.students[0]]["points"])
    wanted = [(full, full - 0.5, 0)[number % len(KINDS)] for number in range(STUDENTS)]
    assert [float(rows[name]["earned"]) for name in hub.students] == wanted
    print(json.dumps(table, indent=1))
    if path := os.environ.get("LMCOURSE_HUB_RECORD"):
        rounded = {name: round(value, 1) for name, value in table.items()}
        record = {"cores": os.cpu_count(), "students": STUDENTS, "table": rounded}
        Path(path).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def test_the_hub_is_killed_while_thirty_work_and_nobody_loses_it(big_hub):
    hub = big_hub
    before = {name: processes_of("-u", name, "-f", "jupyterhub.singleuser") for name in hub.students}
    assert all(before.values())
    pages = {name: hub.home(name) / "course" / "exercises" / NAME / f"{NAME}.ipynb" for name in hub.students}
    contents = {name: path.read_bytes() for name, path in pages.items()}
    hub.kill()
    begun = time.monotonic()
    hub.start()
    print(f"the hub is back after {time.monotonic() - begun:.0f} s")
    assert {name: processes_of("-u", name, "-f", "jupyterhub.singleuser") for name in hub.students} == before
    assert {name: path.read_bytes() for name, path in pages.items()} == contents
    assert {user["name"] for user in hub.ask("users?limit=200") if user["server"]} >= set(hub.students)
    with urlopen(f"{hub.url}/user/{hub.students[0]}/api", timeout=60) as answer:  # through the proxy, to the old server
        assert "version" in json.loads(answer.read())


def test_an_exchange_that_is_full_is_told_to_student_and_teacher(big_hub):
    hub = big_hub
    folder = hub.folder / "exchange" / "lmcourse"
    for place, who, command in (
        ("inbound", hub.students[0], f"nbgrader submit {NAME}"),
        ("outbound", hub.teacher, f"nbgrader release_assignment {NAME} --force"),
    ):
        mode = oct((folder / place).stat().st_mode & 0o7777)[2:]
        mount = ["mount", "-t", "tmpfs", "-o", f"size=16k,mode={mode}", "full", str(folder / place)]
        subprocess.run(mount, check=True)
        try:
            if place == "outbound":
                hub.run_as("root", f"chown {hub.teacher} {folder / place}")
            process = hub.begin_as(who, command)
            said, _ = process.communicate(timeout=120)
            assert process.returncode != 0, said
            assert "No space left on device" in said, said
            assert str(folder / place) in said, said
        finally:
            subprocess.run(["umount", str(folder / place)], check=True)


def test_an_exchange_that_the_teacher_cannot_write_to_is_told(big_hub):
    hub = big_hub
    outbound = hub.folder / "exchange" / "lmcourse" / "outbound"
    owner = outbound.stat()
    try:
        os.chown(outbound, 0, 0)
        outbound.chmod(0o755)
        process = hub.begin_as(hub.teacher, f"nbgrader release_assignment {NAME} --force")
        said, _ = process.communicate(timeout=120)
        assert process.returncode != 0, said
        assert "You don't own the directory" in said, said
        assert str(outbound) in said, said
    finally:
        os.chown(outbound, owner.st_uid, owner.st_gid)
        outbound.chmod(owner.st_mode & 0o7777)
