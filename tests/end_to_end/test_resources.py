"""Resources of a tool file, as clients of both generations of the protocol see them."""

import logging
import threading
from contextlib import nullcontext
from functools import partial

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from tables import table

from .offered import ERAS, error_of, read, use
from .servers import packaged
from .upstream import Answer


@ERAS
@table(
    "uri",
    *["almanac://nothing", "almanac://notes/missing", "almanac://notes/deep"],
    *["almanac://notes/link", "almanac://notes/..%2F..%2Fsecret", "almanac://notes/..%2Frules"],
    *["almanac://notes/%2Fetc%2Fpasswd", "almanac://notes/buoys%00", "almanac://notes/", ""],
)
def test_what_is_none_is_not_found(almanac, era, uri):
    error = error_of(almanac, era, lambda client: client.read_resource(uri))
    assert error.code == (-32002 if era == "legacy" else -32602)
    assert error.data == {"uri": uri}


@ERAS
def test_a_resource_is_a_request(almanac, era):
    content = read(almanac, "almanac://places/N%C3%B8rd%2F1?year=2026", era, Answer.of({"n": 1}))
    (request,) = almanac.upstream.seen
    assert (request.method, request.target) == ("GET", "/places/N%C3%B8rd%2F1?y=2026")
    assert (content.mime_type, content.text) == ("application/json", '{"n":1}')
    read(almanac, "almanac://places/x", era, Answer.of({}))
    assert almanac.upstream.seen[0].target == "/places/x"
    almanac.upstream.answer = Answer.of({"message": "gone"}, 404)
    error = error_of(almanac, era, lambda client: client.read_resource("almanac://today"))
    assert error.code == (-32002 if era == "legacy" else -32602)
    almanac.upstream.answer = Answer.of({"message": "no coffee"}, 418)
    error = error_of(almanac, era, lambda client: client.read_resource("almanac://today"))
    assert error.code == -32603
    assert "no coffee" in error.message


@table(
    "answer, kind",
    (Answer(b"calm", None), "text/plain"),
    (Answer(b'{ "a": 1, "a": 2 }', None), "application/json"),
    (Answer(b"<p>calm", "text/html; charset=utf-8"), "text/html"),
    (Answer(b"\0\xff", None), "application/octet-stream"),
)
def test_what_has_no_type_has_that_of_what_it_is(almanac, answer, kind):
    content = read(almanac, "almanac://today", answer=answer)
    assert content.mime_type == kind
    assert getattr(content, "text", None) in (None, answer.body.decode("latin-1"))


@ERAS
def test_a_variable_that_a_template_does_not_have_is_refused(almanac, era):
    """What was to be filtered by it would come as if it were."""
    almanac.upstream.seen = []
    for uri in ("almanac://places/x?month=5", "almanac://places/x?year=2026&m%6Fnth=5"):
        error = error_of(almanac, era, lambda client, uri=uri: client.read_resource(uri))
        assert (error.code, error.data) == (-32602, {"uri": uri})
        assert error.message == "`month` is not a variable of almanac://places/{place}{?year}"
    assert not almanac.upstream.seen


@table(
    "query, says",
    ("year=1&year=2", "`year` is twice in the query"),
    ("place=y", "`place` is not a variable"),
)
def test_a_variable_is_given_once_and_where_the_template_has_it(almanac, query, says):
    """Of two values one would be left out without a word."""
    almanac.upstream.seen = []
    uri = f"almanac://places/x?{query}"
    error = error_of(almanac, "auto", lambda client: client.read_resource(uri))
    assert (error.code, error.data) == (-32602, {"uri": uri})
    assert error.message == f"{says} of almanac://places/{{place}}{{?year}}"
    assert not almanac.upstream.seen


TIDEBOOK = {
    "server": {"name": "Tidebook"},
    "tools": [{"name": "tide", "description": "The tide.", "inputSchema": {"type": "object"}}],
    "resourceTemplates": [
        {"uriTemplate": "tides://list?port={port}", "name": "list", "text": "of {port}"},
        {"uriTemplate": "tides://{port}", "name": "port", "text": "at {port}"},
    ],
}


def test_a_query_that_a_template_has_itself_is_no_variable(upstream, tmp_path):
    """Nor is a URI refused for what stands between its slashes."""
    made = packaged(TIDEBOOK, tmp_path, upstream)
    assert read(made, "tides://list?port=Skagen").text == "of Skagen"
    assert read(made, "tides://[Skagen]").text == "at [Skagen]"


