"""The one training loop, its losses, schedules and metrics, recorded runs, and the ladder of all models."""

from lmcourse.training.batches import example_batches, token_batches
from lmcourse.training.checkpoints import CheckpointError, load_checkpoint, read_recipe, save_checkpoint
from lmcourse.training.distributed import process_group
from lmcourse.training.history import History
from lmcourse.training.ladder import Ladder, Rung
from lmcourse.training.loop import autocast, fit
from lmcourse.training.losses import label_smoothed_kl
from lmcourse.training.masked import masked_batches
from lmcourse.training.metrics import bits_per_byte, bleu, chrf, exact_match
from lmcourse.training.optimizers import CombinedOptimizer, adamw, muon
from lmcourse.training.pairs import encode_pairs, pad, pair_batches
from lmcourse.training.recorded import load_recorded, recorded_seconds
from lmcourse.training.schedules import cosine_schedule, linear_schedule, noam_schedule, teacher_forcing_ratio
from lmcourse.training.teacher_forcing import ScheduledSampling, scheduled_sampling_logits, teacher_forcing

__all__ = [
    "CheckpointError",
    "CombinedOptimizer",
    "History",
    "Ladder",
    "Rung",
    "ScheduledSampling",
    "adamw",
    "autocast",
    "bits_per_byte",
    "bleu",
    "chrf",
    "cosine_schedule",
    "encode_pairs",
    "exact_match",
    "example_batches",
    "fit",
    "label_smoothed_kl",
    "linear_schedule",
    "load_checkpoint",
    "load_recorded",
    "masked_batches",
    "muon",
    "noam_schedule",
    "pad",
    "pair_batches",
    "process_group",
    "read_recipe",
    "recorded_seconds",
    "save_checkpoint",
    "scheduled_sampling_logits",
    "teacher_forcing",
    "teacher_forcing_ratio",
    "token_batches",
]
