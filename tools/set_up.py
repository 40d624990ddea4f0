"""Make the environment that the course runs in: `python3 tools/set_up.py` makes .venv with all that a learner needs.

`make lab` and `make test` call this; on Windows a person does. It needs Python alone and runs before anything is
installed, so it says first how much comes and where it goes, and at a failure what to do, in one sentence below pip's
own words. An old Python must be able to read the file, to say that it is too old.

PyTorch for Linux comes from PyPI with CUDA, some 4 GB more; where there is no NVIDIA GPU, the build for processors is
taken from the index that PyTorch documents for it, and if that cannot be reached, whichever build pip finds.
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CPU_BUILDS = "https://download.pytorch.org/whl/cpu"  # pytorch.org, "Start locally": Linux, Pip, Python, CPU
GB_WRITTEN = {"lab": 1.7, "dev": 2.3}
GB_FETCHED = {"lab": 0.4, "dev": 0.6}
GB_CUDA = 4

HELP = "docs/troubles.md"
SENTENCES = (
    (
        r"No space left|Errno 28",
        "The disk is full: free some space, or put the environment elsewhere with VENV=FOLDER.",
    ),
    (r"CERTIFICATE_VERIFY_FAILED|SSLError", f"The network is read along by somebody's certificate: see {HELP}."),
    (
        r"ConnectionError|Failed to establish|Connection(Reset|Refused)|Temporary failure in name|timed out|ProxyError",
        f"The package index cannot be reached: connect to a network and run the same again; for a proxy see {HELP}.",
    ),
    (r"Permission denied|Errno 13", "The environment may not be written here: put it elsewhere with VENV=FOLDER."),
    (r"Python\.h", "A package of the tests is compiled here and lacks Python's headers: apt-get install python3-dev."),
    ("", f"pip could not install everything; the reason is above, and {HELP} knows some of them."),
)


def make(folder: Path) -> Path:
    """Make a virtual environment if there is none, and return its interpreter; exit if that can't be done."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if python.exists():
        return python
    if sys.version_info < (3, 11):  # noqa: UP036  # it is what an older one must be told
        here = ".".join(map(str, sys.version_info[:2]))
        sys.exit(
            f"Python 3.11 or newer is needed, this is {here}: choose another with PYTHON=python3.12, for instance."
        )
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit("This Python cannot make virtual environments: apt-get install python3-venv (Debian, Ubuntu).")
    made = subprocess.run([sys.executable, "-m", "venv", str(folder)], check=False)
    if made.returncode:
        shutil.rmtree(folder, ignore_errors=True)  # else the next try takes half an environment for a whole one
        sys.exit(f"No environment could be made in {folder}; the reason is above.")
    return python


def cpu_builds() -> list:
    """pip's options to get PyTorch without CUDA, where there is such a choice; says what was chosen."""
    options: list = []
    if not sys.platform.startswith("linux"):
        return options
    if shutil.which("nvidia-smi"):
        print(f"PyTorch comes with CUDA for the NVIDIA GPU that was found: {GB_CUDA} GB more.")
        return options
    try:
        urllib.request.urlopen(CPU_BUILDS + "/torch/", timeout=5).close()
        options = ["--extra-index-url", CPU_BUILDS]
        print("PyTorch comes without CUDA, since no NVIDIA GPU was found.")
    except (OSError, ValueError):
        print(f"PyTorch's builds without CUDA cannot be reached; if pip finds one with CUDA: {GB_CUDA} GB more.")
    return options


def announce(folder: Path, extra: str) -> None:
    """Say how much is fetched and where it goes; exit if there is no room."""
    if (folder / f".ready-{extra}").exists():
        print(f"{folder} is brought up to date.")
        return
    free = shutil.disk_usage(str(folder)).free / 1e9
    print(
        f"About {GB_FETCHED[extra]} GB are fetched and {GB_WRITTEN[extra]} GB written to {folder} ({free:.1f} GB free)."
    )
    if free < GB_WRITTEN[extra]:
        sys.exit(f"That does not fit: free some space, or put the environment elsewhere with VENV=FOLDER ({HELP}).")


def install(python: Path, extra: str, options: list) -> None:
    """Let pip install the course with an extra, as it talks; exit with a sentence if it fails."""
    command = [str(python), "-m", "pip", "install", *options, "--editable", f"{ROOT}[{extra}]"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace") as pip:
        said = []
        for line in pip.stderr or ():
            said.append(line)
            sys.stderr.write(line)
    if pip.returncode:
        sys.exit(next(sentence for pattern, sentence in SENTENCES if re.search(pattern, "".join(said))))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("extra", nargs="?", choices=sorted(GB_WRITTEN), default="lab")
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv", help="the environment's folder")
    parser.add_argument("--lock", default=str(ROOT / "constraints.txt"), help="a file of versions; empty: the newest")
    arguments = parser.parse_args()
    folder = arguments.venv.absolute()
    python = make(folder)
    announce(folder, arguments.extra)
    index = cpu_builds()
    sys.stdout.flush()
    install(python, arguments.extra, [*index, *(["--constraint", arguments.lock] if arguments.lock else [])])


if __name__ == "__main__":
    main()
