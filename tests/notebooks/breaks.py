"""For every claim of every chapter, a line that breaks the model it speaks of; the claim must then fail.

A break assigns to names of the notebook (untrained weights, shuffled labels, another model's figures). It runs in a
copy of the notebook's names just before the claim's cell is run again.
"""

BREAKS: dict[str, str] = {}
