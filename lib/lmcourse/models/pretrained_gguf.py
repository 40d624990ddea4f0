"""Reads the weights of a GGUF file, the format that holds a model, often quantised, and its tokenizer in one file.

The architectures are `gpt2`, `llama` and `smollm3`, in which rotary pairs are neighbours, and `qwen2` and `qwen3`, in
which they lie half a head apart.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from lmcourse.extras import needs
from lmcourse.layers.positions import RotaryPositionalEmbedding
from lmcourse.models import weight_names
from lmcourse.models.weight_names import Weights, renamed, with_zero_biases
from lmcourse.tokenizers.bpe_gguf import open_gguf

if TYPE_CHECKING:
    import gguf

# Fields of an architecture that change what it computes, and the values that change nothing.
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "attention.alibi_bias_max": (0.0,),
    "attention.causal": (True,),
    "attention.clamp_kqv": (0.0,),
    "attention.scale": (0.0,),  # 0 stands for 1 / sqrt(head width)
    "attention.sliding_window": (0,),
    "attn_logit_softcapping": (0.0,),
    "embedding_scale": (0.0, 1.0),
    "expert_count": (0,),
    "final_logit_softcapping": (0.0,),
    "logit_scale": (0.0, 1.0),
    "residual_scale": (0.0, 1.0),
    "rope.scaling.attn_factor": (1.0,),
    "use_parallel_residual": (False,),
}

ARCHITECTURES = ("llama", "gpt2", "qwen2", "qwen3", "smollm3")
INTERLEAVED = ("llama", "smollm3")
UNROTATED_EVERY = 4  # layers, in smollm3; the file does not say it


class _Fields:
    """The fields of one architecture in a GGUF file."""

    def __init__(self, reader: "gguf.GGUFReader", name: str) -> None:
        self.reader, self.file = reader, name
        self.architecture = self.of("general.architecture")

    def of(self, key: str, *default: Any) -> Any:
        """Return the value of a field by its full name."""
        found = self.reader.get_field(key)
        if found is None and not default:
            raise ValueError(f"{self.file} must hold the field {key}.")
        return default[0] if found is None else found.contents()

    def __call__(self, key: str, *default: Any) -> Any:
        """Return the value of a field of the architecture."""
        return self.of(f"{self.architecture}.{key}", *default)

    def check(self, key: str, *allowed: Any) -> None:
        """Raise ValueError if a field is there and its value is not one of those allowed."""
        value = self(key, allowed[0])
        if value not in allowed:
            rule = " or ".join(repr(each) for each in allowed)
            raise ValueError(f"`{self.architecture}.{key}` of {self.file} must be {rule}, got {value!r}.")


def read_gguf(path: Path) -> tuple[dict[str, Any], Weights]:
    """Return the settings of a `GPTConfig` and the dequantised weights of a `GPT`, from a GGUF file.

    Raises:
        ValueError: another architecture, a field that asks for what `GPT` does not do, a quantisation that the gguf
            package cannot read.
    """
    reader = open_gguf(path)
    field = _Fields(reader, path.name)
    if field.architecture not in ARCHITECTURES:
        raise ValueError(
            f"`general.architecture` of {path.name} must be one of {', '.join(ARCHITECTURES)}, "
            f"got {field.architecture!r}."
        )
    for key, allowed in _NEUTRAL.items():
        field.check(key, *allowed)
    weights = _dequantised(reader, path.name)
    settings = {
        "vocab_size": len(weights.get("token_embd.weight", ())),
        "context_length": field("context_length"),
        "embed_dim": field("embedding_length"),
        "num_heads": field("attention.head_count"),
        "num_layers": field("block_count"),
        "hidden_size": field("feed_forward_length"),
        "tie_embeddings": "output.weight" not in weights,
    }
    settings |= _gpt2(field, weights) if field.architecture == "gpt2" else _llama(field, weights)
    if settings["tie_embeddings"] and "token_embd.weight" in weights:
        weights["output.weight"] = weights["token_embd.weight"]
    weights = renamed(weights, weight_names.GGUF)
    if field.architecture == "gpt2":
        return settings, weights
    biased = {name.split(".")[-2] for name in weights if name.endswith(".bias")}
    return settings | {"bias": bool(biased)}, with_zero_biases(weights, biased)


def _llama(field: _Fields, weights: Weights) -> dict[str, Any]:
    num_heads, D = field("attention.head_count"), field("embedding_length")
    K = field("attention.key_length", D // num_heads)
    for key in ("rope.dimension_count", "attention.value_length"):
        field.check(key, K)
    # A scaling without a type is linear; the type "none" says that a factor is not to be used.
    kind = field("rope.scaling.type", "linear")
    factor = field("rope.scaling.factor", field("rope.scale_linear", 0.0))
    if kind not in ("none", "linear") or (kind == "linear" and factor not in (0.0, 1.0)):
        raise ValueError(
            f"`{field.architecture}.rope.scaling` of {field.file} must be absent (plain rotary positions), "
            f"got type {kind!r}, factor {factor:g}."
        )
    scaling, base = None, float(field("rope.freq_base", 10000.0))
    slower = weights.pop("rope_freqs.weight", None)
    if slower is not None and not torch.all(slower == 1.0):
        scaling = scaling_of(slower, base)
        if scaling is None or field.architecture != "llama":
            raise ValueError(
                f"`rope_freqs.weight` of {field.file} must be absent, or Llama 3's in a llama, got {slower.tolist()}."
            )
    num_layers, every = field("block_count"), UNROTATED_EVERY if field.architecture == "smollm3" else 0
    return {
        "num_kv_heads": field("attention.head_count_kv", num_heads),
        "head_dim": None if K * num_heads == D else K,
        "positions": "rotary",
        "rotary_base": base,
        "rotary_interleaved": field.architecture in INTERLEAVED,
        "rotary_scaling": scaling,
        "unrotated_layers": tuple(range(every - 1, min(num_layers, len(weights)), every)) if every else (),
        "norm": "rms",
        "norm_eps": field("attention.layer_norm_rms_epsilon"),
        "activation": "swiglu",
        "qk_norm": field.architecture == "qwen3",
    }


def scaling_of(slower: Tensor, base: float) -> tuple[float, float, float, float] | None:
    """Return the `scaling` of a `RotaryPositionalEmbedding` that makes its pairs so many times slower.

    A file has those numbers, and not the four that they were computed from. It tells three of them, the factor, and
    the rates between which it sets in; so `low` is taken to be 1, as it is in Llama 3.

    Args:
        slower: for each pair, (K / 2,).
        base: of the angles.

    Returns:
        (factor, low, high, length), or None if no `scaling` gives these numbers.
    """
    slower, rates = slower.double(), RotaryPositionalEmbedding(2 * len(slower), base=base).rates()
    factor = float(slower.max())
    between = (slower > 1.0) & (slower < factor)
    if between.sum() < 2:
        return None
    # A pair's speed goes from that of a stretched one to the old one as a line in its rate.
    kept, at = (1 / slower - 1 / factor)[between] / (1 - 1 / factor), rates[between]
    slope = float((kept[0] - kept[-1]) / (at[0] - at[-1]))
    stretched = float(at[0] - kept[0] / slope)  # the rate from which on downwards pairs are stretched
    if not (slope > 0.0 and stretched > 0.0):
        return None
    scaling = (factor, 1.0, 1.0 + 1.0 / (slope * stretched), 2 * math.pi / stretched)
    return (
        scaling if torch.allclose(slower_pairs(2 * len(slower), base, scaling), slower, rtol=1e-6, atol=0.0) else None
    )


def slower_pairs(head_dim: int, base: float, scaling: Sequence[float]) -> Tensor:
    """Return how many times slower `scaling` makes each pair of a `RotaryPositionalEmbedding`, float64 (K / 2,)."""
    plain, scaled = (RotaryPositionalEmbedding(head_dim, base=base, scaling=each) for each in (None, scaling))
    return plain.rates() / scaled.rates()


def _gpt2(field: _Fields, weights: Weights) -> dict[str, Any]:
    """Settings; the fused projection of each layer, `attn_qkv`, is cut in three in `weights`."""
    for name in [name for name in weights if ".attn_qkv." in name]:
        for part, piece in zip("qkv", weights.pop(name).chunk(3), strict=True):
            weights[name.replace("attn_qkv", f"attn_{part}")] = piece.clone()
    return {"activation": "gelu_tanh", "norm_eps": field("attention.layer_norm_epsilon")}


def _dequantised(reader: "gguf.GGUFReader", file: str) -> Weights:
    with needs("lab", "reading a GGUF file"):
        import gguf
    weights: Weights = {}
    for tensor in reader.tensors:
        try:
            values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        except (NotImplementedError, KeyError) as error:
            raise ValueError(
                f"{file} must be quantised in a way that the gguf package can read, "
                f"got {tensor.tensor_type.name} for {tensor.name}."
            ) from error
        shape = tuple(int(size) for size in reversed(tensor.shape))  # the file counts dimensions from the inside
        weights[tensor.name] = torch.from_numpy(np.array(values, dtype=np.float32).reshape(shape))
    return weights
