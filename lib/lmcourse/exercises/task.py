"""What an exercise is. Everything else, page, check, hints, marks, is made from this one description."""

import ast
import builtins
import inspect
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from lmcourse import checks
from lmcourse.exercises.compare import Compare

STARS = 5
_LONGEST_S = 24 * 60 * 60  # that a task or a property may take: the system's timers overflow
Patch = tuple[str, str] | tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Case:
    """Inputs for one call of an answer: plain values (numbers, strings, lists, dicts, arrays, tensors), so that they
    can be carried into a sandbox and the results out of it.

    Attributes:
        label: how a reason names the case: "the worked example", "one token", "an empty list".
        args, kwargs: the arguments of the call; every run gets its own copy.
        border: whether it lies at a border: empty, one, ties, extremes. Cases are marked in groups: *main*, *borders*,
            and *errors*, the cases for which the right answer raises.
        truth: what a task's `judge` needs to know and an answer must not: it never goes into a sandbox.
        of: in a project, the property that the case is about.

    Raises:
        TypeError: a part of another kind.
    """

    label: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    border: bool = False
    truth: Any = None
    of: str = ""

    def __post_init__(self) -> None:
        checks.instance(str, label=self.label, of=self.of)
        checks.instance(tuple, args=self.args)
        checks.instance(dict, kwargs=self.kwargs)


def case(label: str, *args: Any, **kwargs: Any) -> Case:
    """Return a case: `case("the worked example", [1.0, 2.0], k=1)` is the call `answer([1.0, 2.0], k=1)`."""
    return Case(label, args, kwargs)


def border(label: str, *args: Any, **kwargs: Any) -> Case:
    """Return a case at a border: `border("one number", [1.0])`."""
    return Case(label, args, kwargs, border=True)


def probe(of: str, label: str, *args: Any, truth: Any = None) -> Case:
    """Return a case of a project, about one of its properties: `probe("causal", "a model of two blocks", ids)`."""
    checks.instance(str, of=of)
    checks.not_empty(of=of)
    return Case(label, args, truth=truth, of=of)


def evidence_is(kind: type, evidence: Any) -> None:
    """Refuse evidence of another kind, before a project's judge reads it.

    Raises:
        TypeError: it is of another kind.
    """
    checks.instance(type, kind=kind)
    checks.instance(kind, evidence=evidence)


@dataclass(frozen=True)
class Property:
    """What a project must be, with the points that it is worth. It holds if every case of it is right.

    Attributes:
        name: one or two words: "causal".
        points: earned whole or not at all.
        says: what is asked, in a sentence or two; the page shows it.
        seconds: of processor time, for each of its cases.
        needs: a property without which this one earns nothing: for one that a trivial answer has, too.

    Raises:
        TypeError: a part of another kind.
        ValueError: no name or words; a number out of bounds.
    """

    name: str
    points: int
    says: str
    seconds: float = 5.0
    needs: str = ""

    def __post_init__(self) -> None:
        checks.instance(str, name=self.name, says=self.says, needs=self.needs)
        checks.not_empty(name=self.name, says=self.says)
        checks.whole(at_least=1, points=self.points)
        checks.number(above=0, at_most=_LONGEST_S, seconds=self.seconds)


class PatchError(ValueError):
    """A patch does not fit the answer that it changes."""


