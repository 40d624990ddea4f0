"""Exercise `neural_ngram_logits`."""

from functools import partial

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case


def neural_ngram_logits(contexts, embedding, H, d, U, b):
    """Return the scores of the next word: b + U tanh(d + H x), x the vectors of the context strung together.

    Args:
        contexts: word ids, a tensor of int64, shape (B, n - 1).
        embedding: one row of D numbers a word, shape (V, D).
        H: shape (hidden, (n - 1) * D).
        d: shape (hidden,).
        U: shape (V, hidden).
        b: shape (V,).

    Returns:
        A tensor of shape (B, V), through which gradients reach embedding, H, d, U and b.

    >>> C, H = torch.tensor([[1.0], [0.0], [-1.0]]), torch.tensor([[1.0, 0.5], [0.0, 1.0]])
    >>> U, b = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]), torch.tensor([0.0, 0.0, 0.1])
    >>> y = neural_ngram_logits(torch.tensor([[0, 2]]), C, H, torch.tensor([0.0, 0.5]), U, b)
    >>> [round(score, 4) for score in y[0].tolist()]
    [0.4621, -0.9242, 0.1]
    """
    x = embedding[contexts].flatten(1)  # (B, n - 1, D) -> (B, (n - 1) D)
    hidden = torch.tanh(d + x @ H.T)
    return b + hidden @ U.T


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
    return [
        case("the worked example", torch.tensor([[0, 2]]), *tables, bias),
        net("three contexts of two words", 3, 3, 5, 7, 11),
        net("a longer window", 2, 6, 3, 5, 7),
        net("as many words as numbers each", 5, 4, 3, 3, 3),
        net("order 2: one word before", 3, 2, 5, 7, 11),
        net("one context", 1, 4, 3, 5, 7),
        net("one number a word", 3, 5, 1, 7, 5),
        net("float32", 2, 3, 5, 7, 11, torch.float32),
        net("numbers so large that tanh is 1 or -1, the same for many", 3, 3, 5, 7, 11, size=9.0),
    ]


def _logits_wrong(
    contexts: Tensor, embedding: Tensor, H: Tensor, d: Tensor, U: Tensor, b: Tensor, *, how: str
) -> Tensor:
    rows = embedding[contexts]  # (B, n - 1, D)
    x = rows.flatten(1)
    inner = d + x @ H.T
    return {
        "reversed": lambda: b + torch.tanh(d + rows.flip(1).flatten(1) @ H.T) @ U.T,
        "interleaved": lambda: b + torch.tanh(d + rows.transpose(1, 2).flatten(1) @ H.T) @ U.T,
        "linear": lambda: b + inner @ U.T,
        "sigmoid": lambda: b + torch.sigmoid(inner) @ U.T,
        "relu": lambda: b + torch.relu(inner) @ U.T,
        "no_d": lambda: b + torch.tanh(inner - d) @ U.T,
        "no_b": lambda: torch.tanh(inner) @ U.T,
        "probabilities": lambda: (b + torch.tanh(inner) @ U.T).softmax(-1),
        "bag": lambda: b + torch.tanh(d + rows.mean(1, keepdim=True).expand_as(rows).flatten(1) @ H.T) @ U.T,
        "detached": lambda: b + torch.tanh(d + x.detach() @ H.T) @ U.T,
    }[how]()


def _logits_by_linear(contexts: Tensor, embedding: Tensor, H: Tensor, d: Tensor, U: Tensor, b: Tensor) -> Tensor:
    x = torch.nn.functional.embedding(contexts, embedding)
    hidden = torch.nn.functional.linear(x.reshape(len(contexts), -1), H, d).tanh()
    return torch.nn.functional.linear(hidden, U, b)


def _logits_place_by_place(contexts: Tensor, embedding: Tensor, H: Tensor, d: Tensor, U: Tensor, b: Tensor) -> Tensor:
    D = embedding.shape[1]
    total = d.unsqueeze(0)
    for place, words in enumerate(contexts.unbind(1)):
        total = total + torch.index_select(embedding, 0, words) @ H[:, place * D : (place + 1) * D].T
    return torch.einsum("bh,vh->bv", torch.tanh(total), U) + b


task = Task(
    neural_ngram_logits,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True),
    slips=(
        Slip(
            "reversed",
            partial(_logits_wrong, how="reversed"),
            "The vectors were strung together from the last word to the first. H has its own columns for each place: "
            "keep the order of the context.",
        ),
        Slip(
            "interleaved",
            partial(_logits_wrong, how="interleaved"),
            "The numbers of the words are mixed: first number of every word, second number of every word. x holds all "
            "of the first word, then all of the second.",
        ),
        Slip(
            "bag",
            partial(_logits_wrong, how="bag"),
            "Every place got the mean of the vectors, so the order of the words is lost. String the vectors together.",
        ),
        Slip(
            "linear",
            partial(_logits_wrong, how="linear"),
            "The tanh is missing. Without it two matrix products are one matrix product, and the hidden layer adds "
            "nothing.",
        ),
        Slip(
            "sigmoid",
            partial(_logits_wrong, how="sigmoid"),
            "The hidden layer was squashed to 0..1 (sigmoid). The equation has tanh, which goes from -1 to 1.",
        ),
        Slip(
            "relu",
            partial(_logits_wrong, how="relu"),
            "This hidden layer cuts off below 0 (ReLU). The equation has tanh.",
        ),
        Slip(
            "no_d",
            partial(_logits_wrong, how="no_d"),
            "The bias d of the hidden layer is missing. It is added inside the tanh.",
        ),
        Slip(
            "no_b",
            partial(_logits_wrong, how="no_b"),
            "The bias b of the output is missing: the part of a word's score that no context changes.",
        ),
        Slip(
            "probabilities",
            partial(_logits_wrong, how="probabilities"),
            "These are probabilities. The scores y are asked for: leave the softmax to the loss.",
        ),
        Slip(
            "detached",
            partial(_logits_wrong, how="detached"),
            "The scores are right, but no gradient reaches the word vectors (detach, .data or a copy into a new "
            "tensor). They would never learn, and they are what this network is for.",
        ),
    ),
    alternatives=(_logits_by_linear, _logits_place_by_place),
    hints=(
        "From (B, n - 1) ids to (B, n - 1, D) vectors to (B, (n - 1) D) to (B, hidden) to (B, V). Which step is which?",
        "embedding[contexts] looks up all vectors at once; .flatten(1) strings those of a context together; a table of "
        "shape (out, in) is applied with `@ table.T`.",
        "x = embedding[contexts].flatten(1); return b + torch.tanh(d + x @ H.T) @ U.T",
    ),
)
