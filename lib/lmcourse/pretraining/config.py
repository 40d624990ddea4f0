"""The config file of a pretraining: TOML with the sizes of a `GPT`, its tokens, and how it is trained.

    [model]                 # the fields of GPTConfig; vocab_size is that of the tokens, or more
    embed_dim = 128
    [data]
    tokens = "tokens"       # a folder that `lmcourse data tokenize` has written
    [training]              # the fields of TrainingSettings
    out = "run"
    max_steps = 1000
    batch_size = 32

All that is wrong with a file is told at once.
"""

import dataclasses
import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from lmcourse import checks
from lmcourse.models import GPTConfig

SECTIONS = ("model", "data", "training")


class ConfigError(ValueError):
    """What is wrong with a config file, one line for each fault."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a model is trained.

    Attributes:
        out: a folder for the training state, the history and the trained model.
        max_steps: updates of the weights.
        batch_size: windows of context_length tokens in a step: of all processes, and of all that is accumulated.
        accumulate: batches whose gradients are added up in a step: more of them need less memory.
        optimizer: "adamw" or "muon".
        lr: of the optimizer; by default 1e-3 for AdamW, 0.02 for Muon.
        adamw_lr: of what Muon leaves to AdamW: embeddings, head, gains and biases.
        weight_decay: of matrices.
        schedule: "cosine", "linear" or "constant", the last two after the warm-up too.
        warmup: steps of a linear rise.
        final: the last learning rate as a share of the highest.
        clip_norm: a longer gradient is scaled down to this norm; 0 for none.
        precision: "float32", "bfloat16" or "auto", as in `fit`.
        compile: compile the layers with torch.compile.
        compile_whole: compile the whole model and its loss as one instead; the logits of all tokens are then held.
        recompute: keep only the inputs of the layers, and compute the rest again in the backward pass: a quarter
            slower, and less memory.
        prefetch: read the next batch while the step is computed, into memory from which a GPU copies without waiting.
        gather_every: steps after which the losses are taken from the device; see `fit`.
        strategy: "single" for one process; "ddp": each process holds the model; "fsdp": each holds a part of it.
        seed: of weights, order of the text, and dropout.
        validate_every, checkpoint_every: steps; by default a tenth of max_steps.
        validation_tokens: read at each validation. After the last step all of the validation text is.
    """

    out: str
    max_steps: int
    batch_size: int
    accumulate: int = 1
    optimizer: Literal["adamw", "muon"] = "adamw"
    lr: float | None = None
    adamw_lr: float = 3e-3
    weight_decay: float = 0.1
    schedule: Literal["cosine", "linear", "constant"] = "cosine"
    warmup: int = 0
    final: float = 0.1
    clip_norm: float = 1.0
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    compile: bool = False
    compile_whole: bool = False
    recompute: bool = False
    prefetch: bool = False
    gather_every: int = 1
    strategy: Literal["single", "ddp", "fsdp"] = "ddp"
    seed: int = 0
    validate_every: int | None = None
    checkpoint_every: int | None = None
    validation_tokens: int = 100_000

    def __post_init__(self) -> None:
        checks.instance(str, out=self.out)
        checks.not_empty(out=self.out)
        checks.whole(max_steps=self.max_steps, at_least=1)
        checks.whole(batch_size=self.batch_size, at_least=1)
        checks.whole(accumulate=self.accumulate, at_least=1)
        checks.divides(accumulate=self.accumulate, batch_size=self.batch_size)
        checks.one_of(("adamw", "muon"), optimizer=self.optimizer)
        if self.lr is not None:
            checks.number(lr=self.lr, above=0.0)
        checks.number(adamw_lr=self.adamw_lr, above=0.0)
        checks.number(weight_decay=self.weight_decay, at_least=0.0)
        checks.one_of(("cosine", "linear", "constant"), schedule=self.schedule)
        checks.whole(warmup=self.warmup, at_least=0)
        if self.warmup >= self.max_steps:
            raise ValueError(
                f"`warmup` must be less than `max_steps`, got warmup={self.warmup}, max_steps={self.max_steps}."
            )
        checks.number(final=self.final, at_least=0.0, at_most=1.0)
        checks.number(clip_norm=self.clip_norm, at_least=0.0)
        checks.one_of(("auto", "float32", "bfloat16"), precision=self.precision)
        checks.instance(bool, compile=self.compile, compile_whole=self.compile_whole)
        checks.instance(bool, recompute=self.recompute, prefetch=self.prefetch)
        checks.whole(gather_every=self.gather_every, at_least=1)
        checks.one_of(("single", "ddp", "fsdp"), strategy=self.strategy)
        checks.whole(seed=self.seed, at_least=0, below=2**32)
        for name in ("validate_every", "checkpoint_every"):
            if getattr(self, name) is not None:
                checks.whole(at_least=1, **{name: getattr(self, name)})
        checks.whole(validation_tokens=self.validation_tokens, at_least=2)


