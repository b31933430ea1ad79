"""Flaws of documents that keep an agent's first call from working, each with an API that insists.

AutoMCP (arXiv 2507.16044) found them in 50 APIs. Where a document says enough, the call is right
without settings. The rest is told: at generation, with lines that make it right in `mcpgen.toml`,
or by the failed call.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx2
import pytest
from command_line import run
from mcp import Client
from mcp_types import CallToolResult, TextContent
from tables import table

from .credentials import variables
from .servers import PACKAGE, Server, imported, openapi, write

Request = httpx2.Request
HOME = "https://marina.example/v1"
OK = {"200": {"description": "ok"}}
REFUSES = {**OK, "401": {"description": "Who are you?"}}
BEARER = {"token": {"type": "http", "scheme": "bearer"}}
KEY = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}


def boats(*parameters: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """An operation."""
    return {"get": {"operationId": "listBoats", "responses": OK, "parameters": parameters, **more}}


def parameter(name: str, place: str = "query", **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "required": True, "schema": {"type": "string", **schema}}


def document(*parameters: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A document of one operation, which is served at `HOME` and refuses callers."""
    of_operation = {k: more.pop(k) for k in ("security", "responses") if k in more}
    schemes = {"components": {"securitySchemes": more.pop("schemes")}} if "schemes" in more else {}
    path = more.pop("path", "/boats")
    paths = {path: boats(*parameters, **of_operation), **more.pop("paths", {})}
    return openapi("Marina", paths, **{"servers": [{"url": HOME}], **schemes, **more})


def header(name: str, value: str) -> Callable[[Request], bool]:
    return lambda request: request.headers.get(name) == value


def at(url: str) -> Callable[[Request], bool]:
    return lambda request: str(request.url) == url


@dataclass(frozen=True)
class Flaw:
    """A document, and what its API insists on."""

    document: Mapping[str, Any]
    insists: Callable[[Request], bool]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    secret: str = "k"
    status: int = 401
    message: str = "Refused."
    filled: Mapping[str, str] = field(default_factory=dict)
    """What a person puts into the lines that are told, in place of what stands there."""
    environment: Mapping[str, str] = field(default_factory=dict)


at_boats = at(f"{HOME}/boats")
bearer = header("authorization", "Bearer k")
FLOWS = {"implicit": {"authorizationUrl": f"{HOME}/login", "scopes": {}}}
NO_TOKEN_URL = {"clientCredentials": {"scopes": {}}}
AS_TEXT = {"description": "Authorization", "name": "Authorization", "in": "header"}
ENOUGH = {
    "a host without a scheme": Flaw(document(servers=[{"url": "marina.example/v1"}]), at_boats),
    "a host and a port without a scheme": Flaw(
        document(servers=[{"url": "127.0.0.1:8080/v1"}]), at("http://127.0.0.1:8080/v1/boats")
    ),
    "a required header with a default": Flaw(
        document(parameter("revision", "header", default="2024-10-15")),
        header("revision", "2024-10-15"),
    ),
    "required parameters with one value": Flaw(
        document(parameter("Action", enum=["ListBoats"]), parameter("Version", const="2")),
        at(f"{HOME}/boats?Action=ListBoats&Version=2"),
    ),
    "a required path with a default": Flaw(
        document(parameter("mount", "path", default="east"), path="/{mount}/boats"),
        at(f"{HOME}/east/boats"),
    ),
    "a key in Authorization": Flaw(
        document(
            schemes={"key": {"type": "apiKey", "in": "header", "name": "Authorization"}},
            security=[{"key": []}],
        ),
        header("authorization", "Token k"),
        secret="Token k",
    ),
    "bearer that wants Token": Flaw(
        document(schemes=BEARER, security=[{"token": []}]),
        header("authorization", "Token k"),
        secret="Token k",
    ),
    "a type in another case": Flaw(
        document(schemes={"key": {**KEY["key"], "type": "apikey"}}, security=[{"key": []}]),
        header("x-key", "k"),
    ),
    "OAuth without tokenUrl": Flaw(
        document(schemes={"o": {"type": "oauth2", "flows": NO_TOKEN_URL}}, security=[{"o": []}]),
        bearer,
    ),
    "OAuth with the implicit flow alone": Flaw(
        document(schemes={"o": {"type": "oauth2", "flows": FLOWS}}, security=[{"o": []}]), bearer
    ),
    "a number where a text is": Flaw(
        document(parameter("limit")), at(f"{HOME}/boats?limit=5"), {"limit": 5}
    ),
}
PROSE = {"title": "Marina", "version": "1"}
OPEN = boats(responses=REFUSES)
OTHER = {"/piers": {"get": {"operationId": "listPiers", "security": [{"token": []}]}}}
TOLD = {
    "no scheme": Flaw(document(responses=REFUSES), bearer),
    "a header in prose": Flaw(
        document(info={**PROSE, "description": "Send your key as `X-Marina-Key: KEY`."}),
        header("x-marina-key", "k"),
    ),
    "a scheme in prose": Flaw(
        document(info={**PROSE, "description": "`Authorization: Token <key>`"}, responses=REFUSES),
        header("authorization", "Token k"),
    ),
    "a requirement that names no scheme": Flaw(
        document(schemes=KEY, security=[{"nokey": []}]), header("x-key", "k")
    ),
    "a placeholder for a server": Flaw(document(servers=[{"url": "{{service-root}}"}]), at_boats),
    "a relative server": Flaw(document(servers=[{"url": "/v1"}]), at_boats),
    "no server": Flaw(document(servers=[]), at_boats),
    "a variable without a default": Flaw(
        document(servers=[{"url": "https://{at}.example/v1", "variables": {"at": {}}}]),
        at_boats,
        filled={"{at}": "marina"},
    ),
    "an undeclared variable": Flaw(
        document(servers=[{"url": "https://{at}.example/v1"}]), at_boats, filled={"{at}": "marina"}
    ),
    "localhost first": Flaw(
        document(servers=[{"url": "http://localhost:3000/v1"}, {"url": HOME}]), at_boats
    ),
    "a sandbox first": Flaw(
        document(servers=[{"url": "https://sandbox.marina.example/v1"}, {"url": HOME}]), at_boats
    ),
    "a sandbox by its description": Flaw(
        document(servers=[{"url": "https://a.example", "description": "Sandbox"}, {"url": HOME}]),
        at_boats,
    ),
    "your-domain": Flaw(document(servers=[{"url": "https://your-domain.com/v1"}]), at_boats),
    "an integer that may be a path": Flaw(
        document(
            {
                **parameter("id", "path", type="integer"),
                "description": "The ID or URL-encoded path of the boat",
            },
            path="/boats/{id}",
        ),
        at(f"{HOME}/boats/east%2Fanna"),
        {"id": "east/anna"},
    ),
    "the key on some operations": Flaw(
        document(
            responses=REFUSES,
            paths={"/piers": {"get": {"parameters": [{**AS_TEXT, "schema": {"type": "string"}}]}}},
        ),
        header("authorization", "k"),
    ),
    "security: [] at the operation": Flaw(
        document(schemes=BEARER, security=[], responses=REFUSES), bearer
    ),
    "a scheme that nothing uses": Flaw(document(schemes=BEARER), bearer),
    "some operations ask, others not": Flaw(
        document(schemes=BEARER, responses=REFUSES, paths=OTHER), bearer
    ),
}
BY_THE_CALL = Flaw(
    document(),
    header("marina-version", "2022-06-28"),
    status=400,
    message="Marina-Version header is missing",
    environment={"MARINA_EXTRA_HEADERS": "Marina-Version: 2022-06-28"},
)


