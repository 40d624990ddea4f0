"""Figures of chapter 07: tokens in coloured boxes, the growth of vocabularies, what training and languages cost."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lmcourse.plots.style import COLOURS, MARKERS, figure
from lmcourse.plots.text import MONO, visible

_ADVANCE = 0.602  # width of its characters in ems
_SHADES = ("#F4F4F4", "#BFDDF0", "#FBE3A6")  # three greys too, when printed without colour
_EDGE = "#444444"
_LABEL_STEP = 0.17  # inches from one line of a label to the next
_HATCHES = ("", "///", "...", "xxx")


def boxes(
    rows: Mapping[str, Sequence[bytes | str]], title: str, *, size: float = 9.5, label_width: float = 1.3
) -> Figure:
    """Draw token sequences as text in boxes, one row a sequence, wrapped where it is too long for a line.

    Neighbouring boxes differ in shade and have a thin border, so that the cuts are seen without colour. Bytes that are
    no drawable character are shown in hexadecimal, in smaller type.

    Args:
        rows: what stands left of a sequence -> its tokens; a line break in it is kept.
        title: the finding.
        size: points of the type.
        label_width: inches for the labels.

    Raises:
        ValueError: the rows need more height than a figure may have (3.5 inches).
    """
    line_height, pad, right, gap = 2.2 * size / 72, 0.06, 5.95, 0.13
    placed: list[tuple[float, float, float, str, float, int]] = []  # x, y, width, text, type size, number of the token
    labels: list[tuple[float, str]] = []
    y = 0.42
    for label, tokens in rows.items():
        labels.append((y, label))
        x, lowest = label_width, y + _LABEL_STEP * (label.count("\n") + 1)
        for number, token in enumerate(tokens):
            text = visible(token)
            small = size - 2 if _is_hex(token, text) else size
            width = max(len(text), 1) * _ADVANCE * small / 72 + 2 * pad
            if x + width > right and x > label_width:
                x, y = label_width, y + line_height
            placed.append((x, y, width, text, small, number))
            x += width
        y = max(y + line_height, lowest) + gap
    height = y - gap + 0.06
    fig, (axes,) = figure(height=height)
    fig.set_layout_engine("none")  # one unit of the axes is one inch, or the boxes would not fit their text
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0, 6.0), ylim=(height, 0))
    axes.axis("off")
    fig.suptitle(title, x=0.01, y=1 - 0.06 / height, ha="left", va="top", fontsize=11)
    for x, y, width, text, small, number in placed:
        shade = _SHADES[number % len(_SHADES)]
        axes.add_patch(Rectangle((x, y), width, 0.9 * line_height, fc=shade, ec=_EDGE, lw=0.7))
        centre: dict[str, Any] = {"ha": "center", "va": "center_baseline", "family": MONO, "fontsize": small}
        axes.text(x + width / 2, y + 0.46 * line_height, text, **centre)
    for y, label in labels:
        for step, part in enumerate(label.split("\n")):
            axes.text(0.07, y + _LABEL_STEP * (step + 0.75), part, va="center", fontsize=8 if step else 9)
    return fig


def _is_hex(token: bytes | str, text: str) -> bool:
    data = token.encode("utf-8") if isinstance(token, str) else bytes(token)
    return bool(data) and text == data.hex(" ").upper() and text != "".join(map(chr, data))


def vocabulary_growth(curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], title: str) -> Figure:
    """Draw how many different units a text has shown after so many of its characters; (characters, units) a curve."""
    fig, (axes,) = figure(height=2.7)
    for index, (name, (read, different)) in enumerate(curves.items()):
        axes.plot(np.asarray(read) / 1e6, np.asarray(different) / 1e3, marker=MARKERS[index])
        at: dict[str, Any] = {"xytext": (0, 9), "textcoords": "offset points", "ha": "right", "va": "bottom"}
        end = read[-1] / 1e6, different[-1] / 1e3
        axes.annotate(f"{different[-1]:,} {name}", end, color=COLOURS[index], **at)
    axes.set(xlabel="text read (million characters)", ylabel="different units seen (thousands)", title=title)
    axes.set_ylim(-0.8, 1.2 * max(max(different) for _, different in curves.values()) / 1e3)  # room for the labels
    return fig


def work(merges: Sequence[int], curves: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw the pairs looked at for one merge, one line a trainer, logarithmic.

    Args:
        merges: numbers of merges learned, growing.
        curves: name of a trainer -> pairs looked at, in all, until so many merges were learned.
        title: the finding.
    """
    fig, (axes,) = figure(height=2.9, title=title)
    for index, (name, values) in enumerate(curves.items()):
        each = np.diff(values, prepend=0) / np.diff(merges, prepend=0)
        axes.semilogy(merges, each, ("-", "--", "-.", ":")[index % 4], marker=MARKERS[index], label=name)
    axes.set(xlabel="merges learned", ylabel="pairs looked at per merge")
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * 6)
    axes.legend(loc="upper left", ncols=len(curves))
    return fig


