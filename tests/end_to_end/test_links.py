"""Large and binary answers as links that the server reads for a while."""

import base64
import json
import threading
from typing import Any

import anyio
from mcp import Client
from pictures import PNG
from runtime.issuer import Issuer
from runtime.serving import asked

from .following import task_of
from .offered import error_of
from .servers import Server, of_document
from .upstream import Answer

PDF = b"%PDF-1.7 " + bytes(range(256))
ROWS = [{"row": number, "text": "x" * 50} for number in range(200)]

archive = of_document(
    "archive",
    *("--package", "archive_links"),
    settings='result_links = true\n[tools.getFromVault]\ntask = "required"\n',
)


def after(server: Server, tool: str, answer: Answer, **settings: Any) -> tuple[Any, Any]:
    """A call's result, and what its link holds."""
    server.upstream.answer = answer

    async def use(client: Client) -> tuple[Any, Any]:
        result = await client.call_tool(tool, {})
        (link,) = [block for block in result.content if block.type == "resource_link"]
        read = await client.read_resource(link.uri)
        return result, read

    found: tuple[Any, Any] = server.use(use, **settings)
    return found


def test_no_other_call_waits_while_a_large_answer_is_shortened(archive, monkeypatch):
    links = archive.module("_runtime.parts.links")
    mapped, threads = links.mapped, set()

    def shortened(*given):
        threads.add(threading.current_thread())
        return mapped(*given)

    monkeypatch.setattr(links, "mapped", shortened)
    after(archive, "listRows", Answer.of([*ROWS, "x" * (1 << 20)]), max_result_bytes=2000)
    assert len(threads - {threading.main_thread()}) == 1


def test_it_is_bounded_in_time_and_bytes_and_by_its_caller(archive):
    links = archive.module("_runtime.parts.links")
    media = archive.module("_runtime.backend.answer").MediaType("text/plain")
    time = [0.0]
    store = archive.module("_runtime.calls.store").MemoryStore(lambda: time[0])
    kept = links.Links("a://", store, lambda: time[0])

    async def bounded():
        first = await kept.keep(b"one", media, "me")
        assert (await kept.get(first, "me"))[2] == b"one"
        assert await kept.get(first, "you") is None
        assert await kept.get(first + "x", "me") is None
        time[0] = links.LIFETIME
        assert await kept.get(first, "me") is None
        half = bytes(links.MOST_BYTES // 2 - 100)
        uris = [await kept.keep(half, media, "me") for _ in range(3)]
        assert len(set(uris)) == 3
        assert [await kept.get(uri, "me") is not None for uri in uris] == [False, True, True]

    anyio.run(bounded)


def test_whoever_signs_in_reads_a_link_with_the_next_token_too(archive):
    """A token may end before the link does: it is kept for the person, not for the token."""
    archive.upstream.answer = Answer(PDF, "application/pdf")
    issuer = Issuer({"one": [], "two": []})
    with archive.behind(issuer) as base:
        url = f"{base}/mcp"
        called = asked(url, issuer.token("one"), "tools/call", name="getPaper", arguments={})
        uri = called["result"]["content"][0]["uri"]
        (again, other) = (
            asked(url, issuer.token(client, jti="second"), "resources/read", uri=uri)
            for client in ("one", "two")
        )
    assert base64.b64decode(again["result"]["contents"][0]["blob"]) == PDF
    assert other["error"]["code"] == -32602


def test_a_handler_reads_the_link_that_its_caller_passes_on(archive, monkeypatch):
    archive.upstream.answer = Answer(PDF, "application/pdf")

    async def stamp(ctx):
        (content,) = await ctx.read_resource(ctx.meta["of"])
        return content.blob

    async def use(client):
        (link,) = (await client.call_tool("getPaper", {})).content
        assert link.type == "resource_link"
        result = await client.call_tool("getStamp", {}, meta={"of": link.uri})
        assert result.content[0].type == "text"
        return result.content[0].text

    handlers = archive.module("server").APP.catalogue._handlers
    monkeypatch.setitem(
        handlers, "getStamp", archive.module("_runtime.calls.catalogue").Handler(stamp)
    )
    assert base64.b64decode(archive.use(use)) == PDF


def test_large_and_binary_answers_are_links(archive):
    answer = Answer(PDF, "application/pdf")
    result, read = after(archive, "getPaper", answer)
    link = result.content[0]
    assert (link.mime_type, link.size) == ("application/pdf", len(PDF))
    (content,) = read.contents
    assert (content.uri, content.mime_type) == (link.uri, "application/pdf")
    assert base64.b64decode(content.blob) == PDF
    assert read.cache_scope == "private"
    assert 0 < read.ttl_ms <= 900_000
    headers = (("Location", "/papers/7"),)
    result, _ = after(archive, "getPaper", Answer(PDF, "application/pdf", headers=headers))
    assert [block.type for block in result.content] == ["resource_link", "text"]
    assert result.content[1].text == "location: /papers/7"
    result, read = after(archive, "listRows", Answer.of(ROWS), max_result_bytes=2000)
    assert not result.is_error
    assert len(result.content[0].text) <= 2000
    assert json.loads(read.contents[0].text) == ROWS
    large = Answer(PNG * 40, "image/png")
    result, read = after(archive, "getStamp", large, max_result_bytes=2000)
    assert base64.b64decode(read.contents[0].blob) == PNG * 40
    archive.upstream.answer = Answer(PNG, "image/png")
    (picture,) = archive.use(lambda client: client.call_tool("getStamp", {})).content
    assert picture.type == "image"
    assert [b.type for b in archive.call("listRows", {}, Answer.of([1])).result.content] == ["text"]
    answer = Answer(PDF, "application/pdf", 302, (("Location", "https://elsewhere.example/paper"),))
    (block,) = archive.call("getMoved", {}, answer).result.content
    assert "https://elsewhere.example/paper" in block.text

    async def read(client):
        return await client.read_resource("archive-links://answers/none")

    assert error_of(archive, "auto", read).code == -32602


def test_a_server_without_the_setting_keeps_nothing(generated):
    plain = generated("answers.yaml")
    answer = Answer(PDF, "application/pdf")
    assert [b.type for b in plain.call("getLeaflet", {}, answer).result.content] == ["resource"]
    assert not (plain.folder / plain.package / "_runtime/parts/links.py").exists()


def test_a_task_ends_with_a_link_that_its_caller_reads(archive):
    archive.upstream.answer = Answer(PDF, "application/pdf")
    settings = archive.module("_runtime").Settings(base_url=archive.upstream.url)
    made = archive.module("server").create_server(settings)

    async def main():
        async with task_of(made, "getFromVault") as task:
            with anyio.fail_after(20):
                while (found := await task.ask("get"))["status"] == "working":
                    await anyio.sleep(0)
            link = found["result"]["content"][0]
            assert (link["type"], link["size"]) == ("resource_link", len(PDF))
            (content,) = (await task.client.read_resource(link["uri"])).contents
            assert base64.b64decode(content.blob) == PDF

    anyio.run(main)
