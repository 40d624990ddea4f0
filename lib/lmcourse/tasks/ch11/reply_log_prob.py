import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.tasks.ch05.shared import double, leaf, marks
from lmcourse.tasks.ch11.shared import drawer


def reply_log_prob(logits, ids, attention_mask):
    """Return the log-probability of each reply.

    Large logits must not overflow.

    Args:
        logits: (B, T, V).
        ids: the tokens that stand there, (B, T).
        attention_mask: True at the tokens of the reply, False at padding, which may stand anywhere, (B, T).

    Returns:
        (B,), 0 for a reply without tokens. The gradient must flow through it.

    >>> logits = torch.tensor([[[0.0, 0.0], [math.log(3), 0.0], [5.0, 0.0]]])
    >>> attention_mask = torch.tensor([[True, True, False]])
    >>> round(reply_log_prob(logits, torch.tensor([[1, 0, 0]]), attention_mask).item(), 3)
    -0.981
    """
    log_probs = logits.log_softmax(dim=-1)
    chosen = log_probs.gather(-1, ids.unsqueeze(-1)).squeeze(-1)  # (B, T)
    return chosen.masked_fill(~attention_mask, 0.0).sum(dim=1)


def cases(seed: int) -> list[Case]:
    draw, single = drawer(seed), drawer(seed, torch.float32)
    generator = torch.Generator().manual_seed(seed + 1)

    def ids(*sizes: int, vocab: int) -> Tensor:
        return torch.randint(vocab, sizes, generator=generator)

    def lengths(*values: int, T: int) -> Tensor:
        return torch.arange(T) < torch.tensor(values).unsqueeze(1)

    worked = double([[[0.0, 0.0], [1.0986122886681098, 0.0], [5.0, 0.0]]])
    counted, across = torch.arange(18.0).double().reshape(2, 3, 3) % 5, draw(5, 2, 3).transpose(0, 1)
    return [
        case("the worked example", worked, torch.tensor([[1, 0, 0]]), marks("110")),
        case("three replies of unequal length", draw(3, 7, 5), ids(3, 7, vocab=5), lengths(7, 2, 5, T=7)),
        case("the gradient", draw(2, 5, 3, grad=True), ids(2, 5, vocab=3), lengths(3, 5, T=5)),
        border("one token", draw(2, 1, 7), ids(2, 1, vocab=7), lengths(1, 1, T=1)),
        border("a fully masked reply", draw(2, 3, 5), ids(2, 3, vocab=5), lengths(3, 0, T=3)),
        case("padding on the left", draw(2, 5, 3), ids(2, 5, vocab=3), lengths(2, 4, T=5).flip(1)),
        case("float32", single(2, 3, 11), ids(2, 3, vocab=11), lengths(1, 3, T=3)),
        case("masks that differ in a fixed order", counted, torch.tensor([[0, 1, 2], [2, 0, 1]]), marks("101 011")),
        border("large logits at padding", leaf([[[0, 1], [1e4, -1e4]]]), torch.tensor([[1, 1]]), marks("10")),
        border("a token with almost no chance", torch.tensor([[[0.0, 2000.0]]]), torch.tensor([[0]]), marks("1")),
        border("the gradient of a fully masked reply", draw(2, 2, 3, grad=True), ids(2, 2, vocab=3), marks("00 11")),
        border("one word in the vocabulary", draw(2, 3, 1), torch.zeros(2, 3, dtype=torch.int64), lengths(3, 2, T=3)),
        border("tensors whose rows do not lie in a row", across, ids(5, 2, vocab=3).T, lengths(4, 2, T=5)),
    ]


SLIPS = mistakes("""
mean: "Return the log-probability of each reply"
    .sum(dim=1) => .sum(dim=1) / attention_mask.sum(dim=1).clamp(min=1)
  The tokens' log-probabilities were averaged. The probability of a reply is a product, so its logarithm is the sum.
no_mask
    .masked_fill(~attention_mask, 0.0) =>
  Padding was counted as part of the replies. Only positions where attention_mask is True take part.
over_places: "(B, T, V)"
    log_softmax(dim=-1) => log_softmax(dim=1)
  The softmax was taken over the positions. At each position the probabilities over the vocabulary, the last dimension,
  sum to 1.
shifted: "the tokens that stand there, (B, T)"
    logits.log => logits[:, :-1].log
    ids.unsqueeze => ids[:, 1:].unsqueeze
    ~attention_mask => ~attention_mask[:, 1:]
  The ids were shifted against the logits, so that the first token was left out. They are lined up already: logits[:, t]
  scores ids[:, t].
mask_turned: "True at the tokens of the reply, False at padding"
    ~attention_mask => attention_mask
  Padding was counted and the reply was not. In the mask, True is a token of the reply.
softmax_then_log
    log_softmax(dim=-1) => softmax(dim=-1).log()
  A probability that softmax rounds to 0 has the logarithm minus infinity. Use log_softmax, which stays finite.
padding_at_the_end: "which may stand anywhere"
    return => attention_mask = torch.arange(ids.shape[1]) < attention_mask.sum(dim=1, keepdim=True)
    |    return
  The first tokens were taken, as many as the reply has. Padding may stand anywhere: look at the mask of each token.
zero_as_padding
    ~attention_mask => ~attention_mask | (ids == 0)
  Token 0 was taken for padding. It is a token like any other: the mask says what padding is.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-7, gradient=True)
HINTS = hints("""
- First the log-probability of every token at every position, then pick the ones that stand there.
- log_softmax over the last dimension, gather at ids.unsqueeze(-1), then 0 where attention_mask is False.
- chosen = logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1); return chosen.masked_fill(~attention_mask,
  0.0).sum(1)
""")
task = Task(reply_log_prob, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
