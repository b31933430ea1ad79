"""Tools that change while the server runs: added, replaced, removed, switched off and on.

    from ._runtime import catalogue

    catalogue(ctx).switch_off("deletePet")

That is for a handler; in `hooks.lifespan(server)`, write `catalogue(server)`. Which tools are
listed and can be called depends on the server's state and, if `hooks.py` has a
`may_use(tool, headers)`, on the caller. It never depends on the connection.
"""

from __future__ import annotations

import json
import logging
import os
import re
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, partial
from inspect import iscoroutinefunction, unwrap
from threading import RLock
from typing import TYPE_CHECKING, Any

import anyio
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from ...calls.access import Access
from ...calls.catalogue import Catalogue, Handler
from ...results.revisions import page, tools_for
from ...values.environment import is_scope
from ...values.errors import is_failure
from ...values.settings import ConfigurationError
from .. import listening
from ..listening import Kind, Listening, Topic
from .settings import ChangeSettings

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ...calls.context import Context
    from ...calls.server import ServerParts
    from ...schemas.validation import ArgumentValidator

logger = logging.getLogger(__name__)

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_TOOLS = Topic("notifications/tools/list_changed")
TTL_MS = 10_000
"""For how long a client that does not listen may believe in a list."""
EVERY = 0.5
"""Seconds between looks at the operator's file."""


def catalogue(of: Context | Server[Any]) -> ChangingCatalogue:
    """The tools of a server; `of` is the server, or the context of one of its handlers."""
    tools: ChangingCatalogue = listening.part(of, "changes").catalogue
    return tools


@dataclass(frozen=True)
class Entry:
    """A tool in the list, with its handler and validator."""

    tool: Mapping[str, Any]
    handler: Handler | None = None
    """None: the package's own."""
    validator: ArgumentValidator | None = None


