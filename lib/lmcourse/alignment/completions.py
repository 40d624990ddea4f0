"""Prompts with completions as tensors: collated, sampled from a policy, and scored by a model.

B completions, P length of the prompts (padded on the left), R of the completions (padded on the right), D width,
V vocabulary.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.alignment.policies import Policy, ReadsByParts, check_policy, check_predicts_by_head
from lmcourse.generation import generate
from lmcourse.generation.language_model import LanguageModel, MakesDecoder
from lmcourse.kernels.shared_prefix import hidden_from_prefix_on
from lmcourse.kernels.switch import eager

Rows = int | slice | Tensor | Sequence[int]


@dataclass(frozen=True)
class Completions:
    """Completions behind their prompts.

    `completions[rows]` are some of them, cut to the longest; iterating gives them one by one, each as `Completions`.

    Attributes:
        ids: (B, P + R): padding, prompt, completion with its stop token, padding.
        attention_mask: (B, P + R) bool, False at padding.
        prompt_length: P.
        samples: n, consecutive completions of the same prompt; it is read once for all of them.

    Raises:
        TypeError: ids that are not integers, a mask that is not bool, sizes that are not integers.
        ValueError: unequal shapes, P outside 1..P + R, a number of rows that n does not divide, or n consecutive rows
            whose prompts differ.
    """

    ids: Tensor
    attention_mask: Tensor
    prompt_length: int
    samples: int = 1

    def __post_init__(self) -> None:
        n, P = self.samples, self.prompt_length
        tensor_checks.integers(ids=self.ids)
        tensor_checks.boolean(attention_mask=self.attention_mask)
        tensor_checks.shape(("B", "P + R"), ids=self.ids)
        tensor_checks.same_shape(ids=self.ids, attention_mask=self.attention_mask)
        tensor_checks.same_device(ids=self.ids, attention_mask=self.attention_mask)
        checks.whole(samples=n, at_least=1)
        checks.whole(prompt_length=P, at_least=1, at_most=self.ids.shape[1])
        if n == 1 or not eager(self.ids, self.attention_mask):
            return
        parts = (self.ids[:, :P], self.attention_mask[:, :P])
        if len(self) % n or not all(torch.equal(part, part[::n].repeat_interleave(n, 0)) for part in parts):
            raise ValueError(
                f"`samples` must be the number of consecutive completions of the same prompt, got samples={n} for "
                f"{len(self)} rows whose prompts are not the same in groups of {n}."
            )

    @property
    def completion_ids(self) -> Tensor:
        """(B, R)."""
        return self.ids[:, self.prompt_length :]

    @property
    def completion_mask(self) -> Tensor:
        """(B, R) bool, True at the tokens of the completion, including its stop token."""
        return self.attention_mask[:, self.prompt_length :]

    @property
    def lengths(self) -> Tensor:
        """Tokens of each completion, (B,)."""
        return self.completion_mask.sum(1)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator["Completions"]:
        return (self[row] for row in range(len(self)))

    def __getitem__(self, rows: Rows) -> "Completions":
        """Return some of the completions, cut to the longest of them. Whole groups, one after the other, stay groups.

        Raises:
            TypeError: what is no index, slice, tensor or list of indices.
            IndexError: a row that there is not.
        """
        rows = checked_rows(rows, len(self), "completions", on_meta=self.ids.is_meta)
        ids, mask = self.ids[rows], self.attention_mask[rows]
        longest = mask.shape[1] - self.prompt_length  # where lengths cannot be read
        if eager(mask):
            longest = int(mask[:, self.prompt_length :].sum(1).max()) if len(ids) else 0
        end = self.prompt_length + longest
        return Completions(ids[:, :end], mask[:, :end], self.prompt_length, self._samples_of(rows))

    def _samples_of(self, rows: slice | Tensor | Sequence[int]) -> int:
        """How many consecutive ones of these rows belong to one prompt: n, or 1 if the groups are split up."""
        n = self.samples
        if n == 1 or not eager(self.ids):
            return 1
        prompts = torch.arange(len(self), device=self.ids.device)[rows] // n
        groups = prompts.view(-1, n) if len(prompts) % n == 0 else prompts.view(1, -1)
        return n if groups.shape[1] == n and bool((groups == groups[:, :1]).all()) else 1

    def to(self, device: torch.device | str) -> "Completions":
        checks.instance((torch.device, str), device=device)
        return Completions(self.ids.to(device), self.attention_mask.to(device), self.prompt_length, self.samples)

    def tokens(self, *, stop_id: int | None = None) -> list[list[int]]:
        """Return the completions as lists of ids, without padding and without the stop token at their end."""
        if stop_id is not None:
            checks.whole(stop_id=stop_id)
        rows = [row[mask].tolist() for row, mask in zip(self.completion_ids, self.completion_mask, strict=True)]
        return [row[:-1] if row and row[-1] == stop_id else row for row in rows]

    def prompts(self) -> list[list[int]]:
        """Return the prompts as lists of ids, without padding."""
        P = self.prompt_length
        return [row[mask].tolist() for row, mask in zip(self.ids[:, :P], self.attention_mask[:, :P], strict=True)]


def checked_rows(rows: Rows, n: int, name: str, *, on_meta: bool) -> slice | Tensor | Sequence[int]:
    """Return which of `n` rows are meant; a single one, which may be counted from the end, as a slice.

    Those of tensors on the meta device may be indices without values.

    Raises:
        TypeError: what is no index, slice, tensor or list of indices.
        IndexError: there is no such row.
    """
    if isinstance(rows, slice):
        return rows
    if isinstance(rows, Tensor):
        if rows.dtype != torch.bool:
            tensor_checks.integers(rows=rows)
        tensor_checks.shape(("N",), rows=rows)
        if rows.dtype == torch.bool or not on_meta:
            tensor_checks.has_values(rows=rows)
        return rows
    several = isinstance(rows, list | tuple)
    indices: list[Any] = list(rows) if isinstance(rows, list | tuple) else [rows]
    for index in indices:
        checks.whole(rows=index)
        if not -n <= index < n:
            raise IndexError(f"`rows` must be in {-n}..{n - 1}: there are {n} {name}, got index {index}.")
    return indices if several else slice(indices[0] % n, indices[0] % n + 1)


def collate(prompts: Sequence[Sequence[int]], completions: Sequence[Sequence[int]], *, pad_id: int = 0) -> Completions:
    """Return prompts and completions, lists of token ids, as tensors.

    Args:
        prompts: at least one token each.
        completions: as many, at least one token each: an empty completion is its stop token.
        pad_id: the id at padding; its value does not matter.

    Raises:
        TypeError: ids that are not integers.
        ValueError: none, unequal numbers, an empty prompt or completion.
    """
    return collated(pad_id, prompts=prompts, completions=completions)


def collated(pad_id: int, **rows: Sequence[Sequence[int]]) -> Completions:
    """`collate`, of two arguments that errors call by their names."""
    checks.whole(pad_id=pad_id)
    (first, prompts), (second, completions) = (
        (name, tensor_checks.id_rows(**{name: value})) for name, value in rows.items()
    )
    if len(prompts) != len(completions):
        raise ValueError(f"`{first}` and `{second}` must be equally many, got {len(prompts)} and {len(completions)}.")
    P, R = max(map(len, prompts)), max(map(len, completions))
    ids = torch.full((len(prompts), P + R), pad_id)
    mask = torch.zeros(len(prompts), P + R, dtype=torch.bool)
    for row, (prompt, completion) in enumerate(zip(prompts, completions, strict=True)):
        start, end = P - len(prompt), P + len(completion)
        ids[row, start:P], ids[row, P:end] = prompt, completion
        mask[row, start:end] = True
    return Completions(ids, mask, P)


def generate_completions(
    model: LanguageModel[Any],
    prompts: Tensor,
    max_new_tokens: int,
    *,
    stop_id: int,
    attention_mask: Tensor | None = None,
    temperature: float = 1.0,
    samples: int = 1,
    generator: torch.Generator | None = None,
) -> Completions:
    """Return completions of each prompt, sampled from the model.

    Args:
        model: see `generation.generate`.
        prompts: (B, P), padded on the left.
        max_new_tokens: a completion that has not stopped by then ends there, without a stop token; at least 1.
        stop_id: ends a completion, and belongs to it.
        attention_mask: (B, P) bool, False at padding; needed only with padded prompts.
        temperature: of the sampling.
        samples: completions of each prompt, one after the other.
        generator: for reproducible samples.

    Returns:
        B times `samples` completions.

    Raises:
        TypeError, ValueError: as `generation.generate`, among them more tokens than the model has positions.
    """
    checks.whole(max_new_tokens=max_new_tokens, samples=samples, at_least=1)
    checks.whole(stop_id=stop_id, at_least=0)
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
    completion_mask = stops.cumsum(1) - stops.long() == 0  # up to the first stop token, and including it
    if attention_mask is None:
        attention_mask = torch.ones_like(prompts, dtype=torch.bool)
    mask = torch.cat([attention_mask.repeat_interleave(samples, 0), completion_mask], dim=1)
    return Completions(ids, mask, P, samples)


class RecordingPolicy:
    """A policy for one call of `generate_completions` that records the inputs and outputs of its head.

    Where the policy can make a decoder (`models.GPT.decoder`), that reads the text.
    """

    def __init__(self, policy: Policy, *, samples: int = 1) -> None:
        check_predicts_by_head(policy=policy)
        self.policy, self.new_cache, self.samples = policy, policy.new_cache, samples
        self._reader: ReadsByParts = policy
        self.head_inputs: list[Tensor] = []
        self.head_outputs: list[Tensor] = []

    def decoder(self) -> "RecordingPolicy":
        """Read with the policy's decoder from now on, if it can make one."""
        if hasattr(type(self.policy), "decoder"):
            made = cast(MakesDecoder[Any], self.policy).decoder()
            self._reader = self.policy if made is None else cast(ReadsByParts, made)
        return self

    def modules(self) -> Iterator[nn.Module]:
        """Yield the modules that are called."""
        return iter(self._reader.modules())

    def __call__(
        self, ids: Tensor, *, cache: Any, attention_mask: Tensor | None = None, last_only: bool = True
    ) -> Tensor:
        """Return the logits of the next token, (B, 1, V)."""
        hidden = self._reader.hidden(ids, cache=cache, attention_mask=attention_mask)[:, -1:]  # (B, 1, D)
        self.head_inputs.append(hidden)
        self.head_outputs.append(self._reader.head(hidden))
        return self.head_outputs[-1]

    def hidden(self) -> Tensor:
        """Return the hidden states from which the tokens were predicted, (B, R, D)."""
        return self._of_completions(self.head_inputs)

    def logits(self) -> Tensor:
        """Return the logits from which the tokens were sampled, (B, R, V)."""
        return self._of_completions(self.head_outputs)

    def _of_completions(self, steps: list[Tensor]) -> Tensor:
        first, *later = steps  # each prompt was read once for all its completions
        return torch.cat([first.repeat_interleave(self.samples, 0), *later], dim=1)


