"""The recorded runs of chapter 09: `python -m experiments.bert WHAT`.

pretrain     the masked language model of Shakespeare that the page loads (half an hour on one core)
next         with and without next-sentence prediction, at equal steps
labels       fine-tuned against from scratch, by number of labels: two tasks on Shakespeare's sentences
ratings      the same on real film ratings, with MiniLM beside them
reviews      the same on generated reviews, where the order of the words decides
reference    vectors of MiniLM as `transformers` computes them
"""

import argparse
import math
import time
from pathlib import Path

import torch

from experiments.provenance import provenance
from lmcourse import data, runtime
from lmcourse.models import BERTConfig, MaskedLM
from lmcourse.models.bert import IGNORE
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.words import split_words
from lmcourse.training import adamw, cosine_schedule, fit, save_checkpoint
from lmcourse.training.masked import masked_batches

SEED, ROWS, LENGTH, RATE, WARM_UP = 0, 32, 64, 1.5e-3, 300
SPECIALS = ("[PAD]", "<unk>", "[CLS]", "[SEP]", "[MASK]")
CHECKPOINT = Path("chapters/checkpoints/bert")
STATES = Path(".proof")


def build_vocabulary() -> Vocabulary:
    words = split_words(data.load_text("shakespeare", split="train"))
    return Vocabulary.build(words, min_count=12, specials=SPECIALS)


def encoded(vocabulary: Vocabulary, split: str) -> torch.Tensor:
    return torch.tensor(vocabulary.encode(split_words(data.load_text("shakespeare", split=split))))


def batches_of(ids: torch.Tensor, vocabulary: Vocabulary, rows: int, seed: int = SEED):  # type: ignore[no-untyped-def]
    return masked_batches(
        ids, rows, LENGTH, cls_id=2, sep_id=3, mask_id=4, vocab_size=len(vocabulary), special_ids=range(len(SPECIALS)),
        generator=torch.Generator().manual_seed(seed),
    )  # fmt: skip


@torch.no_grad()
def masked_score(model: MaskedLM, batches, n_batches: int = 20) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    """Return the mean loss in nats at hidden places, and the share of them that the model fills in rightly."""
    nats = right = n = 0.0
    for step in range(1, n_batches + 1):
        inputs, labels = batches(step)
        chosen = labels != IGNORE
        log_probs = model(inputs)[chosen].log_softmax(-1)
        nats -= float(log_probs.gather(1, labels[chosen][:, None]).sum())
        right += float((log_probs.argmax(-1) == labels[chosen]).sum())
        n += int(chosen.sum())
    return nats / n, right / n


def pretrain(arguments: argparse.Namespace) -> None:
    runtime.seed_everything(SEED)
    vocabulary = build_vocabulary()
    ids = {split: encoded(vocabulary, split) for split in ("train", "valid", "test")}
    config = BERTConfig(len(vocabulary), LENGTH, arguments.width, 4, arguments.layers, dropout=arguments.dropout)
    model = MaskedLM(config)
    print(f"{len(vocabulary)} words, {sum(p.numel() for p in model.parameters()):,} parameters", flush=True)
    valid, test = (batches_of(ids[split], vocabulary, 64, seed=1) for split in ("valid", "test"))

    def schedule(step: int) -> float:
        return cosine_schedule(step, max_steps=arguments.steps, warmup=WARM_UP, final=0.02)

    def validate(model: MaskedLM) -> float:
        nats, right = masked_score(model, valid, 8)
        print(f"valid {nats:.3f} nats, {right:.1%} right, {time.process_time():.0f} s", flush=True)
        return nats

    started = time.process_time()
    history = fit(
        model,
        batches_of(ids["train"], vocabulary, ROWS),
        lambda model, batch: model.loss(*batch),
        optimizer=adamw(model, lr=RATE),
        schedule=schedule,
        max_steps=arguments.steps,
        validate=validate,
        validate_every=250,
        progress=False,
        precision=arguments.precision,
        checkpoint=STATES / f"{arguments.out.name}.state",
        checkpoint_every=250,
    )
    seconds = time.process_time() - started
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    nats, right = masked_score(model, test)
    recipe = provenance("python -m experiments.bert pretrain", seed=SEED) | {
        "data": "shakespeare, split by whole plays",
        "steps": arguments.steps,
        "rows_per_step": ROWS,
        "row_length": LENGTH,
        "learning_rate": RATE,
        "schedule": f"cosine, {WARM_UP} steps of warm-up",
        "precision": arguments.precision,
        "cpu_seconds_since_last_start": round(seconds),
        "test_loss_nats": round(nats, 4),
        "test_filled_in_rightly": round(right, 4),
        "history": {
            "loss_nats_every_100_steps": [round(nats, 4) for nats in history.smoothed(100)[99::100]],
            "valid_loss_nats": [[step, round(value, 4)] for step, value in history.validation],
        },
    }
    save_checkpoint(arguments.out, model.to(torch.bfloat16), recipe=recipe, vocabulary=vocabulary.tokens)
    print({name: recipe[name] for name in ("test_loss_nats", "test_filled_in_rightly")}, math.exp(nats))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pretrain",))
    parser.add_argument("--steps", type=int, default=5_000)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--precision", default="float32", help="of the matrix products: bfloat16 or float32")
    parser.add_argument("--out", type=Path, default=CHECKPOINT)
    arguments = parser.parse_args()
    STATES.mkdir(exist_ok=True)
    {"pretrain": pretrain}[arguments.what](arguments)


if __name__ == "__main__":
    main()
