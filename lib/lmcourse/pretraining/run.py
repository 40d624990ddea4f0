"""One pretraining: what a config file asks for, on this process or, under torchrun, on many.

OUT/run.json                 what is trained on what; a resumption must fit it
OUT/state                    the training state (a folder where the model is sharded)
OUT/history.json             losses, validations, the score
OUT/model.safetensors, .json the trained model
"""

import ctypes
import dataclasses
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, cast

import numpy as np
import torch
from filelock import FileLock, Timeout
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from lmcourse import checks, json_files, runtime
from lmcourse.models import GPT, GPTConfig
from lmcourse.pretraining.config import ConfigError, PretrainingConfig
from lmcourse.pretraining.shards import TokenShards
from lmcourse.pretraining.windows import prefetched, window_batches
from lmcourse.training import (
    CheckpointError,
    History,
    adamw,
    autocast,
    bits_per_byte,
    cosine_schedule,
    distributed,
    fit,
    linear_schedule,
    muon,
    save_checkpoint,
    sharded,
)

SCORED_AT_ONCE = 1 << 20  # tokens of the validation text
LOCK_S = 10.0  # a process that was just killed may still be ending


class StoppedError(RuntimeError):
    """The training was asked to stop, and has written a checkpoint."""


def pretrain(config: PretrainingConfig, *, progress: bool = True) -> dict[str, Any]:
    """Train a GPT as a config says; resume if it has begun before. Under torchrun, every process calls it.

    Args:
        config: of `read_config`.
        progress: show a bar.

    Returns:
        "history" (a `History`), "bits_per_byte" of the validation text, "bytes" of it that were scored, and "model",
        the path of the weights.

    Raises:
        ConfigError: the config does not fit the tokens or the number of processes.
        TokensError: the tokens are missing or damaged.
        CheckpointError: there is a training state of another run in `out`.
        StoppedError: the process was sent SIGTERM. The training state is written.
        RuntimeError: the loss is not finite.
    """
    checks.instance(PretrainingConfig, config=config)
    is_alone = int(os.environ.get("WORLD_SIZE", "1")) == 1 and config.training.strategy != "fsdp"
    if "TORCHELASTIC_RUN_ID" in os.environ:
        _end_with_parent()
    with nullcontext() if is_alone else distributed.process_group(), _terminated() as stop, _alone_in(config):
        return _pretrain(config, stop, progress)


def _pretrain(config: PretrainingConfig, stop: Callable[[], bool], progress: bool) -> dict[str, Any]:
    training, rank, processes = config.training, distributed.rank(), distributed.world_size()
    own_batch = config.batch_size_of(processes)
    tokens = {split: TokenShards(config.tokens, split) for split in ("train", "valid")}
    _check_fits(config, tokens, own_batch * processes)
    _check_same_run(config, tokens["train"])

    device = runtime.device()
    if device.type == "mps" and processes > 1:
        device = torch.device("cpu")  # gloo does not join Apple's GPUs
    runtime.seed_everything(training.seed)
    model = build_model(config, config.vocab_size or tokens["train"].vocab_size, device)
    runtime.seed_everything((training.seed + 7919 * rank) % 2**32)  # dropout differs between processes

    length = config.model.context_length
    batches = window_batches(
        tokens["train"], own_batch * processes, length, seed=training.seed, rank=rank, world_size=processes
    )
    history = fit(
        model,
        prefetched(batches, pin=device.type == "cuda") if training.prefetch else batches,
        build_loss(config),
        optimizer=build_optimizer(config, model),
        schedule=_schedule(config),
        max_steps=training.max_steps,
        clip_norm=training.clip_norm or None,
        accumulate=training.accumulate,
        validate=lambda model: _score(model, tokens["valid"], config, training.validation_tokens)[0],
        validate_every=training.validate_every,
        precision=training.precision,
        progress=progress,
        checkpoint=config.out / "state",
        checkpoint_every=training.checkpoint_every,
        stop=stop,
        gather_every=training.gather_every,
    )
    if len(history) < training.max_steps:
        raise StoppedError(
            f"stopped by SIGTERM after step {len(history)} of {training.max_steps}; the training state is written. "
            "The same command goes on from there."
        )
    score, n_bytes = _score(model, tokens["valid"], config, len(tokens["valid"]))
    return _write_results(config, model, tokens["train"], history, score, n_bytes)


