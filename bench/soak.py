"""Many callers, an API that fails at random, calls cancelled by the thousand: what is left of it.

    python -m bench.soak [--calls 20000] [--cancelled 20000] [--after 1000] [--callers 64]
                         [--gateway] [--replicas]

`--gateway`: a server of two sources with the search surface. Each caller has a credential for each
API, and every third call goes through the surface.
`--replicas`: the calls of `bench.replicas`, and nothing else.
A generated server and a hand-written one serve the same tools over Streamable HTTP and take turns;
both ask again for reads that break off or get 429, twice at most.
Exit code 1: an answer was lost or another caller's, a write was sent twice, a credential was shown,
something leaked, or the generated server is slower than it may be.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import SO_LINGER, SOL_SOCKET
from typing import Any

from bench import replicas, servers
from bench.calls import connected, free_port, processor_seconds, request, upstream
from bench.load import resident

ROOT = Path(__file__).parent.parent
CANARY = "sk-canary"
"""In every credential; nobody but the API may ever see it."""
SLOWEST = {False: 0.8, True: 0.85}
"""Of the hand-written server's calls a second; True: of a gateway."""
GROWTH = 1.15
"""How much more memory the last thousand calls may leave in use than the first."""
_ROUND = 1000


@dataclass
class Served:
    """A server under test, and what it has done so far."""

    pid: int
    port: int
    log: Path
    sources: int = 1
    searches: bool = False
    """It has the search surface."""
    per_second: list[float] = field(default_factory=list)
    per_processor_second: list[float] = field(default_factory=list)
    mebibytes: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    succeeded: int = 0
    failed: int = 0

    @property
    def descriptors(self) -> int:
        """Files and sockets that it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))


@dataclass
class Report:
    """What a soak has shown."""

    ours: Served
    theirs: Served
    written_twice: int
    open_before: int
    open_after: int
    descriptors: tuple[int, int]
    after: int
    shown: int
    """Credentials in an answer or in the log."""
    logged: int
    """Characters of the log."""
    callers: int

    @property
    def speed(self) -> float:
        """Calls a second, as a share of the hand-written server's."""
        return _share(self.ours.per_second, self.theirs.per_second)

    @property
    def speed_by_processor(self) -> float:
        """The same for a second of processor time, which a busy machine does not change."""
        return _share(self.ours.per_processor_second, self.theirs.per_processor_second)

    @property
    def leaked(self) -> int:
        """Descriptors, connections to the API among them, that the cancelled calls left behind.

        As many idle connections as there are callers may be kept for later calls.
        """
        return max(self.descriptors[1] - self.descriptors[0] - self.callers, 0)

    @property
    def growth(self) -> float:
        """Memory after the last round over memory after the first."""
        return self.ours.mebibytes[-1] / self.ours.mebibytes[0]


