"""Look at a class's hub before the class does: what is missing, what is open that should not be, and what to do."""

import importlib.metadata
import os
import pwd
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lmcourse import course, data
from lmcourse.doctor import Finding
from lmcourse.grader.cgroup import Cgroup
from lmcourse.grader.weaker import first_barred
from lmcourse.hub import exchange as exchanges
from lmcourse.hub.init import CONFIG
from lmcourse.hub.roles import STUDENTS, TEACHERS, environment, read_names
from lmcourse.hub.user_server import FOLDER

_PACKAGES = ("jupyterhub", "jupyterhub-idle-culler", "jupyterlab", "nbgrader")
COLLECT = "lmcourse.hub.collect.Collect"
_ROOM = 1_000_000_000  # bytes; a notebook with its outputs takes up to 10 MB
_CORPORA = ("shakespeare", "gpt2-merges", "word-vectors", "ratings", "smollm2", "minilm")


def examine(folder: Path) -> list[Finding]:
    """Return what was found in the folder of a hub and on this machine.

    Raises:
        FileNotFoundError: the folder was not made by `lmcourse hub init`.
        ValueError: a file of names is damaged; the message has file and line.
    """
    folder = folder.resolve()
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder} has no {CONFIG}; make it with: lmcourse hub init {folder} --teacher NAME")
    teachers, students = read_names(folder / TEACHERS), read_names(folder / STUDENTS)
    if not teachers:
        raise ValueError(f"{folder / TEACHERS} must name at least one teacher.")
    return [
        *_software(),
        *_people(teachers, students),
        *_folders(folder, teachers[0]),
        *_limits(),
        _https(folder / CONFIG),
    ]


def _software() -> Iterator[Finding]:
    for package in _PACKAGES:
        try:
            version, good = importlib.metadata.version(package), True
        except importlib.metadata.PackageNotFoundError:
            version, good = 'pip install "lmcourse[hub]"', False
        yield Finding(good, f"package {package}", detail=version)
    proxy = shutil.which("configurable-http-proxy")
    yield Finding(bool(proxy), "the hub's proxy", detail=proxy or "npm install --global configurable-http-proxy")
    barred = first_barred(Path(sys.executable))
    advice = f"{barred} lets nobody but its owner in: install Python and the course elsewhere, such as in /opt/lmcourse"
    yield Finding(barred is None, "everybody may start this Python", detail=advice if barred else sys.executable)
    bwrap = shutil.which("bwrap")
    yield Finding(bool(bwrap), "a sandbox for marking", needed=False, detail=bwrap or "apt-get install bubblewrap")


def _people(teachers: list[str], students: list[str]) -> Iterator[Finding]:
    both = sorted(set(teachers) & set(students))
    yield Finding(not both, "nobody is teacher and student", detail=", ".join(both))
    strangers = [name for name in (*teachers, *students) if _home(name) is None]
    advice = f"adduser {strangers[0]}, and so on, or an authenticator that makes users" if strangers else ""
    count = f"{len(teachers)} teachers, {len(students)} students"
    text = f"{', '.join(strangers[:5])} and {len(strangers) - 5} more" if len(strangers) > 5 else ", ".join(strangers)
    yield Finding(
        not strangers, "all are users of this system", detail=f"not: {text}; {advice}" if strangers else count
    )


def _home(name: str) -> Path | None:
    try:
        return Path(pwd.getpwnam(name).pw_dir)
    except KeyError:
        return None


def _folders(folder: Path, teacher: str) -> Iterator[Finding]:
    exchange = _exchange(folder)
    yield from exchanges.examine(exchange, teacher)
    settings = _nbgrader(folder, "teacher")
    collects = str(settings.get("ExchangeFactory", {}).get("collect", ""))
    advice = f'c.ExchangeFactory.collect = "{COLLECT}", into etc/teacher/nbgrader_config.py'
    yield Finding(collects == COLLECT, "who handed in, and when, is the server's word", detail=advice)
    if exchange.is_dir():
        free = shutil.disk_usage(exchange).free
        detail = f"{free / 1e9:.1f} GB free where {exchange} lies; what does not fit cannot be handed in"
        yield Finding(free >= _ROOM, "room for what is handed in", needed=False, detail=detail)
    barred = first_barred(folder / CONFIG)
    yield Finding(
        barred is None, "everybody may read the configuration", detail=f"chmod o+x {barred}" if barred else ""
    )
    cache = environment(folder, "teacher")["LMCOURSE_CACHE"]
    missing = _not_cached(cache)
    fetch = f"LMCOURSE_CACHE={cache} lmcourse data fetch --optional {' '.join(missing)}"
    yield Finding(not missing, "corpora for everybody", needed=False, detail=fetch if missing else cache)
    if home := _home(teacher):
        yield _is_private(home / FOLDER, "submissions, marks and grade book are private")
    yield _is_private(course.source_folder() / "solutions", "the installed solutions are private", teacher)


def _not_cached(cache: str) -> list[str]:
    """The corpora that are not in a cache folder."""
    before = os.environ.get("LMCOURSE_CACHE")
    os.environ["LMCOURSE_CACHE"] = cache
    try:
        return [name for name in _CORPORA if not data.is_cached(name)]
    finally:
        if before is None:
            del os.environ["LMCOURSE_CACHE"]
        else:
            os.environ["LMCOURSE_CACHE"] = before


def _exchange(folder: Path) -> Path:
    """Where nbgrader's exchange is, as the configuration that everybody loads says."""
    return Path(str(_nbgrader(folder, "common").Exchange.root))


def _nbgrader(folder: Path, role: str) -> Any:
    """nbgrader's settings for a role, as its configuration says."""
    from traitlets.config import PyFileConfigLoader

    return PyFileConfigLoader("nbgrader_config.py", path=str(folder / "etc" / role)).load_config()


def _is_private(path: Path, what: str, reader: str = "") -> Finding:
    if not path.exists():
        return Finding(True, what, detail=f"{path} is not there yet")
    advice = f"chmod -R o-rwx {path}" + (f"; chgrp -R {reader} {path}; chmod -R g+rX {path}" if reader else "")
    return Finding(not path.stat().st_mode & stat.S_IRWXO, what, detail=advice)


def _limits() -> Iterator[Finding]:
    root = os.geteuid() == 0
    yield Finding(root, "the hub is started by root, who may start servers of others", detail="" if root else "sudo")
    group = Cgroup.make_by_hand(100_000_000, 100, f"lmcourse-doctor-{os.getpid()}", cpus=1.0) if root else None
    if group:
        group.remove()
    advice = "memory and processor of a student are not limited; on a machine with systemd: jupyterhub-systemdspawner"
    yield Finding(group is not None, "control groups", needed=False, detail="" if group else advice)


def _https(config: Path) -> Finding:
    lines = [line.split("#")[0] for line in config.read_text(encoding="utf-8").splitlines()]
    own = any("ssl_cert" in line for line in lines)
    local = any("bind_url" in line and ("127.0.0.1" in line or "localhost" in line) for line in lines)
    advice = "passwords would cross the network readable: a certificate, or a proxy in front (docs/hub.md)"
    return Finding(own or local, "HTTPS, or for this machine alone", detail="" if own or local else advice)
