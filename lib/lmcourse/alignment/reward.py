"""A reward model learns from comparisons: which of two completions did a person like better?"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.alignment._checks import same_shape
from lmcourse.alignment.completions import Completions, collate, completion_hidden_states
from lmcourse.training import History, adamw, example_batches, fit

Thing = TypeVar("Thing")


def preference_loss(chosen_rewards: Tensor, rejected_rewards: Tensor, *, margin: float | Tensor = 0.0) -> Tensor:
    """Return the mean of -log sigmoid(r_chosen - r_rejected - margin), in nats.

    By Bradley and Terry's model, sigmoid(r_a - r_b) is the probability that a is preferred to b; this is the
    cross-entropy of what was preferred. It is log 2 where the two rewards are equal and the margin is 0. Only
    differences count: a constant added to all rewards changes nothing.

    Args:
        chosen_rewards: of the completions that were preferred, any shape.
        rejected_rewards: of the others, the same shape.
        margin: by how much the chosen completion should win; a number, or one for each pair (Touvron et al., 2023).

    Raises:
        ValueError: unequal shapes, or no pairs.

    Source: Bradley and Terry, 1952; Christiano et al., 2017, equation 1; Ouyang et al., 2022, equation 1.
    """
    same_shape(chosen_rewards=chosen_rewards, rejected_rewards=rejected_rewards)
    return -F.logsigmoid(chosen_rewards - rejected_rewards - margin).mean()


def ranking_pairs(ranking: Sequence[Thing]) -> Iterator[tuple[Thing, Thing]]:
    """Yield (better, worse) for every two of a ranking, best first: K things give K (K - 1) / 2 pairs.

    The pairs of one ranking are no independent draws: keep them in one batch, and on one side of a split.

    Source: Ouyang et al., 2022, section 3.5.
    """
    return combinations(ranking, 2)


@dataclass(frozen=True)
class Pairs:
    """Comparisons as tensors: row b of `chosen` was preferred to row b of `rejected`, for one prompt."""

    chosen: Completions
    rejected: Completions

    def __len__(self) -> int:
        return len(self.chosen)

    def __getitem__(self, rows: Tensor | slice) -> "Pairs":
        return Pairs(self.chosen[rows], self.rejected[rows])

    def to(self, device: torch.device | str) -> "Pairs":
        return Pairs(self.chosen.to(device), self.rejected.to(device))

    def both(self) -> Completions:
        """Return each chosen completion and below it the rejected, (2 B, P + R), for one forward pass; see `apart`."""
        width = max(self.chosen.ids.shape[1], self.rejected.ids.shape[1])
        P = self.chosen.prompt_length

        def side_by_side(chosen: Tensor, rejected: Tensor) -> Tensor:
            rows = [F.pad(tensor, (0, width - tensor.shape[1])) for tensor in (chosen, rejected)]
            return torch.stack(rows, dim=1).flatten(0, 1)

        ids = side_by_side(self.chosen.ids, self.rejected.ids)
        mask = side_by_side(self.chosen.attention_mask, self.rejected.attention_mask)
        one_prompt = torch.equal(ids[::2, :P], ids[1::2, :P]) and torch.equal(mask[::2, :P], mask[1::2, :P])
        return Completions(ids, mask, P, samples=2 if one_prompt else 1)


def apart(numbers: Tensor) -> tuple[Tensor, Tensor]:
    """Return what was found for the chosen and for the rejected completions of `Pairs.both`, (2 B,) -> (B,) and (B,)."""
    return numbers[::2], numbers[1::2]


def collate_pairs(
    prompts: Sequence[Sequence[int]],
    chosen: Sequence[Sequence[int]],
    rejected: Sequence[Sequence[int]],
    *,
    pad_id: int = 0,
) -> Pairs:
    """Return comparisons, lists of token ids, as tensors; see `collate`. A chosen completion may equal the rejected one."""
    return Pairs(collate(prompts, chosen, pad_id=pad_id), collate(prompts, rejected, pad_id=pad_id))


class RewardModel(nn.Module):
    """r(prompt, completion) = w . (mean over the completion's tokens of h_t) + b, h_t what a language model's head would read.

    Args:
        body: a `GPT` (or anything with `hidden`, and `head.in_features` its width) that is copied; the copy is tuned.
        pool: "mean", or "last": the h of the completion's last token alone, as is usual with larger models.

    Source: Stiennon et al., 2020, section 3.4; Ouyang et al., 2022, section 3.5.
    """

    def __init__(self, body: nn.Module, *, pool: Literal["mean", "last"] = "mean") -> None:
        if pool not in ("mean", "last"):
            raise ValueError(f'`pool` must be "mean" or "last", got {pool!r}.')
        super().__init__()
        self.body: Any = copy.deepcopy(body)
        self.pool = pool
        weight: Tensor = self.body.get_parameter("head.weight")
        self.head = nn.Linear(weight.shape[1], 1, device=weight.device, dtype=weight.dtype)
        nn.init.zeros_(self.head.bias)

    def forward(self, completions: Completions) -> Tensor:
        """Return the reward of each completion, (B,).

        Raises:
            ValueError: a completion without any token.
        """
        if not bool(completions.completion_mask.any(1).all()):
            raise ValueError("`completions` must have at least one token each (the stop token), got an empty one.")
        hidden = completion_hidden_states(self.body, completions)  # (B, R, D)
        mask, lengths = completions.completion_mask.unsqueeze(-1), completions.lengths
        if self.pool == "last":
            pooled = hidden.gather(1, (lengths - 1).view(-1, 1, 1).expand(-1, 1, hidden.shape[-1])).squeeze(1)
        else:
            pooled = hidden.masked_fill(~mask, 0.0).sum(1) / lengths.unsqueeze(1)
        with torch.autocast(hidden.device.type, enabled=False):  # in bfloat16 unlike completions would earn the same
            return self.head(pooled.to(self.head.weight.dtype)).squeeze(1)

    @torch.no_grad()
    def score(self, completions: Completions) -> Tensor:
        """Return the rewards without gradient and with dropout off, (B,): what the trainers of policies call."""
        was_training = self.training
        self.eval()
        rewards = self(completions)
        if was_training:
            self.train()
        return rewards

    @torch.no_grad()
    def centre(self, completions: Completions) -> None:
        """Shift the bias so that these completions have a mean reward of 0.

        Comparisons leave a constant open, and a policy's value head begins at 0: without this PPO's first lesson is
        that constant, which falls to the last tokens of a completion most.

        Source: Ouyang et al., 2022, section 3.5.
        """
        self.head.bias.sub_(self.score(completions).mean())

    @torch.no_grad()
    def margins(self, pairs: Pairs, *, batch_size: int = 256) -> Tensor:
        """Return r(chosen) - r(rejected) for each pair, (N,); above 0 the model agrees with the person."""
        parts = (pairs[start : start + batch_size] for start in range(0, len(pairs), batch_size))
        return torch.cat([torch.sub(*apart(self.score(part.both()))) for part in parts])


class RewardTrainer:
    """Tunes a reward model on comparisons, by the course's one loop.

    Args:
        model: tuned in place.
        pairs: the comparisons.
        margin: see `preference_loss`.
        batch_size: pairs a step.
        lr: of AdamW.
        generator: seeds the order.

    Raises:
        ValueError: more pairs in a batch than there are.
    """

    def __init__(
        self,
        model: RewardModel,
        pairs: Pairs,
        *,
        margin: float = 0.0,
        batch_size: int = 64,
        lr: float = 1e-3,
        generator: torch.Generator | None = None,
    ) -> None:
        self.model, self.margin = model, margin
        self.pairs = pairs.to(next(model.parameters()).device)
        self.steps_per_epoch = len(pairs) // batch_size
        self.batches = example_batches((torch.arange(len(pairs)),), batch_size, generator=generator)
        self.optimizer = adamw(model, lr)

    def fit(self, max_steps: int, **options: Any) -> History:
        """Train for so many steps in all; `options` are those of `training.fit`."""
        return fit(self.model, self.batches, self.loss, optimizer=self.optimizer, max_steps=max_steps, **options)

    def loss(self, model: RewardModel, batch: tuple[Tensor]) -> Tensor:
        """Return the preference loss of a batch of pairs, given by their numbers."""
        chosen, rejected = apart(model(self.pairs[batch[0]].both()))
        return preference_loss(chosen, rejected, margin=self.margin)


class Bin(NamedTuple):
    """Pairs of one bin: where it lies (a mean), the share of pairs decided as the model would, and how many."""

    place: float
    share: float
    pairs: int


def calibration(margins: Tensor, edges: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)) -> list[Bin]:
    """Return, for pairs that the model is about equally sure of, how sure it is and how often it is right.

    It is sure of its favourite with sigmoid(|margin|), 0.5 to 1. A calibrated model has `share` = `place` everywhere.

    Args:
        margins: r(chosen) - r(rejected), (N,).
        edges: of the bins, rising; empty bins are left out.

    Source: Guo et al., "On calibration of modern neural networks", 2017, section 2, for the diagram.
    """
    return _binned(margins.abs().sigmoid(), margins, edges)


def accuracy_by_gap(margins: Tensor, gaps: Tensor, edges: Sequence[float]) -> list[Bin]:
    """Return how often the model agrees with the person, by how far apart the two completions really are.

    Args:
        margins: r(chosen) - r(rejected), (N,).
        gaps: the distance of each pair's true rewards, (N,), at least 0.
        edges: of the bins, rising; empty bins are left out.

    Raises:
        ValueError: unequal shapes.
    """
    same_shape(margins=margins, gaps=gaps)
    return _binned(gaps, margins, edges)


def _binned(places: Tensor, margins: Tensor, edges: Sequence[float]) -> list[Bin]:
    right = (margins > 0).double() + 0.5 * (margins == 0).double()  # a tie is a toss
    bins = []
    for number, (low, high) in enumerate(pairwise(edges), start=2):
        inside = (places >= low) & ((places < high) | (number == len(edges)) & (places <= high))
        if bool(inside.any()):
            bins.append(Bin(float(places[inside].mean()), float(right[inside].mean()), int(inside.sum())))
    return bins
