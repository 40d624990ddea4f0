"""Runs at the start of the kernel in which a page is built: a figure whose layout is unsound says so on stderr.

A page that wrote to stderr is not fit to be shown (`tools.notebooks.faults`).
"""


def _watch() -> None:
    import sys

    from lmcourse.plots import layout, style

    real = style.png

    def png(fig):
        for fault in layout.faults(fig):
            print(f"the figure's layout: {fault}", file=sys.stderr)
        return real(fig)

    style.png = png


_watch()
del _watch
