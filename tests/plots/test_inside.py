"""The figures of chapter 12: they build without a warning, keep to the page's size and weight, and show their data."""

import json
import re

import numpy as np
import pytest

from lmcourse.plots import inside, layout
from lmcourse.training.ladder import Rung
from tests.plots.page import keeps_to_the_page

RANKS = [(layer, rank) for layer, rank in enumerate((40_000, 3_000, 20, 1), 1)]
BARS = {"attention 23": 3.5, "feed-forward 29": -2.1}
SCORES = np.linspace(0, 1, 7 * 3).reshape(7, 3)
SHARES = np.array([[1.0, 0.97, -0.35], [0.0, 0.15, 0.99]])
CURVES = {"trained": [(0, 50), (3, 99)], "untrained twin": [(0, 50), (3, 60)]}
RUNGS = [
    Rung("LSTM, small", "03", "live", 2.2, 300_000, 1, 5e12),
    Rung("LSTM, large", "03", "trained", 1.9, 2_000_000, 1, 5e14),
    Rung("GPT", "08", "trained", 1.8, 4_000_000, 1, 2e14),
    Rung("6-gram", "01", "live", 2.1, 1_500_000, 1),
    Rung("my own", "08", "live", 2.0, 3_000_000, 1),
]
NAMES = {
    "LSTM, small": ("LSTM 256", "LSTM"),
    "LSTM, large": ("LSTM 640", "LSTM"),
    "GPT": ("GPT 4x256", "transformer"),
    "6-gram": ("6-gram", "n-gram"),
    "my own": ("my own", "yours"),
}
OPERATIONS = {"LSTM, small": 6e5, "LSTM, large": 4e6, "GPT": 3e6, "6-gram": 12.0, "my own": 2e6}
IDEAS = {"LSTM": "a state", "transformer": "attention", "n-gram": "counting"}
WORDS = [["a", "b", "litter"], ["c", "a longer word", "box"]]
DRAW = {
    "ranks": lambda: inside.ranks({"box": RANKS}, {2: "and", 4: "box"}, "finding", labels=("layer", "rank")),
    "two ranks": lambda: inside.ranks({"a": RANKS, "b": RANKS[::-1]}, {}, "finding", labels=("layer", "rank")),
    "stream": lambda: inside.stream("finding"),
    "contributions": lambda: inside.contributions({"one": BARS, "two": BARS}, "finding", xlabel="logits"),
    "heads": lambda: inside.heads({"previous": SCORES, "first": SCORES}, "finding"),
    "patches": lambda: inside.patches({"a fact": (SHARES, ["France", "is"], [0, 21, 24])}, "finding"),
    "curves": lambda: inside.curves(
        {"new words": CURVES, "same words": CURVES}, "finding", labels=("layer", "right (%)"), level=("guessing", 50)
    ),
    "logarithmic": lambda: inside.curves(
        {"": {"CNN": [(100, 90), (2_000, 99)]}}, "finding", labels=("pictures", "right (%)"), logarithmic="x"
    ),
    "pictures": lambda: inside.pictures([np.eye(16)] * 3, ["a", "b", "c"], "finding", patch=4),
    "ladder": lambda: inside.ladder(RUNGS, NAMES, OPERATIONS, "finding", IDEAS, xlabel="operations"),
    "lens": lambda: inside.lens_table(WORDS, SHARES, ["to", "use", "the"], [15, 30], "finding"),
}


@pytest.mark.parametrize("name", DRAW)
def test_every_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_three_maps_of_patches_are_higher_and_have_room():
    fig = inside.patches({name: (SHARES, ["and", "Anna"], [0, 9, 27]) for name in "abc"}, "finding")
    assert layout.faults(fig) == []
    assert fig.get_size_inches()[1] <= 5.25


def test_the_best_rank_is_on_top():
    low, high = DRAW["ranks"]().axes[0].get_ylim()
    assert low > high


def test_what_speaks_against_an_answer_has_another_colour():
    bars = DRAW["contributions"]().axes[0].patches
    assert bars[0].get_facecolor() != bars[1].get_facecolor()


