"""Figures of chapter 03: unrolled networks, gradients against distance, training curves, cells that watch a text."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, POSITIVE, SIGNED, TINTS, colours, figure
from lmcourse.plots.text import visible

_ARROW: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 9, "color": GREY, "lw": 1.1}


def unrolled(words: Sequence[str], guesses: Sequence[str], title: str) -> Figure:
    """Draw a recurrent network over a few words: one cell copied a word, the state handed from left to right."""
    fig, (axes,) = figure(height=2.5)
    side = max(0.22, 0.033 * (len(words) + 1.6))  # from the middle of a cell to the arrows at its sides
    for x, (word, guess) in enumerate(zip(words, guesses, strict=True)):
        _box(axes, x, 0, word, "white", EDGE)
        _box(axes, x, 1, "cell", TINTS[0], COLOURS[0])
        _box(axes, x, 2, guess, TINTS[1], COLOURS[1])
        _arrow(axes, (x, 0.2), (x, 0.78))
        _arrow(axes, (x, 1.22), (x, 1.8))
        _arrow(axes, (x - 1 + side, 1), (x - side, 1), label=f"$h_{{{x}}}$")
    _arrow(axes, (len(words) - 1 + side, 1), (len(words) - side, 1), label=f"$h_{{{len(words)}}}$")
    for y, text in ((0, "word"), (1, "state"), (2, "next word?")):
        axes.text(-0.95, y, text, ha="right", va="center", fontsize=8, color=GREY)
    axes.set(xlim=(-1.7, len(words) - 0.1), ylim=(-0.35, 2.4), title=title)
    axes.axis("off")
    return fig


def back_through_time(n_steps: int, title: str) -> Figure:
    """Draw an unrolled network of one number with its loss: the states go to the right, the gradients come back."""
    fig, (axes,) = figure(height=2.1)
    back: dict[str, Any] = {"color": COLOURS[1], "lw": 1.6}
    for x in range(1, n_steps + 1):
        _box(axes, x, 1, f"step {x}", TINTS[0], COLOURS[0])
        axes.text(x, 0.06, f"$x_{{{x}}}$", ha="center", fontsize=10, parse_math=True)
        _arrow(axes, (x, 0.28), (x, 0.74))
    _box(axes, n_steps + 1, 1, "loss $L$", TINTS[7], EDGE, parse_math=True)
    axes.text(0.1, 1.1, "$h_0$", ha="right", va="center", fontsize=10, parse_math=True)
    for x in range(n_steps + 1):
        left, right = x + (0.14 if x == 0 else 0.26), x + 0.74
        _arrow(axes, (left, 1.1), (right, 1.1), label=f"$h_{{{x}}}$" if x else "")
        if x:
            _arrow(axes, (right, 0.9), (left, 0.9), **back)
            axes.text(
                x + 0.5,
                0.76,
                f"$\\delta_{{{x}}}$",
                ha="center",
                va="top",
                fontsize=11,
                color=COLOURS[1],
                parse_math=True,
            )
    for x in range(1, n_steps):
        axes.text(x + 1, 1.36, "× slope × $w$", ha="center", fontsize=8, color=COLOURS[1], parse_math=True)
    axes.set(xlim=(-0.35, n_steps + 1.5), ylim=(-0.1, 1.65), title=title)
    axes.axis("off")
    return fig


def lstm_cell(title: str) -> Figure:
    """Draw an LSTM cell: input and old hidden state joined and led to each gate, the cell state along the top."""
    fig, (axes,) = figure(height=3.5)
    state: dict[str, Any] = {"color": COLOURS[0], "lw": 3}
    top, bus, gates, product = 2.62, 0.92, 1.34, 2.02
    axes.fill([0.78, 5.2, 5.2, 0.78], [0.66, 0.66, 2.92, 2.92], fc=TINTS[7], ec=FAINT, lw=1, zorder=0)
    _wire(axes, (0.42, top), (5.5, top), **state)
    _wire(axes, (0.42, bus), (3.95, bus), (3.95, gates - 0.2))  # joined, to the output gate
    _wire(axes, (1.0, 0.5), (1.0, bus), tip=False)
    axes.plot([1.0], [bus], marker="o", ms=6, color=GREY, zorder=4)
    for x, name, curve in (
        (1.4, "forget f", "σ"),
        (2.25, "input i", "σ"),
        (3.1, "new g", "tanh"),
        (3.95, "output o", "σ"),
    ):
        if x < 3.9:
            axes.plot([x], [bus], marker="o", ms=3.5, color=GREY, zorder=4)
            _wire(axes, (x, bus), (x, gates - 0.2))
        edge = COLOURS[1] if curve == "σ" else COLOURS[2]
        _plate(axes, (x, gates), 0.74, f"{name}\n{curve}", TINTS[1] if curve == "σ" else TINTS[2], edge)
    _wire(axes, (1.4, gates + 0.2), (1.4, top - 0.13))
    _wire(axes, (2.25, gates + 0.2), (2.25, product), (2.97, product))
    _wire(axes, (3.1, gates + 0.2), (3.1, product - 0.13))
    _wire(axes, (3.1, product + 0.13), (3.1, top - 0.13))
    _wire(axes, (4.7, top), (4.7, 2.4))
    _plate(axes, (4.7, 2.27), 0.56, "tanh", "white", EDGE, height=0.24)
    _wire(axes, (4.7, 2.15), (4.7, 1.86))
    _wire(axes, (3.95, gates + 0.2), (3.95, 1.73), (4.57, 1.73))
    _wire(axes, (4.7, 1.6), (4.7, bus), (5.5, bus))
    for x, y, sign in ((1.4, top, "×"), (3.1, top, "+"), (3.1, product, "×"), (4.7, 1.73, "×")):
        axes.plot([x], [y], marker="o", ms=15, mfc="white", mec="black", mew=0.9, zorder=4)
        axes.text(x, y - 0.005, sign, ha="center", va="center", fontsize=11, zorder=5)
    _wire(axes, (5.66, bus - 0.12), (5.66, 0.14), (0.3, 0.14), (0.3, bus - 0.12), ls="--")
    axes.text(3.0, 0.24, "the hidden state is read again at the next step", ha="center", fontsize=8, color=GREY)
    axes.text(2.25, top + 0.09, "cell state", ha="center", fontsize=8.5, color=COLOURS[0])
    for x, y, text in (
        (0.38, top, "$c_{t-1}$"),
        (5.55, top, "$c_t$"),
        (0.38, bus, "$h_{t-1}$"),
        (5.55, bus, "$h_t$"),
        (1.0, 0.41, "$x_t$"),
    ):
        side = "center" if text == "$x_t$" else "right" if x < 1 else "left"
        axes.text(x, y, text, ha=side, va="center", fontsize=10.5, parse_math=True)
    axes.set(xlim=(0, 6), ylim=(0.02, 3.02), title=title)
    axes.axis("off")
    return fig


def character_model(text: str, targets: str, title: str) -> Figure:
    """Draw a character model unrolled over a text: each layer with its name on the left and its shape on the right."""
    fig, (axes,) = figure(height=3.3)
    layers = (("embedding", TINTS[4], COLOURS[4]), ("cell", TINTS[0], COLOURS[0]), ("head", TINTS[2], COLOURS[2]))
    for x, (character, target) in enumerate(zip(text, targets, strict=True)):
        _box(axes, x, 0, visible(character), "white", EDGE)
        for y, (_, fill, edge) in enumerate(layers, start=1):
            _plate(axes, (x, y), 0.44, "", fill, edge, height=0.36)
        _box(axes, x, 4, visible(target), TINTS[1], COLOURS[1])
        for y, tip in ((0, 0.8), (1, 1.8), (2, 2.8), (3, 3.76)):
            _arrow(axes, (x, y + (0.22 if y else 0.26)), (x, tip))
        _arrow(axes, (x - 0.76, 2), (x - 0.24, 2), color=COLOURS[0])
    last = len(text) - 1
    _arrow(axes, (last + 0.24, 2), (last + 0.76, 2), color=COLOURS[0])
    names = ("character", *(name for name, _, _ in layers), "target")
    shapes = ("ids (B, T)", "(B, T, D)", "(B, T, H)", "logits (B, T, V)", "ids (B, T)")
    for y, (name, shape) in enumerate(zip(names, shapes, strict=True)):
        axes.text(-0.95, y, name, ha="right", va="center", fontsize=8.5, color=GREY)
        axes.text(last + 0.95, y, shape, ha="left", va="center", fontsize=8.5, color=GREY)
    axes.text(-0.08, 2.3, "state (B, H)", ha="right", fontsize=8, color=COLOURS[0])
    axes.set(xlim=(-2.1, last + 2.5), ylim=(-0.4, 4.45), title=title)
    axes.axis("off")
    return fig


def kept(bias: float, title: str, *, n_steps: int = 100) -> Figure:
    """Draw what a forget gate with a bias keeps of a cell state over many steps, beside a few other biases in grey."""
    fig, (axes,) = figure(height=2.6)
    steps = np.arange(n_steps + 1)
    for other in (0, 1, 3, 5):
        shares = (1 / (1 + np.exp(-other))) ** steps
        axes.semilogy(steps, shares, color=FAINT, lw=1.2)
        end = n_steps if shares[-1] > 1e-10 else int(np.argmax(shares < 1e-10))
        axes.annotate(f"bias {other}", (end, max(shares[-1], 1e-10)), xytext=(4, 0 if end == n_steps else 6),
                      textcoords="offset points", fontsize=7.5, color=GREY, va="center")  # fmt: skip
    axes.semilogy(steps, (1 / (1 + np.exp(-bias))) ** steps, color=COLOURS[1], lw=2.2)
    axes.set(xlabel="steps", ylabel="share of the cell\nstate that is left", xlim=(0, 1.1 * n_steps), ylim=(1e-10, 3))
    axes.set_title(title)
    return fig


def clipping(runs: Mapping[str, tuple[Sequence[float], Sequence[float]]], limit: float, title: str) -> Figure:
    """Draw trainings step by step: on the left the loss, on the right the norm of the gradient, both logarithmic.

    Args:
        runs: by name, the loss in bits and the norm before clipping, one of each for each step.
        limit: the norm to which gradients are clipped.
        title: the finding.
    """
    fig, (left, right) = figure(columns=2, height=2.9, title=title)
    for index, (name, (bits, norms)) in enumerate(runs.items()):
        steps = np.arange(1, len(bits) + 1)
        left.semilogy(steps, bits, color=COLOURS[index], lw=1.2, label=name)
        right.semilogy(steps, norms, color=COLOURS[index], lw=0.9)
    right.axhline(limit, ls="--", lw=1, color=COLOURS[6])
    left.set(xlabel="step", ylabel="bits per character")
    right.set(xlabel="step", ylabel="norm of the gradient")
    left.set_yticks(ticks := [3, 5, 10, 20, 50, 100], [str(tick) for tick in ticks])
    left.minorticks_off()
    fig.legend(loc="outside lower center", ncols=len(runs))  # on either panel some machine draws a line through it
    return fig


def gradients(norms: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw how long the gradient is that the last step sends to an input, against how far back that input stands."""
    fig, (axes,) = figure(height=2.8)
    for colour, (name, values) in zip(colours(list(norms)), norms.items(), strict=True):
        steps, marks = np.arange(len(values)), {"marker": _marker(colour), "markevery": max(1, len(values) // 6)}
        shown = np.where(np.asarray(values) > 0, values, np.nan)
        axes.semilogy(steps, shown, color=colour, label=name, **marks)
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
    fig, panels = figure(columns=len(maps), height=2.9, title=title)
    top = max(float(values.max()) for values in maps.values())
    norm = LogNorm(vmin=top * 1e-6, vmax=top, clip=True)
    for axes, (name, values) in zip(panels, maps.items(), strict=True):
        image = axes.imshow(
            np.where(values > 0, values, np.nan), cmap=POSITIVE, norm=norm, origin="upper", interpolation="nearest"
        )
        axes.set(xlabel="input", ylabel="output", title=name)
        axes.title.set_fontsize(9)
        axes.grid(False)
    fig.colorbar(image, ax=panels, label="norm of the gradient", shrink=0.85)
    return fig


def training(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], line: tuple[str, float], title: str
) -> Figure:
    """Draw bits per byte against the characters read so far, beside a model that needs no steps.

    Args:
        curves: by name, the characters read and the bits per byte; a single value is drawn as a point.
        line: name and bits per byte of the other model.
        title: the finding.
    """
    fig, (axes,) = figure(height=3.0)
    for index, (name, (read, bits)) in enumerate(curves.items()):
        marks: dict[str, Any] = {"marker": MARKERS[index], "ms": 9, "ls": ""} if len(read) == 1 else {"lw": 2}
        axes.semilogx(read, bits, color=COLOURS[(1, 1, 0)[index % 3]], label=name, **marks)
    axes.axhline(line[1], ls="--", color=COLOURS[4], lw=1.4, label=line[0])
    axes.set(xlabel="characters read", ylabel="bits per byte", title=title)
    axes.legend()
    return fig


def context(
    lengths: Sequence[int], bits: Mapping[str, Sequence[float]], line: tuple[str, float, int], title: str
) -> Figure:
    """Draw what the same characters cost against how many characters before them may be read.

    Args:
        lengths: of the contexts.
        bits: by model, the mean cost at each length.
        line: name, cost and window of a model with a fixed window.
        title: the finding.
    """
    fig, (axes,) = figure(height=2.9)
    for index, (colour, (name, values)) in enumerate(zip((COLOURS[0], COLOURS[1]), bits.items(), strict=False)):
        axes.plot(lengths, values, marker=MARKERS[index], color=colour, label=name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [str(length) for length in lengths])
    axes.minorticks_off()
    axes.axhline(line[1], ls="--", color=COLOURS[4], lw=1.4, label=line[0])
    axes.axvline(line[2], ls=":", color=COLOURS[4], lw=1.4, label=f"its window: {line[2]} characters")
    axes.set(xlabel="characters before the target that are read", ylabel="bits per character", title=title)
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
    fig, all_axes = figure(columns=len(panels), height=3.0, sharey=True, title=title)
    for axes, (name, curves), label in zip(all_axes, panels.items(), labels, strict=True):
        for colour, (model, points) in zip(colours(list(curves)), curves.items(), strict=True):
            sizes, shares = zip(*points, strict=True)
            line: dict[str, Any] = {"marker": _marker(colour), "color": colour, "label": model}
            axes.plot(sizes, [100 * share for share in shares], **line)
        axes.axhline(100 * chance, ls="--", lw=1, color=COLOURS[7], label="guessing")
        axes.set_xscale("log", base=2)
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.set(xlabel=label, ylim=(0, 104), title=name)
        axes.title.set_fontsize(9)
    all_axes[0].set_ylabel("right answers (%)")
    all_axes[-1].legend(fontsize=7, loc="lower left", bbox_to_anchor=(0.0, 0.14))
    return fig


def time_by_length(milliseconds: Mapping[str, Sequence[tuple[int, float]]], title: str) -> Figure:
    """Draw the time of one pass against the length of the sequence, both logarithmic, one line a layer."""
    fig, (axes,) = figure(height=2.9)
    for index, (colour, (name, points)) in enumerate(
        zip(colours(list(milliseconds)), milliseconds.items(), strict=True)
    ):
        lengths, times = zip(*points, strict=True)
        axes.loglog(lengths, times, marker=MARKERS[index], color=colour, label=name)
    axes.set_xscale("log", base=2)
    axes.set_xticks(lengths, [f"{length:,}" for length in lengths])
    axes.set(xlabel="steps in the sequence", ylabel="milliseconds", title=title)
    axes.legend()
    return fig


def _marker(colour: str) -> str:
    """The marker of a colour: what has one colour in all figures has one marker, too."""
    return MARKERS[COLOURS.index(colour)]


def _box(axes: Axes, x: float, y: float, text: str, fill: str, edge: str, **options: Any) -> None:
    box = {"boxstyle": "round,pad=0.3", "fc": fill, "ec": edge}
    axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3, **options)


