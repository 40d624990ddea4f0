"""Figures of chapter 01: chains, coverage, smoothing; and Shannon's guessing game."""

import html
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets
import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from lmcourse.models.ngram import NGramModel
from lmcourse.plots.style import COLOURS, GREY, MARKERS, SHARES, TINTS, figure

ALPHABET = "abcdefghijklmnopqrstuvwxyz "  # Shannon's


def chain(columns: Sequence[Mapping[str, float]], title: str) -> Figure:
    """Draw a Markov chain from left to right: a column holds the words that may come next, with their probability."""
    fig, (axes,) = figure(height=2.4)
    points = [
        {word: (1.25 * x, (len(column) - 1) / 2 - y) for y, word in enumerate(column)}
        for x, column in enumerate(columns)
    ]
    for here, there, column in zip(points, points[1:], columns[1:], strict=False):
        for (x0, y0), (word, probability) in itertools.product(here.values(), column.items()):
            x1, y1 = there[word]
            style: dict[str, Any] = {
                "arrowstyle": "-|>",
                "mutation_scale": 9,
                "shrinkA": 22,
                "shrinkB": 26,
                "color": GREY,
            }
            axes.add_patch(FancyArrowPatch((x0, y0), (x1, y1), lw=0.6 + 1.4 * probability, **style))
            side = "center" if y0 == y1 else "right" if y1 > y0 else "left"  # beside a slanted arrow, not on it
            xy = ((x0 + x1) / 2, (y0 + y1) / 2 + 0.1)
            axes.text(*xy, f"{probability:.0%}", ha=side, va="bottom", fontsize=8)
    for word, (x, y) in (item for column in points for item in column.items()):
        box = {"boxstyle": "round,pad=0.35", "fc": TINTS[0], "ec": COLOURS[0]}
        axes.text(x, y, word, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
    tallest = max(map(len, columns))
    axes.set(xlim=(-0.4, 1.25 * (len(columns) - 1) + 0.5), ylim=(-tallest / 2, tallest / 2 + 0.1), title=title)
    axes.axis("off")
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
    for index, (name, values) in enumerate(shares.items()):
        axes.plot(range(1, len(values) + 1), np.asarray(values) * 100, marker=MARKERS[index], label=name)
    longest = max(map(len, shares.values()))
    axes.set(xlabel="order n", ylabel="test n-grams seen (%)", ylim=(0, 103), title=title)
    axes.set_xticks(range(1, longest + 1))
    axes.legend()
    return fig


def held_out_counts(train_counts: Sequence[int], held_out: Sequence[float], title: str) -> Figure:
    """Draw how often bigrams that were counted r times turn up in a held-out text of the same length."""
    fig, (axes,) = figure(height=2.8)
    r = np.asarray(train_counts)
    axes.plot(r, r, "--", color=COLOURS[7], label="if nothing were missing")
    axes.plot(r, held_out, marker="o", label="mean count in the other half")
    for count, value in zip(r, held_out, strict=True):
        if count:
            axes.annotate(f"-{count - value:.2f}", (count, value), (3, -11), textcoords="offset points", fontsize=7)
    axes.set(xlabel="count in the first half", ylabel="mean count in the other half", title=title)
    axes.set(xlim=(0.6, max(r) + 0.6), ylim=(-0.7, max(r) + 0.3))
    axes.legend()
    return fig


def votes(
    pairs: Sequence[str],
    present: np.ndarray,
    mask: np.ndarray,
    table: np.ndarray,
    outcomes: Sequence[str],
    title: str,
) -> Figure:
    """Draw pairs that vote (rows), which of them are present, the mask and the table of votes, and the sums below.

    Args:
        pairs: what each row stands for.
        present: (N,), 1 where the pair occurs in the sentence.
        mask: (N,), 1 where it is heard.
        table: (N, O), the votes of each pair.
        outcomes: what is voted for.
        title: the finding.
    """
    fig, (axes,) = figure(height=3.5, title=title)
    columns = ["in the program sentence", "mask", *(f"votes for '{outcome}'" for outcome in outcomes)]
    values = np.column_stack([present, mask, table])
    axes.imshow(
        values, cmap=SHARES, vmin=0, vmax=1.3, aspect="auto", extent=(-0.5, len(columns) - 0.5, len(pairs) - 0.5, -0.5)
    )
    for (row, column), value in np.ndenumerate(values):
        axes.text(
            column, row, f"{value:g}", ha="center", va="center", fontsize=8, color="white" if value > 0.8 else "black"
        )
    for below, (name, heard) in enumerate({"sum": present, "sum with mask": present * mask}.items()):
        axes.text(1.45, len(pairs) + below, name, ha="right", va="center", fontsize=8.5)
        for column, total in enumerate(heard @ table, start=2):
            axes.text(column, len(pairs) + below, f"{total:g}", ha="center", va="center", fontsize=9, weight="bold")
    axes.set_xticks(range(len(columns)), columns)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(pairs)), pairs)
    axes.set_ylim(len(pairs) + 1.6, -0.5)
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0)
    return fig


