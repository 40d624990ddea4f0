"""Judge what an answer gave: which groups of cases are right, what is wrong with the others, and why."""

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from lmcourse import checks
from lmcourse.exercises import codec
from lmcourse.exercises.compare import difference, short
from lmcourse.exercises.kinds import kind_of_difference
from lmcourse.exercises.limit import TimeLimitError
from lmcourse.exercises.running import Outcome, run_answer
from lmcourse.exercises.showing import arguments, both, size
from lmcourse.exercises.task import Case, PatchError, Property, Slip, Task, call_answer

UNANSWERED = "It is not answered yet: replace the line that raises NotImplementedError."
#: The mistake that can be made in every task.
NO_RETURN = Slip(
    "no_return",
    lambda *args, **kwargs: None,
    "It gives None wherever a value is wanted: a function hands its value back with `return`. `print` only shows it, "
    "and a way through the function that ends without `return` gives None.",
)
#: What is marked beside the results on ordinary inputs ("main") -> how it is called, and what it costs of the points.
BESIDES = {
    "borders": ("borders", 1 / 4),
    "errors": ("errors", 1 / 4),
    "inputs": ("unchanged arguments", 1 / 4),
    "type": ("element types", 1 / 4),
    "gradient": ("gradients", 1 / 2),
    "speed": ("speed", 1 / 2),  # what comes after a call that does not end is not tried
}
_AT_LEAST = 1 / 2  # of the points, for who is right on ordinary inputs
_AS_ON_PAGE = 1 / 3  # of the points, for what is right by the page's convention, where the exercise asks for another
_ELSEWHERE = {
    "borders": "Right for all ordinary inputs, wrong at a border",
    "errors": "Right wherever there is a result, but an input that should be refused is not",
}
_BEYOND = "Right for all ordinary inputs, wrong beyond them"
_PROBABLY = 0.75  # of at least two wrong results: the share that a slip must explain to be named as probable
_FEW = 1 / 3  # of all cases: with fewer wrong ones an answer is right for most inputs


@dataclass(frozen=True)
class Verdict:
    """The mark for one answer, and why.

    Attributes:
        task: its name.
        points, earned: right results on ordinary inputs earn all points but what `BESIDES` takes off for the rest, and
            at least half of them; without these nothing is earned. Of a project each property earns its own.
        reason: what is wrong, and which way to go.
        slip: the known mistake that the answer makes; "" if none.
        seen: the first case that went wrong, with what was wanted and what came.
        n_cases: how many there were.
        wrong: "main" or of `BESIDES` what is not right; of a project, the properties.
    """

    task: str
    points: int
    earned: float
    reason: str
    slip: str = ""
    seen: str = ""
    n_cases: int = 0
    wrong: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.earned == self.points

    @property
    def why(self) -> str:
        """The reason, and where that was seen; the worked example, which one can follow by hand, comes first."""
        parts = [self.seen, self.reason] if self.seen.startswith("On ") else [self.reason, self.seen]
        return "\n".join(filter(None, parts))

    def __repr__(self) -> str:
        if self.passed:
            return f"{self.task}: right on {self.n_cases} cases, {self.earned:g} of {self.points} points"
        state = "nearly" if self.earned else "not yet"
        left = ", ".join(BESIDES[name][0] for name in self.wrong if name in BESIDES)
        left = (
            f" Right on ordinary inputs; not yet: {left}." if left and self.earned and "main" not in self.wrong else ""
        )
        return f"{self.task}: {state} ({self.earned:g} of {self.points} points).{left}\n{self.why}"


