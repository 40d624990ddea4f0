"""One look for all figures: for sharp, dark and grey pages, for colour-blind readers and for screen readers."""

import base64
import html
import io
import re
from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any

import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter, LogFormatterMathtext, ScalarFormatter
from PIL import Image

from lmcourse import checks, runtime

# Okabe and Ito (2008): eight colours that stay apart for every kind of colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
TINTS = ("#E8F1F8", "#FDF1E7", "#E9F5F0", "#F8EAF2", "#FCF3DC", "#EAF5FC", "#EEEEEE", "#F7F7F7")  # of these, for areas
GREY, EDGE, FAINT = "#555555", "#999999", "#CCCCCC"  # words and arrows; borders of boxes; lines in the background
SHARES = LinearSegmentedColormap.from_list("shares", ["#FFFFFF", "#0072B2", "#00263B"])  # 0 to 1: white is nothing
POSITIVE = LinearSegmentedColormap.from_list("positive", ["#CFE3F0", "#0072B2", "#00263B"])  # white is left for 0
SIGNED = LinearSegmentedColormap.from_list("signed", ["#0072B2", "#FFFFFF", "#D55E00"])  # white is 0
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
MAX_INCHES = (6.0, 3.5)
MIN_INCHES = 0.1  # less has no pixels
MAX_BYTES = 100_000  # of a figure
_SUPERSCRIPTS = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_DPI = 110  # pixels of the page an inch
_SHARPNESS = 2  # pixels of the image for each of these: a sharp screen has two

#: What several chapters compare has one colour in all of them, by a word of its name.
_OF_THINGS = {
    "attention": 0,
    "transformer": 0,
    "forget bias 1": 0,
    "forget bias 3": 4,
    "LSTM": 1,
    "GRU": 2,
    "RNN": 3,
    "sinusoid": 2,
    "rotary": 3,
    "n-gram": 4,
    "Kneser-Ney": 4,
    "mean": 5,
    "none": 7,
    "guess": 7,
}

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
    "figure.facecolor": "white",
    "font.size": 9,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "image.interpolation": "nearest",
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "text.parse_math": False,  # a dollar sign in a reader's text is a dollar sign
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}


class _Figure(Figure):
    """A figure whose axes have labels as in the text: powers without formulas, thousands with a comma."""

    def draw(self, renderer: Any) -> None:
        for axis in (axis for axes in self.axes for axis in (axes.xaxis, axes.yaxis)):
            if isinstance(axis.get_major_formatter(), LogFormatterMathtext):
                axis.set_major_formatter(_PlainPowers(axis.get_major_formatter()))
            if isinstance(axis.get_minor_formatter(), LogFormatterMathtext):
                axis.set_minor_formatter(_PlainPowers(axis.get_minor_formatter()))
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(_Thousands())
        super().draw(renderer)


class _PlainPowers(Formatter):
    """The labels of another formatter with $\\mathdefault{10^{3}}$ written as 10³."""

    def __init__(self, powers: Formatter) -> None:
        self.powers = powers

    def set_axis(self, axis: Any) -> None:
        super().set_axis(axis)
        self.powers.set_axis(axis)

    def set_locs(self, locs: Any) -> None:
        self.powers.set_locs(locs)

    def __call__(self, x: float, pos: int | None = None) -> str:
        label = self.powers(x, pos).removeprefix("$\\mathdefault{").removesuffix("}$").replace("\\times", "×")
        return re.sub(r"\^\{(.*?)\}", lambda power: power[1].translate(_SUPERSCRIPTS), label)


