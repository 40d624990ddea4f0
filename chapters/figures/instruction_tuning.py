"""Figures of chapter 10: a conversation with what is learned of it; a layer with an adapter; two losses at once."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from lmcourse.plots.style import COLOURS, EDGE, GREY, MARKERS, TINTS, figure

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
    curves: Mapping[str, Sequence[tuple[float, float]]],
    start: float,
    title: str,
    *,
    labels: tuple[str, str],
    steps: Sequence[int] = (),
) -> Figure:
    """Draw paths in the plane of two losses, one marker a measurement; the dashed line is where the old one began.

    Args:
        curves: name -> (new loss, old loss) in the order of the training.
        start: the old loss before.
        title: the finding.
        labels: of the two axes.
        steps: numbers that are written at the points of each curve, in their order.
    """
    fig, (axes,) = figure(height=3.1)
    for index, (name, points) in enumerate(curves.items()):
        across, up = zip(*points, strict=True)
        axes.plot(across, up, color=COLOURS[index], marker=MARKERS[index], label=name)
        for number, point in zip(steps, points, strict=False):
            axes.annotate(str(number), point, (4, 4), textcoords="offset points", fontsize=7.5, color=COLOURS[index])
    axes.axhline(start, ls="--", lw=1, color=COLOURS[6], label=f"before: {start:.2f}")
    axes.set(xlabel=labels[0], ylabel=labels[1], title=title)
    axes.legend()
    return fig


def lora(title: str) -> Figure:
    """Draw a linear layer of 576 inputs and outputs with an adapter of rank 8 beside it.

    Args:
        title: the finding.
    """
    fig, (axes,) = figure(height=2.9)

    def arrow(start: tuple[float, float], end: tuple[float, float]) -> None:
        axes.annotate(
            "", end, start, arrowprops={"arrowstyle": "-|>", "color": GREY, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
        )

    def word(x: float, y: float, text: str, **options: Any) -> None:
        axes.text(x, y, text, ha="center", va="center", **({"fontsize": 9} | options))

    axes.add_patch(Rectangle((0.6, 1.5), 2.6, 2.2, fc=TINTS[7], ec=EDGE, hatch="..", lw=1.2))
    word(1.9, 2.6, "W\n576 × 576\nfrozen", bbox={"fc": "white", "ec": "none", "pad": 2.5})
    axes.add_patch(Polygon([(4.2, 1.5), (6.8, 1.5), (5.7, 2.4), (5.3, 2.4)], fc=TINTS[1], ec=COLOURS[1], lw=1.4))
    axes.add_patch(Polygon([(5.3, 2.8), (5.7, 2.8), (6.8, 3.7), (4.2, 3.7)], fc=TINTS[1], ec=COLOURS[1], lw=1.4))
    word(5.5, 1.75, "A", fontsize=10)
    word(5.5, 3.45, "B", fontsize=10)
    word(7.75, 1.85, "8 × 576, trained", color=GREY)
    word(7.75, 3.35, "576 × 8, trained;\nzero at the start", color=GREY)
    word(6.35, 2.6, "8 numbers", color=GREY, fontsize=8)
    arrow((5.5, 2.4), (5.5, 2.8))
    word(3.7, 0.45, "x: 576 numbers")
    arrow((3.4, 0.65), (1.9, 1.48))
    arrow((4.0, 0.65), (5.5, 1.48))
    axes.text(
        3.7,
        4.55,
        "+",
        ha="center",
        va="center",
        fontsize=13,
        bbox={"boxstyle": "circle,pad=0.15", "fc": "white", "ec": EDGE},
    )
    arrow((1.9, 3.72), (3.45, 4.45))
    arrow((5.5, 3.72), (3.97, 4.45))
    word(5.25, 4.3, "· α / r", color=GREY)
    arrow((3.7, 4.82), (3.7, 5.2))
    word(3.7, 5.4, "y: 576 numbers")
    axes.set(xlim=(0.4, 9.0), ylim=(0.2, 5.65), title=title)
    axes.axis("off")
    return fig
