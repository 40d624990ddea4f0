"""Figures with controls, which stay still pictures on pages without a kernel."""

import html
from collections.abc import Callable
from typing import Any

import ipywidgets
import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure

from lmcourse import checks
from lmcourse.plots.style import bundle, check_alt

VIEW = "application/vnd.jupyter.widget-view+json"


def explore(draw: Callable[..., Figure], alt: str | Callable[..., str], **controls: ipywidgets.DOMWidget) -> None:
    """Show controls above the figure that `draw` makes of their values, drawn anew whenever one of them moves.

    A page without a kernel (the site, a print, a notebook that is not trusted) shows the figure for the first values. A
    `ValueError` of `draw`, as for a word that a model does not know, is shown in place of the figure.

    Args:
        draw: takes the value of each control by name, returns a figure made by `figure`.
        alt: what the figure shows, in words; or a function of the values that returns it.
        controls: by name, such as `temperature=ipywidgets.FloatSlider(...)`; the name is the label, if it has no other.

    Raises:
        TypeError: an argument of another kind; `draw` returns no figure.
        ValueError: there is no control; `draw` refuses the first values; an `alt` that says too little.
    """
    box, still = explorer(draw, alt, **controls)
    names = ", ".join(control.description for control in controls.values())
    note = f"<p><small>Run this cell to change it: {html.escape(names)}.</small></p>"
    view = box._repr_mimebundle_()[VIEW]
    display({VIEW: view, "text/html": still["text/html"] + note, "text/plain": still["text/plain"]}, raw=True)


def explorer(
    draw: Callable[..., Figure], alt: str | Callable[..., str], **controls: ipywidgets.DOMWidget
) -> tuple[ipywidgets.VBox, dict[str, str]]:
    """Return the widget that `explore` shows, controls first, and the bundle of its first figure."""
    checks.function(draw=draw)
    if not callable(alt):
        check_alt(alt)
    if not controls:
        raise ValueError("`controls` must hold at least one control, got none.")
    for name, control in controls.items():
        checks.instance(ipywidgets.DOMWidget, **{f"controls[{name!r}]": control})

    def drawn() -> dict[str, str]:
        values = {name: control.value for name, control in controls.items()}
        fig = draw(**values)
        checks.instance(Figure, **{"draw(...)": fig})
        try:
            return bundle(fig, alt(**values) if callable(alt) else alt)
        finally:
            plt.close(fig)

    def redraw(_: Any) -> None:
        try:
            picture.value = drawn()["text/html"]
        except ValueError as error:
            picture.value = f"<p>{html.escape(str(error))}</p>"

    still = drawn()
    picture = ipywidgets.HTML(still["text/html"])
    for name, control in controls.items():
        control.description = control.description or name
        control.observe(redraw, names="value")
    return ipywidgets.VBox([*controls.values(), picture]), still
