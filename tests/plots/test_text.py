"""Text as a picture: what cannot be seen is made visible, and a passage keeps to the page."""

import pytest

from lmcourse.plots.text import passage, visible
from tests.plots.page import keeps_to_the_page, written


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (b" the", "\u2423the"),
        ("a\tb\n", "a\u21e5b\u21b5"),
        (b"\xf0\x9f", "F0 9F"),  # half a character
        ("\U0001f642".encode(), "F0 9F 99 82"),  # a whole one that the font cannot draw
        ("\u0ba4", "E0 AE A4"),
        ("\u0436", "\u0436"),
        (b"\x00", "00"),
        (b"", ""),
    ],
)
def test_what_cannot_be_seen_is_made_visible(token, shown):
    assert visible(token) == shown


def test_a_passage_keeps_its_lines_and_wraps_long_ones():
    fig = keeps_to_the_page(lambda: passage("My lord,\n\nhow much is $5? " + "very " * 40, "finding"))
    lines = [line for line in written(fig) if line != "finding"]
    assert lines[0] == "My lord,"
    assert r"\$5?" in lines[1]
    assert 4 <= len(lines) <= 8
