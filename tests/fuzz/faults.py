"""What can be wrong with an argument: for a good value, its faults by name.

A fault has an example, which the quick test tries, and a hypothesis strategy, from which the other tests draw.
Flags (bool) have none: they are read by their truth, as everywhere in Python.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st
from torch import Tensor, nn

MISSING = "no such folder"  # of a path that is not there; `judge` removes what an earlier call has made of it

# A large number is right for these, and costs time or memory: nothing is learned from trying it.
SIZES = {
    "B", "S", "T", "accumulate", "batch_size", "beam_size", "cache_size", "capacity", "chunk", "columns",
    "context_length", "days", "dilation", "embed_dim", "epochs", "group_size", "head_dim", "hidden_dim",
    "hidden_size", "in_channels", "input_size", "iterations", "kernel_size", "key_dim", "length", "limit",
    "max_bytes", "max_length", "max_new_tokens", "max_steps", "memory_length", "minibatch_size", "n", "n_words",
    "num_classes", "num_decoder_layers", "num_encoder_layers", "num_heads", "num_kv_heads", "num_layers",
    "num_negatives", "num_segments", "number", "order", "out_channels", "query_dim", "rows", "samples", "shape",
    "size", "source_vocab_size", "steps", "target_vocab_size", "vocab_size", "window",
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """A way to be wrong: its name, one value that is, and where more come from."""

    name: str
    example: Any
    strategy: st.SearchStrategy[Any] | None = None

    @property
    def is_of_kind(self) -> bool:
        """Whether the value is of another kind: then the message must name this argument and no other."""
        return self.name.startswith("kind: ")

    @property
    def values(self) -> st.SearchStrategy[Any]:
        return st.just(self.example) if self.strategy is None else st.just(self.example) | self.strategy


def faults(name: str, good: Any, *, optional: bool) -> list[Fault]:
    """Return the faults of an argument whose good value is `good`; None is one unless it is `optional`."""
    if isinstance(good, bool):
        return []
    found = [] if optional else [Fault("kind: None", None)]
    if name == "device":
        return [*found, Fault("kind: float", 2.5), Fault("kind: list", [1]), Fault("other text", "no such")]
    return found + _of_kind(name, good)


def _of_kind(name: str, good: Any) -> list[Fault]:
    if isinstance(good, Tensor):
        return _of_tensor(good)
    if isinstance(good, int | np.integer):
        return _of_whole(name)
    if isinstance(good, float | np.floating):
        return _of_number()
    if isinstance(good, Path):
        return [Fault("kind: int", 5), Fault("missing", good.parent / MISSING / "no such file")]
    if isinstance(good, str):
        return _of_text()
    if isinstance(good, bytes):
        return [Fault("kind: int", 5), Fault("kind: str", "no such"), Fault("empty", b"")]
    if isinstance(good, torch.Generator | torch.device | torch.dtype):
        return [Fault("kind: str", "no such"), Fault("kind: float", 2.5), Fault("kind: list", [1])]
    if isinstance(good, Mapping):
        return _of_mapping(good)
    if isinstance(good, tuple) and hasattr(good, "_fields"):
        return _of_object()
    if isinstance(good, np.ndarray):
        return [*_of_object(), Fault("one dimension more", good[None]), Fault("dtype", good.astype(str))]
    if isinstance(good, Sequence | set | frozenset):
        return _of_sequence(name, good)
    if isinstance(good, nn.Module):
        return [*_of_object(), Fault("another model", nn.Linear(2, 3))]
    if callable(good):
        return [Fault("kind: int", 5), Fault("kind: str", "no such"), Fault("returns None", _none)]
    return _of_object()


def _of_object() -> list[Fault]:
    return [Fault("kind: int", 5), Fault("kind: str", "no such"), Fault("kind: object", object())]


def _of_whole(name: str) -> list[Fault]:
    found = [
        Fault("kind: str", "3"),
        Fault("kind: float", 2.5, st.floats(allow_nan=True, allow_infinity=True)),
        Fault("kind: bool", True),
        Fault("kind: list", [2]),
        Fault("negative", -1, st.integers(-(2**40), -1)),
        Fault("zero", 0),
    ]
    return found if name in SIZES else [*found, Fault("huge", 10**9, st.integers(10**9, 2**62))]


def _of_number() -> list[Fault]:
    return [
        Fault("kind: str", "0.1"),
        Fault("kind: list", [0.1]),
        Fault("kind: complex", 1j),
        Fault("nan", float("nan")),
        Fault("inf", float("inf"), st.sampled_from([float("inf"), float("-inf")])),
        Fault("negative", -1.0, st.floats(max_value=-1e-300, allow_infinity=False)),
        Fault("zero", 0.0, st.sampled_from([0.0, -0.0])),
        Fault("huge", 1e300, st.floats(min_value=1e30, allow_infinity=False)),
        Fault("tiny", 1e-320, st.floats(min_value=0.0, max_value=1e-46, exclude_min=True)),
    ]


def _of_text() -> list[Fault]:
    return [
        Fault("kind: int", 5, st.integers()),
        Fault("kind: bytes", b"no such", st.binary(max_size=3)),
        Fault("kind: list", [1]),
        Fault("empty", ""),
        Fault("other text", "no such", st.text(min_size=3, max_size=9)),
    ]


def _of_mapping(good: Mapping[Any, Any]) -> list[Fault]:
    found = [Fault("kind: int", 5), Fault("kind: str", "no such"), Fault("empty", {})]
    for key in list(good)[:1]:
        found += [Fault(f"value {fault.name}", {**good, key: fault.example}) for fault in _of_kind("", good[key])]
    return found


def _of_sequence(name: str, good: Any) -> list[Fault]:
    kind = type(good)
    found = [Fault("kind: int", 5), Fault("kind: float", 2.5), Fault("empty", kind())]
    items = list(good)
    if not items or not isinstance(items[0], str):
        found.append(Fault("kind: str", "no such"))
    if items:
        hashable = kind in (set, frozenset)
        inner = [Fault("None", None), *_of_kind(name, items[0])]
        for fault in inner:
            if hashable and isinstance(fault.example, list | dict | set):
                continue
            found.append(Fault(f"item {fault.name}", kind([fault.example, *items[1:]])))
    return found


def _of_tensor(good: Tensor) -> list[Fault]:
    found = [
        Fault("kind: str", "no such"),
        Fault("kind: int", 5),
        Fault("kind: list", good.tolist()),
        Fault("one dimension more", good.unsqueeze(0)),
        Fault("device", good.detach().to("meta")),
        Fault("complex", good.to(torch.complex64)),
    ]
    if good.dim():
        found += [Fault("one dimension less", good[0]), Fault("no dimension", good.flatten()[0])]
        found += [_longer(good, dim) for dim in range(good.dim())]
        found += [Fault(f"empty {dim}", good.narrow(dim, 0, 0)) for dim in range(good.dim())]
        if good.dim() > 1 and good.shape[-1] != good.shape[-2]:
            found.append(Fault("transposed", good.transpose(-1, -2)))
    if good.dtype == torch.bool:
        return [*found, Fault("dtype", good.long()), Fault("dtype", good.float())]
    if good.is_floating_point():
        half = Fault("float16", good.half())
        values = {"nan": float("nan"), "inf": float("inf"), "negative": -1.0, "zero": 0.0, "huge": 1e30}
        filled = [_filled(good, name, value) for name, value in values.items()]
        return [*found, Fault("dtype", good.long()), Fault("dtype", good > 0), half, *filled]
    large = [_filled(good, name, value) for name, value in {"negative": -1, "huge": 10**9}.items()]
    return [*found, Fault("dtype", good.float()), Fault("dtype", good > 0), Fault("int32", good.int()), *large]


def _longer(good: Tensor, dim: int) -> Fault:
    def longer(by: int) -> Tensor:
        return torch.cat([good] + [good.narrow(dim, 0, 1)] * by, dim) if good.shape[dim] else good

    return Fault(f"longer {dim}", longer(1), st.integers(1, 5).map(longer))


def _filled(good: Tensor, name: str, value: float) -> Fault:
    """One entry of the tensor is wrong, the first or any other one."""

    def with_one(at: int) -> Tensor:
        flat = good.detach().clone().flatten()
        flat[at] = value
        return flat.view_as(good)

    return Fault(name, with_one(0), st.integers(0, max(good.numel() - 1, 0)).map(with_one))


def _none(*args: Any, **kwargs: Any) -> None:
    """A function that forgets to return."""
