"""What the browser's tests share: JupyterLab as `lmcourse lab` starts it."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest


@pytest.fixture(scope="session")
def lab_folder(tmp_path_factory):
    """Where the lab's course lies."""
    return tmp_path_factory.mktemp("lab") / "course"


@pytest.fixture(scope="session")
def lab(lab_folder):
    """`lmcourse lab DIR` as the README says; yields the address that it prints.

    The runs are short ones, unless LMCOURSE_PRESET says otherwise: `tools.pages` executes every page at its full size.
    """
    folder = lab_folder.parent
    environment = os.environ | {
        "LMCOURSE_PRESET": os.environ.get("LMCOURSE_PRESET", "smoke"),
        "LMCOURSE_STATE": str(folder / "state" / "progress.json"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
    }
    (folder / "config").mkdir()
    (folder / "config" / "jupyter_lab_config.json").write_text(
        '{"LabApp": {"expose_app_in_browser": true}}'
    )  # see run_all
    command = [sys.executable, "-m", "lmcourse.cli", "lab", str(lab_folder), "--no-browser", "--port", "0"]  # any free
    log = folder / "log.txt"
    with log.open("w") as out:
        server = subprocess.Popen(command, env=environment, stdout=out, stderr=out, start_new_session=True)
    try:
        deadline = time.monotonic() + 600
        while not (found := re.search(r"http://(?:localhost|127\.0\.0\.1):\d+/lab\S*\?token=\w+", log.read_text())):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.5)
        yield found[0].replace("localhost", "127.0.0.1")
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