def training_time(
    by_size: Sequence[tuple[float, float]], by_merges: Sequence[tuple[float, float]], title: str
) -> Figure:
    """Draw recorded training times: (bytes of text, seconds) on the left, (merges, seconds) on the right."""
    fig, (left, right) = figure(columns=2, height=2.7, sharey=True, title=title)
    sizes, seconds = np.array(by_size).T
    left.plot(sizes / 1e6, seconds, marker=MARKERS[0], color=COLOURS[0])
    left.set(xlabel="text (MB), 2,000 merges", ylabel="training (CPU seconds)")
    left.set_xlim(left=0)
    merges, seconds = np.array(by_merges).T
    right.plot(merges / 1e3, seconds, marker=MARKERS[1], color=COLOURS[1])
    right.set(xlabel="merges (thousands), all of the text", ylabel="")
    right.set_xlim(left=0)
    left.set_ylim(bottom=0)
    return fig


def prices(names: Sequence[str], series: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw grouped bars, one group a language, one bar a way to count it, each with its number."""
    fig, (axes,) = figure(height=3.4)
    rows = np.arange(len(names), dtype=float)
    thick = 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        at = rows + (number - (len(series) - 1) / 2) * thick
        style: dict[str, Any] = {"color": COLOURS[number], "hatch": _HATCHES[number], "edgecolor": "white", "lw": 0.5}
        axes.barh(at, values, thick * 0.95, label=name, **style)
        for row, value in zip(at, values, strict=True):
            note: dict[str, Any] = {"textcoords": "offset points", "va": "center_baseline", "fontsize": 7}
            axes.annotate(f"{value:g}", (value, row), (3, 0), **note)
    axes.set_yticks(rows, names, fontsize=9)
    axes.invert_yaxis()
    axes.set(xlabel="number of units (characters, bytes, tokens)", ylabel="the same sentence in", title=title)
    axes.margins(x=0.08)
    axes.grid(False, axis="y")
    axes.legend(loc="upper right")
    return fig


def vocabulary_sizes(
    sizes: Sequence[int], bytes_per_token: Sequence[float], bits: Mapping[str, Sequence[float]], title: str
) -> Figure:
    """Draw against the vocabulary's size: the bytes a token stands for, and bits per byte, one line an n-gram order."""
    fig, (left, right) = figure(columns=2, height=2.9, title=title)
    left.semilogx(sizes, bytes_per_token, marker="o", color=COLOURS[7], base=2)
    left.set(xlabel="tokens in the vocabulary", ylabel="bytes per token (test text)", ylim=(0, None))
    for index, (name, values) in enumerate(bits.items()):
        style = ("-", "--", "-.", ":")[index % 4]
        right.semilogx(sizes, values, style, marker=MARKERS[index], color=COLOURS[index], label=name, base=2)
        best = int(np.argmin(values))
        right.plot(sizes[best], values[best], "o", ms=11, mfc="none", mec=COLOURS[index], mew=1.3)  # the best size
    right.set(xlabel="tokens in the vocabulary", ylabel="bits per byte (test text)")
    right.legend()
    for panel in (left, right):
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=30)
        panel.minorticks_off()
    return fig
