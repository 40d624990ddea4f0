"""The record of a training: one number of each kind for every step."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from lmcourse import checks


@dataclass
class History:
    """What a training did. The lists have one entry per step: that of step s is at index s - 1.

    Attributes:
        loss: the loss of each step's batch, before that step's update.
        lr: the learning rate of the first parameter group.
        grad_norm: the norm of the whole gradient before clipping.
        validation: (step, value) pairs.
        resumed_from: the step of the checkpoint from which the last call of `fit` resumed; 0 if there was none.
    """

    loss: list[float] = field(default_factory=list)
    lr: list[float] = field(default_factory=list)
    grad_norm: list[float] = field(default_factory=list)
    validation: list[tuple[int, float]] = field(default_factory=list)
    resumed_from: int = 0

    def __len__(self) -> int:
        return len(self.loss)

    def smoothed(self, window: int = 50) -> list[float]:
        """Return the mean loss of the last `window` steps, at every step (of fewer, near the start).

        Raises:
            TypeError, ValueError: `window` is not an integer of at least 1.
        """
        checks.whole(window=window, at_least=1)
        sums = np.concatenate([[0.0], np.cumsum(self.loss)])
        ends = np.arange(1, len(self.loss) + 1)
        starts = np.maximum(ends - window, 0)
        return ((sums[ends] - sums[starts]) / (ends - starts)).tolist()

    def to_dict(self) -> dict[str, Any]:
        """Return the history as plain lists, for JSON."""
        return asdict(self)

    def _record(self, loss: float, lr: float, grad_norm: float) -> None:
        """Add a step."""
        self.grad_norm.append(grad_norm)
        self.lr.append(lr)
        self.loss.append(loss)  # last: its length is the number of steps

    def _drop_incomplete(self) -> None:
        """Remove what an interrupted `_record` has left behind: part of a step."""
        del self.grad_norm[len(self) :], self.lr[len(self) :]