class _Thousands(ScalarFormatter):
    """Whole numbers from 1,000 on have a comma."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        label = super().__call__(x, pos)
        digits = label.lstrip("-−")
        return label.removesuffix(digits) + f"{int(digits):,}" if digits.isdigit() else label


def figure(
    *,
    rows: int = 1,
    columns: int = 1,
    width: float = 6.0,
    height: float = 3.0,
    title: str | None = None,
    **options: Any,
) -> tuple[Figure, list[Axes]]:
    """Return a figure in the course's style and its axes as a flat list.

    Args:
        rows, columns: the grid of axes.
        width, height: inches, at least 0.1, at most 6 x 3.5 (more rows may be higher: 3.5 inches for every two rows).
        title: the finding, above all axes.
        options: handed to `matplotlib.pyplot.subplots`.

    Raises:
        TypeError: a number or a title of another kind.
        ValueError: no axes; smaller than can be drawn, or larger than a page of the course holds.
    """
    checks.whole(at_least=1, rows=rows, columns=columns)
    checks.number(at_least=MIN_INCHES, width=width, height=height)
    checks.instance((str, NoneType), title=title)
    limit = MAX_INCHES[1] * max(1.0, rows / 2)
    if width > MAX_INCHES[0] or height > limit:
        raise ValueError(
            f"`width` and `height` must be at most {MAX_INCHES[0]} x {limit} inches, got {width} x {height}."
        )
    plt.rcParams.update(_STYLE)  # titles and legends read it when they are set, so a context would end too early
    fig, axes = plt.subplots(rows, columns, FigureClass=_Figure, figsize=(width, height), squeeze=False, **options)
    if title is not None:
        fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    return fig, list(axes.flat)


def colours(names: Sequence[str], things: Mapping[str, int] = _OF_THINGS) -> list[str]:
    """Return a colour for each name: what several chapters, or figures of one, compare has the same one in all of them.

    Args:
        names: no two of them get one colour.
        things: a word of a name -> the number of its colour; the first word that is found counts.
    """
    fixed = [next((number for word, number in things.items() if word in name), None) for name in names]
    fixed = [None if number in fixed[:index] else number for index, number in enumerate(fixed)]
    free = iter([number for number in range(len(COLOURS)) if number not in fixed])
    return [COLOURS[next(free) if number is None else number] for number in fixed]


def show(fig: Figure, alt: str) -> None:
    """Show a figure as an image with alternative text, then close it.

    The output is `<img alt="..." src="data:image/png;...">`, which JupyterLab shows in notebooks that it does not trust
    as well, with the alternative text for screen readers. SVG is not shown there, and `image/png` loses the text.

    Args:
        fig: a figure made by `figure`.
        alt: what a reader who does not see it must know: what is drawn, and what it shows.

    Raises:
        TypeError: `fig` is no figure, or `alt` no str.
        ValueError: `alt` says too little to replace a figure (under 30 characters).
    """
    checks.instance(Figure, fig=fig)
    data = bundle(fig, alt)
    plt.close(fig)
    display(data, raw=True)


def bundle(fig: Figure, alt: str) -> dict[str, str]:
    """Return a figure as `show` displays it: an image for pages, the alternative text for readers of plain text."""
    check_alt(alt)
    width = round(fig.get_size_inches()[0] * _DPI)
    data = base64.b64encode(png(fig)).decode("ascii")
    image = f'<img alt="{html.escape(alt)}" width="{width}" src="data:image/png;base64,{data}">'
    return {"text/html": image, "text/plain": alt}


def check_alt(alt: str) -> None:
    """Raise unless `alt` is a text that says enough to replace a figure.

    Raises:
        TypeError: it is no str.
        ValueError: it has less than 30 characters.
    """
    checks.instance(str, alt=alt)
    if len(alt.strip()) < 30:
        raise ValueError(f"`alt` must say what the figure shows (30 characters or more), got {alt!r}.")


def png(fig: Figure) -> bytes:
    """Return a figure as a PNG with two pixels for each pixel of the page, in as many colours as 100 kB allow.

    In a smoke run nobody looks at it: it is drawn small and with no layout, in less than half of the time.
    """
    buffer = io.BytesIO()
    if runtime.preset() == "smoke":
        fig.set_layout_engine("none")
        fig.savefig(buffer, format="png", dpi=_DPI / 4)
        return buffer.getvalue()
    fig.savefig(buffer, format="png", dpi=_SHARPNESS * _DPI)
    image = Image.open(buffer).convert("RGB")
    for colours in (255, 64, 16):
        buffer = io.BytesIO()
        fewer = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        fewer.save(buffer, format="png", optimize=True)
        if buffer.tell() <= MAX_BYTES:
            break
    return buffer.getvalue()
