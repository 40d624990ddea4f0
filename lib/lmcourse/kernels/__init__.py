"""Fast twins of what `lmcourse.layers` says plainly, and the switch between the two."""

from lmcourse.kernels.switch import enabled, plain

__all__ = ["enabled", "plain"]
