"""bertviz's interactive head view and model view, drawn without a network.

Stock bertviz loads three scripts from the web, and in JupyterLab 4 its head view stays blank on the first Run All.
Here the page that bertviz makes goes into an `<iframe srcdoc>` together with d3 and jQuery, read from the packages that
carry them (mpld3, sphinxcontrib-jquery); two lines stand in for require.js. A content security policy in that page
forbids every request, so that what is drawn offline is what is drawn online. A static heat map is shown
beneath, for readers of a page that runs no scripts, as GitHub's.
"""

import html
import importlib.metadata
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import torch
from IPython.display import display
from matplotlib.figure import Figure
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.extras import needs
from lmcourse.plots.attention import SLACK, heat_maps
from lmcourse.plots.style import check_alt, show

Layers = Tensor | Sequence[Tensor]
Tokens = Sequence[str]
_LIBRARIES = {"sphinxcontrib-jquery": "sphinxcontrib/jquery/jquery.js", "mpld3": "mpld3/js/d3.v5.min.js"}
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
_REQUIRE = (
    "window.requirejs = (names, run) => run(...names.map((name) => ({jquery: window.jQuery, d3: window.d3})[name]));"
)
_FALLBACK = "Run this cell to see the interactive view."  # all that is left of a frame in an untrusted notebook
_DATA = "lmcourse.data"  # where the data of a view come into its script
_ID = "bertviz"  # the page of a view holds nothing else, so that one id serves all
_DECIMALS = 4  # of a weight: all that can be seen, and the same on every machine
_HEAD_ROW, _HEAD_EXTRA = 22.5, 75  # pixels, as head_view.js draws
_MODEL_WIDTH, _MODEL_AXIS = 970, 38  # as model_view.js draws
_MODEL_SIZE = re.compile(r'\.attr\("width", DIV_WIDTH\)\s*\.attr\("height", config\.divHeight\)')
_OPEN_LAST = (
    'const menu = document.querySelector("#filter"); menu.selectedIndex = menu.options.length - 1; '
    'menu.dispatchEvent(new Event("change"));'
)  # of several kinds of attention, the one that the still picture shows
_MODEL_SCALED = '.attr("viewBox", `0 0 ${DIV_WIDTH} ${config.divHeight}`)'  # a narrow page scales it


def head_view(
    attention: Layers | None = None,
    tokens: Tokens | None = None,
    *,
    title: str,
    alt: str,
    encoder_attention: Layers | None = None,
    decoder_attention: Layers | None = None,
    cross_attention: Layers | None = None,
    encoder_tokens: Tokens | None = None,
    decoder_tokens: Tokens | None = None,
    layer: int = 0,
    heads: Sequence[int] | None = None,
) -> None:
    """Show bertviz's head view of one layer at a time: lines from each query (left) to its keys, one colour a head.

    Give `attention` and `tokens` for self-attention, or any of the encoder's, decoder's and cross-attention with the
    tokens that they join; a menu then chooses among them, and the last is shown first. All must have the same number of
    layers.

    Args:
        attention: the weights of each layer, (H, T, T) or (1, H, T, T), or all in one tensor (layers, H, T, T).
        tokens: T tokens.
        title: of the static figure: what it shows.
        alt: of the static figure, in words.
        encoder_attention: weights (H, S, S) a layer.
        decoder_attention: weights (H, T, T) a layer.
        cross_attention: weights (H, T, S) a layer: the decoder's tokens are the queries.
        encoder_tokens: S tokens.
        decoder_tokens: T tokens.
        layer: the layer that is shown first, and in the static figure.
        heads: the heads that are switched on first; by default all.

    Raises:
        TypeError: an argument of another kind.
        ValueError: nothing to show; weights that do not fit their tokens, or that are not from 0 to 1; unequal numbers
            of layers; no such layer or head; an `alt` that says too little.

    Source: Vig, "A multiscale visualization of attention in the transformer model", 2019, section 3.1.
    """
    _check_words(title, alt)
    checks.whole(layer=layer)
    parts = _parts(
        attention, tokens, encoder_attention, decoder_attention, cross_attention, encoder_tokens, decoder_tokens
    )
    weights, queries, keys = parts[_static(parts)]
    if not 0 <= layer < len(weights):
        raise ValueError(f"`layer` must be 0 to {len(weights) - 1}, got {layer}.")
    if heads is not None:
        checks.whole_items(heads=heads)
        if not all(0 <= head < weights.shape[1] for head in heads):
            raise ValueError(f"`heads` must be 0 to {weights.shape[1] - 1}, got {list(heads)}.")
    panels = {f"head {head}": map_ for head, map_ in enumerate(weights[layer])}
    _show(
        page("head", parts, layer=int(layer), heads=None if heads is None else [int(head) for head in heads]),
        _head_height(parts),
        heat_maps(panels, queries, keys, title),
        alt,
    )


