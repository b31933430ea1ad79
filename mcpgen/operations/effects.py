"""The effect of a tool on the API's data; the names of the tools that the search surface adds."""

from __future__ import annotations

from collections.abc import Iterable

from ..api import Tool
from ..runtime.parts.search.answers import DESCRIBE, EFFECTS, FIND, READ


def effect_of(tool: Tool) -> str:
    """The effect of a tool: read, write or delete."""
    if tool.annotations.read_only:
        return "read"
    return "delete" if tool.http is not None and tool.http.method == "DELETE" else "write"


def own_tools(tools: Iterable[Tool], prefix: str = "") -> tuple[str, ...]:
    """The names of the tools that the search surface adds for `tools`, with `prefix` in front."""
    effects = {*map(effect_of, tools)}
    calling = (name for effect, name in EFFECTS.items() if name == READ or effect in effects)
    return tuple(f"{prefix}{name}" for name in (FIND, DESCRIBE, *calling))
