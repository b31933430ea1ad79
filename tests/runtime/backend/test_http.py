"""The HTTP client: what leaves the socket, where it goes, and that no call waits for another."""

import json
import socket
import threading

import httpx2
import pytest
from tables import table

from mcpgen.runtime import UNSET, ApiError, ServerUrl, Settings, ToolError
from mcpgen.runtime.backend import client as http
from mcpgen.runtime.backend.answer import interpret
from mcpgen.runtime.bodies.encoding import encode_body

from ..support import JSON, api_on_socket, client, fast, raw


@table(
    "listed, sent",
    ("application/pdf", "application/pdf, application/json;q=0.1"),
    ("text/csv, image/*", "text/csv, image/*, application/json;q=0.1"),
    ("application/x-ndjson", "application/x-ndjson, application/json;q=0.1"),
    ("application/problem+json", "application/problem+json"),
    ("text/csv, application/json; charset=utf-8", "text/csv, application/json; charset=utf-8"),
    ("application/*", "application/*"),
    ("*/*", "*/*"),
    ("", ""),
)
async def test_errors_may_be_json_where_a_success_is_none(listed, sent):
    """APIs that negotiate answer 406 otherwise, or an error of which the text is gone."""
    async with api_on_socket(raw(b"{}", "200 OK", JSON)) as seen:
        await client(settings=fast(base_url=seen.url)).send("GET", "/x", accept=listed)
        lines = seen.heads[0].decode().split("\r\n")
        assert [line[7:].strip() for line in lines if line.lower().startswith("accept:")] == [sent]


@table(
    "header, sent",
    ({}, b"accept-encoding: gzip, deflate"),
    ({"accept-encoding": "identity"}, b"accept-encoding: identity"),
    ({"Accept-Encoding": UNSET}, None),
)
async def test_a_declared_accept_encoding_is_the_callers(header, sent):
    async with api_on_socket(raw(b"{}", "200 OK", JSON)) as seen:
        await client(settings=fast(base_url=seen.url)).send("GET", "/x", header=header)
        lines = seen.heads[0].lower().split(b"\r\n")
        found = [line for line in lines if line.startswith(b"accept-encoding")]
        assert found == ([sent] if sent else [])


@table("url, path", ("https://a.example", "/" + "a" * 70_000), ("https://\u2028", "/x"))
async def test_a_url_that_the_http_client_does_not_take_is_told(url, path):
    api = client(lambda _: httpx2.Response(200), settings=fast(base_url=url, max_url_bytes=100_000))
    with pytest.raises(ToolError, match=r"longer than 65,536 bytes, or .* Nothing was sent\."):
        await api.send("GET", path)


async def test_what_leaves_the_socket():
    async with api_on_socket(raw(b"{}", "200 OK", JSON)) as seen:
        base = f"{seen.url}/base/./v1%2F"
        await client(settings=fast(base_url=base)).send(
            "GET", "/a/../{x}/;'*", path={"x": "a/b?c#d&e=f +é%"}, query={"q": "a|b'[]^`~"}
        )
        path = "/base/./v1%2F/a/../a%2Fb%3Fc%23d%26e%3Df%20%2B%C3%A9%25/;'*"
        assert seen.targets == [f"{path}?q=a%7Cb%27%5B%5D%5E%60~"]
    async with api_on_socket(raw(b"{}", "200 OK", JSON)) as seen:
        api = client(settings=fast(base_url=seen.url))
        await api.send(
            "PUT", "/x", header={"X-One": "1"}, cookie={"c": "a b"}, json={"a": None}, accept="a/b"
        )
        lines = seen.heads[0].decode().lower().split("\r\n")
        assert lines[0] == "put /x http/1.1"
        accept = "accept: a/b, application/json;q=0.1"
        for line in ("x-one: 1", "cookie: c=a%20b", accept, "user-agent: shop/1.0"):
            assert line in lines
        assert "content-type: application/json" in lines
        assert json.loads(seen.bodies[0]) == {"a": None}
    async with api_on_socket(raw(b"")) as seen:
        await client(settings=fast(base_url=seen.url)).send("POST", "/x")
        assert b"content-length: 0" in seen.heads[0].lower()
        assert b"content-type" not in seen.heads[0].lower()
    async with api_on_socket(raw(b"{}", "200 OK", JSON, "Set-Cookie: sid=a; Path=/")) as seen:
        api = client(settings=fast(base_url=seen.url))
        await api.send("GET", "/x")
        await api.send("GET", "/x")
        assert seen.connections == 1
        assert b"cookie" not in seen.heads[1].lower()
    with pytest.raises(TypeError, match="json and text"):
        await client(lambda _: httpx2.Response(200)).send("POST", "/x", json={}, text="a")


@pytest.mark.parametrize("size", [1000, 1 << 16])
async def test_no_other_call_waits_while_a_large_answer_is_read(size, monkeypatch):
    """And a small one is read at once."""
    readers = []

    def read(*given, **more):
        readers.append(threading.current_thread())
        return interpret(*given, **more)

    monkeypatch.setattr(http, "interpret", read)
    api = client(lambda _: httpx2.Response(200, json=["x" * size]))
    assert (await api.send("GET", "/x")).data == ["x" * size]
    assert (readers[0] is threading.main_thread()) == (size == 1000)


