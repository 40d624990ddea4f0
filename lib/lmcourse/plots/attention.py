"""Attention maps: queries are rows, keys are columns, tokens stand on both axes, and white has no weight."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.plots import given
from lmcourse.plots.style import SHARES, figure

_PANEL_INCHES = 1.75  # the height that a panel wants, its labels included
_COLUMNS = 4
SLACK = 1e-6  # by which a weight may lie below 0 or above 1


def heat_maps(
    panels: Mapping[str, Any],
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    title: str,
    *,
    columns: int | None = None,
    numbers: bool | None = None,
    width: float = 6.0,
    height: float | None = None,
) -> Figure:
    """Draw one attention map a panel, all with the same tokens and the same colours from 0 to 1.

    Args:
        panels: name of a head (or layer and head) -> weights (T, S), rows that sum to 1 or hold only zeros.
        query_tokens: T tokens, for the rows.
        key_tokens: S tokens, for the columns.
        title: the finding.
        columns: panels side by side; by default at most 4.
        numbers: write each weight into its cell; by default for a single map of at most 9 keys.
        width: inches.
        height: inches, if not the one that fits.

    Raises:
        TypeError: an argument of another kind.
        ValueError: no panels; weights of another shape than (T, S), not finite, or outside 0 to 1; no columns.
    """
    given.named(panels=panels)
    checks.texts(query_tokens=query_tokens, key_tokens=key_tokens)
    checks.instance(str, title=title)
    maps = {name: _checked(name, weights, len(query_tokens), len(key_tokens)) for name, weights in panels.items()}
    if columns is None:
        columns = _COLUMNS
    checks.whole(columns=columns, at_least=1)
    columns = min(columns, len(maps))
    rows = -(-len(maps) // columns)
    if height is None:
        height = min(_PANEL_INCHES * rows + 0.9, 3.5 * max(1.0, rows / 2))
    numbers = len(maps) == 1 and len(key_tokens) <= 9 if numbers is None else numbers
    fig, axes = figure(rows=rows, columns=columns, width=width, height=height, title=title)
    size = 8 if len(maps) <= 2 and max(len(query_tokens), len(key_tokens)) <= 12 else 6.5
    for index, panel in enumerate(axes):
        if index >= len(maps):
            panel.axis("off")
            continue
        name = list(maps)[index]
        drawn = panel.imshow(maps[name], cmap=SHARES, vmin=0.0, vmax=1.0, aspect="auto")
        panel.set_title(name, fontsize=8)
        panel.grid(False)
        panel.tick_params(length=0)
        at_bottom, at_left = index + columns >= len(maps), index % columns == 0
        panel.set_xticks(range(len(key_tokens)), key_tokens if at_bottom else [], rotation=90, fontsize=size)
        panel.set_yticks(range(len(query_tokens)), query_tokens if at_left else [], fontsize=size)
        if numbers:
            for (row, column), weight in np.ndenumerate(maps[name]):
                colour = "white" if weight > 0.4 else "black"
                panel.text(column, row, f"{weight:.2f}", ha="center", va="center", fontsize=7, color=colour)
    fig.supxlabel("key (is looked at)", fontsize=8)
    fig.supylabel("query (looks)", fontsize=8)
    bar = fig.colorbar(drawn, ax=axes, shrink=0.9, aspect=30, pad=0.01)
    bar.set_label("attention weight (0 to 1)", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    return fig


def _checked(name: str, weights: Any, n_queries: int, n_keys: int) -> np.ndarray:
    """The weights as an array, if they can be weights of these tokens."""
    if isinstance(weights, Tensor):
        if weights.is_complex():
            raise TypeError(f"`panels` must hold real weights, got {weights.dtype} for {name!r}.")
        tensor_checks.has_values(panels=weights)
        weights = weights.detach().cpu().float()
    try:
        array = np.asarray(weights, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"`panels` must hold arrays of weights, got {type(weights).__name__} for {name!r}.") from error
    if array.shape != (n_queries, n_keys):
        raise ValueError(
            f"`panels` must hold weights of shape (query tokens, key tokens) = ({n_queries}, {n_keys}), "
            f"got {array.shape} for {name!r}."
        )
    if array.size and not (np.isfinite(array).all() and array.min() >= -SLACK and array.max() <= 1 + SLACK):
        raise ValueError(
            f"`panels` must hold weights from 0 to 1, got {array.min():.4g} to {array.max():.4g} for {name!r}."
        )
    return array
