"""Figures of chapter 11: the three steps, curves of training, how sure a judge is, what a reward costs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse.plots.style import COLOURS, EDGE, GREY, MARKERS, TINTS, figure

Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]


def three_steps(title: str) -> Figure:
    """Draw the three steps of RLHF: what is learned from what, and what is frozen."""
    fig, (axes,) = figure(height=2.9)
    top, bottom = 1.7, 0.0
    boxes = [
        (0.0, top, "replies\npeople wrote", "white", EDGE),
        (2.2, top, "fine-tuned\nmodel", TINTS[0], COLOURS[0]),
        (0.0, bottom, "comparisons:\nA or B?", "white", EDGE),
        (2.2, bottom, "reward model", TINTS[1], COLOURS[1]),
        (4.6, top, "policy", TINTS[2], COLOURS[2]),
        (4.6, bottom, "its replies", "white", EDGE),
    ]
    for x, y, text, face, edge in boxes:
        box = {"boxstyle": "round,pad=0.35", "fc": face, "ec": edge, "lw": 1.4}
        axes.text(x, y, text, ha="center", va="center", fontsize=8.5, bbox=box)
    arrows = [
        ((0.55, top), (1.62, top), "1 imitate", (1.08, top + 0.22)),
        ((0.58, bottom), (1.58, bottom), "2 compare", (1.08, bottom + 0.22)),
        ((2.78, top), (4.2, top), "start, and tie (KL)", (3.5, top + 0.22)),
        ((4.48, top - 0.33), (4.48, bottom + 0.3), "draws", (4.12, 0.85)),
        ((4.0, bottom), (2.82, bottom), "judged", (3.42, bottom + 0.22)),
        ((2.5, bottom + 0.33), (4.22, top - 0.3), "3 reinforce", (2.85, 0.95)),
    ]
    for start, end, text, xy in arrows:
        axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=10, color=GREY, lw=1.2))
        axes.text(*xy, text, ha="center", va="center", fontsize=7.5, color=GREY)
    axes.set(xlim=(-0.75, 5.3), ylim=(-0.55, 2.3), title=title)
    axes.axis("off")
    return fig


def curves(
    panels: Mapping[str, Series],
    title: str,
    *,
    across: str,
    mark: tuple[float, str] | None = None,
    markers: bool = False,
) -> Figure:
    """Draw lines in one panel or several side by side.

    Args:
        panels: by the label of the panel's vertical axis, lines by name as (across, up). A name has one colour in
            all panels, and stands in the legend of the first panel that has it.
        title: the finding.
        across: the label of the horizontal axis.
        mark: a vertical line (where, what it is).
        markers: a marker at each point.
    """
    fig, all_axes = figure(columns=len(panels), height=2.8 if len(panels) > 1 else 3.0)
    names = list(dict.fromkeys(name for series in panels.values() for name in series))
    named: set[str] = set()
    for axes, (label, series) in zip(all_axes, panels.items(), strict=True):
        for name, (xs, ys) in series.items():
            index = names.index(name)
            every = 1 if markers else max(1, len(xs) // 6)
            line: dict[str, Any] = {"color": COLOURS[index], "marker": MARKERS[index], "markevery": every}
            axes.plot(xs, ys, label=None if name in named else name, **line)
        if mark is not None:
            axes.axvline(mark[0], color=GREY, lw=1, ls="--")
            axes.annotate(mark[1], (mark[0], 0.03), xycoords=("data", "axes fraction"), xytext=(4, 0),
                          textcoords="offset points", fontsize=7.5, color=GREY)  # fmt: skip
        if len(names) > 1 and named.union(series) != named:
            axes.legend(loc="best")
        named |= set(series)
        axes.set(xlabel=across, ylabel=label)
    _title(fig, all_axes, title)
    return fig


def judged_by_bin(
    sure: Sequence[tuple[float, float, int]],
    by_gap: Mapping[str, Sequence[tuple[float, float]]],
    title: str,
) -> Figure:
    """Draw a judge's calibration, and how often judges are right by the distance of what they compare.

    Args:
        sure: (how sure it is, share right, pairs) of each bin.
        by_gap: by judge, (distance, share right) points.
        title: the finding.
    """
    fig, (left, right) = figure(columns=2, height=2.8)
    left.plot([0.5, 1], [0.5, 1], color=EDGE, ls="--", label="perfect")
    centres, shares, pairs = (np.asarray(column) for column in zip(*sure, strict=True))
    errors = 2 * np.sqrt(shares * (1 - shares) / pairs)
    left.errorbar(centres, shares, errors, fmt="o", color=COLOURS[0], capsize=3, label="reward model")
    left.set(xlabel="how sure the model is", ylabel="share of pairs it is right", xlim=(0.48, 1.02), ylim=(0.45, 1.02))
    left.legend(loc="upper left")
    for index, (name, points) in enumerate(by_gap.items()):
        xs, ys = zip(*points, strict=True)
        right.plot(xs, ys, color=COLOURS[index], marker=MARKERS[index], label=name)
    right.set(xlabel="distance in true reward", ylabel="share of pairs", ylim=(0.45, 1.02))
    right.legend(loc="lower right")
    _title(fig, [left, right], title)
    return fig


def frontier(series: Series, title: str, *, up: str = "true reward of a reply", limit: float | None = None) -> Figure:
    """Draw what each method reaches (up) for how far it goes (across, KL in nats a reply).

    Points are joined where the KL only grows; a path that comes back is drawn as points.
    """
    fig, (axes,) = figure(height=3.2)
    for index, (name, (kl, reward)) in enumerate(series.items()):
        joined = "-" if list(kl) == sorted(kl) else ""
        axes.plot(kl, reward, color=COLOURS[index], marker=MARKERS[index], linestyle=joined, label=name)
    if limit is not None:
        axes.set_xlim(-0.2, limit)
    axes.set(xlabel="KL to the fine-tuned model (nats a reply)", ylabel=up, title=title)
    axes.legend(loc="best")
    return fig


def bars(values: Mapping[str, Sequence[float]], label: str, title: str) -> Figure:
    """Draw one bar for each name, the mean of its values, with each value as a dot."""
    fig, (axes,) = figure(height=2.6)
    for index, (name, each) in enumerate(values.items()):
        axes.barh(index, float(np.mean(each)), color=COLOURS[index % len(COLOURS)], height=0.6, alpha=0.75)
        axes.plot(each, [index] * len(each), "k.", markersize=5)
        axes.set_yticks(range(len(values)), list(values))
        del name
    axes.axvline(0, color=GREY, lw=0.8)
    axes.invert_yaxis()
    axes.set(xlabel=label, title=title)
    axes.grid(axis="y", visible=False)
    return fig


def _title(fig: Figure, all_axes: Sequence[Axes], title: str) -> None:
    if len(all_axes) == 1:
        all_axes[0].set_title(title)
    else:
        fig.suptitle(title, x=0.01, ha="left", fontsize=11)
