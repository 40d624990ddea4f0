import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


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
    parts = [("sum", "what", "a"), ("summary", "what", "b"), ("sum up", "what is", "c"), ("sum", "what is", "d")]
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
        case("names that are parts of others", parts, ["sum"], ["what"]),
        border("the same lesson twice in each part", [*few[1::-1] * 2, few[2], few[2]], ["home"], ["tell me"]),
        border("a held-out task and a held-out wording that no lesson has", few, ["kind"], ["please"]),
        border("every task is held out", few, ["sum", "home"], ["tell me"]),
        border("nothing is held out", few, [], []),
        border("one lesson, in a held-out wording", [few[1]], [], ["tell me"]),
    ]


SLIPS = mistakes("""
leaks: "Return the lessons in three parts"
    "train": train => "train": train + wording
  The held-out wordings are among the lessons to learn from, so the test is no test.
wording_first
    if lesson[0] in tasks]} => if lesson[0] in tasks and lesson[1] not in wordings]}
  A held-out task in a held-out wording belongs to the part task: the wording is tested on tasks that are known.
unknown_tasks
    and lesson[0] in taught =>
  The part wording holds a task that no lesson teaches: it would test two things at once. Keep the tasks that train has.
without_doubles
    rest = => lessons = list(dict.fromkeys(lessons))
    |    rest =
  Lessons that come twice were made one. Only sort them, change nothing.
unknown_to_train
    return { => train = [lesson for lesson in rest if lesson[1] not in wordings or lesson[0] not in taught]
    |    return {
  A lesson in a held-out wording whose task has no other wording went to train. It is left out, or that wording would no
  longer be held out.
sorted: "A dict of lists of lessons with the keys "train", "wording" and "task""
    "train": train => "train": sorted(train)
  The lessons were sorted. Each part keeps them in the old order.
parts_of_names: "(task, wording, text) triples"
    lesson[0] not in tasks => not any(task in lesson[0] for task in tasks)
    if lesson[0] in tasks]} => if any(task in lesson[0] for task in tasks)]}
  A task was held out because its name holds the name of another one. Compare whole names: lesson[0] in tasks.
sets: "A dict of lists of lessons with the keys "train", "wording" and "task""
    return { => train, wording, lessons = (sorted(set(part)) for part in (train, wording, lessons))
    |    return {
  The lessons went through a set, which loses their order, and those that come twice. Each part keeps the old order.
""")
HINTS = hints("""
- For each lesson ask about its task first, then about its wording.
- Three lists. A lesson of a held-out task goes to task; else one in a held-out wording to wording; else to train.
- After that keep of the part wording only the lessons whose task is among those of train: {t for t, _, _ in train}.
""")
task = Task(held_out_split, points=2, difficulty=2, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
