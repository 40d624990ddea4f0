"""Reads the weights that others trained, and gives them the names that this library's models use.

A *folder* is what the Hugging Face hub holds: config.json beside model.safetensors, in one file or in shards. A GGUF
file holds config, weights (often quantised) and tokenizer in one. No code is run, nothing is unpickled.
"""

import json
import re
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn

from lmcourse.extras import needs
from lmcourse.tokenizers.bpe_gguf import open_gguf

Weights = dict[str, Tensor]
Model = TypeVar("Model", bound=nn.Module)


class _Config(dict[str, Any]):
    """config.json; a setting that is asked for and is not there is the file's fault, and is said so."""

    def __missing__(self, name: str) -> Any:
        raise ValueError(f"config.json must hold {name!r}, got {', '.join(sorted(self)) or 'nothing'}.")


def load_weights(kind: Callable[[Any], Model], config: Any, weights: Weights, dtype: torch.dtype) -> Model:
    """Return `kind(config)` holding `weights`, in evaluation mode; no random numbers are drawn first.

    Raises:
        ValueError: missing or surplus tensors, or shapes that do not match the config (names are listed).
    """
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
    shared = {name: weights[name] for name in wanted}
    model.load_state_dict({name: tensor.to(dtype) for name, tensor in shared.items()}, assign=True)
    if getattr(config, "tie_embeddings", False):
        model.head.weight = model.embedding.weight  # type: ignore[union-attr]
    return model.eval()


def read_gpt(path: str | PathLike[str]) -> tuple[dict[str, Any], Weights]:
    """Return the settings of a `GPTConfig` and the weights of a `GPT`, from a GPT-2 or Llama folder or a GGUF file."""
    path = Path(path)
    if path.is_file():
        return _from_gguf(path)
    config, weights = read_folder(path)
    kinds = {"gpt2": _from_gpt2, "llama": _from_llama}
    kind = config.get("model_type")
    if kind not in kinds:
        raise ValueError(f"`model_type` in config.json must be one of {', '.join(kinds)}, got {kind!r}.")
    return kinds[kind](config, weights)


def read_bert(path: str | PathLike[str]) -> tuple[dict[str, Any], Weights]:
    """Return the settings of a `BERTConfig` and the weights of a `BERT`, from a folder."""
    config, weights = read_folder(Path(path))
    if config.get("model_type") != "bert":
        raise ValueError(f"`model_type` in config.json must be bert, got {config.get('model_type')!r}.")
    _require(config, "position_embedding_type", "absolute")
    _require(config, "hidden_act", "gelu")
    settings = {
        "vocab_size": config["vocab_size"],
        "context_length": config["max_position_embeddings"],
        "embed_dim": config["hidden_size"],
        "num_heads": config["num_attention_heads"],
        "num_layers": config["num_hidden_layers"],
        "hidden_size": config["intermediate_size"],
        "num_segments": config.get("type_vocab_size", 2),
        "norm_eps": config.get("layer_norm_eps", 1e-12),
    }
    # The heads on top (pooler, masked words, next sentence) are other models' business.
    weights = {name.removeprefix("bert."): tensor for name, tensor in weights.items()}
    weights = {name: tensor for name, tensor in weights.items() if name.startswith(("embeddings.", "encoder."))}
    return settings, _renamed(weights, _BERT, ignore=("embeddings.position_ids",))


def read_folder(path: Path) -> tuple[dict[str, Any], Weights]:
    """Return config.json and all tensors of a folder.

    Raises:
        FileNotFoundError: the folder, config.json or the safetensors are not there.
        ValueError: config.json or a file of tensors is damaged.
    """
    if not path.is_dir():
        raise FileNotFoundError(
            f"`path` must be a folder with config.json and safetensors, or a GGUF file, got {path}."
        )
    files = sorted(path.glob("*.safetensors"))
    if not (path / "config.json").is_file() or not files:
        raise FileNotFoundError(
            f"`path` must hold config.json and *.safetensors, got {sorted(each.name for each in path.iterdir())[:8]}."
        )
    try:
        config = _Config(json.loads((path / "config.json").read_text(encoding="utf-8")))
    except (TypeError, ValueError) as error:
        raise ValueError(f"config.json is damaged: {error}.") from error
    weights: Weights = {}
    for file in files:
        try:
            with safe_open(file, framework="pt") as tensors:
                weights.update({name: tensors.get_tensor(name) for name in tensors.keys()})  # noqa: SIM118 - no mapping
        except SafetensorError as error:
            raise ValueError(f"{file.name} is damaged: {error}.") from error
    return config, weights


