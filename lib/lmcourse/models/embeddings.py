"""Words as vectors: from one-hot rows to vectors that are learned by predicting.

In reading order: the neural bigram (one-hot, encoder, decoder), the neural n-gram, documents as bags of words, and
skip-gram and CBOW with negative sampling, whose vectors then answer questions for neighbours and analogies
(`neighbours`).
V vocabulary, D width of a vector, B batch, N tokens, K noise words sampled for each true one.
"""

from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.models.neighbours import analogy, nearest

__all__ = [
    "CBOW",
    "NeuralBigram",
    "NeuralNGram",
    "SkipGram",
    "analogy",
    "bag_of_words",
    "cbow_windows",
    "draw_negatives",
    "nearest",
    "negative_sampling_loss",
    "ngram_windows",
    "noise_distribution",
    "skipgram_pairs",
    "subsample",
    "tf_idf",
]


class NeuralBigram(nn.Module):
    """One-hot into a linear map: the score of every next word, given one word.

    With `embed_dim` None, logits = W x with x one-hot: a V x V table, one row a word. Trained to the end, the softmax
    of its rows is the count bigram's table. With `embed_dim` D, the table is the product of an encoder (V, D) and a
    decoder (D, V), and words must share its D numbers; trained to give back its input, it is the identity network.

    Args:
        vocab_size: V.
        embed_dim: D, or None.

    Cost: a one-hot row times a matrix picks a row, so the product is computed as a lookup.
    """

    def __init__(self, vocab_size: int, embed_dim: int | None = None) -> None:
        super().__init__()
        width = vocab_size if embed_dim is None else embed_dim
        checks.whole(at_least=1, vocab_size=vocab_size, embed_dim=width)
        self.vocab_size = vocab_size
        self.encoder = nn.Embedding(vocab_size, width)
        self.decoder = None if embed_dim is None else nn.Linear(width, vocab_size, bias=False)
        if self.decoder is None:
            nn.init.zeros_(self.encoder.weight)  # every next word equally likely

    def reset_parameters(self) -> None:
        """Start anew: a table of zeros, or an encoder and a decoder with random weights."""
        if self.decoder is None:
            nn.init.zeros_(self.encoder.weight)
        else:
            self.encoder.reset_parameters()
            self.decoder.reset_parameters()

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits (..., V) of the word that follows each of `ids` (...)."""
        _check_ids(self.encoder, ids=ids)
        logits: Tensor = self.encoder(ids.long())  # (..., V), or (..., D)
        if self.decoder is not None:
            logits = self.decoder(logits)
        return logits

    @torch.no_grad()
    def table(self) -> Tensor:
        """Return p(next word | word), (V, V); rows sum to 1."""
        logits: Tensor = self(torch.arange(self.vocab_size, device=self.encoder.weight.device))
        return logits.softmax(-1)


class NeuralNGram(nn.Module):
    """Neural n-gram: y = b + W x + U tanh(d + H x), where x holds the vectors of the n-1 words before, in order.

    Words that are used alike get similar vectors, so what is learned about one n-gram helps with those never seen. But
    x, and with it H, grows with the window.

    Args:
        vocab_size: V.
        order: n, the length of the n-gram (2 = bigram).
        embed_dim: D, of one word.
        hidden_size: rows of H.
        direct: with W, the direct connections from x to y; without, W = 0.

    Source: Bengio, Ducharme, Vincent and Jauvin, "A neural probabilistic language model", 2003, equation 1.
    """

    def __init__(self, vocab_size: int, order: int, embed_dim: int, hidden_size: int, *, direct: bool = False) -> None:
        super().__init__()
        checks.whole(at_least=1, vocab_size=vocab_size, embed_dim=embed_dim, hidden_size=hidden_size)
        checks.whole(at_least=2, order=order)
        self.order = order
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        self.hidden = nn.Linear((order - 1) * embed_dim, hidden_size)  # H, d
        self.output = nn.Linear(hidden_size, vocab_size)  # U, b
        self.direct = nn.Linear((order - 1) * embed_dim, vocab_size, bias=False) if direct else None  # W

    def reset_parameters(self) -> None:
        """Draw all weights anew, each layer as torch.nn does."""
        for layer in self.children():
            cast(nn.Linear | nn.Embedding, layer).reset_parameters()

    def forward(self, contexts: Tensor) -> Tensor:
        """Return the logits (..., V) of the next word, given the words before it, `contexts` (..., order - 1)."""
        _check_ids(self.embedding, contexts=contexts)
        if contexts.dim() == 0 or contexts.shape[-1] != self.order - 1:
            raise ValueError(
                f"`contexts` must have shape (..., order - 1) with order={self.order}, got {tuple(contexts.shape)}."
            )
        x = self.embedding(contexts.long()).flatten(-2)  # (..., n - 1, D) -> (..., (n - 1) D)
        logits: Tensor = self.output(self.hidden(x).tanh())
        return logits if self.direct is None else logits + self.direct(x)


def ngram_windows(ids: Tensor, order: int) -> tuple[Tensor, Tensor]:
    """Return every n-gram of a text as its context and the word after it.

    Args:
        ids: (N,), N at least `order`.
        order: n.

    Returns:
        contexts (N - order + 1, order - 1) and words (N - order + 1,).
    """
    tensor_checks.integers(ids=ids)
    tensor_checks.shape(("N",), ids=ids)
    checks.whole(at_least=1, order=order)
    if len(ids) < order:
        raise ValueError(f"`ids` must have shape (N,) with N at least order={order}, got {tuple(ids.shape)}.")
    windows = ids.unfold(0, order, 1)
    return windows[:, :-1], windows[:, -1]


def bag_of_words(documents: Sequence[Sequence[int]], vocab_size: int) -> Tensor:
    """Return how often each word occurs in each document. The order of the words is lost.

    Args:
        documents: word ids of each document.
        vocab_size: V.

    Returns:
        (number of documents, V), float.
    """
    checks.whole(at_least=1, vocab_size=vocab_size)
    checks.instance(Sequence, documents=documents)
    checks.not_empty(documents=documents)
    counts = []
    for i, document in enumerate(documents):
        ids = _word_ids(f"documents[{i}]", document, vocab_size)
        counts.append(torch.bincount(ids, minlength=vocab_size))  # (V,)
    return torch.stack(counts).float()


def tf_idf(counts: Tensor) -> Tensor:
    """Return counts weighted by rarity: tf(d, w) * ln(number of documents / documents with w).

    A word that occurs in all documents weighs 0. There are a dozen variants; this is the plain one.

    Args:
        counts: (number of documents, V), as from `bag_of_words`.

    Returns:
        (number of documents, V).

    Source: Sparck Jones, 1972 (the idf); Salton and Buckley, 1988.
    """
    tensor_checks.floating(counts=counts)
    tensor_checks.shape(("documents", "V"), counts=counts)
    tensor_checks.not_empty(counts=counts)
    tensor_checks.at_least(0.0, counts=counts)
    with_word = (counts > 0).sum(0).clamp(min=1)  # a word of no document has a count of 0 anyway
    return counts * (len(counts) / with_word).log()


class _NegativeSampling(nn.Module):
    """What skip-gram and CBOW share: two vectors for each word, and the loss that separates a true word from noise."""

    def __init__(self, vocab_size: int, embed_dim: int) -> None:
        super().__init__()
        checks.whole(at_least=1, vocab_size=vocab_size, embed_dim=embed_dim)
        self.vocab_size = vocab_size
        self.inputs = nn.Embedding(vocab_size, embed_dim)  # the vectors that are kept
        self.outputs = nn.Embedding(vocab_size, embed_dim)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the vectors anew, uniform in -0.5 / D .. 0.5 / D; those on the output side start at 0."""
        embed_dim = self.inputs.embedding_dim
        nn.init.uniform_(self.inputs.weight, -0.5 / embed_dim, 0.5 / embed_dim)
        nn.init.zeros_(self.outputs.weight)

    @property
    def vectors(self) -> Tensor:
        """The learned vectors, (V, D), without gradient."""
        return self.inputs.weight.detach()

    def _loss(self, hidden: Tensor, true: Tensor, negatives: Tensor) -> Tensor:
        """-log sigmoid(u_true . hidden) - sum over k of log sigmoid(-u_k . hidden), averaged; hidden (B, D)."""
        true_scores = (self.outputs(true) * hidden).sum(-1)  # (B,)
        noise_scores = (self.outputs(negatives) @ hidden.unsqueeze(-1)).squeeze(-1)  # (B, K, D) -> (B, K)
        return -(F.logsigmoid(true_scores) + F.logsigmoid(-noise_scores).sum(-1)).mean()

    def _check(self, centre: Tensor, context: Tensor, negatives: Tensor, context_shape: tuple[int | str, ...]) -> None:
        _check_ids(self.inputs, centre=centre, negatives=negatives)
        tensor_checks.integers(context=context, at_least=-1, below=self.vocab_size)
        tensor_checks.not_empty(context=context)
        tensor_checks.same_device(centre=centre, context=context)
        tensor_checks.shape(("B",), centre=centre)
        tensor_checks.shape((len(centre), *context_shape), context=context)
        tensor_checks.shape((len(centre), "K"), negatives=negatives)


