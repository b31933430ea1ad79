"""The log on stderr, and the printed output of flags on stdout."""

from __future__ import annotations

import json
import logging
import os
import select
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from io import TextIOWrapper
from typing import Any

from ..values.display import visible

_CHUNK_CHARACTERS = 1000
"""Characters that are written at a time: a pipe that has room takes 4,096 bytes (POSIX)."""
_WAIT_SECONDS = 0.5
"""Seconds to wait for whoever reads."""
_ACCESS_FIELDS = 5
"""What uvicorn's access log says of a request: client, method, path, protocol, status."""


class TerminalFormatter(logging.Formatter):
    """A log formatter that makes texts from clients and the API harmless for a terminal.

    Further lines of a record are indented, so that none of them looks like a record of the log.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        return visible(super().format(record)).replace("\n", "\n  ")


class JsonFormatter(logging.Formatter):
    """A log formatter that writes each record as a JSON object in one line of ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a JSON object in one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        event = {"time": at, "level": record.levelname, "logger": record.name}
        return json.dumps({**event, **_request(record), "message": super().format(record)})


def _request(record: logging.LogRecord) -> dict[str, Any]:
    """The fields of a request in uvicorn's access log."""
    if record.name != "uvicorn.access" or not isinstance(record.args, tuple):
        return {}
    if len(record.args) != _ACCESS_FIELDS:
        return {}
    client, method, path, _, status = record.args
    return {"client": client, "method": method, "path": path, "status": status}


class LossyHandler(logging.Handler):
    """Writes lines to stderr and never blocks; lines that find no room are dropped and counted.

    A client may leave stderr unread (MCP, stdio): waiting for room in the pipe would stop the
    server.
    """

    def __init__(self, what: str) -> None:
        """`what` names the lines in the message about dropped lines; for example, `the log`."""
        super().__init__()
        self._stream = sys.stderr
        self._what = what
        self._lost = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it as lost if there is no room."""
        try:
            self._write(f"{self.format(record)}\n")
        except Exception:
            self.handleError(record)

    def _write(self, text: str) -> None:
        if self._lost and self._has_room():
            notice = f"... {self._lost} lines of {self._what} were lost: nobody read them"
            if isinstance(self.formatter, JsonFormatter):
                notice = self.format(logging.LogRecord("log", 30, "", 0, notice, None, None))
            text = f"{notice}\n{text}"
            self._lost = 0
        for start in range(0, len(text), _CHUNK_CHARACTERS):
            if not self._has_room():
                self._lost += 1
                return
            self._stream.write(text[start : start + _CHUNK_CHARACTERS])
            self._stream.flush()

    def _has_room(self) -> bool:
        """Whether the stream has room for more; a slow reader gets a moment to catch up."""
        try:
            return bool(
                select.select([], [self._stream], [], 0 if self._lost else _WAIT_SECONDS)[1]
            )
        except (OSError, ValueError):  # on Windows, or where it is no file
            return True


def log_of_process(level: str, form: str = "text") -> None:
    """Write the log of the whole process to stderr."""
    logging.basicConfig(level=level, handlers=[_to_stderr(form)])
    # At DEBUG it writes the headers of answers, and those may set cookies.
    logging.getLogger("httpcore2").setLevel(logging.WARNING)


def log_of_package(package: str, level: str, form: str = "text") -> None:
    """Write the log of the server to stderr, unless the embedding program has configured logging.

    Without this, Python would write warnings and errors there without naming their source.
    """
    for name in (package, "mcp"):
        logger = logging.getLogger(name)
        if not logger.hasHandlers():
            handler = _to_stderr(form)
            handler.addFilter(lambda _: not logging.getLogger().handlers)
            logger.addHandler(handler)
            logger.setLevel(level)


def _to_stderr(form: str) -> logging.Handler:
    handler = LossyHandler("the log")
    text = TerminalFormatter("%(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonFormatter() if form == "json" else text)
    return handler


def print_lines(lines: Iterable[str]) -> int:
    """Print lines, escaping characters that stdout's encoding does not have.

    Returns the exit code: 1 if the lines cannot be written. A closed pipe is not an error.
    """
    if sys.stdout is None:
        return 0
    try:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        for line in lines:
            print(line)
        sys.stdout.flush()
        return 0
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python flushes the rest when it ends
        if isinstance(problem, BrokenPipeError):
            return 0
        print(f"stdout cannot be written: {problem.strerror}", file=sys.stderr)
        return 1
