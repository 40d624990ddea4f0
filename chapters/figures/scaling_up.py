"""Figures of chapter 13: sizes, parts, laws, a roofline, tiles, shards, rings, rounding, many GPUs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, TINTS, figure
from lmcourse.plots.text import visible

Points = Sequence[tuple[float, float]]
_NOTE: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8, "color": GREY}


def _canvas(title: str, height: float) -> tuple[Figure, Axes]:
    """An empty drawing whose units are inches."""
    fig, (axes,) = figure(height=height, title=title)
    axes.set(xlim=(0, 6), ylim=(0, height - 0.35))
    axes.axis("off")
    return fig, axes


def _box(
    axes: Axes, x: float, y: float, width: float, height: float, text: str, number: int | None = None, size: float = 8
) -> None:
    """A box with its lower left corner at x, y, in the tint of a colour."""
    fill, edge = ("white", EDGE) if number is None else (TINTS[number], COLOURS[number])
    axes.add_patch(Rectangle((x, y), width, height, fc=fill, ec=edge, lw=0.9, zorder=2))
    axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", fontsize=size, zorder=3)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = GREY) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": colour, "lw": 1.1})


def model_sizes(
    models: Mapping[str, tuple[float, float, str]], title: str, *, budgets: Sequence[float] = (1e15, 1e19, 1e23)
) -> Figure:
    """Draw models by parameters and training tokens, both logarithmic, with lines of equal computation.

    Args:
        models: name -> parameters, tokens, the side of the point on which its name stands ("left" or "right").
        title: the finding.
        budgets: floating-point operations for which a line is drawn.
    """
    fig, (axes,) = figure(height=3.3, title=title)
    N = np.array([1e6, 3e12])
    for budget in budgets:
        axes.loglog(N, budget / (6 * N), color=FAINT, lw=1, zorder=1)
        power = f"{np.log10(budget):.0f}".translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        at = min(budget / (6 * 2e6), 6e11)
        axes.annotate(f"10{power} FLOPs", (at, budget / (6 * at)), (5, 2), **_NOTE)
    axes.loglog(N, 20 * N, ls="--", color=COLOURS[2], lw=1.2)
    axes.annotate(
        "20 tokens for each parameter", (2.4e9, 4.8e10), (8, -8), **(_NOTE | {"color": COLOURS[2], "va": "top"})
    )
    for number, (name, (parameters, tokens, side)) in enumerate(models.items()):
        axes.plot(parameters, tokens, "o", color=COLOURS[1 if number == 0 else 0], zorder=3)
        shift = (6, 0) if side == "right" else (-6, 0)
        style = _NOTE | {"color": "black", "ha": "left" if side == "right" else "right", "va": "center"}
        axes.annotate(name, (parameters, tokens), shift, **style)
    axes.set(xlabel="parameters N", ylabel="training tokens D", xlim=(1e6, 3e12), ylim=(1e6, 1e14))
    return fig


def blocks(title: str) -> Figure:
    """Draw the block of GPT-2 beside that of a model of 2026, with shapes; what has changed is coloured."""
    fig, axes = _canvas(title, 3.5)
    old = ("LayerNorm", "q, k, v: H heads each", "learned positions (at the input)", "softmax, values, output",
           "LayerNorm", "GELU: D → 4 D → D")  # fmt: skip
    new = ("RMSNorm", "q: H heads; k, v: G heads", "norm and rotate q and k", "softmax, values, output",
           "RMSNorm", "SwiGLU: D → 8/3 D → D")  # fmt: skip
    for x, name, parts in ((0.6, "GPT-2 (2019)", old), (3.75, "today", new)):
        axes.text(x + 0.95, 3.02, name, ha="center", va="center", fontsize=9, weight="bold", color=GREY)
        axes.annotate("", (x - 0.25, 2.88), (x - 0.25, 0.05), arrowprops={"arrowstyle": "->", "lw": 2.0})
        axes.text(x - 0.33, 0.12, "B × T × D", ha="right", va="bottom", fontsize=7.5, rotation=90)
        for row, part in enumerate(parts):
            y = 0.2 + 0.42 * row + (0.14 if row > 3 else 0)
            changed = parts is new and part != old[row]
            _box(axes, x, y, 1.95, 0.3, part, 1 if changed else None)
            if row not in (0, 4):
                _arrow(axes, (x + 0.95, y - 0.12), (x + 0.95, y))
        for low, high in ((0.2, 1.46), (2.02, 2.44)):
            _arrow(axes, (x - 0.22, low + 0.15), (x, low + 0.15))
            axes.plot(
                [x + 0.95, x + 0.95, x - 0.25], [high + 0.3, high + 0.37, high + 0.37], color=GREY, lw=1.1, zorder=1
            )
            axes.plot([x - 0.25], [high + 0.37], "o", ms=9, mfc="white", mec="black", zorder=4)
            axes.text(x - 0.25, high + 0.362, "+", ha="center", va="center", fontsize=10, zorder=5)
    return fig


def changes(values: Mapping[str, Sequence[float]], label: str, title: str) -> Figure:
    """Draw for each change its measured values as dots, in the order given; the dashed line is the first row's mean."""
    fig, (axes,) = figure(height=min(3.5, 1.0 + 0.25 * len(values)), title=title)
    for row, measured in enumerate(values.values()):
        axes.plot(measured, [row] * len(measured), MARKERS[0], color=COLOURS[min(row, 1)], alpha=0.85)
    first = next(iter(values.values()))
    axes.axvline(float(np.mean(first)), ls="--", lw=1, color=COLOURS[6])
    axes.set_yticks(range(len(values)), list(values))
    axes.invert_yaxis()
    axes.set(xlabel=label)
    return fig