def _plate(
    axes: Axes, middle: tuple[float, float], width: float, text: str, fill: str, edge: str, *, height: float = 0.4
) -> None:
    """A rectangle of a given width with words in it."""
    x, y = middle[0] - width / 2, middle[1] - height / 2
    axes.fill([x, x + width, x + width, x], [y, y, y + height, y + height], fc=fill, ec=edge, lw=1, zorder=3)
    axes.text(*middle, text, ha="center", va="center", fontsize=8, linespacing=1.15, zorder=4)


def _wire(axes: Axes, *points: tuple[float, float], tip: bool = True, **options: Any) -> None:
    """A line from point to point, with an arrow's tip at its end."""
    line: dict[str, Any] = {"color": GREY, "lw": 1.1} | options
    axes.plot(*zip(*points, strict=True), solid_capstyle="butt", zorder=2, **line)
    if tip:
        _arrow(axes, points[-2], points[-1], color=line["color"], lw=line["lw"] if line["lw"] > 2 else 0)


def _arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], *, label: str = "", **options: Any
) -> None:
    axes.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, **(_ARROW | options)))
    if label:
        middle = (start[0] + end[0]) / 2
        axes.text(middle, start[1] + 0.12, label, ha="center", va="bottom", fontsize=8, parse_math=True)
