"""Sentences of programs: each rule of cleaning on sentences of our own, and no near-duplicate across splits."""

import pytest

from lmcourse import data
from lmcourse.data.interface import NearDuplicates, clean_pairs, split_pairs, tidy

GOOD = ("The light is on.", "Das Licht ist an.")


def test_tidy():
    assert tidy(" It’s\u00a0the  “light”\n") == 'It\'s the "light"'
    assert tidy("Ge\u0301ne\u0301ral") == "Général"


@pytest.mark.parametrize(
    "pair",
    [
        ("Light is on.", "Das Licht ist an."),  # three words
        ("Turn on {name} now please", "Schalte {name} jetzt ein"),
        ("Turn on %s now please", "Schalte bitte %s ein"),
        ("See <b>the light</b> go on", "Sieh das Licht angehen"),
        ("Turn on the light number 2", "Schalte Licht Nummer zwei ein"),
        ("Look at example.org/light for it", "Schau dort nach dem Licht"),
        ("Home Assistant is a name", "Home Assistant is a name"),
        ("Home Assistant Is A Name", "home assistant is a name"),
        ("The light in the living room is on and stays on.", "Licht an."),
        ("The light is on.", "Ja"),
        (" ".join(["word"] * 21), " ".join(["Wort"] * 21)),
    ],
)
def test_what_is_left_out(pair):
    assert clean_pairs([pair, GOOD]) == [GOOD]


def test_the_translation_most_used_is_kept_and_each_side_once():
    raw = [("The light is on.", "Licht ist jetzt an."), GOOD, GOOD]
    assert clean_pairs(raw) == [GOOD]
    tie = [("The light is on.", "Licht ist nun an."), ("The light is on.", "Das Licht ist an.")]
    assert clean_pairs(tie) == [GOOD]
    same_target = [("The lamp is on.", "Das Licht ist an."), GOOD]
    assert clean_pairs(same_target) == [("The lamp is on.", "Das Licht ist an.")]


def test_near_duplicates_by_hand():
    near = NearDuplicates([("Failed to connect to the device", "Verbindung zum Gerät fehlgeschlagen")])
    # <>failed, failed to, to connect, connect to, to the, the device, device<>: 7 pairs; 5 shared of 9 in all
    assert ("Failed to connect to the server", "Ganz anders gesagt") in near
    assert ("FAILED, to connect to the device!", "Ganz anders gesagt") in near
    assert ("Something else is wrong", "Verbindung zum Gerät fehlgeschlagen!") in near
    # <>failed, failed to are shared, the other five of each are not: 2 of 12
    assert ("Failed to read all of it", "Ganz anders gesagt") not in near
    assert ("Something else", "Ganz anders gesagt") not in NearDuplicates([])


def test_near_duplicates_of_held_out_pairs_leave_the_training_part():
    verbs = ["open", "close", "read", "write", "start", "stop", "move", "copy", "send", "load", "save", "check"]
    verbs += ["find", "hide", "show", "lock"]
    pairs = [(f"Please {verb} the small red door", f"{verb} Tür {verb} bitte {verb}") for verb in verbs]
    parts = split_pairs(pairs)
    assert parts["test"]
    assert not parts["train"]  # each English sentence shares 5 of its 7 pairs with every other


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_no_near_duplicate_across_the_splits(language):
    name = f"interface-en-{language}"
    if not data.corpus(name).here:
        pytest.skip(f"{name} is not here")
    train, valid, test = (data.load_pairs(name, split=split) for split in ("train", "valid", "test"))
    near_test, near_valid = NearDuplicates(test), NearDuplicates(valid)
    assert not [pair for pair in [*train, *valid] if pair in near_test]
    assert not [pair for pair in train if pair in near_valid]
    assert all(4 <= len(source.split()) <= 20 for source, _ in train)
