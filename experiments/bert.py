"""The masked language model of chapter 09, and next-sentence prediction tried: `python -m experiments.bert WHAT`.

pretrain     the checkpoint that the page loads (a quarter of an hour on one core)
next         the checkpoint trained on with and without next-sentence prediction, at equal steps
"""

import argparse
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from experiments.bert_checkpoint import CHECKPOINT, SPECIALS, pretrained_words
from experiments.bert_labels import questions_score
from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.models import BERTConfig, MaskedLM, mask_tokens, small_start
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.words import split_words
from lmcourse.training import adamw, cosine_schedule, fit, masked_batches, save_checkpoint

SEED, ROWS, LENGTH, RATE, WARM_UP = 0, 32, 64, 2e-3, 150
STATES = Path(".proof")
REFERENCE_TEXTS = (
    "She robbed the bank.",
    "A word gets another vector in each sentence that it stands in, and the vectors of its senses come apart.",
    "Qu'est-ce que c'est?",
)


def build_vocabulary() -> Vocabulary:
    words = split_words(data.load_text("shakespeare", split="train"))
    return Vocabulary.build(words, min_count=12, special_tokens=SPECIALS)


def encoded(vocabulary: Vocabulary, split: str) -> torch.Tensor:
    return torch.tensor(vocabulary.encode(split_words(data.load_text("shakespeare", split=split))))


def batches_of(ids: torch.Tensor, vocabulary: Vocabulary, rows: int, seed: int = SEED) -> Callable[[int], Any]:
    return masked_batches(
        ids, rows, LENGTH, cls_id=2, sep_id=3, mask_id=4, vocab_size=len(vocabulary), special_ids=range(len(SPECIALS)),
        generator=torch.Generator().manual_seed(seed),
    )  # fmt: skip


@torch.no_grad()
def masked_score(model: MaskedLM, batches: Callable[[int], Any], n_batches: int = 20) -> tuple[float, float]:
    """Return the mean loss in nats at hidden positions, and the share of them that the model fills in rightly."""
    nats = right = n = 0.0
    for step in range(1, n_batches + 1):
        inputs, labels = batches(step)
        chosen = labels != IGNORE_INDEX
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
    small_start(model)
    print(f"{len(vocabulary)} words, {sum(p.numel() for p in model.parameters()):,} parameters", flush=True)
    valid, test = (batches_of(ids[split], vocabulary, 64, seed=1) for split in ("valid", "test"))

    def schedule(step: int) -> float:
        return cosine_schedule(step, max_steps=arguments.steps, warmup=WARM_UP, final=0.02)

    def validate(model: MaskedLM) -> float:
        nats, right = masked_score(model, valid, 5)
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
        validate_every=300,
        progress=False,
        precision=arguments.precision,
        checkpoint=STATES / f"{arguments.out.name}.state",
        checkpoint_every=300,
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


class WithNext(nn.Module):
    """A masked language model that also says, from [CLS], whether B follows A in the text (Devlin et al. 2019)."""

    def __init__(self, words: MaskedLM) -> None:
        super().__init__()
        self.words = words
        self.follows = nn.Linear(words.config.embed_dim, 2)

    def loss(self, inputs: Tensor, labels: Tensor, segments: Tensor, follows: Tensor, weight: float) -> Tensor:
        chosen = labels != IGNORE_INDEX
        states = self.words.encoder(inputs, None, segments)  # (B, T, D)
        masked = F.cross_entropy(self.words.score(states[chosen]), labels[chosen])
        return masked + weight * F.cross_entropy(self.follows(states[:, 0]), follows)


