"""Figures of chapter 06: the model as boxes, positions as circles, what moves between positions, curves and costs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from lmcourse.plots.charts import bars as bars  # page 06 draws them by this module
from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, POSITIVE, SHARES, SIGNED, TINTS, colours, figure

_STYLES = ("-", "--", "-.", ":")
_FILLS = {"attention": TINTS[0], "feed": TINTS[1], "norm": TINTS[6], "embed": TINTS[2], "head": TINTS[3]}
Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]  # name -> x and y


def _title(fig: Figure, text: str) -> None:
    fig.suptitle(text, x=0.01, ha="left", fontsize=11)


def architecture(title: str) -> Figure:
    """Draw the transformer: encoder, decoder, their residual streams and sums, and every shape.

    The norms are before each sublayer, in orange, and at the end of each stack; dotted frames after the sums show where
    figure 1 of Vaswani et al. (2017) has them.
    """
    fig, axes = _canvas(title, 3.5)
    left, right = 0.35, 5.65  # the two streams
    for name, ids, shape, x, side in (
        ("source", "S tokens", "S × D", left, "left"),
        ("target, shifted right", "T tokens", "T × D", right, "right"),
    ):
        edge = 0.02 if side == "left" else 5.98
        axes.text(edge, 0.07, f"{name}: {ids}", ha=side, va="center", fontsize=7.5, style="italic")
        _box(axes, x - 0.25 if side == "left" else x - 1.75, 0.2, 2.0, 0.22, "embedding × √D + position", "embed")
        axes.text(x + (0.08 if side == "left" else -0.08), 0.52, shape, ha=side, va="center", fontsize=7.5)
    axes.text(1.55, 0.53, "encoder", ha="center", va="center", fontsize=9, weight="bold", color=GREY)
    axes.text(4.45, 0.53, "decoder", ha="center", va="center", fontsize=9, weight="bold", color=GREY)
    _stream(axes, left, 0.42, 2.2)
    _stream(axes, right, 0.42, 2.74)
    heads, wide = "H heads of width D / H", "D → 4 D → D at each position"
    _branch(axes, left, 0.68, 1.75, 0.66, "norm, self-attention", heads, "attention")
    _branch(axes, left, 0.68, 1.75, 1.24, "norm, feed-forward", wide, "feed")
    _branch(axes, right, 3.57, 1.75, 0.66, "norm, causal self-attention", heads, "attention")
    cross = _branch(axes, right, 3.57, 1.75, 1.24, "norm, cross-attention", "queries: T × D, H heads", "attention")
    _branch(axes, right, 3.57, 1.75, 1.82, "norm, feed-forward", wide, "feed")
    _repeat(axes, 2.53, 0.66, 1.72, "right")
    _repeat(axes, 3.47, 0.66, 2.3, "left")
    _box(axes, left - 0.25, 1.96, 0.5, 0.2, "norm", "norm")
    for stream, sums in ((left, (1.04, 1.62)), (right, (1.04, 1.62, 2.2))):
        for y in sums:
            at, frame = [stream + 0.22 * side for side in (-1, 1, 1, -1)], [y + 0.09, y + 0.09, y + 0.22, y + 0.22]
            axes.fill(at, frame, fc="none", ls=":", ec=GREY)
    axes.text(left + 0.27, 1.775, "a norm in 2017", fontsize=7, va="center", color=GREY)
    for x, y in ((0.68, 0.7), (0.68, 1.28), *((5.27, low) for low in (0.7, 1.28, 1.86))):
        axes.fill([x, x + 0.05, x + 0.05, x], [y, y, y + 0.44, y + 0.44], fc=COLOURS[1], zorder=4)
    path: dict[str, Any] = {"color": COLOURS[2], "lw": 1.6}
    axes.plot([left, left, 3.12, 3.12], [2.2, 2.34, 2.34, cross], **path)
    axes.annotate("", (3.57, cross), (3.11, cross), arrowprops={"arrowstyle": "->", **path})
    axes.text(left, 2.4, "memory, S × D: keys and values", fontsize=7.5, color=COLOURS[2], va="bottom")
    _box(axes, right - 1.75, 2.5, 2.0, 0.22, "norm, linear, softmax", "head")
    axes.text(
        5.98, 2.86, "probabilities of the next token: T × V", ha="right", va="center", fontsize=7.5, style="italic"
    )
    return fig


def decoder_only(title: str) -> Figure:
    """Draw a decoder-only transformer (GPT) with pre-norm: one residual stream, two branches, and every shape."""
    fig, axes = _canvas(title, 3.0)
    stream = 1.3
    axes.text(0.3, 0.07, "a text: T tokens", ha="left", va="center", fontsize=7.5, style="italic")
    _box(axes, 0.3, 0.2, 2.0, 0.22, "embedding: V × D", "embed")
    axes.text(stream - 0.1, 0.53, "T × D", ha="right", va="center", fontsize=7.5)
    _stream(axes, stream, 0.42, 2.16)
    heads, wide = "H heads of width D / H, rotary positions", "D → 4 D → D at each position"
    _branch(axes, stream, 2.1, 2.9, 0.66, "norm, causal self-attention", heads, "attention")
    _branch(axes, stream, 2.1, 2.9, 1.24, "norm, feed-forward", wide, "feed")
    axes.text(0.3, 1.2, "the residual\nstream", ha="left", va="center", fontsize=7.5, color=GREY)
    _repeat(axes, 5.12, 0.66, 1.72, "right")
    _box(axes, 0.3, 2.16, 2.6, 0.22, "norm, head (the embedding again), softmax", "head")
    axes.text(0.3, 2.5, "probabilities of each next token: T × V", ha="left", va="center", fontsize=7.5, style="italic")
    return fig


def _canvas(title: str, height: float) -> tuple[Figure, Axes]:
    """An empty drawing whose units are inches."""
    fig, (axes,) = figure(height=height)
    _title(fig, title)
    axes.set(xlim=(0, 6), ylim=(0, height - 0.35))
    axes.axis("off")
    return fig, axes


def _stream(axes: Axes, x: float, low: float, high: float) -> None:
    axes.annotate("", (x, high), (x, low), arrowprops={"arrowstyle": "->", "color": "black", "lw": 2.2})


def _branch(axes: Axes, stream: float, x: float, width: float, y: float, text: str, note: str, kind: str) -> float:
    """Draw a sublayer beside its stream, from which it reads and to which it adds; return the height of its middle."""
    near = x if x > stream else x + width
    arrow = {"arrowstyle": "->", "color": GREY, "lw": 1.0}
    axes.annotate("", (near, y + 0.14), (stream, y + 0.14), arrowprops=arrow)
    axes.annotate("", (stream + (0.08 if x > stream else -0.08), y + 0.38), (near, y + 0.38), arrowprops=arrow)
    _box(axes, x, y + 0.04, width, 0.44, text, kind, note)
    axes.plot([stream], [y + 0.38], marker="o", ms=9, mfc="white", mec="black", zorder=4)
    axes.text(stream, y + 0.372, "+", ha="center", va="center", fontsize=10, zorder=5)
    return y + 0.26


def _repeat(axes: Axes, x: float, low: float, high: float, side: str) -> None:
    """A bracket that says "L times"."""
    out = 0.06 if side == "right" else -0.06
    axes.plot([x, x + out, x + out, x], [low, low, high, high], color=GREY, lw=1.0)
    axes.text(x + 2 * out, low + 0.25, "× L", ha="left" if out > 0 else "right", va="center", fontsize=9, color=GREY)


def _box(axes: Axes, x: float, y: float, width: float, height: float, text: str, kind: str, note: str = "") -> None:
    at = [x, x + width, x + width, x], [y, y, y + height, y + height]
    axes.fill(*at, fc=_FILLS[kind], ec=EDGE, lw=0.8, zorder=3)
    middle = y + height / 2
    for line, size, rise in ((text, 8, 0.09), (note, 7, -0.1)) if note else ((text, 8, -0.005),):
        axes.text(x + width / 2, middle + rise, line, ha="center", va="center", fontsize=size, zorder=4)


def hops(
    notes: Sequence[str],
    links: np.ndarray,
    question: str,
    look: Sequence[float],
    answer: str,
    title: str,
) -> Figure:
    """Draw how two layers answer a question: below, where each note looks in the first; above, the question's second.

    Args:
        notes: n notes.
        links: weights (n, n) of the notes on each other, in one head of the first layer.
        question: what is asked.
        look: n weights of the question on the notes, in one head of the second layer.
        answer: what the model says.
        title: the finding.
    """
    fig, axes = _canvas(title, 2.9)
    links, at, low, high, top = np.asarray(links), np.linspace(0.3, 5.7, len(notes)), 0.2, 1.25, 2.25
    found = int(np.argmax(look))
    for row, y in ((0, low), (1, high)):
        for index, (x, note) in enumerate(zip(at, notes, strict=True)):
            chosen = index == (found if row else int(links[found].argmax()))
            box: dict[str, Any] = {"boxstyle": "round,pad=0.22", "fc": TINTS[row] if chosen else "white", "ec": EDGE}
            axes.text(x, y, note, ha="center", va="center", fontsize=7.5, bbox=box, zorder=3)
    for index, weights in enumerate(links):
        key = int(weights.argmax())
        strong = index == found
        _look(axes, (at[index], high - 0.13), (at[key], low + 0.13), weights[key], 0, strong=strong)
    for x, weight in zip(at, look, strict=True):
        _look(axes, (3.0, top - 0.14), (x, high + 0.13), weight, 1, strong=True)
    box = {"boxstyle": "round,pad=0.3", "fc": TINTS[1], "ec": EDGE}
    axes.text(3.0, top, f"{question}  Answer: {answer}", ha="center", va="center", fontsize=9, bbox=box, zorder=3)
    label: dict[str, Any] = {"va": "center", "fontsize": 9, "weight": "bold"}
    axes.text(0.02, top, "layer 2", color=COLOURS[1], **label)
    axes.text(0.02, low + 0.3, "layer 1", color=COLOURS[0], bbox={"fc": "white", "ec": "none", "pad": 1}, **label)
    return fig


def _look(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], weight: float, layer: int, *, strong: bool
) -> None:
    """Draw one weight as a line, faint if it is not the one that is spoken of."""
    opacity = 0.2 + 0.75 * weight if strong else 0.25
    width = 0.3 + 2.7 * weight if strong else 1.0
    axes.plot(*zip(start, end, strict=True), color=COLOURS[layer], lw=width, alpha=opacity, solid_capstyle="butt")
    if weight > 0.2:  # who is looked at
        head = {"arrowstyle": "-|>", "color": COLOURS[layer], "alpha": opacity, "lw": 0, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", end, start, arrowprops={**head, "mutation_scale": 24 if strong else 8})
    if strong and weight > 0.2:
        x, y = ((one + other) / 2 for one, other in zip(start, end, strict=True))
        box = {"fc": "white", "ec": "none", "pad": 0.6}
        axes.text(x, y, f"{weight:.0%}", ha="center", va="center", fontsize=8, bbox=box, zorder=4)


def masks(panels: Mapping[str, tuple[Sequence[str], Sequence[str], np.ndarray]], title: str) -> Figure:
    """Draw who may look at whom: filled where a row's token may look at a column's.

    Args:
        panels: name of an attention -> T tokens that look, S tokens that are looked at, mask (T, S) of ones and zeros.
        title: the finding.
    """
    fig, axes = figure(columns=len(panels), height=2.3)
    _title(fig, title)
    for panel, (name, (rows, columns, mask)) in zip(axes, panels.items(), strict=True):
        panel.pcolormesh(np.asarray(mask), cmap=SHARES, vmin=0, vmax=2, edgecolors=EDGE, linewidth=0.8)
        panel.set_title(name, fontsize=9)
        panel.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=45, fontsize=8)
        panel.set_yticks(np.arange(len(rows)) + 0.5, rows, fontsize=8)
        panel.invert_yaxis()
        panel.grid(False)
        panel.tick_params(length=0)
    return fig


def dots(
    rows: Mapping[str, Mapping[str, Sequence[float]]], title: str, xlabel: str, *, guess: float | None = None
) -> Figure:
    """Draw the results of several runs as dots: a row for each model, a colour for each kind of question, 0 to 100."""
    fig, (axes,) = figure(height=0.4 * len(rows) + 1.2)
    _title(fig, title)
    kinds = list(next(iter(rows.values())))
    for index, kind in enumerate(kinds):
        x = [value for values in rows.values() for value in values[kind]]
        y = [row + 0.3 * (index / max(len(kinds) - 1, 1) - 0.5) for row, v in enumerate(rows.values()) for _ in v[kind]]
        axes.plot(x, y, MARKERS[index], color=COLOURS[index], label=kind, ls="", alpha=0.8)
    if guess is not None:
        axes.axvline(guess, color=GREY, lw=1.0, ls=":", label="chance")
    axes.set_yticks(range(len(rows)), list(rows), fontsize=8.5)
    axes.invert_yaxis()
    axes.set(xlim=(-3, 103), xlabel=xlabel)
    axes.grid(False, axis="y")
    fig.legend(*axes.get_legend_handles_labels(), loc="outside lower right", ncols=len(kinds) + 1)
    return fig


def circles(table: np.ndarray, pairs: Sequence[int], title: str) -> Figure:
    """Draw sinusoidal positions: the whole table, and beside it some pairs of columns as points on a circle.

    Args:
        table: (length, D), sines at even columns, cosines at odd ones.
        pairs: which pairs of columns to draw as circles.
    """
    table = np.asarray(table)
    fig, axes = figure(columns=len(pairs) + 1, height=2.6, gridspec_kw={"width_ratios": [1.6] + [1] * len(pairs)})
    _title(fig, title)
    drawn = axes[0].imshow(table, cmap=SIGNED, vmin=-1, vmax=1, aspect="auto")
    axes[0].set(xlabel="dimension", ylabel="position")
    axes[0].set_title("the table", fontsize=9)
    axes[0].grid(False)
    fig.colorbar(drawn, ax=axes[0], shrink=0.9, aspect=25, ticks=[-1, 0, 1])
    turn = np.linspace(0, 2 * np.pi, 100)
    for index, (pair, panel) in enumerate(zip(pairs, axes[1:], strict=True)):
        shown = min(len(table), 8)
        x, y = table[:shown, 2 * pair + 1], table[:shown, 2 * pair]
        panel.plot(np.cos(turn), np.sin(turn), color=FAINT, lw=0.8)
        panel.plot(x, y, color=COLOURS[index], marker=MARKERS[index], lw=0.8, ls=_STYLES[index % 4])
        for position in range(shown):
            apart = np.hypot(x[position] - x[0], y[position] - y[0]) > 0.35
            if position == 0 or (apart and position in (1, shown - 1)):
                panel.annotate(
                    str(position), (1.28 * x[position], 1.28 * y[position]), fontsize=7, ha="center", va="center"
                )
        panel.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
        panel.set_title(f"pair {pair}", fontsize=9)
        panel.set_xlabel("cosine")
        if index == 0:
            panel.set_ylabel("sine")
    return fig


def lines(
    panels: Mapping[str, Series],
    title: str,
    xlabel: str,
    ylabel: str,
    *,
    logx: bool = False,
    logy: bool = False,
    markers: bool = True,
    height: float = 2.9,
    legend: Any = "best",
    xticks: Sequence[float] | None = None,
    yticks: Sequence[float] | None = None,
    legend_panel: int = -1,
    ylim: tuple[float, float] | None = None,
) -> Figure:
    """Draw named lines, one panel for each caption, with the same axes.

    Args:
        panels: caption of a panel ("" for none) -> name of a line -> its x and y.
        title: the finding.
        xlabel, ylabel: with units.
        logx, logy: logarithmic axes.
        markers: a marker at every point.
        legend, legend_panel: where the legend stands, and in which panel.
        xticks, yticks: where to put numbers, instead of where matplotlib would.
    """
    fig, axes = figure(columns=len(panels), height=height, sharey=True)
    _title(fig, title)
    for panel, (caption, series) in zip(axes, panels.items(), strict=True):
        for index, (colour, (name, (x, y))) in enumerate(zip(colours(list(series)), series.items(), strict=True)):
            panel.plot(
                x,
                y,
                _STYLES[index % 4],
                color=colour,
                marker=MARKERS[index % len(MARKERS)] if markers else None,
                label=name,
            )
        if caption:
            panel.set_title(caption, fontsize=9)
        if logx:
            panel.set_xscale("log")
        if logy:
            panel.set_yscale("log")
        if xticks is not None:
            panel.set_xticks(xticks, [f"{tick:,g}" for tick in xticks])
            panel.minorticks_off()
        if yticks is not None:
            panel.set_yticks(yticks, [f"{tick:,g}" for tick in yticks])
            panel.minorticks_off()
        if ylim is not None:
            panel.set_ylim(*ylim)
        panel.set_xlabel(xlabel)
    axes[0].set_ylabel(ylabel)
    axes[legend_panel].legend(loc=legend)
    return fig


def spread_lines(
    panels: Mapping[str, Mapping[str, np.ndarray]],
    x: Sequence[float],
    title: str,
    xlabel: str,
    chance: Sequence[float],
) -> Figure:
    """Draw medians as lines and runs as small dots, one panel for each measure, each with its level of chance.

    Args:
        panels: measure, with units -> name of a line -> values (len(x), runs).
        x: logarithmic, the same for all.
        title: the finding.
        xlabel: what x is.
        chance: for each panel, drawn as a dotted line.
    """
    fig, axes = figure(columns=len(panels), height=3.3)
    _title(fig, title)
    for panel, (caption, lines_of), level in zip(axes, panels.items(), chance, strict=True):
        for index, (name, values) in enumerate(lines_of.items()):
            at, aside = np.asarray(x, dtype=float), 1.06 ** (index - (len(lines_of) - 1) / 2)  # lines that coincide
            for run in np.asarray(values).T:
                panel.plot(at * aside, run, ".", color=COLOURS[index], ms=4, alpha=0.5)
            median, marker = np.median(values, axis=1), MARKERS[index % len(MARKERS)]
            panel.plot(at * aside, median, _STYLES[index % 4], color=COLOURS[index], marker=marker, label=name)
        panel.axhline(level, color=GREY, lw=1.0, ls=":", label="chance")
        panel.set(xscale="log", xlabel=xlabel)
        panel.set_title(caption, fontsize=9)
        panel.set_xticks(x, [f"{tick:,g}" for tick in x])
        panel.minorticks_off()
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig


def surfaces(panels: Mapping[str, np.ndarray], reach: float, title: str, *, top: float = 2.0) -> Figure:
    """Draw the loss around trained weights, one panel for each model: dark is a high loss, the cross the weights.

    Args:
        panels: name of a model -> losses (n, n) at n steps from -reach to reach in each of two directions.
        reach: how far the steps go, in lengths of the weights.
        title: the finding.
        top: in nats, the loss from which on all is equally dark.
    """
    fig, axes = figure(columns=len(panels), height=2.8, sharey=True)
    _title(fig, title)
    for panel, (name, losses) in zip(axes, panels.items(), strict=True):
        at = np.linspace(-reach, reach, len(losses))
        drawn = panel.contourf(at, at, losses, levels=np.linspace(0, top, 11), cmap=POSITIVE, extend="max")
        panel.plot(0, 0, "+", color=COLOURS[1], ms=11, mew=2.2)
        panel.set(xticks=[-reach, 0, reach], yticks=[-reach, 0, reach], aspect="equal", xlabel="first direction")
        panel.set_title(name, fontsize=9)
        panel.grid(False)
    axes[0].set_ylabel("second direction")
    bar = fig.colorbar(drawn, ax=axes, shrink=0.9, aspect=25, pad=0.02)
    bar.set_label("loss (nats)", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    return fig


def jacobians(panels: Mapping[str, np.ndarray], tokens: Sequence[str], title: str) -> Figure:
    """Draw how strongly each output position depends on each input position; white means not at all.

    Args:
        panels: name of a part -> norms of the blocks of its Jacobian, (T outputs, T inputs).
        tokens: T tokens.
    """
    fig, axes = figure(columns=len(panels), height=2.6)
    _title(fig, title)
    largest = max(float(norms.max()) for norms in panels.values())
    scale = LogNorm(vmin=largest / 1e3, vmax=largest)
    for index, (panel, (name, norms)) in enumerate(zip(axes, panels.items(), strict=True)):
        drawn = panel.imshow(np.ma.masked_less(norms, largest * 1e-9), cmap=POSITIVE, norm=scale)
        panel.set_title(name.replace(" ", "\n"), fontsize=8.5)
        panel.set_xticks(range(len(tokens)), tokens, rotation=90, fontsize=7)
        panel.set_yticks(range(len(tokens)), tokens if index == 0 else [], fontsize=7)
        panel.grid(False)
        panel.tick_params(length=0)
    fig.supxlabel("input position that is nudged", fontsize=8)
    fig.supylabel("output position", fontsize=8)
    bar = fig.colorbar(drawn, ax=axes, shrink=0.8, aspect=25, pad=0.01)
    bar.set_label("norm of the derivative", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    return fig
