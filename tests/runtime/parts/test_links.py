"""Links to what a handler of its own returns."""

import json
import threading
from base64 import b64decode
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from mcp_types import TextContent
from pictures import PNG
from tables import table

from mcpgen.runtime import Response, Settings
from mcpgen.runtime.backend.answer import Answer, interpret
from mcpgen.runtime.backend.response import FinalResult
from mcpgen.runtime.backend.threads import LARGE
from mcpgen.runtime.calls.caller import owner_of
from mcpgen.runtime.calls.store import MemoryStore
from mcpgen.runtime.parts.links import Links
from mcpgen.runtime.results.returned import Media
from mcpgen.runtime.values.media import MediaType

from ..mapping import PLAIN, on_the_wire, texts
from ..support import client

BACKEND = client(settings=Settings(max_result_bytes=21))._backend


REQUEST: Any = SimpleNamespace(
    request=None, lifespan_context=SimpleNamespace(backend=BACKEND, caller_headers=())
)


async def linked(value: Any) -> tuple[Any, Links]:
    """What a call ends in whose handler returns a value."""
    context: Any = SimpleNamespace(request=REQUEST)

    async def serve(*_: Any) -> Any:
        return value

    links = Links("shop://answers/", MemoryStore())
    return await links.wrap(PLAIN, serve)(context, {}), links


async def behind(links: Links, found: Any) -> Any:
    """The contents behind the link at the end of a result."""
    read = await links.read(REQUEST, found.result["content"][-1]["uri"])
    return read["contents"][0]


def kept_by(links: Links) -> Any:
    """What the store of links has."""
    store: Any = links._store
    return store._values


@table(
    "value, media, annotations",
    (b"\xff", "application/octet-stream", None),
    (bytearray(b"\xff"), "application/octet-stream", None),
    (Media(b"\xff", "application/pdf"), "application/pdf", None),
    (Media(PNG, "image/png"), "image/png", None),
    (Media(b"\xff", audience=("user",)), "application/octet-stream", {"audience": ["user"]}),
    (
        Media(b"\xff", "application/pdf", last_modified="2026-01-01", priority=1),
        "application/pdf",
        {"priority": 1, "lastModified": "2026-01-01"},
    ),
)
async def test_bytes_of_a_handler_are_a_link(value, media, annotations):
    found, links = await linked(value)
    assert isinstance(found, FinalResult)
    (block,) = on_the_wire(found.result)["content"]
    assert (block["type"], block["mimeType"]) == ("resource_link", media)
    assert block.get("annotations") == annotations
    blob = b64decode((await behind(links, found))["blob"])
    assert blob == (value.data if isinstance(value, Media) else bytes(value))


@table(
    "value",
    *[None, "text", {"a": 1}, [b"\xff"], TextContent(text="a"), Media(b"a,b", "image/png")],
    Media(b"\xff", uri="shop://own"),
    Response(b"--x--", content=b"x" * 11, kind="multipart", content_type="multipart/mixed"),
)
async def test_all_else_stays_in_the_result(value):
    found, links = await linked(value)
    assert found is value
    assert not kept_by(links)


@table("data, content", (["a"] * 9, b"[]"), ("a" * 99, b"a"), ({"a": "a" * 9}, b""))
async def test_what_a_handler_adds_to_an_answer_is_behind_the_link(data, content):
    """As the pages that follow the first."""
    kind = "text" if isinstance(data, str) else "json"
    found, links = await linked(Response(data, content=content, kind=kind))
    text = (await behind(links, found))["text"]
    assert (text if isinstance(data, str) else json.loads(text)) == data


async def test_an_answer_that_is_more_than_may_be_kept_is_no_link(monkeypatch):
    """Its link would lead nowhere."""
    monkeypatch.setattr("mcpgen.runtime.parts.links.MOST_BYTES", 20)
    assert isinstance((await linked(b"\xff" * 20))[0], FinalResult)
    assert not isinstance((await linked(b"\xff" * 21))[0], FinalResult)


