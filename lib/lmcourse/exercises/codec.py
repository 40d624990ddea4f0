"""Plain values as JSON: how results come out of the sandbox. No pickle; reading runs no code, whatever was written.

A value is carried by its exact kind. An object of any other class, a subclass with methods of its own included, arrives
as a `Foreign` that only knows the name of its class, and equals nothing.

    1, 0.5, True, None, "text"      themselves (an int of more than 15 digits: ["int", "0x..."])
    [1, 2], (1, 2), {1}             ["list", 1, 2], ["tuple", 1, 2], ["set", 1]
    {"a": 1}                        ["dict", "a", 1, ...]; also of a Counter or another subclass: what dict itself holds
    b"ab"                           ["bytes", "YWI="]
    np.float32(1)                   ["number", "<f4", "AACAPw=="]
    arrays, tensors                 ["array", "<f8", [2, 3], base64], ["tensor", "bfloat16", [2, 3], base64]
"""

import base64
import binascii
import json
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from lmcourse.exercises.compare import NOT_PLAIN
from lmcourse.exercises.tensors import TENSOR, plain_tensor, torch

_DEPTH = 60
_INT_DIGITS = 10**15
_DTYPE = re.compile(r"[<>|][biufcSU]\d{1,9}")
_NUMBER_KINDS = frozenset(kind for kind in np.sctypeDict.values() if issubclass(kind, (np.number, np.bool_)))
_TENSOR_DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)


class CodecError(ValueError):
    """What came is no value of ours."""


class Foreign:
    """Stands for an object of a class that is not carried; its class has the name of the object's class."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def foreign(name: str) -> Foreign:
    """Return an object that is nothing but the name of a class."""
    return type(re.sub(r"[^\w .,()]", "?", name)[:60] or "object", (Foreign,), {})()


def dumps(value: Any) -> bytes:
    """Write a value; never fails on account of its kind."""
    return json.dumps(encode(value), separators=(",", ":")).encode()


def encode(value: Any, depth: int = 0) -> Any:
    """Return what stands for a value in JSON."""
    kind = type(value)
    if depth > _DEPTH:
        return ["foreign", f"{kind.__name__} nested too deep"]
    if value is None or kind in (bool, float, str):
        return value
    if kind is int:
        return value if -_INT_DIGITS < value < _INT_DIGITS else ["int", hex(value)]
    if kind in (set, frozenset):
        return [kind.__name__, *(encode(item, depth + 1) for item in value)]
    for base in (list, tuple):
        if issubclass(kind, base):
            return [base.__name__, *(encode(item, depth + 1) for item in base.__iter__(value))]
    if kind in (np.str_, np.bytes_):
        return encode(value.item(), depth)
    if issubclass(kind, dict):
        pairs = dict.items(value)  # what it holds, not what a subclass says about it
        return ["dict", *(encode(part, depth + 1) for pair in pairs for part in pair)]
    if kind is bytes:
        return ["bytes", _text(value)]
    if kind in _NUMBER_KINDS:
        return ["number", value.dtype.str, _text(value.tobytes())]
    if issubclass(kind, np.ndarray) and kind not in NOT_PLAIN and _DTYPE.fullmatch(value.dtype.str):
        value = np.ndarray.view(value, np.ndarray)
        return ["array", value.dtype.str, list(value.shape), _text(value.tobytes())]
    if issubclass(kind, TENSOR):
        return _encode_tensor(plain_tensor(value))
    return ["foreign", f"{kind.__name__} of {value.dtype}" if kind is np.ndarray else kind.__name__]


def _encode_tensor(value: "torch.Tensor") -> Any:
    dtype = str(value.dtype).removeprefix("torch.")
    if (
        value.is_nested
        or value.layout is not torch.strided
        or value.device.type != "cpu"
        or dtype not in _TENSOR_DTYPES
    ):
        return ["foreign", f"Tensor ({value.layout}, {value.device}, {value.dtype})"]
    plain = value.detach().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)  # with its strides
    return ["tensor", dtype, list(plain.shape), _text(plain.reshape(-1).view(torch.uint8).numpy().tobytes())]


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def loads(content: bytes, *, max_parts: int = 1_000_000) -> Any:
    """Read what `dumps` wrote.

    Args:
        content: from anybody.
        max_parts: the most values, those inside of others counted.

    Raises:
        CodecError: it is not what `dumps` writes, or too much.
    """
    return read(parse(content), Budget(max_parts))


def parse(content: bytes) -> Any:
    """Read JSON from anybody.

    Raises:
        CodecError: it is not JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError, MemoryError) as error:
        raise CodecError(f"what came out is no JSON ({type(error).__name__})") from error


