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

from ..backend.response import headers_of
from ..guard.access import Access
from ..results.revisions import tools_for
from ..values.errors import is_failure
from ..values.settings import ConfigurationError
from . import listening
from .changing_catalogue import ChangingCatalogue
from .listening import Kind, Listening, Topic

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ..calls.context import Context
    from ..calls.parts import Parts
    from ..values.settings import Settings

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


class Changes:
    """What this feature keeps for one server: its tools, and who may use them."""

    def __init__(
        self, parts: Parts, settings: Settings, listeners: Listening, access: Access
    ) -> None:
        on_change = partial(listeners.changed, _TOOLS)
        self.catalogue = ChangingCatalogue(parts.catalogue, on_change, access.demand)
        self._page_size = settings.page_size
        self._may_use = _plain(parts.may_use)
        self._switches = None
        if settings.tools_file is not None:
            from .switches import Switches

            variable = f"{parts.api.env_prefix}_TOOLS_FILE"
            self._switches = Switches(settings.tools_file, variable, self.catalogue)

    async def list_tools(
        self, request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> dict[str, Any]:
        """`tools/list`: a page of a list that may change before the next one, for who asks.

        A cursor is a place in the list: no tool that stays is skipped or shown twice.

        Raises:
            MCPError: a cursor that is none.
        """
        start, size = _place(params.cursor), self._page_size
        rest = [entry for entry in self.catalogue.visible if entry.place >= start]
        rest = [entry for entry in rest if self._is_for(request, entry.tool["name"])]
        shown, later = rest[:size], rest[size:] if size else []
        result: dict[str, Any] = {
            "resultType": "complete",
            "tools": tools_for(request.protocol_version, [entry.tool for entry in shown]),
            "ttlMs": TTL_MS,
            "cacheScope": "public" if self._may_use is None else "private",
        }
        if later:
            result["nextCursor"] = str(later[0].place)
        return result

    async def call(
        self, request: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> dict[str, Any]:
        """`tools/call`: a tool that is not listed for who asks is unknown."""
        from ..calls.calls import call_tool

        if not self._is_for(request, params.name):
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name[:200]}")
        return await call_tool(self.catalogue, request, params)

    def allows(self, request: ServerRequestContext[Any], tool: str) -> bool:
        """Whether a tool is on, and who asks may use it."""
        return self.catalogue.get(tool) is not None and self._is_for(request, tool)

    def _is_for(self, request: ServerRequestContext[Any], tool: str) -> bool:
        """Whether who asks may use a tool; not where the author's function fails."""
        if self._may_use is None:
            return True
        try:
            return bool(self._may_use(tool, headers_of(request)))
        except BaseException as problem:
            if not is_failure(problem):
                raise
            logger.exception("may_use in hooks.py failed, and %s is withheld", tool)
            return False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Watch the operator's file while the server runs."""
        import anyio

        async with anyio.create_task_group() as tasks:
            if self._switches is not None:
                tasks.start_soon(self._switches.watch)
            yield
            tasks.cancel_scope.cancel()


def _place(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdigit() and len(cursor) < 10:
        return int(cursor)
    raise MCPError(code=INVALID_PARAMS, message="Unknown cursor: use the nextCursor of a page")


def _plain(may_use: MayUse | None) -> MayUse | None:
    """The author's function; one that must be awaited would say yes to everything."""
    if may_use is not None and iscoroutinefunction(unwrap(may_use)):
        raise ConfigurationError("may_use in hooks.py must be a plain function: it is not awaited")
    return may_use


def install(server: Server[Any], parts: Parts, settings: Settings) -> Changes:
    """Give a server tools of its own, which may change.

    Raises:
        ConfigurationError: the operator's file or the author's `may_use` cannot be used.
    """
    listeners = listening.of(server)
    changes = Changes(parts, settings, listeners, Access.of(server, parts.package, settings))
    server.add_request_handler("tools/list", PaginatedRequestParams, changes.list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, changes.call)
    server.get_tool_input_schema = changes.catalogue.input_schema
    listeners.add(Kind("toolsListChanged", _TOOLS.method))
    _CATALOGUES[server] = changes.catalogue
    return changes
