"""Good arguments for what `lmcourse.alignment` makes public."""

import tempfile
from pathlib import Path

import torch

from lmcourse import alignment
from lmcourse.alignment import labels, lora, town, world
from lmcourse.data import town as town_data
from tests.fuzz.examples import things
from tests.fuzz.examples.things import VALUES, floats, generator, ids, yes
from tests.fuzz.judge import Example

STOP = 2
ANY_IDS = "item *negative, item *zero, item *huge, item *bool", "the model checks its ids"
ROWS = (
    ("rows", "zero, negative, item zero, item negative, kind: bool, item kind: bool, huge", "indices"),
    ("rows", "empty", "no rows"),
)
PROMPTS = [[4, 5], [6]]
ANSWERS = [[3, STOP], [7, 8, STOP]]
LOSS_VALUES = "nan, inf, huge, negative, zero", "the loss of whatever is given; `fit` stops on NaN"
SWITCHED_OFF = "zero, tiny", "as good as none"


def completions():
    return alignment.collate(PROMPTS, ANSWERS)


def pairs():
    return alignment.collate_pairs(PROMPTS, ANSWERS, ANSWERS[::-1])


def reward_model():
    return alignment.RewardModel(things.gpt())


def examples():
    return [alignment.prompt_and_answer(prompt, answer) for prompt, answer in zip(PROMPTS, ANSWERS, strict=True)]


def reward(found):
    return found.lengths.float()


_ROLLOUTS = {"max_new_tokens": 3, "stop_id": STOP, "batch_size": 4, "minibatch_size": 2, "epochs": 1}
_ROLLOUTS |= {"lr": 1e-3, "clip_norm": 1.0, "temperature": 1.0, "precision": "float32", "max_kl": 100.0}
_GRPO = _ROLLOUTS | {"group_size": 2, "kl_coefficient": 0.04, "clip": 0.2, "normalize": True}
_PPO = _ROLLOUTS | {"kl_coefficient": 0.2, "target_kl": 6.0, "gamma": 1.0, "lam": 0.95, "clip": 0.2}
_PPO |= {"value_clip": 0.2, "value_weight": 0.1, "use_value": True}
_DPO = {"beta": 0.1, "label_smoothing": 0.1, "sft_weight": 0.1, "batch_size": 2, "lr": 1e-3, "clip_norm": 1.0}
_DPO |= {"precision": "float32"}
_SETTINGS = (
    ("stop_id", "zero, huge", "any id; the model checks it"),
    ("lr", "zero, tiny, huge", "any rate: `fit` stops on what is not finite"),
    ("*", "tiny, huge", "any number in range"),
    ("max_kl", "inf", "no limit"),
    *((name, "zero", "as good as none") for name in
      ("label_smoothing", "gamma", "lam", "value_weight", "kl_coefficient", "sft_weight")),
)  # fmt: skip


def _rollout_trainer(kind, config):
    def make():
        arguments = {"policy": things.gpt(), "reward": reward, "prompts": ids(3, 2), "config": config()}
        arguments |= {"attention_mask": yes(3, 2), "reference": things.gpt(), "metrics_fn": lambda found: {"a": 1.0}}
        return kind, arguments | {"generator": generator()}

    return make


def _grpo():
    return alignment.GRPOConfig(**_GRPO)


def _ppo():
    return alignment.PPOConfig(**_PPO)


_TRAINER = (
    ("reward", "returns None", "found by `fit`"),
    ("metrics_fn", "returns None", "found by `fit`"),
    ("prompts", "negative, huge", "the model checks its ids when it reads them"),
)
SIX = ("policy_chosen", "policy_rejected", "reference_chosen", "reference_rejected")

