"""Every figure that the chapters draw."""

from lmcourse.plots.style import figure, show
from lmcourse.plots.views import head_view, model_view

__all__ = ["figure", "head_view", "model_view", "show"]
