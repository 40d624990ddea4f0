"""Figures of chapter 02: a word through a few numbers, maps of words, analogies."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, colours, figure

Spot = tuple[float, float]
Line = tuple[Spot, Spot]
Groups = Mapping[str, Mapping[str, Sequence[float]]]


def hourglass(words: Sequence[str], word: str, hidden: Sequence[float], probs: Sequence[float], title: str) -> Figure:
    """Draw a word's way: a one-hot column, the few numbers between, a probability for every word."""
    fig, (axes,) = figure(height=2.7)
    V, D = len(words), len(hidden)
    ys, middle = np.arange(V)[::-1], (V - 1) / 2 + (D - 1) / 2 - np.arange(D)
    for here in middle:
        for y, other in zip(ys, words, strict=True):
            strong = other == word
            axes.plot((0.42, 2.5), (y, here), color=COLOURS[0] if strong else FAINT, lw=1.2 if strong else 0.6)
            axes.plot((3.3, 5.2), (here, y), color=COLOURS[1], lw=0.7, alpha=0.7)
    for y, other, share in zip(ys, words, probs, strict=True):
        axes.text(-0.15, y, other, ha="right", va="center", fontsize=9)
        _box(axes, 0.15, y, "1" if other == word else "0", COLOURS[0] if other == word else EDGE)
        axes.barh(y, 2.2 * share, left=5.3, height=0.6, color=COLOURS[1])
        axes.text(5.38 + 2.2 * share, y, f"{other} {share:.0%}", va="center", fontsize=9)
    for here, number in zip(middle, hidden, strict=True):
        _box(axes, 2.9, here, f"{number:.1f}", COLOURS[2])
    for x, text in ((0.15, f"one-hot ({V},)"), (2.9, f"hidden ({D},)"), (6.2, "probability of the next word")):
        axes.text(x, V - 0.25, text, ha="center", fontsize=9, color=GREY)
    axes.text(1.5, -0.85, f"encoder E ({V}, {D})", ha="center", fontsize=9, color=COLOURS[0])
    axes.text(4.2, -0.85, f"decoder U ({D}, {V})", ha="center", fontsize=9, color=COLOURS[1])
    axes.set(xlim=(-1.2, 8.2), ylim=(-1.1, V + 0.2), title=title)
    axes.axis("off")
    return fig


def _box(axes: Axes, x: float, y: float, text: str, colour: str) -> None:
    box = {"boxstyle": "round,pad=0.25", "fc": "white", "ec": colour}
    axes.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box, zorder=3)


def plane(
    panels: Mapping[str, Groups],
    title: str,
    *,
    axis: tuple[str, str] | Mapping[str, tuple[str, str]] = ("first number", "second number"),
    origin: bool = False,
    height: float = 3.3,
    legend: bool = True,
) -> Figure:
    """Draw words as points, one panel an entry of `panels`, one colour a group.

    Args:
        panels: caption -> group -> word -> its two numbers.
        axis: what the two numbers are, or for each panel its own.
        origin: draw a ray from (0, 0) to each word, where directions matter.
        legend: name the groups.
    """
    fig, all_axes = figure(columns=len(panels), height=height, title=title)
    for axes, (caption, groups) in zip(all_axes, panels.items(), strict=True):
        for index, (name, group) in enumerate(groups.items()):
            colour, xy = COLOURS[index % 7], np.array(list(group.values()), dtype=float)
            axes.plot(*xy.T, MARKERS[index % len(MARKERS)], color=colour, label=name, ms=4)
            for x, y in xy if origin else ():
                axes.plot((0, x), (0, y), color=colour, lw=0.7, alpha=0.6)
        axes.margins(0.3 if len(panels) > 1 or origin else 0.13)
        axes.set_title(caption, fontsize=9)
        named = axis[caption] if isinstance(axis, Mapping) else axis
        axes.set(xlabel=named[0], ylabel=named[1])
        if origin:
            axes.set_aspect("equal")
    for axes, groups in zip(all_axes, panels.values(), strict=True):
        spots = [(word, x, y) for group in groups.values() for word, (x, y) in group.items()]
        rays = [((0.0, 0.0), (x, y)) for _, x, y in spots] if origin else []
        _name(fig, axes, spots, (0.0, 0.0) if origin else _middle(spots), rays)
    if legend and len(panels[next(iter(panels))]) > 1:
        all_axes[-1].legend(fontsize=7, handletextpad=0.2)
    return fig


