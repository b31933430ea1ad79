"""Flaws of documents that keep an agent's first call from working, each with an API that insists.

AutoMCP (arXiv 2507.16044) found them in 50 APIs. Where a document says enough, the call is right
without settings. The rest is told: at generation, with lines that make it right in `mcpgen.toml`,
or by the failed call.
"""

import json
import re
from collections.abc import Mapping
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
from .servers import PACKAGE, Server, imported, openapi, read, write

HOME = "https://marina.example/v1"
FLAWS = read("flaws")
"""Of each what its document has, what its API insists on, and how a person fills in the lines."""


@dataclass(frozen=True)
class Flaw:
    """A document, and what its API insists on: a URL, or headers."""

    document: Mapping[str, Any]
    insists: Mapping[str, str]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    secret: str = "k"
    status: int = 401
    message: str = "Refused."
    filled: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def written(self) -> dict[str, Any]:
        """The document: one operation, which is served at `HOME` where nothing else is said."""
        given = dict(self.document)
        ok = {"200": {"description": "ok"}}
        operation = {"operationId": "listBoats", "parameters": [], "responses": ok}
        own = ("parameters", "security", "responses")
        operation |= {key: given.pop(key) for key in own if key in given}
        paths = {given.pop("path", "/boats"): {"get": operation}, **given.pop("paths", {})}
        if "schemes" in given:
            given["components"] = {"securitySchemes": given.pop("schemes")}
        return openapi("Marina", paths, **{"servers": [{"url": HOME}], **given})

    def is_right(self, request: httpx2.Request) -> bool:
        found = {"url": str(request.url), **request.headers}
        return self.insists.items() <= found.items()


ENOUGH = {name: Flaw(**flaw) for name, flaw in FLAWS["enough"].items()}
TOLD = {name: Flaw(**flaw) for name, flaw in FLAWS["told"].items()}
BY_THE_CALL = Flaw(**FLAWS["by the call"])


@pytest.fixture
def made(tmp_path, upstream):
    """Generates the server of a flaw, or updates it; the value is the server and what is told."""

    def make(flaw: Flaw, settings: str = "") -> tuple[Server, list[dict[str, Any]]]:
        folder = tmp_path / "server"
        if settings:
            write(folder / "mcpgen.toml", f"{settings}\n{(folder / 'mcpgen.toml').read_text()}")
        source = write(tmp_path / "document.json", flaw.written)
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

    def answer(request: httpx2.Request) -> httpx2.Response:
        if flaw.is_right(request):
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
    is_host = "without a scheme" in str(told) or "has no scheme" in str(told)
    assert is_host is ("servers" in flaw.document)


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
    source = write(tmp_path / "document.json", TOLD[name].written)
    done = run("from-openapi", str(source), "-o", str(tmp_path / "server"), "--strict", *PACKAGE)
    assert done.exit_code == code, done.output
