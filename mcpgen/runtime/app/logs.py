"""What stderr gets of the log: of a process of the server's own, or of one that others run."""

from __future__ import annotations

import logging

from ..guard.stderr import LossyHandler
from ..values.display import visible


class TerminalFormatter(logging.Formatter):
    """A log formatter that makes texts of clients and the API harmless for a terminal.

    Only the log's own lines begin at the margin.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        return visible(super().format(record)).replace("\n", "\n  ")


def of_process(level: str) -> None:
    """Write the log of the whole process to stderr."""
    logging.basicConfig(level=level, handlers=[_to_stderr()])
    # At DEBUG it writes the headers of answers, and those may set cookies.
    logging.getLogger("httpcore2").setLevel(logging.WARNING)


def of_package(package: str, level: str) -> None:
    """Write the log of the server to stderr, as long as whoever runs the process configures none.

    Python would write warnings and errors there, without saying whose they are.
    """
    for name in (package, "mcp"):
        logger = logging.getLogger(name)
        if not logger.hasHandlers():
            handler = _to_stderr()
            handler.addFilter(lambda _: not logging.getLogger().handlers)
            logger.addHandler(handler)
            logger.setLevel(level)


def _to_stderr() -> logging.Handler:
    handler = LossyHandler("the log")
    handler.setFormatter(TerminalFormatter("%(levelname)s %(name)s: %(message)s"))
    return handler
