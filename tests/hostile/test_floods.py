"""Clients that send too much, too little or too slowly: bounded, and others are served."""

import resource
import select
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from runtime.serving import HEADERS, INITIALIZE, current, process

from . import talking
from .faults import Api
from .talking import PING

IDLE, STREAMS = 51, 24
HEAD = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def test_empty_lines_by_the_thousand(shop: Path) -> None:
    with talking.started(shop) as server:
        server.say(b"\n" * 100_000, PING)
        assert server.hear()["id"] == "ping"


LOWER_CAP = """
from shop_mcp._runtime.app import stdio
from shop_mcp.server import main

stdio.MAX_LINE = 8 << 20
main()
"""


@talking.needs_proc
def test_a_line_over_the_cap(shop: Path) -> None:
    """It is refused without being kept whole."""
    with talking.started(shop, command=[sys.executable, "-c", LOWER_CAP]) as server:
        before = server.peak
        assert server.process.stdin is not None
        for _ in range(3 * 8):
            server.process.stdin.write(b"x" * (1 << 20))
        server.say(b"", PING)
        assert server.hear()["error"]["code"] == -32700
        assert server.hear()["id"] == "ping"
        assert server.peak - before < 2.5 * 8


def test_half_a_line_and_the_end(shop: Path) -> None:
    with talking.started(shop) as server:
        assert server.process.stdin is not None
        server.process.stdin.write(b'{"jsonrpc": "2.0", "id": 1')
        assert server.end() == 0
        assert [answer["error"]["code"] for answer in server.rest()] == [-32700]


@contextmanager
def opened(base: str, *sent: str) -> Iterator[list[socket.socket]]:
    """Connections that have sent a text each, so many of each text, and nothing more."""
    parts = urlsplit(base)
    with ExitStack() as stack:
        found = []
        for text in sent * IDLE:
            made = socket.create_connection((parts.hostname, parts.port), 10)
            found.append(stack.enter_context(made))
            made.sendall(text.encode())
        yield found


def closed(connections: list[socket.socket], seconds: float) -> int:
    """How many of the connections the server ends within a time."""
    poll, ended = select.poll(), 0
    for each in connections:
        poll.register(each, select.POLLIN | select.POLLHUP)
    while ended < len(connections) and (ready := poll.poll(seconds * 1000)):
        ended += len(ready)
        for number, _ in ready:
            poll.unregister(number)
    return ended


def answered(base: str) -> bool:
    message, headers = current("getPet", {"petId": 1})
    answer = httpx2.post(f"{base}/mcp", json=message, headers=headers, timeout=10)
    return bool(answer.json()["result"]["structuredContent"] == {"nonce": 1})


def test_connections_that_bring_no_request(shop: Path, api: Api) -> None:
    """Others are served meanwhile, and the connections are closed in time, one that answers not.

    Nothing, half a head and half a body.
    """
    sent = ("", "POST /mcp HTTP/1.1\r\nX-Slow: ", f"{HEAD}Content-Length: 1000\r\n\r\n{{")
    environ = {"SHOP_BASE_URL": api.url, "SHOP_KEY": "k", "SHOP_REQUEST_TIMEOUT": "1"}
    with process(shop, "shop_mcp", "--http", "127.0.0.1:0", **environ) as server:
        with opened(server.base, *sent) as connections:
            assert answered(server.base)
            assert closed(connections, 5) == 3 * IDLE
        with httpx2.Client() as client:
            for _ in range(2):
                message, headers = current("getPet", {"petId": 1})
                assert client.post(server.url, json=message, headers=headers).status_code == 200


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit")
def test_more_connections_than_descriptors(shop: Path, api: Api) -> None:
    """Once the idle ones are closed there is room again."""
    environ = {"SHOP_BASE_URL": api.url, "SHOP_KEY": "k", "SHOP_REQUEST_TIMEOUT": "0.5"}
    with process(shop, "shop_mcp", "--http", "127.0.0.1:0", itself=True, **environ) as server:
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (64, 64))
        with opened(server.base, "", ""):
            assert answered(server.base)


def test_streams_that_stay_open(shop: Path, api: Api) -> None:
    """Each older client may listen; the others are answered all the same."""
    environ = {"SHOP_BASE_URL": api.url, "SHOP_KEY": "k", "SHOP_REQUEST_TIMEOUT": "1"}
    with process(shop, "shop_mcp", "--http", "127.0.0.1:0", **environ) as server, ExitStack() as s:
        client = s.enter_context(httpx2.Client(timeout=10))
        for _ in range(STREAMS):
            answer = client.post(server.url, json=INITIALIZE, headers=HEADERS)
            own = HEADERS | {"Mcp-Session-Id": answer.headers["Mcp-Session-Id"]}
            stream = s.enter_context(client.stream("GET", server.url, headers=own))
            assert stream.status_code == 200
        assert answered(server.base)
