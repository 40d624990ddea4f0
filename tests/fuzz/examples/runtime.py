"""Good arguments for what `lmcourse.runtime` makes public."""

from lmcourse import runtime
from tests.fuzz.examples import things
from tests.fuzz.judge import Example

ANYTHING = "a value of any kind, whatever the caller picks from"


def _claim(statement, holds, on, present):
    try:
        return runtime.claim(statement, holds, on=on, present=present)
    except runtime.ClaimFailedError:
        return "it does not hold"


def _evaluation_mode(modules):
    with runtime.evaluation_mode(modules):
        return True


EXAMPLES = {
    "runtime.claim": Example(
        lambda: (_claim, {"statement": "water is wet", "holds": lambda: True, "on": "a", "present": "b"}),
        accepts=(
            ("statement", "empty, other text", "any sentence"),
            ("on", "empty, other text", "any name"),
            ("present", "empty, other text", "any name"),
            ("holds", "*", "not looked at where another corpus was read; else its truth counts"),
        ),
    ),
    "runtime.device": Example(lambda: {"prefer": "cpu"}),
    "runtime.evaluation_mode": Example(
        lambda: (_evaluation_mode, {"modules": [things.gpt()]}),
        accepts=(("modules", "empty", "nothing to switch"), ("modules", "item another model", "any module")),
    ),
    "runtime.pick": Example(lambda: {"smoke": 1, "laptop": 2, "gpu": 3}, accepts=(("*", "*", ANYTHING),)),
    "runtime.seed_everything": Example(
        lambda: {"seed": 3}, accepts=(("seed", "zero, huge", "a seed, if it is below 2**32"),)
    ),
}
