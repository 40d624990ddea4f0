"""`kind_of_difference`: one sentence that holds for all wrong results."""

from typing import Any

import numpy as np
import pytest
import torch

from lmcourse.exercises import Compare
from lmcourse.exercises.kinds import kind_of_difference

PAIRS = {
    "Every number has the wrong sign.": [(2.0, -2.0), (-3.0, 3.0)],
    "Every number is 2 times too large.": [(2.0, 4.0), (-3.0, -6.0)],
    "It is the square root of the right result.": [(4.0, 2.0), (9.0, 3.0)],
    "It is the square of the right result.": [(2.0, 4.0), (-3.0, 9.0)],
    "It is one minus the right result.": [(0.25, 0.75), (0.5, 0.5)],
    "The numbers are right, but the last two axes are exchanged.": [
        (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3).T)
    ],
    "It is the logarithm of the right result.": [(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0]).log())],
    "The values are right, but their element type is not the one that is asked for.": [
        (torch.tensor([True, False]), torch.tensor([1, 0])),
    ],
    "The numbers are right, but rounded to 1 digit.": [(0.12, 0.1), (0.77, 0.8)],
    "": [(-4.0, 2.0), (-9.0, 3.5)],
}


@pytest.mark.parametrize(("sentence", "pairs"), PAIRS.items())
def test_a_kind_is_named_if_it_holds_for_all_pairs(sentence: str, pairs: list[tuple[Any, Any]]) -> None:
    assert kind_of_difference(pairs, Compare()) == sentence
