"""Charts that several chapters draw: bars, bars in groups, curves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from lmcourse import checks
from lmcourse.plots import given
from lmcourse.plots.style import COLOURS, GREY, MARKERS, colours, figure

Points = Sequence[tuple[float, float]]


def bars(
    values: Mapping[str, float],
    title: str,
    xlabel: str,
    *,
    number: str = ".2f",
    height: float = 2.6,
    guess: float | None = None,
) -> Figure:
    """Draw one horizontal bar a name, from top to bottom, with its value at its end; and a guess as a dashed line.

    Raises:
        TypeError: an argument of another kind.
        ValueError: no values, or one that is not finite; a `number` that is no format.
    """
    given.named(values=values)
    given.numbers(values=list(values.values()), length=len(values))
    checks.instance(str, title=title, xlabel=xlabel)
    given.number_format(number)
    if guess is not None:
        checks.number(guess=guess)
    fig, (axes,) = figure(height=height, title=title)
    rows = np.arange(len(values))
    axes.barh(rows, list(values.values()), color=COLOURS[0], height=0.62)
    if guess is not None:
        axes.axvline(guess, color=GREY, lw=1.2, ls="--")
        axes.annotate("a guess", (guess, 0), (4, 0), textcoords="offset points", va="center", fontsize=8.5, color=GREY)
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


def grouped_bars(
    values: Mapping[str, Sequence[float]], names: Sequence[str], title: str, *, ylabel: str, xlabel: str = "",
    number: str = ".2f", height: float = 2.7, shades: Sequence[int] | None = None
) -> Figure:  # fmt: skip
    """Draw bars in groups: one group a name, in each one bar an entry of `values`, with its number on top.

    `shades` are the numbers of the entries' colours; without them, `style.colours` gives each entry its own.

    Raises:
        TypeError: an argument of another kind.
        ValueError: no entries, or more than there are colours; an entry without a finite number for each name; shades
            that are no colours, or not one an entry; a `number` that is no format.
    """
    given.colourable(values=values)
    checks.texts(names=names)
    checks.not_empty(names=names)
    checks.instance(str, title=title, ylabel=ylabel, xlabel=xlabel)
    given.number_format(number)
    for heights in values.values():
        given.numbers(values=heights, length=len(names))
    if shades is not None:
        checks.whole_items(shades=shades, at_least=0, below=len(COLOURS))
        if len(shades) != len(values):
            raise ValueError(f"`shades` must hold a number for each of {len(values)} entries, got {len(shades)}.")
    fig, (axes,) = figure(height=height)
    width = 0.84 / len(values)
    chosen = colours(list(values)) if shades is None else [COLOURS[shade] for shade in shades]
    for index, (colour, (label, heights)) in enumerate(zip(chosen, values.items(), strict=True)):
        x = np.arange(len(names)) + (index - (len(values) - 1) / 2) * width
        hatch = ("", "///", "...", "xx")[index % 4]
        axes.bar(x, heights, 0.92 * width, color=colour, label=label, hatch=hatch, edgecolor="white", lw=0)
        for here, top in zip(x, heights, strict=True):
            axes.text(here, top, format(top, number), ha="center", va="bottom", fontsize=7)
    axes.set_xticks(range(len(names)), names)
    axes.set(ylabel=ylabel, xlabel=xlabel)
    axes.set_title(title, pad=20)
    axes.grid(False, axis="x")
    axes.margins(y=0.08)
    axes.legend(fontsize=8, ncols=len(values), loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0)
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
