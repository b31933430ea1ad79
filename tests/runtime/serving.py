"""The sample package over Streamable HTTP: in a thread of this process, or in one of its own."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from prepared import python

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def current(tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """A call's message and headers as a client of 2026-07-28 sends them."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, HEADERS | headers


def asked(url: str, token: str, method: str, **params: Any) -> dict[str, Any]:
    """The answer to one request of a caller who brings a token."""
    message, headers = current("", {})
    meta = {"_meta": message["params"]["_meta"]}
    message |= {"method": method, "params": {**params, **meta}}
    headers |= {"Mcp-Method": method, "Mcp-Name": params.get("uri") or params.get("name", "")}
    answer = httpx2.post(url, json=message, headers=headers | {"Authorization": f"Bearer {token}"})
    found: dict[str, Any] = answer.json()
    return found


class _Prompt(uvicorn.Server):
    async def main_loop(self) -> None:
        """Stop at once where uvicorn looks ten times a second."""
        while not await self.on_tick(0):
            await asyncio.sleep(0.005)


@contextmanager
def in_thread(app: Any, port: int = 0) -> Iterator[str]:
    """Serve an ASGI application with uvicorn; the value is its base URL."""
    config = uvicorn.Config(app, port=port, log_config=None, lifespan="on")  # type: ignore[arg-type]
    server = _Prompt(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


class Process:
    """A server process whose stderr told its address."""

    def __init__(self, popen: subprocess.Popen[str], base: str, said: list[str]) -> None:
        self._popen = popen
        self.said = said
        """The lines of its stderr so far."""
        self.pid = popen.pid
        self.base = base

    @property
    def url(self) -> str:
        """Where the protocol is spoken."""
        return f"{self.base}/mcp"

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to stop."""
        self._popen.send_signal(number)

    def wait(self) -> int:
        """Its exit code."""
        return self._popen.wait(20)


@contextmanager
def process(folder: Path, *command: str, itself: bool = False, **environ: str) -> Iterator[Process]:
    """Run a Python command that serves over HTTP, until the block ends.

    `itself`: the process is the server's own.
    """
    popen = subprocess.Popen(
        [sys.executable, "-m", *command] if itself else python("-m", *command),
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), **environ},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert popen.stderr is not None
    said: list[str] = []
    base = ""
    for line in popen.stderr:
        said.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            base = found[0]
            break
    assert base, "".join(said)
    rest = threading.Thread(target=lambda: said.extend(popen.stderr or ()))
    rest.start()
    try:
        yield Process(popen, base, said)
    finally:
        if popen.poll() is None:
            popen.kill()
        popen.wait()
        rest.join(10)
        popen.stderr.close()
        assert "Traceback" not in "".join(said), "".join(said)
