"""What chapter 12 draws from recorded runs. Each command writes one file of chapters/recorded/.

python -m experiments.inside lens        the first screen: SmolLM2 read after each layer (a minute)
python -m experiments.inside induction   one look or two: repeats of random and of fixed period (two minutes)
python -m experiments.inside shapes      patches of images and a small CNN, few and many examples (two minutes)
python -m experiments.inside ladder      the first and the best models of the ladder, which no page scores (ten minutes)

With `--most N` induction and shapes train N models and keep the rows; the next call goes on from there.
"""

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from experiments.provenance import provenance, write_run
from lmcourse import data
from lmcourse.data.shapes import SHAPES, draw_shapes
from lmcourse.layers.transformer import EncoderLayer
from lmcourse.models import GPT, GPTConfig
from lmcourse.models.ngram import NGramModel
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import bits_per_byte

SEEDS = (0, 1, 2)


def train(model: nn.Module, loss: Callable[[], Tensor], steps: int, lr: float) -> None:
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
def lens() -> dict[str, Any]:
    """The token that is likeliest after each layer of SmolLM2, and how likely " box" is."""
    path = next(data.fetch("smollm2").glob("*.gguf"))
    model, tokenizer = GPT.from_pretrained(path).eval(), BPETokenizer.from_gguf(path)
    states: list[Tensor] = []
    hooks = [layer.register_forward_hook(lambda _, __, out: states.append(out[0, -1])) for layer in model.layers]
    model(torch.tensor([tokenizer.encode(KITTEN)]))
    for hook in hooks:
        hook.remove()
    (box,) = tokenizer.encode(" box")
    rows = []
    for number, state in enumerate(states, 1):
        logits = model.head(model.norm(state))
        best, rank = tokenizer.decode([int(logits.argmax())]), int((logits > logits[box]).sum()) + 1
        rows.append({"layer": number, "best": best, "rank": rank, "prob": round(float(logits.softmax(-1)[box]), 4)})
        print(rows[-1])
    return {"model": "SmolLM2-135M-Instruct", "prompt": KITTEN, "answer": " box", "rows": rows}


# ------------------------------------------------------------------------------------------------ the whole ladder

WINDOW, STRIDE = 512, 384  # of SmolLM2, in tokens: it sees 129 or more before each, as the course's larger GPT does


@torch.no_grad()
def ladder() -> dict[str, Any]:
    """Bits per byte of the test plays for n-grams of orders 1 to 3 and SmolLM2; bytes for each token."""
    train, test = (data.load_text("shakespeare", split=split) for split in ("train", "test"))
    n_bytes = len(test.encode())
    rows: list[dict[str, Any]] = []
    for order in (1, 2, 3):
        n_gram = NGramModel(order).fit([train])
        stored = sum(n_gram.num_ngrams) + sum(n_gram.num_ngrams[:-1])  # probabilities, back-off weights
        bits = round(bits_per_byte(-n_gram.logprob(test), n_bytes), 3)
        rows.append({"model": f"{order}-gram", "bits_per_byte": bits, "parameters": stored, "order": order})
    of_gpt = BPETokenizer.load("chapters/checkpoints/gpt.bpe.json")
    rows.append({"tokens_of": "GPT", "bytes_per_token": round(n_bytes / len(of_gpt.encode(test)), 3)})
    path = next(data.fetch("smollm2").glob("*.gguf"))
    model, tokenizer = GPT.from_pretrained(path).eval(), BPETokenizer.from_gguf(path)
    ids = torch.tensor(tokenizer.encode(test))
    rows.append({"tokens_of": "SmolLM2", "bytes_per_token": round(n_bytes / len(ids), 3)})
    parameters = sum(p.numel() for p in set(model.parameters()))
    model.config = replace(model.config, context_length=WINDOW)
    bits = round(bits_per_byte(model.total_nll(ids, stride=STRIDE, batch_size=4), n_bytes), 3)
    read_by = {"window": WINDOW, "stride": STRIDE}
    rows.append({"model": "SmolLM2", "bits_per_byte": bits, "parameters": parameters} | read_by)
    return {"text": "shakespeare, test", "bytes": n_bytes, "rows": rows}


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
    for period, layers in (("4 to 15", 1), ("4 to 15", 2), ("always 8", 1))
    for seed in SEEDS
]


