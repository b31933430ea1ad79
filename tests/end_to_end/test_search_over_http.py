"""The search surface over HTTP: what each caller finds and may call, on three paths."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import searchable
from runtime.issuer import RESOURCE, SCOPES, Issuer
from runtime.serving import asked, current

from .calling_tasks import ENDED, EXTENSION, Caller, serving
from .servers import Server, of_document, packaged
from .upstream import Answer

PATHS = ("", "/tools", "/search")
PREFIX = "VETS_OVER_HTTP"


@pytest.fixture(scope="module")
def issuer():
    return Issuer(SCOPES)


vets = of_document(searchable.document(), "--surface", "search", "--package", "vets_over_http")


@pytest.fixture(autouse=True)
def signed_in(monkeypatch):
    monkeypatch.setenv(f"{PREFIX}_LOGIN_TOKEN", "t")


class Endpoint:
    """A server over HTTP on its three paths, and those who call it."""

    def __init__(self, base: str, issuer: Issuer) -> None:
        self.base = base
        self.issuer = issuer

    def ask(self, who: str, method: str, path: str = "", **params: Any) -> dict[str, Any]:
        return asked(f"{self.base}/mcp{path}", self.issuer.token(who), method, **params)

    def call(self, who: str, tool: str, path: str = "", **arguments: Any) -> Any:
        """The text of a call, or its error."""
        answer = self.ask(who, "tools/call", path, name=tool, arguments=arguments)
        if "error" in answer:
            return answer["error"]
        return "\n".join(block["text"] for block in answer["result"]["content"])


@pytest.fixture
def endpoint(vets, issuer, tmp_path):
    with started(vets, issuer, audit=str(tmp_path / "audit")) as found:
        yield found


@contextmanager
def started(server: Server, issuer: Issuer, **more: Any) -> Iterator[Endpoint]:
    server.upstream.answer, server.upstream.seen = Answer(body=b'{"id": 7}'), []
    with server.behind(issuer, surface="search", **more) as base:
        yield Endpoint(base, issuer)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (path / "audit").read_text().splitlines()]


def test_a_caller_neither_finds_nor_reads_what_it_may_not_call(endpoint):
    assert "deletePet" in endpoint.call("writer", "find_tools", query="remove pet")
    for query in ({"query": "remove pet"}, {"area": "Pets"}, {"effect": "write"}):
        found = endpoint.call("reader", "find_tools", **query)
        assert "deletePet" not in found
        assert "createPet" not in found
    assert "Pets (2)" in endpoint.call("reader", "find_tools")
    said = endpoint.call("reader", "describe_tools", names=["deletePet"])
    assert said.startswith("deletePet: there is no such tool")
    assert "[delete]" not in said
    for who, count in (("reader", 4), ("writer", 8)):
        listed = endpoint.ask(who, "tools/list")["result"]
        assert f"{count} tools in all" in listed["tools"][0]["description"]
        assert listed["cacheScope"] == "private"


@pytest.mark.parametrize("given", ["{}", "", [1], 7])
def test_arguments_that_are_no_object_are_refused_as_of_any_tool(endpoint, given):
    own, through, tool = (
        endpoint.ask("writer", "tools/call", name=name, arguments=given)
        for name in ("find_tools", "call_read_tool", "getPet")
    )
    assert own["error"]["code"] == -32602
    assert through["error"] == own["error"] == tool["error"]


def test_a_call_through_needs_the_scopes_of_the_tool(endpoint, vets, tmp_path):
    for path in ("", "/search"):
        url, token = f"{endpoint.base}/mcp{path}", endpoint.issuer.token("reader")
        params = {"name": "deletePet", "arguments": {"petId": 7}}
        straight = refused(url, token, "deletePet", params["arguments"])
        through = refused(url, token, "call_delete_tool", params)
        assert through.status_code == straight.status_code == 403
        assert through.headers["www-authenticate"] == straight.headers["www-authenticate"]
        assert 'scope="pets:write"' in through.headers["www-authenticate"]
    assert not vets.upstream.seen
    assert {(line["tool"], line["outcome"]) for line in lines(tmp_path)} == {
        ("deletePet", "forbidden")
    }


def refused(url: str, token: str, name: str, arguments: Any) -> httpx2.Response:
    message, headers = current(name, arguments)
    return httpx2.post(url, json=message, headers=headers | {"Authorization": f"Bearer {token}"})


def test_the_log_names_the_tool_that_was_called(endpoint, vets, tmp_path):
    endpoint.call("reader", "call_read_tool", name="getPet", arguments={"petId": 7})
    endpoint.call("writer", "deletePet", petId=8)
    endpoint.call("writer", "call_read_tool", name="deletePet", arguments={"petId": 8})
    endpoint.call("writer", "find_tools", query="pets")
    assert [(line["tool"], line["outcome"]) for line in lines(tmp_path)] == [
        ("getPet", "ok"), ("deletePet", "ok"), ("deletePet", "error"), ("find_tools", "ok")
    ]  # fmt: skip
    assert lines(tmp_path)[0]["arguments"] == lines(tmp_path)[1]["arguments"] == ["petId"]
    assert [seen.target for seen in vets.upstream.seen] == ["/pets/7", "/pets/8"]


def test_limits_are_those_of_the_tool(vets, issuer):
    by_tool = (("getPet", 1),)
    with started(vets, issuer, calls_per_minute_by_tool=by_tool) as endpoint:
        arguments = {"name": "getPet", "arguments": {"petId": 7}}
        assert endpoint.call("reader", "call_read_tool", **arguments) == '{"id":7}'
        said = endpoint.call("reader", "call_read_tool", **arguments)
        assert "getPet [read]" not in said
        assert said == endpoint.call("reader", "getPet", petId=7)
        assert endpoint.call("writer", "call_read_tool", **arguments) == '{"id":7}'
        assert len(vets.upstream.seen) == 2


def test_paths_have_their_surface_metadata_and_tokens(endpoint):
    for path, count in zip(PATHS, (5, 8, 5), strict=True):
        answer = endpoint.ask("writer", "tools/list", path)
        assert len(answer["result"]["tools"]) == count
    for path in PATHS:
        answer = httpx2.post(f"{endpoint.base}/mcp{path}", json={})
        assert answer.status_code == 401
        metadata = f"https://mcp.example/.well-known/oauth-protected-resource/mcp{path}"
        assert f'resource_metadata="{metadata}"' in answer.headers["www-authenticate"]
        found = httpx2.get(f"{endpoint.base}/.well-known/oauth-protected-resource/mcp{path}").json()
        assert found["resource"] == f"{RESOURCE}{path}"
        assert found["scopes_supported"] == ["pets:read", "pets:write"]
    for audience in PATHS:
        token = endpoint.issuer.token("reader", aud=f"{RESOURCE}{audience}")
        for path in PATHS:
            assert "result" in asked(f"{endpoint.base}/mcp{path}", token, "tools/list")
    token = endpoint.issuer.token("reader", aud=f"{RESOURCE}/other")
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx2.post(f"{endpoint.base}/mcp", json={}, headers=headers).status_code == 401


@pytest.fixture(scope="module")
def wharf(upstream, tmp_path_factory):
    """A server whose tool runs as a task, asks its user, and tells how far it is."""
    number = {"type": "object", "properties": {"number": {"type": "integer"}}}
    ship = {"description": "A ship.", "inputSchema": number}
    tools = [
        {"name": "build", **ship, "task": "optional"},
        {"name": "moor", **ship, "input": [{"message": "Moor at {number}?"}]},
    ]
    document = {"server": {"name": "wharf"}, "tools": tools}
    folder = tmp_path_factory.mktemp("wharf")
    made = packaged(document, folder, upstream, "--surface", "search")
    (made.folder / made.package / "handlers" / "tools.py").write_text(HANDLERS, "utf-8")
    return made


HANDLERS = """from __future__ import annotations

