'''Read known mistakes, and a project's properties, which a task writes as text.

    SLIPS = mistakes("""
    zeros_before: "over the kept entries only"
        ~attention_mask & has_key => ~attention_mask
        float("-inf") => 0.0
      The masked scores were set to 0, and e to the power of 0 is 1. Use minus infinity.
    """)

The margin says what a line is:

    none      the mistake's name; after a colon the clause of the statement that it breaks, quoted, or, in a project,
              `loses` and the properties that it costs; `, as on the page` behind the name of what the page itself does
    4         a patch of the answer's source, `old => new`; nothing behind the arrow takes `old` out
    4 and |   goes on with the patch on a new line of the source, exactly as it stands behind the bar
    8         goes on with the patch on the same line, after one space
    2         what a teacher would say

A project's properties:

    PROPERTIES = properties("""
    causal, 2: A prediction depends on all tokens of its text up to its own,
      and on nothing else.
    learns, 3, needs causal, 60 s: At least a tenth fewer bits per byte than a 6-gram model.
    """)
'''

import re
from collections.abc import Callable, Iterator
from typing import Any

from lmcourse import checks
from lmcourse.exercises.task import Property, Slip

_ARROW = re.compile(r" =>(?: |$)")
_HEAD = re.compile(r'(?P<name>\w+)(?P<page>, as on the page)?(?:: (?:"(?P<says>.+)"|loses (?P<loses>\w[\w, -]*)))?')
_PROPERTY = re.compile(r"(\w[\w -]*), (\d+)(?:, needs (\w[\w -]*))?(?:, (\d+) s)?: (.+)")
_FORMS = '`name`, `name: "a clause of the statement"` or `name: loses causal, order`'


def mistakes(text: str, **functions: Callable[..., Any]) -> tuple[Slip, ...]:
    """Return the mistakes that a text describes.

    Args:
        text: see above.
        functions: by the mistake's name, the wrong answer whole, where no patch can say it.

    Raises:
        TypeError: an argument of another kind.
        ValueError: a line that is none of these, with its number; a mistake without a change or a reason; a name twice.
    """
    checks.instance(str, text=text)
    checks.not_empty(text=text)
    checks.function(**functions)
    slips: dict[str, Slip] = {}
    for head, number, patches, reason in _blocks(text):
        parts = _HEAD.fullmatch(head)
        if not parts:
            raise ValueError(f"`text`, line {number}: a mistake begins with {_FORMS}, got {head!r}.")
        name = parts["name"]
        if name in slips or bool(patches) == (name in functions) or not reason:
            raise ValueError(
                f"`text`, line {number}: {name} must stand here once, with a reason, and with patches or a function, "
                f"got {len(patches)} patches{', a function' * (name in functions)} and {reason!r}."
            )
        pairs: Any = functions.get(name) or tuple(_pair(patch, line) for line, patch in patches)
        loses = tuple((parts["loses"] or "").split(", ")) if parts["loses"] else ()
        slips[name] = Slip(name, pairs, reason, loses, parts["says"] or "", bool(parts["page"]))
    if left := functions.keys() - slips.keys():
        raise ValueError(f"`functions` must be of mistakes in the text, got {', '.join(sorted(left))}.")
    return tuple(slips.values())


def properties(text: str) -> tuple[Property, ...]:
    """Return the properties that a text describes: name, points, perhaps what it needs and its seconds, what is asked.

    Raises:
        TypeError: `text` is not a str.
        ValueError: a line that is none of these, with its number.
    """
    checks.instance(str, text=text)
    checks.not_empty(text=text)
    found: list[tuple[int, str]] = []
    for number, line in _lines(text):
        if line.startswith("  ") and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        else:
            found.append((number, line))
    made = []
    for number, line in found:
        parts = _PROPERTY.fullmatch(line)
        if not parts:
            raise ValueError(
                f"`text`, line {number}: a property is `name, 2, needs other, 60 s: what is asked`, got {line!r}."
            )
        name, points, needs, seconds, says = parts.groups()
        made.append(Property(name, int(points), says, float(seconds or Property.seconds), needs or ""))
    return tuple(made)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _blocks(text: str) -> Iterator[tuple[str, int, list[tuple[int, str]], str]]:
    """Yield each mistake's first line, its number, its patches, each with the number of its line, and its reason."""
    blocks: list[tuple[str, int, list[tuple[int, str]], list[str]]] = []
    for number, line in _lines(text):
        margin, rest = re.fullmatch(r"( *)(.*)", line).groups()  # type: ignore[union-attr]
        patches, reason = blocks[-1][2:] if blocks else ([], [])
        if not margin:
            blocks.append((rest, number, [], []))
        elif len(margin) == 2 and blocks:
            reason.append(rest)
        elif len(margin) == 4 and blocks and not rest.startswith("|") and not reason:
            patches.append((number, rest))
        elif len(margin) in (4, 8) and patches and not reason:
            patches[-1] = (
                patches[-1][0],
                f"{patches[-1][1]} {rest}" if len(margin) == 8 else f"{patches[-1][1]}\n{rest[1:]}",
            )
        else:
            raise ValueError(
                f"`text`, line {number}: a name, then patches behind 4 spaces, then the reason behind 2, got {line!r}."
            )
    for head, number, patches, reason in blocks:
        yield head, number, patches, " ".join(reason)


def _pair(patch: str, number: int) -> tuple[str, str]:
    old, *new = _ARROW.split(patch)
    if len(new) != 1 or not old:
        raise ValueError(f"`text`, line {number}: a patch is one `old => new`, got {patch!r}.")
    return old, new[0]
