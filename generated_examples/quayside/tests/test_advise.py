"""The tool that asks both APIs; this file is the author's own."""

from __future__ import annotations

import json

import httpx2
import pytest
from mcp.client import Client

from quayside_mcp._runtime import Settings
from quayside_mcp.server import create_server

from .conftest import DATA, environment

pytestmark = pytest.mark.anyio

ANSWERS = {
    "kiosk.example": [{"title": "Tides", "crates": 3}, {"title": "Knots"}],
    "api.bookshop.example": {"items": [{"title": "The Salt Road"}]},
}


@pytest.mark.parametrize(
    ("title", "advice", "asked"),
    [
        ("Tides", {"where": "quay", "crates": 3}, ["kiosk.example"]),
        ("Knots", {"where": "quay", "crates": 0}, ["kiosk.example"]),
        ("The Salt Road", {"where": "shop"}, list(ANSWERS)),
        ("Nothing", {"where": "nowhere"}, list(ANSWERS)),
    ],
)
async def test_advise(title: str, advice: dict[str, object], asked: list[str]) -> None:
    """The shop is asked only for what the quay does not have, each with its own credential."""
    seen: list[httpx2.Request] = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        content = json.dumps(ANSWERS[request.url.host]).encode()
        return httpx2.Response(200, headers={"Content-Type": "application/json"}, content=content)

    with environment(list(DATA["environment"])):
        made = create_server(Settings(), transport=httpx2.MockTransport(answer))
        async with Client(made) as client:
            result = await client.call_tool("advise", {"title": title})
    assert result.structured_content == advice
    assert [request.url.host for request in seen] == asked
    assert seen[0].headers["authorization"] == "Bearer sentinel-quayside-till-token"
    assert "x-shop-key" not in seen[0].headers
    for request in seen[1:]:
        assert request.headers["x-shop-key"] == "sentinel-bookshop-shop-key"
        assert "authorization" not in request.headers
