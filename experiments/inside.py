"""What chapter 12 draws from recorded runs. Each command writes one file of chapters/recorded/.

python -m experiments.inside lens        the first screen: SmolLM2 read after each layer (a minute)
python -m experiments.inside induction   one look or two: repeats of random and of fixed period (two minutes)
python -m experiments.inside shapes      patches of images and a small CNN, few and many examples (two minutes)
python -m experiments.inside ladder      the first and the best models of the ladder, which no page scores (ten minutes)

Killed and started again, induction and shapes go on with the models that are missing in `.proof/inside-NAME.json`.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from experiments.pretrained import Smol, kept_bpe
from experiments.recording import STATES, Kept, Record, Row, launch, n_parameters
from lmcourse import data
from lmcourse.data.shapes import SHAPES, draw_shapes
from lmcourse.layers.transformer import EncoderLayer
from lmcourse.models import GPT, GPTConfig
from lmcourse.models.ngram import NGramModel
from lmcourse.training import bits_per_byte

SEEDS = (0, 1, 2)


def descend(model: nn.Module, loss: Callable[[], Tensor], steps: int, lr: float) -> None:
    """Train by AdamW: a warm-up of 30 steps, then a straight descent of the rate over the last 40 %."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), weight_decay=0.01)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1, (s + 1) / 30, (steps - s) / (0.4 * steps)))
    for _ in range(steps):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
        rate.step()


# ------------------------------------------------------------------------------------------------ the first screen

KITTEN = "I am trying to train my new kitten to use the litter"


@torch.no_grad()
def lens() -> None:
    """The token that is likeliest after each layer of SmolLM2, and how likely " box" is."""
    smol = Smol()
    model, states = smol.model, list[Tensor]()
    hooks = [layer.register_forward_hook(lambda _, __, out: states.append(out[0, -1])) for layer in model.layers]
    model(torch.tensor([smol.encode(KITTEN)]))
    for hook in hooks:
        hook.remove()
    (box,) = smol.encode(" box")
    record = Record("inside-lens", model="SmolLM2-135M-Instruct", prompt=KITTEN, answer=" box")
    for number, state in enumerate(states, 1):
        logits = model.head(model.norm(state))
        best, rank = smol.text([int(logits.argmax())]), int((logits > logits[box]).sum()) + 1
        record.add({"layer": number, "best": best, "rank": rank, "prob": round(float(logits.softmax(-1)[box]), 4)})
    record.write()


# ------------------------------------------------------------------------------------------------ the whole ladder

WINDOW, STRIDE = 512, 384  # of SmolLM2, in tokens: it sees 129 or more before each, as the course's larger GPT does


@torch.no_grad()
def ladder() -> None:
    """Bits per byte of the test plays for n-grams of orders 1 to 3 and SmolLM2; bytes for each token."""
    text, test = (data.load_text("shakespeare", split=split) for split in ("train", "test"))
    n_bytes, smol = len(test.encode()), Smol()
    record = Record("inside-ladder", text="shakespeare, test", bytes=n_bytes)
    for order in (1, 2, 3):
        n_gram = NGramModel(order).fit([text])
        stored = sum(n_gram.num_ngrams) + sum(n_gram.num_ngrams[:-1])  # probabilities, back-off weights
        bits = round(bits_per_byte(-n_gram.logprob(test), n_bytes), 3)
        record.add({"model": f"{order}-gram", "bits_per_byte": bits, "parameters": stored, "order": order})
    record.add({"tokens_of": "GPT", "bytes_per_token": round(n_bytes / len(kept_bpe().encode(test)), 3)})
    ids = torch.tensor(smol.encode(test))
    record.add({"tokens_of": "SmolLM2", "bytes_per_token": round(n_bytes / len(ids), 3)})
    smol.model.config = replace(smol.model.config, context_length=WINDOW)
    bits = round(bits_per_byte(smol.model.total_nll(ids, stride=STRIDE, batch_size=4), n_bytes), 3)
    row = {"model": "SmolLM2", "bits_per_byte": bits, "parameters": n_parameters(smol.model)}
    record.add(row | {"window": WINDOW, "stride": STRIDE})
    record.write()


# ------------------------------------------------------------------------------------------------ one look or two

VOCABULARY, LENGTH, FIXED, PERIODS = 16, 32, 8, (4, 16)


