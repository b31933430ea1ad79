"""Requests that are refused before anything parses them, and sessions that are counted first."""

import json
from types import ModuleType
from typing import Any

import httpx2
import pytest
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount
from tables import table

from mcpgen.runtime import HttpSettings
from mcpgen.runtime.parts.http import endpoint
from mcpgen.runtime.values import jsontext

from ...gated import pets
from ...issuer import RESOURCE, SCOPES, Issuer
from ...serving import HEADERS, INITIALIZE, current, in_thread

PACKAGE = "shop_early_mcp"
OLDER = HEADERS | {"MCP-Protocol-Version": "2025-11-25"}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("SHOP_KEY", "sk-SENTINEL")


@pytest.fixture(scope="module")
def issuer():
    made = Issuer(SCOPES)
    with in_thread(made.app) as url:
        made.url = url
        yield made


@pytest.fixture
def parsed(monkeypatch):
    """The sizes of the bodies that anything of the server or of the library parses."""
    sizes: list[int] = []

    def watch(module: Any, name: str) -> None:
        usual = getattr(module, name)

        def watched(data: Any, *given: Any, **named: Any) -> Any:
            sizes.append(len(data))
            return usual(data, *given, **named)

        monkeypatch.setattr(module, name, watched)

    import pydantic_core

    watch(endpoint, "from_json")
    watch(pydantic_core, "from_json")
    watch(json, "loads")
    return sizes


def served(shop: ModuleType, *, inside: bool = False, **settings: Any) -> Any:
    """The server, alone or mounted into another application."""
    app = shop.create_app(HttpSettings(**settings), transport=httpx2.MockTransport(pets))
    if inside:
        app = Starlette(routes=[Mount("/in", app)], lifespan=app.router.lifespan_context)
    return in_thread(app)


def body(value: bytes, tool: str = "create") -> bytes:
    head = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%b","arguments":{"a":'
    return head % tool.encode() + value + b"}}}"


DEEP = body(b"[" * 98 + b"]" * 98)
MANY = body(b"[" + b"[]," * 1_000_001 + b"[]]")


@pytest.mark.parametrize("headers", [current("create", {})[1], HEADERS, OLDER])
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("signed", ["", "token", "issuer"])
def test_brackets_are_counted_before_a_request_is_parsed(
    shop, issuer, parsed, headers, inside, signed
):
    own = {
        "": {},
        "token": {"http_token": "t" * 16},
        "issuer": {"http_issuer": issuer.url, "http_resource": RESOURCE},
    }[signed]
    token = issuer.token("writer", scope="pets:write") if signed == "issuer" else "t" * 16
    headers = headers | {"Authorization": f"Bearer {token}"}
    with served(shop, inside=inside, **own) as base:
        url = f"{base}{'/in' if inside else ''}/mcp"
        for content, reason in (
            (DEEP, "is nested deeper than 100 levels"),
            (MANY, "holds more than 1,000,000 arrays and objects"),
        ):
            answer = httpx2.post(url, content=content, headers=headers)
            assert answer.status_code == 400
            error = {"code": -32700, "message": f"The request {reason}"}
            assert answer.json() == {"jsonrpc": "2.0", "id": None, "error": error}
            assert len(content) not in parsed
        shallow = body(b"[" * 97 + b"]" * 97)
        answer = httpx2.post(url, content=shallow, headers=headers)
        assert "nested" not in answer.text
        assert len(shallow) in parsed


@table(
    "text",
    b'{"a": "' + b"[" * 500 + b'"}',
    b'{"a": "\\\\\\"' + b"[" * 500 + b'", "\\\\": [1]}',
    b"[" + b"[]," * 500 + b"[]]",
    b'[{"[": {"]": []}}]' * 50,
)
def test_brackets_in_texts_and_beside_each_other_are_no_nesting(text):
    jsontext.check_brackets(text)


@table(
    "text",
    b"[" * 101,
    b'{"a":' * 101 + b"1" + b"}" * 101,
    b'{"a":"\\\\"}' + b"[" * 101 + b'"',
    b'["' + b"]" * 200 + b'",' + b"[" * 100 + b"]" * 100 + b"]",
)
def test_brackets_that_nest_are(text):
    with pytest.raises(jsontext.NotJson, match="deeper than 100 levels"):
        jsontext.check_brackets(text)


LIMITS = {"calls_per_minute": 1}


def refused(answer: httpx2.Response) -> bool:
    return answer.status_code == 429 and "1 calls a minute from you" in answer.text


@pytest.mark.parametrize("signed", [False, True])
def test_a_caller_over_a_limit_is_refused_before_a_large_request_is_read(
    shop, issuer, parsed, signed
):
    own = {"http_token": "t" * 16}
    if signed:
        own = {"http_issuer": issuer.url, "http_resource": RESOURCE}
    token = issuer.token("writer", scope="pets:write") if signed else "t" * 16
    message, headers = current("create", {"name": "x"})
    headers |= {"Authorization": f"Bearer {token}"}
    with served(shop, **own, **LIMITS) as base:
        url = f"{base}/mcp"
        assert "isError" not in httpx2.post(url, json=message, headers=headers).json()["result"]
        small = httpx2.post(url, json=message, headers=headers)
        assert small.json()["result"]["isError"]  # as an agent reads it
        for content in (body(b'"%b"' % (b"x" * 100_000)), DEEP + b" " * 100_000, MANY):
            assert refused(httpx2.post(url, content=content, headers=headers))
            assert not [size for size in parsed if size >= 1 << 16]


@pytest.mark.parametrize("inside", [False, True])
def test_an_initialize_over_the_limit_opens_no_session(shop, monkeypatch, inside):
    opened = 0
    usual = StreamableHTTPSessionManager._admit_session

    def admit(self, *given):
        nonlocal opened
        opened += 1
        return usual(self, *given)

    monkeypatch.setattr(StreamableHTTPSessionManager, "_admit_session", admit)
    headers = HEADERS | {"Authorization": f"Bearer {'t' * 16}"}
    escaped = json.dumps(INITIALIZE).replace("initialize", "\\u0069nitialize")
    odd = json.dumps(INITIALIZE | {"params": {"_meta": 5}})
    with served(shop, inside=inside, http_token="t" * 16, calls_per_minute=2) as base:
        url = f"{base}{'/in' if inside else ''}/mcp"
        for _ in range(2):
            assert httpx2.post(url, json=INITIALIZE, headers=headers).status_code == 200
        for content in (json.dumps(INITIALIZE), escaped, odd):
            answer = httpx2.post(url, content=content, headers=headers)
            assert answer.status_code == 429
            assert "mcp-session-id" not in answer.headers
            assert answer.json()["id"] == INITIALIZE["id"]
            assert "2 calls a minute from you" in answer.json()["error"]["message"]
    assert opened == 2
