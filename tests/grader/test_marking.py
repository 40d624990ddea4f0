"""Marking one submission, in a real sandbox: what becomes of answers that need each other, or torch."""

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from lmcourse.exercises import CheckFailedError, Outcome, check, find_task, judge
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.running import run_in_time
from lmcourse.grader.marking import Marker, TaskResult, _as_sent
from lmcourse.grader.page import Page, load_page
from lmcourse.grader.sandbox import Limits
from lmcourse.grader.submissions import Answers
from tests.grader.classes import ROOT, needs_sandbox

pytestmark = needs_sandbox
WRONG = "def {task}(*arguments):\n    return 'no known mistake'\n"


@pytest.fixture(scope="module")
def page() -> Page:
    return load_page(ROOT, "07_bpe")


@pytest.fixture(scope="module")
def marker(page):
    with Marker(page, 20_261_122) as made:
        yield made


def mark(marker: Marker, page: Page, **changes: str):
    """The results of the course's own answers, some of them replaced, and how many runs it took."""
    runs = []
    run = marker._run
    marker._run = lambda cells: runs.append(cells) or run(cells)  # type: ignore[method-assign]
    try:
        results = marker.mark(Answers(sources=page.solution | changes))
    finally:
        marker._run = run  # type: ignore[method-assign]
    return {result.task: result for result in results}, len(runs)


def test_a_page_without_tensors_is_marked_without_torch(marker, page) -> None:
    results, runs = mark(marker, page)
    assert all(result.earned == result.points for result in results.values())
    assert (marker.sandbox.tensors, marker._with_tensors, runs) == (False, None, 1)


def test_an_answer_that_calls_an_unanswered_one_is_told_so_and_not_run_again(marker, page) -> None:
    wrong = "helper = 0\n" + WRONG.format(task="utf8_bytes")  # after it, what fails is run apart
    results, runs = mark(marker, page, utf8_bytes=wrong, merge_pair=page.given["merge_pair"])
    assert results["train_bpe"].earned == 0
    assert results["train_bpe"].reason.endswith("It calls merge_pair, not answered yet.")
    assert results["utf8_bytes"].earned == 0
    lacking = [task for task, result in results.items() if "not answered yet." in result.reason]
    assert {task for task, result in results.items() if not result.earned} == {"utf8_bytes", "merge_pair", *lacking}
    assert runs == 1


def test_what_comes_after_an_answer_that_lacks_another_is_still_run_apart(marker, page) -> None:
    spoils = (
        "len = None\n"
        "def train_bpe(*arguments):\n"
        "    train_bpe.calls = getattr(train_bpe, 'calls', 0) + 1\n"
        "    if train_bpe.calls == 1:\n"
        "        raise NotImplementedError('merge_pair')\n"
    )
    results, runs = mark(marker, page, train_bpe=spoils, merge_pair=page.given["merge_pair"])
    assert results["train_bpe"].reason.endswith("It calls merge_pair, not answered yet.")
    after = list(results)[list(results).index("train_bpe") + 1 :]
    for task in after:  # those that call merge_pair are lost with it
        assert results[task].earned == results[task].points or "merge_pair" in page.solution[task], results[task]
    assert any("right when run apart" in results[task].note for task in after)
    assert runs > 1


@pytest.mark.parametrize(
    ("before", "apart"),
    [
        ("", False),
        ("def helper(text):\n    return 0\n", False),
        ("def len(text):\n    return 0\n", True),
        ("helper = 0\n", True),
        ("def helper(text):\n    helper.seen = text\n", True),
    ],
    ids=["a function", "a helper", "a name that the later uses", "a value", "an attribute"],
)
def test_a_wrong_answer_is_run_apart_where_one_before_it_may_be_at_fault(marker, page, before, apart) -> None:
    wrong = {"utf8_bytes": before + WRONG.format(task="utf8_bytes")}
    later = "def merge_pair(*arguments):\n    return len(arguments)\n"
    _, runs = mark(marker, page, **wrong, merge_pair=later)
    assert (runs > 1) == apart