def completion_hidden_states(model: Policy, completions: Completions, *, before: bool = False) -> Tensor:
    """Return the hidden states at each token of the completions, or at the token before each, (B, R, D).

    A prompt of several completions is read once for all of them where that pays; see `kernels.shared_prefix`.
    """
    ids = completions.ids[:, :-1] if before else completions.ids
    first = completions.attention_mask[:, 0]
    unpadded = eager(first) and bool(first.all())  # on the left; padding on the right is in the future
    mask = None if unpadded else completions.attention_mask[:, : ids.shape[1]]
    hidden = hidden_from_prefix_on(
        model, ids, completions.prompt_length, samples=completions.samples, attention_mask=mask
    )
    return hidden if before else hidden[:, 1:]


def completion_logits(model: Policy, completions: Completions, *, temperature: float = 1.0) -> tuple[Tensor, Tensor]:
    """Return the logits of a model for each token of the completions, from one forward pass.

    Args:
        model: see `Policy`. Its head is applied at the completions only, not at the prompts.
        completions: B of them.
        temperature: with which they were sampled, more than 0.

    Returns:
        logits (B, R, V) of each token given those before it, and the hidden states from which they were computed,
        (B, R, D). Under autocast to bfloat16 the logits are converted to float32.

    Raises:
        TypeError: `temperature` is not a number; the model's call is more than its `head(hidden(ids))`.
        ValueError: `temperature` is not more than 0.
    """
    checks.number(temperature=temperature, above=0.0)
    check_predicts_by_head(model=model)
    hidden = completion_hidden_states(model, completions, before=True)
    logits = model.head(hidden)
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    return logits if temperature == 1.0 else logits / temperature, hidden


