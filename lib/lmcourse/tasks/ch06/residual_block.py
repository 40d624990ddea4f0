import numpy as np
import torch
import torch.nn.functional as F

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch06.shared import CLOSE, draw


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


@drawn(4)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    zeros = torch.zeros(5, 5).double()
    magnitudes = double([[1e4], [1.0], [1e-3]])
    return [
        case("the worked example", double([[1, 3]]), double([[0, 1], [1, 0]]), "pre"),
        case("the same, post-norm: the first with the norm last", double([[1, 3]]), double([[0, 1], [1, 0]]), "post"),
        case("seven tokens, pre-norm", 2 * draw(rng, 7, 5), draw(rng, 5, 5), "pre"),
        case("seven tokens, post-norm", 2 * draw(rng, 7, 5), draw(rng, 5, 5), "post"),
        case("a batch, order not given", draw(rng, 2, 3, 7), draw(rng, 7, 7)),
        case("a batch, post-norm", draw(rng, 2, 3, 7) + 1, draw(rng, 7, 7), order="post"),
        case("as many tokens as features, pre-norm", draw(rng, 4, 4), draw(rng, 4, 4), "pre"),
        case("as many tokens as features, post-norm", draw(rng, 4, 4), draw(rng, 4, 4), "post"),
        border("one token as a vector, pre-norm", draw(rng, 5), draw(rng, 5, 5), "pre"),
        border("a sublayer of zeros, pre-norm: nothing changes", draw(rng, 3, 5), zeros, "pre"),
        border("a sublayer of zeros, post-norm", draw(rng, 3, 5), zeros, "post"),
        border("tokens of different magnitudes, pre-norm", magnitudes * draw(rng, 3, 5), draw(rng, 5, 5), "pre"),
        border("tokens of different magnitudes, post-norm", magnitudes * draw(rng, 3, 5), draw(rng, 5, 5), "post"),
        border(
            "one token, float32", draw(rng, 1, 5, dtype=torch.float32), draw(rng, 5, 5, dtype=torch.float32), "post"
        ),
        case("an empty order", draw(rng, 2, 3), draw(rng, 3, 3), ""),
        case("an order that begins like one", draw(rng, 2, 3), draw(rng, 3, 3), "prenorm"),
        border("an order that there is not, and no tokens", torch.zeros(0, 3), torch.eye(3), "both"),
        case("an order with a capital letter", draw(rng, 2, 3), draw(rng, 3, 3), "Post"),
    ]


SLIPS = mistakes("""
no_sum: "Return the stream after one sublayer with add and norm"
    return x + F.layer_norm(x, => return F.layer_norm(x,
    F.layer_norm(x + x @ w, => F.layer_norm(x @ w,
  The old x is gone: the sublayer's output replaces it. A block adds its output to the stream: x + ...
swapped: ""pre" or "post""
    if order == "pre" => if order == "post"
  The two orders are exchanged. Pre-norm normalises before the sublayer, post-norm after the sum.
no_norm: "Return the stream after one sublayer with add and norm"
    F.layer_norm(x, x.shape[-1:]) @ w => x @ w
    F.layer_norm(x + x @ w, x.shape[-1:]) => x + x @ w
  There is no layer norm anywhere, so the stream grows with every block. Pre: norm what the sublayer reads; post: norm
  the sum.
stream_normalised: "Return the stream after one sublayer with add and norm"
    return x + F.layer_norm(x, x => return F.layer_norm(x, x.shape[-1:]) + F.layer_norm(x, x
  In pre-norm the stream was normalised too. Only what the sublayer reads is: x + norm(x) @ w, with x itself left as it
  was.
norm_of_output_in_post
    F.layer_norm(x + x @ w, x.shape[-1:]) => x + F.layer_norm(x @ w, x.shape[-1:])
  Pre-norm is right. In post-norm the norm is on the sublayer's output alone; it belongs on the sum: norm(x + x @ w).
both_in_post
    F.layer_norm(x + x @ w, => F.layer_norm(x + F.layer_norm(x, x.shape[-1:]) @ w,
  Pre-norm is right. In post-norm the sublayer reads x as it is: one norm only, on the sum.
all_numbers: "Return the stream after one sublayer with add and norm"
    F.layer_norm(x, x.shape[-1:]) => F.layer_norm(x, x.shape)
    F.layer_norm(x + x @ w, x.shape[-1:]) => F.layer_norm(x + x @ w, x.shape)
  One mean and one variance were taken over all tokens. Layer norm takes those of each token's own D numbers: the last
  dimension.
transposed: "the sublayer's matrix, a tensor (D, D): the sublayer of y is y @ w"
    x.shape[-1:]) @ w => x.shape[-1:]) @ w.T
    x + x @ w => x + x @ w.T
  The transpose of w was used. The sublayer of y is y @ w.
unchecked: "another order"
    order not in ("pre", "post") => False
  An unknown order was taken for post-norm. Raise ValueError unless it is "pre" or "post".
letter_case_ignored: "another order"
    order not in ("pre", "post") => order.lower() not in ("pre", "post")
  Capital letters were accepted. The order is "pre" or "post", as it is written.
""")
HINTS = hints("""
- One sum and one norm in either order. Where does the norm stand?
- pre: x + sublayer(norm(x)); post: norm(x + sublayer(x)). The sublayer here is a product with w.
- F.layer_norm(x, x.shape[-1:]) normalises without learned parts. pre: x + F.layer_norm(x, x.shape[-1:]) @ w.
""")
task = Task(residual_block, points=2, difficulty=2, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
