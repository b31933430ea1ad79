"""64 callers at once over HTTP, against the hand-written server; and memory over many calls."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.calls import Http, commands, processor_seconds, request, succeeded, upstream

CALLERS = 64


@dataclass
class Loaded:
    """A server under load."""

    server: Http
    per_second: list[float] = field(default_factory=list)
    per_processor_second: list[float] = field(default_factory=list)
    mebibytes: list[float] = field(default_factory=list)

    async def round(self, tool: str, calls: int) -> None:
        """Let the callers share the calls, and write down what that took."""
        cpu, began = processor_seconds(self.server.pid), time.perf_counter()
        message = request(tool, self.server.port)
        left = iter(range(calls))
        await asyncio.gather(*(self._caller(message, left) for _ in range(CALLERS)))
        self.per_second.append(calls / (time.perf_counter() - began))
        self.per_processor_second.append(calls / (processor_seconds(self.server.pid) - cpu))
        self.mebibytes.append(resident(self.server.pid))

    async def _caller(self, message: bytes, left: Iterator[int]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        for _ in left:
            writer.write(message)
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            succeeded(json.loads(await reader.readexactly(int(length))))
        writer.close()


def load(package: Path, rounds: int = 10, size: int = 1000) -> None:
    """Measure the generated package in that folder and print its ratios."""
    tool = json.loads((package / "tools.json").read_bytes())["tools"][0]["name"]
    with ExitStack() as stack:
        base_url = stack.enter_context(upstream())
        loaded = [
            Loaded(stack.enter_context(Http.started(command, folder)))
            for command, folder in commands(package, base_url, "HTTP")
        ]
        for server in loaded:
            server.server.begin()
        asyncio.run(take_turns(loaded, tool, rounds, size))
    ours, theirs = loaded
    wall, cpu = (
        statistics.median(mine) / statistics.median(other)
        for mine, other in (
            (ours.per_second[1:], theirs.per_second[1:]),
            (ours.per_processor_second[1:], theirs.per_processor_second[1:]),
        )
    )
    rate = statistics.median(ours.per_second[1:])
    print(
        f"{CALLERS} callers over HTTP: {rate:.0f} calls a second, x{wall:.2f} of the hand-written "
        f"server; by processor time x{cpu:.2f}"
    )
    print(
        f"memory after {size:,} calls {ours.mebibytes[0]:.1f} MiB, after {rounds * size:,} "
        f"{ours.mebibytes[-1]:.1f} MiB; hand-written {theirs.mebibytes[0]:.1f} and "
        f"{theirs.mebibytes[-1]:.1f} MiB"
    )


async def take_turns(loaded: Sequence[Loaded], tool: str, rounds: int, size: int) -> None:
    """Load one server after the other, round by round."""
    for _ in range(rounds):
        for server in loaded:
            await server.round(tool, size)


def resident(pid: int) -> float:
    """Memory of a process, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
