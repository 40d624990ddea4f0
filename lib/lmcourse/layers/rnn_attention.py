"""Attention of a recurrent decoder: one query a step, over the encoder's states.

There are three ways to score a query q against a key h_j; the rest is the same for all: the weights are the softmax of
the scores over the source, the context is the average of the keys with those weights. Chapter 05 separates keys from
values.

B batch, T target steps, S source length, Dq and Dk widths of query and key.
"""

from torch import Tensor, nn

from lmcourse import checks, tensor_checks
from lmcourse.layers.masks import masked_softmax

__all__ = ["BahdanauAttention", "LuongDotAttention", "LuongGeneralAttention", "attention_pooling"]


def attention_pooling(scores: Tensor, keys: Tensor, attention_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Return the average of the keys by the softmax of their scores, and the weights.

    a_j = exp(e_j) / sum over the attended k of exp(e_k); c = sum over j of a_j h_j. With nothing to attend to, both
    are 0.

    Args:
        scores: e, (B, S) or (B, T, S).
        keys: h, (B, S, Dk).
        attention_mask: bool (B, S), True = attend; None attends to all.

    Returns:
        context (B, Dk) or (B, T, Dk), and weights of the shape of `scores`.

    Raises:
        TypeError: scores or keys that are not floating point, a mask that is not bool.
        ValueError: shapes that do not fit.

    Source: Bahdanau, Cho and Bengio, 2015, equations 5 and 6.
    """
    tensor_checks.floating(scores=scores, keys=keys)
    tensor_checks.same_dtype(scores=scores, keys=keys)
    tensor_checks.same_device(scores=scores, keys=keys)
    tensor_checks.shape(("B", "S", "Dk"), keys=keys)
    B, S, _ = keys.shape
    tensor_checks.shape((B, S) if scores.dim() == 2 else (B, "T", S), scores=scores)
    _check_mask(attention_mask, keys)
    return _pooled(scores, keys, attention_mask)


def _pooled(scores: Tensor, keys: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    if scores.dim() == 2:
        context, weights = _pooled(scores[:, None], keys, mask)
        return context[:, 0], weights[:, 0]
    weights = masked_softmax(scores, None if mask is None else mask[:, None])  # (B, T, S)
    return weights @ keys, weights  # (B, T, S) x (B, S, Dk)


class _Attention(nn.Module):
    """What the three kinds share: the checks and the average. A kind adds `scores`."""

    query_dim: int | None = None
    key_dim: int | None = None

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        """Return e (B, T, S) for queries (B, T, Dq) and keys (B, S, Dk)."""
        raise NotImplementedError

    def forward(self, query: Tensor, keys: Tensor, attention_mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Attend with one query, or with all queries of a known target at once.

        Args:
            query: (B, Dq), or (B, T, Dq).
            keys: the encoder's states, (B, S, Dk).
            attention_mask: bool (B, S), True = attend, False = padding.

        Returns:
            context (B, Dk) and weights (B, S); with T queries (B, T, Dk) and (B, T, S). The weights of a row sum to 1;
            of a row with nothing to attend to, weights and context are 0.

        Raises:
            ValueError: shapes that do not fit.
            TypeError: `query` or `keys` are not floating point, or of two dtypes; `attention_mask` is not bool.
        """
        self._check(query, keys, attention_mask)
        one = query.dim() == 2
        scores = self.scores(query[:, None] if one else query, keys)  # (B, T, S)
        return _pooled(scores[:, 0] if one else scores, keys, attention_mask)

    def _check(self, query: Tensor, keys: Tensor, attention_mask: Tensor | None) -> None:
        tensor_checks.floating(query=query, keys=keys)
        tensor_checks.same_dtype(query=query, keys=keys)
        tensor_checks.same_device(query=query, keys=keys)
        tensor_checks.shape(("B", "S", self.key_dim or "Dk"), keys=keys)
        query_dim = self.query_dim or keys.shape[-1]
        if query.dim() not in (2, 3) or query.shape[0] != keys.shape[0] or query.shape[-1] != query_dim:
            raise ValueError(
                f"`query` must have shape (B, {query_dim}) or (B, T, {query_dim}) with B={keys.shape[0]} as in `keys`, "
                f"got {tuple(query.shape)}."
            )
        _check_mask(attention_mask, keys)


class LuongDotAttention(_Attention):
    """Attention by the dot product: e_j = q . h_j. Query and keys have one width; nothing is learned here.

    Source: Luong, Pham and Manning, 2015, section 3.1, "dot". Not scaled by the root of the width, as in chapter 05.
    """

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        return query @ keys.transpose(1, 2)  # (B, T, D) x (B, D, S)


class LuongGeneralAttention(_Attention):
    """Attention by a bilinear form: e_j = q^T W h_j. Query and keys may differ in width.

    Args:
        query_dim, key_dim: Dq and Dk.

    Source: Luong, Pham and Manning, 2015, section 3.1, "general".
    """

    def __init__(self, query_dim: int, key_dim: int) -> None:
        super().__init__()
        checks.whole(query_dim=query_dim, key_dim=key_dim, at_least=1)
        self.query_dim, self.key_dim = query_dim, key_dim
        self.key_projection = nn.Linear(key_dim, query_dim, bias=False)

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        projected: Tensor = self.key_projection(keys)  # (B, S, Dq)
        return query @ projected.transpose(1, 2)  # (B, T, Dq) x (B, Dq, S)


class BahdanauAttention(_Attention):
    """Attention by a small network: e_j = v^T tanh(W q + U h_j).

    Args:
        query_dim, key_dim: Dq and Dk.
        hidden_size: width of the tanh.

    Cost: B T S hidden_size numbers are held at once, where the products hold B T S.

    Source: Bahdanau, Cho and Bengio, 2015, appendix A.1.2, where q is the decoder's state before the step.
    """

    def __init__(self, query_dim: int, key_dim: int, hidden_size: int) -> None:
        super().__init__()
        checks.whole(query_dim=query_dim, key_dim=key_dim, hidden_size=hidden_size, at_least=1)
        self.query_dim, self.key_dim = query_dim, key_dim
        self.query_projection = nn.Linear(query_dim, hidden_size, bias=False)
        self.key_projection = nn.Linear(key_dim, hidden_size, bias=False)
        self.energy = nn.Linear(hidden_size, 1, bias=False)

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        both = self.query_projection(query)[:, :, None] + self.key_projection(keys)[:, None]  # (B, T, S, hidden)
        energy: Tensor = self.energy(both.tanh())  # (B, T, S, 1)
        return energy.squeeze(-1)


def _check_mask(attention_mask: Tensor | None, keys: Tensor) -> None:
    if attention_mask is not None:
        tensor_checks.boolean(attention_mask=attention_mask)
        tensor_checks.shape(tuple(keys.shape[:2]), attention_mask=attention_mask)
        tensor_checks.same_device(keys=keys, attention_mask=attention_mask)
