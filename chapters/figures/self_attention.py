"""Figures of chapter 05: who looks at whom, how far gradients reach, saturation, positions, learning curves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from lmcourse.plots.style import COLOURS, EDGE, GREY, MARKERS, SIGNED, TINTS, colours, figure

_STYLES = ("-", "--", "-.", ":")


def arcs(tokens: Sequence[str], query: int, weights: Sequence[float], title: str) -> Figure:
    """Draw a sentence on a line, each word with its weight below, and arcs from the query, wider for more weight."""
    fig, (axes,) = figure(height=2.1, title=title)
    for index, (token, weight) in enumerate(zip(tokens, weights, strict=True)):
        chosen = index == query
        box: dict[str, Any] = {"boxstyle": "round,pad=0.3", "fc": TINTS[0] if chosen else "white", "ec": EDGE}
        axes.text(index, 0, token, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
        axes.text(index, -0.5, f"{weight:.0%}", ha="center", va="top", fontsize=8)
        if chosen:
            continue
        turn = np.linspace(0, np.pi, 60)
        middle, radius = (index + query) / 2, abs(index - query) / 2
        height = 0.5 + 0.36 * abs(index - query)
        x, y = middle + radius * np.cos(turn), 0.2 + height * np.sin(turn)
        axes.plot(x, y, color=COLOURS[0], lw=0.4 + 7 * weight, alpha=0.35 + 0.6 * weight, solid_capstyle="round")
    axes.set(xlim=(-0.6, len(tokens) - 0.4), ylim=(-1.0, 0.9 + 0.36 * len(tokens)))
    axes.axis("off")
    return fig


def reach(distances: Sequence[int], gradients: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw the norm of the gradient of the last output with respect to an input so many positions back; both log."""
    fig, (axes,) = figure(height=2.7, title=title)
    for index, (colour, (name, values)) in enumerate(zip(colours(list(gradients)), gradients.items(), strict=True)):
        style: dict[str, Any] = {"color": colour, "marker": MARKERS[index], "markevery": 0.12}
        axes.loglog(distances, values, _STYLES[index % 4], label=name, **style)
    axes.set(xlabel="distance (words back)", ylabel="gradient norm\n(mean of 11 nearest = 1)", ylim=(1e-30, 1e4))
    axes.legend(loc="lower left")
    return fig


