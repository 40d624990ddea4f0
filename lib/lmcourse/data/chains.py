"""Sums to be done step by step, of which only the last digit is kept: "7 -8 x3 +5 = " gives 9, 7, 2.

A chain starts with a digit; each step adds, subtracts or multiplies, and keeps the last digit of the result (of -1 that
is 9). Multipliers are 3, 7 and 9, so that no step loses information: whatever came before, all ten digits are equally
likely afterwards, and a model that skips a step can only guess.
"""

import random
from typing import Literal, NamedTuple

from lmcourse import checks

__all__ = ["Chain", "apply_step", "chain_vocabulary", "draw_chain"]

STEPS = (*(f"+{n}" for n in range(1, 10)), *(f"-{n}" for n in range(1, 10)), *(f"x{n}" for n in (3, 7, 9)))
DIGITS, EQUALS, DOT, STOP = tuple("0123456789"), "=", ".", "</s>"
Form = Literal["answer", "dots", "steps"]
FORMS: tuple[Form, ...] = ("answer", "dots", "steps")


class Chain(NamedTuple):
    """A start, the steps, and the digit after each step."""

    start: int
    steps: tuple[str, ...]
    digits: tuple[int, ...]

    def prompt(self) -> list[str]:
        """Return the tokens of the question, "7", "-8", "x3", "="."""
        return [str(self.start), *self.steps, EQUALS]

    def reply(self, form: Form) -> list[str]:
        """Return the tokens of the reply, with its stop.

        Args:
            form: "answer" is the last digit alone; "steps" is the digit after each step; "dots" is as long as that,
                and says nothing before the answer.
        """
        checks.one_of(FORMS, form=form)
        digits = [str(digit) for digit in self.digits]
        before = {"answer": [], "dots": [DOT] * (len(digits) - 1), "steps": digits[:-1]}[form]
        return [*before, digits[-1], STOP]


def chain_vocabulary() -> list[str]:
    """Return every token of chains."""
    return [STOP, EQUALS, DOT, *DIGITS, *STEPS]


def apply_step(digit: int, step: str) -> int:
    """Return the last digit after a step: 7 and "-8" give 9.

    Raises:
        TypeError: `digit` is not a whole number.
        ValueError: `digit` is not in 0..9, or `step` is none of `STEPS`.
    """
    checks.whole(digit=digit, at_least=0, below=10)
    if step not in STEPS:
        raise ValueError(f"`step` must be one such as '+4', '-8' or 'x3', got {step!r}.")
    n = int(step[1:])
    return {"+": digit + n, "-": digit - n, "x": digit * n}[step[0]] % 10


def draw_chain(length: int, rng: random.Random) -> Chain:
    """Return a chain of so many steps.

    Raises:
        TypeError: `length` is not a whole number, or `rng` no `random.Random`.
        ValueError: `length` is below 1.
    """
    checks.whole(length=length, at_least=1)
    checks.instance(random.Random, rng=rng)
    start = digit = rng.randrange(10)
    steps, digits = [], []
    for _ in range(length):
        steps.append(rng.choice(STEPS))
        digit = apply_step(digit, steps[-1])
        digits.append(digit)
    return Chain(start, tuple(steps), tuple(digits))
