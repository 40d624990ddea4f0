"""Runs of chapter 10 that take longer than a page.

    python -m experiments.instruction base      # the town's base model, 90 seconds: chapters/checkpoints/town
    python -m experiments.instruction reader    # tuned to read notes, half a minute: chapters/checkpoints/town-reader
    python -m experiments.instruction chains    # answers with and without steps, 4 minutes
    python -m experiments.instruction style     # a style learned, plays forgotten, 1 minute
    python -m experiments.instruction tuning    # held-out tasks, the loss on answers, whose answers, 3 minutes

Times are of one core.
"""

import argparse
import copy
import random
import time
from pathlib import Path
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.alignment import SFTTrainer, pack, prompt_and_answer
from lmcourse.alignment.sft import Rows, sft_loss
from lmcourse.alignment.town import TownChat, calculator
from lmcourse.data import chains, logbook, town
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer, Vocabulary
from lmcourse.training import (
    adamw,
    bits_per_byte,
    example_batches,
    fit,
    linear_schedule,
    load_checkpoint,
    muon,
    read_recipe,
    save_checkpoint,
    token_batches,
)

PARTS: dict[str, Any] = {"positions": "rotary", "norm": "rms", "activation": "relu2", "bias": False, "qk_norm": True}
CHECKPOINT, RECORDED = Path("chapters/checkpoints/town"), Path("chapters/recorded")
READER, READER_STEPS = Path("chapters/checkpoints/town-reader"), 400
RATE = 1e-3  # of tuning
DOCUMENTS, STEPS, ROWS, LENGTH, SEED = 24_000, 1_000, 32, 64, 0


def town_model(chat: TownChat) -> GPT:
    """A fresh model of the town's size."""
    sizes: dict[str, Any] = {"context_length": 128, "embed_dim": 96, "num_heads": 4, "num_layers": 2}
    return GPT(GPTConfig(len(chat.vocabulary.tokens), **sizes, **PARTS, zero_outputs=True))


