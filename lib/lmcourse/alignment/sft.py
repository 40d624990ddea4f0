"""Supervised fine-tuning: a model that continues text learns to answer, from prompts with good answers.

It is next-token prediction as before. What is new is where the loss is computed, on the tokens of the answer only, and
how conversations are written as text (the chat template) and arranged in rows (packing).

B rows, T length, N examples, V vocabulary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.alignment.policies import check_language_model
from lmcourse.kernels.switch import eager
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.runtime import evaluation_mode
from lmcourse.training import History, adamw, example_batches, fit


class Example(NamedTuple):
    """One conversation: its tokens, and for each whether it is part of an answer (what the model has to learn)."""

    ids: list[int]
    answer: list[bool]


def prompt_and_answer(prompt: Sequence[int], answer: Sequence[int]) -> Example:
    """Return the example of a prompt and its answer, both token ids; the answer ends with its stop token.

    Raises:
        TypeError: ids that are not integers.
        ValueError: a negative id.
    """
    checks.whole_items(prompt=prompt, answer=answer, at_least=0)
    return Example([*prompt, *answer], [False] * len(prompt) + [True] * len(answer))


@dataclass(frozen=True)
class ChatTemplate:
    """How the turns of a conversation are written as one text. `CHATML` is a widely used one.

    Each turn is prefix, text, end, separator, with "{role}" in the prefix replaced. The model learns the text and the
    end of the assistant's turns: the end is how it signals that it has finished.

    Attributes:
        prefix, end, separator: of each turn.
        assistant: the role whose turns are learned.
    """

    prefix: str = "{role}: "
    end: str = "\n"
    separator: str = ""
    assistant: str = "assistant"

    def __post_init__(self) -> None:
        checks.instance(str, prefix=self.prefix, end=self.end, separator=self.separator, assistant=self.assistant)
        checks.not_empty(end=self.end)

    def parts(self, turns: Sequence[tuple[str, str]]) -> list[tuple[str, bool]]:
        """Return the parts of a conversation, and for each whether it belongs to an answer.

        Args:
            turns: (role, text) pairs, such as ("user", "What is 2 + 2?").

        Raises:
            TypeError: turns that are not pairs of str.
            ValueError: no turns, or a text that contains the template's `end` (it would forge a turn).
        """
        checks.instance(Sequence, turns=turns)
        if not turns:
            raise ValueError("`turns` must hold at least one (role, text) pair, got none.")
        parts = []
        for number, turn in enumerate(turns):
            role, text = checks.pair(**{f"turns[{number}]": turn})
            checks.instance(str, **{f"turns[{number}][0]": role, f"turns[{number}][1]": text})
            if self.end in text:
                raise ValueError(f"`turns` must not contain the template's end {self.end!r}, got {text[:60]!r}.")
            learned = role == self.assistant
            parts += [(self.prefix.replace("{role}", role), False), (text + self.end, learned)]
            parts += [(self.separator, False)] if self.separator else []
        return parts

    def render(self, turns: Sequence[tuple[str, str]], *, add_generation_prompt: bool = False) -> str:
        """Return the conversation as text; `add_generation_prompt` appends the prefix of the assistant's next turn."""
        text = "".join(part for part, _ in self.parts(turns))
        return text + (self.prefix.replace("{role}", self.assistant) if add_generation_prompt else "")

    def encode(self, turns: Sequence[tuple[str, str]], encode: Callable[[str], list[int]]) -> Example:
        """Return the conversation as token ids with its answers marked.

        The parts are encoded one by one, so that no token crosses the boundary of an answer, and the beginning of an
        answer has the same tokens here and when the model is asked.

        Args:
            turns: (role, text) pairs.
            encode: the tokenizer's function from text to token ids.

        Raises:
            TypeError, ValueError: as `parts`; an `encode` that does not return token ids.
        """
        checks.function(encode=encode)
        ids: list[int] = []
        answer: list[bool] = []
        for part, learned in self.parts(turns):
            new = encode(part)
            if not isinstance(new, Sequence):
                raise TypeError(f"`encode` must return a list of token ids, got {type(new).__name__}.")
            ids += new
            answer += [learned] * len(new)
        return Example(ids, answer)


CHATML = ChatTemplate("<|im_start|>{role}\n", "<|im_end|>", "\n")


