"""Figures of chapter 11: the three steps, curves of training, how sure a judge is, what a reward costs."""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse.plots.style import COLOURS, EDGE, FAINT, GREY, MARKERS, TINTS, colours, figure

Series = Mapping[str, tuple[Sequence[float], Sequence[float]]]

#: What several figures show has one colour in all of them: the truth, the judge, each method, the KL.
_OF_THINGS = {
    "true": 0, "truth": 0, "perfect judge": 0,
    "by the judge": 1, "judge": 1, "reward model": 1, "reward": 1,
    "GRPO": 2, "DPO": 3, "PPO": 4, "best of n": 6,
    "KL of a reply": 5, "entropy of a token": 7,
}  # fmt: skip


def three_steps(title: str) -> Figure:
    """Draw the three steps of RLHF: what is learned from what, and what is frozen."""
    fig, (axes,) = figure(height=2.9)
    top, bottom = 1.7, 0.0
    boxes = [
        (0.0, top, "replies\npeople wrote", "white", EDGE),
        (2.2, top, "fine-tuned\nmodel", TINTS[0], COLOURS[0]),
        (0.0, bottom, "comparisons:\nA or B?", "white", EDGE),
        (2.2, bottom, "reward model", TINTS[1], COLOURS[1]),
        (4.6, top, "policy", TINTS[2], COLOURS[2]),
        (4.6, bottom, "its replies", "white", EDGE),
    ]
    drawn = []
    for x, y, text, face, edge in boxes:
        box = {"boxstyle": "round,pad=0.35", "fc": face, "ec": edge, "lw": 1.4}
        drawn.append(axes.text(x, y, text, ha="center", va="center", fontsize=8.5, bbox=box))
    arrows = [
        (0, 1, "1 imitate", (1.08, top + 0.22)),
        (2, 3, "2 compare", (1.08, bottom + 0.22)),
        (1, 4, "start, and keep close (KL)", (3.5, top + 0.22)),
        (4, 5, "writes", (4.27, 0.85)),
        (5, 3, "judged", (3.42, bottom + 0.22)),
        (3, 4, "3 reinforce", (2.85, 0.95)),
    ]
    for start, end, text, xy in arrows:  # drawn after the boxes, whose edges cut them off
        axes.add_patch(FancyArrowPatch(
            boxes[start][:2], boxes[end][:2], arrowstyle="-|>", mutation_scale=10, color=GREY, lw=1.2, zorder=4,
            patchA=drawn[start].get_bbox_patch(), patchB=drawn[end].get_bbox_patch(), shrinkA=3, shrinkB=3,
        ))  # fmt: skip
        axes.text(*xy, text, ha="center", va="center", fontsize=7.5, color=GREY)
    axes.set(xlim=(-0.75, 5.3), ylim=(-0.55, 2.3), title=title)
    axes.axis("off")
    return fig


