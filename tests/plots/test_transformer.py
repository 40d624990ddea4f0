"""The figures of chapter 06: they build without a warning, keep to the page's size and weight, and show their data."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from lmcourse.layers.positions import sinusoidal_positions
from lmcourse.plots import transformer
from lmcourse.plots.style import COLOURS
from tests.plots.page import keeps_to_the_page, written

TABLE = sinusoidal_positions(19, 10).numpy()
SERIES = {"one": ([1, 2, 4], [0.5, 0.2, 0.1]), "two": ([1, 2, 4], [0.4, 0.3, 0.3])}
LOWER = np.tril(np.full((3, 3), 0.5))
NOTES = [f"{one}→{other}" for one, other in zip("ABCDEFGHIJKL", "LKJIHGFEDCBA", strict=True)]
LINKS = np.roll(np.eye(12), 5, axis=1) * 0.7 + 0.025
BOWL = np.add.outer(np.linspace(-1, 1, 7) ** 2, np.linspace(-1, 1, 7) ** 2) * 1.5  # 0 to 3
RUNS = {"one look": {"one note": [99, 100], "two notes": [9, 12]}, "two": {"one note": [100], "two notes": [98]}}
RUNS_OF = np.array([[0.1, 0.2, 0.6, 0.3, 0.2], [0.5, 0.4, 0.3, 0.2, 0.1], [0.7, 0.7, 0.7, 0.1, 0.2]])
DRAW = {
    "architecture": lambda: transformer.architecture("finding"),
    "decoder_only": lambda: transformer.decoder_only("finding"),
    "masks": lambda: transformer.masks({"own": (list("ab"), list("ab"), np.tril(np.ones((2, 2))))}, "finding"),
    "hops": lambda: transformer.hops(NOTES, LINKS, "Two notes from I?", LINKS[3], "A", "finding"),
    "dots": lambda: transformer.dots(RUNS, "finding", "answered (%)", guess=9),
    "circles": lambda: transformer.circles(TABLE, [0, 2], "finding"),
    "lines": lambda: transformer.lines({"": SERIES}, "finding", "step", "loss (nats)"),
    "two panels": lambda: transformer.lines(
        {"left": SERIES, "right": SERIES}, "finding", "step", "loss (nats)", logx=True, logy=True, xticks=[1, 2, 4]
    ),
    "spread_lines": lambda: transformer.spread_lines(
        {"loss": {"one": RUNS_OF, "two": RUNS_OF / 2}, "share": {"one": RUNS_OF, "two": RUNS_OF / 3}},
        [4, 16, 64],
        "finding",
        "blocks",
        [0.69, 0.5],
    ),
    "surfaces": lambda: transformer.surfaces({"plain": np.full((7, 7), 0.69), "valley": BOWL}, 0.5, "finding"),
    "jacobians": lambda: transformer.jacobians({"causal layer": LOWER, "norm": np.eye(3)}, list("abc"), "finding"),
}


@pytest.mark.parametrize("name", DRAW)
def test_every_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_the_architecture_names_every_part():
    text = " ".join(written(DRAW["architecture"]()))
    for part in ("causal self-attention", "cross-attention", "feed-forward", "memory", "shifted right", "× L"):
        assert part in text
    assert {"S × D", "T × D", "+"} <= set(written(DRAW["architecture"]()))
    assert "keys and values" in text
    assert "T × V" in text


def test_spread_lines_draw_the_median_and_every_run():
    for panel, divisor in zip(DRAW["spread_lines"]().axes, (2, 3), strict=True):
        named = {line.get_label(): line.get_ydata() for line in panel.lines if not line.get_label().startswith("_")}
        np.testing.assert_allclose(named["one"], [0.2, 0.3, 0.7])
        np.testing.assert_allclose(named["two"], np.array([0.2, 0.3, 0.7]) / divisor)
        assert len(panel.lines) == 2 * (5 + 1) + 1


def test_circles_are_drawn_from_the_table():
    fig = DRAW["circles"]()
    points = fig.axes[2].lines[1]  # pair 2: columns 4 (sine) and 5 (cosine)
    np.testing.assert_allclose(points.get_xdata(), TABLE[:8, 5])
    np.testing.assert_allclose(points.get_ydata(), TABLE[:8, 4])


def test_lines_show_every_series_with_its_own_dash_and_marker():
    fig = DRAW["two panels"]()
    for panel in fig.axes:
        assert [line.get_label() for line in panel.lines] == ["one", "two"]
        assert len({line.get_linestyle() for line in panel.lines}) == 2
        assert len({line.get_marker() for line in panel.lines}) == 2
        np.testing.assert_allclose(panel.lines[0].get_ydata(), SERIES["one"][1])
        assert panel.get_xscale() == panel.get_yscale() == "log"


def test_surfaces_are_of_one_colour_only_where_the_loss_is_the_same():
    plain, valley = (panel.collections[0] for panel in DRAW["surfaces"]().axes[:2])
    parts = [[len(path.vertices) > 0 for path in drawn.get_paths()] for drawn in (plain, valley)]
    assert [sum(part) for part in parts] == [1, 11]  # ten steps from 0 to 2 nats, and all above
    assert parts[0].index(True) == 3  # 0.69 lies between 0.6 and 0.8
    np.testing.assert_array_equal(plain.levels, valley.levels)  # one scale for both


def test_zeros_of_a_jacobian_are_left_white():
    image = DRAW["jacobians"]().axes[0].images[0].get_array()
    assert image.mask.tolist() == np.triu(np.ones((3, 3), bool), 1).tolist()


def test_the_norms_of_2017_are_dotted_after_the_sums_and_todays_orange_before_the_sublayers():
    parts = DRAW["architecture"]().axes[0].patches
    dotted = [part for part in parts if part.get_linestyle() in (":", "dotted")]
    orange = [part for part in parts if part.get_facecolor() == to_rgba(COLOURS[1])]
    assert len(dotted) == len(orange) == 5  # two in the encoder's layer, three in the decoder's


def test_a_mask_is_filled_where_a_token_may_look():
    (drawn,) = DRAW["masks"]().axes[0].collections
    assert np.asarray(drawn.get_array()).tolist() == [[1, 0], [1, 1]]


def test_hops_name_the_weights_that_are_spoken_of():
    texts = written(DRAW["hops"]())
    assert texts.count("72%") == 2  # of the question, and of the note that it finds
    assert texts.count("A→L") == 2
    assert any("Answer: A" in text for text in texts)


def test_dots_have_one_point_for_each_run():
    ones, twos = DRAW["dots"]().axes[0].lines[:2]
    assert list(ones.get_xdata()) == [99, 100, 100]
    assert list(twos.get_xdata()) == [9, 12, 98]
