"""Three replicas behind nginx that share a Redis, of which each is killed: what callers get.

`python -m bench.replicas --calls 2000` generates a server, and says how many calls ended how, how
often its API was reached by each POST, and how many calls a limit let through. Exit code 1: a POST
reached the API twice, a call ended in no clear answer, a limit let through too many or too few, a
link or a task was gone, or a refresh token that is good once was used again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from bench.calls import free_port

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

DOCUMENT = """openapi: 3.1.0
info: {{title: Fleet, version: "1"}}
servers: [{{url: "https://fleet.example"}}]
security: [{{login: []}}]
components:
  securitySchemes:
    login:
      type: oauth2
      flows:
        authorizationCode:
          authorizationUrl: {api}/login
          tokenUrl: {api}/token
          scopes: {{}}
paths:
  /notes:
    post:
      operationId: addNote
      parameters: [{{name: key, in: query, required: true, schema: {{type: string}}}}]
      responses: {{"200": {{description: ok, content: {{application/json: {{}}}}}}}}
  /paper:
    get:
      operationId: getPaper
      responses: {{"200": {{description: ok, content: {{application/pdf: {{}}}}}}}}
  /report:
    get:
      operationId: makeReport
      responses: {{"200": {{description: ok, content: {{application/json: {{}}}}}}}}
"""
SETTINGS = """store = true
result_links = true
[tools.makeReport]
task = "optional"
"""
NGINX = """daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream fleet {{ {servers} }}
  server {{ listen 127.0.0.1:{port}; add_header X-Replica $upstream_addr always;
    location / {{ proxy_pass http://fleet; proxy_buffering off; proxy_set_header Host localhost; }}
  }} }}
