"""The one training loop, its losses, schedules and metrics, and the ladder of all models."""

from lmcourse.training.ladder import Ladder, Rung
from lmcourse.training.metrics import bits_per_byte

__all__ = ["Ladder", "Rung", "bits_per_byte"]
