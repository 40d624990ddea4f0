"""RLHF in the small world, more of it than a page can wait for: `python -m experiments.rlhf PART`.

*sft*: the fine-tuned model that all methods start from, chapters/checkpoints/replies. *methods*: every method from this
model, three times. *beta*: PPO from it at several strengths of the KL penalty. *ablations*: PPO with each of its terms
switched off. *pattern*: what a tuned model says after a regular text. Settings are the chapter's. About twenty minutes
on one core.
"""

import copy
import random
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import torch

from experiments.pretrained import kept_gpt
from experiments.recording import CHECKPOINTS, STATES, Record, Row, launch, provenance
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
from lmcourse.training import cosine_schedule, save_checkpoint

SEEDS = (0, 1, 2)
SFT: dict[str, Any] = {"replies": 8_000, "steps": 600, "batch_size": 32, "lr": 4e-3}
REWARD: dict[str, Any] = {"comparisons": 24_000, "steps": 450, "batch_size": 64, "lr": 3e-3}
PPO: dict[str, Any] = {"iterations": 28, "kl_coefficient": 0.35, "epochs": 4, "minibatch_size": 128, "lr": 1e-3}
GRPO: dict[str, Any] = {
    "iterations": 18, "kl_coefficient": 0.35, "group_size": 16, "epochs": 2, "minibatch_size": 128,
    "lr": 5e-4,
}  # fmt: skip
DPO: dict[str, Any] = {
    "steps": 188,
    "comparisons": 12_000,
    "beta": 0.35,
    "sft_weight": 0.3,
    "batch_size": 64,
    "lr": 1e-3,
}
WITHOUT_KL = {
    "iterations": 30, "kl_coefficient": 0.0, "batch_size": 128, "minibatch_size": 64, "epochs": 4,
    "lr": 1.5e-3,
}  # fmt: skip
RIVALS, DRAWS = 8, 16  # replies to each of the 16 prompts
BETAS = (0.0, 0.1, 0.35, 1.0, 3.0)
JUDGE = STATES / "rlhf-judge.pt"  # of the checkpoint, kept between commands
SHOWN = 8  # replies that are kept, to the first prompts


def falling(steps: int, warm_up: int) -> Callable[[int], float]:
    return partial(cosine_schedule, max_steps=steps, warmup=warm_up)


def sft_model(world: ReplyWorld, generator: torch.Generator) -> GPT:
    """The model that all methods start from: it imitates what people write, of any mood."""
    model = GPT(GPTConfig(len(world.vocabulary), context_length=48, embed_dim=64, num_heads=4, num_layers=1))
    examples, steps = world.examples(SFT["replies"]), SFT["steps"]
    trainer = SFTTrainer(model, examples, batch_size=SFT["batch_size"], lr=SFT["lr"], generator=generator)
    trainer.fit(steps, schedule=falling(steps, 20), progress=False)
    return model


