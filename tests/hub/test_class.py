"""A class's year on a real hub, in Chromium: hand out, work, hand in, collect, mark, give back, again and late."""

import csv
import json
import os
import re
import time

import pytest

from examples import make_class

pytestmark = [pytest.mark.hub, pytest.mark.slow]

NAME = "00_start_here"
SHOTS = os.environ.get("LMCOURSE_SHOTS")


class Person:
    """Somebody of the class, in a browser of their own."""

    def __init__(self, hub, browser, name):
        self.hub, self.name = hub, name
        self.page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
        self.page.goto(hub.url)
        self.page.fill("#username_input", name)
        self.page.fill("#password_input", hub.password)
        self.page.click("#login_submit")
        self.page.wait_for_url(f"**/user/{name}/**", timeout=240_000)
        self.page.wait_for_selector(".jp-NotebookPanel h1", timeout=240_000)

    def shot(self, what):
        if SHOTS:
            self.page.screenshot(path=f"{SHOTS}/{what}.png")

    def goto(self, path):
        return self.page.goto(f"{self.hub.url}/user/{self.name}/{path}")

    def lab(self):
        self.goto("lab?reset")
        self.page.wait_for_function("window.jupyterapp && window.jupyterapp.restored", timeout=120_000)
        self.page.wait_for_selector(".jp-DirListing-content", timeout=120_000)

    def terminal(self, command, *, timeout_s=240):
        """Type a command into a terminal of the server and return what it wrote, and its exit status."""
        out = self.hub.home(self.name) / f".said-{time.monotonic_ns()}"
        self.lab()
        self.page.evaluate("window.jupyterapp.commands.execute('terminal:create-new')")
        self.page.wait_for_selector(".jp-Terminal .xterm-screen", timeout=60_000)
        self.page.wait_for_timeout(1500)
        self.page.locator(".jp-Terminal").last.click()
        self.page.keyboard.type(
            f"cd ~/course; ({command}) > {out}.part 2>&1; echo $? >> {out}.part; mv {out}.part {out}\n"
        )
        end = time.monotonic() + timeout_s
        while not out.exists():
            assert time.monotonic() < end, f"{command} has not ended"
            time.sleep(0.3)
        *lines, status = out.read_text().splitlines()
        return "\n".join(lines), int(status)

    def assignments(self):
        self.lab()
        self.page.get_by_role("menuitem", name="Nbgrader", exact=True).click()
        self.page.get_by_role("menuitem", name="Assignment List", exact=True).click()
        self.page.wait_for_selector(
            "#fetched_assignments_list .list_item, .fetched_assignments_list .list_item", timeout=60_000
        )


def write_answers(hub, student, content):
    """What the student worked on, as it lies in the student's own folder."""
    path = hub.home(student) / "course" / "exercises" / NAME / f"{NAME}.ipynb"
    assert path.exists()
    path.write_text(make_class.filled_in(NAME, content), encoding="utf-8")


