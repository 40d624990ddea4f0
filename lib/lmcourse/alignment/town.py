"""The town of `data.town` for models: its vocabulary, its chat template, examples, and how replies are scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from lmcourse import checks
from lmcourse.alignment.policies import check_language_model
from lmcourse.alignment.sft import ChatTemplate, Example
from lmcourse.data import town
from lmcourse.generation import generate
from lmcourse.generation.tools import calculate
from lmcourse.tokenizers import Vocabulary

__all__ = ["TownChat", "calculator"]

TEMPLATE = ChatTemplate("<{role}> ", f" {town.END}", " ", assistant="bot")
MAX_NEW_TOKENS = 14  # of a reply


@dataclass(frozen=True)
class TownChat:
    """Conversations in the town's words.

    Attributes:
        vocabulary: all its tokens.
        template: how conversations are written: "<user> what is ... ? <end> <bot> it is ... . <end> ".
    """

    vocabulary: Vocabulary = field(default_factory=lambda: Vocabulary(town.vocabulary_words()))
    template: ChatTemplate = TEMPLATE

    def __post_init__(self) -> None:
        checks.instance(Vocabulary, vocabulary=self.vocabulary)
        checks.instance(ChatTemplate, template=self.template)

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
        """Return the ids of all documents one after the other, (N,), with an end token after each."""
        checks.texts(documents=documents)
        return torch.tensor([number for text in documents for number in (*self.encode(text), self.stop_id)])

    def examples(self, turns: Sequence[town.Turn]) -> list[Example]:
        """Return the examples that a model is tuned on; it learns the turns of "bot"."""
        _check_turns(turns)
        return [self.template.encode(turn.conversation(), self.encode) for turn in turns]

    def prompts(self, turns: Sequence[town.Turn]) -> list[str]:
        """Return the beginnings of conversations, up to where the model has to answer."""
        _check_turns(turns)
        openings = [turn.conversation() for turn in turns]
        firsts = [next(n for n, (role, _) in enumerate(opening) if role == "bot") for opening in openings]
        return [self.template.render(o[:n], add_generation_prompt=True) for o, n in zip(openings, firsts, strict=True)]

    def continue_texts(self, model: Any, texts: Sequence[str], max_new_tokens: int = MAX_NEW_TOKENS) -> list[str]:
        """Return the model's greedy continuation of each text, up to its end token.

        Raises:
            ValueError: no texts.
        """
        check_language_model(model=model)
        checks.texts(texts=texts)
        checks.not_empty(texts=texts)
        for text in texts:
            checks.not_empty(**{"texts[...]": town.tokens(text)})
        rows = [self.encode(text) for text in texts]
        longest = max(map(len, rows))
        device = next(model.parameters()).device
        ids = torch.tensor([[self.stop_id] * (longest - len(row)) + row for row in rows], device=device)
        mask = torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows], device=device)
        stops = (self.stop_id,)
        written = generate(model, ids, max_new_tokens, temperature=0.0, stop_ids=stops, attention_mask=mask)
        return [self.decode(row) for row in written[:, longest:].tolist()]

    def accuracy(
        self, model: Any, turns: Sequence[town.Turn], *, tool: Callable[[str], str] | None = None
    ) -> tuple[float, list[str]]:
        """Return the fraction of turns that a model answers word for word as in `reply`, and its answers.

        Args:
            model: decodes greedily.
            turns: at least one.
            tool: answers calls; without one, a call is the answer. After a call its result is appended to the prompt,
                and the model continues.

        Raises:
            ValueError: no turns.
        """
        check_language_model(model=model)
        _check_turns(turns)
        checks.not_empty(turns=turns)
        if tool is not None:
            checks.function(tool=tool)
        prompts = self.prompts(turns)
        answers = self.continue_texts(model, prompts)
        called = [n for n, answer in enumerate(answers) if answer.startswith(town.CALL)] if tool else []
        if tool and called:
            again = []
            for n in called:
                result = tool(answers[n].removeprefix(town.CALL))
                separator, end = self.template.separator, self.template.end
                tool_turn = self.template.render([("tool", result)], add_generation_prompt=True)
                again.append(prompts[n] + answers[n] + end + separator + tool_turn)
            for n, answer in zip(called, self.continue_texts(model, again), strict=True):
                answers[n] = answer
        right = sum(answer == turn.reply for answer, turn in zip(answers, turns, strict=True))
        return right / len(turns), answers


def _check_turns(turns: Sequence[town.Turn]) -> None:
    checks.instance(Sequence, turns=turns)
    for turn in turns:
        checks.instance(town.Turn, **{"turns[...]": turn})


def calculator(call: str) -> str:
    """Return the result of a call such as "4 7 + 3 8", digits as separate words, or "error" if it is no sum."""
    checks.instance(str, call=call)
    try:
        return " ".join(str(calculate(call.replace(" ", ""))))
    except ValueError:
        return "error"
