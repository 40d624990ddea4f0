"""Figures of chapter 12: what a model says between its layers, what its heads look at, patches, probes, the ladder."""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lmcourse.plots.style import COLOURS, EDGE, GREY, MARKERS, SHARES, SIGNED, TINTS, colours, figure

Points = Sequence[tuple[float, float]]
_ON_LINES = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}


_WIDEST = 7  # characters of a token in the table of the lens


def ranks(curves: Mapping[str, Points], words: Mapping[int, str], title: str, *, labels: tuple[str, str]) -> Figure:
    """Draw ranks against the layer, rank 1 on top, on a logarithmic axis; below, the likeliest token of some layers.

    Args:
        curves: name -> (layer, rank from 1).
        words: layer -> the token that is likeliest there.
        title: the finding.
        labels: of the two axes.
    """
    fig, (axes,) = figure(height=3.2, title=title)
    for index, (name, points) in enumerate(curves.items()):
        layers, values = zip(*points, strict=True)
        axes.plot(layers, values, color=COLOURS[index], marker=MARKERS[index], markersize=3.5, label=name)
    axes.set_yscale("log")
    axes.set_ylim(2e5, 0.6)
    axes.set_yticks([1, 10, 100, 1_000, 10_000], ["1", "10", "100", "1,000", "10,000"])
    axes.set_yticks([], minor=True)
    axes.set(xlabel=labels[0], ylabel=labels[1])
    for layer, word in words.items():
        axes.text(layer, 8e4, f"“{word}”", ha="center", va="center", fontsize=8, color=GREY)
    if len(curves) > 1:
        axes.legend(loc="upper left")
    return fig


def lens_table(
    words: Sequence[Sequence[str]], shares: Any, tokens: Sequence[str], layers: Sequence[int], title: str
) -> Figure:
    """Draw what a model would say at each position after some layers: the likeliest token, the darker the likelier.

    Args:
        words: the likeliest tokens, (layers, T).
        shares: their probabilities, (layers, T).
        tokens: the T tokens that the model reads.
        layers: the layers of the rows; the last of them is drawn on top, as in a drawing of the model.
        title: the finding.

    Raises:
        ValueError: probabilities that do not fit the tokens and the layers.
    """
    array = np.asarray(shares, dtype=float)
    if array.shape != (len(layers), len(tokens)):
        raise ValueError(f"`shares` must be ({len(layers)}, {len(tokens)}), got {array.shape}.")
    fig, (axes,) = figure(height=max(2.0, 0.7 + 0.23 * len(layers)), title=title)
    drawn = axes.imshow(array, cmap=SHARES, vmin=0, vmax=1, aspect="auto", origin="lower")
    axes.grid(False)
    axes.tick_params(length=0)
    axes.set_yticks(range(len(layers)), map(str, layers))
    axes.set_xticks(range(len(tokens)), tokens, fontsize=7)
    axes.set_ylabel("read after this layer", fontsize=8)
    axes.set_xlabel("the model reads", fontsize=8)
    for (row, column), share in np.ndenumerate(array):
        word = words[row][column]
        text = word if len(word) <= _WIDEST else word[: _WIDEST - 1] + "…"
        axes.text(column, row, text, ha="center", va="center", fontsize=6.5, color="white" if share > 0.45 else "black")
    bar = fig.colorbar(drawn, ax=axes, shrink=0.9, aspect=30, pad=0.01)
    bar.set_label("probability", fontsize=8)
    return fig


def stream(title: str) -> Figure:
    """Draw the residual stream as one line: the embedding, what each layer's blocks add, the norm and unembedding."""
    fig, (axes,) = figure(height=1.9, title=title)
    axes.set(xlim=(0, 6), ylim=(0, 1.55))
    axes.axis("off")
    line = 1.15
    axes.annotate("", (6.0, line), (5.7, line), arrowprops={"arrowstyle": "->", "color": GREY, "lw": 1.0})
    axes.plot([0.0, 5.1], [line, line], color=GREY, lw=1.0)
    axes.plot([0.8, 4.6], [line, line], color="black", lw=2.6, solid_capstyle="butt")
    for x, width, name, tint in (
        (0.15, 0.75, "embedding", TINTS[2]),
        (4.55, 0.4, "norm", TINTS[6]),
        (5.02, 0.8, "unembedding", TINTS[3]),
    ):
        _block(axes, x, line - 0.15, width, name, tint)
    for x, layer in ((1.05, "layer 1"), (3.0, "layer L")):
        for left, name, tint in ((x, "attention", TINTS[0]), (x + 0.82, "feed-\nforward", TINTS[1])):
            _branch(axes, left, line, name, tint)
        axes.text(x + 0.78, 0.05, layer, ha="center", va="center", fontsize=8, weight="bold", color=GREY)
    axes.text(2.8, 0.5, "...", ha="center", va="center", fontsize=11, color=GREY)
    for x, side, shape in (
        (0.02, "left", "tokens, (B, T)"),
        (1.16, "center", "(B, T, D)"),
        (2.8, "center", "(B, T, D)"),
        (4.3, "center", "(B, T, D)"),
        (5.98, "right", "logits, (B, T, V)"),
    ):
        axes.text(x, line + 0.24, shape, ha=side, va="center", fontsize=7.5)
    return fig


