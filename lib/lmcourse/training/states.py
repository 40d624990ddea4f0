"""Training states: one file with everything that the next step of a training depends on.

It is a safetensors file (reading it cannot run code, as reading a pickle can) with a checksum over all its bytes. It
is replaced as a whole: a process that is killed while writing leaves the old file or the new one.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import save as safetensors_bytes
from torch import Tensor

from lmcourse import atomic, checks
from lmcourse.training.checkpoints import CheckpointError, parse_safetensors

FORMAT = "lmcourse-training-state-2"
KEY, NO_DIGEST = b'"sha256":"', b"0" * 64  # what stands in the header while the checksum is computed


def save_training_state(path: str | Path, tree: Mapping[str, Any]) -> None:
    """Write a nested dict, list or tuple of tensors and JSON values to one file, whole or not at all.

    Every tensor, including those in lists, is stored bit by bit; floats keep all their digits.

    Raises:
        TypeError: something in `tree` is neither a tensor nor a plain value.
        OSError: the file cannot be written; the old one stays.
    """
    checks.file_path(path=path)
    checks.instance(Mapping, tree=tree)
    tensors: dict[str, Tensor] = {}
    skeleton = _flatten(tree, "", tensors)
    header = {"format": FORMAT, "tree": json.dumps(skeleton), "sha256": NO_DIGEST.decode()}
    blob = safetensors_bytes(tensors, header)
    start = blob.index(KEY + NO_DIGEST) + len(KEY)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic.replacing(path, binary=True) as out:
        out.write(blob[:start])
        out.write(hashlib.sha256(blob).hexdigest().encode())
        out.write(memoryview(blob)[start + len(NO_DIGEST) :])


def load_training_state(path: str | Path) -> dict[str, Any]:
    """Return what `save_training_state` was given; tensors are on the CPU.

    Raises:
        CheckpointError: the file is missing, damaged (its checksum is verified) or foreign.
    """
    checks.file_path(path=path)
    path = Path(path)
    try:
        blob = path.read_bytes()
    except FileNotFoundError as error:
        raise CheckpointError(f"`path` must be that of a training state, but {path.name} is missing.") from error
    except OSError as error:
        raise CheckpointError(f"{path.name} cannot be read: {error.strerror}.") from error
    tensors, header = parse_safetensors(blob, path.name, FORMAT)
    start = blob.find(KEY) + len(KEY)
    digest = hashlib.sha256(blob[:start] + NO_DIGEST)
    digest.update(memoryview(blob)[start + len(NO_DIGEST) :])
    if digest.hexdigest() != header.get("sha256"):
        raise CheckpointError(f"{path.name} is damaged: its checksum is wrong.")
    try:
        return _restore(json.loads(header["tree"]), tensors)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"{path.name} is damaged: its contents do not fit together.") from error


def _flatten(value: Any, name: str, tensors: dict[str, Tensor]) -> Any:
    """Move the tensors of a tree into `tensors`; what is left is JSON that tells where each belongs."""
    if isinstance(value, Tensor):
        name = f"{len(tensors)}{name}"  # numbered, since names joined by dots could coincide
        tensors[name] = value.detach().to("cpu", copy=True).contiguous()
        return {"tensor": name}
    if isinstance(value, Mapping):  # pairs, since an optimizer's state has integers as keys
        return {"dict": [[key, _flatten(item, f"{name}.{key}", tensors)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [_flatten(item, f"{name}.{i}", tensors) for i, item in enumerate(value)]}
    if value is None or isinstance(value, bool | int | float | str):
        return {"value": value}
    raise TypeError(f"`tree` must hold tensors and plain values, got {type(value).__name__} at {name!r}.")


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
