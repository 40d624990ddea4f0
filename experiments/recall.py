"""How far and how much each recurrent memory carries: `python -m experiments.recall`.

*Recall*: a key is shown, then some steps of noise, then the question what the key was. *Copy*: some symbols are
shown, then must be given back in order. Each model is trained afresh for each distance or length, until it answers
99 % of unseen questions or its steps are used up. About ten minutes on one core.
"""

import argparse
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.provenance import provenance, write_run
from lmcourse import runtime
from lmcourse.models import RecurrentConfig, RecurrentLM
from lmcourse.training import adamw, fit

SEED, KEYS, NOISE, BATCH, RATE, CHECK_EVERY, SOLVED = 0, 8, 8, 32, 3e-3, 50, 0.99
MODELS: dict[str, dict[str, Any]] = {
    "RNN": {"cell": "rnn"},
    "GRU": {"cell": "gru"},
    "LSTM, forget bias 0": {"cell": "lstm"},
    "LSTM, forget bias 3": {"cell": "lstm", "forget_bias": 3.0},
}
DISTANCES, LENGTHS, REPEATS = (4, 8, 16, 32, 64, 128), (2, 4, 8), 3
OUT = Path("chapters/recorded/recall.json")


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
        fit(model, batches, loss, optimizer=optimizer, max_steps=CHECK_EVERY, progress=False)
        steps, share = steps + CHECK_EVERY, accuracy()
    return {"accuracy": round(share, 4), "steps": steps}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=3_000, help="at most, for each training")
    parser.add_argument("--hidden-size", type=int, default=32)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    rows = []
    for task, sizes in (("recall", DISTANCES), ("copy", LENGTHS)):
        for size in sizes:
            for name, options in MODELS.items():
                for repeat in range(REPEATS):
                    made = run(
                        task,
                        size,
                        options,
                        seed=SEED + repeat,
                        hidden_size=arguments.hidden_size,
                        max_steps=arguments.steps,
                    )
                    rows.append({"task": task, "size": size, "model": name, "seed": SEED + repeat, **made})
                    print(rows[-1], flush=True)
    record = {
        "name": "recall",
        **provenance("python -m experiments.recall", seed=SEED),
        "hidden_size": arguments.hidden_size,
        "max_steps": arguments.steps,
        "chance": 1 / KEYS,
        "rows": rows,
    }
    write_run(arguments.out, record)


if __name__ == "__main__":
    main()