def curves(
    lines: Mapping[str, Points],
    title: str,
    *,
    labels: tuple[str, str],
    logarithmic: str = "x",
    level: tuple[str, float] | None = None,
    ticks: Sequence[float] = (),
    markers: bool = True,
) -> Figure:
    """Draw curves, one a name, with a marker at each point.

    Args:
        lines: name -> points.
        title: the finding.
        labels: of the two axes.
        logarithmic: "x", "y", "xy" or "".
        level: a name and where a horizontal dashed line stands.
        ticks: of the horizontal axis.
        markers: one at each point.
    """
    fig, (axes,) = figure(height=2.8, title=title)
    for number, (name, points) in enumerate(lines.items()):
        across, up = zip(*points, strict=True)
        axes.plot(
            across,
            up,
            ("-", "--", "-.", ":")[number % 4],
            marker=MARKERS[number] if markers else "",
            color=COLOURS[number],
            label=name,
        )
    if level is not None:
        axes.axhline(level[1], ls="--", lw=1, color=COLOURS[6], label=level[0])
    if "x" in logarithmic:
        axes.set_xscale("log")
    if "y" in logarithmic:
        axes.set_yscale("log")
    if ticks:
        axes.set_xticks(ticks, [f"{tick:,g}" for tick in ticks])
        axes.set_xticks([], minor=True)
    axes.set(xlabel=labels[0], ylabel=labels[1])
    axes.legend()
    return fig


def laws(
    sizes: Mapping[str, Points],
    fitted: Mapping[str, Callable[[np.ndarray], np.ndarray]],
    floor: tuple[float, float, float],
    title: str,
) -> Figure:
    """Draw the loss of several sizes against tokens, with the fitted law through each, and the loss that it leaves.

    Args:
        sizes: name -> (tokens, loss).
        fitted: name -> the law of that size, a function of tokens.
        floor: low, best and high of the loss that no size and no data remove.
        title: the finding.
    """
    fig, (axes,) = figure(height=3.1, title=title)
    for number, (name, points) in enumerate(sizes.items()):
        tokens, losses = (np.asarray(side, dtype=float) for side in zip(*points, strict=True))
        across = np.geomspace(tokens.min(), tokens.max(), 60)
        axes.plot(tokens, losses, MARKERS[number], color=COLOURS[number], label=name)
        axes.plot(across, fitted[name](across), color=COLOURS[number], lw=1)
    axes.axhspan(floor[0], floor[2], color=COLOURS[6], alpha=0.08, lw=0)
    axes.axhline(floor[1], ls="--", lw=1, color=COLOURS[6])
    axes.annotate(
        "what is left: E, and its 90 % interval",
        (1, floor[1]),
        (-2, 3),
        xycoords=("axes fraction", "data"),
        ha="right",
        **_NOTE,
    )
    axes.set_xscale("log")
    ticks = [1e5, 2e5, 4e5, 6e5]
    axes.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set(xlabel="training tokens", ylabel="bits per byte, held out")
    axes.legend(title="parameters", title_fontsize=8)
    return fig


