"""Reads the weights of a GGUF file, the format that holds a model, often quantised, and its tokenizer in one file.

The architectures are `llama`, in which rotary pairs are neighbours, and `gpt2`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from lmcourse.extras import needs
from lmcourse.models import weight_names
from lmcourse.models.weight_names import Weights, renamed
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
    if field.architecture not in ("llama", "gpt2"):
        raise ValueError(f"`general.architecture` of {path.name} must be llama or gpt2, got {field.architecture!r}.")
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
    settings |= _llama(field, weights) if field.architecture == "llama" else _gpt2(field, weights)
    if settings["tie_embeddings"] and "token_embd.weight" in weights:
        weights["output.weight"] = weights["token_embd.weight"]
    return settings, renamed(weights, weight_names.GGUF)


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
            f"`llama.rope.scaling` of {field.file} must be absent (plain rotary positions), got type {kind!r}, "
            f"factor {factor:g}."
        )
    if "rope_freqs.weight" in weights:
        raise ValueError(f"{field.file} must have plain rotary positions, got scaled ones (rope_freqs.weight).")
    return {
        "num_kv_heads": field("attention.head_count_kv", num_heads),
        "head_dim": None if K * num_heads == D else K,
        "positions": "rotary",
        "rotary_base": float(field("rope.freq_base", 10000.0)),
        "rotary_interleaved": True,
        "norm": "rms",
        "norm_eps": field("attention.layer_norm_rms_epsilon"),
        "activation": "swiglu",
        "bias": any(name.endswith("attn_q.bias") for name in weights),
    }


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
