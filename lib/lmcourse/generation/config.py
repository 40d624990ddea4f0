"""The settings of sampling."""

from dataclasses import dataclass, replace
from typing import TypedDict

from lmcourse import checks


@dataclass(frozen=True)
class SamplingConfig:
    """How the next token is chosen from a model's logits; see `sampling_distribution` for what each setting does.

    Attributes:
        temperature: below 1 sharpens the distribution, above 1 flattens it; 0 is greedy.
        top_k: the number of likeliest tokens that are kept; None, or more than there are, keeps all.
        top_p: keeps the fewest likeliest tokens whose probabilities sum to at least this; above 0, at most 1.
        min_p: drops tokens less likely than this share of the likeliest token's probability; 0 to 1.
        repetition_penalty: above 1 makes tokens less likely that the text already holds, below 1 more likely; 1 is off.
            From 0.01 to 100: further out, only the numbers overflow.

    Raises:
        TypeError: a setting of another kind.
        ValueError: a setting out of range.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float = 1.0

    def __post_init__(self) -> None:
        checks.number(temperature=self.temperature, at_least=0.0)
        if self.top_k is not None:
            checks.whole(top_k=self.top_k, at_least=1)
        if self.top_p is not None:
            checks.number(top_p=self.top_p, above=0.0, at_most=1.0)
        if self.min_p is not None:
            checks.number(min_p=self.min_p, at_least=0.0, at_most=1.0)
        checks.number(repetition_penalty=self.repetition_penalty, at_least=0.01, at_most=100.0)


class SamplingSettings(TypedDict, total=False):
    """The settings of `SamplingConfig` as keyword arguments, for type checkers."""

    temperature: float
    top_k: int | None
    top_p: float | None
    min_p: float | None
    repetition_penalty: float


def configured(config: SamplingConfig | None, settings: SamplingSettings) -> SamplingConfig:
    """Return a config with some settings replaced."""
    if config is None:
        return SamplingConfig(**settings)
    checks.instance(SamplingConfig, config=config)
    return replace(config, **settings)
