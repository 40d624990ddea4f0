"""The masked language model of chapter 09, and next-sentence prediction tried: `python -m experiments.bert WHAT`.

pretrain     the checkpoint that the page loads (a quarter of an hour on one core)
next         the checkpoint trained on with and without next-sentence prediction, at equal steps
reference    three sentences read by `transformers`
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from experiments.bert_labels import questions_score
from experiments.pretrained import SPECIALS, kept_bert
from experiments.recording import CHECKPOINTS, STATES, Record, launch, n_parameters, provenance, train
from lmcourse import data, runtime
from lmcourse.layers.losses import IGNORE_INDEX
from lmcourse.models import BERTConfig, MaskedLM, mask_tokens, small_start
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.words import split_words
from lmcourse.training import adamw, cosine_schedule, masked_batches, save_checkpoint

SEED, ROWS, LENGTH, RATE, WARM_UP, STEPS = 0, 32, 64, 2e-3, 150, 6_000
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


def pretrain() -> None:
    runtime.seed_everything(SEED)
    vocabulary = build_vocabulary()
    ids = {split: encoded(vocabulary, split) for split in ("train", "valid", "test")}
    model = MaskedLM(BERTConfig(len(vocabulary), LENGTH, 128, 4, 3))
    small_start(model)
    print(f"{len(vocabulary)} words, {n_parameters(model):,} parameters", flush=True)
    valid, test = (batches_of(ids[split], vocabulary, 64, seed=1) for split in ("valid", "test"))

    def validate(model: MaskedLM) -> float:
        nats, right = masked_score(model, valid, 5)
        print(f"valid {nats:.3f} nats, {right:.1%} right, {time.process_time():.0f} s", flush=True)
        return nats

    STATES.mkdir(exist_ok=True)
    started = time.process_time()
    history = train(
        model, batches_of(ids["train"], vocabulary, ROWS), STEPS, adamw(model, lr=RATE),
        warm_up=WARM_UP, shape=partial(cosine_schedule, final=0.02), validate=validate, validate_every=300,
        precision="float32", checkpoint=STATES / "bert.state", checkpoint_every=300,
    )  # fmt: skip
    seconds = time.process_time() - started
    model = model.to(torch.bfloat16).to(torch.float32)  # what is stored is what is scored
    nats, right = masked_score(model, test)
    recipe = provenance(seed=SEED) | {
        "data": "shakespeare, split by whole plays",
        "steps": STEPS,
        "rows_per_step": ROWS,
        "row_length": LENGTH,
        "learning_rate": RATE,
        "schedule": f"cosine, {WARM_UP} steps of warm-up",
        "precision": "float32",
        "cpu_seconds_since_last_start": round(seconds),
        "test_loss_nats": round(nats, 4),
        "test_filled_in_rightly": round(right, 4),
        "history": {
            "loss_nats_every_100_steps": [round(nats, 4) for nats in history.smoothed(100)[99::100]],
            "valid_loss_nats": [[step, round(value, 4)] for step, value in history.validation],
        },
    }
    save_checkpoint(CHECKPOINTS / "bert", model.to(torch.bfloat16), recipe=recipe, vocabulary=vocabulary.tokens)
    print(recipe)


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


def next_sentence() -> None:
    """Go on from the checkpoint with and without, at equal steps, then fine-tune both to tell questions."""
    steps, record = 400, Record("bert-next", seed=SEED)
    for weight in (0.0, 1.0):
        words, vocabulary = kept_bert()
        ids = {split: encoded(vocabulary, split) for split in ("train", "test")}
        pairs = partial(pairs_of, vocab_size=len(vocabulary))
        torch.manual_seed(SEED)
        model = WithNext(words)
        batches = pairs(ids["train"], share_next=0.5 if weight else 1.0, seed=1)
        optimizer = adamw(model, lr=RATE / 2)
        train(model, batches, steps, optimizer, loss=partial(_loss, weight), warm_up=50, shape=cosine_schedule)
        right, _ = pair_scores(model, pairs(ids["test"], share_next=1.0, seed=2))
        _, told = pair_scores(model, pairs(ids["test"], share_next=0.5, seed=3))
        row: dict[str, Any] = {"next_sentence": bool(weight), "steps": steps}
        row |= {"words_right": round(right, 4), "next_right": round(told, 4)}
        for pooling in ("cls", "mean"):
            scores = [questions_score(words.encoder, vocabulary, 512, pooling, seed) for seed in (0, 1)]
            row[f"questions_{pooling}"] = [round(score, 4) for score in scores]
        record.add(row)
    record.write()


@torch.no_grad()
def reference() -> None:
    """Three sentences through `transformers`: the mean over tokens, of length 1, its first 24 numbers."""
    import transformers

    folder = data.fetch("minilm")
    model = transformers.BertModel.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    record = Record("bert-reference", seed=SEED, transformers=transformers.__version__)
    for text in REFERENCE_TEXTS:
        given = tokenizer(text, return_tensors="pt")
        vector = F.normalize(model(**given).last_hidden_state[0].mean(0), dim=0)
        record.add({"text": text, "vector": [float(f"{value:.8f}") for value in vector[:24].tolist()]})
    record.write()


if __name__ == "__main__":
    launch(__doc__, {"pretrain": pretrain, "next": next_sentence, "reference": reference})