def module(title: str, *, sizes: tuple[int, int, int, int] | None = None) -> Figure:
    """Draw self-attention without a batch: each step as a box, with the shape that it returns.

    Args:
        title: the finding.
        sizes: T, D, d_k and d_v of a layer with one head, to which x is added; without them, the module with H heads.
    """
    fig, (axes,) = figure(height=2.7, title=title)
    axes.set(xlim=(0, 6), ylim=(0, 2.35))
    axes.axis("off")
    tall, arrow, many = 0.46, {"arrowstyle": "->", "color": GREY, "lw": 1.0}, sizes is None
    length, width, of_key, of_value = map(str, sizes) if sizes else ("T", "D", "$d_k$", "$d_k$")

    def box(x: float, y: float, wide: float, text: str, shape: str, tint: str, *, heads: bool = False) -> None:
        """A step whose left edge is at `x` and whose middle is at `y`; steps of every head are drawn as a pile."""
        for behind in (0.1, 0.05, 0.0) if heads else (0.0,):
            left, low = x + behind, y - tall / 2 + behind
            corners = [left, left + wide, left + wide, left], [low, low, low + tall, low + tall]
            axes.fill(*corners, fc=tint, ec=EDGE, lw=0.8, zorder=3 - behind)
        axes.text(x + wide / 2, y + 0.09, text, ha="center", va="center", fontsize=8, zorder=4, parse_math=True)
        axes.text(x + wide / 2, y - 0.11, shape, ha="center", va="center", fontsize=7, zorder=4, parse_math=True)

    def line(start: tuple[float, float], end: tuple[float, float]) -> None:
        axes.annotate("", end, start, arrowprops=arrow)

    behind = 0.1 if many else 0.0
    middle, whole = 1.6, f"{length} × {width}"
    box(0.02, 1.2, 0.5, "x", whole, "white")
    for name, y, of_name in (("q", 2.0, of_key), ("k", 1.2, of_key), ("v", 0.4, of_value)):
        box(0.85, y, 0.72, f"$W_{name.upper()}$", "linear" if many else f"{width} × {of_name}", TINTS[2])
        line((0.52, 1.2), (0.85, y))
        box(1.85, y, 0.62, name if many else name.upper(), f"{length} × {of_name}", TINTS[0], heads=many)
        line((1.57, y), (1.85, y))
    scores = r"q k$^\top$ / $\sqrt{d_k}$" if many else r"Q K$^\top$ / $\sqrt{d_k}$"
    box(2.8, middle, 0.95, scores, "T × T, masked" if many else f"{length} × {length}", TINTS[1], heads=many)
    line((2.47 + behind, 2.0), (2.8, middle + 0.1))
    line((2.47 + behind, 1.2), (2.8, middle - 0.1))
    box(4.1, middle, 0.8, "softmax", f"{length} × {length}", TINTS[1], heads=many)
    line((3.75 + behind, middle), (4.1, middle))
    box(4.1, 0.4, 0.8, "weights · v" if many else "weights · V", f"{length} × {of_value}", TINTS[0], heads=many)
    line((4.5, middle - tall / 2), (4.5, 0.4 + tall / 2 + behind))
    line((2.47 + behind, 0.4), (4.1, 0.4))
    ends = [("concat", whole, "white"), ("$W_O$", "linear", TINTS[2]), ("output", whole, "white")]
    if not many:
        ends = [("$W_O$", f"{of_value} × {width}", TINTS[2]), ("x + result", whole, "white")]
    line((4.9 + behind, 0.4), (5.25, 0.4))
    for index, (name, shape, tint) in enumerate(ends):
        box(5.25, 0.4 + 0.8 * index, 0.72, name, shape, tint)
        if index:
            line((5.61, 0.8 * index - 0.4 + tall / 2), (5.61, 0.8 * index + 0.4 - tall / 2))
    if many:
        note: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "color": GREY, "parse_math": True}
        axes.text(3.85, 2.15, "H heads, each of width $d_k$ = D / H", **note)
    return fig


def saturation(
    widths: Sequence[int],
    variances: Mapping[str, Sequence[float]],
    largest: Mapping[str, Sequence[float]],
    slopes: Mapping[str, Sequence[float]],
    title: str,
) -> Figure:
    """Draw, against the width k: the variance of the scores, the largest weight, and the slope of the softmax."""
    fig, axes = figure(columns=3, height=2.5, title=title)
    panels = (
        (variances, "variance of the scores", "log"),
        (largest, "largest of 16 weights", "linear"),
        (slopes, "slope of the softmax", "linear"),
    )
    for panel, (curves, caption, scale) in zip(axes, panels, strict=True):
        for index, (name, values) in enumerate(curves.items()):
            panel.plot(widths, values, _STYLES[index], marker=MARKERS[index], label=name)
        panel.set_xscale("log", base=4)
        panel.set_yscale(scale)
        panel.set_xticks(widths, [f"{width:,}" for width in widths], fontsize=7)
        panel.minorticks_off()
        panel.set_title(caption, fontsize=9)
        panel.set_xlabel("width d_k", fontsize=8)
    axes[1].set_ylim(0, 1.03)
    axes[2].set_ylim(bottom=0)
    axes[1].legend(loc="center right", fontsize=7)
    return fig


def probabilities(
    vocabulary: Sequence[str], rows: Mapping[str, Sequence[float]], title: str, *, bold: Sequence[str] = ()
) -> Figure:
    """Draw the next-word probabilities after several positions, one panel for each."""
    fig, axes = figure(columns=len(rows), height=2.1, title=title)
    bars = np.arange(len(vocabulary))
    for panel, (name, values) in zip(axes, rows.items(), strict=True):
        of_words = [COLOURS[1] if word in bold else COLOURS[0] for word in vocabulary]
        panel.barh(bars, np.asarray(values) * 100, color=of_words, height=0.65)
        for row, value in enumerate(values):
            panel.text(100 * value + 2, row, f"{value:.0%}", va="center", fontsize=8)
        panel.set_yticks(bars, vocabulary, fontsize=8)
        panel.invert_yaxis()
        panel.set(xlim=(0, 112), xlabel="probability (%)")
        panel.set_title(name, fontsize=9)
        panel.grid(False, axis="y")
    return fig


