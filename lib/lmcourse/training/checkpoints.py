"""Checkpoints: a trained model with its recipe.

A checkpoint is two files that belong together: NAME.safetensors holds the weights, NAME.json tells how they were made:
the model's config, its vocabulary, the command, seed, steps, machine, date and score, and the SHA-256 of the weights.
Reading them cannot run code (reading a pickle can).

The two are replaced as one. The new weights are first written under a name of their own; then the recipe, which names
their SHA-256, replaces the old one, and from that moment on the checkpoint is the new one; at last the weights are
renamed. A process that is killed in between leaves a checkpoint that loads, the old or the new.
"""

import dataclasses
import glob
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Protocol, runtime_checkable

import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor, nn

from lmcourse import atomic, checks
from lmcourse.models.weight_names import load_own_state, own_state, unwrapped, without_wrappers
from lmcourse.tokenizers import Vocabulary

FORMAT = "lmcourse-checkpoint-1"
FILLED_IN = ("format", "model", "config", "parameters", "vocabulary", "sha256")


class CheckpointError(RuntimeError):
    """A checkpoint is missing, damaged, foreign, or does not fit what it is loaded into."""


@runtime_checkable
class HasDict(Protocol):
    """A tokenizer that can be written as JSON values."""

    def to_dict(self) -> dict[str, Any]: ...


def save_checkpoint(
    path: str | Path,
    model: nn.Module,
    *,
    recipe: Mapping[str, Any] | None = None,
    vocabulary: Vocabulary | HasDict | Sequence[str] | None = None,
) -> Path:
    """Write the weights of `model` to PATH.safetensors and their recipe to PATH.json.

    Args:
        path: of the files, with or without the ending .safetensors; folders are made.
        model: tied weights are stored once. If it has a dataclass `config`, that goes into the recipe. What wraps it
            (`torch.compile`, `DataParallel`, DDP) leaves no trace.
        recipe: what a reader needs to reproduce it and to trust it: command, seed, steps, machine, date, score. JSON
            values, under names other than format, model, config, parameters, vocabulary and sha256.
        vocabulary: what the model's token ids mean; `load_checkpoint` compares it. A `Vocabulary` or a sequence of
            tokens is stored as the list of its tokens, a tokenizer as its `to_dict()`.

    Returns:
        The path of the weights.

    Raises:
        ValueError: a reserved name in `recipe`.
        TypeError: a recipe that JSON cannot hold, or a vocabulary of another kind.
        OSError: the files cannot be written; an old checkpoint of this name stays.
    """
    checks.instance(nn.Module, model=model)
    checks.instance((Mapping, NoneType), recipe=recipe)
    weights_path, recipe_path = _paths(path)
    reserved = set(FILLED_IN) & set(recipe or {})
    if reserved:
        raise ValueError(f"`recipe` must not use the names {sorted(reserved)}; save_checkpoint fills them in.")
    tensors, aliases = _distinct(own_state(model))
    blob = safetensors.torch.save(tensors, {"format": FORMAT, "aliases": json.dumps(aliases)})
    digest = hashlib.sha256(blob).hexdigest()
    content: dict[str, Any] = {
        "format": FORMAT,
        "model": type(unwrapped(model)).__name__,
        "config": _plain(getattr(unwrapped(model), "config", None)),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        **(recipe or {}),
        "vocabulary": _stored_vocabulary(vocabulary),
        "sha256": digest,
    }
    try:
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise TypeError(f"`recipe` must hold JSON values only: {error}.") from error
    _replace_both(weights_path, recipe_path, blob, text, digest)
    return weights_path


