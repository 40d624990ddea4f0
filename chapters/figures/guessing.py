"""Shannon's guessing game, for a reader and for a model: which guess at the next letter was right?"""

import html
import re
from collections.abc import Callable, Sequence

import ipywidgets
import numpy as np
from IPython.display import display

from lmcourse.models.ngram import NGramModel

ALPHABET = "abcdefghijklmnopqrstuvwxyz "


def only_letters(text: str) -> str:
    """Return the text in Shannon's alphabet: small letters, and single spaces for everything else."""
    spoken = re.sub(r"^[A-Z ]+\.$|\[.*?\]|'", "", text, flags=re.MULTILINE)  # not who speaks, nor stage directions
    return " ".join(re.sub("[^a-z]", " ", spoken.lower()).split())


def guesses_of(model: NGramModel, letters: str, first: int = 20) -> list[int]:
    """Return which guess of a character model is right at each letter from the `first` on, the likeliest one first."""
    columns = [model.vocabulary.index(letter) for letter in ALPHABET]
    guesses = []
    for here in range(first, len(letters)):
        probs = model.distribution(list(letters[max(here - model.order + 1, 0) : here]))[columns]
        guesses.append(int(np.sum(probs > probs[ALPHABET.index(letters[here])])) + 1)
    return guesses


def guess_the_next(
    letters: str, others: Sequence[int], bounds: Callable[[Sequence[int]], tuple[float, float]], first: int = 20
) -> None:
    """Let a reader guess letter by letter, beside the guesses of a model at the same letters.

    A page without a kernel shows the model's game: below each letter, the number of guesses that it took.

    Args:
        letters: the text, of which the first letters are given.
        others: which guess of the model was right, from the `first` letter on.
        bounds: from the guesses to the lowest and the highest number of bits that a letter can be worth.
        first: how many letters are given.
    """
    guesses: list[int] = []
    wrong: list[str] = []
    shown, box = ipywidgets.HTML(), ipywidgets.Text(placeholder="type the next letter, or a space")

    def score(who: str, played: Sequence[int]) -> str:
        low, high = bounds(played)
        return f"{who}: right at once {np.mean(np.asarray(played) == 1):.0%}, {low:.1f} to {high:.1f} bits a letter"

    def show() -> None:
        text = html.escape(letters[: first + len(guesses)]).replace(" ", "\u2423")
        lines = [f"<code style='white-space:normal'>{text}<b>_</b></code>", f"not: {' '.join(wrong)}" if wrong else ""]
        if guesses:
            lines += [f"{len(guesses)} letters", score("you", guesses), score("6-gram", others[: len(guesses)])]
        shown.value = "<br>".join(lines)

    def typed(change: dict[str, str]) -> None:
        if not change["new"] or len(guesses) == len(others):
            return
        guess, box.value = change["new"][-1].lower(), ""
        if guess == letters[first + len(guesses)]:
            guesses.append(len(wrong) + 1)
            wrong.clear()
        elif guess in ALPHABET and guess not in wrong:
            wrong.append(guess.replace(" ", "\u2423"))
        show()

    box.observe(typed, names="value")
    show()
    widget = ipywidgets.VBox([shown, box])
    still = "".join(
        f"<td style='text-align:center;padding:0 2px'><code>{letter.replace(' ', '␣')}</code><br>{number}</td>"
        for letter, number in zip(letters[first : first + 44], others, strict=False)
    )
    note = (
        f"<p><small>The 6-gram's guesses at each letter. Run this cell to play. {score('6-gram', others)}.</small></p>"
    )
    view = widget._repr_mimebundle_()
    display(view | {"text/html": f"<div style='overflow-x:auto'><table><tr>{still}</tr></table></div>{note}"}, raw=True)
