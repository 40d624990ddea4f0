"""Good arguments for what `lmcourse.exercises` makes public."""

import numpy as np

from lmcourse import exercises
from tests.fuzz.examples import things
from tests.fuzz.examples.things import floats
from tests.fuzz.judge import Example

ANY_WORDS = "any words"
ANY_VALUE = "a value of any kind: the answer gets it"
FROM_AN_ANSWER = "whatever an answer gives is told apart, never refused"
POINTS = "any number of points"
A_CASE = (("label", "empty, other text", ANY_WORDS), ("[*]args", "*", ANY_VALUE), ("k", "*", ANY_VALUE))


def _right(numbers):
    return sum(numbers)


def _other(numbers):
    return sum(reversed(numbers))


class _Part:
    """A class that stands before the answer."""


def _cases(seed=0):
    return [exercises.case("the worked example", [1.0, 2.0]), exercises.border("no number", [])]


def _slip():
    return exercises.Slip("twice", ("sum(numbers)", "2 * sum(numbers)"), "It is twice as large.")


def _property():
    return exercises.Property("sums", 2, "It adds up.")


def _task(**changed):
    return {
        "reference": _right,
        "points": 2,
        "difficulty": 1,
        "minutes": 5,
        "cases": _cases,
        "slips": (_slip(),),
        "hints": ("Add up.",),
        "compare": exercises.Compare(),
        "call": lambda answer, *args, **kwargs: answer(*args, **kwargs),
        "judge": lambda item, evidence: None,
        "seconds": 5.0,
        "properties": (_property(),),
        "before": (_Part,),
        "libraries": ("json",),
        "name": "total",
        "chapter": "99_tests",
    } | changed


def _sums():
    return exercises.Task(**_task(properties=(), judge=None))


def _outcomes():
    return exercises.run_answer(_sums(), _other, _cases())


def _check(name, answer, seed):
    try:
        return exercises.check(name, answer, seed=seed)
    except exercises.CheckFailedError:
        return "it is not right"


def _softmax(scores, banned):
    return exercises.find_task("softmax").reference(scores, banned)


def _made(make):
    """Make a case of its label and its arguments."""

    def call(*args, label, **kwargs):
        return make(label, *args, **kwargs)

    return call


def _probe(*args, of, label, truth):
    return exercises.probe(of, label, *args, truth=truth)


def _progress():
    return exercises.Progress(things.folder() / "progress.json")


