"""The author's `hooks.py`, every function of it optional, plain or async."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2

    from .response import Response


class Hooks:
    """Calls what the author wrote and nothing where nothing was written."""

    def __init__(self, module: ModuleType | None) -> None:
        self._module = module

    @asynccontextmanager
    async def lifespan(self, server: Any) -> AsyncIterator[Any]:
        """Run `lifespan(server)`; its object is every handler's `ctx.state`."""
        opened = getattr(self._module, "lifespan", None)
        if opened is None:
            yield None
        else:
            async with opened(server) as state:
                yield state

    async def authenticate(self, request: httpx2.Request) -> bool:
        """Run `authenticate(request)`; True says that it signed the request itself."""
        return await self._call("authenticate", request) is True

    async def before_request(self, request: httpx2.Request) -> None:
        """Run `before_request(request)`, which may change headers and URL."""
        await self._call("before_request", request)

    async def after_response(self, response: Response[Any]) -> None:
        """Run `after_response(response)` on the answer as it was read."""
        await self._call("after_response", response)

    async def _call(self, name: str, argument: Any) -> Any:
        function = getattr(self._module, name, None)
        if function is None:
            return None
        result = function(argument)
        return await result if inspect.isawaitable(result) else result