from typing import Any

from .._runtime import Context, tool


@tool("build")
async def build(ctx: Context, *, number: int = 0) -> Any:
    await ctx.report_progress(1, 2, "keel laid")
    return {"number": number}


@tool("moor")
async def moor(ctx: Context, *, number: int = 0) -> Any:
    return {"moored": number}
"""


def through(caller: Caller, name: str, capabilities: Any = None, **more: Any) -> Any:
    own = {"name": name, "arguments": {"number": 3}, "as": "json"}
    params = {"name": "call_write_tool", "arguments": own}
    asked_with = {"elicitation": {"form": {}}} if capabilities is None else capabilities
    return caller.ask("tools/call", {**params, **more}, asked_with)


def test_tasks_questions_and_progress_go_through(wharf):
    async def main():
        async with serving(wharf, surface="search") as http:
            one, two = Caller(http, "one"), Caller(http, "two")
            await task(one, two)
            await question(one)

    async def task(one, two):
        started = await through(one, "build", {"extensions": {EXTENSION: {}}})
        assert started["resultType"] == "task"
        done = await one.until(started["taskId"], *ENDED)
        assert done["result"]["structuredContent"] == {"number": 3}
        with pytest.raises(Exception, match="does not exist"):
            await two.get(started["taskId"])

    async def question(one):
        asking = await through(one, "moor")
        assert asking["resultType"] == "input_required"
        ((key, request),) = asking["inputRequests"].items()
        assert request["params"]["message"] == "Moor at 3?"
        answer = {key: {"action": "accept", "content": {}}}
        more = {"inputResponses": answer, "requestState": asking["requestState"]}
        assert (await through(one, "moor", **more))["structuredContent"] == {"moored": 3}

    anyio.run(main)


def test_progress_goes_through(wharf):
    told = []

    async def report(progress, total, message):
        told.append((progress, message))

    async def use(client):
        arguments = {"name": "build", "arguments": {"number": 3}, "as": "json"}
        return await client.call_tool("call_write_tool", arguments, progress_callback=report)

    assert wharf.use(use, surface="search").structured_content == {"number": 3}
    assert told == [(1, "keel laid")]


def test_brackets_are_counted_and_limits_hold_on_each_path(vets, issuer):
    deep = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":' + b"[" * 100 + b"]" * 100 + b"}"
    )
    _, headers = current("call_read_tool", {})
    with started(vets, issuer, calls_per_minute=1) as endpoint:
        headers |= {"Authorization": f"Bearer {issuer.token('reader')}"}
        for path in PATHS:
            answer = httpx2.post(f"{endpoint.base}/mcp{path}", content=deep, headers=headers)
            assert answer.status_code == 400
            assert "nested deeper than 100 levels" in answer.json()["error"]["message"]
        assert endpoint.call("reader", "getPet", petId=7)
        for path in PATHS:
            large = deep + b" " * (1 << 16)
            answer = httpx2.post(f"{endpoint.base}/mcp{path}", content=large, headers=headers)
            assert answer.status_code == 429
            assert "1 calls a minute from you" in answer.json()["error"]["message"]
