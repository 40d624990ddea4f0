"""Does a deep stack need the sum, and why? `python -m experiments.residual`. Half an hour on one core.

Is the product of the first two of sixteen numbers positive? Stacks of feed-forward blocks, with and without the sum
past each block, with and without layer norm before it, from four starts (PyTorch's own, He's larger weights, blocks
that compute the identity, and blocks that compute a random rotation), at three depths, five seeds each; the five kinds
that chapter 06 draws at three learning rates, and the deepest with large weights for longer. What a stack makes of its
own examples is one number, what it makes of new ones another. The rate is for the reader to choose on `valid`; `test`
are other examples. And of fresh stacks: the size of the gradient at the input, as a share of that at the output, and
how alike different inputs have become. Killed and started again, it goes on with the runs
that are missing in `.proof/residual.json`.
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
LOSSLESS = [("identity", False, False), ("rotation", False, False)]  # no sum, but a fresh block loses nothing
LARGE = ("he", False, False)
DRAWN = [("default", False, False), ("default", False, True), LARGE, *LOSSLESS]
LONGER = 1_000  # steps: does the deepest stack with large weights fit if it has more of them?


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
        if start in ("identity", "rotation"):  # relu(x) - relu(-x) = x, in half of the hidden neurons
            eye = torch.eye(width)
            turn = eye if start == "identity" else torch.linalg.qr(torch.randn(width, width, generator=generator)).Q
            up[:, : 2 * width], up_bias[:, : 2 * width] = torch.cat([turn, -turn], dim=1), 0.0
            down[: 2 * width] = torch.cat([eye, -eye])
        if start == "he":
            up_bias, down_bias = torch.zeros_like(up_bias), torch.zeros_like(down_bias)
        weights += [up, up_bias, down, down_bias]
    return [*weights, uniform(width, 1, width), uniform(1, 1, width)]


def examples(n: int, seed: int) -> tuple[Tensor, Tensor]:
    """Inputs (n, 16), and 1 or -1: the sign of the product of the first two."""
    x = torch.randn(n, WIDTH, generator=torch.Generator().manual_seed(seed))
    return x, (x[:, 0] * x[:, 1]).sign()


def train(stacks: Stacks, x: Tensor, sign: Tensor, rate: float, steps: int) -> None:
    optimizer = torch.optim.Adam(stacks.parameters(), lr=rate)
    for _ in range(steps):
        optimizer.zero_grad()
        F.soft_margin_loss(stacks(x), sign, reduction="none").mean(dim=1).sum().backward()
        optimizer.step()


@torch.no_grad()
def run(kind: tuple[str, bool, bool], depth: int, rate: float, steps: int, seeds: tuple[int, ...]) -> list[dict]:
    """Train one stack for each seed on examples of its own, and say how it does on them and on new ones."""
    own = [examples(OWN, 1_000 + seed) for seed in seeds]
    x, sign = (torch.stack(parts) for parts in zip(*own, strict=True))
    stacks = Stacks(depth, *kind, seeds)
    with torch.enable_grad():
        train(stacks, x, sign, rate, steps)
    losses = F.soft_margin_loss(stacks(x), sign, reduction="none").mean(dim=1).tolist()
    shares = {}
    for name, seed in (("valid", 1), ("test", 2)):  # the same new examples for every stack
        new_x, new_sign = examples(NEW, seed)
        right = stacks(new_x.expand(len(seeds), -1, -1)).sign() == new_sign
        shares[name] = right.float().mean(dim=1).tolist()
    start, norm, skip = kind
    told = {"what": "run", "start": start, "norm": norm, "sum": skip, "blocks": depth, "rate": rate, "steps": steps}
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


@torch.no_grad()
def alike(kind: tuple[str, bool, bool], depth: int, seeds: tuple[int, ...]) -> dict:
    """The mean cosine between what a fresh stack makes of different inputs: at 1 it can no longer tell them apart."""
    out = F.normalize(Stacks(depth, *kind, seeds).stream(examples(OWN, 1)[0].expand(len(seeds), -1, -1)), dim=-1)
    cosines = ((out @ out.mT).sum(dim=(1, 2)) - OWN) / (OWN * (OWN - 1))
    start, norm, skip = kind
    told = {"what": "alike", "start": start, "norm": norm, "sum": skip, "blocks": depth}
    return told | {"cosines": [round(cosine, 4) for cosine in cosines.tolist()]}


def main() -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    kept, record = Kept(STATES / "residual.json"), Record("residual", seed=SEEDS[0], steps=STEPS, width=WIDTH, new=NEW)
    for kind in [*KINDS, *LOSSLESS]:
        record.extend(gradient(kind, depth, SEEDS) for depth in (2, 8, 32, 128))
        record.extend(alike(kind, depth, SEEDS) for depth in DEPTHS)
    runs = [(kind, depth, RATES[0], STEPS) for depth in DEPTHS for kind in [*KINDS, *LOSSLESS]]
    runs += [(kind, depth, rate, STEPS) for rate in RATES[1:] for depth in DEPTHS for kind in DRAWN]
    runs += [(LARGE, DEPTHS[-1], rate, LONGER) for rate in RATES[:2]]
    for setting in runs:
        record.extend(kept.once(json.dumps(setting), partial(run, *setting, SEEDS)))
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
