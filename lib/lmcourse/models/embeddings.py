"""Words as vectors: from one-hot rows to vectors that are learned by predicting.

In reading order: the neural bigram (one-hot, encoder, decoder), the neural n-gram, documents as bags of words, and
skip-gram and CBOW with negative sampling, whose vectors are then asked for neighbours and analogies.
V vocabulary, D width of a vector, B batch, N tokens, K noise words drawn for each true one.
"""

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn


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
        _check_positive(vocab_size=vocab_size, embed_dim=1 if embed_dim is None else embed_dim)
        self.vocab_size = vocab_size
        width = vocab_size if embed_dim is None else embed_dim
        self.encoder = nn.Embedding(vocab_size, width)
        self.decoder = None if embed_dim is None else nn.Linear(width, vocab_size, bias=False)
        if self.decoder is None:
            nn.init.zeros_(self.encoder.weight)  # every next word equally likely

    def forward(self, ids: Tensor) -> Tensor:
        """Return the logits (..., V) of the word that follows each of `ids` (...)."""
        hidden = self.encoder(_checked_ids("ids", ids, self.vocab_size))
        return hidden if self.decoder is None else self.decoder(hidden)

    @torch.no_grad()
    def table(self) -> Tensor:
        """Return p(next word | word), (V, V); rows sum to 1."""
        return self(torch.arange(self.vocab_size, device=self.encoder.weight.device)).softmax(-1)


