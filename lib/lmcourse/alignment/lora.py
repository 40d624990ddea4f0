"""LoRA: a model is tuned by adding a product of two thin matrices to some of its own, which stay as they are.

    add_lora(model, ("q_proj", "v_proj"), rank=8)    # from here on only the new matrices are trained
    fit(model, ...)
    save_lora("adapter", model)                      # a few megabytes; peft reads them too
    merge_lora(model)                                # plain linear layers again, with W + (alpha / r) B A

The base weights are never written to, so an adapter can be switched off, taken out of a merged model again, and kept
in a file of its own. After Hu et al., "LoRA: low-rank adaptation of large language models", 2022.

r rank, (..., in) and (..., out) the inputs and outputs of a linear layer.
"""

import math
import os
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
import torch.nn.functional as F
from safetensors import SafetensorError
from torch import Tensor, nn

from lmcourse import atomic, checks, json_files, tensor_checks
from lmcourse.models import GPT
from lmcourse.models.export import reorder_rotary_rows
from lmcourse.models.weight_names import LLAMA, Names, own_names, renamed, reversed_names, unwrapped, without_wrappers

__all__ = [
    "LoRALinear",
    "add_lora",
    "load_lora",
    "lora_disabled",
    "lora_layers",
    "merge_lora",
    "save_lora",
    "unmerge_lora",
]

CONFIG_FILE, WEIGHTS_FILE = "adapter_config.json", "adapter_model.safetensors"
_PREFIX = "base_model.model."  # peft's, before the name of a layer
# Options of peft whose values do not change what an adapter computes with the matrices in its file,
_FREE = frozenset(
    {
        "alora_invocation_string", "auto_mapping", "base_model_name_or_path", "eva_config", "exclude_modules",
        "inference_mode", "layers_pattern", "layers_to_transform", "lora_alpha", "lora_dropout", "megatron_core",
        "peft_version", "qalora_group_size", "r", "revision", "runtime_config", "target_modules", "task_type",
    }
)  # fmt: skip
# and those of which `LoRALinear` computes these values. All others must be off, also those that peft gets next year.
# ("pissa", "olora", "corda", "loftq" and "lora_ga" change the weights under the adapter, which its file does not hold.)
_COMPUTED: dict[str, tuple[Any, ...]] = {
    "peft_type": ("LORA",),
    "bias": ("none",),
    "init_lora_weights": (True, False, "gaussian", "orthogonal", "eva", "mica"),
}
_OFF: tuple[Any, ...] = (None, False, {}, [])


class LoRALinear(nn.Module):
    """A linear layer with an adapter: y = W x + b + (alpha / r) B A x, where only A and B are trained.

    A starts as torch starts a linear layer, B at zero, so that the fresh adapter changes nothing. Where the base is in
    half precision, A and B are float32: their updates are smaller than what a bfloat16 number can show.

    Args:
        base: its weights are frozen.
        rank: r, at most the smaller of the layer's two sizes.
        alpha: the adapter's output is scaled by alpha / r, so that another rank needs no other learning rate.
        dropout: on the adapter's input, in training.

    Raises:
        TypeError: `base` is not a plain `nn.Linear`, or a setting is of another kind.
        ValueError: a setting out of range.

    Source: Hu et al., 2022, equation 3 and section 4.1.
    """

    def __init__(self, base: nn.Linear, rank: int = 8, *, alpha: float = 16.0, dropout: float = 0.0) -> None:
        super().__init__()
        if type(base) is not nn.Linear:
            raise TypeError(f"`base` must be a plain nn.Linear, got {type(base).__name__}.")
        _check_settings(min(base.weight.shape), rank, alpha, dropout)
        self.base = base.requires_grad_(False)
        self.rank, self.alpha, self.enabled = rank, alpha, True
        self.dropout = nn.Dropout(dropout)
        dtype = torch.float32 if base.weight.dtype in (torch.bfloat16, torch.float16) else base.weight.dtype
        options: dict[str, Any] = {"device": base.weight.device, "dtype": dtype}
        self.lora_A = nn.Parameter(torch.empty(rank, base.in_features, **options))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank, **options))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        """Map x (..., in) to (..., out); without the adapter where `enabled` is False."""
        tensor_checks.vectors(self.in_features, self.base.weight, x=x)
        y: Tensor = self.base(x)
        if not self.enabled:
            return y
        inside = F.linear(self.dropout(x.to(self.lora_A.dtype)), self.lora_A)  # (..., r)
        return (y + self.scale * F.linear(inside, self.lora_B)).to(y.dtype)

    @property
    def scale(self) -> float:
        """The factor of the adapter's output, alpha / r."""
        return self.alpha / self.rank

    @property
    def weight(self) -> Tensor:
        """The matrix that the layer multiplies with, W + (alpha / r) B A (out, in), computed anew at each reading."""
        W = self.base.weight
        return (W.to(self.lora_A.dtype) + self.scale * self.lora_B @ self.lora_A).to(W.dtype) if self.enabled else W

    @property
    def bias(self) -> Tensor | None:
        """b, (out,), or None."""
        return self.base.bias

    @property
    def in_features(self) -> int:
        """The width of the inputs."""
        return self.base.in_features

    @property
    def out_features(self) -> int:
        """The width of the outputs."""
        return self.base.out_features

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """Return a plain linear layer that computes the same but for rounding; it is frozen too."""
        with torch.device("meta"):
            plain = nn.Linear(self.in_features, self.out_features, bias=self.bias is not None)
        plain.weight = nn.Parameter(self.weight.clone(), requires_grad=False)
        if self.bias is not None:
            plain.bias = nn.Parameter(self.bias.clone(), requires_grad=False)
        return plain.train(self.training)

    def extra_repr(self) -> str:
        return f"rank={self.rank}, alpha={self.alpha:g}"