def _check_fits(config: PretrainingConfig, tokens: dict[str, TokenShards], windows: int) -> None:
    """Raise ConfigError, with all that is wrong, unless the config fits the tokens."""
    length, train, valid = config.model.context_length, tokens["train"], tokens["valid"]
    faults = []
    if config.vocab_size is not None and config.vocab_size < train.vocab_size:
        faults.append(
            f"[model] `vocab_size` must be at least {train.vocab_size}, that of the tokens, got {config.vocab_size}."
        )
    if (len(train) - 1) // length < windows:
        faults.append(
            f"[training] `batch_size` must leave a batch of {windows} windows of {length} tokens "
            f"({windows * length + 1:,} tokens), but the text has {len(train):,}."
        )
    if len(valid) < 2:
        faults.append("[data] `tokens` must hold text for validation: see --valid and --valid-share.")
    if faults:
        raise ConfigError("\n".join(faults))


def _as_json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _check_same_run(config: PretrainingConfig, tokens: TokenShards) -> None:
    """Raise CheckpointError if `out` is of a run on other tokens, or of another model; else note what this run is."""
    path, training = config.out / "run.json", config.training
    this = {
        "vocabulary": tokens.digest,
        "tokens": len(tokens),
        "model": dataclasses.asdict(config.model) | {"vocab_size": config.vocab_size or tokens.vocab_size},
        "training": {name: getattr(training, name) for name in ("batch_size", "optimizer", "seed")},
    }
    try:
        there = json_files.read(path)
    except FileNotFoundError:
        there = None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{error}") from error
    distributed.barrier()  # all have looked before the first one writes
    if there is None or not (config.out / "state").exists():
        if distributed.rank() == 0:
            json_files.write(path, this)
        return
    if not isinstance(there, dict) or there.keys() != this.keys():
        raise CheckpointError(f"{path} is damaged: it must say what was trained.")
    faults = []
    if there["vocabulary"] != this["vocabulary"]:
        faults.append("its vocabulary is another one than that of the tokens")
    elif there["tokens"] != this["tokens"]:
        faults.append(f"it was trained on {there['tokens']} tokens, here are {this['tokens']}")
    defaults = {field.name: field.default for field in dataclasses.fields(GPTConfig)}  # of what came after that run
    for section in ("model", "training"):
        ours, theirs = cast(dict, this[section]), defaults | cast(dict, there[section])
        faults += [
            f"`{name}` is {theirs.get(name)!r} there, {value!r} here"
            for name, value in ours.items()
            if _as_json(theirs.get(name)) != _as_json(value)
        ]
    if faults:
        raise CheckpointError(f"{config.out} has the training state of another run: {'; '.join(faults)}.")


def build_model(config: PretrainingConfig, vocab_size: int, device: torch.device) -> GPT:
    """Return a fresh model, compiled and sharded as the config says."""
    model = GPT(dataclasses.replace(config.model, vocab_size=vocab_size)).to(device)
    for layer in model.layers:
        if config.training.recompute:
            layer.forward = partial(checkpoint, layer.forward, use_reentrant=False)
        if config.training.compile and not config.training.compile_whole:
            layer.compile()
    if config.training.strategy == "fsdp":
        from torch.distributed.fsdp import fully_shard, register_fsdp_forward_method

        for layer in model.layers:
            fully_shard(layer)
        fully_shard(model)  # what is left: embeddings, last norm, head
        for method in ("loss", "total_nll"):
            register_fsdp_forward_method(model, method)
    return model


def build_loss(config: PretrainingConfig) -> Callable[[Any, Any], Tensor]:
    """Return the loss that `fit` calls, compiled with the model in it if the config says so."""

    def loss(model: GPT, batch: tuple[Tensor, Tensor]) -> Tensor:
        return model.loss(*batch)

    return torch.compile(loss) if config.training.compile_whole else loss


