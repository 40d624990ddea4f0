"""Figures of chapter 09: what sees what, learning curves, label curves, senses by layer, similarities."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lmcourse.plots.style import COLOURS, MARKERS, SIGNED, figure


def influence(maps: Mapping[str, np.ndarray], words: Sequence[str], title: str) -> Figure:
    """Draw who depends on whom, one map for each mask: rows are outputs, columns are the words read, dark is none."""
    fig, all_axes = figure(columns=len(maps), height=3.0)
    for axes, (name, depends) in zip(all_axes, maps.items(), strict=True):
        axes.imshow(np.asarray(depends, dtype=float), vmin=0, vmax=1)
        _words(axes, words, words)
        axes.set_title(name, fontsize=9)
        axes.set_xlabel("word read")
    all_axes[0].set_ylabel("output at")
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def learning(losses: Sequence[float], levels: Mapping[str, float], title: str, *, ylabel: str) -> Figure:
    """Draw a smoothed loss against the step, and levels to compare it with as dashed lines with their names."""
    fig, (axes,) = figure(height=2.6)
    axes.plot(np.arange(1, len(losses) + 1), losses, color=COLOURS[0])
    for index, (name, level) in enumerate(levels.items(), start=1):
        axes.axhline(level, color=COLOURS[index], ls="--", lw=1.2)
        axes.text(len(losses), level, name, ha="right", va="bottom", fontsize=8, color=COLOURS[index])
    axes.set(xlabel="training step", ylabel=ylabel, title=title)
    return fig


def by_labels(
    panels: Mapping[str, Mapping[str, Mapping[int, Sequence[float]]]], title: str, *, ylabel: str = "right (%)"
) -> Figure:
    """Draw scores (in %) by the number of labels, a panel a task, a line a start: the mean, and a dot a seed.

    Args:
        panels: task -> start -> number of labels -> the seeds' scores, 0 to 1.
        title, ylabel: the words.
    """
    fig, all_axes = figure(columns=len(panels), height=3.0)
    starts = list(dict.fromkeys(start for lines in panels.values() for start in lines))
    for axes, (task, lines) in zip(all_axes, panels.items(), strict=True):
        for start, scores in lines.items():
            look: dict[str, Any] = {"color": COLOURS[starts.index(start)], "marker": MARKERS[starts.index(start)]}
            sizes = list(scores)
            axes.plot(sizes, [100 * float(np.mean(scores[n])) for n in sizes], label=start, **look)
            for n in sizes:
                axes.plot([n] * len(scores[n]), [100 * score for score in scores[n]], ".", color=look["color"], ms=3)
        axes.set_xscale("log", base=2)
        sizes = sorted({n for scores in lines.values() for n in scores})
        axes.set_xticks(sizes, [f"{n:,}" for n in sizes], fontsize=7)
        axes.minorticks_off()
        axes.set_title(task, fontsize=9)
        axes.set_xlabel("labels")
    all_axes[0].set_ylabel(ylabel)
    handles = {
        label: handle for axes in all_axes for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    in_a_row = 2 if sum(map(len, handles)) > 70 else 4
    fig.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=in_a_row, fontsize=8)
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def senses(panels: Mapping[str, tuple[Sequence[float], Sequence[float]]], title: str) -> Figure:
    """Draw, for each word, the mean cosine within a sense and across senses, layer by layer.

    Args:
        panels: word -> (within, across), one number a layer, that of the bare embedding first.
        title: the finding.
    """
    fig, all_axes = figure(columns=len(panels), height=2.7, sharey=True)
    for axes, (word, (within, across)) in zip(all_axes, panels.items(), strict=True):
        layers = range(len(within))
        axes.plot(layers, within, marker="o", color=COLOURS[0], label="same sense")
        axes.plot(layers, across, marker="s", color=COLOURS[1], label="other sense")
        axes.fill_between(layers, within, across, color=COLOURS[7], alpha=0.2)
        axes.set_xticks(list(layers))
        axes.set_title(f'"{word}"', fontsize=9)
        axes.set_xlabel("layer (0: the table)")
    all_axes[0].set_ylabel("mean cosine")
    all_axes[0].legend(loc="lower left")
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def similarities(values: np.ndarray, names: Sequence[str], title: str) -> Figure:
    """Draw a square of cosines between sentences, with the numbers in the cells."""
    fig, (axes,) = figure(height=3.5)
    picture = axes.imshow(values, vmin=-1, vmax=1, cmap=SIGNED, aspect="auto")
    for row in range(len(names)):
        for column in range(len(names)):
            dark = abs(values[row, column]) > 0.6
            axes.text(
                column, row, f"{values[row, column]:.2f}", ha="center", va="center", fontsize=7,
                color="white" if dark else "black",
            )  # fmt: skip
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_xticks(range(len(names)), [f"{n}" for n in range(1, len(names) + 1)])
    axes.set_yticklabels([f"{n}  {name}" for n, name in enumerate(names, start=1)])
    axes.grid(False)
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    fig.colorbar(picture, ax=axes, label="cosine", shrink=0.9)
    return fig


def _words(axes: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    axes.set_xticks(range(len(columns)), columns, rotation=60, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    axes.grid(False)
