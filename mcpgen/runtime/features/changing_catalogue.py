"""The tools of one server, which may change while it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

from ..calls.catalogue import Catalogue, Handler
from ..values.environment import is_scope

if TYPE_CHECKING:
    from ..schemas.validation import ArgumentValidator

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True)
class Entry:
    """A tool of the list."""

    tool: Mapping[str, Any]
    handler: Handler | None = None
    """None: the package's own."""
    validator: ArgumentValidator | None = None


class ChangingCatalogue(Catalogue):
    """The tools of one server. Its methods may be called from any thread."""

    def __init__(
        self,
        fixed: Catalogue,
        on_change: Callable[[], object],
        demand: Callable[[str, Sequence[str] | None], object],
    ) -> None:
        """`demand` hears which scopes a tool needs; None: those of its name in the package."""
        self._fixed = fixed
        self._on_change = on_change
        self._demand = demand
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
        """Add a tool, as on the wire, that `handler(ctx, **arguments)` serves.

        Callers over HTTP need all of the `scopes`; without, those that a tool of that name has in
        the package, if there is one.

        Raises:
            ValueError: a tool of that name is there, or clients could not read this one.
        """
        with self._lock:
            name = str(tool.get("name"))
            if name in self._entries:
                raise ValueError(f"there is a tool called {name} already: replace it")
            self._put(_checked(tool, Handler(handler)), scopes)

    def replace(
        self,
        tool: Mapping[str, Any],
        handler: Callable[..., Any] | None = None,
        *,
        scopes: Sequence[str] | None = None,
    ) -> None:
        """Describe the tool of that name anew; without `handler` or `scopes` those it has stay.

        Raises:
            ValueError: there is no tool of that name, or clients could not read this one.
        """
        with self._lock:
            before = self._entry(str(tool.get("name")))
            self._put(_checked(tool, Handler(handler) if handler else before.handler), scopes)

    def remove(self, *names: str) -> None:
        """Remove tools for as long as the server runs.

        Raises:
            ValueError: there is no tool of one of the names.
        """
        with self._lock:
            gone = {self._entry(name).tool["name"] for name in names}
            self._entries = {n: e for n, e in self._entries.items() if n not in gone}
            self._off -= gone
            for name in gone:
                self._demand(name, None)
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

    def disable(self, patterns: Sequence[str]) -> list[str]:
        """Switch off the tools whose names match a pattern, such as `admin_*`, and no others.

        This is the operator's list, apart from what `switch_off` says. Returns the patterns that
        match no tool.
        """
        with self._lock:
            before, self._disabled = self._disabled, tuple(patterns)
            if before != self._disabled:
                self._on_change()
            return [p for p in patterns if not any(fnmatchcase(name, p) for name in self._entries)]

    @property
    def visible(self) -> list[Mapping[str, Any]]:
        """The tools that are on, in order; a tool that is replaced keeps its place."""
        with self._lock:
            return [entry.tool for name, entry in self._entries.items() if self._is_on(name)]

    def get(self, name: str) -> dict[str, Any] | None:
        """The tool of that name, or None for one that is off."""
        with self._lock:
            entry = self._entries.get(name)
            return dict(entry.tool) if entry is not None and self._is_on(name) else None

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
        """Put a tool into the list, after its scopes: nobody may find it there without them."""
        if scopes is not None:
            if isinstance(scopes, str) or not all(map(is_scope, scopes)):
                raise ValueError(f"scopes must be a list of OAuth scopes: {scopes!r}")
            self._demand(entry.tool["name"], scopes)
        self._entries = {**self._entries, entry.tool["name"]: entry}
        self._on_change()

    def _switch(self, off: frozenset[str]) -> None:
        if off != self._off:
            self._off = off
            self._on_change()


def _checked(tool: Mapping[str, Any], handler: Handler | None) -> Entry:
    """An entry with a copy of the tool, so that nothing changes it any more.

    Raises:
        ValueError: a client could not read the tool, and would lose the whole list for it.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from mcp.shared.inbound import find_invalid_x_mcp_header
    from mcp_types import Tool
    from pydantic import ValidationError

    from ..schemas.dialects import class_of
    from ..schemas.validation import ArgumentValidator

    own: dict[str, Any] = json.loads(json.dumps(tool))
    name = own.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError("a tool's name is 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`")
    try:
        Tool.model_validate(own)
        for key in ("inputSchema", "outputSchema"):
            schema = own.get(key, {"type": "object"})
            named = "$schema" in schema
            validator = class_of(schema["$schema"]) if named else Draft202012Validator
            if validator is None:
                raise ValueError(f"the dialect of {key} of {name} is not one that is known")
            validator.check_schema(schema)
    except ValidationError as problem:
        raise ValueError(f"{name} is no tool of MCP: {problem}") from None
    except SchemaError as problem:
        raise ValueError(f"{key} of {name} is no JSON Schema: {problem.message}") from None
    if own["inputSchema"].get("type") != "object":
        raise ValueError(f"the root of {name}'s inputSchema must be `type: object`")
    if (reason := find_invalid_x_mcp_header(own["inputSchema"])) is not None:
        raise ValueError(f"the inputSchema of {name} is refused by clients over HTTP: {reason}")
    return Entry(own, handler, ArgumentValidator.of(own))
