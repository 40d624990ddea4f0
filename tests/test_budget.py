"""The plugin that keeps the daily run in its budget: whose turn it is, what is remembered, what is quick."""

import datetime
import json
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests import budget
from tools import ledger, measured, pages

pytest_plugins = "pytester"
TODAY = datetime.date.today().isoformat()
SLOW = """
import time
import pytest

def test_quick(): pass

@pytest.mark.slow
@pytest.mark.parametrize("n", range(4))
def test_slow(n): time.sleep(0.03)
"""
BUSY = """
from tests.budget import processor_s

def work(seconds):
    end = processor_s() + seconds
    while processor_s() < end: pass
"""
FILE = "tests/test_some.py"
NAMES = [f"{FILE}::test_slow[{n}]" for n in range(4)]


@pytest.fixture
def project(pytester, monkeypatch):
    """A folder with one quick and four slow tests, and the plugin's files in it."""
    monkeypatch.setattr(ledger, "ROOT", pytester.path)
    monkeypatch.setattr(ledger, "LEDGER", pytester.path / "tests" / "ledger.json")
    monkeypatch.setattr(budget, "DURATIONS", pytester.path / "tests" / "durations.json")
    monkeypatch.setattr(ledger, "commit", lambda: "abc")
    pytester.makeini("[pytest]\nmarkers =\n    slow: long")
    (pytester.path / "tests").mkdir()
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they would be imported anew by each run
    (pytester.path / FILE).write_text(SLOW)
    ledger.write({})
    return pytester


def run(project, *options):
    options = ["-p", "tests.budget", "-p", "no:cacheprovider", *options, "tests"]
    return project.runpytest_inprocess(*options, no_reraise_ctrlc=True)


def days(**by_number):
    """A ledger in which slow tests passed on these days of October and cost one second each."""
    return {NAMES[int(n[1:])]: ledger.Entry(f"2026-10-{day:02}", "old", 1.0) for n, day in by_number.items()}


def passed_today():
    return sorted(name for name, entry in ledger.read().items() if entry.day == TODAY)


def test_the_oldest_have_their_turn_and_the_ledger_says_so(project):
    ledger.write(days(n0=3, n1=1, n2=4, n3=2))
    result = run(project, "--oldest", "2s")
    result.assert_outcomes(passed=3, deselected=2)
    assert passed_today() == [NAMES[1], NAMES[3]]
    assert ledger.read()[NAMES[1]].commit == "abc"
    assert ledger.read()[NAMES[0]] == ledger.Entry("2026-10-03", "old", 1.0)
    result.stdout.fnmatch_lines(["2 of 4 slow tests passed in * s of processor time, the oldest of the others*10-03"])


def test_what_never_passed_comes_first_but_takes_no_more_than_half_of_the_time(project):
    five = {NAMES[n]: ledger.Entry("2026-10-01", "old", 5.0) for n in (0, 1)}
    ledger.write(five)
    run(project, "--oldest", "10s")
    assert len(passed_today()) == 2  # one that never passed, taken to cost as much as the others, and one of them
    assert len(five.keys() & set(passed_today())) == 1


def test_what_never_passed_costs_as_much_as_others_of_its_function_or_of_its_file():
    entries = {f"a::f[{n}]": ledger.Entry(TODAY, "old", cost, 7.0) for n, cost in enumerate((1.0, 3.0))}
    entries["a::g"] = ledger.Entry(TODAY, "old", 8.0)
    names = ["a::f[1]", "a::f[2]", "a::h", "b::f"]
    assert list(ledger.costs(names, entries).values()) == [(3.0, 7.0), (2.0, 7.0), (4.0, 7.0), (10.0, 0.0)]


def test_what_tests_share_is_told_of_each_and_paid_for_once(project):
    (project.path / FILE).write_text(f"""
import pytest
{BUSY}

@pytest.fixture(scope="module")
def shared(): work(0.3)

@pytest.mark.slow
@pytest.mark.parametrize("n", range(4))
def test_slow(shared, n): work(0.1)
""")
    run(project, "--oldest", "all")
    for name in NAMES:  # whether it was the one for which the fixture was set up or not
        _, _, own, shared = ledger.read()[name]
        assert 0.1 <= own < 0.3
        assert 0.3 <= shared < 0.6
    ledger.write({name: ledger.Entry("2026-10-01", "old", 1.0, 20.0) for name in NAMES})
    run(project, "--oldest", "22s")
    assert len(passed_today()) == 2


