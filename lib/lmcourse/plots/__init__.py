"""Figures that several pages share or a reader may reuse; tables, widgets, and the look of them all."""

from lmcourse.extras import needs

with needs("lab", "drawing figures (lmcourse.plots)"):
    from lmcourse.plots.chat_widget import ChatModel, chat
    from lmcourse.plots.style import figure, show
    from lmcourse.plots.tables import as_table
    from lmcourse.plots.views import head_view, model_view
    from lmcourse.plots.widgets import explore

__all__ = ["ChatModel", "as_table", "chat", "explore", "figure", "head_view", "model_view", "show"]