EXAMPLES = {
    "alignment.ChatTemplate": Example(
        lambda: {"prefix": "{role}: ", "end": "\n", "separator": " ", "assistant": "bot"},
        accepts=(("*", "empty, other text", "any text"),),
        refuses=(("end", "empty"),),
    ),
    "alignment.ChatTemplate.parts": Example(lambda: (alignment.CHATML.parts, {"turns": [("user", "hi")]}),
        accepts=(("turns", "item item empty, item item other text", "any text"),)),
    "alignment.ChatTemplate.render": Example(
        lambda: (alignment.CHATML.render, {"turns": [("user", "hi")], "add_generation_prompt": True}),
        accepts=(("turns", "item item empty, item item other text", "any text"),),
    ),
    "alignment.ChatTemplate.encode": Example(
        lambda: (alignment.CHATML.encode, {"turns": [("user", "hi")], "encode": lambda text: [ord(c) for c in text]}),
        accepts=(("turns", "item item empty, item item other text", "any text"),),
    ),
    "alignment.Completions": Example(
        lambda: {"ids": ids(2, 2).repeat_interleave(2, 0), "attention_mask": yes(4, 2), "prompt_length": 2}
        | {"samples": 2}
    ),
    "alignment.Completions.__getitem__": Example(lambda: (completions().__getitem__, {"rows": [0, 1]}),
                                                 accepts=ROWS),
    "alignment.Completions.to": Example(lambda: (completions().to, {"device": torch.device("cpu")})),
    "alignment.Completions.tokens": Example(
        lambda: (completions().tokens, {"stop_id": STOP}),
        accepts=(("stop_id", "zero, negative, huge", "an id that stands nowhere"),),
    ),
    "alignment.Pairs": Example(lambda: {"chosen": completions(), "rejected": completions()}),
    "alignment.Pairs.__getitem__": Example(lambda: (pairs().__getitem__, {"rows": [0, 1]}), accepts=ROWS),
    "alignment.Pairs.to": Example(lambda: (pairs().to, {"device": torch.device("cpu")})),
    "alignment.DPOConfig": Example(lambda: dict(_DPO), accepts=_SETTINGS),
    "alignment.GRPOConfig": Example(lambda: dict(_GRPO), accepts=_SETTINGS),
    "alignment.PPOConfig": Example(lambda: dict(_PPO), accepts=_SETTINGS),
    "alignment.DPOTrainer": Example(
        lambda: {"policy": things.gpt(), "pairs": pairs(), "config": alignment.DPOConfig(**_DPO),
             "reference": things.gpt(), "generator": generator()},
    ),
    "alignment.DPOTrainer.fit": Example(
        lambda: (
            alignment.DPOTrainer(things.gpt(), pairs(), alignment.DPOConfig(**_DPO)).fit,
            {"steps": 1, "progress": False},
        ),
    ),
    "alignment.GRPOTrainer": Example(_rollout_trainer(alignment.GRPOTrainer, _grpo), accepts=_TRAINER),
    "alignment.PPOTrainer": Example(_rollout_trainer(alignment.PPOTrainer, _ppo), accepts=_TRAINER),
    "alignment.GRPOTrainer.fit": Example(
        lambda: (
            alignment.GRPOTrainer(things.gpt(), reward, ids(3, 2), _grpo()).fit, {"iterations": 1, "progress": False}
        ),
    ),
    "alignment.PPOTrainer.fit": Example(
        lambda: (
            alignment.PPOTrainer(things.gpt(), reward, ids(3, 2), _ppo()).fit, {"iterations": 1, "progress": False}
        ),
    ),
    "alignment.RewardModel": Example(lambda: {"body": things.gpt(), "pool": "mean"}),
    **{
        f"alignment.RewardModel.{name}": Example(
            lambda name=name: (getattr(reward_model(), name), {"completions": completions()})
        )
        for name in ("forward", "score", "centre")
    },
    "alignment.RewardModel.margins": Example(
        lambda: (reward_model().margins, {"pairs": pairs(), "batch_size": 1}),
    ),
    "alignment.RewardTrainer": Example(
        lambda: {"model": reward_model(), "pairs": pairs(), "margin": 0.1, "batch_size": 2, "lr": 1e-3,
             "generator": generator()},
        accepts=(("margin", "negative, zero, tiny, huge", "any margin"), ("lr", "zero, tiny, huge", "any rate")),
    ),
    "alignment.RewardTrainer.fit": Example(
        lambda: (
            alignment.RewardTrainer(reward_model(), pairs(), batch_size=2).fit,
            {"steps": 1, "progress": False, "clip_norm": 1.0, "accumulate": 1, "schedule": lambda step: 1.0},
        ),
        accepts=(
            ("clip_norm", "kind: None, huge, tiny", "any norm above 0, or no bound"),
            ("schedule", "kind: None", "the optimizer's own rate"),
        ),
    ),
    "alignment.SFTTrainer": Example(
        lambda: {"model": things.gpt(), "examples": examples(), "loss_on": "all", "length": 5, "batch_size": 1,
             "lr": 1e-3, "pad_id": 0, "generator": generator()},
        accepts=(
            ("lr", "zero, tiny, huge", "any rate"),
            ("pad_id", "zero, negative, huge", "any id: it is not read"),
        ),
        parts=("ids", "answer"),
    ),
    "alignment.SFTTrainer.fit": Example(
        lambda: (
            alignment.SFTTrainer(things.gpt(), examples(), batch_size=2).fit,
            {"steps": 1, "progress": False, "clip_norm": 1.0, "accumulate": 1, "schedule": lambda step: 1.0},
        ),
        accepts=(
            ("clip_norm", "kind: None, huge, tiny", "any norm above 0, or no bound"),
            ("schedule", "kind: None", "the optimizer's own rate"),
        ),
    ),
    "alignment.accuracy_by_gap": Example(
        lambda: {"margins": floats(5), "gaps": floats(5).abs(), "edges": [0.0, 0.5, 1.0]},
        accepts=(("*", *VALUES), ("edges", "item *", "any increasing numbers")),
    ),
    "alignment.calibration": Example(
        lambda: {"margins": floats(5), "edges": [0.0, 0.5, 1.0]},
        accepts=(("*", *VALUES), ("margins", "empty 0, longer 0", "any number of pairs"),
                 ("edges", "item negative, item zero, item tiny", "any increasing numbers")),
    ),
    "alignment.best_of_n": Example(
        lambda: (
            alignment.best_of_n,
            {"model": things.gpt(), "reward": reward, "prompts": ids(2, 3), "n": 2, "max_new_tokens": 3,
             "stop_id": STOP, "attention_mask": yes(2, 3), "generator": generator()},
        ),
        accepts=(("stop_id", "zero", "an id"),),
        parts=("ids", "stop_ids", "context_length"),
    ),
    "alignment.best_of_n_kl": Example(lambda: {"n": 4}),
    "alignment.collate": Example(
        lambda: {"prompts": PROMPTS, "completions": ANSWERS, "pad_id": 0},
        accepts=(("*", *ANY_IDS), ("pad_id", "zero, negative, huge", "any id: it is not read")),
    ),
    "alignment.collate_pairs": Example(
        lambda: {"prompts": PROMPTS, "chosen": ANSWERS, "rejected": ANSWERS[::-1], "pad_id": 0},
        accepts=(("*", *ANY_IDS), ("pad_id", "zero, negative, huge", "any id: it is not read")),
    ),
    "alignment.completion_log_probs": Example(
        lambda: {"model": things.gpt(), "completions": completions(), "temperature": 1.0},
        accepts=(("temperature", "tiny, huge", "any number above 0"),),
    ),
    "alignment.policy_metrics": Example(
        lambda: {"policy": things.gpt(), "reference": things.gpt(), "completions": completions()},
    ),
    "alignment.dpo_loss": Example(
        lambda: {name: floats(3) for name in SIX} | {"beta": 0.1, "label_smoothing": 0.1},
        accepts=(("*chosen", *LOSS_VALUES), ("*rejected", *LOSS_VALUES),
                 ("beta", "tiny, huge", "any number above 0"), ("label_smoothing", *SWITCHED_OFF)),
    ),
    "alignment.generalized_advantage_estimation": Example(
        lambda: {"rewards": floats(2, 5), "values": floats(2, 5), "attention_mask": yes(2, 5)}
        | {"gamma": 0.9, "lam": 0.9},
        accepts=(("rewards", *LOSS_VALUES), ("values", *LOSS_VALUES), ("gamma", *SWITCHED_OFF),
                 ("lam", *SWITCHED_OFF)),
    ),
    "alignment.generate_completions": Example(
        lambda: {"model": things.gpt(), "prompts": ids(2, 3), "max_new_tokens": 3, "stop_id": STOP,
             "attention_mask": yes(2, 3), "temperature": 1.0, "samples": 2, "generator": generator()},
        accepts=(("stop_id", "zero", "an id"), ("temperature", "zero, tiny, huge", "greedy, or nearly")),
        parts=("ids", "stop_ids", "context_length"),
    ),
    "alignment.group_advantages": Example(
        lambda: {"rewards": floats(3, 4), "normalize": True},
        accepts=(("rewards", *LOSS_VALUES), ("rewards", "longer *, transposed", "any number of groups, of any size"),
                 ("rewards", "device", things.META)),
    ),
    "alignment.grpo_loss": Example(
        lambda: {"log_probs": floats(2, 5), "old_log_probs": floats(2, 5), "reference_log_probs": floats(2, 5),
             "advantages": floats(2), "attention_mask": yes(2, 5), "clip": 0.2, "kl_coefficient": 0.1},
        accepts=(("*log_probs", *LOSS_VALUES), ("advantages", *LOSS_VALUES), ("clip", "inf", "no clipping"),
                 ("clip", "tiny, huge", "any number above 0"), ("kl_coefficient", "zero, tiny, huge", "any weight")),
    ),
    "alignment.kl_penalized_rewards": Example(
        lambda: {"rewards": floats(2), "log_probs": floats(2, 5), "reference_log_probs": floats(2, 5),
             "attention_mask": yes(2, 5), "coefficient": 0.1},
        accepts=(("*log_probs", *LOSS_VALUES), ("rewards", *LOSS_VALUES),
                 ("coefficient", "zero, tiny, huge", "any weight")),
    ),
    "alignment.mean_answer_nll": Example(
        lambda: {"model": things.gpt(), "examples": examples(), "batch_size": 1, "pad_id": 0},
        accepts=(("pad_id", "zero, negative, huge", "any id: it is not read"),),
        parts=("ids", "answer"),
    ),
    "alignment.sft_loss": Example(
        lambda: {"model": things.gpt(), "rows": alignment.pack(examples()), "loss_on": "answer"},
        parts=("ids", "answer"),
    ),
    "alignment.whiten": Example(
        lambda: {"advantages": floats(2, 5), "attention_mask": yes(2, 5)},
        accepts=(("advantages", *LOSS_VALUES),),
    ),
    "alignment.pack": Example(
        lambda: {"examples": examples(), "length": 5, "pad_id": 0},
        accepts=(("pad_id", "zero, negative, huge", "any id: it is not read"),),
    ),
    "alignment.ppo_policy_loss": Example(
        lambda: {"log_probs": floats(2, 5), "old_log_probs": floats(2, 5), "advantages": floats(2, 5),
             "attention_mask": yes(2, 5), "clip": 0.2},
        accepts=(("*log_probs", *LOSS_VALUES), ("advantages", *LOSS_VALUES), ("clip", "inf", "no clipping"),
                 ("clip", "tiny, huge", "any number above 0")),
    ),
    "alignment.ppo_value_loss": Example(
        lambda: {"values": floats(2, 5), "old_values": floats(2, 5), "returns": floats(2, 5),
             "attention_mask": yes(2, 5), "clip": 0.2},
        accepts=(("*values", *LOSS_VALUES), ("returns", *LOSS_VALUES), ("clip", "inf", "no clipping"),
                 ("clip", "tiny, huge", "any number above 0")),
    ),
    "alignment.preference_loss": Example(
        lambda: {"chosen_rewards": floats(3), "rejected_rewards": floats(3), "margin": 0.1},
        accepts=(("*_rewards", *LOSS_VALUES), ("margin", "negative, zero, tiny, huge", "any margin")),
    ),
    "alignment.prompt_and_answer": Example(
        lambda: {"prompt": [4, 5], "answer": [3, STOP]},
        accepts=(("*", "item zero, item huge", "the model checks its ids"),
                 ("*", "empty", "`pack` checks examples")),
    ),
    "alignment.ranking_pairs": Example(
        lambda: {"ranking": ["good", "fair", "bad"]},
        accepts=(("ranking", "empty, item *, kind: str", "a ranking of anything"),),
    ),
    "alignment.token_log_probs": Example(
        lambda: {"logits": floats(2, 3, 13), "ids": ids(2, 3)},
        accepts=(("logits", *VALUES), ("logits", "longer 2", "any vocabulary that holds the ids")),
    ),
}  # fmt: skip


