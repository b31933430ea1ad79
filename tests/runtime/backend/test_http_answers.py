"""What comes of every kind of answer: encoded, broken, late, too large, or followed by another."""

import asyncio
import gzip
import json
import zlib
from dataclasses import replace

import anyio
import pytest
from tables import table

from mcpgen.runtime import ApiError
from mcpgen.runtime.backend.reading import BodyError, read_body

from ..support import JSON, NOTHING, api_on_socket, client, fast, raw


def deflated(data: bytes, wbits: int) -> bytes:
    engine = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return engine.compress(data) + engine.flush()


DATA = b'{"a": "' + b"x" * 200 + b'"}'


@table(
    "encoding, body",
    ("gzip", gzip.compress(DATA, mtime=0)),
    ("x-gzip", gzip.compress(DATA[:50], mtime=0) + gzip.compress(DATA[50:], mtime=0)),
    ("gzip, gzip", gzip.compress(gzip.compress(DATA, mtime=0), mtime=0)),
    ("deflate", deflated(DATA, 15)),
    ("deflate", deflated(DATA, -15)),
    ("identity", DATA),
    ("gzip", gzip.compress(DATA, mtime=0) + b"\0\0"),
)
async def test_encoded_answers_are_decoded(encoding, body):
    async with api_on_socket(raw(body, "200 OK", JSON, f"Content-Encoding: {encoding}")) as seen:
        response = await client(settings=fast(base_url=seen.url)).send("GET", "/x")
        assert response.content == DATA
        assert response.misfits == ()


MEMBERS = (gzip.compress(DATA[:50], mtime=0), gzip.compress(DATA[50:], mtime=0))


@table(
    "encoding, pieces",
    ("gzip", MEMBERS),
    ("gzip", (MEMBERS[0] + MEMBERS[1][:1], MEMBERS[1][1:])),
    ("gzip", (*MEMBERS, b"\0", b"\0\0")),
    ("gzip", tuple(bytes([byte]) for byte in MEMBERS[0] + MEMBERS[1])),
    ("deflate", tuple(bytes([byte]) for byte in deflated(DATA, -15))),
    ("deflate", tuple(bytes([byte]) for byte in deflated(DATA, 15))),
)
async def test_it_does_not_matter_in_what_pieces_they_arrive(encoding, pieces):
    head = f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: {encoding}\r\n\r\n"
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    async with api_on_socket(head.encode() + chunks + b"0\r\n\r\n") as seen:
        response = await client(settings=fast(base_url=seen.url)).send("GET", "/x")
        assert response.content == DATA


@pytest.mark.parametrize("wbits", [-15, 15, 31])
async def test_what_is_left_over_at_the_end_of_a_piece_is_decoded_too(wbits):
    """The last bytes of such data stand for more than what is decoded at a time."""
    data = b" " * ((1 << 20) + 100)
    body = deflated(data, wbits)
    encoding = "gzip" if wbits == 31 else "deflate"
    async with api_on_socket(raw(body, "200 OK", f"Content-Encoding: {encoding}")) as seen:
        response = await client(settings=fast(base_url=seen.url)).send("GET", "/x")
        assert response.content == data


@pytest.mark.parametrize("encoding", ["gzip", "snappy", "br"])
async def test_an_encoding_that_is_not_true_is_named_and_nothing_is_lost(encoding):
    async with api_on_socket(raw(DATA, "200 OK", JSON, f"Content-Encoding: {encoding}")) as seen:
        response = await client(settings=fast(base_url=seen.url)).send("GET", "/x")
        assert response.data == json.loads(DATA)
        assert "Content-Encoding" in response.misfits[0]


@table(
    "body, encoding, expected",
    (b"\x1f\x8bnot gzip", "gzip", "is not compressed the way"),
    (gzip.compress(DATA, mtime=0)[:-9], "gzip", "ends in the middle"),
    (b"\xff\xff\xff", "deflate", "is not compressed the way"),
    (b"\x78", "deflate", "ends in the middle"),
    (gzip.compress(b" " * 10_000, mtime=0), "gzip", "is larger than 5,000 bytes"),
    (b" " * 10_000, "identity", "is larger than 5,000 bytes"),
    (DATA, "gzip, gzip, gzip, gzip", "encoded more than 3 times"),
)
async def test_a_body_that_cannot_be_read_is_an_error_and_harms_no_next_call(
    body, encoding, expected
):
    async def reply(writer, head):
        bad = b"/bad" in head
        extra = (f"Content-Encoding: {encoding}",) if bad else ()
        writer.write(raw(body if bad else b"{}", "200 OK", JSON, *extra))

    async with api_on_socket(reply) as seen:
        api = client(settings=fast(base_url=seen.url, max_response_bytes=5000))
        with pytest.raises(ApiError, match=expected) as failed:
            await api.send("GET", "/bad")
        assert ("Ask for less" in failed.value.message) is ("larger" in expected)
        assert (await api.send("GET", "/good")).data == {}


OFTEN = NOTHING * 30_000


@pytest.mark.parametrize(
    ("encoding", "body", "expected"),
    [
        ("gzip, gzip", gzip.compress(NOTHING + bytes(20 << 20), mtime=0), "is larger than"),
        ("gzip", NOTHING + bytes(20 << 20), "is larger than"),
    ],
    ids=["padding in one", "padding"],
)
async def test_what_decodes_to_nothing_is_given_up_too(encoding, body, expected):
    async def chunks():
        yield body

    with pytest.raises(BodyError, match=expected):
        await read_body(chunks(), {"content-encoding": encoding}, 8 << 20)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [("gzip", OFTEN), ("gzip, gzip", gzip.compress(OFTEN, mtime=0))],
    ids=["parts", "parts in one"],
)
async def test_very_many_members_are_read_in_bounded_time(encoding, body):
    async def chunks():
        yield body

    read = await read_body(chunks(), {"content-encoding": encoding}, 8 << 20)
    assert read == (b"", ())


