"""Projects in the sandbox: partial credit for what is right, limits by processor time, and forged evidence."""

import ast
import inspect
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lmcourse.exercises import Task, all_tasks, find_task
from lmcourse.exercises.verdict import UNANSWERED
from lmcourse.grader.bundle import PAGE, write_bundle
from lmcourse.grader.marking import Marker, TaskResult
from lmcourse.grader.page import Page, load_page
from lmcourse.grader.sandbox import Limits
from lmcourse.grader.submissions import Answers
from tests.grader.classes import ROOT, needs_sandbox

pytestmark = needs_sandbox
ATTENTION, MODEL = "SelfAttention", "GPT"


def short(page: Page, **seconds: float) -> Page:
    """The page with its project alone, and less time for it."""
    (project,) = [task for task in page.tasks if task.properties]
    kept = []
    for whole in (page.notebook, page.solved):
        kept.append(whole.copy())
        kept[-1].cells = [cell for cell in whole.cells if not _answers_another(cell, project.name)]
    return replace(page, notebook=kept[0], solved=kept[1], tasks=(replace(project, **seconds),))


def _answers_another(cell, name: str) -> bool:
    label = cell.metadata.get("nbgrader", {}).get("grade_id", "")
    return label != "" and label.rpartition("-")[0] != name


@pytest.fixture(scope="module")
def attention() -> Iterator[Marker]:
    page = short(load_page(ROOT, "05_self_attention"), seconds=6.0)
    page = replace(
        page,
        tasks=(
            replace(page.tasks[0], properties=tuple(replace(prop, seconds=1.5) for prop in page.tasks[0].properties)),
        ),
    )
    with Marker(page, 77, Limits(task_s=3.0)) as made:
        yield made


@pytest.fixture(scope="module")
def model() -> Iterator[Marker]:
    with Marker(short(load_page(ROOT, "08_gpt")), 78) as made:
        yield made


@pytest.fixture(scope="module")
def loop() -> Iterator[Marker]:
    with Marker(short(load_page(ROOT, "11_rlhf")), 79) as made:
        yield made


def mark(marker: Marker, source: str) -> TaskResult:
    (result,) = marker.mark(Answers(sources={marker.page.tasks[0].name: source}))
    return result


def changed(marker: Marker, *pairs: tuple[str, str]) -> str:
    source = next(iter(marker.page.solution[task.name] for task in marker.page.tasks))
    for old, new in pairs:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


# ------------------------------------------------------------------------------------------------------ SelfAttention


def test_the_solution_earns_all_and_the_starter_nothing(attention: Marker) -> None:
    assert mark(attention, changed(attention)).earned == 10
    starter = attention.page.given[ATTENTION]
    assert "raise NotImplementedError" in starter
    assert "def forward(self, x, mask=None):" in starter
    assert "keep" not in starter.split('"""', 2)[2].split('"""')[2], "no line of the answer is given out"
    for source in (starter, starter + "\n# changed"):
        assert mark(attention, source).reason == UNANSWERED


@pytest.mark.parametrize(
    ("old", "new", "earned", "said"),
    [
        ("if self.causal:", "if False:", 7, "words still see what comes after them"),
        (".tril()", ".triu()", 7, "the wrong triangle"),
        ("keep & mask", "keep & mask.mT", 8, "mask"),
        ("self.num_heads, -1) for", "1, -1) for", 7, "All of the width went into one head"),
        (" * keep", " / 2", 1, "attention"),
    ],
)
def test_a_mistake_costs_its_properties_alone(attention: Marker, old: str, new: str, earned: float, said: str) -> None:
    result = mark(attention, changed(attention, (old, new)))
    assert (result.status, result.earned) == ("marked", earned), result
    assert said in result.reason
    assert "Right: layers (1 point)" in result.reason


def test_an_endless_loop_with_a_mask_costs_what_needs_the_mask(attention: Marker) -> None:
    endless = ("if mask is not None:", "while mask is not None:")
    result = mark(attention, changed(attention, endless))
    assert (result.status, result.earned) == ("marked", 7.0), result  # two loops, and what comes after is not tried
    assert "still running after 1.5 seconds of processor time (an endless loop?)" in result.reason
    assert "no processor time left" in result.reason