def grades(hub):
    path = hub.home(hub.teacher) / "course" / ".grading" / "grades.csv"
    with path.open(encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_the_year(hub, browser):
    teacher = Person(hub, browser, hub.teacher)
    ada, ben, cleo = (Person(hub, browser, name) for name in hub.students)

    # hand out
    said, status = teacher.terminal(f"nbgrader generate_assignment {NAME} --force; nbgrader release_assignment {NAME}")
    assert status == 0, said

    # the students have the course without its solutions, and can look into nobody's work
    for student in hub.students:
        home = hub.home(student) / "course"
        assert sorted(path.name for path in home.iterdir() if path.is_dir() and path.name[0] != ".") == [
            "chapters",
            "exercises",
        ]
    assert ada.goto("formgrader").status == 404
    assert ada.page.goto(f"{hub.url}/user/{hub.teacher}/lab").status in (403, 404)
    private = hub.home(hub.teacher) / "course"
    said, _ = ada.terminal(
        f"ls {private}; cat {private}/solutions/{NAME}/{NAME}.ipynb;"
        f" ls {private}/.grading {hub.home(ben.name)}/course {hub.folder}/state"
    )
    assert said.count("Permission denied") == 5, said

    # work and hand in, through the list of assignments
    write_answers(hub, ada.name, "right")
    write_answers(hub, ben.name, {"softmax": make_class.OVERFLOWS})
    write_answers(hub, cleo.name, "empty")
    for person in (ada, ben, cleo):
        person.assignments()
        person.shot(f"assignments-{hub.students.index(person.name)}")
        person.page.get_by_role("button", name="Submit", exact=True).first.click()
        person.page.wait_for_selector(
            ".submitted_assignments_list .list_item, #submitted_assignments_list .list_item", timeout=60_000
        )

    # collect, mark, report, give back
    mark = f"nbgrader collect {NAME} --update && lmcourse grade .grading/submitted --out .grading --chapter 00 --report"
    said, status = teacher.terminal(
        f"{mark} --due '2026-01-01 10:00 UTC' && nbgrader release_feedback {NAME}", timeout_s=500
    )
    assert status == 0, said
    found = grades(hub)
    full = float(found[ada.name]["points"])
    assert [float(found[name]["earned"]) for name in hub.students] == [full, full - 0.5, 0]
    assert float(found[ada.name]["late by s"]) > 0

    # formgrader shows them, and the page of the class opens beside it
    assert teacher.goto("formgrader/gradebook").status == 200
    teacher.page.wait_for_timeout(3000)
    teacher.shot("formgrader")
    assert teacher.goto("files/course/reports/class.html").status == 200
    assert ben.name in teacher.page.locator("body").inner_text()
    teacher.shot("class")

    # a student fetches the feedback and reads the reason
    ben.assignments()
    ben.page.get_by_role("button", name=re.compile("Fetch Feedback")).first.click()
    feedback = hub.home(ben.name) / "course" / "exercises" / NAME / "feedback"
    end = time.monotonic() + 60
    while not (pages := list(feedback.rglob("*.html"))):
        assert time.monotonic() < end, "no feedback has come"
        time.sleep(0.5)
    assert "Subtract the largest score first" in pages[0].read_text(encoding="utf-8")
    ben.shot("feedback")

    # again: a second attempt is another attempt; the same seed keeps what was decided
    write_answers(hub, ben.name, "right")
    ben.assignments()
    ben.page.get_by_role("button", name="Submit", exact=True).first.click()
    ben.page.wait_for_timeout(5000)
    said, status = teacher.terminal(mark, timeout_s=500)
    assert status == 0, said
    assert (grades(hub)[ben.name]["earned"], grades(hub)[ben.name]["attempt"]) == (f"{full:g}", "2")

    # another seed marks everything anew; the grade book is exported
    said, status = teacher.terminal(
        f"echo 4711 > .grading/new-seed && {mark} --seed-file .grading/new-seed"
        " && nbgrader export --to .grading/grades-export.csv",
        timeout_s=500,
    )
    assert status == 0, said
    assert [float(grades(hub)[name]["earned"]) for name in hub.students] == [full, full, 0]
    assert (private / ".grading" / "grades-export.csv").read_text().count(NAME) >= 3


def test_the_hub_is_killed_and_nobody_loses_work(hub, browser):
    student = Person(hub, browser, hub.students[0])
    hub.run_as(student.name, "echo kept > ~/course/notes.txt")
    server = hub.run_as(student.name, "pgrep -u $USER -f jupyterhub.singleuser").stdout.split()
    hub.kill()
    hub.start()
    assert hub.run_as(student.name, "pgrep -u $USER -f jupyterhub.singleuser").stdout.split() == server
    student.lab()
    assert (hub.home(student.name) / "course" / "notes.txt").read_text() == "kept\n"
    said, status = student.terminal("echo still here")
    assert (said, status) == ("still here", 0)


def test_an_exchange_that_nobody_can_write_to_is_told(hub, browser):
    student = Person(hub, browser, hub.students[1])
    inbound = hub.folder / "exchange" / "lmcourse" / "inbound"
    mode = inbound.stat().st_mode if inbound.exists() else None
    if mode is None:
        pytest.skip("the class has not begun: run the whole file")
    try:
        inbound.chmod(0o700)
        said, status = student.terminal(f"cd exercises && nbgrader submit {NAME}")
        assert status != 0
        assert "permission" in said.lower(), said
        assert str(inbound) in said
    finally:
        inbound.chmod(mode)


def test_memory_of_a_server_is_limited(hub, browser):
    student = Person(hub, browser, hub.students[2])
    said, _ = student.terminal("cat /proc/self/cgroup")
    if "lmcourse-hub-" not in said:
        pytest.skip("no control group can be had here")
    said, status = student.terminal("python -c 'x = bytearray(4_000_000_000); print(len(x))'", timeout_s=120)
    assert status != 0, json.dumps(said)
    said, status = student.terminal("echo the server is alive")
    assert status == 0