def add_lora(
    model: nn.Module,
    targets: Sequence[str] = ("q_proj", "v_proj"),
    *,
    rank: int = 8,
    alpha: float = 16.0,
    dropout: float = 0.0,
) -> dict[str, LoRALinear]:
    """Give linear layers of a model an adapter each, in place, and freeze all other parameters.

    Args:
        model: any module; text is written plainly by one with adapters, not by its fast decoder.
        targets: names of linear layers; a last part of a name, such as "q_proj", stands for all that end with it.
        rank, alpha, dropout: of each, see `LoRALinear`.

    Returns:
        The new layers by their names in the model.

    Raises:
        TypeError: an argument of another kind.
        ValueError: a target that no linear layer has, or one whose layer or weights are in the model twice (a head
            that is tied to the embedding); a setting out of range. The model is then as it was.
        RuntimeError: the model has adapters already.
    """
    checks.instance(nn.Module, model=model)
    checks.texts(targets=targets)
    checks.not_empty(targets=targets)
    if lora_layers(model):
        raise RuntimeError("`model` must have no adapters yet: merge them first, or load the model again.")
    chosen = _chosen(model, targets)
    _check_settings(min(min(layer.weight.shape) for layer in chosen.values()), rank, alpha, dropout)
    model.requires_grad_(False)
    new = {
        name: LoRALinear(layer, rank, alpha=alpha, dropout=dropout).train(model.training)
        for name, layer in chosen.items()
    }
    unmerge_lora(model, new)
    return new


def lora_layers(model: nn.Module) -> dict[str, LoRALinear]:
    """Return the layers of a model that have an adapter, by name; an empty dict if there are none."""
    checks.instance(nn.Module, model=model)
    return {name: part for name, part in model.named_modules() if isinstance(part, LoRALinear)}


@contextmanager
def lora_disabled(model: nn.Module) -> Iterator[None]:
    """Let a model compute without its adapters inside a `with` block: it is its own reference."""
    layers = _layers_of(model)
    before = {name: layer.enabled for name, layer in layers.items()}
    for layer in layers.values():
        layer.enabled = False
    try:
        yield
    finally:
        for name, layer in layers.items():
            layer.enabled = before[name]


def merge_lora(model: nn.Module) -> dict[str, LoRALinear]:
    """Replace each layer that has an adapter by a plain linear layer with W + (alpha / r) B A, in place.

    The model is then of the same classes as before `add_lora`, with no cost at all for having been tuned.

    Returns:
        The layers that were replaced, for `unmerge_lora`; their base weights are untouched.

    Raises:
        RuntimeError: the model has no adapters.
    """
    layers = _layers_of(model)
    for name, layer in layers.items():
        model.set_submodule(name, layer.merged())
    return layers


def unmerge_lora(model: nn.Module, layers: Mapping[str, LoRALinear]) -> None:
    """Put layers with adapters into a model, in place: what `merge_lora` returned, from the same model.

    Raises:
        TypeError: not a mapping from names to `LoRALinear`.
        ValueError: no layers; a name that is not a plain linear layer of this model, of its size. It is then as it was.
    """
    checks.instance(nn.Module, model=model)
    checks.instance(Mapping, layers=layers)
    checks.not_empty(layers=layers)
    known = dict(model.named_modules())
    for name, layer in layers.items():
        checks.instance(LoRALinear, **{f"layers[{name!r}]": layer})
        present = known.get(name)
        sizes = (layer.out_features, layer.in_features)
        if not name or type(present) is not nn.Linear or tuple(present.weight.shape) != sizes:
            raise ValueError(f"`layers` must be plain linear layers of `model`, of their sizes, got {name!r} {sizes}.")
    for name, layer in layers.items():
        model.set_submodule(name, layer)


