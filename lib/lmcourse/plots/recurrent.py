"""Figures of chapter 03: unrolled networks, gradients against distance, training curves, cells that watch a text."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, SIGNED, TINTS, figure
from lmcourse.plots.tokens import visible

_ARROW: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 9, "color": GREY, "lw": 1.1}


def unrolled(words: Sequence[str], guesses: Sequence[str], title: str) -> Figure:
    """Draw a recurrent network over a few words: one cell copied a word, the state handed from left to right."""
    fig, (axes,) = figure(height=2.5)
    for x, (word, guess) in enumerate(zip(words, guesses, strict=True)):
        _box(axes, x, 0, word, "white", EDGE)
        _box(axes, x, 1, "cell", TINTS[0], COLOURS[0])
        _box(axes, x, 2, guess, TINTS[1], COLOURS[1])
        _arrow(axes, (x, 0.2), (x, 0.78))
        _arrow(axes, (x, 1.22), (x, 1.8))
        _arrow(axes, (x - 0.78, 1), (x - 0.22, 1), label=f"$h_{{{x}}}$")
    _arrow(axes, (len(words) - 0.78, 1), (len(words) - 0.22, 1), label=f"$h_{{{len(words)}}}$")
    for y, text in ((0, "word"), (1, "state"), (2, "next word?")):
        axes.text(-0.95, y, text, ha="right", va="center", fontsize=8, color=GREY)
    axes.set(xlim=(-1.7, len(words) - 0.1), ylim=(-0.35, 2.4), title=title)
    axes.axis("off")
    return fig


def lstm_cell(title: str) -> Figure:
    """Draw an LSTM cell: the cell state on its straight line, and the three gates that open onto it."""
    fig, (axes,) = figure(height=2.6)
    axes.plot([-0.2, 5.2], [2, 2], color=COLOURS[0], lw=3, zorder=1)
    _arrow(axes, (5.1, 2), (5.45, 2), color=COLOURS[0], lw=3)
    axes.text(-0.3, 2, "$c_{t-1}$", ha="right", va="center", parse_math=True)
    axes.text(5.5, 2, "$c_t$", ha="left", va="center", parse_math=True)
    for x, sign in ((0.8, "×"), (2.4, "+")):
        axes.text(
            x, 2, sign, ha="center", va="center", zorder=3, bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "lw": 1}
        )
    axes.text(2.4, 1.1, "×", ha="center", va="center", bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "lw": 1})
    axes.text(4.4, 1.1, "×", ha="center", va="center", bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "lw": 1})
    for x, name in ((0.8, "forget f"), (1.9, "input i"), (3.0, "new g"), (4.0, "output o")):
        _box(axes, x, 0.2, name, TINTS[1], COLOURS[1])
    _arrow(axes, (0.8, 0.42), (0.8, 1.82))
    _arrow(axes, (1.9, 0.42), (2.33, 0.97))
    _arrow(axes, (3.0, 0.42), (2.47, 0.97))
    _arrow(axes, (2.4, 1.27), (2.4, 1.82))
    _arrow(axes, (4.0, 0.42), (4.35, 0.95))
    _arrow(axes, (4.4, 1.95), (4.4, 1.28))
    axes.text(4.47, 1.6, "tanh", fontsize=8, va="center")
    _arrow(axes, (4.55, 1.1), (5.45, 1.1))
    axes.text(5.5, 1.1, "$h_t$", ha="left", va="center", parse_math=True)
    axes.text(2.4, -0.4, "each from $x_t$ and $h_{t-1}$", ha="center", fontsize=8, color=GREY, parse_math=True)
    axes.set(xlim=(-0.8, 5.9), ylim=(-0.55, 2.4), title=title)
    axes.axis("off")
    return fig


def gradients(norms: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw how long the gradient is that the last step sends to an input, against how far back that input stands."""
    fig, (axes,) = figure(height=2.8)
    for index, (name, values) in enumerate(norms.items()):
        steps, marks = np.arange(len(values)), {"marker": MARKERS[index], "markevery": max(1, len(values) // 6)}
        shown = np.where(np.asarray(values) > 0, values, np.nan)
        axes.semilogy(steps, shown, color=COLOURS[index], label=name, **marks)
    axes.set(xlabel="steps back from the last one", ylabel="norm of the gradient", title=title)
    axes.legend(loc="lower left")
    return fig


def cliff(
    across: np.ndarray,
    up: np.ndarray,
    loss: np.ndarray,
    paths: Mapping[str, np.ndarray],
    names: tuple[str, str],
    title: str,
) -> Figure:
    """Draw a loss over two parameters as a map, and the paths of descents on it; what leaves the map is said so.

    Args:
        across, up: the values of the parameters, (N,) and (M,).
        loss: (M, N).
        paths: by name, points (steps, 2) as (across, up).
        names: of the two parameters.
        title: the finding.
    """
    fig, (axes,) = figure(height=3.3)
    image = axes.pcolormesh(across, up, loss, shading="nearest", rasterized=True)
    fig.colorbar(image, ax=axes, label="loss")
    for index, (name, path) in enumerate(paths.items()):
        inside = (path >= [across[0], up[0]]).all(1) & (path <= [across[-1], up[-1]]).all(1)
        last = len(path) if inside.all() else int(np.argmin(inside)) + 1
        colour = ("white", COLOURS[1])[index % 2]
        line: dict[str, Any] = {"color": colour, "marker": MARKERS[index], "markersize": 3.5, "lw": 1.4}
        axes.plot(*path[:last].T, label=name, markeredgecolor="black", markeredgewidth=0.4, **line)
    axes.set(xlim=(across[0], across[-1]), ylim=(up[0], up[-1]), xlabel=names[0], ylabel=names[1], title=title)
    axes.grid(False)
    legend = axes.legend(loc="upper right", frameon=True, fontsize=8)
    legend.get_frame().set(facecolor=FAINT, edgecolor="none", alpha=0.9)
    return fig


def reach(maps: Mapping[str, np.ndarray], title: str) -> Figure:
    """Draw how strongly each output depends on each input, one panel a layer: rows are outputs, columns inputs."""
    fig, panels = figure(columns=len(maps), height=2.9)
    top = max(float(values.max()) for values in maps.values())
    norm = LogNorm(vmin=top * 1e-6, vmax=top, clip=True)
    for axes, (name, values) in zip(panels, maps.items(), strict=True):
        image = axes.imshow(np.where(values > 0, values, np.nan), norm=norm, origin="upper", interpolation="nearest")
        axes.set(xlabel="input", ylabel="output", title=name)
        axes.title.set_fontsize(9)
        axes.grid(False)
    fig.colorbar(image, ax=panels, label="norm of the gradient", shrink=0.85)
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def training(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], line: tuple[str, float], title: str
) -> Figure:
    """Draw bits per byte against the characters read so far, one line a curve, beside a model that needs no steps."""
    fig, (axes,) = figure(height=3.0)
    for index, (name, (read, bits)) in enumerate(curves.items()):
        marks = {"marker": MARKERS[index]} if len(read) < 40 else {}
        axes.semilogx(read, bits, color=COLOURS[index], label=name, **marks)
    axes.axhline(line[1], ls="--", color=COLOURS[6], lw=1, label=line[0])
    axes.set(xlabel="characters read", ylabel="bits per byte", title=title)
    axes.legend()
    return fig


def context(
    bits: Mapping[str, Sequence[float]], edges: Sequence[int], line: tuple[str, float, int], title: str
) -> Figure:
    """Draw the cost of a character against how many characters before it could be read.

    Args:
        bits: by model, the mean cost in each bin.
        edges: of the bins, one more than the bins.
        line: name, cost and window of a model with a fixed window.
        title: the finding.
    """
    fig, (axes,) = figure(height=2.9)
    middles = np.sqrt((np.asarray(edges[:-1]) + 0.5) * np.asarray(edges[1:]))
    for index, (name, values) in enumerate(bits.items()):
        axes.semilogx(middles, values, marker=MARKERS[index], color=COLOURS[index], label=name)
    axes.set_xticks(ticks := [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200) if tick <= edges[-1]], map(str, ticks))
    axes.minorticks_off()
    axes.axhline(line[1], ls="--", color=COLOURS[6], lw=1, label=line[0])
    axes.axvline(line[2], ls=":", color=COLOURS[7], lw=1.2, label=f"its window: {line[2]} characters")
    axes.set(xlabel="characters that could be read before", ylabel="bits per byte", title=title)
    axes.legend()
    return fig


