"""The list of what an answer may name: every honest answer passes, and every attack that reaches out is named."""

import ast
import inspect
import json
import math
import re
import sys
from typing import Any

import numpy
import pytest
import torch

import lmcourse.exercises
from assay import outside
from lmcourse.exercises import all_tasks
from lmcourse.grader.inside.names import clearly_listed, unlisted
from lmcourse.grader.marking import Marker
from lmcourse.grader.page import load_page
from lmcourse.grader.sandbox import Limits
from lmcourse.grader.submissions import Answers
from tests.grader.classes import ROOT, needs_sandbox, solutions
from tests.hostile.attacks import ATTACKS

CHAPTERS = sorted({task.chapter for task in all_tasks()})

# What these do, an honest answer does too: they loop, return or raise what is wrong, or take too much. Limits stop
# them, or they are marked as wrong. The library says itself what is missing of it.
NAMES_NOTHING = {
    *("loop_in_the_cell", "loop_in_the_answer", "loop_that_catches_all", "sleep", "regular_expression"),
    *("one_big_block", "one_big_tensor", "many_blocks", "endless_recursion", "deep_recursion", "returns_50_MB"),
    *("returns_a_deep_list", "returns_a_list_of_itself", "returns_many_parts", "returns_colliding_keys"),
    *("returns_a_huge_number", "long_error_message", "system_exit", "keyboard_interrupt", "hides_names"),
    *("imports_the_tasks", "imports_the_library", "reads_the_seed_of_the_course", "says_it_is_an_array", "nan"),
    *("array_subclass", "lying_float", "all_at_once", "error_that_lies", "error_with_a_terrible_name"),
    *("not_a_function", "changes_what_all_share", "a_finaliser_that_loops", "an_error_whose_name_lies"),
    *("a_name_of_a_million", "tensor_on_meta", "tensor_sparse", "tensor_of_a_million_millions"),
    *("array_of_a_million_millions", "array_of_records", "array_of_times", "generator", "coroutine"),
    *("dict_that_lies", "keys_that_change", "half_a_character"),
}
NO_PYTHON = {"syntax_error", "null_byte", "deep_brackets"}


