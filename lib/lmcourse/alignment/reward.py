"""A reward model learns from comparisons: which of two completions did a person prefer?"""

import copy
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Literal, NamedTuple, TypeVar, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.alignment.completions import (
    Completions,
    Rows,
    checked_rows,
    collated,
    completion_hidden_states,
)
from lmcourse.alignment.policies import Policy, check_policy, scalar_head
from lmcourse.kernels.switch import eager
from lmcourse.runtime import evaluation_mode
from lmcourse.training import History, adamw, example_batches, fit

T = TypeVar("T")


def preference_loss(chosen_rewards: Tensor, rejected_rewards: Tensor, *, margin: float | Tensor = 0.0) -> Tensor:
    """Return the mean of -log sigmoid(r_chosen - r_rejected - margin), in nats.

    By Bradley and Terry's model, sigmoid(r_a - r_b) is the probability that a is preferred to b; this is the
    cross-entropy of the preferences. It is log 2 where the two rewards are equal and the margin is 0. Only differences
    count: a constant added to all rewards changes nothing.

    Args:
        chosen_rewards: of the completions that were preferred, any shape.
        rejected_rewards: of the others, the same shape.
        margin: by how much the chosen completion should win; a number, or one per pair (Touvron et al., 2023).

    Raises:
        TypeError: rewards that are not floating-point, or a margin that is not a number.
        ValueError: unequal shapes, or no pairs.

    Source: Bradley and Terry, 1952; Christiano et al., 2017, equation 1; Ouyang et al., 2022, equation 1.
    """
    tensor_checks.floating(chosen_rewards=chosen_rewards, rejected_rewards=rejected_rewards)
    tensor_checks.same_shape(chosen_rewards=chosen_rewards, rejected_rewards=rejected_rewards)
    tensor_checks.same_device(chosen_rewards=chosen_rewards, rejected_rewards=rejected_rewards)
    tensor_checks.not_empty(chosen_rewards=chosen_rewards)
    if isinstance(margin, Tensor):
        tensor_checks.same_shape(chosen_rewards=chosen_rewards, margin=margin)
    else:
        checks.number(margin=margin)
    return -F.logsigmoid(chosen_rewards - rejected_rewards - margin).mean()


