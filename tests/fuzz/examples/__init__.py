"""Good arguments for every public callable, by room."""

from tests.fuzz.examples import models, training

EXAMPLES = {**models.EXAMPLES, **training.EXAMPLES}
