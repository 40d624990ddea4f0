"""Stop strings: where a text that is being written has to end, found while it streams."""

from collections.abc import Iterable, Iterator, Sequence

from lmcourse import checks


def until_stop(pieces: Iterable[str], stops: Sequence[str]) -> Iterator[str]:
    """Give a text piece by piece as it comes, up to the first of some stop strings, which is left out.

    A stop may begin in one piece and end in another, as tokens cut where they like: what could be the beginning of a
    stop is held back until it is clear what it is. The rest of `pieces` is not read after a stop.

    Args:
        pieces: parts of a text, as a model writes them.
        stops: none of them empty; no stops give all of the text. Of two that end at the same character the one that
            begins first counts.

    Raises:
        TypeError: pieces that are not str.
        ValueError: an empty stop string, or something else.

    Cost: for each piece, its length times the length of the stops.
    """
    checks.instance(Iterable, pieces=pieces)
    checks.instance(Iterable, stops=stops)
    if isinstance(stops, str) or not all(isinstance(stop, str) and stop for stop in stops):
        raise ValueError(f"`stops` must be strings of one character or more, got {stops!r}.")
    return _until_stop(pieces, tuple(stops))


def _until_stop(pieces: Iterable[str], stops: tuple[str, ...]) -> Iterator[str]:
    held = ""
    for piece in pieces:
        checks.instance(str, **{"pieces[...]": piece})
        for character in piece:  # the first stop to be complete ends the text, however it is cut
            held += character
            begins = [len(held) - len(stop) for stop in stops if held.endswith(stop)]
            if begins:
                if min(begins):
                    yield held[: min(begins)]
                return
        keep = _open_end(held, stops)
        if len(held) > keep:
            yield held[: len(held) - keep]
            held = held[len(held) - keep :]
    if held:
        yield held


def _open_end(text: str, stops: tuple[str, ...]) -> int:
    """The length of the longest end of a text that is the beginning of a stop."""
    longest = max((len(stop) - 1 for stop in stops), default=0)
    ends = range(min(longest, len(text)), 0, -1)
    return next((n for n in ends if any(stop.startswith(text[-n:]) for stop in stops)), 0)
