"""What the sandbox sees of the course: enough to call answers, nothing that answers."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from lmcourse import tasks as tasks_package
from lmcourse.exercises import Slip, Task, all_tasks, case
from lmcourse.grader.bundle import PAGE, library_modules, write_bundle
from lmcourse.grader.page import assignments, load_page
from tests.grader.classes import ROOT

CHAPTERS = sorted({task.chapter for task in all_tasks()})


def codes(answer) -> set[bytes]:
    """The byte code of a function and of every function that it brings along."""
    found, todo = set(), [answer]
    while todo:
        part = todo.pop()
        todo += [getattr(part, "func", None)] if hasattr(part, "func") else []
        if isinstance(part, type):
            todo += [method for method in vars(part).values() if callable(method) and not isinstance(method, type)]
        code = getattr(part, "__code__", None)
        if code is not None and code.co_code not in found:
            found.add(code.co_code)
            names = (vars(sys.modules[part.__module__]).get(name) for name in code.co_names)
            todo += [one for one in names if (getattr(one, "__module__", None) or "").startswith("lmcourse")]
    return found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_answer_is_in_it(chapter, tmp_path):
    page = load_page(ROOT, chapter)
    drawn = [(task, task.cases(5)) for task in page.tasks]
    write_bundle(tmp_path / "bundle", drawn, page.own_code)
    content = (tmp_path / "bundle" / PAGE).read_bytes()
    for task in page.tasks:
        for answer in (task.reference, *(slip.answer for slip in task.slips)):
            assert not any(code in content for code in codes(answer) if len(code) > 30), (task.name, answer)
        asked = " ".join(part.says for part in task.properties)  # which the page shows
        told = {slip.reason[:30] for slip in task.slips if slip.reason not in asked}
        assert all(reason.encode() not in content for reason in told)
        assert all(hint[:20].encode() not in content for hint in task.hints)
    files = {path.relative_to(tmp_path / "bundle" / "lmcourse").as_posix() for path in tmp_path.rglob("*.py")}
    assert not any(name.startswith(("tasks/", "course")) for name in files)
    homes = {getattr(task.reference, "__module__", "") for task in page.tasks}
    brought = {"lmcourse." + name.removesuffix(".py").replace("/", ".") for name in files}
    assert not homes & brought, "the page's own cells bring the library's answer along"


def run(bundle: Path, code: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(bundle)},
        capture_output=True,
        text=True,
        check=False,
    )


MISSING = (
    "import lmcourse.tasks",
    "import lmcourse.models.ngram",
    "from lmcourse import data",
    "from lmcourse.exercises import secret_seed",
    "import lmcourse.exercises.registry",
    "from lmcourse.exercises.check import check",
    "import lmcourse; lmcourse.layers",
)


def test_the_library_is_missing_there_and_says_why(tmp_path):
    write_bundle(tmp_path / "bundle", [], "")
    tried = f"for line in {MISSING}:\n    try: exec(line)\n    except Exception as error: print(repr(error))\n"
    offered = "from lmcourse.exercises import check, hint; print(check('softmax', None), hint('x'))"
    *missing, right = run(tmp_path / "bundle", tried + offered).stdout.splitlines()
    assert [line.partition("(")[0] for line in missing] == ["ModuleNotFoundError"] * 6 + ["AttributeError"]
    assert all("while answers are marked, lmcourse." in line for line in missing), missing
    assert "lmcourse.layers is missing" in missing[-1]
    assert right == "None None"


def test_what_a_page_imports_comes_with_all_that_it_needs(tmp_path):
    needed = library_modules({"lmcourse.training.ladder", "lmcourse.tasks.ch01.add_k", "lmcourse.exercises", "numpy"})
    assert needed == {"lmcourse.training", "lmcourse.training.ladder", *needed}
    assert {"lmcourse.atomic", "lmcourse.runtime"} <= needed
    assert not any(name.startswith(("lmcourse.tasks", "lmcourse.exercises")) for name in needed)
    write_bundle(tmp_path / "bundle", [], "from lmcourse.tokenizers import Vocabulary")
    done = run(tmp_path / "bundle", "from lmcourse.tokenizers import Vocabulary; print(len(Vocabulary.build(['a'])))")
    assert done.stdout == "2\n", done.stderr


def _reference(x):
    return x + 1


def _use(answer, table):
    """How the answer is put to use: it gets a function, which no JSON could carry."""
    return answer(lambda key: _look_up(table, key))


def _look_up(table, key):
    return float(np.sum(table[key]))


def test_how_an_answer_is_used_is_sent_by_value_without_its_module(tmp_path, monkeypatch):
    pytest.importorskip("cloudpickle", reason="cloudpickle is not installed")
    for function in (_use, _look_up, _reference):
        monkeypatch.setattr(function, "__module__", "lmcourse.tasks.ch00")
    monkeypatch.setattr(tasks_package, "ch00", sys.modules["lmcourse.tasks.ch00"], raising=False)
    slips = (Slip("none", lambda look: 0.0, "It looks nothing up."),)
    task = Task(_reference, 1, 1, 1, lambda seed: [], slips, ("a", "b", "c"), call=_use, name="look", chapter="x")
    cases = [case("one", {"a": np.ones(3)}), case("a tensor", {"a": torch.ones(2)})]
    write_bundle(tmp_path / "bundle", [(task, cases)], "")
    code = (
        "import pickle\n"
        f"page = pickle.load(open({str(tmp_path / 'bundle' / PAGE)!r}, 'rb'))\n"
        "asked = page.tasks['look']\n"
        "print(asked.call(lambda look: look('a'), *asked.cases[0].args))\n"
    )
    done = run(tmp_path / "bundle", code)
    assert done.stdout == "3.0\n", done.stderr
    content = (tmp_path / "bundle" / PAGE).read_bytes()
    assert b"_reference" not in content
    assert b"looks nothing up" not in content


def test_a_page_without_functions_needs_no_cloudpickle(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    name = assignments(ROOT)[0]
    page = load_page(ROOT, name)
    write_bundle(tmp_path / "bundle", [(task, task.cases(1)) for task in page.tasks], page.own_code)
    assert set(pickle.loads((tmp_path / "bundle" / PAGE).read_bytes()).tasks) == {task.name for task in page.tasks}
