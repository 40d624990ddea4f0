"""Exercise `masked_loss`."""

from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch09.shared import CLOSE, IGNORE


def masked_loss(logits, labels):
    """Return the mean cross-entropy in nats at the places with a label.

    Args:
        logits: a tensor of shape (B, T, V).
        labels: a tensor of int64, shape (B, T); -100 where nothing is to be guessed.

    Returns:
        A tensor without dimensions; 0 if no place has a label.

    >>> logits = torch.tensor([[[0.0, 0.0], [0.0, 100.0], [9.0, 0.0]]])
    >>> round(masked_loss(logits, torch.tensor([[1, -100, -100]])).item(), 4)
    0.6931
    """
    chosen = labels != -100
    log_probs = logits[chosen].log_softmax(dim=-1)  # (N, V)
    right = log_probs.gather(1, labels[chosen][:, None])
    return -right.sum() / chosen.sum().clamp(min=1)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, B: int, T: int, V: int, share: float, dtype: torch.dtype = torch.float64) -> Case:
        logits = torch.from_numpy(rng.normal(size=(B, T, V)) * 2).to(dtype).requires_grad_()
        labels = torch.from_numpy(rng.integers(0, V, (B, T)))
        labels[torch.from_numpy(rng.uniform(size=(B, T)) >= share)] = IGNORE
        labels[0, -1] = int(rng.integers(0, V)) if share > 0 else IGNORE
        return case(label, logits, labels)

    worked = torch.tensor([[[0.0, 0.0], [0.0, 100.0], [9.0, 0.0]]], dtype=torch.float64)
    return [
        case("the worked example", worked.requires_grad_(), torch.tensor([[1, IGNORE, IGNORE]])),
        draw("some places", 3, 11, 7, 0.3),
        draw("rows with different numbers of hidden words", 5, 13, 3, 0.15),
        draw("one hidden word", 2, 5, 11, 1e-9),
        draw("no place is hidden", 2, 3, 5, 0.0),
        draw("every place is hidden", 2, 7, 5, 1.0),
        draw("float32", 3, 5, 13, 0.4, torch.float32),
        border("a score beyond the range of exp, no overflow",
             torch.tensor([[[1000.0, 0.0, -3.0], [1.0, 2.0, 3.0]]]).double().requires_grad_(), torch.tensor([[1, 2]])),
    ]  # fmt: skip


def _loss_by_library(logits: Tensor, labels: Tensor) -> Tensor:
    total = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")
    return total / max(1, int((labels != -100).sum()))


def _loss_by_mask(logits: Tensor, labels: Tensor) -> Tensor:
    keep = labels.ne(-100)
    right = logits.gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    nats = (logits.logsumexp(-1) - right) * keep
    return nats.sum() / keep.sum().clamp(min=1)


def _loss_wrong(logits: Tensor, labels: Tensor, *, how: str) -> Tensor:
    chosen = labels != IGNORE
    filled = labels.clamp(min=0)
    nats = -logits.log_softmax(-1).gather(-1, filled[..., None])[..., 0]
    if how == "all_places":
        return nats.mean()
    if how == "mean_over_all":
        return (nats * chosen).mean()
    if how == "sum":
        return (nats * chosen).sum()
    if how == "nan":
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORE)
    if how == "by_row":
        rows = (nats * chosen).sum(1) / chosen.sum(1).clamp(min=1)
        return rows.mean()
    if how == "sign":
        return -masked_loss(logits, labels)
    if how == "wrong_dim":
        other = -logits.log_softmax(1).gather(-1, filled[..., None])[..., 0]
        return (other * chosen).sum() / chosen.sum().clamp(min=1)
    return masked_loss(logits, labels) / float(np.log(2))


task = Task(
    masked_loss,
    points=3,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "all_places",
            partial(_loss_wrong, how="all_places"),
            "Places with the label -100 were counted, as if token 0 were wanted there. Choose the others first.",
        ),
        Slip(
            "mean_over_all",
            partial(_loss_wrong, how="mean_over_all"),
            "The sum was divided by all places. Divide by the number of hidden ones, or the loss depends on how many "
            "were drawn.",
        ),
        Slip(
            "sum",
            partial(_loss_wrong, how="sum"),
            "This is the sum over the hidden places. The mean is wanted.",
        ),
        Slip(
            "nan",
            partial(_loss_wrong, how="nan"),
            "With nothing hidden this is 0 / 0, not a number, and one such batch ruins all weights. Give 0 then.",
        ),
        Slip(
            "by_row",
            partial(_loss_wrong, how="by_row"),
            "The mean was taken for each row and then over the rows, so a word in a row with few blanks counts more. "
            "Take one mean over all hidden places.",
        ),
        Slip(
            "sign",
            partial(_loss_wrong, how="sign"),
            "The sign is turned round: this falls as the model gets worse. The loss is minus the log-probability.",
        ),
        Slip(
            "wrong_dim",
            partial(_loss_wrong, how="wrong_dim"),
            "The softmax runs over the places. It must run over the words of the vocabulary, the last dimension.",
        ),
        Slip(
            "bits",
            partial(_loss_wrong, how="bits"),
            "This is in bits. Losses are in nats here: use the natural logarithm.",
        ),
    ),
    alternatives=(_loss_by_library, _loss_by_mask),
    hints=(
        "Choose the places first: logits[labels != -100] has shape (N, V), labels[labels != -100] has shape (N,).",
        "Then the usual cross-entropy: log_softmax over the last dimension, and the entry of the right word in each "
        "row. And if N is 0?",
        "log_probs = logits[chosen].log_softmax(-1); -log_probs[torch.arange(N), labels[chosen]].sum() / max(N, 1)",
    ),
)
