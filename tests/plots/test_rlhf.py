"""Figures of chapter 11: they draw what they are given, with axes that say what they show."""

import matplotlib.pyplot as plt
import pytest

from lmcourse.plots import rlhf as draw

LINE = ([0.0, 1.0, 2.0], [3.0, 5.0, 4.0])


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
