"""The surface of a server: every tool, or a few tools that find and call the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..api import Api
from ..catalogue.tools_json import tokens
from ..diagnostics import Diagnostics
from ..lock import Lock
from ..operations.effects import own_tools
from ..runtime.parts.search.answers import CALLING
from ..settings.settings import Settings

MANY_TOOLS = 80
"""From here on `auto` is `search`: hosts show models 40 to 128 tools at most."""
MANY_TOKENS = 10_000
"""The same of the tokens that name, description and inputSchema cost."""
_SHOWN = ("name", "description", "inputSchema")
_FIRST = ("find_tools", "describe_tools", "call_read_tool", "call_write_tool")
"""The search surface's own tools, where a lock does not say them."""


class Surface(Struct, frozen=True):
    """The surface of a server, and the reason if this run chose it."""

    name: str
    reason: str = ""


def decide(
    settings: Settings, old_lock: Lock | None, tools: Callable[[], Sequence[Mapping[str, Any]]]
) -> Surface:
    """The surface that the settings ask for; with `auto`, the lock keeps an earlier decision.

    `tools` returns the list of tools. A server that was generated with a plain list of tools keeps
    that list.
    """
    if settings.surface != "auto":
        return Surface(settings.surface)
    if old_lock is not None and old_lock.surface != "search":
        return Surface("tools")
    whole = tools()
    listing = [{key: tool[key] for key in _SHOWN if key in tool} for tool in whole]
    cost = tokens(listing)
    is_large = len(listing) >= MANY_TOOLS or cost >= MANY_TOKENS
    size = f"{len(listing):,} tools of about {tokens(whole):,} tokens are"
    if old_lock is not None:
        return Surface("search", "" if is_large else f"{size} now few enough for a list")
    return Surface("search", f"{size} too many for a list") if is_large else Surface("tools")


def tell(
    surface: Surface,
    api: Api,
    settings: Settings,
    old_lock: Lock | None,
    diagnostics: Diagnostics,
) -> tuple[str, ...]:
    """Report the choice of surface, and tools whose name a tool of the search surface has too.

    Returns the names of the tools that the search surface adds. If one of them is new, it is
    reported, since clients allow tools by name.
    """
    if surface.name != "search":
        return ()
    if surface.reason:
        diagnostics.note(
            "surface",
            f"the server has the surface `search`: {surface.reason}",
            hint='In mcpgen.toml, `surface = "tools"` lists all tools; `"search"` omits this note.',
        )
    own = own_tools(api.tools, settings.search.get("prefix", ""))
    if old_lock is not None and old_lock.surface == "search":
        before = old_lock.own_tools or _FIRST
        for name in own:
            if name.endswith(CALLING) and not name.endswith(before):
                diagnostics.note(
                    "surface-tools",
                    f"clients now list `{name}` too: it calls tools that only `call_write_tool` "
                    "called before",
                    hint="If your client allows tools by their names, allow this one too.",
                )
    for tool in api.tools:
        if tool.name in own:
            diagnostics.warning(
                "surface-name",
                f"the search surface has a tool named `{tool.name}` too, which hides yours there",
                hint="Rename it (`name` in mcpgen.toml), or set `prefix` in `[search]`.",
            )
    return own
