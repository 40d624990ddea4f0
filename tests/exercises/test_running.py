"""How an answer is called."""

import sys
from collections.abc import Callable

from lmcourse.exercises import Outcome, Task, find_task
from lmcourse.exercises.running import run_answer


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
