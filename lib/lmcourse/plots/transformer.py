"""Figures of chapter 06: the model as boxes, positions as circles, what moves between positions, curves and costs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, SHARES, SIGNED, TINTS, figure

_STYLES = ("-", "--", "-.", ":")
_FILLS = {"attention": TINTS[0], "feed": TINTS[1], "norm": TINTS[6], "embed": TINTS[2], "head": TINTS[3]}
_STEP = 1.4  # from box to box, in units of the drawing
Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]  # name -> x and y


def _title(fig: Figure, text: str) -> None:
    fig.suptitle(text, x=0.01, ha="left", fontsize=11)


def architecture(title: str) -> Figure:
    """Draw the transformer: an encoder and a decoder of stacked sublayers, with the residual stream past each."""
    fig, (axes,) = figure(height=3.5)
    _title(fig, title)
    encoder = [("embedding + position", "embed"), ("self-attention", "attention"), ("feed-forward", "feed")]
    decoder = [
        ("embedding + position", "embed"),
        ("causal self-attention", "attention"),
        ("attention to the source", "attention"),
        ("feed-forward", "feed"),
    ]
    tops = [_tower(axes, x, parts) for x, parts in ((0.0, encoder), (5.2, decoder))]
    for x, name, below in ((0.0, "encoder", "source"), (5.2, "decoder", "target, shifted right")):
        axes.text(x + 1.5, -0.75, below, ha="center", va="center", fontsize=8.5, style="italic")
        axes.text(x + 3.15, 0.25, name, ha="left", va="center", fontsize=9.5, weight="bold", color=GREY)
    axes.text(3.2, 2.9, "× L", ha="left", fontsize=9, color=GREY)
    axes.text(8.4, 2.9, "× L", ha="left", fontsize=9, color=GREY)
    memory, reads = tops[0], 2 * _STEP + 0.3
    axes.plot([1.5, 1.5, 4.6, 4.6], [memory - 0.55, memory + 0.1, memory + 0.1, reads], color=COLOURS[1], lw=1.4)
    axes.annotate("", (5.2, reads), (4.6, reads), arrowprops={"arrowstyle": "->", "color": COLOURS[1], "lw": 1.4})
    axes.text(1.6, memory + 0.25, "memory: keys and values", fontsize=8, color=COLOURS[1])
    _box(axes, 5.2, tops[1], "linear, softmax", "head")
    axes.annotate("", (6.7, tops[1]), (6.7, tops[1] - 0.55), arrowprops={"arrowstyle": "->", "color": GREY})
    axes.text(6.7, tops[1] + 0.95, "next token", ha="center", fontsize=8.5, style="italic")
    axes.set(xlim=(-0.6, 9.6), ylim=(-1.1, tops[1] + 1.3))
    axes.axis("off")
    return fig


def _tower(axes: Axes, x: float, parts: Sequence[tuple[str, str]]) -> float:
    """Draw sublayers one above another, each with a bypass on its left but for the first; return the top's height."""
    arrow = {"arrowstyle": "->", "color": GREY}
    for level, (text, kind) in enumerate(parts):
        bottom = level * _STEP
        _box(axes, x, bottom, text, kind)
        axes.annotate("", (x + 1.5, bottom), (x + 1.5, bottom - (_STEP - 0.6 if level else 0.5)), arrowprops=arrow)
        if kind != "embed":
            left = x - 0.3
            axes.plot([x + 1.5, left, left], [bottom - 0.25, bottom - 0.25, bottom + 0.85], color=GREY, lw=1.0)
            axes.annotate("", (x + 1.5, bottom + 0.85), (left, bottom + 0.85), arrowprops=arrow)
            axes.plot([x + 1.5, x + 1.5], [bottom + 0.6, bottom + 0.85], color=GREY, lw=1.0)
            if level == 1:
                axes.text(x + 1.65, bottom + 0.86, "add and norm", fontsize=7, color=GREY, va="center")
    return len(parts) * _STEP


