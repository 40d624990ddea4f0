"""Figures of chapter 04: crossings, accuracy against length, alignment maps, exposure bias, schedules."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lmcourse.plots.style import COLOURS, FAINT, GREY, MARKERS, TINTS, figure


def crossing(source: Sequence[str], target: Sequence[str], links: Sequence[tuple[int, int]], title: str) -> Figure:
    """Draw two sentences in two rows and a line for each link (place in source, place in target)."""
    fig, (axes,) = figure(height=1.7)
    width = max(len(source), len(target))
    box = {"boxstyle": "round,pad=0.3", "fc": TINTS[0], "ec": COLOURS[0]}
    places = []
    for words, y in ((source, 1.0), (target, 0.0)):
        xs = [(i + 0.5) * width / len(words) for i in range(len(words))]
        places.append(xs)
        for x, word in zip(xs, words, strict=True):
            axes.text(x, y, word, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
    for here, there in links:
        crosses = any((here - a) * (there - b) < 0 for a, b in links)
        colour, width_of_line = (COLOURS[1], 2.0) if crosses else (GREY, 1.2)
        axes.plot([places[0][here], places[1][there]], [0.82, 0.18], color=colour, lw=width_of_line)
    axes.set(xlim=(0, width), ylim=(-0.35, 1.35), title=title)
    axes.axis("off")
    return fig


def accuracy_lines(
    lines: Mapping[str, Mapping[int, float]],
    title: str,
    *,
    xlabel: str,
    ylabel: str = "exactly right (%)",
    trained_to: float | None = None,
) -> Figure:
    """Draw a share of right answers (in %) against a length or a place, one line a model.

    `trained_to` draws a line after the longest length that was learned from.
    """
    fig, (axes,) = figure(height=2.9)
    for place, (name, values) in enumerate(lines.items()):
        shares = 100 * np.array(list(values.values()))
        axes.plot(list(values), shares, marker=MARKERS[place], color=COLOURS[place], label=name)
    _percent(axes, ylabel)
    if trained_to is not None:
        axes.axvline(trained_to, color=COLOURS[7], ls="--", lw=1)
        axes.text(trained_to, 50, " longer than any\n seen in training", fontsize=8, va="center")
    axes.set(xlabel=xlabel, title=title)
    axes.set_xticks(sorted({length for values in lines.values() for length in values}))
    axes.legend()
    return fig


def loss_curves(curves: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw smoothed training losses (nats a word, logarithmic) against the step."""
    fig, (axes,) = figure(height=2.6)
    for place, (name, values) in enumerate(curves.items()):
        axes.semilogy(np.arange(1, len(values) + 1), values, color=COLOURS[place], label=name)
    axes.set(xlabel="training step", ylabel="loss (nats a word)", title=title)
    axes.legend()
    return fig


def alignment_maps(maps: Sequence[tuple[str, np.ndarray, Sequence[str], Sequence[str]]], title: str) -> Figure:
    """Draw attention maps side by side: a row for each target word to come (the query), a column for each source word.

    Args:
        maps: (name, weights (T, S), target words, source words) for each; an empty name draws no heading.
        title: of the whole figure.
    """
    fig, all_axes = figure(columns=len(maps), height=3.4 if len(maps) == 1 else 2.9)
    picture: Any = None
    for axes, (name, weights, target, source) in zip(all_axes, maps, strict=True):
        picture = axes.imshow(weights, vmin=0, vmax=1, aspect="auto")
        size = 8 if max(len(source), len(target)) <= 14 else 7
        axes.set_xticks(range(len(source)), source, rotation=60, ha="right", rotation_mode="anchor", fontsize=size)
        axes.set_yticks(range(len(target)), target, fontsize=size)
        axes.grid(False)
        axes.set_title(name, fontsize=9)
    all_axes[0].set_ylabel("word to come (query)")
    for axes in all_axes:
        axes.set_xlabel("source (keys)")
    fig.colorbar(picture, ax=all_axes, shrink=0.8, label="weight")
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def weighted_average(vectors: np.ndarray, weights: Sequence[float], context: Sequence[float], title: str) -> Figure:
    """Draw vectors of two numbers as points, as large as their weight, and their weighted average."""
    fig, (axes,) = figure(width=5.2, height=2.8)
    for number, ((x, y), weight) in enumerate(zip(vectors, weights, strict=True), start=1):
        axes.plot([x, context[0]], [y, context[1]], color=FAINT, lw=0.8, zorder=1)
        axes.scatter([x], [y], s=1000 * weight, color=COLOURS[0], zorder=2)
        label = f"h{number}: {weight:.2f}"
        axes.annotate(label, (x, y), (9, 9), textcoords="offset points", fontsize=8, zorder=4)
    axes.scatter([context[0]], [context[1]], marker="X", s=90, color=COLOURS[1], zorder=3)
    axes.annotate(
        "context", (context[0], context[1]), (7, -12), textcoords="offset points", fontsize=9, color=COLOURS[1]
    )
    axes.set(xlabel="first number", ylabel="second number", title=title)
    axes.margins(0.2)
    return fig