def save_lora(folder: str | os.PathLike[str], model: nn.Module, *, base: str | None = None) -> Path:
    """Write the adapters of a model, and nothing else of it, as peft does: a JSON file and a safetensors file.

    For a `GPT` of Llama's kind the layers have the names of transformers, so that `peft.PeftModel.from_pretrained`
    puts the adapters on what `export_huggingface` wrote; for other models they have their own.

    Args:
        folder: made if it is not there; files of these names in it are replaced.
        model: its adapters must have one rank and one alpha.
        base: the name or path of the model under the adapter, for the reader's information.

    Returns:
        The folder.

    Raises:
        ValueError: adapters of several ranks.
        RuntimeError: the model has no adapters.
        OSError: the files cannot be written.
    """
    checks.file_path(folder=folder)
    if base is not None:
        checks.instance(str, base=base)
    layers = _layers_of(model)
    kinds = {(layer.rank, layer.alpha, layer.dropout.p) for layer in layers.values()}
    if len(kinds) > 1:
        raise ValueError(f"`model` must have adapters of one rank, alpha and dropout, got {sorted(kinds)}.")
    ((rank, alpha, dropout),) = kinds
    table = reversed_names(LLAMA) if _is_llama(model) else ()
    weights, names = {}, []
    own = own_names(model, layers)
    for name, layer in layers.items():
        theirs = _renamed(own[name], table)
        names.append(theirs)
        weights[f"{_PREFIX}{theirs}.lora_A.weight"] = layer.lora_A.detach().cpu().contiguous()
        weights[f"{_PREFIX}{theirs}.lora_B.weight"] = _rows(layer.lora_B.detach().cpu(), name, model, to_file=True)
    config = {
        "peft_type": "LORA", "bias": "none", "r": rank, "lora_alpha": alpha, "lora_dropout": dropout,
        "target_modules": sorted(names), "task_type": "CAUSAL_LM" if isinstance(unwrapped(model), GPT) else None,
        "base_model_name_or_path": base, "inference_mode": True,
    }  # fmt: skip
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    atomic.write(folder / WEIGHTS_FILE, safetensors.torch.save(weights, {"format": "pt"}))
    json_files.write(folder / CONFIG_FILE, config)
    return folder


def load_lora(folder: str | os.PathLike[str], model: nn.Module) -> dict[str, LoRALinear]:
    """Put the adapters that `save_lora` or peft wrote into a model, in place, as `add_lora` does.

    Args:
        folder: holds adapter_config.json and adapter_model.safetensors.
        model: the one under the adapters; transformers' names are read for a `GPT` of Llama's kind.

    Returns:
        The new layers by their names in the model.

    Raises:
        FileNotFoundError: no such folder, or a file is missing.
        ValueError: a damaged file, an option of peft that `LoRALinear` does not have, or layers that the model has
            not. It is then as it was.
        RuntimeError: the model has adapters already.
    """
    checks.file_path(folder=folder)
    checks.instance(nn.Module, model=model)
    config = json_files.read(Path(folder) / CONFIG_FILE)
    checks.keys(("peft_type", "r", "lora_alpha"), **{CONFIG_FILE: config})
    for option in sorted(config.keys() - _FREE):
        values, value = _COMPUTED.get(option, _OFF), config[option]
        if value is not None and value not in values:
            wanted = "off" if values is _OFF else " or ".join(map(repr, values))
            raise ValueError(f"`{option}` in {CONFIG_FILE} must be {wanted}, got {value!r}.")
    known = dict(model.named_modules())
    here = {own: name for name, own in reversed(own_names(model, known).items())}  # a compiled layer, not its inside
    pairs = _read_pairs(Path(folder) / WEIGHTS_FILE, LLAMA if _is_llama(model) else (), here)
    pairs = {here.get(name, name): pair for name, pair in pairs.items()}
    for name, (A, B) in pairs.items():
        layer, r = known.get(name), config["r"]
        size = (layer.out_features, layer.in_features) if type(layer) is nn.Linear else None
        if size is None or tuple(A.shape) != (r, size[1]) or tuple(B.shape) != (size[0], r):
            raise ValueError(
                f"`model` must have the linear layers of the adapter: {name} with A {tuple(A.shape)} and "
                f"B {tuple(B.shape)}, for r={r}, got {'no such layer' if size is None else size}."
            )
    dropout = config.get("lora_dropout", 0.0)
    layers = add_lora(model, list(pairs), rank=config["r"], alpha=config["lora_alpha"], dropout=dropout)
    with torch.no_grad():
        for name, (A, B) in pairs.items():
            layers[name].lora_A.copy_(A)
            layers[name].lora_B.copy_(_rows(B, name, model, to_file=False))
    return layers


