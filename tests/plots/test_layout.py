"""A layout that a reader would stumble over is found, and a sound one is left alone."""

import pytest

from lmcourse import plots
from lmcourse.plots import layout


def drawn(**options):
    fig, (axes,) = plots.figure(**options)
    axes.plot([0, 1, 2], [0, 1, 4], label="a curve")
    axes.set(xlabel="steps", ylabel="loss (nats)", title="The loss rises")
    return fig, axes


def test_a_sound_figure_has_no_faults():
    fig, axes = drawn()
    axes.legend(loc="upper left")
    axes.annotate("the end", (2, 4), (1.2, 3.8), arrowprops={"arrowstyle": "-"})
    assert layout.faults(fig) == []


def test_words_upon_words_are_found():
    fig, axes = drawn()
    axes.text(1.0, 2.0, "one label")
    axes.text(1.05, 2.05, "another")
    assert layout.faults(fig) == ["'one label' and 'another' overlap"]


def test_tick_labels_that_run_into_each_other_are_found():
    fig, axes = drawn()
    axes.set_xticks([0, 0.1, 2], ["a long name", "a longer name", "short"])
    assert layout.faults(fig) == ["'a long name' and 'a longer name' overlap"]


def test_labels_of_ticks_out_of_view_and_turned_ones_are_not_counted():
    fig, axes = drawn()
    axes.set_xticks([0, 0.1, 2, 2.1], ["a long name", "a longer name", "short", "also long"], rotation=30)
    assert layout.faults(fig) == []
    axes.set_xticks([0, 1.9, 1.91], ["a", "b", "beneath it"])
    axes.set_xlim(0, 1.905)
    assert layout.faults(fig) == []


def test_words_that_the_figure_cuts_off_are_found():
    fig, _ = drawn(width=3.0)
    fig.suptitle("A title that is far longer than a figure of three inches can show")
    assert any("is cut off" in fault for fault in layout.faults(fig))


@pytest.mark.parametrize(
    ("draw", "what"),
    [
        (lambda axes: axes.plot([0, 2], [4, 4], label="level"), "the line 'level'"),
        (lambda axes: axes.plot([1.99], [3.9], "o", label="dot"), "the line 'dot'"),
        (lambda axes: axes.axhline(3.9, label="limit"), "the line 'limit'"),
        (lambda axes: axes.bar([1.8], [4.0], label="bar"), "a bar or box"),
        (lambda axes: axes.scatter([1.95, 1.0], [3.9, 0.0], label="points"), "points or an area"),
        (lambda axes: axes.fill_between([0, 2], 3.5, 4.5, label="area"), "points or an area"),
    ],
)
def test_a_legend_upon_the_data_is_found(draw, what):
    fig, (axes,) = plots.figure()
    axes.plot([0, 2], [0, 0], label="low")
    draw(axes)
    axes.legend(loc="upper right")
    assert f"the legend lies upon {what}" in layout.faults(fig)
    axes.set_ylim(0, 12)
    assert layout.faults(fig) == []
