"""The tools of a server: `tools.json`, and handlers that are imported on first use."""

from __future__ import annotations

import gc
import inspect
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, TypeVar

from ..values.errors import ArgumentError, ToolError
from .inner import argument_of, callable_by_others

if TYPE_CHECKING:
    from ..schemas.validation import ArgumentValidator
    from .context import Context

HandlerT = TypeVar("HandlerT", bound=Callable[..., Any])


def tool(name: str, /, **arguments: str) -> Callable[[HandlerT], HandlerT]:
    """Mark a function as the handler of a tool.

    `arguments` maps keywords to argument names where the two differ. `"*"` names the keyword that
    takes all remaining arguments, as a mapping. An argument whose own name consists of stars is
    written with one more star.
    """

    def mark(handler: HandlerT) -> HandlerT:
        marked: Any = callable_by_others(name, handler, arguments)
        marked.mcp_tool = (name, arguments)
        return marked  # type: ignore[no-any-return]  # it takes and returns what the handler does

    return mark


def read_json(package: str, name: str) -> dict[str, Any]:
    """The object in a JSON file of the package's folder."""
    data = get_data(package, name)
    if data is None:
        raise FileNotFoundError(f"{package} has no {name}")
    document: dict[str, Any] = json.loads(data)
    return document


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a handler after the context; annotations need not be importable."""
    if sys.version_info >= (3, 14):  # annotations are evaluated where they are asked for (PEP 649)
        from annotationlib import Format

        signature = inspect.signature(function, annotation_format=Format.STRING)
    else:
        signature = inspect.signature(function)
    return list(signature.parameters.values())[1:]


class Handler:
    """Calls a handler function with a tool's arguments, each under the function's own keyword."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._in_thread = not inspect.iscoroutinefunction(function)
        names: Mapping[str, str] = getattr(function, "mcp_tool", ("", {}))[1]
        self._keywords: dict[str, str] = {}
        self._rest: str | None = None
        self._open = False
        for parameter in parameters_of(function):
            argument = argument_of(names.get(parameter.name, parameter.name))
            if parameter.kind is parameter.VAR_KEYWORD:
                self._open = True
            elif argument is None:
                self._rest = parameter.name
            else:
                self._keywords[argument] = parameter.name

    async def __call__(self, context: Context, arguments: Mapping[str, Any]) -> Any:
        """Call the function with each argument under its keyword; in a thread if it is not async.

        Raises:
            ArgumentError: an argument that the function has no keyword for.
        """
        own = self._keywords
        keywords = {own[name]: value for name, value in arguments.items() if name in own}
        rest = {name: value for name, value in arguments.items() if name not in own}
        if self._rest is not None:
            keywords[self._rest] = rest
        elif self._open:
            keywords |= rest
        elif rest:
            names = ", ".join(f"`{name}`" for name in self._keywords) or "none"
            reason = f"is not an argument of this tool; it has: {names}"
            raise ArgumentError(next(iter(rest)), f"{reason}.")
        try:
            if self._in_thread:
                from .threads import run_in_thread

                return await run_in_thread(self._function, context, keywords)
            return await self._function(context, **keywords)
        except ArgumentError as problem:
            name, ours = problem.argument, {*self._keywords, *arguments}
            inside = tuple(f"{each}{mark}" for each in ours for mark in ".[")
            if name and name not in ours and not name.startswith(inside):
                raise problem.of_the_api() from problem
            raise


class Catalogue:
    """The tools of a generated package, in document order."""

    def __init__(self, package: str, handlers: Mapping[str, str]) -> None:
        self._package = package
        self._targets = handlers
        self._handlers: dict[str, Handler] = {}
        self._validators: dict[str, ArgumentValidator] = {}
        self.located: Callable[[str], dict[str, Any] | None] | None = None
        """Reads one tool without reading all; raises LookupError where it cannot."""

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """The tools in the format of `tools/list`."""
        tools: list[dict[str, Any]] = read_json(self._package, "tools.json")["tools"]
        # A thousand tools are a large heap, and they stay: no collection need look at them again.
        gc.freeze()
        return tools

    @cached_property
    def _parameters(self) -> Mapping[str, list[str]]:
        """For each tool that writes, its optional arguments outside the body.

        If one of them is null, it counts as absent.
        """
        with suppress(FileNotFoundError):
            return read_json(self._package, "parameters.json")
        return {}

    @cached_property
    def _by_name(self) -> dict[str, dict[str, Any]]:
        return {tool["name"]: tool for tool in self.tools}

    def get(self, name: str) -> dict[str, Any] | None:
        """The tool with this name, or None."""
        if self.located is not None:
            try:
                return self.located(name)
            except (ToolError, LookupError):
                self.located = None
        return self._by_name.get(name)

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """The input schema of a tool; None if the tool is unknown."""
        tool = self.get(name)
        return None if tool is None else tool["inputSchema"]

    def validator(self, name: str) -> ArgumentValidator:
        """The validator for the arguments of a tool that exists."""
        if name not in self._validators:
            from ..schemas.validation import ArgumentValidator

            parameters = self._parameters.get(name, ())
            self._validators[name] = ArgumentValidator.of(self.get(name) or {}, parameters)
        return self._validators[name]

    def handler(self, name: str) -> Handler:
        """The handler of a tool that exists; its module is imported on the first call."""
        if name not in self._handlers:
            module, _, function = self._targets[name].partition(":")
            home = import_module(f".handlers.{module}", self._package)
            handler = getattr(home, function, None)
            if handler is None:
                place = f"{function}() in {self._package}/handlers/{module}.py"
                raise ToolError(f"This tool is not written yet: its handler is {place}.")
            self._handlers[name] = Handler(handler)
        return self._handlers[name]


@dataclass(frozen=True)
class ServerInfo:
    """The name and description with which the server introduces itself (MCP `Implementation`).

    `icons` are in the format of the protocol.
    """

    name: str
    version: str = ""
    title: str | None = None
    description: str | None = None
    instructions: str | None = None
    website_url: str | None = None
    icons: Sequence[Mapping[str, Any]] = ()
