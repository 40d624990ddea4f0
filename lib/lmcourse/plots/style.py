"""One look for all figures, readable in grey and by colour-blind readers, and alt text for every one."""

import io
from typing import Any

import matplotlib.pyplot as plt
from IPython.display import Image, Markdown, display
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito (2008): eight colours that stay apart for every kind of colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
MAX_INCHES = (6.0, 3.5)
_DPI = 110

_STYLE: dict[Any, Any] = {
    "axes.grid": True,
    "axes.prop_cycle": plt.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "figure.constrained_layout.use": True,
    "figure.dpi": _DPI,
    "font.size": 9,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "image.cmap": "viridis",
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}


def figure(
    *, rows: int = 1, columns: int = 1, width: float = 6.0, height: float = 3.0, **options: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure in the course's style and its axes as a flat list.

    Args:
        rows, columns: the grid of axes.
        width, height: inches, at most 6 x 3.5 (more rows may be higher: 3.5 inches for every two rows).
        options: handed to `matplotlib.pyplot.subplots`.

    Raises:
        ValueError: larger than a page of the course holds.
    """
    limit = MAX_INCHES[1] * max(1.0, rows / 2)
    if width > MAX_INCHES[0] or height > limit:
        raise ValueError(
            f"`width` and `height` must be at most {MAX_INCHES[0]} x {limit} inches, got {width} x {height}."
        )
    plt.rcParams.update(_STYLE)  # titles and legends read it when they are set, so a context would end too early
    fig, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False, **options)
    return fig, list(axes.flat)


def show(fig: Figure, alt: str) -> None:
    """Show a figure with its alternative text, once as the image's own and once in words beneath; then close it.

    Args:
        fig: a figure made by `figure`.
        alt: what a reader who does not see it must know: what is drawn, and what it shows.

    Raises:
        ValueError: `alt` says too little to replace a figure (under 30 characters).
    """
    if len(alt.strip()) < 30:
        raise ValueError(f"`alt` must say what the figure shows (30 characters or more), got {alt!r}.")
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", dpi=_DPI, metadata={"Software": None})
    plt.close(fig)
    display(Image(buffer.getvalue(), format="png", alt=alt))
    display(Markdown(f"*{alt}*"))
