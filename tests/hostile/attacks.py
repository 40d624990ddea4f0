"""Submissions that attack the marking, read from `attacks.txt`, whose head says what is in it."""

import re
from pathlib import Path

#: Name -> the code of the answer cell, and the statuses that may come of it, or None where all will do.
ATTACKS: dict[str, tuple[str, set[str] | None]] = {  # these two are no text
    "null_byte": ("def phrase_matrix(*_): return '\\x00'\nx = '\x00'", {"ungradable", "marked"}),
    "deep_brackets": ("(" * 5000 + ")" * 5000, {"ungradable", "memory"}),
}
#: One or two of each kind, for every day.
SAMPLE: list[str] = []

for part in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n### ")[1:]:
    heading, code = re.sub(r"\n## .*", "", part).split("\n", 1)
    name, daily, statuses = re.fullmatch(r"(\w+)( \(daily\))?: (.*)", heading).groups()
    ATTACKS[name] = code.strip("\n"), None if statuses == "any" else set(statuses.split(", "))
    if daily:
        SAMPLE.append(name)
