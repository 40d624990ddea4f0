"""A chat with language models: a widget where there is a kernel, the written conversation where there is none."""

import contextvars
import html
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import ipywidgets
import torch
from IPython.display import display

from lmcourse import checks
from lmcourse.generation.language_model import LanguageModel
from lmcourse.generation.sampling import check_language_model
from lmcourse.generation.text import Tokenizer, stream_text
from lmcourse.plots.style import COLOURS, TINTS
from lmcourse.plots.widgets import VIEW
from lmcourse.tokenizers.stream_decoder import StreamDecoder

Role = Literal["system", "user", "assistant"]
Turn = tuple[Role, str]
_ROLES = ("system", "user", "assistant")
_TINTS = {"user": TINTS[0], "assistant": TINTS[4]}
_SHORTEST, _LONGEST = 8, 1024  # tokens of an answer


@dataclass(frozen=True)
class ChatModel:
    """What it takes to talk with a language model.

    Attributes:
        model: see `LanguageModel`.
        tokenizer: see `Tokenizer`.
        render: turns -> the prompt after which the model writes the next answer. A turn is a pair of a role ("system",
            "user" or "assistant") and a text; the last turn is the user's.
        stops: strings before which an answer ends.
        stop_ids: tokens that end an answer.
        allowed_special: special tokens that `render` may use, or "all", as for `BPETokenizer.encode`. They are taken
            out of what a user types: a user writes text, not turns.
        context_length: the tokens that the model can read. A conversation that has grown too long loses its oldest
            turns.

    Raises:
        TypeError: a part of another kind.
        ValueError: a context length below 2.
    """

    model: LanguageModel[Any]
    tokenizer: Tokenizer
    render: Callable[[Sequence[Turn]], str]
    stops: Sequence[str] = ()
    stop_ids: Collection[int] = ()
    allowed_special: Collection[str] = ()
    context_length: int | None = None

    def __post_init__(self) -> None:
        check_language_model(self.model)
        checks.instance(Tokenizer, tokenizer=self.tokenizer)
        checks.function(render=self.render)
        checks.texts(stops=self.stops)
        checks.whole_items(at_least=0, stop_ids=self.stop_ids)
        allowed = self.allowed_special
        if allowed != "all":
            if isinstance(allowed, str) or not isinstance(allowed, Collection):
                raise TypeError(f'`allowed_special` must be a collection of str or "all", got {allowed!r}.')
            checks.texts(allowed_special=list(allowed))
        if self.context_length is not None:
            checks.whole(at_least=2, context_length=self.context_length)


class Conversation:
    """The turns of a chat so far, and a model that adds the next one.

    Args:
        partner: the model and what belongs to it.
        system: what the model is told before the first turn; "" is nothing.

    Attributes:
        turns: (role, text) in order, without the system prompt.
        forgotten: how many of the oldest turns the last answer did without, because the model reads no more tokens.
    """

    def __init__(self, partner: ChatModel, *, system: str = "") -> None:
        checks.instance(ChatModel, partner=partner)
        checks.instance(str, system=system)
        self.partner, self.system = partner, system
        self.turns: list[Turn] = []
        self.forgotten = 0

    def ask(
        self,
        question: str,
        *,
        max_new_tokens: int = 128,
        temperature: float = 0.7,
        top_p: float | None = 0.9,
        stops: Sequence[str] = (),
        generator: torch.Generator | None = None,
    ) -> Iterator[str]:
        """Add the user's turn, and return an iterator over the answer, piece by piece as it is written.

        The answer belongs to the conversation as far as it was read, also if the iterator is closed early.

        Args:
            question: what the user says.
            max_new_tokens: tokens of the answer at most.
            temperature, top_p: as in `SamplingConfig`.
            stops: strings before which this answer ends, besides those of the model.
            generator: for reproducible answers, on the model's device.

        Raises:
            TypeError: a `question` that is not a str, and what `generate` refuses.
            ValueError: an empty `question`; one that is too long for the model; and what `generate` refuses.
        """
        checks.instance(str, question=question)
        question = self._plain(question)
        if not question.strip():
            raise ValueError(f"`question` must hold a word, got {question!r}.")
        checks.whole(at_least=1, max_new_tokens=max_new_tokens)
        turns: list[Turn] = [*self.turns, ("user", question)]
        pieces = stream_text(
            self.partner.model,
            self._tokenizer(),
            self._prompt(turns, max_new_tokens),
            max_new_tokens,
            stops=[*self.partner.stops, *stops],
            stop_ids=self.partner.stop_ids,
            temperature=temperature,
            top_p=top_p,
            generator=generator,
        )
        self.turns = [*turns, ("assistant", "")]
        return self._written(pieces)

    def _written(self, pieces: Iterator[str]) -> Iterator[str]:
        for piece in pieces:
            self.turns[-1] = ("assistant", self.turns[-1][1] + piece)
            yield piece

    def _prompt(self, turns: Sequence[Turn], max_new_tokens: int) -> str:
        """The prompt with as many of the latest turns as the model can read."""
        start: list[Turn] = [("system", self.system)] if self.system else []
        limit = self.partner.context_length
        tokenizer = self._tokenizer()
        for self.forgotten in range(0, len(turns), 2):  # a question goes with its answer
            prompt = self.partner.render([*start, *turns[self.forgotten :]])
            checks.instance(str, **{"render(turns)": prompt})
            if limit is None or len(tokenizer.encode(prompt)) + max_new_tokens <= limit:
                return prompt
        raise ValueError(
            f"`question` must leave room for an answer of max_new_tokens={max_new_tokens} in "
            f"context_length={limit}, got a prompt of {len(tokenizer.encode(prompt))} tokens."
        )

    def _tokenizer(self) -> Tokenizer:
        tokenizer, allowed = self.partner.tokenizer, self.partner.allowed_special
        return _WithSpecialTokens(tokenizer, allowed) if allowed else tokenizer

    def _plain(self, text: str) -> str:
        """A user's text without special tokens."""
        allowed = self.partner.allowed_special
        names = getattr(self.partner.tokenizer, "special_tokens", ()) if allowed == "all" else allowed
        before = None
        while text != before:  # what is left may make up another one
            before = text
            for name in names:
                text = text.replace(name, "")
        return text


