"""A real model, aligned once: DPO teaches SmolLM2 to answer briefly: `python -m experiments.rlhf_smollm2`.

The model's own answer to a question is cut after its first sentence; this short answer is preferred to the long one, of
which it is the beginning. An adapter (LoRA) learns from 48 such pairs and is judged on 24 other questions. Pairs of
this kind alone teach it to say nothing at all, so in the other runs half of the pairs prefer the short answer to an
empty one. About ten minutes on one core.
"""

import argparse
import random
import re
import time
from pathlib import Path
from typing import Any

import torch

from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.alignment import CHATML, DPOConfig, DPOTrainer, collate_pairs
from lmcourse.alignment.lora import add_lora
from lmcourse.generation import generate
from lmcourse.models import GPT
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import bits_per_byte

OUT = Path("chapters/recorded/rlhf-smollm2.json")
LORA: dict[str, Any] = {"targets": ("q_proj", "v_proj"), "rank": 8, "alpha": 16.0}
DPO: dict[str, Any] = {"beta": 0.1, "lr": 2e-4, "batch_size": 4}
STEPS, NEW_TOKENS, TRAIN, SHOWN, FEWEST_WORDS = 48, 48, 48, 6, 4
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


class Smol:
    """The model with its tokenizer and its adapter; greedy throughout."""

    def __init__(self) -> None:
        path = next(data.fetch("smollm2").glob("*.gguf"))
        self.model, self.tokenizer = GPT.from_pretrained(path), BPETokenizer.from_gguf(path)
        self.model.to(torch.bfloat16).eval()
        self.end = self.tokenizer.special_tokens["<|im_end|>"]
        self.layers = add_lora(self.model, **LORA)

    def fresh_adapter(self) -> None:
        """Take back what an adapter has learned."""
        with torch.no_grad():
            for layer in self.layers.values():
                torch.nn.init.kaiming_uniform_(layer.lora_A, a=5**0.5)
                layer.lora_B.zero_()

    def prompt(self, question: str) -> list[int]:
        text = CHATML.render([("user", question)], add_generation_prompt=True)
        return self.tokenizer.encode(text, allowed_special="all")

    @torch.no_grad()
    def answers(self, questions: list[str], batch_size: int = 12) -> list[list[int]]:
        """The ids of its answer to each question, with the token that ends it, if it comes in time."""
        found = []
        for start in range(0, len(questions), batch_size):
            rows = [self.prompt(question) for question in questions[start : start + batch_size]]
            longest = max(map(len, rows))
            ids = torch.tensor([[0] * (longest - len(row)) + row for row in rows])
            keep = torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows])
            options: dict[str, Any] = {"temperature": 0.0, "stop_ids": (self.end,), "attention_mask": keep}
            out = generate(self.model, ids, NEW_TOKENS, **options)[:, longest:].tolist()
            found += [row[: row.index(self.end) + 1] if self.end in row else row for row in out]
        return found

    def text(self, ids: list[int]) -> str:
        return self.tokenizer.decode([token for token in ids if token != self.end])

    def first_sentence(self, ids: list[int]) -> list[int] | None:
        """The ids up to the end of the first sentence, closed by the end of the turn; None where nothing follows it."""
        for length in range(1, len(ids)):
            if re.search(r"[a-z]{2,}[.!?]$", self.text(ids[:length])) and ids[length] != self.end:
                return [*ids[:length], self.end]
        return None


def measured(smol: Smol, questions: list[str], text: str) -> tuple[dict[str, Any], list[str]]:
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    started = time.process_time()
    runtime.seed_everything(0)
    smol, questions = Smol(), list(QUESTIONS)
    random.Random(0).shuffle(questions)
    train, test = questions[:TRAIN], questions[TRAIN:]
    other = data.load_text("shakespeare", split="test")[:4_000]
    before, texts_before = measured(smol, test, other)
    rows: list[dict[str, Any]] = [{"what": "before", **before}]
    print(rows[-1], round(time.process_time() - started), flush=True)
    own = [(question, ids, smol.first_sentence(ids)) for question, ids in zip(train, smol.answers(train), strict=True)]
    pairs = [(smol.prompt(question), short, ids) for question, ids, short in own if short is not None]
    rows.append({"what": "pair", "number": len(pairs), "question": own[0][0],
                 "chosen": smol.text(pairs[0][1]), "rejected": smol.text(pairs[0][2])})  # fmt: skip
    print(rows[-1], round(time.process_time() - started), flush=True)
    against_nothing = [(prompt, short, [smol.end]) for prompt, short, _ in pairs]
    runs = [("long", pairs, arguments.seeds[:1]), ("long and empty", pairs + against_nothing, arguments.seeds)]
    for kind, seed in [(kind, seed) for kind, _, seeds in runs for seed in seeds]:
        compared = next(found for name, found, _ in runs if name == kind)
        prompts, chosen, rejected = zip(*compared, strict=True)
        generator = runtime.seed_everything(seed)
        smol.fresh_adapter()
        comparisons = collate_pairs(prompts, chosen, rejected)
        trainer = DPOTrainer(smol.model, comparisons, DPOConfig(**DPO), generator=generator)
        history = trainer.fit(arguments.steps, progress=False)
        after, texts_after = measured(smol, test, other)
        names = ("loss", "accuracy", "margin", "chosen", "rejected")
        curves = {name: [round(value, 4) for value in history[name]] for name in names}
        rows.append({"what": "after", "rejected": kind, "seed": seed, **after, "curves": curves})
        print({k: v for k, v in rows[-1].items() if k != "curves"}, round(time.process_time() - started), flush=True)
        if seed == arguments.seeds[0]:
            kept = zip(test[:SHOWN], texts_before, texts_after, strict=False)
            rows += [{"what": "chat", "rejected": kind, "question": q, "before": b, "after": a} for q, b, a in kept]
        record = {
            "name": "rlhf-smollm2",
            **provenance("python -m experiments.rlhf_smollm2", seed=arguments.seeds[0]),
            "settings": {"LoRA": LORA, "DPO": DPO, "steps": arguments.steps, "new tokens": NEW_TOKENS},
            "cpu_seconds": round(time.process_time() - started),
            "trained_weights": sum(p.numel() for p in smol.model.parameters() if p.requires_grad),
            "rows": rows,
        }
        write_run(arguments.out, record)  # after each seed: a run that is cut short leaves what it has


if __name__ == "__main__":
    main()
