"""Tools that change while the server runs: added, replaced, removed, switched off and on.

    from ._runtime.changes import catalogue

    catalogue(ctx).switch_off("deletePet")

That is in a handler; in `hooks.lifespan(server)` it is `catalogue(server)`. What is listed and may
be called depends on the server's state and, where `hooks.py` has a `may_use(tool, headers)`, on who
calls: never on the connection.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from threading import RLock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from .catalogue import Catalogue, Handler
from .errors import ToolError
from .revisions import tools_for
from .telling import Telling

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from .app import App
    from .context import Context
    from .settings import Settings
    from .validation import ArgumentValidator

TTL_MS = 10_000
"""For how long a client that does not listen may believe in a list."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_CATALOGUES: WeakKeyDictionary[Any, ChangingCatalogue] = WeakKeyDictionary()

MayUse = Callable[[str, Mapping[str, str]], bool]


def catalogue(of: Context | Server[Any]) -> ChangingCatalogue:
    """The tools of a server, or of the server that a handler's context belongs to."""
    request = getattr(of, "request", None)
    if request is not None:
        found: ChangingCatalogue = request.lifespan_context.features["changes"].catalogue
        return found
    return _CATALOGUES[of]


@dataclass(frozen=True)
class _Entry:
    place: int
    """Where the tool stands in the list; a tool that is replaced keeps it."""
    tool: Mapping[str, Any]
    handler: Handler | None = None
    """None: the package's own."""
    validator: ArgumentValidator | None = None


class ChangingCatalogue(Catalogue):
    """The tools of one server. Its methods may be called from any thread."""

    def __init__(self, fixed: Catalogue, on_change: Callable[[], object]) -> None:
        self._fixed = fixed
        self._on_change = on_change
        self._lock = RLock()
        self._loaded: dict[str, _Entry] | None = None
        self._next = 0
        self._off: frozenset[str] = frozenset()
        self._disabled: tuple[str, ...] = ()

    def add(self, tool: Mapping[str, Any], handler: Callable[..., Any]) -> None:
        """Add a tool, as on the wire, that `handler(ctx, **arguments)` serves.

        Raises:
            ValueError: a tool of that name is there, or clients could not read this one.
        """
        with self._lock:
            name = str(tool.get("name"))
            if name in self._entries:
                raise ValueError(f"there is a tool called {name} already: replace it")
            self._put(_entry(tool, self._next, Handler(handler)))
            self._next += 1

    def replace(self, tool: Mapping[str, Any], handler: Callable[..., Any] | None = None) -> None:
        """Describe the tool of that name anew; without `handler` the one it has stays.

        Raises:
            ValueError: there is no tool of that name, or clients could not read this one.
        """
        with self._lock:
            there = self._entry(str(tool.get("name")))
            self._put(_entry(tool, there.place, Handler(handler) if handler else there.handler))

    def remove(self, *names: str) -> None:
        """Remove tools for as long as the server runs.

        Raises:
            ValueError: there is no tool of one of the names.
        """
        with self._lock:
            gone = {self._entry(name).tool["name"] for name in names}
            self._loaded = {n: e for n, e in self._entries.items() if n not in gone}
        self._on_change()

    def switch_off(self, *names: str) -> None:
        """Neither list nor serve these tools until they are switched on.

        Raises:
            ValueError: there is no tool of one of the names.
        """
        with self._lock:
            self._switch(self._off | {self._entry(name).tool["name"] for name in names})

    def switch_on(self, *names: str) -> None:
        """Undo `switch_off`; what the operator's file names stays off."""
        with self._lock:
            self._switch(self._off - set(names))

    def disable(self, patterns: Iterable[str]) -> None:
        """Switch off the tools whose names match a pattern, such as `admin_*`, and no others.

        This is the operator's list, apart from what `switch_off` says.
        """
        with self._lock:
            before, self._disabled = self._disabled, tuple(patterns)
        if before != self._disabled:
            self._on_change()

    def unknown(self, patterns: Iterable[str]) -> list[str]:
        """The patterns that match no tool."""
        return [p for p in patterns if not any(fnmatchcase(name, p) for name in self._entries)]

    @property
    def visible(self) -> list[_Entry]:
        """The tools that are on, in order."""
        with self._lock:
            return sorted(
                (entry for name, entry in self._entries.items() if self._is_on(name)),
                key=lambda entry: entry.place,
            )

    def get(self, name: str) -> dict[str, Any] | None:
        """The tool of that name, or None for one that is off."""
        with self._lock:
            entry = self._entries.get(name)
            return dict(entry.tool) if entry is not None and self._is_on(name) else None

    def validator(self, name: str) -> ArgumentValidator:
        """The validator of a tool's arguments."""
        entry = self._called(name)
        return entry.validator or self._fixed.validator(name)

    def handler(self, name: str) -> Handler:
        """The handler of a tool."""
        entry = self._called(name)
        return entry.handler or self._fixed.handler(name)

    @property
    def _entries(self) -> dict[str, _Entry]:
        if self._loaded is None:
            with self._lock:
                listed = enumerate(self._fixed.tools)
                self._loaded = {t["name"]: _Entry(place, t) for place, t in listed}
                self._next = len(self._loaded)
        return self._loaded

    def _entry(self, name: str) -> _Entry:
        if name not in self._entries:
            raise ValueError(f"there is no tool called {name}")
        return self._entries[name]

    def _called(self, name: str) -> _Entry:
        entry = self._entries.get(name)
        if entry is None:
            raise ToolError(f"The tool {name} was removed a moment ago.")
        return entry

    def _is_on(self, name: str) -> bool:
        off = name in self._off or any(fnmatchcase(name, p) for p in self._disabled)
        return not off

    def _put(self, entry: _Entry) -> None:
        self._loaded = {**self._entries, entry.tool["name"]: entry}
        self._on_change()

    def _switch(self, off: frozenset[str]) -> None:
        if off != self._off:
            self._off = off
            self._on_change()


