"""A release is refused while a slow test or a chapter is due."""

import datetime
import json
import subprocess

import pytest

from tools import ledger, release

TODAY = datetime.date(2026, 11, 27)
FILES = {
    "lib/lmcourse/layers/__init__.py": """from lmcourse.layers.attention import attend
from lmcourse.layers.norm import norm
""",
    "lib/lmcourse/layers/attention.py": "from lmcourse.checks import whole\n\ndef attend(): pass\n",
    "lib/lmcourse/layers/norm.py": "def norm(): pass\n",
    "lib/lmcourse/checks.py": "def whole(): pass\n",
    "tests/layers/conftest.py": "import tests.tiny\n",
    "tests/tiny.py": "from lmcourse.layers import norm\n",
    "tests/layers/test_direct.py": "from lmcourse.layers import attend\n",
    "tests/test_attribute.py": "import torch\nfrom lmcourse import layers as course\n\ncourse.attend()\n",
    "chapters/05.ipynb": json.dumps(
        {"cells": [{"cell_type": "code", "source": ["%matplotlib inline\n", "from lmcourse.layers import norm"]}]}
    ),
}
NAMES = ["tests/layers/test_direct.py::test", "tests/test_attribute.py::test[a]", "chapters/05.ipynb"]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A library of two layers, two tests of one of them, and a chapter of the other, committed."""
    monkeypatch.setattr(ledger, "ROOT", tmp_path.resolve())
    for known in (release.changed_since, release.file_of, release.tree, release.imported, release.tested):
        known.cache_clear()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git("init", "-q")
    commit("2026-11-20")
    return tmp_path


def git(*command):
    run = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *command]
    subprocess.run(run, cwd=ledger.ROOT, check=True, capture_output=True)


def commit(day):
    git("add", ".")
    git("commit", "-q", "-m", "x", f"--date={day}T12:00")
    return ledger.commit()


def due(**entries):
    """What is due, with all passed at HEAD on the day before but for `entries` (by the number in NAMES)."""
    all_of_them = dict.fromkeys(NAMES, ledger.Entry("2026-11-26", ledger.commit(), 1.0))
    return dict(release.due(NAMES, all_of_them | {NAMES[int(key[1:])]: entry for key, entry in entries.items()}, TODAY))


def test_nothing_is_due_when_all_passed_at_the_last_commit(clone):
    assert due() == {}


def test_what_never_passed_or_long_ago_is_due(clone):
    entries = {
        NAMES[0]: ledger.Entry("2026-11-12", ledger.commit(), 1.0),
        NAMES[2]: ledger.Entry("2026-11-13", ledger.commit(), 1.0),
    }
    assert dict(release.due(NAMES, entries, TODAY)) == {NAMES[0]: "passed 15 days ago", NAMES[1]: "never passed"}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("lib/lmcourse/layers/attention.py", NAMES[:2]),  # by way of the package, as a name and as an attribute
        ("lib/lmcourse/layers/norm.py", [NAMES[0], NAMES[2]]),  # by way of the fixtures' helper; on the page
        ("tests/tiny.py", NAMES[:1]),
        ("tests/test_attribute.py", NAMES[1:2]),
        ("lib/lmcourse/checks.py", []),  # the layers' own tests are for that
    ],
)
def test_what_tests_a_changed_file_is_due(clone, changed, expected):
    then = ledger.Entry("2026-11-26", ledger.commit(), 1.0)
    (clone / changed).write_text(FILES[changed] + "# new\n")
    commit("2026-11-27")
    assert due(n0=then, n1=then, n2=then) == dict.fromkeys(expected, f"passed before {changed} was changed")


def test_where_history_no_longer_holds_the_commit_the_day_counts(clone):
    lost = ledger.Entry(datetime.date.today().isoformat(), "0123456789ab", 1.0)
    (clone / "tests/test_attribute.py").write_text("")
    commit("2026-11-27")  # git log goes by the day of the commit, which is today
    assert set(due(n1=lost)) == {NAMES[1]}


def test_slow_tests_are_listed_by_their_ids(clone):
    (clone / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow: long\n    gpu: CUDA")
    marked = "import pytest\n\n@pytest.mark.slow\n@pytest.mark.parametrize('n', [1, 2])\ndef test_it(n): pass\n"
    for other in ("tests/layers/conftest.py", "tests/test_attribute.py"):
        (clone / other).unlink()
    (clone / "tests/layers/test_direct.py").write_text(f"{marked}\ndef test_quick(): pass\n")
    assert release.slow_tests() == [f"tests/layers/test_direct.py::test_it[{n}]" for n in (1, 2)]