def roofline(
    series: Mapping[str, Points], bandwidth: float, peak: float, marked: Mapping[str, tuple[float, float]], title: str
) -> Figure:
    """Draw operations a second against operations for each byte, below the two limits of a machine.

    Args:
        series: name -> measured (FLOPs for each byte, FLOPs a second).
        bandwidth: bytes a second, the slope.
        peak: FLOPs a second, the level.
        marked: name of a piece of work -> where it lies.
        title: the finding.
    """
    fig, (axes,) = figure(height=3.2, title=title)
    across = np.geomspace(0.1, 1_000, 200)
    axes.loglog(across, np.minimum(across * bandwidth, peak) / 1e9, color=COLOURS[6], lw=1.4)
    axes.annotate(f"memory: {bandwidth / 1e9:.0f} GB/s", (1, bandwidth / 1e9), (-10, 4), ha="right", **_NOTE)
    axes.annotate(f"arithmetic: {peak / 1e9:.0f} GFLOP/s", (900, peak / 1e9), (0, 4), ha="right", **_NOTE)
    for number, (name, points) in enumerate(series.items()):
        x, y = np.asarray(points, dtype=float).T
        axes.loglog(x, y / 1e9, MARKERS[number], color=COLOURS[number], label=name)
    for number, (name, (x, y)) in enumerate(marked.items(), len(series)):
        axes.loglog([x], [y / 1e9], MARKERS[number], color=COLOURS[number], ms=7, label=name)
    axes.set(xlabel="FLOPs for each byte that comes from memory", ylabel="GFLOP/s")
    axes.set_ylim(top=axes.get_ylim()[1] * 2)
    axes.legend(loc="lower right")
    return fig


