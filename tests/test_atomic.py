"""A file is written whole or not at all."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lmcourse import atomic


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_text_and_bytes_replace_what_was_there(tmp_path):
    path = tmp_path / "marks.csv"
    atomic.write(path, "a\n")
    atomic.write(path, "b\r\nc\n")
    assert path.read_bytes() == b"b\r\nc\n"
    atomic.write(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert names(tmp_path) == ["marks.csv"]


def test_an_error_in_the_block_leaves_the_old_file(tmp_path):
    path = tmp_path / "marks.csv"
    atomic.write(path, "old")
    with pytest.raises(ZeroDivisionError), atomic.replacing(path) as out:  # noqa: PT012 - the block is what is tested
        out.write("half")
        out.flush()
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert names(tmp_path) == ["marks.csv"]


def test_the_file_has_the_permissions_of_a_new_file(tmp_path):
    (tmp_path / "plain").touch()
    atomic.write(tmp_path / "ours", "x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_long_name_and_a_missing_folder(tmp_path):
    name = "n" * 250
    atomic.write(tmp_path / name, "x")
    assert names(tmp_path) == [name]
    with pytest.raises(FileNotFoundError):
        atomic.write(tmp_path / "none" / "x", "x")


def test_a_killed_writer_leaves_the_old_file(tmp_path):
    path = tmp_path / "state"
    atomic.write(path, "old")
    code = f"""
from lmcourse import atomic
with atomic.replacing({str(path)!r}) as out:
    out.write("new" * 100_000); out.flush(); print("half", flush=True); time.sleep(60)
"""
    environment = os.environ | {"PYTHONPATH": str(Path(atomic.__file__).parent.parent)}
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
    assert writer.stdout.readline() == b"half\n"
    writer.send_signal(signal.SIGKILL)
    writer.wait(timeout=10)
    writer.stdout.close()
    assert path.read_text() == "old"
