"""Formulas as MathML, and a font in which their braces and roots stretch."""

import importlib.util
import re
from pathlib import Path

from fontTools import subset
from math_core import LatexError, LatexToMathML

_ROW_GAP = re.compile(r"\\\\\[[^\]]*\]")  # "\\[2ex]", which math_core does not read
_converter = LatexToMathML()
#: The signs that formulas use, as ranges of code points.
_SIGNS = ((0x20, 0x250), (0x300, 0x450), (0x2000, 0x2400), (0x27C0, 0x2C00), (0x1D400, 0x1D800))


def mathml(latex: str, *, display: bool) -> str:
    """Return a formula as MathML.

    Raises:
        ValueError: it cannot be read; so no page shows a formula's source.
    """
    try:
        return _converter.convert_with_local_state(_ROW_GAP.sub(r"\\\\", latex), displaystyle=display)
    except LatexError as error:
        raise ValueError(f"a formula cannot be turned into MathML: {latex!r}: {error}") from error


def font(path: Path) -> None:
    """Write STIX Two Math, which comes with the package ziamath, cut down to the signs of formulas, as WOFF2."""
    package = importlib.util.find_spec("ziamath")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the font for formulas comes with the package ziamath: pip install 'lmcourse[site]'")
    options = subset.Options(flavor="woff2", layout_features=["*"], notdef_outline=True)
    loaded = subset.load_font(str(Path(package.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[sign for first, end in _SIGNS for sign in range(first, end)])
    subsetter.subset(loaded)
    path.parent.mkdir(parents=True, exist_ok=True)
    subset.save_font(loaded, str(path), options)
