"""Does a deep stack need the sum, and why? `python -m experiments.residual`. Some twenty minutes on one core.

Is the product of the first two of sixteen numbers positive? Stacks of feed-forward blocks, with and without the sum
past each block, with and without layer norm before it, from three starts (PyTorch's own, He's larger weights, and one
that computes the identity), at three depths, five seeds each; the four kinds that chapter 06 draws at three learning
rates. What a stack makes of its own examples is one number, what it makes of new
ones another. The rate is for the reader to choose on `valid`; `test` are other examples. And the size of the gradient
at the input of a fresh stack, as a share of that at the loss. Killed and started again, it goes on with the runs that
are missing in `.proof/residual.json`.
"""

import json
import math
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from experiments.recording import STATES, Kept, Record, launch

WIDTH, STEPS, OWN, NEW = 16, 200, 256, 2_048
DEPTHS, RATES, SEEDS = (4, 16, 64), (1e-3, 3e-4, 3e-3), (0, 1, 2, 3, 4)
KINDS = [(start, norm, skip) for start in ("default", "he") for norm in (False, True) for skip in (False, True)]
COPIES = ("identity", False, False)  # no sum, but each block hands on what it gets: the cause without the sum
DRAWN = [("default", False, False), ("default", False, True), ("he", False, False), COPIES]


class Stacks(nn.Module):
    """One stack for each seed, side by side: all weights have the seeds as their first dimension, S."""

    def __init__(self, depth: int, start: str, norm: bool, skip: bool, seeds: tuple[int, ...], width: int = WIDTH):
        super().__init__()
        self.norm, self.skip = norm, skip
        drawn = [draw(depth, start, width, torch.Generator().manual_seed(seed)) for seed in seeds]
        self.weights = nn.ParameterList(torch.stack(parts) for parts in zip(*drawn, strict=True))

    def forward(self, x: Tensor) -> Tensor:  # (S, N, D) -> (S, N)
        x = self.stream(x)
        weight, bias = self.weights[-2:]
        logits: Tensor = torch.baddbmm(bias, F.layer_norm(x, x.shape[-1:]) if self.norm else x, weight)
        return logits.squeeze(-1)

    def stream(self, x: Tensor) -> Tensor:
        for block in range(0, len(self.weights) - 2, 4):
            up, up_bias, down, down_bias = self.weights[block : block + 4]
            read = F.layer_norm(x, x.shape[-1:]) if self.norm else x
            written = torch.baddbmm(down_bias, torch.relu(torch.baddbmm(up_bias, read, up)), down)
            x = x + written if self.skip else written
        return x


def draw(depth: int, start: str, width: int, generator: torch.Generator) -> list[Tensor]:
    """The weights of one stack: up (D, F), its bias (1, F), down (F, D), its bias (1, D) of each block; the head's."""
    hidden, weights = 4 * width, []

    def uniform(rows: int, columns: int, fan_in: int) -> Tensor:
        return (2 * torch.rand(rows, columns, generator=generator) - 1) / math.sqrt(fan_in)  # as nn.Linear draws

    for _ in range(depth):
        up, up_bias = uniform(width, hidden, width), uniform(1, hidden, width)
        down, down_bias = uniform(hidden, width, hidden), uniform(1, width, hidden)
        if start == "he":
            up = torch.randn(width, hidden, generator=generator) * math.sqrt(2 / width)
            down = torch.randn(hidden, width, generator=generator) / math.sqrt(hidden)
        if start == "identity":  # relu(x) - relu(-x) = x, in half of the hidden neurons
            eye = torch.eye(width)
            up[:, : 2 * width], up_bias[:, : 2 * width] = torch.cat([eye, -eye], dim=1), 0.0
            down[: 2 * width] = torch.cat([eye, -eye])
        if start == "he":
            up_bias, down_bias = torch.zeros_like(up_bias), torch.zeros_like(down_bias)
        weights += [up, up_bias, down, down_bias]
    return [*weights, uniform(width, 1, width), uniform(1, 1, width)]


def examples(n: int, seed: int) -> tuple[Tensor, Tensor]:
    """Inputs (n, 16), and 1 or -1: the sign of the product of the first two."""
    x = torch.randn(n, WIDTH, generator=torch.Generator().manual_seed(seed))
    return x, (x[:, 0] * x[:, 1]).sign()


def train(stacks: Stacks, x: Tensor, sign: Tensor, rate: float) -> None:
    optimizer = torch.optim.Adam(stacks.parameters(), lr=rate)
    for _ in range(STEPS):
        optimizer.zero_grad()
        F.soft_margin_loss(stacks(x), sign, reduction="none").mean(dim=1).sum().backward()
        optimizer.step()


@torch.no_grad()
def run(kind: tuple[str, bool, bool], depth: int, rate: float, n: int, seeds: tuple[int, ...]) -> list[dict]:
    """Train one stack for each seed on n examples of its own, and say how it does on them and on new ones."""
    own = [examples(n, 1_000 + seed) for seed in seeds]
    x, sign = (torch.stack(parts) for parts in zip(*own, strict=True))
    stacks = Stacks(depth, *kind, seeds)
    with torch.enable_grad():
        train(stacks, x, sign, rate)
    losses = F.soft_margin_loss(stacks(x), sign, reduction="none").mean(dim=1).tolist()
    shares = {}
    for name, seed in (("valid", 1), ("test", 2)):  # the same new examples for every stack
        new_x, new_sign = examples(NEW, seed)
        right = stacks(new_x.expand(len(seeds), -1, -1)).sign() == new_sign
        shares[name] = right.float().mean(dim=1).tolist()
    start, norm, skip = kind
    told = {"what": "run", "start": start, "norm": norm, "sum": skip, "blocks": depth, "rate": rate, "examples": n}
    return [
        told
        | {"seed": seed, "loss": round(loss, 4) if math.isfinite(loss) else None}
        | {name: round(share[index], 4) if math.isfinite(loss) else None for name, share in shares.items()}
        for index, (seed, loss) in enumerate(zip(seeds, losses, strict=True))
    ]


def gradient(kind: tuple[str, bool, bool], depth: int, seeds: tuple[int, ...]) -> dict:
    """The size of the gradient at the input of fresh stacks, 64 wide, where it is 1 at the output."""
    stacks, generator = Stacks(depth, *kind, seeds, width=64), torch.Generator().manual_seed(5)
    x = torch.randn(len(seeds), 50, 64, generator=generator, dtype=torch.float64).requires_grad_()
    out = stacks.double().stream(x)
    (found,) = torch.autograd.grad(out, x, grad_outputs=torch.randn(out.shape, generator=generator, dtype=out.dtype))
    sizes = found.square().mean(dim=(1, 2)).sqrt().tolist()
    start, norm, skip = kind
    return {"what": "gradient", "start": start, "norm": norm, "sum": skip, "blocks": depth, "sizes": sizes}


def main() -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    kept, record = Kept(STATES / "residual.json"), Record("residual", seed=SEEDS[0], steps=STEPS, width=WIDTH, new=NEW)
    record.extend(gradient(kind, depth, SEEDS) for kind in [*KINDS, COPIES] for depth in (2, 8, 32, 128))
    runs = [(kind, depth, RATES[0]) for depth in DEPTHS for kind in [*KINDS, COPIES]]
    runs += [(kind, depth, rate) for rate in RATES[1:] for depth in DEPTHS for kind in DRAWN]
    for setting in runs:
        record.extend(kept.once(json.dumps(setting), partial(run, *setting, OWN, SEEDS)))
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