class ChangingCatalogue(Catalogue):
    """A server's catalogue, whose tools can change. Its methods may be called from any thread."""

    def __init__(
        self,
        fixed: Catalogue,
        on_change: Callable[[], object],
        access: Access,
    ) -> None:
        """`access` is kept informed of the existing tools and of the scopes that they need."""
        self._fixed = fixed
        self._on_change = on_change
        self._access = access
        self._lock = RLock()
        self._off: frozenset[str] = frozenset()
        self._disabled: tuple[str, ...] = ()

    def add(
        self,
        tool: Mapping[str, Any],
        handler: Callable[..., Any],
        *,
        scopes: Sequence[str] | None = None,
    ) -> None:
        """Add a tool, described as in `tools/list`; `handler(ctx, **arguments)` answers its calls.

        Callers over HTTP need all of the `scopes`. Without `scopes`, those of the package's tool of
        that name apply, if there is one.

        Raises:
            ValueError: a tool of that name exists, or clients could not read its definition.
        """
        with self._lock:
            name = str(tool.get("name"))
            if name in self._entries:
                raise ValueError(f"a tool called {name} exists already: replace it")
            self._put(_checked(tool, Handler(handler)), scopes)

    def replace(
        self,
        tool: Mapping[str, Any],
        handler: Callable[..., Any] | None = None,
        *,
        scopes: Sequence[str] | None = None,
    ) -> None:
        """Replace the description of a tool; its handler and scopes stay unless they are given.

        Raises:
            ValueError: there is no tool of that name, or clients could not read the new one.
        """
        with self._lock:
            before = self._entry(str(tool.get("name")))
            self._put(_checked(tool, Handler(handler) if handler else before.handler), scopes)

    def remove(self, *names: str) -> None:
        """Remove tools for as long as the server runs.

        Raises:
            ValueError: one of the names is not the name of a tool.
        """
        with self._lock:
            gone = {self._entry(name).tool["name"] for name in names}
            self._entries = {n: e for n, e in self._entries.items() if n not in gone}
            self._off -= gone
            for name in gone:
                self._access.demand(name, None)
            self._on_change()

    def switch_off(self, *names: str) -> None:
        """Switch tools off: until they are switched on, they are neither listed nor served.

        Raises:
            ValueError: one of the names is not the name of a tool.
        """
        with self._lock:
            self._switch(self._off | {self._entry(name).tool["name"] for name in names})

    def switch_on(self, *names: str) -> None:
        """Undo `switch_off`; tools that the operator's file disables stay off."""
        with self._lock:
            self._switch(self._off - set(names))

    def disable(self, patterns: Sequence[str]) -> list[str]:
        """Disable the tools whose names match `patterns` (`admin_*`), and no longer the earlier
        ones.

        The patterns are the operator's, independent of `switch_off`. Returns the patterns that
        match no tool.
        """
        with self._lock:
            before, self._disabled = self._disabled, tuple(patterns)
            if before != self._disabled:
                self._on_change()
            return [p for p in patterns if not any(fnmatchcase(name, p) for name in self._entries)]

    @property
    def visible(self) -> list[Mapping[str, Any]]:
        """The tools that are on, in order; a replaced tool keeps its place."""
        with self._lock:
            return [entry.tool for name, entry in self._entries.items() if self._is_on(name)]

    def get(self, name: str) -> dict[str, Any] | None:
        """The tool of that name; None if there is none, or if it is off."""
        with self._lock:
            entry = self._entries.get(name)
            return dict(entry.tool) if entry is not None and self._is_on(name) else None

    @property
    def every(self) -> list[Mapping[str, Any]]:
        """All tools, whether on or off."""
        with self._lock:
            return [entry.tool for entry in self._entries.values()]

    def has(self, name: str) -> bool:
        """Whether a tool of that name is on."""
        with self._lock:
            return name in self._entries and self._is_on(name)

    def validator(self, name: str) -> ArgumentValidator:
        """The validator of a tool's arguments."""
        return self._entry(name).validator or self._fixed.validator(name)

    def handler(self, name: str) -> Handler:
        """The handler of a tool."""
        return self._entry(name).handler or self._fixed.handler(name)

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return {tool["name"]: Entry(tool) for tool in self._fixed.tools}

    def _entry(self, name: str) -> Entry:
        if name not in self._entries:
            raise ValueError(f"there is no tool called {name}")
        return self._entries[name]

    def _is_on(self, name: str) -> bool:
        return name not in self._off and not any(fnmatchcase(name, p) for p in self._disabled)

    def _put(self, entry: Entry, scopes: Sequence[str] | None) -> None:
        """Apply a tool's scopes, then add the tool to the list or replace it there."""
        if scopes is not None:
            if isinstance(scopes, str) or not all(map(is_scope, scopes)):
                raise ValueError(f"scopes must be a list of OAuth scopes: {scopes!r}")
            self._access.demand(entry.tool["name"], scopes)
        self._entries = {**self._entries, entry.tool["name"]: entry}
        self._access.heed()
        self._on_change()

    def _switch(self, off: frozenset[str]) -> None:
        if off != self._off:
            self._off = off
            self._on_change()


