"""Who follows two notes: `python -m experiments.treasure_hunt`. Some ten minutes on one core.

Twelve boxes, each with a note that names another one. "Start at C and follow two notes" needs two looks at the notes,
the second of which depends on what the first has found. Trained on the same puzzles, for the same steps: one and two
layers of a transformer, one layer used twice, and an LSTM with one and two layers of attention, each with three
learning rates. The picture at the head of chapter 06 is from here, too: where the two layers look for one question.
"""

from collections.abc import Callable
from itertools import product

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from experiments.recording import Record, launch, n_parameters
from lmcourse.layers import DecoderLayer, EncoderLayer

BOXES, WIDTH, HEADS, STEPS, PUZZLES = 12, 64, 2, 800, 64
RATES, SEEDS = (3e-3, 1e-3, 1e-2), (0, 1, 2)  # the first of each are those of the picture


def puzzles(n: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return n puzzles: ids (n, 24, 2), answers (n, 12), and whether two notes are asked for, (n, 12).

    The first 12 tokens are notes (box, what its note says) in random order, the last 12 are questions (box, one or two
    notes). The notes lead through all boxes in one circle, so no two notes lead back to the start.
    """
    tour = torch.rand(n, BOXES, generator=generator).argsort(dim=1)
    says = torch.empty_like(tour).scatter_(1, tour, tour.roll(-1, dims=1))
    box = torch.rand(n, BOXES, generator=generator).argsort(dim=1)
    start = torch.randint(BOXES, (n, BOXES), generator=generator)
    two = torch.randint(2, (n, BOXES), generator=generator)
    once = says.gather(1, start)
    answers = torch.where(two == 1, says.gather(1, once), once)
    left, right = torch.cat([box, start], dim=1), torch.cat([says.gather(1, box), BOXES + two], dim=1)
    return torch.stack([left, right], dim=-1), answers, two == 1


class Solver(nn.Module):
    """Embedding, a reader, a score for each box at the questions."""

    def __init__(self, reader: nn.Module, width: int) -> None:
        super().__init__()
        self.left, self.right = nn.Embedding(BOXES, WIDTH), nn.Embedding(BOXES + 2, WIDTH)
        self.reader, self.norm, self.head = reader, nn.LayerNorm(width), nn.Linear(width, BOXES)

    def forward(self, ids: Tensor) -> Tensor:
        logits: Tensor = self.head(self.norm(self.reader(self.left(ids[..., 0]) + self.right(ids[..., 1]))))
        return logits[:, BOXES:]


class Recurrent(nn.Module):
    """A bidirectional LSTM, then layers in which the questions attend to the notes: no self-attention."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(WIDTH, WIDTH // 2, batch_first=True, bidirectional=True)
        self.layers = nn.ModuleList(Look() for _ in range(layers))

    def forward(self, x: Tensor) -> Tensor:
        x = self.lstm(x)[0]
        for layer in self.layers:
            x = torch.cat([x[:, :BOXES], layer(x[:, BOXES:], x[:, :BOXES])], dim=1)
        return x


class Look(DecoderLayer):
    """Cross-attention and feed-forward of a decoder layer, without its self-attention."""

    def __init__(self) -> None:
        super().__init__(WIDTH, HEADS, 4 * WIDTH, norm="pre")
        del self.attention, self.attention_norm

    def forward(self, x: Tensor, memory: Tensor) -> Tensor:  # type: ignore[override]
        x = self.residual(x, self.cross_attention_norm, self.cross_attention, memory=memory)
        return self.residual(x, self.feed_forward_norm, self.feed_forward)


class Twice(nn.Module):
    """One layer of a transformer, used twice: half the parameters of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = EncoderLayer(WIDTH, HEADS, 4 * WIDTH, norm="pre")

    def forward(self, x: Tensor) -> Tensor:
        once: Tensor = self.layer(x)
        twice: Tensor = self.layer(once)
        return twice


def transformer(layers: int) -> nn.Module:
    return nn.Sequential(*(EncoderLayer(WIDTH, HEADS, 4 * WIDTH, norm="pre") for _ in range(layers)))


READERS: dict[str, Callable[[], nn.Module]] = {
    "transformer, 1 layer": lambda: transformer(1),
    "transformer, 2 layers": lambda: transformer(2),
    "transformer, 1 layer twice": Twice,
    "LSTM with attention": lambda: Recurrent(1),
    "LSTM with attention twice": lambda: Recurrent(2),
}


def train(name: str, seed: int, rate: float) -> Solver:
    torch.manual_seed(seed)
    model = Solver(READERS[name](), WIDTH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.95), weight_decay=0.3)
    generator = torch.Generator().manual_seed(seed)
    for step in range(1, STEPS + 1):
        optimizer.param_groups[0]["lr"] = rate * min(1.0, step / 50, (STEPS + 1 - step) / 150)
        ids, answers, _ = puzzles(PUZZLES, generator)
        loss = F.cross_entropy(model(ids).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return model


@torch.no_grad()
def right_share(model: Solver) -> dict[str, float]:
    ids, answers, two = puzzles(1_000, torch.Generator().manual_seed(99))
    right = (model(ids).argmax(dim=-1) == answers).float()
    return {"one note": round(right[~two].mean().item(), 3), "two notes": round(right[two].mean().item(), 3)}


@torch.no_grad()
def looks(model: Solver, ids: Tensor) -> list[list[list[list[float]]]]:
    """The weights of one puzzle: layer, head, query, key."""
    x, found = model.left(ids[..., 0]) + model.right(ids[..., 1]), []
    for layer in model.reader:  # type: ignore[attr-defined]
        x, weights = layer(x, return_weights=True)
        found.append([[[round(w, 4) for w in row] for row in head] for head in weights[0].tolist()])
    return found


def main() -> None:
    torch.set_num_threads(1)
    record = Record("treasure-hunt", seed=SEEDS[0], steps=STEPS)
    ids, answers, two = puzzles(1, torch.Generator().manual_seed(7))
    picture = {"what": "picture", "ids": ids[0].tolist(), "answers": answers[0].tolist(), "two": two[0].tolist()}
    record.add(picture | {"weights": looks(train("transformer, 2 layers", SEEDS[0], RATES[0]), ids)})
    for name, rate, seed in product(READERS, RATES, SEEDS):
        model = train(name, seed, rate)
        row = {"what": "run", "who": name, "seed": seed, "rate": rate, "parameters": n_parameters(model)}
        record.add(row | right_share(model))
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
