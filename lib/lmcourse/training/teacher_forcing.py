"""Losses under `fit` for a model that translates: teacher forcing, and scheduled sampling.

In training, the decoder is given the correct token before each one that it has to predict. In use, it is given its own
last token, which may be wrong, and it has never learned to continue from there: exposure bias. Scheduled sampling
replaces some of the correct tokens by the model's own, few at first.
"""

from collections.abc import Callable
from types import NoneType
from typing import Any, Protocol, runtime_checkable

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks


class DecoderOutput(Protocol):
    """What a decoder returns: logits (B, T, V), and the state from which it continues."""

    @property
    def logits(self) -> Tensor: ...

    @property
    def state(self) -> Any: ...

    @property
    def attended(self) -> Any: ...


@runtime_checkable
class EncoderDecoder(Protocol):
    """A model that reads a source and predicts a target token by token, such as `Seq2Seq`."""

    def encode(self, source: Tensor, /) -> Any:
        """Return what the decoder needs of the sources (B, S)."""

    def decode(self, ids: Tensor, encoded: Any, state: Any, attended: Any, /) -> DecoderOutput:
        """Continue with the target tokens (B, T) from a state; None is the state before the first token."""

    def check_target(self, target: Tensor, /) -> None:
        """Raise ValueError if the target (B, T + 1) does not run from the start token to the stop token."""

    def cross_entropy(self, logits: Tensor, following: Tensor, /) -> Tensor:
        """Return the mean cross-entropy of the tokens (B, T) that follow."""

    def loss(self, source: Tensor, target: Tensor, /) -> Tensor:
        """Return the mean cross-entropy of the target with the correct token before each."""


def teacher_forcing(model: EncoderDecoder, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Return the loss of a batch (source, target) with the correct token before each one: `model.loss`.

    Raises:
        TypeError: a model that does not translate, or a batch that is not a pair.
        ValueError: what `model.loss` refuses.
    """
    source, target = _checked(model, batch)
    return model.loss(source, target)


class ScheduledSampling:
    """The loss for `fit` whose decoder is fed the correct token with a probability that falls with the step.

    At step i, independently for every token, the decoder's next input is the correct token with probability `ratio(i)`,
    else one that is sampled from its own distribution. There is no gradient through the sampling. The loss is the
    cross-entropy of the correct tokens, as with teacher forcing.

    Args:
        ratio: function of the step, from 1, such as `teacher_forcing_ratio` with its schedule filled in. A ratio of 1
            is teacher forcing; with 0 the model always continues from its own tokens.
        generator: of the random numbers, on the device of the model; None uses torch's global one.

    Raises:
        TypeError: `ratio` is not a function.
        ValueError: (when called) a ratio outside 0..1.

    Cost: T steps of the decoder one after the other, where teacher forcing runs them in one call.

    Source: Bengio, Vinyals, Jaitly and Shazeer, 2015, section 2.4.
    """

    def __init__(self, ratio: Callable[[int], float], *, generator: torch.Generator | None = None) -> None:
        checks.function(ratio=ratio)
        checks.instance((torch.Generator, NoneType), generator=generator)
        self.ratio, self.generator, self.step = ratio, generator, 0

    def __call__(self, model: EncoderDecoder, batch: tuple[Tensor, Tensor]) -> Tensor:
        source, target = _checked(model, batch)
        model.check_target(target)
        self.step += 1
        ratio = self.ratio(self.step)
        logits = scheduled_sampling_logits(model, source, target[:, :-1], ratio, generator=self.generator)
        return model.cross_entropy(logits, target[:, 1:])

    def state_dict(self) -> dict[str, Any]:
        return {"step": self.step}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        checks.keys(("step",), saved=saved)
        checks.whole(**{"saved['step']": saved["step"]}, at_least=0)
        self.step = saved["step"]


def scheduled_sampling_logits(
    model: EncoderDecoder, source: Tensor, target: Tensor, ratio: float, *, generator: torch.Generator | None = None
) -> Tensor:
    """Return the logits (B, T, V) after each token, when only some of the tokens before are those of the target.

    Args:
        model: reads the sources and decodes.
        source: ids (B, S), padded at the end.
        target: ids (B, T), from the start token on. The first token is always kept; each later one is kept with
            probability `ratio`, else replaced by one that the model samples.
        ratio: 0 to 1.
        generator: of the random numbers, on the device of the model; None uses torch's global one.

    Raises:
        TypeError: `ratio` is not a number, or `target` does not hold integers.
        ValueError: a ratio outside 0..1, a target of another shape, or unequal numbers of rows.
    """
    _checked(model, (source, target))
    checks.number(ratio=ratio, at_least=0.0, at_most=1.0)
    checks.instance((torch.Generator, NoneType), generator=generator)
    if target.dim() != 2 or target.numel() == 0:
        raise ValueError(f"`target` must have shape (B, T), not empty, got {tuple(target.shape)}.")
    encoded = model.encode(source)
    state, attended, inputs, logits = None, None, target[:, :1], []
    for t in range(target.shape[1]):
        decoded = model.decode(inputs, encoded, state, attended)
        state, attended = decoded.state, decoded.attended
        if t == 0:  # tokens that are replaced are never read
            tensor_checks.integers(target=target, at_least=0, below=decoded.logits.shape[-1])
        logits.append(decoded.logits)
        if t + 1 < target.shape[1]:
            probs = decoded.logits[:, -1].detach().float().softmax(-1)
            sampled = torch.multinomial(probs, 1, generator=generator)  # (B, 1)
            uniform = torch.rand(sampled.shape, device=sampled.device, generator=generator)
            inputs = torch.where(uniform < ratio, target[:, t + 1 : t + 2], sampled)
    return torch.cat(logits, dim=1)


def _checked(model: EncoderDecoder, batch: Any) -> tuple[Tensor, Tensor]:
    """Return source and target, if they are of integers, equally many, and the model can translate."""
    if not isinstance(model, EncoderDecoder):
        raise TypeError(f"`model` must translate, as Seq2Seq does, got {type(model).__name__}.")
    source, target = checks.pair(batch=batch)
    tensor_checks.integers(source=source, target=target)
    if source.dim() == 0 or target.dim() == 0 or len(source) != len(target):
        raise ValueError(
            "`source` and `target` must have equally many rows, "
            f"got shapes {tuple(source.shape)} and {tuple(target.shape)}."
        )
    return source, target
