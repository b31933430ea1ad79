"""What of a message's metadata may be trace context: texts, as W3C has it.

The library hands on whatever a client sends, and its reader fails on what is no text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

_KEYS = ("traceparent", "tracestate", "baggage")


async def texts_only(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """A middleware, the outermost: drops trace context that is no text."""
    meta: Any = ctx.meta or {}
    odd = [key for key in _KEYS if not isinstance(meta.get(key, ""), str)]
    if odd:
        kept: Any = {key: value for key, value in meta.items() if key not in odd}
        ctx = replace(ctx, meta=kept)
    return await call_next(ctx)
