"""Exercise `shown_so_far`."""

from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def shown_so_far(pieces, stop):
    """Return the text that is shown after each piece.

    Args:
        pieces: str, in the order in which they come.
        stop: the stop string, one letter or more.

    Returns:
        A list of str, as long as the pieces that are read.

    >>> shown_so_far(["Hi", "\\nUs", "er:", " Bye"], "\\nUser:")
    ['Hi', 'Hi', 'Hi']
    """
    shown, text = [], ""
    for piece in pieces:
        text += piece
        if stop in text:
            return [*shown, text[: text.index(stop)]]
        held = max(n for n in range(len(stop)) if text.endswith(stop[:n]))
        shown.append(text[: len(text) - held])
    return shown


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    text = "".join(rng.choice(["a", "b", "ab", "aab", "c"]) for _ in range(23))
    cuts = sorted({int(n) for n in rng.integers(1, len(text), 7)})
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [
        case("the worked example", ["Hi", "\nUs", "er:", " Bye"], "\nUser:"),
        case("what only looks like a stop", ["a", "\nUs", "ually", "\nUser", ": no"], "\nUser:"),
        case("random pieces", pieces, "aabc"),
        border("random pieces, a stop of a single letter", pieces, "c"),
        border("the stop within one piece", ["one STOP two", "three"], "STOP"),
        case("a stop that begins twice", ["x aa", "ab y", "z"], "aab"),
        case("the stop at the very first letter", ["END", "more"], "END"),
        border("no stop: the last piece ends like one", ["abc", "EN"], "END"),
        border("a piece of no letters", ["ab", "", "E", "", "ND", "x"], "END"),
        border("no pieces at all", [], "END"),
    ]


def _stop_wrong(pieces: list[str], stop: str, *, how: str) -> list[str]:
    shown, text = [], ""
    for piece in pieces:
        text += piece
        found = piece.endswith(stop) if how == "at_the_end" else stop in (piece if how == "each_piece" else text)
        if found:
            place = text.index(stop) + (len(stop) if how == "stop_shown" else 0)
            shown.append(text if how == "not_cut" else text[:place])
            if how != "goes_on":
                break
            continue
        held = 0 if how == "early" else max(n for n in range(len(stop)) if text.endswith(stop[:n]))
        held = min(len(text), len(stop) - 1) if how == "always_held" else held
        held = int(held == 1 or text.endswith(stop[:1])) if how == "first_letter" else held
        shown.append(text[: len(text) - held])
    return shown


def _stop_by_characters(pieces: list[str], stop: str) -> list[str]:
    def visible(text: str) -> str:
        for start in range(len(text)):
            if stop.startswith(text[start:]) or text.startswith(stop, start):
                return text[:start]
        return text

    shown: list[str] = []
    text = ""
    for piece in pieces:
        text = text + piece
        shown.append(visible(text))
        if text.find(stop) != -1:
            break
    return shown


def _stop_by_prefixes(pieces: list[str], stop: str) -> list[str]:
    beginnings = [stop[:n] for n in range(len(stop) - 1, 0, -1)]
    shown: list[str] = []
    for n in range(len(pieces)):
        text = "".join(pieces[: n + 1])
        before, found, _ = text.partition(stop)
        if found:
            return [*shown, before]
        tail = next((part for part in beginnings if text.endswith(part)), "")
        shown.append(text.removesuffix(tail))
    return shown


task = Task(
    shown_so_far,
    points=3,
    difficulty=3,
    minutes=25,
    cases=cases,
    slips=(
        Slip(
            "early",
            partial(_stop_wrong, how="early"),
            "The beginning of a stop string was shown before it was clear what it is. Hold back the end of the text as "
            "long as it could become the stop.",
        ),
        Slip(
            "each_piece",
            partial(_stop_wrong, how="each_piece"),
            "Each piece was searched by itself. A stop may begin in one piece and end in the next: search the text so "
            "far.",
        ),
        Slip(
            "at_the_end",
            partial(_stop_wrong, how="at_the_end"),
            "A stop was only seen at the end of a piece. It may stand anywhere in it.",
        ),
        Slip(
            "stop_shown",
            partial(_stop_wrong, how="stop_shown"),
            "The stop string itself was shown. The text ends before it.",
        ),
        Slip(
            "not_cut",
            partial(_stop_wrong, how="not_cut"),
            "What stands after the stop in the same piece was shown too.",
        ),
        Slip(
            "goes_on",
            partial(_stop_wrong, how="goes_on"),
            "Pieces were read after the stop. The list ends with the piece in which the stop was found.",
        ),
        Slip(
            "always_held",
            partial(_stop_wrong, how="always_held"),
            "As many letters as the stop has were always held back. Only an end that is the beginning of the stop "
            "has to "
            "wait.",
        ),
        Slip(
            "first_letter",
            partial(_stop_wrong, how="first_letter"),
            "Only the first letter of the stop is held back. Every beginning of it has to wait: one letter, two, "
            "three.",
        ),
    ),
    alternatives=(_stop_by_characters, _stop_by_prefixes),
    hints=(
        "After each piece: is the stop in the text so far? If not, how long is the longest end of it that the "
        "stop begins "
        "with?",
        "held = max(n for n in range(len(stop)) if text.endswith(stop[:n])): n = 0 always fits, and that many "
        "letters wait.",
        "for piece in pieces: text += piece; if stop in text: append text[:text.index(stop)] and break; else append "
        "text[:len(text) - held].",
    ),
)
