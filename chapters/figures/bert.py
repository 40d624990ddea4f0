"""Figures of chapter 09: filled gaps, the model, what sees what, learning and label curves, senses, similarities."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from lmcourse.plots.style import COLOURS, EDGE, GREY, MARKERS, SHARES, SIGNED, TINTS, figure


def gaps(
    texts: Sequence[str], filled: Mapping[str, Sequence[str]], title: str, *, right: Sequence[str] | None = None
) -> Figure:
    """Draw texts with gaps, "_" for each, and below each text how every model filled them.

    Args:
        texts: with gaps.
        filled: model -> the texts as it filled them, of the same lengths.
        title: the finding.
        right: the texts without gaps; a letter in a gap is then blue if it is right and orange if not, else blue.
    """
    rows = len(texts) * (len(filled) + 1)
    fig, (axes,) = figure(height=min(3.5, 0.75 + 0.25 * rows), title=title)
    y = 0.0
    longest = max(map(len, texts))
    for number, text in enumerate(texts):
        for name, shown in {"": text, **{model: lines[number] for model, lines in filled.items()}}.items():
            axes.text(-0.8, y, name, ha="right", va="center", fontsize=8, color=GREY)
            for place, (gap, sign) in enumerate(zip(text, shown, strict=True)):
                look: dict[str, Any] = {}
                if gap == "_" and name:
                    is_right = right is None or right[number][place] == sign
                    look = {"color": COLOURS[0 if is_right else 1], "weight": "bold"}
                axes.text(place, y, "␣" if gap == "_" and sign == " " else sign, ha="center", va="center",
                          family="monospace", fontsize=9.5, **look)  # fmt: skip
            y -= 1
        y -= 0.45
    axes.set(xlim=(-0.45 * longest if filled else -1, longest + 1), ylim=(y + 0.7, 0.8))
    axes.axis("off")
    return fig


def architecture(title: str) -> Figure:
    """Draw the encoder from bottom to top, with its shapes, and three kinds of head above it."""
    fig, (axes,) = figure(height=3.5, title=title)

    def box(x: float, y: float, width: float, text: str, tint: str, height: float = 0.3) -> None:
        style = "round,pad=0,rounding_size=0.05"
        axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, fc=tint, ec=EDGE))
        axes.text(x + width / 2, y + height / 2, text, ha="center", va="center", fontsize=8)

    def arrow(x: float, low: float, high: float) -> None:
        axes.annotate("", (x, high), (x, low), arrowprops={"arrowstyle": "-|>", "color": GREY, "lw": 1.0})

    words: dict[str, Any] = {"va": "center", "fontsize": 8, "color": GREY}
    axes.text(3, 0.05, "[CLS] tokens of the text [SEP]: ids (B, T)", ha="center", **words)
    arrow(3, 0.14, 0.3)
    box(1.2, 0.3, 3.6, "token vector + position vector + segment vector, norm", TINTS[4])
    arrow(3, 0.6, 0.78)
    axes.text(3.1, 0.69, "(B, T, D)", ha="left", **words)
    box(1.2, 0.78, 3.6, "attention to both sides, residual, norm", TINTS[0])
    arrow(3, 1.08, 1.18)
    box(1.2, 1.18, 3.6, "feed-forward D → 4 D → D, residual, norm", TINTS[2])
    axes.plot([4.9, 4.96, 4.96, 4.9], [0.8, 0.8, 1.46, 1.46], color=GREY, lw=1.0)
    axes.text(5.04, 1.13, "× L", ha="left", **(words | {"fontsize": 9}))
    axes.text(1.1, 1.13, "encoder", ha="right", **(words | {"fontsize": 9, "weight": "bold"}))
    for x, name, shape in (
        (1.0, "words (section 2)", "logits (B, T, V)"),
        (3.0, "tags (section 4)", "logits (B, T, C)"),
        (5.0, "class (section 4)", "logits (B, C)"),
    ):
        axes.annotate("", (x, 2.1), (3, 1.5), arrowprops={"arrowstyle": "-|>", "color": GREY, "lw": 1.0})
        box(x - 0.75, 2.1, 1.5, name, TINTS[1])
        arrow(x, 2.4, 2.6)
        axes.text(x, 2.7, shape, ha="center", **words)
    axes.text(3.75, 1.62, "a vector for each token: (B, T, D)", ha="left", **words)
    axes.set(xlim=(0, 6), ylim=(-0.05, 2.85))
    axes.axis("off")
    return fig


def influence(
    maps: Mapping[str, np.ndarray], words: Sequence[str], title: str, *, columns: str = "word read"
) -> Figure:
    """Draw who depends on whom, one map for each mask: rows are outputs, columns are the words read, white is none."""
    fig, all_axes = figure(columns=len(maps), height=3.0, title=title)
    for axes, (name, depends) in zip(all_axes, maps.items(), strict=True):
        axes.imshow(0.6 * np.asarray(depends, dtype=float), vmin=0, vmax=1, cmap=SHARES)
        axes.set_xticks(np.arange(len(words) + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(len(words) + 1) - 0.5, minor=True)
        _words(axes, words, words)
        axes.grid(True, which="minor", color="white", lw=1.5, alpha=1)
        axes.tick_params(which="minor", length=0)
        axes.set_title(name, fontsize=9)
        axes.set_xlabel(columns)
    all_axes[0].set_ylabel("output at")
    return fig


def learning(
    losses: Sequence[float], levels: Mapping[str, float], title: str, *, ylabel: str, first: float = 1
) -> Figure:
    """Draw a smoothed loss against the step, and levels to compare it with as dashed lines with their names.

    Args:
        losses: one a step.
        levels: name -> loss.
        title, ylabel: the words.
        first: the step of the first loss; of a running mean, the middle of its first window.
    """
    fig, (axes,) = figure(height=2.6)
    axes.plot(np.arange(len(losses)) + first, losses, color=COLOURS[0])
    for index, (name, level) in enumerate(levels.items(), start=1):
        axes.axhline(level, color=COLOURS[index], ls="--", lw=1.2)
        axes.annotate(
            name, (first + len(losses) - 1, level), (0, 3), textcoords="offset points", ha="right", va="bottom",
            fontsize=8, color=COLOURS[index],
        )  # fmt: skip
    axes.set(xlabel="training step", ylabel=ylabel, title=title)
    return fig


def by_labels(
    panels: Mapping[str, Mapping[str, Mapping[int, Sequence[float]]]], title: str, *, ylabel: str = "right (%)"
) -> Figure:
    """Draw scores (in %) by the number of labels, a panel a task, a line a start: the mean, and a dot a seed.

    All lines but the first are shifted a little sideways, so that equal scores do not hide one another.

    Args:
        panels: task -> start -> number of labels -> the seeds' scores, 0 to 1.
        title, ylabel: the words.
    """
    fig, all_axes = figure(columns=len(panels), height=3.0, title=title)
    starts = list(dict.fromkeys(start for lines in panels.values() for start in lines))
    for axes, (task, lines) in zip(all_axes, panels.items(), strict=True):
        for start, scores in lines.items():
            look: dict[str, Any] = {"color": COLOURS[starts.index(start)], "marker": MARKERS[starts.index(start)]}
            sizes = list(scores)
            shift = (1.0, 1.09, 1 / 1.09, 1.18)[starts.index(start) % 4]
            axes.plot([shift * n for n in sizes], [100 * float(np.mean(scores[n])) for n in sizes], label=start, **look)
            for n in sizes:
                seeds = [100 * score for score in scores[n]]
                axes.plot([shift * n] * len(seeds), seeds, ".", color=look["color"], ms=3)
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
    return fig


def senses(panels: Mapping[str, tuple[Sequence[float], Sequence[float]]], title: str) -> Figure:
    """Draw, for each word, the mean cosine within a sense and across senses, layer by layer.

    Args:
        panels: word -> (within, across), one number a layer, that of the bare embedding first.
        title: the finding.
    """
    fig, all_axes = figure(columns=len(panels), height=2.7, sharey=True, title=title)
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
    return fig


def similarities(values: np.ndarray, names: Sequence[str], title: str) -> Figure:
    """Draw a square of cosines between sentences, with the numbers in the cells."""
    fig, (axes,) = figure(height=3.5, title=title)
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
    fig.colorbar(picture, ax=axes, label="cosine", shrink=0.9)
    return fig


def pairs(panels: Mapping[str, np.ndarray], title: str, *, rows: str, columns: str) -> Figure:
    """Draw squares of cosines, one a panel, whose rows and columns are numbered in the same order."""
    fig, all_axes = figure(columns=len(panels), height=2.9, title=title)
    for axes, (name, values) in zip(all_axes, panels.items(), strict=True):
        picture = axes.imshow(values, vmin=-1, vmax=1, cmap=SIGNED)
        numbers = [str(n) for n in range(1, len(values) + 1)]
        axes.set_xticks(range(len(values)), numbers, fontsize=8)
        axes.set_yticks(range(len(values)), numbers, fontsize=8)
        axes.set_title(name, fontsize=9)
        axes.set_xlabel(columns)
        axes.grid(False)
    all_axes[0].set_ylabel(rows)
    fig.colorbar(picture, ax=all_axes, label="cosine", shrink=0.8)
    return fig


def _words(axes: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    axes.set_xticks(range(len(columns)), columns, rotation=60, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(rows)), rows)
    axes.grid(False)
