"""Losses for a `Seq2Seq` under `fit`: teacher forcing, and scheduled sampling.

In training the decoder is given the right token before each one that it has to predict. At work it is given its own
last one, which may be wrong, and it has never learned to go on from there: exposure bias. Scheduled sampling mixes
the model's own tokens in, few at first.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lmcourse.models.seq2seq import Seq2Seq


def teacher_forcing(model: Seq2Seq, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Return the loss of a batch (source, target) with the right token before each: `model.loss`."""
    return model.loss(*batch)


class ScheduledSampling:
    """The loss for `fit` in which each token before is the teacher's with a probability that falls by schedule.

    At step i and for every token, a coin decides: with probability `share(i)` the decoder's next input is the right
    token, else one drawn from its own distribution. No gradient goes through the draw. The loss is that of the right
    tokens, as ever.

    Args:
        share: function of the step, from 1, such as `teacher_forcing_ratio` with its schedule filled in. With 1 it is teacher
            forcing, with 0 the model always goes on from its own.
        generator: for coins and draws, on the device of the model; None uses torch's global one.

    Cost: T steps of the decoder one after the other, where teacher forcing runs them in one call.

    Source: Bengio, Vinyals, Jaitly and Shazeer, 2015, section 2.4.
    """

    def __init__(self, share: Callable[[int], float], *, generator: torch.Generator | None = None) -> None:
        self.share, self.generator, self.step = share, generator, 0

    def __call__(self, model: Seq2Seq, batch: tuple[Tensor, Tensor]) -> Tensor:
        source, target = batch
        model.check_target(target)
        self.step += 1
        share = self.share(self.step)
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"`share` must give a probability, got {share} at step {self.step}.")
        logits = scheduled_sampling_logits(model, source, target[:, :-1], share, generator=self.generator)
        return model.cross_entropy(logits, target[:, 1:])

    def state_dict(self) -> dict[str, Any]:
        return {"step": self.step}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        self.step = saved["step"]


def scheduled_sampling_logits(
    model: Seq2Seq, source: Tensor, target: Tensor, share: float, *, generator: torch.Generator | None = None
) -> Tensor:
    """Return the logits (B, T, V) after each of `target` (B, T), where each token but the first is kept with
    probability `share` and else replaced by one that the model draws."""
    encoded = model.encode(source)
    state, attended, inputs, logits = None, None, target[:, :1], []
    for t in range(target.shape[1]):
        decoded = model.decode(inputs, encoded, state, attended)
        state, attended = decoded.state, decoded.attended
        logits.append(decoded.logits)
        if t + 1 < target.shape[1]:
            probs = decoded.logits[:, -1].detach().float().softmax(-1)
            drawn = torch.multinomial(probs, 1, generator=generator)  # (B, 1)
            coins = torch.rand(drawn.shape, device=drawn.device, generator=generator)
            inputs = torch.where(coins < share, target[:, t + 1 : t + 2], drawn)
    return torch.cat(logits, dim=1)