class Rows(NamedTuple):
    """Examples in rows.

    Attributes:
        ids: (B, T).
        answer: (B, T) bool, True at the tokens of answers.
        segments: (B, T), the number, within its row, of the example that a token belongs to, from 1; 0 at padding.
    """

    ids: Tensor
    answer: Tensor
    segments: Tensor


def pack(examples: Sequence[Example], length: int | None = None, *, pad_id: int = 0) -> Rows:
    """Return the examples in rows, each in the first row with enough space left for it (first fit).

    Args:
        examples: at least one, each with an answer.
        length: T; several examples share a row. None gives each a row of its own, as long as the longest.
        pad_id: the id at padding.

    Raises:
        TypeError: sizes that are not integers.
        ValueError: no examples, one with no token to learn or a negative id, or one longer than `length`.
    """
    checks.whole(pad_id=pad_id)
    checks.whole(length=1 if length is None else length, at_least=1)
    checks.instance(Sequence, examples=examples)
    if not len(examples):
        raise ValueError("`examples` must hold at least one example, got none.")
    for number, example in enumerate(examples):
        checks.instance(Example, **{f"examples[{number}]": example})
        if len(example.ids) != len(example.answer):
            raise ValueError(
                f"`examples` must mark each token, got {len(example.ids)} tokens and {len(example.answer)} marks "
                f"in example {number}."
            )
        if min(example.ids, default=0) < 0:
            raise ValueError(f"`examples` must hold token ids, at least 0, got {min(example.ids)} in example {number}.")
        if not any(example.answer[1:]):  # the first token of a text is never predicted
            raise ValueError(f"`examples` must each have an answer after a prompt, got none in example {number}.")
        if length is not None and len(example.ids) > length:
            raise ValueError(
                f"`length` must be at least that of every example, got length={length} and {len(example.ids)} tokens "
                f"in example {number}."
            )
    longest = max(len(example.ids) for example in examples)
    rows: list[list[Example]] = []
    free: list[int] = []  # tokens left in each row
    for example in examples:
        row = next((row for row, left in enumerate(free) if left >= len(example.ids)), None) if length else None
        if row is None:
            rows.append([])
            free.append(length or 0)
            row = len(rows) - 1
        rows[row].append(example)
        free[row] -= len(example.ids)
    shape = (len(rows), length or longest)
    ids, answer = torch.full(shape, pad_id), torch.zeros(shape, dtype=torch.bool)
    segments = torch.zeros(shape, dtype=torch.long)
    for row, packed in enumerate(rows):
        start = 0
        for number, example in enumerate(packed, start=1):
            end = start + len(example.ids)
            ids[row, start:end] = torch.tensor(example.ids)
            answer[row, start:end] = torch.tensor(example.answer)
            segments[row, start:end] = number
            start = end
    return Rows(ids, answer, segments)


def sft_loss(model: nn.Module, rows: Rows, *, loss_on: Literal["answer", "all"] = "answer") -> Tensor:
    """Return the mean cross-entropy of the answers' tokens, given all tokens before them in their example, in nats.

    Examples that share a row do not see each other.

    Args:
        model: gives logits (B, T, V) for ids (B, T), with an `attention_mask` (B, T, T) where rows are shared (`GPT`).
        rows: from `pack`.
        loss_on: "all" takes the prompts' tokens too, all but the first of each example.

    Raises:
        TypeError: a model that is no `LanguageModel`, rows of another kind; ids or segments that are not integers, or
            answers that are not bool.
        ValueError: unequal shapes, rows of fewer than two tokens, another `loss_on`, or (found on the CPU) no token to
            learn, or one outside the vocabulary.

    Source: Radford et al., 2018, equation 1, for the loss; Raffel et al., 2020, section 3.2.3, for the loss on the
    answer alone and (section 3.5.2) for packing.
    """
    check_language_model(model=model)
    checks.instance(Rows, rows=rows)
    return _sft_loss_and_count(model, rows, loss_on, "rows.ids")[0]


