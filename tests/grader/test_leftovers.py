"""What a cell leaves behind: one that has left no more than names spares the cells after it a run apart."""

import pytest

from lmcourse.grader.leftovers import left_by, shared_names, words

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
    "def f(x):\n    TABLE.append(x)\n",
    "def f(x, table=TABLE):\n    return x\n",
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
    assert left_by(source, {"TABLE"}) == PLAIN[source]


@pytest.mark.parametrize("source", MORE)
def test_whatever_reaches_outside_of_itself_may_have_left_more(source: str) -> None:
    assert left_by(source, {"TABLE"}) is None


def test_a_pages_own_names_are_shared_and_its_imports_are_not() -> None:
    page = "import math\nTABLE = []\n\ndef helper(x):\n    rows = x\n\nfor row in TABLE:\n    pass\n\nclass Box: pass\n"
    assert shared_names(page) == {"TABLE", "helper", "rows", "row", "Box"}


def test_words_are_all_that_a_text_could_speak_of() -> None:
    assert words("def f(x):\n    return vocabulary[x]  # of len_2\n") >= {"f", "x", "vocabulary", "len_2"}