@pytest.fixture
def made(tmp_path, upstream):
    """Generates the server of a flaw, or updates it; the value is the server and what is told."""

    def make(flaw: Flaw, settings: str = "") -> tuple[Server, list[dict[str, Any]]]:
        folder = tmp_path / "server"
        if settings:
            write(folder / "mcpgen.toml", f"{settings}\n{(folder / 'mcpgen.toml').read_text()}")
        source = write(tmp_path / "document.json", flaw.document)
        done = run("from-openapi", str(source), "-o", str(folder), "--json", *PACKAGE)
        assert done.exit_code == 0, done.output
        summary = json.loads(done.stdout)
        return imported(folder, upstream), summary["diagnostics"]

    return make


def called(flaw: Flaw, server: Server, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
    """Whether a call is right, and its text."""
    for names in variables(server).values():
        for name in names[:1]:
            monkeypatch.setenv(name, flaw.secret)

    def answer(request: Request) -> httpx2.Response:
        if flaw.insists(request):
            return httpx2.Response(200, json={"is": "right"})
        return httpx2.Response(flaw.status, json={"message": flaw.message})

    async def use(client: Client) -> CallToolResult:
        return await client.call_tool("listBoats", dict(flaw.arguments))

    extra = tuple(tuple(each.split(": ")) for each in flaw.environment.values())
    more = {"extra_headers": extra} if extra else {}
    result = server.use(use, httpx2.MockTransport(answer), base_url=None, **more)
    text = "\n".join(b.text for b in result.content if isinstance(b, TextContent))
    return not result.is_error and "right" in text, text


def lines_in(told: list[dict[str, Any]], flaw: Flaw) -> str:
    """The lines for mcpgen.toml that were told, as a person fills them in."""
    hints = " ".join(each.get("hint", "") for each in told)
    lines = dict.fromkeys(re.findall(r"`([\w.\"*]+ = [^`]+)`", hints))
    text = "\n".join(lines)
    for old, new in {"https://api.example.com": HOME, **flaw.filled}.items():
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("flaw", ENOUGH.values(), ids=ENOUGH)
def test_where_a_document_says_enough_the_first_call_is_right(flaw, made, monkeypatch):
    server, told = made(flaw)
    assert called(flaw, server, monkeypatch) == (True, '{"is":"right"}')
    is_host = "without a scheme" in str(told) or "names no scheme" in str(told)
    assert is_host is (flaw.document["servers"] != [{"url": HOME}])


@pytest.mark.parametrize("flaw", TOLD.values(), ids=TOLD)
def test_what_it_does_not_say_is_told_with_lines_that_make_it_right(flaw, made, monkeypatch):
    server, told = made(flaw)
    assert not called(flaw, server, monkeypatch)[0]
    lines = lines_in(told, flaw)
    assert lines
    server, _ = made(flaw, lines)
    assert called(flaw, server, monkeypatch)[0], lines


def test_what_no_document_shows_is_told_by_the_failed_call(made, monkeypatch):
    server, _ = made(BY_THE_CALL)
    plain = partial(called, Flaw(**{**vars(BY_THE_CALL), "environment": {}}))
    is_right, text = plain(server, monkeypatch)
    assert (is_right, "MARINA_EXTRA_HEADERS" in text) == (False, True)
    assert called(BY_THE_CALL, server, monkeypatch)[0]


@table(
    "name, code",
    *((name, 1) for name in ("no server", "a relative server", "no scheme")),
    ("security: [] at the operation", 1),
    ("some operations ask, others not", 0),
    ("your-domain", 0),
)
def test_strict_lets_no_server_pass_of_which_no_tool_can_be_called(tmp_path, name, code):
    source = write(tmp_path / "document.json", TOLD[name].document)
    done = run("from-openapi", str(source), "-o", str(tmp_path / "server"), "--strict", *PACKAGE)
    assert done.exit_code == code, done.output
