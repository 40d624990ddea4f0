"""Figures of chapter 10: a conversation with what is learned of it; a choice between two losses."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from lmcourse.plots.style import COLOURS, EDGE, MARKERS, TINTS, figure

#: what becomes of a token in training -> fill, edge
FATES = {
    "read only": ("white", EDGE),
    "learned": (TINTS[1], COLOURS[1]),
    "written by a tool": (TINTS[0], COLOURS[0]),
}


def conversation(rows: Sequence[Sequence[tuple[str, str]]], title: str) -> Figure:
    """Draw a conversation as tokens in boxes, one row a turn, each box by what becomes of its token in training.

    Args:
        rows: of each turn its (token, fate) pairs, the fate one of `FATES`.
        title: the finding.
    """
    fig, (axes,) = figure(height=min(3.5, 1.0 + 0.45 * len(rows)))
    seen = []
    for row, turn in enumerate(rows):
        x = 0.0
        for token, fate in turn:
            fill, edge = FATES[fate]
            width = 0.085 * len(token) + 0.16
            line = "-" if fate == "learned" else (":" if fate == "read only" else "--")
            box: dict[str, Any] = {"boxstyle": "round,pad=0.25", "fc": fill, "ec": edge, "ls": line}
            axes.text(x + width / 2, row, token, ha="center", va="center", fontsize=8.5, bbox=box)
            x += width + 0.13
            seen += [fate] if fate not in seen else []
    handles = [axes.plot([], [], "s", mfc=FATES[f][0], mec=FATES[f][1], markersize=8, label=f)[0] for f in seen]
    axes.set(xlim=(-0.15, 6.2), ylim=(len(rows) - 0.4, -0.6), title=title)
    axes.axis("off")
    fig.legend(handles=handles, loc="outside lower left", ncols=len(seen))
    return fig


def trade_off(
    curves: Mapping[str, Sequence[tuple[float, float]]], start: float, title: str, *, labels: tuple[str, str]
) -> Figure:
    """Draw paths in the plane of two losses, one marker a measurement; the dashed line is where the old one began.

    Args:
        curves: name -> (new loss, old loss) in the order of the training.
        start: the old loss before.
        title: the finding.
        labels: of the two axes.
    """
    fig, (axes,) = figure(height=3.1)
    for index, (name, points) in enumerate(curves.items()):
        across, up = zip(*points, strict=True)
        axes.plot(across, up, color=COLOURS[index], marker=MARKERS[index], label=name)
    axes.axhline(start, ls="--", lw=1, color=COLOURS[6], label=f"before: {start:.2f}")
    axes.set(xlabel=labels[0], ylabel=labels[1], title=title)
    axes.legend()
    return fig
