"""The town of `data.town` as models meet it: its vocabulary, its chat template, examples, and replies looked at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from lmcourse.alignment.sft import ChatTemplate, Example
from lmcourse.data import town
from lmcourse.generation import generate
from lmcourse.generation.tools import calculate
from lmcourse.tokenizers import Vocabulary

TEMPLATE = ChatTemplate("<{role}> ", f" {town.END}", " ", answering="bot")
LONGEST_REPLY = 14


@dataclass(frozen=True)
class TownChat:
    """Conversations in the town's words.

    Attributes:
        vocabulary: of all its tokens.
        template: how conversations are written: "<user> what is ... ? <end> <bot> it is ... . <end> ".
    """

    vocabulary: Vocabulary = field(default_factory=lambda: Vocabulary(town.vocabulary_words()))
    template: ChatTemplate = TEMPLATE

    @property
    def stop_id(self) -> int:
        return self.vocabulary.index(town.END)

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text."""
        return self.vocabulary.encode(town.tokens(text))

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of some ids, up to the first end token."""
        words = self.vocabulary.decode(ids)
        return " ".join(words[: words.index(town.END)] if town.END in words else words)

    def stream(self, documents: Sequence[str]) -> Tensor:
        """Return documents as one long text, (N,), an end token after each."""
        return torch.tensor([number for text in documents for number in (*self.encode(text), self.stop_id)])

    def examples(self, turns: Sequence[town.Turn]) -> list[Example]:
        """Return what a model is tuned on; the turns of "bot" are what it has to learn."""
        return [self.template.encode(turn.conversation(), self.encode) for turn in turns]

    def prompts(self, turns: Sequence[town.Turn]) -> list[str]:
        """Return the beginnings of conversations, up to where the model has to go on."""
        openings = [turn.conversation() for turn in turns]
        firsts = [next(n for n, (role, _) in enumerate(opening) if role == "bot") for opening in openings]
        return [self.template.render(o[:n], open_answer=True) for o, n in zip(openings, firsts, strict=True)]

    def go_on(self, model: Any, texts: Sequence[str], max_new_tokens: int = LONGEST_REPLY) -> list[str]:
        """Return what a model most likely writes after each of some texts, up to its end token."""
        rows = [self.encode(text) for text in texts]
        longest = max(map(len, rows))
        device = next(model.parameters()).device
        ids = torch.tensor([[self.stop_id] * (longest - len(row)) + row for row in rows], device=device)
        keep = torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows], device=device)
        stops = (self.stop_id,)
        written = generate(model, ids, max_new_tokens, temperature=0.0, stop_ids=stops, attention_mask=keep)
        return [self.decode(row) for row in written[:, longest:].tolist()]

    def share_right(
        self, model: Any, turns: Sequence[town.Turn], *, tool: Callable[[str], str] | None = None
    ) -> tuple[float, list[str]]:
        """Return the share of turns that a model answers word for word as in `reply`, and its answers.

        Args:
            model: the likeliest words are taken.
            turns: at least one.
            tool: answers calls; without one, a call is the answer. After a call its result stands in the
                prompt, and the model goes on.
        """
        prompts = self.prompts(turns)
        answers = self.go_on(model, prompts)
        called = [n for n, answer in enumerate(answers) if answer.startswith(town.CALL)] if tool else []
        if tool and called:
            again = []
            for n in called:
                result = tool(answers[n].removeprefix(town.CALL))
                separator, end = self.template.separator, self.template.end
                tool_turn = self.template.render([("tool", result)], open_answer=True)
                again.append(prompts[n] + answers[n] + end + separator + tool_turn)
            for n, answer in zip(called, self.go_on(model, again), strict=True):
                answers[n] = answer
        right = sum(answer == turn.reply for answer, turn in zip(answers, turns, strict=True))
        return right / len(turns), answers


def calculator(call: str) -> str:
    """Return the result of a call such as "4 7 + 3 8", digits apart, or "error" for what is no sum."""
    try:
        return " ".join(str(calculate(call.replace(" ", ""))))
    except ValueError:
        return "error"
