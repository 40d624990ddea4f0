"""Good arguments for every public callable, by room."""

from tests.fuzz.examples import generation, layers, models, training

EXAMPLES = {**layers.EXAMPLES, **models.EXAMPLES, **generation.EXAMPLES, **training.EXAMPLES}
