"""Writes a `GPT` in the formats of others: a Hugging Face folder, and a GGUF file.

Both know two kinds of decoder that a `GPT` can be, GPT-2's (learned positions, LayerNorm, biases) and Llama's (rotary
positions, RMSNorm, SwiGLU); a folder also the families that differ from Llama in one thing. A setting that none of them
has is refused by its name. `GPT.from_pretrained` reads both back.

D width, H heads, K head width.
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor

from lmcourse import atomic, checks
from lmcourse.extras import needs
from lmcourse.models import weight_names
from lmcourse.models.gpt import GPT, GPTConfig
from lmcourse.models.pretrained import ACTIVATIONS
from lmcourse.models.pretrained_gguf import INTERLEAVED, UNROTATED_EVERY, scaling_of, slower_pairs
from lmcourse.models.weight_names import Weights, own_state, renamed, reversed_names, unwrapped
from lmcourse.tokenizers.bpe import BPETokenizer

if TYPE_CHECKING:
    import gguf

Kind = Literal["gpt2", "llama", "qwen2", "mistral", "qwen3", "smollm3"]

# The linear layers of a block that have biases in a family like Llama, all or none of a group.
_QKV, _FEED_FORWARD = frozenset({"q_proj", "k_proj", "v_proj"}), frozenset({"up", "gate", "down"})
_ATTENTION = _QKV | {"out_proj"}
_BIASED: dict[Kind, tuple[frozenset[str], ...]] = {
    "llama": (_ATTENTION, _FEED_FORWARD),
    "qwen2": (_QKV,),
    "mistral": (),
    "qwen3": (_ATTENTION,),
    "smollm3": (_ATTENTION, _FEED_FORWARD),
}
_CLASSES: dict[Kind, str] = {
    "gpt2": "GPT2LMHead",
    "llama": "Llama",
    "qwen2": "Qwen2",
    "mistral": "Mistral",
    "qwen3": "Qwen3",
    "smollm3": "SmolLM3",
}

# What a config must hold to have a counterpart, by the kind of its positions.
_KINDS: dict[str, tuple[Kind, dict[str, tuple[Any, ...]]]] = {
    "learned": (
        "gpt2",
        {"norm": ("layer",), "activation": tuple(dict.fromkeys(ACTIVATIONS.values())), "bias": (True,)},
    ),
    "rotary": ("llama", {"norm": ("rms",), "activation": ("swiglu",)}),
}


def export_huggingface(
    model: GPT,
    folder: str | os.PathLike[str],
    tokenizer: BPETokenizer | None = None,
    *,
    stop_id: int | None = None,
) -> Path:
    """Write a folder that transformers reads: config.json, model.safetensors, and the tokenizer if one is given.

    `AutoModelForCausalLM.from_pretrained(folder)` gives the same logits in the dtype of the model
    (`dtype="auto"`), and `AutoTokenizer.from_pretrained(folder)` the same ids.

    Args:
        model: of the kind of GPT-2, Llama, Qwen2 (no biases but those of queries, keys and values), Mistral
            (`window`), Qwen3 (`qk_norm`) or SmolLM3 (`unrotated_layers`), wrapped (`torch.compile`) or not.
        folder: made if it is not there; files of these names in it are replaced.
        tokenizer: its ids must be below the model's vocab_size.
        stop_id: the token that ends a text, at which `transformers.generate` stops.

    Returns:
        The folder.

    Raises:
        TypeError: an argument of another kind.
        ValueError: a config without a counterpart, weights that a `GPT` does not have, or ids beyond the vocabulary.
    """
    model, kind = _checked(model, tokenizer, stop_id)
    checks.instance((str, os.PathLike), folder=folder)
    config = _gpt2_config(model.config) if kind == "gpt2" else _llama_config(model, kind)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    dtype = str(model.embedding.weight.dtype).removeprefix("torch.")
    ids = {"bos_token_id": None, "eos_token_id": stop_id, "pad_token_id": None}
    _write_json(folder / "config.json", {**config, "dtype": dtype, **ids})
    weights = _huggingface_weights(model, kind)
    atomic.write(folder / "model.safetensors", save(weights, metadata={"format": "pt"}))
    if tokenizer is not None:
        tokenizer.to_tokenizer_json(folder / "tokenizer.json")
        settings = {
            "tokenizer_class": "PreTrainedTokenizerFast",  # what tokenizer.json says, and nothing else
            "model_max_length": model.config.context_length,
            "clean_up_tokenization_spaces": False,
        }
        names = {number: name for name, number in tokenizer.special_tokens.items()}
        _write_json(
            folder / "tokenizer_config.json", settings | {"eos_token": None if stop_id is None else names.get(stop_id)}
        )
    return folder


def export_gguf(
    model: GPT,
    path: str | os.PathLike[str],
    tokenizer: BPETokenizer | None = None,
    *,
    dtype: Literal["F32", "F16", "Q8_0"] = "F16",
    stop_id: int | None = None,
) -> Path:
    """Write a GGUF file, as llama.cpp and what is built on it read.

    Matrices are written as `dtype`; vectors and learned positions stay in float32, and with Q8_0 so do matrices whose
    rows are no multiple of 32 numbers, in float16. A GGUF file names its split pattern instead of holding it, so a
    tokenizer needs one of the patterns that have a name.

    Args:
        model: as for `export_huggingface`, but that a window must hold the context, GPT-2's kind needs the activation
            "gelu_tanh", Qwen3's and SmolLM3's no biases, and SmolLM3's every fourth layer unrotated.
        path: of the file.
        tokenizer: its ids must be below the model's vocab_size.
        dtype: "Q8_0" holds blocks of 32 numbers in 8 bits each, with a scale.
        stop_id: the token that ends a text.

    Returns:
        The path.

    Raises:
        TypeError: an argument of another kind.
        ValueError: a config, weights or a tokenizer without a counterpart, or ids beyond the vocabulary.
    """
    with needs("lab", "writing a GGUF file"):
        import gguf
    model, kind = _checked(model, tokenizer, stop_id)
    checks.instance((str, os.PathLike), path=path)
    checks.one_of(("F32", "F16", "Q8_0"), dtype=dtype)
    architecture = _architecture(model.config, kind)
    with atomic.replacing(path, binary=True) as file:
        writer = gguf.GGUFWriter(file.name, architecture)
        _add_fields(writer, model.config, kind)
        writer.add_file_type(gguf.LlamaFileType[{"F32": "ALL_F32"}.get(dtype, f"MOSTLY_{dtype}")])
        writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
        if tokenizer is None:
            writer.add_tokenizer_model("no_vocab")
        else:
            tokenizer.add_to_gguf(writer, model.config.vocab_size)
        if stop_id is not None:
            writer.add_eos_token_id(stop_id)
        for name, tensor in _gguf_weights(model, kind, architecture).items():
            values, quantisation = _quantised(name, tensor, dtype)
            writer.add_tensor(name, values, raw_dtype=quantisation)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    return Path(path)


def _checked(wrapped: GPT, tokenizer: BPETokenizer | None, stop_id: int | None) -> tuple[GPT, Kind]:
    """Return the model without what wraps it, and its kind, checked together with what is exported beside it."""
    checks.instance(torch.nn.Module, model=wrapped)
    model = unwrapped(wrapped)
    checks.instance(GPT, model=model)
    assert isinstance(model, GPT)
    config = model.config
    if config.positions not in _KINDS:
        raise ValueError(
            f"`positions` must be one of {', '.join(map(repr, _KINDS))} to be exported, "
            f"got positions={config.positions!r}."
        )
    kind, wanted = _KINDS[config.positions]
    _require(config, kind, **wanted)
    if kind == "gpt2":
        _require(config, kind, qk_norm=(False,), num_kv_heads=(None, config.num_heads), window=(None,))
    elif config.qk_norm:
        kind = "qwen3"
        _require(config, kind, window=(None,), unrotated_layers=((), []))
    elif config.unrotated_layers:
        kind = "smollm3"
        _require(config, kind, window=(None,))
    elif config.window is not None:
        kind = "mistral"
    with torch.device("meta"):
        ours = set(GPT(config).state_dict())
    given = set(own_state(model))
    if given != ours:
        raise ValueError(
            "`model` must have the weights of a GPT and no others (LoRA must be merged first), "
            f"got surplus {sorted(given - ours)[:4]}, missing {sorted(ours - given)[:4]}."
        )
    learnt = _learnt_biases(model)
    if kind == "llama" and learnt and learnt <= _QKV:
        kind = "qwen2"
    if kind != "gpt2" and not learnt <= _biases(model, kind):
        _require(config, kind, bias=(False,))
    if tokenizer is not None:
        checks.instance(BPETokenizer, tokenizer=tokenizer)
        if tokenizer.vocab_size > config.vocab_size:
            raise ValueError(
                f"`tokenizer` must have ids below the model's vocab_size={config.vocab_size}, "
                f"got vocab_size={tokenizer.vocab_size}."
            )
    if stop_id is not None:
        checks.whole(at_least=0, below=config.vocab_size, stop_id=stop_id)
    return model, kind


def _learnt_biases(model: GPT) -> frozenset[str]:
    """Return the linear layers of a block that have biases, those of 0 left out, unless all are 0.

    A `GPT` has biases everywhere or nowhere: `from_pretrained` adds those of 0 where others have none.
    """
    biases = {name: each for name, each in own_state(model).items() if re.search(r"(proj|up|gate|down)\.bias", name)}
    learnt = [name for name, bias in biases.items() if bias.any()] or list(biases)
    return frozenset(name.split(".")[-2] for name in learnt)


def _biases(model: GPT, kind: Kind) -> frozenset[str]:
    """Return the linear layers of a block whose biases are written: the groups of the family that have any."""
    learnt = _learnt_biases(model)
    return frozenset[str]().union(*(group for group in _BIASED[kind] if group & learnt))


def _require(config: GPTConfig, kind: Kind, **wanted: tuple[Any, ...]) -> None:
    for name, allowed in wanted.items():
        value = getattr(config, name)
        if value not in allowed:
            rule = " or ".join(map(repr, allowed))
            raise ValueError(f"`{name}` must be {rule} to be exported as {kind}, got {name}={value!r}.")


# Hugging Face ---------------------------------------------------------------------------------------------------------


def _gpt2_config(config: GPTConfig) -> dict[str, Any]:
    names = {ours: theirs for theirs, ours in reversed(ACTIVATIONS.items())}
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": config.vocab_size,
        "n_positions": config.context_length,
        "n_embd": config.embed_dim,
        "n_layer": config.num_layers,
        "n_head": config.num_heads,
        "n_inner": config.feed_forward_size,
        "activation_function": names[config.activation],
        "layer_norm_epsilon": config.norm_eps,
        "resid_pdrop": config.dropout,
        "embd_pdrop": config.dropout,
        "attn_pdrop": 0.0,
        "tie_word_embeddings": config.tie_embeddings,
    }


def _llama_config(model: GPT, kind: Kind) -> dict[str, Any]:
    config, biased = model.config, _biases(model, kind)
    rope: dict[str, Any] = {"rope_type": "default"}
    if config.rotary_scaling is not None:
        names = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")
        rope = {"rope_type": "llama3", **dict(zip(names, config.rotary_scaling, strict=True))}
    unrotated = {}
    if kind == "smollm3":  # a 0 says that a layer is not rotated
        unrotated["no_rope_layers"] = [int(n not in config.unrotated_layers) for n in range(config.num_layers)]
    return {
        "architectures": [f"{_CLASSES[kind]}ForCausalLM"],
        "model_type": kind,
        "vocab_size": config.vocab_size,
        "max_position_embeddings": config.context_length,
        "hidden_size": config.embed_dim,
        "intermediate_size": config.feed_forward_size,
        "num_hidden_layers": config.num_layers,
        "num_attention_heads": config.num_heads,
        "num_key_value_heads": config.num_kv_heads or config.num_heads,
        "head_dim": config.head_size,
        "hidden_act": "silu",
        "rms_norm_eps": config.norm_eps,
        "rope_theta": config.rotary_base,  # as transformers before its version 5 reads it
        "rope_parameters": rope | {"rope_theta": config.rotary_base},
        "attention_bias": biased >= _ATTENTION,
        "mlp_bias": biased >= _FEED_FORWARD,
        "attention_dropout": 0.0,
        "sliding_window": config.window,
        **unrotated,
        "tie_word_embeddings": config.tie_embeddings,
    }


def _huggingface_weights(model: GPT, kind: Kind) -> Weights:
    weights = _own_weights(model, kind, interleaved=False)
    if kind != "gpt2":
        return renamed(weights, reversed_names(weight_names.LLAMA))
    weights = _fused(renamed(weights, reversed_names(weight_names.GPT2)), "attn.c_attn")
    for name, tensor in weights.items():
        if name.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight")):
            weights[name] = tensor.T.contiguous()  # stored as (in, out), nn.Linear has (out, in)
    return {name if name == "lm_head.weight" else f"transformer.{name}": tensor for name, tensor in weights.items()}


# GGUF -----------------------------------------------------------------------------------------------------------------


def _architecture(config: GPTConfig, kind: Kind) -> str:
    """Return the name of the architecture in GGUF; raise ValueError for what llama.cpp does not compute there."""
    if kind == "gpt2":
        _require(config, kind, activation=("gelu_tanh",))
        return kind
    if config.window is not None and config.window < config.context_length:  # one that holds the context never acts
        _require(config, "llama", window=(None,))
    if kind in ("qwen3", "smollm3"):
        _require(config, kind, bias=(False,))
    if config.unrotated_layers:
        wanted = list(range(UNROTATED_EVERY - 1, config.num_layers, UNROTATED_EVERY))
        _require(config, kind, unrotated_layers=(wanted, tuple(wanted)))
    if config.rotary_scaling is not None:
        slower = slower_pairs(config.head_size, config.rotary_base, config.rotary_scaling).float()
        if kind not in ("llama", "mistral") or scaling_of(slower, config.rotary_base) is None:
            _require(config, kind, rotary_scaling=(None,))
    return "llama" if kind == "mistral" else kind


def _add_fields(writer: "gguf.GGUFWriter", config: GPTConfig, kind: Kind) -> None:
    writer.add_vocab_size(config.vocab_size)
    writer.add_context_length(config.context_length)
    writer.add_embedding_length(config.embed_dim)
    writer.add_block_count(config.num_layers)
    writer.add_feed_forward_length(config.feed_forward_size)
    writer.add_head_count(config.num_heads)
    if kind == "gpt2":
        writer.add_layer_norm_eps(config.norm_eps)
        return
    writer.add_head_count_kv(config.num_kv_heads or config.num_heads)
    writer.add_layer_norm_rms_eps(config.norm_eps)
    writer.add_rope_dimension_count(config.head_size)
    writer.add_key_length(config.head_size)
    writer.add_value_length(config.head_size)
    writer.add_rope_freq_base(config.rotary_base)


def _gguf_weights(model: GPT, kind: Kind, architecture: str) -> Weights:
    weights = _own_weights(model, kind, interleaved=architecture in INTERLEAVED)
    weights = renamed(weights, reversed_names(weight_names.GGUF))
    config = model.config
    if config.rotary_scaling is not None:
        weights["rope_freqs.weight"] = slower_pairs(config.head_size, config.rotary_base, config.rotary_scaling).float()
    return _fused(weights, "attn", fused="attn_qkv") if kind == "gpt2" else weights


def _quantised(name: str, tensor: Tensor, dtype: str) -> "tuple[np.ndarray, gguf.GGMLQuantizationType]":
    import gguf

    values = tensor.float().numpy()
    if tensor.dim() < 2 or name == "position_embd.weight":
        dtype = "F32"
    elif dtype == "Q8_0" and values.shape[-1] % gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType.Q8_0][0]:
        dtype = "F16"
    quantisation = gguf.GGMLQuantizationType[dtype]
    return gguf.quants.quantize(values, quantisation), quantisation


# Both -----------------------------------------------------------------------------------------------------------------


def _own_weights(model: GPT, kind: Kind, *, interleaved: bool) -> Weights:
    """Return the weights on the CPU by our names, without a tied head and biases of 0, rotary pairs as wanted."""
    config = model.config
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in own_state(model).items()}
    if config.tie_embeddings:
        del weights["head.weight"]
    if kind != "gpt2":
        biases = _biases(model, kind)
        weights = {
            name: tensor for name, tensor in weights.items() if name.endswith("weight") or name.split(".")[-2] in biases
        }
    if config.positions == "rotary" and config.rotary_interleaved != interleaved:
        for name, tensor in weights.items():
            if re.search(r"\.[qk]_(proj|norm)\.", name):
                weights[name] = reorder_rotary_rows(tensor, config.head_size, interleaved=interleaved)
    return weights


def reorder_rotary_rows(rows: Tensor, head_dim: int, *, interleaved: bool) -> Tensor:
    """Reorder the rows (H K, ...) of a projection: rotary pairs half a head apart, or side by side.

    Queries and keys are reordered alike, so their dot products are the same.
    """
    pairs = (2, head_dim // 2) if interleaved else (head_dim // 2, 2)
    paired: Tensor = rows.unflatten(0, (-1, *pairs))
    return paired.transpose(1, 2).flatten(0, 2).contiguous()


def _fused(weights: Weights, stem: str, *, fused: str | None = None) -> Weights:
    """Put the projections STEM_q, STEM_k, STEM_v of each layer together, under the name of `stem` or `fused`."""
    result: Weights = {}
    for name, tensor in weights.items():
        if f"{stem}_q." in name:
            parts = [tensor] + [weights[name.replace(f"{stem}_q.", f"{stem}_{part}.")] for part in "kv"]
            result[name.replace(f"{stem}_q.", f"{fused or stem}.")] = torch.cat(parts)
        elif f"{stem}_k." not in name and f"{stem}_v." not in name:
            result[name] = tensor
    return result


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    atomic.write(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
