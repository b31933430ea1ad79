"""Clients of both generations of the protocol that use what a server offers beside its tools."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    ElicitRequestParams,
    ElicitResult,
)

from .servers import Server
from .upstream import Answer

ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


def use(server: Server, era: str, call: Callable[[Client], Any], **settings: Any) -> Any:
    """What a client of that generation gets."""
    given = {"base_url": server.upstream.url, "timeout": 10.0} | settings
    made = server.module("server").create_server(server.module("server").APP.parts.kind(**given))

    async def answer(_: Any, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"to": "Skagen"})

    async def main() -> Any:
        async with Client(
            made, mode=era, elicitation_callback=answer, read_timeout_seconds=20
        ) as client:
            try:
                return await call(client)
            except MCPError as problem:
                return problem

    result = anyio.run(main)
    if isinstance(result, MCPError):
        raise result
    return result


def read(server: Server, uri: str, era: str = "2026-07-28", answer: Answer | None = None) -> Any:
    """The one content of a resource."""
    server.upstream.answer = answer or Answer()
    server.upstream.seen = []
    (content,) = use(server, era, lambda client: client.read_resource(uri)).contents
    assert content.uri == uri
    return content


def error_of(server: Server, era: str, call: Callable[[Client], Any]) -> Any:
    """The protocol error that a call ends in."""
    with pytest.raises(MCPError) as caught:
        use(server, era, call)
    return caught.value.error
