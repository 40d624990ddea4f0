"""The treasure hunt asks what it says, can be learned, and its recorded run is whole."""

from pathlib import Path

import torch

from experiments import treasure_hunt as hunt
from lmcourse.training import load_recorded

RECORDED = Path(__file__).parents[2] / "chapters" / "recorded"


def test_answers_follow_the_notes_and_the_notes_make_one_circle():
    ids, answers, two = hunt.puzzles(7, torch.Generator().manual_seed(0))
    assert ids.shape == (7, 2 * hunt.BOXES, 2)
    for sheet, right, is_two in zip(ids.tolist(), answers.tolist(), two.tolist(), strict=True):
        says = dict(sheet[: hunt.BOXES])
        box, visited = 0, set()
        while box not in visited:
            visited.add(box)
            box = says[box]
        assert visited == set(range(hunt.BOXES))
        for (start, kind), answer, twice in zip(sheet[hunt.BOXES :], right, is_two, strict=True):
            assert kind == hunt.BOXES + twice
            assert answer == (says[says[start]] if twice else says[start])


def test_the_recorded_run_has_every_reader_and_a_picture_of_the_right_answer():
    picture, *runs = load_recorded("treasure-hunt", RECORDED)["rows"]
    assert {(run["who"], run["seed"]) for run in runs} == {(who, seed) for who in hunt.READERS for seed in (0, 1, 2)}
    weights = torch.tensor(picture["weights"])
    assert weights.shape == (2, hunt.HEADS, 2 * hunt.BOXES, 2 * hunt.BOXES)
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:-1]), atol=2e-3, rtol=0)
