"""Figures of chapter 08: a decoder, training curves, the next token's distribution, positions, scaling."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse.plots.style import COLOURS, EDGE, GREY, MARKERS, TINTS, figure
from lmcourse.plots.text import visible

Points = Sequence[tuple[float, float]]


def every_position(words: Sequence[str], nexts: Sequence[str], title: str) -> Figure:
    """Draw a decoder over a few words: each position sees itself and what is left of it, and guesses the next word."""
    fig, (axes,) = figure(height=2.7)
    for x, (word, guess) in enumerate(zip(words, nexts, strict=True)):
        for y, text, fill, edge in (
            (0, word, "white", EDGE),
            (1, f"$x_{x}$", TINTS[0], COLOURS[0]),
            (2, guess, TINTS[1], COLOURS[1]),
        ):
            box = {"boxstyle": "round,pad=0.3", "fc": fill, "ec": edge}
            axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3, parse_math=y == 1)
        for source in range(x + 1):
            _arrow(axes, (source, 0.2), (x, 0.78), GREY if source == x else COLOURS[0])
        _arrow(axes, (x, 1.22), (x, 1.8), GREY)
    for y, label in ((0, "token"), (1, "vector of the\nposition"), (2, "next token?")):
        axes.text(-0.6, y, label, ha="right", va="center", fontsize=8, color=GREY)
    axes.set(xlim=(-1.4, len(words) - 0.4), ylim=(-0.35, 2.4), title=title)
    axes.axis("off")
    return fig


def training(curves: Mapping[str, Points], lines: Mapping[str, float], title: str, *, unit: str = "tokens") -> Figure:
    """Draw bits per byte against what was read, and models that are one number as dashed lines."""
    fig, (axes,) = figure(height=3.1)
    for index, (name, points) in enumerate(curves.items()):
        read, bits = zip(*points, strict=True)
        marks: dict[str, Any] = {"marker": MARKERS[index]} if len(read) < 40 else {}
        axes.semilogx(read, bits, color=COLOURS[index], label=name, **marks)
    for index, (name, value) in enumerate(lines.items()):
        axes.axhline(value, ls=("--", ":")[index % 2], color=COLOURS[6], lw=1, label=f"{name}: {value:.2f}")
    axes.set(xlabel=f"{unit} read", ylabel="bits per byte", title=title)
    axes.legend()
    return fig


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    axes.add_patch(
        FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, arrowstyle="-|>", mutation_scale=8, color=colour, lw=0.9)
    )


def distributions(panels: Mapping[str, Sequence[float]], tokens: Sequence[str], title: str) -> Figure:
    """Draw the probabilities of the same few tokens under several rules, one panel a rule."""
    fig, all_axes = figure(columns=len(panels), height=3.0, sharey=True, title=title)
    highest = max(max(probs) for probs in panels.values())
    limit = next(limit for limit in (0.1, 0.2, 0.5, 1.0) if highest <= limit + 1e-6)
    rows = np.arange(len(tokens))
    for number, (axes, (name, probs)) in enumerate(zip(all_axes, panels.items(), strict=True)):
        axes.barh(rows, probs, color=COLOURS[number])
        axes.set(xlim=(0, limit), xlabel="probability", title=name)
        axes.set_xticks([0, limit / 2, limit], ["0", f"{limit / 2:g}", f"{limit:g}"])
        axes.title.set_fontsize(8.5)
        axes.grid(axis="y", visible=False)
    all_axes[0].set_yticks(rows, [visible(token) for token in tokens])
    all_axes[0].invert_yaxis()
    return fig
