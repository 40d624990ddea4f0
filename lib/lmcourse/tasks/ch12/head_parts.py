import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, drawer


def head_parts(mixed, weight, num_heads):
    """Return what each head adds to the stream.

    Args:
        mixed: what the heads have gathered, side by side as the output projection reads it, (T, H K).
        weight: of the output projection, as nn.Linear keeps it, (D, H K).
        num_heads: H.

    Returns:
        (H, T, D), whose sum over the heads is mixed @ weight.T.

    Raises:
        ValueError: H does not divide the width of `mixed`.

    >>> head_parts(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 5.0]]), 2).tolist()
    [[[3.0]], [[10.0]]]
    """
    T, width = mixed.shape
    if width % num_heads:
        raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={width}.")
    gathered = mixed.view(T, num_heads, width // num_heads).transpose(0, 1)  # (H, T, K)
    blocks = weight.T.view(num_heads, -1, len(weight))  # (H, K, D)
    return gathered @ blocks


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    return [
        case("the worked example", torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 5.0]]), 2),
        case("three heads", draw(5, 21), draw(11, 21), 3),
        case("as many tokens as heads", draw(3, 15), draw(7, 15), 3),
        case("as wide as the stream", draw(5, 14), draw(14, 14), 7),
        border("heads of width one", draw(3, 5), draw(7, 5), 5),
        border("one token", draw(1, 10), draw(10, 10), 2),
        border("no tokens", draw(0, 6), draw(5, 6), 2),
        border("a width that the heads do not divide", draw(2, 7), draw(3, 7), 2),
        border("more heads than columns", draw(2, 3), draw(5, 3), 6),
        border("no tokens, and a width that the heads do not divide", draw(0, 7), draw(3, 7), 2),
    ]


SLIPS = mistakes("""
no_check: "H does not divide the width of `mixed`"
    raise ValueError(f"`num_heads` must divide the width, got num_heads={num_heads}, width={width}.") =>
        mixed, weight = mixed[:, : width // num_heads * num_heads], weight[:, : width // num_heads * num_heads]
  Right where the heads divide the width. Where they do not, raise a ValueError.
tokens_mixed: "what the heads have gathered, side by side as the output projection reads it, (T, H K)"
    mixed.view(T, num_heads, width // num_heads).transpose(0, 1) => mixed.reshape(num_heads, T, -1)
  Reshape alone mixes tokens and heads. Give each token its heads, (T, H, K), and then exchange the axes.
heads_interleaved: "H"
    mixed.view(T, num_heads, width // num_heads).transpose(0, 1) => mixed.view(T, -1, num_heads).permute(2, 0, 1)
    weight.T.view(num_heads, -1, len(weight)) => weight.view(len(weight), -1, num_heads).permute(2, 1, 0)
  The sum is right, but the parts are not: every H-th column was taken. A head's columns stand side by side.
rows_of_weight: "of the output projection, as nn.Linear keeps it, (D, H K)"
    weight.T.view(num_heads, -1, len(weight)) => weight.reshape(num_heads, -1, len(weight))
  The weight of nn.Linear is (D, H K): a head owns columns of it. Transpose before you cut it.
tokens_first: "(H, T, D), whose sum over the heads is mixed @ weight.T"
    gathered @ blocks => (gathered @ blocks).transpose(0, 1)
  The parts are right, but the tokens come first. The axes are heads, tokens, width.
""")
HINTS = hints("""
- A matrix product is a sum over the inner axis. Cut that axis into H pieces.
- mixed is cut into (H, T, K), the transposed weight into (H, K, D).
- return mixed.view(T, H, K).transpose(0, 1) @ weight.T.view(H, -1, D)
""")
task = Task(head_parts, points=2, difficulty=3, minutes=15, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
