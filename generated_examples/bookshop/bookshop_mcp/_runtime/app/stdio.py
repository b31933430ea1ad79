"""Serving over stdin and stdout: stdout has only the protocol, and every request gets a reply."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeGuard

import anyio
import mcp_types as types
from anyio.abc import ObjectSendStream
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCRequest, RequestId
from pydantic import ValidationError

from ..values.jsontext import NotJson, check_brackets

Arrived = MemoryObjectReceiveStream[SessionMessage | Exception]

logger = logging.getLogger(__name__)

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one message; a longer line is read to its end, not kept, and answered with an error."""

_CHUNK_BYTES = 1 << 16
_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
"""What some clients end a line at; JSON may have them within a text."""
_CANCELLED = "notifications/cancelled"
_LEAVE_SECONDS = 1.0
"""Seconds that calls may take to be answered at a signal, and answers to leave at the end."""
_GONE = types.ErrorData(code=types.CONNECTION_CLOSED, message="The client has closed its input")


def serve(server: Server[Any], shutdown_timeout: float) -> int:
    """Serve until stdin ends, stdout breaks, or SIGTERM or SIGINT arrives.

    The calls in flight have `shutdown_timeout` seconds after the end of stdin. Returns the exit
    code: 0, or 128 and the signal's number.
    """
    try:
        claimed = _claim()
    except (OSError, AttributeError):
        print("stdin or stdout is closed: there is no client to serve", file=sys.stderr)
        return 1
    return anyio.run(_run, server, shutdown_timeout, *claimed)


def _claim() -> tuple[int, int]:
    """Reserve stdin and stdout for the protocol for the whole life of the process.

    File descriptor 0 becomes the null device and 1 becomes stderr, so that a `print` in a handler,
    a child process, or code that runs at exit cannot write to the protocol's stream.
    """
    sys.stdout.flush()
    reading, writing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    for descriptor in (reading, writing):
        with suppress(OSError, AttributeError):  # whoever started us may have made it non-blocking
            os.set_blocking(descriptor, True)
    return reading, writing


async def _run(server: Server[Any], shutdown_timeout: float, reading: int, writing: int) -> int:
    arrivals = Arrivals()
    async with anyio.create_task_group() as tasks:
        loop, scope = asyncio.get_running_loop(), tasks.cancel_scope
        caught: list[int] = []
        answers = Answers(writing, lambda: loop.call_soon_threadsafe(scope.cancel))

        async def take(message: JSONRPCMessage) -> None:
            if arrivals.begins_again(message):
                await answers.given()
                arrivals.open()
            answers.owe(message)
            await arrivals.put(message)

        async def take_leave(seconds: float = _LEAVE_SECONDS) -> None:
            listening: Any = server.get_request_handler("subscriptions/listen")
            if listening is not None:  # its module is not in every server
                listening.handler.close()
            with anyio.move_on_after(seconds):
                await answers.given()

        async def end() -> None:
            await answers.ask_no_more(arrivals.put)
            await take_leave(shutdown_timeout)
            arrivals.close()

        tasks.start_soon(_stop_on_signal, scope, caught, take_leave)
        _daemon(lambda: _read(reading, loop, take, answers.put, end))
        try:
            async with server.lifespan(server) as state:
                async for messages in arrivals.connections:
                    options = server.create_initialization_options()
                    await serve_dual_era_loop(
                        server, messages, answers, lifespan_state=state, init_options=options
                    )
        finally:
            await answers.drain()
            scope.cancel()
    return 128 + caught[0] if caught else 0


async def _stop_on_signal(
    scope: anyio.CancelScope, caught: list[int], take_leave: Callable[[], Awaitable[None]]
) -> None:
    try:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for number in signals:
                caught.append(number)
                await take_leave()
                scope.cancel()
                return
    except (NotImplementedError, ValueError, RuntimeError):
        logger.debug("signals cannot be received here: on Windows, or outside the main thread")


def _daemon(target: Callable[[], None]) -> None:
    # A blocked read or write must not keep the process alive, as a worker thread of anyio would.
    Thread(target=target, daemon=True, name="mcp-stdio").start()


