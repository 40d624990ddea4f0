import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, drawer


def patch_tokens(images, size):
    """Cut pictures into square patches, one token for each.

    Args:
        images: (B, C, height, width); B may be 0.
        size: of a patch in pixels; it divides height and width.

    Returns:
        (B, N, C size size): the patches row by row, from left to right; in each, the first channel row by row, then
        the second, and so on.

    Raises:
        ValueError: `size` does not divide both sides.

    >>> patch_tokens(torch.arange(8.0).view(1, 1, 2, 4), 2).tolist()
    [[[0.0, 1.0, 4.0, 5.0], [2.0, 3.0, 6.0, 7.0]]]
    """
    B, C, height, width = images.shape
    if height % size or width % size:
        raise ValueError(f"`size` must divide both sides, got size={size} for {height} x {width}.")
    rows, columns = height // size, width // size
    cut = images.reshape(B, C, rows, size, columns, size)
    return cut.permute(0, 2, 4, 1, 3, 5).reshape(B, rows * columns, C * size * size)


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    return [
        case("the worked example", torch.arange(8.0).view(1, 1, 2, 4), 2),
        case("two colour pictures", draw(2, 3, 10, 15), 5),
        case("higher than wide", draw(3, 2, 12, 4), 4),
        case("as many channels as the patch is wide", draw(2, 3, 9, 9), 3),
        border("one patch", draw(2, 3, 5, 5), 5),
        border("patches of one pixel", draw(2, 3, 3, 5), 1),
        border("one channel", draw(2, 1, 6, 4), 2),
        border("one picture", draw(1, 3, 6, 9), 3),
        border("no pictures", draw(0, 3, 4, 4), 2),
        border("a height that the size does not divide: below it", draw(2, 3, 3, 4), 4),
        border("a width that the size does not divide: one too many", draw(2, 3, 4, 5), 4),
        border("as many pixels as a patch, but not its sides", draw(1, 2, 2, 8), 4),
        border("pixels that do not lie in a row", draw(2, 10, 15, 3).permute(0, 3, 1, 2), 5),
        border("patches larger than the picture", draw(1, 2, 3, 3), 4),
        border("no pictures, whose sides the size does not divide", draw(0, 3, 4, 6), 4),
    ]


SLIPS = mistakes("""
rows_of_pixels: "Cut pictures into square patches, one token for each"
    cut.permute(0, 2, 4, 1, 3, 5) => images
  Reshape alone cuts the pixels in the order in which they lie in memory, row by row of the whole picture. A patch is a
  square: separate its rows and columns first, then bring them together.
columns_first: "(B, N, C size size): the patches row by row, from left to right"
    permute(0, 2, 4, 1, 3, 5) => permute(0, 4, 2, 1, 3, 5)
  The patches come column by column. Take them row by row, from left to right.
channels_last: "in each, the first channel row by row, then the second, and so on"
    permute(0, 2, 4, 1, 3, 5) => permute(0, 2, 4, 3, 5, 1)
  Within a patch the channels alternate. The first channel comes whole, then the second.
patch_turned: "in each, the first channel row by row, then the second, and so on"
    permute(0, 2, 4, 1, 3, 5) => permute(0, 2, 4, 1, 5, 3)
  Each patch is read column by column. Read its rows.
channels_as_tokens: "(B, C, height, width)"
    permute(0, 2, 4, 1, 3, 5) => permute(0, 1, 2, 4, 3, 5)
  The channels of one patch went into different tokens. A token holds all channels of its patch.
no_check: "`size` does not divide both sides"
    raise ValueError(f"`size` must divide both sides, got size={size} for {height} x {width}.") =>
        images = images[:, :, : height // size * size, : width // size * size]
    |        height, width = height // size * size, width // size * size
  Right where the size divides the sides. Where it does not, raise a ValueError.
""")
HINTS = hints("""
- Cut each side in two: which patch, and where in the patch. That gives six axes.
- (B, C, rows, size, columns, size): bring rows and columns to the front, then channels, then the two sizes.
- images.reshape(B, C, h // s, s, w // s, s).permute(0, 2, 4, 1, 3, 5).reshape(B, -1, C * s * s)
""")
task = Task(patch_tokens, points=2, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
