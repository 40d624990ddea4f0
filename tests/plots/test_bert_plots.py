"""The figures of chapter 09 show what they are given, within the page's limits."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lmcourse.plots import bert as draw
from tests.plots.page import keeps_to_the_page

WORDS = ["they", "sat", "on", "the", "bank"]
MAPS = {"continuation": np.tril(np.ones((5, 5))), "infilling": np.ones((5, 5))}
CURVES = {
    "questions": {"from scratch": {32: [0.5, 0.6], 128: [0.7, 0.8]}, "pretrained": {32: [0.8, 0.9], 128: [0.9, 0.9]}},
    "reviews": {"pretrained": {32: [0.8]}, "counting words": {32: [0.5]}},
}
SENSES = {"bank": ([1.0, 0.9, 0.8], [1.0, 0.8, 0.5]), "flies": ([1.0, 0.8, 0.7], [1.0, 0.7, 0.3])}
TEXTS, RIGHT = ["the k_ng is d_ad.", "what is th_ matter?"], ["the king is dead.", "what is the matter?"]
FILLED = {"6-gram": ["the kang is d ad.", "what is the matter?"], "BERT": ["the king is dead.", "what is the matter?"]}
DRAW = {
    "gaps": lambda: draw.gaps(TEXTS, FILLED, "finding", right=RIGHT),
    "architecture": lambda: draw.architecture("finding"),
    "pairs": lambda: draw.pairs(
        {"before": np.ones((3, 3)), "after": np.eye(3)}, "finding", rows="English", columns="German"
    ),
    "influence": lambda: draw.influence(MAPS, WORDS, "finding"),
    "learning": lambda: draw.learning([3.0, 2.5, 2.2], {"frequencies alone": 2.4}, "finding", ylabel="loss (nats)"),
    "by_labels": lambda: draw.by_labels(CURVES, "finding"),
    "senses": lambda: draw.senses(SENSES, "finding"),
    "similarities": lambda: draw.similarities(np.eye(3), ["one", "two", "three"], "finding"),
}


@pytest.mark.parametrize("name", DRAW)
def test_figures_keep_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_a_map_has_outputs_as_rows_and_words_read_as_columns():
    fig = DRAW["influence"]()
    first, second = fig.axes
    plt.close(fig)
    np.testing.assert_array_equal(first.images[0].get_array() > 0, MAPS["continuation"] > 0)
    np.testing.assert_array_equal(second.images[0].get_array() > 0, MAPS["infilling"] > 0)
    assert [label.get_text() for label in first.get_yticklabels()] == WORDS
    assert (first.get_xlabel(), first.get_ylabel()) == ("word read", "output at")


def test_lines_are_means_in_percent_and_each_start_keeps_its_colour():
    fig = DRAW["by_labels"]()
    questions, reviews = fig.axes
    plt.close(fig)
    lines = {line.get_label(): line for line in (*questions.lines, *reviews.lines)}
    assert questions.lines[0].get_xdata().tolist() == [32, 128]
    assert questions.lines[0].get_ydata().tolist() == pytest.approx([55, 75])
    pretrained = [line for axes in (questions, reviews) for line in axes.lines if line.get_label() == "pretrained"]
    assert pretrained[0].get_color() == pretrained[1].get_color() != lines["counting words"].get_color()
    dots = [line.get_ydata().tolist() for line in questions.lines if line.get_marker() == "."]
    assert pytest.approx([50, 60]) in dots
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["from scratch", "pretrained", "counting words"]


def test_senses_are_drawn_by_layer():
    fig = DRAW["senses"]()
    bank, flies = fig.axes
    plt.close(fig)
    assert bank.lines[0].get_ydata().tolist() == SENSES["bank"][0]
    assert flies.lines[1].get_ydata().tolist() == SENSES["flies"][1]
    assert bank.lines[0].get_xdata().tolist() == [0, 1, 2]


def test_similarities_are_on_a_scale_with_0_in_the_middle():
    values = np.array([[1.0, -0.25], [-0.25, 1.0]])
    fig = draw.similarities(values, ["one", "two"], "finding")
    axes = fig.axes[0]
    plt.close(fig)
    assert axes.images[0].get_clim() == (-1, 1)
    assert [text.get_text() for text in axes.texts] == ["1.00", "-0.25", "-0.25", "1.00"]


def test_letters_in_gaps_are_blue_if_right_and_orange_if_not():
    fig = DRAW["gaps"]()
    (axes,) = fig.axes
    plt.close(fig)
    bold = [(text.get_text(), text.get_color()) for text in axes.texts if text.get_weight() == "bold"]
    blue, orange = draw.COLOURS[:2]
    assert bold == [("a", orange), ("␣", orange), ("i", blue), ("e", blue), ("e", blue), ("e", blue)]


def test_squares_of_cosines_have_the_same_scale():
    fig = DRAW["pairs"]()
    before, after, _ = fig.axes
    plt.close(fig)
    np.testing.assert_array_equal(after.images[0].get_array(), np.eye(3))
    assert before.images[0].get_clim() == after.images[0].get_clim() == (-1, 1)
    assert [label.get_text() for label in before.get_yticklabels()] == ["1", "2", "3"]
    assert (before.get_ylabel(), after.get_xlabel()) == ("English", "German")
