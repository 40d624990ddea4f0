"""Files of answers (`assay/outside.py`) are read, and what cannot be read is named; test_exercises.py judges them."""

import re
from pathlib import Path

import pytest

from assay import outside

SOFTMAX = "### softmax: right: by hand\ndef softmax(x):\n    return x\n"


def test_answers_are_read_as_they_stand(tmp_path: Path) -> None:
    file = tmp_path / "00.txt"
    file.write_text(f"{SOFTMAX}\n### softmax: open: of ones: 1.0\nimport heapq\n\nsoftmax = heapq.merge\n")
    right, left_open = outside.read(file)
    assert (right.task, right.right, right.why) == ("softmax", True, "by hand")
    assert right.source == "def softmax(x):\n    return x\n"
    assert right.function()(3) == 3
    assert (left_open.right, left_open.why, left_open.source[:12]) == (None, "of ones: 1.0", "import heapq")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("### softmax: correct: by hand\n", "line 4: a heading must be `### task: right, wrong or open: why`, got"),
        ("### softmax: wrong:\n", "line 4: a heading must be"),
        (
            "### lookup: wrong: another name\ndef look(): ...\n",
            "line 4: the code below must define `lookup`, got 'def lo",
        ),
    ],
)
def test_what_cannot_be_read_is_named(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "00.txt"
    file.write_text(SOFTMAX + text)
    with pytest.raises(outside.AnswersError, match=re.escape(f"00.txt, {says}")):
        outside.read(file)
    file.write_text(f"x = 1\n{SOFTMAX}")
    with pytest.raises(outside.AnswersError, match="line 1: a file must begin with a heading"):
        outside.read(file)