def test_a_slow_test_that_no_longer_fits_does_not_start(project, monkeypatch):
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: 0.0))  # not for the clock, on a busy machine
    (project.path / FILE).write_text(f"{BUSY}\n{SLOW.replace('time.sleep(0.03)', 'work(0.6)')}")
    ledger.write(dict.fromkeys(NAMES, ledger.Entry("2026-10-01", "old", 0.5)))
    run(project, "--oldest", "2s").assert_outcomes(passed=4, skipped=1)  # after 1.8 s there are not 0.5 s left


def test_what_does_not_fit_is_passed_over_until_it_is_the_oldest(project):
    ledger.write(days(n0=1, n1=2, n2=3) | {NAMES[3]: ledger.Entry("2026-10-02", "old", 2.5)})
    run(project, "--oldest", "3s")
    assert passed_today() == [NAMES[0], NAMES[1]] or passed_today() == [NAMES[0], NAMES[1], NAMES[2]]
    ledger.write({**ledger.read(), NAMES[2]: ledger.Entry(TODAY, "abc", 1.0)})
    run(project, "--oldest", "3s")
    assert NAMES[3] in passed_today()


def test_what_is_longer_than_the_limit_is_named(project):
    ledger.write(days(n0=1, n1=1, n2=1) | {NAMES[3]: ledger.Entry("2026-10-01", "old", 400.0)})
    result = run(project, "--oldest", "120s")
    assert passed_today() == NAMES[:3]
    result.stdout.fnmatch_lines(["1 slow tests take longer than all of that*"])


def test_equally_old_ones_differ_from_commit_to_commit_and_a_second_run_goes_on():
    names = [f"t{n}" for n in range(50)]
    entries = dict.fromkeys(names, ledger.Entry(TODAY, "old", 1.0))
    first, other = (ledger.oldest_first(names, entries, head)[:5] for head in ("a", "b"))
    assert set(first) != set(other)
    again = ledger.oldest_first(names, entries | dict.fromkeys(first, ledger.Entry(TODAY, "a", 1.0)), "a")
    assert set(again[-5:]) == set(first)


def test_no_slow_test_starts_once_the_time_is_up(project):
    ledger.write(dict.fromkeys(NAMES, ledger.Entry("2026-10-01", "old", 0.0)))
    (project.path / FILE).write_text(SLOW.replace("0.03", "0.3"))
    result = run(project, "--oldest", "0.2s")  # by the ledger all fit; by the clock one does
    result.assert_outcomes(passed=2, skipped=3)
    assert len(passed_today()) == 1


def test_a_failure_fails_the_run_and_keeps_its_place(project):
    (project.path / FILE).write_text(SLOW.replace("time.sleep(0.03)", "assert n != 1"))
    ledger.write(days(n1=1))
    assert run(project, "--oldest", "all").ret == pytest.ExitCode.TESTS_FAILED
    assert passed_today() == [NAMES[0], NAMES[2], NAMES[3]]
    assert ledger.read()[NAMES[1]].day == "2026-10-01"


def test_slow_tests_alone_start_with_the_oldest_file_and_keep_what_passed_before_ctrl_c(project):
    (project.path / "tests" / "test_more.py").write_text(SLOW.replace("time.sleep(0.03)", "raise KeyboardInterrupt"))
    older = {name.replace("some", "more"): ledger.Entry("2026-10-09", "old", 1.0) for name in NAMES}
    ledger.write(days(n0=3, n1=1, n2=4, n3=2) | older)
    assert run(project, "-m", "slow", "--oldest", "all").ret == pytest.ExitCode.INTERRUPTED
    assert passed_today() == NAMES


def test_entries_of_tests_that_are_gone_go_but_not_those_of_a_partial_run(project):
    (project.path / "page.ipynb").write_text("{}")
    page = {"page.ipynb": ledger.Entry("2026-10-01", "old", 100.0)}
    gone = dict.fromkeys((f"{FILE}::gone", "tests/test_gone.py::test"), page["page.ipynb"])
    ledger.write(days(n0=1, n1=1, n2=1, n3=1) | gone | page)
    run(project, "--oldest", "all", "-k", "quick")
    assert f"{FILE}::gone" in ledger.read()
    run(project, "--oldest", "all")
    assert set(ledger.read()) == {*NAMES, "page.ipynb"}