def _share(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def soak(
    calls: int,
    cancelled: int,
    after: int,
    callers: int,
    log_level: str = "WARNING",
    compared: bool = True,
    gateway: bool = False,
) -> Report:
    """Run it all; `after` calls follow the cancelled ones. Not `compared`: with ours alone."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        count = 2 if gateway else 1
        apis = [stack.enter_context(upstream("-m", "bench.faulty_api")) for _ in range(count)]
        ours = stack.enter_context(generated(folder, apis, log_level))
        both = [ours]
        if compared:
            both.append(stack.enter_context(hand_written(folder, apis)))
        for served in both:
            connected(served.port).close()
        size = min(_ROUND, calls)
        for number in range(calls // size):
            for served in both:
                asyncio.run(load(served, f"n{number}-{served.port}", size, callers))
        before = ours.descriptors, stats(apis)["open"]
        asyncio.run(cancel(ours, cancelled, callers))
        good = ours.succeeded
        asyncio.run(load(ours, "ok", after, callers))
        seen = stats(apis)
        text = ours.log.read_text(encoding="utf-8", errors="replace")
        return Report(
            ours, both[-1],
            written_twice=sum(count > 1 for nonce, count in seen["written"].items()
                              if str(ours.port) in nonce or nonce.startswith("ok")),
            open_before=before[1], open_after=seen["open"],
            descriptors=(before[0], settled(ours, before[0] + callers)),
            after=ours.succeeded - good,
            shown=text.count(CANARY) + sum(CANARY in wrong for wrong in ours.wrong),
            logged=len(text),
            callers=callers,
        )  # fmt: skip


def settled(served: Served, most: int) -> int:
    """The descriptors once there are no more than that, or that are there after ten seconds.

    A server on a busy machine learns a little later that its callers have hung up.
    """
    ends = time.monotonic() + 10
    while (found := served.descriptors) > most and time.monotonic() < ends:
        time.sleep(0.05)
    return found


async def load(served: Served, prefix: str, calls: int, callers: int) -> None:
    """Let the callers share the calls, and note what that took."""
    left = iter(range(calls))
    cpu, began = processor_seconds(served.pid), time.perf_counter()
    await asyncio.gather(*(_caller(served, prefix, number, left) for number in range(callers)))
    if prefix != "ok":
        served.per_second.append(calls / (time.perf_counter() - began))
        served.per_processor_second.append(calls / (processor_seconds(served.pid) - cpu))
        served.mebibytes.append(resident(served.pid))


async def _caller(served: Served, prefix: str, caller: int, left: Iterator[int]) -> None:
    key = f"{CANARY}-{caller}"
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    for number in left:
        nonce = f"{prefix}-{number}"
        writer.write(call_of(served, nonce, key, number))
        body = await _body(reader)
        if problem := judged(served, json.loads(body), nonce, key, number):
            served.wrong.append(f"{nonce}: {problem}: {body[:500]!r}")
    writer.close()


async def _body(reader: asyncio.StreamReader) -> bytes:
    """The message of an answer: JSON, or an event stream where the server took long."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
    if length:
        return await reader.readexactly(int(length))
    events = b""
    while size := int(await reader.readline(), 16):
        events += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    (message,) = (line[6:] for line in events.splitlines() if line.startswith(b"data: "))
    return message


def judged(served: Served, answer: dict[str, Any], nonce: str, key: str, number: int) -> str:
    """What is wrong with an answer; empty where it is the call's own."""
    if answer.get("id") != number:
        return "the answer of another call"
    if CANARY in json.dumps(answer):
        return "a credential"
    result = answer.get("result", {"isError": True})
    data = result.get("structuredContent") or {}
    if result.get("isError") or "nonce" not in data:
        served.failed += 1
        return "a good answer lost" if nonce.startswith("ok") else ""
    served.succeeded += 1
    own = hashlib.sha256(f"{key}{_source(served, number)}".encode()).hexdigest()
    return "" if (data["nonce"], data["caller"]) == (nonce, own) else "another caller's answer"


async def cancel(served: Served, calls: int, callers: int) -> None:
    """Begin calls that get no answer and hang up on them."""
    left = iter(range(calls))

    async def caller(number: int) -> None:
        for call in left:
            _, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(call_of(served, f"hang-{call}", f"{CANARY}-{number}", call))
            await asyncio.sleep(0.002 * (call % 4))
            sock = writer.get_extra_info("socket")
            sock.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    await asyncio.gather(*(caller(number) for number in range(callers)))


def call_of(served: Served, nonce: str, key: str, number: int) -> bytes:
    """A call as the bytes of an HTTP request; every other one is a write."""
    effect, source = "write" if number % 2 else "read", _source(served, number)
    tool, arguments = f"{source}_{effect}" if source else effect, {"nonce": nonce}
    if served.searches and not number % 3:
        call = {"name": tool, "arguments": arguments, "as": "json"}
        tool, arguments = f"call_{effect}_tool", call
    headers = (f"X-Caller-Key: {key}", f"X-Second-Key: {key}second")
    return request(served.port, tool, arguments, *headers, number=number)


def _source(served: Served, number: int) -> str:
    """The source that a call asks, by its name; the first has none."""
    return "second" if served.sources > 1 and number % 4 > 1 else ""


def stats(apis: list[str]) -> dict[str, Any]:
    """What the APIs have seen."""
    open_, written = 0, Counter[str]()
    for api in apis:
        with urllib.request.urlopen(f"{api}/stats") as answer:
            found = json.load(answer)
        open_ += found["open"]
        written.update(found["written"])
    return {"open": open_, "written": written}


@contextmanager
def generated(folder: Path, apis: list[str], log_level: str) -> Iterator[Served]:
    """A generated server whose callers bring their own credentials."""
    source, out, is_gateway = folder / "api.json", folder / "out", len(apis) > 1
    source.write_text(json.dumps(DOCUMENT))
    made = [sys.executable, "-m", "mcpgen", "from-openapi", str(source), "-o", str(out)]
    if is_gateway:
        second = folder / "second.json"
        info = {**DOCUMENT["info"], "title": "Second"}
        second.write_text(json.dumps({**DOCUMENT, "info": info}))
        made += ["--with", str(second), "--surface", "search"]
    subprocess.run(made, check=True, capture_output=True, cwd=ROOT)
    environ = {
        "SOAK_CALLER_AUTH": "key: X-Caller-Key",
        "SECOND_CALLER_AUTH": "key: X-Second-Key",
        "SECOND_BASE_URL": apis[-1],
        "SOAK_LOG_LEVEL": log_level,
        "SOAK_EXTRA_HEADERS": f"X-Extra: {CANARY}-extra",
    }
    port = free_port()
    command = [sys.executable, "-m", "soak_mcp", "--base-url", apis[0], "--http"]
    with _process([*command, f"127.0.0.1:{port}"], out, port, environ) as served:
        served.sources, served.searches = len(apis), is_gateway
        yield served


@contextmanager
def hand_written(folder: Path, apis: list[str]) -> Iterator[Served]:
    """The hand-written server for the same tools."""
    port = free_port()
    tools = folder / "out" / "soak_mcp" / "tools.json"
    command = [sys.executable, "-c", servers.HAND_WRITTEN_SOAK, str(tools), apis[0], str(port)]
    with _process(command, folder, port, {"SECOND": apis[-1]}) as served:
        served.sources = len(apis)
        yield served


@contextmanager
def _process(
    command: list[str], folder: Path, port: int, environ: dict[str, str]
) -> Iterator[Served]:
    log = folder / f"{port}.log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            command, cwd=folder, stdout=stderr, stderr=stderr, env={**os.environ, **environ}
        )
        try:
            yield Served(process.pid, port, log)
        finally:
            process.kill()
            process.wait()


