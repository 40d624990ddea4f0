"""Record what the pages show: `python -m experiments NAME`, `--all KIND` or `--list`.

A name is that of what is written, such as gpt-parts or checkpoints/gpt. The registry is `experiments/registry.txt`.
"""

import argparse
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

REGISTRY = Path(__file__).with_name("registry.txt")
KINDS = ("checkpoint", "experiment", "benchmark", "named")


@dataclass(frozen=True)
class Entry:
    """One command and what it writes.

    Args:
        kind: one of `KINDS`; what is "named" runs only by its name.
        command: what follows `python -m`.
        minutes: on one core, about.
        writes: recorded runs and checkpoints, relative to chapters/, without endings.
    """

    kind: str
    command: str
    minutes: int
    writes: tuple[str, ...]

    def is_called(self, name: str) -> bool:
        return name in self.writes or f"recorded/{name}" in self.writes

    def arguments(self) -> list[str]:
        """The command's words; a benchmark is told where its record goes, an experiment knows it."""
        words = shlex.split(self.command)
        return words + (["--out", f"chapters/{self.writes[0]}.json"] if words[0].startswith("benchmarks.") else [])


def registry(path: Path = REGISTRY) -> list[Entry]:
    """Return all entries in the order in which they run.

    Raises:
        ValueError: a line that is no entry; the message has its number.
    """
    entries = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 4 or parts[0] not in KINDS or not parts[2].isdigit():
            raise ValueError(f"{path.name}, line {number}: must be `kind | command | minutes | files`, got {line!r}.")
        entries.append(Entry(parts[0], parts[1], int(parts[2]), tuple(parts[3].split())))
    return entries


def chosen(entries: list[Entry], names: list[str], kind: str | None) -> list[Entry]:
    """Return the entries of a kind and those that write what is named, each once.

    Raises:
        ValueError: nothing of this name is written.
    """
    for name in names:
        if not any(entry.is_called(name) for entry in entries):
            raise ValueError(f"nothing writes {name!r}; `python -m experiments --list` shows all names.")
    return [entry for entry in entries if entry.kind == kind or any(map(entry.is_called, names))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--all", choices=KINDS[:-1], metavar="KIND", help=f"{', '.join(KINDS[:-1])}: all of this kind")
    parser.add_argument("--list", action="store_true", help="tell all names, minutes and commands")
    asked = parser.parse_args()
    if asked.list:
        for entry in registry():
            names = " ".join(name.removeprefix("recorded/") for name in entry.writes)
            print(f"{entry.kind:<11}{entry.minutes:>4} min  {names:<44}  {entry.command}")
        return
    try:
        entries = chosen(registry(), asked.names, asked.all)
    except ValueError as error:
        parser.error(str(error))
    if not entries:
        parser.error("name what to record, or --all KIND, or --list.")
    for entry in entries:
        print(f"python -m {entry.command}: about {entry.minutes} minutes", flush=True)
        if (failed := subprocess.run([sys.executable, "-m", *entry.arguments()], check=False).returncode) != 0:
            sys.exit(failed)


if __name__ == "__main__":
    main()
