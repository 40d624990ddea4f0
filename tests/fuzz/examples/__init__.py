"""Good arguments for every public callable, by room."""

from tests.fuzz.examples import models

EXAMPLES = {**models.EXAMPLES}
