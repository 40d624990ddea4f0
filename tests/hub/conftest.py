"""Real hubs with a teacher and students, who are users of this system for as long as the tests run."""

import contextlib
import json
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from lmcourse.grader.weaker import first_barred
from lmcourse.hub.init import init
from lmcourse.hub.roles import environment

ROOT = Path(__file__).parents[2]


class Hub:
    """A hub that runs, and its people."""

    def __init__(self, folder: Path, port: int, teacher: str, students: list[str]) -> None:
        self.folder, self.port, self.teacher, self.students = folder, port, teacher, students
        self.url = f"http://127.0.0.1:{port}"
        self.password, self.token = secrets.token_hex(8), secrets.token_hex(16)
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        path = f"{Path(python()).parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT / "lib")}
        with (self.folder / "hub.log").open("a") as log:
            command = [python(), "-m", "jupyterhub", "-f", str(self.folder / "jupyterhub_config.py")]
            self.process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        self.wait_until_it_answers()

    def wait_until_it_answers(self) -> None:
        end = time.monotonic() + 600  # with thirty servers to find again, on a machine that is busy
        while time.monotonic() < end:
            try:
                with urlopen(f"{self.url}/hub/health", timeout=5):
                    return
            except OSError:
                time.sleep(0.5)
        raise AssertionError(f"the hub does not answer:\n{(self.folder / 'hub.log').read_text()[-2000:]}")

    def kill(self) -> None:
        """End the hub's own process at once, and nothing else: servers and proxy go on."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def home(self, name: str) -> Path:
        return Path("/home") / name

    def run_as(self, name: str, command: str) -> subprocess.CompletedProcess:
        return subprocess.run(["su", name, "-c", command], capture_output=True, text=True, check=False, timeout=300)

    def begin_as(self, name: str, command: str) -> subprocess.Popen:
        """Begin a command as somebody, in their course, with what their server has in its environment."""
        names = environment(self.folder, "teacher" if name == self.teacher else "student")
        names |= {"PATH": f"{Path(python()).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "lib")}
        stated = " ".join(f"{key}={shlex.quote(value)}" for key, value in names.items())
        line = ["su", name, "-c", f"cd ~/course && export {stated} && {command}"]
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ask(self, path: str, method: str = "GET") -> object:
        """Ask the hub's own interface, as a service that may start servers."""
        request = Request(f"{self.url}/hub/api/{path}", method=method, headers={"Authorization": f"token {self.token}"})
        with urlopen(request, timeout=60) as answer:
            content = answer.read()
        return json.loads(content) if content else None


def python() -> str:
    """A Python that has the course and that every user may start; LMCOURSE_HUB_PYTHON names one."""
    return os.environ.get("LMCOURSE_HUB_PYTHON", sys.executable)


@pytest.fixture(scope="session")
def hub():
    with running_hub(["ada", "ben", "cleo"]) as one:
        yield one


@contextlib.contextmanager
def running_hub(called: list[str]) -> Iterator[Hub]:
    """A hub with a teacher and students of these names."""
    if os.geteuid() != 0:
        pytest.skip("a hub starts servers of other users: it needs root")
    if barred := first_barred(Path(python())):
        pytest.skip(f"other users may not enter {barred}; name a Python that they may start in LMCOURSE_HUB_PYTHON")
    if not shutil.which("configurable-http-proxy"):
        pytest.skip("no configurable-http-proxy: npm install --global configurable-http-proxy")
    mark = secrets.token_hex(2)
    teacher, *students = names = [f"lm{mark}-{name}" for name in ("teacher", *called)]
    folder = Path(tempfile.mkdtemp(prefix="lmcourse-hub-", dir="/srv"))
    folder.chmod(0o755)
    port = 18000 + int(mark, 16) % 10000
    one = Hub(folder, port, teacher, students)
    try:
        init(folder, [teacher], students, url=f"http://127.0.0.1:{port}")
        with (folder / "jupyterhub_config.py").open("a") as config:
            config.write(f"c.JupyterHub.hub_port = {port + 10_000}\n")
            config.write(f'c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{port + 20_000}"\n')
            config.write(f'c.JupyterHub.services.append({{"name": "test", "api_token": "{one.token}"}})\n')
            config.write(
                'c.JupyterHub.load_roles.append({"name": "test", "services": ["test"],'
                ' "scopes": ["admin:servers", "list:users", "read:users", "read:servers"]})\n'
            )
        settings = folder / "etc" / "common" / "jupyter_server_config.json"
        stated = json.loads(settings.read_text()) | {"LabApp": {"expose_app_in_browser": True}}
        settings.write_text(json.dumps(stated))
        for name in names:
            subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", name], check=True)
            subprocess.run(["chpasswd"], input=f"{name}:{one.password}", text=True, check=True)
        one.start()
        yield one
    finally:
        for name in names:
            subprocess.run(["pkill", "-KILL", "-u", name], check=False, capture_output=True)
        if one.process is not None:
            one.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.process.wait(120)
            one.process.kill()
        pid = folder / "state" / "proxy.pid"
        if pid.exists():
            subprocess.run(["kill", pid.read_text().split()[0]], check=False, capture_output=True)
        for name in names:
            subprocess.run(["userdel", "--remove", name], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)
