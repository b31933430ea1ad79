"""`--mock`: answers every request from the package's `mock.json`, without any API."""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cached_property
from typing import Any

import httpx2

from ..calls.catalogue import read_json


class MockTransport(httpx2.AsyncBaseTransport):
    """Answers each request by the tool, resource or prompt that sent it."""

    is_mock = True
    """Tells the client to ask for no credential."""

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def _answers(self) -> dict[str, dict[str, Any]]:
        return read_json(self._package, "mock.json")

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The answer for the sender that `request.extensions` names; 204 where there is none."""
        answer = self._answers.get(request.extensions.get("mcp_tool", ""), {"status": 204})
        headers = {}
        if answer.get("content_type"):
            headers["Content-Type"] = answer["content_type"]
        return httpx2.Response(answer.get("status", 200), headers=headers, content=_body(answer))


def _body(answer: dict[str, Any]) -> bytes:
    if "json" in answer:
        return json.dumps(answer["json"], ensure_ascii=False).encode()
    if "text" in answer:
        return str(answer["text"]).encode()
    return b64decode(answer.get("base64", ""))
