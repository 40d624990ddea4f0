"""Runs of chapter 10 that take longer than a page.

    python -m experiments.instruction base      # the town's base model, 90 seconds: chapters/checkpoints/town
    python -m experiments.instruction reader    # tuned to read notes, half a minute: chapters/checkpoints/town-reader
    python -m experiments.instruction chains    # answers with and without steps, 4 minutes
    python -m experiments.instruction style     # a style learned, plays forgotten, 1 minute
    python -m experiments.instruction tuning    # held-out tasks, the loss on answers, whose answers, 3 minutes

Times are of one core.
"""

import copy
import random
import time
from functools import partial
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.pretrained import kept_bpe, kept_gpt
from experiments.recording import CHECKPOINTS, Record, launch, provenance, train
from lmcourse import data, runtime
from lmcourse.alignment import SFTTrainer, pack, prompt_and_answer
from lmcourse.alignment.sft import Rows, sft_loss
from lmcourse.alignment.town import TownChat, calculator
from lmcourse.data import chains, logbook, town
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import (
    adamw,
    bits_per_byte,
    example_batches,
    linear_schedule,
    muon,
    save_checkpoint,
    token_batches,
)

PARTS: dict[str, Any] = {"positions": "rotary", "norm": "rms", "activation": "relu2", "bias": False, "qk_norm": True}
READER_STEPS = 400
RATE = 1e-3  # of tuning
DOCUMENTS, STEPS, ROWS, LENGTH, SEED = 24_000, 1_000, 32, 64, 0


def town_model(chat: TownChat) -> GPT:
    """A fresh model of the town's size."""
    sizes: dict[str, Any] = {"context_length": 128, "embed_dim": 96, "num_heads": 4, "num_layers": 2}
    return GPT(GPTConfig(len(chat.vocabulary.tokens), **sizes, **PARTS, zero_outputs=True))


