"""Limits on the cost of a server's tools for an agent: their number and their tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..api import Api, Tool
from ..catalogue.tools_json import tokens, wire_tool
from ..diagnostics import Diagnostics, GenerationError, Located
from ..settings import Settings

_HINT = (
    "Leave operations out (`mcpgen settings` lists the ways), disable single tools in mcpgen.toml, "
    "or raise the limit."
)


_ROOM, _PER_CHARACTER = 32 * 1024 * 1024, 50
"""Bytes that any server may have, and further ones for each character of its documents."""


def check_size(files: Mapping[str, str | bytes], source_size: int) -> None:
    """Refuse files that are far too large for documents of `source_size` characters.

    Raises GenerationError.
    """
    size, most = sum(map(len, files.values())), _ROOM + _PER_CHARACTER * source_size
    if size > most:
        largest = max(files, key=lambda path: len(files[path]))
        raise GenerationError.of(
            "too-much-written",
            f"the server would have {size:,} bytes, from a document of {source_size:,} characters; "
            f"most of its bytes are in {largest}",
            hint="Every tool repeats a part of the document: remove that, or leave out operations.",
        )


def check(
    api: Api, place: Callable[[Tool], Located], settings: Settings, diagnostics: Diagnostics
) -> None:
    """Report an error if the tools exceed `max_tools` or `max_tokens`; 0 means no limit.

    The error points at the first tool above the limit, or at the largest tool; `place` returns a
    tool's place in its document.
    """
    count = len(api.tools)
    if settings.max_tools and count > settings.max_tools:
        message = (
            f"there are {count:,} tools; the limit is {settings.max_tools:,}, and this one is the "
            "first beyond it"
        )
        diagnostics.error("max-tools", message, place(api.tools[settings.max_tools]), hint=_HINT)
    if not settings.max_tokens:
        return
    wires = {tool.name: wire_tool(tool) for tool in api.tools}
    cost = tokens(list(wires.values()))
    if cost > settings.max_tokens:
        largest = max(api.tools, key=lambda tool: tokens([wires[tool.name]]))
        message = (
            f"the tools cost about {cost:,} tokens; the limit is {settings.max_tokens:,}; "
            f"the largest, {largest.name}, costs {tokens([wires[largest.name]]):,}"
        )
        diagnostics.error("max-tokens", message, place(largest), hint=_HINT)