"""


TASKS = "io.modelcontextprotocol/tasks"
TOGETHER = 50
"""Calls at once that find no access token, and then as many tasks and links."""
PAPER = b"%PDF-1.7 " + bytes(range(256))

OK, LIMITED, AWAY, KILLED = "ok", "limited", "the store is away", "the replica was killed"
CLOSED = "the replica closed before it read the request"
"""Nothing but a balancer that no longer uses a replica can prevent that when it ends."""


class Notes:
    """The API and its authorization server, whose refresh tokens are good once."""

    def __init__(self) -> None:
        self.reached: Counter[str] = Counter()
        """How often each POST did."""
        self.renewals = 0
        self.refused = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                length = re.search(r"\ncontent-length: *([0-9]+)", head.lower())
                form = await reader.readexactly(int(length[1])) if length else b""
                kind, content = await self._content(head.split(" ")[1], form.decode())
                lines = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}"
                writer.write(f"{lines}\r\n\r\n".encode() + content)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    async def _content(self, path: str, form: str) -> tuple[str, bytes]:
        """What a request is answered with."""
        answer: dict[str, Any] = {}
        if path == "/paper":
            return "application/pdf", PAPER
        if path == "/report":
            await asyncio.sleep(0.1)
        elif path == "/token":
            if f"refresh_token=refresh-{self.renewals}" not in form.split("&"):
                self.refused += 1
            await asyncio.sleep(0.1)
            self.renewals += 1
            answer = {"access_token": f"access-{self.renewals}", "expires_in": 3600}
            answer |= {"token_type": "Bearer", "refresh_token": f"refresh-{self.renewals}"}
        else:
            self.reached[path.partition("=")[2]] += 1
        return "application/json", json.dumps(answer).encode()


class Fleet:
    """The processes of a run."""

    def __init__(self, folder: Path, ports: list[int], environ: dict[str, str]) -> None:
        self.folder = folder
        self.ports = ports
        self.environ = {**os.environ, **environ, "PYTHONPATH": str(folder / "server")}
        self.replicas = [self.replica(port) for port in ports]
        self.away: dict[str, dict[str, float]] = {KILLED: {}, CLOSED: {}}
        """Until when each was away that was killed, or that closed."""

    def replica(self, port: int) -> subprocess.Popen[bytes]:
        """One process of the server."""
        command = [sys.executable, "-m", "fleet_mcp", "--http", f"127.0.0.1:{port}"]
        log = (self.folder / f"{port}.log").open("ab")
        return subprocess.Popen(command, env=self.environ, stderr=log)

    async def ready(self, port: int) -> None:
        """Wait until a process takes calls."""
        async with httpx2.AsyncClient() as http:
            for _ in range(400):
                try:
                    if (await http.get(f"http://127.0.0.1:{port}/readyz")).status_code == 200:
                        return
                except httpx2.HTTPError:
                    pass
                await asyncio.sleep(0.05)
        raise RuntimeError(f"nothing answers at {port}")

    async def restart(self, number: int, *, kill: bool) -> None:
        """End a process, at once or as it likes to end, and start it again."""
        process, port = self.replicas[number], self.ports[number]
        until = self.away[KILLED if kill else CLOSED]
        until[str(port)] = math.inf
        if kill:
            process.kill()
        else:
            process.terminate()
        await asyncio.to_thread(process.wait)
        self.replicas[number] = self.replica(port)
        await self.ready(port)
        until[str(port)] = time.monotonic()

    def loss(self, port: str, began: float) -> str:
        """Why nginx got no answer from a replica to a request that began then, if it is clear."""
        return next((why for why, until in self.away.items() if began < until.get(port, 0.0)), "")


@dataclass
class Outcomes:
    """How calls ended."""

    keys: dict[str, set[str]] = field(default_factory=dict)
    slowest: float = 0.0
    seconds: float = 0.0

    def add(self, outcome: str, key: str, seconds: float) -> None:
        """Note one."""
        self.keys.setdefault(outcome, set()).add(key)
        self.slowest = max(self.slowest, seconds)

    def counts(self) -> dict[str, int]:
        """How many ended how."""
        return {outcome: len(keys) for outcome, keys in self.keys.items()}


async def ask(
    http: httpx2.AsyncClient, url: str, method: str, named: str, **params: Any
) -> httpx2.Response:
    """The answer to one request, as a client of 2026-07-28 sends it."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {TASKS: {}}},
    }
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        "Mcp-Name": named,
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    return await http.post(url, json=body, headers=headers)


def message_of(answer: httpx2.Response) -> dict[str, Any]:
    """The message of an answer: JSON, or the last of an event stream."""
    text = answer.text
    if "event-stream" in answer.headers["content-type"]:
        text = [line for line in text.splitlines() if line.startswith("data: {")][-1][6:]
    message: dict[str, Any] = json.loads(text)
    return message


async def called(fleet: Fleet, http: httpx2.AsyncClient, url: str, key: str) -> str:
    """How a call ended."""
    began = time.monotonic()
    try:
        call = {"name": "addNote", "arguments": {"key": key}}
        answer = await ask(http, url, "tools/call", "addNote", **call)
    except httpx2.HTTPError as problem:
        return f"connection: {type(problem).__name__}"
    if answer.status_code != 200:
        port = answer.headers.get("X-Replica", "").rpartition(":")[2]
        loss = fleet.loss(port, began) if answer.status_code == 502 else ""
        return loss or f"status {answer.status_code}"
    message = message_of(answer)
    result = message.get("result")
    if result is None:
        return f"error: {message['error']['message'][:60]}"
    if not result.get("isError"):
        return OK
    told: str = result["content"][0]["text"]
    return LIMITED if "calls a minute" in told else AWAY if "its store does not" in told else told


