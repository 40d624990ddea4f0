"""The look of the figures, and the alt text that each must have."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from lmcourse import plots
from lmcourse.plots import ngrams, style

ALT = "A line that rises from 1 to 3 over three steps."


@pytest.fixture
def shown(monkeypatch):
    outputs = []
    monkeypatch.setattr(style, "display", outputs.append)
    return outputs


def test_figures_have_the_courses_style(shown):
    fig, (axes,) = plots.figure()
    axes.plot([1, 2, 3])
    axes.set_title("A finding")
    assert axes.lines[0].get_color() == style.COLOURS[0]
    assert axes.get_title(loc="left") == "A finding"
    plots.show(fig, alt=ALT)
    image, words = shown
    assert image.alt == ALT
    assert words.data == f"*{ALT}*"
    assert not plt.get_fignums()


def test_the_same_figure_gives_the_same_bytes_and_they_are_few(shown):
    for _ in range(2):
        fig, (axes,) = plots.figure()
        axes.plot(np.sin(np.linspace(0, 50, 2000)))
        plots.show(fig, alt=ALT)
    first, second = (output.data for output in shown[::2])
    assert first == second
    assert len(first) < 60_000
    width, height = Image.open(io.BytesIO(first)).size
    assert (width, height) == (660, 330)


def test_a_figure_without_words_or_too_large_is_refused():
    fig, _ = plots.figure()
    with pytest.raises(ValueError, match="`alt` must say what the figure shows"):
        plots.show(fig, alt="a plot")
    plt.close(fig)
    with pytest.raises(ValueError, match=r"at most 6.0 x 3.5 inches, got 9 x 3"):
        plots.figure(width=9, height=3)


def draw_all():
    row = {"words": [0.9, 0.5, 0.1], "characters": [1.0, 0.9, 0.8, 0.7]}
    yield ngrams.chain([{"a": 1.0}, {"b": 0.4, "c": 0.6}], "title")
    yield ngrams.transition_table(np.eye(3), list("abc"), list("abc"), "title")
    yield ngrams.zipf([5, 3, 2, 1, 1], "title")
    yield ngrams.coverage(row, "title")
    yield ngrams.held_out_counts([1, 2, 3], [0.4, 1.2, 2.1], "title")
    yield ngrams.bits_by_order(row, "title")
    yield ngrams.smoothings({"add 1": [300.0, 400.0, 900.0], "Kneser-Ney": [300.0, 110.0, 100.0]}, "add 1", "title")
    yield ngrams.table_growth([10.0, 100.0], [9, 50], "title")


@pytest.mark.filterwarnings("error")
def test_every_figure_of_chapter_01_is_drawn_with_title_and_units(shown):
    for fig in draw_all():
        axes = fig.axes[0]
        assert "title" in (axes.get_title(loc="left"), fig.get_suptitle())
        if axes.axison:
            assert axes.get_xlabel()
            assert axes.get_ylabel()
        plots.show(fig, alt=ALT)
    assert all(len(image.data) < 60_000 for image in shown[::2])