def _from_gpt2(config: Mapping[str, Any], weights: Weights) -> tuple[dict[str, Any], Weights]:
    activations = {"gelu_new": "gelu_tanh", "gelu_pytorch_tanh": "gelu_tanh", "gelu": "gelu", "relu": "relu"}
    activation = config.get("activation_function", "gelu_new")
    if activation not in activations:
        raise ValueError(f"`activation_function` must be one of {', '.join(activations)}, got {activation!r}.")
    _require(config, "scale_attn_by_inverse_layer_idx", False)
    settings = {
        "vocab_size": config["vocab_size"],
        "context_length": config["n_positions"],
        "embed_dim": config["n_embd"],
        "num_heads": config["n_head"],
        "num_layers": config["n_layer"],
        "hidden_size": config.get("n_inner"),
        "activation": activations[activation],
        "norm_eps": config.get("layer_norm_epsilon", 1e-5),
    }
    D = config["n_embd"]
    plain: Weights = {}
    for name, tensor in weights.items():
        name = name.removeprefix("transformer.")
        if name.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight")):
            tensor = tensor.T  # stored as (in, out), the other way round than nn.Linear
        if ".c_attn." in name and tensor.shape[0] == 3 * D:
            for part, piece in zip("qkv", tensor.split(D), strict=True):
                plain[name.replace("c_attn", f"c_attn_{part}")] = piece.contiguous()
        else:
            plain[name] = tensor.contiguous()
    return _head(settings, _renamed(plain, _GPT2, ignore=(r"h\.\d+\.attn\.(masked_)?bias",)))