def _block(axes: Axes, x: float, y: float, width: float, name: str, tint: str, height: float = 0.3) -> None:
    axes.fill([x, x + width, x + width, x], [y, y, y + height, y + height], fc=tint, ec=EDGE, lw=0.8, zorder=3)
    axes.text(x + width / 2, y + height / 2, name, ha="center", va="center", fontsize=8, zorder=4)


def _branch(axes: Axes, x: float, line: float, name: str, tint: str) -> None:
    """A block below the stream: it reads a copy at its left, through a norm, and adds its result at its right."""
    top, read, add = 0.58, x + 0.12, x + 0.62
    arrow = {"arrowstyle": "->", "color": GREY, "lw": 1.0}
    axes.annotate("", (read, top), (read, line), arrowprops=arrow)
    axes.annotate("", (add, line - 0.07), (add, top), arrowprops=arrow)
    _block(axes, x, top - 0.4, 0.74, name, tint, height=0.4)
    axes.text(read, 0.83, "norm", ha="center", va="center", fontsize=6.5, bbox={"fc": TINTS[6], "ec": EDGE, "pad": 1.5})
    axes.plot([add], [line], marker="o", ms=9, mfc="white", mec="black", zorder=4)
    axes.text(add, line - 0.008, "+", ha="center", va="center", fontsize=10, zorder=5)


def contributions(panels: Mapping[str, Mapping[str, float]], title: str, *, xlabel: str) -> Figure:
    """Draw the largest contributions of each panel as bars, those for the answer in orange."""
    fig, axes = figure(columns=len(panels), height=2.9, title=title)
    for panel, (name, values) in zip(axes, panels.items(), strict=True):
        numbers = list(values.values())
        panel.barh(list(values), numbers, color=[COLOURS[1] if number > 0 else COLOURS[0] for number in numbers])
        panel.invert_yaxis()
        panel.axvline(0, color=EDGE, lw=0.8)
        panel.grid(axis="y", visible=False)
        panel.set_title(name, fontsize=9)
        panel.set_xlabel(xlabel, fontsize=8)
    return fig