def token_log_probs(logits: Tensor, ids: Tensor) -> Tensor:
    """Return log softmax(logits) at the ids: logits (B, R, V), ids (B, R) of any integer dtype -> (B, R).

    Raises:
        TypeError: logits that are not floating-point, or ids that are not integers.
        ValueError: shapes that do not match, or (checked on the CPU) an id outside 0..V-1.
    """
    tensor_checks.floating(logits=logits)
    tensor_checks.integers(ids=ids)
    tensor_checks.same_device(logits=logits, ids=ids)
    if logits.dim() != 3 or logits.shape[:2] != ids.shape:
        raise ValueError(
            f"`logits` must have shape (B, R, V) and `ids` (B, R), got {tuple(logits.shape)} and {tuple(ids.shape)}."
        )
    tensor_checks.integers(ids=ids, at_least=0, below=logits.shape[-1])
    return -F.cross_entropy(logits.flatten(0, 1), ids.flatten().long(), reduction="none").view(ids.shape)


def completion_log_probs(model: Policy, completions: Completions, *, temperature: float = 1.0) -> Tensor:
    """Return the log-probability of each whole completion, the sum over its tokens, (B,).

    Arguments and errors are those of `completion_logits`.
    """
    check_policy(model=model)
    checks.instance(Completions, completions=completions)
    logits, _ = completion_logits(model, completions, temperature=temperature)
    return token_log_probs(logits, completions.completion_ids).masked_fill(~completions.completion_mask, 0.0).sum(1)


