"""Functions for resources, for prompts, and for the completion of their arguments."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from ..calls.calls import context_of, leaf
from ..calls.catalogue import Handler, HandlerT, read_json, tool
from ..calls.context import InputNeeded
from ..results.content import Result
from ..values.errors import ArgumentError, DryRun, ProtocolError, ToolError, is_failure
from ..values.jsontext import scrub

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from ..calls.server import ServerParts

logger = logging.getLogger(__name__)

MOST = 100
"""Values in one answer (MCP, Completion)."""

marked: Callable[..., Callable[[HandlerT], HandlerT]] = tool
"""Mark a function with what it serves, as `tool` does a handler."""


def completes(owner: str, argument: str, /) -> Callable[[HandlerT], HandlerT]:
    """A decorator for the function that completes an argument of a prompt or uriTemplate."""
    return marked((owner, argument))


class Functions:
    """The decorated functions of a module in the package; the module is imported on first use."""

    def __init__(self, package: str, module: str) -> None:
        self._package = package
        self._module = module

    @cached_property
    def _by_key(self) -> dict[Any, Handler]:
        home = import_module(f".{self._module}", self._package)
        functions = [value for value in vars(home).values() if hasattr(value, "mcp_tool")]
        return {function.mcp_tool[0]: Handler(function) for function in functions}

    def get(self, key: Any) -> Handler:
        """The function whose decorator has this key.

        Raises:
            ToolError: there is no longer a function with that key.
        """
        if key not in self._by_key:
            raise ToolError(f"{self._package}.{self._module} has no function for this.")
        return self._by_key[key]


async def guarded(name: str, making: Awaitable[Result]) -> Result:
    """The result of `making`, or the question that the user has to answer first.

    Raises:
        MCPError: the function failed; the message has no details of this server's internals.
    """
    try:
        return await making
    except BaseException as raised:
        problem = leaf(raised)
    match problem:
        case InputNeeded():
            return problem.result
        case ArgumentError():
            raise MCPError(types.INVALID_PARAMS, problem.message) from None
        case ToolError() | DryRun():
            logger.info("%s: %s", name, problem.message)
            raise MCPError(types.INTERNAL_ERROR, problem.message) from None
        case ProtocolError():
            raise MCPError(problem.code, problem.message) from None
        case _ if isinstance(problem, MCPError) or not is_failure(problem):
            raise problem
        case _:
            logger.error("%s: failed inside this server", name, exc_info=problem)
            message = f"{name} failed inside this server; the reason is in the server's log."
            raise MCPError(types.INTERNAL_ERROR, message) from None


def install(parts: ServerParts) -> Completions:
    """Let a server complete the arguments of its prompts and templates."""
    completions = Completions(parts.package)
    parts.server.add_request_handler(
        "completion/complete", types.CompleteRequestParams, completions.complete
    )
    return completions


class Completions:
    """The completions of a generated package, from `completions.json` and from functions."""

    def __init__(self, package: str) -> None:
        self._listed = read_json(package, "completions.json")
        self._functions = {kind: Functions(package, kind) for kind in ("prompts", "resources")}

    def is_listed(self, params: Mapping[str, Any]) -> bool:
        """Whether the requested values come from a fixed list and not from a function."""
        try:
            ref, argument = params["ref"], params["argument"]["name"]
            is_prompt = ref["type"] == "ref/prompt"
            kind, owner = ("prompts", ref["name"]) if is_prompt else ("resources", ref["uri"])
            return self._listed[kind][owner][argument] is not None
        except (KeyError, TypeError):
            return False

    async def complete(
        self, request: ServerRequestContext[Any], params: types.CompleteRequestParams
    ) -> dict[str, Any]:
        """Answer `completion/complete`: the values that start with the typed text or contain it.

        Raises:
            MCPError: the caller has no such prompt or template, or its function fails.
        """
        if isinstance(params.ref, types.PromptReference):
            kind, owner, what = "prompts", params.ref.name, "prompt"
            prompts = request.lifespan_context.parts.get("prompts")
            is_there = owner in self._listed[kind] and prompts.has(request, owner)
        else:
            kind, owner, what = "resources", params.ref.uri, "resource template"
            resources = request.lifespan_context.parts.get("resources")
            is_there = owner in self._listed[kind] and resources.may_read(request, owner)
        if not is_there:
            raise MCPError(types.INVALID_PARAMS, f"Unknown {what}: {owner[:200]}")
        arguments = self._listed[kind][owner]
        name, typed = params.argument.name, params.argument.value
        values = arguments.get(name, ())
        if values is not None:
            return _answer(_matching(values, typed))
        others = (params.context.arguments if params.context is not None else None) or {}
        function = self._functions[kind].get((owner, name))
        context = context_of(request, owner, types.InputResponseRequestParams())

        async def call() -> dict[str, Any]:
            return _answer(await function(context, {"value": typed, "given": others}))

        result = await guarded(f"{owner} {name}", call())
        if "completion" not in result:  # it is a question, which no completion may ask
            message = "The user cannot be asked during a completion."
            raise MCPError(types.INTERNAL_ERROR, message)
        return result


def _matching(values: Sequence[str], typed: str) -> list[str]:
    text = typed.casefold()
    starts = [value for value in values if value.casefold().startswith(text)]
    return starts or [value for value in values if text in value.casefold()]


def _answer(values: Sequence[str]) -> dict[str, Any]:
    """The values as a list; a single string becomes a list of one value."""
    texts = [scrub(str(value)) for value in ([values] if isinstance(values, str) else values)]
    completion = {"values": texts[:MOST], "total": len(texts), "hasMore": len(texts) > MOST}
    return {"resultType": "complete", "completion": completion}