def _world():
    return world.ReplyWorld()


def _world_model():
    return things.gpt(vocab_size=len(_world().vocabulary), context_length=64)


def _said():
    """A reply to each of two prompts."""
    each = _world()
    rows = [each.encode(("the", "plot", "was", "good", ".")), each.encode(("go", "away", "."))]
    return alignment.collate(each.prompts[:2].tolist(), rows)


def _chat_model():
    return things.gpt(vocab_size=len(town.TownChat().vocabulary), context_length=64)


TURN = town_data.Turn(
    town_data.Question("home", "the home of ada", "oslo"), "what is the home of ada ?", "it is oslo ."
)
TRIPLE = (("film", "brief", ":"), ("go", "away", "."), ("who", "cares", "."))


def _label_file():
    return labels.LabelFile(Path(tempfile.mkdtemp(dir=things.folder())) / "labels.json")


EXAMPLES |= {
    "alignment.world.ReplyWorld.encode": Example(
        lambda: (_world().encode, {"reply": ("go", "away", ".")}),
        accepts=(("reply", "empty", "the stop token alone"),),
        parts=("tokens",),
    ),
    "alignment.world.ReplyWorld.examples": Example(lambda: (_world().examples, {"n": 3, "split": "test"})),
    "alignment.world.ReplyWorld.pairs": Example(
        lambda: (_world().pairs, {"comparisons": [TRIPLE]}), parts=("tokens", "chosen", "prompts", "rejected")
    ),
    "alignment.world.ReplyWorld.words": Example(lambda: (_world().words, {"completions": _said()})),
    "alignment.world.ReplyWorld.judge": Example(
        lambda: (_world().judge, {"reward": lambda prompt, reply: 1.0}),
        accepts=(("reward", "returns None", "found when it is called"),),
    ),
    "alignment.world.ReplyWorld.true_rewards": Example(lambda: (_world().true_rewards, {"completions": _said()})),
    "alignment.world.ReplyWorld.ill_formed": Example(lambda: (_world().ill_formed, {"completions": _said()})),
    "alignment.world.ReplyWorld.sample": Example(
        lambda: (_world().sample, {"model": _world_model(), "n": 1, "generator": generator()}),
        parts=("stop_ids", "prompts", "ids"),
    ),
    "alignment.world.ReplyWorld.win_rate": Example(
        lambda: (_world().win_rate, {"rewards": floats(32), "rival_rewards": floats(16)}),
        accepts=(("*", *VALUES), ("*", "float16", "any floating-point dtype")),
    ),
    "alignment.town.TownChat": Example(
        lambda: {"vocabulary": town.TownChat().vocabulary, "template": alignment.CHATML}
    ),
    "alignment.town.TownChat.encode": Example(
        lambda: (town.TownChat().encode, {"text": "what is it ?"}),
        accepts=(("text", "empty", "no tokens"),),
        parts=("tokens",),
    ),
    "alignment.town.TownChat.decode": Example(
        lambda: (town.TownChat().decode, {"ids": [9, 10, 11]}),
        accepts=(("ids", "empty, item zero, item kind: bool", "no tokens, or the first two, as lists are indexed"),),
    ),
    "alignment.town.TownChat.stream": Example(
        lambda: (town.TownChat().stream, {"documents": ["what is it ?"]}),
        accepts=(("documents", "empty, item empty", "no documents, or one without words"),),
        parts=("tokens",),
    ),
    "alignment.town.TownChat.examples": Example(
        lambda: (town.TownChat().examples, {"turns": [TURN]}), accepts=(("turns", "empty", "no turns"),)
    ),
    "alignment.town.TownChat.prompts": Example(
        lambda: (town.TownChat().prompts, {"turns": [TURN]}), accepts=(("turns", "empty", "no turns"),)
    ),
    "alignment.town.TownChat.continue_texts": Example(
        lambda: (
            town.TownChat().continue_texts,
            {"model": _chat_model(), "texts": ["what is it ?"], "max_new_tokens": 2},
        ),
        accepts=(("max_new_tokens", "zero", "nothing new"),),
        parts=("tokens", "stop_ids", "ids"),
    ),
    "alignment.town.TownChat.accuracy": Example(
        lambda: (town.TownChat().accuracy, {"model": _chat_model(), "turns": [TURN], "tool": town.calculator}),
        accepts=(("tool", "returns None", "it is asked only when the model calls it"),),
        parts=("stop_ids", "ids"),
    ),
    "alignment.town.calculator": Example(
        lambda: {"call": "4 + 3"}, accepts=(("call", "empty, other text", "gives the word error"),)
    ),
    "alignment.labels.LabelFile": Example(
        lambda: {"path": _label_file().path}, accepts=(("path", "missing", "it is written with the first choice"),)
    ),
    "alignment.labels.LabelFile.add": Example(
        lambda: (_label_file().add, {"prompt": "p", "a": "x", "b": "y", "preferred": "a"}),
        accepts=(("prompt", "empty, other text", "any text"), ("[ab]", "empty, other text", "any text")),
    ),
    "alignment.labels.LabelFile.has": Example(
        lambda: (_label_file().has, {"prompt": "p", "a": "x", "b": "y"}),
        accepts=(("prompt", "empty, other text", "any text"), ("[ab]", "empty, other text", "any text")),
    ),
    "alignment.labels.label_widget": Example(
        lambda: {"questions": [("p", "x", "y")], "labels": _label_file(), "on_choice": lambda choice: None},
        accepts=(
            ("on_choice", "returns None", "what it returns is not looked at"),
            ("questions", "item item empty, item item other text", "any text"),
        ),
    ),
}


