"""The list of the exercises: it says what the exercises say, though none of them is run."""

from pathlib import Path

import pytest

from lmcourse import contents
from lmcourse.exercises import all_tasks

ONE = 'HINTS = hints("""\n- one\n""")\n'


def test_it_says_of_each_exercise_what_the_exercise_says() -> None:
    told = [(item.name, item.chapter, item.points, item.hints) for item in contents.contents().values()]
    assert told == [(task.name, task.chapter, task.points, task.hints) for task in all_tasks()]


def exercise(path: Path, text: str) -> contents.Entry:
    path.write_text(f"import torch\n\n\ndef mean(x):\n    ...\n\n\n{text}", encoding="utf-8")
    return contents._entry(path, "01_ngrams", "lmcourse.tasks.ch01.mean")


def test_an_exercise_is_named_as_its_answer_unless_it_says_otherwise(tmp_path: Path) -> None:
    helps = 'HINTS = hints("""\n- one\n- two\n  more\n""")\n'
    said = "points=2, cases=cases, hints=HINTS)\n"
    assert exercise(tmp_path / "a.py", f"{helps}task = Task(mean, {said}") == contents.Entry(
        "mean", "01_ngrams", "lmcourse.tasks.ch01.mean", 2, ("one", "two more")
    )
    assert exercise(tmp_path / "a.py", f"{helps}task = Task(\n    mean,\n    name='other',\n    {said}").name == "other"


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"{ONE}task = make(mean)\n",
        "task = Task(mean, points=1, hints=HINTS)\n",
        f"{ONE}{ONE}task = Task(mean, points=1, hints=HINTS)\n",
        f"{ONE}task = Task(mean, hints=HINTS)\n",
        f"{ONE}task = Task(points=1, hints=HINTS)\n",
        'HINTS = hints("""\none\n""")\ntask = Task(mean, points=1, hints=HINTS)\n',
    ],
)
def test_an_exercise_that_does_not_say_it_plainly_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"a\.py must hold one `HINTS = hints\("):
        exercise(tmp_path / "a.py", text)


def test_two_exercises_of_one_name_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    same = contents.Entry("softmax", "00_start_here", "lmcourse.tasks.ch00.softmax", 1, ("one",))
    monkeypatch.setattr(contents, "_entry", lambda *_: same)
    with pytest.raises(ValueError, match=r"two tasks are named softmax: in 00_start_here and 00_start_here"):
        contents.contents.__wrapped__()
