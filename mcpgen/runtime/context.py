"""What a handler works with: the call's context and the API's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from .http import ApiClient

T_co = TypeVar("T_co", covariant=True)

Kind = Literal["json", "text", "binary", "multipart", "empty"]


@dataclass(frozen=True)
class Response(Generic[T_co]):
    """An answer of the API.

    `data` is the parsed JSON value, the text, the bytes or None, as `kind` says; `content` is the
    body after Content-Encoding; `misfits` says in a clause each where the answer is not what the
    document declares.
    """

    data: T_co
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str | None = None
    content: bytes = b""
    misfits: tuple[str, ...] = ()
    kind: Kind = "json"
    verbatim: str | None = None
    """The body's text where `data` does not hold all of it, as with a repeated key."""


@dataclass(frozen=True)
class Context:
    """One tool call: the API's client, the object of `hooks.lifespan`, and the MCP request."""

    api: ApiClient
    state: Any
    tool: str
    request: ServerRequestContext[Any]

    async def report_progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell the client how far the call is; nothing is sent unless it asked for progress."""
        await self.request.session.report_progress(done, total, message)