def sft() -> None:
    """Make the checkpoint that chapter 11 starts from."""
    generator, world = runtime.seed_everything(0), ReplyWorld()
    started = time.process_time()
    model = sft_model(world, generator)
    replies = world.sample(model, DRAWS, generator=generator)
    recipe = provenance() | {
        "data": f"{SFT['replies']:,} replies as people of the small world write them",
        "steps": SFT["steps"],
        "cpu_seconds": round(time.process_time() - started),
        "true_reward": round(float(world.true_rewards(replies).mean()), 4),
        "ill_formed": round(world.ill_formed(replies), 4),
    }
    save_checkpoint(CHECKPOINTS / "replies", model, recipe=recipe, vocabulary=list(world.vocabulary))
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
                STATES.mkdir(exist_ok=True)
                torch.save(self.reward_model.state_dict(), JUDGE)

    def train_judge(self) -> None:
        size, lr, steps = REWARD["batch_size"], REWARD["lr"], REWARD["steps"]
        judge = RewardTrainer(self.reward_model, self.pairs, batch_size=size, lr=lr, generator=self.generator)
        judge.fit(steps, schedule=falling(steps, 10), progress=False)

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
        return self._online(PPOTrainer, PPOConfig, PPO | changes, reward, metrics_fn)

    def grpo(self, *, metrics_fn: Any = None, **changes: Any) -> tuple[GPT, PolicyHistory]:
        return self._online(GRPOTrainer, GRPOConfig, GRPO | changes, None, metrics_fn)

    def _online(
        self, trainer: Any, config: Any, options: dict[str, Any], reward: Any, metrics_fn: Any
    ) -> tuple[GPT, PolicyHistory]:
        policy, iterations = copy.deepcopy(self.model), options.pop("iterations")
        settings = config(max_new_tokens=MAX_NEW_TOKENS, stop_id=self.world.stop_id, **options)
        reward = reward or self.reward_model.score
        made = trainer(policy, reward, self.world.prompts, settings, generator=self.generator, metrics_fn=metrics_fn)
        return policy, made.fit(iterations, progress=False)

    def dpo(self, **changes: Any) -> tuple[GPT, list[Row]]:
        """DPO: the policy, and what it was after each quarter of the steps."""
        policy, options = copy.deepcopy(self.model), DPO | changes
        steps, comparisons = options.pop("steps"), options.pop("comparisons")
        trainer = DPOTrainer(policy, self.pairs[:comparisons], DPOConfig(**options), generator=self.generator)
        path = []
        for _ in range(4):
            trainer.fit(steps // 4, progress=False)
            path.append(self.measured(policy, generator=torch.Generator().manual_seed(2)))
        return policy, path

    def without_kl(self) -> tuple[GPT, Row]:
        """PPO against the flawed proxy, with nothing to hold it: the policy; proxy, true reward and KL by iteration."""
        judge, options = self.world.judge(flawed_reward), {"max_kl": 1e9, **WITHOUT_KL}
        policy, history = self.ppo(reward=judge, metrics_fn=self.true_reward, **options)
        curves = columns_of(history, "reward", "true", "kl")
        return policy, {"proxy": curves.pop("reward"), **curves}

    def true_reward(self, replies: Completions) -> dict[str, float]:
        return {"true": float(self.world.true_rewards(replies).mean())}

    def shown(self, policy: GPT) -> list[Row]:
        """One reply to each of the first prompts, with its worth."""
        replies = self.world.sample(policy, 1, generator=torch.Generator().manual_seed(4))
        true, judge = self.world.true_rewards(replies).tolist(), self.reward_model.score(replies).tolist()
        words = self.world.words(replies)
        return [
            {"prompt": " ".join(prompt), "reply": " ".join(reply), "true": round(t, 3), "judge": round(j, 3)}
            for (prompt, reply), t, j in list(zip(words, true, judge, strict=True))[:SHOWN]
        ]

    def judged(self, replies: Completions, **more: float) -> Row:
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

    def measured(self, policy: GPT, draws: int = DRAWS, *, generator: torch.Generator | None = None) -> Row:
        replies = self.world.sample(policy, draws, generator=self.generator if generator is None else generator)
        return self.judged(replies, **policy_metrics(policy, self.model, replies))

    def best_of(self, n: int, draws: int = DRAWS) -> Row:
        prompts, stop = self.world.prompts.repeat(draws, 1), self.world.stop_id
        score, generator = self.reward_model.score, self.generator
        best = best_of_n(self.model, score, prompts, n, MAX_NEW_TOKENS, stop_id=stop, generator=generator)
        return self.judged(best, kl=best_of_n_kl(n), length=float(best.lengths.double().mean()))


@cache
def run_of(seed: int) -> Run:
    """The run of a seed, made once for all parts of a command."""
    return Run(seed)


@cache
def course_run() -> Run:
    """The run of the checkpoint that chapter 11 starts from, with one judge."""
    return Run(0, kept_gpt("replies"))


def columns_of(history: PolicyHistory, *names: str) -> dict[str, list[float]]:
    return {name: [round(value, 4) for value in history[name]] for name in names}


def seeds(seeds: Sequence[int]) -> list[Row]:
    """All that chapter 11 promises, once for each seed, from the fine-tuned model to the policies."""
    rows = []
    for seed in seeds:
        run = run_of(seed)
        rows.append({"seed": seed, "method": "reward model", **run.reward_accuracy()})
        rows.append({"seed": seed, "method": "SFT", **run.measured(run.model)})
        rows.append({"seed": seed, "method": "best of 8", **run.best_of(8)})
        for name, tune in (("PPO", run.ppo), ("GRPO", run.grpo), ("DPO", run.dpo)):
            run.generator.manual_seed(seed)  # each begins with the same draws
            rows.append({"seed": seed, "method": name, **run.measured(tune()[0])})
        run.generator.manual_seed(seed)
        rows.append({"seed": seed, "method": "PPO without KL", **run.without_kl()[1]})
    return rows


METHODS = ("SFT", "best of n", "PPO", "GRPO", "DPO", "PPO without KL")


def methods(record: Record) -> None:
    """Every method from the course's own fine-tuned model and one judge: its path, its end, and replies."""
    run = course_run()

    def one(name: str) -> Row:
        if name == "SFT":
            return {**run.measured(run.model), "replies": run.shown(run.model)}
        if name == "PPO without KL":
            policy, curves = run.without_kl()
            return {**curves, "replies": run.shown(policy)}
        if name == "DPO":
            policy, path = run.dpo()
            found: Row = {"path": [{"kl": step["kl"], "true": step["true"]} for step in path]}
        else:
            policy, history = {"PPO": run.ppo, "GRPO": run.grpo}[name](metrics_fn=run.true_reward)
            found = {"curves": columns_of(history, "reward", "true", "kl", "entropy")}
        return found | run.measured(policy) | {"replies": run.shown(policy)}

    for seed in SEEDS:
        for name in METHODS:
            run.generator.manual_seed(seed)  # each begins with the same draws
            if name == "best of n":
                record.extend({"seed": seed, "method": f"best of {n}", **run.best_of(n)} for n in (1, 2, 4, 8, 16, 32))
            else:
                record.add({"seed": seed, "method": name, **one(name)})


def beta(record: Record) -> None:
    """PPO from the course's own fine-tuned model at several strengths of the KL penalty."""
    run = course_run()
    for seed in SEEDS:
        for coefficient in BETAS:
            run.generator.manual_seed(seed)
            policy, _ = run.ppo(kl_coefficient=coefficient, max_kl=1e9)
            row = {"seed": seed, "beta": coefficient, **run.measured(policy)}
            record.add(row | {"replies": run.shown(policy)})


ABLATIONS: dict[str, dict] = {
    "PPO": {},
    "no KL": {"kl_coefficient": 0.0, "max_kl": 1e9},
    "no value": {"use_value": False, "lam": 1.0},
    "no clip": {"clip": None, "value_clip": None, "max_kl": 1e9},
    "16 epochs": {"epochs": 16},
    "16 epochs, no clip": {"epochs": 16, "clip": None, "value_clip": None, "max_kl": 1e9},
}


def ablations(record: Record) -> None:
    """PPO against the reward model with each of its terms switched off; the clip also where a batch is used longer."""
    names = ("reward", "true", "kl", "entropy", "length", "clip_fraction", "explained_variance")
    for seed in SEEDS:
        run = run_of(seed)
        for name, changes in ABLATIONS.items():
            run.generator.manual_seed(seed)  # each begins with the same draws
            policy, history = run.ppo(metrics_fn=run.true_reward, **changes)
            row = {"seed": seed, "variant": name, **run.measured(policy)}
            record.add(row | {"curves": columns_of(history, *names)})


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
def after_repeats(world: ReplyWorld, model: GPT, sentence: tuple[str, ...], repeats: int) -> Row:
    """How likely a model says the sentence once more after so many times, and how likely it begins politely."""
    encode = world.vocabulary.encode
    again, polite = [], []
    first = [world.vocabulary.index(opening[0]) for opening in POLITE]
    for prompt in prompts():
        before = encode([*prompt, *(sentence * repeats)])
        whole = torch.tensor([[*before, *encode(sentence)]])
        log_probs = model(whole[:, :-1]).log_softmax(-1)[0, len(before) - 1 :]
        again.append(float(log_probs.gather(-1, whole[0, len(before) :, None]).sum().exp()))
        polite.append(float(log_probs[0].exp()[first].sum()))
    return {"again": round(sum(again) / len(again), 4), "polite": round(sum(polite) / len(polite), 4)}


def pattern(record: Record) -> None:
    """A model that has read regular texts too is tuned on the true reward itself; then it reads a rude pattern."""
    for seed in SEEDS:
        generator, world, rng = runtime.seed_everything(seed), ReplyWorld(), random.Random(seed)
        model = GPT(GPTConfig(len(world.vocabulary), context_length=48, embed_dim=64, num_heads=4, num_layers=2))
        texts = world.examples(8_000) + [regular_text(world, rng) for _ in range(8_000)]
        trainer = SFTTrainer(model, texts, batch_size=32, lr=3e-3, generator=generator)
        trainer.fit(2_000, schedule=falling(2_000, 50), progress=False)
        tuned, options = copy.deepcopy(model), PPO | {"iterations": 20}
        iterations = options.pop("iterations")
        config = PPOConfig(max_new_tokens=MAX_NEW_TOKENS, stop_id=world.stop_id, **options)
        ppo = PPOTrainer(tuned, world.true_rewards, world.prompts, config, generator=generator)
        ppo.fit(iterations, progress=False)
        for name, policy in (("before", model), ("tuned", tuned)):
            rewards = world.true_rewards(world.sample(policy, DRAWS, generator=generator))
            true = round(float(rewards.mean()), 4)
            for sentence in (("go", "away", PERIOD), ("who", "cares", PERIOD)):
                for repeats in REPEATS:
                    row = {"seed": seed, "model": name, "sentence": " ".join(sentence), "repeats": repeats}
                    record.add(row | {"true": true, **after_repeats(world, policy, sentence, repeats)})


def recorded(name: str, part: Callable[[Record], None]) -> None:
    settings = {"SFT": SFT, "reward model": REWARD, "PPO": PPO, "GRPO": GRPO, "DPO": DPO}
    record = Record(f"rlhf-{name}", settings=settings)
    part(record)
    record.write()


if __name__ == "__main__":
    parts = {"methods": methods, "beta": beta, "ablations": ablations, "pattern": pattern}
    launch(__doc__, {"sft": sft} | {name: partial(recorded, name, part) for name, part in parts.items()})
