"""How an answer is called."""

# ruff: noqa: NPY002 - NumPy's global state is what is tested
import sys
from collections.abc import Callable

import numpy as np
import pytest

from lmcourse.exercises import Outcome, Task, find_task
from lmcourse.exercises.running import run_answer, settings_kept


def test_an_answer_may_go_as_deep_wherever_it_is_called_from() -> None:
    """JupyterLab's kernels allow 3,000 calls within calls and the sandbox 1,000: one rule for both."""

    task: Task = find_task("softmax")
    item = task.cases(0)[:1]

    def nested(answer: Callable[[int], int], above: int, depth: int) -> Outcome:
        if above:
            return nested(answer, above - 1, depth)
        return run_answer(task, lambda *_, **__: answer(depth), item)[0]

    def down(depth: int) -> int:
        return depth and down(depth - 1)

    before = sys.getrecursionlimit()
    for limit in (1000, 3000):
        sys.setrecursionlimit(limit)
        try:
            for above in (0, 400):
                assert nested(down, above, 900).error == ""
                assert nested(down, above, 1100).error == "RecursionError"
        finally:
            sys.setrecursionlimit(before)


@pytest.mark.parametrize("drawn_before", [0, 1, 2])
@pytest.mark.parametrize(
    "draw",
    [
        lambda: None,
        np.random.normal,
        np.random.random,
        lambda: np.random.normal(size=2),
        lambda: np.random.seed(1),
        lambda: np.random.set_bit_generator(np.random.MT19937(3)),
    ],
)
def test_numpys_seeds_are_put_back_also_where_half_a_pair_of_normal_numbers_waits(drawn_before, draw) -> None:
    own = np.random.get_bit_generator()
    try:
        for _ in range(3):  # the second time, the state is known
            np.random.seed(7)
            wanted = np.random.normal(size=drawn_before + 5)[drawn_before:]
            np.random.seed(7)
            np.random.normal(size=drawn_before)
            with settings_kept():
                draw()
            assert np.random.normal(size=5).tolist() == wanted.tolist()
            np.random.set_bit_generator(own)
    finally:
        np.random.set_bit_generator(own)