def shares(curves: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw the teacher's share (in %) by step, one line a schedule."""
    fig, (axes,) = figure(height=2.4)
    for place, (name, values) in enumerate(curves.items()):
        axes.plot(np.arange(1, len(values) + 1), 100 * np.asarray(values), color=COLOURS[place], label=name)
    axes.set(xlabel="training step", ylabel="tokens from the teacher (%)", ylim=(-3, 103), title=title)
    axes.legend()
    return fig


def by_step(
    panels: Mapping[str, Mapping[int, Sequence[tuple[int, float]]]], title: str, *, label: str = "{} numbers"
) -> Figure:
    """Draw exact answers (in %) against the training step; a panel for each model, a line for each size."""
    fig, all_axes = figure(columns=len(panels), height=2.8, sharey=True)
    for axes, (name, lines) in zip(all_axes, panels.items(), strict=True):
        for place, (size, values) in enumerate(lines.items()):
            steps, scores = zip(*values, strict=True)
            text = label.format(size) if size != 1 else label.format(size).rstrip("s")
            axes.plot(steps, 100 * np.array(scores), marker=MARKERS[place], color=COLOURS[place], label=text)
        _percent(axes, name="")
        axes.set_title(name, fontsize=9)
        axes.set_xlabel("training step")
    all_axes[0].set_ylabel("exactly right (%)")
    all_axes[-1].legend(fontsize=7.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def bars(groups: Mapping[str, Mapping[str, Sequence[float]]], title: str, *, xlabel: str) -> Figure:
    """Draw horizontal bars (in %), one for the mean of the seeds of each entry, with a dot for each seed.

    Args:
        groups: group -> entry -> the seeds' values, 0 to 1; groups have colours of their own.
        title, xlabel: the words.
    """
    entries = [(group, name, values) for group, rows in groups.items() for name, values in rows.items()]
    fig, (axes,) = figure(height=min(3.5, 1.0 + 0.27 * len(entries)))
    colours = {group: COLOURS[place] for place, group in enumerate(groups)}
    for place, (group, _, values) in enumerate(entries):
        first = next(i for i, entry in enumerate(entries) if entry[0] == group) == place
        label = group if first and len(groups) > 1 else None
        axes.barh(place, 100 * float(np.mean(values)), color=colours[group], alpha=0.65, label=label)
        axes.plot(100 * np.asarray(values), [place] * len(values), "o", color="black", ms=3)
    axes.set_yticks(range(len(entries)), [name for _, name, _ in entries])
    axes.invert_yaxis()
    axes.set(xlabel=xlabel, xlim=(0, 103), title=title)
    axes.grid(axis="y", visible=False)
    if len(groups) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return fig


def _percent(axes: Axes, name: str = "exactly right (%)") -> None:
    axes.set(ylim=(-4, 104), ylabel=name)
