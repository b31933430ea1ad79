"""Tools that change while the server runs: added, replaced, removed, switched off and on.

    from ._runtime.changes import catalogue

    catalogue(ctx).switch_off("deletePet")

That is in a handler; in `hooks.lifespan(server)` it is `catalogue(server)`. What is listed and may
be called depends on the server's state and, where `hooks.py` has a `may_use(tool, headers)`, on who
calls: never on the connection.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from inspect import iscoroutinefunction, unwrap
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from . import listening
from .changing_catalogue import ChangingCatalogue
from .context import headers_of
from .errors import is_failure
from .guarding.access import Access
from .listening import Kind, Listening, Topic
from .results.revisions import tools_for
from .settings import ConfigurationError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from .app import App
    from .context import Context
    from .settings import Settings

logger = logging.getLogger(__name__)

_TOOLS = Topic("notifications/tools/list_changed")
TTL_MS = 10_000
"""For how long a client that does not listen may believe in a list."""

_CATALOGUES: WeakKeyDictionary[Any, ChangingCatalogue] = WeakKeyDictionary()

MayUse = Callable[[str, Mapping[str, str]], bool]


def catalogue(of: Context | Server[Any]) -> ChangingCatalogue:
    """The tools of a server, or of the server that a handler's context belongs to."""
    request = getattr(of, "request", None)
    if request is not None:
        found: ChangingCatalogue = request.lifespan_context.features["changes"].catalogue
        return found
    return _CATALOGUES[of]


class ChangingList:
    """Pages of a list that may change between them.

    A cursor is a place in the list: no tool that stays is skipped or shown twice.
    """

    def __init__(self, tools: ChangingCatalogue, size: int | None, may_use: MayUse | None) -> None:
        self._tools = tools
        self._size = size
        self._may_use = may_use

    def page(self, request: ServerRequestContext[Any], cursor: str | None) -> dict[str, Any]:
        """The page at a cursor, for who asks.

        Raises:
            MCPError: a cursor that is none.
        """
        start = _place(cursor)
        rest = [entry for entry in self._tools.visible if entry.place >= start]
        rest = [entry for entry in rest if self.allows(request, entry.tool["name"])]
        shown, later = rest[: self._size], rest[self._size :] if self._size else []
        result: dict[str, Any] = {
            "resultType": "complete",
            "tools": tools_for(request.protocol_version, [entry.tool for entry in shown]),
            "ttlMs": TTL_MS,
            "cacheScope": "public" if self._may_use is None else "private",
        }
        if later:
            result["nextCursor"] = str(later[0].place)
        return result

    def allows(self, request: ServerRequestContext[Any], tool: str) -> bool:
        """Whether who asks may see and call a tool; not where the author's function fails."""
        if self._may_use is None:
            return True
        try:
            return bool(self._may_use(tool, headers_of(request)))
        except BaseException as problem:
            if not is_failure(problem):
                raise
            logger.exception("may_use in hooks.py failed, and %s is withheld", tool)
            return False


def _place(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdigit() and len(cursor) < 10:
        return int(cursor)
    raise MCPError(code=INVALID_PARAMS, message="Unknown cursor: use the nextCursor of a page")


class Changes:
    """What this feature keeps for one server."""

    def __init__(self, app: App, settings: Settings, listeners: Listening, access: Access) -> None:
        on_change = partial(listeners.changed, _TOOLS)
        self.catalogue = ChangingCatalogue(app.catalogue, on_change, access.demand)
        self.listing = ChangingList(self.catalogue, settings.page_size, _plain(app.may_use))
        self._switches = None
        if settings.tools_file is not None:
            from .switches import Switches

            variable = f"{app.api.env_prefix}_TOOLS_FILE"
            self._switches = Switches(settings.tools_file, variable, self.catalogue)

    def allows(self, request: ServerRequestContext[Any], tool: str) -> bool:
        """Whether a tool is on, and who asks may use it."""
        return self.catalogue.get(tool) is not None and self.listing.allows(request, tool)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Watch the operator's file while the server runs."""
        import anyio

        async with anyio.create_task_group() as tasks:
            if self._switches is not None:
                tasks.start_soon(self._switches.watch)
            yield
            tasks.cancel_scope.cancel()


def _plain(may_use: MayUse | None) -> MayUse | None:
    """The author's function; one that must be awaited would say yes to everything."""
    if may_use is not None and iscoroutinefunction(unwrap(may_use)):
        raise ConfigurationError("may_use in hooks.py must be a plain function: it is not awaited")
    return may_use


def install(server: Server[Any], app: App, settings: Settings) -> Changes:
    """Give a server tools of its own, which may change.

    Raises:
        ConfigurationError: the operator's file or the author's `may_use` cannot be used.
    """
    listeners = listening.of(server)
    changes = Changes(app, settings, listeners, Access.of(server, app.package, settings))
    tools, listing = changes.catalogue, changes.listing

    async def list_tools(
        request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> dict[str, Any]:
        return listing.page(request, params.cursor)

    async def call(
        request: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> dict[str, Any]:
        from .calls import call_tool

        if not listing.allows(request, params.name):
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name[:200]}")
        return await call_tool(tools, request, params)

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call)
    server.get_tool_input_schema = tools.input_schema
    listeners.add(Kind("toolsListChanged", _TOOLS.method))
    _CATALOGUES[server] = tools
    return changes
