"""A reward model of real people's taste, as in chapter 11: `python -m experiments.ratings_judge`.

Two snippets of film reviews with different mean ratings are a comparison; the judge, a vector for each word and each
pair of neighbours, learns from such pairs by Bradley and Terry's loss. Needs the corpus `ratings`.
"""

import re
from collections import Counter
from itertools import pairwise

import torch
from torch import Tensor, nn

from experiments.recording import Record, launch, train
from lmcourse import data, runtime
from lmcourse.alignment import preference_loss
from lmcourse.training import adamw

WIDTH, PAIRS, STEPS, LEARNING_RATE = 16, 1_024, 80, 0.005
GAPS, SEEDS = (0.1, 0.5, 1.0, 2.0, 3.0), (0, 1, 2)


def features(text: str) -> list[str]:
    """Return the words of a text and its pairs of neighbours."""
    words = re.findall(r"[a-z']+|[!?]", text.lower())
    return [*words, *map(" ".join, pairwise(words))]


class Taste(nn.Module):
    """r = w . tanh(sum of the vectors of a text's features / sqrt(their number)) + b; feature 0 is padding."""

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(n_features + 1, WIDTH, mode="sum", padding_idx=0)
        nn.init.normal_(self.table.weight, std=0.01)
        self.head = nn.Linear(WIDTH, 1)

    def forward(self, bag: Tensor) -> Tensor:
        length = (bag > 0).sum(1, keepdim=True).clamp(min=1)
        return self.head(torch.tanh(self.table(bag) / length.sqrt())).squeeze(1)


def accuracy(seed: int) -> dict[float, float]:
    """Return the share of held-out pairs that the judge gets right, by how far apart their ratings are at least."""
    generator = runtime.seed_everything(seed)
    rated = {split: data.load_ratings(split=split) for split in ("train", "test")}
    seen = Counter(f for each in rated["train"] for f in dict.fromkeys(features(each.text)))
    index = {f: place for place, f in enumerate((f for f, n in seen.items() if n > 1), start=1)}

    def bags(split: str) -> Tensor:
        rows = [[index[f] for f in features(each.text) if f in index] or [0] for each in rated[split]]
        return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)

    inputs, means = bags("train"), torch.tensor([each.mean for each in rated["train"]])
    model = Taste(len(index))

    def pairs(step: int) -> tuple[Tensor, Tensor]:
        i, j = torch.randint(len(inputs), (2, PAIRS), generator=generator)
        better, keep = means[i] > means[j], means[i] != means[j]
        return torch.where(better, i, j)[keep], torch.where(better, j, i)[keep]

    def loss(taste: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
        return preference_loss(*(taste(inputs[rows]) for rows in batch))

    train(model, pairs, STEPS, adamw(model, LEARNING_RATE), loss=loss)
    with torch.no_grad():
        told = model(bags("test"))
    wanted = torch.tensor([each.mean for each in rated["test"]])
    apart, agrees = wanted[:, None] - wanted[None], told[:, None] > told[None]
    return {gap: float(agrees[apart >= gap].double().mean()) for gap in GAPS}


def people_agree() -> dict[float, float]:
    """Return the share of held-out pairs on which two halves of the raters agree, by how far apart ratings are."""
    rated = data.load_ratings(split="test")
    halves = (torch.tensor([sum(half) / len(half) for half in (r.votes[k::2] for r in rated)]) for k in (0, 1))
    one, other = (half[:, None] - half[None] for half in halves)
    means = torch.tensor([each.mean for each in rated])
    apart, counts = means[:, None] - means[None], one * other != 0
    return {gap: float((one * other > 0)[counts & (apart >= gap)].double().mean()) for gap in GAPS}


def main() -> None:
    record = Record("ratings-judge", seed=SEEDS[0])
    record.extend({"who": "people", "gap": gap, "accuracy": round(share, 4)} for gap, share in people_agree().items())
    for seed in SEEDS:
        for gap, share in accuracy(seed).items():
            record.add({"who": "judge", "seed": seed, "gap": gap, "accuracy": round(share, 4)})
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