def cell_text(text: str, values: Sequence[float], title: str, *, width: int = 62) -> Figure:
    """Write a text line by line and colour each character by a value from -1 to 1: blue below 0, red above.

    Args:
        text: a few lines; longer lines are cut at `width`.
        values: one a character.
        width: characters in a line.
        title: the finding.

    Raises:
        ValueError: not one value a character, or more lines than a figure holds.
    """
    if len(text) != len(values):
        raise ValueError(f"`values` must hold one value a character, got {len(values)} for {len(text)} characters.")
    cells, row, column = [], 0, 0
    for character in text:
        cells.append((row, column))
        row, column = (row + 1, 0) if character == "\n" else (row, column + 1)
    n_rows = cells[-1][0] + 1
    height = 0.75 + 0.168 * n_rows
    fig, (axes,) = figure(height=height)
    colours = Normalize(-1, 1)
    grid = np.full((n_rows, width), np.nan)
    for (row, column), value in zip(cells, values, strict=True):
        if column < width:
            grid[row, column] = value
    image = axes.imshow(grid, cmap=SIGNED, norm=colours, aspect="auto", interpolation="nearest")
    for character, (row, column), value in zip(text, cells, values, strict=True):
        if column < width:
            shown = "" if character == " " else visible(character)
            ink = "white" if abs(value) > 0.7 else "black"
            axes.text(column, row, shown, ha="center", va="center", fontsize=6.5, family="monospace", color=ink)
    fig.colorbar(image, ax=axes, label="cell value", ticks=[-1, 0, 1], fraction=0.03, pad=0.01)
    axes.set(title=title)
    axes.axis("off")
    return fig


