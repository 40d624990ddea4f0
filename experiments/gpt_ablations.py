"""The comparisons of chapter 08, with small GPTs on Shakespeare: `python -m experiments.gpt_ablations NAME`.

parts: one modern part at a time. positions: loss beyond the trained length. memory: much text, little text, quoting
it. quoting: the same little text, models of several sizes. characters: sub-words beside characters. order: the same
model on damaged text. names: do the speakers of a written scene come back. They need the checkpoints, and write
chapters/recorded/gpt-NAME.json. About 20 minutes on one core for all; killed and started again, one goes on with the
runs that are missing in `.proof/gpt-ablations.json`.
"""

import copy
import json
import math
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from experiments.pretrained import kept_bpe, kept_gpt, kept_lstm
from experiments.recording import STATES, Kept, Record, launch, n_parameters, train
from lmcourse import data, runtime
from lmcourse.generation import generate
from lmcourse.layers.positions import RotaryPositionalEmbedding, SinusoidalPositions
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import History, adamw, bits_per_byte, linear_schedule, muon, token_batches

VOCABULARY, ROWS, LENGTH, WARM_UP = 2048, 32, 64, 20


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
POSITIONS = ("learned", "sinusoidal", "sinusoidal, scaled", "none", "alibi", "rotary")
FOR_POSITIONS: dict[str, Any] = {"tokens": 16 * LENGTH, "precision": "float32"}
SIZES = {(1, 32): 1, (1, 64): 2, (2, 96): 3, (3, 128): 4}  # (layers, width): heads


class Task:
    """Shakespeare in the tokens of chapter 08."""

    def __init__(self) -> None:
        self.texts = {split: data.load_text("shakespeare", split=split) for split in ("train", "valid")}
        self.tokenizer = kept_bpe()
        self.ids = {split: torch.tensor(self.tokenizer.encode(text)) for split, text in self.texts.items()}
        self.held_out = self.ids["valid"][:40_000]
        self.glance = self.held_out[:10_000]  # for scores in the middle of training

    def bits(self, model: GPT, ids: Tensor | None = None) -> float:
        ids = self.held_out if ids is None else ids
        n_bytes = len(self.tokenizer.decode_bytes(ids.tolist()))
        return round(bits_per_byte(model.total_nll(ids, batch_size=64), n_bytes), 4)


def muon_of(model: GPT, rate: float = 0.02) -> torch.optim.Optimizer:
    return muon(model, rate, adamw_lr=4e-3, bfloat16=True)