def model_view(
    attention: Layers | None = None,
    tokens: Tokens | None = None,
    *,
    title: str,
    alt: str,
    encoder_attention: Layers | None = None,
    decoder_attention: Layers | None = None,
    cross_attention: Layers | None = None,
    encoder_tokens: Tokens | None = None,
    decoder_tokens: Tokens | None = None,
) -> None:
    """Show bertviz's model view: every head of every layer as a small drawing; a click enlarges it.

    Arguments and errors are `head_view`'s. The static figure has one row a layer and one column a head.

    Source: Vig, "A multiscale visualization of attention in the transformer model", 2019, section 3.2.
    """
    _check_words(title, alt)
    parts = _parts(
        attention, tokens, encoder_attention, decoder_attention, cross_attention, encoder_tokens, decoder_tokens
    )
    weights, queries, keys = parts[_static(parts)]
    panels = {
        f"layer {layer}, head {head}": map_
        for layer, of_layer in enumerate(weights)
        for head, map_ in enumerate(of_layer)
    }
    fig = heat_maps(panels, queries, keys, title, columns=weights.shape[1])
    _show(page("model", parts, display_mode="light"), _model_height(parts), fig, alt, scales=True)


Part = tuple[Tensor, list[str], list[str]]  # weights (layers, H, T, S), tokens of the queries, tokens of the keys