def _box(axes: Axes, x: float, y: float, text: str, kind: str) -> None:
    box: dict[str, Any] = {"fc": _FILLS[kind], "ec": EDGE, "lw": 0.8}
    axes.fill([x, x + 3, x + 3, x], [y, y, y + 0.6, y + 0.6], **box)
    axes.text(x + 1.5, y + 0.3, text, ha="center", va="center", fontsize=8.5)


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
    ylim: tuple[float, float] | None = None,
) -> Figure:
    """Draw named lines, one panel for each caption, with the same axes.

    Args:
        panels: caption of a panel ("" for none) -> name of a line -> its x and y.
        title: the finding.
        xlabel, ylabel: with units.
        logx, logy: logarithmic axes.
        markers: a marker at every point.
        xticks, yticks: where to put numbers, instead of where matplotlib would.
    """
    fig, axes = figure(columns=len(panels), height=height, sharey=True)
    _title(fig, title)
    for panel, (caption, series) in zip(axes, panels.items(), strict=True):
        for index, (name, (x, y)) in enumerate(series.items()):
            panel.plot(
                x,
                y,
                _STYLES[index % 4],
                color=COLOURS[index % len(COLOURS)],
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
            panel.set_xticks(xticks, [f"{tick:g}" for tick in xticks])
            panel.minorticks_off()
        if yticks is not None:
            panel.set_yticks(yticks, [f"{tick:g}" for tick in yticks])
            panel.minorticks_off()
        if ylim is not None:
            panel.set_ylim(*ylim)
        panel.set_xlabel(xlabel)
    axes[0].set_ylabel(ylabel)
    axes[-1].legend(loc=legend)
    return fig


def masks(panels: Mapping[str, tuple[Any, Sequence[str], Sequence[str]]], title: str) -> Figure:
    """Draw keep masks: name -> bool mask (T, S), the tokens of its rows and those of its columns."""
    fig, axes = figure(columns=len(panels), height=2.5)
    _title(fig, title)
    for panel, (name, (mask, rows, columns)) in zip(axes, panels.items(), strict=True):
        keep = np.asarray(mask)
        panel.imshow(keep, cmap=SHARES, vmin=-0.15, vmax=1.6, aspect="auto")
        for (row, column), kept in np.ndenumerate(keep):
            panel.text(column, row, "\u2713" if kept else "\u00b7", ha="center", va="center", fontsize=9)
        panel.set_xticks(range(len(columns)), columns, rotation=45, ha="right", fontsize=7.5)
        panel.set_yticks(range(len(rows)), rows, fontsize=7.5)
        panel.set_title(name, fontsize=9)
        panel.tick_params(length=0)
        panel.grid(False)
    fig.supxlabel("may be looked at (\u2713) or not", fontsize=8)
    fig.supylabel("looks", fontsize=8)
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
        drawn = panel.imshow(np.ma.masked_less(norms, largest * 1e-9), cmap="viridis", norm=scale)
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


def bars(values: Mapping[str, float], title: str, xlabel: str, *, number: str = ".2f", height: float = 2.6) -> Figure:
    """Draw one horizontal bar a name, from top to bottom, with its value at its end."""
    fig, (axes,) = figure(height=height)
    _title(fig, title)
    rows = np.arange(len(values))
    axes.barh(rows, list(values.values()), color=COLOURS[0], height=0.62)
    for row, value in zip(rows, values.values(), strict=True):
        axes.annotate(
            format(value, number), (max(value, 0), row), (4, 0), textcoords="offset points", va="center", fontsize=8.5
        )
    axes.set_yticks(rows, list(values), fontsize=8.5)
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.grid(False, axis="y")
    axes.set_xlabel(xlabel)
    return fig


def smoothed_targets(targets: Mapping[str, Sequence[float]], tokens: Sequence[str], title: str) -> Figure:
    """Draw what the model is asked for at each smoothing: one group of bars a token."""
    fig, (axes,) = figure(height=2.4)
    _title(fig, title)
    width = 0.8 / len(targets)
    hatches = ("", "///", "...", "xxx")
    for index, (name, probs) in enumerate(targets.items()):
        at = np.arange(len(tokens)) + (index - (len(targets) - 1) / 2) * width
        axes.bar(
            at, probs, width * 0.92, color=COLOURS[index], label=name, hatch=hatches[index % 4], ec="white", lw=0.4
        )
    axes.set_xticks(range(len(tokens)), tokens)
    axes.set(ylabel="probability asked for", ylim=(0, 1.05))
    axes.legend()
    return fig
