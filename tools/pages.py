"""Run every chapter and solution through nbval as a reader would, and see that each claim can fail.

    python -m tools.pages            # all
    python -m tools.pages 01         # one chapter and its exercises

The network is cut off in every kernel, no learner's record is touched, and each claim is run once more on a broken
model (tests/notebooks/breaks). Two pages run at a time, each on one core. How long each took is told at the end, and
which took longer than a page should; that fails nothing, since another machine, or a busy one, has other times.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.notebooks import ROOT, target, texts

CELL_TIMEOUT_S = 300


def page_environment(scratch: Path) -> dict[str, str]:
    """The environment of kernels under test: their own profile, state and proof folder."""
    profile = scratch / "ipython" / "profile_default"
    shutil.copytree(ROOT / "tests" / "kernel", profile)
    (scratch / "proof").mkdir()
    return {
        "IPYTHONDIR": str(scratch / "ipython"),
        "LMCOURSE_PROOF": str(scratch / "proof"),
        "LMCOURSE_BREAKS": str(ROOT / "tests" / "notebooks" / "breaks"),
        "LMCOURSE_STATE": str(scratch / "progress.json"),
        "LMCOURSE_PRESET": os.environ.get("LMCOURSE_PRESET", "laptop"),
        "TQDM_DISABLE": "1",
        "OMP_NUM_THREADS": "1",  # two pages at a time: threads of one would wait for cores that the other has
    }


def tracked_contents() -> dict[str, str]:
    """File name -> checksum of every file that git tracks; empty where this is no clone."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    files = [ROOT / name for name in listed.split("\0") if name]
    return {str(path.relative_to(ROOT)): file_digest(path) for path in files if path.is_file()}


def file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def changed_files(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The files that were changed, made or removed between two calls of `tracked_contents`."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def main() -> None:
    chosen = [str(target(text)) for text in texts(*sys.argv[1:])]
    if not chosen:
        sys.exit(f"no page is named {' or '.join(sys.argv[1:])}")
    before = tracked_contents()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | page_environment(Path(folder))
        pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
        two_at_a_time = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
        nbval = ["--nbval-lax", "--nbval-current-env", f"--nbval-cell-timeout={CELL_TIMEOUT_S}"]
        run = subprocess.run([*pytest, *two_at_a_time, *nbval, *chosen], cwd=ROOT, env=environment, check=False)
        proofs = subprocess.run(
            [*pytest, "-rP", "tests/notebooks/proofs.py"],
            cwd=ROOT,
            env=environment | {"LMCOURSE_PAGES": os.pathsep.join(chosen)},
            check=False,
        )
    if changed := changed_files(before, tracked_contents()):
        print(f"running the pages must change no tracked file, and changed {', '.join(changed)}")
    sys.exit(run.returncode or proofs.returncode or bool(changed))


if __name__ == "__main__":
    main()
