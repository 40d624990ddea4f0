import base64
import re
from dataclasses import dataclass

import matplotlib.pyplot as plt
import pytest

from lmcourse.plots import chat_widget, style, views, widgets

_IMAGE = r'<img alt="(.+)" width="(\d+)" src="data:image/png;base64,([^"]+)">'


@dataclass
class Shown:
    """One output of a cell: its HTML and its text, and the image in it, if it is a figure."""

    html: str
    text: str

    def __post_init__(self) -> None:
        match = re.fullmatch(
            r'<img alt="(.+)" width="(\d+)" src="data:image/png;base64,([^"]+)">', self.html, re.DOTALL
        )
        self.alt, self.width, self.png = (match[1], int(match[2]), base64.b64decode(match[3])) if match else [None] * 3


@pytest.fixture(autouse=True)
def _clean_slate():
    with plt.rc_context():
        yield
    plt.close("all")


@pytest.fixture
def shown(monkeypatch):
    """What `show` and the views display, in order; every figure must be closed in the end."""
    outputs = []

    def display(bundle, *, raw):
        assert raw
        outputs.append(Shown(bundle["text/html"], bundle["text/plain"]))

    monkeypatch.setattr(style, "display", display)
    monkeypatch.setattr(views, "display", display)
    monkeypatch.setattr(widgets, "display", display)
    monkeypatch.setattr(chat_widget, "display", display)
    yield outputs
    assert not plt.get_fignums()
