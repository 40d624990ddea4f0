"""The engine of projects and of property tasks, on tasks made for these tests."""

import json
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lmcourse.exercises import Case, CheckFailedError, Outcome, Property, Slip, Task, case, check, probe
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.task import PatchError
from lmcourse.exercises.verdict import UNANSWERED, Judge, Verdict

unix = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")


@pytest.fixture(autouse=True)
def own_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "progress.json"))
    monkeypatch.delenv("LMCOURSE_VERDICTS", raising=False)


class Step:
    """How far one step goes."""

    width = 1


class Counter:
    """Counts up, and down again."""

    def __init__(self, start=0):
        self.count = start

    def up(self, n):
        """Count up by n."""
        self.count += n * Step.width
        return self.count

    def down(self, n):
        """Count down by n, not below 0."""
        self.count = max(0, self.count - n * Step.width)
        return self.count


def use(answer: Any, method: str, *numbers: int) -> Any:
    counter = answer()
    return [getattr(counter, method)(number) for number in numbers]


def cases(seed: int) -> list[Case]:
    return [
        probe("up", "ones", "up", 1, 1, 1),
        probe("up", "a large number", "up", 3 + seed),
        probe("down", "from 0", "down", 4),
        probe("both", "nothing", "up", 0),
    ]


PROJECT = Task(
    Counter,
    points=6,
    difficulty=1,
    minutes=5,
    cases=cases,
    call=use,
    seconds=3.0,
    properties=(
        Property("up", 3, "It counts up.", seconds=1.0),
        Property("down", 2, "It counts down."),
        Property("both", 1, "It does nothing for nothing.", needs="up"),
    ),
    before=(Step,),
    slips=(
        Slip(
            "below_zero",
            ("max(0, self.count - n * Step.width)", "self.count - n * Step.width"),
            "It went below 0.",
            ("down",),
        ),
        Slip("two_at_once", ("width = 1", "width = 2"), "A step has width 1.", ("up", "both")),
    ),
    hints=("a", "b", "c"),
    chapter="99_tests",
)


def verdict_of(answer: Any, task: Task = PROJECT, seed: int = 0) -> Verdict:
    drawn = task.cases(seed)
    return Judge(task, drawn).verdict(run_in_time(task, answer, drawn))


def test_a_right_answer_earns_the_points_of_all_properties() -> None:
    assert verdict_of(Counter) == Verdict("Counter", 6, 6, "right", n_cases=4)


def test_each_property_is_earned_by_itself_with_a_reason_of_its_own() -> None:
    class NoDown(Counter):
        def down(self, n):
            raise ZeroDivisionError("down")

    verdict = verdict_of(NoDown)
    assert (verdict.earned, verdict.wrong, verdict.passed) == (4, ("down",), False)
    right, why = verdict.reason.splitlines()
    assert right == "Right: up (3 points), both (1 point)."
    assert why.startswith("down (2 points): on from 0 raised ZeroDivisionError: down (in the line `raise")
    assert repr(verdict).startswith("Counter: nearly (4 of 6 points).")


def test_one_reason_for_several_properties_is_said_once() -> None:
    class Broken:
        def __init__(self):
            raise TypeError("whatever")

    verdict = verdict_of(Broken)
    assert verdict.earned == 0
    assert verdict.reason.startswith("Right: none.\nup (3 points): on ones raised TypeError: whatever")
    assert "both (1 point): on nothing raised TypeError" in verdict.reason


def test_what_a_property_needs_must_be_right_for_it_to_count() -> None:
    verdict = verdict_of(type("Off", (Counter,), {"up": lambda self, n: n + (n > 1)}))
    assert (verdict.earned, verdict.wrong) == (2, ("up", "both"))
    assert "both (1 point): it counts once up is right." in verdict.reason


@pytest.mark.parametrize(("slip", "earned"), [("below_zero", 4), ("two_at_once", 2)])
def test_a_known_mistake_is_named_and_a_patch_reaches_the_classes_before(slip: str, earned: int) -> None:
    made = next(one for one in PROJECT.slips if one.name == slip)
    verdict = verdict_of(made.answer)
    assert (verdict.slip, verdict.earned, verdict.wrong) == (slip, earned, made.loses)
    assert made.reason in verdict.reason


def test_slips_of_a_project_are_run_only_when_a_property_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(Judge, "_gives", lambda self, slip, outcomes, number: ran.append(slip.name))
    judge = Judge(PROJECT, PROJECT.cases(0))
    judge.verdict(run_in_time(PROJECT, Counter, judge.cases))
    assert ran == []
    judge.verdict([Outcome(value=None)] * 4)
    assert set(ran) == {"below_zero", "two_at_once"}


def test_an_unanswered_starter_is_told_so() -> None:
    class Starter:
        def __init__(self):
            raise NotImplementedError

    assert verdict_of(Starter).reason == UNANSWERED
    assert verdict_of(Starter).earned == 0


def test_points_must_be_those_of_the_properties() -> None:
    with pytest.raises(ValueError, match="`points` must be those of its properties, 6, got 7"):
        replace(PROJECT, points=7)


def test_a_patch_that_fits_nothing_is_an_error() -> None:
    task = replace(PROJECT, slips=(Slip("none", ("nowhere", "x"), "It is nowhere at all."),))
    with pytest.raises(PatchError, match="exactly once"):
        task.slips[0].answer()