def ranking_pairs(ranking: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Yield (better, worse) for every two items of a ranking, best first: K items give K (K - 1) / 2 pairs.

    The pairs of one ranking are not independent: keep them in one batch, and on one side of a split.

    Source: Ouyang et al., 2022, section 3.5.
    """
    checks.instance(Sequence, ranking=ranking)
    return combinations(ranking, 2)


@dataclass(frozen=True)
class Pairs:
    """Comparisons as tensors: row b of `chosen` was preferred to row b of `rejected`, for the same prompt.

    `pairs[rows]` are some of them; iterating gives them one by one, each as `Pairs`.

    Raises:
        TypeError: what are not `Completions`.
        ValueError: unequally many, or prompts of another length.
    """

    chosen: Completions
    rejected: Completions

    def __post_init__(self) -> None:
        checks.instance(Completions, chosen=self.chosen, rejected=self.rejected)
        if len(self.chosen) != len(self.rejected):
            raise ValueError(
                f"`chosen` and `rejected` must be equally many, got {len(self.chosen)} and {len(self.rejected)}."
            )
        if self.chosen.prompt_length != self.rejected.prompt_length:
            raise ValueError(
                "`chosen` and `rejected` must have prompts of one length, "
                f"got {self.chosen.prompt_length} and {self.rejected.prompt_length}."
            )

    def __len__(self) -> int:
        return len(self.chosen)

    def __iter__(self) -> Iterator["Pairs"]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, rows: Rows) -> "Pairs":
        """Return some of the pairs.

        Raises:
            TypeError: what is no index, slice, tensor or list of indices.
            IndexError: a row that there is not.
        """
        rows = checked_rows(rows, len(self), "pairs", on_meta=self.chosen.ids.is_meta)
        return Pairs(self.chosen[rows], self.rejected[rows])

    def to(self, device: torch.device | str) -> "Pairs":
        return Pairs(self.chosen.to(device), self.rejected.to(device))

    def interleaved(self) -> Completions:
        """Return each chosen completion and below it the rejected one, (2 B, P + R), for one forward pass.

        `deinterleave` takes the results apart again.
        """
        width = max(self.chosen.ids.shape[1], self.rejected.ids.shape[1])
        P = self.chosen.prompt_length

        def interleave(chosen: Tensor, rejected: Tensor) -> Tensor:
            rows = [F.pad(tensor, (0, width - tensor.shape[1])) for tensor in (chosen, rejected)]
            return torch.stack(rows, dim=1).flatten(0, 1)

        ids = interleave(self.chosen.ids, self.rejected.ids)
        mask = interleave(self.chosen.attention_mask, self.rejected.attention_mask)
        same_prompts = eager(ids, mask) and all(torch.equal(each[::2, :P], each[1::2, :P]) for each in (ids, mask))
        return Completions(ids, mask, P, samples=2 if same_prompts else 1)


def deinterleave(values: Tensor) -> tuple[Tensor, Tensor]:
    """Return the values of the chosen and the rejected completions of `Pairs.interleaved`, (2 B,) -> (B,) and (B,)."""
    return values[::2], values[1::2]


def collate_pairs(
    prompts: Sequence[Sequence[int]],
    chosen: Sequence[Sequence[int]],
    rejected: Sequence[Sequence[int]],
    *,
    pad_id: int = 0,
) -> Pairs:
    """Return comparisons, lists of token ids, as tensors; arguments and errors are those of `collate`.

    A chosen completion may equal the rejected one.
    """
    return Pairs(collated(pad_id, prompts=prompts, chosen=chosen), collated(pad_id, prompts=prompts, rejected=rejected))


class RewardModel(nn.Module):
    """r(prompt, completion) = w . (mean of h_t over the completion's tokens) + b, h_t a language model's hidden states.

    Args:
        body: a `GPT` (see `Policy`) that is copied; the copy is tuned.
        pool: "mean", or "last": only the h of the completion's last token, as is usual with larger models.

    Raises:
        TypeError: a body without hidden states.
        ValueError: a `pool` of neither kind.

    Source: Stiennon et al., 2020, section 3.4; Ouyang et al., 2022, section 3.5.
    """

    def __init__(self, body: nn.Module, *, pool: Literal["mean", "last"] = "mean") -> None:
        check_policy(body=body)
        checks.one_of(("mean", "last"), pool=pool)
        super().__init__()
        self.body = copy.deepcopy(body)
        self.pool = pool
        self.head = scalar_head(cast(Policy, self.body))
        nn.init.zeros_(self.head.bias)

    def forward(self, completions: Completions) -> Tensor:
        """Return the reward of each completion, (B,).

        Raises:
            ValueError: no completions, or one without any token.
        """
        checks.instance(Completions, completions=completions)
        checks.not_empty(completions=completions)
        if eager(completions.attention_mask) and not bool(completions.completion_mask.any(1).all()):
            raise ValueError("`completions` must have at least one token each (the stop token), got an empty one.")
        hidden = completion_hidden_states(cast(Policy, self.body), completions)  # (B, R, D)
        mask, lengths = completions.completion_mask.unsqueeze(-1), completions.lengths
        if self.pool == "last":
            pooled = hidden.gather(1, (lengths - 1).view(-1, 1, 1).expand(-1, 1, hidden.shape[-1])).squeeze(1)
        else:
            pooled = hidden.masked_fill(~mask, 0.0).sum(1) / lengths.unsqueeze(1)
        kind = hidden.device.type
        exact: AbstractContextManager[Any] = nullcontext()
        if torch.amp.is_autocast_available(kind):  # bfloat16 would give many completions the same reward
            exact = torch.autocast(kind, enabled=False)
        with exact:
            return self.head(pooled.to(self.head.weight.dtype)).squeeze(1)

    @torch.no_grad()
    def score(self, completions: Completions) -> Tensor:
        """Return the rewards without gradient and with dropout off, (B,): the reward function for the trainers."""
        with evaluation_mode(self.modules()):
            rewards: Tensor = self(completions)
        return rewards

    @torch.no_grad()
    def centre(self, completions: Completions) -> None:
        """Shift the bias so that these completions have a mean reward of 0.

        Comparisons do not determine a constant, and the value head of PPO begins at 0: without this, PPO would first
        have to learn that constant, and would meanwhile credit it mostly to the last tokens of a completion.

        Source: Ouyang et al., 2022, section 3.5.
        """
        self.head.bias.sub_(self.score(completions).mean())

    @torch.no_grad()
    def margins(self, pairs: Pairs, *, batch_size: int = 256) -> Tensor:
        """Return r(chosen) - r(rejected) for each pair, (N,); above 0 if the model agrees with the person."""
        checks.whole(batch_size=batch_size, at_least=1)
        checks.instance(Pairs, pairs=pairs)
        checks.not_empty(pairs=pairs)
        parts = (pairs[start : start + batch_size] for start in range(0, len(pairs), batch_size))
        return torch.cat([torch.sub(*deinterleave(self.score(part.interleaved()))) for part in parts])


class RewardTrainer:
    """Tunes a reward model on comparisons, by the course's one loop.

    Args:
        model: tuned in place.
        pairs: the comparisons.
        margin: see `preference_loss`.
        batch_size: pairs a step.
        lr: of AdamW.
        generator: seeds the order.

    Attributes:
        history: of all steps so far, including those before an error or an interruption.

    Raises:
        TypeError: an argument of another kind.
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
        checks.instance(RewardModel, model=model)
        checks.instance(Pairs, pairs=pairs)
        checks.number(margin=margin)
        self.model, self.margin, self.history = model, margin, History()
        self.pairs = pairs.to(next(model.parameters()).device)
        self.batches = example_batches((torch.arange(len(pairs)),), batch_size, generator=generator)
        self.optimizer = adamw(model, lr)

    def fit(self, steps: int, **options: Any) -> History:
        """Train for `steps` more steps; return the history of all so far. `options` are those of `training.fit`."""
        checks.whole(steps=steps, at_least=1)
        return fit(
            self.model, self.batches, self._loss, optimizer=self.optimizer, max_steps=len(self.history) + steps,
            history=self.history, **options,
        )  # fmt: skip

    def _loss(self, model: RewardModel, batch: tuple[Tensor]) -> Tensor:
        """Return the preference loss of a batch of pairs, given by their indices."""
        chosen, rejected = deinterleave(model(self.pairs[batch[0]].interleaved()))
        return preference_loss(chosen, rejected, margin=self.margin)


class Bin(NamedTuple):
    """The pairs of one bin: the mean of what they are binned by, how often the model is right, and their number."""

    mean: float
    accuracy: float
    pairs: int


def calibration(margins: Tensor, edges: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)) -> list[Bin]:
    """Return, for pairs of similar confidence, the mean confidence and the accuracy.

    The model's confidence in its favourite is sigmoid(|margin|), 0.5 to 1. For a calibrated model, `mean` and
    `accuracy` are equal in every bin.

    Args:
        margins: r(chosen) - r(rejected), (N,).
        edges: of the bins, increasing; empty bins are left out.

    Raises:
        TypeError: margins that are not floating-point.
        ValueError: another shape, or edges that do not increase.

    Source: Guo et al., "On calibration of modern neural networks", 2017, section 2, for the diagram.
    """
    tensor_checks.floating(margins=margins)
    tensor_checks.has_values(margins=margins)
    return _binned(margins.abs().sigmoid(), margins, edges)


def accuracy_by_gap(margins: Tensor, gaps: Tensor, edges: Sequence[float]) -> list[Bin]:
    """Return how often the model agrees with the person, by how different the two completions really are.

    Args:
        margins: r(chosen) - r(rejected), (N,).
        gaps: the difference of each pair's true rewards, (N,), at least 0.
        edges: of the bins, increasing; empty bins are left out.

    Raises:
        TypeError: tensors that are not floating-point.
        ValueError: unequal shapes, or edges that do not increase.
    """
    tensor_checks.floating(margins=margins, gaps=gaps)
    tensor_checks.same_shape(margins=margins, gaps=gaps)
    tensor_checks.has_values(margins=margins, gaps=gaps)
    return _binned(gaps, margins, edges)


def _binned(values: Tensor, margins: Tensor, edges: Sequence[float]) -> list[Bin]:
    tensor_checks.shape(("N",), margins=margins)
    checks.instance(Sequence, edges=edges)
    checks.number(**{f"edges[{index}]": edge for index, edge in enumerate(edges)})
    if len(edges) < 2 or any(low >= high for low, high in pairwise(edges)):
        raise ValueError(f"`edges` must be at least two increasing numbers, got {list(edges)}.")
    right = (margins > 0).double() + 0.5 * (margins == 0).double()  # a tie counts half
    bins = []
    for number, (low, high) in enumerate(pairwise(edges), start=2):
        inside = (values >= low) & ((values < high) | (number == len(edges)) & (values <= high))
        if bool(inside.any()):
            bins.append(Bin(float(values[inside].mean()), float(right[inside].mean()), int(inside.sum())))
    return bins
