"""`--mock`: the examples of the package instead of an API."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import httpx2
import pytest

from mcpgen.runtime.app.once import MockTransport

from .. import sample

pytestmark = pytest.mark.anyio


@pytest.fixture
def transport(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MockTransport:
    """The transport of a package that has nothing but `mock.json`."""
    package = tmp_path / "only_mock_mcp"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "mock.json").write_text(json.dumps(sample.MOCK), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "only_mock_mcp", raising=False)
    return MockTransport("only_mock_mcp")


@pytest.mark.parametrize(
    ("tool", "status", "content_type", "content"),
    [
        ("getPet", 200, "application/json", b'{"name": "Rex"}'),
        ("create", 201, "text/plain", "é".encode()),
        ("state", 200, "image/png", b"\x89PNG"),
        ("unknown", 204, None, b""),
    ],
)
async def test_each_tool_has_its_answer(
    transport: MockTransport, tool: str, status: int, content_type: str | None, content: bytes
) -> None:
    request = httpx2.Request("GET", "http://mock.invalid/", extensions={"mcp_tool": tool})
    response = await transport.handle_async_request(request)
    assert (response.status_code, response.content) == (status, content)
    assert response.headers.get("content-type") == content_type
