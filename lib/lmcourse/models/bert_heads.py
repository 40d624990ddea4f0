"""Heads on top of an encoder: one label for the sentence, or one for each token.

B batch, T length, D width, C classes.
"""

from typing import Literal

import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.kernels.switch import eager
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.models.bert import BERT, check_labels

Pooling = Literal["cls", "mean"]


def mean_pool(vectors: Tensor, attention_mask: Tensor) -> Tensor:
    """Return the mean of the vectors that the mask lets take part: sum_t m_t x_t / sum_t m_t.

    Args:
        vectors: (B, T, D).
        attention_mask: (B, T) bool, True = takes part.

    Returns:
        (B, D); zeros for a row in which nothing takes part.

    Raises:
        TypeError: vectors that are not floating point, a mask that is not bool.
        ValueError: other shapes.

    Source: Reimers and Gurevych, "Sentence-BERT", 2019, section 3.
    """
    tensor_checks.floating(vectors=vectors)
    tensor_checks.boolean(attention_mask=attention_mask)
    tensor_checks.shape(("B", "T", "D"), vectors=vectors)
    tensor_checks.shape(tuple(vectors.shape[:2]), attention_mask=attention_mask)
    tensor_checks.same_device(vectors=vectors, attention_mask=attention_mask)
    total = vectors.masked_fill(~attention_mask[..., None], 0.0).sum(1)  # (B, D)
    return total / attention_mask.sum(1, keepdim=True).clamp(min=1)


class SentenceClassifier(nn.Module):
    """One label for a whole sentence: logits = W h + b, h the vector of [CLS] or the mean of all vectors.

    Args:
        encoder: trained along with the head.
        num_classes: C.
        pooling: "cls" or "mean".
        dropout: on h, in training.

    Source: Devlin et al., 2019, section 4.1. The released code has one more layer, W tanh(P h), between.
    """

    def __init__(self, encoder: BERT, num_classes: int, *, pooling: Pooling = "cls", dropout: float = 0.1) -> None:
        super().__init__()
        checks.instance(BERT, encoder=encoder)
        checks.whole(at_least=1, num_classes=num_classes)
        checks.one_of(("cls", "mean"), pooling=pooling)
        checks.number(at_least=0.0, below=1.0, dropout=dropout)
        self.encoder, self.pooling = encoder, pooling
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(encoder.config.embed_dim, num_classes)
        self._reset_head()

    def reset_parameters(self) -> None:
        """Draw all weights anew, those of the encoder too."""
        self.encoder.reset_parameters()
        self._reset_head()

    def _reset_head(self) -> None:
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return logits (B, C); the arguments are those of `BERT.forward`."""
        vectors = self.encoder(ids, attention_mask, segments)  # (B, T, D)
        if self.pooling == "cls":
            pooled = vectors[:, 0]
        else:
            pooled = vectors.mean(1) if attention_mask is None else mean_pool(vectors, attention_mask)
        logits: Tensor = self.head(self.dropout(pooled))
        return logits

    def loss(self, ids: Tensor, attention_mask: Tensor | None, labels: Tensor) -> Tensor:
        """Return the mean cross-entropy of `labels` (B,) in nats; the other arguments are those of `BERT.forward`."""
        tensor_checks.token_ids(self.encoder.embedding, ids=ids)
        tensor_checks.integers(at_least=0, below=self.head.out_features, labels=labels)
        tensor_checks.shape((len(ids),), labels=labels)
        tensor_checks.same_device(ids=ids, labels=labels)
        return F.cross_entropy(self(ids, attention_mask), labels.long())


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
        checks.instance(BERT, encoder=encoder)
        checks.whole(at_least=1, num_classes=num_classes)
        checks.number(at_least=0.0, below=1.0, dropout=dropout)
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(encoder.config.embed_dim, num_classes)
        self._reset_head()

    def reset_parameters(self) -> None:
        """Draw all weights anew, those of the encoder too."""
        self.encoder.reset_parameters()
        self._reset_head()

    def _reset_head(self) -> None:
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids: Tensor, attention_mask: Tensor | None = None, segments: Tensor | None = None) -> Tensor:
        """Return logits (B, T, C); the arguments are those of `BERT.forward`."""
        logits: Tensor = self.head(self.dropout(self.encoder(ids, attention_mask, segments)))
        return logits

    def loss(self, ids: Tensor, attention_mask: Tensor | None, labels: Tensor) -> Tensor:
        """Return the mean cross-entropy in nats over the positions whose label (B, T) is not `IGNORE_INDEX`.

        It is 0 if there is none. The other arguments are those of `BERT.forward`.
        """
        check_labels(ids, labels, self.head.out_features)
        known, logits = labels != IGNORE_INDEX, self(ids, attention_mask)  # (B, T), (B, T, C)
        if eager(labels):  # elsewhere nobody knows how many there are
            logits, labels = logits[known], labels[known]  # (N, C), (N,)
        logits, labels = logits.flatten(0, -2), labels.flatten().long()
        return F.cross_entropy(logits, labels, ignore_index=IGNORE_INDEX, reduction="sum") / known.sum().clamp(min=1)
