"""A handler that calls another tool's: what that tool has holds for the call within, too."""

import argparse
import re

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent
from runtime.serving import in_thread
from typed import assert_typed

from .servers import packaged
from .upstream import Answer

SETTINGS = """http_tokens = true
list_changed = true
[tools.getJob]
redact = ["$.token"]
scopes = ["jobs"]
[tools.getJob.arguments.tenant]
value = "acme"
[tools.listCustomers.arguments.brief]
new = true
type = "boolean"
default = true
"""
BODY = """    job = await get_job(ctx, job_id=2, filter=filter)
    return {"title": job.data.get("title"), "brief": brief, **job.data}
"""


@pytest.fixture(scope="module")
def desk(upstream, tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    made = packaged("desk", folder, upstream, settings=SETTINGS)
    path = made.folder / made.package / "handlers/customers.py"
    code = path.read_text()
    start = code.index("    return await ctx.api.send(")
    code = code[:start] + BODY
    code = re.sub(r"-> Response\[\w+\]:", "-> dict[str, Any]:", code)
    code = code.replace("TYPE_CHECKING\n", "TYPE_CHECKING, Any\n", 1)
    path.write_text(code.replace("\n\nif TYPE", "\nfrom .jobs import get_job\n\nif TYPE", 1))
    return made


def answered() -> Answer:
    return Answer.of({"title": "Paint", "token": "s3cret"})


def test_a_tool_that_is_off_is_off_within_another(desk):
    catalogue = desk.module("_runtime").catalogue

    async def use(client):
        result = await client.call_tool("listCustomers", {})
        block = result.content[0]
        assert isinstance(block, TextContent)
        return bool(result.is_error), block.text

    async def main():
        made = desk.module("server").APP.parts.kind(base_url=desk.upstream.url)
        server = desk.module("server").create_server(made)
        catalogue(server).switch_off("getJob")
        async with Client(server) as client:
            return await use(client)

    desk.upstream.seen = []
    is_error, text = anyio.run(main)
    assert (is_error, "`getJob`, which is switched off" in text) == (True, True)
    assert desk.upstream.seen == []


def test_what_holds_for_the_called_tool(desk):
    call = desk.call("listCustomers", {}, answered(), base_url=desk.upstream.url)
    assert call.request.target == "/jobs/2?tenant=acme"
    told = {"title": "Paint", "token": "[redacted]", "brief": True}
    assert call.result.structured_content == told
    assert "brief" in desk.arguments("listCustomers")
    refused = desk.call("listCustomers", {"filter": {"tenant": "other"}}, answered()).refused
    assert "tenant" in refused

    async def use(client):
        results = [await client.call_tool("listCustomers", {}) for _ in range(3)]
        return [bool(each.is_error) for each in results]

    desk.upstream.answer = answered()
    assert desk.use(use, calls_per_minute_by_tool=(("getJob", 2),)) == [False, False, True]


def test_a_caller_needs_the_scopes_of_the_called_tool(desk, tmp_path, monkeypatch):
    file, create = tmp_path / "tokens", desk.module("_runtime.parts.tokens").create
    flags = {"new_token": "one", "scopes": "other", "expires": None}
    one = create(argparse.Namespace(**flags), str(file), "DESK")
    flags |= {"new_token": "two", "scopes": "jobs"}
    two = create(argparse.Namespace(**flags), str(file), "DESK")
    monkeypatch.setenv("DESK_HTTP_TOKENS_FILE", str(file))
    monkeypatch.setenv("DESK_BASE_URL", desk.upstream.url)
    desk.upstream.answer, desk.upstream.seen = answered(), []

    async def call(url, token):
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            result = await client.call_tool("listCustomers", {})
            return bool(result.is_error), str(result.content[0])

    with in_thread(desk.module("server").create_app()) as base:
        refused, text = anyio.run(call, f"{base}/mcp", one)
        assert (refused, "`getJob`, and you lack its scopes: jobs" in text) == (True, True)
        assert desk.upstream.seen == []
        assert anyio.run(call, f"{base}/mcp", two)[0] is False


def test_type_checkers_find_a_field_that_is_gone(desk):
    path = desk.folder / desk.package / "handlers/customers.py"
    code = path.read_text()
    assert_typed(desk.folder, desk.package)
    wrong = (
        ('job.data.get("title")', 'job.data["titel"]', '"titel"'),
        ("job_id=2", "identifier=2", '"identifier"'),
        ("job_id=2", 'job_id="2"', "incompatible type"),
    )
    try:
        for old, new, said in wrong:
            path.write_text(code.replace(old, new))
            with pytest.raises(AssertionError, match=said):
                assert_typed(desk.folder, desk.package)
    finally:
        path.write_text(code)
