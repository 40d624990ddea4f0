"""A cell of chapter 13 that starts processes, interrupted in a real kernel: nothing of it is left."""

import socket
import sys
import time

import nbformat
import psutil
import pytest
from jupyter_client.manager import KernelManager

from tests.notebooks.reading import code_cells
from tools.notebooks import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="an interrupt is sent as a signal"),
]
# what the cells take from those before them, with so many batches that they train until they are interrupted
BEFORE = """
import json, shutil, tempfile
from pathlib import Path
import torch
from lmcourse.models import GPT, GPTConfig
from lmcourse.training.launching import torchrun
in_one_piece = []
batches = torch.randint(50, (100_000, 2, 17))
def new_model():
    return GPT(GPTConfig(50, 16, embed_dim=8, num_heads=2, num_layers=1))
"""


def cell_with(text):
    page = nbformat.read(ROOT / "chapters" / "13_scaling_up.ipynb", as_version=4)
    [found] = [cell.source for cell in code_cells(page) if text in cell.source]
    return found


@pytest.fixture
def kernel():
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(ROOT / "chapters"))
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=300)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def listened(process):
    """The ports on which a process waits for others."""
    try:
        return {link.laddr.port for link in process.net_connections("tcp") if link.status == psutil.CONN_LISTEN}
    except psutil.Error:
        return set()


def is_training(process):
    """Whether this is one of the two that train, and joined to the other."""
    try:
        return "ddp.py" in process.cmdline()[-1] and "torch.distributed.run" not in process.cmdline() and any(
            link.status == psutil.CONN_ESTABLISHED for link in process.net_connections("tcp")
        ) and process.cpu_times().user > 1  # fmt: skip
    except (psutil.Error, IndexError):
        return False


def is_free(port):
    with socket.socket() as to:
        return to.connect_ex(("127.0.0.1", port)) != 0


def test_an_interrupted_cell_leaves_no_process_and_no_port(kernel):
    manager, client = kernel
    for source in (BEFORE, cell_with("dist.init_process_group(")):
        assert client.execute_interactive(source, timeout=300)["content"]["status"] == "ok"
    own = psutil.Process(manager.provisioner.pid)
    before = set(own.children(recursive=True))

    asked = client.execute(cell_with("torchrun(folder"))
    started, ports, until = set(), set(), time.monotonic() + 300
    while sum(map(is_training, started)) < 2:
        assert time.monotonic() < until
        time.sleep(0.2)
        started = set(own.children(recursive=True)) - before
    time.sleep(1)  # into the training
    ports = set().union(*map(listened, started))
    assert ports
    assert not any(map(is_free, ports))

    manager.interrupt_kernel()
    while (reply := client.get_shell_msg(timeout=300))["parent_header"]["msg_id"] != asked:
        pass
    assert reply["content"]["ename"] == "KeyboardInterrupt"
    assert set(own.children(recursive=True)) <= before
    assert not [process for process in started if process.is_running()]
    assert all(map(is_free, ports))
    assert client.execute_interactive("1 + 1", timeout=300)["content"]["status"] == "ok"
