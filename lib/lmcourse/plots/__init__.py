"""Every figure that the chapters draw."""

from lmcourse.plots.style import figure, show

__all__ = ["figure", "show"]
