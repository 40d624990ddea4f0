"""`check`, `judge` and `run_answer` on a task made for these tests: values, gradients, errors, inputs, slips."""

import contextlib
import importlib
import json
import linecache
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lmcourse.exercises import (
    Case,
    CheckFailedError,
    Compare,
    Outcome,
    Progress,
    Slip,
    Task,
    Verdict,
    border,
    case,
    check,
    find_task,
    judge,
    run_answer,
    secret_seed,
)
from lmcourse.exercises import check as check_function
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.showing import arguments
from lmcourse.exercises.tensors import TENSOR


@pytest.fixture(autouse=True)
def own_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "progress.json"))
    monkeypatch.delenv("LMCOURSE_VERDICTS", raising=False)
    monkeypatch.delenv("LMCOURSE_SECRET_SEED", raising=False)


def _root_sum(values: list[float]) -> float:
    if not values:
        raise ValueError("empty")
    return sum(values) ** 0.5


def _cases(seed: int) -> list[Case]:
    return [
        case("the worked example", [1.0, 3.0]),
        case("random numbers", np.random.default_rng(seed).uniform(1, 9, size=5).tolist()),
        case("an empty list", []),
    ]


TOY = Task(
    name="root_sum",
    chapter="99_tests",
    points=3,
    difficulty=1,
    minutes=1,
    cases=_cases,
    reference=_root_sum,
    slips=(
        Slip("no_root", lambda values: sum(values) if values else _root_sum([]), "The square root is missing here."),
        Slip("zero", lambda values: sum(values) ** 0.5, "An empty list gave 0; raise ValueError instead."),
        Slip(
            "sorts", lambda values: (values.sort(reverse=True), _root_sum(values))[1], "The list was sorted in place."
        ),
    ),
    hints=("a", "b", "c"),
)


def verdict_of(answer: Any, task: Task = TOY, seed: int = 0) -> Verdict:
    cases = task.cases(seed)
    return judge(task, cases, run_answer(task, answer, cases))


@pytest.fixture
def toy_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["lmcourse.exercises.check"], "find_task", {"root_sum": TOY}.__getitem__)


# ----------------------------------------------------------------------------------------------------------- verdicts


def test_a_right_answer_earns_all_points() -> None:
    result = verdict_of(lambda values: np.sqrt(np.sum(values)) if values else _root_sum(values))
    assert (result.earned, result.passed, result.slip, result.n_cases) == (3, True, "", 3)
    assert repr(result) == "root_sum: right on 3 cases, 3 of 3 points"


def test_a_known_mistake_is_tried_no_further_than_where_it_differs() -> None:
    tried: list[list[float]] = []
    one = Slip("one", lambda numbers: 1.0 if tried.append(numbers) is None else 0.0, "It is 1.")
    twice = verdict_of(lambda numbers: 2 * _root_sum(numbers), replace(TOY, slips=(one, *TOY.slips)))
    assert "2 times too large" in twice.reason
    assert tried == [TOY.cases(0)[0].args[0]]


def test_a_known_slip_is_named_with_its_reason_behind_the_worked_example() -> None:
    result = verdict_of(lambda numbers: _root_sum(numbers) ** 2)
    assert (result.earned, result.slip) == (0, "no_root")
    first, seen, reason = repr(result).splitlines()
    assert first == "root_sum: not yet (0 of 3 points)."
    assert seen == "On the worked example, root_sum([1.0, 3.0]): the result should be 2, got 4."
    assert reason == "The square root is missing here."


def test_where_the_worked_example_is_right_the_smallest_wrong_case_is_shown_behind_the_reason() -> None:
    sizes = [case("the worked example", [1.0]), *(case(f"{n} numbers", [1.0] * n) for n in (7, 3, 5))]
    task = replace(TOY, cases=lambda seed: sizes)
    shown = repr(verdict_of(lambda numbers: sum(numbers), task)).splitlines()
    assert shown[1] == "The square root is missing here."
    assert shown[2].startswith("Seen on 3 numbers, root_sum([1.0, 1.0, 1.0]): the result should be 1.73205, got 3")


