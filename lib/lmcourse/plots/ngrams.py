"""Figures of chapter 01: chains, tables, coverage, smoothing."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from matplotlib.ticker import FuncFormatter

from lmcourse.plots.style import COLOURS, MARKERS, figure


def chain(states: Mapping[str, tuple[float, float]], arrows: Mapping[tuple[str, str], float], title: str) -> Figure:
    """Draw a Markov chain: words as boxes at (x, y), transitions as arrows with their probability."""
    fig, (axes,) = figure(height=2.4)
    for (start, end), probability in arrows.items():
        (x0, y0), (x1, y1) = states[start], states[end]
        style = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 24, "shrinkB": 26, "color": "#555555"}
        axes.add_patch(FancyArrowPatch((x0, y0), (x1, y1), lw=0.6 + 1.8 * probability, **style))
        text = f"{probability:.0%}"
        box = {"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none"}
        axes.text((x0 + x1) / 2, (y0 + y1) / 2, text, ha="center", va="center", fontsize=8, bbox=box)
    for word, (x, y) in states.items():
        box = {"boxstyle": "round,pad=0.35", "fc": "#E8F1F8", "ec": COLOURS[0]}
        axes.text(x, y, word, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
    xs, ys = zip(*states.values(), strict=True)
    axes.set(xlim=(min(xs) - 0.5, max(xs) + 0.5), ylim=(min(ys) - 0.5, max(ys) + 0.5), title=title)
    axes.axis("off")
    return fig


def transition_table(matrix: np.ndarray, rows: Sequence[str], columns: Sequence[str], title: str) -> Figure:
    """Draw a transition matrix (rows: what was said; columns: the next word) as a heat map with its numbers."""
    fig, (axes,) = figure(height=3.3)
    axes.imshow(matrix, vmin=0, vmax=1, aspect="auto")
    for (row, column), value in np.ndenumerate(matrix):
        if value > 0:
            colour = "white" if value < 0.6 else "black"
            axes.text(column, row, f"{value:.2g}", ha="center", va="center", color=colour, fontsize=8)
    axes.set_xticks(range(len(columns)), columns, rotation=35, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    axes.set(xlabel="next word", ylabel="history", title=title)
    axes.grid(False)
    return fig


def zipf(counts: Sequence[int], title: str) -> Figure:
    """Draw word counts by rank on two logarithmic axes, beside the line of count = top / rank."""
    fig, (axes,) = figure(height=2.8)
    ordered = np.sort(np.asarray(counts))[::-1]
    ranks = np.arange(1, len(ordered) + 1)
    axes.loglog(ranks, ordered, label="words of the text")
    axes.loglog(ranks, ordered[0] / ranks, "--", color=COLOURS[7], label="count = top count / rank")
    axes.set(xlabel="rank of the word (1 = most frequent)", ylabel="times it occurs", title=title)
    axes.legend()
    return fig


def coverage(shares: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw, by order, which share of the test's n-grams was seen in training; one line a kind of token."""
    fig, (axes,) = figure(height=2.6)
    for place, (name, values) in enumerate(shares.items()):
        axes.plot(range(1, len(values) + 1), np.asarray(values) * 100, marker=MARKERS[place], label=name)
    longest = max(map(len, shares.values()))
    axes.set(xlabel="order n", ylabel="test n-grams seen (%)", ylim=(0, 103), title=title)
    axes.set_xticks(range(1, longest + 1))
    axes.legend()
    return fig


def held_out_counts(train_counts: Sequence[int], held_out: Sequence[float], title: str) -> Figure:
    """Draw how often bigrams that were counted r times turn up in a held-out text of the same length."""
    fig, (axes,) = figure(height=2.8)
    r = np.asarray(train_counts)
    axes.plot(r, r, "--", color=COLOURS[7], label="if counts could be believed")
    axes.plot(r, held_out, marker="o", label="mean count in held-out text")
    for count, value in zip(r, held_out, strict=True):
        if count:
            axes.annotate(f"-{count - value:.2f}", (count, value), (3, -11), textcoords="offset points", fontsize=7)
    axes.set(xlabel="count in the training half", ylabel="mean count in the other half", title=title)
    axes.legend()
    return fig


def by_order(curves: Mapping[str, Sequence[float]], ylabel: str, title: str, *, log: bool = False) -> Figure:
    """Draw one line a smoothing (or text): a measure against the order. None and infinity leave a gap."""
    fig, (axes,) = figure(height=3.1)
    for place, (name, values) in enumerate(curves.items()):
        finite = [value if value is not None and np.isfinite(value) else np.nan for value in values]
        axes.plot(range(1, len(values) + 1), finite, marker=MARKERS[place % len(MARKERS)], label=name)
    longest = max(map(len, curves.values()))
    axes.set_xticks(range(1, longest + 1))
    axes.set(xlabel="order n", ylabel=ylabel, title=title)
    if log:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.tick_params(axis="y", which="minor", labelsize=7)
    axes.legend()
    return fig


def table_growth(possible: Sequence[float], distinct: Sequence[int], title: str) -> Figure:
    """Draw the number of possible and of really seen n-grams against the order, on a logarithmic axis."""
    fig, (axes,) = figure(height=2.8)
    orders = range(1, len(possible) + 1)
    axes.semilogy(orders, possible, "--", marker="s", color=COLOURS[1], label="cells of a full table, V to the power n")
    axes.semilogy(orders, distinct, marker="o", color=COLOURS[0], label="n-grams that occur in the text")
    axes.set(xlabel="order n", ylabel="entries", title=title)
    axes.set_xticks(list(orders))
    axes.legend()
    return fig