def induction(row: dict[str, Any]) -> dict[str, Any]:
    """Train one small GPT; how often it is right with its own kind of period, and with the other."""
    fixed, generator = row["period"] == "always 8", torch.Generator().manual_seed(row["seed"])
    torch.manual_seed(row["seed"])
    model = GPT(GPTConfig(VOCABULARY, LENGTH, embed_dim=32, num_heads=2, num_layers=row["layers"]))

    def loss() -> Tensor:
        ids, _ = repeats(32, fixed, generator)
        return model.loss(ids[:, :-1], ids[:, 1:])

    steps = 250 if fixed else 900
    train(model, loss, steps, lr=6e-3)
    return {
        "steps": steps,
        "right": copied(model, fixed, generator),
        "right_other": copied(model, not fixed, generator),
    }


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


MAKES: dict[str, Callable[[], nn.Module]] = {
    "CNN": cnn,
    "patches": Patches,
}
SHAPE_RUNS = [
    {"model": name, "examples": examples, "seed": seed} for examples in (100, 2_000) for name in MAKES for seed in SEEDS
]


def shapes(row: dict[str, Any]) -> dict[str, Any]:
    """Train one model on pictures of shapes; its share of right answers on a thousand others."""
    images, labels = draw_shapes(row["examples"], seed=row["seed"])
    torch.manual_seed(row["seed"])
    model, generator = MAKES[row["model"]](), torch.Generator().manual_seed(row["seed"])

    def loss() -> Tensor:
        chosen = torch.randint(len(images), (50,), generator=generator)
        return F.cross_entropy(model(images[chosen]), labels[chosen])

    train(model, loss, 200, lr=3e-3)
    test_images, test_labels = draw_shapes(1_000, seed=1_000)
    with torch.no_grad():
        right = float((model.eval()(test_images).argmax(-1) == test_labels).float().mean())
    return {"steps": 200, "right": round(right, 4), "parameters": sum(p.numel() for p in model.parameters())}


ONCE = {"lens": lens, "ladder": ladder}
RUNS = {"induction": (INDUCTION, induction), "shapes": (SHAPE_RUNS, shapes)}


def one_by_one(what: str, path: Path, most: int | None) -> list[dict[str, Any]]:
    """The rows of a file that is there, and `most` new ones; it is written after each."""
    wanted, measure = cast("tuple[list[dict[str, Any]], Callable[[dict], dict]]", RUNS[what])
    kept = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []
    have = [{key: row[key] for key in wanted[0]} for row in kept]
    missing = [row for row in wanted if row not in have]
    for row in missing[:most]:
        kept.append(row | measure(row))
        print(kept[-1], flush=True)
        kept.sort(key=lambda row: wanted.index({key: row[key] for key in wanted[0]}))
        record = {"name": f"inside-{what}"} | provenance(f"python -m experiments.inside {what}", seed=SEEDS[0])
        write_run(path, record | {"rows": kept})
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*ONCE, *RUNS])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--most", type=int, help="models to train now; by default all that are missing")
    arguments = parser.parse_args()
    path = arguments.out or Path(f"chapters/recorded/inside-{arguments.what}.json")
    if arguments.what in ONCE:
        record = {"name": path.stem} | provenance(f"python -m experiments.inside {arguments.what}", seed=SEEDS[0])
        write_run(path, record | ONCE[arguments.what]())
    else:
        one_by_one(arguments.what, path, arguments.most)


if __name__ == "__main__":
    main()
