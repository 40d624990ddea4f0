"""The figures of chapter 02: they build without a warning, keep to the page's size and weight, and show their data."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from lmcourse.plots import embeddings
from lmcourse.plots.style import COLOURS
from tests.plots.page import drawing_functions, keeps_to_the_page, written

WORDS = ["files", "find", "my", "photos", "show"]
SPOTS = {"king": (3.0, 1.0), "queen": (3.0, 5.5), "man": (1.0, 1.0), "woman": (1.0, 5.0)}
GROUPS = {"ruling": {w: SPOTS[w] for w in ("king", "queen")}, "others": {w: SPOTS[w] for w in ("man", "woman")}}
TABLE = np.array([[0.1, 0.9, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])

DRAW = {
    "hourglass": lambda: embeddings.hourglass(WORDS, "my", [1.5, -0.5], [0.59, 0.01, 0.0, 0.39, 0.01], "finding"),
    "plane": lambda: embeddings.plane({"in": GROUPS, "out": GROUPS}, "finding"),
    "grouped_bars": lambda: embeddings.grouped_bars(
        {"one way": [0.7, 0.25], "another": [0.5, 0.0], "a third": [0.1, 0.2]}, ["capitals", "plurals"], "finding",
        ylabel="answered right", number=".0%",
    ),
    "against_counts": lambda: embeddings.against_counts(
        {"counts": {25_000: 43.0, 100_000: 35.0}, "network": {25_000: 45.0, 100_000: 34.0}},
        {"counts": {2: 3.6, 7: 2.1}, "network": {2: 3.6, 17: 2.3}}, "finding",
    ),
    "heaviest": lambda: embeddings.heaviest({"counts": [(",", 9.0)], "TF-IDF": [("witch", 7.0)]}, "finding"),
    "transfer": lambda: embeddings.transfer(
        {"2 numbers": [0.03, 0.1, 0.17], "full table": [0.03, 0.01, 0.0]},
        {"2 numbers": [0.03, 0.2, 0.23], "full table": [0.03, 0.1, 0.25]}, "finding",
    ),
    "skipgram": lambda: embeddings.skipgram(["the", "king", "and", "queen"], 3, 1, ["sword", "tree"], "finding"),
    "word_map": lambda: embeddings.word_map(
        {"ruling": ["king", "queen"], "others": ["man", "woman"]}, SPOTS, "finding",
    ),
    "arrows": lambda: embeddings.arrows([("man", "king"), ("woman", "queen")], SPOTS, "finding"),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_drawing_function_is_tested():
    assert set(DRAW) == drawing_functions(embeddings)


def test_hourglass_shows_the_one_and_the_probabilities():
    texts = written(DRAW["hourglass"]())
    assert [texts.count(sign) for sign in ("1", "0")] == [1, 4]
    assert "files 59%" in texts
    assert {"1.5", "-0.5"} <= set(texts)


def test_plane_writes_every_word_in_each_panel_and_puts_it_at_its_numbers():
    fig = DRAW["plane"]()
    assert all(written(fig).count(word) == 2 for word in SPOTS)
    points = {tuple(point) for line in fig.axes[0].lines for point in np.transpose(line.get_data())}
    assert points == set(SPOTS.values())


def test_names_on_one_spot_do_not_cover_each_other():
    fig = embeddings.plane(
        {"map": {"g": {"chisel": (1, 1), "drill": (1, 1), "saw": (1, 1), "else": (0, 0)}}}, "finding"
    )
    fig.canvas.draw()
    boxes = [note.get_window_extent() for note in fig.axes[0].texts]
    assert not any(a.overlaps(b) for place, a in enumerate(boxes) for b in boxes[:place])


def test_names_lie_on_no_point_and_no_other_name():
    spots = np.random.default_rng(0).normal(size=(24, 2)).round(3)
    named = {f"word {number}": tuple(spot) for number, spot in enumerate(spots.tolist())}
    fig = embeddings.plane({"map": {"g": named}}, "finding")
    fig.canvas.draw()
    boxes = [note.get_window_extent() for note in fig.axes[0].texts]
    assert not any(box.contains(*point) for box in boxes for point in fig.axes[0].transData.transform(spots))
    assert not any(a.overlaps(b) for place, a in enumerate(boxes) for b in boxes[:place])


def test_rays_start_at_the_origin():
    fig = embeddings.plane({"map": {"g": SPOTS}}, "finding", origin=True)
    rays = [line.get_xydata() for line in fig.axes[0].lines if len(line.get_xydata()) == 2]
    assert {tuple(ray[1]) for ray in rays} == set(SPOTS.values())
    assert all(tuple(ray[0]) == (0, 0) for ray in rays)


def test_bars_are_as_high_as_their_numbers():
    fig = DRAW["grouped_bars"]()
    heights = [bar.get_height() for bars in fig.axes[0].containers for bar in bars]
    assert heights == [0.7, 0.25, 0.5, 0.0, 0.1, 0.2]
    assert {"70%", "25%", "50%", "0%"} <= set(written(fig))


def test_the_legend_stands_above_the_bars():
    fig = DRAW["grouped_bars"]()
    fig.canvas.draw()
    axes = fig.axes[0]
    assert axes.get_legend().get_window_extent().y0 >= axes.get_window_extent().y1 - 4


def test_a_curve_keeps_its_points():
    left, right = DRAW["against_counts"]().axes
    assert list(left.lines[1].get_xdata()) == [25_000, 100_000]
    assert list(right.lines[1].get_ydata()) == [3.6, 2.3]


def test_arrows_go_from_the_first_word_to_the_second():
    axes = DRAW["arrows"]().axes[0]
    ends = [(tuple(note.xyann), tuple(note.xy)) for note in axes.texts if note.arrow_patch is not None]
    drawn = np.array(ends)  # (pairs, from and to, 2): turned about the mean, so all distances stay
    meant = np.array([(SPOTS["man"], SPOTS["king"]), (SPOTS["woman"], SPOTS["queen"])])
    for points in (drawn, meant):
        points -= points.reshape(-1, 2).mean(0)
    flat, expected = drawn.reshape(-1, 2), meant.reshape(-1, 2)
    np.testing.assert_allclose(flat @ flat.T, expected @ expected.T)


def test_grouped_bars_take_the_colours_that_they_are_given():
    fig = embeddings.grouped_bars({"a": [0.1], "b": [0.2]}, ["one"], "finding", ylabel="share", shades=(0, 5))
    assert [to_hex(bars[0].get_facecolor()).upper() for bars in fig.axes[0].containers] == [COLOURS[0], COLOURS[5]]


def test_skipgram_asks_for_one_neighbour_and_refuses_the_noise():
    texts = written(DRAW["skipgram"]())
    assert [texts.count(target) for target in ("1", "0")] == [1, 2]
    assert "v of 'queen'" in texts
    assert [texts.count(word) for word in ("king", "sword", "tree")] == [2, 1, 1]  # the neighbour stands in both rows


def test_transfer_draws_each_width_in_both_panels():
    fig = DRAW["transfer"]()
    assert [[list(line.get_ydata()) for line in axes.lines] for axes in fig.axes] == [
        [[0.03, 0.1, 0.17], [0.03, 0.01, 0.0]],
        [[0.03, 0.2, 0.23], [0.03, 0.1, 0.25]],
    ]


def test_word_map_shows_the_two_directions_of_most_difference_between_unit_vectors():
    vectors = {"a": (5.0, 0.0, 0.1), "b": (0.0, 2.0, 0.1), "c": (-1.0, 0.0, 0.0), "d": (0.0, -3.0, 0.0)}
    fig = embeddings.word_map({"all": list(vectors)}, vectors, "finding")
    (line,) = fig.axes[0].lines
    drawn = np.transpose(line.get_data())
    unit = np.array([np.array(v) / np.linalg.norm(v) for v in vectors.values()])
    kept = (unit - unit.mean(0))[:, :2]  # the third numbers hardly differ
    np.testing.assert_allclose(drawn @ drawn.T, kept @ kept.T, atol=0.005)
