"""Tools that change while the server runs: added, replaced, removed, switched off and on.

    from ._runtime import catalogue

    catalogue(ctx).switch_off("deletePet")

That is in a handler; in `hooks.lifespan(server)` it is `catalogue(server)`. What is listed and may
be called depends on the server's state and, where `hooks.py` has a `may_use(tool, headers)`, on who
calls: never on the connection.
"""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from inspect import iscoroutinefunction, unwrap
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from ..backend.response import headers_of
from ..guard.access import Access
from ..results.revisions import page, tools_for
from ..values.errors import is_failure
from ..values.settings import ConfigurationError
from . import listening
from .changing_catalogue import ChangingCatalogue
from .listening import Kind, Listening, Topic

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ..calls.catalogue import Parts
    from ..calls.context import Context
    from ..values.settings import Settings

logger = logging.getLogger(__name__)

_TOOLS = Topic("notifications/tools/list_changed")
TTL_MS = 10_000
"""For how long a client that does not listen may believe in a list."""
EVERY = 0.5
"""Seconds between looks at the operator's file."""


def catalogue(of: Context | Server[Any]) -> ChangingCatalogue:
    """The tools of a server, or of the server that a handler's context belongs to."""
    tools: ChangingCatalogue = listening.feature(of, "changes").catalogue
    return tools


class Changes:
    """What this feature keeps for one server: its tools, and who may use them."""

    def __init__(
        self, parts: Parts, settings: Settings, listeners: Listening, access: Access
    ) -> None:
        on_change = partial(listeners.changed, _TOOLS)
        self.catalogue = ChangingCatalogue(parts.catalogue, on_change, access.demand)
        self._page_size = settings.page_size
        self._may_use = parts.may_use
        if self._may_use is not None and iscoroutinefunction(unwrap(self._may_use)):
            raise ConfigurationError(
                "may_use in hooks.py must be a plain function: it is not awaited"
            )
        self._switches = None
        if settings.tools_file is not None:
            variable = f"{parts.api.env_prefix}_TOOLS_FILE"
            self._switches = Switches(settings.tools_file, variable, self.catalogue)

    async def list_tools(
        self, request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> dict[str, Any]:
        """`tools/list`: a page of what is there for who asks."""
        tools = [t for t in self.catalogue.visible if self._is_for(request, t["name"])]
        result = page("tools", tools, params.cursor, self._page_size)
        return {
            **result,
            "tools": tools_for(request.protocol_version, result["tools"]),
            "ttlMs": TTL_MS,
            "cacheScope": "public" if self._may_use is None else "private",
        }

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
        async with anyio.create_task_group() as tasks:
            if self._switches is not None:
                tasks.start_soon(self._switches.watch)
            yield
            tasks.cancel_scope.cancel()


class Switches:
    """Keeps a catalogue as the operator's file says: `disabled = ["deletePet", "admin_*"]`.

    It is read at the start, and whenever it changes; one that breaks later changes nothing.
    """

    def __init__(self, path: str, variable: str, tools: ChangingCatalogue) -> None:
        """Read the file for the first time; raises ConfigurationError if it cannot be used."""
        self._path = path
        self._variable = variable
        self._tools = tools
        self._version = self._stat()
        self._apply()

    async def watch(self) -> None:
        """Look at the file again and again."""
        while True:
            await anyio.sleep(EVERY)
            self.look()

    def look(self) -> None:
        """Apply the file if it is another than before."""
        version = self._stat()
        if version == self._version:
            return
        self._version = version
        try:
            self._apply()
        except ConfigurationError as problem:
            logger.warning("%s; the tools stay as they are", problem)

    def _apply(self) -> None:
        for pattern in self._tools.disable(self._patterns()):
            logger.warning("%s disables %r, and no tool is called that", self._variable, pattern)

    def _stat(self) -> tuple[int, int, int] | None:
        try:
            stat = os.stat(self._path)
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size, stat.st_ino

    def _patterns(self) -> list[str]:
        file = f"{self._variable} names a file that"
        try:
            with open(self._path, "rb") as stream:
                document = tomllib.load(stream)
        except OSError as problem:
            raise ConfigurationError(f"{file} cannot be read: {problem.strerror}") from None
        except (ValueError, RecursionError) as problem:
            raise ConfigurationError(f"{file} is no TOML: {problem}") from None
        match document:
            case {"disabled": [*names], **more} if not more:
                if all(isinstance(name, str) for name in names):
                    return names
        raise ConfigurationError(f'{file} must hold one list, such as disabled = ["deletePet"]')


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
    listeners.features["changes"] = changes
    return changes