@pytest.mark.parametrize(
    ("right", "given", "told"),
    [
        ([1.0, 0.5], [1.0, 0.25], ": the result should be [1, 0.5], got [1, 0.25]."),
        (np.array([[0.5, 2], [1, 1]]), np.array([[0.5, 1], [1, 1]]), "array([[0.5, 2. ],"),
        (
            torch.tensor([1.0, 2.0]),
            torch.tensor([2.0, 1.0]),
            ": the result should be tensor([1., 2.]), got tensor([2., ",
        ),
        ([1.0, 2.0], [1.0, 2.000004], ": the result[1] should be 2, got 2.000004."),  # not to be seen side by side
        ([0] * 7, [0] * 6 + [1], ": the result[6] should be 0, got 1."),
        ([1, 2], [1], ": the result should have 2 items, got 1: [1]."),
    ],
)
def test_short_results_are_shown_side_by_side(right: Any, given: Any, told: str) -> None:
    task = replace(TOY, reference=lambda values: right, slips=())
    assert told in repr(verdict_of(lambda values: given, task))


def test_a_slip_must_agree_on_every_case() -> None:
    result = verdict_of(lambda numbers: sum(numbers) if len(numbers) == 2 else _root_sum(numbers))
    assert (result.earned, result.slip) == (0, "")
    assert result.reason.startswith("On the worked example, root_sum([1.0, 3.0]): the result should be 2, got 4")


def test_a_slip_is_known_although_the_errors_were_forgotten_too() -> None:
    result = verdict_of(lambda numbers: sum(numbers))
    assert (result.earned, result.slip) == (0, "no_root")
    assert verdict_of(lambda numbers: _root_sum(numbers) if numbers else 7).slip == "", "it makes no slip's mistake"


@pytest.mark.parametrize("gives_errors", [True, False])
def test_a_function_that_hands_nothing_back_is_told_so_in_every_task(gives_errors: bool) -> None:
    def prints(numbers: list[float]) -> None:
        if gives_errors and not numbers:
            raise ValueError
        print(end="")

    result = verdict_of(prints)
    assert (result.earned, result.slip) == (0, "no_return")
    assert "`return`" in result.reason


def test_one_wrong_result_on_an_ordinary_input_costs_all_points() -> None:
    assert verdict_of(lambda numbers: _root_sum(numbers) + (len(numbers) == 5)).earned == 0


def _runs(numbers: list[float], to: int) -> list[float]:
    if to < 0:
        raise ValueError("below 0")
    return [number * to for number in numbers]


def _also_changes(numbers: list[float], to: int) -> list[float]:
    result = _runs(numbers, to)
    numbers.append(0.0)
    return result


def _never_ends(numbers: list[float], to: int) -> list[float]:
    while len(numbers) > 3:
        pass
    return _runs(numbers, to)


@pytest.mark.parametrize(
    ("answer", "earned", "wrong"),
    [
        (lambda numbers, to: _runs(numbers, to) if numbers else [0.0], 9, ("borders",)),
        (lambda numbers, to: [number * to for number in numbers], 9, ("errors",)),
        (_also_changes, 9, ("inputs",)),
        (lambda numbers, to: [float(number) for number in _runs(numbers, to)], 9, ("type",)),
        (lambda numbers, to: [number * to for number in numbers] or [0.0], 6, ("borders", "errors")),
        (lambda numbers, to: _also_changes(numbers, abs(to)) if numbers else [0.0], 6, ("borders", "errors", "inputs")),
        (_never_ends, 6, ("speed",)),
        (lambda numbers, to: _runs(numbers, to)[::-1], 0, ("main",)),
        (lambda numbers, to: [number + to for number in numbers], 4, ("main", "errors")),  # as on the page: a third
    ],
)
def test_right_on_ordinary_inputs_is_worth_at_least_half(answer: Any, earned: float, wrong: tuple[str, ...]) -> None:
    adds = Slip("adds", ("number * to", "number + to"), "The page adds.", as_on_page=True)
    inputs = [case("the worked example", [1, 2], 3), case("three", [2, 1, 4], 2), case("four", [1] * 4, 1)]
    inputs += [border("no numbers", [], 2), case("below 0", [1], -1)]
    task = replace(TOY, points=12, seconds=0.2, reference=_runs, slips=(adds,), cases=lambda seed: inputs)
    verdict = judge(task, inputs, run_in_time(task, answer, inputs))
    assert (verdict.earned, verdict.wrong) == (earned, wrong), verdict
    assert ("Right on ordinary inputs; not yet: " in repr(verdict)) == (earned >= 6)


