"""RLHF in the small world, more of it than a page can wait for: `python -m experiments.rlhf PART`.

*seeds*: the whole of chapter 11 from several seeds. *ablations*: PPO with each of its terms switched off.
*pattern*: what a tuned model says after a regular text.
Settings are the chapter's. About fifteen minutes on one core.
"""

import argparse
import copy
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

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
from lmcourse.alignment.world import MAX_NEW_TOKENS, ReplyWorld
from lmcourse.data.replies import PERIOD, POLITE, STOP, flawed_reward, preference_probability, prompts, write_reply
from lmcourse.models import GPT, GPTConfig
from lmcourse.training import cosine_schedule

SFT = {"replies": 8_000, "steps": 600, "batch_size": 32, "lr": 4e-3}
REWARD = {"comparisons": 24_000, "steps": 450, "batch_size": 64, "lr": 3e-3}
PPO = {"iterations": 28, "kl_coefficient": 0.35, "epochs": 4, "minibatch_size": 128, "lr": 1e-3}
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


class Run:
    """One seed: the fine-tuned model, the reward model, and rivals to win against."""

    def __init__(self, seed: int) -> None:
        self.generator = runtime.seed_everything(seed)
        self.seed, self.world = seed, ReplyWorld()
        config = GPTConfig(len(self.world.vocabulary), context_length=48, embed_dim=64, num_heads=4, num_layers=1)
        self.model = GPT(config)
        trainer = SFTTrainer(
            self.model, self.world.examples(SFT["replies"]), batch_size=SFT["batch_size"],
            lr=SFT["lr"], generator=self.generator,
        )  # fmt: skip
        steps = SFT["steps"]
        trainer.fit(steps, schedule=lambda s: cosine_schedule(s, max_steps=steps, warmup=20), progress=False)
        rivals = self.world.sample(self.model, RIVALS, generator=self.generator)
        self.rivals = self.world.true_rewards(rivals)
        self.comparisons = data.load_preferences(REWARD["comparisons"])
        self.pairs = self.world.pairs(self.comparisons)
        self.reward_model = RewardModel(self.model)
        judge = RewardTrainer(
            self.reward_model, self.pairs, batch_size=REWARD["batch_size"], lr=REWARD["lr"],
            generator=self.generator,
        )  # fmt: skip
        steps = REWARD["steps"]
        judge.fit(steps, schedule=lambda s: cosine_schedule(s, max_steps=steps, warmup=10), progress=False)
        self.reward_model.centre(rivals)

    def reward_accuracy(self) -> dict:
        """How often the reward model agrees with the person on held-out pairs, and how often one could."""
        held_out = data.load_preferences(2_000, split="test")
        margins = self.reward_model.margins(self.world.pairs(held_out))
        sure = [preference_probability(*comparison) for comparison in held_out]
        attainable = sum(max(p, 1 - p) for p in sure) / len(sure)
        accuracy = float((margins > 0).double().mean())
        return {"accuracy": accuracy, "attainable": attainable, "share": accuracy / attainable}

    def ppo(self, *, reward: Callable[[Completions], torch.Tensor] | None = None, metrics_fn=None, **changes):
        policy, options = copy.deepcopy(self.model), {**PPO, **changes}
        iterations = options.pop("iterations")
        config = PPOConfig(max_new_tokens=MAX_NEW_TOKENS, stop_id=self.world.stop_id, **options)
        trainer = PPOTrainer(
            policy, reward or self.reward_model.score, self.world.prompts, config, generator=self.generator,
            metrics_fn=metrics_fn,
        )  # fmt: skip
        return policy, trainer.fit(iterations, progress=False)

    def grpo(self, **changes):
        policy, options = copy.deepcopy(self.model), {**GRPO, **changes}
        iterations = options.pop("iterations")
        config = GRPOConfig(max_new_tokens=MAX_NEW_TOKENS, stop_id=self.world.stop_id, **options)
        trainer = GRPOTrainer(policy, self.reward_model.score, self.world.prompts, config, generator=self.generator)
        return policy, trainer.fit(iterations, progress=False)

    def dpo(self, **changes):
        policy, options = copy.deepcopy(self.model), {**DPO, **changes}
        steps, comparisons = options.pop("steps"), options.pop("comparisons")
        trainer = DPOTrainer(policy, self.pairs[:comparisons], DPOConfig(**options), generator=self.generator)
        return policy, trainer.fit(steps, progress=False)

    def without_kl(self):
        """PPO against the flawed proxy, with nothing to hold it: proxy, true reward and KL of each iteration."""
        judge, true = self.world.judge(flawed_reward), self.world.true_rewards
        options = {"max_kl": 1e9, **WITHOUT_KL}
        _, history = self.ppo(reward=judge, metrics_fn=lambda r: {"true": float(true(r).mean())}, **options)
        return history

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

    def measured(self, policy: GPT, draws: int = DRAWS) -> dict:
        replies = self.world.sample(policy, draws, generator=self.generator)
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


def seeds(seeds: Sequence[int]) -> list[dict]:
    """All that chapter 11 trains live, once for each seed."""
    rows = []
    for seed in seeds:
        start = time.process_time()
        run = Run(seed)
        rows.append({"seed": seed, "method": "reward model", **run.reward_accuracy()})
        rows.append({"seed": seed, "method": "SFT", **run.measured(run.model)})
        rows.append({"seed": seed, "method": "best of 8", **run.best_of(8)})
        for name, train in (("PPO", run.ppo), ("GRPO", run.grpo), ("DPO", run.dpo)):
            run.generator.manual_seed(seed)  # each begins with the same draws
            rows.append({"seed": seed, "method": name, **run.measured(train()[0])})
        history = run.without_kl()
        true, proxy, kl = ([round(value, 4) for value in history[name]] for name in ("true", "reward", "kl"))
        rows.append({"seed": seed, "method": "PPO without KL", "true": true, "proxy": proxy, "kl": kl})
        seconds = round(time.process_time() - start, 1)
        rows.append({"seed": seed, "method": "all", "cpu_seconds": seconds})
        print(*rows[-8:], sep="\n", flush=True)
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
            policy, history = run.ppo(
                metrics_fn=lambda r, run=run: {"true": float(run.world.true_rewards(r).mean())}, **changes
            )
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
        trainer = PPOTrainer(tuned, world.true_rewards, world.prompts, config, generator=generator)
        trainer.fit(iterations, progress=False)
        for name, policy in (("before", model), ("tuned", tuned)):
            rewards = world.true_rewards(world.sample(policy, DRAWS, generator=generator))
            for sentence in (("go", "away", PERIOD), ("who", "cares", PERIOD)):
                for repeats in REPEATS:
                    found = after_repeats(world, policy, sentence, repeats)
                    rows.append({"seed": seed, "model": name, "sentence": " ".join(sentence), "repeats": repeats,
                                 "true": round(float(rewards.mean()), 4), **found})  # fmt: skip
                    print(rows[-1], flush=True)
    return rows


PARTS = {"seeds": seeds, "ablations": ablations, "pattern": pattern}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", choices=PARTS)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--folder", type=Path, default=Path("chapters/recorded"))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for part in arguments.parts:
        record = {
            "name": f"rlhf-{part}",
            **provenance(" ".join(["python -m experiments.rlhf", *sys.argv[1:]]), seed=arguments.seeds[0]),
            "settings": {"SFT": SFT, "reward model": REWARD, "PPO": PPO, "GRPO": GRPO, "DPO": DPO},
            "rows": PARTS[part](arguments.seeds),
        }
        out = arguments.folder / f"rlhf-{part}.json"
        write_run(out, record)


if __name__ == "__main__":
    main()
