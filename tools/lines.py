"""Lines of Python by room, beside those of another commit.

    python -m tools.lines                # now
    python -m tools.lines 456c6df        # now, and then

It only prints: a limit is an aim, and fails nothing.
"""

import subprocess
import sys
from collections import Counter
from pathlib import PurePosixPath

from tools.form import ROOT

#: What a room may hold at most.
LIMITS = {"all": 100_000, "lib": 52_000, "lib/lmcourse/tasks": 18_000, "tests and assay": 38_000}


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def lines(commit: str) -> Counter[str]:
    """Lines of Python of a commit, or of the files as they are (""): by top folder, by room of the library, in sums."""
    listed = git("grep", "--count", "-e", "", *filter(None, [commit]), "--", "*.py")  # "" is in every line
    found: Counter[str] = Counter()
    for line in listed.splitlines():
        name, count = line.removeprefix(f"{commit}:").rsplit(":", 1)
        folders = PurePosixPath(name).parts[:-1]
        rooms = {"all", folders[0] if folders else "."}
        if folders[:2] == ("lib", "lmcourse"):
            rooms.add("/".join(folders[:3]))
        if rooms & {"tests", "assay"}:
            rooms.add("tests and assay")
        for room in rooms:
            found[room] += int(count)
    return found


def main() -> None:
    commits = ["", *sys.argv[1:]]
    columns = [lines(commit) for commit in commits]
    print(" ".join([f"{'':24}", *(f"{commit or 'now':>10}" for commit in commits), f"{'at most':>10}"]))
    for room in sorted(set().union(*columns)):
        limit = f"{LIMITS[room]:>10,}" if room in LIMITS else ""
        print(" ".join([f"{room:24}", *(f"{column[room]:>10,}" for column in columns), limit]).rstrip())


if __name__ == "__main__":
    main()