def discounting(
    words: Sequence[str], before: Sequence[float], kept: Sequence[float], given: Sequence[float], title: str
) -> Figure:
    """Draw probabilities after one history: what is cut off each on the left, and who gets it on the right."""
    fig, (left, right) = figure(columns=2, height=2.8, sharex=True, sharey=True, title=title)
    rows = np.arange(len(words))
    cut = np.asarray(before) - np.asarray(kept)
    taken: dict[str, Any] = {"color": COLOURS[1], "hatch": "///", "edgecolor": "white", "lw": 0.5}
    left.barh(rows, kept, color=COLOURS[0], label="kept")
    left.barh(rows, cut, left=kept, label="taken", **taken)
    right.barh(rows, kept, color=COLOURS[0], label="kept")
    right.barh(rows, given, left=kept, label="given", color=COLOURS[2])
    for row, start, amount in zip(rows, kept, given, strict=True):
        right.annotate(
            f"+{amount:.5f}", (start + amount, row), (3, 0), textcoords="offset points", va="center", fontsize=7
        )
    left.set_xlim(0, 1.25 * max(before) or 1.0)  # in a short run the history may never occur
    left.set_yticks(rows, words)
    left.invert_yaxis()
    for axes, name in ((left, "before"), (right, "after")):
        axes.set(xlabel=f"probability {name}")
        axes.grid(False, axis="y")
        axes.legend(loc="lower right")
    return fig


def bits_by_order(
    orders: Sequence[int], curves: Mapping[str, Sequence[float]], dashed: Mapping[str, Sequence[float]], title: str
) -> Figure:
    """Draw bits per byte against the order: a line for each amount of text, dashed what is no test."""
    fig, (axes,) = figure(height=3.2)
    for index, (name, values) in enumerate(curves.items()):
        axes.plot(orders, values, marker=MARKERS[index], color=COLOURS[index], label=name)
    for name, values in dashed.items():
        axes.plot(orders, values, "--", color=GREY, label=name)
    axes.set(xlabel="order n", ylabel="bits per byte", title=title)
    axes.set_xticks(orders)
    axes.legend(title="text counted", fontsize=8)
    return fig


def smoothings(perplexity: Mapping[str, Sequence[float]], left_out: str, title: str) -> Figure:
    """Draw test perplexity against the order: all methods on a logarithmic axis, and all but the worst one close up."""
    fig, (wide, close) = figure(columns=2, height=3.2, title=title)
    _lines(wide, perplexity, first_order=1)
    ticks = [tick for tick in (50, 100, 200, 500, 1000, 2000, 5000) if tick <= 1.3 * max(map(max, perplexity.values()))]
    wide.set(yscale="log", ylabel="test perplexity", title="all methods")
    wide.set_yticks(ticks, [f"{tick:,}" for tick in ticks])
    wide.minorticks_off()
    _lines(close, {name: row[1:] for name, row in perplexity.items() if name != left_out}, first_order=2, skip=1)
    close.set(title=f"close up, without {left_out}")
    close.legend(fontsize=7.5, loc="upper right")
    curve, colour = perplexity[left_out], COLOURS[list(perplexity).index(left_out)]
    end_of_curve = (len(curve), curve[-1])
    wide.annotate(left_out, end_of_curve, (-12, 4), textcoords="offset points", ha="right", va="center", color=colour)
    return fig