def positions(
    table: np.ndarray, distances: Sequence[int], products: Mapping[str, Sequence[Sequence[float]]], title: str
) -> Figure:
    """Draw sinusoidal positions as a table, and dot products against distance; all first positions on one curve.

    Args:
        table: (length, D), from -1 to 1.
        distances: the distances of the second panel.
        products: name -> for each of several first positions, the dot products at those distances.
        title: the finding.
    """
    fig, (left, right) = figure(columns=2, height=2.7, title=title)
    drawn = left.imshow(table, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    left.set(xlabel="feature", ylabel="position (words)")
    left.set_title("sinusoidal positions", fontsize=9)
    left.grid(False)
    fig.colorbar(drawn, ax=left, shrink=0.85, aspect=25, pad=0.02).ax.tick_params(labelsize=7)
    for colour, (name, of_starts) in zip(colours(list(products)), products.items(), strict=True):
        right.plot([], [], color=colour, label=name)
        for number, values in enumerate(of_starts):
            style: dict[str, Any] = {"color": colour, "lw": 1.2 if number == 0 else 0}
            mark: dict[str, Any] = {"marker": MARKERS[number], "markevery": (number, 3), "markersize": 5}
            right.plot(distances, values, fillstyle="none", **style, **mark)
    right.set(xlabel="distance (words)", ylabel="dot product (largest = 1)")
    right.set_title("one curve, wherever it starts", fontsize=9)
    right.legend(loc="upper right", fontsize=7)
    return fig


def learning(
    curves: Mapping[str, Sequence[tuple[int, float]]],
    title: str,
    *,
    chance: float,
    chance_name: str = "guessing",
    ylabel: str = "test accuracy (%)",
) -> Figure:
    """Draw the accuracy of several models against the training steps, and what guessing gives."""
    fig, (axes,) = figure(height=2.8)
    for index, (colour, (name, values)) in enumerate(zip(colours(list(curves)), curves.items(), strict=True)):
        steps, shares = zip(*values, strict=True)
        style: dict[str, Any] = {"color": colour, "marker": MARKERS[index], "label": name}
        axes.plot(steps, np.asarray(shares) * 100, _STYLES[index % 4], **style)
    axes.axhline(100 * chance, color=GREY, lw=1, zorder=0)
    note: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "va": "top", "fontsize": 8, "color": GREY}
    axes.annotate(chance_name, (steps[-1], 100 * chance), (0, -4), **note)
    low = min(100 * chance, *(100 * share for values in curves.values() for _, share in values))
    axes.set(xlabel="training steps", ylabel=ylabel, title=title, ylim=(low - 9, 103), xlim=(0, None))
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return fig


def graph(tokens: Sequence[str], panels: Mapping[str, np.ndarray], title: str) -> Figure:
    """Draw sentences as graphs: an edge from key to query as wide as its weight (queries, keys), above if forward."""
    fig, axes = figure(columns=len(panels), height=1.8, title=title)
    for panel, (name, weights) in zip(axes, panels.items(), strict=True):
        for query, key in np.argwhere(weights > 0):
            if query == key:
                continue
            side = 0.3 if query > key else -0.3  # arrows leave to the right of where others arrive
            arrow: dict[str, Any] = {
                "arrowstyle": "-|>",
                "mutation_scale": 7,
                "color": COLOURS[0],
                "lw": 0.3 + 3.5 * weights[query, key],
                "alpha": 0.25 + 0.75 * float(weights[query, key]),
                "shrinkA": 0,
                "shrinkB": 0,
                "connectionstyle": "arc3,rad=-0.55",
            }
            start, end = (key + side * 0.5, side), (query - side * 0.5, side)
            panel.annotate("", end, start, arrowprops=arrow)
        for spot, token in enumerate(tokens):
            box: dict[str, Any] = {"boxstyle": "round,pad=0.25", "fc": "white", "ec": EDGE}
            panel.text(spot, 0, token, ha="center", va="center", fontsize=8, bbox=box, zorder=3)
        panel.set_title(name, fontsize=9, loc="center")
        panel.set(xlim=(-0.6, len(tokens) - 0.4), ylim=(-1.6, 1.6))
        panel.axis("off")
    return fig