class SkipGram(_NegativeSampling):
    """Skip-gram: given a word, separate the words near it from noise.

    Loss of one pair: -log sigmoid(u_context . v_centre) - sum over K noise words of log sigmoid(-u_k . v_centre).

    Args:
        vocab_size: V.
        embed_dim: D.

    Source: Mikolov, Sutskever, Chen, Corrado and Dean, "Distributed representations of words", 2013, equation 4.
    """

    def forward(self, centre: Tensor, context: Tensor, negatives: Tensor) -> Tensor:
        """Return the mean loss of pairs `centre` (B,), `context` (B,) with noise words `negatives` (B, K)."""
        self._check(centre, context, negatives, ())
        _check_ids(self.outputs, context=context)
        return self._loss(self.inputs(centre.long()), context.long(), negatives.long())


class CBOW(_NegativeSampling):
    """Continuous bag of words: given the mean of the words near it, separate a word from noise.

    Loss of one position: -log sigmoid(u_centre . m) - sum over K noise words of log sigmoid(-u_k . m), m the mean of
    the context's vectors.

    Source: Mikolov, Chen, Corrado and Dean, "Efficient estimation of word representations", 2013, section 3.1;
    with the loss of the later paper.
    """

    def forward(self, centre: Tensor, context: Tensor, negatives: Tensor) -> Tensor:
        """Return the mean loss of words `centre` (B,) in `context` (B, C), with noise words `negatives` (B, K).

        An entry of -1 in `context` stands for no word (at the ends of a text).
        """
        self._check(centre, context, negatives, ("C",))
        present = context >= 0  # (B, C)
        vectors = self.inputs(context.long().clamp(min=0)) * present.unsqueeze(-1)  # (B, C, D)
        mean = vectors.sum(1) / present.sum(1, keepdim=True).clamp(min=1)  # (B, D)
        return self._loss(mean, centre.long(), negatives.long())


