"""Three replicas behind nginx that share a Redis, of which each is killed: what callers get.

`python -m bench.replicas --calls 2000` generates a server, and says how many calls ended how, how
often its API was reached by each POST, and how many calls a limit let through.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2

from bench.calls import free_port

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

DOCUMENT = """openapi: 3.1.0
info: {title: Fleet, version: "1"}
servers: [{url: "https://fleet.example"}]
paths:
  /notes:
    post:
      operationId: addNote
      parameters: [{name: key, in: query, required: true, schema: {type: string}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object}}}}}
"""
NGINX = """daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream fleet {{ {servers} }}
  server {{ listen 127.0.0.1:{port};
    location / {{ proxy_pass http://fleet; proxy_buffering off; proxy_set_header Host localhost; }}
  }} }}
"""


_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


class Notes:
    """The API: how often each POST reached it."""

    def __init__(self) -> None:
        self.reached: Counter[str] = Counter()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.reached[head.split(b" ")[1].decode()] += 1
                writer.write(_ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()


class Fleet:
    """The processes of a run."""

    def __init__(self, folder: Path, ports: list[int], environ: dict[str, str]) -> None:
        self.folder = folder
        self.ports = ports
        self.environ = {**os.environ, **environ, "PYTHONPATH": str(folder / "server")}
        self.replicas = [self.replica(port) for port in ports]

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
        process = self.replicas[number]
        process.kill() if kill else process.terminate()
        await asyncio.to_thread(process.wait)
        self.replicas[number] = self.replica(self.ports[number])
        await self.ready(self.ports[number])


async def called(http: httpx2.AsyncClient, url: str, key: str) -> str:
    """How a call ended."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "addNote", "arguments": {"key": key}, "_meta": meta}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "addNote",
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    try:
        answer = await http.post(url, json=body, headers=headers)
    except httpx2.HTTPError as problem:
        return f"connection: {type(problem).__name__}"
    if answer.status_code != 200:
        return f"status {answer.status_code}"
    text = answer.text
    if "event-stream" in answer.headers["content-type"]:
        text = [line for line in text.splitlines() if line.startswith("data: {")][-1][6:]
    result = json.loads(text).get("result", {})
    if not result.get("isError"):
        return "ok"
    told = result["content"][0]["text"]
    return "limited" if "calls a minute" in told else told[:60]


async def disturb(fleet: Fleet, redis: Any) -> None:
    """Kill the store and a replica, and restart all replicas one by one."""
    await asyncio.sleep(0.5)
    redis.kill()
    await asyncio.sleep(0.5)
    await asyncio.to_thread(redis.start)
    await fleet.restart(0, kill=True)
    for number in range(len(fleet.replicas)):
        await fleet.restart(number, kill=False)


async def run(calls: int, limit: int, *, disturbed: bool) -> dict[str, Any]:
    """What came of that many calls, and how often each reached the API."""
    from redis_server import RedisServer

    notes, outcomes = Notes(), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        folder, ports, port = Path(name), [free_port() for _ in range(3)], free_port()
        (folder / "server").mkdir()
        (folder / "server" / "mcpgen.toml").write_text("store = true\n")
        (folder / "fleet.yaml").write_text(DOCUMENT)
        made = [sys.executable, "-P", "-m", "mcpgen", "from-openapi", str(folder / "fleet.yaml")]
        subprocess.run([*made, "-o", str(folder / "server")], check=True, capture_output=True)
        servers = " ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports)
        config = NGINX.format(folder=folder, servers=servers, port=port)
        (folder / "nginx.conf").write_text(config)
        api = await asyncio.start_server(notes.answer, "127.0.0.1", 0)
        redis = RedisServer(folder)
        environ = {
            "FLEET_BASE_URL": f"http://127.0.0.1:{api.sockets[0].getsockname()[1]}",
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
            keys = iter(range(calls))
            async with httpx2.AsyncClient(timeout=90) as http:

                async def caller() -> None:
                    for key in keys:
                        outcomes[await called(http, f"http://127.0.0.1:{port}/mcp", str(key))] += 1
                        if disturbed:
                            await asyncio.sleep(0.05)

                began = time.monotonic()
                work = [asyncio.create_task(caller()) for _ in range(20)]
                disturbing = asyncio.create_task(disturb(fleet, redis)) if disturbed else None
                await asyncio.gather(*work)
                seconds = time.monotonic() - began
                if disturbing:
                    await disturbing
        finally:
            for process in (*fleet.replicas, proxy):
                process.terminate()
                process.wait()
            redis.kill()
            api.close()
    reached = notes.reached.values()
    return {
        "outcomes": dict(outcomes),
        "seconds": round(seconds, 2),
        "reached": len(reached),
        "reached twice": sum(count > 1 for count in reached),
        "let through at most": limit + int(seconds * limit / 60),
    }


def main() -> None:
    """Run it with and without disturbances."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    calls = parser.parse_args().calls
    print(json.dumps(asyncio.run(run(calls, calls // 4, disturbed=False))))
    print(json.dumps(asyncio.run(run(calls, 10 * calls, disturbed=True))))


if __name__ == "__main__":
    main()
