"""What a cell leaves behind: one that has left no more than names spares the cells after it a run apart."""

import pytest

from lmcourse.exercises import all_tasks
from lmcourse.grader.leftovers import left_by, only_imports, words
from lmcourse.grader.page import load_page
from tests.grader.classes import ROOT

PLAIN = {
    "def f(x):\n    return [y for y in x]\n": {"f"},
    '"""A text."""\nimport math\nfrom collections import Counter as C\n\ndef f(x, n=3):\n    return C(x), math.pi\n': {
        "math", "C", "f",
    },
    "import os.path\n": {"os"},
    "def helper(x):\n    x[0] = 1\n\ndef f(x: list[int], /, *rest: int) -> int:\n    y = helper(x)\n    return y\n": {
        "helper", "f",
    },
}  # fmt: skip
MORE = [
    "len = None\n",
    "def f(x):\n    f.calls = 1\n",
    "def f(x):\n    del x.part\n",
    "def f(x):\n    global seen\n    seen = x\n",
    "def f(x):\n    return eval('TABLE')\n",
    "def f(x):\n    setattr(x, 'y', 1)\n",
    "def f(x, then=print()):\n    return x\n",
    "def f(x: print('now')):\n    return x\n",
    "def f(x) -> print('now'):\n    return x\n",
    "@decorated\ndef f(x):\n    return x\n",
    "class F:\n    pass\n",
    "print('now')\n",
    "from math import *\n",
    "def f(x:\n",
]


@pytest.mark.parametrize("source", PLAIN)
def test_functions_and_imports_leave_their_names(source: str) -> None:
    assert left_by(source) == PLAIN[source]


@pytest.mark.parametrize("source", MORE)
def test_whatever_reaches_outside_of_itself_may_have_left_more(source: str) -> None:
    assert left_by(source) is None


@pytest.mark.parametrize("chapter", sorted({task.chapter for task in all_tasks()}))
def test_every_page_of_the_course_holds_imports_alone(chapter: str) -> None:
    assert only_imports(load_page(ROOT, chapter).own_code)


@pytest.mark.parametrize("line", ["TABLE = []", "def f(x): pass", "class Box: pass", "for row in range(3): pass"])
def test_a_page_that_defines_anything_else_is_none_of_these(line: str) -> None:
    assert not only_imports(f"import math\n\nprint(math.pi)\n{line}\n")


def test_words_are_all_that_a_text_could_speak_of() -> None:
    assert words("def f(x):\n    return vocabulary[x]  # of len_2\n") >= {"f", "x", "vocabulary", "len_2"}
