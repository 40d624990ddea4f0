"""What is wrong with the layout of a figure: words upon words, words cut off, a legend upon the data."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import Collection, QuadMesh
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

_BACKGROUND = 0.2  # of less opacity is what only tints the background
_SLACK = 1.5  # pixels that may be shared: boxes of text are a little larger than the letters
_SLACK_OF_LINE = 0.15  # the part of a line's height, above and below the letters, that may be shared as well


def faults(fig: Figure) -> list[str]:
    """Return what a reader would stumble over in a figure, in words; nothing if the layout is sound.

    Each text that is drawn must lie inside the figure and upon no other text, and a legend upon no line, bar or
    point. Labels that are turned by other than a right angle are compared with no others.
    """
    fig.canvas.draw()
    renderer = fig.canvas.get_renderer()  # type: ignore[attr-defined]
    boxes = [(text.get_text(), box) for text in _texts(fig) if (box := _box(text, renderer)) is not None]
    found = [
        f"{first!r} and {second!r} overlap"
        for (first, one), (second, other) in combinations(boxes, 2)
        if _shared(one, other)
    ]
    page = fig.bbox.padded(1)
    found += [f"{text!r} is cut off" for text, box in boxes if not _within(box, page)]
    for legend in _legends(fig):
        box = legend.get_window_extent(renderer)
        found += [f"the legend lies upon {name}" for axes in fig.axes for name in _hidden(axes, box)]
    return found


def _texts(fig: Figure) -> Iterator[Text]:
    """Every text that is drawn."""
    yield from fig.texts  # the title, too
    for legend in _legends(fig):
        yield from legend.get_texts()
    for axes in fig.axes:
        yield from axes.texts
        yield from (axes.title, axes._left_title, axes._right_title)  # type: ignore[attr-defined]
        for axis in (axes.xaxis, axes.yaxis) if axes.axison else ():
            yield axis.label
            yield from _tick_labels(axis)


def _tick_labels(axis: Axis) -> Iterator[Text]:
    """The labels of the ticks in view: matplotlib keeps others, which it does not draw."""
    low, high = sorted(axis.get_view_interval())
    slack = 1e-9 * (high - low)
    for position, tick in zip(axis.get_majorticklocs(), axis.get_major_ticks(), strict=False):
        if low - slack <= position <= high + slack:
            yield from (label for label in (tick.label1, tick.label2) if label.get_visible())


def _box(text: Text, renderer: Any) -> Bbox | None:
    """Where a text's letters are, in pixels; None where there are none or they are turned obliquely."""
    if not text.get_visible() or not text.get_text().strip() or text.get_rotation() % 90:
        return None
    box = Text.get_window_extent(text, renderer)  # of an annotation: without its arrow
    upright = text.get_rotation() % 180 == 0
    line = (box.height if upright else box.width) / (text.get_text().count("\n") + 1)
    x, y = (_SLACK, _SLACK + _SLACK_OF_LINE * line) if upright else (_SLACK + _SLACK_OF_LINE * line, _SLACK)
    return Bbox.from_extents(box.x0 + x, box.y0 + y, box.x1 - x, box.y1 - y)


def _shared(one: Bbox, other: Bbox) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def _within(box: Bbox, page: Bbox) -> bool:
    return page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1


def _legends(fig: Figure) -> Iterator[Legend]:
    yield from fig.legends
    yield from (legend for axes in fig.axes if (legend := axes.get_legend()) is not None)


def _hidden(axes: Axes, box: Bbox) -> Iterator[str]:
    """What of the axes' data lies under a box."""
    box = box.padded(-_SLACK)
    inside = Bbox.intersection(box, axes.bbox)
    if inside is None or not inside.width * inside.height:
        return
    for line in axes.lines:
        if line.get_visible() and _passes(line, inside):
            yield f"the line {line.get_label()!r}"
    for patch in axes.patches:
        background = (patch.get_alpha() or 1.0) < _BACKGROUND
        if patch.get_visible() and not background and _shared(patch.get_window_extent(), inside):
            yield "a bar or box"
    for collection in axes.collections:
        if collection.get_visible() and not isinstance(collection, QuadMesh) and _lies_in(collection, inside):
            yield "points or an area"


def _passes(line: Line2D, box: Bbox) -> bool:
    path = line.get_transform().transform_path(line.get_path())
    if line.get_linestyle() not in ("None", "none", "", " "):
        return path.intersects_bbox(box, filled=False)
    marked = line.get_marker() not in ("None", None, "")
    return marked and any(box.contains(x, y) for x, y in np.asarray(path.vertices))


def _lies_in(collection: Collection, box: Bbox) -> bool:
    offsets = collection.get_offset_transform().transform(collection.get_offsets())
    if len(offsets) > 1 or not collection.get_paths():
        return any(box.contains(x, y) for x, y in np.asarray(offsets))
    paths = (collection.get_transform().transform_path(path) for path in collection.get_paths())
    return any(path.intersects_bbox(box, filled=True) for path in paths)