def test_an_unknown_mistake_is_told_by_the_first_case_that_shows_it() -> None:
    result = verdict_of(lambda numbers: _root_sum(numbers) if len(numbers) != 5 else None)
    assert result.slip == ""
    assert "On random numbers" in result.reason
    assert "got None (is a `return` missing?)" in result.reason


def test_an_unanswered_stub_is_told_as_such() -> None:
    def stub(numbers: list[float]) -> float:
        raise NotImplementedError

    assert verdict_of(stub).reason == "It is not answered yet: replace the line that raises NotImplementedError."


# ------------------------------------------------------------------------------------------------------------- errors


def test_an_error_is_a_wrong_answer_with_its_message() -> None:
    def broken(numbers: list[float]) -> float:
        raise KeyError("tea")

    result = verdict_of(broken)
    assert result.earned == 0
    assert "raised KeyError: 'tea'" in result.reason


def test_an_error_without_a_message() -> None:
    def broken(numbers: list[float]) -> float:
        raise IndexError

    assert "raised IndexError: no message" in verdict_of(broken).reason


def test_wrong_arguments_and_endless_recursion_are_wrong_answers() -> None:
    def endless(numbers: list[float]) -> float:
        return endless(numbers)

    assert "TypeError" in verdict_of(lambda: 1).reason
    assert "RecursionError" in verdict_of(endless).reason


def test_a_wanted_error_must_come_and_must_be_of_its_class() -> None:
    def other_error(numbers: list[float]) -> float:
        return _root_sum(numbers) if numbers else dict[str, float]()["empty"]

    result = verdict_of(other_error)
    assert "should raise ValueError, but raised KeyError: 'empty' (in the line `return _root_sum" in result.seen
    assert result.reason == (
        "Right wherever there is a result, but an input that should be refused is not: an empty list."
    )
    assert (result.earned, result.wrong) == (2.25, ("errors",))
    assert verdict_of(lambda numbers: sum(numbers) ** 0.5).slip == "zero"
    assert "should raise ValueError, but gave 7" in verdict_of(lambda n: _root_sum(n) if n else 7).seen


def test_a_subclass_of_the_wanted_error_will_do() -> None:
    class EmptyError(ValueError):
        pass

    def own_error(numbers: list[float]) -> float:
        if not numbers:
            raise EmptyError
        return _root_sum(numbers)

    assert verdict_of(own_error).passed


def test_an_error_of_its_own_on_a_good_input_is_not_taken_for_a_value() -> None:
    def always(numbers: list[float]) -> float:
        raise ValueError("never mind")

    assert verdict_of(always).earned == 0


# ------------------------------------------------------------------------------------------------------------- inputs


def test_a_changed_list_is_seen() -> None:
    def clears(numbers: list[float]) -> float:
        value = _root_sum(numbers)
        numbers.append(0.0)
        return value

    assert "changed argument 1 (`values`) in place; work on a copy" in verdict_of(clears, replace(TOY, slips=())).reason
    assert verdict_of(clears, replace(TOY, compare=Compare(inputs_unchanged=False))).passed


def test_a_slip_may_be_the_change_itself() -> None:
    descending = [case("the worked example", [1.0, 3.0]), case("an empty list", [])]
    task = replace(TOY, cases=lambda seed: descending)
    assert verdict_of(lambda n: (n.sort(key=lambda x: -x), _root_sum(n))[1], task).slip == "sorts"


def test_a_mistake_is_named_although_an_argument_was_changed_and_both_are_told() -> None:
    def summed_in_place(numbers: list[float]) -> float:
        numbers[:] = [_root_sum(numbers) ** 2]
        return numbers[0]

    result = verdict_of(summed_in_place)
    assert result.slip == "no_root"
    assert "should be 2, got 4; it also changed argument 1 (`values`) in place: work on a copy." in result.seen


def test_a_case_may_pass_one_array_twice_and_the_answer_gets_two() -> None:
    def adds(left: Any, right: Any) -> Any:
        left += right
        return left + right

    x = np.ones(2)
    task = replace(TOY, cases=lambda seed: [case("the worked example", x, x)], reference=lambda a, b: a + 2 * b)
    assert "changed argument 1 (`a`) in place" in verdict_of(adds, task).reason


