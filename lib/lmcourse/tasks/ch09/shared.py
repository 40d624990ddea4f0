"""What several exercises of chapter 09 share: drawing cases, and what counts as the same result."""

from collections.abc import Sequence

from lmcourse.exercises import Compare

Row = Sequence[int]


CLOSE = Compare(rtol=1e-5, atol=1e-7, gradient=True)