class NeuralNGram(nn.Module):
    """Neural n-gram: y = b + W x + U tanh(d + H x), where x holds the vectors of the n-1 words before, in order.

    Words of like use get like vectors, so what is learned about one n-gram holds for those never seen. But x, and
    with it H, grows with the window.

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
        _check_positive(vocab_size=vocab_size, embed_dim=embed_dim, hidden_size=hidden_size)
        if order < 2:
            raise ValueError(f"`order` must be at least 2 (a bigram), got {order}.")
        self.order = order
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        self.hidden = nn.Linear((order - 1) * embed_dim, hidden_size)  # H, d
        self.output = nn.Linear(hidden_size, vocab_size)  # U, b
        self.direct = nn.Linear((order - 1) * embed_dim, vocab_size, bias=False) if direct else None  # W

    def forward(self, contexts: Tensor) -> Tensor:
        """Return the logits (..., V) of the next word, given the words before it, `contexts` (..., order - 1)."""
        if contexts.dim() == 0 or contexts.shape[-1] != self.order - 1:
            raise ValueError(
                f"`contexts` must have shape (..., order - 1) with order={self.order}, got {tuple(contexts.shape)}."
            )
        ids = _checked_ids("contexts", contexts, self.embedding.num_embeddings)
        x = self.embedding(ids).flatten(-2)  # (..., n - 1, D) -> (..., (n - 1) D)
        logits = self.output(self.hidden(x).tanh())
        return logits if self.direct is None else logits + self.direct(x)


def ngram_windows(ids: Tensor, order: int) -> tuple[Tensor, Tensor]:
    """Return every n-gram of a text as contexts (N - order + 1, order - 1) and the words after them."""
    if order < 1 or ids.dim() != 1 or len(ids) < order:
        raise ValueError(
            f"`ids` must have shape (N,) with N at least order={order}, order at least 1, got {tuple(ids.shape)}."
        )
    windows = ids.unfold(0, order, 1)
    return windows[:, :-1], windows[:, -1]


def bag_of_words(documents: Sequence[Sequence[int]], vocab_size: int) -> Tensor:
    """Return how often each word is in each document, (number of documents, V). The order of the words is lost.

    Args:
        documents: word ids of each document.
        vocab_size: V.
    """
    _check_positive(vocab_size=vocab_size)
    rows = [torch.as_tensor(document, dtype=torch.long) for document in documents]
    if not rows:
        raise ValueError("`documents` must hold at least one document, got none.")
    rows = [_checked_ids("documents", row, vocab_size) if len(row) else row for row in rows]
    return torch.stack([torch.bincount(row, minlength=vocab_size) for row in rows]).float()


def tf_idf(counts: Tensor) -> Tensor:
    """Return counts weighted by rarity: tf(d, w) * ln(number of documents / documents with w).

    A word of all documents weighs 0. There are a dozen variants; this is the plain one.

    Args:
        counts: (number of documents, V), as from `bag_of_words`.

    Source: Sparck Jones, 1972 (the idf); Salton and Buckley, 1988.
    """
    if counts.dim() != 2 or counts.numel() == 0:
        raise ValueError(f"`counts` must have shape (documents, V), not empty, got {tuple(counts.shape)}.")
    with_word = (counts > 0).sum(0).clamp(min=1)  # a word of no document has a count of 0 anyway
    return counts * (len(counts) / with_word).log()


class _NegativeSampling(nn.Module):
    """What skip-gram and CBOW share: two vectors a word, and the loss that tells a true word from noise."""

    def __init__(self, vocab_size: int, embed_dim: int) -> None:
        super().__init__()
        _check_positive(vocab_size=vocab_size, embed_dim=embed_dim)
        self.vocab_size = vocab_size
        self.inputs = nn.Embedding(vocab_size, embed_dim)  # the vectors that are kept
        self.outputs = nn.Embedding(vocab_size, embed_dim)
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

    def _check(self, name: str, context: Tensor, centre: Tensor, negatives: Tensor, context_dims: int) -> None:
        B = centre.shape[:1]
        if (
            centre.dim() != 1
            or centre.numel() == 0
            or (context.dim() != context_dims or context.shape[:1] != B)
            or (negatives.dim() != 2 or negatives.shape[:1] != B or negatives.shape[1] == 0)
        ):
            raise ValueError(
                f"{name} takes `centre` (B,), `context` {'(B,)' if context_dims == 1 else '(B, C)'} and `negatives` "
                f"(B, K), none empty, got {tuple(centre.shape)}, {tuple(context.shape)}, {tuple(negatives.shape)}."
            )
        _checked_ids("centre", centre, self.vocab_size)
        _checked_ids("negatives", negatives, self.vocab_size)


class SkipGram(_NegativeSampling):
    """Skip-gram: from a word, tell the words near it from noise.

    Loss of one pair: -log sigmoid(u_context . v_centre) - sum over K noise words of log sigmoid(-u_k . v_centre).

    Args:
        vocab_size: V.
        embed_dim: D.

    Source: Mikolov, Sutskever, Chen, Corrado and Dean, "Distributed representations of words", 2013, equation 4.
    """

    def forward(self, centre: Tensor, context: Tensor, negatives: Tensor) -> Tensor:
        """Return the mean loss of pairs `centre` (B,), `context` (B,) with noise words `negatives` (B, K)."""
        self._check("SkipGram", context, centre, negatives, 1)
        return self._loss(self.inputs(centre), _checked_ids("context", context, self.vocab_size), negatives)


class CBOW(_NegativeSampling):
    """Continuous bag of words: from the mean of the words near it, tell a word from noise.

    Loss of one place: -log sigmoid(u_centre . m) - sum over K noise words of log sigmoid(-u_k . m), m the mean of
    the context's vectors.

    Source: Mikolov, Chen, Corrado and Dean, "Efficient estimation of word representations", 2013, section 3.1;
    with the loss of the later paper.
    """

    def forward(self, centre: Tensor, context: Tensor, negatives: Tensor) -> Tensor:
        """Return the mean loss of words `centre` (B,) in `context` (B, C), with noise words `negatives` (B, K).

        An entry of -1 in `context` stands for no word (at the ends of a text).
        """
        self._check("CBOW", context, centre, negatives, 2)
        present = context >= 0  # (B, C)
        ids = _checked_ids("context", context.masked_fill(context == -1, 0), self.vocab_size)
        summed = (self.inputs(ids) * present.unsqueeze(-1)).sum(1)  # (B, C, D) -> (B, D)
        return self._loss(summed / present.sum(1, keepdim=True).clamp(min=1), centre, negatives)


def skipgram_pairs(ids: Tensor, window: int, *, generator: torch.Generator | None = None) -> tuple[Tensor, Tensor]:
    """Return all pairs (centre, context) of a text whose words stand at most `window` apart.

    Args:
        ids: (N,).
        window: the largest distance.
        generator: if given, each centre draws its own window from 1..`window`, as word2vec does, so that near
            words count more.

    Returns:
        centre and context, each (number of pairs,).
    """
    if ids.dim() != 1 or window < 1:
        raise ValueError(f"`ids` must have shape (N,), `window` be at least 1, got {tuple(ids.shape)}, {window}.")
    reach = torch.full((len(ids),), window)
    if generator is not None:
        reach = torch.randint(1, window + 1, (len(ids),), generator=generator)
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
    if ids.dim() != 1 or window < 1 or len(ids) < 2:
        raise ValueError(
            f"`ids` must have shape (N,) with N at least 2, `window` be at least 1, got {tuple(ids.shape)}, {window}."
        )
    around = F.pad(ids, (window, window), value=-1).unfold(0, 2 * window + 1, 1)  # (N, 2 window + 1)
    return ids, torch.cat([around[:, :window], around[:, window + 1 :]], dim=1)


def subsample(ids: Tensor, *, threshold: float = 1e-3, generator: torch.Generator | None = None) -> Tensor:
    """Drop words of a text at random, the frequent ones most: word w stays with probability min(1, sqrt(t / f(w))).

    Args:
        ids: (N,).
        threshold: t; words with a share f(w) of the text below it always stay.

    Source: Mikolov et al., 2013 (the second paper), equation 5.
    """
    if ids.dim() != 1 or threshold <= 0:
        raise ValueError(f"`ids` must have shape (N,), `threshold` be above 0, got {tuple(ids.shape)}, {threshold}.")
    if len(ids) == 0:
        return ids
    share = torch.bincount(ids).double() / len(ids)
    stays = (threshold / share).sqrt()[ids]  # (N,)
    return ids[torch.rand(len(ids), generator=generator, dtype=torch.double) < stays]


def noise_distribution(counts: Tensor, *, power: float = 0.75) -> Tensor:
    """Return the distribution that noise words are drawn from: counts^0.75, scaled to sum to 1, (V,).

    The power lifts rare words: of counts 16 and 1, shares 16/17 and 1/17, come 8/9 and 1/9.

    Source: Mikolov et al., 2013 (the second paper), section 2.2.
    """
    counts = torch.as_tensor(counts)
    if counts.dim() != 1 or counts.numel() == 0 or bool((counts < 0).any()) or float(counts.sum()) == 0.0:
        raise ValueError(
            f"`counts` must have shape (V,), none negative and not all 0, got shape {tuple(counts.shape)}."
        )
    weights = counts.double() ** power
    weights[counts == 0] = 0.0  # also with power=0
    return weights / weights.sum()


def draw_negatives(distribution: Tensor, shape: tuple[int, ...], *, generator: torch.Generator | None = None) -> Tensor:
    """Return word ids of this shape, drawn from `distribution` (V,): by halving on the running sum, log V each."""
    heights = distribution.double().cumsum(0)
    draws = torch.rand(shape, generator=generator, dtype=torch.double, device=heights.device) * heights[-1]
    return torch.searchsorted(heights, draws, right=True).clamp(max=len(heights) - 1)


def negative_sampling_loss(distribution: Tensor, num_negatives: int = 5) -> Callable[[nn.Module, Any], Tensor]:
    """Return the loss for `fit`: it draws noise words for a batch (centre, context) and asks the model."""
    _check_positive(num_negatives=num_negatives)

    def loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
        centre, context = batch
        negatives = draw_negatives(distribution, (len(centre), num_negatives)).to(centre.device)
        return model(centre, context, negatives)

    return loss


Vectors = Tensor | np.ndarray


@overload
def nearest(
    vector: Vectors, vectors: Vectors, k: int, *, exclude: Sequence[int] = (), words: None = None
) -> list[tuple[int, float]]: ...
@overload
def nearest(
    vector: Vectors, vectors: Vectors, k: int, *, exclude: Sequence[int | str] = (), words: Sequence[str]
) -> list[tuple[str, float]]: ...
def nearest(
    vector: Vectors,
    vectors: Vectors,
    k: int,
    *,
    exclude: Sequence[int | str] = (),
    words: Sequence[str] | None = None,
) -> list[Any]:
    """Return the k rows of `vectors` with the largest cosine to `vector`, the largest first.

    Args:
        vector: (D,), tensor or array.
        vectors: (V, D).
        k: how many; fewer come back if fewer are left.
        exclude: ids (or words, if `words` is given) that may not be an answer.
        words: the word of each row.

    Returns:
        Pairs (id, cosine), or (word, cosine) if `words` is given. A vector of zeros has cosine 0 to all.

    Raises:
        ValueError: shapes that do not fit, k below 1, an id or word that is not there.
    """
    table, query = torch.as_tensor(vectors), torch.as_tensor(vector)
    if table.dim() != 2 or table.shape[0] == 0 or tuple(query.shape) != tuple(table.shape[1:]):
        raise ValueError(
            f"`vector` must have shape (D,) and `vectors` (V, D), got {tuple(query.shape)} and {tuple(table.shape)}."
        )
    _check_positive(k=k)
    _check_words(words, len(table))
    out = [_row(item, len(table), words) for item in exclude]
    table = table if table.is_floating_point() else table.float()
    cosines = F.cosine_similarity(table, query.to(table).unsqueeze(0), dim=-1)  # (V,)
    cosines[out] = -torch.inf
    values, rows = cosines.topk(min(k, len(table) - len(set(out))))
    return [
        (row if words is None else words[row], value) for row, value in zip(rows.tolist(), values.tolist(), strict=True)
    ]


def analogy(
    a: int | str, b: int | str, c: int | str, vectors: Vectors, k: int = 1, *, words: Sequence[str] | None = None
) -> list[Any]:
    """Answer "a is to b as c is to ?": the k rows nearest, by cosine, to v_b - v_a + v_c, the three excluded.

    Without the exclusion the nearest is often b or c itself.

    Args:
        a, b, c: ids, or words if `words` is given: man, king, woman gives queen.
        vectors: (V, D), tensor or array. Rows are taken as they are; scale them to length 1 before for the form of
            the paper.
        k: how many answers.
        words: the word of each row.

    Returns:
        As from `nearest`.

    Source: Mikolov, Yih and Zweig, "Linguistic regularities", 2013, section 4.
    """
    table = torch.as_tensor(vectors)
    if table.dim() != 2:
        raise ValueError(f"`vectors` must have shape (V, D), got {tuple(table.shape)}.")
    _check_words(words, len(table))
    rows = [_row(item, len(table), words) for item in (a, b, c)]
    v_a, v_b, v_c = table[rows]
    if words is None:
        return nearest(v_b - v_a + v_c, table, k, exclude=rows)
    return nearest(v_b - v_a + v_c, table, k, exclude=rows, words=words)


def _row(item: int | str, count: int, words: Sequence[str] | None) -> int:
    if isinstance(item, str):
        if words is None:
            raise ValueError(f"a word stands for a row only with `words`, got {item!r} without.")
        try:
            return words.index(item)
        except ValueError:
            raise ValueError(f"every word must be one of `words`, got {item!r}.") from None
    if not 0 <= item < count:
        raise ValueError(f"every id must be in 0..V-1 with V={count}, got {item}.")
    return int(item)


def _check_words(words: Sequence[str] | None, count: int) -> None:
    if words is not None and len(words) != count:
        raise ValueError(f"`words` must name every row of `vectors`: {count} rows, got {len(words)} words.")


def _check_positive(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"`{name}` must be at least 1, got {size}.")


def _checked_ids(name: str, ids: Tensor, vocab_size: int) -> Tensor:
    if ids.is_floating_point() or ids.dtype == torch.bool:
        raise TypeError(f"`{name}` must be whole numbers, got {ids.dtype}.")
    if ids.numel() == 0:
        raise ValueError(f"`{name}` must not be empty, got shape {tuple(ids.shape)}.")
    if ids.device.type == "cpu" and not 0 <= int(ids.min()) <= int(ids.max()) < vocab_size:
        raise ValueError(f"`{name}` must be in 0..V-1 with V={vocab_size}, got {int(ids.min())} to {int(ids.max())}.")
    return ids
