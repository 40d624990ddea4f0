"""The folder that holds what was downloaded, and the manifest in it that says which files a corpus has."""

import os
from pathlib import Path

import platformdirs

from lmcourse import json_files

_MANIFEST = "MANIFEST.json"


def cache_folder() -> Path:
    """Return the folder that holds downloads: LMCOURSE_CACHE, else the system's cache folder."""
    return Path(os.environ.get("LMCOURSE_CACHE") or platformdirs.user_cache_dir("lmcourse", appauthor=False))


def package_folder(package: str, version: str) -> Path:
    """Return the folder of a package's data files; corpora that come from one archive share it."""
    return cache_folder() / f"{package}-{version}"


def read_manifest(folder: Path) -> dict[str, str] | None:
    """Return file name -> SHA-256 of a folder's files; None if the manifest is missing, damaged or empty."""
    try:
        manifest = json_files.read(folder / _MANIFEST)
    except (OSError, ValueError):
        return None
    if not isinstance(manifest, dict) or not manifest:
        return None
    # A name with a folder in it would lead out of the cache, so no manifest of ours has one.
    if not all(isinstance(digest, str) and Path(name).name == name for name, digest in manifest.items()):
        return None
    return manifest


def write_manifest(folder: Path, manifest: dict[str, str]) -> None:
    """Write file name -> SHA-256 of a folder's files."""
    json_files.write(folder / _MANIFEST, manifest)