def curves(
    panels: Mapping[str, Series],
    title: str,
    *,
    across: str,
    mark: tuple[float, str] | None = None,
    markers: bool = False,
) -> Figure:
    """Draw lines in one panel or several side by side.

    Args:
        panels: by the label of the panel's vertical axis, lines by name as (across, up). A name has one colour in
            all panels, and stands in the legend of the first panel that has it. A panel with one line has no legend.
        title: the finding.
        across: the label of the horizontal axis.
        mark: a vertical line (where, what it is).
        markers: a marker at each point.
    """
    fig, all_axes = figure(columns=len(panels), height=2.8 if len(panels) > 1 else 3.0)
    names = list(dict.fromkeys(name for series in panels.values() for name in series))
    chosen = _colours(names)
    named: set[str] = set()
    for axes, (label, series) in zip(all_axes, panels.items(), strict=True):
        for name, (xs, ys) in series.items():
            index = names.index(name)
            every = 1 if markers else max(1, len(xs) // 6)
            line: dict[str, Any] = {"color": chosen[name], "marker": MARKERS[index], "markevery": every}
            axes.plot(xs, ys, label=None if name in named else name, **line)
        if mark is not None:
            axes.axvline(mark[0], color=GREY, lw=1, ls="--")
            axes.annotate(mark[1], (mark[0], 0.03), xycoords=("data", "axes fraction"), xytext=(4, 0),
                          textcoords="offset points", fontsize=7.5, color=GREY)  # fmt: skip
        if len(series) > 1 and named.union(series) != named:
            axes.legend(loc="best")
        named |= set(series)
        axes.set(xlabel=across, ylabel=label)
    _title(fig, all_axes, title)
    return fig


def each_seed(
    panels: Mapping[str, Mapping[str, Sequence[tuple[Sequence[float], Sequence[float]]]]],
    title: str,
    *,
    across: str,
    up: str | None = None,
    limit: float | None = None,
    level: tuple[float, str] | None = None,
) -> Figure:
    """Draw several runs of each of several things as thin lines of one colour, in one panel or several side by side.

    Args:
        panels: by the label of the panel's vertical axis, the runs by name, each (across, up). A name has one colour in
            all panels, and stands in the legend of the first panel that has it; an empty name stands in none.
        title: the finding.
        across: the label of the horizontal axis.
        up: if given, the label of the vertical axis of all panels, which then have the keys of `panels` as titles and
            one scale.
        limit: where the horizontal axis ends.
        level: a horizontal line (where, what it is).
    """
    fig, all_axes = figure(columns=len(panels), height=2.8 if len(panels) > 1 else 3.0, sharey=up is not None)
    chosen = _colours(dict.fromkeys(name for series in panels.values() for name in series))
    named = {""}
    for axes, (label, series) in zip(all_axes, panels.items(), strict=True):
        for name, runs in series.items():
            for number, (xs, ys) in enumerate(runs):
                once = name if number == 0 and name not in named else None
                axes.plot(xs, ys, color=chosen[name], ls=("-", "--", ":")[number % 3], lw=1.3, label=once)
        if level is not None:
            axes.axhline(level[0], color=GREY, lw=1, ls="--")
            axes.annotate(level[1], (0.01, level[0]), xycoords=("axes fraction", "data"), xytext=(0, 3),
                          textcoords="offset points", fontsize=7.5, color=GREY)  # fmt: skip
        if named.union(series) != named:
            axes.legend(loc="best")
        named |= set(series)
        axes.set(xlabel=across, ylabel=label)
        if up is not None:
            axes.set_title(label, fontsize=9)
            axes.set_ylabel(up if axes is all_axes[0] else "")
        if limit is not None:
            axes.set_xlim(0, limit)
    if up is not None:
        fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    else:
        _title(fig, all_axes, title)
    return fig


def tie_strength(
    runs: Mapping[float, Sequence[tuple[float, float, float]]], chosen: float, replies: Sequence[str]
) -> Figure:
    """Draw what policies earn against how far they went, at several strengths of the tie, with replies of one.

    Beside each point stands its beta.

    Args:
        runs: by beta, (KL in nats a reply, reward by the judge, true reward) of each seed.
        chosen: the beta that stands out.
        replies: of the policy with this beta, a line each.

    Raises:
        ValueError: there is no run with this beta.
    """
    if chosen not in runs:
        raise ValueError(f"`chosen` must be one of {list(runs)}, got {chosen!r}.")
    fig, all_axes = figure(columns=2, height=3.5)
    for column, (axes, label) in enumerate(zip(all_axes, ("reward by the judge", "true reward"), strict=True), start=1):
        means = [np.mean(each, axis=0) for each in runs.values()]
        axes.plot([mean[0] for mean in means], [mean[column] for mean in means], color=FAINT, lw=1.2)
        for beta, each in runs.items():
            colour = COLOURS[1] if beta == chosen else GREY
            size = {"markersize": 7.0 if beta == chosen else 3.0, "zorder": 3 if beta == chosen else 2}
            across, up = [run[0] for run in each], [run[column] for run in each]
            axes.plot(across, up, "o", color=colour, **size)  # type: ignore[arg-type]
            axes.annotate(f"{beta:g}", (max(across), min(up)), xytext=(5, -9), textcoords="offset points",
                          fontsize=7.5, color=colour, bbox={"fc": "white", "ec": "none", "pad": 0.5})  # fmt: skip
        axes.margins(0.12)
        axes.set(xlabel="KL to the SFT model (nats a reply)", ylabel=label, xscale="log")
    kl, judged, true = np.mean(runs[chosen], axis=0)
    fig.suptitle(
        f"beta = {chosen:g}: KL {kl:.1f} nats, the judge gives {judged:+.1f}, truly worth {true:+.1f}",
        x=0.01, ha="left", fontsize=11,
    )  # fmt: skip
    lines = [textwrap.shorten(reply, 105, placeholder=" ...") for reply in replies]
    fig.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=7.5, color=GREY)
    return fig


