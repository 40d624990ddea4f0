"""A real model, aligned once: DPO teaches SmolLM2 to answer briefly: `python -m experiments.rlhf_smollm2`.

The model's own answer to a question is cut after its first sentence; this short answer is preferred to the long one, of
which it is the beginning. An adapter (LoRA) learns from 48 such pairs and is judged on 24 other questions. Pairs of
this kind alone teach it to say nothing at all, so in the other runs half of the pairs prefer the short answer to an
empty one. About ten minutes on one core.
"""

import random
import re
import time
from typing import Any

import torch

from experiments.pretrained import Smol, chat
from experiments.recording import Record, Row, launch
from lmcourse import data, runtime
from lmcourse.alignment import DPOConfig, DPOTrainer, collate_pairs
from lmcourse.alignment.lora import add_lora
from lmcourse.training import bits_per_byte

LORA: dict[str, Any] = {"targets": ("q_proj", "v_proj"), "rank": 8, "alpha": 16.0}
DPO: dict[str, Any] = {"beta": 0.1, "lr": 2e-4, "batch_size": 4}
STEPS, NEW_TOKENS, TRAIN, SHOWN, FEWEST_WORDS, SEEDS = 48, 48, 48, 6, 4, (0, 1, 2)
QUESTIONS = [
    *(f"What is {thing}?" for thing in (
        "a volcano", "gravity", "a glacier", "photosynthesis", "a comet", "democracy", "an atom", "inflation",
        "a fossil", "a sonnet", "electricity", "a rainbow", "a virus", "a desert", "yeast", "an eclipse", "a tide",
        "oxygen", "a novel", "a planet", "marble", "a symphony", "an island", "bronze",
    )),
    *(f"How does {thing} work?" for thing in (
        "a bicycle", "a refrigerator", "a telescope", "a battery", "a lighthouse", "a compass", "a sailing boat",
        "a clock", "a camera", "a piano", "a microscope", "a windmill", "a candle", "a thermometer", "a pump",
        "a violin", "a lock", "a parachute", "a submarine", "a loom", "a steam engine", "a bridge", "a kite", "radar",
    )),
    *(f"Why do {thing}?" for thing in (
        "leaves fall in autumn", "cats purr", "people sleep", "birds migrate", "stars twinkle", "onions make us cry",
        "ships float", "bees make honey", "dogs bark", "mountains have snow", "rivers bend", "bears hibernate",
        "people laugh", "apples turn brown", "spiders spin webs", "owls hunt at night", "waves break",
        "children ask questions", "clocks tick", "wolves howl", "plants need water", "muscles hurt", "trees have rings",
        "magnets attract iron",
    )),
]  # fmt: skip


class Adapted(Smol):
    """The model with an adapter."""

    def __init__(self) -> None:
        super().__init__()
        self.model.to(torch.bfloat16)
        self.layers = add_lora(self.model, **LORA)

    def fresh_adapter(self) -> None:
        """Take back what an adapter has learned."""
        with torch.no_grad():
            for layer in self.layers.values():
                torch.nn.init.kaiming_uniform_(layer.lora_A, a=5**0.5)
                layer.lora_B.zero_()

    def answers(self, questions: list[str]) -> list[list[int]]:
        """The ids of its answer to each question, with the token that ends it, if it comes in time."""
        return self.replies([self.encode(chat(question)) for question in questions], NEW_TOKENS)

    def first_sentence(self, ids: list[int]) -> list[int] | None:
        """The ids up to the end of the first sentence, closed by the end of the turn; None where nothing follows it."""
        for length in range(1, len(ids)):
            if re.search(r"[a-z]{2,}[.!?]$", self.text(ids[:length])) and ids[length] != self.end:
                return [*ids[:length], self.end]
        return None


def measured(smol: Adapted, questions: list[str], text: str) -> tuple[Row, list[str]]:
    """How long the answers are, how many are one finished sentence, and what the model pays for other text."""
    ids = smol.answers(questions)
    texts = [smol.text(row) for row in ids]
    finished = [row[-1] == smol.end for row in ids]
    one = [
        end and len(each.split()) >= FEWEST_WORDS and smol.first_sentence(row) is None
        for end, each, row in zip(finished, texts, ids, strict=True)
    ]
    encoded = torch.tensor(smol.tokenizer.encode(text))
    with torch.no_grad():
        nll = smol.model.total_nll(encoded)
    return {
        "words": round(sum(len(each.split()) for each in texts) / len(texts), 2),
        "finished": sum(finished) / len(finished),
        "empty": sum(not each.strip() for each in texts) / len(texts),
        "one_sentence": sum(one) / len(one),
        "bits_per_byte": round(bits_per_byte(nll, len(text.encode())), 4),
    }, texts


def main() -> None:
    started = time.process_time()
    runtime.seed_everything(0)
    smol, questions = Adapted(), list(QUESTIONS)
    trained = sum(p.numel() for p in smol.model.parameters() if p.requires_grad)
    settings = {"LoRA": LORA, "DPO": DPO, "steps": STEPS, "new tokens": NEW_TOKENS}
    record = Record("rlhf-smollm2", seed=SEEDS[0], settings=settings, trained_weights=trained)
    random.Random(0).shuffle(questions)
    known, test = questions[:TRAIN], questions[TRAIN:]
    other = data.load_text("shakespeare", split="test")[:4_000]
    before, texts_before = measured(smol, test, other)
    record.add({"what": "before", **before})
    own = [(question, ids, smol.first_sentence(ids)) for question, ids in zip(known, smol.answers(known), strict=True)]
    pairs = [(smol.encode(chat(question)), short, ids) for question, ids, short in own if short is not None]
    row: Row = {"what": "pair", "number": len(pairs), "question": own[0][0]}
    record.add(row | {"chosen": smol.text(pairs[0][1]), "rejected": smol.text(pairs[0][2])})
    against_nothing = [(prompt, short, [smol.end]) for prompt, short, _ in pairs]
    runs = [("long", pairs, SEEDS[0]), *(("long and empty", pairs + against_nothing, seed) for seed in SEEDS)]
    for kind, compared, seed in runs:
        generator = runtime.seed_everything(seed)
        smol.fresh_adapter()
        comparisons = collate_pairs(*zip(*compared, strict=True))
        trainer = DPOTrainer(smol.model, comparisons, DPOConfig(**DPO), generator=generator)
        history = trainer.fit(STEPS, progress=False)
        after, texts_after = measured(smol, test, other)
        names = ("loss", "accuracy", "margin", "chosen", "rejected")
        curves = {name: [round(value, 4) for value in history[name]] for name in names}
        record.add({"what": "after", "rejected": kind, "seed": seed, **after, "curves": curves})
        if seed == SEEDS[0]:
            kept = zip(test[:SHOWN], texts_before, texts_after, strict=False)
            record.extend(
                {"what": "chat", "rejected": kind, "question": q, "before": b, "after": a} for q, b, a in kept
            )
        record.about["cpu_seconds"] = round(time.process_time() - started)
        record.write()  # after each seed: a run that is cut short leaves what it has


if __name__ == "__main__":
    launch(__doc__, main)
