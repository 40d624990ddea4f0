"""How far and how much each recurrent memory carries: `python -m experiments.recall`.

*Recall*: a key is shown, then some steps of noise, then the question what the key was. *Copy*: some symbols are
shown, then must be given back in order. Each model is trained afresh for each distance or length, until it answers
99 % of unseen questions or its steps are used up. About ten minutes on one core.
"""

from itertools import product
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.recording import Record, launch, train
from lmcourse import runtime
from lmcourse.models import RecurrentConfig, RecurrentLM
from lmcourse.training import adamw

SEED, KEYS, NOISE, BATCH, RATE, CHECK_EVERY, SOLVED = 0, 8, 8, 32, 3e-3, 50, 0.99
MODELS: dict[str, dict[str, Any]] = {
    "RNN": {"cell": "rnn"},
    "GRU": {"cell": "gru"},
    "LSTM, forget bias 0": {"cell": "lstm"},
    "LSTM, forget bias 3": {"cell": "lstm", "forget_bias": 3.0},
}
DISTANCES, LENGTHS, REPEATS = (4, 8, 16, 32, 64, 128), (2, 4, 8), 3
HIDDEN_SIZE, MAX_STEPS = 32, 3_000


def recall_batch(n: int, distance: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return ids (n, distance + 1) and the answers (n, 1): a key, distance - 1 signs of noise, the question sign."""
    keys = torch.randint(KEYS, (n, 1), generator=generator)
    noise = torch.randint(KEYS, KEYS + NOISE, (n, distance - 1), generator=generator)
    question = torch.full((n, 1), KEYS + NOISE)
    return torch.cat([keys, noise, question], 1), keys


def copy_batch(n: int, length: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return ids (n, 2 length) and the answers (n, length): the symbols, then as many question signs."""
    symbols = torch.randint(KEYS, (n, length), generator=generator)
    questions = torch.full((n, length), KEYS + NOISE)
    return torch.cat([symbols, questions], 1), symbols


BATCHES = {"recall": recall_batch, "copy": copy_batch}


def run(task: str, size: int, options: dict, *, seed: int, hidden_size: int, max_steps: int) -> dict:
    """Train one model on one size of one task; return its accuracy on unseen questions and the steps it took."""
    generator = runtime.seed_everything(seed)
    model = RecurrentLM(RecurrentConfig(KEYS + NOISE + 1, 16, hidden_size, **options))
    optimizer = adamw(model, lr=RATE)
    unseen, answers = BATCHES[task](512, size, torch.Generator().manual_seed(10_000 + seed))

    def loss(model: RecurrentLM, batch: tuple[Tensor, Tensor]) -> Tensor:
        ids, wanted = batch
        logits, _ = model(ids)
        return F.cross_entropy(logits[:, -wanted.shape[1] :].flatten(0, 1), wanted.flatten())

    def accuracy() -> float:
        with torch.no_grad():
            chosen = model(unseen)[0][:, -answers.shape[1] :].argmax(-1)
        return float((chosen == answers).double().mean())

    def batches(step: int) -> tuple[Tensor, Tensor]:
        return BATCHES[task](BATCH, size, generator)

    steps, share = 0, 0.0
    while steps < max_steps and share < SOLVED:
        train(model, batches, CHECK_EVERY, optimizer, loss=loss)
        steps, share = steps + CHECK_EVERY, accuracy()
    return {"accuracy": round(share, 4), "steps": steps}


def main() -> None:
    record = Record("recall", seed=SEED, hidden_size=HIDDEN_SIZE, max_steps=MAX_STEPS, chance=1 / KEYS)
    settings = [(task, size) for task, sizes in (("recall", DISTANCES), ("copy", LENGTHS)) for size in sizes]
    for (task, size), name, seed in product(settings, MODELS, range(SEED, SEED + REPEATS)):
        made = run(task, size, MODELS[name], seed=seed, hidden_size=HIDDEN_SIZE, max_steps=MAX_STEPS)
        record.add({"task": task, "size": size, "model": name, "seed": seed, **made})
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