def _operation(name: str, **fields: Any) -> dict[str, Any]:
    answer = {"type": "object", "properties": {"nonce": {"type": "string"}}}
    content = {"application/json": {"schema": answer}}
    responses = {"200": {"description": "The nonce.", "content": content}}
    return {"operationId": name, "summary": name, "responses": responses, **fields}


_NONCE = {"type": "object", "properties": {"nonce": {"type": "string"}}, "required": ["nonce"]}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Soak", "version": "1.0.0"},
    "servers": [{"url": "https://api.soak.example"}],
    "security": [{"key": []}],
    "paths": {
        "/read": {
            "get": _operation(
                "read",
                parameters=[
                    {"name": "nonce", "in": "query", "required": True, "schema": {"type": "string"}}
                ],
            )
        },
        "/write": {
            "post": _operation(
                "write",
                requestBody={"required": True, "content": {"application/json": {"schema": _NONCE}}},
            )
        },
    },
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
}


def main() -> int:
    """Run a soak and print what it has shown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--cancelled", type=int, default=20_000)
    parser.add_argument("--after", type=int, default=1000)
    parser.add_argument("--callers", type=int, default=64)
    parser.add_argument("--log-level", default="WARNING")
    parser.add_argument("--gateway", action="store_true")
    parser.add_argument("--replicas", action="store_true")
    asked = parser.parse_args()
    if asked.replicas:
        return replicas.judged(asked.calls)
    sizes = asked.calls, asked.cancelled, asked.after, asked.callers
    found = soak(*sizes, asked.log_level, gateway=asked.gateway)
    ours = found.ours
    print(f"{asked.calls:,} calls by {asked.callers} callers: {ours.succeeded:,} succeeded and "
          f"{ours.failed:,} were told of a fault; {len(ours.wrong)} wrong")  # fmt: skip
    print(*ours.wrong[:5], sep="\n", end="\n" if ours.wrong else "")
    print(f"writes sent twice: {found.written_twice}; credentials shown: {found.shown}")
    print(f"{statistics.median(ours.per_second):.0f} calls a second, x{found.speed:.2f} of the "
          f"hand-written server's; by processor time x{found.speed_by_processor:.2f}")  # fmt: skip
    print(f"memory after the first {_ROUND:,} calls {ours.mebibytes[0]:.1f} MiB, after the last "
          f"{ours.mebibytes[-1]:.1f} MiB")  # fmt: skip
    print(f"after {asked.cancelled:,} cancelled calls {found.after:,} of {asked.after:,} succeeded;"
          f" descriptors {found.descriptors[0]} before and {found.descriptors[1]} after, "
          f"connections to the API {found.open_before} and {found.open_after}")  # fmt: skip
    good = (
        not ours.wrong and not found.written_twice and not found.shown
        and found.after == asked.after and not found.leaked
        and found.speed >= SLOWEST[asked.gateway] and found.growth <= GROWTH
    )  # fmt: skip
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
