"""Good arguments for every public callable, by room."""

from tests.fuzz.examples import layers, models, training

EXAMPLES = {**layers.EXAMPLES, **models.EXAMPLES, **training.EXAMPLES}