def judge(task: Task, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> Verdict:
    """Compare the outcomes with the reference's; name the slip if they are those of a known one.

    Raises:
        TypeError: an argument of another kind.
        ValueError: no cases; not one outcome a case.
    """
    return Judge(task, cases).verdict(outcomes)


class Judge:
    """Judges many answers to one task on the same cases: the reference runs once, a known mistake at most once on each.

    A mistake is tried case by case, those first on which the answer is wrong, and no further than to the first on which
    the two differ.
    """

    def __init__(self, task: Task, cases: Sequence[Case]) -> None:
        checks.instance(Task, task=task)
        checks.items(Case, cases=cases)
        checks.not_empty(cases=cases)
        self.task, self.cases = task, cases
        by_itself = task.properties and task.judge  # then the reference is not asked: it may take long
        self.wanted = [Outcome()] * len(cases) if by_itself else run_answer(task, task.reference, cases)
        self._made: dict[tuple[str, int], Outcome] = {}

    @cached_property
    def parts(self) -> int:
        """How many values the right outcomes are made of."""
        return sum(codec.parts(outcome.value) for outcome in self.wanted)

    @cached_property
    def groups(self) -> list[str]:
        """The group of each case."""
        return [
            "errors" if right.error else "borders" if item.border else "main"
            for item, right in zip(self.cases, self.wanted, strict=True)
        ]

    def verdict(self, outcomes: Sequence[Outcome]) -> Verdict:
        """The mark for the outcomes of one answer, one outcome a case."""
        checks.items(Outcome, outcomes=outcomes)
        if len(outcomes) != len(self.cases):
            raise ValueError(f"`outcomes` must be one a case, got {len(outcomes)} of {len(self.cases)}.")
        wrong = {
            number: found
            for number, outcome in enumerate(outcomes)
            if (found := self._difference(number, self.wanted[number], outcome))
        }
        if not wrong:
            return self._mark(self.task.points, "right")
        if all(outcome.error == "NotImplementedError" for outcome in outcomes):
            all_of_it = [prop.name for prop in self.task.properties] or sorted({*self.groups})
            return self._mark(0.0, UNANSWERED, wrong=all_of_it)
        return (self._by_property if self.task.properties else self._by_group)(outcomes, wrong)

    def _mark(self, earned: float, reason: str, slip: str = "", seen: str = "", wrong: Sequence[str] = ()) -> Verdict:
        return Verdict(self.task.name, self.task.points, earned, reason, slip, seen, len(self.cases), tuple(wrong))

    def _by_group(self, outcomes: Sequence[Outcome], wrong: dict[int, str]) -> Verdict:
        """The mark for an answer of which some cases are wrong: a group is earned whole or not at all."""
        lacks = {number: self._lacks(number, outcomes[number]) for number in wrong}
        lacking = [name for name in ("main", *BESIDES) if name in lacks.values()]
        in_time = [lacks.get(number) != "speed" for number, group in enumerate(self.groups) if group == "main"]
        is_main_right = "main" not in lacking and any(in_time) and in_time[0] and sum(in_time) >= len(in_time) / 2
        costs = sum(BESIDES[name][1] for name in lacking) if is_main_right else 1.0
        earned = self.task.points * max(_AT_LEAST, 1 - costs) if is_main_right else 0.0
        number = self._telling(wrong, lacks)
        where, found = self.cases[number].label, self._shown(number, wrong[number], outcomes[number])
        first = f"n {where}, {self.task.name}({arguments(self.cases[number], _names(self.task))}){found}."
        slip = self._agreeing(outcomes, [*wrong])
        if not slip and any(outcome.changed for outcome in outcomes):
            calm = [replace(outcome, changed="") for outcome in outcomes]
            if any(self._unlike(self.wanted[at], calm[at]) for at in wrong):  # another mistake: both are told
                outcomes, slip = calm, self._agreeing(calm, [*wrong])
        if slip and slip.as_on_page:
            earned = max(earned, round(_AS_ON_PAGE * self.task.points, 2))
        reason = slip.reason if slip else self._explained(outcomes, lacks)
        if not reason:
            return self._mark(earned, f"O{first}", wrong=lacking)
        return self._mark(earned, reason, slip.name if slip else "", f"{'Seen o' if number else 'O'}{first}", lacking)

    def _lacks(self, number: int, got: Outcome) -> str:
        """What an outcome that is not right lacks: "main", where the result on an ordinary input is wrong, or one of
        `BESIDES`."""
        want = self.wanted[number]
        if got.error == TimeLimitError.__name__:
            return "speed"
        if want.error or got.error:
            return self.groups[number]
        if not self.task.judge and difference(want.value, got.value, self.task.compare):
            is_type = not difference(want.value, got.value, replace(self.task.compare, dtype=False))
            return "type" if is_type else self.groups[number]
        if self.task.judge and self._difference(number, want, replace(got, changed="", shared="")):
            return self.groups[number]
        return "inputs" if _side_effect(self.task, want, got) else "gradient"

    def _telling(self, wrong: dict[int, str], lacks: dict[int, str]) -> int:
        """The case to show: the worked example where it is wrong, else the smallest of those that weigh most."""
        if 0 in wrong:
            return 0
        weighs_most = "main" if "main" in lacks.values() else next(iter(lacks.values()))
        chosen = [number for number in wrong if lacks[number] == weighs_most]
        return min(chosen, key=lambda number: size([*self.cases[number].args, *self.cases[number].kwargs.values()]))

    def _shown(self, number: int, found: str, got: Outcome) -> str:
        """What was found, with both results side by side where they are short."""
        at_a_place = not self.task.judge and re.match(r": the result\[.*\] should be ", found)
        if at_a_place and (pair := both(self.wanted[number].value, got.value)):
            return f": the result should be {pair}{found[found.find('; it also') :] if '; it also' in found else ''}"
        return found

    def _by_property(self, outcomes: Sequence[Outcome], found: dict[int, str]) -> Verdict:
        """The mark for a project: each property is earned whole or not at all, and has a reason of its own."""
        properties = self.task.properties
        wrong: dict[str, str] = {}
        for number, difference_found in found.items():
            item = self.cases[number]
            wrong.setdefault(item.of, f"on {item.label}{difference_found}.")
        slips = {name: self._agreeing_on(name, set(wrong), outcomes) for name in wrong}
        reasons: dict[str, str] = {}
        for prop in properties:
            if prop.name in wrong:
                slip = slips[prop.name]
                reasons[prop.name] = slip.reason if slip else wrong[prop.name]
            elif prop.needs in wrong:
                reasons[prop.name] = f"it counts once {prop.needs} is right."
        right = [prop for prop in properties if prop.name not in reasons]
        lines = [f"Right: {_worth(right) or 'none'}."]
        for reason in dict.fromkeys(reasons.values()):
            lines.append(f"{_worth([prop for prop in properties if reasons.get(prop.name) == reason])}: {reason}")
        named = [slip.name for name in reasons if (slip := slips.get(name))]
        earned = sum(prop.points for prop in right)
        return self._mark(earned, "\n".join(lines), named[0] if named else "", wrong=[*reasons])

    def _agreeing_on(self, name: str, wrong: set[str], outcomes: Sequence[Outcome]) -> Slip | None:
        """The known mistake that an answer to a project makes on a property's cases: first those that cost the same.

        Where the task has a judge of its own, what an answer gives depends on more than the case.
        """
        if self.task.judge:
            return None
        numbers = [number for number, item in enumerate(self.cases) if item.of == name]
        for slip in sorted(self.task.slips, key=lambda slip: {*slip.loses} != wrong):
            if self._makes(slip, outcomes, numbers):
                return slip
        return None

    def _explained(self, outcomes: Sequence[Outcome], lacks: dict[int, str]) -> str:
        """What can be said where no slip agrees: right but for ..., the kind of difference, a probable slip."""
        said, wrong = [], [*lacks]
        labels = [self.cases[number].label for number in wrong]
        listed = "; ".join(labels[:3]) + (f" and {len(labels) - 3} more" if len(labels) > 3 else "")
        if {*lacks.values()} <= {*_ELSEWHERE}:
            where = _ELSEWHERE[lacks[wrong[0]]] if len({*lacks.values()}) == 1 else _BEYOND
            said.append(f"{where}: {listed}.")
        results = [(self.wanted[n], outcomes[n]) for n in wrong if not self.wanted[n].error and not outcomes[n].error]
        if results and self.task.judge is None:
            pairs = [
                (right.value, got.value)
                for right, got in results
                if difference(right.value, got.value, self.task.compare)
            ]
            if kind := kind_of_difference(pairs, self.task.compare):
                said.append(kind)
        if not said and (slip := self._probable(outcomes, wrong)):
            said.append(f"Probably: {slip.reason}")
        if not said and len(wrong) < _FEW * len(outcomes) and wrong[0]:  # 0 is the worked example: it is told itself
            said.append(f"Right for most inputs, but not for: {listed}.")
        return " ".join(said)

    def _agreeing(self, outcomes: Sequence[Outcome], wrong: list[int]) -> Slip | None:
        """The known mistake that this answer makes: one that it agrees with on every case, else one that it agrees with
        where a result is asked for and not an error (who makes a mistake often forgets the errors too). A task's own
        mistakes come before `NO_RETURN`."""
        every = [*wrong, *(number for number in range(len(self.cases)) if number not in wrong)]
        results = [number for number in every if not self.wanted[number].error]
        for numbers in (every, results):
            for slip in self.task.slips:
                if self._makes(slip, outcomes, numbers):
                    return slip
        nothing = all(outcomes[number].value is None and not outcomes[number].error for number in results)
        return NO_RETURN if nothing and any(self.wanted[number].value is not None for number in results) else None

    def _probable(self, outcomes: Sequence[Outcome], wrong: list[int]) -> Slip | None:
        """The one slip that gives most of the wrong results, two at least, and is right where the answer is; none where
        there are two such."""
        results = [number for number in wrong if not self.wanted[number].error and not outcomes[number].error]
        if len(results) < 2:
            return None
        right = [number for number, want in enumerate(self.wanted) if number not in wrong and not want.error]
        probable = []
        for slip in self.task.slips:
            misses_left = len(results) - max(2, _PROBABLY * len(results))
            for number in results:
                misses_left -= not self._gives(slip, outcomes, number)
                if misses_left < 0:
                    break
            else:
                if all(self._gives(slip, outcomes, number) for number in right):
                    probable.append(slip)
        return probable[0] if len(probable) == 1 else None

    def _makes(self, slip: Slip, outcomes: Sequence[Outcome], numbers: Sequence[int]) -> bool:
        """Whether an answer makes a known mistake: the same on the cases of these numbers, and wrong on one of them."""
        if not all(self._gives(slip, outcomes, number) for number in numbers):
            return False
        return any(self._unlike(self.wanted[number], self._made[slip.name, number]) for number in numbers)

    def _gives(self, slip: Slip, outcomes: Sequence[Outcome], number: int) -> bool:
        """Whether an answer gives what a known mistake gives on a case.

        It does not where the mistake's patch no longer fits: the library was changed under a running kernel.
        """
        if (slip.name, number) not in self._made:
            try:
                (self._made[slip.name, number],) = run_answer(self.task, slip.answer, [self.cases[number]])
            except PatchError:
                return False
        return not self._unlike(self._made[slip.name, number], outcomes[number])

    def _difference(self, number: int, want: Outcome, got: Outcome) -> str | None:
        """What is wrong with an outcome, by the task's own judge where it has one."""
        if not self.task.judge or want.error or got.error:
            return self._unlike(want, got)
        try:
            found = self.task.judge(self.cases[number], got.value)
        except Exception as error:  # the evidence may be anything
            found = f"the result is not of the kind that is asked for ({type(error).__name__} when it was read)"
        return f": {found}" if found else _side_effect(self.task, want, got)

    def _unlike(self, want: Outcome, got: Outcome) -> str | None:
        """How an outcome differs from another one, in words."""
        if got is want:
            return None
        if want.error:
            if want.error in (got.error, *got.error_bases):
                return None
            instead = (
                f"raised {got.error}: {got.message or 'no message'}{got.line}"
                if got.error
                else f"gave {short(got.value)}"
            )
            return f" should raise {want.error}, but {instead}"
        if got.error:
            return f" raised {got.error}: {got.message or 'no message'}{got.line}"
        if found := difference(want.value, got.value, self.task.compare):
            changed = _named(self.task, got.changed)
            also = f"; it also changed {changed} in place: work on a copy" if got.changed and not want.changed else ""
            return f": {found}{also}"
        return _side_effect(self.task, want, got) or _gradient_difference(self.task, want, got)


def _worth(properties: Sequence[Property]) -> str:
    """Properties with their points, in words."""
    return ", ".join(f"{prop.name} ({prop.points} {'point' if prop.points == 1 else 'points'})" for prop in properties)


def _side_effect(task: Task, want: Outcome, got: Outcome) -> str | None:
    if got.changed != want.changed:
        return f" changed {_named(task, got.changed or want.changed)} in place; work on a copy"
    if bool(got.shared) != bool(want.shared):  # either way: a slip's only mistake may be that it shares
        shared = _named(task, got.shared or want.shared)
        return f": the values are right, but the result shares its memory with {shared}; return a new one"
    return None


def _gradient_difference(task: Task, want: Outcome, got: Outcome) -> str | None:
    if len(got.gradients) != len(want.gradients):
        return ": the values are right, but the gradients are missing"
    names = want.leaves or [f"argument {number + 1}" for number in range(len(want.gradients))]
    for place, left, right in zip(names, want.gradients, got.gradients, strict=True):
        name = _named(task, place)
        if left is not None and right is None:
            return (
                f": the values are right, but no gradient reaches {name}: the result was cut off from it "
                "(detach, .item(), .data, torch.no_grad() or a new tensor made from numbers)"
            )
        if found := difference(left, right, task.compare, f"the gradient with respect to {name}"):
            return f": the values are right, but {found}"
    return None


def _named(task: Task, place: str) -> str:
    """An argument by its place and its name, "argument 1 (`scores`)", where the answer is called on those of a case."""
    names = _names(task)
    return {f"argument {at}": f"argument {at} (`{name}`)" for at, name in enumerate(names, 1)}.get(place, place)


def _names(task: Task) -> list[str]:
    """What the statement calls the arguments of a case, where the answer is called on those."""
    return _argument_names(task.reference) if task.call is call_answer else []


@cache
def _argument_names(answer: Callable[..., Any]) -> list[str]:
    parts = inspect.signature(answer).parameters.values()
    return [part.name for part in parts if part.kind in (part.POSITIONAL_ONLY, part.POSITIONAL_OR_KEYWORD)]
