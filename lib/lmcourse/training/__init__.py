"""The one training loop, its losses, schedules and metrics, recorded runs, and the ladder of all models."""

from lmcourse.training.checkpoints import CheckpointError
from lmcourse.training.ladder import Ladder, Rung
from lmcourse.training.loop import History, fit
from lmcourse.training.losses import label_smoothed_kl
from lmcourse.training.metrics import bits_per_byte
from lmcourse.training.recorded import load_recorded, recorded_seconds
from lmcourse.training.schedules import cosine_schedule, linear_schedule, noam_schedule

__all__ = [
    "CheckpointError",
    "History",
    "Ladder",
    "Rung",
    "bits_per_byte",
    "cosine_schedule",
    "fit",
    "label_smoothed_kl",
    "linear_schedule",
    "load_recorded",
    "noam_schedule",
    "recorded_seconds",
]