def _lines(axes: Axes, curves: Mapping[str, Sequence[float]], *, first_order: int, skip: int = 0) -> None:
    """One line a curve; `skip` leaves out the first colours, so that a curve keeps its own in both panels."""
    for index, (name, values) in enumerate(curves.items(), start=skip):
        orders = range(first_order, first_order + len(values))
        marker, colour = MARKERS[index % len(MARKERS)], COLOURS[index % len(COLOURS)]
        axes.plot(orders, values, marker=marker, color=colour, label=name)
    axes.set_xticks(range(first_order, first_order + max(map(len, curves.values()))))
    axes.set_xlabel("order n")


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


def only_letters(text: str) -> str:
    """Return the text in Shannon's alphabet: small letters, and single spaces for everything else."""
    spoken = re.sub(r"^[A-Z ]+\.$|\[.*?\]|'", "", text, flags=re.MULTILINE)  # not who speaks, nor stage directions
    return " ".join(re.sub("[^a-z]", " ", spoken.lower()).split())


def guesses_of(model: NGramModel, letters: str, first: int = 20) -> list[int]:
    """Return which guess of a character model is right at each letter from the `first` on, the likeliest one first."""
    columns = [model.vocabulary.index(letter) for letter in ALPHABET]
    guesses = []
    for here in range(first, len(letters)):
        probs = model.distribution(list(letters[max(here - model.order + 1, 0) : here]))[columns]
        guesses.append(int(np.sum(probs > probs[ALPHABET.index(letters[here])])) + 1)
    return guesses


def guess_the_next(
    letters: str, others: Sequence[int], bounds: Callable[[Sequence[int]], tuple[float, float]], first: int = 20
) -> None:
    """Let a reader guess letter by letter, beside the guesses of a model at the same letters.

    A page without a kernel shows the model's game: below each letter, the number of guesses that it took.

    Args:
        letters: the text, of which the first letters are given.
        others: which guess of the model was right, from the `first` letter on.
        bounds: from the guesses to the lowest and the highest number of bits that a letter can be worth.
        first: how many letters are given.
    """
    guesses: list[int] = []
    wrong: list[str] = []
    shown, box = ipywidgets.HTML(), ipywidgets.Text(placeholder="type the next letter, or a space")

    def score(who: str, played: Sequence[int]) -> str:
        low, high = bounds(played)
        return f"{who}: right at once {np.mean(np.asarray(played) == 1):.0%}, {low:.1f} to {high:.1f} bits a letter"

    def show() -> None:
        text = html.escape(letters[: first + len(guesses)]).replace(" ", "\u2423")
        lines = [f"<code style='white-space:normal'>{text}<b>_</b></code>", f"not: {' '.join(wrong)}" if wrong else ""]
        if guesses:
            lines += [f"{len(guesses)} letters", score("you", guesses), score("6-gram", others[: len(guesses)])]
        shown.value = "<br>".join(lines)

    def typed(change: dict[str, str]) -> None:
        if not change["new"] or len(guesses) == len(others):
            return
        guess, box.value = change["new"][-1].lower(), ""
        if guess == letters[first + len(guesses)]:
            guesses.append(len(wrong) + 1)
            wrong.clear()
        elif guess in ALPHABET and guess not in wrong:
            wrong.append(guess.replace(" ", "\u2423"))
        show()

    box.observe(typed, names="value")
    show()
    widget = ipywidgets.VBox([shown, box])
    still = "".join(
        f"<td style='text-align:center;padding:0 2px'><code>{letter.replace(' ', '␣')}</code><br>{number}</td>"
        for letter, number in zip(letters[first : first + 44], others, strict=False)
    )
    note = (
        f"<p><small>The 6-gram's guesses at each letter. Run this cell to play. {score('6-gram', others)}.</small></p>"
    )
    view = widget._repr_mimebundle_()
    display(view | {"text/html": f"<div style='overflow-x:auto'><table><tr>{still}</tr></table></div>{note}"}, raw=True)