@ERAS
def test_a_resource_is_a_python_function(almanac, era, caplog):
    moon = read(almanac, "almanac://moon", era)
    assert (moon.mime_type, moon.blob) == ("image/png", "iVBORyBtb29u")
    assert read(almanac, "almanac://stars/sirius", era).text == '{"name":"sirius"}'
    for star in ("vega", "antares", "algol"):
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            error = error_of(
                almanac, era, lambda c, star=star: c.read_resource(f"almanac://stars/{star}")
            )
        assert error.code == -32603
        assert "hunter2" not in error.message
        assert "hunter2" in caplog.text
    gone = error_of(almanac, era, lambda c: c.read_resource("almanac://stars/nova"))
    assert (gone.code, gone.message) == (-32000, "It is gone.")


def test_no_other_caller_waits_while_a_large_answer_is_read(almanac, monkeypatch):
    resources = almanac.module("_runtime.parts.resources")
    contents_of, threads = resources.contents_of, set()

    def made(*given):
        threads.add(threading.current_thread())
        return contents_of(*given)

    monkeypatch.setattr(resources, "contents_of", made)
    read(almanac, "almanac://today", answer=Answer.of(["x" * (1 << 16)]))
    assert threads - {threading.main_thread()}


@ERAS
def test_a_resource_asks_from_a_task_of_its_own(almanac, era):
    assert read(almanac, "almanac://stars/deneb", era).text == '{"name":"deneb"}'


@pytest.mark.parametrize("text", ["x" * 5000, "\N{SPARKLES}" * 400])
def test_a_large_resource_is_refused(almanac, text):
    almanac.upstream.answer = Answer.of(text)
    with pytest.raises(MCPError, match="ALMANAC_MAX_RESULT_BYTES"):
        use(almanac, "auto", lambda c: c.read_resource("almanac://today"), max_result_bytes=1000)


@pytest.mark.parametrize("kind", ["text/plain", "application/zip"])
def test_a_resource_may_have_as_many_bytes_in_its_message_as_the_limit_and_no_more(almanac, kind):
    """An eighth is kept free for what stands beside them; texts and base64 are in quotes."""
    most = 7 * 2 - 2 if kind == "text/plain" else 9

    async def reading(client):
        await client.read_resource("almanac://today")

    for size in (most, most + 1):
        almanac.upstream.answer = Answer(b"x" * size, kind)
        with nullcontext() if size == most else pytest.raises(MCPError, match="larger than the"):
            read = partial(Client.read_resource, uri="almanac://today")
            use(almanac, "auto", read, max_result_bytes=16)


def test_what_the_package_holds_is_read_and_asked_too_often_refused(almanac, caplog):
    about = read(almanac, "almanac://about")
    assert about.mime_type == "text/markdown"
    assert about.text == "# The almanac\nMade by the harbour, for {anyone}.\n"
    seal = read(almanac, "almanac://seal")
    assert (seal.mime_type, seal.blob) == ("image/png", "iVBORw0KGgo=")
    assert read(almanac, "almanac://rules").text == "# Rules\n"
    note = read(almanac, "almanac://notes/buoys")
    assert (note.mime_type, note.text) == ("text/markdown", "Red to port.\n")
    broken = Answer(b'{"n": ', "application/json")
    assert read(almanac, "almanac://today", answer=broken).text == '{"n": '
    assert "almanac://today" in caplog.text
    assert "not well-formed JSON at character 6" in caplog.text

    async def twice(client):
        await client.read_resource("almanac://about")
        await client.read_resource("almanac://seal")

    with pytest.raises(MCPError) as caught:
        use(almanac, "auto", twice, calls_per_minute=1)
    assert caught.value.error.code == 429
    assert "calls a minute" in caught.value.error.message


@ERAS
def test_a_file_that_is_too_large_is_told_and_not_said_to_be_missing(almanac, era):
    with pytest.raises(MCPError, match=r"'rules.md' has more than the 4 bytes .*_MAX_RESULT_BYTES"):
        use(almanac, era, lambda c: c.read_resource("almanac://rules"), max_result_bytes=4)


@ERAS
def test_a_tool_reads_a_resource(almanac, era):
    almanac.upstream.answer = Answer.of({"depth": 4})
    result = use(almanac, era, lambda client: client.call_tool("advise", {"place": "pier"}))
    assert result.content[0].text == 'The almanac says: {"depth":4}'


@ERAS
@pytest.mark.parametrize("answer", [Answer(b"", status=204), Answer(b"", "text/plain")])
def test_what_holds_nothing_is_one_empty_content(almanac, era, answer):
    """No contents at all could mean that there is no such resource."""
    content = read(almanac, "almanac://today", era, answer)
    assert (getattr(content, "text", "") or getattr(content, "blob", "")) == ""
