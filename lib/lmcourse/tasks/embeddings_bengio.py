"""Tasks of chapter 02, second part: the neural n-gram of Bengio et al., from its windows to its scores."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.embeddings import CHAPTER

Windows = tuple[list[list[int]], list[int]]

# ------------------------------------------------------------------------------------------------- context_windows


def _context_windows(ids: Sequence[int], order: int, pad: int) -> Windows:
    if order < 1:
        raise ValueError(f"`order` must be at least 1, got order={order}.")
    padded = [pad] * (order - 1) + list(ids)
    return [padded[place : place + order - 1] for place in range(len(ids))], list(ids)


def _windows_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def text(n_tokens: int) -> list[int]:
        return [int(word) for word in rng.permutation(50)[:n_tokens] + 1]

    return [
        case("the worked example", [5, 6, 7], 3, 0),
        case("eleven words, order 4", text(11), 4, 0),
        case("another padding sign", text(7), 3, 99),
        case("order 2: one word before", text(5), 2, 0),
        case("a word that comes twice", [4, 9, 4, int(rng.integers(10, 99))], 3, 0),
        case("a text shorter than the window", text(2), 7, 0),
        case("order 1: no words before", text(5), 1, 0),
        case("one word", text(1), 3, 0),
        case("no words", [], 3, 0),
        case("order 0", text(3), 0, 0),
    ]


def _windows_wrong(ids: Sequence[int], order: int, pad: int, *, how: str) -> Windows:
    contexts, targets = _context_windows(ids, order, pad)
    n = order - 1
    if how == "unpadded":
        return contexts[n:], targets[n:]
    if how == "reversed":
        return [context[::-1] for context in contexts], targets
    if how == "with_target":
        return [[*context, target] for context, target in zip(contexts, targets, strict=True)], targets
    if how == "too_long":
        wider, _ = _context_windows(ids, order + 1, pad)
        return wider, targets
    if how == "following":
        padded = [*ids, *[pad] * n]
        return [padded[place + 1 : place + 1 + n] for place in range(len(ids))], targets
    if how == "late":
        shifted, _ = _context_windows([*ids, pad], order, pad)
        return shifted[1:], targets
    if how == "padded_right":
        return [[word for word in context if word != pad] + [pad] * context.count(pad) for context in contexts], targets
    return [context[-1:] if n else [] for context in contexts], targets  # "one_word"


def _windows_by_unfold(ids: Sequence[int], order: int, pad: int) -> Windows:
    if order <= 0:
        raise ValueError("order")
    padded = torch.tensor([pad] * (order - 1) + list(ids))
    if not len(ids):
        return [], []
    grams = padded.unfold(0, order, 1).tolist()
    return [gram[:-1] for gram in grams], [gram[-1] for gram in grams]


def _windows_by_sliding(ids: Sequence[int], order: int, pad: int) -> Windows:
    if order < 1:
        raise ValueError("order")
    contexts, targets = [], []
    window = (order - 1) * [pad]
    for word in ids:
        contexts.append(list(window))
        targets.append(word)
        window = ([*window, word])[1:]
    return contexts, targets


context_windows = Task(
    name="context_windows",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_windows_cases,
    reference=_context_windows,
    slips=(
        Slip(
            "unpadded",
            partial(_windows_wrong, how="unpadded"),
            "The first words are predicted nowhere, since they have too few words before them. Fill the missing places "
            "with the padding sign, so that every word is predicted once.",
        ),
        Slip(
            "reversed",
            partial(_windows_wrong, how="reversed"),
            "The words of each context stand in reverse. Keep the order of the text, the nearest word last: the "
            "network has its own weights for each place.",
        ),
        Slip(
            "with_target",
            partial(_windows_wrong, how="with_target"),
            "The context ends with the word that is to be predicted. A model that sees the answer learns to copy it.",
        ),
        Slip(
            "late",
            partial(_windows_wrong, how="late"),
            "The contexts are one place too late: each ends with the word to be predicted, not with the one before.",
        ),
        Slip(
            "too_long",
            partial(_windows_wrong, how="too_long"),
            "Each context holds n words. The order n counts the predicted word too: n - 1 words stand before it.",
        ),
        Slip(
            "following",
            partial(_windows_wrong, how="following"),
            "These are the words after each word. A language model predicts from what came before.",
        ),
        Slip(
            "padded_right",
            partial(_windows_wrong, how="padded_right"),
            "The padding signs stand at the end of the context. What is missing is missing at the front; the nearest "
            "word always stands last.",
        ),
        Slip(
            "one_word",
            partial(_windows_wrong, how="one_word"),
            "Each context holds only the word before. That is a bigram: give it the n - 1 words before.",
        ),
    ),
    alternatives=(_windows_by_unfold, _windows_by_sliding),
    hints=(
        "How many padding signs does the very first word need before it?",
        "padded = [pad] * (order - 1) + list(ids). Where in `padded` does the context of word 0 begin?",
        "return [padded[i : i + order - 1] for i in range(len(ids))], list(ids), after a check of the order",
    ),
)


# --------------------------------------------------------------------------------------------- neural_ngram_logits


def _neural_ngram_logits(contexts: Tensor, embedding: Tensor, H: Tensor, d: Tensor, U: Tensor, b: Tensor) -> Tensor:
    x = embedding[contexts].flatten(1)  # (B, n - 1, D) -> (B, (n - 1) D)
    return b + torch.tanh(d + x @ H.T) @ U.T


def _logits_cases(seed: int) -> list[Case]:
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


neural_ngram_logits = Task(
    name="neural_ngram_logits",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_logits_cases,
    reference=_neural_ngram_logits,
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
