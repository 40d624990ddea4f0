"""Run the lines of the Dockerfile in a folder that holds a fresh Debian, and tell its size: a check without Docker.

    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates stable DIR
    python -m tools.container DIR [--bind /a/folder/that/pip/reads ...]

As root, with bubblewrap. The Python is Debian's and not that of the Dockerfile's first line. Ends with an error if a
line fails, or if the server does not answer the health check within two minutes.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools.form import ROOT

SECONDS = 120


def lines(dockerfile: str) -> list[tuple[str, str]]:
    """(instruction, rest) for each line, continued ones joined, without comments."""
    joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", dockerfile, flags=re.MULTILINE))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def inside(root: Path, binds: list[str], *, user: str, folder: str, path: str) -> list[str]:
    """The command in front of `sh -c ...` that runs it in the folder, as a user."""
    command = [
        "bwrap",
        "--bind",
        str(root),
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--unshare-pid",
        "--chdir",
        folder,
    ]
    for each in ("/etc/resolv.conf", "/etc/hosts", *binds):
        command += ["--ro-bind", each, each]
    command += ["--setenv", "PATH", path, "--setenv", "HOME", folder if user else "/root", "--die-with-parent"]
    who = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"] if user else []
    return [*command, *who]


def build(root: Path, binds: list[str]) -> None:
    """Do what the Dockerfile says, start the server and ask for its health."""
    user, folder, path = "", "/", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    health = ""
    for word, rest in lines((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        here = inside(root, binds, user=user, folder=folder, path=path)
        print(f"{word} {rest}", flush=True)
        if word == "COPY":
            target = root / rest.split()[1].lstrip("/")
            names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
            left_out = tuple((ROOT / ".dockerignore").read_text(encoding="utf-8").split())
            for name in names.splitlines():
                if not name.startswith(left_out):
                    (target / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / name, target / name)
        elif word == "RUN":
            subprocess.run([*here, "sh", "-c", rest], check=True)
        elif word == "ENV":
            path = rest.removeprefix("PATH=").replace("$PATH", path)
        elif word == "USER":
            user = rest
        elif word == "WORKDIR":
            folder = rest
        elif word == "HEALTHCHECK":
            health = rest.partition("CMD ")[2]
        elif word == "CMD":
            size = subprocess.run(["du", "-sm", str(root)], capture_output=True, text=True, check=True).stdout.split()[
                0
            ]
            print(f"{size} MB")
            serve([*here, "sh", "-c"], rest, health)


def serve(shell: list[str], start: str, health: str) -> None:
    with subprocess.Popen([*shell, start]) as server:
        try:
            begun = time.monotonic()
            while subprocess.run([*shell, health], stderr=subprocess.DEVNULL, check=False).returncode:
                if server.poll() is not None or time.monotonic() - begun > SECONDS:
                    sys.exit("The server did not become healthy.")
                time.sleep(1)
            print(f"healthy after {time.monotonic() - begun:.0f} s")
        finally:
            server.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--bind", action="append", default=[], help="a path that is shown inside, too (repeatable)")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("Only root can do this.")
    build(arguments.root.resolve(), arguments.bind)


if __name__ == "__main__":
    main()
