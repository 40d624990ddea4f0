"""The comparisons of chapter 08, with small GPTs on Shakespeare: `python -m experiments.gpt_ablations`.

parts: one modern part at a time. positions: loss beyond the trained length. scaling: loss against parameters and
compute. memory: much text, little text, quoting it. order: the same model on damaged text. names: do the speakers of
a written scene come back (this one needs the checkpoints). Each writes
chapters/recorded/gpt-NAME.json. About 12 minutes on one core; killed and started again, it goes on with the runs that
are missing in `.proof/gpt-ablations.json`.
"""

import argparse
import copy
import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.provenance import provenance, write_run
from lmcourse import data, runtime
from lmcourse.generation import generate
from lmcourse.layers.attention import MultiHeadAttention
from lmcourse.layers.positions import RotaryPositionalEmbedding
from lmcourse.models import GPT, GPTConfig, RecurrentConfig, RecurrentLM
from lmcourse.tokenizers import BPETokenizer, Vocabulary
from lmcourse.training import (
    History,
    adamw,
    bits_per_byte,
    fit,
    linear_schedule,
    load_checkpoint,
    muon,
    read_recipe,
    token_batches,
)

VOCABULARY, ROWS, LENGTH, WARM_UP = 2048, 32, 64, 20
STATE, OUT = Path(".proof/gpt-ablations.json"), Path("chapters/recorded")


def _together(left_out: str = "") -> dict[str, Any]:
    """The options of all five changes at once, or of the other four."""
    return {option: value for name, options in ALL.items() if name != left_out for option, value in options.items()}


PLAIN = GPTConfig(VOCABULARY, LENGTH, embed_dim=96, num_heads=3, num_layers=2)
MODERN = replace(PLAIN, positions="rotary", norm="rms", activation="relu2", bias=False, qk_norm=True, zero_outputs=True)
ALL: dict[str, dict[str, Any]] = {
    "rotary positions": {"positions": "rotary"},
    "QK-norm": {"qk_norm": True},
    "squared ReLU": {"activation": "relu2"},
    "zero outputs": {"zero_outputs": True},
    "Muon": {"optimizer": "muon"},
}
PARTS: dict[str, dict[str, Any]] = (  # one change to GPT-2 at a time; five at once; four of the five
    {"as GPT-2": {}, "RMSNorm": {"norm": "rms"}, "SwiGLU": {"activation": "swiglu"}}
    | {"one key/value head": {"num_kv_heads": 1}}
    | ALL
    | {f"all but {left_out}": _together(left_out) for left_out in ALL}
    | {"all five": _together()}
)
SIZES = {(1, 32): 1, (1, 64): 2, (2, 96): 3, (3, 128): 4}  # (layers, width): heads


class AlibiAttention(MultiHeadAttention):
    """Causal self-attention that takes slope * distance off each score, without learning (Press et al., 2022)."""

    def forward(self, x: Tensor, *_: Any, **__: Any) -> Tensor:
        T, H = x.shape[1], self.num_heads
        query, key, value = (
            projected.unflatten(-1, (H, -1)).transpose(1, 2)
            for projected in (self.q_proj(x), self.k_proj(x), self.v_proj(x))
        )
        distance = torch.arange(T)[:, None] - torch.arange(T)  # (T, T)
        slopes = 2.0 ** (-8.0 / H * torch.arange(1, H + 1))
        bias = (-slopes[:, None, None] * distance).masked_fill(distance < 0, -torch.inf)  # (H, T, T)
        context = F.scaled_dot_product_attention(query, key, value, attn_mask=bias.to(query.dtype))
        return self.out_proj(context.transpose(1, 2).flatten(2))


class Task:
    """Shakespeare in the tokens of the chapter."""

    def __init__(self) -> None:
        self.texts = {split: data.load_text("shakespeare", split=split) for split in ("train", "valid")}
        self.tokenizer = BPETokenizer.train(self.texts["train"], VOCABULARY)
        self.ids = {split: torch.tensor(self.tokenizer.encode(text)) for split, text in self.texts.items()}
        self.held_out = self.ids["valid"][:40_000]
        self.glance = self.held_out[:10_000]  # for scores in the middle of a training

    def bits(self, model: GPT, ids: Tensor | None = None) -> float:
        ids = self.held_out if ids is None else ids
        return bits_per_byte(model.total_nll(ids, batch_size=64), len(self.tokenizer.decode_bytes(ids.tolist())))


def train(
    model: GPT,
    ids: Tensor,
    steps: int,
    *,
    seed: int,
    optimizer: str = "muon",
    decay: bool = True,
    validate: Callable[[GPT], float] | None = None,
    every: int | None = None,
    length: int = LENGTH,
) -> History:
    def schedule(step: int) -> float:
        return linear_schedule(step, max_steps=steps, warmup=WARM_UP) if decay else min(1.0, step / WARM_UP)

    rows = ROWS * LENGTH // length  # as many tokens a step, whatever the length
    return fit(
        model,
        token_batches(ids, rows, length, shuffle=True, generator=torch.Generator().manual_seed(seed)),
        lambda model, batch: model.loss(*batch),
        optimizer=muon(model, 0.02, adamw_lr=4e-3) if optimizer == "muon" else adamw(model, lr=4e-3),
        schedule=schedule,
        max_steps=steps,
        validate=validate,
        validate_every=every,
        precision="bfloat16",
        progress=False,
    )


