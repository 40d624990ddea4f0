r"""Whatever a reader draws, dollar signs in it are dollar signs.

matplotlib takes text between two dollar signs for a formula, and fails if it is not one: "$x^$" is not. So every plot
function is called with such texts, made from the types of its arguments, and drawn.
"""

import collections.abc
import importlib
import inspect
import pkgutil
import re
import types
import typing
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from lmcourse import plots
from lmcourse.plots import style

ROOT = Path(__file__).parents[2]
BAD = ("$x^$", "$$", "a$_b$c")
NUMBERS = [0.5, 0.3, 0.2]
SQUARE = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]])

#: Where the types of the arguments do not say enough.
GIVEN: dict[str, dict[str, typing.Any]] = {"transformer.circles": {"table": np.ones((9, 12))}}


def functions() -> dict[str, collections.abc.Callable[..., Figure]]:
    """Every public function of the room that returns a figure, by module and name."""
    found = {}
    for info in pkgutil.iter_modules(plots.__path__):
        module = importlib.import_module(f"lmcourse.plots.{info.name}")
        for name, function in vars(module).items():
            own = inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
            if own and typing.get_type_hints(function).get("return") is Figure:
                found[f"{info.name}.{name}"] = function
    return found


def made(hint: typing.Any) -> typing.Any:
    """A value of a type: all texts are bad formulas, all sizes are three."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is str or origin in (typing.Union, types.UnionType):
        return BAD[0]
    if hint in (int, float):
        return 1
    if hint in (np.ndarray, typing.Any):
        return SQUARE
    if origin is tuple:
        return BAD[:2] if ... in arguments else tuple(made(argument) for argument in arguments)
    if origin is collections.abc.Mapping:
        keys = BAD if arguments[0] is str else (2, 4, 8)
        return {key: made(arguments[1]) for key in keys}
    if arguments == (str,):
        return list(BAD)
    if arguments in ((float,), (int,)):
        return NUMBERS if arguments == (float,) else [1, 2, 4]
    if arguments and typing.get_origin(arguments[0]) is tuple:
        inner = typing.get_args(arguments[0])
        if ... in inner:
            return [BAD[:1], BAD[:2], BAD]
        rows = [{str: BAD[n], int: n + 1, float: n + 0.5} for n in range(3)]
        return [tuple(row[kind] if kind in row else made(kind) for kind in inner) for row in rows]
    return [made(arguments[0]) for _ in range(3)]


def arguments(name: str, function: collections.abc.Callable[..., Figure]) -> dict[str, typing.Any]:
    hints, given = typing.get_type_hints(function), GIVEN.get(name, {})
    wanted = {
        parameter.name: made(hints[parameter.name])
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is inspect.Parameter.empty and parameter.name not in given
    }
    return wanted | given


@pytest.mark.parametrize("name", sorted(functions()))
def test_dollar_signs_are_drawn_as_they_are(name):
    function = functions()[name]
    fig = function(**arguments(name, function))
    fig.draw_without_rendering()  # all texts are parsed and laid out, no pixel is painted
    drawn = {text.get_text() for text in fig.findobj(Text)}
    plt.close(fig)
    assert any("$x^$" in text for text in drawn), drawn


@pytest.mark.parametrize("base", [10, 2])
def test_logarithmic_axes_have_labels_in_plain_text(base):
    fig, (axes,) = style.figure()
    axes.plot([base**-3, 1, base**5], [base**2, 5, base**4])
    axes.set_xscale("log", base=base)
    axes.set_yscale("log", base=base)
    fig.canvas.draw()
    drawn = {label.get_text() for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels(which="both")}
    assert {f"{base}⁻³", f"{base}⁰", f"{base}⁴"} <= drawn
    assert not [text for text in drawn if set("${}^\\") & set(text)]


def test_no_figure_is_made_past_the_style():
    for path in [*(ROOT / "lib" / "lmcourse").rglob("*.py"), *(ROOT / "chapters" / "figures").glob("*.py")]:
        if path.name != "style.py":
            assert not re.search(r"plt\.(subplots|figure|subplot)\b|\bFigure\(", path.read_text(encoding="utf-8")), path
