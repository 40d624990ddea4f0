"""Exercise `clipped_loss`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch11.shared import drawer, numbers


def clipped_loss(log_probs, old_log_probs, advantages, attention_mask, clip=0.2):
    """Return PPO's policy loss.

    Args:
        log_probs: of the tokens, under the policy that is trained, (B, T).
        old_log_probs: under the policy that drew them, (B, T).
        advantages: (B, T).
        attention_mask: True where a place takes part, (B, T).
        clip: epsilon.

    Returns:
        A tensor without dimensions. The gradient must flow to log_probs.

    >>> ratio, A = torch.tensor([[1.5, 0.9]]), torch.tensor([[2.0, -1.0]])
    >>> loss = clipped_loss(ratio.log(), torch.zeros(1, 2), A, torch.tensor([[True, True]]))
    >>> round(loss.item(), 3)
    -0.75
    """
    ratio = (log_probs - old_log_probs).exp()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    return -gain.masked_fill(~attention_mask, 0.0).sum() / attention_mask.sum().clamp(min=1)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def mask(*sizes: int) -> Tensor:
        keep = torch.rand(*sizes, generator=generator) < 0.7
        keep[0, 0] = True
        return keep

    def near(*sizes: int) -> tuple[Tensor, Tensor]:
        old = -draw(*sizes).abs()
        return old + 0.5 * draw(*sizes), old

    two = torch.tensor([[True, True]])
    start = numbers(-1.0, -1.0).view(1, 2)
    worked = (start + torch.log(numbers(1.5, 0.9)).view(1, 2), start, numbers(2.0, -1.0).view(1, 2))
    ratios = torch.log(numbers(1.5, 0.5, 1.5, 0.5)).view(1, 4)
    new, old = near(3, 7)
    graded, before = near(2, 5)
    return [
        case("the worked example", *worked, two),
        case("three replies, some places masked", new, old, draw(3, 7), mask(3, 7)),
        case("the gradient", graded.requires_grad_(True), before, draw(2, 5), mask(2, 5)),
        border("above and below, good and bad", ratios, 0 * ratios, numbers(1, 1, -1, -1).view(1, 4), ratios < 9),
        border("ratio one: the plain gradient", old.clone().requires_grad_(True), old, draw(3, 7), mask(3, 7)),
        border("nobody takes part: 0", *near(2, 3), draw(2, 3), torch.zeros(2, 3, dtype=torch.bool)),
        border("one token", *near(1, 1), draw(1, 1), torch.tensor([[True]])),
        case("a wide clip", *near(2, 3), draw(2, 3), mask(2, 3), 0.5),
        case("float32", -single(2, 3).abs(), -single(2, 3).abs(), single(2, 3), mask(2, 3)),
    ]  # fmt: skip


def _clipped_wrong(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, clip: float = 0.2, *, how: str
) -> Tensor:
    difference = log_probs - old_log_probs
    ratio = torch.exp(-difference if how == "inverted" else difference)
    if how == "no_exp":
        ratio = 1 + difference
    bounded = ratio.clamp(1 - clip, 1 + clip)
    if how == "one_sided":
        bounded = ratio.clamp(max=1 + clip)
    gain = torch.minimum(ratio * advantages, bounded * advantages)
    if how == "max":
        gain = torch.maximum(ratio * advantages, bounded * advantages)
    if how == "no_clip":
        gain = ratio * advantages
    if how == "always":
        gain = bounded * advantages
    if how == "sign":
        gain = -gain
    if how == "everywhere":
        return -gain.mean()
    total = -gain.masked_fill(~attention_mask, 0.0).sum()
    return total if how == "sum" else total / attention_mask.sum().clamp(min=1)


def _clipped_by_cases(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, clip: float = 0.2
) -> Tensor:
    ratio = (log_probs - old_log_probs).exp()
    good = torch.where(ratio > 1 + clip, torch.full_like(ratio, 1 + clip), ratio)
    bad = torch.where(ratio < 1 - clip, torch.full_like(ratio, 1 - clip), ratio)
    loss = -advantages * torch.where(advantages > 0, good, bad)
    return (loss * attention_mask).sum() / max(1, int(attention_mask.sum()))


def _clipped_by_max(
    log_probs: Tensor, old_log_probs: Tensor, advantages: Tensor, attention_mask: Tensor, clip: float = 0.2
) -> Tensor:
    kept = (log_probs[attention_mask], old_log_probs[attention_mask], advantages[attention_mask])
    ratio = torch.exp(kept[0]) / torch.exp(kept[1])
    losses = torch.max(-kept[2] * ratio, -kept[2] * torch.clip(ratio, 1.0 - clip, 1.0 + clip))
    return losses.mean() if losses.numel() else losses.sum()


task = Task(
    clipped_loss,
    points=4,
    difficulty=4,
    minutes=25,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-7, gradient=True),
    slips=(
        Slip(
            "max",
            partial(_clipped_wrong, how="max"),
            "The larger of the two gains was taken. It is the smaller one: clipping may take a gain away, never hide a "
            "loss.",
        ),
        Slip(
            "no_clip",
            partial(_clipped_wrong, how="no_clip"),
            "Nothing was clipped: a token can be pushed as far as one batch likes. Take the smaller of ratio * A and "
            "clamped ratio * A.",
        ),
        Slip(
            "always",
            partial(_clipped_wrong, how="always"),
            "Only the clamped ratio was used. Then a good token that became unlikely gets no gradient back. Take the "
            "minimum with the plain gain.",
        ),
        Slip(
            "one_sided",
            partial(_clipped_wrong, how="one_sided"),
            "Only the upper end was clamped. For a bad token it is the lower end, 1 - clip, that stops the push.",
        ),
        Slip(
            "inverted",
            partial(_clipped_wrong, how="inverted"),
            "The ratio is upside down: it is new over old, exp(log_probs - old_log_probs).",
        ),
        Slip(
            "no_exp",
            partial(_clipped_wrong, how="no_exp"),
            "The ratio of two probabilities is the exp of the difference of their logarithms, not 1 plus it.",
        ),
        Slip(
            "sign",
            partial(_clipped_wrong, how="sign"),
            "That is the gain, which should rise. A loss falls: put a minus before it.",
        ),
        Slip(
            "everywhere",
            partial(_clipped_wrong, how="everywhere"),
            "The mean was taken over all positions, masked ones too. Sum where attention_mask is True and divide by "
            "how many "
            "those are.",
        ),
        Slip(
            "sum",
            partial(_clipped_wrong, how="sum"),
            "The places were added up. Divide by the number of places that take part (at least 1).",
        ),
    ),
    alternatives=(_clipped_by_cases, _clipped_by_max),
    hints=(
        "First the ratio of the new probability to the old one. Then two gains, with it as it is and with it clamped.",
        "gain = torch.minimum(ratio * A, ratio.clamp(1 - clip, 1 + clip) * A). The loss is minus its mean over the "
        "places that take part.",
        "return -gain.masked_fill(~attention_mask, 0.0).sum() / attention_mask.sum().clamp(min=1)",
    ),
)