class Shared:
    """What callers were given through nginx: links and tasks."""

    def __init__(self, url: str, ports: list[int]) -> None:
        self._url = url
        self._replicas = [f"http://127.0.0.1:{port}/mcp" for port in ports]
        self._links: list[str] = []
        self._tasks: list[str] = []

    async def begin(self) -> None:
        """Call for all of them at once."""
        async with httpx2.AsyncClient(timeout=30) as http:

            async def call(tool: str) -> dict[str, Any]:
                params = {"name": tool, "arguments": {}}
                answer = await ask(http, self._url, "tools/call", tool, **params)
                result: dict[str, Any] = message_of(answer)["result"]
                return result

            papers = await asyncio.gather(*(call("getPaper") for _ in range(TOGETHER)))
            reports = await asyncio.gather(*(call("makeReport") for _ in range(TOGETHER)))
        self._links = [paper["content"][0]["uri"] for paper in papers]
        self._tasks = [report["taskId"] for report in reports]

    async def missing(self) -> list[str]:
        """The links and tasks that cannot be read at one of the replicas."""
        found: list[str] = []
        async with httpx2.AsyncClient(timeout=30) as http:
            for url in self._replicas:
                for uri in self._links:
                    message = message_of(await ask(http, url, "resources/read", uri, uri=uri))
                    contents = message.get("result", {}).get("contents", [{}])
                    if contents[0].get("blob") != b64encode(PAPER).decode():
                        found.append(f"{uri} at {url}: {message}")
                for task in self._tasks:
                    message = await self._ended(http, url, task)
                    if message.get("result", {}).get("status") != "completed":
                        found.append(f"{task} at {url}: {message}")
        return found

    async def _ended(self, http: httpx2.AsyncClient, url: str, task: str) -> dict[str, Any]:
        """What a replica says of a task, within some seconds in which it may end."""
        for _ in range(100):
            message = message_of(await ask(http, url, "tasks/get", task, taskId=task))
            if message.get("result", {}).get("status") != "working":
                break
            await asyncio.sleep(0.1)
        return message


async def disturb(fleet: Fleet, redis: Any) -> None:
    """Kill the store and a replica, and restart all replicas one by one."""
    await asyncio.sleep(0.5)
    redis.kill()
    await asyncio.sleep(0.5)
    await asyncio.to_thread(redis.start)
    await fleet.restart(0, kill=True)
    for number in range(len(fleet.replicas)):
        await fleet.restart(number, kill=False)


@asynccontextmanager
async def running(limit: int) -> AsyncIterator[tuple[Fleet, Notes, Any, str]]:
    """The processes of a server, its API, its store, and the URL of all of them."""
    from redis_server import RedisServer

    notes = Notes()
    with tempfile.TemporaryDirectory() as name:
        folder, ports, port = Path(name), [free_port() for _ in range(3)], free_port()
        servers = " ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports)
        config = NGINX.format(folder=folder, servers=servers, port=port)
        (folder / "nginx.conf").write_text(config)
        api = await asyncio.start_server(notes.answer, "127.0.0.1", 0)
        address = f"http://127.0.0.1:{api.sockets[0].getsockname()[1]}"
        await asyncio.to_thread(generate, folder, address)
        redis = RedisServer(folder)
        environ = {
            "FLEET_BASE_URL": address,
            "FLEET_LOGIN_CLIENT_ID": "fleet",
            "FLEET_LOGIN_REFRESH_TOKEN": "refresh-0",
            "FLEET_STORE": redis.url,
            "FLEET_STATE_KEYS": "k" * 40,
            "FLEET_CALLS_PER_MINUTE_IN_ALL": str(limit),
            "FLEET_CALLS_AT_ONCE_IN_ALL": "1000",
        }
        fleet = Fleet(folder, ports, environ)
        proxy = subprocess.Popen(["nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")])
        try:
            for each in ports:
                await fleet.ready(each)
            yield fleet, notes, redis, f"http://127.0.0.1:{port}/mcp"
        finally:
            for process in (*fleet.replicas, proxy):
                process.terminate()
                process.wait()
            redis.kill()
            api.close()


