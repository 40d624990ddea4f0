from dataclasses import replace

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    """Return the scores of the next word: b + U tanh(d + H x), where x joins the vectors of the context into one.

    Args:
        contexts: word ids, a tensor of int64, shape (B, n - 1); B and n - 1 are at least 1.
        embedding: one row of D numbers a word, shape (V, D).
        H: shape (hidden, (n - 1) * D).
        d: shape (hidden,).
        U: shape (V, hidden).
        b: shape (V,).

    Returns:
        A tensor of shape (B, V) and of the element type of the tables, through which gradients reach embedding, H, d, U
        and b.

    >>> E, H = torch.tensor([[1.0], [0.0], [-1.0]]), torch.tensor([[1.0, 0.5], [0.0, 1.0]])
    >>> U, b = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]), torch.tensor([0.0, 0.0, 0.1])
    >>> scores = neural_ngram_logits(torch.tensor([[0, 2]]), E, H, torch.tensor([0.0, 0.5]), U, b)
    >>> [round(score, 4) for score in scores[0].tolist()]
    [0.4621, -0.9242, 0.1]
    """
    x = embedding[contexts].flatten(1)  # (B, n - 1, D) -> (B, (n - 1) D)
    hidden = torch.tanh(d + x @ H.T)
    return b + hidden @ U.T


@drawn(3)
def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def net(
        label: str, B: int, n: int, D: int, hidden: int, V: int, dtype: torch.dtype = torch.float64, size: float = 0.5
    ) -> Case:
        def table(*shape: int) -> Tensor:
            numbers = size * torch.randn(*shape, generator=generator, dtype=torch.float64)
            return numbers.to(dtype).requires_grad_()

        contexts = torch.randint(V, (B, n - 1), generator=generator)
        tables = table(V, D), table(hidden, (n - 1) * D), table(hidden), table(V, hidden), table(V)
        return case(label, contexts, *tables)

    worked = [[[1.0], [0.0], [-1.0]], [[1.0, 0.5], [0.0, 1.0]], [0.0, 0.5], [[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]]
    tables = [torch.tensor(rows, dtype=torch.float64) for rows in worked]
    bias = torch.tensor([0.0, 0.0, 0.1], dtype=torch.float64)
    ordinary = [
        case("the worked example", torch.tensor([[0, 2]]), *tables, bias),
        net("three contexts of two words", 3, 3, 5, 7, 11),
        net("a longer window", 2, 6, 3, 5, 7),
        net("as many words as numbers each", 5, 4, 3, 3, 3),
        net("a square H", 3, 3, 2, 4, 7),
        net("a square U", 3, 3, 2, 5, 5),
        net("float32", 2, 3, 5, 7, 11, torch.float32),
    ]
    at_a_border = [
        net("order 2: one word before", 3, 2, 5, 7, 11),
        net("one context", 1, 4, 3, 5, 7),
        net("one context of one word", 1, 2, 3, 5, 7),
        net("one number a word", 3, 5, 1, 7, 5),
        net("one hidden number", 3, 3, 2, 1, 5),
        net("one word in the vocabulary, so that every context is the same", 2, 4, 3, 5, 1),
        net("numbers so large that tanh is 1 or -1, the same for many", 3, 3, 5, 7, 11, size=9.0),
    ]
    repeated = net("the same word at every position", 2, 4, 3, 5, 7)
    repeated = replace(repeated, args=(torch.tensor([[2, 2, 2], [0, 2, 0]]), *repeated.args[1:]))
    return [*ordinary, repeated, *(replace(item, border=True) for item in at_a_border)]


SLIPS = mistakes("""
reversed: "where x joins the vectors of the context into one"
    embedding[contexts] => embedding[contexts.flip(1)]
  The vectors were joined from the last word to the first. H has its own columns for each position: keep the order of
  the context.
interleaved: "where x joins the vectors of the context into one"
    embedding[contexts] => embedding[contexts].transpose(1, 2)
  The numbers of the words are mixed: first number of every word, second number of every word. x holds all of the first
  word, then all of the second.
linear: "b + U tanh(d + H x)"
    torch.tanh(d + x @ H.T) => d + x @ H.T
  The tanh is missing. Without it two matrix products are one matrix product, and the hidden layer adds nothing.
relu
    torch.tanh => torch.relu
  This hidden layer cuts off below 0 (ReLU). The equation has tanh.
d_outside: "b + U tanh(d + H x)"
    torch.tanh(d + x @ H.T) => d + torch.tanh(x @ H.T)
  The bias d was added after the tanh. It belongs inside: tanh(d + H x).
log_probabilities
    return b + hidden @ U.T => return (b + hidden @ U.T).log_softmax(-1)
  These are log-probabilities. The scores are asked for: leave the log_softmax to the loss.
scores_squeezed: "B and n - 1 are at least 1"
    return b + hidden @ U.T => return (b + hidden @ U.T).squeeze(0)
  A batch of one context lost its first axis. The result has the shape (B, V), (1, V) too.
detached: "gradients reach embedding, H, d, U and b"
    embedding[contexts] => embedding.detach()[contexts]
  The scores are right, but no gradient reaches the word vectors (detach, .data or a copy into a new tensor). They would
  never learn, and they are what this network is for.
all_detached: "gradients reach embedding, H, d, U and b"
    return b + hidden @ U.T => return (b + hidden @ U.T).detach()
  The scores are right, but no gradient reaches any of the tables (detach, .data, .item(), torch.no_grad() or a new
  tensor made from numbers). The network could not learn.
always_float32: "of the element type of the tables"
    embedding[contexts] => embedding[contexts].float()
    d + x @ H.T => d.float() + x @ H.float().T
    b + hidden @ U.T => b.float() + hidden @ U.float().T
  The result is float32 whatever the tables are. Compute with the tables as they come, and the element type stays
  theirs.
""")
CLOSE = Compare(rtol=1e-5, atol=1e-6, gradient=True)
HINTS = hints("""
- From (B, n - 1) ids to (B, n - 1, D) vectors to (B, (n - 1) D) to (B, hidden) to (B, V). Which step is which?
- embedding[contexts] looks up all vectors at once; .flatten(1) strings those of a context together; a table of shape
  (out, in) is applied with `@ table.T`.
- x = embedding[contexts].flatten(1); return b + torch.tanh(d + x @ H.T) @ U.T
""")
task = Task(
    neural_ngram_logits, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS
)
