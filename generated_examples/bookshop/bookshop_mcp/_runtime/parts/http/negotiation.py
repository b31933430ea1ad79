"""The content type of an answer: JSON or an event stream, whichever the client accepts.

MCP requires that clients accept both, but some accept only one, and RFC 9110 allows a server to
answer them. The MCP SDK would refuse these clients. So it gets a request that accepts both, and its
answer is converted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Scope, Send

JSON = "application/json"
STREAM = "text/event-stream"
STREAM_HEADERS = {
    "Content-Type": STREAM,
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}
_EMPTY = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"The session has ended"}}'


class Taken(NamedTuple):
    """The content types that a client accepts."""

    json: bool
    stream: bool

    @classmethod
    def of(cls, accept: str) -> Taken:
        """The content types of an Accept header."""
        return cls(quality(accept, JSON) > 0, quality(accept, STREAM) > 0)


def quality(accept: str, media_type: str) -> float:
    """The quality of a media type in an Accept header (RFC 9110 12.5.1); 1 without a header."""
    if not accept.strip():
        return 1.0
    ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*", "*")
    wanted: dict[str, float] = {}
    for each in accept.lower().split(","):
        name, *parameters = (part.strip() for part in each.split(";"))
        weights = [part[2:] for part in parameters if part.startswith("q=")]
        wanted.setdefault(name, _weight(weights[0]) if weights else 1.0)
    return next((wanted[each] for each in ranges if each in wanted), 0.0)


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0


def with_headers(scope: Scope, values: Mapping[str, str]) -> Scope:
    """The scope of a request with other values for some headers; their names are in lower case."""
    own = [(name.encode(), text.encode()) for name, text in values.items()]
    rest = [each for each in scope["headers"] if each[0].decode("latin-1") not in values]
    return {**scope, "headers": [*rest, *own]}


class AsJson:
    """A `send` that turns a stream into the JSON of its last message.

    Earlier messages are left out, since a JSON answer has no place for them.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        """That of a stream."""
        self._rest = b""
        self._last = _EMPTY

    async def __call__(self, message: Message) -> None:
        """Pass on a JSON answer; of an event stream, send only the last message, as JSON."""
        if message["type"] == "http.response.start" and _is(message, STREAM):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            *events, self._rest = (self._rest + message.get("body", b"")).split(b"\r\n\r\n")
            for line in (line for event in events for line in event.split(b"\r\n")):
                if line.startswith(b"data:"):
                    self._last = line[5:].strip()
            if not message.get("more_body", False):
                await _whole(self._send, self._start, self._last, {"Content-Type": JSON})


class AsStream:
    """A `send` that turns a JSON answer into a stream of one message."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        """That of JSON."""
        self._body = b""

    async def __call__(self, message: Message) -> None:
        """Pass a stream on; collect a JSON answer, and send it as one event when it ends."""
        is_start = message["type"] == "http.response.start"
        if is_start and message["status"] == 200 and _is(message, JSON):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await _whole(self._send, self._start, event(self._body), STREAM_HEADERS)


def event(message: bytes) -> bytes:
    """A one-line message as an event of a stream."""
    return b"event: message\r\ndata: " + message + b"\r\n\r\n"


def _is(start: Message, media_type: str) -> bool:
    return MutableHeaders(scope=start).get("content-type", "").startswith(media_type)


async def _whole(send: Send, start: Message, body: bytes, headers: dict[str, str]) -> None:
    """Send a complete answer like `start`, with the given headers and without those of streams."""
    start = {**start, "headers": list(start["headers"])}
    own = MutableHeaders(scope=start)
    for name in STREAM_HEADERS:
        del own[name]
    own.update(headers)
    own["Content-Length"] = str(len(body))
    await send(start)
    await send({"type": "http.response.body", "body": body})
