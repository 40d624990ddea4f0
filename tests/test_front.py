"""The first page of the repository and the version agree with what they are made from."""

import re

import pytest
from click.testing import CliRunner

import lmcourse
from lmcourse.cli import main
from tools import container, front
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
    said = CliRunner().invoke(main, ["--version"]).output
    assert said == f"lmcourse, version {lmcourse.__version__} ({lmcourse.__date__})\n"
    said = {
        "CITATION.cff": f"version: {lmcourse.__version__}\ndate-released: {lmcourse.__date__}\n",
        "CHANGELOG.md": f"## {lmcourse.__version__} ({lmcourse.__date__})\n",
        "README.md": f"lmcourse-{lmcourse.__version__}-py3-none-any.whl",
    }
    for name, words in said.items():
        assert words in (ROOT / name).read_text(encoding="utf-8"), f"{name} lacks {words!r}"


def test_the_dockerfile_has_only_lines_that_its_check_can_run():
    lines = container.lines((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    known = {"FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert {word for word, _ in lines} == known
    assert container.lines("# no\nRUN a \\\n && b\n\nUSER c\n") == [("RUN", "a   && b"), ("USER", "c")]