@table(
    "body, root, at_once",
    ({"json": {"a": [1] * 9}}, None, True),
    ({"json": {"a": [1] * 600}}, None, False),
    ({"binary": "aGkh" * 20_000}, None, False),
    ({"multipart": {"a": "file:notes.txt"}}, ".", False),
    ({}, ".", True),
)
async def test_no_other_call_waits_while_a_large_body_is_written(body, root, at_once, monkeypatch):
    writers = []

    def write(*given):
        writers.append(threading.current_thread())
        return encode_body(*given)

    monkeypatch.setattr(http, "encode_body", write)
    api = client(lambda _: httpx2.Response(200), settings=Settings(file_root=root))
    await api.send("POST", "/x", **body)
    assert (writers[0] is threading.main_thread()) == at_once


async def test_extra_headers_are_sent_and_give_way_to_arguments():
    seen = []

    def answer(request):
        seen.append(request.headers)
        return httpx2.Response(200, json={})

    extra = (("X-Tenant", "a"), ("User-Agent", "mine"))
    api = client(answer, settings=Settings(extra_headers=extra))
    await api.send("GET", "/x")
    await api.send("GET", "/x", header={"x-tenant": "b"})
    await api.send("GET", "/x", servers=[ServerUrl("https://other.example")])
    assert [headers.get("x-tenant") for headers in seen] == ["a", "b", None]
    assert seen[0].get_list("user-agent") == ["mine"]


@table(
    "cause, text",
    (ConnectionRefusedError(), "the connection is refused: nothing seems to run there"),
    (socket.gaierror(), "the proxy's name cannot be resolved"),
)
async def test_a_proxy_that_is_not_there_is_not_taken_for_the_api(cause, text):
    """Whoever reads that the API's host is down looks in the wrong place."""

    def answer(_):
        raise httpx2.ConnectError("no") from cause

    settings = fast(base_url="https://api.example/v1", proxy="http://proxy.example:3128")
    with pytest.raises(ApiError) as failed:
        await client(answer, settings=settings).send("GET", "/x")
    named = "No connection to api.example:443 through the proxy set in SHOP_PROXY: "
    assert failed.value.message == f"{named}{text}. Nothing was sent. Retrying later may help."


@pytest.mark.parametrize("problem", [httpx2.ConnectError, httpx2.ConnectTimeout])
async def test_a_proxy_variable_that_is_not_read_is_named_where_no_connection_comes_about(
    monkeypatch, problem
):
    """Behind a company's proxy everything else on the machine works."""

    def answer(_):
        raise problem("no")

    monkeypatch.setenv("HTTPS_PROXY", "http://sentinel.example")
    said = "HTTPS_PROXY is set but ignored: SHOP_PROXY sets this server's proxy. Nothing was"
    for proxy in (None, "http://proxy.example:3128"):
        with pytest.raises(ApiError) as failed:
            await client(answer, settings=fast(proxy=proxy)).send("GET", "/x")
        assert (said in failed.value.message) == (proxy is None)
        assert "sentinel" not in failed.value.message


async def test_a_proxy_is_used_where_it_is_set_and_told_where_it_refuses(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with api_on_socket(raw(b"{}", "200 OK", JSON)) as seen:
        await client(settings=fast(base_url=seen.url)).send("GET", "/direct")
        proxied = fast(base_url="http://api.example/v1", proxy=seen.url)
        await client(settings=proxied).send("GET", "/a%2Fb", query={"q": "|"})
    assert seen.targets == ["/direct", "http://api.example/v1/a%2Fb?q=%7C"]
    async with api_on_socket(raw(b"", "407 Proxy Authentication Required")) as seen:
        for base in ("https://api.example/v1", "http://api.example/v1"):
            with pytest.raises(ApiError) as failed:
                await client(settings=fast(base_url=base, proxy=seen.url)).send("GET", "/x")
            assert "407" in failed.value.message
    assert "a proxy on the way wants credentials from this server" in failed.value.message


async def test_the_document_misses_a_status():
    response = await client(lambda _: httpx2.Response(201, json={})).send("GET", "/x")
    assert response.misfits == ("its status 201 is not among the declared 200",)
    for expect in (("2XX",), ("default",), ("200", "201")):
        response = await client(lambda _: httpx2.Response(201, json={})).send(
            "GET", "/x", expect=expect
        )
        assert response.misfits == ()


async def test_progress_is_told_while_a_long_answer_arrives():
    told = []

    async def report(done, total=None, message=None):
        told.append((done, total))

    size = 2 << 20
    async with api_on_socket(raw(b" " * size, "200 OK", "Content-Type: text/plain")) as seen:
        await client(settings=fast(base_url=seen.url), report=report).send(
            "GET", "/x", accept="*/*"
        )
    assert 3 <= len(told) <= 8
    assert told == sorted(told)
    assert {total for _, total in told} == {float(size)}
