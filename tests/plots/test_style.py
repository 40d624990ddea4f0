"""The look of the figures, and the alt text that each must have."""

import html
import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from lmcourse import plots
from lmcourse.plots import style

ALT = "A line that rises from 1 to 3 over three steps."


def test_figures_have_the_courses_style(shown):
    fig, (axes,) = plots.figure()
    axes.plot([1, 2, 3])
    axes.set_title("A finding")
    assert axes.lines[0].get_color() == style.COLOURS[0]
    assert axes.get_title(loc="left") == "A finding"
    plots.show(fig, alt=ALT)
    (image,) = shown
    assert image.alt == image.text == ALT
    assert image.width == 660


def test_the_alternative_text_may_hold_any_character(shown):
    alt = "Weights: \"it\" < 'that' & 50 % on the first word."
    plots.show(plots.figure()[0], alt=alt)
    assert html.unescape(shown[0].alt) == alt
    assert '"' not in shown[0].alt


def test_a_smoke_run_draws_small(shown, monkeypatch):
    monkeypatch.setenv("LMCOURSE_PRESET", "smoke")
    plots.show(plots.figure()[0], alt=ALT)
    assert Image.open(io.BytesIO(shown[0].png)).size == (165, 82)
    assert shown[0].width == 660


def test_the_same_figure_gives_the_same_bytes_and_they_are_few_and_sharp(shown):
    for _ in range(2):
        fig, (axes,) = plots.figure()
        axes.plot(np.sin(np.linspace(0, 50, 2000)))
        plots.show(fig, alt=ALT)
    first, second = (output.png for output in shown)
    assert first == second
    assert len(first) < style.MAX_BYTES
    image = Image.open(io.BytesIO(first))
    assert image.size == (2 * 660, 2 * 330)
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255), "a card that dark pages show, too"
    blue = np.array([0x00, 0x72, 0xB2])
    distance = np.abs(np.asarray(image.convert("RGB"), dtype=int) - blue).max(axis=-1)
    assert distance.min() <= 2, "quantising keeps the palette"


def test_what_chapters_compare_has_one_colour_in_all_of_them():
    blue, orange, *_ = style.COLOURS
    assert style.colours(["LSTM", "self-attention"]) == [orange, blue]
    assert style.colours(["a bidirectional LSTM", "words"]) == [orange, blue]
    assert len(set(style.colours(["LSTM", "LSTM, fused", "a", "b", "c", "d", "e", "f"]))) == 8


def test_numbers_from_a_thousand_on_have_a_comma_and_powers_no_formula():
    fig, (linear, small, logarithmic) = plots.figure(columns=3)
    linear.plot([-3_000, 0, 5_000], [0, 10_000, 20_000])
    small.plot([0, 0.5, 1], [0, 500, 900])
    small.set_xticks([0, 1], ["2019", "2023"])  # years that a figure writes itself stay as they are
    logarithmic.loglog([1, 1_000], [1, 10_000])
    fig.canvas.draw()
    written = {text.get_text() for axis in (linear.xaxis, linear.yaxis) for text in axis.get_ticklabels()}
    assert {"\u22122,500", "0", "5,000", "20,000"} <= written
    assert not {"5000", "20000"} & written
    assert {text.get_text() for text in small.yaxis.get_ticklabels()} >= {"0", "200", "800"}
    assert [text.get_text() for text in small.xaxis.get_ticklabels()] == ["2019", "2023"]
    assert "10\u00b3" in {text.get_text() for text in logarithmic.xaxis.get_ticklabels()}
    plt.close(fig)


def test_a_figure_without_words_or_too_large_is_refused():
    fig, _ = plots.figure()
    with pytest.raises(ValueError, match="`alt` must say what the figure shows"):
        plots.show(fig, alt="a plot")
    plt.close(fig)
    with pytest.raises(ValueError, match=r"at most 6.0 x 3.5 inches, got 9 x 3"):
        plots.figure(width=9, height=3)
