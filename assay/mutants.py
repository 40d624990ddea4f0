"""Mutants of an answer: the answer with one change. Do the exercise's cases tell it from the answer?

A change is another operator, comparison, constant, axis, a function for its opposite, a check left out. A mutant that
passes shows a rule without a case, or means the same as the answer; those of the second kind stand in
`assay/equivalent_mutants.txt`, a line each: `task: what was changed  # why it means the same`. In a project the
statement leaves much open; there a mutant may also be another choice: `# free: what leaves it open`.

Of a project only the properties that take no training are tried, with the limits of the project itself, and the classes
that stand before its answer are changed, too.
"""

import ast
import copy
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.task import Task, answer_source
from lmcourse.exercises.verdict import Judge

NOTED = Path(__file__).parent / "equivalent_mutants.txt"
_SECONDS = 0.5  # of processor time: a mutant of an ordinary answer that takes longer on a case does not pass
SHORT_S = 10.0  # of processor time: a property of a project that may take longer is about training

_OTHER_OPERATOR: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_OTHER_NAME = {
    **{"max": "min", "min": "max", "any": "all", "all": "any", "argmax": "argmin", "argmin": "argmax"},
    **{"zeros": "ones", "ones": "zeros", "sum": "mean", "mean": "sum", "exp": "expm1", "log": "log2", "log2": "log"},
    **{"triu": "tril", "tril": "triu", "sin": "cos", "cos": "sin", "floor": "ceil", "ceil": "floor"},
}


@dataclass(frozen=True)
class Mutant:
    """An answer with one change.

    Attributes:
        change: what was changed, in words that name it: "line 3: a < b -> a <= b"; in a class that stands before a
            project's answer "Block, line 3: ...".
        answer: the changed function or class.
        method: the function that it stands in; of a class its method.
    """

    change: str
    answer: Callable[..., Any]
    method: str = ""


def mutants(answer: Callable[..., Any], before: tuple[Callable[..., Any], ...] = ()) -> Iterator[Mutant]:
    """Yield every mutant of an answer, and of the classes before it; line numbers count from the first line of each."""
    parts = (*before, answer)
    for at, part in enumerate(parts):
        named = "" if part is answer else f"{part.__name__}, "
        for change, method, source in _changed_sources(answer_source(part)):
            space = dict(vars(sys.modules[answer.__module__]))
            for text in (source, *map(answer_source, parts[at + 1 :])):  # what stands behind the changed part uses it
                exec(compile(text, f"<mutant of {part.__name__}>", "exec"), space)
            yield Mutant(named + change, space[answer.__name__], method)


def _changed_sources(source: str) -> Iterator[tuple[str, str, str]]:
    """What was changed, the function or method that it stands in, and the source with the change."""
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    messages = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]  # inner ones come last
    method = {id(part): function.name for function in reversed(functions) for part in ast.walk(function)}
    for index, node in enumerate(ast.walk(tree)):
        if id(node) in messages:
            continue
        for number in range(len(list(_changes(copy.deepcopy(node))))):
            other = copy.deepcopy(tree)
            target = list(ast.walk(other))[index]
            before = _shown(target)
            list(_changes(target, only=number))
            if (dump := ast.dump(other)) in seen:
                continue
            seen.add(dump)
            change = f"line {getattr(node, 'lineno', 0)}: {before} -> {_shown(target)}"
            yield change, method.get(id(node), ""), ast.unparse(other)


def _changes(node: ast.AST, only: int | None = None) -> Iterator[int]:
    """Number the changes that a node allows; carry out the one asked for."""
    for number, change in enumerate(_ways(node)):
        if only == number:
            change()
        yield number


def _ways(node: ast.AST) -> list[Callable[[], None]]:
    def put(name: str, value: Any, at: int | None = None) -> Callable[[], None]:
        def change() -> None:
            if at is None:
                setattr(node, name, value)
            else:
                getattr(node, name)[at] = value

        return change

    match node:
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op):
            return [put("op", other()) for other in _OTHER_OPERATOR.get(type(op), ())]
        case ast.Compare(ops=ops):
            return [put("ops", other(), at) for at, op in enumerate(ops) for other in _OTHER_OPERATOR[type(op)]]
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            return [put("op", ast.UAdd())] if isinstance(node.op, ast.USub) else [put("operand", _negated(operand))]
        case ast.Constant(value=bool(value)):
            return [put("value", not value)]
        case ast.Constant(value=int(value)):
            return [put("value", value + 1), put("value", value - 1)]
        case ast.Constant(value=float(value)):
            return [put("value", value * 2 + 1)]
        case ast.Attribute(attr=name) if name in _OTHER_NAME:
            return [put("attr", _OTHER_NAME[name])]
        case ast.Name(id=name) if name in _OTHER_NAME:
            return [put("id", _OTHER_NAME[name])]
        case ast.If(test=test, body=[ast.Raise()]):
            return [put("test", ast.Constant(False)), *_parts_left_out(test, put)]
    return []


def _negated(operand: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), operand)


def _parts_left_out(test: ast.expr, put: Callable[..., Callable[[], None]]) -> list[Callable[[], None]]:
    """A check of several things, `if a or b: raise`, with one of them left out."""
    if not isinstance(test, ast.BoolOp):
        return []
    rest = [[part for at, part in enumerate(test.values) if at != left_out] for left_out in range(len(test.values))]
    return [put("test", parts[0] if len(parts) == 1 else ast.BoolOp(test.op, parts)) for parts in rest]


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}: raise"
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


def survivors(task: Task, trained_every: int = 0) -> list[str]:
    """Return the changes of all mutants that earn full marks on the cases of the public seed.

    Of a project where learning takes long: full marks for all else, and changes of `fit` are left out.

    Args:
        trained_every: try those that were left out instead, each of these many, by training.
    """
    long = {prop.name for prop in task.properties if prop.seconds > SHORT_S}
    task = replace(task, slips=(), seconds=task.seconds if task.properties else _SECONDS)  # nobody asks for a reason
    cases = [item for item in task.cases(PUBLIC_SEED) if (item.of in long) == bool(trained_every)]
    judges = [Judge(task, [item]) for item in cases]
    tried = [
        mutant
        for mutant in mutants(task.reference, task.before)
        if (bool(long) and mutant.method == "fit") == bool(trained_every)
    ]
    return [mutant.change for mutant in tried[:: trained_every or 1] if _passes(task, mutant, judges)]


def _passes(task: Task, mutant: Mutant, judges: list[Judge]) -> bool:
    """Whether all cases are right; after the first that is not, no more are tried."""
    return all(judge.verdict(run_in_time(task, mutant.answer, judge.cases)).passed for judge in judges)


def noted() -> dict[str, set[str]]:
    """Task -> the changes that mean the same as the answer."""
    found: dict[str, set[str]] = {}
    for line in NOTED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            task, _, change = line.partition(": ")
            found.setdefault(task, set()).add(change.partition("  # ")[0])
    return found