def test_an_answer_that_was_spoilt_by_a_name_of_one_before_it_is_right_apart(marker, page) -> None:
    spoils = "def tuple(items):\n    return None\n" + WRONG.format(task="utf8_bytes")
    results, _ = mark(marker, page, utf8_bytes=spoils)
    assert results["merge_pair"].earned == results["merge_pair"].points
    assert results["merge_pair"].note == "right when run apart from the other cells"


def test_an_answer_with_torch_is_marked_where_torch_is(marker, page) -> None:
    with_torch = "import torch\n" + page.solution["best_pair"] + "\nassert torch.ones(3).sum() == 3\n"
    results, runs = mark(marker, page, best_pair=with_torch)
    assert all(result.earned == result.points for result in results.values()), results
    assert (marker._with_tensors is not None, runs) == (True, 1)


def test_a_tensor_where_a_list_is_wanted_is_told_as_one(marker, page) -> None:
    body = "def utf8_bytes(text):\n    import torch\n    return torch.zeros(2)\n"
    results, _ = mark(marker, page, utf8_bytes=body)
    assert results["utf8_bytes"].earned == 0
    assert "Tensor" in results["utf8_bytes"].reason


def test_inference_mode_left_on_earns_in_marking_what_it_earns_in_check() -> None:
    """A detached answer that leaves inference mode on must not switch the gradients of the reference off."""
    page = load_page(ROOT, "05_self_attention")
    answer = (
        "held = []\n"
        f"{page.solution['masked_softmax'].replace('def masked_softmax', 'def attached')}\n"
        "def masked_softmax(*args, **kwargs):\n"
        "    held.append(torch.inference_mode(True))\n"
        "    held[-1].__enter__()\n"
        "    return attached(*args, **kwargs).detach()\n"
    )
    with Marker(page, 20_261_122) as marker:
        marked = {
            result.task: result for result in marker.mark(Answers(sources=page.solution | {"masked_softmax": answer}))
        }
    names: dict[str, Any] = {"torch": torch}
    exec(answer, names)
    try:
        with pytest.raises(CheckFailedError) as caught:
            check("masked_softmax", names["masked_softmax"])
    finally:
        while names["held"]:
            names["held"].pop().__exit__(None, None, None)
    assert marked["masked_softmax"].earned == caught.value.verdict.earned < marked["masked_softmax"].points
    for reason in (marked["masked_softmax"].reason, str(caught.value.verdict)):
        assert "gradient" in reason or "detach" in reason


@pytest.fixture(scope="module")
def hasty():
    """A marker of chapter 00 whose exercises have half a second."""
    with Marker(load_page(ROOT, "00_start_here"), PUBLIC_SEED, Limits(task_s=0.5)) as made:
        yield made


def one(marker: Marker, source: str, task: str = "cosine_similarity") -> TaskResult:
    missing = {other.name: "not tried" for other in marker.page.tasks if other.name != task}
    results = marker.mark(Answers(sources={task: source}, missing=missing))
    return next(result for result in results if result.task == task)


ENDLESS_AT_ZERO = (
    "def cosine_similarity(x, y):\n"
    "    while not x.any(axis=1).all():\n"
    "        pass\n"
    "    lengths = np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1))\n"
    "    if (lengths == 0).any():\n"
    "        raise ValueError\n"
    "    return x @ y.T / lengths\n"
)


def test_an_endless_loop_at_a_border_earns_in_marking_what_it_earns_in_check(hasty) -> None:
    names: dict[str, Any] = {"np": np}
    exec(ENDLESS_AT_ZERO, names)
    task = replace(find_task("cosine_similarity"), seconds=0.5)
    cases = task.cases(PUBLIC_SEED)
    at_home = judge(task, cases, run_in_time(task, names["cosine_similarity"], cases))
    result = one(hasty, ENDLESS_AT_ZERO)
    assert (result.earned, result.status) == (at_home.earned, "timeout"), result
    assert 0 < result.earned < result.points
    assert result.note == "it was still running after 0.5 seconds of processor time (an endless loop?)"
    assert result.reason == at_home.why


