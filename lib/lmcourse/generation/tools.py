"""A calculator for a model to call. It reads arithmetic and nothing else: what a model writes is never run as code."""

import re

from lmcourse import checks

__all__ = ["calculate"]

MAX_LENGTH, MAX_DIGITS = 200, 30
_TOKEN = re.compile(r"\s*(\d+|[-+*()])")


def calculate(expression: str) -> int:
    """Return the value of an expression of whole numbers, +, -, * and parentheses.

    expression = term {("+" | "-") term};  term = factor {"*" factor};  factor = ["-"] (number | "(" expression ")").

    Args:
        expression: at most 200 characters, numbers of at most 30 digits. Spaces between numbers and signs are free.

    Raises:
        TypeError: `expression` is not a str.
        ValueError: anything else: names, powers, other signs, a parenthesis that does not close, nothing at all.
    """
    checks.instance(str, expression=expression)
    if len(expression) > MAX_LENGTH:
        raise ValueError(f"`expression` must have at most {MAX_LENGTH} characters, got {expression[:60]!r}...")
    tokens, position = [], 0
    text = expression.strip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or len(match[1]) > MAX_DIGITS:
            raise ValueError(f"`expression` must hold whole numbers, +, -, * and (), got {expression!r}.")
        tokens.append(match[1])
        position = match.end()
    value, rest = _expression(tokens, expression)
    if rest:
        raise ValueError(f"`expression` must end after a number or a parenthesis, got {expression!r}.")
    return value


def _expression(tokens: list[str], whole: str) -> tuple[int, list[str]]:
    value, tokens = _term(tokens, whole)
    while tokens and tokens[0] in "+-":
        other, rest = _term(tokens[1:], whole)
        value, tokens = (value + other if tokens[0] == "+" else value - other), rest
    return value, tokens


def _term(tokens: list[str], whole: str) -> tuple[int, list[str]]:
    value, tokens = _factor(tokens, whole)
    while tokens and tokens[0] == "*":
        other, tokens = _factor(tokens[1:], whole)
        value *= other
    return value, tokens


def _factor(tokens: list[str], whole: str) -> tuple[int, list[str]]:
    if tokens and tokens[0].isdigit():
        return int(tokens[0]), tokens[1:]
    if tokens and tokens[0] == "-":
        value, rest = _factor(tokens[1:], whole)
        return -value, rest
    if tokens and tokens[0] == "(":
        value, rest = _expression(tokens[1:], whole)
        if rest and rest[0] == ")":
            return value, rest[1:]
    raise ValueError(f"`expression` must be whole numbers joined by +, - and *, got {whole!r}.")
