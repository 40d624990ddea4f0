"""Your own comparisons: two replies are shown, you pick one, and the picks are kept in a file."""

import html
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lmcourse import atomic, checks
from lmcourse.extras import needs

__all__ = ["Choice", "LabelFile", "label_widget"]


class Choice(NamedTuple):
    """Which of two replies to a prompt somebody preferred: "a", "b", or "neither"."""

    prompt: str
    a: str
    b: str
    preferred: str


PREFERRED = ("a", "b", "neither")


class LabelFile:
    """Choices in a JSON file, written whole after each choice: nothing is lost if the page is closed.

    Args:
        path: the file; written with the first choice. If it exists, its choices are kept.

    Raises:
        ValueError: the file does not hold choices (it is left as it is).
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        checks.file_path(path=path)
        self.path = Path(path)
        self.choices: list[Choice] = []
        if self.path.exists():
            try:
                rows = json.loads(self.path.read_text(encoding="utf-8"))
                self.choices = [Choice(**row) for row in rows]
                fits = all(isinstance(part, str) for choice in self.choices for part in choice)
                fits = fits and all(choice.preferred in PREFERRED for choice in self.choices)
            except (ValueError, TypeError, RecursionError) as error:
                raise ValueError(f"{self.path.name} must be a file of choices, but cannot be read: {error}.") from error
            if not fits:
                raise ValueError(f"{self.path.name} must be a file of choices, each of four strings.")

    def __len__(self) -> int:
        return len(self.choices)

    def add(self, prompt: str, a: str, b: str, preferred: str) -> None:
        """Store one choice; a second one about the same three texts replaces the first.

        Raises:
            TypeError: texts that are not str.
            ValueError: `preferred` is none of "a", "b" and "neither".
        """
        checks.instance(str, prompt=prompt, a=a, b=b)
        checks.one_of(PREFERRED, preferred=preferred)
        kept = [choice for choice in self.choices if choice[:3] != (prompt, a, b)]
        self._write([*kept, Choice(prompt, a, b, preferred)])

    def undo(self) -> Choice | None:
        """Remove the last choice and return it; None if there is none."""
        last = self.choices[-1] if self.choices else None
        if last:
            self._write(self.choices[:-1])
        return last

    def has(self, prompt: str, a: str, b: str) -> bool:
        """Whether these two replies have been judged."""
        checks.instance(str, prompt=prompt, a=a, b=b)
        return any(choice[:3] == (prompt, a, b) for choice in self.choices)

    def comparisons(self) -> list[tuple[str, str, str]]:
        """Return (prompt, chosen, rejected) of all choices except those for neither."""
        return [
            (prompt, a, b) if preferred == "a" else (prompt, b, a)
            for prompt, a, b, preferred in self.choices
            if preferred != "neither"
        ]

    def _write(self, choices: list[Choice]) -> None:
        rows = [choice._asdict() for choice in choices]
        atomic.write(self.path, json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        self.choices = choices  # only now: what is not on disk is not a choice


def label_widget(
    questions: Sequence[tuple[str, str, str]], labels: LabelFile, *, on_choice: Callable[[Choice], Any] | None = None
) -> Any:
    """Return an ipywidgets box that asks which of two replies is better, one question after another.

    Args:
        questions: (prompt, a, b). Those that `labels` already holds are skipped, so that the work can be continued.
        labels: where the choices are stored.
        on_choice: called after each choice.

    Raises:
        TypeError: `labels` is no `LabelFile`, `on_choice` no function, or a question not three str.
        ValueError: no questions.
    """
    checks.instance(LabelFile, labels=labels)
    checks.instance(Sequence, questions=questions)
    for question in questions:
        if not isinstance(question, tuple) or [type(part) for part in question] != [str] * 3:
            raise TypeError(f"`questions` must hold (prompt, a, b), three str, got {question!r}.")
    if on_choice is not None:
        checks.function(on_choice=on_choice)
    with needs("lab", "asking for labels"):
        import ipywidgets as widgets

    if not questions:
        raise ValueError("`questions` must hold at least one (prompt, a, b), got none.")
    state: dict[str, Any] = {}
    prompt, counted = widgets.HTML(), widgets.HTML()
    wide = widgets.Layout(width="98%", height="auto", min_height="2.6em")
    buttons = {name: widgets.Button(layout=wide) for name in ("a", "b")}
    neither = widgets.Button(description="cannot say")
    undo = widgets.Button(description="undo", icon="undo")

    def show() -> None:
        waiting = [question for question in questions if not labels.has(*question)]
        done = len(questions) - len(waiting)
        counted.value = f"<small>{done} of {len(questions)} judged; kept in {html.escape(labels.path.name)}</small>"
        state["question"] = waiting[0] if waiting else None
        undo.disabled = not labels.choices
        for button in (*buttons.values(), neither):
            button.disabled = not waiting
        if waiting:
            prompt.value = f"<b>{html.escape(waiting[0][0])}</b> Which reply is better?"
            buttons["a"].description, buttons["b"].description = waiting[0][1], waiting[0][2]
        else:
            prompt.value = "<b>All are judged. Thank you.</b>"
            for button in buttons.values():
                button.description = ""

    def choose(preferred: str) -> None:
        question = state["question"]
        if question is None:
            return
        try:
            labels.add(question[0], question[1], question[2], preferred)
        except OSError as error:
            counted.value = f"<small>not kept: {html.escape(str(error.strerror))}</small>"
            return
        show()
        if on_choice is not None:
            on_choice(labels.choices[-1])

    def take_back(_: Any) -> None:
        labels.undo()
        show()

    for name, button in buttons.items():
        button.on_click(lambda _, name=name: choose(name))
    neither.on_click(lambda _: choose("neither"))
    undo.on_click(take_back)
    show()
    return widgets.VBox([prompt, buttons["a"], buttons["b"], widgets.HBox([neither, undo]), counted])