def parameters_of(model: GPT) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def parts(task: Task, change: str, seed: int, steps: int = 240) -> dict[str, Any]:
    options = dict(PARTS[change])
    optimizer = options.pop("optimizer", "adamw")
    runtime.seed_everything(seed)
    model = GPT(replace(PLAIN, embed_dim=64, num_heads=2, **options))
    train(model, task.ids["train"], steps, seed=seed, optimizer=optimizer)
    return {"change": change, "seed": seed, "parameters": parameters_of(model), "bits": round(task.bits(model), 4)}


def positions(task: Task, kind: str, steps: int = 400) -> list[dict[str, Any]]:
    """Train at 64 tokens, then read windows of 256: the loss by position in the window."""
    runtime.seed_everything(0)
    if kind == "alibi":
        model = GPT(MODERN)
        for layer in model.layers:
            layer.attention = AlibiAttention(PLAIN.embed_dim, PLAIN.num_heads, bias=False)
            torch.nn.init.zeros_(layer.attention.out_proj.weight)
    else:
        kept = {"positions": kind, "qk_norm": kind == "rotary"}
        model = GPT(replace(MODERN, **kept, context_length=4 * LENGTH if kind == "learned" else LENGTH))
    train(model, task.ids["train"], steps, seed=0)
    windows = task.held_out[: 128 * (4 * LENGTH + 1)].view(128, -1)
    learned = model.positions.weight.numel() if model.config.positions == "learned" else 0
    rows = [{"positions": kind, "of_positions": learned, "nats": _by_position(model, windows)}]
    if kind == "rotary":
        for times in (1, 4):
            other = copy.deepcopy(model)
            for layer in other.layers:  # a larger base turns all pairs more slowly
                layer.attention.rotary = RotaryPositionalEmbedding(layer.attention.head_dim, base=10_000.0 * times)
            if times > 1:
                rows.append({"positions": f"rotary, base x {times}", "nats": _by_position(other, windows)})
            train(other, task.ids["train"], 40, seed=1, length=4 * LENGTH)
            name = f"rotary, base x {times}, 40 steps more" if times > 1 else "rotary, 40 steps more"
            rows.append({"positions": name, "nats": _by_position(other, windows)})
    return rows


@torch.no_grad()
def _by_position(model: GPT, windows: Tensor) -> list[float]:
    """Nats a token, for each 16 positions of the windows."""
    nats = F.cross_entropy(model(windows[:, :-1]).transpose(1, 2), windows[:, 1:], reduction="none")
    return [round(mean, 4) for mean in nats.view(len(windows), -1, 16).mean((0, 2)).tolist()]


def scaling(task: Task, layers: int, width: int, steps: int = 320) -> dict[str, Any]:
    runtime.seed_everything(0)
    model = GPT(replace(MODERN, num_layers=layers, embed_dim=width, num_heads=SIZES[layers, width]))
    history = train(
        model,
        task.ids["train"],
        steps,
        seed=0,
        decay=False,
        validate=lambda model: task.bits(model, task.glance),
        every=40,
    )
    inside = sum(parameter.numel() for parameter in model.layers.parameters())
    n = parameters_of(model)
    return {
        "layers": layers,
        "width": width,
        "parameters": n,
        "inside": inside,
        "tokens": [step * ROWS * LENGTH for step, _ in history.validation],
        "flops": [6.0 * n * step * ROWS * LENGTH for step, _ in history.validation],
        "bits": [round(value, 4) for _, value in history.validation],
    }


