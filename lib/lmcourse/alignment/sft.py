"""Supervised fine-tuning: a model that continues text learns to answer, from prompts with good answers.

It is next-token prediction as before; what is new is where the loss is taken, on the answer's tokens alone, and how
conversations are written as text (the chat template) and laid out in rows (packing).

B rows, T length, N examples, V vocabulary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.training import History, adamw, example_batches, fit

IGNORE_INDEX = -100


class Example(NamedTuple):
    """One conversation: its tokens, and for each whether it is part of an answer (what the model has to learn)."""

    ids: list[int]
    answer: list[bool]


def prompt_and_answer(prompt: Sequence[int], answer: Sequence[int]) -> Example:
    """Return an example of a prompt and its answer, token ids both; the answer ends with its stop token."""
    return Example([*prompt, *answer], [False] * len(prompt) + [True] * len(answer))


@dataclass(frozen=True)
class ChatTemplate:
    """How the turns of a conversation are written as one text.

    Each turn is prefix, text, end, separator, and "{role}" in the prefix is replaced. The model learns the text and
    the end of the assistant's turns: the end is how it says that it has finished. `CHATML` is a widely used one.
    """

    prefix: str = "{role}: "
    end: str = "\n"
    separator: str = ""
    answering: str = "assistant"

    def parts(self, turns: Sequence[tuple[str, str]]) -> list[tuple[str, bool]]:
        """Return the pieces of a conversation and whether each is part of an answer.

        Args:
            turns: (role, text) pairs, such as ("user", "What is 2 + 2?").

        Raises:
            ValueError: no turns, or a text that holds the template's `end` (it would forge a turn).
        """
        if not turns:
            raise ValueError("`turns` must hold at least one (role, text) pair, got none.")
        pieces = []
        for role, text in turns:
            if self.end in text:
                raise ValueError(f"`turns` must not hold the template's end {self.end!r}, got {text[:60]!r}.")
            learned = role == self.answering
            pieces += [(self.prefix.replace("{role}", role), False), (text + self.end, learned)]
            pieces += [(self.separator, False)] if self.separator else []
        return pieces

    def render(self, turns: Sequence[tuple[str, str]], *, open_answer: bool = False) -> str:
        """Return the conversation as text; `open_answer` adds the beginning of an answer for the model to go on."""
        text = "".join(piece for piece, _ in self.parts(turns))
        return text + (self.prefix.replace("{role}", self.answering) if open_answer else "")

    def encode(self, turns: Sequence[tuple[str, str]], encode: Callable[[str], list[int]]) -> Example:
        """Return the conversation as token ids with its answers marked.

        Pieces are encoded one by one, so that no token reaches over the border of an answer, and the beginning of an
        answer has the same tokens here and when the model is asked.

        Args:
            turns: (role, text) pairs.
            encode: the tokenizer's: text to token ids.
        """
        ids: list[int] = []
        answer: list[bool] = []
        for piece, learned in self.parts(turns):
            new = encode(piece)
            ids += new
            answer += [learned] * len(new)
        return Example(ids, answer)


CHATML = ChatTemplate("<|im_start|>{role}\n", "<|im_end|>", "\n")


class Rows(NamedTuple):
    """Examples laid out in rows.

    Attributes:
        ids: (B, T).
        answer: (B, T) bool, True at tokens of answers.
        segments: (B, T), which example of its row a token belongs to, from 1; 0 at padding.
    """

    ids: Tensor
    answer: Tensor
    segments: Tensor


def pack(examples: Sequence[Example], length: int | None = None, *, pad_id: int = 0) -> Rows:
    """Return the examples laid out in rows, each at the first row with room for it.

    Args:
        examples: at least one, each with an answer.
        length: T; several examples share a row. None gives each a row of its own, as long as the longest.
        pad_id: what fills the rows up.

    Raises:
        ValueError: no examples, one with no token to learn, or one longer than `length`.
    """
    if not examples:
        raise ValueError("`examples` must hold at least one example, got none.")
    longest = max(len(example.ids) for example in examples)
    for number, example in enumerate(examples):
        if len(example.ids) != len(example.answer):
            raise ValueError(
                f"`examples` must mark each token, got {len(example.ids)} tokens and {len(example.answer)} marks "
                f"in example {number}."
            )
        if not any(example.answer[1:]):  # the first token of a text is never predicted
            raise ValueError(f"`examples` must each have an answer after a prompt, got none in example {number}.")
        if length is not None and len(example.ids) > length:
            raise ValueError(
                f"`length` must hold every example, got {length} for {len(example.ids)} in number {number}."
            )
    rows: list[list[Example]] = []
    room: list[int] = []
    for example in examples:
        place = next((row for row, left in enumerate(room) if left >= len(example.ids)), None) if length else None
        if place is None:
            rows.append([])
            room.append(length or 0)
            place = len(rows) - 1
        rows[place].append(example)
        room[place] -= len(example.ids)
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
    """Return the mean cross-entropy of the answers' tokens given all before them in their example, in nats.

    Examples that share a row do not see each other.

    Args:
        model: gives logits (B, T, V) for ids (B, T), with a `attention_mask` (B, T, T) where rows are shared (as `GPT`).
        rows: from `pack`.
        loss_on: "all" takes the prompts' tokens too, all but the first of each example.

    Source: Radford et al., 2018, equation 1, for the loss; Raffel et al., 2020, section 3.2.3, for the loss on the
    answer alone and (section 3.5.2) for packing.
    """
    ids, answer, segments = rows
    same = segments[:, :-1, None] == segments[:, None, :-1]  # (B, T - 1, T - 1)
    shared = bool((segments > 1).any())
    logits = model(ids[:, :-1], attention_mask=same) if shared else model(ids[:, :-1])  # (B, T - 1, V)
    counts = answer[:, 1:] if loss_on == "answer" else segments[:, 1:] > 0
    counts = counts & (segments[:, 1:] == segments[:, :-1])  # an example's first token has nothing before it
    targets = ids[:, 1:].masked_fill(~counts, IGNORE_INDEX)
    return F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), ignore_index=IGNORE_INDEX)


class SFTTrainer:
    """Tunes a model on examples of prompts with answers, by the course's one loop.

    Args:
        model: tuned in place.
        examples: conversations, of `ChatTemplate.encode` or `prompt_and_answer`.
        loss_on: "answer", or "all" for plain language modelling.
        length: rows of this length, shared by several examples; None gives each example its own row.
        batch_size: rows a step.
        lr: of AdamW.
        generator: seeds the order of the rows.

    Raises:
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
        if loss_on not in ("answer", "all"):
            raise ValueError(f'`loss_on` must be "answer" or "all", got {loss_on!r}.')
        self.model, self.loss_on, self.pad_id = model, loss_on, pad_id
        self.rows = pack(examples, length, pad_id=pad_id)
        self.batches = example_batches(tuple(self.rows), batch_size, generator=generator)
        self.optimizer = adamw(model, lr)

    def fit(self, max_steps: int, **options: Any) -> History:
        """Train for so many steps in all; `options` are those of `training.fit` (schedule, validate, progress, ...)."""
        return fit(self.model, self.batches, self.loss, optimizer=self.optimizer, max_steps=max_steps, **options)

    def loss(self, model: nn.Module, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """Return the loss of one batch of rows."""
        return sft_loss(model, Rows(*batch), loss_on=self.loss_on)


@torch.no_grad()
def mean_answer_nll(model: nn.Module, examples: Sequence[Example], *, batch_size: int = 64, pad_id: int = 0) -> float:
    """Return the mean cross-entropy of the answers' tokens of held-out examples, in nats."""
    rows = pack(examples, pad_id=pad_id)
    was_training, device = model.training, next(model.parameters()).device
    model.eval()
    total, count = 0.0, 0
    for start in range(0, len(rows.ids), batch_size):
        part = Rows(*(each[start : start + batch_size].to(device) for each in rows))
        n = int(part.answer[:, 1:].sum())
        total, count = total + n * float(sft_loss(model, part)), count + n
    model.train(was_training)
    return total / count
