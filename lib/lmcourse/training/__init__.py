"""The one training loop, its losses, schedules and metrics, recorded runs, and the ladder of all models."""

from lmcourse.training.batches import example_batches, token_batches
from lmcourse.training.checkpoints import CheckpointError, load_checkpoint, read_recipe, save_checkpoint
from lmcourse.training.ladder import Ladder, Rung
from lmcourse.training.loop import History, adamw, fit
from lmcourse.training.losses import label_smoothed_kl
from lmcourse.training.metrics import bits_per_byte
from lmcourse.training.recorded import load_recorded, recorded_seconds
from lmcourse.training.schedules import cosine_schedule, linear_schedule, noam_schedule

__all__ = [
    "CheckpointError",
    "History",
    "Ladder",
    "Rung",
    "adamw",
    "bits_per_byte",
    "cosine_schedule",
    "example_batches",
    "fit",
    "label_smoothed_kl",
    "linear_schedule",
    "load_checkpoint",
    "load_recorded",
    "noam_schedule",
    "read_recipe",
    "recorded_seconds",
    "save_checkpoint",
    "token_batches",
]