async def test_links_are_only_for_what_is_left_out():
    pretty = b'{\n    "a": 1\n}'
    answer = Answer(200, {"content-type": "application/json"}, pretty)
    value = interpret(answer, ("200",), "application/json")
    for each in (value, replace(value, data={"b": 2})):
        found, links = await linked(each)
        assert [block["type"] for block in found.result["content"]] == ["text"]
        assert not kept_by(links)
    content = b"\xff" * 11
    value = Response(content, headers={"Location": "/a"}, content=content, kind="binary")
    found, _ = await linked(value)
    assert texts(found.result) == ["location: /a"]


@table(
    "header, kind",
    ("application/json; charset=ISO-8859-1", "application/json"),
    ("application/problem+json; charset=utf-16", "application/problem+json"),
    (None, "application/json"),
    ("application/octet-stream", "application/json"),
    ("text/html", "text/html"),
)
async def test_what_is_read_as_json_is_text_behind_its_link(header, kind):
    """Web servers declare Latin-1 for every answer, and JSON is UTF-8 whatever they say."""
    content = '{"name": "Ærø, Læsø"}'.encode()
    answer = Answer(200, {"content-type": header or ""}, content)
    value = interpret(answer, ("2XX",), "application/json")
    found, links = await linked(value)
    block = found.result["content"][-1]
    assert block["mimeType"] == kind
    contents = {"uri": block["uri"], "mimeType": kind, "text": content.decode()}
    assert await behind(links, found) == contents


@table(
    "header, body, changed, kept",
    ("application/json; charset=shift_jis", b'{"a": 1, "key": "k"}', {"a": "éé"}, '{"a":"éé"}'),
    ("text/plain; charset=utf-16", "key: k, a: 1".encode("utf-16"), "a: é" * 3, "a: é" * 3),
    ("application/json", b'{"a": 1, "key": "k"}', None, '{"a": 1, "key": "k"}'),
    ("text/csv", b"key,a\r\nk,1\r\n", [{"a": "é"}], '[{"a":"é"}]'),
    ("application/json", b'{"a": 1, "key": "k"', "a: 1 or many of these", "a: 1 or many of these"),
    ("application/pdf", b"key", b"a", b"a"),
)
async def test_what_a_handler_took_out_is_not_behind_the_link(header, body, changed, kept):
    value = interpret(Answer(200, {"content-type": header}, body), ("200",), header)
    value = value if changed is None else replace(value, data=changed)
    found, links = await linked(value)
    contents = await behind(links, found)
    assert contents.get("text", contents.get("blob")) in (kept, "YQ==")
    assert found.result["content"][-1]["size"] == len(kept.encode() if type(kept) is str else kept)
    if type(kept) is str:
        is_json = kept.startswith(("{", "["))
        assert contents["mimeType"] == ("application/json" if is_json else "text/plain")


@pytest.mark.parametrize(("size", "aside"), [(LARGE - 1, False), (LARGE, True)])
async def test_a_large_answer_is_read_where_no_call_waits_for_it(size, aside, monkeypatch):
    threads = []

    def scrubbed(text):
        threads.append(threading.get_ident())
        return text

    monkeypatch.setattr("mcpgen.runtime.parts.links.scrub", scrubbed)
    links = Links("shop://answers/", MemoryStore())
    uri = await links.keep(b"a" * size, MediaType("text/plain"), owner_of(REQUEST))
    read = await links.read(REQUEST, uri)
    assert read["contents"][0]["text"] == "a" * size
    assert (threads != [threading.get_ident()]) == aside


async def test_one_callers_answers_push_no_others_out(monkeypatch):
    monkeypatch.setattr("mcpgen.runtime.parts.links.MOST_BYTES", 110_000)
    store = MemoryStore()
    links, kind = Links("shop://answers/", store), MediaType("text/plain")
    other = await links.keep(b"a" * 20_000, kind, "other", "other")
    own = [await links.keep(b"b" * 20_000, kind, "me", "me") for _ in range(6)]
    assert await links.get(other, "other") is not None
    there = [await links.get(uri, "me") is not None for uri in own]
    assert there == [*[False] * 4, True, True]
    large = await links.keep(b"c" * 80_000, kind, "me", "me")
    assert await links.get(large, "me") is not None
    assert await links.get(other, "other") is not None
    assert len(store._values) == 2