@pytest.mark.parametrize(
    ("args", "kwargs", "change", "name"),
    [
        ((np.zeros(2),), {}, lambda x: x.fill(1), "argument 1"),
        ((1, torch.zeros(2)), {}, lambda _, x: x.add_(1), "argument 2"),
        (({"a": [1]},), {}, lambda x: x["a"].append(2), "argument 1"),
        (((np.zeros(2), 3),), {}, lambda x: x[0].fill(1), "argument 1"),
        ((), {"table": {1}}, lambda table: table.add(2), "table"),
        ((np.array([np.nan]),), {}, lambda x: x.fill(0), "argument 1"),
        (([np.zeros((2, 3))],), {}, lambda x: x.append(x.pop().reshape(6)), "argument 1"),  # the same bytes
        (([np.zeros(2)],), {}, lambda x: x.append(x.pop().astype(np.int64)), "argument 1"),  # here too
        (({"a": 2},), {}, lambda x: x.update(a=2.0), "argument 1"),
    ],
)
def test_every_kind_of_input_is_watched(args: Any, kwargs: Any, change: Any, name: str) -> None:
    task = replace(TOY, cases=lambda seed: [case("the worked example", *args, **kwargs)], reference=lambda *a, **k: 0)
    result = verdict_of(lambda *a, **k: (change(*a, **k), 0)[1], task)
    assert f"changed {name} in place" in result.reason
    assert verdict_of(lambda *a, **k: 0, task).passed


def test_every_run_gets_inputs_of_its_own() -> None:
    cases = TOY.cases(0)
    run_answer(TOY, lambda numbers: numbers.clear(), cases)
    assert cases[0].args == ([1.0, 3.0],)
    assert judge(TOY, cases, run_answer(TOY, _root_sum, cases)).passed


# ---------------------------------------------------------------------------------------------------------- gradients


