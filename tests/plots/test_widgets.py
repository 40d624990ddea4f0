"""Figures with controls: drawn anew when a control moves, still pictures where there is no kernel."""

import ipywidgets
import matplotlib.pyplot as plt
import pytest

from lmcourse import plots
from lmcourse.plots import widgets

ALT = "A straight line that rises to {height}."


def line(height):
    if height > 5:
        raise ValueError("`height` must be at most 5, got <6>.")
    fig, (axes,) = plots.figure()
    axes.plot([0, height])
    return fig


def test_a_control_redraws_the_figure_and_its_words():
    slider = ipywidgets.IntSlider(value=2, min=0, max=9, description="height of the line")
    open_before = plt.get_fignums()  # other tests of the process may have left some
    box, _ = widgets.explorer(line, lambda height: ALT.format(height=height), height=slider)
    control, picture = box.children
    first = picture.value
    assert control is slider
    assert first.startswith('<img alt="A straight line that rises to 2."')
    slider.value = 3
    assert picture.value.startswith('<img alt="A straight line that rises to 3."')
    assert picture.value != first
    slider.value = 6
    assert picture.value == "<p>`height` must be at most 5, got &lt;6&gt;.</p>"
    slider.value = 2
    assert picture.value == first
    assert plt.get_fignums() == open_before


def test_a_page_without_a_kernel_has_the_first_figure_and_says_what_to_do(shown):
    assert plots.explore(line, ALT, height=ipywidgets.IntSlider(value=2)) is None
    (output,) = shown
    assert output.html.startswith('<img alt="A straight line that rises to {height}."')
    assert output.html.endswith("<p><small>Run this cell to change it: height.</small></p>")
    assert output.text == ALT


def test_what_cannot_be_explored_is_refused(shown):
    with pytest.raises(ValueError, match="`controls` must hold at least one control"):
        plots.explore(line, ALT)
    with pytest.raises(ValueError, match="at most 5"):
        plots.explore(line, ALT, height=ipywidgets.IntSlider(value=9))
    with pytest.raises(TypeError, match=r"`draw\(\.\.\.\)` must be of type Figure, got NoneType"):
        plots.explore(lambda height: None, ALT, height=ipywidgets.IntSlider(value=2))
    with pytest.raises(TypeError, match=r"`controls\['height'\]` must be of type DOMWidget, got int"):
        plots.explore(line, ALT, height=2)
    assert not shown
