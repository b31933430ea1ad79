"""What a result asks of its client: only what that declared that it can be asked.

`ctx.ask` looks before it asks; a handler that returns the library's `InputRequiredResult` may not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp_types import ClientCapabilities

_CAPABILITIES = {"sampling/createMessage": "sampling", "roots/list": "roots"}


async def declared_only(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """A middleware; raises MCPError instead of a result that the client could not answer."""
    result = await call_next(ctx)
    if isinstance(result, Mapping) and result.get("resultType") == "input_required":
        _check(ctx, result.get("inputRequests") or {})
    return result


def _check(ctx: ServerRequestContext[Any, Any], requests: Mapping[str, Any]) -> None:
    from mcp.shared.exceptions import MCPError
    from mcp_types import MISSING_REQUIRED_CLIENT_CAPABILITY

    missing: dict[str, Any] = {}
    for request in requests.values():
        missing |= _missing(request, ctx.session.client_capabilities)
    if missing:
        message = f"This needs what the client did not declare: {', '.join(missing)}"
        data = {"requiredCapabilities": missing}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, message, data)


def _missing(request: Mapping[str, Any], declared: ClientCapabilities | None) -> dict[str, Any]:
    """The capability that a request to the client needs, where it is not declared."""
    name = _CAPABILITIES.get(request["method"])
    if name is not None:
        return {} if getattr(declared, name, None) is not None else {name: {}}
    if request.get("params", {}).get("mode") == "url":
        elicitation = getattr(declared, "elicitation", None)
        url = getattr(elicitation, "url", None)
        return {} if url is not None else {"elicitation": {"url": {}}}
    from ..asking import can_ask

    return {} if can_ask(declared) else {"elicitation": {"form": {}}}
