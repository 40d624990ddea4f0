"""Figures of chapter 11: they draw what they are given, with axes that say what they show."""

import matplotlib.pyplot as plt
import pytest

from lmcourse.plots import rlhf as draw
from tests.plots.page import drawing_functions, keeps_to_the_page

LINE = ([0.0, 1.0, 2.0], [3.0, 5.0, 4.0])
RUNS = {0.1: [(20.0, 5.0, -2.0), (30.0, 6.0, -1.0)], 1.0: [(1.0, 1.0, 0.5)]}
DRAW = {
    "three_steps": lambda: draw.three_steps("finding"),
    "curves": lambda: draw.curves({"reward": {"a": LINE, "b": LINE}, "nats": {"a": LINE}}, "finding", across="step"),
    "each_seed": lambda: draw.each_seed({"true": {"PPO": [LINE, LINE], "no KL": [LINE]}}, "finding", across="step"),
    "tie_strength": lambda: draw.tie_strength(RUNS, 0.1, ["film brief: go away .", "a fine film ."]),
    "judged_by_bin": lambda: draw.judged_by_bin([(0.6, 0.58, 50)], {"person": [(0.5, 0.7), (2.0, 0.95)]}, "finding"),
    "frontier": lambda: draw.frontier({"PPO": LINE, "DPO": LINE}, "finding", limit=8),
    "bars": lambda: draw.bars({"full": [2.0, 4.0], "no KL": [-1.0, -3.0]}, "true reward", "finding"),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    chosen = "beta = 0.1: KL 25.0 nats, the judge gives +5.5, truly worth -1.5"
    keeps_to_the_page(DRAW[name], finding=chosen if name == "tie_strength" else "finding")


def test_every_drawing_function_is_tested():
    assert set(DRAW) == drawing_functions(draw)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_curves_draw_each_line_and_name_it_once():
    fig = draw.curves(
        {"reward": {"proxy": LINE, "true": LINE}, "nats": {"KL": LINE, "true": LINE}}, "finding", across="step"
    )
    left, right = fig.axes
    assert [line.get_ydata().tolist() for line in left.lines] == [LINE[1], LINE[1]]
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["proxy", "true"]
    assert [text.get_text() for text in right.get_legend().get_texts()] == ["KL"]
    assert left.lines[1].get_color() == right.lines[1].get_color()
    assert (left.get_ylabel(), right.get_ylabel(), left.get_xlabel()) == ("reward", "nats", "step")
    assert fig.get_suptitle() == "finding"


def test_a_mark_stands_where_it_belongs():
    fig = draw.curves({"reward": {"true": LINE}}, "finding", across="step", mark=(1.5, "stop here"))
    assert fig.axes[0].lines[-1].get_xdata() == [1.5, 1.5]
    assert fig.axes[0].texts[0].get_text() == "stop here"
    assert fig.axes[0].get_legend() is None


def test_bins_gaps_frontier_and_bars():
    fig = draw.judged_by_bin([(0.6, 0.58, 50), (0.9, 0.91, 70)], {"person": [(0.5, 0.7), (2.0, 0.95)]}, "finding")
    assert fig.axes[1].lines[0].get_ydata().tolist() == [0.7, 0.95]
    fig = draw.frontier({"PPO": LINE, "DPO": LINE}, "finding", limit=8)
    assert fig.axes[0].get_xlim()[1] == 8
    assert "nats" in fig.axes[0].get_xlabel()
    back = draw.frontier({"best of n": LINE, "PPO": ([0.0, 2.0, 1.0], LINE[1])}, "finding").axes[0]
    assert [line.get_linestyle() for line in back.lines] == ["-", "None"]
    fig = draw.bars({"full": [2.0, 4.0], "no KL": [-1.0, -3.0]}, "true reward", "finding")
    assert [patch.get_width() for patch in fig.axes[0].patches] == [3.0, -2.0]


def test_the_three_steps_name_their_parts():
    texts = " ".join(text.get_text() for text in draw.three_steps("finding").axes[0].texts)
    for part in ("fine-tuned", "reward model", "policy", "comparisons", "1 imitate", "2 compare", "3 reinforce"):
        assert part in texts


def test_runs_of_one_thing_have_one_colour_and_stand_in_the_legend_once():
    fig = draw.each_seed({"true": {"PPO": [LINE, LINE], "no KL": [LINE]}, "judge": {"no KL": [LINE]}}, "f", across="x")
    left, right = fig.axes
    assert len({line.get_color() for line in left.lines[:2]}) == 1
    assert len({line.get_linestyle() for line in left.lines[:2]}) == 2
    assert left.lines[2].get_color() == right.lines[0].get_color() != left.lines[0].get_color()
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["PPO", "no KL"]
    assert right.get_legend() is None
    assert (left.get_ylabel(), right.get_ylabel()) == ("true", "judge")


def test_panels_with_one_scale_have_titles():
    fig = draw.each_seed(
        {"a": {"": [LINE]}, "b": {"": [LINE]}}, "f", across="x", up="share", limit=1.5, level=(3.5, "even")
    )
    left, right = fig.axes
    assert left.get_title(loc="left") == "a"
    assert (left.get_ylabel(), right.get_ylabel()) == ("share", "")
    assert left.get_ylim() == right.get_ylim()
    assert left.get_xlim() == (0, 1.5)
    assert left.texts[0].get_text() == "even"
    assert left.get_legend() is None


def test_the_strength_of_the_tie_shows_the_chosen_runs_and_their_replies():
    fig = draw.tie_strength(RUNS, 0.1, ["film brief: go away .", "x" * 300])
    judged, true = fig.axes
    assert [line.get_ydata().tolist() for line in true.lines][1:] == [[-2.0, -1.0], [0.5]]
    assert [line.get_ydata().tolist() for line in judged.lines][1:] == [[5.0, 6.0], [1.0]]
    assert true.lines[1].get_markersize() > true.lines[2].get_markersize()
    assert fig.get_suptitle() == "beta = 0.1: KL 25.0 nats, the judge gives +5.5, truly worth -1.5"
    assert "go away" in fig.get_supxlabel()
    with pytest.raises(ValueError, match="`chosen` must be one of"):
        draw.tie_strength(RUNS, 0.2, [])
