"""What the API's document cannot say. This file is yours: no update changes it.

You may leave each function as it is, or delete it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from httpx2 import Request
    from mcp.server.lowlevel import Server

    from ._runtime import Response


@dataclass
class State:
    """What lives as long as the server; handlers find it as `ctx.state`."""


@asynccontextmanager
async def lifespan(server: Server[Any]) -> AsyncIterator[State]:
    """Open what handlers need, and close it when the server stops."""
    yield State()


async def authenticate(request: Request) -> bool:
    """Sign a request in a way that the document does not describe.

    Return True if the request is signed: the document's own credentials are then not needed.
    """
    return False


async def before_request(request: Request) -> None:
    """See or change a request before it is sent."""


async def after_response(response: Response[Any]) -> None:
    """See the API's answer to a call before the handler does."""
