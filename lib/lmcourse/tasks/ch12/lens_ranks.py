import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, drawer


def lens_ranks(states, gain, unembedding, answer):
    """Return the rank of a token when the model is read after each layer.

    The final norm is RMSNorm without epsilon: x / sqrt(mean of x^2), times the gain.

    Args:
        states: the stream after each layer, (L, D), no row of zeros.
        gain: of the final norm, (D,).
        unembedding: (V, D).
        answer: the token's id.

    Returns:
        A tensor of whole numbers (L,): 1 is the likeliest. Tokens with the same logit as the answer do not count as
        better.

    >>> states = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
    >>> lens_ranks(states, torch.tensor([1.0, 10.0]), torch.tensor([[1.0, 0.0], [0.0, 0.5]]), 0).tolist()
    [2, 2]
    """
    normed = states / states.square().mean(dim=-1, keepdim=True).sqrt() * gain
    logits = normed @ unembedding.T  # (L, V)
    return (logits > logits[:, [answer]]).sum(dim=-1) + 1


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = torch.tensor([[1.0, 2.0], [2.0, 1.0]]), torch.tensor([1.0, 10.0]), torch.tensor([[1.0, 0.0], [0.0, 0.5]])
    level = torch.tensor([[3.0, 1.0]]), torch.ones(2), torch.tensor([[5.0, 0.0], [5.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    far = torch.ones(1).double(), torch.tensor([[0.0], [-1000.0], [-2000.0]]).double()
    same = draw(11, 5)
    same[3] = same[7]
    return [
        case("the worked example", *worked, 0),
        case("five layers", draw(5, 7), draw(7), draw(13, 7), 4),
        case("as many layers as features", draw(7, 7), draw(7), draw(11, 7), 2),
        case("a large vocabulary", draw(3, 5), 1 + draw(5).abs(), draw(97, 5), 60),
        border("one layer", draw(1, 5), draw(5), draw(11, 5), 3),
        border("the first token of the vocabulary", draw(5, 3), draw(3), draw(7, 3), 0),
        border("the last token of the vocabulary", draw(5, 3), draw(3), draw(7, 3), 6),
        border("two tokens with the same logit", draw(5, 5), draw(5), same, 7),
        border("two better tokens with the same logit", *level, 2),
        border("logits so far below the best that exp gives 0", torch.ones(1, 1).double(), *far, 2),
    ]


SLIPS = mistakes("""
from_zero: "A tensor of whole numbers (L,): 1 is the likeliest"
    + 1 =>
  The ranks begin at 0. The likeliest token has rank 1.
lowest_first: "Return the rank of a token when the model is read after each layer"
    logits > logits => logits < logits
  The tokens with a lower logit were counted: the likeliest token gets the last rank. Count those above.
ties_count: "Tokens with the same logit as the answer do not count as better"
    logits > logits => logits >= logits
  The answer was counted among the tokens that are better than itself, as was every token with the same logit. Count
  only larger ones.
no_gain: "The final norm is RMSNorm without epsilon: x / sqrt(mean of x^2), times the gain"
    * gain =>
  The gain of the final norm is missing. It weighs the features, so it changes the order of the tokens.
last_layer_only: "Return the rank of a token when the model is read after each layer"
    normed @ unembedding.T => (normed[-1:] @ unembedding.T).expand(len(states), -1)
  All layers have the rank of the last one. Read each row of the stream.
""")
HINTS = hints("""
- First the norm, then the product with the unembedding; both work on all layers at once.
- The rank is one more than the number of tokens with a larger logit.
- logits = (states / rms * gain) @ unembedding.T; return (logits > logits[:, [answer]]).sum(dim=-1) + 1
""")
task = Task(lens_ranks, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