@dataclass(frozen=True)
class PretrainingConfig:
    """What a config file says, checked but for what depends on the tokens and on the number of processes.

    Attributes:
        model: with vocab_size 1 if the file gives none.
        vocab_size: as the file gives it.
        tokens: the folder of the tokens.
        training: see `TrainingSettings`.
        out: the folder for what the training writes.
    """

    model: GPTConfig
    vocab_size: int | None
    tokens: Path
    training: TrainingSettings
    out: Path

    def batch_size_of(self, processes: int) -> int:
        """Return the windows that each of some processes reads at a time.

        Raises:
            ConfigError: the batch cannot be divided so.
        """
        checks.whole(processes=processes, at_least=1)
        training = self.training
        parts = training.accumulate * processes
        faults = []
        if training.strategy == "single" and processes > 1:
            faults.append(f"`strategy` must be 'ddp' or 'fsdp' for {processes} processes, got strategy='single'.")
        if training.batch_size % parts:
            faults.append(
                "`batch_size` must be a multiple of `accumulate` times `processes`, got "
                f"batch_size={training.batch_size}, accumulate={training.accumulate}, processes={processes}."
            )
        if faults:
            raise ConfigError("\n".join(f"[training] {fault}" for fault in faults))
        return training.batch_size // parts


def read_config(path: str | os.PathLike[str]) -> PretrainingConfig:
    """Return what a config file says; folders in it are relative to the folder of the file.

    Raises:
        ConfigError: the file is missing, not TOML, or has unknown, missing or impossible settings; all are listed.
    """
    checks.file_path(path=path)
    path = Path(path)
    try:
        raw = path.read_bytes()
        content = tomllib.loads(raw.decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"`path` must be that of a config file: {path}: {error.strerror}.") from error
    except ValueError as error:  # TOMLDecodeError, UnicodeDecodeError
        if b"\0" in raw:
            raise ConfigError(
                f"{path} must be UTF-8, got UTF-16 or UTF-32, which is what `>` writes in older PowerShells: there, "
                f"use `| Out-File -Encoding utf8 {path.name}`."
            ) from error
        raise ConfigError(f"{path} is not TOML: {error}.") from error
    faults = [
        f"[{name}] is not a section{_meant(name, SECTIONS)}; there are {', '.join(SECTIONS)}."
        for name in content
        if name not in SECTIONS
    ]
    tables = {name: content.get(name, {}) for name in SECTIONS}
    for name, table in tables.items():
        if not isinstance(table, dict):
            faults.append(f"[{name}] must be a section, got {name} = {table!r}.")
            tables[name] = {}
    given = tables["model"].get("vocab_size")
    model = _build(GPTConfig, "model", {"vocab_size": 1, **tables["model"]}, faults)
    _build(_Data, "data", tables["data"], faults)
    training = _build(TrainingSettings, "training", tables["training"], faults)
    if faults or model is None or training is None:
        raise ConfigError("\n".join([f"{path.name} cannot be used:", *(f"- {fault}" for fault in faults)]))
    return PretrainingConfig(model, given, path.parent / tables["data"]["tokens"], training, path.parent / training.out)


def preset_names() -> list[str]:
    """Return the names of the config files that come with the library."""
    return sorted(file.name.removesuffix(".toml") for file in _presets().iterdir() if file.name.endswith(".toml"))


def preset_text(name: str) -> str:
    """Return a config file that comes with the library.

    Raises:
        ValueError: there is none of this name.
    """
    checks.one_of(preset_names(), name=name)
    return (_presets() / f"{name}.toml").read_text(encoding="utf-8")


def _presets() -> Any:
    return resources.files("lmcourse.pretraining") / "presets"


@dataclass(frozen=True)
class _Data:
    tokens: str

    def __post_init__(self) -> None:
        checks.instance(str, tokens=self.tokens)
        checks.not_empty(tokens=self.tokens)


def _build(kind: Any, section: str, values: Mapping[str, Any], faults: list[str]) -> Any:
    """Return a dataclass of these values, or None after adding to `faults` all that is wrong with them.

    Such a class stops at the first fault, and its message begins with the name of the field. So that field is put aside
    and the rest is tried again.
    """
    fields = {field.name: field for field in dataclasses.fields(kind)}
    known = {name: value for name, value in values.items() if name in fields}
    own = [f"`{name}` is no setting{_meant(name, fields)}." for name in values if name not in fields]
    missing = [name for name, field in fields.items() if field.default is dataclasses.MISSING and name not in known]
    own += [f"`{name}` is missing." for name in missing]
    made, aside = None, set(missing)
    stand_ins = dict.fromkeys(missing, 1 if kind is not _Data else "x") | ({"out": "x"} if "out" in missing else {})
    while made is None:
        try:
            made = partial(kind, **stand_ins)(**known)
        except (TypeError, ValueError) as error:
            name, *others = re.findall(r"`(\w+)`", str(error))
            if name not in known:
                break  # what is left is wrong only beside a field that was put aside
            if not aside & set(others):
                own.append(str(error))
            del known[name]
            aside.add(name)
            if fields[name].default is dataclasses.MISSING:
                stand_ins[name] = "x" if name in ("out", "tokens") else 10**9
    faults += [f"[{section}] {fault}" for fault in own]
    return None if own else made


def _meant(name: str, names: Any) -> str:
    near = difflib.get_close_matches(name, list(names), n=1)
    return f"; do you mean {near[0]}" if near else ""
