"""Figures that one page alone draws, in a module named like the page: `from figures import ngrams as draw`.

This folder is delivered beside the pages, since a kernel starts in its notebook's folder and finds it there. What
several pages draw, or a reader may reuse, is in `lmcourse.plots`.
"""
