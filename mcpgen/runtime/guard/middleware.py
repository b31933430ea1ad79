"""What every message of a server passes through, whatever its settings are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.request_state import RequestStateBoundary
    from mcp_types import ClientCapabilities

_CAPABILITIES = {"sampling/createMessage": "sampling", "roots/list": "roots"}


class Sealing:
    """Seals the state of a call that asks its user, on its way through the client.

    Without a configured key, a random key is used as long as the process lives; several processes
    that serve the same clients must share one. The machinery is imported by the first call that
    needs it.
    """

    def __init__(self, name: str, keys: Sequence[str]) -> None:
        """`name` is the server's; the first of `keys` seals, all of them open."""
        self._name = name
        self._keys = keys

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Open the state that a request brings, and seal the one that its result takes along."""
        if ctx.params is not None and ctx.params.get("requestState") is not None:
            return await self._boundary(ctx, call_next)
        result = await call_next(ctx)
        if not isinstance(result, Mapping) or result.get("requestState") is None:
            return result

        async def known(_: ServerRequestContext[Any, Any]) -> HandlerResult:
            return result

        return await self._boundary(ctx, known)

    @cached_property
    def _boundary(self) -> RequestStateBoundary:
        from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

        keys = self._keys
        security = RequestStateSecurity(keys=keys) if keys else RequestStateSecurity.ephemeral()
        return RequestStateBoundary(security, default_audience=self._name)


async def declared_only(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Raise MCPError instead of a result that asks what the client did not declare it can answer.

    `ctx.ask` looks before it asks; a handler that returns an `InputRequiredResult` may not.
    """
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
    from ..calls.asking import can_ask

    return {} if can_ask(declared) else {"elicitation": {"form": {}}}
