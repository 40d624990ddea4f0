"""Figures of chapter 08: a decoder, training curves, the next token's distribution, positions, scaling."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse import checks
from lmcourse.plots import given
from lmcourse.plots.style import COLOURS, EDGE, GREY, MARKERS, TINTS, colours, figure
from lmcourse.plots.tokens import visible

Points = Sequence[tuple[float, float]]


def every_position(words: Sequence[str], nexts: Sequence[str], title: str) -> Figure:
    """Draw a decoder over a few words: each position sees itself and what is left of it, and guesses the next word."""
    fig, (axes,) = figure(height=2.7)
    for x, (word, guess) in enumerate(zip(words, nexts, strict=True)):
        for y, text, fill, edge in (
            (0, word, "white", EDGE),
            (1, f"$x_{x}$", TINTS[0], COLOURS[0]),
            (2, guess, TINTS[1], COLOURS[1]),
        ):
            box = {"boxstyle": "round,pad=0.3", "fc": fill, "ec": edge}
            axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3, parse_math=y == 1)
        for source in range(x + 1):
            _arrow(axes, (source, 0.2), (x, 0.78), GREY if source == x else COLOURS[0])
        _arrow(axes, (x, 1.22), (x, 1.8), GREY)
    for y, label in ((0, "token"), (1, "vector of the\nposition"), (2, "next token?")):
        axes.text(-0.6, y, label, ha="right", va="center", fontsize=8, color=GREY)
    axes.set(xlim=(-1.4, len(words) - 0.4), ylim=(-0.35, 2.4), title=title)
    axes.axis("off")
    return fig


def training(curves: Mapping[str, Points], lines: Mapping[str, float], title: str, *, unit: str = "tokens") -> Figure:
    """Draw bits per byte against what was read, and models that are one number as dashed lines."""
    fig, (axes,) = figure(height=3.1)
    for index, (name, points) in enumerate(curves.items()):
        read, bits = zip(*points, strict=True)
        marks: dict[str, Any] = {"marker": MARKERS[index]} if len(read) < 40 else {}
        axes.semilogx(read, bits, color=COLOURS[index], label=name, **marks)
    for index, (name, value) in enumerate(lines.items()):
        axes.axhline(value, ls=("--", ":")[index % 2], color=COLOURS[6], lw=1, label=f"{name}: {value:.2f}")
    axes.set(xlabel=f"{unit} read", ylabel="bits per byte", title=title)
    axes.legend()
    return fig


def distributions(panels: Mapping[str, Sequence[float]], tokens: Sequence[str], title: str) -> Figure:
    """Draw the probabilities of the same few tokens under several rules, one panel a rule."""
    fig, all_axes = figure(columns=len(panels), height=3.0, sharey=True)
    highest = max(max(probs) for probs in panels.values())
    limit = next(limit for limit in (0.1, 0.2, 0.5, 1.0) if highest <= limit + 1e-6)
    rows = np.arange(len(tokens))
    for number, (axes, (name, probs)) in enumerate(zip(all_axes, panels.items(), strict=True)):
        axes.barh(rows, probs, color=COLOURS[number])
        axes.set(xlim=(0, limit), xlabel="probability", title=name)
        axes.set_xticks([0, limit / 2, limit], ["0", f"{limit / 2:g}", f"{limit:g}"])
        axes.title.set_fontsize(8.5)
        axes.grid(axis="y", visible=False)
    all_axes[0].set_yticks(rows, [visible(token) for token in tokens])
    all_axes[0].invert_yaxis()
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def lines(
    curves: Mapping[str, Points],
    title: str,
    *,
    labels: tuple[str, str],
    mark: tuple[str, float] | None = None,
    level: tuple[str, float] | None = None,
    logarithmic: str = "",
    errors: Mapping[str, Sequence[float]] | None = None,
    height: float = 2.6,
    ylim: tuple[float, float] | None = None,
) -> Figure:
    """Draw curves, one a name.

    Args:
        curves: name -> points.
        title: the finding.
        labels: of the two axes.
        mark: a name and where a vertical line stands.
        level: a name and where a horizontal line stands.
        logarithmic: "x", "y", "xy" or "".
        errors: name -> half the length of a bar at each of its points.
        height: inches.
        ylim: what is shown of the vertical axis, where a curve leaves the picture; the legend stands at the right.

    Raises:
        TypeError: an argument of another kind.
        ValueError: no curves, or more than there are colours; a curve without points; a number that is not finite;
            errors that are negative, or not one a point.
    """
    _check_lines(curves, title, labels, logarithmic, errors)
    for name, value in {"mark": mark, "level": level}.items():
        if value is not None:
            label, at = checks.pair(**{name: value})
            checks.instance(str, **{name: label})
            checks.number(**{name: at})
    if ylim is not None:
        checks.pair(ylim=ylim)
        given.numbers(ylim=ylim, length=2)
    fig, (axes,) = figure(height=height)
    for index, ((name, points), colour) in enumerate(zip(curves.items(), colours(list(curves)), strict=True)):
        across, up = zip(*points, strict=True)
        marks: dict[str, Any] = {"marker": MARKERS[index % len(MARKERS)]} if len(across) <= 20 else {}
        axes.plot(across, up, color=colour, label=name, **marks)
        if errors is not None:
            axes.errorbar(across, up, errors[name], fmt="none", ecolor=colour, elinewidth=0.9, capsize=2, alpha=0.7)
    if mark is not None:
        axes.axvline(mark[1], ls=":", lw=1.2, color=COLOURS[7], label=mark[0])
    if level is not None:
        axes.axhline(level[1], ls="--", lw=1, color=COLOURS[6], label=level[0])
    if "x" in logarithmic:
        axes.set_xscale("log")
    xs = sorted({x for points in curves.values() for x, _ in points})
    if len(xs) <= 8 and all(float(x).is_integer() for x in xs):  # counts: a tick at each, in plain numbers
        axes.set_xticks(xs, [f"{x:,g}" for x in xs])
        axes.set_xticks([], minor=True)
    if "y" in logarithmic:
        axes.set_yscale("log")
    axes.set(xlabel=labels[0], ylabel=labels[1], title=title)
    if errors is not None:  # bars leave no room for a legend between the curves
        bottom, top = axes.get_ylim()
        axes.set_yticks([tick for tick in axes.get_yticks() if bottom <= tick <= top])
        axes.set_ylim(bottom, top + 0.35 * (top - bottom))
        axes.legend(fontsize=8, ncols=3, loc="upper left")
    elif ylim is not None:
        axes.set_ylim(*ylim)
        axes.legend(fontsize=8, labelspacing=0.25, ncols=2, loc="upper right")
    else:
        axes.legend(fontsize=8, labelspacing=0.25)
    return fig


def _check_lines(curves: Any, title: Any, labels: Any, logarithmic: Any, errors: Any) -> None:
    """Refuse what is not as `lines` says."""
    given.colourable(curves=curves)
    for points in curves.values():
        checks.instance((Sequence, np.ndarray), curves=points)
        checks.not_empty(curves=points)
        for point in points:
            given.numbers(curves=point, length=2)
    checks.instance(str, title=title)
    checks.texts(labels=checks.pair(labels=labels))
    checks.one_of(("", "x", "y", "xy"), logarithmic=logarithmic)
    if errors is not None:
        checks.keys(curves, errors=errors)
        for name, points in curves.items():
            given.numbers(errors=errors[name], length=len(points))
            if min(errors[name]) < 0:
                raise ValueError(f"`errors` must be at least 0, got {min(errors[name])} for {name!r}.")


def changes(values: Mapping[str, Sequence[float]], label: str, title: str) -> Figure:
    """Draw for each change the measured values as dots; the dashed line is the mean of the first row."""
    fig, (axes,) = figure(height=min(3.5, 1.0 + 0.25 * len(values)))
    for index, measured in enumerate(values.values()):
        axes.plot(measured, [index] * len(measured), MARKERS[0], color=COLOURS[min(index, 1)], alpha=0.85)
    first = next(iter(values.values()))
    axes.axvline(float(np.mean(first)), ls="--", lw=1, color=COLOURS[6])
    axes.set_yticks(range(len(values)), list(values))
    axes.invert_yaxis()
    axes.set(xlabel=label, title=title)
    axes.title.set_x(0.0)
    return fig


def scaling(panels: Mapping[str, tuple[Points, tuple[float, float]]], title: str) -> Figure:
    """Draw a loss against one quantity a panel, both logarithmic, with the power law a x^-b through the points.

    Args:
        panels: name of the quantity -> its points, and (a, b).
        title: the finding.
    """
    fig, all_axes = figure(columns=len(panels), height=2.9, sharey=True)
    for index, (axes, (name, (points, (a, b)))) in enumerate(zip(all_axes, panels.items(), strict=True)):
        x, y = (np.asarray(side, dtype=float) for side in zip(*points, strict=True))
        ends = np.array([x.min(), x.max()])
        axes.loglog(x, y, MARKERS[index], color=COLOURS[index])
        axes.loglog(ends, a * ends**-b, ls="--", lw=1, color=COLOURS[6], label=f"{a:.3g} · $x^{{-{b:.3f}}}$")
        axes.set(xlabel=name)
        low, high = y.min() / 1.03, y.max() * 1.03
        ticks = [tick for tick in (1.9, 2.0, 2.2, 2.4, 2.6, 2.8, 3.0, 3.4, 4.0) if low < tick < high]
        axes.set_yticks(ticks, [f"{tick:.1f}" for tick in ticks])
        axes.minorticks_off()
        axes.legend(loc="upper right", fontsize=7.5).get_texts()[0].set_parse_math(True)
    all_axes[0].set_ylabel("bits per byte, held out")
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    axes.add_patch(
        FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, arrowstyle="-|>", mutation_scale=8, color=colour, lw=0.9)
    )