def _with_lora():
    model = things.gpt()
    lora.add_lora(model, rank=2)
    return model


def _lora_layer():
    torch.manual_seed(0)
    return lora.LoRALinear(torch.nn.Linear(5, 7), 2)


def _merged():
    model = _with_lora()
    return {"model": model, "layers": lora.merge_lora(model)}


def _inside(model):
    with lora.lora_disabled(model):
        return [layer.weight for layer in lora.lora_layers(model).values()]


_LORA = {"rank": 2, "alpha": 4.0, "dropout": 0.1}
_LORA_ACCEPTS = (("alpha", "tiny, huge", "any number above 0"), ("dropout", "zero, tiny", "no dropout"))

EXAMPLES |= {
    "alignment.lora.LoRALinear": Example(
        lambda: {"base": torch.nn.Linear(5, 7), **_LORA},
        accepts=(*_LORA_ACCEPTS, ("base", "another model", "any plain linear layer")),
    ),
    "alignment.lora.LoRALinear.forward": Example(
        lambda: (_lora_layer().forward, {"x": floats(2, 3, 5)}),
        accepts=(("x", *VALUES), ("x", "*", "any shape (..., in)")),
        refuses=(("x", "longer 2"), ("x", "float16")),
    ),
    "alignment.lora.add_lora": Example(
        lambda: {"model": things.gpt(), "targets": ["q_proj", "up"], **_LORA}, accepts=_LORA_ACCEPTS
    ),
    "alignment.lora.lora_layers": Example(
        lambda: {"model": _with_lora()}, accepts=(("model", "another model", "it has none"),)
    ),
    "alignment.lora.lora_disabled": Example(lambda: (_inside, {"model": _with_lora()})),
    "alignment.lora.merge_lora": Example(lambda: {"model": _with_lora()}),
    "alignment.lora.unmerge_lora": Example(lambda: _merged()),
    "alignment.lora.save_lora": Example(
        lambda: {"folder": things.folder() / "saved", "model": _with_lora(), "base": "a model"},
        accepts=(("folder", "missing", "it is made"), ("base", "empty, other text", "any text")),
    ),
    "alignment.lora.load_lora": Example(
        lambda: {"folder": lora.save_lora(things.folder() / "adapter", _with_lora()),
                                  "model": things.gpt()},
        parts=("adapter_config.json",),
    ),
}  # fmt: skip
