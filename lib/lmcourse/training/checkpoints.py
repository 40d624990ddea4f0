"""Checkpoints: a trained model with its recipe, and the state of a training that can go on.

A *checkpoint* is two files that belong together: NAME.safetensors holds the weights, NAME.json how they came about:
the model's config, its vocabulary, the command, seed, steps, machine, date and score. A *training state* is one
safetensors file with all that the next step depends on. Neither can run code when it is read (pickle can), and each
is written beside its place and then moved there, so that a kill leaves the old file or the new one, whole.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save as safetensors_bytes
from torch import Tensor, nn

from lmcourse import atomic

FORMAT = "lmcourse-checkpoint-1"
STATE_FORMAT = "lmcourse-training-state-1"


class CheckpointError(RuntimeError):
    """A checkpoint is missing, damaged, foreign, or does not fit what it is loaded into."""


def save_checkpoint(
    path: str | Path,
    model: nn.Module,
    *,
    recipe: Mapping[str, Any] | None = None,
    vocabulary: Sequence[str] | None = None,
) -> Path:
    """Write the weights of `model` to PATH.safetensors and their recipe to PATH.json.

    Args:
        path: where to, with or without the ending .safetensors; folders are made.
        model: tied weights are stored once. If it has a dataclass `config`, that goes into the recipe.
        recipe: what a reader needs to make it again and to trust it: command, seed, steps, machine, date, score.
            JSON values under names other than format, model, config, vocabulary, parameters, sha256.
        vocabulary: the tokens by id, if the model has a vocabulary; `load_checkpoint` compares it.

    Returns:
        The path of the weights.

    Raises:
        ValueError: a reserved name in `recipe`.
        TypeError: a recipe that JSON cannot hold.
    """
    weights_path, recipe_path = _paths(path)
    reserved = {"format", "model", "config", "vocabulary", "parameters", "sha256"} & set(recipe or {})
    if reserved:
        raise ValueError(f"`recipe` must not use the names {sorted(reserved)}; save_checkpoint fills them in.")
    config = getattr(model, "config", None)
    tensors, aliases = _distinct(model.state_dict())
    blob = safetensors_bytes(tensors, {"format": FORMAT, "aliases": json.dumps(aliases)})
    content: dict[str, Any] = {
        "format": FORMAT,
        "model": type(model).__name__,
        "config": _plain(config),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        **(recipe or {}),
        "vocabulary": None if vocabulary is None else list(vocabulary),
        "sha256": hashlib.sha256(blob).hexdigest(),
    }
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    _write(weights_path, blob)
    _write(recipe_path, text.encode())
    return weights_path


def read_recipe(path: str | Path) -> dict[str, Any]:
    """Return the recipe beside a checkpoint; build the model from its "config", then `load_checkpoint`.

    Raises:
        CheckpointError: no recipe there, or one that `save_checkpoint` did not write.
    """
    recipe_path = _paths(path)[1]
    try:
        content = json.loads(recipe_path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(f"no recipe beside the checkpoint: {recipe_path.name} is missing.") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CheckpointError(f"the recipe {recipe_path.name} is damaged: {error}.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        got = content.get("format") if isinstance(content, dict) else type(content).__name__
        raise CheckpointError(f"{recipe_path.name} must be a recipe of format {FORMAT!r}, got {got!r}.")
    return content


def load_checkpoint(path: str | Path, model: nn.Module, *, vocabulary: Sequence[str] | None = None) -> dict[str, Any]:
    """Load weights into `model` and return their recipe.

    Args:
        path: as given to `save_checkpoint`.
        model: built to the recipe's config; filled in place, on the device where it is.
        vocabulary: the tokens by id that the caller encodes with. A checkpoint with another vocabulary is refused:
            it would load without complaint and talk nonsense.

    Raises:
        CheckpointError: missing, damaged or foreign files; other names or shapes; another vocabulary. The model is
            then as it was.
    """
    weights_path, recipe_path = _paths(path)
    recipe = read_recipe(path)
    try:
        blob = weights_path.read_bytes()
    except FileNotFoundError as error:
        raise CheckpointError(f"no such checkpoint: {weights_path.name} is missing.") from error
    if hashlib.sha256(blob).hexdigest() != recipe.get("sha256"):
        raise CheckpointError(f"{weights_path.name} is damaged: its SHA-256 is not the one in {recipe_path.name}.")
    if vocabulary is not None:
        _compare_vocabularies(recipe["vocabulary"], list(vocabulary))
    tensors, header = _read(weights_path, FORMAT)
    for name, first in json.loads(header["aliases"]).items():
        tensors[name] = tensors[first]
    _compare_shapes(weights_path.name, {k: tuple(v.shape) for k, v in tensors.items()}, model)
    model.load_state_dict(tensors)
    return recipe


def save_training_state(path: str | Path, tree: Mapping[str, Any]) -> None:
    """Write a nested dict, list or tuple of tensors and JSON values to one file, atomically.

    Every tensor, also one inside a list, is stored bit by bit; floats keep all their digits.
    """
    tensors: dict[str, Tensor] = {}
    skeleton = _flatten(tree, "", tensors)
    header = {"format": STATE_FORMAT, "tree": json.dumps(skeleton)}
    _write(Path(path), safetensors_bytes(tensors, header))


def load_training_state(path: str | Path) -> dict[str, Any]:
    """Return what `save_training_state` was given; tensors are on the CPU.

    Raises:
        CheckpointError: missing, damaged or foreign.
    """
    tensors, header = _read(Path(path), STATE_FORMAT)
    try:
        return _restore(json.loads(header["tree"]), tensors)
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{Path(path).name} is damaged: its contents do not fit together.") from error


def _plain(config: Any) -> dict[str, Any] | None:
    if dataclasses.is_dataclass(config) and not isinstance(config, type):
        return dataclasses.asdict(config)
    return None


def _paths(path: str | Path) -> tuple[Path, Path]:
    path = Path(path)
    stem = path.with_suffix("") if path.suffix in (".safetensors", ".json") else path
    return stem.with_name(stem.name + ".safetensors"), stem.with_name(stem.name + ".json")


def _write(path: Path, blob: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write(path, blob)


def _read(path: Path, expected: str) -> tuple[dict[str, Tensor], dict[str, str]]:
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            if header.get("format") != expected:
                raise CheckpointError(f"{path.name} must be of format {expected!r}, got {header.get('format')!r}.")
            return {name: file.get_tensor(name) for name in file.keys()}, header  # noqa: SIM118 - not a dict
    except FileNotFoundError as error:
        raise CheckpointError(f"no such checkpoint: {path.name} is missing.") from error
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path.name} is damaged or no safetensors file: {error}.") from error


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


def _compare_shapes(file: str, stored: Mapping[str, tuple[int, ...]], model: nn.Module) -> None:
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    missing, surplus = sorted(wanted.keys() - stored.keys()), sorted(stored.keys() - wanted.keys())
    if missing or surplus:
        raise CheckpointError(
            f"{file} is of another model than {type(model).__name__}: missing {missing[:5]}, not known {surplus[:5]}."
        )
    for name, shape in wanted.items():
        if stored[name] != shape:
            raise CheckpointError(f"{file}: {name} must have shape {shape}, got {stored[name]}.")


def _compare_vocabularies(stored: list[str] | None, given: list[str]) -> None:
    if stored is None:
        raise CheckpointError("the vocabularies cannot be compared: the checkpoint was saved without one.")
    if stored == given:
        return
    if len(stored) != len(given):
        raise CheckpointError(f"`vocabulary` must be the checkpoint's: {len(stored)} tokens there, {len(given)} here.")
    at = next(i for i, (a, b) in enumerate(zip(stored, given, strict=True)) if a != b)
    raise CheckpointError(
        f"`vocabulary` must be the checkpoint's: id {at} is {stored[at]!r} there, {given[at]!r} here."
    )


def _flatten(value: Any, name: str, tensors: dict[str, Tensor]) -> Any:
    """Move the tensors of a tree into `tensors`; what is left is JSON that says where each belongs."""
    if isinstance(value, Tensor):
        name = f"{len(tensors)}{name}"  # numbered, since names joined by dots could coincide
        tensors[name] = value.detach().to("cpu", copy=True).contiguous()
        return {"tensor": name}
    if isinstance(value, Mapping):  # pairs, since an optimizer's state has whole numbers as keys
        return {"dict": [[key, _flatten(item, f"{name}.{key}", tensors)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [_flatten(item, f"{name}.{i}", tensors) for i, item in enumerate(value)]}
    if value is None or isinstance(value, bool | int | float | str):
        return {"value": value}
    raise TypeError(f"a training state holds tensors and plain values, got {type(value).__name__} at {name!r}.")


def _restore(node: Any, tensors: Mapping[str, Tensor]) -> Any:
    ((kind, content),) = node.items()
    if kind == "tensor":
        return tensors[content]
    if kind == "dict":
        return {key: _restore(item, tensors) for key, item in content}
    if kind in ("list", "tuple"):
        items = [_restore(item, tensors) for item in content]
        return tuple(items) if kind == "tuple" else items
    return content
