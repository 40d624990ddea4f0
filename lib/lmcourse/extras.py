"""Packages that only a part of the course needs, and what to install when one of them is missing."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str, purpose: str) -> Iterator[None]:
    """Import optional packages in this block; a missing one raises an error that says which extra brings it.

    >>> with needs("lab", "writing numbers in words"):
    ...     import num2words

    Args:
        extra: a name of `[project.optional-dependencies]` in pyproject.toml: "lab" or "teach".
        purpose: what the packages are needed for, as the subject of a sentence.

    Raises:
        ModuleNotFoundError: a package that the block imports is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if not error.name or error.name.partition(".")[0] == "lmcourse":
            raise  # a mistake of ours, which no extra mends
        package = error.name.partition(".")[0]
        raise ModuleNotFoundError(
            f'{purpose} needs the package {package}, which is not installed. Run: pip install "lmcourse[{extra}]"',
            name=error.name,
        ) from error