def _sft_loss_and_count(
    model: nn.Module, rows: Rows, loss_on: Literal["answer", "all"], name: str = "examples"
) -> tuple[Tensor, Tensor]:
    """The loss, and the number of tokens that it is the mean over; errors about the ids call them by `name`."""
    ids, answer, segments = rows
    checks.one_of(("answer", "all"), loss_on=loss_on)
    tensor_checks.integers(ids=ids, segments=segments)
    tensor_checks.boolean(answer=answer)
    tensor_checks.same_shape(ids=ids, answer=answer, segments=segments)
    if ids.dim() != 2 or ids.shape[1] < 2:
        raise ValueError(f"`rows` must have shape (B, T) with T at least 2, got {tuple(ids.shape)}.")
    ids = ids.long()
    counts = answer[:, 1:] if loss_on == "answer" else segments[:, 1:] > 0
    counts = counts & (segments[:, 1:] == segments[:, :-1])  # an example's first token has nothing before it
    if tensor_checks.values_are_readable(counts) and not bool(counts.any()):
        raise ValueError("`rows` must hold at least one token to learn, got none.")
    same = segments[:, :-1, None] == segments[:, None, :-1]  # (B, T - 1, T - 1)
    shared = not eager(segments) or bool((segments > 1).any())
    logits = model(ids[:, :-1], attention_mask=same) if shared else model(ids[:, :-1])  # (B, T - 1, V)
    learned = ids[:, 1:].masked_fill(~counts, 0)
    tensor_checks.integers(at_least=0, below=logits.shape[-1], **{name: learned})
    targets = learned.masked_fill(~counts, IGNORE_INDEX)
    loss = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), ignore_index=IGNORE_INDEX)
    return loss, counts.sum()


class SFTTrainer:
    """Tunes a model on examples of prompts with answers, by the course's one loop.

    Args:
        model: tuned in place.
        examples: conversations, of `ChatTemplate.encode` or `prompt_and_answer`.
        loss_on: "answer", or "all" for plain language modelling.
        length: rows of this length, shared by several examples; None gives each example its own row.
        batch_size: rows a step.
        lr: of AdamW.
        pad_id: the id at padding.
        generator: seeds the order of the rows.

    Attributes:
        history: of all steps so far, including those before an error or an interruption.

    Raises:
        TypeError: an argument of another kind.
        ValueError: see `pack`; a `loss_on` of neither kind, more rows in a batch than there are.
    """

    def __init__(
        self,
        model: nn.Module,
        examples: Sequence[Example],
        *,
        loss_on: Literal["answer", "all"] = "answer",
        length: int | None = None,
        batch_size: int = 32,
        lr: float = 1e-3,
        pad_id: int = 0,
        generator: torch.Generator | None = None,
    ) -> None:
        check_language_model(model=model)
        checks.one_of(("answer", "all"), loss_on=loss_on)
        self.model, self.loss_on, self.history = model, loss_on, History()
        self.rows = pack(examples, length, pad_id=pad_id)
        self.batches = example_batches(tuple(self.rows), batch_size, generator=generator)
        self.optimizer = adamw(model, lr)

    def fit(self, steps: int, **options: Any) -> History:
        """Train for `steps` more steps; return the history of all so far.

        Steps count on: a `schedule` gets their number since the trainer was made.

        Args:
            steps: at least 1.
            options: those of `training.fit` (schedule, validate, accumulate, checkpoint, progress, ...).
        """
        checks.whole(steps=steps, at_least=1)
        return fit(
            self.model, self.batches, self._loss, optimizer=self.optimizer, max_steps=len(self.history) + steps,
            history=self.history, **options,
        )  # fmt: skip

    def _loss(self, model: nn.Module, batch: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        """Return the loss of one batch of rows, and the number of tokens that it is the mean over."""
        return _sft_loss_and_count(model, Rows(*batch), self.loss_on)


@torch.no_grad()
def mean_answer_nll(model: nn.Module, examples: Sequence[Example], *, batch_size: int = 64, pad_id: int = 0) -> float:
    """Return the mean cross-entropy of the answers' tokens of held-out examples, in nats.

    Args:
        model, examples: see `sft_loss` and `pack`.
        batch_size: examples read together, at least 1; it does not change the result.
        pad_id: the id at padding.

    Raises:
        TypeError, ValueError: as `pack`; `batch_size` below 1; an id outside the vocabulary (found on the CPU).
    """
    check_language_model(model=model)
    checks.whole(batch_size=batch_size, at_least=1)
    rows = pack(examples, pad_id=pad_id)
    device = next(model.parameters()).device
    total, count = 0.0, 0
    with evaluation_mode(model.modules()):
        for start in range(0, len(rows.ids), batch_size):
            part = Rows(*(each[start : start + batch_size].to(device) for each in rows))
            loss, n = _sft_loss_and_count(model, part, "answer")
            total, count = total + int(n) * float(loss), count + int(n)
    return total / count