class _WithSpecialTokens:
    """A tokenizer that recognises special tokens in every text."""

    def __init__(self, tokenizer: Any, allowed: Collection[str]) -> None:
        self.tokenizer, self.allowed = tokenizer, allowed

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, allowed_special=self.allowed)
        return ids

    def stream_decoder(self) -> StreamDecoder:
        decoder: StreamDecoder = self.tokenizer.stream_decoder()
        return decoder


def chat(
    partners: Mapping[str, ChatModel] | ChatModel,
    questions: Sequence[str],
    *,
    system: str = "",
    max_new_tokens: int = 60,
    temperature: float = 0.0,
    top_p: float = 0.9,
    seed: int = 0,
) -> None:
    """Show a chat: the answers to some questions, and, where there is a kernel, a field to go on.

    A page without a kernel (the site, a print) shows the written conversation. In the widget a reader chooses the
    model, the temperature, top-p, the longest answer, a stop string and the system prompt. Answers appear as they are
    written, and a button stops them; another begins anew.

    Args:
        partners: name -> what it takes to talk with that model; or one without a name. The first one answers
            `questions`.
        questions: of the conversation that is shown first, at least one.
        system: the system prompt of that conversation; can be changed for the next.
        max_new_tokens: tokens of an answer at most, 8 to 1,024.
        temperature, top_p: of that conversation.
        seed: of the random draws.

    Raises:
        TypeError, ValueError: no model, no question, and what `Conversation.ask` refuses.
    """
    box, conversation = chat_box(
        partners,
        questions,
        system=system,
        max_new_tokens=max_new_tokens,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
    )
    note = "<p><small>Run this cell to go on with the conversation yourself.</small></p>"
    text = "\n".join(f"{role}: {said}" for role, said in conversation.turns)
    page = transcript(conversation)
    display({VIEW: box._repr_mimebundle_()[VIEW], "text/html": page + note, "text/plain": text}, raw=True)


def chat_box(
    partners: Mapping[str, ChatModel] | ChatModel,
    questions: Sequence[str],
    *,
    system: str = "",
    max_new_tokens: int = 60,
    temperature: float = 0.0,
    top_p: float = 0.9,
    seed: int = 0,
) -> tuple[ipywidgets.VBox, Conversation]:
    """Return the widget that `chat` shows, and the conversation that it shows first."""
    partners = {"the model": partners} if isinstance(partners, ChatModel) else partners
    checks.instance(Mapping, partners=partners)
    checks.not_empty(partners=partners)
    checks.texts(questions=questions)
    checks.not_empty(questions=questions)
    checks.whole(max_new_tokens=max_new_tokens, at_least=_SHORTEST, at_most=_LONGEST)
    checks.number(at_least=0, temperature=temperature)
    checks.number(above=0, at_most=1, top_p=top_p)
    checks.whole(seed=seed)
    for name, partner in partners.items():
        checks.instance(ChatModel, **{f"partners[{name!r}]": partner})
    first = Conversation(next(iter(partners.values())), system=system)
    generator = _generator(first.partner, seed)
    for question in questions:
        for _ in first.ask(
            question, max_new_tokens=max_new_tokens, temperature=temperature, top_p=top_p, generator=generator
        ):
            pass
    return _Box(dict(partners), first, max_new_tokens, temperature, top_p, seed).box, first