def _check_settings(smallest: int, rank: int, alpha: float, dropout: float) -> None:
    """Raise unless the settings suit a layer whose smaller size is `smallest`."""
    checks.whole(rank=rank, at_least=1, at_most=smallest)
    checks.number(alpha=alpha, above=0.0)
    checks.number(dropout=dropout, at_least=0.0, below=1.0)


def _layers_of(model: nn.Module) -> dict[str, LoRALinear]:
    layers = lora_layers(model)
    if not layers:
        raise RuntimeError("`model` must have adapters (`add_lora`), got none.")
    return layers


def _chosen(model: nn.Module, targets: Sequence[str]) -> dict[str, nn.Linear]:
    """Return the linear layers with these names, all of them in the model once."""
    named = dict(model.named_modules(remove_duplicate=False))
    linear = {name: part for name, part in named.items() if type(part) is nn.Linear and name}
    linear = {name: part for name, part in linear.items() if not name.endswith("_orig_mod")}  # is compiled already
    chosen: dict[str, nn.Linear] = {}
    for target in targets:
        found = {name: part for name, part in linear.items() if f".{name}".endswith(f".{target}")} if target else {}
        if not found:
            last = sorted({name.rpartition(".")[2] for name in linear})
            raise ValueError(f"`targets` must be names of linear layers ({', '.join(last)}), got {target!r}.")
        chosen |= found
    layers = Counter(id(part) for part in named.values())
    owners = Counter(id(parameter) for _, parameter in model.named_parameters(remove_duplicate=False))
    for name, part in chosen.items():
        if layers[id(part)] > 1 or any(owners[id(parameter)] > 1 for parameter in part.parameters()):
            raise ValueError(
                f"`targets` must be layers that share their weights with no other, got {name!r}, which does: an "
                "adapter would change one of the two and not the other."
            )
    return chosen


def _is_llama(model: nn.Module) -> bool:
    """Return whether transformers has a model of this kind, whose layers are ours under other names."""
    inside = unwrapped(model)
    if not isinstance(inside, GPT):
        return False
    config = inside.config
    return (config.positions, config.norm, config.activation) == ("rotary", "rms", "swiglu")


def _renamed(layer: str, table: Names) -> str:
    """Return the name of a layer after a table that holds the names of weights."""
    empty = torch.empty(0)
    return next(iter(renamed({f"{layer}.weight": empty}, table))).removesuffix(".weight")


def _rows(B: Tensor, name: str, model: nn.Module, *, to_file: bool) -> Tensor:
    """Return B for the file or for the model: they may differ in which rows of a head are rotated together."""
    inside = unwrapped(model)
    if not isinstance(inside, GPT) or not _is_llama(inside) or not re.search(r"[qk]_proj(\._orig_mod)?$", name):
        return B.contiguous()
    config = inside.config
    if not config.rotary_interleaved:
        return B.contiguous()
    return reorder_rotary_rows(B, config.head_size, interleaved=not to_file)


def _read_pairs(path: Path, table: Names, known: Container[str]) -> dict[str, tuple[Tensor, Tensor]]:
    """Return A and B of each layer in a file, under the layer's name in the model."""
    try:
        tensors = safetensors.torch.load(path.read_bytes())
    except SafetensorError as error:
        raise ValueError(f"{path.name} is damaged or no safetensors file: {error}.") from error
    stems = {key.rpartition(".lora_")[0] for key in tensors}
    wanted = {f"{stem}.lora_{part}.weight" for stem in stems for part in "AB"}
    if not tensors or set(tensors) != wanted:
        wrong = sorted(set(tensors) ^ wanted)[:4]
        raise ValueError(f"{path.name} must hold lora_A and lora_B of linear layers and nothing else, see {wrong}.")
    pairs = {}
    for stem in sorted(stems):
        name = _renamed(stem.removeprefix(_PREFIX), table)
        if name not in known:
            name = _renamed(without_wrappers(stem).removeprefix(_PREFIX), table)
        pairs[name] = tensors[f"{stem}.lora_A.weight"], tensors[f"{stem}.lora_B.weight"]
    return pairs
