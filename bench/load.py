"""64 callers at once over HTTP, beside the hand-written server and FastMCP's; memory at the end."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench import servers
from bench.calls import (
    ARGUMENTS,
    Http,
    commands,
    free_port,
    processor_seconds,
    request,
    upstream,
)

CALLERS = 64


@dataclass
class Loaded:
    """A server under load."""

    server: Http
    calls: int
    """Calls of a round."""
    per_second: list[float] = field(default_factory=list)
    per_processor_second: list[float] = field(default_factory=list)
    mebibytes: list[float] = field(default_factory=list)
    failed: int = 0

    async def round(self, tool: str) -> None:
        """Let the callers share the calls, and write down what that took."""
        cpu, began = processor_seconds(self.server.pid), time.perf_counter()
        message = request(self.server.port, tool, ARGUMENTS)
        left = iter(range(self.calls))
        failures = await asyncio.gather(*(self._caller(message, left) for _ in range(CALLERS)))
        failed = sum(failures)
        self.failed += failed
        done = self.calls - failed
        self.per_second.append(done / (time.perf_counter() - began))
        self.per_processor_second.append(done / (processor_seconds(self.server.pid) - cpu))
        self.mebibytes.append(resident(self.server.pid))

    async def _caller(self, message: bytes, left: Iterator[int]) -> int:
        """Call as long as there are calls left; the result is how many of them failed."""
        failed = 0
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        for _ in left:
            writer.write(message)
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            answer = json.loads(await reader.readexactly(int(length)))
            failed += "result" not in answer or bool(answer["result"].get("isError"))
        writer.close()
        return failed


def load(
    package: Path,
    source: Path | None = None,
    peer: Path | None = None,
    rounds: int = 10,
    size: int = 1000,
) -> None:
    """Measure the generated package in that folder and print its ratios.

    `peer` is an interpreter whose FastMCP serves the document `source` beside it; it gets a tenth
    of the calls, for it may be that much slower.
    """
    tool = json.loads((package / "tools.json").read_bytes())["tools"][0]["name"]
    with ExitStack() as stack:
        base_url = stack.enter_context(upstream())
        started = commands(package, base_url, "HTTP")
        if peer and source:
            started.append((fastmcp(peer, source, base_url), package.parent))
        loaded = [
            Loaded(stack.enter_context(Http.started(command, folder)), calls)
            for (command, folder), calls in zip(started, (size, size, size // 10), strict=False)
        ]
        for server in loaded:
            server.server.begin()
        asyncio.run(take_turns(loaded, tool, rounds))
    ours, theirs, *others = loaded
    if ours.failed or theirs.failed:
        raise RuntimeError(f"calls failed: {ours.failed} of ours, {theirs.failed} of theirs")
    _compare("hand-written server", ours, theirs)
    for other in others:
        if statistics.median(other.per_second[1:]):
            _compare("FastMCP server", ours, other)
        if other.failed:
            print(f"of the FastMCP server's {rounds * other.calls:,} calls {other.failed:,} failed")
    for name, server in zip(("generated", "hand-written", "FastMCP"), loaded, strict=False):
        first, last = server.mebibytes[0], server.mebibytes[-1]
        print(
            f"memory of the {name} server: after {server.calls:,} calls {first:.1f} MiB, after "
            f"{rounds * server.calls:,} {last:.1f} MiB, x{last / first:.2f}"
        )


def fastmcp(peer: Path, source: Path, base_url: str) -> list[str]:
    """The command that serves a document over HTTP with FastMCP's `from_openapi`."""
    return [str(peer), "-c", servers.FASTMCP_HTTP, str(source), base_url, str(free_port())]


def _compare(name: str, ours: Loaded, theirs: Loaded) -> None:
    wall, cpu = (
        statistics.median(mine) / statistics.median(other)
        for mine, other in (
            (ours.per_second[1:], theirs.per_second[1:]),
            (ours.per_processor_second[1:], theirs.per_processor_second[1:]),
        )
    )
    rate = statistics.median(ours.per_second[1:])
    print(
        f"{CALLERS} callers over HTTP: {rate:.0f} calls a second, x{wall:.2f} of the {name}; "
        f"by processor time x{cpu:.2f}"
    )


async def take_turns(loaded: Sequence[Loaded], tool: str, rounds: int) -> None:
    """Load one server after the other, round by round."""
    for _ in range(rounds):
        for server in loaded:
            await server.round(tool)


def resident(pid: int) -> float:
    """Memory of a process, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