def imported(chapter: str) -> dict[str, Any]:
    """What the imports of a page's own cells define."""
    names: dict[str, Any] = {}
    for node in ast.walk(ast.parse(load_page(ROOT, chapter).own_code)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            exec(compile(ast.Module([node], []), "page", "exec"), names)
    return names


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_honest_answer_passes(chapter):
    names = imported(chapter)
    honest = [*load_page(ROOT, chapter).solution.values()]
    honest += [one.source for task in all_tasks(chapter) for one in outside.answers_to(task) if one.right]
    assert len(honest) > 25
    given = {**names}
    exec(outside.IMPORTS, given)
    assert [found for source in honest if (found := unlisted(ast.parse(source), given))] == []
    clear = sum(clearly_listed(compile(source, "", "exec"), names) for source in honest)
    assert clear > (0 if "torch" in names else len(honest) / 3)


def code_of(attack: str) -> str:
    code = ATTACKS[attack][0]
    for place in ("course", "library", "out", "submissions", "marker", "port"):
        code = code.replace("{" + place + "}", "7")
    return code


@pytest.mark.parametrize("attack", sorted(ATTACKS.keys() - NO_PYTHON))
def test_every_attack_that_reaches_out_is_named(attack):
    names = imported(CHAPTERS[0])
    found = unlisted(ast.parse(code_of(attack)), names)
    assert not (found and clearly_listed(compile(code_of(attack), "", "exec"), names))
    if attack in NAMES_NOTHING:
        assert found == []
        return
    assert found
    for each in found:
        what, _, line = each.partition(" in line ")
        word = what.removeprefix("import ").removesuffix(" (to change it)").split(".")[-1]
        assert word in code_of(attack).splitlines()[int(line) - 1]


def test_what_is_named_is_what_is_used():
    code = """
import os, numpy as np, torch
from torch import load as l, nn
from pathlib import Path
def softmax(x, input):
    np.savez("x", x); np.linalg.norm = 3; np.ctypeslib; torch.hub.load("x"); nn.functional.relu(x)
    x.__class__.__subclasses__(); getattr(x, "__globals__"); getattr(np, "load"); torch.os.system("ls"); input.load()
    return open("x")
"""
    found = {}
    for each in unlisted(ast.parse(code), {}):
        what, _, line = each.partition(" in line ")
        found.setdefault(int(line), set()).add(what)
    assert found == {
        2: {"import os"},
        3: {"torch.load"},
        4: {"import pathlib"},
        6: {"numpy.savez", "numpy.linalg.norm (to change it)", "numpy.ctypeslib", "torch.hub"},
        7: {"__subclasses__", "__globals__", "load", "torch.os"},
        8: {"open"},
    }


@pytest.mark.parametrize(
    "line",
    [
        "import os", "from os import path", "open('x')", "np.load('x')", "np.savez", "np.ctypeslib", "np.pi = 3",
        "np.linalg.norm = 3", "del np.pi", "torch.hub", "torch.onnx", "torch.os.system('ls')", "torch.compile(x)",
        "sys.modules", "json.load(x)", "x.__class__.__subclasses__()", "getattr(x, '__globals__')", "re.enum",
        "getattr(np, 'load')", "x.gi_frame", "__builtins__", "get_ipython()", "exec('x')", "lm.check = 1",
        "inspect.stack()", "nn.functional.torch.os",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "inside",
    ["{}", "def f(x):\n    {}", "f = lambda x: [0 for y in (lambda: 0,)]\ndef g():\n    def h(x):\n        {}"],
)
def test_what_is_not_on_the_list_is_never_taken_for_clear(line, inside):
    names = {"np": numpy, "torch": torch, "nn": torch.nn, "sys": sys, "json": json, "re": re, "inspect": inspect}
    names["lm"] = lmcourse.exercises
    code = inside.format(line)
    assert unlisted(ast.parse(code), names)
    assert not clearly_listed(compile(code, "", "exec"), names)


def test_what_is_clear_is_not_read_once_more():
    names = {"np": numpy, "math": math}
    code = "def f(x, file):\n    return [math.sqrt(y) for y in np.exp(x)] + file.read(np.ones(2).shape, len(x))\n"
    assert clearly_listed(compile(code, "", "exec"), names)


def test_names_of_the_learners_own_are_free():
    code = """
import math as open
class help:
    def __init__(self, compile): self.load, self.exec = compile, 1
    def __len__(self): return len(self.__dict__)
def quit(globals, os): return globals.load(os.system) + open.pi + sum(input for input in [1])
"""
    assert unlisted(ast.parse(code), {"os": ast}) == []


def test_a_module_that_the_page_has_imported_is_held_to_the_list_too():
    assert unlisted(ast.parse("inspect.stack()"), {"inspect": inspect}) == ["inspect.stack in line 1"]
    assert unlisted(ast.parse("lm.check = 1"), {"lm": lmcourse.exercises}) == [
        "lmcourse.exercises.check (to change it) in line 1"
    ]


@needs_sandbox
def test_an_answer_that_is_not_run_says_why_and_leaves_the_others_alone():
    page = load_page(ROOT, CHAPTERS[0])
    answers = solutions(CHAPTERS[0]) | {"softmax": "import os\ndef softmax(x):\n    return open(os.devnull)"}
    with Marker(page, 7) as marker:
        results = {result.task: result for result in marker.mark(Answers(sources=answers))}
    refused = results.pop("softmax")
    assert (refused.status, refused.earned) == ("violated", 0)
    wanted = (
        "The answer cell uses import os in line 1, open in line 3. It was not run: no answer needs that. Take it out."
    )
    assert refused.reason == wanted
    assert refused.note == "It uses import os in line 1, open in line 3."
    assert all(result.earned == result.points and not result.note for result in results.values())


@needs_sandbox
def test_a_system_call_that_is_refused_is_named_in_the_reason(monkeypatch):
    monkeypatch.setattr("lmcourse.grader.marking.NAMES_LISTED", False)
    page = load_page(ROOT, CHAPTERS[0])
    calls = {
        "softmax": "import os\nos.fork()",
        "lookup_rows": "import os\nos.fork()",  # the second that makes this call in one run
        "cosine_similarity": "import os\ntry: os.fork()\nexcept OSError: os.abort()",
    }
    with Marker(page, 7) as marker:
        results = {one.task: one for one in marker.mark(Answers(sources=solutions(CHAPTERS[0]) | calls))}
    for task in calls:
        assert results[task].status == "violated"
        assert "make the system call clone" in results[task].reason
        assert "make the system call clone" in results[task].note
    assert all(one.earned == one.points for task, one in results.items() if task not in calls)


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_right_answer_makes_a_call_that_is_refused(chapter, monkeypatch):
    """Right answers from outside, through the whole sandbox; projects are marked in test_projects.py."""
    page, rounds = load_page(ROOT, chapter), {}
    projects = {task.name for task in page.tasks if task.properties}
    for one in (one for task in page.tasks for one in outside.answers_to(task)):
        if one.right and one.task not in projects:
            rounds.setdefault(one.task, []).append(outside.IMPORTS + one.source)
    marker = Marker(page, 3_141_592_653_589_793, Limits(task_s=60, total_s=600))
    refused: list[Any] = []
    real = Marker._run
    monkeypatch.setattr(Marker, "_run", lambda *given: heard(real(*given), refused))
    try:
        for number in range(max(map(len, rounds.values()))):
            chosen = {task: sources[number] for task, sources in rounds.items() if number < len(sources)}
            missing = {task.name: "left out" for task in page.tasks if task.name not in chosen}
            for result in marker.mark(Answers(sources=chosen, missing=missing)):
                assert result.status == "marked" or result.task in missing, (number, result)
                assert "system call" not in result.note, (number, result)
    finally:
        marker.__exit__()
    assert refused == []


def heard(run, refused):
    refused += [(task, calls) for task, calls in run.refused.items() if calls]
    return run
