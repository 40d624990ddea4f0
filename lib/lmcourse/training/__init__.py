"""The one training loop, its losses, schedules and metrics, recorded runs, and the ladder of all models."""

from lmcourse.training.ladder import Ladder, Rung
from lmcourse.training.metrics import bits_per_byte
from lmcourse.training.recorded import load_recorded, recorded_seconds

__all__ = ["Ladder", "Rung", "bits_per_byte", "load_recorded", "recorded_seconds"]
