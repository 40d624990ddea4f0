"""A marked class as the teacher meets it: formgrader in Chromium, and the pages that students and teacher read."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from examples.make_class import EXPECTED, NGRAMS, START, make_class
from lmcourse.cli import main
from tests.browser.test_lab import SHOTS
from tests.grader.classes import needs_sandbox, points_of

# Daily the same class is marked, and its grade book, tables and pages are read, in tests/test_examples.py.
pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_sandbox]

pytest.importorskip("nbgrader", reason="nbgrader is not installed")


@pytest.fixture(scope="module")
def marks(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("class")
    command = ["grade", str(make_class(home)), "--out", str(home / "marks"), "--report", "--task-seconds", "5"]
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return home / "marks"


@pytest.fixture(scope="module")
def server(marks, tmp_path_factory):
    """JupyterLab started in the folder that `lmcourse grade` wrote."""
    folder = tmp_path_factory.mktemp("jupyter")
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={marks}", "--no-browser", "--port=0"]
    command += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    log = folder / "log.txt"
    with log.open("w") as out:
        running = subprocess.Popen(command, env=environment, cwd=marks, stdout=out, stderr=out, start_new_session=True)
    try:
        deadline = time.monotonic() + 600
        while not (found := re.search(r"(http://127\.0\.0\.1:\d+)/lab\S*\?(token=\w+)", log.read_text())):
            assert running.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.5)
        yield found[1], found[2]
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.wait(30)


POINTS = points_of(START)
ROWS = 7  # at least: who handed something in


def shot(page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def open_formgrader(browser, server, place: str):
    """A page of formgrader with its table filled."""
    base, token = server
    who = {"Authorization": f"token {token.removeprefix('token=')}"}  # for what the page fetches too
    page = browser.new_page(viewport={"width": 1300, "height": 900}, extra_http_headers=who)
    page.route(lambda url: not url.startswith(base), lambda route: route.abort())  # MathJax from afar: not waited for
    page.goto(f"{base}/formgrader/{place}", timeout=120_000)
    page.wait_for_function(f"document.querySelectorAll('tbody tr').length >= {ROWS}", timeout=180_000)
    page.wait_for_timeout(1000)
    return page


def test_formgrader_shows_the_marks_and_what_waits(server, browser):
    page = open_formgrader(browser, server, f"manage_submissions/{START}")
    shot(page, "formgrader-submissions")
    rows = page.locator("tbody tr").all_inner_texts()
    for student, score, words in (
        ("ada", f"{POINTS} / {POINTS}", "graded"),
        ("ben", f"{POINTS - 0.5} / {POINTS}", "graded"),  # all but the border cases of one answer
        ("chidi", f"{POINTS - 2.5} / {POINTS}", "graded"),
        ("emil", f"{POINTS - 2} / {POINTS}", "needs manual grading"),
    ):
        assert any(student in row and score in row and words in row for row in rows), rows
        assert EXPECTED[student, START][0] == float(score.split()[0])
    page.close()


@pytest.mark.parametrize(
    ("score", "told"),
    [(f"{POINTS - 0.5} / {POINTS}", "1.5 of 2 points (marked)"), (f"{POINTS - 2} / {POINTS}", "0 of 2 points (")],
    ids=["ben", "emil or farah"],
)
def test_a_submission_opens_with_its_reasons_and_the_parts_of_its_points(server, browser, score, told):
    page = open_formgrader(browser, server, f"gradebook/{START}/{START}")
    shot(page, "formgrader-notebook")
    row = page.locator("tbody tr", has_text=score).first  # formgrader's order is by chance
    address = row.locator("a[href*='/formgrader/submissions/']").first.get_attribute("href")
    page.goto(f"{server[0]}{address}", timeout=120_000)
    page.wait_for_selector("text=of 2 points", timeout=120_000)
    page.wait_for_timeout(2000)
    shot(page, "formgrader-submission")
    assert told in page.content()
    page.close()


def test_students_of_the_class_are_listed_with_their_sums(server, browser):
    page = open_formgrader(browser, server, "manage_students")
    rows = page.locator("tbody tr").all_inner_texts()
    shot(page, "formgrader-students")
    assert any("Zoë" in row and str(POINTS + points_of(NGRAMS)) in row for row in rows), rows
    page.close()


def test_the_feedback_pages_and_the_report_can_be_read(marks, browser):
    for name, path in {
        "feedback-farah": f"feedback/farah/{START}/{START}.html",
        "feedback-emil": f"feedback/emil/{START}/{START}.html",
        "feedback-gita": f"feedback/gita/{START}/{START}.html",
        "feedback-ben": f"feedback/ben/{NGRAMS}/{NGRAMS}.html",
        "report": f"report/{START}.html",
    }.items():
        page = browser.new_page(viewport={"width": 900, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto((marks / path).as_uri())
        assert page.locator("h1").inner_text()
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} is wider than the window"
        assert not errors
        assert all(url.startswith("file:") for url in asked), "the page asks for something from outside"
        if name == "report":
            assert page.evaluate("document.images[0].naturalWidth") > 300
        shot(page, name)
        page.close()