def _from_llama(config: Mapping[str, Any], weights: Weights) -> tuple[dict[str, Any], Weights]:
    _require(config, "hidden_act", "silu")
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind != "default":
        raise ValueError(f"`rope_scaling` must be absent, got {kind!r}: this class knows plain rotary positions only.")
    D, heads = config["hidden_size"], config["num_attention_heads"]
    _require(config, "head_dim", D // heads)
    if bool(config.get("attention_bias")) != bool(config.get("mlp_bias")):
        raise ValueError(
            "`attention_bias` and `mlp_bias` must be the same, "
            f"got {config.get('attention_bias')}, {config.get('mlp_bias')}."
        )
    settings = _llama_settings(
        vocab_size=config["vocab_size"],
        context_length=config["max_position_embeddings"],
        embed_dim=D,
        num_heads=heads,
        num_layers=config["num_hidden_layers"],
        num_kv_heads=config.get("num_key_value_heads"),
        hidden_size=config["intermediate_size"],
        bias=bool(config.get("attention_bias")),
        norm_eps=config["rms_norm_eps"],
        rotary_base=float(rope.get("rope_theta", config.get("rope_theta", 10000.0))),
    )
    return _head(settings, _renamed(weights, _LLAMA, ignore=(r".*rotary_emb\.inv_freq",)))


def _from_gguf(path: Path) -> tuple[dict[str, Any], Weights]:
    """Settings and dequantised weights of a GGUF file; rotary pairs are neighbours there."""
    reader = open_gguf(path)
    with needs("lab", "reading a GGUF file"):
        import gguf

    def field(name: str, default: Any = None) -> Any:
        found = reader.get_field(name)
        if found is None and default is None:
            raise ValueError(f"{path.name} must hold the field {name}.")
        return default if found is None else found.contents()

    architecture = field("general.architecture")
    if architecture != "llama":
        raise ValueError(f"`general.architecture` of {path.name} must be llama, got {architecture!r}.")
    heads = field("llama.attention.head_count")
    embed_dim = field("llama.embedding_length")
    if field("llama.rope.dimension_count", embed_dim // heads) != embed_dim // heads or reader.get_field(
        "llama.rope.scaling.type"
    ):
        raise ValueError(f"{path.name} must have plain rotary positions over whole heads, got partial or scaled ones.")
    weights: Weights = {}
    for tensor in reader.tensors:
        if tensor.name == "rope_freqs.weight":
            raise ValueError(f"{path.name} must have plain rotary positions, got scaled ones ({tensor.name}).")
        try:
            values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        except (NotImplementedError, KeyError) as error:
            raise ValueError(
                f"{path.name} must be quantised in a way that the gguf package can read, "
                f"got {tensor.tensor_type.name} for {tensor.name}."
            ) from error
        shape = tuple(int(size) for size in reversed(tensor.shape))  # the file counts dimensions from the inside
        weights[tensor.name] = torch.from_numpy(np.array(values, dtype=np.float32).reshape(shape))
    settings = _llama_settings(
        vocab_size=len(weights["token_embd.weight"]),
        context_length=field("llama.context_length"),
        embed_dim=embed_dim,
        num_heads=heads,
        num_layers=field("llama.block_count"),
        num_kv_heads=field("llama.attention.head_count_kv", heads),
        hidden_size=field("llama.feed_forward_length"),
        bias=False,
        norm_eps=field("llama.attention.layer_norm_rms_epsilon"),
        rotary_base=float(field("llama.rope.freq_base", 10000.0)),
    )
    return _head(settings | {"rotary_interleaved": True}, _renamed(weights, _GGUF))


def _llama_settings(**settings: Any) -> dict[str, Any]:
    return settings | {"positions": "rotary", "norm": "rms", "activation": "swiglu"}


def _head(settings: dict[str, Any], weights: Weights) -> tuple[dict[str, Any], Weights]:
    """Without a head of its own a model scores with its embedding table."""
    tied = "head.weight" not in weights or torch.equal(weights["head.weight"], weights["embedding.weight"])
    if tied:
        weights["head.weight"] = weights["embedding.weight"]
    return settings | {"tie_embeddings": tied}, weights


def _renamed(weights: Weights, rules: Mapping[str, str], ignore: tuple[str, ...] = ()) -> Weights:
    """Give tensors our names; one that no rule knows keeps its own, and is told as surplus."""
    renamed: Weights = {}
    for name, tensor in weights.items():
        if any(re.fullmatch(pattern, name) for pattern in ignore):
            continue
        for pattern, ours in rules.items():
            found = re.fullmatch(pattern, name)
            if found:
                renamed[found.expand(ours)] = tensor
                break
        else:
            renamed[name] = tensor
    return renamed


def _require(config: Mapping[str, Any], name: str, value: Any) -> None:
    """Raise ValueError if a setting is there and asks for something that our class does not do."""
    given = config.get(name)
    if given is not None and given != value:
        raise ValueError(f"`{name}` in config.json must be {value!r}, got {given!r}.")


def _some(names: list[str]) -> str:
    if not names:
        return "none"
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


_ENDS = r"\.(weight|bias)"
_LAYER = r"layers.\1."
_GPT2 = {
    r"wte\.weight": "embedding.weight",
    r"wpe\.weight": "positions.weight",
    r"h\.(\d+)\.ln_1" + _ENDS: _LAYER + r"attention_norm.\2",
    r"h\.(\d+)\.ln_2" + _ENDS: _LAYER + r"feed_forward_norm.\2",
    r"h\.(\d+)\.attn\.c_attn_([qkv])" + _ENDS: _LAYER + r"attention.\2_proj.\3",
    r"h\.(\d+)\.attn\.c_proj" + _ENDS: _LAYER + r"attention.out_proj.\2",
    r"h\.(\d+)\.mlp\.c_fc" + _ENDS: _LAYER + r"feed_forward.up.\2",
    r"h\.(\d+)\.mlp\.c_proj" + _ENDS: _LAYER + r"feed_forward.down.\2",
    r"ln_f" + _ENDS: r"norm.\1",
    r"lm_head\.weight": "head.weight",
}
_LLAMA = {
    r"model\.embed_tokens\.weight": "embedding.weight",
    r"model\.layers\.(\d+)\.input_layernorm\.weight": _LAYER + "attention_norm.weight",
    r"model\.layers\.(\d+)\.post_attention_layernorm\.weight": _LAYER + "feed_forward_norm.weight",
    r"model\.layers\.(\d+)\.self_attn\.([qkv])_proj" + _ENDS: _LAYER + r"attention.\2_proj.\3",
    r"model\.layers\.(\d+)\.self_attn\.o_proj" + _ENDS: _LAYER + r"attention.out_proj.\2",
    r"model\.layers\.(\d+)\.mlp\.(up|gate|down)_proj" + _ENDS: _LAYER + r"feed_forward.\2.\3",
    r"model\.norm\.weight": "norm.weight",
    r"lm_head\.weight": "head.weight",
}
_GGUF = {
    r"token_embd\.weight": "embedding.weight",
    r"blk\.(\d+)\.attn_norm\.weight": _LAYER + "attention_norm.weight",
    r"blk\.(\d+)\.ffn_norm\.weight": _LAYER + "feed_forward_norm.weight",
    r"blk\.(\d+)\.attn_([qkv])\.weight": _LAYER + r"attention.\2_proj.weight",
    r"blk\.(\d+)\.attn_output\.weight": _LAYER + "attention.out_proj.weight",
    r"blk\.(\d+)\.ffn_(up|gate|down)\.weight": _LAYER + r"feed_forward.\2.weight",
    r"output_norm\.weight": "norm.weight",
    r"output\.weight": "head.weight",
}
_BERT = {
    r"embeddings\.word_embeddings\.weight": "embedding.weight",
    r"embeddings\.position_embeddings\.weight": "positions.weight",
    r"embeddings\.token_type_embeddings\.weight": "segment_embedding.weight",
    r"embeddings\.LayerNorm" + _ENDS: r"norm.\1",
    r"encoder\.layer\.(\d+)\.attention\.self\.(q)uery" + _ENDS: _LAYER + r"attention.\2_proj.\3",
    r"encoder\.layer\.(\d+)\.attention\.self\.(k)ey" + _ENDS: _LAYER + r"attention.\2_proj.\3",
    r"encoder\.layer\.(\d+)\.attention\.self\.(v)alue" + _ENDS: _LAYER + r"attention.\2_proj.\3",
    r"encoder\.layer\.(\d+)\.attention\.output\.dense" + _ENDS: _LAYER + r"attention.out_proj.\2",
    r"encoder\.layer\.(\d+)\.attention\.output\.LayerNorm" + _ENDS: _LAYER + r"attention_norm.\2",
    r"encoder\.layer\.(\d+)\.intermediate\.dense" + _ENDS: _LAYER + r"feed_forward.up.\2",
    r"encoder\.layer\.(\d+)\.output\.dense" + _ENDS: _LAYER + r"feed_forward.down.\2",
    r"encoder\.layer\.(\d+)\.output\.LayerNorm" + _ENDS: _LAYER + r"feed_forward_norm.\2",
}