def build_optimizer(config: PretrainingConfig, model: nn.Module) -> torch.optim.Optimizer:
    """Return the optimizer that the config asks for."""
    training = config.training
    if training.optimizer == "muon":
        return muon(
            model,
            training.lr or 0.02,
            adamw_lr=training.adamw_lr,
            weight_decay=training.weight_decay,
        )
    return adamw(model, training.lr or 1e-3, betas=(0.9, 0.95), weight_decay=training.weight_decay)


def _schedule(config: PretrainingConfig) -> Callable[[int], float]:
    training = config.training
    options: dict[str, Any] = {"max_steps": training.max_steps, "warmup": training.warmup}
    if training.schedule == "cosine":
        return partial(cosine_schedule, final=training.final, **options)
    return partial(linear_schedule, final=1.0 if training.schedule == "constant" else training.final, **options)


def _score(model: GPT, tokens: TokenShards, config: PretrainingConfig, limit: int) -> tuple[float, int]:
    """Return the bits per byte of the first tokens of a text, and how many bytes they are; all processes share it."""
    lengths = _token_bytes(tokens)
    part = (distributed.rank(), distributed.world_size())
    nats, n_bytes = 0.0, 0
    device = next(model.parameters()).device
    for start in range(0, min(limit, len(tokens)) - 1, SCORED_AT_ONCE):
        ids = tokens[start : min(start + SCORED_AT_ONCE + 1, limit, len(tokens))]
        with torch.no_grad(), autocast(config.training.precision, device)():
            nats += model.total_nll(torch.from_numpy(ids).to(device), part=part)
        n_bytes += int(lengths[ids[1:]].sum())
    return bits_per_byte(distributed.mean(nats, device) * distributed.world_size(), n_bytes), n_bytes


def _token_bytes(tokens: TokenShards) -> np.ndarray:
    """Return how many bytes of text each id stands for: none if it is a special token."""
    tokenizer = tokens.tokenizer
    special = set(tokenizer.special_tokens.values())
    return np.array([0 if n in special else len(tokenizer.decode_bytes([n])) for n in range(tokenizer.vocab_size)])


def _write_results(
    config: PretrainingConfig, model: GPT, tokens: TokenShards, history: History, score: float, n_bytes: int
) -> dict[str, Any]:
    """Write the history and the whole model, in the first process."""
    whole: dict[str, Tensor] | None = sharded.whole_state_dict(model) if distributed.is_sharded(model) else None
    path = config.out / "model.safetensors"
    if distributed.rank() == 0:
        json_files.write(config.out / "history.json", history.to_dict() | {"bits_per_byte": score, "bytes": n_bytes})
        if whole is not None:
            model = GPT(model.config)
            model.load_state_dict(whole)
        recipe = {"seed": config.training.seed, "steps": len(history), "valid_bits_per_byte": score}
        path = save_checkpoint(path, model, recipe=recipe, vocabulary=tokens.tokenizer)
    distributed.barrier()
    return {"history": history, "bits_per_byte": score, "bytes": n_bytes, "model": path}


@contextmanager
def _alone_in(config: PretrainingConfig) -> Iterator[None]:
    """Keep other trainings from writing to the same folder; the lock ends with the process, however that ends."""
    lock = FileLock(config.out / ".lock")
    free = True
    if distributed.rank() == 0:
        config.out.mkdir(parents=True, exist_ok=True)
        try:
            lock.acquire(timeout=LOCK_S)
        except Timeout:
            free = False
    if not distributed.gathered_objects(free)[0]:
        raise CheckpointError(f"{config.out} is in use: another training is writing to it.")
    try:
        yield
    finally:
        lock.release()


def _end_with_parent() -> None:
    """Have the kernel kill this process when torchrun dies: on its own it would go on, beside its successor."""
    if sys.platform == "linux":
        set_parent_death_signal = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


@contextmanager
def _terminated() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether the process was sent SIGTERM; until the context ends, it does not end it."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # only that one may set handlers
        yield lambda: False
        return
    before = signal.signal(signal.SIGTERM, lambda number, _: received.append(number))
    try:
        yield lambda: bool(received)
    finally:
        signal.signal(signal.SIGTERM, before)
