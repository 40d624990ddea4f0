"""The figure of a marked class."""

import matplotlib.pyplot as plt
import pytest

from lmcourse.plots.marks import PARTS, class_by_task
from tests.plots.page import keeps_to_the_page


@pytest.mark.parametrize("n_tasks", [1, 6, 13])
def test_bars_add_up_and_nothing_is_cut_off(n_tasks):
    counts = {f"a_task_with_a_long_name_{n}": {"right": 5, "known slip": n, "to look at": 1} for n in range(n_tasks)}
    title = "Hardest: a_task, right in 5 of 7 submissions"
    fig = keeps_to_the_page(lambda: class_by_task(counts, title), finding=title)
    (axes,) = fig.axes
    ends = [
        max(bar.get_x() + bar.get_width() for bar in axes.patches if bar.get_y() + 0.4 == n) for n in range(n_tasks)
    ]
    assert ends == [6 + n for n in range(n_tasks)]
    fig.canvas.draw()
    box = fig.get_tightbbox()
    assert box.x0 >= -0.05
    assert box.x1 <= fig.get_figwidth() + 0.05
    assert [text.get_text() for text in fig.legends[0].get_texts()] == list(PARTS)
    assert axes.get_xlabel() == "submissions"
    plt.close(fig)


def test_a_class_of_none():
    plt.close(class_by_task({"softmax": {}}, "No submission was marked"))
