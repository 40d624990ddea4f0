"""For every claim of every chapter, a line that breaks the model it speaks of; the claim must then fail.

A break assigns to names of the notebook (untrained weights, shuffled labels, another model's figures). It runs in a
copy of the notebook's names just before the claim's cell is run again. `NN.txt` holds those of chapter NN: what the
claim says, and below it, indented, its break.
"""

import textwrap
from pathlib import Path

BREAKS: dict[str, str] = {}
for _path in sorted(Path(__file__).parent.glob("*.txt")):
    for _each in _path.read_text(encoding="utf-8").strip().split("\n\n"):
        _statement, _code = _each.split("\n", 1)
        BREAKS[_statement] = textwrap.dedent(_code)