EXAMPLES = {
    "exercises.Case": Example(
        lambda: {"label": "one", "args": (1.0,), "kwargs": {"k": 1}, "border": True, "truth": 2.0, "of": "causal"},
        accepts=(
            ("label", "empty, other text", ANY_WORDS),
            ("args", "empty, item *", ANY_VALUE),
            ("kwargs", "empty, value *", ANY_VALUE),
            ("truth", "*", "what the task's own judge reads"),
            ("of", "empty, other text", "a property by its name, or none"),
        ),
    ),
    "exercises.Compare": Example(
        lambda: {"rtol": 1e-6, "atol": 1e-9, "dtype": True, "gradient": True, "inputs_unchanged": True, "new": True},
        accepts=(("?tol", "zero, tiny, huge", "from exactly equal to hardly alike"),),
    ),
    "exercises.Progress": Example(
        lambda: {"path": things.folder() / "progress.json"},
        accepts=(("path", "missing", "the file and its folders are made by the first attempt"),),
    ),
    "exercises.Progress.attempt": Example(
        lambda: (_progress().attempt, {"task": "softmax", "passed": True, "earned": 1.5}),
        accepts=(
            ("task", "empty, other text", "tasks of other versions of the course are kept"),
            ("earned", "zero, tiny, huge", POINTS),
        ),
    ),
    "exercises.Progress.next_hint": Example(
        lambda: (_progress().next_hint, {"task": "softmax", "n_hints": 3}),
        accepts=(
            ("task", "empty, other text", "tasks of other versions of the course are kept"),
            ("n_hints", "huge", "any number of hints"),
        ),
    ),
    "exercises.hints": Example(lambda: {"text": "- Add up."}),
    "exercises.mistakes": Example(
        lambda: {"text": "twice\n    a => 2 * a\n  Too large.\nthrice\n  Too large.", "thrice": _right},
        accepts=(("thrice", "returns None", "a wrong answer"),),
        parts=("functions", "change"),
    ),
    "exercises.properties": Example(lambda: {"text": "sums, 2: It adds up."}),
    "exercises.Property": Example(
        lambda: {"name": "causal", "points": 2, "says": "It looks back.", "seconds": 5.0, "needs": "learns"},
        accepts=(
            ("name", "other text", ANY_WORDS),
            ("says", "other text", ANY_WORDS),
            ("needs", "empty, other text", "a property by its name, or none"),
            ("points", "huge", POINTS),
            ("seconds", "tiny", "no time is left for it"),
        ),
    ),
    "exercises.Slip": Example(
        lambda: {
            "name": "twice",
            "change": ("a", "b"),
            "reason": "It is so.",
            "loses": ("sums",),
            "says": "the sum of the numbers",
            "as_on_page": False,
            "reference": (_right,),
        },
        accepts=(
            ("name", "other text", ANY_WORDS),
            ("reason", "other text", ANY_WORDS),
            ("says", "empty, other text", "a clause of the statement, or none"),
            ("change", "item empty, item other text", "looked for in the answer when it is patched"),
            ("loses", "empty, item empty, item other text", "properties by their names, or none"),
            ("reference", "empty", "its task fills it in"),
            ("reference", "item returns None", FROM_AN_ANSWER),
        ),
    ),
    "exercises.Task": Example(
        lambda: _task(),
        accepts=(
            ("reference", "returns None", FROM_AN_ANSWER),
            ("call", "returns None", FROM_AN_ANSWER),
            ("judge", "returns None", "nothing is wrong"),
            ("cases", "returns None", "asked for when an answer is judged, and refused then"),
            ("minutes", "huge", "any time"),
            ("seconds", "tiny", "no time is left for it"),
            ("slips", "empty", "tests hold the course's tasks to five"),
            ("properties", "empty", "no project"),
            ("before", "empty", "nothing stands before it"),
            ("libraries", "empty, item empty, item other text", "loaded where answers run, and missed there"),
            ("hints", "item empty, item other text", ANY_WORDS),
            ("[nc]*", "empty, other text", "any Python name, any chapter; by default the reference's"),
        ),
    ),
    "exercises.all_tasks": Example(
        lambda: {"chapter": "01_ngrams"}, accepts=(("chapter", "empty, other text", "a chapter without tasks"),)
    ),
    "exercises.border": Example(
        lambda: (_made(exercises.border), {"label": "one", "*args": [1.0], "k": 3}), accepts=A_CASE
    ),
    "exercises.case": Example(
        lambda: (_made(exercises.case), {"label": "one", "*args": [1.0], "k": 3}), accepts=A_CASE
    ),
    "exercises.check": Example(
        lambda: (_check, {"name": "softmax", "answer": _softmax, "seed": 3}), accepts=(("answer", "*", FROM_AN_ANSWER),)
    ),
    "exercises.difference": Example(
        lambda: (
            {"expected": {"mean": np.ones(2)}, "actual": {"mean": np.ones(2)}, "compare": exercises.Compare()}
            | {"where": "the result"}
        ),
        accepts=(
            ("expected", "kind: None, kind: int, kind: str, empty", "a plain value"),
            ("expected", "value kind: int, value kind: str, value one *, value dtype", "a plain value"),
            ("actual", "*", FROM_AN_ANSWER),
            ("where", "empty, other text", ANY_WORDS),
        ),
        frees=tuple(
            ("actual", fault, "it differs before the values are looked at")
            for fault in ("kind: None", "kind: int", "kind: str", "empty")
        ),
    ),
    "exercises.evidence_is": Example(
        lambda: {"kind": dict, "evidence": {"loss": 1.0}},
        accepts=(("evidence", "empty, value *", "a dict of any content"),),
    ),
    "exercises.find_task": Example(lambda: {"name": "softmax"}),
    "exercises.hint": Example(lambda: {"name": "softmax"}),
    "exercises.judge": Example(lambda: {"task": _sums(), "cases": _cases(), "outcomes": _outcomes()}),
    "exercises.probe": Example(
        lambda: (_probe, {"of": "causal", "label": "one", "*args": [1.0], "truth": 2.0}),
        accepts=(*A_CASE, ("of", "other text", "a property by its name"), ("truth", "*", "what a judge reads")),
    ),
    "exercises.run_answer": Example(
        lambda: {"task": _sums(), "answer": _other, "cases": _cases(), "fresh": lambda item: (item.args, item.kwargs)},
        accepts=(("cases", "empty", "no call"), ("answer", "returns None", FROM_AN_ANSWER)),
        frees=(("cases", "empty", "`fresh` is not called"),),
    ),
    "exercises.tensors.plain_tensor": Example(
        lambda: {"value": floats(2, 3)}, accepts=(("value", "*", "a tensor of any kind"),)
    ),
}
