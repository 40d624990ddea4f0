import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import CLOSE, double, normal


def simple_self_attention(x):
    """Return each word as a weighted mean of the other words, weights from its dot products with them.

    The weights of a word sum to 1. Large scores must not overflow.

    Args:
        x: the words, a tensor (T, D); T may be 0.

    Returns:
        A tensor (T, D), of the element type of x; zeros for a word that is alone.

    >>> x = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64)
    >>> simple_self_attention(x).numpy().round(3).tolist()
    [[0.731, 1.0], [1.0, 0.731], [0.5, 0.5]]
    """
    if len(x) == 1:
        return torch.zeros_like(x)
    own = torch.eye(len(x), dtype=torch.bool)
    scores = (x @ x.T).masked_fill(own, float("-inf"))  # (T, T), without the diagonal
    weights = scores.softmax(dim=-1)  # rows sum to 1
    return weights @ x


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    loud_and_quiet = double([[40.0, 0.0], [0.01, 0.02], [-0.03, 0.5]])
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64)),
        case("seven words of width three", normal(rng, 7, 3)),
        case("three words of width eleven", normal(rng, 3, 11) / 2),
        border("one word, which is alone", normal(rng, 1, 5)),
        case("two words that are the same, and a third", normal(rng, 2, 3)[[0, 0, 1]]),
        border("an empty sentence", torch.zeros(0, 3, dtype=torch.float64)),
        border("scores above 1,000, where exp overflows", 40 * normal(rng, 5, 3)),
        border("a long word among short ones", loud_and_quiet),
        case("a tensor whose rows do not lie one after the other", normal(rng, 3, 5).T),
        case("float32", normal(rng, 5, 2, dtype=torch.float32)),
        border("two long words that are opposite", double([[200.0, 0.0], [-200.0, 0.0]])),
        border("two opposite words whose dot product is minus 1e12", double([[1e6, 0.0], [-1e6, 0.0]])),
    ]


SLIPS = mistakes("""
columns: "The weights of a word sum to 1"
    softmax(dim=-1) => softmax(dim=0)
  Here the columns of the weights sum to 1. Each word divides one unit of attention among all of them, so each **row**
  must sum to 1: softmax(dim=-1).
no_softmax: "weights from its dot products with them"
    .softmax(dim=-1) =>
    float("-inf") => 0.0
  The scores themselves are used as weights. They are not positive and do not sum to 1; put a softmax over each row
  between the two products.
uniform: "weighted mean"
    x @ x.T => 0 * (x @ x.T)
  This is the plain mean of the others: all get the same weight. The weights must come from the dot products.
scaled: "weights from its dot products with them"
    x @ x.T => x @ x.T / x.shape[1] ** 0.5
  The scores are divided by the root of the width. That comes two exercises later; the simple form has no scaling.
with_itself, as on the page: "of the other words"
    if len(x) == 1 => if False
    masked_fill(own, float("-inf")) => masked_fill(own & False, 0.0)
  Each word takes part in its own mean, as on the page. Here only the **other** words do: give the diagonal of the
  scores minus infinity before the softmax.
alone_is_nan: "zeros for a word that is alone"
    if len(x) == 1 => if False
  A word that is alone became NaN: the softmax of minus infinity alone is 0 / 0. It should get zeros.
alone_stays: "zeros for a word that is alone"
    torch.zeros_like(x) => x.clone()
  A word that is alone stayed as it is. There is no other word whose mean it could become: zeros.
own_weight_removed: "The weights of a word sum to 1"
    scores = (x @ x.T).masked_fill(own, float("-inf"))  # (T, T), without the diagonal
    |    weights = scores.softmax(dim=-1) => scores = x @ x.T
    |    weights = scores.softmax(dim=-1).masked_fill(own, 0.0)
  The word's own weight was set to 0 after the softmax, so that the weights of the others sum to less than 1. Leave its
  score out before the softmax.
own_vector_removed: "Large scores must not overflow"
    scores = (x @ x.T).masked_fill(own, float("-inf"))  # (T, T), without the diagonal
    |    weights = scores.softmax(dim=-1) => scores = x @ x.T
    |    shares = scores.softmax(dim=-1).masked_fill(own, 0.0)
    |    weights = shares / shares.sum(dim=-1, keepdim=True)
  The softmax ran over all words, the own weight was removed, and the rest divided by its sum. Where a word's score with
  itself is far above the others, their weights are rounded to 0 and this gives 0 / 0. Leave its score out before the
  softmax.
overflow: "Large scores must not overflow"
    scores.softmax(dim=-1) => scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
  Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a number.
  Subtract from each row its maximum first, or use torch's softmax, which does so.
""")
HINTS = hints("""
- Scores of every word with every word, weights that sum to 1, weighted means. Which scores must not count, and what
  score has the exponential 0?
- x @ x.T is the (T, T) table of dot products; a word's score with itself stands on the diagonal. Set that to minus
  infinity before the softmax. What does the softmax give where nothing else is left?
- own = torch.eye(len(x), dtype=torch.bool); (x @ x.T).masked_fill(own, float("-inf")).softmax(dim=-1) @ x; and zeros if
  len(x) == 1
""")
task = Task(
    simple_self_attention, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