def _square(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return scale * x**2


GRADIENT = replace(
    TOY,
    compare=Compare(gradient=True),
    reference=_square,
    slips=(Slip("detached", lambda x, scale: _square(x, scale).detach(), "The result is cut off from the inputs."),),
    cases=lambda seed: [
        case(
            "the worked example",
            torch.tensor([1.0, 2.0, 3.0], requires_grad=True),
            torch.tensor(2.0, requires_grad=True),
        )
    ],
)


def test_right_gradients_pass() -> None:
    assert verdict_of(lambda x, scale: x * x * scale, GRADIENT).passed


def test_right_values_with_a_wrong_gradient_fail() -> None:
    result = verdict_of(lambda x, scale: x * x.detach() * scale, GRADIENT)
    assert "the values are right, but the gradient with respect to argument 1 (`x`)" in result.reason


def test_a_gradient_that_is_missing_for_one_input_fails() -> None:
    result = verdict_of(lambda x, scale: x * x * scale.detach(), GRADIENT)
    assert "no gradient reaches argument 2 (`scale`)" in result.reason


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_gradient_of_each_entry_of_the_result_counts(place: int) -> None:
    """With weights -1, 0, 1 the middle entry would not."""

    def one_cut_off(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        value = _square(x, scale)
        keep = torch.arange(3) != place
        return torch.where(keep, value, value.detach())

    result = verdict_of(one_cut_off, GRADIENT)
    assert (result.earned, result.wrong) == (1.5, ("gradient",))


def test_a_detached_result_is_the_slip() -> None:
    assert verdict_of(lambda x, scale: (x * x * scale).detach(), GRADIENT).slip == "detached"


def test_a_detached_result_is_told_by_argument_and_by_name() -> None:
    reason = verdict_of(lambda x, scale: (x * x * scale).detach(), replace(GRADIENT, slips=())).reason
    assert "no gradient reaches argument 1 (`x`): the result was cut off from it" in reason


def test_an_argument_of_a_call_of_the_tasks_own_is_told_by_its_place() -> None:
    task = replace(GRADIENT, slips=(), call=lambda answer, first, second: answer(scale=second, x=first))
    assert "no gradient reaches argument 1:" in verdict_of(lambda x, scale: _square(x.detach(), scale), task).reason


def test_gradients_are_not_asked_for_unless_the_task_says_so() -> None:
    assert verdict_of(lambda x, scale: (x * x * scale).detach(), replace(GRADIENT, compare=Compare(), slips=())).passed


@pytest.mark.parametrize("run", [run_answer, run_in_time], ids=["as marked", "as checked"])
def test_inference_mode_left_on_does_not_switch_the_gradients_of_the_reference_off(run: Any) -> None:
    held: list[Any] = []
    task = replace(GRADIENT, slips=())
    cases = task.cases(0)

    def leaves_it_on(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        held.append(torch.inference_mode(True))
        held[-1].__enter__()
        return _square(x, scale).detach()

    try:
        result = judge(task, cases, run(task, leaves_it_on, cases))
        assert not torch.is_inference_mode_enabled()
        assert torch.is_grad_enabled()
    finally:
        held.pop().__exit__(None, None, None)
    assert result.wrong == ("gradient",)
    assert "no gradient reaches argument 1 (`x`)" in result.reason


@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad])
def test_what_a_cell_left_on_fails_no_right_answer(mode: Any) -> None:
    with mode():
        assert verdict_of(_square, GRADIENT).passed
        assert verdict_of(lambda x, scale: _square(x, scale).detach(), GRADIENT).slip == "detached"
        assert not torch.is_grad_enabled()


# ---------------------------------------------------------------------------------------------------- settings put back


def _torch_print_options() -> dict[str, Any]:
    return dict(vars(torch._tensor_str.PRINT_OPTS))


@pytest.mark.parametrize(
    ("change", "state"),
    [
        (lambda: torch.set_printoptions(precision=1, sci_mode=True), _torch_print_options),
        (lambda: torch.set_default_device("meta"), lambda: torch.get_default_device().type),
        (lambda: sys.setrecursionlimit(sys.getrecursionlimit() + 5), sys.getrecursionlimit),
    ],
    ids=["print options", "default device", "recursion limit"],
)
def test_a_setting_is_put_back(change: Any, state: Any) -> None:
    before = state()
    assert verdict_of(lambda numbers: (change(), _root_sum(numbers))[1]).passed
    assert state() == before


def test_a_default_device_of_the_learner_is_put_back() -> None:
    torch.set_default_device("meta")
    try:
        verdict_of(lambda numbers: [torch.set_default_device(None), _root_sum(numbers)][1])  # type: ignore[func-returns-value]
        assert torch.get_default_device().type == "meta"
    finally:
        torch.set_default_device(None)


def test_a_low_recursion_limit_does_not_break_the_reading_of_a_result() -> None:
    def lowers(numbers: list[float]) -> float:
        for limit in range(1, 10_000):
            with contextlib.suppress(RecursionError):  # so long as it lies below the depth that is reached
                sys.setrecursionlimit(limit)
                break
        return sum(numbers) ** 0.5 if numbers else dict[str, float]()["empty"]

    assert verdict_of(lowers).wrong == ("errors",)


# ------------------------------------------------------------------------------------------------- warnings and noise


def test_warnings_in_an_answer_do_not_leak(capfd: pytest.CaptureFixture) -> None:
    def noisy(numbers: list[float]) -> float:
        warnings.warn("look here", UserWarning, stacklevel=1)
        np.log(np.zeros(1)), np.float64(1) / np.float64(0)
        return _root_sum(numbers)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert verdict_of(noisy).passed
    assert seen == []
    assert capfd.readouterr().err == ""


def test_the_filters_of_the_caller_are_as_before() -> None:
    before = list(warnings.filters)
    verdict_of(lambda numbers: warnings.simplefilter("error") or _root_sum(numbers))
    assert warnings.filters == before


# --------------------------------------------------------------------------------------------------------- check()


@pytest.mark.usefixtures("toy_is_known")
class TestCheck:
    def test_returns_the_verdict_of_a_right_answer(self) -> None:
        assert check("root_sum", _root_sum).earned == 3

    def test_raises_with_the_reason_and_prints_nothing_on_stderr(self, capfd: pytest.CaptureFixture) -> None:
        with pytest.raises(CheckFailedError, match="The square root is missing") as caught:
            check("root_sum", lambda n: sum(n) if n else _root_sum(n))
        assert caught.value.verdict.slip == "no_root"
        assert isinstance(caught.value, AssertionError)
        assert capfd.readouterr().err == ""

    def test_a_notebook_shows_the_reason_without_a_traceback(self) -> None:
        with pytest.raises(CheckFailedError) as caught:
            check("root_sum", lambda n: None)
        shown = "\n".join(caught.value._render_traceback_())
        assert "Traceback" not in shown
        assert "not yet (0 of 3 points)" in shown
        assert 'hint("root_sum")' in shown

    def test_the_public_seed_is_the_default_and_a_seed_changes_the_cases(self) -> None:
        public = {0: _root_sum(_cases(0)[1].args[0]), 1: 2.0}
        learned_by_heart = lambda n: _root_sum(n) if len(n) != 5 else public[0]  # noqa: E731
        assert check("root_sum", learned_by_heart).passed
        with pytest.raises(CheckFailedError):
            check("root_sum", learned_by_heart, seed=7)

    @pytest.mark.parametrize("answer", [3, None, [1.0], "root_sum"])
    def test_what_is_no_function_is_told_so(self, answer: Any) -> None:
        with pytest.raises(CheckFailedError, match="the answer must be a function"):
            check("root_sum", answer)

    @pytest.mark.parametrize("seed", [True, 1.5, "1"])
    def test_a_seed_must_be_an_int(self, seed: Any) -> None:
        with pytest.raises(TypeError, match="`seed` must be an int or None"):
            check("root_sum", _root_sum, seed=seed)

    def test_a_seed_is_not_negative(self) -> None:
        with pytest.raises(ValueError, match="`seed` must be at least 0, got seed=-1"):
            check("root_sum", _root_sum, seed=-1)

    def test_verdicts_go_to_the_file_that_is_asked_for(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        report = tmp_path / "verdicts.jsonl"
        monkeypatch.setenv("LMCOURSE_VERDICTS", str(report))
        with pytest.raises(CheckFailedError):
            check("root_sum", lambda n: sum(n) if n else _root_sum(n))
        check("root_sum", _root_sum)
        first, second = map(json.loads, report.read_text(encoding="utf-8").splitlines())
        assert (first["earned"], first["slip"]) == (0, "no_root")
        assert second == {"task": "root_sum", "earned": 3, "reason": "right", "slip": ""}

    def test_an_untouched_task_is_no_try(self) -> None:
        def untouched(numbers: list[float]) -> float:
            raise NotImplementedError

        with pytest.raises(CheckFailedError, match="not answered yet"):
            check("root_sum", untouched)
        assert Progress().read() == {}


def test_an_unknown_task_is_an_error_that_names_near_ones() -> None:
    with pytest.raises(ValueError, match="do you mean softmax"):
        check_function("sofmax", _root_sum)


def test_judging_needs_one_outcome_a_case() -> None:
    cases = TOY.cases(0)
    with pytest.raises(ValueError, match=r"must be one a case, got 1 of 3"):
        judge(TOY, cases, [Outcome(value=2.0)])


def test_nothing_is_right_without_a_case() -> None:
    with pytest.raises(ValueError, match="`cases` must not be empty"):
        judge(TOY, [], [])


# -------------------------------------------------------------------------------------------------------- secret seed


def test_there_is_a_secret_seed_and_an_instructor_can_set_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert secret_seed() != 0
    monkeypatch.setenv("LMCOURSE_SECRET_SEED", " 77 ")
    assert secret_seed() == 77


@pytest.mark.parametrize("text", ["", "abc", "-1", "1.5", "0x10", "1 2"])
def test_a_bad_secret_seed_is_told_without_showing_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMCOURSE_SECRET_SEED", text)
    with pytest.raises(ValueError, match="LMCOURSE_SECRET_SEED must be a whole number") as caught:
        secret_seed()
    assert not text.strip() or repr(text) not in str(caught.value)


def test_a_task_that_takes_a_class_is_put_to_use_by_its_call() -> None:
    class Counter:
        def total(self, numbers: list[float]) -> float:
            return _root_sum(numbers)

    task = replace(TOY, reference=Counter, slips=(), call=lambda answer, *args: answer().total(*args))
    assert verdict_of(Counter, task).passed
    assert "AttributeError" in verdict_of(object, task).reason
    assert find_task("softmax").call is TOY.call


# ---------------------------------------------------------------------------------------------------- a new result


def _kept_apart(rows: list[list[int]], vectors: list[torch.Tensor]) -> tuple[list[list[int]], list[torch.Tensor]]:
    return [list(row) for row in rows], [vector.clone() for vector in vectors]


NEW = replace(
    TOY,
    reference=_kept_apart,
    name="kept_apart",
    cases=lambda seed: [case("the worked example", [[1, 2], [3]], [torch.tensor([1.0, 2.0]), torch.tensor([3.0])])],
    compare=Compare(new=True),
    slips=(),
)


@pytest.mark.parametrize(
    ("answer", "argument"),
    [
        (lambda rows, vectors: (rows, _kept_apart(rows, vectors)[1]), "argument 1 (`rows`)"),
        (lambda rows, vectors: ([list(rows[0]), rows[1]], _kept_apart(rows, vectors)[1]), "argument 1 (`rows`)"),
        (
            lambda rows, vectors: (_kept_apart(rows, vectors)[0], [vectors[0].clone(), vectors[1][:]]),
            "argument 2 (`vectors`)",
        ),
    ],
)
def test_new_holds_for_what_is_inside_a_result(answer: Any, argument: str) -> None:
    cases = NEW.cases(0)
    verdict = judge(NEW, cases, run_answer(NEW, answer, cases))
    assert f"shares its memory with {argument}" in verdict.reason
    assert judge(NEW, cases, run_answer(NEW, _kept_apart, cases)).passed


def _copied_list(ids: list[int]) -> list[int]:
    if not ids:
        raise ValueError("empty")
    return list(ids)


def test_who_only_forgets_an_error_is_not_told_that_the_result_is_shared() -> None:
    shares = Slip("shares", lambda ids: ids if ids else _copied_list(ids), "The result is `ids` itself.")
    numbers = [case("the worked example", [1, 2]), case("an empty list", [])]
    task = replace(NEW, reference=_copied_list, slips=(shares,), cases=lambda seed: numbers)
    forgets = verdict_of(lambda ids: list(ids), task)
    assert (forgets.slip, forgets.wrong) == ("", ("errors",))
    assert "refused" in forgets.reason
    assert verdict_of(lambda ids: ids, task).slip == "shares"


def test_an_answer_that_is_wrong_for_a_few_inputs_is_told_which() -> None:
    sizes = replace(TOY, cases=lambda seed: [case(f"{n} numbers", [4.0] * n) for n in range(1, 8)], slips=())
    cases = sizes.cases(0)

    def told(*wrong: int) -> Verdict:
        return judge(sizes, cases, run_answer(sizes, lambda v: _root_sum(v) + len(v) * (len(v) in wrong), cases))

    assert told(3, 5).reason == "Right for most inputs, but not for: 3 numbers; 5 numbers."
    assert told(3, 5).seen.startswith("Seen on 3 numbers, root_sum([4.0, 4.0, 4.0]): the result should be 3.4641, got")
    assert "most inputs" not in told(1, 3, 5).reason
    assert told(1).reason == "On 1 numbers, root_sum([4.0]): the result should be 2, got 3."  # the worked example


def test_of_a_long_argument_the_ends_are_shown_and_its_size_a_short_one_is_as_it_would_be_typed() -> None:
    shown = arguments(Case("", ([0.5, 1.25] * 40, "short"), {"k": 2}))
    assert shown == "[0.5, 1.25, 0.5, ..., 1.25, 0.5, 1.25] of 80 items, 'short', k=2"
    table = np.random.default_rng(0).normal(size=(11, 5))
    assert arguments(Case("", (table, 3))).startswith("array([[ 0.1257, -0.1321,  0.6404,  0.1049, -0.5357]")
    assert arguments(Case("", (np.array([0.123456789]),))) == "array([0.12345679])"
    cut = arguments(Case("", (torch.ones(23, 17), dict.fromkeys(range(9), "y" * 40), "x" * 500), {"k": 2}))
    assert "tensor([[1., 1., 1.,  ..., 1., 1., 1.]," in cut
    assert " of shape (23, 17), {0: 'yy" in cut
    assert "y', ..., 6: 'y" in cut
    assert cut.endswith("... of 500 characters, k=2")


def test_arguments_bear_the_names_of_the_statement() -> None:
    item = Case("", (1, [2]), {"k": 3})
    assert arguments(item, ["a", "b", "k"]) == "a=1, b=[2], k=3"
    assert arguments(item, ["a"]) == "1, [2], k=3"
    assert arguments(Case("", ([2],)), ["a", "b"]) == "[2]"


def _added(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    ones = torch.ones(11, dtype=x.dtype)
    return scale * (x + ones)


def _no_key(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return {"y": x}["z"] * scale


def _no_names(x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
    return torch.ones(2).reshape(7)


def _arrays(x: torch.Tensor, scale: torch.Tensor) -> np.ndarray:
    left, right = np.ones((2, 3)), [np.ones(4)]
    return left + right[0]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (_added, ", with scale of shape (), x of shape (3,), ones of shape (11,))"),
        (_no_key, "`)"),
        (_no_names, "`)"),
        (_arrays, ", with left of shape (2, 3))"),
    ],
)
def test_an_error_of_sizes_is_told_with_the_shapes_in_the_learners_line(answer: Any, told: str) -> None:
    first = replace(GRADIENT, cases=lambda seed: [case("three", torch.ones(3, requires_grad=True), torch.tensor(2.0))])
    seen = judge(first, first.cases(0), run_answer(first, answer, first.cases(0))).reason
    assert "(in the line `" in seen
    assert seen.rstrip(".").endswith(told), seen


# ------------------------------------------------------------------------------ a file that was changed meanwhile

_FILE = """import numpy as np

X = 1

def double(x):
    \"\"\"Double.\"\"\"
    y = x + 0
    return y * 2
"""


@pytest.mark.parametrize(
    "text",
    [
        '"""More\n\nlines.\n"""\n' + _FILE,
        _FILE.replace("import numpy as np\n\n", ""),
        "\n" * 4 + "    )]\n" + _FILE,
        '"""' + "a b c d (\n" * 12 + '"""\n' + _FILE,
        _FILE.replace("X = 1\n\n", "def other(x):\n    return x * 2\n"),
        _FILE.replace("X = 1\n", "class A:\n    def double(self):\n        return self.z * 2\n"),
        _FILE.replace("X = 1\n\ndef double(x):", "X = 1\n\n@undefined\ndef double(x):"),
        "",
        None,
    ],
    ids=["more", "less", "brackets", "text", "another", "class", "raises", "empty", "gone"],
)
def test_a_file_changed_under_a_running_kernel_costs_a_slip_and_no_more(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "changed_meanwhile.py"
    file.write_text(_FILE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "changed_meanwhile", raising=False)
    right = importlib.import_module("changed_meanwhile").double
    slip = Slip("thrice", ("* 2", "* 3"), "That is three times as much.")
    numbers = [case("the worked example", 1.0), case("two", 2.0)]
    task = replace(TOY, name="double", reference=right, slips=(slip,), cases=lambda seed: numbers)
    if text is None:
        file.unlink()
    else:
        file.write_text(text, encoding="utf-8")
    linecache.clearcache()
    assert verdict_of(right, task).passed
    assert verdict_of(lambda x: x * 5, task).slip == ""
    assert verdict_of(lambda x: x * 3, task).earned == 0
    monkeypatch.delitem(sys.modules, "changed_meanwhile")


WITHOUT_TORCH = """
import subprocess
import sys
sys.modules["torch"] = None  # whoever imports it meets an ImportError
from lmcourse.exercises import check, find_task
check("perplexity", find_task("perplexity").reference)
check("softmax", find_task("softmax").reference)
"""


def test_numbers_and_arrays_are_checked_without_torch() -> None:
    """It takes two seconds of processor time to load."""
    subprocess.run([sys.executable, "-c", WITHOUT_TORCH], check=True)


def test_a_tensor_is_one_as_soon_as_torch_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.delitem(sys.modules, "torch")
        assert not isinstance(torch.zeros(2), TENSOR)
        assert not issubclass(torch.Tensor, TENSOR)
    assert isinstance(torch.zeros(2), TENSOR)
    assert issubclass(torch.nn.Parameter, TENSOR)
    assert not isinstance(np.zeros(2), TENSOR)