def learn(
    model: GPT,
    ids: Tensor,
    steps: int,
    seed: int,
    *,
    optimizer: torch.optim.Optimizer | None = None,
    length: int = LENGTH,
    tokens: int = ROWS * LENGTH,
    share: float = 1.0,
    precision: str = "bfloat16",
    **options: Any,
) -> History:
    """Train on windows of a text, by Muon if nothing else is said.

    Args:
        tokens: in each step, whatever the length.
        share: of the learning rate.
        options: others of `fit`.
    """
    batches = token_batches(ids, tokens // length, length, shuffle=True, generator=torch.Generator().manual_seed(seed))
    falling = {"schedule": lambda step: share * linear_schedule(step, max_steps=steps, warmup=WARM_UP)}
    return train(model, batches, steps, optimizer or muon_of(model), precision=precision, **(falling | options))


def parts(task: Task, change: str, seed: int, steps: int = 240) -> dict[str, Any]:
    options = dict(PARTS[change])
    by_muon = options.pop("optimizer", "adamw") == "muon"
    runtime.seed_everything(seed)
    model = GPT(replace(PLAIN, embed_dim=64, num_heads=2, **options))
    learn(model, task.ids["train"], steps, seed, optimizer=None if by_muon else adamw(model, lr=4e-3))
    return {"change": change, "seed": seed, "parameters": n_parameters(model), "bits": task.bits(model)}


class ScaledSinusoids(SinusoidalPositions):
    """Sinusoids as large as the embeddings are at the start: a root mean square of 0.02, not of 0.7."""

    def forward(self, x: Tensor, offset: int | Tensor = 0) -> Tensor:
        return x + 0.02 * math.sqrt(2) * (super().forward(torch.zeros_like(x), offset))


def positions(task: Task, kind: str, seed: int, steps: int = 400) -> list[dict[str, Any]]:
    """Train at 64 tokens, then read windows of 256: the loss by position. All but the kind of positions is equal."""
    runtime.seed_everything(seed)
    of_config: Any = {"none": "sinusoidal", "sinusoidal, scaled": "sinusoidal"}.get(kind, kind)
    length = 4 * LENGTH if kind == "learned" else LENGTH
    model = GPT(replace(MODERN, positions=of_config, context_length=length))
    if kind == "none":
        model.positions = None
    elif kind == "sinusoidal, scaled":
        model.positions = ScaledSinusoids(PLAIN.embed_dim)
    learn(model, task.ids["train"], steps, seed, **FOR_POSITIONS)
    windows = task.held_out[: 128 * (4 * LENGTH + 1)].view(128, -1)
    rows = [{"positions": kind, "seed": seed, "nats": _by_position(model, windows)}]
    if kind == "rotary":
        rows += [{"seed": seed} | row for row in _extended(task, model, windows, seed)]
    return rows


def _extended(task: Task, model: GPT, windows: Tensor, seed: int, steps: int = 80) -> list[dict[str, Any]]:
    """Read further with rotary positions: a larger base, and some more training at a fifth of the rate.

    As a control, the same number of steps at the old length.
    """
    rows = []
    for times, length in ((4, 0), (1, LENGTH), (1, 4 * LENGTH), (4, 4 * LENGTH)):
        other: Any = copy.deepcopy(model)
        name = "rotary" + (f", base x {times}" if times > 1 else "")
        for layer in other.layers:  # a larger base turns all pairs but the first more slowly
            layer.attention.rotary = RotaryPositionalEmbedding(layer.attention.head_dim, base=10_000.0 * times)
        if length:
            learn(other, task.ids["train"], steps, seed + 1, length=length, share=0.2, **FOR_POSITIONS)
            name += f", {steps} steps more at {length}"
        rows.append({"positions": name, "nats": _by_position(other, windows)})
    return rows


@torch.no_grad()
def _by_position(model: GPT, windows: Tensor) -> list[float]:
    """Nats a token, for each 16 positions of the windows."""
    nats = F.cross_entropy(model(windows[:, :-1]).transpose(1, 2), windows[:, 1:], reduction="none")
    return [round(mean, 4) for mean in nats.view(len(windows), -1, 16).mean((0, 2)).tolist()]


def memory(task: Task, share: int, steps: int = 400) -> dict[str, Any]:
    """Train on one part of `share`, and see what is held out, what was learned, and what is quoted."""
    runtime.seed_everything(0)
    ids = task.ids["train"][: len(task.ids["train"]) // share]
    model = GPT(MODERN)
    history = learn(model, ids, steps, 0, validate=lambda model: task.bits(model, task.glance), validate_every=40)
    return {
        "share": share,
        "tokens": len(ids),
        "epochs": round(steps * ROWS * LENGTH / len(ids), 2),
        "bits": [list(pair) for pair in history.validation],
        "train_bits": task.bits(model, ids[:20_000]),
        "quoted": _quoted(model, ids),
        "quoted_held_out": _quoted(model, task.held_out),
    }


def quoting(task: Task, layers: int, width: int, steps: int = 400) -> dict[str, Any]:
    """Train models of several sizes on the same 256th of the text: how much of it do they quote?"""
    runtime.seed_everything(0)
    ids = task.ids["train"][: len(task.ids["train"]) // 256]
    model = GPT(replace(MODERN, num_layers=layers, embed_dim=width, num_heads=SIZES[layers, width]))
    learn(model, ids, steps, 0, tokens=8 * LENGTH, precision="float32")
    return {
        "layers": layers,
        "width": width,
        "parameters": n_parameters(model),
        "tokens": len(ids),
        "train_bits": task.bits(model, ids),
        "quoted": _quoted(model, ids),
    }


def characters(task: Task, kind: str, steps: int = 300) -> dict[str, Any]:
    """The same blocks on sub-words and on characters, for as many FLOPs; a window of characters is twice as long."""
    runtime.seed_everything(0)
    n_bytes = len(task.tokenizer.decode_bytes(task.held_out.tolist()))  # one a character in these texts
    if kind == "sub-words":
        model, ids, held_out, length = GPT(MODERN), task.ids["train"], task.held_out, LENGTH
    else:
        vocabulary, length = Vocabulary.build(task.texts["train"]), 2 * LENGTH
        ids = torch.tensor(vocabulary.encode(task.texts["train"]))
        held_out = torch.tensor(vocabulary.encode(task.texts["valid"][:n_bytes]))
        model = GPT(replace(MODERN, vocab_size=len(vocabulary), context_length=length))
        steps = round(steps * n_parameters(GPT(MODERN)) / n_parameters(model))
    learn(model, ids, steps, 0, **FOR_POSITIONS | {"length": length})
    n, tokens, nats = n_parameters(model), steps * 16 * LENGTH, model.total_nll(held_out, batch_size=64)
    return {
        "tokens": kind,
        "parameters": n,
        "tokens_read": tokens,
        "bytes_read": round(tokens * len(task.texts["train"].encode()) / len(ids)),
        "flops": 6.0 * n * tokens,
        "perplexity": round(math.exp(nats / (len(held_out) - 1)), 2),
        "bits": round(bits_per_byte(nats, n_bytes), 4),
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
    learn(model, ids, steps, 0)
    return {"text": kind, "bits": task.bits(model)}


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

    def written(model: Any, start: list[int], n_tokens: int) -> list[list[int]]:
        rows: list[list[int]] = generate(
            model, torch.tensor([start] * n_samples), n_tokens, generator=generator
        ).tolist()
        return rows

    if model_name == "the plays":
        text = task.texts["valid"]
        starts = torch.linspace(3_000, len(text) - n_characters, n_samples).long().tolist()
        samples = [text[start : start + n_characters] for start in starts]
    elif model_name.startswith("GPT"):
        rows = written(kept_gpt(), task.tokenizer.encode("\n\n"), n_characters * 2 // 5)
        samples = [task.tokenizer.decode(row)[:n_characters] for row in rows]
    else:
        lstm, vocabulary = kept_lstm()
        rows = written(lstm, vocabulary.encode("\n\n"), n_characters)
        samples = ["".join(vocabulary.tokens[i] for i in row) for row in rows]
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


RUNS: dict[str, tuple[Callable[..., Any], Iterable[tuple[Any, ...]]]] = {
    "positions": (positions, [(kind, seed) for seed in (0, 1, 2) for kind in POSITIONS]),
    "quoting": (quoting, SIZES),
    "characters": (characters, [("sub-words",), ("characters",)]),
    "order": (order, [(kind,) for kind in DAMAGES]),
    "memory": (memory, [(1,), (16,), (64,)]),
    "names": (names, [("the plays",), ("GPT, 4 layers x 256",), ("character LSTM, 640 wide",)]),
    "parts": (parts, [(change, seed) for seed in (0, 1) for change in PARTS]),
}


def run(name: str) -> None:
    function, settings = RUNS[name]
    kept, task, record = Kept(STATES / "gpt-ablations.json"), Task(), Record(f"gpt-{name}", trained_length=LENGTH)
    for setting in settings:
        found = kept.once(json.dumps([name, *setting]), partial(function, task, *setting))
        record.extend(found if isinstance(found, list) else [found])
    record.write()


if __name__ == "__main__":
    launch(__doc__, {name: partial(run, name) for name in RUNS})