def repeats(n: int, fixed: bool, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Rows of random tokens that repeat with a period of their own, (n, LENGTH + 1), and the periods (n,)."""
    rows = torch.randint(VOCABULARY, (n, PERIODS[1]), generator=generator)
    low, high = (FIXED, FIXED + 1) if fixed else PERIODS
    periods = torch.randint(low, high, (n,), generator=generator)
    return rows.gather(1, torch.arange(LENGTH + 1) % periods[:, None]), periods


def copied(model: GPT, fixed: bool, generator: torch.Generator) -> float:
    """The share of right predictions from the second round on."""
    with torch.no_grad():
        ids, periods = repeats(512, fixed, generator)
        right = model(ids[:, :-1]).argmax(-1) == ids[:, 1:]
        known = torch.arange(LENGTH) >= periods[:, None]
        return round(float(right[known].float().mean()), 4)


INDUCTION = [
    {"period": period, "layers": layers, "seed": seed}
    for (period, layers), seed in product((("4 to 15", 1), ("4 to 15", 2), ("always 8", 1)), SEEDS)
]


def induction(period: str, layers: int, seed: int) -> Row:
    """Train one small GPT; how often it is right with its own kind of period, and with the other."""
    fixed, generator = period == "always 8", torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    model = GPT(GPTConfig(VOCABULARY, LENGTH, embed_dim=32, num_heads=2, num_layers=layers))

    def loss() -> Tensor:
        ids, _ = repeats(32, fixed, generator)
        return model.loss(ids[:, :-1], ids[:, 1:])

    steps = 250 if fixed else 900
    descend(model, loss, steps, lr=6e-3)
    right, other = copied(model, fixed, generator), copied(model, not fixed, generator)
    return {"steps": steps, "right": right, "right_other": other}


# ------------------------------------------------------------------------------------------------ patches of images

SIZE, PATCH = 16, 4


class Patches(nn.Module):
    """A small vision transformer: patches of 4 x 4 pixels as tokens, chapter 06's encoder layers, the mean of all."""

    def __init__(self, D: int = 48) -> None:
        super().__init__()
        self.embed = nn.Linear(PATCH * PATCH, D)
        self.positions = nn.Parameter(0.1 * torch.randn((SIZE // PATCH) ** 2, D))
        self.layers = nn.ModuleList(EncoderLayer(D, 4, 2 * D, norm="pre", activation="gelu") for _ in range(2))
        self.head = nn.Sequential(nn.LayerNorm(D), nn.Linear(D, len(SHAPES)))

    def forward(self, images: Tensor) -> Tensor:  # (B, 16, 16) -> (B, classes)
        x = self.embed(F.unfold(images[:, None], PATCH, stride=PATCH).mT) + self.positions
        for layer in self.layers:
            x = layer(x)
        logits: Tensor = self.head(x.mean(1))
        return logits


def cnn(channels: int = 32) -> nn.Module:
    """Two convolutions of 3 x 3, each followed by pooling, then the largest value of each channel."""
    return nn.Sequential(
        nn.Unflatten(1, (1, SIZE)),
        nn.Conv2d(1, channels, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(channels, channels, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveMaxPool2d(1),
        nn.Flatten(),
        nn.Linear(channels, len(SHAPES)),
    )


MAKES: dict[str, Callable[[], nn.Module]] = {"CNN": cnn, "patches": Patches}
SHAPE_RUNS = [
    {"model": name, "examples": examples, "seed": seed} for examples, name, seed in product((100, 2_000), MAKES, SEEDS)
]


def shapes(model: str, examples: int, seed: int) -> Row:
    """Train one model on pictures of shapes; its share of right answers on a thousand others."""
    images, labels = draw_shapes(examples, seed=seed)
    torch.manual_seed(seed)
    net, generator = MAKES[model](), torch.Generator().manual_seed(seed)

    def loss() -> Tensor:
        chosen = torch.randint(len(images), (50,), generator=generator)
        return F.cross_entropy(net(images[chosen]), labels[chosen])

    descend(net, loss, 200, lr=3e-3)
    test_images, test_labels = draw_shapes(1_000, seed=1_000)
    with torch.no_grad():
        right = float((net.eval()(test_images).argmax(-1) == test_labels).float().mean())
    return {"steps": 200, "right": round(right, 4), "parameters": n_parameters(net)}


def one_by_one(name: str, settings: list[Row], measure: Callable[..., Row]) -> None:
    kept, record = Kept(STATES / f"inside-{name}.json"), Record(f"inside-{name}")
    record.extend(row | kept.once(json.dumps(row), partial(measure, **row)) for row in settings)
    record.write()


if __name__ == "__main__":
    launch(
        __doc__,
        {
            "lens": lens,
            "ladder": ladder,
            "induction": partial(one_by_one, "induction", INDUCTION, induction),
            "shapes": partial(one_by_one, "shapes", SHAPE_RUNS, shapes),
        },
    )
