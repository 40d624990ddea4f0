"""Check whether this machine is ready for the course. The report is short enough for a cell of chapter 00."""

import importlib.metadata
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from lmcourse import data
from lmcourse.progress import Progress

_PACKAGES = ("jupyterlab", "numpy", "torch", "matplotlib", "ipywidgets", "bertviz")
_SPACE_MB = 500


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report; if `needed`, the course does not run without it."""

    good: bool
    text: str
    needed: bool = True
    detail: str = ""


def examine(*, device: bool = True) -> list[Finding]:
    """Look at Python, the packages, the device, the texts, the progress file and the disk.

    Args:
        device: import torch, which takes two seconds, to see whether it works and what it computes on.
    """
    findings = [Finding(sys.version_info >= (3, 11), "Python 3.11 or newer", detail=platform.python_version())]
    for package in _PACKAGES:
        version = _version(package)
        findings.append(Finding(bool(version), f"package {package}", detail=version or 'pip install "lmcourse[lab]"'))
    if device:
        findings.append(_device())
    advice = "the course uses python-docs until then; with a network, run: lmcourse data fetch shakespeare"
    here = data.is_cached("shakespeare")
    findings.append(Finding(here, "corpus shakespeare", needed=False, detail="" if here else advice))
    findings.append(_progress())
    free_mb = shutil.disk_usage(_existing(data.cache_folder())).free / 1e6
    findings.append(Finding(free_mb > _SPACE_MB, f"{_SPACE_MB} MB free for corpora", False, f"{free_mb:,.0f} MB"))
    return findings


def doctor(*, details: bool = False, device: bool = True) -> bool:
    """Print the report, one line for each finding, and return whether the course can run here.

    Args:
        details: print versions and sizes too, which differ from machine to machine.
        device: see `examine`.
    """
    return report(examine(device=device), details=details)


def report(findings: list[Finding], *, details: bool) -> bool:
    """Print findings, one a line, and return whether all that is needed is good."""
    for finding in findings:
        sign = "ok     " if finding.good else ("MISSING" if finding.needed else "--     ")
        extra = f"  ({finding.detail})" if finding.detail and (details or not finding.good) else ""
        print(f"{sign} {finding.text}{extra}")
    return all(finding.good for finding in findings if finding.needed)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _device() -> Finding:
    text = "a device to compute on"
    try:
        import torch

        from lmcourse import runtime

        return Finding(True, text, detail=f"{runtime.device()}, {torch.get_num_threads()} threads")
    except (ImportError, OSError, ValueError) as error:  # a library of torch's that is missing or does not fit; a name
        return Finding(False, text, detail=f"{type(error).__name__}: {error}")


def _progress() -> Finding:
    progress = Progress()
    try:
        progress.read()
    except (OSError, ValueError) as error:
        return Finding(False, "your progress can be read", False, str(error))
    writable = os.access(_existing(progress.path.parent), os.W_OK)
    advice = "" if writable else "set LMCOURSE_STATE to a file that you may write"
    return Finding(writable, "your progress can be recorded", False, advice)


def _existing(folder: Path) -> Path:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder
