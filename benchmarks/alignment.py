"""A step of DPO, GRPO and PPO beside TRL's, at one shape and batch: `python -m benchmarks.alignment`.

Four layers 128 wide, 1,000 words, prompts of 16 tokens, replies of 32. DPO: 8 pairs. GRPO: 4 prompts with 4 replies
each. PPO: 16 prompts, 4 epochs. TRL's model is transformers' GPT-2 of the same sizes. After each step of theirs, ours
takes one; the median of the steps' ratios is compared, without the first two.

TRL is no dependency of the course: it brings datasets, pandas and pyarrow. For this benchmark alone, in an environment
of its own: `pip install -e . transformers trl==1.12.0` (it has PPO, in `trl.experimental.ppo`).

Both precisions of the matrix products are compared, bfloat16, which TRL trains in unless told otherwise, and float32,
on one thread and on two.

Where the time goes. DPO: TRL reads the batch with the reference at every step, ours once before the first; that is a
quarter of its work. PPO: TRL trains a whole second network for the values, ours a head on the policy, so that each of
the epochs has one forward and backward pass instead of two. GRPO: both sample, judge, read with the reference and step
once. TRL samples through `transformers.generate`, which plans and checks anew at every token, ours fills a cache in
place. And a prompt is read once for its group, when it is sampled from, judged, and learned from: a quarter of the
tokens less (of DPO's pairs a sixth). Sampling is two fifths of the step all the same, 31 small steps bound by memory
and by the count of operations, in any precision. The rest is products of matrices, the same for both: so GRPO's ratio
is a little below a half, and in float32, where the products take twice as long, above. All three of TRL's pass through
the Trainer, collators, padding and metrics of a general library, expensive for a small model and next to nothing for a
large one.
"""

import statistics
import tempfile
import time
from typing import Any

import torch

from benchmarks.rounds import Row, median_ratio, options, write_record
from lmcourse.alignment import (
    DPOConfig,
    DPOTrainer,
    GRPOConfig,
    GRPOTrainer,
    PPOConfig,
    PPOTrainer,
    RewardModel,
    collate_pairs,
)
from lmcourse.models import GPT, GPTConfig

SEED, VOCAB, WIDTH, HEADS, LAYERS, PROMPT, REPLY, STOP = 0, 1_000, 128, 4, 4, 16, 32, 0
PAIRS, GROUPS, GROUP, PROMPTS, EPOCHS = 8, 4, 4, 16, 4
LIMIT, WARM_UP = 0.5, 2


def ids(*sizes: int) -> torch.Tensor:
    """Token ids, none of them the stop token: replies run their whole length."""
    return torch.randint(2, VOCAB, sizes, generator=torch.Generator().manual_seed(SEED))


def our_model() -> GPT:
    torch.manual_seed(SEED)
    return GPT(GPTConfig(VOCAB, PROMPT + REPLY, WIDTH, HEADS, LAYERS))


def our_trainers(precision: str) -> dict[str, Any]:
    pairs = collate_pairs(*(part.tolist() for part in (ids(64, PROMPT), ids(64, REPLY), ids(64, REPLY).flip(1))))
    reward = RewardModel(our_model()).eval()
    sizes: dict[str, Any] = {"max_new_tokens": REPLY, "stop_id": STOP, "lr": 1e-5, "precision": precision}
    dpo = DPOConfig(batch_size=PAIRS, lr=1e-5, precision=precision)
    grpo = GRPOConfig(batch_size=GROUPS * GROUP, group_size=GROUP, **sizes)
    ppo = PPOConfig(batch_size=PROMPTS, epochs=EPOCHS, **sizes)
    return {
        "DPO": DPOTrainer(our_model(), pairs, dpo),
        "GRPO": GRPOTrainer(our_model(), reward.score, ids(GROUPS, PROMPT), grpo),
        "PPO": PPOTrainer(our_model(), reward.score, ids(PROMPTS, PROMPT), ppo),
    }


def take_turns(steps: int, precision: str) -> dict[str, tuple[list[float], list[float]]]:
    """Seconds of TRL's steps and of ours: at the end of each of theirs, called back, we take one."""
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        GPT2Config,
        GPT2ForSequenceClassification,
        GPT2LMHeadModel,
        PreTrainedTokenizerFast,
        TrainerCallback,
    )
    from trl import DPOConfig, GRPOConfig
    from trl import DPOTrainer as TheirDPO
    from trl import GRPOTrainer as TheirGRPO
    from trl.experimental.ppo import PPOConfig
    from trl.experimental.ppo import PPOTrainer as TheirPPO

    names = ["<eos>", "<pad>", *(f"w{n}" for n in range(2, VOCAB))]
    words = Tokenizer(models.WordLevel({name: n for n, name in enumerate(names)}, unk_token="<pad>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<eos>", pad_token="<pad>", unk_token="<pad>", padding_side="left"
    )

    def text(rows: torch.Tensor) -> list[str]:
        return [" ".join(f"w{n}" for n in row) for row in rows.tolist()]

    def config(**more: Any) -> GPT2Config:
        return GPT2Config(
            vocab_size=VOCAB, n_positions=PROMPT + REPLY + 2, n_embd=WIDTH, n_head=HEADS, n_layer=LAYERS,
            resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=0, pad_token_id=1, **more,
        )  # fmt: skip

    class Clock(TrainerCallback):
        def __init__(self, ours: Any) -> None:
            self.ours, self.began = ours, 0.0
            self.seconds: tuple[list[float], list[float]] = ([], [])

        def on_step_end(self, *_: Any, **__: Any) -> None:
            ended = time.perf_counter()
            self.seconds[0].append(ended - self.began)
            self.ours.fit(1, progress=False)
            self.began = time.perf_counter()
            self.seconds[1].append(self.began - ended)

    torch.manual_seed(SEED)
    seconds, trainers = {}, our_trainers(precision)
    with tempfile.TemporaryDirectory() as folder:
        common: dict[str, Any] = {
            "output_dir": folder, "use_cpu": True, "bf16": precision == "bfloat16", "report_to": "none",
            "save_strategy": "no", "logging_strategy": "no", "disable_tqdm": True, "learning_rate": 1e-5,
            "gradient_checkpointing": False,
        }  # fmt: skip

        def their_model() -> Any:
            """From a folder: TRL loads the reference from where the policy came from."""
            GPT2LMHeadModel(config()).save_pretrained(f"{folder}/model")
            return GPT2LMHeadModel.from_pretrained(f"{folder}/model", dtype=torch.float32)

        def dpo(clock: Clock) -> Any:
            rows = Dataset.from_dict(
                {
                    "prompt": text(ids(64, PROMPT)),
                    "chosen": [" " + t for t in text(ids(64, REPLY))],
                    "rejected": [" " + t for t in text(ids(64, REPLY).flip(1))],
                }
            )
            arguments = DPOConfig(per_device_train_batch_size=PAIRS, max_steps=steps + 1, **common)
            return TheirDPO(their_model(), args=arguments, train_dataset=rows, processing_class=tokenizer,
                            callbacks=[clock])  # fmt: skip

        def grpo(clock: Clock) -> Any:
            arguments = GRPOConfig(
                per_device_train_batch_size=GROUPS * GROUP, num_generations=GROUP, max_completion_length=REPLY,
                max_steps=steps + 1, beta=0.04, **common,
            )  # fmt: skip
            rows = Dataset.from_dict({"prompt": text(ids(GROUPS * (steps + 1), PROMPT))})
            return TheirGRPO(
                their_model(), reward_funcs=GPT2ForSequenceClassification(config(num_labels=1)),
                args=arguments, train_dataset=rows, processing_class=tokenizer,
                reward_processing_classes=tokenizer, callbacks=[clock],
            )  # fmt: skip

        def ppo(clock: Clock) -> Any:
            rows = Dataset.from_dict({"input_ids": ids(PROMPTS, PROMPT).tolist()})
            arguments = PPOConfig(
                per_device_train_batch_size=PROMPTS, num_mini_batches=1, num_ppo_epochs=EPOCHS, response_length=REPLY,
                total_episodes=PROMPTS * (steps + 1), num_sample_generations=0, **common,
            )  # fmt: skip
            return TheirPPO(
                args=arguments, processing_class=tokenizer, model=GPT2LMHeadModel(config()),
                ref_model=GPT2LMHeadModel(config()),
                reward_model=GPT2ForSequenceClassification(config(num_labels=1)),
                value_model=GPT2ForSequenceClassification(config(num_labels=1)), train_dataset=rows,
                eval_dataset=rows, callbacks=[clock],
            )  # fmt: skip

        for name, build in (("DPO", dpo), ("GRPO", grpo), ("PPO", ppo)):
            clock = Clock(trainers[name])
            build(clock).train()
            seconds[name] = clock.seconds
    return seconds


def main() -> None:
    parser = options(__doc__, rounds=3)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    rows: list[Row] = []
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for precision in ("bfloat16", "float32"):
            rows += compare(precision, arguments.rounds, arguments.steps)
    write_record(arguments.out, "alignment", rows, seed=SEED)


def compare(precision: str, rounds: int, steps: int) -> list[Row]:
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in ("DPO", "GRPO", "PPO")}
    for _ in range(rounds):
        for name, seconds in take_turns(steps, precision).items():
            for kept, new in zip(found[name], seconds, strict=True):
                kept.extend(new[WARM_UP:])
    rows: list[Row] = []
    threads = torch.get_num_threads()
    for name, (theirs, ours) in found.items():
        for who, of_each, limit in (("TRL", theirs, None), ("lmcourse", ours, LIMIT)):
            value, ratio = statistics.median(of_each), median_ratio(of_each, theirs)
            rows.append({"what": f"{name} step in {precision}", "threads": threads, "who": who,
                         "value": round(value, 4), "unit": "s", "ratio": round(ratio, 3), "limit": limit})  # fmt: skip
            bound = f"  (at most {limit})" if limit else ""
            print(f"{threads} threads {precision} {name:6}{who:10}{value:9.3f} s{ratio:8.2f}{bound}", flush=True)
    return rows


if __name__ == "__main__":
    main()