def judged_by_bin(
    sure: Sequence[tuple[float, float, int]],
    by_gap: Mapping[str, Sequence[tuple[float, float]]],
    title: str,
) -> Figure:
    """Draw a judge's calibration, and how often judges are right by the distance of what they compare.

    Args:
        sure: (how sure it is, share right, pairs) of each bin.
        by_gap: by judge, (distance, share right) points.
        title: the finding.
    """
    fig, (left, right) = figure(columns=2, height=2.8)
    left.plot([0.5, 1], [0.5, 1], color=EDGE, ls="--", label="perfect")
    centres, shares, pairs = (np.asarray(column) for column in zip(*sure, strict=True))
    errors = 2 * np.sqrt(shares * (1 - shares) / pairs)
    chosen, said = _colours(dict.fromkeys(("reward model", *by_gap))), "agreement with the person"
    left.errorbar(centres, shares, errors, fmt="o", color=chosen["reward model"], capsize=3, label="reward model")
    left.set(xlabel="how sure the reward model is", ylabel=said, xlim=(0.48, 1.02), ylim=(0.45, 1.02))
    left.legend(loc="upper left")
    for index, (name, points) in enumerate(by_gap.items()):
        xs, ys = zip(*points, strict=True)
        right.plot(xs, ys, color=chosen[name], marker=MARKERS[index], label=name)
    right.set(xlabel="distance in true reward", ylabel=said, ylim=(0.45, 1.02))
    right.legend(loc="lower right")
    _title(fig, [left, right], title)
    return fig


def frontier(series: Series, title: str, *, up: str = "true reward of a reply", limit: float | None = None) -> Figure:
    """Draw what each method reaches (up) for how far it goes (across, KL in nats a reply).

    Points are joined where the KL only grows; a path that comes back is drawn as points.
    """
    fig, (axes,) = figure(height=3.2)
    chosen = _colours(series)
    for index, (name, (kl, reward)) in enumerate(series.items()):
        joined = "-" if list(kl) == sorted(kl) else ""
        axes.plot(kl, reward, color=chosen[name], marker=MARKERS[index], linestyle=joined, label=name)
    if limit is not None:
        axes.set_xlim(-0.2, limit)
    axes.set(xlabel="KL to the fine-tuned model (nats a reply)", ylabel=up, title=title)
    axes.legend(loc="best")
    return fig


def bars(values: Mapping[str, Sequence[float]], label: str, title: str) -> Figure:
    """Draw one bar for each name, the mean of its values; where there are several, each is a dot."""
    fig, (axes,) = figure(height=2.6)
    for index, each in enumerate(values.values()):
        axes.barh(index, float(np.mean(each)), color=COLOURS[0], height=0.6, alpha=0.75)
        if len(each) > 1:
            axes.plot(each, [index] * len(each), "k.", markersize=5)
    axes.set_yticks(range(len(values)), list(values))
    axes.axvline(0, color=GREY, lw=0.8)
    axes.invert_yaxis()
    axes.set(xlabel=label)
    axes.grid(axis="y", visible=False)
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)  # from the left edge: the names may be long
    return fig


def _colours(names: Collection[str]) -> dict[str, str]:
    return dict(zip(names, colours(list(names), _OF_THINGS), strict=True))


def _title(fig: Figure, all_axes: Sequence[Axes], title: str) -> None:
    if len(all_axes) == 1:
        all_axes[0].set_title(title)
    else:
        fig.suptitle(title, x=0.01, ha="left", fontsize=11)