def memory(task: Task, share: int, steps: int = 400) -> dict[str, Any]:
    """Train on one part of `share`, and see what is held out, what was learned, and what is quoted."""
    runtime.seed_everything(0)
    ids = task.ids["train"][: len(task.ids["train"]) // share]
    model = GPT(MODERN)
    history = train(model, ids, steps, seed=0, validate=lambda model: task.bits(model, task.glance), every=40)
    return {
        "share": share,
        "tokens": len(ids),
        "epochs": round(steps * ROWS * LENGTH / len(ids), 2),
        "bits": [[step, round(value, 4)] for step, value in history.validation],
        "train_bits": round(task.bits(model, ids[:20_000]), 4),
        "quoted": _quoted(model, ids),
        "quoted_held_out": _quoted(model, task.held_out),
    }


def _quoted(model: GPT, ids: Tensor, prompts: int = 128, given: int = 16, wanted: int = 12) -> float:
    """The share of passages of which the model, given 16 tokens, writes the next 12 by heart."""
    starts = torch.linspace(0, len(ids) - given - wanted, prompts).long()
    passages = ids[starts[:, None] + torch.arange(given + wanted)]
    written = generate(model, passages[:, :given], wanted, temperature=0.0)
    return round(float((written == passages).all(1).double().mean()), 4)


def order(task: Task, kind: str, steps: int = 400) -> dict[str, Any]:
    """Train on text that was damaged, of the same size; score on the text as it is."""
    draw = random.Random(0)
    runtime.seed_everything(0)
    model = GPT(MODERN)
    ids = torch.tensor(task.tokenizer.encode(DAMAGES[kind](task.texts["train"], draw)))
    train(model, ids, steps, seed=0)
    return {"text": kind, "bits": round(task.bits(model), 4)}


def _mixed_words(line: str, draw: random.Random) -> str:
    words = line.split(" ")
    draw.shuffle(words)
    return " ".join(words)


def _mixed_lines(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    draw.shuffle(lines)
    return "\n".join(lines)


def _typos(text: str, draw: random.Random) -> str:
    return "".join(
        draw.choice("abcdefghijklmnopqrstuvwxyz") if c.isalpha() and draw.random() < 0.1 else c for c in text
    )


DAMAGES: dict[str, Callable[[str, random.Random], str]] = {
    "as it is": lambda text, draw: text,
    "lines in random order": _mixed_lines,
    "one letter in ten is another": _typos,
    "words of each line in random order": lambda text, draw: "\n".join(
        _mixed_words(line, draw) for line in text.split("\n")
    ),
}


def names(task: Task, model_name: str, n_samples: int = 8, n_characters: int = 1_200) -> dict[str, Any]:
    """Let a trained model write scenes, and count the speeches under a name that was used before in the same scene."""
    generator = runtime.seed_everything(0)
    if model_name == "the plays":
        text = task.texts["valid"]
        starts = torch.linspace(3_000, len(text) - n_characters, n_samples).long().tolist()
        samples = [text[start : start + n_characters] for start in starts]
    elif model_name.startswith("GPT"):
        recipe = read_recipe("chapters/checkpoints/gpt")
        model = GPT(GPTConfig(**recipe["config"]))
        load_checkpoint("chapters/checkpoints/gpt", model)
        prompt = torch.tensor([task.tokenizer.encode("\n\n")] * n_samples)
        written = generate(model, prompt, n_characters * 2 // 5, generator=generator)
        samples = [task.tokenizer.decode(row.tolist())[:n_characters] for row in written]
    else:
        recipe = read_recipe("chapters/checkpoints/char_lstm")
        lstm = RecurrentLM(RecurrentConfig(**recipe["config"]))
        load_checkpoint("chapters/checkpoints/char_lstm", lstm)
        vocabulary = Vocabulary(recipe["vocabulary"])
        start = torch.tensor([vocabulary.encode("\n\n")] * n_samples)
        drawn = generate(lstm, start, n_characters, generator=generator)
        samples = ["".join(vocabulary.tokens[i] for i in row) for row in drawn.tolist()]
    speeches = returning = 0
    for sample in samples:
        called = re.findall(r"^([A-Z][A-Z ]+)\.$", sample, re.MULTILINE)
        speeches += len(called)
        returning += sum(name in called[:n] for n, name in enumerate(called))
    return {
        "model": model_name,
        "samples": n_samples,
        "characters": n_characters,
        "speeches": speeches,
        "returning": round(returning / max(speeches, 1), 4),
        "sample": samples[0][:600],
    }


RUNS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "positions": (positions, [("learned",), ("sinusoidal",), ("alibi",), ("rotary",)]),
    "order": (order, [(kind,) for kind in DAMAGES]),
    "memory": (memory, [(1,), (16,), (64,)]),
    "scaling": (scaling, list(SIZES)),
    "names": (names, [("the plays",), ("GPT, 4 layers x 256",), ("character LSTM, 640 wide",)]),
    "parts": (parts, [(change, seed) for seed in (0, 1) for change in PARTS]),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(RUNS)}; all by default")
    parser.add_argument("--state", type=Path, default=STATE)
    arguments = parser.parse_args()
    done: dict[str, Any] = json.loads(arguments.state.read_text()) if arguments.state.exists() else {}
    task = Task()
    for name in arguments.names or RUNS:
        function, settings = RUNS[name]
        rows: list[Any] = []
        for setting in settings:
            key = json.dumps([name, *setting])
            if key not in done:
                done[key] = function(task, *setting)
                arguments.state.parent.mkdir(parents=True, exist_ok=True)
                arguments.state.write_text(json.dumps(done))
            rows += done[key] if isinstance(done[key], list) else [done[key]]
            print(name, *setting, str(done[key])[:160], flush=True)
        record = {"name": f"gpt-{name}"} | provenance(f"python -m experiments.gpt_ablations {name}", seed=0)
        record |= {"tokens_per_step": ROWS * LENGTH, "trained_length": LENGTH, "ln2": math.log(2), "rows": rows}
        write_run(OUT / f"gpt-{name}.json", record)


if __name__ == "__main__":
    main()