def warm_up(steps: int) -> int:
    return max(1, steps // 20)


def rows_loss(model: GPT, batch: tuple[Tensor, ...]) -> Tensor:
    return sft_loss(model, Rows(*batch))


def base() -> None:
    chat = TownChat()
    ids = chat.stream(town.load_documents(DOCUMENTS))
    held_out = chat.stream(town.load_documents(500, split="test"))
    runtime.seed_everything(SEED)
    model = town_model(chat)
    optimizer = muon(model, lr=0.02, adamw_lr=4e-3, bfloat16=True)
    started = time.process_time()
    train(model, token_batches(ids, ROWS, LENGTH, shuffle=True), STEPS, optimizer, warm_up=warm_up(STEPS))
    recipe = provenance(seed=SEED) | {
        "data": f"{DOCUMENTS:,} documents of the town",
        "steps": STEPS,
        "tokens_per_step": ROWS * LENGTH,
        "cpu_seconds": round(time.process_time() - started),
        "test_nats_per_token": round(model.total_nll(held_out) / (len(held_out) - 1), 4),
    }
    tokens = chat.vocabulary.tokens
    save_checkpoint(CHECKPOINTS / "town", model.to(torch.bfloat16), recipe=recipe, vocabulary=tokens)
    print(recipe)


def reader() -> None:
    """Tune the base model to read notes, also those that contradict what it remembers."""
    chat = TownChat()
    model = kept_gpt("town")
    other_skills = [*(skill for skill in town.SKILLS if skill not in ("home", "job")), "stranger", "secret", "sum"]
    lessons = town.load_turns(16_000, skills=[*other_skills, *("home", "job") * 8], notes=0.9)
    noted = sum(bool(lesson.note) for lesson in lessons) / len(lessons)
    rows = pack(chat.examples(lessons), LENGTH)
    runtime.seed_everything(SEED)
    batches = example_batches(tuple(rows), 32, generator=torch.Generator().manual_seed(SEED))
    optimizer = muon(model, lr=0.02, adamw_lr=4e-3, bfloat16=True)
    started = time.process_time()
    train(model, batches, READER_STEPS, optimizer, loss=rows_loss, warm_up=warm_up(READER_STEPS))
    tests = town.load_turns(200, split="test")
    recipe = provenance(seed=SEED) | {
        "data": f"{len(lessons):,} lessons of the town, {noted:.0%} with a note",
        "steps": READER_STEPS,
        "cpu_seconds": round(time.process_time() - started),
        "right_without_notes": round(chat.accuracy(model, tests)[0], 4),
    }
    tokens = chat.vocabulary.tokens
    save_checkpoint(CHECKPOINTS / "town-reader", model.to(torch.bfloat16), recipe=recipe, vocabulary=tokens)
    print(recipe)


# ------------------------------------------------------------------------------------------------------- chains


def train_chains(form: chains.Form, length: int, tokens: int, seed: int, rows: int = 64) -> dict[str, Any]:
    """Train a fresh model on chains of one length until it has read so many tokens; return its score."""
    vocabulary = Vocabulary(chains.chain_vocabulary())
    runtime.seed_everything(seed)
    model = GPT(
        GPTConfig(len(vocabulary.tokens), context_length=32, embed_dim=64, num_layers=2, zero_outputs=True, **PARTS)
    )
    rng, unseen = random.Random(seed), random.Random(f"test {seed}")

    def batch(step: int) -> tuple[Tensor, ...]:
        drawn = [chains.draw_chain(length, rng) for _ in range(rows)]
        return tuple(
            pack([prompt_and_answer(vocabulary.encode(c.prompt()), vocabulary.encode(c.reply(form))) for c in drawn])
        )

    steps = tokens // batch(0)[0].numel()
    optimizer = muon(model, lr=0.02, adamw_lr=4e-3, bfloat16=True)
    history = train(model, batch, steps, optimizer, loss=rows_loss, warm_up=warm_up(steps))
    tests = [chains.draw_chain(length, unseen) for _ in range(500)]
    ids = torch.tensor([vocabulary.encode(chain.prompt()) for chain in tests])
    written = generate(model, ids, length + 1, temperature=0.0)[:, ids.shape[1] :].tolist()
    position = 0 if form == "answer" else length - 1
    right = sum(
        vocabulary.tokens[row[position]] == str(chain.digits[-1]) for row, chain in zip(written, tests, strict=True)
    )
    return {"steps": steps, "loss": round(history.smoothed(20)[-1], 4), "accuracy": right / len(tests)}


def run_chains(tokens: int = 250_000) -> None:
    record = Record("instruction-chains", seed=SEED)
    for length in (1, 2, 3):
        for form in chains.FORMS:
            for seed in (0, 1):
                row = {"form": form, "length": length, "tokens": tokens, "seed": seed}
                record.add(row | train_chains(form, length, tokens, seed))
    record.write()


# -------------------------------------------------------------------------------------------------------- style


def run_style() -> None:
    tokenizer, original = kept_bpe(), kept_gpt()
    read = {"plays": data.load_text("shakespeare", split="train"), "log": logbook.load_log()}
    test = {"plays": data.load_text("shakespeare", split="test"), "log": logbook.load_log(60, split="test")}
    ids = {name: torch.tensor(tokenizer.encode(text)) for name, text in read.items()}
    held_out = {name: torch.tensor(tokenizer.encode(text)) for name, text in test.items()}

    @torch.no_grad()
    def bits(model: GPT, name: str, n: int = 24, length: int = 192) -> float:
        text, half = held_out[name], length // 2
        starts = torch.linspace(0, len(text) - length - 1, n).long()
        windows = text[starts[:, None] + torch.arange(length + 1)]
        logits = model(windows[:, :-1])[:, half:]
        nats = F.cross_entropy(logits.flatten(0, 1), windows[:, half + 1 :].flatten(), reduction="sum")
        return bits_per_byte(float(nats), sum(len(tokenizer.decode_bytes(row[half + 1 :].tolist())) for row in windows))

    record = Record("instruction-style", seed=SEED)
    plans = [("before", 0, 0.0, 0)]
    plans += [("all new", 0, rate, steps) for rate in (1e-3, 2e-4) for steps in (10, 20, 40)]
    plans += [("half old", 2, 1e-3, steps) for steps in (10, 20, 40)]
    for name, old, rate, steps in plans:
        model = copy.deepcopy(original)
        if steps:
            runtime.seed_everything(SEED)
            batches = {"log": token_batches(ids["log"], 4 - old, 128, shuffle=True)}
            if old:
                batches["plays"] = token_batches(ids["plays"], old, 128, shuffle=True)

            def batch(step: int, batches: Any = batches) -> tuple[Tensor, ...]:
                return tuple(torch.cat(parts) for parts in zip(*(b(step) for b in batches.values()), strict=True))

            train(model, batch, steps, adamw(model, rate), warm_up=warm_up(steps))
        row = {"data": name, "rate": rate, "steps": steps}
        record.add(row | {f"{text}_bits": round(bits(model, text), 4) for text in held_out})
    record.write()


# ------------------------------------------------------------------------------------------------------- tuning


def tune(
    chat: TownChat, model: GPT, turns: list[town.Turn], steps: int, loss_on: Literal["answer", "all"] = "answer"
) -> None:
    order, examples = torch.Generator().manual_seed(SEED), chat.examples(turns)
    size = min(32, len(examples))
    trainer = SFTTrainer(model, examples, loss_on=loss_on, batch_size=size, lr=RATE, generator=order)
    schedule = partial(linear_schedule, max_steps=steps, warmup=warm_up(steps))
    trainer.fit(steps, schedule=schedule, progress=False)


def scores(chat: TownChat, model: GPT, sets: dict[str, list[town.Turn]]) -> dict[str, float]:
    return {name: round(chat.accuracy(model, turns, tool=calculator)[0], 4) for name, turns in sets.items()}


def run_tuning(steps: int = 150) -> None:
    chat, original, record = TownChat(), kept_gpt("town"), Record("instruction-tuning", seed=SEED)
    documents = chat.stream(town.load_documents(200, split="test"))

    def fresh(pretrained: bool = True) -> GPT:
        runtime.seed_everything(SEED)
        return copy.deepcopy(original) if pretrained else town_model(chat)

    for held_out in town.SKILLS:  # one task never asked for in tuning
        for begun in ("pretrained", "from scratch"):
            model = fresh(begun == "pretrained")
            skills = [skill for skill in town.SKILLS if skill != held_out]
            tune(chat, model, town.load_turns(2_000, skills=skills), steps)
            tests = {
                "tuned": town.load_turns(200, skills=skills, split="test"),
                "wordings": town.load_turns(200, skills=skills, wordings=town.HELD_OUT_WORDINGS, split="test"),
                "held_out_score": town.load_turns(200, skills=[held_out], split="test"),
            }
            row = {"what": "held-out task", "held_out": held_out, "start": begun}
            record.add(row | scores(chat, model, tests))
    order = ("first", "kind", "home", "last", "job", "backwards")
    for n in (1, 3, 6):  # more tasks, the same number of examples; "opposite" is never among them
        model = fresh()
        tune(chat, model, town.load_turns(2_000, skills=order[:n]), steps)
        tests = {"held_out_score": town.load_turns(200, skills=["opposite"], split="test")}
        record.add({"what": "number of tasks", "tasks": n, **scores(chat, model, tests)})
    tests = {
        "tuned": town.load_turns(300, split="test"),
        "wordings": town.load_turns(300, wordings=town.HELD_OUT_WORDINGS, split="test"),
    }
    for n in (64, 1_000):  # what the loss is taken on
        for loss_on in ("answer", "all"):
            model = fresh()
            tune(chat, model, town.load_turns(n), steps, loss_on)
            nats = round(model.total_nll(documents) / (len(documents) - 1), 4)
            about = {"what": "loss on", "examples": n, "loss_on": loss_on, "documents_nats": nats}
            record.add(about | scores(chat, model, tests))
    for rewritten in (True, False):  # whose answers
        model = fresh()
        tune(chat, model, town.load_turns(2_000, rewritten=rewritten), steps)
        answers = chat.accuracy(model, tests["tuned"])[1]
        right = [turn.question.answer in answer for answer, turn in zip(answers, tests["tuned"], strict=True)]
        evasive = [answer == town.UNKNOWN_ANSWER or answer.endswith("?") for answer in answers]
        shares = {"right": sum(right) / 300, "evasive": sum(evasive) / 300}
        record.add({"what": "whose answers", "rewritten": rewritten, **shares})
    record.write()


if __name__ == "__main__":
    runs = {"base": base, "reader": reader, "chains": run_chains, "style": run_style, "tuning": run_tuning}
    launch(__doc__, runs)
