"""The ladder: every language model of the course on the same test text, in bits per byte."""

import csv
import os
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from lmcourse import atomic
from lmcourse.runtime import preset

KINDS = ("live", "trained")


@dataclass(frozen=True)
class Rung:
    """One model's row.

    Attributes:
        model: what it is called in the course.
        chapter: two digits.
        kind: "live" (trained in the chapter, in about a minute) or "trained" (from a recorded run).
        bits_per_byte: on the common test text.
        parameters: numbers that were learned (for n-grams, stored probabilities and back-off weights).
        train_bytes: bytes of text it learned from.
        flops: floating-point operations of the training, where they are worth counting; else empty.
        seconds: training time in a recorded run, with the machine named there; else empty.
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
    """The table of all rungs, kept as a CSV file beside the chapters.

    Args:
        path: the file; `ladder.csv` in the folder the notebook runs in.
        keep: whether new rows go to the file. A run at another size than "laptop" is never kept.
    """

    def __init__(self, path: str | os.PathLike[str] = "ladder.csv", *, keep: bool = True) -> None:
        self.path = Path(path)
        self.keep = keep and preset() == "laptop"
        self.rungs: list[Rung] = self._read()
        self._shown_up_to = "99"

    def record(self, model: str, **columns: object) -> "Ladder":
        """Write one model's row, in place of an earlier row of that model and kind; return the ladder to show it.

        What is shown then ends with this row's chapter: a page is the same whether or not later ones were built.

        Values are rounded to what can be repeated on another machine (bits to 3 digits after the point), and the file
        is touched only when a row changes. Where the folder may not be written, the row is shown but not kept.

        Raises:
            TypeError: a column is missing or unknown (they are those of `Rung`).
            ValueError: a value that no model can have.
        """
        rung = Rung(model=model, **columns)  # type: ignore[arg-type]
        self._shown_up_to = rung.chapter
        if rung.kind not in KINDS:
            raise ValueError(f"`kind` must be one of {', '.join(KINDS)}, got {rung.kind!r}.")
        if not 0 < rung.bits_per_byte < 64:
            raise ValueError(f"`bits_per_byte` must be between 0 and 64, got {rung.bits_per_byte}.")
        seconds = None if rung.seconds is None else float(f"{rung.seconds:.3g}")
        rung = replace(rung, bits_per_byte=round(float(rung.bits_per_byte), 3), seconds=seconds)
        others = [old for old in self.rungs if (old.model, old.kind) != (rung.model, rung.kind)]
        if rung not in self.rungs:
            self.rungs = sorted([*others, rung], key=lambda row: (row.chapter, row.kind, row.model))
            try:
                if self.keep:
                    self._write()
            except OSError as error:
                print(f"(the ladder is not kept: {error.strerror})")
        return self

    def _read(self) -> list[Rung]:
        if not self.path.exists():
            return []
        with self.path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        names = [field.name for field in fields(Rung)]
        if rows and list(rows[0]) != names:
            raise ValueError(f"{self.path.name} must have the columns {', '.join(names)}, got {', '.join(rows[0])}.")
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

    def _write(self) -> None:
        with atomic.replacing(self.path.resolve()) as out:
            writer = csv.DictWriter(out, [field.name for field in fields(Rung)], lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(rung) for rung in self.rungs)

    def _repr_markdown_(self) -> str:
        head = (
            "| model | chapter | kind | bits per byte | parameters | trained on | in |\n|---|---|---|--:|--:|--:|--:|\n"
        )
        return head + "\n".join(
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