def transcript(conversation: Conversation, note: str = "") -> str:
    """Return a conversation as HTML, and a line below it; what people and models wrote is shown as it is."""
    said = [("told beforehand", "user", conversation.system)] if conversation.system else []
    said += [("you" if role == "user" else "model", role, text) for role, text in conversation.turns]
    rows = [
        f'<div style="margin: 4px 0; padding: 6px 10px; border-radius: 8px; white-space: pre-wrap; color: black; '
        f'background: {_TINTS[role]}; border-left: 4px solid {COLOURS[role == "assistant"]}">'
        f"<b>{who}:</b> {html.escape(text.strip())}</div>"
        for who, role, text in said
    ]
    below = f"<div><small>{html.escape(note)}</small></div>" if note else ""
    return f'<div role="log" aria-live="polite">{"".join(rows)}{below}</div>'


class _Box:
    """The widget: its controls, and the thread in which an answer is written, so that it can be stopped."""

    def __init__(
        self,
        partners: dict[str, ChatModel],
        first: Conversation,
        max_new_tokens: int,
        temperature: float,
        top_p: float,
        seed: int,
    ) -> None:
        self.partners, self.conversation, self.seed = partners, first, seed
        self.stopped, self.thread = threading.Event(), None  # type: tuple[threading.Event, threading.Thread | None]
        self.generator = _generator(first.partner, seed + 1)
        self.model = ipywidgets.Dropdown(options=list(partners), description="model")
        self.temperature = ipywidgets.FloatSlider(
            value=temperature, min=0.0, max=2.0, step=0.1, description="temperature"
        )
        self.top_p = ipywidgets.FloatSlider(value=top_p, min=0.05, max=1.0, step=0.05, description="top-p")
        self.length = ipywidgets.IntSlider(
            value=max_new_tokens, min=_SHORTEST, max=_LONGEST, step=4, description="max tokens"
        )
        self.stop_string = ipywidgets.Text(description="stop at", placeholder="a string, or nothing")
        self.system = ipywidgets.Textarea(value=first.system, description="system", rows=2)
        self.question = ipywidgets.Text(description="you", placeholder="Say something, and press Enter")
        self.send = ipywidgets.Button(description="Send", button_style="primary")
        self.stop = ipywidgets.Button(description="Stop", disabled=True)
        self.anew = ipywidgets.Button(description="New chat")
        self.view = ipywidgets.HTML(transcript(first))
        for control in (self.system, self.question, self.view):
            control.layout.width = "95%"
        self.send.on_click(self._send)
        self.question.on_msg(self._submit)
        self.stop.on_click(lambda _: self.stopped.set())
        self.anew.on_click(self._begin)
        self.model.observe(self._begin, names="value")
        row = ipywidgets.HBox
        self.box = ipywidgets.VBox(
            [
                row([self.model, self.stop_string]),
                row([self.temperature, self.top_p, self.length]),
                self.system,
                self.view,
                self.question,
                row([self.send, self.stop, self.anew]),
            ]
        )
        self.box.chat = self  # for those who press its buttons from Python

    def _begin(self, _: Any = None) -> None:
        """Begin a new chat with the model and the system prompt of the controls."""
        self._halt()
        self.conversation = Conversation(self.partners[self.model.value], system=self.system.value.strip())
        self.generator = _generator(self.conversation.partner, self.seed + 1)
        self.view.value = transcript(self.conversation)

    def _submit(self, _: Any, content: dict[str, Any], __: Any) -> None:
        if content.get("event") == "submit":  # the Enter key
            self._send()

    def _halt(self) -> None:
        self.stopped.set()
        if self.thread is not None:
            self.thread.join()

    def _send(self, _: Any = None) -> None:
        """Ask the question of the field, in a thread of its own: the buttons work while the answer is written."""
        question = self.question.value
        if self.send.disabled or not question.strip():
            return
        if self.system.value.strip() != self.conversation.system:
            self.conversation.system = self.system.value.strip()
        try:
            pieces = self.conversation.ask(
                question,
                max_new_tokens=self.length.value,
                temperature=self.temperature.value,
                top_p=self.top_p.value,
                stops=[self.stop_string.value] if self.stop_string.value else [],
                generator=self.generator,
            )
        except ValueError as error:
            self.view.value = transcript(self.conversation, str(error))
            return
        self.question.value = ""
        self.send.disabled, self.stop.disabled = True, False
        self.stopped.clear()
        context = contextvars.copy_context()  # what the thread shows belongs to this cell
        self.thread = threading.Thread(target=context.run, args=(self._write, pieces), daemon=True)
        self.thread.start()

    def _write(self, pieces: Iterator[str]) -> None:
        note = ""
        try:
            for _ in pieces:
                self.view.value = transcript(self.conversation)
                if self.stopped.is_set():
                    note = "stopped"
                    break
        except Exception as error:  # a thread has nobody to raise to: the reader is told
            note = f"{type(error).__name__}: {error}"
        finally:
            if self.conversation.forgotten and not note:
                note = f"The model no longer sees the first {self.conversation.forgotten} turns."
            self.view.value = transcript(self.conversation, note)
            self.send.disabled, self.stop.disabled = False, True


def _generator(partner: ChatModel, seed: int) -> torch.Generator:
    device = next((p.device for module in partner.model.modules() for p in module.parameters()), torch.device("cpu"))
    return torch.Generator(device).manual_seed(seed)
