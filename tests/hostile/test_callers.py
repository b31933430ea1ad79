"""Callers over HTTP that forge lines, headers, revisions and ways in."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
from runtime import sample
from runtime.serving import HEADERS, INITIALIZE, current, in_thread

from mcpgen.runtime import Settings
from mcpgen.runtime.parts.http.settings import HttpSettings

PACKAGE = "hostile_shop_mcp"
FORGED = '{"time":"2026-01-01","tool":"forged","outcome":"ok"}'
HIDDEN = {"\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x00", "\x1b"}
BREAKS = ("\n", "\r\n", "\x1b[1A", *HIDDEN)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The `server` module of a package of its own."""
    with sample.served(tmp_path_factory.mktemp("shop"), PACKAGE) as found:
        yield found


@pytest.fixture(autouse=True)
def credential(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", "key-of-the-shop")


class Seen:
    """The API, and the requests it got."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(200, json={"name": "Rex"})


@pytest.mark.parametrize("to", ["stderr", "file"])
def test_no_value_forges_a_line_of_the_audit_log(
    own: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str], to: str
) -> None:
    """Each call is one line of JSON, whatever tools, arguments and ids are called."""
    path = tmp_path / "audit.jsonl"
    settings = HttpSettings(audit=str(path) if to == "file" else "stderr", audit_values=True)
    app = own.create_app(settings, transport=httpx2.MockTransport(Seen()))
    calls = 0
    with in_thread(app) as base, httpx2.Client() as client:
        for mark in BREAKS:
            forged = f"x{mark}{FORGED}{mark}"
            for tool, arguments, number in (
                ("create", {"name": forged, forged: forged}, 1),
                ("create", {"name": "x"}, forged),
                (forged, {}, 1),
            ):
                message, headers = current("create", arguments)
                message["id"], message["params"]["name"] = number, tool
                headers |= {"MCP-Protocol-Version": "2025-11-25"} if tool == forged else {}
                answer = client.post(f"{base}/mcp", json=message, headers=headers)
                calls += answer.status_code == 200
    said = path.read_text(encoding="utf-8") if to == "file" else capfd.readouterr().err
    lines = [line for line in said.splitlines() if line.startswith("{")]
    assert calls >= 2 * len(BREAKS)
    assert len(lines) >= calls
    assert all(json.loads(line)["tool"] != "forged" for line in lines)
    assert not set(said) & HIDDEN
    if to == "file":
        assert said.count("\n") == len(lines) == len(said.splitlines())


def test_what_a_caller_brings_is_not_sent_on(own: ModuleType) -> None:
    seen = Seen()
    app = own.create_app(Settings(), transport=httpx2.MockTransport(seen))
    message, headers = current("getPet", {"petId": 7})
    brought = {
        "Authorization": "Bearer canary", "Cookie": "session=canary", "X-Key": "canary",
        "X-Forwarded-For": "canary", "X-Api-Key": "canary", "Proxy-Authorization": "canary",
        "Forwarded": "for=canary", "Referer": "http://127.0.0.1/canary", "User-Agent": "canary",
    }  # fmt: skip
    with in_thread(app) as base:
        answer = httpx2.post(f"{base}/mcp", json=message, headers=headers | brought)
    assert answer.status_code == 200
    (request,) = seen.requests
    assert "canary" not in str(request.headers.raw)
    assert request.headers["x-key"] == "key-of-the-shop"


NEITHER = {"name": "getPet", "arguments": {"petId": 7}}
LISTED = current("getPet", {})[0]["params"] | {"arguments": [7]}
VERSION = "MCP-Protocol-Version"
CASES: dict[str, tuple[dict[str, Any], dict[str, str | None], int, int | None]] = {
    "as it should be": ({}, {}, 200, None),
    "another tool in the header": ({}, {"Mcp-Name": "create"}, 400, -32020),
    "no tool in the header": ({}, {"Mcp-Name": None}, 400, -32020),
    "another method in the header": ({}, {"Mcp-Method": "tools/list"}, 400, -32020),
    "no method in the header": ({}, {"Mcp-Method": None}, 400, -32020),
    "the version of older clients in the header": ({}, {VERSION: "2025-11-25"}, 400, -32020),
    "an unknown method": ({"method": "tools/x"}, {"Mcp-Method": "tools/x"}, 404, -32601),
    "no meta": ({"params": NEITHER}, {}, 400, -32602),
    "arguments that are a list": ({"params": LISTED}, {}, 400, -32602),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_message_and_its_headers_agree(own: ModuleType, case: str) -> None:
    """Where they do not, the code says so and the API is not asked."""
    changed, other, status, code = CASES[case]
    seen = Seen()
    app = own.create_app(Settings(), transport=httpx2.MockTransport(seen))
    message, headers = current("getPet", {"petId": 7})
    given = {name: value for name, value in (headers | other).items() if value is not None}
    with in_thread(app) as base:
        answer = httpx2.post(f"{base}/mcp", json=message | changed, headers=given)
    assert answer.status_code == status
    if code is None:
        assert len(seen.requests) == 1
    else:
        assert answer.json()["error"]["code"] == code
        assert not seen.requests


def test_only_what_the_protocol_has_is_answered(own: ModuleType) -> None:
    """No page may read it, and no other method does anything."""
    app = own.create_app(Settings(), transport=httpx2.MockTransport(Seen()))
    with in_thread(app) as base, httpx2.Client() as client:
        url = f"{base}/mcp"
        asked = {"Origin": "https://evil.test", "Access-Control-Request-Method": "POST"}
        answers = [client.options(url, headers=asked), client.put(url), client.patch(url)]
        current_only = {VERSION: "2026-07-28", **HEADERS}
        answers += [client.get(url, headers=current_only), client.delete(url, headers=current_only)]
        batch = client.post(url, json=[INITIALIZE], headers=HEADERS)
    assert all(answer.status_code in (400, 403, 404, 405) for answer in answers), answers
    assert not [a for a in answers if "access-control-allow-origin" in a.headers]
    assert batch.status_code == 400