def _checked(tool: Mapping[str, Any], handler: Handler | None) -> Entry:
    """An entry with its own copy of the tool.

    Raises:
        ValueError: a client could not read the tool, and would reject the whole list.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from mcp.shared.inbound import find_invalid_x_mcp_header
    from mcp_types import Tool
    from pydantic import ValidationError

    from ...schemas.validation import ArgumentValidator, dialect

    own: dict[str, Any] = json.loads(json.dumps(tool))
    name = own.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError("a tool's name is 1 to 128 characters: A-Z, a-z, 0-9, `_`, `-` and `.`")
    try:
        Tool.model_validate(own)
        for key in ("inputSchema", "outputSchema"):
            schema = own.get(key, {"type": "object"})
            validator = dialect(schema["$schema"]) if "$schema" in schema else Draft202012Validator
            if validator is None:
                raise ValueError(f"the dialect of {key} of {name} is not known")
            validator.check_schema(schema)
    except ValidationError as problem:
        raise ValueError(f"{name} is not a tool of MCP: {problem}") from None
    except SchemaError as problem:
        raise ValueError(f"{key} of {name} is not a JSON Schema: {problem.message}") from None
    if own["inputSchema"].get("type") != "object":
        raise ValueError(f"the root of {name}'s inputSchema must be `type: object`")
    if (reason := find_invalid_x_mcp_header(own["inputSchema"])) is not None:
        raise ValueError(f"the inputSchema of {name} is refused by clients over HTTP: {reason}")
    return Entry(own, handler, ArgumentValidator.of(own))


class Changes:
    """The changing tools of one server: the current list, and who may call them."""

    def __init__(self, parts: ServerParts, listeners: Listening) -> None:
        on_change = partial(listeners.changed, _TOOLS)
        self._access = Access.of(parts)
        self._access.also = self._is_there
        self.catalogue = ChangingCatalogue(parts.catalogue, on_change, self._access)
        self._access.tools = lambda: self.catalogue.every
        settings = parts.settings_of(ChangeSettings)
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
        """Answer `tools/list` with a page of the caller's tools."""
        access = self._access
        tools = [t for t in self.catalogue.visible if access.allows(request.request, t["name"])]
        result = page("tools", tools, params.cursor, self._page_size)
        return {
            **result,
            "tools": tools_for(request.protocol_version, result["tools"]),
            "ttlMs": TTL_MS,
            "cacheScope": "public" if self._may_use is None else "private",
            **self._access.caching(request.request),
        }

    async def call(
        self, request: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> dict[str, Any]:
        """Answer `tools/call`; a tool that is off is reported as unknown."""
        from ...calls.calls import call_tool

        return await call_tool(self.catalogue, request, params)

    def _is_there(self, request: Any, tool: str) -> bool:
        """Whether a tool is on, and the caller may use it."""
        return self.catalogue.has(tool) and self._is_for(request, tool)

    def _is_for(self, request: Any, tool: str) -> bool:
        """Whether the caller may use a tool; False if the author's `may_use` fails."""
        if self._may_use is None:
            return True
        try:
            return bool(self._may_use(tool, getattr(request, "headers", None) or {}))
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
    """Keeps a catalogue in line with the operator's file: `disabled = ["deletePet", "admin_*"]`.

    The file is read at the start, and whenever it changes; if it becomes invalid later, nothing
    changes.
    """

    def __init__(self, path: str, variable: str, tools: ChangingCatalogue) -> None:
        """Read the file for the first time; raises ConfigurationError if it cannot be used."""
        self._path = path
        self._variable = variable
        self._tools = tools
        self._version = self._stat()
        self._apply()

    async def watch(self) -> None:
        """Check the file for changes at intervals."""
        while True:
            await anyio.sleep(EVERY)
            self.look()

    def look(self) -> None:
        """Apply the operator's file if it has changed."""
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
            logger.warning("%s disables %r, but no tool has that name", self._variable, pattern)

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
            raise ConfigurationError(f"{file} is not TOML: {problem}") from None
        match document:
            case {"disabled": [*names], **more} if not more:
                if all(isinstance(name, str) for name in names):
                    return names
        raise ConfigurationError(f'{file} must hold one list, such as disabled = ["deletePet"]')


def install(parts: ServerParts) -> Changes:
    """Give a server its own list of tools, which may change.

    Raises:
        ConfigurationError: the operator's file or the author's `may_use` cannot be used.
    """
    server = parts.server
    listeners = listening.of(server)
    changes = Changes(parts, listeners)
    server.add_request_handler("tools/list", PaginatedRequestParams, changes.list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, changes.call)
    server.get_tool_input_schema = changes.catalogue.input_schema
    listeners.add(Kind("toolsListChanged", _TOOLS.method))
    listeners.parts["changes"] = changes
    return changes