def test_the_lens_shows_a_word_at_each_position_the_last_layer_on_top():
    axes = DRAW["lens"]().axes[0]
    at = {text.get_position(): text.get_text() for text in axes.texts}
    assert at[2, 1] == "box"
    assert at[1, 1] == "a long…"
    assert axes.get_ylim()[1] > axes.get_ylim()[0]


def test_the_lens_refuses_probabilities_that_do_not_fit():
    with pytest.raises(ValueError, match=r"`shares` must be \(1, 3\), got \(2, 3\)"):
        inside.lens_table(WORDS, SHARES, ["to", "use", "the"], [30], "finding")


def test_arrows_lead_from_the_best_model_of_an_idea_to_that_of_the_next_and_never_to_a_learners_own():
    axes = DRAW["ladder"]().axes[0]
    arrows = [text for text in axes.texts if text.arrow_patch is not None]
    ends = [(text.xyann, text.xy) for text in arrows]
    assert ends == [((4e6, 1.9), (3e6, 1.8)), ((3e6, 1.8), (12.0, 2.1))]
    assert "my own" in [text.get_text() for text in axes.texts]


def test_a_model_whose_operations_nobody_knows_is_left_out():
    known = {model: number for model, number in OPERATIONS.items() if model != "my own"}
    fig = inside.ladder(RUNGS, NAMES, known, "finding", IDEAS, xlabel="operations")
    assert "my own" not in [text.get_text() for text in fig.axes[0].texts]


def test_an_idea_without_a_model_gets_no_arrow():
    ideas = {"LSTM": "a state", "pretrained": "more text", "transformer": "attention"}
    fig = inside.ladder(RUNGS, NAMES, OPERATIONS, "finding", ideas, xlabel="operations")
    arrows = [text for text in fig.axes[0].texts if text.arrow_patch is not None]
    assert [(text.xyann, text.xy) for text in arrows] == [((4e6, 1.9), (3e6, 1.8))]


def test_the_explorer_holds_every_weight_and_fetches_nothing(shown):
    maps = np.zeros((2, 3, 2, 2))
    maps[..., 0, 0], maps[1, 2, 1] = 1.0, (0.25, 0.75)
    inside.head_explorer(
        maps,
        ["</script>", "b"],
        {"first": np.zeros((2, 3)), "other": np.ones((2, 3))},
        "finding",
        alt="Two maps of two layers and three heads, one white and one dark.",
        chosen=(1, 2),
    )
    page, still = shown
    source = (
        re.search(r'srcdoc="(.*)">Run this cell to see the map of heads.</iframe>', page.html, re.DOTALL)[1]
        .replace("&quot;", '"')
        .replace("&amp;", "&")
    )
    given = json.loads(re.search(r"const d = (\{.*\}), T = ", source)[1])
    assert given["tokens"] == ["</script>", "b"]
    assert source.count("</script>") == 1
    weights = [given["letters"].index(letter) / 63 for letter in given["weights"]]
    np.testing.assert_allclose(np.reshape(weights, maps.shape), maps, atol=0.5 / 63)
    assert "default-src 'none'" in source
    assert "://" not in source
    assert still.png


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"maps": np.zeros((2, 3, 2, 4))}, r"`maps` must be \(layers, H, 2, 2\)"),
        ({"scores": {"first": np.zeros((3, 2))}}, r"`scores` must be \(2, 3\) for each name, got \(3, 2\) for 'first'"),
        ({"chosen": (2, 0)}, "`chosen` must be a layer below 2 and a head below 3"),
    ],
)
def test_the_explorer_refuses_what_does_not_fit(changed, message):
    given = {"maps": np.zeros((2, 3, 2, 2)), "scores": {"first": np.zeros((2, 3))}, "chosen": (0, 0)} | changed
    with pytest.raises(ValueError, match=message):
        inside.head_explorer(tokens=["a", "b"], title="finding", alt="Two layers and three heads, all white.", **given)
