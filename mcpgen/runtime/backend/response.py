"""`Response`, an API's answer as handlers get it, and `FinalResult`, a complete MCP result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

T_co = TypeVar("T_co", covariant=True)

Kind = Literal["json", "text", "binary", "multipart", "empty"]
ONE_ANSWER = "mcp_one_answer"
"""The member of a request's ASGI scope that says: its sender gets the answer and nothing else."""
_BYTES = (bytes, bytearray)
_DATA_OF: dict[str, Any] = {"text": str, "binary": _BYTES, "multipart": _BYTES, "empty": type(None)}
"""The types that data of each kind has; any other value is JSON."""


@dataclass(frozen=True)
class Response(Generic[T_co]):
    """An answer of the API.

    `data` is the parsed JSON value, the text, the bytes or None, depending on `kind`. A handler may
    replace `data`, and the agent gets the new value. `content` is the body after Content-Encoding
    is decoded. `misfits` lists the deviations from what the document declares, each as a clause.
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
    tells_by_status: bool = False
    """Whether the document declares several successes, and this is another than the first."""
    tell: tuple[str, ...] = ()
    """Headers that the agent is told, whatever the answer."""

    def __post_init__(self) -> None:
        """Correct `kind` if a handler has replaced the answer's data with data of another type."""
        own = _DATA_OF.get(self.kind)
        if not (isinstance(self.data, own) if own else not isinstance(self.data, _BYTES)):
            kinds = (kind for kind, data in _DATA_OF.items() if isinstance(self.data, data))
            object.__setattr__(self, "kind", next(kinds, "json"))


@dataclass(frozen=True)
class FinalResult:
    """A complete MCP result, which is passed on unchanged."""

    result: dict[str, Any]


def headers_of(request: ServerRequestContext[Any]) -> Mapping[str, str]:
    """The headers of the HTTP request that carried a message; empty over stdio."""
    headers: Mapping[str, str] = getattr(request.request, "headers", None) or {}
    return headers
