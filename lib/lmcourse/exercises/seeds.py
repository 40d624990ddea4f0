"""Which cases of an exercise depend on the seed."""

import functools
from collections.abc import Callable

from lmcourse.exercises.task import Case

Cases = Callable[[int], list[Case]]
_SEED = 26  # of all cases that do not depend on the seed they are asked for


def drawn(n_cases: int) -> Callable[[Cases], Cases]:
    """Let only the first `n_cases` cases of a task depend on the seed; the others are the same for every seed.

    What tells a known mistake from the right answer must not depend on luck.
    """

    def decorate(cases: Cases) -> Cases:
        @functools.wraps(cases)
        def some_fixed(seed: int) -> list[Case]:
            return [*cases(seed)[:n_cases], *cases(_SEED)[n_cases:]]

        return some_fixed

    return decorate