@torch.no_grad()
def policy_metrics(policy: Policy, reference: Policy, completions: Completions) -> dict[str, float]:
    """Return how a policy differs from its reference, on completions that were sampled from the policy.

    Returns:
        kl: nats per completion, the sum over its tokens of KL(policy || reference) of the next token. Its mean over
            completions sampled from the policy is the KL divergence of whole completions, with less noise than the
            mean of log policy(completion) - log reference(completion).
        entropy: nats per token, of the policy's next token.
        length: tokens per completion, including the stop token.

    Raises:
        TypeError: an argument of another kind.
        ValueError: no completions.

    Source: for the sum, the chain rule of Cover and Thomas, "Elements of information theory", 2006, theorem 2.5.3.
    """
    check_policy(policy=policy, reference=reference)
    checks.instance(Completions, completions=completions)
    checks.not_empty(completions=completions)
    log_p, log_q = (completion_logits(model, completions)[0].log_softmax(-1) for model in (policy, reference))
    kl, entropy = kl_and_entropy(log_p, log_q)
    mask = completions.completion_mask
    return {
        "kl": float(kl.masked_fill(~mask, 0.0).sum(1).mean()),
        "entropy": float(entropy[mask].mean()),
        "length": float(completions.lengths.double().mean()),
    }


def kl_and_entropy(log_p: Tensor, log_q: Tensor) -> tuple[Tensor, Tensor]:
    """Return KL(p || q) and the entropy of p, over the last dimension, in nats."""
    p = log_p.exp()
    return (p * (log_p - log_q)).sum(-1), -(p * log_p).sum(-1)