def skipgram_pairs(ids: Tensor, window: int, *, generator: torch.Generator | None = None) -> tuple[Tensor, Tensor]:
    """Return all pairs (centre, context) of a text whose words stand at most `window` apart.

    Args:
        ids: (N,).
        window: the largest distance.
        generator: if given, on the device of `ids`, each centre samples its own window from 1..`window`, as word2vec
            does, so that near words count more.

    Returns:
        centre and context, each (number of pairs,).
    """
    tensor_checks.integers(ids=ids)
    tensor_checks.shape(("N",), ids=ids)
    tensor_checks.has_values(ids=ids)
    checks.whole(at_least=1, window=window)
    checks.instance((torch.Generator, NoneType), generator=generator)
    reach = torch.full((len(ids),), window, device=ids.device)
    if generator is not None:
        reach = torch.randint(1, window + 1, (len(ids),), generator=generator, device=ids.device)
    centres, contexts = [ids[:0]], [ids[:0]]
    for distance in range(1, min(window, len(ids) - 1) + 1):
        left, right = ids[:-distance], ids[distance:]
        for centre, context, own in ((left, right, reach[:-distance]), (right, left, reach[distance:])):
            near = own >= distance
            centres.append(centre[near])
            contexts.append(context[near])
    return torch.cat(centres), torch.cat(contexts)


def cbow_windows(ids: Tensor, window: int) -> tuple[Tensor, Tensor]:
    """Return each word of a text, (N,), and the `window` words on both sides of it, (N, 2 window); -1 is no word."""
    tensor_checks.integers(ids=ids)
    tensor_checks.shape(("N",), ids=ids)
    checks.whole(at_least=1, window=window)
    if len(ids) < 2:
        raise ValueError(f"`ids` must have shape (N,) with N at least 2, got {tuple(ids.shape)}.")
    around = F.pad(ids.long(), (window, window), value=-1).unfold(0, 2 * window + 1, 1)  # (N, 2 window + 1)
    return ids, torch.cat([around[:, :window], around[:, window + 1 :]], dim=1)