class Arrivals:
    """The client's incoming messages, split into one connection or two in succession.

    The MCP SDK decides by a connection's first request whether there is a handshake. A client may
    send `server/discover` as a probe and get no answer in time. It then sends `initialize` on the
    same stdin (basic/versioning), and this message begins a second connection.
    """

    _send: MemoryObjectSendStream[SessionMessage | Exception]

    def __init__(self) -> None:
        self._opened, self.connections = anyio.create_memory_object_stream["Arrived"](2)
        self._methods: set[str] = set()
        """The methods of the first requests; two are enough to know that not all were probes."""
        self.open()

    def open(self) -> None:
        """Begin a connection, and end the previous one if there was one."""
        if self._methods:
            self._send.close()
        self._send, messages = anyio.create_memory_object_stream[SessionMessage | Exception](64)
        self._opened.send_nowait(messages)

    def begins_again(self, message: JSONRPCMessage) -> bool:
        """Whether a message is an `initialize` request after only `server/discover` requests."""
        opens = isinstance(message, JSONRPCRequest) and message.method == "initialize"
        return opens and self._methods == {"server/discover"}

    async def put(self, message: JSONRPCMessage) -> None:
        """Pass a message to the current connection."""
        if isinstance(message, JSONRPCRequest) and len(self._methods) < 2:
            self._methods.add(message.method)
        await self._send.send(SessionMessage(message))

    def close(self) -> None:
        """End the stream, since no more messages come."""
        self._send.close()
        self._opened.close()


class Answers(ObjectSendStream[SessionMessage]):
    """The stream of outgoing messages: one line each, written by a separate thread."""

    def __init__(self, writing: int, on_break: Callable[[], object]) -> None:
        self._writing = writing
        self._on_break = on_break
        self._queue: SimpleQueue[tuple[bytes, Callable[[], object] | None]] = SimpleQueue()
        self._broken = False
        self._owed: set[RequestId] = set()
        self._asked: set[RequestId] = set()
        """The requests to the client that it has not answered."""
        self._refuse: Callable[[JSONRPCMessage], Awaitable[None]] | None = None
        self._settled = anyio.Event()
        _daemon(self._write_all)

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message; returns when the message has left the process."""
        await self._written(encode(item.message))
        if isinstance(item.message, types.JSONRPCResponse | JSONRPCError):
            self._settle(item.message.id)
        elif isinstance(item.message, JSONRPCRequest):
            self._asked.add(item.message.id)
            if self._refuse is not None:
                await self.ask_no_more(self._refuse)

    async def ask_no_more(self, refuse: Callable[[JSONRPCMessage], Awaitable[None]]) -> None:
        """Refuse the server's requests to the client, which can no longer answer them."""
        self._refuse = refuse
        while self._asked:
            await refuse(JSONRPCError(jsonrpc="2.0", id=self._asked.pop(), error=_GONE))

    async def _written(self, line: bytes) -> None:
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        self._queue.put((line, lambda: loop.call_soon_threadsafe(event.set)))
        await event.wait()

    def owe(self, message: JSONRPCMessage) -> None:
        """Remember that a request must be answered, unless the client cancels it."""
        if isinstance(message, types.JSONRPCResponse | JSONRPCError) and message.id is not None:
            self._asked.discard(message.id)
        elif isinstance(message, JSONRPCRequest):
            if not self._owed:
                self._settled = anyio.Event()
            self._owed.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == _CANCELLED:
            self._settle((message.params or {}).get("requestId"))

    def _settle(self, request: object) -> None:
        if isinstance(request, str | int):
            self._owed.discard(request)
        if not self._owed:
            self._settled.set()

    async def given(self) -> None:
        """Wait until every request has been answered."""
        if self._owed:
            await self._settled.wait()

    def put(self, line: bytes) -> None:
        """Write a line; any thread may call this."""
        self._queue.put((line, None))

    async def drain(self) -> None:
        """Wait, with a time limit, until everything has been written."""
        with anyio.move_on_after(_LEAVE_SECONDS, shield=True):
            await self._written(b"")

    async def aclose(self) -> None:
        """Do nothing: the stream belongs to the process, and late errors may still be written to
        it.
        """

    def _write_all(self) -> None:
        while True:
            line, callback = self._queue.get()
            try:
                while line and not self._broken:
                    line = line[os.write(self._writing, line) :]
            except OSError:
                self._broken = True
                _in_loop(self._on_break)
            if callback is not None:
                _in_loop(callback)