def _entry(tool: Mapping[str, Any], place: int, handler: Handler | None) -> _Entry:
    """An entry of its own, which what becomes of `tool` cannot change.

    One tool that a client cannot read would cost it the whole list.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for
    from mcp_types import Tool
    from pydantic import ValidationError

    from .validation import ArgumentValidator

    own: dict[str, Any] = json.loads(json.dumps(tool))
    name = own.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError("a tool's name is 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`")
    try:
        Tool.model_validate(own)
        for key in ("inputSchema", "outputSchema"):
            schema = own.get(key, {"type": "object"})
            validator_for(schema, default=Draft202012Validator).check_schema(schema)
    except ValidationError as problem:
        raise ValueError(f"{name} is no tool of MCP: {problem}") from None
    except SchemaError as problem:
        raise ValueError(f"{key} of {name} is no JSON Schema: {problem.message}") from None
    if own["inputSchema"].get("type") != "object":
        raise ValueError(f"the root of {name}'s inputSchema must be `type: object`")
    return _Entry(place, own, handler, ArgumentValidator(own["inputSchema"]))


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
        """Whether who asks may see and call a tool."""
        headers: Mapping[str, str] = getattr(request.request, "headers", None) or {}
        return self._may_use is None or self._may_use(tool, headers)


def _place(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdigit() and len(cursor) < 10:
        return int(cursor)
    raise MCPError(code=INVALID_PARAMS, message="Unknown cursor: use the nextCursor of a page")


class Changes:
    """What this feature keeps for one server."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.telling = Telling()
        self.catalogue = ChangingCatalogue(app.catalogue, self.telling.changed)
        self._switches = None
        if settings.tools_file is not None:
            from .switches import Switches

            variable = f"{app.api.env_prefix}_TOOLS_FILE"
            self._switches = Switches(settings.tools_file, variable, self.catalogue)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Tell clients of changes, and watch the operator's file, while the server runs."""
        import anyio

        async with anyio.create_task_group() as tasks:
            self.telling.start(tasks)
            if self._switches is not None:
                tasks.start_soon(self._switches.watch)
            yield
            tasks.cancel_scope.cancel()


def install(server: Server[Any], app: App, settings: Settings) -> Changes:
    """Give a server tools of its own, which may change.

    Raises:
        ConfigurationError: the operator's file cannot be used.
    """
    from .calls import call_tool

    changes = Changes(app, settings)
    tools = changes.catalogue
    listing = ChangingList(tools, settings.page_size, app.hook("may_use"))

    async def list_tools(
        request: ServerRequestContext[Any], params: PaginatedRequestParams
    ) -> dict[str, Any]:
        return listing.page(request, params.cursor)

    async def call(
        request: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> dict[str, Any]:
        if not listing.allows(request, params.name):
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {params.name[:200]}")
        return await call_tool(tools, request.lifespan_context, request, params)

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call)
    server.get_tool_input_schema = tools.input_schema
    changes.telling.install(server)
    _CATALOGUES[server] = tools
    return changes