def test_nothing_is_written_unless_it_is_asked_for(project):
    before = ledger.LEDGER.read_bytes()
    run(project).assert_outcomes(passed=5)
    assert ledger.LEDGER.read_bytes() == before
    assert not budget.DURATIONS.exists()


def test_quick_files_are_told_by_what_they_cost(project):
    for name in ("long", "new"):
        (project.path / "tests" / f"test_{name}.py").write_text("def test_it(): pass")
    budget.DURATIONS.write_text(json.dumps({FILE: 3.0, "tests/test_long.py": 4.0}))
    run(project, "--quick", "5").assert_outcomes(passed=6)  # not test_long: with it they cost seven
    run(project, "--quick", "8").assert_outcomes(passed=7)


def test_durations_are_recorded_without_the_slow_tests(project):
    (project.path / FILE).write_text(BUSY + SLOW.replace("def test_quick(): pass", "def test_quick(): work(0.3)"))
    old = {"tests/test_gone.py": 3.0, "tests/test_other.py": 2.0, "tests/test_all_slow.py": 1.0}
    budget.DURATIONS.write_text(json.dumps(old))
    (project.path / "tests" / "test_other.py").write_text("")
    (project.path / "tests" / "test_all_slow.py").write_text(SLOW.replace("def test_quick(): pass", ""))
    result = run(project, "--record", "--oldest", "all")
    found = json.loads(budget.DURATIONS.read_text())
    assert found.keys() == {FILE, "tests/test_other.py"}
    assert 0.3 <= found[FILE] < 0.6
    result.stdout.fnmatch_lines(["*minutes, * s of processor time:*"])


def test_two_processes_share_a_ledger(tmp_path, monkeypatch):
    for name in ("tools/ledger.py", "tests/budget.py"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(budget.ledger.ROOT / name, tmp_path / name)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow: long")
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "tests" / "test_some.py").write_text(SLOW)
    (tmp_path / "tests" / "test_more.py").write_text(SLOW)
    (tmp_path / "tests" / "ledger.json").write_text(json.dumps({f"{FILE}::gone": [TODAY, "abc", 1.0]}))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    plugins = ["-p", "tests.budget", "-p", "xdist.plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *plugins, "-n", "2", "--oldest", "all", "tests"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert "10 passed" in shown
    assert "8 of 8 slow tests passed" in shown
    assert set(json.loads((tmp_path / "tests" / "ledger.json").read_text())) == {
        *NAMES,
        *(name.replace("some", "more") for name in NAMES),
    }


def test_two_chapters_run_in_full_and_two_others_the_next_time(project, monkeypatch):
    ran = []
    names = ["chapters/01", "chapters/02", "chapters/03", "chapters/04", "solutions/01"]
    monkeypatch.setattr(pages, "ROOT", project.path)
    monkeypatch.setattr(pages, "texts", lambda: names)
    monkeypatch.setattr(pages, "target", lambda name: project.path / name)
    monkeypatch.setattr(pages, "run", lambda chosen, in_full: ran.append((chosen, sorted(in_full))) or 0)
    monkeypatch.setattr(sys, "argv", ["pages", "--daily"])
    for now, then in (([0, 2], [1, 3]), ([1, 3], [0, 2])):  # of four chapters: those that passed, and whose turn it is
        ledger.write({names[n]: ledger.passed_now(1.0) for n in now})
        with pytest.raises(SystemExit) as ended:
            pages.main()
        assert ended.value.code == 0
        others = [names[n] for n in sorted([*now, 4])]
        assert ran[-1] == ([*(names[n] for n in then), *others], [names[n] for n in then])


def test_a_command_is_measured_with_what_it_starts_and_its_status_passed_on(tmp_path):
    busy = "import time, sys\nwhile time.process_time() < 0.5: pass\nsys.exit(3)"
    starts = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {busy!r}]).returncode)"
    command = [sys.executable, "-m", "tools.measured", sys.executable, "-c", starts]
    ran = subprocess.run(command, cwd=ledger.ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 3
    assert re.fullmatch(r"\d\.\d minutes, [1-9] s of processor time of at most 1,700\n", ran.stdout)


def test_a_run_over_the_budget_is_told():
    assert measured.told(16.0, 1_950.0).endswith(
        "16.0 minutes, 1,950 s of processor time of at most 1,700, 250 s over it"
    )