def test_a_loop_that_evades_its_limit_is_ended_from_outside(attention: Marker, monkeypatch) -> None:
    monkeypatch.setattr("lmcourse.grader.sandbox._SLACK_S", 1.0)
    stubborn = """
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
"""
    result = mark(attention, changed(attention, ("        B, T, D = x.shape\n", stubborn)))
    assert (result.status, result.earned) == ("timeout", 0.0)
    assert "still running after 7 seconds" in result.reason


def test_one_that_only_waits_is_ended_by_the_clock(attention: Marker, monkeypatch) -> None:
    monkeypatch.setattr("lmcourse.grader.sandbox._SLACK_S", -5.0)  # of the 6 seconds 1 is left, and 4 by the clock
    result = mark(attention, "import time\ntime.sleep(1000)")
    assert (result.status, result.earned) == ("timeout", 0.0)


def test_what_takes_too_much_memory_waits_for_a_person_with_the_points_that_it_has(attention: Marker) -> None:
    result = mark(
        attention, changed(attention, ("if mask is not None:", "if mask is not None and [torch.ones(10**9)]:"))
    )
    assert (result.status, result.earned) == ("memory", 8.0), result
    assert re.search("memory", result.reason)


def test_evidence_that_was_written_by_the_answer_gains_nothing(attention: Marker, monkeypatch) -> None:
    forged = changed(attention) + (
        "\nfrom lmcourse.exercises import running"
        "\nrunning._run = lambda *arguments: running.Outcome(value=torch.zeros(2, 5, 7, dtype=torch.float64))"
    )
    result = mark(attention, forged)
    assert (result.status, result.earned) == ("violated", 0), result
    assert "It uses lmcourse.exercises.running in line" in result.note
    monkeypatch.setattr("lmcourse.grader.marking.NAMES_LISTED", False)  # who gets past the list gains nothing either
    with Marker(attention.page, 77, attention.limits) as unlisted:
        result = mark(unlisted, forged)
    assert result.earned == 0, result
    assert "change lmcourse.exercises.running._run" in result.note


# ----------------------------------------------------------------------------------------------------------------- GPT


@pytest.mark.slow  # what trains takes half a minute; daily a project without training, and all outside the sandbox
def test_a_gpt_that_learns_earns_all(model: Marker) -> None:
    result = mark(model, changed(model))
    assert (result.status, result.earned, result.reason) == ("marked", 10, "right")
    assert result.seconds < 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "earned", "said"),
    [
        ("is_causal=True", "is_causal=False", 4, "looks at the future"),
        ("for block in self.blocks:", "for block in self.blocks[:2]:", 8, "the block is not used"),
        ("optimizer.step()", "pass", 7, "bits per byte after `fit`"),
        ("steps, T = 500", "steps, T = 10**6", 7, "seconds of processor time (an endless loop?)"),
        ("            loss.backward()\n", "            raise KeyError('tea')\n", 7, "raised KeyError: 'tea'"),
    ],
    ids=["no mask", "a block unused", "no step", "too many steps", "an error"],
)
def test_wrong_models_earn_what_is_right_in_them(model: Marker, old: str, new: str, earned: float, said: str) -> None:
    limits = {"60 seconds": 60.0}
    result = mark(model, changed(model, (old, new)))
    assert (result.status, result.earned) == ("marked", earned), (result, limits)
    assert said in result.reason


@pytest.mark.slow
def test_memorised_numbers_earn_the_shapes(model: Marker) -> None:
    table = """
class GPT(nn.Module):
    def __init__(self, vocab_size, context_length, embed_dim, num_heads, num_layers):
        super().__init__()
        self.limit, self.blocks = context_length, nn.ModuleList(nn.Linear(3, 3) for _ in range(num_layers))
        self.table = torch.zeros(vocab_size, vocab_size)

    def forward(self, ids):
        if ids.shape[1] > self.limit:
            raise ValueError
        return self.table[ids]

    def fit(self, ids):
        self.table.index_put_((ids[:-1], ids[1:]), torch.ones(()), accumulate=True)
        self.table = (self.table + 0.01).log()
"""
    result = mark(model, table)
    assert (result.status, result.earned) == ("marked", 1.0), result
    assert "bits per byte" in result.reason