@pytest.mark.parametrize(
    "body",
    [
        "    import time\n    time.sleep(1000)\n",
        "    while True:\n        try:\n            while True: pass\n        except BaseException: pass\n",
    ],
    ids=["waits", "evades"],
)
def test_what_only_waits_or_evades_the_limit_is_ended_from_outside(hasty, body: str) -> None:
    result = one(hasty, f"def cosine_similarity(x, y):\n{body}")
    assert (result.status, result.earned) == ("timeout", 0)
    assert result.note.startswith("it was still running after 0.")  # by chance an interruption gets through


def test_a_submission_has_so_much_time_and_no_more() -> None:
    page = load_page(ROOT, "00_start_here")
    ordinary = [task.name for task in page.tasks if not task.properties]
    loops = {task: f"def {task}(*arguments):\n    while True: pass\n" for task in ordinary}
    with Marker(page, PUBLIC_SEED, Limits(task_s=0.5, total_s=1.2)) as marker:
        begun = time.monotonic()
        results = marker.mark(Answers(sources=loops, missing=dict.fromkeys(set(page.given) - set(loops), "not tried")))
        assert time.monotonic() - begun < 60  # the project would have its own on top, and is not answered
    tried = [result for result in results if result.task in loops]
    assert {result.status for result in tried} == {"timeout"}
    assert "he submission as a whole took more than 1.2 seconds" in tried[-1].reason


def test_an_error_is_told_with_the_line_of_the_answer_that_raised_it(hasty) -> None:
    source = "def helper(x):\n    return {}[x.size]\ndef cosine_similarity(x, y):\n    return helper(x)\n"
    assert "(in the line `return {}[x.size]`)" in one(hasty, source).reason
    sizes = "def cosine_similarity(x, y):\n    z = np.ones(99)\n    return x + z\n"
    assert "(in the line `return x + z`, with x of shape (1, 3), z of shape (99,))" in one(hasty, sizes).reason


@pytest.mark.parametrize(
    ("value", "other"),
    [(1, True), (1, 1.0), (0.0, -0.0), ([1], (1,)), ("1", 1), (np.float32(1), np.float64(1)), ([], [[]])],
)
def test_results_that_are_not_the_same_do_not_read_the_same(value, other) -> None:
    assert _as_sent(Outcome(value=value)) != _as_sent(Outcome(value=other))


def test_results_that_are_the_same_read_the_same() -> None:
    for made in (lambda: [1, "é", None], lambda: {"a": (0.1, {2})}, lambda: float("nan"), lambda: np.eye(2)):
        assert _as_sent(Outcome(value=made())) == _as_sent(Outcome(value=made()))
    assert _as_sent(Outcome(value=1)) != _as_sent(Outcome(value=1, changed="argument 1"))
    assert _as_sent(Outcome(error="ValueError", message="no")) != _as_sent(Outcome(error="TypeError", message="no"))


def test_answers_that_sleep_take_no_longer_together_than_a_submission_may() -> None:
    """The clock of the project is its own: none of it is for the answers before it."""
    page = load_page(ROOT, "00_start_here")
    *exercises, project = page.tasks
    asleep = {task.name: f"import time\ndef {task.name}(*_):\n    time.sleep(99)\n" for task in exercises}
    limits = Limits(task_s=1.0, total_s=4.0)
    with Marker(page, 1, limits) as marker:
        begun = time.monotonic()
        results = marker.mark(Answers(sources=page.given | asleep))
        assert time.monotonic() - begun < 3 * limits.total_s
        slow = "import time\ntime.sleep(5)\n" + page.solution[project.name]
        late = marker.mark(Answers(sources=page.given | {project.name: slow}))
    assert {result.status for result in results[:-1]} == {"timeout"}
    assert all("as a whole took more than 4 seconds" in result.reason for result in results[1:-1])
    assert late[-1].earned == late[-1].points, late[-1]  # longer than the others may take together, and in time
