"""The figures of chapter 00: they build without a warning, keep to the page's size and weight, and show their data."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from lmcourse.plots import foundations
from lmcourse.plots.style import COLOURS
from tests.plots.page import drawing_functions, keeps_to_the_page, written

WORDS = ["files", "find", "my", "photos"]
SCORES = np.array([0.2, 0.1, 0.1, 1.0])
PROBS = np.exp(SCORES) / np.exp(SCORES).sum()
TABLE = np.array([[0.0, 0.3, -0.2, 0.1], [0.1, -0.5, 1.5, 0.1], [0.2, 0.1, 0.1, 1.0], [-0.3, 0.4, 0.2, 0.0]])
PHRASE = np.eye(4)[[1, 2, 0]]
PATHS = {
    "SGD": np.array([[-4.0, 1.0], [-3.9, -0.5], [-3.8, 0.25]]),
    "momentum": np.array([[-4.0, 1.0], [-2.0, -1.0], [0.5, 0.5]]),
    "Adam": np.array([[-4.0, 1.0], [-3.0, 0.5], [-1.0, 0.0]]),
}
FAMILY = [("n-gram", 1948, "counts"), ("neural", 2003, "vectors"), ("GPT", 2018.4, "transformers")]

TEXTS = {"pairs": "tweveay d fonwor\nof the", "GPT": "bent: " + "a long sentence " * 20}

DRAW = {
    "continuations": lambda: foundations.continuations("the king is", TEXTS, "finding"),
    "bigram": lambda: foundations.bigram("my", np.eye(4)[2], TABLE, PROBS, WORDS, "finding"),
    "tables": lambda: foundations.tables({"learned": TABLE, "counted": TABLE.T}, WORDS, WORDS, "finding"),
    "computation_graph": lambda: foundations.computation_graph(
        [("w", 1), ("2w", 2), ("loss", 4)], ["times 2", "squared"], [8, 4, 1], "finding"
    ),
    "walk": lambda: foundations.walk([1.0, 2.6, 40.0], "finding"),
    "learning": lambda: foundations.learning([1, 2, 3], [4.0, 3.0, 2.6], 2.5, "counted", "finding"),
    "next_word": lambda: foundations.next_word(WORDS, SCORES, PROBS, "finding"),
    "label_codes": lambda: foundations.label_codes(
        {word: place for place, word in enumerate(WORDS, start=1)}, ("files", "my"), "finding"
    ),
    "phrase_matrix": lambda: foundations.phrase_matrix(PHRASE, ["find", "my", "files"], WORDS, "finding"),
    "dot_product": lambda: foundations.dot_product(np.array([3.0, 1.0]), np.array([1.0, 2.0]), "finding"),
    "lookup": lambda: foundations.lookup(PHRASE, TABLE, ["find", "my", "files"], WORDS, "finding"),
    "against_rescaling": lambda: foundations.against_rescaling(
        WORDS, [("after my", SCORES / SCORES.sum(), PROBS), ("after find", TABLE[1] / TABLE[1].sum(), PROBS)], "finding"
    ),
    "temperature": lambda: foundations.temperature(
        WORDS, np.array([0.1, 1.0, 10.0]), np.stack([np.eye(4)[3], PROBS, np.full(4, 0.25)]), "finding"
    ),
    "gradient_rows": lambda: foundations.gradient_rows(
        PHRASE[:2], PHRASE[1:] - 0.25, ["find my", "my files"], WORDS, "finding"
    ),
    "valley": lambda: foundations.valley(150, PATHS, "finding"),
    "family": lambda: foundations.family(
        FAMILY, [("n-gram", "neural"), ("neural", "GPT")], "finding", labels={"neural": "below"}
    ),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_drawing_function_is_tested():
    assert set(DRAW) == drawing_functions(foundations)


def test_next_word_writes_the_probabilities_of_the_worked_example():
    # e^.2, e^.1, e^.1, e^1 over their sum 6.15 = .199, .180, .180, .442
    texts = written(DRAW["next_word"]())
    assert [texts.count(number) for number in ("20", "18", "44")] >= [1, 2, 1]


def test_label_codes_mark_the_average():
    assert "average = 2" in written(DRAW["label_codes"]())


def test_dot_product_projection_and_angle():
    # the projection of (1, 2) on (3, 1) is 5 / sqrt(10) = 1.58 long; the angle is 45 degrees
    texts = written(DRAW["dot_product"]())
    assert "projection of b on a: length 1.58" in texts
    assert "45 degrees" in texts


def test_lookup_shows_the_picked_rows():
    product = DRAW["lookup"]().axes[2]
    assert np.array_equal(product.images[0].get_array(), TABLE[[1, 2, 0]])


def test_against_rescaling_shows_bars_below_zero():
    _, right = DRAW["against_rescaling"]().axes
    heights = [bar.get_height() for container in right.containers for bar in container]
    assert min(heights) == pytest.approx(-0.5 / 1.2)
    assert right.get_ylim()[0] < min(heights)


def test_continuations_draw_line_breaks_as_signs_and_cut_long_texts():
    texts = written(DRAW["continuations"]())
    assert "tweveay d fonwor ⏎ of the" in texts
    assert sum(text.endswith(" ...") for text in texts) == 2  # the prompt and the long text
    assert max(map(len, texts)) <= 82


def test_bigram_shows_the_row_that_is_looked_up():
    scores = DRAW["bigram"]().axes[2]
    assert np.array_equal(scores.images[0].get_array()[:, 0], TABLE[2])


def test_computation_graph_multiplies_by_the_slope_of_each_operation():
    # 8 / 4 = 2 for doubling, 4 / 1 = 4 for the square of 2
    assert {"times 2", "times 4"} <= set(written(DRAW["computation_graph"]()))


def test_a_walk_that_leaves_the_picture_stays_at_its_border():
    assert max(line.get_xdata().max() for line in DRAW["walk"]().axes[0].lines) == 9


def test_valley_keeps_one_colour_an_optimiser():
    lines = DRAW["valley"]().axes[0].lines
    assert [to_hex(line.get_color()).upper() for line in lines[:3]] == list(COLOURS[:3])


def test_family_years_run_from_left_to_right_and_lanes_downwards():
    axes = DRAW["family"]().axes[0]
    spots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines]
    assert spots == sorted(spots)
    assert [y for _, y in spots] == [0, -1, -2]
    assert "GPT\n2018" in written(axes)
