"""The ladder: every language model of the course on the same test text, in bits per byte."""

import csv
import os
import re
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from lmcourse import atomic, checks
from lmcourse.runtime import preset

KINDS = ("live", "trained")
BUILDING = "LMCOURSE_BUILD"  # set while the course's pages are built: only then is the course's own table written


@dataclass(frozen=True)
class Rung:
    """One model's row.

    Attributes:
        model: its name in the course.
        chapter: two digits.
        kind: "live" (trained in the chapter, in about a minute) or "trained" (from a recorded run).
        bits_per_byte: on the common test text.
        parameters: learned numbers (for n-grams, stored probabilities and back-off weights).
        train_bytes: bytes of training text.
        flops: floating-point operations of the training, where they are worth counting; else None.
        seconds: training time in a recorded run, which names the machine; else None.
    """

    model: str
    chapter: str
    kind: str
    bits_per_byte: float
    parameters: int
    train_bytes: int
    flops: float | None = None
    seconds: float | None = None


class Ladder:
    """The table of all models, a CSV file beside the chapters, and this machine's own rows.

    The table belongs to the course: only the builder of the pages changes it. A page that is run shows the numbers that
    it has just measured, whose last digit depends on the machine, and leaves the table as it is. A model that the table
    does not have (one of your own) is kept in a file of its own, `.lmcourse/ladder.csv` beside the table.

    Args:
        path: the table; by default `ladder.csv` in the folder in which the notebook runs.
        keep: whether new rows are stored. A run with another preset than "laptop" is never stored.

    Attributes:
        rungs: all rows, by chapter.
    """

    def __init__(self, path: str | os.PathLike[str] = "ladder.csv", *, keep: bool = True) -> None:
        checks.file_path(path=path)
        self.path = Path(path)
        self.building = bool(os.environ.get(BUILDING))
        self.own_path = self.path.parent / ".lmcourse" / self.path.name
        self.keep = keep and preset() == "laptop"
        self._table = _read(self.path)
        self._own = [] if self.building else [rung for rung in _read(self.own_path) if not _has(self._table, rung)]
        self.rungs: list[Rung] = _sorted([*self._table, *self._own])
        self._shown_up_to = "99"

    def record(self, model: str, **columns: object) -> "Ladder":
        """Add one model's row, in place of an earlier row of that model and kind; return the ladder to display it.

        The rows displayed end with this row's chapter: a page is the same whether or not later ones were built.

        Values are rounded to what can be repeated on another machine (bits per byte to 3 decimals), and a file is
        written only when a row changes. Where the folder is not writable, the row is shown but not stored.

        Raises:
            TypeError: a column is missing or unknown (they are those of `Rung`).
            ValueError: a value that no model can have.
        """
        rung = Rung(model=model, **columns)  # type: ignore[arg-type]
        checks.instance(str, model=rung.model, chapter=rung.chapter)
        checks.not_empty(model=rung.model)
        checks.one_of(KINDS, kind=rung.kind)
        checks.number(bits_per_byte=rung.bits_per_byte, above=0.0, below=64.0)
        if not re.fullmatch("[0-9]{2}", rung.chapter):
            raise ValueError(f'`chapter` must be two digits such as "03", got {rung.chapter!r}.')
        optional = {"flops": rung.flops, "seconds": rung.seconds}
        checks.number(at_least=0.0, **{name: value for name, value in optional.items() if value is not None})
        checks.whole(parameters=rung.parameters, train_bytes=rung.train_bytes, at_least=0)
        self._shown_up_to = rung.chapter
        seconds = None if rung.seconds is None else float(f"{rung.seconds:.3g}")
        rung = replace(rung, bits_per_byte=round(float(rung.bits_per_byte), 3), seconds=seconds)
        self.rungs = _with(self.rungs, rung)
        try:
            if self.keep and self.building and rung not in self._table:
                self._table = _with(self._table, rung)
                _write(self.path, self._table)
            elif self.keep and not _has(self._table, rung) and rung not in self._own:
                self._own = _with(self._own, rung)
                self.own_path.parent.mkdir(exist_ok=True)
                _write(self.own_path, self._own)
        except OSError as error:
            print(f"(the ladder is not stored: {error.strerror})")
        return self

    def _repr_markdown_(self) -> str:
        head = "| model | chapter | kind | bits per byte | parameters | trained on | time |\n"
        return (head + "|---|---|---|--:|--:|--:|--:|\n") + "\n".join(
            f"| {row.model} | {row.chapter} | {row.kind} | {row.bits_per_byte:.3f} | {row.parameters:,} "
            f"| {row.train_bytes / 1e6:.1f} MB | {_duration(row.seconds)} |"
            for row in self._shown()
        )

    def __repr__(self) -> str:
        return "\n".join(f"{row.bits_per_byte:6.3f} bits per byte  {row.model} ({row.kind})" for row in self._shown())

    def _shown(self) -> list[Rung]:
        """The rows to show, the best last."""
        return sorted(
            (row for row in self.rungs if row.chapter <= self._shown_up_to), key=lambda row: -row.bits_per_byte
        )


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds:,.0f} s" if seconds >= 100 else f"{seconds:.3g} s"


def _has(rungs: list[Rung], rung: Rung) -> bool:
    """Whether there is a row of this model and kind."""
    return any((old.model, old.kind) == (rung.model, rung.kind) for old in rungs)


def _with(rungs: list[Rung], rung: Rung) -> list[Rung]:
    """The rows with this one in place of an earlier one of its model and kind."""
    return _sorted([*(old for old in rungs if not _has([old], rung)), rung])


def _sorted(rungs: list[Rung]) -> list[Rung]:
    return sorted(rungs, key=lambda rung: (rung.chapter, rung.kind, rung.model))


def _read(path: Path) -> list[Rung]:
    if not path.exists():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, strict=True))
        names = [field.name for field in fields(Rung)]
        if rows and list(rows[0]) != names:
            raise ValueError(f"it must have the columns {', '.join(names)}, got {', '.join(rows[0])}")
        return [
            Rung(
                model=row["model"],
                chapter=row["chapter"],
                kind=row["kind"],
                bits_per_byte=float(row["bits_per_byte"]),
                parameters=int(row["parameters"]),
                train_bytes=int(row["train_bytes"]),
                flops=float(row["flops"]) if row["flops"] else None,
                seconds=float(row["seconds"]) if row["seconds"] else None,
            )
            for row in rows
        ]
    except (ValueError, TypeError, csv.Error) as error:
        raise ValueError(f"{path.name} cannot be read: {error}.") from error


def _write(path: Path, rungs: list[Rung]) -> None:
    with atomic.replacing(path.resolve()) as out:
        writer = csv.DictWriter(out, [field.name for field in fields(Rung)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(rung) for rung in rungs)
