"""Exercise `residual_block`."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.tasks.ch06.shared import CLOSE, double, draw


def residual_block(x, w, order="pre"):
    """Return the stream after one sublayer with add and norm.

    Args:
        x: the stream, a tensor (..., D).
        w: the sublayer's matrix, a tensor (D, D): the sublayer of y is y @ w.
        order: "pre" or "post".

    Returns:
        A tensor of the shape of x.

    Raises:
        ValueError: another order.

    >>> x, w = torch.tensor([[1.0, 3.0]]), torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    >>> residual_block(x, w, "pre").round(decimals=3).tolist(), residual_block(x, w, "post").tolist()
    ([[2.0, 2.0]], [[0.0, 0.0]])
    """
    if order not in ("pre", "post"):
        raise ValueError(f'`order` must be "pre" or "post", got {order!r}.')
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    return F.layer_norm(x + x @ w, x.shape[-1:])


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", double([[1, 3]]), double([[0, 1], [1, 0]]), "pre"),
        case("the same, post-norm: the first with the norm last", double([[1, 3]]), double([[0, 1], [1, 0]]), "post"),
        case("seven tokens, pre-norm", 2 * draw(rng, 7, 5), draw(rng, 5, 5), "pre"),
        case("seven tokens, post-norm", 2 * draw(rng, 7, 5), draw(rng, 5, 5), "post"),
        case("a batch, order not given", draw(rng, 2, 3, 7), draw(rng, 7, 7)),
        border("a sublayer of zeros, pre-norm: nothing changes", draw(rng, 3, 5), torch.zeros(5, 5).double(), "pre"),
        border("a sublayer of zeros, post-norm", draw(rng, 3, 5), torch.zeros(5, 5).double(), "post"),
        border(
            "one token, float32", draw(rng, 1, 5, dtype=torch.float32), draw(rng, 5, 5, dtype=torch.float32), "post"
        ),
        case("an order that there is not", draw(rng, 2, 3), draw(rng, 3, 3), "both"),
    ]


def _by_hand(x: Tensor) -> Tensor:
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.var(-1, correction=0, keepdim=True) + 1e-5).sqrt()


def _block_by_hand(x: Tensor, w: Tensor, order: str = "pre") -> Tensor:
    orders = {"pre": lambda: x + _by_hand(x) @ w, "post": lambda: _by_hand(x + x @ w)}
    if order not in orders:
        raise ValueError("order")
    return orders[order]()


def _block_by_modules(x: Tensor, w: Tensor, order: str = "pre") -> Tensor:
    norm = torch.nn.LayerNorm(x.shape[-1], elementwise_affine=False, dtype=x.dtype)
    if order == "pre":
        note = torch.einsum("...i,ij->...j", norm(x), w)
        return note + x
    if order == "post":
        note = torch.einsum("...i,ij->...j", x, w)
        return norm(note + x)
    raise ValueError("no such order")


def _block_wrong(x: Tensor, w: Tensor, order: str = "pre", *, how: str) -> Tensor:
    if how != "unchecked" and order not in ("pre", "post"):
        raise ValueError("order")
    D = x.shape[-1:]
    if how == "no_sum":
        return F.layer_norm(x, D) @ w if order == "pre" else F.layer_norm(x @ w, D)
    if how == "swapped":
        return F.layer_norm(x + x @ w, D) if order == "pre" else x + F.layer_norm(x, D) @ w
    if how == "no_norm":
        return x + x @ w
    if how == "stream_normalised" and order == "pre":
        working = F.layer_norm(x, D)
        return working + working @ w
    if how == "norm_of_note":
        return x + F.layer_norm(x @ w, D)
    if how == "both":
        return F.layer_norm(x + F.layer_norm(x, D) @ w, D)
    return residual_block(x, w, "pre" if order == "pre" else "post")


task = Task(
    residual_block,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "no_sum",
            lambda *a: _block_wrong(*a, how="no_sum"),
            "The old x is gone: what the sublayer gives replaces it. A block adds its note to the stream: x + ...",
        ),
        Slip(
            "swapped",
            lambda *a: _block_wrong(*a, how="swapped"),
            "The two orders are exchanged. Pre-norm normalises before the sublayer, post-norm after the sum.",
        ),
        Slip(
            "no_norm",
            lambda *a: _block_wrong(*a, how="no_norm"),
            "There is no layer norm anywhere, so the stream grows with every block. Pre: norm what the sublayer reads; "
            "post: norm the sum.",
        ),
        Slip(
            "stream_normalised",
            lambda *a: _block_wrong(*a, how="stream_normalised"),
            "In pre-norm the official copy was normalised too. Only the sublayer's working copy is: x + norm(x) @ w, "
            "with x itself left as it was.",
        ),
        Slip(
            "norm_of_note",
            lambda *a: _block_wrong(*a, how="norm_of_note"),
            "The norm is on the sublayer's output alone. Pre-norm puts it on the input, post-norm on the sum.",
        ),
        Slip(
            "both",
            lambda *a: _block_wrong(*a, how="both"),
            "Two norms were used, before and after. Each order has one.",
        ),
        Slip(
            "unchecked",
            lambda *a: _block_wrong(*a, how="unchecked"),
            "An unknown order was taken for post-norm. Raise ValueError unless it is 'pre' or 'post'.",
        ),
    ),
    alternatives=(_block_by_hand, _block_by_modules),
    hints=(
        "One sum and one norm in either order. Where does the norm stand?",
        "pre: x + sublayer(norm(x)); post: norm(x + sublayer(x)). The sublayer here is a product with w.",
        "F.layer_norm(x, x.shape[-1:]) normalises without learned parts. pre: x + F.layer_norm(x, x.shape[-1:]) @ w.",
    ),
)
