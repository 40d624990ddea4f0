"""What is put on top of an encoder: one label for the sentence, or one for each token.

B batch, T length, D width, C classes.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.models.bert import BERT, IGNORE_INDEX

Pooling = Literal["cls", "mean"]


def mean_pool(vectors: Tensor, attention_mask: Tensor) -> Tensor:
    """Return the mean of the vectors that take part: sum_t m_t x_t / sum_t m_t.

    Args:
        vectors: (B, T, D).
        attention_mask: (B, T) bool, True = takes part.

    Returns:
        (B, D); zeros for a row in which nothing takes part.

    Raises:
        TypeError: a mask that is not bool.
        ValueError: other shapes.

    Source: Reimers and Gurevych, "Sentence-BERT", 2019, section 3.
    """
    if attention_mask.dtype != torch.bool:
        raise TypeError(f"`attention_mask` must be bool, got {attention_mask.dtype}.")
    if vectors.dim() != 3 or attention_mask.shape != vectors.shape[:2]:
        raise ValueError(
            f"`vectors` must have shape (B, T, D) and `attention_mask` (B, T), got {tuple(vectors.shape)} and "
            f"{tuple(attention_mask.shape)}."
        )
    total = vectors.masked_fill(~attention_mask[..., None], 0.0).sum(1)  # (B, D)
    return total / attention_mask.sum(1, keepdim=True).clamp(min=1)


class SentenceClassifier(nn.Module):
    """One label for a whole sentence: logits = W h + b, h the vector over [CLS] or the mean of all vectors.

    Args:
        encoder: trained along with the head.
        num_classes: C.
        pooling: "cls" or "mean".
        dropout: on h, in training.

    Source: Devlin et al., 2019, section 4.1. The released code has one more layer, W tanh(P h), between.
    """

    def __init__(self, encoder: BERT, num_classes: int, *, pooling: Pooling = "cls", dropout: float = 0.1) -> None:
        super().__init__()
        if pooling not in ("cls", "mean"):
            raise ValueError(f'`pooling` must be "cls" or "mean", got {pooling!r}.')
        self.encoder, self.pooling = encoder, pooling
        self.dropout = nn.Dropout(dropout)
        self.head = _head(encoder, num_classes)

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return logits (B, C); the arguments are those of `BERT.forward`."""
        vectors = self.encoder(ids, attention_mask, segments)
        if self.pooling == "cls":
            pooled = vectors[:, 0]
        else:
            pooled = vectors.mean(1) if attention_mask is None else mean_pool(vectors, attention_mask)
        return self.head(self.dropout(pooled))

    def loss(self, ids: Tensor, attention_mask: Tensor, labels: Tensor) -> Tensor:
        """Return the mean cross-entropy in nats; `labels` are (B,)."""
        return F.cross_entropy(self(ids, attention_mask), labels)


class TokenClassifier(nn.Module):
    """One label for each token: logits = W x_t + b.

    Args:
        encoder: trained along with the head.
        num_classes: C.
        dropout: on the vectors, in training.

    Source: Devlin et al., 2019, section 5.3 and figure 4 (d).
    """

    def __init__(self, encoder: BERT, num_classes: int, *, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.head = _head(encoder, num_classes)

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return logits (B, T, C); the arguments are those of `BERT.forward`."""
        return self.head(self.dropout(self.encoder(ids, attention_mask, segments)))

    def loss(self, ids: Tensor, attention_mask: Tensor, labels: Tensor) -> Tensor:
        """Return the mean cross-entropy in nats over the places whose label (B, T) is not `IGNORE_INDEX`; 0 if none is."""
        known = labels != IGNORE_INDEX
        logits = self(ids, attention_mask)[known]  # (N, C)
        return F.cross_entropy(logits, labels[known], reduction="sum") / known.sum().clamp(min=1)


def _head(encoder: BERT, num_classes: int) -> nn.Linear:
    if num_classes < 1:
        raise ValueError(f"`num_classes` must be at least 1, got {num_classes}.")
    head = nn.Linear(encoder.config.embed_dim, num_classes)
    nn.init.normal_(head.weight, std=0.02)
    nn.init.zeros_(head.bias)
    return head
