"""Rewards that can be verified: chains of sums, as in chapter 11: `python -m experiments.rlhf_chains PART`.

*base*: a model that can write the steps of a chain and mostly does not, chapters/checkpoints/chains. *runs*: from
several seeds, what reinforcement makes of this base, of a damaged one and of one that never learned; rejection sampling
beside it; pass@k; a verifier that is hacked, and repaired. About ten minutes on one core; killed and started again,
*runs* goes on with those that are missing in `.proof/rlhf-chains.json`.
"""

import copy
import itertools
import random
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

from experiments.instruction import PARTS, rows_loss
from experiments.recording import CHECKPOINTS, STATES, Kept, Record, Row, launch, provenance, train
from lmcourse import runtime
from lmcourse.alignment import (
    Completions,
    Example,
    GRPOConfig,
    GRPOTrainer,
    generate_completions,
    pack,
    prompt_and_answer,
)
from lmcourse.data import chains
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import adamw, muon, save_checkpoint

LENGTH, NEW_TOKENS, ROWS, SEEDS = 5, 12, 64, (0, 1, 2)
STEPS = 400  # of training on chains that are written out
BASES: dict[str, dict[str, Any]] = {  # and then mostly bare answers
    "gentle": {"learned": STEPS, "steps": 30, "bare_share": 0.7, "lr": 3e-4},
    "damaged": {"learned": STEPS, "steps": 120, "bare_share": 0.85, "lr": 1e-3},
    "never": {"learned": 170, "steps": 0},
}
GRPO: dict[str, Any] = {"group_size": 8, "batch_size": 256, "epochs": 1, "lr": 5e-4, "kl_coefficient": 0.0}
TESTS, ITERATIONS = 400, {"gentle": 40, "damaged": 160, "never": 80, "hack": 240, "gentle hack": 80}

WORDS = Vocabulary(chains.chain_vocabulary())
STOP = WORDS.index(chains.STOP)
Rule = Callable[[list[str], list[str]], float]


def digits_of(prompt: Sequence[str]) -> list[str]:
    """The digit after each step of a prompt."""
    digit, digits = int(prompt[0]), []
    for step in prompt[1:-1]:
        digit = chains.apply_step(digit, step)
        digits.append(str(digit))
    return digits


def verified(prompt: list[str], reply: list[str]) -> float:
    """1 if the reply stops, and the last digit before that is right."""
    return float(reply[-1] == chains.STOP and reply[-2:-1] == digits_of(prompt)[-1:])


def anywhere(prompt: list[str], reply: list[str]) -> float:
    """The verifier with a hole: 1 if the right digit stands anywhere."""
    return float(digits_of(prompt)[-1] in reply)


def mended(prompt: list[str], reply: list[str]) -> float:
    """The hole is closed: the right digit last, and no more digits than there are steps."""
    return verified(prompt, reply) * float(len(reply) <= len(prompt) - 1)


def whole(prompt: list[str], reply: list[str]) -> float:
    """1 if every step is written, and right."""
    return float(reply == [*digits_of(prompt), chains.STOP])


def scored(rule: Rule, replies: Completions) -> Tensor:
    both = zip(replies.prompts(), replies.tokens(), strict=True)
    return torch.tensor([rule(WORDS.decode(prompt), WORDS.decode(reply)) for prompt, reply in both])


def prompts_of(n: int, seed: int | str) -> Tensor:
    rng = random.Random(seed)
    return torch.tensor([WORDS.encode(chains.draw_chain(LENGTH, rng).prompt()) for _ in range(n)])


TEST = prompts_of(TESTS, "test")


def replies_of(model: GPT, prompts: Tensor, generator: torch.Generator, samples: int = 1) -> Completions:
    return generate_completions(model, prompts, NEW_TOKENS, stop_id=STOP, samples=samples, generator=generator)


def accuracy(model: GPT, rule: Rule = verified) -> float:
    """Of one sampled reply to each of the held-out chains."""
    return float(scored(rule, replies_of(model, TEST, torch.Generator().manual_seed(0))).mean())


