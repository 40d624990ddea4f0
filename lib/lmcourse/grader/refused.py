"""nbgrader's own marking, refused: formgrader's button and `nbgrader autograde` would run answers as the teacher."""

from typing import Any

from nbconvert.exporters import NotebookExporter
from nbgrader.converters.base import NbGraderException


class Refused(NotebookExporter):
    """For `c.Autograde.exporter_class`: made before anything is run or written, and cannot be.

    Raises:
        NbGraderException: always; the message says what to use instead.
    """

    def __init__(self, **_: Any) -> None:
        raise NbGraderException(
            "nbgrader's Autograde runs answers without a sandbox, so it is switched off; mark with `lmcourse grade`."
        )
