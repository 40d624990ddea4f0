"""The configuration of a class's hub: written once, never changed, and looked at."""

import json
import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from traitlets.config import PyFileConfigLoader

from lmcourse import cli, course
from lmcourse.hub import doctor, user_server
from lmcourse.hub.init import CONFIG, init
from lmcourse.hub.roles import environment, read_names


def run(*words):
    return CliRunner().invoke(cli.main, ["hub", *map(str, words)])


def test_what_is_written(tmp_path):
    done = run("init", tmp_path / "class", "--teacher", "ada", "--student", "ben", "--timezone", "Europe/Berlin")
    assert done.exit_code == 0, done.output
    folder = tmp_path / "class"
    assert (folder / "students.txt").read_text() == "ben\n"
    assert stat.S_IMODE((folder / "exchange").stat().st_mode) == 0o1777
    assert stat.S_IMODE((folder / "state").stat().st_mode) == 0o700
    loaded = PyFileConfigLoader("nbgrader_config.py", path=str(folder / "etc" / "common")).load_config()
    assert (loaded.Exchange.root, loaded.Exchange.timezone) == (str(folder / "exchange"), "Europe/Berlin")


def test_the_umask_keeps_nobody_out(tmp_path):
    before = os.umask(0o077)
    try:
        init(tmp_path / "class", ["ada"], ["ben"])
    finally:
        os.umask(before)
    for path in (tmp_path / "class" / "etc").rglob("*"):
        assert path.stat().st_mode & (0o001 if path.is_dir() else 0o004), path


def test_the_hub_reads_it(tmp_path):
    pytest.importorskip("jupyterhub")
    init(tmp_path / "class", ["ada", "zoe"], ["ben"])
    loaded = PyFileConfigLoader(CONFIG, path=str(tmp_path / "class")).load_config()
    assert loaded.Authenticator.allowed_users == {"ada", "zoe", "ben"}
    assert loaded.Spawner.mem_limit == "3G"
    (role,) = [role for role in loaded.JupyterHub.load_roles if role["name"] == "teachers"]
    assert role["users"] == ["ada", "zoe"]
    assert "access:servers!user=ada" in role["scopes"]

    for name, expected in (("ben", "student"), ("zoe", "teacher")):
        spawner = SimpleNamespace(environment={}, user=SimpleNamespace(name=name))
        loaded.Spawner.pre_spawn_hook(spawner)
        assert spawner.environment["LMCOURSE_ROLE"] == expected


def test_formgrader_is_for_teachers(tmp_path):
    folder = tmp_path / "class"
    init(folder, ["ada"], [])
    for role, shown in (("student", False), ("teacher", True)):
        first = environment(folder, role)["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0]
        settings = json.loads((Path(first) / "jupyter_server_config.json").read_text())
        assert settings["ServerApp"]["jpserver_extensions"]["nbgrader.server_extensions.formgrader"] is shown
        disabled = json.loads((Path(first) / "labconfig" / "page_config.json").read_text())["disabledExtensions"]
        assert disabled.get("@jupyter/nbgrader:formgrader", False) is not shown


def test_nothing_that_is_there_is_changed(tmp_path):
    folder = tmp_path / "class"
    init(folder, ["ada"], ["ben"])
    (folder / CONFIG).write_text("# mine\n")
    (folder / "students.txt").write_text("ben\ncleo  # came later\n")
    (folder / "etc" / "student" / "nbgrader_config.py").unlink()
    written = init(folder, ["ada"], ["ben"])
    assert [path.name for path in written] == ["nbgrader_config.py"]
    assert (folder / CONFIG).read_text() == "# mine\n"
    assert read_names(folder / "students.txt") == ["ben", "cleo"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--teacher", "ada", "--student", "ada"], "ada is both"),
        (["--teacher", "Ada Lovelace"], "line 1: 'Ada Lovelace' must be the name of a system user"),
        (["--teacher", "ada", "--student", "ben", "--student", "ben"], "line 2: ben must stand there once"),
        (["--teacher", "ada", "--students", "no-such-file"], "no-such-file"),
    ],
)
def test_bad_names(tmp_path, words, said):
    done = run("init", tmp_path / "class", *words)
    assert done.exit_code == 2
    assert said in done.output
    assert not (tmp_path / "class" / CONFIG).exists()


def test_a_folder_that_is_no_hub(tmp_path):
    done = run("doctor", tmp_path)
    assert done.exit_code == 2
    assert f"lmcourse hub init {tmp_path}" in done.output


def test_doctor_names_what_is_missing_and_what_mends_it(tmp_path, monkeypatch):
    folder = tmp_path / "class"
    init(folder, ["nobody-of-this-name"], ["nor-this"], url="http://0.0.0.0:80")
    (folder / "exchange").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    by_text = {finding.text: finding for finding in doctor.examine(folder)}
    assert "npm install" in by_text["the hub's proxy"].detail
    assert "not: nobody-of-this-name, nor-this" in by_text["all are users of this system"].detail
    assert f"-m 1777 {folder / 'exchange'}" in by_text["everybody may hand in"].detail
    assert "passwords would cross the network" in by_text["HTTPS, or for this machine alone"].detail
    assert not by_text["corpora for everybody"].good
    assert run("doctor", folder).exit_code == 1


def test_doctor_sees_an_exchange_that_is_nearly_full(tmp_path, monkeypatch):
    init(tmp_path / "class", ["root"], [])
    for free, good in ((2e9, True), (1e6, False)):
        monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        (found,) = [one for one in doctor.examine(tmp_path / "class") if one.text == "room for what is handed in"]
        assert found.good is good
        assert f"{free / 1e9:.1f} GB free" in found.detail


def test_the_first_folder_that_bars_the_way(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    for path in [inner, *inner.parents]:
        if path.is_relative_to(tmp_path):
            path.chmod(0o755)
    (tmp_path / "a").chmod(0o700)
    found = doctor.first_barred(inner / "python")
    assert found is not None
    assert found == (tmp_path / "a") or found in tmp_path.parents  # the tests' own folder may be private, too


@pytest.mark.parametrize(("role", "parts"), [("student", ["chapters", "exercises"]), ("teacher", list(course.PARTS))])
def test_the_server_of_a_person(tmp_path, monkeypatch, role, parts):
    started = []
    monkeypatch.setattr(os, "execv", lambda *words: started.append(words))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LMCOURSE_ROLE", role)
    user_server.main()
    folder = tmp_path / "course"
    shown = sorted(
        path.name for path in folder.iterdir() if path.is_dir() and path.name[0] != "." and path.name != "reports"
    )
    assert shown == parts
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / ".grading").exists() == (role == "teacher")
    assert started[0][1][1:3] == ["-m", "jupyterhub.singleuser"]


def test_a_course_that_cannot_be_delivered_keeps_nobody_out(tmp_path, monkeypatch, capsys):
    started = []
    monkeypatch.setattr(os, "execv", lambda *words: started.append(words))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "course").write_text("a file where the folder belongs")
    user_server.main()
    assert started
    assert "cannot be brought up to date" in capsys.readouterr().err
