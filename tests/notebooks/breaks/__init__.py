"""For every claim of every chapter, a line that breaks the model it speaks of; the claim must then fail.

A break assigns to names of the notebook (untrained weights, shuffled labels, another model's figures). It runs in a
copy of the notebook's names just before the claim's cell is run again. One module a chapter, each with a BREAKS.
"""

import importlib
import pkgutil

BREAKS: dict[str, str] = {}
for _info in pkgutil.iter_modules(__path__):
    BREAKS |= importlib.import_module(f"{__name__}.{_info.name}").BREAKS
