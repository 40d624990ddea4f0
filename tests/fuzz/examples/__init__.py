"""Good arguments for every public callable, by room."""

from dataclasses import replace

from tests.fuzz.examples import (
    alignment,
    data,
    exercises,
    generation,
    layers,
    models,
    plots,
    pretraining,
    runtime,
    tokenizers,
    training,
)

ROOMS = (runtime, data, tokenizers, layers, models, generation, training, alignment, pretraining, plots, exercises)
EXAMPLES = {name: replace(example, name=name) for room in ROOMS for name, example in room.EXAMPLES.items()}
