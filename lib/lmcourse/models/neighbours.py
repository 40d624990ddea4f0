"""What vectors of words are asked: which words are near one, and what is to c as b is to a.

V vocabulary, D width of a vector.
"""

from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse import checks, tensor_checks

__all__ = ["analogy", "nearest"]

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
    table, query = _table(vectors, words), _tensor("vector", vector)
    tensor_checks.shape(tuple(table.shape[1:]), vector=query)
    tensor_checks.has_values(vector=query)
    checks.whole(at_least=1, k=k)
    out = _rows("exclude", exclude, len(table), words)
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
        vectors: (V, D), tensor or array. Rows are used as they are; for the form of the paper, scale them to length 1
            first.
        k: how many answers.
        words: the word of each row.

    Returns:
        As from `nearest`.

    Source: Mikolov, Yih and Zweig, "Linguistic regularities", 2013, section 4.
    """
    table = _table(vectors, words)
    rows = [_rows(name, [item], len(table), words)[0] for name, item in (("a", a), ("b", b), ("c", c))]
    v_a, v_b, v_c = table[rows]
    if words is None:
        return nearest(v_b - v_a + v_c, table, k, exclude=rows)
    return nearest(v_b - v_a + v_c, table, k, exclude=rows, words=words)


def _table(vectors: Vectors, words: Sequence[str] | None) -> Tensor:
    table = _tensor("vectors", vectors)
    tensor_checks.shape(("V", "D"), vectors=table)
    tensor_checks.not_empty(vectors=table)
    tensor_checks.has_values(vectors=table)
    if words is not None:
        checks.instance(Sequence, words=words)
        if len(words) != len(table):
            raise ValueError(f"`words` must name every row of `vectors`: {len(table)} rows, got {len(words)} words.")
    return table


def _tensor(name: str, values: Vectors) -> Tensor:
    checks.instance((Tensor, np.ndarray), **{name: values})
    tensor = torch.as_tensor(values)
    tensor_checks.real(**{name: tensor})
    return tensor


def _rows(name: str, items: Iterable[int | str], count: int, words: Sequence[str] | None) -> list[int]:
    """Return the rows of `vectors` that ids or words stand for."""
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise TypeError(f"`{name}` must be a sequence of ids or words, got {name}={items!r}.")
    rows = []
    for item in items:
        if not isinstance(item, str):
            checks.whole(at_least=0, below=count, **{name: item})
            rows.append(int(item))
        elif words is None:
            raise ValueError(f"`{name}` may be a word only if `words` is given, got {item!r}.")
        elif item not in words:
            raise ValueError(f"`{name}` must be one of `words`, got {item!r}.")
        else:
            rows.append(words.index(item))
    return rows