def tiles(size: int, tile: int, done: tuple[int, int], title: str) -> Figure:
    """Draw how flash attention walks a table of scores: tile by tile, with a running maximum, sum and output.

    Args:
        size: rows and columns of the table, a multiple of `tile`.
        tile: rows and columns of a tile.
        done: the tile in the works, its row and column.
        title: the finding.
    """
    fig, axes = _canvas(title, 3.0)
    step, left, top = 1.9 / size, 0.95, 2.25
    for row in range(size // tile):
        for column in range(size // tile):
            x, y, edge = left + column * tile * step, top - (row + 1) * tile * step, tile * step
            if column > row:
                _box(axes, x, y, edge, edge, "")
                axes.text(x + edge / 2, y + edge / 2, "skipped", ha="center", va="center", fontsize=7, color=GREY)
            else:
                before = (row, column) < done
                _box(
                    axes,
                    x,
                    y,
                    edge,
                    edge,
                    "done" if before else "now" if (row, column) == done else "",
                    0 if before else 1 if (row, column) == done else None,
                    7,
                )
    axes.text(left + 0.95, top + 0.1, "keys and values, a tile at a time", ha="center", va="bottom", fontsize=8)
    axes.text(left - 0.12, top - 0.95, "queries", ha="right", va="center", fontsize=8)
    _box(axes, 3.75, 1.72, 2.1, 0.5, "m: largest score so far\nof each of these queries", 2, 7.5)
    _box(axes, 3.75, 1.08, 2.1, 0.5, "s: sum of exp(score − m)\nso far", 2, 7.5)
    _box(axes, 3.75, 0.44, 2.1, 0.5, "o: sum of exp(score − m) · value\nso far", 2, 7.5)
    axes.text(4.8, 0.27, "at the end of the row: o / s", ha="center", va="center", fontsize=8)
    row, column = done
    at = (left + (column + 1) * tile * step, top - (row + 0.5) * tile * step)
    _arrow(axes, at, (3.72, 1.33), COLOURS[1])
    return fig


def ring(chunks: Sequence[Sequence[Sequence[int]]], title: str, captions: Sequence[str]) -> Figure:
    """Draw an all-reduce in a ring: for each moment, what each process holds of each chunk.

    Args:
        chunks: moment -> process -> chunk -> how many processes' numbers are summed in it.
        title: the finding.
        captions: a line for each moment.
    """
    fig, all_axes = figure(columns=len(chunks), height=2.3, title=title)
    for axes, moment, caption in zip(all_axes, chunks, captions, strict=True):
        most = len(moment)
        for row, process in enumerate(moment):
            for column, parts in enumerate(process):
                full = parts == most
                axes.add_patch(
                    Rectangle(
                        (column, most - 1 - row),
                        0.92,
                        0.86,
                        fc=COLOURS[2] if full else TINTS[0],
                        ec=EDGE,
                        lw=0.7,
                        alpha=1 if full else 0.25 + 0.75 * parts / most,
                    )
                )
                axes.text(
                    column + 0.46,
                    most - 1 - row + 0.43,
                    str(parts),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if full else "black",
                )
        axes.set(xlim=(-0.1, most), ylim=(-0.1, most), aspect="equal")
        axes.set_xticks([c + 0.46 for c in range(most)], [f"{'ABCDEFGH'[c]}" for c in range(most)])
        axes.set_yticks(
            [most - 1 - r + 0.43 for r in range(most)],
            [f"process {r}" if axes is all_axes[0] else "" for r in range(most)],
        )
        axes.tick_params(length=0)
        axes.grid(False)
        axes.set_title(caption, fontsize=8)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return fig


def shards(ways: Mapping[str, Mapping[str, tuple[float, int]]], processes: int, title: str) -> Figure:
    """Draw who holds what: for each way to train, the bytes that each process keeps for a parameter.

    Args:
        ways: name -> what is held -> bytes for each parameter, and among how many processes it is divided.
        processes: drawn side by side.
        title: the finding.
    """
    fig, all_axes = figure(columns=len(ways), height=2.7, sharey=True, title=title)
    for axes, (name, held) in zip(all_axes, ways.items(), strict=True):
        bottom = np.zeros(processes)
        for number, (what, (size, among)) in enumerate(held.items()):
            axes.bar(
                range(processes),
                [size / among] * processes,
                0.85,
                bottom=bottom,
                color=COLOURS[number],
                label=what,
                ec="white",
                lw=0.5,
                hatch=("", "///", "..")[number],
            )
            bottom += size / among
        axes.set_title(f"{name}\n{bottom[0]:g} bytes each", fontsize=8)
        axes.set_xticks(range(processes))
        axes.set_xlabel("process", fontsize=8)
        axes.grid(False, axis="x")
    all_axes[0].set_ylabel("bytes for each parameter")
    fig.legend(*all_axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig


def rounding(weights: Sequence[float], levels: Sequence[float], title: str) -> Figure:
    """Draw a few weights before and after rounding, upon the levels that there are."""
    fig, (axes,) = figure(height=2.5, title=title)
    for level in sorted(set(np.round(levels, 9).tolist())):
        axes.axhline(level, color=FAINT, lw=0.8, zorder=1)
    at = np.arange(len(weights))
    axes.vlines(at, weights, levels, color=COLOURS[1], lw=1.2, zorder=2)
    axes.plot(at, weights, "o", color=COLOURS[0], label="weight", zorder=3)
    axes.plot(at, levels, "_", ms=9, mew=2, color=COLOURS[1], label="after rounding", zorder=3)
    axes.set(xlabel="weights of one row", ylabel="value", xlim=(-1, len(weights)))
    axes.set_xticks([])
    axes.grid(False)
    fig.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return fig


def lost(values: Mapping[str, tuple[float, float]], title: str) -> Figure:
    """Draw what each way to round costs, a bar with its number for each.

    Args:
        values: name -> megabytes, and bits per byte more than without rounding.
        title: the finding.
    """
    fig, (axes,) = figure(height=2.4, title=title)
    rows = np.arange(len(values))
    costs = [cost for _, cost in values.values()]
    axes.barh(rows, costs, 0.6, color=COLOURS[0])
    for row, cost in zip(rows, costs, strict=True):
        axes.annotate(f"{cost:+.4f}", (max(cost, 0), row), (4, 0), va="center", **(_NOTE | {"color": "black"}))
    axes.set_yticks(rows, [f"{name}: {megabytes:.1f} MB" for name, (megabytes, _) in values.items()])
    axes.invert_yaxis()
    axes.set(xlabel="bits per byte lost", xlim=(0, 1.2 * max(*costs, 1e-6)))
    axes.grid(False, axis="y")
    return fig


def calls(tokens: Sequence[str], lengths: Sequence[int], title: str, *, columns: int = 12) -> Figure:
    """Draw written tokens in rows, in bands of two tints: what one call of the model gave lies in one band."""
    rows = -(-len(tokens) // columns)
    fig, (axes,) = figure(height=min(3.5, 0.6 + 0.27 * rows), title=title)
    call = np.repeat(np.arange(len(lengths)), lengths)[: len(tokens)]
    for number, token in enumerate(tokens):
        row, column = divmod(number, columns)
        band = int(call[number])
        axes.add_patch(Rectangle((column, -row), 1.0, 0.86, fc=TINTS[(0, 4)[band % 2]], ec="none"))
        if number == 0 or call[number - 1] != band:
            axes.plot([column, column], [-row, -row + 0.86], color=COLOURS[1], lw=2)
        axes.text(column + 0.5, -row + 0.43, visible(token), ha="center", va="center", fontsize=7)
    axes.set(xlim=(-0.1, columns), ylim=(-rows + 0.9, 1.0))
    axes.axis("off")
    return fig


def predicted(
    names: Sequence[str], measured: Sequence[float], model: Sequence[float], labels: tuple[str, str], title: str
) -> Figure:
    """Draw measured and predicted values side by side, with the error of the prediction over each pair."""
    fig, (axes,) = figure(height=2.9, title=title)
    at = np.arange(len(names), dtype=float)
    axes.bar(at - 0.2, measured, 0.38, color=COLOURS[0], label="published")
    axes.bar(at + 0.2, model, 0.38, color=COLOURS[1], hatch="///", ec="white", lw=0.5, label="our model")
    for x, real, ours in zip(at, measured, model, strict=True):
        axes.text(x, max(real, ours) + 2, f"{ours / real - 1:+.0%}", ha="center", va="bottom", fontsize=8)
    axes.set_xticks(at, names, fontsize=7.5)
    axes.set(xlabel=labels[0], ylabel=labels[1], ylim=(0, 1.35 * max(*measured, *model)))
    axes.grid(False, axis="x")
    axes.legend(loc="upper center", ncols=2)
    return fig


def shares(parts: Mapping[str, Sequence[float]], names: Sequence[str], title: str, xlabel: str) -> Figure:
    """Draw for each name a bar that is divided among parts, which add up to 100 %."""
    fig, (axes,) = figure(height=min(3.5, 1.3 + 0.25 * len(names)), title=title)
    left = np.zeros(len(names))
    for number, (part, values) in enumerate(parts.items()):
        widths = 100 * np.asarray(values, dtype=float)
        axes.barh(
            range(len(names)),
            widths,
            0.7,
            left=left,
            color=COLOURS[number],
            hatch=("", "///", "..", "xx")[number % 4],
            ec="white",
            lw=0.5,
            label=part,
        )
        left += widths
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set(xlabel=xlabel, xlim=(0, 100))
    axes.grid(False, axis="y")
    fig.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=len(parts))
    return fig