def generate(folder: Path, api: str) -> None:
    """Write the server for an API."""
    (folder / "server").mkdir()
    (folder / "server" / "mcpgen.toml").write_text(SETTINGS)
    (folder / "fleet.yaml").write_text(DOCUMENT.format(api=api))
    made = [sys.executable, "-P", "-m", "mcpgen", "from-openapi", str(folder / "fleet.yaml")]
    subprocess.run([*made, "-o", str(folder / "server")], check=True, capture_output=True)


async def load(fleet: Fleet, url: str, calls: int, pause: float) -> Outcomes:
    """Let twenty callers share that many calls."""
    outcomes, keys = Outcomes(), iter(range(calls))
    async with httpx2.AsyncClient(timeout=90) as http:

        async def caller() -> None:
            for key in keys:
                began = time.monotonic()
                outcome = await called(fleet, http, url, str(key))
                outcomes.add(outcome, str(key), time.monotonic() - began)
                await asyncio.sleep(pause)

        began = time.monotonic()
        await asyncio.gather(*(caller() for _ in range(20)))
        outcomes.seconds = time.monotonic() - began
    return outcomes


def wrong(outcomes: Outcomes, reached: Counter[str], limit: int, *, all_used: bool) -> list[str]:
    """What must not be; `all_used`: as many calls were made as the limit lets through, or more."""
    twice = [key for key, count in reached.items() if count > 1]
    done = outcomes.keys.get(OK, set())
    refused = set[str]().union(*(outcomes.keys.get(why, ()) for why in (LIMITED, AWAY, CLOSED)))
    rate = limit / 60
    most = limit + rate * outcomes.seconds
    least = most - rate * 2 * outcomes.slowest - 1 if all_used else 0
    unclear = outcomes.keys.keys() - {OK, LIMITED, AWAY, KILLED, CLOSED}
    lost, both = done - reached.keys(), refused & reached.keys()
    exact = least <= len(reached) <= most
    problems = [
        (twice, f"POSTs that reached the API twice: {twice[:5]}"),
        (lost, f"calls that were answered and did not reach the API: {sorted(lost)[:5]}"),
        (both, f"calls that were refused and reached the API: {sorted(both)[:5]}"),
        (unclear, f"calls without a clear end: {sorted(unclear)}"),
        (not exact, f"{len(reached)} calls where the limit lets {least:.1f} to {most:.1f} through"),
    ]
    return [problem for is_so, problem in problems if is_so]


async def run(calls: int, limit: int, *, disturbed: bool) -> list[str]:
    """Make that many calls and print what came of them; returns what must not be."""
    async with running(limit) as (fleet, notes, redis, url):
        shared, missing = Shared(url, fleet.ports), list[str]()
        if disturbed:
            await shared.begin()
            missing += await shared.missing()
            disturbing = asyncio.create_task(disturb(fleet, redis))
        outcomes = await load(fleet, url, calls, 0.05 if disturbed else 0)
        if disturbed:
            await disturbing
            missing += await shared.missing()
    found = wrong(outcomes, notes.reached, limit, all_used=not disturbed)
    if missing:
        found.append(f"{len(missing)} links and tasks that are gone: {missing[:3]}")
    if (notes.renewals, notes.refused) != (1, 0):
        found.append("a token was renewed more than once")
    print(json.dumps({
        "outcomes": outcomes.counts(),
        "seconds": round(outcomes.seconds, 2),
        "reached": len(notes.reached),
        "renewals of the token": notes.renewals,
        "let through at most": limit + int(outcomes.seconds * limit / 60),
        "wrong": found,
    }))  # fmt: skip
    return found


def judged(calls: int) -> int:
    """The exit code of runs with and without disturbances."""
    found = asyncio.run(run(calls, calls // 4, disturbed=False))
    found += asyncio.run(run(calls, 10 * calls, disturbed=True))
    return 1 if found else 0


def main() -> int:
    """Run it and print what it has shown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=2000)
    return judged(parser.parse_args().calls)


if __name__ == "__main__":
    sys.exit(main())