def page(kind: Literal["head", "model"], parts: Mapping[str, Part], **options: Any) -> str:
    """Return a whole HTML page with one view of bertviz: d3, jQuery and the weights are in it, nothing is fetched.

    Args:
        kind: "head" or "model".
        parts: "attention", or some of "encoder", "decoder", "cross" -> weights (layers, H, T, S) and tokens.
        options: handed to bertviz.
    """
    with needs("lab", "showing an attention view"):
        import bertviz
        from bertviz.util import format_special_chars

    arguments: dict[str, Any] = {}
    words: dict[str, str] = {}  # bertviz gets numbers: its script is cut below, and a token may look like code

    def numbers(tokens: list[str]) -> list[str]:
        first = len(words)
        words.update({str(first + at): token for at, token in enumerate(format_special_chars(tokens))})
        return list(words)[first:]

    for name, (weights, queries, keys) in parts.items():
        attention = "attention" if name == "attention" else f"{name}_attention"
        arguments[attention] = [of_layer[None] for of_layer in weights.double().round(decimals=_DECIMALS)]
        if name == "attention":
            arguments["tokens"] = numbers(queries)
        if name in ("encoder", "cross"):
            arguments["encoder_tokens"] = numbers(keys)
        if name in ("decoder", "cross"):
            arguments["decoder_tokens"] = numbers(queries)
    draw = bertviz.head_view if kind == "head" else bertviz.model_view
    made = draw(**arguments, **options, html_action="return").data
    body, script = re.fullmatch(
        r'<script src="[^"]+"></script>(.*)\n<script type="text/javascript">\n(.*)\n</script>\n', made, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    script = re.sub(r"/\*\*.*?\*/|^require\.config\(\{.*?^\}\);", "", script, flags=re.DOTALL | re.MULTILINE)
    params = json.loads(re.search(r"const params = (.*); // HACK:", script)[1])  # type: ignore[index]
    for each in params["attention"]:
        each |= {side: [words[number] for number in each[side]] for side in ("left_text", "right_text")}
    data = in_script(params | {"root_div_id": _ID})
    script = re.sub(r"(const params = ).*", rf"\1{_DATA}; ", script)
    script = _MODEL_SIZE.sub(_MODEL_SCALED, script)
    body, script = (re.sub(r"bertviz-[0-9a-f]{32}", _ID, text) for text in (body, script))
    script += f"\n{_OPEN_LAST}" if len(parts) > 1 else ""
    script = script.replace(_DATA, data)  # last: nothing else is done to what is in it
    scripts = [*_libraries(), _REQUIRE]
    head = "\n".join(f"<script>{text}</script>" for text in scripts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n<title>{kind} view</title>\n'
        f"<style>body {{ margin: 4px; background: white; }}</style>\n{head}\n</head>\n"
        f"<body>{body.strip()}\n<script>{script}</script></body></html>"
    )


def in_script(value: Any) -> str:
    """Return a value as JSON that may stand in a script, where a token may be "</script>" or "<!--"."""
    return re.sub(r"<(?=[!/]|script)", r"\\u003c", json.dumps(value), flags=re.IGNORECASE)


@cache
def _libraries() -> tuple[str, ...]:
    """The sources of jQuery and d3, from the packages that carry them."""
    found = []
    for package, file in _LIBRARIES.items():
        try:
            path = Path(str(importlib.metadata.distribution(package).locate_file(file)))
            found.append(path.read_text(encoding="utf-8"))
        except (importlib.metadata.PackageNotFoundError, FileNotFoundError) as error:
            raise RuntimeError(
                f'showing an attention view needs {file} of the package {package}. Run: pip install "lmcourse[lab]"'
            ) from error
    return tuple(found)


def _check_words(title: str, alt: str) -> None:
    checks.instance(str, title=title)
    check_alt(alt)


def _parts(
    attention: Layers | None,
    tokens: Tokens | None,
    encoder_attention: Layers | None,
    decoder_attention: Layers | None,
    cross_attention: Layers | None,
    encoder_tokens: Tokens | None,
    decoder_tokens: Tokens | None,
) -> dict[str, Part]:
    """What was given, by name, checked."""
    words = {"tokens": tokens, "encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens}
    checks.texts(**{name: each for name, each in words.items() if each is not None})
    given: tuple[tuple[str, Layers | None, Tokens | None, Tokens | None], ...] = (
        ("attention", attention, tokens, tokens),
        ("encoder", encoder_attention, encoder_tokens, encoder_tokens),
        ("decoder", decoder_attention, decoder_tokens, decoder_tokens),
        ("cross", cross_attention, decoder_tokens, encoder_tokens),
    )
    parts = {name: _part(name, layers, *words) for name, layers, *words in given if layers is not None}
    if not parts:
        raise ValueError("`attention` must be given, or one of the encoder's, decoder's and cross-attention; got none.")
    if "attention" in parts and len(parts) > 1:
        others = ", ".join(name for name in parts if name != "attention")
        raise ValueError(
            f"`attention` must stand alone: it is for a model of one kind of attention; got also {others}."
        )
    if len({weights.shape[:2] for weights, _, _ in parts.values()}) > 1:
        names = ", ".join(f"`{name}_attention`" for name in parts)
        counts = ", ".join(f"{name} {tuple(weights.shape[:2])}" for name, (weights, _, _) in parts.items())
        raise ValueError(f"{names} must have the same (layers, heads), got {counts}.")
    return parts


def _part(name: str, attention: Any, queries: Tokens | None, keys: Tokens | None) -> Part:
    argument = "attention" if name == "attention" else f"{name}_attention"
    if queries is None or keys is None:
        needed = {"attention": "tokens", "cross": "encoder_tokens and decoder_tokens"}.get(name, f"{name}_tokens")
        raise ValueError(f"`{argument}` must come with its {needed}, got none.")
    try:
        layers = [torch.as_tensor(of_layer) for of_layer in attention]
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"`{argument}` must hold a tensor for each layer, got {type(attention).__name__}.") from error
    layers = [of_layer[0] if of_layer.dim() == 4 and len(of_layer) == 1 else of_layer for of_layer in layers]
    shapes = {tuple(of_layer.shape) for of_layer in layers}
    shape = next(iter(shapes), ())
    if len(shapes) != 1 or len(shape) != 3 or shape[1:] != (len(queries), len(keys)) or 0 in shape:
        raise ValueError(
            f"`{argument}` must be weights (H, {len(queries)}, {len(keys)}) for each layer, to fit its tokens "
            f"(or (1, H, T, S): one sequence), got {', '.join(map(str, sorted(shapes))) or 'no layers'}."
        )
    for of_layer in layers:
        tensor_checks.has_values(**{argument: of_layer})
        if not of_layer.is_floating_point() or not bool(torch.isfinite(of_layer).all()):
            raise ValueError(
                f"`{argument}` must hold finite weights, got {of_layer.dtype} with NaN, infinity or integers."
            )
    weights = torch.stack([of_layer.detach().cpu() for of_layer in layers])
    low, high = weights.min().item(), weights.max().item()
    if low < -SLACK or high > 1 + SLACK:
        raise ValueError(f"`{argument}` must hold weights from 0 to 1, got {low:.4g} to {high:.4g}.")
    return weights, list(queries), list(keys)


def _static(parts: Mapping[str, Part]) -> str:
    """Which attention the static figure shows: what bertviz's menu shows last, cross-attention if there is any."""
    return list(parts)[-1]


def _head_height(parts: Mapping[str, Part]) -> float:
    return max(max(len(queries), len(keys)) for _, queries, keys in parts.values()) * _HEAD_ROW + _HEAD_EXTRA


def _model_height(parts: Mapping[str, Part]) -> float:
    heights = []
    for weights, queries, keys in parts.values():
        longest, (layers, heads) = max(len(queries), len(keys)), weights.shape[:2]
        small = layers * (longest * 84 / heads + 10) + _MODEL_AXIS
        heights.append(max(small, 18 * longest + 55))
    return max(heights) + 50


def _show(source: str, height: float, fig: Figure, alt: str, *, scales: bool = False) -> None:
    """Show the page in a frame, and the still picture; a page that scales has a frame that keeps its shape."""
    quoted = source.replace("&", "&amp;").replace('"', "&quot;")  # all that an attribute needs
    width = _MODEL_WIDTH + 30
    shape = f"; height: auto; aspect-ratio: {width} / {round(height)}" if scales else ""
    frame = (
        f'<iframe sandbox="allow-scripts" title="{html.escape(alt)}" width="100%" height="{round(height)}" '
        f'style="border: 0; max-width: {width}px{shape}" srcdoc="{quoted}">{_FALLBACK}</iframe>'
    )
    display({"text/html": f"<div>{frame}</div>", "text/plain": _FALLBACK}, raw=True)
    show(fig, alt=alt)