SURPLUS = raw(b'{"n":"theirs"}', "200 OK", JSON)


@table(
    "first",
    raw(b"{}", "200 OK", JSON) + SURPLUS,
    b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + SURPLUS,
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"2\r\n{}\r\n0\r\n\r\n" + SURPLUS,
)
async def test_surplus_bytes_do_not_answer_the_next_call(first):
    async def reply(writer, head):
        writer.write(first if b"/first" in head else raw(b'{"n":"own"}', "200 OK", JSON))

    async with api_on_socket(reply) as seen:
        api = client(settings=fast(base_url=seen.url))
        await api.send("GET", "/first")
        assert (await api.send("GET", "/second")).data == {"n": "own"}
        assert seen.connections == 2


async def test_a_connection_that_ends_with_a_failed_handler_loses_no_call():
    """uvicorn closes it after the answer, without a word: a handler raised."""

    async def reply(writer, head):
        if b"/fails" not in head:
            writer.write(raw(b"{}", "200 OK", JSON))
            return
        writer.write(raw(b"{}", "500 Internal Server Error", JSON))
        await writer.drain()
        await asyncio.sleep(0.1)
        raise ConnectionError

    async with api_on_socket(reply) as seen:
        api = client(settings=fast(base_url=seen.url))
        with pytest.raises(ApiError):
            await api.send("POST", "/fails")
        assert (await api.send("POST", "/x")).data == {}


FAULTS = {
    "closed at once": (b"", "sent no complete HTTP answer"),
    "not http": (b"SSH-2.0-OpenSSH_9.0\r\n", "sent no complete HTTP answer"),
    "two lengths": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        "sent no complete HTTP answer",
    ),
    "cut body": (
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}",
        "200, but its answer broke off",
    ),
    "bad chunk": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n",
        "200, but its answer broke off",
    ),
    "switched": (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        "complete HTTP answer|101",
    ),
}


@pytest.mark.parametrize(("sent", "expected"), FAULTS.values(), ids=FAULTS)
async def test_a_broken_answer_is_named_and_harms_no_next_call(sent, expected):
    async def reply(writer, head):
        if b"/bad" in head:
            writer.write(sent)
            writer.close()
        else:
            writer.write(raw(b"{}", "200 OK", JSON))

    async with api_on_socket(reply) as seen:
        api = client(settings=fast(base_url=seen.url))
        with pytest.raises(ApiError, match=expected) as failed:
            await api.send("POST", "/bad", json={})
        assert "may have been carried out" in failed.value.message
        with pytest.raises(ApiError, match=r"Retrying may help and does no harm|101"):
            await api.send("GET", "/bad")
        assert (await api.send("GET", "/good")).data == {}


async def hang(writer: asyncio.StreamWriter, head: bytes) -> None:
    if b"/good" in head:
        writer.write(raw(b"{}", "200 OK", JSON))
        return
    if b"/begun" in head:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
    await writer.drain()
    await asyncio.Event().wait()


@table(
    "path, limits, expected",
    ("/silent", {"read_timeout": 0.05}, "did not answer in time"),
    ("/begun", {"read_timeout": 0.05}, "200, but its answer stopped coming"),
    ("/begun", {"timeout": 0.05}, "within 0.05 seconds, which SHOP_TIMEOUT sets"),
)
async def test_an_answer_that_does_not_come_is_given_up(path, limits, expected):
    async with api_on_socket(hang) as seen:
        api = client(settings=fast(base_url=seen.url, **limits))
        with pytest.raises(ApiError, match=expected):
            await api.send("GET", path)
        assert (await api.send("GET", "/good")).data == {}


async def test_calls_that_wait_for_a_connection():
    # What is left of no time at all was no number, and the call failed inside this server.
    async with api_on_socket(hang) as seen:
        api = client(settings=fast(base_url=seen.url, max_connections=1))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(api.send, "GET", "/silent")
            while not seen.heads:
                await anyio.sleep(0)
            with anyio.CancelScope() as scope:
                scope.cancel()
                await api.send("GET", "/late")
            tasks.cancel_scope.cancel()
        assert scope.cancelled_caught
        assert len(seen.heads) == 1
    # Slow calls hold all connections: the API is not what is wrong, and nothing was done.
    async with api_on_socket(hang) as seen:
        slow = client(settings=fast(base_url=seen.url, max_connections=1))
        api = client(settings=fast(base_url=seen.url, timeout=0.4))
        api._backend = replace(api._backend, connections=slow._backend.connections)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(slow.send, "GET", "/silent")
            while not seen.heads:
                await anyio.sleep(0)
            with pytest.raises(ApiError) as failed:
                await api.send("POST", "/x")
            tasks.cancel_scope.cancel()
        assert len(seen.heads) == 1
    assert failed.value.message == (
        f"Other calls held all connections to 127.0.0.1:{seen.port}, SHOP_MAX_CONNECTIONS of them, "
        "until this one's time was up. Nothing was sent. Retrying later may help."
    )


async def test_a_certificate_that_is_not_trusted_names_the_variable():
    async with api_on_socket(b"\x15\x03\x01\x00\x02\x02\x28") as seen:
        base = f"https://127.0.0.1:{seen.port}"
        with pytest.raises(ApiError, match="Nothing was sent"):
            await client(settings=fast(base_url=base, connect_timeout=0.2)).send("GET", "/x")