def imitate(
    model: GPT, steps: int, rng: random.Random, bare_share: float, *, by_muon: bool = False, lr: float = 1e-3
) -> None:
    """Imitation of replies, of which a share are bare answers, the others write their steps."""

    def example(chain: chains.Chain) -> Example:
        form: chains.Form = "answer" if rng.random() < bare_share else "steps"
        return prompt_and_answer(WORDS.encode(chain.prompt()), WORDS.encode(chain.reply(form)))

    def batch(step: int) -> tuple[Tensor, ...]:
        return tuple(pack([example(chains.draw_chain(LENGTH, rng)) for _ in range(ROWS)]))

    optimizer = muon(model, lr=0.02, adamw_lr=4e-3, bfloat16=True) if by_muon else adamw(model, lr)
    train(model, batch, steps, optimizer, loss=rows_loss, warm_up=20 if by_muon else None)


@cache
def learned(steps: int) -> GPT:
    """A model that has learned to write the steps of chains, for so many steps of training."""
    runtime.seed_everything(0)
    sizes: dict[str, Any] = {"context_length": 32, "embed_dim": 64, "num_layers": 2, "zero_outputs": True}
    model, kept = GPT(GPTConfig(len(WORDS.tokens), **sizes, **PARTS)), STATES / f"rlhf-chains-{steps}.pt"
    if kept.is_file():
        model.load_state_dict(torch.load(kept))
        return model.eval()
    imitate(model, steps, random.Random(0), 0.0, by_muon=True)
    STATES.mkdir(exist_ok=True)
    torch.save(model.state_dict(), kept)
    return model


def base_of(kind: str, seed: int) -> GPT:
    """One of the three bases; seeds differ in what they read after they had learned."""
    options = dict(BASES[kind])
    model = copy.deepcopy(learned(options.pop("learned")))
    if options["steps"]:
        imitate(model, options.pop("steps"), random.Random(f"bare {seed}"), options.pop("bare_share"), **options)
    return model


def make_base() -> None:
    started = time.process_time()
    model = base_of("gentle", 0)
    recipe = provenance() | {
        "data": f"chains of {LENGTH} steps written out, then {BASES['gentle']['bare_share']:.0%} bare answers",
        "steps": BASES["gentle"]["learned"] + BASES["gentle"]["steps"],
        "cpu_seconds": round(time.process_time() - started),
        "accuracy": round(accuracy(model), 4),
    }
    save_checkpoint(CHECKPOINTS / "chains", model, recipe=recipe, vocabulary=WORDS)
    print(recipe, flush=True)


def grpo(model: GPT, rule: Rule, iterations: int, seed: int, every: int = 5) -> dict[str, Any]:
    """Reinforce in place; the curves, and the accuracy on held-out chains every few iterations."""
    config = GRPOConfig(max_new_tokens=NEW_TOKENS, stop_id=STOP, **GRPO)
    generator = torch.Generator().manual_seed(seed)
    trainer = GRPOTrainer(
        model, lambda replies: scored(rule, replies), prompts_of(2_048, f"train {seed}"), config, generator=generator
    )
    tested = [(0, accuracy(model))]
    for done in range(every, iterations + 1, every):
        trainer.fit(every, progress=False)
        tested.append((done, round(accuracy(model), 4)))
    curves = {name: [round(value, 4) for value in trainer.history[name]] for name in ("reward", "length")}
    return curves | {"tested": tested, "whole": round(accuracy(model, whole), 4)}