@dataclass(frozen=True)
class Slip:
    """A plausible mistake, with what a teacher would say to whoever makes it.

    Attributes:
        name: unique in its task.
        change: a patch of the answer's source, `("dim=-1", "dim=0")` or several such pairs: each text stands exactly
            once in the answer, outside of its docstring, and is replaced by the other. Where a patch cannot say it, a
            function: the wrong answer whole.
        reason: two or three sentences to the learner: what is wrong, and which way to go. In a project with a judge of
            its own, which says what is wrong, a part of its words.
        loses: in a project, the properties that the mistake costs.
        says: the clause of the statement that the mistake breaks, word for word.
        as_on_page: whether it is what the page does, where the exercise asks for something else.
        reference: the answer that a patch changes, and what stands before it in its cell; its task fills them in.

    Raises:
        TypeError: a part of another kind.
        ValueError: no name or reason.
    """

    name: str
    change: Callable[..., Any] | Patch
    reason: str
    loses: tuple[str, ...] = ()
    says: str = ""
    as_on_page: bool = False
    reference: tuple[Callable[..., Any], ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        checks.instance(str, name=self.name, reason=self.reason, says=self.says)
        checks.not_empty(name=self.name, reason=self.reason)
        if not callable(self.change) and not _is_patch(self.change):
            raise TypeError(f"`change` must be a function, or a pair of texts or several, got {self.change!r}.")
        checks.texts(loses=self.loses)
        checks.instance(bool, as_on_page=self.as_on_page)
        checks.items(Callable, reference=self.reference)

    @cached_property
    def answer(self) -> Callable[..., Any]:
        """The wrong answer.

        Raises:
            PatchError: the patch does not fit the answer.
        """
        if callable(self.change):
            return self.change
        if not self.reference:
            raise PatchError(f"slip {self.name}: a patch needs the answer that it changes.")
        return patched(self.reference, self.change)


def _is_patch(change: Any) -> bool:
    """Whether it is ("old", "new"), or a tuple of such pairs."""
    if not isinstance(change, tuple) or not change:
        return False
    pairs = (change,) if isinstance(change[0], str) else change
    return all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(text, str) for text in pair) for pair in pairs
    )


def answer_source(*answer: Callable[..., Any]) -> str:
    """Return the source of an answer, functions or classes, as they stand in their file.

    Raises:
        PatchError: the source cannot be had.
    """
    try:
        return "\n\n".join(textwrap.dedent(inspect.getsource(part)) for part in answer)
    except Exception as error:  # of a file that has changed, inspect may raise anything
        name = getattr(answer[-1], "__name__", answer[-1])
        raise PatchError(f"the source of {name!r} cannot be read: {error}") from error


def patched(answer: tuple[Callable[..., Any], ...], patch: Patch) -> Callable[..., Any]:
    """Return the last part of an answer with pieces of the answer's source replaced; docstrings are not searched.

    Raises:
        PatchError: a source that cannot be read (a file that was changed under a running kernel gives any text), a text
            that does not stand exactly once in the answer, or a result that is no Python or is not the answer's.
    """
    name = answer[-1].__name__
    whole = answer_source(*answer)
    try:
        source = _without_docstrings(whole)
    except Exception as error:
        raise PatchError(f"{name}: its source is no Python: {error}") from error
    pairs: Any = (patch,) if isinstance(patch[0], str) else patch
    for old, new in pairs:
        if source.count(old) != 1:
            raise PatchError(
                f"{name}: {old!r} must stand in the answer exactly once, it stands {source.count(old)} times."
            )
        source = source.replace(old, new)
    names = dict(vars(sys.modules[answer[-1].__module__]))
    names.pop(name, None)  # the right answer is not to be taken for the changed one
    try:
        exec(compile(source, f"<{name}, patched>", "exec"), names)
        changed: Callable[..., Any] = names[name]
    except Exception as error:
        raise PatchError(f"{name}: the patch {pairs} gives no Python that defines it: {error!r}") from error
    return changed


def _without_docstrings(source: str) -> str:
    lines = source.splitlines(keepends=True)
    kinds = (ast.FunctionDef, ast.ClassDef)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            first = node.body[0]
            indent = " " * first.col_offset
            for number in range(first.lineno - 1, first.end_lineno or first.lineno):
                lines[number] = ""
            lines[first.lineno - 1] = f"{indent}...\n"
    return "".join(lines)


