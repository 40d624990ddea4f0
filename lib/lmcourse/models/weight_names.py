"""The names that others give to the weights of a `GPT` or a `BERT`, beside ours, and those of models that are wrapped.

Each table holds pairs (theirs, ours) in which {} stands for a number, and * for weight or bias. A table is read in both
directions: `renamed(weights, table)` gives our names, `renamed(weights, reversed_names(table))` theirs.

`torch.compile`, `DataParallel` and `DistributedDataParallel` hold the model, or a layer, under a name of theirs, which
torch puts into the names of all that is inside. `own_names` and `own_state` leave it out.
"""

import re
from collections.abc import Collection, Iterable, Mapping

import torch
from torch import Tensor, nn

Weights = dict[str, Tensor]
Names = tuple[tuple[str, str], ...]
# The last two leave their names out of a state dict by themselves, and have them in those of modules.
_WRAPPED = ("_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module")

GPT2: Names = (  # the fused projection c_attn is cut into c_attn_q, c_attn_k, c_attn_v first
    ("wte.weight", "embedding.weight"),
    ("wpe.weight", "positions.weight"),
    ("h.{}.ln_1.*", "layers.{}.attention_norm.*"),
    ("h.{}.attn.c_attn_q.*", "layers.{}.attention.q_proj.*"),
    ("h.{}.attn.c_attn_k.*", "layers.{}.attention.k_proj.*"),
    ("h.{}.attn.c_attn_v.*", "layers.{}.attention.v_proj.*"),
    ("h.{}.attn.c_proj.*", "layers.{}.attention.out_proj.*"),
    ("h.{}.ln_2.*", "layers.{}.feed_forward_norm.*"),
    ("h.{}.mlp.c_fc.*", "layers.{}.feed_forward.up.*"),
    ("h.{}.mlp.c_proj.*", "layers.{}.feed_forward.down.*"),
    ("ln_f.*", "norm.*"),
    ("lm_head.weight", "head.weight"),
)
LLAMA: Names = (
    ("model.embed_tokens.weight", "embedding.weight"),
    ("model.layers.{}.input_layernorm.weight", "layers.{}.attention_norm.weight"),
    ("model.layers.{}.self_attn.q_proj.*", "layers.{}.attention.q_proj.*"),
    ("model.layers.{}.self_attn.k_proj.*", "layers.{}.attention.k_proj.*"),
    ("model.layers.{}.self_attn.v_proj.*", "layers.{}.attention.v_proj.*"),
    ("model.layers.{}.self_attn.o_proj.*", "layers.{}.attention.out_proj.*"),
    ("model.layers.{}.self_attn.q_norm.weight", "layers.{}.attention.q_norm.weight"),  # Qwen3
    ("model.layers.{}.self_attn.k_norm.weight", "layers.{}.attention.k_norm.weight"),
    ("model.layers.{}.post_attention_layernorm.weight", "layers.{}.feed_forward_norm.weight"),
    ("model.layers.{}.mlp.up_proj.*", "layers.{}.feed_forward.up.*"),
    ("model.layers.{}.mlp.gate_proj.*", "layers.{}.feed_forward.gate.*"),
    ("model.layers.{}.mlp.down_proj.*", "layers.{}.feed_forward.down.*"),
    ("model.norm.weight", "norm.weight"),
    ("lm_head.weight", "head.weight"),
)
GGUF: Names = (  # gpt2's fused attn_qkv is cut first
    ("token_embd.weight", "embedding.weight"),
    ("position_embd.weight", "positions.weight"),
    ("blk.{}.attn_norm.*", "layers.{}.attention_norm.*"),
    ("blk.{}.attn_q.*", "layers.{}.attention.q_proj.*"),
    ("blk.{}.attn_k.*", "layers.{}.attention.k_proj.*"),
    ("blk.{}.attn_v.*", "layers.{}.attention.v_proj.*"),
    ("blk.{}.attn_output.*", "layers.{}.attention.out_proj.*"),
    ("blk.{}.attn_q_norm.weight", "layers.{}.attention.q_norm.weight"),
    ("blk.{}.attn_k_norm.weight", "layers.{}.attention.k_norm.weight"),
    ("blk.{}.ffn_norm.*", "layers.{}.feed_forward_norm.*"),
    ("blk.{}.ffn_up.*", "layers.{}.feed_forward.up.*"),
    ("blk.{}.ffn_gate.*", "layers.{}.feed_forward.gate.*"),
    ("blk.{}.ffn_down.*", "layers.{}.feed_forward.down.*"),
    ("output_norm.*", "norm.*"),
    ("output.weight", "head.weight"),
)
BERT: Names = (
    ("embeddings.word_embeddings.weight", "embedding.weight"),
    ("embeddings.position_embeddings.weight", "positions.weight"),
    ("embeddings.token_type_embeddings.weight", "segment_embedding.weight"),
    ("embeddings.LayerNorm.*", "norm.*"),
    ("encoder.layer.{}.attention.self.query.*", "layers.{}.attention.q_proj.*"),
    ("encoder.layer.{}.attention.self.key.*", "layers.{}.attention.k_proj.*"),
    ("encoder.layer.{}.attention.self.value.*", "layers.{}.attention.v_proj.*"),
    ("encoder.layer.{}.attention.output.dense.*", "layers.{}.attention.out_proj.*"),
    ("encoder.layer.{}.attention.output.LayerNorm.*", "layers.{}.attention_norm.*"),
    ("encoder.layer.{}.intermediate.dense.*", "layers.{}.feed_forward.up.*"),
    ("encoder.layer.{}.output.dense.*", "layers.{}.feed_forward.down.*"),
    ("encoder.layer.{}.output.LayerNorm.*", "layers.{}.feed_forward_norm.*"),
)


