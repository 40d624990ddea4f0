"""Figures of chapter 00: texts of every model, words as numbers, lookup, softmax, going downhill, the family."""

import itertools
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, SHARES, SIGNED, TINTS, figure

_HATCHES = ("", "///", "...", "xxx")


def _caption(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", fontsize=9)


def _cells(
    axes: Axes,
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    number: str = "g",
    scale: np.ndarray | None = None,
) -> None:
    """Draw a matrix as a grid of numbers, darker where larger (than in `scale`); its rows and columns carry names."""
    scale = values if scale is None else scale
    axes.imshow(values, cmap=SHARES, vmin=min(0.0, scale.min()), vmax=3 * scale.max(), aspect="auto")
    _numbers(axes, values, rows, columns, number)


def _signed_cells(axes: Axes, values: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Draw a matrix as a grid of numbers: blue below 0, white at 0, orange above."""
    axes.imshow(values, cmap=SIGNED, vmin=-1.6, vmax=1.6, aspect="auto")
    _numbers(axes, values, rows, columns, "g")


def _numbers(axes: Axes, values: np.ndarray, rows: Sequence[str], columns: Sequence[str], number: str) -> None:
    for (row, column), value in np.ndenumerate(values):
        axes.text(column, row, format(value, number), ha="center", va="center", fontsize=9)
    axes.set_xticks(range(len(columns)), columns, fontsize=8)
    axes.set_yticks(range(len(rows)), rows, fontsize=8)
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)


def _bars(axes: Axes, names: Sequence[str], values: np.ndarray, *, number: str, colour: str) -> None:
    """Draw one horizontal bar a name, top to bottom, with its value at its end."""
    rows = np.arange(len(names))
    axes.barh(rows, values, color=colour, height=0.62)
    for row, value in zip(rows, values, strict=True):
        axes.annotate(
            format(value, number), (max(value, 0), row), (4, 0), textcoords="offset points", va="center", fontsize=9
        )
    axes.set_yticks(rows, names, fontsize=9)
    axes.invert_yaxis()
    axes.margins(x=0.22)
    axes.grid(False, axis="y")


def continuations(prompt: str, texts: Mapping[str, str], title: str, *, one_model: bool = False) -> Figure:
    """Draw what each model wrote after the same prompt, one box a model, from the first to the last.

    Args:
        prompt: the words that each model was given.
        texts: by model, what it wrote; a line break is drawn as the sign of the return key.
        title: the finding.
        one_model: the boxes are one model, better and better trained: one colour, from pale to full.
    """
    wrapped = {
        name: textwrap.wrap(
            " ".join(text.replace("\n", " \N{RETURN SYMBOL} ").split()), 82, max_lines=2, placeholder=" ..."
        )
        for name, text in texts.items()
    }
    heights = [1.15 + 0.85 * len(lines) for lines in wrapped.values()]
    fig, (axes,) = figure(height=3.5, title=title)
    top = 0.0
    axes.text(0.0, top, f"{prompt} ...", fontsize=9, fontweight="bold", va="center")
    top += 0.8
    for index, ((name, lines), height) in enumerate(zip(wrapped.items(), heights, strict=True)):
        colour = 0 if one_model else index % 6
        fill: Any = (COLOURS[0], 0.22 * index / (len(texts) - 1)) if one_model else TINTS[colour]
        axes.add_patch(Rectangle((0, top), 1, height - 0.25, fc=fill, ec=COLOURS[colour], lw=0.8))
        axes.text(0.012, top + 0.5, name, fontsize=7.5, color=GREY, va="center")
        for row, line in enumerate(lines):
            axes.text(0.012, top + 1.25 + 0.8 * row, line, fontsize=8, family="DejaVu Sans Mono", va="center")
        top += height
    axes.set(xlim=(0, 1), ylim=(top, -0.5))
    axes.axis("off")
    return fig


def tables(panels: Mapping[str, np.ndarray], rows: Sequence[str], columns: Sequence[str], title: str) -> Figure:
    """Draw tables of the same size side by side, such as probabilities that were learned and counted."""
    fig, axes = figure(columns=len(panels), height=2.3, title=title)
    for panel, (name, values) in zip(axes, panels.items(), strict=True):
        _cells(panel, values, rows, columns, number=".2f")
        _caption(panel, name)
    return fig


def computation_graph(
    values: Sequence[tuple[str, float]], operations: Sequence[str], slopes: Sequence[float], title: str
) -> Figure:
    """Draw a chain of operations: values from left to right above, slopes of the loss from right to left below.

    Args:
        values: (name, value) of each node.
        operations: between two nodes, one less than the values.
        slopes: of the last node with respect to each node.
        title: the finding.
    """
    fig, (axes,) = figure(height=1.9, title=title)
    for index, ((name, value), slope) in enumerate(zip(values, slopes, strict=True)):
        box: dict[str, Any] = {"boxstyle": "round,pad=0.45", "fc": TINTS[0], "ec": COLOURS[0]}
        axes.text(index, 0, f"{name}\n{value:g}", ha="center", va="center", fontsize=9, bbox=box)
        axes.text(index, -0.95, f"{slope:g}", ha="center", va="center", fontsize=10, color=COLOURS[1])
    for index, operation in enumerate(operations):
        forward: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS[0], "lw": 1.3}
        back: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS[1], "lw": 1.3}
        axes.annotate("", (index + 0.68, 0), (index + 0.32, 0), arrowprops=forward)
        axes.text(index + 0.5, 0.3, operation, ha="center", va="center", fontsize=9)
        axes.annotate("", (index + 0.2, -0.95), (index + 0.8, -0.95), arrowprops=back)
        factor = slopes[index] / slopes[index + 1]
        axes.text(index + 0.5, -0.7, f"times {factor:g}", ha="center", va="center", fontsize=8, color=COLOURS[1])
    axes.text(-0.75, 0, "values", ha="center", va="center", fontsize=9, color=COLOURS[0])
    axes.text(-0.75, -0.95, "slopes", ha="center", va="center", fontsize=9, color=COLOURS[1])
    axes.set(xlim=(-1.1, len(values) - 0.5), ylim=(-1.25, 0.6))
    axes.axis("off")
    return fig


def walk(points: Sequence[float], title: str) -> Figure:
    """Draw the steps of gradient descent on the curve (2w - 6) squared."""
    fig, (axes,) = figure(height=2.7, title=title)
    w = np.linspace(-3, 9, 200)
    axes.plot(w, (2 * w - 6) ** 2, color=FAINT, lw=2)
    seen = np.clip(np.asarray(points, dtype=float), -3, 9)  # what leaves the picture stays at its border
    axes.plot(seen, (2 * seen - 6) ** 2, "-", color=COLOURS[0], lw=0.8, alpha=0.6)
    axes.plot(seen, (2 * seen - 6) ** 2, MARKERS[0], color=COLOURS[0], markersize=5)
    axes.plot(seen[0], (2 * seen[0] - 6) ** 2, MARKERS[1], color=COLOURS[1], markersize=8)
    axes.annotate("start", (seen[0], (2 * seen[0] - 6) ** 2), (-8, -4), textcoords="offset points", ha="right")
    axes.set(xlabel="w (no unit)", ylabel="loss (no unit)", xlim=(-3.2, 9.2), ylim=(-6, 150))
    return fig


def learning(steps: Sequence[int], losses: Sequence[float], goal: float, name: str, title: str) -> Figure:
    """Draw a training loss, and the loss that it cannot go below."""
    fig, (axes,) = figure(height=2.4, title=title)
    axes.plot(steps, losses, color=COLOURS[0])
    axes.axhline(goal, color="black", lw=0.9, ls="--")
    axes.annotate(name, (steps[-1], goal), (0, 5), textcoords="offset points", ha="right", fontsize=8)
    axes.set(xlabel="step", ylabel="loss (nats)", ylim=(0.92 * goal if goal > 1 else 0, None))
    return fig


def next_word(
    vocabulary: Sequence[str], scores: np.ndarray, probs: np.ndarray, title: str, *, fixed: bool = False
) -> Figure:
    """Draw a score for every word, and beside it the probability it becomes; `fixed`: on one axis for a slider."""
    fig, (left, right) = figure(columns=2, height=2.2, title=title)
    _bars(left, vocabulary, scores, number=".1f", colour=COLOURS[7])
    _bars(right, vocabulary, probs * 100, number=".0f", colour=COLOURS[0])
    _caption(left, "what a model computes")
    _caption(right, "what it says about the next word")
    left.set_xlabel("score (no unit)")
    right.set_xlabel("probability (%)")
    if fixed:
        left.set_xlim(-4, 6)
        right.set_xlim(0, 119)
    return fig


def dot_product(a: np.ndarray, b: np.ndarray, title: str) -> Figure:
    """Draw two vectors of the plane, the angle between them, and the projection of `b` on `a`."""
    fig, (axes,) = figure(width=5.0, height=3.2, title=title)
    projection = (a @ b) / (a @ a) * a
    for vector, name, colour in ((a, "a", COLOURS[0]), (b, "b", COLOURS[1])):
        arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": colour, "lw": 2.0, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", tuple(vector), (0, 0), arrowprops=arrow)
        label = f"{name} = ({vector[0]:g}, {vector[1]:g})"
        axes.annotate(label, tuple(vector), (6, 4), textcoords="offset points", fontsize=9, color=colour)
    axes.plot(*np.stack([b, projection]).T, ":", color=GREY, lw=1.2)
    broad: dict[str, Any] = {"lw": 6, "alpha": 0.5, "zorder": 0, "solid_capstyle": "butt"}
    axes.plot(*np.stack([np.zeros(2), projection]).T, color=COLOURS[4], **broad)
    axes.annotate(
        f"projection of b on a: length {np.linalg.norm(projection):.2f}",
        projection / 2,
        (10, -16),
        textcoords="offset points",
        fontsize=9,
        color=GREY,
    )
    turn = np.linspace(np.arctan2(a[1], a[0]), np.arctan2(b[1], b[0]), 40)
    axes.plot(0.55 * np.cos(turn), 0.55 * np.sin(turn), color=GREY, lw=1)
    middle = turn[len(turn) // 2]
    degrees = np.degrees(abs(turn[-1] - turn[0]))
    axes.text(0.66 * np.cos(middle), 0.66 * np.sin(middle) + 0.06, f"{degrees:.0f} degrees", fontsize=8, va="bottom")
    axes.set(xlabel="first component", ylabel="second component", xlim=(-0.2, 4.2), ylim=(-0.3, 2.5))
    axes.set_aspect("equal")
    return fig


def lookup(
    one_hot: np.ndarray, table: np.ndarray, words: Sequence[str], vocabulary: Sequence[str], title: str
) -> Figure:
    """Draw one-hot rows, a table, and their product: the rows of the table that the ones pick."""
    fig, axes = figure(columns=3, height=2.4, title=title)
    _cells(axes[0], one_hot, words, vocabulary)
    _cells(axes[1], table, vocabulary, vocabulary, number=".1f")
    _cells(axes[2], one_hot @ table, words, vocabulary, number=".1f", scale=table)
    for panel, text in zip(axes, ("one-hot rows, 3 x 4", "@  table, 4 x 4", "=  rows of it, 3 x 4"), strict=True):
        _caption(panel, text)
        panel.tick_params(axis="x", labelsize=7)
    return fig


def gradient_rows(
    one_hot: np.ndarray, gradients: np.ndarray, pairs: Sequence[str], vocabulary: Sequence[str], title: str
) -> Figure:
    """Draw X transposed, P - Y and their product: each pair's gradient is added to the row that was looked up."""
    fig, axes = figure(columns=3, height=2.4, title=title)
    _cells(axes[0], one_hot.T, vocabulary, pairs)
    _signed_cells(axes[1], gradients, pairs, vocabulary)
    _signed_cells(axes[2], one_hot.T @ gradients, vocabulary, vocabulary)
    count, size = one_hot.shape
    shapes = (f"X transposed, {size} x {count}", f"@  P - Y, {count} x {size}", f"=  their sums, {size} x {size}")
    for panel, text in zip(axes, shapes, strict=True):
        _caption(panel, text)
        panel.tick_params(axis="x", labelsize=7)
    axes[0].tick_params(axis="x", labelsize=6.5)
    return fig


def valley(curvature: float, paths: Mapping[str, np.ndarray], title: str) -> Figure:
    """Draw the paths (steps, 2) of several optimisers over (x^2 + curvature y^2) / 2, seen from above."""
    fig, (axes,) = figure(height=2.7, title=title)
    top = 1.15 * max(np.abs(path[:, 1]).max() for path in paths.values())
    left, right = 1.1 * min(path[:, 0].min() for path in paths.values()), 1.0
    x, y = np.meshgrid(np.linspace(left, right, 121), np.linspace(-top, top, 121))
    levels = np.geomspace(0.5, 0.5 * curvature * top**2, 6)
    axes.contour(x, y, 0.5 * (x**2 + curvature * y**2), levels=levels, colors=FAINT, linewidths=0.7)
    for index, (name, path) in enumerate(paths.items()):
        style: dict[str, Any] = {"color": COLOURS[index], "lw": 1.1, "marker": MARKERS[index], "markersize": 3.5}
        axes.plot(path[:, 0], path[:, 1], label=name, **style)
    axes.plot(0, 0, "*", color="black", markersize=11, zorder=4)
    arrow: dict[str, Any] = {"arrowstyle": "-", "lw": 0.7}
    axes.annotate("lowest point", (0, 0), (0.1, -0.9 * top), fontsize=8, ha="center", arrowprops=arrow)
    axes.set(xlabel="x (no unit)", ylabel="y (no unit)", xlim=(left, right), ylim=(-top, top))
    axes.grid(False)
    fig.legend(loc="outside right center")
    return fig


# The years are squeezed where little happened: years and their positions on the axis, straight lines between.
_YEARS = (1910, 2000, 2012, 2017, 2025)
_POSITIONS = (0.0, 1.3, 1.8, 3.8, 10.0)


def _position(year: float) -> float:
    return float(np.interp(year, _YEARS, _POSITIONS))


#: Name, date in years with a fraction, lane.
FAMILY = [
    ("n-gram", 1913, "count tables"),
    ("Kneser-Ney", 1995, "count tables"),
    ("neural n-gram", 2000, "word vectors"),
    ("word2vec", 2013, "word vectors"),
    ("LSTM", 1997, "recurrent"),
    ("seq2seq", 2014, "recurrent"),
    ("attention", 2015, "recurrent"),
    ("ULMFiT, ELMo", 2018.1, "recurrent"),  # January and February
    ("transformer", 2017, "transformers"),
    ("GPT", 2018.4, "transformers"),  # June
    ("BERT", 2018.8, "transformers"),  # October
    ("GPT-3", 2020, "transformers"),
    ("mixtures", 2021, "transformers"),  # Switch
    ("open models", 2023.1, "transformers"),  # LLaMA, February
    ("FLAN", 2021.7, "tuned transformers"),  # September
    ("InstructGPT", 2022.2, "tuned transformers"),  # March
    ("DPO", 2023.4, "tuned transformers"),  # May
    ("reasoning", 2024.7, "tuned transformers"),  # o1, September
    ("CNN", 1989, "images"),
    ("ViT", 2020.8, "images"),  # October
]
#: Who builds on whom.
CHAINS = [
    "n-gram > Kneser-Ney",
    "n-gram > neural n-gram > word2vec > ULMFiT, ELMo > GPT > GPT-3 > InstructGPT > DPO",
    "LSTM > seq2seq > attention > transformer > GPT > BERT",
    "LSTM > ULMFiT, ELMo",
    "transformer > mixtures",
    "GPT-3 > open models",
    "GPT-3 > FLAN",
    "InstructGPT > reasoning",
    "CNN > ViT",
    "transformer > ViT",
]
#: Where a label stands that would meet another one or an arrow, and who stands above the middle of a lane.
LABELS = {"LSTM": "below", "seq2seq": "below", "FLAN": "below", "transformer": "left", "GPT": "above right"}
LABELS |= {"BERT": "right", "reasoning": "right", "InstructGPT": "below right", "ViT": "right"}
LABELS |= {"neural n-gram": "below left", "ULMFiT, ELMo": "right", "DPO": "right", "mixtures": "right"}
SHIFTED = {"ULMFiT, ELMo": 0.3, "BERT": -0.45, "DPO": 0.25, "mixtures": -0.4}


def family(title: str) -> Figure:
    """Draw the family of language models: dates, lanes, and an arrow from a model to one that builds on it."""
    fig, (axes,) = figure(height=3.5, title=title)
    lanes = list(dict.fromkeys(lane for _, _, lane in FAMILY))
    spots = {name: (_position(date), SHIFTED.get(name, 0.0) - float(lanes.index(lane))) for name, date, lane in FAMILY}
    for start, end in (link for chain in CHAINS for link in itertools.pairwise(chain.split(" > "))):
        arrow: dict[str, Any] = {
            "arrowstyle": "-|>",
            "color": EDGE,
            "lw": 0.9,
            "shrinkA": 4,
            "shrinkB": 5,
            "mutation_scale": 7,
        }
        axes.annotate("", spots[end], spots[start], arrowprops=arrow, zorder=1)
    box: dict[str, Any] = {"boxstyle": "square,pad=0.05", "fc": "white", "ec": "none", "alpha": 0.75}
    for name, date, lane in FAMILY:
        row = lanes.index(lane)
        axes.plot(*spots[name], MARKERS[row], color=COLOURS[row], markersize=6, zorder=3)
        where = LABELS.get(name, "above").split()
        x, ha = (-6, "right") if "left" in where else (6, "left") if "right" in where else (0, "center")
        y, va = (-6, "top") if "below" in where else (6, "bottom") if "above" in where else (0, "center")
        text: dict[str, Any] = {"ha": ha, "va": va, "fontsize": 7, "textcoords": "offset points", "zorder": 4}
        axes.annotate(f"{name}\n{int(date)}", spots[name], (x, y), bbox=box, linespacing=0.95, **text)
    axes.set_yticks([-float(row) for row in range(len(lanes))], lanes, fontsize=8)
    ticks = (1913, 2000, 2014, *range(2017, 2026))
    axes.set_xticks([_position(year) for year in ticks], [str(year) for year in ticks], fontsize=8)
    axes.set(xlim=(-0.5, 10.3), ylim=(0.4 - len(lanes), 0.6), xlabel="year (the axis is squeezed before 2017)")
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    return fig
