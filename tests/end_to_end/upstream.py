"""An API on 127.0.0.1 that writes down what it saw, byte for byte, and answers what it is told."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote

REASONS = {200: "OK", 201: "Created", 204: "No Content", 302: "Found", 404: "Not Found"}


@dataclass(frozen=True)
class Part:
    """One part of a multipart body."""

    name: str
    filename: str | None
    content_type: str | None
    content: bytes


@dataclass(frozen=True)
class Seen:
    """One request as it came over the socket."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    raw: bytes = field(repr=False)

    def header(self, name: str) -> str | None:
        """The header's value; there must not be two."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        assert len(values) <= 1, f"{name} was sent {len(values)} times"
        return values[0] if values else None

    @property
    def path(self) -> str:
        """The target up to `?`, still encoded."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> list[tuple[str, str]]:
        """The query's pairs, decoded as RFC 3986 says: `+` is a plus."""
        raw = self.target.partition("?")[2]
        pairs = (piece.partition("=") for piece in raw.split("&") if piece)
        return [(unquote(name), unquote(value)) for name, _, value in pairs]

    @property
    def form(self) -> list[tuple[str, str]]:
        """The pairs of an URL-encoded body."""
        assert self.header("content-type") == "application/x-www-form-urlencoded"
        return parse_qsl(self.body.decode("ascii"), keep_blank_values=True, strict_parsing=True)

    @property
    def json(self) -> Any:
        """The body as JSON, numbers as they are written."""
        return json.loads(self.body, parse_float=lambda text: f"float {text}")

    @property
    def parts(self) -> list[Part]:
        """The parts of a multipart body (RFC 2046 5.1, RFC 7578)."""
        kind, _, parameters = (self.header("content-type") or "").partition(";")
        assert kind == "multipart/form-data"
        boundary = parameters.strip().removeprefix("boundary=").strip('"').encode()
        first, *rest = (b"\r\n" + self.body).split(b"\r\n--" + boundary)
        assert first == b""
        assert rest.pop() in (b"--", b"--\r\n")
        return [_part(text) for text in rest]


def _part(text: bytes) -> Part:
    head, _, content = text.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
    headers = {name.lower(): value for name, value in headers.items()}
    kind, *pairs = headers["content-disposition"].split("; ")
    assert kind == "form-data"
    named = {key: value.strip('"') for key, value in (pair.split("=", 1) for pair in pairs)}
    return Part(named["name"], named.get("filename"), headers.get("content-type"), content)


@dataclass(frozen=True)
class Answer:
    """What the API says; `body` is sent as it is."""

    body: bytes = b"{}"
    content_type: str | None = "application/json"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, value: Any, status: int = 200, content_type: str = "application/json"):
        """A JSON answer."""
        return cls(json.dumps(value).encode(), content_type, status)

    def wire(self, method: str) -> bytes:
        """The whole message."""
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.content_type is not None:
            lines.append(f"Content-Type: {self.content_type}")
        empty = self.status == 204 or self.status == 304
        if not empty:
            lines.append(f"Content-Length: {len(self.body)}")
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        return head if empty or method == "HEAD" else head + self.body


class Upstream:
    """The API: `seen` grows with every request; `answer` is what the next ones get."""

    def __init__(self) -> None:
        self.answer = Answer()
        self.seen: list[Seen] = []
        self.port = 0
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                seen = await _read(head, reader)
                self.seen.append(seen)
                writer.write(self.answer.wire(seen.method))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()

    async def run(self, ready: threading.Event, stop: asyncio.Event) -> None:
        """Listen until `stop`."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        server.close()
        for writer in tuple(self._writers):
            writer.close()
        await server.wait_closed()


async def _read(head: bytes, reader: asyncio.StreamReader) -> Seen:
    request, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    method, target, version = request.split(" ")
    assert version == "HTTP/1.1"
    headers = tuple((name, value.strip()) for name, _, value in (ln.partition(":") for ln in lines))
    lower = {name.lower(): value for name, value in headers}
    if lower.get("transfer-encoding") == "chunked":
        body = await _chunks(reader)
    else:
        body = await reader.readexactly(int(lower.get("content-length", "0")))
    return Seen(method, target, headers, body, head + body)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    found = b""
    while size := int(await reader.readline(), 16):
        found += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return found


@contextmanager
def listening() -> Iterator[Upstream]:
    """An Upstream that listens in a thread of its own and is stopped at the end."""
    upstream = Upstream()
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(upstream.run(ready, stop),))
    thread.start()
    try:
        assert ready.wait(10)
        yield upstream
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
