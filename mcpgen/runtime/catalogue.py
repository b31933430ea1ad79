"""The tools of the package: `tools.json`, and the handler of each, imported on its first call."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from importlib import import_module
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .context import Context
    from .validation import ArgumentValidator

HandlerT = TypeVar("HandlerT", bound=Callable[..., Awaitable[Any]])

_REST = "*"


def tool(name: str, /, **arguments: str) -> Callable[[HandlerT], HandlerT]:
    """Mark the handler of a tool.

    `arguments` maps a keyword to the argument's own name where the two differ; `"*"` gives a
    keyword the mapping of every argument that no other keyword takes.
    """

    def mark(handler: HandlerT) -> HandlerT:
        handler.mcp_tool = (name, arguments)  # type: ignore[attr-defined]
        return handler

    return mark


def read_json(package: str, name: str) -> Any:
    """The JSON file of that name in the package's folder."""
    data = get_data(package, name)
    if data is None:
        raise FileNotFoundError(f"{package} has no {name}")
    return json.loads(data)


class Handler:
    """A handler function and how its keywords are named outside."""

    def __init__(self, function: Callable[..., Awaitable[Any]]) -> None:
        self._function = function
        named: Mapping[str, str] = getattr(function, "mcp_tool", ("", {}))[1]
        parameters = list(inspect.signature(function).parameters)[1:]
        self._keywords = {
            named.get(keyword, keyword): keyword
            for keyword in parameters
            if named.get(keyword) != _REST
        }
        self._rest = next((keyword for keyword in parameters if named.get(keyword) == _REST), None)

    async def __call__(self, context: Context, arguments: Mapping[str, Any]) -> Any:
        """Call the function with each argument under its keyword."""
        keywords: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        for name, value in arguments.items():
            keyword = self._keywords.get(name)
            if keyword is not None:
                keywords[keyword] = value
            else:
                rest[name] = value
        if self._rest is not None:
            keywords[self._rest] = rest
        return await self._function(context, **keywords)


class Catalogue:
    """The tools of a generated package, in document order."""

    def __init__(self, package: str, handlers: Mapping[str, str]) -> None:
        self._package = package
        self._targets = handlers
        self._handlers: dict[str, Handler] = {}
        self._validators: dict[str, ArgumentValidator] = {}

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """The tools as `tools/list` answers them."""
        tools: list[dict[str, Any]] = read_json(self._package, "tools.json")["tools"]
        return tools

    @cached_property
    def _by_name(self) -> dict[str, dict[str, Any]]:
        return {tool["name"]: tool for tool in self.tools}

    def get(self, name: str) -> dict[str, Any] | None:
        """The tool of that name, or None."""
        return self._by_name.get(name)

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The input schema of a tool, or None for an unknown one."""
        found = self.get(name)
        return None if found is None else found["inputSchema"]

    def validator(self, name: str) -> ArgumentValidator:
        """The validator of a known tool's arguments."""
        if name not in self._validators:
            from .validation import ArgumentValidator

            self._validators[name] = ArgumentValidator(self._by_name[name]["inputSchema"])
        return self._validators[name]

    def handler(self, name: str) -> Handler:
        """The handler of a known tool; its module is imported on the first call."""
        if name not in self._handlers:
            module, _, function = self._targets[name].partition(":")
            found = getattr(import_module(f".handlers.{module}", self._package), function)
            self._handlers[name] = Handler(found)
        return self._handlers[name]