def pairs_of(ids: Tensor, vocab_size: int, *, share_next: float, seed: int) -> Callable[[int], Any]:
    """Batches of [CLS] A [SEP] B [SEP], A and B of 30 and 31 words: B follows A, or stands anywhere else."""

    def batch(step: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        own = torch.Generator().manual_seed(seed * 1_000_003 + step)
        a = torch.randint(len(ids) - 61, (ROWS, 1), generator=own)
        elsewhere = torch.randint(len(ids) - 31, (ROWS, 1), generator=own)
        follows = (torch.rand(ROWS, generator=own) < share_next).long()
        b = torch.where(follows[:, None] == 1, a + 30, elsewhere)
        cls, sep = torch.full((ROWS, 1), 2), torch.full((ROWS, 1), 3)
        rows = torch.cat([cls, ids[a + torch.arange(30)], sep, ids[b + torch.arange(31)], sep], dim=1)
        inputs, labels = mask_tokens(rows, 4, vocab_size, special_ids=range(len(SPECIALS)), generator=own)
        segments = (torch.arange(LENGTH) > 31).long().expand(ROWS, -1)
        return inputs, labels, segments, follows

    return batch


def _loss(weight: float, model: WithNext, batch: Any) -> Tensor:
    inputs, labels, segments, follows = batch
    return model.loss(inputs, labels, segments, follows, weight)


@torch.no_grad()
def pair_scores(model: WithNext, batches: Callable[[int], Any]) -> tuple[float, float]:
    """Return the shares of hidden words and of followers that are recognised."""
    right = n = told = 0.0
    for step in range(1, 31):
        inputs, labels, segments, follows = batches(step)
        chosen = labels != IGNORE_INDEX
        right += float((model.words(inputs, None, segments)[chosen].argmax(-1) == labels[chosen]).sum())
        n += int(chosen.sum())
        says = model.follows(model.words.encoder(inputs, None, segments)[:, 0]).argmax(-1)
        told += float((says == follows).float().mean())
    return right / n, told / 30


def next_sentence(arguments: argparse.Namespace) -> None:
    """Go on from the checkpoint with and without, at equal steps, then fine-tune both to tell questions."""
    steps, rows = 400, []
    for weight in (0.0, 1.0):
        words, vocabulary = pretrained_words()
        ids = {split: encoded(vocabulary, split) for split in ("train", "test")}
        torch.manual_seed(SEED)
        model = WithNext(words)
        fit(
            model,
            pairs_of(ids["train"], len(vocabulary), share_next=0.5 if weight else 1.0, seed=1),
            partial(_loss, weight),
            optimizer=adamw(model, lr=RATE / 2),
            schedule=lambda step: cosine_schedule(step, max_steps=steps, warmup=50),
            max_steps=steps,
            progress=False,
        )
        right, _ = pair_scores(model, pairs_of(ids["test"], len(vocabulary), share_next=1.0, seed=2))
        _, told = pair_scores(model, pairs_of(ids["test"], len(vocabulary), share_next=0.5, seed=3))
        row: dict[str, Any] = {"next_sentence": bool(weight), "steps": steps, "words_right": round(right, 4)}
        row["next_right"] = round(told, 4)
        for pooling in ("cls", "mean"):
            scores = [questions_score(words.encoder, vocabulary, 512, pooling, seed) for seed in (0, 1)]
            row[f"questions_{pooling}"] = [round(score, 4) for score in scores]
        rows.append(row)
        print(rows[-1], f"{time.process_time():.0f} s", flush=True)
    run = {"name": "bert-next", **provenance("python -m experiments.bert next", seed=SEED), "rows": rows}
    write_run(Path("chapters/recorded/bert-next.json"), run)


@torch.no_grad()
def reference(arguments: argparse.Namespace) -> None:
    """Three sentences through `transformers`: the mean over tokens, of length 1, its first 24 numbers."""
    import transformers

    folder = data.fetch("minilm")
    model, tokenizer = (
        transformers.BertModel.from_pretrained(folder),
        transformers.AutoTokenizer.from_pretrained(folder),
    )
    rows = []
    for text in REFERENCE_TEXTS:
        given = tokenizer(text, return_tensors="pt")
        vector = F.normalize(model.eval()(**given).last_hidden_state[0].mean(0), dim=0)
        rows.append({"text": text, "vector": [float(f"{value:.8f}") for value in vector[:24].tolist()]})
    who = {"transformers": transformers.__version__}
    run = {
        "name": "bert-reference",
        **provenance("python -m experiments.bert reference", seed=SEED),
        **who,
        "rows": rows,
    }
    write_run(Path("chapters/recorded/bert-reference.json"), run)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pretrain", "next", "reference"))
    parser.add_argument("--steps", type=int, default=6_000)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--precision", default="float32", help="of the matrix products: bfloat16 or float32")
    parser.add_argument("--out", type=Path, default=CHECKPOINT)
    arguments = parser.parse_args()
    STATES.mkdir(exist_ok=True)
    {"pretrain": pretrain, "next": next_sentence, "reference": reference}[arguments.what](arguments)


if __name__ == "__main__":
    main()