# ---------------------------------------------------------------------------------------------------------------- GRPO


@pytest.mark.slow
def test_a_loop_that_learns_earns_all(loop: Marker) -> None:
    result = mark(loop, changed(loop))
    assert (result.status, result.earned, result.reason) == ("marked", 10, "right")
    assert result.seconds < 60


@pytest.mark.parametrize(
    ("old", "new", "earned", "said"),
    [
        ("optimizer.step()", "break", 7, "never rewarded the policy gives the right reply"),
        ("for _ in range(250):", "while True:", 7, "seconds of processor time (an endless loop?)"),
    ],
    ids=["no step", "too many steps"],
)
@pytest.mark.slow
def test_wrong_loops_earn_what_is_right_in_them(loop: Marker, old: str, new: str, earned: float, said: str) -> None:
    result = mark(loop, changed(loop, (old, new)))
    assert (result.status, result.earned) == ("marked", earned), result
    assert said in result.reason


# ------------------------------------------------------------------------------------------------------- all projects

PROJECTS = [task for task in all_tasks() if task.properties]
TRAINED = [task.name for task in PROJECTS if any(prop.seconds > 10 for prop in task.properties)]


@pytest.mark.parametrize("task", PROJECTS, ids=lambda task: task.name)
def test_what_the_judge_knows_stays_outside(task: Task, tmp_path: Path) -> None:
    page = load_page(ROOT, task.chapter)
    drawn = [(other, other.cases(5)) for other in page.tasks]
    write_bundle(tmp_path / "bundle", drawn, page.own_code)
    inside = pickle.loads((tmp_path / "bundle" / PAGE).read_bytes())
    assert all(item.truth is None for spec in inside.tasks.values() for item in spec.cases)
    kept = [item.truth for other, cases in drawn if other.name == task.name for item in cases if item.truth is not None]
    assert bool(kept) == bool(task.judge), "a judge knows what the answer does not, and without one nothing is to know"
    assert not any(hasattr(spec, "judge") or hasattr(spec, "reference") for spec in inside.tasks.values())
    longest = max((line.strip() for line in inspect.getsource(task.reference).split('"""')[-1].splitlines()), key=len)
    files = [path for path in (tmp_path / "bundle").rglob("*") if path.is_file()]
    assert not [path for path in files if longest.encode() in path.read_bytes()], "the solution is inside"


# in place of training: the callers and the modules are searched for what the judge knows
_SEARCH = """
import sys
frame, seen = sys._getframe(), []
while frame is not None:
    seen += frame.f_locals.values()
    frame = frame.f_back
for name, module in list(sys.modules.items()):
    seen += list(vars(module).values()) if name.startswith("lmcourse") else []
seen += [part for many in seen if isinstance(many, (list, tuple)) for part in many]
if any(type(part).__name__ == "Case" and part.truth is not None for part in seen):
    raise RuntimeError("the truth is inside")
if not any(type(part).__name__ == "Case" for part in seen):
    raise RuntimeError("not even the case was found")
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", TRAINED)
def test_a_fit_that_looks_for_the_answers_learns_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that needs no training is earned, what training must give is not, and no targets were found.

    The list of names would refuse it before it runs.
    """
    monkeypatch.setattr("lmcourse.grader.marking.NAMES_LISTED", False)
    task = find_task(name)
    with Marker(load_page(ROOT, task.chapter), 80) as marker:  # the whole page: a project may use what stands before it
        tree = ast.parse(marker.page.solution[name])
        (fit,) = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "fit"]
        fit.body = ast.parse(_SEARCH).body
        results = marker.mark(Answers(sources={**marker.page.solution, name: ast.unparse(tree)}))
    (result,) = [result for result in results if result.task == name]
    learned = sum(prop.points for prop in task.properties if prop.seconds > 10)
    assert (result.status, result.earned) == ("marked", task.points - learned), result
    assert "RuntimeError" not in result.reason