def renamed(weights: Weights, names: Names) -> Weights:
    """Return the weights under the names of the right column; one that is not in the table keeps its own name."""
    rules = [(re.compile(_pattern(left)), _replacement(right)) for left, right in names]
    result: Weights = {}
    for name, tensor in weights.items():
        found = next(((rule.fullmatch(name), new) for rule, new in rules if rule.fullmatch(name)), None)
        result[name if found is None else found[0].expand(found[1])] = tensor  # type: ignore[union-attr]
    return result


def reversed_names(names: Names) -> Names:
    """Return the table with its columns exchanged."""
    return tuple((right, left) for left, right in names)


def without(weights: Weights, patterns: Iterable[str]) -> Weights:
    """Return the weights but those whose name matches one of the regular expressions."""
    return {
        name: tensor for name, tensor in weights.items() if not any(re.fullmatch(pattern, name) for pattern in patterns)
    }


def with_zero_biases(weights: Weights, biased: Collection[str]) -> Weights:
    """Return our weights with biases of 0 where a model has none: a `GPT` has them everywhere or nowhere.

    Args:
        weights: by our names.
        biased: the linear layers of a block that have biases, such as "q_proj"; if there are none, nothing is added.
    """
    linear = [name for name in weights if re.fullmatch(r"layers\..*(proj|up|gate|down)\.weight", name)]
    missing = [name for name in linear if name.split(".")[-2] not in biased] if biased else []
    zeros = {name.replace(".weight", ".bias"): torch.zeros(len(weights[name])) for name in missing}
    return zeros | weights


def _pattern(template: str) -> str:
    return re.escape(template).replace(r"\{\}", r"(?P<i>\d+)").replace(r"\*", "(?P<part>weight|bias)")


def _replacement(template: str) -> str:
    return template.replace("{}", r"\g<i>").replace("*", r"\g<part>")


def unwrapped(model: nn.Module) -> nn.Module:
    """Return the model inside of its wrappers, or the model itself."""
    while (name := _holds_as(model)) is not None:
        model = getattr(model, name)
    return model


def own_names(model: nn.Module, names: Iterable[str]) -> dict[str, str]:
    """Return names in `model`, of modules or in its state dict -> the ones that they have without wrappers."""
    result = {}
    for name in names:
        kept: list[str] = []
        part: object = model
        for piece in name.split("."):
            if piece != _holds_as(part):
                kept.append(piece)
            part = getattr(part, piece, None)
        result[name] = ".".join(kept)
    return result


def own_state(model: nn.Module) -> Weights:
    """Return the state dict of a model under the names that it has without wrappers."""
    state = model.state_dict()
    return {own: state[name] for name, own in own_names(model, state).items()}


def load_own_state(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Fill a model, wrapped or not, from what `own_state` returned."""
    model.load_state_dict({name: weights[own] for name, own in own_names(model, model.state_dict()).items()})


def without_wrappers(name: str) -> str:
    """Return a name in a file without what wrappers put into it."""
    return re.sub(rf"(?<![^.])(module|{'|'.join(_WRAPPED)})\.", "", name)


def _holds_as(module: object) -> str | None:
    """Return the name under which a wrapper holds what it wraps."""
    if isinstance(module, nn.DataParallel | nn.parallel.DistributedDataParallel):
        return "module"
    parts = getattr(module, "_modules", ())
    return next((name for name in _WRAPPED if name in parts), None)
