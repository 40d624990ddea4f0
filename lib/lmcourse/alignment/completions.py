"""Prompts with completions as tensors: how they are laid out, drawn from a policy, and read by one.

B completions, P length of the prompts (padded on the left), R of the completions (padded on the right), D width, V vocabulary.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.generation import generate


@dataclass(frozen=True)
class Completions:
    """Completions behind their prompts.

    Attributes:
        ids: (B, P + R): padding, prompt, completion with its stop token, padding.
        attention_mask: (B, P + R) bool, False at padding.
        prompt_length: P.
        samples: n, completions side by side behind one and the same prompt; it is read once for them, see `completion_hidden_states`.

    Raises:
        ValueError: a number of rows that n does not divide, or n rows in turn with unlike prompts.
    """

    ids: Tensor
    attention_mask: Tensor
    prompt_length: int
    samples: int = 1

    def __post_init__(self) -> None:
        n, P = self.samples, self.prompt_length
        if n == 1:
            return
        parts = (self.ids[:, :P], self.attention_mask[:, :P])
        if len(self) % n or not all(torch.equal(part, part[::n].repeat_interleave(n, 0)) for part in parts):
            raise ValueError(
                f"`samples` must be completions in turn to one and the same prompt, got {n} of {len(self)} rows."
            )

    @property
    def completion_ids(self) -> Tensor:
        """(B, R)."""
        return self.ids[:, self.prompt_length :]

    @property
    def completion_mask(self) -> Tensor:
        """(B, R) bool, True at the tokens of the completion, its stop token included."""
        return self.attention_mask[:, self.prompt_length :]

    @property
    def lengths(self) -> Tensor:
        """Tokens of each completion, (B,)."""
        return self.completion_mask.sum(1)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, rows: Tensor | slice) -> "Completions":
        """Return some of the completions, cut to the longest of them. Whole groups, one by one, remain groups."""
        ids, mask = self.ids[rows], self.attention_mask[rows]
        longest = int(mask[:, self.prompt_length :].sum(1).max()) if len(ids) else 0
        end = self.prompt_length + longest
        return Completions(ids[:, :end], mask[:, :end], self.prompt_length, self._samples_of(rows))

    def _samples_of(self, rows: Tensor | slice) -> int:
        """How many of these rows in turn answer one prompt: n, or 1 if the groups are torn apart."""
        n = self.samples
        if n == 1:
            return 1
        prompts = torch.arange(len(self), device=self.ids.device)[rows] // n
        groups = prompts.view(-1, n) if len(prompts) % n == 0 else prompts.view(1, -1)
        return n if groups.shape[1] == n and bool((groups == groups[:, :1]).all()) else 1

    def to(self, device: torch.device | str) -> "Completions":
        return Completions(self.ids.to(device), self.attention_mask.to(device), self.prompt_length, self.samples)

    def tokens(self, *, stop_id: int | None = None) -> list[list[int]]:
        """Return the completions as lists of ids, without padding and without the stop token at their end."""
        rows = [row[mask].tolist() for row, mask in zip(self.completion_ids, self.completion_mask, strict=True)]
        return [row[:-1] if row and row[-1] == stop_id else row for row in rows]

    def prompts(self) -> list[list[int]]:
        """Return the prompts as lists of ids, without padding."""
        P = self.prompt_length
        return [row[mask].tolist() for row, mask in zip(self.ids[:, :P], self.attention_mask[:, :P], strict=True)]


def collate(prompts: Sequence[Sequence[int]], completions: Sequence[Sequence[int]], *, pad_id: int = 0) -> Completions:
    """Return prompts and completions, lists of token ids, as tensors.

    Args:
        prompts: each at least one token.
        completions: as many, each at least one token: an empty completion is its stop token.
        pad_id: what stands at padding; never looked at.

    Raises:
        ValueError: none, unequal numbers, an empty prompt or completion.
    """
    if not prompts or len(prompts) != len(completions):
        raise ValueError(
            f"`prompts` and `completions` must be as many, at least one, got {len(prompts)} and {len(completions)}."
        )
    for name, rows in (("prompts", prompts), ("completions", completions)):
        if not all(map(len, rows)):
            place = next(number for number, row in enumerate(rows) if not len(row))
            raise ValueError(
                f"`{name}` must have at least one token each (a completion its stop token), got none in {place}."
            )
    P, R = max(map(len, prompts)), max(map(len, completions))
    ids = torch.full((len(prompts), P + R), pad_id)
    mask = torch.zeros(len(prompts), P + R, dtype=torch.bool)
    for row, (prompt, completion) in enumerate(zip(prompts, completions, strict=True)):
        start, end = P - len(prompt), P + len(completion)
        ids[row, start:end] = torch.tensor([*prompt, *completion])
        mask[row, start:end] = True
    return Completions(ids, mask, P)


def generate_completions(
    model: Any,
    prompts: Tensor,
    max_new_tokens: int,
    *,
    stop_id: int,
    attention_mask: Tensor | None = None,
    temperature: float = 1.0,
    samples: int = 1,
    generator: torch.Generator | None = None,
) -> Completions:
    """Return completions to each prompt, drawn from the model.

    Args:
        model: see `generation.generate`.
        prompts: (B, P), padded on the left.
        max_new_tokens: a completion that has not stopped by then ends there, without a stop token.
        stop_id: ends a completion, and belongs to it.
        attention_mask: (B, P) bool, False at padding; needed with padded prompts only.
        temperature: of the draws.
        samples: completions to each prompt, side by side.
        generator: for reproducible draws.

    Returns:
        B times `samples` completions.

    Raises:
        ValueError: no room for a completion: `max_new_tokens` below 1, or more than the model's positions hold.
    """
    if max_new_tokens < 1:
        raise ValueError(f"`max_new_tokens` must leave room for a completion, at least 1, got {max_new_tokens}.")
    ids = generate(
        model,
        prompts,
        max_new_tokens,
        temperature=temperature,
        stop_ids=(stop_id,),
        attention_mask=attention_mask,
        samples=samples,
        generator=generator,
    )
    P = prompts.shape[1]
    stops = ids[:, P:] == stop_id
    completion_mask = stops.cumsum(1) - stops.long() == 0  # up to and with the first stop token
    if attention_mask is None:
        attention_mask = torch.ones_like(prompts, dtype=torch.bool)
    return Completions(
        ids, torch.cat([attention_mask.repeat_interleave(samples, 0), completion_mask], dim=1), P, samples
    )


class RecordingPolicy(nn.Module):
    """A policy as `generate_completions` calls it, once, that keeps what its head read and said before each token."""

    def __init__(self, policy: Any, *, samples: int = 1) -> None:
        super().__init__()
        self.policy, self.new_cache, self.samples = policy, policy.new_cache, samples
        self.training = policy.training  # it is left as it was
        self.read: list[Tensor] = []
        self.said: list[Tensor] = []

    def forward(self, ids: Tensor, *, cache: Any, attention_mask: Tensor | None, last_only: bool) -> Tensor:
        """Return the logits of the next token, (B, 1, V)."""
        hidden = self.policy.hidden(ids, cache=cache, attention_mask=attention_mask)[:, -1:]  # (B, 1, D)
        self.read.append(hidden)
        self.said.append(self.policy.head(hidden))
        return self.said[-1]

    def hidden(self) -> Tensor:
        """Return what the head read, (B, R, D)."""
        return self._of_completions(self.read)

    def logits(self) -> Tensor:
        """Return the logits from which the tokens were drawn, (B, R, V)."""
        return self._of_completions(self.said)

    def _of_completions(self, steps: list[Tensor]) -> Tensor:
        first, *later = steps  # each prompt was read once for all its completions
        return torch.cat([first.repeat_interleave(self.samples, 0), *later], dim=1)


def completion_hidden_states(model: Any, completions: Completions, *, before: bool = False) -> Tensor:
    """Return what a model's head reads at each token of the completions, or at the token before it, (B, R, D).

    A prompt of several completions is read once for all of them, if that saves a tenth of the tokens and the model can do
    it (`GPT.hidden_with_shared_prefix`); the result is the same but for rounding, and so is the gradient.
    """
    P, n, ids = completions.prompt_length, completions.samples, completions.ids[:, :-1] if before else completions.ids
    padded = not bool(completions.attention_mask[:, 0].all())  # on the left; on the right the future is hidden anyway
    saves = 10 * (n - 1) * P >= n * ids.shape[1] and ids.shape[1] > P
    if saves and hasattr(model, "hidden_with_shared_prefix"):
        mask = completions.attention_mask[::n, :P] if padded else None
        prefixes, continuations = ids[::n, :P], ids[:, P:].unflatten(0, (-1, n))
        first, rest = model.hidden_with_shared_prefix(prefixes, continuations, attention_mask=mask)
        parts = [first[:, None, -1:].expand(-1, n, -1, -1), rest] if before else [rest]
        return torch.cat(parts, dim=2).flatten(0, 1)
    hidden = model.hidden(ids, attention_mask=completions.attention_mask[:, : ids.shape[1]] if padded else None)
    return hidden[:, P - 1 :] if before else hidden[:, P:]


def completion_logits(model: Any, completions: Completions, *, temperature: float = 1.0) -> tuple[Tensor, Tensor]:
    """Return what a model expects at each token of the completions, from one forward pass.

    Args:
        model: with `hidden(ids, attention_mask=...)` and `head`, as `GPT`. The head reads the completions' places only.
        completions: B of them.
        temperature: that they were drawn with.

    Returns:
        logits (B, R, V) of the token at each place given those before it, and what the head read, (B, R, D). Under
        autocast to bfloat16 the logits come back in float32, as far as they were computed.
    """
    hidden = completion_hidden_states(model, completions, before=True)
    logits = model.head(hidden)
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    return logits if temperature == 1.0 else logits / temperature, hidden


def token_log_probs(logits: Tensor, ids: Tensor) -> Tensor:
    """Return log softmax(logits) at the ids: logits (B, R, V), ids (B, R) -> (B, R)."""
    return -F.cross_entropy(logits.flatten(0, 1), ids.flatten(), reduction="none").view(ids.shape)


def completion_log_probs(model: Any, completions: Completions, *, temperature: float = 1.0) -> Tensor:
    """Return the log-probability of each whole completion, the sum over its tokens, (B,)."""
    logits, _ = completion_logits(model, completions, temperature=temperature)
    return token_log_probs(logits, completions.completion_ids).masked_fill(~completions.completion_mask, 0.0).sum(1)


@torch.no_grad()
def policy_metrics(policy: Any, reference: Any, completions: Completions) -> dict[str, float]:
    """Return how a policy stands beside its reference, on completions that it has drawn itself.

    Returns:
        kl: nats a completion, sum over its places of KL(policy || reference) of the next token. Its mean over completions drawn
            from the policy is the KL divergence of whole completions, with less noise than the mean of
            log policy(completion) - log reference(completion).
        entropy: nats a token, of the policy's next token.
        length: tokens a completion, the stop token included.

    Source: for the sum, the chain rule of Cover and Thomas, "Elements of information theory", 2006, theorem 2.5.3.
    """
    log_p, log_q = (completion_logits(model, completions)[0].log_softmax(-1) for model in (policy, reference))
    kl, entropy = divergence_and_entropy(log_p, log_q)
    mask = completions.completion_mask
    return {
        "kl": float(kl.masked_fill(~mask, 0.0).sum(1).mean()),
        "entropy": float(entropy[mask].mean()),
        "length": float(completions.lengths.double().mean()),
    }


def divergence_and_entropy(log_p: Tensor, log_q: Tensor) -> tuple[Tensor, Tensor]:
    """Return KL(p || q) and the entropy of p, over the last dimension, in nats."""
    p = log_p.exp()
    return (p * (log_p - log_q)).sum(-1), -(p * log_p).sum(-1)