def warm(steps: int) -> Any:
    return lambda step: linear_schedule(step, max_steps=steps, warmup=max(1, steps // 20))


def base() -> None:
    chat = TownChat()
    ids = chat.stream(town.load_documents(DOCUMENTS))
    held_out = chat.stream(town.load_documents(500, split="test"))
    runtime.seed_everything(SEED)
    model = town_model(chat)
    started = time.process_time()
    fit(
        model,
        token_batches(ids, ROWS, LENGTH, shuffle=True),
        lambda model, batch: model.loss(*batch),
        optimizer=muon(model, lr=0.02, adamw_lr=4e-3, bfloat16=True),
        schedule=warm(STEPS),
        max_steps=STEPS,
        progress=False,
    )
    recipe = provenance("python -m experiments.instruction base", seed=SEED) | {
        "data": f"{DOCUMENTS:,} documents of the town",
        "steps": STEPS,
        "tokens_per_step": ROWS * LENGTH,
        "cpu_seconds": round(time.process_time() - started),
        "test_nats_per_token": round(model.total_nll(held_out) / (len(held_out) - 1), 4),
    }
    save_checkpoint(CHECKPOINT, model.to(torch.bfloat16), recipe=recipe, vocabulary=chat.vocabulary.tokens)
    print(recipe)


def load_town(chat: TownChat) -> GPT:
    recipe = read_recipe(CHECKPOINT)
    model = GPT(GPTConfig(**recipe["config"]))
    load_checkpoint(CHECKPOINT, model, vocabulary=chat.vocabulary.tokens)
    return model.eval()


def reader() -> None:
    """Tune the base model to read notes, also those that contradict what it remembers."""
    chat = TownChat()
    model = load_town(chat)
    other_skills = [*(skill for skill in town.SKILLS if skill not in ("home", "job")), "stranger", "secret", "sum"]
    lessons = town.load_turns(16_000, skills=[*other_skills, *("home", "job") * 8], notes=0.9)
    noted = sum(bool(lesson.note) for lesson in lessons) / len(lessons)
    rows = pack(chat.examples(lessons), LENGTH)
    runtime.seed_everything(SEED)
    order = torch.Generator().manual_seed(SEED)
    started = time.process_time()
    fit(
        model,
        example_batches(tuple(rows), 32, generator=order),
        lambda model, batch: sft_loss(model, Rows(*batch)),
        optimizer=muon(model, lr=0.02, adamw_lr=4e-3, bfloat16=True),
        schedule=warm(READER_STEPS),
        max_steps=READER_STEPS,
        progress=False,
    )
    tests = town.load_turns(200, split="test")
    recipe = provenance("python -m experiments.instruction reader", seed=SEED) | {
        "data": f"{len(lessons):,} lessons of the town, {noted:.0%} with a note",
        "steps": READER_STEPS,
        "cpu_seconds": round(time.process_time() - started),
        "right_without_notes": round(chat.accuracy(model, tests)[0], 4),
    }
    save_checkpoint(READER, model.to(torch.bfloat16), recipe=recipe, vocabulary=chat.vocabulary.tokens)
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
    history = fit(
        model,
        batch,
        lambda model, rows: sft_loss(model, Rows(*rows)),
        optimizer=muon(model, lr=0.02, adamw_lr=4e-3, bfloat16=True),
        schedule=warm(steps),
        max_steps=steps,
        progress=False,
    )
    tests = [chains.draw_chain(length, unseen) for _ in range(500)]
    ids = torch.tensor([vocabulary.encode(chain.prompt()) for chain in tests])
    written = generate(model, ids, length + 1, temperature=0.0)[:, ids.shape[1] :].tolist()
    position = 0 if form == "answer" else length - 1
    right = sum(
        vocabulary.tokens[row[position]] == str(chain.digits[-1]) for row, chain in zip(written, tests, strict=True)
    )
    return {"steps": steps, "loss": round(history.smoothed(20)[-1], 4), "accuracy": right / len(tests)}


def run_chains() -> None:
    rows: list[dict[str, Any]] = []
    plan: list[tuple[chains.Form, int, int, int]]
    plan = [(form, n, 250_000, seed) for n in (1, 2, 3) for form in chains.FORMS for seed in (0, 1)]
    for form, length, tokens, seed in plan:
        rows.append({"form": form, "length": length, "tokens": tokens, "seed": seed})
        rows[-1] |= train_chains(form, length, tokens, seed)
        print(rows[-1], flush=True)
    write("instruction-chains", "chains", rows)


# -------------------------------------------------------------------------------------------------------- style


def run_style() -> None:
    tokenizer = BPETokenizer.load("chapters/checkpoints/gpt.bpe.json")
    recipe = read_recipe("chapters/checkpoints/gpt")
    original = GPT(GPTConfig(**recipe["config"]))
    load_checkpoint("chapters/checkpoints/gpt", original)
    train = {"plays": data.load_text("shakespeare", split="train"), "log": logbook.load_log()}
    test = {"plays": data.load_text("shakespeare", split="test"), "log": logbook.load_log(60, split="test")}
    ids = {name: torch.tensor(tokenizer.encode(text)) for name, text in train.items()}
    held_out = {name: torch.tensor(tokenizer.encode(text)) for name, text in test.items()}

    @torch.no_grad()
    def bits(model: GPT, name: str, n: int = 24, length: int = 192) -> float:
        text, half = held_out[name], length // 2
        starts = torch.linspace(0, len(text) - length - 1, n).long()
        windows = text[starts[:, None] + torch.arange(length + 1)]
        logits = model(windows[:, :-1])[:, half:]
        nats = F.cross_entropy(logits.flatten(0, 1), windows[:, half + 1 :].flatten(), reduction="sum")
        return bits_per_byte(float(nats), sum(len(tokenizer.decode_bytes(row[half + 1 :].tolist())) for row in windows))

    rows: list[dict[str, Any]] = []
    plans = [("all new", 0, rate, steps) for rate in (1e-3, 2e-4) for steps in (10, 20, 40)]
    plans += [("half old", 2, 1e-3, steps) for steps in (10, 20, 40)]
    plans.insert(0, ("before", 0, 0.0, 0))
    for name, old, rate, steps in plans:
        model = copy.deepcopy(original).eval()
        if steps:
            runtime.seed_everything(SEED)
            batches = {"log": token_batches(ids["log"], 4 - old, 128, shuffle=True)}
            if old:
                batches["plays"] = token_batches(ids["plays"], old, 128, shuffle=True)

            def batch(step: int, batches: Any = batches) -> tuple[Tensor, ...]:
                return tuple(torch.cat(parts) for parts in zip(*(b(step) for b in batches.values()), strict=True))

            fit(
                model,
                batch,
                lambda model, batch: model.loss(*batch),
                optimizer=adamw(model, rate),
                schedule=warm(steps),
                max_steps=steps,
                progress=False,
            )
        rows.append({"data": name, "rate": rate, "steps": steps})
        rows[-1] |= {f"{text}_bits": round(bits(model, text), 4) for text in held_out}
        print(rows[-1], flush=True)
    write("instruction-style", "style", rows)


# ------------------------------------------------------------------------------------------------------- tuning


def tune(
    chat: TownChat,
    model: GPT,
    turns: list[town.Turn],
    seed: int,
    *,
    loss_on: Literal["answer", "all"] = "answer",
    steps: int,
) -> None:
    order = torch.Generator().manual_seed(seed)
    examples = chat.examples(turns)
    size = min(32, len(examples))
    trainer = SFTTrainer(model, examples, loss_on=loss_on, batch_size=size, lr=RATE, generator=order)
    trainer.fit(steps, schedule=warm(steps), progress=False)


def scores(chat: TownChat, model: GPT, sets: dict[str, list[town.Turn]]) -> dict[str, float]:
    return {name: round(chat.accuracy(model, turns, tool=calculator)[0], 4) for name, turns in sets.items()}


def run_tuning(steps: int = 150) -> None:
    chat = TownChat()
    original = load_town(chat)
    documents = chat.stream(town.load_documents(200, split="test"))
    rows: list[dict[str, Any]] = []

    def record(**row: Any) -> None:
        rows.append(row)
        print(row, flush=True)

    def start_from(what: str, seed: int) -> GPT:
        runtime.seed_everything(seed)
        return copy.deepcopy(original) if what == "pretrained" else town_model(chat)

    for held_out in town.SKILLS:  # one task never asked for in tuning
        for start in ("pretrained", "from scratch"):
            model = start_from(start, SEED)
            skills = [skill for skill in town.SKILLS if skill != held_out]
            tune(chat, model, town.load_turns(2_000, skills=skills), SEED, steps=steps)
            tests = {
                "tuned": town.load_turns(200, skills=skills, split="test"),
                "wordings": town.load_turns(200, skills=skills, wordings=town.HELD_OUT_WORDINGS, split="test"),
                "held_out_score": town.load_turns(200, skills=[held_out], split="test"),
            }
            record(what="held-out task", held_out=held_out, start=start, **scores(chat, model, tests))
    order = ("first", "kind", "home", "last", "job", "backwards")
    for n in (1, 3, 6):  # more tasks, the same number of examples; "opposite" is never among them
        model = start_from("pretrained", SEED)
        tune(chat, model, town.load_turns(2_000, skills=order[:n]), SEED, steps=steps)
        tests = {"held_out_score": town.load_turns(200, skills=["opposite"], split="test")}
        record(what="number of tasks", tasks=n, **scores(chat, model, tests))
    tests = {
        "tuned": town.load_turns(300, split="test"),
        "wordings": town.load_turns(300, wordings=town.HELD_OUT_WORDINGS, split="test"),
    }
    for n in (64, 1_000):  # what the loss is taken on
        for loss_on in ("answer", "all"):
            model = start_from("pretrained", SEED)
            tune(chat, model, town.load_turns(n), SEED, loss_on=loss_on, steps=steps)
            nats = round(model.total_nll(documents) / (len(documents) - 1), 4)
            row = {"what": "loss on", "examples": n, "loss_on": loss_on, "documents_nats": nats}
            record(**row, **scores(chat, model, tests))
    for rewritten in (True, False):  # whose answers
        model = start_from("pretrained", SEED)
        tune(chat, model, town.load_turns(2_000, rewritten=rewritten), SEED, steps=steps)
        answers = chat.accuracy(model, tests["tuned"])[1]
        right = [turn.question.answer in answer for answer, turn in zip(answers, tests["tuned"], strict=True)]
        evasive = [answer == town.UNKNOWN_ANSWER or answer.endswith("?") for answer in answers]
        record(what="whose answers", rewritten=rewritten, right=sum(right) / 300, evasive=sum(evasive) / 300)
    write("instruction-tuning", "tuning", rows)


def write(name: str, command: str, rows: list[dict[str, Any]]) -> None:
    record = {"name": name} | provenance(f"python -m experiments.instruction {command}", seed=SEED) | {"rows": rows}
    write_run(RECORDED / f"{name}.json", record)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    runs = {"base": base, "reader": reader, "chains": run_chains, "style": run_style, "tuning": run_tuning}
    parser.add_argument("what", choices=runs)
    runs[parser.parse_args().what]()


if __name__ == "__main__":
    main()
