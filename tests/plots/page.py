"""What a figure owes the page, whatever it shows."""

import warnings
from collections.abc import Callable
from types import ModuleType

import matplotlib.pyplot as plt
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from lmcourse.plots import layout
from lmcourse.plots.style import MAX_BYTES, MAX_INCHES, png


def written(artist: Artist) -> list[str]:
    """Every text of a figure, or of a part of it."""
    return [text.get_text() for text in artist.findobj(plt.Text) if text.get_text()]


def keeps_to_the_page(draw: Callable[[], Figure], finding: str = "finding") -> Figure:
    """No warning, the page's size and weight, the finding as title, named axes, no text too small or upon another."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig = draw()
        image = png(fig)
    assert (fig.get_size_inches() <= MAX_INCHES).all()
    assert len(image) <= MAX_BYTES
    assert layout.faults(fig) == []
    assert finding in written(fig)
    plotted = [axes for axes in fig.axes if axes.axison and axes.lines and not axes.patches]
    assert not plotted or any(axes.get_xlabel() for axes in plotted) or fig.get_supxlabel()
    for axes in fig.axes:
        assert all(text.get_fontsize() >= 6.5 for text in axes.findobj(plt.Text) if text.get_text())
    return fig


def drawing_functions(module: ModuleType) -> set[str]:
    """The names of a module's own public functions."""
    return {
        name
        for name, thing in vars(module).items()
        if callable(thing) and getattr(thing, "__module__", "") == module.__name__ and not name.startswith("_")
    }
