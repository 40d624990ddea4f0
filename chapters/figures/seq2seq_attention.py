"""Figures of chapter 04: encoder and decoder, alignments, accuracy against length, search trees."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, SHARES, TINTS, colours, figure

_SHOWN = 0.03  # weights below this have no line
_BOXED = 20  # tokens of a longer row, such as letters, have no boxes


def encoder_decoder(
    source: Sequence[str], target: Sequence[str], title: str, *, weights: Sequence[float] | None = None
) -> Figure:
    """Draw the unrolled encoder and decoder with the shapes of what passes between them.

    Args:
        source, target: S tokens to read and T tokens to write.
        title: the finding.
        weights: of the attention at the decoder's first step, S of them; None draws the model without attention.
    """
    fig, (axes,) = figure(height=2.7 if weights is None else 3.3, title=title)
    memory = [0.45 + 1.05 * s for s in range(len(source))]
    states = [memory[-1] + 1.8 + 1.05 * t for t in range(len(target))]
    top = 2.15 if weights is None else 2.95
    for x, token in zip([*memory, *states], [*source, "<s>", *target[:-1]], strict=True):
        axes.text(x, 0.0, token, ha="center", va="center", fontsize=9)
        _arrow(axes, (x, 0.2), (x, 0.62))
    for x in memory:
        _box(axes, x, 0.85, "encoder", TINTS[0])
    for left, right in pairwise(memory):
        _arrow(axes, (left + 0.37, 0.92), (right - 0.37, 0.92))
        _arrow(axes, (right - 0.37, 0.78), (left + 0.37, 0.78))
    for t, (x, token) in enumerate(zip(states, target, strict=True), start=1):
        _box(axes, x, 0.85, "decoder", TINTS[2])
        _arrow(axes, (x, 1.08), (x, 1.32))
        _box(axes, x, 1.5, f"s{t}", TINTS[2])
        _arrow(axes, (x, 1.7), (x, top - 0.2))
        axes.text(x, top, token, ha="center", va="center", fontsize=9)
    for left, right in pairwise(states):
        _arrow(axes, (left + 0.37, 0.85), (right - 0.37, 0.85))
    bottleneck: dict[str, Any] = {"color": COLOURS[1], "lw": 2.5} if weights is None else {}
    _frame(axes, (memory[0] - 0.45, 0.63), (memory[-1] + 0.45, 1.07), bottleneck.get("color", GREY))
    _arrow(axes, (memory[-1] + 0.45, 0.85), (states[0] - 0.37, 0.85), **bottleneck)
    words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "color": GREY}
    middle, colour = (memory[-1] + states[0]) / 2, bottleneck.get("color", GREY)
    axes.text(middle, 0.6, "last state\n(B, H)", **(words | {"color": colour}))
    axes.text((memory[0] + memory[-1]) / 2, -0.33, "source (B, S)", **words)
    axes.text((states[0] + states[-1]) / 2, -0.33, "target so far (B, T)", **words)
    axes.text((states[0] + states[-1]) / 2, top + 0.33, "logits of the next token (B, T, V)", **words)
    if weights is not None:
        axes.text(memory[0] + 0.2, 2.1, "memory\n(B, S, H)", **words)
        _draw_context(axes, memory, states[0], weights)
    axes.set(xlim=(-0.1, states[-1] + 0.6), ylim=(-0.5, top + 0.5))
    axes.axis("off")
    return fig


def _draw_context(axes: Axes, memory: Sequence[float], state: float, weights: Sequence[float]) -> None:
    """Draw the states of the encoder, the weights that one state of the decoder gives them, and their average."""
    y, above, middle = 1.5, 2.3, (memory[-1] + state) / 2
    for s, (x, weight) in enumerate(zip(memory, weights, strict=True), start=1):
        _arrow(axes, (x, 1.08), (x, 1.32))
        axes.plot([x, middle], [y, above], color=COLOURS[0], lw=0.5 + 4 * weight, alpha=0.7, zorder=1)
        _box(axes, x, y, f"h{s}", TINTS[0])
        axes.text(x + 0.2, y, f"{weight:.2f}", ha="left", va="center", fontsize=8, color=COLOURS[0])
    _box(axes, middle, above, "context", TINTS[5])
    _arrow(axes, (middle + 0.38, above), (state - 0.38, above), color=COLOURS[0])
    _box(axes, state, above, "combine", TINTS[4])
    _frame(axes, (memory[0] - 0.3, y - 0.24), (memory[-1] + 0.62, y + 0.24), GREY)
    _arrow(axes, (state - 0.2, y), (memory[-1] + 0.62, y), color=COLOURS[1], ls="--")
    axes.text((state + middle) / 2, y - 0.17, "query", ha="center", va="center", fontsize=8, color=COLOURS[1])


def _box(axes: Axes, x: float, y: float, text: str, fill: str) -> None:
    box = {"boxstyle": "round,pad=0.3", "fc": fill, "ec": EDGE}
    axes.text(x, y, text, ha="center", va="center", fontsize=8.5, bbox=box, zorder=3)


def _frame(axes: Axes, low: tuple[float, float], high: tuple[float, float], colour: str) -> None:
    """Draw a dashed frame, from its lower left corner to its upper right one."""
    (left, bottom), (right, top) = low, high
    axes.plot(
        [left, right, right, left, left], [bottom, bottom, top, top, bottom], color=colour, ls=":", lw=1, zorder=1
    )


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], **options: Any) -> None:
    style: dict[str, Any] = {
        "arrowstyle": "-|>",
        "mutation_scale": 8,
        "lw": 1.0,
        "color": GREY,
        "shrinkA": 0,
        "shrinkB": 0,
    }
    axes.add_patch(FancyArrowPatch(start, end, **(style | options)))


def alignment_lines(source: Sequence[str], target: Sequence[str], weights: np.ndarray, title: str) -> Figure:
    """Draw the source above the target, and from each target token a line to each source token, wider for more weight.

    Args:
        source, target: S and T tokens.
        weights: of the attention, (T, S).
        title: the finding.
    """
    thickest = 5 if len(source) <= _BOXED else 2.5
    letters = max(sum(map(len, row)) + 2 * len(row) for row in (source, target))
    size = 9.5 if letters <= 60 else 7.5
    fig, (axes,) = figure(height=1.9, title=title)
    positions = [_spread(axes, tokens, y, size) for tokens, y in ((source, 1.0), (target, 0.0))]
    for t, row in enumerate(np.asarray(weights)):
        for s, weight in enumerate(row):
            if weight >= _SHOWN:
                ends = [positions[0][s], positions[1][t]]
                axes.plot(ends, [0.82, 0.18], color=COLOURS[0], lw=0.3 + thickest * weight, alpha=0.2 + 0.6 * weight)
    axes.set(xlim=(0, 1), ylim=(-0.25, 1.25))
    axes.axis("off")
    return fig


def _spread(axes: Axes, tokens: Sequence[str], y: float, size: float) -> list[float]:
    """Write tokens in a row from 0 to 1, each with room for its letters; return where their middles are."""
    rooms = np.array([len(token) + 2.0 for token in tokens])
    xs = (np.cumsum(rooms) - rooms / 2) / rooms.sum()
    box = {"boxstyle": "round,pad=0.25", "fc": TINTS[0], "ec": EDGE} if len(tokens) <= _BOXED else None
    for x, token in zip(xs, tokens, strict=True):
        axes.text(x, y, token, ha="center", va="center", fontsize=size, bbox=box, zorder=3)
    return xs.tolist()


def accuracy_lines(
    lines: Mapping[str, Mapping[int, float]],
    title: str,
    *,
    xlabel: str,
    ylabel: str = "exactly right (%)",
    trained_to: float | None = None,
    one_model: bool = False,
) -> Figure:
    """Draw a share of right answers (in %) against a length or a position, one line a model.

    `trained_to` draws a line after the longest length that was learned from. With `one_model`, all lines are of the
    LSTM alone: they have its colour, and are solid and dashed.
    """
    fig, (axes,) = figure(height=2.9)
    of_lines = [COLOURS[1]] * len(lines) if one_model else colours(list(lines))
    for index, ((name, values), colour) in enumerate(zip(lines.items(), of_lines, strict=True)):
        style: dict[str, Any] = {"marker": MARKERS[index], "ls": "--" if one_model and index else "-", "color": colour}
        axes.plot(list(values), 100 * np.array(list(values.values())), label=name, **style)
    _percent(axes, ylabel)
    if trained_to is not None:
        axes.axvline(trained_to, color=COLOURS[7], ls="--", lw=1)
        axes.text(trained_to, 50, " longer than any\n seen in training", fontsize=8, va="center")
    axes.set(xlabel=xlabel, title=title)
    axes.set_xticks(sorted({length for values in lines.values() for length in values}))
    axes.legend()
    return fig


def alignment_maps(maps: Sequence[tuple[str, np.ndarray, Sequence[str], Sequence[str]]], title: str) -> Figure:
    """Draw attention maps side by side: a row for each target word to come (the query), a column for each source word.

    Args:
        maps: (name, weights (T, S), target words, source words) for each; an empty name draws no heading.
        title: of the whole figure.
    """
    fig, all_axes = figure(columns=len(maps), height=3.4 if len(maps) == 1 else 2.9, title=title)
    picture: Any = None
    for axes, (name, weights, target, source) in zip(all_axes, maps, strict=True):
        picture = axes.imshow(weights, cmap=SHARES, vmin=0, vmax=1, aspect="auto")
        size = 8 if max(len(source), len(target)) <= 14 else 7
        axes.set_xticks(range(len(source)), source, rotation=60, ha="right", rotation_mode="anchor", fontsize=size)
        axes.set_yticks(range(len(target)), target, fontsize=size)
        axes.grid(False)
        axes.set_title(name, fontsize=9)
    all_axes[0].set_ylabel("word of the translation")
    for axes in all_axes:
        axes.set_xlabel("source word")
    fig.colorbar(picture, ax=all_axes, shrink=0.8, label="weight")
    return fig


def weighted_average(vectors: np.ndarray, weights: Sequence[float], context: Sequence[float], title: str) -> Figure:
    """Draw vectors of two numbers as points, as large as their weight, and their weighted average."""
    fig, (axes,) = figure(width=5.2, height=2.8)
    for number, ((x, y), weight) in enumerate(zip(vectors, weights, strict=True), start=1):
        axes.plot([x, context[0]], [y, context[1]], color=FAINT, lw=0.8, zorder=1)
        axes.scatter([x], [y], s=1000 * weight, color=COLOURS[0], zorder=2)
        away = 1 if y > context[1] else -1  # the label stands on the side without a line
        words: dict[str, Any] = {"ha": "center", "va": "bottom" if away > 0 else "top", "fontsize": 8, "zorder": 4}
        offset = (0, away * (4 + np.sqrt(1000 * weight / np.pi)))
        axes.annotate(f"h{number}: {weight:.2f}", (x, y), offset, textcoords="offset points", **words)
    axes.scatter([context[0]], [context[1]], marker="X", s=90, color=COLOURS[1], zorder=3)
    axes.annotate(
        "context", (context[0], context[1]), (10, 3), textcoords="offset points", fontsize=9, color=COLOURS[1]
    )
    axes.set(xlabel="first number", ylabel="second number", title=title)
    axes.margins(0.2, 0.3)
    return fig


def by_step(
    panels: Mapping[str, Mapping[int, Sequence[tuple[int, float]]]], title: str, *, label: str = "{} numbers"
) -> Figure:
    """Draw exact answers (in %) against the training step; a panel for each model, a line for each size."""
    fig, all_axes = figure(columns=len(panels), height=2.8, sharey=True, title=title)
    shades = colormaps["Purples"]  # no colour of a model
    for axes, (name, lines) in zip(all_axes, panels.items(), strict=True):
        for index, (size, values) in enumerate(lines.items()):
            steps, scores = zip(*values, strict=True)
            text = label.format(size) if size != 1 else label.format(size).rstrip("s")
            colour = shades(0.35 + 0.65 * index / max(1, len(lines) - 1))  # darker for more
            axes.plot(steps, 100 * np.array(scores), marker=MARKERS[index], color=colour, label=text)
        _percent(axes, name="")
        axes.set_title(name, fontsize=9)
        axes.set_xlabel("training step")
    all_axes[0].set_ylabel("exactly right (%)")
    all_axes[-1].legend(fontsize=7.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return fig


def bars(groups: Mapping[str, Mapping[str, Sequence[float]]], title: str, *, xlabel: str) -> Figure:
    """Draw horizontal bars (in %), one for the mean of the seeds of each entry, with a dot for each seed.

    Args:
        groups: group -> entry -> the seeds' values, 0 to 1; groups have colours of their own.
        title, xlabel: the words.
    """
    entries = [(group, name, values) for group, rows in groups.items() for name, values in rows.items()]
    fig, (axes,) = figure(height=min(3.5, 1.0 + 0.27 * len(entries)))
    colour_of = dict(zip(groups, colours(list(groups)), strict=True))
    for index, (group, _, values) in enumerate(entries):
        first = next(i for i, entry in enumerate(entries) if entry[0] == group) == index
        label = group if first and len(groups) > 1 else None
        axes.barh(index, 100 * float(np.mean(values)), color=colour_of[group], alpha=0.65, label=label)
        axes.plot(100 * np.asarray(values), [index] * len(values), "o", color="black", ms=3)
    axes.set_yticks(range(len(entries)), [name for _, name, _ in entries])
    axes.invert_yaxis()
    axes.set(xlabel=xlabel, xlim=(0, 103), title=title)
    axes.grid(axis="y", visible=False)
    if len(groups) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return fig


def search_tree(
    probs: Mapping[tuple[str, ...], float], kept: Collection[tuple[str, ...]], best: tuple[str, ...], title: str
) -> Figure:
    """Draw what a search tried: a node for each beginning of a sentence, with its probability.

    Args:
        probs: beginning -> its probability; each beginning of a beginning is there too, but for the empty one.
        kept: the beginnings that the search went on with; the others are drawn pale.
        best: the sentence that it found.
        title: the finding.
    """
    fig, (axes,) = figure(height=2.9, title=title)
    heights: dict[tuple[str, ...], float] = {}
    leaves = 0

    def place(node: tuple[str, ...]) -> float:
        nonlocal leaves
        children = [place(longer) for longer in probs if longer[:-1] == node]
        leaves += not children
        heights[node] = float(np.mean(children)) if children else float(leaves)
        return heights[node]

    def text_of(node: tuple[str, ...]) -> str:
        return f"{node[-1]}  {probs[node]:.2f}" if node else "<s>"

    def half_width(text: str) -> float:
        return 0.05 + 0.025 * len(text)  # of a box, in the units of the axes

    place(())
    for node, height in heights.items():
        on_best, is_kept = best[: len(node)] == node, node in kept or not node
        colour = COLOURS[1] if on_best else COLOURS[0] if is_kept else FAINT
        text = text_of(node)
        if node:
            start = len(node) - 1 + half_width(text_of(node[:-1]))
            _arrow(axes, (start, heights[node[:-1]]), (len(node) - half_width(text), height), color=colour)
        box = {"boxstyle": "round,pad=0.3", "fc": "white", "ec": colour, "lw": 2 if on_best else 1}
        words = "black" if is_kept else GREY
        axes.text(len(node), height, text, ha="center", va="center", fontsize=8.5, bbox=box, color=words)
    axes.set(xlim=(-0.4, max(map(len, probs)) + 0.4), ylim=(leaves + 0.6, 0.4))
    axes.axis("off")
    return fig


def _percent(axes: Axes, name: str = "exactly right (%)") -> None:
    axes.set(ylim=(-4, 104), ylabel=name)
