"""Figures of a marked class."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from lmcourse.plots.style import COLOURS, EDGE, FAINT, figure

#: What can have become of an answer, from left to right, with a colour and a hatching that grey print keeps apart.
PARTS = {
    "right": (COLOURS[0], ""),
    "known slip": (COLOURS[4], "///"),
    "wrong otherwise": (COLOURS[1], "xx"),
    "not answered": (FAINT, ""),
    "to look at": (EDGE, ".."),
}


def class_by_task(counts: Mapping[str, Mapping[str, int]], title: str) -> Figure:
    """Draw, for each task, how many of a class were right, and what became of the others.

    Args:
        counts: task -> part (one of `PARTS`) -> submissions, in the page's order.
        title: the finding.
    """
    names: Sequence[str] = list(counts)
    height = min(3.5, 1.3 + 0.24 * len(names))
    fig, (axes,) = figure(height=height, title=title)
    left = [0] * len(names)
    for part, (colour, hatch) in PARTS.items():
        widths = [counts[name].get(part, 0) for name in names]
        axes.barh(names, widths, left=left, color=colour, hatch=hatch, edgecolor="white", linewidth=0.5, label=part)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlim(0, max([*left, 1]))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("submissions")
    axes.tick_params(axis="y", labelsize=7.5)
    fig.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=len(PARTS), handlelength=1.4)
    return fig
