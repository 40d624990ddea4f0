"""Text as a picture: a passage, and tokens whose every sign a reader can see."""

import textwrap
from functools import cache

from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font

from lmcourse import checks
from lmcourse.plots.style import figure

MONO = "DejaVu Sans Mono"  # matplotlib brings it along, so that a figure is the same everywhere
_SIGNS = {" ": "\u2423", "\n": "\u21b5", "\t": "\u21e5"}  # open box, return arrow, tab arrow


@cache
def _drawable() -> frozenset[int]:
    """The code points that the figures' font has a picture of."""
    return frozenset(get_font(findfont(MONO)).get_charmap())


def visible(token: bytes | str) -> str:
    """The token as a reader can see it: a sign for white space, hexadecimal bytes where there is no letter to show.

    Bytes are shown as text if they are whole UTF-8 characters that the figures' font can draw, else byte by byte.

    >>> visible(b" the"), visible("\\n"), visible(b"\\xf0\\x9f")
    ('\u2423the', '\u21b5', 'F0 9F')
    """
    data = token.encode("utf-8") if isinstance(token, str) else bytes(token)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\x00"
    text = "".join(_SIGNS.get(sign, sign) for sign in text)
    if all(ord(sign) in _drawable() and sign.isprintable() for sign in text):
        return text
    return data.hex(" ").upper()


def passage(text: str, title: str) -> Figure:
    """Draw a passage of text, its line breaks kept and long lines wrapped and indented, at most eight lines."""
    checks.instance(str, text=text, title=title)
    lines = [part for line in text.splitlines() for part in (textwrap.wrap(line, 70, subsequent_indent="    ") or [""])]
    lines = lines[:8]
    fig, (axes,) = figure(height=0.55 + 0.21 * len(lines))
    axes.axis("off")
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    for number, line in enumerate(lines):
        height = 0.55 + 0.21 * len(lines)
        written = line.replace("$", r"\$")
        axes.text(0.02, 1 - (0.48 + 0.21 * number) / height, written, va="center", fontsize=9.5, family="DejaVu Serif")
    fig.set_layout_engine("none")
    fig.suptitle(title, x=0.01, y=0.98, ha="left", va="top", fontsize=11)
    return fig
