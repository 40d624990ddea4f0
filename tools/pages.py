"""Run every chapter and solution through nbval as a reader would, and see that each claim can fail.

    python -m tools.pages            # all
    python -m tools.pages 01         # one chapter and its exercises
    python -m tools.pages --daily    # all with short runs, but two chapters in full: those whose turn it is

The network is cut off in every kernel, no learner's record is touched, and in a run in full each claim is run once more
on a broken model (tests/notebooks/breaks). Two pages run at a time, each on one core. How long each took is told at
the end, and which took longer than a page should; that fails nothing, since other machines, and busy ones, have other
times.
A chapter that passed in full is entered in tests/ledger.json. Exercises have one size.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from tools import ledger
from tools.notebooks import ROOT, target, texts

CELL_TIMEOUT_S = 300
A_DAY = 2  # chapters in full
KEPT = ("tests/ledger.json", "tests/durations.json")  # a run may write what it found out


def page_environment(scratch: Path, in_full: Collection[str]) -> dict[str, str]:
    """The environment of kernels under test: their own profile, state and proof folder; the pages that run in full."""
    profile = scratch / "ipython" / "profile_default"
    shutil.copytree(ROOT / "tests" / "kernel", profile)
    (scratch / "proof").mkdir()
    return {
        "IPYTHONDIR": str(scratch / "ipython"),
        "LMCOURSE_PROOF": str(scratch / "proof"),
        "LMCOURSE_IN_FULL": os.pathsep.join(in_full),
        "LMCOURSE_STATE": str(scratch / "progress.json"),
        "TQDM_DISABLE": "1",
        "OMP_NUM_THREADS": "1",  # two pages at a time: threads of one would wait for cores that the other has
    }


def tracked_contents() -> dict[str, str]:
    """File name -> checksum of every file that git tracks, but for `KEPT`; empty where this is no clone."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    files = [ROOT / name for name in listed.split("\0") if name and name not in KEPT]
    return {str(path.relative_to(ROOT)): file_digest(path) for path in files if path.is_file()}


def file_digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def changed_files(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The files that were changed, made or removed between two calls of `tracked_contents`."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def run(chosen: list[str], in_full: Collection[str]) -> int:
    """Run pages, two at a time, and the proofs of what their kernels recorded; return 0 if all passed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | page_environment(Path(folder), in_full)
        pytest = [sys.executable, "-m", "pytest", "-p", "tools.sizes", "-p", "no:cacheprovider", "-q"]
        two_at_a_time = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
        nbval = ["--nbval-lax", "--nbval-current-env", f"--nbval-cell-timeout={CELL_TIMEOUT_S}"]
        command = [*pytest, *two_at_a_time, *nbval, *chosen]
        ran = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        proofs = subprocess.run(
            [*pytest, "-p", "no:nbval", "-rP", "tests/notebooks/proofs.py"],
            cwd=ROOT,
            env=environment | {"LMCOURSE_PAGES": os.pathsep.join(chosen), "LMCOURSE_PASSED": "" if ran else "1"},
            check=False,
        ).returncode
    return ran or proofs


def main() -> None:
    asked = [name for name in sys.argv[1:] if name != "--daily"]
    chosen = [target(text).relative_to(ROOT).as_posix() for text in texts(*asked)]
    if not chosen:
        sys.exit(f"no page is named {' or '.join(asked)}")
    before = tracked_contents()
    in_full = chosen
    if "--daily" in sys.argv:
        chapters = [page for page in chosen if page.startswith("chapters/")]
        in_full = ledger.oldest_first(chapters, ledger.read(), ledger.commit())[:A_DAY]
    status = run(sorted(chosen, key=lambda page: page not in in_full), in_full)  # what takes long first
    if changed := changed_files(before, tracked_contents()):
        print(f"running the pages must change no tracked file, and changed {', '.join(changed)}")
    sys.exit(status or bool(changed))


if __name__ == "__main__":
    main()
