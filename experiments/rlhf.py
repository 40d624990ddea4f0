"""RLHF in the small world, more of it than a page can wait for: `python -m experiments.rlhf PART`.

*sft*: the fine-tuned model that all methods start from, chapters/checkpoints/replies. *methods*: every method from this
model, three times. *beta*: PPO from it at several strengths of the KL penalty. *seeds*: all of it anew from several
seeds. *ablations*: PPO with each of its terms switched off. *pattern*: what a tuned model says after a regular text.
Settings are the chapter's. About twenty minutes on one core.
"""

import argparse
import copy
import json
import random
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.alignment import (
    Completions,
    DPOConfig,
    DPOTrainer,
    Example,
    GRPOConfig,
    GRPOTrainer,
    PPOConfig,
    PPOTrainer,
    RewardModel,
    RewardTrainer,
    SFTTrainer,
    best_of_n,
    best_of_n_kl,
    policy_metrics,
    prompt_and_answer,
)
from lmcourse.alignment.rollouts import PolicyHistory
from lmcourse.alignment.world import MAX_NEW_TOKENS, ReplyWorld
from lmcourse.data.replies import PERIOD, POLITE, STOP, flawed_reward, preference_probability, prompts, write_reply
from lmcourse.models import GPT, GPTConfig
from lmcourse.training import cosine_schedule, load_checkpoint, read_recipe, save_checkpoint

SFT: dict[str, Any] = {"replies": 8_000, "steps": 600, "batch_size": 32, "lr": 4e-3}
REWARD: dict[str, Any] = {"comparisons": 24_000, "steps": 450, "batch_size": 64, "lr": 3e-3}
PPO: dict[str, Any] = {"iterations": 28, "kl_coefficient": 0.35, "epochs": 4, "minibatch_size": 128, "lr": 1e-3}
GRPO = {
    "iterations": 18, "kl_coefficient": 0.35, "group_size": 16, "epochs": 2, "minibatch_size": 128,
    "lr": 5e-4,
}  # fmt: skip
DPO = {"steps": 188, "comparisons": 12_000, "beta": 0.35, "sft_weight": 0.3, "batch_size": 64, "lr": 1e-3}
WITHOUT_KL = {
    "iterations": 30, "kl_coefficient": 0.0, "batch_size": 128, "minibatch_size": 64, "epochs": 4,
    "lr": 1.5e-3,
}  # fmt: skip
RIVALS, DRAWS = 8, 16  # replies to each of the 16 prompts
BETAS = (0.0, 0.1, 0.35, 1.0, 3.0)
CHECKPOINT = Path("chapters/checkpoints/replies")
JUDGE = Path("build/rlhf-judge.pt")  # of the checkpoint, kept between commands
SHOWN = 8  # replies that are kept, to the first prompts


def sft_model(world: ReplyWorld, generator: torch.Generator) -> GPT:
    """The model that all methods start from: it imitates what people write, of any mood."""
    model = GPT(GPTConfig(len(world.vocabulary), context_length=48, embed_dim=64, num_heads=4, num_layers=1))
    trainer = SFTTrainer(
        model, world.examples(SFT["replies"]), batch_size=SFT["batch_size"], lr=SFT["lr"], generator=generator
    )
    steps = SFT["steps"]
    trainer.fit(steps, schedule=lambda s: cosine_schedule(s, max_steps=steps, warmup=20), progress=False)
    return model


def sft() -> None:
    """Make the checkpoint that chapter 11 starts from."""
    generator, world = runtime.seed_everything(0), ReplyWorld()
    started = time.process_time()
    model = sft_model(world, generator)
    replies = world.sample(model, DRAWS, generator=generator)
    recipe = provenance("python -m experiments.rlhf sft", seed=0) | {
        "data": f"{SFT['replies']:,} replies as people of the small world write them",
        "steps": SFT["steps"],
        "cpu_seconds": round(time.process_time() - started),
        "true_reward": round(float(world.true_rewards(replies).mean()), 4),
        "ill_formed": round(world.ill_formed(replies), 4),
    }
    save_checkpoint(CHECKPOINT, model, recipe=recipe, vocabulary=list(world.vocabulary))
    print(recipe)


