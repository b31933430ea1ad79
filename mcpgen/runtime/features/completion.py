"""Completion of the arguments of prompts and templates: `completions.json`, or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CompleteRequestParams,
    InputResponseRequestParams,
    PromptReference,
)

from ..calls.calls import context_of
from ..calls.catalogue import HandlerT, read_json
from ..values.jsontext import scrub
from .functions import Functions, guarded, marked

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from ..calls.parts import Parts
    from ..values.settings import Settings

MOST = 100
"""Values in one answer (MCP, Completion)."""


def completes(owner: str, argument: str, /) -> Callable[[HandlerT], HandlerT]:
    """Mark the function that completes an argument of the prompt or uriTemplate `owner`."""
    return marked((owner, argument))


def install(server: Server[Any], parts: Parts, settings: Settings) -> Completions:
    """Let a server complete the arguments of its prompts and templates."""
    found = Completions(parts.package)
    server.add_request_handler("completion/complete", CompleteRequestParams, found.complete)
    return found


class Completions:
    """The completions of a generated package."""

    def __init__(self, package: str) -> None:
        self._known = read_json(package, "completions.json")
        self._functions = {kind: Functions(package, kind) for kind in ("prompts", "resources")}

    def is_listed(self, params: Mapping[str, Any]) -> bool:
        """Whether the values that a request asks for are listed, and no function makes them."""
        try:
            ref, argument = params["ref"], params["argument"]["name"]
            is_prompt = ref["type"] == "ref/prompt"
            kind, owner = ("prompts", ref["name"]) if is_prompt else ("resources", ref["uri"])
            return self._known[kind][owner][argument] is not None
        except (KeyError, TypeError):
            return False

    async def complete(
        self, request: ServerRequestContext[Any], params: CompleteRequestParams
    ) -> dict[str, Any]:
        """Answer `completion/complete`: the values that start with what was typed, or contain it.

        Raises:
            MCPError: there is no such prompt or template for who asks, or its function fails.
        """
        if isinstance(params.ref, PromptReference):
            kind, owner, what = "prompts", params.ref.name, "prompt"
            is_known = owner in self._known[kind]
        else:
            kind, owner, what = "resources", params.ref.uri, "resource template"
            resources = request.lifespan_context.features.get("resources")
            is_known = owner in self._known[kind] and resources.may_read(request, owner)
        if not is_known:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown {what}: {owner[:200]}")
        arguments = self._known[kind][owner]
        name, typed = params.argument.name, params.argument.value
        if name not in arguments:
            return _answer(())
        if arguments[name] is not None:
            return _answer(_matching(arguments[name], typed))
        given = (params.context.arguments if params.context is not None else None) or {}
        function = self._functions[kind].get((owner, name))
        context = context_of(request, owner, InputResponseRequestParams())

        async def made() -> dict[str, Any]:
            return _answer(await function(context, {"value": typed, "given": given}))

        result = await guarded(f"{owner} {name}", made())
        if "completion" not in result:  # it is a question, which no completion may ask
            message = "The user cannot be asked while something is completed."
            raise MCPError(code=INTERNAL_ERROR, message=message)
        return result


def _matching(values: Sequence[str], typed: str) -> list[str]:
    wanted = typed.casefold()
    starts = [value for value in values if value.casefold().startswith(wanted)]
    return starts or [value for value in values if wanted in value.casefold()]


def _answer(values: Sequence[str]) -> dict[str, Any]:
    """The values; a text alone, which type checkers take for a sequence of them, is one."""
    found = [scrub(str(value)) for value in ([values] if isinstance(values, str) else values)]
    completion = {"values": found[:MOST], "total": len(found), "hasMore": len(found) > MOST}
    return {"resultType": "complete", "completion": completion}
