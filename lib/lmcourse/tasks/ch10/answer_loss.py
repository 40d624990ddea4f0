import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double, leaf, marks
from lmcourse.tasks.ch10.shared import draw_ids, draw_marks


def answer_loss(logits, ids, answer):
    """Return the mean cost of the tokens of answers, in nats.

    The first token of a row is not predicted, and never counts. Large logits must not overflow.

    Args:
        logits: (B, T, V), T at least 2.
        ids: the tokens that were read, (B, T).
        answer: (B, T) bool, True at the tokens of answers.

    Returns:
        A scalar tensor. The gradient must flow through it. If no token counts: 0, computed from the logits like any
        other loss, so that their gradient is 0, too.

    >>> logits = torch.tensor([[[9.0, 0.0], [0.0, math.log(3.0)], [5.0, 5.0]]])
    >>> answer = torch.tensor([[False, False, True]])
    >>> round(answer_loss(logits, torch.tensor([[0, 1, 1]]), answer).item(), 3)
    0.288
    """
    log_probs = logits[:, :-1].log_softmax(-1)
    costs = -log_probs.gather(2, ids[:, 1:, None])[..., 0]
    counted = answer[:, 1:].to(costs.dtype)
    return (counted * costs).sum() / counted.sum().clamp(min=1)


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False, dtype: torch.dtype = torch.float64) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    worked = double([[[9.0, 0.0], [0.0, 1.0986122886681098], [5.0, 5.0]]])
    uneven_logits = leaf([[[1e-30, 0], [1e4, 9999], [0, 0]], [[-1e4, -9998], [3, 1], [0, 0]]])
    graded = (torch.arange(24.0).double().reshape(2, 4, 3) % 5).requires_grad_()
    two_rows, hopeless = torch.tensor([[0, 1, 2, 0], [2, 1, 0, 2]]), torch.tensor([[[0.0, 2000.0], [0.0, 0.0]]])
    across = draw(3, 2, 5)

    def ids(B: int, T: int, V: int) -> Tensor:
        return draw_ids(seed, B, T, vocab_size=V)

    uneven = torch.arange(11)[None] >= torch.tensor([[3], [10]])
    return [
        case("the worked example", worked, torch.tensor([[0, 1, 1]]), marks("001")),
        case("three texts of seven tokens", draw(3, 7, 5), ids(3, 7, 5), draw_marks(seed, 3, 7)),
        case("answers of different lengths", draw(2, 11, 3), ids(2, 11, 3), uneven),
        case("the gradients", draw(2, 5, 3, grad=True), ids(2, 5, 3), uneven[:, 3:8]),
        border("nothing to learn, all masked: the loss is 0", draw(2, 3, 5), ids(2, 3, 5), uneven[:, :3]),
        border("two tokens, one prediction", draw(1, 2, 5), ids(1, 2, 5), marks("01")),
        case("float32", draw(2, 5, 3, dtype=torch.float32), ids(2, 5, 3), uneven[:, 3:8]),
        border("logits of different magnitudes", uneven_logits, torch.tensor([[0, 1, 1], [1, 0, 1]]), marks("011 010")),
        case("one answer token in the first row, three in the second", graded, two_rows, marks("0010 0111")),
        border("the first token marked: nothing predicts it", draw(2, 3, 5), ids(2, 3, 5), marks("110 101")),
        border("the gradients where nothing is learned", draw(2, 3, 5, grad=True), ids(2, 3, 5), marks("000 000")),
        border("an answer with almost no chance", hopeless, torch.tensor([[1, 0]]), marks("01")),
        border("all tokens are answers", draw(2, 3, 5), ids(2, 3, 5), torch.ones(2, 3, dtype=torch.bool)),
        border("tensors whose rows do not lie in a row", across.transpose(0, 1), ids(3, 2, 5).T, marks("00 10 11").T),
    ]


SLIPS = mistakes("""
over_all
    counted.sum().clamp(min=1) => costs.numel()
  The answers' cost was divided by the number of all tokens, so a long prompt makes the loss small. Divide by the number
  of answer tokens.
by_row: "A scalar tensor"
    counted * costs).sum() / counted.sum().clamp(min=1 => (counted * costs).sum(1) / counted.sum(1).clamp(min=1)).mean(
  This is the mean of the rows' means: a token of a short answer weighs more than one of a long answer. Divide the sum
  over the batch by the number of answer tokens in it.
mask_not_shifted
    answer[:, 1:] => answer[:, :-1]
  The marks are off by one: the prediction at position t counts if token t + 1 is part of an answer.
nan: "If no token counts: 0, computed from the logits like any other loss, so that their gradient is"
    .clamp(min=1) =>
  A batch with nothing to learn gives 0/0, and one NaN spoils all weights. Its loss is 0.
first_token_counted: "The first token of a row is not predicted, and never counts"
    counted.sum().clamp(min=1) => answer.sum().clamp(min=1)
  The sum was divided by all marked tokens, the first one of a row among them. It is not predicted: count answer[:, 1:].
zero_from_nowhere: "If no token counts: 0, computed from the logits like any other loss, so that their gradient is"
    return (counted => if not counted.any():
    |        return torch.tensor(0.0)
    |    return (counted
  With no answer token a new 0 was returned, which does not depend on the logits: loss.backward() fails on it. Sum over
  nothing and divide by 1; that is 0, too.
overflow: "Large logits must not overflow"
    logits[:, :-1].log_softmax(-1) => (logits.exp() / logits.exp().sum(-1, keepdim=True)).log()[:, :-1]
  exp of a large logit is infinite, and infinity by infinity is NaN. Use log_softmax, which subtracts the maximum first.
softmax_then_log
    log_softmax(-1) => softmax(-1).log()
  A probability that softmax rounds to 0 has the logarithm minus infinity. Use log_softmax, which stays finite.
bits: "Return the mean cost of the tokens of answers, in nats"
    =1 => =1) / torch.tensor(2.0).log(
  The result is in bits. Losses in this course are in nats: natural logarithms, no division by ln 2.
rows_with_answers
    return (counted * costs).sum() / counted => means = (counted * costs).sum(1) / counted.sum(1).clamp(min=1)
    |    return means.sum() / counted.any(1)
  The mean was taken for each row, and then over the rows with an answer. All tokens of answers count alike: add them
  all and divide once.
no_token_zero
    answer[:, 1:].to => (answer[:, 1:] & (ids[:, 1:] > 0)).to
  Token 0 was left out. It is a token like any other: what counts is its mark.
logits_masked
    logits[:, :-1].log => (logits[:, :-1] * answer[:, 1:, None]).log
    (counted * costs) => costs
  The logits of the other tokens were set to 0, which still costs ln V each. Take the costs of these tokens out of the
  sum.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-8, gradient=True)
HINTS = hints("""
- Make the cost of every prediction first, (B, T - 1). Which of them count, and what is the sum divided by?
- costs = -log_softmax gathered at ids[:, 1:]; m = answer[:, 1:]; (m * costs).sum() / m.sum(), and beware of 0.
- costs = -logits[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None])[..., 0]; m = answer[:, 1:].to(costs.dtype); return
  (m * costs).sum() / m.sum().clamp(min=1)
""")
task = Task(answer_loss, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
