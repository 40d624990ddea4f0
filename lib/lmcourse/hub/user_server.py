"""Run as a person of the class, by the hub: bring the course up to date, then become this person's Jupyter server.

python -m lmcourse.hub.user_server [options of jupyterhub-singleuser]
"""

import os
import sys
from pathlib import Path

from lmcourse import course

FOLDER = "course"  # in each person's home


def main() -> None:
    """Deliver the course and start the server; a course that cannot be delivered does not keep anyone out."""
    role = os.environ.get("LMCOURSE_ROLE", "student")
    folder = Path.home() / FOLDER
    parts = course.PARTS if role == "teacher" else tuple(part for part in course.PARTS if part != "solutions")
    try:
        print(f"lmcourse: {folder}: {course.deliver(folder, parts=parts)}", flush=True)
        folder.chmod(0o700)  # Debian's homes can be read by everybody: submissions, marks and solutions could be, too
        if role == "teacher":
            _prepare_marking(folder)
    except (OSError, RuntimeError, ValueError) as error:
        print(f"lmcourse: the course cannot be brought up to date in {folder}: {error}", file=sys.stderr, flush=True)
    os.execv(sys.executable, [sys.executable, "-m", "jupyterhub.singleuser", *sys.argv[1:]])


def _prepare_marking(folder: Path) -> None:
    """A private folder for all that marking writes, and its reports where JupyterLab's file browser shows them."""
    private = folder / ".grading"
    private.mkdir(mode=0o700, exist_ok=True)
    private.chmod(0o700)
    (private / "report").mkdir(exist_ok=True)
    shown = folder / "reports"
    if not shown.exists():
        shown.symlink_to(Path(".grading") / "report")


if __name__ == "__main__":
    main()
