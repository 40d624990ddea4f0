"""Exercise `held_out_split`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def held_out_split(lessons, tasks, wordings):
    """Return the lessons in three parts.

    Args:
        lessons: (task, wording, text) triples.
        tasks: those that are held out.
        wordings: those that are held out.

    Returns:
        A dict of lists of lessons with the keys "train", "wording" and "task".

    >>> lessons = [("sum", "what is", "a"), ("sum", "tell me", "b"), ("home", "what is", "c")]
    >>> {part: [text for *_, text in found] for part, found in held_out_split(lessons, ["home"], ["tell me"]).items()}
    {'train': ['a'], 'wording': ['b'], 'task': ['c']}
    """
    rest = [lesson for lesson in lessons if lesson[0] not in tasks]
    train = [lesson for lesson in rest if lesson[1] not in wordings]
    taught = {lesson[0] for lesson in train}
    wording = [lesson for lesson in rest if lesson[1] in wordings and lesson[0] in taught]
    return {"train": train, "wording": wording, "task": [lesson for lesson in lessons if lesson[0] in tasks]}


Lessons = list[tuple[str, str, str]]


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    pool = [(f"task {int(rng.integers(5))}", f"wording {int(rng.integers(3))}", f"text {n}") for n in range(31)]
    few = [("sum", "what is", "a"), ("sum", "tell me", "b"), ("home", "what is", "c"), ("home", "tell me", "d")]
    return [
        case("the worked example", few, ["home"], ["tell me"]),
        case("31 lessons", pool, ["task 1"], ["wording 2"]),
        case("two tasks and two wordings", pool, ["task 0", "task 3"], ["wording 0", "wording 1"]),
        border("no task is held out", pool, [], ["wording 1"]),
        border("no wording is held out", pool, ["task 4"], []),
        case("a task that only the held-out wording asks for", [*few, ("kind", "tell me", "e")], ["home"], ["tell me"]),
        case("the same lesson twice", [few[0], few[0], few[2]], ["home"], []),
        border("an empty list of lessons", [], ["home"], ["tell me"]),
        border("every wording is held out: nothing to learn from", few, ["home"], ["what is", "tell me"]),
    ]


def _split_wrong(lessons: Lessons, tasks: list[str], wordings: list[str], *, how: str) -> dict[str, Lessons]:
    parts: dict[str, Lessons] = {"train": [], "wording": [], "task": []}
    for number, lesson in enumerate(lessons):
        task, wording, _ = lesson
        part = "task" if task in tasks else "wording" if wording in wordings else "train"
        if how == "wording_first":
            part = "wording" if wording in wordings else "task" if task in tasks else "train"
        if how == "both_only":
            part = "task" if task in tasks and wording in wordings else "wording" if wording in wordings else "train"
        if how == "by_place":
            part = ("train", "train", "wording", "task")[number % 4]
        parts[part].append(lesson)
    trained = {lesson[0] for lesson in parts["train"]}
    if how != "unknown_tasks":
        parts["wording"] = [lesson for lesson in parts["wording"] if lesson[0] in trained]
    if how == "leaks":
        parts["train"] = parts["train"] + parts["wording"]
    if how == "without_doubles":
        parts = {name: list(dict.fromkeys(found)) for name, found in parts.items()}
    return parts


def _split_by_lists(lessons: Lessons, tasks: list[str], wordings: list[str]) -> dict[str, Lessons]:
    train = [(t, w, x) for t, w, x in lessons if t not in tasks and w not in wordings]
    learned = [t for t, _, _ in train]
    return {
        "train": train,
        "wording": [(t, w, x) for t, w, x in lessons if w in wordings and t not in tasks and t in learned],
        "task": [(t, w, x) for t, w, x in lessons if t in tasks],
    }


def _split_by_filter(lessons: Lessons, tasks: list[str], wordings: list[str]) -> dict[str, Lessons]:
    rest = list(filter(lambda lesson: lesson[0] not in set(tasks), lessons))
    train = list(filter(lambda lesson: lesson[1] not in set(wordings), rest))
    known = {task for task, *_ in train}
    others = [lesson for lesson in rest if lesson[1] in wordings and lesson[0] in known]
    return {"train": train, "wording": others, "task": [lesson for lesson in lessons if lesson[0] in set(tasks)]}


task = Task(
    held_out_split,
    points=2,
    difficulty=2,
    minutes=20,
    cases=cases,
    slips=(
        Slip(
            "leaks",
            partial(_split_wrong, how="leaks"),
            "The held-out wordings are among the lessons to learn from, so the test is no test.",
        ),
        Slip(
            "wording_first",
            partial(_split_wrong, how="wording_first"),
            "A held-out task in a held-out wording belongs to the part task: the wording is tested on tasks that are "
            "known.",
        ),
        Slip(
            "both_only",
            partial(_split_wrong, how="both_only"),
            "A held-out task in an ordinary wording was put among the lessons. A task is held out in every wording.",
        ),
        Slip(
            "by_place",
            partial(_split_wrong, how="by_place"),
            "The lessons were dealt out by their place, as in an ordinary split, so all tasks and wordings are "
            "everywhere.",
        ),
        Slip(
            "unknown_tasks",
            partial(_split_wrong, how="unknown_tasks"),
            "The part wording holds a task that no lesson teaches: it would test two things at once. Keep the "
            "tasks that "
            "train has.",
        ),
        Slip(
            "without_doubles",
            partial(_split_wrong, how="without_doubles"),
            "Lessons that come twice were made one. Only sort them, change nothing.",
        ),
    ),
    alternatives=(_split_by_lists, _split_by_filter),
    hints=(
        "For each lesson ask about its task first, then about its wording.",
        "Three lists. A lesson of a held-out task goes to task; else one in a held-out wording to wording; else "
        "to train.",
        "After that keep of the part wording only the lessons whose task is among those of train: {t for t, _, _ "
        "in train}.",
    ),
)
