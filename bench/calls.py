"""What a call costs: a generated server against a hand-written one that makes the same request.

The two take turns, and what counts is the time that the server's process is on a processor, so that
a busy machine does not decide; the time that passes is printed beside it.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import servers

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": HELLO["clientInfo"],
    "io.modelcontextprotocol/clientCapabilities": {},
}
ARGUMENTS = {"limit": 20, "cursor": "abc", "sort": "name"}


@dataclass
class Measured:
    """Seconds per call of each round."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)


def calls(package: Path, rounds: int = 9, size: int = 200) -> None:
    """Measure both transports of the generated package in that folder and print their ratios."""
    tools = json.loads((package / "tools.json").read_bytes())["tools"]
    with upstream() as base_url:
        for transport in ("stdio", "HTTP"):
            with ExitStack() as stack:
                pair = []
                for command, folder in commands(package, base_url, transport):
                    start = Stdio if transport == "stdio" else Http
                    pair.append(stack.enter_context(start.started(command, folder)))
                ours, theirs = turn(pair, tools[0]["name"], rounds, size)
            cpu, wall = (
                statistics.median(ours_) / statistics.median(theirs_)
                for ours_, theirs_ in ((ours.cpu, theirs.cpu), (ours.wall, theirs.wall))
            )
            print(
                f"a call over {transport}, {len(tools)} tools: "
                f"{statistics.median(ours.cpu) * 1e3:.2f} ms of processor, hand-written "
                f"{statistics.median(theirs.cpu) * 1e3:.2f} ms, x{cpu:.2f}; time x{wall:.2f}"
            )


def turn(pair: Sequence[Stdio | Http], tool: str, rounds: int, size: int) -> list[Measured]:
    """Let the servers take turns; the first round of each is not counted."""
    found = [Measured() for _ in pair]
    for number in range(rounds + 1):
        for server, measured in zip(pair, found, strict=True):
            server.begin()
            cpu, wall = processor_seconds(server.pid), time.perf_counter()
            for _ in range(size):
                server.call(tool)
            if number:
                measured.wall.append((time.perf_counter() - wall) / size)
                measured.cpu.append((processor_seconds(server.pid) - cpu) / size)
    return found


def commands(package: Path, base_url: str, transport: str) -> list[tuple[list[str], Path]]:
    """The generated server's command and the hand-written one's, each with its folder."""
    found = []
    for hand in (False, True):
        port = "-" if transport == "stdio" else str(free_port())
        if hand:
            arguments = [str(package / "tools.json"), base_url, port]
            command = [sys.executable, "-c", servers.HAND_WRITTEN_CALLS, *arguments]
        else:
            command = [sys.executable, "-m", package.name, "--base-url", base_url]
            command += [] if transport == "stdio" else ["--http", f"127.0.0.1:{port}"]
        found.append((command, package.parent))
    return found


class Stdio:
    """A server over stdio, as an older client speaks to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.pid = process.pid

    @classmethod
    @contextmanager
    def started(cls, command: Sequence[str], folder: Path) -> Iterator[Stdio]:
        """Run the command."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe)
        try:
            server = cls(process)
            server._ask({"id": 0, "method": "initialize", "params": HELLO})
            server._send({"method": "notifications/initialized"})
            yield server
        finally:
            process.kill()
            process.communicate()

    def begin(self) -> None:
        """Nothing: the pipes stay open."""

    def call(self, tool: str) -> None:
        """Call a tool and wait for its result."""
        params = {"name": tool, "arguments": ARGUMENTS}
        succeeded(self._ask({"id": 1, "method": "tools/call", "params": params}))

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdout
        self._send(message)
        for line in self._process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == message["id"]:
                return answer
        raise RuntimeError("the server stopped")


class Http:
    """A server over Streamable HTTP, as a current client speaks to it, on one connection."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    @classmethod
    @contextmanager
    def started(cls, command: Sequence[str], folder: Path) -> Iterator[Http]:
        """Run the command, whose last argument ends in the port."""
        process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
        try:
            yield cls(process.pid, int(command[-1].rpartition(":")[2]))
        finally:
            process.kill()
            process.wait()

    def begin(self) -> None:
        """Connect anew: while another had its turn, the connection may have been closed."""
        self._stream = connected(self.port).makefile("rwb")

    def call(self, tool: str) -> None:
        """Call a tool and wait for its result."""
        self._stream.write(request(self.port, tool, ARGUMENTS))
        self._stream.flush()
        length = 0
        while (line := self._stream.readline()) != b"\r\n":
            if not line:
                raise RuntimeError("the server hung up")
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        succeeded(json.loads(self._stream.read(length)))


def request(
    port: int, tool: str, arguments: dict[str, Any], *headers: str, number: int = 1
) -> bytes:
    """A call as the bytes of an HTTP request."""
    params = {"name": tool, "arguments": arguments, "_meta": META}
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    body = json.dumps(message).encode()
    lines = [
        "POST /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        "MCP-Protocol-Version: 2026-07-28",
        "Mcp-Method: tools/call",
        f"Mcp-Name: {tool}",
        *headers,
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def succeeded(answer: dict[str, Any]) -> None:
    """Stop where a call failed: a failure is no measure."""
    if "result" not in answer or answer["result"].get("isError"):
        raise RuntimeError(f"a call failed: {json.dumps(answer)[:500]}")


@contextmanager
def upstream(*python: str) -> Iterator[str]:
    """An API in a process of its own, by what `python` is told; the value is its URL."""
    command = [sys.executable, *(python or ("-c", servers.UPSTREAM))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.communicate()


def processor_seconds(pid: int) -> float:
    """The time that all threads of a process have been on a processor."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        total += int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[0])
    return total / 1e9


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def connected(port: int, seconds: float = 60) -> socket.socket:
    """A connection, as soon as there is somebody to connect to."""
    until = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
