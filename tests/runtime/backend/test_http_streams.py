"""Streams of events and lines: of one that does not end, or breaks off, what came is passed on."""

import asyncio
import zlib

import pytest
from tables import table

from mcpgen.runtime import ApiError

from ..support import JSON, Reply, api_on_socket, client, fast, raw


@table(
    "media_type, sent, expected",
    ("text/event-stream", "data: 1\n\ndata: 2\n\ndata: 3", "data: 1\n\ndata: 2\n\n"),
    ("application/x-ndjson", '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'),
    ("application/json-seq", '\x1e{"a":1}', '\x1e{"a":1}'),
)
async def test_of_a_stream_without_end_what_came_in_time_is_passed_on(media_type, sent, expected):
    async def reply(writer, head):
        if b"/good" in head:
            writer.write(raw(b"{}", "200 OK", JSON))
            return
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n".encode())
        for letter in sent:
            writer.write(letter.encode())
            await writer.drain()
        await asyncio.Event().wait()

    async with api_on_socket(reply) as seen:
        api = client(settings=fast(base_url=seen.url, timeout=1))
        response = await api.send("GET", "/events", declared=media_type)
        assert (response.kind, response.data) == ("text", expected)
        assert [misfit for misfit in response.misfits if "had not ended" in misfit]
        assert (await api.send("GET", "/good")).misfits == ()


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_of_a_compressed_stream_what_came_in_time_is_passed_on(coding):
    async def reply(writer, head):
        engine = zlib.compressobj(wbits=31 if coding == "gzip" else 15)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: "
        writer.write(head + coding.encode() + b"\r\n\r\n")
        for event in (b"data: 1\n\n", b"data: 2\n\ndata: "):
            writer.write(engine.compress(event) + engine.flush(zlib.Z_SYNC_FLUSH))
            await writer.drain()
        await asyncio.Event().wait()

    async with api_on_socket(reply) as seen:
        api = client(settings=fast(base_url=seen.url, timeout=1))
        response = await api.send("GET", "/events", declared="text/event-stream")
        assert (response.kind, response.data) == ("text", "data: 1\n\ndata: 2\n\n")
        assert [misfit for misfit in response.misfits if "had not ended" in misfit]


_EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


def breaking(sent: bytes) -> Reply:
    """Answers with the beginning of an event stream, and hangs up."""

    async def reply(writer: asyncio.StreamWriter, head: bytes) -> None:
        writer.write(_EVENTS + sent)
        await writer.drain()
        raise ConnectionError

    return reply


async def test_of_a_stream_that_falls_silent_what_came_is_passed_on():
    async def reply(writer, head):
        writer.write(_EVENTS + b"\r\ndata: 1\n\n")
        await writer.drain()
        await asyncio.Event().wait()

    async with api_on_socket(reply) as seen:
        api = client(settings=fast(base_url=seen.url, timeout=5, read_timeout=0.1))
        response = await api.send("GET", "/events", declared="text/event-stream")
        assert (response.kind, response.data) == ("text", "data: 1\n\n")
        assert [misfit for misfit in response.misfits if "fell silent" in misfit]


@table(
    "method, framing, sent",
    ("GET", b"Content-Length: 99\r\n\r\n", b"data: 1\n\ndata: 2"),
    ("POST", b"Transfer-Encoding: chunked\r\n\r\n", b"9\r\ndata: 1\n\n\r\n7\r\ndat"),
)
async def test_of_a_stream_that_breaks_off_what_came_is_passed_on(method, framing, sent):
    async with api_on_socket(breaking(framing + sent)) as seen:
        api = client(settings=fast(base_url=seen.url, timeout=5))
        response = await api.send(method, "/events", declared="text/event-stream")
        assert (response.kind, response.data) == ("text", "data: 1\n\n")
        assert [misfit for misfit in response.misfits if "broke off" in misfit]
        assert len(seen.heads) == 1


@table("sent", b"", _EVENTS + b"\r\n")
async def test_a_stream_of_which_nothing_came_is_late(sent):
    async def reply(writer, head):
        writer.write(sent)
        await writer.drain()
        await asyncio.Event().wait()

    async with api_on_socket(reply) as seen:
        with pytest.raises(ApiError, match=r"within 0\.1 seconds"):
            await client(settings=fast(base_url=seen.url, timeout=0.1)).send("GET", "/events")


async def test_a_stream_that_ends_in_time_is_whole():
    stream = b"data: 1\n\ndata: 2"
    async with api_on_socket(raw(stream, "200 OK", "Content-Type: text/event-stream")) as seen:
        api = client(settings=fast(base_url=seen.url))
        response = await api.send("GET", "/events", declared="text/event-stream")
        assert (response.data, response.misfits) == (stream.decode(), ())
