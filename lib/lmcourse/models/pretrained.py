"""Reads the weights that others trained, and gives them the names that this library's models use.

A *folder* is what the Hugging Face hub holds: config.json beside model.safetensors, in one file or in shards. GGUF
files are read by `pretrained_gguf`. No code is run, nothing is unpickled.

Each setting of a config that changes what a model computes is honoured, or refused by its name where our class has no
counterpart. Others are ignored: dropout (a loaded model has none), how weights were initialised, which kernel ran,
what `generate` does by default, and the heads for classification.
"""

import json
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from torch import nn

from lmcourse import checks
from lmcourse.models import weight_names
from lmcourse.models.pretrained_gguf import read_gguf
from lmcourse.models.weight_names import Weights, renamed, with_zero_biases, without

Model = TypeVar("Model", bound=nn.Module)
Settings = dict[str, Any]

# Activations by the names that transformers gives them.
ACTIVATIONS = {"gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "gelu": "gelu", "relu": "relu"}

# What a setting must be, if it is there at all: our classes compute in this way and no other.
_FIXED_EVERYWHERE = {"quantization_config": None, "add_cross_attention": False, "is_encoder_decoder": False}
_FIXED: dict[str, dict[str, Any]] = {
    "gpt2": {"scale_attn_weights": True, "scale_attn_by_inverse_layer_idx": False},
    "llama": {"hidden_act": "silu", "partial_rotary_factor": 1.0},
    "mistral": {"hidden_act": "silu", "partial_rotary_factor": 1.0},
    "qwen2": {"hidden_act": "silu", "partial_rotary_factor": 1.0, "use_sliding_window": False},
    "qwen3": {"hidden_act": "silu", "partial_rotary_factor": 1.0, "use_sliding_window": False},
    "smollm3": {"hidden_act": "silu", "partial_rotary_factor": 1.0, "use_sliding_window": False},
    "bert": {"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False},
}

# Where the families that differ little from Llama have other defaults than it has.
_CONTEXT = {"llama": 2048, "mistral": 131072, "qwen2": 32768, "qwen3": 32768, "smollm3": 32768}
_ROTARY_BASE = {"smollm3": 2e6}


class _Config(dict[str, Any]):
    """config.json; a setting that is read and is missing is the file's fault, and the error says so."""

    def __missing__(self, name: str) -> Any:
        raise ValueError(f"config.json must hold {name!r}, got {', '.join(sorted(self)) or 'nothing'}.")

    def size(self, name: str) -> int:
        """Return a setting that is a size, at least 1."""
        value: int = self[name]
        checks.whole(at_least=1, **{name: value})
        return value


def load_weights(kind: Callable[[Any], Model], config: Any, weights: Weights, dtype: torch.dtype) -> Model:
    """Return `kind(config)` holding `weights`, in evaluation mode; no random numbers are drawn first.

    Raises:
        TypeError: `dtype` is no floating-point dtype.
        ValueError: missing or surplus tensors, or shapes or dtypes that do not match the config (names are listed).
    """
    checks.instance(torch.dtype, dtype=dtype)
    if not dtype.is_floating_point:
        raise TypeError(f"`dtype` must be a floating-point dtype, got {dtype}.")
    num_layers = getattr(config, "num_layers", 0)
    if num_layers > len(weights):  # building a model of a billion layers would not end
        raise ValueError(f"`num_layers` must fit the file, which has {len(weights)} tensors, got {num_layers}.")
    with torch.device("meta"):
        model = kind(config)
    wanted = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    given = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    missing, surplus = sorted(wanted.keys() - given.keys()), sorted(given.keys() - wanted.keys())
    if missing or surplus:
        raise ValueError(
            f"the tensors must be those of the config; missing: {_some(missing)}; surplus: {_some(surplus)}."
        )
    wrong = [f"{name} {given[name]} instead of {wanted[name]}" for name in wanted if wanted[name] != given[name]]
    if wrong:
        raise ValueError(f"the tensors' shapes must match the config, got {_some(wrong)}.")
    whole = [f"{name} of {tensor.dtype}" for name, tensor in weights.items() if not tensor.is_floating_point()]
    if whole:
        raise ValueError(f"the tensors must be floating-point numbers, not quantised, got {_some(whole)}.")
    shared = {name: weights[name] for name in wanted}
    model.load_state_dict({name: tensor.to(dtype) for name, tensor in shared.items()}, assign=True)
    if getattr(config, "tie_embeddings", False):
        model.head.weight = model.embedding.weight  # type: ignore[union-attr]
    return model.eval()


def read_gpt(path: str | PathLike[str]) -> tuple[Settings, Weights]:
    """Return the settings of a `GPTConfig` and the weights of a `GPT`, from a GGUF file or a folder.

    The folder holds a GPT-2, a Llama, or one of the families that differ from it in what `_from_llama` reads: Mistral
    (a sliding window), Qwen2 (biases of queries, keys and values), Qwen3 (norms of queries and keys), SmolLM3 (layers
    without rotary positions).
    """
    checks.instance((str, PathLike), path=path)
    path = Path(path)
    if path.is_file():
        return read_gguf(path)
    config, weights = read_folder(path)
    if _model_type(config, "gpt2", *_CONTEXT) == "gpt2":
        return _from_gpt2(config, weights)
    return _from_llama(config, weights)


def read_bert(path: str | PathLike[str]) -> tuple[Settings, Weights]:
    """Return the settings of a `BERTConfig` and the weights of a `BERT`, from a folder."""
    checks.instance((str, PathLike), path=path)
    config, weights = read_folder(Path(path))
    _model_type(config, "bert")
    settings = {
        "vocab_size": config["vocab_size"],
        "context_length": config.get("max_position_embeddings", 512),
        "embed_dim": config["hidden_size"],
        "num_heads": config["num_attention_heads"],
        "num_layers": config["num_hidden_layers"],
        "hidden_size": config["intermediate_size"],
        "num_segments": config.get("type_vocab_size", 2),
        "norm_eps": config.get("layer_norm_eps", 1e-12),
    }
    # The heads on top (pooler, masked words, next sentence) belong to other models.
    weights = {name.removeprefix("bert."): tensor for name, tensor in weights.items()}
    weights = {name: tensor for name, tensor in weights.items() if name.startswith(("embeddings.", "encoder."))}
    return settings, renamed(without(weights, [r"embeddings\.position_ids"]), weight_names.BERT)


def read_folder(path: Path) -> tuple[_Config, Weights]:
    """Return config.json of a folder, and the tensors in model.safetensors or in the files that its index names.

    Raises:
        FileNotFoundError: there is no such folder, no config.json or no model.safetensors in it; a file is missing.
        ValueError: config.json or a file of tensors is damaged.
    """
    if not path.is_dir():
        raise FileNotFoundError(
            f"`path` must be a folder with config.json and safetensors, or a GGUF file, got {path}."
        )
    usual, index = path / "model.safetensors", path / "model.safetensors.index.json"
    if not (path / "config.json").is_file() or not (usual.exists() or index.is_file()):
        raise FileNotFoundError(
            "`path` must hold config.json and model.safetensors, or model.safetensors.index.json and the files it "
            f"names, got {sorted(each.name for each in path.iterdir())[:8]}."
        )
    content = _read_object(path / "config.json")
    files = [usual]
    if not usual.exists():
        names = _read_object(index).get("weight_map")
        if not isinstance(names, dict) or not all(isinstance(n, str) and Path(n).name == n for n in names.values()):
            raise ValueError(f"{index.name} is damaged: weight_map must say which file beside it has each tensor.")
        files = [path / name for name in sorted(set(names.values()))]
    config = _Config(content)
    weights: Weights = {}
    for file in files:
        try:
            with safe_open(file, framework="pt") as tensors:
                weights.update({name: tensors.get_tensor(name) for name in tensors.keys()})  # noqa: SIM118 - no mapping
        except FileNotFoundError as error:
            raise FileNotFoundError(f"`path` must hold {file.name}, which {index.name} names.") from error
        except (SafetensorError, OSError) as error:
            raise ValueError(f"{file.name} is damaged: {error}.") from error
    return config, {weight_names.without_wrappers(name): tensor for name, tensor in weights.items()}


def _read_object(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        checks.instance(dict, content=content)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path.name} is damaged: {error}.") from error
    return dict(content)


def _from_gpt2(config: _Config, weights: Weights) -> tuple[Settings, Weights]:
    activation = config.get("activation_function", "gelu_new")
    if activation not in list(ACTIVATIONS):  # JSON may hold a list, which has no hash
        raise ValueError(
            f"`activation_function` in config.json must be one of {', '.join(ACTIVATIONS)}, got {activation!r}."
        )
    settings = {
        "vocab_size": config["vocab_size"],
        "context_length": config.get("n_positions", 1024),
        "embed_dim": config.size("n_embd"),
        "num_heads": config["n_head"],
        "num_layers": config["n_layer"],
        "hidden_size": config.get("n_inner"),
        "activation": ACTIVATIONS[activation],
        "norm_eps": config.get("layer_norm_epsilon", 1e-5),
    }
    plain: Weights = {}
    for name, tensor in weights.items():
        name = name.removeprefix("transformer.")
        if name.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight")):
            tensor = tensor.T  # stored as (in, out), nn.Linear has (out, in)
        if ".c_attn." in name and tensor.shape[0] == 3 * settings["embed_dim"]:
            for part, piece in zip("qkv", tensor.chunk(3), strict=True):
                plain[name.replace("c_attn", f"c_attn_{part}")] = piece.contiguous()
        else:
            plain[name] = tensor.contiguous()
    plain = without(plain, [r"h\.\d+\.attn\.(masked_)?bias"])
    return _with_head(settings, renamed(plain, weight_names.GPT2), tied=config.get("tie_word_embeddings", True))


def _from_llama(config: _Config, weights: Weights) -> tuple[Settings, Weights]:
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    checks.instance(dict, rope_parameters=rope)
    kind = rope.get("rope_type", rope.get("type", "default"))
    scaling = None
    if kind == "llama3":
        length = rope.get("original_max_position_embeddings", config.get("max_position_embeddings"))
        scaling = (*(rope.get(name) for name in ("factor", "low_freq_factor", "high_freq_factor")), length)
    plain = kind in ("default", "llama3") and (scaling or rope.get("factor", 1.0) == 1.0)
    if not plain or rope.get("partial_rotary_factor", 1.0) != 1.0:
        raise ValueError(f"`rope_scaling` in config.json must be absent or Llama 3's (llama3), got {rope}.")
    D, num_heads = config.size("hidden_size"), config.size("num_attention_heads")
    family = config["model_type"]
    rotary_base = rope.get("rope_theta", config.get("rope_theta", _ROTARY_BASE.get(family, 10000.0)))
    checks.number(rope_theta=rotary_base, above=0.0)
    head_dim = config.get("head_dim", 128 if family == "qwen3" else None)
    _require({"layer_types": set(config.get("layer_types") or ["full_attention"])}, "layer_types", {"full_attention"})
    window = config.get("sliding_window", 4096) if family == "mistral" else None
    biased: tuple[str, ...] = ("q_proj", "k_proj", "v_proj") if family == "qwen2" else ()
    if family in ("llama", "qwen3", "smollm3") and config.get("attention_bias"):
        biased = ("q_proj", "k_proj", "v_proj", "out_proj")
    biased += ("up", "gate", "down") if family in ("llama", "smollm3") and config.get("mlp_bias") else ()
    settings = {
        "vocab_size": config["vocab_size"],
        "context_length": config.get("max_position_embeddings", _CONTEXT[family]),
        "embed_dim": D,
        "num_heads": num_heads,
        "num_layers": config["num_hidden_layers"],
        "num_kv_heads": config.get("num_key_value_heads") if family == "llama" else config["num_key_value_heads"],
        "hidden_size": config["intermediate_size"],
        "positions": "rotary",
        "rotary_base": float(rotary_base),
        "norm": "rms",
        "norm_eps": config.get("rms_norm_eps", 1e-6),
        "activation": "swiglu",
        "bias": bool(biased),
        "qk_norm": family == "qwen3",
        "rotary_scaling": scaling,
        "head_dim": None if head_dim == D / num_heads else head_dim,
        "window": window,
        "unrotated_layers": _unrotated_layers(config, len(weights)) if family == "smollm3" else (),
    }
    weights = renamed(without(weights, [r".*rotary_emb\.inv_freq"]), weight_names.LLAMA)
    weights = with_zero_biases(weights, biased)
    return _with_head(settings, weights, tied=config.get("tie_word_embeddings", family == "smollm3"))


def _unrotated_layers(config: _Config, at_most: int) -> tuple[int, ...]:
    """Return the numbers of the layers without rotary positions; in `no_rope_layers` these have a 0, others a 1."""
    num_layers, marks = config["num_hidden_layers"], config.get("no_rope_layers")
    checks.whole(at_least=0, num_hidden_layers=num_layers)
    if marks is None:
        every = config.get("no_rope_layer_interval", 4)
        checks.whole(at_least=1, no_rope_layer_interval=every)
        return tuple(range(every - 1, min(num_layers, at_most), every))
    checks.instance(list, no_rope_layers=marks)
    checks.whole_items(at_least=0, below=2, no_rope_layers=marks)
    if len(marks) < num_layers:
        raise ValueError(
            f"`no_rope_layers` in config.json must have a number for each of {num_layers} layers, got {marks}."
        )
    return tuple(layer for layer in range(num_layers) if not marks[layer])


def _with_head(settings: Settings, weights: Weights, *, tied: Any) -> tuple[Settings, Weights]:
    """Add the head of a model that scores with its embedding table, which the file need not hold twice."""
    if tied and "embedding.weight" in weights:
        table = weights["embedding.weight"]
        if not torch.equal(weights.get("head.weight", table), table):  # versions of transformers differ on what counts
            raise ValueError(
                "`tie_word_embeddings` in config.json must be False for a head that differs from the embedding table, "
                f"got {tied!r}."
            )
        weights["head.weight"] = table
    return settings | {"tie_embeddings": bool(tied)}, weights


def _model_type(config: Mapping[str, Any], *known: str) -> str:
    """Return the architecture, one of those `known`; raise ValueError for a setting that our class does not have."""
    kind = config.get("model_type")
    if kind not in known:
        raise ValueError(f"`model_type` in config.json must be one of {', '.join(known)}, got {kind!r}.")
    for name, value in (_FIXED_EVERYWHERE | _FIXED[kind]).items():
        _require(config, name, value)
    return str(kind)


def _require(config: Mapping[str, Any], name: str, value: Any) -> None:
    given = config.get(name)
    if given is not None and given != value:
        rule = "absent" if value is None else repr(value)
        raise ValueError(f"`{name}` in config.json must be {rule}, got {given!r}.")


def _some(names: list[str]) -> str:
    if not names:
        return "none"
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
