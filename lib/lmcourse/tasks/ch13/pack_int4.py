import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def pack_int4(integers):
    """Put two integers of 4 bits into each byte.

    Of two neighbours in a row, the first takes the lower four bits of the byte and the second the upper four. A last
    integer without a neighbour takes the lower four, and the upper four are 0.

    Args:
        integers: 0 to 15, (rows, columns), uint8; columns may be 0.

    Returns:
        (rows, half as many columns, rounded up), uint8.

    Raises:
        ValueError: an integer above 15.

    >>> pack_int4(torch.tensor([[1, 2, 15]], dtype=torch.uint8))
    tensor([[33, 15]], dtype=torch.uint8)
    """
    if (integers > 15).any():
        raise ValueError("`integers` must be at most 15.")
    padded = F.pad(integers, (0, integers.shape[1] % 2))
    return padded[:, ::2] | padded[:, 1::2] << 4


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(rows: int, columns: int) -> Tensor:
        return torch.randint(16, (rows, columns), generator=generator, dtype=torch.uint8)

    return [
        case("the worked example", torch.tensor([[1, 2, 15]], dtype=torch.uint8)),
        case("three rows of eight", draw(3, 8)),
        case("five rows of seven: each row ends with a byte of its own", draw(5, 7)),
        case("as many rows as columns", draw(4, 4)),
        border("one integer", draw(1, 1)),
        border("one column", draw(5, 1)),
        border("no columns", draw(3, 0)),
        border("no rows", draw(0, 4)),
        border("all equal to 15", torch.full((2, 4), 15, dtype=torch.uint8)),
        border("all zero", torch.zeros(2, 5, dtype=torch.uint8)),
        border("one integer above 15", torch.tensor([[3, 16]], dtype=torch.uint8)),
        case("a row in fixed order", torch.tensor([[0, 1, 2, 3, 4, 5]], dtype=torch.uint8)),
        border("an input whose rows do not lie in a row", draw(6, 3).T),
        border("every integer above 15", torch.full((2, 2), 255, dtype=torch.uint8)),
        border("one column with an integer above 15", torch.tensor([[15], [16]], dtype=torch.uint8)),
    ]


SLIPS = mistakes("""
upper_first: "Of two neighbours in a row, the first takes the lower four bits of the byte and the second the"
    padded[:, ::2] | padded[:, 1::2] << 4 => padded[:, ::2] << 4 | padded[:, 1::2]
  The two halves of each byte are exchanged. The first integer takes the lower four bits.
not_shifted: "Put two integers of 4 bits into each byte"
    padded[:, 1::2] << 4 => padded[:, 1::2]
  Both integers were put into the lower four bits, where they mix. Shift the second by four.
last_dropped: "A last integer without a neighbour takes the lower four, and the upper four are 0"
    padded = F.pad(integers, (0, integers.shape[1] % 2)) => padded = integers[:, : integers.shape[1] // 2 * 2]
  Of an odd number of columns the last was dropped. It gets a byte of its own.
last_alone_above: "A last integer without a neighbour takes the lower four, and the upper four are 0"
    return padded[:, ::2] | padded[:, 1::2] << 4 => packed = padded[:, ::2] | padded[:, 1::2] << 4
    |    if integers.shape[1] % 2:
    |        packed[:, -1] <<= 4
    |    return packed
  A last integer without a neighbour was put into the upper four bits. It takes the lower four.
halves: "Of two neighbours in a row, the first takes the lower four bits of the byte and the second the"
    padded[:, ::2] | padded[:, 1::2] << 4 => padded[:, : padded.shape[1] // 2] | padded[:, padded.shape[1] // 2 :] << 4
  The first half of a row was combined with the second half. Combine neighbours: columns 0 and 1, 2 and 3.
always_padded: "(rows, half as many columns, rounded up), uint8"
    integers.shape[1] % 2 => 2 - integers.shape[1] % 2
  A column too many was added where the number of columns is even. Pad only if it is odd.
fifteen_refused: "0 to 15, (rows, columns), uint8"
    integers > 15 => integers >= 15
  15 was refused. It is the largest integer that four bits can hold.
""")
HINTS = hints("""
- The columns 0, 2, 4 ... are integers[:, ::2], the columns 1, 3, 5 ... are integers[:, 1::2].
- x << 4 moves the bits of x up by four places (it multiplies by 16), and | puts two numbers together whose bits do not
  overlap. Add a column of zeros first if their number is odd.
- padded = F.pad(integers, (0, integers.shape[1] % 2)); return padded[:, ::2] | padded[:, 1::2] << 4
""")
task = Task(pack_int4, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