def patches(panels: Mapping[str, tuple[Any, Sequence[str], Sequence[str]]], title: str) -> Figure:
    """Draw how much of a difference comes back when one vector is exchanged, one map a panel.

    Args:
        panels: name -> (values (positions, layers), the tokens of the rows, the layers of the columns); 1 is all of
            it, 0 nothing, and below 0 is a change in the wrong direction.
        title: the finding.
    """
    fig, axes = figure(
        rows=len(panels), height=min(0.5 + 1.15 * len(panels), 3.5 * max(1.0, len(panels) / 2)), title=title
    )
    for panel, (name, (values, tokens, layers)) in zip(axes, panels.items(), strict=True):
        array = np.asarray(values)
        drawn = panel.imshow(array, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
        panel.grid(False)
        panel.tick_params(length=0)
        panel.set_title(name, fontsize=8.5)
        panel.set_yticks(range(len(tokens)), tokens)
        panel.set_xticks(range(len(layers)), layers)
        for (row, column), value in np.ndenumerate(array):
            colour = "white" if abs(value) > 0.8 else "black"
            panel.text(
                column, row, f"{value:.2f}".replace("-0.00", "0.00"), ha="center", va="center", fontsize=7, color=colour
            )
    axes[-1].set_xlabel("the vector is exchanged after layer ...", fontsize=8)
    bar = fig.colorbar(drawn, ax=axes, shrink=0.9, aspect=30, pad=0.01)
    bar.set_label("share that comes back", fontsize=8)
    return fig


def curves(
    panels: Mapping[str, Mapping[str, Points]],
    title: str,
    *,
    labels: tuple[str, str],
    level: tuple[str, float] | None = None,
    logarithmic: str = "",
) -> Figure:
    """Draw curves, one panel a caption, with the same axes and one legend below them all.

    Args:
        panels: caption -> name of a curve -> points.
        title: the finding.
        labels: of the two axes.
        level: a name and where a dashed line stands.
        logarithmic: "x" or "".
    """
    fig, axes = figure(columns=len(panels), height=2.8, sharey=True, title=title)
    names = list({name: None for panel in panels.values() for name in panel})
    of = dict(zip(names, colours(names), strict=True))
    for axis, (caption, lines) in zip(axes, panels.items(), strict=True):
        for name, points in lines.items():
            across, up = zip(*points, strict=True)
            index = names.index(name)
            axis.plot(across, up, color=of[name], marker=MARKERS[index], label=name)
        if logarithmic == "x":
            axis.set_xscale("log")
            ticks = sorted({x for points in lines.values() for x, _ in points})
            axis.set_xticks(ticks, [f"{x:,g}" for x in ticks])
            axis.set_xticks([], minor=True)
        if level is not None:
            axis.axhline(level[1], ls="--", lw=1, color=COLOURS[6], label=level[0])
        axis.set_title(caption, fontsize=9)
        axis.set_xlabel(labels[0])
    axes[0].set_ylabel(labels[1])
    handles, texts = axes[0].get_legend_handles_labels()
    fig.legend(handles, texts, loc="outside lower center", ncols=min(4, len(texts)))
    return fig


def pictures(images: Sequence[Any], names: Sequence[str], title: str, *, patch: int) -> Figure:
    """Draw grey pictures side by side, cut into patches by thin lines."""
    fig, axes = figure(columns=len(images), height=1.9, title=title)
    for panel, image, name in zip(axes, images, names, strict=True):
        array = np.asarray(image)
        panel.imshow(array, cmap="gray_r", vmin=-0.2, vmax=1.2)
        for edge in range(patch, len(array), patch):
            panel.hlines(edge - 0.5, -0.5, len(array) - 0.5, color=COLOURS[1], lw=0.6)
            panel.vlines(edge - 0.5, -0.5, len(array) - 0.5, color=COLOURS[1], lw=0.6)
        panel.grid(False)
        panel.set_xticks([])
        panel.set_yticks([])
        panel.set_title(name, fontsize=8)
    return fig


def ladder(
    rungs: Sequence[Any],
    names: Mapping[str, tuple[str, str]],
    across: Mapping[str, float],
    title: str,
    ideas: Mapping[str, str],
    *,
    xlabel: str,
) -> Figure:
    """Draw every model of the course: bits per byte against its size or its computation, both logarithmic.

    Args:
        rungs: rows of `lmcourse.training.Ladder`.
        names: of a model -> what stands beside its point, and its kind: models of one kind are joined by a line.
        across: of a model -> where it stands on the axis, such as its parameters; a model without is left out.
        title: the finding.
        ideas: of a kind -> the idea that it brought. A dotted arrow leads from the best model of one kind to the best
            of the next, in the order of `ideas`, and has the colour of the idea; the ideas stand below in that order.
            Models of a kind that is not there are points only.
        xlabel: of the axis.
    """
    fig, (panel,) = figure(height=3.5, title=title)
    rungs = [rung for rung in rungs if rung.model in across]
    kinds = [*ideas, *sorted({names[rung.model][1] for rung in rungs} - set(ideas))]
    of = dict(zip(kinds, colours(kinds), strict=True))
    panel.set(xscale="log", yscale="log", xlabel=xlabel, ylabel="bits per byte (lower is better)")
    panel.set_yticks([1.5, 2, 2.5, 3, 3.5], ["1.5", "2", "2.5", "3", "3.5"])
    panel.set_yticks([], minor=True)
    points = {kind: [(across[r.model], r.bits_per_byte) for r in rungs if names[r.model][1] == kind] for kind in kinds}
    there = [kind for kind in ideas if points[kind]]
    for kind in there:
        panel.plot(*zip(*points[kind], strict=True), color=of[kind], lw=0.8, alpha=0.5)
    best = [min(points[kind], key=lambda point: point[1]) for kind in there]
    for (before, after), kind in zip(itertools.pairwise(best), there[1:], strict=True):
        shape = {"arrowstyle": "->", "ls": ":", "color": of[kind], "lw": 1.3, "shrinkA": 5, "shrinkB": 5}
        panel.annotate("", after, before, arrowprops=shape)
    for rung in rungs:
        text, kind = names[rung.model]
        filled = of[kind] if rung.kind == "trained" else "white"
        at = (across[rung.model], rung.bits_per_byte)
        panel.plot(*at, "o", color=of[kind], markerfacecolor=filled, markersize=7)
        x, y, side = _BESIDE.get(text, (8, -3, "left"))
        panel.annotate(text, at, (x, y), textcoords="offset points", ha=side, fontsize=7.5, bbox=_ON_LINES)
    panel.margins(x=0.12, y=0.14)
    powers = [math.log10(value) for value in across.values()]
    panel.set_xticks([10.0**power for power in range(math.ceil(min(powers)), math.floor(max(powers)) + 1)])
    marks = [Line2D([], [], color=of[kind], marker="o", ls=":", label=idea) for kind, idea in ideas.items()]
    fig.legend(handles=marks, loc="outside lower center", ncols=2, fontsize=8)
    return fig


# where a name stands beside its point, in points of type, where the usual place is taken
_BESIDE = {
    "GPT 2x96": (-2, -21, "right"),
    "GPT 4x256": (-8, -9, "right"),
    "LSTM 640": (7, 3, "left"),
    "LSTM 256": (0, 7, "center"),
    "neural 7-gram": (2, 7, "right"),
    "SmolLM2": (-8, -9, "right"),
}
