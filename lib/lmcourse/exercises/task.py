"""What a task is. Everything else, notebook, check, hints, marks, is made from this one description."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lmcourse.exercises.compare import Compare

STARS = 5


@dataclass(frozen=True)
class Case:
    """Inputs for one call of an answer: plain values (numbers, strings, lists, dicts, arrays, tensors), so that they
    can be carried into a sandbox and the results out of it.

    Attributes:
        label: what the learner is told: "the worked example", "one token", "an empty list".
        args, kwargs: the arguments of the call; every run gets its own copy.
    """

    label: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


def case(label: str, *args: Any, **kwargs: Any) -> Case:
    """Return a case: `case("the worked example", [1.0, 2.0], k=1)` is the call `answer([1.0, 2.0], k=1)`."""
    return Case(label, args, kwargs)


@dataclass(frozen=True)
class Slip:
    """A plausible wrong answer, with what a teacher would say to whoever gives it."""

    name: str
    answer: Callable[..., Any]
    reason: str


def call_answer(answer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The usual way to use an answer: call it. Tasks that ask for a class give another `call`."""
    return answer(*args, **kwargs)


@dataclass(frozen=True)
class Task:
    """One exercise.

    Attributes:
        name: unique in the course; the name of the function to write, and of the check.
        chapter: the chapter's folder name, "01_ngrams".
        points, difficulty, minutes: shown at the top; difficulty is 1 to 5.
        cases: seed -> cases: the worked example first, then ordinary and edge cases; a seed fixes them.
        reference: the right answer.
        compare: what counts as the same result.
        slips: wrong answers that are recognised, at least five.
        alternatives: right answers written differently, at least two.
        hints: three, from a nudge to nearly the answer.
        call: how an answer is put to use on a case's arguments: `call(answer, *args, **kwargs)`.
    """

    name: str
    chapter: str
    points: int
    difficulty: int
    minutes: int
    cases: Callable[[int], list[Case]]
    reference: Callable[..., Any]
    slips: tuple[Slip, ...]
    alternatives: tuple[Callable[..., Any], ...]
    hints: tuple[str, ...]
    compare: Compare = field(default_factory=Compare)
    call: Callable[..., Any] = call_answer

    def __post_init__(self) -> None:
        if not self.name.isidentifier():
            raise ValueError(f"`name` must be a Python name, got {self.name!r}.")
        if self.points < 1 or self.minutes < 1:
            raise ValueError(
                f"{self.name}: `points` and `minutes` must be at least 1, got {self.points} and {self.minutes}."
            )
        if not 1 <= self.difficulty <= STARS:
            raise ValueError(f"{self.name}: `difficulty` must be 1 to {STARS}, got {self.difficulty}.")

    def headline(self) -> str:
        """One line for the top of the exercise."""
        stars = "●" * self.difficulty + "○" * (STARS - self.difficulty)
        unit = "point" if self.points == 1 else "points"
        size = f"{self.points} {unit} · {stars} · about {self.minutes} minutes"
        return f'**`{self.name}`** · {size} · stuck? `hint("{self.name}")`'
