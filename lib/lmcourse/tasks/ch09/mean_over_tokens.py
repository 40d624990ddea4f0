import numpy as np
import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double, leaf, marks
from lmcourse.tasks.ch09.shared import CLOSE


def mean_over_tokens(vectors, attention_mask):
    """Return the mean of the vectors that take part.

    Args:
        vectors: a tensor of shape (B, T, D).
        attention_mask: a tensor of bool, shape (B, T); True = takes part.

    Returns:
        A tensor of shape (B, D), through which the gradient flows; where nothing takes part zeros, and so is the
        gradient there.

    >>> mean_over_tokens(torch.tensor([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]]]), torch.tensor([[True, True, False]]))
    tensor([[2., 4.]])
    """
    total = (vectors * attention_mask[..., None]).sum(1)  # (B, D)
    return total / attention_mask.sum(1, keepdim=True).clamp(min=1)


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, B: int, T: int, D: int, *, dtype: torch.dtype = torch.float64, left: bool = False) -> Case:
        vectors = torch.from_numpy(rng.normal(size=(B, T, D)) + 1.0).to(dtype).requires_grad_()
        lengths = torch.from_numpy(rng.integers(1, T, (B, 1)))
        lengths[0] = T
        mask = torch.arange(T) < lengths
        return case(label, vectors, mask.flip(1) if left else mask)

    some = torch.from_numpy(rng.normal(size=(3, 5, 2))).requires_grad_()
    across = torch.from_numpy(rng.normal(size=(3, 2, 5))).mT.requires_grad_()
    return [
        case("the worked example", leaf([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]]]), marks("110")),
        draw("padding at the end", 5, 7, 3),
        draw("padding at the beginning", 3, 11, 2, left=True),
        draw("two rows", 2, 5, 13),
        border("a row in which nothing takes part", some, marks("11111 00000 10100")),
        draw("float32", 3, 5, 2, dtype=torch.float32),
        case("masks that differ in a fixed order", leaf([[[1], [2], [4]], [[8], [16], [32]]]), marks("011 101")),
        border("large numbers in the padding", leaf([[[1, 2], [1e30, -1e30], [3, 5]]]), marks("101")),
        case("a token of zeros that takes part", leaf([[[0, 0], [3, 6], [1, 1]]]), marks("110")),
        case("vectors without a gradient", double([[[1.0], [5.0], [4.0]]]), marks("101")),
        border("one row of one token", leaf([[[3.0, 5.0]]]), marks("1")),
        border("nothing takes part in any row", leaf([[[1.0, 1.0]] * 3] * 2), marks("000 000")),
        border("a tensor whose rows do not lie in a row", across, marks("11111 10101 00001")),
    ]


SLIPS = mistakes("""
all: "Return the mean of the vectors that take part"
    return total / attention_mask.sum(1, keepdim=True).clamp(min=1) => return vectors.mean(1)
  Padding was averaged in, so a sentence's vector depends on its neighbours in the batch. Leave it out.
over_length: "Return the mean of the vectors that take part"
    attention_mask.sum(1, keepdim=True).clamp(min=1) => vectors.shape[1]
  The sum is right, but it was divided by the padded length. Divide each row by its own number of tokens.
turned: "True = takes part"
    total = => attention_mask = ~attention_mask
    |    total =
  The mask is the wrong way round: True is a token that takes part, False is padding.
nan: "where nothing takes part zeros, and so is the gradient there"
    .clamp(min=1) =>
  A row in which nothing takes part gave 0 / 0. Divide by at least 1, so that it is zeros.
padding_at_the_end: "a tensor of bool, shape (B, T)"
    total = => attention_mask = torch.arange(vectors.shape[1]) < attention_mask.sum(1, keepdim=True)
    |    total =
  The first tokens were taken, as many as take part. Padding may stand anywhere: look at the mask of each token.
not_zero_vectors
    attention_mask.sum(1, keepdim=True) => (vectors * attention_mask[..., None]).any(-1).sum(1, keepdim=True)
  A vector of zeros was not counted although its token takes part. Count the tokens by the mask.
one_more
    .clamp(min=1) => + 1
  Each sum was divided by one more than the number of tokens. Only where that is 0 a 1 is needed: clamp(min=1).
longest
    attention_mask.sum(1, keepdim=True) => attention_mask.sum(1).max()
  Every row was divided by the number of tokens of the longest one. Divide each by its own.
""")
HINTS = hints("""
- Multiply by the mask, so that padding is 0, and sum over the tokens.
- The mask is (B, T), the vectors are (B, T, D): attention_mask[..., None] fits. Then divide by attention_mask.sum(1).
- (vectors * attention_mask[..., None]).sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)
""")
task = Task(mean_over_tokens, points=2, difficulty=2, minutes=10, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