def read_recipe(path: str | Path) -> dict[str, Any]:
    """Return the recipe of a checkpoint; build the model from its "config", then `load_checkpoint`.

    Its "vocabulary" is a list of tokens for a `Vocabulary`, or what `tokenizers.tokenizer_from_dict` reads.

    Raises:
        CheckpointError: there is no recipe, or it is damaged, or `save_checkpoint` did not write it.
    """
    recipe_path = _paths(path)[1]
    try:
        content = json.loads(recipe_path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(
            f"`path` must be that of a checkpoint, but its recipe {recipe_path.name} is missing."
        ) from error
    except OSError as error:
        raise CheckpointError(f"{recipe_path.name} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"the recipe {recipe_path.name} is damaged: {error}.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        got = content.get("format") if isinstance(content, dict) else type(content).__name__
        raise CheckpointError(f"{recipe_path.name} must be a recipe of format {FORMAT!r}, got {got!r}.")
    missing = [name for name in FILLED_IN if name not in content]
    if missing:
        raise CheckpointError(f"the recipe {recipe_path.name} is damaged: {', '.join(missing)} missing.")
    return content


def load_checkpoint(
    path: str | Path, model: nn.Module, *, vocabulary: Vocabulary | HasDict | Sequence[str] | None = None
) -> dict[str, Any]:
    """Load weights into `model` and return their recipe.

    Args:
        path: as given to `save_checkpoint`.
        model: built to the recipe's config, wrapped or not; filled in place, on the device where it is.
        vocabulary: what the caller encodes with. A checkpoint with another vocabulary is refused: it would load
            without complaint and generate nonsense.

    Raises:
        CheckpointError: missing, damaged or foreign files; other names or shapes; another vocabulary. The model is
            then as it was.
    """
    checks.instance(nn.Module, model=model)
    weights_path = _paths(path)[0]
    recipe = read_recipe(path)
    blob = _read_weights(weights_path, str(recipe["sha256"]))
    if vocabulary is not None:
        _compare_vocabularies(recipe["vocabulary"], _stored_vocabulary(vocabulary))
    tensors, header = parse_safetensors(blob, weights_path.name, FORMAT)
    try:
        for name, first in json.loads(header["aliases"]).items():
            tensors[name] = tensors[first]
    except (KeyError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise CheckpointError(f"{weights_path.name} is damaged: its contents do not fit together.") from error
    wanted = own_state(model)
    tensors = {name if name in wanted else without_wrappers(name): tensor for name, tensor in tensors.items()}
    _compare_shapes(weights_path.name, tensors, wanted, type(model).__name__)
    load_own_state(model, tensors)
    return recipe


def parse_safetensors(blob: bytes, name: str, expected: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Return the tensors in the bytes of a safetensors file, and the metadata in its header.

    Raises:
        CheckpointError: the bytes (of the file with this name) are no such file, or not of the format expected.
    """
    try:
        tensors = safetensors.torch.load(blob)
        length = int.from_bytes(blob[:8], "little")
        metadata = json.loads(blob[8 : 8 + length]).get("__metadata__") or {}
    except (SafetensorError, ValueError, KeyError, RecursionError) as error:
        raise CheckpointError(f"{name} is damaged or no safetensors file: {error}.") from error
    if metadata.get("format") != expected:
        raise CheckpointError(f"{name} must be of format {expected!r}, got {metadata.get('format')!r}.")
    return tensors, metadata


def _plain(config: Any) -> dict[str, Any] | None:
    if dataclasses.is_dataclass(config) and not isinstance(config, type):
        return dataclasses.asdict(config)
    return None


def _paths(path: str | Path) -> tuple[Path, Path]:
    checks.file_path(path=path)
    path = Path(path)
    stem = path.with_suffix("") if path.suffix in (".safetensors", ".json") else path
    return stem.with_name(stem.name + ".safetensors"), stem.with_name(stem.name + ".json")


def _waiting(weights_path: Path, digest: str) -> Path:
    """The name of new weights until they are renamed."""
    return weights_path.with_name(f".{weights_path.stem}.{digest[:16]}.safetensors")


def _replace_both(weights_path: Path, recipe_path: Path, blob: bytes, text: str, digest: str) -> None:
    weights_path.parent.mkdir(parents=True, exist_ok=True)
    waiting = _waiting(weights_path, digest)
    try:
        atomic.write(waiting, blob)
        atomic.write(recipe_path, text)  # from here on the checkpoint is the new one
        waiting.replace(weights_path)
    except BaseException:
        if not recipe_path.exists() or digest not in recipe_path.read_text(encoding="utf-8", errors="replace"):
            waiting.unlink(missing_ok=True)
        raise
    for left in weights_path.parent.glob(f".{glob.escape(weights_path.stem)}.{'?' * 16}.safetensors"):
        left.unlink(missing_ok=True)  # of a process that was killed


def _read_weights(weights_path: Path, digest: str) -> bytes:
    """Return the weights that the recipe names, wherever a process that was killed has left them."""
    found = False
    for path in (weights_path, _waiting(weights_path, digest), weights_path):  # renamed meanwhile, perhaps
        try:
            blob = path.read_bytes()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise CheckpointError(f"{path.name} cannot be read: {error.strerror}.") from error
        found = True
        if hashlib.sha256(blob).hexdigest() == digest:
            return blob
    if not found:
        raise CheckpointError(f"`path` must be that of a checkpoint, but its weights {weights_path.name} is missing.")
    raise CheckpointError(f"{weights_path.name} is damaged: its SHA-256 is not the one in {weights_path.stem}.json.")


def _distinct(state: Mapping[str, Tensor]) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Split a state dict into tensors that share no memory and the names that stand for another one."""
    tensors: dict[str, Tensor] = {}
    aliases: dict[str, str] = {}
    seen: dict[tuple[Any, ...], str] = {}
    for name, tensor in state.items():
        key = (tensor.device, tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype)
        if tensor.numel() and key in seen:
            aliases[name] = seen[key]
        else:
            seen[key] = name
            tensors[name] = tensor.detach().to("cpu", copy=True).contiguous()
    return tensors, aliases


def _compare_shapes(file: str, stored: Mapping[str, Tensor], wanted: Mapping[str, Tensor], kind: str) -> None:
    missing, surplus = sorted(wanted.keys() - stored.keys()), sorted(stored.keys() - wanted.keys())
    if missing or surplus:
        raise CheckpointError(
            f"`model` must be the one of {file}, got {kind}: missing {missing[:5]}, not known {surplus[:5]}."
        )
    for name, tensor in wanted.items():
        shape, got = tuple(tensor.shape), tuple(stored[name].shape)
        if got != shape:
            raise CheckpointError(f"`model` must be the one of {file}: {name} must have shape {shape}, got {got}.")


def _stored_vocabulary(vocabulary: Vocabulary | HasDict | Sequence[str] | None) -> list[str] | dict[str, Any] | None:
    """A vocabulary or tokenizer as JSON values."""
    if vocabulary is None:
        return None
    if isinstance(vocabulary, Vocabulary):
        return list(vocabulary.tokens)
    if isinstance(vocabulary, HasDict):
        return json.loads(json.dumps(vocabulary.to_dict()))  # as it is read back: lists, not tuples
    if isinstance(vocabulary, Mapping) and "format" in vocabulary:
        return dict(vocabulary)  # as a recipe has it
    tokens = list(vocabulary) if isinstance(vocabulary, Sequence) and not isinstance(vocabulary, str | bytes) else None
    if tokens is None or not all(isinstance(token, str) for token in tokens):
        raise TypeError(
            "`vocabulary` must be a Vocabulary, a tokenizer with `to_dict`, or a sequence of str, "
            f"got {type(vocabulary).__name__}."
        )
    return tokens


def _compare_vocabularies(stored: Any, given: Any) -> None:
    if stored is None:
        raise CheckpointError("the vocabularies cannot be compared: the checkpoint was saved without one.")
    if stored == given:
        return
    if not isinstance(stored, list) or not isinstance(given, list):
        kinds = [value.get("format", "a dict") if isinstance(value, dict) else "tokens" for value in (stored, given)]
        raise CheckpointError(
            f"`vocabulary` must be the checkpoint's: {kinds[0]} there, {kinds[1]} here, and they differ."
        )
    if len(stored) != len(given):
        raise CheckpointError(f"`vocabulary` must be the checkpoint's: {len(stored)} tokens there, {len(given)} here.")
    at = next(i for i, (a, b) in enumerate(zip(stored, given, strict=True)) if a != b)
    raise CheckpointError(
        f"`vocabulary` must be the checkpoint's: id {at} is {stored[at]!r} there, {given[at]!r} here."
    )
