"""Corrects arguments that some programs write in another notation, such as `[]` for `{}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from ..values.settings import Settings
    from .catalogue import Catalogue

_METHODS = ("tools/call", "prompts/get")


class Arrival:
    """A middleware that corrects the arguments of a call before they are checked.

    PHP writes an object without members as `[]`. Some hosts add arguments of their own to each
    call: those listed in the setting `ignored_arguments` are dropped, unless the tool has an
    argument with that name.
    """

    def __init__(self, catalogue: Catalogue, settings: Settings) -> None:
        self._catalogue = catalogue
        self._ignored = frozenset(settings.ignored_arguments)

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Correct a message's arguments, and pass the message on."""
        params = ctx.params
        if ctx.method not in _METHODS or not isinstance(params, Mapping):
            return await call_next(ctx)
        arguments = params.get("arguments")
        if arguments == []:
            arguments = {}
        if self._ignored and isinstance(arguments, Mapping) and self._ignored & arguments.keys():
            dropped = self._ignored - self._declared(ctx, params.get("name"))
            arguments = {name: each for name, each in arguments.items() if name not in dropped}
        if arguments is params.get("arguments"):
            return await call_next(ctx)
        return await call_next(replace(ctx, params={**params, "arguments": arguments}))

    def _declared(self, ctx: ServerRequestContext[Any, Any], name: Any) -> set[str]:
        changing = ctx.lifespan_context.able("catalogue")
        catalogue = changing.catalogue if changing else self._catalogue
        tool = catalogue.get(name) if isinstance(name, str) else None
        return {*((tool or {}).get("inputSchema") or {}).get("properties", {})}
