"""Answers to projects are long; most wrong ones are a right one with a line that is not as it should be."""


def but(source: str, *pairs: tuple[str, str]) -> str:
    """Return a source in which each first text, which stands in it once, is replaced by the second.

    Raises:
        ValueError: a text stands in it never or more than once.
    """
    for old, new in pairs:
        if source.count(old) != 1:
            raise ValueError(f"{old!r} stands in the source {source.count(old)} times, it must be once.")
        source = source.replace(old, new)
    return source
