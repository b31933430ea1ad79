"""Callers' requests: which call an MCP message makes, and the first bytes of an HTTP body."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_types import PARSE_ERROR
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ...backend.threads import LARGE, aside
from ...calls.caller import Caller
from ...values.jsontext import NotJson, check_brackets

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from starlette.types import Message, Receive, Scope


WATCHED = {
    "tools/call": ("tool", "name"),
    "resources/read": ("resource", "uri"),
    "prompts/get": ("prompt", "name"),
    "completion/complete": ("completion", "ref"),
}
"""Methods that are limited and written down: what they name, and by which parameter."""


@dataclass(frozen=True)
class Call:
    """A request of a caller."""

    method: str
    name: str
    """The name or URI that it is about."""
    caller: Caller
    arguments: Any = field(default=None, repr=False)
    request_id: str | int | None = None
    """The JSON-RPC id."""

    @classmethod
    def of(cls, ctx: ServerRequestContext[Any, Any]) -> Call:
        """The call that a message asks for; the message's method must be in `WATCHED`."""
        params = ctx.params or {}
        about = params.get(WATCHED[ctx.method][1], "")
        if isinstance(about, Mapping):  # what is completed is a prompt's argument or a template's
            about = about.get("name") or about.get("uri", "")
        caller, arguments = Caller.of(ctx.request), params.get("arguments")
        return cls(ctx.method, str(about), caller, arguments, ctx.request_id)

    @property
    def tool(self) -> str | None:
        """The name of the tool, if a tool is called."""
        return self.name if self.method == "tools/call" else None


def refusal(status: int, code: int, message: str, request_id: Any = None) -> HTTPException:
    """The exception that makes Starlette answer a request with a JSON-RPC error."""
    error = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
    return HTTPException(status, json.dumps(error), {"Content-Type": "application/json"})


async def peeked(scope: Scope, receive: Receive, largest: int) -> tuple[Receive, bytes]:
    """The beginning of an HTTP request's body, and a `receive` that replays it.

    Raises:
        ClientDisconnect: the client has hung up.
        HTTPException: the body is large and its caller is over a limit, or it cannot be parsed in
            time.
    """
    messages: deque[Message] = deque()
    body = bytearray()
    while len(body) <= largest:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        messages.append(message)
        body += message.get("body", b"")
        if len(body) >= LARGE and (guard := scope["app"].state.guard):
            await guard.check(scope)
        if not message.get("more_body", False):
            break

    async def again() -> Message:
        return messages.popleft() if messages else await receive()

    try:
        await aside(len(body), partial(check_brackets, bytes(body)))
    except NotJson as problem:
        raise refusal(400, PARSE_ERROR, f"The request {problem}") from None
    return again, bytes(body)
