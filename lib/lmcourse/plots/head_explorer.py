"""A map of all attention heads of a model: a click on one shows its weights. It needs no kernel and no network."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from lmcourse.plots import style
from lmcourse.plots.style import SHARES, figure, show
from lmcourse.plots.views import in_script

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"  # a weight in 64 steps
_FALLBACK = "Run this cell to see the map of heads."  # all that is left of the frame in an untrusted notebook


def head_explorer(
    maps: Any, tokens: Sequence[str], scores: Mapping[str, Any], title: str, *, alt: str, chosen: tuple[int, int]
) -> None:
    """Show a map of all heads that can be clicked to see the weights of one; it needs no kernel and no network.

    Beneath it stands a still picture, for readers of a page that runs no scripts.

    Args:
        maps: the weights, (layers, H, T, T).
        tokens: T tokens.
        scores: name -> (layers, H) from 0 to 1: what the map of heads can be coloured by.
        title: of the still picture: the finding.
        alt: of the still picture, in words.
        chosen: layer and head that are shown first.

    Raises:
        ValueError: weights that do not fit the tokens, scores that do not fit the heads, no such head.
    """
    array = np.asarray(maps, dtype=float)
    if array.ndim != 4 or array.shape[2:] != (len(tokens), len(tokens)):
        raise ValueError(f"`maps` must be (layers, H, {len(tokens)}, {len(tokens)}), got {array.shape}.")
    layers, H = array.shape[:2]
    for name, values in scores.items():
        if np.shape(values) != (layers, H):
            raise ValueError(f"`scores` must be ({layers}, {H}) for each name, got {np.shape(values)} for {name!r}.")
    if not (0 <= chosen[0] < layers and 0 <= chosen[1] < H):
        raise ValueError(f"`chosen` must be a layer below {layers} and a head below {H}, got {chosen}.")
    steps = np.clip((array * 63).round().astype(int), 0, 63)
    given = {
        "layers": layers,
        "heads": H,
        "tokens": list(tokens),
        "weights": "".join(_LETTERS[step] for step in steps.flat),
        "scores": {name: np.asarray(values, dtype=float).round(2).ravel().tolist() for name, values in scores.items()},
        "chosen": list(chosen),
        "letters": _LETTERS,
    }
    page = _PAGE.replace("DATA", in_script(given))
    quoted = page.replace("&", "&amp;").replace('"', "&quot;")
    height = max(60 + 15 * layers, 160 + 18 * len(tokens))
    frame = (
        f'<iframe sandbox="allow-scripts" title="{html.escape(alt)}" width="100%" height="{height}" '
        f'style="border: 0; max-width: 760px" srcdoc="{quoted}">{_FALLBACK}</iframe>'
    )
    style.display({"text/html": f"<div>{frame}</div>", "text/plain": _FALLBACK}, raw=True)
    show(_heads(scores, title), alt=alt)


def _heads(panels: Mapping[str, Any], title: str) -> Figure:
    """Draw a score of every head, one map a panel: layers are rows, heads are columns, 0 is white and 1 is dark."""
    fig, axes = figure(columns=len(panels), height=3.5, sharey=True, title=title)
    for panel, (name, scores) in zip(axes, panels.items(), strict=True):
        drawn = panel.imshow(np.asarray(scores), cmap=SHARES, vmin=0, vmax=1, aspect="auto")
        panel.grid(False)
        panel.set_title(name, fontsize=9)
        panel.set_xlabel("head", fontsize=8)
        panel.set_xticks(range(np.shape(scores)[1]))
        panel.tick_params(length=0, labelsize=7)
    axes[0].set_ylabel("layer", fontsize=8)
    bar = fig.colorbar(drawn, ax=axes, shrink=0.9, aspect=30, pad=0.01)
    bar.set_label("mean weight (0 to 1)", fontsize=8)
    return fig


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>heads</title>
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<style>
body { margin: 6px; background: white; color: #222; font: 12px sans-serif; display: flex; gap: 24px; flex-wrap: wrap }
.grid { display: grid; gap: 1px } button.head { border: 1px solid #ddd; padding: 0; height: 14px; width: 22px }
button.head.on { outline: 2px solid #D55E00 } .label { font-size: 10px; text-align: center; line-height: 14px }
table { border-collapse: collapse } td { width: 17px; height: 17px; padding: 0 }
th { font-weight: normal; font-size: 11px; text-align: right; padding-right: 4px }
th.top { writing-mode: vertical-rl; text-align: left; padding: 2px 0 }
</style></head><body>
<div><label>coloured by <select id="by"></select></label><div class="grid" id="heads"></div></div>
<div><p id="name"></p><table id="map"></table></div>
<script>
const d = DATA, T = d.tokens.length, by = document.getElementById("by"), grid = document.getElementById("heads");
let [layer, head] = d.chosen;
const blue = (w) => w < .5 ? `rgb(${255 - 510 * w},${255 - 282 * w},${255 - 154 * w})`
  : `rgb(0,${114 - 152 * (w - .5)},${178 - 238 * (w - .5)})`;
for (const name of Object.keys(d.scores)) by.add(new Option(name));
grid.style.gridTemplateColumns = `44px repeat(${d.heads}, 22px)`;
function label(text) {
  const e = document.createElement("div"); e.className = "label"; e.textContent = text; grid.append(e);
}
label("head"); for (let h = 0; h < d.heads; h++) label(h);
const buttons = [];
for (let l = 0; l < d.layers; l++) {
  label("layer " + l);
  for (let h = 0; h < d.heads; h++) {
    const b = document.createElement("button"); b.className = "head"; b.title = `layer ${l}, head ${h}`;
    b.setAttribute("aria-label", b.title); b.onclick = () => { layer = l; head = h; draw(); };
    buttons.push(b); grid.append(b);
  }
}
function draw() {
  buttons.forEach((b, i) => { b.style.background = blue(d.scores[by.value][i]);
    b.classList.toggle("on", i === layer * d.heads + head); });
  document.getElementById("name").textContent = `Layer ${layer}, head ${head}: each row looks at the columns`;
  const table = document.getElementById("map"); table.textContent = "";
  const start = (layer * d.heads + head) * T * T, top = table.insertRow(); top.append(document.createElement("th"));
  for (const token of d.tokens) {
    const e = document.createElement("th"); e.className = "top"; e.textContent = token; top.append(e);
  }
  for (let q = 0; q < T; q++) {
    const row = table.insertRow(), e = document.createElement("th"); e.textContent = d.tokens[q]; row.append(e);
    for (let k = 0; k < T; k++) {
      const w = d.letters.indexOf(d.weights[start + q * T + k]) / 63, cell = row.insertCell();
      cell.style.background = blue(w); cell.title = `${d.tokens[q]} → ${d.tokens[k]}: ${w.toFixed(2)}`;
    }
  }
}
by.onchange = draw; draw();
</script></body></html>"""