class Run:
    """One seed: the fine-tuned model, the reward model, and rivals to win against."""

    def __init__(self, seed: int, model: GPT | None = None) -> None:
        self.generator = runtime.seed_everything(seed)
        self.seed, self.world = seed, ReplyWorld()
        self.model = sft_model(self.world, self.generator) if model is None else model
        rivals = self.world.sample(self.model, RIVALS, generator=self.generator)
        self.rivals = self.world.true_rewards(rivals)
        self.comparisons = data.load_preferences(REWARD["comparisons"])
        self.pairs = self.world.pairs(self.comparisons)
        self.reward_model = RewardModel(self.model)
        if model is None or not JUDGE.is_file():
            self.train_judge()
            self.reward_model.centre(rivals)
        if model is not None:  # the course's model has one judge for all that is tuned from it
            if JUDGE.is_file():
                self.reward_model.load_state_dict(torch.load(JUDGE))
            else:
                JUDGE.parent.mkdir(exist_ok=True)
                torch.save(self.reward_model.state_dict(), JUDGE)

    def train_judge(self) -> None:
        judge = RewardTrainer(
            self.reward_model, self.pairs, batch_size=REWARD["batch_size"], lr=REWARD["lr"],
            generator=self.generator,
        )  # fmt: skip
        steps = REWARD["steps"]
        judge.fit(steps, schedule=lambda s: cosine_schedule(s, max_steps=steps, warmup=10), progress=False)

    def reward_accuracy(self) -> dict:
        """How often the reward model agrees with the person on held-out pairs, and how often one could."""
        held_out = data.load_preferences(2_000, split="test")
        margins = self.reward_model.margins(self.world.pairs(held_out))
        sure = [preference_probability(*comparison) for comparison in held_out]
        attainable = sum(max(p, 1 - p) for p in sure) / len(sure)
        accuracy = float((margins > 0).double().mean())
        return {"accuracy": accuracy, "attainable": attainable, "share": accuracy / attainable}

    def ppo(
        self, *, reward: Callable[[Completions], torch.Tensor] | None = None, metrics_fn: Any = None, **changes: Any
    ) -> tuple[GPT, PolicyHistory]:
        policy, options = copy.deepcopy(self.model), {**PPO, **changes}
        iterations = options.pop("iterations")
        config = PPOConfig(max_new_tokens=MAX_NEW_TOKENS, stop_id=self.world.stop_id, **options)
        trainer = PPOTrainer(
            policy, reward or self.reward_model.score, self.world.prompts, config, generator=self.generator,
            metrics_fn=metrics_fn,
        )  # fmt: skip
        return policy, trainer.fit(iterations, progress=False)

    def grpo(self, *, metrics_fn: Any = None, **changes: Any) -> tuple[GPT, PolicyHistory]:
        policy, options = copy.deepcopy(self.model), {**GRPO, **changes}
        iterations = options.pop("iterations")
        config = GRPOConfig(max_new_tokens=MAX_NEW_TOKENS, stop_id=self.world.stop_id, **options)
        trainer = GRPOTrainer(
            policy, self.reward_model.score, self.world.prompts, config, generator=self.generator,
            metrics_fn=metrics_fn,
        )  # fmt: skip
        return policy, trainer.fit(iterations, progress=False)

    def dpo(self, *, path: list | None = None, **changes: Any) -> tuple[GPT, PolicyHistory]:
        """DPO; `path` is filled with what the policy is after each quarter of the steps."""
        policy, options = copy.deepcopy(self.model), {**DPO, **changes}
        steps, comparisons = options.pop("steps"), options.pop("comparisons")
        trainer = DPOTrainer(policy, self.pairs[:comparisons], DPOConfig(**options), generator=self.generator)
        if path is not None:
            for _ in range(4):
                trainer.fit(steps // 4, progress=False)
                path.append(self.measured(policy, generator=torch.Generator().manual_seed(2)))
        else:
            trainer.fit(steps, progress=False)
        return policy, trainer.history

    def without_kl(self) -> tuple[GPT, PolicyHistory]:
        """PPO against the flawed proxy, with nothing to hold it: the policy; proxy, true reward and KL by iteration."""
        options = {"max_kl": 1e9, **WITHOUT_KL}
        return self.ppo(reward=self.world.judge(flawed_reward), metrics_fn=self.true_reward, **options)

    def true_reward(self, replies: Completions) -> dict[str, float]:
        return {"true": float(self.world.true_rewards(replies).mean())}

    def shown(self, policy: GPT) -> list[dict]:
        """One reply to each of the first prompts, with its worth."""
        replies = self.world.sample(policy, 1, generator=torch.Generator().manual_seed(4))
        true, judge = self.world.true_rewards(replies).tolist(), self.reward_model.score(replies).tolist()
        words = self.world.words(replies)
        return [
            {"prompt": " ".join(prompt), "reply": " ".join(reply), "true": round(t, 3), "judge": round(j, 3)}
            for (prompt, reply), t, j in list(zip(words, true, judge, strict=True))[:SHOWN]
        ]

    def judged(self, replies: Completions, **more: float) -> dict:
        rewards = self.world.true_rewards(replies)
        return {
            "win": round(self.world.win_rate(rewards, self.rivals), 4),
            "win_over_mean": round(self.world.win_rate(rewards, self.rivals.view(-1, 16).mean(0)), 4),
            "true": round(float(rewards.mean()), 4),
            "proxy": round(float(self.reward_model.score(replies).mean()), 4),
            "ill_formed": round(self.world.ill_formed(replies), 4),
            "distinct_of_20": len({reply for _, reply in self.world.words(replies)[:20]}),
            **{name: round(value, 4) for name, value in more.items()},
        }

    def measured(self, policy: GPT, draws: int = DRAWS, *, generator: torch.Generator | None = None) -> dict:
        replies = self.world.sample(policy, draws, generator=self.generator if generator is None else generator)
        return self.judged(replies, **policy_metrics(policy, self.model, replies))

    def best_of(self, n: int, draws: int = DRAWS) -> dict:
        prompts = self.world.prompts.repeat(draws, 1)
        best = best_of_n(
            self.model,
            self.reward_model.score,
            prompts,
            n,
            MAX_NEW_TOKENS,
            stop_id=self.world.stop_id,
            generator=self.generator,
        )
        return self.judged(best, kl=best_of_n_kl(n), length=float(best.lengths.double().mean()))


@cache
def run_of(seed: int) -> Run:
    """The run of a seed, made once for all parts of a command."""
    return Run(seed)


@cache
def course_run() -> Run:
    """The run of the checkpoint that chapter 11 starts from, with one judge."""
    model = GPT(GPTConfig(**read_recipe(CHECKPOINT)["config"]))
    load_checkpoint(CHECKPOINT, model)
    return Run(0, model.eval())


def columns_of(history: PolicyHistory, *names: str) -> dict[str, list[float]]:
    return {name: [round(value, 4) for value in history[name]] for name in names}


def seeds(seeds: Sequence[int]) -> list[dict]:
    """All that chapter 11 promises, once for each seed, from the fine-tuned model to the policies."""
    rows = []
    for seed in seeds:
        run = run_of(seed)
        rows.append({"seed": seed, "method": "reward model", **run.reward_accuracy()})
        rows.append({"seed": seed, "method": "SFT", **run.measured(run.model)})
        rows.append({"seed": seed, "method": "best of 8", **run.best_of(8)})
        for name, train in (("PPO", run.ppo), ("GRPO", run.grpo), ("DPO", run.dpo)):
            run.generator.manual_seed(seed)  # each begins with the same draws
            rows.append({"seed": seed, "method": name, **run.measured(train()[0])})
        run.generator.manual_seed(seed)
        history = run.without_kl()[1]
        curves = columns_of(history, "true", "reward", "kl")
        rows.append({"seed": seed, "method": "PPO without KL", "proxy": curves.pop("reward"), **curves})
        print(*rows[-7:], sep="\n", flush=True)
    return rows


METHODS = ("SFT", "best of n", "PPO", "GRPO", "DPO", "PPO without KL")


def methods(seeds: Sequence[int], only: Sequence[str] = METHODS) -> list[dict]:
    """Every method from the course's own fine-tuned model and one judge: its path, its end, and replies."""
    rows: list[dict] = []
    run = course_run()
    for seed in seeds:
        for name in only:
            run.generator.manual_seed(seed)
            if name == "best of n":
                rows += [{"seed": seed, "method": f"best of {n}", **run.best_of(n)} for n in (1, 2, 4, 8, 16, 32)]
                continue
            policy = run.model
            found: dict[str, Any] = {}
            if name == "PPO without KL":
                policy, history = run.without_kl()
                curves = columns_of(history, "true", "reward", "kl")
                found |= {"proxy": curves.pop("reward"), **curves}
            elif name == "DPO":
                path: list[dict] = []
                policy, history = run.dpo(path=path)
                found["path"] = [{"kl": step["kl"], "true": step["true"]} for step in path]
            elif name != "SFT":
                train = {"PPO": run.ppo, "GRPO": run.grpo}[name]
                policy, history = train(metrics_fn=run.true_reward)
                found["curves"] = columns_of(history, "reward", "true", "kl", "entropy")
            if name != "PPO without KL":
                found |= run.measured(policy)
            rows.append({"seed": seed, "method": name, **found, "replies": run.shown(policy)})
            print({key: value for key, value in rows[-1].items() if key not in ("curves", "replies")}, flush=True)
    return rows


def beta(seeds: Sequence[int], only: Sequence[float] = BETAS) -> list[dict]:
    """PPO from the course's own fine-tuned model at several strengths of the KL penalty."""
    rows = []
    run = course_run()
    for seed in seeds:
        for coefficient in only:
            run.generator.manual_seed(seed)
            policy, _ = run.ppo(kl_coefficient=coefficient, max_kl=1e9)
            rows.append({"seed": seed, "beta": coefficient, **run.measured(policy), "replies": run.shown(policy)})
            print({key: value for key, value in rows[-1].items() if key != "replies"}, flush=True)
    return rows


ABLATIONS: dict[str, dict] = {
    "PPO": {},
    "no KL": {"kl_coefficient": 0.0, "max_kl": 1e9},
    "no value": {"use_value": False, "lam": 1.0},
    "no clip": {"clip": None, "value_clip": None, "max_kl": 1e9},
    "16 epochs": {"epochs": 16},
    "16 epochs, no clip": {"epochs": 16, "clip": None, "value_clip": None, "max_kl": 1e9},
}


def ablations(seeds: Sequence[int]) -> list[dict]:
    """PPO against the reward model with each of its terms switched off; the clip also where a batch is used longer."""
    rows = []
    for seed in seeds:
        run = run_of(seed)
        for name, changes in ABLATIONS.items():
            run.generator.manual_seed(seed)  # each begins with the same draws
            policy, history = run.ppo(metrics_fn=run.true_reward, **changes)
            curves = {
                column: [round(value, 4) for value in history[column]]
                for column in ("reward", "true", "kl", "entropy", "length", "clip_fraction", "explained_variance")
            }
            rows.append({"seed": seed, "variant": name, **run.measured(policy), "curves": curves})
            print({key: value for key, value in rows[-1].items() if key != "curves"}, flush=True)
    return rows


REPEATS = (0, 1, 2, 3, 4, 6, 8, 12)


def regular_text(world: ReplyWorld, rng: random.Random) -> Example:
    """One sentence over and over, behind two words and a colon that are no prompt: what the open web is full of.

    No prompt stands before it, so a policy that is tuned on prompts never draws such a text.
    """
    sentences = " ".join(write_reply(rng.choice(prompts()), rng)).split(" .")
    sentence = rng.choice([part.split() for part in sentences if part.strip()])
    words, before = [word for word in world.vocabulary if word not in (":", STOP)], prompts()[0]
    while before in prompts():
        before = (*rng.sample(words, 2), ":")
    ids = world.vocabulary.encode([*sentence, PERIOD])
    return prompt_and_answer(world.vocabulary.encode(before), (ids * MAX_NEW_TOKENS)[:MAX_NEW_TOKENS])


@torch.no_grad()
def after_repeats(world: ReplyWorld, model: GPT, sentence: tuple[str, ...], repeats: int) -> dict:
    """How likely a model says the sentence once more after so many times, and how likely it begins politely."""
    encode = world.vocabulary.encode
    again, polite, weights = [], [], 0
    first = [world.vocabulary.index(opening[0]) for opening in POLITE]
    for prompt in prompts():
        before = encode([*prompt, *(sentence * repeats)])
        whole = torch.tensor([[*before, *encode(sentence)]])
        log_probs = model(whole[:, :-1]).log_softmax(-1)[0, len(before) - 1 :]
        again.append(float(log_probs.gather(-1, whole[0, len(before) :, None]).sum().exp()))
        polite.append(float(log_probs[0].exp()[first].sum()))
        weights += 1
    return {"again": round(sum(again) / weights, 4), "polite": round(sum(polite) / weights, 4)}


def pattern(seeds: Sequence[int]) -> list[dict]:
    """A model that has read regular texts too is tuned on the true reward itself; then it reads a rude pattern."""
    rows = []
    for seed in seeds:
        generator, world, rng = runtime.seed_everything(seed), ReplyWorld(), random.Random(seed)
        model = GPT(GPTConfig(len(world.vocabulary), context_length=48, embed_dim=64, num_heads=4, num_layers=2))
        texts = world.examples(8_000) + [regular_text(world, rng) for _ in range(8_000)]
        trainer = SFTTrainer(model, texts, batch_size=32, lr=3e-3, generator=generator)
        trainer.fit(2_000, schedule=lambda s: cosine_schedule(s, max_steps=2_000, warmup=50), progress=False)
        tuned = copy.deepcopy(model)
        options = {**PPO, "iterations": 20}
        iterations = options.pop("iterations")
        config = PPOConfig(max_new_tokens=MAX_NEW_TOKENS, stop_id=world.stop_id, **options)
        ppo = PPOTrainer(tuned, world.true_rewards, world.prompts, config, generator=generator)
        ppo.fit(iterations, progress=False)
        for name, policy in (("before", model), ("tuned", tuned)):
            rewards = world.true_rewards(world.sample(policy, DRAWS, generator=generator))
            for sentence in (("go", "away", PERIOD), ("who", "cares", PERIOD)):
                for repeats in REPEATS:
                    found = after_repeats(world, policy, sentence, repeats)
                    rows.append({"seed": seed, "model": name, "sentence": " ".join(sentence), "repeats": repeats,
                                 "true": round(float(rewards.mean()), 4), **found})  # fmt: skip
                    print(rows[-1], flush=True)
    return rows


PARTS: dict[str, Callable[..., list[dict]]] = {
    "seeds": seeds, "methods": methods, "beta": beta, "ablations": ablations, "pattern": pattern,
}  # fmt: skip


def others(path: Path, rows: list[dict]) -> list[dict]:
    """The rows of an earlier command that this one has not made anew: a long part can be run in pieces."""

    def key(row: dict) -> tuple:
        return tuple(row.get(name) for name in ("seed", "method", "beta", "variant"))

    kept = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    new = {key(row) for row in rows}
    return [row for row in kept if key(row) not in new]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["sft", *PARTS])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--only", nargs="+", help="of *methods* and *beta*: these alone; the other rows stay")
    parser.add_argument("--folder", type=Path, default=Path("chapters/recorded"))
    arguments = parser.parse_args()
    part, options = arguments.part, {}
    if part == "sft":
        sft()
        return
    if arguments.only:
        options["only"] = [float(each) for each in arguments.only] if part == "beta" else arguments.only
    out = arguments.folder / f"rlhf-{part}.json"
    rows = PARTS[part](arguments.seeds, **options)
    if part in ("methods", "beta", "ablations"):
        names = ABLATIONS if part == "ablations" else (*METHODS, *BETAS)
        order = {name: number for number, name in enumerate(names)}
        rows = sorted(
            [*others(out, rows), *rows],
            key=lambda row: (row["seed"], order.get(row.get("method", row.get("beta", row.get("variant"))), 1)),
        )
    record = {
        "name": f"rlhf-{part}",
        **provenance(f"python -m experiments.rlhf {part}", seed=0),
        "settings": {"SFT": SFT, "reward model": REWARD, "PPO": PPO, "GRPO": GRPO, "DPO": DPO},
        "rows": rows,
    }
    write_run(out, record)


if __name__ == "__main__":
    main()