def _in_loop(call: Callable[[], object]) -> None:
    with suppress(RuntimeError):  # the loop is closed: nobody waits any more
        call()


def encode(message: JSONRPCMessage) -> bytes:
    """A message as a line. If it cannot be encoded, an answer becomes an error, and any other
    message is dropped.
    """
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
        if not text.isascii():
            text = text.translate(_LINE_ENDS)
        return text.encode() + b"\n"
    except (ValueError, RecursionError, TypeError):
        logger.exception("a message cannot be written as JSON")
        if isinstance(message, types.JSONRPCResponse | JSONRPCError):
            return _refusal(
                message.id, types.INTERNAL_ERROR, "The answer cannot be written as JSON"
            )
        return b""


def _read(
    reading: int,
    loop: asyncio.AbstractEventLoop,
    take: Callable[[JSONRPCMessage], Coroutine[Any, Any, None]],
    refuse: Callable[[bytes], None],
    end: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    # The loop or the stream is closed where the server ended for another reason, or what waits for
    # room or for an answer is cancelled.
    closed = (RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError)
    with suppress(*closed, CancelledError):
        try:
            for line in lines(reading):
                message = decode(line)
                if isinstance(message, bytes):
                    refuse(message)
                elif message is not None:
                    asyncio.run_coroutine_threadsafe(take(message), loop).result()
        except OSError:
            logger.debug("stdin cannot be read, and so counts as ended")
        asyncio.run_coroutine_threadsafe(end(), loop).result()


def lines(reading: int) -> Iterator[bytes | None]:
    """The lines of a file descriptor; None for a line that is too long."""
    with os.fdopen(reading, "rb", closefd=False) as stream:
        while line := stream.readline(MAX_LINE + 1):
            if line.endswith(b"\n") or len(line) <= MAX_LINE:
                yield line.removesuffix(b"\n")
                continue
            while line and not line.endswith(b"\n"):
                line = stream.readline(_CHUNK_BYTES)
            yield None


def decode(line: bytes | None) -> JSONRPCMessage | bytes | None:
    """The message on a line, or a reply that refuses the line, or None if no reply is due."""
    if line is None:
        return _refusal(None, types.PARSE_ERROR, f"The message is longer than {MAX_LINE:,} bytes")
    if not line.strip():
        return None
    try:
        check_brackets(line)
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
        # A request whose id is of no use would pass as a notification, and stay unanswered.
        if not isinstance(message, types.JSONRPCNotification) or "id" not in _loosely(line):
            return message
        unparsable = False
    except NotJson as bad:
        return _refusal(
            _loosely(line[:_CHUNK_BYTES]).get("id"), types.PARSE_ERROR, f"The message {bad}"
        )
    except ValidationError as problem:
        errors = problem.errors(include_url=False, include_context=False, include_input=False)
        unparsable = any(each["type"] == "json_invalid" for each in errors)
    loose = _loosely(line)
    request_id = loose.get("id")
    if "method" not in loose and ("result" in loose or "error" in loose):
        logger.warning("an answer of the client is not JSON-RPC")
        text = "The client's answer is not JSON-RPC"
        error = types.ErrorData(code=types.INVALID_REQUEST, message=text)
        # Whoever waits for it would wait for ever.
        return (
            JSONRPCError(jsonrpc="2.0", id=request_id, error=error) if _is_id(request_id) else None
        )
    if unparsable:
        return _refusal(request_id, types.PARSE_ERROR, "The message is not JSON that can be read")
    return _refusal(request_id, types.INVALID_REQUEST, "The message is not a JSON-RPC 2.0 request")


def _loosely(line: bytes) -> dict[str, Any]:
    """Parse a message leniently, so that a reply can repeat the message's id."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _refusal(request_id: object, code: int, message: str) -> bytes:
    error = {"code": code, "message": message}
    answer = {"jsonrpc": "2.0", "id": request_id if _is_id(request_id) else None, "error": error}
    return json.dumps(answer).encode() + b"\n"


def _is_id(value: object) -> TypeGuard[RequestId]:
    if isinstance(value, str):
        return value.isprintable()
    return isinstance(value, int) and not isinstance(value, bool)
