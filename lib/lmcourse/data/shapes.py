"""Generated pictures of shapes, for models whose tokens are patches of an image."""

import torch
from torch import Tensor

from lmcourse import checks

__all__ = ["SHAPES", "draw_shapes"]

SHAPES = ("disc", "square", "ring", "cross")


def draw_shapes(n: int, *, seed: int = 0, size: int = 16, noise: float = 0.15) -> tuple[Tensor, Tensor]:
    """Return n grey pictures of one shape each, and which shape it is.

    Centre and radius are random, so that no pixel alone tells the shape; every shape is equally frequent.

    Args:
        n: pictures, at most a million.
        seed: the same seed gives the same pictures.
        size: of a picture in pixels, 12 to 256.
        noise: standard deviation of the noise on each pixel.

    Returns:
        images (n, size, size), floats around 0 (background) to 1 (shape); labels (n,), indices into `SHAPES`.

    Raises:
        TypeError, ValueError: an argument of another kind or out of range.
    """
    checks.whole(n=n, at_least=1, at_most=1_000_000)
    checks.whole(size=size, at_least=12, at_most=256)
    checks.whole(seed=seed, at_least=0, at_most=2**63 - 1)
    checks.number(noise=noise, at_least=0.0, at_most=10.0)
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randperm(n, generator=generator) % len(SHAPES)
    radius = 3 + 2 * torch.rand(n, 1, 1, generator=generator)
    centre = radius + (size - 1 - 2 * radius) * torch.rand(2, n, 1, 1, generator=generator)  # never over the edge
    line = torch.arange(size, dtype=torch.float32)
    down, across = line[None, :, None] - centre[0], line[None, None, :] - centre[1]  # (n, size, 1), (n, 1, size)
    distance = (down**2 + across**2).sqrt()
    inside = (down.abs() <= 0.85 * radius) & (across.abs() <= 0.85 * radius)
    each = (
        distance <= radius,
        inside,
        (distance <= radius) & (distance >= radius - 1.6),
        ((down.abs() <= 1) | (across.abs() <= 1)) & (distance <= radius),
    )
    images = torch.stack(each)[labels, torch.arange(n)].float()
    return images + noise * torch.randn(images.shape, generator=generator), labels
