"""The wheel carries the course: installed into a clean environment, `lmcourse lab DIR` makes a working folder."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.test_extras import BARE, CORE

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_library_and_course_and_no_more(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for part in ("chapters", "exercises", "solutions"):
        files = [path.relative_to(ROOT / part) for path in (ROOT / part).rglob("*") if path.is_file()]
        pages = {
            path.as_posix() for path in files if not any(piece.startswith((".", "__pycache__")) for piece in path.parts)
        }
        carried = {
            name.removeprefix(f"lmcourse/course/{part}/")
            for name in names
            if name.startswith(f"lmcourse/course/{part}/")
        }
        assert pages <= carried
    assert "lmcourse/py.typed" in names
    assert {f"lmcourse/tasks/ch09/course_{what}.json" for what in ("passages", "questions")} <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "tools/", "texts/"))]
    for ending in ("licenses/LICENSE-TEXT.md", "data/etc/jupyter/jupyter_server_config.d/lmcourse.json"):
        assert any(name.endswith(ending) for name in names)


@pytest.mark.slow  # daily: what it holds, and that the core alone trains (test_extras)
def test_an_installed_wheel_gives_a_working_course_folder(wheel, tmp_path):
    """The environment is new; its dependencies are those of the running one, so that nothing is downloaded twice."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    site = next((tmp_path / "venv" / "lib").glob("python*/site-packages"))
    here = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "dependencies.pth").write_text(here + "\n")
    lab = [str(tmp_path / "venv" / "bin" / "lmcourse"), "lab", "my-course", "--no-start"]
    first = subprocess.run(lab, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr
    exercise = next((tmp_path / "my-course" / "exercises").rglob("00*.ipynb"))
    exercise.write_text("my work")
    again = subprocess.run(lab, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert exercise.read_text() == "my work"
    draws = [str(python), "-c", "from figures import ngrams; print(ngrams.__file__)"]
    beside = subprocess.run(draws, cwd=tmp_path / "my-course" / "chapters", capture_output=True, text=True, check=True)
    assert beside.stdout.strip().startswith(str(tmp_path / "my-course"))
    where = subprocess.run(
        [str(python), "-c", "import lmcourse; print(lmcourse.__file__)"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(tmp_path) in where.stdout
    tiny = tmp_path / "tiny.py"  # where the extras cannot be imported, the wheel's core trains and writes
    tiny.write_text(BARE.format(core=sorted(CORE)) + (ROOT / "tests" / "tiny_gpt.py").read_text(encoding="utf-8"))
    trained = subprocess.run([str(python), str(tiny)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert trained.returncode == 0, trained.stderr
    assert trained.stdout.startswith("loss 5.")