def recall(
    panels: Mapping[str, Mapping[str, Sequence[tuple[int, float]]]], chance: float, labels: Sequence[str], title: str
) -> Figure:
    """Draw, one panel a task, the share of right answers against the size of the task, one line a model."""
    fig, all_axes = figure(columns=len(panels), height=3.0, sharey=True)
    for axes, (name, curves), label in zip(all_axes, panels.items(), labels, strict=True):
        for index, (model, points) in enumerate(curves.items()):
            sizes, shares = zip(*points, strict=True)
            line: dict[str, Any] = {"marker": MARKERS[index], "color": COLOURS[index], "label": model}
            axes.plot(sizes, [100 * share for share in shares], **line)
        axes.axhline(100 * chance, ls="--", lw=1, color=COLOURS[7], label="guessing")
        axes.set_xscale("log", base=2)
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.set(xlabel=label, ylim=(0, 104), title=name)
        axes.title.set_fontsize(9)
    all_axes[0].set_ylabel("right answers (%)")
    all_axes[-1].legend(fontsize=7, loc="lower left", bbox_to_anchor=(0.0, 0.14))
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def time_by_length(milliseconds: Mapping[str, Sequence[tuple[int, float]]], title: str) -> Figure:
    """Draw the time of one pass against the length of the sequence, both logarithmic, one line a layer."""
    fig, (axes,) = figure(height=2.9)
    for index, (name, points) in enumerate(milliseconds.items()):
        lengths, times = zip(*points, strict=True)
        axes.loglog(lengths, times, marker=MARKERS[index], color=COLOURS[index], label=name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [f"{length:,}" for length in lengths])
    axes.set(xlabel="steps in the sequence", ylabel="milliseconds", title=title)
    axes.legend()
    return fig


def _box(axes: Axes, x: float, y: float, text: str, fill: str, edge: str) -> None:
    box = {"boxstyle": "round,pad=0.3", "fc": fill, "ec": edge}
    axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3)


def _arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], *, label: str = "", **options: Any
) -> None:
    axes.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, **(_ARROW | options)))
    if label:
        middle = (start[0] + end[0]) / 2
        axes.text(middle, start[1] + 0.12, label, ha="center", va="bottom", fontsize=8, parse_math=True)