def word_map(groups: Mapping[str, Sequence[str]], vectors: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw words by the two directions in which their vectors, scaled to length 1, differ most, one colour a group."""
    unit = {word: np.asarray(vector) / np.linalg.norm(vector) for word, vector in vectors.items()}
    spots = _principal_plane(unit)
    panel = {name: {word: spots[word] for word in group} for name, group in groups.items()}
    return plane({"": panel}, title, axis=("first direction", "second direction"), height=3.5)


def _principal_plane(vectors: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Each vector's coordinates along the two directions in which they differ most (PCA)."""
    rows = np.array(list(vectors.values()), dtype=np.float64)
    centred = rows - rows.mean(0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][:2]
    directions *= np.sign(directions[:, :1])  # either sign is as good: choose one
    return dict(zip(vectors, (centred @ directions.T).tolist(), strict=True))


def _name(
    fig: Figure, axes: Axes, words: Sequence[tuple[str, float, float]], centre: Spot, lines: Sequence[Line] = ()
) -> None:
    """Write each word beside its point, off all points, lines and other words, and rather away from `centre`.

    The figure must be complete but for these words, since they are placed by pixels.
    """
    fig.draw_without_rendering()  # lays out the axes
    point = fig.dpi / 72
    at = axes.transData.transform([(x, y) for _, x, y in words])
    dots = _squares(at, 3.5 * point)
    along = np.linspace(0.05, 0.95, 50)[:, None]
    ends = [axes.transData.transform(line) for line in lines]
    on_lines = np.concatenate([np.zeros((0, 2)), *(a + along * (b - a) for a, b in ends)])
    dashes = _squares(on_lines, 1.5 * point)
    window = axes.get_window_extent()
    options: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": 7.5}
    texts = [axes.annotate(word, (x, y), (0, 0), **options) for word, x, y in words]
    sides = [_sides(text.get_window_extent(), middle, point) for text, middle in zip(texts, at, strict=True)]
    away = np.sign(at - axes.transData.transform(centre))
    chosen = np.array([boxes[0] for boxes in sides])
    for sweep in range(4):  # later ones know where all the other words are
        for index, boxes in enumerate(sides):
            others = np.delete(chosen, index, axis=0) if sweep else chosen[:index]
            out = np.maximum(0, (*(window.min - boxes[:, :2]).T, *(boxes[:, 2:] - window.max).T)).sum(0)
            near = 0.2 * (1 - (_DIRECTIONS @ away[index]) / 2 + 0.5 * np.abs(_DIRECTIONS[:, 1])) * point**2
            letters = boxes + 0.1 * (boxes[:, 3] - boxes[:, 1])[:, None] * (0, 1, 0, -1)  # lower than the line
            taken = 4 * _overlap(letters, dots) + 0.3 * _overlap(letters, dashes) + _overlap(boxes, others)
            cost = taken + 5 * out * point + near
            chosen[index] = boxes[cost.argmin()]
    for text, box, middle in zip(texts, chosen, at, strict=True):
        text.set_position(tuple(((box[:2] + box[2:]) / 2 - middle) / point))
        text.set_horizontalalignment("center")


def _squares(middles: np.ndarray, half: float) -> np.ndarray:
    """Squares as (left, bottom, right, top), one a middle: (N, 2) -> (N, 4)."""
    return np.concatenate([middles - half, middles + half], axis=1)


def _middle(spots: Sequence[tuple[str, float, float]]) -> Spot:
    x, y = np.mean([spot[1:] for spot in spots], axis=0)
    return float(x), float(y)


_DIRECTIONS = np.array([(1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1)])


def _sides(extent: Bbox, middle: np.ndarray, point: float) -> np.ndarray:
    """The boxes (left, bottom, right, top) that a word may fill around its point, one a direction: (8, 4)."""
    half = np.array([extent.width, extent.height]) / 2
    straight = np.abs(_DIRECTIONS).sum(1, keepdims=True) == 1  # not diagonal
    centres = middle + _DIRECTIONS * (half + np.where(straight, 4.0, (3.5, 2.0)) * point)
    return np.concatenate([centres - half, centres + half], axis=1)


def _overlap(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The area that each of the boxes shares with the others, in square pixels: (N,)."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.maximum(0, high - low).prod(-1).sum(-1))


def against_counts(
    words: Mapping[str, Mapping[int, float]], characters: Mapping[str, Mapping[int, float]], title: str
) -> Figure:
    """Draw networks beside counts: word perplexity by the amount of text, bits per byte by the order."""
    fig, (left, right) = figure(columns=2, height=2.8, title=title)
    for index, (shade, (name, curve)) in enumerate(zip(colours(list(words)), words.items(), strict=True)):
        left.semilogx(list(curve), list(curve.values()), marker=MARKERS[index], color=shade, label=name)
    sizes = sorted({size for curve in words.values() for size in curve})
    left.set_xticks(sizes, [f"{size // 1000}" for size in sizes])
    left.minorticks_off()
    left.set(xlabel="thousand words of training text", ylabel="test perplexity")
    left.set_title("words", fontsize=9)
    left.legend()
    for index, (shade, (name, curve)) in enumerate(zip(colours(list(characters)), characters.items(), strict=True)):
        right.plot(list(curve), list(curve.values()), marker=MARKERS[index], color=shade, label=name)
    right.set(xlabel="order n", ylabel="bits per byte")
    right.set_xticks(sorted({order for curve in characters.values() for order in curve}))
    right.set_title("characters", fontsize=9)
    return fig


def heaviest(columns: Mapping[str, Sequence[tuple[str, float]]], title: str, *, xlabel: str = "weight") -> Figure:
    """Draw, in one panel each, the words with the largest numbers as horizontal bars."""
    fig, all_axes = figure(columns=len(columns), height=2.7, title=title)
    for index, (axes, (caption, rows)) in enumerate(zip(all_axes, columns.items(), strict=True)):
        axes.barh(range(len(rows)), [value for _, value in rows], color=COLOURS[index], height=0.66)
        axes.set_yticks(range(len(rows)), [f"'{word}'" if len(word) == 1 else word for word, _ in rows])
        axes.invert_yaxis()
        axes.set_title(caption, fontsize=9)
        axes.set_xlabel(xlabel)
        axes.grid(False, axis="y")
    return fig


def arrows(pairs: Sequence[tuple[str, str]], vectors: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw an arrow from the first word of each pair to the second, by the two directions in which they differ most."""
    fig, (axes,) = figure(height=3.3)
    points = _principal_plane(vectors)
    for first, second in pairs:
        style = {"arrowstyle": "-|>", "color": COLOURS[7], "shrinkA": 3, "shrinkB": 3}
        (x0, y0), (x1, y1) = points[first], points[second]
        axes.annotate("", (x1, y1), (x0, y0), arrowprops=style)
    for index in (0, 1):
        chosen = np.array([points[pair[index]] for pair in pairs], dtype=float)
        axes.plot(*chosen.T, MARKERS[index], color=COLOURS[index], ms=4)
    named = list(dict.fromkeys(word for pair in pairs for word in pair))
    axes.margins(0.12)
    axes.set(xlabel="first direction", ylabel="second direction", title=title)
    spots = [(word, points[word][0], points[word][1]) for word in named]
    point_of = {word: (x, y) for word, x, y in spots}
    lines = [(point_of[first], point_of[second]) for first, second in pairs]
    _name(fig, axes, spots, _middle(spots), lines)
    return fig


def transfer(left: Mapping[str, Sequence[float]], right: Mapping[str, Sequence[float]], title: str) -> Figure:
    """Draw the probability of juice after orange (left) and after grape (right) after each training step, by width."""
    fig, panels = figure(columns=2, height=2.8, sharey=True, title=title)
    for axes, curves, word in zip(panels, (left, right), ("orange", "grape"), strict=True):
        for index, (name, values) in enumerate(curves.items()):
            style = ("-", "--", "-.", ":")[index % 4]
            steps = range(1, len(values) + 1)
            axes.plot(steps, values, style, color=COLOURS[index], label=name, marker=MARKERS[index], markevery=0.1)
        axes.set_xscale("log")
        axes.set_title(f"juice after {word}", fontsize=9)
        axes.set_xlabel("training steps (logarithmic)")
    panels[0].set_ylabel("probability")
    fig.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, handlelength=2.4)
    return fig


def skipgram(text: Sequence[str], centre: int, neighbour: int, noise: Sequence[str], title: str) -> Figure:
    """Draw one training example of skip-gram: a text, its centre's vector, the true neighbour and the noise words."""
    fig, (axes,) = figure(height=2.6)
    for index, word in enumerate(text):
        _box(axes, 1.4 * index, 2.6, word, {centre: COLOURS[0], neighbour: COLOURS[2]}.get(index, FAINT))
    axes.text(1.4 * centre, 3.1, "centre", ha="center", fontsize=9, color=COLOURS[0])
    axes.text(1.4 * neighbour, 3.1, "neighbour", ha="center", fontsize=9, color=COLOURS[2])
    middle, candidates = 1.4 * centre, [text[neighbour], *noise]
    axes.annotate("", (middle, 1.55), (middle, 2.3), arrowprops={"arrowstyle": "-|>", "color": COLOURS[0]})
    _box(axes, middle, 1.25, f"v of '{text[centre]}'", COLOURS[0])
    for y, name in ((0.0, "u of"), (-0.62, "target")):
        axes.text(-0.75, y, name, ha="right", va="center", fontsize=9, color=GREY)
    for index, word in enumerate(candidates):
        true, x = index == 0, 1.4 * index
        colour = COLOURS[2] if true else COLOURS[1]
        axes.plot((middle, x), (0.98, 0.28), color=colour, lw=1.4 if true else 0.9, zorder=1)
        _box(axes, x, 0.0, word, colour)
        axes.text(x, -0.62, "1" if true else "0", ha="center", va="center", fontsize=9, color=colour)
    axes.set(xlim=(-1.6, 8.0), ylim=(-0.9, 3.4), title=title)
    axes.axis("off")
    return fig