class Budget:
    """How many values may still come."""

    def __init__(self, parts: int) -> None:
        self.left = parts

    def spend(self, parts: int) -> None:
        """Take some of them.

        Raises:
            CodecError: there are not so many left.
        """
        self.left -= parts
        if self.left < 0:
            raise CodecError("a result has far more parts than the right one")


def parts(value: Any) -> int:
    """How many values a value is made of."""
    if isinstance(value, dict):
        return 1 + sum(parts(key) + parts(item) for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return 1 + sum(map(parts, value))
    return 1


def read(node: Any, budget: Budget) -> Any:
    """Return the value that `encode` made `node` from; `node` is parsed JSON from anybody.

    Raises:
        CodecError: it is not what `encode` makes, or more than the budget.
    """
    try:
        return _decode(node, budget, 0)
    except CodecError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError, MemoryError) as error:
        raise CodecError(f"a result came out damaged ({type(error).__name__})") from error


def _decode(node: Any, budget: Budget, depth: int) -> Any:
    if node is None or type(node) in (bool, int, float, str):
        return node
    if type(node) is not list or not node or depth > _DEPTH + 1:
        raise CodecError("a result came out damaged")
    tag, *inner = node
    budget.spend(len(inner))
    if tag in ("list", "tuple", "set", "frozenset", "dict"):
        items = [_decode(part, budget, depth + 1) for part in inner]
        if tag == "dict":
            return dict(zip(items[::2], items[1::2], strict=True))
        return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[tag](items)
    return _READERS[tag](*inner)


def _decode_array(dtype: str, shape: list[int], text: str) -> np.ndarray:
    if not _DTYPE.fullmatch(dtype):
        raise CodecError("an array came out with an unknown element type")
    kind, content = np.dtype(dtype), _decode_bytes(text)
    _check_size(shape, kind.itemsize, content)
    return np.frombuffer(content, kind).reshape(shape).copy() if content else np.zeros(shape, kind)


def _decode_tensor(dtype: str, shape: list[int], text: str) -> "torch.Tensor":
    if dtype not in _TENSOR_DTYPES:
        raise CodecError("a tensor came out with an unknown element type")
    kind, content = getattr(torch, dtype), _decode_bytes(text)
    _check_size(shape, kind.itemsize, content)
    if not content:
        return torch.zeros(shape, dtype=kind)
    return torch.frombuffer(bytearray(content), dtype=torch.uint8).view(kind).reshape(shape)


def _check_size(shape: list[int], itemsize: int, content: bytes) -> None:
    if type(shape) is not list or any(type(size) is not int or not 0 <= size < 2**31 for size in shape):
        raise CodecError("an array came out with an impossible shape")
    if (
        len(shape) > 32
        or math.prod(shape) * itemsize != len(content)
        or math.prod(size or 1 for size in shape) >= 2**62
    ):
        raise CodecError("an array came out whose content does not fit its shape")


def _decode_number(dtype: str, text: str) -> Any:
    value = _decode_array(dtype, [], text)[()]
    if type(value) not in _NUMBER_KINDS:
        raise CodecError("a number came out that is none")
    return value


def _decode_bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError, AttributeError) as error:
        raise CodecError("bytes came out damaged") from error


def _decode_int(text: str) -> int:
    return int(text, 16)  # base 16 takes time in proportion to its length, base 10 does not


_READERS: dict[str, Callable[..., Any]] = {
    "int": _decode_int,
    "bytes": _decode_bytes,
    "number": _decode_number,
    "array": _decode_array,
    "tensor": _decode_tensor,
    "foreign": foreign,
}
