"""The first page of the repository and the version agree with what they are made from."""

import re

import pytest

import lmcourse
from tools import front
from tools.form import ROOT


@pytest.mark.parametrize("name", ["ladder", "badges"])
def test_a_picture_is_what_the_tool_makes(name):
    picture = front.FRONT / f"{name}.svg"
    assert picture.read_text(encoding="utf-8") == getattr(front, name)(), "run `python -m tools.front`"
    assert picture.stat().st_size < 100_000


@pytest.mark.parametrize("name", front.WITH_ADDRESS)
def test_the_address_of_the_repository_comes_from_one_setting(name, monkeypatch):
    page = (ROOT / name).read_text(encoding="utf-8")
    assert front.with_address(page) == page, "run `python -m tools.front`"
    monkeypatch.setattr(front, "project", lambda: {"urls": {"Source": "https://example.org/course"}})
    known = front.with_address(page)
    assert re.search(r"git clone (--depth 1 )?https://example.org/course lmcourse", known)
    assert front.UNKNOWN not in known
    assert front.buttons()["launch_buttons"]
    monkeypatch.setattr(front, "project", dict)
    assert front.with_address(known) == front.with_address(page)
    assert front.buttons() == {}


def test_version_and_date_are_the_same_everywhere():
    said = {
        "CITATION.cff": f"version: {lmcourse.__version__}\ndate-released: {lmcourse.__date__}\n",
        "CHANGELOG.md": f"## {lmcourse.__version__} ({lmcourse.__date__})\n",
        "README.md": f"lmcourse-{lmcourse.__version__}-py3-none-any.whl",
    }
    for name, words in said.items():
        assert words in (ROOT / name).read_text(encoding="utf-8"), f"{name} lacks {words!r}"