# ------------------------------------------------------------------------------------------------------- limits of time


@unix
def test_an_endless_loop_costs_its_property_and_no_other() -> None:
    class Endless(Counter):
        def down(self, n):
            while True:
                pass

    task = replace(
        PROJECT,
        properties=(*PROJECT.properties[:1], replace(PROJECT.properties[1], seconds=0.3), *PROJECT.properties[2:]),
    )
    begun = time.process_time()
    verdict = verdict_of(Endless, task)
    assert time.process_time() - begun < 2
    assert (verdict.earned, verdict.wrong) == (4, ("down",))
    assert "still running after 0.3 seconds of processor time (an endless loop?)" in verdict.reason


@unix
def test_after_two_endless_loops_no_more_is_tried() -> None:
    class Endless:
        def __init__(self):
            while True:
                pass

    task = replace(PROJECT, properties=tuple(replace(prop, seconds=0.2) for prop in PROJECT.properties))
    outcomes = run_in_time(task, Endless, task.cases(0))
    assert [outcome.error for outcome in outcomes] == ["TimeLimitError"] * 4
    assert [outcome.message for outcome in outcomes[2:]] == ["there was no processor time left for it"] * 2


@unix
def test_the_project_as_a_whole_has_a_limit_too() -> None:
    class Slow(Counter):
        def up(self, n):
            end = time.process_time() + 0.15
            while time.process_time() < end:
                pass
            return super().up(n)

    verdict = verdict_of(Slow, replace(PROJECT, seconds=0.5))
    assert verdict.wrong == ("up", "down", "both")
    assert verdict_of(Slow).passed


# ------------------------------------------------------------------------------------------------------- property tasks


def any_divisor(number):
    """Return a divisor of a number that is neither 1 nor the number itself."""
    if number < 4:
        raise ValueError("too small")
    return next(part for part in range(2, number) if number % part == 0)


def judge_divisor(item: Case, value: Any) -> str | None:
    if 1 < value < item.args[0] and item.args[0] % value == 0:
        return None
    return f"{value} does not divide {item.args[0]}"


DIVISOR = Task(
    any_divisor,
    points=2,
    difficulty=1,
    minutes=1,
    cases=lambda seed: [case("the worked example", 12), case("another", 30 + 6 * seed), case("too small", 1)],
    judge=judge_divisor,
    slips=(
        Slip(
            "itself",
            ("return next(part for part in range(2, number) if number % part == 0)", "return number"),
            "That is the number itself.",
        ),
    ),
    hints=("a", "b", "c"),
    chapter="99_tests",
)  # fmt: skip


def largest(number: int) -> int:
    if number < 4:
        raise ValueError
    return max(part for part in range(2, number) if number % part == 0)


def test_every_right_result_is_right_by_its_property() -> None:
    assert verdict_of(largest, DIVISOR).passed
    assert verdict_of(any_divisor, DIVISOR).passed


def test_a_wrong_result_is_told_in_the_judges_words_and_slips_are_known() -> None:
    verdict = verdict_of(lambda n: 5 if n > 4 else largest(n), DIVISOR)
    assert verdict.earned == 0
    assert "any_divisor(12): 5 does not divide 12" in verdict.reason
    assert verdict_of(lambda n: n if n > 3 else largest(n), DIVISOR).slip == "itself"


@pytest.mark.parametrize("value", ["x", None, [1], object()])
def test_a_result_that_the_judge_cannot_read_is_wrong(value: Any) -> None:
    verdict = verdict_of(lambda n: value if n > 3 else largest(n), DIVISOR)
    assert verdict.earned == 0
    if value is not None:
        assert "not of the kind that is asked for (TypeError when it was read)" in verdict.reason


def test_an_error_that_is_wanted_and_arguments_that_are_changed_count_in_property_tasks_too() -> None:
    forgets = lambda n: largest(n) if n > 3 else 1  # noqa: E731
    assert verdict_of(forgets, DIVISOR).wrong == ("errors",)

    def first(numbers: list[int]) -> int:
        return numbers[0]

    task = replace(
        DIVISOR,
        reference=first,
        slips=(),
        cases=lambda seed: [case("the worked example", [1, 2])],
        judge=lambda item, value: None if value in item.args[0] else "it is not there",
        name="",
        chapter="99_tests",
    )
    assert verdict_of(lambda numbers: numbers[-1], task).passed
    assert "changed argument 1 (`numbers`) in place" in verdict_of(lambda numbers: numbers.pop(), task).reason


# -------------------------------------------------------------------------------------------------------------- check()


def test_check_tells_partial_credit_and_the_file_of_verdicts_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["lmcourse.exercises.check"], "find_task", {"Counter": PROJECT}.__getitem__)
    monkeypatch.setenv("LMCOURSE_VERDICTS", str(tmp_path / "verdicts"))
    with pytest.raises(CheckFailedError, match=r"nearly \(4 of 6 points\)"):
        check("Counter", PROJECT.slips[0].answer)
    record = json.loads((tmp_path / "verdicts").read_text(encoding="utf-8"))
    assert (record["earned"], record["slip"]) == (4, "below_zero")
    assert check("Counter", Counter).passed
