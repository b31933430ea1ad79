"""Seals the state of a call that asks its user, on its way through the client.

Without a configured key, a random key is used as long as the process lives; several processes that
serve the same clients must share one. The machinery is imported by the first call that needs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
    from mcp.server.request_state import RequestStateBoundary


class Sealing:
    """A middleware of the server called `name`; the first of `keys` seals, all of them open."""

    def __init__(self, name: str, keys: Sequence[str] = ()) -> None:
        self._name = name
        self._keys = keys
        self._boundary: RequestStateBoundary | None = None

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Open the state that a request brings, and seal the one that its result takes along."""
        if ctx.params is not None and ctx.params.get("requestState") is not None:
            return await self._opened()(ctx, call_next)
        result = await call_next(ctx)
        if not isinstance(result, Mapping) or result.get("requestState") is None:
            return result

        async def known(_: ServerRequestContext[Any, Any]) -> HandlerResult:
            return result

        return await self._opened()(ctx, known)

    def _opened(self) -> RequestStateBoundary:
        if self._boundary is None:
            from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

            keys = self._keys
            security = RequestStateSecurity(keys=keys) if keys else RequestStateSecurity.ephemeral()
            self._boundary = RequestStateBoundary(security, default_audience=self._name)
        return self._boundary