def expert_iteration(model: GPT, rounds: int, seed: int, epochs: int = 2) -> list[tuple[int, float]]:
    """Rejection sampling: imitate one's own right replies. Replies drawn so far, accuracy."""
    generator, prompts = torch.Generator().manual_seed(seed), prompts_of(2_048, f"train {seed}")
    optimizer, drawn, tested = adamw(model, 1e-3, weight_decay=0.0), 0, [(0, accuracy(model))]
    for number in range(rounds):
        rows = torch.randperm(len(prompts), generator=generator)[:128]
        replies = replies_of(model, prompts[rows], generator, samples=8)
        drawn += len(replies)
        right = replies[scored(verified, replies).bool()]
        examples = [prompt_and_answer(p, r) for p, r in zip(right.prompts(), right.tokens(), strict=True)]
        batches = [examples[start : start + ROWS] for start in range(0, len(examples) - ROWS + 1, ROWS)] * epochs
        if batches:
            batch = [tuple(pack(each)) for each in batches]
            train(model, batch, len(batch), optimizer, loss=rows_loss)
        if number % 2:
            tested.append((drawn, round(accuracy(model), 4)))
    return tested


def pass_at(model: GPT, rule: Rule, counts: Sequence[int] = (1, 8, 32)) -> list[float]:
    """The share of chains of which at least one of k replies is right, by counting over 32 replies each."""
    replies = replies_of(model, TEST[:100], torch.Generator().manual_seed(1), samples=32)
    right = scored(rule, replies).view(-1, 32).bool()
    return [round(float(right.view(100, -1, k).any(-1).double().mean()), 4) for k in counts]


def some_replies(model: GPT, n: int = 3) -> list[dict[str, str]]:
    replies = replies_of(model, TEST[:n], torch.Generator().manual_seed(2))
    both = zip(replies.prompts(), replies.tokens(stop_id=STOP), strict=True)
    found = [(WORDS.decode(prompt), WORDS.decode(reply)) for prompt, reply in both]
    return [{"prompt": " ".join(p), "reply": " ".join(r), "right": digits_of(p)[-1]} for p, r in found]


TASKS = ("gentle", "expert", "gentle hack", "damaged", "hack", "mended", "never", "imitation")


def passed(model: GPT) -> Row:
    return {"whole": pass_at(model, whole), "last": pass_at(model, verified), "replies": some_replies(model)}


def run(task: str, seed: int) -> list[Row]:
    """The rows of one task, from one seed."""
    if task == "gentle":
        model = base_of("gentle", seed)
        before, found = passed(model), grpo(model, verified, ITERATIONS[task], seed)
        counts = {"what": "pass", "counts": [1, 8, 32]}
        rows = [counts | {"model": "before"} | before, counts | {"model": "after"} | passed(model)]
        return [*rows, {"what": "grpo", "base": "gentle", **found}]
    if task == "expert":
        return [{"what": "expert", "tested": expert_iteration(base_of("gentle", seed), 20, seed)}]
    if task in ("hack", "gentle hack"):
        kind = "damaged" if task == "hack" else "gentle"
        model = base_of(kind, seed)
        found = grpo(model, anywhere, ITERATIONS[task], seed)
        return [{"what": "hack", "base": kind, **found, "replies": some_replies(model)}]
    if task == "mended":
        return [{"what": "mended", "base": "damaged", **grpo(base_of("damaged", seed), mended, 160, seed)}]
    if task == "imitation":
        model = base_of("never", seed)
        imitate(model, 150, random.Random(f"more {seed}"), 0.0)
        return [{"what": "imitation", "base": "never", "accuracy": accuracy(model)}]
    return [{"what": "grpo", "base": task, **grpo(base_of(task, seed), verified, ITERATIONS[task], seed)}]


def all_runs() -> None:
    kept = Kept(STATES / "rlhf-chains.json")
    record = Record("rlhf-chains", settings={"bases": BASES, "GRPO": GRPO, "iterations": ITERATIONS})
    for task, seed in itertools.product(TASKS, SEEDS):
        found = kept.once(f"{task} {seed}", partial(run, task, seed))
        record.extend({"task": task, "seed": seed, **row} for row in found)
    record.write()


if __name__ == "__main__":
    launch(__doc__, {"base": make_base, "runs": all_runs})
