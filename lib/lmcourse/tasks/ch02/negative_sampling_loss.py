import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes


def negative_sampling_loss(centre, context, noise):
    """Return the mean loss of skip-gram with negative sampling.

    Scores of some thousands must not overflow.

    Args:
        centre: vectors of the centres, a tensor of shape (B, D).
        context: vectors of the words that really were near, (B, D).
        noise: vectors of the noise words, (B, K, D); B, K and D are at least 1.

    Returns:
        A tensor without dimensions, shape (), through which gradients reach all three.

    >>> v, u, n = torch.tensor([[2.0]]), torch.tensor([[1.5]]), torch.tensor([[[0.5], [-1.0]]])
    >>> round(negative_sampling_loss(v, u, n).item(), 4)
    1.4888
    """
    true = (context * centre).sum(-1)  # (B,)
    false = (noise @ centre.unsqueeze(-1)).squeeze(-1)  # (B, K, D) -> (B, K)
    return -(F.logsigmoid(true) + F.logsigmoid(-false).sum(1)).mean()


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def vectors(
        B: int, K: int, D: int, dtype: torch.dtype = torch.float64, size: float = 1.0
    ) -> tuple[Tensor, Tensor, Tensor]:
        def table(*shape: int) -> Tensor:
            return (size * torch.randn(*shape, generator=generator, dtype=torch.float64)).to(dtype).requires_grad_()

        return table(B, D), table(B, D), table(B, K, D)

    def column(*numbers: float) -> Tensor:
        return torch.tensor(numbers, dtype=torch.float64).unsqueeze(1).requires_grad_()

    def noise(*rows: tuple[float, ...]) -> Tensor:
        return torch.tensor(rows, dtype=torch.float64).unsqueeze(2).requires_grad_()

    return [
        case("the worked example", column(2.0), column(1.5), noise((0.5, -1.0))),
        case("three pairs, five noise words each", *vectors(3, 5, 7)),
        case("as many pairs as noise words as numbers", *vectors(3, 3, 3)),
        case("eleven pairs", *vectors(11, 2, 5)),
        case("float32", *vectors(3, 5, 7, torch.float32)),
        border("one pair", *vectors(1, 5, 3)),
        border("one noise word", *vectors(5, 1, 7)),
        border("one pair and one noise word", *vectors(1, 1, 3)),
        border("one number a word", *vectors(3, 5, 1)),
        border("scores of some thousands, where exp is 0 or infinite", *vectors(5, 3, 7, size=30.0)),
        border("a noise score of 2,000", column(50.0), column(0.01), noise((40.0, 0.0))),
        border("scores of -20,000 and 3 in one batch", column(100.0, 1.0), column(-200.0, 3.0), noise((1.0,), (2.0,))),
        border("float32 and scores of some thousands", *vectors(2, 3, 5, torch.float32, size=40.0)),
    ]


SLIPS = mistakes("""
sign: "the mean loss"
    return -( => return (
  This is the logarithm of the probability, which should be large. A loss is its negative.
noise_as_true: "skip-gram with negative sampling"
    logsigmoid(-false) => logsigmoid(false)
  The noise words are rewarded like the true one. Their score enters with a minus: sigmoid(-score) is the probability
  that a word is noise.
mean_noise: "skip-gram with negative sampling"
    .sum(1) => .mean(1)
  The K noise words of a pair were averaged. They are added: each is a decision of its own.
noise_of_all_pairs: "vectors of the noise words, (B, K, D)"
    .sum(1) => .sum()
  The noise of the whole batch was added to each pair. Every pair has its own K noise words: sum over them alone, dim=1,
  then take the mean over the pairs.
summed: "the mean loss"
    .mean() => .sum()
  The losses of the pairs were added. Take their mean, so that the loss does not grow with the batch.
overflow: "Scores of some thousands must not overflow"
    F.logsigmoid(true) => torch.sigmoid(true).log()
    F.logsigmoid(-false) => torch.sigmoid(-false).log()
  Right on paper, but in a computer exp(2000) is infinite and sigmoid(-2000) is 0, whose logarithm is minus infinity.
  F.logsigmoid computes both steps in one without that.
one_minus_after_logsigmoid
    F.logsigmoid(-false) => (1 - torch.sigmoid(false)).log()
  The true word is right, but for noise 1 - sigmoid(40) is 0 in a computer, and log 0 is minus infinity. Use
  F.logsigmoid(-score) there.
noise_against_context: "vectors of the noise words, (B, K, D)"
    noise @ centre => noise @ context
  The noise words were compared with the context. All K + 1 words of a pair are compared with the centre, v.
detached: "gradients reach all three"
    noise @ => noise.detach() @
  The value is right, but no gradient reaches the noise words. They learn too: they are pushed away.
centre_detached: "gradients reach all three"
    centre.unsqueeze(-1) => centre.detach().unsqueeze(-1)
  The value is right, but the gradient of the centre lacks the part that comes from the noise (detach or .data). The
  centre learns from its noise words, too.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7, gradient=True)
HINTS = hints("""
- K + 1 yes-or-no questions a pair. What are the scores, and which of them should be large?
- True score: (context * centre).sum(-1). Noise scores: (noise @ centre.unsqueeze(-1)).squeeze(-1), shape (B, K).
  F.logsigmoid is the safe logarithm of the sigmoid.
- return -(F.logsigmoid(true) + F.logsigmoid(-noise_scores).sum(1)).mean()
""")
task = Task(
    negative_sampling_loss, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
