"""Restrictions that clients choose for themselves: by headers, or by a path below the endpoint.

| | |
|---|---|
| `X-MCP-Readonly: true` | only tools that read |
| `X-MCP-Toolsets: orders,books`, `X-MCP-Tools: getBook` | only these; together, their union |
| `/mcp/x/orders`, `/mcp/readonly`, `/mcp/x/orders/readonly` | the same, chosen by the path |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcp_types import INVALID_REQUEST
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from ...calls.access import NARROWED
from ...calls.switches import Switches
from ...values.environment import patterns
from .endpoint import Endpoint
from .requests import refusal

READ_ONLY = "x-mcp-readonly"
LISTS = ("x-mcp-toolsets", "x-mcp-tools")
_NO = ("false", "f", "no", "n", "0", "off")
_MOST, _LONGEST = 100, 8000
"""Entries of a header's lists, and characters."""
GROUP = "{group}"
_READING = "/readonly"
ADDRESS = re.compile(r"(?:/x/[A-Za-z0-9-]{1,64})?(?:/readonly)?\Z")
"""What an address has behind that of a surface."""


def addresses(endpoints: Mapping[str, ASGIApp]) -> dict[str, ASGIApp]:
    """Each endpoint at its own path, and at longer paths that restrict it (`/mcp/readonly`)."""
    ends = [f"{group}{reading}" for group in ("", f"/x/{GROUP}") for reading in ("", _READING)]
    return {f"{path}{end}": app for path, app in endpoints.items() for end in ends}


class Narrowing:
    """Records which restrictions each request's client has chosen."""

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._reads = path.endswith(_READING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; raises HTTPException for empty headers."""
        group = scope.get("path_params", {}).get("group")
        own = Switches(self._reads, (group,) if group else ())
        try:
            sources = [own, _of_headers(Headers(scope=scope))]
        except ValueError as problem:
            raise refusal(400, INVALID_REQUEST, str(problem)) from None
        if narrowed := tuple(filter(None, sources)):
            scope[NARROWED] = narrowed
        await self._app(scope, receive, send)


class Narrowed:
    """An endpoint that refuses requests restricted to unknown tools or groups.

    It runs after the client has been let in.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; raises HTTPException for unknown names."""
        if scope.get(NARROWED):
            problems = self._endpoint.session.access.unknown(HTTPConnection(scope))
            # The first alone: what is like a name costs a comparison with every tool.
            if problem := next(problems, None):
                raise refusal(400, INVALID_REQUEST, problem)
        await self._endpoint(scope, receive, send)


def narrows(path: str) -> bool:
    """Whether a path is one of the longer paths that restrict an endpoint (`/mcp/readonly`)."""
    return GROUP in path or path.endswith(_READING)


def _of_headers(headers: Headers) -> Switches:
    reads = headers.get(READ_ONLY, "").strip().lower()
    only = tuple(pattern for name in LISTS for pattern in _header_values(headers, name))
    return Switches(bool(reads) and reads not in _NO, only)


def _header_values(headers: Headers, name: str) -> Iterator[str]:
    text = ",".join(headers.getlist(name))
    if not text.strip(" ,"):
        return
    if len(text) > _LONGEST or text.count(",") >= _MOST:
        raise ValueError(f"{name} has more than {_MOST} entries or {_LONGEST} characters")
    try:
        yield from patterns(text)
    except ValueError as problem:
        raise ValueError(f"{name} {problem}") from None