def subsample(ids: Tensor, *, threshold: float = 1e-3, generator: torch.Generator | None = None) -> Tensor:
    """Drop words of a text at random, the frequent ones most: word w stays with probability min(1, sqrt(t / f(w))).

    Args:
        ids: (N,).
        threshold: t; words with a share f(w) of the text below it always stay.
        generator: for reproducible results, on the device of `ids`.

    Source: Mikolov et al., 2013 (the second paper), equation 5.
    """
    tensor_checks.integers(ids=ids, at_least=0)
    tensor_checks.shape(("N",), ids=ids)
    tensor_checks.has_values(ids=ids)
    checks.number(above=0.0, threshold=threshold)
    checks.instance((torch.Generator, NoneType), generator=generator)
    if len(ids) == 0:
        return ids
    dtype = _precise(ids.device)
    _, word, counts = torch.unique(ids, return_inverse=True, return_counts=True)
    share = counts.to(dtype) / len(ids)  # f, of each word that occurs
    stays = (threshold / share).sqrt()[word]  # (N,)
    return ids[torch.rand(len(ids), generator=generator, dtype=dtype, device=ids.device) < stays]


def noise_distribution(counts: Tensor, *, power: float = 0.75) -> Tensor:
    """Return the distribution from which noise words are sampled: counts^0.75, scaled to sum to 1, (V,).

    The power raises the share of rare words: counts 16 and 1, shares 16/17 and 1/17, become 8/9 and 1/9.

    Args:
        counts: (V,), of each word.
        power: 1 leaves the shares as they are, 0 makes them equal.

    Source: Mikolov et al., 2013 (the second paper), section 2.2.
    """
    counts = tensor_checks.converted(counts=counts)
    checks.number(at_least=0.0, power=power)
    tensor_checks.real(counts=counts)
    tensor_checks.shape(("V",), counts=counts)
    tensor_checks.not_empty(counts=counts)
    tensor_checks.at_least(0.0, counts=counts)
    counts = counts.to(_precise(counts.device))
    weights = ((counts / counts.max()) ** power).where(counts > 0, 0.0)  # also with power=0
    total = weights.sum()
    if tensor_checks.values_are_readable(total) and not float(total) > 0.0:
        raise ValueError(f"`counts` must not be all 0, got {len(counts)} of them.")
    return weights / total


def draw_negatives(distribution: Tensor, shape: tuple[int, ...], *, generator: torch.Generator | None = None) -> Tensor:
    """Return word ids of this shape, sampled from `distribution`, by bisection on its cumulative sum: log V each.

    Args:
        distribution: (V,), not negative; it need not sum to 1.
        shape: of the result.
        generator: for reproducible results, on the device of `distribution`.
    """
    tensor_checks.floating(distribution=distribution)
    tensor_checks.shape(("V",), distribution=distribution)
    tensor_checks.not_empty(distribution=distribution)
    tensor_checks.at_least(0.0, distribution=distribution)
    checks.whole_items(at_least=0, shape=shape)
    checks.instance((torch.Generator, NoneType), generator=generator)
    heights = distribution.to(_precise(distribution.device)).cumsum(0)
    if tensor_checks.values_are_readable(heights) and not float(heights[-1]) > 0.0:
        raise ValueError(f"`distribution` must have a sum above 0, got {float(heights[-1])}.")
    draws = torch.rand(tuple(shape), generator=generator, dtype=heights.dtype, device=heights.device) * heights[-1]
    return torch.searchsorted(heights, draws, right=True).clamp(max=len(heights) - 1)


def negative_sampling_loss(distribution: Tensor, num_negatives: int = 5) -> Callable[[nn.Module, Any], Tensor]:
    """Return the loss for `fit`: it samples noise words for a batch (centre, context) and calls the model with them.

    Args:
        distribution: (V,), as from `noise_distribution`.
        num_negatives: K.
    """
    checks.whole(at_least=1, num_negatives=num_negatives)
    draw_negatives(distribution, (0,))  # refuses what is no distribution

    def loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
        centre, context = checks.pair(batch=batch)
        negatives = draw_negatives(distribution, (len(centre), num_negatives)).to(centre.device)
        mean: Tensor = model(centre, context, negatives)
        return mean

    return loss


def _word_ids(name: str, document: Sequence[int], vocab_size: int) -> Tensor:
    """Return the ids of a document, which may be empty, as a tensor (length,)."""
    ids = tensor_checks.converted(**{name: document})
    tensor_checks.shape(("length",), **{name: ids})
    if len(ids) > 0:
        tensor_checks.integers(at_least=0, below=vocab_size, **{name: ids})
    return ids.long()


def _check_ids(table: nn.Embedding, **ids: Tensor) -> None:
    """Raise unless every argument holds ids of words in `table`, of any shape, not empty, on its device."""
    tensor_checks.integers(at_least=0, below=table.num_embeddings, **ids)
    tensor_checks.not_empty(**ids)
    tensor_checks.on_device(table.weight.device, **ids)


def _precise(device: torch.device) -> torch.dtype:
    """float64, where a device has it."""
    return torch.float32 if device.type == "mps" else torch.float64