def call_answer(answer: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The usual way to use an answer: call it. Tasks that ask for a class give another `call`."""
    return answer(*args, **kwargs)


@dataclass(frozen=True)
class Task:
    """One exercise.

    Attributes:
        reference: the right answer, with the learner's docstring: the solution page takes its source from here.
        points, difficulty, minutes: shown at the top; difficulty is 1 to 5.
        cases: seed -> cases: the worked example first, then ordinary and edge cases; a seed fixes them.
        slips: mistakes that are recognised, at least five.
        hints: three, from a nudge to nearly the answer.
        compare: what counts as the same result.
        call: how an answer is put to use on a case's arguments: `call(answer, *args, **kwargs)`. What it gives is plain
            evidence; it runs where the answer runs.
        judge: where several results are right: `judge(case, evidence)` says what is wrong with it, or None. It runs
            where no answer runs. Without it the evidence is compared with the reference's.
        seconds: of processor time, for all cases together; an answer that takes longer is stopped.
        properties: of a project: what it is judged by, instead of the groups of its cases.
        libraries: modules that answers load without a word of theirs, so that the sandbox has them before it watches:
            torch loads `torch._dynamo` when the first optimizer is made.
        before: of a project: classes that stand before the reference in the answer's cell.
        name: unique in the course: the name of the function to write; by default the reference's own.
        chapter: the chapter's folder name, "01_ngrams"; by default what the package of the reference says.

    Raises:
        TypeError: a part of another kind.
        ValueError: a number out of bounds; no hints; a name that is none; points that are not those of the properties.
    """

    reference: Callable[..., Any]
    points: int
    difficulty: int
    minutes: int
    cases: Callable[[int], list[Case]]
    slips: tuple[Slip, ...]
    hints: tuple[str, ...]
    compare: Compare = field(default_factory=Compare)
    call: Callable[..., Any] = call_answer
    judge: Callable[[Case, Any], str | None] | None = None
    seconds: float = 10.0
    properties: tuple[Property, ...] = ()
    before: tuple[type, ...] = ()
    libraries: tuple[str, ...] = ()
    name: str = ""
    chapter: str = ""

    def __post_init__(self) -> None:
        self._check_parts()
        derived = {
            "name": self.name or getattr(self.reference, "__name__", ""),
            "chapter": self.chapter or _chapter_of(self.reference),
            "slips": tuple(replace(slip, reference=(*self.before, self.reference)) for slip in self.slips),
        }
        for attribute, value in derived.items():
            object.__setattr__(self, attribute, value)
        if not self.name.isidentifier() or hasattr(builtins, self.name):
            raise ValueError(f"`name` must be a Python name that is not a builtin, got {self.name!r}.")
        if self.points < 1 or self.minutes < 1:
            raise ValueError(
                f"{self.name}: `points` and `minutes` must be at least 1, got {self.points} and {self.minutes}."
            )
        if not 1 <= self.difficulty <= STARS:
            raise ValueError(f"{self.name}: `difficulty` must be 1 to {STARS}, got {self.difficulty}.")
        points = sum(prop.points for prop in self.properties)
        if self.properties and points != self.points:
            raise ValueError(f"{self.name}: `points` must be those of its properties, {points}, got {self.points}.")

    def _check_parts(self) -> None:
        checks.function(reference=self.reference, cases=self.cases, call=self.call)
        checks.whole(points=self.points, difficulty=self.difficulty, minutes=self.minutes)
        checks.items(Slip, slips=self.slips)
        checks.texts(hints=self.hints, libraries=self.libraries)
        checks.not_empty(hints=self.hints)
        checks.instance(Compare, compare=self.compare)
        if self.judge is not None:
            checks.function(judge=self.judge)
        checks.number(above=0, at_most=_LONGEST_S, seconds=self.seconds)
        checks.items(Property, properties=self.properties)
        checks.items(type, before=self.before)
        checks.instance(str, name=self.name, chapter=self.chapter)

    def headline(self) -> str:
        """One line for the top of the exercise; under that of a project, its properties."""
        stars = "●" * self.difficulty + "○" * (STARS - self.difficulty)
        unit = "point" if self.points == 1 else "points"
        size = f"{self.points} {unit} · {stars} · about {self.minutes} minutes"
        line = f'**`{self.name}`** · {size} · stuck? `hint("{self.name}")`'
        rows = [f"| {prop.name} | {prop.says} | {prop.points} |" for prop in self.properties]
        return (
            "\n".join([line, "", "| property | what is checked | points |", "|---|---|---|", *rows]) if rows else line
        )


def _chapter_of(answer: Callable[..., Any]) -> str:
    package = getattr(answer, "__module__", "").rpartition(".")[0]
    return str(getattr(sys.modules.get(package), "CHAPTER", ""))
