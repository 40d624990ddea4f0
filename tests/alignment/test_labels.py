"""Choices are kept whole, one goes on later, and the widget asks what is not yet judged."""

import json

import pytest

from lmcourse import atomic
from lmcourse.alignment.labels import LabelFile, label_widget

QUESTIONS = [
    ("film brief :", "good .", "bad ."),
    ("film full :", "fine .", "<b>dull</b> ."),
    ("trip brief :", "x .", "y ."),
]


def press(box, name):
    """Press "a", "b", "neither" or "undo"."""
    _, a, b, row, _ = box.children
    {"a": a, "b": b, "neither": row.children[0], "undo": row.children[1]}[name].click()


def test_choices_are_on_disk_after_each_click_and_one_goes_on(tmp_path):
    path, told = tmp_path / "mine.json", []
    box = label_widget(QUESTIONS, LabelFile(path), on_choice=told.append)
    assert not path.exists()
    assert "film brief :" in box.children[0].value
    press(box, "b")
    assert [row["preferred"] for row in json.loads(path.read_text())] == ["b"]
    assert told[0].preferred == "b"
    again = label_widget(QUESTIONS, LabelFile(path))  # the page is opened again
    assert "film full :" in again.children[0].value
    assert again.children[2].description == "<b>dull</b> ."
    assert "1 of 3 judged" in again.children[4].value
    press(again, "a")
    press(again, "neither")
    assert "All are judged" in again.children[0].value
    press(again, "a")  # nothing is asked any more
    labels = LabelFile(path)
    assert len(labels) == 3
    assert labels.comparisons() == [("film brief :", "bad .", "good ."), ("film full :", "fine .", "<b>dull</b> .")]


def test_undo(tmp_path):
    labels = LabelFile(tmp_path / "mine.json")
    box = label_widget(QUESTIONS, labels)
    assert box.children[3].children[1].disabled
    press(box, "a")
    press(box, "undo")
    assert len(labels) == 0
    assert len(LabelFile(labels.path)) == 0
    assert "film brief :" in box.children[0].value
    assert labels.undo() is None


def test_a_second_choice_takes_the_place_of_the_first(tmp_path):
    labels = LabelFile(tmp_path / "mine.json")
    labels.add("p", "a", "b", "a")
    labels.add("p", "a", "b", "b")
    assert labels.comparisons() == [("p", "b", "a")]


def test_what_cannot_be_written_does_not_count(tmp_path, monkeypatch):
    labels = LabelFile(tmp_path / "mine.json")
    box = label_widget(QUESTIONS, labels)
    press(box, "a")
    kept = labels.path.read_bytes()

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "write", full)
    press(box, "b")
    assert len(labels) == 1
    assert labels.path.read_bytes() == kept
    assert "not kept: No space left" in box.children[4].value


@pytest.mark.parametrize(
    "content", ["{", "[3]", '[{"prompt": "p"}]', '[{"prompt":"p","a":"a","b":"b","preferred":"c"}]']
)
def test_a_foreign_file_is_refused_and_left(tmp_path, content):
    path = tmp_path / "mine.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"mine.json must be a file of choices"):
        LabelFile(path)
    assert path.read_text() == content


def test_bad_input(tmp_path):
    with pytest.raises(ValueError, match="`preferred` must be one of 'a', 'b', 'neither', got preferred='c'"):
        LabelFile(tmp_path / "x").add("p", "a", "b", "c")
    with pytest.raises(ValueError, match="at least one"):
        label_widget([], LabelFile(tmp_path / "x"))
