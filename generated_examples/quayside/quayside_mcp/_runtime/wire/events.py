"""Server-sent events as the text of a body (HTML, "Parsing an event stream")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ArgumentError
from .spelling import scalar_text

_LINE_END = re.compile(r"\r\n|\r|\n")


def event_stream(argument: str, events: Sequence[Any]) -> str:
    """Write events, each an object of its fields; `data` may have several lines.

    Raises:
        ArgumentError: an event that is no object, or a field that no event can have.
    """
    return "".join(_event(f"{argument}[{at}]", event) for at, event in enumerate(events))


def _event(argument: str, event: Any) -> str:
    if not isinstance(event, Mapping):
        raise ArgumentError(argument, "must be an object: its members are the event's fields.")
    lines = []
    for name, value in event.items():
        if value is None:
            continue
        text = scalar_text(argument, value)
        if not name or ":" in name or _LINE_END.search(name):
            raise ArgumentError(argument, f"has a field {name!r}, which no event can have.")
        if name != "data" and _LINE_END.search(text):
            raise ArgumentError(argument, f"has more than one line in `{name}`.")
        lines += [f"{name}: {line}\n" for line in _LINE_END.split(text)]
    return "".join([*lines, "\n"])
